"""What a session came to, as it is handed to the players: two evenings of `session.toml`, word for word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.sessions.playing import HERE, Played


@pytest.mark.clause("NM-40", "NM-41")
def test_two_evenings_are_told_word_for_word(played: Callable[[str], Played]) -> None:
    """Scenes, who rolled what with which dice and how it went, what followed, clocks and notes, and a count; nothing secret."""
    shell = played("\n").shell
    for number in (1, 2):
        told = shell.looked("recap", str(number))
        assert told["markdown"] == (HERE / f"recap-{number}.md").read_text(encoding="utf-8")
        assert shell.looked("recap", str(number), "--secrets")["markdown"] != told["markdown"]
    assert shell.looked("recap")["session"] == 2
