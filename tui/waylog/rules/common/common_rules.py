"""What every game has beside its own rules: clocks, decks, random tables, situations and free dice, their effects, and
their faults.

`Game` makes one `CommonRules` for a campaign and asks it after the game's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from operator import is_
from typing import Generic, ParamSpec, TypeVar

from waylog.rules.codec.base_and_limits import Fault, fault_of_value
from waylog.rules.codec.changes import Path, join_names
from waylog.rules.common import (
    clock_and_situation_moves,
    deck_moves,
    dice_moves,
    random_tables,
    scene_cards,
    seen_by_some_players,
)
from waylog.rules.common.effects_and_circles import (
    CLOCK,
    SKIP,
    WHEN_FULL,
    Circles,
    EffectRefusal,
    Node,
    Reads,
    as_own_act,
    circles,
    effect_faults,
    names_already,
    offer_words,
    read_effect,
    refusal_of_effect,
    skipped_words,
    with_offers,
)
from waylog.rules.common.random_tables import Tables
from waylog.rules.common.scene_cards import SceneCards
from waylog.rules.model import clocks_situations_and_timers, sessions
from waylog.rules.model.answers import (
    complete_answers,
    complete_offer,
    describe,
    log_heading,
    takes_numbers,
    without_refusal,
)
from waylog.rules.model.clocks_situations_and_timers import (
    OTHER_SIZES,
    SIZES,
    Situations,
    WhileRunning,
    advance,
    in_force,
    note,
)
from waylog.rules.model.decks import Decks
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import Fact
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Answers,
    Ask,
    Move,
    Number,
    PickMany,
    PickOne,
    Refusal,
    Text,
    as_many,
)
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import ACT, EffectOffer, OpenState, State
from waylog.values import replace

P = ParamSpec("P")
T = TypeVar("T")
_VERBS = frozenset(
    (
        *clock_and_situation_moves.VERBS,
        *clock_and_situation_moves.SITUATION_VERBS,
        *random_tables.VERBS,
        *deck_moves.VERBS,
        *dice_moves.VERBS,
        *seen_by_some_players.VERBS,
        scene_cards.REVEAL,
    )
)
_TELL = Move(
    "note", (), "Tell the players", (Text("text", "Text", required=True),), effect=True, heading="Players are told"
)
"""Tells the players what was held back (`lines_and_veils.py`)."""
_NOTE = Move("note", (), "Write a note in the log", (Text("text", "Note", required=True),), title="Note")
_SECRET = Move("secret", (), "Write a secret note", (Text("text", "Note", required=True),), title="Secret note")
_SCENE = Move("scene", (), "New scene", (Text("title", "Title"),))
_REWORD = Move(
    "reword",
    (),
    "Edit entry",
    (Number("entry", "Log entry", 1, 10**9), Text("text", "New text", required=True)),
)
_MISREAD = Move(
    "misread",
    (),
    "Correct a misread die",
    (
        Number("entry", "Log entry", 1, 10**9),
        Text("text", "Misread die", required=True, example="2=5 if a 2 was really a 5"),
    ),
)
REMARKS = (_NOTE, _SECRET, _SCENE, _REWORD, _MISREAD)
"""The moves that write into the log or correct it. The wayfinder may always make them."""


class Memo(Generic[P, T]):
    """A function of parts of a state, such as its sheet and its clocks, that remembers its last two results: there are the state that is
    played on, and the one in the campaign file, which is brought up to it after each act.

    A part stays the same object until it changes, so most calls only compare references.
    """

    def __init__(self, function: Callable[P, T]) -> None:
        self._function = function
        self._known: tuple[tuple[tuple[object, ...], T], ...] = ()
        """The latest first. It is replaced as a whole, because files are written in another thread."""

    def __call__(self, *parts: P.args, **none: P.kwargs) -> T:
        known = self._known
        for one in known:
            if all(map(is_, one[0], parts)):
                if one is not known[0]:
                    self._known = one, known[0]
                return one[1]
        result = self._function(*parts, **none)
        self._known = (parts, result), *known[:1]
        return result


class CommonRules:
    """The clocks, decks and tables of one game. They change the game's own sheet only through the game's own moves."""

    def __init__(
        self,
        tables: Tables,
        cards: SceneCards,
        own_moves: Callable[[State], Sequence[Move]],
        running: Collection[WhileRunning] = (),
        *,
        ends_with_time: bool = False,
    ) -> None:
        """Take the campaign's random tables and scene cards, and the game.

        `own_moves` returns the game's moves as if nothing were open; some of them may be effects. `running` lists the
        effects that the game allows a running clock. `ends_with_time` says that values of the game may end when time passes.
        """
        self.tables, self.cards = tables, cards
        self.own_moves = own_moves
        """Returns the game's moves as if nothing were open."""
        self._running = running
        self.open_clocks = Memo(clock_and_situation_moves.open_clocks)
        self.deck_moves = Memo(partial(deck_moves.moves, letters=random_tables.table_letters(tables)))
        self._clock_moves = Memo(
            partial(clock_and_situation_moves.moves, running=running, ends_with_time=ends_with_time)
        )
        self._table_moves = Memo(self._of_tables)
        self._timer_moves = Memo(clocks_situations_and_timers.timer_moves)
        self._only_for_moves = Memo(seen_by_some_players.moves)
        self._card_moves = Memo(partial(scene_cards.moves, cards))
        self._dice_move = Memo(dice_moves.dice_move)
        self._circles = Memo(self._find_circles)
        self._last_circles: tuple[object, Circles] | None = None
        self._last_effects: tuple[object, dict[tuple[str, bool], Refusal | None]] = (None, {})

    # -- play ---------------------------------------------------------------------------------------------------

    def asides(self, state: State) -> tuple[Move, ...]:
        """Return the moves for clocks, situations, tables, timers and free dice. They are possible even while a question is open."""
        waiting = state.open.waiting if state.open else None
        of_tables = self._table_moves(self._circles(state.decks))
        things = (state.clocks, state.decks, state.situations, state.timers)
        return (
            *self._clock_moves(state.clocks, state.rules),
            *clock_and_situation_moves.moves_of_situations(
                state.situations, self.open_clocks(state.clocks), self._running
            ),
            *scene_cards.put_needed_first(of_tables, self.cards, state.prep),
            *self._timer_moves(state.timers),
            *self._only_for_moves(state.players, state.clocks, state.decks, state.situations, state.timers),
            *(self._card_moves(state.prep, *things) if self.cards else ()),
            self._dice_move(state.dice) if waiting is None else dice_moves.dice_move(state.dice, waiting),
        )

    def situations_in_force(self, state: State) -> Situations:
        """Return the situations in force (NM-19)."""
        if not state.situations:
            return state.situations
        return in_force(state.situations, state.clocks, self._running)

    def ended_effects(self, before: State, after: State) -> tuple[Fact, ...]:
        """Note which effects of clocks an act has begun or ended, and which situations ended with their clock (NM-19, NM-25)."""
        if before.clocks is after.clocks:
            return ()
        earlier, holds = self.situations_in_force(before), self.situations_in_force(after)
        ended = [(key, one) for key, one in earlier.items() if key in after.situations and key not in holds]
        over = [note(key, one, f"“{one.name}” ends") for key, one in ended if not after.situations[key].over]
        return (*clock_and_situation_moves.effect_notes(before.clocks, after.clocks, self._running), *over)

    def panels(self, state: State) -> Iterator[Panel]:
        """Yield the panels that follow the ship's: kept cards, and the situations in force."""
        yield from deck_moves.panel(state.decks)
        yield from clock_and_situation_moves.panel(state.situations, state.clocks, self._running)

    def follow_ups(self, state: State) -> tuple[Move, ...]:
        """Return the follow-ups of the last act: its effects, the choices after a draw, and a clock for the roll
        (NM-24).
        """
        if state.open is None:
            return ()
        on = []
        clocks = self.open_clocks(state.clocks)
        for word, key in clock_and_situation_moves.clock_words(clocks).items():
            if not (grades := clock_and_situation_moves.offered_grades(state.open, key, clocks[key])):
                continue
            fresh = clock_and_situation_moves.would_move(state.open, key, clocks[key])
            segments = advance(clocks[key], grades[-1])
            title = f"Fill {'1 segment' if segments == 1 else f'{segments} segments'} of “{clocks[key].name}”"
            about = (f"clocks.{key}",)
            heading = f"“{clocks[key].name}” advances" + (f" by {segments}" if segments > 1 else "")
            fill = Move(
                "on", (word,), title, title=title, heading=heading, follows=True, late=not fresh, about=about, offer="o"
            )
            on.append(as_many(fill, len(grades)))
        drawn = deck_moves.follow_ups(state.decks, state.open.drawn)
        found = (*self._offer_moves(state, state.open), *on, *drawn)
        return (*(move for move in found if not move.late), *(as_own_act(move) for move in found if move.late))

    def _offer_moves(self, state: State, opened: OpenState) -> Iterator[Move]:
        """Yield the offered effects, and what skips all of a choice. One that can't be applied now says why (NM-16, NM-25)."""
        skips: dict[str, Move] = {}
        for word, offer in offer_words(opened).items():
            no, whole, does, did, named, asks, rolls = None, False, offer.act, "", False, tuple[Ask, ...](), False
            try:
                act = self.effect(state, offer.act, offer.source)
                does, did = describe(act.move, act.answers), log_heading(act.move, act.answers)
                # A word that stands for somebody begins their name, which keeps its capital.
                named = does.partition(" ")[0].lower() in "-".join(act.move.words).split("-")
                whole, rolls = takes_numbers(act.move, act.answers), act.move.rolls
                if _asks_the_rest(offer, act.move):  # What the offer has not answered, whoever takes it may choose.
                    asks, no = tuple(ask for ask in act.move.asks if ask.name not in act.answers), act.move.blocked
                answers = complete_offer(act.move, act.answers) if asks else complete_answers(act.move, act.answers)
                if act.move.verb in clock_and_situation_moves.VERBS:
                    clock_and_situation_moves.play(state.clocks, act.move, answers)  # A full clock refuses a tick.
            except ActRefused as refused:
                clause = "NM-25" if offer.source.startswith(CLOCK) else "NM-16"
                no = replace(refused.refusal, clause=refused.refusal.clause or clause)
            counts = f"; this one counts as {offer.takes}" if offer.takes > 1 else ""
            label = (
                does
                if names_already(does, offer.why)
                else f"{offer.why}: {does if named else does[:1].lower() + does[1:]}"
            )
            heading = did if names_already(did, offer.why) else f"{offer.why}: {did}"
            label += f" (choose up to {offer.still_to_take}{counts})" if offer.still_to_take > 1 else ""
            label += " (required)" if offer.required and not offer.taken else ""
            about = () if offer.source.startswith(ACT) else (offer.source,)
            if no and offer.late:  # It has had its time.
                continue
            yield Move(
                "effect",
                (word,),
                label,
                asks,
                no,
                rolls=rolls,
                follows=True,
                late=offer.late,
                about=about,
                offer="E",
                whole=whole,
                heading=heading if did else "",
            )
            if offer.one_of and (offer.taken or not offer.required):
                label = skipped_words(offer)
                skips.setdefault(
                    label, Move(SKIP, (word,), label, follows=True, late=offer.late, about=about, offer="E")
                )
        yield from skips.values()

    def has_no_clock(self, state: State, offer: EffectOffer) -> bool:
        """Whether the clock that an offer comes from is no longer there, or the one that it ticks is closed or no longer there."""
        key = offer.source.removeprefix(CLOCK)
        if key != offer.source and key not in state.clocks:
            return True
        if offer.act.split()[:1] != ["tick"]:
            return False
        ticks = *self._clock_moves(state.clocks, state.rules), *clock_and_situation_moves.ticks_of_closed(state.clocks)
        try:
            ticked = read_effect([move for move in ticks if move.effect], offer.act).move.about
        except ActRefused:
            return True
        return any(state.clocks[path.removeprefix(CLOCK)].closed for path in ticked)

    def act_of_offer(self, state: State, move: Move, answers: Answers) -> Act:
        """Return what an offered effect does, with what whoever takes it has answered. Raises `ActRefused`."""
        offer = offer_words(state.open or OpenState())[move.words[0]]
        act = self.effect(state, offer.act, offer.source)
        return replace(act, answers=complete_answers(act.move, {**act.answers, **answers}))

    def offers_just(self, state: State, offer: EffectOffer, act: Act) -> bool:
        """Whether an act, with all its answers, is the one that is offered. What the offer asks may be answered in any way."""
        from waylog.rules.language.word_meanings import may_take

        if not may_take(act.move, offer.act.lower().split()):
            return False
        try:
            offered = self.effect(state, offer.act, offer.source)
            wanted = (
                offered.answers
                if _asks_the_rest(offer, offered.move)
                else complete_answers(offered.move, offered.answers)
            )
        except ActRefused:
            return False
        return offered.move.id == act.move.id and wanted.items() <= act.answers.items()

    def plays(self, state: State, move: Move) -> bool:
        """Whether the move is one of clocks, situations, tables, decks or free dice."""
        if move.follows:
            drawn = state.open.drawn if state.open else ()
            return move.id in [follow_up.id for follow_up in deck_moves.follow_ups(state.decks, drawn)]
        return move.verb in _VERBS

    def play(
        self, state: State, move: Move, answers: Answers, dice: Dice, by: str = ""
    ) -> tuple[State, tuple[Fact, ...]]:
        """Play one of these moves, for the player with the key `by` or for the wayfinder. What is open stays open, and the
        effects that the act brings are offered with it.
        """
        opened = state.open or OpenState()
        if move.verb in dice_moves.VERBS:
            return state, dice_moves.play(move, answers, dice, {} if by else state.clocks)
        if move.verb in seen_by_some_players.VERBS:
            return seen_by_some_players.play(state, Act(move, answers, by=by))
        if move.verb == scene_cards.REVEAL:
            return scene_cards.reveal(self.cards, state, move)
        if move.verb in random_tables.VERBS:
            facts, offers = random_tables.play(self.tables, move, answers, dice)
            return replace(state, open=with_offers(opened, offers)), facts
        if move.verb in clock_and_situation_moves.VERBS and not deck_moves.is_sight(move):
            # The effect of a new clock has to be one that the game has.
            words = str(answers.get(WHEN_FULL, ""))
            if words and (why := self.effect_refusal(state, asks=True)(words)):
                raise ActRefused(why.reason, "NM-17")
            clocks, facts = clock_and_situation_moves.play(state.clocks, move, answers)
            return replace(state, clocks=clocks), facts
        if move.verb in clock_and_situation_moves.SITUATION_VERBS:
            clocks = self.open_clocks(state.clocks)
            situations, facts = clock_and_situation_moves.play_situation(state.situations, clocks, move, answers)
            return replace(state, situations=situations), facts
        dealt = deck_moves.play(state.decks, opened.drawn, move, answers, dice)
        # A card that is back in the pile has no effect any more.
        back = {
            f"decks.{key}.cards.{card}"
            for key, deck in state.decks.items()
            for card in {*dealt.decks[key].pile} - {*deck.pile}
        }
        opened = replace(opened, offers=tuple(offer for offer in opened.offers if offer.source not in back))
        opened = replace(with_offers(opened, dealt.offers), drawn=dealt.drawn)
        return replace(state, decks=dealt.decks, open=opened), dealt.facts

    def effect_in_use(self, state: State, move: Move, answers: Answers) -> str:
        """Return the effect of the kept card that this move uses; empty if it has none. Raises `ActRefused` (NM-18)."""
        deck_moves.check_condition(state.decks, move, answers)
        deck, card = deck_moves.kept_words(state.decks)[move.words[0]]
        return state.decks[deck].cards[card].effect

    def _of_tables(self, circles: Circles) -> tuple[Move, ...]:
        return (
            random_tables.moves(self.tables, random_tables.unusable_tables(self.tables, self._wrong(circles)))
            if self.tables
            else ()
        )

    def faulty_tables(self, state: State) -> Collection[str]:
        """Return the keys of the tables that can't be rolled on because of faults in the tables themselves."""
        return self._wrong(self._circles(state.decks)).keys() if self.tables else ()

    def _wrong(self, circles: Circles) -> Mapping[str, Fault]:
        """Return the tables that can't be rolled on, each with its first fault."""
        faults_by_table = {key: (*faults, circles.get(("table", key))) for key, faults in self._own_faults.items()}
        return {
            key: first
            for key, found in faults_by_table.items()
            if (first := next((fault for fault in found if fault), None))
        }

    # -- effects ------------------------------------------------------------------------------------------------

    def effect(self, state: State, words: str, source: str = "") -> Act:
        """Return the act of an effect. Raises `ActRefused` if its words are not an effect in this game.

        `source` is that of the offer. Only one that comes from no file may tell the players something, and only one of the game's own may
        be a roll.
        """
        from_game = bool(source) and source.partition(".")[0] not in ("clocks", "decks", "tables")
        moves = self._effect_moves(state, rolls=from_game)
        return read_effect([*moves, _TELL] if source.startswith(ACT) else moves, words)

    def _effect_moves(self, state: State, *, rolls: bool = False) -> list[Move]:
        closed = clock_and_situation_moves.ticks_of_closed(state.clocks)
        moves = (*self.own_moves(state), *self.asides(state), *self.deck_moves(state.decks), *closed)
        return [move for move in moves if move.effect or (rolls and move.rolls)]

    def _find_circles(self, decks: Decks) -> Circles:
        """Find the tables and decks that lead back to themselves.

        The search is repeated only when an effect has changed: a draw changes a deck, but not where the deck leads.
        """
        effects_by_deck = [(key, [card.effect for card in deck.cards.values()]) for key, deck in decks.items()]
        if self._last_circles is None or self._last_circles[0] != effects_by_deck:
            self._last_circles = effects_by_deck, circles(self.tables, decks, self._reads(decks))
        return self._last_circles[1]

    def _reads(self, decks: Decks) -> Reads:
        table_words, deck_words = random_tables.table_words(self.tables), deck_moves.deck_words(decks)
        leading = [*random_tables.moves(self.tables, {}), *self.deck_moves(decks)]
        leading = [replace(move, blocked=None) for move in leading if move.effect]

        @cache
        def reads(words: str) -> Node | None:
            from waylog.rules.language.command_parser import parse_act
            from waylog.rules.language.line_tokens_and_matching import tokens

            if not any(verb.startswith(token.text.lower()) for token in tokens(words) for verb in ("table", "draw")):
                return None
            try:
                move = parse_act(leading, words).move
            except ActRefused:
                return None
            word = move.words[0]
            return ("table", table_words[word]) if move.verb == "table" else ("deck", deck_words[word])

        return reads

    # -- what is wrong ------------------------------------------------------------------------------------------

    def faults(self, state: State) -> Iterator[Fault]:
        """Yield what breaks a clause in the campaign file."""
        yield from sessions.faults(state.sessions)
        yield from dice_moves.faults(state.dice)
        yield from clocks_situations_and_timers.timer_faults(state.timers)
        yield from seen_by_some_players.faults(state)
        refusal = self.effect_refusal(state)
        for key, clock in state.clocks.items():
            path = ("clocks", key)
            if clock.segments not in SIZES and state.rules.clock_sizes == "usual":
                allowed = f"it should be {join_names(map(str, SIZES), 'or')}. {OTHER_SIZES}"
                yield fault_of_value((*path, "segments"), clock.segments, allowed, "NM-20", grave=False)
            if clock.filled > clock.segments:
                allowed = f"this clock has {clock.segments} segments"
                yield fault_of_value((*path, "filled"), clock.filled, allowed, "NM-26", grave=False)
            if clock.running not in (WhileRunning.NOTHING, *self._running):
                instead = "".join(f", or use {effect}" for effect in self._running)
                message = f"running can't be {clock.running}, which has no effect in this game: leave it out{instead}"
                yield Fault((*path, "running"), message, "NM-25", grave=False)
            yield from effect_faults(
                (*path, "when_full"), clock.when_full, "NM-25", self.effect_refusal(state, asks=True)
            )
        yield from clock_and_situation_moves.faults(state.situations, state.clocks, self._running)
        for key, deck in state.decks.items():
            path = ("decks", key)
            for name in ("drawn", "kept", "aside", "shown"):
                for number, card in enumerate(getattr(deck, name)):
                    if card not in deck.cards:
                        message = f"{name} lists “{card[:40]}”, but the deck has no such card"
                        yield Fault((*path, name, str(number)), message, "NM-10", grave=False)
            for card_key, kept_card in deck.cards.items():
                yield from effect_faults((*path, "cards", card_key, "effect"), kept_card.effect, "NM-16", refusal)
        for (kind, _), fault in self._circles(state.decks).items():
            if kind == "deck":
                yield fault

    @cached_property
    def _own_faults(self) -> Mapping[str, Sequence[Fault]]:
        """The faults of each table by itself. They don't change while the game is open."""
        return {key: tuple(random_tables.faults(self.tables, key)) for key in self.tables}

    @cached_property
    def _own_effects(self) -> Mapping[str, Sequence[tuple[Path, str]]]:
        """The effects of each table, with their paths in its file."""
        found = {key: random_tables.entries_with_paths(table) for key, table in self.tables.items()}
        return {
            key: [((*path, "effect"), entry.effect) for path, entry in entries if entry.effect]
            for key, entries in found.items()
        }

    def table_faults(self, state: State) -> dict[str, list[Fault]]:
        """Return the faults of the campaign's random tables, by the table's key."""
        round_and_round, refusal = self._circles(state.decks), self.effect_refusal(state)
        found = {}
        for key, table_faults_here in self._own_faults.items():
            faults = [*table_faults_here, *seen_by_some_players.table_faults(self.tables[key], state.players)]
            if ("table", key) in round_and_round:
                faults.append(round_and_round["table", key])
            for path, words in self._own_effects[key]:
                faults += effect_faults(path, words, "NM-16", refusal)
            found[key] = faults
        return found

    def card_faults(self, state: State) -> dict[str, list[Fault]]:
        """Return the faults of the campaign's scene cards, by the card's key."""
        refusal, found = self.effect_refusal(state), {}
        for key, card in self.cards.items():
            found[key] = [*scene_cards.faults(card, self.tables, state.decks)]
            for path, words in scene_cards.effects(card):
                found[key] += effect_faults(path, words, scene_cards.CLAUSE, refusal)
        return found

    def effect_refusal(self, state: State, *, rolls: bool = False, asks: bool = False) -> EffectRefusal:
        """Return a function that says why an effect with given words can never be applied. With `rolls`, those of the game are effects too;
        with `asks`, a move of the game's file may leave open what it asks.

        Its results are remembered until the possible effects change.
        """
        found: tuple[list[Move], dict[tuple[str, bool], Refusal | None]] | None = None

        def refusal(words: str) -> Refusal | None:
            nonlocal found
            found = found or self._known_effects(state, rolls=rolls)
            moves, known = found
            if (words, asks) not in known:
                known[words, asks] = refusal_of_effect(moves, words, asks=asks)
            return known[words, asks]

        return refusal

    def _known_effects(self, state: State, *, rolls: bool) -> tuple[list[Move], dict[tuple[str, bool], Refusal | None]]:
        moves = [without_refusal(move) for move in self._effect_moves(state, rolls=rolls)]
        may_be_said = [
            (
                move.id,
                [option.word for ask in move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options],
            )
            for move in moves
        ]
        last = self._last_effects
        if last[0] != may_be_said:
            self._last_effects = last = may_be_said, {}
        return moves, last[1]


def _asks_the_rest(offer: EffectOffer, move: Move) -> bool:
    """Whether whoever takes an offer is asked what its words leave open: of a roll, and of a move of the game's file that the game or
    a full clock offers.
    """
    return move.rolls or (move.asks_when_offered and (offer.asks or offer.source.startswith(CLOCK)))
