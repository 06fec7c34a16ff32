"""The table's screen: rolls are large, and everything else turns its pages by itself."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from shutil import copytree

import pytest

from tests.kit import EXAMPLES
from tests.kit.app import seen
from tests.kit.table import Falling, play_and_settle, table_at, ticking
from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from waylog.app.players_apps_and_phones import TableApp
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.store.players.players_file import (
    FILE,
    Projection,
    VisibleAct,
    decode_projection,
    encode_projection,
    latest_roll,
)
from waylog.table import Table
from waylog.ui.draw.large_letters_and_dice import DIE, big_dice, big_text
from waylog.ui.views import wall
from waylog.ui.views.wall import WallView
from waylog.values import replace

pytestmark = pytest.mark.usefixtures("every_frame")

ROLL = RollFact("Odile", (Face("Odile", 5), Face("tether gun", 2)), typed=True)
SUCCESS = OutcomeFact("success", "Success", OutcomeGrade.SUCCESS, "Odile")
RAISED = NoteFact("5 → 6", dice=(Face("Odile", 6), Face("tether gun", 2)))
TICKED = NoteFact("“Storm” +1, now 2/4")


def act(*facts: RollFact | OutcomeFact | NoteFact) -> VisibleAct:
    """An act at eight."""
    return VisibleAct("20:00", facts)


def test_a_roll_is_followed_to_its_end() -> None:
    """A choice after it changes its dice and gives it its outcome; other acts end no roll and begin none."""
    assert latest_roll(()) is None
    assert latest_roll((act(TICKED),)) is None
    waits = latest_roll((act(TICKED), act(ROLL)))
    assert waits
    assert (waits.who, waits.dice, waits.outcome, waits.followed) == ("Odile", ROLL.dice, None, ())
    ended = latest_roll((act(ROLL), act(RAISED, SUCCESS, TICKED)))
    assert ended
    assert (ended.dice, ended.outcome) == (RAISED.dice, SUCCESS)
    assert TICKED.text in ended.followed
    assert latest_roll((act(ROLL), act(TICKED))) is None


def test_damage_after_a_roll_does_not_take_its_place() -> None:
    """The roll that somebody chose to make is the one with an outcome."""
    hurt = RollFact("damage to the ship", (Face("damage", 3),), typed=False)
    roll = latest_roll((act(ROLL, SUCCESS, hurt, NoteFact("A module is destroyed")),))
    assert roll
    assert (roll.who, roll.outcome) == ("Odile", SUCCESS)
    alone = latest_roll((act(hurt, NoteFact("A module is destroyed")),))
    assert alone
    assert (alone.who, alone.followed) == ("damage to the ship", ("A module is destroyed",))


def test_letters_are_wrapped_and_never_cut() -> None:
    """A word that is too wide, or has a letter that nobody has drawn, gives nothing: the caller has smaller letters."""
    one, two = big_text("Critical success", 100), big_text("Crítical success", 50)
    assert len(one) == 5
    assert len(two) == 11
    assert max(map(len, two)) <= 50
    assert not big_text("Critical", 20)
    assert not big_text("Успех", 100)


def test_every_die_has_its_face() -> None:
    """Six-sided dice have pips, others a figure and their size."""
    lines = [line.text for line in big_dice((Face("", 5), Face("Mara", 17, 20)), INK, 80)]
    assert len(lines) == DIE.height + 1
    assert sum(line[: DIE.width].count("██") for line in lines[:-1]) == 5
    assert "Mara d20" in lines[-1]


@pytest.mark.parametrize("size", [(200, 50), (120, 36), (100, 30), (80, 24), (60, 18), (40, 20)])
@pytest.mark.parametrize("label", ["Success with drawback", "Ja, aber"])
def test_a_roll_fits_into_every_window(size: tuple[int, int], label: str) -> None:
    """With its outcome, and with all of its dice."""
    dice = tuple(Face(f"die {n}", n % 6 + 1) for n in range(7))
    outcome = OutcomeFact("x", label, OutcomeGrade.DRAWBACK)
    view = WallView()
    view._seen = Projection(name="The Swallow")
    view._roll = latest_roll((act(replace(ROLL, dice=dice), outcome, *[TICKED] * 3),))
    lines = view.render_page(INK, *size).lines
    assert len(lines) == size[1]
    drawn = "\n".join(line.text for line in lines)
    assert "◐ " in drawn or "████" in drawn
    assert all(f"die {n}" in drawn for n in range(7)) or drawn.count("[") == 7


@cache
def seen_of(example: str) -> Projection:
    """What players see of an example."""
    return Table(EXAMPLES / example, now=ticking(), chance=Falling(), read_only=True).projection()


@pytest.mark.parametrize(
    ("example", "size"),
    # At a desk each example has a size of its own.
    cases([*product(("tenacity", "slack-water", "half-measure"), ((100, 30), (60, 18), (40, 20)))], 0, 4),
)
def test_its_pages_show_all_that_players_see(example: str, size: tuple[int, int]) -> None:
    """Every heading of ship, crew and clocks is on one of them, and none is longer than the window."""
    view = WallView()
    view._seen = seen = seen_of(example)
    drawn = ""
    for view._turned in range(20):
        lines = view.render_page(INK, *size).lines
        assert len(lines) == size[1]
        page = "".join(line.text for line in lines)
        if page in drawn:  # They begin again.
            break
        drawn += page
    for name in (*(panel.title for panel in seen.panels if panel.rows), *(clock.name for clock in seen.clocks)):
        assert name.split()[0] in drawn


def test_a_page_with_lines_to_spare_ends_with_the_log(tmp_path: Path) -> None:
    """On each page: no four lines stay empty below what it shows, while something was played."""
    table = table_at(Path(copytree(EXAMPLES / "lot-nine", tmp_path / "nine")))
    pages = wall._idle_pages(table.projection(), INK, 40, 19)
    assert len(pages) > 1
    for page in pages:
        assert any("Log ─" in line.text for line in page) or len(page) > 15
        assert len(page) <= 19


async def test_a_roll_takes_the_window_and_folds_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its outcome and its odds; a note meanwhile doesn't end it, and the next roll takes its place."""
    before = Projection(name="The Swallow", log=(act(TICKED),))
    (tmp_path / FILE).write_bytes(encode_projection(before))
    app = TableApp(tmp_path)
    monkeypatch.setattr(wall, "ROLL_SHOWN", 1e6)
    async with app.run_test(size=(100, 30)) as pilot:

        async def now(*acts: VisibleAct) -> str:
            (tmp_path / FILE).write_bytes(encode_projection(replace(before, log=(*before.log, *acts))))
            app._look()
            await pilot.pause()
            return seen(pilot)

        assert "Storm" in seen(pilot)
        assert "██" in await now(act(ROLL))
        assert "███" in await now(act(ROLL, SUCCESS))
        assert "tether gun" in await now(act(ROLL, SUCCESS), act(TICKED))
        await now(act(ROLL, SUCCESS), act(TICKED), act(replace(ROLL, what="Bram"), SUCCESS))
        assert "Bram" in seen(pilot)
        app.screen.query_one(WallView)._fold_away()
        await pilot.pause()
        assert "██" not in seen(pilot)


def test_a_roll_keeps_the_odds_that_players_could_know(tmp_path: Path) -> None:
    """They are those of the state before it. A roll that rests on what players don't know has none."""
    folder = Path(copytree(EXAMPLES / "tenacity", tmp_path / "tenacity"))
    (folder / FILE).touch()
    table = table_at(folder, *[5] * 20)
    roll = table.understand("roll odile primary standard")
    expected = table.odds(roll)
    assert expected

    def odds() -> list[tuple[float, ...]]:
        assert table.settle()
        acts = decode_projection((folder / FILE).read_bytes()).log
        return [tuple(float(one.chance) for one in each.spread.chances) for shown in acts for each in shown.odds]

    assert odds() == []
    table.play(roll)
    assert odds() == [tuple(float(one.chance) for one in expected.spread.chances)]
    play_and_settle(table, "keep")
    play_and_settle(table, "roll bram +1")
    assert odds() == []
