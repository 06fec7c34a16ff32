"""The entries that a window writes: of an act, of what takes acts back, and of what settles a hand edit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from waylog.rules.codec.changes import Change
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.players_and_permissions import name_of
from waylog.rules.model.state import EntryKind, PlayResult, State
from waylog.rules.what_acts_do import scene_note
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile
from waylog.store.file.open_campaign import OpenCampaign
from waylog.store.log.entries_and_version_0_1 import LogEntry, list_headings, naming_entries
from waylog.store.log.undo_and_scenes import ReversedState, effective_entries, reverse_entries
from waylog.values import NamedTuple, replace

if TYPE_CHECKING:
    from waylog.store.file.open_campaign import EditConflict
    from waylog.store.players.inbox import Letter
    from waylog.store.replay_and_misread_die import PlayedAgain
    from waylog.store.seals import RolledDice


class NewText(NamedTuple):
    """A new text of a note or a scene."""

    entry: LogEntry
    """The note or scene, as it was written."""
    typed: str


def find_changed_text(campaign: OpenCampaign, act: Act) -> NewText | None:
    """Return the note or scene that an act gives a new text, with that text; None for any other act. Raises `ActRefused`."""
    if act.move.verb != "reword":
        return None
    from waylog.store.log.grouped_acts_and_texts import FAR

    answers = complete_answers(act.move, act.answers)
    number = int(str(answers["entry"]))
    try:
        entry = campaign.log.entry(number)
        entry = campaign.log.entry(entry.undoes[0]) if entry.undoes and entry.kind.is_remark else entry
    except KeyError:
        raise ActRefused(f"the log has no entry {number}") from None
    if not entry.kind.is_remark:
        raise ActRefused("you can change only a note or a scene's title. Anything else can only be undone")
    what = "scene" if entry.kind is EntryKind.SCENE else "note"
    if campaign.next_number - entry.number > FAR:
        raise ActRefused(f"that {what} is more than {FAR} entries old, so it can't be changed. Add a new one")
    now = effective_entries(campaign.log, down_to=entry.number)
    if not any(each.number == entry.number or (entry.number in each.undoes and each.kind.is_remark) for each in now):
        raise ActRefused(f"that {what} has been undone")
    return NewText(entry, str(answers["text"]))


def misread_entry(
    campaign: OpenCampaign,
    act: Act,
    group: Sequence[LogEntry],
    again: PlayedAgain,
    faces: tuple[int, ...],
    dice: RolledDice,
) -> LogEntry:
    """Return the entry that stands in the place of an act of which a die was misread. It undoes all of `group`, and names what those
    stood for themselves.
    """
    from waylog.store.replay_and_misread_die import facts_of

    number, first = campaign.next_number, group[0]
    return LogEntry(
        number,
        campaign.now(),
        format_act(act.move, act.answers),
        facts_of(again),
        campaign.with_spellings(campaign.game.difference(campaign.state, again.state)),
        faces,
        root=number,
        undoes=tuple(sorted({entry.number for entry in group}.union(*(entry.ends for entry in group)))),
        scene=campaign.scene(again.state, number),
        title=first.title,
        kind=EntryKind.MISREAD,
        about=first.about,
        by=first.by,
        rolled=dice.faces,
        sealed=dice.seal_entry,
    )


_MOST_NAMED = 12
"""The most actions that are named when they are undone together."""


def play_entry(
    campaign: OpenCampaign,
    played: PlayResult,
    now: datetime,
    letter: Letter | None = None,
    changed: NewText | None = None,
    part_of: int = 0,
    dice: RolledDice | None = None,
) -> LogEntry:
    """Return the entry of an act that was played; `letter` is the proposal that it comes from, `changed` the note or scene that gets
    a new text from it. A secret note stays secret, and one for some players theirs. The entry belongs to the act `part_of` that began
    with that entry, if it is not 0. `dice` are those that Waylog rolled for it.
    """
    if changed:
        played = _with_kind(played, changed)
    who = name_of(campaign.state.players, letter.by) if letter else ""
    number = campaign.next_number
    root = campaign.act_under_way(number)
    changes = campaign.with_spellings(campaign.game.difference(campaign.state, played.state))
    # An act between a roll and its follow-ups takes over those follow-ups, so that undo reverses the newest act first.
    # It doesn't if it changes nothing, or if the roll waits for its dice: then nothing of the roll has happened yet. Nor does it while
    # others are still to roll for a call, all of which is undone at once.
    open_before = campaign.state.open
    # A roll that comes out like the one before it leaves the same open, but that is its own.
    has_outcome = any(isinstance(fact, OutcomeFact) for fact in played.facts)
    changes_nothing = not changes and played.state.open == open_before and not has_outcome
    after = played.state.open
    is_called = open_before and after and open_before.called and open_before.called == after.called
    waits = open_before is not None and (open_before.waiting is not None or is_called)
    # What a scene card has left open begins with the card.
    is_aside = played.kind.is_remark and (after is None or after == open_before)
    goes_on = played.follows or is_aside or changes_nothing or waits
    return LogEntry(
        number,
        now,
        played.words,
        played.facts,
        changes,
        played.faces,
        root=part_of or (root if played.follows else number),
        within=0 if part_of or goes_on or root == number else root,
        scene=campaign.scene(played.state, part_of or (root if goes_on else number)),
        title=f"{who}: {played.title}" if who else played.title,
        kind=played.kind,
        about=played.about,
        by=letter.by if letter else "",
        proposal=letter.id if letter else "",
        undoes=(changed.entry.number,) if changed else (),
        rolled=dice.faces if dice else (),
        sealed=dice.seal_entry if dice else 0,
    )


def _with_kind(played: PlayResult, changed: NewText) -> PlayResult:
    """Return an act that gives a note or a scene a new text, as an act of its kind."""
    kind, notes = changed.entry.kind, [fact for fact in played.facts if isinstance(fact, NoteFact)]
    if kind is EntryKind.SCENE:
        facts = tuple(scene_note(note, changed.typed) for note in notes)
        return replace(played, facts=facts, kind=EntryKind.TITLE, title=f"Scene title: {changed.typed}")
    seen_by = next((fact.seen_by for fact in changed.entry.facts if isinstance(fact, NoteFact)), ())
    facts = tuple(replace(note, secret=kind is EntryKind.SECRET, seen_by=seen_by) for note in notes)
    return replace(played, facts=facts, kind=kind)


def undo_entry(
    campaign: OpenCampaign, group: Sequence[LogEntry], kind: EntryKind, scene: dict[str, Any], words: str = ""
) -> tuple[LogEntry, State]:
    """Return an entry with the reversed changes of `group`, with their source texts, and the state after it. `scene` is what
    was open before them.
    """
    back = reverse_entries(campaign.game, campaign.state, group)
    redone = kind is EntryKind.REDO
    named = _undone_entries(campaign, group[0]) if redone else group
    count = len(naming_entries(named))
    headings = list_headings(named) if count <= _MOST_NAMED else f"{count} actions"
    what = NoteFact(f"{'Redone' if redone else 'Undone'}: {headings}", secret=True)
    rewound = kind is EntryKind.REWIND
    facts = (NoteFact("Scene rewound", "NM-43"),) if rewound else (what, *back.left_alone)
    changes = _reverse_changes(campaign, back)
    number = campaign.next_number
    title = "Scene rewound" if rewound else "Redone" if redone else "Undone"
    entry = LogEntry(
        number,
        campaign.now(),
        words or kind.value,
        facts,
        changes,
        root=number,
        undoes=tuple(entry.number for entry in group),
        scene=scene,
        title=title,
        kind=kind,
    )
    return entry, replace(back.state, open=campaign.decode_open(scene))


def _undone_entries(campaign: OpenCampaign, undo: LogEntry) -> list[LogEntry]:
    """Return the entries that an undo reversed, oldest first."""
    return [entry for entry in campaign.log.since(min(undo.undoes) - 1) if entry.number in undo.undoes]


def _reverse_changes(campaign: OpenCampaign, back: ReversedState) -> tuple[Change, ...]:
    """Return the changes that reverse an act, including values whose source text changed but whose value didn't."""
    differing = campaign.game.difference(campaign.state, back.state)
    again = {change.path: change.after for change in back.wanted.values() if not isinstance(change.after, dict)}
    for change in differing:  # Include its contents: nothing in a removed thing has a source text of its own.
        again = {path: value for path, value in again.items() if path[: len(change.path)] != change.path}
    same = [Change(path, value, value) for path, value in again.items() if value is not None]
    changes = [
        replace(change, now=back.wanted[change.path].now if change.path in back.wanted else None)
        for change in campaign.with_spellings((*differing, *same))
    ]
    return tuple(change for change in changes if change.before != change.after or change.was != change.now)


def keep_entry(campaign: OpenCampaign, conflict: EditConflict) -> LogEntry:
    """Return the entry that settles an edit conflict by keeping the file's value."""
    from waylog.store.file.edit_base_merge_and_renames import plainly

    note = NoteFact(
        f"{campaign.game.name_value(campaign.state, conflict.path)} stays {plainly(conflict.file)}, as in the file",
        secret=True,
    )
    number, settled, kind = campaign.next_number, conflict.entry.number, EntryKind.KEEP
    words, scene = f"keep {settled}", campaign.scene_now
    return LogEntry(number, campaign.now(), words, (note,), root=number, scene=scene, kind=kind, settles=settled)


def window_entry(campaign: OpenCampaign, before: OpenCampaign) -> LogEntry:
    """Return the entry that restores the values that a window knew `before` the log was replaced."""
    changes, number = campaign.changes_to(before.state, before.file.document), campaign.next_number
    facts = (
        NoteFact(f"The log was replaced. The values are now those of entry {before.marked.mark.number}", secret=True),
    )
    words, kind = "restore this window", EntryKind.RESTORE
    return LogEntry(number, campaign.now(), words, facts, changes, root=number, kind=kind)


def restore_entry(campaign: OpenCampaign, theirs: CampaignFile, version: str) -> LogEntry:
    """Return the entry that restores an earlier version of the campaign file, called `version`."""
    changes, number = campaign.changes_to(theirs.state, theirs.document), campaign.next_number
    count = f"{len(changes)} values" if len(changes) != 1 else "1 value"
    facts = (NoteFact(f"Restored campaign.toml as it was at {theirs.mark} ({count} changed)", secret=True),)
    words, kind = f"restore {version}", EntryKind.RESTORE
    return LogEntry(number, campaign.now(), words, facts, changes, root=number, kind=kind)
