"""Convert values, above all sheets, which are frozen dataclasses, to plain TOML values and back, and compare them.

The type of a field says what is legal: `Annotated[int, Between(0, 3, "VK-04")]`, `Annotated[bool, "Visible to
players"]`, `Literal[1, 2]`, an enum of words, `tuple[X, ...]`, `Mapping[str, X]`, another dataclass or a union of
dataclasses. Every field has a default, which is used if the file leaves it out.

When Waylog adds something to a file, it leaves out defaults, except for the fields in the class attribute
`ALWAYS_WRITTEN`. It writes a block with a header unless the class says `ON_A_LINE`. If a class names one text field as
`SHORT`, that text may replace the whole table, in files that Waylog only reads.

The key `is` says which member of a union a table is. Each member declares its value as `TAG = "…"`. Tags are part of
the file format: they never change, even if a class is renamed or moved.

The log and the players' file use the same codecs. There, a field may have no default: it is always written and
required. A field that may be None is left out when it is None. A class may give its fields other keys, or another order
(`KEYS`). `Codec.pack` writes a value as a list without keys, with only the fields in `PACKED` of each class.
"""
