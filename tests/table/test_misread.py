"""A die that was misread: the act is played again with the face that it shows, as one entry in its place, and one undo takes that back."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.app import drained, seen
from tests.kit.cli import CommandLine
from tests.kit.table import Falling, but_the_mark, play, text_of, ticking, written
from tests.kit.thorough import cases, examples
from tests.table.test_walks import drawn_act
from tests.table.test_what_if import EXAMPLES
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table
from waylog.values import replace

TENACITY = next(path for path in EXAMPLES if path.name == "tenacity")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table with Tenacity, where Waylog always rolls ones."""
    return Table(shutil.copytree(TENACITY, tmp_path / "tenacity"), now=ticking(), chance=Falling())


def rolled(entry: LogEntry) -> tuple[list[int], str]:
    """The faces and the outcome of a roll."""
    faces = [die.face for fact in entry.facts if isinstance(fact, RollFact) for die in fact.dice]
    return sorted(faces), next((fact.label for fact in entry.facts if isinstance(fact, OutcomeFact)), "")


def refusal(table: Table, line: str) -> str:
    """Why a line is refused."""
    entries = table.snapshot.entries
    with pytest.raises(ActRefused) as refused:
        play(table, line)
    assert table.snapshot.entries == entries
    return refused.value.refusal.reason


@pytest.mark.parametrize("example", cases(EXAMPLES, 0, 3), ids=lambda path: path.name)
@settings(max_examples=examples(10))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_corrected_act_is_as_if_it_had_been_typed_so(example: Path, data: st.DataObject, seed: int) -> None:
    """In any game: the file and what is open are those of the act with the right faces, and undo gives back those of the wrong ones."""
    with TemporaryDirectory() as name:
        wrong, right = (
            Table(shutil.copytree(example, Path(name) / side), now=ticking(), chance=ChanceDice(Random(seed).randrange))
            for side in ("wrong", "right")
        )
        for _ in range(data.draw(st.integers(0, 2))):
            act = drawn_act(data, wrong)
            for each in (wrong, right):
                try:
                    each.play(act)
                except ActRefused:
                    break
        typed = [move for move in wrong.snapshot.moves if move.rolls and not move.blocked and not move.follows]
        if not typed or wrong.question:
            return
        act = wrong.understand(data.draw(st.sampled_from(typed)).id)
        try:
            dice = wrong.dice_to_type(act)
        except ActRefused:
            return
        read, real = ([data.draw(st.integers(1, die.sides)) for die in dice] for _ in range(2))
        if not dice or read == real:
            return
        try:
            entry = wrong.play(replace(act, faces=tuple(read)))
            right.play(replace(act, faces=tuple(real)))
        except ActRefused:
            return
        before = wrong._state
        pairs = [f"#{n}={face}" for n, (old, face) in enumerate(zip(read, real, strict=True), 1) if old != face]
        corrected = wrong.play(wrong.understand(f"misread {entry.number} {' '.join(pairs)}"))
        assert wrong._state == right._state
        assert corrected.kind is EntryKind.MISREAD
        assert corrected.facts == right.entry(entry.number).facts
        assert all(each.settle() for each in (wrong, right))
        assert but_the_mark(text_of(wrong.folder)) == but_the_mark(text_of(right.folder))
        assert not wrong.replay({}).differences
        wrong.undo()
        assert wrong._state == before
        wrong.redo()
        assert wrong._state == right._state
        assert not wrong.replay({}).differences


@pytest.mark.clause("NM-43")
@pytest.mark.parametrize("later", ["alone", "again"])
def test_a_rewind_takes_back_the_correction_and_the_act(table: Table, later: str) -> None:
    """The state is that of the scene's beginning, and not that of the act as it was misread. Redo brings the corrected one back."""
    play(table, "scene")
    before = table._state
    number = play(table, "roll nav 1 2")
    play(table, "roll hul 1 1 1", f"misread {number} 1=6 {later}")
    corrected = table._state
    assert corrected.sheet != before.sheet
    table.rewind()
    assert (table._state, table.scene_so_far()) == (before, ())
    assert not table.replay({}).differences
    table.redo()
    assert (table._state.sheet, table._state.clocks) == (corrected.sheet, corrected.clocks)
    assert not table.replay({}).differences


@pytest.mark.clause("NM-43")
def test_a_note_with_a_new_text_is_told_once_and_rewound_with_its_first(table: Table) -> None:
    """Of several texts the latest holds; after a rewind none does, and after its undo the one before it."""

    def notes() -> list[str]:
        facts = [fact for scene in table.recap().scenes for act in scene.acts for fact in act.facts]
        return [fact.text for fact in facts if isinstance(fact, NoteFact)]

    play(table, "session begin", "scene")
    number = play(table, "note first")
    play(table, f"reword {number} second", f"reword {number} third")
    assert notes() == ["third"]
    table.undo()
    assert notes() == ["second"]
    table.rewind()
    assert notes() == []
    table.redo()
    assert notes() == ["second"]


def test_what_was_answered_is_answered_again_where_it_fits(table: Table) -> None:
    """With the answers that still hold; one that no longer fits is left out, and says so to the wayfinder alone."""
    number = play(table, "roll nav 5 4")
    play(table, "focus 5")
    assert rolled(table.snapshot.act[-1])
    play(table, f"misread {number} 4=3")
    assert rolled(table.entry(number + 2))[0] == [3, 5]
    assert "left out" not in str(table.entry(number + 2).facts)
    play(table, f"misread {number + 2} 5=6")
    note = table.entry(number + 3).facts[-1]
    assert "No longer possible, so left out" in str(note)
    assert isinstance(note, NoteFact)
    assert note.secret


def test_later_actions_on_the_same_values_are_named(table: Table) -> None:
    """Both ways: they stay as they were, or they are played again after it, and one undo takes all back."""
    number = play(table, "roll nav 1 2")
    play(table, "note between", "roll hul 1 1 1")
    before = table._state
    reason = refusal(table, f"misread {number} 1=6")
    assert "Roll HUL" in reason
    assert "“again”" in reason
    assert "“alone”" in reason
    play(table, f"misread {number} 1=6 alone")
    assert rolled(table.entry(number + 3)) == ([2, 6], "Success")
    focus = table.snapshot.panels[0]
    table.undo()
    assert table._state == before
    last = play(table, f"misread {number} 1=6 again")
    assert [(table.entry(n).kind, table.entry(n).root) for n in (last - 1, last)] == [
        (EntryKind.MISREAD, last - 1),
        (EntryKind.PLAY, last - 1),
    ]
    assert rolled(table.entry(last)) == ([1, 1, 1], "Fiasco")
    assert table.snapshot.panels[0] == focus
    assert not table.replay({}).differences
    table.undo()
    assert table._state == before


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("misread 49 9=1", "no 9 among the typed dice"),
        ("misread 49 #3=1", "no die 3"),
        ("misread 49 x", "“x” doesn't correct a die"),
        ("misread 49 1=1", "already show these numbers"),
        ("misread 49 1=7", "a d6 has no 7"),
        ("misread 50 1=2", "Waylog rolled these dice"),
        ("misread 51 1=2", "no dice were typed"),
        ("misread 99 1=2", "no entry 99"),
        ("misread 52 1=2", "has already been undone"),
    ],
)
def test_what_can_not_be_corrected_is_refused(line: str, why: str, table: Table) -> None:
    """With the word that is wrong, or the reason; and nothing happens."""
    play(table, "roll nav 1 2", "dice d6", "note x", "dice d6 3")
    table.undo()
    assert why in refusal(table, line)


def test_a_question_of_another_action_comes_first(table: Table) -> None:
    """An act that leaves something open can be corrected itself, but none before it."""
    first = play(table, "dice d6 3")
    number = play(table, "roll nav 5 2")
    assert table.question
    assert "finish this first" in refusal(table, f"misread {first} 3=4")
    play(table, "note meanwhile", f"misread {number} 5=6")
    assert not table.question


def test_the_log_shows_it_in_its_place(table: Table) -> None:
    """One act with the right faces, and as it was written first; corrected twice, it is still one."""
    number = play(table, "roll nav 1 2")
    play(table, "note after", f"misread {number} 1=5", f"misread {number + 2} 5=6")
    acts = {act.first.number: act for act in table.log_search().acts.newest_first()}
    assert {n for n in acts if n >= number} == {number, number + 1}
    assert rolled(acts[number].first) == ([2, 6], "Success")
    assert acts[number].written == table.entry(number)
    luck = table.luck()
    assert luck.every.dice == 62 + 2


def test_the_recap_has_a_corrected_act_where_it_was_played(table: Table) -> None:
    """In its scene, and before what came after it; so has a note with another text."""
    for line in (
        "session begin",
        'scene "The quay"',
        "dice 2d6 2 3",
        'note "Before"',
        'scene "The hull"',
        'note "After"',
    ):
        play(table, line)
    first = table.snapshot.entries - 3
    play(table, f"misread {first} 2=6")
    play(table, f'reword {first + 1} "Before the hull"')
    quay, hull = table.recap(secrets=False).scenes
    told = [" ".join(fact.text for fact in act.facts if isinstance(fact, NoteFact)) for act in quay.acts]
    assert quay.title == "The quay"
    assert [6, 3] in [[die.face for die in fact.dice] for fact in quay.acts[0].facts if isinstance(fact, RollFact)]
    assert "Before the hull" in told[1]
    assert len(hull.acts) == 1


def test_a_corrected_act_is_in_the_recap_of_the_session_in_which_it_was_played(table: Table) -> None:
    """Not in that of the session in which somebody corrects it, even twice; nor between sessions, unless it was played there."""
    first = play(table, "dice 2d6 2 3")
    play(table, "session begin", f"misread {first} 2=6", f"misread {table.snapshot.entries} 6=5", "dice 2d6 1 1")
    second = table.snapshot.entries
    play(table, "session end", "session begin", f"misread {second} #1=4")

    def dice(session: int) -> list[list[int]]:
        facts = [fact for scene in table.recap(session).scenes for act in scene.acts for fact in act.facts]
        return [[die.face for die in fact.dice] for fact in facts if isinstance(fact, RollFact)]

    begun = max(map(int, table.snapshot.sessions))
    assert (dice(begun - 1), dice(begun), dice(0)) == ([[4, 1]], [], [[5, 3]])


async def test_a_key_in_the_log_corrects_it(only_small_game: None, tmp_path: Path) -> None:
    """`e` on an act with real dice opens the line, as it opens the text of a note; `d` stays Damage."""
    table = Table(written(tmp_path / "swallow"), now=ticking(), chance=Falling())
    play(table, "dice 2d6 2 3")
    app = WayfinderApp(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("3", "e")
        await drained(pilot)
        assert "Misread die: 2 3" in seen(pilot)
        await pilot.press(*"2=5", "enter")
        await drained(pilot)
        assert "5 3" in seen(pilot)
        await pilot.press("n", "x", "enter", "e")
        await drained(pilot)
        assert "Misread die:" not in seen(pilot)
    assert table.entry(2).kind is EntryKind.MISREAD


def test_the_shell_and_line_mode_have_it(tmp_path: Path) -> None:
    """`waylog do … misread`, with the same words."""
    shell = CommandLine(tmp_path)
    shell.done("do", "tenacity", "roll", "nav", "--dice", "1,2")
    assert "Success" in shell.done("do", "tenacity", "misread 49 1=6").out
    assert "misread 49" in shell.done("log", "tenacity", "-n", "1", "--json").out


def test_a_corrected_roll_is_made_with_what_its_person_had_then(table: Table) -> None:
    """Fewer dice today are another roll: all of the old ones count. What it brings now is added to what there is now."""
    fiasco = play(table, "roll tove 2 2 2")
    success = play(table, "roll odile 2 6 6")
    hurt = play(table, 'set "crew.tove.vitality 1"', 'set "crew.odile.vitality 1"', 'set "crew.odile.focus 2"')
    people = table._state.sheet.crew
    play(table, f"misread {fiasco} 2=6")
    assert rolled(table.entry(hurt + 1)) == ([2, 2, 6], "Success")
    assert "left out" not in str(table.entry(hurt + 1).facts)
    assert table._state.sheet.crew["tove"].focus == people["tove"].focus - 1, "a Fiasco had brought it"
    play(table, f"misread {success} #2=1 #3=1")
    assert rolled(table.entry(hurt + 2)) == ([1, 1, 2], "Fiasco")
    assert table._state.sheet.crew["odile"].focus == people["odile"].focus + 1
    assert [table._state.sheet.crew[who].vitality for who in ("tove", "odile")] == [1, 1], "what was done since stays"
    assert not table.replay({}).differences
    table.undo()
    table.undo()
    assert table._state.sheet.crew == people
