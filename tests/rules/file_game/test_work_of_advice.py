"""How much the check of a game without mistakes does to find what its author can't have meant: counted, never timed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

import pytest

from waylog.rules.file_game import check_what_never_happens, effects_and_offers
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.check_tried_rolls import happening
from waylog.rules.file_game.named_values_and_conditions import FileMoment, Scope
from waylog.rules.file_game.roll_and_effect_format import EffectRule
from waylog.rules.file_game.roll_plans_and_options import PlannedRoll, RollChoice, plan_roll
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.model.moves import Refusal
from waylog.rules.model.state import State


def advice(text: str) -> list[tuple[str, str]]:
    """What is said of a game, with its place."""
    return [(".".join(flaw.path), flaw.message) for flaw in advise(rulebook_of(tomllib.loads(text)))]


def test_effects_are_done_once_for_all_that_is_looked_for_after_a_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of them are looked for, each is done once, and what they offer isn't worked out."""
    tried = {"effects": 0, "offers": 0}
    scopes_of, as_typed = effects_and_offers.scopes_of, effects_and_offers.as_typed

    def scopes(effect: EffectRule, scope: Scope) -> Iterable[Scope]:
        tried["effects"] += 1
        return scopes_of(effect, scope)

    def typed(words: str, scope: Scope) -> str:
        tried["offers"] += 1
        return as_typed(words, scope)

    tree = {
        "id": "t",
        "name": "T",
        "sheet": {"crew": {"each": {"harm": {"range": [0, 30]}}, "start": {"ada": {"name": "Ada"}}}},
    }
    system = rulebook_of(tree)
    fresh = Game(system).fresh("")
    scope = Scope(FileMoment(fresh.sheet, fresh.rules, fresh.clocks, system.edition), "crew", ("ada",))
    effects = [*(EffectRule(do="mark harm", when=f"harm == {n}") for n in range(9)), EffectRule(offer="mark harm")]
    never = EffectRule(do="mark harm", when="harm > 9")
    monkeypatch.setattr(effects_and_offers, "scopes_of", scopes)
    monkeypatch.setattr(effects_and_offers, "as_typed", typed)
    wanted = [(place, "when") for place in range(11)]
    assert [*happening((*effects, never), wanted, scope)] == wanted[:10]
    assert tried == {"effects": 10, "offers": 0}


LARGE = """
id = "large"
name = "Large"
[sheet.crew.each]
harm = { range = [0, 3] }
fear = { range = [0, 40] }
[sheet.crew.start]
ada = { name = "Ada" }
bo = { name = "Bo" }
[dice.act]
who = "crew"
pool = "3 + one + two"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 9 }]
reading = "sum"
calls = { dare = {}, hide = {}, talk = {}, wait = {}, flee = {}, pray = {} }
[dice.act.pick.ground]
open = {}
rough = {}
steep = {}
[dice.act.pick.light]
day = {}
dusk = {}
night = {}
[formulas]
one = "count(call == 'dare') + 2 * count(pick.ground == 'rough') + count(pick.light == 'dusk')"
two = "count(call == 'talk', call == 'wait') + count(pick.light == 'night')"
[after.act]
any = [
  "gain fear",
  "lose fear 2",
  "gain fear result",
  { do = "mark harm", when = "result > 9 and harm < 2" },
  { do = "clear harm", when = "result > 12 and harm > 3" },
]
"""


def test_what_never_happens_after_a_roll_is_looked_for_once_for_all_that_shows_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 54 ways to make the roll, each with up to 48 results, only those are tried that an effect and those before it tell apart; and
    effects that change nothing of it aren't done.
    """
    tried = {"effects": 0}
    scopes_of = effects_and_offers.scopes_of

    def scopes(effect: EffectRule, scope: Scope) -> Iterable[Scope]:
        tried["effects"] += bool(effect.do)
        return scopes_of(effect, scope)

    system = rulebook_of(tomllib.loads(LARGE))
    monkeypatch.setattr(effects_and_offers, "scopes_of", scopes)
    assert [(".".join(flaw.path), flaw.message) for flaw in advise(system)] == [
        ("after.act.any.4.when", "this effect never happens: check its `when`")
    ]
    assert tried["effects"] < 10_000


def test_of_what_takes_too_many_tries_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """All else is told, and nobody waits for a check without end."""
    text = LARGE + '[moves.rest]\nwho = "crew"\ndoes = ["clear harm"]\nwhen = "harm > 3"\n'
    impossible = ("moves.rest", "this move can never be made: check its `when` and its costs")
    assert [impossible[0], "after.act.any.4.when"] == sorted((path for path, _ in advice(text)), reverse=True)
    planned = list[RollChoice]()

    def plan(moment: FileMoment, choice: RollChoice) -> PlannedRoll:
        planned.append(choice)
        return plan_roll(moment, choice)

    monkeypatch.setattr("waylog.rules.file_game.check_tried_rolls.plan_roll", plan)
    monkeypatch.setattr(check_what_never_happens, "MOST_OF_ROLLS", 90)
    assert advice(text) == [impossible]
    assert len(planned) <= 90


@pytest.mark.parametrize(
    ("right", "wrong", "place", "says"),
    [
        ('{ outcome = "good"', '{ outcome = "some", from = 99 }, { outcome = "good"', "dice.act.bands.1", "some never"),
        (
            "result > 9 and",
            "one == 5 and (call == 'dare' or call == 'hide') and",
            "after.act.any.3.when",
            "never happens",
        ),
        ("result > 9 and", "outcome == 'good' and two > 3 and", "after.act.any.3.when", "never happens"),
    ],
)
def test_what_the_dice_or_the_answers_alone_make_impossible_is_told_of_any_roll(
    right: str, wrong: str, place: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many combinations it has: no state of the sheet changes that."""
    monkeypatch.setattr(check_what_never_happens, "MOST_OF_ROLLS", 90)
    assert advice(LARGE) == []
    ((at, message),) = advice(LARGE.replace(right, wrong))
    assert (at, says in message) == (place, True)
    assert ("tried only some" in message) is (at == "dice.act.bands.1")


CARDS = """
id = "cards"
name = "Cards"
[sheet.crew.each]
deck = { deck = { cups = [1, 10], coins = [1, 10] } }
luck = { range = [0, 6], start = 2 }
harm = { range = [0, 3] }
[sheet.crew.start]
ada = { name = "Ada" }
[dice.draw]
who = "crew"
die = "deck"
reading = "highest"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 6 }]
[after.draw]
bad = [{ do = "mark harm", when = "suit == 'cups'" }]
[dice.act]
who = "crew"
pool = 2
reading = "sum"
cap = 10
more = [{ dice = "luck", die = "d4", label = "Luck" }]
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 7 }]
[after.act]
bad = [{ do = "lose luck ones.luck", when = "ones.luck > 0" }]
[spend.turn]
rolls = ["act"]
score = "luck + 4"
cost = ["set luck to 0"]
when = "luck + 4 > score"
[moves.rest]
who = "crew"
does = ["clear deck", "clear harm", "gain luck"]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("suit == 'cups'", "suit == 'cups' and suit == 'coins'", "after.draw.bad.0.when"),
        ('dice = "luck"', 'dice = "luck - 6"', "dice.act.more.0"),
        ("set luck to 0", "set luck to 12", "spend.turn.cost.0"),
    ],
)
def test_what_the_dice_show_hides_nothing_else(right: str, wrong: str, place: str) -> None:
    """A card has one suit; dice that are never there change nothing, even if something reads what they show; and a price sets a value
    to what it may be.
    """
    assert advice(CARDS) == []
    assert place in [path for path, _ in advice(CARDS.replace(right, wrong))]


def test_a_cap_that_no_result_reaches_is_told_where_a_spend_reads_the_score() -> None:
    """Without it, all is the same."""
    text = CARDS.replace('[after.act]\nbad = [{ do = "lose luck ones.luck", when = "ones.luck > 0" }]\n', "")
    text = text.replace('"clear deck"', '"lose luck", "clear deck"')
    assert "dice.act.cap" not in [path for path, _ in advice(text)]
    assert "dice.act.cap" in [path for path, _ in advice(text.replace("cap = 10", "cap = 99"))]


def test_an_offer_that_stands_in_many_places_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each list whose things get it."""
    looked_up, refusal = list[str](), Game.effect_refusal

    def look_up(game: Game, state: State, words: str, *, rolls: bool = False) -> Refusal | None:
        looked_up.append(words)
        return refusal(game, state, words, rolls=rolls)

    monkeypatch.setattr(Game, "effect_refusal", look_up)
    offer = {"offer": "roll act"}
    bands = [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 4}]
    tree = {
        "id": "t",
        "name": "T",
        "sheet": {"crew": {"each": {"harm": {"range": [0, 3]}}, "start": {"ada": {"name": "Ada"}}}},
        "dice": {"act": {"who": "crew", "bands": bands}},
        "after": {"act": {"bad": [offer], "good": [offer, offer]}},
        "moves": {"wait": {"does": [{"offer": "roll act", "who": "crew"}, "mark harm"], "who": "crew"}},
    }
    assert check_game(tree)[1] == ()
    assert looked_up == ["roll act ada"]
