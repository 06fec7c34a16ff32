"""Keep the files that players read up to date with the campaign, from the moment somebody can read them, and have an inbox for what players
send. What they see of the latest roll beside its dice: its stakes, which the wayfinder shows before it is made, and afterwards the odds
that it had, both as far as a player knows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from waylog.rules.game import Game
from waylog.store.file.open_campaign import MarkedState, OpenCampaign, describe_os_error
from waylog.store.files_and_lock import PLAYERS, CampaignBusy, lock_campaign, players_file_is_requested
from waylog.store.log.undo_and_scenes import effective_entries, open_paths
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.model.moves import Act
    from waylog.rules.model.odds import Odds
    from waylog.rules.model.state import State
    from waylog.rules.what_players_may_do import PlayersGame
    from waylog.store.players.players_file import Stakes


class PlayersUpdate:
    """Writes what players see, whenever that has changed, from the moment somebody can read it. Until then it takes no time."""

    def __init__(self, campaign: OpenCampaign) -> None:
        self._campaign = campaign
        self._written: tuple[MarkedState, Game] | None = None
        """What the file was last written from: the state, and the game with its random tables."""
        self._game: tuple[Game, PlayersGame] | None = None
        self._own: dict[str, bytes] | None = None
        """What the files of single players were last written from; None before the first time."""
        self.roll = StakesAndOdds(campaign)
        """What players see of the latest roll beside its dice."""
        self.behind: str | None = None
        """Why the file is not up to date."""

    def show_stakes(self, act: Act | None) -> None:
        """Show what is at stake in a roll until it ends; with None, show it no longer."""
        if self.roll.show_stakes(act):
            self._written = None

    def bring_up(self) -> bool:
        """Write the players' file. Return False if that isn't possible now."""
        campaign = self._campaign
        known, game = campaign.marked, campaign.game
        is_written = self._written and known is self._written[0] and game is self._written[1]
        if campaign.read_only or (is_written and not self.has_new_reader):
            return True
        if not (known.state.players or os.path.lexists(campaign.folder / PLAYERS)):
            self._set_behind(None)
            return True
        if known.state.players:
            from waylog.store.players.inbox import prepare_inbox

            with suppress(OSError):  # `Attendance` tells the wayfinder.
                prepare_inbox(campaign.folder)
        try:
            written = self._write(known, game)
        except (OSError, CampaignBusy) as error:
            # Something that was just hidden may still be on the players' screens.
            self._set_behind(
                f"{PLAYERS} is not up to date: {describe_os_error(error)}. Players still see the earlier state"
            )
            return False
        self._set_behind(None)
        if written:
            self._written = known, game
        return True

    @property
    def has_new_reader(self) -> bool:
        """Whether somebody has asked for the file and it is still empty."""
        return not self._campaign.read_only and players_file_is_requested(self._campaign.folder)

    def _write(self, known: MarkedState, game: Game) -> bool:
        """Write the files. Return False if somebody has played since: they write it. Raises `CampaignBusy` or `OSError`."""
        from waylog.rules.what_players_may_do import PlayersGame
        from waylog.store.players import players_file
        from waylog.store.players.inbox import remove_own_files, write_own_file

        campaign = self._campaign
        if self._game is None or self._game[0] is not game:
            self._game = game, PlayersGame(game)
        data = self._encode(known.state, "")
        files = {key: self._encode(known.state, key) for key in self._find_readers(known.state)}
        is_new = data != players_file.read_players_file(campaign.folder)
        if not is_new and files == self._own:
            return True
        with lock_campaign(campaign.folder, campaign.patience):
            if known is not campaign.marked or not campaign.log.stands():
                return False
            if is_new:
                players_file.write_players_file(campaign.folder, data)
            before, self._own = self._own, None
            if before is None or before.keys() - files.keys():
                remove_own_files(campaign.folder, files)
            for key, content in files.items():
                if before is None or before.get(key) != content:
                    write_own_file(campaign.folder, key, content)
            self._own = files
        return True

    def _encode(self, state: State, player: str) -> bytes:
        """Return the file of one player, or that of all of them."""
        from waylog.store.players.players_file import encode_projection, project_table

        assert self._game
        (_, game), log = self._game, self._campaign.log
        odds = self.roll.known_odds(game, player)
        return encode_projection(
            project_table(
                game,
                state,
                effective_entries(log),
                open_paths(log, state),
                odds,
                player,
                self.roll.find_stakes(game, state, player),
            )
        )

    def _find_readers(self, state: State) -> list[str]:
        """Return the players who see something that not all of them see: of the campaign file, or in the latest part of the log."""
        from waylog.rules.common.seen_by_some_players import readers
        from waylog.rules.model.facts import OutcomeFact
        from waylog.rules.model.players_and_permissions import is_key
        from waylog.store.players.players_file import LOOKED_AT

        log = self._campaign.log
        has_some = state.players and log.contains(b"seen_by = [")
        latest = islice(effective_entries(log), LOOKED_AT) if has_some else ()
        facts = (fact for entry in latest for fact in entry.facts if not isinstance(fact, OutcomeFact))
        found = readers(state).union(*(fact.seen_by for fact in facts))
        return [key for key in state.players if key in found and is_key(key)]

    def _set_behind(self, reason: str | None) -> None:
        if reason != self.behind:
            self.behind = reason
            self._campaign.mark_changed()


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
        from waylog.store.players.players_file import Stakes

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
