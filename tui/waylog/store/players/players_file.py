"""The file `players.toml`: everything that all players may see, and nothing else. `Table` writes it, `waylog watch` reads it. A player
who sees something that the others don't has a file of their own, with everything that they may see (`store/players/inbox.py`).

It is TOML like the others, but not for editing: it is written as a whole, and nothing is read back from it into the campaign. What it
holds is a `Projection`: everything that players may see, as values without anything hidden. It is made in the program that has the
campaign open, and only the projection leaves it. `waylog watch` needs neither the campaign file nor the log, so hidden things never get
into that program.

What players may do is part of it (`moves_and_odds_for_players.py`).

`latest_roll` is the roll that a table's screen shows.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice, pairwise, tee
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any

import tomli

from waylog.rules.codec.records import codec
from waylog.rules.common.random_tables import Tables
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import ClockStep, Fact, NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.moves import Allocate, PickMany, PickOne
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.rules.model.players_and_permissions import is_key
from waylog.rules.model.sessions import under_way
from waylog.rules.model.state import State
from waylog.rules.what_players_know import KnownCampaign, Visibility, VisibleClock, VisibleDeck
from waylog.rules.what_players_may_do import PlayersGame
from waylog.store.files_and_lock import FILE as CAMPAIGN_FILE
from waylog.store.files_and_lock import (
    INBOX,
    OWN_FILE,
    PLAYERS,
    FileSignature,
    file_signature,
    open_inside,
    request_players_file,
)
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.moves_and_odds_for_players import (
    MOST_MOVES,
    MOST_ODDS,
    OpenMove,
    VisiblePlayer,
    open_moves,
    visible_odds,
    visible_players,
)
from waylog.store.players.what_players_missed import PastAct, past_acts
from waylog.store.shown.countdowns import Countdown, countdowns
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes
from waylog.toml.values import format_value
from waylog.values import NamedTuple, dataclass, fields, replace

NOT_YET = "Nothing to see yet. Waiting for the wayfinder to start."
LAST_KNOWN = "The campaign is no longer there. This is its last known state."
NOT_NOW = "not now. This question comes first: {}"
"""The refusal of a proposal while a question is open. The player who may answer it also sees the answers."""


_RULES_EACH = 2
"""The most rules for one row of the sheet."""
LINES = 60
"""The most lines of the log that players see."""
LOOKED_AT = 400
"""Entries among which those lines are looked for, because many may be secret."""
_NO_TABLES: Tables = MappingProxyType({})
_NO_ODDS: Mapping[int, Odds] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class VisibleAct:
    """The part of an act that players may see."""

    at: str
    """The time of day."""
    facts: tuple[Fact, ...]
    odds: tuple[Odds, ...] = ()
    """Of a roll, the odds that it had as far as players know, if the program that writes the file has played it; otherwise nothing."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The odds and effects of a roll that the wayfinder shows before it is made."""

    title: str
    """The roll: `Roll NAV (2d6): Desperate`."""
    odds: Odds
    """Its odds, as far as players know."""
    forecast: tuple[NoteFact, ...] = ()
    """A note for each effect that an outcome would have now, as far as players know."""


@dataclass(frozen=True, slots=True)
class VisibleRule:
    """The text of a rule that something names that players see."""

    id: str
    title: str
    text: str
    terms: tuple[str, ...]
    """The names on the sheet that the rule is about: `Vitality`, `NAV`."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Everything that players see at one moment."""

    name: str = ""
    system: str = ""
    """The game's name for people."""
    session: int = 0
    """The number of the session in progress; 0 between sessions."""
    title: str = ""
    """The session's title."""
    panels: tuple[Panel, ...] = ()
    """The panels of ship and crew. Their rows have no keys, because those are the wayfinder's own words."""
    clocks: tuple[VisibleClock, ...] = ()
    decks: tuple[VisibleDeck, ...] = ()
    log: tuple[VisibleAct, ...] = ()
    """The latest acts that still hold, newest last."""
    question: str = ""
    """The open question; empty if there is none, or the campaign has no players."""
    players: tuple[VisiblePlayer, ...] = ()
    """The people of the table."""
    moves: tuple[OpenMove, ...] = ()
    """The moves that players may propose now."""
    odds: tuple[Odds, ...] = ()
    """The exact odds of the rolls among these moves."""
    past: tuple[PastAct, ...] = ()
    """The acts of the last two evenings, oldest first; empty if the campaign has no players."""
    when: int = 0
    """The time of the latest act of `past`, in seconds since 1970; 0 without any."""
    timers: tuple[Countdown, ...] = ()
    """The timers that players see. Each program counts them down by itself."""
    dice: tuple[Die, ...] = ()
    """The real dice that the open act waits for."""
    rules: tuple[VisibleRule, ...] = ()
    """The rules behind what players see: refusals, answers, the log, and rows of the sheet."""
    stakes: tuple[Stakes, ...] = ()
    """The stakes of the roll that comes next, or is being made, if the wayfinder shows them; otherwise nothing."""


def visible_rules(
    game: PlayersGame, state: State, acts: Iterable[VisibleAct], moves: Iterable[OpenMove], player: str = ""
) -> tuple[VisibleRule, ...]:
    """Return the rules that these acts and moves name, and those of the rows of the sheet, each once."""
    reference = game.rules(state)
    terms = dict[str, dict[str, None]]()
    for key, label in game.known_campaign(state, player).row_labels():
        for id_ in game.rules_about(state, key)[:_RULES_EACH]:
            terms.setdefault(id_, {})[label] = None
    for one in moves:
        asks = (ask.clause for ask in one.move.asks if isinstance(ask, PickOne | PickMany | Allocate))
        named = filter(None, (one.move.blocked.clause if one.move.blocked else None, *asks))
        terms |= {id_: {} for id_ in named if id_ not in terms}
    for fact in (fact for act in acts for fact in act.facts if isinstance(fact, NoteFact) and fact.clause):
        terms.setdefault(fact.clause or "", {})
    return tuple(
        VisibleRule(id_, clause.title, clause.text, tuple(labels))
        for id_, labels in terms.items()
        if (clause := reference.clauses.get(id_))
    )


def project_table(
    players: PlayersGame,
    state: State,
    holding: Iterable[LogEntry],
    acting: Collection[str],
    odds: Mapping[int, Odds] = _NO_ODDS,
    player: str = "",
    stakes: tuple[Stakes, ...] = (),
) -> Projection:
    """Return everything that a player may see and do; without a key, what all of them may. `acting` has the paths of the people and things
    that the open act is about, `odds` those of rolls, by entry.
    """
    sight, (holding, again) = players.sight(state, player), tee(holding)
    seen = replace(_project(players.known_campaign(state, player), sight, holding, odds), stakes=stakes)
    if not state.players:
        return seen
    past = past_acts(again, sight.facts, players.characters(state))
    moves = open_moves(players, state, acting, player)
    return replace(
        seen,
        past=past,
        when=max((one.when for one in past), default=0),
        question=players.question(state, player) or "",
        players=visible_players(players, state),
        moves=moves,
        odds=visible_odds(players, state, moves, player),
        dice=players.awaited_dice(state, player),
        rules=visible_rules(players, state, seen.log, moves, player),
    )


def _project(
    known: KnownCampaign, sight: Visibility, holding: Iterable[LogEntry], odds: Mapping[int, Odds] = _NO_ODDS
) -> Projection:
    state, rest = known.state, iter(holding)
    session = under_way(state.sessions)
    newest = next(rest, None)
    entries = chain(() if newest is None else (newest,), islice(rest, LOOKED_AT - 1))
    return Projection(
        state.name,
        known.system.name,
        session,
        state.sessions[str(session)].title if str(session) in state.sessions else "",
        tuple(known.panels()),
        known.clocks,
        known.decks,
        tuple(reversed([*islice(_seen_acts(entries, sight, odds), LINES)])),
        timers=countdowns(known.timers, newest.at if newest else None),
    )


def _seen_acts(holding: Iterable[LogEntry], sight: Visibility, odds: Mapping[int, Odds]) -> Iterator[VisibleAct]:
    for entry in holding:
        if facts := sight.facts(entry):
            # The odds are those of the first roll. It may be hidden, and bring others.
            roll = next((fact for fact in entry.facts if isinstance(fact, RollFact)), None)
            seen = entry.number in odds and roll is not None and sight.shows(entry, roll)
            # Quotes and steps are looked at by the wayfinder's log and recap alone.
            facts_for_players = (
                replace(fact, quote=None, step=ClockStep()) if isinstance(fact, NoteFact) else fact for fact in facts
            )
            yield VisibleAct(f"{entry.at:%H:%M}", tuple(facts_for_players), (odds[entry.number],) if seen else ())


FILE = PLAYERS
_FORMAT = 7
_HEAD = (
    "# Everything that players may see and do, for `waylog watch` and `waylog join`. Waylog replaces this file after every action "
    "and reads nothing back from it.\n"
)
_VALUES = ("name", "system", "session", "title", "question", "when")
_LISTS: Mapping[str, type] = {
    "panels": Panel,
    "clocks": VisibleClock,
    "decks": VisibleDeck,
    "log": VisibleAct,
    "players": VisiblePlayer,
    "moves": OpenMove,
    "odds": Odds,
    "past": PastAct,
    "timers": Countdown,
    "dice": Die,
    "rules": VisibleRule,
    "stakes": Stakes,
}
"""The list fields of a projection, with what their items are. Each item is a line of the file."""
_FIELDS = tuple(field.name for field in fields(Projection))
_numbers = itertools.count(1)


class UnreadablePlayersFile(Exception):
    """The file can't be shown by this version of Waylog."""


# -- as text -------------------------------------------------------------------------------------------------------------


def encode_projection(seen: Projection) -> bytes:
    """Return the file's text."""
    lines = [_HEAD, f"format = {_FORMAT}"]
    lines += [f"{key} = {format_value(getattr(seen, key))}" for key in _VALUES]
    for key in _LISTS:
        lines += [f"{key} = [", *(f"  {_encode_item(part)}," for part in getattr(seen, key)), "]"]
    return ("\n".join(lines) + "\n").encode()


@lru_cache(maxsize=64 + 4 * LINES + 2 * (MOST_MOVES + MOST_ODDS))
def _encode_item(part: Hashable) -> str:
    """Return an item of a list as the file has it. Most of them are as they were in the file before."""
    return format_value(codec(type(part)).pack(part))


# -- from text -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def decode_projection(data: bytes) -> Projection:
    """Read what `encode_projection` returned. Raises `UnreadablePlayersFile`."""
    try:
        values, items = _split(data.decode())
        tree = tomli.loads(values)
        if tree["format"] != _FORMAT:
            raise UnreadablePlayersFile(f"{FILE} comes from another version of Waylog")
        lists: dict[str, Any] = {key: tuple(_decode_items(key, items[key])) for key in _LISTS}
        single: Projection = codec(Projection).unpack([tree[key] if key in _VALUES else [] for key in _FIELDS])
        return replace(single, **lists)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadablePlayersFile(f"{FILE} can't be read") from error


def _split(text: str) -> tuple[str, Mapping[str, Sequence[str]]]:
    """Return the single values as TOML, and the lines of each list. Raises `ValueError` if a list has no end."""
    values, items, inside = list[str](), dict[str, list[str]](), None
    for line in text.split("\n"):
        if inside is None and line.endswith(" = ["):
            inside = items[line.removesuffix(" = [")] = []
        elif inside is None:
            values.append(line)
        elif line == "]":
            inside = None
        else:
            inside.append(line)
    if inside is not None:
        raise ValueError("a list has no end")
    return "\n".join(values), items


def _decode_items(key: str, lines: Iterable[str]) -> Iterator[object]:
    """Yield the items of a list. A damaged figure takes the odds of one roll from a player, and nothing else. Raises `ValueError`."""
    for line in lines:
        try:
            yield _decode_item(_LISTS[key], line)
        except ValueError:
            if key != "odds":
                raise


@lru_cache(maxsize=2048)
def _decode_item(kind: type, line: str) -> object:
    """Read one line of a list. Most of them are as they were in the file before, and in those of the other players. Raises `ValueError`."""
    (item,) = tomli.loads(f"items = [{line}]")["items"]
    return codec(kind).unpack(item)


# -- on disk -------------------------------------------------------------------------------------------------------------


def read_players_file(folder: Path) -> bytes | None:
    """Return the contents of the file in a campaign's folder; None if there is none."""
    try:
        return read_bytes(folder / FILE)
    except UnreadableFile:
        return None


class FollowedFile:
    """Follows the file for a window of players, or the file of one player, and opens nothing else of the campaign. It asks for the file
    where there is none.
    """

    def __init__(self, folder: Path, gone: str, player: str = "") -> None:
        """`gone` says that the file was there and isn't any more. A player without a file of their own sees that of all players."""
        self._folder, self._gone = folder, gone
        self._own = folder / INBOX / player / OWN_FILE if is_key(player) else None
        self._known: FileSignature | None = None
        self.seen: Projection | None = None
        """The last contents of the file; None if it has never had any."""
        self.trouble = ""
        """Why it can't be read now, in words for people."""

    def look(self) -> bool:
        """Read the file if it has changed since the last look. Return whether `seen` or `trouble` may be different."""
        path = self._folder / FILE
        found = file_signature(self._own) if self._own else None
        if self._own and found:
            path = self._own
        before, found = self.trouble, found or file_signature(path)
        if found is None and self.seen is None:
            self.trouble = self._ask()
            return self.trouble != before
        if found == self._known:
            return False
        self._known, self.trouble = found, ""
        try:
            if data := read_bytes(path):
                self.seen = decode_projection(data)
        except FileMissing:
            if path == self._own:  # Just now, there is nothing any more that this player alone sees.
                return self.look()
            self.trouble = self._gone
        except UnreadablePlayersFile as error:
            self.trouble = str(error)
        except UnreadableFile as unreadable:
            self.trouble = f"{FILE} {unreadable.problems[0].message}"
        return True

    def _ask(self) -> str:
        """Ask for the file. Return what the wayfinder has to do if that isn't possible."""
        try:
            request_players_file(self._folder)
        except OSError:
            return f"Nothing to see yet. The wayfinder must run `waylog players {quote(os.fspath(self._folder))} setup` first."
        return ""


def write_players_file(folder: Path, data: bytes) -> None:
    """Write the file as a whole. Raises `OSError`. It needn't be durable, as it can always be made again."""
    path = folder / FILE
    # The next start removes leftovers with this ending (see `store/file/history.py`).
    part = path.with_name(f".{FILE}.{os.getpid()}-{next(_numbers)}.part")
    part.unlink(missing_ok=True)
    descriptor = open_inside(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(data)
            file.flush()
            os.fchmod(descriptor, _mode(path))
        part.rename(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Return the mode: as a person set it; for a new file, the same readers as the campaign file."""
    for model in (path, path.with_name(CAMPAIGN_FILE)):
        with suppress(OSError):
            return model.stat().st_mode & 0o777
    return 0o600


class ShownRoll(NamedTuple):
    """A roll as far as it has got."""

    who: str
    """The person or thing that rolls, or the purpose of the roll."""
    dice: tuple[Face, ...]
    typed: bool
    """They are real dice."""
    odds: Odds | None
    outcome: OutcomeFact | None
    followed: tuple[str, ...]
    """The consequences of the outcome, in sentences."""


def latest_roll(acts: Sequence[VisibleAct]) -> ShownRoll | None:
    """Return the roll that these acts, oldest first, end with: its dice as they are now, the outcome and what came of it. None if the
    last of them is neither a roll nor the choice that ends one.
    """
    is_part = [any(isinstance(fact, RollFact) for fact in act.facts) for act in acts]
    if not any(is_part):
        return None
    first = len(acts) - 1 - is_part[::-1].index(True)
    facts = [fact for act in acts[first:] for fact in act.facts]
    rolls = [at for at, fact in enumerate(facts) if isinstance(fact, RollFact)]
    # Dice of damage that follow a roll are told with what came of it.
    with_outcome = [
        at
        for at, after in pairwise((*rolls, len(facts)))
        if any(isinstance(fact, OutcomeFact) for fact in facts[at + 1 : after])
    ]
    at = (with_outcome or rolls)[-1]
    roll, after = facts[at], facts[at + 1 :]
    assert isinstance(roll, RollFact)
    outcomes = [fact for fact in after if isinstance(fact, OutcomeFact)]
    if first < len(acts) - 1 and not outcomes:
        return None
    notes = [fact for fact in after if isinstance(fact, NoteFact)]
    changed = [note.dice for note in notes if note.dice]
    return ShownRoll(
        roll.deed or roll.what,
        changed[-1] if changed else roll.dice,
        roll.typed,
        acts[first].odds[0] if acts[first].odds else None,
        outcomes[-1] if outcomes else None,
        tuple(note.text for note in notes if note.part is NotePart.RESULT),
    )
