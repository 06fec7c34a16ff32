"""What holds of every game, at every position and for every act: the contract between the rules and everything else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

import pytest

from tests.rules.legal import answerable
from waylog.rules.clauses import CLAUSES
from waylog.rules.dice import TEN, Dice, Die, Face
from waylog.rules.game import Game
from waylog.rules.moves import Allocate, Answers, Move, Number, PickMany, PickOne, Refusal, Refused, Text, completed
from waylog.rules.odds import Odds, Spread
from waylog.rules.sheets import read, write
from waylog.rules.state import Played, State
from waylog.rules.turns import Fact, Mood, Note, Result, Rolled
from waylog.rules.words import Act, spoken, understood

T = TypeVar("T")
NOW = "2026-01-05 20:00"
PLACES = {"ship", "crew", "scene"}


class Noted:
    """Dice that fall as others do, and note how."""

    typed = False

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.faces: list[int] = []

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The faces, which are noted."""
        faces = self._dice.roll(dice)
        self.faces += (face.face for face in faces)
        return faces


def moves_of(game: Game, state: State) -> list[Move]:
    """What can be done now; values set by hand are tried elsewhere."""
    return [move for move in game.moves(state) if move.verb != "set"]


def clauses_of(game: Game) -> set[str]:
    """The clauses that a refusal may name."""
    return {*game.system.clauses, *CLAUSES}


def tried(do: Callable[[], T]) -> T | Refusal:
    """What comes of it, or why it can't be done."""
    try:
        return do()
    except Refused as refused:
        return refused.refusal


# -- what holds at every position ---------------------------------------------------------------------------------


def position_holds(game: Game, state: State) -> set[tuple[Any, ...]]:
    """Everything has one name, what it is about exists, a question can be answered, and all of it outlives the program.

    Gives what the check of the campaign file would say, without the counts in it.
    """
    moves = game.moves(state)
    ids = [move.id for move in moves]
    assert len(set(ids)) == len(ids), ids
    keys = [(move.verb, move.key) for move in moves if move.key]
    assert len(set(keys)) == len(keys), keys
    panels = game.panels(state)
    rows = [(panel.place, row.key) for panel in panels for row in panel.rows]
    assert len(set(rows)) == len(rows), rows
    assert {panel.place for panel in panels} <= PLACES
    panel_keys = (panel.key for panel in panels)
    there = {*PLACES, *(key for _, key in rows), *panel_keys, *places(state.sheet), *beside(game, state)}
    for move in moves:
        assert set(move.about) <= there, (move.id, move.about)
        assert not (move.blocked and not move.blocked.reason), move.id
    if game.question(state) is not None:
        assert any(answerable(move) for move in moves if move.follows), ids
    return outlives_the_program(game, state, moves)


def places(value: Any, above: str = "") -> Iterator[str]:
    """Every place in a sheet, as its tables and keys are named."""
    inner: Iterable[tuple[Any, Any]] = ()
    if is_dataclass(value):
        inner = ((field.name, getattr(value, field.name)) for field in fields(value))
    elif isinstance(value, Mapping):
        inner = value.items()
    for key, item in inner:
        yield f"{above}{key}"
        yield from places(item, f"{above}{key}.")


def beside(game: Game, state: State) -> Iterator[str]:
    """The keys of clocks, situations, decks, cards and tables."""
    yield from (f"clocks.{key}" for key in state.clocks)
    yield from (f"situations.{key}" for key in state.situations)
    yield from (f"tables.{key}" for key in game.tables)
    for key, deck in state.decks.items():
        yield f"decks.{key}"
        yield from (f"decks.{key}.cards.{card}" for card in deck.cards)


def outlives_the_program(game: Game, state: State, moves: Sequence[Move]) -> set[tuple[Any, ...]]:
    """The sheet and what is open are written and read again, and nothing is different for it."""
    assert read(type(state.sheet), write(state.sheet)) == (state.sheet, [])
    tree = game.write(state)
    held, faults = game.read(tree)
    again = replace(held, open=game.read_open(game.write_open(state)))
    assert again == state
    assert tuple(game.moves(again)) == tuple(moves)
    assert game.question(again) == game.question(state)
    assert accepts(_schema(game), {"format": 1, "system": game.system.id, **tree})
    return {(fault.path, fault.clause) for fault in faults}


@cache
def _schema(game: Game) -> Mapping[str, Any]:
    return game.schema()


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


def refusals_hold(game: Game, state: State, dice: Dice) -> None:
    """Whatever is blocked, a move or an answer, is refused with its own reason and a clause, and nothing comes of it."""
    before, known = game.write(state), clauses_of(game)
    for move in moves_of(game, state):
        if move.blocked:
            assert move.blocked.clause in known, (move.id, move.blocked)
            with pytest.raises(Refused) as refused:
                game.play(state, Act(move), dice)
            assert refused.value.refusal == move.blocked
            continue
        for ask in move.asks:
            if not isinstance(ask, PickOne | PickMany):
                continue
            for option in ask.options:
                if option.blocked:
                    assert option.blocked.clause in known, (move.id, option)
                    said = option.word if isinstance(ask, PickOne) else (option.word,)
                    with pytest.raises(Refused) as refused:
                        game.play(state, Act(replace(move, asks=(ask,)), {ask.name: said}), dice)
                    assert refused.value.refusal == option.blocked
    assert game.write(state) == before


# -- what holds for every act -------------------------------------------------------------------------------------


def words_hold(game: Game, state: State, move: Move, answers: Answers) -> None:
    """What is said of an act is understood as that act."""
    whole = completed(move, answers)
    act = understood(game.moves(state), spoken(move, whole))
    assert (act.move.id, completed(act.move, act.answers), act.faces) == (move.id, whole, None)


def changes_hold(game: Game, before: State, after: State) -> None:
    """The changes lead there, and reversed they lead back."""
    changes = game.difference(before, after)
    there = game.changed(before, changes)
    assert game.difference(there, after) == ()
    back = game.changed(there, [change.reversed() for change in reversed(changes)])
    assert game.difference(back, before) == ()
    assert game.write(back) == game.write(before)


def by_chance(game: Game, state: State, act: Act, dice: Dice) -> Played:
    """What the act comes to when the app rolls; where real dice lie open it rolls the rest."""
    if state.open and state.open.waiting and act.move.id == "dice":
        act = _rest(game, state)
    played = game.play(state, act, dice, NOW)
    if played.state.open and played.state.open.waiting:
        return game.play(played.state, _rest(game, played.state), dice, NOW)
    return played


def _rest(game: Game, state: State) -> Act:
    return Act(next(move for move in game.moves(state) if move.verb == "rest"))


def real_dice_hold(game: Game, state: State, act: Act, faces: tuple[int, ...], rolled: Played, few: int) -> None:
    """The same faces typed come to the same, at once or by and by; one too many is refused.

    `few` says how many are typed at first.
    """
    unrolled = Noted(_None())
    if state.open and state.open.waiting and act.move.id == "rest":
        act = Act(next(move for move in game.moves(state) if move.verb == "dice"))
    with pytest.raises(Refused, match="Too many dice"):
        game.play(state, replace(act, faces=(*faces, 1)), unrolled, NOW)
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

    typed = False

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """None are left."""
        raise AssertionError(f"the app rolled {dice}")


def same(one: Played, other: Played) -> None:
    """Two acts came to the same, whoever rolled."""
    assert _whoever_rolled(one) == _whoever_rolled(other)


def _whoever_rolled(played: Played) -> tuple[State, tuple[Fact, ...]]:
    opened = played.state.open and replace(played.state.open, typed=True)
    told = (fact for fact in played.facts if not (isinstance(fact, Note) and fact.text.startswith("Waylog rolled ")))
    facts = (replace(fact, typed=True) if isinstance(fact, Rolled) else fact for fact in told)
    return replace(played.state, open=opened), tuple(facts)


def typed_at_the_end_holds(game: Game, state: State, act: Act, faces: tuple[int, ...]) -> None:
    """Faces typed behind the words are understood as real dice, wherever figures mean nothing else."""
    if any(isinstance(ask, Text | Number | Allocate) for ask in act.move.asks) or not faces:
        return
    words = [option.word for ask in act.move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options]
    if any(word.isdigit() for word in words) or (max(faces) > TEN and not act.move.whole):
        return
    figures = [str(face) if act.move.whole else str(face % TEN) for face in faces]
    said = spoken(act.move, completed(act.move, act.answers))
    heard = understood(game.moves(state), " ".join((said, *figures)))
    assert (heard.move.id, heard.faces) == (act.move.id, faces)


# -- chances ------------------------------------------------------------------------------------------------------


def odds_hold(odds: Odds) -> None:
    """All that may come of it is there once, worst first or last, and the chances of it add up to 1."""
    for spread in (odds.spread, *odds.spends):
        assert sum(chance.chance for chance in spread.chances) == 1
        assert all(chance.chance >= 0 for chance in spread.chances)
        outcomes = [chance.outcome for chance in spread.chances]
        assert len(set(outcomes)) == len(outcomes), outcomes


def outcome_was_foreseen(odds: Odds, facts: Collection[Fact]) -> None:
    """What the dice came to stood among the chances, in the same mood."""
    for fact in facts:
        if isinstance(fact, Result):
            foreseen = _possible(odds.spread)
            assert fact.outcome in foreseen, (fact, foreseen)
            assert foreseen[fact.outcome] == fact.mood


def _possible(spread: Spread) -> Mapping[str, Mood | None]:
    return {chance.outcome: chance.mood for chance in spread.chances if chance.chance}
