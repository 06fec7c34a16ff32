"""Sessions at the table: which session an entry is of, a log file for each, and scenes that are rewound (NM-40, NM-42, NM-43)."""

from pathlib import Path

import pytest

from tests.kit.table import CAMPAIGN, but_the_mark, saved, table_at, text_of, written
from waylog.cli import json_output, text_output
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import latest_acts
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.search_and_filters import ActKind, LogQuery
from waylog.table import Table

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table on the boat."""
    return table_at(written(tmp_path / "swallow"))


def acts(table: Table, *words: str) -> list[LogEntry]:
    """Acts, one after the other."""
    return [table.play(table.understand(each)) for each in words]


def files(table: Table) -> dict[str, list[int]]:
    """The numbers of the entries in each file of the log."""
    log = Log(table.folder / "log")
    log.follow()
    found = {}
    for path in log.files():
        held = [line.split(" = ")[1] for line in path.read_text().splitlines() if line.startswith("number = ")]
        found[path.name] = [int(number) for number in held]
    return found


@pytest.mark.clause("NM-40")
def test_every_entry_carries_its_session(table: Table) -> None:
    """From the one that begins it to the one that ends it, undo and all; between two sessions there is none."""
    entries = acts(
        table, "row boat", "session begin", "row boat", "note hm", "session end", "row boat", "session begin"
    )
    assert [entry.session for entry in entries] == [0, 1, 1, 1, 1, 0, 2]
    assert table.undo().session == 2
    assert table.snapshot.session == 0
    acts(table, "session begin")
    assert table.snapshot.session == 2
    assert table.settle()
    again = table_at(table.folder)
    assert again.snapshot.session == 2
    assert [again.entry(number).session for number in range(1, 10)] == [0, 1, 1, 1, 1, 0, 2, 2, 2]


@pytest.mark.clause("NM-40")
def test_a_session_is_dated_and_in_the_file(table: Table) -> None:
    """When it began and when it ended, in a block that a person can read; undo takes it out to the byte."""
    acts(table, "session begin", "session present “Ada, Bo”", "session title “Out to sea”", "session end")
    assert table.settle()
    assert (
        "\n[sessions.1]\n"
        'began = "2026-01-05 20:00"\n'
        'present = "Ada, Bo"\n'
        'title = "Out to sea"\n'
        'ended = "2026-01-05 20:03"\n'
    ) in text_of(table.folder)
    for _ in range(4):
        table.undo()
    assert table.settle()
    assert but_the_mark(text_of(table.folder)) == but_the_mark(CAMPAIGN)


@pytest.mark.clause("NM-40")
def test_each_session_has_a_log_file_of_its_own(table: Table) -> None:
    """What comes between two sessions stands behind the first; what takes a session's end back is still of that session."""
    acts(table, "row boat", "session begin", "row boat", "session end", "row boat")
    table.undo()
    table.undo()
    acts(table, "session end", "note between", "session begin", "row boat")
    assert files(table) == {"0001.toml": [1], "0002.toml": [2, 3, 4, 5, 6, 7, 8, 9], "0003.toml": [10, 11]}
    assert table.settle()
    assert 'log = "0003:11"' in text_of(table.folder)
    again = table_at(table.folder)
    acts(again, "session end", "session begin", "row boat")
    assert files(again)["0004.toml"] == [13, 14]
    assert again._state == table_at(table.folder)._state


def test_undo_reaches_into_earlier_sessions(table: Table) -> None:
    """An act of any session is taken back, and every file of the log is read for it."""
    acts(table, "session begin", "tick storm", "session end", "session begin", "damage boat", "session end")
    table.undo(2)
    assert (table._state.clocks["storm"].filled, table._state.sheet.boat.hull) == (0, 2)
    while table.snapshot.undo:
        table.undo()
    assert table.settle()
    assert but_the_mark(text_of(table.folder)) == but_the_mark(CAMPAIGN)


@pytest.mark.clause("NM-43")
@pytest.mark.parametrize("mark", ["scene", "scene “The harbour”", "session begin"])
def test_a_scene_is_rewound_to_its_mark(table: Table, mark: str) -> None:
    """All that came since is undone as one, notes too; the log says that much and no more; one redo puts all of it back."""
    acts(table, "damage boat", mark)
    before = table._state
    acts(table, "row boat wild", "note something dreadful", "tick storm", "damage boat")
    after = table._state
    rewound = table.rewind()
    assert (rewound.words, rewound.facts) == ("rewind", (NoteFact("Scene rewound", "NM-43"),))
    assert rewound.undoes == (3, 4, 5, 6)
    assert rewound.changes
    lines = [*text_output.entries([(rewound, False)], {})]
    assert ["".join(line).split("  ")[-1] for line in lines] == ["Scene rewound"]
    assert json_output.entry_data(rewound, taken_back=False)["changes"] == []
    assert table._state == before
    assert table.settle()
    assert table_at(table.folder)._state == before
    with pytest.raises(ActRefused, match="nothing has happened since the scene or session started") as refused:
        table.rewind()
    assert refused.value.refusal.clause == "NM-43"
    table.redo()
    assert table._state == after
    table.rewind()
    assert table._state == before


def listed(table: Table, *, rewound: bool = False) -> list[str]:
    """What the acts that the log lists did, oldest first; or those that are listed when what was rewound is asked for."""
    search = table.log_search()
    if rewound:
        return [table.entry(number).words for number in search.find(LogQuery(kind=ActKind.REWOUND))][::-1]
    walked = [act.first.words for act in latest_acts(table.entry, table.snapshot.entries)]
    assert walked == [act.first.words for act in search.acts.newest_first()]
    assert walked == [act.first.words for n in range(table.snapshot.entries, 0, -1) if (act := search.acts.act(n))]
    return walked[::-1]


@pytest.mark.clause("NM-43")
def test_what_was_rewound_is_listed_only_on_request(table: Table) -> None:
    """What had been undone before is left out too; an edit, earlier scenes and the mark stay; brought back, all is listed again."""
    acts(table, "session begin", "note kept", "scene")
    acts(table, "damage boat")
    table.undo()
    acts(table, "note dreadful", "tick storm")
    table.undo()
    table.redo()
    before = listed(table)
    assert before == ["session begin", 'note "kept"', "scene", "damage boat", 'note "dreadful"', "tick storm"]
    table.rewind()
    assert listed(table) == ["session begin", 'note "kept"', "scene", "rewind"]
    assert listed(table, rewound=True) == ["damage boat", 'note "dreadful"', "tick storm"]
    assert [*table.log_search().find(LogQuery(terms=("dreadful",)))] == []
    again = LogQuery(terms=("dreadful",), kind=ActKind.REWOUND)
    assert [*table.log_search().find(again)] == [6]
    table.redo()
    assert listed(table)[:6] == before
    assert listed(table, rewound=True) == []
    acts(table, "note more")
    table.rewind()
    acts(table, "session end", "session begin", "note later")
    assert listed(table)[2:] == ["scene", "rewind", "session end", "session begin", 'note "later"']
    assert len(listed(table, rewound=True)) == 5


@pytest.mark.clause("NM-43")
def test_a_long_scene_is_rewound_from_its_beginning_on(table: Table) -> None:
    """However many acts it had, and although play went on after it."""
    acts(table, "session begin", "scene", *(f"note n{number}" for number in range(130)))
    table.rewind()
    acts(table, *(f"note after {number}" for number in range(3)))
    assert listed(table)[:3] == ["session begin", "scene", "rewind"]
    assert len(listed(table)) == 6
    assert len(listed(table, rewound=True)) == 130


@pytest.mark.clause("NM-43")
def test_without_a_mark_there_is_nothing_to_rewind(table: Table) -> None:
    """A year of play is not one scene because nobody has ever marked one."""
    acts(table, "damage boat", "note ours")
    with pytest.raises(ActRefused, match="nothing has happened since the scene or session started"):
        table.rewind()
    assert table.scene_so_far() == ()


@pytest.mark.clause("NM-43")
def test_rewinding_leaves_sessions_edits_and_earlier_scenes_alone(table: Table) -> None:
    """A session that was named or begun meanwhile stays, and so does what a person wrote into the file."""
    acts(table, "session begin", "damage boat", "scene", "damage boat", "session title “Out to sea”")
    assert table.settle()
    saved(table.folder, "luck = +0", "luck = 2")
    assert table.refresh()
    acts(table, "tick storm")
    table.rewind()
    state = table._state
    assert (state.sheet.boat.hull, state.sheet.boat.luck, state.clocks["storm"].filled) == (2, 2, 0)
    assert state.sessions["1"].title == "Out to sea"
    assert table.settle()
    assert "luck = 2" in text_of(table.folder)


@pytest.mark.clause("NM-43")
def test_what_was_taken_back_already_is_not_taken_back_again(table: Table) -> None:
    """Undone acts stay undone, and those put back are rewound like the others."""
    acts(table, "scene", "damage boat", "damage boat")
    table.undo()
    table.undo()
    table.redo()
    acts(table, "tick storm")
    rewound = table.rewind()
    assert (table._state.sheet.boat.hull, table._state.clocks["storm"].filled) == (3, 0)
    assert {table.entry(number).words for number in rewound.undoes} == {"damage boat", "tick storm"}


@pytest.mark.clause("NM-43")
def test_offers_end_with_their_scene_and_undo_brings_them_back(tmp_path: Path) -> None:
    """A roll that could still be made on a clock can't in the next scene; a rewind of that scene offers nothing of the last."""
    table = table_at(written(tmp_path / "swallow", CAMPAIGN.replace("luck = +0", "luck = 1")), 3)
    acts(table, "row boat")
    with pytest.raises(ActRefused, match="answer the open question first, or undo the action"):
        acts(table, "scene")
    acts(table, "keep")
    assert "on storm" in {move.id for move in table.snapshot.moves}
    acts(table, "scene", "damage boat")
    table.rewind()
    assert "on storm" not in {move.id for move in table.snapshot.moves}
    table.undo()
    assert "on storm" in {move.id for move in table.snapshot.moves}
    assert table.snapshot.question is None


@pytest.mark.clause("NM-24", "NM-43")
def test_an_offer_that_was_not_taken_goes_with_the_act_that_brought_it(tmp_path: Path) -> None:
    """It stays when another act is undone, and is undone by itself. The log has it, so the next program offers it too."""
    folder = written(tmp_path / "swallow", CAMPAIGN.replace("luck = +0", "luck = 1"))
    table = table_at(folder, 3)

    def late() -> list[str]:
        return [move.id for move in table.snapshot.moves if move.late]

    acts(table, "row boat", "keep", "damage boat", "damage boat")
    assert late() == ["on storm"]
    acts(table, "on storm")
    assert late() == []
    assert [entry.words for entry in table.snapshot.undo] == ["on storm"]
    table.undo()
    table.undo()
    assert late() == ["on storm"]
    table = table_at(folder)
    assert late() == ["on storm"]
    table.undo(1)
    assert late() == []
    assert table._state.open is None


@pytest.mark.clause("NM-24", "NM-43")
def test_undo_of_one_of_two_rolls_leaves_the_offer_of_the_other(tmp_path: Path) -> None:
    """Both could fill one segment of the same clock."""
    table = table_at(written(tmp_path / "swallow", CAMPAIGN.replace("luck = +0", "luck = 2")), 3, 3)
    acts(table, "row boat", "keep", "damage boat", "row boat", "keep", "damage boat")
    (both,) = (move.label for move in table.snapshot.moves if move.late)
    assert "(up to 2 times)" in both
    table.undo(1)
    (other,) = (move.label for move in table.snapshot.moves if move.late)
    assert "(offered earlier)" in other


@pytest.mark.clause("NM-42", "NM-43")
def test_notes_and_marks_are_taken_back_alone(table: Table) -> None:
    """A note written while something is open belongs to nothing else, and neither does the mark of a scene."""
    for words in ("note hm", "secret hm", "scene"):
        acts(table, "damage boat", words)
        table.undo()
        assert table.snapshot.undo[-1].words == "damage boat"


@pytest.mark.clause("NM-43")
@pytest.mark.parametrize("often", [True, False])
@pytest.mark.parametrize(
    "scene",
    [
        ("clock 4 push “Hunters”", "tick hunters 2", "close hunters"),
        ("deck “Hold”", "card hold bad “Rats”", "draw hold", "show deck hold", "aside hold rats"),
        ("damage boat", "tick storm", "tick storm -1", "set boat.luck 2", "set boat.luck 0"),
    ],
)
def test_what_the_scene_made_and_changed_is_gone_from_the_file(
    table: Table, scene: tuple[str, ...], often: bool
) -> None:
    """A thing that came in with the scene goes to the byte with all that became of it, and comes back as it was."""
    acts(table, "session begin", "session end", "scene")
    assert table.settle()
    start = but_the_mark(text_of(table.folder))
    for words in scene:
        acts(table, words)
        assert not often or table.settle()
    assert table.settle()
    end = table._state
    table.rewind()
    assert table.settle(), table.snapshot.unsaved
    assert but_the_mark(text_of(table.folder)) == start
    table.redo()
    assert table.settle(), table.snapshot.unsaved
    assert table_at(table.folder)._state == table._state == end


def test_an_act_that_is_offered_no_more_is_refused(table: Table) -> None:
    """Somebody holds on to a move while the clock it is about goes out of the file: it is refused, and nothing happens."""
    act = table.understand("tick storm")
    text = text_of(table.folder)
    saved(table.folder, text[text.index("[clocks.storm]") :], "# none any more\n")
    assert table.refresh()
    entries = table.snapshot.entries
    with pytest.raises(ActRefused, match="can't be done any more"):
        table.play(act)
    assert table.snapshot.entries == entries


@pytest.mark.clause("NM-41")
def test_a_renamed_clock_and_a_quoted_scene_stay_in_the_recap(table: Table) -> None:
    """Facts say by key which clock they are about, and quote the title of a scene: no later name is looked for in them."""
    acts(table, "session begin", "scene “Scene: the fog”", "clock Fog 4 death", "tick fog 4")
    assert table.settle()
    saved(table.folder, '"Fog"', '"The wall of mist"')
    table.refresh()
    recap = table_at(table.folder).recap()
    assert [(turned.clock.name, turned.full) for turned in recap.clocks] == [
        ("The wall of mist", False),
        ("The wall of mist", True),
    ]
    assert [scene.title for scene in recap.scenes] == ["Scene: the fog"]
