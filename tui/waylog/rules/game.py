"""A game as it is played: its own rules together with those that every campaign has.

`Game.moves` returns everything that may be done, `Game.play` does one of these. The state includes what is open between
two acts (a roll that waits for a choice, real dice still to be typed), so it outlives the program. `Table` and the
command line call this module; nothing else combines a game with the common rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from waylog.rules.campaign_tree import CampaignTree
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path, Value, format_path
from waylog.rules.common import (
    called_rolls,
    clock_and_situation_moves,
    deck_moves,
    dice_moves,
    rulings,
    seen_by_some_players,
)
from waylog.rules.common.clauses import TOPICS
from waylog.rules.common.common_rules import REMARKS, CommonRules, Memo
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.scene_cards import OPEN, SceneCards, put_needed_first
from waylog.rules.model import players_and_permissions, sessions
from waylog.rules.model import state as open_state
from waylog.rules.model.act_lists_and_row_verbs import COMMON, ActKeys
from waylog.rules.model.answers import complete_answers, format_act, log_heading, takes_numbers
from waylog.rules.model.decks import chances
from waylog.rules.model.dice import Dice, DiceWanted, Die, EqualDice, Face, TypedDice
from waylog.rules.model.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.moves import Act, ActRefused, Answers, Move, Refusal, Text
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel, Tag, Tone
from waylog.rules.model.state import EntryKind, OpenState, PlayResult, Position, PositionMemo, State, Waiting
from waylog.rules.rulebook import Rulebook
from waylog.rules.what_acts_do import ActRules
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.model.rules_reference import Reference
    from waylog.rules.set_command import Setting, SettingsOutcome, SettingValues
"""Moves about the log alone, as the rules see it."""
_SETS = ("set", "overrule")
"""Verbs that set values of the file."""
KEEP = "keep"
"""The answer, in every game, that leaves a roll or a hit as it is."""
_NO_ROLL = "is not a roll, so it has no odds"
_REST = Move("rest", (), "Let Waylog roll the rest", follows=True)


class Game(CampaignTree):
    """A game with the rules that every campaign has. It keeps no state: every answer follows from the state it is
    given.
    """

    def __init__(self, system: Rulebook, tables: Tables | None = None, cards: SceneCards | None = None) -> None:
        """`tables` are the campaign's random tables, and `cards` its scene cards. Play never changes them."""
        super().__init__(system)
        self.tables: Tables = tables or {}
        self.cards: SceneCards = cards or {}
        self.roll_key = system.roll_key
        self.act_keys: ActKeys = {**COMMON, **system.act_keys}
        """Which keys are for which verbs: those of the game, and what every game has."""
        self._common = CommonRules(
            self.tables,
            self.cards,
            self._moves_with_nothing_open,
            system.running,
            ends_with_time="time" in system.lasting,
        )
        self._acts = ActRules(self, self._common, lambda: self._settings)
        self._moves_at_rest, self._moves_at_stage = PositionMemo(system.moves), PositionMemo(system.moves)
        self._on_clocks = Memo(clock_and_situation_moves.on_clocks)
        self._ruling_moves = Memo(partial(rulings.moves, clauses=self.clauses))
        self._panels_at = PositionMemo(system.panels)
        self._listed = Memo(_listed_moves)
        self._call_moves = Memo(self._acts.call_moves)

    @cached_property
    def _settings(self) -> SettingValues:
        from waylog.rules.set_command import SettingValues

        return SettingValues(self, self.read, self.panels)

    # -- the campaign's values --------------------------------------------------------------------------------

    def read(self, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        """Read the campaign in `tree`. Return it with all its faults, but not those that the wayfinder has overruled."""
        state, faults = self._read_with_all_faults(tree)
        return state, [fault for fault in faults if not fault.is_overruled(state.overruled)]

    def overrulings(self, tree: Mapping[str, Value]) -> Sequence[Fault]:
        """Return what would be wrong with the campaign in `tree` if the wayfinder had not overruled it."""
        state, faults = self._read_with_all_faults(tree)
        return [fault for fault in faults if fault.is_overruled(state.overruled)]

    def _read_with_all_faults(self, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        state, faults = self.decode(tree)
        if not any(fault.grave for fault in faults):
            faults.extend(self.system.faults(self.position(state)))
            faults.extend(self._common.faults(state))
            faults.extend(players_and_permissions.faults(state.players, self.characters(state)))
            faults.extend(rulings.faults(state.rulings, self.clauses))
        return state, faults

    def position(self, state: State) -> Position:
        """Return the position that the game's rules see. It includes only the situations that affect every move."""
        return self._acts.position(state)

    # -- forms: the fields of a thing, and setting them -------------------------------------------------------------

    def try_settings(self, state: State, settings: Sequence[Setting]) -> SettingsOutcome:
        """Return what setting these values would come to, with every fault that it would bring. Changes nothing."""
        return self._settings.outcome(state, settings)

    def name_value(self, state: State, path: Path) -> str:
        """Return what the value at a path is called, for people: `Mara: role`."""
        return self._settings.name_value(state, path)

    def write_open(self, state: State) -> dict[str, Value]:
        """Return the open part of the state as plain values; an empty table if nothing is open."""
        return open_state.encode_open(state.open, self.system.scene)

    def read_open(self, tree: Mapping[str, Value]) -> OpenState | None:
        """Read what `write_open` returned. Raises `ValueError` if that isn't possible."""
        return open_state.decode_open(tree, self.system.scene)

    # -- the rules as they are looked up ----------------------------------------------------------------------------

    @cached_property
    def _topics(self) -> Mapping[str, tuple[str, ...]]:
        of_game = self.system.topics
        return {topic: (*of_game.get(topic, ()), *TOPICS.get(topic, ())) for topic in {**of_game, **TOPICS}}

    def reference(self, state: State) -> Reference:
        """Return the clauses with the house rules and the rulings of the campaign."""
        from waylog.rules.model.rules_reference import Reference

        return Reference(self.clauses, self._topics, state.rules, state.rulings)

    @cached_property
    def _setting_moves(self) -> tuple[Move, ...]:
        example = f"what to set and its new value, such as “{self.example}”"
        ask = Text("text", "Value", required=True, verbatim=True, example=example)
        overrule = "Change a value beyond its allowed range"
        return Move("set", (), "Change any value by hand", (ask,)), Move("overrule", (), overrule, (ask,))

    # -- play ---------------------------------------------------------------------------------------------------

    def question(self, state: State) -> str | None:
        """Return the question that has to be answered first, with the real dice that wait for the answer; or None."""
        state = self._as_known(state)
        asked, early = self._acts.question(state), state.open.early if state.open else ()
        if asked is None or not early:
            return asked
        labels = ", ".join(dict.fromkeys(each.source for each in early))
        end = "" if asked.endswith("?") else "."
        return f"{asked}{end} Dice already typed: {' '.join(str(each.face) for each in early)} ({labels})"

    def moves(self, state: State) -> tuple[Move, ...]:
        """Return every move. One that can't be made now says why."""
        state = self._as_known(state)
        if state.open and state.open.waiting:
            meanwhile = [_after_the_roll(move) for move in self._asides(state)]
            return (
                *(move for move in meanwhile if move.follows),
                _REST,
                *(move for move in meanwhile if not move.follows),
                *self._refused_before_dice(state),
            )
        drawn = state.open.drawn if state.open else ()
        asides = self._asides(state)
        # No situation decides the roll type here: each is switched on or off with the roll.
        position = replace(self.position(state), situations={})
        at = self._moves_at_rest if position.scene is None else self._moves_at_stage
        system: Sequence[Move] = self._listed(at(position))
        if holding := self._common.situations_in_force(state):
            system = [clock_and_situation_moves.on_roll(move, holding) for move in system]
        if deck_moves.question(state.decks, drawn):
            anytime = (replace(move, follows=False) for move in system if move.anytime)
            return (*deck_moves.follow_ups(state.decks, drawn), *map(_after_the_roll, asides), *anytime)
        moves = self._on_clocks(system, position.clocks)
        of_sessions = sessions.moves(
            state.sessions, players_and_permissions.names(state.players), tuple(self.characters(state).values())
        )
        common_moves = (
            *asides,
            *put_needed_first(self._common.deck_moves(state.decks), self.cards, state.prep),
            *of_sessions,
            *self._setting_moves,
        )
        if self.system.question(position):
            answers = tuple(replace(move, follows=True) for move in moves if not move.anytime)
            if not all(move.apart for move in answers):
                common_moves = tuple(map(_after_the_roll, common_moves))
            return (*answers, *common_moves, *(move for move in moves if move.anytime))
        follow_ups = (*(move for move in moves if move.follows), *self._common.follow_ups(state))
        others = tuple(move for move in moves if not move.follows)
        if called := self._acts.called_moves(state):
            aside = (*map(_after_the_roll, common_moves), *(move for move in others if move.anytime))
            return (*called, called_rolls.FINISHES, *follow_ups, *aside)
        calls = self._call_moves(moves, state.sheet, state.players, state.sessions)
        return (*follow_ups, *others, *calls, *common_moves)

    def _refused_before_dice(self, state: State) -> Iterator[Move]:
        """Yield the moves that may be made while anything else is asked. An act whose dice are awaited has not happened yet,
        so they are refused (VK-33, VC-16).
        """
        for move in self._moves_at_rest(replace(self.position(state), scene=None)):
            if move.anytime:
                clause = next(iter(self._topics.get(move.verb, ())), None)
                blocked = Refusal("an action is waiting for its dice: type them first, or undo it", clause)
                yield replace(move, blocked=move.blocked or blocked, follows=False)

    def _asides(self, state: State) -> tuple[Move, ...]:
        """Return the moves that are possible at any time, whatever is asked. Of these only the dice that are waited for
        follow.
        """
        spotlight = players_and_permissions.moves(state.players, state.sessions) if state.players else ()
        return (*self._common.asides(state), *REMARKS, *spotlight, *self._ruling_moves(state.rulings))

    def called_moves(self, state: State) -> tuple[Move, ...]:
        """Return the rolls that the wayfinder has called for and that are still to be made, also while something is asked first."""
        return self._acts.called_moves(state)

    def _moves_with_nothing_open(self, state: State) -> Sequence[Move]:
        """Return the game's own moves as if nothing were open."""
        return self._moves_at_rest(replace(self.position(state), scene=None, situations={}))

    def rolls_that_follow(self, state: State) -> Sequence[Move]:
        """Return the rolls that nobody can choose to make, as if nothing were open: they only follow from others."""
        return tuple(move for move in self._moves_with_nothing_open(state) if not move.listed)

    def odds(self, state: State, move: Move, answers: Answers) -> Odds | None:
        """Return the exact odds of a roll, with a forecast that includes its clocks; or the odds of a draw. None for
        other moves.
        """
        if move.verb in dice_moves.VERBS:
            return dice_moves.odds(move, answers)
        if move.verb == "draw":
            return (
                None
                if answers.get("cards")
                else chances(state.decks[deck_moves.deck_words(state.decks)[move.words[0]]])
            )
        if move.verb == "effect" and move.follows:
            offered = self._common.act_of_offer(state, move, answers)
            move, answers = offered.move, offered.answers
        position, inner, on = self._before_roll(state, move, answers)
        odds = self.system.odds(position, move, inner)
        if odds is None:
            return None
        notes = clock_and_situation_moves.forecast([state.clocks[key] for key in on], odds)
        return replace(odds, forecast=(*odds.forecast, *notes))

    def why_no_odds(self, state: State, move: Move, answers: Answers) -> str:
        """Return why a move has no odds, as the end of a sentence."""
        if move.follows and not move.rolls:
            return "has no odds" if self.dice_to_type(state, Act(move, answers)) else _NO_ROLL
        position, inner, _ = self._before_roll(state, move, complete_answers(move, answers))
        return self.system.why_no_odds(position, move, inner) or ("has no odds" if move.rolls else _NO_ROLL)

    def _before_roll(self, state: State, move: Move, answers: Answers) -> tuple[Position, Answers, Sequence[str]]:
        """Return what a game needs for the odds of a roll: the position, its own answers, and the clocks that the roll is made on.
        While one called roll asks something, the others are as they will be once that is answered.
        """
        inner, on = clock_and_situation_moves.without_clocks(move, answers, self._common.open_clocks(state.clocks))
        inner, situations, _ = self._acts.split_situations(state, move, inner)
        position = replace(self.position(state), situations=situations)
        is_called = move.called and state.open and state.open.called
        return (replace(position, scene=None) if is_called else position), inner, on

    def panels(self, state: State) -> tuple[Panel, ...]:
        """Return the panels of the sheet."""
        position = self.position(state)
        return (*mark_absent(self.system, self._panels_at(position), position.away), *self._common.panels(state))

    def characters(self, state: State) -> Mapping[str, str]:
        """Return the names of the characters that players may have, by key."""
        return self.system.names_of_characters(state.sheet)

    def board(self, state: State) -> Any:
        """Return the value for the game's own view of what is open between two sides; None if nothing is."""
        return self.system.board(self.position(state))

    def play(self, state: State, act: Act, chance: Dice, when: str = "") -> PlayResult:
        """Play an act. `when` is the time, for entries with a date. Raises `ActRefused` and changes nothing if the
        rules refuse it.
        """
        act, state = _as_own_act(replace(act, answers=complete_answers(act.move, act.answers))), self._as_known(state)
        waiting = state.open.waiting if state.open else None
        if waiting and act.move.follows:
            return self._go_on(state, waiting, act, chance, when)
        # Whoever makes a called roll has dice of their own, or not.
        alone = (
            act.move.apart
            or act.move.by_chance
            or (act.move.called and state.open is not None and state.open.called is not None)
        )
        belongs = act.move.follows and not alone
        typed = act.faces is not None or (belongs and state.open is not None and state.open.typed)
        dice = _typed_dice(state, act.faces) if typed else chance
        played = self._play(state, act, dice, when, typed=typed)
        after = played.state
        # What is done meanwhile may not make the waiting act another one, or impossible.
        if waiting and (self._as_known(after) is not after or self.settled_facts(state) != self.settled_facts(after)):
            raise ActRefused(
                "this would change the roll that is waiting for its dice: type the dice first, or undo the roll"
            )
        return played

    def dice_to_type(self, state: State, act: Act) -> tuple[Die, ...]:
        """Return the real dice that an act still needs after those typed with it, in order. Of one that asks something before it rolls,
        these are the dice for what comes once it is left as it is.
        """
        with suppress(ActRefused):
            whole = _as_own_act(replace(act, answers=complete_answers(act.move, act.answers)))
            known = self._as_known(state)
            dice = _typed_dice(known, act.faces)
            try:
                after, _ = self._acts.play(known, whole, dice, _SOME_TIME, typed=True)
                if not dice.typed and (keep := self._find_keep(after)):
                    self._acts.play(after, keep, TypedDice(dice.unused_faces), _SOME_TIME, typed=True)
            except DiceWanted as wanted:
                return wanted.dice
        return ()

    def missing_dice(self, state: State) -> tuple[str, ...]:
        """Return the label of each die that the current act still waits for; empty if it waits for none."""
        state = self._as_known(state)
        return state.open.waiting.wants if state.open and state.open.waiting else ()

    def awaited_dice(self, state: State) -> tuple[Die, ...]:
        """Return the real dice that the current act still waits for, in order; empty if it waits for none."""
        state = self._as_known(state)
        if not (state.open and state.open.waiting):
            return ()
        resumed, waiting = _resume(state, state.open), state.open.waiting
        return self.dice_to_type(resumed, replace(self._waiting_act(resumed, waiting), faces=waiting.faces))

    def faulty_tables(self, state: State) -> Collection[str]:
        """Return the keys of the random tables that can't be rolled on because of faults in the tables themselves."""
        return self._common.faulty_tables(state)

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
        act = self._waiting_act(resumed, waiting)
        return self._acts.play(resumed, act, TypedDice(waiting.faces, EqualDice(face)), _SOME_TIME, typed=True)[1]

    def _waiting_act(self, resumed: State, waiting: Waiting) -> Act:
        """Return the act that waits for its dice, with all its answers."""
        from waylog.rules.language.command_parser import parse_logged_act

        act = parse_logged_act(self.moves(resumed), waiting.words)
        return replace(act, answers=complete_answers(act.move, act.answers))

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
        # Of the first fact that differs, the dice that are the same have been typed already.
        one, other = (next(iter(facts[len(same) :]), None) for facts in (low, high))
        if isinstance(one, RollFact) and isinstance(other, RollFact):
            pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one.dice, other.dice, strict=False))
            if dice := tuple(face for face, _ in pairs):
                same.append(replace(one, dice=dice))
        return tuple(same)

    def _go_on(self, state: State, waiting: Waiting, act: Act, chance: Dice, when: str) -> PlayResult:
        """Continue the waiting act with the dice that have now been typed, or let Waylog roll the rest."""
        assert state.open
        faces = (*waiting.faces, *(act.faces or ()))
        if act.move.verb == "dice" and not act.faces:
            raise ActRefused(dice_moves.question(waiting.wants))
        resumed = _resume(state, state.open)
        dice = _typed_dice(resumed, faces, chance if act.move.verb == "rest" else None)
        inner = replace(self._waiting_act(resumed, waiting), faces=faces, by=act.by)
        played = self._play(resumed, inner, dice, when, typed=True)
        if dice.rolled and faces:
            # Players see this note if they see the dice; or all of the facts, if none has dice.
            rolls: Sequence[RollFact | NoteFact] = [fact for fact in played.facts if isinstance(fact, RollFact)]
            rolls = rolls or [fact for fact in played.facts if isinstance(fact, NoteFact)]
            about = tuple(dict.fromkeys(path for fact in rolls for path in fact.about))
            text = f"Waylog rolled {dice.rolled} of these dice"
            note = NoteFact(text, secret=any(fact.secret for fact in rolls), about=about, part=NotePart.DETAIL)
            played = replace(
                played, facts=seen_by_some_players.narrow(state, played.state, self.tables, (note, *played.facts))
            )
        title, kind = act.move.heading or act.move.label, EntryKind.PLAY
        return replace(played, words=act.move.verb, title=title, faces=act.faces, follows=True, kind=kind)

    def _play(self, state: State, act: Act, dice: Dice, when: str, *, typed: bool) -> PlayResult:
        words = format_act(act.move, act.answers)
        try:
            after, facts = self._acts.play(state, act, dice, when, typed=typed)
        except DiceWanted as wanted:
            if state.open and state.open.waiting:
                more = "1 more die" if len(wanted.dice) == 1 else f"{len(wanted.dice)} more dice"
                text = f"this needs {more}, but another action is already waiting for its dice"
                raise ActRefused(f"{text}: type all the dice with the command, or none") from None
            wants = tuple(die.question for die in wanted.dice)
            early = dice.early if isinstance(dice, TypedDice) else ()
            used = state.open.early[: len(state.open.early) - len(early)] if state.open else ()
            faces = (*(act.faces or ()), *(each.face for each in used))
            waiting = Waiting(words, faces, wants, takes_numbers(act.move, act.answers))
            meanwhile = act.move.anytime and self._acts.question(state) is not None
            goes_on = act.move.follows or meanwhile or self._common.plays(state, act.move)
            open_state = (state.open or OpenState()) if goes_on else self._acts.left_over(state)
            if act.move.called and open_state.called:
                open_state = replace(open_state, called=replace(open_state.called, now=act.move.about))
            after, facts = replace(state, open=replace(open_state, typed=True, early=early, waiting=waiting)), ()
        else:
            if isinstance(dice, TypedDice):
                after = self._with_early(after, act, dice)
        facts = seen_by_some_players.narrow(state, after, self.tables, facts)
        follows = act.move.follows and not act.move.apart
        kind, verb = self._acts.kind_of(state, act.move), act.move.verb
        # Of several values that were set, the log has all; the title names a few.
        title = self._settings.title(state, after, str(act.answers["text"]), verb) if verb in _SETS else ""
        title = title or log_heading(act.move, act.answers)
        return PlayResult(after, words, title, act.faces, facts, follows, kind, act.move.about)

    def _with_early(self, after: State, act: Act, dice: TypedDice) -> State:
        """Keep the real dice that an act has not used, if it asks something and they are for what comes once it is left as it is. Raises
        `ActRefused` if nothing takes them.
        """
        early = self._find_early(after, act, dice.unused_faces) if dice.unused_faces else dice.early
        if after.open is None or (not early and not after.open.early):
            return after
        kept = early if self._acts.question(after) is not None else ()
        return replace(after, open=replace(after.open, early=kept))

    def _find_early(self, after: State, act: Act, unused: tuple[int, ...]) -> tuple[Face, ...]:
        """Return what the dice are for that an act hasn't used. Raises `ActRefused` if nothing takes them."""
        asked = self._acts.question(after) is not None
        found, left = tuple[Face, ...](), unused
        while left and (keep := self._find_keep(after)):
            dice = TypedDice(left)
            with suppress(DiceWanted):
                after, _ = self._acts.play(after, keep, dice, _SOME_TIME, typed=True)
            found, left = (*found, *dice.typed), dice.unused_faces
        if left:
            typed = len(act.faces or ())
            takes = f"{typed - len(left)}, but you typed {typed}" if typed > len(left) else "no dice"
            later = ". Type the rest when the next question asks for them" if asked else ""
            raise ActRefused(f"Too many dice: this takes {takes}{later}")
        return found

    def _find_keep(self, state: State) -> Act | None:
        """Return the answer that leaves what is asked as it is; None if nothing is asked, or nothing is such an answer."""
        moves = self.moves(state) if self._acts.question(state) is not None else ()
        same = (move for move in moves if move.verb == KEEP and move.follows and not (move.words or move.blocked))
        return next(map(Act, same), None)

    def effect_refusal(self, state: State, words: str, *, rolls: bool = False) -> Refusal | None:
        """Return why words can never be an effect in this game; None if they can. With `rolls`, it is one that the
        game itself offers: it can be a roll, and ask what it leaves open.
        """
        return self._common.effect_refusal(state, rolls=rolls, asks=rolls)(words)

    def card_faults(self, state: State) -> dict[str, list[Fault]]:
        """Return the faults of the campaign's scene cards, by the card's key."""
        return self._common.card_faults(state)

    def table_faults(self, state: State) -> dict[str, list[Fault]]:
        """Return the faults of the campaign's random tables, by the table's key."""
        return self._common.table_faults(state)


_ABSENT = Tag("player away", Tone.DIM)
_SOME_TIME = "2000-01-01 00:00"
"""A date for acts that are played only to see their result."""


def _listed_moves(moves: Sequence[Move]) -> Sequence[Move]:
    return moves if all(move.listed for move in moves) else tuple(move for move in moves if move.listed)


def _typed_dice(state: State, faces: Sequence[int] | None, rest: Dice | None = None) -> TypedDice:
    """Return the real dice of an act: those typed with it, then those that were typed before."""
    return TypedDice(faces or (), rest, state.open.early if state.open else ())


def _as_own_act(act: Act) -> Act:
    """Return the act. Free dice don't follow what is open, even while a roll waits for dice and the same move takes those."""
    if act.move.verb in dice_moves.VERBS and not dice_moves.is_for_waiting(act.answers):
        return replace(act, move=replace(act.move, follows=False))
    return act


def _resume(state: State, opened: OpenState) -> State:
    """Return what was open before real dice were asked for."""
    open_state = replace(opened, waiting=None)
    return replace(state, open=None if open_state == OpenState(typed=True) else open_state)


def _after_the_roll(move: Move) -> Move:
    """Return the move, blocked while an act waits for an answer if it starts a new scene or session."""
    clause = _PARTS.get(move.verb if move.verb == OPEN else move.id)
    if move.blocked or clause is None:
        return move
    return replace(move, blocked=Refusal("answer the open question first, or undo the action", clause))


_PARTS = {"scene": "NM-43", OPEN: "NM-50", "session begin": "NM-40", "session end": "NM-40"}
"""Moves that start a new scene or session, or end one, with their clauses."""


def mark_absent(system: Rulebook, panels: Iterable[Panel], away: Collection[str]) -> Iterator[Panel]:
    """Yield the panels of a game. Those of the characters in `away` say so (NM-46)."""
    paths = {format_path((system.characters, key)) for key in away}
    for panel in panels:
        absent = panel.key in paths
        yield replace(panel, absent=True, tags=(*panel.tags, _ABSENT)) if absent else panel
