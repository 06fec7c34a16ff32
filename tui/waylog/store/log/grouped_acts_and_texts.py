"""The acts of a log, as every list shows them: entries are grouped into acts (`LoggedAct`), and put into words (`ActText` and its parts).
Every output is made of these; `words/sentences.py` has the formats in which an output writes their dice and values.

An act is an entry with its follow-ups. Its sentence is made from facts, which are values; commands are never read for
it. An undo or a redo is not an act of its own: it belongs to the act that it undid or redid.

The log view, the recap, the text to copy, the history of a value and line mode show an act as a sentence with what came of it
(`describe_entries`), and players see each entry like this (`describe_seen`). The tray and the commands show each fact by itself, in
the order in which it happened (`describe_facts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from waylog.rules.codec.changes import join_names, quote
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.state import EntryKind, read_shared
from waylog.store.log.entries_and_version_0_1 import EDITED, Entries, LogEntry
from waylog.toml.document import UnreadableFile
from waylog.values import dataclass, replace

FindRewinds = Callable[[int], tuple[range, Iterable[int]]]
"""Returns, for the number of an entry, a range of numbers with it, and the rewinds that may have undone entries with these."""
FindUndos = Callable[[int, int], Iterable[int]]
"""Returns the numbers of entries that may undo others, from one number up to but not including another, counting up."""
UNREADABLE = LogEntry(0, datetime(1, 1, 1, tzinfo=UTC), "")
"""Stands for an entry that can't be read."""
_FOLDED = (EntryKind.UNDO, EntryKind.REDO)
_SCENE_ENDS = (EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
"""The kinds of entries that a rewind doesn't reach behind."""
_FORWARD = (EntryKind.PLAY, EntryKind.NOTE, EntryKind.SECRET)
"""Kinds of entries that don't open again what is over."""
FAR = 100
"""Follow-ups and undos are looked for within so many entries after an act."""
_TOGETHER = 1_000
"""The entries of which undos are looked for at one time."""


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An act of the log: its entries, oldest first, and the undo that reversed it, if it no longer holds."""

    entries: tuple[LogEntry, ...]
    undone: LogEntry | None = None
    rewound: bool = False
    """It was of a scene that was rewound, so it is shown on request only (NM-43)."""
    written: LogEntry | None = None
    """The note as it was written, if its text was changed since."""

    @property
    def first(self) -> LogEntry:
        """The entry that began it."""
        return self.entries[0]


class LoggedActs:
    """The acts of a log, each by the number of its first entry. Only the requested entries are read."""

    def __init__(
        self,
        entries: Entries,
        count: int,
        find_undos: FindUndos | None = None,
        find_rewinds: FindRewinds | None = None,
    ) -> None:
        """`find_undos` finds the undos faster than by reading every entry. Without `find_rewinds`, a rewind is known once its own
        entry was asked for, as it is before the acts that it undid if these are listed newest first.
        """
        self._entries = entries
        self._find_undos, self._find_rewinds = find_undos or range, find_rewinds
        self._together = _TOGETHER if find_undos else 0
        self.count = count
        """The number of the latest entry; later ones are as if they weren't there. It may be raised when the log grows."""
        self._looked_at = set[int]()
        self._takers: dict[int, list[int]] = {}
        self._scenes: dict[int, frozenset[int]] = {}
        """For each known rewind, the entries that are left out because of it."""
        self._searched = 0, range(0)
        """Where rewinds were looked for last, and how many entries there were."""

    def read(self, number: int) -> LogEntry:
        """Return an entry, or `UNREADABLE`."""
        try:
            return self._entries(number)
        except (KeyError, UnreadableFile, OSError):
            return UNREADABLE

    def act(self, number: int, *, rewound: bool = False) -> LoggedAct | None:
        """Return the act that begins with that entry. None for an entry of another act; and for one of a scene that was rewound,
        unless these are wanted, too (NM-43).
        """
        entry = self.read(number)
        if entry is UNREADABLE:
            return LoggedAct((replace(UNREADABLE, number=number),))
        if self._is_folded(entry) or self._is_follow_up(entry):
            return None
        rewind = self.rewind_of(number)
        if rewind and not rewound:
            return None
        undone = self._undo_of(number) or (self.read(rewind) if rewind else None)
        if undone and undone.kind.is_instead and number == min(undone.undoes):
            # The new text stands where the note was written, and what dice really showed where they were rolled.
            kind = entry.kind
            changed = replace(undone, number=number, root=number, at=entry.at, session=entry.session, kind=kind)
            return LoggedAct((changed, *self._follow_ups(undone)), written=entry)
        return LoggedAct((entry, *self._follow_ups(entry)), undone, rewound=bool(rewind))

    def rewind_of(self, number: int) -> int:
        """Return the rewind of the scene that an entry was of; 0 if that wasn't rewound, or was brought back (NM-43)."""
        if self._find_rewinds is None:
            self._note_rewind(number)
        elif self._searched[0] != self.count or number not in self._searched[1]:
            numbers, rewinds = self._find_rewinds(number)
            self._searched = self.count, numbers
            for rewind in rewinds:
                if rewind <= self.count:
                    self._note_rewind(rewind)
        found = (rewind for rewind, scene in self._scenes.items() if number in scene and not self._undo_of(rewind))
        return next(found, 0)

    def _note_rewind(self, number: int) -> None:
        """Note which entries a rewind leaves out: those it undid; those of its scene that had been undone before, with their undos."""
        rewind = self.read(number)
        if number in self._scenes or rewind.kind is not EntryKind.REWIND:
            return
        gone, left_out = {*rewind.undoes}, set[int]()
        for earlier in range(number - 1, 0, -1):
            entry = self.read(earlier)
            if earlier not in gone:
                if entry.kind in _SCENE_ENDS:
                    break
                gone.update(entry.ends)
            if earlier in gone or entry.kind in _FOLDED:
                left_out.add(earlier)
        self._scenes[number] = frozenset(left_out)

    def first_of(self, number: int) -> int:
        """Return the number of the act that an entry belongs to, or of one near it if that is not shown."""
        number = self.root_of(number)
        return number if self.act(number) else self.before(number) or self.after(number)

    def root_of(self, number: int) -> int:
        """Return the number of the first entry of the act that an entry follows, undid or redid; or is."""
        for _ in range(FAR):
            entry = self.read(number)
            if self._is_folded(entry) and entry.undoes:
                number = min(entry.undoes)
            elif entry is not UNREADABLE and self._is_follow_up(entry):
                number = self.act_of(entry)
            else:
                break
        return number

    def before(self, number: int) -> int:
        """Return the number of the act before that entry; 0 if there is none."""
        return next((one for one in range(min(number, self.count + 1) - 1, 0, -1) if self.act(one)), 0)

    def after(self, number: int) -> int:
        """Return the number of the act after that entry; 0 if there is none."""
        return next((one for one in range(number + 1, self.count + 1) if self.act(one)), 0)

    def newest_first(self, number: int | None = None) -> Iterator[LoggedAct]:
        """Yield acts, newest first, from the one that begins with that entry, or from the latest."""
        for one in range(self.count if number is None else number, 0, -1):
            if act := self.act(one):
                yield act

    def _is_folded(self, entry: LogEntry) -> bool:
        """Whether an entry is shown with the one that it undid, redid or changed."""
        return entry.kind in _FOLDED or (entry.kind.is_instead and bool(entry.undoes))

    def _is_follow_up(self, entry: LogEntry) -> bool:
        return 0 < self.act_of(entry) < entry.number

    def act_of(self, entry: LogEntry) -> int:
        """Return the number of the first entry of the act that an entry is shown with, which may be its own. What was done while a question
        was open takes over the answers, for undo; but an answer is shown with what asked, and an effect with what made it ready, such as
        the tick that filled a clock.
        """
        if entry.number <= entry.root:
            return entry.root
        root = self.read(entry.root)
        if not root.within:
            return entry.root
        asker = self._find_asker(entry)
        return self.act_of(asker) if asker else entry.root

    def _find_asker(self, entry: LogEntry) -> LogEntry | None:
        """Return the entry since which has been open what a follow-up closes. One that closes nothing, such as the tick of a clock, is
        about the last outcome. None if nothing is open, or it has been for too long.
        """
        asker, is_open = None, frozenset[str]()
        for step in self._steps_before(entry):
            open_then = _open_parts(step)
            is_open = is_open if asker else open_then
            closed = is_open - _open_parts(entry)
            if not (closed <= open_then if closed else is_open & open_then):
                return asker
            asker = step
            if not closed and any(isinstance(fact, OutcomeFact) for fact in step.facts):
                return asker
        return asker if entry.number <= FAR else None

    def _steps_before(self, entry: LogEntry) -> Iterator[LogEntry]:
        """Yield the entries before one that held then, newest first, without undos."""
        gone = set[int]()
        for number in range(entry.number - 1, max(0, entry.number - FAR), -1):
            step = self.read(number)
            if number not in gone and step is not UNREADABLE:
                gone.update(step.ends)
                if not step.is_undo:
                    yield step

    def _follow_ups(self, root: LogEntry) -> Iterator[LogEntry]:
        """Yield the follow-ups of an act. Between them come only undos, and acts that leave what is open to it. Steps that were undone
        alone are left out: others may have come in their place.
        """
        whole, taken_over = self._undo_of(root.number) is not None, {root.root}
        for number in range(root.number + 1, min(self.count, root.number + FAR) + 1):
            entry = self.read(number)
            if self._is_follow_up(entry) and self.act_of(entry) == root.number:
                if whole or not self._undo_of(number):
                    yield entry
            elif entry.within in taken_over:
                taken_over.add(entry.number)
            elif entry.kind in _FORWARD and entry.root == entry.number and entry.open_act not in taken_over:
                break

    def _undo_of(self, number: int) -> LogEntry | None:
        """Return the undo or rewind that reversed an entry, unless it was reversed itself. It is near the entry."""
        last = min(self.count, number + FAR)
        if any(one not in self._looked_at for one in range(number + 1, last + 1)):
            # Who looks at one act mostly looks at those before it next.
            later = {*range(max(1, number + 1 - self._together), last + 1)} - self._looked_at
            self._looked_at |= later
            for taker in self._find_undos(min(later), max(later) + 1):
                if taker in later:
                    for undone in self.read(taker).undoes:
                        self._takers.setdefault(undone, []).append(taker)
        takers = [taker for taker in self._takers.get(number, ()) if self._undo_of(taker) is None]
        return self.read(takers[-1]) if takers else None


def _open_parts(entry: LogEntry) -> frozenset[str]:
    """Return what can be answered after an entry, each part as a text that tells it from others: the game's stages, dice that are waited
    for, effects that are offered, late or not, and a card that was drawn.
    """
    stage, offers = entry.scene.get("stage") or {}, entry.scene.get("offers", ())
    others = [entry.scene.get("waiting"), entry.scene.get("drawn"), *({**offer, "late": False} for offer in offers)]
    return frozenset(map(repr, filter(None, [*stage.get("stages", [stage]), *others])))


def latest_acts(entries: Entries, count: int) -> Iterator[LoggedAct]:
    """Yield the acts of a log with so many entries, newest first."""
    with suppress(OSError):
        yield from LoggedActs(entries, count).newest_first()


NOTHING_PLAYED = "Nothing has been played yet."
_FEW = 60
"""The most characters of what an act did that name it."""
GLUE = "edited campaign.toml set with and of the ship rolls group roll"
"""Words that sentences get here, folded: no entry need have them. Entries of 0.1 get the last of them when they are read."""


@dataclass(frozen=True, slots=True)
class ActPart:
    """A part of an act in words: a note, an outcome, or a roll."""

    text: str
    """The sentence of a note; who or what rolled; for whom an outcome is, which may be empty."""
    dice: tuple[Face, ...] | None = None
    """The dice of a roll; None for anything else."""
    outcome: OutcomeFact | None = None
    real_dice: bool = False
    """The dice were typed. Only said where each fact stands by itself."""
    hidden: bool = False
    """Players don't see it."""
    detail: bool = False
    """It says how the rules got there (`NotePart.DETAIL`)."""
    moves_clock: bool = False
    is_amount_like: bool = False
    """Nobody made the roll, as of damage: behind its text, the number of a die would read as an amount."""


@dataclass(frozen=True, slots=True)
class ActText:
    """An act in words."""

    sentence: str
    dice: tuple[Face, ...] = ()
    outcome: OutcomeFact | None = None
    consequences: tuple[ActPart, ...] = ()
    hidden: bool = False
    """Players see nothing of it."""
    hidden_sentence: bool = False
    """Players don't see what the sentence says."""
    minor: bool = False
    """The sentence says no more than a detail, or that a clock moved."""
    is_amount_like: bool = False
    """As of a part: nobody made the roll that the act began with."""

    @property
    def told_without_dice(self) -> Sequence[ActPart]:
        """The consequences where no dice are told: a throw that is made again would read there as another roll."""
        return [one for one in self.consequences if one.text != self.sentence or one.outcome]


# -- sentences ---------------------------------------------------------------------------------------------------------


def describe_entries(
    entries: Sequence[LogEntry],
    shows: Callable[[LogEntry, Fact], bool] | None = None,
    *,
    titles: bool = True,
    name_player: Callable[[str], str] = str,
) -> ActText:
    """Return the entries of an act as a sentence with dice and outcome, and its consequences.

    `shows` says which facts players see. The others are included and marked as hidden. Without `titles` the sentence is made from facts
    alone, as titles are for the wayfinder; it is empty where no fact says what was done. With titles it names the player who proposed
    the act; `name_player` returns a player's name.
    """
    first = entries[0]
    facts = [fact for entry in entries for fact in entry.facts]
    seen = {
        id(fact)
        for entry in entries
        for fact in entry.facts
        # What some players see alone isn't hidden: it says who they are.
        if shows is None or _for_whom(fact, name_player) or shows(entry, fact)
    }
    opens, roll = opens_others(first), next((entry for entry in entries if _rolls_for(entry, first.title)), None)
    opening = roll or next((entry for entry in entries if entry.facts), first)
    # What an act that only opens others is called may have been rolled for after a question: then that roll is it.
    rolls = (fact for fact in opening.facts if isinstance(fact, RollFact) and (not roll or fact.deed == first.title))
    head = None if opens and not roll else next(rolls, None)
    outcome = None if first.kind is EntryKind.SET or first.kind.is_edit else _find_outcome(facts, head)
    sentence, stated = _make_sentence(first, opening, head, outcome, titles=titles, opens=opens and not roll)
    if first.by and titles and sentence:
        name = name_player(first.by)
        # The title of what a player proposed begins with their name.
        if sentence != first.title and not sentence.startswith(f"{name} "):
            sentence = f"{sentence} · by {name}"
    rest = [fact for fact in facts if fact is not head and fact is not stated and fact is not outcome]
    return ActText(
        sentence + _for_whom(stated or head, name_player),
        _dice_to_show(head, stated),
        outcome,
        tuple(_consequences(rest, seen, name_player)),
        bool(facts) and not seen,
        any(fact is not None and id(fact) not in seen for fact in (head, stated)),
        head is None and stated is not None and _is_minor(stated, rest),
        head is not None and _is_amount_like(head),
    )


def _is_amount_like(roll: RollFact) -> bool:
    """Whether nobody made a roll: its deed names no one who did, as `The ship takes damage` doesn't name the damage die."""
    return bool(roll.deed) and roll.what.partition(",")[0] not in roll.deed


def _rolls_for(entry: LogEntry, title: str) -> bool:
    return any(isinstance(fact, RollFact) and fact.deed and fact.deed == title for fact in entry.facts)


def _dice_to_show(head: RollFact | None, stated: NoteFact | None) -> tuple[Face, ...]:
    """Return the dice that the act began with, unless its sentence has them: those of a table, and a die that is the total."""
    is_said = head is None or (stated and stated.quote is not None) or (head.total is not None and len(head.dice) == 1)
    return () if head is None or is_said else head.dice


def _is_minor(stated: NoteFact, rest: Sequence[Fact]) -> bool:
    """Whether an act is no more than a detail, or clocks that moved, be it because time passed."""
    if stated.part is NotePart.DEED:
        return bool(rest) and all(isinstance(fact, NoteFact) and fact.step.segments for fact in rest)
    return bool(stated.step.segments) or stated.part is NotePart.DETAIL


def _make_sentence(
    first: LogEntry,
    opening: LogEntry,
    head: RollFact | None,
    outcome: OutcomeFact | None,
    *,
    titles: bool,
    opens: bool,
) -> tuple[str, NoteFact | None]:
    """Return what an act was, as a sentence, and the note that needn't stand among its consequences, if there is one."""
    notes = [fact for fact in opening.facts if isinstance(fact, NoteFact)]
    # It says what was done, or what came up. A scene or a session may end with a roll, and is no roll.
    is_border = first.kind in _SCENE_ENDS
    stated = next((one for one in notes if is_border or one.part is NotePart.DEED or one.quote is not None), None)
    title = first.heading if titles else ""
    if first.kind.is_edit:
        return EDITED, stated
    # Of several values that were set, each is a consequence, and the title names the thing.
    if opens or (first.kind is EntryKind.SET and len(first.facts) > 1):
        return title if titles or not outcome else outcome.who, None
    if stated is not None and (is_border or not (head and head.deed)):
        return describe_note(stated), stated
    if head is not None:
        return (head.deed or _capitalise(head.what)) + _with_tools(head), stated
    if outcome is not None and opening.facts[0] is outcome:
        return outcome.who or title, stated
    note = notes[0] if notes else None
    return describe_note(note) if note else title, note


def only_for(names: Sequence[str]) -> str:
    """Return `only Ana sees this` for what some players see alone; nothing for what all of them see, or none."""
    return f"only {join_names(names, 'and')} {'see' if names[1:] else 'sees'} this" if names else ""


def _for_whom(fact: Fact | None, name_player: Callable[[str], str]) -> str:
    """Return the same as the end of a sentence about a fact."""
    names = () if fact is None or isinstance(fact, OutcomeFact) or fact.secret else fact.seen_by
    return f" ({only_for([*map(name_player, names)])})" if names else ""


def describe_seen(facts: Iterable[Fact]) -> ActText:
    """Return what players see of an entry: who did what, with dice and outcome, then what came of it.

    A choice about a roll says who chose what, and then how the roll came out by that: `Tenacity: Focus −1, now 0. A 3 becomes a 4. NAV`.
    What somebody else rolls after it stands behind it.
    """
    every = tuple(facts)
    outcome = next((fact for fact in every if isinstance(fact, OutcomeFact)), None)
    rolled = next((at for at, fact in enumerate(every) if isinstance(fact, RollFact)), None)
    if outcome is None or (rolled is not None and rolled < every.index(outcome)):
        return describe_entries((replace(UNREADABLE, facts=every),), titles=False)
    if rolled is not None:
        before, after = describe_seen(every[:rolled]), describe_seen(every[rolled:])
        rolls = ActPart(after.sentence, after.dice or None, after.outcome)
        return replace(before, consequences=(*before.consequences, rolls, *after.consequences))
    at = every.index(outcome)
    text = describe_entries((replace(UNREADABLE, facts=every[at:]),), titles=False)
    causes = ". ".join(describe_note(fact) for fact in every[:at] if isinstance(fact, NoteFact))
    named = not causes or causes.startswith(outcome.who)
    return replace(text, sentence=causes or outcome.who if named else f"{causes}. {outcome.who}")


def describe_facts(facts: Iterable[Fact]) -> Iterator[ActPart]:
    """Yield each fact by itself. It is marked as hidden if it was secret when it was made."""
    for fact in facts:
        match fact:
            case RollFact(what, dice, typed, secret):
                yield ActPart(what, dice, real_dice=typed, hidden=secret)
            case OutcomeFact(who=who):
                yield ActPart(who, outcome=fact, hidden=fact.secret)
            case NoteFact(text, secret=secret):
                yield ActPart(text, hidden=secret)


def search_text(act: LoggedAct) -> str:
    """Return what a search of the log looks through: the act as the log shows it, and its notes as they were made."""
    text = describe_entries(act.entries)
    outcome = text.outcome.label if text.outcome else ""
    dice = " ".join(die.words or f"{die.face}" for die in text.dice)
    came = (f"{one.text} {one.outcome.label if one.outcome else ''}" for one in text.consequences)
    notes = (fact.text for entry in act.entries for fact in entry.facts if isinstance(fact, NoteFact))
    return "\n".join((text.sentence, dice, outcome, *came, *notes))


def note_text(entry: LogEntry) -> str:
    """Return the text of a note or the title of a scene, as it was typed."""
    notes = (fact for fact in entry.facts if isinstance(fact, NoteFact))
    return next((note.quote or ("" if note.clause else note.text) for note in notes), "")


def describe_note(note: NoteFact) -> str:
    """Return a note in words: `“Ion storm” 7 → 8 of 8` for a clock that moved, with the reason if there is one."""
    step = note.step
    return f"“{step.name}” {step.before} → {step.after} of {step.segments}{step.cause}" if step.segments else note.text


def name_act(entry: LogEntry) -> str:
    """Return what an act is called in a question about it: what it did, if a few words say that; otherwise its title."""
    if (
        entry.kind is not EntryKind.PLAY
        or not entry.facts
        or any(isinstance(fact, RollFact | OutcomeFact) for fact in entry.facts)
    ):
        return entry.heading
    did = describe_entries((entry,)).sentence
    return did if len(did) <= _FEW else entry.heading


def border_title(entry: LogEntry) -> str:
    """Return the title of the scene that an entry begins, or what it says of a session; the text of a note."""
    return next((fact.quote or fact.text for fact in entry.facts if isinstance(fact, NoteFact)), entry.heading)


def opens_others(entry: LogEntry) -> bool:
    """Whether the entry only prepares its follow-ups, as a group roll does."""
    return not entry.facts and read_shared(entry.scene).waiting is None


def _find_outcome(facts: Sequence[Fact], head: RollFact | None) -> OutcomeFact | None:
    """Return the outcome of the roll that the act began with; without such a roll, the last outcome that belongs to no roll. A roll that
    follows by itself, for the same person, has an outcome of its own.
    """
    before = facts[: _next_roll(facts, head)] if head else facts
    if any(isinstance(fact, OutcomeFact) for fact in before):
        facts = before
    rolled = {fact.what for fact in facts if isinstance(fact, RollFact)}
    outcomes = (fact for fact in reversed(facts) if isinstance(fact, OutcomeFact))
    return next(
        (fact for fact in outcomes if (fact.who not in rolled if head is None else fact.who in ("", head.what))), None
    )


def _next_roll(facts: Sequence[Fact], head: RollFact) -> int:
    """Return where another roll by the person who made the first one begins, or the end: it is for something else, or for the same once
    that has an outcome.
    """
    is_told = False
    for at, fact in enumerate(facts):
        if isinstance(fact, RollFact) and fact is not head and fact.what == head.what and fact.deed:
            if is_told or fact.deed != head.deed:
                return at
        elif isinstance(fact, OutcomeFact) and fact.who == head.what:
            is_told = True
        elif fact is head:
            is_told = False
    return len(facts)


def _consequences(facts: Iterable[Fact], seen: set[int], name_player: Callable[[str], str]) -> Iterator[ActPart]:
    """Yield the facts in order, each further roll with its outcome, which may come after what was paid for it."""
    found = list[ActPart]()
    rolls = dict[str, int]()
    for fact in facts:
        match fact:
            case NoteFact(part=NotePart.SUMMARY):
                pass
            case NoteFact():
                detail, moved = fact.part is NotePart.DETAIL, bool(fact.step.segments)
                hidden = id(fact) not in seen
                text = describe_note(fact) + _for_whom(fact, name_player)
                found.append(ActPart(text, hidden=hidden, detail=detail, moves_clock=moved))
            case RollFact():
                rolls[fact.what] = len(found)
                sentence = (fact.deed or _capitalise(fact.what)) + _with_tools(fact) + _for_whom(fact, name_player)
                amount = _is_amount_like(fact)
                found.append(ActPart(sentence, fact.dice, hidden=id(fact) not in seen, is_amount_like=amount))
            case OutcomeFact(who=who) if who in rolls:
                place = rolls.pop(who)
                found[place] = replace(found[place], outcome=fact)
            case OutcomeFact():
                found.append(ActPart(fact.who, outcome=fact, hidden=id(fact) not in seen))
    yield from found


def _with_tools(roll: RollFact | None) -> str:
    """Return ` with KEELWING`, or ` (listening set)`: the things that added dice to a roll, as far as the dice name them."""
    if roll is None or len({die.source for die in roll.dice}) < 2:
        return ""
    tools = [
        source
        for source in dict.fromkeys(die.source for die in roll.dice)
        if source not in roll.what and source not in (roll.deed or "") and not source.startswith(roll.what)
    ]
    if any(tool[:1].islower() and not tool.startswith("the ") for tool in tools):
        return f" ({join_names(tools)})"  # Nobody can say whether it takes an article.
    return f" with {join_names(map(_quote_phrase, tools))}" if tools else ""


def _quote_phrase(name: str) -> str:
    """Return a name in quotation marks if it is a phrase, such as “The sluice key”."""
    return quote(name) if name[:1].isupper() and any(map(str.islower, name.split())) else name


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- acts of a log -----------------------------------------------------------------------------------------------------
