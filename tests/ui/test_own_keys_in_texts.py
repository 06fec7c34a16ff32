"""Texts that name a key name the one that a person has set; and the usual key in such a text is that of the binding."""

import re
from pathlib import Path

import pytest

from tests.kit.app import seen
from tests.ui.test_hint_line import hint_line
from tests.ui.test_settings_in_use import app_with
from waylog.app.wayfinder_app import WayfinderApp
from waylog.ui.key_bindings import all_bindings

SOURCES = Path("tui/waylog")
_NAMED = re.compile(r"""(?:key_name|keys_of|_keys_to_confirm)\(["']([\w.]+)["'], ["']([^"']+)["']""")
_COMMAND = re.compile(r"""_Command\(["']([\w.]+)["'], ["']([^"']+)["']""")


def test_the_usual_keys_in_texts_are_those_of_the_bindings() -> None:
    """Each text that names a key says which binding's it is. The key beside it is the one that the binding has."""
    bindings = all_bindings(WayfinderApp.BINDINGS)
    found = [
        named
        for source in SOURCES.rglob("*.py")
        for pattern in (_NAMED, _COMMAND)
        for named in pattern.findall(source.read_text())
    ]
    assert len(found) > 40
    for id_, usual in found:
        assert usual in bindings[id_].key.split(","), id_


@pytest.mark.parametrize(
    ("keys", "pressed", "says"),
    [
        ('clock = "f5"', "t", "No clocks yet. f5 starts one"),
        ('note = "f6"', "3", "f6 writes a note"),
        ('session = "f7"', "1", "no session: f7 starts one"),
        ('edit = "f8"', "2", "f8 opens a form"),
        ('"tables.new" = "f9"', "5", "f9 makes one"),
        ('palette = "f5"', "colon z z", "f5 lists all"),
        ('"moment.now" = "f5"', "n a enter left_square_bracket", "f5 returns to the present"),
    ],
)
async def test_a_text_names_the_key_that_is_set(tmp_path: Path, keys: str, pressed: str, says: str) -> None:
    """Wherever a key is named in a sentence."""
    async with app_with(tmp_path, f'first_view = "ship"\n[keys]\n{keys}\n') as (pilot, _):
        await pilot.press(*pressed.split())
        await pilot.pause()
        assert says in " ".join(seen(pilot).split())


async def test_the_key_that_asks_also_confirms(tmp_path: Path) -> None:
    """The line of hints names it, and pressing it again is a yes."""
    async with app_with(tmp_path, '[keys]\nundo = "f5"\n') as (pilot, table):
        await pilot.press("n", "a", "enter", "f5")
        assert "Enter confirms" in seen(pilot)
        assert hint_line(pilot).startswith(" f5 ⏎ yes")
        await pilot.press("f5")
        assert table.snapshot.undo == ()


async def test_the_list_of_everything_has_the_keys_that_are_set(tmp_path: Path) -> None:
    """The list of all commands shows beside each the key that the person has set."""
    async with app_with(tmp_path, '[keys]\nplayers = "f5"\n') as (pilot, _):
        await pilot.press("ctrl+p", *"what", "space", *"players")
        await pilot.pause()
        assert "f5 What players see" in " ".join(seen(pilot).split())


@pytest.mark.parametrize(
    "keys", ["", "n", "t", "slash", "e", "question_mark", "i", "p", "ctrl+t", "ctrl+p", "w", "u", "3", "r"]
)
async def test_ctrl_q_quits_whatever_is_open(tmp_path: Path, keys: str) -> None:
    """A line, a list of letters, a search, a form, help, a rule, the players' view: none of them keeps the key."""
    async with app_with(tmp_path, 'first_view = "ship"\n') as (pilot, _):
        await pilot.press(*filter(None, keys.split(" ")))
        await pilot.pause()
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert pilot.app._exit


@pytest.mark.parametrize("keys", ["n a", "e f o g"])
async def test_ctrl_q_asks_before_a_text_is_lost(tmp_path: Path, keys: str) -> None:
    """Ctrl+Q again discards it; any other key keeps it."""
    async with app_with(tmp_path, 'first_view = "crew"\n') as (pilot, _):
        await pilot.press(*keys.split(), "ctrl+q")
        await pilot.pause()
        assert not pilot.app._exit
        assert "Discard what you typed? Ctrl+Q again" in seen(pilot)
        await pilot.press("x", "ctrl+q")
        await pilot.pause()
        assert not pilot.app._exit
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert pilot.app._exit
