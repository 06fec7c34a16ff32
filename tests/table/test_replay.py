"""A log played again comes to the same; with other house rules, the first difference and what follows from it are told."""

import shutil
from contextlib import ExitStack, suppress
from importlib.resources import files
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.cli import CommandLine
from tests.kit.table import Falling, ticking
from tests.kit.thorough import cases, examples
from tests.table.test_walks import drawn_act
from tests.table.test_what_if import EXAMPLES
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.model.state import State
from waylog.store.replay_and_misread_die import state_before
from waylog.table import Table
from waylog.values import replace
from waylog.what_if import WhatIf


def opened(folder: Path, seed: int = 1, *, read_only: bool = False) -> Table:
    """A table whose dice fall by a seed."""
    return Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange), read_only=read_only)


@pytest.mark.parametrize("example", cases(EXAMPLES, 0, 9), ids=lambda path: path.name)
@settings(max_examples=examples(25))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_log_played_again_comes_to_the_same(example: Path, data: st.DataObject, seed: int) -> None:
    """Whatever was played, undone and redone: each act changes what its entry says, and the end and each moment are as they were."""
    with TemporaryDirectory() as name:
        folder = Path(name) / example.name
        shutil.copytree(example, folder)
        table = opened(folder, seed)
        states = dict[int, State]()
        for _ in range(data.draw(st.integers(1, 6))):
            try:
                table.play(drawn_act(data, table))
                states[table.snapshot.entries] = table._state
                step = data.draw(st.integers(0, 9))
                if step < 2:
                    table.undo()
                if step == 0:
                    table.redo()
            except ActRefused:
                continue
            assert table.settle()
        played = table.replay({})
        assert (played.entries, played.differences, played.values) == (table.snapshot.entries, (), ())
        for number, state in states.items():  # Every moment is as it was.
            back = state_before(table.game, table._state, table._entries_after(number))
            assert not table.game.difference(state, back)
            assert not table.changes_between(number, number)


@pytest.mark.parametrize("example", cases(EXAMPLES, 1), ids=lambda path: path.name)
@settings(max_examples=examples(25))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_an_earlier_moment_is_as_it_was_when_it_was_played(example: Path, data: st.DataObject, seed: int) -> None:
    """Wherever one steps to and from: what may be done, what is shown and asked, what undo takes, why values are so, and the odds. What
    is done there goes on from it.
    """
    with TemporaryDirectory() as name, ExitStack() as leaving:
        folder = Path(name) / example.name
        shutil.copytree(example, folder)
        table = opened(folder, seed)
        then = dict[int, object]()
        for _ in range(data.draw(st.integers(2, 8))):
            then[table.snapshot.entries] = _all_that_shows(table)
            try:
                table.play(drawn_act(data, table))
                step = data.draw(st.integers(0, 9))
                then[table.snapshot.entries] = _all_that_shows(table)
                if step < 3:
                    table.undo()
                if step == 0:
                    then[table.snapshot.entries] = _all_that_shows(table)
                    table.redo()
            except ActRefused:
                continue
        last = table.snapshot.entries
        copy = WhatIf(table, data.draw(st.integers(0, last)))
        leaving.callback(copy.leave)
        for number in data.draw(st.lists(st.sampled_from([*then]), min_size=1, max_size=8)):
            copy.go_to(number)
            assert copy.snapshot.entries == number
            assert _all_that_shows(copy) == then[number]
        with suppress(ActRefused):
            copy.play(drawn_act(data, copy))
            assert copy.snapshot.entries > last


def _all_that_shows(table: Table) -> tuple[object, ...]:
    """What a screen shows of a table and may ask of it, in its order."""
    shown = table.snapshot
    values = (shown.panels, [*shown.clocks.items()], [*shown.decks.items()], shown.moves, shown.question)
    changed = {change.path for entry in shown.act for change in entry.changes}
    why = {path: [entry.number for entry in table.why(path)] for path in changed}
    odds = [_odds(table, move) for move in shown.moves if move.rolls and not (move.asks or move.blocked)]
    return table._state, values, shown.act, shown.undo, why, odds, shown.session, table.scene_so_far()


def _odds(table: Table, move: Move) -> object:
    try:
        return table.odds(Act(move, {}))
    except ActRefused as refused:
        return str(refused)


@pytest.mark.parametrize("example", cases(EXAMPLES, 2, 9), ids=lambda path: path.name)
def test_every_moment_of_an_example_can_be_stepped_to(example: Path, tmp_path: Path) -> None:
    """From near and from far, with the values and what was open then, as in the log's own changes from the beginning on."""
    shutil.copytree(example, tmp_path / example.name)
    real = opened(tmp_path / example.name)
    entries = [*real.entries()][::-1]
    state = state_before(real.game, real._state, entries)
    states = [state]
    for entry in entries:
        state = replace(real.game.apply_changes(state, entry.changes), open=real._campaign.decode_open(entry.scene))
        states.append(state)
    last, copy = len(entries), WhatIf(real)
    far = Random(24).sample(range(last + 1), min(40, last))
    for number in (*range(last, -1, -1), *range(last + 1), *far):
        copy.go_to(number)
        assert copy._state == states[number]
        assert copy.snapshot.entries == number
    for number in (-1, last + 1):
        with pytest.raises(ActRefused):
            copy.go_to(number)
    copy.leave()


def test_another_house_rule_changes_what_follows_from_it(tmp_path: Path) -> None:
    """The dice stay. What comes out differently is told by entry, with its outcome then, and so is what the end would be."""
    shutil.copytree(next(path for path in EXAMPLES if path.name == "tenacity"), tmp_path / "tenacity")
    table = Table(tmp_path / "tenacity", now=ticking(), chance=Falling(6, 6, 6))
    for line in ("roll bram", "shunt 2 2 2 critical", "note after it"):
        table.play(table.understand(line))
    assert not table.replay({"shunt_after_critical": "any-roll"}).differences
    changed = table.replay({"shunt_after_critical": "ship-roll"})
    assert [each.entry.number for each in changed.differences if each.refused] == [table.snapshot.entries - 1]
    assert ("ship", "core", "NAV") not in [change.path for change in changed.differences[-1].changes]
    assert ("ship", "core", "CPU") in [change.path for change in changed.values]
    with pytest.raises(ActRefused):
        table.replay({"exposed": "sometimes"})


@pytest.mark.parametrize(
    ("game", "typed", "rolled"),
    [
        ("under-the-ice", "roll craft holm better 50", (20,)),
        ("pole-star", "roll brave aila grit 4 9", (1,)),
    ],
)
def test_dice_that_waylog_rolled_after_real_ones_are_the_same_again(
    game: str, typed: str, rolled: tuple[int, ...], tmp_path: Path
) -> None:
    """A real die of their size, before them in the same throw or in an earlier one, isn't taken for one of theirs."""
    CommandLine(tmp_path).done("new", "one", "--system", game)
    table = Table(tmp_path / "one", now=ticking(), chance=Falling(*rolled))
    for line in (typed, "rest"):
        table.play(table.understand(line))
    played = table.replay({})
    assert (played.differences, played.values) == ((), ())


def test_a_log_that_was_changed_by_hand_differs_there(tmp_path: Path) -> None:
    """An entry that says another value than its act comes to is found by its number."""
    shutil.copytree(next(path for path in EXAMPLES if path.name == "tenacity"), tmp_path / "tenacity")
    log = next((tmp_path / "tenacity" / "log").glob("*.toml"))
    text = log.read_text()
    number = 1
    changed = text
    for block in text.split("[[entry]]")[1:]:
        number = int(block.split("number = ")[1].split("\n")[0])
        if 'act = "tick ' in block and "after = " in block:
            facts, _, changes = block.partition("changes = [")
            wrong = f"{facts.replace('+1, now', '+2, now')}changes = [{changes.replace('after = ', 'after = 1', 1)}"
            changed = text.replace(block, wrong)
            break
    log.write_text(changed)
    found = opened(tmp_path / "tenacity", read_only=True).replay({}).differences
    assert number in [each.entry.number for each in found]


@pytest.mark.parametrize("example", cases(EXAMPLES, 3), ids=lambda path: path.name)
def test_a_copy_goes_back_to_any_entry(example: Path, tmp_path: Path) -> None:
    """It has the values and what was open then, also after another program opens it; the difference to now is what came since."""
    shutil.copytree(example, tmp_path / example.name)
    real = opened(tmp_path / example.name)
    real.play(real.understand("note now"))
    entries = [*real.entries()][::-1]
    state = state_before(real.game, real._state, entries)
    states = {0: state}
    for entry in entries:
        state = replace(real.game.apply_changes(state, entry.changes), open=real._campaign.decode_open(entry.scene))
        states[entry.number] = state
    last = entries[-1].number
    for number in sorted({0, last // 3, last // 2, last - 1}):
        copy = WhatIf(real)
        copy.go_back_to(number)
        assert copy._state == states[number]
        assert copy.settle()
        assert Table(copy.folder, now=ticking(), chance=Falling())._state == states[number]
        assert real.changes_between(number, last) == real.game.difference(states[number], real._state)
        copy.redo()
        assert copy._state == real._state
        copy.leave()
    for number in (last, last + 1):
        with pytest.raises(ActRefused):
            real.go_back_to(number)


LOT_NINE = next(path for path in EXAMPLES if path.name == "lot-nine")


def test_another_version_of_a_game_in_a_file_is_an_oracle_of_itself(tmp_path: Path) -> None:
    """The same file changes nothing; one with other bands of its dice changes the outcomes that those bands give, and no others."""
    shell = CommandLine(tmp_path)
    shutil.copytree(LOT_NINE, tmp_path / "lot-nine")
    game = Path(str(files("waylog") / "games" / "breakers-yard" / "game.toml"))
    same = shell.json("replay", "lot-nine", "--game", str(game))
    assert (same["differences"], same["values"]) == ([], [])
    text = game.read_text()
    changed = tmp_path / "changed.toml"
    assert 'label = "At a price"' in text
    changed.write_text(text.replace('label = "At a price"', 'label = "At some price"'))
    table = opened(tmp_path / "lot-nine", read_only=True)
    named = [each["entry"] for each in shell.json("replay", "lot-nine", "--game", str(changed))["differences"]]
    priced = [
        entry.number
        for entry in table.entries()
        if any(isinstance(fact, OutcomeFact) and fact.label == "At a price" for fact in entry.facts)
    ]
    assert named == sorted(priced)
    assert priced


def test_a_check_may_replay(tmp_path: Path) -> None:
    """It says where an entry is that comes out differently, and nothing of a log as it was played."""
    shell = CommandLine(tmp_path)
    folder = shutil.copytree(next(path for path in EXAMPLES if path.name == "tenacity"), tmp_path / "tenacity")
    shell.done("check", "tenacity", "--replay")
    shell.done("do", "tenacity", "roll", "nav", "--dice", "1,2")
    log = max((folder / "log").glob("*.toml"))
    *earlier, last = log.read_text().split("[[entry]]")
    body = last.replace("dice = [1, 2]", "dice = [6, 2]").rpartition("check = ")[0]
    block = f"[[entry]]{body}"
    log.write_text("[[entry]]".join(earlier) + block + f'check = "{crc32(block.encode()):08x}"\n')
    ran = shell("check", "tenacity", "--replay")
    assert ran.code == 1
    assert "0002.toml:4:1" in ran.err or "0001.toml" in ran.err
    assert "“Roll NAV” gives a different result when replayed" in ran.err
