"""What if: a copy to try things in, of which nothing happens, or all of it as one act."""

import shutil
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, closed, drained, seen
from tests.kit.lines import Lines
from tests.kit.table import Falling, but_the_mark, ticking, written
from tests.kit.thorough import cases, examples
from tests.table.test_walks import drawn_act, file_of
from waylog.app import what_if_and_earlier_moments
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import ActRefused
from waylog.store.players.pause_and_presence import ask_for_pause, end_pause
from waylog.table import Table
from waylog.ui.draw.colours import DIFFERS, ink_of
from waylog.ui.views.why import WhyScreen
from waylog.what_if import WhatIf, look_into

_NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
EXAMPLES = sorted(
    path.parent for path in (Path(__file__).parents[2] / "campaigns" / "examples").glob("*/campaign.toml")
)


def at(folder: Path, *faces: int) -> Table:
    """A table on a small campaign."""
    return Table(folder, now=ticking(), chance=Falling(*faces))


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The bytes of every file and when it was changed."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize("example", cases(EXAMPLES, 0, 3), ids=lambda path: path.name)
@settings(max_examples=examples(5))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_nothing_tried_happens_until_it_is_made_real(example: Path, data: st.DataObject, seed: int) -> None:
    """No file changes while things are tried. Made real, the file and what is open are as in the copy, and one undo takes all back.
    What a die really showed is for the campaign itself: a correction can't be made real.
    """
    with TemporaryDirectory() as name, ExitStack() as leaving:
        folder = Path(name) / example.name
        shutil.copytree(example, folder)
        real = Table(folder, now=lambda: _NOW, chance=ChanceDice(Random(seed).randrange))
        real.play(real.understand("note before"))
        assert real.settle()
        before, known = everything(folder), real.snapshot
        copy = WhatIf(real)
        leaving.callback(copy.leave)
        for _ in range(data.draw(st.integers(1, 6))):
            try:
                copy.play(drawn_act(data, copy, corrects=False))
            except ActRefused:
                continue
            if data.draw(st.integers(0, 4)) == 0:
                copy.undo()
        assert copy.settle()
        assert everything(folder) == before
        assert real.snapshot is known
        tried = copy.snapshot.tried
        if tried:
            copy.make_real()
            assert real.settle()
            assert but_the_mark(file_of(folder)) == but_the_mark(file_of(copy.folder))
            assert real._state.open == copy._state.open
            real.undo()
            assert real.settle()
            assert but_the_mark(file_of(folder)) == but_the_mark(before[str(folder / "campaign.toml")][0].decode())
            assert real.snapshot.moves == known.moves
        else:
            with pytest.raises(ActRefused, match="you haven't tried anything"):
                copy.make_real()
    assert not copy.folder.exists()


def test_what_was_made_real_is_one_act_with_the_same_words_and_dice(only_small_game: None, tmp_path: Path) -> None:
    """Each entry has its own words and time; dice that Waylog rolled are its own, and typed ones stay typed."""
    real = at(written(tmp_path / "swallow"), 3, 4)
    copy = WhatIf(real)
    copy.play(copy.understand("tick storm"))
    copy.play(copy.understand("row boat calm"))
    copy.undo()
    copy.play(copy.understand("row boat calm 5"))
    assert copy.snapshot.tried == 2
    copy.make_real()
    copy.leave()
    entries = [*real.entries()][::-1]
    assert [(entry.words, entry.faces, entry.root) for entry in entries] == [
        ("tick storm", None, 1),
        ("row boat", (5,), 1),
    ]


def test_what_players_did_meanwhile_may_make_it_impossible(only_small_game: None, tmp_path: Path) -> None:
    """If players' acts have made it impossible, nothing happens at all, and the reason is the rule's."""
    real = at(written(tmp_path / "swallow"))
    copy = WhatIf(real)
    copy.play(copy.understand("note first"))
    copy.play(copy.understand("close storm"))
    real.play(real.understand("close storm"))
    entries = real.snapshot.entries
    with pytest.raises(ActRefused):
        copy.make_real()
    copy.leave()
    assert real.snapshot.entries == entries


@pytest.mark.parametrize("tried", ["undo", "edit"])
def test_what_is_no_act_of_its_own_is_not_made_real(tried: str, only_small_game: None, tmp_path: Path) -> None:
    """An undo of what happened before, or an edit of the copy's file, is to be done in the campaign itself."""
    real = at(written(tmp_path / "swallow"))
    real.play(real.understand("tick storm"))
    assert real.settle()
    copy = WhatIf(real)
    copy.play(copy.understand("note tried"))
    assert copy.settle()
    if tried == "undo":
        copy.undo(1)
    else:
        file = copy.folder / "campaign.toml"
        file.write_text(file.read_text().replace("hull = 0x3", "hull = 2"))
        copy.refresh()
    with pytest.raises(ActRefused, match="can't be made real"):
        copy.make_real()
    copy.leave()
    assert real.snapshot.entries == 1


@asynccontextmanager
async def shown(table: Table, size: tuple[int, int] = (100, 30)) -> AsyncIterator[tuple[WayfinderApp, Pilot[None]]]:
    """The app on a table, with its window."""
    app = WayfinderApp(table)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def go(pilot: Pilot[None], *keys: str) -> str:
    """What is shown after some keys, in the same window."""
    window = pilot.app.screen
    await pilot.press(*keys)
    await drained(pilot)
    assert pilot.app.screen is window
    return seen(pilot)


async def test_a_key_leads_into_it_and_back_and_another_makes_it_so(only_small_game: None, tmp_path: Path) -> None:
    """Every screen of it says so and names both keys; on the way out it says what became of it. The tab stays."""
    real = at(written(tmp_path / "swallow"))
    async with shown(real) as (app, pilot):
        await go(pilot, "4", "tilde")
        copy = app.table
        assert isinstance(copy, WhatIf)
        assert app.frame.window.tab == "clocks"
        says = await go(pilot, "n", "x", "enter")
        assert "WHAT IF · 1 action" in says
        assert "nothing you do here is real. [~] go back · [Ctrl+S] make it so" in says
        says = await go(pilot, "tilde")
        assert "none of that happened" in says
        assert "WHAT IF" not in says
        assert "nothing you do here" not in says
        assert (app.table, real.snapshot.entries, copy.folder.exists()) == (real, 0, False)
        says = await go(pilot, "tilde", "n", "x", "enter", "ctrl+s")
        assert "Made real" in says
        assert (app.table, real.snapshot.entries, real.snapshot.act[0].heading) == (real, 1, "Note: x")
    assert app.next_table is None


async def test_the_copy_is_gone_when_the_app_ends_in_it(only_small_game: None, tmp_path: Path) -> None:
    """Nothing of it stays, and what was played before is in the file."""
    real = at(written(tmp_path / "swallow"))
    async with shown(real) as (app, pilot):
        await go(pilot, "4", "plus", "tilde", "plus")
        copy = app.table
        assert (copy.snapshot.clocks["storm"].filled, real.snapshot.clocks["storm"].filled) == (2, 1)
        assert "filled = 1" in (real.folder / "campaign.toml").read_text()
    app.table.leave()
    assert not copy.folder.exists()


async def test_brackets_step_through_the_acts_and_back_to_now(only_small_game: None, tmp_path: Path) -> None:
    """Every screen says which entry it stands after. What is tried there can't be made real. Before the first act there is nothing."""
    real = at(written(tmp_path / "swallow"))
    for line in ("tick storm", "note b"):
        real.play(real.understand(line))
    async with shown(real) as (app, pilot):
        says = await go(pilot, "left_square_bracket")
        assert "AS OF ENTRY 1" in says
        assert "[ earlier  ] later" in says
        earlier = app.table
        assert (earlier.snapshot.as_of, earlier.snapshot.entries) == (1, 1)
        assert [entry.number for entry in earlier.snapshot.act] == [1], "nothing later"
        await go(pilot, "left_square_bracket")
        assert app.table is earlier, "the copy is kept as long as nothing is done in it"
        assert (earlier.snapshot.as_of, earlier.snapshot.clocks["storm"].filled) == (0, 0)
        says = await go(pilot, "left_square_bracket")
        assert "no earlier action" in says
        says = await go(pilot, "n", "x", "enter")
        assert "WHAT IF · 1 action" in says
        assert "nothing you do here is real" in says
        assert isinstance(earlier, WhatIf)
        with pytest.raises(ActRefused, match="moved on"):
            earlier.make_real()
        await go(pilot, "right_square_bracket")
        assert app.table.snapshot.as_of == 1
        assert (app.table is earlier, earlier.folder.exists()) == (False, False)
        says = await go(pilot, "right_square_bracket")
        assert "Back to the present" in says
        assert app.table is real
    assert (real.step_act(0, -1), real.step_act(2, 1), real.snapshot.entries) == (None, None, 2)


BURSTS = {
    "~rb5⏎~": (None, "none of that happened"),
    "[[[]": (2, "AS OF ENTRY 2"),
    "3[[/sto⏎": (2, "1 of 1"),
    "[[~nx⏎": (None, "· entry 5"),
}
"""Keys that are typed at once, with the moment to which they lead, and what is shown then."""


@pytest.mark.parametrize("keys", BURSTS)
async def test_keys_typed_in_one_burst_all_arrive(keys: str, only_small_game: None, tmp_path: Path) -> None:
    """The window stays, so a key waits until the one before it has led into a copy, to another moment or back."""
    real = at(written(tmp_path / "swallow"), 5)
    for line in ("tick storm", "note b", "tick storm", "note c"):
        real.play(real.understand(line))
    as_of, says = BURSTS[keys]
    async with shown(real) as (app, pilot):
        for key in keys:
            app.post_message(events.Key("enter" if key == "⏎" else _character_to_key(key), None if key == "⏎" else key))
        await drained(pilot)
        assert app.table.snapshot.as_of == as_of
        assert says in seen(pilot)


async def test_the_log_at_an_earlier_moment_knows_no_undo_that_came_later(
    only_small_game: None, tmp_path: Path
) -> None:
    """An act that was undone later holds there, and is undone again on the way back to now."""
    real = at(written(tmp_path / "swallow"))
    for line in ("note a", "note b"):
        real.play(real.understand(line))
    real.undo()
    async with shown(real) as (_, pilot):
        assert "undone" in await go(pilot, "3")
        assert "undone" not in await go(pilot, "left_square_bracket")
        assert "undone" in await go(pilot, "right_square_bracket")


async def test_what_is_different_now_is_marked_at_an_earlier_moment(only_small_game: None, tmp_path: Path) -> None:
    """With a sign and a style of the theme, on rows, clocks and decks; the way back to now takes the marks away."""
    real = at(written(tmp_path / "swallow"))
    for line in ("note a", "tick storm", "set boat.hull 1"):
        real.play(real.understand(line))
    async with shown(real) as (app, pilot):
        assert DIFFERS not in await go(pilot, "1")
        says = await go(pilot, "left_square_bracket", "left_square_bracket")
        assert app.table.snapshot.differs == {"boat.hull", "clocks.storm"}
        marked = [line for line in says.splitlines() if DIFFERS in line]
        assert "Hull" in marked[0]
        style = app.screen.get_style_at(marked[0].index(DIFFERS), says.splitlines().index(marked[0]))
        assert style.color == ink_of(app.frame).differs.color
        says = await go(pilot, "4")
        assert f"{DIFFERS}The storm" in says
        says = await go(pilot, "right_square_bracket")
        assert app.table.snapshot.differs == {"boat.hull"}
        assert not any(DIFFERS in line and "storm" in line for line in says.splitlines())
        says = await go(pilot, "tilde", "1")
        assert DIFFERS not in says


async def test_what_has_no_line_of_its_own_is_marked_too(tmp_path: Path) -> None:
    """On the title above modules that share a line, in the clock strip, on cards of a deck and on scene cards."""
    folder = tmp_path / "tenacity"
    shutil.copytree(next(path for path in EXAMPLES if path.name == "tenacity"), folder)
    real = at(folder)
    real.play(real.understand("open twelfth-hull"))
    async with shown(real, (80, 20)) as (app, pilot):
        assert f"{DIFFERS}Modules" not in await go(pilot, "left_square_bracket")
        await pilot.press("O")
        await drained(pilot)
        assert f"{DIFFERS}The twelfth hull" in seen(pilot)
        await closed(pilot, "escape")
        await go(pilot, "left_curly_bracket", "left_curly_bracket")
        differs = app.table.snapshot.differs
        assert "ship.modules.2" in differs
        says = await go(pilot, "0")
        assert f"{DIFFERS}Modules" in says
        assert f"{DIFFERS}✓ #2" not in says
        says = await go(pilot, "5")
        strip = next(line for line in says.splitlines() if "Moorings" in line)
        assert strip.startswith(DIFFERS)
        assert strip.count(DIFFERS) == sum(key.startswith("clocks.") for key in differs)
        says = await go(pilot, "down", "down")
        cards = [key for key in differs if key.startswith("decks.") and ".cards." in key]
        assert len(cards) == 1
        assert [f"{DIFFERS}  ✗ bad" in line for line in says.splitlines() if "The bell rope" in line] == [True]


async def test_a_far_jump_says_that_it_takes_a_while(
    only_small_game: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the entries between have been read, the window says how many they are."""
    real = at(written(tmp_path / "swallow"))
    for line in ("scene", *["note on"] * 4):
        real.play(real.understand(line))
    monkeypatch.setattr(what_if_and_earlier_moments, "_FAR", 3)
    async with shown(real) as (app, pilot):
        news = list[str]()
        monkeypatch.setattr(app.frame, "say", lambda text, **_: news.append(text))
        await go(pilot, "left_square_bracket")
        assert (news, app.table.snapshot.as_of) == ([], 4)
        await go(pilot, "right_square_bracket", "left_curly_bracket")
        await pilot.pause()
        assert (news[-1], app.table.snapshot.as_of) == ("Reading 4 entries …", 1)


async def test_why_and_odds_answer_for_the_moment_that_is_shown(only_small_game: None, tmp_path: Path) -> None:
    """The history of a value ends there, and a roll has the odds that it had."""
    real = at(written(tmp_path / "swallow"))
    then = {}
    for line in ("tick storm", "set boat.hull 1", "tick storm", "set boat.hull 3"):
        real.play(real.understand(line))
        roll = real.understand("row boat calm")
        why = [[entry.number for entry in real.why(path)] for path in (("clocks", "storm"), ("boat", "hull"))]
        then[real.snapshot.entries] = real.odds(roll), why, [*map(str, real.scene_so_far())], real.snapshot.undo
    copy = WhatIf(real, 0)
    for number in (1, 4, 2, 3):
        copy.go_to(number)
        roll = copy.understand("row boat calm")
        why = [[entry.number for entry in copy.why(path)] for path in (("clocks", "storm"), ("boat", "hull"))]
        assert (copy.odds(roll), why, [*map(str, copy.scene_so_far())], copy.snapshot.undo) == then[number]
    copy.leave()
    async with shown(real) as (app, pilot):
        await go(pilot, "1", "left_square_bracket", "left_square_bracket")
        await pilot.press("w")
        await drained(pilot)
        assert isinstance(app.screen, WhyScreen)
        assert "hull 3 → 1" in seen(pilot)
        assert "hull 1 → 3" not in seen(pilot)


def test_line_mode_tries_goes_back_and_makes_it_so(tmp_path: Path) -> None:
    """By words. The prompt and the state say that nothing is real; what others did meanwhile is told, and a pause is heard."""
    folder = written(tmp_path, CAMPAIGN)
    lines, other = Lines(folder), at(folder)
    before = everything(folder)
    assert "nothing you do here is real" in lines.type("What if.")[0]
    lines.type("award focus ship 1")
    assert (lines.loop.prompt, lines.type("status")[0]) == ("what if> ", "What if: nothing you do here is real.")
    assert everything(folder) == before
    assert lines.type("what if end") == ["Back in the campaign: none of that happened."]
    assert "You are already in the present" in lines.type("make it so")[0]
    lines.type("~")
    lines.type("award focus ship 1")
    lines.type("note Tried")
    other.play(other.understand("note Of another window"))
    ask_for_pause(folder)
    assert "Somebody has asked for a pause." in lines.type("status")
    end_pause(folder)
    said = lines.type("make it so")
    assert "Of another window" in said[1]
    assert "Made real. To undo all of it, type “undo”." in said
    assert (lines.loop.prompt, lines.table.snapshot.entries) == ("> ", 3)
    assert "Tried" in " ".join(lines.type("log"))
    lines.type("undo")
    assert "focus = 1" in (folder / "campaign.toml").read_text()


async def test_curly_brackets_step_through_the_scenes(only_small_game: None, tmp_path: Path) -> None:
    """Back to where the scene or the session began, then to the one before; forward to the next, and to now."""
    real = at(written(tmp_path / "swallow"))
    for line in ("note a", "session begin", "note b", "scene Fog", "tick storm", "note c"):
        real.play(real.understand(line))
    async with shown(real) as (app, pilot):
        says = await go(pilot, "left_curly_bracket")
        assert (app.table.snapshot.as_of, app.table.snapshot.clocks["storm"].filled) == (4, 0)
        assert "Esc returns to the present" in says
        for key, number in (("left_curly_bracket", 2), ("right_curly_bracket", 4), ("right_curly_bracket", None)):
            await go(pilot, key)
            assert app.table.snapshot.as_of == number
        assert app.table is real
    assert (real.step_scene(2, -1), real.step_scene(6, 1), real.step_scene(6, -1)) == (None, None, 4)


async def test_a_timer_that_was_tried_ends_with_it(only_small_game: None, tmp_path: Path) -> None:
    """A timer that runs in the copy is nowhere once one has left. One of the campaign itself goes on meanwhile."""
    real = at(written(tmp_path / "swallow"))
    real.play(real.understand("timer 30m siege"))
    async with shown(real) as (app, pilot):
        await go(pilot, "tilde")
        app.table.play(app.table.understand("timer 20m boarding"))
        app.show_table()
        await drained(pilot)
        assert "boarding" in seen(pilot)
        says = await go(pilot, "tilde")
        assert "siege" in says
        assert "boarding" not in says
    assert [timer.name for timer in real._state.timers.values()] == ["siege"]


def test_line_mode_tells_how_it_was(tmp_path: Path) -> None:
    """By an action, by a scene, and at an entry: the act, and what is different now. What is done there is not real; nothing is written."""
    folder = written(tmp_path, CAMPAIGN)
    lines = Lines(folder)
    for line in ("session begin", "scene Fog", "award focus ship 1", "award focus ship 1", "note Late"):
        at(folder).play(at(folder).understand(line))
    lines.type("status")
    before = everything(folder)
    first = lines.type("earlier")
    assert (first[0], lines.loop.prompt) == ("This is an earlier moment, after entry 4.", "at 4> ")
    assert first[1].startswith("4, ")
    assert "Nothing has changed since then." in first
    assert "To come back, type “now”." in first[-1]
    again = lines.type("[")
    assert "Tenacity: Focus goes from 2 to 3." in again
    assert "To come back, type “now”." not in again[-1], "said once"
    assert lines.type("earlier scene")[0] == "This is an earlier moment, after entry 2."
    assert lines.type("at 0")[:1] == ["This is an earlier moment, before the first entry."]
    assert lines.type("status")[0] == "This is an earlier moment."
    assert lines.type("earlier") == ["There is no earlier action."]
    assert lines.type("at 99") == ["There is no entry 99. The last one is 5."]
    assert lines.type("later scene")[0] == "This is an earlier moment, after entry 1."
    assert lines.type("note Not real")[:2] == ["What if, from this moment: nothing you do here is real.", "Not real."]
    assert lines.loop.prompt == "what if> "
    assert lines.type("now") == ["Back in the campaign: none of that happened."]
    assert (lines.type("later"), lines.loop.prompt) == (["You are already in the present."], "> ")
    lines.type("at 4")
    assert lines.type("later") == ["Back to the present."]
    assert everything(folder) == before


def test_what_a_file_of_today_names_is_no_problem_of_an_earlier_moment(tmp_path: Path) -> None:
    """A scene card may name a clock that had not begun."""
    shutil.copytree(next(path for path in EXAMPLES if path.name == "lot-nine"), tmp_path / "lot-nine")
    earlier = look_into(Table(tmp_path / "lot-nine", now=ticking(), chance=Falling()), 17)
    assert isinstance(earlier, WhatIf)
    assert len(earlier.snapshot.clocks) == 2
    assert not earlier.snapshot.problems
    earlier.leave()
