"""The text that commands print for people: plain lines, for a terminal, a pipe or a screen reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path as FilePath
from time import time
from typing import TYPE_CHECKING

from waylog.cli.pager_and_colours import Line, Style, TerminalText, file_address
from waylog.cli.results_and_crashes import FileVersion
from waylog.rules.codec.changes import Change, Path, Value, format_path, quote
from waylog.rules.common.scene_cards import Progress, SceneCard, untold
from waylog.rules.model.clocks_situations_and_timers import Clock, does
from waylog.rules.model.decks import Deck, Where, balance, owed_words
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeGrade, RollFact
from waylog.rules.model.moves import Move, Refusal, merge_equal
from waylog.rules.model.odds import Odds, Ratio, Spread, list_chances, percent
from waylog.rules.model.panels import FULL, ClockRow, DiceRow, FacesRow, MarkRow, PipsRow, Row, TextRow, Tone
from waylog.rules.model.state import CardProgress, EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import ActPart, describe_entries, describe_facts, describe_note, only_for
from waylog.values import replace
from waylog.words.sentences import (
    LISTED_DICE,
    LISTED_VALUES,
    NOT_FOR_PLAYERS,
    PlaceNames,
    chain_values,
    change_text,
    cut_sentence,
    dice_text,
    kind_of_die,
    listed_change,
    moment_text,
    name_place,
    names_of,
    part_text,
    value_text,
    with_capital,
    with_readers,
)

if TYPE_CHECKING:
    from waylog.rules.chains_of_acts import ChainOdds
    from waylog.snapshot_and_act_preview import ActPreview, Snapshot, UndoPlan
    from waylog.store.file.edit_base_merge_and_renames import FileQuestion
    from waylog.store.file.open_campaign import EditConflict
    from waylog.store.kit import KitItem
    from waylog.store.players.proposals import Proposal
    from waylog.store.replay_and_misread_die import Replay

_MOODS = {
    None: Style.TITLE,
    OutcomeGrade.FIASCO: Style.BAD,
    OutcomeGrade.DRAWBACK: Style.WARN,
    OutcomeGrade.SUCCESS: Style.GOOD,
    OutcomeGrade.CRITICAL: Style.BEST,
}
_TONES = {
    Tone.PLAIN: Style.PLAIN,
    Tone.GOOD: Style.GOOD,
    Tone.WARN: Style.WARN,
    Tone.BAD: Style.BAD,
    Tone.DIM: Style.DIM,
}
_STEP = "  "
_LONG = 400
"""The letters of a command or a change that a line shows."""
_SHORTEST_GAP = 2


def act_lines(entry: LogEntry, after: Snapshot, later: Sequence[LogEntry] = ()) -> Iterator[Line]:
    """Yield what an act did, its changes, later changes that an undo left, and what is asked or may follow now."""
    yield f"{entry.number}  ", TerminalText(_headline(entry), Style.TITLE)
    yield from indent(_logged_lines(entry, names_of(after)))
    yield from _later_lines(later)
    # What was offered earlier has been listed in full.
    yield from follow_up_lines(after, in_full=False)


def act_preview(of: ActPreview, now: Snapshot) -> Iterator[Line]:
    """Yield what an act would do, or what decides it: its chances, or its dice."""
    yield "Preview. This would happen:"
    if of.entry is not None:
        yield TerminalText(of.words, Style.TITLE)
        yield from indent(fact_lines(of.entry, names_of(now)))
        yield from follow_up_lines(of)
    elif of.odds is not None:
        yield from odds(of.odds, of.words)
    else:
        yield TerminalText(of.words, Style.TITLE)
        named = (die.source if die.is_card or die.kind else die.asked or die.source for die in of.dice)
        asked = (f"{kind_of_die(die)} for {name}" for die, name in zip(of.dice, named, strict=True))
        yield f"  The result depends on the dice: {', '.join(asked)}"


def file_question_lines(question: FileQuestion, campaign: str) -> Iterator[str]:
    """Yield a question about the campaign file, and the two commands that answer it."""
    from shlex import quote

    yield f"{question.about}. Nothing was done"
    yield f"waylog conflicts {quote(campaign)} keep: {question.keep}"
    yield f"waylog conflicts {quote(campaign)} take: {question.update}"


def undo_preview(resting: UndoPlan, now: Snapshot, *, with_later: bool) -> Iterator[Line]:
    """Yield what an undo would reverse, and what would stay."""
    yield "Preview. This would be undone:"
    undone = (*resting.act, *(resting.later if with_later else ()))
    yield from entries([(entry, False) for entry in undone], names_of(now))
    yield from _later_lines(() if with_later else resting.later)


def kit(items: Sequence[KitItem]) -> Iterator[str]:
    """Yield what the starter kit has, by kind, with the word to type for each thing."""
    width = max(len(item.key) for item in items)
    for kind, group in groupby(items, key=lambda item: item.kind):
        yield f"{kind.value.capitalize()}:"
        yield from (f"  {item.key:{width}}  {_kit_text(item)}" for item in group)


def _kit_text(item: KitItem) -> str:
    """Return the name, unless that is the word to type, and what it is."""
    return ": ".join(filter(None, ("" if item.name.casefold() == item.key else item.name, item.about)))


def _later_lines(later: Sequence[LogEntry]) -> Iterator[Line]:
    if later:
        yield "Later changes to the same values stay. Add --with-later to undo them too:"
        yield from indent(f"{entry.number}  {_headline(entry)}" for entry in later)


def proposals(waiting: Sequence[Proposal]) -> Iterator[str]:
    """Yield what players propose, by number, and the words that answer it."""
    from waylog.line_mode.descriptions_and_news import NOTHING, describe_proposal

    if not waiting:
        yield NOTHING.capitalize()
        return
    yield from (f"{number}  {describe_proposal(each)}" for number, each in enumerate(waiting, 1))
    yield '`play 1` plays the first one, and `decline 1 "Not yet"` declines it'


def why(
    path: Path, value: Value | None, place: TerminalText | None, made_by: Sequence[LogEntry], names: PlaceNames
) -> Iterator[Line]:
    """Yield a value, its place, and the entries that changed it, newest first."""
    yield (
        f"{format_path(path)} is {value_text(value, LISTED_VALUES)}"
        if place
        else f"{format_path(path)} is not in the file"
    )
    if place:
        yield "  ", place
    if not made_by:
        yield "No log entry has changed this value"
    for entry in made_by:
        yield TerminalText(f"{entry.number:>4}  {entry.at:%Y-%m-%d %H:%M}", Style.DIM), f"  {_headline(entry)}"
        yield from indent((_change(change, names) for change in entry.changes), 6)


def versions(of: Sequence[FileVersion]) -> Iterator[Line]:
    """Yield the earlier versions of the campaign file, oldest first."""
    if not of:
        yield "There are no earlier versions yet"
    yield from columns([(one.name, f"{one.at:%Y-%m-%d %H:%M}", _apart(one.values)) for one in of])


def _apart(values: int | None) -> str:
    match values:
        case None:
            return "can't be compared"
        case 0:
            return "same as the current file"
        case 1:
            return "1 value differs from the current file"
        case _:
            return f"{values} values differ from the current file"


def conflicts(of: Sequence[EditConflict]) -> Iterator[str]:
    """Yield the edit conflicts."""
    if not of:
        yield "No edit conflicts"
        return
    for one in of:
        values = f"the file says {value_text(one.file, LISTED_VALUES)}, but the game says {value_text(one.played, LISTED_VALUES)}"
        yield f"{one.entry.number}  {format_path(one.path)}: {values}"
    yield "`keep N` keeps the file's value, and `take N` uses the game's value"


def fact_lines(entry: LogEntry, names: PlaceNames) -> Iterator[Line]:
    """Yield an entry's facts and changes, one line each."""
    return _fact_lines(entry, entry.facts, names)


def _logged_lines(entry: LogEntry, names: PlaceNames) -> Iterator[Line]:
    """Yield the same without what the headline of the entry already says."""
    # The first note of a remark is its text; a scene may do more.
    repeated = entry.facts[0] if entry.kind.is_remark and entry.facts else _repeated_note(entry)
    return _fact_lines(entry, [one for one in entry.facts if one is not repeated], names)


def _fact_lines(entry: LogEntry, facts: Iterable[Fact], names: PlaceNames) -> Iterator[Line]:
    open_to_all = not entry.kind.is_wayfinders
    for part in describe_facts(facts):
        yield _part(part, hidden=part.hidden and open_to_all)
    notes = [fact for fact in entry.facts if isinstance(fact, NoteFact)]
    for change in entry.shown_changes:
        if change.before != change.after and not _is_told(change, notes, undone=entry.is_undo):
            yield _change(change, names)


def _is_told(change: Change, notes: Sequence[NoteFact], *, undone: bool) -> bool:
    """Whether a note already says it: it has the new number, or what is no number. The note of an undo only says what was undone."""
    before, after = change.before, change.after
    if isinstance(after, int) and not isinstance(after, bool):
        numbers = f"{before} → {after}", f"now {after}"
        is_clocks = any(one.step.segments and one.step.after == after for one in notes)
        # Why they changed may stand behind them.
        return is_clocks or any(
            f"{end}{mark}" in f"{one.text}," for one in notes for end in numbers for mark in (",", " (")
        )
    return bool(notes) and not (undone and isinstance(after, bool))


def _part(part: ActPart, *, hidden: bool) -> Line:
    text = with_capital(part_text(part, LISTED_DICE))
    # What ends in brackets already has the mark in them, too.
    inside = hidden and part.real_dice and text.endswith(")")
    shown = TerminalText(
        f"{text[:-1]}, {NOT_FOR_PLAYERS})" if inside else text,
        _MOODS[part.outcome.mood] if part.outcome else Style.PLAIN,
    )
    return shown, TerminalText(f" ({NOT_FOR_PLAYERS})" if hidden and not inside else "", Style.DIM)


def _change(change: Change, names: PlaceNames) -> str:
    text = f"· {listed_change(change, names)}"
    return TerminalText(text if len(text) <= _LONG else f"{text[:_LONG]}…", Style.DIM)


_REMARKS = {EntryKind.NOTE: "Note: ", EntryKind.SECRET: "Secret note: "}


def _headline(entry: LogEntry) -> str:
    """Return what an entry did, as the log view calls it. `--json` has the command."""
    text = f"{_REMARKS.get(entry.kind, '')}{_sentence(entry) or entry.heading}"
    repeated = None if entry.kind.is_wayfinders or entry.kind is EntryKind.SECRET else _repeated_note(entry)
    return (text if len(text) <= _LONG else f"{text[:_LONG]}…") + (
        f" ({NOT_FOR_PLAYERS})" if repeated and repeated.secret else ""
    )


def _sentence(entry: LogEntry) -> str:
    """Return what was done; the title of an answer that no note tells, and of a roll that says no more than who rolls. Who proposed it
    is said elsewhere.
    """
    sentence = describe_entries((replace(entry, by=""),)).sentence
    deeds = (fact for fact in entry.facts if isinstance(fact, NoteFact) and fact.part is NotePart.DEED)
    is_answer = entry.kind is EntryKind.PLAY and entry.root != entry.number and next(deeds, None) is None
    is_name = any(isinstance(fact, RollFact) and fact.what.casefold() == sentence.casefold() for fact in entry.facts)
    return entry.title if entry.title and (is_answer or is_name) else sentence


def _repeated_note(entry: LogEntry) -> NoteFact | None:
    """Return the note that the headline of an entry repeats; None if it repeats none."""
    headline = _sentence(entry)
    notes = (fact for fact in entry.facts if isinstance(fact, NoteFact))
    # The title of what was spent has who spent it before it, and its price in brackets.
    label = headline.rpartition(": ")[2].partition(" (")[0]
    return next((note for note in notes if describe_note(note) in (headline, label)), None)


def follow_up_lines(snapshot: Snapshot | ActPreview, *, in_full: bool = True) -> Iterator[Line]:
    """Yield the open question with its answers, or what may follow without being asked; nothing if there is neither. Unless `in_full`, what
    was offered earlier is named in one line.
    """
    follows = merge_equal([move for move in snapshot.moves if move.follows])
    earlier = [move for move in follows if move.late and not in_full]
    answers = [move for move in follows if move not in earlier]
    yield from indent(_part(part, hidden=part.hidden) for part in describe_facts(snapshot.settled_facts))
    if snapshot.question:
        yield TerminalText(f"? {snapshot.question}", Style.TITLE)
    elif answers:
        yield TerminalText("Optional now", Style.TITLE)
    yield from indent(moves(answers))
    if earlier:
        yield f"Still available: {', '.join(f'{quote(move.id)} ({move.title or move.label})' for move in earlier)}"


def moves(of: Iterable[Move]) -> Iterator[Line]:
    """Yield moves with their commands. Those that are blocked say why."""
    if not (known := list(of)):
        return
    # Few commands list moves.
    from waylog.rules.language.completion_and_what_is_wrong import label_beside_usage, usage

    rows = [
        (
            usage(move),
            TerminalText(_why_blocked(move, move.blocked), Style.DIM) if move.blocked else label_beside_usage(move),
        )
        for move in known
    ]
    for move, line in zip(known, columns(rows), strict=True):
        yield "✗ " if move.blocked else "  ", *line


def _why_blocked(move: Move, refusal: Refusal) -> str:
    """Return why a move is blocked. The command of an offer doesn't say what it does, so its label does."""
    return f"{move.label}: {refusal.reason}" if move.offer else with_capital(refusal.reason)


def grouped_moves(snapshot: Snapshot) -> Iterator[Line]:
    """Yield every move: answers first, then by verb, and last what can't be done now."""
    yield from follow_up_lines(snapshot)
    others = [move for move in snapshot.moves if not move.follows]
    for verb in dict.fromkeys(move.verb for move in others if not move.blocked):
        yield TerminalText(verb, Style.TITLE)
        yield from indent(moves(move for move in others if move.verb == verb and not move.blocked))
    blocked = [move for move in others if move.blocked]
    if blocked:
        yield TerminalText("Not now", Style.TITLE)
        yield from indent(moves(blocked))


def odds(of: Odds, words: str) -> Iterator[Line]:
    """Yield the exact odds of a roll, as percentages and fractions."""
    # Of several who roll, each has a name above their chances.
    is_one_of_several = bool(of.spread.label) and of.dice.startswith(of.spread.label)
    which = f", {of.spread.label}" if of.spread.label and not is_one_of_several else ""
    yield TerminalText(words, Style.TITLE), f" ({of.dice}){which}"
    yield from indent(note.text for note in of.reasons)
    yield from [of.spread.label] if is_one_of_several else []
    yield from indent(spread(of.spread))
    for spent in (each for each in of.spends if is_one_of_several or each.chances != of.spread.chances):
        yield spent.label
        yield from indent(spread(spent))
    if of.forecast:
        yield from (note.text for note in of.forecast)


def chain(of: ChainOdds, names: PlaceNames) -> Iterator[Line]:
    """Yield what acts in a row come to: the outcomes of each, what may be impossible, and what may be different at the end."""
    for words, outcomes in of.rolls:
        yield TerminalText(words, Style.TITLE)
        yield from indent(spread(Spread("", outcomes)))
    for words, why, chance in of.impossible:
        yield TerminalText(words, Style.TITLE), f": can't be done in {percent(chance)} of cases, because {why}"
    if of.values or of.marks:
        yield TerminalText("Afterwards", Style.TITLE)
        yield from indent(
            columns(
                [
                    (
                        place,
                        (f"unchanged ({before})" if value == before else f"{before} → {value}") if before else value,
                        percent(chance),
                        TerminalText(str(chance), Style.DIM),
                    )
                    for place, before, chances in chain_values(of, names, LISTED_VALUES)
                    for value, chance in chances
                ]
            )
        )
    if of.cut:
        yield cut_sentence(of.cut)


def differences(changes: Sequence[Change], names: PlaceNames) -> Iterator[Line]:
    """Yield what is different, one value a line."""
    yield from (f"{name_place(one.path, names)}: {change_text(one, LISTED_VALUES)}" for one in changes)
    if not changes:
        yield "Nothing is different"


_MOST_DIFFERENCES = 20


def replay(of: Replay, names: PlaceNames) -> Iterator[Line]:
    """Yield what comes out differently when a log is played again, and what is different at the end."""
    count = "1 entry" if of.entries == 1 else f"{of.entries} entries"
    if not of.differences:
        yield f"{count} replayed with the same dice. The results are the same"
    else:
        yield f"{count} replayed with the same dice. Different results: {len(of.differences)}"
    for each in of.differences[:_MOST_DIFFERENCES]:
        entry = each.entry
        yield TerminalText(f"{entry.number:>4}  ", Style.DIM), TerminalText(entry.heading, Style.TITLE)
        if each.refused:
            yield f"      impossible: {each.refused}"
            continue
        if (outcome := each.logged_outcome) != each.outcome:
            yield f"      {outcome or 'no outcome'} → {each.outcome or 'no outcome'}"
        before = {change.path: change.after for change in entry.changes}
        after = {change.path: change.after for change in each.changes}
        for path in dict.fromkeys((*before, *after)):
            if before.get(path) != after.get(path):
                then = value_text(after[path], LISTED_VALUES) if path in after else "unchanged"
                was = value_text(before[path], LISTED_VALUES) if path in before else "unchanged"
                yield f"      {name_place(path, names)}: {was} → {then}"
    if len(of.differences) > _MOST_DIFFERENCES:
        yield f"      … and {len(of.differences) - _MOST_DIFFERENCES} more"
    if of.values:
        yield TerminalText("Afterwards", Style.TITLE)
        yield from indent(differences(of.values, names))


_MOST_NUMBERS = 24
"""The most lines for the chances of numbers."""


def _tenths(chance: Ratio) -> str:
    """Return a chance with one decimal place; a small one isn't 0, and a large one isn't certain."""
    shown = percent(chance)
    return shown if shown[0] in "<>" else f"{float(chance * 100):.1f} %"


def spread(of: Spread) -> Iterator[Line]:
    """Return one line for each outcome, worst first. Of many numbers, neighbours share a line."""
    return columns(
        [
            (
                TerminalText(one.label, _MOODS[one.mood]),
                f"{_tenths(one.chance):>7}",
                TerminalText(str(one.chance), Style.DIM),
            )
            for one in list_chances(of.chances, _MOST_NUMBERS)
        ]
    )


def state(snapshot: Snapshot, recaps: Mapping[int, FilePath]) -> Iterator[Line]:
    """Yield the ship, the crew, the clocks, the decks and tables, the timers, and the sessions."""
    from waylog.store.shown.countdowns import describe_left

    logged = {0: "nothing in the log yet", 1: "1 entry in the log"}.get(
        snapshot.entries, f"{snapshot.entries} entries in the log"
    )
    if copied := moment_text(snapshot):
        yield TerminalText(copied, Style.DIM)
    yield TerminalText(snapshot.name or "Unnamed", Style.TITLE), f": {snapshot.system_name}, {logged}"
    for panel in snapshot.panels:
        yield ""
        tags = (
            TerminalText(f" [{tag.text}{f': {tag.why}' if tag.why else ''}]", _TONES[tag.tone]) for tag in panel.tags
        )
        yield TerminalText(panel.title, Style.TITLE), *tags
        yield from indent(columns([_row(row) for row in panel.rows]))
    tables, situations, timers = snapshot.tables.items(), snapshot.situations.items(), snapshot.countdowns
    # By text: somebody may have written `[sessions.one]`.
    links = {str(number): file_address(path) for number, path in recaps.items()}
    yield from _section("Clocks", [_clock(key, clock) for key, clock in with_readers(snapshot).items()])
    yield from _section("Decks", [_deck(key, deck) for key, deck in snapshot.decks.items()])
    yield from _section(
        "Tables", [(key, one.dice, "visible" if one.seen else "hidden", one.name) for key, one in tables]
    )
    yield from _section("Scene cards", [_scene_card(key, card, snapshot.prep) for key, card in snapshot.cards.items()])
    yield from _section(
        "Situations",
        [
            (
                key,
                one.name,
                does(one),
                " ".join(filter(None, ("" if one.seen else "hidden", "over" if one.over else ""))),
            )
            for key, one in situations
        ],
    )
    yield from _section(
        "Timers", [(one.name, describe_left(one, time()), "" if one.seen else "hidden") for one in timers]
    )
    yield from _section(
        "Sessions",
        [
            (
                TerminalText(key, link=links[key]) if key in links else key,
                one.began,
                f"to {one.ended}" if one.ended else "in progress",
                one.title,
                one.present,
            )
            for key, one in snapshot.sessions.items()
        ],
    )
    if snapshot.question:
        yield ""
        yield from follow_up_lines(snapshot)


def _section(title: str, rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """Yield a heading with rows in columns; nothing without rows."""
    if rows:
        yield ""
        yield TerminalText(title, Style.TITLE)
        yield from indent(columns(rows))


def _row(row: Row) -> tuple[str, str, str]:
    note = " · ".join(filter(None, (row.note, row.about)))
    match row:
        case DiceRow(_, label, count):
            return label, "1 die" if count == 1 else f"{count} dice", note
        case PipsRow(_, label, value, top):
            return label, f"{value}/{top}", note
        case MarkRow(_, label, is_held, word):
            return label, f"{'●' if is_held or word == FULL else '○'} {word}", note
        case TextRow(_, label, text, _):
            return label, text, ""
        case FacesRow(_, label, dice):
            return label, dice_text(dice), note
        case ClockRow(_, label, clock):
            return label, f"{clock.filled}/{clock.segments}", ""


def _clock(key: str, clock: Clock) -> tuple[str, ...]:
    filled = max(0, min(clock.filled, clock.segments))
    drawn = "■" * filled + "□" * (clock.segments - filled)
    hidden = only_for(clock.seen_by) if clock.seen and clock.seen_by else "" if clock.seen else "hidden"
    words = [clock.kind.value, *filter(None, [hidden]), *(["closed"] if clock.closed else [])]
    bar = TerminalText(drawn, Style.BAD if clock.full else Style.DIM if clock.closed else Style.PLAIN)
    return key, bar, f"{clock.filled}/{clock.segments}", ", ".join(words), clock.name, clock.outcome


def _scene_card(key: str, card: SceneCard, progress: Progress) -> tuple[str, ...]:
    """Return a scene card with what has become of it."""
    known = progress.get(key, CardProgress())
    left = len(untold(card, known))
    secrets = f"{left} {'secret' if left == 1 else 'secrets'} to tell" if left else ""
    return key, card.title, "opened" if known.opened else "", secrets


def _deck(key: str, deck: Deck) -> tuple[str, ...]:
    """Return the cards of a deck's pile by kind, and the cards that are out."""
    kinds = ", ".join(f"{count} {luck.value}" for luck, count in balance(deck).items() if count)
    ways = [*(["draw two"] if deck.draw > 1 else []), deck.known.value]
    lists = {where: [card for card in deck.cards if deck.where(card) is where] for where in Where}
    piles = "; ".join(
        f"{where.value}: {', '.join(deck.cards[card].text for card in cards)}"
        for where, cards in lists.items()
        if cards and where is not Where.PILE
    )
    owing = f"; {missing} owed" if (missing := owed_words(deck)) else ""
    return key, f"{len(deck.pile)}/{len(deck.cards)}", (kinds or "empty") + owing, " ".join(ways), deck.name, piles


def entries(of: Sequence[tuple[LogEntry, bool]], names: PlaceNames) -> Iterator[Line]:
    """Yield log entries, oldest first. Those that were undone say so."""
    if not of:
        yield "Nothing has been played yet"
    for entry, taken_back in of:
        suffix = (f" · by {entry.by}" if entry.by else "") + (
            f" ({'redone' if entry.is_undo else 'undone'})" if taken_back else ""
        )
        words = TerminalText(_headline(entry), Style.DIM if taken_back else Style.TITLE)
        yield (
            TerminalText(f"{entry.number:>4}  {entry.at:%Y-%m-%d %H:%M}", Style.DIM),
            "  ",
            words,
            TerminalText(suffix, Style.DIM),
        )
        yield from indent(_logged_lines(entry, names), 6)


def columns(rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """Align cells in columns. A cell that is too long is left as it is."""
    widths = [min(32, max(map(len, cells))) for cells in zip(*rows, strict=True)]
    for row in rows:
        parts = list[str]()
        for cell, width in zip(row, widths, strict=True):
            parts += [cell, " " * (max(0, width - len(cell)) + _SHORTEST_GAP)]
        while parts and not parts[-1].strip():
            parts.pop()
        yield tuple(parts)


def indent(lines: Iterable[Line], by: int = len(_STEP)) -> Iterator[Line]:
    """Yield the lines, each moved to the right by that many spaces."""
    for line in lines:
        yield " " * by, *((line,) if isinstance(line, str) else line)
