"""What cards, tables and full clocks may do beyond damage: Focus, vitality, tokens, modules, clocks complete (NM-17)."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.rules import play, told
from tests.rules.beside_table import offered
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.systems import names, system

GAMES = {name: Game(system(name)) for name in names()}
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
EMISSARIES: Mapping[str, Any] = {
    "crew": {
        "mara": {
            "name": "Mara",
            "made": True,
            "may_recover": True,
            "traits": {"pilot": {"text": "Pilot", "dice": "1d6"}},
            "fallout": {"physical": {"1": {"boxes": 3}}},
        }
    },
    "npcs": {"thoss": {"name": "Thoss", "rows": 2}},
    "assets": {"kestrel": {"name": "Kestrel", "kind": "frigate", "stats": ["Engines 3d6", "Hull 3d6", "Systems 2d8"]}},
}
OF_EMISSARIES: Mapping[str, Mapping[str, Any]] = {
    "fallout mara physical": {"crew.mara.fallout.physical.1.boxes": 4},
    'fallout mara social 2 "The whole dock has heard"': {"crew.mara.fallout.social.1": {"boxes": 2}},
    'fallout mara physical 4 "A burned hand"': {
        "crew.mara.fallout.physical.1.boxes": 4,
        "crew.mara.fallout.physical.1.condition": "A burned hand",
    },
    "fallout thoss 3": {"npcs.thoss.fallout.1": {"boxes": 3}},
    "fallout kestrel 2": {"assets.kestrel.fallout.1": {"boxes": 2}},
    'recover mara physical 2 "A night in the med bay"': {
        "crew.mara.fallout.physical.1.boxes": 1,
        "crew.mara.may_recover": False,
    },
    'object mara "Glass knife" dangerous': {
        "crew.mara.objects.glass-knife": {"name": "Glass knife", "dice": "1d6", "dangerous": True}
    },
    'gain mara "Seen the Veil from within" 1d8': {
        "crew.mara.traits.seen-the-veil-from-within": {
            "text": "Seen the Veil from within",
            "dice": "1d8",
            "drawn": "none",
        }
    },
    "advance mara pilot more": {"crew.mara.traits.pilot.dice": "2d6", "crew.mara.traits.pilot.drawn": "1d6"},
    'npc "Pirate queen" 5d6 2': {"npcs.pirate-queen": {"name": "Pirate queen", "dice": "5d6", "rows": 2}},
    'asset "Wren" fighter mara 2d6 2d6 2d6': {
        "assets.wren": {
            "name": "Wren",
            "kind": "fighter",
            "stats": ["Engines 2d6", "Hull 2d6", "Systems 2d6"],
            "owner": "mara",
        }
    },
}
COURSE_FLOW: Mapping[str, Any] = {
    "course": {"die": "daring", "face": 4, "set_by": "iko"},
    "flows": {"storm": {"name": "Storm", "value": 3}},
    "ships": {"kestrel": {"name": "Kestrel", "matrices": {"hull": {"name": "Hull", "marked": ["a2"]}}}},
    "crew": {
        "iko": {
            "name": "Iko",
            "skills": {"Piloting": 2},
            "tokens": {"clue": 2},
            "tracks": {"debt": {"name": "The debt", "marked": [1]}},
        }
    },
}
OF_COURSE_FLOW: Mapping[str, Mapping[str, Any]] = {
    "award iko rumor": {"crew.iko.tokens.rumor": 1},
    "award iko clue 3": {"crew.iko.tokens.clue": 5},
    "take iko clue": {"crew.iko.tokens.clue": 1},
    "take iko clue 5": {"crew.iko.tokens.clue": 0},
    "raise storm 2": {"flows.storm.value": 5},
    "raise storm -3": {"flows.storm.value": 0},
    'flow "The alarm" 1': {"flows.the-alarm": {"name": "The alarm", "value": 1}},
    "mark iko-debt": {"crew.iko.tracks.debt.marked": [1, 2]},
    "mark kestrel-hull b1": {"ships.kestrel.matrices.hull.marked": ["a2", "b1"]},
    "recover iko-debt": {"crew.iko.tracks.debt.marked": []},
    "recover kestrel-hull a2": {"ships.kestrel.matrices.hull.marked": []},
    "course sneaky 6": {"course.die": "sneaky", "course.face": 6, "course.set_by": ""},
    "skill iko Piloting 3": {"crew.iko.skills.Piloting": 3},
    'equip iko "A key of ice"': {"crew.iko.equipment": ["A key of ice"]},
}
EACH = [
    (name, tree, effect, changes)
    for name, tree, effects in (
        ("veil-core", VEIL, OF_VEIL),
        ("veil-2026", VEIL, OF_VEIL),
        ("veil-classic", CLASSIC, OF_CLASSIC),
        ("veil-reference", REFERENCE, OF_REFERENCE),
        ("emissaries", EMISSARIES, OF_EMISSARIES),
        ("course-flow", COURSE_FLOW, OF_COURSE_FLOW),
    )
    for effect, changes in effects.items()
]


def with_card(game: Game, tree: Mapping[str, Any], effect: str) -> State:
    """A campaign with a deck of one card, which has that effect, and nothing to say against it."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Found it", "effect": effect}}}
    state, faults = game.read({**tree, "decks": {"hold": deck}})
    assert [fault for fault in faults if fault.path[0] == "decks"] == []
    return state


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
        ("take focus nora", "Nora has no Focus to take", "VK-04"),
        ("damage module big-ear", "BIG EAR is already destroyed", "VK-08"),
        ("restore module keelwing", "KEELWING is not destroyed", "VK-08"),
        ("restore ship “luck”", "the ship is not Wrecked", "VK-32"),
    ],
)
def test_what_would_change_nothing_is_refused(words: str, why: str, clause: str) -> None:
    """With the reason and the rule; in a file it stands all the same, for another day."""
    game = GAMES["veil-core"]
    state = with_card(game, {**VEIL, "crew": {**VEIL["crew"], "nora": {"name": "Nora"}}}, words)
    with pytest.raises(ActRefused) as refused:
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
        ("course-flow", "elect sneaky"),
        ("emissaries", "lose integrity"),
        ("emissaries", "cure mara"),
    ],
)
def test_the_check_names_an_effect_that_the_game_has_no_rule_for(name: str, effect: str) -> None:
    """In plain words, with what there is instead; and at its place in the file."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Found it", "effect": effect}}}
    (fault,) = Game(system(name)).read({"decks": {"hold": deck}})[1]
    assert fault.path == ("decks", "hold", "cards", "card", "effect")
    assert fault.message.startswith(f"“{effect}” is not an effect in this game: effects start with ")


@pytest.mark.clause("NM-16")
@pytest.mark.parametrize(
    ("effect", "thing"), [("tick alarm", "clock"), ("draw the hold", "deck"), ("table door", "random table")]
)
def test_the_check_names_what_an_effect_needs_that_is_not_there_yet(effect: str, thing: str) -> None:
    """Where the campaign has none of its kind."""
    deck = {"name": "Hold", "cards": {"card": {"text": "Found it", "effect": effect}}}
    faults = Game(system("veil-2026")).read({"decks": {"hold": deck}} if thing != "deck" else _clock_that_does(effect))[
        1
    ]
    assert [fault.message for fault in faults] == [f"“{effect}” needs a {thing}, but this campaign has none yet"]


def _clock_that_does(effect: str) -> dict[str, object]:
    return {"clocks": {"fire": {"name": "Fire", "when_full": effect}}}


FIRE = 'clock "Fire" death desperate "The station blows up" full "mission over failure"'


@pytest.mark.clause("NM-17", "NM-25")
def test_an_effect_starts_a_clock_complete() -> None:
    """Its kind, its size, its ending, what it does while it runs and what when it is full, in one line that reads back."""
    game = GAMES["veil-core"]
    state = with_card(game, VEIL, FIRE.replace("death", "6 death"))
    state = play(game, play(game, state, "draw hold").state, "effect card").state
    fire = Clock(
        "Fire",
        ClockKind.DEATH,
        6,
        0,
        "The station blows up",
        running=WhileRunning.DESPERATE,
        when_full="mission over failure",
    )
    assert state.clocks == {"fire": fire}
    act = parse_act(game.moves(state), FIRE)
    answers = complete_answers(act.move, act.answers)
    assert (
        format_act(act.move, answers)
        == 'clock death desperate "Fire" "The station blows up" full "mission over failure"'
    )
    again = parse_act(game.moves(state), format_act(act.move, answers))
    assert (again.move, complete_answers(again.move, again.answers)) == (act.move, answers)
    full = play(game, state, "tick fire 6")
    assert told(full)[-2:] == ["“Fire” is full: The station blows up", "“Fire” no longer makes all rolls Desperate"]
    assert [move.label for move in offered(game, full.state, "effect").values()] == [
        "“Fire” is full: end the mission: Failure"
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


@pytest.mark.clause("NM-29")
def test_a_clock_may_have_the_word_in_its_name() -> None:
    """It introduces an effect where quotes follow, or at the end of a line that is whole without it."""
    game = GAMES["veil-core"]
    (clock,) = play(game, with_card(game, VEIL, ""), "clock full moon 6 augury").state.clocks.values()
    assert (clock.name, clock.when_full) == ("full moon", "")


@pytest.mark.clause("NM-17")
@pytest.mark.parametrize("ending", ["explode", "damage nobody", "roll nav", 'clock "More" 7 death', "note “x”"])
def test_a_clock_is_not_started_with_an_effect_that_there_is_not(ending: str) -> None:
    """Neither a person nor a card can start a clock whose effect doesn't exist: the check says so first."""
    game = GAMES["veil-core"]
    quoted = ending.replace('"', '\\"')
    effect = f'clock "Fire" 6 death full "{quoted}"'
    with pytest.raises(ActRefused) as refused:
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
        with pytest.raises(ActRefused) as refused:
            play(game, with_card(game, VEIL, ""), words)
        assert refused.value.refusal.clause == "NM-20"
        assert re.search(rf"“{size}” is not one of 4, 6, 8, 10, 12", refused.value.refusal.reason)
        deck = {"name": "Hold", "cards": {"card": {"text": "Fire", "effect": words}}}
        (fault,) = game.read({"decks": {"hold": deck}})[1]
        assert (fault.clause, fault.message) == ("NM-20", refused.value.refusal.reason)


HURT: Mapping[str, Any] = {str(row): {"boxes": 4, "condition": f"Scar {row}"} for row in (1, 2, 3)}


@pytest.mark.clause("NM-17", "EG-31", "EG-33", "EG-36", "CF-05", "CF-21")
@pytest.mark.parametrize(
    ("name", "tree", "words", "why", "clause"),
    [
        (
            "emissaries",
            {},
            "fallout mara physical 2",
            "Mara, physical: this fills row 1. Type its condition in quotes",
            "EG-31",
        ),
        ("emissaries", {"fallout": {"social": HURT}}, "fallout mara social", "the social track is full", "EG-33"),
        ("emissaries", {"may_recover": False}, "recover mara physical 1 “Rest”", "Mara can recover only once", "EG-36"),
        ("emissaries", {}, "recover mara social 1 “Rest”", "Mara's social track has no boxes to clear", "EG-36"),
        ("course-flow", {}, "take iko focus", "Iko has no Focus token", "CF-21"),
        ("course-flow", {"tokens": {}}, "take iko clue 2", "Iko has no tokens", "CF-21"),
        (
            "course-flow",
            {"tracks": {"debt": {"name": "The debt"}}},
            "recover iko-debt 2",
            "Iko, The debt: no slot is marked",
            "CF-05",
        ),
        (
            "course-flow",
            {"tracks": {"debt": {"marked": [1, 2, 3, 4]}}},
            "mark iko-debt 2",
            "Iko, debt: every slot is already marked",
            "CF-05",
        ),
    ],
)
def test_an_effect_that_the_rules_refuse_today_stands_in_the_file(
    name: str, tree: Mapping[str, Any], words: str, why: str, clause: str
) -> None:
    """It is refused with the reason and the rule when it is done; the check says nothing against it."""
    game, whole = GAMES[name], {"emissaries": EMISSARIES, "course-flow": COURSE_FLOW}[name]
    (who,) = whole["crew"]
    state = with_card(game, {**whole, "crew": {who: {**whole["crew"][who], **tree}}}, words)
    with pytest.raises(ActRefused) as refused:
        play(game, state, words)
    assert refused.value.refusal.reason.startswith(why)
    assert refused.value.refusal.clause == clause


@pytest.mark.clause("NM-17", "EG-34", "EG-35")
def test_fallout_of_the_story_tells_what_it_leads_to() -> None:
    """Two full tracks of an emissary, and the only one of somebody else, whose affairs are kept from the players."""
    game = GAMES["emissaries"]
    last = {**HURT, "3": {"boxes": 4}}
    mara = {**EMISSARIES["crew"]["mara"], "fallout": {"physical": HURT, "mental": last}}
    thoss = {"name": "Thoss", "fallout": {"1": {"boxes": 4}}}
    state = with_card(game, {"crew": {"mara": mara}, "npcs": {"thoss": thoss}}, "")
    dying = play(game, state, 'fallout mara mental "Undone"')
    assert (
        told(dying)[-1]
        == "Two tracks are full: Mara dies at the end of this conflict, or of the next one if none is in progress"
    )
    out = play(game, state, 'fallout thoss "Broken"')
    assert told(out)[-1] == "Thoss's track is full: in a conflict, Thoss gives at once"
    assert [fact.secret for fact in out.facts if isinstance(fact, NoteFact)] == [True] * 3
    assert not any(fact.secret for fact in dying.facts if isinstance(fact, NoteFact))
    ended = state
    for words in (
        'fallout mara mental "Undone"',
        "conflict “Out”",
        "enter mara argue",
        "obstacle “Door” 2d6",
        "enter door",
    ):
        ended = play(game, ended, words).state
    assert play(game, play(game, ended, "begin mara").state, "give").state.sheet.crew["mara"].dead


@pytest.mark.clause("NM-17", "EG-10")
def test_an_effect_that_comes_up_in_a_conflict_is_on_offer_when_it_is_over() -> None:
    """What is asked comes first; then the fallout is written."""
    game = GAMES["emissaries"]
    state = with_card(game, EMISSARIES, "fallout mara social 2")
    for words in ("conflict “Out”", "enter mara argue", "draw hold"):
        state = play(game, state, words).state
    assert not offered(game, state, "effect")
    done = play(game, play(game, state, "call-off").state, "effect card").state
    assert done.sheet.crew["mara"].fallout.social["1"].boxes == 2
