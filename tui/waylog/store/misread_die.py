"""A die that was misread: its act is undone and played again with the face that the die shows, in the same words and with the same answers.

What comes of it is one entry, which stands in the place of those that it undoes. Actions since then that changed the same values stay
as they were, or are played again after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from waylog.rules.game import Game
from waylog.rules.language.commands import parse_logged_act
from waylog.rules.model.dice import Dice, Face, GivenDice
from waylog.rules.model.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind, PlayResult, State
from waylog.store.log.entries import Entries, LogEntry, list_headings
from waylog.store.shown.countdowns import without_ended
from waylog.values import NamedTuple, replace

VERB = "misread"
ALONE, AGAIN = "alone", "again"
"""The last word, where later actions changed the same values: leave those as they are, or play them again."""
_CORRECTION = re.compile(r"(#?)(\d{1,4})=(\d{1,4})")
_EXAMPLE = "2=5 if the 2 was really a 5, or #1=5 to make the first die a 5"


class Misread(NamedTuple):
    """What is to be corrected."""

    corrections: tuple[tuple[bool, int, int], ...]
    """For each die whether it is named by its place, which counts from 1; that place or the face that was read; and its real face."""
    later: str
    """`ALONE`, `AGAIN`, or nothing if the person hasn't said."""


class PlayedAgain(NamedTuple):
    """What came of some entries that were played again."""

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
        raise ActRefused(f"“{wrong}” is not a correction of a die. Type {_EXAMPLE}")
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
            raise ActRefused(f"there is no {what} among the dice that were typed: {' '.join(map(str, faces))}")
        free.discard(places[0])
        after[places[0]] = face
    if after == faces:
        raise ActRefused("the dice already show that")
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


def facts_of(again: PlayedAgain) -> tuple[Fact, ...]:
    """Return what happened when an act was played again, with a note on the answers that no longer fit."""
    facts = [fact for played in again.results for fact in played.facts]
    if again.dropped:
        what = list_headings(replace(entry, root=entry.number) for entry, _ in again.dropped)
        facts.append(NoteFact(f"No longer possible, so left out: {what}", secret=True, part=NotePart.DETAIL))
    return tuple(facts)
