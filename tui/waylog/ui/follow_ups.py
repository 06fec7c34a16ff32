"""Follow-ups of a roll: what may still be chosen, and the one key that chooses each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from waylog.rules.moves import Move

RESERVED = "uU?:qTFPWD"
"""Keys that mean the same whatever is asked."""
ROLL = "r"
"""The key for rolls."""
_EVERYWHERE = "rtnNmscRphjklgGxwbvVoiaSCd123456"
"""Keys of the screens: free for the answers to a question, which stands before everything else."""
OFFERS = "oESb"
"""Letters of kinds of offers (`Move.offer`). Without a question no other follow-up ever has one of them."""
OFFER_WORDS: Mapping[str, str] = {"o": "fill clock", "E": "effect", "S": "shunt", "b": "card back"}
"""What each kind of offer is called where there is room for a word or two."""
_POOL = "asdfewvbimopyzASEVBIMOYZ56789"


def follow_ups(moves: Sequence[Move]) -> tuple[Move, ...]:
    """The moves that belong to what is open, in their order. Dice that are waited for have keys of their own."""
    return tuple(move for move in moves if move.follows and move.verb not in ("dice", "rest"))


def assign_keys(
    moves: Sequence[Move], *, asked: bool, rolls: bool = False, kept: Mapping[str, str] = MappingProxyType({})
) -> tuple[tuple[str, Move], ...]:
    """Each follow-up with its key: its own, its first letter, or another; empty when there are more than keys.

    Without a question, an offer has the letter of its kind, which several may share. `kept` are keys by the ids of moves, as they
    were given in this act. A move that is still there keeps its key, and the key of one that was done stays free while there
    are others: pressing it twice does not do another thing. With `rolls` the key for rolls opens a line now: a move has that key
    only if it is its own.
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
    used, spare = set(kept.values()), ROLL if rolls else ""
    for index, move in enumerate(moves):
        if index not in found:
            wanted = [word[0] for word in (*move.words[:1], move.verb) if word[:1].isalpha()]
            free = [key for key in (*wanted, *_POOL) if key not in taken and key.isascii() and key != spare]
            give(index, next((key for key in free if key not in used), free[0] if free else ""))
    return tuple((found[index], move) for index, move in enumerate(moves))
