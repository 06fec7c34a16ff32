"""Dataclasses and named tuples of Waylog's own making: they do what the standard ones do, or refuse when the class is made."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import typing
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from pprint import pformat
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_type_hints

import pytest
from textual.binding import Binding

from waylog import values
from waylog.rules.codec.base_and_limits import Between
from waylog.rules.model.dice import Die
from waylog.rules.model.panels import Tag
from waylog.values import field, replace


@values.dataclass(frozen=True, slots=True)
class Crate:
    """Quick."""

    KINDS: ClassVar[int] = 2
    name: str
    weight: int = 0
    holds: Mapping[str, int] = field(default_factory=dict)
    seal: str = field(default="", compare=False, repr=False)

    @property
    def heavy(self) -> bool:
        """More than one carries."""
        return self.weight > 9


@values.dataclass(frozen=True, slots=True)
class Cold(Crate):
    """One that inherits, and gives another default."""

    weight: int = 5
    degrees: int = -20


@values.dataclass(frozen=True, slots=True)
class Empty:
    """One of no fields."""


@values.dataclass
class Ordinary:
    """Whatever is not frozen with slots is the standard library's."""

    name: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same as `Crate`, by the standard decorator."""

    KINDS: ClassVar[int] = 2
    name: str
    weight: int = 0
    holds: Mapping[str, int] = dataclasses.field(default_factory=dict)
    seal: str = dataclasses.field(default="", compare=False, repr=False)


ARGUMENTS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    (("tea",), {}),
    (("tea", 3), {"seal": "wax"}),
    ((), {"name": "tea", "holds": {"tins": 4}}),
    (("tea", 1, {}, "x"), {}),
)


@pytest.mark.parametrize(("given", "named"), ARGUMENTS)
def test_it_is_made_and_shown_as_the_standard_one(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Values, defaults, names, patterns and words."""
    quick, standard = Crate(*given, **named), Standard(*given, **named)
    assert dataclasses.astuple(quick) == dataclasses.astuple(standard)
    assert repr(quick) == repr(standard).replace("Standard", "Crate")
    assert Crate.__match_args__ == Standard.__match_args__
    assert [each.name for each in dataclasses.fields(quick)] == [each.name for each in dataclasses.fields(standard)]
    assert not hasattr(quick, "__dict__")


def test_equal_is_what_holds_the_same_and_is_of_one_class() -> None:
    """Values of one class with the same fields are equal and hash alike; a field that isn't compared doesn't count."""
    assert Crate("tea", seal="wax") == Crate("tea", 0, {})
    assert Crate("tea") != Crate("tea", 1)
    assert Crate("tea", 5) != Cold("tea")
    other: object = "tea"
    assert Crate("tea") != other
    assert Empty() == Empty()
    assert len({Empty(), Empty(), Die("sun", 6), Die("sun", 6)}) == 2
    assert hash(Tag("Wrecked")) == hash(Tag("Wrecked"))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Crate("tea"))


def test_nothing_is_changed_in_place() -> None:
    """Neither set nor deleted, by the same error as ever; another is made by `replace`."""
    crate = Cold("fish")
    for name in ("name", "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(crate, name, 1)
    with pytest.raises(FrozenInstanceError):
        del crate.name
    assert replace(crate, weight=12).heavy
    assert dataclasses.replace(crate, weight=12) == replace(crate, weight=12) != crate
    with pytest.raises(TypeError, match="'lid'"):
        replace(crate, lid=1)  # type: ignore[call-arg]
    assert (crate, crate.degrees, crate.weight) == (Cold("fish", 5), -20, 5)


def test_every_default_is_made_anew() -> None:
    """Where it is made by a factory."""
    assert Crate("tea").holds is not Crate("tea").holds


def test_what_is_missing_or_too_much_is_an_error_that_names_it() -> None:
    """A missing or surplus argument is an error that names it, as with any function."""
    make: Any = Crate
    with pytest.raises(TypeError, match="'name'"):
        make()
    with pytest.raises(TypeError, match="'lid'"):
        make("tea", lid=1)


def test_it_is_copied() -> None:
    """Shallow and deep."""
    crate = Cold("fish", holds={"tins": 4})
    for twin in (copy.copy(crate), copy.deepcopy(crate)):
        assert twin == crate


def test_patterns_know_it() -> None:
    """A pattern matches the fields of a value by place and by name."""
    match Cold("fish", 7):
        case Crate(name, 7, degrees=-20) if name:
            pass
        case _:
            pytest.fail("not known")


def test_all_others_are_the_standard_ones() -> None:
    """They can be changed."""
    ordinary = Ordinary()
    ordinary.name = "box"
    assert ordinary == Ordinary("box")


@pytest.mark.parametrize(
    ("what", "name", "body"),
    [
        ("dataclasses.field", "Counted", {"__annotations__": {"size": int}, "size": dataclasses.field(default=1)}),
        ("InitVar", "Given", {"__annotations__": {"size": int, "seed": dataclasses.InitVar[int]}}),
        ("InitVar", "Spelt", {"__annotations__": {"size": "int", "seed": "InitVar[int]"}}),
        ("kw_only", "Marked", {"__annotations__": {"size": "int", "_": "dataclasses.KW_ONLY"}}),
        ("__repr__", "Shown", {"__annotations__": {"size": int}, "__repr__": object.__repr__}),
        ("__init__", "Made", {"__annotations__": {"size": int}, "__init__": object.__init__}),
        ("__slots__", "Slotted", {"__annotations__": {"size": int}, "__slots__": ("weight",)}),
    ],
)
def test_what_would_be_ignored_is_refused(what: str, name: str, body: dict[str, Any]) -> None:
    """A class that asks for what this decorator cannot do is not made, and says what it asked for."""
    with pytest.raises(TypeError, match=f"{name} has {what}"):
        values.dataclass(frozen=True, slots=True)(type(name, (), body))


def test_a_field_takes_no_options_that_would_be_ignored() -> None:
    """Those of the standard library that change what is made."""
    make: Any = field
    for option in ({"init": False}, {"kw_only": True}, {"hash": False}):
        with pytest.raises(TypeError, match="unexpected keyword"):
            make(**option)


def test_fields_are_described_as_by_the_standard_library() -> None:
    """By our functions and by theirs; a class of another library has none of ours."""
    assert [values.is_dataclass(each) for each in (Crate, Crate("tea"), Standard)] == [True, True, False]
    with pytest.raises(TypeError, match="not a dataclass of this module"):
        values.fields(Standard)
    ours, theirs, standard = values.fields(Crate("tea")), dataclasses.fields(Crate), dataclasses.fields(Standard)
    for name in ("name", "type", "repr", "compare"):
        assert [getattr(each, name) for each in ours] == [getattr(each, name) for each in standard]
        assert [getattr(each, name) for each in theirs] == [getattr(each, name) for each in standard]
    assert [each.default is values.MISSING for each in ours] == [True, False, True, False]
    assert [each.default for each in theirs] == [each.default for each in standard]
    assert (ours[2].default_factory, theirs[2].default_factory) == (dict, dict)


def test_a_class_may_build_on_one_whose_functions_are_not_made_yet() -> None:
    """Its own `__init__` calls that of its base, which is made by that call."""

    @values.dataclass
    class Box:
        """One field."""

        name: str

    class Chest(Box):
        """Not a dataclass."""

        def __init__(self) -> None:
            super().__init__("oak")

    assert (Chest().name, Chest().name, Box("pine").name) == ("oak", "oak", "pine")


def test_two_threads_may_use_a_class_for_the_first_time_at_once() -> None:
    """One that has found the attribute still to be made gets what the other has made by then."""

    @values.dataclass(frozen=True, slots=True)
    class Late:
        """One field."""

        one: int

    found = {name: vars(Late)[name] for name in ("__init__", "__values__")}
    first = Late(1)
    assert (first, first.one) == (Late(1), 1)
    later = Late.__new__(Late)
    found["__init__"].__get__(later, Late)(2)
    assert later == Late(2)
    assert found["__values__"].__get__(None, Late)(later) == 2


def test_defaults_are_checked_as_the_standard_decorator_checks_them() -> None:
    """None that all would share and one could change, and none before a field that has none."""
    shared = {"__annotations__": {"holds": dict}, "holds": {}}
    with pytest.raises(ValueError, match=r"Shared\.holds has a mutable default: use default_factory"):
        values.dataclass(frozen=True, slots=True)(type("Shared", (), shared))
    early = {"__annotations__": {"size": int, "name": str}, "size": 1}
    with pytest.raises(TypeError, match=r"Early\.name has no default"):
        values.dataclass(frozen=True, slots=True)(type("Early", (), early))


def test_classes_of_one_shape_keep_their_own_names_and_defaults() -> None:
    """They share the code of their `__init__`."""
    assert Crate.__init__.__qualname__ == "Crate.__init__"
    assert list(inspect.signature(Tag).parameters) == ["text", "tone", "why"]
    assert (Die("sun", 6).sides, Tag("Wrecked").text) == (6, "Wrecked")
    assert inspect.signature(Cold).parameters["weight"].default == 5


def test_a_class_of_few_values_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its arguments are those that the compiled function has, which a class of many values gets."""
    compile_code, compiled = values._compile, list[str]()

    def note_and_compile(name: str, *shape: Any) -> Any:
        compiled.append(name)
        return compile_code(name, *shape)

    monkeypatch.setattr(values, "_compile", note_and_compile)
    fields = [f"field_{number}" for number in range(41)]  # A shape that no other class has.
    made: Any = values.dataclass(frozen=True, slots=True)(
        type("Long", (), {"__annotations__": dict.fromkeys(fields, int), "field_40": 7})
    )
    few = [made(*range(number, number + 40)) for number in range(63)]
    signature = inspect.signature(made)
    with pytest.raises(TypeError, match=r"Long\.__init__\(\) missing 40 required"):
        made()
    assert compiled == []
    many = [made(**{name: number + place for place, name in enumerate(fields[:-1])}) for number in range(65)]
    assert compiled == ["__init__"]
    assert (few, inspect.signature(made), few[9].field_39, many[9].field_40) == (many[:63], signature, 48, 7)


def test_the_quick_annotated_makes_the_standard_librarys() -> None:
    """In one that is annotated already, too."""
    size = values.Annotated[int, Between(1, 4)]
    standard = typing.Annotated[int, Between(1, 4)]
    for quick, slow in ((size, standard), (values.Annotated[size, "Dice"], typing.Annotated[standard, "Dice"])):
        assert (quick, repr(quick), hash(quick), vars(quick).keys()) == (
            slow,
            repr(slow),
            hash(slow),
            vars(slow).keys(),
        )
        assert get_type_hints(type("Box", (), {"__annotations__": {"size": quick}})) == {"size": int}


def test_the_standard_library_knows_it_as_a_frozen_dataclass() -> None:
    """One of its dataclasses may inherit, and `pprint` shows long ones."""

    @dataclasses.dataclass(frozen=True)
    class Sealed(Crate):
        """Standard, and inherits."""

        number: int = 0

    assert Sealed("tea", number=3).number == 3
    assert "tea" in pformat(Crate("tea" * 40))


@pytest.mark.parametrize("options", [{}, {"slots": True}, {"frozen": True}, {"frozen": True, "slots": True}])
def test_it_is_checked_once_its_fields_are_set(options: dict[str, bool]) -> None:
    """By a `__post_init__` of its own, or one that it inherits, as messages of Textual do."""
    seen = list[int]()
    base = type("Base", (), {"__slots__": (), "__post_init__": lambda self: seen.append(self.size)})
    child: Any = values.dataclass(**options)(type("Child", (base,), {"__annotations__": {"size": int}, "size": 4}))
    child(3)
    child()
    assert seen == [3, 4]


@pytest.mark.parametrize("slots", [True, False])
def test_one_that_is_not_frozen_can_be_changed(slots: bool) -> None:
    """With slots it has only these; it has no hash; and a default is made anew each time."""

    @values.dataclass(slots=slots)  # type: ignore[literal-required]
    class Shelf:
        """Two fields."""

        name: str
        holds: list[str] = field(default_factory=list)
        high: int = field(default=3, repr=False)

    shelf, other = Shelf("low"), Shelf("low")
    shelf.holds.append("tea")
    assert (other.holds, repr(shelf)) == ([], repr(other).replace("[]", "['tea']"))
    other.holds = ["tea"]
    assert shelf == other
    assert (hasattr(shelf, "__dict__"), Shelf("up", [], 4).high, shelf.high) == (not slots, 4, 3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(shelf)


class Pair(values.NamedTuple):
    """Two, one of them with a default."""

    left: int
    right: Mapping[str, int] = {}

    @property
    def both(self) -> int:
        """How many there are."""
        return len(self)


def test_a_named_tuple_is_one() -> None:
    """By place and by name, with its defaults, methods and words."""
    pair = Pair(3)
    left, right = pair
    assert (left, right, pair.both, pair[0], Pair._fields) == (3, {}, 2, 3, ("left", "right"))
    assert (repr(pair), pair._replace(left=4), Pair.__doc__) == (
        "Pair(left=3, right={})",
        Pair(4),
        "Two, one of them with a default.",
    )
    assert isinstance(pair, tuple)
    assert pair._asdict() == {"left": 3, "right": {}}
    assert (Pair._make([3, {}]), Pair._field_defaults) == (pair, {"right": {}})
    assert (list(inspect.signature(Pair).parameters), pair.__reduce_ex__(4)[1]) == (["left", "right"], (Pair, 3, {}))
    match pair:
        case Pair(left, right=mapping):
            assert (left, mapping) == (3, {})
    assert copy.deepcopy(pair) == pair
    with pytest.raises(AttributeError):
        pair.left = 5  # type: ignore[misc]


def test_a_named_tuple_of_few_values_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its arguments are those that the compiled function has, which many values get. A subclass has what its base has."""
    monkeypatch.setattr(values, "_new_code", None)
    fields = [f"field_{number}" for number in range(9)]
    body = {"__module__": __name__, "__qualname__": "Wide", "__annotations__": dict.fromkeys(fields, int), "field_8": 7}
    make: Any = type(values.NamedTuple)
    made = make("Wide", (), body)
    few, signature = [made(*range(number, number + 8)) for number in range(63)], inspect.signature(made)
    with pytest.raises(TypeError, match=r"Wide\.__new__\(\) missing 8 required"):
        made()
    monkeypatch.undo()
    narrow: Any = type("Narrow", (made,), {})
    many = [narrow(**{name: number + place for place, name in enumerate(fields[:-1])}) for number in range(66)]
    assert (few, inspect.signature(made), type(many[65]), many[65].field_8) == (many[:63], signature, narrow, 7)


def test_a_named_tuple_has_its_defaults_last() -> None:
    """The fields of a named tuple that have defaults come last, as a function’s parameters do."""
    make: Any = type(values.NamedTuple)
    with pytest.raises(TypeError, match="Early has a field without a default after a field with a default"):
        make("Early", (), {"__module__": __name__, "__annotations__": {"size": int, "name": str}, "size": 1})


T = TypeVar("T")


class Labelled(values.NamedTuple, Generic[T]):
    """A value of any type, and its label."""

    label: str
    value: T


def test_a_named_tuple_may_be_generic() -> None:
    """One that is generic in the type of a field is a tuple like any other, and its type can be named."""
    made: Labelled[int] = Labelled("six", 6)
    assert (made, made._replace(value=7), made.value) == (("six", 6), Labelled("six", 7), 6)
    assert get_args(Labelled[int]) == (int,)


def test_a_value_of_the_standard_library_is_copied_too() -> None:
    """`replace` changes values of other libraries' dataclasses, such as Textual's key bindings."""
    changed = replace(Binding("q", "leave", "Quit"), key="x")
    assert (changed.key, changed.action, changed.description) == ("x", "leave", "Quit")
