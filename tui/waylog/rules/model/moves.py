"""Moves: the actions that are possible now, as values. The rules offer them; a screen or a command line shows them and
picks one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from waylog.values import NamedTuple, dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something can't be done now, how to make it possible, and the clause."""

    TAG = "no"

    reason: str
    clause: str | None = None
    first: str = ""
    """The verb of the move that makes it possible, if one does."""


_IS = "“{}” is "


def refuse_for_state(name: str, state: str, clause: str) -> Refusal:
    """Return the refusal of something because of the state that it is in, such as `full`."""
    return Refusal(_IS.format(name) + state, clause)


def reason_beside(name: str, reason: str) -> str:
    """Return a reason as it is shown beside a name: of `refuse_for_state`, the state alone."""
    return reason.removeprefix(_IS.format(name))


def reason_of(refusal: Refusal | None) -> str:
    """Return the reason, or nothing. Its clause is shown where rules are looked up."""
    return refusal.reason if refusal else ""


class ActRefused(Exception):
    """The rules refuse an act. Nothing has changed and nothing is logged."""

    def __init__(self, reason: str, clause: str | None = None, first: str = "") -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason, clause, first)


class NotThere(ActRefused):
    """What was asked for doesn't exist, such as a session of a number that none has."""


@dataclass(frozen=True, slots=True)
class Option:
    """A legal answer. `word` is typed and logged; it is lower case, without spaces."""

    PACKED: ClassVar = ("word", "label", "note", "also", "blocked", "dice", "costs")

    word: str
    label: str
    note: str = ""
    """Its effect or value, shown beside it: `+1d6`, `vitality 2`."""
    also: tuple[str, ...] = ()
    """Other words for it: a tool's name beside `primary`."""
    blocked: Refusal | None = None
    reveals: str = ""
    """The question to ask first, if this answer would show something hidden to players; otherwise empty."""
    dice: str = ""
    """The dice that it stands for, in notation: `2d6+3`."""
    named: str = ""
    """A name for it that counts wherever it stands in a line outside of quotes. Several options may have the same name, which
    then means the first of them, unless another is typed beside it.
    """
    costs: bool = False
    """It spends something that a person may want to keep. Only its word or its whole label takes it: nothing shorter, and no part of
    its label.
    """
    overrules: bool = False
    """It overrules a rule, which only the wayfinder may do. Only the whole word means it."""
    paths: tuple[str, ...] = ()
    """The paths of the people and things that it stands for: `crew.mara`, `clocks.storm`. Without one, a choice is
    nobody's in particular.
    """
    is_unlisted: bool = False
    """It can be typed, and no list has it, because another option does the same."""


@dataclass(frozen=True, slots=True)
class PickOne:
    """Pick one of the options. Without a `default`, an answer is required."""

    TAG = "one"
    PACKED: ClassVar = ("name", "label", "options", "default", "clause", "logged", "notation", "settled")

    name: str
    label: str
    options: tuple[Option, ...]
    default: str | None = None
    clause: str | None = None
    """The clause that says which answers there are."""
    logged: bool = False
    """Whether the default is logged, because it may be another one next time."""
    notation: bool = False
    """Whether dice in notation (`2d6+3`) are an answer too, beside the options."""
    others: str = ""
    """A sentence on what would allow other answers, such as a house rule. A refusal ends with it."""
    settled: bool = False
    """The default is the answer, because the wayfinder has called for it."""
    if_unlogged: str | None = None
    """The answer that an entry of the log means by giving none: it had a default when that was written, and is asked now."""


@dataclass(frozen=True, slots=True)
class PickMany:
    """Pick `least` to `most` of the options. With `repeats`, in the given order, and an option may be picked more than
    once.
    """

    TAG = "many"

    name: str
    label: str
    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    repeats: bool = False
    clause: str | None = None
    """The clause that limits the number, and says that none counts twice."""
    suggested: tuple[str, ...] = ()
    """The words of a good answer, which the command line starts with."""
    settled: tuple[str, ...] = ()
    """The words that belong to the answer whatever else is picked, because the wayfinder has called for them."""
    preposition: str = ""
    """The word before the answers in the title of the act: `to` in `Show “Fog” only to Ana and Bo`. Without it, a colon parts them."""


@dataclass(frozen=True, slots=True)
class AllocationSlot:
    """A place for dice in an `Allocate`: the fewest and most that it can take, and how many it has `now`."""

    word: str
    label: str
    least: int
    most: int
    now: int


@dataclass(frozen=True, slots=True)
class Allocate:
    """Spread `total` dice over the slots. In words: one number for each slot, in order."""

    TAG = "dice"

    name: str
    label: str
    slots: tuple[AllocationSlot, ...]
    total: int
    clause: str | None = None
    """The clause that limits the dice, in all and in each slot."""


_NO_LIMIT = 10**9
"""From here on, the highest number is no limit that anybody needs to know."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`."""

    TAG = "number"

    name: str
    label: str
    least: int
    most: int
    default: int | None = None
    overrules: bool = False
    """Any answer but the default overrules a rule, which only the wayfinder may do. It is typed with its sign: `+2`."""
    logged: bool = False
    """Whether the default is told and logged, because it may be another one next time."""
    preposition: str = ""
    """The word before an answer that belongs to the title of the act: `by` in `Tick “Fog” by 2`. Without it, a colon parts them."""

    @property
    def range_text(self) -> str:
        """Return what to type: `a number from 1 to 6`. A limit that nobody reaches is left out."""
        return f"a number from {self.least} to {self.most:,}" if self.most < _NO_LIMIT else "a number"

    def text_of(self, answer: object) -> str:
        """Return an answer as it is typed and logged."""
        return f"{answer:+d}" if self.overrules and isinstance(answer, int) else str(answer)


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """A note beside the field of a text, shown while another ask of the move has a certain answer: `seen` is `hidden`."""

    ask: str
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: the rest of the command. It may be empty unless `required`."""

    TAG = "text"
    PACKED: ClassVar = (
        "name",
        "label",
        "required",
        "word",
        "reserved",
        "verbatim",
        "is_dice",
        "proposed",
        "example",
    )

    name: str
    label: str
    required: bool = False
    word: str = ""
    """The word that introduces it: `full "damage ship"`. If empty, the text is known by its place."""
    reserved: tuple[str, ...] = ()
    """Words that begin other moves of the same verb, now or at other times. A text that begins with one needs quotes."""
    taken: tuple[str, ...] = ()
    """Names of those who are there already. A text that may be one of them, with typing errors, needs quotes: it would add another."""
    verbatim: bool = False
    """It is all of the line behind the words of the move, with the quotes that are in it. The move asks for nothing else."""
    is_dice: bool = False
    """It is dice, such as `1d4 1d8`, which may stand among the other answers at the end of a line."""
    proposed: tuple[str, ...] = ()
    """Names that complete it."""
    example: str = ""
    """An example, or a hint, that stands in the empty field."""
    usual: bool = False
    """It is usually answered, though it may be left out: in a form, Enter goes there once before the act is played."""
    notes: tuple[AnswerNote, ...] = ()
    """The first of these that fits the other answers is shown beside it."""


Ask = PickOne | PickMany | Allocate | Number | Text
Answer = str | int | tuple[str, ...] | tuple[int, ...]
Answers = Mapping[str, Answer]
"""Answers by the name of the ask: a word, words, a number, one number for each slot, or a text."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action that is possible now, or one that isn't and says why. `verb` and `words` identify it, and are typed."""

    PACKED: ClassVar = (
        "verb",
        "words",
        "label",
        "asks",
        "blocked",
        "rolls",
        "follows",
        "key",
        "name",
        "whole",
        "title",
        "called",
    )
    """The fields that players get. The rest is for the wayfinder's screens and for the rules."""

    verb: str
    words: tuple[str, ...]
    label: str
    asks: tuple[Ask, ...] = ()
    blocked: Refusal | None = None
    rolls: bool = False
    """It is a roll with an outcome: it has odds, and may be made on clocks (NM-24) if it says so."""
    follows: bool = False
    """It is a follow-up: it belongs to the act that is open, and is undone with it."""
    apart: bool = False
    """It continues what is open like a follow-up, but is undone by itself."""
    about: tuple[str, ...] = ()
    """Keys of the panel rows that it is about, so that a screen can offer it there."""
    anytime: bool = False
    """It may be done while a question is open, which then stays open. It is an act of its own."""
    effect: bool = False
    """It may be the effect of a full clock, a card or a table's entry (NM-16, NM-25)."""
    asks_when_offered: bool = False
    """As an effect, it may leave open what it asks: whoever takes the offer is asked."""
    key: str = ""
    """A letter that replaces `words` where one key has to be enough. No other move of the verb has it."""
    name: str = ""
    """The name on screen of the thing that `words` identify, if it differs: “The grain convoy”."""
    heeds: tuple[str, ...] = ()
    """The effects of situations that matter to this roll: `desperate`, `exposed`. Each situation is switched on or off
    for it (NM-19).
    """
    offer: str = ""
    """For a follow-up without a question: the letter of its kind, the same in every game. Several may share it."""
    late: bool = False
    """An offer of an earlier act that nobody has taken yet."""
    times: int = 1
    """How many equal offers it stands for. They are taken one at a time."""
    whole: bool = False
    """Real dice are typed as numbers, not as one digit each, such as for a table of twenty."""
    title: str = ""
    """What it is called where it isn't chosen; empty if that is the label. A label may also have advice in it."""
    heading: str = ""
    """What the log says of it, who did what: `“Fog” closed`; empty if that is the title."""
    forecast: str = ""
    """The consequences of a move without odds, or of its die, as far as the label doesn't say them: `integrity is lost`."""
    reveals: str = ""
    """The question to ask first, if this move would show something hidden to players, whatever the answers; otherwise
    empty.
    """
    roller: str = ""
    """Of a roll, the one of `words` that stands for who rolls: the first of `about`. The wayfinder can call for such a roll (NM-48)."""
    what: str = ""
    """Of a roll of one of several kinds, the name on screen of that kind: `SigInt`, `Sanity`."""
    called: bool = False
    """The wayfinder has called for this roll; or it begins or ends such a call."""
    on_clocks: bool = True
    """A roll may be made on clocks."""
    by_chance: bool = False
    """Waylog rolls its dice, and those of what follows, even where real dice were typed before."""
    listed: bool = True
    """It is among the moves that can be made now; otherwise only an effect brings it."""
    ends: str = ""
    """The question to ask before one key makes this move, if it ends what is in progress; otherwise empty."""

    @property
    def id(self) -> str:
        """The verb and words, such as `roll nav`. No two moves of a position have the same."""
        return " ".join((self.verb, *self.words))


OFFER_WORDS: Mapping[str, str] = {
    "o": "fill clock",
    "E": "effect",
    "S": "shunt",
    "b": "card back",
    "L": "level up",
    "v": "show card",
}
"""The name of each kind of offer (`Move.offer`), where there is room for a word or two."""
LASTING_OFFERS = ("o", "E")
"""The kinds of offers that stay open when another act begins."""
MOST_OF_A_KIND = 3
"""More new offers of a kind than these are one line. Those of earlier acts are one line from two on."""


class OfferLine(NamedTuple):
    """A line in a list of offers: one of them, or all of a kind."""

    text: str
    moves: tuple[Move, ...]
    """The moves that the line stands for. More than one are chosen from another list."""


def merge_equal(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves with equal offers as one, which has their number in its label: the first of them, taken one at a time."""
    same: dict[object, list[Move]] = {}
    for move in moves:
        is_alike = move.offer and move.words
        known = (move.verb, move.label, move.asks, move.about, move.blocked) if is_alike else move.id
        same.setdefault(known, []).append(move)
    return tuple(
        each[0] if len(each) == 1 else as_many(each[0], sum(move.times for move in each)) for each in same.values()
    )


def as_many(move: Move, times: int) -> Move:
    """Return an offer that stands for so many equal ones, with their number in its label if it is more than one."""
    title = move.title or move.label
    return replace(move, label=f"{title} (up to {times} times)", title=title, times=times) if times > 1 else move


def count_offers(moves: Sequence[Move]) -> str:
    """Return `1 offer` or `2 offers`; one that can be taken several times is one."""
    count = len(merge_equal(moves))
    return f"{count} {'offer' if count == 1 else 'offers'}"


def offer_lines(moves: Sequence[Move]) -> tuple[OfferLine, ...]:
    """Return follow-ups of which none has to be made, as lines to choose from: equal ones, and many of a kind, are one line with their
    number.
    """
    merged, lines = merge_equal(moves), dict[object, OfferLine]()
    for move in merged:
        kind = move.offer, move.late
        alike = tuple(one for one in merged if (one.offer, one.late) == kind)
        if move.offer and len(alike) > (1 if move.late else MOST_OF_A_KIND):
            counted = f"{count_offers(alike)} left" if move.late else f"{len(alike)} to choose from"
            text = f"{OFFER_WORDS[move.offer].capitalize()}: {counted}"
            lines.setdefault(kind, OfferLine(text, alike))
        else:
            lines[move.id] = OfferLine(move.label, (move,))
    return tuple(lines.values())


@dataclass(frozen=True, slots=True)
class Act:
    """A move with its answers, and the faces of real dice. `faces` is None if Waylog rolls."""

    move: Move
    answers: Answers = field(default_factory=dict)
    faces: tuple[int, ...] | None = None
    by: str = ""
    """The key of the player whose act it is; empty for the wayfinder."""


@dataclass(frozen=True, slots=True)
class RollKey:
    """The moves that a game counts as rolls. The roll key opens them."""

    verbs: tuple[str, ...] = ("roll",)
    """Their verbs. The key opens a command with the first of them that a move has now."""
    hint: str = "rolls"
    """The key's description, shown when the log is empty."""
    nothing: str = "Nothing to roll now"
    """The message if no move has one of these verbs and no question is open."""

    def verb(self, moves: Sequence[Move]) -> str:
        """Return the verb that the key opens a command with, for these moves; empty if there is none."""
        there = {move.verb for move in moves}
        return next((verb for verb in self.verbs if verb in there), "")
