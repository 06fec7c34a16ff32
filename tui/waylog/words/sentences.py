"""Plain sentences about acts, odds, moves and the rows of panels, for line mode and for `watch --lines`.

A sentence is one line that ends with a full stop, a question mark or the like. Signs that a screen reader would spell out become
words.

The names of acts in questions and messages, and what players see of an act.

Changes in words, the same on every screen.

Names for paths of a campaign, as on the screens: rows and their owners, clocks, decks, sessions and timers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from waylog.rules.codec.changes import Change, Path, Value, format_path
from waylog.rules.known_campaign import Visibility
from waylog.rules.model.clocks import Clock
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import Refusal
from waylog.rules.model.odds import Odds, Spread, percent
from waylog.rules.model.panels import ClockRow, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Rank, Row, TextRow
from waylog.snapshot import Snapshot
from waylog.store.file.edit_base import EditConflict
from waylog.store.log.entries import LogEntry, naming_entries
from waylog.store.log.logged_acts import LoggedAct, consequence_text, describe_entries, dice_text

_RECENT = 40
"""How many entries before a hand edit the act is searched for that it conflicts with."""


def sight_of(snapshot: Snapshot) -> Visibility:
    """Return what says which facts players see, as things are in this snapshot."""
    return Visibility(
        snapshot.clocks, snapshot.decks, snapshot.situations, snapshot.tables, snapshot.timers, snapshot.players
    )


def quote(text: str) -> str:
    """Return a text in quotation marks. Those that it has itself become single ones."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def describe_act(entries: tuple[LogEntry, ...]) -> str:
    """Return `“roll nav” (Fiasco) with its 2 follow-ups`."""
    roots = naming_entries(entries) or list(entries[:1])
    outcome = describe_entries(entries).outcome
    acts_text = " and ".join(quote(entry.heading) for entry in roots) + (f" ({outcome.label})" if outcome else "")
    after = len(entries) - len(roots)
    return acts_text + (f" with its {after} follow-up{'s' if after > 1 else ''}" if after else "")


def conflicting_entry(entries: Callable[[int], LogEntry], conflict: EditConflict) -> LogEntry | None:
    """Return the entry that had played the value that a person then changed by hand."""
    for number in range(conflict.entry.number - 1, max(0, conflict.entry.number - _RECENT), -1):
        with suppress(KeyError):  # An entry that can't be read is reported elsewhere.
            entry = entries(number)
            if any(change.path == conflict.path and change.after == conflict.played for change in entry.changes):
                return entry
    return None


def describe_change(change: Change, within: Path = ()) -> str:
    """Return `ship.focus 0 → 1`. Of the path, the part that leads to `within` is left out."""
    path = change.path[len(within) :] if change.path[: len(within)] == within else change.path
    values = f"{describe_value(change.before)} → {describe_value(change.after)}"
    return f"{format_path(path)}  {values}" if path else values


def describe_value(value: Value | None) -> str:
    """Return a value in words. Something missing or empty is a dash, and something that holds other values is left out."""
    match value:
        case None | "" | []:
            return "–"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "…" if value else "–"
        case list():
            return ", ".join(map(describe_value, value))
        case _:
            return str(value)


_EVERYBODY: Path = ("crew",)
PlaceNames = Mapping[str, str]
"""By the path in the campaign: `Odile` for `crew.odile`, `Vitality` for `crew.odile.vitality`."""


def names_of(snapshot: Snapshot) -> PlaceNames:
    """Return the names of rows and their owners on the screens, by key."""
    rows = {row.key: row.label.lstrip("#0123456789 ") or row.label for panel in snapshot.panels for row in panel.rows}
    panels = {panel.key: panel.title for panel in snapshot.panels if panel.key}
    clocks = {f"clocks.{key}": clock.name for key, clock in snapshot.clocks.items()}
    sessions = {f"sessions.{key}": f"Session {key}" for key in snapshot.sessions}
    decks = {f"decks.{key}": deck.name for key, deck in snapshot.decks.items()}
    timers = {f"timers.{key}": timer.name for key, timer in snapshot.timers.items()}
    return {**rows, **panels, **clocks, **sessions, **decks, **timers, format_path(_EVERYBODY): "all"}


def name_change(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality  3 → 2`. A value that no screen shows is called by its path."""
    return f"{name_place(change.path, names)}  {describe_value(change.before)} → {describe_value(change.after)}"


def name_place(path: Path, names: PlaceNames) -> str:
    """Return the owner, then the last part that has a name, then the words of the file for the rest of the path."""
    known = [
        (length, name)
        for length in range(1, len(path) + 1)
        if (name := names.get(format_path(path[:length]))) and path[:length] != _EVERYBODY
    ]
    if not known:
        return format_path(path)
    (_, owner), (length, part) = known[0], known[-1]
    rest = [word.replace("_", " ") for word in path[length:]]
    words = " ".join([part, *rest] if len(known) > 1 else rest)
    return f"{owner}: {words}" if words else owner


def untold_changes(act: Sequence[LogEntry]) -> Iterator[Change]:
    """Yield the changes of an act that no note mentions: all those of an undo, and those of an entry without notes.

    Changes of cards, and of whole people and things, always have notes.
    """
    for entry in act:
        if entry.undoes or not any(isinstance(fact, NoteFact) for fact in entry.facts):
            for each in entry.shown_changes:
                if each.path[0] != "decks" and not isinstance(each.before, dict) and not isinstance(each.after, dict):
                    yield each


_ENDS = (".", "!", "?", "…", ":", ".”", "!”", "?”", '."', '!"', '?"')
_SPOKEN: Mapping[str, str] = {"→": " to ", " · ": ", ", "·": ",", "−": "-", "✓": "", "✗": "", "●": "", "○": ""}
"""Signs between words, each with its replacement."""
_HIDDEN = " (hidden from players)"
_USUAL = 6
"""The sides of dice whose size isn't mentioned."""
_RANKS = (Rank.VITAL, Rank.PLAIN, Rank.ABOUT)


def sentence(text: str) -> str:
    """Return a text as one sentence: on one line, with a capital if it begins with a plain word, and with an end."""
    for sign, spoken in _SPOKEN.items():
        text = text.replace(sign, spoken)
    text = " ".join(text.split()).removesuffix(";").removesuffix(",")
    first = text.partition(" ")[0].rstrip(",;:")
    if first.isalpha() and first.islower():
        text = text[:1].upper() + text[1:]
    return text if not text or text.endswith(_ENDS) else f"{text}."


def join_sentences(parts: Iterable[str]) -> str:
    """Return several sentences on one line."""
    return " ".join(filter(None, map(sentence, parts)))


# -- acts --------------------------------------------------------------------------------------------------------------


def act_sentences(entries: Sequence[LogEntry], sight: Visibility, names: PlaceNames) -> Iterator[str]:
    """Yield what was done, its outcome, and its consequences, a sentence each. A sentence says if it is hidden from players."""
    shows = None if entries[0].kind.is_wayfinders else sight.shows
    text = describe_entries(entries, shows, name_player=sight.name_player)
    hides = text.hidden or text.hidden_sentence
    yield sentence(text.sentence + (f": {dice_text(text)}" if text.dice else "") + (_HIDDEN if hides else ""))
    if text.outcome:
        yield sentence(text.outcome.label)
    for one in text.consequences:
        yield sentence(consequence_text(one) + (_HIDDEN if one.hidden and not text.hidden else ""))
    yield from (change_sentence(change, names) for change in untold_changes(entries))


def act_in_a_line(act: LoggedAct, sight: Visibility) -> str:
    """Return an act of the log on one line: the number and time of its first entry, what was done, and its consequences."""
    first = act.first
    undone = "Rewound" if act.rewound else "Undone" if act.undone else ""
    words = join_sentences((*act_sentences(act.entries, sight, {}), undone))
    return f"{first.number}, {first.at:%H:%M}: {words}"


def change_sentence(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality 3 to 2.`"""
    place = name_place(change.path, names)
    return sentence(f"{place} {_value(change.before)} to {_value(change.after)}")


def _value(value: object) -> str:
    return describe_value(value).replace("–", "nothing")


def fact_sentence(fact: Fact) -> str:
    """Return one fact by itself, as players see it."""
    match fact:
        case RollFact(what, dice, typed):
            between = " " if all(die.sides == _USUAL for die in dice) else ", "
            faces = between.join(_face(die.face, die.sides, dropped=die.dropped) for die in dice)
            return sentence(f"{what}: {faces}" + (" (real dice)" if typed else ""))
        case OutcomeFact(_, label, _, who):
            return sentence(f"{who}: {label}" if who else label)
        case NoteFact(text):
            return sentence(text)


def _face(face: int, sides: int, *, dropped: bool) -> str:
    shown = f"{face}" if sides == _USUAL else f"{face} of {sides}"
    return f"({shown})" if dropped else shown


def refusal_sentence(refusal: Refusal) -> str:
    """Return why something can't be done."""
    return sentence(refusal.reason)


# -- odds --------------------------------------------------------------------------------------------------------------


def odds_sentences(odds: Odds, words: str) -> Iterator[str]:
    """Yield the exact odds of a roll: the dice, the outcomes, the outcomes with tokens spent, and what it may cost."""
    yield sentence(f"{words}: {odds.dice}")
    yield _spread(odds.spread)
    yield from map(_spread, odds.spends)
    yield from (sentence(note.text) for note in (*odds.reasons, *odds.forecast))


def _spread(spread: Spread) -> str:
    chances = ", ".join(f"{one.label} {percent(one.chance)}" for one in spread.chances)
    return sentence(f"{spread.label}: {chances}" if spread.label else chances)


# -- panels ------------------------------------------------------------------------------------------------------------


def panel_sentences(panel: Panel, *, vital: bool = False) -> Iterator[str]:
    """Yield the title of a panel with its states, then a sentence for each row, vital ones first. With `vital`, no others."""
    role = f", {panel.role}" if panel.role else ""
    states = "; ".join(f"{tag.text} ({tag.why})" if tag.why else tag.text for tag in panel.tags)
    yield sentence(f"{panel.title}{role}" + (f": {states}" if states else ""))
    for rank in _RANKS[:1] if vital else _RANKS:
        yield from (row_sentence(row) for row in panel.rows if row.rank is rank)


def row_sentence(row: Row) -> str:
    """Return a row of a panel: its label, its value, and its note."""
    note = ", ".join(filter(None, (row.note, row.about)))
    return sentence(f"{row.label}: {_row_value(row)}" + (f", {note}" if note else ""))


def _row_value(row: Row) -> str:
    match row:
        case DiceRow(count=count):
            return f"{count} {'die' if count == 1 else 'dice'}"
        case PipsRow(value=value, top=top):
            return f"{value} of {top}"
        case MarkRow(state=state):
            return state
        case TextRow(text=text):
            return text or "nothing"
        case FacesRow(dice=dice):
            return " ".join(_face(die.face, die.sides, dropped=die.dropped) for die in dice) or "none"
        case ClockRow(clock=clock):
            return f"{clock.filled} of {clock.segments}"


def clock_sentence(clock: Clock) -> str:
    """Return a clock: its name, its progress, its kind, its ending, and whether players see it."""
    states = [*(["full"] if clock.full else []), *(["closed"] if clock.closed else [])]
    hidden = "" if clock.seen else _HIDDEN
    kind = ", ".join((clock.kind.value, *states))
    ending = f". {clock.outcome}" if clock.outcome else ""
    return sentence(
        f"{clock.name or 'A clock without a name'}: {clock.filled} of {clock.segments}, {kind}{hidden}{ending}"
    )
