"""Texts about acts, changes, odds, moves and panels, for every output. At the top are the formats in which the outputs write dice and
values; `store/log/grouped_acts_and_texts.py` says what an act was and what came of it.

For line mode and for `watch --lines`, a sentence is one line that ends with a full stop, a question mark or the like. Signs that a
screen reader would spell out become words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING

from waylog.rules.codec.changes import Change, Path, Value, format_path, join_names, quote
from waylog.rules.model.answers import describe, settled_answers
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.decks import Deck
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Move, Refusal
from waylog.rules.model.odds import Odds, Ratio, Spread, list_chances, name_chances, percent
from waylog.rules.model.panels import ClockRow, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Rank, Row, TextRow
from waylog.rules.model.players_and_permissions import name_of
from waylog.rules.what_players_know import Visibility
from waylog.snapshot_and_act_preview import ActPreview, Snapshot
from waylog.store.file.open_campaign import EditConflict
from waylog.store.log.entries_and_version_0_1 import LogEntry, naming_entries
from waylog.store.log.grouped_acts_and_texts import (
    ActPart,
    ActText,
    LoggedAct,
    describe_entries,
    describe_facts,
    describe_seen,
    name_act,
    only_for,
)
from waylog.toml.values import format_value
from waylog.values import NamedTuple, replace

if TYPE_CHECKING:
    from waylog.rules.chains_of_acts import ChainOdds
    from waylog.store.players.players_file import Stakes
    from waylog.store.shown.recap import Pace, Recap

_RECENT = 40
"""How many entries before a hand edit the act is searched for that it conflicts with."""
_MOST_NAMED = 4
"""The most follow-ups that are named in a question about undo."""
_USUAL = 6
"""The sides of dice whose size isn't mentioned."""


class DiceFormat(NamedTuple):
    """The format of dice in one kind of output."""

    counts: str = "{shown}"
    dropped: str = "({shown})"
    """A die that doesn't count."""
    between: str = " "
    """What stands before each die that doesn't count. Unless it is a blank, these stand behind those of their size that count."""
    by_source: bool = False
    """Each source stands before its dice, unless it is who rolled them."""


DICE = DiceFormat()
"""`3 (1)` and `17 5 on d20, 4 on d6`, on the screens."""
BOXED_DICE = DiceFormat(counts="[{shown}]")
"""`[3] (1) [17 on d20]`, where dice stand alone on a screen."""
SPOKEN_DICE = DiceFormat(dropped="{shown} dropped", between=", ")
"""`3, 1 dropped` and `17 on d20`, in line mode."""
LISTED_DICE = DiceFormat(by_source=True)
"""`NAV 3 (1), Lars 17 on d20`, in what commands print."""


class ValueFormat(NamedTuple):
    """The format of values, and of changes to them, in one kind of output."""

    nothing: str
    """The word or sign for a value that is missing or empty."""
    becomes: str
    as_toml: bool = False
    """Whether values are written as in the file, tables with all their keys."""


VALUES = ValueFormat("–", " → ")
"""`– → yes`, on the screens."""
SPOKEN_VALUES = ValueFormat("nothing", " → ")
"""`nothing → yes`, which a sentence of line mode makes `nothing to yes`."""
LISTED_VALUES = ValueFormat("nothing", " → ", as_toml=True)
"""`nothing → "Fog"`, in what commands print."""


def die_text(die: Face, how: DiceFormat = DICE) -> str:
    """Return one die in words, as `how` formats it. Only a die that isn't six-sided says its size."""
    size = "" if die.words or die.sides == _USUAL else f" on d{die.sides}"
    return (how.dropped if die.dropped else how.counts).format(shown=f"{die.words or die.face}{size}")


def kind_of_die(die: Die) -> str:
    """Return which die or card is asked for: `d8`, `card`, or `ability` for a die with symbols."""
    return die.asked if die.is_card else die.kind or f"d{die.sides}"


def dice_text(dice: Sequence[Face], how: DiceFormat = DICE, who: str = "") -> str:
    """Return dice side by side. `who` rolled them, so their sources leave that name out."""
    dice = whole_cards(dice)
    is_sized = any(die.sides != _USUAL and not die.words for die in dice)

    def join(group: Sequence[Face]) -> str:
        # A card and a face with symbols have several words.
        sizes = groupby(group, key=lambda die: 0 if die.words else die.sides)
        return ", ".join(join_size(sides, [*same]) for sides, same in sizes)

    def join_size(sides: int, same: Sequence[Face]) -> str:
        if not sides:
            return ", ".join(die_text(die, how) for die in same)
        is_spoken = how.between != " " and any(die.dropped for die in same)
        counted = " ".join(die_text(replace(die, sides=_USUAL), how) for die in same if not (is_spoken and die.dropped))
        size = f" on d{sides}" if is_sized else ""
        dropped = (die_text(replace(die, sides=_USUAL), how) for die in same if is_spoken and die.dropped)
        return how.between.join(filter(None, (f"{counted}{size}" if counted else "", *dropped)))

    if not how.by_source:
        return join(dice)
    groups = [(source, join([*group])) for source, group in groupby(dice, key=lambda die: die.source)]
    only_source = groups[0][0] if len(groups) == 1 else None
    # A card says itself that it is one of “Cards”.
    return ", ".join(
        faces
        if source == who or (source == only_source and who.startswith(source)) or faces.startswith(f"{source.lower()} ")
        else f"{source.removeprefix(f'{who}, ')} {faces}"
        for source, faces in groups
    )


def whole_cards(dice: Sequence[Face]) -> Sequence[Face]:
    """Return dice with one for each card: where one has the suit and the next the number, that has both."""
    found = list[Face]()
    for die in dice:
        if found and die.card.isdigit():
            found[-1] = replace(die, card=f"{found[-1].card} {die.card}")
        else:
            found.append(die)
    return found


def value_text(value: Value | None, how: ValueFormat = VALUES) -> str:
    """Return a value in words. A screen leaves out the parts of a value that contains others."""
    match value:
        case None:
            return how.nothing
        case list():
            return ", ".join(value_text(item, how) for item in value) or how.nothing
        case dict() if how.as_toml:
            return ", ".join(f"{key} {value_text(item, how)}" for key, item in value.items()) or how.nothing
        case bool():
            return "yes" if value else "no"
        case _ if how.as_toml:
            return format_value(value)
        case dict():
            return "…" if value else how.nothing
        case _:
            return str(value) or how.nothing


def change_text(change: Change, how: ValueFormat = VALUES) -> str:
    """Return the two values of a change."""
    return f"{value_text(change.before, how)}{how.becomes}{value_text(change.after, how)}"


def part_text(part: ActPart, how: DiceFormat = DICE) -> str:
    """Return a part of an act in one line: `Lars rolls: 3 5, Success`."""
    words = part.text + (f": {_rolled(part)}{dice_text(part.dice, how, part.text)}" if part.dice else "")
    if part.real_dice:
        words += " (real cards)" if part.dice and all(die.card for die in part.dice) else " (real dice)"
    if part.outcome:
        between = ", " if part.dice else " " if words.endswith("?") else ": "
        return between.join(filter(None, (words, part.outcome.label)))
    return words


def sentence_with_dice(text: ActText, how: DiceFormat = DICE) -> str:
    """Return what was done, with its dice."""
    return text.sentence + (f": {_rolled(text)}{dice_text(text.dice, how)}" if text.dice else "")


def _rolled(of: ActPart | ActText) -> str:
    """Return the word before a single number that would otherwise read as an amount: `takes damage: rolled 1`."""
    dice = of.dice or ()
    return "rolled " if of.is_amount_like and len(dice) == 1 and dice[0].sides == _USUAL and not dice[0].words else ""


def describe_for(sight: Visibility, entries: Sequence[LogEntry]) -> ActText:
    """Return an act in words for the wayfinder, and mark what players don't see."""
    return describe_entries(entries, sight.shows, name_player=sight.name_player)


def sight_of(snapshot: Snapshot) -> Visibility:
    """Return which facts players see in this snapshot."""
    return Visibility(
        snapshot.clocks, snapshot.decks, snapshot.situations, snapshot.tables, snapshot.timers, snapshot.players
    )


def with_readers(snapshot: Snapshot) -> dict[str, Clock]:
    """Return the clocks. If only some players see one, it has their names."""
    players = snapshot.players
    return {
        key: replace(one, seen_by=tuple(name_of(players, each) for each in one.seen_by)) if one.seen_by else one
        for key, one in snapshot.clocks.items()
    }


def moment_text(snapshot: Snapshot) -> str:
    """Return a sentence that says that nothing in a copy is real, or that it shows an earlier moment; empty for the campaign itself."""
    if snapshot.tried is None:
        return ""
    if snapshot.as_of is None or snapshot.tried:
        where = "" if snapshot.as_of is None else ", from this moment"
        return f"What if{where}: nothing you do here is real"
    return "This is an earlier moment"


def describe_act(entries: tuple[LogEntry, ...]) -> str:
    """Return `“roll nav” (Fiasco) with its follow-up`, or what its follow-ups did: `with its 2 follow-ups, “…” and “…”`."""
    roots = naming_entries(entries) or list(entries[:1])
    outcome = describe_entries(entries).outcome
    acts_text = " and ".join(quote(name_act(entry)) for entry in roots) + (f" ({outcome.label})" if outcome else "")
    after = [quote(name_act(entry)) for entry in entries if entry not in roots]
    if len(after) < 2:
        return acts_text + (" with its follow-up" if after else "")
    named = after if len(after) <= _MOST_NAMED else [*after[: _MOST_NAMED - 1], f"{len(after) - _MOST_NAMED + 1} more"]
    return f"{acts_text} with its {len(after)} follow-ups, {join_names(named, 'and')}"


def conflicting_entry(entries: Callable[[int], LogEntry], conflict: EditConflict) -> LogEntry | None:
    """Return the entry that set the value in play, before a person changed it in the file."""
    for number in range(conflict.entry.number - 1, max(0, conflict.entry.number - _RECENT), -1):
        with suppress(KeyError):  # An entry that can't be read is reported elsewhere.
            entry = entries(number)
            if any(change.path == conflict.path and change.after == conflict.played for change in entry.changes):
                return entry
    return None


def describe_change(change: Change, within: Path = ()) -> str:
    """Return `ship focus  0 → 1`. The part of the path that leads to `within` is left out."""
    path = change.path[len(within) :] if change.path[: len(within)] == within else change.path
    return f"{_path_words(path)}  {change_text(change)}" if path else change_text(change)


def changes_at(path: Path, entry: LogEntry) -> Iterator[Change]:
    """Yield the changes of an entry that affected the value at `path`, a part of it, or something that contains it."""
    for change in entry.changes:
        if change.before != change.after and all(one == two for one, two in zip(change.path, path, strict=False)):
            yield change


_EVERYBODY: Path = ("crew",)
_LABELS: Mapping[str, Mapping[str, str]] = {"clocks": Clock.LABELS, "decks": Deck.LABELS}
"""What the values of things are called that every game has, where their keys don't say it."""
_VALUES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "decks": {"known": {"secret": "none", "partly": "some", "known": "all"}}
}
"""What such a value may be, where the word of the file doesn't say it."""
_HELD = ("life_support", "ablative")
"""Switches of a person's suit: what is lost, and restored."""
_SWITCHED: Mapping[str, tuple[str, str]] = {
    "works": ("no longer works", "works again"),
    "may recover": ("can't recover any more", "can recover now"),
    "may accept": ("can't accept a condition any more", "can accept a condition now"),
    "may advance": ("can't advance any more", "can advance now"),
}
"""What is said of a switch that has become false or true, where that isn't “no longer” or “now” and its name."""
PlaceNames = Mapping[str, str]
"""By the path in the campaign: `Odile` for `crew.odile`, `Vitality` for `crew.odile.vitality`."""


def names_of(snapshot: Snapshot) -> PlaceNames:
    """Return the names of rows and their owners on the screens, by key."""
    rows = {row.key: row.label.lstrip("#0123456789 ") or row.label for panel in snapshot.panels for row in panel.rows}
    panels = {panel.key: panel.title for panel in snapshot.panels if panel.key}
    clocks = {f"clocks.{key}": clock.name for key, clock in snapshot.clocks.items()}
    sessions = {f"sessions.{key}": f"Session {key}" for key in snapshot.sessions}
    decks = {f"decks.{key}": deck.name for key, deck in snapshot.decks.items()}
    # The row of a kept card says how many uses are left.
    cards = {
        f"decks.{key}.cards.{card}": quote(of.text)
        for key, deck in snapshot.decks.items()
        for card, of in deck.cards.items()
    }
    timers = {f"timers.{key}": timer.name for key, timer in snapshot.timers.items()}
    return {**rows, **panels, **clocks, **sessions, **decks, **cards, **timers, format_path(_EVERYBODY): "all"}


def name_change(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality  3 → 2`, `Tea: removed` or `Players see “Fog”`. If no screen shows a value, use its path."""
    thing = names.get(format_path(change.path[:-1]))
    if thing and change.path[-1] == "seen" and isinstance(change.after, bool):
        see = "see" if change.after else "can't see"
        return f"Players {see} {quote(thing)}"
    return _come_or_gone(change) or _tell_switch(change, names) or _two_values(change, names, VALUES, "  ")


def _two_values(change: Change, names: PlaceNames, how: ValueFormat, gap: str = " ") -> str:
    """Return `Odile: Vitality 3 → 2`. A key of one of the crew has their name."""
    if change.path[0] == "sessions" and change.path[-1] in ("began", "ended"):
        from waylog.store.shown.recap_in_markdown import day_and_time

        times = [" ".join(day_and_time(value_text(each, how))).strip() for each in (change.before, change.after)]
        return f"{name_place(change.path, names)}{gap}{how.becomes.join(times[1:] if not change.before else times)}"
    words = _VALUES.get(change.path[0], {}).get(change.path[-1], {})
    before, after = (
        names.get(f"{_EVERYBODY[0]}.{each}", words.get(each, each)) if isinstance(each, str) else each
        for each in (change.before, change.after)
    )
    return f"{name_place(change.path, names)}{gap}{change_text(replace(change, before=before, after=after), how)}"


def _tell_switch(change: Change, names: PlaceNames) -> str:
    """Return `Imre: FOAM GUN works again` or `Fog: no longer closed` for a switch, and `Tenacity: Integrity restored` for a token; empty
    for any other change.
    """
    if not (isinstance(change.before, bool) and isinstance(change.after, bool)):
        return ""
    owner, becomes, _ = _switch_parts(change, names)
    return f"{owner}: {becomes}" if owner else ""


def _switch_parts(change: Change, names: PlaceNames) -> tuple[str, str, str]:
    """Return whose switch it is, which is empty if no screen shows it; what is said once it has changed, and while it hasn't."""
    key = change.path[-1]
    if change.path[-2:-1] == ("tokens",) or key in _HELD:
        owner, part = _owner_and_part(change.path, names)
        return owner, f"{part} {'restored' if change.after else 'lost'}", f"{part} unchanged"
    if key == "seen" and (thing := names.get(format_path(change.path[:-1]))):
        see = "can see this" if change.after else "can no longer see this"
        return quote(thing), f"players {see}", "unchanged"
    if (label := names.get(format_path(change.path))) is not None:
        owner, _ = _owner_and_part(change.path[:-1], names)
        return owner, f"{'now' if change.after else 'no longer'} {label}", f"{label} unchanged"
    owner, part = _owner_and_part(change.path[:-1], names)
    state = _path_words((key,))
    becomes = _SWITCHED.get(state, (f"no longer {state}", f"now {state}"))[bool(change.after)]
    stays = f"{'still' if change.before else 'not'} {state}"
    return owner, " ".join(filter(None, (part, becomes))), " ".join(filter(None, (part, stays)))


def _come_or_gone(change: Change) -> str:
    """Return `Tea: new` or `Tea: removed` for a whole thing that has a name; empty for any other change."""
    match change.before, change.after:
        case None, {"name": str(name)} if name:
            return f"{name}: new"
        case {"name": str(name)}, None if name:
            return f"{name}: removed"
        case _:
            return ""


def name_place(path: Path, names: PlaceNames) -> str:
    """Return the owner, then the last part that has a name, then the words of the file for the rest of the path."""
    return ": ".join(filter(None, _owner_and_part(path, names)))


def _owner_and_part(path: Path, names: PlaceNames) -> tuple[str, str]:
    """Return the owner, which is empty if nothing on the path has a name, and the words for the rest."""
    known = [
        (length, name)
        for length in range(1, len(path) + 1)
        if (name := names.get(format_path(path[:length]))) and path[:length] != _EVERYBODY
    ]
    if not known:
        return "", _path_words(path)
    (_, owner), (length, part) = known[0], known[-1]
    label = _LABELS.get(path[0], {}).get(path[-1], "").lower() if path[length:] else ""
    rest = label or _path_words(path[length:])
    if len(known) > 1 and rest and part == with_capital(_path_words(path[length - 1 : length])):
        return owner, with_capital(rest)  # The part is only a group of values, such as a person's tokens.
    return owner, " ".join(filter(None, [part, rest] if len(known) > 1 else [rest]))


def _path_words(path: Path) -> str:
    # What holds nothing but one number is called by its key alone.
    words = path[:-1] if len(path) > 1 and path[-1] == "value" else path
    return " ".join(words).replace("_", " ")


def untold_changes(act: Sequence[LogEntry]) -> Iterator[Change]:
    """Yield the changes of an act that no note mentions: all those of an undo, and those of an entry without notes. Of a value that a later
    step of the act changed again, only that step tells.

    Changes of cards, and of whole people and things, always have notes.
    """
    for at, entry in enumerate(act, 1):
        if entry.undoes or not any(isinstance(fact, NoteFact) for fact in entry.facts):
            again = {change.path for later in act[at:] for change in later.changes}
            for each in entry.shown_changes:
                is_thing = isinstance(each.before, dict) or isinstance(each.after, dict)
                if not (each.path[0] == "decks" or is_thing or each.path in again):
                    yield each


_ENDS = (".", "!", "?", "…", ":", ".”", "!”", "?”", '."', '!"', '?"')
_SPOKEN: Mapping[str, str] = {"→": " to ", " · ": ", ", "·": ",", "−": "-", "✓": "", "✗": "", "●": "", "○": ""}
"""Signs between words, each with its replacement."""
_STEP = r" (\d+) → (\d+)(?= of \d)"
"""How a clock moves, behind its name."""
_CHANGE = r"(\S+ |^)([-−+]?\d+) → ([-−+]?\d+)(?![\w→])"
"""A number that becomes another, behind the last word of its label."""
_PLURAL = r"(?i)dice|\w*[^suiS\W]s"
"""A word for several things, such as the last one of `personal dice` or `Marks`."""
_SLOTS = r"([■□](?: [■□])*)(?: +(\d+)/(\d+))?"
"""Slots in a row, marked or not, and how many of how many are marked."""
_HIDDEN = " (hidden from players)"
NOT_FOR_PLAYERS, ENTRY_NOT_FOR_PLAYERS = "players don't see this line", "players don't see this entry"
_SECRET = f" ({NOT_FOR_PLAYERS})"
_RANKS = (Rank.VITAL, Rank.PLAIN, Rank.ABOUT)


def sentence(text: str) -> str:
    """Return a text as one sentence: on one line, with a capital if it begins with a plain word, and with an end."""
    text = re.sub(_STEP, r" goes from \1 to \2", text)
    text = re.sub(_CHANGE, _say_change, text)
    for sign, spoken in _SPOKEN.items():
        text = text.replace(sign, spoken)
    if "■" in text or "□" in text:
        text = re.sub(_SLOTS, _say_slots, text)
    text = with_capital(" ".join(text.split()).removesuffix(";").removesuffix(","))
    return text if not text or text.endswith(_ENDS) else f"{text}."


def _say_change(found: re.Match[str]) -> str:
    go = "go" if re.fullmatch(_PLURAL, found[1].strip()) else "goes"
    return f"{found[1]}{go} from {found[2]} to {found[3]}"


def _say_slots(found: re.Match[str]) -> str:
    """Return which slots of a row are marked: `slots 1 and 3, 2 of 4 marked`."""
    marked = [str(place) for place, slot in enumerate(found[1].split(), 1) if slot == "■"]
    if not marked:
        return f"no slots of {found[3]} marked" if found[2] else "no slots"
    named = f"slot{'s' if marked[1:] else ''} {join_names(marked, 'and')}"
    return f"{named}, {found[2]} of {found[3]} marked" if found[2] else named


def with_capital(text: str) -> str:
    """Return a text for the beginning of a line: with a capital, unless it begins with a sign, a figure, or a word such as `d6` or
    `campaign.toml`.
    """
    first = text.partition(" ")[0].rstrip(",;:")
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def join_sentences(parts: Iterable[str]) -> str:
    """Return several sentences on one line."""
    return " ".join(filter(None, map(sentence, parts)))


# -- acts --------------------------------------------------------------------------------------------------------------


def act_sentences(entries: Sequence[LogEntry], sight: Visibility, names: PlaceNames) -> Iterator[str]:
    """Yield what was done, its outcome, and its consequences, one sentence each. A sentence says whether it is hidden from players."""
    yield from _text_sentences(describe_for(sight, entries), marks=not entries[0].kind.is_wayfinders)
    yield from (change_sentence(change, names) for change in untold_changes(entries))


def seen_sentences(facts: Iterable[Fact]) -> Iterator[str]:
    """Yield the same for players: only what they see of an entry."""
    return _text_sentences(describe_seen(facts))


def _text_sentences(text: ActText, *, marks: bool = False) -> Iterator[str]:
    hides = marks and (text.hidden or text.hidden_sentence)
    yield sentence(sentence_with_dice(text, SPOKEN_DICE) + (_SECRET if hides else ""))
    if text.outcome:
        yield sentence(text.outcome.label)
    for one in text.consequences:
        yield sentence(part_text(one, SPOKEN_DICE) + (_SECRET if marks and one.hidden and not text.hidden else ""))


def act_in_a_line(act: LoggedAct, sight: Visibility) -> str:
    """Return an act of the log on one line: the number and time of its first entry, what was done, and its consequences."""
    first = act.first
    undone = "Rewound" if act.rewound else "Undone" if act.undone else ""
    words = join_sentences((*act_sentences(act.entries, sight, {}), undone))
    return f"{first.number}, {first.at:%H:%M}: {words}"


def change_sentence(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality from 3 to 2.`"""
    return sentence(_come_or_gone(change) or _tell_switch(change, names) or _two_values(change, names, SPOKEN_VALUES))


def listed_change(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality 3 → 2`, with all that a value contains, as commands print it; of a new thing only its name."""
    return _come_or_gone(change) or _tell_switch(change, names) or _two_values(change, names, LISTED_VALUES)


def fact_sentences(facts: Iterable[Fact]) -> Iterator[str]:
    """Yield each fact by itself."""
    return (sentence(part_text(part, SPOKEN_DICE)) for part in describe_facts(facts))


def refusal_sentence(refusal: Refusal) -> str:
    """Return why something can't be done."""
    return sentence(refusal.reason)


# -- odds --------------------------------------------------------------------------------------------------------------


def foresee(preview: ActPreview) -> tuple[OutcomeFact | None, str]:
    """Return what an act with its dice would come to: the outcome; then the question that it opens, which says what spending would make of
    the dice, or else what happens besides.
    """
    parts = [*describe_facts(preview.entry.facts if preview.entry else ())]
    notes = "; ".join(part.text for part in parts if part.dice is None and part.outcome is None)
    return next((part.outcome for part in reversed(parts) if part.outcome), None), preview.question or notes


def odds_sentences(odds: Odds, words: str) -> Iterator[str]:
    """Yield the exact odds of a roll: the dice, the outcomes, the outcomes with tokens spent, and what it may cost."""
    yield sentence(f"{words} ({odds.dice})")
    yield _spread(odds.spread)
    for spent in odds.spends:
        # What is said twice is hard to listen to: after what is spent, only the outcomes whose chances differ.
        before = [(one.outcome, one.label, one.chance) for one in odds.spread.chances]
        other = [one for one in spent.chances if (one.outcome, one.label, one.chance) not in before]
        left = {(one.outcome, one.label) for one in spent.chances}
        gone = [replace(one, chance=Ratio()) for one in odds.spread.chances if (one.outcome, one.label) not in left]
        if other or gone:
            yield _spread(replace(spent, chances=(*gone, *other)))
    yield from (sentence(note.text) for note in (*odds.reasons, *odds.forecast))


def called_roll_sentences(moves: Iterable[Move], odds: Iterable[Odds]) -> Iterator[str]:
    """Yield what the wayfinder asks a player to roll, of these moves of theirs, and the odds of it as it was called for."""
    from waylog.store.players.moves_and_odds_for_players import odds_of  # Nobody but players needs it.

    for move in moves:
        if move.called and not move.blocked:
            answers = settled_answers(move)
            yield sentence(f"The wayfinder asks you for this roll: {describe(move, answers)}")
            with suppress(ActRefused):
                if found := odds_of(odds, Act(move, answers)):
                    yield _spread(found.spread)


def stakes_sentences(stakes: Iterable[Stakes]) -> Iterator[str]:
    """Yield what is at stake in a roll: its odds, and what each outcome would do."""
    for one in stakes:
        yield sentence(f"At stake: {one.title}")
        yield _spread(one.odds.spread)
        yield from (sentence(note.text) for note in one.forecast)


_MOST_NUMBERS = 12
"""The most chances of numbers in a sentence: more share one with their neighbours."""


def _spread(spread: Spread) -> str:
    chances = name_chances((one.label, one.chance) for one in list_chances(spread.chances, _MOST_NUMBERS))
    return sentence(f"{spread.label}: {chances}" if spread.label else chances)


def cut_sentence(cut: Ratio) -> str:
    """Return how likely it is that the odds of a chain leave something out."""
    return sentence(
        f"in {percent(cut)} of cases, a roll leads back to itself more than once, and the odds leave out everything after that"
    )


def chain_sentences(odds: ChainOdds, names: PlaceNames) -> Iterator[str]:
    """Yield where several acts in a row lead: the outcomes of each, what may be impossible, and what may have changed at the end."""
    for words, outcomes in odds.rolls:
        yield _spread(Spread(words, outcomes))
    for words, why, chance in odds.impossible:
        yield sentence(f"in {percent(chance)} of cases, “{words}” can't be done, because {why}")
    for place, before, chances in chain_values(odds, names, SPOKEN_VALUES):
        now = f" is {before} now;" if before else ":"
        yield sentence(f"{place}{now} " + ", ".join(f"{value} in {percent(chance)}" for value, chance in chances))
    if odds.cut:
        yield cut_sentence(odds.cut)


def chain_values(
    odds: ChainOdds, names: PlaceNames, how: ValueFormat
) -> Iterator[tuple[str, str, Sequence[tuple[str, Ratio]]]]:
    """Yield what a chain may change: its name, its value now, and each value that it may have then, also the same one; numbers in their
    order, others most likely first. A mark that is new has no value now.
    """
    for whose, mark, chance in odds.marks:
        yield whose, "", [(mark, chance)]
    for path, changes in odds.values:
        if all(isinstance(change.after, bool) for change, _ in changes):
            # A switch that may change has one other state.
            ((change, chance),) = changes
            owner, becomes, stays_so = _switch_parts(change, names)
            if owner:
                yield owner, "", [(becomes, chance), *([(stays_so, 1 - chance)] if chance < 1 else [])]
                continue
        before = changes[0][0].before
        then = [(change.after, chance) for change, chance in changes]
        if stays := 1 - sum((chance for _, chance in then), Ratio()):
            then.append((before, stays))
        if all(type(value) is int for value, _ in then):
            then.sort(key=lambda one: int(one[0] or 0))
        yield (
            name_place(path, names),
            value_text(before, how),
            [(value_text(value, how), chance) for value, chance in then],
        )


# -- panels ------------------------------------------------------------------------------------------------------------


def panel_sentences(panel: Panel, *, vital: bool = False) -> Iterator[str]:
    """Yield the title of a panel with its states, then a sentence for each row, vital ones first. With `vital`, yield only those."""
    role = f", {panel.role}" if panel.role else ""
    states = "; ".join(f"{tag.text} ({tag.why})" if tag.why else tag.text for tag in panel.tags)
    title = f"{panel.title}{role}"
    if title.endswith("?"):
        named = f"{states}: “{title}”"
    else:
        named = f"{title} {with_capital(states)}" if title.endswith("!") else f"{title}: {states}"
    yield sentence(named if states else title)
    for rank in _RANKS[:1] if vital else _RANKS:
        yield from (row_sentence(row) for row in panel.rows if row.rank is rank)


def row_sentence(row: Row) -> str:
    """Return a row of a panel: its label, its value, and its note in brackets."""
    note = ", ".join(filter(None, (row.note, row.about)))
    return sentence(f"{row.label}: {_row_value(row)}" + (f" ({note})" if note else ""))


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
            return dice_text(dice, SPOKEN_DICE._replace(between=" ")) or "none"
        case ClockRow(clock=clock):
            return f"{clock.filled} of {clock.segments}"


def clock_sentence(clock: Clock) -> str:
    """Return a clock: its name, its progress, its kind, its ending, and who sees it. Its readers have names (`with_readers`)."""
    states = [*(["full"] if clock.full else []), *(["closed"] if clock.closed else [])]
    hidden = _HIDDEN if not clock.seen else f", {only_for(clock.seen_by)}" if clock.seen_by else ""
    kind = ", ".join((clock.kind.value, *states))
    ending = f". {clock.outcome}" if clock.outcome else ""
    return sentence(f"{clock.name or 'Unnamed clock'}: {clock.filled} of {clock.segments}, {kind}{hidden}{ending}")


# -- a recap -----------------------------------------------------------------------------------------------------------


def recap_sentences(of: Recap) -> Iterator[str]:
    """Yield the heading, the scenes with their acts, the clocks, and how often each outcome came up."""
    session = f", session {of.session}" if of.session else ""
    yield sentence(f"{of.campaign or 'Unnamed'}{session}" + (f": {of.held.title}" if of.held.title else ""))
    if of.held.present:
        yield sentence(f"Present: {of.held.present}")
    if not of.scenes:
        yield "Nothing was played."
    for scene in of.scenes:
        if scene.title:
            yield sentence(f"Scene: {scene.title}")
        for text in (act.describe(secrets=of.secrets) for act in scene.acts):
            opening = text.sentence + (_SECRET if text.hidden_sentence else "")
            came = (part_text(one, SPOKEN_DICE) + (_SECRET if one.hidden else "") for one in text.consequences)
            if line := join_sentences((opening, text.outcome.label if text.outcome else "", *came)):
                yield line
    for step in of.steps:
        yield sentence(f"“{step.name}” goes from {step.before} to {step.after} of {step.segments} segments")
    for turned in of.clocks:
        if turned.full or turned.was_closed:
            is_now = "full" if turned.full else "closed"
            yield join_sentences((f"“{turned.clock.name}” is {is_now}", turned.outcome))
    for who, counts in of.outcomes.items():
        yield sentence(f"{who or 'Others'}: {', '.join(f'{one.label} {count}' for one, count in counts.items())}")
    if of.pace:
        yield from pace_sentences(of.pace)


def pace_sentences(of: Pace) -> Iterator[str]:
    """Yield how long each scene took, and who acted how much."""
    yield from (sentence(scene.summary) for scene in of.scenes)
    if of.who_acted:
        yield sentence(f"Who acted: {of.who_acted}")
