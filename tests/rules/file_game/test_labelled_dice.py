"""Dice with a label: looked at alone, rerolled in the best way, added by a spend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from tests.rules.file_game.game_on_trial import Chances, Trial, counted
from waylog.rules.model.odds import Ratio

YEARS = """
[sheet.crew.each]
body = { range = [0, 5], start = 2 }
melee = { range = [0, 5], start = 1 }
harm = { range = [0, 5] }
relic = { choices = ["d6", "d8", "d10", "d12"], start = "d10" }
[sheet.crew.each.gear]
each = { bonus = { range = [0, 3], start = 1 }, gone = { flag = false } }
[sheet.crew.start.hild]
name = "Hild"
gear = { axe = { name = "Axe", bonus = 2 }, rope = { name = "Rope" } }
[dice.act]
who = "crew"
pool = "body"
dice_label = "Base dice"
more = [{ dice = "melee", label = "Skill" }, { die = "relic", label = "Relic", when = "options.relic" }]
reading = "count"
target = 6
worth = { 8 = 2, 9 = 2, 10 = 3, 11 = 3, 12 = 4 }
bands = [{ outcome = "fails", grade = "fiasco" }, { outcome = "works", from = 1 }, { outcome = "great", from = 3 }]
[dice.act.options.relic]
[dice.act.options.gear]
who = "crew.gear"
dice = "bonus"
dice_label = "Gear"
[spend.push]
rolls = ["act"]
reroll = "all"
faces = [2, 5]
limit = 1
[after.act]
fails = [
  { do = "mark harm ones.base_dice" },
  { do = "lose bonus ones.gear", who = "options.gear" },
  { say = "The relic burns", when = "highest.relic > 0 and result.relic == 0" },
]
"""


def test_dice_with_a_label_are_looked_at_alone() -> None:
    """Ones of base dice hurt, those of gear wear it, those of skill do nothing; a face of a relic may count as two or three."""
    trial = Trial(YEARS)
    assert trial.odds("roll act hild axe rope").dice == "2d6 + 1d6 + 3d6: Base dice, Skill, Gear"
    worth = {6: 1, 7: 1, 8: 2, 9: 2, 10: 3}

    def read(*faces: int) -> str:
        successes = sum(worth.get(face, 0) for face in faces)
        return "great" if successes > 2 else "works" if successes else "fails"

    assert trial.chances("roll act hild axe relic") == counted(read, 6, 6, 6, 10, 6, 6)
    trial.play("roll act hild axe relic", 1, 2, 1, 7, 1, 3)
    assert trial.play("push", 1, 1)[-1] == "Hild: Works"
    trial.play("roll act hild axe relic", 1, 2, 1, 4, 1, 3)
    assert trial.play("push", 1, 1, 1) == [
        "Push",
        "Hild: Fails",
        "Hild: Harm 0 → 2",
        "Hild, Axe: Bonus 2 → 0",
        "The relic burns",
    ]


HUNGER = """
[sheet.crew.each]
nerve = { range = [0, 5], start = 2 }
hunger = { range = [0, 5], start = 2 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
pool = "nerve"
die = "d10"
dice_label = "Nerve"
more = [{ dice = "hunger", die = "d10", label = "Hunger" }]
reading = "count"
target = 6
modifier = [1, 5]
bands = [
  { outcome = "fails", grade = "fiasco" },
  { outcome = "bestial", grade = "fiasco", ones = 1, of = "hunger" },
  { outcome = "works", from = "modifier" },
  { outcome = "messy", from = "modifier", face = [10, 10], of = "hunger" },
]
[spend.will]
cost = ["spend nerve"]
reroll = "one"
limit = 1
"""


def _hunted(*faces: int) -> str:
    """Two dice of nerve, and hunger dice."""
    hunger = faces[2:]
    if sum(face >= 6 for face in faces) >= 2:
        return "messy" if 10 in hunger else "works"
    return "bestial" if 1 in hunger else "fails"


def test_outcomes_look_at_dice_with_a_label() -> None:
    """Exactly, and the die to reroll says of which kind it is."""
    trial = Trial(HUNGER)
    assert trial.chances("roll act vesna 2") == counted(_hunted, 10, 10, 10, 10)
    trial.play("roll act vesna 2", 3, 4, 9, 1)
    assert trial.question == "Act: Bestial. Will?"
    assert trial.play("will d10-hunger-1", 10)[-1] == "Vesna: Messy"


def test_a_die_with_a_label_is_rerolled_in_the_best_way() -> None:
    """Against every die of every throw: one that shows a 1 is another die if it is one of hunger."""
    trial = Trial(HUNGER)
    trial.play("set crew.vesna.hunger 1")
    order = ("fails", "bestial", "works", "messy")

    def best(*faces: int) -> Chances:
        ways = [{_hunted(*faces): Ratio(1)}]
        for place in range(3):
            found = Counter(_hunted(*faces[:place], face, *faces[place + 1 :]) for face in range(1, 11))
            ways.append({outcome: Ratio(count, 10) for outcome, count in found.items()})
        return min(ways, key=lambda way: [sum(way.get(one, Ratio()) for one in order[:end]) for end in (2, 1, 3)])

    expected: Counter[str] = Counter()
    for faces in product(range(1, 11), repeat=3):
        for outcome, chance in best(*faces).items():
            expected[outcome] += chance / 1000  # type: ignore[assignment]
    assert trial.chances("roll act vesna 2", 0) == dict(expected)


STRAIN = """
[sheet.crew.each]
stress = { range = [0, 9], start = 1 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
dice_label = "Base"
more = [{ dice = "stress", label = "Stress" }]
reading = "count"
target = 5
bands = [
  { outcome = "fails", grade = "fiasco" },
  { outcome = "works", grade = "success", from = 1 },
  { outcome = "both", grade = "critical", from = 3 },
  { outcome = "panics", grade = "drawback", ones = 1, of = "stress" },
]
[spend.push]
cost = ["mark stress"]
reroll = "all"
faces = [2, 4]
dice = 1
dice_label = "Stress"
limit = 1
[after.act]
panics = [{ say = "Two ones", when = "ones.stress >= 2" }]
"""
STRAIN_ORDER = ("fails", "panics", "works", "both")


def _strained(base: Sequence[int], stress: Sequence[int]) -> str:
    """One die of one's own, and dice of stress."""
    found = sum(face >= 5 for face in (*base, *stress))
    return "panics" if 1 in stress else "both" if found >= 3 else "works" if found else "fails"


def test_a_push_rerolls_dice_and_adds_one_with_a_label() -> None:
    """Both at once, against every throw: a die of stress that is added is looked at with those that lie there."""

    def best(base: int, stress: int) -> Chances:
        kept = {_strained([base], [stress]): Ratio(1)}
        faces = [range(1, 7) if 2 <= face <= 4 else [face] for face in (base, stress)]
        falls = Counter(_strained([one], [two, more]) for one, two, more in product(*faces, range(1, 7)))
        pushed = {outcome: Ratio(ways, falls.total()) for outcome, ways in falls.items()}
        return max(kept, pushed, key=lambda way: sum(STRAIN_ORDER.index(one) * chance for one, chance in way.items()))

    trial = Trial(STRAIN)
    expected: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2):
        for outcome, chance in best(*faces).items():
            expected[outcome] += chance / 36  # type: ignore[assignment]
    assert trial.chances("roll act vesna", 0) == dict(expected)
    trial.play("roll act vesna", 1, 3)
    assert trial.play("push", 1, 1)[-2:] == ["Vesna: Panics", "Two ones"]


def test_an_outcome_may_ask_that_no_die_with_a_label_shows_a_one() -> None:
    """Its `when` reads some of the dice alone, with the odds of a push too; of dice that nobody rolls, nothing shows."""
    by_when = STRAIN.replace(
        '{ outcome = "works", grade = "success", from = 1 },\n  { outcome = "both", grade = "critical", from = 3 },\n'
        '  { outcome = "panics", grade = "drawback", ones = 1, of = "stress" },',
        '{ outcome = "panics", grade = "drawback", when = "calm == 0" },\n'
        '  { outcome = "works", grade = "success", from = 1, when = "calm" },\n'
        '  { outcome = "both", grade = "critical", from = 3, when = "ones.stress == 0" },\n'
        '  { outcome = "fails", grade = "fiasco", to = 0, when = "ones.stress < 1" },',
    )
    trial, other = Trial(f'{by_when}\n[formulas]\ncalm = "ones.stress == 0"'), Trial(STRAIN)
    for stress in (0, 1, 3):
        assert trial.play(f"set crew.vesna.stress {stress}") == other.play(f"set crew.vesna.stress {stress}")
        assert trial.chances("roll act vesna") == other.chances("roll act vesna")
        assert trial.chances("roll act vesna", 0) == other.chances("roll act vesna", 0)
    assert trial.play("roll act vesna", 5, 1, 2, 3) == ["Vesna: Panics"]


def test_a_push_with_nothing_to_reroll_adds_its_die() -> None:
    """The rest of the dice stays where it is."""
    trial = Trial(STRAIN)
    trial.play("roll act vesna", 5, 6)
    assert trial.question == "Act: Works. Push?"
    assert trial.play("push", 6)[-1] == "Vesna: Both"


def test_a_label_that_only_a_spend_gives_can_be_read() -> None:
    """Its die is looked at alone, where no die of the roll has that label."""
    bane = STRAIN.replace('dice = 1\ndice_label = "Stress"', 'dice = 1\ndice_label = "Bane"')
    trial = Trial(bane.replace("panics = [", "any = [").replace("ones.stress >= 2", "ones.bane > 0"))
    trial.play("roll act vesna", 5, 6)
    assert trial.play("push", 1)[-2:] == ["Vesna: Works", "Two ones"]
