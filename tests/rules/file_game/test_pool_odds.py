"""Pools of dice, how they are read, and their exact odds, against another library and against every throw."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate, combinations, product
from math import comb
from typing import Any

import icepool
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.rules.file_game.every_throw import every_way, in_order, tables
from tests.rules.file_game.sample_rolls import (
    BAD,
    BANDS,
    BANDS_OF_SOME,
    BEST,
    COUNT,
    GOOD,
    HIGHEST,
    LABELLED,
    MOVE_BANDS,
    NUMERIC_KINDS,
    PARTLY,
    POOL_BANDS,
    POOLS,
    READINGS,
    RULES,
    SUM,
    TWICE,
    band,
    exactly,
    planned,
    takes_too_long,
)
from waylog.rules.file_game.dice_readings import (
    Band,
    Keep,
    Look,
    Reading,
    ReadingKind,
    Result,
    RollPlan,
    Seen,
    marks_of,
    outcome_of,
    read_roll,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, TableDie, ThrowRules, parse_die, roll_pool
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio
from waylog.values import replace

EXAMPLES = 20 if IS_AT_A_DESK else 700


def chances(theirs: Any) -> dict[str, Ratio]:
    """What another library says, by outcome."""
    return {str(outcome): Ratio(ways, theirs.denominator()) for outcome, ways in theirs.items()}


def known(found: Mapping[str, Ratio]) -> dict[str, Ratio]:
    """The outcomes that can happen."""
    return {outcome: chance for outcome, chance in found.items() if chance}


# -- ten readings that people know ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", range(1, 11))
def test_the_highest_of_a_pool_with_two_sixes_as_critical(dice: int) -> None:
    """1–3, 4–5, 6, and two sixes."""

    def read(faces: Sequence[int]) -> str:
        best = max(faces)
        return (BEST if faces.count(6) > 1 else GOOD if best == 6 else PARTLY if best > 3 else BAD).value

    expected = Counter[str]()
    for faces, ways in icepool.d6.pool(dice).expand().items():
        expected[read(faces)] += ways
    found = exact_odds(planned(f"{dice}d6", HIGHEST, POOL_BANDS))
    assert found == {grade.value: Ratio(expected[grade.value], 6**dice) for grade in OutcomeGrade}


@pytest.mark.parametrize("stat", range(-2, 4))
def test_two_dice_and_a_stat_in_three_bands(stat: int) -> None:
    """6 or less, 7–9, 10 or more, and 12 or more."""
    theirs = (2 @ icepool.d6 + stat).map(
        lambda n: (BEST if n > 11 else GOOD if n > 9 else PARTLY if n > 6 else BAD).value
    )
    assert known(exact_odds(planned("2d6", SUM, MOVE_BANDS, plus=stat))) == chances(theirs)


@pytest.mark.parametrize("highest", [True, False])
def test_a_d20_with_advantage_or_disadvantage(highest: bool) -> None:
    """Two are rolled and one counts; a bare 20 or 1 is something of its own, whatever is added."""
    bands = (band(BAD), band(GOOD, 15), band(BEST, face_low=20), band(BAD, face_high=1))
    die = icepool.d20.highest(2, 1) if highest else icepool.d20.lowest(2, 1)
    theirs = die.map(lambda n: (BEST if n == 20 else BAD if n == 1 or n + 5 < 15 else GOOD).value)
    assert known(exact_odds(planned("2d20", SUM, bands, plus=5, keep=Keep(1, highest)))) == chances(theirs)


def test_fate_dice_and_a_skill() -> None:
    """Four dice with −1, 0 and 1 on them."""
    theirs = 4 @ icepool.Die([-1, 0, 1]) + 3
    assert known(exact_odds(planned("4dF", SUM, exactly(*range(-1, 8)), plus=3))) == chances(theirs)


@pytest.mark.parametrize("skill", [5, 44, 70, 100])
def test_percentile_dice_with_doubles(skill: int) -> None:
    """Under the skill is a success; doubles make a success critical, and a failure a fumble."""
    bands = (
        Band("fail", "Fail", PARTLY),
        Band("fumble", "Fumble", BAD, doubles=True),
        Band("success", "Success", GOOD, 0),
        Band("critical", "Critical", BEST, 0, doubles=True),
    )

    def read(face: int) -> str:
        doubles = face in (11, 22, 33, 44, 55, 66, 77, 88, 99, 100)
        return ("critical" if doubles else "success") if face <= skill else "fumble" if doubles else "fail"

    assert known(exact_odds(planned("1d100", ReadingKind.UNDER, bands, target=skill))) == chances(
        icepool.d100.map(read)
    )


@pytest.mark.parametrize(("dice", "times"), [(1, 1), (3, 2), (5, 5), (10, 5)])
def test_successes_with_exploding_tens(dice: int, times: int) -> None:
    """8 or more is a success, and a 10 brings another die, so often in a row."""
    one = icepool.d10.map(lambda face: 1 if face > 7 else 0)
    for _ in range(times):
        one = icepool.d10.map({face: one + 1 if face == 10 else int(face > 7) for face in range(1, 11)})
    rules = ThrowRules(explosion=ExplodeRule(times=times))
    found = exact_odds(planned(f"{dice}d10", COUNT, exactly(*range(70)), rules, target=8))
    assert known(found) == chances(dice @ one)


def test_two_sums_against_each_other() -> None:
    """What counts is by how much one side beats the other; the higher die of each works alike."""
    theirs = (2 @ icepool.d8 + 1) - 3 @ icepool.d6
    assert known(exact_odds(planned("2d8 / 3d6", SUM, exactly(*range(-20, 20)), plus=1))) == chances(theirs)
    best = icepool.d8.highest(2, 1) - icepool.d6.highest(3, 1)
    assert known(exact_odds(planned("2d8 / 3d6", HIGHEST, exactly(*range(-20, 20))))) == chances(best)


@pytest.mark.parametrize("dice", [1, 2, 5, 7])
def test_matching_sets(dice: int) -> None:
    """The size of the largest set, and its face: of two sets as large, the higher."""
    bands = [
        Band(f"{size}x{face}", "", BAD, size, size, face_low=face, face_high=face)
        for size in range(1, dice + 1)
        for face in range(1, 11)
    ]
    expected = Counter[str]()
    for faces, ways in icepool.d10.pool(dice).expand().items():
        size, face = max((faces.count(face), face) for face in faces)
        expected[f"{size}x{face}"] += ways
    found = exact_odds(planned(f"{dice}d10", ReadingKind.MATCH, bands))
    assert known(found) == {outcome: Ratio(ways, 10**dice) for outcome, ways in expected.items()}


def test_step_dice() -> None:
    """Dice of several sizes: the two best added up, and a pair of any sizes is critical."""
    bands = [band(BAD), band(GOOD, 9), band(BEST, 9, doubles=True)]
    expected = Counter[str]()
    for four, eight, ten in ((a, b, c) for a in range(1, 5) for b in range(1, 9) for c in range(1, 11)):
        best = sorted((four, eight, ten))[1:]
        expected[(BAD if sum(best) < 9 else BEST if best[0] == best[1] else GOOD).value] += 1
    found = exact_odds(planned("1d4 1d8 1d10", SUM, bands, keep=Keep(2)))
    assert known(found) == {outcome: Ratio(ways, 320) for outcome, ways in expected.items()}


def test_a_d66() -> None:
    """Two dice, one for each digit; doubles are alike digits."""
    bands = (*exactly(*(10 * tens + units for tens in range(1, 7) for units in range(1, 7))), band(BEST, doubles=True))
    theirs = icepool.Die({10 * tens + units: 1 for tens in range(1, 7) for units in range(1, 7)})
    expected = chances(theirs.map(lambda face: "critical" if face % 11 == 0 else str(face)))
    assert known(exact_odds(planned("1d66", SUM, bands))) == expected


# -- all of it against every throw ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", ["2d3", "1d2 1dF 1d2-gear", "1d4 / 2d2"])
@pytest.mark.parametrize("reroll", [(), (1,), (2, 3)])
@pytest.mark.parametrize(
    "explosion", [None, ExplodeRule(times=1), ExplodeRule(2, 1), ExplodeRule(3, 2, adds=True), ExplodeRule(0, 2)]
)
def test_dice_fall_independently_of_each_other(
    pool: str, reroll: tuple[int, ...], explosion: ExplodeRule | None
) -> None:
    """So the tables of several are those of each, put together."""
    plan = planned(pool, SUM, (), ThrowRules(reroll, explosion))
    expected: dict[tuple[TableDie, ...], Ratio] = defaultdict(Ratio)
    for table, chance in every_way(partial(roll_pool, plan.pool, plan.rules)).items():
        expected[in_order(table)] += chance
    assert tables(plan.pool, plan.rules) == expected


def plainly(reading: Reading, table: Sequence[TableDie]) -> Result:
    """A result in no hurry."""

    def number(dice: Sequence[TableDie]) -> tuple[int, list[int], bool]:
        faces = sorted((die.face for die in dice), reverse=True)
        if reading.keep:
            count = (
                max(0, len(faces) - reading.keep.number) if reading.keep.drops else min(len(faces), reading.keep.number)
            )
            faces = faces[:count] if reading.keep.highest is not reading.keep.drops else faces[len(faces) - count :]
        value = {
            ReadingKind.HIGHEST: max(faces, default=0),
            ReadingKind.LOWEST: min(faces, default=0),
            ReadingKind.SUM: total(faces),
            ReadingKind.BEATS: total(faces),
            ReadingKind.UNDER: reading.target - total(faces),
            ReadingKind.COUNT: sum(worth.get(face, int(face >= reading.target)) for face in faces),
            ReadingKind.COUNT_UNDER: sum(worth.get(face, int(face <= reading.target)) for face in faces),
            ReadingKind.MATCH: max(Counter(faces).values(), default=0),
        }[reading.kind]
        kept_digits = any(
            parse_die(die.die).has_digits and die.face in faces and str(die.face) in DOUBLES for die in dice
        )
        return value, faces, kept_digits

    def total(faces: Sequence[int]) -> int:
        return sum(face for face in faces if face != reading.blank)

    worth = dict(reading.worth)
    ours = [die for die in table if not die.against]
    value, faces, digits = number(ours)
    of_some = tuple((word, alone(reading, [die for die in ours if die.label.lower() == word])) for word in labels(ours))
    theirs = [die for die in table if die.against]
    score = value + reading.plus if reading.cap is None else min(value + reading.plus, reading.cap)
    if reading.kind is ReadingKind.BEATS:
        of_theirs = Counter(die.face for die in theirs)
        most = max(of_theirs.values(), default=0)
        beaten = sum(die.face < score for die in theirs)
        return Result(
            beaten,
            total(faces),
            most,
            faces.count(1),
            most > 1,
            len(theirs) > 1 and len(of_theirs) == 1,
            score,
            of_some,
        )
    less = number(theirs)[0] if theirs else 0
    sets = Counter(faces)
    match reading.kind:
        case ReadingKind.HIGHEST | ReadingKind.LOWEST:
            face, matches = value, sets[value]
        case ReadingKind.MATCH:
            face, matches = max((f for f in sets if sets[f] == value), default=0), value
        case ReadingKind.COUNT | ReadingKind.COUNT_UNDER:
            face, matches = max(faces, default=0), max(sets.values(), default=0)
        case _:
            face, matches = total(faces), max(sets.values(), default=0)
    doubles = digits or any(count > 1 for count in sets.values())
    all_equal = len(faces) > 1 and len(sets) == 1
    return Result(score - less, face, matches, sets[1], doubles, all_equal, score, of_some)


def labels(dice: Sequence[TableDie]) -> list[str]:
    """What dice are called in outcomes."""
    return sorted({die.label.lower() for die in dice if die.label})


def alone(reading: Reading, dice: Sequence[TableDie]) -> Result:
    """What some dice show, as if there were no others; what they come to is nobody's business."""
    kind = ReadingKind.SUM if reading.kind is ReadingKind.BEATS else reading.kind
    unnamed = [replace(die, label="") for die in dice]
    return plainly(replace(reading, kind=kind, keep=None), unnamed)._replace(value=0, score=0)


DOUBLES = [*(str(11 * digit) for digit in range(1, 10)), "100"]


@settings(max_examples=EXAMPLES)
@given(st.builds(RollPlan, POOLS, READINGS, BANDS, RULES, TWICE))
def test_odds_are_the_share_of_all_throws(plan: RollPlan) -> None:
    """Whatever is rolled, exploded, kept and read: typed faces and reckoned odds agree, and the odds add up to 1."""
    check(plan)


@settings(max_examples=EXAMPLES)
@given(st.builds(RollPlan, POOLS, READINGS, st.just(exactly(*range(-6, 14))), RULES))
def test_every_number_has_its_chance(plan: RollPlan) -> None:
    """The odds have every number that the dice can come to, not only those at which an outcome begins."""
    check(plan)


@pytest.mark.parametrize(
    "rules",
    [
        ThrowRules((1,)),
        ThrowRules((1, 2)),
        ThrowRules((1,), ExplodeRule(times=2)),
        ThrowRules((), ExplodeRule(5, adds=True)),
    ],
)
@pytest.mark.parametrize("kind", [ReadingKind.SUM, ReadingKind.HIGHEST, ReadingKind.COUNT])
def test_rerolls_and_explosions_change_the_odds_as_they_do_the_dice(kind: ReadingKind, rules: ThrowRules) -> None:
    """Of a pool of two."""
    check(planned("2d6", kind, exactly(*range(20)), rules, target=3))


@settings(max_examples=EXAMPLES)
@given(st.builds(RollPlan, LABELLED, READINGS, BANDS_OF_SOME, RULES, TWICE))
def test_outcomes_may_look_at_some_of_the_dice_alone(plan: RollPlan) -> None:
    """Those with a label, however all of them are kept, counted and rerolled."""
    check(plan)


@pytest.mark.parametrize("kind", [COUNT, ReadingKind.COUNT_UNDER, SUM, ReadingKind.UNDER, ReadingKind.BEATS])
def test_dice_that_are_looked_at_alone_count_with_the_others(kind: ReadingKind) -> None:
    """For the number that all of them come to."""
    low = {SUM: 6, ReadingKind.UNDER: -6, ReadingKind.BEATS: 1}.get(kind, 2)
    bands = (
        band(BAD),
        band(PARTLY, ones=1, of="gear"),
        band(GOOD, low),
        Band("best", "", BEST, low, face_low=4, of="gear"),
        Band("odd", "", BAD, low + 1, matches=2, of="bow"),
    )
    check(planned("1d4 1d4-gear 2d3-bow / 1d3", kind, bands, target=3, worth=((4, 2),)))


@settings(max_examples=EXAMPLES)
@given(
    st.builds(RollPlan, POOLS, READINGS, st.just(exactly(*range(-9, 14))), RULES),
    st.dictionaries(st.integers(-1, 4), st.integers(-2, 3), min_size=1, max_size=3),
)
def test_a_face_may_count_as_another_number(plan: RollPlan, worth: dict[int, int]) -> None:
    """Two, or less than nothing."""
    check(replace(plan, reading=replace(plan.reading, kind=COUNT, worth=tuple(worth.items()))))


MARKS: Sequence[dict[str, Any]] = [
    {"ones": 1},
    {"ones": 2},
    {"matches": 2},
    {"doubles": True},
    {"all_equal": True},
    {"face_low": 3},
    {"ones": 1, "of": "gear"},
    {"matches": 2, "of": "gear"},
    {"face_low": 3, "of": "gear"},
    {"doubles": True, "of": "gear"},
]


KEPT: Sequence[Keep | None] = (None, Keep(2), Keep(1, highest=False, drops=True), Keep(2, highest=False))


@pytest.mark.parametrize(("turn", "kind"), [*enumerate(NUMERIC_KINDS)])
@pytest.mark.parametrize("mark", MARKS)
def test_each_mark_is_seen_by_each_reading(turn: int, kind: ReadingKind, mark: dict[str, Any]) -> None:
    """Of all dice that count, and of no others."""
    pool = "1d3 1d3-gear 1d4-gear" if "of" in mark else "2d3 1d4"
    for keep in cases(KEPT, turn + MARKS.index(mark), len(KEPT)):
        check(planned(pool, kind, (band(GOOD), band(BAD, **mark)), target=3, keep=keep))


def check(plan: RollPlan) -> None:
    """Compare odds with every throw. The 47,000 throws of a d66 that explodes twice are tried in CI alone."""
    if IS_AT_A_DESK and takes_too_long(plan):
        return
    expected: dict[str, Ratio] = defaultdict(Ratio)
    for table, chance in tables(plan.pool, plan.rules).items():
        result = read_roll(plan.reading, table)
        assert result == plainly(plan.reading, table)
        assert result == read_roll(plan.reading, table[::-1])
        expected[outcome_of(plan.bands, result).outcome] += chance
    if plan.twice:
        expected = counted_of_two(plan, expected)
    try:
        found = exact_odds(plan)
    except TooMany:
        assert takes_too_long(plan)
        return
    assert known(found) == known(expected)
    assert sum(found.values()) == 1
    assert list(found) == [band.outcome for band in worst_first(plan.bands)]


def counted_of_two(plan: RollPlan, once: Mapping[str, Ratio]) -> dict[str, Ratio]:
    """The chance of each outcome to be the better or the worse one of two."""
    order = [band.outcome for band in worst_first(plan.bands)]
    found: dict[str, Ratio] = defaultdict(Ratio)
    for first, second in product(once, repeat=2):
        counts = (max if plan.twice == "better" else min)(first, second, key=order.index)
        found[counts] += once[first] * once[second]
    return found


@pytest.mark.parametrize("skill", [1, 30, 45, 99])
def test_percentile_dice_with_advantage_where_doubles_matter(skill: int) -> None:
    """The better outcome of two rolls, and not the lower of two dice: a success with doubles beats a lower roll without."""
    bands = (
        Band("wreck", "", BAD),
        Band("fail", "", BAD, high=-1),
        Band("wreck", "", BAD, high=-1, doubles=True),
        Band("done", "", GOOD, 0),
        Band("great", "", BEST, 0, doubles=True),
    )

    def read(face: int) -> int:
        doubles = face % 11 == 0 or face == 100
        return (3 if doubles else 2) if face <= skill else 0 if doubles else 1

    expected = Counter(max(read(one), read(other)) for one, other in product(range(1, 101), repeat=2))
    once = planned("1d100", ReadingKind.UNDER, bands, target=skill)
    found = exact_odds(replace(once, twice="better"))
    assert [*found.values()] == [Ratio(expected[rank], 10_000) for rank in range(4)]


@pytest.mark.parametrize(
    "roll",
    [
        planned("4d4 4d6 4d8 4d10 4d12", SUM, (band(BAD), band(GOOD, ones=2, doubles=True)), keep=Keep(5)),
        planned("20d20", ReadingKind.MATCH, exactly(1, 2, 3)),
        planned("20d6", HIGHEST, (band(BAD), band(GOOD, doubles=True)), ThrowRules((1,), ExplodeRule(2, 5))),
    ],
)
def test_what_would_take_too_long_says_so(roll: RollPlan) -> None:
    """Each time, and not only the first."""
    for _ in range(2):
        with pytest.raises(TooMany):
            exact_odds(roll)


def test_the_last_band_that_fits_counts_and_outcomes_come_worst_first() -> None:
    """The first band is for whatever fits none."""
    bands = (band(GOOD, 6), band(BAD, ones=2), band(PARTLY, 4, high=5), band(BAD, matches=4))
    assert outcome_of(bands, Result(7)).grade is GOOD
    assert outcome_of(bands, Result(7, ones=2)).grade is BAD
    assert outcome_of(bands, Result(1)).grade is GOOD
    assert [one.grade for one in worst_first(bands)] == [BAD, PARTLY, GOOD]


@pytest.mark.parametrize("text", ["d1", "d21", "d99", "d101", "6", "2d6", "d", "", "d6d6", "dx"])
def test_what_is_no_die_is_refused(text: str) -> None:
    """With what would be one."""
    with pytest.raises(NotDice, match="write d2 to d20, d66, d100 or dF"):
        parse_die(text)


def test_more_dice_never_make_the_highest_worse() -> None:
    """More dice make neither the highest die nor a count of successes worse."""

    def no_better(dice: int, kind: ReadingKind, bands: Sequence[Band]) -> list[Ratio]:
        return list(accumulate(exact_odds(planned(f"{dice}d6", kind, bands, target=5)).values()))

    for kind, bands in ((HIGHEST, POOL_BANDS), (COUNT, exactly(0, 1, 2, 3))):
        for dice in range(1, 8):
            fewer, more = no_better(dice, kind, bands), no_better(dice + 1, kind, bands)
            assert all(one <= other for one, other in zip(more, fewer, strict=True))


# -- cards ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    copies=st.lists(st.integers(0, 3), min_size=3, max_size=5),
    drawn=st.integers(1, 4),
    reading=READINGS,
    bands=BANDS,
)
def test_cards_are_drawn_without_putting_them_back(
    copies: list[int], drawn: int, reading: Reading, bands: tuple[Band, ...]
) -> None:
    """However they are read: every hand of what is left of a deck, each as likely as any other."""
    faces = [face for face, count in enumerate(copies, 1) for _ in range(count)]
    drawn = min(drawn, len(faces))
    if not drawn:
        return
    deck = "table.deck: " + " ".join(f"{count}x{face}" for face, count in enumerate(copies, 1) if count)
    expected: dict[str, Ratio] = defaultdict(Ratio)
    for hand in combinations(faces, drawn):
        result = read_roll(reading, [TableDie(deck, face) for face in hand])
        expected[outcome_of(bands, result).outcome] += Ratio(1, comb(len(faces), drawn))
    found = exact_odds(RollPlan((DiceGroup(drawn, deck),), reading, bands))
    assert known(found) == expected


DICE_WITH_WORDS = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["", "gear"])), max_size=4)


@given(READINGS, BANDS | BANDS_OF_SOME, DICE_WITH_WORDS, DICE_WITH_WORDS)
@example(Reading(COUNT, target=5), (replace(POOL_BANDS[0], ones=2),), [(1, "")], [(1, ""), (6, "")])
@example(Reading(HIGHEST), (replace(POOL_BANDS[0], matches=3),), [(6, ""), (2, "")], [(6, ""), (6, "")])
def test_two_sets_of_dice_are_seen_together_as_one(
    reading: Reading, bands: tuple[Band, ...], some: list[tuple[int, str]], others: list[tuple[int, str]]
) -> None:
    """Wherever what is seen of each says it, which is so for counts, totals and single dice without sets."""
    look = Look(reading, marks_of(bands, reading), 0 if reading.keep else None)

    def see(dice: list[tuple[int, str]]) -> Seen:
        alone = [[face for face, of in sorted(dice) if of == word] for word, _ in look.marks.of_some]
        return look.see_all([face for face, _ in sorted(dice)], (), [(faces, ()) for faces in alone])

    if look.joins:
        assert look.join(see(some), see(others)) == see([*some, *others])
    else:
        has_sets = any(band.matches or band.doubles or band.all_equal for band in bands)
        assert reading.keep or reading.kind is ReadingKind.MATCH or has_sets
