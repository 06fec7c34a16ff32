"""Each game played by real keys in a real terminal: what was typed is what the log says, and what it came to is on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.terminal import opened
from tests.kit.thorough import cases
from waylog.rules.systems import names
from waylog.store.file.campaign_file_tables_and_scene_cards import system_of
from waylog.store.files_and_lock import FILE
from waylog.store.folders_and_recent import locations
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.toml.document import Document


@dataclass(frozen=True)
class Did:
    """One thing that a person does."""

    keys: str
    """What is pressed and typed."""
    act: str
    """What the log says of it."""
    faces: tuple[int, ...] | None = None
    """The real dice among it."""
    seen: str = ""
    """What is on the screen then."""


BESIDE = (
    Did("cstorm 4 death\r", 'clock 4 death "storm"', seen="storm"),
    Did(":tick storm 3\r", "tick storm 3", seen="3/4"),
    Did("nShe holds\r", 'note "She holds"', seen="She holds"),
    Did("uu", "undo", seen="Undone"),
    Did("UU", "redo", seen="Redone"),
)
"""What is done at every table, whatever is played there."""

TENACITY = (
    Did("rn 35\r", "roll nav", (3, 5), "Spend Focus"),
    Did("k", "keep", seen="Success with drawback"),
    Did(":damage tove 1\r", "damage tove", (1,), "loses suit life support"),
    Did("ro sec 6611\r", "roll odile secondary", (6, 6, 1, 1), "Critical"),
    *BESIDE,
    Did(":damage ship 2\r", "damage ship", (2,), "Wrecked"),
    Did("uu", "undo", seen="Undone"),
)
FIRST_LIGHT = (
    Did("rn risky 111\r", "roll nav risky", (1, 1, 1), "Integrity is lost"),
    Did("rh 65\r", "roll hul", (6, 5), "use the lowest"),
    Did(":focus 5\r", "focus 5", seen="Success"),
    Did(":shunt 112 down\r", "shunt 1 1 2", seen="Shunted"),
    Did(":expose kit\r", "expose kit", seen="Kit is Exposed"),
    Did(":group kit ines\r", "group kit ines", seen="have to roll"),
    Did("rk 661\r", "roll kit", (6, 6, 1), "has to roll"),
    Did("ri 111\r", "roll ines", (1, 1, 1), "Success"),
    *BESIDE,
)
REFERENCE = (
    Did("rm eng 66611\r", "roll mara engines", (6, 6, 6, 1, 1), "Remap all"),
    Did(":remap 114\r", "remap 1 1 4", seen="Engines 4"),
    Did("rj shi two 6111\r", "roll joss shields two", (6, 1, 1, 1), "Fiasco"),
    Did(":damage ship\r", "damage ship", seen="Integrity is lost"),
    Did(":learn mara gut\r", "learn mara gut-feelings", seen="gut feelings"),
    Did("rm gut desp 111\r", "roll mara gut-feelings desperate", (1, 1, 1), "2 left"),
    Did(":rest mara\r", "rest mara", seen="Mara"),
    *BESIDE,
)
CLASSIC = (
    Did(":grit mara tired\r", 'grit mara "tired"', seen="grit +1"),
    Did("rm tel risky back grit 6511\r", "roll mara telemetry risky background grit", (6, 5, 1, 1), "Telemetry"),
    Did("k", "keep", seen="All dice returned to Telemetry"),
    Did(":damage ship\r", "damage ship", seen="Integrity is lost"),
    Did(":shunt 122\r", "shunt 1 2 2", seen="Engineering is spent"),
    Did(":state downtime\r", "state downtime", seen="Mode: downtime"),
    Did(":remap 311\r", "remap 3 1 1", seen="Telemetry 3"),
    Did(":day passes\r", "day passes", seen="A day passes"),
    *BESIDE,
)
SLACK_WATER = (
    Did(":course compelling 3\r", "course compelling 3", seen="Compelling 3"),
    Did(
        "rh 10 tow gossip exp daring dang 52\r",
        "roll hesper 10 towing gossip expertise daring dangerous",
        (5, 2),
        "elect",
    ),
    Did("e", "elect expertise", seen="What harm is done"),
    Did(':harm hesper "rope burn"\r', 'harm hesper "rope burn"', seen="rope burn"),
    Did(":raise gossip 2\r", "raise gossip 2", seen="+2"),
    Did(":mark dov-body a3\r", "mark dov-body", seen="slot 3"),
    Did("rd 7 locks thr compelling 34\r", "roll dov 7 locks thriving compelling", (3, 4), "Which die"),
    Did("t", "elect thriving", seen="Which slot is recovered"),
    Did(":recover ninepence-licence 2\r", "recover ninepence-licence 2", seen="1/5"),
    *BESIDE,
)
EMISSARIES = (
    Did(':npc "Captain Thoss" 5d6 2\r', 'npc 2 "Captain Thoss" "5d6"', seen="Captain Thoss"),
    Did(":conflict Does the egg go home?\r", 'conflict "Does the egg go home?"', seen="who takes part"),
    Did(':obstacle "The storm" 4d6\r', 'obstacle "The storm" "4d6"', seen="The storm"),
    Did(":enter mara unopposed-physical 1345\r", "enter mara unopposed-physical", (1, 3, 4, 5), "Mara"),
    Did(":enter the-storm 1245\r", "enter the-storm", (1, 2, 4, 5), "The storm"),
    Did(":begin mara\r", "begin mara", seen="Mara raises"),
    Did(':raise 5 4 "Mine"\r', 'raise 5 4 "Mine"', seen="must see"),
    Did(":see 5 4\r", "see 5 4", seen="raises"),
    Did(":give\r", "give", seen="stakes"),
    *BESIDE,
)
PLAYED: Mapping[str, tuple[Did, ...]] = {
    "tenacity": TENACITY,
    "first-light": FIRST_LIGHT,
    "slack-water": SLACK_WATER,
    "veil-reference": REFERENCE,
    "veil-classic": CLASSIC,
    "emissaries": EMISSARIES,
}
"""What is played of each game: in a copy of its example, or in a new campaign that has the game's own name."""


def entries(folder: Path) -> list[LogEntry]:
    """The campaign's log."""
    log = Log(folder / "log")
    log.follow()
    return log.since(0)


@pytest.mark.parametrize("name", cases([*PLAYED], 0, 9))
def test_what_is_typed_is_what_is_logged(name: str, tmp_path: Path, home: Path) -> None:
    """Each act by its keys is one entry in its words and with its dice, on the screen once it is in the log."""
    waylog, folder = CommandLine(tmp_path), tmp_path / name
    if name in names():
        waylog.done("new", name, "--system", name)
    terminal = opened(name, tmp_path, home, 120, 40)
    try:
        terminal.until(lambda text: "Ship" in text)
        before = len(entries(folder))
        for count, did in enumerate(PLAYED[name], before + 1):
            terminal.press(did.keys)
            try:
                terminal.until(partial(shows, folder, did.seen, count))
            except AssertionError as failure:
                logged = [(entry.words, entry.faces) for entry in entries(folder)[before:]]
                failure.add_note(f"expected “{did.seen}” on screen, and {count - before} entries; the log has {logged}")
                raise
        terminal.press("q")
        assert terminal.end() == 0
    finally:
        terminal.close()
    told = [(entry.words, entry.faces) for entry in entries(folder)[before:]]
    assert told == [(did.act, did.faces) for did in PLAYED[name]]
    assert waylog.json("check", name)["problems"] == []


def test_every_game_is_played() -> None:
    """None is left out that there is."""
    examples = locations(None, {"HOME": "/"}).examples
    played = {
        name if name in names() else system_of(Document.parse((examples / name / FILE).read_bytes(), FILE)).id
        for name in PLAYED
    }
    assert played == set(names()), f"PLAYED should have {set(names()) - played}"


def shows(folder: Path, seen: str, count: int, text: str) -> bool:
    """So many acts are in the log, and that is on the screen."""
    return seen in text and len(entries(folder)) == count
