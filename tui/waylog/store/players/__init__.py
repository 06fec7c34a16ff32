"""What players see, and what they send: the inbox, their proposals, who is there, a pause.

What players know is decided in `rules/what_players_know.py`. A fact that is `secret` when it is made stays secret. A fact also says what it
is `about`, and players see it only while they see that.
Words and changes of an entry are always the wayfinder's. `waylog watch` opens `players.toml` and nothing else of a campaign.

**A proposal is played once.** Its id is in the entry; then comes the answer, then the file goes. Whoever finds the file again looks in
the log first. Who may write what into the inbox, and what is not believed, stands in `inbox.py`.
"""
