"""A campaign with random tables and decks, looked at where they are."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, playing
from waylog.rules.model.decks import Deck
from waylog.table import Table
from waylog.ui.main_screen import MainScreen

TABLES = {
    "cargo": 'seen = true\nentries = ["Salt", "Grain"]',
    "door": """name = "Behind the door"
entries = ["An empty corridor", "d6 survivors", {text = "Wreckage", table = "cargo"},
  {text = "The hull groans", effect = "damage ship"}, "Nothing", "Cold"]""",
    "names": "[sections]\n" + "\n".join(f'"Deck {n}" = [{", ".join(f"{c!r}" for c in "abcdef")}]' for n in range(6)),
    "round": 'entries = ["Once", {text = "Again", table = "round"}]',
    "twenty": f"entries = [{', '.join(f'{str(n)!r}' for n in range(1, 21))}]",
}
DECKS = """
[decks.station]
name = "Search the station"

[decks.station.cards]
airlock = {text = "An airlock", luck = "bad", effect = "damage ship"}
lamp = {text = "A lamp", luck = "good"}
diary = {text = "A diary", luck = "neutral", returns = true}

[decks.hunt]
name = "The hunt"
draw = 2
known = "partly"
shown = ["way"]

[decks.hunt.cards]
ear = {text = "It hears you", luck = "bad"}
way = {text = "A way round", luck = "good"}

[decks.ours]
name = "Ours"
together = true

[decks.ours.cards]
one = {text = "One of theirs", luck = "good", by = "players"}
"""


@asynccontextmanager
async def searching(
    folder: Path, *faces: int, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Pilot[None], Table]]:
    """A campaign with tables and decks, looked at where they are."""
    (folder / "tables").mkdir(parents=True)
    for name, text in TABLES.items():
        (folder / "tables" / f"{name}.toml").write_text(text)
    async with playing(folder, *faces, size=size, text=CAMPAIGN + DECKS) as (pilot, table):
        await pilot.press("5")
        await pilot.pause()
        yield pilot, table


async def to_deck(pilot: Pilot[None], number: int = 1) -> None:
    """The cursor to a deck."""
    await pilot.press("end", *["up"] * (3 - number))


def station_of(table: Table) -> Deck:
    """The first deck as it is now."""
    return table.snapshot.decks["station"]


def screen_of(pilot: Pilot[None]) -> MainScreen:
    """The main screen, which is on top."""
    assert isinstance(pilot.app.screen, MainScreen)
    return pilot.app.screen


def key_of(pilot: Pilot[None], id: str) -> str:  # noqa: A002 - as `Move` calls it
    """The key that the tray shows for a follow-up."""
    return next(key for key, move in screen_of(pilot).window.tray.choices if move.id == id)
