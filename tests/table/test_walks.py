"""Random sessions on files as people write them: after every act the file is still theirs, and every act can be undone."""

import difflib
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.table import but_the_mark, ticking, written
from tests.kit.thorough import cases, examples
from tests.rules.legal import answerable, answers
from tests.toml.edit_promises import comments
from waylog.rules.codec.changes import Change
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import Act, ActRefused, Move, PickMany, PickOne
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.table import Table
from waylog.toml.document import Document

BY_HAND = """\
#:schema ./.schema.json
# The Tenacity, as of last week

format = 1
name = 'Tenacity'       # never "Tenny"
log = "0001:0"
system = "SYSTEM"

  ship.name = "Tenacity"   # dotted, and indented
  ship.focus = 0x1         # in hex, for fun
ship.core = { CORE }       # all on one line
ship.tokens . integrity = true

# Engineering always goes first
ship.tokens.engineering = true # #

[mission] # where they are
name = '''
The fall of "Ada"'''
number = 1_0

# Mara lies
[crew.mara]
name = "Mara"
vitality = +3
advancements = [
  "expert",  # in lying
  "defender",
]
expertise = '''hacking'''
primary = { name = "Drill", works = true }  # borrowed

# What presses on
[clocks]
storm = { name = "The storm", kind = "catastrophe", segments = 8, when_full = "damage ship" }

[clocks.deal]
kind = 'push' # they want the moon
name = "The deal"
filled = 0b10

# What may be aboard
[decks]
hold = { name = "The hold", draw = 2, cards = { mimic = { text = "A mimic", luck = "bad", effect = "damage ship" }, \
dust = { text = "Dust" }, key = { text = "A key", luck = "good", returns = true } } } # all on one line

[decks.hunt] # they come
  name = "The hunt"
  drawn = [ "fox", ]   # already
  [decks.hunt.cards]
  fox  = { text = "A fox", luck = 'bad', effect = "table door" }  # the old one

  # and one more
  [decks.hunt.cards.wolf]
  text = '''A
wolf'''
  luck = "bad"
  sets_draw = 2

[decks.bare]
name = "Nothing yet"

[sessions.1]
began = "2025-12-29 19:30" # or so
ended = "2025-12-29 23:00"

# Joss came later
[crew.joss]
  # he is
  name = "Joss"
  exposed = false
  focus = 3 # as ever
[crew.joss.secondary]
name = "Medkit"

# The end"""
TABLES = {
    "door": """# Behind the door\nentries = ["d6 rats", { text = "A trap", effect = "damage ship" }, { table = "cellar" }]\n""",
    "cellar": 'name = "The cellar"\nseen = true\nentries = ["wine", "a way on", "d6+1 barrels", "x", { effect = "draw hold" }]\n',
}
CORE = {"veil-core": "CPU = 2, NAV = +2, HUL = 0x2", "veil-2026": "CPU = 1, NAV = +1, HUL = 0x2"}

WAYS: Mapping[str, Callable[[str], str]] = {
    "as people save it": lambda text: text + "\n",
    "without a last line end": lambda text: text,
    "from Windows": lambda text: (text + "\n").replace("\n", "\r\n"),
    "with a byte order mark": lambda text: "\ufeff" + text + "\n",
}


def campaign_at(folder: Path, text: str) -> Path:
    """A campaign folder with that file, and tables beside it."""
    written(folder, text)
    (folder / "tables").mkdir()
    for name, table in TABLES.items():
        (folder / "tables" / f"{name}.toml").write_text(table)
    return folder


def by_hand(system: str, way: str) -> str:
    """A campaign file written by hand."""
    return WAYS[way](BY_HAND.replace("SYSTEM", system).replace("CORE }", CORE[system] + " }"))


def file_of(folder: Path) -> str:
    """The campaign file, line ends as they are."""
    return (folder / "campaign.toml").read_bytes().decode()


def drawn_act(data: st.DataObject, table: Table, *, corrects: bool = True) -> Act:
    """Something that can be done now, follow-ups and rolls more often than the rest. Of rolls, many have real dice, and some of these were
    misread: with `corrects`, that is put right.
    """
    if corrects and (correction := drawn_correction(data, table)) and data.draw(st.integers(0, 3)) == 0:
        return correction
    moves = {
        move.id: move
        for move in table.snapshot.moves
        if answerable(move) and move.verb not in ("set", "overrule", "note", "reword", "misread")
    }
    forward = [name for name, move in moves.items() if move.follows or move.rolls]
    likely: bool = data.draw(st.booleans())
    move = moves[data.draw(st.sampled_from(forward if forward and likely else list(moves)))]
    act = Act(move, data.draw(answers(move, table.game.position(table._state).scene)))
    if act.answers.get("dice") == "these":
        return replace(act, faces=tuple(data.draw(st.integers(1, die.sides)) for die in table.awaited_dice()))
    if move.rolls and data.draw(st.booleans()):
        faces = [data.draw(st.integers(1, die.sides)) for die in table.dice_to_type(act)]
        return replace(act, faces=tuple(faces) or None)
    return act


def drawn_correction(data: st.DataObject, table: Table) -> Act | None:
    """Another face for a real die of an act that still holds; later acts on its values stay, or are played again. None if there is no such
    act, or a question comes first.
    """
    typed = [entry for entry in table.latest() if entry.faces and entry.kind is not EntryKind.MISREAD]
    if not typed or table.question:
        return None
    entry = data.draw(st.sampled_from(typed))
    place = data.draw(st.integers(1, len(entry.faces or ())))
    face = data.draw(st.integers(1, 6).filter(lambda face: face != (entry.faces or ())[place - 1]))
    return table.understand(f"misread {entry.root} #{place}={face} {data.draw(st.sampled_from(('again', 'alone')))}")


def play(data: st.DataObject, table: Table, acts: int) -> list[LogEntry]:
    """A session of so many acts. What only turns out to be illegal as it is done is refused by its clause, with nothing done."""
    played: list[LogEntry] = []
    for _ in range(acts):
        before, known = file_of(table.folder), table.snapshot
        count = known.entries
        try:
            entry = table.play(drawn_act(data, table))
        except ActRefused as refused:
            # A roll that waits for real dice refuses what would change it; no rulebook has a clause about that.
            if not (refused.refusal.clause or known.missing_dice):
                raise
            assert file_of(table.folder) == before
            assert table.snapshot is known
            continue
        assert table.settle(), table.snapshot.unsaved
        new = [table.entry(number) for number in range(count + 1, table.snapshot.entries + 1)]
        held_to_its_promises(before, file_of(table.folder), [change for each in new for change in each.changes])
        played.append(entry)
    return played


def held_to_its_promises(before: str, after: str, changes: Sequence[Change]) -> None:
    """Each comment is still there, only lines of changed values differ, and the file has the last value of each that the log says."""
    changes = [*{change.path: change for change in changes}.values()]
    spelled = [spelling for change in changes if (spelling := written_as(before, change.path))]
    assert Counter(comments(before)) == Counter(comments(after))
    changed = {part for change in changes for part in change.path} | {"log"}
    # A timer that ends is removed with its table: the values in it, and the empty line before it.
    removed = [change.before for change in changes if isinstance(change.before, Mapping) and change.after is None]
    changed |= {key for table in removed for key in table}
    spelled += ["" for _ in removed]
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line.startswith("- ") and not any(line[2:] in spelling for spelling in spelled):
            assert any(part in line for part in changed), line
    assert ("\r\n" in after) == ("\r\n" in before)
    assert after.replace("\r\n", "").count("\r") == 0
    assert after.count("\n") == after.count("\r\n") or "\r\n" not in after
    assert after.startswith("\ufeff") == before.startswith("\ufeff")
    assert after.endswith("\n") == before.endswith("\n")
    tree = tomllib.loads(after.removeprefix("\ufeff").replace("\r\n", "\n"))
    for change in changes:
        node: object = tree
        for part in change.path:
            node = node.get(part) if isinstance(node, dict) else None
        assert node == change.after or node is None


def written_as(text: str, path: tuple[str, ...]) -> str | None:
    """How a value is written."""
    return Document.parse(text.encode(), "before").spelling(path)


@pytest.mark.parametrize(
    "acts",
    [
        # A value changed and put back, twice: the same value at the end, but not in the same words.
        ("close storm", "reopen storm"),
        # One act that changes a value and changes it back.
        ("roll cpu 6 6", "shunt 2 3 1 critical", "shunt 1 2 3 focus"),
        # Something done between a roll and what follows it.
        ("roll cpu 6 6", "tick deal 2", "set ship.focus 3", "shunt 2 3 1 focus", "tick deal -1"),
        # Two rolls after which the same is open.
        ("roll cpu 6 6", "shunt 2 3 1 focus", "roll cpu 6 6", "shunt 1 1 4 critical"),
        ("roll cpu 6 6", "note hm", "shunt 2 3 1 focus"),
        # The steps of a roll that was called, with the same value set in between, and changed by each of them.
        (
            "call cpu mara standard",
            "roll cpu 6 6",
            "shunt 2 3 1 focus",
            "set ship.focus 1",
            "shunt 1 2 3 focus",
            "finish",
        ),
    ],
)
@pytest.mark.parametrize("often", [True, False])
def test_undo_is_exact_where_acts_meet_on_one_value(acts: tuple[str, ...], often: bool, tmp_path: Path) -> None:
    """However acts lie about each other, taking them back one by one gives the file byte for byte but for the mark."""
    folder = campaign_at(tmp_path / "tenacity", by_hand("veil-core", "as people save it"))
    start = but_the_mark(file_of(folder))
    table = Table(folder, now=ticking(), chance=ChanceDice(Random(1).randrange))
    for words in acts:
        table.play(table.understand(words))
        assert table.settle()
    while table.snapshot.undo:
        entry = table.undo()
        assert not [fact for fact in entry.facts if "changed since" in str(fact)]
        if often:
            assert table.settle()
    assert table.settle()
    assert but_the_mark(file_of(folder)) == start


@pytest.mark.parametrize(("way", "system"), cases([*product(WAYS, CORE)], 0, 3))
@settings(max_examples=examples(12))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_session_can_be_undone_to_the_byte_and_redone(
    system: str, way: str, data: st.DataObject, seed: int
) -> None:
    """Whatever was played, undo gives back the file byte for byte but for the mark, and redo the one from before."""
    with TemporaryDirectory() as name:
        folder = campaign_at(Path(name) / "tenacity", by_hand(system, way))
        start = but_the_mark(file_of(folder))
        table = Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        played = play(data, table, data.draw(st.integers(1, 8)))
        state, end, steps = table._state, but_the_mark(file_of(folder)), 0
        while table.snapshot.undo:
            table.undo()
            steps += 1
            if data.draw(st.booleans()):
                assert table.settle()
        assert table.settle()
        assert but_the_mark(file_of(folder)) == start
        assert steps == len({entry.root for entry in played})
        for _ in range(steps):
            table.redo()
            if data.draw(st.booleans()):
                assert table.settle()
        assert table.settle()
        assert but_the_mark(file_of(folder)) == end
        again = Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        assert again._state == table._state
        assert (again._state.sheet, again._state.clocks) == (state.sheet, state.clocks)
        assert again.snapshot.question == table.game.question(state)


def in_order(moves: Sequence[Move]) -> list[Move]:
    """The moves with what can be chosen in the order of its words.

    A card that is added to a deck comes last. In a file that holds some cards in a line and others in tables of their own it is
    written behind the last line, and so may stand before others when the file is read.
    """
    return [
        replace(
            move,
            asks=tuple(
                replace(ask, options=tuple(sorted(ask.options, key=lambda option: option.word)))
                if isinstance(ask, PickOne | PickMany)
                else ask
                for ask in move.asks
            ),
        )
        for move in moves
    ]


@settings(max_examples=examples(12))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_session_reads_back_as_it_was_left(data: st.DataObject, seed: int) -> None:
    """Another program finds the state, the open question and the whole log as this one left them, settled or not."""
    with TemporaryDirectory() as name:
        folder = campaign_at(Path(name) / "tenacity", by_hand("veil-core", "as people save it"))
        table = Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        for _ in range(data.draw(st.integers(1, 6))):
            try:
                table.play(drawn_act(data, table))
            except ActRefused:
                continue
            if data.draw(st.booleans()):
                assert table.settle()
        again = Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        assert again._state == table._state
        assert in_order(again.snapshot.moves) == in_order(table.snapshot.moves)
        numbers = range(1, table.snapshot.entries + 1)
        assert [again.entry(number) for number in numbers] == [table.entry(number) for number in numbers]


@pytest.mark.clause("NM-43")
@settings(max_examples=examples(25))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_scene_can_be_rewound_to_the_byte(data: st.DataObject, seed: int) -> None:
    """Whatever came since its mark, settled or not, one act gives back the file and all that could be done then."""
    with TemporaryDirectory() as name:
        folder = campaign_at(Path(name) / "tenacity", by_hand("veil-core", "as people save it"))
        table = Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        table.play(table.understand("scene"))
        assert table.settle()
        start, moves = but_the_mark(file_of(folder)), table.snapshot.moves
        for _ in range(data.draw(st.integers(1, 8))):
            act = drawn_act(data, table)
            if act.move.verb in ("scene", "session"):
                continue
            try:
                table.play(act)
            except ActRefused:
                continue
            if data.draw(st.booleans()):
                assert table.settle(), table.snapshot.unsaved
        if table.snapshot.entries > 1:
            table.rewind()
        assert table.settle(), table.snapshot.unsaved
        assert but_the_mark(file_of(folder)) == start
        assert table.snapshot.moves == moves
