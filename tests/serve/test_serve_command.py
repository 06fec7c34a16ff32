"""The command `serve` as a process: what it opens, what it prints, and when it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_output_schema import faults
from tests.kit.cli import CommandLine
from tests.kit.phone import Phone
from tests.serve.test_serve import ID, Room
from waylog.store.players import inbox_access_and_phone_keys
from waylog.store.players.inbox import read_waiting

AUDITED = """\
import json, os, sys
opened = []
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes, os.PathLike)):
        opened.append(os.fspath(arguments[0]))
sys.addaudithook(note)
from waylog.cli.main import main
code = main()
with open(os.environ["OPENED"], "w") as file:
    json.dump([code, opened, sorted(sys.modules)], file)
"""


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A campaign that the wayfinder has open."""
    return Room(tmp_path)


async def test_it_opens_the_players_file_and_the_inbox_alone(room: Room, tmp_path: Path) -> None:
    """A phone comes in, proposes and asks for odds and a pause: no other file of the campaign is opened, and no screen is loaded.
    It ends when nobody reads what it prints.
    """
    environment = {**os.environ, "OPENED": str(tmp_path / "opened"), "XDG_STATE_HOME": str(tmp_path / "state")}
    words = ["serve", str(room.folder), "--json", "--port", "0"]
    with subprocess.Popen(  # noqa: ASYNC220 - it is waited for outside of the loop
        [sys.executable, "-c", AUDITED, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout
        assert process.stderr
        printed: Any = json.loads(process.stdout.readline())
        assert faults(printed, {"$ref": "#/$defs/serve-output"}, set()) == []
        ana = Phone(next(each["url"] for each in printed["addresses"] if each["key"] == "ana"))
        assert (await ana.log_in()).status == 204
        async with ana.feed() as states:
            assert (await anext(states))["name"] == "Trial"
        assert (await ana.post("/act", {"id": ID, "words": "note I stay"})).status == 200
        assert (await ana.post("/pause")).status == 200
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (0, b"")
    assert [letter.words for letter in read_waiting(room.folder, "ana")] == ['note "I stay"']
    _, opened, modules = json.loads((tmp_path / "opened").read_text())
    inside = {
        Path(path).relative_to(room.folder).parts[:1] for path in opened if Path(path).is_relative_to(room.folder)
    }
    assert inside <= {("players.toml",), ("inbox",)}
    assert not {"textual", "rich", "segno"} & {*modules}


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="no sessions that share processors")
def test_the_server_gives_way_as_a_session() -> None:
    """The app starts it in a session of its own, and Linux shares the processors among sessions first."""
    code = "from waylog.serve.connections_requests_and_login import be_modest; be_modest(); print(open('/proc/self/autogroup').read())"
    command = [sys.executable, "-c", code]
    assert (
        "nice 5"
        in subprocess.run(command, start_new_session=True, stdout=subprocess.PIPE, text=True, check=True).stdout
    )
    assert "nice 5" not in Path("/proc/self/autogroup").read_text()


def test_without_its_packages_it_says_what_to_install(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, before anything else is done."""
    monkeypatch.setattr(inbox_access_and_phone_keys, "find_spec", lambda _: None)
    ran = CommandLine(room.folder.parent)("serve", "trial")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'waylog[serve]'" in ran.err


def test_a_code_is_revoked_by_the_players_key(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one campaign or in all; a player who has none is named."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    keys = inbox_access_and_phone_keys.PhoneKeys(tmp_path / "home" / "waylog", room.folder)
    keys.make_missing(["ana", "ben"])
    assert keys.path.stat().st_mode & 0o077 == 0
    waylog, before = CommandLine(room.folder.parent), dict(keys.by_player)
    answer = waylog.json("players", "revoke", "ana")
    assert faults(answer, {"$ref": "#/$defs/players-revoke-output"}, set()) == []
    waylog.done("players", "trial", "revoke", "table")
    keys.look()
    assert {player for player, key in keys.by_player.items() if key != before[player]} == {
        "ana",
        inbox_access_and_phone_keys.TABLE,
    }
    assert waylog("players", "revoke", "zoe").code == 2
