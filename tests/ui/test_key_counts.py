"""The commonest acts at a table, typed in the app: how many keys each takes, and that it takes no more than it did.

`python -m pytest tests/ui/test_key_counts.py -s` prints the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import playing
from waylog.table import Table
from waylog.values import dataclass

SHIP = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"
focus = 2

[ship.core]
CPU = 1
HUL = 3
NAV = 2

[ship.tokens]
integrity = true

[ship.modules.1]
name = "KEELWING"
kind = "specialised"
system = "NAV"

[ship.modules.3]
name = "SEALFOAM"
kind = "additional"
uses = 3
uses_left = 2

[crew.odile]
name = "Odile"

[crew.bram]
name = "Bram"
vitality = 2
primary = { name = "arc cutter" }

[crew.tove]
name = "Tove"
focus = 1

[clocks.convoy]
name = "The grain convoy"
kind = "death"
segments = 8
filled = 4
outcome = "Eleven hulls come through blind"

[clocks.open]
name = "Open to the Veil"
kind = "push"
segments = 4
filled = 1

[decks.keeper]
name = "What the keeper left"

[decks.keeper.cards.bell]
text = "The bell rope, swinging"
luck = "bad"

[decks.keeper.cards.tea]
text = "Tea, hot, two cups"
luck = "good"
"""
TABLE = 'name = "Inside"\ndice = "d6"\nentries = ["One", "Two", "Three", "Four", "Five", "Six"]\n'
_NAMED = {
    " ": "space", "⏎": "enter", "+": "plus", "-": "minus", ".": "full_stop", ":": "colon", "↓": "down",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommonAct:
    """One act: its keys, where in them a text stands that has to be typed anyway, and what stands in the log then."""

    name: str
    before: int
    """Keys that it took at its best in 0.1."""
    keys: str
    logged: str
    text: str = ""
    """What any way of doing it has to type; it doesn't count."""
    first: tuple[str, ...] = ()
    """Lines that are played before, to get there."""
    most: int | None = None
    """Keys that it may take at most; as many as before, where nothing else is said."""
    dice: tuple[int, ...] = (6, 5, 2, 3, 4, 1)

    @property
    def count(self) -> int:
        """Keys, without a text that has to be typed."""
        return len(self.keys) - len(self.text)


FASTER = (
    CommonAct("The ship takes damage", 6, "ds⏎", "damage ship", most=3),
    CommonAct("Someone takes damage", 6, "db⏎", "damage bram", most=3),
    CommonAct("Someone takes damage, a real die", 8, "db5⏎", "damage bram", most=4),
    CommonAct("Tick a clock", 2, "tg", "tick convoy", most=3),
    CommonAct("Tick a clock by three", 8, "t3g", "tick convoy 3", most=3),
    CommonAct("Someone is Exposed", 7, "xb", "expose bram", most=3),
    CommonAct("Nobody is Exposed any more", 7, "xb", "cover bram", most=3, first=("expose bram",)),
    CommonAct("Lose a token", 6, "di⏎", "lose integrity", most=3),
    CommonAct("Restore a token", 8, "Mi", "restore integrity", first=("lose integrity",), most=3),
    CommonAct("Repair a suit", 9, "Mbl", "restore suit bram", first=("set crew.bram.life_support false",), most=4),
    CommonAct("Heal a mate", 12, "Mbt⏎", "heal bram by-tove", most=4),
    CommonAct("Hide a clock", 2, "vg⏎", "hide clock convoy", most=3),
    CommonAct("Show a clock", 2, "vg⏎", "show clock convoy", first=("hide clock convoy",), most=3),
    CommonAct("Begin a session", 1, "s⏎", "session begin", most=2),
)
"""Acts that have become shorter, or that cost a key more because they are confirmed now."""
COMMON = (
    CommonAct("Roll for the ship", 3, "rn⏎", "roll nav"),
    CommonAct("Roll for the ship with a module and real dice", 10, "rn k 652⏎", "roll nav keelwing"),
    CommonAct("Roll for someone", 3, "rb⏎", "roll bram"),
    CommonAct("Roll with a tool and real dice", 11, "rb p 6521⏎", "roll bram primary"),
    CommonAct("Roll Desperate", 5, "rb d⏎", "roll bram desperate"),
    CommonAct("Roll on a clock", 5, "rb o⏎", "roll bram open"),
    CommonAct("Spend Focus on the best die", 2, "f⏎", "focus 5", first=("roll nav 5 2",)),
    CommonAct("Keep the dice", 1, "k", "keep", first=("roll nav 5 2",)),
    CommonAct("Fill the clock that a roll has earned", 1, "o", "on open", first=("roll bram 6 3",)),
    CommonAct("Shunt after a Critical", 5, "S231⏎", "shunt 2 3 1", first=("roll nav 6 6",)),
    CommonAct("Time passes", 2, ".⏎", "time passes"),
    CommonAct("Use a module", 7, ":use⏎", "use sealfoam"),
    CommonAct("Write a note", 2, "nFog⏎", 'note "Fog"', "Fog"),
    CommonAct("Write a secret note", 2, "NFog⏎", 'secret "Fog"', "Fog"),
    CommonAct("Begin a scene", 2, "mFog⏎", 'scene "Fog"', "Fog"),
    CommonAct("Roll on a table", 3, "Ti⏎", "table inside"),
    CommonAct("Draw a card", 6, ":dr⏎", "draw keeper", dice=(1,)),
    CommonAct("Begin a group roll of two", 7, ":g b t⏎", "group bram tove"),
    CommonAct("What a clock comes to", 30, ":set clocks.open.outcome Boom⏎", 'set "clocks.open.outcome Boom"', "Boom"),
    CommonAct("Redo", 4, "uuUU", "redo", first=("note One",)),
    CommonAct("Undo an older act", 5, "3kXX", "undo 2", first=("note One", "set ship.focus 3", "note Two")),
    CommonAct("Undo", 2, "uu", "undo", first=("note One",)),
    CommonAct("A new clock", 8, "cFog 6 cat⏎", 'clock catastrophe "Fog"', "Fog"),
)
"""Acts that take as many keys as ever."""


async def press(pilot: Pilot[None], keys: str) -> None:
    """Press keys one after the other."""
    await pilot.press(*(_NAMED.get(key, key) for key in keys))


async def entry_after(tmp_path: Path, act: CommonAct) -> str:
    """What the log says once its keys have been pressed."""
    (tmp_path / "tables").mkdir(parents=True)
    (tmp_path / "tables" / "inside.toml").write_text(TABLE)
    async with playing(tmp_path, *act.dice, text=SHIP) as (pilot, table):
        played(table, act)
        pilot.app._look()  # type: ignore[attr-defined]  # the app would look by itself half a second later
        await pilot.pause()
        before = table.snapshot.entries
        await press(pilot, act.keys)
        assert table.snapshot.entries > before, "nothing was played"
        return table.entry(table.snapshot.entries).words


def played(table: Table, act: CommonAct) -> None:
    """What comes before an act."""
    for line in act.first:
        table.play(table.understand(line))


@pytest.mark.parametrize("act", [*FASTER, *COMMON], ids=lambda act: act.name)
async def test_an_act_takes_no_more_keys_than_it_did(tmp_path: Path, act: CommonAct) -> None:
    """The keys do it, and there are few enough of them."""
    assert await entry_after(tmp_path, act) == act.logged
    assert act.count <= (act.before if act.most is None else act.most)


def test_the_table_of_keys() -> None:
    """Fourteen acts have another count than in 0.1, and none but those that are confirmed now a higher one."""
    for act in (*FASTER, *COMMON):
        sys.stdout.write(f"{act.name:48} {act.before:3} → {act.count}\n")
    dearer = [act.name for act in (*FASTER, *COMMON) if act.count > act.before]
    assert dearer == ["Hide a clock", "Show a clock", "Begin a session"]
