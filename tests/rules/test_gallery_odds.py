"""The odds of the gallery: each way to read dice, as it is played at a table, in every way in which the dice can fall."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from importlib.resources import files
from itertools import combinations, product
from math import comb
from typing import Any

import pytest

from tests.file_games import game_of
from tests.kit.thorough import cases
from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.dice_throws_and_cards import draw_cards
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import EqualDice
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import ActRefused
from waylog.store.games.game_files import read_game
from waylog.values import replace
from waylog.words.sentences import LISTED_DICE, SPOKEN_DICE, dice_text

Chances = Mapping[str, Fraction]
D6 = range(1, 7)


def odds(name: str, words: str, person: str, shared: Mapping[str, Any] | None = None, **own: Any) -> dict[str, Chances]:
    """Return the chances of a roll by somebody with these values, by what is spent."""
    game = Game(game_of(name))
    fresh = game.fresh("Trial")
    sheet = replace(fresh.sheet, crew={**fresh.sheet.crew, person: replace(fresh.sheet.crew[person], **own)})
    if shared:
        sheet = replace(sheet, ship=replace(sheet.ship, **shared))
    state = replace(fresh, sheet=sheet)
    act = parse_act(game.moves(state), words)
    found = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert found
    return {
        spread.label: {chance.outcome: Fraction(str(chance.chance)) for chance in spread.chances if chance.chance}
        for spread in (found.spread, *found.spends)
    }


def chances(ways: Iterable[Hashable], outcome: Callable[[Any], str]) -> Chances:
    """Return how often each outcome comes of ways that are equally likely."""
    found = Counter(map(outcome, ways))
    whole = found.total()
    return {each: Fraction(count, whole) for each, count in found.items()}


def mean(parts: Mapping[str, Fraction], more: Mapping[str, Chances]) -> Chances:
    """Return chances where some outcomes lead on to others."""
    found = defaultdict[str, Fraction](Fraction)
    for outcome, chance in parts.items():
        for other, share in more.get(outcome, {outcome: Fraction(1)}).items():
            found[other] += chance * share
    return found


def band(value: int, *limits: tuple[int, str]) -> str:
    """Return the last outcome that begins at a value or below it; the first if none does."""
    return next((name for least, name in reversed(limits) if value >= least), limits[0][1])


# -- cards ---------------------------------------------------------------------------------------------------------------

DRAW = ((-99, "fails"), (6, "nearly"), (9, "works"), (13, "great"))
EVERY = [f"{suit}-{number}" for suit in ("suns", "moons", "stars", "voids") for number in range(1, 11)]


@pytest.mark.parametrize("gone", [0, 1, 13, 39])
@pytest.mark.parametrize(("cards", "best"), [("one", max), ("two", max), ("worse", min)])
@pytest.mark.parametrize("hand", [0, 3])
def test_cards_that_are_left(gone: int, cards: str, best: Callable[[Iterable[int]], int], hand: int) -> None:
    """What has been drawn can't come again; with one card left, it is certain."""
    drawn, left = tuple(EVERY[::-1][:gone]), EVERY[: 40 - gone]
    numbers = [int(card.rpartition("-")[2]) for card in left]
    found = odds("blind-jump", f"roll draw lio hand {cards}", "lio", {"deck": drawn}, hand=hand, sleeve=0)
    hands = combinations(numbers, min(len(left), 1 if cards == "one" else 2))
    assert found == {"with nothing spent": chances(hands, lambda seen: band(best(seen) + hand, *DRAW))}


def test_a_card_from_the_sleeve() -> None:
    """It is played where it is better than what was drawn."""
    found = odds("blind-jump", "roll draw lio eye", "lio", hand=0, eye=2, sleeve=8)
    assert found["with A card from the sleeve"] == chances(range(1, 11), lambda card: band(max(card, 8) + 2, *DRAW))


# -- two pools -----------------------------------------------------------------------------------------------------------

CLASH = ((-99, "beaten"), (-1, "pressed"), (0, "even"), (1, "ahead"), (3, "routed"))


def hits(dice: int) -> Mapping[int, Fraction]:
    """Return the chances of each number of dice that show 4 or more."""
    return {count: Fraction(comb(dice, count), 2**dice) for count in range(dice + 1)}


@pytest.mark.parametrize("dice", range(1, 7))
def test_pools_against_each_other(dice: int) -> None:
    """With Nerve a die is added unless nothing better can come of it, which changes nothing; a feint rolls misses again once."""

    def clash(ours: Mapping[int, Fraction]) -> Chances:
        found = defaultdict[str, Fraction](Fraction)
        for (mine, chance), (theirs, other) in product(ours.items(), hits(4).items()):
            found[band(mine - theirs, *CLASH)] += chance * other
        return {name: chance for name, chance in found.items() if chance}

    found = odds("boarding-party", "roll clash imo blade marine", "imo", blade=dice, nerve=1)
    assert found == {"with nothing spent": clash(hits(dice)), "with 1 Nerve": clash(hits(dice + 1))}


def test_a_pool_against_nobody() -> None:
    """Without a foe, hits count alone."""
    found = odds("boarding-party", "roll clash imo wit high", "imo", wit=2, hurt=1, nerve=0)
    assert found == {"with nothing spent": {"even": Fraction(1, 4), "ahead": Fraction(3, 4)}}


# -- a d20 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [5, 14, 20, 30])
@pytest.mark.parametrize(("way", "best"), [("plain", None), ("advantage", max), ("disadvantage", min)])
def test_a_d20_over_a_number(number: int, way: str, best: Callable[[Iterable[int]], int] | None) -> None:
    """Two more for training; a bare 20 and a bare 1 are special; Luck rolls one die again, whichever is best."""
    plus = 5

    def outcome(faces: tuple[int, ...]) -> str:
        face = best(faces) if best else faces[0]
        return {1: "fumble", 20: "best"}.get(face, "works" if face + plus >= number else "fails")

    rank = ("fumble", "fails", "works", "best").index
    ways = [*product(range(1, 21), repeat=2 if best else 1)]
    found = odds("last-beacon", f"roll check ansel might {way} {number}", "ansel", might=3, luck=1)
    assert found["with nothing spent"] == chances(ways, outcome)

    def worth(some: Chances) -> tuple[Fraction, ...]:
        """The fewest failures first, then the most criticals; a fumble is a failure, and counts only among those."""
        bad = some.get("fumble", Fraction()) + some.get("fails", Fraction())
        return (-bad, some.get("best", Fraction()), -some.get("fumble", Fraction()))

    spent = defaultdict[str, Fraction](Fraction)
    for faces in ways:
        options: list[Chances] = [{outcome(faces): Fraction(1)}]
        if rank(outcome(faces)) < rank("works"):
            options += [
                chances(range(1, 21), lambda face, at=at, faces=faces: outcome((*faces[:at], face, *faces[at + 1 :])))  # type: ignore[misc]
                for at in range(len(faces))
            ]
        for name, share in max(options, key=worth).items():
            spent[name] += share / len(ways)
    assert found.get("with 1 Luck", found["with nothing spent"]) == {
        name: share for name, share in spent.items() if share
    }


# -- the best die of a pool ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slip", range(5))
def test_the_best_die_and_a_group(slip: int) -> None:
    """Alone; and with two others, of whom the best outcome counts."""
    order = ("bad", "partly", "good", "best")

    def outcome(faces: tuple[int, ...]) -> str:
        top = max(faces)
        return "best" if faces.count(6) > 1 else band(top, (1, "bad"), (4, "partly"), (6, "good"))

    def worse(faces: tuple[int, ...]) -> str:
        return band(min(faces), (1, "bad"), (4, "partly"), (6, "good"))

    alone = chances(product(D6, repeat=slip or 2), outcome if slip else worse)
    assert odds("night-cargo", "roll act nadi slip", "nadi", slip=slip)["with nothing spent"] == alone
    others = [chances(product(D6, repeat=dice), outcome) for dice in (1, 2)]
    together = defaultdict[str, Fraction](Fraction)
    for parts in product(*(part.items() for part in (alone, *others))):
        best = max((name for name, _ in parts), key=order.index)
        together[best] += parts[0][1] * parts[1][1] * parts[2][1]
    (found,) = odds("night-cargo", "group act nadi brok sel slip", "nadi", slip=slip).values()
    assert found == together


# -- dice that run on ----------------------------------------------------------------------------------------------------


def running(sides: int, times: int) -> Mapping[int, Fraction]:
    """Return what a die comes to if its highest face is rolled again and added, so often."""
    found = defaultdict[int, Fraction](Fraction)
    for face in range(1, sides + 1):
        for more, share in (running(sides, times - 1) if face == sides and times else {0: Fraction(1)}).items():
            found[face + more] += share / sides
    return found


def weighed(dice: Iterable[Mapping[int, Fraction]], outcome: Callable[[tuple[int, ...]], str]) -> Chances:
    """Return the chances of outcomes of dice that are not equally likely to fall each way."""
    found = defaultdict[str, Fraction](Fraction)
    for ways in product(*(die.items() for die in dice)):
        share = Fraction(1)
        for _, each in ways:
            share *= each
        found[outcome(tuple(face for face, _ in ways))] += share
    return found


@pytest.mark.parametrize(("pool", "kept"), cases([(1, 1), (2, 2), (3, 1), (3, 2), (3, 3)], 1, 2))
@pytest.mark.parametrize("number", cases((5, 12, 25), 1, 3))
def test_roll_and_keep(pool: int, kept: int, number: int) -> None:
    """A ten runs on, and only the best count."""
    limits = ((-99, "fails"), (number - 5, "nearly"), (number, "works"), (number + 10, "great"))
    found = odds("nine-banners", f"roll try asaji speech {number}", "asaji", grace=kept, speech=pool - kept, breath=1)
    for label, plus in (("with nothing spent", 0), ("with 1 Breath", 5)):
        expected = weighed([running(10, 2)] * pool, lambda faces: band(sum(sorted(faces)[-kept:]) + plus, *limits))  # noqa: B023
        assert found.get(label, found["with nothing spent"]) == expected


@pytest.mark.parametrize("sides", [4, 6, 8])
@pytest.mark.parametrize("wounds", [0, 2])
def test_a_die_that_grows(sides: int, wounds: int) -> None:
    """The better of it and a d6, and both may run on; wounds count against it, and two ones are worse than failing."""

    def outcome(faces: tuple[int, ...]) -> str:
        if faces == (1, 1):
            return "snake"
        return band(max(faces) - wounds, (-9, "fails"), (4, "works"), (8, "raise"))

    found = odds("slow-freight", "roll try mo drive", "mo", drive=f"d{sides}", wounds=wounds, luck=1)
    plain = weighed([running(sides, 3), running(6, 3)], outcome)
    assert found["with nothing spent"] == plain
    assert found["with 1 Luck"] == mean(plain, {"fails": plain})


# -- one die against two -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stat", [1, 3])
@pytest.mark.parametrize("momentum", [-6, -3, 0, 2, 7, 10])
def test_one_die_against_two(stat: int, momentum: int) -> None:
    """A tie isn't beaten, matches tell, a low Momentum takes the die away, and a high one may stand in its place."""
    names = {(0, False): "miss", (0, True): "twist", (1, False): "weak", (2, False): "strong", (2, True): "chance"}

    def outcome(score: int, one: int, other: int) -> str:
        return names[(score > one) + (score > other), one == other]

    ways = [*product(D6, range(1, 11), range(1, 11))]
    scores = {face: min(10, stat + (0 if face == -momentum else face)) for face in D6}
    found = odds("pole-star", "roll brave aila grit", "aila", grit=stat, momentum=momentum)
    plain = chances(ways, lambda way: outcome(scores[way[0]], *way[1:]))
    assert found["with nothing spent"] == plain
    burned = chances(ways, lambda way: outcome(max(scores[way[0]], momentum), *way[1:]))
    assert ("with Burn Momentum" in found) is (burned != plain)
    assert found.get("with Burn Momentum", plain) == burned


@pytest.mark.parametrize("ticks", [4, 19, 40])
def test_what_was_done_against_two_dice(ticks: int) -> None:
    """A number without a die of one's own."""
    game = Game(game_of("pole-star"))
    fresh = game.fresh("Trial")
    aila = fresh.sheet.crew["aila"]
    oath = replace(aila.oaths["lantern"], ticks=ticks)
    crew = {"aila": replace(aila, oaths={"lantern": oath})}
    state = replace(fresh, sheet=replace(fresh.sheet, crew=crew))
    act = parse_act(game.moves(state), "roll fulfil lantern")
    found = game.odds(state, act.move, {})
    assert found
    names = ("broken", "nearly", "kept")
    expected = chances(product(range(1, 11), repeat=2), lambda dice: names[sum(ticks // 4 > die for die in dice)])
    assert {
        chance.outcome: Fraction(str(chance.chance)) for chance in found.spread.chances if chance.chance
    } == expected


# -- successes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stress", [0, 3])
def test_sixes_and_a_push(stress: int) -> None:
    """A die more for each Stress; the push rolls again all that isn't a six, with one die more, once, unless three sixes lie there."""
    dice = 4 + stress

    def sixes(count: int, dice: int) -> Fraction:
        return Fraction(comb(dice, count) * 5 ** (dice - count), 6**dice)

    def name(count: int) -> str:
        return band(count, (0, "fails"), (1, "works"), (3, "great"))

    plain = defaultdict[str, Fraction](Fraction)
    pushed = defaultdict[str, Fraction](Fraction)
    for first in range(dice + 1):
        plain[name(first)] += sixes(first, dice)
        again = dice - first + 1
        for more in range(again + 1):
            pushed[name(first + more)] += sixes(first, dice) * sixes(more, again)
    found = odds("red-lamp", "roll act uma look", "uma", wits=4, stress=stress)
    assert found == {"with nothing spent": plain, "with 1 Stress": pushed}


def test_dice_that_always_show_the_same_draw_other_cards_all_the_same() -> None:
    """Real cards can't do that, but a trial of what dice decide can: it ends, and no card is drawn twice."""
    deck = {"suns": (1, 3), "moons": (1, 3)}
    drawn = draw_cards(deck, ("suns-1",), 9, EqualDice(1))
    assert sorted(drawn) == sorted({f"{suit}-{face}" for suit in deck for face in (1, 2, 3)} - {"suns-1"})


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("2 7", "moons 7 has already been drawn: type a card that is left"),
        ("two 1 4 1 4", "suns 4 has already been drawn: type a card that is left"),
        ("3 9", "the deck has no stars 9: type a card that is left"),
    ],
)
def test_a_typed_card_that_cannot_be_drawn_is_refused(cards: str, why: str) -> None:
    """With its reason, and nothing is drawn. Waylog draws another one by itself."""
    game = Game(game_of("blind-jump"))
    if "stars" in why:
        text = files("waylog").joinpath("games/blind-jump/game.toml").read_text()
        game = Game(read_game(text.replace("stars = [1, 10]", "stars = [1, 8]").encode(), "game.toml"))
    state = game.fresh("Trial")
    state = replace(state, sheet=replace(state.sheet, ship=replace(state.sheet.ship, deck=("moons-7",))))
    act = parse_act(game.moves(state), f"roll draw lio hand {cards}")
    with pytest.raises(ActRefused, match=f"^{why}$"):
        game.play(state, act, EqualDice(1))
    own = replace(act, faces=None)
    assert game.play(state, own, EqualDice(1)).state.sheet.ship.deck[:2] == ("moons-7", "suns-1")


def test_cards_and_dice_are_typed_in_the_order_in_which_they_stand_and_are_one_line_of_the_log() -> None:
    """The pool first, then what stands in `more`, on both sides. A card is a card there, with its suit and its number in one."""
    trial = Trial("""
[sheet.table.values]
skill = { deck = { skill = [31, 38] } }
fate = { deck = { suns = [1, 9], moons = [1, 9] } }
[dice.check]
label = "Check"
pool = 2
reading = "sum"
more = [
  { die = "skill", label = "Skill" },
  { dice = 2, die = "d8", label = "Foe", against = true },
  { die = "fate", label = "Fate" },
]
bands = [{ outcome = "done" }]
""")
    assert trial.play("roll check", 3, 4, 33, 8, 7, 2, 9) == ["49 against 15", "Check: Done"]
    (rolled,) = [fact for fact in trial.facts if isinstance(fact, RollFact)]
    assert [face.face for face in rolled.dice] == [3, 4, 33, 8, 7, 2, 9]
    assert dice_text(rolled.dice, LISTED_DICE, "Check") == "3 4 on d6, skill 33, Foe 8 7 on d8, Fate moons 9"
    assert dice_text(rolled.dice, SPOKEN_DICE) == "3 4 on d6, skill 33, 8 7 on d8, moons 9"
