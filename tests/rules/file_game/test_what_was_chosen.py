"""The die and the values of what was chosen for a roll, in the dice and in effects."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import product

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.model.odds import Ratio

HEDGE = """
[sheet.crew.each]
wit = { choices = ["d6", "d8", "d10"], start = "d10" }
hurt = { range = [0, 9] }
gear = { each = { edge = { choices = ["d4", "d6"] }, damage = { range = [0, 5], start = 2 }, sharp = { flag = true } } }
[sheet.crew.start.vesna]
name = "Vesna"
gear = { axe = { name = "Axe", edge = "d6", damage = 3 }, pin = { name = "Pin" } }
[sheet.foes.each]
power = { choices = ["d4", "d6", "d8", "d20"], start = "d8" }
life = { range = [0, 9], start = 9 }
kind = { choices = ["fey", "beast"] }
[sheet.foes.start]
hob = { name = "Hob" }
wyrm = { name = "Wyrm", power = "d20", kind = "beast" }
[dice.duel]
who = "crew"
die = "wit"
reading = "highest"
bands = [{ outcome = "lost", grade = "fiasco" }, { outcome = "even", grade = "drawback", from = 0 }, { outcome = "won", from = 1 }]
[dice.duel.options]
foe = { who = "foes", most = 1, dice = 1, die = "power", against = true }
gear = { who = "crew.gear", dice = 1, die = "edge", dice_label = "Gear" }
[after.duel]
won = [{ do = "lose life options.gear.damage + count(options.gear.sharp)", who = "options.foe" }]
any = [{ do = "mark hurt", when = "options.foe.kind == 'beast' or outcome == 'lost'" }, { say = "Dust settles" }]
[moves.throw]
who = "crew"
whom = "foes"
does = [{ do = "lose life", who = "whom" }, { do = "mark hurt whom.life" }]
"""


def test_the_die_of_what_was_chosen_is_rolled() -> None:
    """Against one's own dice, or beside them; the others stay what they are."""
    trial = Trial(HEDGE)
    for words, mine, theirs in (
        ("hob", (10,), 8),
        ("wyrm", (10,), 20),
        ("hob axe", (10, 6), 8),
        ("wyrm axe pin", (10, 6, 4), 20),
    ):
        grades = ("lost", "even", "won")
        falls = Counter(
            grades[(max(own) > other) + (max(own) >= other)]
            for *own, other in product(*(range(1, sides + 1) for sides in (*mine, theirs)))
        )
        expected = {outcome: Ratio(falls[outcome], falls.total()) for outcome in grades if falls[outcome]}
        assert trial.chances(f"roll duel vesna {words}") == expected
    assert trial.odds("roll duel vesna wyrm axe").dice == "1d10 + 1d6 against 1d20: Duel, Gear"


def test_effects_read_the_values_of_what_was_chosen() -> None:
    """Those of several are added up, and those of none are 0. What every outcome does comes after its own effects."""
    trial = Trial(HEDGE)
    assert trial.play("roll duel vesna hob axe pin", 9, 2, 6, 1) == [
        "9 against 2",
        "Vesna: Won",
        "Hob: Life 9 → 2",
        "Dust settles",
    ]
    assert trial.play("roll duel vesna wyrm", 9, 2) == [
        "9 against 2",
        "Vesna: Won",
        "Vesna: Hurt 0 → 1",
        "Dust settles",
    ]
    assert trial.play("roll duel vesna hob", 2, 7) == [
        "2 against 7",
        "Vesna: Lost",
        "Vesna: Hurt 1 → 2",
        "Dust settles",
    ]
    assert trial.play("roll duel vesna", 7) == ["Vesna: Won", "Dust settles"]
    assert trial.play("throw vesna hob")[1:] == ["Hob: Life 2 → 1", "Vesna: Hurt 2 → 3"]


BLOW = """
[dice.blow]
who = "crew"
bands = [{ outcome = "weak", grade = "drawback" }, { outcome = "strong", from = 2 }]
options = { foe = { who = "foes", most = 1 }, gear = { who = "crew.gear", dice = 1 } }
[dice.ward]
who = "foes"
bands = [{ outcome = "open", grade = "drawback" }, { outcome = "shut", from = 4 }]
options = { foe = { who = "crew", most = 1 } }
"""
HITS = 'won = [{ offer = "roll blow options.foe options.gear" }, { offer = "roll ward", who = "options.foe" }, '


def _offered(trial: Trial) -> list[str]:
    return [offer.act for offer in trial.state.open.offers] if trial.state.open else []


def test_an_offer_names_those_who_were_chosen() -> None:
    """What was chosen for a roll is chosen for the one that it offers; a roll by somebody else is offered in their name."""
    trial = Trial(HEDGE.replace("won = [", HITS) + BLOW)
    trial.play("roll duel vesna hob axe", 9, 2, 6)
    assert _offered(trial) == ["roll blow vesna hob axe", "roll ward hob"]
    assert "hob" in [move.words[0] for move in trial.game.moves(trial.state) if move.verb == "effect"]
    assert trial.play("effect vesna", 5, 6)[0] == "Vesna: Strong"
    trial = Trial(HEDGE.replace("won = [", HITS) + BLOW)
    trial.play("roll duel vesna", 9)
    assert _offered(trial) == ["roll blow vesna"]


def test_an_offer_can_only_name_what_can_be_chosen() -> None:
    """For the roll whose outcome it is, and for the offered one."""
    for wrong in ("roll blow options.foes", "roll ward hob options.gear"):
        tree = tomllib.loads(
            f'id = "trial"\nname = "Trial"\n{HEDGE.replace("won = [", f"""won = [{{ offer = "{wrong}" }}, """)}{BLOW}'
        )
        (flaw,) = check_game(tree)[1]
        assert flaw.path == ("after", "duel", "won", "0", "offer")


def test_mistakes_about_what_was_chosen() -> None:
    """A die that the thing doesn't have, a value that it doesn't have, cards, and an outcome that is called as all are."""

    def flaws(old: str, new: str) -> list[str]:
        text = HEDGE.replace(old, new)
        assert text != HEDGE
        return [flaw.message for flaw in check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]]

    assert "“wit” is not a die" in flaws('die = "power"', 'die = "wit"')[0]
    known = "options.foe.name, options.foe.power, options.foe.life, options.foe.kind"
    assert flaws("options.foe.kind", "options.foe.sort") == [
        f"there is no `options.foe.sort` here. You can use {known}"
    ]
    pile = 'pile = { deck = { a = [1, 9] } }\nkind = { choices = ["fey"'
    cards = HEDGE.replace('kind = { choices = ["fey"', pile).replace('die = "power"', 'die = "pile"')
    (flaw,) = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{cards}'))[1]
    assert flaw.message == "a choice can add dice, but not cards: draw cards in the roll itself"
    named = flaws('"lost", grade', '"any", grade')
    assert "in [after], `any` means every outcome: call this one something else" in named
