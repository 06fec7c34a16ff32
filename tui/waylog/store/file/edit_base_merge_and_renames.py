"""Find the base of a hand edit: the version of the campaign file that the person had in front of them.

A merge compares the base, the edit and the state of play. The base is looked for in this order:

1. The content is known (`history/known`): the file is a copy of an earlier version, and nothing was edited.
2. The file has no mark: its base is the version that was in place last.
3. Versions with the same mark are known: the latest is the base, because the editor has read or saved it last. So a
   second save of one buffer is compared with the first, whatever was played in between.
4. Otherwise only the mark is known: the base is the state of the log at that entry.

The merge of a person's edit with what was played since its base.

Questions about a saved file that a person has to answer first: it is an old copy, or many things are missing in it.

Find renamed keys in an edit, such as `[crew.imre]` to `[crew.otto]`, and tell them from a deletion and an addition.

One removed and one added thing of the same table are a rename if they are similar enough. All their values count, each
with its path. Of all values that either has, the share that both have must be at least a half if they have the same
name; otherwise three quarters, of at least four values. The most similar pairs are matched first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Change, Path, format_path
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import State
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile, read_campaign_file, with_good_values
from waylog.store.file.history import FileHistory, PlacedVersion, checksum
from waylog.store.file.open_campaign import EditBase, MarkedState, state_at
from waylog.store.files_and_lock import FILE
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.toml.document import Document, UnreadableFile
from waylog.toml.values import ABSENT, format_value, lookup
from waylog.values import NamedTuple, dataclass

MANY = 3
"""The number of things (people, clocks, decks, modules, sessions) missing in one save from which on Waylog asks first."""
_NAMED = 3


def base_of(
    game: Game, log: Log, history: FileHistory, known: MarkedState, file: CampaignFile, theirs: CampaignFile
) -> EditBase:
    """Return the base of a saved file. `file` is the version that was in place last."""
    seen_version = history.seen.of(checksum(theirs.document.data))
    if seen_version and seen_version.entry and seen_version.entry.number <= known.mark.number:
        state = state_at(game, log, known, seen_version.entry)
        if not game.difference(state, with_good_values(game, theirs, state).state):
            return EditBase(state, seen_version.entry, is_copy=True)
    if theirs.own is None:
        last = history.seen.last()
        return (last and _state_of(last, game, log, history, known, file)) or EditBase(file.state, file.mark)
    if theirs.own.number > known.mark.number:
        return EditBase(known.state, known.mark)
    before = history.seen.last_with_mark(theirs.own)
    base = before and _state_of(before, game, log, history, known, file)
    return base or EditBase(state_at(game, log, known, theirs.own), theirs.own, by_mark_alone=True)


def _state_of(
    seen: PlacedVersion, game: Game, log: Log, history: FileHistory, known: MarkedState, file: CampaignFile
) -> EditBase | None:
    """Return a known version as a base; None if neither its content nor its entry exists any more."""
    if seen.entry:
        return EditBase(state_at(game, log, known, seen.entry), seen.entry)
    data = file.document.data if checksum(file.document.data) == seen.checksum else history.with_checksum(seen.checksum)
    if data is not None and seen.mark:
        with suppress(UnreadableFile):
            before = with_good_values(game, read_campaign_file(game, Document.parse(data, FILE), None), known.state)
            return EditBase(before.state, seen.mark)
    return None


def play_entries_since(log: Log, number: int) -> Sequence[LogEntry]:
    """Return the entries after that number that changed something in play, not by an edit of the file."""
    return [entry for entry in log.since(number) if entry.changes and not entry.kind.is_edit]


@dataclass(frozen=True, slots=True)
class FileQuestion:
    """A question about the campaign file that only a person can answer. Until then neither the file nor play changes."""

    about: str
    keep: str
    """The effect of keeping the file, in the imperative."""
    update: str
    """The effect of not keeping it."""


def about_copy(lacking: int) -> FileQuestion:
    """Ask about a file that is an earlier version of itself, without so many of the last actions."""
    last = "the last action" if lacking == 1 else f"the last {lacking} actions"
    it = "it" if lacking == 1 else "them"
    return FileQuestion(
        f"Your campaign.toml is an old copy, without {last}",
        f"go back to the state before {it}",
        f"add {it} to the file",
    )


def about_lost_entries(last: int, seen: int) -> FileQuestion:
    """Ask about a log that ends with entry `last`, and lacks entries up to `seen` that this window has read or played."""
    about = f"The log was replaced: it ends at entry {last}, but this window has seen entry {seen}"
    return FileQuestion(
        about if last else f"The log is missing, but this window has seen entry {seen}",
        "continue from the files",
        f"continue from entry {seen}",
    )


def about_removal(removed: Sequence[str]) -> FileQuestion:
    """Ask about a file in which many things are missing, by their names."""
    named = ", ".join(removed[:_NAMED])
    more = f" and {len(removed) - _NAMED} more" if len(removed) > _NAMED else ""
    return FileQuestion(
        f"{len(removed)} things are missing from campaign.toml: {named}{more}",
        "remove them",
        "restore them",
    )


def about_excesses(owner: str, excesses: Sequence[Fault]) -> FileQuestion:
    """Ask about numbers that are out of their rules' range. `owner` is whose the first of them is."""
    more = f" (and {len(excesses) - 1} more like it)" if len(excesses) > 1 else ""
    return FileQuestion(
        f"campaign.toml, {owner}: {excesses[0].message}{more}", "overrule that", "restore the old number"
    )


_SAME_NAME, _OTHER_NAME = 0.5, 0.75
_LEAST_VALUES = 4
_KEPT = ("name", "title", "text")
"""The keys that name a thing."""


class KeyRename(NamedTuple):
    """One thing that has a new key."""

    gone: Change
    """The thing under its old key, as in the base."""
    come: Change
    """The thing under its new key, with the person's other changes."""


def renames(changes: Sequence[Change]) -> list[KeyRename]:
    """Return the pairs of changes that are renames."""
    gone = [change for change in changes if change.after is None and isinstance(change.before, dict)]
    come = [change for change in changes if change.before is None and isinstance(change.after, dict)]
    pairs = [
        (_likeness(old, new), KeyRename(old, new)) for old in gone for new in come if old.path[:-1] == new.path[:-1]
    ]
    found, used = list[KeyRename](), set[Path]()
    for likeness, pair in sorted(pairs, key=lambda each: -each[0]):
        if likeness > 0 and not used.intersection((pair.gone.path, pair.come.path)):
            used.update((pair.gone.path, pair.come.path))
            found.append(pair)
    return found


def _likeness(gone: Change, come: Change) -> float:
    """Return how similar the two are, from 0 to 1; 0 if they are too different to be one thing."""
    old, new = dict(leaves(gone.before)), dict(leaves(come.after))
    both = {path for path in old if path in new and old[path] == new[path]}
    either = {*old, *new}
    if not either:
        return 1.0
    share = len(both) / len(either)
    names = [(tree.get((key,))) for tree in (old, new) for key in _KEPT if (key,) in tree]
    if len(set(map(str, names))) <= 1:
        return share if share >= _SAME_NAME else 0.0
    return share if share >= _OTHER_NAME and len(either) >= _LEAST_VALUES else 0.0


def leaves(tree: Any, above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of everything in a tree that is not a table. A list is one value."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, (*above, key))
    else:
        yield above, tree


def find_references(tree: Mapping[str, Any], path: Path) -> list[str]:
    """Return the paths where a campaign still uses a thing's old key, such as `clocks.storm.set_by`."""
    key = path[-1]
    found = []
    for place, value in leaves(tree):
        values = value if isinstance(value, list) else [value]
        # A free text that happens to be the same word, such as a note, is not a reference.
        if place[-1:] not in _TEXTS and key in [each for each in values if isinstance(each, str)]:
            found.append(format_path(place))
    return found


_TEXTS = (("name",), ("about",), ("role",), ("notes",), ("outcome",), ("text",), ("title",))


class EditSplit(NamedTuple):
    """A person's changes, divided by whether play has changed the same values."""

    clean: list[Change]
    """Values that play has not changed."""
    against: list[Change]
    """Values that play has changed too."""
    renamed: list[tuple[Path, Path]]
    """Things with a new key. Play's changes to them are kept."""

    @property
    def removed_things(self) -> list[Path]:
        """The things that the person removed."""
        renamed = {old for old, _ in self.renamed}
        changes = (*self.clean, *self.against)
        return [c.path for c in changes if c.after is None and isinstance(c.before, dict) and c.path not in renamed]


def split_edit(game: Game, state: State, base: State, theirs: State, since: Sequence[LogEntry] = ()) -> EditSplit:
    """Return the changes from `base` to `theirs` that `state` lacks, divided by what play changed since.

    `since` are the entries after a base of which only the mark is known. An edit that is in one of them was already
    taken in, by another window or before a crash, and is left out.
    """
    parted = EditSplit([], [], [])
    by_hand = [entry for entry in since if entry.kind.is_edit]
    edited_values = [(change.path, change.after) for entry in by_hand for change in entry.changes]
    gone = {change.path: change for change in game.difference(state, theirs) if change.before is None}
    changes = game.difference(base, theirs)
    for rename in renames([change for change in changes if (change.path, change.after) not in edited_values]):
        if _rename_thing(rename, game.write(state), parted):
            changes = tuple(change for change in changes if change not in (rename.gone, rename.come))
    for change in changes:
        if back := _in_which(change, gone):
            # Play removed the thing that the person edited: restore the whole thing, not just that value.
            if (back.path, back.after) not in edited_values and back not in parted.against:
                parted.against.append(back)
            continue
        if (change.path, change.after) in edited_values:
            continue
        seen_changes = game.difference(state, game.apply_changes(state, (change,)))
        if [(seen_change.path, seen_change.before) for seen_change in seen_changes] == [(change.path, change.before)]:
            parted.clean.append(change)
        elif seen_changes:
            parted.against.append(change)
    return parted


def _rename_thing(rename: KeyRename, now: Mapping[str, Any], parted: EditSplit) -> bool:
    """Give a thing its new key, together with play's changes to it and the person's other changes in it.

    Return False if play has removed it, or uses the new key for something else.
    """
    old, new = rename.gone.path, rename.come.path
    thing = lookup(dict(now), old)
    if thing is ABSENT or lookup(dict(now), new) is not ABSENT:
        return False
    before, after, leaf_values = dict(leaves(rename.gone.before)), dict(leaves(rename.come.after)), dict(leaves(thing))
    for path in {**before, **after}:
        if before.get(path) == after.get(path) or leaf_values.get(path) == after.get(path):
            continue
        if leaf_values.get(path) == before.get(path):
            leaf_values[path] = after.get(path)
        else:
            parted.against.append(Change((*new, *path), leaf_values.get(path), after.get(path)))
    parted.clean.extend([Change(old, thing, None), Change(new, None, _tree(leaf_values))])
    parted.renamed.append((old, new))
    return True


def _tree(leaf_values: Mapping[Path, Any]) -> dict[str, Any]:
    """Return a table with these values."""
    tree: dict[str, Any] = {}
    for path, value in leaf_values.items():
        table = tree
        for key in path[:-1]:
            table = table.setdefault(key, {})
        if value is not None:
            table[path[-1]] = value
    return tree


def _in_which(change: Change, gone: Mapping[Path, Change]) -> Change | None:
    """Return the removed thing that contains the changed value, if any."""
    above = (gone.get(change.path[:count]) for count in range(1, len(change.path)))
    return next((whole for whole in above if whole is not None), None)


def told_by_hand(game: Game, state: State, change: Change) -> NoteFact:
    """Return the log's note on a value that a person changed, from that state on. Players don't see it."""
    before, after, name = change.before, change.after, game.name_value(state, change.path)
    if isinstance(after, dict) and before is None:
        text = f"{after.get('name') or name} added"
    elif isinstance(before, dict) and after is None:
        text = f"{before.get('name') or name} removed"
    else:
        text = f"{name} {plainly(before)} → {plainly(after)}"
    return NoteFact(text, secret=True)


def plainly(value: Any) -> str:
    """Return a value for use in a sentence."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "…"
        case _:
            return format_value(value)
