"""A campaign as its players know it: without what is hidden, without the wayfinder's notes, and without their keys.

The key of a clock, a situation or a table may reveal more than its name. So players get keys that are made from the names.
A hidden clock that makes rolls Desperate or the crew Exposed is included with the name `?`, because players see its effect.
"""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.common.clocks import Clock, ClockKind, WhileRunning
from waylog.rules.common.random_tables import Entries, RandomTable, TableEntry, Tables
from waylog.rules.common.situations import Situation, Situations, for_all, in_force
from waylog.rules.naming import words_for
from waylog.rules.state import OpenScene, State
from waylog.rules.systems import System, players_sheet, running_effects
from waylog.values import dataclass, replace

UNKNOWN = "?"
"""The name of a hidden clock or situation whose effect players see."""


@dataclass(frozen=True, slots=True)
class KnownCampaign:
    """What players know of a campaign."""

    state: State
    paths: Mapping[str, str]
    """The paths in the whole campaign of the things that have another key here."""


def known_campaign(system: System, state: State, tables: Mapping[str, str]) -> KnownCampaign:
    """Return what players know. `tables` has the keys of the random tables by those that players know them by."""
    seen = {key: clock for key, clock in state.clocks.items() if clock.seen and not clock.closed}
    clocks = words_for(((key, clock.name) for key, clock in seen.items()), "clock")
    forces = in_force(state.situations, state.clocks, running_effects(system))
    situations = words_for(((key, one.name) for key, one in forces.items() if one.seen), "situation")
    opened = _known_scene(state.open, {key: known for known, key in clocks.items()}) if state.open else None
    known = replace(
        state,
        sheet=players_sheet(system, state.sheet, opened.stage if opened else None),
        clocks=_known_clocks(state.clocks, clocks, running_effects(system)),
        situations=_known_situations(forces, situations),
        decks={},
        sessions={key: replace(session, notes="") for key, session in state.sessions.items()},
        rulings={},
        dice={},
        timers={},
        players={key: replace(player, notes="") for key, player in state.players.items()},
        open=opened,
    )
    parts = {"clocks": clocks, "situations": situations, "tables": tables}
    paths = {f"{part}.{one}": f"{part}.{key}" for part, keys in parts.items() for one, key in keys.items()}
    return KnownCampaign(known, paths)


def known_tables(tables: Tables) -> tuple[Mapping[str, str], Tables]:
    """Return the keys of the visible tables by the keys that players use, and these tables without their contents."""
    keys = words_for(((key, table.name) for key, table in tables.items() if table.seen), "table")
    return keys, {known: _known_table(tables[key]) for known, key in keys.items()}


def _known_table(table: RandomTable) -> RandomTable:
    sections = {f"{number}": _blank_entries(entries) for number, (_, entries) in enumerate(table.in_order, 1)}
    return RandomTable(table.name, seen=True, entries=_blank_entries(table.entries), sections=sections)


def _blank_entries(entries: Entries) -> Entries:
    return (TableEntry(UNKNOWN),) * len(entries)


def _known_scene(opened: OpenScene, keys: Mapping[str, str]) -> OpenScene:
    """Return what is open, without hidden clocks. Offers and drawn cards are the wayfinder's."""
    on, moved = (tuple(keys[key] for key in found if key in keys) for found in (opened.on, opened.moved))
    return replace(opened, on=on, moved=moved, offers=(), drawn=())


def _known_clocks(
    clocks: Mapping[str, Clock], seen: Mapping[str, str], effects: tuple[WhileRunning, ...]
) -> Mapping[str, Clock]:
    known = {one: _known_clock(clocks[key]) for one, key in seen.items()}
    hidden = [clock for clock in clocks.values() if not clock.seen and clock.runs and clock.running in effects]
    masks = [Clock(UNKNOWN, ClockKind.AUGURY, seen=False, running=clock.running) for clock in hidden]
    return {**known, **{f"{UNKNOWN}{number}": mask for number, mask in enumerate(masks)}}


def _known_clock(clock: Clock) -> Clock:
    filled, outcome = clock.filled if clock.shows_count else 0, clock.outcome if clock.shows_outcome else ""
    running = clock.running if clock.runs else WhileRunning.NOTHING
    return replace(clock, filled=filled, outcome=outcome, running=running, notes="", when_full="")


def _known_situations(forces: Situations, seen: Mapping[str, str]) -> Situations:
    known = {one: replace(forces[key], notes="", clock="") for one, key in seen.items()}
    hidden = [each for each in for_all(forces).values() if not each.seen]
    masks = {f"{UNKNOWN}{number}": Situation(UNKNOWN, each.makes, seen=False) for number, each in enumerate(hidden)}
    return {**known, **masks}
