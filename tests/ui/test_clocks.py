"""Clocks on their screen: every word of one can be read, and the cursor is where the next key is meant."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.thorough import cases
from waylog.table import Table
from waylog.ui.draw import clock_face
from waylog.ui.draw.cell_lines import cells_of

NOTES = " ".join(f"word{n}" for n in range(40))
CLOCKS = f"""
[clocks.first]
name = "First"
kind = "death"
segments = 6
filled = 2
outcome = "The lamps go out along the whole of the upper deck, and whoever is there has to find the way by hand"
when_full = "damage ship"
notes = "{NOTES}"

[clocks.second]
name = "Second"
kind = "catastrophe"
segments = 4
filled = 1
outcome = "Nobody comes"
running = "desperate"
when_full = "damage ship"
notes = "{NOTES}"
"""
FEW = "".join(f'\n[clocks.few{n}]\nname = "Few {n}"\nkind = "push"\nsegments = 4\nfilled = 0\n' for n in range(5))
MANY = "".join(f'\n[clocks.more{n}]\nname = "More {n}"\nkind = "push"\nsegments = 4\nfilled = 0\n' for n in range(12))


def _words(pilot: Pilot[None]) -> str:
    """What is on the screen, without the clocks' faces and the breaks between lines."""
    return " ".join(word for word in seen(pilot).split() if not any("\u2800" <= char <= "\u28ff" for char in word))


@pytest.mark.parametrize("size", [*SIZES, (40, 16)])
async def test_every_word_of_a_clock_can_be_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """The one under the cursor is there in full; in a window it is too tall for, the same key as always goes on in it."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CLOCKS + MANY) as (pilot, _):
        await pilot.press("4")
        read = set(_words(pilot).split())
        while "▸ More 0" not in seen(pilot) and "word39" not in read:
            before = seen(pilot)
            await pilot.press("down")
            read |= set(_words(pilot).split())
            assert seen(pilot) != before
        assert {f"word{n}" for n in range(40)} <= read
        assert {"hand", "damage", "death"} <= read


async def test_what_is_cut_of_a_clock_says_so(tmp_path: Path) -> None:
    """Beside a face there are as many lines as it has, or as many as the tallest clock beside it; where there is more to say, the
    last of them ends with a mark.
    """
    longer = CLOCKS.replace("Nobody comes", " ".join(f"nobody{n}" for n in range(20)))
    for clocks, whole in ((CLOCKS, 2), (longer, 1)):
        async with playing(tmp_path / str(whole), text=CAMPAIGN + clocks + FEW) as (pilot, _):
            await pilot.press("4")
            assert [_words(pilot).count("word39"), "…" in seen(pilot)] == [whole, whole == 1]


async def test_clocks_that_run_come_first(tmp_path: Path) -> None:
    """Running clocks come first, then full ones, as in the strip, and closed ones last; each group in the order of the file."""
    ends = (
        ("Shut", "filled = 4\nclosed = true"),
        ("Brim", "filled = 4"),
        ("Lull", "closed = true"),
        ("Tide", "filled = 1"),
    )
    clocks = "".join(f'\n[clocks.{name}]\nname = "{name}"\nsegments = 4\n{parts}\n' for name, parts in ends)
    async with playing(tmp_path, size=(40, 40), text=CAMPAIGN + clocks) as (pilot, _):
        await pilot.press("4")
        found = [word for word in _words(pilot).split() if word in dict(ends)]
        assert list(dict.fromkeys(found)) == ["Tide", "Brim", "Shut", "Lull"]


@pytest.mark.parametrize(
    ("size", "face"), [((200, 50), "GIANT"), ((120, 36), "GIANT"), ((80, 24), "LARGE"), ((40, 20), "MEDIUM")]
)
async def test_faces_are_as_large_as_there_is_room_for(tmp_path: Path, size: tuple[int, int], face: str) -> None:
    """Two clocks with few words: the largest discs that leave room for the words beside them."""
    clocks = "".join(f'\n[clocks.{n}]\nname = "{n}"\nkind = "push"\nsegments = 4\nfilled = 4\n' for n in ("one", "two"))
    async with playing(tmp_path, size=size, text=CAMPAIGN + clocks) as (pilot, _):
        await pilot.press("4")
        disc = clock_face.slice_lines(4, 4, getattr(clock_face, face))
        assert all("".join(run.text for run in runs).strip() in seen(pilot) for runs in disc)


async def test_where_there_is_room_every_clock_is_whole(tmp_path: Path) -> None:
    """Nothing is cut above empty lines, wherever the cursor is."""
    async with playing(tmp_path, size=(120, 40), text=CAMPAIGN + CLOCKS) as (pilot, _):
        await pilot.press("4")
        assert _words(pilot).count("word39") == 2
        assert "…" not in _words(pilot)
        await pilot.press("right")
        assert _words(pilot).count("word39") == 2


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_a_key_after_a_new_clock_is_about_that_one(tmp_path: Path, size: tuple[int, int]) -> None:
    """The clock that was just begun is under the cursor and in sight, so that `+` fills it and no other."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CLOCKS + MANY) as (pilot, table):
        await pilot.press("4", "c")
        await typed(pilot, "Zeta 8 death")
        await pilot.press("enter")
        assert any("▸" in line and "Zeta" in line for line in seen(pilot).splitlines())
        await pilot.press("plus")
        assert _filled(table) == {"first": 2, "second": 1, "zeta": 1}


def _filled(table: Table) -> dict[str, int]:
    return {key: clock.filled for key, clock in table.snapshot.clocks.items() if clock.filled}


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_the_bar_says_how_many_clocks_players_see(tmp_path: Path, size: tuple[int, int]) -> None:
    """Of those that are not closed; it changes with a key, and takes no line."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CLOCKS) as (pilot, _):
        await pilot.press("4")
        assert ("◉ 2/2 clocks" if size[0] > 80 else "◉ 2/2") in seen(pilot).splitlines()[0]
        await pilot.press("v", "enter")
        assert ("◉ 1/2 clocks" if size[0] > 80 else "◉ 1/2") in seen(pilot).splitlines()[0]
        await pilot.press("1")
        assert "◉" not in seen(pilot).splitlines()[0]


async def test_a_full_clock_is_closed_by_its_key_in_every_view(tmp_path: Path) -> None:
    """The line of keys names it from when the clock is full; of several, one is chosen; without one, that is said."""
    full = "".join(
        f'\n[clocks.{key}]\nname = "{key}"\nkind = "push"\nsegments = 4\nfilled = 3\n' for key in ("fog", "ice")
    )
    async with playing(tmp_path, size=(160, 36), text=CAMPAIGN + full) as (pilot, table):
        await pilot.press("K")
        assert "No clock is full" in seen(pilot)
        assert "K close" not in seen(pilot)
        await pilot.press("t", "f")
        assert "K close" in seen(pilot).splitlines()[-1]
        await pilot.press("t", "i", "K")
        assert "Close which clock?" in seen(pilot)
        assert "▸ f Close “fog”   c Close “ice”" in seen(pilot)
        await pilot.press("down", "enter")
        assert table.entry(3).words == "close ice"
        await pilot.press("K")
        assert table.entry(4).words == "close fog"


async def test_enter_never_makes_a_clock_of_a_kind_that_nobody_has_seen_chosen(tmp_path: Path) -> None:
    """The first one names what is missing and goes there, the second ticks, and only the third makes the clock."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("c", *"Fog", "enter")
        assert "Kind: choose push" in seen(pilot)
        assert "⏎ tick" in seen(pilot).splitlines()[-1]
        await pilot.press("enter")
        assert "[x] Push" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.press("enter")
        assert table.snapshot.clocks["fog"].kind == "push"


async def test_the_key_that_hides_a_clock_confirms_it(tmp_path: Path) -> None:
    """As with every question that a key asks, the same key again is enough; but only Enter shows players something."""
    fog = '\n[clocks.fog]\nname = "Fog"\nsegments = 4\noutcome = "Nobody sees the reef"\n'
    async with playing(tmp_path, text=CAMPAIGN + fog) as (pilot, table):
        await pilot.press("4", "v")
        assert "Hide “Fog” from players? Enter confirms, Esc cancels" in seen(pilot)
        await pilot.press("v")
        assert not table.snapshot.clocks["fog"].seen
        await pilot.press("v", "v")
        assert not table.snapshot.clocks["fog"].seen
        await pilot.press("enter")
        assert table.snapshot.clocks["fog"].seen
        await pilot.press("1", "v", "v")
        assert "Nothing is marked" in seen(pilot)


async def test_a_clock_that_is_not_full_is_closed_only_after_a_question(tmp_path: Path) -> None:
    """Also by the key that would close it while something else is asked; a full one is closed at once."""
    full = '\n[clocks.fog]\nname = "Fog"\nsegments = 4\nfilled = 1\n'
    async with playing(tmp_path, text=CAMPAIGN + full) as (pilot, table):
        await pilot.press("4", "v")
        assert "v ⏎ yes" in seen(pilot)
        await pilot.press("K")
        assert "Close “Fog” at 1/4? Enter confirms" in seen(pilot)
        await pilot.press("escape")
        assert table.snapshot.entries == 0
        await pilot.press("K", "K")
        assert table.snapshot.clocks["fog"].closed
        await pilot.press("K")
        assert not table.snapshot.clocks["fog"].closed
        await pilot.press(*["+"] * 3, "K")
        assert table.snapshot.clocks["fog"].closed


THREE = "".join(
    f'\n[clocks.{name.lower()}]\nname = "{name}"\nsegments = 6\noutcome = "The {name} comes in"\n'
    for name in ("Fog", "Ice", "Tide")
)


@pytest.mark.parametrize("size", [(40, 20), (60, 18), (80, 24), (100, 30)])
async def test_no_clock_is_under_a_question(tmp_path: Path, size: tuple[int, int]) -> None:
    """While dice wait for a choice, smaller faces or bars leave every clock in sight. Nothing moves while a line is typed."""
    text = CAMPAIGN.replace("focus = 1", "focus = 3") + THREE
    async with playing(tmp_path, 5, 3, size=size, text=text) as (pilot, _):
        await pilot.press("4")
        before = seen(pilot).splitlines()
        await pilot.press("colon")
        typed_over = seen(pilot).splitlines()
        rule = next(y for y, (one, other) in enumerate(zip(before, typed_over, strict=False)) if one != other)
        assert typed_over[rule].startswith("─ Command") or "↓ more" in typed_over[rule]
        await pilot.press("escape", "r", "n", "enter")
        assert "Spend Focus" in seen(pilot)
        assert all(f"The {name} comes in" in seen(pilot) for name in ("Fog", "Ice", "Tide"))
        assert "↓ more" not in seen(pilot)


async def test_bars_say_all_that_there_is_room_for(tmp_path: Path) -> None:
    """Where faces have no room, the endings stand below the bars; those that there is no room for, under the cursor. One that fills
    the window alone leaves the others theirs until the cursor is on it.
    """
    async with playing(tmp_path, size=(60, 14), text=CAMPAIGN + THREE) as (pilot, _):
        await pilot.press("4")
        assert not any("\u2800" <= char <= "\u28ff" for char in seen(pilot))
        assert all(f"The {name} comes in" in seen(pilot) for name in ("Fog", "Ice", "Tide"))
    async with playing(tmp_path / "many", size=(60, 20), text=CAMPAIGN + THREE + MANY) as (pilot, _):
        await pilot.press("4")
        assert "The Fog comes in" in seen(pilot)
        await pilot.press("end")
        assert "More 11" in seen(pilot)
        assert "↓ more" not in seen(pilot)
    long = f'\n[clocks.long]\nname = "Long"\nsegments = 6\nnotes = "{NOTES}"\n'
    async with playing(tmp_path / "long", size=(60, 14), text=CAMPAIGN + THREE + long) as (pilot, _):
        await pilot.press("4")
        assert all(f"The {name} comes in" in seen(pilot) for name in ("Fog", "Ice", "Tide"))
        await pilot.press("end")
        assert "word39" in seen(pilot)


@pytest.mark.parametrize("width", [200, 120, 80, 60])
async def test_nothing_touches_the_right_edge(tmp_path: Path, width: int) -> None:
    """Neither words beside a face nor what a heading ends with, as in the other views."""
    text = CAMPAIGN + CLOCKS.replace("segments = 4\nfilled = 1", "segments = 4\nfilled = 4")
    async with playing(tmp_path, size=(width, 50), text=text) as (pilot, _):
        await pilot.press("4")
        lines = seen(pilot).splitlines()[1:40]
        assert any("✗ full" in line for line in lines)
        assert max(map(cells_of, lines)) < width


async def test_without_clocks_the_view_says_whole_how_one_starts(tmp_path: Path) -> None:
    """In the narrowest window, too."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, _):
        await pilot.press("4")
        assert "c new clock, such as Hull breach 6 catastrophe" in " ".join(seen(pilot).split())


async def test_a_full_clock_whose_effect_waits_is_closed_only_after_a_question(tmp_path: Path) -> None:
    """It names what would be left out, for the key of every view as for that of the clocks; any other key keeps the clock open."""
    clock = '\n[clocks.fog]\nname = "Fog"\nsegments = 4\nfilled = 3\nwhen_full = "damage ship"\n'
    for keys in ("0", "4"):
        async with playing(tmp_path / keys, text=CAMPAIGN + clock) as (pilot, table):
            table.play(table.understand("tick fog"))
            looked(pilot)
            await pilot.pause()
            await pilot.press(keys, "K")
            assert "Close it anyway?" in " ".join(seen(pilot).split())
            await pilot.press("escape")
            assert not table.snapshot.clocks["fog"].closed
            await pilot.press("K", "enter")
            assert table.snapshot.clocks["fog"].closed


async def test_a_full_clock_says_its_kind_beside_that(tmp_path: Path) -> None:
    """It takes a line of its own only where it has no room there."""
    text = CAMPAIGN + '\n[clocks.liner]\nname = "She stirs"\nkind = "catastrophe"\nsegments = 4\nfilled = 4\n'
    text += "".join(f'\n[clocks.c{n}]\nname = "Threat {n}"\nsegments = 4\n' for n in range(5))
    for width, said in ((60, "She stirs  ✗ full  catastrophe"), (36, "She stirs  ✗ full\n    catastrophe")):
        async with playing(tmp_path / str(width), size=(width, 18), text=text) as (pilot, _):
            await pilot.press("4", "end")
            assert said in "\n".join(line.rstrip() for line in seen(pilot).splitlines())


async def test_a_narrow_line_says_that_a_clock_is_full_or_closed(tmp_path: Path) -> None:
    """In words, below the sign or before the end of the name."""
    clocks = "".join(
        f'\n[clocks.{key}]\nname = "{name}"\nkind = "push"\nsegments = 8\nfilled = 8\n{more}'
        for key, name, more in (
            ("lamp", "Relight the lantern", ""),
            ("count", "The wardens' long count", "closed = true\n"),
            *((f"c{number}", f"Threat {number}", 'outcome = "It is here"\n') for number in range(4)),
        )
    )
    async with playing(tmp_path, size=(40, 20), text=CAMPAIGN + clocks) as (pilot, _):
        await pilot.press("4")
        shown = seen(pilot)
        assert "full, push" in shown
        assert re.search(r"The wardens' .*…  closed", shown)
