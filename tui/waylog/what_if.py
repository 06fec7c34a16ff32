"""What if: a copy of a campaign to try acts in. Nothing in it is real until the wayfinder makes it so.

The copy is a campaign in a temporary folder, so that dice, questions, undo and the log work as usual, and no screen
knows the difference. The copy has no files that players read or write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from waylog.rules.model.dice import Dice, Die, Face, GivenDice
from waylog.rules.model.moves import Act, ActRefused, NotThere
from waylog.rules.model.state import EntryKind, State
from waylog.store.file.open_campaign import MarkedState
from waylog.store.log.entries_and_version_0_1 import LogEntry, naming_entries
from waylog.store.log.undo_and_scenes import act_entries
from waylog.store.log.verification import SOME_MISSING_SINCE, no_entry_text
from waylog.table import Table
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.snapshot_and_act_preview import Snapshot
    from waylog.store.kit import KitItem
    from waylog.store.players.inbox import Letter

_LEAVE_FIRST = "this would write a file, so leave “What if” first"
BACK_TO_NOW = "Back to the present"
NONE_OF_IT = "Back in the campaign: none of that happened"
IT_HAS_HAPPENED = "Made real"

_KNOWN_EVERY = 500
"""A step that goes over an entry whose number is a multiple of this keeps the state after it."""


class WhatIf(Table):
    """A table for a copy of a campaign, as it is now or as it was.

    Looking at an earlier moment writes nothing. The copy's log is read as if it ended there, so that a step to another moment costs no
    more than the entries between. Whoever acts there undoes what came later, in the copy.
    """

    def __init__(self, real: Table, as_of: int | None = None) -> None:
        """Copy the campaign of `real`, as it was after the entry `as_of` if that is given.

        Raises `ActRefused` if nothing can be played there now or there is no such entry, `UnreadableFile` or `OSError`.
        """
        real.require_playable()
        self.real = real
        """The campaign itself."""
        self._tried: dict[int, Act] = {}
        """The acts by their entries."""
        self._counted: tuple[Snapshot, Snapshot] | None = None
        self._place = TemporaryDirectory(prefix="waylog-what-if-")
        folder = Path(self._place.name) / real.folder.name
        real.copy_to(folder)
        super().__init__(folder, now=real.now, chance=real.chance)
        self.as_of: int | None = None
        """The entry after which it stands; None if that is the last one."""
        self.only_looks = False
        """Whether it shows an earlier moment at which nothing has been done."""
        self._newest, self._begins = self._log.last, self._log.mark.number
        self._known = {self._begins: self._state}
        """States by entries: now, that of every so many entries that a step has gone over, and that of the moment shown."""
        if as_of is not None:
            self.go_to(as_of)

    def leave(self) -> None:
        """Remove the copy, and everything that was tried in it."""
        with self._store.settling:
            self._place.cleanup()

    # -- earlier moments --------------------------------------------------------------------------------------------

    def go_to(self, number: int) -> None:
        """Show the campaign as it was after an entry; 0 is before the first. Raises `ActRefused` if there is no such entry, if some
        are missing, or if something has been done at an earlier moment.
        """
        if not 0 <= number <= self._begins:
            raise NotThere(no_entry_text(number, self._begins))
        if self._log.mark.number > self._begins:
            raise ActRefused("you have tried something out, so leave “What if” first")
        campaign = self._campaign
        try:
            state = self._state_after(number)
            last = self._log.entry(number) if number else None
        except KeyError:
            raise ActRefused(SOME_MISSING_SINCE) from None
        if self.as_of is not None and self.as_of % _KNOWN_EVERY and self.as_of != self._begins:
            del self._known[self.as_of]
        self._known[number] = state
        self.as_of, self.only_looks = number, True
        self._log.end_at(last)
        opened = campaign.decode_open(last.scene) if last else None
        campaign.marked = MarkedState(replace(state, open=opened), self._log.mark)
        campaign.mark_changed()

    def _state_after(self, number: int) -> State:
        """Return the state after an entry, from the nearest one that is known; what was open is left out. Raises `KeyError`."""
        start = min(self._known, key=lambda known: abs(known - number))
        state, game = self._known[start], self.game
        if start > number:
            for each in range(start, number, -1):
                state = game.apply_what_fits(state, [change.reverse() for change in self._log.entry(each).changes])
                self._note_state(each - 1, state)
            return state
        for entry in [self._log.entry(each) for each in range(number, start, -1)][
            ::-1
        ]:  # Read backwards: many at a time.
            state = game.apply_what_fits(state, entry.changes)
            self._note_state(entry.number, state)
        return state

    def _note_state(self, number: int, state: State) -> None:
        if number % _KNOWN_EVERY == 0:
            self._known.setdefault(number, state)

    def _be_there(self) -> None:
        """Undo in the copy what came after the moment shown, because something is about to be done at it."""
        if not self.only_looks or self.as_of is None:
            return
        self.only_looks = False
        self._log.end_at(self._newest)
        opened = self._campaign.decode_open(self._newest.scene) if self._newest else None
        self._campaign.marked = MarkedState(replace(self._known[self._begins], open=opened), self._log.mark)
        self._campaign.mark_changed()
        if self.as_of < self._begins:
            self.go_back_to(self.as_of)
            self._begins = self._log.mark.number

    @contextmanager
    def _turn(self, *, acts: bool = True, answers: bool = False, patience: float | None = None) -> Iterator[None]:
        if acts:
            self._be_there()
        with super()._turn(acts=acts, answers=answers, patience=patience):
            yield

    def refresh(self, patience: float | None = None, *, answers: bool = True) -> bool:
        return not self.only_looks and super().refresh(patience, answers=answers)

    def settle(self, shown: Callable[[], object] | None = None, *, only_players: bool = False) -> bool:
        return self.only_looks or super().settle(shown, only_players=only_players)

    def redo(self) -> LogEntry:
        if self.only_looks:
            raise ActRefused("there is nothing to redo at an earlier moment")
        return super().redo()

    # -- trying -----------------------------------------------------------------------------------------------------

    @property
    def players_folder(self) -> Path:
        return self.real.folder

    @property
    def snapshot(self) -> Snapshot:
        snapshot = super().snapshot
        if self._counted is None or self._counted[0] is not snapshot:
            tried = self._new_entries()
            count = len(naming_entries(tried))
            shown = replace(snapshot, tried=count, as_of=self.as_of)
            if self.as_of is not None:
                now = self.real.snapshot.values()
                differs = (key for key, value in snapshot.values().items() if now.get(key) != value)
                # The files are those of today: what they name may not have existed yet.
                shown = replace(shown, differs=frozenset(differs), problems=())
            if self.only_looks:
                shown = replace(shown, redo=None)
            elif self.as_of is not None and not tried:
                # How it was has nothing that came later.
                act = act_entries(self._log, self._log.entry(self.as_of)) if self.as_of else ()
                shown = replace(shown, entries=self.as_of, act=act)
            self._counted = snapshot, shown
        return self._counted[1]

    def _new_entries(self) -> list[LogEntry]:
        """Return the entries that have come since the copy was made and still hold, oldest first."""
        newer = (entry for entry in self.latest_since(self._begins) if not entry.is_undo)
        return [*reversed([*newer])]

    def _play(self, act: Act, letter: Letter | None = None) -> LogEntry:
        entry = super()._play(act, letter)
        self._tried[entry.number] = act
        return entry

    def open_other(self, folder: Path) -> Table:
        return self.real.open_other(folder)

    def add_from_kit(
        self,
        names: Sequence[str],  # noqa: ARG002
        who: str = "",  # noqa: ARG002
    ) -> tuple[Sequence[LogEntry], Sequence[KitItem]]:
        raise ActRefused(_LEAVE_FIRST)

    def write_recap(self) -> Path:
        raise ActRefused(_LEAVE_FIRST)

    def make_real(self) -> LogEntry:
        """Play in the campaign what was tried and not undone, with the same words and dice, as one act with one undo. Return its
        last entry.

        Raises as `play` does, and `ActRefused` if something tried can't be played so; then nothing has happened.
        """
        if self.as_of is not None:
            raise ActRefused(
                "actions that you try at an earlier moment can't be made real, because the campaign has moved on"
            )
        entries = self._new_entries()
        if not entries:
            raise ActRefused("you haven't tried anything yet")
        for entry in entries:
            if entry.number not in self._tried or entry.kind is EntryKind.MISREAD:
                raise ActRefused(f"“{entry.heading}” can't be made real. Do it outside “What if”")
        if any(entry.is_undo and min(entry.undoes) <= self._begins for entry in self.latest_since(self._begins)):
            raise ActRefused("an undo of an earlier action can't be made real. Undo that action outside “What if”")
        attempt = WhatIf(self.real)  # With what players have done meanwhile, something may be impossible now.
        try:
            attempt.play_all(self._again(entries))
        finally:
            attempt.leave()
        return self.real.play_all(self._again(entries))

    def _again(self, entries: Sequence[LogEntry]) -> list[tuple[Act, Dice]]:
        """Return the acts of these entries, with dice that fall as they fell then. Such dice refuse to be more than they were."""

        def refuse(_dice: Sequence[Die]) -> Sequence[Face]:
            raise ActRefused("this action needs different dice now")

        return [
            (self._tried[entry.number], GivenDice((Face("", face, sides) for sides, face in entry.rolled), refuse))
            for entry in entries
        ]


def step_moment(table: Table, by: int, *, scene: bool = False) -> int:
    """Return the entry after which the campaign stood an action before (`by` -1) or after (1) what a table shows; with `scene`, the entry
    with which a scene or session begins. Raises `ActRefused` if there is none.
    """
    real = table.real if isinstance(table, WhatIf) else table
    now = real.snapshot.entries if table.snapshot.as_of is None else table.snapshot.as_of
    number = (real.step_scene if scene else real.step_act)(now, by)
    if number is None:
        what = "there is no earlier scene" if scene else "there is no earlier action"
        raise ActRefused(what if by < 0 else "you are already in the present")
    return number


def look_into(table: Table, as_of: int) -> Table:
    """Return a table with the campaign as it was after an entry: the campaign itself after its last one; else the copy that `table` is, if
    nothing was done in it, or a new one. Raises what `WhatIf` raises.
    """
    real = table.real if isinstance(table, WhatIf) else table
    if as_of == real.snapshot.entries:
        return real
    if isinstance(table, WhatIf) and table.only_looks:
        table.go_to(as_of)
        return table
    real.settle()  # Nobody settles it while a copy is shown.
    return WhatIf(real, as_of)


def back_from(table: WhatIf) -> str:
    """Return the sentence that is shown on the way back from a copy to the campaign."""
    return NONE_OF_IT if table.as_of is None or table.snapshot.tried else BACK_TO_NOW
