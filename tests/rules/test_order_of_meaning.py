"""What is typed means what the screen says: what it offers letter by letter, then dice, then words of labels (`command_words`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.file_games import SHIPPED
from tests.kit.thorough import cases, examples
from tests.rules.trial import trial
from waylog.rules.game import Game
from waylog.rules.language import command_parser, completion_and_what_is_wrong, word_meanings
from waylog.rules.language.command_parser import CommandUnclear, WordRefused, WordUnclear, parse_act
from waylog.rules.language.line_tokens_and_matching import Token, match_move, tokens
from waylog.rules.language.similar_names import Reach
from waylog.rules.language.word_meanings import Fit, Misfit, name_of
from waylog.rules.model.answers import complete_answers, format_typed, selected_words, shown_digits
from waylog.rules.model.moves import Act, ActRefused, Move, Number, Option, PickMany, PickOne, Text
from waylog.rules.model.state import State
from waylog.rules.systems import names, system
from waylog.ui.line.parsed_line import parse_line
from waylog.values import replace

GAMES = (*names(), *SHIPPED)
FREE_DICE = ("1d6", "2d6", "3d6", "4d6", "d20", "2d6+3")
_TELLS = re.compile(r"\b(spend|grit token|take damage|foresight)\b", re.IGNORECASE)
"""What the label of an option says if it costs something."""


def rolls_of(game: Game, state: State) -> list[Move]:
    """The rolls that may be typed now."""
    return [move for move in game.moves(state) if move.rolls]


def options_in(moves: Sequence[Move]) -> Iterator[tuple[Move, PickOne | PickMany, Option]]:
    """Each option of each roll."""
    for move in moves:
        for ask in move.asks:
            if isinstance(ask, PickOne | PickMany):
                yield from ((move, ask, option) for option in ask.options)


def shorter_than(option: Option) -> set[str]:
    """What might be taken for an option: each beginning of its words, and of the words of its label, down to one letter."""
    spoken = (option.word, *option.also, *re.findall(r"[^\W_]+", option.label.lower()))
    begun = {word[:end] for word in spoken for end in range(1, len(word) + 1)}
    return begun - {option.word, *option.also}


def walk(name: str, states: int) -> Iterator[tuple[Game, list[Move], State]]:
    """A game in some of its states, with its rolls."""
    tried, found = trial(name), list[State]()

    @settings(max_examples=examples(states), deadline=None, suppress_health_check=[*HealthCheck], database=None)
    @given(tried.states)
    def collect(state: State) -> None:
        found.append(state)

    collect()
    for state in found:
        yield tried.game, rolls_of(tried.game, state), state


@pytest.mark.clause("VK-35", "VK-36", "VC-05", "VC-20")
@pytest.mark.parametrize("name", cases(GAMES, 0, 2))
def test_nothing_is_spent_but_by_its_own_word(name: str) -> None:
    """No letter, no beginning of a word and no word of a label spends anything in any roll of any game; the whole word does."""
    for _, rolls, _ in walk(name, 6):
        for move, ask, option in options_in(rolls):
            assert option.costs or not _TELLS.search(option.label) or option.blocked, option
            for typed in shorter_than(option) if option.costs else ():
                for reach in Reach:
                    try:
                        act = parse_act([move], f"{move.id} {typed}", reach=reach)
                    except ActRefused:
                        continue
                    assert option.word not in selected_words(act.answers, ask.name), (move.id, typed)
            if option.costs:
                act = parse_act(rolls, f"{move.id} {option.word}")
                assert option.word in selected_words(act.answers, ask.name)


@pytest.mark.clause("GF-03")
@pytest.mark.parametrize("name", ["breakers-yard", "long-post"])
def test_a_game_in_a_file_spends_what_an_option_costs_by_its_whole_word(name: str) -> None:
    """`help` costs stores, or a favour: the file says so, and neither a letter nor its label takes it."""
    tried = trial(name)
    rolls = rolls_of(tried.game, tried.game.fresh("Trial"))
    assert {(option.word, option.costs) for _, _, option in options_in(rolls) if option.word == "help"} == {
        ("help", True)
    }


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize("name", GAMES)
def test_dice_in_notation_are_free_dice_wherever_rolls_are_typed(name: str) -> None:
    """In the list of rolls, which offers them, and as a command behind the verb of rolls; never the roll that has them in its label."""
    for game, rolls, state in walk(name, 3):
        moves = game.moves(state)
        for verb in {move.verb for move in rolls}:
            for dice in FREE_DICE:
                act = parse_line(moves, lambda _: None, verb, dice).act
                assert act
                assert (act.move.verb, act.answers) == ("dice", {"dice": dice})
                assert parse_act(moves, f"{verb} {dice}").move.verb == "dice"


@pytest.mark.parametrize("name", GAMES)
def test_what_a_list_of_rolls_shows_is_what_it_takes(name: str) -> None:
    """Each letter, or words, that stands before a roll; and behind the roll each word, or digit, of an option that is shown."""
    for game, rolls, state in walk(name, 4):
        moves = game.moves(state)
        for verb in {move.verb for move in rolls}:
            of_verb = [move for move in rolls if move.verb == verb]
            for choice in parse_line(moves, lambda _: None, verb, "").choices:
                act = parse_line(moves, lambda _: None, verb, choice.key).act if choice.key else None
                shown = [move.label for move in of_verb]
                assert choice.label not in shown or act is None or act.move.label == choice.label
                assert not choice.key or act, choice
        for move, ask, option in options_in(rolls):
            # A digit that is another option's own word, as 7 is a threshold's, means that one.
            own = {each.word for other in move.asks if isinstance(other, PickOne) for each in other.options}
            is_digit = isinstance(ask, PickOne) and len(option.label) == 1 and option.label.isdigit()
            digit = [option.label] if is_digit and option.label not in own else []
            for typed in (option.word, *digit):
                act = parse_act(rolls, f"{move.id} {typed}")
                assert option.word in selected_words(act.answers, ask.name), (move.id, typed)


@pytest.mark.parametrize("name", GAMES)
def test_every_question_of_a_roll_knows_its_rule(name: str) -> None:
    """Every question of a roll has a clause, so that a refused answer is refused by one."""
    for _, rolls, _ in walk(name, 6):
        if name in names():
            assert [(move.id, ask.name) for move, ask, _ in options_in(rolls) if not ask.clause] == []


# -- digits -----------------------------------------------------------------------------------------------------------

REFERENCE = Game(system("veil-reference"))
DIFFICULTY = PickOne("difficulty", "Difficulty", tuple(Option(w, d) for w, d in (("one", "1"), ("two", "2"))), "one")
ROLL = Move("roll", ("mara",), "Roll for Mara", (DIFFICULTY,), rolls=True)


@pytest.mark.clause("RF-03")
@pytest.mark.parametrize(
    ("typed", "difficulty", "faces"),
    [
        ("2", "two", None),
        ("1", "one", None),
        ("2 5 2", "two", (5, 2)),
        ("two 5 2", "two", (5, 2)),
        ("52", None, (5, 2)),
        ("25", None, (2, 5)),
        ("5 2", None, (5, 2)),
        ("1 2", "one", (2,)),
        ("2 25", "two", (2, 5)),
    ],
)
def test_a_digit_on_the_screen_is_that_answer(
    typed: str, difficulty: str | None, faces: tuple[int, ...] | None
) -> None:
    """`Difficulty [x] 1 [ ] 2`: a 2 by itself answers it, before any real dice. Dice in one word, or behind the answer, are dice."""
    act = parse_act([ROLL], f"roll mara {typed}")
    assert (act.answers.get("difficulty"), act.faces) == (difficulty, faces)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple), st.sampled_from((None, "one", "two")))
def test_an_act_with_real_dice_is_read_back_from_its_line(faces: tuple[int, ...], difficulty: str | None) -> None:
    """A line that is written for a person, or sent to the wayfinder, means the act that it was made of."""
    answers = complete_answers(ROLL, {} if difficulty is None else {"difficulty": difficulty})
    read = parse_act([ROLL], format_typed(Act(ROLL, answers, faces)))
    assert (complete_answers(ROLL, read.answers), read.faces) == (answers, faces)


@pytest.mark.clause("RF-03")
def test_the_reference_edition_asks_for_a_difficulty_by_its_digits() -> None:
    """They answer before real dice do, and the act says so to a screen."""
    state, _ = REFERENCE.read({"name": "Trial", "crew": {"mara": {"name": "Mara"}}})
    moves = REFERENCE.moves(state)
    act = parse_act(moves, "roll mara 3")
    assert act.answers == {"difficulty": "three"}
    assert [ask.name for ask in shown_digits(act.move.asks, {})] == ["difficulty"]
    assert not shown_digits(act.move.asks, act.answers)


# -- words that are refused, or mean several things ---------------------------------------------------------------------

FLOWS = PickOne(
    "flow", "Flow", (Option("gossip", "Gossip"), Option("lies", "Lies"), Option("no-flow", "none")), "no-flow", "CF-03"
)
HELPS = PickMany("helps", "Modules", (Option("keelwing", "KEELWING"), Option("kestrel", "KESTREL")), clause="VK-11")
CALL = PickOne("call", "Call", (Option("standard", "Standard"), Option("desperate", "Desperate")), "standard", "VK-10")
INSTEAD = PickOne(
    "instead",
    "Instead of rolling",
    (Option("dice", "Roll the dice"), Option("integrity", "Spend integrity for a Critical success", costs=True)),
    "dice",
)
NAV = Move("roll", ("nav",), "Roll NAV", (HELPS, CALL, FLOWS, INSTEAD), rolls=True, key="n")


@pytest.mark.clause("CF-03")
@pytest.mark.parametrize("second", ["lies", "lie"])
def test_a_second_answer_is_refused_by_the_rule_that_allows_one(second: str) -> None:
    """It is no unknown word: the first answer is named, with the clause."""
    with pytest.raises(WordRefused) as refused:
        parse_act([NAV], f"roll nav gossip {second}")
    assert refused.value.refusal.reason == "Flow: gossip is already chosen, and only one counts"
    assert (refused.value.refusal.clause, refused.value.word) == ("CF-03", second)


@pytest.mark.parametrize(("typed", "full"), [("i", "integrity"), ("integ", "integrity"), ("critical", ""), ("c", "")])
def test_a_word_that_would_spend_something_is_asked_for_in_full(typed: str, full: str) -> None:
    """Its beginning says which word to type. A word of the label is unknown."""
    with pytest.raises(WordUnclear) as unclear:
        parse_act([NAV], f"roll nav {typed}")
    assert (unclear.value.word, unclear.value.full) == (typed, full)


def test_a_line_with_one_wrong_word_stays_what_it_is_without_it() -> None:
    """The word is marked, whether it means nothing or several things, and the form stands; nothing can be played so."""
    for text, wrong in (("n desp k", (7, 8)), ("n k desp", (2, 3)), ("n desp zzz", (7, 10))):
        reading = parse_line([NAV], lambda _: None, "roll", text)
        assert reading.act
        assert (reading.act.move, reading.act.answers, reading.wrong) == (NAV, {"call": "desperate"}, wrong)
        assert reading.problem
        assert not reading.plays
        assert any(choice.held for choice in reading.choices)
    assert parse_line([NAV], lambda _: None, "roll", "n desp k").fits == ("keelwing", "kestrel")
    several = parse_line([NAV], lambda _: None, "roll", "n zzz desp k")
    assert (several.wrong, several.act and several.act.answers) == ((2, 5), {"call": "desperate"})


@pytest.mark.clause("EG-03")
@pytest.mark.parametrize(
    "line", ['gain ilka "I lie" 1d4 1d8', "gain ilka I lie 1d4 1d8", 'gain ilka "I lie" 4d8', "gain ilka I lie 4d8"]
)
def test_dice_that_no_trait_has_are_refused_by_the_rule(line: str) -> None:
    """Two sizes, or more than three dice: they don't slide into the phrase, and no other dice are proposed for them."""
    game = Game(system("emissaries"))
    state, faults = game.read({"name": "Trial", "crew": {"ilka": {"name": "Ilka"}}})
    assert not faults
    with pytest.raises(ActRefused) as refused:
        complete_answers((act := parse_act(game.moves(state), line)).move, act.answers)
    assert refused.value.refusal.clause == "EG-03"
    assert "Did you mean" not in refused.value.refusal.reason


def test_the_word_that_is_wrong_is_the_one_that_was_typed() -> None:
    """A wrong word is named as it was typed, not in part, and what it could be are words that can be typed."""
    clues = tuple(Option(f"clue-{number}", f"What is here that nobody sees ({number})?") for number in (1, 2))
    ask = Move("ask", ("brand",), "Ask", (PickOne("question", "Question", clues),))
    with pytest.raises(CommandUnclear, match=r"^Unknown word “clue-9” after “ask brand”\. Did you mean “clue-1”\?$"):
        parse_act([ask], "ask brand clue-9")


def test_what_could_be_meant_has_the_default_too() -> None:
    """A default gives way to the one other word that begins so. Where several do, it is one of them."""
    slots = tuple(Option(word, word.upper()) for word in ("a1", "a2", "b1"))
    mark = Move("mark", ("hull",), "Mark", (PickOne("slot", "Slot", slots, "a1"),))
    assert parse_act([mark], "mark hull a").answers == {"slot": "a2"}
    more = replace(mark, asks=(PickOne("slot", "Slot", (*slots, Option("a3", "A3")), "a1"),))
    with pytest.raises(CommandUnclear, match="“a” could be a1, a2 or a3"):
        parse_act([more], "mark hull a")


@pytest.mark.parametrize("line", ["roll row3 p4 clock 7", "roll p4 row3 clock 7"])
def test_a_line_that_begins_with_a_whole_move_is_read_for_that_one(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word behind it that means nothing is said to be unknown in that move. Of thousands of others none is read, and the names of
    hundreds of things that the word may mean are worked out once at most.
    """
    clocks = tuple(Option(f"c{number}", f"Clock {number}") for number in range(50))
    on = PickMany("on", "On clocks", clocks)
    moves = [
        Move("roll", (f"row{row}", f"p{person}"), f"Row {row}", (on,), rolls=True, name=f"P{person}")
        for row in range(9)
        for person in range(9)
    ]
    assert parse_act(moves, line.replace("clock 7", "c7")).answers == {"on": ("c7",)}
    read, named = list[str](), list[str]()

    def match(move: Move, line: Sequence[Token], reach: Reach) -> Fit | Misfit:
        read.append(move.id)
        return match_move(move, line, reach)

    def name(option: Option, begun: str = "") -> str:
        named.append(option.word)
        return name_of(option, begun)

    for module in (command_parser, completion_and_what_is_wrong):
        monkeypatch.setattr(module, "match_move", match)
    for module in (completion_and_what_is_wrong, word_meanings):
        monkeypatch.setattr(module, "name_of", name)
    with pytest.raises(CommandUnclear, match=f"“clock” after “{line.partition(' clock')[0]}”"):
        parse_act(moves, line)
    assert {*read} == {"roll row3 p4"}
    assert len(named) <= 2 * len(clocks)


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("ask brand clue 1", {"question": "clue-1"}),
        ("mark hull a 2", {"slot": "a2"}),
        ("tick fog - 1", {"by": -1}),
        ("tick fog − 2", {"by": -2}),
        ("card fates Medbay good", {"luck": "good", "text": "Medbay"}),
        ("card fates good Medbay", {"luck": "good", "text": "Medbay"}),
        ("card fates The good medbay", None),
    ],
)
def test_words_of_one_answer_may_stand_apart(line: str, answers: dict[str, object] | None) -> None:
    """A digit of a word, the sign of a number, and a required answer behind the text. In the midst of a text, words are text."""
    slots = tuple(Option(slot, slot) for slot in ("a1", "a2", "b1"))
    luck = PickOne("luck", "Kind", (Option("good", "good"), Option("bad", "bad")))
    moves = [
        Move(
            "ask",
            ("brand",),
            "Ask",
            (PickOne("question", "Question", (Option("clue-1", "What?"), Option("clue-2", "Who?"))),),
        ),
        Move("mark", ("hull",), "Mark", (PickOne("slot", "Slot", slots, "a1"),)),
        Move("tick", ("fog",), "Tick", (Number("by", "By", -6, 6, 1),)),
        Move("card", ("fates",), "Add a card", (luck, Text("text", "Text", required=True))),
    ]
    if answers is None:
        assert "luck" not in parse_act(moves, line).answers
        return
    assert parse_act(moves, line).answers == answers


SETUP = PickMany(
    "options",
    "With",
    (Option("setup", "Set up"), Option("more", "Push for effect", costs=True), Option("push", "Push", costs=True)),
)
CLOCK = PickOne(
    "clock",
    "Clock",
    (Option("neither", "No clock"), Option("clock-job", "Job"), Option("clock-alarm", "Alarm")),
    "neither",
)
SCORE = [Move("roll", ("act", "wren"), "Act (Wren)", (SETUP, CLOCK), rolls=True)]


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("set up", {"options": ("setup",)}),
        ("Set up no clock", {"options": ("setup",), "clock": "neither"}),
        ("push for effect", {"options": ("more",)}),
        ("push push for effect", {"options": ("push", "more")}),
        ("no clock", {"clock": "neither"}),
        ("clock-job set up", {"options": ("setup",), "clock": "clock-job"}),
        (Token("Set up", quoted=True, apart=True), {"options": ("setup",)}),
        (Token("No clock", quoted=True, apart=True), {"clock": "neither"}),
        (Token("job", quoted=True, apart=True), {"clock": "clock-job"}),
    ],
)
@pytest.mark.parametrize("reach", Reach)
def test_the_whole_label_of_an_answer_is_its_word(typed: str | Token, answers: dict[str, object], reach: Reach) -> None:
    """Of several words, or in the quotes that a shell needs for them; it is never read as parts of other answers."""
    line = (*tokens("roll act wren"), *(tokens(typed) if isinstance(typed, str) else (typed,)))
    assert parse_act(SCORE, line, reach=reach).answers == answers


def test_words_that_are_answers_themselves_are_no_label() -> None:
    """Nor is a label that two answers share."""
    asks = (PickMany("with", "With", (Option("set", "Set"), Option("up", "Up"), Option("setup", "Set up"))),)
    assert parse_act([Move("roll", ("act",), "Act", asks)], "roll act set up").answers == {"with": ("set", "up")}
    asks = (PickMany("with", "With", (Option("old-coat", "A coat"), Option("one", "Old coat"))),)
    assert parse_act([Move("roll", ("act",), "Act", asks)], "roll act old-coat").answers == {"with": ("old-coat",)}
    twins = (PickMany("with", "With", (Option("one", "Old coat"), Option("other", "Old coat"))),)
    with pytest.raises(CommandUnclear, match="“old”"):
        parse_act([Move("roll", ("act",), "Act", twins)], "roll act old coat")


def test_a_move_without_a_name_is_meant_by_its_verb() -> None:
    """Its label may have the word that was typed, and is no name that could be typed instead."""
    rest = Move("rest", (), "Let Waylog roll the rest", follows=True)
    with pytest.raises(CommandUnclear, match=r"^One word too many: “pell”. “rest” takes no other words here"):
        parse_act([rest], "rest pell")
    with pytest.raises(CommandUnclear, match=r"^No such command: “roll”$"):
        parse_act([rest], "roll rest pell")
