"""Rolls that only follow, dice in what a move gets, several questions of a move, and formulas in panels and of everybody in a list."""

from __future__ import annotations

import tomllib

import pytest

from tests.rules.file_game.game_on_trial import Trial, counted
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import Die, TypedDice
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.panels import TextRow

PANIC = """
[sheet.crew.each]
stress = { range = [0, 20], start = 7 }
fight = { choices = ["d6", "d12"] }
armour = { number = 1 }
[sheet.crew.start.ines]
name = "Ines"
[sheet.crew.start.borge]
name = "Borge"
fight = "d12"
[formulas]
parry = "2 + size(fight) // 2"
toughest = "max(crew.each.parry)"
[panels.crew]
rows = ["stress", "parry"]
[panels.all]
title = "All"
rows = ["toughest"]
[dice.act]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.panic]
who = "crew"
die = "d20"
offered = false
bands = [{ outcome = "panics", grade = "fiasco" }, { outcome = "holds", from = "stress + 1" }]
[after.act]
bad = [{ roll = "panic" }]
good = [{ offer = "roll panic" }, { move = "strain", amount = "1d5 - armour" }]
[moves.strain]
who = "crew"
amount = [1, 9]
does = ["mark stress amount"]
[sheet.tracks.each]
rank = { choices = ["easy", "hard"] }
kind = { choices = ["vow", "trip"] }
[moves.begin]
text = "Its name"
choose = { easy = {}, hard = {} }
pick = { kind = { vow = { label = "A vow" }, trip = { label = "A trip", does = ["mark lost"] } } }
does = ["add tracks text", { do = "set rank to choose", who = "added" }, { do = "set kind to pick.kind", who = "added" }]
[sheet.ship.values]
lost = { number = 0 }
"""


def _flaws(text: str) -> list[tuple[str, str]]:
    return [(".".join(one.path), one.message) for one in check_game(tomllib.loads(f'id = "t"\nname = "T"\n{text}'))[1]]


def test_a_roll_that_is_not_offered_only_follows() -> None:
    """It isn't among the moves; an effect makes it, or offers it."""
    trial = Trial(PANIC)
    assert {move.words[0] for move in trial.game.moves(trial.state) if move.rolls} == {"act"}
    assert trial.play("roll act ines", 2, 12) == ["Ines: Bad", "Ines: Holds"]
    trial.play("roll act ines", 5, 3)
    offered = next(move for move in trial.game.moves(trial.state) if move.verb == "effect")
    assert offered.label == "Roll Panic for Ines"
    assert trial.play("effect ines", 4) == ["Ines: Panics"]


def test_the_odds_of_a_roll_that_is_not_offered_say_what_brings_it() -> None:
    """A roll, with its outcome; a move; and a value at its limit. They are the odds of the roll itself, as things are now."""
    text = PANIC.replace(
        "[sheet.tracks.each]", '[moves.fright]\nwho = "crew"\ndoes = [{ roll = "panic" }]\n[sheet.tracks.each]'
    )
    trial = Trial(text.replace("stress = { ", 'stress = { when_full = [{ roll = "panic" }], ', 1))
    (move,) = (one for one in trial.game.rolls_that_follow(trial.state) if one.words[1] == "ines")
    odds = trial.game.odds(trial.state, move, {})
    assert odds
    assert [one.text for one in odds.reasons] == [
        "Rolled only after Act (Bad), Act (Good) or Fright, or when Stress is at its limit"
    ]
    assert {one.outcome: one.chance for one in odds.spread.chances} == counted(
        lambda face: "holds" if face > 7 else "panics", 20
    )
    assert not trial.odds("roll act ines").reasons


def test_a_roll_that_is_not_offered_takes_no_letter() -> None:
    """So those that are have the first letters of their people that are free: `i` and `n` mean something everywhere."""
    before, after = PANIC.split("[dice.act]")
    act, panic = after.split("[dice.panic]")
    panic, rest = panic.split("[after.act]")
    trial = Trial(f"{before}[dice.panic]{panic}[dice.act]{act}[after.act]{rest}")
    rolls = {move.words: move.key for move in trial.game.moves(trial.state) if move.rolls}
    assert rolls == {("act", "ines"): "e", ("act", "borge"): "b"}


@pytest.mark.parametrize(("die", "stress"), [(5, "Ines: Stress 7 → 11"), (1, "")])
def test_what_a_move_gets_may_have_dice(die: int, stress: str) -> None:
    """They are rolled, or typed, as those of other effects; if it is too low, nothing happens."""
    trial = Trial(PANIC)
    assert trial.play("roll act ines", 5, die)[1:] == ([stress] if stress else [])
    assert trial.odds("roll act borge").forecast[0].text.startswith("Bad")


@pytest.mark.parametrize(
    "does",
    [
        '"gain fate amount"',
        '{ move = "doom", amount = "amount" }',
        '"tick ruin amount"',
        '"add tracks omen", { do = "gain fate amount", who = "added" }',
    ],
)
def test_dice_for_a_move_that_changes_a_secret_are_secret_too(does: str) -> None:
    """Of a value of whoever acts, of one that another move changes, of a hidden clock, and of what was just added."""
    secret = PANIC.replace('does = ["mark stress amount"]', f"does = [{does}]").replace(
        "[sheet.crew.each]", "[sheet.crew.each]\nfate = { number = 0, secret = true }"
    )
    secret = secret.replace("[sheet.tracks.each]", "[sheet.tracks.each]\nfate = { number = 0, secret = true }")
    more = '[moves.doom]\nwho = "crew"\namount = [1, 9]\ndoes = ["gain fate amount"]\n[clocks.ruin]\nsecret = true\n'
    trial = Trial(secret + more)
    act = parse_act(trial.game.moves(trial.state), "roll act ines")
    facts = trial.game.play(trial.state, act, TypedDice((5, 4))).facts
    assert [fact.secret for fact in facts if isinstance(fact, RollFact)] == [False, True]


def test_nobody_rolls_for_a_move_that_cannot_be_made() -> None:
    """The log says why it can't."""
    trial = Trial(PANIC.replace('does = ["mark stress amount"]', 'does = ["mark stress amount"]\nwhen = "stress > 9"'))
    assert trial.play("roll act ines", 5) == ["Ines: Good", "Strain: this can't be done now"]


@pytest.mark.parametrize(
    "formulas",
    [
        'parry = "max(crew.each.parry)"',
        'parry = "2 + toughest"\nhighest = "1"',
        'parry = "stress + toughest"\nhighest = "1"',
    ],
)
def test_a_formula_that_comes_back_to_itself_through_everybody_is_refused(formulas: str) -> None:
    """It could never be worked out."""
    found = _flaws(PANIC.replace('parry = "2 + size(fight) // 2"', formulas))
    assert ("formulas.parry", "parry refers to itself, so it can never be worked out") in found


def test_a_move_may_ask_several_things() -> None:
    """Formulas read each answer, and each does what it says."""
    trial = Trial(PANIC)
    trial.play('begin "The long way" hard trip')
    (track,) = trial.state.sheet.tracks.values()
    assert (track.name, track.rank, track.kind) == ("The long way", "hard", "trip")
    assert trial.state.sheet.ship.lost == 1
    assert [ask.label for ask in next(move for move in trial.game.moves(trial.state) if move.verb == "begin").asks] == [
        "Which",
        "Kind",
        "Its name",
    ]


@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ("kind = { vow", "text = { vow", "the name of a question should be a lower-case word"),
        ("kind = { vow", "of-what = { vow", "the name of a question should be a lower-case word"),
        ("kind = { vow = ", "kind = { hard = ", "“hard” is also an answer to another question of this move"),
        ("set kind to pick.kind", "set kind to pick.sort", "there is no `pick.sort` here. You can use pick.kind"),
        ("crew.each.parry", "crew.each.pary", "`pary` is not a value of crew"),
        ('rows = ["toughest"]', 'rows = ["parry"]', "`parry` from [formulas] can't be used here"),
        ('amount = "1d5 - armour"', 'amount = "1d5 - armor"', "`armor` is not a value here"),
    ],
)
def test_what_is_wrong_about_these_is_named(was: str, now: str, wrong: str) -> None:
    """At its place."""
    assert was in PANIC
    found = _flaws(PANIC.replace(was, now))
    assert any(wrong in message for _, message in found), found


def test_an_answer_that_changes_nothing_is_advised_about() -> None:
    """By the name of its question."""
    text = PANIC.replace(', { do = "set kind to pick.kind", who = "added" }', "").replace(', does = ["mark lost"]', "")
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
    said = [flaw for flaw in advise(rulebook_of(tree)) if flaw.path[:2] == ("moves", "begin")]
    assert [(flaw.path, flaw.message) for flaw in said] == [
        (("moves", "begin", "pick", "kind"), "the answer to this question changes nothing: use `pick.kind` in `does`")
    ]


def test_a_panel_shows_formulas_and_one_may_read_those_of_everybody() -> None:
    """Each with its number now; nothing that players see comes of a secret value."""
    trial = Trial(PANIC)
    rows = {row.key: row for panel in trial.game.panels(trial.state) for row in panel.rows}
    shown = {key: row.text for key, row in rows.items() if isinstance(row, TextRow) and not row.secret}
    assert (shown["crew.ines.parry"], shown["crew.borge.parry"], shown["toughest"]) == ("5", "8", "8")
    hidden = Trial(
        PANIC.replace('fight = { choices = ["d6", "d12"] }', 'fight = { choices = ["d6", "d12"], secret = true }')
    )
    rows = {row.key: row for panel in hidden.game.panels(hidden.state) for row in panel.rows}
    secret = {key: row.secret for key, row in rows.items() if isinstance(row, TextRow)}
    assert all(secret[key] for key in ("crew.ines.parry", "toughest"))


def test_the_digits_of_a_d66_may_be_typed_as_one_number() -> None:
    """As people read it; a die with ten sides or more takes a number as it is."""
    for faces in ((6, 2), (62,)):
        trial = Trial(PANIC.replace("[dice.act]\n", '[dice.act]\ndie = "d66"\n').replace("from = 4", "from = 62"))
        assert trial.play("roll act ines", *faces, 1)[0] == "Ines: Good"
    assert TypedDice((62,)).roll([Die("act", 100)])[0].face == 62
    with pytest.raises(ActRefused, match="a d6 has no 16"):
        TypedDice((16,)).roll([Die("act"), Die("wild", 20)])
    with pytest.raises(ActRefused, match="a d6 has no 72"):
        TypedDice((72,)).roll([Die("act"), Die("act")])


def test_a_mistake_that_a_roll_has_from_its_base_is_told_once() -> None:
    """At the base; a mistake of its own is told there."""
    wrong = PANIC.replace("[dice.panic]", '[dice.hide]\nbase = "act"\npool = "nerv"\n[dice.panic]')
    found = _flaws(wrong.replace('{ outcome = "good", from = 4 }', '{ outcome = "good", from = "strss" }'))
    assert [path for path, _ in found if path.startswith("dice")] == ["dice.act.bands.1.from", "dice.hide.pool"]
