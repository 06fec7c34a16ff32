"""What a session came to, as it is handed to the players: two evenings of `session.toml`, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sessions.playing import HERE, Shell, session


@pytest.mark.clause("NM-40", "NM-41")
def test_two_evenings_are_told_word_for_word(tmp_path: Path) -> None:
    """Scenes, who rolled what with which dice and how it went, what followed, clocks and notes, and a count; nothing secret."""
    shell = Shell(tmp_path)
    for step in session():
        shell.play(step)
    for number in (1, 2):
        told = shell.looked("recap", str(number))
        assert told["markdown"] == (HERE / f"recap-{number}.md").read_text(encoding="utf-8")
        assert shell.looked("recap", str(number), "--secrets")["markdown"] != told["markdown"]
    assert shell.looked("recap")["session"] == 2
