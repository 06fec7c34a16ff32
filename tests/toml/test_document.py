"""A hand-edited TOML file is read strictly, and changed only where a change is meant."""

import os
import re
import socket
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.thorough import cases, examples
from tests.toml.edit_promises import walk
from tests.toml.toml_documents import wild_document
from waylog.toml.document import (
    ABSENT,
    Document,
    Edit,
    EditRefused,
    FileMissing,
    Problem,
    UnreadableFile,
    format_value,
    lookup,
    read_bytes,
)
from waylog.toml.scanner import StatementIndex, scan
from waylog.toml.values import is_same_value

SHIP = dedent("""\
    #:schema https://example.org/s.json
    # The Tenacity, as of last week

    [ship]  # the ship
    name = 'Tenacity'   # never "Tenny"
      hull = { cur = 3, max = 5 }  # spent
    focus.now = 0x1

    # Lars lies
    [crew.lars]
    tags = [
      "pilot",  # the best
      "liar",
    ]

    # Faces to meet
    [[face]]
    name = "Ada"
    [[face]]
    name = "Bo"
    [face.look]
    hair = "red"

    # The end
    [last]
    a = 1""")


def read(text: str) -> Document:
    """The text as a document."""
    return Document.parse(text.encode(), "campaign.toml")


def refusal(data: bytes) -> Problem | None:
    """The one problem that keeps these bytes from being read; None if they are read, and kept."""
    try:
        document = Document.parse(data, "x.toml")
    except UnreadableFile as error:
        (problem,) = error.problems
        return problem
    assert document.data == data
    return None


@settings(max_examples=examples(400))
@given(st.randoms(use_true_random=False))
def test_any_change_to_any_file_keeps_all_promises(random: Random) -> None:
    """Values as meant, comments kept, outside bytes equal, the way back exact, and refused only for cause."""
    walk(random, changes=4)


@pytest.mark.parametrize("seed", cases(range(16), 0, 8))
def test_long_walks_keep_all_promises(seed: int) -> None:
    """The same over many more changes than shrinkable chance has time for."""
    random = Random(seed)
    made = sum(walk(random, changes=6)["made"] for _ in range(60))
    assert made > 200, "most changes must be possible, or nothing was tested"


@given(st.randoms(use_true_random=False))
def test_every_spelling_reads_back_as_its_value(random: Random) -> None:
    """What `spelling` gives is the text of that value and of nothing else."""
    document = wild_document(random)
    for path in [*document.index.pairs, *document.index.inner]:
        spelling, value = document.spelling(path), lookup(document.tree, path)
        if value is not ABSENT:
            assert spelling is not None
            assert is_same_value(read(f"v = {spelling}").tree["v"], value)


# Setting


def test_only_the_value_changes() -> None:
    """The comment behind it, its spacing and everything else stay."""
    changed = read(SHIP).set(("ship", "name"), "Tenny")
    assert changed.text == SHIP.replace("'Tenacity' ", '"Tenny" ')


def test_values_inside_inline_tables_and_dotted_keys_change_in_place() -> None:
    """However a table is written, its values can be set."""
    changed = read(SHIP).edit([Edit(("ship", "hull", "cur"), 2), Edit(("ship", "focus", "now"), 2)])
    assert changed.text == SHIP.replace("cur = 3", "cur = 2").replace("0x1", "2")


def test_undo_gives_back_odd_spellings() -> None:
    """A number in hexadecimal and an array over several lines with comments come back as they were."""
    before = read(SHIP)
    after = before.edit([Edit(("ship", "focus", "now"), 7), Edit(("crew", "lars", "tags"), [])])
    again = after.edit(
        [
            Edit(path, lookup(before.tree, path), before.spelling(path))
            for path in [("ship", "focus", "now"), ("crew", "lars", "tags")]
        ]
    )
    assert again.data == before.data


@pytest.mark.parametrize(
    "spelling", ["2", "1 # one", "1\nb = 2", "true", "1.0", "", "]", "1 ", " 1", "\x00", "9" * 5000]
)
def test_a_false_spelling_is_not_used(spelling: str) -> None:
    """A spelling that says anything but the value gives way to the usual one."""
    assert read("a = 5\n").set(("a",), 1, spelling).text == "a = 1\n"


def test_an_equal_value_keeps_its_spelling() -> None:
    """Setting what is already there touches nothing."""
    document = read("a = 0x10\n[b]\nc = 1_0\n")
    assert document.edit([Edit(("a",), 16), Edit(("b",), {"c": 10})]).data == document.data


def test_kinds_are_told_apart() -> None:
    """1, 1.0 and true are three values; so are 0.0 and -0.0."""
    assert read("a = 1\n").set(("a",), True).text == "a = true\n"
    assert read("a = 1\n").set(("a",), 1.0).text == "a = 1.0\n"
    assert read("a = 0.0\n").set(("a",), -0.0).text == "a = -0.0\n"
    assert read("a = nan\n").set(("a",), float("nan")).text == "a = nan\n"


# Lists over several lines


SKILLS = """\
skills = [
  "expert",  # since the siege
  # what she never says
  "liar",    # and a good one

  'pilot'
  # the rest is rumour
]
"""


@pytest.mark.parametrize(
    ("skills", "swaps"),
    [
        (["liar", "pilot"], [('  "expert",  # since the siege\n', "  # since the siege\n")]),
        (["expert", "liar"], [("  'pilot'\n", ""), ('"liar", ', '"liar" ')]),
        (["expert", "liar", "pilot", "cook"], [("'pilot'\n", "'pilot',\n  \"cook\"\n")]),
        (["expert", "cook", "liar", "pilot"], [("siege\n", 'siege\n  "cook",\n')]),
        (["cook", "expert", "liar", "pilot"], [("[\n", '[\n  "cook",\n')]),
        (["expert", "cook", "pilot"], [('"liar",    # and a good one', '# and a good one\n  "cook",')]),
    ],
)
def test_a_list_over_several_lines_changes_item_by_item(skills: list[str], swaps: list[tuple[str, str]]) -> None:
    """What stays keeps its line and its comment; what comes has a line of its own; what goes leaves its comment."""
    before = read(SKILLS)
    after = before.set(("skills",), skills)
    expected = SKILLS
    for old, new in swaps:
        expected = expected.replace(old, new)
    assert after.text == expected
    assert after.set(("skills",), before.tree["skills"], before.spelling(("skills",))).data == before.data


@pytest.mark.parametrize(
    ("text", "items", "wanted"),
    [
        ("[\n  1, 2, 3, # low\n  4, 0x5\n]", [1, 3, 4, 5, 6], "[\n  1, 3, # low\n  4, 0x5, 6\n]"),
        ("[\n  1, 2, # low\n  4, 5\n]", [4], "[\n  # low\n  4\n]"),
        ("[ 1, # one\n  2 ]", [2, 3], "[\n  # one\n  2,\n  3 ]"),
        ("[ 1, # one\n  2 ]", [0, 1, 2], "[ 0,\n  1, # one\n  2 ]"),
        ("[ 1, # one\n\t2 ]", [], "[\n\t# one\n\t]"),
        ("[ # none yet\n]", [1, 2], "[ # none yet\n  1,\n  2,\n]"),
        ("[\r\n  1,\r\n]", [1, 2], "[\r\n  1,\r\n  2,\r\n]"),
        ("[0, [1, # in\n 2], 3]", [0, 3], "[0,\n  # in\n  3]"),
        ("[\n  1\n  , 2 # two\n  , 3\n]", [1, 3], "[\n  1\n  ,\n  # two\n  3\n]"),
        ('["""\n""", 1]', ["", 1, 2], '["""\n""", 1, 2]'),
    ],
)
def test_lists_are_laid_out_in_many_ways(text: str, items: list[Any], wanted: str) -> None:
    """Several items a line, brackets beside items, commas in front, lists in lists: what is new looks like its neighbour."""
    assert read(f"a = {text} # end\n").set(("a",), items).text == f"a = {wanted} # end\n"


@st.composite
def commented_lists(draw: st.DrawFn) -> str:
    """A list of different numbers, with a comment at the end of each line and lines between; each names its number."""
    count = draw(st.integers(0, 6))
    text = "[ # list\n" if draw(st.booleans()) else "[\n"
    for number in range(count):
        text += draw(st.sampled_from(["", f"  # above {number}\n", "\n"]))
        comma = "," if number < count - 1 else draw(st.sampled_from([",", ""]))
        text += f"  {number}{comma}" + draw(st.sampled_from(["", f"  # {number}"])) + "\n"
    return text + draw(st.sampled_from(["", "  # last\n"])) + "]"


@given(commented_lists(), st.data())
def test_no_comment_of_a_list_is_lost_or_gets_another_owner(text: str, data: st.DataObject) -> None:
    """Whatever goes and comes, each comment is there, in order, and beside its own item if beside any."""
    before = read(f"a = {text}\n")
    staying = [number for number in before.tree["a"] if data.draw(st.booleans())]
    items = list(staying)
    for new in range(100, 100 + data.draw(st.integers(0, 3))):
        items.insert(data.draw(st.integers(0, len(items))), new)
    after = before.set(("a",), items)
    assert re.findall("#.*", after.text) == re.findall("#.*", before.text)
    for line in after.text.splitlines():
        if found := re.match(r" *(\d+),? *#(.*)", line):
            assert found[2] == f" {found[1]}"
    kept = [line for line in text.splitlines() if not re.match(r" *\d", line) or int(line[2]) in staying]
    lines = iter((after.spelling(("a",)) or "").replace(",", "").splitlines())
    assert all(line.replace(",", "") in lines for line in kept), "lines that stay are there, in order"
    assert after.set(("a",), before.tree["a"], before.spelling(("a",))).data == before.data


def test_a_comment_written_since_outlives_an_undo() -> None:
    """A spelling from before it was written does not take it away."""
    before = read(SKILLS)
    after = read(before.set(("skills",), ["liar", "pilot"]).text.replace("'pilot'", "'pilot'  # new"))
    again = after.set(("skills",), before.tree["skills"], before.spelling(("skills",)))
    assert "'pilot'  # new\n" in again.text
    assert again.tree == before.tree


# Adding


def test_a_new_key_goes_below_the_last_key_of_its_table() -> None:
    """Not below the comments that belong to the next table, and indented as its neighbour."""
    changed = read("[a]\n  x = 1 # x\n\n# about b\n[b]\ny = 2\n").set(("a", "z"), 3)
    assert changed.text == "[a]\n  x = 1 # x\n  z = 3\n\n# about b\n[b]\ny = 2\n"


def test_a_new_top_level_key_goes_below_the_comments_about_the_file() -> None:
    """The schema line stays first, and the first table keeps its comment."""
    assert (
        read("#:schema s\n# mine\n\n# b\n[b]\n").set(("log",), "1").text
        == '#:schema s\n# mine\nlog = "1"\n\n# b\n[b]\n'
    )
    assert read("#:schema s\n[b]\n").set(("log",), "1").text == '#:schema s\nlog = "1"\n[b]\n'
    assert read("# b\n[b]\n").set(("log",), "1").text == 'log = "1"\n# b\n[b]\n'


def test_a_key_of_an_unwritten_table_is_one_dotted_line() -> None:
    """A key of a table that isn't written is one dotted line, so that taking it out again takes out everything."""
    before = read("[a]\nx = 1\n\n[b]\n")
    after = before.set(("a", "deep", "er key", "y"), 1)
    assert after.text == '[a]\nx = 1\ndeep."er key".y = 1\n\n[b]\n'
    assert after.remove(("a", "deep", "er key", "y")).data == before.data


def test_a_new_table_goes_behind_the_last_of_its_kind() -> None:
    """With a blank line before it, and its own tables as blocks of their own."""
    changed = read(SHIP).set(("crew", "mia"), {"nav": 3, "stress": {"now": 0}, "tags": [{"a": 1}]})
    block = "\n[crew.mia]\nnav = 3\ntags = [{ a = 1 }]\n\n[crew.mia.stress]\nnow = 0\n"
    assert changed.text == SHIP.replace("\n\n# Faces", f"\n{block}\n# Faces")
    assert changed.remove(("crew", "mia")).text == SHIP


def test_a_new_table_beside_tables_on_lines_is_a_line() -> None:
    """Whoever writes clocks as { … } gets the next one the same way."""
    changed = read("[clocks]\nbreach = { size = 6, now = 1 } # !\n\n[z]\n").set(
        ("clocks", "storm"), {"size": 4, "now": 0}
    )
    assert changed.text == "[clocks]\nbreach = { size = 6, now = 1 } # !\nstorm = { size = 4, now = 0 }\n\n[z]\n"


@pytest.mark.parametrize(
    "text", ["", "\n", "# c", "# c\n\n", "a = 1", "a = 1\r\n", "\ufeff", "\ufeffa = 1\r\n# c", "[t]", "[[t]]\n", "  "]
)
@pytest.mark.parametrize(
    ("path", "value"), [(("new",), 1), (("n", "e", "w"), 1), (("n", "ew"), {"x": {"y": 1}}), (("new",), {})]
)
def test_adding_and_removing_gives_the_same_bytes(text: str, path: tuple[str, ...], value: Any) -> None:
    """Whatever the file ends with, has or lacks."""
    before = read(text)
    after = before.set(path, value)
    assert is_same_value(lookup(after.tree, path), value)
    assert after.remove(path).data == before.data


def test_line_ends_byte_order_mark_and_last_line_stay() -> None:
    """A file from elsewhere stays the kind of file it was."""
    changed = read("\ufeffa = 1\r\n\r\n[b]\r\nc = 1").edit([Edit(("b", "d"), 2), Edit(("e",), {"f": 1})])
    assert changed.data == b"\xef\xbb\xbfa = 1\r\n\r\n[b]\r\nc = 1\r\nd = 2\r\n\r\n[e]\r\nf = 1"


# Removing


def test_removing_a_key_takes_its_line() -> None:
    """Removing a key takes its line and the comment behind it, but no comment above."""
    assert read("# c\na = 1 # d\nb = 2\n").remove(("a",)).text == "# c\nb = 2\n"


def test_removing_a_table_takes_all_its_blocks_and_the_comments_right_above() -> None:
    """Wherever in the file they stand; loose comments stay."""
    text = "# loose\n\n# a\n[t.a]\nx = 1\n\n[b]\ny = 2\n\n# section\n\n[t.a.c]\nz = 3\n# below\n\n# d\n[d]\n"
    assert read(text).remove(("t", "a")).text == "# loose\n\n[b]\ny = 2\n\n# section\n\n# d\n[d]\n"


@pytest.mark.parametrize(
    ("path", "left"),
    [("a", "{ b.c = 2, b.d = 3, e = 4 }"), ("e", "{ a = 1, b.c = 2, b.d = 3 }"), ("b", "{ a = 1, e = 4 }")],
)
def test_removing_from_an_inline_table_takes_the_comma(path: str, left: str) -> None:
    """First, last and dotted keys alike."""
    assert read("t = { a = 1, b.c = 2, b.d = 3, e = 4 } # t\n").remove(("t", path)).text == f"t = {left} # t\n"


@pytest.mark.parametrize("table", ["{ a = 1 }", "{a = 1}", "{  a = 1  }", "{ b = 2, a = 1 }"])
def test_a_key_that_was_removed_from_an_inline_table_and_comes_back_leaves_the_same_bytes(table: str) -> None:
    """As undo does it. The blanks around the only key are still around it."""
    before = read(f"t = {table} # t\n")
    assert before.remove(("t", "a")).set(("t", "a"), 1).text == before.text


# Refusing


@pytest.mark.parametrize(
    "edit",
    [
        Edit(("face", "0", "name"), "Cy"),
        Edit(("face",), 1),
        Edit(("ship", "name", "first"), "T"),
        Edit(("nobody",), ABSENT),
        Edit((), {}),
        Edit((), ABSENT),
        Edit(("ship", "x"), None),
        Edit(("ship", "x"), "half \ud800"),
        Edit(("ship", "half \ud800"), 1),
        Edit(("ship", "x"), {1: 2}),
        Edit(("ship", "x"), 10**5000),
        Edit(tuple("abcdefghij" * 12), 1),
    ],
)
def test_what_cannot_be_done_is_refused_whole(edit: Edit) -> None:
    """With a reason, and without the other changes asked for together with it."""
    document = read(SHIP)
    with pytest.raises(EditRefused, match=r"\w"):
        document.edit([Edit(("ship", "name"), "x"), edit])
    assert document.text == SHIP


def test_a_wrong_cut_is_caught_by_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the scanner ever wrong about where a value ends, nothing would be written."""

    def off_by_one(text: str) -> StatementIndex:
        index = scan(text)
        for piece in index.pairs.values():
            piece.value_end -= 1
        return index

    monkeypatch.setattr("waylog.toml.scanner.scan", off_by_one)
    with pytest.raises(EditRefused):
        read("a = 12 # c\n").set(("a",), 3)


def test_a_lost_comment_is_caught_by_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the values are as meant."""

    def greedy(text: str) -> StatementIndex:
        index = scan(text)
        for piece in index.pieces:
            if piece.comment():
                piece.text = "\n"
        return index

    monkeypatch.setattr("waylog.toml.scanner.scan", greedy)
    with pytest.raises(EditRefused, match="comment"):
        read("# mine\na = 12\n").set(("a",), 3)


def test_a_block_comes_behind_the_nearest_that_it_belongs_to() -> None:
    """A new block comes after the nearest one that it belongs to, also where the table between them is written nowhere yet."""
    changed = read(SHIP).set(("crew", "lars", "kit", "knife"), {"edge": 3})
    assert changed.text == SHIP.replace("\n\n# Faces", "\n\n[crew.lars.kit.knife]\nedge = 3\n\n# Faces")
    assert changed.remove(("crew", "lars", "kit", "knife")).text == SHIP


# Places


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("ship", (4, 2)),
        ("ship.hull", (6, 3)),
        ("ship.hull.max", (6, 21)),
        ("ship.hull.none", (6, 3)),
        ("ship.focus", (7, 1)),
        ("crew", (10, 2)),
        ("crew.lars.tags", (11, 1)),
        ("crew.lars.tags.0", (12, 3)),
        ("crew.lars.tags.1", (13, 3)),
        ("crew.lars.tags.2", (11, 1)),
        ("crew.lars.tags.first", (11, 1)),
        ("face.1.name", (20, 1)),
        ("face.1.look.hair", (22, 1)),
        ("nowhere", (1, 1)),
    ],
)
def test_places_are_where_the_key_is_written(path: str, place: tuple[int, int]) -> None:
    """Line and column from 1; what isn't written is placed at what is written above it."""
    assert read(SHIP).position(tuple(path.split("."))) == place


def test_places_of_values_in_arrays_of_every_kind() -> None:
    """Over several lines, among comments with brackets in them, in inline tables, and holding arrays and tables of their own."""
    text = """\
a = [ [1, 2], # ] not the end
  "]", # "
  { b = [3, [4]] }, '''
x'''
  , 5]
[c]
d = { e = 1, f = ["g", "h"] }
"""
    document = read(text)
    for path, at in (
        ("a.0", "[1, 2]"),
        ("a.1", '"]"'),
        ("a.2", "{ b ="),
        ("a.3", "'''\nx"),
        ("a.4", "5]"),
        ("c.d.f.0", '"g"'),
        ("c.d.f.1", '"h"'),
    ):
        where = text.index(at)
        row, column = text.count("\n", 0, where) + 1, where - text.rfind("\n", 0, where)
        assert document.position(tuple(path.split("."))) == (row, column), path
    assert document.position(("a", "5")) == document.position(("a",)) == (1, 1)


def test_a_key_inside_an_array_has_its_place() -> None:
    """In tables in braces at any depth; what isn't there has that of the nearest thing above it."""
    text = 'a = [\n  { x = 1, y = [2, { z = 3 }] },   # { x }\n  { "x" = 4 },\n]\n[[t]]\nb = { c = [{ d = 5 }] }\n'
    document = Document.parse(text.encode(), "x.toml")
    for path, key, value in (
        ("a.0.x", (2, 5), (2, 9)),
        ("a.0.y.1.z", (2, 22), (2, 26)),
        ("a.1.x", (3, 5), (3, 11)),
        ("t.0.b.c.0.d", (6, 14), (6, 18)),
        ("a.1.w", (3, 3), (3, 3)),
    ):
        names = tuple(path.split("."))
        assert (document.position(names), document.position(names, of_value=True)) == (key, value), path


# Reading


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"a = 1\nb = \n", 2, 5, "value"),
        (b"a = 1\na = 2\n", 2, 6, "appears twice in its table"),
        ("a = 'ü'\n# ok\nb = 'x".encode() + b"\xff'", 3, 7, "0xFF"),
        ("a = 'é'".encode("latin-1"), 1, 6, "UTF-8"),
        ("a = 1".encode("utf-16"), 1, 1, "UTF-16"),
        (b"\xef\xbb\xbf\xef\xbb\xbfa = 1", 1, 1, "a key, a [header]"),
        (b"\x00" * 9, 1, 1, "a key, a [header]"),
        (b"a = 1\rb = 2", 1, 6, "line should end"),
        (b"<<<<<<< HEAD\na = 1\n", 1, 1, "a key, a [header]"),
        (b"a = 1\nb = " + b"9" * 4301, 2, 5, "digits"),
        (b"a = 1\n b = " + b"[" * 1000 + b"]" * 1000, 2, 2, "deep"),
        (b"a = 1\n[x" + b".x" * 5000 + b"]", 2, 1, "deep"),
        (b"a = 1\nb" + b".b" * 150 + b" = 1", 2, 1, "deep"),
        (b"a = " + b"{a = " * 101 + b"1" + b"}" * 101, 1, 1, "deep"),
        (b"a = {\n}", 1, 6, "must end on the line where it starts"),
        (b"a = [1, 2\nb = 3", 2, 1, "a comma or `]` is missing"),
        (b"a = { b = 1 c = 2 }", 1, 13, "a comma or `}` is missing"),
        (b"a = { b = 1, }", 1, 14, "no comma after"),
        (b"a = { b = 1, b = 2 }", 1, 19, "appears twice in this table"),
        (b"[a\nb = 1", 1, 3, "`]` is missing"),
        (b"a 1", 1, 3, "`=` is missing"),
        (b"a = no", 1, 5, "true or false"),
        (b'a = "b\nc = 1', 1, 7, "missing at the end of the line"),
        (b"a = 'b", 1, 7, "a quotation mark is missing"),
        (b'a = """b', 1, 9, "quotation marks are missing"),
        (b"a = '\\e'\nb = \"\\e\"", 2, 8, "write it twice"),
        ("a = 1٠".encode(), 1, 6, ""),
        (b"#" * (8 * 1024 * 1024 + 1), 1, 1, "8,388,608"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(data: bytes, line: int, column: int, words: str) -> None:
    """Whatever is wrong, one problem says what and where."""
    problem = refusal(data)
    assert problem is not None
    assert (problem.line, problem.column) == (line, column), problem
    assert words in problem.message
    assert str(problem) == f"x.toml:{line}:{column}: {problem.message}"


def test_a_file_cut_off_anywhere_is_read_or_refused() -> None:
    """No prefix of a file does anything else."""
    data = SHIP.encode()
    for length in range(len(data)):
        problem = refusal(data[:length])
        assert problem is None or problem.line <= data.count(b"\n", 0, length) + 1


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@example(b"a = 0001-01-01T00:00:00+23:59")
@example(b"a = 2001-02-30")
@example(b"a = 10:60:60")
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Never any other error."""
    problem = refusal(data)
    assert problem is None or (problem.line >= 1 and problem.column >= 1)


def test_deep_nesting_with_a_wide_value_is_scanned_once() -> None:
    """A value is passed over once, not once for each table around it: 90 tables around 200 kB are no matter."""
    wide = "[" + "1," * 100_000 + "]"
    document = read("a = " + "{a=" * 90 + wide + "}" * 90)
    assert document.spelling(("a",) * 91) == wide


def test_regular_files_only(tmp_path: Path) -> None:
    """Folders, pipes, sockets, devices and link circles are named for what they are, without waiting."""
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "circle.toml").symlink_to("circle.toml")
    (tmp_path / "file.toml").write_bytes(b"a = 1")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "s.toml"))
    words = {
        tmp_path / "pipe.toml": "pipe",
        tmp_path / "folder.toml": "folder",
        tmp_path / "circle.toml": "circle",
        tmp_path / "s.toml": "socket",
        tmp_path / "file.toml" / "x": "folder",
        Path("/dev/zero"): "device",
        tmp_path / ("n" * 300): "too long",
    }
    for path, word in words.items():
        with pytest.raises(UnreadableFile, match=re.escape(word)):
            read_bytes(path)
    with pytest.raises(UnreadableFile, match="such a name"):
        read_bytes("nul\0.toml")
    with pytest.raises(FileMissing, match="no such file"):
        read_bytes(tmp_path / "none.toml")
    assert read_bytes(tmp_path / "file.toml") == b"a = 1"


def test_large_files_are_not_read(tmp_path: Path) -> None:
    """Not even begun, and a file that hides its size is read up to the limit only."""
    file = tmp_path / "sparse.toml"
    with file.open("wb") as handle:
        handle.truncate(3 * 2**30)
    with pytest.raises(UnreadableFile, match="3,221,225,472"):
        read_bytes(file)
    file.write_bytes(b"12345")
    assert read_bytes(file, cap=5) == b"12345"
    with pytest.raises(UnreadableFile, match="up to 4"):
        read_bytes(file, cap=4)


# Spelling


@given(st.text())
def test_any_text_can_be_written_on_one_line(text: str) -> None:
    """Any text fits on one line, and nothing invisible or steering a terminal is left raw in the file."""
    spelled = format_value(text)
    assert read(f"a = {spelled}").tree == {"a": text}
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200b]", spelled)


@given(st.integers() | st.floats() | st.booleans() | st.dates() | st.datetimes() | st.times())
def test_any_scalar_can_be_written(value: Any) -> None:
    """Any scalar can be written, and reads back as the same value of the same kind."""
    assert is_same_value(read(f"a = {format_value(value)}").tree["a"], value)


def test_the_scanner_is_not_run_by_reading() -> None:
    """Opening a file costs the parser only."""
    document = read(SHIP)
    assert document._index is None
    document.spelling(("ship", "name"))
    assert document._index is not None
