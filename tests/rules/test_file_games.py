"""What a game in a file does: its limits, conditions and costs, and what is told where a file is wrong."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.file_games import FOLDER, game_of
from tests.kit.lines import Lines
from tests.kit.rules import ONES
from tests.kit.thorough import cases
from waylog.line_mode.wayfinder import Wayfinder
from waylog.rules.common import clock_and_situation_moves, deck_moves, dice_moves, random_tables, rulings
from waylog.rules.file_game.game_file_format import game_schema
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.language.completion_and_what_is_wrong import WAYLOGS_VERBS
from waylog.rules.model import clocks_situations_and_timers, players_and_permissions, sessions
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import ActRefused, Answers, Move
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import State
from waylog.store.file.template_and_conversion import make
from waylog.store.games.game_files import GAME_FILE, GameUnusable, read_game
from waylog.store.shown.luck_and_fairness import luck_sentences
from waylog.table import Table

GAME = Game(game_of("night-heist"))
TEXT = (FOLDER / "night-heist/game.toml").read_text()


def played(state: State, *acts: str) -> State:
    """Return the state after these acts."""
    for words in acts:
        state = GAME.play(state, parse_act(GAME.moves(state), words), ONES).state
    return state


def values(**team: Any) -> State:
    """Return a new campaign with other values of the team."""
    fresh = GAME.fresh("Trial")
    return replace(fresh, sheet=replace(fresh.sheet, team=replace(fresh.sheet.team, **team)))


@pytest.mark.clause("GF-01")
def test_a_value_stays_in_its_range() -> None:
    """An act leaves a value in its range; one that would change nothing is refused."""
    assert played(values(stress=8), "mark stress 5").sheet.team.stress == 9
    with pytest.raises(ActRefused, match="Stress can't go above 9"):
        played(values(stress=9), "mark stress")


def test_a_number_without_limits_is_marked_and_cleared_too() -> None:
    """By 1, or by as much as is said, and below nothing; an offer to mark it is typed as it stands there."""
    text = f"{TEXT}\n[sheet.haul.values]\ngold = {{ number = 2 }}\n[moves.find]\ndoes = [{{ offer = 'mark gold 3' }}]\n"
    game = Game(read_game(text.encode(), "game.toml"))
    state = game.fresh("Trial")
    for words, gold in (("mark gold", 3), ("clear gold 5", -2), ("find", -2), ("effect find", 1)):
        state = game.play(state, parse_act(game.moves(state), words), ONES).state
        assert state.sheet.haul.gold == gold


@pytest.mark.clause("GF-02")
def test_a_move_needs_its_condition() -> None:
    """As the file says it."""
    assert played(values(stress=5, coin=1), "rest").sheet.team.stress == 3
    with pytest.raises(ActRefused, match="nobody lets you in without coin"):
        played(values(coin=0), "rest")
    with pytest.raises(ActRefused, match="nobody bleeds"):
        played(values(), "patch mara bandage")


@pytest.mark.clause("GF-03")
def test_what_is_spent_has_to_be_there() -> None:
    """In full."""
    state = played(values(coin=2, cover=False), "bribe 2", "use drill")
    assert (state.sheet.team.coin, state.sheet.team.cover) == (0, False)
    state = played(state, "use drill")
    with pytest.raises(ActRefused, match="no Uses left"):
        played(state, "use drill")


def test_an_offer_is_made_after_the_move() -> None:
    """What a move offers can be taken after it with one act."""
    state = played(values(), "throw rope")
    assert played(state, "effect rope").sheet.team.stress == 1


def test_a_roll_without_dice_is_not_offered() -> None:
    """Whatever is asked about it, if none of that brings a die."""
    text = TEXT.replace("pool = 2\n", 'pool = "coin"\noptions = { aid = { plus = 1 } }\nmodifier = [-1, 1]\n', 1)
    text = text.replace('plus = "coin"', 'plus = "coin + modifier"')
    for brings, blocked in (("plus = 1", True), ("dice = 1", False)):
        game = Game(read_game(text.replace("plus = 1", brings).encode(), "game.toml"))
        fresh = game.fresh("Trial")
        state = replace(fresh, sheet=replace(fresh.sheet, team=replace(fresh.sheet.team, coin=0, cover=True)))
        (move,) = (move for move in game.moves(state) if move.id == "roll vault")
        assert bool(move.blocked) == blocked


def test_things_of_the_same_name_in_two_lists_are_told_apart() -> None:
    """By the name of the list."""
    text = f"{TEXT}\n[sheet.rivals.each]\nnerve = {{ range = [0, 4] }}\n[sheet.rivals.start.mara]\n"
    game = Game(read_game(text.encode(), "game.toml"))
    state = game.fresh("Trial")
    ids = [move.id for move in game.moves(state)]
    assert len({*ids}) == len(ids)
    after = game.play(state, parse_act(game.moves(state), "mark rivals mara nerve 2"), ONES).state
    assert (after.sheet.rivals["mara"].nerve, after.sheet.crew["mara"].nerve) == (2, 3)


MISTAKES = (
    ("format = 1", "format = 2", 1, 10, "format 2 needs a newer version of Waylog"),
    ('id = "night-heist"', 'id = "Night Heist"', 2, 6, "lower-case letters, digits and hyphens"),
    ("stress = { range = [0, 9]", "stress = { ranges = [0, 9]", 0, 12, "Did you mean `range`?"),
    ("stress = { range = [0, 9]", "stress = { range = [9, 0]", 0, 20, "the lowest and the highest value"),
    (
        "coin = { range = [0, 6], start = 2",
        "coin = { range = [0, 6], start = 7",
        0,
        34,
        "start can't be 7: it should be a whole number from 0 to 6",
    ),
    ("job = { choices", "job = { text = '', choices", 0, 1, "exactly one of"),
    ("stress = { range", "Stress! = { range", 0, 7, ""),
    ('"clear stress 2"', '"cleanse stress 2"', 0, 10, "“cleanse” is not an effect"),
    ('"clear stress 2"', '"clear stres 2"', 0, 10, "Did you mean `team.stress`?"),
    ("team.coin > 0 and", "amount > 0 and", 0, 9, "`amount` can be used only in `does`"),
    ('"clear stress 2"', '"clear stress nerv"', 0, 23, "`nerv` is not a value here"),
    ('"clear stress 2"', '"clear plan 2"', 0, 10, "`clear` changes a"),
    ("team.coin > 0 and", "team.coin >> 0 and", 0, 9, "is not part of a formula"),
    ('who = "crew"\nlabel = "Patch up"', 'who = "crw"\nlabel = "Patch up"', 0, 7, "`crw` is not a list of the sheet"),
    ("[moves.rest]", "[moves.note]", 0, 2, "Waylog's own"),
    ('clause = "NH-05"', 'clause = "NH-50"', 0, 10, "there is no rule `NH-50`"),
    ('if = "not cover"', 'if = "not rules.soft"', 0, 11, "no house rule `soft`"),
    ("limit = 2", "limit = -2", 0, 9, "`limit` can't be below 0"),
    ("limit = 2", "dice = -1", 0, 8, "`dice` can't be below 0"),
    ('"drawback", from = 4', '"drwback", from = 4', 0, 53, "grade can't be “drwback”"),
    ("from = 7", 'from = "cion"', 0, 51, "Did you mean `team.coin`?"),
    ("nerve = 3\n", "nerve = 5\n", 0, 9, "should be a whole number from 0 to 4"),
    ("[sheet.crew.start.joss]", "[sheet.crew.start.joss]\njab = 1", 0, 1, "job"),
    (
        '"lose cover", {',
        '"mark crew.gear.uses", {',
        0,
        9,
        'gear is a list: write who = "crew.gear", or name one of them',
    ),
    ("pool = 2\n", "modifier = [-1, 1]\npool = 2\n", 0, 12, "the roll asks for a modifier, but no formula uses it"),
    (
        'none = { dice = 2, reading = "lowest"',
        'none = { dice = 2, reading = "match"',
        0,
        30,
        'write reading = "highest" here too',
    ),
    (
        "[house_rules.hard]\n",
        "[house_rules.clock_sizes]\nflag = true\n[house_rules.hard]\n",
        0,
        2,
        "is already a house rule in every game: choose another name",
    ),
)

READ_MODIFIERS = (
    ("pool = 2\n", "pool = 'modifier'\n"),
    ("from = 7", "from = '7 - modifier'"),
    ('open = ["gain coin 3"', 'open = ["gain coin modifier"'),
)


@pytest.mark.parametrize(("right", "wrong", "line", "column", "said"), MISTAKES)
def test_a_mistake_is_told_with_its_place(right: str, wrong: str, line: int, column: int, said: str) -> None:
    """A mistake in a game file is reported with its place and with what would be right."""
    assert right in TEXT
    text = TEXT.replace(right, wrong, 1)
    at = line or text[: text.index(wrong)].count("\n") + 1 + (wrong.count("\n", 0, wrong.find("jab") + 1))
    with pytest.raises(GameUnusable) as unusable:
        read_game(text.encode(), "game.toml")
    first = unusable.value.problems[0]
    assert said in first.message, first
    assert (first.line, first.column) == (at, column), first


@pytest.mark.parametrize(("right", "wrong"), READ_MODIFIERS)
def test_a_modifier_may_be_read_in_any_formula_of_its_roll(right: str, wrong: str) -> None:
    """A formula of a roll may use its modifier, also in an outcome or in what comes of it."""
    assert right in TEXT
    text = TEXT.replace("[dice.vault]\n", "[dice.vault]\nmodifier = [1, 3]\n").replace(right, wrong, 1)
    assert read_game(text.encode(), "game.toml").id == "night-heist"


def test_no_move_takes_a_verb_that_means_something_everywhere(tmp_path: Path) -> None:
    """A move of that name could not be played, or hid a command of line mode. Only `luck` gives way there while a game has it."""
    modules = (
        clock_and_situation_moves,
        deck_moves,
        dice_moves,
        players_and_permissions,
        random_tables,
        rulings,
        sessions,
    )
    assert {verb for module in modules for verb in module.VERBS} <= WAYLOGS_VERBS
    assert {clocks_situations_and_timers.TIMER_VERB, *clock_and_situation_moves.SITUATION_VERBS} <= WAYLOGS_VERBS
    state = replace(GAME.fresh("Trial"), players={"ana": players_and_permissions.Player("Ana")})
    own = {"mark", "clear", *GAME.system.edition.game.moves}
    assert {move.verb for move in GAME.moves(state)} - own <= WAYLOGS_VERBS
    make(tmp_path / "trial", "trial", GAME)
    (tmp_path / "trial" / GAME_FILE).write_text(TEXT)
    table = Table(tmp_path / "trial", now=lambda: datetime(2026, 1, 5, 12, tzinfo=UTC), chance=ONES)
    assert Wayfinder(table).commands.keys() - WAYLOGS_VERBS == {"luck", "at"}


def test_luck_in_line_mode_is_that_of_the_game_while_it_is_asked_for(tmp_path: Path) -> None:
    """Before and after, it is about the dice."""
    make(tmp_path / "trial", "trial", Game(game_of("under-the-ice")))
    lines = Lines(tmp_path / "trial")
    assert lines.type("luck") == list(luck_sentences(lines.table.luck()))
    lines.done("roll craft irsa hard 23")
    lines.done("luck")
    assert lines.type("luck") == list(luck_sentences(lines.table.luck()))


@pytest.mark.parametrize("at", [-1, 1, 3])
def test_a_die_that_always_explodes_is_refused(at: int) -> None:
    """A die that explodes at every face is refused, and one that explodes at a face that is rerolled, as that face never stays."""
    bands = 'bands = [{ outcome = "bad" }]'
    text = f"{TEXT}\n[dice.odd]\nreroll = [3]\nexplode = {{ at = {at} }}\n{bands}\n"
    with pytest.raises(GameUnusable, match="`at` should be 2 or more, and can't be a face that is rerolled"):
        read_game(text.encode(), "game.toml")
    assert read_game(text.replace(f"at = {at} ", "at = 5 ").encode(), "game.toml").id == "night-heist"


@pytest.mark.parametrize(
    ("words", "dice"), cases([("roll vault", 2), ("roll action mara", 3), ("roll action joss help", 3)], 0, 2)
)
def test_odds_come_from_every_roll(words: str, dice: int) -> None:
    """An outcome has the chance with which it comes up when every roll is played, and kept as it is."""
    state = values(coin=1)
    odds = GAME.odds(state, *_act(state, words))
    assert odds
    outcomes = []
    for faces in product("123456", repeat=dice):
        result = GAME.play(state, parse_act(GAME.moves(state), " ".join((words, *faces))), TypedDice([]))
        if GAME.question(result.state):
            result = GAME.play(result.state, parse_act(GAME.moves(result.state), "keep"), TypedDice([]))
        outcomes += [fact.outcome for fact in result.facts if isinstance(fact, OutcomeFact)]
    assert len(outcomes) == 6**dice
    assert {chance.outcome: chance.chance * 6**dice for chance in odds.spread.chances} == Counter(outcomes)


def _act(state: State, words: str) -> tuple[Move, Answers]:
    act = parse_act(GAME.moves(state), words)
    return act.move, complete_answers(act.move, act.answers)


def test_odds_with_a_spend_are_those_of_a_player_who_knows_the_dice() -> None:
    """With one Coin, the vault opens whenever one more pip opens it."""
    odds = GAME.odds(values(coin=1), *_act(values(coin=1), "roll vault"))
    assert odds
    assert [spread.label for spread in odds.spends] == ["with 1 Coin"]
    opens = Ratio(
        sum(one + other + 1 + (min(one, other) < 6) >= 9 for one, other in product(range(1, 7), repeat=2)), 36
    )
    assert next(chance.chance for chance in odds.spends[0].chances if chance.outcome == "open") == opens


def test_a_condition_is_a_reason_of_the_odds() -> None:
    """With its rule."""
    odds = GAME.odds(values(cover=False), *_act(values(cover=False), "roll action mara"))
    assert odds
    assert odds.dice == "2d6: Nerve"
    assert [(reason.text, reason.clause) for reason in odds.reasons] == [("No cover: every roll loses a die", "NH-04")]


def test_the_schema_describes_every_key() -> None:
    """It ends, though a value may hold values."""
    schema = game_schema()
    assert {"sheet", "dice", "spend", "after", "moves", "when", "panels", "clauses", "house_rules"} <= set(
        schema["properties"]
    )
    each = schema["$defs"]["value"]["properties"]["each"]["additionalProperties"]
    assert each == {"$ref": "#/$defs/value"}
    assert "from" in schema["properties"]["dice"]["additionalProperties"]["properties"]["bands"]["items"]["properties"]
    assert json.dumps(schema)


def test_a_house_rule_replaces_parts_of_the_game() -> None:
    """A duel is harder, and there is one more move."""
    game = Game(game_of("odd-dice"))
    chances = {}
    for ending in ("kind", "cruel"):
        state = game.fresh("Trial")
        state = replace(state, rules=replace(state.rules, ending=ending))
        assert ("beg" in {move.verb for move in game.moves(state)}) is (ending == "cruel")
        odds = game.odds(state, parse_act(game.moves(state), "roll duel").move, {})
        assert odds
        chances[ending] = next(chance.chance for chance in odds.spread.chances if chance.outcome == "won")
    rolls = list(product(range(1, 21), repeat=3))
    for ending, least in (("kind", 1), ("cruel", 6)):
        assert chances[ending] == Ratio(sum(max(one, two) - other >= least for one, two, other in rolls), len(rolls))


def test_a_mistake_in_what_a_house_rule_replaces_is_told_there() -> None:
    """By its place in the file, not in the game that it makes."""
    text = (FOLDER / "odd-dice/game.toml").read_text().replace('does = ["gain edge 1"]', 'does = ["gain egde 1"]')
    with pytest.raises(GameUnusable, match="egde") as unusable:
        read_game(text.encode(), "game.toml")
    (problem,) = unusable.value.problems
    assert text.splitlines()[problem.line - 1].startswith("does = ")
