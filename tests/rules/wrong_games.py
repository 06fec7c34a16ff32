"""Game files with something wrong in them: each is a sound one, changed at random in its text or in its values."""

from __future__ import annotations

from random import Random
from typing import Any

import tomlkit

from waylog.toml.document import Document

_SIGNS = "\"'[]{}=,.#\n\t -_+*/0123456789abcdefnort\u202e\0\xff★"
_WORDS = (
    "[",
    "]]",
    "{",
    "}",
    '"""',
    "''",
    "[sheet]",
    "[dice.x]",
    "id = 3",
    "= =",
    "\r",
    "9" * 30,
    "1e9",
    "1979-05-27",
    "nan",
    "\\u0000",
)
VALUES: tuple[Any, ...] = (
    *(-1, 0, 1, 2, 20, 21, 99, 10**6, -(10**6), 10**18, -(10**18), True, False, 0.5, float("inf")),
    *(
        "",
        " ",
        "x",
        "crew",
        "crew.gear",
        "team",
        "team.stress",
        "nerve",
        "mara",
        "name",
        "bad",
        "critical",
        "d6",
        "d66",
        "d100",
        "d1",
        "d999",
        "dF",
    ),
    *(
        "highest",
        "lowest",
        "sum",
        "count",
        "match",
        "under",
        "success",
        "all",
        "one",
        "true",
        "on",
        "NH-02",
        "GF-01",
        "nobody",
        "★",
        "\x1b[2J",
        "x" * 300,
    ),
    *(
        "nerve + 1",
        "1 // 0",
        "nerve // coin",
        "9999 * 9999 * 9999 * 9999",
        "not not not 1",
        "((((1))))",
        "count(crew)",
        "min()",
        "max(1)",
    ),
    *(
        "min(crew.nerve)",
        "outcome == 'bad'",
        "result > 3",
        "options.help",
        "rules.hard",
        "crew.mara.nerve",
        "'a' in harm",
        "call",
        "amount",
        "__import__('os')",
    ),
    *(
        "1 if 1 else",
        "1 if nerve else 'x'",
        "nerve" + " + nerve" * 90,
        "(" * 60,
        "-" * 190 + "1",
        "lambda: 1",
        "[1]",
        "f'x'",
        "nerve.real",
        "\n",
    ),
    *(
        "mark stress",
        "mark stress 99999999",
        "clear team",
        "spend coin -5",
        "set plan to nerve",
        "set cover 3",
        "swap coin stress",
        "swap plan coin",
        "fill coin",
    ),
    *(
        "add harm bleeding",
        "remove harm nobody",
        "add harm",
        "mark crew.mara.nerve",
        "mark crew.nobody.nerve",
        "mark crew",
        "mark nerve nerve",
        "tick x",
        "mark",
    ),
    *(
        [],
        {},
        [0, 1],
        [1, 0],
        [0, 9999],
        [-9999, 9999],
        [0, 10**9],
        [0],
        [1, 2, 3],
        ["a"],
        ["a", "a"],
        [[]],
        [{}],
        ["nerve", "coin"],
        [True, False],
    ),
    *(
        {"a": 1},
        {"do": "mark stress"},
        {"offer": "x"},
        {"say": "hi", "when": "cover"},
        {"range": [0, 5]},
        {"flag": True},
        {"text": ""},
        {"tags": []},
    ),
    *(
        {"each": {"uses": {"range": [0, 2]}}},
        {"each": {"a": {"each": {"b": {"each": {}}}}}},
        {"dice": 20},
        {"dice": "nerve * 20", "die": "d20"},
    ),
    *({"outcome": "x", "from": "nerve"}, {"times": 5}, {"times": 5, "at": 2}, {"times": 5, "at": 1, "adds": True}),
)
"""What may stand at any place."""


def change_game(text: str, random: Random) -> bytes:
    """Return a game file that is changed in one to three places."""
    change = random.choice((_in_text, _in_text, _in_values, _in_values, _in_values))
    return change(text, random)


def _in_text(text: str, random: Random) -> bytes:
    data = bytearray(text.encode())
    for _ in range(random.randint(1, 3)):
        at, size = random.randrange(len(data)), random.choice((1, 1, 2, 5, 40))
        new = random.choice((random.choice(_SIGNS), random.choice(_WORDS), "")).encode()
        lines = bytes(data).split(b"\n")
        match random.randrange(5):
            case 0:
                data[at : at + size] = new
            case 1:
                data[at:at] = new
            case 2:
                data[at:at] = data[random.randrange(len(data)) :][:size]
            case 3:
                lines.insert(random.randrange(len(lines)), random.choice(lines))
                data = bytearray(b"\n".join(lines))
            case _:
                del lines[random.randrange(len(lines))]
                data = bytearray(b"\n".join(lines))
    return bytes(data[: random.randrange(len(data))] if random.randrange(20) == 0 else data)


def _in_values(text: str, random: Random) -> bytes:
    tree = Document.parse(text.encode(), "game.toml").tree
    for _ in range(random.randint(1, 3)):
        places = [*_places(tree)]
        holder, key = random.choice(places)
        match random.randrange(6):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[
                    str(random.choice(places)[1])
                    if random.randrange(2)
                    else random.choice(("x", "nerve", "1", "★", "if"))
                ] = holder[key]
            case 2:
                other, place = random.choice(places)
                if other[place] is not tree and not _is_inside(holder, other[place]):
                    holder[key] = other[place]
            case 3 if isinstance(holder[key], list):
                holder[key] = holder[key] * random.choice((2, 30))
            case _:
                holder[key] = random.choice(VALUES)
    return tomlkit.dumps(tree).encode()


def _places(tree: Any) -> Any:
    for key in [*tree] if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from _places(tree[key])


def _is_inside(holder: Any, tree: Any) -> bool:
    return holder is tree or (
        isinstance(tree, dict | list)
        and any(_is_inside(holder, one) for one in (tree.values() if isinstance(tree, dict) else tree))
    )
