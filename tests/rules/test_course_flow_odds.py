"""What is known before a roll: every pair of dice with its exact chances, against brute force (CF-40)."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

import pytest

from tests.rules.test_course_flow_table import CREW, GAME, after, campaign, move
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.odds import Odds, Ratio, percent
from waylog.rules.model.state import State

D6 = range(1, 7)
TYPES = ("compelling", "daring", "expertise", "sneaky", "thriving")
RANK = ("setback", "not-yet", "win", "intent")


def odds(state: State, words: str) -> Odds:
    """The odds of an act in words."""
    act = parse_act(GAME.moves(state), words)
    found = GAME.odds(state, act.move, complete_answers(act.move, act.answers))
    assert found is not None
    return found


def shown(found: Odds) -> Mapping[str, str]:
    """The chances by outcome."""
    return {chance.outcome: str(chance.chance) for chance in found.spread.chances}


def outcome(face: int, course: int, bonus: int, threshold: int) -> str:
    """One election, as the rules put it."""
    if face == course:
        return "setback"
    total = face + course + bonus
    return "not-yet" if total <= 6 else "win" if total < threshold else "intent"


def best(one: str, other: str) -> str:
    """The better of two."""
    return max(one, other, key=RANK.index)


def counted(course: int, bonus: int, threshold: int) -> Mapping[str, str]:
    """The chances, throw by throw."""
    found = Counter(best(*(outcome(face, course, bonus, threshold) for face in pair)) for pair in product(D6, repeat=2))
    return {name: str(Ratio(found[name], 36)) for name in RANK}


@pytest.mark.clause("CF-40")
@pytest.mark.parametrize("rule", ["intent", "fewest-ties"])
def test_the_chances_of_every_course_skill_flow_and_threshold(rule: str) -> None:
    """Exact, and the same by either meaning of the best election: a tie is never the intent."""
    for face, skill, flow in product(D6, (0, 2, 5), (0, 3)):
        state = campaign(
            house_rules={"best_election": rule},
            course={"die": "daring", "face": face},
            crew={"iko": {"skills": {"Piloting": skill}}},
            flows={"chase": {"value": flow}},
        )
        for threshold in (7, 10, 13, 16):
            found = odds(state, f"roll iko piloting chase {threshold} sneaky expertise")
            assert shown(found) == counted(face, skill + flow, threshold)
            assert sum(chance.chance for chance in found.spread.chances) == 1


@pytest.mark.clause("CF-40", "CF-11")
def test_every_legal_pair_has_its_own_odds() -> None:
    """Six pairs beside a Course for someone with all five dice; each says which types may come out high, and how likely."""
    state = campaign(course={"die": "daring", "face": 4})
    pairs = list(combinations([die for die in TYPES if die != "daring"], 2))
    every = odds(state, "roll iko 10")
    assert [note.text.partition(":")[0] for note in every.forecast] == [
        f"{one.capitalize()} and {other.capitalize()}" for one, other in pairs
    ]
    for pair, note in zip(pairs, every.forecast, strict=True):
        one, other = (die.capitalize() for die in pair)
        high = Counter[str]()
        for faces in product(D6, repeat=2):
            highs = {one if face > 4 else "Daring" for one, face in zip((one, other), faces, strict=True) if face != 4}
            high.update(highs)
        offers = ", ".join(f"{die} {percent(Ratio(high[die], 36))}" for die in (one, other, "Daring"))
        assert note.text == f"{one} and {other}: high die {offers}"
        alone = odds(state, f"roll iko 10 {' '.join(pair)}")
        assert alone.spread == every.spread
        assert [note.text for note in alone.forecast] == [f"High die {offers}"]


def worst(pair: tuple[str, str], course: tuple[str, int], bonus: int, threshold: int, at_stake: set[str]) -> Any:
    """Harm, notice and the Flow kept, when the best election also looks at those: an independent count."""
    lies, face = course
    totals = Counter[str]()
    for faces in product(D6, repeat=2):
        ways = []
        for die, shows in zip(pair, faces, strict=True):
            high = "" if shows == face else die if shows > face else lies
            harm = "harm" in at_stake and high != "daring"
            notice = "notice" in at_stake and high != "sneaky"
            kept = high == "expertise"
            came = outcome(shows, face, bonus, threshold)
            ways.append((RANK.index(came), -(harm + notice), kept, harm, notice))
        rank, _, kept, harm, notice = max(ways, key=lambda way: way[:3])
        totals.update({"harm": harm, "notice": notice, "kept": kept and rank > 1})
    return tuple(Ratio(totals[name], 36) for name in ("harm", "notice", "kept"))


@pytest.mark.clause("CF-40", "CF-22")
def test_the_best_pair_is_the_one_that_risks_least() -> None:
    """Outcomes are as likely with any pair; harm, notice and the Flow are what tells pairs apart, and they are exact."""
    state = campaign(course={"die": "thriving", "face": 3}, flows={"chase": {"name": "The chase", "value": 2}})
    found = odds(state, "roll iko piloting chase 10 dangerous watched")
    pairs = list(combinations([die for die in TYPES if die != "thriving"], 2))
    stakes = {pair: worst(pair, ("thriving", 3), 4, 10, {"harm", "notice"}) for pair in pairs}
    top = max((-harm - notice, kept) for harm, notice, kept in stakes.values())
    safest = [pair for pair, (harm, notice, kept) in stakes.items() if (-harm - notice, kept) == top]
    assert safest == [("daring", "sneaky")]
    assert found.forecast[0].text.startswith("Best: Daring with Sneaky; harm ")
    for pair, note in zip(pairs, found.forecast[1:], strict=True):
        harm, notice, kept = stakes[pair]
        said = f"noticed {percent(notice)} and “The chase” kept {percent(kept)}" if kept else ""
        assert note.text.endswith(
            f"; harm {percent(harm)}, {said}" if kept else f"; harm {percent(harm)} and noticed {percent(notice)}"
        )


@pytest.mark.clause("CF-40", "CF-10")
def test_a_called_roll_shows_the_odds_of_each_pair_it_may_be_made_with() -> None:
    """The same as before it was called."""
    state = campaign(course={"die": "daring", "face": 4})
    called = after(state, "roll iko piloting 13")
    for pair in combinations([die for die in TYPES if die != "daring"], 2):
        throw = move(called, f"throw {pair[0]} {pair[1]}")
        assert throw.rolls
        assert GAME.odds(called, throw, {}) == odds(state, f"roll iko piloting 13 {' '.join(pair)}")


@pytest.mark.clause("CF-40", "CF-14", "CF-15")
def test_what_a_tie_would_teach_and_who_is_safe_is_known_before() -> None:
    """A tie shows the Course's own face; an earlier Daring holds against all but a tie."""
    state = campaign(course={"die": "sneaky", "face": 3, "safe": "mara"}, crew=CREW)
    found = odds(state, "roll iko piloting 10 dangerous expertise compelling")
    assert [(note.text, note.clause) for note in found.reasons] == [
        ("Mara's high Daring protects: no harm except after a tie", "CF-15"),
        ("Forced tie 2.8 %, tie on offer 30.6 %: Piloting 2 → 3", "CF-14"),
    ]
    assert "harm 2.8 %" in found.forecast[0].text
    assert found.dice == "Compelling and Expertise beside Sneaky 3: Piloting 2 against 10, dangerous"
    nothing = odds(campaign(course={"die": "sneaky", "face": 2}), "roll iko piloting 10")
    assert nothing.reasons == ()


@pytest.mark.clause("CF-40")
def test_what_is_no_roll_has_no_odds() -> None:
    """None, not a guess: for other acts, and where no roll can be made."""
    state = campaign(course={"die": "daring", "face": 4, "set_by": "iko"})
    assert GAME.odds(state, move(state, "course"), {"die": "sneaky", "face": 1}) is None
    usual = {"threshold": "10", "skill": "unskilled", "flow": "no-flow"}
    assert GAME.odds(state, move(state, "roll iko"), usual) is None
