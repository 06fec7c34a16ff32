"""Numbers that no sheet may have, in a file that is played all the same: no more is ever rolled or drawn than may be."""

import re
import resource
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.kit.table import ticking, written
from tests.kit.thorough import cases
from tests.rules.emissaries_table import MARA, after, conflict, refused, two
from waylog.rules.codec.records import codec
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.moves import ActRefused, Allocate, PickOne
from waylog.rules.model.panels import DiceRow, PipsRow
from waylog.rules.systems.emissaries.sheet import BOXES, MOST_DICE, HouseRules, Sheet
from waylog.table import Table

FAR = 10**12
ROOM = 4 << 30
"""Bytes that the program may take in all, with the tests it runs in."""
FILE = """\
name = "Far out"
system = "emissaries"
[house_rules]
frigate_dice = 9
fighter_dice = 9
[crew.mara]
name = "Mara"
background = "well-rounded"
body = 4
mind = 4
soft = 4
hard = 4
added = 1
may_recover = true
traits.pilot = { text = "I fly", dice = "2d8" }
fallout.physical.1 = { boxes = 1 }
fallout.mental.1 = { boxes = 1 }
fallout.social.1 = { boxes = 1 }
fallout.societal.1 = { boxes = 1 }
[npcs.thoss]
name = "Thoss"
dice = "4d6 4d8"
body = 3
mind = 4
soft = 3
hard = 3
rows = 2
fallout.1 = { boxes = 1 }
[assets.kestrel]
name = "Kestrel"
stats = ["Engines 3d6", "Hull 3d6", "Systems 3d6"]
may_recover = true
fallout.1 = { boxes = 1 }
"""
NUMBER = re.compile(r"(\w+) = (\d+)")
RATED = re.compile(r"\d+(?=d\d)")
BLOWS = ("begin thoss", "raise 6 6", "see 6 6 6", "fallout physical", "raise 6 6", "see 6 6 6", "fallout thoss")


class Sixes:
    """Dice that fall as sixes or as high as they can."""

    are_real = False

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """Their faces."""
        return tuple(Face(die.source, min(6, die.sides), die.sides) for die in dice)


@contextmanager
def little_memory() -> Iterator[None]:
    """What takes far more than there should be is a `MemoryError` at once, not the end of the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError):  # macOS bounds no program so
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def files() -> Iterator[Any]:
    """The file with one of its numbers far too high or too low, one after the other, and with all of them."""
    for far in (FAR, -FAR):
        for place in NUMBER.finditer(FILE):
            line = FILE.count("\n", 0, place.start()) + 1
            yield pytest.param(f"{FILE[: place.start(2)]}{far}{FILE[place.end(2) :]}", id=f"{line} {place[1]} {far}")
        yield pytest.param(NUMBER.sub(rf"\g<1> = {far}", FILE), id=f"all {far}")
    yield pytest.param(RATED.sub(str(FAR), FILE), id="every rating")
    yield pytest.param(
        FILE.replace("4d6 4d8", "40d10 " * 200).replace("2d8", "40d10 " * 200), id="ratings of many parts"
    )


def numbers(schema: Mapping[str, Any]) -> Iterator[str]:
    """The names of the whole numbers that a sheet may have."""
    for name, part in schema.get("properties", {}).items():
        if part.get("type") == "integer":
            yield name
        yield from numbers(part)
    if "additionalProperties" in schema:
        yield from numbers(schema["additionalProperties"])


def test_the_file_has_every_number_that_there_is() -> None:
    """A number that is new is tried too."""
    there = {place[1] for place in NUMBER.finditer(FILE)}
    assert there == {*numbers(codec(Sheet).schema()), *numbers(codec(HouseRules).schema())}


def looked_at(table: Table) -> None:
    """All that can be seen of it, and the odds of all that can be done."""
    now = table.snapshot
    for panel in now.panels:
        for row in panel.rows:
            assert not isinstance(row, DiceRow) or 0 <= row.count <= MOST_DICE
            assert not isinstance(row, PipsRow) or 0 <= row.value <= row.top <= BOXES
        assert len(panel.rows) < 40
    for move in now.moves:
        for ask in move.asks:
            assert not isinstance(ask, Allocate) or all(
                slot.least <= slot.now <= slot.most <= MOST_DICE for slot in ask.slots
            )
    assert table.projection().name == "Far out"


def entered(table: Table, words: str) -> None:
    """Somebody comes in with all that they have, once its odds have been asked."""
    act = table.understand(words)
    found = table.game.odds(table._state, act.move, complete_answers(act.move, act.answers))
    assert found is not None
    dice = sum(map(int, RATED.findall(found.dice.partition(":")[0])))
    table.play(act)
    assert 5 <= dice <= 2 * MOST_DICE + 9
    assert len(conflict(table._state).people[-1].pool) == dice


def played(table: Table, words: str) -> None:
    """An act, and the condition that may come of it."""
    table.play(table.understand(words))
    if any(move.verb == "condition" for move in table.snapshot.moves):
        table.play(table.understand("condition Worn"))
    looked_at(table)


@pytest.mark.parametrize("file", cases([*files()], 0, 8))
def test_a_number_out_of_range_takes_no_more_room_than_one_that_may_be(tmp_path: Path, file: str) -> None:
    """It opens and is told of; everything is shown, asked and played: making, a conflict with its blows, and what comes after."""
    with little_memory():
        table = Table(written(tmp_path / "far", file), now=ticking(), chance=Sixes())
        assert table.snapshot.problems
        looked_at(table)
        played(table, "make mara")
        table.undo()
        played(table, "conflict Egg")
        entered(table, "enter thoss fight")
        entered(table, "enter mara fight pilot kestrel-engines")
        for words in BLOWS:
            played(table, words)
        if table.snapshot.question:
            played(table, "give")
        played(table, f"recover mara {track_to_recover(table)} 1 Sleep")
        with suppress(ActRefused):
            played(table, "advance thoss body more")
        assert table.settle()


def track_to_recover(table: Table) -> str:
    """The first track of Mara's that boxes may come off."""
    (track, *_) = next(move for move in table.snapshot.moves if move.id == "recover mara").asks
    assert isinstance(track, PickOne)
    return track.options[0].word


@pytest.mark.clause("EG-01", "EG-50")
def test_a_stat_is_no_larger_than_may_be() -> None:
    """As a file has it or as it grows: a die beyond the last is refused, and none is rolled."""
    state = two(crew={"mara": {**MARA, "body": MOST_DICE}}, npcs={"thoss": {"body": MOST_DICE}})
    for words in ("advance mara body more", "advance thoss body more"):
        assert refused(state, words).clause == "EG-50"
    assert after(state, "advance mara mind more").sheet.crew["mara"].added == 1
    worn = two(crew={"mara": {**MARA, "added": 99}})
    assert refused(worn, "advance mara body more").clause == "EG-50"
