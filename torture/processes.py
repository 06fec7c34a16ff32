"""Processes that do something on their own, as copies of this one."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable


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
