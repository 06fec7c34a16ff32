"""What players see of a roll beside its dice: its stakes, which the wayfinder shows before it is made, and afterwards the odds that it
had. Both are as far as a player knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from waylog.store.file.open_campaign import OpenCampaign
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.model.moves import Act
    from waylog.rules.model.odds import Odds
    from waylog.rules.model.state import State
    from waylog.rules.what_players_may_do import PlayersGame
    from waylog.store.shown.players_file import Stakes


class StakesAndOdds:
    """The latest roll of a campaign, and the one whose stakes are shown.

    Nothing of it is written down: a window that is opened again shows neither.
    """

    def __init__(self, campaign: OpenCampaign) -> None:
        self._campaign = campaign
        self._rolled: tuple[int, State, Act] | None = None
        """The entry of the latest roll, the state before it, and the roll."""
        self._at_stake: tuple[State | None, Act] | None = None
        """The roll whose stakes are shown, and the state before it once it is made."""

    def note_act(self, number: int, before: State, act: Act) -> None:
        """Have a roll that is entry `number` shown with the odds that it had in the state before it. What is at stake in it is shown until
        it ends, or something else is done.
        """
        is_roll = act.move.rolls and (act.move.called or not act.move.follows)
        if is_roll:
            self._rolled = number, before, act
        state = self._campaign.state
        if self._at_stake and (is_roll or self._at_stake[0]):
            ends = self._campaign.game.question(state) is None or not (is_roll or act.move.follows)
            self._at_stake = None if ends else (self._at_stake[0] or before, self._at_stake[1])

    def show_stakes(self, act: Act | None) -> bool:
        """Show what is at stake in a roll until it ends; with None, show it no longer. Return whether that changes anything."""
        if not (act or self._at_stake):
            return False
        self._at_stake = (None, act) if act else None
        return True

    @property
    def at_stake(self) -> Act | None:
        """The roll whose stakes players see."""
        return self._at_stake[1] if self._at_stake else None

    def find_stakes(self, players: PlayersGame, state: State, player: str = "") -> tuple[Stakes, ...]:
        """Return what is at stake, as far as a player knows: before the roll as it is now, and then as it was before it."""
        if self._at_stake is None:
            return ()
        from waylog.rules.model.answers import describe
        from waylog.store.shown.players_file import Stakes

        before, act = self._at_stake
        odds = players.stakes(before or state, act, player)
        known = players.known_act(before or state, act, player) if odds else None
        if known is None or odds is None:
            return ()
        title = describe(known.move, known.answers)
        return (Stakes(title, replace(odds, forecast=(), reasons=()), odds.forecast),)

    def known_odds(self, players: PlayersGame, player: str = "") -> Mapping[int, Odds]:
        """Return the odds of the last roll by its entry, as far as a player knows them, without what spends would have made of them."""
        if self._rolled is None:
            return {}
        number, before, act = self._rolled
        odds = players.odds_of_whole(before, act, player)
        if odds is None:
            return {}
        labelled = tuple(replace(one, outcome="") for one in odds.spread.chances)
        return {number: replace(odds, spread=replace(odds.spread, chances=labelled), reasons=(), spends=())}
