"""Expressions of a game's file: read by a whitelist, bounded, and worth what Python says they are worth."""

import ast
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.formula_types import ValueKind, ValueType, check_expression
from waylog.rules.file_game.formulas import (
    LARGEST_RESULT,
    MOST_LETTERS,
    MOST_NODES,
    Expression,
    ExpressionError,
    Lookup,
    Value,
    nodes_of,
    parse_expression,
)
from waylog.rules.file_game.named_values_and_conditions import FileMoment, Scope
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game

VALUES: dict[tuple[str, ...], Any] = {
    ("nerve",): 3,
    ("ship", "hull"): -2,
    ("ship", "class"): 7,
    ("alarm",): True,
    ("mode",): "docked",
    ("rank",): "d8",
    ("crew", "nerve"): (1, 0, 4),
    ("crew", "exposed"): (True, False, True),
    ("ship", "tags"): ("wet", "old"),
}
TYPES = {
    ("nerve",): ValueType(ValueKind.NUMBER),
    ("ship", "hull"): ValueType(ValueKind.NUMBER),
    ("ship", "class"): ValueType(ValueKind.NUMBER),
    ("alarm",): ValueType(ValueKind.FLAG),
    ("mode",): ValueType(ValueKind.TEXT, words=("docked", "under way")),
    ("rank",): ValueType(ValueKind.TEXT, words=("d6", "d8", "d12")),
    ("crew", "nerve"): ValueType(ValueKind.NUMBER, many=True),
    ("crew", "exposed"): ValueType(ValueKind.FLAG, many=True),
    ("ship", "tags"): ValueType(ValueKind.TEXT, many=True, words=("wet", "old", "burning")),
}


def value_of(text: str) -> Value:
    """What an expression is worth."""
    return parse_expression(text).evaluate(VALUES.__getitem__)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nerve + 2", 5),
        ("2 + 3 * nerve // 2 - 1", 5),
        (" ship.hull * -1", 2),
        ("ship . class", 7),
        ("-7 // 2", -4),
        ("min(nerve, 2) + max(ship.hull, 1)", 3),
        ("max(crew.nerve)", 4),
        ("max(nerve == 0 or crew.exposed, 1)", 2),
        ("alarm and crew.exposed", 2),
        ("crew.exposed if alarm else 0", 2),
        ("count(crew.exposed)", 2),
        ("count(alarm, nerve > 5, crew.nerve)", 3),
        ("count(crew.nerve == 0, nerve > 2)", 2),
        ("count(2 < crew.nerve)", 1),
        ("count(crew.nerve != nerve)", 3),
        ("count(ship.tags == 'wet')", 1),
        ("count(crew.exposed == false)", 1),
        ("count(crew.exposed == crew.exposed)", 1),
        ("size(rank) // 2", 4),
        ("1 < nerve <= 3", True),
        ("not alarm or ship.hull < 0", True),
        ("ship.hull and nerve", 3),
        ("nerve if alarm else 'no'", 3),
        ("mode == 'docked'", True),
        ('mode != "under way"', True),
        ("'wet' in ship.tags and 'burning' not in ship.tags", True),
        ("true and not false", True),
        ("2 + (nerve > 2)", 3),
        ("9999 * 9999 * 9999", LARGEST_RESULT),
        ("0 - 9999 * 9999", -LARGEST_RESULT),
    ],
)
def test_an_expression_has_the_value_that_it_says(text: str, value: object) -> None:
    """Operators bind as in arithmetic, a flag counts as 1, and no result is out of bounds."""
    assert value_of(text) == value
    assert check_expression(parse_expression(text), TYPES) == () or text == "nerve if alarm else 'no'"


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "the formula is empty", 1),
        ("x = 3", "`=` has no meaning here: compare with `==`", 3),
        ("nerve / 2", "`/` has no meaning here: divide with `//`, which drops the remainder", 7),
        ("nerve // ship.hull", "you can divide only by a plain number of 1 or more, as in `nerve // 2`", 10),
        ("nerve // 0", "you can divide only by a plain number of 1 or more, as in `nerve // 2`", 10),
        ("2d6 + 1", "`2d6`: a formula can't roll dice", 1),
        ("nerve + 1.5", "`1.5` is not a whole number", 9),
        ("007", "`007` begins with 0: write 7", 1),
        ("10000", "a number can be at most 9999", 1),
        ("1 + abs(nerve)", "`abs(nerve)` can't be used here. The functions are min, max, count, size", 5),
        ("min()", "`min` needs at least one value in its brackets", 1),
        (
            "1, 2",
            "`1, 2`: a comma can only separate values inside min, max, count, size. To allow any of several values, write `or`",
            1,
        ),
        ("a b", "near “b”, something is missing or shouldn't be there", 3),
        ("nerve ** 2", "`nerve ** 2` is not part of a formula", 1),
        ("ship['hull']", "`[` has no meaning here: write a path with dots, as in `ship.hull`", 5),
        ("min(*crew)", "`*crew` is not part of a formula", 5),
        ("'docked", "`'` has no meaning here: the closing quotation mark is missing", 1),
        ("f'{nerve}'", "`f'{nerve}'` is not part of a formula", 1),
        ("u'x'", "`u'x'` is not part of a formula", 1),
        ("'a' \"b\"", "`'a' \"b\"` is not part of a formula", 1),
        ("nerve\\", "`\\` has no meaning here", 6),
        ("(" * 150, "near “(”, something is missing or shouldn't be there", 150),
        ("-" * 100 + "1", f"a formula can have at most {MOST_NODES} values and operators", MOST_NODES + 1),
        (
            "1" + " " * 200,
            f"a formula can have at most {MOST_LETTERS} characters, but this one has 201",
            MOST_LETTERS + 1,
        ),
    ],
)
def test_what_is_no_expression_is_named_with_its_column(text: str, message: str, column: int) -> None:
    """The message says what would be right."""
    with pytest.raises(ExpressionError) as refused:
        parse_expression(text)
    assert (refused.value.message, refused.value.column) == (message, column)


@pytest.mark.parametrize(
    ("text", "wanted", "faults"),
    [
        ("nerve + mode", None, [(9, "`+` needs numbers, but `mode` is a text: for a number, write, for example, (2 if mode == 'docked' else 1)")]),
        ("-crew.nerve", None, [(2, "`-` needs numbers, but `crew.nerve` is several values, each a number")]),
        ("mode == 'dockt'", None, [(9, "this value is never 'dockt'. Did you mean 'docked'?")]),
        ("'sunk' in ship.tags", None, [(1, "this value is never 'sunk'. It is always 'wet', 'old' or 'burning'")]),
        ("nerve == 'docked'", None, [(10, "a number is never equal to a text")]),
        ("1 == crew.nerve", None, [(6, "several values can't be compared: use `min` or `max`, or count how many are so, as in count(crew.each.nerve > 2)")]),
        ("count(1 == crew.nerve, mode == 1)", None, [(32, "a text is never equal to a number")]),
        ("count(ship.tags == 'dry')", None, [(20, "this value is never 'dry'. It is always 'wet', 'old' or 'burning'")]),
        ("count(crew.nerve < ship.tags)", None, [(7, "`<` needs numbers, but `crew.nerve` is several values, each a number"), (20, "`<` needs numbers, but `ship.tags` is several values, each a text")]),
        ("size(mode)", None, [(1, "`size` needs dice, but this value can be 'docked'")]),
        ("size(nerve, 2)", None, [(1, "`size` needs a value whose choices are dice, as in size(rank)")]),
        ("size(crew.nerve)", None, [(1, "`size` needs a value whose choices are dice, as in size(rank)")]),
        ("nerve in mode", None, [(10, "`in` needs a list of words, but this is a text: compare it with `==`")]),
        ("nerve in ship.tags", None, [(1, "`in` can't find a number in several values, each a text")]),
        ("mode and alarm", None, [(1, "a condition must be a flag or a number, but this is a text: compare it with `==`")]),
        ("1 if crew.nerve else 2", None, [(6, "a condition must be a flag or a number, but this is several values, each a number: use `count`")]),
        ("1 if alarm else mode", None, [(1, "this can be a number or a text: make both values numbers, or both texts")]),
        ("nerve if alarm else crew.nerve", None, [(1, "this can be a number or several values, each a number: use `count`, `min` or `max`")]),
        ("nerve == 0 or crew.exposed", ValueKind.FLAG, []),
        ("crew.exposed in (alarm and crew.exposed)", None, [(18, "`in` needs a list of words, but this is a number: compare it with `==`")]),
        ("max(mode, 1)", None, [(5, "`max` needs numbers or flags, but `mode` is a text: for a number, write, for example, (2 if mode == 'docked' else 1)")]),
        ("mode", ValueKind.NUMBER, [(1, "this must be a number, but it is a text")]),
        ("nerve", ValueKind.TEXT, [(1, "this must be a text, but it is a number")]),
        ("crew.nerve", ValueKind.NUMBER, [(1, "this must be a number, but it is several values, each a number")]),
        ("nerve", ValueKind.FLAG, []),
        ("alarm and nerve", ValueKind.NUMBER, []),
    ],
)  # fmt: skip
def test_an_expression_is_checked_against_what_is_declared(
    text: str, wanted: ValueKind | None, faults: list[tuple[int, str]]
) -> None:
    """Every fault is found, each with its column."""
    found = check_expression(parse_expression(text), TYPES, wanted)
    assert [(fault.column, fault.message) for fault in found] == faults


def test_paths_are_known_before_anything_is_evaluated() -> None:
    """A pool says what it reads."""
    expression = parse_expression("nerve + (options.help - 1) + min(2, ship.hull)")
    assert expression.paths == {("nerve",), ("options", "help"), ("ship", "hull")}


PIECES = (
    "nerve", "ship.hull", "ship.class", "alarm", "mode", "crew.nerve", "crew.exposed", "ship.tags", "hul", "ship", "0", "1", "2", "9999", "007", "1.5", "2d6",
    "'docked'", '"wet"', "'", "+", "-", "*", "//", "**", "/", "==", "!=", "<", "<=", "=", "and", "or", "not", "in", "not in", "if", "else", "is", "lambda", "(", ")",
    ".", ",", ":", "min(", "max(", "count(", "size(", "rank", "abs(", "true", "False", "None", "f'", "b'x'", "\\", "\n", " ", "…", "\0", "await", "yield", "class", "_", "__import__('os')",
)  # fmt: skip


def read_or_refuse(text: str) -> tuple[Expression | None, ExpressionError | None]:
    """The expression, or why it is none."""
    try:
        return parse_expression(text), None
    except ExpressionError as error:
        return None, error


@given(st.one_of(st.text(max_size=250), st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join)))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    """The column of a refusal is in the text or just behind it. What is read and fits its types has a value within bounds."""
    expression, refusal = read_or_refuse(text)
    if expression is None:
        assert refusal
        assert refusal.message
        assert 1 <= refusal.column <= len(text) + 1
        return
    assert len(list(nodes_of(expression.root))) <= 2 * MOST_NODES
    types = {**dict.fromkeys(expression.paths, ValueType(ValueKind.NUMBER)), **TYPES}
    faults = check_expression(expression, types)
    assert all(1 <= fault.column <= len(text) for fault in faults)
    if expression.paths <= VALUES.keys():
        try:
            value = expression.evaluate(VALUES.__getitem__)
        except ExpressionError:
            assert faults
        else:
            assert not isinstance(value, int) or abs(value) <= LARGEST_RESULT


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger expressions of smaller ones."""
    pair = st.tuples(inner, st.sampled_from(["+", "-", "*", "<", "<=", "==", "!=", "and", "or"]), inner)
    return st.one_of(
        pair.map(lambda parts: f"({' '.join(parts)})"),
        pair.map(" ".join),
        inner.map(lambda one: f"(not {one})"),
        inner.map(lambda one: f"-({one})"),
        st.tuples(inner, st.integers(1, 9)).map(lambda parts: f"({parts[0]}) // {parts[1]}"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(
            lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
        ),
    )


@given(st.recursive(st.sampled_from(["nerve", "low", "alarm", "0", "1", "7"]), grown, max_leaves=6))
def test_the_value_is_the_one_that_python_gives(text: str) -> None:
    """Whatever both can read is worth the same in both."""
    values = {"nerve": 3, "low": -2, "alarm": True}
    assume(len(text) <= MOST_LETTERS)
    assume(sum(isinstance(node, ast.expr) for node in ast.walk(ast.parse(text, mode="eval"))) < MOST_NODES // 2)
    theirs = eval(text, {"__builtins__": {"min": min, "max": max}}, values)  # noqa: S307 - the text is made above
    assume(abs(theirs) <= LARGEST_RESULT)
    assert parse_expression(text).evaluate(lambda path: values[path[0]]) == theirs


def test_other_games_do_not_pay_for_it() -> None:
    """A Python game is opened without the engine of games in files."""
    ask = "import sys, waylog.rules.systems.veil_2026; print(any('file_game' in name for name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "False"


CLASSES = """
[sheet.crew.each]
class = { choices = ["marine", "android"] }
rank = { choices = ["d6", "d12"] }
hurt = { range = [0, 9] }
[sheet.crew.start.mara]
name = "Mara"
[sheet.crew.start.unit]
name = "Unit 9"
class = "android"
rank = "d12"
[moves.look]
who = "crew"
does = ["set hurt to 1 + FORMULA"]
"""


@pytest.mark.parametrize(
    ("formula", "unit", "mara"),
    [("count(crew.each.class == 'android')", 2, 2), ("size(rank) // 6", 3, 2), ("(crew.class == 'android')", 2, 1)],
)
def test_a_formula_may_count_who_is_so_in_a_list_and_read_the_size_of_a_die(formula: str, unit: int, mara: int) -> None:
    """`crew.each` is everybody; `crew` alone is whoever acts."""
    trial = Trial(CLASSES.replace("FORMULA", formula))
    assert [trial.play(f"look {one}")[-1] for one in ("unit", "mara")] == [
        f"Unit 9: Hurt 0 → {unit}",
        f"Mara: Hurt 0 → {mara}",
    ]


@pytest.mark.parametrize("function", ["count", "min", "max"])
def test_a_function_that_looks_through_the_value_of_one_is_a_mistake(function: str) -> None:
    """It says how everybody in the list is meant."""
    text = CLASSES.replace("1 + FORMULA", f"{function}(crew.hurt > 0)")
    found = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
    cure = f"`crew.hurt` is only the value of whoever acts, so {function} has just one value to work with: write crew.each.hurt for everybody in crew"
    assert [(flaw.path, flaw.message) for flaw in found] == [(("moves", "look", "does", "0"), cure)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("nerve + 1 > theirs.result", [("theirs", "result")]),
        ("nerve > 2 and theirs.result > 0", []),
        ("nerve == 2 or theirs.result > 0", []),
        ("nerve == 2 and theirs.result > nerve * 3", [("theirs", "result")]),
        ("count(outs, theirs.result > 0) if nerve > 1 else 0", [("outs",), ("theirs", "result")]),
        ("theirs.result > 0 and 'a' in marks", [("theirs", "result")]),
    ],
)
def test_what_is_known_of_a_formula_is_worked_out_once(text: str, left: list[tuple[str, ...]]) -> None:
    """What reads nothing open is worked out at once, and the rest comes to what the whole formula does. Several values stay as they are."""
    known: dict[tuple[str, ...], Value] = {("nerve",): 2, ("outs",): (True, False), ("marks",): ("a", "b")}
    whole = parse_expression(text)
    bound = whole.bind(known.__getitem__, lambda path: path[0] == "theirs")
    assert sorted(bound.paths) == left
    for number in range(-2, 9):
        lookup = {**known, ("theirs", "result"): number}.__getitem__
        assert bound.evaluate(lookup) == whole.evaluate(lookup)


def test_a_formula_that_many_others_read_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of twenty formulas reads the one before it twice: that would be a million times."""
    formulas = {"step0": "nerve", **{f"step{n}": f"max(step{n - 1}, 0) + step{n - 1}" for n in range(1, 20)}}
    sheet = {"crew": {"each": {"nerve": {"range": [0, 4], "start": 1}}, "start": {"ada": {"name": "Ada"}}}}
    system = rulebook_of({"id": "t", "name": "T", "sheet": sheet, "formulas": {"odd": "nerve + 1", **formulas}})
    fresh, evaluate, count = Game(system).fresh(""), Expression.evaluate, 0

    def counting(self: Expression, lookup: Lookup) -> Value:
        nonlocal count
        count += 1
        assert count < 100
        return evaluate(self, lookup)

    monkeypatch.setattr(Expression, "evaluate", counting)
    scope = Scope(FileMoment(fresh.sheet, fresh.rules, fresh.clocks, system.edition), "crew", ("ada",))
    assert scope.number("step12") == 4096
    assert (scope.number("odd"), count) == (2, 16)
