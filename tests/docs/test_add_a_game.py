"""`docs/add-a-game.md` is true: the game that is built from its own blocks is listed, played, saved, undone and tested as it says."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import invalidate_caches
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tests.rules.trials as trials
from tests.kit import ROOT, thorough
from tests.kit.app import drained
from tests.kit.cli import CommandLine
from tests.kit.table import table_at
from tests.rules import records, test_contract, test_saved_stages, test_transcripts
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules import systems
from waylog.rules.model.odds import Ratio
from waylog.rules.rulebook import RulebookError

PAGE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
WHOLE, CREW = PAGE.split("## 10. A crew")
_FILE = re.compile(r"^`([^`\n]+)`:\n\n```(?:python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = dict(_FILE.findall(WHOLE))
"""The text of each file that the page has the reader create, by its path in the checkout."""
CREW_FILES = dict(_FILE.findall(CREW))
"""Those of its last step."""
SYSTEMS = "tui/waylog/rules/systems"
GAME = "tow-line"
HOME = "/home/you/waylog"
"""Where the page has its campaigns."""


def blocks(language: str) -> list[str]:
    """The blocks of that language, those with a file's name left out."""
    text = re.sub(r"^`[^`\n]+`:\n\n```\w+\n.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@contextmanager
def checkout_of(files: Mapping[str, str], root: Path) -> Iterator[Path]:
    """Files in a folder of their own, found where Waylog and its tests look for games; gone again afterwards."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    before = {*sys.modules}
    with pytest.MonkeyPatch.context() as patch:
        for package, folder in ((systems, SYSTEMS), (trials, "tests/rules/trials")):
            patch.setattr(package, "__path__", [*package.__path__, str(root / folder)])
        systems.names.cache_clear()
        invalidate_caches()
        yield root
    systems.names.cache_clear()
    for module in {name for name in sys.modules if "tow_line" in name} - before:
        del sys.modules[module]


def with_a_crew() -> dict[str, str]:
    """The files after the last step of the page: a new one, and changes in others."""
    files = {**FILES, **CREW_FILES}
    name = ""
    for named, diff in re.findall(r"^`(\w+\.py)`|^```diff\n(.*?)^```", CREW, re.MULTILINE | re.DOTALL):
        name = named or name
        if diff:
            lines = diff.splitlines(keepends=True)
            old, new = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
            path = f"{SYSTEMS}/tow_line/{name}"
            assert files[path].count(old) == 1, old
            files[path] = files[path].replace(old, new)
    return files


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Path]:
    """The page's files, as the page has them."""
    with checkout_of(FILES, tmp_path / "checkout") as root:
        yield root


@pytest.fixture
def waylog(tmp_path: Path, checkout: Path) -> CommandLine:
    """The command line, with a folder for campaigns."""
    return CommandLine(tmp_path / "campaigns")


def load(path: Path) -> ModuleType:
    """A module of the page, from its file."""
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marks_of(test: Callable[..., None], name: str) -> list[pytest.Mark]:
    """The marks of that name on a test."""
    return [mark for mark in getattr(test, "pytestmark", []) if mark.name == name]


def test_it_is_small() -> None:
    """The game has less than 175 lines of code, docstrings and empty lines aside."""
    count = 0
    for name, text in FILES.items():
        if name.startswith(SYSTEMS):
            nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
            docstrings = {node.lineno for node in nodes if isinstance(node.value, ast.Constant)}
            lines = enumerate(text.splitlines(), 1)
            count += sum(1 for number, line in lines if line.strip() and number not in docstrings)
    assert 100 < count < 175


@pytest.mark.parametrize("name", [name for name in with_a_crew() if name.endswith(".py")])
def test_it_is_in_style(name: str) -> None:
    """The checker of style has nothing to say of a file, but for the order of its imports."""
    # The order of imports can only be told where the game's folder is one of the checkout.
    options = ["--quiet", "--no-cache", "--ignore", "I001", "--stdin-filename", name]
    command = [sys.executable, "-m", "ruff", "check", *options, "-"]
    ran = subprocess.run(
        command, cwd=ROOT, input=with_a_crew()[name], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stdout) == (0, "")


def test_its_commands_say_what_it_shows(waylog: CommandLine) -> None:
    """In the order in which they stand; a line “…” stands for lines that the page leaves out."""
    shown = [part for block in blocks("console") for part in block.split("$ ")[1:]]
    assert len(shown) > 8
    for line, _, said in (part.partition("\n") for part in shown):
        program, *arguments = shlex.split(line)
        assert program == "waylog"
        ran = waylog(*arguments)
        out = (ran.out + ran.err).replace(str(waylog.campaigns), HOME)
        pattern = "(?:.*\n)*".join(map(re.escape, said.split("…\n")))
        assert re.fullmatch(pattern, out), (line, out)
        assert ran.code == (3 if ran.err else 0)


def test_it_is_played(waylog: CommandLine) -> None:
    """Both rolls with typed dice, the token, the track, a refusal by its clause, and undo down to a new campaign."""
    assert GAME in [one["id"] for one in waylog.json("systems")["systems"]]
    waylog.done("new", "patience", "--system", GAME)
    fresh = tomllib.loads(waylog.file("patience").read_text())["tug"]

    def tug() -> tuple[int, int]:
        now = tomllib.loads(waylog.file("patience").read_text())["tug"]
        return now["strain"], now["grit"]

    acts: tuple[tuple[str, tuple[int, int]], ...] = (
        ("roll tow --dice 2,5", (0, 1)),
        ("grit", (0, 0)),
        ("roll tow --dice 1,1", (2, 1)),
        ("roll tow --dice 4,1", (3, 1)),
        ("mark strain", (4, 1)),
        ("roll mend --dice 4,5", (2, 1)),
        ("roll tow --dice 5,5", (2, 1)),
        ("keep", (3, 1)),
        ("mark strain", (4, 1)),
    )
    for words, after in acts:
        waylog.done("do", "patience", *words.split())
        assert tug() == after, words
    refused = waylog("do", "patience", "roll", "tow", "--json")
    assert (refused.code, refused.data["clause"]) == (3, "TL-05")
    while tomllib.loads(waylog.file("patience").read_text())["tug"] != fresh:
        waylog.done("undo", "patience")
    assert waylog.json("check", "patience")["problems"] == []


@pytest.mark.parametrize(("roll", "total", "worst", "middling"), [("tow", max, 3, 5), ("mend", sum, 6, 9)])
def test_its_odds_come_from_every_roll(
    waylog: CommandLine, roll: str, total: Callable[[Sequence[int]], int], worst: int, middling: int
) -> None:
    """Counted here from the rules as the page states them: a new tug has 2 Engines, Hands of 1, and 1 Grit."""
    waylog.done("new", "patience", "--system", GAME)
    waylog.done("do", "patience", "mark", "strain")
    odds = waylog.json("odds", "patience", "roll", roll)
    hands = 1 if roll == "mend" else 0
    for extra, spread in ((0, odds["outcomes"]), (1, odds["spends"][0]["outcomes"])):
        totals = [total(faces) + hands + extra for faces in product(range(1, 7), repeat=2)]
        fiasco, drawback = sum(one <= worst for one in totals), sum(worst < one <= middling for one in totals)
        counts = {"fiasco": fiasco, "drawback": drawback, "success": len(totals) - fiasco - drawback}
        assert {one["outcome"]: Ratio.parse(one["chance"]) * len(totals) for one in spread} == counts


async def test_it_is_played_by_the_keys_that_it_lists(waylog: CommandLine, tmp_path: Path) -> None:
    """The lines for the test by keys are right: each key press of them is the act beside it."""
    (keys,) = (block for block in blocks("python") if "Did(" in block)
    module = tmp_path / "listed_keys.py"
    module.write_text(f"from tests.ui.test_systems_by_keys import BESIDE, Did\n\n{keys}", encoding="utf-8")
    waylog.done("new", "patience", "--system", GAME)
    table = table_at(waylog.campaigns / "patience")
    did = load(module).TOW_LINE
    async with WayfinderApp(table).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for one in did:
            await pilot.press(*({"\r": "enter", " ": "space", "+": "plus"}.get(key, key) for key in one.keys))
            await drained(pilot)
    entries = [table.entry(number) for number in range(1, table.snapshot.entries + 1)]
    assert [(entry.words, entry.faces) for entry in entries] == [(one.act, one.faces) for one in did]


def test_its_own_tests_pass_and_prove_every_clause(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its transcripts, once `make records` has been called, and its test of the odds pass, and name every clause."""
    folder = checkout / "tests/rules/transcripts"
    monkeypatch.setattr(test_transcripts, "FILES", [folder / "tow-line.toml"])
    monkeypatch.setattr(records, "TRANSCRIPTS", folder)
    monkeypatch.setattr(records, "RECORDS", folder / "records")
    records.write_records()
    proved: set[str] = set()
    for script in test_transcripts.transcripts():
        test_transcripts.test_transcript(*script.values)
        proved.update(clause for mark in script.marks for clause in mark.args)
    tests = load(checkout / "tests/rules/test_tow_line.py")
    found = [value for name, value in vars(tests).items() if name.startswith("test_")]
    assert found
    for test in found:
        proved.update(clause for mark in marks_of(test, "clause") for clause in mark.args)
        for arguments in product(*(cases_of(mark) for mark in marks_of(test, "parametrize"))):
            test(**{name: value for case in arguments for name, value in case.items()})
    assert proved == {*systems.system(GAME).clauses}


def cases_of(mark: pytest.Mark) -> list[dict[str, Any]]:
    """The arguments of each case of a `parametrize`."""
    names, cases = mark.args
    return [dict(zip(names, case, strict=True)) if isinstance(names, tuple) else {names: case} for case in cases]


def hold_to_the_contract() -> None:
    """Check the verbs of the game, and walk through it at random."""
    test_contract.test_a_game_has_verbs_of_its_own(GAME)
    test_contract.test_a_walk_through_legal_moves(GAME)


def test_it_keeps_the_contract(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random walks from its own trial, a fresh sheet without faults, effects of full clocks, and tags as the page lists them."""
    hold_to_the_contract()
    test_contract.test_a_fresh_sheet_has_no_faults(GAME)
    test_contract.test_every_effect_may_be_what_a_full_clock_does(GAME)
    (listed,) = (block for block in blocks("python") if "Did(" not in block)
    saved = ast.literal_eval(f"{{{listed}}}")
    monkeypatch.setattr(test_saved_stages, "SAVED", {**test_saved_stages.SAVED, **saved})
    test_saved_stages.test_tags_and_fields_of_stages_never_change(GAME)


def test_it_has_a_crew_after_its_last_step(tmp_path: Path) -> None:
    """New campaigns have people aboard, who are seen on the crew screen, get tired, and keep the contract."""
    files = with_a_crew()
    assert sum(files[name] != FILES.get(name) for name in files) == 4
    with checkout_of(files, tmp_path / "checkout"):
        waylog = CommandLine(tmp_path / "campaigns")
        waylog.done("new", "patience", "--system", GAME)
        for _ in range(3):
            waylog.done("do", "patience", "tire", "mara")
        assert tomllib.loads(waylog.file("patience").read_text())["crew"]["mara"] == {"name": "Mara", "fatigue": 3}
        assert waylog("do", "patience", "tire", "mara", "--json").data["clause"] == "TL-06"
        panels = waylog.json("show", "patience")["panels"]
        assert [panel["title"] for panel in panels if panel["place"] == "crew"] == ["Mara", "Joss"]
        hold_to_the_contract()


def test_its_lists_are_complete() -> None:
    """The verbs that are taken, the keys of an act in a transcript, and the parts of a key press in the test by keys."""
    (verbs,) = re.findall(r"These are taken, [^:]*: ([^.]*)\.", PAGE)
    assert set(re.findall(r"`(\w+)`", verbs)) == test_contract.WAYLOGS
    (keys,) = re.findall(r"\| key of an act \|.*?\n\n", PAGE, re.DOTALL)
    first_cells = "".join(line.split("|")[1] for line in keys.splitlines() if line)
    assert set(re.findall(r"`(\w+)`", first_cells)) == test_transcripts.KNOWN


MISTAKES: Mapping[str, tuple[str, str, str]] = {
    "RulebookError": ("rolls", "stages=(ROLLED,), ", ""),
    "“roll tow” has rolls=True and no odds": ("rolls", ', odds={"roll": odds}', ""),
    "leaves Rolled as it was": ("rolls", "moment.closes().tells", "moment.tells"),
    "`about` of “roll tow” names": ("rolls", '"tug.engines", "tug.strain"', '"tug.engine", "tug.strain"'),
    "two moves of one verb have the same key": ("rolls", 'key="m"', 'key="t"'),
    "these verbs are Waylog's": ("line", 'Move("mark"', 'Move("table"'),
    "the chances “as rolled” of 2d6: Engines add up to 3/4": (
        "rolls",
        " in OutcomeGrade if",
        " in [*OutcomeGrade][1:] if",
    ),
    "blocked by no listed clause": ("rolls", '"the line is whole", "TL-05"', '"the line is whole", "TL-50"'),
    "a value that the sheet doesn't allow": ("moment", "min(TOP[name], max(0, before + change))", "before + change"),
}
"""By the message: the file of the game that has the mistake, the right text there, and the wrong one."""


OTHERS: Mapping[str, str] = {
    "“roll tow” has rolls=True and no odds": "“roll mend” has rolls=True and no odds",
    "the chances “as rolled” of 2d6: Engines add up to 3/4": r"the chances “as rolled” of .+ add up to \d+/\d+",
}
"""The message of the same mistake where a walk meets the other roll first."""


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_named_as_it_says(message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's table has the message, and the contract gives it after such a mistake, on as many walks as CI takes."""
    monkeypatch.setattr(thorough, "IS_AT_A_DESK", False)
    assert re.search(rf"^\| (`` ?|`){re.escape(message)}", PAGE, re.MULTILINE)
    part, right, wrong = MISTAKES[message]
    name = f"{SYSTEMS}/tow_line/{part}.py"
    assert right in FILES[name]
    files = {**FILES, name: FILES[name].replace(right, wrong)}
    with checkout_of(files, tmp_path), pytest.raises((AssertionError, RulebookError)) as seen:
        hold_to_the_contract()
    text = f"{seen.typename}: {seen.value}"
    assert message in text or (message in OTHERS and re.search(OTHERS[message], text))


def test_what_it_points_to_is_there() -> None:
    """Its links lead to files, and the paths in its text are those of the checkout."""
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", PAGE)]
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).is_file()] == []
    paths = re.findall(r"`((?:tui|tests)/[^`\s]+)`", PAGE)
    assert [path for path in paths if path not in {**FILES, **CREW_FILES} and not (ROOT / path).exists()] == []
