"""The acts of a log in words: `ActText` and its parts. Every output is made of these; `words/sentences.py` has the formats in
which an output writes their dice and values.

An act is an entry with its follow-ups. Its sentence is made from facts, which are values; commands are never read for
it. An undo or a redo is not an act of its own: it belongs to the act that it undid or redid.

The log view, the recap, the text to copy, the history of a value and line mode show an act as a sentence with what came of it
(`describe_entries`), and players see each entry like this (`describe_seen`). The tray and the commands show each fact by itself, in
the order in which it happened (`describe_facts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.state import EntryKind, read_shared
from waylog.store.log.entries import EDITED, LogEntry
from waylog.store.log.grouped_entries import UNREADABLE, LoggedAct
from waylog.values import dataclass, replace

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
    )


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
    # It says what was done, or what came up.
    stated = next((note for note in notes if note.part is NotePart.DEED or note.quote is not None), None)
    title = first.heading if titles else ""
    if first.kind.is_edit:
        return EDITED, stated
    # Of several values that were set, each is a consequence, and the title names the thing.
    if opens or (first.kind is EntryKind.SET and len(first.facts) > 1):
        return title if titles or not outcome else outcome.who, None
    if stated is not None and not (head and head.deed):
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

    A choice about a roll says who chose what, and then how the roll came out by that: `Tenacity: Focus −1, now 0; 3 → 4; NAV`. What
    somebody else rolls after it stands behind it.
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
    causes = "; ".join(describe_note(fact) for fact in every[:at] if isinstance(fact, NoteFact))
    named = not causes or causes.startswith(outcome.who)
    return replace(text, sentence=causes or outcome.who if named else f"{causes}; {outcome.who}")


def describe_facts(facts: Iterable[Fact]) -> Iterator[ActPart]:
    """Yield each fact by itself. It is marked as hidden if it was secret when it was made."""
    for fact in facts:
        match fact:
            case RollFact(what, dice, typed, secret):
                yield ActPart(what, dice, real_dice=typed, hidden=secret)
            case OutcomeFact(who=who):
                yield ActPart(who, outcome=fact)
            case NoteFact(text, secret=secret):
                yield ActPart(text, hidden=secret)


def search_text(act: LoggedAct) -> str:
    """Return what a search of the log looks through: the act as the log shows it, and its notes as they were made."""
    text = describe_entries(act.entries)
    outcome = text.outcome.label if text.outcome else ""
    dice = " ".join(f"{die.face}" for die in text.dice)
    came = (f"{one.text} {one.outcome.label if one.outcome else ''}" for one in text.consequences)
    notes = (fact.text for entry in act.entries for fact in entry.facts if isinstance(fact, NoteFact))
    return "\n".join((text.sentence, dice, outcome, *came, *notes))


def note_text(entry: LogEntry) -> str:
    """Return the text of a note or the title of a scene, as it was typed."""
    notes = (fact for fact in entry.facts if isinstance(fact, NoteFact))
    return next((note.quote or ("" if note.clause else note.text) for note in notes), "")


def describe_note(note: NoteFact) -> str:
    """Return a note in words: `Ion storm 7→8 of 8` for a clock that moved, with the reason if there is one."""
    step = note.step
    return f"{step.name} {step.before}→{step.after} of {step.segments}{step.cause}" if step.segments else note.text


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
    follow = (at for at, fact in enumerate(facts) if head and isinstance(fact, RollFact) and _is_another(fact, head))
    before = facts[: next(follow, len(facts))]
    if any(isinstance(fact, OutcomeFact) for fact in before):
        facts = before
    rolled = {fact.what for fact in facts if isinstance(fact, RollFact)}
    outcomes = (fact for fact in reversed(facts) if isinstance(fact, OutcomeFact))
    return next(
        (fact for fact in outcomes if (fact.who not in rolled if head is None else fact.who in ("", head.what))), None
    )


def _is_another(roll: RollFact, first: RollFact) -> bool:
    """Whether a roll by the person who made the first one is for something else."""
    return roll.what == first.what and bool(roll.deed) and roll.deed != first.deed


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
                found.append(ActPart(sentence, fact.dice, hidden=id(fact) not in seen))
            case OutcomeFact(who=who) if who in rolls:
                place = rolls.pop(who)
                found[place] = replace(found[place], outcome=fact)
            case OutcomeFact():
                found.append(ActPart(fact.who, outcome=fact))
    yield from found


def _with_tools(roll: RollFact | None) -> str:
    """Return ` with KEELWING`: the things that added dice to a roll, as far as the dice name them."""
    if roll is None or len({die.source for die in roll.dice}) < 2:
        return ""
    tools = [
        source
        for source in dict.fromkeys(die.source for die in roll.dice)
        if source not in roll.what and source not in (roll.deed or "") and not source.startswith(roll.what)
    ]
    return f" with {join_names(tools)}" if tools else ""


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- acts of a log -----------------------------------------------------------------------------------------------------
