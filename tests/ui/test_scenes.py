"""Sessions, scenes and secrets by keys, and how the log tells them apart; what players see of clocks."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.table import play, table_at, ticking, written
from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.log.grouped_acts_and_texts import LoggedAct
from waylog.store.players.players_file import FollowedFile
from waylog.table import Table
from waylog.ui.draw.acts_in_log_and_tray import render_day
from waylog.values import replace
from waylog.words.last_evening import evening_in

CLOCKS = """
[clocks.Storm_1]
name = "The storm"
kind = "death"
filled = 2
outcome = "It breaks"
"""


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_a_session_begins_and_ends_by_one_key(tmp_path: Path, size: tuple[int, int]) -> None:
    """`s` and Enter, and its number stands in the bar on every screen; the same again, and it is over (NM-40)."""
    async with playing(tmp_path, size=size) as (pilot, table):
        said = "Session 1" if size[0] >= 72 else " s1 "
        assert said not in seen(pilot).splitlines()[0]
        await pilot.press("s", "enter")
        assert table.snapshot.session == 1
        for key in "12345":
            await pilot.press(key)
            await pilot.pause()
            assert said in seen(pilot).splitlines()[0]
            assert ":" in seen(pilot).splitlines()[0]
        await pilot.press("s", "enter")
        assert table.snapshot.session == 0
        assert said not in seen(pilot).splitlines()[0]
        await pilot.press("3")
        await pilot.pause()
        log = seen(pilot)
        assert "══ Session 1 starts ══" in log
        assert "══ Session 1 ends ══" in log


@pytest.mark.parametrize("width", [200, 60])
async def test_a_long_title_is_whole_in_the_log(tmp_path: Path, width: int) -> None:
    """Of a session or a scene: it goes on in the next line, where the time stands at the end."""
    title = "The first week of the long night under the ice, and what was heard"
    async with playing(tmp_path, size=(width, 50)) as (pilot, table):
        table.play(table.understand(f'session begin "{title}"'))
        table.play(table.understand(f'scene begin "{title}"'))
        looked(pilot)
        await pilot.press("0" if width == 200 else "3")
        await pilot.pause()
        shown = seen(pilot).splitlines()
        left = shown[2].index("Log") if width == 200 else 0
        log = " ".join(line[left:].strip(" ═─▸") for line in shown)
        assert f"Session 1 starts: {title} ══" in log
        assert f"{title} ──" in log


BEFORE = '\n[sessions.1]\nbegan = "2026-01-01 20:00"\nended = "2026-01-01 23:00"\npresent = "Ana, Bo and Cy"\n'


@pytest.mark.clause("NM-40")
async def test_the_session_form_has_those_of_last_time_ticked(tmp_path: Path) -> None:
    """A title is typed behind them, a click or Space leaves somebody out, and all of it is one act with one undo."""
    async with playing(tmp_path, text=CAMPAIGN + BEFORE) as (pilot, table):
        await pilot.press("s")
        shown = seen(pilot)
        assert "Start session 2" in shown
        assert all(f"[x] {name}" in shown for name in ("Ana", "Bo", "Cy"))
        await pilot.press("down", "right", "right", "space")  # Those of the crew come first.
        assert "[ ] Ana" in seen(pilot)
        await pilot.press("down")  # To the title: on a choice, a letter ticks one.
        await typed(pilot, "The long way down")
        await pilot.press("enter")
        session = table.snapshot.sessions["2"]
        assert (session.title, session.present) == ("The long way down", "Bo, Cy")
        await pilot.press("u", "u")
        assert [*table.snapshot.sessions] == ["1"]


@pytest.mark.clause("NM-41")
async def test_the_end_of_a_session_offers_its_recap(tmp_path: Path) -> None:
    """Enter writes it; any other key does what it always does."""
    async with playing(tmp_path / "a") as (pilot, _):
        await pilot.press("s", "enter", "s", "enter")
        assert "Enter writes its recap for the players" in seen(pilot)
        await pilot.press("enter")
        assert "Recap saved: recap-0001.md" in seen(pilot)
        assert (tmp_path / "a" / "recap-0001.md").exists()
    for key, place in (("4", "b"), ("n", "c")):
        async with playing(tmp_path / place) as (pilot, _):
            await pilot.press("s", "enter", "s", "enter", key)
            assert "Enter writes its recap" not in seen(pilot)
            assert not (tmp_path / place / "recap-0001.md").exists()
    async with playing(tmp_path / "d") as (pilot, _):
        await pilot.press("s", "enter", "s", "enter", "escape")
        assert "type :recap to write a recap for players" in seen(pilot), "until something else is done"
        await pilot.press("colon", *"recap", "enter")
        assert (tmp_path / "d" / "recap-0001.md").exists()
        await pilot.press("escape", "escape", "down")
        assert "The session has ended" in seen(pilot) or "Session 1 ends" in seen(pilot)
        assert "type :recap" not in seen(pilot), "once it is saved"


async def test_the_bridge_names_the_scene_that_is_played(tmp_path: Path) -> None:
    """Above the end of the log, until the session ends or undo takes the scene back."""
    async with playing(tmp_path, size=(100, 40)) as (pilot, _):
        await pilot.press("0", "s", "enter", "m")
        await typed(pilot, "Deck 35")
        await pilot.press("enter", "n", "a", "enter")
        assert "Log ── Deck 35 ─" in seen(pilot)
        await pilot.press("u", "u", "u", "u")
        assert "Log ──────" in seen(pilot)
        await pilot.press("U", "U", "s", "enter", "4", "0")
        assert "Log ──────" in seen(pilot)


async def test_the_bar_names_the_scene_where_no_log_does(tmp_path: Path) -> None:
    """Before the campaign's name, which gives way first, as does what players see; not beside a heading that names it already."""
    async with playing(tmp_path, size=(100, 30), text=CAMPAIGN + CLOCKS) as (pilot, _):
        await pilot.press("0", "s", "enter", "m")
        await typed(pilot, "Behind the long door")
        await pilot.press("enter")
        assert "Behind" not in seen(pilot).splitlines()[0]
        for key in "345":
            await pilot.press(key)
            assert "Behind the long" in seen(pilot).splitlines()[0]
        await pilot.press("u", "u")
        assert "Tenacity" in seen(pilot).splitlines()[0]


async def test_what_players_see_names_the_key_back(tmp_path: Path) -> None:
    """Whoever opened it with `p` finds the way out without trying keys."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("p")
        assert "Esc back" in seen(pilot).splitlines()[0]
        await pilot.press("escape")
        assert "Esc back" not in seen(pilot).splitlines()[0]


async def test_a_scene_is_marked_with_a_title_or_without(tmp_path: Path) -> None:
    """`m` and Enter, or a title between, digits and all; each is a line across the log (NM-43)."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("m", "enter", "m")
        await typed(pilot, "Deck 35")
        await pilot.press("enter", "3")
        await pilot.pause()
        assert [table.entry(number).words for number in (1, 2)] == ["scene", 'scene "Deck 35"']
        assert "── A new scene ──" in seen(pilot)
        assert "── Deck 35 ──" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_a_secret_note_says_that_it_is_one(tmp_path: Path, size: tuple[int, int]) -> None:
    """`N` beside `n`; in the tray, the log and the unfolded entry a sign marks what the players don't see."""
    async with playing(tmp_path, size=size) as (pilot, table):
        await pilot.press("n")
        await typed(pilot, "plain")
        await pilot.press("enter", "N")
        assert "players never see it" in seen(pilot)
        await typed(pilot, "it was the keeper")
        await pilot.press("enter")
        assert table.entry(2).facts[0].secret  # a note
        assert seen(pilot).count("⊘") >= 2
        await pilot.press("3", "enter")
        await pilot.pause()
        said = seen(pilot)
        assert "it was the keeper" in said
        assert "⊘ players don't see this entry" in " ".join(said.split())


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_rewinding_says_how_much_goes_and_asks_again(tmp_path: Path, size: tuple[int, int]) -> None:
    """`R` names the acts since the scene began; `R` again takes them back as one; another key leaves them (NM-43)."""
    async with playing(tmp_path, 3, 2, size=size) as (pilot, table):
        await pilot.press("n")
        await typed(pilot, "before")
        await pilot.press("enter", "m", "enter", "r", "c", "enter", "n")
        await typed(pilot, "after")
        await pilot.press("enter", "R")
        said = " ".join(seen(pilot).split())
        assert "2 actions, starting with “Roll CPU”" in said
        await pilot.press("1")
        assert table.snapshot.entries == 4
        await pilot.press("R", "R")
        assert table.entry(5).undoes == (3, 4)
        await pilot.press("3")
        await pilot.pause()
        assert "── Scene rewound ─" in seen(pilot)
        await pilot.press("R")
        assert "There is nothing to rewind in this scene or session" in " ".join(seen(pilot).split())


async def test_a_rewind_takes_what_was_named(tmp_path: Path) -> None:
    """What the question counts is what goes: not what was taken back already, nor a person's edit, nor the session."""
    async with playing(tmp_path) as (pilot, table):
        for words in ("note first", "session begin", "note second", "note third", "session title Night"):
            table.play(table.understand(words))
        table.undo(4)
        table.play(table.understand("set ship.focus 2"))
        looked(pilot)
        await pilot.press("R")
        assert "2 actions, starting with “Note: second" in seen(pilot)
        await pilot.press("enter")
        assert table.entry(8).undoes == (3, 7)


async def test_the_palette_and_the_keys_know_them(tmp_path: Path) -> None:
    """Who does not know the keys finds session, scene, rewind, table and secret; what can't be done now is not listed."""
    async with playing(tmp_path, size=(120, 60)) as (pilot, table):
        await pilot.press("question_mark")
        await pilot.pause()
        said = seen(pilot)
        for words in ("Start or end a session", "Start a scene", "Rewind the scene", "never see"):
            assert words in said
        assert "Roll on a random table" not in said
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("ctrl+p")
        await typed(pilot, "start or end a session")
        await pilot.press("enter", "enter")
        await pilot.pause()
        await pilot.pause()
        assert table.snapshot.session == 1
        await pilot.press("ctrl+p")
        await typed(pilot, "rewind")
        await pilot.press("enter")
        await pilot.pause()
        assert "nothing to rewind" in seen(pilot)


async def test_a_window_that_looks_on_begins_nothing(tmp_path: Path) -> None:
    """Session and rewind say why not."""
    first = table_at(written(tmp_path, CAMPAIGN))
    first.play(first.understand("note hello"))
    first.settle()
    app = WayfinderApp(Table(tmp_path, now=ticking(), chance=table_at(tmp_path)._chance, read_only=True))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        for key in "sR":
            await pilot.press(key)
            assert "read-only" in seen(pilot)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_what_players_see_of_a_clock_is_changed_by_keys(tmp_path: Path, size: tuple[int, int]) -> None:
    """`v` the clock, `V` its count, `o` its outcome, each there and back; the screen says what is hidden (NM-20)."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + CLOCKS) as (pilot, table):
        await pilot.press("4", "V", "enter")
        assert not table.snapshot.clocks["Storm_1"].count_seen
        said = [word for word in seen(pilot).split() if not any("\u2800" <= char <= "\u28ff" for char in word)]
        assert "⊘ players see ?/6" in " ".join(said)
        await pilot.press("V", "enter")
        assert table.snapshot.clocks["Storm_1"].count_seen
        await pilot.press("o", "enter")
        assert not table.snapshot.clocks["Storm_1"].shows_outcome
        await pilot.press("o", "enter", "v", "enter")
        assert not table.snapshot.clocks["Storm_1"].seen
        if size[0] >= 80:
            assert "hidden from players" in seen(pilot)
        await pilot.press("V", "enter", "o", "enter")
        assert not table.snapshot.clocks["Storm_1"].seen
        await pilot.press("v")
        assert "Show “The storm” to the players?" in " ".join(seen(pilot).split())
        await pilot.press("v", "v", "escape")
        assert not table.snapshot.clocks["Storm_1"].seen
        await pilot.press("v", "enter")
        assert table.snapshot.clocks["Storm_1"].seen
        entries = table.snapshot.entries
        await pilot.press("V")
        assert table.snapshot.entries == entries
        await pilot.press("y")
        assert table.snapshot.clocks["Storm_1"].shows_count


async def test_time_passes_by_a_key_of_the_clocks(tmp_path: Path) -> None:
    """The full stop ticks every clock of time (NM-23); `t` is a table here as everywhere."""
    async with playing(tmp_path, text=CAMPAIGN + CLOCKS) as (pilot, table):
        await pilot.press("4", "full_stop", "enter")
        assert table.snapshot.clocks["Storm_1"].filled == 3
        await pilot.press("plus")
        assert table.snapshot.clocks["Storm_1"].filled == 4
        await pilot.press("T")
        assert "New table" in seen(pilot)
        assert table.snapshot.clocks["Storm_1"].filled == 4


async def test_the_effect_of_a_full_clock_is_one_key(tmp_path: Path) -> None:
    """It is offered where the clock filled, as cards and tables offer theirs (NM-25)."""
    text = CAMPAIGN + CLOCKS.replace("filled = 2", 'filled = 5\nwhen_full = "damage ship"')
    async with playing(tmp_path, 1, text=text) as (pilot, table):
        await pilot.press("4")
        assert "when full: damage ship" in seen(pilot)
        await pilot.press("plus")
        assert "is full: the ship takes damage" in seen(pilot)
        await pilot.press("E")
        assert table.entry(2).words.startswith("effect storm")
        assert table.entry(2).root == 1


async def test_p_shows_what_the_players_see(tmp_path: Path) -> None:
    """One key from any screen, without what is secret; the same key, or Escape, goes back to where one was."""
    async with playing(tmp_path) as (pilot, _):
        for key, text in (("n", "for everybody"), ("N", "for nobody")):
            await pilot.press(key)
            await typed(pilot, text)
            await pilot.press("enter")
        await pilot.press("4", "p")
        await pilot.pause()
        assert "for everybody" in seen(pilot)
        assert "for nobody" not in seen(pilot)
        await pilot.press("p")
        await pilot.pause()
        assert "4 Clocks" in seen(pilot)


@pytest.mark.parametrize("how", ["the players' view is opened", "somebody begins to watch"])
async def test_players_can_follow_from_the_moment_somebody_looks(tmp_path: Path, how: str) -> None:
    """Nothing has to be played for that, and what is played later is there as well."""
    players = tmp_path / "players.toml"

    async def written_with(text: bytes) -> None:
        looked(pilot)
        while not players.exists() or text not in players.read_bytes():
            await pilot.pause(0.02)

    async with playing(tmp_path) as (pilot, table):
        if how.startswith("somebody"):
            FollowedFile(tmp_path, "").look()
        else:
            await pilot.press("p")
            await pilot.press("p")
        await written_with(b"Lars")
        table.play(table.understand("note On we go"))
        await written_with(b"On we go")


OMEN = """
[clocks.omen]
name = "The bell"
kind = "augury"
filled = 2
outcome = "It is under us"
"""


async def test_undo_names_what_players_would_see_again(tmp_path: Path) -> None:
    """Undo, redo and rewind say so before they show a clock, its progress, or cards; of what is seen anyway they do not."""
    async with playing(tmp_path, text=CAMPAIGN + OMEN) as (pilot, table):
        for line in ("scene Dark", "hide clock omen", "hide clock omen count"):
            table.play(table.understand(line))
        looked(pilot)
        for key in ("u", "R"):
            await pilot.press(key)
            shown = "The players would see “The bell”" in " ".join(seen(pilot).split())
            assert shown is (key == "R")
            await pilot.press("escape")
            assert not table.snapshot.clocks["omen"].seen
        await pilot.press("u", "u", "u")
        assert "The players would see “The bell”" in " ".join(seen(pilot).split())
        await pilot.press("u")
        assert table.snapshot.clocks["omen"].seen
        await pilot.press("U")
        assert "would see" not in seen(pilot)


async def test_the_played_value_that_shows_something_is_asked_about(tmp_path: Path) -> None:
    """`P` settles a conflict at once, but not where players would see something by it."""
    async with playing(tmp_path, text=CAMPAIGN + OMEN) as (pilot, table):
        table.settle()
        text = (tmp_path / "campaign.toml").read_text()
        table.play(table.understand("show clock omen outcome"))
        (tmp_path / "campaign.toml").write_text(f'{text.rstrip()}\noutcome_seen = "no"\n')
        looked(pilot)
        assert table.snapshot.conflicts
        await pilot.press("P")
        assert "The players would see the ending of “The bell”" in " ".join(seen(pilot).split())
        assert not table.snapshot.clocks["omen"].shows_outcome
        await pilot.press("y")
        assert table.snapshot.clocks["omen"].shows_outcome


async def test_a_day_is_said_once_and_a_long_note_has_two_lines(tmp_path: Path) -> None:
    """Above the first act of a day, unless its own heading says it; and no row has a date."""
    async with playing(tmp_path, size=(100, 30)) as (pilot, table):
        await pilot.press("n")
        await typed(pilot, "salt " * 50)
        await pilot.press("enter", "n", *"then", "enter", "3")
        day = f"{table.entry(1).at:%d %b %Y}"
        lines = [line.strip() for line in seen(pilot).splitlines()]
        assert [line for line in lines if day[:6] in line] == [day]
        assert [line.count("salt") > 10 for line in lines[lines.index(day) + 1 :]][:3] == [True, True, False]
        before = LoggedAct((table.entry(1),))
        act = LoggedAct((replace(table.entry(2), at=table.entry(1).at + timedelta(days=1)),))
        assert len(render_day(act, before, INK, 80)) == 1
        begins = replace(act.first, kind=EntryKind.SESSION_BEGINS)
        assert render_day(LoggedAct((begins,)), before, INK, 80) == []


@pytest.mark.clause("NM-42")
async def test_a_note_is_edited_where_it_stands(tmp_path: Path) -> None:
    """`e` on a note opens its text. The new text stands in its place, for players and in the recap, too; the log keeps both, and undo
    brings the old one back. A secret note stays secret. Anything else in the log is refused with a reason.
    """
    async with playing(tmp_path, 6, size=(100, 30)) as (pilot, table):
        table.add_reader()
        for key, text in (("s", ""), ("n", "The ferrymn"), ("N", "He lies"), ("n", "Later")):
            await pilot.press(key)
            await typed(pilot, text)
            await pilot.press("enter")
        await pilot.press("3", "home", "down", "e", "backspace")
        await typed(pilot, "an nods")
        await pilot.press("enter")
        lines = [line.strip() for line in seen(pilot).splitlines()]
        assert any(line.endswith("The ferryman nods") for line in lines)
        assert not any("ferrymn" in line for line in lines)
        assert lines.index(next(line for line in lines if "ferryman" in line)) < lines.index(
            next(line for line in lines if "Later" in line)
        )
        assert "ferryman nods" in str(table.projection().log)
        assert "ferrymn" not in str(table.projection().log)
        assert "ferryman nods" in str(table.recap(1))
        assert "ferrymn" not in str(table.recap(1))
        assert table.entry(5).undoes == (2,)
        table.play(table.understand("reword 3 He lies badly"))
        assert "badly" not in str(table.projection().log)
        assert "badly" in str(table.recap(1, secrets=True))
        for line in ("reword 1 no", "reword 99 no"):
            with pytest.raises(ActRefused):
                table.play(table.understand(line))
        table.undo()
        table.undo()
        assert [entry.words for entry in table.entries() if entry.words.startswith("reword")]
        assert "The ferrymn" in str(table.recap(1))
        await pilot.press("home", "e")
        assert "Here you can edit only notes, scene titles and real dice" in seen(pilot)


@pytest.mark.clause("NM-42", "NM-43")
async def test_the_title_of_a_scene_is_edited_where_it_stands(tmp_path: Path) -> None:
    """`e` on a scene in the log opens its title. The new one stands where the scene begins, in the log, the recap and for players, and
    the log keeps both. A rewind still goes back to that place and leaves the title alone; undo brings the old one back.
    """
    async with playing(tmp_path, 6, size=(100, 30)) as (pilot, table):
        table.add_reader()
        for line in ("session begin", "note first", "scene The peir", "note before", "note after"):
            table.play(table.understand(line))
        await pilot.press("3", "home", "down", "down", "e", "backspace", "backspace", "backspace")
        await typed(pilot, "ier")
        await pilot.press("enter")
        await pilot.pause()
        assert "── The pier ──" in seen(pilot)
        assert "after" in seen(pilot)
        assert "The peir" not in seen(pilot)
        await pilot.press("enter")
        assert "As written: The peir" in seen(pilot)
        changed = table.entry(6)
        assert (changed.kind, changed.undoes) == (EntryKind.TITLE, (3,))
        assert [scene.title for scene in table.recap(1).scenes] == ["", "The pier"]
        assert "The pier" in str(table.projection().log)
        assert evening_in(table.folder).scene == "The pier"
        assert [entry.number for entry in table.scene_so_far()] == [4, 5]
        table.rewind()
        assert [scene.title for scene in table.recap(1).scenes] == ["", "The pier"]
        acts = [act.first.number for act in table.log_search().acts.newest_first()]
        assert {4, 5}.isdisjoint(acts)
        assert {2, 3} <= set(acts)
        table.play(table.understand("reword 6 The quay"))
        assert table.recap(1).scenes[1].title == "The quay"
        table.undo()
        assert table.recap(1).scenes[1].title == "The pier"
        table.undo(3)
        assert table.recap(1).scenes[1].title == "The peir"
        table.play(table.understand("scene"))
        table.play(table.understand("reword 11 Found later"))
        assert table.recap(1, secrets=True).scenes[-1].title == "Found later"


async def test_a_wide_log_has_ship_crew_and_the_details_of_the_act_beside_it(tmp_path: Path) -> None:
    """Without a key, where the window has the room; unfolded, the details stand in the list. Clocks are in the strip."""
    async with playing(tmp_path, size=(200, 40)) as (pilot, table):
        play(table, "note The lamps go out", "note Later")
        await pilot.press("3", "home")
        beside = [line[120:] for line in seen(pilot).splitlines()]
        for words in ("Entry 1,", "AFTERBURNERS", "Mara"):
            assert any(words in line for line in beside), words
        assert not any("Clocks" in line for line in beside)
        await pilot.press("enter")
        assert seen(pilot).count("Entry 1,") == 1


async def test_the_name_of_the_campaign_has_its_room_before_words_about_players(tmp_path: Path) -> None:
    """How many clocks they see is said in fewer words, and the name is whole."""
    text = (EXAMPLES / "half-measure" / "campaign.toml").read_text(encoding="utf-8")
    for width, words in ((120, "2/3 clocks"), (160, "players see 2 of 3 clocks")):
        async with playing(tmp_path / str(width), size=(width, 36), text=text) as (pilot, _):
            await pilot.press("4")
            bar = seen(pilot).splitlines()[0]
            assert words in bar
            assert " Half Measure" in bar
