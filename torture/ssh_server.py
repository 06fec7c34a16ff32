"""OpenSSH on loopback, as a process of a test: with keys of its own, a port of its own and a configuration of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PATIENCE, _PORTS = 60.0, 5
_CONFIG = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
MaxStartups 100
SetEnv {environment}
"""


def missing_ssh() -> str:
    """Return what keeps a server from being run; empty if nothing does."""
    wanted = {"sshd": _sshd(), "ssh": shutil.which("ssh"), "ssh-keygen": shutil.which("ssh-keygen")}
    gone = [name for name, path in wanted.items() if path is None]
    return f"{', '.join(gone)} not found" if gone else ""


def _sshd() -> str | None:
    return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    folder: Path
    port: int

    def ssh(self, key: str, *command: str, terminal: bool = True) -> list[str]:
        """Return the command that connects with that key."""
        settings = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "LogLevel=ERROR")
        options = [part for option in settings for part in ("-o", option)]
        where = ["-F", "none", "-p", str(self.port), "-i", str(self.folder / key)]
        # Not `getpass.getuser`, which believes variables that may be left from another account.
        user = pwd.getpwuid(os.geteuid()).pw_name
        return ["ssh", *(["-tt"] if terminal else ["-T"]), *options, *where, f"{user}@127.0.0.1", *command]


def make_keys(folder: Path, names: Sequence[str]) -> Mapping[str, str]:
    """Make a key for each name in `folder`; return the public ones."""
    for name in names:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", folder / name], check=True)
    return {name: (folder / f"{name}.pub").read_text() for name in names}


@contextmanager
def serve(folder: Path, authorized: str, environment: Mapping[str, object]) -> Iterator[Server]:
    """Run a server with these lines of `authorized_keys`, whose commands see this environment and a `waylog` of this tree.

    `folder` has the keys, one of them called `host`.
    """
    (folder / "bin").mkdir()
    waylog = folder / "bin" / "waylog"
    waylog.write_text(f'#!/bin/sh\nexec {sys.executable} -m waylog "$@"\n')
    waylog.chmod(0o755)
    (folder / "authorized_keys").write_text(authorized)
    if os.geteuid() == 0:  # where the package's own service would have made it
        Path("/run/sshd").mkdir(exist_ok=True)
    path = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
    whole = {"PATH": f"{folder}/bin:/usr/bin:/bin", "PYTHONPATH": path, **environment}
    text = " ".join(f'"{name}={value}"' for name, value in whole.items())
    running, port = _listening(folder, text)
    try:
        yield Server(folder, port)
    finally:
        running.terminate()
        running.wait()


def _listening(folder: Path, environment: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start the server on a free port and wait until it listens. Where another program has just taken the port, it takes another."""
    log = folder / "log"
    command = [_sshd() or "", "-D", "-e", "-f", str(folder / "config")]
    for _ in range(_PORTS):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "config").write_text(_CONFIG.format(port=port, folder=folder, environment=environment))
        with log.open("wb") as errors:
            running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors)
        end = time.monotonic() + _PATIENCE
        while running.poll() is None and time.monotonic() < end:
            if "Server listening" in log.read_text():
                return running, port
            time.sleep(0.02)
        running.kill()
        running.wait()
    raise AssertionError(log.read_text())
