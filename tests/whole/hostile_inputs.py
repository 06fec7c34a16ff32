"""What campaign files and folders have been found to hold, or may be made to: one row a class, and what is to come of it.

Each way of a class is applied to a sound campaign: as the bytes of its file, or by something done to its folder.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CAMPAIGN = """\
format = 1
name = "Night post"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"
about = "Old"
focus = 1

[ship.core]
HUL = 2

[crew.mara]
name = "Mara"
vitality = 2
advancements = ["expert"]
aboard = true

[clocks.hull-breach]
name = "Hull breach"
kind = "catastrophe"
segments = 6
filled = 1
"""
FILE = "campaign.toml"
LARGE = 9 * 1024 * 1024

How = bytes | str | Callable[[Path], None]
"""The file's bytes; its text; or what is done to the folder it lies in."""


@dataclass(frozen=True)
class Refused:
    """It is not opened: there is a place, as `line:column`, and what is wrong in these words."""

    place: str
    said: str


@dataclass(frozen=True)
class Named:
    """It is opened, and what is wrong is told with its place."""

    place: str
    said: str


@dataclass(frozen=True)
class Sound:
    """It is opened, and nothing is wrong; it is shown so that nothing in it hides or steers."""


@dataclass(frozen=True)
class Way:
    """One way of going wrong, and what is to come of it."""

    how: How
    expected: Refused | Named | Sound
    folder: str = "night-post"
    """What the campaign's folder is called."""

    def do_to(self, folder: Path) -> None:
        """Let it happen to a folder with a sound campaign."""
        match self.how:
            case bytes():
                (folder / FILE).write_bytes(self.how)
            case str():
                (folder / FILE).write_text(self.how, encoding="utf-8", newline="")
            case _:
                self.how(folder)


@dataclass(frozen=True)
class Class:
    """One class of hostile input."""

    number: int
    name: str
    ways: tuple[Way, ...]


def _with(old: str, new: str) -> str:
    """The sound campaign with one part of it changed."""
    assert CAMPAIGN.count(old) == 1, old
    return CAMPAIGN.replace(old, new)


def _more(text: str) -> str:
    """The sound campaign and something after it."""
    return f"{CAMPAIGN}{text}"


def _linked(target: str) -> Callable[[Path], None]:
    """In the file's place, a link to somewhere else."""

    def link(folder: Path) -> None:
        (folder / FILE).unlink()
        (folder / FILE).symlink_to(target)

    return link


def _instead(make: Callable[[Path], object], name: str = FILE) -> Callable[[Path], None]:
    """In the place of a file of the campaign, what `make` makes there."""

    def replaced(folder: Path) -> None:
        path = folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        make(path)

    return replaced


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path may be no longer than a hundred bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _dated(seconds: int) -> Callable[[Path], None]:
    """The file is as old as that."""

    def dated(folder: Path) -> None:
        os.utime(folder / FILE, (seconds, seconds))

    return dated


def _twice(folder: Path) -> None:
    os.link(folder / FILE, folder.with_name("the-same.toml"))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 * 1024**3)


def _moved_out(folder: Path) -> None:
    """The file lies outside of the campaign, which links to it."""
    elsewhere = folder.with_name("elsewhere.toml")
    (folder / FILE).rename(elsewhere)
    (folder / FILE).symlink_to(elsewhere)


def _crew(*keys: str) -> str:
    """The sound campaign and people of these keys."""
    return _more("".join(f'[crew.{key}]\nname = "Somebody"\n' for key in keys))


def _spoken(text: str) -> str:
    """The sound campaign with a clock that is to do something when it fills."""
    return _with("filled = 1", f'filled = 1\nwhen_full = "{text}"')


_NO_SYSTEM = Refused("1:1", "system is missing. Set it to one of")
_NOT_A_NUMBER = "should be a whole number from 0 to 6"
_TOO_DEEP = "tables and arrays are nested too deeply: Waylog can read at most 100 levels"
_LONG = "the number has too many digits to be read"
_AGAIN = "there is no such file"

CLASSES: tuple[Class, ...] = (
    # Text
    Class(1, "an empty file", (Way(b"", _NO_SYSTEM),)),
    Class(2, "comments and nothing else", (Way("# Night post\n\n# to come\n", _NO_SYSTEM),)),
    Class(3, "a byte order mark and nothing else", (Way(b"\xef\xbb\xbf", _NO_SYSTEM),)),
    Class(4, "a byte order mark in front", (Way(f"\ufeff{CAMPAIGN}", Sound()),)),
    Class(
        5,
        "UTF-16",
        (
            Way(CAMPAIGN.encode("utf-16"), Refused("1:1", "the file is UTF-16: save it as UTF-8")),
            Way(b"\xfe\xff" + CAMPAIGN.encode("utf-16-be"), Refused("1:1", "the file is UTF-16: save it as UTF-8")),
            Way(CAMPAIGN.encode("utf-16-le"), Refused("1:2", "")),
        ),
    ),
    Class(
        6, "Latin-1", (Way(_with("Old", "\xc4lt").encode("latin-1"), Refused("8:10", "the byte 0xC4 is not UTF-8")),)
    ),
    Class(
        7, "a bad byte in a comment", (Way(CAMPAIGN.encode() + b"# \xff\n", Refused("25:3", "the byte 0xFF is not")),)
    ),
    Class(8, "a NUL in a text", (Way(_with("Old", "O\0d"), Refused("8:11", "illegal character")),)),
    Class(
        9,
        "NULs where a crash has left them",
        (Way(bytes(4096), Refused("1:1", "")), Way(CAMPAIGN.encode() + bytes(512), Refused("25:1", ""))),
    ),
    Class(10, "line ends of carriage returns alone", (Way(CAMPAIGN.replace("\n", "\r"), Refused("1:11", "")),)),
    Class(11, "line ends of both kinds", (Way(CAMPAIGN.replace("\n", "\r\n", 5), Sound()),)),
    Class(12, "no last line end", (Way(CAMPAIGN.rstrip("\n"), Sound()),)),
    Class(
        13,
        "marks of a merge",
        (Way(_with("focus = 1\n", "<<<<<<< HEAD\nfocus = 1\n=======\nfocus = 2\n>>>>>>> x\n"), Refused("9:1", "")),),
    ),
    Class(
        14,
        "cut short, anywhere",
        (
            Way(CAMPAIGN[:20], Refused("2:10", "")),
            Way(CAMPAIGN[:31], _NO_SYSTEM),
            Way(CAMPAIGN[: CAMPAIGN.index("vitality")] + "vit", Refused("16:4", "")),
            Way(CAMPAIGN[: CAMPAIGN.index("[clocks")] + "[clo", Refused("20:5", "")),
        ),
    ),
    Class(
        15,
        "a text or a list without an end",
        (
            Way(_with('"Old"', '"Old'), Refused("8:13", "")),
            Way(_with('"Old"', '"""Old'), Refused("25:1", "")),
            Way(_with('["expert"]', '["expert"'), Refused("18:1", "")),
        ),
    ),
    Class(
        16,
        "a key or a table twice",
        (
            Way(_with("focus = 1", "focus = 1\nfocus = 2"), Refused("10:10", "this key appears twice in its table")),
            Way(_more("[ship]\n"), Refused("25:6", "twice")),
        ),
    ),
    Class(17, "a table after a list of the name", (Way(_more("[crew.mara.advancements]\n"), Refused("25:24", "")),)),
    Class(18, "a list of tables after a table of the name", (Way(_more("[[ship]]\n"), Refused("25:7", "")),)),
    Class(
        19,
        "what only TOML 1.1 allows",
        (
            Way(_with("Old", "\\e[2J"), Refused("8:12", "")),
            Way(_with("HUL = 2", "HUL = 2\nx = { y = 1, }"), Refused("13:14", "")),
            Way(_more("at = 07:32\n"), Refused("25:7", "")),
        ),
    ),
    Class(
        20,
        "odd line separators",
        (
            Way(_with("focus = 1", "focus =\u2028 1"), Refused("9:8", "")),
            Way(_with("focus = 1", "focus = 1\x85"), Refused("9:10", "")),
            Way(_with("focus = 1", "focus =\v1"), Refused("9:8", "")),
            Way(_with("Old", "Old\u2028\x85"), Sound()),
        ),
    ),
    Class(21, "digits of other scripts", (Way(_with("focus = 1", "focus = 1\u0660"), Refused("9:10", "")),)),
    # Values
    Class(22, "a text for a number", (Way(_with("focus = 1", 'focus = "1"'), Refused("9:9", _NOT_A_NUMBER)),)),
    Class(23, "a number for a text", (Way(_with('"Old"', "3"), Refused("8:9", "should be text in quotes")),)),
    Class(24, "a table for a value", (Way(_with("focus = 1", "focus = { a = 1 }"), Refused("9:9", _NOT_A_NUMBER)),)),
    Class(
        25,
        "a list for a table",
        (
            Way(
                _with("[ship.core]\nHUL = 2", "core = [2]"),
                Refused("11:8", "core can't be a list: it should be a table"),
            ),
            Way(_with("[crew.mara]", "[[crew]]"), Refused("14:3", "crew can't be a list: it should be a table")),
        ),
    ),
    Class(
        26,
        "true for 1, and 1 for true",
        (
            Way(_with("focus = 1", "focus = true"), Refused("9:9", _NOT_A_NUMBER)),
            Way(_with("aboard = true", "aboard = 1"), Refused("18:1", "should be true or false")),
            Way(
                _with("format = 1", "format = true"),
                Refused("1:1", "format can't be true: the only possible value is 1"),
            ),
        ),
    ),
    Class(
        27, "a fraction for a whole number", (Way(_with("focus = 1", "focus = 1.0"), Refused("9:9", _NOT_A_NUMBER)),)
    ),
    Class(
        28,
        "numbers that are none",
        tuple(
            Way(_with("focus = 1", f"focus = {number}"), Refused("9:9", f"focus can't be {number}: "))
            for number in ("nan", "inf", "-inf", "-0.0")
        ),
    ),
    Class(
        29,
        "numbers of more than 64 bits",
        tuple(Way(_with("focus = 1", f"focus = {2**power}"), Refused("9:9", _NOT_A_NUMBER)) for power in (63, 70)),
    ),
    Class(
        30,
        "numbers of more than 4,300 digits",
        (
            Way(_with("focus = 1", f"focus = {'9' * 4301}"), Refused("9:9", _LONG)),
            Way(_with("segments = 6", f"segments = 0x{'f' * 4301}"), Refused("23:12", _LONG)),
            Way(_with("format = 1", f"format = 0b{'1' * 20_000}"), Refused("1:10", _LONG)),
            Way(_with('"0001:0"', f'"0001:{"9" * 4301}"'), Refused("4:7", "is too high: no log")),
        ),
    ),
    Class(
        31,
        "a most below nothing",
        (Way(_with("segments = 6", "segments = -6"), Refused("23:1", "segments can't be -6")),),
    ),
    Class(
        32,
        "more than the most",
        (
            Way(_with("focus = 1", "focus = 4"), Named("9:9", "focus can't be 4: the limit is 3")),
            Way(_with("filled = 1", "filled = 7"), Named("24:1", "filled can't be 7: this clock has 6 segments")),
        ),
    ),
    Class(33, "nothing where something is divided", (Way(_with("segments = 6", "segments = 0"), Refused("23:1", "")),)),
    Class(
        34,
        "the years 0, 1 and 9999",
        (
            Way(_more("began = 0000-01-01\n"), Refused("25:9", "invalid date")),
            Way(_more("began = 0001-01-01T00:00:00+14:00\n"), Named("25:1", "unknown key began in clocks")),
            Way(_more("began = 9999-12-31T23:59:59-14:00\n"), Named("25:1", "unknown key began in clocks")),
            Way(_with('"Old"', "0001-01-01T00:00:00+14:00"), Refused("8:9", "should be text in quotes")),
        ),
    ),
    Class(
        35,
        "dates and times that there are not",
        (
            Way(_more("began = 2026-02-30\n"), Refused("25:9", "invalid date")),
            Way(_more("began = 2026-01-01T00:00:60Z\n"), Refused("25:19", "")),
            Way(_more("began = 2026-01-01T00:00:00+25:00\n"), Refused("25:28", "")),
        ),
    ),
    Class(
        36, "a date for a text", (Way(_with('"Old"', "2026-01-01"), Refused("8:9", "about can't be 2026-01-01: it")),)
    ),
    Class(
        37,
        "a time with an offset and one without",
        (Way(_more("a = 2026-01-01T00:00:00Z\nb = 2026-01-01T00:00:00\n"), Named("25:1", "unknown key a in clocks")),),
    ),
    Class(
        38,
        "keys that are empty, dotted, endless, or mean something to Python",
        (
            Way(_more('"" = 1\n'), Named("25:1", " in clocks.")),
            Way(_crew('"a.b"', '""', "__class__", "k" * 10_000), Sound()),
            Way(_more(f"{'k' * 10_000} = 1\n__init__ = 2\n"), Named("25:1", " in clocks.")),
        ),
    ),
    Class(39, "keys that nobody knows", (Way(_with("focus", "foucs"), Named("9:1", "unknown key foucs in ship")),)),
    Class(
        40,
        "keys that are not there",
        (Way(_with('system = "veil-core"\n', ""), _NO_SYSTEM), Way(_with('name = "Night post"\n', ""), Sound())),
    ),
    Class(
        41,
        "another format",
        (
            Way(_with("format = 1", "format = 2"), Refused("1:1", "Update Waylog to play")),
            Way(_with("format = 1", "format = 0"), Refused("1:1", "format can't be 0: the only possible value is 1")),
            Way(_with("format = 1", "format = -1"), Refused("1:1", "format can't be -1: the only possible value is 1")),
            Way(
                _with("format = 1", 'format = "1"'),
                Refused("1:1", 'format can\'t be "1": the only possible value is 1'),
            ),
            Way(_with("format = 1", 'format = ["\\u001b]2;x"]'), Refused("1:1", "the only possible value is 1")),
            Way(_with("format = 1\n", ""), Sound()),
        ),
    ),
    # Identity
    Class(42, "one key twice", (Way(_more('[crew."mara"]\n'), Refused("25:13", "twice")),)),
    Class(43, "keys that look the same", (Way(_crew("Mara", '"\u00e9"', '"e\u0301"'), Sound()),)),
    Class(44, "no name", (Way(_with('"Mara"', '""'), Sound()),)),
    Class(
        45,
        "a name of nothing one sees",
        (Way(_with('"Mara"', '" "'), Sound()), Way(_with('"Mara"', '"\u200b"'), Sound())),
    ),
    Class(46, "letters that look like others", (Way(_more('[crew.marc]\nname = "\u041c\u0430ra"\n'), Sound()),)),
    Class(
        47,
        "very many of one name",
        (
            Way(_crew(*(f"c{number}" for number in range(100))), Sound()),
            Way(
                _crew(*(f"c{number}" for number in range(2_000))),
                Refused("14:2", "too many things: 2,001 (the limit is 1,000)"),
            ),
        ),
    ),
    Class(
        48,
        "something that is not there is named",
        (Way(_spoken("tick nobody"), Named("25:13", "No such clock: “nobody”")),),
    ),
    Class(49, "something that names itself", (Way(_spoken("tick hull-breach"), Sound()),)),
    # Words
    Class(50, "more dice than there are", (Way(_spoken("roll 999999999d999999999"), Named("25:1", "")),)),
    Class(
        51,
        "dice without sides",
        tuple(Way(_spoken(f"roll {dice}"), Named("25:1", "")) for dice in ("1d0", "d", "-1d6")),
    ),
    Class(52, "dice that never end", (Way(_spoken("roll 1d1!"), Named("25:1", "")),)),
    Class(53, "very many brackets", (Way(_spoken("(" * 10_000), Named("25:1", "")),)),
    Class(
        56,
        "what other programs would fill in",
        (
            Way(_with("Old", "{0.__class__} %n%s ${HOME} (a+)+$"), Sound()),
            Way(_spoken("{0.__class__}"), Named("25:1", "{0.__class__}")),
        ),
    ),
    # Size and depth
    Class(
        57,
        "a text of megabytes",
        (
            Way(_with("Old", "x" * LARGE), Refused("1:1", "Waylog reads and writes only files of up to")),
            Way(_with("Old", "x" * 1_000_000), Sound()),
        ),
    ),
    Class(
        58,
        "very many keys",
        (
            Way(
                _more("".join(f"k{number} = 1\n" for number in range(500))),
                Named("25:1", "unknown key k0 in clocks"),
            ),
            Way(
                _more("".join(f"k{number} = 1\n" for number in range(20_000))),
                Refused("20:2", "too many things: 20,004 (the limit is 1,000)"),
            ),
        ),
    ),
    Class(
        59,
        "very deep",
        (
            Way(_more(f"x = {'[' * 95}{']' * 95}\n"), Named("25:1", "unknown key x in clocks")),
            Way(_more(f"x = {'[' * 100}{']' * 100}\n"), Refused("25:1", _TOO_DEEP)),
            Way(_more(f"x = {'[' * 1_000}{']' * 1_000}\n"), Refused("25:1", _TOO_DEEP)),
            Way(_more(f"{'.'.join('a' * 5_000)} = 1\n"), Refused("25:1", _TOO_DEEP)),
        ),
    ),
    Class(
        60,
        "a file of many megabytes",
        (Way(b"#" * 50 * 1024**2, Refused("1:1", "Waylog reads and writes only files of up")),),
    ),
    # Files
    Class(
        61,
        "links",
        (
            Way(_moved_out, Sound()),
            Way(_linked("../../../../../../../../../../etc/passwd"), Refused("1:", "")),
            Way(_linked("/etc/passwd"), Refused("1:", "")),
            Way(_linked("~/campaign.toml"), Refused("1:1", _AGAIN)),
            Way(_linked("nowhere"), Refused("1:1", _AGAIN)),
            Way(_linked(FILE), Refused("1:1", "its symbolic links form a loop")),
        ),
    ),
    Class(
        62,
        "what is no file",
        (
            Way(_instead(os.mkfifo), Refused("1:1", "can't be read: it is a device or pipe")),
            Way(_instead(_socket), Refused("1:1", "can't be read: it is a socket or pipe")),
            Way(_linked("/dev/zero"), Refused("1:1", "can't be read: it is a device or pipe")),
            Way(_linked("/dev/null"), Refused("1:1", "can't be read: it is a device or pipe")),
            Way(_linked("/proc/self/status"), Refused("1:", "")),
            Way(_instead(_sparse), Refused("1:1", "Waylog reads and writes only files of up to")),
            Way(_instead(os.mkfifo, "log/0001.toml"), Sound()),
            Way(_instead(os.mkfifo, "history/written"), Sound()),
        ),
    ),
    Class(
        63,
        "a folder for a file, and a file for a folder",
        (
            Way(_instead(Path.mkdir), Refused("1:1", "can't be read: it is a folder")),
            Way(_instead(Path.touch, "log"), Sound()),
            Way(_instead(Path.touch, "history"), Sound()),
            Way(_instead(Path.mkdir, ".lock"), Sound()),
        ),
    ),
    # Rights, and disks that are full, broken or only to be read, are met call by call in `torture/calls.py` and `full.py`.
    Class(
        64,
        "a file that the disk won't give",
        (Way(_linked("/proc/self/mem"), Refused("1:1", "the disk reports an error")),),
    ),
    Class(
        65,
        "odd names of folders",
        tuple(
            Way(CAMPAIGN, Sound(), folder)
            for folder in ("two\nlines", "\x1b]2;x\x07", "\udcff\udcfe", "n" * 255, "-rf", "\u202egnol", "[red]x")
        ),
    ),
    Class(
        66,
        "odd times, and a file of two names",
        (Way(_dated(0), Sound()), Way(_dated(4_300_000_000), Sound()), Way(_twice, Sound())),
    ),
)
"""By their numbers. Tables and decks that draw from themselves (54) or from each other without end (55) are with those."""
