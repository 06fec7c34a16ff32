"""The session, played once for all tests that only look at what came of it."""

from collections.abc import Callable

import pytest

from tests.sessions.playing import Played, play_session

_PLAYED: dict[str, Played] = {}
"""By the line ends of its campaign file."""


@pytest.fixture
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Played]:
    """The session on a campaign file with these line ends. It is played when the first test asks for it."""

    def _played(line_end: str) -> Played:
        if line_end not in _PLAYED:
            _PLAYED[line_end] = play_session(tmp_path_factory.mktemp("session"), line_end)
        return _PLAYED[line_end]

    return _played
