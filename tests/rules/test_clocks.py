"""Clocks at the table, whatever the game (NM-20…NM-29), and notes (NM-42)."""

from collections import defaultdict
from typing import Any

import pytest

from tests.kit.rules import Acts, told
from waylog.rules.codec.changes import NEW
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import describe
from waylog.rules.model.clocks_situations_and_timers import (
    ALL_SIZES,
    SIZES,
    Clock,
    ClockKind,
    Segments,
    WhileRunning,
    fill_clock,
)
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.systems import names, system
from waylog.store.log.grouped_acts_and_texts import describe_note
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clock_face import bar_lengths, inline
from waylog.ui.draw.colours import Palette
from waylog.values import replace

GAME = Game(system("veil-core"))
ACTS = Acts(GAME)
play = ACTS.play


@pytest.mark.clause("NM-20", "NM-29")
def test_one_line_starts_a_clock() -> None:
    """Name, segments and type; the rest is as nobody has said otherwise yet, and can be told later."""
    after = play(ACTS.campaign(clocks={}), 'clock "Hull breach" 8 catastrophe').state
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
    new = GAME.form(ACTS.campaign(clocks={}), ("clocks", NEW))
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
        ("catastrophe Storm", "Storm", 6, "catastrophe"),
        ("death Storm front 8", "Storm front", 8, "death"),
        ("push through 4 push", "push through", 4, "push"),
        ("Death of a star push", "Death of a star", 6, "push"),
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
    (clock,) = play(ACTS.campaign(clocks={}), f"clock {words}").state.clocks.values()
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
        play(ACTS.campaign(clocks={}), f"clock {words}")
    assert refused.value.refusal.clause == "NM-20"


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
    played = play(ACTS.campaign(clocks=clocks), "time passes")
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
        play(ACTS.campaign(clocks={"push": {"name": "Push"}}), "time passes")


@pytest.mark.clause("NM-23", "NM-26")
def test_a_move_of_a_clock_may_have_a_reason() -> None:
    """In as many words as it takes, at the end of the line. It stands in the log beside what happened, and in the sentence of it."""
    state = ACTS.campaign(clocks={"doom": {"name": "Doom", "kind": "death"}, "push": {"name": "Push", "seen": False}})
    ticked = play(state, "tick doom 2 because they dawdle, and laugh")
    assert told(ticked) == ["“Doom” +2, now 2/6, because they dawdle, and laugh"]
    (note,) = (fact for fact in ticked.facts if isinstance(fact, NoteFact))
    assert describe_note(note) == "“Doom” 0 → 2 of 6, because they dawdle, and laugh"
    passed = ["Time passes, because night falls", "“Doom” +1, now 1/6"]
    assert told(play(state, "time passes because night falls")) == passed
    (closed,) = play(state, 'close push because "it is over"').facts
    assert isinstance(closed, NoteFact)
    assert (closed.text, closed.secret) == ("“Push” closed at 0/6, because it is over", True)


@pytest.mark.clause("NM-25")
def test_what_a_full_clock_does_is_over_once_it_is_not_full() -> None:
    """By hand, in whatever way."""
    clock = {"name": "Lock", "kind": "push", "segments": 4, "filled": 3, "when_full": "lose engineering"}
    for line in ("tick lock -1", "set clocks.lock.filled 2"):
        full = play(ACTS.campaign(clocks={"lock": clock}), "tick lock").state
        assert "effect" in {move.verb for move in GAME.moves(full)}
        assert "effect" not in {move.verb for move in GAME.moves(play(full, line).state)}


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
    state = ACTS.campaign(clocks={"fire": clock}, crew={"mara": {}}, mission={"name": "Fall"})
    full = play(state, "tick fire").state
    assert [change.path for change in GAME.difference(state, full)] == [("clocks", "fire", "filled")]
    offered = [move for move in GAME.moves(full) if move.follows]
    act = parse_act(GAME.moves(full), effect)
    title = describe(act.move, act.answers)
    assert [(move.id, move.label) for move in offered] == [
        ("effect fire", f"“Fire” is full: {title[:1].lower()}{title[1:]}")
    ]
    done = play(full, "effect fire")
    assert done.follows
    assert path in [change.path for change in GAME.difference(full, done.state)]
    assert not [move for move in GAME.moves(done.state) if move.verb == "effect"]


@pytest.mark.clause("NM-25")
def test_a_clock_without_an_effect_says_what_it_means() -> None:
    """Text alone is told when it fills, and nothing is offered."""
    clock = {"name": "Fire", "kind": "death", "segments": 4, "filled": 3, "outcome": "The station is gone"}
    played = play(ACTS.campaign(clocks={"fire": clock}), "tick fire")
    assert told(played) == ["“Fire” +1, now 4/4", "“Fire” is full: The station is gone"]
    assert played.state.open is None


@pytest.mark.clause("NM-26")
def test_segments_by_hand_stay_within_the_clock() -> None:
    """Filled and emptied as told, never past either end; a full clock stays until it is closed, and may be opened again."""
    state = ACTS.campaign(clocks={"fire": {"name": "Fire", "segments": 4, "filled": 2}})
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


@pytest.mark.clause("NM-42")
def test_a_note_can_be_written_at_any_time() -> None:
    """Whatever is asked, and while dice are still to be typed; what is open stays open."""
    state = ACTS.campaign(clocks={}, ship={"focus": 1})
    for words in ("roll nav 5 1", "damage ship", "roll nav 1"):
        after = play(state, words).state
        noted = play(after, "note 3 of them got away")
        assert told(noted) == ["3 of them got away"]
        assert noted.state == after


@pytest.mark.clause("NM-23")
def test_a_clock_with_a_hand_written_key_has_words() -> None:
    """Capitals, blanks and mere numbers in a key can be typed all the same, and two clocks never share a word."""
    keys = ("Hull Breach", "hull-breach", "12", "Über", "…")
    state = ACTS.campaign(clocks={key: {"name": key, "kind": "death"} for key in keys})
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
    state = ACTS.campaign(clocks={"mara": clock}, crew={"mara": {}, "lars": {}})
    state = play(state, "group lars clock-mara").state
    assert play(state, "roll lars 6 6 6").state.clocks["mara"].filled == 2


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
    closed = ACTS.campaign(clocks={"doom": {"name": "Doom", "kind": "death", "segments": 4, "closed": True}})
    assert [move.id for move in GAME.moves(closed) if move.about == ("clocks.doom",)] == ["reopen doom"]
