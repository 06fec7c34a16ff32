"""Whatever is asked in line mode, a number answers it: each question of the evenings of each game, and all that it leads to."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine
from tests.kit.lines import Lines, line_of
from tests.kit.table import ticking, written
from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.sessions.playing import campaign, session
from tests.store.test_proposals import CAMPAIGN
from tests.ui.test_scene_view import EGG
from tests.ui.test_systems_by_keys import PLAYED
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.numbered_choices_and_dictation import REFUSED
from waylog.line_mode.wayfinder import Wayfinder
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import Allocate, Move, count_offers, offer_lines
from waylog.rules.systems import names
from waylog.table import Table
from waylog.values import replace

TRIED = ("1", "2", "3", "4", "5", "6", "1 2", "2 3", "3 4", "4 5", "1 3", "1 2 3", "a few words")
"""What is answered where no numbered choices are listed, one after the other until one will do."""


def played(name: str, folder: Path) -> Iterator[tuple[Path, str | None]]:
    """The campaign at each moment of its evening, and what is asked there."""
    if name == "session":
        lines = Lines(written(folder / name, campaign()))
        for step in session():
            lines.play(step)
            yield folder / name, lines.table.question
        return
    if name in names():
        CommandLine(folder).done("new", name, "--system", name)
    else:
        shutil.copytree(EXAMPLES / name, folder / name)
    lines = Lines(folder / name)
    for did in PLAYED[name]:
        lines.done(line_of(did.act, did.faces or ()))
        yield folder / name, lines.table.question


@pytest.mark.parametrize("name", ["session", *cases([*PLAYED], 1, 6)])
def test_each_answer_to_each_question_is_given_by_number(name: str, tmp_path: Path) -> None:
    """Each choice of each question comes to an entry in the log, or to dice that are asked for, without a word.

    At a desk, each third one.
    """
    asked = set[str]()
    for number, (folder, question) in enumerate(played(name, tmp_path)):
        if question is None or question in asked:
            continue
        asked.add(question)
        for choice in count(1, 3 if IS_AT_A_DESK else 1):
            fork = Path(
                shutil.copytree(folder, tmp_path / f"fork-{number}-{choice}", ignore=shutil.ignore_patterns("inbox"))
            )
            table = Table(fork, now=ticking(), chance=ChanceDice(lambda _: 0))
            loop = LineLoop(Wayfinder(table))
            loop.begin()
            if table.snapshot.missing_dice:
                before = table.snapshot.entries
                loop.take(" ".join("1" for _ in table.snapshot.missing_dice))
                assert table.snapshot.entries > before, question
                break
            if choice > len(loop._choices):
                assert choice > 1, f"{question} has no choices"
                break
            answer(loop, table, f"{choice}", question)


def allocations(table: Table) -> Iterator[str]:
    """Numbers that place dice, for each move that asks for that: the most that is possible in the first places."""
    for ask in (ask for move in table.snapshot.moves for ask in move.asks if isinstance(ask, Allocate)):
        left, placed = ask.total - sum(slot.least for slot in ask.slots), list[int]()
        for slot in ask.slots:
            placed.append(slot.least + min(left, slot.most - slot.least))
            left -= placed[-1] - slot.least
        yield " ".join(map(str, placed))
        yield " ".join(map(str, placed[::-1]))


def answer(loop: LineLoop, table: Table, first: str, question: str) -> None:
    """Type a number, and numbers for all that is asked then, until something is in the log. What is refused is not typed again."""
    before, answers = table.snapshot.entries, iter((*allocations(table), *TRIED))
    lines = loop.take(first)
    for _ in range(40):
        if (
            table.snapshot.entries > before or loop.code == REFUSED
        ):  # The rules may refuse what these numbers put together.
            return
        if not loop._takes and not loop._choices:
            break
        if loop._choices:
            lines = loop.take(first if question in " ".join(lines) else "2" if "4d6 4d8: none" in lines[-1] else "1")
        else:
            lines = loop.take("4d6" if "such as 4d6" in lines[-1] else next(answers, "nothing will do"))
    raise AssertionError((question, first, lines))


def test_calling_off_by_number_asks_first(tmp_path: Path) -> None:
    """Its number asks, “Go on” leaves the conflict as it is, and only the answer ends it. In words it ends at once."""
    lines = Lines(written(tmp_path, EGG))
    lines.done("conflict Egg")
    number = next(line.split(".")[0] for line in lines.type("question") if "Call off the conflict" in line)
    for answer, ends in (("2", False), ("1", True)):
        entries = lines.table.snapshot.entries
        lines.type(number)
        assert lines.table.snapshot.entries == entries
        lines.type(answer)
        assert (lines.table.snapshot.question is None) is ends
        lines.type("question")
    lines.done("conflict Egg")
    lines.done("call-off")
    assert lines.table.snapshot.question is None


def test_cancel_leaves_what_the_game_asks(tmp_path: Path) -> None:
    """It tells the question again, as often as it is typed, and another command in between changes nothing about that."""
    CommandLine(tmp_path).done("new", "red", "--system", "red-lamp")
    lines = Lines(tmp_path / "red")
    lines.type("roll act uma look 1 1 1 1")
    asked = [
        "Nothing was done.",
        "Act: Nothing. Push?",
        "1. Push (costs 1 Stress): Nothing 40.2 %, One six 56.3 %, Three sixes 3.5 %.",
        "2. Keep “Nothing”.",
    ]
    assert lines.type("cancel") == asked
    lines.type("rule")
    assert lines.type("cancel")[-3:] == asked[1:]
    lines.done("2")
    assert lines.table.snapshot.question is None


def test_one_empty_line_starts_a_session(tmp_path: Path) -> None:
    """Who is here comes first; whoever has nothing to say to it is asked no more. A title is asked of those who answer."""
    lines = Lines(written(tmp_path / "trial", CAMPAIGN))
    assert lines.type("session")[0].startswith("Who is here")
    assert lines.done("")[0].startswith("Session 1 starts")
    assert lines.type("session")[0].startswith("Title")
    lines.done("")
    lines.type("session")
    assert lines.type("1")[0].startswith("Title")
    assert lines.type("The storm")[0].startswith("Also here")
    assert lines.done("")[0] == "Session 2 starts: The storm."
    lines.done("session end")
    lines.type("session")
    assert lines.type("1")[0].startswith("Title"), "the same people as last time, but not by an empty line"


def test_offers_of_earlier_acts_are_one_line_that_opens(tmp_path: Path) -> None:
    """As in the app: what is offered now goes first, and stands alone."""
    clock = '\n[clocks.{0}]\nname = "{0}"\nkind = "{1}"\nsegments = 4\n'
    clocks = "".join(clock.format(*one) for one in (("fog", "push"), ("dusk", "push"), ("leak", "catastrophe")))
    lines = Lines(written(tmp_path / "trial", CAMPAIGN + clocks))
    lines.dice.left = [6, 6]
    assert "2. Fill 2 segments of “fog”." in lines.done("roll nav")
    lines.done("note The lamp is lit")
    lines.dice.left = [1, 1]
    said = lines.done("roll nav")
    assert "2. Fill 2 segments of “leak”." in said
    assert "3. Fill clock: 2 offers left." in said
    assert lines.type("3")[:2] == ["Which one?", "1. Fill 2 segments of “fog” (offered earlier)."]
    lines.done("1")
    assert lines.table.entry(lines.table.snapshot.entries).words == "on fog"


def test_equal_offers_are_one_line_with_their_number() -> None:
    """Twelve of them are one choice, which takes one; of another label, or of a kind that has more, each is its own."""
    offers = [Move("effect", (f"storm-{n}",), "The storm: lose integrity", follows=True, offer="E") for n in range(12)]
    assert [line.text for line in offer_lines(offers)] == ["The storm: lose integrity (up to 12 times)"]
    assert [line.moves[0].id for line in offer_lines(offers)] == ["effect storm-0"]
    others = [replace(offers[0], words=(word,), label=f"{word} wakes") for word in ("fog", "dusk", "leak")]
    (line,) = offer_lines([*offers, *others])
    assert (line.text, len(line.moves)) == ("Effect: 4 to choose from", 4)
    assert (count_offers(offers), count_offers([*offers, *others])) == ("1 offer", "4 offers")
