"""A word of a line may be any part of the name that the screen shows."""

import re
from dataclasses import replace

import pytest

from tests.kit.thorough import cases
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.language.similar_names import Reach
from waylog.rules.model.answers import ChoiceWanted, complete_answers, format_act
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.moves import ActRefused, Allocate, Ask, Move, Number, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.systems import names, system

FLEW = Option("i-flew-at-the-battle-of-altera-prime", "I flew at the battle of Altera Prime")
ENTER = Move(
    "enter",
    ("mara",),
    "Mara enters",
    (
        PickOne("approach", "Approach", (Option("talk", "Talk"), Option("exert", "Exert"))),
        PickMany("with", "Into play", (FLEW, Option("ship-2", "Gull: Engines"), Option("old-spy", "Señor García"))),
        PickMany("risks", "Risks", (Option("daring", "Daring"), Option("dangerous", "Dangerous"))),
    ),
)
TICKS = tuple(
    Move("tick", (word,), f"Tick “{name}” 0/6", (Number("by", "By", -6, 6, 1),), about=(f"clocks.{word}",), name=name)
    for word, name in (("convoy", "The grain convoy"), ("voice", "What learned to count"), ("grain", "Old debts"))
)
NAMED = (
    ENTER,
    *TICKS[:2],
    Move("heal", ("joss", "by-mara"), "Mara heals Joss"),
    Move("use", ("microjump",), "Use MICROJUMP"),
    Move("use", ("shield",), "Use SHIELD", blocked=Refusal("no use is left", "VK-30")),
    Move("undock", (), "Undock", (Text("why", "Why"),)),
)


@pytest.mark.parametrize(
    ("line", "move", "answers"),
    [
        ("tick grain", "tick convoy", {}),
        ("tick LEARNED -2", "tick voice", {"by": -2}),
        ("tick the grain convoy", "tick convoy", {}),
        ("tick voi", "tick voice", {}),
        ("enter mara flew", "enter mara", {"with": (FLEW.word,)}),
        ("enter mara talk flew altera engines", "enter mara", {"approach": "talk", "with": (FLEW.word, "ship-2")}),
        ("enter mara garcia", "enter mara", {"with": ("old-spy",)}),
        ("enter mara spy", "enter mara", {"with": ("old-spy",)}),
        ("heal joss mara", "heal joss by-mara", {}),
        ("heal mara joss", "heal joss by-mara", {}),
        ("use", "use microjump", {}),
        ("und", "undock", {}),
    ],
)
def test_a_word_may_be_any_part_of_the_name_on_screen(line: str, move: str, answers: dict[str, object]) -> None:
    """Of a clock, a person or an answer, whatever its case and accents; and what can be left out may be."""
    act = parse_act(NAMED, line)
    assert (act.move.id, act.answers) == (move, answers)


def test_what_is_typed_for_a_thing_goes_before_its_name() -> None:
    """A clock whose word is `grain` is meant by it, and not the other one that is called so."""
    assert parse_act(TICKS, "tick grain").move is TICKS[2]
    assert parse_act(TICKS, "tick con").move is TICKS[0]


def test_letters_of_a_name_are_a_guess() -> None:
    """Only where the person sees what it was taken for before it is done: not in a shell and not in a file."""
    assert parse_act(NAMED, "tick lrnd", reach=Reach.GUESS).move is TICKS[1]
    with pytest.raises(CommandUnclear):
        parse_act(NAMED, "tick lrnd")
    with pytest.raises(CommandUnclear):
        parse_act(NAMED, "tick learned", reach=Reach.WORDS)


BREACH = Move("tick", ("hull-breach",), "Tick", (Number("by", "By", -6, 6, 1),), name="The Hull breach (aft)")
REPAIRS = (
    Move("restore", ("module", "big-ear"), "BIG EAR works again", (Text("why", "Why"),)),
    Move("stash", (), "Keep", (PickOne("card", "Card", (Option("med-bay", "A med bay"),)), Text("why", "If"))),
    Move(
        "roll",
        ("mara",),
        "Mara rolls",
        (
            PickMany("by", "By", (Option("joss", "Joss"), Option("joss-grit", "Grit of Joss"))),
            PickMany("grit", "Grit", (Option("grit", "Grit"),)),
        ),
    ),
    Move("tick", ("hull-2",), "Tick", (Number("by", "By", -6, 6, 1),)),
    BREACH,
)


@pytest.mark.parametrize(
    ("line", "move", "answers"),
    [
        ("tick hull breach", "tick hull-breach", {}),
        ("tick Hull Breach 2", "tick hull-breach", {"by": 2}),
        ("tick hull br", "tick hull-breach", {}),
        ("tick hull aft 2", "tick hull-breach", {"by": 2}),
        ("tick hull-breach aft", "tick hull-breach", {}),
        ("restore module big ear", "restore module big-ear", {}),
        ("restore module BIG EAR Ada soldered it", "restore module big-ear", {"why": "Ada soldered it"}),
        ("restore module big ears are mended", "restore module big-ear", {"why": "ears are mended"}),
        ('restore module big ear "ear plugs"', "restore module big-ear", {"why": "ear plugs"}),
        ("stash med bay the power is on", "stash", {"card": "med-bay", "why": "the power is on"}),
        ("roll mara joss grit", "roll mara", {"by": ("joss",), "grit": ("grit",)}),
    ],
)
def test_a_name_is_typed_as_the_screen_shows_it(line: str, move: str, answers: dict[str, object]) -> None:
    """With spaces where the word that is typed has hyphens; all its words are the name, and none is a text."""
    act = parse_act(REPAIRS, line)
    assert (act.move.id, act.answers) == (move, answers)


def test_a_number_behind_a_name_is_a_number() -> None:
    """Though there is another name with that figure in it."""
    one = Move("tick", ("hull",), "Tick", (Number("by", "By", -6, 6, 1),))
    act = parse_act([one, *REPAIRS], "tick hull 2")
    assert (act.move, act.answers) == (one, {"by": 2})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("enter mara d", "“d” could be daring or dangerous"),
        ("tick graim", "No such clock: “graim”. Did you mean “The grain convoy”?"),
        ("tick vioce", "No such clock: “vioce”. Did you mean “What learned to count”?"),
        ("tick", "Which clock? The grain convoy · What learned to count"),
        ("tick fog", "No such clock: “fog”. Choose “The grain convoy” or “What learned to count”"),
        ("enter mara talk dairng", "Unknown word “dairng” after “enter mara talk”. Did you mean “daring”?"),
        ("enter mara nonsense", "Approach: choose talk or exert, not “nonsense”"),
        ("tikc voice", "No such command: “tikc”. Did you mean “tick”?"),
        ("gain life", "No such command: “gain”"),
    ],
)
def test_an_error_names_the_word_that_is_wrong(line: str, said: str) -> None:
    """With what it could be, or the nearest that there is."""
    with pytest.raises(CommandUnclear) as unclear:
        parse_act(NAMED, line)
    assert said in str(unclear.value)


def test_a_begun_name_is_completed() -> None:
    """By part of what the screen shows, and by letters of it."""
    assert [c.word for c in completions(NAMED, "tick gra")] == ["convoy"]
    assert [c.word for c in completions(NAMED, "tick lrnd")] == ["voice"]
    assert [c.word for c in completions(NAMED, "enter mara fle")] == [FLEW.word]


@pytest.mark.parametrize("system_name", cases(names(), 0, 3))
def test_names_in_a_campaign_never_hide_what_is_logged(system_name: str) -> None:
    """Clocks called like commands, figures and each other: whatever is logged of them reads back to the same move."""
    game = Game(system(system_name))
    clocks = {
        key: Clock(name, ClockKind.DEATH, 6)
        for key, name in (
            ("note", "6 death"),
            ("a", "Roll"),
            ("tick", "Tick “a”"),
            ("12", "Ärger"),
            ("close-a", "close a"),
        )
    }
    moves = game.moves(replace(game.fresh("Trial"), clocks=clocks))
    for move in moves:
        said = {ask.name: "x" for ask in move.asks if isinstance(ask, Text)}
        said |= {ask.name: ask.default or ask.options[0].word for ask in move.asks if isinstance(ask, PickOne)}
        act = parse_act(moves, format_act(replace(move, asks=_said_in_words(move)), said))
        assert (act.move.id, act.faces) == (move.id, None)


def _said_in_words(move: Move) -> tuple[Ask, ...]:
    return tuple(ask for ask in move.asks if not isinstance(ask, PickMany | Allocate | Number))


@pytest.mark.parametrize("system_name", names())
def test_the_letter_in_a_list_is_a_word(system_name: str) -> None:
    """What stands before a move in its list is understood as that move, with figures behind it too."""
    game = Game(system(system_name))
    moves = [move for move in game.moves(game.fresh("Trial")) if move.key]
    crew = [
        Move("roll", (name,), f"Roll for {name}", rolls=True, key=key) for name, key in (("imre", "i"), ("iko", "k"))
    ]
    for move in (*moves, *crew):
        for own, line in ((moves, move.key), (crew, f"{move.key} 6 5")):
            if move in own:
                assert parse_act([one for one in own if one.verb == move.verb], line, move.verb).move is move


def test_the_word_that_is_typed_goes_before_other_names_of_an_answer() -> None:
    """`lock` is the skill Locks, and not the Flow that has a word like it in its name."""
    skills = PickOne("skill", "Skill", (Option("locks", "Locks"), Option("none", "None")), "none")
    flows = PickOne("flow", "Flow", (Option("gossip", "Lockside gossip", also=("lockside",)),), None)
    roll = Move("roll", ("dov",), "Roll for Dov", (skills, flows), rolls=True)
    assert parse_act([roll], "roll dov lock").answers == {"skill": "locks"}
    assert parse_act([roll], "roll dov locks lockside").answers == {"skill": "locks", "flow": "gossip"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((Option("push", "push: fills on successes"), Option("death", "Death")), "Type: choose push or death"),
        ((Option("two-tanks", "Two tanks", costs=True),), "Type: the only choice is “two-tanks”"),
        (
            (Option("social-1", "The man who laughed", costs=True),),
            "Type: the only choice is “social-1” (The man who laughed)",
        ),
    ],
)
def test_what_is_not_chosen_yet_is_asked_for_by_names_that_people_know(
    options: tuple[Option, ...], reason: str
) -> None:
    """The word that can be typed, with its label where that is another. The only one is asked for if it costs something."""
    with pytest.raises(ActRefused, match=f"^{re.escape(reason)}$"):
        complete_answers(Move("clock", (), "New clock", (PickOne("type", "Type", options),)), {})


def test_the_only_choice_is_taken_but_no_number() -> None:
    """A number that was typed may have been meant as it, and wasn't."""
    move = Move("cure", (), "Cure", (PickOne("row", "Condition", (Option("social-1", "The man who laughed"),)),))
    assert complete_answers(move, {}) == {"row": "social-1"}
    with pytest.raises(ActRefused, match="the only choice is “4”"):
        complete_answers(replace(move, asks=(PickOne("to", "Raise to", (Option("4", "4"),)),)), {})


def test_beside_its_choices_a_question_asks_in_their_names() -> None:
    """Without what stands behind a name, and without the names where they are many or have commas."""
    options = (Option("fill-one", "Fill one: a segment"), Option("social-1", "The man who laughed"))
    for listed, wanted in ((options, "choose Fill one or The man who laughed"), (options * 3, "choose one")):
        with pytest.raises(ChoiceWanted) as refused:
            complete_answers(Move("x", (), "X", (PickOne("what", "What", listed),)), {})
        assert refused.value.beside_choices == f"What? {wanted[:1].upper()}{wanted[1:]}"
