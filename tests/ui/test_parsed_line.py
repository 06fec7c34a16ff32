"""What the line means as it is typed, and what it offers to go on with."""

import pytest

from tests.kit.rules import Acts
from tests.ui.test_palette import INK
from waylog.rules.codec.changes import slug
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import ClockKind
from waylog.rules.model.moves import Act, Move, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.systems import system
from waylog.ui.line.choice_list import draw_choices, layout_choices
from waylog.ui.line.choices import CompletionWord, OptionToggle
from waylog.ui.line.parsed_line import completed_line, line_of, parse_line, toggle_option

MOVES = (
    Move("roll", ("wenna",), "Roll for Wenna (EVA, 3d6)", rolls=True),
    Move("roll", ("wenna", "shields"), "Roll Shields for Wenna (6d6)", rolls=True),
    Move("roll", ("nav",), "Roll NAV", rolls=True, key="n"),
)


def test_a_list_shows_what_may_be_typed() -> None:
    """The letter of a move stands before its label, and of one without a letter its words."""
    shown = {choice.label: choice.key for choice in parse_line(MOVES, lambda _: None, "roll", "").choices}
    assert shown["Roll NAV"] == "n"
    assert shown["Roll Shields for Wenna (6d6)"] == "wenna shields"


def test_a_letter_stands_for_all_words_of_its_move() -> None:
    """The letter that the list shows before a label means that move, even where it begins a word of other moves."""
    people = {"bel": "Bel Tarrow", "anso": "Anso"}
    letters = iter("benals")
    rolls = [
        Move("roll", (how, who), f"{how.title()}: {name}", rolls=True, about=(f"crew.{who}",), key=next(letters))
        for how in ("steer", "talk", "stand")
        for who, name in people.items()
    ]
    for choice in parse_line(rolls, lambda _: None, "roll", "").choices:
        if len(choice.key) == 1:
            for typed in (choice.key, f"{choice.key} 1 2"):
                reading = parse_line(rolls, lambda _: None, "roll", typed)
                assert reading.act, (choice.label, reading.problem)
                assert reading.act.move.label == choice.label
    assert parse_line(rolls, lambda _: None, "roll", "steer b").act
    begun = parse_line(rolls, lambda _: None, "roll", "be")
    assert begun.problem == Refusal("Which one? steer · talk · stand")


def test_letters_without_blanks_can_be_taken_with_blanks() -> None:
    """The one choice is what was meant, in place of everything that the line could begin with."""
    keel = PickMany("modules", "Modules", (Option("keelwing", "KEELWING"),))
    rolls = (Move("roll", ("nav",), "Roll NAV", (keel,), rolls=True, key="n"), *MOVES[:2])
    reading = parse_line(rolls, lambda _: None, "roll", "nk35")
    assert [(choice.does, choice.label) for choice in reading.choices] == [(CompletionWord("n k 35"), "Roll NAV")]
    assert parse_line(rolls, lambda _: None, "roll", completed_line("nk35", "n k 35")).plays


def test_a_verb_in_full_is_no_abbreviation() -> None:
    """`time` begins `time passes`, although `timer` needs no other word."""
    time = Move("time", ("passes",), "Time passes")
    moves = (time, Move("timer", (), "Start a timer", (Text("text", "Length and name"),)))
    for typed, means in (("time", "time passes"), ("timer", "timer"), ("TIME", "time passes")):
        reading = parse_line(moves, lambda _: None, "", typed)
        assert reading.act
        assert reading.act.move.id == means


def test_a_word_of_what_a_command_does_finds_it() -> None:
    """Whoever doesn't know the command types what it is about. What can be done comes first."""
    moves = (
        Move("show", ("clock", "convoy"), "Show “The grain convoy”", blocked=Refusal("players see it")),
        Move("tick", ("convoy",), "Tick “The grain convoy”"),
        *MOVES,
    )
    reading = parse_line(moves, lambda _: None, "", "grain")
    assert [choice.does for choice in reading.choices] == [
        CompletionWord("tick convoy"),
        CompletionWord("show clock convoy"),
    ]
    assert reading.problem == Refusal("No such command: “grain”. Did you mean one of these?")
    near = (*moves, Move("gain", ("mara",), "Gain a trait"))
    assert parse_line(near, lambda _: None, "", "grain").problem == reading.problem
    assert parse_line(moves, lambda _: None, "", completed_line("grain", "tick convoy")).plays
    guessed = parse_line(moves, lambda _: None, "", "grcv").choices
    assert guessed == reading.choices, "its letters in their order are enough where no label has the word"


def test_a_begun_line_offers_the_words_that_fit() -> None:
    """A line that is begun offers every word that fits, even if it is not the first of its move."""
    osk = Move("roll", ("osk", "shields"), "Roll Shields for Osk (4d6)", rolls=True)
    assert [choice.does for choice in parse_line((*MOVES, osk), lambda _: None, "roll", "sh").choices] == [
        CompletionWord("shields")
    ]


def test_what_can_only_be_one_thing_is_understood() -> None:
    """Enter plays it, and Tab writes it out: the word that is lacking needn't be typed."""
    assert parse_line(MOVES, lambda _: None, "roll", "sh").plays
    uses = [Move("use", (name,), f"Use {name}") for name in ("sealfoam", "microjump")]
    assert parse_line(uses[:1], lambda _: None, "", "use").plays
    reading = parse_line(uses, lambda _: None, "", "use")
    assert not reading.plays
    assert [choice.does for choice in reading.choices] == [
        CompletionWord("use sealfoam"),
        CompletionWord("use microjump"),
    ]
    assert completed_line("use", "use sealfoam") == "use sealfoam "


def test_where_one_may_be_picked_another_replaces_it() -> None:
    """A second tool takes the place of the first, where one tool may help. The same again drops it."""
    tools = PickMany("tools", "Tools", (Option("arc", "arc"), Option("torch", "torch")), most=1)
    act = Act(Move("roll", ("osk",), "Roll", (tools,)), {"tools": ("arc",)})
    other = toggle_option(act, OptionToggle("tools", "torch"))
    assert other.answers["tools"] == ("torch",)
    assert toggle_option(other, OptionToggle("tools", "torch")).answers["tools"] == ()


def test_a_part_of_a_name_is_completed() -> None:
    """What was begun gives way to the word that stands for it."""
    assert completed_line("tick gra", "convoy") == "tick convoy "
    assert completed_line("tick ", "convoy") == "tick convoy "


def test_a_ticked_row_is_typed_as_it_is_called() -> None:
    """Its name means it; of two with one name, each has its word."""
    tools = tuple(Option(word, name, also=(slug(name),)) for word, name in (("primary", "Tether gun"), ("arm", "Saw")))
    twins = (Option("left", "Saw", also=("saw",)), Option("right", "Rope", also=("rope",)))
    move = Move(
        "roll", ("odile",), "Roll", (PickMany("tools", "Tools", tools), PickMany("more", "More", twins)), rolls=True
    )
    act = Act(move, {"tools": ("primary", "arm"), "more": ("left", "right")})
    line = line_of(act, "roll")
    assert line == "odile tether-gun arm left rope "
    assert parse_line([move], lambda _: None, "roll", line).act == act


def test_a_line_of_a_verb_is_read_as_that_verb() -> None:
    """Another command said in full is meant only where the line can't be one of its own."""
    moves = (
        Move("note", (), "Note", (Text("text", "Note", required=True),)),
        Move("damage", ("ship",), "Deal damage to the ship"),
        Move("clock", (), "New clock", (Text("name", "Name"), PickOne("kind", "Kind", (Option("death", "death"),)))),
        *MOVES,
    )
    for verb, text, means in (
        ("clock", "Note from home death", "clock"),
        ("clock", "Clock tower death", "clock"),
        ("roll", "damage ship", "damage ship"),
        ("roll", "roll nav", "roll nav"),
    ):
        act = parse_line(moves, lambda _: None, verb, text).act
        assert act
        assert act.move.id == means


def test_what_is_not_there_says_what_comes_first() -> None:
    """An open question is the reason why a command can't be found; with none, all of them can be listed."""
    asked = parse_line(MOVES[2:], lambda _: None, "table", "door", "Spend Focus?")
    assert asked.problem
    assert asked.problem.reason == "Finish this first. Spend Focus?"
    unknown = parse_line(MOVES, lambda _: None, "", "outcome")
    assert unknown.problem
    assert unknown.problem.reason == "No such command: “outcome”. Ctrl+P lists all"
    of_player = parse_line(MOVES, lambda _: None, "", "outcome", has_palette=False)
    assert of_player.problem
    assert of_player.problem.reason == "No such command: “outcome”"


def test_a_verb_that_is_for_many_names_them_once_and_says_that_there_are_more() -> None:
    """Six of them stand beside it."""
    names = ("cpu", "hul", "cpu", "nav", "odile", "bram", "tove", "wick")
    moves = [Move("roll", (f"{n}",), f"Roll {name}", name=name) for n, name in enumerate(names)]
    (listed,) = (each for each in parse_line(moves, lambda _: None, "", "").choices if each.key == "roll")
    assert listed.label == "cpu, hul, nav, odile, bram, tove, …"


@pytest.mark.clause("NM-28")
@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize("kind", ClockKind)
@pytest.mark.parametrize("sight", ["", " hidden"])
@pytest.mark.parametrize("ending", ["", " They cut their way into the mess, and whoever sits there has to run for it"])
def test_a_new_clock_says_beside_its_ending_whether_players_see_it(
    width: int, kind: ClockKind, sight: str, ending: str
) -> None:
    """It is what they see once the clock has started, and however long the ending is, it can be read."""
    game = Game(system("veil-core"))
    acts = Acts(game)
    line = f'clock "Fog" 6 {kind.value}{sight}'
    reading = parse_line(game.moves(acts.campaign()), lambda _: None, "", line + ending)
    cells = layout_choices(reading.choices, width)
    lines = [line.text for line in draw_choices(reading.choices, cells, INK, width, None)]
    drawn = "".join(lines[next(at for at, text in enumerate(lines) if "Ending" in text) :])
    clock = acts.play(acts.campaign(), f"{line} They come").state.clocks["fog"]
    said = "Players see it at once" if clock.shows_outcome else "Players don't see it"
    assert said in drawn
    assert ending[:5] in drawn
