"""Whatever bytes a terminal sends, the next key works, and nothing that was pasted acts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events

from tests.kit.app import CAMPAIGN
from tests.kit.table import written
from tests.kit.terminal import Terminal, opened
from tests.kit.thorough import examples
from waylog.app.keyboard_and_pastes import Keyboard

UNREADABLE = {
    "a Latin-1 letter": (b"\xe9",),
    "half a character": (b"\xc3",),
    "an emoji byte by byte": (b"\xf0", b"\x9f", b"\x9a", b"\x80"),
    "a key beyond Unicode": (b"\x1b[1114112u",),
    "a key beyond all numbers": (b"\x1b[55555555555555u",),
    "a modified key beyond Unicode": (b"\x1b[27;5;9999999~",),
    "a cursor beyond all screens": (b"\x1b[99999999999R",),
    "a mouse on a screen without size": (b"\x1b[48;0;0;0;0t", b"\x1b[<0;5;5M"),
    "a surrogate": (b"\x1b[55296u",),
    "every byte there is": (bytes(byte for byte in range(128, 256)),),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a campaign."""
    return written(tmp_path / "tenacity", CAMPAIGN)


@pytest.fixture(params=["open", "watch"])
def window(request: pytest.FixtureRequest, folder: Path, home: Path) -> Iterator[Terminal]:
    """The wayfinder's window, and the players'."""
    # A table that a flood happens to make opens no editor.
    running = opened("tenacity", folder.parent, home, command=request.param, variables={"EDITOR": "true"})
    running.until(lambda text: "?" in text)
    yield running
    running.close()


@pytest.fixture
def terminal(folder: Path, home: Path) -> Iterator[Terminal]:
    """The app on a campaign."""
    running = opened("tenacity", folder.parent, home)
    running.until(lambda text: "CORE" in text)
    yield running
    running.close()


def entries(folder: Path) -> int:
    """How much has been played."""
    log = folder / "log" / "0001.toml"
    return log.read_text().count("[[entry]]") if log.exists() else 0


def shows_keys(text: str) -> bool:
    """The list of keys lies over the window."""
    return "Esc close" in text or "Switch theme" in text


def test_keys_work_after_bytes_that_mean_nothing(window: Terminal) -> None:
    """They are dropped, and the key behind them is answered: `?` shows the keys, and Escape closes them."""
    for what, pieces in UNREADABLE.items():
        window.send(*pieces, b"?")
        window.until(shows_keys, what)
        window.press("\x1b")
        window.until(lambda text: not shows_keys(text), what)
    window.press("q")
    assert window.end() == 0


def test_a_character_in_two_reads_is_one_character(terminal: Terminal, folder: Path) -> None:
    """As a slow line may send it."""
    terminal.send(b":note caf", b"\xc3", b"\xa9 \xf0", b"\x9f", b"\x9a\x80", b"\r")
    terminal.until(lambda text: "note" in text and "café" in text and "entry" not in text)
    terminal.press("q")
    assert terminal.end() == 0
    assert "café 🚀" in (folder / "log" / "0001.toml").read_text()


PASTED = (
    (b"\x1b[200~evil\x1b[31m\r:note pwned\r\x1b[201~",),
    (b"\x1b[200~evil\x07\r\nq\r\x1b[201~",),
    (b"\x1b[200~evil\x1b\r:note pwned\r\x1b[201~",),
    (b"\x1b[200~evil\x1b[201~\r:note pwned\r\x1b[201~",),
    (b"\x1b[20", b"0~evil\r:note pwned\r\x1b[2", b"01~"),
    (b"\x1b[200~evil\x1b]0;x\x07\x1b[200~\r:note pwned\r\x1b[201~",),
)


def test_what_is_pasted_into_a_line_is_text_and_never_acts(terminal: Terminal, folder: Path) -> None:
    """It is inserted, but for control characters, and Ctrl+C throws the line away."""
    for pieces in PASTED:
        terminal.press(":note ")
        terminal.send(*pieces)
        terminal.until(lambda text: "evil" in text, pieces)
        terminal.press("\x03")
        terminal.until(lambda text: "evil" not in text, pieces)
    terminal.press("q")
    assert terminal.end() == 0
    assert entries(folder) == 0


def test_what_is_pasted_where_no_line_is_open_is_dropped(terminal: Terminal, folder: Path) -> None:
    """Nothing of it acts, and nothing of it is shown."""
    for pieces in PASTED:
        terminal.send(*pieces, b"?")
        terminal.until(shows_keys, pieces)
        terminal.press("\x1b")
        terminal.until(lambda text: not shows_keys(text) and "evil" not in text, pieces)
    terminal.press("q")
    assert terminal.end() == 0
    assert entries(folder) == 0


def test_a_paste_comes_after_the_keys_before_it(terminal: Terminal, folder: Path) -> None:
    """A paste keeps its place between the keys before and after it, even if all are sent at once."""
    terminal.send(b"nOne \x1b[200~two\ttwo\x1b[201~ three\r")
    terminal.until(lambda text: "One two two three" in text and "note ›" not in text)
    terminal.press("q")
    assert terminal.end() == 0
    assert "One two two three" in (folder / "log" / "0001.toml").read_text()


def test_a_paste_without_an_end_does_not_keep_the_keys(terminal: Terminal) -> None:
    """After a second of silence its text is in the line, and a key is a key."""
    terminal.press("n")
    terminal.until(lambda text: "note ›" in text)
    terminal.send(b"\x1b[200~abc")
    terminal.until(lambda text: "abc" in text)
    terminal.press("d")
    terminal.until(lambda text: "abcd" in text)
    terminal.press("\x11")
    terminal.until(lambda text: "Discard what you typed? Ctrl+Q again" in text)
    terminal.press("\x11")
    assert terminal.end() == 0


def rows(terminal: Terminal) -> int:
    """The lowest row that was written to."""
    return max((int(row) for row in re.findall(rb"\x1b\[(\d+);\d+H", terminal.raw)), default=0)


def resize(terminal: Terminal, columns: int, lines: int, *, in_band: bool) -> None:
    """Make the window another size; with `in_band` the terminal tells it, and else the system."""
    if in_band:
        terminal.send(f"\x1b[48;{lines};{columns};1;1t".encode())
    else:
        terminal.resize(columns, lines)


def test_keys_work_in_a_window_of_any_size(window: Terminal) -> None:
    """Keys are answered in a window without room, or that says it has no size, whether the system or the terminal tells the size."""
    for in_band in (False, True):
        for columns, lines in ((0, 0), (65535, 1)):
            resize(window, columns, lines, in_band=in_band)
            window.send(b"j")
    window.press("q")
    assert window.end() == 0


@pytest.mark.parametrize("in_band", [False, True], ids=["the system tells", "the terminal tells"])
def test_a_huge_window_is_drawn_within_bounds(window: Terminal, in_band: bool) -> None:
    """No more of a huge window is drawn than the largest that may be, which bounds memory too; keys are answered."""
    # The window is resized once: of two sizes that come soon after each other only the second is drawn, and nothing if it is drawn already.
    resize(window, 20000, 20000, in_band=in_band)
    window.until(lambda _: rows(window) > 24)
    window.send(b"j", b"k")
    assert rows(window) <= 200
    assert window.peak < 150
    window.press("\x11")
    assert window.end() == 0


@pytest.mark.parametrize(
    "flood",
    [b"j" * examples(100_000), b"n" + b"word " * examples(20_000), b"Th fuick brwn dg\r" * examples(8_000)],
    ids=["one key", "a text", "lines"],
)
def test_a_flood_of_keys_is_left_behind(window: Terminal, flood: bytes) -> None:
    """Keys that come faster than they can be handled are dropped, so that quitting is soon answered and memory has bounds."""
    before = window.peak
    window.send(flood)
    assert window.peak - before < 30
    assert window.quit() == 0


def test_a_paste_whose_start_comes_in_two_reads_is_text_in_a_flood_of_input() -> None:
    """No part of it is taken for keys."""
    keyboard = Keyboard()
    messages = [
        *keyboard.read(b"\x1b[20", hurried=True),
        *keyboard.read(b"0~hello world, this is long\nu\nu\nq\x1b[201~", hurried=True),
    ]
    assert [type(message).__name__ for message in messages] == ["Paste"]


def test_alt_with_a_digit_is_no_sign() -> None:
    """Most terminals send Escape and the digit. A sign that somebody types stays one."""
    keys = [(key.key, key.character) for key in Keyboard().read("\x1b4¢4".encode()) if isinstance(key, events.Key)]
    assert keys == [("alt+4", None), ("cent_sign", "¢"), ("4", "4")]


@pytest.mark.parametrize("split", [0, 1, 2, 3])
def test_an_escape_is_a_key_though_the_next_comes_with_it(split: int) -> None:
    """So it is on a slow line. Only what means something with Alt belongs to the Escape before it."""
    for text, keys in (
        ("\x1bnq", ["escape", "n", "q"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1b:N", ["escape", "colon", "N"]),
        ("\x1b\x1b\x1b ", ["escape", "escape", "escape", "space"]),
        ("\x1b[An", ["up", "n"]),
        ("\x1b4n", ["alt+4", "n"]),
        ("\x1b\x7f", ["ctrl+w"]),
        ("\x1bb\x1bf", ["ctrl+left", "ctrl+right"]),
    ):
        keyboard = Keyboard()
        messages = [*keyboard.read(text[:split].encode()), *keyboard.read(text[split:].encode())]
        while (seconds := keyboard.wait()) is not None:
            time.sleep(seconds)
            messages += keyboard.tick()
        assert [key.key for key in messages if isinstance(key, events.Key)] == keys


def test_a_line_that_was_opened_before_there_was_a_window_has_all_its_keys(folder: Path, home: Path) -> None:
    """Esc closes it, as later."""
    window = opened("tenacity", folder.parent, home)
    window.press(":")
    window.until(lambda text: "─ Menu" in text)
    window.press("\x1b")
    window.until(lambda text: "─ Menu" not in text)
    assert window.quit() == 0


@pytest.mark.parametrize("keys", ["\r", "\x0fnew c\r"])
def test_keys_behind_the_choice_of_a_game_are_for_the_form(folder: Path, home: Path, keys: str) -> None:
    """While no screen lies over the window, or only the campaign that is open is seen, they wait for the form."""
    in_campaign = len(keys) > 1
    window = opened("tenacity", folder.parent, home) if in_campaign else opened("", folder.parent, home, command="new")
    window.until(lambda text: "NAV" in text if in_campaign else "which game" in text)
    window.press(f"{keys}\rABCD\r" if in_campaign else f"{keys}ABCD\r")
    window.until(lambda text: "ABCD, step 2" in text)
    assert window.quit() == 0


def test_keys_behind_a_step_of_a_new_campaign_are_for_the_next_step(folder: Path, home: Path) -> None:
    """None is lost between one clock and the next, however fast they come."""
    window = opened("", folder.parent, home, command="new")
    window.until(lambda text: "which game" in text)
    window.press("\rABCD\r")
    window.until(lambda text: "ABCD, step 2" in text)
    window.press("\x13")
    window.until(lambda text: "ABCD, step 3" in text)
    window.press("\x13")
    window.until(lambda text: "ABCD, step 4" in text)
    window.press("Delta\r\x1b[C\r\rEnding text\rXray one")
    window.until(lambda text: "so far Delta" in text and "ray one" in text)
    assert "Xray one" in window.text
    assert window.quit() == 0


def test_keys_behind_a_choice_are_for_the_campaign_that_opens(folder: Path, home: Path) -> None:
    """From the first list, in one burst; from Ctrl+O once it has opened. At the end the terminal is as it was before."""
    other = written(folder.parent / "zulu", CAMPAIGN.replace("Tenacity", "Zulu"))
    window = opened("", folder.parent, home, command="")
    window.until(lambda text: "Zulu" in text)
    window.press("tena\rnone\r")
    window.until(lambda text: "entry 1" in text)
    window.press("\x0fzulu\r")
    window.until(lambda text: "  Zulu  : menu" in text)
    window.press("ntwo\rnthree\r")
    window.until(lambda text: "entry 2" in text)
    assert not window.echoes
    window.press("q")
    assert window.end() == 0
    assert window.echoes
    assert (entries(folder), entries(other)) == (1, 2)
