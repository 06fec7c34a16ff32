"""Damage to the log, of every kind that was thought of: each is told by `check`, by every command that acts or shows, and in the app."""

from __future__ import annotations

import errno
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import small_game, table_at, written
from waylog.store.log.entries_and_version_0_1 import LogEntry, encode_entry
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.verification import LogVerification
from waylog.ui.parts.top_bar_banner_and_log_tail import trouble

ENTRIES = 12


def _blocks(text: bytes) -> list[bytes]:
    """The title, and each block with the blank line before it."""
    return re.split(rb"(?=\n\[\[entry\]\]\n)", text)


def _cut(first: int, last: int) -> Callable[[bytes], bytes]:
    """Without these entries."""
    return lambda text: b"".join(block for n, block in enumerate(_blocks(text)) if not first <= n <= last)


def _in_order(*order: int) -> Callable[[bytes], bytes]:
    """The entries in this order, from the first of them on; those before it stay."""

    def ordered(text: bytes) -> bytes:
        blocks = _blocks(text)
        return b"".join([*blocks[: order[0] if order[0] == min(order) else min(order)], *(blocks[n] for n in order)])

    return ordered


def _in_block(number: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """One entry changed."""
    return lambda text: b"".join(change(block) if n == number else block for n, block in enumerate(_blocks(text)))


def _flipped(number: int, what: bytes, bit: int = 1) -> Callable[[bytes], bytes]:
    """One bit of the first byte of `what` in that entry is another."""

    def flip(block: bytes) -> bytes:
        at = block.index(what)
        return block[:at] + bytes([block[at] ^ bit]) + block[at + 1 :]

    return _in_block(number, flip)


def _again(number: int, words: bytes) -> Callable[[bytes], bytes]:
    """An entry replaced by another one of that number, whole and sound in itself."""

    def another(block: bytes) -> bytes:
        body = re.sub(rb'act = "[^\n]*"', b'act = "note ' + words + b'"', block[1 : block.index(b"check = ")])
        return b"\n" + body + f'check = "{zlib.crc32(body):08x}"\n'.encode()

    return _in_block(number, another)


def _numbered(number: int, other: int) -> Callable[[bytes], bytes]:
    """An entry that says another number of itself."""
    return _in_block(number, lambda block: block.replace(b"number = %d\n" % number, b"number = %d\n" % other))


def _merged(text: bytes) -> bytes:
    """What git leaves where two machines have each added entries."""
    blocks = _blocks(text)
    ours, theirs = b"".join(blocks[11:]), b"".join(blocks[11:]).replace(b"note", b"read")
    return b"".join(blocks[:11]) + b"\n<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> theirs\n"


def _marked_within(text: bytes) -> bytes:
    """Markers that split a block."""
    return _in_block(
        6, lambda block: block.replace(b"check =", b'<<<<<<< HEAD\n=======\nact = "x"\n>>>>>>> b\ncheck =')
    )(text)


class Class(NamedTuple):
    """One kind of damage, and what is to be told of it."""

    name: str
    damage: Callable[[bytes], bytes]
    told: str
    done: bool = True
    """No act is said not to have been done."""


CLASSES = (
    Class("a bit of a header is flipped", _flipped(5, b"[entry"), "entry 5 is missing here"),
    Class("a bit of a bracket is flipped", _flipped(5, b"]]\n"), "entry 5 is missing here"),
    Class("a bit of the first header is flipped", _flipped(1, b"entry"), "entry 1 is missing here"),
    Class("a bit of the last header is flipped", _flipped(12, b"entry"), "entry 12 is missing"),
    Class("a bit of the words is flipped", _flipped(5, b"note"), "changed after it was written"),
    Class("a bit of a key is flipped", _flipped(5, b"act"), "can't be read"),
    Class("a bit of a number is flipped", _flipped(5, b"5\n"), "entry 4 is here twice"),
    Class("a bit of the word number is flipped", _flipped(5, b"number"), "it has no 'number'"),
    Class("a bit of a date is flipped", _flipped(5, b"2026-", 64), "can't be read"),
    Class(
        "a digit of a checksum is another",
        _in_block(5, lambda b: b[:-3] + b"%x" % (int(b[-3:-2], 16) ^ 1) + b[-2:]),
        "changed after",
    ),
    Class("a bit of the word check is flipped", _flipped(5, b"check"), "the end of a log entry is missing"),
    Class("a bit of the last word check is flipped", _flipped(12, b"check"), "entry 12 is missing"),
    Class("the high bit of a letter is set", _flipped(5, b"note", 128), "can't be read"),
    Class("a line end is flipped", _in_block(5, lambda b: b.replace(b"number = 5\n", b"number = 5K")), "can't be read"),
    Class("a block is cut out", _cut(5, 5), "entry 5 is missing here"),
    Class("several blocks are cut out", _cut(4, 7), "entries 4 to 7 are missing here"),
    Class("two stretches are cut out", lambda t: _cut(3, 3)(_cut(8, 9)(t)), "entry 3 is missing here"),
    Class("the first entries are gone", _cut(1, 4), "entries 1 to 4 are missing here"),
    Class("the last three entries are gone", _cut(10, 12), "entries 10 to 12 are missing"),
    Class("all entries are gone", _cut(1, 12), "entries 1 to 12 are missing"),
    Class("the file is empty", lambda _: b"", "entries 1 to 12 are missing"),
    Class("a block is zeros", _in_block(5, lambda block: bytes(len(block))), "entry 5 is missing here"),
    Class("the last block is zeros", _in_block(12, lambda block: bytes(len(block))), "entry 12 is missing"),
    Class("the whole file is zeros", lambda text: bytes(len(text)), "entries 1 to 12 are missing"),
    Class("a block is something else", _in_block(5, lambda _: b"\nhello\n"), "it is neither an entry nor a comment"),
    Class("a block stands there twice", _in_block(5, lambda block: block * 2), "entry 5 is here twice"),
    Class("the last block stands there twice", _in_block(12, lambda block: block * 2), "is here twice"),
    Class("two blocks are swapped", _in_order(5, 7, 6, 8, 9, 10, 11, 12), "entry 6 doesn't belong below entry 7"),
    Class("all blocks are turned round", _in_order(*range(12, 0, -1)), "doesn't belong below entry 12"),
    Class("half of it is cut off", lambda text: text[: len(text) // 2], "to 12 are missing"),
    Class("it is cut in the last entry", lambda text: text[:-20], "entry 12 is missing"),
    Class("a part in the middle is gone", lambda t: t[: len(t) // 3] + t[len(t) // 2 :], "missing here"),
    Class("git has left its markers", _merged, "conflict markers"),
    Class("git has left its markers in a block", _marked_within, "conflict markers"),
    Class("an entry of another machine", _again(5, b"else"), "entry 6 doesn't belong after this entry 5"),
    Class("a number is absurd", _numbered(12, 999999999999), "can't be read"),
    Class("a number leaps ahead", _numbered(12, 500000000), "entries 12 to 499999999 are missing here"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[bytes, bytes]]:
    """The campaign file and the log of twelve notes."""
    with small_game():
        table = table_at(written(tmp_path_factory.mktemp("sound") / "swallow"))
        for number in range(1, ENTRIES + 1):
            table.play(table.understand(f"note number-{number}"))
        assert table.settle()
        assert table.damage() == ()
        yield (table.folder / "campaign.toml").read_bytes(), (table.folder / "log" / "0001.toml").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, sound: tuple[bytes, bytes]) -> Path:
    """The campaign whose log is to be damaged."""
    file, log = sound
    made = written(tmp_path / "swallow", file)
    (made / "log").mkdir()
    (made / "log" / "0001.toml").write_bytes(log)
    return made


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: each.name)
def test_damage_is_told(folder: Path, each: Class) -> None:
    """By `check` with its place and exit code 1, by what shows and acts in a line, in the app's banner; and play goes on."""
    waylog, path = CommandLine(folder.parent), folder / "log" / "0001.toml"
    before = path.read_bytes()
    damaged = each.damage(before)
    assert damaged != before
    path.write_bytes(damaged)
    checked = waylog("check", "swallow")
    assert checked.code == 1
    assert each.told in checked.err, checked.err
    table = table_at(folder)
    assert any(each.told in str(problem) for problem in table.snapshot.problems), table.snapshot.problems
    assert trouble(table.snapshot, table.entry)
    for command in (("show", "swallow"), ("log", "swallow"), ("do", "swallow", "note on"), ("do", "swallow", "undo")):
        ran = waylog(*command)
        assert ran.code == 0
        assert "the log is damaged: " in ran.err
        assert "was not done" not in ran.err
    kept = b"".join(beside.read_bytes() for beside in (folder / "log").iterdir())
    assert damaged[:100] in kept
    assert damaged[-100:] in kept
    numbers = [entry.number for entry in table_at(folder).entries()]
    assert len(numbers) == len({*numbers})
    assert numbers[:2] == sorted(numbers[:2], reverse=True)
    assert numbers[0] >= 14


@pytest.mark.parametrize("lines", [0, 1, 2, 5, 6])
def test_an_append_that_was_cut_short_is_no_damage(folder: Path, lines: int) -> None:
    """The act that it was to write has not happened; that is told once, and the log is sound."""
    table = table_at(folder)
    block = encode_entry(table.entry(ENTRIES)).replace(b"number = 12", b"number = 13")
    with (folder / "log" / "0001.toml").open("ab") as log:
        log.write(b"\n" + b"".join(block.splitlines(keepends=True)[:lines]) + b"no")
    waylog = CommandLine(folder.parent)
    ran = waylog("do", "swallow", "note on")
    if lines:
        assert "An interrupted action was not carried out" in ran.err
        assert waylog("check", "swallow").code == 0
    assert waylog.json("do", "swallow", "note more")["entry"] == ENTRIES + 2 if lines else True


def test_a_log_of_the_first_version_is_sound(folder: Path) -> None:
    """Its entries name no checksum of the one before. Those that are written now go on behind them."""
    path = folder / "log" / "0001.toml"
    entries = [*table_at(folder).entries()][::-1]
    title = path.read_bytes().partition(b"\n")[0]
    path.write_bytes(title + b"\n\n" + b"\n".join(map(encode_entry, entries)))
    assert b"\nafter = " not in path.read_bytes()
    waylog = CommandLine(folder.parent)
    waylog.done("check", "swallow")
    waylog.done("do", "swallow", "note on")
    waylog.done("check", "swallow")
    assert path.read_bytes().count(b"\nafter = ") == 1
    path.write_bytes(_again(ENTRIES, b"else")(path.read_bytes()))
    assert "entry 13 doesn't belong after this entry 12" in waylog("check", "swallow").err


def test_a_gap_between_two_files_is_told(folder: Path) -> None:
    """A session's file that is gone is missed, also when it is the first; and one of another machine."""
    waylog, log = CommandLine(folder.parent), folder / "log"
    whole = (log / "0001.toml").read_bytes()
    title, *blocks = _blocks(whole)
    for number, part in enumerate((blocks[:4], blocks[4:9], blocks[9:]), 1):
        (log / f"{number:04}.toml").write_bytes(title + b"".join(part))
    waylog.done("check", "swallow")
    waylog.done("show", "swallow")
    second = (log / "0002.toml").read_bytes()
    (log / "0002.toml").unlink()
    for ran in (waylog("check", "swallow"), waylog("show", "swallow")):
        assert "log/0003.toml:3:1: entries 5 to 9 are missing here" in ran.err
    (log / "0002.toml").write_bytes(_again(5, b"else")(second) if b"\nnumber = 5\n" not in second else second)
    (log / "0001.toml").write_bytes(title + b"".join(blocks[:3]) + _again(1, b"else")(title + blocks[3])[len(title) :])
    assert "log/0002.toml:3:1: entry 5 doesn't belong after this entry 4" in waylog("check", "swallow").err


def test_a_large_log_is_verified_in_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a start has no time for, later looks find; nothing is read twice."""
    path = folder / "log" / "0001.toml"
    path.write_bytes(_cut(3, 3)(path.read_bytes()))
    log, read = Log(folder / "log"), list[int]()
    log.follow()
    part = LogVerification._part

    def counted(self: LogVerification, path: Path, start: int, end: int, most: int) -> bytes:
        text = part(self, path, start, end, most)
        read.append(len(text))
        return text

    monkeypatch.setattr(LogVerification, "_part", counted)
    line = path.read_bytes().partition(b"number = 4")[0].count(b"\n")
    looks = 0
    while log.verify(400):
        looks += 1
        assert len(log.problems()) in (0, 1)
    assert looks > 2
    assert [str(problem) for problem in log.problems()] == [f"log/0001.toml:{line}:1: entry 3 is missing here"]
    assert max(read) < 1200
    log.append(LogEntry(13, datetime(2026, 1, 5, tzinfo=UTC), "note"))
    assert not log.verify(400), "what this program has appended is verified as it is written"
    other = Log(folder / "log")
    other.follow()
    other.append(LogEntry(14, datetime(2026, 1, 5, tzinfo=UTC), "note"))
    log.follow()
    assert log.verify(400), "what another program has appended is read"
    assert not log.verify(400)
    assert len(log.problems()) == 1


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
@pytest.mark.parametrize("act", [("do", "swallow", "note on"), ("undo", "swallow")], ids=["an act", "an undo"])
def test_an_act_in_the_log_is_done_though_the_log_cannot_be_listed_after_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, act: tuple[str, ...], *, damaged: bool
) -> None:
    """An error of the disk behind the append never makes a command say that nothing was done."""
    path = folder / "log" / "0001.toml"
    if damaged:
        path.write_bytes(_cut(3, 3)(path.read_bytes()))
    append = Log.append

    def cannot_be_listed(log: Log) -> list[Path]:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder / "log"))

    def appended(log: Log, entry: LogEntry) -> None:
        append(log, entry)
        monkeypatch.setattr(Log, "files", cannot_be_listed)

    monkeypatch.setattr(Log, "append", appended)
    ran = CommandLine(folder.parent)(*act)
    monkeypatch.undo()
    assert ran.code == 0, ran.err
    assert "Nothing was done" not in ran.err
    assert ("entry 3 is missing here" in ran.err) == damaged
    assert table_at(folder).snapshot.entries == ENTRIES + 1


@pytest.mark.parametrize("name", ["log/0001.toml", "history/written", "log", "history"])
def test_nothing_outside_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    """A campaign from a stranger may have links in it. Where they lead, nothing is changed, whatever is played."""
    with small_game():
        folder = written(tmp_path / "swallow")
        victim = tmp_path / "victim"
        if "/" in name:
            (folder / name).parent.mkdir()
            victim.write_text("export PATH\n" * 20)
        else:
            victim.mkdir()
        (folder / name).symlink_to(victim)
        waylog = CommandLine(tmp_path)
        codes = [waylog("do", "swallow", "note on"), waylog("do", "swallow", "note again"), waylog("recap", "swallow")]
        if victim.is_file():
            assert victim.read_text() == "export PATH\n" * 20
        else:
            assert not [*victim.iterdir()]
        if name.startswith("log"):
            assert codes[0].code == 1
            assert "is a symbolic link, which is not allowed here. Nothing was done" in codes[0].err
        else:
            assert codes[0].code == 0
        assert not [path for path in folder.rglob("*") if "torn" in path.name]


def test_a_pipe_in_the_place_of_the_log_keeps_nobody_waiting(folder: Path) -> None:
    """A pipe in place of the log is refused in words, under an open table too, and the campaign is let go."""
    table = table_at(folder)
    path = folder / "log" / "0001.toml"
    path.unlink()
    os.mkfifo(path)
    ran = CommandLine(folder.parent)("do", "swallow", "note on")
    assert (ran.code, "is a pipe, not a file. Nothing was done" in ran.err) == (1, True)
    table.refresh()
    assert table.snapshot.asked
    assert "The log is missing, but this window has seen entry 12" in table.snapshot.asked.about
    path.unlink()
    waylog = CommandLine(folder.parent)
    assert waylog("do", "swallow", "note on").code == 0


def test_a_log_without_end_is_not_read(folder: Path) -> None:
    """A sparse file of three gigabytes is refused by its size, before the app starts and under it."""
    table = table_at(folder)
    os.truncate(folder / "log" / "0001.toml", 3 * 1024**3)
    waylog = CommandLine(folder.parent)
    for command in (("show",), ("do", "note on"), ("log",), ("check",)):
        ran = waylog(command[0], "swallow", *command[1:])
        assert ran.code == 1
        assert "0001.toml is 3,221,225,472 bytes long, but the limit is 67,108,864" in ran.err
    with pytest.raises(Exception, match="the limit is"):
        table.play(table.understand("note on"))


def test_numbers_do_not_run_away(folder: Path) -> None:
    """A number that no log reaches is damage, and never comes into the campaign's own mark; at the last number, play stops."""
    waylog, path = CommandLine(folder.parent), folder / "log" / "0001.toml"
    path.write_bytes(_numbered(12, 999999999999)(path.read_bytes()))
    for number in (13, 14):
        assert waylog("do", "swallow", "note on", "--json").data["entry"] == number
    assert 'log = "0001:14"' in (folder / "campaign.toml").read_text()
    path.write_bytes(_numbered(14, 10**9)(path.read_bytes()))
    ran = waylog("do", "swallow", "note on")
    assert (ran.code, "entry numbers can't go above 1,000,000,000" in ran.err) == (1, True)
    assert waylog("show", "swallow").code == 0


def test_a_gap_that_is_known_is_not_told_again(folder: Path) -> None:
    """A remark in the log says so; one of other entries does not."""
    waylog, path = CommandLine(folder.parent), folder / "log" / "0001.toml"
    gap = _cut(4, 6)(path.read_bytes())
    path.write_bytes(_in_block(6, lambda block: b"\n# Known to be missing: 4-5\n" + block)(gap))
    told = waylog("check", "swallow").err
    assert (
        "entries 4 to 6 are missing here. If that is all right, add the line “# Known to be missing: 4-6” here" in told
    )
    assert "entries 4 to 6 are missing" in waylog("show", "swallow").err
    path.write_bytes(_in_block(6, lambda block: b"\n# Known to be missing: 4-6\n" + block)(gap))
    waylog.done("check", "swallow")
    waylog.done("show", "swallow")


def test_a_campaign_that_came_without_its_log_is_sound(folder: Path) -> None:
    """Until it has been played on here: then a log that is gone is missed."""
    shutil.rmtree(folder / "log")
    waylog = CommandLine(folder.parent)
    waylog.done("check", "swallow")
    waylog.done("do", "swallow", "note on")
    waylog.done("do", "swallow", "note again")
    waylog.done("check", "swallow")
    shutil.rmtree(folder / "log")
    for command in ("check", "show"):
        assert "but there is no log: entries 1 to 14 are missing" in waylog(command, "swallow").err


def test_an_old_file_that_can_not_be_read_keeps_nobody_from_playing(folder: Path) -> None:
    """It is told of, and its entries are not said to be missing."""
    log = folder / "log"
    title, *blocks = _blocks((log / "0001.toml").read_bytes())
    (log / "0002.toml").write_bytes(title + b"".join(blocks[6:]))
    os.truncate(log / "0001.toml", 3 * 1024**3)
    waylog = CommandLine(folder.parent)
    for ran in (waylog("do", "swallow", "note on"), waylog("show", "swallow"), waylog("check", "swallow")):
        assert "log/0001.toml:1:1: can't be read: 0001.toml is 3,221,225,472 bytes long" in ran.err
        assert "missing" not in ran.err
    assert ran.code == 1


def test_an_act_verifies_what_was_appended_and_looks_at_no_other_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Years of play make it no slower: the other files have been looked at, and will be again."""
    log, other = Log(folder / "log"), Log(folder / "log")
    for each in (log, other):
        each.follow()
    while log.verify(4000):
        pass
    for number in (13, 14):
        other.append(LogEntry(number, datetime(2026, 1, 5, tzinfo=UTC), "note"))
    path = folder / "log" / "0001.toml"
    path.write_bytes(path.read_bytes().replace(b"number = 13\n", b"number = 12\n"))
    monkeypatch.setattr(Log, "files", lambda _: pytest.fail("the files are listed"))
    log.follow()
    assert log.problems() == ()
    log.verify_newest(4000)
    assert any("entry 12" in str(problem) or "entry 13" in str(problem) for problem in log.problems())
