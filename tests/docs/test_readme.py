"""The README and the pages by task in docs/ are true: commands run and say what is shown, keys do what is said, links lead somewhere."""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from subprocess import DEVNULL, PIPE

import pytest
from textual.pilot import Pilot

from tests.cli.test_players import KEY
from tests.kit import EXAMPLES, ROOT
from tests.kit.app import drained, seen
from tests.kit.cli import CommandLine
from tests.kit.table import Falling, play_and_settle, ticking
from tests.kit.terminal import Terminal
from tests.kit.thorough import IS_AT_A_DESK
from waylog.app.wayfinder_app import WayfinderApp
from waylog.cli.commands_and_options import COMMANDS
from waylog.line_mode.loop import PROMPT, LineLoop
from waylog.line_mode.wayfinder import Wayfinder
from waylog.rules.model.dice import ChanceDice
from waylog.table import Table

README = ROOT / "README.md"
AT_THE_TABLE = ROOT / "docs" / "at-the-table.md"
PAGES = (
    README,
    AT_THE_TABLE,
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            "two-more-games",
            "players",
            "files",
            "house-rules",
            "settings",
            "ssh",
            "from-the-shell",
            "terminals",
        )
    ),
)
TWO_MORE_GAMES = ROOT / "docs" / "two-more-games.md"
LINE_MODE = ROOT / "docs" / "line-mode.md"
EVERY_PAGE = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))
TENACITY = EXAMPLES / "tenacity"
_LARGEST_PICTURE = 200_000


def text_of(page: Path) -> str:
    """What stands in a page."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[tuple[list[str], str]]:
    """Each command of the console blocks, with what it is shown to say."""
    shown = [part for block in blocks(page, "console") for part in block.split("$ ")[1:]]
    return [(shlex.split(line), said) for line, _, said in (part.partition("\n") for part in shown)]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_its_commands_run_and_say_what_it_shows(tmp_path: Path, page: Path) -> None:
    """In the order in which they stand, in a folder without a campaign, each command succeeds; output that is shown is its."""
    command_line = CommandLine(tmp_path)
    for (program, *arguments), said in commands(page):
        assert program == "waylog"
        out = command_line.done(*arguments).out
        assert not said or out == said, arguments


def test_most_commands_are_shown_with_an_example() -> None:
    """The pages have more than a few commands that are run here."""
    assert sum(len(commands(page)) for page in PAGES) > 15


def test_commands_in_its_sentences_are_commands() -> None:
    """Every `waylog …` in running text is a command that there is."""
    known = {command.name for command in COMMANDS} | {"--help", "tenacity"}
    named = [words for page in EVERY_PAGE for words in re.findall(r"`waylog ([^`]+)`", text_of(page))]
    assert {words.split()[0] for words in named} <= known
    assert len(named) > 10


_ACCOUNT = pwd.getpwuid(os.geteuid()).pw_name
_PLACEHOLDERS = {
    "SYSTEM": "veil-core",
    "…": "tenacity note hello",
    "/srv/waylog/tenacity": "tenacity",
    "ana=anna ben=ben": f"ana={_ACCOUNT} ben={_ACCOUNT}",
    "setup players": f"setup {_ACCOUNT}",
}
"""What stands for words of the reader's own, and words that a reader could type there."""
_FOLLOWING = {"watch"}
"""Commands that go on until somebody stops them."""
_NEED_A_TERMINAL = {
    "waylog learn",
    "waylog new",
    "waylog watch tenacity",
    "waylog watch tenacity --table",
    "waylog watch tenacity --as ana",
}
"""Those that don't start line mode where there is no terminal."""
_NEED_A_PROCESS = {"config", "join", "open", "play", "watch"}
"""Commands that read what is typed, or start another program."""


def command_lines() -> dict[str, Path]:
    """Every line of the pages that begins with `waylog`, from shell blocks and from sentences, with its first page.

    Lines that set up something else as well (`ssh`, `tmux`) are left out, and those of the tutorials, which have tests of their own.
    """
    found = dict[str, Path]()
    for page in (*PAGES, LINE_MODE, ROOT / "docs" / "file-formats.md"):
        lines = [line.partition(" #")[0].strip() for block in blocks(page, "sh") for line in block.splitlines()]
        named = [" ".join(words.split()) for words in re.findall(r"`(waylog[ `][^`]*|waylog)`", text_of(page))]
        for line in (*lines, *named):
            if line.partition(" ")[0] == "waylog":
                for word, typed in _PLACEHOLDERS.items():
                    line = line.replace(word, typed)
                found.setdefault(line, page)
    return found


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of somebody who reads the pages: Tenacity with players, a key of Ana's, an evening to play, and a speech program."""
    home = tmp_path / "home"
    shutil.copytree(EXAMPLES, home / ".local/share/waylog/campaigns")
    folder = home / ".local/share/waylog/campaigns/tenacity"
    with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('\n[players.mara]\nname = "Mara"\n')  # Ana and Ben are there already.
    for key in ("ana", "ben"):
        (home / f"{key}.pub").write_text(f"{KEY} {key}@players\n", encoding="utf-8")
    (home / "evening.txt").write_text("roll nav 6 5\n", encoding="utf-8")
    for made in (".ssh", "bin", ".local/share/bash-completion/completions"):
        (home / made).mkdir(parents=True)
    for name, script in (("waylog", f'exec "{sys.executable}" -m waylog "$@"'), ("say", "head -n 1")):
        (home / "bin" / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (home / "bin" / name).chmod(0o755)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("WAYLOG_CAMPAIGNS", str(folder.parent))  # In a checkout they are elsewhere.
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setenv("PATH", f"{home / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.chdir(home)
    table = Table(folder, now=ticking(), chance=Falling())
    play_and_settle(table, 'scene "The long way down"', "note gone")
    table.rewind()
    assert table.settle()
    CommandLine(folder.parent).done("do", "tenacity", "note", "An evening that players can watch")
    return home


def typed(line: str) -> list[str]:
    """A line as a shell understands it; what needs no shell, such as a pipe, does without at a desk."""
    if IS_AT_A_DESK and not {*line} & {*"<>|~$"}:
        return [sys.executable, "-m", *shlex.split(line)]
    return ["sh", "-c", line]


@pytest.mark.usefixtures("reader")
def test_every_command_line_of_the_pages_runs() -> None:
    """Each ends without an error in a home with what the pages suppose. Those that go on until somebody stops them say something."""
    names = {f"waylog {command.name}" for command in COMMANDS if command.least} | {"waylog game new", "waylog game add"}
    lines = [line for line in command_lines() if line not in names]
    assert len(lines) > 30
    for line in lines:
        if line in _NEED_A_TERMINAL:
            window = Terminal(typed(line), dict(os.environ, TERM="xterm-256color"))
            window.until(lambda text: bool(text.strip()), line)
            assert window.quit() == 0, line
            continue
        if IS_AT_A_DESK and line.split()[1] not in _NEED_A_PROCESS and not {*line} & {*"<>|~"}:
            # Starting a process takes longer than most commands.
            ran = CommandLine(Path()).alone(*shlex.split(line)[1:])
            assert (ran.code, ran.err) == (0, ""), (line, ran)
            continue
        with subprocess.Popen(
            typed(line), stdin=DEVNULL, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True
        ) as program:
            if line.split()[1] in _FOLLOWING:
                assert program.stdout is not None
                begun = program.stdout.readline()
                os.killpg(program.pid, signal.SIGTERM)
                assert begun, line
                continue
            out, err = program.communicate(timeout=120)
        assert (program.returncode, err) == (0, ""), (line, out, err)


def test_parts_of_campaign_files_are_from_the_examples() -> None:
    """Each excerpt stands in an example, to the letter."""
    examples = [text_of(file) for file in EXAMPLES.glob("**/*.toml")]
    excerpts = [excerpt for page in PAGES for excerpt in blocks(page, "toml")]
    assert len(excerpts) > 1
    assert [excerpt for excerpt in excerpts if not any(excerpt in example for example in examples)] == []


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.name)
def test_what_it_points_to_is_there(page: Path) -> None:
    """Pictures and links lead to files of the checkout, `make` lines to rules; no picture is too large."""
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text_of(page))]
    assert [link for link in links if not (page.parent / link).exists()] == []
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text_of(page))
    assert [picture for picture in pictures if (page.parent / picture).stat().st_size > _LARGEST_PICTURE] == []
    rules = text_of(ROOT / "Makefile")
    assert [rule for rule in re.findall(r"\bmake (\w+)  ", text_of(page)) if f"\n{rule}:" not in rules] == []


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    """It has one picture and one that moves, and fits on two screens; each picture that is made is shown on a page."""
    assert len(re.findall(r"!\[", text_of(README))) == 2
    assert len(text_of(README).splitlines()) < 90
    assert [page.name for page in PAGES[1:] if f"(docs/{page.name})" not in text_of(README)] == []
    shown = {Path(link).name for page in PAGES for link in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text_of(page))}
    assert shown == {picture.name for picture in (ROOT / "docs" / "pictures").iterdir()}


def test_line_mode_answers_as_its_page_shows(tmp_path: Path) -> None:
    """Each line that is typed in the example gets the answer that stands below it."""
    (block,) = blocks(LINE_MODE, "console")
    _, *shown = block.splitlines()
    shutil.copytree(TENACITY, tmp_path / "tenacity")
    loop = LineLoop(Wayfinder(Table(tmp_path / "tenacity", now=ticking(), chance=Falling())))
    said = loop.begin()
    for line in shown:
        if line.startswith(PROMPT):
            said += [line, *loop.take(line.removeprefix(PROMPT))]
    assert said == shown


# -- one minute of play

_NAMES = {"Enter": "enter", "Esc": "escape", " ": "space"}


def minute() -> list[list[str]]:
    """The rows of the table of keys, each as what is typed, one part after another."""
    table = text_of(README).partition("| you type |")[2].partition("\n\n")[0]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in table.splitlines() if row.startswith("| `")]


async def press(pilot: Pilot[None], parts: list[str]) -> None:
    """Type the parts of a row as a person would, a key after another."""
    for part in parts:
        keys = [_NAMES[part]] if part in _NAMES else [_NAMES.get(char, char) for char in part]
        await pilot.press(*keys)
    await pilot.pause()


async def test_its_minute_of_play_plays(tmp_path: Path) -> None:
    """Pressed one after another, the keys of its table do on Tenacity what it says beside them."""
    table = Table(shutil.copytree(TENACITY, tmp_path / "tenacity"), now=ticking(), chance=Falling(5, 2))
    before = table.snapshot.entries
    roll, keep, real, focus, undo, clock, note, tabs, rule, menu, keys, leave = minute()
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        for row in (roll, keep, real, focus):
            await press(pilot, row)
        played = [table.entry(number) for number in range(before + 1, table.snapshot.entries + 1)]
        assert [entry.words for entry in played] == ["roll nav", "keep", "roll nav keelwing", "focus 5"]
        assert [entry.faces for entry in played] == [None, None, (3, 5, 5), None]
        await press(pilot, undo)
        assert table.entry(table.snapshot.entries).undoes == (played[2].number, played[3].number)
        await press(pilot, ["U", "Enter"])
        assert table.snapshot.redo is None
        await press(pilot, clock)
        assert (table.snapshot.clocks["fog"].segments, table.snapshot.clocks["fog"].kind) == (6, "death")
        await press(pilot, note)
        assert table.entry(table.snapshot.entries).words == 'note "The fog comes in"'
        await press(pilot, tabs)
        for row, what in ((rule, "the rule"), (keys, "the keys")):
            await press(pilot, row[:1])
            assert len(pilot.app.screen_stack) > 1, f"{what} lies over the ship"
            await pilot.press("escape")
        await press(pilot, menu)
        assert "At the table" in seen(pilot)
        await pilot.press("escape")
        await press(pilot, leave)
    assert pilot.app.return_code == 0


def rows_of_keys(page: Path, header: str = "| keys |") -> list[list[list[str]]]:
    """The rows of each table of keys of a page, each as what is typed, one part after another."""
    tables = [part.partition("\n\n")[0] for part in text_of(page).split(header)[1:]]
    return [
        [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in table.splitlines() if row.startswith("| `")]
        for table in tables
    ]


@pytest.mark.parametrize(
    ("number", "name", "words", "text"),
    [
        (
            0,
            "slack-water",
            [
                "roll hesper 10 towing daring sneaky",
                "elect daring",
                "on nineteen",
                'flow "The lock floods"',
                "spend hesper foresight-1",
                'answer gossip "They open every gate"',
                "mark ninepence-hull a2",
                "course thriving 3",
            ],
            "The intent 75 %",
        ),
        (
            1,
            "soft-answer",
            ["see 6 2", 'raise 5 1 "Ask them yourself"', "see 6", "undo", "give"],
            "won the stakes",
        ),
    ],
)
async def test_the_keys_of_two_more_games_play(
    number: int, name: str, words: list[str], text: str, tmp_path: Path
) -> None:
    """Pressed one after another, they do on the example what is said beside them."""
    table = Table(shutil.copytree(EXAMPLES / name, tmp_path / name), now=ticking(), chance=Falling())
    before, shown = table.snapshot.entries, ""
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        for row in rows_of_keys(TWO_MORE_GAMES)[number]:
            await press(pilot, row)
            await drained(pilot)
            shown += seen(pilot)
    assert text in shown
    assert [table.entry(at).words for at in range(before + 1, table.snapshot.entries + 1)] == words


def evening() -> list[list[str]]:
    """The rows of the table of keys for a whole evening."""
    table = text_of(AT_THE_TABLE).partition("| keys |")[2].partition("\n\n")[0]
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in table.splitlines() if row.startswith("| `")]


async def test_its_evening_plays(tmp_path: Path) -> None:
    """The commands of the README for a whole evening work in their order."""
    table = Table(shutil.copytree(TENACITY, tmp_path / "tenacity"), now=ticking(), chance=Falling(1))
    before = table.snapshot.entries
    async with WayfinderApp(table).run_test(size=(120, 36)) as pilot:
        for row in evening():
            await press(pilot, row)
        assert [table.entry(number).words for number in range(before + 1, table.snapshot.entries + 1)] == [
            "session begin ana ben",
            'session present "Ana and Bo"',
            'scene "The long way down"',
            'clock 8 death "Fog"',
            "table calloway",
            "draw keeper",
            'timer "5m boarding"',
            'secret "It counts"',
        ]
        assert table.entry(before + 5).faces == (4, 1)
        assert "What the keeper left" in seen(pilot)
        await press(pilot, ["R", "Enter", "s", "Enter"])
        assert table.entry(table.snapshot.entries - 1).words == "rewind"
        assert table.snapshot.session == 0


def test_it_names_the_examples_that_ship() -> None:
    """The README names every example that comes with Waylog, in one place."""
    (named,) = re.findall(r"^Nine examples are included: (.*?)\. ", text_of(README), re.MULTILINE | re.DOTALL)
    assert sorted(re.findall(r"`([a-z-]+)`", named)) == sorted(folder.name for folder in TENACITY.parent.iterdir())


def test_the_program_that_computes_sealed_dice_finds_the_wrong_ones_alone(tmp_path: Path) -> None:
    """It says nothing of a session as Waylog rolled it, and names the entry of a die that was changed."""
    table = Table(
        shutil.copytree(TENACITY, tmp_path / "tenacity"), now=ticking(), chance=ChanceDice(Random(3).randrange)
    )
    play_and_settle(table, "session begin", "dice 4d6", "dice 2d20", "session end")
    [program] = blocks(AT_THE_TABLE, "python")
    rolled = table.entry(table.snapshot.entries - 1).rolled[0]

    def run() -> str:
        command = [sys.executable, "-c", program, str(table.folder)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert run() == ""
    log = max((table.folder / "log").glob("*.toml"))
    log.write_text(log.read_text().replace(f"rolled = [[20, {rolled[1]}]", f"rolled = [[20, {rolled[1] % 20 + 1}]"))
    assert run() == f"entry {table.snapshot.entries - 1}\n"
