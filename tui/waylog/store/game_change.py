"""A campaign that is open gets a new version of its game."""

from __future__ import annotations

from waylog.rules.game import Game
from waylog.rules.odds_changes import odds_changes
from waylog.rules.state import State
from waylog.store.campaign_file import read_campaign_file, with_good_values
from waylog.store.open_campaign import OpenCampaign
from waylog.toml.document import Problem, UnreadableFile
from waylog.values import replace

_MOST_TOLD = 3
"""The most rolls whose odds are told."""


def change_game(campaign: OpenCampaign, game: Game) -> tuple[Problem, ...]:
    """Play on by these rules. Return why that can't be: values in the file that the new rules can't read at all.

    The file keeps all it has. What is no longer declared is an unknown key from now on; what is out of a new range is a problem.
    The caller holds `settling`.
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
    more = f"; and {len(numbers) - _MOST_TOLD} more" if len(numbers) > _MOST_TOLD else ""
    campaign.report(f"The new rules are in force. {'; '.join(numbers[:_MOST_TOLD]) or 'No odds change'}{more}")
    return ()


def _convert_state(old: Game, new: Game, state: State) -> State:
    """Return a state as the new rules have it. Raises `ValueError` if a value can't be read by them at all."""
    read, faults = new.decode(old.write(state))
    if grave := [fault for fault in faults if fault.grave]:
        raise ValueError(grave[0].message)
    return read
