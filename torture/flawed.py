"""The command with a flaw in it, for harnesses that look how it ends: `python -m torture.flawed WHICH TRIGGER COMMAND…`.

The flaw shows once there is a file called TRIGGER: `exception` in the app's own loop, `worker` in the thread that writes the
campaign file, `thread` in one that nobody waits for.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

from waylog.cli.main import main
from waylog.table import Table


class Flaw(Exception):
    """What no command foresees."""


def _raises(*_: object) -> bool:
    raise Flaw("a flaw")


def _in_a_thread(*_: object) -> bool:
    threading.Thread(target=_raises).start()
    return False


if __name__ == "__main__":
    _, which, trigger, *command = sys.argv
    sys.argv = ["waylog", *command]
    flawed: Callable[..., bool] = Table.settle if which == "worker" else Table.refresh
    shows = _in_a_thread if which == "thread" else _raises

    def replaced(table: Table, *arguments: object, **options: object) -> bool:
        """What it should be, until the flaw shows."""
        return shows() if Path(trigger).exists() else flawed(table, *arguments, **options)

    setattr(Table, flawed.__name__, replaced)
    sys.exit(main())
