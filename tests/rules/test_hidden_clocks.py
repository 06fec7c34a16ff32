"""What players see of clocks (NM-20), and what they are told of one that they don't see."""

import tomllib

import pytest

from tests.kit.rules import Acts
from waylog.rules.game import Game
from waylog.rules.model.answers import reveals
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.systems import system

GAME = Game(system("veil-core"))
ACTS = Acts(GAME)
play = ACTS.play
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


@pytest.mark.clause("NM-28")
def test_whose_outcome_the_players_see() -> None:
    """A death clock's, and not an augury's, unless the wayfinder says otherwise."""
    shown = {kind: Clock("X", kind).shows_outcome for kind in ClockKind}
    assert shown == {ClockKind.PUSH: True, ClockKind.CATASTROPHE: True, ClockKind.DEATH: True, ClockKind.AUGURY: False}
    assert Clock("X", ClockKind.AUGURY, outcome_seen="yes").shows_outcome
    assert not Clock("X", ClockKind.DEATH, outcome_seen="no").shows_outcome


@pytest.mark.clause("NM-20", "NM-28")
@pytest.mark.parametrize("kind", ClockKind)
def test_parts_of_a_clock_are_shown_and_hidden(kind: ClockKind) -> None:
    """The clock, how full it is and what it leads to, each by itself; what is so already is refused."""
    state = ACTS.campaign(clocks={"omen": {"name": "Omen", "kind": kind.value, "outcome": "they come"}})

    def sees(now: State) -> tuple[bool, bool, bool]:
        clock = now.clocks["omen"]
        return clock.seen, clock.shows_count, clock.shows_outcome

    told_by_kind = kind is not ClockKind.AUGURY
    assert sees(state) == (True, True, told_by_kind)
    hidden = play(state, "hide clock omen").state
    assert sees(hidden) == (False, False, False)
    with pytest.raises(ActRefused, match="already hidden from players") as refused:
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
    state = ACTS.campaign(
        clocks={"omen": {"name": "Omen", "kind": kind.value, "outcome": "they come", "seen": False, **other[verb]}}
    )
    played = play(state, f"{verb} clock omen {part}")
    assert not played.state.clocks["omen"].seen
    (note,) = played.facts
    assert isinstance(note, NoteFact)
    assert note.secret
    see = "will see" if verb == "show" else "won't see"
    what = "its progress" if part == "count" else "its ending"
    assert note.text == f"“Omen” is still hidden. When you show it, players {see} {what}"
    shown = play(played.state, "show clock omen").state.clocks["omen"]
    assert shown.seen
    assert (shown.shows_count if part == "count" else shown.shows_outcome) is (verb == "show")


@pytest.mark.clause("NM-20")
def test_a_clock_that_players_see_shows_more_only_when_the_part_is_named() -> None:
    """`show clock omen` is about the clock: of one that is seen, it does not show the ending in its place."""
    state = ACTS.campaign(
        clocks={"omen": {"name": "Omen", "kind": "augury", "outcome": "they come", "count_seen": False}}
    )
    with pytest.raises(ActRefused):
        play(state, "show clock omen")
    assert play(state, "show clock omen outcome").state.clocks["omen"].shows_outcome


@pytest.mark.clause("NM-20", "NM-28")
@pytest.mark.parametrize("said", QUESTIONS)
def test_a_move_that_shows_something_hidden_says_what(said: tuple[str, str]) -> None:
    """By data, so that a screen asks without knowing a rule; nothing is asked where players see no more than before."""
    values, part = said
    extra = tomllib.loads(f"it = {{{values}}}")["it"]
    omen = {"name": "Omen", "kind": "augury", "filled": 2, "outcome": "they come", **extra}
    moves = {move.id: move for move in GAME.moves(ACTS.campaign(clocks={"omen": omen}))}
    assert reveals(moves["show clock omen"], {"what": part}) == QUESTIONS[said]
    assert reveals(moves["hide clock omen"], {"what": part}) == ""


@pytest.mark.clause("NM-20")
@pytest.mark.parametrize(("seen", "count", "secret"), [(True, True, False), (True, False, True), (False, True, True)])
def test_what_players_do_not_see_of_a_clock_is_not_told_to_them(seen: bool, count: bool, secret: bool) -> None:
    """Each tick, filling, closing and opening is as open as the count is; that something was shown is nobody's business."""
    clock = {"name": "Doom", "kind": "death", "segments": 4, "filled": 2, "seen": seen, "count_seen": count}
    state = ACTS.campaign(clocks={"doom": clock})
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
        *_, full = play(ACTS.campaign(clocks={"doom": clock}), "tick doom").facts
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
    state = ACTS.campaign(clocks={"doom": {**clock, "count_seen": count_seen, "outcome_seen": outcome_seen}})
    full = [fact for fact in play(state, "tick doom").facts if isinstance(fact, NoteFact) and "is full" in fact.text]
    assert [fact.secret for fact in full] == [secret]
