"""Course and Flow at the table: what lies there, who may roll, and what a file may say."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from tests.kit.rules import Acts, panel_of, told
from tests.rules.drawn import rows_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act, parse_logged_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Move, PickMany, PickOne, Refusal
from waylog.rules.model.odds import Ratio
from waylog.rules.model.panels import Panel, TextRow
from waylog.rules.model.state import State
from waylog.rules.systems import system
from waylog.rules.systems.course_flow.course_flows_questions_and_tracks import QUESTIONS
from waylog.rules.systems.course_flow.sheet import TOKEN_OF, DieType, TokenKind
from waylog.rules.what_players_may_do import PlayersGame

GAME = Game(system("course-flow"))
CREW = {"mara": {"name": "Mara"}, "iko": {"name": "Iko", "skills": {"Piloting": 2}}}
COURSE = {"die": "daring", "face": 4}
ACTS = Acts(GAME, crew=CREW)
campaign, play, after, move, panel = ACTS.campaign, ACTS.play, ACTS.after, ACTS.move, ACTS.panel


def texts(of: Panel) -> dict[str, str]:
    """What its rows of text say, by label."""
    return {row.label: row.text for row in of.rows if isinstance(row, TextRow)}


@pytest.mark.clause("CF-30")
@pytest.mark.parametrize(("kind", "text"), [("initiative", "an Initiative token"), ("clue", "a Clue token")])
def test_a_token_that_is_spent_has_its_article(kind: str, text: str) -> None:
    """A vowel takes another one."""
    state = campaign(crew={"mara": {"name": "Mara", "tokens": {kind: 1}}})
    assert any(f"Mara spends {text}: " in line for line in told(play(state, f"spend mara {kind}-1")))


@pytest.mark.clause("CF-03", "CF-04", "CF-05")
def test_sheets_are_drawn_whole() -> None:
    """Who plays whom, skills, dice, tokens and equipment; what a Flow and a ship are; a board that is full."""
    full = {"name": "Past", "slots": 2, "marked": [1, 2]}
    iko = {"name": "Iko", "about": "A pilot", "player": "Ana", "dice": ["sneaky", "daring"], "skills": {"Piloting": 2}}
    tables = {
        "crew": {"iko": {**iko, "tokens": {"clue": 2}, "equipment": ["A hook", "A lamp"], "tracks": {"past": full}}},
        "ships": {"moth": {"name": "Moth", "about": "Old"}, "gull": {}},
        "flows": {"chase": {"name": "The chase", "value": 2, "notes": "Who is it?"}},
    }
    state, faults = GAME.read(tables)
    assert list(faults) == []
    crew = panel_of(GAME, state, "crew.iko")
    assert (crew.title, crew.place) == ("Iko", "crew")
    assert rows_of(crew) == {
        "about": "About: A pilot",
        "player": "Player: Ana",
        "skills.Piloting": "Piloting: 2/6",
        "dice": "Dice: Daring, Sneaky",
        "tokens": "Tokens: Clue 2",
        "equipment": "Equipment: A hook, A lamp",
        "tracks.past": "Past: ■ ■  2/2",
    }
    assert rows_of(panel_of(GAME, state, "flows")) == {"chase": "The chase: +2", "chase.notes": ": Who is it?"}
    assert rows_of(panel_of(GAME, state, "ships.moth")) == {"about": "About: Old"}
    assert panel_of(GAME, state, "ships.gull").title == "gull"
    assert rows_of(panel_of(GAME, state, "ships.gull")) == {"ships.gull": "Ship: nothing to mark yet"}


@pytest.mark.clause("CF-01", "CF-21")
def test_five_types_of_die_each_with_its_token() -> None:
    """Each can be the Course, each is rolled as a d6, and a 6 on each gives its own kind."""
    kinds = {
        "compelling": "rumor",
        "daring": "initiative",
        "expertise": "foresight",
        "sneaky": "clue",
        "thriving": "focus",
    }
    assert {die.value: TOKEN_OF[die].value for die in DieType} == kinds
    for die, kind in kinds.items():
        other, aside = [name for name in kinds if name != die][:2]
        state = after(campaign(), f"course {other} 2")
        with pytest.raises(ActRefused, match="a d6 has no 7"):
            play(state, f"roll iko 7 {die} {aside} 7 1")
        thrown = after(state, f"roll iko piloting 7 {die} {aside} 6 1")
        sixes = GAME.difference(thrown, after(thrown, f"elect {die}"))
        assert ("crew", "iko", "tokens", kind) in [change.path for change in sixes]
        set_aside = GAME.difference(thrown, after(thrown, f"elect {aside}"))
        assert not [change for change in set_aside if "tokens" in change.path]


@pytest.mark.clause("CF-02", "CF-12")
def test_the_course_shows_on_both_screens_with_who_may_not_roll() -> None:
    """Its type and face, who set it, and who waits, beside the ship and beside the crew."""
    none = campaign()
    assert texts(panel(none, "course")) == {"Die": "none yet: the wayfinder sets the first"}
    by_wayfinder = campaign(course=COURSE)
    assert texts(panel(by_wayfinder, "course")) == {"Die": "Daring 4", "Set by": "the wayfinder"}
    assert panel(by_wayfinder, "course").tags == ()
    state = campaign(course={**COURSE, "set_by": "mara", "safe": "mara"})
    waits = {"Can't roll": "Mara, who set it"}
    safe = {"No harm to": "Mara and allies"}
    ship, crew = panel(state, "course"), panel(state, "table")
    assert (ship.place, crew.place) == ("ship", "crew")
    assert texts(ship) == {"Die": "Daring 4", "Set by": "Mara", **waits, **safe}
    assert texts(crew) == {"The Course": "Daring 4, set by Mara", **waits, **safe}
    assert [tag.text for tag in (*ship.tags, *crew.tags)] == ["Mara can't roll"] * 2
    assert [tag.text for tag in panel(state, "crew.mara").tags] == ["can't roll"]
    assert panel(state, "crew.iko").tags == ()


@pytest.mark.clause("CF-12")
def test_a_player_of_two_waits_with_both() -> None:
    """It is the player who set the Course: the refusal names them and the character."""
    crew = {"mara": {"name": "Mara", "player": "Jo"}, "iko": {"name": "Iko", "player": "Jo"}, "lio": {"player": "Ada"}}
    state = campaign(crew=crew, course={**COURSE, "set_by": "mara"})
    blocked = {name: move(state, f"roll {name}").blocked for name in crew}
    assert {name for name, why in blocked.items() if why} == {"mara", "iko"}
    assert blocked["iko"]
    assert blocked["iko"].reason.startswith("Jo set the Course with Mara")
    assert blocked["iko"].clause == "CF-12"


@pytest.mark.clause("CF-12")
def test_by_a_house_rule_the_wayfinder_sets_only_the_first_course() -> None:
    """Refused while one lies there."""
    first_only = {"wayfinder_course": "first-only"}
    state = after(campaign(house_rules=first_only), "course sneaky 2")
    assert state.sheet.course.face == 2
    with pytest.raises(ActRefused) as refused:
        play(state, "course sneaky 3")
    assert refused.value.refusal.clause == "CF-12"


@pytest.mark.clause("CF-03", "CF-10")
def test_at_most_one_flow_applies() -> None:
    """A roll takes one of any number of Flows, and those that are over are not among them."""
    flows = {name: {"name": name, "value": value} for name, value in (("chase", 1), ("smoke", 2), ("fog", 0))}
    state = after(campaign(flows=flows, course=COURSE), "end fog")
    ask = next(ask for ask in move(state, "roll iko").asks if ask.name == "flow")
    assert isinstance(ask, PickOne)
    assert [(option.word, option.note) for option in ask.options] == [("chase", "+1"), ("smoke", "+2"), ("no-flow", "")]
    with pytest.raises(ActRefused):
        play(state, "roll iko 10 chase smoke sneaky expertise")
    assert texts(panel(state, "flows")) == {"chase": "+1", "smoke": "+2"}


@pytest.mark.clause("CF-04")
def test_a_sheet_has_all_that_a_character_has() -> None:
    """Skills with values and without, dice, tokens, tracks, matrices and equipment, given and taken at the keyboard."""
    state = after(
        campaign(course=COURSE),
        'join "Nora Quist"',
        "skill nora repairs 1",
        "skill nora Repairs 3",
        'equip nora "a very good hook"',
        "equip nora rope",
        "discard nora rope",
        'track nora "The debt" 5',
        "matrix nora Body 2 3",
        'ship "Moth"',
        "matrix moth Hull 2 4",
        "track moth Luck 3",
        "mark nora-quist-the-debt 2",
        "mark moth-hull b4",
        "mark moth-luck 1",
        "mark moth-luck",
        "mark moth-luck",
    )
    nora = state.sheet.crew["nora-quist"]
    assert (nora.skills, nora.equipment, nora.dice) == ({"repairs": 3}, ("a very good hook",), tuple(DieType))
    assert texts(panel(state, "crew.nora-quist")) == {
        "Tokens": "none",
        "Equipment": "a very good hook",
        "The debt": "□ ■ □ □ □  1/5",
        "Body a": "□ □ □  0/3",
        "Body b": "□ □ □  0/3",
    }
    assert texts(panel(state, "ships.moth")) == {
        "Luck": "■ ■ ■  3/3",
        "Hull a": "□ □ □ □  0/4",
        "Hull b": "□ □ □ ■  1/4",
    }
    skill = next(ask for ask in move(state, "roll nora-quist").asks if ask.name == "skill")
    assert isinstance(skill, PickOne)
    notes = [(option.word, option.note) for option in skill.options]
    assert notes == [("repairs", "+3"), ("piloting", "+0"), ("unskilled", "+0")]


@pytest.mark.clause("CF-04", "CF-11")
def test_dice_that_a_sheet_leaves_out_are_refused() -> None:
    """So is the Course's type; with fewer than two left nobody rolls."""
    crew = {"iko": {"dice": ["daring", "expertise", "sneaky"]}, "lio": {"dice": ["daring", "thriving"]}}
    state = campaign(crew=crew, course=COURSE)
    dice = move(state, "roll iko").asks[3]
    assert isinstance(dice, PickMany)
    why = {option.word: option.blocked for option in dice.options}
    assert {word: refusal.reason for word, refusal in why.items() if refusal} == {
        "compelling": "iko has no Compelling die",
        "daring": "the Course is Daring: choose other dice",
        "thriving": "iko has no Thriving die",
    }
    stop = move(state, "roll lio").blocked
    assert stop
    assert (stop.reason, stop.clause) == (
        "lio needs two die types besides the Course's (Daring 4), but has only Thriving",
        "CF-11",
    )
    assert "Daring, Expertise, Sneaky" in texts(panel(state, "crew.iko")).values()


@pytest.mark.clause("CF-05")
def test_slots_are_marked_and_recovered_and_never_twice() -> None:
    """The size is the wayfinder's; a full board can't be marked, nor an empty one recovered."""
    state = after(campaign(), "matrix iko Suit 1 2")
    with pytest.raises(ActRefused, match="Iko, Suit: no slot is marked") as refused:
        play(state, "recover iko-suit a1")
    assert refused.value.refusal.clause == "CF-05"
    marked = play(state, "mark iko-suit a2")
    assert told(marked) == ["Iko: slot 2 of Suit marked"]
    with pytest.raises(ActRefused, match="slot a2 is already marked"):
        play(marked.state, "mark iko-suit a2")
    full = after(marked.state, "mark iko-suit")
    blocked = move(full, "mark iko-suit").blocked
    assert blocked
    assert blocked.clause == "CF-05"
    free = after(full, "recover iko-suit a1", "recover iko-suit")
    assert free.sheet.crew["iko"].matrices["suit"].marked == ()
    with pytest.raises(ActRefused):
        play(state, "track iko Long 21")


@pytest.mark.clause("CF-02", "CF-04", "CF-05", "CF-11")
def test_a_file_is_checked_beyond_its_types() -> None:
    """Who set the Course, dice that are too few or there twice, slots that are not on the board."""
    crew = {
        "iko": {"dice": ["sneaky"], "tracks": {"past": {"slots": 3, "marked": [4]}}},
        "lio": {
            "dice": ["sneaky", "sneaky", "daring"],
            "matrices": {"body": {"rows": 1, "columns": 2, "marked": ["b1"]}},
        },
    }
    _, faults = GAME.read({"crew": crew, "course": {**COURSE, "set_by": "nobody", "safe": "lio"}})
    assert [(".".join(fault.path), fault.clause, fault.grave) for fault in faults] == [
        ("course.set_by", "CF-02", False),
        ("crew.iko.dice", "CF-11", False),
        ("crew.lio.dice", "CF-04", False),
        ("crew.iko.tracks.past.marked", "CF-05", False),
        ("crew.lio.matrices.body.marked", "CF-05", False),
    ]
    messages = [fault.message for fault in faults]
    assert messages[1] == "iko needs at least two die types to roll"
    assert messages[2] == "the same die type is listed twice"
    assert messages[3] == "past has no slot 4: its slots are 1 to 3"
    assert messages[4] == "body has no slot b1: its slots are a1 to a2"


@pytest.mark.clause("CF-05")
def test_a_board_that_a_file_makes_too_large_is_no_larger_than_may_be() -> None:
    """The fault is told, and nothing is counted beyond it."""
    crew = {"iko": {"tracks": {"past": {"slots": 10**12}}, "matrices": {"body": {"rows": 99, "columns": 10**9}}}}
    state, faults = GAME.read({"crew": crew})
    assert {fault.clause for fault in faults} == {"CF-05"}
    assert "0/20" in texts(panel(state, "crew.iko"))["past"]


@pytest.mark.clause("CF-18", "CF-19", "CF-20")
@pytest.mark.parametrize(
    ("value", "elected", "then"), [(3, "expertise", "stays 3"), (3, "sneaky", "3 → 0"), (0, "sneaky", "stays 0")]
)
def test_a_win_says_where_the_flow_goes(value: int, elected: str, then: str) -> None:
    """It is lost, but for a high Expertise; or the player may have it one higher instead."""
    state = campaign(course={"die": "daring", "face": 4}, flows={"chase": {"name": "The chase", "value": value}})
    offered = after(state, "roll iko unskilled chase 13 expertise sneaky 5 5", f"elect {elected}")
    labels = {found.id: found.label for found in GAME.moves(offered) if found.follows}
    assert labels["take"] == f"Take the win: “The chase” {then}"
    assert labels["wait"] == f"Not yet: “The chase” {value} → {value + 1}"


@pytest.mark.clause("CF-13", "CF-22")
def test_each_election_says_all_that_follows() -> None:
    """Tie or high die, sum, result, tokens, lesson, Flow, harm, notice, and the Course that it leaves; one key each."""
    flows = {"chase": {"name": "The chase", "value": 3}}
    state = campaign(course={"die": "daring", "face": 6}, flows=flows)
    thrown = after(state, "roll iko piloting chase 16 dangerous watched sneaky compelling 6 5")
    elections = [found for found in GAME.moves(thrown) if found.verb in ("elect", "wait")]
    assert {found.id: (found.key, found.label) for found in elections} == {
        "elect sneaky": (
            "s",
            "Sneaky 6: a tie: Setback; Flow 3 → 0; Piloting 2 → 3; +1 Initiative; +1 Clue; harm; noticed; next Course Compelling 5",
        ),
        "elect compelling": (
            "c",
            "Compelling 5: total 16, intent achieved; high Daring: no harm; Flow 3 → 0; +1 Initiative; noticed; next Course Sneaky 6",
        ),
        "wait compelling": (
            "o",
            "Compelling 5: total 16, but not yet; high Daring: no harm; Flow 3 → 4; +1 Initiative; noticed; next Course Sneaky 6",
        ),
    }


def throws() -> Iterator[tuple[State, Move]]:
    """Rolls of every kind, each with each of its elections."""
    flows = {"chase": {"name": "The chase", "value": 2}, "fog": {"name": "Fog"}}
    slots = {"past": {"slots": 2, "marked": [1]}}
    crew = {**CREW, "mara": {"name": "Mara", "tracks": slots}}
    for die, face, aside in (("thriving", 4, "daring"), ("expertise", 6, "thriving"), ("compelling", 1, "expertise")):
        state = campaign(crew=crew, flows=flows, course={"die": die, "face": face})
        for said in ("10 chase", "13 piloting dangerous", "7 fog watched", "16"):
            for faces in ("1 6", "4 4", "6 1", "3 5"):
                thrown = after(state, f"roll iko {said} sneaky {aside} {faces}")
                yield from ((thrown, found) for found in GAME.moves(thrown) if found.verb in ("elect", "wait"))


@pytest.mark.clause("CF-13", "CF-21", "CF-23")
def test_what_an_election_says_is_what_follows() -> None:
    """The Flow, tokens, skill and Course of the label are those of the sheet once every question has its first answer."""
    seen = set()
    for thrown, elected in throws():
        said = elected.label
        done = after(thrown, elected.id)
        while (question := GAME.question(done)) is not None:
            first = next(found for found in GAME.moves(done) if found.follows and not found.blocked)
            seen.add(first.verb)
            done = after(done, f"{first.id} {'' if not first.asks or first.verb == 'recover' else 'Words'}")
            assert question
        course = done.sheet.course
        assert said.endswith(f"Course {course.die.capitalize()} {course.face}")
        assert course.set_by == "iko"
        tokens = {kind.value.capitalize(): getattr(done.sheet.crew["iko"].tokens, kind.value) for kind in TokenKind}
        assert {kind for kind, held in tokens.items() if held} == {kind for kind in tokens if f"+1 {kind}" in said}
        chase = done.sheet.flows["chase"].value
        if "a win" not in said and "Flow 2" in said:
            assert f"Flow 2 → {chase}" in said
        assert "Flow stays" not in said or chase == 2
        assert ("Piloting 2 → 3" in said) == (done.sheet.crew["iko"].skills["Piloting"] == 3)
        assert ("a new Flow" in said) == ("words" in done.sheet.flows)
        assert ("no harm" in said) == (course.safe == "iko")
    assert seen == {"take", "recover", "harm", "noticed", "name"}


@pytest.mark.clause("CF-14")
@pytest.mark.parametrize("name", ["Piloting", "piloting", "PILOTING", "Repairs"])
def test_a_lesson_teaches_no_skill_that_the_character_has(name: str) -> None:
    """Whatever its value, 0 too, and however it is spelled; a new one is named and is then 1."""
    crew = {"iko": {"name": "Iko", "skills": {"Piloting": 2, "Repairs": 0}}}
    state = after(campaign(crew=crew, course=COURSE), "roll iko 10 unskilled sneaky expertise 4 5", "elect sneaky")
    with pytest.raises(ActRefused, match="already") as refused:
        play(state, f"name {name}")
    assert refused.value.refusal.clause == "CF-14"
    assert GAME.question(state) is not None
    taught = after(state, 'name "Knots"').sheet.crew["iko"].skills
    assert taught == {"Piloting": 2, "Repairs": 0, "Knots": 1}


@pytest.mark.clause("CF-14")
def test_the_wayfinder_tells_a_setback_in_a_line_or_leaves_it() -> None:
    """In the same breath as the election that ties; one that doesn't tie asks for nothing."""
    thrown = after(campaign(course=COURSE), "roll iko 10 piloting sneaky expertise 4 5")
    asked = {found.id: [ask.name for ask in found.asks] for found in GAME.moves(thrown) if found.verb == "elect"}
    assert asked == {"elect sneaky": ["setback"], "elect expertise": []}
    said = play(thrown, 'elect sneaky "The mooring line parts"')
    assert "The Setback: The mooring line parts" in told(said)
    left = play(thrown, "elect sneaky")
    assert not [text for text in told(left) if text.startswith("The Setback")]
    assert left.state == said.state


@pytest.mark.clause("CF-22")
def test_harm_is_asked_of_the_roller_first() -> None:
    """Whoever stands first in the file."""
    state = after(campaign(course=COURSE), "roll iko 7 dangerous sneaky expertise 5 6", "elect sneaky")
    assert [found.id for found in GAME.moves(state) if found.verb == "harm"] == ["harm iko", "harm mara"]


@pytest.mark.clause("CF-02")
@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_course_shows_one_to_six(face: int) -> None:
    """Any other face is refused at the keyboard, and a file that has one is told so."""
    with pytest.raises(ActRefused, match="1 to 6"):
        play(campaign(), f"course daring {face}")
    for legal in range(1, 7):
        assert after(campaign(), f"course daring {legal}").sheet.course.face == legal
    _, faults = GAME.read({"crew": CREW, "course": {"die": "daring", "face": face}})
    assert [fault.clause for fault in faults] == ["CF-02"]


@pytest.mark.clause("CF-11")
def test_two_dice_are_of_two_types() -> None:
    """Neither is offered twice: not in a roll that names its dice, and not among the pairs of one that was called."""
    for words in ("roll iko 10 sneaky sneaky 4 5", "roll iko 10 sneaky sneaky"):
        with pytest.raises(ActRefused):
            play(campaign(course=COURSE), words)
    roll = move(campaign(course=COURSE), "roll iko")
    with pytest.raises(ActRefused, match="only once") as refused:
        complete_answers(roll, {"threshold": "10", "dice": ("sneaky", "sneaky")})
    assert refused.value.refusal.clause == "CF-11"
    called = after(campaign(course=COURSE), "roll iko 10")
    pairs = [found.words for found in GAME.moves(called) if found.verb == "throw"]
    assert len(pairs) == 6
    assert all(len({*pair, "daring"}) == 3 for pair in pairs)
    with pytest.raises(ActRefused) as one:
        play(campaign(course=COURSE), "roll iko 10 sneaky")
    assert one.value.refusal.clause == "CF-11"


@pytest.mark.clause("CF-11")
def test_real_dice_are_refused_until_it_is_said_which_two_they_are() -> None:
    """The refusal names a pair that may be picked; with it, the same dice are taken."""
    with pytest.raises(ActRefused, match="compelling expertise") as refused:
        play(campaign(course=COURSE), "roll iko 10 3 4")
    assert refused.value.refusal.clause == "CF-11"
    assert after(campaign(course=COURSE), "roll iko 10 compelling expertise 3 4") != campaign(course=COURSE)


@pytest.mark.clause("CF-16")
@pytest.mark.parametrize(("skill", "flow"), [(0, 0), (2, 0), (0, 5), (3, 4), (9, 30)])
def test_the_sum_has_all_of_the_skill_and_all_of_the_flow(skill: int, flow: int) -> None:
    """However high they are: the elected die, the Course, the skill, the Flow."""
    crew = {"iko": {"name": "Iko", "skills": {"Piloting": skill}}}
    state = campaign(crew=crew, course=COURSE, flows={"chase": {"name": "The chase", "value": flow}})
    thrown = after(state, "roll iko 16 piloting chase sneaky expertise 6 5")
    said = {found.id: found.label for found in GAME.moves(thrown)}
    assert said["elect sneaky"].startswith(f"Sneaky 6: total {6 + 4 + skill + flow},")
    assert said["elect expertise"].startswith(f"Expertise 5: total {5 + 4 + skill + flow},")
    summed = f"Sneaky 6 + Course 4 + Piloting {skill} + The chase {flow} = {10 + skill + flow}, against 16"
    assert summed in told(play(thrown, "elect sneaky"))


@pytest.mark.clause("CF-03", "CF-04", "CF-21")
def test_flows_skills_and_tokens_have_no_maximum() -> None:
    """A file may have any number of each, and play goes on from there; below 0 there is nothing."""
    iko = {"name": "Iko", "skills": {"Piloting": 120}, "tokens": {"clue": 100}}
    flows = {"chase": {"name": "The chase", "value": 250}}
    state = campaign(crew={"iko": iko}, flows=flows, course={"die": "daring", "face": 2})
    assert after(state, "raise chase 5").sheet.flows["chase"].value == 255
    assert after(state, "raise chase -250").sheet.flows["chase"].value == 0
    thrown = after(state, "roll iko 16 piloting sneaky expertise 6 5")
    assert after(thrown, "elect sneaky").sheet.crew["iko"].tokens.clue == 101
    _, faults = GAME.read({"flows": {"chase": {"value": -1}}})
    assert [fault.clause for fault in faults] == ["CF-03"]


@pytest.mark.clause("CF-05")
def test_a_slot_that_is_marked_twice_is_named() -> None:
    """On a track and on a matrix."""
    crew = {"iko": {"tracks": {"past": {"marked": [1, 1]}}, "matrices": {"body": {"marked": ["a1", "a2", "a2"]}}}}
    _, faults = GAME.read({"crew": crew})
    assert [(".".join(fault.path), fault.message) for fault in faults] == [
        ("crew.iko.tracks.past.marked", "past has slot 1 marked twice"),
        ("crew.iko.matrices.body.marked", "body has slot a2 marked twice"),
    ]


@pytest.mark.clause("CF-14", "CF-17", "CF-18", "CF-19")
def test_results_have_the_moods_that_clocks_go_by() -> None:
    """A setback and not yet are a Fiasco, a win a drawback, the intent a Success."""
    state = campaign(course={"die": "daring", "face": 2}, flows={"chase": {"value": 0}})
    found = {}
    for faces, acts in (("2 1", ()), ("1 1", ()), ("5 1", ("take",)), ("6 1", ())):
        thrown = after(state, f"roll iko {'piloting 10' if faces == '6 1' else '10'} chase sneaky expertise {faces}")
        played = play(thrown, "elect sneaky")
        for words in acts:
            played = play(played.state, words)
        (fact,) = (fact for fact in played.facts if isinstance(fact, OutcomeFact))
        found[fact.outcome] = fact.mood
    assert found == {
        "setback": OutcomeGrade.FIASCO,
        "not-yet": OutcomeGrade.FIASCO,
        "win": OutcomeGrade.DRAWBACK,
        "intent": OutcomeGrade.SUCCESS,
    }


@pytest.mark.clause("CF-14", "CF-24")
def test_nothing_comes_between_the_dice_and_the_election() -> None:
    """No token can be spent on a setback, and there is no act of helping at any time. Only the wayfinder has a word."""
    crew = {**CREW, "mara": {"tokens": {"clue": 2}}}
    state = campaign(crew=crew, course=COURSE)
    thrown = after(state, "roll iko 10 sneaky expertise 4 4")
    verbs = {found.verb for found in GAME.moves(thrown) if not found.blocked}
    assert {found.verb for found in GAME.moves(thrown) if found.follows} == {"elect", "react"}
    assert not verbs & {"spend", "ask", "roll", "course", "raise"}
    assert not {found.verb for found in GAME.moves(state)} & {"help", "assist", "aid"}


@pytest.mark.clause("CF-30")
def test_every_token_has_three_questions_of_its_own() -> None:
    """Fifteen in all, no two alike; each may be asked free by anyone."""
    assert [kind for kind, _ in QUESTIONS.values()] == [kind for kind in TokenKind for _ in range(3)]
    assert len({question for _, question in QUESTIONS.values()}) == 15
    ask = move(campaign(), "ask iko").asks[0]
    assert isinstance(ask, PickOne)
    assert [option.word for option in ask.options if not option.blocked] == list(QUESTIONS)


@pytest.mark.clause("CF-30")
def test_only_tokens_in_hand_are_spent() -> None:
    """The others are refused and say so; with none at all the free way is named."""
    state = campaign(crew={"iko": {"name": "Iko", "tokens": {"focus": 1}}, "lio": {}})
    ask = move(state, "spend iko").asks[0]
    assert isinstance(ask, PickOne)
    assert [option.word for option in ask.options if not option.blocked] == ["focus-1", "focus-2", "focus-3"]
    assert [option.word for option in ask.options[:3]] == ["focus-1", "focus-2", "focus-3"]
    none = move(state, "spend lio").blocked
    assert none
    assert none.reason == "lio has no tokens, but can ask any question without one: type “ask lio”"


@pytest.mark.clause("CF-13", "CF-16")
def test_what_was_taken_out_of_the_file_is_asked_no_more() -> None:
    """A roll whose roller is gone, or whose Course is, ends; a Flow that is gone adds nothing."""
    state = campaign(course=COURSE, flows={"chase": {"name": "The chase", "value": 3}})
    thrown = after(state, "roll iko unskilled chase 10 sneaky expertise 5 6")
    gone, _ = GAME.read({**GAME.write(thrown), "crew": {"mara": {}}})
    assert GAME.question(State("", gone.rules, gone.sheet, {}, open=thrown.open)) is None
    still, _ = GAME.read({**GAME.write(thrown), "flows": {}})
    labels = [found.label for found in GAME.moves(State("", still.rules, still.sheet, {}, open=thrown.open))]
    assert "Sneaky 5: total 9, a win; high Sneaky: unseen; next Course Expertise 6" in labels


@pytest.mark.clause("CF-10")
@pytest.mark.parametrize(
    ("skills", "starts_on", "added"),
    [
        ({}, "unskilled", "without a skill"),
        ({"Piloting": 2}, "piloting", "Piloting 2"),
    ],
)
def test_a_roll_starts_on_the_only_skill_of_whoever_rolls(skills: dict[str, int], starts_on: str, added: str) -> None:
    """Of someone with none it is a skill they lack, until another is said. So is everybody else's skill."""
    state = campaign(course=COURSE, crew={"mara": {"skills": {"Repairs": 2}}, "iko": {"name": "Iko", "skills": skills}})
    (skill,) = (ask for ask in move(state, "roll iko").asks if ask.name == "skill")
    assert isinstance(skill, PickOne)
    assert skill.default == starts_on
    assert str(GAME.question(after(state, "roll iko 10"))).startswith(f"Iko rolls {added}")
    assert play(state, "roll iko 10").words == f"roll iko 10 {starts_on}".removesuffix(" unskilled")
    assert str(GAME.question(after(state, "roll iko 10 unskilled"))).startswith("Iko rolls without a skill")


@pytest.mark.clause("CF-10")
def test_whoever_has_several_skills_is_asked_which() -> None:
    """Nothing is chosen for them, as a roll without its bonus is easily overlooked. In a log that was written when it was left out,
    a roll without one is a roll without a skill.
    """
    state = campaign(course=COURSE, crew={"iko": {"name": "Iko", "skills": {"Locks": 1, "Fibs": 2}}})
    (skill,) = (ask for ask in move(state, "roll iko").asks if ask.name == "skill")
    assert isinstance(skill, PickOne)
    assert skill.default is None
    with pytest.raises(ActRefused, match="Skill to use: choose locks, fibs or unskilled"):
        play(state, "roll iko 10")
    assert play(state, "roll iko 10 unskilled").words == "roll iko 10 unskilled"
    assert parse_logged_act(GAME.moves(state), "roll iko 10").answers["skill"] == "unskilled"
    assert parse_logged_act(GAME.moves(state), "roll iko 10 fibs").answers["skill"] == "fibs"


@pytest.mark.clause("CF-11")
@pytest.mark.parametrize("words", ["roll iko 10 sneaky sneaky", "roll iko 10 sneaky sneaky 4 5"])
def test_two_dice_of_one_type_are_refused_by_the_rule_in_words_too(words: str) -> None:
    """The refusal names the clause and the die that was chosen twice."""
    with pytest.raises(ActRefused) as refused:
        play(campaign(course=COURSE), words)
    assert refused.value.refusal == Refusal("Two dice: sneaky is already chosen, and each counts once", "CF-11")


@pytest.mark.clause("CF-32", "CF-34")
def test_a_plain_roll_is_kept_in_the_log_as_it_always_was() -> None:
    """Without an intent and a declared reaction nothing is written of them, so a log of any age is read."""
    state = after(campaign(course=COURSE), "roll iko 10 sneaky expertise 6 5")
    kept = GAME.write_open(state)
    roll = {"who": "iko", "skill": "Piloting", "dice": ["sneaky", "expertise"]}
    assert kept["stage"] == {"is": "scene", "stages": [{"is": "thrown", "roll": roll, "faces": [6, 5]}]}
    assert GAME.read_open(kept) == state.open


@pytest.mark.clause("CF-34")
def test_a_last_reaction_is_only_the_wayfinders() -> None:
    """Players may neither declare nor tell it."""
    players, thrown = PlayersGame(GAME), after(campaign(course=COURSE), "roll iko 16 sneaky expertise 6 5")
    assert {found.verb for found in players.moves(thrown) if found.follows} == {"elect"}
    state = after(thrown, "react", "elect sneaky", "take")
    assert GAME.question(state) == "Is there a last reaction to Iko's roll, before the Course becomes Expertise 5?"
    assert [found.verb for found in players.moves(state) if found.follows] == []


@pytest.mark.clause("CF-33")
def test_the_first_course_of_a_session_is_only_the_wayfinders() -> None:
    """It is offered to the wayfinder, and not to players."""
    state = after(campaign(course=COURSE), "session begin")
    assert [found.verb for found in GAME.moves(state) if found.follows] == ["course"]
    assert "course" not in {found.verb for found in PlayersGame(GAME).moves(state)}


@pytest.mark.clause("CF-10", "CF-16", "CF-18", "CF-19", "CF-40")
@pytest.mark.parametrize("threshold", [11, 12, 13])
def test_a_house_rule_allows_any_threshold(threshold: int) -> None:
    """With another threshold, 5 + 4 + 2 + 1 = 12 is the intent at 11 and 12, and under 13; the odds are those of every throw."""
    tables: dict[str, Any] = {"course": COURSE, "flows": {"front": {"name": "Storm front", "value": 1}}}
    words = f"roll iko piloting front {threshold} sneaky expertise"
    state = campaign(house_rules={"thresholds": "any"}, **tables)
    played = play(after(state, f"{words} 3 5"), "elect expertise")
    found = [fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)]
    assert found == (["intent"] if threshold <= 12 else [])
    act = parse_act(GAME.moves(state), words)
    odds = GAME.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds is not None
    able = [face for face in range(1, 7) if face != 4 and face + 4 + 2 + 1 >= threshold]
    throws = [pair for pair in product(range(1, 7), repeat=2) if not set(pair).isdisjoint(able)]
    intent = next(chance for chance in odds.spread.chances if chance.outcome == "intent")
    assert intent.chance == Ratio(len(throws), 36)


@pytest.mark.clause("CF-10")
def test_other_thresholds_are_refused_by_their_rule() -> None:
    """A threshold other than the four is refused by its clause, and the refusal names the four."""
    with pytest.raises(ActRefused, match="7, 10, 13 or 16") as refused:
        play(campaign(course=COURSE), "roll iko piloting 12")
    assert refused.value.refusal.clause == "CF-10"


@pytest.mark.clause("CF-10")
def test_a_threshold_by_house_rule_may_be_changed_while_the_roll_waits() -> None:
    """Any number from 1 up; none is chosen by itself."""
    state = campaign(house_rules={"thresholds": "any"}, course=COURSE)
    with pytest.raises(ActRefused):
        play(state, "roll iko piloting")
    waiting = after(state, "roll iko piloting 12", "change 14")
    assert "against 14" in str(GAME.question(waiting))


@pytest.mark.clause("CF-12")
def test_a_course_set_by_somebody_who_is_not_there_keeps_nobody_from_rolling() -> None:
    """Nobody waits for a Course that somebody absent has set, even where players have names."""
    crew = {"iko": {"name": "Iko", "player": "Jo"}}
    state, _ = GAME.read({"name": "Trial", "crew": crew, "course": {**COURSE, "set_by": "nobody"}})
    assert move(state, "roll iko").blocked is None


@pytest.mark.clause("CF-11")
def test_exactly_two_dice_are_picked() -> None:
    """One or three are refused; two are rolled."""
    state = campaign(course=COURSE)
    for dice in ("sneaky", "sneaky expertise thriving"):
        with pytest.raises(ActRefused):
            play(state, f"roll iko 7 {dice} 1 1 1")
    ask = next(ask for ask in move(state, "roll iko").asks if ask.name == "dice")
    assert isinstance(ask, PickMany)
    assert ask.most == 2


@pytest.mark.clause("CF-20")
@pytest.mark.parametrize(("rule", "label"), [("new-flow", "Not yet: a new Flow at 1"), ("nothing", "Not yet")])
def test_a_win_that_is_put_off_without_a_flow_says_what_it_starts(rule: str, label: str) -> None:
    """By the house rule: a new Flow, or nothing."""
    state = campaign(course={"die": "expertise", "face": 5}, house_rules={"not_yet_without_flow": rule})
    offered = after(state, "roll iko 10 daring sneaky 1 2", "elect sneaky")
    assert move(offered, "wait").label == label


def test_a_form_says_which_of_the_crew_is_meant() -> None:
    """By name, and in words that fit the value."""
    form = GAME.form(campaign(course={**COURSE, "set_by": "iko"}), ("course",))
    assert form
    set_by, safe = (field for field in form.group.fields if field.path[-1] in ("set_by", "safe"))
    assert set_by.choice_names == ("nobody", "Mara", "Iko")
    assert set_by.about == "Who set it, and so can't roll. Choose nobody if the wayfinder set it"
    assert safe.about == "Whose high Daring prevents harm"
    player = GAME.form(campaign(players={"ana": {"name": "Ana"}}), ("players", "ana"))
    assert player
    assert [field.about for field in player.group.fields if field.path[-1] == "character"] == ["Who they play"]


@pytest.mark.clause("CF-05")
def test_older_words_without_a_slot_mean_the_first_that_is_free() -> None:
    """In a log, and as the effect of a clock that was written before: whoever marks a grid now says which slot."""
    state = after(campaign(), "matrix iko Suit 1 2", 'clock "Breach" 4 push full "mark iko-suit"')
    with pytest.raises(ActRefused, match="Slot: choose a1 or a2"):
        play(state, "mark iko-suit")
    logged = parse_logged_act(GAME.moves(state), "mark iko-suit")
    assert logged.answers == {"slot": "a1"}
    full = after(state, "tick breach 4")
    assert told(play(full, "effect breach")) == ["Iko: slot 1 of Suit marked"]
