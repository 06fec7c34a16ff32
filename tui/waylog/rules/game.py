"""A game as it is played: a system, with what belongs to every campaign beside it, behind one door.

`Game.moves` is everything that may be done, `Game.play` does one of them. What is open at the table (a roll that waits
for a choice, real dice still to be typed) is part of the state, so it outlives the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from waylog.rules import clock_moves
from waylog.rules.changes import Change, Path, Value, dotted, undotted
from waylog.rules.clocks import Clock
from waylog.rules.dice import Dice, DiceWanted, TypedDice
from waylog.rules.moves import Answers, Move, Refused, Text, completed
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Codec, Fault, codec
from waylog.rules.state import Open, Played, State, Waiting
from waylog.rules.systems import System
from waylog.rules.turns import Fact, Mood, Note, Position, Result, Turn
from waylog.rules.words import Act, spoken, tokens, understood

T = TypeVar("T")

_CLOCKS: Codec = codec(Mapping[str, Clock])
_NOTE = Move("note", (), "Write a note into the log", (Text("text", "Note", required=True),))
_SET = Move("set", (), "Set a value by hand", (Text("text", "Which value, and to what: ship.focus 2", required=True),))
_REST = Move("rest", (), "Roll the rest with the app", follows=True, key="r")


class _Remembered(Generic[T]):
    """A function of a campaign's clocks that is asked again and again between two changes of them.

    The mapping stays the same object until a clock changes, however many closed ones a year of play has left in it.
    """

    def __init__(self, function: Callable[[Mapping[str, Clock]], T]) -> None:
        self._function = function
        self._last: tuple[Mapping[str, Clock], T] | None = None

    def __call__(self, clocks: Mapping[str, Clock]) -> T:
        if self._last is None or self._last[0] is not clocks:
            self._last = clocks, self._function(clocks)
        return self._last[1]


class Game:
    """A system with clocks and notes beside it. Every answer is made from the state that it is given."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._clock_moves = _Remembered(clock_moves.moves)
        self._open_clocks = _Remembered(clock_moves.not_closed)

    # -- the campaign's values --------------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> Mapping[str, Codec]:
        """Codecs of the tables of a campaign file, in the order in which a new file has them."""
        hints = {field.name: codec(self.system.sheet) for field in fields(self.system.sheet)}
        return {"name": codec(str), "house_rules": codec(self.system.rules), **hints, "clocks": _CLOCKS}

    def fresh(self, name: str) -> State:
        """A new campaign."""
        return State(name, self.system.rules(), self.system.fresh(), {})

    def read(self, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        """The campaign in `tree` and everything that is wrong with it."""
        faults: list[Fault] = []
        own = {field.name for field in fields(self.system.sheet)}
        sheet = codec(self.system.sheet).decode({key: tree[key] for key in tree if key in own}, (), faults)
        state = State(
            codec(str).decode(tree.get("name", ""), ("name",), faults),
            codec(self.system.rules).decode(tree.get("house_rules", {}), ("house_rules",), faults),
            sheet,
            _CLOCKS.decode(tree.get("clocks", {}), ("clocks",), faults),
        )
        known = (*_KEPT_BY_THE_FILE, "name", "house_rules", "clocks", *own)
        unknown = [key for key in tree if key not in known]
        faults.extend(Fault((key,), f"{key} is not known here and is left alone", grave=False) for key in unknown)
        if not any(fault.grave for fault in faults):
            faults.extend(self.system.faults(self.position(state)))
            faults.extend(self._clock_faults(state))
        return state, faults

    def write(self, state: State) -> dict[str, Value]:
        """The campaign as plain values, without what stands at its default."""
        tree = {
            "name": state.name,
            "house_rules": codec(self.system.rules).encode(state.rules),
            **codec(self.system.sheet).encode(state.sheet),
            "clocks": _CLOCKS.encode(state.clocks),
        }
        return {key: value for key, value in tree.items() if value != {}}

    def difference(self, before: State, after: State) -> tuple[Change, ...]:
        """What of the campaign's values is different in `after`. What is open is not among them."""
        return (
            *codec(str).difference(before.name, after.name, ("name",)),
            *codec(self.system.rules).difference(before.rules, after.rules, ("house_rules",)),
            *codec(self.system.sheet).difference(before.sheet, after.sheet, ()),
            *_CLOCKS.difference(before.clocks, after.clocks, ("clocks",)),
        )

    def changed(self, state: State, changes: Sequence[Change]) -> State:
        """`state` after the changes. Raises `ValueError` where one can't be made."""
        for change in changes:
            state = self._put(state, change.path, change.after)
        return state

    def _put(self, state: State, path: Path, raw: Value | None) -> State:
        match path:
            case ("name",):
                return replace(state, name=codec(str).put(state.name, (), "" if raw is None else raw, path))
            case ("house_rules", *rest):
                own = codec(self.system.rules)
                return replace(state, rules=own.put(state.rules, tuple(rest), raw, ("house_rules",)))
            case ("clocks", *rest):
                return replace(state, clocks=_CLOCKS.put(state.clocks, tuple(rest), raw, ("clocks",)))
            case _:
                return replace(state, sheet=codec(self.system.sheet).put(state.sheet, path, raw))

    def schema(self) -> dict[str, Any]:
        """JSON Schema of a campaign file of this system."""
        own: dict[str, Any] = codec(self.system.sheet).schema()["properties"]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Waylog campaign, {self.system.name}",
            "type": "object",
            "required": ["system"],
            "properties": {
                "format": {"type": "integer", "description": "The version of this layout"},
                "name": {"type": "string", "description": "The campaign's name"},
                "system": {"const": self.system.id},
                "log": {"type": "string", "description": "How far the log is worked into this file. Waylog keeps it"},
                "house_rules": codec(self.system.rules).schema(),
                **own,
                "clocks": _CLOCKS.schema(),
            },
        }

    def write_open(self, state: State) -> dict[str, Value]:
        """What is open, as plain values; an empty table when nothing is."""
        if state.open is None:
            return {}
        plain = codec(_Plain).encode(_Plain(*(getattr(state.open, name) for name in _PLAIN)))
        waiting = {"waiting": codec(Waiting).encode(state.open.waiting)} if state.open.waiting else {}
        mood = {"mood": state.open.mood.value} if state.open.mood else {}
        stage = codec(self.system.scene | None).encode(state.open.stage)
        return {**plain, **waiting, **mood, **({"stage": stage} if stage else {}), "open": True}

    def read_open(self, tree: Mapping[str, Value]) -> Open | None:
        """What `write_open` wrote. Raises `ValueError` when it can't be read."""
        if not tree:
            return None
        faults: list[Fault] = []
        plain = codec(_Plain).decode({key: tree[key] for key in _PLAIN if key in tree}, (), faults)
        waiting = codec(Waiting).decode(tree["waiting"], (), faults) if "waiting" in tree else None
        mood = codec(Mood).decode(tree["mood"], ("mood",), faults) if "mood" in tree else None
        stage = codec(self.system.scene | None).decode(tree.get("stage", {}), ("stage",), faults)
        if faults:
            raise ValueError(faults[0].message)
        return Open(stage, plain.typed, waiting, plain.on, mood, plain.full, plain.moved)

    # -- play ---------------------------------------------------------------------------------------------------

    def position(self, state: State) -> Position:
        """What the system is shown."""
        return Position(
            state.sheet, state.rules, self._open_clocks(state.clocks), state.open.stage if state.open else None
        )

    def question(self, state: State) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        if state.open and state.open.waiting:
            wants = state.open.waiting.wants
            return f"Type {len(wants)} more: {', '.join(wants)}"
        return self.system.question(self.position(state))

    def moves(self, state: State) -> tuple[Move, ...]:
        """Everything that may be done now; what can't says why."""
        if state.open and state.open.waiting:
            return (_dice_move(state.open.waiting), _REST, _NOTE)
        position = self.position(state)
        own = (*self._clock_moves(state.clocks), _NOTE, _SET)
        question = self.system.question(position)
        moves = tuple(clock_moves.on_clocks(move, position.clocks) for move in self.system.moves(position))
        if question:
            return (*(replace(move, follows=True) for move in moves), *own)
        follow_ups = self._follow_ups(state)
        return (*(move for move in moves if move.follows), *follow_ups, *(m for m in moves if not m.follows), *own)

    def _follow_ups(self, state: State) -> tuple[Move, ...]:
        if state.open is None:
            return ()
        full, on = [], []
        clocks = self._open_clocks(state.clocks)
        for word, key in clock_moves.clock_words(clocks).items():
            clock, about = clocks[key], (f"clocks.{key}",)
            if key in state.open.full and clock.full:
                label = f"“{clock.name}” is full: {clock.when_full}"
                full.append(Move("full", (word,), label, follows=True, about=about))
            if segments := clock_moves.would_move(state.open, key, clock):
                on.append(Move("on", (word,), f"Fill {segments} of “{clock.name}”", follows=True, about=about))
        return (*full, *on)

    def odds(self, state: State, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a roll, and what would follow, the clocks it is made on included."""
        inner, on = clock_moves.without_clocks(move, answers, self._open_clocks(state.clocks))
        odds = self.system.odds(self.position(state), move, inner)
        if odds is None:
            return None
        notes = clock_moves.forecast([state.clocks[key] for key in on], odds)
        return replace(odds, forecast=(*odds.forecast, *notes))

    def panels(self, state: State) -> tuple[Panel, ...]:
        """The sheet as the screens draw it."""
        return tuple(self.system.panels(self.position(state)))

    def play(self, state: State, act: Act, chance: Dice) -> Played:
        """What the act comes to. Raises `Refused` and changes nothing when the rules say no."""
        answers = completed(act.move, act.answers)
        if state.open and state.open.waiting and act.move.verb in ("dice", "rest"):
            return self._go_on(state, state.open.waiting, act, chance)
        belongs = act.move.follows and not act.move.apart
        typed = act.faces is not None or (belongs and state.open is not None and state.open.typed)
        dice = TypedDice(act.faces or ()) if typed else chance
        return self._play(state, replace(act, answers=answers), dice, typed=typed)

    def _go_on(self, state: State, waiting: Waiting, act: Act, chance: Dice) -> Played:
        """Play the act that waited, with the dice that have now been typed or with the app rolling the rest."""
        assert state.open
        faces = (*waiting.faces, *(act.faces or ()))
        if act.move.verb == "dice" and not act.faces:
            raise Refused(f"type {len(waiting.wants)} more: {', '.join(waiting.wants)}")
        resumed = replace(state, open=replace(state.open, waiting=None))
        if resumed.open == Open(typed=True):
            resumed = replace(resumed, open=None)
        inner = understood(self.moves(resumed), waiting.words)
        dice = TypedDice(faces, chance if act.move.verb == "rest" else None)
        inner = replace(inner, answers=completed(inner.move, inner.answers), faces=faces)
        played = self._play(resumed, inner, dice, typed=True)
        return replace(played, words=act.move.verb, faces=act.faces, follows=True)

    def _play(self, state: State, act: Act, dice: Dice, *, typed: bool) -> Played:
        words = spoken(act.move, act.answers)
        try:
            after, facts = self._after(state, act, dice, typed=typed)
        except DiceWanted as wanted:
            waiting = Waiting(words, act.faces or (), tuple(die.source for die in wanted.dice))
            held = (state.open or Open()) if act.move.follows else Open()
            after, facts = replace(state, open=replace(held, typed=True, waiting=waiting)), ()
        if isinstance(dice, TypedDice) and dice.left and not (after.open and after.open.waiting):
            many = "1 die" if len(dice.left) == 1 else f"{len(dice.left)} dice"
            raise Refused(f"{many} too many: nothing asked for {', '.join(map(str, dice.left))}")
        follows = act.move.follows and not act.move.apart
        return Played(after, words, act.faces, facts, follows, act.move.verb == _NOTE.verb)

    def _after(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        match act.move.verb:
            case "note":
                return state, (Note(str(act.answers["text"])),)
            case "set":
                return self._set(state, str(act.answers["text"]))
            case "on" | "full" if act.move.follows:
                return self._follow_up(state, act.move, dice)
            case _ if clock_moves.plays(act.move):
                clocks, facts = clock_moves.play(state.clocks, act.move, act.answers)
                return self._settled(state, replace(state, clocks=clocks), facts)
            case _:
                return self._system_plays(state, act, dice, typed=typed)

    def _system_plays(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        held = state.open if act.move.follows and state.open else Open()
        position = replace(self.position(state), scene=held.stage)
        inner, on = clock_moves.without_clocks(act.move, act.answers, position.clocks)
        turn = self.system.play(position, act.move, inner, dice)
        moods = [fact.mood for fact in turn.facts if isinstance(fact, Result) and fact.mood]
        opened = replace(
            held,
            stage=turn.position.scene,
            typed=typed or (held.typed and not act.move.apart),
            on=tuple(dict.fromkeys((*held.on, *on))),
            mood=moods[-1] if moods else held.mood,
        )
        return self._settled(state, self._turned(state, turn, opened), turn.facts)

    def _turned(self, state: State, turn: Turn, opened: Open) -> State:
        """The state after a system's turn. It was shown the clocks that are not closed, and may have moved them."""
        same = turn.position.clocks is self._open_clocks(state.clocks)
        clocks = state.clocks if same else {**state.clocks, **turn.position.clocks}
        return replace(state, sheet=turn.position.sheet, clocks=clocks, open=opened)

    def _settled(self, before: State, after: State, facts: tuple[Fact, ...]) -> tuple[State, tuple[Fact, ...]]:
        """Move the clocks that the roll was made on, tell which have filled, and close what has nothing more to ask."""
        opened = after.open or Open()
        if opened.on and opened.mood and self.system.question(self.position(after)) is None:
            clocks, moved = clock_moves.rolled_on(after.clocks, opened.on, opened.mood)
            opened = replace(opened, on=(), moved=(*opened.moved, *opened.on))
            after, facts = replace(after, clocks=clocks), (*facts, *moved)
        running = self._open_clocks(after.clocks)
        filled = [key for key, clock in running.items() if clock.full and not _was_full(before, key)]
        facts = (*facts, *(clock_moves.filled_note(after.clocks[key]) for key in filled))
        offered = tuple(key for key in filled if after.clocks[key].when_full)
        opened = replace(opened, full=(*opened.full, *offered))
        if opened.mood and not any(clock_moves.would_move(opened, key, clock) for key, clock in running.items()):
            opened = replace(opened, mood=None, moved=())
        if opened.stage is None and not opened.full and opened.mood is None:
            return replace(after, open=None), facts
        return replace(after, open=opened), facts

    def _follow_up(self, state: State, move: Move, dice: Dice) -> tuple[State, tuple[Fact, ...]]:
        assert state.open
        key = clock_moves.clock_words(self._open_clocks(state.clocks))[move.words[0]]
        if move.verb == "on":
            assert state.open.mood
            clocks, facts = clock_moves.rolled_on(state.clocks, (key,), state.open.mood)
            opened = replace(state.open, moved=(*state.open.moved, key))
            after = replace(state, clocks=clocks, open=opened)
            return self._settled(state, after, facts)
        opened = replace(state.open, full=tuple(name for name in state.open.full if name != key))
        act = self._effect(state, state.clocks[key])
        position = replace(self.position(state), scene=None)
        turn = self.system.play(position, act.move, completed(act.move, act.answers), dice)
        opened = replace(opened, stage=turn.position.scene or opened.stage)
        return self._settled(state, self._turned(state, turn, opened), turn.facts)

    def _effect(self, state: State, clock: Clock) -> Act:
        """The act that a full clock does. Raises `Refused` when its words are none that a clock may do."""
        moves = self.system.moves(replace(self.position(state), scene=None))
        return understood([move for move in moves if move.effect], clock.when_full)

    def _clock_faults(self, state: State) -> list[Fault]:
        faults = []
        for key, clock in state.clocks.items():
            path = ("clocks", key)
            if clock.filled > clock.segments:
                message = f"filled is {clock.filled}; this clock has {clock.segments} segments"
                faults.append(Fault((*path, "filled"), message, "NM-26", grave=False))
            if clock.when_full:
                try:
                    self._effect(state, clock)
                except Refused as refused:
                    faults.append(Fault((*path, "when_full"), refused.refusal.reason, "NM-25", grave=False))
        return faults

    def _set(self, state: State, text: str) -> tuple[State, tuple[Fact, ...]]:
        """A value set by hand, as in the file: `ship.focus 2`."""
        said = tokens(text)
        path, words = undotted(said[0].text), " ".join(token.text for token in said[1:])
        raw: Value = {"true": True, "false": False}.get(words, words)
        if words.lstrip("-").isdigit() and not said[-1].quoted:
            raw = int(words)
        try:
            after = self._put(state, path, raw)
        except ValueError as error:
            raise Refused(str(error)) from None
        changes = self.difference(state, after)
        before = {(fault.path, fault.message) for fault in self.read(self.write(state))[1]}
        for fault in self.read(self.write(after))[1]:
            if (fault.path, fault.message) not in before:
                raise Refused(fault.message, fault.clause)
        if not changes:
            raise Refused(f"{dotted(path)} is {words} already")
        return after, tuple(Note(f"{dotted(c.path)} {_plain(c.before)} → {_plain(c.after)}") for c in changes)


_KEPT_BY_THE_FILE = ("format", "system", "log")


@dataclass(frozen=True, slots=True)
class _Plain:
    """The parts of `Open` that are plain."""

    typed: bool = False
    on: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


_PLAIN = ("typed", "on", "full", "moved")


def _dice_move(waiting: Waiting) -> Move:
    return Move("dice", (), f"Type {len(waiting.wants)} more: {', '.join(waiting.wants)}", follows=True)


def _was_full(state: State, key: str) -> bool:
    clock = state.clocks.get(key)
    return clock is not None and clock.full


def _plain(value: Value | None) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict() | list():
            return "…" if value else "nothing"
        case _:
            return str(value) or "nothing"
