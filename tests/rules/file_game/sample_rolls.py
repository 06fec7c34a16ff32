"""Rolls of games in files, in short, and at random."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from waylog.rules.file_game.dice_readings import Band, Keep, Reading, ReadingKind, RollPlan, WhenShown
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, ThrowRules
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.model.facts import OutcomeGrade
from waylog.values import replace

BAD, PARTLY, GOOD, BEST = OutcomeGrade
PLAIN = ThrowRules()


def band(grade: OutcomeGrade, low: int | None = None, **marks: Any) -> Band:
    """A band that is called after its grade."""
    return Band(grade.value, grade.value.title(), grade, low, **marks)


def exactly(*values: int) -> tuple[Band, ...]:
    """One outcome for each value."""
    return tuple(Band(str(value), str(value), BAD, value) for value in values)


def planned(pool: str, kind: ReadingKind, bands: Sequence[Band], rules: ThrowRules = PLAIN, **reading: Any) -> RollPlan:
    """A roll of dice in short: `2d6 1d8`, `1d6-gear` for dice with a label, and `/ 2d6` for those of the other side."""
    groups, against = [], False
    for word in pool.split():
        if word == "/":
            against = True
        else:
            count, _, size = word.partition("d")
            groups.append(DiceGroup(int(count), f"d{size}", size.partition("-")[2].title(), against))
    return RollPlan(tuple(groups), Reading(kind, **reading), tuple(bands), rules)


HIGHEST = ReadingKind.HIGHEST
SUM = ReadingKind.SUM
COUNT = ReadingKind.COUNT
POOL_BANDS = (band(BAD), band(PARTLY, 4), band(GOOD, 6), band(BEST, 6, matches=2))
MOVE_BANDS = (band(BAD), band(PARTLY, 7), band(GOOD, 10), band(BEST, 12))


def takes_too_long(plan: RollPlan) -> bool:
    """Whether the odds may be refused if nothing is spent: of all rolls made here at random, only those of a d66 that explodes twice."""
    explosion = plan.rules.explosion
    return explosion is not None and explosion.times > 1 and any(dice.die == "d66" for dice in plan.pool)


# -- at random ----------------------------------------------------------------------------------------------------

NUMERIC_KINDS = [kind for kind in ReadingKind if kind is not ReadingKind.SYMBOLS]
KINDS = st.sampled_from(NUMERIC_KINDS)
READINGS = st.builds(
    Reading,
    KINDS,
    plus=st.integers(-3, 3),
    target=st.integers(1, 6),
    keep=st.none() | st.builds(Keep, st.integers(1, 3), st.booleans(), st.booleans()),
    cap=st.none() | st.integers(2, 6),
    blank=st.sampled_from([None, None, 1, 3]),
    worth=st.sampled_from([(), (), ((1, -1), (4, 2))]),
)
ANY_BANDS = st.lists(
    st.builds(
        Band,
        st.sampled_from("abcdef"),
        st.just(""),
        st.sampled_from(OutcomeGrade),
        low=st.none() | st.integers(-4, 12),
        high=st.none() | st.integers(-4, 12),
        face_low=st.none() | st.integers(-2, 8),
        face_high=st.none() | st.integers(-2, 8),
        matches=st.integers(0, 3),
        ones=st.integers(0, 2),
        doubles=st.booleans(),
        all_equal=st.booleans(),
    ),
    min_size=1,
    max_size=5,
).map(tuple)
MARK = st.sampled_from([{}, {}, {"ones": 1}, {"matches": 2}, {"doubles": True}, {"all_equal": True}])
"""What a band may ask for besides a value."""
STAIRS = st.lists(st.tuples(st.integers(-1, 8), MARK), min_size=1, max_size=3, unique_by=lambda stair: stair[0]).map(
    lambda stairs: (
        Band("a", "", BAD),
        *(
            Band(outcome, "", grade, low, **mark)  # type: ignore[arg-type]
            for outcome, grade, (low, mark) in zip(
                "bcd", (PARTLY, GOOD, BEST), sorted(stairs, key=lambda stair: stair[0]), strict=False
            )
        ),
    )
)
"""Bands as games have them: the higher, the better."""
BANDS = STAIRS | ANY_BANDS
POOLS = st.lists(
    st.builds(DiceGroup, st.integers(0, 2), st.sampled_from(["d2", "d3", "d4", "dF"]), against=st.booleans()),
    max_size=2,
).map(tuple) | st.just((DiceGroup(1, "d66"),))
LABELLED = st.lists(
    st.builds(
        lambda count, die, word, against: DiceGroup(count, f"{die}-{word}" if word else die, word.title(), against),
        st.integers(0, 2),
        st.sampled_from(["d2", "d3", "d4"]),
        st.sampled_from(["", "gear", "bow"]),
        st.sampled_from([False, False, True]),
    ),
    max_size=2,
).map(tuple)
"""Pools of which some dice are looked at alone."""
WHEN_OF_SOME = st.sampled_from(
    [
        "ones.gear == 0",
        "doubles.bow",
        "face.gear > ones.bow",
        "matches.gear + ones > 1",
        "result > ones.gear",
        "ones.bow",
    ]
).map(WhenShown)
BANDS_OF_SOME = st.lists(
    st.builds(
        lambda band, low, mark, of, when: replace(band, low=low, of=of, when=when, **mark),
        st.builds(Band, st.sampled_from("abcdef"), st.just(""), st.sampled_from(OutcomeGrade)),
        st.none() | st.integers(-1, 4),
        MARK | st.sampled_from([{"face_low": 2}, {"face_high": 2}, {"ones": 2}]),
        st.sampled_from(["", "gear", "gear", "bow"]),
        st.none() | WHEN_OF_SOME,
    ),
    min_size=1,
    max_size=4,
).map(tuple)
TWICE: st.SearchStrategy[Any] = st.sampled_from(["", "", "better", "worse"])
RULES = st.builds(
    ThrowRules,
    st.sampled_from([(), (), (1,), (2, 3)]),
    st.none() | st.builds(ExplodeRule, st.just(0) | st.integers(3, 4), st.integers(1, 2), st.booleans()),
)
