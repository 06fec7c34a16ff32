"""`waylog do` while something is asked: a question, more dice, what players propose, a pause."""

from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import text_of
from tests.store.test_proposals import CAMPAIGN
from waylog.store.players.inbox import AnswerKind, read_answer, send
from waylog.store.players.pause_and_presence import is_paused


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """A campaign of the core edition, with players."""
    line = CommandLine(tmp_path)
    line.file("trial").parent.mkdir(parents=True)
    line.file("trial").write_text(CAMPAIGN)
    return line


def test_two_sentences_have_a_full_stop_between_them(waylog: CommandLine) -> None:
    """The question, and the words that answer it."""
    waylog.done("do", "trial", "set", "ship.focus", "2")
    waylog.done("do", "trial", "roll", "nav", "--dice", "4,5")
    said = waylog("do", "trial", "zzz")
    assert said.code == 3
    assert "makes it a Success. Type “focus” or “keep”" in said.err


def test_a_roll_is_shown_before_it_waits_for_more_dice(waylog: CommandLine) -> None:
    """The faces and the outcome come first, then what the next die is for."""
    waylog.done("do", "trial", "set", "ship.tokens.integrity", "no")
    lines = waylog.done("do", "trial", "roll", "nav", "desperate", "--dice", "1,2").out.splitlines()
    assert lines.index("  NAV: 1 2 (real dice)") < lines.index("  NAV: Fiasco")
    assert lines.index("  NAV: Fiasco") < lines.index("? Damage: what does the die show?")


@pytest.mark.clause("NM-45")
def test_proposals_are_listed_played_and_declined(waylog: CommandLine) -> None:
    """By their numbers, in the words of line mode. The log names the player, and the player is told why not."""
    folder = waylog.file("trial").parent
    assert waylog.done("do", "trial", "proposals").out == "No proposals are waiting\n"
    first, second = send(folder, "ana", "roll odile"), send(folder, "ben", "spotlight ben")
    waiting = waylog.json("do", "trial", "proposals")["proposals"]
    assert [(each["id"], each["by"], each["words"]) for each in waiting] == [
        (first, "ana", "roll odile"),
        (second, "ben", "spotlight ben"),
    ]
    assert waylog.done("do", "trial", "proposals").out.splitlines()[0].startswith("1  Ana: Roll for Odile")
    waylog.done("do", "trial", "play", "1")
    assert read_answer(folder, "ana", first).kind is AnswerKind.PLAYED
    assert waylog.json("log", "trial")["entries"][-1]["by"] == "ana"
    waylog.done("do", "trial", "decline", "1", "Not yet")
    answer = read_answer(folder, "ben", second)
    assert (answer.kind, answer.why) == (AnswerKind.DECLINED, "Not yet")


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize(
    ("sent", "line"), [((), "play 1"), (("roll odile",), "play 2"), (("roll odile",), "decline 0")]
)
def test_a_proposal_that_is_not_there_is_refused(waylog: CommandLine, sent: tuple[str, ...], line: str) -> None:
    """Nothing is played or declined."""
    folder = waylog.file("trial").parent
    ids = [send(folder, "ana", words) for words in sent]
    refused = waylog("do", "trial", line)
    assert refused.code == 3
    assert refused.err
    assert [read_answer(folder, "ana", id_).kind for id_ in ids] == [AnswerKind.WAITS] * len(ids)


@pytest.mark.clause("NM-44")
def test_the_game_is_paused_and_goes_on(waylog: CommandLine) -> None:
    """On every screen. The log doesn't mention it."""
    before = text_of(waylog.file("trial").parent)
    assert waylog.json("do", "trial", "pause") == {"ok": True, "paused": True}
    assert is_paused(waylog.file("trial").parent)
    waylog.done("do", "trial", "pause", "end")
    assert not is_paused(waylog.file("trial").parent)
    assert text_of(waylog.file("trial").parent) == before


@pytest.mark.parametrize(
    ("game", "act", "said"),
    [
        ("veil-core", ("clock", "Fog", "6", "deth"), ("“deth”", "death")),
        ("veil-core", ("clock", "The fog", "deth"), ("“deth”", "death")),
        ("veil-core", ("clock", "The", "long", "night"), ("“night”", "push", "death", "augury")),
        ("veil-core", ("timer", "stop", "boarding"), ("no timer to stop",)),
        ("veil-core", ("situation", "end", "Fog"), ("no situation to end",)),
        ("emissaries", ("asset", "Gull", "starship", "shared", "2d6", "2d6", "2d6"), ("“starship”", "frigate")),
        ("emissaries", ("asset", "Gull Wing", "starship", "shared", "3d6"), ("“starship”", "frigate")),
    ],
)
def test_the_word_that_was_not_understood_is_named(
    waylog: CommandLine, game: str, act: tuple[str, ...], said: tuple[str, ...]
) -> None:
    """With what would fit; and a word that would be understood is not blamed."""
    waylog.done("new", "mine", "--system", game)
    ran = waylog("do", "mine", *act)
    assert ran.code in (2, 3)
    assert all(part in ran.err for part in said), ran.err
    assert "“shared”" not in ran.err
    assert "is a command here" not in ran.err


def test_a_verb_without_its_thing_says_that_there_is_none(waylog: CommandLine) -> None:
    """A verb that has nothing to act on says so; if an edit of the file has just removed the only thing, it is named."""
    waylog.done("new", "fog", "--system", "veil-core")
    waylog.done("do", "fog", "clock", "The fog", "6", "death")
    text = waylog.file("fog").read_text()
    waylog.file("fog").write_text(text[: text.index("\n[clocks.the-fog]") + 1])
    ran = waylog("do", "fog", "tick", "fog")
    assert (ran.code, "There is no clock to fill" in ran.err, "“The fog”" in ran.err) == (2, True, True)
    again = waylog("do", "fog", "tick", "fog").err
    assert "There is no clock to fill" in again
    assert "“The fog”" not in again
    assert "There is no deck to draw from" in waylog("do", "fog", "draw").err
