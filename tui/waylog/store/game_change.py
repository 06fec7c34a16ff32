"""Give an open campaign a new version of its game."""

from __future__ import annotations

from waylog.rules.game import Game
from waylog.rules.odds_changes import odds_changes
from waylog.rules.state import State
from waylog.store.campaign_file import read_campaign_file, with_good_values
from waylog.store.open_campaign import OpenCampaign
from waylog.toml.document import Problem, UnreadableFile
from waylog.values import replace

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
    campaign.report(f"The new rules are in force. {'; '.join(numbers[:_MOST_LISTED]) or 'No odds change'}{more}")
    return ()


def _convert_state(old: Game, new: Game, state: State) -> State:
    """Return a state as the new rules read it. Raises `ValueError` if they can't read a value at all."""
    read, faults = new.decode(old.write(state))
    if grave := [fault for fault in faults if fault.grave]:
        raise ValueError(grave[0].message)
    return read
