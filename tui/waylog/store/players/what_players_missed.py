"""What a player missed who was away or comes late: what happened to their character, what everybody knows now, what they may do.

The wayfinder's program writes each visible act of the last two evenings as one line into the players' file (`past_acts`). The player's
program chooses among them (`what_was_missed`). Both know only what that player sees, and every line says what the log says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, islice
from typing import TYPE_CHECKING

from waylog.rules.model.facts import Fact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import ActPart, LoggedActs, describe_seen
from waylog.store.shown.recap import is_in
from waylog.values import dataclass, replace

if TYPE_CHECKING:
    from waylog.store.players.players_file import Projection


MOST_LINES = 10
_LOOKED_AT = 400
"""Entries among which they are looked for, because many may be secret."""
_MOST_PAST = 80
_OWN, _NOTES, _CLOCKS, _ROLLS = 4, 2, 4, 3
"""The most acts of the own character, notes, clocks and rolls that are listed."""


@dataclass(frozen=True, slots=True)
class PastAct:
    """An act that players see, in one line."""

    when: int
    """The time at which it began, in seconds since 1970."""
    kind: EntryKind
    text: str
    players: tuple[str, ...] = ()
    """The keys of the players whose characters it was about."""


# -- the wayfinder's side --------------------------------------------------------------------------------------------------


def past_acts(
    holding: Iterable[LogEntry],
    see: Callable[[LogEntry], tuple[Fact, ...]],
    characters: Mapping[str, tuple[str, str]],
) -> tuple[PastAct, ...]:
    """Return the acts of the last two evenings that a player sees, oldest first.

    `holding` yields the entries that still hold, newest first, and `see` returns the visible facts of one. `characters` has the path and
    the name of each player's character.
    """
    looked_at, roots, evenings = dict[int, LogEntry](), set[int](), set[int]()
    for entry in islice(holding, _LOOKED_AT):
        evenings.add(entry.session)
        if len(evenings - {0}) > 2:
            break
        # What players don't see of an act counts for nothing here: neither its number nor whom it was about.
        if entry.is_undo or entry.kind.is_session or entry.kind.is_edit or not (facts := see(entry)):
            continue
        if entry.root not in roots and len(roots) == _MOST_PAST:
            break
        roots.add(entry.root)
        looked_at[entry.number] = replace(entry, facts=facts)
    logged, acts = LoggedActs(looked_at.__getitem__, max(looked_at, default=0)), dict[int, list[LogEntry]]()
    for entry in reversed(looked_at.values()):
        acts.setdefault(logged.act_of(entry), []).append(entry)
    found = (_past_act(entries, characters) for entries in acts.values())
    return tuple(sorted((one for one in found if one.text), key=lambda one: one.when))


def _past_act(entries: Sequence[LogEntry], characters: Mapping[str, tuple[str, str]]) -> PastAct:
    """Return an act in one line."""
    text = _describe(tuple(chain.from_iterable(entry.facts for entry in entries)))
    whose = (key for key, (path, name) in characters.items() if any(is_in(each, path, name) for each in entries))
    return PastAct(int(entries[0].at.timestamp()), entries[0].kind, text, tuple(whose))


@lru_cache(4 * _MOST_PAST)
def _describe(facts: tuple[Fact, ...]) -> str:
    """Return what was done and what came of it, without the details of the rules."""
    act = describe_seen(facts)
    parts = (ActPart(act.sentence, outcome=act.outcome), *(one for one in act.consequences if not one.detail))
    words = (
        (" " if part.text.endswith("?") else ": ").join(
            filter(None, (part.text, part.outcome.label if part.outcome else ""))
        )
        for part in parts
    )
    return reduce(_join, filter(None, words), "")


def _join(line: str, more: str) -> str:
    """Return two parts of an act in one line: one with a capital is a new sentence, any other goes on after a semicolon."""
    if not line:
        return more
    if line.endswith((".", "!", "?")):
        return f"{line} {more}"
    return f"{line}. {more}" if more[0].isupper() else f"{line}; {more}"


# -- a player's side -------------------------------------------------------------------------------------------------------


def what_was_missed(seen: Projection, player: str, since: float) -> tuple[str, ...]:
    """Return what a player missed who last saw the game at `since`, in seconds since 1970, in at most ten lines; nothing if nothing
    happened. `since` is 0 for a player who was never here.
    """
    new = [one for one in seen.past if one.when > since]
    me = next((one for one in seen.players if one.key == player), None)
    if not new or me is None:
        return ()
    acts = [one for one in new if not one.kind.is_remark]
    mine = [one for one in acts if player in one.players]
    lines = [one.text for one in mine[-_OWN:]]
    if me.character and not mine:
        lines.append(f"Nothing happened to {me.character}")
    if others := len(acts) - len(mine[-_OWN:]):
        lines.append(f"{others} other {'actions were' if others > 1 else 'action was'} played")
    scenes = [one.text for one in new if one.kind is EntryKind.SCENE]
    lines += scenes[-1:]
    lines += [f"Note: {one.text}" for one in new if one.kind is EntryKind.NOTE][-_NOTES:]
    lines += _clocks(seen)
    lines += _what_they_may_do(seen, player)
    return tuple(lines[:MOST_LINES])


def _clocks(seen: Projection) -> Iterator[str]:
    """Yield how full the clocks are now, in one line."""
    counted = [clock for clock in seen.clocks if clock.filled is not None]
    words = (f"{one.name} {'is full' if one.full else f'{one.filled}/{one.segments}'}" for one in counted[:_CLOCKS])
    if counted:
        yield f"Clocks: {', '.join(words)}"


def _what_they_may_do(seen: Projection, player: str) -> Iterator[str]:
    """Yield what is asked of them now, or what they may propose, in one line."""
    theirs = [each for each in seen.moves if player in each.players and not each.move.blocked]
    moves = [
        each.move for each in sorted(theirs, key=lambda each: len(each.players))
    ]  # Those of the own character first.
    if seen.question and any(move.follows for move in moves):
        yield f"A question for you: {seen.question}"
    elif seen.question:
        yield f"A question for somebody else: {seen.question}"
    elif labels := [move.label for move in moves if move.rolls][:_ROLLS]:
        yield f"You can: {', '.join(labels)}"
