"""Dataclasses and named tuples that cost a start little.

To make the 144 classes that a command imports, the standard decorator takes 114 ms, attrs 109, msgspec and `typing.NamedTuple` 25, and this
module 7.5; a whole command takes about 140. The standard module imports `inspect`, and its decorator compiles up to seven functions
for each class. Here nothing is compiled for a single class, and nothing is made before it is needed:
an `__init__` and the descriptions of the fields are made when a class is first used, and most starts use few of their classes. An
`__init__` shares its code with those of all classes of the same shape; the other functions are the same for every class.

A type checker sees the standard decorator, and also `field`, `fields`, `replace` and `is_dataclass`. The standard library's own
functions and patterns work with these classes, too; use them for classes of other libraries. This decorator refuses what it doesn't
support when the class is made: `init=False`, `kw_only` and `InitVar`, and functions in the class with the names of those made here.
It has no options but `frozen` and `slots`.

The standard `NamedTuple` compiles a function for each class, and the annotation of each field to check that it is a type, which type
checkers do already. The standard `Annotated` makes 65 calls, and the modules of games in files have 240 of them.
"""

from __future__ import annotations

import typing
from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from operator import attrgetter
from types import CodeType, FunctionType, MemberDescriptorType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, get_origin

__all__ = ["MISSING", "Annotated", "Field", "NamedTuple", "dataclass", "field", "fields", "is_dataclass", "replace"]

if TYPE_CHECKING:
    from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
    from typing import Annotated, NamedTuple
else:
    MISSING = type("Missing", (), {"__repr__": lambda _: "MISSING"})()
    """The default of a field that has none."""

    class _Field:
        """The description of one field of a class."""

        __slots__ = ("compare", "default", "default_factory", "name", "repr", "type")

        def __init__(self, default: Any, default_factory: Any, repr: bool, compare: bool) -> None:  # noqa: A002 - as in the standard library
            self.name, self.type = "", None
            self.default, self.default_factory, self.repr, self.compare = default, default_factory, repr, compare

    Field = _Field

    def field(
        *,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        repr: bool = True,  # noqa: A002 - as in the standard library
        compare: bool = True,
    ) -> Any:
        """Describe a field: its default, and whether it is shown and compared."""
        return Field(default, default_factory, repr, compare)

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False) -> Any:
        """Give a class the functions of a dataclass."""
        make = partial(_make_class, frozen=frozen, slots=slots)
        return make if cls is None else make(cls)

    def fields(value: Any) -> tuple[Field, ...]:
        """Return the fields of a value or of its class, in order. Raises `TypeError` for another class."""
        try:
            return tuple(value.__described__.values())
        except AttributeError:
            raise TypeError(f"{value!r} has no fields: it is not a dataclass of this module") from None

    def is_dataclass(value: Any) -> bool:
        """Whether this is a dataclass of this module, or a value of one."""
        return hasattr(value, "__described__")

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a new value with other fields. Raises `TypeError` for a field that it doesn't have."""
        cls = type(value)
        try:
            places, values = cls.__places__, [*cls.__every__(value)]
        except AttributeError:  # A dataclass of another library, such as Textual's `Binding`.
            return cls(**{name: getattr(value, name) for name in value.__match_args__} | changes)
        try:
            for name, changed in changes.items():
                values[places[name]] = changed
        except KeyError as unknown:
            raise TypeError(f"{cls.__qualname__} has no field {unknown}") from None
        return cls(*values)

    class _NamedTupleType(type):
        """Makes a named tuple of a class, as the standard library's does, and leaves its annotations as they are written."""

        def __new__(cls, name: str, _: tuple[type, ...], body: dict[str, Any]) -> Any:
            """Return the class. Its fields are the names with an annotation."""
            return _make_named_tuple(name, body)

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})

    class Annotated:
        """Makes what the standard library's `Annotated` makes, as a copy of one in which the type and its remarks are exchanged."""

        _model = typing.Annotated[int, ""]

        def __class_getitem__(cls, arguments: tuple[Any, ...]) -> Any:
            kind, *remarks = arguments
            if type(kind) is type(cls._model):
                kind, remarks = kind.__origin__, [*kind.__metadata__, *remarks]
            made = object.__new__(type(cls._model))
            vars(made).update(vars(cls._model), __origin__=kind, __args__=(kind,), __metadata__=tuple(remarks))
            return made


def _make_class(cls: type, *, frozen: bool, slots: bool) -> Any:
    """Return the class with the functions of a dataclass. If it gets slots, this is a new class. Raises `TypeError` or
    `ValueError`.
    """
    functions = _FROZEN if frozen else _CHANGEABLE
    for name in ("__init__", "__slots__", *functions):
        if name in vars(cls) and name != "__hash__":  # which is None in each class that has an `__eq__`
            _refuse(cls, name)
    inherited: dict[str, _Declared] = {}
    for base in cls.__mro__[:0:-1]:
        inherited |= vars(base).get("__declared__", {})
    new = {
        name: (kind, default if (default := getattr(cls, name, MISSING)) is MISSING else _default(cls, name, default))
        for name, kind in cls.__annotations__.items()
        if not _is_shared(cls, kind)
    }
    declared = {**inherited, **new}
    _check_order(cls, declared)
    added = {
        "__declared__": declared,
        "__dataclass_params__": _FROZEN_PARAMS if frozen else _PARAMS,
        "__match_args__": tuple(declared),
        "__doc__": cls.__doc__ or cls.__name__,
        **_LATE,
        **functions,
    }
    if slots:
        return _with_slots(cls, [name for name in new if name not in inherited], added, new)
    _fill_in(cls, added, new)
    return cls


_Declared = tuple[Any, Any]
"""The annotation of a field, and its default: a value, what `field` returned, or `MISSING`."""


class _WhenFirstAsked:
    """An attribute that all classes share until it is first used in one of them. There it is made, and replaces this one."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[type], Any]) -> None:
        self._name, self._make = name, make

    def __get__(self, value: Any, kind: type | None = None) -> Any:
        kind = kind or type(value)
        owner = next((base for base in kind.__mro__ if vars(base).get(self._name) is self), None)
        if owner is None:  # Another thread has just made it.
            made = getattr(kind, self._name)
        else:
            made = self._make(owner)
            setattr(owner, self._name, made)
        return made.__get__(value, kind) if isinstance(made, FunctionType) else made


def _with_slots(cls: type, names: Iterable[str], added: Mapping[str, Any], new: Mapping[str, _Declared]) -> Any:
    """Return the class again with these slots: a class that exists can't get slots."""
    kept = {name: value for name, value in vars(cls).items() if name not in new and name not in _WITHOUT_SLOTS}
    added = {"__slots__": tuple(names), "__qualname__": cls.__qualname__, **added}
    return type(cls)(cls.__name__, cls.__bases__, {**kept, **added})


def _fill_in(cls: type, added: Mapping[str, Any], new: Mapping[str, _Declared]) -> None:
    """Add functions to the class itself, and replace the values that `field` returned by plain defaults."""
    for name, (_, default) in new.items():
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    for name, value in added.items():
        setattr(cls, name, value)


_WITHOUT_SLOTS = ("__dict__", "__weakref__")
"""What a class has that was made without slots."""
_PARAMS = SimpleNamespace(init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False)
_FROZEN_PARAMS = SimpleNamespace(init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=True)
"""What the standard library asks of a base class, and `pprint` of any class."""


_SHARED = ("ClassVar", "typing.ClassVar")
_REFUSED = ("KW_ONLY", "dataclasses.KW_ONLY", "InitVar", "dataclasses.InitVar")
_NO_FIELDS = _SHARED + _REFUSED


def _is_shared(cls: type, kind: Any) -> bool:
    """Whether the annotation is that of a value of the class, and not of a field. Raises `TypeError` for one that is refused."""
    if isinstance(kind, str):
        if not kind.startswith(_NO_FIELDS):  # Nearly always; all starts of a command ask it a thousand times.
            return False
        is_shared, is_refused = kind.startswith(_SHARED), kind.startswith(_REFUSED)
    else:
        is_shared, is_refused = kind is ClassVar or get_origin(kind) is ClassVar, _is_from_dataclasses(kind)
    if is_refused:
        _refuse(cls, "InitVar" if "InitVar" in str(kind) else "kw_only")
    return is_shared


def _default(cls: type, name: str, default: Any) -> Any:
    """Return the default that the class gives the field: what stands behind its name there. Raises `TypeError` for what is refused,
    `ValueError` as the standard decorator does.
    """
    if isinstance(default, MemberDescriptorType):  # the slot of a base class
        return MISSING
    if type(default).__hash__ is None:
        raise ValueError(f"{cls.__qualname__}.{name} has a mutable default: use default_factory")
    if type(default).__module__ == "dataclasses":
        _refuse(cls, f"dataclasses.field for {name}")
    return default


def _is_from_dataclasses(kind: Any) -> bool:
    """Whether the annotation is one that only the standard decorator knows. Nothing here imports its module."""
    return "dataclasses" in (type(kind).__module__, getattr(kind, "__module__", ""))


def _refuse(cls: type, what: str) -> NoReturn:
    raise TypeError(f"{cls.__qualname__} has {what}: use the standard library's dataclass instead")


def _check_order(cls: type, declared: Mapping[str, _Declared]) -> None:
    """Raise `TypeError` if a field without a default follows one that has one."""
    defaults = False
    for name, (_, default) in declared.items():
        if default is not MISSING and not _has_no_default(default):
            defaults = True
        elif defaults:
            raise TypeError(f"{cls.__qualname__}.{name} has no default and follows a field that has one")


def _has_no_default(default: Any) -> bool:
    return default is MISSING or (
        isinstance(default, Field) and default.default is MISSING and default.default_factory is MISSING
    )


def _describe_fields(cls: Any) -> dict[str, Any]:
    """Return the fields of a class by name."""
    described = {}
    for name, (kind, default) in cls.__declared__.items():
        described[name] = default if isinstance(default, Field) else field(default=default)
        described[name].name, described[name].type = name, kind
    return described


def _describe_for_standard_library(cls: Any) -> dict[str, Any]:
    """Return the fields of a class as the standard library's functions expect them."""
    import dataclasses

    described = {}
    for name, ours in cls.__described__.items():
        defaults = {"default": ours.default, "default_factory": ours.default_factory}
        given: dict[str, Any] = {key: value for key, value in defaults.items() if value is not MISSING}
        theirs: Any = dataclasses.field(repr=ours.repr, compare=ours.compare, **given)
        theirs.name, theirs.type, theirs.kw_only = name, ours.type, False
        theirs._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001 - `fields` asks for it
        described[name] = theirs
    return described


def _make_init(cls: Any) -> Any:
    """Return a function that sets each field without the class's own `__setattr__`, and then calls `__post_init__`.

    Nothing is compiled for it. For one value, setting fields in a loop takes a microsecond more; compiling takes a hundred. So a class gets
    a compiled function with its 128th value, which few classes have in a command.
    """
    setters, defaults = list[Any](), list[Any]()
    for name, (_, default) in cls.__declared__.items():
        slot = getattr(cls, name, None)
        set_value = slot.__set__ if isinstance(slot, MemberDescriptorType) else _setter(name)
        if isinstance(default, Field) and default.default_factory is not MISSING:
            set_value = _setter_with_default(set_value, default.default_factory)
        setters.append(set_value)
        if not _has_no_default(default):
            defaults.append(default.default if isinstance(default, Field) else default)
    checks, qualname = hasattr(cls, "__post_init__"), f"{cls.__qualname__}.__init__"
    parameters = ("self", *cls.__declared__)
    values_before = iter(range(_FEW))

    def set_fields(arguments: Mapping[str, Any]) -> None:
        self, *values = arguments.values()
        for set_value, value in zip(setters, values, strict=True):
            set_value(self, value)
        if checks:
            self.__post_init__()
        if next(values_before, None) is None:
            names = {f"set_{number}": set_value for number, set_value in enumerate(setters)}
            cls.__init__ = _with_arguments(_init_code(len(setters), checks), parameters, qualname, names, defaults)

    return _with_arguments(_set_in_loop.__code__, parameters, qualname, {"set_fields": set_fields}, defaults)


def _with_arguments(
    code: CodeType, arguments: tuple[str, ...], qualname: str, names: dict[str, Any], defaults: Iterable[Any]
) -> FunctionType:
    """Return a function with these arguments, and a code that is shared. `names` are its globals."""
    count, name = len(arguments), qualname.rpartition(".")[2]
    code = code.replace(co_name=name, co_qualname=qualname, co_varnames=arguments, co_nlocals=count, co_argcount=count)
    return FunctionType(code, names, name, tuple(defaults))


def _set_in_loop(self: Any) -> None:
    """Every `__init__` that isn't compiled: other classes add arguments, which this code finds among its locals."""
    set_fields(locals())  # type: ignore[name-defined]  # noqa: F821 - a global of each function


def _new_in_loop(cls: Any) -> Any:
    """Every `__new__` that isn't compiled."""
    return make_tuple(locals())  # type: ignore[name-defined]  # noqa: F821 - as above


def _make_getter(cls: Any) -> Any:
    """Return a function that reads all compared fields of a value."""
    compared = [
        name for name, (_, default) in cls.__declared__.items() if not isinstance(default, Field) or default.compare
    ]
    return attrgetter(*(compared or ("__class__",)))


def _number_fields(cls: Any) -> Mapping[str, int]:
    """Return the place of each field, by its name."""
    return {name: place for place, name in enumerate(cls.__match_args__)}


def _make_getter_of_all(cls: Any) -> Any:
    """Return a function that reads every field of a value, in order, as a sequence."""
    names = cls.__match_args__
    # For a single name, `attrgetter` returns the value alone.
    return attrgetter(*names) if len(names) > 1 else lambda value: [getattr(value, name) for name in names]


_MAKERS: Mapping[str, Callable[[type], Any]] = {
    "__init__": _make_init,
    "__values__": _make_getter,
    "__every__": _make_getter_of_all,
    "__places__": _number_fields,
    "__described__": _describe_fields,
    "__dataclass_fields__": _describe_for_standard_library,
}
_LATE = {name: _WhenFirstAsked(name, make) for name, make in _MAKERS.items()}
_FEW = 127
"""Values that a class has before its `__init__` is compiled."""


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
    lines = [f"    set_{number}(self, value_{number})" for number in range(count)]
    last = "    self.__post_init__()" if checks else "    pass"
    return _compile("__init__", "self", count, [*lines, last])


@cache
def _new_code(count: int) -> CodeType:
    """Return the code of every `__new__` of a named tuple with so many fields."""
    values = "".join(f"value_{number}, " for number in range(count))
    return _compile("__new__", "cls", count, [f"    return make(cls, ({values}))"])


def _compile(name: str, first: str, count: int, lines: Iterable[str]) -> CodeType:
    """Compile a function of so many arguments behind its first. Nothing that is compiled comes from a file or a person."""
    arguments = ", ".join([first, *(f"value_{number}" for number in range(count))])
    names: dict[str, Any] = {}
    exec("\n".join([f"def {name}({arguments}):", *lines]), names)  # noqa: S102
    code: CodeType = names[name].__code__
    return code


def _equal(self: Any, other: Any) -> Any:
    return self.__values__(self) == self.__values__(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(self.__values__(self))


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name, described in self.__described__.items() if described.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_change(_: Any, name: str, *given: Any) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if given else 'delete'} field {name!r}")


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    """Copy by calling the constructor, because the slots can't be filled one by one."""
    return type(self), tuple(getattr(self, name) for name in self.__declared__)


_CHANGEABLE = {"__eq__": _equal, "__hash__": None, "__repr__": _repr}
_FROZEN = {
    **_CHANGEABLE,
    "__hash__": _hash,
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_change,
    "__reduce__": _reduce,
}


class _NamedValues(tuple[Any, ...]):
    """What every named tuple can do. Its promises are those of the standard library."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]]

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        return cls(*values)

    def _replace(self, /, **changes: Any) -> Any:
        return type(self)(**{**self._asdict(), **changes})

    __replace__ = _replace

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({', '.join(shown)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


def _make_named_tuple(name: str, body: dict[str, Any]) -> Any:
    """Return the class. Raises `TypeError` if a field without a default follows one that has one."""
    names = (*body["__annotations__"],)
    defaults = {field: body[field] for field in names if field in body}
    if any(field in body for field in names[: len(names) - len(defaults)]):
        raise TypeError(f"{name} has a field without a default after a field with a default")
    qualname, made_before = f"{body['__qualname__']}.__new__", iter(range(_FEW))

    def make_tuple(arguments: Mapping[str, Any]) -> Any:
        cls, *values = arguments.values()
        if next(made_before, None) is None:
            quick = _with_arguments(
                _new_code(len(names)), ("cls", *names), qualname, {"make": tuple.__new__}, defaults.values()
            )
            made.__new__ = staticmethod(quick)
        return tuple.__new__(cls, values)

    slow = _with_arguments(
        _new_in_loop.__code__, ("cls", *names), qualname, {"make_tuple": make_tuple}, defaults.values()
    )
    getters = {field: _tuplegetter(number, "") for number, field in enumerate(names)}
    added = {"__slots__": (), "__new__": slow, "__match_args__": names, "_fields": names, "_field_defaults": defaults}
    made: Any = type(name, (_NamedValues,), {**body, **getters, **added})
    return made
