"""Clocks at the table, whatever the game (NM-20…NM-29), and notes (NM-42)."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest

from tests.kit.rules import ONES, Acts, told
from tests.kit.small_game import SYSTEM as SMALL_GAME
from waylog.rules.codec.changes import NEW
from waylog.rules.common.clock_moves import clock_words, on_clocks
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import reveals
from waylog.rules.model.clocks import ALL_SIZES, SIZES, Clock, ClockKind, Segments, WhileRunning, advance, fill_clock
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Move, Option, PickMany, PickOne
from waylog.rules.model.state import State
from waylog.rules.systems import names, system
from waylog.store.log.act_texts import describe_note
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clock_face import bar_lengths, inline
from waylog.ui.draw.colours import Palette
from waylog.values import replace

GAME = Game(system("veil-core"))
ACTS = Acts(GAME)
play = ACTS.play


def state_of(clocks: Mapping[str, Mapping[str, Any]], **tables: Any) -> State:
    """A campaign with these clocks."""
    return ACTS.campaign(clocks=clocks, **tables)


@pytest.mark.clause("NM-20", "NM-29")
def test_one_line_starts_a_clock() -> None:
    """Name, segments and type; the rest is as nobody has said otherwise yet, and can be told later."""
    after = play(state_of({}), 'clock "Hull breach" 8 catastrophe').state
    assert after.clocks == {"hull-breach": Clock("Hull breach", ClockKind.CATASTROPHE, 8)}
    for words in ("outcome the hull gives", "seen false", "outcome_seen no", "notes behind the galley", "filled 3"):
        after = play(after, f"set clocks.hull-breach.{words}").state
    assert after.clocks["hull-breach"] == Clock(
        "Hull breach", ClockKind.CATASTROPHE, 8, 3, "the hull gives", "behind the galley", seen=False, outcome_seen="no"
    )
    with pytest.raises(ActRefused, match="Kind"):
        play(after, 'clock "No type" 8')


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize("segments", [0, 3, 5, 7, 9, 11, 14])
def test_no_other_size_than_these(segments: int) -> None:
    """4, 6, 8, 10 or 12 segments, and never more filled than there are."""
    faults = GAME.read({"clocks": {"x": {"name": "X", "segments": segments}}})[1]
    assert [fault.path for fault in faults] == [("clocks", "x", "segments")]
    assert SIZES == (4, 6, 8, 10, 12)
    faults = GAME.read({"clocks": {"x": {"name": "X", "segments": 4, "filled": 5}}})[1]
    assert [fault.clause for fault in faults] == ["NM-26"]


@pytest.mark.clause("NM-20")
def test_a_house_rule_allows_clocks_of_any_size() -> None:
    """From 2 to 24 segments, in an act and in the file, in every game; the words for sizes stay. A refusal names the house rule
    that would allow a size, and says it of none that no house rule allows.
    """
    for id_ in names():
        game = Game(system(id_))
        usual, any_size = game.read({})[0], game.read({"house_rules": {"clock_sizes": "any"}})[0]
        for size in ALL_SIZES:
            line = f"clock Storm {size} death"
            (clock,) = play(any_size, line, game).state.clocks.values()
            assert (clock.segments, game.read(game.write(replace(any_size, clocks={"x": clock})))[1]) == (size, [])
            if size not in SIZES:
                refusals = (
                    ACTS.refused(usual, line, game),
                    ACTS.refused(replace(usual, clocks={"x": Clock("X")}), f"set clocks.x.segments {size}", game),
                )
                assert [(said.clause, "house rule “Clock sizes”" in said.reason) for said in refusals] == [
                    ("NM-20", True)
                ] * 2
        assert [one.segments for one in play(any_size, "clock Storm long death", game).state.clocks.values()] == [8]
        assert ACTS.refused(any_size, "clock Storm 25 death", game).reason == "Segments: “25” is not one of 2–24"
    assert (ALL_SIZES[0], ALL_SIZES[-1]) == (2, 24)


@pytest.mark.clause("NM-20")
def test_a_form_offers_the_sizes_that_the_campaign_allows() -> None:
    """The usual ones, or by house rule all; and the one that a clock has, whatever the house rule says by now."""
    for rule, sizes in (("usual", [*SIZES[:2], 7, *SIZES[2:]]), ("any", [*ALL_SIZES])):
        clocks = {"x": {"name": "X", "segments": 7}}
        form = GAME.form(GAME.read({"house_rules": {"clock_sizes": rule}, "clocks": clocks})[0], ("clocks", "x"))
        assert form
        (field,) = (field for field in form.group.fields if field.path[-1] == "segments")
        assert field.choices == tuple(map(str, sizes))
    new = GAME.form(state_of({}), ("clocks", NEW))
    assert new
    assert [field.choices for field in new.group.fields if field.path[-1] == "segments"] == [tuple(map(str, SIZES))]


@pytest.mark.clause("NM-20", "NM-29")
@pytest.mark.parametrize(
    ("words", "name", "segments", "kind"),
    [
        ("Storm short push", "Storm", 4, "push"),
        ("Storm normal death", "Storm", 6, "death"),
        ("Storm long death", "Storm", 8, "death"),
        ("Storm death long", "Storm", 8, "death"),
        ("long Storm death", "Storm", 8, "death"),
        ("Storm Long death", "Storm", 8, "death"),
        ("Storm long front death", "Storm front", 8, "death"),
        ("Storm extended augury", "Storm", 10, "augury"),
        ("Storm extended 12 augury", "Storm", 12, "augury"),
        ("Storm 12 extended augury", "Storm", 12, "augury"),
        ("Storm 10 extended augury", "Storm", 10, "augury"),
        ("Storm 8 long augury", "Storm", 8, "augury"),
        ("Deck 5 long augury", "Deck 5", 8, "augury"),
        ('"Long one" extended push', "Long one", 10, "push"),
        ('"Gale" short death', "Gale", 4, "death"),
        ('short "Gale" death', "Gale", 4, "death"),
        ('"A short, long night" death', "A short, long night", 6, "death"),
        ("Longer days death", "Longer days", 6, "death"),
        ("Team s death", "Team s", 6, "death"),
    ],
)
def test_the_word_for_a_size_counts_wherever_it_stands(words: str, name: str, segments: int, kind: str) -> None:
    """It is never part of a name or an ending, in capitals or not, unless these are in quotes; letters of it are no size."""
    (clock,) = play(state_of({}), f"clock {words}").state.clocks.values()
    assert (clock.name, clock.segments, clock.kind, clock.outcome) == (name, segments, kind, "")


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize(
    "words",
    [
        "Storm long 6 death",
        "Storm extended 8 death",
        "Long night 6 death",
        "Deck 4 long push",
        "Storm short long death",
        "Storm long long death",
        '"Fog" 6 death the long night falls',
        "Storm extended 10 12 death",
    ],
)
def test_a_line_with_two_sizes_is_refused(words: str) -> None:
    """It may be one size and part of a text: the refusal says that a text with such a word goes in quotes."""
    with pytest.raises(ActRefused, match="in quotes") as refused:
        play(state_of({}), f"clock {words}")
    assert refused.value.refusal.clause == "NM-20"


@pytest.mark.clause("NM-21", "NM-22", "NM-23")
@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        (ClockKind.PUSH, (0, 0, 1, 2)),
        (ClockKind.CATASTROPHE, (2, 1, 0, 0)),
        (ClockKind.DEATH, (0, 0, 0, 0)),
        (ClockKind.AUGURY, (0, 0, 0, 0)),
    ],
)
def test_what_rolls_do_to_a_clock(kind: ClockKind, steps: tuple[int, ...]) -> None:
    """Push goes with Success and Critical, catastrophe with drawback and Fiasco, the others with time alone."""
    assert tuple(advance(Clock("X", kind, 6, 1), mood) for mood in OutcomeGrade) == steps
    assert tuple(advance(Clock("X", kind, 6, 5), mood) for mood in OutcomeGrade) == tuple(
        min(step, 1) for step in steps
    )
    assert {advance(Clock("X", kind, 6, 1, closed=True), mood) for mood in OutcomeGrade} == {0}


@pytest.mark.clause("NM-23")
def test_time_passes_for_every_clock_of_time() -> None:
    """All at once; not for closed or full ones, and not for those that rolls move."""
    clocks: dict[str, dict[str, Any]] = {
        "doom": {"name": "Doom", "kind": "death"},
        "omen": {"name": "Omen", "kind": "augury", "segments": 4, "filled": 3, "outcome": "they arrive"},
        "done": {"name": "Done", "kind": "death", "segments": 4, "filled": 4},
        "gone": {"name": "Gone", "kind": "death", "closed": True},
        "push": {"name": "Push", "kind": "push"},
    }
    played = play(state_of(clocks), "time passes")
    assert {key: clock.filled for key, clock in played.state.clocks.items()} == {
        "doom": 1,
        "omen": 4,
        "done": 4,
        "gone": 0,
        "push": 0,
    }
    assert told(played) == ["Time passes", "“Doom” +1, now 1/6", "“Omen” +1, now 4/4", "“Omen” is full: they arrive"]
    assert play(played.state, "tick doom").state.clocks["doom"].filled == 2
    with pytest.raises(ActRefused, match="no death or augury clock is running"):
        play(state_of({"push": {"name": "Push"}}), "time passes")


@pytest.mark.clause("NM-23", "NM-26")
def test_a_move_of_a_clock_may_have_a_reason() -> None:
    """In as many words as it takes, at the end of the line. It stands in the log beside what happened, and in the sentence of it."""
    state = state_of({"doom": {"name": "Doom", "kind": "death"}, "push": {"name": "Push", "seen": False}})
    ticked = play(state, "tick doom 2 because they dawdle, and laugh")
    assert told(ticked) == ["“Doom” +2, now 2/6, because they dawdle, and laugh"]
    (note,) = (fact for fact in ticked.facts if isinstance(fact, NoteFact))
    assert describe_note(note) == "Doom 0→2 of 6, because they dawdle, and laugh"
    passed = ["Time passes, because night falls", "“Doom” +1, now 1/6"]
    assert told(play(state, "time passes because night falls")) == passed
    (closed,) = play(state, 'close push because "it is over"').facts
    assert isinstance(closed, NoteFact)
    assert (closed.text, closed.secret) == ("“Push” closed at 0/6, because it is over", True)


@pytest.mark.clause("NM-24")
def test_a_roll_on_two_clocks_is_one_act() -> None:
    """Both are named with the roll, what each outcome fills shows before it, and its changes are those of one act."""
    state = state_of(
        {
            "core": {"name": "Core", "kind": "catastrophe"},
            "lock": {"name": "Lock", "kind": "push"},
            "full": {"name": "Full", "kind": "push", "filled": 6},
        }
    )
    act = parse_act(GAME.moves(state), "roll nav core lock")
    odds = GAME.odds(state, act.move, {"call": "standard", "instead": "dice", **act.answers})
    assert odds
    assert [note.text for note in odds.forecast if note.clause == "NM-24"] == [
        "“Core” 0/6: Fiasco fills 2, Success with drawback fills 1",
        "“Lock” 0/6: Success fills 1, Critical success fills 2",
    ]
    for faces, filled_now in (("1 1", (2, 0)), ("4 1", (1, 0)), ("6 1", (0, 1)), ("6 6", (0, 2))):
        after = play(state, f"roll nav core lock {faces}").state.clocks
        assert (after["core"].filled, after["lock"].filled) == filled_now
    with pytest.raises(ActRefused, match="is full"):
        play(state, "roll nav full")


@pytest.mark.clause("NM-24")
def test_clocks_named_after_the_roll_move_once_each() -> None:
    """As many as the roll was made on, beside those named before it, and all of it is one act."""
    clocks = {key: {"name": key, "kind": "push"} for key in ("lock", "door", "hatch")}
    rolled = play(state_of(clocks), "roll nav lock 6 1").state
    assert {move.id for move in GAME.moves(rolled) if move.verb == "on"} == {"on door", "on hatch"}
    once = play(rolled, "on door")
    assert once.follows
    assert {move.id for move in GAME.moves(once.state) if move.verb == "on"} == {"on hatch"}
    twice = play(once.state, "on hatch").state
    assert {key: clock.filled for key, clock in twice.clocks.items()} == {"lock": 1, "door": 1, "hatch": 1}
    assert "on" not in {move.verb for move in GAME.moves(twice)}


@pytest.mark.clause("NM-21", "NM-22", "NM-24")
def test_a_clock_may_still_be_filled_by_an_earlier_roll_of_the_scene() -> None:
    """Whatever was done since, with the dice of Waylog or real ones: as an act of its own, and once; until the clock is named by another
    roll, or the scene or the session ends.
    """
    clocks = {"core": {"name": "Core", "kind": "catastrophe"}, "lock": {"name": "Lock", "kind": "push"}}
    rolled = play(state_of(clocks), "roll nav 4 1").state
    waiting = play(rolled, "roll nav 1").state
    assert waiting.open
    assert waiting.open.waiting
    assert waiting.open.missed == {"core": OutcomeGrade.DRAWBACK}
    after = play(play(rolled, "lose engineering").state, "roll nav 6 6").state
    lock, core = (move for move in GAME.moves(after) if move.verb == "on")
    assert (lock.id, lock.label, lock.late) == ("on lock", "Fill 2 of “Lock”", False)
    assert (core.id, core.label, core.late) == ("on core", "Fill 1 of “Core” (offered earlier)", True)
    filled = play(after, "on core")
    assert not filled.follows
    assert filled.title == "Fill 1 of “Core”"
    assert [fact.clause for fact in filled.facts if isinstance(fact, NoteFact)] == ["NM-22"]
    assert [move.id for move in GAME.moves(filled.state) if move.verb == "on"] == ["on lock"]
    for words in ("roll nav core 1 1", "scene", "session begin", "close core"):
        later = play(after, words).state
        assert "on core" not in {move.id for move in GAME.moves(later)}, words
    again = play(after, "roll nav 1 1").state
    assert [move.label for move in GAME.moves(again) if move.id == "on core"] == ["Fill 2 of “Core”"]


@pytest.mark.clause("NM-24", "VK-17")
def test_the_letter_of_a_forced_call_names_no_clock() -> None:
    """Whoever types `d` for Desperate on a roll that is Desperate anyway rolls on no clock by it: it is asked which of the two is meant."""
    state = state_of({"death": {"name": "Death in corridor 8", "kind": "catastrophe"}})
    forced = play(state, "lose engineering").state
    for each in (state, forced):
        with pytest.raises(ActRefused, match="desperate or death"):
            play(each, "roll nav d 1 1")
    assert play(forced, "roll nav death 1 1").state.clocks["death"].filled == 2


@pytest.mark.clause("NM-24")
@pytest.mark.parametrize("words", ["tick lock", "tick lock -1", "set clocks.lock.filled 2"])
def test_a_clock_that_was_ticked_since_the_roll_is_not_offered_again(words: str) -> None:
    """Neither right after the roll nor later; the other clocks still are, and so is that clock after the next roll."""
    clocks = {key: {"name": key, "kind": "push", "filled": 1} for key in ("lock", "door")}
    rolled = play(state_of(clocks), "roll nav 6 1").state
    for state in (rolled, play(rolled, "lose engineering").state):
        assert {move.id for move in GAME.moves(state) if move.verb == "on"} == {"on lock", "on door"}
        ticked = play(play(state, words).state, "award focus ship").state
        assert {move.id for move in GAME.moves(ticked) if move.verb == "on"} == {"on door"}
        assert "on lock" in {move.id for move in GAME.moves(play(ticked, "roll nav 6 1").state)}


@pytest.mark.clause("NM-16", "NM-25")
def test_an_effect_may_still_be_applied_after_another_act() -> None:
    """What a full clock does is offered until its scene ends, as an act of its own; while it is impossible, it isn't offered."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    state = play(play(state_of({"lock": clock}), "tick lock").state, "damage ship").state
    (offer,) = (move for move in GAME.moves(state) if move.verb == "effect")
    assert (offer.late, offer.label) == (True, "“Lock” is full: The ship loses engineering (offered earlier)")
    lost = play(state, "effect lock")
    assert not lost.follows
    assert not lost.state.sheet.ship.tokens.engineering
    assert lost.state.open is None
    assert "effect" not in {move.verb for move in GAME.moves(play(state, "lose engineering").state)}
    assert play(state, "scene").state.open is None


@pytest.mark.clause("NM-25")
def test_what_a_full_clock_does_is_over_once_it_is_not_full() -> None:
    """By hand, in whatever way."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    for line in ("tick lock -1", "set clocks.lock.filled 2"):
        full = play(state_of({"lock": clock}), "tick lock").state
        assert "effect" in {move.verb for move in GAME.moves(full)}
        assert "effect" not in {move.verb for move in GAME.moves(play(full, line).state)}


@pytest.mark.clause("NM-25", "VK-33")
def test_what_a_full_clock_does_leaves_what_the_roll_allows() -> None:
    """A shunt after a Critical success is still there."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    state = play(state_of({"lock": clock}), "roll nav lock 6 6").state
    state = play(state, "effect lock").state
    assert play(state, "shunt 1 1 4").state.sheet.ship.core.NAV == 4


@pytest.mark.clause("NM-24", "VK-64")
def test_a_defenders_roll_moves_no_clock() -> None:
    """The clock waits for the choice, and goes by the roll that was made on it."""
    crew = {"mara": {}, "lars": {"focus": 1, "advancements": ["defender"]}}
    state = state_of({"core": {"name": "Core", "kind": "catastrophe"}}, crew=crew)
    asked = play(state, "roll mara core desperate 1 1 1").state
    assert asked.clocks["core"].filled == 0
    after = play(asked, "defend lars 6 6 1").state
    assert after.clocks["core"].filled == 2


@pytest.mark.clause("NM-24", "VK-20")
def test_a_group_roll_moves_its_clocks_once() -> None:
    """By the shared outcome, when all have rolled."""
    state = state_of({"core": {"name": "Core", "kind": "catastrophe"}}, crew={"mara": {}, "lars": {}})
    state = play(state, "group all core").state
    state = play(state, "roll mara 4 1 1").state
    assert state.clocks["core"].filled == 0
    assert play(state, "roll lars 1 1 1").state.clocks["core"].filled == 1


@pytest.mark.clause("NM-25", "VK-17")
def test_while_a_clock_runs_every_roll_is_desperate_and_says_so() -> None:
    """Ship and crew alike; once it is full or closed, no longer."""
    state = state_of(
        {"fire": {"name": "Fire", "kind": "death", "segments": 4, "running": "desperate"}}, crew={"mara": {}}
    )
    for words in ("roll nav 6 1", "roll mara 6 1 1"):
        assert "Desperate while the clock “Fire” runs" in told(play(state, words))
        with pytest.raises(ActRefused, match="while the clock “Fire” runs"):
            play(state, words.replace(" 6", " standard 6"))
    for words in ("tick fire 4", "close fire"):
        assert "Desperate while the clock “Fire” runs" not in told(play(play(state, words).state, "roll nav 6 1"))


@pytest.mark.clause("NM-25")
@pytest.mark.parametrize(
    ("game", "running"),
    [
        (Game(system("veil-core")), ["nothing", "desperate", "exposed"]),
        (Game(system("veil-2026")), ["nothing", "desperate", "exposed"]),
        (Game(system("veil-classic")), ["nothing", "desperate"]),
        (Game(system("veil-reference")), ["nothing", "desperate"]),
        (Game(system("course-flow")), []),
        (Game(SMALL_GAME), []),
    ],
    ids=lambda value: value.system.id if isinstance(value, Game) else "",
)
def test_a_clock_does_while_it_runs_what_its_game_looks_for(game: Game, running: list[str]) -> None:
    """Nothing else is offered or may be set by hand, and what a file says beyond it is told as a fault, and read."""
    state = game.fresh("Trial")
    (start,) = (move for move in game.moves(state) if move.id == "clock")
    asked = [[option.word for option in ask.options] for ask in start.asks if isinstance(ask, PickOne)]
    assert [words for words in asked if "nothing" in words] == ([running] if running else [])
    state = game.play(state, parse_act(game.moves(state), 'clock 4 death "Fire"'), ONES).state
    assert state.clocks["fire"] == Clock("Fire", ClockKind.DEATH, 4)
    for effect in WhileRunning:
        clock = {"name": "Fire", "kind": "death", "segments": 4, "running": effect.value}
        read, faults = game.read({"name": "Trial", "clocks": {"fire": clock}})
        assert read.clocks["fire"].running is effect
        known = effect is WhileRunning.NOTHING or effect in running
        assert [(fault.path, fault.clause, fault.grave) for fault in faults] == (
            [] if known else [(("clocks", "fire", "running"), "NM-25", False)]
        )
        if not known:
            with pytest.raises(ActRefused, match="has no effect in this game") as refused:
                game.play(state, parse_act(game.moves(state), f"set clocks.fire.running {effect}"), ONES)
            assert refused.value.refusal.clause == "NM-25"


@pytest.mark.clause("NM-25")
@pytest.mark.parametrize(
    ("effect", "path"),
    [
        ("damage ship", ("ship", "focus")),
        ("damage mara", ("crew", "mara", "focus")),
        ("lose engineering", ("ship", "tokens", "engineering")),
        ("expose crew", ("crew", "mara", "exposed")),
        ("mission over failure", ("mission", "over")),
    ],
)
def test_what_a_full_clock_does_is_offered_and_done_by_one_act(effect: str, path: tuple[str, ...]) -> None:
    """Nothing happens before it is chosen, and then it is part of the act that filled the clock."""
    clock = {"name": "Fire", "kind": "death", "segments": 4, "filled": 3, "when_full": effect}
    state = state_of({"fire": clock}, crew={"mara": {}}, mission={"name": "Fall"})
    full = play(state, "tick fire").state
    assert [change.path for change in GAME.difference(state, full)] == [("clocks", "fire", "filled")]
    offered = [move for move in GAME.moves(full) if move.follows]
    assert [(move.id, move.label) for move in offered] == [
        ("effect fire", f"“Fire” is full: {play(full, effect).title}")
    ]
    done = play(full, "effect fire")
    assert done.follows
    assert path in [change.path for change in GAME.difference(full, done.state)]
    assert not [move for move in GAME.moves(done.state) if move.verb == "effect"]


@pytest.mark.clause("NM-25")
def test_a_clock_without_an_effect_says_what_it_means() -> None:
    """Text alone is told when it fills, and nothing is offered."""
    clock = {"name": "Fire", "kind": "death", "segments": 4, "filled": 3, "outcome": "The station is gone"}
    played = play(state_of({"fire": clock}), "tick fire")
    assert told(played) == ["“Fire” +1, now 4/4", "“Fire” is full: The station is gone"]
    assert played.state.open is None


@pytest.mark.clause("NM-26")
def test_segments_by_hand_stay_within_the_clock() -> None:
    """Filled and emptied as told, never past either end; a full clock stays until it is closed, and may be opened again."""
    state = state_of({"fire": {"name": "Fire", "segments": 4, "filled": 2}})
    assert play(state, "tick fire 4").state.clocks["fire"].filled == 4
    assert play(state, "tick fire -4").state.clocks["fire"].filled == 0
    full = play(state, "tick fire 2").state
    with pytest.raises(ActRefused, match=r"already full \(4/4\)"):
        play(full, "tick fire")
    with pytest.raises(ActRefused, match=r"already empty \(0/4\)"):
        play(play(state, "tick fire -2").state, "tick fire -1")
    for filled_now in (state, full):
        with pytest.raises(ActRefused, match="fill or empty at least one segment"):
            play(filled_now, "tick fire 0")
    closed = play(full, "close fire").state
    assert closed.clocks["fire"] == Clock("Fire", ClockKind.PUSH, 4, 4, closed=True)
    assert "tick fire" not in {move.id for move in GAME.moves(closed)}
    assert play(closed, "reopen fire").state.clocks == full.clocks
    assert [fill_clock(Clock("X", ClockKind.PUSH, 4, 2), by).filled for by in (-9, -1, 0, 1, 9)] == [0, 1, 2, 3, 4]


@pytest.mark.clause("NM-27")
@pytest.mark.parametrize("segments", SIZES)
def test_a_clock_can_be_read_without_colour(segments: Segments) -> None:
    """Full and empty segments have shapes of their own, as slices and in a bar, and the count stands beside them."""
    ink = Palette(defaultdict(lambda: "#808080"))
    for now in range(segments + 1):
        clock = Clock("X", ClockKind.PUSH, segments, now)
        drawn = inline(clock, ink, CellLine(40)).text
        assert (drawn.count("▰"), drawn.count("▱")) == bar_lengths(clock)
        assert drawn.endswith(f" {now}/{segments}")


@pytest.mark.clause("NM-28")
def test_whose_outcome_the_players_see() -> None:
    """A death clock's, and not an augury's, unless the wayfinder says otherwise."""
    shown = {kind: Clock("X", kind).shows_outcome for kind in ClockKind}
    assert shown == {ClockKind.PUSH: True, ClockKind.CATASTROPHE: True, ClockKind.DEATH: True, ClockKind.AUGURY: False}
    assert Clock("X", ClockKind.AUGURY, outcome_seen="yes").shows_outcome
    assert not Clock("X", ClockKind.DEATH, outcome_seen="no").shows_outcome


@pytest.mark.clause("NM-42")
def test_a_note_can_be_written_at_any_time() -> None:
    """Whatever is asked, and while dice are still to be typed; what is open stays open."""
    state = state_of({}, ship={"focus": 1})
    for words in ("roll nav 5 1", "damage ship", "roll nav 1"):
        after = play(state, words).state
        noted = play(after, "note 3 of them got away")
        assert told(noted) == ["3 of them got away"]
        assert noted.state == after


@pytest.mark.clause("NM-23")
def test_a_clock_with_a_hand_written_key_has_words() -> None:
    """Capitals, blanks and mere numbers in a key can be typed all the same, and two clocks never share a word."""
    keys = ("Hull Breach", "hull-breach", "12", "Über", "…")
    state = state_of({key: {"name": key, "kind": "death"} for key in keys})
    for words, key in (
        ("tick hull-breach", "Hull Breach"),
        ("tick hull-breach-2", "hull-breach"),
        ("tick clock-12", "12"),
        ("tick über", "Über"),
        ("tick clock", "…"),
    ):
        after = play(state, words).state
        assert [name for name, clock in after.clocks.items() if clock.filled] == [key]


@pytest.mark.clause("NM-24", "VK-20")
def test_a_clock_named_like_someone_in_the_crew_is_told_apart() -> None:
    """A group roll names both: the crew member keeps the word."""
    clock = {"name": "Mara", "kind": "push", "running": WhileRunning.NOTHING.value}
    state = state_of({"mara": clock}, crew={"mara": {}, "lars": {}})
    state = play(state, "group lars clock-mara").state
    assert play(state, "roll lars 6 6 6").state.clocks["mara"].filled == 2


@pytest.mark.clause("NM-20", "NM-28")
@pytest.mark.parametrize("kind", ClockKind)
def test_parts_of_a_clock_are_shown_and_hidden(kind: ClockKind) -> None:
    """The clock, how full it is and what it leads to, each by itself; what is so already is refused."""
    state = state_of({"omen": {"name": "Omen", "kind": kind.value, "outcome": "they come"}})

    def sees(now: State) -> tuple[bool, bool, bool]:
        clock = now.clocks["omen"]
        return clock.seen, clock.shows_count, clock.shows_outcome

    told_by_kind = kind is not ClockKind.AUGURY
    assert sees(state) == (True, True, told_by_kind)
    hidden = play(state, "hide clock omen").state
    assert sees(hidden) == (False, False, False)
    with pytest.raises(ActRefused, match="already can't see that") as refused:
        play(hidden, "hide clock omen all")
    assert refused.value.refusal.clause == "NM-20"
    assert sees(play(hidden, "show clock omen").state) == (True, True, told_by_kind)
    uncounted = play(state, "hide clock omen count").state
    assert sees(uncounted) == (True, False, told_by_kind)
    assert sees(play(uncounted, "show clock omen count").state) == sees(state)
    if not told_by_kind:
        state = play(state, "show clock omen outcome").state
    assert sees(state) == (True, True, True)
    assert sees(play(state, "hide clock omen outcome").state) == (True, True, False)


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize("kind", ClockKind)
@pytest.mark.parametrize("part", ["count", "outcome"])
@pytest.mark.parametrize("verb", ["show", "hide"])
def test_a_part_of_a_hidden_clock_is_set_and_the_clock_stays_hidden(kind: ClockKind, part: str, verb: str) -> None:
    """Players see nothing of it until the clock itself is shown, and then that part as it was set; the note says so."""
    other = {"show": {"count_seen": False, "outcome_seen": "no"}, "hide": {"count_seen": True, "outcome_seen": "yes"}}
    state = state_of(
        {"omen": {"name": "Omen", "kind": kind.value, "outcome": "they come", "seen": False, **other[verb]}}
    )
    played = play(state, f"{verb} clock omen {part}")
    assert not played.state.clocks["omen"].seen
    (note,) = played.facts
    assert isinstance(note, NoteFact)
    assert note.secret
    see = "will see" if verb == "show" else "won't see"
    what = "its progress" if part == "count" else "its ending"
    assert note.text == f"“Omen” is still hidden; when you show it, players {see} {what}"
    shown = play(played.state, "show clock omen").state.clocks["omen"]
    assert shown.seen
    assert (shown.shows_count if part == "count" else shown.shows_outcome) is (verb == "show")


@pytest.mark.clause("NM-20")
def test_a_clock_that_players_see_shows_more_only_when_the_part_is_named() -> None:
    """`show clock omen` is about the clock: of one that is seen, it does not show the ending in its place."""
    state = state_of({"omen": {"name": "Omen", "kind": "augury", "outcome": "they come", "count_seen": False}})
    with pytest.raises(ActRefused):
        play(state, "show clock omen")
    assert play(state, "show clock omen outcome").state.clocks["omen"].shows_outcome


QUESTIONS = {
    ("seen = false", "all"): "Show “Omen” to the players? Players will see its progress, but not its ending.",
    (
        "seen = false, count_seen = false",
        "all",
    ): "Show “Omen” to the players? Players won't see its progress or its ending.",
    (
        "seen = false, outcome_seen = 'yes'",
        "all",
    ): "Show “Omen” to the players? Players will see its progress and its ending.",
    ("seen = false, count_seen = false", "count"): "",
    ("seen = false", "outcome"): "",
    ("count_seen = false", "count"): "Show the players the progress of “Omen”, 2/6?",
    ("", "outcome"): "Show the players the ending of “Omen”: they come?",
    ("outcome = ''", "outcome"): "",
}


@pytest.mark.clause("NM-20", "NM-28")
@pytest.mark.parametrize("said", QUESTIONS)
def test_a_move_that_shows_something_hidden_says_what(said: tuple[str, str]) -> None:
    """By data, so that a screen asks without knowing a rule; nothing is asked where players see no more than before."""
    values, part = said
    extra = tomllib.loads(f"it = {{{values}}}")["it"]
    omen = {"name": "Omen", "kind": "augury", "filled": 2, "outcome": "they come", **extra}
    moves = {move.id: move for move in GAME.moves(state_of({"omen": omen}))}
    assert reveals(moves["show clock omen"], {"what": part}) == QUESTIONS[said]
    assert reveals(moves["hide clock omen"], {"what": part}) == ""


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize(("seen", "count", "secret"), [(True, True, False), (True, False, True), (False, True, True)])
def test_what_players_do_not_see_of_a_clock_is_not_told_to_them(seen: bool, count: bool, secret: bool) -> None:
    """Each tick, filling, closing and opening is as open as the count is; that something was shown is nobody's business."""
    clock = {"name": "Doom", "kind": "death", "segments": 4, "filled": 2, "seen": seen, "count_seen": count}
    state = state_of({"doom": clock})
    played = play(state, "tick doom")
    assert [fact.secret for fact in played.facts if isinstance(fact, NoteFact)] == [secret]
    for words in ("time passes", "close doom"):
        assert {fact.secret for fact in play(played.state, words).facts if isinstance(fact, NoteFact)} == {secret}
    verb = "hide" if seen and count else "show"
    part = "count" if seen and not count else "all"
    assert [fact.secret for fact in play(state, f"{verb} clock doom {part}").facts if isinstance(fact, NoteFact)] == [
        True
    ]


@pytest.mark.clause("NM-28")
def test_what_a_full_clock_leads_to_is_told_to_those_who_see_it() -> None:
    """An augury's outcome is not for the players when it fills, a death clock's is."""
    for kind, secret in (("death", False), ("augury", True)):
        clock = {"name": "Doom", "kind": kind, "segments": 4, "filled": 3, "outcome": "they come"}
        *_, full = play(state_of({"doom": clock}), "tick doom").facts
        about = ("clocks.doom.filled", "clocks.doom.outcome")
        assert full == NoteFact("“Doom” is full: they come", "NM-26", secret=secret, about=about)


@pytest.mark.clause("NM-26")
@pytest.mark.parametrize(
    ("outcome", "count_seen", "outcome_seen", "secret"),
    [
        ("", True, "no", False),
        ("", False, "no", True),
        ("they come", True, "yes", False),
        ("they come", True, "no", True),
        ("they come", False, "yes", True),
    ],
)
def test_that_a_clock_is_full_is_told_as_openly_as_its_count_and_its_ending(
    outcome: str, count_seen: bool, outcome_seen: str, secret: bool
) -> None:
    """To players only where they see both; an ending that is not there hides nothing."""
    clock = {"name": "Doom", "kind": "death", "segments": 4, "filled": 3, "outcome": outcome}
    state = state_of({"doom": {**clock, "count_seen": count_seen, "outcome_seen": outcome_seen}})
    full = [fact for fact in play(state, "tick doom").facts if isinstance(fact, NoteFact) and "is full" in fact.text]
    assert [fact.secret for fact in full] == [secret]


@pytest.mark.clause("NM-20")
def test_a_clock_of_another_size_is_a_fault_that_does_not_stop_play() -> None:
    """One of five segments is told by its key, and the campaign is played on."""
    for segments, broken in ((4, []), (5, [(("clocks", "doom", "segments"), False, "NM-20")])):
        clocks = {"doom": {"name": "Doom", "kind": "death", "segments": segments}}
        state, faults = GAME.read({"name": "Trial", "clocks": clocks})
        assert [(fault.path, fault.grave, fault.clause) for fault in faults] == broken
        assert state.clocks["doom"].segments == segments


@pytest.mark.clause("NM-26")
def test_a_clock_that_is_more_than_full_in_the_file_is_a_fault() -> None:
    """It stands at the number, breaks NM-26, and play goes on; a full one is none."""
    for filled, broken in ((4, []), (5, [(("clocks", "doom", "filled"), False, "NM-26")])):
        clocks = {"doom": {"name": "Doom", "kind": "death", "segments": 4, "filled": filled}}
        _, faults = GAME.read({"name": "Trial", "clocks": clocks})
        assert [(fault.path, fault.grave, fault.clause) for fault in faults] == broken


@pytest.mark.clause("NM-23")
def test_a_closed_clock_is_only_reopened() -> None:
    """Nothing ticks, closes, shows or hides it before."""
    closed = state_of({"doom": {"name": "Doom", "kind": "death", "segments": 4, "closed": True}})
    assert [move.id for move in GAME.moves(closed) if move.about == ("clocks.doom",)] == ["reopen doom"]


def test_rolls_share_the_question_for_their_clocks() -> None:
    """A game may have thousands of rolls and hundreds of clocks. Only a roll that has a word of a clock gets another question, in which
    that clock has another word.
    """
    clocks = {key: Clock(name=key.title(), kind=ClockKind.PUSH) for key in ("fog", "bel", "bel-2", "clock-bel")}
    who = PickOne("who", "Who", (Option("fog", "The fog"),))
    rolls = [Move("roll", (word,), word, rolls=True) for word in ("anso", "kit", "bel")]
    rolls += [Move("roll", ("anso",), "Anso", (who,), rolls=True)]
    *others, bel, fog = (move.asks[-1] for move in on_clocks(rolls, clocks))
    assert others[0] is others[1]
    assert bel is not others[0]
    for move, ask in zip(rolls, (*others, bel, fog), strict=True):
        taken = {
            "roll",
            *move.words,
            *(option.word for one in move.asks if isinstance(one, PickOne) for option in one.options),
        }
        assert isinstance(ask, PickMany)
        assert {option.word: option.paths[0].removeprefix("clocks.") for option in ask.options} == clock_words(
            clocks, taken
        )
