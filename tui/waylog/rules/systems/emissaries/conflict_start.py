"""The start of a conflict: its stakes, who takes part and how, and who goes first (EG-10…EG-13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from waylog.rules.codec.changes import join_names, words_for
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import ActRefused, Answers, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.emissaries.dice_pools import (
    OWN,
    At,
    Throw,
    approach_ask,
    bringing_ask,
    has_dice,
    is_full,
    pool_for_approach,
    without_allies,
)
from waylog.rules.systems.emissaries.sheet import Emissary, split_name_and_rating
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    CREW,
    NPCS,
    ConflictStage,
    Did,
    ExchangeLine,
    Lying,
    Moment,
    Participant,
    Phase,
    Side,
    people_words,
    plus,
)
from waylog.values import replace

BY_DICE = "dice"
"""The answer that lets the dice decide who goes first."""
_SIDES = (Option(Side.OURS.value, "On our side"), Option(Side.THEIRS.value, "On their side"))


def offers(_moment: Moment) -> tuple[Move, ...]:
    """Offer `conflict "The egg goes home" losing "The brother sells it"` (EG-10, EG-53)."""
    asks = (
        Text("stakes", "The stakes", required=True),
        Text("loss", "What happens if you lose", word="losing", usual=True),
    )
    return (Move("conflict", (), "Start a conflict", asks, heading="A conflict starts"),)


def play(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Start a conflict with stakes and without participants."""
    stakes, loss = str(answers["stakes"]).strip(), str(answers.get("loss", "")).strip()
    after = moment.opens(ConflictStage(stakes, loss=loss)).says(f"At stake: {stakes}", "EG-10")
    return after.says(f"If lost: {loss}", "EG-53") if loss else after


def question(moment: Moment) -> str:
    """Ask who takes part."""
    here = [one.name for one in moment.conflict.people if one.entered]
    so_far = f" So far {join_names(here)}." if here else ""
    return f"“{moment.conflict.stakes}”: who takes part?{so_far}"


def answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `enter mara argue brother`, `obstacle "The storm" 4d6 4d8`, `begin mara`, `call-off`."""
    entries = tuple(_entries(moment))
    first = tuple(move for one, move in entries if not one.who.startswith(f"{NPCS}/"))
    others = tuple(move for one, move in entries if one.who.startswith(f"{NPCS}/"))
    asks = (Text("name", "Name", required=True), Text("dice", "Dice, such as 4d6 4d8", is_dice=True, usual=True))
    obstacle = Move("obstacle", (), "Add an obstacle (it enters next)", asks, heading="New obstacle")
    return (*first, obstacle, *others, _begin(moment), call_off("Call off the conflict", "Call off the conflict?"))


def call_off(label: str, ends: str, blocked: Refusal | None = None) -> Move:
    """Offer to end the conflict without a winner (EG-51). `ends` is the question before one key does it."""
    return Move("call-off", (), label, blocked=blocked, key="C", ends=ends, heading="The conflict is called off")


def answer(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """Add a participant, or start the exchange. May raise `DiceWanted`."""
    match move.verb:
        case "enter":
            return enter(moment, move, given, dice)
        case "obstacle":
            try:
                name, rated = split_name_and_rating(str(given["name"]), str(given["dice"]))
            except ValueError as error:
                raise ActRefused(str(error), "EG-10") from None
            if not (name and rated):
                raise ActRefused("an obstacle needs a name and a rating, such as “The storm” 4d6 4d8", "EG-10")
            return with_obstacle(moment, name, rated)
        case _:
            return _begins(moment, str(given["first"]))


def late_entries(moment: Moment) -> Iterator[Move]:
    """Offer `enter mara argue brother` in a conflict that has begun: on the turn of their side, before the raise (EG-52)."""
    allowed = moment.rules.late_entry == "allowed"
    if moment.conflict.phase is not Phase.RAISE or not allowed:
        reason = "people can join only on their own side's turn, before that side raises"
        not_now = Refusal(reason if allowed else "by house rule, nobody may join a conflict once it has begun", "EG-52")
        yield Move("enter", (), "Join the conflict", blocked=not_now)
        return
    turn = moment.participant(moment.conflict.turn).side
    for one, move in _entries(moment):
        late = Refusal(f"{one.name} can join only on their own side's turn, before that side raises", "EG-52")
        sides = tuple(replace(side, blocked=None if side.word == turn.value else late) for side in _SIDES)
        # Nobody joins the side that they are usually against unless that is said, even if it is the only one that can be joined.
        yield replace(move, asks=(*move.asks[:-1], PickOne("side", "Side", sides, one.side.value, "EG-52")))


# -- taking part ---------------------------------------------------------------------------------------------------------


def candidates(moment: Moment) -> tuple[Participant, ...]:
    """Return everybody who isn't in the conflict yet, and the obstacles that haven't rolled."""
    people = {one.word: one for one in moment.conflict.people}
    here = {one.who for one in people.values()}
    found = []
    for word, who in people_words(moment).items():
        side = Side.OURS if who.startswith(f"{CREW}/") else Side.THEIRS
        if who not in here and word not in people:
            found.append(Participant(word, who, moment.name(who), side))
    return (*found, *(one for one in people.values() if not one.entered))


def _entries(moment: Moment) -> Iterator[tuple[Participant, Move]]:
    for one in candidates(moment):
        side = PickOne("side", "Side", _SIDES, one.side.value, "EG-10")
        asks = (approach_ask(None), bringing_ask(moment, one), side) if one.who else (side,)
        refusal = _out_of_play_reason(moment, one)
        yield (
            one,
            Move(
                "enter",
                (one.word,),
                f"Add {one.name} to the conflict",
                asks,
                refusal,
                about=one.about,
                title=f"{one.name} takes part",
            ),
        )


def _out_of_play_reason(moment: Moment, one: Participant) -> Refusal | None:
    """Return why somebody is out of play: their only track is full (EG-35)."""
    if one.who and not isinstance(moment.character(one.who), Emissary) and is_full(moment, At(one.who, OWN)):
        return Refusal(f"{one.name}'s track is full: {one.name} is out of play until a row is cleared", "EG-35")
    if one.who and not has_dice(moment, one.who):
        return Refusal(f"{one.name} has no dice yet. To add some, type “rate {one.word} 4d6 4d8”", "EG-10")
    return None


def throw_of(moment: Moment, move: Move, given: Answers) -> tuple[Participant, Throw]:
    """Return who enters and the dice they would roll. Raises `ActRefused` for a relationship with an ally."""
    one = next(one for one in candidates(moment) if one.word == move.words[0])
    one = replace(one, side=Side(str(given["side"])), approach=str(given.get("approach", "")))
    throw = pool_for_approach(moment, one, one.approach, selected_words(given, "with"))
    if not throw.dice:
        raise ActRefused(
            f"{one.name} would roll no dice: choose another approach, or bring something with dice", "EG-10"
        )
    return one, throw


def enter(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """Add a participant and roll all their dice, which stay as rolled (EG-12). In a conflict that has begun they raise last of
    their round (EG-52). May raise `DiceWanted`.
    """
    one, throw = throw_of(moment, move, given)
    if turn := moment.conflict.turn:
        # Last in the round: the next turns stay as they were.
        at = moment.conflict.order.index(turn)
        moment = moment.with_conflict(order=(*moment.conflict.order[:at], one.word, *moment.conflict.order[at:]))
    others = tuple(other for other in moment.conflict.people if other.word != one.word)
    how = f" ({one.approach.replace('-', ', ')})" if one.approach else ""
    after = moment.with_conflict(people=(*others, one)).says(f"{one.name} takes part{how}", "EG-11", NotePart.DEED)
    after = roll_into_pool(after, one.word, throw, dice, ExchangeLine(one.word, Did.ENTERS, (), one.approach))
    return without_allies(after)


def roll_into_pool(moment: Moment, word: str, throw: Throw, dice: Dice, line: ExchangeLine) -> Moment:
    """Roll dice into somebody's pool, and put what they stand for into play. May raise `DiceWanted`."""
    one = moment.participant(word)
    deed = f"{one.name} escalates" if line.did is Did.ESCALATES else ""
    moment, faces = moment.tells(*throw.reasons).rolls_all(dice, one.name, throw.dice, deed)
    lie = tuple(
        Lying(face.source, face.sides, face.face, thing=thing) for face, thing in zip(faces, throw.things, strict=True)
    )
    moment = moment.with_participant(
        word,
        entered=True,
        pool=(*one.pool, *lie),
        stats=(*one.stats, *throw.stats),
        brought=(*one.brought, *throw.brought),
    )
    return moment.writes(replace(line, faces=tuple(die.face for die in lie)))


def with_obstacle(moment: Moment, name: str, dice: str) -> Moment:
    """Return the moment with an obstacle on their side that hasn't rolled yet."""
    people = moment.conflict.people
    taken = (*people_words(moment), *(one.word for one in people), BY_DICE)
    (word,) = words_for([(name, name)], "obstacle", taken)
    one = Participant(word, "", name, Side.THEIRS, rating=dice)
    return moment.with_conflict(people=(*people, one)).says(f"New obstacle: {name}, {dice}", "EG-10")


# -- who goes first ------------------------------------------------------------------------------------------------------


def _begin(moment: Moment) -> Move:
    here = [one for one in moment.conflict.people if one.entered]
    options = (
        *(Option(one.word, f"{one.name} started it") for one in here),
        Option(BY_DICE, "Let the best two dice decide"),
    )
    blocked = None
    if {one.side for one in here} != set(Side):
        blocked = Refusal("each side needs someone in play", "EG-10")
    asks = (PickOne("first", "Who goes first", options, BY_DICE, "EG-13"),)
    return Move("begin", (), "Start the exchange", asks, blocked, heading="The exchange starts")


def best_two(pool: Sequence[Lying]) -> tuple[int, ...]:
    """Return the faces of the two highest dice."""
    return tuple(sorted((die.face for die in pool), reverse=True)[:2])


def _begins(moment: Moment, first: str) -> Moment:
    """Let the one who started it go first, or whoever has the highest two dice (EG-13)."""
    here = tuple(one for one in moment.conflict.people if one.entered)
    moment = without_allies(moment.with_conflict(people=here))
    here = moment.conflict.people
    if first != BY_DICE:
        return goes_first(moment, first, "started it")
    best = {one.word: sum(best_two(one.pool)) for one in here}
    top = [one for one in here if best[one.word] == max(best.values())]
    if len(top) > 1 and moment.rules.first_when_equal == "ours":
        ours = [one for one in top if one.side is Side.OURS]
        top = ours[:1] or top[:1]
    if len(top) == 1:
        return goes_first(moment, top[0].word, f"has the best two dice ({plus(best_two(top[0].pool))})")
    after = moment.says(
        f"{join_names(one.name for one in top)} tie: each one's two best dice add up to {best[top[0].word]}", "EG-13"
    )
    return after.with_conflict(phase=Phase.FIRST, tied=tuple(one.word for one in top))


def goes_first(moment: Moment, word: str, why: str) -> Moment:
    """Set the order of turns: from that participant on, the sides alternate (EG-13)."""
    people = moment.conflict.people
    first = moment.participant(word)
    words = [one.word for one in people if one.side is first.side]
    other = [one.word for one in people if one.side is not first.side]
    at = words.index(word)
    pairs = zip_longest((*words[at:], *words[:at]), other)
    order = tuple(name for pair in pairs for name in pair if name)
    after = moment.says(f"{first.name} {why} and goes first", "EG-13")
    return after.with_conflict(phase=Phase.RAISE, order=order, turn=word, tied=())


def first_question(moment: Moment) -> str:
    """Ask who goes first."""
    return f"Equal dice: who goes first, {join_names((moment.participant(word).name for word in moment.conflict.tied), 'or')}?"


def first_answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `first NAME` for each participant with equal dice."""
    tied = map(moment.participant, moment.conflict.tied)
    return tuple(Move("first", (one.word,), f"{one.name} goes first", about=one.about) for one in tied)


def answer_first(moment: Moment, move: Move, _given: Answers, _dice: Dice) -> Moment:
    """Play `first NAME`: the participant that the wayfinder has chosen goes first (EG-13)."""
    return goes_first(moment, move.words[0], "was chosen by the wayfinder")


CHAPTER = Chapter(offers=offers, plays={"conflict": play})
