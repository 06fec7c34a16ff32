"""What is written where a character set has not all of Unicode."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import waylog
from tests.kit.thorough import cases
from waylog.signs import encoder, is_unicode
from waylog.ui.draw.cell_lines import cells_of

SOURCES = Path(waylog.__file__).parent
DRAWN = sorted(
    {
        char
        for char in {*"".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))}
        if not char.isascii() and not char.isalpha()
    }
)


@pytest.mark.parametrize("char", DRAWN)
def test_every_sign_that_is_drawn_has_one_of_ascii(char: str) -> None:
    """Of the same width, and a question mark for none but pictures of control characters."""
    plain = encoder("ascii")(char)
    assert len(plain) == cells_of(char)
    assert plain != b"?" or char in "\u241b\u2421"


@pytest.mark.parametrize(
    ("text", "encoding", "plain"),
    [
        ("Guena\u0161k caf\u00e9", "iso-8859-1", b"Guenask caf\xe9"),
        ("Guena\u0161k", "iso-8859-2", b"Guena\xb9k"),
        ("\u2500 \u041c\u0430", "koi8-r", b"- \xed\xc1"),
        ("\u2500 \u6f22", "gb18030", b"- \x9dh"),
        ("\u6f22\U0001f680", "ascii", b"????"),
        ("e\u0301\ud800", "latin-1", b"e?"),
        ("\u2500", "UTF-8", b"\xe2\x94\x80"),
        ("\ud800", "utf-8", b"?"),
    ],
)
def test_what_a_character_set_has_is_kept(text: str, encoding: str, plain: bytes) -> None:
    """Signs are ASCII in all that are not Unicode: where a sign is wide, it would push what follows aside."""
    assert encoder(encoding)(text) == plain


def test_which_character_sets_are_unicode() -> None:
    """One that nobody knows is not."""
    assert is_unicode("UTF-8")
    assert is_unicode("utf8")
    assert not is_unicode("latin-1")
    assert not is_unicode("ANSI_X3.4-1968")
    assert not is_unicode("no-such-set")


def run(home: Path, encoding: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """The command line on a terminal of that character set."""
    environment = {**os.environ, "HOME": str(home), "PYTHONIOENCODING": encoding}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run([sys.executable, "-m", "waylog", *words], env=environment, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("encoding", "words"),
    cases(
        [
            *product(
                ("latin-1", "ascii"),
                (("show", "tenacity"), ("odds", "tenacity", "roll", "nav"), ("show", "no\u00f1e")),
            )
        ],
        0,
        5,
    ),
)
def test_the_command_line_writes_no_escapes(home: Path, encoding: str, words: tuple[str, ...]) -> None:
    """Without Unicode the command line writes no escapes, and its columns stand where they stand in UTF-8."""
    plain, full = run(home, encoding, *words), run(home, "utf-8", *words)
    assert plain.returncode == full.returncode
    for ours, theirs in ((plain.stdout, full.stdout), (plain.stderr, full.stderr)):
        assert b"\\u" not in ours
        assert b"\\x" not in ours
        assert [len(line) for line in ours.decode("latin-1").splitlines()] == [
            cells_of(line) for line in theirs.decode().splitlines()
        ]
