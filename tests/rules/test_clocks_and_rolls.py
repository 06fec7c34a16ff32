"""What rolls do to clocks, and running clocks to rolls (NM-21…NM-25)."""

import pytest

from tests.kit.rules import ONES, Acts, told
from tests.kit.small_game import SYSTEM as SMALL_GAME
from waylog.rules.common.clock_and_situation_moves import clock_words, on_clocks
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning, advance
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Move, Option, PickMany, PickOne
from waylog.rules.model.state import State
from waylog.rules.systems import system

GAME = Game(system("veil-core"))
ACTS = Acts(GAME)
play = ACTS.play


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


@pytest.mark.clause("NM-24")
def test_a_roll_on_two_clocks_is_one_act() -> None:
    """Both are named with the roll, what each outcome fills shows before it, and its changes are those of one act."""
    state = ACTS.campaign(
        clocks={
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
    rolled = play(ACTS.campaign(clocks=clocks), "roll nav lock 6 1").state
    assert {move.id for move in GAME.moves(rolled) if move.verb == "on"} == {"on door", "on hatch"}
    once = play(rolled, "on door")
    assert once.follows
    assert {move.id for move in GAME.moves(once.state) if move.verb == "on"} == {"on hatch"}
    twice = play(once.state, "on hatch").state
    assert {key: clock.filled for key, clock in twice.clocks.items()} == {"lock": 1, "door": 1, "hatch": 1}
    assert "on" not in {move.verb for move in GAME.moves(twice)}


@pytest.mark.clause("NM-21", "NM-22", "NM-24")
def test_a_clock_may_still_be_filled_by_an_earlier_roll_of_the_scene() -> None:
    """Whatever was done since, with the dice of Waylog or real ones: as an act of its own, and once for each roll; until the scene or the
    session ends.
    """
    clocks = {"core": {"name": "Core", "kind": "catastrophe"}, "lock": {"name": "Lock", "kind": "push"}}
    rolled = play(ACTS.campaign(clocks=clocks), "roll nav 4 1").state
    waiting = play(rolled, "roll nav 1").state
    assert waiting.open
    assert waiting.open.waiting
    assert waiting.open.missed == {"core": (OutcomeGrade.DRAWBACK,)}
    after = play(play(rolled, "lose engineering").state, "roll nav 6 6").state
    lock, core = (move for move in GAME.moves(after) if move.verb == "on")
    assert (lock.id, lock.label, lock.late) == ("on lock", "Fill 2 segments of “Lock”", False)
    assert (core.id, core.label, core.late) == ("on core", "Fill 1 segment of “Core” (offered earlier)", True)
    filled = play(after, "on core")
    assert not filled.follows
    assert filled.title == "“Core” advances"
    assert [fact.clause for fact in filled.facts if isinstance(fact, NoteFact)] == ["NM-22"]
    assert [move.id for move in GAME.moves(filled.state) if move.verb == "on"] == ["on lock"]
    for words in ("scene", "session begin", "close core"):
        later = play(after, words).state
        assert "on core" not in {move.id for move in GAME.moves(later)}, words
    again = play(after, "roll nav 1 1").state
    assert [move.label for move in GAME.moves(again) if move.id == "on core"] == [
        "Fill 2 segments of “Core” (up to 2 times)"
    ]


@pytest.mark.clause("NM-24")
def test_each_roll_offers_its_own_segments_of_a_clock() -> None:
    """Two successes fill two: the offer says how many there are, the newest is taken first, and a roll on the clock takes none of them."""

    def offer(state: State) -> list[str]:
        return [move.label for move in GAME.moves(state) if move.verb == "on"]

    start = ACTS.campaign(clocks={"lock": {"name": "Lock", "kind": "push", "segments": 8}})
    one, more = "Fill 1 segment of “Lock”", "Fill 2 segments of “Lock”"
    twice = play(play(start, "roll nav 6 1").state, "roll nav 6 6").state
    assert offer(twice) == [f"{more} (up to 2 times)"]
    first = play(twice, "on lock")
    assert (first.title, first.state.clocks["lock"].filled, offer(first.state)) == (
        "“Lock” advances by 2",
        2,
        [f"{one} (offered earlier)"],
    )
    second = play(first.state, "on lock").state
    assert (second.clocks["lock"].filled, offer(second)) == (3, [])
    later = play(twice, "award focus ship").state
    assert offer(later) == [f"{more} (up to 2 times)"]
    named = play(later, "roll nav lock 6 1").state
    assert (named.clocks["lock"].filled, offer(named)) == (1, [f"{more} (up to 2 times)"])


@pytest.mark.clause("NM-24")
def test_rolls_offer_a_clock_no_more_than_it_takes_to_fill_it() -> None:
    """However many rolls a scene has, and also in what is saved with each of them."""
    state = ACTS.campaign(clocks={"lock": {"name": "Lock", "kind": "push", "segments": 4, "filled": 1}})
    for _ in range(9):
        state = play(state, "roll nav 6 1").state
    (label,) = [move.label for move in GAME.moves(state) if move.verb == "on"]
    assert label == "Fill 1 segment of “Lock” (up to 3 times)"
    assert state.open
    assert len(state.open.missed["lock"]) == 3


@pytest.mark.clause("NM-24")
@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("tick lock", "Fill 1 segment of “Lock” (up to 2 times)"),
        ("tick lock 2", "Fill 1 segment of “Lock” (offered earlier)"),
        ("tick lock 3", ""),
        ("tick lock -1", ""),
    ],
)
def test_a_clock_that_is_ticked_keeps_what_is_left_of_its_offers(words: str, left: str) -> None:
    """Whoever ticks one segment of the three that two rolls offer is still offered two of them."""
    start = ACTS.campaign(clocks={"lock": {"name": "Lock", "kind": "push", "segments": 8, "filled": 1}})
    twice = play(play(start, "roll nav 6 1").state, "roll nav 6 6").state
    for state in (twice, play(twice, "lose engineering").state):
        ticked = play(state, words).state
        assert [move.label for move in GAME.moves(ticked) if move.verb == "on"] == ([left] if left else [])


@pytest.mark.clause("NM-24", "VK-17")
def test_the_letter_of_a_forced_call_names_no_clock() -> None:
    """Whoever types `d` for Desperate on a roll that is Desperate anyway rolls on no clock by it: it is asked which of the two is meant."""
    state = ACTS.campaign(clocks={"death": {"name": "Death in corridor 8", "kind": "catastrophe"}})
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
    rolled = play(ACTS.campaign(clocks=clocks), "roll nav 6 1").state
    for state in (rolled, play(rolled, "lose engineering").state):
        assert {move.id for move in GAME.moves(state) if move.verb == "on"} == {"on lock", "on door"}
        ticked = play(play(state, words).state, "award focus ship").state
        assert {move.id for move in GAME.moves(ticked) if move.verb == "on"} == {"on door"}
        assert "on lock" in {move.id for move in GAME.moves(play(ticked, "roll nav 6 1").state)}


@pytest.mark.clause("NM-16", "NM-25")
def test_an_effect_may_still_be_applied_after_another_act() -> None:
    """What a full clock does is offered until its scene ends, as an act of its own; while it is impossible, it isn't offered."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    state = play(play(ACTS.campaign(clocks={"lock": clock}), "tick lock").state, "damage ship").state
    (offer,) = (move for move in GAME.moves(state) if move.verb == "effect")
    assert (offer.late, offer.label) == (True, "“Lock” is full: lose engineering (offered earlier)")
    lost = play(state, "effect lock")
    assert not lost.follows
    assert not lost.state.sheet.ship.tokens.engineering
    assert lost.state.open is None
    assert "effect" not in {move.verb for move in GAME.moves(play(state, "lose engineering").state)}
    assert play(state, "scene").state.open is None


@pytest.mark.clause("NM-25", "VK-33")
def test_what_a_full_clock_does_leaves_what_the_roll_allows() -> None:
    """A shunt after a Critical success is still there."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    state = play(ACTS.campaign(clocks={"lock": clock}), "roll nav lock 6 6").state
    state = play(state, "effect lock").state
    assert play(state, "shunt 1 1 4").state.sheet.ship.core.NAV == 4


@pytest.mark.clause("NM-24", "VK-64")
def test_a_defenders_roll_moves_no_clock() -> None:
    """The clock waits for the choice, and goes by the roll that was made on it."""
    crew = {"mara": {}, "lars": {"focus": 1, "advancements": ["defender"]}}
    state = ACTS.campaign(clocks={"core": {"name": "Core", "kind": "catastrophe"}}, crew=crew)
    asked = play(state, "roll mara core desperate 1 1 1").state
    assert asked.clocks["core"].filled == 0
    after = play(asked, "defend lars 6 6 1").state
    assert after.clocks["core"].filled == 2


@pytest.mark.clause("NM-24", "VK-20")
def test_a_group_roll_moves_its_clocks_once() -> None:
    """By the shared outcome, when all have rolled."""
    state = ACTS.campaign(clocks={"core": {"name": "Core", "kind": "catastrophe"}}, crew={"mara": {}, "lars": {}})
    state = play(state, "group all core").state
    state = play(state, "roll mara 4 1 1").state
    assert state.clocks["core"].filled == 0
    assert play(state, "roll lars 1 1 1").state.clocks["core"].filled == 1


@pytest.mark.clause("NM-25", "VK-17")
def test_while_a_clock_runs_every_roll_is_desperate_and_says_so() -> None:
    """Ship and crew alike; once it is full or closed, no longer."""
    state = ACTS.campaign(
        clocks={"fire": {"name": "Fire", "kind": "death", "segments": 4, "running": "desperate"}}, crew={"mara": {}}
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
