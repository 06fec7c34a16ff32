"""Twenty overrulings of a real table, each in one line: at a shell, in line mode, and in the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.app import playing, seen
from tests.kit.cli import CommandLine
from tests.kit.lines import Lines
from tests.kit.table import saved, table_at, text_of
from tests.kit.thorough import cases
from tests.whole.overrulings import OVERRULINGS, Overruling, begin
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table, Unanswered

EACH = pytest.mark.parametrize("one", OVERRULINGS, ids=lambda one: one.wish)


def holds(one: Overruling, table: Table) -> LogEntry:
    """One entry has come of the line; it says what was overruled, by its clause, and undo takes all of it back."""
    (entry,) = table.entries()
    assert entry.words.startswith(one.line.split(maxsplit=1)[0])
    ruled = {fact.clause for fact in entry.facts if isinstance(fact, NoteFact) and fact.text.startswith("Overruled: ")}
    assert (one.clause in ruled) if one.clause else not ruled
    return entry


def test_there_are_twenty() -> None:
    """Each is another line."""
    assert len({(one.campaign, one.line) for one in OVERRULINGS}) == 20


@EACH
def test_at_a_shell(one: Overruling, tmp_path: Path) -> None:
    """The line behind `do`, and an undo."""
    folder = begin(tmp_path / "trial", one.campaign)
    waylog = CommandLine(tmp_path)
    before = text_of(folder)
    ran = waylog("do", "trial", *one.line.split())
    assert (ran.code, ran.err) == (0, "")
    assert ("Overruled: " in ran.out) is bool(one.clause)
    holds(one, table_at(folder))
    waylog.done("undo", "trial")
    after = [line for line in text_of(folder).splitlines() if not line.startswith("log = ")]
    assert after == [line for line in before.splitlines() if not line.startswith("log = ")]


@EACH
def test_in_line_mode(one: Overruling, tmp_path: Path) -> None:
    """The same line."""
    lines = Lines(begin(tmp_path / "trial", one.campaign))
    lines.dice.left = [1] * 9
    said = lines.done(one.line)
    assert any("Overruled: " in line for line in said) is bool(one.clause)
    holds(one, lines.table)


@pytest.mark.asyncio
@pytest.mark.parametrize("one", cases(OVERRULINGS, 0), ids=lambda one: one.wish)
async def test_in_the_app(one: Overruling, tmp_path: Path) -> None:
    """The same line behind `:`, and Enter."""
    text = text_of(begin(tmp_path / "trial", one.campaign))
    async with playing(tmp_path / "trial", text=text) as (pilot, table):
        await pilot.press("colon", *("space" if char == " " else char for char in one.line), "enter")
        holds(one, table)
        assert ("Overruled: " in seen(pilot)) is bool(one.clause)


# -- a hand edit out of a rule's range ---------------------------------------------------------------------------------

TEXT = """\
format = 1
name = "Trial"
system = "veil-core"
log = "0001:0"

[ship.core]
CPU = 2
HUL = 2
NAV = 2  # she flies

[crew.mara]
name = "Mara"
role = "Cook"
focus = 3
vitality = 3
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign on which something was played."""
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "campaign.toml").write_text(TEXT)
    table = table_at(tmp_path / "trial")
    table.play(table.understand("note we begin"))
    assert table.settle()
    return table


EDITS = [
    pytest.param("focus = 3", "focus = 4", "crew.mara.focus", 4, marks=pytest.mark.clause("VK-04")),
    pytest.param("vitality = 3", "vitality = 5", "crew.mara.vitality", 5, marks=pytest.mark.clause("VK-05")),
    pytest.param("NAV = 2", "NAV = 4", "ship.core", 8, marks=pytest.mark.clause("VK-01")),
]


@pytest.mark.parametrize(("old", "new", "path", "amount"), EDITS)
def test_a_number_that_is_typed_out_of_range_is_asked_about_once(
    table: Table, old: str, new: str, path: str, amount: int
) -> None:
    """Until then nothing is played. Then it is what the file says, marked in it and in the check as overruled."""
    before = table._state
    saved(table.folder, old, new)
    table.refresh()
    assert table.snapshot.asked is not None
    owner = "Mara" if path.startswith("crew") else "Ship"
    assert f"{owner}: " in table.snapshot.asked.about
    with pytest.raises(Unanswered):
        table.play(table.understand("note too early"))
    entry = table.answer_file(keep=True)
    assert entry is not None
    assert [fact.text[:9] for fact in entry.facts if isinstance(fact, NoteFact) and not fact.secret] == ["Overruled"]
    assert table._state.overruled == {path: amount}
    assert table.settle()
    assert new in text_of(table.folder)
    assert f'"{path}" = {amount}' in text_of(table.folder)
    waylog = CommandLine(table.folder.parent)
    assert "You have overruled this" in waylog.done("check", "trial").out
    saved(table.folder, '"Cook"', '"Chef"')
    table.refresh()
    assert table.snapshot.asked is None
    again = table_at(table.folder)
    assert again._state == table._state
    again.undo(entry.number)
    assert (again._state.overruled, again._state.sheet.ship) == ({}, before.sheet.ship)
    assert again._state.sheet.crew["mara"].focus == 3
    assert again.settle()
    assert old in text_of(table.folder)


@pytest.mark.parametrize(("old", "new", "path", "amount"), EDITS)
def test_a_number_that_is_not_meant_goes_back(table: Table, old: str, new: str, path: str, amount: int) -> None:
    """Everything else that was saved with it is taken in; and if it is saved again, that is asked again."""
    saved(table.folder, old, new)
    saved(table.folder, '"Cook"', '"Chef"  # no more')
    for _ in range(2):
        table.refresh()
        assert table.snapshot.asked is not None
        table.answer_file(keep=False)
        assert table.settle()
        assert old in text_of(table.folder)
        assert '"Chef"  # no more' in text_of(table.folder)
        assert table._state.sheet.crew["mara"].role == "Chef"
        assert table._state.overruled == {}
        again = table_at(table.folder)
        again.refresh()
        assert (again._state, again.snapshot.entries) == (table._state, table.snapshot.entries)
        saved(table.folder, old, new)
    assert amount not in {*table._state.overruled.values()}, path


@pytest.mark.clause("VK-01", "VK-04")
@pytest.mark.parametrize(
    ("old", "new"), [("focus = 3", "focus = 13"), ("focus = 3", "focus = -1"), ("NAV = 2", "NAV = 90")]
)
def test_what_the_rules_cannot_work_with_is_not_asked_about(table: Table, old: str, new: str) -> None:
    """It has no effect and is complained of, as before."""
    saved(table.folder, old, new)
    table.refresh()
    assert table.snapshot.asked is None
    assert table._state.sheet.crew["mara"].focus == 3
    assert table._state.sheet.ship.core.NAV == 2
    assert table.snapshot.problems
    table.play(table.understand("note we play on"))


@pytest.mark.clause("VK-01", "VK-04")
@pytest.mark.parametrize(("old", "new"), [("focus = 3", "focus = 4"), ("NAV = 2", "NAV = 4")])
def test_the_check_says_how_a_number_is_overruled(tmp_path: Path, old: str, new: str) -> None:
    """In a file that nobody was asked about; by that command it is in order."""
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "campaign.toml").write_text(TEXT.replace(old, new))
    waylog = CommandLine(tmp_path)
    (line,) = [line for line in waylog("check", "trial").err.splitlines() if "campaign.toml" in line]
    waylog.done("do", "trial", *line.partition("To set it anyway, type “")[2].partition("”")[0].split())
    assert "You have overruled this" in waylog.done("check", "trial").out


@pytest.mark.clause("VK-01")
def test_the_check_names_the_number_of_a_total_that_was_edited(tmp_path: Path) -> None:
    """Once a version before the edit is known, and not the first number of the total."""
    waylog = CommandLine(tmp_path)
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "campaign.toml").write_text(TEXT)
    waylog.done("do", "trial", "note", "We fly")
    saved(tmp_path / "trial", "NAV = 2", "NAV = 4")
    assert "To set it anyway, type “overrule ship.core.NAV 4”" in waylog("check", "trial").err


def test_line_mode_asks_about_the_number_and_names_no_earlier_version(tmp_path: Path) -> None:
    """What else is wrong is in the file that was saved, with its line there. That the number is back is said."""
    (tmp_path / "campaign.toml").write_text(TEXT.replace("\n[ship.core]", 'colour = "red"\n\n[ship.core]'))
    Lines(tmp_path).done("note We fly")
    saved(tmp_path, "NAV = 2", "NAV = 4")
    saved(tmp_path, "format = 1", "\n\nformat = 1")
    lines = Lines(tmp_path)
    said = " ".join(lines.said)
    number = next(n for n, line in enumerate(text_of(tmp_path).splitlines(), 1) if line.startswith("colour"))
    assert f"campaign.toml, line {number}: colour is not a known key" in said
    assert "0001-" not in said
    assert lines.type("2") == ["Restore the old number: done."]


@pytest.mark.clause("VK-01")
def test_the_mark_may_be_written_by_hand(table: Table) -> None:
    """Whoever writes it with the number is asked nothing."""
    saved(table.folder, "NAV = 2", "NAV = 4")
    saved(table.folder, "\n[crew.mara]", '\n[overruled]\n"ship.core" = 8\n\n[crew.mara]')
    table.refresh()
    assert table.snapshot.asked is None
    assert table._state.sheet.ship.core.NAV == 4
    assert not table.snapshot.problems


@pytest.mark.clause("NM-41")
def test_recap_and_players_are_told_plainly(tmp_path: Path) -> None:
    """What was overruled in a roll and in the sheet, in the words of the log."""
    table = table_at(begin(tmp_path / "trial", "core"))
    table.add_reader()
    for line in ("overrule crew.mara.focus 4", "roll nav standard-anyway +1 6 1 1"):
        table.play(table.understand(line))
    assert table.settle()
    waylog = CommandLine(tmp_path)
    recap, players = waylog.done("recap", "trial").out, (tmp_path / "trial" / "players.toml").read_text()
    for told in (
        "Overruled: “focus can't be 4: ",
        "Overruled: this roll is Standard. The rules say Desperate while engineering is lost",
        "Overruled: 1 die added",
    ):
        assert told in recap
        assert told in players


@pytest.mark.clause("NM-45", "VK-17")
def test_a_player_who_writes_to_the_inbox_overrules_nothing(tmp_path: Path) -> None:
    """No player can overrule a rule through the inbox, not even one whose rolls are played without asking."""
    from waylog.store.players.inbox import AnswerKind, read_answer, send

    folder = begin(tmp_path / "trial", "core")
    with (folder / "campaign.toml").open("a") as file:
        file.write('[players.ana]\nname = "Ana"\ncharacter = "mara"\nmay = ["roll"]\n')
    table = table_at(folder)
    for words in ("roll mara standard-anyway", "roll mara +2", "overrule crew.mara.focus 4"):
        proposal = send(folder, "ana", words)
        table.refresh()
        assert read_answer(folder, "ana", proposal).kind is AnswerKind.DECLINED
    assert [*table.entries()] == []


# -- a form --------------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.clause("VK-04")
async def test_a_form_asks_before_it_overrules(tmp_path: Path) -> None:
    """A number out of its rule's range is asked about in the form; Ctrl+S overrules the rule, as it saves. Any other key goes on, and does
    what it does in the form.
    """
    async with playing(tmp_path / "trial", text=TEXT) as (pilot, table):
        await pilot.press("2", "e")
        screen = pilot.app.screen
        while "focus" not in str(screen._draft.row.part.path):  # type: ignore[attr-defined]
            await pilot.press("down")
        await pilot.press("right", "ctrl+s")
        assert "Ctrl+S saves it anyway" in seen(pilot)
        assert "Ctrl+S save anyway  Esc back to the form" in seen(pilot)
        await pilot.press("escape")
        assert pilot.app.screen is screen
        await pilot.press("ctrl+s", "left", "right")
        assert "saves it anyway" not in seen(pilot)
        await pilot.press("ctrl+s", "enter")
        assert pilot.app.screen is screen, "Enter goes on, as ever"
        await pilot.press("up", "ctrl+s", "ctrl+s")
        assert table._state.overruled == {"crew.mara.focus": 4}
        assert pilot.app.screen is not screen
    with pytest.raises(ActRefused):
        table.play(table.understand("set crew.mara.focus 5"))
