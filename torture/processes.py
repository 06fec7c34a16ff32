"""What is done beside the harness: by processes that are copies of this one, and by threads of it."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


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


class Scheduled(NamedTuple):
    """How long the first thread of a process has had a processor, and been ready without one, in seconds."""

    ran: float
    was_ready: float


def scheduled(pid: int) -> Scheduled:
    """Ask the kernel; also about a process that has ended, until somebody waits for it."""
    ran, was_ready, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    return Scheduled(int(ran) / 1e9, int(was_ready) / 1e9)
