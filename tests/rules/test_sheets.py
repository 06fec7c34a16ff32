"""Sheets go to plain values and back, tell what is wrong, and tell two of themselves apart."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.rules import ONES
from waylog.rules.codec.base_and_limits import Between, Fault, InWords, TagKey
from waylog.rules.codec.changes import Change, format_path, parse_path
from waylog.rules.codec.records import apply_changes, codec, difference, read, write
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.moves import ActRefused
from waylog.rules.systems import system
from waylog.values import dataclass, field, replace


class Colour(StrEnum):
    """Words that mean something."""

    RED = "red"
    GREEN = "green"


@dataclass(frozen=True)
class Tool:
    """A thing with a state."""

    name: str = ""
    works: bool = True


@dataclass(frozen=True)
class Hand:
    """One of each kind of field."""

    name: Annotated[str, "Who it is"] = ""
    vitality: Annotated[int, Between(0, 3, "XX-01"), "How well they are"] = 3
    colour: Colour = Colour.RED
    tools: Literal[1, 2] = 1
    tags: tuple[str, ...] = ()
    tool: Tool = Tool()


@dataclass(frozen=True)
class Waits:
    """A scene."""

    TAG = "waits"

    left: int = 0


@dataclass(frozen=True)
class Asks:
    """Another scene."""

    TAG = "asks"

    what: str = ""


@dataclass(frozen=True)
class Sheet:
    """Tables by enum and by name, and a scene."""

    dice: Mapping[Colour, int] = field(default_factory=lambda: {Colour.RED: 2, Colour.GREEN: 2})
    crew: Mapping[str, Hand] = field(default_factory=dict)
    stage: Waits | Asks | None = None


names = st.text(max_size=8)
hands = st.builds(
    Hand, names, st.integers(0, 3), st.sampled_from(Colour), st.sampled_from((1, 2)), st.lists(names).map(tuple),
    st.builds(Tool, names, st.booleans()),
)  # fmt: skip
sheets = st.builds(
    Sheet,
    st.fixed_dictionaries({Colour.RED: st.integers(0, 6), Colour.GREEN: st.integers(0, 6)}),
    st.dictionaries(names, hands, max_size=3),
    st.none() | st.builds(Waits, st.integers(0, 9)) | st.builds(Asks, names),
)


@given(sheets)
def test_a_sheet_comes_back_from_plain_values(sheet: Sheet) -> None:
    """Sheet to tree to sheet is the identity, and nothing is found wrong with it."""
    back, faults = read(Sheet, write(sheet))
    assert (back, faults) == (sheet, [])


@given(sheets, sheets)
def test_the_difference_leads_from_one_to_the_other(one: Sheet, other: Sheet) -> None:
    """Applied to the one it gives the other; reversed and applied to the other it gives the one."""
    changes = difference(one, other)
    assert apply_changes(one, changes) == other
    assert apply_changes(other, [change.reverse() for change in reversed(changes)]) == one
    assert (changes == ()) == (one == other)


def test_a_difference_names_single_values() -> None:
    """Only the value that is different, by its path."""
    before = Sheet(crew={"lars": Hand("Lars")})
    after = replace(before, crew={"lars": replace(before.crew["lars"], tool=Tool(works=False))})
    assert difference(before, after) == (Change(("crew", "lars", "tool", "works"), True, False),)


@pytest.mark.parametrize(
    ("tree", "message", "grave"),
    [
        (
            {"crew": {"lars": {"vitality": "three"}}},
            "vitality can't be “three”: it should be a whole number from 0 to 3",
            True,
        ),
        (
            {"crew": {"lars": {"vitality": True}}},
            "vitality can't be true: it should be a whole number from 0 to 3",
            True,
        ),
        ({"crew": {"lars": {"vitality": 7}}}, "vitality can't be 7: it should be a whole number from 0 to 3", False),
        ({"crew": {"lars": {"vitality": 2.0}}}, "vitality can't be 2.0: it should be a whole number from 0 to 3", True),
        ({"crew": {"lars": {"tools": True}}}, "tools can't be true: it should be 1 or 2", True),
        ({"crew": {"lars": {"tools": 2.0}}}, "tools can't be 2.0: it should be 1 or 2", True),
        ({"crew": {"lars": {"tool": {"works": 1}}}}, "works can't be 1: it should be true or false", True),
        ({"crew": {"lars": {"colour": "blue"}}}, "colour can't be “blue”: it should be “red” or “green”", True),
        ({"crew": {"lars": {"tags": "one"}}}, "tags can't be “one”: it should be a list in square brackets", True),
        ({"crew": ["lars"]}, "crew can't be a list: it should be a table", True),
        ({"dice": {"blue": 1}}, "blue is not one of red, green", False),
        ({"dice": {"red": 2**70}}, "red is too large: it should be a smaller whole number", True),
        (
            {"stage": {"is": "sleeps"}},
            "stage can't be a table: it should be a table with `is` set to one of waits, asks",
            True,
        ),
    ],
)
def test_a_fault_says_what_is_wrong_and_what_would_be_right(tree: dict[str, Any], message: str, grave: bool) -> None:
    """With its path, and whether the sheet can be played on."""
    faults = read(Sheet, tree)[1]
    assert [(fault.message, fault.grave) for fault in faults] == [(message, grave)]


def test_every_fault_is_reported_at_once() -> None:
    """Reading goes on to the end."""
    tree = {"crew": {"lars": {"vitality": 9, "colour": 3, "tool": []}, "mara": "x"}, "extra": 1}
    faults = read(Sheet, tree)[1]
    assert [format_path(fault.path) for fault in faults] == [
        "crew.lars.vitality", "crew.lars.colour", "crew.lars.tool", "crew.mara", "extra",
    ]  # fmt: skip
    assert faults[0] == Fault(
        ("crew", "lars", "vitality"),
        "vitality can't be 9: it should be a whole number from 0 to 3",
        "XX-01",
        grave=False,
    )


def test_what_cannot_be_put_is_refused() -> None:
    """A path that leads nowhere, or a value of the wrong kind."""
    for change in (
        Change(("crew", "lars", "wings"), None, 2),
        Change(("dice", "red"), 2, "many"),
        Change(("x",), None, 1),
    ):
        with pytest.raises(ValueError, match=r"has no|should be"):
            apply_changes(Sheet(), [change])


def test_a_schema_describes_the_fields() -> None:
    """For editors: types, ranges and what each is for."""
    hand = codec(Sheet).schema()["properties"]["crew"]["additionalProperties"]["properties"]
    assert hand["vitality"] == {"description": "How well they are", "type": "integer", "minimum": 0, "maximum": 3}
    assert hand["colour"] == {"enum": ["red", "green"]}


@dataclass(frozen=True)
class Untagged:
    """A scene that declares no tag."""


@dataclass(frozen=True)
class Inherits(Waits):
    """A scene that declares no tag of its own."""


@dataclass(frozen=True)
class AlsoWaits:
    """A scene with the tag of another."""

    TAG = "waits"


@pytest.mark.parametrize("other", [Untagged, Inherits, AlsoWaits])
def test_each_member_of_a_union_needs_a_tag_of_its_own(other: type) -> None:
    """A class name is never written to a file, and two members are never taken for each other."""
    with pytest.raises(TypeError, match="needs a TAG"):
        codec(Waits | other)


def test_a_value_of_another_type_is_not_written_as_a_member_of_a_union() -> None:
    """The message names the class that is missing and those that are there."""
    with pytest.raises(TypeError, match="Untagged is not in the union Waits"):
        codec(Waits | None).encode(Untagged())


def test_a_type_that_no_sheet_may_use_is_refused_with_those_that_it_may() -> None:
    """A plain `dict` says nothing of what is in it."""
    with pytest.raises(TypeError, match="A field can be bool, int, str,"):
        codec(dict)


@dataclass(frozen=True)
class Throw:
    """Fields without a default, under other keys, and some that may be None."""

    TAG = "throw"
    KEYS: ClassVar = {"from": "source", "faces": "faces", "by": "typed", "colour": "colour", "limit": "limit"}
    PACKED: ClassVar = ("faces", "typed", "colour", "limit")

    source: str
    faces: tuple[int, ...]
    typed: Annotated[bool, InWords("app", "hand")]
    colour: Colour | None
    limit: int | None = None


THROWN = Annotated[Throw | Waits, TagKey("kind")]


def test_fields_without_a_default_are_always_written() -> None:
    """Under the keys that the class gives them; what is None is left out."""
    tree = {"kind": "throw", "from": "", "faces": [], "by": "hand"}
    assert codec(THROWN).encode(Throw("", (), True, None)) == tree
    faults: list[Fault] = []
    assert codec(THROWN).decode(tree, (), faults) == Throw("", (), True, None)
    whole = Throw("oar", (1, 6), False, Colour.GREEN, 3)
    assert codec(THROWN).decode(codec(THROWN).encode(whole), (), faults) == whole
    assert not faults
    for key in ("from", "faces", "by"):
        codec(THROWN).decode({name: value for name, value in tree.items() if name != key}, (), faults)
        assert faults.pop() == Fault((), f"{key} is missing")
    codec(THROWN).decode({**tree, "by": "fate"}, (), faults)
    assert faults.pop().message == "by can't be “fate”: it should be app or hand"


def test_a_packed_value_has_no_keys() -> None:
    """Only the fields that its class packs; None is an empty text or −1. What has another shape is refused."""
    whole, bare = Throw("oar", (1, 6), False, Colour.GREEN, 3), Throw("", (), True, None)
    packed = codec(tuple[THROWN, ...]).pack((whole, bare, Waits(2)))
    assert packed == [["throw", [1, 6], False, "green", 3], ["throw", [], True, "", -1], ["waits", 2]]
    assert codec(tuple[THROWN, ...]).unpack(packed) == (replace(whole, source=""), bare, Waits(2))
    for raw in ([], "throw", ["throw"], ["sleeps", 2], ["waits", "2"], ["waits", 2, 3], ["throw", 1, True, "", -1]):
        with pytest.raises(ValueError, match=r"is no|should be"):
            codec(THROWN).unpack(raw)


@given(st.lists(st.text(min_size=1), min_size=1).map(tuple))
def test_a_path_is_read_back_as_it_was_written(path: tuple[str, ...]) -> None:
    """Whatever the keys are."""
    assert parse_path(format_path(path)) == path


@given(st.text(alphabet='a"\\.u\x01'))
def test_any_text_is_read_as_a_path(text: str) -> None:
    """Somebody may have typed it into a game file or a log."""
    assert all(isinstance(part, str) for part in parse_path(text))


@pytest.mark.clause("VC-03", "CF-03", "CF-21")
@pytest.mark.parametrize("count", [0, 99, 100, 12345, -1])
@pytest.mark.parametrize(
    ("name", "path", "clause"),
    [
        ("veil-classic", ("crew", "mara", "grit"), "VC-03"),
        ("course-flow", ("flows", "storm", "value"), "CF-03"),
        ("course-flow", ("crew", "mara", "tokens", "clue"), "CF-21"),
        ("course-flow", ("crew", "mara", "skills", "Piloting"), "CF-04"),
    ],
)
def test_what_has_no_maximum_is_right_at_any_count(name: str, path: tuple[str, ...], count: int, clause: str) -> None:
    """The check says nothing, `set` sets it, and editors are told of no limit; less than none is still wrong."""
    game = Game(system(name))
    tree: dict[str, Any] = {"crew": {"mara": {"name": "Mara"}}, "flows": {"storm": {"name": "Storm"}}}
    tree = {key: tree[key] for key in tree if key in game.schema()["properties"]}
    state = game.read(tree)[0]
    found = [
        fault.clause for fault in game.read(game.write(game.apply_changes(state, (Change(path, None, count),))))[1]
    ]
    assert (clause in found) is (count < 0)
    words = f"set {format_path(path)} {count}"
    act = parse_act(game.moves(state), words)
    if count < 0:
        with pytest.raises(ActRefused, match="a whole number, 0 or more") as refused:
            game.play(state, act, ONES)
        assert refused.value.refusal.clause == clause
    elif count:
        assert game.difference(state, game.play(state, act, ONES).state)[0].after == count
