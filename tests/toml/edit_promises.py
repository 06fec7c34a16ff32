"""What every change to a TOML file must keep, worked out without the code that makes the change."""

import math
import tomllib
from collections import Counter
from random import Random
from typing import Any

from tests.toml.toml_documents import wild_document, wild_edit
from waylog.toml.document import ABSENT, Document, Edit, EditRefused, Path, lookup
from waylog.toml.scanner import StatementIndex, scan


def walk(random: Random, changes: int) -> Counter[str]:
    """Make a run of changes to one wild file, checking each; counts what was made and what was refused."""
    document = wild_document(random)
    counts: Counter[str] = Counter()
    for _ in range(changes):
        edit = wild_edit(random, document)
        changed = check(document, edit)
        counts["refused" if changed is None else "made"] += 1
        document = changed or document
    check_together(document, [wild_edit(random, document) for _ in range(3)])
    return counts


def check_together(before: Document, edits: list[Edit]) -> None:
    """Changes made together are made all or not at all, and give what they give one by one."""
    try:
        together = before.edit(edits)
    except EditRefused:
        return
    one_by_one = before
    for edit in edits:
        one_by_one = one_by_one.edit([edit])
    # A removal may take the line that showed which line ends the file has, so those are left out of it.
    assert together.text.replace("\r", "").rstrip("\n") == one_by_one.text.replace("\r", "").rstrip("\n")


def check(before: Document, edit: Edit) -> Document | None:
    """Make one change and hold it against every promise; None if it was refused, which it must have a reason for."""
    try:
        after = before.edit([edit])
    except EditRefused:
        assert may_be_refused(before, edit), f"refused without need: {edit}"
        return None
    old, new = before.data.decode(), after.data.decode()
    meant = intended(before.tree, edit)
    read = tomllib.loads(new.removeprefix("\ufeff"))
    assert alike(read, after.tree)
    if edit.value is ABSENT:
        assert alike(trimmed(read), trimmed(meant))
        assert lookup(read, edit.path) is ABSENT
        assert only_lines_went(before, after, edit.path)
        assert not Counter(comments(new)) - Counter(comments(old))
    else:
        assert alike(read, meant)
        check_set(before, after, edit)
    assert described(after.index) == described(scan(after.text))
    assert old.startswith("\ufeff") == new.startswith("\ufeff")
    assert end_is_kept(before, after)
    return after


def check_set(before: Document, after: Document, edit: Edit) -> None:
    """What setting must keep: comments, everything outside the value, and the way back."""
    old, new = before.data.decode(), after.data.decode()
    now, spelling = lookup(before.tree, edit.path), before.spelling(edit.path)
    lost = Counter(comments(old)) - Counter(comments(new))
    if isinstance(now, dict):
        return
    assert not Counter(comments(new)) - Counter(comments(old))
    if now is ABSENT:
        assert not lost
        assert kept_around_the_difference(old, new) == len(old), "an addition must be one insertion"
        assert after.remove(edit.path).data == before.data, "removing what was added must undo it"
        return
    if spelling is None:
        assert old == new, "an array of tables can only be set to what it is"
        return
    assert lost <= Counter(comments(f"v = {spelling}"))
    assert not (lost and isinstance(now, list) and isinstance(edit.value, list))
    assert len(old) - kept_around_the_difference(old, new) <= len(spelling)
    assert after.set(edit.path, now, spelling).data == before.data, "setting back must undo a change"


def may_be_refused(before: Document, edit: Edit) -> bool:
    """The only reasons: the key isn't there, or something above it, or it itself, is an array or a value."""
    now = lookup(before.tree, edit.path)
    if edit.value is ABSENT and now is ABSENT:
        return True
    if isinstance(now, list) and before.spelling(edit.path) is None:
        return True
    above = [lookup(before.tree, edit.path[:count]) for count in range(1, len(edit.path))]
    if any(node is not ABSENT and not isinstance(node, dict) for node in above):
        return True
    if isinstance(now, dict) and isinstance(edit.value, dict):
        return any(may_be_refused(before, Edit((*edit.path, key), edit.value.get(key, ABSENT))) for key in now)
    return False


def intended(tree: dict[str, Any], edit: Edit) -> dict[str, Any]:
    """The plain values after a change."""
    key, *rest = edit.path
    if rest:
        return {**tree, key: intended(tree.get(key, {}), Edit(tuple(rest), edit.value))}
    if edit.value is ABSENT:
        return {other: value for other, value in tree.items() if other != key}
    return {**tree, key: edit.value}


def trimmed(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree without empty tables, which may come and go with what was in them."""
    inner = {key: trimmed(value) if isinstance(value, dict) else value for key, value in tree.items()}
    return {key: value for key, value in inner.items() if value != {}}


def alike(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down; NaN equals NaN, and 0.0 isn't -0.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    return type(one) is type(other) and repr(one) == repr(other)


def comments(text: str) -> list[str]:
    """Every comment, found one character after the other."""
    found: list[str] = []
    at = 0
    while at < len(text):
        quote = next((q for q in ('"""', "'''", '"', "'") if text.startswith(q, at)), None)
        if quote is not None:
            at = string_end(text, at + len(quote), quote)
        elif text[at] == "#":
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found.append(text[at:end].rstrip("\r"))
            at = end
        else:
            at += 1
    return found


def string_end(text: str, at: int, quote: str) -> int:
    """Where a string that was opened with `quote` ends."""
    while not text.startswith(quote, at):
        at += 2 if text[at] == "\\" and quote[0] == '"' else 1
    at += len(quote)
    if len(quote) == 3:
        for _ in range(2):
            at += text.startswith(quote[0], at)
    return at


def kept_around_the_difference(old: str, new: str) -> int:
    """How many characters of the old text stand before and behind the one place where the new one differs."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return head + tail


def only_lines_went(before: Document, after: Document, path: Path) -> bool:
    """Whether a removal only took whole lines, or something out of one line of an inline table."""
    lines = iter(before.text.splitlines())
    whole = all(line in lines for line in after.text.splitlines())
    inside = any((before.spelling(path[:count]) or "").startswith("{") for count in range(1, len(path)))
    return whole or inside


def end_is_kept(before: Document, after: Document) -> bool:
    """Whether a text with a last line end still has one, and one without has none."""
    old, new = before.text, after.text
    return not old or not new or old.endswith("\n") == new.endswith("\n")


def described(index: StatementIndex) -> list[tuple[object, ...]]:
    """An index as plain values."""
    pieces = [(p.text, p.kind, p.path, p.depth, p.key_at, p.value_at, p.value_end) for p in index.pieces]
    inner = {path: (spot.text(), spot.key_at, spot.value_at) for path, spot in index.inner.items()}
    return [*pieces, (inner,), (index.pairs.keys(),), (index.headers.keys(),)]
