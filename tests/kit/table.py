"""Tables on the smallest game there is, with a clock that ticks evenly and dice that fall as told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.kit.small_game import SYSTEM as SMALL_GAME
from waylog.cli import help_and_rules
from waylog.rules.model.dice import ChanceDice, Dice, Die, Face
from waylog.rules.rulebook import Rulebook
from waylog.store.file import campaign_file_tables_and_scene_cards
from waylog.store.games import game_files
from waylog.table import Table

CAMPAIGN = """\
#:schema ./.schema.json
# The Swallow, a boat
format = 1
name = 'The Swallow'  # never "Swallow"
system = "small"
log = "0001:0"

[boat]  # she leaks
  hull = 0x3   # in hex, for fun
luck = +0

# What presses on
[clocks.storm]
name = '''The storm'''
kind = "catastrophe"
segments = 4  # short
filled = 0
"""


@contextmanager
def small_game() -> Iterator[None]:
    """The smallest game is one of the systems, and the only one."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (campaign_file_tables_and_scene_cards, help_and_rules, game_files):
            patch.setattr(module, "names", lambda: ("small",))
        for module in (campaign_file_tables_and_scene_cards, help_and_rules):
            patch.setattr(module, "system", _system)
        yield


def _system(name: str) -> Rulebook:
    if name != "small":
        raise KeyError(name)  # as the real one does
    return SMALL_GAME


class Falling:
    """Dice that fall as told, one after the other; then always a one."""

    are_real = False

    def __init__(self, *faces: int) -> None:
        self._faces = list(faces)

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        """The next faces."""
        return tuple(Face(die.source, self._faces.pop(0) if self._faces else 1, die.sides) for die in dice)


def ticking(start: datetime = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)) -> Callable[[], datetime]:
    """A clock that goes on by a minute whenever somebody looks."""
    looks = iter(range(1_000_000))
    return lambda: start + timedelta(minutes=next(looks))


def written(folder: Path, text: str | bytes = CAMPAIGN) -> Path:
    """A campaign folder with that file."""
    folder.mkdir(parents=True, exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    (folder / "campaign.toml").write_bytes(data)
    return folder


def table_at(folder: Path, *faces: int, chance: Dice | None = None) -> Table:
    """A table on the campaign in that folder."""
    return Table(folder, now=ticking(), chance=chance or Falling(*faces))


def play(table: Table, *acts: str) -> int:
    """Do what the words say. Gives the number of the last entry."""
    return [table.play(table.understand(words)).number for words in acts][-1]


def play_and_settle(table: Table, *acts: str) -> int:
    """Do what the words say, and bring the campaign file up to it after each act. Gives the number of the last entry."""
    number = 0
    for words in acts:
        number = play(table, words)
        assert table.settle()
    return number


def seeded(random_below: Callable[[int], int]) -> Dice:
    """Dice that fall as a source of chance says."""
    return ChanceDice(random_below)


def saved(folder: Path, old: str, new: str) -> None:
    """What an editor does: the file with one part changed, saved as a new file in the place of the old one."""
    path = folder / "campaign.toml"
    text = path.read_text()
    assert old in text
    beside = folder / "campaign.toml~"
    beside.write_text(text.replace(old, new))
    beside.replace(path)


def text_of(folder: Path) -> str:
    """The campaign file as it stands, line ends as they are."""
    return (folder / "campaign.toml").read_bytes().decode()


def but_the_mark(text: str) -> str:
    """A campaign file without how far the log is in it."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("log = "))
