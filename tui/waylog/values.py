"""Frozen dataclasses that cost a start little.

The standard decorator compiles seven functions for each class: 0.3 ms with Python 3.11, and a start makes more than a hundred
classes, a seventh of its time. Here one function is compiled, when the class is first used, and the others are shared. All else
is the standard library's: `fields`, `replace` and patterns know these classes, and a type checker sees the standard decorator.
What this decorator cannot do as the standard one does, it refuses when the class is made: `__post_init__`, `init=False`,
`kw_only` and `InitVar`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """The standard decorator; a quick one of its own with exactly `frozen=True, slots=True`."""
        if options == {"frozen": True, "slots": True}:
            return _freeze_class
        return dataclasses.dataclass(cls, **options)


def _freeze_class(cls: type) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # otherwise its signature is worked out to stand there
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    _refuse_ignored_parts(made)
    given = fields(made)
    compared = [field.name for field in given if field.compare]
    made.__values__ = attrgetter(*(compared or ("__class__",)))
    made.__init__ = _init_on_first_use(made, given)
    made.__eq__, made.__hash__, made.__repr__ = _equal, _hash, _repr
    made.__setattr__, made.__delattr__, made.__reduce__ = _not_set, _refuse_deletion, _reduce
    return made


def _refuse_ignored_parts(made: Any) -> None:
    """Raise `TypeError` for what the standard decorator would heed and this one would not."""
    ignored = ["__post_init__"] if hasattr(made, "__post_init__") else []
    for field in made.__dataclass_fields__.values():
        if not field.init:
            ignored.append("init=False")
        if field.kw_only is True:
            ignored.append("kw_only")
        if _is_init_variable(field):
            ignored.append("InitVar")
    for what in ignored:
        raise TypeError(f"{made.__qualname__} has {what}: use the dataclass of the standard library for it")


def _is_init_variable(field: Field[Any]) -> bool:
    return field._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]  # noqa: SLF001 - nothing public tells it


def _init_on_first_use(cls: type, given: tuple[Field[Any], ...]) -> Any:
    """An `__init__` that puts the compiled one in its place when the class is first used. A start makes twice as many as it uses."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it stands for the compiled one
        compiled = _init(cls, given)
        cls.__init__ = compiled  # type: ignore[misc]
        compiled(self, *values, **named)

    return __init__


def _init(cls: type, given: tuple[Field[Any], ...]) -> Any:
    """A function that sets each slot, past `__setattr__`."""
    names: dict[str, Any] = {"MISSING": MISSING}
    parameters, lines = ["self"], list[str]()
    for field in given:
        name = field.name
        value, names[f"_set_{name}"] = name, getattr(cls, name).__set__
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is MISSING else {name}"
        names[f"_default_{name}"] = field.default
        optional = field.default is not MISSING or field.default_factory is not MISSING
        parameters.append(f"{name}=_default_{name}" if optional else name)
        lines.append(f"    _set_{name}(self, {value})")
    # As the standard decorator does it. All that is compiled are names of fields.
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *lines, "    pass"]), names)  # noqa: S102
    return names["__init__"]


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
    """Copies are made as new ones are; they can't be filled slot by slot."""
    return type(self), tuple(getattr(self, field.name) for field in fields(self))
