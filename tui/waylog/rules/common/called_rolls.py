"""Calls for a roll: the wayfinder asks one, some or all for the same roll, and each makes it when they are ready (NM-48).

A call is an act, and the rolls that it asks for are its follow-ups: all of it is undone at once. Each roll is the game's own. What the
wayfinder has decided about it is settled, and whoever rolls answers the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from waylog.rules.codec.changes import join_names, parse_path
from waylog.rules.common import clock_and_situation_moves
from waylog.rules.model.answers import selected_words
from waylog.rules.model.facts import Fact, NoteFact, NotePart
from waylog.rules.model.moves import Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.model.state import CalledRolls
from waylog.values import replace

VERB, FINISH = "call", "finish"
_ALL, _WHO, _ON = "all", "who", "on"
_USUAL = Option("any", "any", "the roller chooses", ("usual",))
_CLAUSE = "NM-48"
_SETTLED = Refusal("the wayfinder called for a different roll type", _CLAUSE)

Names = Mapping[str, str]
"""The names of the characters, by their paths."""


# -- the call --------------------------------------------------------------------------------------------------------


def moves(rolls: Iterable[Move], names: Names, away: Collection[str]) -> tuple[Move, ...]:
    """Return the moves that call for a roll, one for each kind: `call`, or `call cut` where a game has several. Everyone is without
    those in `away`, whose players are not at the table.
    """
    kinds = dict[tuple[str, ...], list[Move]]()
    for move in rolls:
        if move.roller and not move.follows:
            kinds.setdefault(_kind_of(move), []).append(move)
    return tuple(_call(kind, found, names, away) for kind, found in kinds.items())


def _call(kind: tuple[str, ...], rolls: Sequence[Move], names: Names, away: Collection[str]) -> Move:
    able = [path for move in rolls if (path := move.about[0]) in names and path not in away and not move.blocked]
    note = join_names(names[path] for path in able)
    everyone = (Option(_ALL, "everyone", note, paths=tuple(able)),) if able else ()
    who = (Option(move.roller, _name(move, names), blocked=move.blocked, paths=move.about[:1]) for move in rolls)
    asks = (PickMany(_WHO, "Who rolls", (*everyone, *who), least=1, clause=_CLAUSE), *_shared_asks(rolls))
    label = f"Call for a roll ({_name_kind(kind, rolls)})" if kind else "Call for a roll"
    return Move(VERB, kind, label, asks, called=True)


def _kind_of(move: Move) -> tuple[str, ...]:
    """Return what is rolled, by the words that don't stand for who rolls."""
    return tuple(word for word in move.words if word != move.roller)


def _name_kind(kind: Sequence[str], rolls: Sequence[Move]) -> str:
    """Return the name on screen of a kind of roll, or else its words; empty where a game has only one."""
    return rolls[0].what or " ".join(kind).capitalize()


def _name(move: Move, names: Names) -> str:
    return names.get(move.about[0]) or parse_path(move.about[0])[-1]


def _shared_asks(rolls: Sequence[Move]) -> Iterator[PickOne | PickMany]:
    """Yield what all these rolls ask, with the options that mean the same in each. What is answered now is settled for all of them.
    Situations affect each roll as usual.
    """
    for ask in rolls[0].asks:
        alike = [each for move in rolls for each in move.asks if each.name == ask.name and type(each) is type(ask)]
        if len(alike) < len(rolls) or clock_and_situation_moves.is_about_situation(ask):
            continue
        match ask:
            case PickOne():
                options = _shared_options(alike)
                usual = () if ask.default is None and ask.if_unlogged is None else (_USUAL,)
                if len(options) > 1 or (usual and options):
                    default = _USUAL.word if usual else None
                    yield replace(ask, options=(*usual, *options), default=default, logged=False, if_unlogged=None)
            case PickMany():
                if options := _shared_options(alike):
                    yield replace(ask, options=options, least=0, suggested=())
            case _:
                pass


def _shared_options(asks: Sequence[Ask]) -> tuple[Option, ...]:
    """Return the options that all these asks have. One that only some can choose isn't refused yet, one that only some list is listed,
    and what it is worth is left out if that differs.
    """
    found = [{option.word: option for option in ask.options} for ask in asks if isinstance(ask, PickOne | PickMany)]
    every = (word for word in found[0] if all(word in each for each in found))
    alike = ([each[word] for each in found] for word in every)
    return tuple(
        replace(
            next((option for option in same if not option.blocked), same[0]),
            note=same[0].note if len({option.note for option in same}) == 1 else "",
            is_unlisted=all(option.is_unlisted for option in same),
        )
        for same in alike
        if len({option.label for option in same}) == 1 and not same[0].overrules
    )


def begin(move: Move, answers: Answers, rolls: Sequence[Move], names: Names) -> tuple[CalledRolls, tuple[Fact, ...]]:
    """Return the rolls that one of `moves` calls for, and the note that says so."""
    who, *shared = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany)]
    by_word = {option.word: option.paths for option in who.options}
    paths = dict.fromkeys(path for word in selected_words(answers, _WHO) for path in by_word[word])
    found = [roll for roll in rolls if roll.roller and _kind_of(roll) == move.words]
    by_path = {each.about[0]: each for each in found}
    settled = {
        ask.name: words for ask in shared if (words := selected_words(answers, ask.name)) not in ((), (_USUAL.word,))
    }
    on = settled.pop(_ON, ())
    clocks = [
        path
        for ask in shared
        if ask.name == _ON
        for option in ask.options
        if option.word in on
        for path in option.paths
    ]
    called = CalledRolls(tuple(by_path[path].id for path in paths), settled, tuple(clocks))
    text = f"The wayfinder asks {join_names(_name(by_path[path], names) for path in paths)} to roll"
    what = _what(_name_kind(move.words, found), settled, shared)
    return called, (NoteFact(f"{text}{what}", _CLAUSE, part=NotePart.DEED),)


def _what(kind: str, settled: Mapping[str, Sequence[str]], asks: Iterable[Ask]) -> str:
    """Return what is called for, to follow `roll`: ` Cut, hard`, or ` (hard)` of a roll without a name. Clocks are left out, and what else
    has a path because players may not know it.
    """
    labels = [
        option.label
        for ask in asks
        if isinstance(ask, PickOne | PickMany)
        for option in ask.options
        if option.word in settled.get(ask.name, ()) and not option.paths
    ]
    words = ", ".join(filter(None, (kind, *labels)))
    return f" {words}" if kind else f" ({words})" if words else ""


# -- the rolls -------------------------------------------------------------------------------------------------------


def called_moves(called: CalledRolls, rolls: Iterable[Move]) -> tuple[Move, ...]:
    """Return the rolls that are still to be made, in the order of the call. One that isn't possible any more is left out."""
    by_id = {move.id: move for move in rolls}
    found = (by_id[id_] for id_ in called.rolls if id_ in by_id)
    return tuple(
        replace(move, asks=tuple(_settle(ask, called) for ask in move.asks), follows=True, called=True)
        for move in found
    )


def _settle(ask: Ask, called: CalledRolls) -> Ask:
    """Return what a roll asks, with what the call has settled. A roll that rules out such an answer asks as usual."""
    if isinstance(ask, PickMany):
        words = called.answers.get(ask.name, ())
        if ask.name == _ON:
            words = tuple(option.word for option in ask.options if not {*option.paths}.isdisjoint(called.on))
        return replace(
            ask, settled=tuple(option.word for option in ask.options if option.word in words and not option.blocked)
        )
    if not isinstance(ask, PickOne):
        return ask
    is_usual = clock_and_situation_moves.is_about_situation(ask)
    word = ask.default if is_usual else next(iter(called.answers.get(ask.name, ())), None)
    if word not in [option.word for option in ask.options if not option.blocked]:
        return ask
    # What can't be chosen any more takes no line of the form; whoever types it is told why.
    options = (
        option if option.word == word else replace(option, blocked=option.blocked or _SETTLED, is_unlisted=True)
        for option in ask.options
    )
    return replace(ask, options=tuple(options), default=word, settled=not is_usual)


FINISHES = Move(
    FINISH, (), "Finish without the others", follows=True, called=True, heading="The group roll ends without the others"
)
"""Ends a call, although somebody hasn't rolled."""


def question(called: CalledRolls, found: Sequence[Move], names: Names) -> str | None:
    """Return who still has to roll, and what; None if nobody does."""
    if not found:
        return None
    waiting = [_name(move, names) for move in found if not move.blocked]
    what = _what(_name_kind(_kind_of(found[0]), found), called.answers, found[0].asks)
    return (
        f"{still_to_roll(waiting)}{what}" if waiting else f"Nobody else can roll{what}: end the call without the others"
    )


def still_to_roll(names: Sequence[str]) -> str:
    """Return who has to roll next, to end a sentence or to be one: `Mara and Lars still have to roll`."""
    if not names:
        return "nobody is left to roll"
    return f"{join_names(names)} still {'has' if len(names) == 1 else 'have'} to roll"


def note_absent(called: CalledRolls | None, found: Sequence[Move], names: Names) -> tuple[Fact, ...]:
    """Return a note of who took no part, once the call is ended; or that nobody has rolled (NM-48)."""
    absent = f"{join_names(_name(move, names) for move in found)} took no part"
    return (NoteFact(absent if called and called.now else "The call ended before anyone rolled", _CLAUSE),)
