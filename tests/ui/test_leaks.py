"""No key shows players what is hidden from them before the screen has named it: every key on every row, in every game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from textual import events
from textual.binding import Binding
from textual.pilot import Pilot

from tests.kit.app import seen
from tests.kit.table import seeded, ticking
from tests.kit.thorough import IS_AT_A_DESK, cases, examples, few_at_a_desk
from tests.store.test_projection_hides import Marks, campaign, found, written
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.systems import names
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.players import players_file
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.clocks import ClocksView
from waylog.ui.views.tables_and_decks import TablesView

_TABS = {"4": "clocks", "5": "tables"}
_CHARACTERS = {"plus": "+", "minus": "-", "full_stop": ".", "equals_sign": "=", "greater_than_sign": ">", "colon": ":"}
_QUIET = 8
"""So often nothing is in a queue, before it is taken for done: a message may be between two of them."""
CONFIRMS = ("enter", "y")
LEAVES = ("leave", "suspend_process", "app.what_if", "app.step_moment(-1)", "app.step_moment(-1, True)", "themes")
"""Actions of keys that end or stop the app or go on in another, and of one that only changes its colours."""
ASKS = (
    r"to the players[?,]|Show the players the|The players would see|⏎ (tell players|open: players will see the title)"
)
"""What the screen says before anything hidden is shown."""


class Row(NamedTuple):
    """A row of a screen that shows something hidden."""

    screen: str
    """`4` clocks, `5` tables and decks."""
    place: int
    inside: int | None = None
    """The entry or card, where the cursor is in the contents."""


class Trial:
    """The app on a campaign in which whatever players may not see is marked."""

    def __init__(self, pilot: Pilot[None], table: Table) -> None:
        self.pilot, self.table = pilot, table
        self._known: tuple[Snapshot, frozenset[str]] | None = None
        self._names = dict[str, str]()
        """The first name of each clock."""

    @property
    def frame(self) -> MainScreen:
        """Its window."""
        assert isinstance(self.pilot.app, WayfinderApp)
        return self.pilot.app.frame

    @property
    def known(self) -> frozenset[str]:
        """What players know: the marks in what they read, and the clocks of which they know the progress."""
        snapshot = self.table.snapshot
        if self._known is None or self._known[0] is not snapshot:  # the same object until something changes
            seen = self.table.projection()
            texts = (players_file.encode_projection(seen).decode(), recap_text(self.table.recap()))
            shown = {clock.name for clock in seen.clocks if clock.filled is not None}
            for key, clock in snapshot.clocks.items():
                self._names.setdefault(key, clock.name)  # Another name tells nothing of its progress.
            counted = (f"progress of {self._names[key]}" for key, one in snapshot.clocks.items() if one.name in shown)
            known = frozenset({*found(texts), *counted, *(f"ending: {clock.outcome}" for clock in seen.clocks)})
            self._known = snapshot, known
        return self._known[1]

    async def screen(self) -> str:
        """All that the screen says, once it is painted."""
        await self.pilot.pause()
        return " ".join(seen(self.pilot).split())

    async def press(self, *keys: str) -> None:
        """Keys, and all that comes of them: what they send is done when nothing is left in any queue."""
        app = self.pilot.app
        assert isinstance(app, WayfinderApp)
        for key in keys:
            character = _CHARACTERS.get(key, key if len(key) == 1 else None)
            app.post_message(events.Key(key, character))
            quiet = 0
            while quiet < _QUIET and app.is_running:
                await asyncio.sleep(0)
                parts = (app, app.screen, self.frame, *self.frame.children)
                quiet = 0 if app._keys or any(part.message_queue_size for part in parts) else quiet + 1

    async def go(self, row: Row) -> None:
        """To a row, with nothing open and nothing asked."""
        assert not self.pilot.app._exit, "the app has ended, and no key does anything any more"
        while self.pilot.app.screen is not self.frame:
            await self.press("escape")
        # A list closes first, then the line; one that holds a text asks before it is thrown away.
        for _ in range(4):
            flow = self.frame.flow
            if self.frame.window.typing or flow.confirming or flow.picker or self.frame.search_keys.is_open:
                await self.press("escape")
        if self.frame.window.tab != _TABS[row.screen]:
            await self.press(row.screen)
        assert not self.frame.window.typing
        view = self.frame.window.views[_TABS[row.screen]]
        if isinstance(view, ClocksView):
            view.move_to(row.place)
        else:
            assert isinstance(view, TablesView)
            view.cursor, view._inside = row.place, row.inside

    def back(self, entries: int) -> None:
        """Undo what was played since there were so many entries."""
        if self.table.snapshot.entries > entries:
            while any(held.number > entries and not held.undoes for held in self.table.latest()):
                self.table.undo()
            assert isinstance(self.pilot.app, WayfinderApp)
            self.pilot.app.show_table()

    @property
    def rows(self) -> Iterator[Row]:
        """Every row of clocks, tables and decks."""
        yield from (Row("4", place) for place in range(len(self.table.snapshot.clocks)))
        tables, decks = self.table.snapshot.tables, self.table.snapshot.decks
        sizes = [
            *(len(table.numbered_entries) for table in tables.values()),
            *(len(deck.cards) for deck in decks.values()),
        ]
        for place, size in enumerate(sizes):
            yield Row("5", place)
            yield from (Row("5", place, card) for card in range(min(size, 3)))

    def keys(self, screen: str, *, every: bool = True) -> list[str]:
        """The keys that are bound there, every one or one for each action; and those of what is offered beneath."""
        view = ClocksView if screen == "4" else TablesView
        bound = [*view.BINDINGS, *MainScreen.BINDINGS, *WayfinderApp.BINDINGS]
        keys = [
            key
            for one in bound
            if isinstance(one, Binding) and one.action not in LEAVES
            for key in one.key.split(",")[: None if every else 1]
        ]
        return [*dict.fromkeys((*keys, *(key for key, _ in self.frame.window.tray.choices if key)))]


@asynccontextmanager
async def trial(folder: Path, name: str) -> AsyncIterator[Trial]:
    """The app on that game, with a session begun."""
    table = Table(written(folder / "t", campaign(name, Marks())), now=ticking(), chance=seeded(Random(7).randrange))
    if any(move.id == "session begin" and not move.blocked for move in table.snapshot.moves):
        table.play(table.understand("session begin"))
    app = WayfinderApp(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("4", "5")
        yield Trial(pilot, table)
        await pilot.pause()


ROWS = (
    Row("4", 0),  # a hidden clock
    Row("4", 4),  # one of which players see all but the progress and the ending
    Row("5", 0),  # a hidden table
    Row("5", 0, 0),
    Row("5", 4),  # a secret deck
    Row("5", 4, 0),
    Row("5", 6),  # a deck of which they know one card
    Row("5", 6, 1),
)


@pytest.mark.clause("NM-04", "NM-14", "NM-20", "NM-28")
@pytest.mark.parametrize("name", cases(names(), 0, 2))
async def test_no_key_shows_what_is_hidden(tmp_path: Path, name: str) -> None:
    """Whatever one key does on a row, players read nothing that they did not read before.

    On the first row every key, on the others one for each action. At a desk half of the games are tried, and the others below: one with
    every key, each of the others with a third of them; and all take turns at the other rows.
    """
    turn = names().index(name)
    async with trial(tmp_path, name) as own:
        before, entries = own.known, own.table.snapshot.entries
        pressed = 0
        for row in (ROWS[0], *cases(ROWS[1:], turn)):
            every = row == ROWS[0] and (turn == 0 or not IS_AT_A_DESK)
            keys = own.keys(row.screen, every=every)
            for key in keys if every else cases(keys, turn, 3):
                await own.go(row)
                await own.press(key)
                assert own.known <= before, (row, key)
                own.back(entries)
                pressed += 1
        assert pressed > few_at_a_desk(300)


async def asked(own: Trial, row: Row, key: str) -> bool:
    """The key on that row asks whether something is to be shown. What else it does is undone."""
    entries = own.table.snapshot.entries
    await own.go(row)
    await own.press(key)
    question = await own.screen()
    own.back(entries)
    return "Enter shows" in question


@pytest.mark.clause("NM-14", "NM-20", "NM-28")
@pytest.mark.parametrize("name", cases(names(), 1, 2))
async def test_what_is_shown_is_named_first_and_confirmed(tmp_path: Path, name: str) -> None:
    """Of each sort of row: only Enter or y shows it, and only what the question has named; no other key does."""
    async with trial(tmp_path, name) as own:
        before, entries = own.known, own.table.snapshot.entries
        showing = [(row, key) for row in ROWS for key in "vVo" if await asked(own, row, key)]
        assert {("4", "v"), ("4", "V"), ("5", "v")} <= {(row.screen, key) for row, key in showing}
        for row, key in cases(showing, names().index(name)):
            # At a desk, each game tries a third of the other keys.
            every = cases(own.keys(row.screen, every=False), names().index(name), 3)
            others = every if row == ROWS[0] else [key, "u", "x", "tab", "1"]
            for other in others:
                if other not in CONFIRMS:
                    await own.go(row)
                    await own.press(key, other)
                    assert own.known <= before, (row, key, other)
                    own.back(entries)
            for confirm in CONFIRMS:
                await own.go(row)
                await own.press(key)
                question = await own.screen()
                await own.press(confirm)
                await own.screen()
                new = own.known - before
                assert new, (row, key)
                # A clock by its name, its progress by its name, a card by its text; a deck by its name or how many cards.
                assert not found(new) or found(new) & found([question]) or "all" in question, (row, key)
                own.back(entries)
                assert own.known <= before


@pytest.mark.clause("NM-14", "NM-20", "NM-28")
@pytest.mark.parametrize("name", cases(names(), 0, 2))
async def test_keys_at_random_show_nothing_unnamed(tmp_path: Path, name: str) -> None:
    """Undo, redo, rewind and menus too: whenever players read something new, the screen had said so before that key."""
    chance = Random(name)
    async with trial(tmp_path, name) as own:
        rows, shown = [*own.rows], 0
        for _ in range(examples(120)):
            if chance.random() < 0.2:
                await own.go(chance.choice(rows))
            keys = [*own.keys(chance.choice("45")), *"vVouUR", "enter", "enter", "y"]
            before, screen = own.known, await own.screen()
            key = chance.choice(keys)
            await own.press(key)
            if own.known - before:
                assert re.search(ASKS, screen), (key, screen)
                shown += 1
        own.table.settle()
        assert (own.table.folder / players_file.FILE).read_bytes() == players_file.encode_projection(
            own.table.projection()
        )
