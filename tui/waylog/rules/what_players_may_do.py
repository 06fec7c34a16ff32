"""What players may do: the game as it is played with only what players see (NM-45).

Moves, odds, refusals and completions for players all come from a campaign without anything hidden (`KnownCampaign`). So
a hidden thing and one that doesn't exist are the same here, and nothing needs to be left out afterwards. `Table`
plays the act by the rules of the whole campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from waylog.rules.codec.changes import format_path, parse_path
from waylog.rules.common.seen_by_some_players import readers
from waylog.rules.game import Game
from waylog.rules.model.answers import complete_answers, selected_words
from waylog.rules.model.clocks_situations_and_timers import WhileRunning
from waylog.rules.model.dice import Die
from waylog.rules.model.moves import Act, ActRefused, Answer, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.rules.model.odds import Odds
from waylog.rules.model.players_and_permissions import WAYFINDERS
from waylog.rules.model.state import OpenState, State
from waylog.rules.what_players_know import UNKNOWN, KnownCampaign, Visibility, known_tables
from waylog.values import NamedTuple, replace

if TYPE_CHECKING:
    from waylog.rules.model.rules_reference import Reference

_MASKS = (f"clocks.{UNKNOWN}", f"situations.{UNKNOWN}")
"""The beginnings of the paths of hidden things whose effect players see."""


_CALLED = "called "
"""How the words begin that answer a call. Once the call is over they mean nothing, so no roll is made twice."""


def words_to_send(move: Move, words: str) -> str:
    """Return the words of a move as a player's program sends them."""
    return f"{_CALLED}{words}" if move.called else words


class NotTheirs(ActRefused):
    """The act is for another character than the player's own."""

    def __init__(self, character: str) -> None:
        whose = f"you play {character}" if character else "you have no character in this campaign"
        super().__init__(f"this action belongs to another character ({whose})", "NM-45")


class _KnownState(NamedTuple):
    """What players know of one state, worked out once: by the player who sees something that not all of them see, and for all others."""

    state: State
    readers: frozenset[str]
    campaigns: dict[str, KnownCampaign]
    moves: dict[str, Sequence[Move]]
    odds: dict[tuple[object, ...], Odds | None]
    roll_odds: dict[str, dict[str, tuple[Move, tuple[Odds, ...]]]]
    dice: dict[tuple[object, ...], tuple[Die, ...]]

    def key_of(self, player: str) -> str:
        """Return the player's key if they know more than all players do; otherwise nothing."""
        return player if player in self.readers else ""

    def key_of_act(self, player: str, act: Act) -> tuple[object, ...]:
        """Return what the odds and the dice of an act depend on, in this state."""
        return (self.key_of(player), act.move.id, act.faces, *sorted(act.answers.items()))


class _RollOdds(NamedTuple):
    """The odds of rolls, by the ids of their moves, as long as nothing is different that they depend on."""

    basis: State
    found: dict[str, tuple[Move, tuple[Odds, ...]]]


_MOST_BASES = 8
"""The most states whose odds are remembered: before a question and while it is open, for those who know more than others."""


class PlayersGame:
    """The game of one campaign as its players know it. Every answer follows from the state that it is given."""

    def __init__(self, game: Game) -> None:
        self._tables = game.tables
        self._game = Game(game.system, known_tables(game.tables))
        # For the last two states: usually the current one, and the same one with nothing open.
        self._known: tuple[_KnownState, ...] = ()
        self._at_rest: tuple[State, State] | None = None
        self._roll_odds: tuple[_RollOdds, ...] = ()
        """The latest first."""
        self._rules_about: dict[str, tuple[str, ...]] = {}

    def known_campaign(self, state: State, player: str = "") -> KnownCampaign:
        """Return the campaign as a player knows it, or as all of them do: without what is hidden, and without the wayfinder's notes."""
        known = self._known_state(state)
        key = known.key_of(player)
        if key not in known.campaigns:
            known.campaigns[key] = KnownCampaign(self._game.system, state, self._tables, key)
        return known.campaigns[key]

    def sight(self, state: State, player: str = "") -> Visibility:
        """Return what says which facts of the log a player knows, or all of them."""
        return Visibility.of_players(state, self._tables, player)

    def _known_state(self, state: State) -> _KnownState:
        for known in self._known:
            if known.state is state:
                return known
        found = _KnownState(state, readers(state), {}, {}, {}, {}, {})
        self._known = found, *self._known[:1]
        return found

    # -- what they may do ----------------------------------------------------------------------------------------

    def moves(self, state: State, player: str = "") -> Sequence[Move]:
        """Return the moves for every character that are open to players now: as this player knows the campaign, or as all of them do."""
        known = self._known_state(state)
        key = known.key_of(player)
        if key not in known.moves:
            known.moves[key] = tuple(self._open_moves(self.known_campaign(state, key).state))
        return known.moves[key]

    def _open_moves(self, known: State) -> Iterator[Move]:
        shut, answers = self._game.system.wayfinder, self._game.system.wayfinder_answers
        hidden = (*_MASKS, *(f"{table}." for table in self._game.system.private))
        uncounted = frozenset(f"clocks.{key}" for key, clock in known.clocks.items() if not clock.count_seen)
        offered = self._game.moves(known)
        # Whoever is called on may send their roll while somebody else is still asked something.
        called = [move for move in self._game.called_moves(known) if move not in offered]
        for move in (*offered, *called):
            is_shut = move.verb in WAYFINDERS or move.verb in (answers if move.follows else shut)
            is_shut |= move.called and not move.rolls
            is_hidden = any(path.startswith(hidden) for path in move.about)
            asks = tuple(_without_hidden(move, hidden, uncounted))
            # Something that they don't know has to be chosen.
            is_hidden |= any(_must_choose(ask) and ask.name not in [one.name for one in asks] for ask in move.asks)
            if not (is_shut or is_hidden or (move.verb == "tick" and not uncounted.isdisjoint(move.about))):
                yield replace(move, asks=asks)

    def moves_of(
        self, state: State, player: str, acting: Collection[str] = (), known_to: str | None = None
    ) -> Sequence[Move]:
        """Return the moves that a player may propose: those for their own character, and those that need none; as far as they know, or the
        player `known_to`, or with an empty key all players.

        `acting` has the paths of whom the open act is about: its answers belong to them.
        """
        return [
            move
            for move in self.moves(state, player if known_to is None else known_to)
            if self._is_theirs(state, player, Act(move), acting)
        ]

    def understand(self, state: State, player: str, words: str, acting: Collection[str] = ()) -> Act:
        """Return the act that a player's words mean now.

        Raises `CommandUnclear`, `NotTheirs` for somebody else's character, or `ActRefused` for what can't be done. The
        texts of these say nothing that players don't know.
        """
        from waylog.rules.language.command_parser import parse_act
        from waylog.rules.language.similar_names import Reach

        every, words, is_answer = self.moves(state, player), words.removeprefix(_CALLED), words.startswith(_CALLED)
        if is_answer and not any(move.called for move in every):
            raise ActRefused("the wayfinder is no longer asking for that roll", "NM-48")
        theirs = self.moves_of(state, player, acting)
        try:
            act = parse_act([m for m in theirs if m.called or not is_answer], words, reach=Reach.NAMES)
        except ActRefused:
            parse_act([m for m in every if m.called or not is_answer], words, reach=Reach.NAMES)
            raise NotTheirs(self.character_name(state, player)) from None
        if not self._is_theirs(state, player, act, acting):
            raise NotTheirs(self.character_name(state, player))
        return act

    def understand_later(self, state: State, player: str, words: str) -> Act:
        """Return the act that a player's words mean once nothing is open any more. Raises as `understand` does."""
        if self._at_rest is None or self._at_rest[0] is not state:
            self._at_rest = state, replace(state, open=None)
        return self.understand(self._at_rest[1], player, words)

    def check(self, state: State, player: str, act: Act) -> None:
        """Raise `ActRefused` if the act isn't complete, or can't be played as far as the player knows."""
        complete_answers(act.move, act.answers)
        self._game.check(self.known_campaign(state, player).state, act)

    def odds(self, state: State, act: Act, player: str = "") -> Odds | None:
        """Return the exact odds of a roll as far as a player knows, or all of them; None for other acts. Raises `ActRefused`."""
        answers, known = complete_answers(act.move, act.answers), self._known_state(state)
        key = known.key_of_act(player, replace(act, answers=answers))
        if key not in known.odds:
            odds = self._game.odds(
                self.known_campaign(state, player).state,
                act.move,
                {**answers, "on": ()} if "on" in answers else answers,
            )
            known.odds[key] = replace(odds, forecast=()) if odds else None
        return known.odds[key]

    def all_odds(
        self, state: State, move: Move, player: str, find: Callable[[Move], Iterable[Odds]]
    ) -> tuple[Odds, ...]:
        """Return what `find` returns for a roll: its odds with several answers. They are remembered for all states, and all players, for
        which they are the same.
        """
        known = self._known_state(state)
        key = known.key_of(player)
        if key not in known.roll_odds:
            basis = _basis_of_odds(self.known_campaign(state, key).state)
            same = next((one for one in self._roll_odds if one.basis == basis), None) or _RollOdds(basis, {})
            self._roll_odds = (same, *(one for one in self._roll_odds if one is not same))[:_MOST_BASES]
            known.roll_odds[key] = same.found
        found, roll = known.roll_odds[key], replace(move, asks=tuple(ask for ask in move.asks if ask.name != "on"))
        if roll.id not in found or found[roll.id][0] != roll:
            found[roll.id] = roll, tuple(find(move))
        return found[roll.id][1]

    def dice_to_type(self, state: State, act: Act, player: str = "") -> tuple[Die, ...]:
        """Return the dice that an act takes, as far as a player knows, in the order in which real ones are typed."""
        known = self._known_state(state)
        key = known.key_of_act(player, act)
        if key not in known.dice:
            known.dice[key] = self._game.dice_to_type(self.known_campaign(state, player).state, act)
        return known.dice[key]

    def awaited_dice(self, state: State, player: str = "") -> tuple[Die, ...]:
        """Return the real dice that the open act still waits for, as far as a player knows."""
        return self._game.awaited_dice(self.known_campaign(state, player).state)

    def odds_of_whole(self, state: State, act: Act, player: str = "") -> Odds | None:
        """Return the odds, as far as a player knows, of an act of the whole campaign; None if it rests on anything that they don't know."""
        try:
            known = self.known_act(state, act, player)
            return self.odds(state, known, player) if known else None
        except ActRefused:
            return None

    def stakes(self, state: State, act: Act, player: str = "") -> Odds | None:
        """Return the same, with what each outcome would do now. Clocks that the player doesn't see are left out."""
        try:
            known = self.known_act(state, act, player)
            if known is None:
                return None
            return self._game.odds(
                self.known_campaign(state, player).state, known.move, complete_answers(known.move, known.answers)
            )
        except ActRefused:
            return None

    def known_act(self, state: State, act: Act, player: str = "") -> Act | None:
        """Return an act of the whole campaign as a player knows it; None if it rests on anything that they don't know. Raises
        `ActRefused`.
        """
        for move in self.moves(state, player):
            if (move.verb, move.words) == (act.move.verb, act.move.words):
                known = {ask.name: ask for ask in move.asks}
                unknown = [ask for ask in act.move.asks if ask.name not in known and not isinstance(ask, Text)]
                whole = complete_answers(act.move, act.answers)
                if any(whole[ask.name] != getattr(ask, "default", ()) for ask in unknown if ask.name != "on"):
                    return None
                answers = {name: answer for name, answer in act.answers.items() if name in known}
                if "on" in answers:
                    answers["on"] = tuple(_known_clocks(act, known["on"], self.known_campaign(state, player)))
                return Act(move, answers)
        return None

    def rules(self, state: State) -> Reference:
        """Return the rules of the game, without the wayfinder's rulings."""
        return self._game.reference(self.known_campaign(state).state)

    def rules_about(self, state: State, row: str) -> tuple[str, ...]:
        """Return the ids of the rules about a row of the sheet."""
        if row not in self._rules_about:
            self._rules_about[row] = self.rules(state).about(row)
        return self._rules_about[row]

    def question(self, state: State, player: str = "") -> str | None:
        """Return the question that has to be answered first, as far as a player knows it, or all of them do."""
        return self._game.question(self.known_campaign(state, player).state)

    # -- whose it is ---------------------------------------------------------------------------------------------

    def is_played_unasked(self, state: State, player: str, act: Act, acting: Collection[str], began: str) -> bool:
        """Whether a player's act is played without asking: it involves no character but their own, and they may do that, or it answers a
        question of their own act. `acting` is what the act before it is about, and `began` the player who began that.
        """
        if not self._persons(state, act, acting) <= _own(state, player):
            return False
        if act.move.called or act.move.verb in state.players[player].permissions:
            return True
        return began == player and self.question(state) is not None

    def _is_theirs(self, state: State, player: str, act: Act, acting: Collection[str]) -> bool:
        persons = self._persons(state, act, acting)
        return not persons or not persons.isdisjoint(_own(state, player))

    def _persons(self, state: State, act: Act, acting: Collection[str]) -> set[str]:
        """Return the keys of the characters that an act is about, and the paths of players."""
        paths = [*act.move.about]
        for ask in act.move.asks:
            if isinstance(ask, PickOne | PickMany):
                chosen = selected_words(act.answers, ask.name)
                paths += (path for option in ask.options if option.word in chosen for path in option.paths)
        found = set(self._persons_in(state, paths))
        if not found and act.move.follows:
            found = set(self._persons_in(state, acting))
        return found

    def _persons_in(self, state: State, paths: Collection[str]) -> Iterator[str]:
        table = self._game.system.characters
        for path in paths:
            match parse_path(path):
                case (first,) if first == table:
                    yield from self._game.characters(state)
                case (first, key, *_) if first == table:
                    yield key
                case ("players", _):
                    yield path
                case _:
                    pass

    def character_name(self, state: State, player: str) -> str:
        """Return the name of a player's character; empty without one."""
        key = state.players[player].character
        return self._game.characters(state).get(key, key)

    def characters(self, state: State) -> Mapping[str, tuple[str, str]]:
        """Return the path and the name of the character of each player who has one."""
        names, table = self._game.characters(state), self._game.system.characters
        return {
            key: (format_path((table, one.character)), names[one.character])
            for key, one in state.players.items()
            if one.character in names
        }

    # -- by the rules of the whole campaign ----------------------------------------------------------------------

    def whole_act(self, state: State, player: str, moves: Sequence[Move], act: Act) -> Act | None:
        """Return a player's act with the move of the whole campaign, one of `moves`, that means the same; None if there is none now."""
        paths = self.known_campaign(state, player).paths
        about = tuple(paths.get(path, path) for path in act.move.about)
        has_other_key = any(path in paths for path in act.move.about)
        for move in moves:
            if move.verb == act.move.verb and move.about == about and (has_other_key or move.words == act.move.words):
                asks = [ask for ask in act.move.asks if ask.name in act.answers]
                found = [_whole_answer(ask, act.answers[ask.name], move, paths) for ask in asks]
                answers = dict(answer for answer in found if answer)
                return replace(act, move=move, answers=answers) if len(answers) == len(asks) else None
        return None


def _basis_of_odds(known: State) -> State:
    """Return a state that players know without what odds and dice of a roll don't depend on: clocks that do nothing while they run, how
    full the others are, and what an earlier roll has left open.
    """
    opened = known.open
    if opened and not opened.waiting:
        opened = OpenState(opened.stage, called=opened.called) if opened.stage or opened.called else None
    clocks = {
        key: replace(one, filled=0) for key, one in known.clocks.items() if one.running is not WhileRunning.NOTHING
    }
    return replace(known, clocks=clocks, open=opened)


def _own(state: State, player: str) -> set[str]:
    return {f"players.{player}", state.players[player].character}


def _without_hidden(move: Move, hidden: tuple[str, ...], uncounted: frozenset[str]) -> Iterator[Ask]:
    """Yield what a move asks without hidden things, without the progress of clocks that hide it, and without what overrules a
    rule.
    """
    for ask in map(_without_overruling, move.asks):
        if ask is None:
            continue
        if not isinstance(ask, PickOne | PickMany) or not any(option.paths for option in ask.options):
            yield ask
            continue
        options = tuple(
            option if uncounted.isdisjoint(option.paths) else replace(option, note="", blocked=None)
            for option in ask.options
            if not any(path.startswith(hidden) for path in option.paths)
        )
        if options:
            yield replace(ask, options=options)


def _must_choose(ask: Ask) -> bool:
    """Whether a move can't be made without an answer to this that was chosen."""
    return (isinstance(ask, PickOne) and ask.default is None) or (isinstance(ask, PickMany) and ask.least > 0)


def _without_overruling(ask: Ask) -> Ask | None:
    """Return what an ask is to players, with the options that are listed; None if only the wayfinder may answer it."""
    match ask:
        case Number(overrules=True):
            return None
        case PickOne() if any(option.overrules or option.is_unlisted for option in ask.options):
            listed = (each for each in ask.options if not each.is_unlisted or each.word == ask.default)
            return replace(ask, options=tuple(each for each in listed if not each.overrules))
        case _:
            return ask


def _whole_answer(ask: Ask, answer: Answer, move: Move, paths: Mapping[str, str]) -> tuple[str, Answer] | None:
    """Return the name of an ask of the whole campaign's move, and the answer there that means the same. None if there is
    none.
    """
    if not isinstance(ask, PickOne | PickMany) or not any(option.paths for option in ask.options):
        return (ask.name, answer) if ask.name in [each.name for each in move.asks] else None
    places = {option.word: _place(option, ask.options, paths) for option in ask.options}
    chosen = [places.get(str(word)) for word in (answer if isinstance(answer, tuple) else (answer,))]
    for whole in move.asks:
        if isinstance(whole, PickOne | PickMany):
            words = {_place(option, whole.options, {}): option.word for option in whole.options}
            if whole.name == ask.name or not words.keys().isdisjoint(places.values()):
                found = tuple(words[place] for place in chosen if place in words)
                if len(found) < len(chosen):
                    return None
                return whole.name, found if isinstance(answer, tuple) else found[0]
    return None


def _known_clocks(act: Act, known: Ask, campaign: KnownCampaign) -> Iterator[str]:
    """Yield the words that players have for the clocks of a roll; nothing for a clock whose progress they don't see."""
    assert isinstance(known, PickMany)
    counted = {f"clocks.{key}" for key, clock in campaign.state.clocks.items() if clock.count_seen}
    words = {path: option.word for option in known.options for path in option.paths if path in counted}
    masked = {whole: path for path, whole in campaign.paths.items()}
    of_whole = (ask for ask in act.move.asks if isinstance(ask, PickMany) and ask.name == "on")
    chosen = {*selected_words(act.answers, "on")}
    for path in (path for ask in of_whole for option in ask.options if option.word in chosen for path in option.paths):
        if (word := words.get(masked.get(path, path))) is not None:
            yield word


def _place(option: Option, options: Sequence[Option], paths: Mapping[str, str]) -> tuple[object, ...]:
    """Return what identifies an option even if its word differs: its paths, and its number among the options with these paths."""
    if not option.paths:
        return (option.word,)
    same = [each.word for each in options if each.paths == option.paths]
    return (tuple(paths.get(path, path) for path in option.paths), same.index(option.word))
