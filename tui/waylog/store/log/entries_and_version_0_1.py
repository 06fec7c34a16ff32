"""One act as the log keeps it: a `[[entry]]` block in TOML that ends with a checksum of itself.

Strings never contain line breaks in their source, so a block can be found by its first line alone. A block that a
person has edited is used as it is now, if it can be read.

Entries of Waylog 0.1 have no `kind` and no `title`, and their facts don't say what they are about. `derive_parts` makes this from their
words, and nothing else does; `decode_entry` calls it for each of them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

import tomli

from waylog.rules.codec.base_and_limits import Codec, Fault
from waylog.rules.codec.changes import Change, format_path, parse_path, quote
from waylog.rules.codec.records import codec
from waylog.rules.model.facts import ClockStep, Fact, FactOnFile, NoteFact, NotePart, RollFact
from waylog.rules.model.state import EntryKind
from waylog.toml.document import Problem, UnreadableFile, format_value
from waylog.toml.values import find_long_number
from waylog.values import NamedTuple, dataclass, field, replace

_WORDS = {
    "redo": EntryKind.REDO,
    "rewind": EntryKind.REWIND,
    "by hand": EntryKind.BY_HAND,
    "by hand against play": EntryKind.AGAINST_PLAY,
    "session begin": EntryKind.SESSION_BEGINS,
    "session end": EntryKind.SESSION_ENDS,
}
_SCENE = "Scene: "
_REMARKS = {EntryKind.NOTE: "Note: ", EntryKind.SECRET: "Secret note: "}
_VERBS = {
    "undo": EntryKind.UNDO,
    "restore": EntryKind.RESTORE,
    "note": EntryKind.NOTE,
    "secret": EntryKind.SECRET,
    "scene": EntryKind.SCENE,
    "session": EntryKind.SESSION,
    "set": EntryKind.SET,
    "effect": EntryKind.EFFECT,
    "return": EntryKind.CARD,
    "stay": EntryKind.CARD,
}
_DEEDS = ("heal", "table", "draw", "pick", "enter")
"""Verbs whose first note says what was done."""
_STEP = r"“(.+)” ([+−])(\d{1,2}), now (\d{1,2})/(\d{1,2})"
_DETAILS = r": Focus [+−]\d|: Focus stays|^Desperate|^\d → \d|^Shunted: |^\d+ hits? |target \d|^Success[\w ]*, .* and |^the app rolled|^[a-z]+ clock “.*”, \d+ segments|^“.*” is closed at|^“.*” is open again"
_SYSTEMS = ("cpu", "hul", "nav")
SHIP_ROLLS_OF_0_1 = tuple(f'act = "roll {system}'.encode() for system in _SYSTEMS)
"""The beginnings of the ship's rolls in logs of 0.1, whose entries don't name the ship."""


class DerivedParts(NamedTuple):
    """The parts of an entry that 0.1 saved only in words."""

    facts: tuple[Fact, ...]
    kind: EntryKind = EntryKind.PLAY
    title: str = ""
    about: tuple[str, ...] = ()
    settles: int = 0


def derive_parts(words: str, facts: tuple[Fact, ...]) -> DerivedParts:
    """Return what follows from the words of an entry of 0.1: its kind and the rest that later entries say themselves.

    Later entries of play have a title, and all others have a kind, so no other entry is read by its words.
    """
    verb, _, rest = words.partition(" ")
    if verb == "keep" and rest.isascii() and rest.isdigit():
        return DerivedParts(facts, EntryKind.KEEP, settles=int(rest[:9]))
    kind = _WORDS.get(words) or _VERBS.get(verb, EntryKind.PLAY)
    if kind is EntryKind.SCENE:
        return DerivedParts(tuple(map(_quoting_title, facts)), kind, _title(facts))
    if kind is not EntryKind.PLAY:
        return DerivedParts(tuple(map(_with_part, facts)), kind, _REMARKS.get(kind, "") + _title(facts))
    if verb == "group":
        return DerivedParts(facts, title="Group roll")
    who = rest.partition(" ")[0]
    about = ("ship" if who in _SYSTEMS else f"crew.{who}",) if verb == "roll" and who else ()
    marked = _with_deed(facts, verb, who)
    return DerivedParts(marked, title=_title(marked), about=about)


def _title(facts: tuple[Fact, ...]) -> str:
    """Return what the first fact says, as a title; empty if there is none, or if its outcome is all it says."""
    match facts[:1]:
        case (RollFact(what, deed=deed),):
            return deed or what
        case (NoteFact(text),):
            return text
        case _:
            return ""


def _with_deed(facts: tuple[Fact, ...], verb: str, who: str) -> tuple[Fact, ...]:
    """Return the facts of an entry of 0.1. If the verb shows which fact says what was done, that one is marked."""
    wanted = RollFact if verb == "roll" else NoteFact if verb in _DEEDS else None
    first = next((fact for fact in facts if wanted and isinstance(fact, wanted)), None)
    match first:
        case RollFact(what):
            name, _, system = what.partition(", ")
            deed = f"The ship rolls {what}" if what.lower() == who in _SYSTEMS else f"{name} rolls {system}".rstrip()
            marked: Fact = replace(first, deed=deed)
        case NoteFact():
            marked = replace(first, part=NotePart.DEED)
        case _:
            return tuple(map(_with_part, facts))
    return tuple(marked if fact is first else _with_part(fact) for fact in facts)


def _with_part(fact: Fact) -> Fact:
    """A note of 0.1: details and moved clocks are marked as such."""
    if not isinstance(fact, NoteFact):
        return fact
    if step := re.fullmatch(_STEP, fact.text):
        name, sign, count, now, segments = step.groups()
        after = int(now)
        before = after - int(count) if sign == "+" else after + int(count)
        return replace(fact, step=ClockStep(name, before, after, int(segments)))
    return replace(fact, part=NotePart.DETAIL) if re.search(_DETAILS, fact.text) else fact


def _quoting_title(fact: Fact) -> Fact:
    """Return the note of 0.1 on a new scene, with the scene's title as its quote."""
    if isinstance(fact, NoteFact) and fact.text.startswith(_SCENE):
        return replace(fact, quote=fact.text.removeprefix(_SCENE))
    return fact


T = TypeVar("T")

_CHANGE_KEYS = ("before", "after", "was", "now")
FARTHEST = 10**9
"""The highest number of an entry. No log gets there: a higher one is a typing error."""


OPEN_ACT = "act"
"""The key, in a saved stage, of the entry that began its act."""


EDITED = "Edited campaign.toml"
"""The title of an entry for an edit of the file by hand."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One act, as it is kept."""

    number: int
    """Counts up from 1 through all sessions."""
    at: datetime
    words: str
    """The act as a command."""
    facts: tuple[Fact, ...] = ()
    changes: tuple[Change, ...] = ()
    faces: tuple[int, ...] | None = None
    """The real dice that were typed; None if Waylog rolled."""
    root: int = 0
    """The first entry of the act that this one belongs to. It is the entry's own number unless it is a follow-up."""
    within: int = 0
    """The act that was open before it and whose follow-ups it has taken over, by its first entry; 0 if there was none."""
    undoes: tuple[int, ...] = ()
    """The entries that this one undoes; for a note or a title, the one whose text it changes."""
    scene: dict[str, Any] = field(default_factory=dict)
    """Everything that is open after it (`OpenState`), as plain values; empty if nothing is."""
    session: int = 0
    """The number of its session; 0 between sessions (NM-40)."""
    title: str = ""
    """A description for people; empty in logs of 0.1, and for entries that are not somebody's action."""
    kind: EntryKind = EntryKind.PLAY
    settles: int = 0
    """For a `KEEP`, the entry of the conflict that it settles; otherwise 0."""
    about: tuple[str, ...] = ()
    """The people and things that the act was about, by their paths in the campaign: `crew.mara`, `ship.core.NAV`."""
    by: str = ""
    """The key of the player who proposed it (NM-45); empty for the wayfinder."""
    proposal: str = ""
    """The id of the proposal that it came from. No second entry ever has the same `by` and `proposal`."""
    rolled: tuple[tuple[int, int], ...] = ()
    """The sides and the face of each die that Waylog rolled for it, in their order."""
    sealed: int = 0
    """The entry with the seal that those dice come from; 0 if they come from none."""
    seal: str = ""
    """The SHA-256 of the seed of later dice, in hexadecimal digits."""
    seed: str = ""
    """The seed of earlier dice, which are sealed no longer."""

    @property
    def open_act(self) -> int:
        """The entry that began what is open after it; 0 if nothing is."""
        return int(self.scene.get(OPEN_ACT, 0))

    @property
    def is_undo(self) -> bool:
        """Whether all that it does is to undo others. What stands in the place of another entry is an act itself."""
        return bool(self.undoes) and not self.kind.is_instead

    @property
    def ends(self) -> tuple[int, ...]:
        """The entries that hold no longer because of this one. A scene with a new title still begins where it did."""
        return () if self.kind is EntryKind.TITLE else self.undoes

    @property
    def heading(self) -> str:
        """Its description for people, or else its command."""
        return self.title or (EDITED if self.kind.is_edit else self.words)

    @property
    def shown_changes(self) -> tuple[Change, ...]:
        """The changes that may be listed: none for a rewind, which keeps no details (NM-43)."""
        return () if self.kind is EntryKind.REWIND else self.changes


def naming_entries(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries that name what was done: of each act the first of these entries, and the follow-ups that it took over from
    an act that was open before it.
    """
    every = [*entries]
    taking = {entry.number for entry in every if entry.within}
    first = {entry.root: entry.number for entry in sorted(every, key=lambda entry: -entry.number)}
    return [entry for entry in every if entry.number == first[entry.root] or entry.root in taking]


def list_headings(entries: Iterable[LogEntry]) -> str:
    """Return what these entries did, as people call it, each in quotes, for a sentence."""
    return ", ".join(quote(entry.heading) for entry in naming_entries(entries))


Entries = Callable[[int], LogEntry]
"""Returns one entry of a log by its number. Raises `KeyError`."""


class Mark(NamedTuple):
    """A position in the log: the number of a file and of an entry. Written `0001:42`."""

    number: int = 0
    file: int = 1

    def __str__(self) -> str:
        return f"{self.file:04}:{self.number}"

    @classmethod
    def read(cls, text: str) -> Mark:
        """Read a mark. Raises `ValueError`."""
        file, _, number = text[:40].partition(":")
        if not (file.isascii() and file.isdigit() and number.isascii() and number.isdigit()):
            raise ValueError(f"“{text[:20]}” is not a position in the log, such as 0001:42")
        found = cls(int(number), int(file))
        if found.number > FARTHEST:
            raise ValueError(f"{found} is too high: no log has that many entries")
        return found


def encode_entry(entry: LogEntry, after: str = "") -> bytes:
    """Return the block of an entry with its checksum. `after` is the checksum of the block before it, which shows if
    that one gets lost.
    """
    lines = ["[[entry]]", f"number = {entry.number}", f"at = {_moment(entry.at)}"]
    lines.append(f"act = {format_value(entry.words)}")
    if entry.title:
        lines.append(f"title = {format_value(entry.title)}")
    if entry.kind is not EntryKind.PLAY:
        lines.append(f"kind = {format_value(entry.kind.value)}")
    root = entry.root if entry.root != entry.number else 0
    numbers = {"settles": entry.settles, "session": entry.session, "root": root, "within": entry.within}
    lines += (f"{key} = {number}" for key, number in numbers.items() if number)
    if entry.about:
        lines.append(f"about = {format_value(list(entry.about))}")
    if entry.by:
        lines.append(encode_origin(entry.by, entry.proposal))
    if entry.faces is not None:
        lines.append(f"dice = {format_value(list(entry.faces))}")
    if entry.rolled:
        lines.append(f"rolled = {format_value([[*each] for each in entry.rolled])}")
    if entry.sealed:
        lines.append(f"sealed = {entry.sealed}")
    lines += (f'{key} = "{text}"' for key, text in (("seal", entry.seal), ("seed", entry.seed)) if text)
    if entry.undoes:
        lines.append(f"undoes = {format_value(list(entry.undoes))}")
    lines.extend(_list_lines("facts", [fact_tree(fact) for fact in entry.facts]))
    trees = [
        {
            "path": format_path(change.path),
            **{key: value for key in _CHANGE_KEYS if (value := getattr(change, key)) is not None},
        }
        for change in entry.changes
    ]
    lines.extend(_list_lines("changes", trees))
    if entry.scene:
        lines.append(f"scene = {format_value(entry.scene)}")
    if after:
        lines.append(f'after = "{after}"')
    body = ("\n".join(lines) + "\n").encode()
    return body + f'check = "{zlib.crc32(body):08x}"\n'.encode()


def encode_origin(by: str, proposal: str) -> str:
    """Return the lines of an entry that say which proposal it came from. They are found in the log as bytes."""
    return f"by = {format_value(by)}\nproposal = {format_value(proposal)}"


def _moment(at: datetime) -> str:
    """Return a time in TOML, whose offsets are whole minutes. A time with another offset is written in UTC."""
    offset = at.utcoffset()
    if offset is not None and offset.total_seconds() % 60:
        at = at.astimezone(UTC)
    return at.isoformat(timespec="seconds")


def _list_lines(name: str, trees: Sequence[dict[str, Any]]) -> list[str]:
    if not trees:
        return []
    return [f"{name} = [", *(f"  {format_value(tree)}," for tree in trees), "]"]


def decode_entry(block: bytes, name: str) -> LogEntry:
    """Return the entry of a block. Raises `UnreadableFile`."""
    try:
        text = block.decode()
        raw = tomli.loads(text)["entry"][0]
        number = _number(raw["number"])
        if find_long_number(text, raw) is not None:
            raise ValueError("a number with thousands of digits")
        faults: list[Fault] = []
        entry = LogEntry(
            number=number,
            at=_require_type(raw["at"], datetime),
            words=_require_type(raw["act"], str),
            facts=tuple(_fact_codec().decode(tree, (), faults) for tree in raw.get("facts", ())),
            changes=tuple(
                Change(
                    parse_path(_require_type(tree["path"], str)),
                    tree.get("before"),
                    tree.get("after"),
                    *(_require_type(tree[key], str) if key in tree else None for key in ("was", "now")),
                )
                for tree in raw.get("changes", ())
            ),
            faces=tuple(_require_type(face, int) for face in raw["dice"]) if "dice" in raw else None,
            root=_number(raw.get("root", number)),
            within=_number(raw["within"]) if "within" in raw else 0,
            undoes=tuple(map(_number, raw.get("undoes", ()))),
            scene=_require_type(raw.get("scene", {}), dict),
            session=_require_type(raw.get("session", 0), int),
            title=_require_type(raw.get("title", ""), str),
            kind=EntryKind(raw.get("kind", EntryKind.PLAY)),
            settles=_require_type(raw.get("settles", 0), int),
            about=tuple(_require_type(path, str) for path in raw.get("about", ())),
            by=_require_type(raw.get("by", ""), str),
            proposal=_require_type(raw.get("proposal", ""), str),
            rolled=tuple(map(_sides_and_face, raw.get("rolled", ()))),
            sealed=_number(raw["sealed"]) if "sealed" in raw else 0,
            seal=_require_type(raw.get("seal", ""), str),
            seed=_require_type(raw.get("seed", ""), str),
        )
        for fault in faults:
            if fault.grave:
                raise TypeError(fault.message)
        if "kind" in raw or entry.title:
            return entry
        facts, kind, title, about, settles = derive_parts(entry.words, entry.facts)
        return replace(entry, facts=facts, kind=kind, title=title, about=about, settles=settles)
    except tomli.TOMLDecodeError as error:
        message = f"a log entry can't be read: {error.msg[:1].lower()}{error.msg[1:]}"
        raise UnreadableFile(Problem(name, error.lineno, error.colno, message)) from error
    except KeyError as error:
        raise UnreadableFile(Problem(name, 1, 1, f"a log entry can't be read: it has no {error}")) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        message = "a log entry can't be read: one of its values has the wrong type"
        raise UnreadableFile(Problem(name, 1, 1, message)) from error


def _require_type(value: Any, kind: type[T]) -> T:
    """Return the value, which a person may have edited, if it has that type. Raises `TypeError`."""
    if type(value) is not kind:
        raise TypeError(f"{type(value)} for {kind}")
    return value


def _sides_and_face(value: Any) -> tuple[int, int]:
    """Return a die that Waylog rolled. Raises `TypeError` or `ValueError`."""
    sides, face = (_require_type(each, int) for each in value)
    return sides, face


def _number(value: Any) -> int:
    """Return the number of an entry. Raises `TypeError` or `ValueError`."""
    if not 0 < _require_type(value, int) <= FARTHEST:
        raise ValueError("that number is too high: no log has that many entries")
    return int(value)


def fact_tree(fact: Fact) -> dict[str, Any]:
    """Return a fact as plain values, with the keys that `--json` promises."""
    tree: dict[str, Any] = _fact_codec().encode(fact)
    return tree


@cache
def _fact_codec() -> Codec:
    return codec(FactOnFile)
