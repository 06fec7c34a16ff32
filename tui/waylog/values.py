"""Dataclasses and named tuples that cost a start little.

The standard decorator compiles up to seven functions for each class: 0.3 to 0.8 ms with Python 3.11, and a start makes more than a
hundred classes. Here nothing is compiled for one class alone: an `__init__` shares its code with those of all classes of the same
shape, and the other functions are the same for every class. All else is the standard library's: `fields`, `replace` and patterns
know these classes, and a type checker sees the standard decorator. What this decorator cannot do as the standard one does, it
refuses when the class is made: `init=False`, `kw_only` and `InitVar`, and functions that a class has of its own in the place of
those made here. `eq`, `order` and the like are left to the standard decorator.

The standard `NamedTuple` compiles the annotation of each field, to check that it is a type: another 0.3 ms for each class. Type
checkers do that already.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, MISSING, Field, FrozenInstanceError, InitVar, fields
from functools import cache, partial
from operator import attrgetter
from types import CodeType, FunctionType, MemberDescriptorType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, get_origin

__all__ = ["NamedTuple", "dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import NamedTuple
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, **options: bool) -> Any:
        """The standard decorator; for nothing but `frozen` and `slots`, a faster one."""
        if options:
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, **options)
        make = partial(_make_class, frozen=frozen, slots=slots)
        return make if cls is None else make(cls)

    class _NamedTupleType(type):
        """Makes a named tuple of a class, as the standard library's does, and leaves its annotations as they are written."""

        def __new__(cls, name: str, _: tuple[type, ...], body: dict[str, Any]) -> Any:
            """Return the class. Its fields are the names with an annotation."""
            kinds = body["__annotations__"]
            defaults = [body[field] for field in kinds if field in body]
            if any(field in body for field in [*kinds][: len(kinds) - len(defaults)]):
                raise TypeError(f"{name} has a field without a default behind one that has one")
            made = namedtuple(name, kinds, defaults=defaults, module=body["__module__"])  # noqa: PYI024
            for key, value in body.items():
                if key not in kinds and key != "__module__":
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})


def _make_class(cls: type, *, frozen: bool, slots: bool) -> Any:
    """Return the class with the functions of a dataclass. If it gets slots, this is a new class. Raises `TypeError` or
    `ValueError`.
    """
    inherited: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__):
        inherited |= vars(base).get("__dataclass_fields__", {})
    functions = _FROZEN if frozen else _CHANGEABLE
    for name in ("__init__", "__slots__", *functions):
        if name in vars(cls) and name != "__hash__":  # which is None in each class that has an `__eq__`
            _refuse(cls, name)
    declared = {
        name: _make_field(cls, name, kind) for name, kind in cls.__annotations__.items() if not _is_shared(kind)
    }
    given = {**inherited, **declared}
    added = {
        "__dataclass_fields__": given,
        "__dataclass_params__": _FROZEN_PARAMS if frozen else _PARAMS,
        "__match_args__": tuple(given),
        "__doc__": cls.__doc__ or cls.__name__,
        "__values__": attrgetter(*([name for name, field in given.items() if field.compare] or ("__class__",))),
        **functions,
    }
    if slots:
        made = _with_slots(cls, [name for name in declared if name not in inherited], added, declared)
    else:
        made = _fill_in(cls, added, declared)
    made.__init__ = _make_init(made, given)
    return made


def _with_slots(cls: type, names: Iterable[str], added: Mapping[str, Any], declared: Mapping[str, Field[Any]]) -> Any:
    """Return the class again with these slots: a class that exists can't get slots."""
    kept = {name: value for name, value in vars(cls).items() if name not in declared and name not in _WITHOUT_SLOTS}
    made = type(cls)(cls.__name__, cls.__bases__, {**kept, "__slots__": tuple(names), **added})
    made.__qualname__ = cls.__qualname__
    return made


def _fill_in(cls: type, added: Mapping[str, Any], declared: Mapping[str, Field[Any]]) -> Any:
    """Return the class itself, with functions added and plain defaults in place of fields."""
    for name, field in declared.items():
        if field.default is not MISSING:
            setattr(cls, name, field.default)
        elif name in vars(cls):
            delattr(cls, name)
    for name, value in added.items():
        setattr(cls, name, value)
    return cls


_WITHOUT_SLOTS = ("__dict__", "__weakref__")
"""What a class has that was made without slots."""
_PARAMS = SimpleNamespace(init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False)
_FROZEN_PARAMS = SimpleNamespace(init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=True)
"""What the standard library asks of a base class, and `pprint` of any class."""


def _is_shared(kind: Any) -> bool:
    """Whether the annotation is that of a value of the class, and not of a field."""
    if isinstance(kind, str):
        return kind.startswith(("ClassVar", "typing.ClassVar"))
    return kind is ClassVar or get_origin(kind) is ClassVar


def _make_field(cls: type, name: str, kind: Any) -> Field[Any]:
    """Return the field that the class describes. Raises `TypeError` for what is refused, `ValueError` as the standard
    decorator does.
    """
    default: Any = getattr(cls, name, MISSING)
    if isinstance(default, MemberDescriptorType):  # the slot of a base class
        default = MISSING
    _refuse_kind(cls, kind)
    if isinstance(default, Field):
        field: Field[Any] = default
        if not field.init:
            _refuse(cls, "init=False")
        if field.kw_only is True:
            _refuse(cls, "kw_only")
    else:
        field = dataclasses.field(default=default)
    if type(field.default).__hash__ is None:
        raise ValueError(f"{cls.__qualname__}.{name} has a default that can be changed: use default_factory")
    field.name, field.type, field.kw_only = name, kind, False
    field._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001 - `fields` asks for it
    return field


_REFUSED = ("KW_ONLY", "dataclasses.KW_ONLY", "InitVar", "dataclasses.InitVar")


def _refuse_kind(cls: type, kind: Any) -> None:
    """Raise `TypeError` for an annotation that makes no field."""
    if isinstance(kind, str):
        if kind.startswith(_REFUSED):
            _refuse(cls, "InitVar" if "InitVar" in kind else "kw_only")
    elif kind is KW_ONLY:
        _refuse(cls, "kw_only")
    elif isinstance(kind, InitVar):
        _refuse(cls, "InitVar")


def _refuse(cls: type, what: str) -> NoReturn:
    raise TypeError(f"{cls.__qualname__} has {what}: use the dataclass of the standard library for it")


def _make_init(cls: type, given: Mapping[str, Field[Any]]) -> Any:
    """Compile a function that sets each field without the class's own `__setattr__`, and then calls `__post_init__`."""
    setters: dict[str, Any] = {}
    defaults: list[Any] = []
    for number, (name, field) in enumerate(given.items()):
        slot = getattr(cls, name, None)
        set_value = slot.__set__ if isinstance(slot, MemberDescriptorType) else _setter(name)
        make: Any = field.default_factory
        setters[f"set_{number}"] = set_value if make is MISSING else _setter_with_default(set_value, make)
        if make is not MISSING or field.default is not MISSING:
            defaults.append(field.default)
        elif defaults:
            raise TypeError(f"{cls.__qualname__}.{name} has no default and stands behind a field that has one")
    code = _init_code(len(given), hasattr(cls, "__post_init__"))
    code = code.replace(co_varnames=("self", *given), co_qualname=f"{cls.__qualname__}.__init__")
    return FunctionType(code, setters, "__init__", tuple(defaults))


def _setter(name: str) -> Callable[[Any, Any], None]:
    """Return a function that sets a field of a class without slots, frozen or not."""

    def set_value(self: Any, value: Any) -> None:
        object.__setattr__(self, name, value)

    return set_value


def _setter_with_default(set_slot: Callable[[Any, Any], None], make: Callable[[], Any]) -> Callable[[Any, Any], None]:
    """Return a function that sets a slot, and makes a new value if none is given."""

    def set_value(self: Any, value: Any) -> None:
        set_slot(self, make() if value is MISSING else value)

    return set_value


@cache
def _init_code(count: int, checks: bool) -> CodeType:
    """Return the code of every `__init__` for so many fields. The function's globals say which fields they are."""
    values = [f"value_{number}" for number in range(count)]
    lines = [f"    set_{number}(self, {value})" for number, value in enumerate(values)]
    last = "    self.__post_init__()" if checks else "    pass"
    names: dict[str, Any] = {}
    # As in the standard decorator. Nothing that is compiled comes from anywhere else.
    exec("\n".join([f"def __init__({', '.join(['self', *values])}):", *lines, last]), names)  # noqa: S102
    code: CodeType = names["__init__"].__code__
    return code


def _equal(self: Any, other: Any) -> Any:
    return self.__values__(self) == self.__values__(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(self.__values__(self))


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _not_set(_: Any, name: str, __: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    """Copy by calling the constructor, because the slots can't be filled one by one."""
    return type(self), tuple(getattr(self, field.name) for field in fields(self))


_CHANGEABLE = {"__eq__": _equal, "__hash__": None, "__repr__": _repr}
_FROZEN = {
    **_CHANGEABLE,
    "__hash__": _hash,
    "__setattr__": _not_set,
    "__delattr__": _refuse_deletion,
    "__reduce__": _reduce,
}
