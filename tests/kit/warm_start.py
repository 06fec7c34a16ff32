"""Programs that tests start, as copies of one process that has imported all of Waylog: importing it is most of what a command takes.

At a desk, and on Linux. In CI every program is started from its first byte, and so is here what looks at how programs begin.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import inspect
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, ClassVar

from tests.kit import ROOT
from tests.kit.thorough import IS_AT_A_DESK

_PROGRAMS = ("waylog", "torture", "tests.kit")
"""Modules that may begin so."""
_READ_AT_THE_START = ("PYTHON", "TEXTUAL", "LANG", "LC_")
"""Python, or a library while it is imported, reads the variables whose names begin so: a copy has them as its original had them."""
_MOST = 1 << 17
"""Bytes of a request."""
_PR_SET_CHILD_SUBREAPER = 36

_popen: Any = subprocess.Popen
_begin_cold: Callable[..., None] = _popen._execute_child


class WarmStarter:
    """The process that has imported everything, and the programs that begin as its copies. Each is a child of this process."""

    running: ClassVar[WarmStarter | None] = None
    """The one that programs begin by now."""

    def __init__(self, begin: Callable[[socket.socket, socket.socket], int]) -> None:
        """`begin` starts that process with its own end of the line and the other, and returns its id."""
        self._owner = os.getpid()
        self._environment = dict(os.environ)
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = begin(theirs, self._line)
        theirs.close()

    def close(self) -> None:
        """End the process. Its copies go on."""
        self._line.close()
        os.waitpid(self._process, 0)

    def can_start(self, command: Sequence[object], environment: Mapping[str, str]) -> bool:
        """Whether a copy would do the same as the command itself."""
        return (
            os.getpid() == self._owner
            and [*command[:3]] in [[sys.executable, "-m", name] for name in _PROGRAMS]
            and _read_at_the_start(environment) == _read_at_the_start(self._environment)
            and set(environment.get("PYTHONPATH", "").split(os.pathsep)) <= {"", *sys.path}
        )

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        streams: Sequence[int],
        *,
        folder: str | None = None,
        session: bool = False,
        terminal: bool = False,
    ) -> int:
        """Start a command with these files as its standard streams, and return its process. `session` gives it a session of its own,
        and `terminal` makes its standard input the terminal of that.
        """
        asked = {
            "module": command[2],
            "arguments": command[3:],
            "environment": dict(environment),
            "folder": folder or os.getcwd(),  # noqa: PTH109 - it goes into JSON
            "session": session or terminal,
            "terminal": terminal,
        }
        # A process whose parent has ended becomes the child of the nearest one above it that asks for such.
        adopt = ctypes.CDLL(None).prctl
        adopt(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            socket.send_fds(self._line, [json.dumps(asked).encode()], streams)
            return int(self._line.recv(_MOST))
        finally:
            adopt(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    def begin(self, popen: subprocess.Popen[Any], *arguments: Any, **named: Any) -> None:
        """Start a program for `Popen`, in place of its own method: as a copy if it can be one."""
        asked = inspect.signature(_begin_cold).bind(popen, *arguments, **named).arguments
        environment = {os.fsdecode(name): os.fsdecode(value) for name, value in (asked["env"] or os.environ).items()}
        plain = asked["close_fds"] and not (asked["preexec_fn"] or asked["pass_fds"] or asked["shell"])
        as_we_are = asked["uid"] is asked["gid"] is asked["gids"] is None and asked["umask"] < 0
        listed = isinstance(asked["args"], list | tuple) and asked["executable"] is None
        in_our_group = asked.get("process_group", -1) in (None, -1)
        if not (plain and as_we_are and listed and in_our_group and self.can_start(asked["args"], environment)):
            _begin_cold(popen, *arguments, **named)
            return
        ends = [asked["p2cread"], asked["c2pwrite"], asked["errwrite"]]
        popen.pid = self.start(
            [os.fspath(word) for word in asked["args"]],
            environment,
            [number if end == -1 else end for number, end in enumerate(ends)],
            folder=os.fspath(asked["cwd"]) if asked["cwd"] else None,
            session=asked["start_new_session"],
        )
        own: Any = popen
        own._child_created = True
        own._close_pipe_fds(
            *(asked[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"))
        )


@contextmanager
def copies() -> Iterator[None]:
    """Let programs begin as copies meanwhile, where that can be."""
    if not (IS_AT_A_DESK and sys.platform == "linux"):
        yield
        return
    starter = _begin_by(_start_original)
    try:
        yield
    finally:
        _popen._execute_child = _begin_cold
        WarmStarter.running = None
        starter.close()


def _begin_by(begin: Callable[[socket.socket, socket.socket], int]) -> WarmStarter:
    WarmStarter.running = starter = WarmStarter(begin)

    def begin_child(popen: subprocess.Popen[Any], *arguments: Any, **named: Any) -> None:
        starter.begin(popen, *arguments, **named)

    _popen._execute_child = begin_child
    return starter


def _start_original(line: socket.socket, _: socket.socket) -> int:
    command = [sys.executable, "-m", "tests.kit.warm_start", str(line.fileno())]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[line.fileno()])
    process.returncode = 0  # `close` waits for it.
    return process.pid


def _fork_original(line: socket.socket, other: socket.socket) -> int:
    pid = os.fork()
    if pid == 0:
        other.close()
        _become(*_wait_for_requests(line))
        sys.exit()
    return pid


def _read_at_the_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(_READ_AT_THE_START) and name != "PYTHONPATH"
    }


def _wait_for_requests(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Answer each request by a copy of this process. Returns in the copies, with their request and streams."""
    while True:
        message, streams, _, _ = socket.recv_fds(line, _MOST, 3)
        if not message:
            os._exit(0)
        reading, writing = os.pipe()
        between = os.fork()
        if between == 0:
            copy = os.fork()
            if copy == 0:
                for end in (reading, writing, line.detach()):
                    os.close(end)
                return json.loads(message), streams
            os.write(writing, str(copy).encode())
            os._exit(0)
        os.waitpid(between, 0)
        line.send(os.read(reading, 32))
        for end in (reading, writing, *streams):
            os.close(end)


def _become(asked: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Be the program, as if it had just been started."""
    if asked["session"]:
        os.setsid()
    for place, file in enumerate(streams):
        os.dup2(file, place)
        os.close(file)
    if asked["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    for name, number, mode, errors in (
        ("stdin", 0, "r", "strict"),
        ("stdout", 1, "w", "strict"),
        ("stderr", 2, "w", "backslashreplace"),
    ):
        buffering = 1 if number == 2 or os.isatty(number) else -1
        stream = open(number, mode, buffering, errors=errors, closefd=False)  # noqa: SIM115 - it stays open
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv[1:] = asked["arguments"]
    if asked["module"] == "torture":  # It starts programs too, as it is told.
        _begin_by(_fork_original)
    runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


def _import_everything() -> None:
    # The program does without it, and asyncio decides at its import whether it has it.
    sys.modules["ssl"] = None  # type: ignore[assignment]
    for module in pkgutil.walk_packages(import_module("waylog").__path__, "waylog."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    del sys.modules["ssl"]
    gc.freeze()


if __name__ == "__main__":
    gc.disable()
    _import_everything()
    gc.enable()
    _become(*_wait_for_requests(socket.socket(fileno=int(sys.argv[1]))))
