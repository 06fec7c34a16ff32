"""The follow-ups of a roll: what can still be chosen, and one key for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from waylog.rules.moves import Move

RESERVED = "uU?:qTFPWD"
"""Keys that mean the same in every question."""
ROLL = "r"
"""The key for rolls."""
_EVERYWHERE = "rtnNmscRphjklgGxwbvVoiaSCd123456"
"""Keys of the screens. A question may use them for its answers, because it is answered first."""
_STILL_THERE = "inN"
"""Keys of the screens that the line of keys names while something is asked: the rule and notes. A question uses them last,
except for an answer whose own key it is. A question with one answer has its letters to itself.
"""
OFFERS = "oESbL"
"""The letters of the kinds of offers (`Move.offer`). While nothing is asked, no other follow-up has one of them."""
OFFER_WORDS: Mapping[str, str] = {"o": "fill clock", "E": "effect", "S": "shunt", "b": "card back", "L": "level up"}
"""The name of each kind of offer, where there is room for a word or two."""
_POOL = "asdfewvbimopyzASEVBIMOYZ56789"


def follow_ups(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves that belong to the open act, in order. Dice that are waited for have keys of their own."""
    return tuple(move for move in moves if move.follows and move.verb not in ("dice", "rest"))


def assign_keys(
    moves: Sequence[Move], *, asked: bool, rolls: bool = False, kept: Mapping[str, str] = MappingProxyType({})
) -> tuple[tuple[str, Move], ...]:
    """Return each follow-up with its key: its own, its first letter, or another one; empty if there are more follow-ups
    than keys.

    While nothing is asked, an offer has the letter of its kind, which several may share. `kept` has the keys of this
    act so far, by the ids of the moves. A move that is still there keeps its key, and the key of a move that was made
    stays free as long as possible, so that pressing it twice doesn't do something else. With `rolls`, the key for rolls
    opens a line: a move has that key only if it is its own.
    """
    taken = set(RESERVED) | (set() if asked else {*_EVERYWHERE, *OFFERS})
    found: dict[int, str] = {} if asked else {index: move.offer for index, move in enumerate(moves) if move.offer}

    def give(index: int, key: str) -> None:
        found[index] = key
        taken.add(key)

    for index, move in enumerate(moves):
        if index not in found and (key := kept.get(move.id)) and key not in taken:
            give(index, key)
    for index, move in enumerate(moves):
        if index not in found and len(move.key) == 1 and move.key not in taken and not move.key.isdigit():
            give(index, move.key)
    used, spare = {*kept.values(), *(_STILL_THERE if asked and len(moves) > 1 else "")}, ROLL if rolls else ""
    for index, move in enumerate(moves):
        if index not in found:
            wanted = [word[0] for word in (*move.words[:1], move.verb) if word[:1].isalpha()]
            free = [key for key in (*wanted, *_POOL) if key not in taken and key.isascii() and key != spare]
            give(index, next((key for key in free if key not in used), free[0] if free else ""))
    return tuple((found[index], move) for index, move in enumerate(moves))
