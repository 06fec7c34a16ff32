"""Acts in words: short to type, plain to read, and never taken for something else."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.thorough import cases
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.language.completion import completions
from waylog.rules.language.grammar import Token, tokens
from waylog.rules.language.similar_names import Reach, closeness
from waylog.rules.language.what_is_wrong import CommandUnclear
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.clocks import Clock, ClockKind, Situation
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Allocate,
    AllocationSlot,
    Ask,
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
        CommandUnclear, match=r"Unknown word “fenders” in “roll nav”. It takes afterburners, astrogator, standard"
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


@pytest.mark.parametrize("system_name", names())
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
    with pytest.raises(CommandUnclear, match="Unknown word “roll” in “roll nav”"):
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


# -- free text ------------------------------------------------------------------------------------------------------

CORE = Game(system("veil-core"))
"""A game whose clocks may say what they do while they run."""


def clock_of(line: str) -> dict[str, object]:
    """What the clock line of a game is read as."""
    return dict(parse_act(CORE.moves(CORE.fresh("Trial")), line).answers)


@pytest.mark.clause("NM-29")
@pytest.mark.parametrize(
    ("line", "name", "size", "kind"),
    [
        ("Note from home 6 augury", "Note from home", "6", "augury"),
        ("Push the button 4 push", "Push the button", "4", "push"),
        ("Deck 12 burns 6 death", "Deck 12 burns", "6", "death"),
        ("Secret weapon 6 augury", "Secret weapon", "6", "augury"),
        ("Scene of the crime 6 augury", "Scene of the crime", "6", "augury"),
        ("Death in corridor 8 6 cat", "Death in corridor 8", "6", "catastrophe"),
        ("Clock tower falls 8 death", "Clock tower falls", "8", "death"),
        ("Into the open 6 death", "Into the open", "6", "death"),
        ("Push 4 push", "Push", "4", "push"),
        ("Fog death 6", "Fog", "6", "death"),
        ('"Push the button" 4 push', "Push the button", "4", "push"),
        ('4 push "Push the button"', "Push the button", "4", "push"),
    ],
)
def test_the_size_and_kind_of_a_clock_are_read_from_the_end(line: str, name: str, size: str, kind: str) -> None:
    """A clock's size and kind are read from the end of the line, so that its name may hold any word, also that of a command."""
    assert clock_of(f"clock {line}") == {"name": name, "segments": size, "kind": kind}


@pytest.mark.clause("NM-29")
@pytest.mark.parametrize(
    "line", ["Storm 5 death", "fire 7 death", '"fire" 7 death', "death 9 death", "fire 5 push hidden"]
)
def test_a_size_that_no_clock_has_is_refused_by_name(line: str) -> None:
    """It does not slide into the name, and the sizes that there are stand beside it."""
    act = parse_act(CORE.moves(CORE.fresh("Trial")), f"clock {line}")
    with pytest.raises(ActRefused, match=r"^Segments: “[579]” is not one of 4, 6, 8, 10, 12\. The house rule"):
        complete_answers(act.move, act.answers)


@pytest.mark.clause("NM-29")
def test_what_a_clock_does_is_said_last() -> None:
    """A word that hides it is not silently part of its name; behind the kind it counts."""
    assert clock_of("clock Fog 6 death desperate hidden")["seen"] == "hidden"
    assert clock_of("clock Fog 6 death desperate hidden")["running"] == "desperate"
    assert clock_of('clock "Fog hidden" 6 death')["name"] == "Fog hidden"
    with pytest.raises(CommandUnclear, match="“hidden” comes last, or in quotes"):
        clock_of("clock Fog hidden 6 death")


_NAME_WORDS = (
    "Note",
    "secret",
    "DEATH",
    "6",
    "12",
    "clock",
    "scene",
    "Mörder",
    "Guenašk",
    "the",
    "a",
    "4d6",
    "-3",
    "push",
)


@pytest.mark.clause("NM-29")
@given(st.lists(st.sampled_from(_NAME_WORDS), min_size=1, max_size=5), st.sampled_from(("4", "6", "8", "10", "12")))
def test_any_words_are_a_name(words: list[str], size: str) -> None:
    """Whatever a clock is called, its line is read back to that name, and so is what the log keeps of it."""
    moves = CORE.moves(CORE.fresh("Trial"))
    for kind in ("push", "death"):
        act = parse_act(moves, f"clock {' '.join(words)} {size} {kind}")
        assert act.answers == {"name": " ".join(words), "segments": size, "kind": kind}
        whole = complete_answers(act.move, act.answers)
        assert complete_answers(act.move, parse_act(moves, format_act(act.move, whole)).answers) == whole


def test_numbers_behind_a_name_keep_their_order() -> None:
    """The last number answers what is asked last; a figure further forward is part of the name."""
    asks: tuple[Ask, ...] = (Text("name", "Name"), Number("rows", "Rows", 1, 9), Number("columns", "Columns", 1, 9))
    grid = Move("grid", (), "A grid", asks)
    assert parse_act([grid], "grid Deck 7 2 4").answers == {"name": "Deck 7", "rows": 2, "columns": 4}


def test_each_argument_of_a_shell_is_a_text_of_its_own() -> None:
    """A shell takes the quotes off a single word; where another text needed them it is still a text by itself."""
    asks: tuple[Ask, ...] = (
        Text("name", "Name", required=True),
        PickOne("kind", "Kind", (Option("custom", "Custom"), Option("crew", "Crew"))),
        Text("dice", "Dice", required=True),
        *(Text(name, name) for name in ("one", "two", "three")),
    )
    asset = Move("asset", (), "An asset", asks)
    said = [Token("asset"), Token("Fishing gang", quoted=True), Token("custom", apart=True)]
    said += [Token("2d6 2d6 1d8", quoted=True), *(Token(word, apart=True) for word in ("Muscle", "Gear", "Sharpness"))]
    assert parse_act([asset], said).answers == {
        "name": "Fishing gang", "kind": "custom", "dice": "2d6 2d6 1d8", "one": "Muscle", "two": "Gear", "three": "Sharpness",
    }  # fmt: skip
    note = MOVES[-1]
    assert parse_act([note], [Token("note"), Token("Mara", apart=True), Token("says no", quoted=True)]).answers == {
        "text": "Mara says no"
    }


def test_a_text_that_may_begin_like_a_command_is_put_in_quotes() -> None:
    """A line that begins another move of the verb is never a name, whether or not there is such a move now."""
    start = Move("fog", (), "Fog comes", (Text("name", "Name", required=True, reserved=("end",)), Text("why", "Why")))
    ends = [Move("fog", ("end", word), f"End {word}") for word in ("no-power", "dusk")]
    assert parse_act([start, *ends], "fog end No power").move is ends[0]
    assert parse_act([start, ends[0]], "fog end").move is ends[0]
    for moves, line, said in (
        ([start, *ends], "fog end nopower", "Did you mean end no-power"),
        ([start, *ends], "fog end", "Which one"),
        ([start], "fog end no-power", "If your text begins with “end”, put it in quotes"),
        ([start], 'fog end no-power "at sea"', "There is no fog to end"),
    ):
        with pytest.raises(CommandUnclear, match=said):
            parse_act(moves, line)
    assert parse_act([start, *ends], 'fog "end of days"').answers == {"name": "end of days"}
    assert parse_act([start, *ends], "fog End of days").answers == {"name": "End of days"}
    assert parse_act([start, *ends], "fog the end").answers == {"name": "the end"}


@pytest.mark.parametrize(
    ("line", "by", "text"),
    [
        ("card good The lamp is lit", None, "The lamp is lit"),
        ("card good Mine shaft", None, "Mine shaft"),
        ("card good th lamp", None, "th lamp"),
        ("card good theirs The lamp", "theirs", "The lamp"),
        ("card theirs good lamp", "theirs", "lamp"),
        ('card go th "The lamp"', "theirs", "The lamp"),
    ],
)
def test_a_text_keeps_its_first_word(line: str, by: str | None, text: str) -> None:
    """What needn't be said before a text without quotes is said in full and in small letters."""
    luck = PickOne("luck", "Luck", (Option("good", "good"), Option("bad", "bad")))
    whose = PickOne("by", "Whose", (Option("mine", "mine"), Option("theirs", "a player's")), "mine")
    card = Move("card", (), "Add a card", (luck, whose, Text("text", "Text", required=True)))
    assert parse_act([card], line).answers == {"luck": "good", "text": text, **({"by": by} if by else {})}


def arguments(*words: str) -> tuple[Token, ...]:
    """The arguments of a shell, which took the quotes off: those that are a text hold a space."""
    apart = any(" " in word for word in words)
    return tuple(Token(word, quoted=" " in word, apart=apart and " " not in word) for word in words)


@pytest.mark.clause("NM-17", "NM-29")
@pytest.mark.parametrize(
    ("words", "name", "outcome"),
    [
        (("clock", "Hull breach", "6", "death", "full", "time"), "Hull breach", ""),
        (("clock", "Hull", "6", "death", "full", "time"), "Hull", ""),
        (("clock", "Hull breach", "6", "death", "Doom", "full", "time"), "Hull breach", "Doom"),
        (("clock", "Hull breach", "6", "death", "It blows up", "full", "time"), "Hull breach", "It blows up"),
        (("clock", "full moon", "6", "death", "full", "time"), "full moon", ""),
        (("clock", "full", "moon", "6", "death", "full", "time"), "full moon", ""),
    ],
)
def test_the_effect_of_a_full_clock_needs_no_quotes_at_the_end(words: tuple[str, ...], name: str, outcome: str) -> None:
    """A shell takes them off one word: it is still what the clock does, and not its ending, which players see."""
    act = parse_act(CORE.moves(CORE.fresh("Trial")), arguments(*words))
    answers = {"name": name, "segments": "6", "kind": "death", "when_full": "time"}
    assert act.answers == {**answers, **({"outcome": outcome} if outcome else {})}


@pytest.mark.clause("NM-17", "NM-29")
def test_the_effect_of_a_full_clock_may_be_several_words() -> None:
    """With the clock's name in quotes and without; a name that holds the word stays a name."""
    for name in ("Hull breach", '"Hull breach"'):
        read = clock_of(f"clock {name} 6 death full damage ship")
        assert read == {"name": "Hull breach", "segments": "6", "kind": "death", "when_full": "damage ship"}
    assert clock_of("clock Slow death full 6 push") == {"name": "Slow death full", "segments": "6", "kind": "push"}
    assert clock_of('clock full moon 6 death "full moon"')["outcome"] == "full moon"
    with pytest.raises(CommandUnclear, match="“full” comes before a text in quotes"):
        clock_of('clock "Fog" 6 death full')


@pytest.mark.clause("NM-29")
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("clock Fog 6 death Doom", "death"),
        ("situation Fog desperate NAV", "desperate"),
        ("situation desperate Fog NAV", "desperate"),
        ("situation Fog desperate NAV hidden", "desperate"),
    ],
)
def test_an_answer_between_two_texts_is_never_part_of_the_first(line: str, word: str) -> None:
    """A shell took the quotes off both: what stands between them is not swallowed by a name."""
    with pytest.raises(CommandUnclear, match=f"“{word}” comes last, or in quotes"):
        parse_act(CORE.moves(CORE.fresh("Trial")), line)
    fog = replace(CORE.fresh("Trial"), situations={"fog": Situation("Fog")})
    with pytest.raises(CommandUnclear, match=f"“{word}” comes last, or in quotes"):
        parse_act(CORE.moves(fog), line)
    assert clock_of('clock "Open the desperate door" 4 push')["name"] == "Open the desperate door"
    assert clock_of("clock Open the hidden door 4 push")["name"] == "Open the hidden door"


# -- names on screen ------------------------------------------------------------------------------------------------

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
        ("tick graim", "No such clock: graim. Did you mean The grain convoy?"),
        ("tick vioce", "No such clock: vioce. Did you mean What learned to count?"),
        ("tick", "Which clock? The grain convoy · What learned to count"),
        ("tick fog", "No such clock: fog. It takes The grain convoy or What learned to count"),
        ("enter mara talk dairng", "Unknown word “dairng” in “enter mara”. Did you mean daring?"),
        ("enter mara nonsense", "Approach: talk or exert, not “nonsense”"),
        ("tikc voice", "No such command: tikc. Did you mean tick?"),
        ("gain life", "No such command: gain."),
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


@pytest.mark.parametrize("system_name", names())
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
        ((Option("two-tanks", "Two tanks"),), "Type: choose two-tanks"),
        ((Option("social-1", "The man who laughed"),), "Type: choose social-1 (The man who laughed)"),
    ],
)
def test_what_is_not_chosen_yet_is_asked_for_by_names_that_people_know(
    options: tuple[Option, ...], reason: str
) -> None:
    """The word that can be typed, with its label where that is another."""
    with pytest.raises(ActRefused, match=f"^{re.escape(reason)}$"):
        complete_answers(Move("clock", (), "New clock", (PickOne("type", "Type", options),)), {})
