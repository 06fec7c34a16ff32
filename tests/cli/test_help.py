"""`waylog help WORD`: commands, actions and rules are explained, and an unknown word gets the nearest ones."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.thorough import few_at_a_desk
from waylog.cli.commands_and_options import COMMANDS, EXAMPLES, START, help_of, parse_arguments
from waylog.cli.manual import man_page


@pytest.fixture
def waylog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line of somebody who has not opened a campaign yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return CommandLine(tmp_path / "campaigns")


def test_a_command_is_explained_as_its_own_help_does(waylog: CommandLine) -> None:
    """Help on a command is its own `--help`, then the rules that have the word."""
    out = waylog.done("help", "undo").out
    assert out.startswith(waylog.done("undo", "--help").out)
    assert "VK-61  Relentless" in out


def test_an_action_is_explained_in_the_game(waylog: CommandLine) -> None:
    """Its commands are those of `waylog moves`, also of one move alone, and in the game that is asked for."""
    lines = waylog.done("help", "roll").out.splitlines()
    assert lines[0] == "Actions in Veil Runners, CORE edition"
    assert lines[1].split()[:2] == ["roll", "cpu"]
    assert len(waylog.json("help", "roll", "nav")["moves"]) == 1
    assert "Actions in The Emissaries of Guenašk" in waylog.done("help", "npc", "--system", "emissaries").out


def test_an_action_comes_with_its_own_rules(waylog: CommandLine) -> None:
    """Those that the game names for it, and not others that happen to have the word."""
    clock = [each["id"] for each in waylog.json("help", "clock")["rules"]]
    assert clock[:2] == ["NM-29", "NM-20"]
    assert (
        f"{len(clock)} rules apply to “clock”. To read the first in full, type `waylog rule NM-29`"
        in waylog.done("help", "clock").out
    )


def test_an_action_is_explained_in_the_campaign_that_was_opened_last(waylog: CommandLine, tmp_path: Path) -> None:
    """With the people and modules that are there."""
    folder = tmp_path / "campaigns" / "swallow"
    folder.mkdir(parents=True)
    (folder / "campaign.toml").write_text('name = "Swallow"\nsystem = "veil-core"\n[crew.mara]\nname = "Mara"\n')
    (tmp_path / "state" / "waylog").mkdir(parents=True)
    (tmp_path / "state" / "waylog" / "last").write_text(f"{folder}\n")
    assert "roll mara" in waylog.done("help", "roll").out
    (folder / "campaign.toml").write_text("name =")
    assert "Actions in Veil Runners, CORE edition" in waylog.done("help", "roll").out


def test_an_action_that_waits_for_an_answer_is_explained(waylog: CommandLine, tmp_path: Path) -> None:
    """In the campaign's name, with the commands that are possible once the open question is answered."""
    waylog.done("do", "slack-water", "spend", "hesper", "initiative-1")
    (tmp_path / "state" / "waylog").mkdir(parents=True, exist_ok=True)
    (tmp_path / "state" / "waylog" / "last").write_text(f"{tmp_path / 'campaigns' / 'slack-water'}\n")
    lines = waylog.done("help", "ask").out.splitlines()
    assert lines[0] == "Actions in Slack Water, once the open question is answered"
    assert lines[1].split()[0] == "ask"
    assert waylog.done("help", "answer").out.splitlines()[0] == "Actions in Slack Water"


def test_a_rule_is_explained_by_its_code_and_by_words(waylog: CommandLine) -> None:
    """One in full, several by their titles."""
    assert waylog.done("help", "vk-15").out == waylog.done("rule", "vk-15").out
    assert "rules match “focus”. To read them in full, type `waylog rule focus`" in waylog.done("help", "focus").out


def test_an_unknown_word_gets_the_nearest_ones(waylog: CommandLine) -> None:
    """Among commands, actions and titles of rules; where nothing is near, the lists are named."""
    ran = waylog("help", "reduu")
    assert ran.code == 2
    assert "there is no help for “reduu”. Did you mean “redo”" in ran.err
    assert "`waylog help` lists the commands" in waylog("help", "qqqq").err


def test_an_action_that_is_not_possible_now_is_explained_by_its_rules(waylog: CommandLine) -> None:
    """Without clocks nothing can be ticked, and the help still tells of clocks; no rule that has “ticked” in it by chance."""
    said = waylog.done("help", "tick", "--system", "veil-core").out
    assert "lock" in said
    assert "A session has a start" not in said


_IN_A_WINDOW = ("", "open", "play", "learn", "join", "watch", "players", "new")


def test_every_command_has_examples_that_work(
    waylog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in its help and in the man page. Those that need no window are run in their order on the example campaign: none is
    wrong usage.
    """
    for variable, value in (("XDG_DATA_HOME", str(tmp_path)), ("XDG_CONFIG_HOME", str(tmp_path)), ("EDITOR", "true")):
        monkeypatch.setenv(variable, value)
    monkeypatch.chdir(tmp_path)  # Some write a file.
    page = "\n".join(man_page())
    for command in (START, *COMMANDS):
        help_lines = "\n".join(help_of(command))
        assert EXAMPLES[command.name], command.name
        for example, does in EXAMPLES[command.name].items():
            program, *words = shlex.split(example)
            assert (program, parse_arguments(words)[0]) == ("waylog", command)
            assert f"  {example}\n      {does}" in help_lines
            assert example.replace("-", r"\-") in page
            if command.name not in _IN_A_WINDOW:
                # At a desk, a game is played for fewer sessions: 200 of them take longer than all other examples together.
                ran = waylog(*(str(few_at_a_desk(int(word))) if word == "200" else word for word in words))
                assert ran.code != 2, (example, ran)
