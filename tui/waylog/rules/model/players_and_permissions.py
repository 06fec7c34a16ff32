"""The people of the table: their characters, and the commands that they need not ask for (NM-44…NM-46)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, ClassVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import ALPHABET, join_names, words_for
from waylog.rules.model.facts import Fact, NoteFact, NotePart
from waylog.rules.model.moves import ActRefused, Answers, Move, Refusal, Text
from waylog.rules.model.sessions import Sessions, people_of, sessions_by_number, under_way
from waylog.values import dataclass, replace

PERMISSIONS_CLAUSE = "NM-45"
VERBS = ("spotlight", "allow", "disallow")
WAYFINDERS = frozenset(
    [
        "allow",
        "aside",
        "call",
        "card",
        "clock",
        "close",
        "deck",
        "disallow",
        "draw",
        "effect",
        "hide",
        "misread",
        "only",
        "overrule",
        "pick",
        "reopen",
        "reword",
        "ruling",
        "scene",
        "secret",
        "session",
        "set",
        "show",
        "shuffle",
        "situation",
        "skip",
        "stash",
        "time",
        "timer",
    ]
)
"""Verbs of every game that only the wayfinder plays."""
_OFTEN = ("roll", "note")
"""The commands that players are allowed most often."""
_LONGEST = 32
_LETTERS = frozenset(ALPHABET)
_IN_KEYS = _LETTERS | frozenset("0123456789-")


@dataclass(frozen=True, slots=True)
class Player:
    """One of the people who play. Their key is also the name of their folder in `inbox/`."""

    ALWAYS_WRITTEN: ClassVar = ("name",)
    CHARACTERS: ClassVar = {"character": "Who they play"}

    name: Annotated[str, "The player's name"] = ""
    character: Annotated[str, "Key of the character that they play, such as mara for [crew.mara]"] = ""
    may: Annotated[tuple[str, ...], "Commands that they can use without asking, such as roll or note"] = ()
    tonight: Annotated[tuple[str, ...], "Commands that they can use without asking until the session ends"] = ()
    notes: Annotated[str, "For the wayfinder"] = ""

    @property
    def permissions(self) -> tuple[str, ...]:
        """The commands that are played for them without asking now."""
        return tuple(dict.fromkeys((*self.may, *self.tonight)))


Players = Mapping[str, Player]
"""The people of the table, by key."""


def is_key(key: str) -> bool:
    """Whether a player may have this key: up to 32 small letters, digits and hyphens, and no hyphen first."""
    return 0 < len(key) <= _LONGEST and key[0] != "-" and _IN_KEYS.issuperset(key)


def name_of(players: Players, key: str) -> str:
    """Return the name of a player. Without a name in the file, it is the key."""
    return (players[key].name.strip() if key in players else "") or key


def names(players: Players) -> tuple[str, ...]:
    """Return the names of all players, in the order of the file."""
    return tuple(name_of(players, key) for key in players)


def away_players(players: Players, sessions: Sessions) -> tuple[str, ...]:
    """Return the keys of the players who are not at the table (NM-46).

    They are the players whom the session in progress doesn't list. If it lists none of the players, or has no list of names,
    nobody is away. Between sessions, nobody is away.
    """
    number = under_way(sessions) if players else 0
    if not number:
        return ()
    here = {name.casefold() for name in people_of(sessions_by_number(sessions)[number])}
    away = tuple(key for key in players if not here & {key.casefold(), name_of(players, key).casefold()})
    return away if len(away) < len(players) else ()


def away_characters(players: Players, sessions: Sessions) -> frozenset[str]:
    """Return the keys of the characters whose players are all away (NM-46)."""
    away = away_players(players, sessions)
    here = {person.character for key, person in players.items() if key not in away}
    return frozenset(players[key].character for key in away) - here - {""}


# -- moves ---------------------------------------------------------------------------------------------------------------


def moves(players: Players, sessions: Sessions) -> tuple[Move, ...]:
    """Return the moves by which players ask for the spotlight, and those that let them act without asking until the session ends."""
    between = (
        None
        if under_way(sessions)
        else Refusal(
            "no session is in progress. To allow commands in every session, list them under `may` in the campaign file",
            "NM-45",
        )
    )
    what = Text("commands", "Commands", required=True, proposed=_OFTEN, example="commands such as roll or note")
    found = list[Move]()
    for word, key in words_for(((key, key) for key in players), "player").items():
        name, about = name_of(players, key), (f"players.{key}",)
        nothing = (
            None
            if players[key].tonight
            else Refusal(f"you haven't allowed {name} any commands for this session", "NM-45")
        )
        found += (
            Move(
                "spotlight",
                (word,),
                f"Ask for the spotlight ({name})",
                about=about,
                title=f"{name} asks for the spotlight",
            ),
            Move(
                "allow",
                (word,),
                f"Let {name} act without asking until the session ends",
                (what,),
                between,
                about=about,
                heading=f"{name} acts without asking until the session ends",
            ),
            Move(
                "disallow",
                (word,),
                f"Make {name} ask again before acting",
                (),
                nothing,
                about=about,
                heading=f"{name} must ask again before acting",
            ),
        )
    return tuple(found)


def play(players: Players, move: Move, answers: Answers) -> tuple[Players, tuple[Fact, ...]]:
    """Play one of `moves`: return the players and the facts. Raises `ActRefused` for a command that no player has."""
    if move.verb == "spotlight":
        return players, (NoteFact(move.title, PERMISSIONS_CLAUSE, part=NotePart.DEED),)
    key = words_for(((key, key) for key in players), "player")[move.words[0]]
    name, one = name_of(players, key), players[key]
    if move.verb == "disallow":
        note = NoteFact(f"{name} must ask again before acting", PERMISSIONS_CLAUSE, secret=True)
        return {**players, key: replace(one, tonight=())}, (note,)
    verbs = re.findall(r"[^\s,;]+", str(answers["commands"]).casefold())
    for verb in verbs:
        if reason := _why_not(verb):
            raise ActRefused(f"“{verb[:40]}” {reason}", "NM-45")
    if not verbs:
        raise ActRefused("type commands, such as roll or note", "NM-45")
    tonight = tuple(dict.fromkeys((*one.tonight, *verbs)))
    text = f"Until the session ends, {name} can use these commands without asking: {join_names(tonight, 'and')}"
    return {**players, key: replace(one, tonight=tonight)}, (NoteFact(text, PERMISSIONS_CLAUSE, secret=True),)


def end_session(players: Players) -> Players:
    """Return the players without the commands that they had until the session ends."""
    if not any(one.tonight for one in players.values()):
        return players
    return {key: replace(one, tonight=()) for key, one in players.items()}


# -- what is checked -------------------------------------------------------------------------------------------------------


def faults(players: Players, characters: Collection[str]) -> Iterator[Fault]:
    """Yield what breaks a clause: a key that can't name a folder, a character that the game doesn't have, a command
    that is only the wayfinder's (NM-44, NM-45).
    """
    for key, person in players.items():
        path = ("players", key)
        if not is_key(key):
            message = f"“{key[:40]}” can't be a player's key: use lower-case letters a–z, digits and hyphens, as in [players.mara]"
            yield Fault(path, message, "NM-44", grave=False, at_key=True)
        if person.character and person.character not in characters:
            known = join_names(sorted(characters), "and") or "none yet"
            message = f"character can't be “{person.character[:40]}”. Characters in this campaign: {known}"
            yield Fault((*path, "character"), message, "NM-44", grave=False)
        for field, verbs in (("may", person.may), ("tonight", person.tonight)):
            for number, verb in enumerate(verbs):
                if reason := _why_not(verb):
                    message = f"`{field}` lists “{verb[:40]}”, which {reason}"
                    yield Fault((*path, field, str(number)), message, "NM-45", grave=False)


def _why_not(verb: str) -> str:
    """Return why a command can't be played for a player without asking; empty if it can (NM-45)."""
    if verb in WAYFINDERS:
        return "is only for the wayfinder"
    return "" if verb and (_LETTERS | {"-"}).issuperset(verb) else "is not a command"
