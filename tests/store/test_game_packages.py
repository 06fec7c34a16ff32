"""Games that other packages bring: found by their id, listed, and told in a line if they can't be loaded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from tests.kit import small_game
from tests.kit.cli import CommandLine
from waylog.store.games import packages

MODULE = "some_boats"
BROKEN = {
    "gone": ("no_such_module:SYSTEM", "ModuleNotFoundError: No module named 'no_such_module'"),
    "loud": (f"{MODULE}.loud", "ZeroDivisionError: division by zero"),
    "empty": (f"{MODULE}.empty", "its SYSTEM is not a Rulebook (waylog.rules.rulebook)"),
    "alike": (f"{MODULE}.alike", "its SYSTEM is not a Rulebook (waylog.rules.rulebook)"),
    "other": (MODULE, "it says that its id is “small”"),
    "veil-core": (MODULE, "Waylog already has a game with this id"),
}


@pytest.fixture
def waylog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CommandLine]:
    """The command line where a package with one good game and several others is installed."""
    site, module = tmp_path / "site", tmp_path / "site" / MODULE
    module.mkdir(parents=True)
    (module / "boat.py").write_text(Path(small_game.__file__).read_text())
    (module / "__init__.py").write_text(f'from {MODULE}.boat import SYSTEM\n\n__all__ = ["SYSTEM"]\n')
    (module / "loud.py").write_text("SYSTEM = 1 / 0\n")
    (module / "empty.py").write_text("")
    parts = "id='alike', name='', about='', clauses={}, sheet=None, play=None"
    (module / "alike.py").write_text(f"from types import SimpleNamespace\n\nSYSTEM = SimpleNamespace({parts})\n")
    about = site / "some_boats-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-boats\nVersion: 1.0\n")
    entries = {"small": f"{MODULE}:SYSTEM"} | {name: value for name, (value, _) in BROKEN.items()}
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (about / "entry_points.txt").write_text("\n".join(["[waylog.systems]", *lines]))
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    packages._load.cache_clear()
    invalidate_caches()
    yield CommandLine(tmp_path / "campaigns")
    packages._load.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == MODULE]:
        del sys.modules[name]


def test_a_game_of_a_package_is_played(waylog: CommandLine) -> None:
    """A campaign of it is made, opened again, and undone."""
    waylog.done("new", "swallow", "--system", "small")
    waylog.done("do", "swallow", "row", "boat", "wild", "--dice", "2,4")
    waylog.done("undo", "swallow")
    assert "swallow: no problems" in waylog.done("check", "swallow").out


def test_all_are_listed_with_their_package(waylog: CommandLine) -> None:
    """Those that can't be loaded with the reason, in one line each."""
    systems = {one["id"]: one for one in waylog.json("systems")["systems"] if "package" in one}
    assert systems["small"]["package"] == "some-boats"
    for name, (_, said) in BROKEN.items():
        assert said in systems[name]["problem"]
        assert systems[name]["problem"].count("\n") == 0
    assert len(waylog.done("systems").out.splitlines()) == len(waylog.json("systems")["systems"])


@pytest.mark.parametrize("name", [name for name in BROKEN if name != "veil-core"])
def test_one_that_cannot_be_loaded_is_told_in_a_line(waylog: CommandLine, name: str) -> None:
    """Whether a campaign is to be made of it, or one names it."""
    ran = waylog("new", "swallow", "--system", name)
    assert (ran.code, ran.out) == (1, "")
    assert BROKEN[name][1] in ran.err
    assert len(ran.err.splitlines()) == 1
    waylog.file("tern").parent.mkdir(parents=True)
    waylog.file("tern").write_text(f'format = 1\nname = "tern"\nsystem = "{name}"\n')
    ran = waylog("show", "tern")
    assert (ran.code, ran.out) == (1, "")
    assert "campaign.toml:3:10: Waylog can't use the game" in ran.err
    assert BROKEN[name][1] in ran.err
    assert len(ran.err.splitlines()) == 1


GONE = (
    "the game “small” comes from the Python package some-boats, which is not installed here. To install it: pip install some-boats, "
    "or pipx inject waylog some-boats. Then open the campaign again"
)


def test_a_package_that_is_gone_is_named_and_how_to_get_it_back(waylog: CommandLine, tmp_path: Path) -> None:
    """Whether something was played or not. What was played can be looked at, and is played on once the package is back."""
    waylog.done("new", "swallow", "--system", "small")
    waylog.done("new", "tern", "--system", "small")
    assert '\npackage = "some-boats"' in waylog.file("swallow").read_text()
    waylog.done("do", "swallow", "row", "boat", "wild", "--dice", "2,4")
    about = tmp_path / "site/some_boats-1.0.dist-info"
    about.rename(tmp_path / "away")
    invalidate_caches()
    assert waylog("show", "tern").err.endswith(f"tern/campaign.toml:9:11: {GONE}\n")
    assert GONE in waylog("show", "swallow").out + waylog("show", "swallow").err
    assert "Row: Wild" in waylog.done("log", "swallow").out
    (tmp_path / "away").rename(about)
    invalidate_caches()
    assert "swallow: no problems" in waylog.done("check", "swallow").out


def test_a_campaign_whose_game_is_gone_may_lack_the_name_of_a_package(waylog: CommandLine, tmp_path: Path) -> None:
    """One that was made by hand, or that has something else there: both ways to get the game back are told."""
    waylog.done("new", "swallow", "--system", "small")
    waylog.done("do", "swallow", "row", "boat", "wild", "--dice", "2,4")
    (tmp_path / "site/some_boats-1.0.dist-info").rename(tmp_path / "away")
    invalidate_caches()
    text = waylog.file("swallow").read_text()
    for package in ("", "package = 3\n", 'package = "a; rm -r b"\n'):
        lines = [line for line in text.splitlines(keepends=True) if not line.startswith("package")]
        lines.insert(lines.index(next(line for line in lines if line.startswith("system"))), package)
        waylog.file("swallow").write_text("".join(lines))
        ran = waylog("show", "swallow")
        assert "its file is missing. Put the file in" in ran.out + ran.err
        assert "If the game came from a Python package, install that package again" in ran.out + ran.err


@pytest.mark.parametrize("system", ["veil-core", "iron-moon"])
def test_a_normal_start_reads_no_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """A start reads no packages, neither with a game that comes with Waylog nor with one in a file."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    waylog = CommandLine(tmp_path)
    waylog.done("game", "new", "iron moon")
    waylog.done("new", "tern", "--system", system)
    ask = (
        "import sys\nfrom waylog.cli.main import main\n"
        f"assert main(['--dir', {str(tmp_path)!r}, 'moves', 'tern']) == 0\nprint(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    modules = ran.stdout.splitlines()[-1].split()
    assert "waylog.table" in modules
    assert not {"importlib.metadata", "waylog.store.games.packages"} & {*modules}
