"""A log that is played again: every act with its own words, answers and dice, from the state before the first one.

With the same rules, each must change what its entry says. With other rules, what comes out differently is what the rules would have
changed. Edits by hand are made again as they were, and an undo takes back what the replayed act has changed.

The log has all dice that Waylog rolled. Entries of earlier versions have those of every roll, but of a draw only the card: its die is
found by trying each face.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product

from waylog.rules.codec.changes import Change, Path
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_logged_act
from waylog.rules.model.dice import Dice, Die, Face, GivenDice
from waylog.rules.model.facts import Fact, OutcomeFact, RollFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.state import EntryKind, OpenState, State
from waylog.store.log.entries import OPEN_ACT, LogEntry
from waylog.store.log.undo_and_scenes import reverse_entries
from waylog.store.misread_die import original_entries, play_again
from waylog.store.shown.countdowns import without_ended
from waylog.values import dataclass, replace

_MOST_TRIES = 2_000
"""How many faces are tried for dice that the log doesn't have, for one entry."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that comes out differently."""

    entry: LogEntry
    refused: str
    """Why it can't be done; empty if it can."""
    changes: tuple[Change, ...]
    """What it changes now."""
    outcome: str
    """The outcome of its roll now; empty without one."""

    @property
    def logged_outcome(self) -> str:
        """The outcome that the log has; empty without one."""
        return outcome_of(self.entry.facts)


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a log that was played again."""

    entries: int
    differences: tuple[Difference, ...]
    """The entries that come out differently, oldest first."""
    values: tuple[Change, ...]
    """What is different at the end: from what it is to what it would be."""


class _UnloggedDice:
    """Dice that the log doesn't have. They show `faces`, one after another, and then 1."""

    are_real = False

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = faces
        self.sides: list[int] = []
        """The sides of those that were rolled."""

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(Face(die.source, self._face(die), die.sides) for die in dice)

    def _face(self, die: Die) -> int:
        self.sides.append(die.sides)
        at = len(self.sides) - 1
        return self._faces[at] if at < len(self._faces) else 1


def replay(
    game: Game, now: State, entries: Sequence[LogEntry], house_rules: Mapping[str, object], other: Game | None = None
) -> Replay:
    """Play all entries of a log again, oldest first, up to the state `now`, with other house rules if there are any, and by an `other`
    version of the game if one is given.

    Raises `ActRefused` if a house rule can't be so, or the other version can't read the campaign.
    """
    begin = state_before(game, now, entries)
    as_is = changed = _Run(game, begin, {})
    if other:
        changed = _Run(other, _read_by(other, game, begin), house_rules)
        now = _read_by(other, game, now)
    elif house_rules:
        changed = _Run(game, begin, house_rules)
    differences = list[Difference]()
    for entry in entries:
        found = as_is.play(entry, None)
        if changed is not as_is:
            # What was drawn is drawn again: the faces of those dice are known from the rules as they are.
            found = changed.play(entry, as_is.faces)
        if found:
            differences.append(found)
    return Replay(len(entries), tuple(differences), tuple((other or game).difference(now, changed.state)))


def _read_by(other: Game, game: Game, state: State) -> State:
    """Return a state as another version of the game reads it, with nothing open. Raises `ActRefused`."""
    read, faults = other.read(game.write(state))
    if grave := [fault for fault in faults if fault.grave]:
        raise ActRefused(f"the other version of the game can't read the campaign: {grave[0].message}")
    return read


def state_before(game: Game, now: State, entries: Sequence[LogEntry]) -> State:
    """Return the state before the first of the latest entries of a log, with nothing open."""
    state = now
    for entry in reversed(entries):
        state = game.apply_what_fits(state, [change.reverse() for change in entry.changes])
    return replace(state, open=None)


def outcome_of(facts: Sequence[Fact]) -> str:
    """Return the outcomes among facts, as they are called on screens; empty if there are none."""
    return ", ".join(fact.label for fact in facts if isinstance(fact, OutcomeFact))


def _drawn_faces(entry: LogEntry, logged: Sequence[Face]) -> list[int]:
    """Return what those dice of an entry showed that its facts don't have: those of a draw."""
    dice = [*entry.rolled]
    for face in logged:
        if (face.sides, face.face) in dice:
            dice.remove((face.sides, face.face))
    return [face for _, face in dice]


class _Run:
    """Plays entries one after the other."""

    def __init__(self, game: Game, state: State, house_rules: Mapping[str, object]) -> None:
        self._game = game
        self._ruled: set[Path] = {("house_rules", key) for key in house_rules}
        try:
            for key, value in house_rules.items():
                state = game.put(state, ("house_rules", key), value)
        except ValueError as error:
            raise ActRefused(str(error)) from None
        self.state = state
        self.faces: tuple[int, ...] = ()
        """The faces of the dice of the latest entry that the log doesn't have."""
        self._played: dict[int, LogEntry] = {}
        self._opened: dict[int, OpenState | None] = {}
        """What was open after each entry."""
        self._outcome = ""

    def play(self, entry: LogEntry, faces: Sequence[int] | None) -> Difference | None:
        """Play an entry. Return how it differs, if it does. `faces` are those of dice that the log doesn't have; None to find them."""
        before, refused = self.state, ""
        try:
            self._outcome = outcome_of(entry.facts)
            self.state = self._after(entry, faces)
        except ActRefused as error:
            refused, self.state = error.refusal.reason, before
        changes = self._game.difference(before, self.state)
        self._played[entry.number] = replace(entry, changes=changes)
        self._opened[entry.number] = self.state.open
        same = self._changes_as_logged(entry, changes) and self._outcome == outcome_of(entry.facts)
        return None if same and not refused else Difference(entry, refused, changes, self._outcome)

    def _after(self, entry: LogEntry, faces: Sequence[int] | None) -> State:
        """Return the state after an entry. Raises `ActRefused`."""
        if entry.is_undo:
            group = [self._played[number] for number in entry.undoes if number in self._played]
            return self._with_open(reverse_entries(self._game, self.state, group).state, entry)
        if entry.kind.is_wayfinders and entry.kind is not EntryKind.SET:
            changes = [change for change in entry.changes if change.path not in self._ruled]
            return self._with_open(self._game.apply_what_fits(self.state, changes), entry)
        if entry.kind is EntryKind.MISREAD:
            return self._after_misread(entry)
        act = replace(parse_logged_act(self._game.moves(self.state), entry.words), faces=entry.faces, by=entry.by)
        logged = [face for fact in entry.facts if isinstance(fact, RollFact) for face in fact.dice]
        known = _drawn_faces(entry, logged) if faces is None else faces
        unlogged = _UnloggedDice(known)
        after = self._play(entry, act, GivenDice(logged, unlogged.roll))
        if faces is not None and len(unlogged.sides) > len(faces):
            raise ActRefused("it needs dice that nobody rolled at the time")
        if faces is not None or not unlogged.sides or self._is_as_logged(entry, after):
            self.faces = tuple(known)
            return after
        for self.faces in islice(product(*(range(1, sides + 1) for sides in unlogged.sides)), _MOST_TRIES):
            tried = self._play(entry, act, GivenDice(logged, _UnloggedDice(self.faces).roll))
            if self._is_as_logged(entry, tried):
                return tried
        return after

    def _after_misread(self, entry: LogEntry) -> State:
        """Return the state after an act that was played again with other faces. Raises `ActRefused`."""
        named = [self._played[number] for number in entry.undoes if number in self._played]
        gone = {number for each in named for number in each.ends}  # An earlier correction undid those.
        group = [each for each in named if each.number not in gone]
        if not group:
            raise ActRefused("the action whose die was misread is not in the log")
        back = reverse_entries(self._game, self.state, group).state
        originals = original_entries([entry], self._played.__getitem__)
        found = list[State]()
        # It was played where the act had been, or, if other things had been done since, where the campaign was by then.
        for opened in (self._opened.get(group[0].number - 1), self.state.open):
            dice = _UnloggedDice([face for _, face in entry.rolled])
            again = play_again(self._game, replace(back, open=opened), originals, entry.faces, dice)
            self._outcome = outcome_of([fact for played in again.results for fact in played.facts])
            found.append(again.state)
            if self._is_as_logged(entry, again.state):
                break
        return found[-1]

    def _play(self, entry: LogEntry, act: Act, dice: Dice) -> State:
        played = self._game.play(self.state, act, dice, f"{entry.at:%Y-%m-%d %H:%M:%S%z}")
        after, self._outcome = played.state, outcome_of(played.facts)
        return replace(after, timers=without_ended(after.timers, entry.at))

    def _with_open(self, state: State, entry: LogEntry) -> State:
        """Return the state with what the log says is open after an undo or an edit."""
        open_part = {key: value for key, value in entry.scene.items() if key != OPEN_ACT}
        try:
            return replace(state, open=self._game.read_open(open_part))
        except ValueError:
            return replace(state, open=None)

    def _is_as_logged(self, entry: LogEntry, after: State) -> bool:
        """Whether an act changes what its entry says, and leaves open what that says."""
        if not self._changes_as_logged(entry, self._game.difference(self.state, after)):
            return False
        return self._game.write_open(after) == {key: value for key, value in entry.scene.items() if key != OPEN_ACT}

    def _changes_as_logged(self, entry: LogEntry, changes: Sequence[Change]) -> bool:
        logged = [
            change for change in entry.changes if change.before != change.after and change.path not in self._ruled
        ]
        return {change.path: change.after for change in logged} == {change.path: change.after for change in changes}
