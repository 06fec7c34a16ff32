"""What the dice came to, by person and source; and sealed dice, which are those of a seed that was drawn before."""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
from pathlib import Path
from random import Random

import pytest

from tests.kit.table import saved, ticking, written
from waylog.rules.model.dice import ChanceDice, Die
from waylog.rules.model.panels import Panel
from waylog.store.files_and_lock import SEAL
from waylog.store.seals import RolledDice, Seal, sealed_face
from waylog.store.shown.luck_and_fairness import OTHERS, luck_of, luck_sentence, luck_text, rolls_of
from waylog.table import LogWriteFailed, Table
from waylog.what_if import WhatIf

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign."""
    return written(tmp_path / "swallow")


def opened(folder: Path, seed: int = 1) -> Table:
    """A table whose chance is a seed, as another program opens it."""
    return Table(folder, now=ticking(), chance=ChanceDice(Random(seed).randrange))


def play(table: Table, *lines: str) -> None:
    """Do what the lines say."""
    for line in lines:
        table.play(table.understand(line))


def faces(table: Table) -> list[tuple[tuple[int, int], ...]]:
    """The dice that Waylog rolled, by entry."""
    return [entry.rolled for entry in [*table.entries()][::-1] if entry.rolled]


def test_a_die_is_what_a_standard_hmac_says() -> None:
    """HMAC-SHA256 of the entry's number and the die's place, with the seed as its key; each face comes about as often."""
    seed = bytes(range(32))
    for entry, place, sides in ((1, 0, 6), (412, 3, 20), (99_999, 11, 100)):
        digest = hmac.new(seed, f"{entry}:{place}".encode(), hashlib.sha256).digest()
        assert sealed_face(seed, entry, place, sides) == int.from_bytes(digest, "big") % sides + 1
    counts = [sum(sealed_face(seed, entry, 0, 6) == face for entry in range(1800)) for face in range(1, 7)]
    assert all(230 < count < 370 for count in counts)


def test_dice_of_one_act_have_their_places_over_all_its_rolls() -> None:
    """A second roll of the same act goes on counting, so that no two dice are the same one."""
    dice = RolledDice(ChanceDice(Random(1).randrange), lambda: Seal(1, b"x" * 32), 7)
    rolled = [*dice.roll([Die("a"), Die("b", 8)]), *dice.roll([Die("c", 20)])]
    assert [(face.sides, face.face) for face in rolled] == [*dice.faces]
    assert [face.face for face in rolled] == [
        sealed_face(b"x" * 32, 7, at, sides) for at, sides in enumerate((6, 8, 20))
    ]


def test_the_dice_of_a_session_are_those_of_its_seed(folder: Path) -> None:
    """The seal is in the entry that begins it, the seed in the one that ends it and nowhere before that but in a private file."""
    table = opened(folder)
    play(table, "dice 3d6", "session begin", "dice d6", "note x", "dice 2d20")
    seal = folder / SEAL
    assert seal.stat().st_mode & 0o777 == 0o600
    seed = seal.read_text().split()[1]
    assert seed not in (folder / "log" / "0001.toml").read_text()
    report = table.check_seals()
    assert [(each.entry, each.told, each.is_open, each.dice) for each in report.seals] == [(2, False, True, 3)]
    assert report.unsealed == 3
    play(table, "session end")
    assert not seal.exists()
    began, ended = table.entry(2), table.entry(6)
    assert (hashlib.sha256(bytes.fromhex(seed)).hexdigest(), seed) == (began.seal, ended.seed)
    checked = opened(folder, 2).check_seals().seals[0]
    assert (checked.told, checked.dice, checked.wrong) == (True, 3, ())
    play(table, "dice d6")
    assert table.entry(7).sealed == 0


def test_two_programs_roll_from_the_same_seed(folder: Path) -> None:
    """Whoever plays an entry, its dice are the same; either may end the session."""
    first = opened(folder, 1)
    play(first, "session begin")
    second = opened(folder, 2)
    for number in range(4):
        play((first, second)[number % 2], "dice 4d6")
    play(second, "session end")
    checked = opened(folder, 3).check_seals().seals
    assert [(each.told, each.dice, each.wrong) for each in checked] == [(True, 16, ())]


def test_what_if_foresees_no_die(folder: Path) -> None:
    """Copies roll by a seed of their own. What is made real keeps the faces that were seen, and says that they are not sealed."""
    table = opened(folder)
    play(table, "session begin")
    copy = WhatIf(table)
    assert not (copy.folder / SEAL).exists()
    play(copy, "dice 12d20")
    tried = copy.entry(2).rolled
    copy.leave()
    play(table, "dice 12d20")
    assert table.entry(2).rolled != tried
    copy = WhatIf(table)
    play(copy, "dice 4d20")
    seen = copy.entry(3).rolled
    copy.make_real()
    copy.leave()
    assert (table.entry(3).rolled, table.entry(3).sealed) == (seen, 0)
    play(table, "session end")
    report = table.check_seals()
    assert ([(each.dice, each.wrong) for each in report.seals], report.unsealed) == ([(12, ())], 4)


def test_an_earlier_moment_foresees_no_die(folder: Path) -> None:
    """Back before a roll, another one comes; nor does a dry run say what will."""
    table = opened(folder)
    play(table, "session begin", "dice 12d20")
    earlier = WhatIf(table, 1)
    play(earlier, "dice 12d20")
    earlier.leave()
    assert earlier._tried
    assert [*faces(table)] == [table.entry(2).rolled]
    preview = table.preview(table.understand("dice 12d20"))
    play(table, "dice 12d20")
    assert preview.entry is None or preview.entry.facts != table.entry(3).facts


@pytest.mark.parametrize("way", ["undo", "by hand"])
def test_a_seed_that_was_told_is_not_rolled_with_again(way: str, folder: Path) -> None:
    """If a session's end is undone, the session goes on with a new seal."""
    table = opened(folder)
    play(table, "session begin", "dice 2d6", "session end")
    if way == "undo":
        table.undo()
    else:
        assert table.settle()
        saved(folder, 'ended = "', 'notes = "x"\nended = ""  # ')
        table.refresh()
    assert table.snapshot.session == 1
    play(table, "dice 2d6", "session end")
    assert [entry.number for entry in [*table.entries()][::-1] if entry.seal] == [1, 4]
    assert [(each.told, each.dice, each.wrong) for each in table.check_seals().seals] == [(True, 2, ()), (True, 2, ())]


def test_an_act_that_was_never_saved_spoils_its_seed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its dice were on the screen. The next act is rolled by chance, tells the seed, and has a new seal."""
    table = opened(folder)
    play(table, "session begin")
    with monkeypatch.context() as failing:

        def fail(*_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        failing.setattr("waylog.store.log.log_and_torn_entries.write_block", fail)
        with pytest.raises(LogWriteFailed):
            play(table, "dice 12d20")
    assert table._unsaved
    unsaved = table._unsaved[0]
    table.discard_unsaved()
    play(table, "dice 12d20", "dice 12d20", "session end")
    assert unsaved.rolled != table.entry(2).rolled
    assert [(entry.sealed, bool(entry.seal), bool(entry.seed)) for entry in map(table.entry, (2, 3, 4))] == [
        (0, True, True),
        (2, False, False),
        (0, False, True),
    ]
    assert not any(each.wrong for each in table.check_seals().seals)


def test_a_lost_or_unwritable_seed_leaves_dice_to_chance(folder: Path) -> None:
    """Play goes on. The next entry has a new seal, and the dice of the lost one can't be computed again."""
    table = opened(folder)
    play(table, "session begin", "dice d6")
    (folder / SEAL).unlink()
    play(table, "dice d6", "dice d6", "session end")
    assert [table.entry(number).sealed for number in (2, 3, 4)] == [1, 0, 3]
    assert [(each.told, each.is_open) for each in table.check_seals().seals] == [(False, False), (True, False)]
    (folder / SEAL).mkdir()
    play(table, "session begin", "dice d6", "session end")
    assert not any(table.entry(number).seal or table.entry(number).sealed for number in (6, 7, 8))


@pytest.mark.parametrize(
    ("old", "new"),
    [("rolled = [[6, ", "rolled = [[60, "), ("seal = ", "other = "), ('seed = "', 'seed = "00')],
)
def test_a_log_that_was_changed_is_found_out(old: str, new: str, folder: Path) -> None:
    """Another face, another seal or another seed: the dice are no longer those of the seed, or can't be computed again."""
    table = opened(folder)
    play(table, "session begin", "dice d6", "session end")
    log = folder / "log" / "0001.toml"
    log.write_text(log.read_text().replace(old, new))
    report = opened(folder).check_seals()
    fine = [each for each in report.seals if each.told and not each.wrong]
    assert not fine
    assert bool(report.stray) == (old == "seal = ")


def test_logs_without_seeds_still_open(folder: Path) -> None:
    """An entry of an earlier version has no dice of its own; those of its facts count as not sealed."""
    table = opened(folder)
    play(table, "dice 3d6")
    log = folder / "log" / "0001.toml"
    log.write_text("".join(line for line in log.read_text().splitlines(True) if not line.startswith("rolled")))
    old = opened(folder)
    assert old.check_seals().unsealed == 3
    assert old.luck().every.dice == 3
    assert old.entry(1).rolled == ()


def test_luck_counts_what_holds_by_person_and_source(folder: Path) -> None:
    """Real dice, Waylog's and saved dice; an undone roll doesn't count. Under thirty rolls nothing can be said."""
    saved(folder, "[boat]", '[dice]\nPanic = "2d8"\n\n[boat]')
    table = opened(folder)
    play(table, "dice d6 6", "dice panic 8 8", "dice d20", "dice d6")
    table.undo()
    luck = table.luck()
    assert [(each.name, each.rolls, each.dice) for each in luck.people] == [(OTHERS, 3, 4)]
    assert [(each.name, each.dice) for each in luck.sources] == [("Real dice", 3), ("Waylog's dice", 1), ("Panic", 2)]
    assert (luck.sources[0].came, luck.sources[0].expected) == (22, 12.5)
    assert luck_sentence(luck).startswith("Only 3 rolls so far")
    assert "| Real dice | 2 | 3 | 22 | 12.5 |\n" in luck_text(luck)
    for _ in range(27):
        play(table, "dice d6 6")
    unusual = table.luck()
    assert unusual.unusual
    assert "high" in luck_sentence(unusual) or "came up" in luck_sentence(unusual)
    fair = table
    for _ in range(27):
        play(fair, "dice d6 1")
    assert fair.luck().every.tails


def test_ordinary_dice_are_called_so(folder: Path) -> None:
    """Thirty rolls and more of which nothing is rare: the sentence says that, with the chance of being so far out."""
    table = opened(folder)
    for number in range(36):
        play(table, f"dice d6 {number % 6 + 1}")
    assert (
        luck_sentence(table.luck())
        == "The dice look fair. Fair dice end up at least this far from average 100 % of the time."
    )


def test_who_rolled_is_named_by_the_dice_or_by_what_the_act_was_about(folder: Path) -> None:
    """A label such as `Mara, tool` is Mara's; a part of the ship is the ship's."""
    table = opened(folder)
    play(table, "row boat calm")
    [entry] = table.entries()
    panels = [Panel("boat", "ship", "The boat", ()), Panel("crew.mara", "crew", "Boat", ())]
    assert {roll.who for roll in rolls_of([entry], panels, ())} == {"Boat"}
    assert {roll.who for roll in rolls_of([entry], [], ())} == {OTHERS}
    assert luck_of([]).every.dice == 0
