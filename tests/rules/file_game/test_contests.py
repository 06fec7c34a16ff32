"""Contests: both sides read under their own numbers in one roll, and outcomes that ask what the dice of both show."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK
from tests.rules.file_game.every_throw import tables
from tests.rules.file_game.game_on_trial import Trial, counted
from tests.rules.file_game.sample_rolls import (
    ANY_BANDS,
    BAD,
    GOOD,
    POOLS,
    READINGS,
    RULES,
    TWICE,
    band,
    planned,
    takes_too_long,
)
from tests.rules.file_game.test_pool_odds import known, plainly
from tests.rules.file_game.test_spend_odds import PURSES, SPENDS, Trying
from waylog.rules.file_game import check_tried_rolls
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.dice_readings import (
    Band,
    Marks,
    ReadingKind,
    Result,
    RollPlan,
    Theirs,
    WhenShown,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import TableDie
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_with_spends import best_odds
from waylog.rules.file_game.odds.odds_without_spends import exact_odds, possible_results
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.file_game.spends import RaiseDie, Spend
from waylog.rules.model.odds import Ratio
from waylog.values import replace

DUEL = """
[sheet.crew.each]
combat = { range = [0, 99], start = 70 }
luck = { range = [0, 3], start = 1 }
[sheet.crew.start.okon]
name = "Okon"
[sheet.foes.each]
instinct = { range = [0, 99], start = 60 }
[sheet.foes.start.thing]
name = "The thing"
[formulas]
theirs_done = "theirs.result >= 0"
[dice.duel]
label = "Duel"
who = "crew"
die = "d100"
reading = "under"
target = "combat"
more = [{ die = "d100", label = "Foe", against = true }]
theirs = { target = "options.foe.instinct" }
bands = [
  { outcome = "lost", grade = "fiasco" },
  { outcome = "nobody", grade = "drawback", to = -1, when = "not theirs_done" },
  { outcome = "won", from = 0, when = "not theirs_done or face > theirs.face" },
  { outcome = "crit", grade = "critical", from = 0, doubles = true, when = "not (theirs.doubles and theirs_done)" },
]
[dice.duel.options.foe]
who = "foes"
most = 1
[dice.duel.pick.odds]
plain = {}
advantage = { twice = "better" }
[after.duel]
lost = [{ do = "lose luck theirs.face // 10", when = "theirs.result >= 0" }]
"""
ORDER = ["lost", "nobody", "won", "crit"]


def _duel(mine: int, foe: int, combat: int = 70, instinct: int = 60) -> str:
    done, foe_done = mine <= combat, foe <= instinct
    if done and (mine % 11 == 0 or mine == 100) and not (foe_done and (foe % 11 == 0 or foe == 100)):
        return "crit"
    if not done and not foe_done:
        return "nobody"
    return "won" if done and (not foe_done or mine > foe) else "lost"


def test_a_contest_is_one_roll_with_exact_odds() -> None:
    """Both sides roll under their own number; who succeeds wins, and of two who do, the higher die."""
    trial = Trial(DUEL)
    assert trial.odds("roll duel okon thing").dice == "1d100 against 1d100: Duel"
    assert trial.chances("roll duel okon thing") == counted(_duel, 100, 100)
    trial.play("set foes.thing.instinct 25")
    assert trial.chances("roll duel okon thing") == counted(lambda mine, foe: _duel(mine, foe, instinct=25), 100, 100)
    trial.play("set crew.okon.luck 3")
    assert trial.play("roll duel okon thing", 30, 21) == ["Okon: Won"]
    assert trial.play("roll duel okon thing", 30, 26) == ["Okon: Won"]
    assert trial.play("roll duel okon thing", 20, 21) == ["Okon: Lost", "Okon: Luck 3 → 1"]


def test_with_advantage_the_other_side_still_rolls_once() -> None:
    """The better of two dice against one die, and not the better of two contests."""
    trial = Trial(DUEL)

    def better(one: int, other: int, foe: int) -> str:
        return max(_duel(one, foe), _duel(other, foe), key=ORDER.index)

    assert trial.chances("roll duel okon thing advantage") == counted(better, 100, 100, 100)
    said = trial.play("roll duel okon thing advantage", 20, 30, 40)
    assert said == ["Rolled twice: “Lost”, then “Won”. The better one counts", "Okon: Won"]


def test_what_can_be_spent_counts_in_a_contest() -> None:
    """The odds as rolled stay, and a reroll of one's own die is spent where it helps."""
    trial = Trial(DUEL + '[spend.luck]\nreroll = "one"\ncost = ["spend luck"]\nlimit = 1\n')
    odds = trial.odds("roll duel okon thing")
    assert [spread.label for spread in odds.spends] == ["with 1 Luck"]
    again = counted(_duel, 100, 100)

    def kept(outcome: str, foe: int) -> Ratio:
        """The chance to lose with this outcome first."""
        return Ratio(sum(_duel(die, foe) == "lost" for die in range(1, 101)), 100) if outcome == "lost" else Ratio()

    lost = sum((kept(_duel(die, foe), foe) for die in range(1, 101) for foe in range(1, 101)), Ratio()) / 10_000
    assert trial.chances("roll duel okon thing", 0)["lost"] == lost < again["lost"]


WHENS = (
    "result > 2",
    "face >= 3 and not doubles",
    "matches + ones > 1",
    "theirs.result < 2",
    "face > theirs.face",
    "result > theirs.result or theirs.doubles",
    "theirs.matches + theirs.ones > matches",
    "low < face",
)
KNOWN = ((("low",), 2),)
WHEN = st.none() | st.sampled_from(WHENS).map(lambda formula: WhenShown(formula, KNOWN))
CONTESTS = st.builds(
    lambda plan, whens, theirs: replace(
        plan,
        reading=replace(plan.reading, theirs=theirs, kind=_but_beats(plan.reading.kind)),
        bands=tuple(replace(one, when=when) for one, when in zip(plan.bands, (*whens, *[None] * 5), strict=False)),
    ),
    st.builds(RollPlan, POOLS, READINGS, ANY_BANDS, RULES, TWICE),
    st.lists(WHEN, max_size=5),
    st.tuples(st.integers(1, 6), st.integers(-2, 2)).map(lambda numbers: Theirs(*numbers)),
)


def _but_beats(kind: ReadingKind) -> ReadingKind:
    return ReadingKind.SUM if kind is ReadingKind.BEATS else kind


def _outcome(plan: RollPlan, table: Sequence[TableDie]) -> str:
    """The outcome of a table, read in no hurry: formulas by Python itself."""
    assert plan.reading.theirs
    numbers = plan.reading.theirs
    alone = replace(plan.reading, theirs=None)
    theirs_alone = replace(alone, target=numbers.target, plus=numbers.plus, cap=None)
    ours = plainly(alone, [die for die in table if not die.against])
    theirs = plainly(theirs_alone, [replace(die, against=False) for die in table if die.against])

    def fits(one: Band) -> bool:
        shown = {**_shown(ours), "theirs": SimpleNamespace(**_shown(theirs)), "low": 2}
        return replace(one, when=None).fits(ours) and (not one.when or bool(eval(one.when.formula, {}, shown)))  # noqa: S307

    return next((one for one in reversed(plan.bands) if fits(one)), plan.bands[0]).outcome


def _shown(result: Result) -> dict[str, int]:
    return {"result": result.value, **{name: getattr(result, name) for name in ("face", "matches", "ones", "doubles")}}


def _expected(plan: RollPlan) -> Mapping[str, Ratio]:
    """The chance of each outcome over all tables; of a roll that is made twice, the other side's dice are rolled once."""
    by_theirs: dict[tuple[TableDie, ...], dict[str, Ratio]] = defaultdict(lambda: defaultdict(Ratio))
    for table, chance in tables(plan.pool, plan.rules).items():
        by_theirs[tuple(die for die in table if die.against)][_outcome(plan, table)] += chance
    order = [one.outcome for one in worst_first(plan.bands)]
    found: dict[str, Ratio] = defaultdict(Ratio)
    for once in by_theirs.values():
        whole = sum(once.values(), Ratio())
        for first, one in once.items():
            for second, other in once.items():
                better, worse = sorted((first, second), key=order.index, reverse=True)
                found[better if plan.twice == "better" else worse if plan.twice else first] += one * other / whole
    return found


@settings(max_examples=40 if IS_AT_A_DESK else 1500, deadline=None)
@given(CONTESTS)
def test_odds_of_contests_are_the_share_of_all_throws(plan: RollPlan) -> None:
    """Whatever is rolled, and whatever outcomes ask of both sides; also if it is made twice."""
    if IS_AT_A_DESK and len(tables(plan.pool, plan.rules)) > 600:
        return
    try:
        found = exact_odds(plan)
    except TooMany:
        assert takes_too_long(plan)
        return
    assert known(found) == known(_expected(plan))


@pytest.mark.parametrize("kind", [ReadingKind.SUM, ReadingKind.HIGHEST, ReadingKind.COUNT, ReadingKind.MATCH])
@pytest.mark.parametrize("formula", WHENS)
def test_each_reading_sees_what_formulas_ask(kind: ReadingKind, formula: str) -> None:
    """Of two dice on either side."""
    bands = (band(BAD), replace(band(GOOD), when=WhenShown(formula, KNOWN)))
    plan = planned("2d4 / 2d3", kind, bands, target=2, theirs=Theirs(3, 1))
    assert known(exact_odds(plan)) == known(_expected(plan))


def test_faces_that_a_formula_tells_apart_are_never_merged() -> None:
    """A die is raised to the one face that an outcome asks for."""
    plan = planned("1d6", ReadingKind.HIGHEST, (band(BAD), replace(band(GOOD), when=WhenShown("face == 3"))))
    spends, purse = (Spend("raise", RaiseDie(1), "luck"),), {"luck": 1}
    (found,) = best_odds(plan, spends, [tuple(purse.items())])
    assert found == Trying(plan, spends, purse).odds()
    assert found[band(GOOD).outcome] == Ratio(2, 6)


@settings(max_examples=10 if IS_AT_A_DESK else 150, deadline=None)
@given(CONTESTS, SPENDS, PURSES)
def test_the_best_way_in_a_contest_is_the_best_of_all_ways(
    plan: RollPlan, spends: tuple[Spend, ...], purse: dict[str, int]
) -> None:
    """With everything that can be spent, and with nothing."""
    if len(tables(plan.pool, plan.rules)) > (60 if IS_AT_A_DESK else 600):
        return
    try:
        rolled, found = best_odds(plan, spends, [None, tuple(purse.items())])
    except TooMany:
        return
    assert rolled == exact_odds(plan)
    if not plan.twice:
        assert found == Trying(plan, spends, purse).odds()


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (('when = "not theirs_done"', 'when = "theirs.score < 0"'), "there is no `theirs.score`"),
        (("theirs = { target", "#"), "`theirs` can be used only for a roll that has `theirs`"),
        (('{ target = "options.foe.instinct" }', "{ plus = 2 }"), "needs a `target` for the other side too"),
        ((", against = true", ""), "the other side has no dice"),
        (('reading = "under"', 'reading = "beats"'), "with `beats`, the score is compared with the other side's dice"),
        (
            (
                "bands = [",
                'bands = [{ outcome = "lost", grade = "fiasco" }, { outcome = "won", from = 0 }]\nunused = [',
            ),
            "no outcome looks at",
        ),
    ],
)
def test_what_is_wrong_in_a_contest_is_named(change: tuple[str, str], wrong: str) -> None:
    """With what would be right."""
    text = DUEL.replace(*change)
    flaws = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
    assert [flaw.message for flaw in flaws if wrong in flaw.message], flaws


def test_a_sound_contest_raises_no_alarm() -> None:
    """Its outcomes happen, its numbers matter, and what it reads of the other side afterwards may be true."""
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{DUEL}')
    assert check_game(tree)[1] == ()
    assert [*advise(rulebook_of(tree))] == []


def test_a_check_looks_at_some_contests_of_a_roll_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contest of d100s is 10,000 meetings, and there are hundreds with other numbers: all of them took minutes and gigabytes."""
    looked_at: list[RollPlan] = []

    def counted_results(plan: RollPlan, marks: Marks | None = None) -> Iterator[Result]:
        looked_at.append(plan)
        return possible_results(plan, marks)

    monkeypatch.setattr(check_tried_rolls, "possible_results", counted_results)
    calls = "".join(f"harder-by-{number} = {{ plus = {number} }}\n" for number in range(1, 13))
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{DUEL}[dice.duel.calls]\n{calls}')
    assert [*advise(rulebook_of(tree))] == []
    assert 0 < len(looked_at) <= 8
