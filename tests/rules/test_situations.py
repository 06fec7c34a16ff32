"""Situations: named conditions that touch rolls until they are over (NM-19)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rules import Acts, project_state, told
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.clocks_situations_and_timers import Situation, WhileRunning
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import ActRefused, PickOne
from waylog.rules.model.panels import TextRow
from waylog.rules.model.state import State
from waylog.rules.systems import names, system
from waylog.rules.what_players_know import Visibility
from waylog.store.file.template_and_conversion import plan_conversion

CORE = Game(system("veil-core"))
CREW: Mapping[str, Any] = {"mara": {"name": "Mara"}, "lars": {"name": "Lars", "vitality": 2, "focus": 1}}
DARK: Mapping[str, Any] = {"name": "No power", "rolls": "exploring"}
SMOKE: Mapping[str, Any] = {"name": "Smoke"}
ACTS = Acts(CORE, crew=CREW)
state_of, play, odds_of = ACTS.campaign, ACTS.play, ACTS.odds


def is_desperate(state: State, words: str, game: Game = CORE) -> bool:
    """The roll is Desperate by what was told of it, and the odds beforehand say the same."""
    said = any(line.startswith("Desperate during “") for line in told(play(state, words, game)))
    assert said == any(note.text.startswith("Desperate during “") for note in odds_of(state, words, game).reasons)
    return said


@pytest.mark.clause("NM-19")
def test_a_situation_for_all_rolls_is_switched_off_for_one() -> None:
    """It touches ship and crew alike; without it the roll is what it would be, and the log says that it was left out."""
    state = state_of(situations={"smoke": SMOKE})
    able = play(state, "award focus mara").state
    for words in ("roll nav 6 1", "roll mara 6 1 1", "heal lars by-mara 6 1 1"):
        assert is_desperate(able, words)
        off = words.replace(" 6", " without-smoke 6")
        assert not is_desperate(able, off)
        assert told(play(able, off))[0] == "“Smoke” does not affect this roll"
    hurt, spared = play(state, "roll nav 1 1").state, play(state, "roll nav without-smoke 1 1").state
    assert (hurt.sheet.ship.tokens.integrity, spared.sheet.ship.tokens.integrity) == (False, True)
    assert [note.clause for note in odds_of(state, "roll nav").forecast] == ["VK-15", "VK-16"]
    assert [note.clause for note in odds_of(state, "roll nav without-smoke").forecast] == ["VK-15"]


@pytest.mark.clause("NM-19")
def test_a_situation_that_names_its_rolls_is_switched_on_for_one() -> None:
    """What a roll is made for only the wayfinder knows; where the situation names the roll itself, it touches it at once."""
    state = state_of(situations={"no-power": DARK, "heat": {"name": "Heat", "rolls": "NAV, and Lars"}})
    assert not is_desperate(state, "roll hul 6 1")
    assert is_desperate(state, "roll hul with-no-power 6 1")
    assert told(play(state, "roll hul with-no-power 6 1"))[0] == "Desperate during “No power” (exploring)"
    assert is_desperate(state, "roll nav 6 1")
    assert is_desperate(state, "roll lars 6 1")
    assert not is_desperate(state, "roll mara 6 1 1")
    assert not is_desperate(state, "roll nav without-heat 6 1")
    played = play(state, "roll nav without-heat with-no-power 6 1")
    assert played.words == "roll nav with-no-power without-heat"


@pytest.mark.clause("NM-19")
def test_a_roll_shows_the_situations_in_force_and_no_others() -> None:
    """Each with its two answers; without a situation a roll asks what it always asked."""
    plain = {move.id: move.asks for move in CORE.moves(state_of())}
    over = {"past": {"name": "Past", "over": True}, "done": {"name": "Done", "clock": "fire"}}
    clocks = {"fire": {"name": "Fire", "kind": "death", "segments": 4, "filled": 4}}
    ended = {move.id: move.asks for move in CORE.moves(state_of(situations=over, clocks=clocks))}
    state = state_of(situations={"no-power": DARK, "gas": {"name": "Gas", "makes": "exposed"}, **over}, clocks=clocks)
    for move in CORE.moves(state):
        assert not move.rolls or plain[move.id] == ended[move.id]
        asked = [ask for ask in move.asks if isinstance(ask, PickOne) and ask.name.startswith("situation ")]
        names = [ask.label for ask in asked]
        if move.verb == "heal" or (move.verb == "roll" and move.words[0] in ("mara", "lars")):
            assert names == ["“No power” (exploring)", "“Gas”"]
            assert [option.word for ask in asked for option in ask.options] == [
                *("with-no-power", "without-no-power", "with-gas", "without-gas")
            ]
            assert [ask.default for ask in asked] == ["without-no-power", "with-gas"]
        elif move.verb == "roll":
            assert names == ["“No power” (exploring)"]
        else:
            assert names == []


@pytest.mark.clause("NM-19", "VK-18", "VK-43")
def test_a_situation_makes_the_crew_exposed() -> None:
    """The sheet says why; a roll of somebody whose suit gives no air is Desperate by it, unless it is switched off."""
    crew = {"mara": {"name": "Mara", "life_support": False}}
    state = state_of(crew=crew, situations={"gas": {"name": "Gas", "makes": "exposed"}})
    (tags,) = (panel.tags for panel in CORE.panels(state) if panel.key == "crew.mara")
    assert ("Exposed", "during “Gas”") in [(tag.text, tag.why) for tag in tags]
    said = "Desperate while Exposed (during “Gas”) without suit life support"
    assert said in told(play(state, "roll mara 6 1 1"))
    assert said not in told(play(state, "roll mara without-gas 6 1 1"))
    assert said not in told(play(play(state, "situation end gas").state, "roll mara 6 1 1"))


@pytest.mark.clause("NM-19", "VK-20")
def test_in_a_group_each_roll_is_asked() -> None:
    """The group's odds count what touches all rolls; then each roll is switched for itself."""
    state = state_of(situations={"smoke": SMOKE})
    assert any("“Smoke”" in note.text for note in odds_of(state, "group all").reasons)
    asked = play(state, "group all").state
    first = play(asked, "roll mara without-smoke 1 1 1")
    assert "Desperate during “Smoke”" not in told(first)
    assert "Desperate during “Smoke”" in told(play(first.state, "roll lars 1 1 1"))


@pytest.mark.clause("NM-19")
def test_the_wayfinder_sets_a_situation_and_ends_it() -> None:
    """In one line that reads back; it is kept in the file when it is over, and may begin again."""
    state = state_of(clocks={"fire": {"name": "Fire", "kind": "death"}})
    words = 'situation "No power" "exploring"'
    played = play(state, words)
    assert played.state.situations == {"no-power": Situation("No power", rolls="exploring")}
    assert (played.words, told(played)) == (words, ["New situation “No power”: rolls are Desperate (exploring)"])
    other = play(state, 'situation "Gas" exposed with-fire hidden').state.situations
    assert other == {"gas": Situation("Gas", WhileRunning.EXPOSED, clock="fire", seen=False)}
    tree = CORE.write(played.state)["situations"]
    assert tree == {"no-power": {"name": "No power", "makes": "desperate", "rolls": "exploring"}}
    ended = play(played.state, "situation end no-power")
    assert (ended.state.situations["no-power"].over, told(ended)) == (True, ["“No power” ends"])
    with pytest.raises(ActRefused, match="has already ended") as refused:
        play(ended.state, "situation end no-power")
    assert refused.value.refusal.clause == "NM-19"
    assert play(ended.state, "situation resume no-power").state.situations == played.state.situations
    with pytest.raises(ActRefused, match="has not ended"):
        play(played.state, "situation resume no-power")


@pytest.mark.clause("NM-19")
def test_a_situation_ends_with_its_clock() -> None:
    """When that is full, or closed; reopened, it holds again. Without such a clock the situation lasts."""
    clocks = {"fire": {"name": "Fire", "kind": "death", "segments": 4}}
    state = state_of(situations={"smoke": {**SMOKE, "clock": "fire"}}, clocks=clocks)
    assert is_desperate(state, "roll nav 6 1")
    closed = play(state, "close fire").state
    assert not is_desperate(closed, "roll nav 6 1")
    assert is_desperate(play(closed, "reopen fire").state, "roll nav 6 1")
    assert not is_desperate(play(state, "tick fire 4").state, "roll nav 6 1")
    # The log says so once, whatever ends it.
    assert [told(play(state, words)).count("“Smoke” ends") for words in ("tick fire 4", "close fire", "tick fire")] == [
        1,
        1,
        0,
    ]
    assert "“Smoke” ends" not in told(play(play(state, "tick fire 4").state, "close fire"))
    _, (fault,) = CORE.read({"situations": {"smoke": {**SMOKE, "clock": "flood"}}})
    assert (fault.path, fault.clause) == (("situations", "smoke", "clock"), "NM-19")


@pytest.mark.clause("NM-19", "NM-17")
def test_cards_and_clocks_set_situations_and_end_them() -> None:
    """Each by one key; the file's check knows them while they are over, too."""
    cards = {
        "gas": {"text": "A valve gives", "effect": 'situation "Gas" exposed'},
        "power": {"text": "The generator", "effect": "situation end no-power"},
    }
    clock = {"name": "Dusk", "kind": "death", "segments": 4, "when_full": "situation resume night"}
    state = state_of(
        situations={"no-power": DARK, "night": {"name": "Night", "over": True}},
        decks={"hold": {"name": "Hold", "cards": cards}},
        clocks={"dusk": clock},
    )
    gas = play(play(state, "draw hold 1").state, "effect gas")
    assert gas.follows
    assert gas.state.situations["gas"] == Situation("Gas", WhileRunning.EXPOSED)
    assert play(play(state, "draw hold 2").state, "effect power").state.situations["no-power"].over
    assert not play(play(state, "tick dusk 4").state, "effect dusk").state.situations["night"].over


@pytest.mark.clause("NM-19")
@pytest.mark.parametrize(
    "words", ["situation end no pwer", "situation end fog", "situation resume fog", "situation end x y"]
)
def test_a_mistyped_end_sets_no_situation(words: str) -> None:
    """Neither by hand nor as the effect of a card, which the check of the file names; the name as shown ends it."""
    for situations in ({}, {"no-power": DARK}):
        state = state_of(situations=situations)
        with pytest.raises(ActRefused):
            play(state, words)
        cards = {"power": {"text": "The generator", "effect": words}}
        _, (fault,) = CORE.read({"situations": situations, "decks": {"hold": {"name": "Hold", "cards": cards}}})
        assert fault.path == ("decks", "hold", "cards", "power", "effect")
    for ending in ("situation end No power", "situation end no power", "situation end"):
        assert play(state_of(situations={"no-power": DARK}), ending).state.situations["no-power"].over


@pytest.mark.clause("NM-19")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("veil-core", ["desperate", "exposed"]),
        ("veil-2026", ["desperate", "exposed"]),
        ("veil-classic", ["desperate"]),
        ("veil-reference", ["desperate"]),
        ("course-flow", []),
        ("emissaries", []),
    ],
)
def test_each_game_has_the_situations_that_it_has_rules_for(name: str, known: list[str]) -> None:
    """Those can be set, and touch its rolls; the check names the others, and they touch nothing."""
    game = Game(system(name))
    state, _ = game.read({"name": "Trial", "crew": {"mara": {"name": "Mara"}}} if known else {"name": "Trial"})
    offered = [move for move in game.moves(state) if move.id == "situation"]
    assert [
        option.word for move in offered for ask in move.asks[1:2] for option in getattr(ask, "options", ())
    ] == known
    for made in ("desperate", "exposed"):
        tree = {**game.write(state), "situations": {"gas": {"name": "Gas", "makes": made}}}
        held, faults = game.read(tree)
        assert [fault.path for fault in faults] == ([] if made in known else [("situations", "gas", "makes")])
        asked = [ask for move in game.moves(held) for ask in move.asks if ask.name.startswith("situation ")]
        assert bool(asked) == (made in known)
        assert bool([panel for panel in game.panels(held) if panel.key == "situations"]) == (made in known)
        if name in ("veil-classic", "veil-reference") and made in known:
            assert is_desperate(held, "roll mara engines 11111", game)
            assert not is_desperate(held, "roll mara engines without-gas 1 1 1 1 1", game)


@pytest.mark.clause("NM-19")
def test_players_know_of_a_situation_if_they_may() -> None:
    """A hidden one touches them without its name; and what was told of it goes when it is hidden."""
    crew = {"mara": {"name": "Mara"}}
    clocks = {"core": {"name": "Core", "kind": "death", "seen": False}}
    gas = {"name": "Gas", "makes": "exposed", "clock": "core"}
    for seen in (True, False):
        state = state_of(crew=crew, clocks=clocks, situations={"gas": {**gas, "seen": seen}})
        shown = project_state(CORE.system, state, ())
        assert "Core" not in str(shown.panels)
        assert ("Gas" in str(shown.panels)) is seen
        assert any(tag.why == f"during “{'Gas' if seen else '?'}”" for panel in shown.panels for tag in panel.tags)
        rows = [row for panel in CORE.panels(state) if panel.key == "situations" for row in panel.rows]
        assert [(row.label, row.secret) for row in rows if isinstance(row, TextRow)] == [("Gas", not seen)]
        (note, *_) = play(state, "roll mara without-gas 6 1 1").facts
        assert Visibility.of_players(state, {}).fact(note) is seen
        hidden = replace(state, situations={"gas": replace(state.situations["gas"], seen=False)})
        assert not Visibility.of_players(hidden, {}).fact(note)


@pytest.mark.clause("NM-19")
def test_an_act_with_situations_reads_back() -> None:
    """Whatever was switched, and whatever the situations are called."""
    situations = {"nav": {"name": "Nav"}, "on": DARK, "7": SMOKE, "with": {"name": "With", "rolls": "x"}}
    state = state_of(situations=situations, clocks={"smoke": {"name": "Smoke"}})
    for words in ("roll nav", "roll nav without-situation-7 with-on smoke", "roll mara with-with without-nav primary"):
        act = parse_act(CORE.moves(state), words)
        answers = complete_answers(act.move, act.answers)
        again = parse_act(CORE.moves(state), format_act(act.move, answers))
        assert (again.move, complete_answers(again.move, again.answers)) == (act.move, answers)


@pytest.mark.clause("NM-19")
@pytest.mark.parametrize("name", [name for name in names() if name != "veil-core"])
def test_a_campaign_taken_into_another_game_keeps_its_situations(name: str) -> None:
    """The check of the other game says which mean nothing there."""
    state = state_of(situations={"gas": {"name": "Gas", "makes": "exposed"}})
    plan = plan_conversion(CORE, state, Game(system(name)))
    assert plan.state.situations == state.situations
    knows_exposed = name == "veil-2026"
    assert (("situations", "gas", "makes") in [fault.path for fault in plan.to_choose]) is not knows_exposed


@pytest.mark.clause("NM-19")
def test_outcomes_are_the_same_dice_read_alike() -> None:
    """A situation changes the call and not the dice."""
    state = state_of(situations={"smoke": SMOKE})
    for words in ("roll nav 6 6", "roll nav without-smoke 6 6"):
        assert [fact.outcome for fact in play(state, words).facts if isinstance(fact, OutcomeFact)] == ["critical"]
