"""What is done beside the harness: by processes that are copies of this one, and by threads of it."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def forked(does: Callable[[], None]) -> int:
    """Start a process that does one thing and ends: with 0, or with 1 and a traceback. Gives its id.

    Only while this process has one thread.
    """
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        does()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


@contextmanager
def beside(does: Callable[[], None], ends: threading.Event) -> Iterator[None]:
    """Do something in a thread until the end of the block, where `ends` is set: it looks at that as often as it can end."""
    thread = threading.Thread(target=does)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()
