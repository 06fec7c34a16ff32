"""Dice with symbols: what they come to, how likely that is, and how they are typed and told. The game is like Genesys."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from math import prod

import pytest

from tests.file_games import FOLDER
from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.dice_readings import Band, Reading, ReadingKind, RollPlan, WhenShown
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, die_with_symbols, parse_die, symbols_counted
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.facts import OutcomeGrade, RollFact
from waylog.rules.model.odds import Ratio
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.shown.luck_and_fairness import rolls_of

TEXT = (FOLDER / "far-lantern" / "game.toml").read_text()
TREE = tomllib.loads(TEXT)
GAME = check_game(TREE)[0]
COUNTED = symbols_counted(GAME)
Pool = Mapping[str, int]
POOLS: Sequence[Pool] = [
    {die: count for die, count in zip(TREE["faces"], counts, strict=True) if count}
    for counts in (
        *((0, 0, ability, difficulty, 0, 0) for ability in (1, 2, 3) for difficulty in (0, 1, 2)),
        *((0, 0, ability, 1, proficiency, 0) for ability in (0, 1, 2) for proficiency in (1, 2)),
        *((boost, setback, 1, 1, 1, 0) for boost in (0, 1) for setback in (0, 1)),
        *((0, 0, ability, difficulty, 1, 1) for ability in (0, 1) for difficulty in (0, 1)),
        *((boost, setback, 0, 0, 0, 1) for boost in (0, 1, 2) for setback in (1, 2)),
        *((0, setback, 0, 0, 2, 1) for setback in (0, 1)),
        (2, 2, 1, 1, 0, 0),
    )
]
_BANDS: Sequence[tuple[int | None, str]] = (
    (None, ""),
    (None, "symbols.advantage > 0"),
    (1, ""),
    (1, "symbols.advantage >= 0"),
    (1, "symbols.triumph > symbols.despair"),
)


def _plan(pool: Pool) -> RollPlan:
    """A roll of these dice, with the outcomes in `_BANDS`, which are called by their places."""
    groups = [DiceGroup(count, die_with_symbols(die, GAME, "success")) for die, count in pool.items()]
    bands = [
        Band(str(place), str(place), OutcomeGrade.SUCCESS, low, when=WhenShown(when) if when else None)
        for place, (low, when) in enumerate(_BANDS)
    ]
    return RollPlan(tuple(groups), Reading(ReadingKind.SYMBOLS, symbols=(*COUNTED,)), tuple(bands))


def _outcome(faces: Sequence[str]) -> str:
    """The outcome of these faces, as a person at the table counts them."""
    shown = Counter(word for face in faces for word in face.split())
    net = shown["success"] + shown["triumph"] - shown["failure"] - shown["despair"]
    more = shown["advantage"] - shown["threat"]
    if net < 1:
        return "1" if more > 0 else "0"
    if shown["triumph"] > shown["despair"]:
        return "4"
    return "3" if more >= 0 else "2"


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_odds_are_those_of_every_throw(pool: Pool) -> None:
    """The chance of each outcome is that which counting all throws gives."""
    dice = [Counter(TREE["faces"][die]).items() for die, count in pool.items() for _ in range(count)]
    throws = Counter[str]()
    for throw in product(*dice):
        throws[_outcome([face for face, _ in throw])] += prod(alike for _, alike in throw)
    expected = {outcome: Ratio(ways, throws.total()) for outcome, ways in throws.items()}
    assert {outcome: chance for outcome, chance in exact_odds(_plan(pool)).items() if chance} == expected


BARE = "\n".join(line for line in TEXT.splitlines() if not line.startswith(("id =", "name =")))
AVERAGE = "roll act runa steer average"
"""Two dice of proficiency, one of ability, and two of difficulty."""


def test_symbols_are_told_and_net() -> None:
    """What cancels is taken away, a triumph is a success too, and less than no advantage is threat. The log says what each die shows."""
    trial = Trial(BARE)
    trial.play(AVERAGE, 2, 7, 6, 2, 5)
    (roll,) = (fact for fact in trial.facts if isinstance(fact, RollFact))
    assert [die.symbols for die in roll.dice] == ["success", "triumph", "success + advantage", "failure", "threat ×2"]
    assert trial.question.startswith("Act: Triumph (success 2, threat 1, triumph 1).")
    assert trial.play("keep") == ["success 2, threat 1, triumph 1", "Runa: Triumph", "Runa: Strain 0 → 1"]


def test_effects_and_choices_read_symbols() -> None:
    """So much strain as there is threat, and as many offers as there is advantage."""
    trial = Trial(BARE)
    trial.play(AVERAGE, 1, 1, 2, 5, 5)
    trial.play("keep")
    assert trial.state.sheet.crew["runa"].strain == 4
    trial.play(AVERAGE, 5, 4, 2, 1, 1)
    assert "success 1, advantage 3" in trial.play("keep")
    takes = [move.label for move in trial.game.moves(trial.state) if move.follows]
    assert any("Strain" in label for label in takes)
    assert any("Favour" in label for label in takes)


@pytest.mark.parametrize(
    ("line", "faces", "told"), [("turn difficulty-failure", (4,), "success 1"), ("push", (4,), "advantage 1")]
)
def test_spends_throw_dice_with_symbols(line: str, faces: Sequence[int], told: str) -> None:
    """A die is named by what it shows, and thrown again; a die of another kind is added."""
    trial = Trial(BARE)
    trial.play(AVERAGE, 1, 2, 1, 2, 1)
    trial.play(line, *faces)
    assert told in trial.question


def test_the_other_sides_symbols_are_taken_away() -> None:
    """The symbol of the roll is its result, whatever the game counts first."""
    trial = Trial(BARE)
    assert trial.play("roll brace tove", 5, 1, 3, 1) == ["advantage 1", "Tove: Stands fast"]
    dice = [TREE["faces"][die] for die in ("ability", "ability", "boost", "boost")]
    net = [
        sum(face.count("advantage") * (1 if at < 2 else -1) for at, face in enumerate(faces))
        for faces in product(*dice)
    ]
    assert trial.chances("roll brace tove")["stands"] == Ratio(sum(one > 0 for one in net), len(net))


def test_a_real_die_says_what_its_numbers_show() -> None:
    """Each different face once, at its first place."""
    trial = Trial(BARE)
    wanted = trial.game.dice_to_type(trial.state, parse_act(trial.game.moves(trial.state), f"{AVERAGE} 2"))
    assert (
        wanted[1].asked
        == "ability (1 = blank, 2 = success, 3 = success ×2, 4 = advantage, 5 = advantage ×2, 6 = success + advantage)"
    )


def test_luck_leaves_out_symbols() -> None:
    """The places of faces are no numbers to expect anything of."""
    trial = Trial(BARE)
    trial.play(AVERAGE, 2, 7, 6, 2, 5)
    entry = LogEntry(1, datetime(2026, 1, 1, tzinfo=UTC), AVERAGE, (*trial.facts,))
    assert rolls_of([entry], (), ()) == []


@pytest.mark.parametrize(
    ("before", "after", "path", "message"),
    [
        ('failure = { success', 'failur = { success', ("symbols", "failur"), "there is no symbol `failur`"),
        ('"success advantage", "advantage advantage", ""]', '"sucess", ""]', ("faces", "boost", "3"), "Did you mean `success`?"),
        ("symbols.advantage > 0", "symbols.advantag > 0", ("dice", "act", "bands", "1", "when"), "symbols.advantag"),
        ('symbol = "advantage"', 'symbol = "advantge"', ("dice", "brace", "symbol"), "Did you mean `advantage`?"),
        ('die = "ability"\npool = "wit"', 'die = "d6"\npool = "wit"', ("dice", "brace", "die"), "`d6` has numbers"),
        ('reading = "symbols"\nsymbol = "advantage"', 'reading = "sum"', ("dice", "brace", "die"), "`ability` has symbols"),
        ('pool = "wit"', 'pool = "wit"\nkeep_highest = 2', ("dice", "brace", "keep_highest"), "only with dice that have numbers"),
        ('reroll = "one"', 'reroll = "lowest"', ("spend", "turn", "reroll"), "only with dice that have numbers"),
        ("[faces]", "[face]", ("face",), "Did you mean `faces`?"),
    ],
)  # fmt: skip
def test_mistakes_about_symbols_are_told(before: str, after: str, path: tuple[str, ...], message: str) -> None:
    """Each where it stands, with what would be right."""
    assert TEXT.count(before) >= 1
    flaws = check_game(tomllib.loads(TEXT.replace(before, after, 1)))[1]
    assert any(flaw.path == path and message in flaw.message for flaw in flaws), flaws


def test_a_die_that_ends_in_the_middle_of_a_face_is_no_die() -> None:
    """What an author may write for a die is told as a mistake, whatever it looks like."""
    with pytest.raises(NotDice):
        parse_die("ability: 1; ")
