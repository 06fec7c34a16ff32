"""The rules' own worked conflict, over the egg, as it is played: at a shell and by keys, killed at any step, and taken back."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.table import written
from tests.kit.thorough import IS_AT_A_DESK, cases
from tests.sessions.playing import Shell, Step, Told, files, last_entry, opened
from tests.sessions.test_killed import PROGRAM, eight
from tests.sessions.test_taken_back import but_the_mark
from waylog.rules.codec.changes import format_path
from waylog.rules.model.facts import OutcomeFact
from waylog.table import Table

TRANSCRIPTS = Path(__file__).parents[1] / "rules" / "transcripts" / "emissaries.toml"
HEAD = """\
# The egg, and who takes it home
format = 1
name = "The egg"   # the last one
system = "emissaries"
log = "0001:0"

# Those who are there
"""
ROLLED = ("enter", "escalate")
"""Acts whose numbers are dice as they fell; with others they are dice that lie there."""
SHUT = ("EG-10", "EG-17", "EG-22")
"""Why an answer can't be given at all, whatever dice it is given with: its own key says so."""
_STAY = 12 if IS_AT_A_DESK else 0
"""Acts from the first on that are not taken back."""
KILLED = (
    "begin sister",
    'raise 4 3 "The last one there is"',
    'see 4 3 "A damn good price"',
    "see 5 2 2 1",
    "escalate exert legs",
)
"""Where the program is killed for good: once it has begun, after a raise, a see and a blow, and with half of the new dice typed."""


@dataclass(frozen=True)
class Act:
    """What is done, and what the transcript has it come to."""

    step: Step
    outcome: tuple[str, ...]
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Ending:
    """The example as it goes once: the campaign file, what is in it, and all that is done."""

    file: bytes
    given: Mapping[str, Any]
    acts: tuple[Act, ...]

    def comes_to(self) -> Mapping[str, Any]:
        """The people in the file when all is done."""
        people: dict[str, Any] = deepcopy(dict(self.given))
        for where, value in (change for act in self.acts for change in act.changes.items()):
            *above, last = where.split(".")
            table = people
            for key in above:
                table = table.setdefault(key, {})
            table[last] = deepcopy(value)
        return people

    @property
    def played(self) -> tuple[Step, ...]:
        """What was not refused."""
        return tuple(act.step for act in self.acts if not act.step.refused)


def ending(number: int) -> Ending:
    """One of the three, from where the rules have them; the file has the same lines, under a heading of its own."""
    text = TRANSCRIPTS.read_text(encoding="utf-8")
    script = tomllib.loads(text)["transcript"][number]
    lines = text.split("[[transcript]]\n")[number + 1].splitlines(keepends=True)
    given = "".join(line.removeprefix("given.") for line in lines if line.startswith("given."))
    return Ending(f"{HEAD}{given}".encode(), script["given"], tuple(map(_act, script["act"])))


def _act(tree: Mapping[str, Any]) -> Act:
    said = str(tree["say"])
    words = shlex.split(said)
    rolled = [word for word in words if word.isdigit()] if words[0] in ROLLED else []
    step = Step(
        said.removesuffix(" ".join(rolled)).strip(),
        dice=tuple(map(int, rolled)),
        keys=_keys(words, tree.get("refused", "")),
        told=tuple(tree.get("told", ())),
        refused=tree.get("refused", ""),
        asks=tree.get("asks", ""),
    )
    return Act(step, tuple(tree.get("outcome", ())), tree.get("changes", {}))


def _keys(words: list[str], refused: str) -> tuple[str, ...]:
    """As on the screen: a digit for a die that lies there, a follow-up's own key, what is said as it is said."""
    verb, *rest = words
    digits = "".join(word for word in rest if word.isdigit())
    said = [word for word in rest if not word.isdigit()]
    if refused in SHUT:
        return (verb[0],)
    match verb:
        case "conflict":
            return (":", " ".join(words), "enter")
        case "raise" | "see":
            return (digits, *said, "enter")
        case "enter" | "fallout":
            return (said[0][0], " ".join((*said[1:], digits)), "enter")
        case "condition":  # A question that takes a text alone: its first letter is text.
            return (*said, "enter")
        case "give":
            return ("g", "enter")
        case _:
            return (verb[0], " ".join((*said, digits)), "enter")


def file_of(folder: Path) -> bytes:
    """The campaign file as it lies there."""
    return (folder / "campaign.toml").read_bytes()


# -- three endings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", cases(range(3), 0, 3))  # The others are taken back below.
async def test_the_egg_at_a_shell_and_by_keys_is_the_same_to_the_byte(tmp_path: Path, number: int) -> None:
    """Each act comes to what the rules' example says, and log and campaign file don't tell how it was entered."""
    egg = ending(number)
    shell = Shell(tmp_path / "shell", data=egg.file)
    for act in egg.acts:
        before = last_entry(shell.folder).number if (shell.folder / "log").exists() else 0
        shell.play(act.step)
        entry = last_entry(shell.folder)
        assert entry.number == before + (not act.step.refused)
        if not act.step.refused:
            assert tuple(fact.outcome for fact in entry.facts if isinstance(fact, OutcomeFact)) == act.outcome, entry
            assert {format_path(change.path): change.after for change in entry.changes} == act.changes, entry
    there = tomllib.loads(file_of(shell.folder).decode())
    assert {key: there[key] for key in egg.given} == egg.comes_to()
    async with opened(written(tmp_path / "keys", egg.file)) as keys:
        for step in (act.step for act in egg.acts):
            await keys.play(step)
    assert files(tmp_path / "keys") == files(shell.folder)


# -- killed ------------------------------------------------------------------------------------------------------------


def by_halves(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same, but that of the dice of an escalation a part is typed, and then the rest."""
    found = list[Step]()
    for step in steps:
        if step.do.startswith("escalate") and len(step.dice) > 1:
            half = len(step.dice) // 2
            found.append(replace(step, dice=step.dice[:half], told=(), asks="what do"))
            found.append(replace(step, do="", dice=step.dice[half:]))
        else:
            found.append(step)
    return tuple(found)


def opened_again(folder: Path) -> Table:
    """A table on that folder, where no die falls that has not been typed."""
    return Table(folder, now=eight, chance=Told())


def shown(table: Table) -> tuple[object, ...]:
    """What there is to choose from, all that a screen shows of the conflict, and what would be taken back."""
    now = table.snapshot
    return now.question, now.moves, now.panels, now.board, now.act, now.undo


def test_opened_at_any_step_it_goes_on_as_it_would_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a copy taken behind each entry, before the file has it: the same choices, dice and undo, and then the same file."""
    egg, settle, copies = ending(1 if IS_AT_A_DESK else 2), Table.settle, tmp_path / "copies"

    def copied(table: Table) -> bool:
        copy = copies / str(table.snapshot.entries)
        if not copy.exists():
            shutil.copytree(table.folder, copy)
        return settle(table)

    monkeypatch.setattr(Table, "settle", copied)
    shell = Shell(tmp_path / "spared", data=egg.file, now=eight)
    open_still = opened_again(written(tmp_path / "open", egg.file))
    for count, step in enumerate(by_halves(egg.played), 1):
        shell.play(step)
        open_still.play(open_still.understand(" ".join((step.do or "dice", *map(str, step.dice)))))
        assert files(copies / str(count)) != files(shell.folder), step
        again = opened_again(copies / str(count))
        assert shown(again) == shown(open_still), step
        again.refresh()
        assert again.settle()
        assert files(again.folder) == files(shell.folder), step


@pytest.mark.parametrize("words", cases(KILLED, 0, 2))
def test_killed_in_a_conflict_it_asks_the_same_and_goes_on_to_the_same_files(tmp_path: Path, words: str) -> None:
    """The program ends as soon as the act is in the log; at a shell the same is offered as if it hadn't, and then follows."""
    egg = ending(2)
    spared, killed = (Shell(tmp_path / name, data=egg.file, now=eight) for name in ("spared", "killed"))
    steps = list(by_halves(egg.played))
    while (step := steps.pop(0)).do != words:
        spared.play(step)
    shutil.copytree(spared.folder, killed.folder, dirs_exist_ok=True)
    spared.play(step)
    command = [sys.executable, "-m", "tests.kit", PROGRAM, "waylog.table.Table.settle", *step.said()]
    ran = subprocess.run([*command, "--dir", str(killed.folder.parent)], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (9, b"", b"")
    assert files(killed.folder) != files(spared.folder)
    assert killed.looked("moves") == spared.looked("moves")
    assert step.asks in killed.looked("moves")["question"]
    assert killed.looked("show") == spared.looked("show")
    killed.play(steps[0], warned="The log is complete up to ")
    spared.play(steps[0])
    assert files(killed.folder) == files(spared.folder)


# -- taken back ----------------------------------------------------------------------------------------------------------


def test_each_undo_at_a_shell_takes_one_act_of_the_exchange_back(tmp_path: Path) -> None:
    """Each time the file is, to the byte, what it was before that act but for the mark, and the same is asked and offered. At a desk,
    the last acts are taken back.
    """
    egg = ending(2)
    shell = Shell(tmp_path, data=egg.file)
    before = list[tuple[bytes, object]]()
    for step in egg.played:
        before.append((but_the_mark(file_of(shell.folder)), shell.looked("moves")))
        shell.play(step)
    del before[:_STAY]
    while before:
        assert shell.undo()
        assert (but_the_mark(file_of(shell.folder)), shell.looked("moves")) == before.pop()
    if not _STAY:
        assert not shell.undo()
        assert but_the_mark(file_of(shell.folder)) == but_the_mark(egg.file)


async def test_each_undo_in_the_app_takes_one_act_of_the_exchange_back(tmp_path: Path) -> None:
    """By `u` on the scene, from behind the end to before the beginning: the question, the file and the screen of each time. At a desk,
    the last acts are taken back.
    """
    egg = ending(1)
    before = list[tuple[bytes, str]]()
    async with opened(written(tmp_path, egg.file)) as keys:
        asked = ""
        for step in egg.played:
            before.append((but_the_mark(file_of(tmp_path)), asked))
            await keys.play(step)
            asked = step.asks
        del before[:_STAY]
        while before:
            file, asks = before.pop()
            await keys.play(Step("undo", keys=("u", "u"), asks=asks))
            assert but_the_mark(file_of(tmp_path)) == file
            assert (" 6 Scene" in keys.seen()) is bool(asks)
    assert _STAY or but_the_mark(file_of(tmp_path)) == but_the_mark(egg.file)
