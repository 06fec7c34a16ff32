"""The rules library: pure functions over values, without files, clock, screen, or randomness of its own.

- **A stage is data, and its rules are in a chapter.** A roll opens a hit and a hit is answered by a roll, so methods on the stages would
  make the chapters import each other in a circle. `StageRules` joins the two, and the log saves nothing but the data. Tags and field
  names of stages are a file format; `tests/rules/test_saved_stages.py` lists all of them.
- **Real dice are a wrapper, not a mode.** A rule rolls with the `Dice` it is given. When typed faces run out, `Game` keeps the act in
  words with the faces so far and plays it again, whole, when the rest is typed. Rules know nothing of it.
- **Dice in notation have a small grammar of their own** (`model/odds.py`): the exact odds need the parsed terms, and
  `d20`, the parser that fits best, rolls with `random` itself, needs an unmaintained lark, and takes 150 ms to import.
- **What players know is decided in one place** (`what_players_know.py`), and what they may do comes from what is left
  (`what_players_may_do.py`): what is hidden is removed before any rule sees it, so nothing can leak through a move, a refusal or a
  figure. `Table` finds the same act in the whole campaign and plays it.
- **A move says what it reveals.** `Option.reveals` and `Move.reveals` hold the question to ask; a screen asks it without knowing a rule.
  `Move.ends` is the question before one key ends what is in progress. Whoever types the move in words isn't asked.
- **A system may say what it has in common with another** (`akin`), so `waylog convert` is the same few lines for all of them; and what
  a clock may do while it runs (`running`), so only effects that its rules know are offered.
- **A game says which of its verbs the key `r` opens** (`RollKey`), the key's description, and the message when nothing can be rolled.
"""
