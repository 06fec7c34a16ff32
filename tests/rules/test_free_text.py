"""Texts in a line of words: where one begins and ends, with quotes and without them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.test_words import MOVES
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.language.line_tokens_and_matching import Token
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.clocks_situations_and_timers import Situation
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.moves import ActRefused, Ask, Move, Number, Option, PickOne, Text
from waylog.rules.systems import system

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
    with pytest.raises(CommandUnclear, match="put “hidden” last, or put"):
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
        ([start, *ends], "fog end nopower", "Did you mean “end no-power”"),
        ([start, *ends], "fog end", "Which one"),
        ([start], "fog end no-power", "If your text starts with “end”, put the text in quotes"),
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
    with pytest.raises(CommandUnclear, match="the text after “full” must be in quotes"):
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
    with pytest.raises(CommandUnclear, match=f"can't follow “{word}”"):
        parse_act(CORE.moves(CORE.fresh("Trial")), line)
    fog = replace(CORE.fresh("Trial"), situations={"fog": Situation("Fog")})
    with pytest.raises(CommandUnclear, match=f"can't follow “{word}”"):
        parse_act(CORE.moves(fog), line)
    assert clock_of('clock "Open the desperate door" 4 push')["name"] == "Open the desperate door"
    assert clock_of("clock Open the hidden door 4 push")["name"] == "Open the hidden door"


@pytest.mark.parametrize("game", ["veil-core", "veil-classic", "veil-reference", "course-flow", "emissaries"])
def test_a_typing_mistake_in_a_name_makes_no_person(game: str) -> None:
    """A name that may be one of the crew's is refused, with the name that is meant. In quotes it is somebody else's."""
    rules = Game(system(game))
    state = rules.fresh("Trial")
    joins = parse_act(rules.moves(state), 'join "Odile Sand"')
    state = rules.play(state, joins, TypedDice([])).state
    if state.open:
        state = replace(state, open=None)
    for line in ("join Odlie Sand", "join odile", "join Odile Sand"):
        with pytest.raises(CommandUnclear, match="Odile Sand is already in the crew"):
            parse_act(rules.moves(state), line)
    for line in ('join "Odlie Sand"', "join Mara Lind"):
        assert parse_act(rules.moves(state), line).move.verb == "join"
