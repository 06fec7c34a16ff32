"""Text that would steer a terminal or a widget, in every field where text can stand, on every screen and in every output.

The fields are found in the schema. In each run every field holds another payload; over all runs every field held each.
"""

from __future__ import annotations

import re
import select
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from bench.terminal import NotShown
from torture.campaigns import FILE, SYSTEM, made
from torture.figures import Harness, Tally, Work
from torture.seat import FIRST, Seat, app, environment
from waylog.rules.game import Game
from waylog.rules.systems import system
from waylog.signs import escape_controls
from waylog.store.file.campaign_file_tables_and_scene_cards import TABLES
from waylog.toml.values import format_key, format_value

T = TypeVar("T")
_EDGE = "zq"
"""Stands on both sides of each payload, and nowhere else."""
CONTROLS = (
    "\x1b[7777h",
    "\x1b]52;c;enE=\x07",
    "\x1b]2;zqtitle\x07",
    "\x1bPzq\x1b\\",
    "\x9b31m",
    "\x9d0;zq\x9c",
    "\x07",
    "\x08\x08",
    "\r",
    "\x0c",
    "\x7f",
    "\x0e",
    "\u202e",
    "\u200b",
    "\U000e0041",
)
MARKUP = (
    "[red]x[/red]",
    "[/]",
    "[/red]",
    "[@click=app.leave]x[/]",
    "[@click='app.leave']x",
    "[link=http://x.example]y[/link]",
    "[bold",
    "[d20]",
    "[a=b]",
    "[5/10]",
    "[]",
    "[[x]]",
    "\\[x]",
    "{0.__class__}",
    "%n%s%d",
    "[on red]x",
    "[$error]x[/]",
    "`**b**` :smile:",
)
PAYLOADS = (*CONTROLS, *MARKUP)
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
"""What a terminal takes for an order."""
_WALK = (
    ":",
    "note ",
    "\x1b",
    "r",
    "\x1b",
    "\r",
    "\x1b",
    "\x1b[B",
    "\x1b[B",
    "\r",
    "\x1b",
    "\x1b[6~",
    "?",
    "\x1b",
    "c",
    "\x1b",
)
"""Keys on each view: the line, a roll, what can be done with a row, further rows, the keys, a clock."""
_PLAYERS_WALK = ("", "\x1b[6~", "\t", "\x1b[B")
_PAUSES = (0.3, 0.6, 1.2, 2.4, 4.8)
"""Seconds from key to key, try by try: what comes right behind Escape is read together with it, on a slow machine for longer."""
_WATCHED = 2.0
"""Seconds until a command that goes on is ended, once it has said something."""
_INTERRUPTED = 130
"""The exit code of a command that was ended by Ctrl+C."""
_PATIENCE = 120.0
"""Seconds in which any other command has ended, and one that goes on has begun."""
_LOOKED_AT = 2.0
"""Seconds in which the app has seen an edit: it looks twice a second."""
_TASTED = 14
"""One view or command of so many is a taste."""
_WRONGS = ("raw bytes", "actions", "crashes", "not as written")


def run(work: Work) -> Iterator[Tally]:
    """Screens first, then the command line."""
    runs, fields = work.times(len(PAYLOADS), 1, 1), 0
    screens = Tally("payloads × text fields × screens", "combinations drawn", _WRONGS)
    outputs = Tally("payloads × text fields × outputs", "combinations printed", _WRONGS)
    turns = [work.seed % len(PAYLOADS) + turn * (len(PAYLOADS) // runs) for turn in range(runs)]
    for turn in turns:
        campaign = made(work.folder / f"campaign-{turn}")
        fields = _filled(campaign / FILE, turn)
        _on_screens(work, campaign, fields, screens)
        _printed(work, campaign, fields, outputs)
    for tally in (screens, outputs):
        tally.also["payloads"], tally.also["fields"] = len(PAYLOADS), fields
    yield screens
    yield outputs


# -- the campaign -----------------------------------------------------------------------------------------------------


def _filled(file: Path, turn: int) -> int:
    """Give every field of the campaign's files that can hold text another payload. Gives how many there are."""
    count = 0

    def text() -> str:
        nonlocal count
        count += 1
        return _payload(turn + count)

    def tree(schema: Mapping[str, Any]) -> Any:
        if "properties" in schema:
            return {key: tree(value) for key, value in schema["properties"].items() if _holds_text(value)}
        if "additionalProperties" in schema:
            return {key: tree(schema["additionalProperties"]) for key in ("one", "two", text())}
        return 1 if schema.get("type") == "integer" else text()

    def lines(number: int) -> list[Any]:
        return [{"text": f"d6 {text()}", "table": text(), "effect": text()}, *(text() for _ in range(number - 1))]

    folder = file.parent / TABLES
    folder.mkdir()
    for name, entries in (("one", {"entries": lines(6)}), ("two", {"sections": {text(): lines(6) for _ in range(6)}})):
        values = {"name": text(), "notes": text(), "seen": name == "two", text(): "not known here", **entries}
        (folder / f"{name}{text().replace('/', '')}.toml").write_text("".join(_written(values)), encoding="utf-8")
    known = Game(system(SYSTEM)).schema()
    values = tree(known) | {"format": 1, "system": SYSTEM, "log": "0001:0", text(): "not known here"}
    file.write_text("".join(_written(values)), encoding="utf-8")
    return count


def _payload(number: int) -> str:
    return f"{_EDGE}{PAYLOADS[number % len(PAYLOADS)]}{_EDGE}"


def _holds_text(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "object" or (schema.get("type") == "string" and "enum" not in schema)


def _written(values: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[str]:
    """A table in TOML, its own values first."""
    if above:
        yield f"[{format_key(above)}]\n"
    for key, value in values.items():
        if not isinstance(value, dict):
            yield f"{format_key((key,))} = {format_value(value)}\n"
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _written(value, (*above, key))


# -- on screens -------------------------------------------------------------------------------------------------------


def _on_screens(work: Work, campaign: Path, fields: int, tally: Tally) -> None:
    """Look at everything, click on everything, and leave by the key."""
    where = campaign.name
    with app(work.folder, campaign) as seat:
        try:
            tally.did(fields * _looked(seat, campaign / FILE, _some(work, _views())))
        except NotShown as ended:
            tally.wrong("actions" if "went wrong" not in str(ended) else "crashes", f"{where}: {str(ended).strip()}")
        else:
            if (code := _left(seat)) != 0:
                tally.wrong("crashes", f"{where}: it ended with {code}: {seat.said[-400:]!r}")
        for found in _raw(bytes(seat.raw)):
            tally.wrong("raw bytes", f"{where}: {found}")
    with app(work.folder, campaign, verb="watch") as seat:
        try:
            tally.did(fields * _watched(seat))
        except NotShown as ended:
            tally.wrong("actions" if "went wrong" not in str(ended) else "crashes", f"{where}: {str(ended).strip()}")
        else:
            if (code := _left(seat)) != 0:
                tally.wrong("crashes", f"{where}: the players' window ended with {code}: {seat.said[-400:]!r}")
        for found in _raw(bytes(seat.raw)):
            tally.wrong("raw bytes", f"{where}: in the players' window: {found}")


def _views() -> str:
    """The key of each view."""
    from waylog.ui.draw.window_layout_and_key_names import (
        TABS,  # with Textual, which the other harnesses start faster without
    )

    return "".join(str(number) for number, _ in enumerate(TABS, 1))


def _some(work: Work, points: Sequence[T]) -> Sequence[T]:
    """Every point; for a taste one of so many, which the seed says."""
    stride = work.times(1, 1, _TASTED)
    return points[work.seed % min(stride, len(points)) :: stride]


def _looked(seat: Seat, file: Path, views: Sequence[str]) -> int:
    """Go to each view and do something there; then change a text by hand. Gives how often the screen was looked at."""
    seat.shown(FIRST)
    looks = 0
    for view in views:
        seat.type(view)
        for key in ("", *_WALK):
            seat.type(key)
            seat.settled(0.03)
            looks += 1
            _clicked(seat)
        seat.left_alone(0.3)  # what comes right before or behind Escape would be read together with it
        seat.type("\x1b")
        seat.left_alone(0.1)
    if "WHAT IF" in seat.text:  # A click may lead there, and a copy sees no edit.
        seat.type("~")
        seat.settled(0.3)
    _edited(file)
    _in_the_log(seat)
    seat.type("\x1b")
    seat.settled(0.05)
    return looks


def _in_the_log(seat: Seat) -> None:
    """Go to the log and see the edit there, with Escape and the key once more where one was not heard. Raises `NotShown`.

    What was typed is thrown away only by a second Escape, and a search of the help before either.
    """
    for pause in _PAUSES:
        for key in ("\x1b", "\x1b", "\x1b", "3"):
            seat.left_alone(pause)
            seat.type(key)
        with suppress(NotShown):
            seat.shown("by hand", pause + _LOOKED_AT)
            return
    seat.shown("by hand")


def _left(seat: Seat) -> int | None:
    """Leave as a person does, who presses Escape and the key once more where one was not heard. Gives the exit code."""
    for pause in _PAUSES:
        for key in ("\x1b", "\x11"):
            seat.left_alone(pause)
            with suppress(NotShown):
                seat.type(key)
        if (code := seat.ended(pause + 3)) is not None:
            return code
    return None


def _watched(seat: Seat) -> int:
    """Look at all that players see."""
    seat.shown(_EDGE)
    for key in _PLAYERS_WALK:
        seat.type(key)
        seat.settled(0.03)
        _clicked(seat)
    seat.type("?")
    seat.left_alone(0.5)
    seat.type("\x1b")
    return len(_PLAYERS_WALK) + 1


def _clicked(seat: Seat) -> None:
    """Click on every payload that is on the screen, and still there: a click may open what has other words in its place."""
    for row, line in enumerate(seat.text.splitlines()):
        for found in re.finditer(_EDGE, line):
            if seat.text.splitlines()[row : row + 1] != [line]:
                break
            column = found.end() + 2
            seat.type(f"\x1b[<0;{column};{row + 1}M\x1b[<0;{column};{row + 1}m")
            seat.settled(0.03)


def _edited(file: Path) -> None:
    """A person changes a text while it is open."""
    edited = re.sub(r'^about = "', 'about = "by hand ', file.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
    beside = file.with_name("edited~")
    beside.write_text(edited, encoding="utf-8")
    beside.replace(file)


def _raw(output: bytes) -> Iterator[str]:
    """Each payload that reached the terminal as it was, and each character that nobody can see."""
    for payload in CONTROLS:
        if payload.encode() in output and (payload.startswith("\x1b") or f"{_EDGE}{payload}".encode() in output):
            near = output[max(0, output.find(payload.encode()) - 20) :][:60]
            if payload != "\r" or f"{_EDGE}\r{_EDGE}".encode() in output:
                yield f"{payload!r} in {near!r}"
    text = _SEQUENCE.sub("", output.decode("utf-8", errors="surrogateescape"))
    unseen = {
        char for char in text if char not in "\r\n" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    yield from (
        f"U+{ord(char):04X} near {text[max(0, text.find(char) - 20) :][:40]!r}" for char in sorted(unseen - {"\u200d"})
    )


# -- printed ----------------------------------------------------------------------------------------------------------


def _printed(work: Work, campaign: Path, fields: int, tally: Tally) -> None:
    """Everything that the command line can say about the campaign, and about words that hold payloads."""
    name, number = campaign.name, int(campaign.name.rpartition("-")[2])
    payload = _payload(number)
    commands = [
        ("show", name),
        ("moves", name),
        ("check", name),
        ("do", name, "note", payload),
        ("do", name, f'clock "{payload}" 4 push'),
        ("do", name, payload),
        ("odds", name, f"roll {payload}"),
        ("log", name, "-n", "0"),
        ("undo", name),
        ("recap", name),
        ("recap", name, "--secrets"),
        ("conflicts", name),
        ("restore", name),
        ("why", name, "ship.name"),
        ("why", name, payload),
        ("watch", name),
        ("watch", name, "--lines"),
        ("players", name),
        ("join", name, "--as", payload),
        ("game", "check", payload),
        ("rule", name, payload),
        ("help", payload),
        ("convert", name, "--system", "veil-2026"),
        (payload,),
        ("show", payload),
        ("new", payload, "--system", payload),
        ("do", name, "roll nav", "--dice", payload),
    ]
    for command in _some(work, commands):
        for more in ((), ("--json",)):
            done = _run(work, campaign, [*command, *more])
            tally.did(fields)
            said = f"{' '.join(command)!r}{' --json' if more else ''}"
            if (
                "Traceback" in done.stderr
                or "unexpected error" in done.stderr
                or done.returncode not in (0, 1, 2, 3, *([_INTERRUPTED] if command[0] == "watch" else []))
            ):
                tally.wrong("crashes", f"{said}: {done.returncode}, {done.stderr[-300:]!r}")
            for found in _steering(done.stdout + done.stderr):
                tally.wrong("raw bytes", f"{said}: {found}")
            if (
                command[0] == "show"
                and not more
                and name in command
                and escape_controls(_payload(number + 1)) not in done.stdout
            ):
                tally.wrong("not as written", f"{said}: {_payload(number + 1)!r}")


def _run(work: Work, campaign: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. One that goes on for as long as somebody watches is ended after its first lines."""
    command = [sys.executable, "-m", "waylog", *arguments, "--dir", str(campaign.parent)]
    running = subprocess.Popen(
        command,
        env=environment(work.folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
    )
    goes_on = arguments[0] == "watch"
    assert running.stdout
    if goes_on:  # Python itself has a word for who interrupts it while it starts.
        select.select([running.stdout], [], [], _PATIENCE)
    try:
        said, errors = running.communicate(timeout=_WATCHED if goes_on else _PATIENCE)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT if goes_on else signal.SIGKILL)
        try:
            said, errors = running.communicate(timeout=_PATIENCE)
        finally:
            running.kill()
    return subprocess.CompletedProcess(command, running.returncode, said, errors)


def _steering(text: str) -> Iterator[str]:
    """Characters of an output that are neither seen nor line ends."""
    for char in sorted(set(text) - {"\n", "\u200d"}):
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            yield f"U+{ord(char):04X} near {text[max(0, text.find(char) - 30) :][:60]!r}"


HARNESS = Harness("payloads", "control characters and markup in every field, on every screen and output", run)
