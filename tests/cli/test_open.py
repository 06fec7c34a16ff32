"""`waylog` and `waylog open`: which campaign the app is given, and what a person may choose from."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from waylog.app.terminal_driver import Handover
from waylog.cli import main
from waylog.settings import SettingsFile
from waylog.store.folders_and_recent import Locations
from waylog.table import Table


class Played(list[tuple[Path, str | None]]):
    """Each campaign that the app was opened on, with its theme."""

    def __init__(self) -> None:
        self.looking: list[bool] = []
        """Whether each was opened to look on."""
        self.chosen: list[bool] = []
        """Whether each was chosen from the list."""

    def __call__(
        self,
        table: Table,
        handover: Handover,
        *,
        theme: str | None = None,
        places: Locations,
        chosen: SettingsFile | None = None,
    ) -> int:
        """In the place of `waylog.app.campaign_loop.run`. Nothing has been set."""
        self.chosen.append(handover.is_due)
        assert chosen is not None
        assert not chosen.problems
        assert places.campaigns.name == "campaigns"
        self.append((table.folder, theme))
        self.looking.append(table.read_only)
        return 0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """A terminal that can draw, and an app that only notes what it is opened on."""
    record = Played()
    monkeypatch.setattr("waylog.app.campaign_loop.run", record)
    monkeypatch.setattr(main, "in_terminal", lambda: True)
    return record


@pytest.fixture
def waylog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Two campaigns of one's own."""
    found = CommandLine(tmp_path / "campaigns")
    for name in ("Night Run", "alba"):
        found.done("new", name)
    return found


def choosing(monkeypatch: pytest.MonkeyPatch, name: str | None) -> list[tuple[bool, str]]:
    """A person who chooses that campaign from the list, or leaves. Returns how they were asked: for a new one, of which game."""
    asked = []

    def chosen(
        places: Locations,
        opens: Callable[[Path], Table],
        theme: str | None = None,
        settings: SettingsFile | None = None,
        handover: Handover | None = None,
        *,
        now: datetime,
        new: bool = False,
        game: str = "",
    ) -> Table | None:
        """In the place of `waylog.app.campaign_choice.choose_campaign`."""
        asked.append((new, game))
        assert handover
        handover.is_due = name is not None
        return None if name is None else opens(places.find(name, to_play=True))

    monkeypatch.setattr("waylog.app.campaign_choice.choose_campaign", chosen)
    return asked


def test_open_plays_a_campaign_and_remembers_it(waylog: CommandLine, played: Played) -> None:
    """The next bare `waylog` goes on where the last one was."""
    waylog.done("open", "night run", "--theme", "light")
    waylog.done()
    folder = waylog.campaigns / "Night Run"
    assert played == [(folder, "light"), (folder, None)]


def test_looking_on_copies_and_remembers_nothing(waylog: CommandLine, played: Played) -> None:
    """`--read-only` opens a campaign as it lies there, an example too, and the next bare `waylog` knows nothing of it."""
    waylog.done("open", "tenacity", "--read-only")
    ((folder, _),) = played
    assert folder.parent.name == "examples"
    assert played.looking == [True]
    assert not (waylog.campaigns / "tenacity").exists()
    waylog.done("open", "alba")
    waylog.done("open", "night run", "--read-only")
    waylog.done()
    assert played[-1][0] == waylog.campaigns / "alba"
    assert played.looking == [True, False, True, False]


def test_without_a_last_campaign_there_is_a_choice(
    waylog: CommandLine, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is chosen is played, and is the last one from then on."""
    asked = choosing(monkeypatch, "tenacity")
    waylog.done()
    waylog.done()
    assert played == [(waylog.campaigns / "tenacity", None)] * 2
    assert asked == [(False, "")]
    assert played.chosen == [True, False]


def test_choosing_nothing_is_fine(waylog: CommandLine, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever leaves the list leaves without a word of blame."""
    choosing(monkeypatch, None)
    waylog.done()
    assert played == []


def test_new_without_a_name_asks_in_a_terminal(
    waylog: CommandLine, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere the name is missing. An unknown game is named before anything is asked."""
    monkeypatch.setattr(main, "in_terminal", lambda: False)
    ran = waylog("new")
    assert (ran.code, ran.err) == (
        2,
        "waylog: NAME is missing. In a terminal, `waylog new` asks you for everything it needs\n",
    )
    monkeypatch.setattr(main, "in_terminal", lambda: True)
    asked = choosing(monkeypatch, "alba")
    waylog.done("new", "--system", "emissaries")
    assert asked == [(True, "emissaries")]
    assert played == [(waylog.campaigns / "alba", None)]
    assert waylog("new", "--system", "chess").code == 2


@pytest.mark.parametrize("terminal", ["dumb", ""])
def test_no_terminal_no_tutorial(waylog: CommandLine, monkeypatch: pytest.MonkeyPatch, terminal: str) -> None:
    """Where nothing can be drawn, what is taught by keys says so in a line and exits 2."""
    monkeypatch.setenv("TERM", terminal)
    ran = waylog("learn")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "waylog: the tutorial needs a terminal. Without one, use `waylog play` to play line by line\n"


def test_a_broken_campaign_is_said_before_the_app_draws(waylog: CommandLine, played: Played) -> None:
    """Problems that keep a campaign from being opened are printed with their places, exit code 1."""
    waylog.file("alba").write_text("name = ")
    ran = waylog("open", "alba")
    assert ran.code == 1
    assert ran.err.startswith(f"{waylog.file('alba')}:1:8: ")
    assert played == []


def test_new_says_what_it_made(waylog: CommandLine) -> None:
    """The path of the file, and how to play it; for a program the same as values."""
    out = waylog.done("new", "First light").out
    path = waylog.campaigns / "First light" / "campaign.toml"
    assert out == f"Created {path}. Open it with: waylog open 'First light'\n"
    told = waylog.json("new", "second", "--system", "veil-2026")
    assert told == {
        "ok": True,
        "name": "second",
        "system": "veil-2026",
        "path": str(waylog.campaigns / "second" / "campaign.toml"),
    }
    ran = waylog("new", "SECOND")
    assert (ran.code, ran.err) == (2, "waylog: there is already a campaign “second”. Open it with `waylog open`\n")
