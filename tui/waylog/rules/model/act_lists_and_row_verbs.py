"""Which key does what with a row, or opens which list, as data: the same keys in every game, each game's own verbs.

A screen asks here and knows no verb. `subjects` groups the moves of a list by who or what they are done to, each with its letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from waylog.rules.codec.changes import ALPHABET
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.moves import (
    ActRefused,
    Answers,
    Move,
    reason_of,
)
from waylog.values import dataclass, field


class ActList(StrEnum):
    """A list of acts that a key opens from every view. Its value is the key."""

    DAMAGE = "d"
    EXPOSED = "x"
    TICK = "t"
    SIGHT = "v"
    MEND = "M"


class RowKey(StrEnum):
    """The use of a key on the row under the cursor."""

    OPEN = "open"
    """Enter: the obvious act of the row. A roll opens its line; any other comes first in the list of what can be done."""
    TOGGLE = "toggle"
    """Space: lost or back, destroyed or whole."""
    MORE = "more"
    """`+`: one more."""
    LESS = "less"
    """`-`: one less."""


@dataclass(frozen=True, slots=True)
class VerbKeys:
    """The keys for the moves of one verb: the list that they are in, and what does them on a row."""

    listed: ActList | None = None
    row: tuple[RowKey, ...] = ()
    hurts: bool = False
    """Its moves take something from the players, as all in the list of damage do, or decide what only they decide. No screen marks one
    of them for Enter.
    """
    explains: bool = False
    """One of its moves that can't be made stays in the list, with its reason: somebody else may do the same."""
    is_asked: bool = False
    """One key alone doesn't make its moves: a question names the thing first."""


_UNLISTED = VerbKeys()
_NONE: Mapping[str, str] = MappingProxyType({})
ActKeys = Mapping[str, VerbKeys]
"""By verb."""
COMMON: ActKeys = MappingProxyType(
    {
        "tick": VerbKeys(ActList.TICK, (RowKey.OPEN, RowKey.MORE)),
        "show": VerbKeys(ActList.SIGHT),
        "hide": VerbKeys(ActList.SIGHT, is_asked=True),
        "only": VerbKeys(ActList.SIGHT),
        "return": VerbKeys(is_asked=True),
        "stay": VerbKeys(is_asked=True),
        "table": VerbKeys(row=(RowKey.OPEN,)),
        "draw": VerbKeys(row=(RowKey.OPEN,)),
    }
)
"""The keys of the verbs that every game has."""
_OF_EVERY_GAME = """
    allow aside back call card clock close deck dice disallow draw effect hide misread note on open pay pick play reopen reveal reword ruling scene secret session set show
    shuffle situation skip spotlight overrule stash table tell tick time timer roll keep
"""
VERBS_OF_EVERY_GAME = frozenset(_OF_EVERY_GAME.split())
"""Verbs that Waylog plays in every game, and those of rolls."""
EVERYBODY = "*"
"""The key that takes all people at once, in lists and in questions."""
_FIXED: Mapping[str, str] = {
    "ship": "s",
    "ship.tokens.integrity": "i",
    "ship.tokens.engineering": "e",
    "ship.tokens.life_support": "l",
    "crew": EVERYBODY,
}
"""Letters that mean the same in every list and every game, unless somebody's name has them. Where a list has no such subject, its letter
is free. All together have a sign, which no name can have.
"""
ANYTIME = "winuk"
"""Letters that nobody has in any list, because they mean the same whatever is asked: why, the rule, a note, undo; and to keep what there
is.
"""
_PEOPLE = "crew"
_PARTS = ("ship", "mission")
"""Where each part is a subject of its own. Anywhere else a part belongs to the person or thing that it is a part of."""
_ARTICLES = ("the ", "a ", "an ")


@dataclass(frozen=True, slots=True)
class Subject:
    """The person or thing that an act of a list is done to."""

    key: str
    """`ship`, `crew.mara`, `clocks.fog`."""
    name: str
    letter: str
    """Empty where there are more subjects than letters."""
    moves: tuple[Move, ...]
    """The moves that can be made, then those that only others can make now. One that is blocked for another reason is there only if none
    can be made.
    """
    refused: str = ""
    """Why it can't be done, if it stays in the list."""
    answers: Answers = field(default_factory=dict)
    """The answers that are given by choosing it."""


def may_hurt(keys: ActKeys, move: Move) -> bool:
    """Whether nobody wants this move by a slip of the hand."""
    known = keys.get(move.verb)
    return known is not None and (known.hurts or known.listed is ActList.DAMAGE)


def has_list(keys: ActKeys, which: ActList) -> bool:
    """Whether a game with these keys has any act for a list, even if none can be done now."""
    return any(known.listed is which for known in keys.values())


def moves_of_list(moves: Iterable[Move], keys: ActKeys, which: ActList) -> Iterator[Move]:
    """Yield the moves in a list that can be made now."""
    return (move for move in moves if not move.blocked and keys.get(move.verb, _UNLISTED).listed is which)


def can_list(moves: Iterable[Move], keys: ActKeys, which: ActList) -> bool:
    """Whether anything in a list can be done now."""
    return any(True for _ in moves_of_list(moves, keys, which))


_WITHOUT_KEY = ("timer", "situation", "tell", "allow")
"""Verbs of every game that a wayfinder needs at the table and that have no key."""


def moves_without_key(moves: Iterable[Move], keys: ActKeys) -> Mapping[str, Sequence[Move]]:
    """Return, by verb, the moves that can be made only as a command: a game's own that neither a list nor a row has, and some of every
    game.
    """
    found: dict[str, list[Move]] = {}
    for move in moves:
        known = keys.get(move.verb, _UNLISTED)
        is_common = move.verb in VERBS_OF_EVERY_GAME and move.verb not in _WITHOUT_KEY
        if not (known.listed or known.row or move.follows or is_common):
            found.setdefault(move.verb, []).append(move)
    return found


def subject_of(path: str) -> str:
    """Return who or what a row belongs to: `crew.mara` for `crew.mara.tools.1`."""
    kind, *rest = path.split(".")
    return path if kind in _PARTS or not rest else f"{kind}.{rest[0]}"


def _subject_of_move(move: Move) -> str:
    """Return who or what a move is done to: the crew, if it has a name for the several people that it is about; or else the first."""
    several = {*map(subject_of, move.about)}
    return _PEOPLE if move.name and len(several) > 1 and all(map(is_person, several)) else subject_of(move.about[0])


def is_person(key: str) -> bool:
    """Whether a subject is somebody of the crew."""
    return subject_of(key) == key and key.startswith(f"{_PEOPLE}.")


def letters_of_people(moves: Iterable[Move], names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the letter of each person, the same in every list: the one that their rolls have, or other moves about them where there
    is no roll now; or else one of their name. First letters are given first, so that most people have their own.
    """
    keyed = [move for move in moves if move.key and not move.follows and len(move.about) == 1]
    given = dict[str, set[str]]()
    for move in [move for move in keyed if move.rolls] or keyed:
        given.setdefault(move.about[0], set()).add(move.key)
    people = {key: name for key, name in names.items() if is_person(key)}
    known = {key: next(iter(given[key])) for key in people if len(given.get(key, ())) == 1}
    return letters_of_names(people, known, ANYTIME)


def letters_of_names(
    names: Mapping[str, str], known: Mapping[str, str] = _NONE, taken: Collection[str] = ()
) -> Mapping[str, str]:
    """Return the letter of each key: the one that is `known`, or else the first letter of its name, or another one of it. No two have the
    same, and none has one of `taken`. First letters are given first, so that most have their own. A key that gets none is left out.
    """
    found = {**known}
    for most in (1, None):
        for key, name in names.items():
            free = (char for char in _letters(name)[:most] if char not in taken and char not in found.values())
            if key not in found and (letter := next(free, "")):
                found[key] = letter
    return found


def subjects(
    moves: Collection[Move], keys: ActKeys, which: ActList, names: Mapping[str, str], also: Collection[str] = ()
) -> Sequence[Subject]:
    """Return the subjects of a list, in the order of their moves. `names` has what the screens call rows and panels; `also` has the
    ids of other moves that belong to the list now.
    """
    found: dict[str, list[Move]] = {}
    for move in moves:
        listed = move.id in also or ((known := keys.get(move.verb)) is not None and known.listed is which)
        if listed and not move.follows and move.about:
            found.setdefault(_subject_of_move(move), []).append(move)
    called = {key: names.get(key) or its_moves[0].name or its_moves[0].label for key, its_moves in found.items()}
    people = letters_of_people(moves, {**called, **names})
    if not people.keys() & found.keys():  # A list without people, such as that of clocks, has all letters for itself.
        people = {}
    fixed = {key: letter for key, letter in _FIXED.items() if key in found and letter not in people.values()}
    taken = {str(which), *people.values(), *fixed.values()}
    made = []
    for key, its_moves in found.items():
        name, letter = called[key], people.get(key) or fixed.get(key)
        if letter is None:
            letter = next((char for char in _letters(name) if char not in taken), "")
            taken.add(letter)
        able = [move for move in its_moves if not move.blocked]
        others = [move for move in its_moves if move.blocked and keys.get(move.verb, _UNLISTED).explains]
        # Where none can be made, the one that has the subject's own name gives the reason: it says how that is as a whole.
        reasons = sorted(its_moves, key=lambda move: move.name != name)
        # Which slot is damaged may be asked afterwards.
        whole = able if which is ActList.DAMAGE else [move for move in able if is_whole(move)]
        its_own = [*(whole or able), *others] or reasons[:1]
        made.append(Subject(key, name, letter, tuple(its_own), reason_of(its_own[0].blocked) if others else ""))
    return made


def list_acts(
    moves: Iterable[Move], opened_by: str, names: Mapping[str, str], people: Mapping[str, str], on: str = ""
) -> Sequence[Subject]:
    """Return acts to choose from, such as several on the subject `on`: each with the letter of who else it is about, as `people` has
    them, or one of its own. `opened_by` is the key that opens the list, which takes what is marked in it.
    """
    moves = tuple(moves)
    if people.keys().isdisjoint(subject_of(path) for move in moves for path in move.about):
        people = {}  # A list without people has all letters for itself.
    taken = {opened_by, *ANYTIME, *people.values()}
    made: list[Subject] = []
    for move in moves:
        others = [path for path in map(subject_of, move.about) if path != on and path in names]
        # What several people share is nobody's own.
        path = others[0] if len(others) == 1 else move.about[0] if move.about else ""
        name = names.get(path) or move.name or path.rpartition(".")[2] or move.label
        known = people.get(path, "") if len(others) == 1 else ""
        is_free = known and all(each.letter != known for each in made)
        letter = known if is_free else next((char for char in _letters(name) if char not in taken), "")
        taken.add(letter)
        made.append(Subject(move.id, move.label, letter, (move,), reason_of(move.blocked)))
    return made


def is_whole(move: Move) -> bool:
    """Whether a move can be made as it stands, without an answer."""
    try:
        complete_answers(move, {})
    except ActRefused:
        return False
    return True


def _letters(name: str) -> str:
    """Return the letters that may stand for a name, the best first: those of its first word that is not an article, then any."""
    text = name.lower()
    for article in _ARTICLES:
        text = text.removeprefix(article)
    return "".join(char for char in text if char.isascii() and char.isalpha()) + ALPHABET


def move_at_row(moves: Iterable[Move], keys: ActKeys, row: str, which: RowKey) -> Move | None:
    """Return what a key does with a row: a move about that very row before one about what the row is a part of.

    A move that can't be made is returned only if there is no other, so that its reason can be given.
    """
    about = [(row,), (subject_of(row),)] if which is RowKey.OPEN else [(row,)]
    fitting = [
        move
        for move in moves
        if not move.follows and (known := keys.get(move.verb)) and which in known.row and move.about in about
    ]
    return min(fitting, key=lambda move: (move.blocked is not None, move.about != (row,)), default=None)
