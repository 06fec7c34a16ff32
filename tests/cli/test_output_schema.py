"""`waylog schema output`: every answer to a program is as the schema says, and the schema says no more than there is."""

import base64
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine
from waylog.cli.json_output import players_change
from waylog.cli.output_schema import output_schema
from waylog.line_mode.players import PlayersChange

SCHEMA = output_schema()
PLAIN: Mapping[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def faults(value: Any, schema: Mapping[str, Any], used: set[str], place: str = "") -> list[str]:
    """What in a value differs from a schema; a key that it lacks is one. Names the definitions that were needed."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        inner = set[str]()
        found = faults(value, SCHEMA["$defs"][name], inner, place)
        used |= set() if found else {name, *inner}
        return found
    if "anyOf" in schema:
        options = [faults(value, each, used, place) for each in schema["anyOf"]]
        return min(options, key=len)
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place} is {value!r}"]
    if "type" not in schema:
        return []
    if not isinstance(value, PLAIN[schema["type"]]) or (isinstance(value, bool) and schema["type"] != "boolean"):
        return [f"{place} is {value!r}, not {schema['type']}"]
    return [*_inner_faults(value, schema, used, place)]


def _inner_faults(value: Any, schema: Mapping[str, Any], used: set[str], place: str) -> Iterator[str]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from faults(each, schema["items"], used, f"{place}[{number}]")
    if isinstance(value, dict):
        for key, each in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if known is None:
                yield f"{place}.{key} is not in the schema"
            else:
                yield from faults(each, known, used, f"{place}.{key}")
        yield from (f"{place}.{key} is missing" for key in schema.get("required", ()) if key not in value)


ANSWERS: Mapping[str, str] = {
    "list": "list",
    "systems": "systems",
    "help": "help-all",
    "help roll": "help",
    "help undo": "help",
    "rule": "rules",
    "rule tenacity damage": "rule",
    "moves tenacity": "moves",
    "moves soft-answer": "moves",
    "moves slack-water": "moves",
    "show tenacity": "show",
    "show soft-answer": "show",
    "show slack-water": "show",
    "show lot-nine": "show",
    "odds tenacity roll nav keelwing": "odds",
    "odds tenacity damage ship; roll nav": "chain",
    "odds tenacity damage ship": "chain",
    "replay tenacity exposed=always": "replay",
    "luck tenacity": "luck",
    "luck soft-answer": "luck",
    "luck tenacity --verify": "luck-verify",
    "do lot-nine session begin": "act",
    "luck lot-nine --verify": "luck-verify",
    "show tenacity --at 12": "show",
    "diff tenacity 12 40": "diff",
    "branch tenacity 12 --into sister": "branch",
    "do tenacity note tried --what-if": "what-if",
    "odds tenacity draw keeper": "odds",
    "log tenacity -n 0": "log",
    "log lot-nine -n 0": "log",
    "log tenacity --grep xyzzy": "log",
    "recap tenacity": "recap",
    "print clocks tenacity": "print",
    "do tenacity roll nav keelwing --dry-run": "dry-run",
    "do tenacity roll nav keelwing --dice 3,5,5 --dry-run": "dry-run",
    "do tenacity roll nav keelwing --dice 3,5,5": "act",
    "show tenacity ": "show",
    "do tenacity keep": "act",
    "do tenacity timer open 5m boarding": "act",
    "do tenacity situation Dark desperate": "act",
    "show tenacity  ": "show",
    "undo tenacity --dry-run": "undo-dry-run",
    "undo tenacity": "act",
    "redo tenacity": "act",
    "why tenacity ship.focus": "why",
    "do tenacity pause": "pause",
    "do tenacity pause end": "pause",
    "do tenacity stakes roll nav": "stakes",
    "missed tenacity": "missed",
    "do tenacity proposals": "proposals",
    "do tenacity roll nobody": "failure",
    "do tenacity tick lantern": "failure",
    "conflicts tenacity": "conflicts",
    "restore tenacity": "restore",
    "check tenacity": "check",
    "check nowhere/campaign.toml": "failure",
    "config": "config",
    "config --path": "config",
    "config --keys": "config-keys",
    "kit tenacity": "kit",
    "kit tenacity derelict": "kit",
    "convert tenacity --system veil-reference": "convert",
    "new second": "new",
    "players tenacity": "players",
    "players tenacity add ana ana.pub": "players-add",
    'game new "Iron Moon"': "game-new",
    "game check iron-moon": "game-check",
    "game pack iron-moon": "game-pack",
    "game add iron-moon.zip": "game-add",
    "game add iron-moon.zip --yes": "game-add",
    "info": "info",
    "completion bash": "completion",
    "completion words log": "completion-words",
    "frobnicate": "failure",
}
"""The lines that are run in this order, and the answer that each gets. Spaces at the end make a line another one."""
_ELSEWHERE = {
    "conflict": "edits",
    "decline-output": "players",
    "difference": "another house rule, under which something comes out differently",
    "file-answered-output": "edits",
    "file-answers": "edits",
    "file-question-output": "edits",
    "join-output": "two clones that git has merged",
    "page-address": "serve",
    "players-revoke-output": "serve",
    "players-setup-output": "players",
    "proposal": "players",
    "checked-roll": "a game with a roll that is refused in a new campaign",
    "pace": "a session with several scenes",
    "serve-output": "serve",
    "scene-time": "a session with several scenes",
}
"""Definitions that these lines don't need, and what does."""


@pytest.fixture
def waylog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line of somebody with copies of all examples and the key of a player."""
    for name in ("tenacity", "soft-answer", "slack-water", "lot-nine"):
        shutil.copytree(EXAMPLES / name, tmp_path / name)
    kind = b"\x00\x00\x00\x0bssh-ed25519"
    (tmp_path / "ana.pub").write_text(
        f"ssh-ed25519 {base64.b64encode(kind + bytes([0, 0, 0, 32]) + bytes(32)).decode()} ana\n"
    )
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path)


def test_every_answer_is_as_the_schema_says(waylog: CommandLine) -> None:
    """Each key is in it, with its type, and none is missing; and each part of the schema is something that is printed."""
    assert waylog.json("schema", "output") == SCHEMA
    used = set[str]()
    for line, expected in ANSWERS.items():
        ran = waylog(*shlex.split(line), "--json")
        needed = set[str]()
        assert faults(ran.data, {"$ref": f"#/$defs/{expected}-output"}, needed) == [], (line, ran)
        assert (expected == "failure") is (ran.data["ok"] is False), (line, ran)
        used |= needed
    from tests.kit.table import table_at

    table = table_at(waylog.campaigns / "tenacity")
    table.show_stakes(table.understand("roll nav"))
    seen = table.projection()
    change = players_change(PlayersChange(seen, seen.log, taken_back=False))
    assert faults(change, {"$ref": "#/$defs/watch-output"}, used) == []
    assert {*SCHEMA["$defs"]} - used == {*_ELSEWHERE}


def test_a_difference_is_noticed() -> None:
    """The check that the test above relies on."""
    wrong: tuple[Any, ...] = (
        {"ok": True},
        {"ok": True, "paused": 1},
        {"ok": True, "paused": True, "by": "ana"},
        [],
    )
    for value in wrong:
        assert faults(value, {"$ref": "#/$defs/pause-output"}, set())
    assert not faults({"ok": True, "paused": False}, {"$ref": "#/$defs/pause-output"}, set())
