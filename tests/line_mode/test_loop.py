"""The loop of line mode by itself: numbers, questions, `again`, and what others change between two lines."""

from collections.abc import Callable, Mapping

import pytest

from waylog.line_mode.loop import NOTHING_CHOSEN, NOTHING_DONE, LineLoop
from waylog.line_mode.numbered_choices_and_dictation import NumberedChoice, Reply, fail, read_number, tell


class Ferry:
    """A speaker with two choices, one question, and news when a test has some."""

    def __init__(self) -> None:
        self.news_now: list[str] = []
        self.done: list[str] = []

    @property
    def prompt(self) -> str:
        return "> "

    @property
    def commands(self) -> Mapping[str, Callable[[str], Reply]]:
        return {
            "look": lambda rest: tell(f"You see {rest or 'water'}."),
            "ask": lambda _: Reply(("Who?",), takes=self._take),
        }

    def _take(self, text: str) -> Reply | None:
        if text.startswith("x"):
            return None
        self.done.append(f"answer {text}")
        return Reply((f"{text} it is.",))

    def greet(self) -> Reply:
        return self._choices("The ferry.")

    def _choices(self, line: str) -> Reply:
        return Reply((line,), [NumberedChoice(word, lambda word=word: self._do(word)) for word in ("row", "wait")])  # type: ignore[misc]

    def _do(self, word: str) -> Reply:
        self.done.append(word)
        return Reply((f"Done: {word}.",))

    def news(self) -> Reply | None:
        lines, self.news_now = self.news_now, []
        return self._choices(" ".join(lines)) if lines else None

    def cancel(self) -> Reply:
        return Reply((NOTHING_DONE,))

    def say(self, line: str) -> Reply:
        return fail(f"No such word: {line}.")


@pytest.fixture
def ferry() -> Ferry:
    """The speaker that the loop has."""
    return Ferry()


@pytest.fixture
def loop(ferry: Ferry) -> LineLoop:
    """A loop that has said its greeting."""
    begun = LineLoop(ferry)
    assert begun.begin() == ["The ferry.", "1. Row.", "2. Wait."]
    return begun


@pytest.mark.parametrize("line", ["2", "2.", "two", "Two.", "number two", "Choice 2", "#2"])
def test_a_choice_is_made_by_its_number_however_it_is_said(loop: LineLoop, ferry: Ferry, line: str) -> None:
    """Voice typing writes numbers in several ways."""
    assert loop.take(line) == ["Done: wait."]
    assert ferry.done == ["wait"]


def test_a_number_that_is_not_there_does_nothing(loop: LineLoop, ferry: Ferry) -> None:
    """The choices stay, and the line counts as one that failed."""
    assert loop.take("3") == ["There is no choice 3. Choose 1 or 2."]
    assert (loop.code, ferry.done) == (2, [])
    assert loop.take("1") == ["Done: row."]


def test_choices_end_with_the_act(loop: LineLoop, ferry: Ferry) -> None:
    """A number that is typed twice chooses once."""
    loop.take("1")
    assert loop.take("1") == ["No such word: 1."]
    assert ferry.done == ["row"]


def test_looking_keeps_the_choices(loop: LineLoop) -> None:
    """Whoever looks something up may choose afterwards."""
    assert loop.take("Look: shore") == ["You see shore."]
    assert loop.take("1") == ["Done: row."]


def test_a_number_is_no_choice_when_something_has_changed(loop: LineLoop, ferry: Ferry) -> None:
    """The choices may be others now: they are listed, and nothing is done."""
    ferry.news_now = ["The tide turns."]
    assert loop.take("1") == ["The tide turns.", "1. Row.", "2. Wait.", NOTHING_CHOSEN, "1. Row.", "2. Wait."]
    assert ferry.done == []


def test_again_repeats_the_last_answer(loop: LineLoop) -> None:
    """As often as it is said, and with what is new before it."""
    loop.take("look fog")
    assert loop.take("again") == loop.take("Repeat.") == ["You see fog."]


def test_a_question_takes_the_next_line(loop: LineLoop, ferry: Ferry) -> None:
    """Unless that is no answer; then it means what it always means, and the question stays."""
    assert loop.take("ask") == ["Who?"]
    assert loop.take("xyz") == ["No such word: xyz."]
    assert loop.take("Mara") == ["Mara it is."]
    assert loop.take("Mara") == ["No such word: Mara."]
    assert ferry.done == ["answer Mara"]


def test_a_question_can_be_dropped(loop: LineLoop, ferry: Ferry) -> None:
    """`cancel` does nothing but that."""
    loop.take("ask")
    assert loop.take("Cancel.") == ["Nothing was done."]
    assert loop.take("Mara") == ["No such word: Mara."]
    assert ferry.done == []


@pytest.mark.parametrize("line", ["quit", "Exit.", "bye"])
def test_leaving(loop: LineLoop, line: str) -> None:
    """A word is enough."""
    assert loop.take(line) == []
    assert loop.ended


def test_the_first_failure_gives_the_exit_code(loop: LineLoop) -> None:
    """What succeeds later doesn't take it away."""
    loop.take("abc")
    loop.take("1")
    assert loop.code == 2


@pytest.mark.parametrize("text", ["", "roll 2", "2d6", "-1", "1234567", "²", "twelfth"])
def test_what_is_no_number(text: str) -> None:
    """Only a number by itself chooses."""
    assert read_number(text) is None
