"""What holds of every game, at every position and for every act: the contract between the rules and everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import pytest

from tests.rules.legal import answerable
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import format_path
from waylog.rules.codec.records import read, write
from waylog.rules.common import rulings
from waylog.rules.common.clauses import CLAUSES
from waylog.rules.file_game.dice_throws_and_cards import DRAWN_AGAIN
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers, format_act, format_typed
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.dice import TEN, Dice, Die, Face
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import Act, ActRefused, Allocate, Answers, Move, Number, PickMany, PickOne, Refusal, Text
from waylog.rules.model.odds import Odds, Spread
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow
from waylog.rules.model.state import PlayResult, State

T = TypeVar("T")
NOW = "2026-01-05 20:00"
_GLUED = re.compile(r"\wNone|None\w")
"""A text with a None in the middle of it; by itself the word may be a grade of a game."""
PLACES = {"ship", "crew", "scene"}
_CHOICES = PickOne, PickMany
_HELD: dict[tuple[int, str], Move] = {}
"""Moves that `clauses_hold` has looked at, by what is theirs alone as long as they are here, and by the game. Many of them are offered
again at the next position, the same objects.
"""
_MOST_HELD = 20_000


class Noted:
    """Dice that fall as others do, and note how."""

    are_real = False

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.faces: list[int] = []
        self.redrew = False
        """Another card was drawn for one that had gone, so nobody can type these faces."""

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The faces, which are noted."""
        faces = self._dice.roll(dice)
        self.redrew |= any(die.asked == DRAWN_AGAIN for die in dice)
        self.faces += (face.face for face in faces)
        return faces


def moves_of(game: Game, state: State) -> list[Move]:
    """What can be done now; values set by hand are tried elsewhere."""
    return [move for move in game.moves(state) if move.verb not in ("set", "overrule")]


@cache
def clauses_of(game: Game) -> frozenset[str]:
    """The clauses that a refusal may name."""
    return frozenset({*game.system.clauses, *CLAUSES})


@cache
def has_no_code(text: str) -> bool:
    """No clause is named by its code in a sentence: the code is data beside it."""
    return not re.search(r"\b(CF|EG|NM|RF|VC|VK|VN)-[0-9]{2}\b", text)


def tried(do: Callable[[], T]) -> T | Refusal:
    """What comes of it, or why it can't be done."""
    try:
        return do()
    except ActRefused as refused:
        return refused.refusal


# -- what holds at every position ---------------------------------------------------------------------------------


def position_holds(game: Game, state: State) -> set[tuple[Any, ...]]:
    """Everything has one name, what it is about exists, a question can be answered, and all of it outlives the program.

    Gives what the check of the campaign file would call wrong, without the counts in it. What is still being made is not wrong.
    """
    moves = game.moves(state)
    ids = [move.id for move in moves]
    assert len(set(ids)) == len(ids), f"two moves have the same verb and words: {ids}"
    keys = [(move.verb, move.key) for move in moves if move.key]
    assert len(set(keys)) == len(keys), f"two moves of one verb have the same key: {keys}"
    assert {len(move.key) for move in moves} <= {0, 1}, f"a key is one letter: {keys}"
    panels = game.panels(state)
    rows = [(panel.place, row.key) for panel in panels for row in panel.rows]
    assert len(set(rows)) == len(rows), f"two rows have the same key: {rows}"
    assert {panel.place for panel in panels} <= PLACES, f"the place of a panel is one of {sorted(PLACES)}"
    tables = {field.name for field in fields(state.sheet)} | {"clocks", "situations", "decks", "tables", "timers"}
    values = [row.key for panel in panels for row in panel.rows if isinstance(row, DiceRow | MarkRow | PipsRow)]
    astray = [key for key in values if key.partition(".")[0] not in tables]
    assert not astray, f"the key of such a row is a path in the campaign file, like tug.strain, and not {astray}"
    panel_keys = (panel.key for panel in panels)
    there = {*PLACES, *(key for _, key in rows), *panel_keys, *places(state.sheet), *beside(game, state)}
    for move in moves:
        lost = set(move.about) - there
        assert not lost, f"`about` of “{move.id}” names {lost}: neither a row of a panel, nor a place in the sheet"
        assert not (move.blocked and not move.blocked.reason), f"“{move.id}” is blocked for no reason"
    question = game.question(state)
    if question is not None:
        assert any(answerable(move) for move in moves if move.follows), f"no answer to “{question}” is possible: {ids}"
    assert_type(tuple[Move, ...], tuple(move for move in moves if move.verb not in rulings.VERBS))
    assert_type(tuple[Panel, ...], tuple(panels))
    assert_type(str | None, question)
    assert_type(type(state.sheet), state.sheet)
    assert {ask.clause for move in moves for ask in move.asks if hasattr(ask, "clause")} <= {None, *clauses_of(game)}
    return outlives_the_program(game, state, moves)


def assert_type(kind: Any, value: Any) -> None:
    """A value and all that is in it is what its type says, and no text in it was made of something that isn't there."""
    assert _check_of(kind)(value), (kind, value)


@cache
def _check_of(kind: Any) -> Callable[[Any], bool]:
    """Whether a value is of that type. `bool` is no `int`."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is Any:
        return lambda _: True
    if origin is Literal:
        return lambda value: value in inner
    if origin is UnionType:
        return _check_of_any([_check_of(one) for one in inner])
    if origin is tuple and inner[-1:] == (...,):
        each = _check_of(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    if origin is tuple and inner:
        places = [_check_of(one) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(places)
            and all(check(item) for check, item in zip(places, value, strict=True))
        )
    if issubclass(origin, Mapping) and inner:
        key, item = map(_check_of, inner)
        return lambda value: isinstance(value, origin) and all(key(one) and item(value[one]) for one in value)
    if issubclass(origin, StrEnum):  # a key of a table is sometimes still the plain word
        return lambda value: isinstance(value, str) and value in set(origin)
    if is_dataclass(origin):
        # The modules of odds name this class only for type checkers.
        hints = get_type_hints(origin, localns={Fraction.__name__: Fraction})
        return _check_of_parts(kind, [(field.name, _check_of(hints[field.name])) for field in fields(origin)])
    if origin is str:
        return lambda value: isinstance(value, str) and not ("None" in value and _GLUED.search(value))
    return lambda value: isinstance(value, origin) and (origin is bool or not isinstance(value, bool))


def _check_of_any(ways: Sequence[Callable[[Any], bool]]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        for way in ways:  # noqa: SIM110 - here and below: asked a hundred thousand times at a position
            if way(value):
                return True
        return False

    return check


def _check_of_parts(kind: type, parts: Sequence[tuple[str, Callable[[Any], bool]]]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        if not isinstance(value, kind):
            return False
        for name, check in parts:  # noqa: SIM110
            if not check(getattr(value, name)):
                return False
        return True

    return check


def places(value: Any, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Every place in a sheet, as its tables and keys are named; a key with spaces may be in quotes."""
    inner: Iterable[tuple[Any, Any]] = ()
    if is_dataclass(value):
        inner = ((field.name, getattr(value, field.name)) for field in fields(value))
    elif isinstance(value, Mapping):
        inner = value.items()
    for key, item in inner:
        path = (*above, str(key))
        yield ".".join(path)
        yield format_path(path)
        yield from places(item, path)


def beside(game: Game, state: State) -> Iterator[str]:
    """The keys of clocks, situations, timers, decks, cards and tables."""
    yield from (f"clocks.{key}" for key in state.clocks)
    yield from (f"situations.{key}" for key in state.situations)
    yield from (f"timers.{key}" for key in state.timers)
    yield from (f"tables.{key}" for key in game.tables)
    for key, deck in state.decks.items():
        yield f"decks.{key}"
        yield from (f"decks.{key}.cards.{card}" for card in deck.cards)


def outlives_the_program(game: Game, state: State, moves: Sequence[Move]) -> set[tuple[Any, ...]]:
    """The sheet and what is open are written and read again, and nothing is different for it."""
    sheet, wrong = read(type(state.sheet), write(state.sheet))
    assert not wrong, f"a value that the sheet doesn't allow: {wrong}"
    assert sheet == state.sheet, "the sheet is not read as it was written"
    tree = game.write(state)
    held, faults = game.read(tree)
    again = replace(held, open=game.read_open(game.write_open(state)))
    assert again == state, "the campaign is not read as it was written"
    assert tuple(game.moves(again)) == tuple(moves), "other moves once the campaign is read again"
    assert game.question(again) == game.question(state), "another question once the campaign is read again"
    schema = _schema(game)
    assert accepts(schema, {"format": 1, "system": game.system.id, **tree}), "the file is not as its schema says"
    faults_hold(game, faults)
    return {(fault.path, fault.clause) for fault in faults if not fault.unfinished}


@cache
def _schema(game: Game) -> Mapping[str, Any]:
    return game.schema()


def edit_holds(game: Game, state: State, place: int, value: Any) -> None:
    """Whatever a person writes at one place of the file, what is found wrong is told as it should be."""
    tree = game.write(state)
    leaves = list(_leaves(tree))
    table, key = leaves[place % len(leaves)]
    table[key] = value
    faults_hold(game, game.read(tree)[1])


def _leaves(table: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        else:
            yield table, key


def faults_hold(game: Game, faults: Sequence[Fault]) -> None:
    """A fault says something, of a place that the file may have or of a key there, and names no clause that isn't there."""
    schema = _schema(game)
    assert_type(tuple[Fault, ...], tuple(faults))
    for fault in faults:
        assert fault.message.strip(), fault
        assert not fault.unfinished or (fault.lacking and not fault.grave), f"more than something missing: {fault}"
        # Of a ruling, the code is the key that somebody wrote in the file.
        assert fault.path[0] == "rulings" or has_no_code(fault.message), fault
        assert fault.clause in {None, *clauses_of(game)}, fault
        place = fault.path[:-1] if fault.at_key else fault.path
        assert _leads_somewhere(schema, place), fault


def broken_clauses(game: Game, tree: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Where a file breaks which clause. Each fault says something."""
    faults = game.read(tree)[1]
    faults_hold(game, faults)
    return [(".".join(fault.path), fault.clause) for fault in faults]


def clauses_are_told(told: Mapping[str, Clause], letters: str, numbers: Iterable[int]) -> None:
    """Every clause of these numbers is told and no other, each in a sentence that fits two lines of a wide screen."""
    assert sorted(told) == [f"{letters}-{number:02}" for number in numbers]
    for clause in told.values():
        assert clause.text.endswith(".")
        assert len(clause.text) <= 240


def what_can_be_read_can_be_played(game: Game, tree: Mapping[str, Any], faults: Sequence[Fault]) -> None:
    """Of a game's own values only those that can't be read at all hold a file back; what breaks a clause can be played on."""
    own = {field.name for field in fields(game.system.sheet)}
    grave = [fault for fault in faults if fault.grave and fault.path[0] in own]
    if grave:
        _, unreadable = read(game.system.sheet, {key: value for key, value in tree.items() if key in own})
        assert all(fault in unreadable for fault in grave), grave


def _leads_somewhere(schema: Mapping[str, Any], path: Sequence[Any]) -> bool:
    """A path names a place that the file may have."""
    for part in path:
        schema = schema.get("properties", {}).get(part) or schema.get("additionalProperties") or schema.get("items", {})
        if not schema:
            return False
    return True


def accepts(schema: Mapping[str, Any], value: Any) -> bool:
    """A value is as its JSON Schema says, and holds nothing that the schema doesn't know; as far as ours go."""
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema:
        return value in schema["enum"]
    if "anyOf" in schema:
        return any(accepts(one, value) for one in schema["anyOf"])
    match schema.get("type"):
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            within = schema.get("minimum", value) <= value <= schema.get("maximum", value)
            return isinstance(value, int) and not isinstance(value, bool) and within
        case "array":
            return isinstance(value, list) and all(accepts(schema["items"], item) for item in value)
        case kind:
            assert kind == "object", schema
            known = schema.get("properties", {})
            items = [(known.get(key, schema.get("additionalProperties")), item) for key, item in value.items()]
            return set(schema.get("required", ())) <= set(value) and all(
                own is not None and accepts(own, item) for own, item in items
            )


def clauses_hold(game: Game, moves: Iterable[Move]) -> None:
    """A blocked move or answer is blocked for a reason and by a clause that is there; no text has a code in it."""
    known, name = clauses_of(game), game.system.id
    for move in moves:
        if (id(move), name) in _HELD:
            continue
        assert has_no_code(move.label), move
        options = [one for ask in move.asks if isinstance(ask, _CHOICES) for one in ask.options]
        for refusal in filter(None, (move.blocked, *(option.blocked for option in options))):
            assert refusal.reason.strip(), move.id
            assert has_no_code(refusal.reason), (move.id, refusal)
            assert refusal.clause in known, f"“{move.id}” is refused by a clause that isn't listed: {refusal}"
        for option in options:
            assert has_no_code(option.label), (move.id, option)
            assert has_no_code(option.note), (move.id, option)
        if len(_HELD) > _MOST_HELD:
            _HELD.clear()
        _HELD[id(move), name] = move


def refusal_holds(game: Game, refusal: Refusal) -> None:
    """A refusal says why, and names no clause that isn't there."""
    assert_type(Refusal, refusal)
    assert refusal.reason.strip()
    assert has_no_code(refusal.reason), refusal
    assert refusal.clause in {None, *clauses_of(game)}, refusal


def refusals_hold(game: Game, state: State, dice: Dice) -> None:
    """Whatever is blocked, a move or an answer, is refused with its own reason and a clause, and nothing comes of it."""
    before, known = game.write(state), clauses_of(game)
    for move in moves_of(game, state):
        if move.blocked:
            assert move.blocked.clause in known, f"“{move.id}” is blocked by no listed clause: {move.blocked}"
            with pytest.raises(ActRefused) as refused:
                game.play(state, Act(move), dice)
            assert refused.value.refusal == move.blocked
            continue
        for ask in move.asks:
            if not isinstance(ask, _CHOICES):
                continue
            for option in ask.options:
                if option.blocked:
                    assert option.blocked.clause in known, f"“{move.id}” is blocked by no listed clause: {option}"
                    said = option.word if isinstance(ask, PickOne) else (option.word,)
                    with pytest.raises(ActRefused) as refused:
                        game.play(state, Act(replace(move, asks=(ask,)), {ask.name: said}), dice)
                    assert refused.value.refusal == option.blocked
    assert game.write(state) == before


# -- what holds for every act -------------------------------------------------------------------------------------


def words_hold(game: Game, state: State, move: Move, answers: Answers) -> None:
    """What is said of an act is understood as that act."""
    whole = complete_answers(move, answers)
    act = parse_act(game.moves(state), format_act(move, whole))
    assert (act.move.id, complete_answers(act.move, act.answers), act.faces) == (move.id, whole, None)


def facts_hold(game: Game, facts: Collection[Fact]) -> None:
    """What is said of an act says something, and names no clause that isn't there."""
    assert_type(tuple[Fact, ...], tuple(facts))
    _notes_hold(game, [fact for fact in facts if isinstance(fact, NoteFact)])
    for fact in facts:
        if isinstance(fact, OutcomeFact):
            assert fact.outcome
            assert fact.label


def _notes_hold(game: Game, notes: Iterable[NoteFact]) -> None:
    for note in notes:
        assert note.text.strip(), note
        assert has_no_code(note.text), note
        assert note.clause in {None, *clauses_of(game)}, f"a clause that isn't listed: {note}"


def changes_hold(game: Game, before: State, after: State) -> None:
    """The changes lead there, and reversed they lead back."""
    changes = game.difference(before, after)
    there = game.apply_changes(before, changes)
    assert game.difference(there, after) == ()
    back = game.apply_changes(there, [change.reverse() for change in reversed(changes)])
    assert game.difference(back, before) == ()
    assert game.write(back) == game.write(before)


def by_chance(game: Game, state: State, act: Act, dice: Dice) -> PlayResult:
    """What the act comes to when the app rolls; where real dice lie open it rolls the rest."""
    if state.open and state.open.waiting and act.move.id == "dice":
        act = _rest(game, state)
    played = game.play(state, act, dice, NOW)
    if played.state.open and played.state.open.waiting:
        return game.play(played.state, _rest(game, played.state), dice, NOW)
    return played


def _rest(game: Game, state: State) -> Act:
    return Act(next(move for move in game.moves(state) if move.verb == "rest"))


def real_dice_hold(game: Game, state: State, act: Act, faces: tuple[int, ...], rolled: PlayResult, few: int) -> None:
    """The same faces typed come to the same, at once or by and by; one too many is refused, or waits if what is asked next may take it.

    `few` says how many are typed at first.
    """
    unrolled = Noted(_None())
    if state.open and state.open.waiting and act.move.id == "rest":
        act = Act(next(move for move in game.moves(state) if move.verb == "dice"))
    beyond = tried(lambda: game.play(state, replace(act, faces=(*faces, 1)), unrolled, NOW))
    if isinstance(beyond, Refusal):
        assert "Too many dice" in beyond.reason
    else:
        assert beyond.state.open
        assert [each.face for each in beyond.state.open.early] == [1]
        assert game.question(rolled.state), "a die that nothing takes was kept"
        same(replace(beyond, state=replace(beyond.state, open=replace(beyond.state.open, early=()))), rolled)
    if not faces:
        return
    same(game.play(state, replace(act, faces=faces), unrolled, NOW), rolled)
    first, rest = faces[: few % len(faces)], faces[few % len(faces) :]
    if not first:
        return
    begun = game.play(state, replace(act, faces=first), unrolled, NOW).state
    assert game.difference(state, begun) == ()
    assert begun.open
    assert begun.open.waiting
    assert 0 < len(begun.open.waiting.wants) <= len(rest)
    position_holds(game, begun)
    more = next(move for move in game.moves(begun) if move.verb == "dice")
    same(game.play(begun, Act(more, faces=rest), unrolled, NOW), rolled)


class _None:
    """Dice that nobody may roll."""

    are_real = False

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """None are left."""
        raise AssertionError(f"the app rolled {dice}")


def same(one: PlayResult, other: PlayResult) -> None:
    """Two acts came to the same, whoever rolled."""
    first, second = _whoever_rolled(one), _whoever_rolled(other)
    assert first == second, f"typed dice come to something else than the same dice rolled:\n{first}\n{second}"


def _whoever_rolled(played: PlayResult) -> tuple[State, tuple[Fact, ...]]:
    opened = played.state.open and replace(played.state.open, typed=True)
    told = (
        fact for fact in played.facts if not (isinstance(fact, NoteFact) and fact.text.startswith("Waylog rolled "))
    )
    facts = (replace(fact, typed=True) if isinstance(fact, RollFact) else fact for fact in told)
    return replace(played.state, open=opened), tuple(facts)


def typed_at_the_end_holds(game: Game, state: State, act: Act, faces: tuple[int, ...]) -> None:
    """Faces typed behind the words, and the answers that are digits on screen, are understood as real dice, wherever figures mean
    nothing else.
    """
    if any(isinstance(ask, Text | Number | Allocate) for ask in act.move.asks) or not faces:
        return
    options = [option for ask in act.move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options]
    # A die that can be chosen is called what it shows.
    words = [word for option in options for word in (option.word, option.label)]
    if any(word.isdigit() for word in words) or (max(faces) > TEN and not act.move.whole):
        return
    said = format_typed(replace(act, answers=complete_answers(act.move, act.answers), faces=faces))
    heard = parse_act(game.moves(state), said)
    assert (heard.move.id, heard.faces) == (act.move.id, faces)


# -- chances ------------------------------------------------------------------------------------------------------


def odds_hold(game: Game, odds: Odds) -> None:
    """All that may come of it is there once, worst first or last, and the chances of it add up to 1."""
    assert_type(Odds, odds)
    _notes_hold(game, (*odds.reasons, *odds.forecast))
    for spread in (odds.spread, *odds.spends):
        total = sum(chance.chance for chance in spread.chances)
        assert total == 1, f"the chances “{spread.label}” of {odds.dice} add up to {total}, not 1"
        assert all(chance.chance >= 0 for chance in spread.chances), spread
        outcomes = [chance.outcome for chance in spread.chances]
        assert len(set(outcomes)) == len(outcomes), outcomes


def outcome_was_foreseen(odds: Odds, facts: Collection[Fact]) -> None:
    """What the dice came to stood among the chances, in the same mood."""
    for fact in facts:
        if isinstance(fact, OutcomeFact):
            foreseen = _possible(odds.spread)
            assert fact.outcome in foreseen, f"the odds have no chance for “{fact.outcome}”, and it came up: {foreseen}"
            assert foreseen[fact.outcome] == fact.mood, f"the grade of “{fact.outcome}” is another one in the odds"


def _possible(spread: Spread) -> Mapping[str, OutcomeGrade | None]:
    return {chance.outcome: chance.mood for chance in spread.chances if chance.chance}
