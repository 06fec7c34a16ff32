"""The bridge: ship, crew, clocks and the end of the log together."""

import re
import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, drained, playing, seen, typed
from tests.kit.table import play, table_at, written
from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from waylog.ui.main_screen import MainScreen
from waylog.ui.parts.top_bar_banner_and_log_tail import render_tail
from waylog.ui.views.bridge_ship_and_crew import SheetView

CREW = "".join(
    f'\n[crew.{name.lower()}]\nname = "{name}"\nrole = "Pilot, and a very long story about how that came to be"\n'
    for name in ("Odile", "Bram", "Tove", "Wick", "Ansel")
)
CLOCKS = "".join(
    f'\n[clocks.c{n}]\nname = "Threat {n}"\nkind = "death"\nsegments = 6\nfilled = {n % 6}\noutcome = "The end of {n}"\n'
    for n in range(12)
)


def bridge(pilot: Pilot[None]) -> SheetView:
    """The view."""
    frame = pilot.app.screen
    assert isinstance(frame, MainScreen)
    view = frame.window.views["bridge"]
    assert isinstance(view, SheetView)
    return view


@pytest.mark.parametrize("size", [(200, 50), (80, 24), (40, 20)])
async def test_every_window_opens_with_the_bridge(tmp_path: Path, size: tuple[int, int]) -> None:
    """It is the first tab in the bar, also while the ship is in trouble; `0` comes back to it."""
    text = CAMPAIGN + "\n[ship.tokens]\nengineering = false\n"
    async with playing(tmp_path, size=size, text=text, bridge=True) as (pilot, _):
        assert isinstance(pilot.app.screen, MainScreen)
        for keys in ([], ["1", "0"]):
            await pilot.press(*keys)
            assert pilot.app.screen.window.tab == "bridge"
            bar = seen(pilot).splitlines()[0]
            assert bar.startswith(" 0 Br")
            assert "! Desperate" in bar


async def test_right_goes_on_along_the_line(tmp_path: Path) -> None:
    """Small rows share a line: → goes to the next of them, and from the last to the same line of the next column."""
    async with playing(tmp_path, size=(100, 30), text=CAMPAIGN + CREW, bridge=True) as (pilot, _):
        view, way = bridge(pilot), list[str]()
        for key in ("home", "right", "right", "left", "left", "down", "right"):
            await pilot.press(key)
            assert view.row
            way.append(view.row.key)
        assert way[:3] == ["ship.focus", "crew.lars.vitality", "crew.lars.focus"]
        assert way[3:] == ["crew.lars.vitality", "ship.focus", "ship.core.CPU", "ship.core.HUL"]


@pytest.mark.parametrize("size", [(120, 36), (160, 45), (200, 60)])
async def test_everything_that_a_table_asks_about_is_there(tmp_path: Path, size: tuple[int, int]) -> None:
    """Seven people and twelve clocks by name and with how they stand, the ship, and the end of the log."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CREW + CLOCKS, bridge=True) as (pilot, _):
        await pilot.press("n")
        await typed(pilot, "Here we go")
        await pilot.press("enter", "up")
        shown = seen(pilot)
        for name in ("Odile", "Bram", "Tove", "Wick", "Ansel", "Lars", "Mara", *(f"Threat {n}" for n in range(12))):
            assert name in shown
        assert len(re.findall("Vitality +● ● ●", shown)) == 7
        assert re.search("CPU +(◆ +|│ ◆ │ +){2}2", shown)
        for text in ("✓ Integrity", "5/6", "Here we go"):
            assert text in shown
        assert "↓ more" not in shown


async def test_the_cursor_passes_what_has_no_line(tmp_path: Path) -> None:
    """From row to row that can be seen, and nothing moves with it; Enter acts on the row, also on a clock."""
    async with playing(tmp_path, size=(100, 30), text=CAMPAIGN + CREW + CLOCKS, bridge=True) as (pilot, _):
        view, keys = bridge(pilot), []
        before = [line.text.replace("▸", " ").rstrip() for line in view.page.lines]
        for _ in range(80):
            assert view.row
            assert view._layout.places[view.cursor].height
            keys.append(view.row.key)
            await pilot.press("down")
        assert [line.text.replace("▸", " ").rstrip() for line in view.page.lines] == before
        assert "crew.odile.role" not in keys
        while view.row and view.row.key != "clocks.c11":
            await pilot.press("up")
        await pilot.press("enter")
        assert "Threat 11" in seen(pilot).splitlines()[-8:][0] + "".join(seen(pilot).splitlines()[-14:])


@pytest.mark.parametrize("size", cases([(200, 50), (100, 30), (80, 24), (60, 18)], 0, 2))
async def test_keys_act_on_the_row_that_is_marked(tmp_path: Path, size: tuple[int, int]) -> None:
    """On each row, also where the clocks stand below the ship and before the crew; also after the window has changed its size."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CREW + CLOCKS, bridge=True) as (pilot, table):
        view = bridge(pilot)
        await pilot.press("home")
        for _ in range(view.count()):
            assert view.row
            (marked,) = (line for line in seen(pilot).splitlines() if "▸" in line)
            assert view.row.label in marked.partition("▸")[2]
            await pilot.press("down")
        for wide in (size, (120, 40)):  # In a low window the clocks are in the strip.
            await pilot.resize_terminal(*wide)
            await pilot.pause()
            await pilot.press("end")
            for _ in range(view.count()):
                if view.row and view.row.key == "clocks.c2":
                    break
                await pilot.press("up")
        await pilot.press("+")
        assert table.snapshot.clocks["c2"].filled == 3
        assert view.row
        assert view.row.key == "clocks.c2"


async def test_the_log_stands_still_under_the_tray(tmp_path: Path) -> None:
    """While a result lies over it; then it follows."""
    async with playing(tmp_path, 5, 0, bridge=True) as (pilot, _):
        for n in range(9):
            await pilot.press("n")
            await typed(pilot, f"note {n}")
            await pilot.press("enter")
        await pilot.press("up")
        above = [line for line in seen(pilot).splitlines() if "note 2" in line or "note 3" in line]
        await pilot.press("r", "n", "enter")
        assert [line for line in seen(pilot).splitlines() if "note 2" in line or "note 3" in line] == above
        await pilot.press("k", "down")
        assert any("rolls NAV" in line for line in seen(pilot).splitlines()[:-3])


async def test_what_is_played_under_a_question_is_in_the_log(tmp_path: Path) -> None:
    """A question may wait for an hour, as in a conflict: what happens meanwhile is logged above the tray, and not under it."""
    async with playing(tmp_path, 5, 0, bridge=True) as (pilot, table):
        for n in range(9):
            await pilot.press("n", *f"note{n}", "enter")
        await pilot.press("r", "n", "enter")
        assert table.snapshot.question
        await pilot.press("n", *"meanwhile", "enter", "n", *"later", "enter")
        lines = seen(pilot).splitlines()
        tray = max(y for y, line in enumerate(lines) if line.startswith("─"))
        assert any("meanwhile" in line for line in lines[:tray])
        await pilot.press("1", "0")
        lines = seen(pilot).splitlines()
        assert any("later" in line for line in lines[:tray])


async def test_a_search_finds_what_only_a_title_names(tmp_path: Path) -> None:
    """A panel's first row that has a line of its own stands for the title, and for the rows that have none."""
    shutil.copytree(EXAMPLES / "soft-answer", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "soft-answer" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(100, 30), text=text, bridge=True) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        await pilot.press("alt+1", "0", "slash")
        await typed(pilot, "Ropewalk")
        found = list[str]()
        for _ in range(2):
            assert screen.window.row
            found.append(screen.window.row.key.split(".fallout")[0])
            await pilot.press("down")
        # One is what somebody is to it, the other is itself.
        assert found == ["crew.venn", "npcs.ropewalk"]


async def test_a_large_window_shows_what_rows_are_about(tmp_path: Path) -> None:
    """Where the log stands beside the bridge, descriptions are in sight without the cursor; where it stands below, the log has the room
    once it isn't short any more.
    """
    for size, notes, described in (((200, 50), 9, True), ((120, 36), 1, True), ((120, 36), 9, False)):
        async with playing(tmp_path / f"{size[0]}-{notes}", size=size, bridge=True) as (pilot, _):
            for _ in range(notes):
                await pilot.press("n", "a", "enter")
            assert ("communicate, detect, compute" in seen(pilot)) is described


async def test_the_log_has_a_heading_only_with_an_entry_under_it(tmp_path: Path) -> None:
    """Where the panels leave no room for an entry, there is no log. So it is in windows of every height."""
    tenacity = EXAMPLES / "tenacity" / "campaign.toml"
    logs, text = 0, tenacity.read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 20), text=text) as (pilot, _):
        await pilot.press("0", "n", *"wrote", "enter")
        for height in range(20, 32):
            await pilot.resize_terminal(80, height)
            await pilot.pause()
            lines = seen(pilot).splitlines()
            for number, line in enumerate(lines):
                if line.startswith("  Log ─"):
                    logs += 1
                    assert "▰" not in lines[number + 1]
    assert logs > 3


@pytest.mark.parametrize(
    ("size", "is_there"), [((120, 36), True), ((80, 40), True), ((80, 24), False), ((200, 50), False)]
)
async def test_the_log_stands_under_a_ship_that_leaves_lines_free(
    tmp_path: Path, size: tuple[int, int], is_there: bool
) -> None:
    """Not where fewer than five lines are left, and not where the log stands beside the view. It follows, and keeps its place."""
    async with playing(tmp_path, size=size) as (pilot, _):
        assert isinstance(pilot.app.screen, MainScreen)
        view = pilot.app.screen.window.views["ship"]
        await pilot.press("n")
        await typed(pilot, "The lamps go out")
        await pilot.press("enter", "tab")
        lines = [line.text for line in view.page.lines]
        heading = [y for y, line in enumerate(lines) if line.startswith("  Log ─")]
        assert len(heading) == is_there
        assert any("The lamps go out" in line for line in lines) == is_there
        await pilot.press("end")
        assert [y for y, line in enumerate(view.page.lines) if line.text.startswith("  Log ─")] == heading


async def test_a_large_bridge_cuts_no_text_above_free_lines(tmp_path: Path) -> None:
    """First what people are, then what their things are about."""
    tool = f'primary = {{ name = "chalk", about = "{"Marks the way, " * 8}" }}\n'
    few = "".join(f"\n[crew{person}{tool}" for person in CREW.split("\n[crew")[1:3])
    async with playing(tmp_path, size=(200, 50), text=CAMPAIGN + few, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter")
        columns = (
            [line[start:end].strip() for line in seen(pilot).splitlines()] for start, end in ((45, 89), (89, 134))
        )
        text = " ".join(" ".join(column) for column in columns)
        assert text.count("that came to be") == 2
        assert 0 < text.count("Marks the way") < 16


async def test_what_has_no_line_of_its_own_is_named_where_lines_are_free(tmp_path: Path) -> None:
    """Under what is vital, of all people or of none, before anything stands only as a number."""
    text = (EXAMPLES / "half-measure" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 19), text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        shown = seen(pilot)
        assert re.search(r"Wenna  Master.*\n.*Vitality ● ● ●.*\n.*Gut feelings  Sharp mind", shown)
        assert not re.search(r"\d more", shown)
        for name in (
            "Dead reckoning",
            "polite slate",
            "Flex muscles",
            "magnet boots",
            "Sweet-talk the drive",
            "tether gun",
        ):
            assert name in shown


async def test_rows_take_lines_of_the_log_that_say_less(tmp_path: Path) -> None:
    """Where one line more shows what ten rows say in full, the log has one line less."""
    text = (EXAMPLES / "half-measure" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        shown = seen(pilot)
        assert "Log ─" in shown
        for row in ("Sharp mind Investigate, SigInt", "polite slate +1d6", "lance +2d6", "#2 GRAPNEL"):
            assert row in shown


async def test_what_a_ship_is_about_stands_above_a_log_with_room(tmp_path: Path) -> None:
    """Its texts have their lines before the log has more than six of entries."""
    shutil.copytree(EXAMPLES / "lot-nine", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "lot-nine" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(100, 30), text=text, bridge=True) as (pilot, _):
        for number in range(8):
            await pilot.press("n", f"{number}", "enter")
        await pilot.press("0")
        lines = seen(pilot).splitlines()
        assert any("Wreck   The Amaranth" in line for line in lines)
        log = next(y for y, line in enumerate(lines) if " Log ─" in line)
        assert sum(line[:6].strip() != "" for line in lines[log + 1 : -3]) >= 6


async def test_a_bridge_that_leaves_no_room_for_the_log_has_that_room_itself(tmp_path: Path) -> None:
    """No tool or module is left to a title while lines stay empty."""
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        shown = seen(pilot)
        assert "Log ─" not in shown
        for name in (
            "tether gun",
            "the good spanner",
            "field surgery",
            "listening set",
            "FALL DOORS",
            "Relight the lantern",
        ):
            assert name in shown
        assert " more" not in shown


@pytest.mark.parametrize(("size", "named"), [((100, 20), "✓ #1 AFTERBURNERS"), ((96, 20), "✓ #1 AFTERBURNERS")])
async def test_what_has_no_line_is_named_beside_the_title(tmp_path: Path, size: tuple[int, int], named: str) -> None:
    """A module that is whole, where there is no room for its row. What a person does is said once, in the heading, and all people
    are laid out alike.
    """
    module = '\n[ship.modules.2]\nname = "FOG EYE"\nkind = "passive"\ndestroyed = true\n'
    text = CAMPAIGN.replace('name = "Lars"', 'name = "Lars"\nrole = "Pilot"').replace(
        "\n[crew.lars]", f"{module}\n[crew.lars]"
    )
    async with playing(tmp_path, size=size, text=text + CREW + CLOCKS, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        shown = seen(pilot)
        assert re.search(f"Modules ─+ .*{named}", shown)
        assert "✗ #2 FOG EYE destroyed" in shown
        assert shown.count("Pilot") == len(re.findall("(Lars|Odile|Bram|Tove|Wick|Ansel)  Pilot", shown)) > 0
        lines = [
            line.text[line.text.find("Vitality") :] for line in bridge(pilot).page.lines if "Vitality" in line.text
        ]
        assert len({line.split("Focus")[0] for line in lines}) == 1


async def test_clocks_are_in_sight_beside_a_ship_in_trouble(tmp_path: Path) -> None:
    """Where they don't fit under the ship, they stand under the crew; all words about the ship are on one line."""
    module = '\n[ship.modules.{}]\nname = "M"\nkind = "passive"\ndestroyed = true\n'
    trouble = "\n[ship.tokens]\nintegrity = false\n" + "".join(map(module.format, (2, 3, 4)))
    text = CAMPAIGN.replace("focus = 1", "focus = 1\nwrecked = true").replace(
        "\n[crew.lars]", f"{trouble}\n[crew.lars]"
    )
    four = "\n[clocks".join(CLOCKS.split("\n[clocks")[:5])
    async with playing(tmp_path, size=(80, 24), text=text + four, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        lines = [line.text for line in bridge(pilot).page.lines]
        assert sum("Threat" in line[39:] for line in lines) == 4
        assert any("✗ Wrecked  ✗ mission ended  action" in line for line in lines)


async def test_an_empty_log_leaves_its_room_to_the_sheet(tmp_path: Path) -> None:
    """With the first entries each has a line, and the sheet keeps its rows as they are. Then dice are small, and what the ship is about
    stays beside a long log.
    """
    text = CAMPAIGN.replace("[ship]", '[ship]\nabout = "An old tug"')
    async with playing(tmp_path, size=(120, 36), text=text, bridge=True) as (pilot, _):
        before = [line.text[:80] for line in bridge(pilot).page.lines[:20]]
        for number in range(9):
            assert "An old tug" in seen(pilot)
            assert number > 3 or [line.text[:80] for line in bridge(pilot).page.lines[:20]] == before
            await pilot.press("n", *f"note{number}", "enter", "0")
            assert "follows" in seen(pilot)
            assert all(f"note{earlier}" in seen(pilot) for earlier in range(number + 1))


async def test_of_two_lines_for_the_log_none_stays_blank(tmp_path: Path) -> None:
    """Where no more are left under ship and crew, both are entries."""
    async with playing(tmp_path, size=(80, 21), bridge=True) as (pilot, _):
        await pilot.press("n", *"first", "enter", "n", *"last", "enter", "j")
        lines = [line.text for line in bridge(pilot).page.lines]
        *_, heading, first, last = lines
        assert heading.startswith("  Log ─")
        assert (first[7:].strip(), last[7:].strip()) == ("first", "last")


async def test_a_result_hides_nothing_while_a_column_stands_empty(tmp_path: Path) -> None:
    """The ship's last panel stands under the clocks where its own column would reach under a result."""
    clock = "\n[clocks".join(CLOCKS.split("\n[clocks")[:2])
    text = CAMPAIGN.replace("[ship]", '[ship]\nabout = "An old tug, small and patched, and yours"') + clock
    async with playing(tmp_path, 6, 3, size=(120, 36), text=text, bridge=True) as (pilot, _):
        await pilot.press("r", "n", "enter")
        shown = seen(pilot)
        assert "↓ more" not in shown
        for name in ("#4", "manoeuvre", "Mission", "unnamed", "Threat 0"):
            assert name in shown


async def test_people_stand_under_the_clocks_rather_than_lose_a_row(tmp_path: Path) -> None:
    """Seven of them with all that they are, where one clock leaves its column nearly empty. It stays as large as it was."""
    text = CAMPAIGN + CREW + "\n[clocks".join(CLOCKS.split("\n[clocks")[:2])
    async with playing(tmp_path, size=(120, 36), text=text, bridge=True) as (pilot, _):
        right = [line[80:].strip() for line in seen(pilot).splitlines()]
        assert seen(pilot).count("Role  Pilot") == 5
        assert sum(line.startswith("Role  Pilot") for line in right) == 2
        assert "⡠⠒⠊" in "".join(right)


async def test_no_text_is_cut_while_its_column_has_free_lines(tmp_path: Path) -> None:
    """What a clock comes to goes on under itself, with a blank line before the next clock; so does what a row says."""
    clocks = "".join(
        f'\n[clocks.c{n}]\nname = "Threat {n}"\nkind = "death"\nsegments = 6\noutcome = "Eleven hulls come through the shoals at night"\n'
        for n in range(4)
    )
    mission = '\n[mission]\nname = "Light the lamp, and keep it lit until long past daybreak"\n'
    async with playing(tmp_path, text=CAMPAIGN + mission + CREW + clocks, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert "daybreak" in seen(pilot)
        lines = [line.text[80:].rstrip() for line in bridge(pilot).page.lines]
        assert "".join(lines).count("at night") == 4
        heads = [number for number, line in enumerate(lines) if "Threat" in line]
        assert not any(lines[number - 1] for number in heads[1:])


async def test_the_name_of_a_clock_goes_on_below_its_bar(tmp_path: Path) -> None:
    """Where it has no room beside it, and there are lines for it."""
    name = "The way down to the strongroom of the Amaranth"
    clock = f'\n[clocks.way]\nname = "{name}"\nkind = "push"\nsegments = 6\noutcome = "The door is open"\n'
    async with playing(tmp_path, size=(40, 32), text=CAMPAIGN + clock, bridge=True) as (pilot, _):
        words = " ".join(seen(pilot).split())
        assert f"0/6 {name} The door is open" in words


@pytest.mark.parametrize(("size", "said"), [((100, 30), "4/8 The grain convoy  death"), ((120, 36), "4/8  death")])
async def test_a_clock_has_a_face_only_if_its_slices_can_be_counted(
    tmp_path: Path, size: tuple[int, int], said: str
) -> None:
    """Below five lines it has a bar; in either way it says its kind, or that it is full."""
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=size, text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        shown = seen(pilot)
        assert said in shown
        assert "✓ full" in shown
        faces = [line for line in shown.splitlines() if any("\u2800" < char <= "\u28ff" for char in line)]
        assert len(faces) == (20 if size == (120, 36) else 0)


async def test_words_take_the_lines_between_panels(tmp_path: Path) -> None:
    """In a low window, no row is cut while a blank line stands in its column."""
    shutil.copytree(EXAMPLES / "return-to-sender", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "return-to-sender" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert "To: whoever asks for it" in " ".join(seen(pilot).split())


@pytest.mark.parametrize(("clocks", "name", "has_strip"), [(2, "Threat 1", False), (12, "Threat 5", True)])
async def test_clocks_are_said_once(tmp_path: Path, clocks: int, name: str, has_strip: bool) -> None:
    """A small bridge with all clocks in sight, also over a usual tray, needs no strip of them. With one below, it has only the strip."""
    text = CAMPAIGN + "\n[clocks".join(CLOCKS.split("\n[clocks")[: clocks + 1])
    async with playing(tmp_path, size=(60, 30), text=text, bridge=True) as (pilot, _):
        assert isinstance(pilot.app.screen, MainScreen)
        frame = pilot.app.screen.window.frame
        assert frame
        assert bool(frame.strip.height) is has_strip
        assert seen(pilot).count(name) == 1


async def test_clocks_under_the_tray_are_in_the_strip(tmp_path: Path) -> None:
    """While a line or a result lies over them. The strip lies over the last line of the view, so that nothing else moves."""
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, 6, 6, 2, size=(100, 30), text=text, bridge=True) as (pilot, _):
        await pilot.press("n", "a", "enter", "0")
        assert "✓ Relight" not in seen(pilot)
        before = [line.text for line in bridge(pilot).page.lines[:8]]
        await pilot.press("colon")
        assert "✓ Relight the l…  ▰▰▰▰▱▱▱▱ grain convoy 4/8" in seen(pilot)
        assert [line.text for line in bridge(pilot).page.lines[:8]] == before
        await pilot.press("escape")
        assert "✓ Relight" not in seen(pilot)


@pytest.mark.parametrize("size", [(60, 18), (40, 20)])
@pytest.mark.parametrize("example", ["tenacity", "slack-water", "half-measure"])
async def test_everybody_has_a_line_before_anybody_has_rows(
    tmp_path: Path, size: tuple[int, int], example: str
) -> None:
    """In a window in which ship and crew stand below one another: also over the welcome. What is wrong with somebody is in that line, and a
    key for its row works there.
    """
    shutil.copytree(EXAMPLES / example, tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / example / "campaign.toml").read_text(encoding="utf-8")
    names = {"tenacity": "Odile Bram Tove Wick", "slack-water": "Hesper Dov Pim", "half-measure": "Wenna Osk Tam"}
    async with playing(tmp_path, size=size, text=text, bridge=True) as (pilot, _):
        lines = [line.removeprefix("▸").strip() for line in seen(pilot).splitlines()]
        for name in names[example].split():
            (line,) = (line for line in lines if line.startswith(name))
            assert line.endswith("! Exposed") == (example == "tenacity")
            assert name != "Tove" or ("✗ signal lamp" if size[0] > 40 else "✗ 1") in line
        if example == "tenacity":
            await pilot.press("end", "up")
            row = bridge(pilot).row
            assert row
            assert row.key.startswith("crew.")
            assert re.search(f"▸ (. )?{row.label}", seen(pilot))


async def test_a_low_window_has_clocks_in_the_strip_alone(tmp_path: Path) -> None:
    """Where the tray would cover the list more often than not. The strip has whole names as long as no row lacks a line for that."""
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        assert seen(pilot).count("grain convoy") == 1
        await pilot.press("n", "a", "enter")
        shown = seen(pilot)
        for name in (
            "✓ Relight the lantern",
            "The grain convoy 4/8",
            "What learned to count 4/6",
            "Open to the Veil 2/4",
        ):
            assert shown.count(name) == 1
        assert "Willpower" in shown


async def test_a_row_has_its_heading_above_a_tall_tray(tmp_path: Path) -> None:
    """Two lines of the view are left: the heading and the row under the cursor, which say whose it is."""
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        await pilot.press("colon")
        first, second = seen(pilot).splitlines()[1:3]
        assert first.startswith("  Tenacity ─")
        assert "Odile" in first
        assert second.startswith("▸   Focus")


def test_the_log_below_begins_with_an_act(tmp_path: Path) -> None:
    """What came of an act isn't there without the act: an act that doesn't fit is left out, and never cut while others fill half of
    the lines.
    """
    table = table_at(written(tmp_path, CAMPAIGN), 5, 1, 1)
    play(table, "clock Storm death", "tick storm", "damage ship", "note Over")
    whole = render_tail(table.snapshot, table.entry, INK, 80, 40).lines
    assert any(not line.text[1:6].strip() for line in whole)
    for height in range(1, len(whole)):
        lines = render_tail(table.snapshot, table.entry, INK, 80, height).lines
        assert len(lines) == height
        texts = [line.text.rstrip() for line in lines]
        filled = texts[: 1 + max(y for y, text in enumerate(texts) if text)]
        heads = [y for y, text in enumerate(filled) if ":" in text[:4]]
        assert heads[0] == 0
        newer = len(filled) - heads[1] if len(heads) > 1 else 0
        assert 2 * newer < height or filled[: heads[1]] == [line.text.rstrip() for line in whole][-len(filled) : -newer]


def test_what_players_do_not_see_is_marked_also_where_its_entry_is_cut(tmp_path: Path) -> None:
    """The first of the latest entries may lack lines, but neither the sign nor the outcome at the end of its sentence."""
    table = table_at(Path(shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")))
    table.play(table.understand(f"secret {' '.join(['long'] * 60)}"))
    lines = render_tail(table.snapshot, table.entry, INK, 60, 3).lines
    assert "⊘" in next(line.text for line in reversed(lines) if line.text.strip())


async def test_people_stand_under_the_ship_where_that_hides_fewer_of_their_rows(tmp_path: Path) -> None:
    """All alike, while half of the window would be empty beside them."""
    text = 'format = 1\nname = "Calm"\nsystem = "emissaries"\nlog = "0001:0"\n' + "".join(
        f'\n[crew.{name.lower()}]\nname = "{name}"\n' for name in ("Mara", "Joss", "Imre")
    )
    async with playing(tmp_path, size=(80, 24), text=text, bridge=True) as (pilot, _):
        assert seen(pilot).count("Background not chosen yet") == 3
        assert len(re.findall("Mind ◆ ◆ 2", seen(pilot))) == 3
        assert "more" not in seen(pilot)


async def test_a_wide_window_has_everybody_in_sight_over_a_tray(tmp_path: Path) -> None:
    """Where the log stands beside the Bridge, the ends of texts give way to rows that the tray would cover as it tells of an act."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, 3, 5, size=(200, 50), text=text, bridge=True) as (pilot, _):
        await pilot.press("r", "n", "enter")
        await drained(pilot)
        assert "Willpower" in seen(pilot)
        assert "↓ more" not in seen(pilot)
        assert "Opens things" not in seen(pilot)


async def test_people_stand_under_the_ship_where_they_have_no_line_for_each_row_elsewhere(tmp_path: Path) -> None:
    """In the largest window, no text of four people with long sheets is cut while the ship's column is empty."""
    shutil.copytree(EXAMPLES / "soft-answer", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "soft-answer" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(200, 50), text=text, bridge=True) as (pilot, _):
        await pilot.press("C", "enter", "0")
        lines = [line.text for line in bridge(pilot).page.lines]
        assert any(line.startswith("  Venn Adaro") for line in lines)
        assert any("Harbourmaster Quell ─" in line for line in lines)
        assert not any("…" in line or "more" in line for line in lines)


async def test_the_largest_bridge_cuts_no_role_above_free_lines(tmp_path: Path) -> None:
    """It gives up the lines between people for that, and shows no description instead."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path, dirs_exist_ok=True)
    text = (EXAMPLES / "tenacity" / "campaign.toml").read_text(encoding="utf-8")
    async with playing(tmp_path, size=(200, 50), text=text, bridge=True) as (pilot, _):
        lines = [line.text for line in bridge(pilot).page.lines]
        assert not any("…" in line for line in lines)
        assert any("the rest of us miss" in line for line in lines)
