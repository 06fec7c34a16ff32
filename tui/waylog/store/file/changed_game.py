"""A game that changes while its campaign is open: new rules are used if they can read the file, and odds that differ are reported."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.moves import ActRefused, Move
from waylog.rules.model.odds import Chance, Odds, percent
from waylog.rules.model.state import State
from waylog.store.file.campaign_file_tables_and_scene_cards import (
    read_campaign_file,
    with_good_values,
)
from waylog.store.file.open_campaign import OpenCampaign
from waylog.toml.document import Problem, UnreadableFile
from waylog.values import replace

_MOST_ROLLS = 40


def odds_changes(before: Game, was: State, after: Game, now: State) -> Iterator[str]:
    """Yield a line for each roll whose odds differ, with its default answers: `roll tow, 2d6: Success 70.4 → 61.1 %`.

    `was` and `now` are the same campaign, read by each version.
    """
    old = {move.id: move for move in before.moves(was) if move.rolls}
    new = {move.id: move for move in after.moves(now) if move.rolls}
    for id_ in [*dict.fromkeys((*old, *new))][:_MOST_ROLLS]:
        if id_ not in new:
            yield f"{id_} is gone"
        elif id_ not in old:
            yield f"{id_} is new"
        elif line := _compare(id_, first_odds(before, was, old[id_]), first_odds(after, now, new[id_])):
            yield line


def first_odds(game: Game, state: State, move: Move) -> Odds | str:
    """Return the odds of a roll with its default answers, or why it can't be made."""
    try:
        odds = game.odds(state, move, complete_answers(move, {}))
    except ActRefused as refused:
        return refused.refusal.reason
    return odds or ""


def _compare(id_: str, was: Odds | str, now: Odds | str) -> str:
    """Return how the odds differ; empty if they don't."""
    if isinstance(was, str) or isinstance(now, str):
        if isinstance(now, str):
            return f"{id_}: no longer possible ({now})" if now and not isinstance(was, str) else ""
        return f"{id_}: possible now" if was else ""
    old = {chance.outcome: chance for chance in was.spread.chances}
    new = {chance.outcome: chance for chance in now.spread.chances}
    steps = [_step(old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new))]
    differences = ", ".join(step for step in steps if step)
    dice = now.dice.partition(":")[0]
    if not differences:
        return f"{id_}: {was.dice.partition(':')[0]} → {dice}" if was.dice != now.dice else ""
    return f"{id_}, {dice}: {differences}"


def _step(was: Chance | None, now: Chance | None) -> str:
    label = now.label if now else was.label if was else ""
    before, after = (percent(one.chance) if one else "0 %" for one in (was, now))
    return f"{label} {before.removesuffix(' %')} → {after}" if before != after else ""


_MOST_LISTED = 3
"""The most rolls that the report lists."""


def change_game(campaign: OpenCampaign, game: Game) -> tuple[Problem, ...]:
    """Use these rules from now on. Return problems, and change nothing, if the new rules can't read the campaign file.

    The file keeps everything. A value that is no longer declared becomes an unknown key, and a value outside a new range is a
    problem. The caller holds `settling`.
    """
    before = campaign.file
    try:
        read = read_campaign_file(game, before.document, before.signature)
        last = _convert_state(campaign.game, game, campaign.state)
    except UnreadableFile as unreadable:
        return unreadable.problems
    except ValueError as error:
        return (Problem(before.document.name, 1, 1, str(error)),)
    numbers = [*odds_changes(campaign.game, replace(campaign.state, open=None), game, replace(last, open=None))]
    campaign.game = game
    campaign.file = with_good_values(game, replace(read, mark=before.mark, own=before.own), last)
    campaign.recall()
    more = f"; and {len(numbers) - _MOST_LISTED} more" if len(numbers) > _MOST_LISTED else ""
    campaign.report(f"The new rules are in force. {'; '.join(numbers[:_MOST_LISTED]) or 'No odds have changed'}{more}")
    return ()


def _convert_state(old: Game, new: Game, state: State) -> State:
    """Return a state as the new rules read it. Raises `ValueError` if they can't read a value at all."""
    read, faults = new.decode(old.write(state))
    if grave := [fault for fault in faults if fault.grave]:
        raise ValueError(grave[0].message)
    return read
