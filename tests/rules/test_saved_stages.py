"""Logs keep what is open at the table: the tags of stages and the names of their fields are a file format.

A change of one of them breaks a test here. Then either change it back, or read the old name too and add the new one to the list.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from waylog.rules.codec.records import codec
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.model.state import EffectOffer, Waiting
from waylog.rules.systems import names, system

_VEIL_CORE = {
    "scene": "stages",
    "thrown": "roll(who system call purpose mate hit(who defended also tried)) sources faces lowest final",
    "shiphit": "",
    "hit": "who defended also tried",
    "struck": "who face",
    "debt": "who",
    "recovery": "waiting",
    "group": "waiting rollers outcomes call all_roll",
    "freepick": "who table",
    "surplus": "who gained",
    "naming": "who gained",
    "settled": "rollers criticals",
    "advancing": "",
}
_COURSE_ROLL = "roll(who skill flow threshold dangerous watched dice intent reacts)"
SAVED = {
    "course-flow": {
        "scene": "stages",
        "called": _COURSE_ROLL,
        "thrown": f"{_COURSE_ROLL} faces",
        "offered": f"{_COURSE_ROLL} total kept offer",
        "unnamed": "who",
        "lesson": "who face",
        "recovery": "who",
        "harm": "who",
        "notice": "who",
        "closing": "who die face safe reacts",
        "asking": "who question spent",
        "first-course": "",
    },
    "emissaries": {
        "conflict": (
            "stakes phase "
            "people(word who name side approach rating entered pool(source sides face kept thing) stats brought gave) "
            "order turn raised(source sides face kept thing) waiting tied taker fallout marks clears "
            "exchange(who did faces said) loss"
        ),
        "making": "who kept enough",
        "aftermath": "",
    },
    "veil-2026": _VEIL_CORE,
    "veil-classic": {
        "breach": "",
        "consequence": "system dice",
        "place": "system dice clause",
        "sharing": "who inner told",
    },
    "veil-core": _VEIL_CORE,
    "veil-reference": {"breach": "", "place": "system dice clause", "remap": ""},
}


def find_unions(schema: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The members of every union that the schema describes."""
    members = schema.get("oneOf", [])
    if members:
        yield members
    parts = [*members, *schema.get("properties", {}).values()]
    for part in (*parts, *(schema[key] for key in ("items", "additionalProperties") if key in schema)):
        yield from find_unions(part)


def describe_fields(schema: dict[str, Any]) -> str:
    """The names of the fields, and in parentheses those of the records in them."""
    described = []
    for name, part in schema["properties"].items():
        inner = part.get("items", part)
        described.append(f"{name}({describe_fields(inner)})" if inner.get("properties") else name)
    return " ".join(name for name in described if name != "is")


@pytest.mark.parametrize("name", names())
def test_tags_and_fields_of_stages_never_change(name: str) -> None:
    """Each tag stands for one stage in its game, and each stage has the fields that logs name."""
    saved: dict[str, str] = {}
    for members in find_unions(codec(system(name).scene | None).schema()):
        for member in members:
            tag, described = member["properties"]["is"]["const"], describe_fields(member)
            assert saved.setdefault(tag, described) == described
    assert saved == SAVED.get(name), f'SAVED should have "{name}": {saved}'


def test_fields_of_a_roll_in_a_game_file_never_change() -> None:
    """All games in files share one stage."""
    assert FileRoll.TAG == "file-roll"
    fields = "roll who options call modifier none plus target dice(die face label against final) raised steps used"
    fields += " grades score cap blank"
    assert describe_fields(codec(FileRoll).schema()) == fields


def test_fields_beside_the_stage_never_change() -> None:
    """An act that waits for real dice, and an offer."""
    assert describe_fields(codec(Waiting).schema()) == "words faces wants whole"
    assert (
        describe_fields(codec(EffectOffer).schema())
        == "source why act instead late asks one_of take taken takes required once number"
    )
