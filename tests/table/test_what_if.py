"""What if: a copy to try things in, of which nothing happens, or all of it as one act."""

import shutil
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.app import CAMPAIGN, closed, drained, seen
from tests.kit.lines import Lines
from tests.kit.table import Falling, but_the_mark, ticking, written
from tests.kit.thorough import examples
from tests.table.test_walks import drawn_act, file_of
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import ActRefused
from waylog.store.players.pause_and_presence import ask_for_pause, end_pause
from waylog.table import Table
from waylog.what_if import WhatIf

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


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
@settings(max_examples=examples(5))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_nothing_tried_happens_until_it_is_made_real(example: Path, data: st.DataObject, seed: int) -> None:
    """No file changes while things are tried. Made real, the file and what is open are as in the copy, and one undo takes all back."""
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
                copy.play(drawn_act(data, copy))
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
            with pytest.raises(ActRefused, match="nothing has been tried"):
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
    """Then nothing happens at all, and the reason is the rule's."""
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
    with pytest.raises(ActRefused, match="in the campaign itself"):
        copy.make_real()
    copy.leave()
    assert real.snapshot.entries == 1


async def go(table: Table, *keys: str) -> tuple[Table, str, str]:
    """Where some keys lead from there, with the tab; and what was shown before the last of them."""
    app = WayfinderApp(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for key in keys[:-1]:
            await pilot.press(key)
            await drained(pilot)
        shown = seen(pilot)
        await closed(pilot, keys[-1])
    assert app.next_table
    return app.next_table, shown, app.next_tab


async def test_a_key_leads_into_it_and_back_and_another_makes_it_so(only_small_game: None, tmp_path: Path) -> None:
    """Every screen of it says so and names both keys; on the way out it says what became of it. The tab stays."""
    real = at(written(tmp_path / "swallow"))

    copy, _, tab = await go(real, "4", "tilde")
    assert tab == "clocks"
    left, shown, _ = await go(copy, "n", "x", "enter", "tilde")
    assert "WHAT IF · 1 action" in shown
    assert "nothing you do here is real. [~] go back · [Ctrl+S] make it so" in shown
    assert (left, real.snapshot.entries) == (real, 0)
    copy, shown, _ = await go(real, "tilde")
    assert "none of that happened" in shown
    left, _, _ = await go(copy, "n", "x", "enter", "ctrl+s")
    assert (left, real.snapshot.entries, real.snapshot.act[0].heading) == (real, 1, "Note: x")


async def test_brackets_step_through_the_acts_and_back_to_now(only_small_game: None, tmp_path: Path) -> None:
    """Every screen says which entry it stands after. What is tried there can't be made real. Before the first act there is nothing."""
    real = at(written(tmp_path / "swallow"))
    for line in ("tick storm", "note b"):
        real.play(real.understand(line))
    earlier, _, _ = await go(real, "left_square_bracket")
    assert earlier.snapshot.as_of == 1
    assert (earlier.snapshot.entries, [entry.number for entry in earlier.snapshot.act]) == (1, [1]), "nothing later"
    first, shown, _ = await go(earlier, "3", "n", "x", "enter", "left_square_bracket")
    assert "AS OF ENTRY 1" in shown
    assert "[ earlier · ] later" in shown
    assert isinstance(earlier, WhatIf)
    earlier.leave()
    assert (first.snapshot.as_of, first.snapshot.clocks["storm"].filled) == (0, 0)
    assert isinstance(first, WhatIf)
    first.play(first.understand("note tried"))
    with pytest.raises(ActRefused, match="moved on"):
        first.make_real()
    second, _, _ = await go(first, "right_square_bracket")
    first.leave()
    now, _, _ = await go(second, "right_square_bracket")
    assert isinstance(second, WhatIf)
    second.leave()
    assert now is real
    assert (real.step_act(0, -1), real.step_act(2, 1), real.snapshot.entries) == (None, None, 2)


def test_line_mode_tries_goes_back_and_makes_it_so(tmp_path: Path) -> None:
    """By words. The prompt and the state say that nothing is real; what others did meanwhile is told, and a pause is heard."""
    folder = written(tmp_path, CAMPAIGN)
    lines, other = Lines(folder), at(folder)
    before = everything(folder)
    assert "nothing you do here is real" in lines.type("What if.")[0]
    lines.type("award focus ship 1")
    assert (lines.loop.prompt, lines.type("status")[0]) == ("what if> ", "What if: nothing you do here is real.")
    assert everything(folder) == before
    assert lines.type("what if end") == ["Back in the campaign. None of that happened."]
    assert "no what if to end" in lines.type("make it so")[0]
    lines.type("~")
    lines.type("award focus ship 1")
    lines.type("note Tried")
    other.play(other.understand("note Of another window"))
    ask_for_pause(folder)
    assert "Somebody asks for a pause." in lines.type("status")
    end_pause(folder)
    said = lines.type("make it so")
    assert "Of another window" in said[1]
    assert "It has happened. One undo reverses all of it." in said
    assert (lines.loop.prompt, lines.table.snapshot.entries) == ("> ", 3)
    assert "Tried" in " ".join(lines.type("log"))
    lines.type("undo")
    assert "focus = 1" in (folder / "campaign.toml").read_text()


async def test_curly_brackets_step_through_the_scenes(only_small_game: None, tmp_path: Path) -> None:
    """Back to where the scene or the session began, then to the one before; forward to the next, and to now."""
    real = at(written(tmp_path / "swallow"))
    for line in ("note a", "session begin", "note b", "scene Fog", "tick storm", "note c"):
        real.play(real.understand(line))
    fog, shown, _ = await go(real, "left_curly_bracket")
    assert (fog.snapshot.as_of, fog.snapshot.clocks["storm"].filled) == (4, 0)
    session, shown, _ = await go(fog, "left_curly_bracket")
    assert "{ } by scene" in shown
    assert isinstance(fog, WhatIf)
    fog.leave()
    again, _, _ = await go(session, "right_curly_bracket")
    assert (session.snapshot.as_of, again.snapshot.as_of) == (2, 4)
    assert isinstance(session, WhatIf)
    session.leave()
    now, _, _ = await go(again, "right_curly_bracket")
    assert isinstance(again, WhatIf)
    again.leave()
    assert now is real
    assert (real.step_scene(2, -1), real.step_scene(6, 1), real.step_scene(6, -1)) == (None, None, 4)


async def test_a_timer_that_was_tried_ends_with_it(only_small_game: None, tmp_path: Path) -> None:
    """A timer that runs in the copy is nowhere once one has left. One of the campaign itself goes on meanwhile."""
    real = at(written(tmp_path / "swallow"))
    real.play(real.understand("timer 30m siege"))
    copy, _, _ = await go(real, "tilde")
    copy.play(copy.understand("timer 20m boarding"))
    left, shown, _ = await go(copy, "tilde")
    assert "boarding" in shown
    _, shown, _ = await go(left, "tilde")
    assert left is real
    assert "siege" in shown
    assert "boarding" not in shown
    assert [timer.name for timer in real._state.timers.values()] == ["siege"]
