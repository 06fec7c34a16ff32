"""What an act does: those that every campaign has, those of the game, and what follows for clocks and offers.

`Game.play` completes an act and sees to its dice; then it comes here. A rule of the game never sees clocks that are closed, situations
that are switched off, or what is open beside its own stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from waylog.rules.campaign_tree import CampaignTree
from waylog.rules.codec.changes import format_path
from waylog.rules.common import (
    called_rolls,
    clock_and_situation_moves,
    deck_moves,
    dice_moves,
    effects_and_circles,
    rulings,
    scene_cards,
)
from waylog.rules.common.common_rules import CommonRules
from waylog.rules.common.effects_and_circles import notes_on_withdrawn, offer_words, with_offers, without_offer
from waylog.rules.model import clocks_situations_and_timers, players_and_permissions, sessions
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.clocks_situations_and_timers import Situations, clock_path, find_clock_names, for_all
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Answers, Move
from waylog.rules.model.state import ACT, EffectOffer, EntryKind, OpenState, Position, State, Turn
from waylog.rules.rulebook import PASSES
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.set_command import SettingValues

SCENE_CLAUSE = "NM-43"
"""The clause of the note with which a scene begins."""
_TICKING = ("tick", "set", "overrule")
"""The verbs with which the wayfinder ticks a clock by hand."""
_SESSION_KINDS = {"begin": EntryKind.SESSION_BEGINS, "end": EntryKind.SESSION_ENDS}


class ActRules:
    """The rules of a game together with those that every campaign has. It keeps no state."""

    def __init__(self, tree: CampaignTree, common: CommonRules, settings: Callable[[], SettingValues]) -> None:
        self._tree, self._common, self._settings = tree, common, settings

    def position(self, state: State) -> Position:
        """Return the position that the game's rules see. It includes only the situations that affect every move."""
        clocks, stage = self._common.open_clocks(state.clocks), state.open.stage if state.open else None
        situations = for_all(self._common.situations_in_force(state))
        away = players_and_permissions.away_characters(state.players, state.sessions)
        return Position(state.sheet, state.rules, clocks, stage, situations, away, state.overruled)

    def question(self, state: State) -> str | None:
        """Return the question that has to be answered first, or None."""
        if state.open and state.open.waiting:
            return dice_moves.question(state.open.waiting.wants)
        drawn = state.open.drawn if state.open else ()
        asked = deck_moves.question(state.decks, drawn) or self._tree.system.question(self.position(state))
        if asked or not (state.open and state.open.called):
            return asked
        return called_rolls.question(state.open.called, self.called_moves(state), self._names(state.sheet))

    def called_moves(self, state: State) -> tuple[Move, ...]:
        """Return the rolls that the wayfinder has called for and that are still to be made (NM-48)."""
        called = state.open.called if state.open else None
        if called is None or not called.rolls:
            return ()
        rolls: Iterable[Move] = (move for move in self._common.own_moves(state) if move.id in called.rolls)
        if holding := self._common.situations_in_force(state):
            rolls = [clock_and_situation_moves.on_roll(move, holding) for move in rolls]
        return called_rolls.called_moves(
            called, clock_and_situation_moves.on_clocks(rolls, self._common.open_clocks(state.clocks))
        )

    def _names(self, sheet: Any) -> Mapping[str, str]:
        """Return the names of the characters by their paths."""
        system = self._tree.system
        found = system.names_of_characters(sheet).items()
        return {format_path((system.characters, key)): name for key, name in found}

    def call_moves(
        self, rolls: Sequence[Move], sheet: Any, players: players_and_permissions.Players, sessions: sessions.Sessions
    ) -> tuple[Move, ...]:
        """Return the moves that call for one of these rolls (NM-48)."""
        away = {
            format_path((self._tree.system.characters, key))
            for key in players_and_permissions.away_characters(players, sessions)
        }
        return called_rolls.moves(rolls, self._names(sheet), away)

    def kind_of(self, state: State, move: Move) -> EntryKind:
        """Return the kind that the log records for the act."""
        match move.verb:
            case "note" | "secret" | "scene" | "set" as verb:
                return EntryKind(verb)
            case scene_cards.OPEN:
                return EntryKind.SCENE
            case "reword" | "tell" | scene_cards.REVEAL:
                return EntryKind.NOTE
            case "session":
                return _SESSION_KINDS.get(move.words[0], EntryKind.SESSION)
            case "effect" | effects_and_circles.SKIP if move.follows:
                return EntryKind.EFFECT
            case _:
                return EntryKind.CARD if move.follows and self._common.plays(state, move) else EntryKind.PLAY

    def play(self, state: State, act: Act, dice: Dice, when: str, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Play an act with these dice. Return the state after it, and the facts. Raises `ActRefused` or `DiceWanted`."""
        before = self._without_offer_of(state, act)
        after, facts = self._play(before, act, dice, when, typed=typed)
        after = self._without_offers_on_ticked(state, after) if act.move.verb in _TICKING else after
        return self._without_offers_on_gone(before, after), facts

    def _play(self, state: State, act: Act, dice: Dice, when: str, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        match act.move.verb:
            case "note" | "secret" | "reword" | "misread" as verb:
                return state, (_remark(state, str(act.answers["text"]), secret=verb in ("secret", "misread")),)
            case "scene" | scene_cards.OPEN:
                return self._begin_scene(state, act, dice, typed=typed)
            case "set" | "overrule" as verb:
                return self._settings().play(state, str(act.answers["text"]), overrules=verb == "overrule")
            case "spotlight" | "allow" | "disallow":
                players, facts = players_and_permissions.play(state.players, act.move, act.answers)
                return replace(state, players=players), facts
            case "ruling":
                ruled, facts = rulings.play(state.rulings, self._tree.clauses, act.move, act.answers)
                return replace(state, rulings=ruled), facts
            case "session":
                return self._play_session(state, act, dice, when)
            case _ if clocks_situations_and_timers.plays_timer(act.move):
                running, facts = clocks_situations_and_timers.play_timer(state.timers, act.move, act.answers, when)
                return replace(state, timers=running), facts
            case called_rolls.VERB | called_rolls.FINISH if act.move.called:
                return self._play_call(state, act)
            case "on" | "effect" | effects_and_circles.SKIP as verb if act.move.follows:
                is_clock = verb == "on"
                return (
                    self._advance_clock(state, act.move)
                    if is_clock
                    else self._play_effect(state, act.move, act.answers, dice, typed=typed)
                )
            case "play" if not act.move.follows and self._common.plays(state, act.move):
                return self._card_used(state, act, dice, typed=typed)
            case _ if self._common.plays(state, act.move):
                return self._play_common(state, act.move, act.answers, dice, typed=typed, by=act.by)
            case _:
                return self._system_plays(state, act, dice, typed=typed)

    def _begin_scene(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Begin a scene (NM-43). That of a card comes with effects; once one of them asks something, the others are offered (NM-50)."""
        # Offers of one scene don't continue in the next.
        after, effects = replace(state, open=None), tuple[str, ...]()
        after, ended = self._end_what_lasts(after, "scene", dice, typed=typed)
        if act.move.verb == scene_cards.OPEN:
            after, title, effects = scene_cards.open_card(self._common.cards, after, act.move)
        else:
            title = str(act.answers["title"])
        facts: tuple[Fact, ...] = (scene_note(_remark(state, title), title), *ended)
        for number, words in enumerate(effects):
            if self.question(after) is not None:
                left = (EffectOffer(f"{ACT}{act.move.words[0]}", f"“{title}”", each) for each in effects[number:])
                return replace(after, open=with_offers(after.open or OpenState(), tuple(left))), facts
            try:
                after, more = self._in_effect(after, self._common.effect(after, words), dice, typed=typed)
            except ActRefused as refused:
                reason = f"“{words}” on the scene card can't be done now: {refused.refusal.reason}"
                raise ActRefused(reason, scene_cards.CLAUSE) from None
            facts = (*facts, *more)
        return after, facts

    def _play_call(self, state: State, act: Act) -> tuple[State, tuple[Fact, ...]]:
        """Call for rolls, or end a call although somebody hasn't rolled (NM-48)."""
        names = self._names(state.sheet)
        if act.move.verb == called_rolls.VERB:
            called, facts = called_rolls.begin(act.move, act.answers, self._common.own_moves(state), names)
            return replace(state, open=OpenState(called=called)), facts
        facts = called_rolls.note_absent(state.open.called if state.open else None, self.called_moves(state), names)
        return self._finish_roll(state, replace(state, open=replace(state.open or OpenState(), called=None)), facts)

    def _play_common(
        self, state: State, move: Move, answers: Answers, dice: Dice, *, typed: bool, by: str = ""
    ) -> tuple[State, tuple[Fact, ...]]:
        """Play an act with clocks, tables or decks. If its dice are real, those of its effects are too."""
        base = replace(state, open=replace(state.open or OpenState(), typed=True)) if typed else state
        after, facts = self._common.play(base, move, answers, dice, by)
        if move.verb == "time":
            after, ended = self._end_what_lasts(after, "time", dice, typed=typed)
            facts = (*facts, *ended)
        return self._finish_roll(state, after, facts)

    def _system_plays(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        under_way = self.question(state) is not None or bool(state.open and state.open.stage)
        goes_on = act.move.follows or (act.move.anytime and under_way)
        open_state = state.open if goes_on and state.open else self.left_over(state)
        if act.move.called and open_state.called:
            # Each called roll begins like any other.
            called = open_state.called.without(act.move.id, act.move.about)
            open_state = replace(self.left_over(state), offers=open_state.offers, called=called)
        position = replace(self.position(state), scene=open_state.stage)
        inner, on = clock_and_situation_moves.without_clocks(act.move, act.answers, position.clocks)
        inner, situations, off = self.split_situations(state, act.move, inner)
        position = replace(position, situations=situations)
        turn = self._tree.system.play(position, act.move, inner, dice)
        outcomes = (fact for fact in turn.facts if isinstance(fact, OutcomeFact) and not fact.aside)
        moods = [fact.mood for fact in outcomes if fact.mood]
        opened = replace(
            open_state,
            stage=turn.position.scene,
            typed=typed or (open_state.typed and not (act.move.apart or act.move.by_chance)),
            on=tuple(dict.fromkeys((*open_state.on, *on))),
            mood=moods[-1] if moods else open_state.mood,
        )
        facts = (*off, *turn.facts, *_notes_on_withdrawn(opened, turn))
        return self._finish_roll(state, self._apply_turn(state, turn, with_offers(opened, turn.offers)), facts)

    def left_over(self, state: State) -> OpenState:
        """Return what is still open once another act begins: the offers that nobody has taken (NM-16, NM-24, NM-25)."""
        opened, clocks = state.open or OpenState(), self._common.open_clocks(state.clocks)
        grades = {key: clock_and_situation_moves.offered_grades(opened, key, one) for key, one in clocks.items()}
        offers = tuple(replace(offer, late=True) for offer in opened.offers)
        return OpenState(offers=offers, missed={key: each for key, each in grades.items() if each})

    def split_situations(
        self, state: State, move: Move, answers: Answers
    ) -> tuple[Answers, Situations, tuple[Fact, ...]]:
        """Split the answers: those of the game itself, the situations that affect the move, and notes on those switched
        off (NM-19).
        """
        holding = self._common.situations_in_force(state)
        if not move.heeds:
            return answers, for_all(holding), ()
        return clock_and_situation_moves.without_situations(move, answers, holding)

    def _apply_turn(self, state: State, turn: Turn, opened: OpenState) -> State:
        """Return the state after a game's turn. The game saw only the open clocks, and may have moved them."""
        same = turn.position.clocks is self._common.open_clocks(state.clocks)
        clocks = state.clocks if same else {**state.clocks, **turn.position.clocks}
        return replace(state, sheet=turn.position.sheet, clocks=clocks, open=opened)

    def _finish_roll(self, before: State, after: State, facts: tuple[Fact, ...]) -> tuple[State, tuple[Fact, ...]]:
        """Move the clocks of a finished roll, note those that are full and what they no longer do, and close a stage that asks nothing."""
        opened = after.open or OpenState()
        if opened.on and opened.mood and self._tree.system.question(self.position(after)) is None:
            clocks, moved = clock_and_situation_moves.advance_by_roll(after.clocks, opened.on, opened.mood)
            opened = replace(opened, on=(), moved=(*opened.moved, *opened.on))
            after, facts = replace(after, clocks=clocks), (*facts, *moved)
        running = self._common.open_clocks(after.clocks)
        was = before.clocks
        filled = [key for key, clock in running.items() if clock.full and not (key in was and was[key].full)]
        facts = (*facts, *(clock_and_situation_moves.filled_note(key, after.clocks[key]) for key in filled))
        facts = (*facts, *self._common.ended_effects(before, after))
        # What a full clock offers is over once it isn't full any more.
        kept = tuple(offer for offer in opened.offers if not _is_emptied(after, offer.source))
        opened = replace(opened, offers=kept)
        full = {key: after.clocks[key] for key in filled if after.clocks[key].when_full}
        offers = tuple(EffectOffer(f"clocks.{key}", f"“{c.name}” is full", c.when_full) for key, c in full.items())
        opened = with_offers(opened, offers)
        moving = {key for key, clock in running.items() if clock_and_situation_moves.would_move(opened, key, clock)}
        if not moving:
            opened = replace(opened, mood=None, moved=())
        if opened.called and not opened.called.rolls and self._tree.system.question(self.position(after)) is None:
            opened = replace(opened, called=None)
        if opened == OpenState(typed=opened.typed, on=opened.on):
            return replace(after, open=None), facts
        return replace(after, open=opened), facts

    def _without_offers_on_ticked(self, before: State, after: State) -> State:
        """Return the state after an act of the wayfinder, without as much of what rolls offered on its clocks as it has ticked: whoever
        has filled a clock for a roll already isn't asked to do it again (NM-24).
        """
        opened, ticked = after.open, False
        for key, clock in before.clocks.items():
            if opened and (by := after.clocks.get(key, clock).filled - clock.filled):
                opened, ticked = clock_and_situation_moves.without_offered(opened, key, clock, by), True
        return self._finish_roll(after, replace(after, open=opened), ())[0] if ticked else after

    def _without_offers_on_gone(self, before: State, after: State) -> State:
        """Drop the offers of earlier acts whose clock is closed or no longer there. One that has just come says so, and a note drops none,
        because it leaves alone what is open.
        """
        if before.open is None or after.open is None or after.open is before.open:
            return after
        earlier = {(offer.source, offer.number) for offer in before.open.offers}
        opened = after.open
        gone = [
            offer
            for offer in opened.offers
            if (offer.source, offer.number) in earlier and self._common.has_no_clock(after, offer)
        ]
        if not gone:
            return after
        kept = tuple(offer for offer in opened.offers if offer not in gone)
        return self._finish_roll(after, replace(after, open=replace(opened, offers=kept)), ())[0]

    def _play_session(self, state: State, act: Act, dice: Dice, when: str) -> tuple[State, tuple[Fact, ...]]:
        """Start or end a session, or say more of it. With it end its timers, its offers, and what players were allowed until then. A
        question that is answered turn by turn, as in a conflict, goes on in the next session.
        """
        characters = self._tree.system.names_of_characters(state.sheet).values()
        at_table = players_and_permissions.names(state.players) or tuple(characters)
        after, facts = sessions.play(state.sessions, act.move, act.answers, when, at_table)
        state = replace(state, sessions=after)
        if act.move.words[0] == sessions.BORDERS[1]:
            state, ended = self._end_what_lasts(state, "session", dice, typed=False)
            facts = (*facts, *ended)
            state = replace(state, timers={}, players=players_and_permissions.end_session(state.players))
        if act.move.words[0] in sessions.BORDERS:
            asks = self._tree.system.question(self.position(state)) is not None
            begins = act.move.words[0] == sessions.BORDERS[0]
            stage = state.open.stage if state.open and asks else self._tree.system.session_begins if begins else None
            state = replace(state, open=OpenState(stage=stage) if stage else None)
        return state, facts

    def _advance_clock(self, state: State, move: Move) -> tuple[State, tuple[Fact, ...]]:
        """Make the last roll on one more clock (NM-24)."""
        assert state.open
        key = clock_and_situation_moves.clock_words(self._common.open_clocks(state.clocks))[move.words[0]]
        clock = state.clocks[key]
        *earlier, grade = clock_and_situation_moves.offered_grades(state.open, key, clock)
        clocks, facts = clock_and_situation_moves.advance_by_roll(state.clocks, (key,), grade)
        if clock_and_situation_moves.would_move(state.open, key, clock):
            opened = replace(state.open, moved=(*state.open.moved, key))
        else:
            opened = clock_and_situation_moves.with_earlier(state.open, key, earlier)
        return self._finish_roll(state, replace(state, clocks=clocks, open=opened), facts)

    def _play_effect(
        self, state: State, move: Move, answers: Answers, dice: Dice, *, typed: bool
    ) -> tuple[State, tuple[Fact, ...]]:
        """Apply an offered effect, of the game or of the common rules, or skip all of a choice (NM-16, NM-25)."""
        assert state.open
        offer = offer_words(state.open)[move.words[0]]
        opened = without_offer(state.open, offer, skips=move.verb == effects_and_circles.SKIP)
        if move.verb == effects_and_circles.SKIP:
            skipped = NoteFact(effects_and_circles.skipped_words(offer), "NM-16")
            return self._finish_roll(state, replace(state, open=opened), (skipped,))
        act = self._common.act_of_offer(state, move, answers)
        return self._in_effect(replace(state, open=opened), act, dice, typed=typed)

    def _without_offer_of(self, state: State, act: Act) -> State:
        """Return the state without the newest offer of just this act: whoever has done it by hand isn't asked to do it again (NM-16)."""
        opened, move = state.open, act.move
        if opened is None or (move.follows and not move.called):
            return state
        near = (offer for offer in opened.offers if move.verb.startswith(offer.act.partition(" ")[0].lower()))
        done = next((offer for offer in near if self._common.offers_just(state, offer, act)), None)
        return replace(state, open=without_offer(opened, done)) if done else state

    def _card_used(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Use a kept card: count the use and apply its effect, both or neither (NM-18)."""
        effect = self._common.effect_in_use(state, act.move, act.answers)
        after, facts = self._play_common(state, act.move, act.answers, dice, typed=typed)
        if not effect:
            return after, facts
        done, more = self._in_effect(after, self._common.effect(after, effect), dice, typed=typed)
        return done, (*facts, *more)

    def _end_what_lasts(self, state: State, until: str, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """End the values of the sheet that last until this is over, if the game has any."""
        if until not in self._tree.system.lasting:
            return state, ()
        return self._in_effect(state, Act(Move(PASSES, (until,), "")), dice, typed=typed)

    def _in_effect(self, state: State, act: Act, dice: Dice, *, typed: bool) -> tuple[State, tuple[Fact, ...]]:
        """Apply an effect on top of what is open. Raises `ActRefused` if that isn't possible now."""
        opened = state.open or OpenState()
        answers = complete_answers(act.move, act.answers)
        if act.move.verb == "note":
            return self._finish_roll(state, replace(state, open=opened), (_remark(state, str(answers["text"])),))
        if self._common.plays(state, act.move):
            return self._play_common(state, act.move, answers, dice, typed=typed)
        turn = self._tree.system.play(replace(self.position(state), scene=None), act.move, answers, dice)
        outcomes = (fact for fact in reversed(turn.facts) if isinstance(fact, OutcomeFact) and not fact.aside)
        mood = next((fact.mood for fact in outcomes), opened.mood)
        opened = replace(opened, stage=turn.position.scene or opened.stage, typed=opened.typed or typed, mood=mood)
        facts = (*turn.facts, *_notes_on_withdrawn(opened, turn))
        return self._finish_roll(state, self._apply_turn(state, turn, with_offers(opened, turn.offers)), facts)


def _notes_on_withdrawn(opened: OpenState, turn: Turn) -> tuple[Fact, ...]:
    """Return the notes on what a game's turn takes back. Those of a hidden roll are as secret as it is."""
    secret = any(isinstance(fact, OutcomeFact) and fact.secret for fact in turn.facts)
    return notes_on_withdrawn(opened, turn.offers, secret=secret)


def scene_note(note: NoteFact, title: str) -> NoteFact:
    """Return a note with the title of a scene as what the scene begins with (NM-43)."""
    return replace(note, text=f"Scene: {title}" if title else "A new scene", clause=SCENE_CLAUSE, quote=title or None)


def _remark(state: State, text: str, *, secret: bool = False) -> NoteFact:
    """Make a note in the log. If it names a clock, it is about that clock, and is hidden from players with it."""
    return NoteFact(text, secret=secret, about=tuple(map(clock_path, find_clock_names(text, state.clocks))))


def _is_emptied(state: State, source: str) -> bool:
    """Whether an offer comes from a clock that is not full any more."""
    part, _, key = source.partition(".")
    return part == "clocks" and key in state.clocks and not state.clocks[key].full
