"""A game as it is played: its own rules together with those that every campaign has.

`Game.moves` returns everything that may be done, `Game.play` does one of these. The state includes what is open between
two acts (a roll that waits for a choice, real dice still to be typed), so it outlives the program. `Table` and the
command line call this module; nothing else combines a game with the common rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, takewhile
from operator import attrgetter
from typing import Annotated, Any

from waylog.rules import open_scene
from waylog.rules.answers import complete_answers, describe, takes_numbers
from waylog.rules.changes import Change, Path, Value, format_path
from waylog.rules.clause_texts import Clause
from waylog.rules.codec.base import Codec, Fault
from waylog.rules.codec.records import codec
from waylog.rules.commands import Act, format_act, parse_act
from waylog.rules.common import clock_moves, deck_moves, dice_moves, ruling_moves, sessions, situation_moves
from waylog.rules.common.clauses import CLAUSES, TOPICS
from waylog.rules.common.clocks import Clock, clock_path, find_clock_names
from waylog.rules.common.common_rules import CommonRules, Memo, offer_words, with_offers
from waylog.rules.common.decks import Deck, chances
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.sessions import Session
from waylog.rules.common.situations import Situation, Situations, for_all
from waylog.rules.dice import Dice, DiceWanted, Die, EqualDice, TypedDice
from waylog.rules.facts import Fact, NoteFact, NotePart, OutcomeFact, Position, RollFact, Turn
from waylog.rules.fields import (
    NEW,
    FieldGroup,
    FormPlace,
    FormSource,
    TreeCodec,
    codec_at,
    describe_thing,
    form_of,
    form_places,
    read_text,
    thing_path,
)
from waylog.rules.moves import ActRefused, Answers, Move, Refusal, Text
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.reference import Reference
from waylog.rules.settings import Setting, SettingsOutcome, describe_settings, parse_settings
from waylog.rules.sheets import check_keys, on_a_line
from waylog.rules.state import EffectOffer, EntryKind, OpenScene, PlayResult, State, Waiting
from waylog.rules.systems import System, act_keys, clause_topics, conflict_view, roll_key, running_effects

_NOTE = Move("note", (), "Note", (Text("text", "Note", required=True),))
_SECRET = Move("secret", (), "Secret note", (Text("text", "Note", required=True),))
_SCENE = Move("scene", (), "New scene", (Text("title", "Title"),))
_REMARKS = (_NOTE, _SECRET, _SCENE)
"""Moves that only add an entry to the log."""
_SET = Move("set", (), "Set a value", (Text("text", "Value, as in ship.focus 2", required=True, verbatim=True),))
_REST = Move("rest", (), "Let Waylog roll the rest", follows=True)


class Game:
    """A game with the rules that every campaign has. It keeps no state: every answer follows from the state it is
    given.
    """

    def __init__(self, system: System, tables: Tables | None = None) -> None:
        """`tables` are the campaign's random tables. Play never changes them."""
        self.system = system
        self.tables: Tables = tables or {}
        self.roll_key = roll_key(system)
        self.act_keys = act_keys(system)
        self._beside = CommonRules(self.tables, self._moves_with_nothing_open, running_effects(system))
        self._last_moves: tuple[tuple[Any, ...], Sequence[Move]] | None = None

    # -- the campaign's values --------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> Mapping[str, tuple[str, Codec]]:
        """The parts of a campaign file that are the same in every game, by key: the attribute of `State`, and its
        codec.
        """
        return {
            "name": ("name", codec(str)),
            "house_rules": ("rules", codec(self.system.rules)),
            "clocks": ("clocks", codec(Mapping[str, Clock])),
            "decks": ("decks", codec(Mapping[str, Deck])),
            "situations": ("situations", codec(Mapping[str, Situation])),
            "sessions": ("sessions", codec(Mapping[str, Session])),
            "rulings": ("rulings", codec(_Rulings)),
            "dice": ("dice", codec(dice_moves.SavedDice)),
        }

    def fresh(self, name: str) -> State:
        """Return a new campaign."""
        return State(name, self.system.rules(), self.system.fresh())

    def read(self, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        """Read the campaign in `tree`. Return it with all its faults."""
        faults: list[Fault] = []
        sheet_keys = {field.name for field in dataclass_fields(self.system.sheet)}
        sheet = codec(self.system.sheet).decode({key: tree[key] for key in tree if key in sheet_keys}, (), faults)
        parts = {
            name: part.decode(tree.get(key, "" if key == "name" else {}), (key,), faults)
            for key, (name, part) in self._parts.items()
        }
        state = State(sheet=sheet, **parts)
        known = (*_KEPT_BY_THE_FILE, *self._parts, *sheet_keys)
        unknown = [key for key in tree if key not in known]
        faults.extend(
            Fault((key,), f"{format_path((key,))} is unknown and is ignored", grave=False, at_key=True)
            for key in unknown
        )
        if not any(fault.grave for fault in faults):
            faults.extend(self.system.faults(self.position(state)))
            faults.extend(self._beside.faults(state))
            faults.extend(ruling_moves.faults(state.rulings, self.clauses))
        return state, faults

    def write(self, state: State) -> dict[str, Value]:
        """Return the campaign as plain values, without defaults."""
        beside = {key: part.encode(getattr(state, name)) for key, (name, part) in self._parts.items()}
        sheet = codec(self.system.sheet).encode(state.sheet)
        tree = {"name": beside.pop("name"), "house_rules": beside.pop("house_rules"), **sheet, **beside}
        return {key: value for key, value in tree.items() if value != {}}

    def difference(self, before: State, after: State) -> tuple[Change, ...]:
        """Return the changes between two states. Open stages, dice and offers are not compared."""
        beside = {
            key: tuple(part.difference(getattr(before, name), getattr(after, name), (key,)))
            for key, (name, part) in self._parts.items()
        }
        sheet = tuple(codec(self.system.sheet).difference(before.sheet, after.sheet, ()))
        changes = [beside.pop("name"), beside.pop("house_rules"), sheet, *beside.values()]
        return tuple(chain.from_iterable(changes))

    def apply_changes(self, state: State, changes: Sequence[Change]) -> State:
        """Return `state` after the changes. Raises `ValueError` if one can't be made."""
        for change in changes:
            state = self._put(state, change.path, change.after)
        return state

    def _put(self, state: State, path: Path, raw: Value | None) -> State:
        if not path:
            raise ValueError("which value? For example: ship.focus 2")
        if path[0] not in self._parts:
            return replace(state, sheet=codec(self.system.sheet).put(state.sheet, path, raw))
        name, part = self._parts[path[0]]
        if path == ("name",):
            raw = "" if raw is None else raw
        return replace(state, **{name: part.put(getattr(state, name), path[1:], raw, path[:1])})

    def on_a_line(self, path: Path) -> bool:
        """Whether a table at `path` is added to a campaign file as one line."""
        return path[0] in self._parts and on_a_line(self._parts[path[0]][1], path[1:])

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of this game's campaign file."""
        properties: dict[str, Any] = codec(self.system.sheet).schema()["properties"]
        beside = {key: part.schema() for key, (_, part) in self._parts.items() if key != "name"}
        titles = {id_: {"type": "string", "description": clause.title} for id_, clause in self.clauses.items()}
        beside["rulings"] |= {"properties": titles}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Waylog campaign, {self.system.name}",
            "type": "object",
            "required": ["system"],
            "properties": {
                "format": {"type": "integer", "description": "The version of the file format"},
                "name": {"type": "string", "description": "The campaign's name"},
                "system": {"const": self.system.id},
                "log": {
                    "type": "string",
                    "description": "The log entry that this file is up to date with. Waylog keeps it",
                },
                "house_rules": beside.pop("house_rules"),
                **properties,
                **beside,
            },
        }

    # -- forms: the fields of a thing, and setting them -------------------------------------------------------------

    @cached_property
    def _tree(self) -> TreeCodec:
        """The campaign file as one table, in its order."""
        beside = {key: (part, attrgetter(name)) for key, (name, part) in self._parts.items()}
        sheet = codec(self.system.sheet)
        keys = [key for key, _, _ in sheet.parts(sheet.nothing)]
        of_game = {key: (codec_at(sheet, (key,)) or sheet, attrgetter(f"sheet.{key}")) for key in keys}
        first = {key: beside.pop(key) for key in ("name", "house_rules")}
        return TreeCodec({**first, **of_game, **beside}, self.fresh(""))

    def fields(self, state: State) -> FieldGroup:
        """Describe the whole campaign for forms. Sessions have none: acts begin and number them."""
        whole = describe_thing(self._tree, state, ())
        assert isinstance(whole, FieldGroup)
        return replace(whole, parts=tuple(part for part in whole.parts if part.path != ("sessions",)))

    @cached_property
    def form_places(self) -> tuple[FormPlace, ...]:
        """The forms that can be opened from anywhere."""
        return tuple(form_places(self.fields(self._tree.empty)))

    def form(self, state: State, path: Path) -> FormSource | None:
        """Return the form of the thing that the row at `path` belongs to; with `NEW` as its last key, of one more thing in that
        table; for an empty path, of the whole campaign. None if the file has nothing there.
        """
        thing = path if path[-1:] == (NEW,) else thing_path(self._tree, state, path)
        return form_of(self.fields(state), thing, path) if thing or not path else None

    @cached_property
    def _faults_before(self) -> Memo[State, frozenset[tuple[Path, str]]]:
        return Memo(lambda state: frozenset((fault.path, fault.message) for fault in self.read(self.write(state))[1]))

    def try_settings(self, state: State, settings: Sequence[Setting]) -> SettingsOutcome:
        """Return what setting these values would come to, with every fault that it would bring. Changes nothing."""
        after, faults = state, list[Fault]()
        for setting in settings:
            value_codec = codec_at(self._tree, setting.path)
            raw = read_text(value_codec, setting.text) if value_codec else setting.text
            try:
                self._check_keys(after, setting.path, raw)
                after = self._put(after, setting.path, raw)
            except ValueError as error:
                faults.append(Fault(setting.path, str(error)))
        before = self._faults_before(state)
        found = self.read(self.write(after))[1]
        faults += (fault for fault in found if (fault.path, fault.message) not in before)
        return SettingsOutcome(after, tuple(faults))

    def _thing_names(self, state: State, settings: Sequence[Setting]) -> Mapping[Path, str]:
        things = {thing_path(self._tree, state, setting.path) for setting in settings}
        forms = {thing: self.form(state, thing) for thing in things if thing}
        return {path: form.group.name or form.group.label for path, form in forms.items() if form}

    def write_open(self, state: State) -> dict[str, Value]:
        """Return the open part of the state as plain values; an empty table if nothing is open."""
        return open_scene.encode_open(state.open, self.system.scene)

    def read_open(self, tree: Mapping[str, Value]) -> OpenScene | None:
        """Read what `write_open` returned. Raises `ValueError` if that isn't possible."""
        return open_scene.decode_open(tree, self.system.scene)

    # -- the rules as they are looked up ----------------------------------------------------------------------------

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause of the game and those that every campaign has, by id."""
        return {**self.system.clauses, **CLAUSES}

    @cached_property
    def _topics(self) -> Mapping[str, tuple[str, ...]]:
        of_game = clause_topics(self.system)
        return {topic: (*of_game.get(topic, ()), *TOPICS.get(topic, ())) for topic in {**of_game, **TOPICS}}

    def reference(self, state: State) -> Reference:
        """The clauses with the house rules and the rulings of the campaign."""
        return Reference(self.clauses, self._topics, state.rules, state.rulings)

    @cached_property
    def _ruling_moves(self) -> Memo[Mapping[str, str], tuple[Move, ...]]:
        return Memo(partial(ruling_moves.moves, clauses=self.clauses))

    # -- play ---------------------------------------------------------------------------------------------------

    def position(self, state: State) -> Position:
        """Return the position that the game's rules see. It includes only the situations that affect every move."""
        clocks, stage = self._beside.open_clocks(state.clocks), state.open.stage if state.open else None
        return Position(state.sheet, state.rules, clocks, stage, for_all(self._beside.situations_in_force(state)))

    def question(self, state: State) -> str | None:
        """Return the question that has to be answered first, or None."""
        state = self._as_known(state)
        if state.open and state.open.waiting:
            wants = state.open.waiting.wants
            return f"Type {len(wants)} more: {', '.join(wants)}"
        drawn = state.open.drawn if state.open else ()
        return deck_moves.question(state.decks, drawn) or self.system.question(self.position(state))

    def moves(self, state: State) -> tuple[Move, ...]:
        """Return every move. One that can't be made now says why."""
        state = self._as_known(state)
        if state.open and state.open.waiting:
            meanwhile = [_after_the_roll(move) for move in self._asides(state)]
            return (*(m for m in meanwhile if m.follows), _REST, *(m for m in meanwhile if not m.follows))
        drawn = state.open.drawn if state.open else ()
        asides = self._asides(state)
        # No situation decides the roll type here: each is switched on or off with the roll.
        position = replace(self.position(state), situations={})
        system = self.system.moves(position) if position.scene is not None else self._moves_with_nothing_open(state)
        if holding := self._beside.situations_in_force(state):
            system = [situation_moves.on_roll(move, holding) for move in system]
        if deck_moves.question(state.decks, drawn):
            anytime = (replace(move, follows=False) for move in system if move.anytime)
            return (*deck_moves.follow_ups(state.decks, drawn), *map(_after_the_roll, asides), *anytime)
        moves = clock_moves.on_clocks(system, position.clocks)
        common_moves = (*asides, *self._beside.deck_moves(state.decks), *sessions.moves(state.sessions), _SET)
        if self.system.question(position):
            answers = tuple(replace(move, follows=True) for move in moves if not move.anytime)
            if not all(move.apart for move in answers):
                common_moves = tuple(map(_after_the_roll, common_moves))
            return (*answers, *common_moves, *(move for move in moves if move.anytime))
        follow_ups = self._beside.follow_ups(state)
        return (
            *(move for move in moves if move.follows),
            *follow_ups,
            *(m for m in moves if not m.follows),
            *common_moves,
        )

    def _asides(self, state: State) -> tuple[Move, ...]:
        """Return the moves that are possible at any time, whatever is asked. Of these only the dice that are waited for
        follow.
        """
        return (*self._beside.asides(state), *_REMARKS, *self._ruling_moves(state.rulings))

    def _moves_with_nothing_open(self, state: State) -> Sequence[Move]:
        """Return the game's own moves as if nothing were open. The result is remembered, because it is needed several
        times per act.
        """
        position = replace(self.position(state), scene=None, situations={})
        of = (position.sheet, position.rules, position.clocks)
        last = self._last_moves
        if last is None or any(old is not other for old, other in zip(last[0], of, strict=True)):
            self._last_moves = last = of, self.system.moves(position)
        return last[1]

    def odds(self, state: State, move: Move, answers: Answers) -> Odds | None:
        """Return the exact odds of a roll, with a forecast that includes its clocks; or the odds of a draw. None for
        other moves.
        """
        if move.verb in dice_moves.VERBS:
            return dice_moves.odds(move, answers)
        if move.verb == "draw":
            return chances(state.decks[deck_moves.deck_words(state.decks)[move.words[0]]])
        inner, on = clock_moves.without_clocks(move, answers, self._beside.open_clocks(state.clocks))
        inner, situations, _ = self._split_situations(state, move, inner)
        odds = self.system.odds(replace(self.position(state), situations=situations), move, inner)
        if odds is None:
            return None
        notes = clock_moves.forecast([state.clocks[key] for key in on], odds)
        return replace(odds, forecast=(*odds.forecast, *notes))

    def panels(self, state: State) -> tuple[Panel, ...]:
        """Return the panels of the sheet."""
        return (*self.system.panels(self.position(state)), *self._beside.panels(state))

    def board(self, state: State) -> Any:
        """Return the value for the game's own view of what is open between two sides; None if nothing is."""
        return conflict_view(self.system, self.position(state))

    def play(self, state: State, act: Act, chance: Dice, moment: str = "") -> PlayResult:
        """Play an act. `moment` is the time, for entries with a date. Raises `ActRefused` and changes nothing if the
        rules refuse it.
        """
        act, state = _as_own_act(replace(act, answers=complete_answers(act.move, act.answers))), self._as_known(state)
        waiting = state.open.waiting if state.open else None
        if waiting and act.move.follows:
            return self._go_on(state, waiting, act, chance, moment)
        belongs = act.move.follows and not act.move.apart
        typed = act.faces is not None or (belongs and state.open is not None and state.open.typed)
        dice = TypedDice(act.faces or ()) if typed else chance
        played = self._play(state, act, dice, moment, typed=typed)
        if waiting:
            self._check_waiting_act(state, played.state)
        return played

    def dice_to_type(self, state: State, act: Act) -> tuple[Die, ...]:
        """Return the real dice that an act still needs after those typed with it, in order."""
        try:
            whole = _as_own_act(replace(act, answers=complete_answers(act.move, act.answers)))
            self._after(self._as_known(state), whole, TypedDice(act.faces or ()), "", typed=True)
        except DiceWanted as wanted:
            return wanted.dice
        except ActRefused:
            pass
        return ()

    def missing_dice(self, state: State) -> tuple[str, ...]:
        """Return the label of each die that the current act still waits for; empty if it waits for none."""
        state = self._as_known(state)
        return state.open.waiting.wants if state.open and state.open.waiting else ()

    def faulty_tables(self, state: State) -> Collection[str]:
        """Return the keys of the random tables that can't be rolled on because of faults in the tables themselves."""
        return self._beside.faulty_tables(state)

    def _as_known(self, state: State) -> State:
        """Return the state without an act that waits for dice but can't be done any more, because the files were
        edited.
        """
        if not (state.open and state.open.waiting):
            return state
        resumed = _resume(state, state.open)
        try:
            self._play_evenly(resumed, state.open.waiting, 1)
        except ActRefused:
            return resumed
        return state

    def _play_evenly(self, resumed: State, waiting: Waiting, face: int) -> Sequence[Fact]:
        """Return the facts of the waiting act if each missing die shows `face`. Raises `ActRefused`."""
        act = parse_act(self.moves(resumed), waiting.words)
        act = replace(act, answers=complete_answers(act.move, act.answers))
        return self._after(resumed, act, TypedDice(waiting.faces, EqualDice(face)), _SOME_TIME, typed=True)[1]

    def check(self, state: State, act: Act) -> None:
        """Raise `ActRefused` if `play` would, whatever the remaining dice show."""
        self.play(state, act, EqualDice(1), _SOME_TIME)

    def settled_facts(self, state: State) -> tuple[Fact, ...]:
        """Return the facts of a waiting act that don't depend on the missing dice."""
        state = self._as_known(state)
        if not (state.open and state.open.waiting):
            return ()
        waiting, resumed = state.open.waiting, _resume(state, state.open)
        low, high = (self._play_evenly(resumed, waiting, face) for face in (1, 2))
        same = [one for one, other in takewhile(lambda pair: pair[0] == pair[1], zip(low, high, strict=False))]
        return (*same, *_typed_dice(low[len(same) :], high[len(same) :]))

    def _check_waiting_act(self, before: State, after: State) -> None:
        """Raise `ActRefused` if what was done meanwhile makes the waiting act another one, or impossible."""
        if self._as_known(after) is not after or self.settled_facts(before) != self.settled_facts(after):
            raise ActRefused("this would change the roll that waits for its dice: type those first, or undo it")

    def _go_on(self, state: State, waiting: Waiting, act: Act, chance: Dice, moment: str) -> PlayResult:
        """Continue the waiting act with the dice that have now been typed, or let Waylog roll the rest."""
        assert state.open
        faces = (*waiting.faces, *(act.faces or ()))
        if act.move.verb == "dice" and not act.faces:
            raise ActRefused(f"type {len(waiting.wants)} more: {', '.join(waiting.wants)}")
        resumed = _resume(state, state.open)
        inner = parse_act(self.moves(resumed), waiting.words)
        dice = TypedDice(faces, chance if act.move.verb == "rest" else None)
        inner = replace(inner, answers=complete_answers(inner.move, inner.answers), faces=faces)
        played = self._play(resumed, inner, dice, moment, typed=True)
        if dice.rolled and faces:
            text = f"Waylog rolled {dice.rolled} of {len(faces) + dice.rolled} dice"
            played = replace(played, facts=(_note_of_dice(text, played.facts), *played.facts))
        title, kind = act.move.label, EntryKind.PLAY
        return replace(played, words=act.move.verb, title=title, faces=act.faces, follows=True, kind=kind)

    def _play(self, state: State, act: Act, dice: Dice, moment: str, *, typed: bool) -> PlayResult:
        words = format_act(act.move, act.answers)
        try:
            after, facts = self._after(state, act, dice, moment, typed=typed)
        except DiceWanted as wanted:
            if state.open and state.open.waiting:
                text = f"this takes {len(wanted.dice)} more dice, and others are waited for already"
                raise ActRefused(f"{text}: type all of them with it, or none") from None
            wants = tuple(die.asked or die.source for die in wanted.dice)
            waiting = Waiting(words, act.faces or (), wants, takes_numbers(act.move, act.answers))
            goes_on = act.move.follows or self._beside.plays(state, act.move)
            open_scene = (state.open or OpenScene()) if goes_on else OpenScene()
            after, facts = replace(state, open=replace(open_scene, typed=True, waiting=waiting)), ()
        else:
            _check_all_used(act, dice)
        follows = act.move.follows and not act.move.apart
        return PlayResult(
            after,
            words,
            self._title(act, after),
            act.faces,
            facts,
            follows,
            self._kind_of(state, act.move),
            act.move.about,
        )

    def _title(self, act: Act, after: State) -> str:
        """Return what was done, for people. Of several values that were set, the log has all; the title names a few."""
        if act.move.verb == "set":
            with suppress(ValueError):
                settings = parse_settings(str(act.answers["text"]), self._tree.tables)
                if len(settings) > 1:
                    return f"Set {describe_settings(settings, self._thing_names(after, settings))}"
        return describe(act.move, act.answers)

    def _kind_of(self, state: State, move: Move) -> EntryKind:
        """Return the kind that the log records for the act."""
        match move.verb:
            case "note" | "secret" | "scene" | "set" as verb:
                return EntryKind(verb)
            case "session":
                return _SESSION_KINDS.get(move.words[0], EntryKind.SESSION)
            case "effect" if move.follows:
                return EntryKind.EFFECT
            case _:
                return EntryKind.CARD if move.follows and self._beside.plays(state, move) else EntryKind.PLAY

    def _after(self, state: State, act: Act, dice: Dice, moment: str, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        match act.move.verb:
            case "note" | "secret":
                return state, (_remark(state, str(act.answers["text"]), secret=act.move.verb == "secret"),)
            case "scene":
                title = str(act.answers["title"])
                # Offers of one scene don't continue in the next.
                begins = _remark(state, f"Scene: {title}" if title else "A new scene", "NM-43")
                return replace(state, open=None), (replace(begins, quote=title or None),)
            case "set":
                return self._set(state, str(act.answers["text"]))
            case "ruling":
                rulings, facts = ruling_moves.play(state.rulings, self.clauses, act.move, act.answers)
                return replace(state, rulings=rulings), facts
            case "session":
                sessions_now, facts = sessions.play(state.sessions, act.move, act.answers, moment)
                after = replace(state, sessions=sessions_now)
                return (replace(after, open=None) if act.move.words[0] in sessions.BORDERS else after), facts
            case "on" if act.move.follows:
                return self._advance_clock(state, act.move)
            case "effect" if act.move.follows:
                return self._play_effect(state, act.move, dice, typed=typed)
            case "play" if not act.move.follows and self._beside.plays(state, act.move):
                return self._card_used(state, act, dice, typed=typed)
            case _ if self._beside.plays(state, act.move):
                return self._play_common(state, act.move, act.answers, dice, typed=typed)
            case _:
                return self._system_plays(state, act, dice, typed=typed)

    def _play_common(
        self, state: State, move: Move, answers: Answers, dice: Dice, *, typed: bool
    ) -> tuple[State, tuple[Fact, ...]]:
        """Play an act with clocks, tables or decks. If its dice are real, those of its effects are too."""
        base = replace(state, open=replace(state.open or OpenScene(), typed=True)) if typed else state
        after, facts = self._beside.play(base, move, answers, dice)
        return self._finish_roll(state, after, facts)

    def _system_plays(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        under_way = self.question(state) is not None or bool(state.open and state.open.stage)
        goes_on = act.move.follows or (act.move.anytime and under_way)
        open_scene = state.open if goes_on and state.open else OpenScene()
        position = replace(self.position(state), scene=open_scene.stage)
        inner, on = clock_moves.without_clocks(act.move, act.answers, position.clocks)
        inner, situations, off = self._split_situations(state, act.move, inner)
        position = replace(position, situations=situations)
        turn = self.system.play(position, act.move, inner, dice)
        moods = [fact.mood for fact in turn.facts if isinstance(fact, OutcomeFact) and fact.mood]
        opened = replace(
            open_scene,
            stage=turn.position.scene,
            typed=typed or (open_scene.typed and not act.move.apart),
            on=tuple(dict.fromkeys((*open_scene.on, *on))),
            mood=moods[-1] if moods else open_scene.mood,
        )
        return self._finish_roll(state, self._apply_turn(state, turn, opened), (*off, *turn.facts))

    def _split_situations(
        self, state: State, move: Move, answers: Answers
    ) -> tuple[Answers, Situations, tuple[Fact, ...]]:
        """Split the answers: those of the game itself, the situations that affect the move, and notes on those switched
        off (NM-19).
        """
        holding = self._beside.situations_in_force(state)
        if not move.heeds:
            return answers, for_all(holding), ()
        return situation_moves.without_situations(move, answers, holding)

    def _apply_turn(self, state: State, turn: Turn, opened: OpenScene) -> State:
        """Return the state after a game's turn. The game saw only the open clocks, and may have moved them."""
        same = turn.position.clocks is self._beside.open_clocks(state.clocks)
        clocks = state.clocks if same else {**state.clocks, **turn.position.clocks}
        return replace(state, sheet=turn.position.sheet, clocks=clocks, open=opened)

    def _finish_roll(self, before: State, after: State, facts: tuple[Fact, ...]) -> tuple[State, tuple[Fact, ...]]:
        """Move the clocks of a finished roll, note those that are full, and close a stage that asks nothing more."""
        opened = after.open or OpenScene()
        if opened.on and opened.mood and self.system.question(self.position(after)) is None:
            clocks, moved = clock_moves.advance_by_roll(after.clocks, opened.on, opened.mood)
            opened = replace(opened, on=(), moved=(*opened.moved, *opened.on))
            after, facts = replace(after, clocks=clocks), (*facts, *moved)
        running = self._beside.open_clocks(after.clocks)
        filled = [key for key, clock in running.items() if clock.full and not _was_full(before, key)]
        facts = (*facts, *(clock_moves.filled_note(key, after.clocks[key]) for key in filled))
        full = {key: after.clocks[key] for key in filled if after.clocks[key].when_full}
        offers = tuple(EffectOffer(f"clocks.{key}", f"“{c.name}” is full", c.when_full) for key, c in full.items())
        opened = with_offers(opened, offers)
        if opened.mood and not any(clock_moves.would_move(opened, key, clock) for key, clock in running.items()):
            opened = replace(opened, mood=None, moved=())
        if opened.stage is None and opened.mood is None and not (opened.offers or opened.drawn or opened.waiting):
            return replace(after, open=None), facts
        return replace(after, open=opened), facts

    def _advance_clock(self, state: State, move: Move) -> tuple[State, tuple[Fact, ...]]:
        """Make the last roll on one more clock (NM-24)."""
        assert state.open
        assert state.open.mood
        key = clock_moves.clock_words(self._beside.open_clocks(state.clocks))[move.words[0]]
        clocks, facts = clock_moves.advance_by_roll(state.clocks, (key,), state.open.mood)
        opened = replace(state.open, moved=(*state.open.moved, key))
        return self._finish_roll(state, replace(state, clocks=clocks, open=opened), facts)

    def _play_effect(self, state: State, move: Move, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Apply an offered effect, of the game or of the common rules (NM-16, NM-25)."""
        assert state.open
        offer = offer_words(state.open)[move.words[0]]
        opened = replace(state.open, offers=tuple(other for other in state.open.offers if other != offer))
        return self._in_effect(replace(state, open=opened), offer.act, dice, typed=typed)

    def _card_used(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Use a kept card: count the use and apply its effect, both or neither (NM-18)."""
        effect = self._beside.effect_in_use(state, act.move, act.answers)
        after, facts = self._play_common(state, act.move, act.answers, dice, typed=typed)
        if not effect:
            return after, facts
        done, more = self._in_effect(after, effect, dice, typed=typed)
        return done, (*facts, *more)

    def _in_effect(self, state: State, words: str, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Apply an effect on top of what is open. Raises `ActRefused` if that isn't possible now."""
        opened = state.open or OpenScene()
        act = self._beside.effect(state, words)
        answers = complete_answers(act.move, act.answers)
        if self._beside.plays(state, act.move):
            return self._play_common(state, act.move, answers, dice, typed=typed)
        turn = self.system.play(replace(self.position(state), scene=None), act.move, answers, dice)
        opened = replace(opened, stage=turn.position.scene or opened.stage, typed=opened.typed or typed)
        return self._finish_roll(state, self._apply_turn(state, turn, opened), turn.facts)

    def table_faults(self, state: State) -> dict[str, list[Fault]]:
        """Return the faults of the campaign's random tables, by the table's key."""
        return self._beside.table_faults(state)

    def _set(self, state: State, line: str) -> tuple[State, tuple[Fact, ...]]:
        """Set values as in the file, all or none: `ship.focus 2`."""
        try:
            settings = parse_settings(line, self._tree.tables)
        except ValueError as error:
            raise ActRefused(str(error)) from None
        outcome = self.try_settings(state, settings)
        if fault := outcome.refusal:
            raise ActRefused(fault.message, fault.clause)
        changes = self.difference(state, outcome.state)
        if not changes:
            (first, *others) = settings
            reason = f"{format_path(first.path)} is already {first.text}"
            raise ActRefused("all of these values are so already" if others else reason)
        # Of a new entry, only the values that were set are noted.
        shown_changes = [
            Change(setting.path, None, setting.text)
            for change in changes
            if isinstance(change.after, dict)
            for setting in settings
            if setting.path[: len(change.path)] == change.path
        ]
        shown_changes += [change for change in changes if not isinstance(change.after, dict)]
        lines = [f"{format_path(c.path)} {_plain(c.before)} → {_plain(c.after)}" for c in shown_changes]
        if len(settings) > 1:
            lines.insert(0, describe_settings(settings, self._thing_names(outcome.state, settings)))
        lines += [f"Still to set: {fault.message}" for fault in outcome.faults]
        return outcome.state, tuple(NoteFact(text, secret=True) for text in lines)

    def _check_keys(self, state: State, path: Path, raw: Value) -> None:
        """Raise `ValueError` for a misspelt key. The message names the key that was probably meant."""
        if path and path[0] in self._parts:
            name, part = self._parts[path[0]]
            check_keys(part, getattr(state, name), path[1:], raw, path[:1])
        else:
            check_keys(codec(self.system.sheet), state.sheet, path, raw)


_SESSION_KINDS = {"begin": EntryKind.SESSION_BEGINS, "end": EntryKind.SESSION_ENDS}
_SOME_TIME = "2000-01-01 00:00"
"""A date for acts that are played only to see their result."""
_Rulings = Annotated[Mapping[str, str], "What you have ruled, each under the code of its rule"]
_KEPT_BY_THE_FILE = ("format", "system", "log")


def _remark(state: State, text: str, clause: str | None = None, *, secret: bool = False) -> NoteFact:
    """Make a note in the log. If it names a clock, it is about that clock, and is hidden from players with it."""
    return NoteFact(text, clause, secret=secret, about=tuple(map(clock_path, find_clock_names(text, state.clocks))))


def _as_own_act(act: Act) -> Act:
    """Return the act. Free dice don't follow what is open, even while a roll waits for dice and the same move takes those."""
    if act.move.verb in dice_moves.VERBS and not dice_moves.is_for_waiting(act.answers):
        return replace(act, move=replace(act.move, follows=False))
    return act


def _check_all_used(act: Act, dice: Dice) -> None:
    """Raise `ActRefused` if more real dice were typed than the act has rolled."""
    if isinstance(dice, TypedDice) and dice.unused_faces:
        taken = len(act.faces or ()) - len(dice.unused_faces)
        takes = f"this takes {taken}" if taken else "this takes no dice"
        raise ActRefused(f"Too many dice: {takes}, you typed {len(act.faces or ())}")


def _note_of_dice(text: str, facts: Sequence[Fact]) -> NoteFact:
    """Make a note that players see if they see the dice of these facts; or all of the facts, if none has dice."""
    rolls: Sequence[RollFact | NoteFact] = [fact for fact in facts if isinstance(fact, RollFact)]
    rolls = rolls or [fact for fact in facts if isinstance(fact, NoteFact)]
    about = dict.fromkeys(path for fact in rolls for path in fact.about)
    return NoteFact(text, secret=any(fact.secret for fact in rolls), about=tuple(about), part=NotePart.DETAIL)


def _resume(state: State, opened: OpenScene) -> State:
    """Return what was open before real dice were asked for."""
    open_scene = replace(opened, waiting=None)
    return replace(state, open=None if open_scene == OpenScene(typed=True) else open_scene)


def _after_the_roll(move: Move) -> Move:
    """Return the move, blocked while an act waits for an answer if it starts a new scene or session."""
    if move.blocked or move.id not in _PARTS:
        return move
    return replace(move, blocked=Refusal("finish the current action first: answer it, or undo it", _PARTS[move.id]))


_PARTS = {"scene": "NM-43", "session begin": "NM-40", "session end": "NM-40"}
"""Moves that start a new scene or session, or end one, with their clauses."""


def _typed_dice(low: Sequence[Fact], high: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the dice of the first fact that are the same in both rolls: those that have already been typed."""
    match low[:1], high[:1]:
        case (RollFact() as one,), (RollFact() as other,):
            same = takewhile(lambda pair: pair[0] == pair[1], zip(one.dice, other.dice, strict=False))
            dice = tuple(face for face, _ in same)
            return (replace(one, dice=dice),) if dice else ()
        case _:
            return ()


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
