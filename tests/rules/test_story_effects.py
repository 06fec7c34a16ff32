"""What cards, tables and full clocks may do beyond damage: Focus, vitality, tokens, modules, clocks complete (NM-17)."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.rules.beside_table import ONES, offered
from waylog.rules.clocks import Clock, Kind, Running
from waylog.rules.game import Game
from waylog.rules.moves import Refused, completed
from waylog.rules.state import Played, State
from waylog.rules.systems import system
from waylog.rules.turns import Note
from waylog.rules.words import spoken, understood

GAMES = {name: Game(system(name)) for name in ("veil-core", "veil-2026", "veil-classic", "veil-reference")}
VEIL: Mapping[str, Any] = {
    "mission": {"name": "Fall"},
    "ship": {
        "focus": 1,
        "tokens": {"engineering": False},
        "modules": {
            "1": {"name": "KEELWING", "system": "NAV"},
            "2": {"name": "BIG EAR", "system": "CPU", "destroyed": True},
        },
    },
    "crew": {"mara": {"name": "Mara", "vitality": 0, "focus": 2}, "lars": {"name": "Lars", "vitality": 2, "focus": 3}},
}
CLASSIC: Mapping[str, Any] = {
    "ship": {
        "tokens": {"reserves": False},
        "modules": {"1": {"name": "KEELWING"}, "2": {"name": "BIG EAR", "destroyed": True}},
    },
    "crew": {"mara": {"name": "Mara", "personal": 1}, "lars": {"name": "Lars", "personal": 2, "grit": 1}},
}
REFERENCE: Mapping[str, Any] = {
    "ship": CLASSIC["ship"],
    "crew": {
        "mara": {"name": "Mara", "vitality": 1, "equipment": {"torch": {"name": "Torch", "ready": False}}},
        "lars": {"name": "Lars", "vitality": 2},
    },
}
OF_VEIL: Mapping[str, Mapping[str, Any]] = {
    "award focus ship 2": {"ship.focus": 3},
    "award focus mara": {"crew.mara.focus": 3},
    "award focus crew 2": {"crew.mara.focus": 3},
    "take focus ship": {"ship.focus": 0},
    "take focus lars 2": {"crew.lars.focus": 1},
    "take focus crew 3": {"crew.mara.focus": 0, "crew.lars.focus": 0},
    "restore vitality mara": {"crew.mara.vitality": 3},
    "restore vitality mara 1": {"crew.mara.vitality": 1},
    "restore vitality crew": {"crew.mara.vitality": 3, "crew.lars.vitality": 3},
    "lose life-support": {"ship.tokens.life_support": False},
    'restore engineering "the generator runs"': {"ship.tokens.engineering": True},
    "damage module keelwing": {"ship.modules.1.destroyed": True},
    "restore module big-ear": {"ship.modules.2.destroyed": False},
    "expose crew": {"crew.mara.exposed": True, "crew.lars.exposed": True},
    "mission over failure": {"mission.over": "failure", "crew.mara.may_advance": True, "crew.lars.may_advance": True},
}
OF_CLASSIC: Mapping[str, Mapping[str, Any]] = {
    'grit mara "a good story"': {"crew.mara.grit": 1},
    "grit all": {"crew.mara.grit": 1, "crew.lars.grit": 2},
    "rest lars": {"crew.lars.personal": 3},
    "rest all": {"crew.mara.personal": 3, "crew.lars.personal": 3},
    "damage mara": {"crew.mara.personal": 0},
    "damage all": {"crew.mara.personal": 0, "crew.lars.personal": 1},
    "lose supplies": {"ship.tokens.supplies": False},
    'restore reserves "paid"': {"ship.tokens.reserves": True},
    "destroy keelwing": {"ship.modules.1.destroyed": True},
    'restore big-ear "a new dish"': {"ship.modules.2.destroyed": False},
    "destroy ship": {"ship.destroyed": True},
}
OF_REFERENCE: Mapping[str, Mapping[str, Any]] = {
    "rest lars": {"crew.lars.vitality": 3},
    "rest all": {"crew.mara.vitality": 3, "crew.lars.vitality": 3},
    "resupply mara": {"crew.mara.equipment.torch.ready": True},
    "damage mara": {"crew.mara.vitality": 0},
    "damage all": {"crew.mara.vitality": 0, "crew.lars.vitality": 1},
    'restore reserves "paid"': {"ship.tokens.reserves": True},
    "destroy keelwing": {"ship.modules.1.destroyed": True},
    'restore big-ear "a new dish"': {"ship.modules.2.destroyed": False},
    "destroy ship": {"ship.destroyed": True},
}
EACH = [
    (name, tree, effect, changes)
    for name, tree, effects in (
        ("veil-core", VEIL, OF_VEIL),
        ("veil-2026", VEIL, OF_VEIL),
        ("veil-classic", CLASSIC, OF_CLASSIC),
        ("veil-reference", REFERENCE, OF_REFERENCE),
    )
    for effect, changes in effects.items()
]


def with_card(game: Game, tree: Mapping[str, Any], effect: str) -> State:
    """A campaign with a deck of one card, which has that effect, and nothing to say against it."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Found it", "effect": effect}}}
    state, faults = game.read({**tree, "decks": {"hold": deck}})
    assert [fault for fault in faults if fault.path[0] == "decks"] == []
    return state


def play(game: Game, state: State, words: str) -> Played:
    """One act in words; the app's dice all show 1."""
    return game.play(state, understood(game.moves(state), words), ONES)


def told(played: Played) -> list[str]:
    """The notes that were told."""
    return [fact.text for fact in played.facts if isinstance(fact, Note)]


@pytest.mark.clause("NM-17")
@pytest.mark.parametrize(
    ("name", "tree", "effect", "changes"), EACH, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_effect_does_what_the_story_says(
    name: str, tree: Mapping[str, Any], effect: str, changes: Mapping[str, Any]
) -> None:
    """As a card's effect and as an act of the wayfinder's alike, and nothing else changes."""
    game = GAMES[name]
    state = with_card(game, tree, effect)
    drawn = play(game, state, "draw hold").state
    for before, words in ((state, effect), (drawn, "effect card")):
        done = play(game, before, words)
        assert told(done)
        after = {".".join(change.path): change.after for change in game.difference(before, done.state)}
        assert after == changes


@pytest.mark.clause("NM-17", "VK-04", "VK-05")
@pytest.mark.parametrize(
    ("words", "why", "clause"),
    [
        ("award focus lars", "Lars can't hold more Focus", "VK-04"),
        ("restore integrity “luck”", "integrity is not lost", "VK-39"),
        ("restore vitality nora", "Nora is unhurt", "VK-05"),
        ("take focus nora", "Nora: no Focus to take", "VK-04"),
        ("damage module big-ear", "BIG EAR is destroyed already", "VK-08"),
        ("restore module keelwing", "KEELWING is not destroyed", "VK-08"),
        ("restore ship “luck”", "the ship is not Wrecked", "VK-32"),
    ],
)
def test_what_would_change_nothing_is_refused(words: str, why: str, clause: str) -> None:
    """With the reason and the rule; in a file it stands all the same, for another day."""
    game = GAMES["veil-core"]
    state = with_card(game, {**VEIL, "crew": {**VEIL["crew"], "nora": {"name": "Nora"}}}, words)
    with pytest.raises(Refused) as refused:
        play(game, state, words)
    assert (refused.value.refusal.reason, refused.value.refusal.clause) == (why, clause)


@pytest.mark.clause("NM-17")
@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("veil-classic", "award focus mara"),
        ("veil-reference", "expose crew"),
        ("veil-reference", "mission over failure"),
        ("course-flow", "damage ship"),
        ("emissaries", "lose integrity"),
    ],
)
def test_the_check_names_an_effect_that_the_game_has_no_rule_for(name: str, effect: str) -> None:
    """In plain words, with what there is instead; and at its place in the file."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Found it", "effect": effect}}}
    (fault,) = Game(system(name)).read({"decks": {"hold": deck}})[1]
    assert fault.path == ("decks", "hold", "cards", "card", "effect")
    assert fault.message.startswith(f"this game has no rule for the effect “{effect}”; effects here begin with clock")


FIRE = 'clock "Fire" death desperate "The station blows up" full "mission over failure"'


@pytest.mark.clause("NM-17", "NM-25")
def test_an_effect_starts_a_clock_complete() -> None:
    """Its kind, its size, its ending, what it does while it runs and what when it is full, in one line that reads back."""
    game = GAMES["veil-core"]
    state = with_card(game, VEIL, FIRE.replace("death", "6 death"))
    state = play(game, play(game, state, "draw hold").state, "effect card").state
    fire = Clock(
        "Fire", Kind.DEATH, 6, 0, "The station blows up", running=Running.DESPERATE, when_full="mission over failure"
    )
    assert state.clocks == {"fire": fire}
    act = understood(game.moves(state), FIRE)
    answers = completed(act.move, act.answers)
    assert (
        spoken(act.move, answers) == 'clock death desperate "Fire" "The station blows up" full "mission over failure"'
    )
    again = understood(game.moves(state), spoken(act.move, answers))
    assert (again.move, completed(again.move, again.answers)) == (act.move, answers)
    full = play(game, state, "tick fire 6")
    assert told(full)[-1] == "“Fire” is full: The station blows up"
    assert [move.label for move in offered(game, full.state, "effect").values()] == [
        "“Fire” is full: mission over failure"
    ]
    assert play(game, full.state, "effect fire").state.sheet.mission.over == "failure"


@pytest.mark.clause("NM-17")
@pytest.mark.parametrize(
    ("words", "outcome", "when_full"),
    [
        ('clock "Fire" 8 death', "", ""),
        ('clock "Fire" 8 death "It blows"', "It blows", ""),
        ('clock 8 death full "damage ship" "Fire" "It blows"', "It blows", "damage ship"),
        ('clock "Fire" 8 death full "damage ship"', "", "damage ship"),
        ('clock Fire 8 death full "damage ship"', "", "damage ship"),
    ],
)
def test_the_ending_and_what_it_does_are_told_apart(words: str, outcome: str, when_full: str) -> None:
    """The second text is the ending; what the clock does when it is full comes after the word, wherever that stands."""
    game = GAMES["veil-core"]
    (clock,) = play(game, with_card(game, VEIL, ""), words).state.clocks.values()
    assert (clock.name, clock.segments, clock.outcome, clock.when_full) == ("Fire", 8, outcome, when_full)


def test_a_clock_may_have_the_word_in_its_name() -> None:
    """It introduces an effect only where quotes follow."""
    game = GAMES["veil-core"]
    (clock,) = play(game, with_card(game, VEIL, ""), "clock full moon 6 augury").state.clocks.values()
    assert (clock.name, clock.when_full) == ("full moon", "")


@pytest.mark.clause("NM-17")
@pytest.mark.parametrize("ending", ["explode", "damage nobody", "roll nav", 'clock "More" 7 death', "note “x”"])
def test_a_clock_is_not_started_with_an_effect_that_there_is_not(ending: str) -> None:
    """Neither by hand nor by a card: the check says so first."""
    game = GAMES["veil-core"]
    quoted = ending.replace('"', '\\"')
    effect = f'clock "Fire" 6 death full "{quoted}"'
    with pytest.raises(Refused) as refused:
        play(game, with_card(game, VEIL, ""), effect)
    assert refused.value.refusal.clause == "NM-17"
    deck = {"name": "Hold", "cards": {"card": {"text": "Fire", "effect": effect}}}
    (fault,) = game.read({**VEIL, "decks": {"hold": deck}})[1]
    assert (fault.path, fault.message) == (("decks", "hold", "cards", "card", "effect"), refused.value.refusal.reason)


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize("size", [0, 3, 5, 7, 9, 14, 60])
def test_a_clock_of_another_size_is_refused_by_name(size: int) -> None:
    """In a typed line and in a file's effect, whatever else is said; no number ends in the clock's texts."""
    game = GAMES["veil-core"]
    for words in (f'clock "Fire" {size} death', f'clock "Fire" death {size} "It blows" full "damage ship"'):
        with pytest.raises(Refused) as refused:
            play(game, with_card(game, VEIL, ""), words)
        assert refused.value.refusal.clause == "NM-20"
        assert re.search(rf"“{size}” is not one of 4, 6, 8, 10, 12", refused.value.refusal.reason)
        deck = {"name": "Hold", "cards": {"card": {"text": "Fire", "effect": words}}}
        (fault,) = game.read({"decks": {"hold": deck}})[1]
        assert (fault.clause, fault.message) == ("NM-20", refused.value.refusal.reason)
