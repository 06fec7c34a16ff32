"""Called rolls: the wayfinder asks several for the same roll, and each rolls when they are ready (NM-48)."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest

from tests.file_games import game_of
from tests.kit.rules import ONES, Acts, play, state_of, told
from waylog.rules.game import Game
from waylog.rules.model.moves import Act, ActRefused, PickOne
from waylog.rules.model.state import State
from waylog.rules.systems import system

CORE = Game(system("veil-core"))
CREW: Mapping[str, Any] = {
    "mara": {"name": "Mara", "primary": {"name": "tether gun"}},
    "lars": {"name": "Lars"},
    "tove": {"name": "Tove", "vitality": 0},
}
CLOCKS: Mapping[str, Any] = {
    "leak": {"name": "The leak", "kind": "catastrophe", "segments": 8},
    "deep": {"name": "What waits", "kind": "catastrophe", "segments": 8, "seen": False},
}
ACTS = Acts(CORE, crew=CREW, clocks=CLOCKS)
state_of_core, after, refused = ACTS.campaign, ACTS.after, ACTS.refused


def left(state: State, game: Game = CORE) -> list[str]:
    """The rolls that are still to be made."""
    return [move.id for move in game.called_moves(state)]


@pytest.mark.clause("NM-48")
def test_everyone_is_whoever_can_roll_and_is_at_the_table() -> None:
    """Who is away rolls only if they are named."""
    assert left(after(state_of_core(), "call all")) == ["roll mara", "roll lars"]
    away = {"players": {"ana": {"character": "mara"}, "bo": {"character": "lars"}}}
    state = after(state_of_core(**away), "session begin bo")
    assert left(after(state, "call all")) == ["roll lars"]
    assert left(after(state, "call lars mara")) == ["roll lars", "roll mara"]
    assert refused(state, "call tove").clause == "VK-41"
    assert left(after(state_of_core(), "call nav mara")) == ["roll nav", "roll mara"]


@pytest.mark.clause("NM-48", "NM-24")
def test_what_the_wayfinder_has_settled_holds_for_all() -> None:
    """The roll type and the clocks are settled, also a hidden one; whoever rolls says with what. Other types take no line of the form."""
    state = after(state_of_core(), "call all desperate leak deep")
    roll = next(move for move in CORE.moves(state) if move.id == "roll lars")
    types = next(ask for ask in roll.asks if isinstance(ask, PickOne) and ask.default == "desperate")
    assert [option.word for option in types.options if not option.is_unlisted] == ["desperate"]
    assert CORE.question(state) == "Mara and Lars still have to roll (Desperate)"
    rolled = play(CORE, state, "roll mara primary 3 2 1 1 1 4")
    assert rolled.words == "roll mara primary desperate leak deep"
    assert rolled.title == "Roll for Mara: tether gun, Desperate, The leak, What waits"
    assert [rolled.state.clocks[key].filled for key in ("leak", "deep")] == [2, 2]
    assert "Desperate Fiasco: Mara takes damage" in told(rolled)
    assert refused(state, "roll lars standard").clause == "NM-48"
    alike = play(CORE, state_of_core(), "roll mara primary desperate leak deep 3 2 1 1 1 4")
    assert (alike.facts, alike.state.sheet, alike.state.clocks) == (
        rolled.facts,
        rolled.state.sheet,
        rolled.state.clocks,
    )


@pytest.mark.clause("NM-48")
def test_nobody_is_waited_for_longer_than_the_wayfinder_wants() -> None:
    """The call ends without the others, who took no part. Nothing else that begins an act is possible before."""
    state = after(state_of_core(), "call all", "roll lars 6 1 1")
    with pytest.raises(ActRefused):
        play(CORE, state, "award focus mara")
    assert told(play(CORE, state, "tick leak"))
    ended = play(CORE, state, "finish")
    assert (told(ended), CORE.question(ended.state)) == (["Mara took no part"], None)
    assert ended.follows
    assert told(play(CORE, after(state_of_core(), "call all"), "finish")) == ["The call ended before anyone rolled"]


@pytest.mark.clause("NM-48")
def test_each_has_real_dice_or_none() -> None:
    """Real dice of one are no reason to ask the next for theirs; dice that are missing are asked for before anybody else rolls."""
    state = after(state_of_core(), "call all", "roll mara 6 1 1")
    assert CORE.question(after(state, "roll lars")) is None
    waiting = after(state_of_core(), "call all", "roll mara 6")
    assert CORE.question(waiting) == "Mara: what do the 2 dice show?"
    assert left(waiting) == ["roll mara", "roll lars"]
    assert left(after(waiting, "dice 1 1")) == ["roll lars"]


def _games() -> dict[str, tuple[Game, dict[str, Any], str, tuple[str, ...]]]:
    classic = Game(system("veil-classic"))
    crew = {"mara": {"name": "Mara"}, "lars": {"name": "Lars"}, "tove": {"name": "Tove"}}
    yard = Game(game_of("breakers-yard"))
    return {
        "veil-core": (CORE, {"crew": crew, "clocks": CLOCKS}, "desperate leak", ("mara", "lars", "tove")),
        "veil-classic": (classic, {"crew": crew, "clocks": CLOCKS}, "desperate deep", ("mara", "lars", "tove")),
        "breakers-yard": (yard, {"crew": crew, "clocks": CLOCKS}, "cut leak", ("mara", "lars", "tove")),
    }


@pytest.mark.clause("NM-48")
@pytest.mark.parametrize("name", ["veil-core", "veil-classic", "breakers-yard"])
def test_a_call_comes_to_what_the_rolls_come_to(name: str) -> None:
    """In whatever order they roll, the campaign is as if each roll had been made by itself, and so is what is told of it."""
    game, tree, words, crew = _games()[name]
    for order in permutations(crew):
        called = state_of(game, tree)
        alone = called
        called = play(game, called, f"call {' '.join(crew)} {words}").state
        for who in order:
            kind = f"{words.split()[0]} " if name == "breakers-yard" else ""
            rest = words.removeprefix(kind)
            one, other = play(game, called, f"roll {kind}{who}"), play(game, alone, f"roll {kind}{who} {rest}")
            assert one.facts == other.facts
            called, alone = one.state, other.state
            while game.question(alone):
                answer = next(move for move in game.moves(alone) if move.follows and not move.blocked and not move.asks)
                same = next(move for move in game.moves(called) if move.id == answer.id)
                called, alone = (game.play(at, Act(move), ONES).state for at, move in ((called, same), (alone, answer)))
        assert (called.sheet, called.clocks) == (alone.sheet, alone.clocks)
        assert game.question(called) is None
