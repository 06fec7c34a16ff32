"""The letters of answers and offers: which key takes which of the moves that follow an act.

An answer keeps its letter for as long as the window is open: people learn `t` for *Take the win* once. `AnswerLetters` remembers them.
A new answer gets one that will stay its own: the letter of the person or thing that it stands for, or else the first letter of its word
that nobody in the crew has, or another one. If two answers that have one letter come up together, the newer one gets another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from string import digits
from types import MappingProxyType

from waylog.rules.codec.changes import ALPHABET
from waylog.rules.model.act_lists_and_row_verbs import ANYTIME, Subject, is_person
from waylog.rules.model.moves import Move, Text
from waylog.values import replace

RESERVED = "uU?:qTFPWD"
"""Keys that mean the same in every question."""
WAYLOG_ROLLS = "W"
"""The key that lets Waylog roll the real dice that are still missing. Enter doesn't: it is pressed by habit behind the last die, and a
player would lose one that lies on the table.
"""
_STILL_THERE = "winN"
"""Keys of the screens that work while something is asked: why, the rule and notes. No answer has one of them, and nobody has one as a
letter (`act_lists_and_row_verbs.ANYTIME`).
"""
_ONLY_OWN = "re"
"""The keys for rolling and editing, which do neither while something is asked. An answer has one of them only if it is its own, such as
*raise* in a conflict, which puts dice forward.
"""
_EVERYWHERE = "retmscRphjklgGxbvVoaSCKd123456"
"""Other keys of the screens. A question may use them for its answers, because it is answered first."""
_MEANWHILE = "tcvmK"
"""Those of them that do something while a question stays open: an answer has one of them as its first letter, or if it gets no other."""
OFFERS = "oESbLv"
"""The letters of the kinds of offers (`Move.offer`). While nothing is asked, no other follow-up has one of them."""
_POOL = "asdfvbmopyzASEVBIMOYZ56789"
_NONE: Mapping[str, str] = MappingProxyType({})


def follow_ups(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves that belong to the open act, in order. Dice that are waited for have keys of their own."""
    return tuple(move for move in moves if move.follows and move.verb not in ("dice", "rest"))


def things_of(moves: Sequence[Move]) -> Mapping[str, str]:
    """Return the path of the one thing that a move stands for, such as a person, by the id of the move. Moves of one verb about the same
    thing stand for something else, and so does a move with a key of its own. One that needs a text says something of its thing, unless
    its verb chooses between several, such as whom a roll harms. Of other moves about one thing, it is the first.
    """
    single = [move for move in moves if len(move.about) == 1 and move.words and not (move.key or move.offer)]
    several = Counter(verb for verb, _ in {(move.verb, move.about[0]) for move in single})
    paths = {
        move.id: (move.verb, move.about[0])
        for move in sorted(single, key=_needs_text)
        if several[move.verb] > 1 or not _needs_text(move)
    }
    counts = Counter(paths.values())
    first = {path: id_ for id_, (verb, path) in reversed(paths.items()) if counts[verb, path] == 1}
    return {id_: path for path, id_ in first.items()}


def _needs_text(move: Move) -> bool:
    return any(isinstance(ask, Text) and ask.required for ask in move.asks)


def only_text(moves: Sequence[Move]) -> Move | None:
    """Return the only answer among follow-ups that can be given, if it is a text. It has no letter: every letter is its text."""
    able = [move for move in moves if not move.blocked]
    return able[0] if len(able) == 1 and _needs_text(able[0]) else None


def words_to_type(move: Move) -> str:
    """Return the words for typing what an answer asks for: of several texts, the one that comes first."""
    texts = [ask for ask in move.asks if isinstance(ask, Text)]
    return f"type “{texts[0].label}”" if len(texts) > 1 else "type your answer"


def assign_keys(
    moves: Sequence[Move],
    *,
    asked: bool,
    kept: Mapping[str, str] = _NONE,
    things: Mapping[str, str] = _NONE,
    spent: Collection[str] = (),
) -> tuple[tuple[str, Move], ...]:
    """Return each follow-up with its key; empty if there are more follow-ups than keys.

    While nothing is asked, an offer has the letter of its kind, which several may share. `kept` has the keys of answers that were shown
    before, by the ids of moves, the oldest first; `things` those of persons and other things, by path. `spent` are those of what was done
    in the open act: no new answer gets one of them as long as there are others, so that pressing a key twice doesn't do something else.
    """
    paths = things_of(moves)
    # While something is asked, digits are dice.
    taken = {*RESERVED, *_STILL_THERE, *(digits if asked else (*_EVERYWHERE, *OFFERS))}
    found: dict[str, str] = {} if asked else {move.id: move.offer for move in moves if move.offer}
    if asked and (text := only_text(moves)):
        found[text.id] = ""
    there = {move.id: move for move in moves}

    def give(wanted: Iterable[tuple[str, str]]) -> None:
        for id_, key in wanted:
            if id_ in there and id_ not in found and key and key not in taken:
                found[id_] = key
                taken.add(key)

    # A letter that the game gives an answer is the same in every question, so it goes before any that was found for another.
    give((move.id, move.key) for move in moves if len(move.key) == 1 and not move.key.isdigit())
    give(kept.items())
    give((id_, things.get(path, "")) for id_, path in paths.items())
    # What can be answered before what can't; answers that are always the same before those that are named after something; and first
    # letters before others.
    waiting = (move for move in moves if move.id not in found)
    new = sorted(waiting, key=lambda move: (move.blocked is not None, bool(move.about and move.words)))
    of_things, done = set(things.values()), set(spent)
    for letters, avoided in (
        (_first_letter, of_things | done),
        (_letters, {*of_things, *kept.values(), *done, *_MEANWHILE}),
        (_letters, of_things | done),
        (_letters, done),
        (_letters, set[str]()),
    ):
        for move in new:
            give((move.id, key) for key in letters(move) if key not in avoided and key not in _ONLY_OWN)
    return tuple((found.get(move.id, ""), move) for move in moves)


def _first_letter(move: Move) -> str:
    """Return how the word of an answer begins."""
    return (move.words[0] if move.words else move.verb)[:1].strip(digits)


def _letters(move: Move) -> Iterator[str]:
    """Yield the keys that may stand for an answer, the best first: how its words begin, their other letters, then any."""
    words = (*move.words[:1], move.verb)
    return (key for key in chain((word[0] for word in words), *words, _POOL) if key.isascii() and key.isalnum())


def begun_by(typed: str, choices: Sequence[Subject | Move]) -> Sequence[Subject | Move]:
    """Return the choices of which the label or the command begins with what is typed. Labels that begin with the same word, as *Roll for
    Wick*, tell nothing apart.
    """
    found = []
    labels = {id(one): (one.name if isinstance(one, Subject) else one.label).casefold() for one in choices}
    first = Counter(label.split(" ")[0] for label in labels.values())
    for one in choices:
        move, label = one.moves[0] if isinstance(one, Subject) else one, labels[id(one)]
        texts = [*(move.words[:1] or (move.verb,)), *([label] if first[label.split(" ")[0]] < 2 else ())]
        if any(text.replace("-", " ").startswith(typed.casefold()) for text in texts):
            found.append(one)
    return found


class AnswerLetters:
    """The letters that answers, offers and things have had since the window was opened."""

    def __init__(self) -> None:
        self._kept: tuple[dict[str, str], dict[str, str]] = {}, {}
        """By the id of the move: those of follow-ups without a question, and of answers."""
        self._things: dict[str, str] = {}
        """By path: the letter that stands for a person or thing in every question."""
        self._listed: dict[tuple[str, str], str] = {}
        """By list and path: the letter in a list that a key opens."""

    def assign(
        self, moves: Sequence[Move], people: Mapping[str, str], done: Sequence[str], *, asked: bool
    ) -> tuple[tuple[str, Move], ...]:
        """Return the follow-ups with their keys. `people` has the letters of the crew in every list; `done` is what was done in the open
        act, in words.
        """
        kept = self._kept[asked]
        spent = {
            key
            for each in self._kept
            for id_, key in each.items()
            if any(f"{act} ".startswith(f"{id_} ") for act in done)
        }
        choices = assign_keys(moves, asked=asked, kept=kept, things={**people, **self._things}, spent=spent)
        kept |= {move.id: key for key, move in choices if key}
        if asked:
            for id_, path in things_of([move for key, move in choices if key]).items():
                self._things.setdefault(path, kept[id_])
        return choices

    def keep_in_list(self, listed: str, subjects: Sequence[Subject]) -> Sequence[Subject]:
        """Return what a list offers, each with the letter that it had in this list before: people have theirs everywhere, and what has
        come since gets another if its own is somebody else's now.
        """
        found = {one.key: one.letter for one in subjects if is_person(one.key)}
        there = {one.key for one in subjects}
        for (which, key), letter in self._listed.items():  # The oldest first.
            if which == listed and key in there and letter not in found.values():
                found.setdefault(key, letter)
        for one in subjects:
            others = {each.letter for each in subjects if each.key not in found and each is not one}
            letters = (one.letter, *(each for each in ALPHABET if each not in {listed, *ANYTIME, *others}))
            found.setdefault(one.key, next((each for each in letters if each not in found.values()), ""))
        self._listed |= {(listed, key): letter for key, letter in found.items() if letter}
        return tuple(replace(one, letter=found[one.key]) for one in subjects)
