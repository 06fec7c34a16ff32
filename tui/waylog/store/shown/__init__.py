"""What is made of the log for others: what players see, and recaps.

What players know is decided in `rules/what_players_know.py`. A fact that is `secret` when it is made stays secret. A fact also says what it
is `about`, and players see it only while they see that.
Words and changes of an entry are always the wayfinder's. `waylog watch` opens `players.toml` and nothing else of a campaign.
"""
