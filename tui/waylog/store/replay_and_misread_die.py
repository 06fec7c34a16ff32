"""A log that is played again: every act with its own words, answers and dice, from the state before the first one;
and one act that is played again with another face, as a die was misread.

With the same rules, each must change what its entry says. With other rules, what comes out differently is what the rules would have
changed. Edits by hand are made again as they were, and an undo takes back what the replayed act has changed.

The log has all dice that Waylog rolled. Entries of earlier versions have those of every roll, but of a draw only the card: its die is
found by trying each face.

Of a misread die, the act is undone and played again in the same words, with the same answers, and with what people and things had at the
time. What comes of it is one entry, which stands in the place of those that it undoes. Actions since then that changed the same values
stay as they were, or are played again after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice, product

from waylog.rules.codec.changes import Change, Path
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_logged_act
from waylog.rules.model.dice import Dice, Die, Face, GivenDice
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.state import EntryKind, OpenState, PlayResult, State
from waylog.store.log.entries_and_version_0_1 import OPEN_ACT, Entries, LogEntry, list_headings
from waylog.store.log.undo_and_scenes import reverse_entries
from waylog.store.shown.countdowns import without_ended
from waylog.values import NamedTuple, dataclass, replace

VERB = "misread"
ALONE, AGAIN = "alone", "again"
"""The last word, where later actions changed the same values: leave those as they are, or play them again."""
_CORRECTION = re.compile(r"(#?)(\d{1,4})=(\d{1,4})")
_EXAMPLE = "2=5 if the 2 was really a 5, or #1=5 to make the first die a 5"


class Misread(NamedTuple):
    """The corrections of misread dice, as a person typed them."""

    corrections: tuple[tuple[bool, int, int], ...]
    """For each die whether it is named by its place, which counts from 1; that place or the face that was read; and its real face."""
    later: str
    """`ALONE`, `AGAIN`, or nothing if the person hasn't said."""


class PlayedAgain(NamedTuple):
    """The result of playing some entries again."""

    state: State
    results: tuple[PlayResult, ...]
    dropped: tuple[tuple[LogEntry, str], ...]
    """The entries that are impossible now, and why."""


def read_misread(text: str) -> Misread:
    """Read what was typed: `2=5`, `2=5 1=6`, `#3=1 again`. Raises `ActRefused`."""
    *words, last = text.split() or [""]
    later = last.casefold() if last.casefold() in (ALONE, AGAIN) else ""
    words += [] if later else [last]
    found = [_CORRECTION.fullmatch(word) for word in words]
    if not found or None in found:
        wrong = next((word for word, each in zip(words, found, strict=True) if each is None), text)
        raise ActRefused(f"“{wrong}” doesn't correct a die. Type {_EXAMPLE}")
    return Misread(tuple((bool(each[1]), int(each[2]), int(each[3])) for each in found if each), later)


def corrected_faces(entries: Sequence[LogEntry], wanted: Misread) -> tuple[int, ...]:
    """Return all real dice of an act with the corrected faces. Raises `ActRefused`."""
    faces = [face for entry in entries for face in entry.faces or ()]
    if not faces:
        rolled = any(isinstance(fact, RollFact) for entry in entries for fact in entry.facts)
        raise ActRefused(
            "Waylog rolled these dice, so nobody can have misread them"
            if rolled
            else "no dice were typed for this action"
        )
    after, free = [*faces], set(range(len(faces)))
    for by_place, which, face in wanted.corrections:
        places = [which - 1] if by_place else [place for place in sorted(free) if faces[place] == which]
        if not places or places[0] not in free:
            what = f"die {which}" if by_place else f"{which}"
            raise ActRefused(f"there is no {what} among the typed dice: {' '.join(map(str, faces))}")
        free.discard(places[0])
        after[places[0]] = face
    if after == faces:
        raise ActRefused("the dice already show these numbers")
    return tuple(after)


def original_entries(act: Sequence[LogEntry], read: Entries) -> list[LogEntry]:
    """Return the entries of an act as they were first typed. Those of a die that was misread are the ones that it stands for."""
    found = list[LogEntry]()
    for entry in act:
        if entry.kind is not EntryKind.MISREAD:
            found.append(entry)
            continue
        those = [read(number) for number in sorted(entry.undoes)]
        found += original_entries([one for one in those if one.root == those[0].root], read)
    return found


def _dice_again(entry: LogEntry, chance: Dice) -> GivenDice:
    """Return the dice of an entry that is played again: those that Waylog rolled then show what they showed; new ones are rolled now."""
    known = entry.rolled
    if not known:  # An entry of an earlier version.
        rolls = [fact for fact in entry.facts if isinstance(fact, RollFact) and not fact.typed]
        known = tuple((face.sides, face.face) for fact in rolls for face in fact.dice)
    return GivenDice((Face("", face, sides) for sides, face in known), chance.roll)


def play_again(
    game: Game, state: State, entries: Sequence[LogEntry], faces: Sequence[int] | None, chance: Dice
) -> PlayedAgain:
    """Play the entries of one act again, with `faces` for all its real dice, or their own. The first must be possible.

    Raises `ActRefused` if it isn't. An answer that no longer fits is dropped, with what follows it.
    """
    left = [*faces] if faces is not None else [face for entry in entries for face in entry.faces or ()]
    results = list[PlayResult]()
    for at, entry in enumerate(entries):
        given = None if entry.faces is None else tuple(left[: len(entry.faces)])
        left = left[len(given or ()) :]
        try:
            act = replace(parse_logged_act(game.moves(state), entry.words), faces=given, by=entry.by)
            played = game.play(state, act, _dice_again(entry, chance), f"{entry.at:%Y-%m-%d %H:%M:%S%z}")
        except ActRefused as refused:
            if not results:
                raise
            return PlayedAgain(state, tuple(results), tuple((each, refused.refusal.reason) for each in entries[at:]))
        state = replace(played.state, timers=without_ended(played.state.timers, entry.at))
        results.append(played)
    return PlayedAgain(state, tuple(results), ())


def play_in_its_time(
    game: Game,
    now: State,
    since: Sequence[LogEntry],
    entries: Sequence[LogEntry],
    faces: Sequence[int],
    chance: Dice,
    back: State,
) -> PlayedAgain:
    """Play the entries of one act again with what people and things had at the time: another number of dice would be another roll.

    `since` are all entries of the log from the act on, up to the state `now`, and `back` is that state without the act. What comes of it
    now changes `back`: counts by as much as then; and other values, unless something else has changed them since. Raises as `play_again`
    does.
    """
    then = replace(state_before(game, now, since), open=back.open)
    again = play_again(game, then, entries, faces, chance)
    undone = tuple(change.reverse() for change in game.difference(then, again.state))
    merged = reverse_entries(game, back, (replace(entries[0], kind=EntryKind.PLAY, changes=undone),))
    return again._replace(state=replace(merged.state, open=again.state.open))


def facts_of(again: PlayedAgain) -> tuple[Fact, ...]:
    """Return what happened when an act was played again, with a note on the answers that no longer fit."""
    facts = [fact for played in again.results for fact in played.facts]
    if again.dropped:
        what = list_headings(replace(entry, root=entry.number) for entry, _ in again.dropped)
        facts.append(NoteFact(f"No longer possible, so left out: {what}", secret=True, part=NotePart.DETAIL))
    return tuple(facts)


_MOST_TRIES = 2_000
"""How many faces are tried for dice that the log doesn't have, for one entry."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that comes out differently."""

    entry: LogEntry
    refused: str
    """Why it can't be done; empty if it can."""
    changes: tuple[Change, ...]
    """The changes that it makes now, in place of those in the log."""
    outcome: str
    """The outcome of its roll now; empty without one."""

    @property
    def logged_outcome(self) -> str:
        """The outcome that the log has; empty without one."""
        return outcome_of(self.entry.facts)


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of playing a whole log again."""

    entries: int
    differences: tuple[Difference, ...]
    """The entries that come out differently, oldest first."""
    values: tuple[Change, ...]
    """The values that differ at the end: each from its value now to what it would be."""


class _UnloggedDice:
    """Dice that the log doesn't have. They show `faces`, one after another, and then 1."""

    are_real = False

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = faces
        self.sides: list[int] = []
        """The sides of those that were rolled."""

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(die.showing(self._face(die)) for die in dice)

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


def _rolled_faces(entry: LogEntry) -> list[Face]:
    """Return the dice of an entry's facts that Waylog rolled. Real dice come before those in a roll that has both."""
    rolls = [fact for fact in entry.facts if isinstance(fact, RollFact)]
    if not entry.rolled:  # An entry of an earlier version, or one without such dice.
        return [face for fact in rolls if not fact.typed for face in fact.dice]
    rolled, found = [*entry.rolled], list[Face]()
    for face in reversed([face for fact in rolls for face in fact.dice]):
        if (face.sides, face.face) in rolled:
            rolled.remove((face.sides, face.face))
            found.append(face)
    return found[::-1]


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
        logged = _rolled_faces(entry)
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
        since = [self._played[number] for number in range(group[0].number, entry.number) if number in self._played]
        found, refused = list[State](), None
        # It was played where the act had been; or, if other things had been done since, as it was at the time, and by earlier versions
        # where the campaign was by then.
        for opened, in_time in (
            (self._opened.get(group[0].number - 1), False),
            (self.state.open, True),
            (self.state.open, False),
        ):
            dice, start = _UnloggedDice([face for _, face in entry.rolled]), replace(back, open=opened)
            try:
                again = (
                    play_in_its_time(self._game, self.state, since, originals, entry.faces or (), dice, start)
                    if in_time
                    else play_again(self._game, start, originals, entry.faces, dice)
                )
            except ActRefused as error:
                refused = error
                continue
            self._outcome = outcome_of([fact for played in again.results for fact in played.facts])
            found.append(again.state)
            if self._is_as_logged(entry, again.state):
                break
        if not found and refused:
            raise refused
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
