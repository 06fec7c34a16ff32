"""The wayfinder overrules: a forced roll type and the dice of one roll, and numbers out of their rules' range."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest

from tests.kit.rules import ONES, outcomes, told
from tests.rules.veil_table import CORE, Y2026, after, campaign, move, odds, play
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import ActRefused, Number, PickMany, PickOne
from waylog.rules.model.odds import Ratio, Spread
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system
from waylog.rules.what_players_may_do import PlayersGame

CLASSIC, REFERENCE = Game(system("veil-classic")), Game(system("veil-reference"))
LAMED: dict[str, Any] = {"tokens": {"engineering": False}}
OUTSIDE: dict[str, Any] = {"name": "Mara", "exposed": True, "life_support": False}
STORM: dict[str, Any] = {"name": "Storm", "running": "desperate"}
D6 = range(1, 7)


def ruled(played: PlayResult) -> list[tuple[str, str | None]]:
    """What was overruled, with the clauses."""
    notes = [fact for fact in played.facts if isinstance(fact, NoteFact)]
    return [(note.text, note.clause) for note in notes if note.text.startswith("Overruled: ")]


def refused(state: State, words: str, game: Game = CORE) -> ActRefused:
    """Why an act is refused."""
    with pytest.raises(ActRefused) as found:
        play(state, words, game)
    return found.value


# -- a forced roll type ------------------------------------------------------------------------------------------------

FORCED = [
    pytest.param(CORE, {"ship": LAMED}, "roll nav", "VK-17", marks=pytest.mark.clause("VK-17")),
    pytest.param(CORE, {"crew": {"mara": OUTSIDE}}, "roll mara", "VK-18", marks=pytest.mark.clause("VK-18", "VK-17")),
    pytest.param(CORE, {"clocks": {"storm": STORM}}, "roll hul", "NM-25", marks=pytest.mark.clause("NM-25", "VK-17")),
    pytest.param(
        CORE,
        {"crew": {"mara": {"name": "Mara", "advancements": ["limiter-override"]}}},
        "roll mara",
        "VK-69",
        marks=pytest.mark.clause("VK-69", "VK-17"),
    ),
    pytest.param(Y2026, {"ship": LAMED}, "roll nav", "VK-17", marks=pytest.mark.clause("VN-06", "VK-17")),
    pytest.param(
        CLASSIC, {"ship": LAMED, "crew": {"mara": {}}}, "roll mara engines", "VC-09", marks=pytest.mark.clause("VC-09")
    ),
    pytest.param(
        REFERENCE,
        {"ship": LAMED, "crew": {"mara": {}}},
        "roll mara engines",
        "RF-14",
        marks=pytest.mark.clause("RF-14"),
    ),
]


@pytest.mark.parametrize(("game", "tables", "roll", "clause"), FORCED)
def test_a_forced_call_is_lifted_for_one_roll(game: Game, tables: Any, roll: str, clause: str) -> None:
    """It is refused by its rule with the word that overrules it; by that word it does no harm, and the log names the clause."""
    state = campaign(game, **tables)
    no = refused(state, f"{roll} standard", game).refusal
    assert (no.clause, "standard-anyway" in no.reason) == (clause, True)
    forced = play(state, roll, game)
    assert any("Desperate" in text for text in told(forced))
    lifted = play(state, f"{roll} standard-anyway", game)
    assert [at for _, at in ruled(lifted)] == [clause]
    assert lifted.words == f"{roll} standard-anyway"
    harms = [fact.clause for fact in forced.facts if isinstance(fact, NoteFact)]
    spared = [fact.clause for fact in lifted.facts if isinstance(fact, NoteFact)]
    assert {*harms} - {*spared} - {clause}, "a Fiasco on a Desperate roll does something that this one does not"
    before = odds(state, f"{roll} standard-anyway", game)
    assert [(note.text, note.clause) for note in before.reasons] == ruled(lifted)
    assert before.spread == odds(state, roll, game).spread
    # It counts for this roll alone.
    assert refused(lifted.state, f"{roll} standard", game).refusal.clause == clause


@pytest.mark.clause("VK-17", "VN-03", "VN-06")
def test_a_forced_roll_may_also_be_made_risky() -> None:
    """When a forced roll is made risky, a Fiasco does harm, and a drawback does none."""
    state = campaign(Y2026, ship=LAMED)
    assert [text for text in told(play(state, "roll nav risky-anyway", Y2026)) if "takes damage" in text]
    spared = play(state, "roll nav risky-anyway 4 1", Y2026)
    assert outcomes(spared) == ["drawback"]
    assert not [text for text in told(spared) if "takes damage" in text]
    assert [text for text in told(play(state, "roll nav 4 1", Y2026)) if "takes damage" in text]


@pytest.mark.clause("VK-17", "NM-25")
def test_players_hear_of_what_was_overruled_as_they_hear_of_its_reason() -> None:
    """Each rule that would force the roll is told by its own clause; that of a hidden clock is the wayfinder's."""
    state = campaign(ship=LAMED, clocks={"storm": STORM | {"seen": False}})
    notes = [
        fact
        for fact in play(state, "roll nav standard-anyway").facts
        if isinstance(fact, NoteFact) and fact.text.startswith("Overruled")
    ]
    assert [(note.clause, note.secret) for note in notes] == [("NM-25", True), ("VK-17", False)]


@pytest.mark.clause("VK-17")
def test_nothing_is_offered_where_nothing_is_forced() -> None:
    """Where no rule forces a roll type, none can be overruled, and the word for it means nothing."""
    state = campaign(crew={"mara": {}})
    (call,) = (ask for ask in move(state, "roll nav").asks if ask.name == "call")
    assert isinstance(call, PickOne)
    assert [option.word for option in call.options] == ["standard", "desperate"]
    with pytest.raises(CommandUnclear):
        play(state, "roll nav standard-anyway")


@pytest.mark.clause("VK-17", "VK-74")
def test_an_overruled_roll_is_standard_in_everything() -> None:
    """Ingenuity, which needs a Standard roll, works on it."""
    crew = {"mara": OUTSIDE | {"prep": {"ingenuity": 1}}}
    assert refused(campaign(crew=crew), "roll mara ingenuity").refusal.clause == "VK-74"
    assert outcomes(play(campaign(crew=crew), "roll mara ingenuity standard-anyway")) == ["success"]


@pytest.mark.parametrize("words", ["roll nav s", "roll nav st", "roll nav standard", "roll nav any", "roll nav stand"])
def test_only_the_whole_word_overrules(words: str) -> None:
    """A part of it means what it means otherwise, or nothing."""
    with pytest.raises(ActRefused):
        play(campaign(ship=LAMED), words)


@pytest.mark.clause("NM-19", "VK-17")
def test_a_situation_is_lifted_with_everything_else() -> None:
    """Beside a clock: both are told by their clauses. By itself it is switched off by its own word."""
    dark = {"dark": {"name": "No power", "makes": "desperate"}}
    state = campaign(clocks={"storm": STORM}, situations=dark)
    assert {clause for _, clause in ruled(play(state, "roll nav standard-anyway"))} == {"NM-19", "NM-25"}
    alone = play(campaign(situations=dark), "roll nav without-dark")
    assert not [text for text in told(alone) if "takes damage" in text]


# -- dice for one roll -------------------------------------------------------------------------------------------------


def read_faces(faces: tuple[int, ...]) -> int:
    """The outcome by the words of the rule: 0 Fiasco to 3 Critical."""
    if faces.count(6) > 1:
        return 3
    return 2 if 6 in faces else 1 if max(faces) > 3 else 0


@cache
def best_read(faces: tuple[int, ...], tokens: int) -> int:
    """The best outcome that so many raises reach, by trying every way. It is the same in whichever order the faces are."""
    found, reached = {faces}, read_faces(faces)
    for _ in range(tokens):
        found = {
            (*faces[:at], face + 1, *faces[at + 1 :]) for faces in found for at, face in enumerate(faces) if face < 6
        }
        reached = max([reached, *map(read_faces, found)])
    return reached


def shares(dice: int, tokens: int = 0) -> tuple[Ratio, ...]:
    """The chances over every throw."""
    counts = Counter(best_read(tuple(sorted(faces)), tokens) for faces in product(D6, repeat=dice))
    return tuple(Ratio(counts[outcome], 6**dice) for outcome in range(4))


def of(spread: Spread) -> tuple[Ratio, ...]:
    """The chances of a spread, worst first."""
    return tuple(chance.chance for chance in spread.chances)


@pytest.mark.clause("VK-01", "VK-21")
@pytest.mark.parametrize("words", ["roll nav", "roll nav afterburners", "roll cpu"])
@pytest.mark.parametrize("given", [-1, 1, 2, 3])
def test_the_odds_of_given_dice_are_those_of_every_throw(words: str, given: int) -> None:
    """The odds of dice that the wayfinder gives are those of every throw, also with each Focus that could be spent."""
    burner = {"1": {"name": "AFTERBURNERS", "system": "NAV"}}
    state = campaign(ship={"focus": 2, "modules": burner})
    dice = 2 + ("after" in words) + given
    found = odds(state, f"{words} {given:+d}")
    assert found.dice.startswith(f"{dice}d6: ")
    assert of(found.spread) == shares(dice)
    assert [of(spread) for spread in found.spends] == [shares(dice, 1), shares(dice, 2)]


@pytest.mark.clause("VK-12", "VK-63", "VK-21")
def test_a_forceful_roller_has_the_odds_of_as_many_dice() -> None:
    """Given dice are dice like any other, also for rerolls."""
    crew = {"mara": {"vitality": 1, "focus": 1, "advancements": ["forceful"]}}
    two = {"mara": {"vitality": 2, "focus": 1, "advancements": ["forceful"]}}
    given, plain = odds(campaign(crew=crew), "roll mara +1"), odds(campaign(crew=two), "roll mara")
    assert (given.spread, given.spends) == (plain.spread, plain.spends)


@pytest.mark.clause("VK-01")
def test_given_dice_are_rolled_told_and_spent_on() -> None:
    """Each is a die of the roll, Focus raises it, and the log says so with the clause."""
    state = campaign(ship={"focus": 1})
    thrown = play(state, "roll nav +2 1 1 1 5")
    (roll,) = (fact for fact in thrown.facts if isinstance(fact, RollFact))
    assert [face.face for face in roll.dice] == [1, 1, 1, 5]
    assert ruled(thrown) == [("Overruled: 2 dice added", "VK-01")]
    assert outcomes(play(thrown.state, "focus 5")) == ["success"]
    assert thrown.words == "roll nav +2"
    fewer = play(state, "roll nav -1 6")
    assert (ruled(fewer), outcomes(fewer)) == ([("Overruled: 1 die removed", "VK-01")], ["success"])


@pytest.mark.clause("VN-01", "VN-02", "VN-05")
def test_given_dice_come_on_top_of_the_most_and_taken_dice_may_leave_none() -> None:
    """Seven are rolled where the rules stop at six; without any the edition's own rule for no dice counts."""
    crew = {"mara": {"vitality": 3, "advancements": ["expert", "oversized-systems"], "expertise": "ice"}}
    full = odds(campaign(Y2026, crew=crew), "roll mara secondary ice", Y2026)
    more = odds(campaign(Y2026, crew=crew), "roll mara secondary ice +1", Y2026)
    assert (full.dice[:3], more.dice[:3]) == ("6d6", "7d6")
    none = odds(campaign(Y2026), "roll cpu -1", Y2026)
    assert none.dice.startswith("2d6, lowest counts")
    assert [note.clause for note in none.reasons] == ["VN-01", "VN-02"]


@pytest.mark.clause("VK-01", "VK-19")
def test_a_roll_without_a_die_left_is_refused() -> None:
    """By the rule, and not because the ship has none."""
    no = refused(campaign(), "roll nav -2").refusal
    assert (no.reason, no.clause) == ("no dice to roll: the wayfinder has removed them all", "VK-19")


def hits(targets: tuple[int, ...], difficulty: int) -> tuple[Ratio, ...]:
    """The chances of fewer, as many and more hits, over every way in which each die hits or misses."""
    counts: Counter[int] = Counter()
    for hit in product((True, False), repeat=len(targets)):
        faces = (sum((face >= least) is one for face in D6) for one, least in zip(hit, targets, strict=True))
        counts[(sum(hit) > difficulty) - (sum(hit) < difficulty)] += prod(faces)
    return tuple(Ratio(counts[sign], 6 ** len(targets)) for sign in (-1, 0, 1))


@pytest.mark.parametrize(
    ("game", "words", "targets", "clause"),
    [
        pytest.param(CLASSIC, "roll mara engines +2", (6,) * 7, "VC-07", marks=pytest.mark.clause("VC-07", "VC-25")),
        pytest.param(CLASSIC, "roll mara engines joss -2", (6,) * 4, "VC-07", marks=pytest.mark.clause("VC-07")),
        pytest.param(REFERENCE, "roll mara engines +1", (6,) * 6, "RF-04", marks=pytest.mark.clause("RF-04", "RF-19")),
        pytest.param(REFERENCE, "roll mara -2", (6,), "RF-04", marks=pytest.mark.clause("RF-04")),
    ],
)
def test_games_with_hits_count_given_dice(game: Game, words: str, targets: tuple[int, ...], clause: str) -> None:
    """Each hits like the roller's own; the odds are those of every throw, and the log says it with the clause."""
    state = campaign(game, crew={"mara": {"name": "Mara"}, "joss": {"name": "Joss"}})
    assert of(odds(state, words, game).spread) == hits(targets, 1)
    played = play(state, words, game)
    assert [at for _, at in ruled(played)] == [clause]
    (roll,) = (fact for fact in played.facts if isinstance(fact, RollFact))
    assert len(roll.dice) == len(targets)


@pytest.mark.clause("VC-26", "RF-20")
@pytest.mark.parametrize(("game", "clause"), [(CLASSIC, "VC-26"), (REFERENCE, "RF-20")])
def test_games_with_hits_refuse_a_roll_without_dice(game: Game, clause: str) -> None:
    """By the rule for no dice."""
    assert refused(campaign(game, crew={"mara": {}}), "roll mara -3", game).refusal.clause == clause


@pytest.mark.clause("VC-09", "RF-14")
@pytest.mark.parametrize("game", [CLASSIC, REFERENCE])
def test_given_dice_leave_the_wayfinders_own_call_to_be_told(game: Game) -> None:
    """A roll that they call Desperate says so beside what it was given."""
    texts = told(play(campaign(game, crew={"mara": {}}), "roll mara engines desperate +1", game))
    assert {"Desperate (set by the wayfinder)", "Overruled: 1 die added"} <= {*texts}


def test_a_number_without_a_sign_is_a_die() -> None:
    """Real dice are typed as before."""
    thrown = play(campaign(), "roll nav 2 2")
    assert (thrown.words, outcomes(thrown)) == ("roll nav", ["fiasco"])
    with pytest.raises(ActRefused, match="-6 to 6"):
        play(campaign(), "roll nav +7")


# -- players -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("NM-45", "VK-17", "VK-01")
@pytest.mark.parametrize(
    "words", ["roll mara standard-anyway", "roll mara +2", "roll nav +1", "overrule crew.mara.focus 4", "roll mara -1"]
)
def test_players_overrule_nothing(words: str) -> None:
    """What overrules is neither offered to them nor understood from them, however they send it."""
    players = {"ana": {"name": "Ana", "character": "mara", "may": ["roll"]}}
    state = campaign(ship=LAMED, crew={"mara": OUTSIDE}, players=players)
    theirs = PlayersGame(CORE)
    assert parse_act(CORE.moves(state), words).move.verb == words.split(maxsplit=1)[0]
    with pytest.raises(ActRefused):
        theirs.understand(state, "ana", words)
    for each in theirs.moves(state):
        for ask in each.asks:
            assert not (isinstance(ask, Number) and ask.overrules)
            assert not (isinstance(ask, PickOne | PickMany) and any(option.overrules for option in ask.options))
    assert theirs.understand(state, "ana", "roll mara").move.verb == "roll"


# -- numbers out of their range ----------------------------------------------------------------------------------------

CREW: dict[str, Any] = {"mara": {"name": "Mara"}}
NUMBERS = [
    pytest.param(CORE, "ship.core.NAV 4", {"ship.core": 8}, "roll nav", "4d6", marks=pytest.mark.clause("VK-01")),
    pytest.param(
        CORE,
        "ship.core.NAV 6",
        {"ship.core": 10, "ship.core.NAV": 6},
        "roll nav",
        "6d6",
        marks=pytest.mark.clause("VK-01"),
    ),
    pytest.param(CORE, "ship.core.NAV 1", {"ship.core": 5}, "roll nav", "1d6", marks=pytest.mark.clause("VK-01")),
    pytest.param(Y2026, "ship.core.NAV 4", {"ship.core": 6}, "roll nav", "4d6", marks=pytest.mark.clause("VN-01")),
    pytest.param(
        CORE, "crew.mara.vitality 5", {"crew.mara.vitality": 5}, "roll mara", "5d6", marks=pytest.mark.clause("VK-05")
    ),
    pytest.param(CORE, "crew.mara.focus 4", {"crew.mara.focus": 4}, "roll mara", "3d6", marks=pytest.mark.clause("VK-04")),
    pytest.param(CORE, "ship.focus 5", {"ship.focus": 5}, "roll nav", "2d6", marks=pytest.mark.clause("VK-04")),
    pytest.param(
        CLASSIC, "crew.mara.personal 5", {"crew.mara.personal": 5}, "roll mara", "5d6", marks=pytest.mark.clause("VC-03")
    ),
    pytest.param(
        CLASSIC, "ship.systems.Engines 4", {"ship.systems": 7}, "roll mara engines", "7d6", marks=pytest.mark.clause("VC-01")
    ),
    pytest.param(
        REFERENCE, "crew.mara.vitality 6", {"crew.mara.vitality": 6}, "roll mara", "6d6", marks=pytest.mark.clause("RF-02")
    ),
    pytest.param(
        REFERENCE,
        "ship.systems.Engines 8",
        {"ship.systems": 12, "ship.systems.Engines": 8},
        "roll mara engines",
        "11d6",
        marks=pytest.mark.clause("RF-01"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "setting", "marks", "roll", "dice"), NUMBERS)
def test_a_number_out_of_range_is_refused_then_overruled_then_played(
    game: Game, setting: str, marks: dict[str, int], roll: str, dice: str
) -> None:
    """The refusal says the line that overrules it. Then the roll has those dice, and nothing is wrong with the file."""
    state = campaign(game, crew=CREW)
    no = refused(state, f"set {setting}", game).refusal
    assert no.clause
    assert no.reason.endswith(f"To set it anyway, type “overrule {setting}”")
    done = play(state, f"overrule {setting}", game)
    assert dict(done.state.overruled) == marks
    assert [clause for _, clause in ruled(done)][:1] == [no.clause]
    assert odds(done.state, roll, game).dice.startswith(f"{dice}")
    written = game.write(done.state)
    assert written["overruled"] == marks
    again, faults = game.read(written)
    assert (again, list(faults)) == (done.state, [])
    assert sorted({".".join(fault.path) for fault in game.overrulings(written)}) == sorted(marks)


@pytest.mark.clause("VK-01", "VK-04", "VK-05")
@pytest.mark.parametrize(
    "setting",
    ["crew.mara.focus -1", "crew.mara.focus 13", "crew.mara.vitality 1000000000", "ship.core.NAV 13", "ship.core.CPU -1"],
)  # fmt: skip
def test_what_the_rules_cannot_work_with_stays_refused(setting: str) -> None:
    """Negative and absurd numbers, whatever the wayfinder says; and the refusal offers nothing."""
    state = campaign(crew=CREW)
    for verb in ("set", "overrule"):
        no = refused(state, f"{verb} {setting}").refusal
        assert "overrule" not in no.reason
        assert no.clause


@pytest.mark.clause("VK-01")
def test_what_is_overruled_covers_less_and_not_more() -> None:
    """Seven dice are inside of eight that were ruled, nine are not; back in range, nothing is left of it."""
    eight = after(campaign(), "overrule ship.core.NAV 4")
    seven = after(eight, "set ship.core.NAV 3")
    assert dict(seven.overruled) == {"ship.core": 8}
    assert refused(seven, "set ship.core.CPU 4").refusal.clause == "VK-01"
    assert dict(after(seven, "set ship.core.NAV 2").overruled) == {}
    assert dict(after(eight, "overrule ship.core.CPU 4").overruled) == {"ship.core": 10}


@pytest.mark.clause("VK-01", "VK-33")
def test_a_shunt_redistributes_as_many_dice_as_were_ruled() -> None:
    """All eight, or the five that are left."""
    eight = after(campaign(ship={"state": "downtime"}), "overrule ship.core.NAV 4")
    assert refused(eight, "shunt 2 2 2").refusal.clause == "VK-01"
    core = after(eight, "shunt 4 3 1").sheet.ship.core
    assert (core.CPU, core.HUL, core.NAV) == (4, 3, 1)
    five = after(campaign(ship={"state": "downtime"}), "overrule ship.core.NAV 1", "shunt 1 1 3")
    assert five.sheet.ship.core.NAV == 3


@pytest.mark.clause("VK-04", "VK-05", "VK-15", "VK-40", "VK-50")
def test_play_goes_on_from_numbers_that_were_ruled() -> None:
    """A Fiasco takes no Focus away, damage takes one vitality, and the end of a mission leaves them."""
    state = after(campaign(crew=CREW), "overrule crew.mara.focus 4", "overrule crew.mara.vitality 5")
    fiasco = after(state, "roll mara 1 1 1 1 1", "keep")
    assert fiasco.sheet.crew["mara"].focus == 4
    hurt = after(fiasco, "damage mara 1", "damage mara 1")
    assert hurt.sheet.crew["mara"].vitality == 4
    assert after(hurt, "mission over success").sheet.crew["mara"].focus == 4
    assert [*CORE.read(CORE.write(hurt))[1]] == []


@pytest.mark.clause("VK-01")
def test_a_number_that_stands_in_the_file_already_can_be_overruled() -> None:
    """A file that nobody was asked about gets its mark without a change of the number."""
    state, faults = CORE.read({"ship": {"core": {"NAV": 4}}})
    assert [fault.clause for fault in faults] == ["VK-01"]
    done = play(state, "overrule ship.core.NAV 4")
    assert (dict(done.state.overruled), done.state.sheet) == ({"ship.core": 8}, state.sheet)


@pytest.mark.clause("VK-21")
def test_the_largest_numbers_that_may_be_ruled_still_have_odds() -> None:
    """Twelve dice, six more, and twelve Focus."""
    act = "overrule ship.core.CPU 12 ship.core.HUL 12 ship.core.NAV 12 ship.focus 12"
    state = after(campaign(), act)
    found = odds(state, "roll nav +6")
    assert found.dice.startswith("18d6")
    assert len(found.spends) == 12
    for spread in (found.spread, *found.spends):
        assert sum(of(spread)) == 1


@pytest.mark.clause("VK-17", "VK-01")
def test_an_overruled_line_means_the_same_when_the_log_is_read() -> None:
    """The words of the entry are understood again as the same act."""
    state = campaign(ship=LAMED)
    for words in ("roll nav standard-anyway +2", "roll nav -1"):
        act = parse_act(CORE.moves(state), words)
        again = parse_act(CORE.moves(state), CORE.play(state, act, ONES).words)
        assert complete_answers(again.move, again.answers) == complete_answers(act.move, act.answers)


@pytest.mark.clause("VC-09")
def test_lost_engineering_may_matter_to_nobody_in_the_first_edition() -> None:
    """By house rule; otherwise systems rolls are Desperate, and others never by that."""
    for value, forced in (("desperate", True), ("no-effect", False)):
        state = campaign(CLASSIC, house_rules={"engineering_lost": value}, ship=LAMED, crew={"mara": {}})
        texts = told(play(state, "roll mara engines", CLASSIC))
        assert any(text.startswith("Desperate") for text in texts) is forced
        assert not any(text.startswith("Desperate") for text in told(play(state, "roll mara", CLASSIC)))
