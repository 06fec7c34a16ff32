"""Chains of rolls of games in files: which throws are played for all that lead to the same."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.rules.file_game.every_throw import tables
from tests.rules.file_game.sample_rolls import BANDS, BANDS_OF_SOME, LABELLED, POOLS, READINGS, RULES
from tests.rules.file_game.test_contests import CONTESTS
from tests.rules.test_chain import plays_of
from waylog.rules.chains_of_acts import TooManyWays, chain_odds, read_chain
from waylog.rules.file_game.dice_readings import OF_SOME, RollPlan, outcome_of, read_roll, shown_alone
from waylog.rules.file_game.dice_throws_and_cards import roll_pool
from waylog.rules.file_game.odds import odds_with_spends, throws_in_chains
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import TooMany, Work
from waylog.rules.file_game.odds.throws_in_chains import Alone, alike_throws
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import Dice, Die, Face, GivenDice, TypedDice
from waylog.rules.model.moves import Act
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import PlayResult, State
from waylog.values import replace

NAMES = ("doubles", "face", "matches", "ones", "result", "score")
ALONE = st.sets(st.tuples(st.sampled_from(OF_SOME), st.sampled_from(["gear", "gear", "bow"])), max_size=2).map(
    lambda alone: tuple(sorted(alone))
)
PLANS = st.one_of(
    st.builds(RollPlan, POOLS, READINGS, BANDS, RULES),
    st.builds(RollPlan, LABELLED, READINGS, BANDS | BANDS_OF_SOME, RULES),
)


def _nothing_left(dice: Sequence[Die]) -> Sequence[Face]:
    raise AssertionError(dice)


@settings(max_examples=25 if IS_AT_A_DESK else 1000, deadline=None)
@given(PLANS | CONTESTS, st.sets(st.sampled_from(NAMES)).map(sorted), ALONE, st.booleans())
def test_one_throw_stands_for_all_that_lead_to_the_same(
    plan: RollPlan, names: list[str], alone: Alone, reads_theirs: bool
) -> None:
    """Typed as they come, the throws leave tables with the chances of all tables: of each outcome with all that is read of the dice."""
    if len(tables(plan.pool, plan.rules)) > (600 if IS_AT_A_DESK else 6000):
        return

    def look(table: Sequence[Any]) -> str:
        result = read_roll(plan.reading, table)
        read = [result.names()[name,] for name in names]
        dice = {word: [replace(die, against=False) for die in table if die.label == word.title()] for _, word in alone}
        some = [shown_alone(plan.reading, dice[word])[name] for name, word in alone]
        return repr((outcome_of(plan.bands, result).outcome, read, some, reads_theirs and result.theirs))

    expected, found = defaultdict[str, Ratio](Ratio), defaultdict[str, Ratio](Ratio)
    for table, chance in tables(plan.pool, plan.rules).items():
        expected[look(table)] += chance
    try:
        throws = alike_throws(plan, tuple(names), alone, reads_theirs)
    except TooMany:
        sides = [{group.label for group in plan.pool if group.against is side} for side in (False, True)]
        both = {word.title() for _, word in alone} & sides[0] & sides[1]
        assert both or len(tables(plan.pool, plan.rules)) > 300
        return
    whole = sum(throw.ways for throw in throws)
    for faces, ways, *_ in throws:
        found[look(roll_pool(plan.pool, plan.rules, GivenDice(faces, _nothing_left).roll))] += Ratio(ways, whole)
    assert found == expected
    assert len(throws) == len(found)


MEANT = """
id = "trial"
name = "Trial"
[sheet.crew.each]
grit = { range = [0, 9], start = 3 }
mark = { range = [0, 99] }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
bands = [{ outcome = "bad", label = "Bad", grade = "fiasco" }, { outcome = "good", label = "Good", from = 2 }]
"""
COUNTS = {"reading": "count", "pool": 2, "die": "d4", "target": 3}
BEST = {"reading": "highest", "pool": 2, "die": "d4"}
UNDER = {"reading": "under", "pool": 1, "die": "d8", "target": 4}
LOW = {"reroll": "all", "faces": [1, 2]}
ROLLS = [
    # How a roll is made, what it does, and what may be spent on it; in how many ways it is played if that may be spent, and if it is kept.
    (COUNTS, "set mark to result", LOW, 2, 3),
    (COUNTS, "set mark to ones", LOW, 2, 4),
    (COUNTS, "set mark to face", LOW, 3, 6),
    (COUNTS, "set mark to matches", {"reroll": "one"}, 5, 4),
    (COUNTS | {"die": "d3", "reroll": [2]}, "set mark to score", {"reroll": "all"}, 2, 3),
    (COUNTS | {"worth": {"4": 2, "1": -1}, "keep_highest": 1}, "set mark to result", {"dice": 1}, 1, 4),
    (COUNTS | {"more": [{"dice": 1, "die": "d4", "label": "Gear"}]}, "set mark to ones.gear", {"step": 1}, 4, 4),
    (
        COUNTS | {"pool": 0, "more": [{"dice": 1, "die": "d4", "label": "Gear"}]},
        "set mark to highest.gear",
        {"step": 1},
        4,
        4,
    ),
    (COUNTS, "set mark to result", {"reroll": "one"}, 2, 3),
    (COUNTS | {"explode": {"at": 4}}, "set mark to result", {"step": 1}, 5, 5),
    (BEST, "set mark to 7", LOW, 2, 2),
    (BEST, "set mark to result", {"plus": 1}, 4, 4),
    (BEST | {"reading": "lowest"}, "set mark to 7", {"raise": 1}, 3, 2),
    (UNDER, "set mark to 7", {"step": 1}, 2, 2),
    (UNDER, "set mark to result", {"step": 1}, 8, 8),
    (UNDER, "set mark to 7", {"plus": 2}, 3, 2),
    (UNDER | {"die": "d66"}, "set mark to doubles", {"step": 1}, 2, 2),
    # Dice of two sides, digits of one number, and kinds with as many sides: neither of two may show the face of the other.
    (
        BEST | {"pool": 1, "more": [{"die": "d4", "against": True}]},
        "set mark to max(0, result)",
        {"reroll": "all"},
        4,
        7,
    ),
    (UNDER | {"die": "d66", "target": 40}, "set mark to 7", {"step": 1}, 2, 2),
    (
        {"reading": "sum", "pool": 1, "die": "dF", "more": [{"die": "d3", "label": "Act"}]},
        "set mark to 5 + face",
        {"reroll": "lowest"},
        5,
        5,
    ),
    (UNDER, "set mark to 10 + 1d4 - 1d4", {"plus": 2}, 35, 18),
]


@pytest.mark.parametrize(
    ("then", "roll", "effect", "spend", "ways", "kept"),
    [*(("keep", *roll) for roll in ROLLS), *(("again", *roll) for roll in cases(ROLLS, 0, 6))],
)
def test_faces_that_mean_the_same_are_played_once(
    then: str,
    roll: dict[str, object],
    effect: str,
    spend: dict[str, object],
    ways: int,
    kept: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The odds are those of every face of every die, also where a formula reads the dice, or where a spend throws them again."""
    game, state = _meant(roll, effect, spend)
    values = _every_value(game, state, ["roll act vesna", then])
    plays = _count_plays(monkeypatch)
    found = chain_odds(game, state, read_chain("roll act vesna" if then == "keep" else f"roll act vesna; {then}"))
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values
    assert sum(act.startswith("roll") for act in plays) == 1 + (kept if then == "keep" else ways)


@pytest.mark.parametrize("roll", ROLLS[-4:])
def test_dice_that_mean_something_else_are_told_apart_where_throws_are_not_compared(
    roll: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is for many dice: the two sides of a roll, the digits of a number and the terms of an effect are not taken for each other."""
    monkeypatch.setattr(throws_in_chains, "throws_to_play", lambda *_, **__: None)
    game, state = _meant(*roll[:3])
    found = chain_odds(game, state, read_chain("roll act vesna; again"))
    values = _every_value(game, state, ["roll act vesna", "again"])
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values


def test_nine_dice_that_are_thrown_again_are_a_few_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each throw is played once for the dice that stay and the number of dice that are thrown again."""
    nine = {"reading": "count", "pool": 9, "die": "d6", "target": 6}
    game, state = _meant(nine, "set mark to 7", {"reroll": "all", "faces": [1, 5]})
    plays = _count_plays(monkeypatch)
    rolled, pushed = chain_odds(game, state, read_chain("roll act vesna; again")).rolls
    few = Fraction(5**9 + 9 * 5**8, 6**9)
    assert sum((Fraction(one.chance.numerator, one.chance.denominator) for one in pushed[1]), Fraction()) == few
    still_few = Fraction(25**9 + 9 * 11 * 25**8, 36**9)
    assert {one.outcome: one.chance for one in (*rolled[1], *pushed[1])}["bad"] == still_few
    assert len(plays) < 20


def test_what_one_reroll_can_throw_says_whether_it_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be best is not weighed for each throw: if it can be done once, and if it can be done again but helps at once."""

    def weigh(*_: object) -> None:
        raise AssertionError

    spends: Sequence[dict[str, object]] = ({**LOW}, {"reroll": "one"}, {"reroll": "lowest", "dice": 1})
    for effect in spends:
        game, state = _meant(COUNTS, "set mark to 7", effect)
        values = _every_value(game, state, ["roll act vesna", "again"])
        monkeypatch.setattr(odds_with_spends, "weigh_spends", weigh)
        found = chain_odds(game, state, read_chain("roll act vesna; again"))
        monkeypatch.undo()
        assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values


def test_whether_something_helps_is_asked_with_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A roll of twelve dice asks at once whether to throw them again, though these can fall in too many ways to look at."""
    steps, count = list[int](), Work.count

    def counted(work: Work, more: int) -> None:
        steps.append(more)
        count(work, more)

    monkeypatch.setattr(Work, "count", counted)
    bands = [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 13}]
    twelve = {"reading": "match", "pool": 12, "die": "d6", "bands": bands}
    game, state = _meant(twelve, "set mark to 7", {"reroll": "all", "faces": [1, 5]})
    act = parse_act(game.moves(state), "roll act vesna")
    assert game.question(game.play(state, act, TypedDice([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])).state)
    assert sum(steps) < 40_000


def test_what_is_known_of_dice_says_what_is_best_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all throws of one roll, what a spend leads to is worked out together. Where that is too much, the others are not held up."""
    made, begin = list[object](), odds_with_spends._Play.__init__

    def counted(play: object, *rest: Any) -> None:
        made.append(play)
        begin(play, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(odds_with_spends._Play, "__init__", counted)
    three = {"reading": "sum", "pool": 3, "die": "d4", "bands": [{"outcome": "bad"}, {"outcome": "good", "from": 9}]}
    game, state = _meant(three, "set mark to 7", {"raise": 1})
    values = _every_value(game, state, ["roll act vesna", "again"])
    found = chain_odds(game, state, read_chain("roll act vesna; again"))
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values
    assert len(made) < 4


def test_what_is_thrown_again_is_played_once_for_all_that_it_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lay on the table before, unless that stays there or comes back: all of two dice come to seven sums."""
    two = {"reading": "sum", "pool": 2, "die": "d4"}
    spends: Sequence[tuple[dict[str, object], int]] = [({"reroll": "all"}, 8), ({"reroll": "all", "faces": [1, 2]}, 16)]
    for spend, most in spends:
        game, state = _meant(two, "set mark to result", spend)
        values = _every_value(game, state, ["roll act vesna", "again"])
        with monkeypatch.context() as patch:
            plays = _count_plays(patch)
            found = chain_odds(game, state, read_chain("roll act vesna; again"))
        assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values
        assert plays.count("again") <= most


@pytest.mark.parametrize("better", [True, False])
def test_dice_that_come_back_are_told_apart(better: bool) -> None:
    """Where an earlier roll counts if it was the better one, what is thrown again is compared with that roll, and with no other one."""
    roll = {"reading": "sum", "pool": 1, "die": "d4", "more": [{"die": "d4", "against": True}]}
    game, state = _meant(roll, "set mark to max(0, result)", {"reroll": "all", "keep_better": better})
    found = chain_odds(game, state, read_chain("roll act vesna; again"))
    values = _every_value(game, state, ["roll act vesna", "again"])
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values


@pytest.mark.parametrize(
    "spend",
    [
        {"reroll": "all", "cost": ["lose grit"]},
        {"raise": 1, "cost": ["lose grit"]},
        {"plus": 1, "cost": ["lose grit"]},
        {"reroll": "one", "cost": ["lose grit"]},
        {"reroll": "lowest", "cost": ["lose grit"]},
    ],
)
def test_an_answer_counts_what_is_paid(spend: dict[str, object]) -> None:
    """What is paid may change what an outcome takes: the odds are those of every face of every die, with the values after paying."""
    bands = [
        {"outcome": "bad", "grade": "fiasco"},
        {"outcome": "good", "from": "grit + 1"},
        {"outcome": "best", "from": 7},
    ]
    two = {"reading": "sum", "pool": 2, "die": "d4", "bands": bands}
    game, state = _meant(two, "set mark to mark + result", spend)
    found = chain_odds(game, state, read_chain("roll act vesna; again"))
    values = _every_value(game, state, ["roll act vesna", "again"])
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values


def _meant(roll: dict[str, object], effect: str, spend: dict[str, object]) -> tuple[Game, State]:
    tree = tomllib.loads(MEANT)
    tree["dice"]["act"] |= roll
    tree["after"] = {"act": {"any": [effect]}}
    tree["spend"] = {"again": {"rolls": ["act"], "cost": ["lose grit"], "limit": 1} | spend}
    game = Game(rulebook_of(tree))
    return game, game.fresh("Trial")


def _every_value(game: Game, state: State, acts: Sequence[str]) -> dict[tuple[object, str], Fraction]:
    values = defaultdict[tuple[object, str], Fraction](Fraction)
    for after, chance in _single_dice(game, state, acts):
        for change in game.difference(state, after):
            values[change.path, repr(change.after)] += chance
    return values


ACES = """
id = "trial"
name = "Trial"
[sheet.crew.each]
grit = { range = [0, 9], start = 3 }
luck = { range = [0, 9], start = 3 }
harm = { range = [0, 99] }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
pool = 1
die = "d4"
reading = "highest"
more = [{ die = "d3", label = "Wild" }]
explode = { times = 3, adds = true }
bands = [
  { outcome = "bad", label = "Bad", grade = "fiasco" },
  { outcome = "good", label = "Good", from = 3 },
  { outcome = "fine", label = "Fine", grade = "critical", from = 6 },
  { outcome = "ruin", label = "Ruin", grade = "fiasco", ones = 2 },
]
[dice.hurt]
who = "crew"
pool = 2
die = "d3"
reading = "sum"
explode = { times = 2, adds = true }
bands = [{ outcome = "none", label = "None" }, { outcome = "some", label = "Some", from = 5 }]
[spend.again]
rolls = ["act"]
reroll = "all"
cost = ["lose luck"]
limit = 1
[after.act]
good = [{ offer = "roll hurt", say = "The highest of a suit" }]
fine = ["mark harm"]
[after.hurt]
some = ["mark harm result - 4"]
"""


@pytest.mark.parametrize(
    ("chain", "most"),
    [
        ("roll act vesna; roll hurt vesna if good", 60),
        ("roll act vesna; effect vesna if good", 60),
        ("roll act vesna; again", 800),
    ],
)
def test_exploding_dice_are_played_once_for_what_they_lead_to(
    chain: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not once for each way in which they burst, unless a spend may take them up again. The odds are those of every face of every die."""
    file = ACES.replace("times = 3", "times = 1") if chain.endswith("again") else ACES
    game = Game(rulebook_of(tomllib.loads(file)))
    state, values = game.fresh("Trial"), defaultdict[tuple[object, str], Fraction](Fraction)
    first, then = chain.removesuffix(" if good").split("; ")
    for kept, chance in _single_dice(game, state, [first, "again" if then == "again" else "keep"]):
        is_good = any(move.verb == "effect" for move in game.moves(kept))
        ends = _single_dice(game, kept, [then]) if is_good and then != "again" else [(kept, Fraction(1))]
        for after, share in ends:
            for change in game.difference(state, after):
                values[change.path, repr(change.after)] += chance * share
    plays = _count_plays(monkeypatch)
    found = chain_odds(game, state, read_chain(chain))
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values
    assert len(plays) < most


def _count_plays(monkeypatch: pytest.MonkeyPatch) -> Sequence[str]:
    """The acts that are played from now on."""
    play, plays = Game.play, list[str]()

    def counted(game: Game, state: State, act: Act, dice: Dice, when: str = "") -> PlayResult:
        plays.append(act.move.id)
        return play(game, state, act, dice, when)

    monkeypatch.setattr(Game, "play", counted)
    return plays


def _single_dice(game: Game, state: State, acts: Sequence[str]) -> Iterator[tuple[State, Fraction]]:
    """Where acts lead with every face of every die. An answer that isn't asked for, or that isn't possible, keeps the roll."""
    if not acts:
        yield state, Fraction(1)
        return
    moves = game.moves(state)
    words = acts[0]
    if any(move.id == "keep" for move in moves) and words not in {move.id for move in moves}:
        words = "keep"
    elif words in ("keep", "again") and words not in {move.id for move in moves}:
        yield state, Fraction(1)
        return
    for played, chance in plays_of(game, state, words):
        for after, share in _single_dice(game, played.state, acts[1:]):
            yield after, chance * share


@pytest.mark.parametrize("move", ["rest", "push"])
def test_a_spend_with_the_name_of_a_move_is_spent_on_each_throw(move: str) -> None:
    """What comes next in the chain may answer the roll, so no throw stands for others that come to another number."""
    tree = tomllib.loads(
        f"""
        id = "twice"
        name = "Twice"
        [sheet.crew.each]
        nerve = {{ range = [0, 3], start = 1 }}
        [sheet.crew.start.ada]
        [dice.act]
        who = "crew"
        pool = 2
        reading = "sum"
        bands = [{{ outcome = "bad", grade = "fiasco" }}, {{ outcome = "good", from = 9 }}]
        [spend.push]
        cost = ["spend nerve"]
        reroll = "lowest"
        [moves.{move}]
        who = "crew"
        does = ["gain nerve"]
        """
    )
    game = Game(rulebook_of(tree))
    rolled, pushed = chain_odds(game, game.fresh("Twice"), read_chain("roll act ada; push")).rolls
    assert {one.outcome: one.chance for one in rolled[1]} == {"bad": Ratio(1, 9), "good": Ratio(5, 18)}
    assert {one.outcome: one.chance for one in pushed[1]} == {"bad": Ratio(79, 216), "good": Ratio(53, 216)}


def test_cards_in_a_chain_are_drawn_from_those_that_are_left_and_too_many_are_refused_at_once() -> None:
    """Each of the cards that are left is played once; and many cards one after another are too many before any is."""
    tree = tomllib.loads("""
id = "trial"
name = "Trial"
[sheet.table.values]
score = { number = 0 }
skill = { deck = { skill = [61, 64] } }
[dice.check]
die = "skill"
reading = "sum"
modifier = [1, 4]
pool = "modifier"
bands = [{ outcome = "low", grade = "fiasco" }, { outcome = "high", from = 63 }]
[after.check]
any = ["set table.score to result"]
""")
    game = Game(rulebook_of(tree))
    found = chain_odds(game, game.fresh("Trial"), read_chain("roll check 1; roll check 1"))
    assert [{chance.outcome: Fraction(str(chance.chance)) for chance in chances} for _, chances in found.rolls] == [
        {"low": Fraction(1, 2), "high": Fraction(1, 2)}
    ] * 2
    tree["sheet"]["table"]["values"]["skill"] = {"deck": {"skill": [1, 60]}}
    game, acts = _CountingGame(rulebook_of(tree)), read_chain("roll check 4; roll check 1")
    with pytest.raises(TooManyWays):
        chain_odds(game, game.fresh("Trial"), acts)
    assert game.plays < 5


class _CountingGame(Game):
    """A game that counts how often something is played."""

    plays = 0

    def play(self, state: State, act: Act, chance: Dice, when: str = "") -> PlayResult:
        """Play it."""
        self.plays += 1
        return super().play(state, act, chance, when)
