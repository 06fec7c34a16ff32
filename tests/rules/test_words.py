"""Acts in words: short to type, plain to read, and never taken for something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.thorough import cases
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.language.completion_and_what_is_wrong import Completion, completions
from waylog.rules.language.line_tokens_and_matching import tokens
from waylog.rules.language.similar_names import Reach, closeness
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Allocate,
    AllocationSlot,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Refusal,
    Text,
)
from waylog.rules.systems import names, system

CALL = PickOne("call", "Call", (Option("standard", "Standard"), Option("desperate", "Desperate")), "standard")
HELPS = PickMany("helps", "Modules", (Option("afterburners", "AFTERBURNERS"), Option("astrogator", "ASTROGATOR")))
TOOL = PickOne("tool", "Tool", (Option("none", "None"), Option("primary", "Drill", also=("impact-drill",))), "none")
SIZES = PickOne("segments", "Segments", tuple(Option(str(n), f"{n} segments") for n in (4, 6, 8)), "6")
KINDS = PickOne(
    "kind", "Type", (Option("push", "push"), Option("catastrophe", "catastrophe"), Option("death", "death"))
)
SHUNT = Allocate(
    "dice", "Dice", tuple(AllocationSlot(word, word.upper(), 1, 4, 2) for word in ("cpu", "hul", "nav")), 6
)
FACES = PickMany("faces", "Dice", (Option("3", "3"), Option("5", "5")), 1, 3, repeats=True)

MOVES = (
    Move("roll", ("cpu",), "Roll CPU", (CALL,), rolls=True, key="c"),
    Move("roll", ("nav",), "Roll NAV", (HELPS, CALL), rolls=True, key="n"),
    Move("roll", ("nora",), "Roll for Nora", (TOOL, CALL), rolls=True, key="o"),
    Move(
        "roll", ("mara",), "Roll for Mara", (TOOL, CALL), Refusal("Mara is Down and Out", "VK-41"), rolls=True, key="m"
    ),
    Move("damage", ("ship",), "Deal damage to the ship"),
    Move("clock", (), "New clock", (Text("name", "Name", required=True), SIZES, KINDS)),
    Move("tick", ("hull-breach",), "Tick", (Number("by", "By", -6, 6, 1),)),
    Move("shunt", (), "Shunt", (SHUNT,)),
    Move("focus", (), "Spend Focus", (FACES,)),
    Move("note", (), "Note", (Text("text", "Note", required=True),)),
)


def means(text: str, verb: str = "") -> tuple[str, dict[str, object], tuple[int, ...] | None]:
    """The move, the answers and the faces that a line stands for."""
    act = parse_act(MOVES, text, verb)
    return act.move.id, dict(act.answers), act.faces


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("roll nav", ("roll nav", {}, None)),
        ("roll nav aft", ("roll nav", {"helps": ("afterburners",)}, None)),
        ("aft nav roll", ("roll nav", {"helps": ("afterburners",)}, None)),
        ("roll nav aft ast desp", ("roll nav", {"helps": ("afterburners", "astrogator"), "call": "desperate"}, None)),
        ("roll nav 3 5 5", ("roll nav", {}, (3, 5, 5))),
        ("roll nav 355", ("roll nav", {}, (3, 5, 5))),
        ("roll nora prim", ("roll nora", {"tool": "primary"}, None)),
        ("roll nora impact", ("roll nora", {"tool": "primary"}, None)),
        ("dam ship 4", ("damage ship", {}, (4,))),
        (
            'clock "Hull breach" 6 catastrophe',
            ("clock", {"name": "Hull breach", "segments": "6", "kind": "catastrophe"}, None),
        ),
        ("clock Hull breach 8 cat", ("clock", {"name": "Hull breach", "segments": "8", "kind": "catastrophe"}, None)),
        ('clock "push 8 death" death', ("clock", {"name": "push 8 death", "kind": "death"}, None)),
        ("tick hull", ("tick hull-breach", {}, None)),
        ("tick hull -2", ("tick hull-breach", {"by": -2}, None)),
        ("shunt 1 2 3", ("shunt", {"dice": (1, 2, 3)}, None)),
        ("shunt 123", ("shunt", {"dice": (1, 2, 3)}, None)),
        ("focus 5 5", ("focus", {"faces": ("5", "5")}, None)),
        ("note 3 of them got away", ("note", {"text": "3 of them got away"}, None)),
    ],
)
def test_an_act_is_understood(text: str, meaning: object) -> None:
    """Words in any order, no longer than they have to be, and digits that answer nothing are real dice."""
    assert means(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("n", ("roll nav", {}, None)),
        ("n355", ("roll nav", {}, (3, 5, 5))),
        ("o", ("roll nora", {}, None)),
        ("c d", ("roll cpu", {"call": "desperate"}, None)),
        ("o n", ("roll nora", {"tool": "none"}, None)),
        ("nora p", ("roll nora", {"tool": "primary"}, None)),
        ("nav 3 5 5", ("roll nav", {}, (3, 5, 5))),
        ("damage ship", ("damage ship", {}, None)),
    ],
)
def test_the_verb_may_be_left_out(text: str, meaning: object) -> None:
    """In the roll line the first word is understood, and one letter is enough."""
    assert means(text, "roll") == meaning


@pytest.mark.parametrize("text", ["", "roll", "roll x", "roll na no", "fly", "shunt 1 2 3 1 1", "roll nav a"])
def test_what_is_not_clear_is_not_guessed(text: str) -> None:
    """No match, or more than one, is said and nothing is chosen."""
    if text == "shunt 1 2 3 1 1":
        assert means(text)[2] == (1, 1)
        return
    with pytest.raises(CommandUnclear):
        parse_act(MOVES, text)


def test_a_default_gives_way_to_what_begins_alike() -> None:
    """`d` is Desperate, not the dice that are thrown anyway."""
    instead = PickOne("instead", "Instead", (Option("dice", "Dice"), Option("integrity", "Integrity")), "dice")
    move = Move("roll", ("cpu",), "Roll CPU", (CALL, instead), rolls=True, key="c")
    assert parse_act([move], "roll cpu d").answers == {"call": "desperate"}


def test_what_can_be_chosen_is_meant_before_what_can_not() -> None:
    """`l` for the listening set, while the clock “lantern” is full; the clock's whole word names the clock."""
    tools = PickMany("tools", "Tools", (Option("primary", "Listening set"),))
    clocks = PickMany("clocks", "On clocks", (Option("lantern", "Relight the lantern", blocked=Refusal("it is full")),))
    moves = [Move("roll", ("wick",), "Roll for Wick", (tools, clocks), rolls=True)]
    assert parse_act(moves, "roll wick l").answers == {"tools": ("primary",)}
    assert parse_act(moves, "roll wick lantern").answers == {"clocks": ("lantern",)}


def test_the_letter_that_is_said_first_names_who_rolls() -> None:
    """Another one is what they roll with."""
    cutter = PickOne("tool", "Tool", (Option("none", "None"), Option("primary", "Cutter", also=("cutter",))), "none")
    launch = PickMany("on", "On clocks", (Option("launch", "Launch"),))
    cpu = Move("roll", ("cpu",), "Roll CPU", (launch,), rolls=True, key="c")
    lars = Move("roll", ("lars",), "Roll for Lars", (cutter,), rolls=True, key="l")
    assert parse_act([cpu, lars], "roll c l").move is cpu
    assert parse_act([cpu, lars], "roll l c").move is lars


def test_the_name_that_is_said_first_names_the_move() -> None:
    """Where each of two people has something called after the other, the first one said is the one who acts."""
    moves = [
        Move("enter", ("mara",), "", (PickMany("with", "With", (Option("lars", "Lars"), Option("lamp", "Lamp"))),)),
        Move("enter", ("lars",), "", (PickMany("with", "With", (Option("mara", "Mara"), Option("lamp", "Lamp"))),)),
    ]
    for said, other in (("mara", "lars"), ("lars", "mara")):
        act = parse_act(moves, f"enter {said} lamp {other}")
        assert (act.move.words, act.answers) == ((said,), {"with": ("lamp", other)})


def test_what_is_begun_names_the_move_before_it_answers_anything() -> None:
    """`m s` is Mara at the shields, not Mara with a skill; `m s j` is Mara helped by Joss, not Joss helped by Mara."""
    skill = PickMany("with", "With", (Option("skill", "Skill"),))
    moves = [
        Move("roll", (who, *system), "", (skill, PickMany("by", "By", (Option(other, other),))))
        for who, other in (("mara", "joss"), ("joss", "mara"))
        for system in ((), ("shields",))
    ]
    for said, words, answers in (
        ("m", ("mara",), {}),
        ("m s", ("mara", "shields"), {}),
        ("m sk", ("mara",), {"with": ("skill",)}),
        ("m s j", ("mara", "shields"), {"by": ("joss",)}),
        ("j s m sk", ("joss", "shields"), {"by": ("mara",), "with": ("skill",)}),
    ):
        act = parse_act(moves, f"roll {said}")
        assert (act.move.words, act.answers) == (words, answers)


def test_the_word_that_means_nothing_is_named() -> None:
    """With what could stand in its place; and a move that can't be made says why, whatever else was said."""
    with pytest.raises(
        CommandUnclear, match=r"Unknown word “fenders” after “roll nav”. Choose afterburners, astrogator, standard"
    ):
        parse_act(MOVES, "roll nav fenders")
    with pytest.raises(ActRefused, match="Mara is Down and Out") as refused:
        parse_act(MOVES, "roll mara fenders")
    assert refused.value.refusal.clause == "VK-41"


def test_what_counts_but_once_is_refused_by_its_clause() -> None:
    """Twice the same, or too many: the ask knows the clause that says so."""
    ask = PickMany("helps", "Modules", HELPS.options, most=1, clause="VK-11")
    for named in (("astrogator", "astrogator"), ("astrogator", "afterburners")):
        with pytest.raises(ActRefused) as refused:
            complete_answers(Move("roll", ("nav",), "Roll NAV", (ask,)), {"helps": named})
        assert refused.value.refusal.clause == "VK-11"


def test_a_blocked_move_is_understood_as_itself() -> None:
    """A blocked move is understood as itself, so that the refusal can say why."""
    move = parse_act(MOVES, "roll mara").move
    assert move.blocked
    assert move.blocked.clause == "VK-41"


def test_completions_follow_what_was_said() -> None:
    """Words that fit next, open ones first."""
    assert [c.word for c in completions(MOVES, "", "roll")] == ["cpu", "nav", "nora", "mara"]
    assert "mara" in {c.word for c in completions(MOVES, "m", "roll") if c.blocked}
    assert [c.word for c in completions(MOVES, "nav a", "roll")] == ["afterburners", "astrogator"]
    assert [c.word for c in completions(MOVES, "nav aft ", "roll")] == ["astrogator", "desperate"]


def test_a_word_that_begins_something_possible_is_not_refused() -> None:
    """Whatever it begins besides; it has the label of what is possible. A verb isn't said twice."""
    whole = Refusal("Mara's suit doesn't need repair")
    moves = (
        Move("restore", ("suit", "mara"), "Repair Mara's suit", blocked=whole),
        Move("restore", ("suit", "joss"), "Repair Joss's suit"),
    )
    assert completions(moves, "restore ") == (Completion("suit", "Repair Joss's suit …"),)
    assert completions(moves, "resto") == (Completion("restore", ""),)


WITH_SYSTEMS = tuple(
    Move("roll", (who, *system), f"Roll for {who}", rolls=True)
    for who in ("wenna", "osk")
    for system in ((), ("shields",), ("sigint",))
)


def test_any_word_of_a_move_that_was_begun_is_completed() -> None:
    """With what is rolled or with who rolls a line may begin; while nothing is begun it is who rolls."""
    assert [c.word for c in completions(WITH_SYSTEMS, "sh", "roll")] == ["shields"]
    assert [c.word for c in completions(WITH_SYSTEMS, "s", "roll")] == ["shields", "sigint"]
    assert [c.word for c in completions(WITH_SYSTEMS, "shields ", "roll")] == ["wenna", "osk"]
    assert [c.word for c in completions(WITH_SYSTEMS, "", "roll")] == ["wenna", "osk"]
    assert [c.word for c in completions(WITH_SYSTEMS, "roll sh")] == ["shields"]


@pytest.mark.parametrize(("text", "verb"), [("sh", "roll"), ("roll shields", ""), ("roll sh", "")])
def test_what_fits_and_is_not_whole_says_how_it_goes_on(text: str, verb: str) -> None:
    """It is never said to fit nothing: the words that it still lacks are named."""
    with pytest.raises(CommandUnclear, match=r"^Which one\? wenna · osk$"):
        parse_act(WITH_SYSTEMS, text, verb)


@pytest.mark.parametrize(
    ("typed", "meant"), [("nk", "n k"), ("nk355", "n k 355"), ("nx", ""), ("nkq", ""), ('"nk"', "")]
)
def test_letters_without_blanks_are_shown_with_blanks(typed: str, meant: str) -> None:
    """Only where they mean something so; nothing is done before they are typed so."""
    keel = PickMany("modules", "Modules", (Option("keelwing", "KEELWING"),))
    nav = Move("roll", ("nav",), "Roll NAV", (keel,), rolls=True, key="n")
    hul = Move("roll", ("hul",), "Roll HUL", rolls=True, key="h")
    with pytest.raises(CommandUnclear) as unclear:
        parse_act((nav, hul), typed, "roll", Reach.GUESS)
    reason = unclear.value.refusal.reason
    assert (f"Did you mean “{meant}”" in reason) if meant else ("with blanks" not in reason)
    assert not meant or parse_act((nav, hul), meant, "roll").move is nav


@pytest.mark.parametrize(
    ("typed", "name", "fits"),
    [
        ("afb", "AFTERBURNERS", True),
        ("hlb", "Hull breach", True),
        ("rtl", "Relight the lantern", True),
        ("rla", "Relight the lantern", True),
        ("ilse", "Spend integrity for a Critical success", False),
        ("ulb", "Hull breach", False),
        ("hr", "Hull breach", False),
    ],
)
def test_a_guess_begins_each_word_that_it_has_letters_of(typed: str, name: str, fits: bool) -> None:
    """A name that nobody has is not found in the letters of a sentence."""
    assert bool(closeness(typed, (name,), Reach.GUESS)) == fits


@given(st.text())
def test_any_line_is_read_without_harm(text: str) -> None:
    """Whatever is typed, it is an act or it is unclear."""
    try:
        act = parse_act(MOVES, text, "roll")
    except ActRefused:
        return
    assert act.move in MOVES


ODD_FIGURES = ("²", "①", "٣", "--2", "+-2", "−2", "-", "9" * 5000, "0" * 5000)
"""What looks like a number to one part of Python and not to another, or is longer than it reads."""


@pytest.mark.parametrize("system_name", cases(names(), 0, 2))
def test_odd_figures_are_words_like_any_other(system_name: str) -> None:
    """Behind any move of any game: understood as something or refused, never an error of another kind."""
    game = Game(system(system_name))
    state = game.fresh("Trial")
    moves = game.moves(state)
    for turn, figure in enumerate(ODD_FIGURES):
        for move in (None, *cases(moves, turn)):
            line = f"{move.id} {figure} 2 2" if move else figure
            completions(moves, line)
            try:
                act = parse_act(moves, line)
                game.odds(state, act.move, complete_answers(act.move, act.answers))
            except ActRefused:
                continue


@given(st.text(min_size=1).filter(lambda text: bool(text.strip())))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    """What is logged reads back to the same answers, quotes and all."""
    note = next(move for move in MOVES if move.verb == "note")
    said = format_act(note, {"text": text})
    assert parse_act(MOVES, said) == Act(note, {"text": text})


def test_a_text_in_quotes_is_never_a_word() -> None:
    """A reason that reads like a verb does not turn what was said into another act."""
    earned = Move("help", ("nav",), "Help comes", (Text("why", "What for"),))
    rolled = Move("roll", ("nav",), "Roll NAV", (PickMany("more", "More", (Option("help", "Help"),)),))
    assert parse_act((rolled, earned), 'help nav "roll"') == Act(earned, {"why": "roll"})
    with pytest.raises(CommandUnclear, match="Unknown word “roll” after “roll nav”"):
        parse_act((rolled,), 'roll nav "roll"')


def test_quotes_hold_a_text_together() -> None:
    """Straight and curly quotes; one that is never closed runs to the end."""
    assert [token.text for token in tokens('a "b c" “d e” "f g')] == ["a", "b c", "d e", "f g"]


@pytest.mark.parametrize(
    "text",
    ['rig "PATCHES" "Foam and hope"', 'rig PATCHES "Foam and hope"', 'rig "PATCHES" Foam and hope'],
)
def test_of_two_texts_either_may_go_without_quotes(text: str) -> None:
    """A shell takes the quotes off a text of one word, and the line means the same with and without them."""
    texts = (Text("name", "Name", required=True), Text("about", "What it does"))
    rig = Move("rig", (), "Rig a module", texts)
    assert parse_act([rig], text) == Act(rig, {"name": "PATCHES", "about": "Foam and hope"})
    special = Move("rig", (), "Rig a module", (CALL, *texts))
    begun = parse_act([special], text.replace("rig", "rig desp"))
    assert begun == Act(special, {"call": "desperate", "name": "PATCHES", "about": "Foam and hope"})


@pytest.mark.parametrize(
    ("text", "dice", "said"),
    [
        ("raise 3 5 mine", ("3", "5"), "mine"),
        ("raise 35 mine", ("3", "5"), "mine"),
        ("raise 0 3 mine", ("10", "3"), "mine"),
        ("raise 3 5 all 3 of them", ("3", "5"), "all 3 of them"),
        ('raise "all 3 of them" 3 5', ("3", "5"), "all 3 of them"),
        ("raise 3 5 in 20 years", ("3", "5"), "in 20 years"),
    ],
)
def test_dice_are_picked_a_digit_each_before_anything_is_said(text: str, dice: tuple[str, ...], said: str) -> None:
    """As with real dice, 0 is the ten; a figure in what is said without quotes picks nothing."""
    faces = PickMany("dice", "Dice", tuple(Option(face, face) for face in ("3", "5", "10")), 1, 3, repeats=True)
    put = Move("raise", (), "Raise", (faces, Text("said", "What is said")))
    assert parse_act([put], text) == Act(put, {"dice": dice, "said": said})


def test_refusals_and_completions_name_what_is_shown() -> None:
    """A tool by its own name, as form and sheet have it, and not by the word that the log keeps for it."""
    ask = PickMany(
        "tool",
        "Tool",
        (Option("primary", "Tether gun", also=("tether-gun",)), Option("expertise", "expertise applies")),
    )
    moves = (Move("roll", ("bram",), "Roll for Bram", (ask,)),)
    with pytest.raises(ActRefused, match=r"Choose Tether gun or expertise$"):
        parse_act(moves, "roll bram 413b")
    assert [one.word for one in completions(moves, "roll bram ")] == ["tether-gun", "expertise"]
    assert [one.word for one in completions(moves, "roll bram pri")] == ["primary"]
    assert parse_act(moves, "roll bram tether-gun").answers == parse_act(moves, "roll bram primary").answers
