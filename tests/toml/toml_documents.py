"""TOML files as people really write them, and changes to them: wild layout, drawn from any source of chance.

Everything takes a `random.Random`. Hypothesis gives one whose choices it can shrink (`strategies.randoms`); a long run
gives one from a seed.
"""

import datetime as dt
import math
import tomllib
from random import Random
from typing import Any

from waylog.toml.document import ABSENT, Document, Edit, Path, lookup

_KEYS = (
    "a",
    "b",
    "c",
    "hull",
    "crew",
    "0",
    "1-2",
    '"d e"',
    "'f.g'",
    '""',
    '"\\u00e9\\t"',
    '"#"',
    "'\"'",
    '"]"',
    "__class__",
)
_SPACES = ("", " ", " ", " ", "  ", "\t")
_COMMENTS = (
    "#",
    "# plain",
    "#:schema x",
    '# "open',
    "# '''",
    '# """',
    "# ]",
    "# a = 1",
    "# [a]",
    "# é ☃ # twice",
    "#\t}",
)
_SCALARS = (
    *("1", "0x1", "+7", "1_000", "-0", "0b1_0", "0o7", "9223372036854775807"),
    *("1.0", "-0.0", "6.02e+23", "1e3", "inf", "-inf", "nan", "+nan", "true", "false"),
    *("1979-05-27", "07:32:00.5", "1979-05-27 07:32:00", "1979-05-27T07:32:00Z", "1979-05-27t07:32:00.999+01:00"),
    *('""', "''", '"a # b"', "'a # b'", '"\\"]"', "'\"'", "'\\'", '"\\\\"', '"é\\u0000"', '"= [x]"', '"it\'s"'),
)
_LONG_STRINGS = (
    *(
        '""""""',
        '"""one"""',
        '"""\n# no comment\n[a]\n"""',
        '"""a"b""c\\""" d"""""',
        '"""\n\\\n  x = 1\n"""',
        '"""""two"""',
    ),
    *("''''''", "'''one'''", "'''\n# no comment\n]\n'''", "'''a'b''c\\'''", "'''''two'''''", "'''\\'''"),
)
_NEW_VALUES: tuple[Any, ...] = (
    *(0, 1, -3, 2**63 - 1, True, False, 1.0, -0.0, 1e300, math.inf, math.nan),
    *("", "plain", "q\"'\\", "two\nlines\r\n", "\x00\x1b\x7f\x85\u202e\u2028", "# no comment", "é ☃ 🎲", '"""', "]"),
    *([], [1, 2], ["a", '"#'], [[1], ["x"], {}], [{"a": 1, "b c": [True]}], [1, "mixed", 2.5]),
    *(dt.date(1, 1, 1), dt.time(7, 32, 0, 5), dt.datetime(2026, 1, 2, 3, 4, 5)),  # noqa: DTZ001 - TOML has times without a zone
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=-9, minutes=-30))),
    dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
)
_NEW_KEYS = ("new", "two words", "", "é", "a", "crew", "0", 'q"', "dot.ted", "\x1b", "#")


def wild_text(random: Random) -> str:
    """A valid TOML text, LF line ends; built statement by statement, leaving out what would make it invalid."""
    text = ""
    for _ in range(random.randint(0, 18)):
        longer = text + _statement(random)
        try:
            tomllib.loads(longer)
        except tomllib.TOMLDecodeError:
            continue
        text = longer
    return text


def wild_bytes(random: Random) -> bytes:
    """A wild text as a file: LF, CR LF or both, with or without a final line end and a byte order mark."""
    text = wild_text(random)
    if random.random() < 0.25:
        text = text.removesuffix("\n")
    kind = random.choice(("lf", "lf", "crlf", "mixed"))
    if kind == "crlf":
        text = text.replace("\n", "\r\n")
    elif kind == "mixed":
        text = "".join(line.replace("\n", random.choice(("\n", "\r\n"))) for line in text.splitlines(keepends=True))
    return (b"\xef\xbb\xbf" if random.random() < 0.1 else b"") + text.encode()


def wild_document(random: Random) -> Document:
    """A wild file, read."""
    return Document.parse(wild_bytes(random), "wild.toml")


def wild_edit(random: Random, document: Document) -> Edit:
    """A change that somebody could ask for, possible or not."""
    paths = list(all_paths(document.tree))
    path = random.choice(paths) if paths else ()
    match random.randint(0, 11):
        case 0 | 1 | 2:
            return Edit(path or ("new",), new_value(random))
        case 10 | 11:
            lists = [path for path in paths if isinstance(lookup(document.tree, path), list)]
            path = random.choice(lists) if lists else ("new",)
            return Edit(path, changed_list(random, lookup(document.tree, path) if lists else []))
        case 3 | 4:
            return Edit(path or ("new",), ABSENT)
        case 5 | 6 | 7:
            above = path[: random.randint(0, len(path))]
            return Edit((*above, random.choice(_NEW_KEYS)), new_value(random))
        case 8:
            above = path[: random.randint(0, len(path))]
            return Edit((*above, random.choice(_NEW_KEYS)), new_table(random))
        case _:
            above = path[: random.randint(0, len(path))]
            return Edit(
                (*above, *random.choices(_NEW_KEYS, k=random.randint(2, 3))),
                random.choice((new_value, new_table))(random),
            )


def new_value(random: Random) -> Any:
    """Something other than a table."""
    return random.choice(_NEW_VALUES)


def changed_list(random: Random, items: list[Any]) -> list[Any]:
    """The list with some of its items gone and some new ones anywhere."""
    changed = [item for item in items if random.random() < 0.7]
    for _ in range(random.randint(0, 2)):
        changed.insert(random.randint(0, len(changed)), new_value(random))
    return changed


def new_table(random: Random, depth: int = 0) -> dict[str, Any]:
    """A table, perhaps with tables in it."""
    keys = random.sample(_NEW_KEYS, random.randint(0, 3))
    return {
        key: new_table(random, depth + 1) if random.random() < 0.25 and depth < 2 else new_value(random) for key in keys
    }


def all_paths(tree: dict[str, Any], above: Path = ()) -> list[Path]:
    """The path of every key, tables and values alike, not looking into arrays."""
    paths: list[Path] = []
    for key, value in tree.items():
        paths.append((*above, key))
        if isinstance(value, dict):
            paths += all_paths(value, (*above, key))
    return paths


def _statement(random: Random) -> str:
    indent = random.choice(("", "", "", "  ", "\t"))
    end = random.choice(("", "", "", f"  {random.choice(_COMMENTS)}")) + random.choice(("", "", " ")) + "\n"
    match random.randint(0, 9):
        case 0:
            return random.choice(("\n", "\n\n", "  \n"))
        case 1:
            return f"{indent}{random.choice(_COMMENTS)}\n"
        case 2 | 3:
            space = random.choice(_SPACES[:4])
            comment = random.choice(("", f"{random.choice(_COMMENTS)}\n"))
            return f"{comment}{indent}[{space}{_key(random, 3)}{space}]{end}"
        case 4:
            return f"{indent}[[{_key(random, 2)}]]{end}"
        case _:
            return f"{indent}{_pair(random, 0)}{end}"


def _pair(random: Random, depth: int) -> str:
    return f"{_key(random, 3)}{random.choice(_SPACES)}={random.choice(_SPACES)}{_value(random, depth)}"


def _key(random: Random, most: int) -> str:
    parts = random.choices(_KEYS, k=random.choice((1, 1, random.randint(1, most))))
    return random.choice((".", ".", " . ")).join(parts)


def _value(random: Random, depth: int) -> str:
    kind = random.randint(0, 9)
    if kind == 0:
        return random.choice(_LONG_STRINGS)
    if kind in (1, 2) and depth < 3:
        return _array(random, depth)
    if kind in (3, 4) and depth < 3:
        space = random.choice(_SPACES)
        pairs = (_pair(random, depth + 1) for _ in range(random.randint(0, 3)))
        return "{" + space + random.choice((", ", ",", " , ")).join(pairs) + space + "}"
    return random.choice(_SCALARS)


def _array(random: Random, depth: int) -> str:
    items = [_value(random, depth + 1) for _ in range(random.randint(0, 3))]
    if random.random() < 0.5:
        return "[" + ", ".join(items) + random.choice(("", ",")) * bool(items) + "]"
    lines = [
        f"  {item}{random.choice((' ', ''))},{random.choice(('', ' ' + random.choice(_COMMENTS)))}\n" for item in items
    ]
    return f"[{random.choice(('', ' # first'))}\n{''.join(lines)}{random.choice(('', '# last' + chr(10)))}]"
