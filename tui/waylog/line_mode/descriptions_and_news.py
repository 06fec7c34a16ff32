"""Describe a campaign as sentences for line mode: panels, clocks, decks, the log, moves, odds and rules; and what `help` says.

What line mode says about the campaign file and other windows: news, problems with their lines, questions by number.

What players propose, in words: `proposals`, `play 1`, `decline 1 Not yet`. Line mode and `waylog do` take the same (NM-45).

In line mode, each proposal is announced once, and may be answered by the number of a choice as well.

What line mode says about timers: the time left of each, and once when a timer has run out (NM-47).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from time import time
from typing import TYPE_CHECKING

from waylog.line_mode.loop import GOES_ON, PAUSED
from waylog.line_mode.numbered_choices_and_dictation import NumberedChoice, Reply, fail, read_number, tell
from waylog.rules.codec.changes import Path, parse_path, quote
from waylog.rules.common.scene_cards import card_words, current, texts, untold
from waylog.rules.language.completion_and_what_is_wrong import label_beside_usage, usage
from waylog.rules.model.clocks_situations_and_timers import does
from waylog.rules.model.decks import balance
from waylog.rules.model.moves import ActRefused, Move
from waylog.rules.model.panels import Panel, Rank, Tone
from waylog.rules.model.rules_reference import Reference
from waylog.rules.model.state import CardProgress
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import NOTHING_PLAYED, latest_acts
from waylog.store.log.search_and_filters import ActKind, LogQuery, find_act
from waylog.store.players.pause_and_presence import Attendance, is_paused, mark_shown
from waylog.store.players.proposals import Proposal
from waylog.store.shown.countdowns import Countdown, describe_left
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.values import dataclass, replace
from waylog.words.sentences import (
    PlaceNames,
    act_in_a_line,
    act_sentences,
    change_sentence,
    changes_at,
    clock_sentence,
    describe_for,
    moment_text,
    name_place,
    names_of,
    panel_sentences,
    sentence,
    sight_of,
    with_readers,
)

if TYPE_CHECKING:
    from waylog.what_if import WhatIf


NAMELESS = "Unnamed campaign"
HELP = (
    "Type any action in words, for example “roll nav”, “damage ship 2” or “note the fog comes in”.",
    "To use your own dice, type them after the roll: “roll nav 355”.",
    "To choose from a list, type the number. To leave a question, type “cancel”. To repeat the last answer, type “again”.",
    "To list what you can do, type “moves”. For a numbered list of rolls, type “moves roll”.",
    "For the state of the game, type “status”, “ship”, “crew”, “clocks”, “timers”, “tables” or “prep”. For one person, type “crew” and the name.",
    "For the exact odds of a roll, type “odds” and the roll. To repeat the open question, type “question”.",
    "To show players what is at stake in a roll, type “stakes” and the roll. To call for a roll, type “call all”, or “call” and the names.",
    "To see what changed a value, type “why” and its name, for example “why ship.focus”. For the rules behind the last answer, type “why”.",
    "To look up a rule, type “rule” and a word. To read the rules behind the last answer in full, type “rule”.",
    "For the latest actions, type “log”. For more of them, type “log 20”.",
    "To undo the latest action, type “undo”. For an earlier one, type “undo” and its number in the log, for example “undo 12”. To redo what you undid, type “redo”. To undo the whole scene, type “rewind”.",
    "To try something out, type “what if”. To go back, type “what if end”. To carry out everything that you tried, type “make it so”.",
    "To see the state of the game at another time, type “earlier” or “later”, or type “at” and the number of a log entry, for example “at 12”. To go scene by scene, type “earlier scene” or “later scene”. To come back, type “now”.",
    "To start or end a session, type “session”. For its summary, type “recap”.",
    "To add a module, a tool, a deck or a table that comes with Waylog, type “kit”.",
    "To list the players' proposals, type “proposals”. To accept the first, type “play 1”. To turn it down, type “decline 1” and the reason.",
    "To see how long the scenes took and how much each person did, type “pace”. To see how lucky the dice were, type “luck”. To ask for a pause on every screen, type “pause”. To end it, type “pause end”.",
    "To leave, type “quit”. Everything is saved as you play.",
)
"""The lines that `help` prints for the wayfinder."""
HOW_TO_PAUSE = "To ask for a pause, type “pause”. Nobody sees who asked."
PLAYERS_HELP = (
    "Type what you want to do, for example “roll odile” or “note I lock the door”. The wayfinder plays it or declines it.",
    "To list what you can propose, type “moves”. For the exact odds of a roll, type “odds” and the roll.",
    "To answer a question, type a number. To repeat it, type “question”.",
    "For the state of the game, type “ship”, “crew” (alone or with a name), “clocks”, “timers”, “cards” or “log”.",
    "To list the proposals that are waiting for the wayfinder, type “waiting”. To take back the last one, type “take back”.",
    "To write a private note, type “private” and the text. To list your private notes, type “notes”.",
    "To see what happened while you were away, type “missed”.",
    HOW_TO_PAUSE,
    "To repeat the last answer, type “again”. To leave, type “quit”.",
)
"""The lines that `help` prints for a player."""
_USUAL_LOG = 5
_MOST_LISTED = 40
_MOST_DIFFERENT = 12


# -- the state ---------------------------------------------------------------------------------------------------------


def status(snapshot: Snapshot) -> Iterator[str]:
    """Yield the state of the campaign: the session, the ship and the crew with their vital rows, and the running clocks."""
    if copied := moment_text(snapshot):
        yield sentence(copied)
    now = "no session in progress"
    if snapshot.session:
        session = snapshot.sessions[str(snapshot.session)]
        title = f", {session.title}" if session.title else ""
        now = f"session {snapshot.session}{title}, since {session.began}"
    yield sentence(f"{snapshot.name or NAMELESS}: {snapshot.system_name}, {now}")
    for panel in snapshot.panels:
        if panel.tags or any(row.rank is Rank.VITAL for row in panel.rows):
            yield " ".join(panel_sentences(panel, vital=True))
    yield from clocks(snapshot, running=True)


def place(snapshot: Snapshot, where: str, wanted: str) -> Reply:
    """Return the panels of the ship or of the crew. With `wanted`, return only those with this text in their titles."""
    panels = [panel for panel in snapshot.panels if (panel.place == "crew") is (where == "crew")]
    if wanted:
        panels = [panel for panel in panels if wanted.casefold() in panel.title.casefold()]
    lines = [line for panel in panels for line in panel_sentences(panel)]
    return (
        tell(*lines) if lines else fail(f"No name contains “{wanted}”." if wanted else "There is nothing to show yet.")
    )


def clocks(snapshot: Snapshot, *, running: bool = False) -> Iterator[str]:
    """Yield a sentence about each clock. With `running`, leave out clocks that can't move any more."""
    there = [clock for clock in with_readers(snapshot).values() if not (running and (clock.closed or clock.full))]
    yield from map(clock_sentence, there)
    if not there and not running:
        yield "There are no clocks."


def tables(snapshot: Snapshot) -> Iterator[str]:
    """Yield the decks, the random tables and the situations."""
    for deck in snapshot.decks.values():
        kinds = ", ".join(f"{count} {luck.value}" for luck, count in balance(deck).items() if count)
        yield sentence(
            f"Deck “{deck.name}”: {len(deck.pile)} of {len(deck.cards)} cards in the pile"
            + (f", {kinds}" if kinds else "")
        )
    for key, table in snapshot.tables.items():
        yield sentence(f"Table “{table.name or key}”: {table.dice}. To roll on it, type “table {key}”")
    for situation in snapshot.situations.values():
        state = "over" if situation.over else does(situation)
        yield sentence(f"Situation “{situation.name}”: {state}")
    if not (snapshot.decks or snapshot.tables or snapshot.situations):
        yield "There are no decks, tables or situations."


def scene_cards(snapshot: Snapshot) -> Iterator[str]:
    """Yield the scene cards: the current one with all that is on it, the others by their titles."""
    words = {key: word for word, key in card_words(snapshot.cards).items()}
    now = current(snapshot.cards, snapshot.prep)
    for key, card in snapshot.cards.items():
        known = snapshot.prep.get(key, CardProgress())
        state = "this scene" if key == now else "opened" if known.opened else f"to open it, type “open {words[key]}”"
        yield sentence(f"Scene {quote(card.title)}: {state}")
        if key == now:
            yield from (sentence(text) for _, text in texts(card) if text and text != card.title)
            left = len(untold(card, known))
            yield sentence(
                f"Secrets still to be told: {left} of {len(card.secrets)}. To tell one, type “reveal {words[key]}”"
                if left
                else "All the secrets have been told"
            )
    if not snapshot.cards:
        yield "There are no scene cards."


def danger(panels: Iterable[Panel]) -> Iterator[str]:
    """Yield the states that every view shows, such as a person who is down or a ship that is wrecked."""
    for panel in panels:
        if bad := [tag.text for tag in panel.tags if tag.tone is Tone.BAD]:
            yield sentence(f"{panel.title}: {', '.join(bad)}")


# -- the log -----------------------------------------------------------------------------------------------------------


def log(table: Table, wanted: str) -> Reply:
    """Return the latest acts, oldest first, each on a line with its number. Those of a scene that was rewound are listed only if
    `wanted` begins with `rewound` (NM-43).
    """
    word, _, rest = wanted.strip(".").casefold().partition(" ")
    rewound = word == "rewound"
    typed = rest.strip() if rewound else wanted.strip(".").casefold()
    count = read_number(typed) if typed else _USUAL_LOG
    if count is None:
        return fail(
            "Type “log” and how many actions to list, for example “log 10”. For rewound actions, type “log rewound”."
        )
    snapshot = table.snapshot
    sight = sight_of(snapshot)
    acts = latest_acts(table.entry, snapshot.entries)
    if rewound:
        search, query = table.log_search(), LogQuery(kind=ActKind.REWOUND)
        acts = filter(None, (find_act(query, search.acts, number) for number in search.find(query)))
    lines = [act_in_a_line(act, sight) for act in islice(acts, count)]
    nothing = "Nothing has been rewound." if rewound else NOTHING_PLAYED
    return tell(*reversed(lines) if lines else (nothing,))


def moment(copy: WhatIf) -> Iterator[str]:
    """Yield the earlier moment that a copy shows: the act that it ends with, and what is different now."""
    snapshot, real = copy.snapshot, copy.real
    when = f"after entry {snapshot.as_of}" if snapshot.as_of else "before the first entry"
    yield sentence(f"{moment_text(snapshot)}, {when}")
    if snapshot.entries:
        yield act_in_a_line(next(latest_acts(copy.entry, snapshot.entries)), sight_of(snapshot))
    changes = real.changes_between(snapshot.entries, real.snapshot.entries)
    names = {**names_of(snapshot), **names_of(real.snapshot)}
    if not changes:
        yield "Nothing has changed since then."
        return
    yield "Changes since then:"
    yield from (change_sentence(change, names) for change in changes[:_MOST_DIFFERENT])
    if len(changes) > _MOST_DIFFERENT:
        yield f"And {len(changes) - _MOST_DIFFERENT} more."


def why(table: Table, wanted: str) -> Reply:
    """Return the acts that changed a value, newest first. `wanted` is its name on screen or its key in the file."""
    names = names_of(table.snapshot)
    found = _find_values(names, wanted)
    if len(found) > 1:
        choices = [
            NumberedChoice(name_place(parse_path(key), names), partial(_why, table, parse_path(key), names))
            for key in found
        ]
        return Reply((f"Which one? {len(found)} names contain “{wanted}”.",), choices[:_MOST_LISTED])
    if not found:
        return fail(
            f"There is no value “{wanted}”. For the names that you can use, type “ship”, “crew” or “clocks”. You can also use a key from the file, for example “ship.focus”."
        )
    return _why(table, parse_path(found[0]), names)


def _find_values(names: PlaceNames, wanted: str) -> Sequence[str]:
    """Return the keys of the values that have every word in their names, or those with that key or an end of it."""
    if wanted in names or ("." in wanted and " " not in wanted):
        ends = [key for key in names if key.endswith(f".{wanted}")]
        return ends if ends and wanted not in names else [wanted]
    words = wanted.casefold().split()
    full = {key: f"{name_place(parse_path(key), names)} {key}".casefold() for key in names}
    found = [key for key, name in full.items() if all(word in name for word in words)]
    exact = [key for key in found if names[key].casefold() == wanted.casefold()]
    return exact if len(exact) == 1 else found


def _why(table: Table, path: Path, names: PlaceNames) -> Reply:
    entries = table.why(path)
    if not entries:
        return tell(sentence(f"No log entry has changed {name_place(path, names)}"))
    lines, sight = [], sight_of(table.snapshot)
    for entry in entries:
        changed = " ".join(change_sentence(change, names) for change in changes_at(path, entry))
        lines.append(
            f"{entry.number}, {entry.at:%d %b %H:%M}: {sentence(describe_for(sight, (entry,)).sentence)} {changed}"
        )
    return tell(*lines)


# -- moves and rules ---------------------------------------------------------------------------------------------------


def luck(table: Table) -> Reply:
    """Describe what the dice came to against what was to be expected."""
    from waylog.store.shown.luck_and_fairness import luck_sentences

    return tell(*luck_sentences(table.luck()))


def pace(table: Table) -> Reply:
    """Describe how long the scenes took, and who acted how much."""
    from waylog.store.shown.recap import NONE_YET
    from waylog.words.sentences import pace_sentences

    found = table.pace()
    return tell(*pace_sentences(found)) if found else tell(sentence(NONE_YET))


def moves(snapshot: Snapshot, wanted: str, choose: Callable[[Move], Reply], *, words: bool = False) -> Reply:
    """Return the possible moves: a sentence for each verb; with a verb, its moves by number. With `words`, each has its usage."""
    wanted = wanted.casefold().strip(".")
    if wanted:
        named = [move for move in snapshot.moves if wanted in (move.verb, move.id)] or [
            move for move in snapshot.moves if move.verb.startswith(wanted)
        ]
        if not named:
            return fail(f"Unknown command “{wanted}”. Type “moves” for a list.")
        blocked = [sentence(f"“{move.id}” isn't possible now: {move.blocked.reason}") for move in named if move.blocked]
        able = [move for move in named if not move.blocked]
        choices = [
            NumberedChoice(
                f"{usage(move)}: {label_beside_usage(move)}" if words else f"{move.id}: {move.label}",
                partial(choose, move),
            )
            for move in able
        ]
        return Reply(blocked, choices)
    able = [move for move in snapshot.moves if not move.blocked]
    lines = [
        _verb_sentence(verb, [move for move in able if move.verb == verb])
        for verb in dict.fromkeys(move.verb for move in able)
    ]
    return tell(*lines, "For a numbered list of choices, type “moves” followed by one of these words.")


def _verb_sentence(verb: str, of: Sequence[Move]) -> str:
    named = [move.name or " ".join(move.words) or move.label for move in of]
    move = of[0]
    if len(of) == 1 and f"{move.label.casefold()} ".startswith(f"{verb} "):
        return sentence(move.label)  # It begins with the word to type.
    if len(of) == 1:
        return sentence(f"{verb}{f' {named[0]}' if move.words else ''}: {move.label}")
    more = f" and {len(named) - _MOST_LISTED} more" if len(named) > _MOST_LISTED else ""
    return sentence(f"{verb}: {', '.join(named[:_MOST_LISTED])}{more}")


def rule(reference: Reference, wanted: str, latest: Sequence[str]) -> Reply:
    """Return a rule, or the rules that match, by number. Without `wanted`, return the rules of the last answer, `latest`."""
    wanted = wanted.strip(".?!")
    found = [id_ for id_ in latest if id_ in reference.clauses]
    if wanted:
        exact = reference.find(wanted)
        found = [exact] if exact else [*(reference.about(wanted) or reference.search(wanted))]
    if not found:
        return fail(f"No rule mentions “{wanted}”." if wanted else "Type “rule” and a word, for example “rule damage”.")
    if len(found) == 1:
        return tell(*rule_sentences(reference, found[0]))
    choices = [NumberedChoice(reference.clauses[id_].title, partial(rule, reference, id_, ())) for id_ in found]
    return Reply((f"Which rule? {len(found)} rules match.",), choices[:_MOST_LISTED])


def rule_sentences(reference: Reference, id_: str) -> Iterator[str]:
    """Yield a rule: its title, its text, and the house rules and the ruling of the campaign."""
    clause = reference.clauses[id_]
    yield sentence(f"{clause.title} ({id_})")
    yield sentence(clause.text)
    if other := reference.replacement_of(id_):
        yield sentence(reference.describe_replacement(other))
    for house_rule in reference.house_rules_of(id_):
        yield sentence(f"House rule: {house_rule.about}")
        yield sentence(f"In this campaign: {house_rule.value}".replace("-", " "))
    if ruling := reference.rulings.get(id_):
        yield sentence(f"Your ruling: {ruling}")
    if see := reference.see_also(id_):
        yield sentence(f"See also: {', '.join(reference.clauses[other].title for other in see)}")


Do = Callable[[Callable[[], LogEntry | None]], Reply]
"""Makes the table do something, and returns the result in words."""
_MOST = 3


class FileNews:
    """Reports news of the log and problems of the file, each once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._entries = 0
        self._problems: Sequence[str] = ()
        self.paused = False
        """Whether a pause has been reported."""

    def skip_to(self, entries: int) -> None:
        """Report none of the entries up to that one."""
        self._entries = entries

    def take_pause(self) -> Iterator[str]:
        """Yield a sentence when a pause begins or ends."""
        if is_paused(self._table.players_folder) is not self.paused:
            self.paused = not self.paused
            yield PAUSED if self.paused else GOES_ON
        if self.paused and not self._table.read_only:
            mark_shown(self._table.players_folder)

    def take_news(self, until: int | None = None) -> list[str]:
        """Return a sentence about the acts of others and one about edits, and new problems. `until` is an entry of this window."""
        last = self._table.snapshot.entries
        end = last + 1 if until is None else until
        entries = [*self._read(range(self._entries + 1, end))]
        self._entries = last
        edits = [entry for entry in entries if entry.kind.is_edit]
        acts = [entry for entry in entries if not entry.kind.is_edit]
        lines = [*([self._describe_acts(acts)] if acts else ()), *([self._describe_edits(edits)] if edits else ())]
        return lines if until is not None else [*lines, *self.problems()]

    def _read(self, numbers: range) -> Iterator[LogEntry]:
        for number in numbers:
            try:
                yield self._table.entry(number)
            except (KeyError, UnreadableFile, OSError):
                continue  # Damage is reported elsewhere.

    def _describe_acts(self, entries: Sequence[LogEntry]) -> str:
        snapshot = self._table.snapshot
        if len(entries) == 1:
            # The sentence of a proposal names the player.
            where = "" if entries[0].by else "Another window: "
            return f"{where}{' '.join(act_sentences(entries, sight_of(snapshot), names_of(snapshot)))}"
        named = ", ".join(f"“{entry.heading}”" for entry in entries[-_MOST:])
        more = f". The last {_MOST} are {named}" if len(entries) > _MOST else f": {named}"
        return sentence(f"{len(entries)} actions from another window{more}")

    def _describe_edits(self, entries: Sequence[LogEntry]) -> str:
        names = names_of(self._table.snapshot)
        changes = [
            change_sentence(change, names).removesuffix(".")
            for entry in entries
            for change in entry.changes
            if change.before != change.after
        ]
        more = f" and {len(changes) - _MOST} more" if len(changes) > _MOST else ""
        return (
            sentence(f"campaign.toml was edited: {'; '.join(changes[:_MOST])}{more}")
            if changes
            else "campaign.toml was edited."
        )

    def problems(self) -> Iterator[str]:
        """Yield the problems of the file that have not been reported yet, each with its line."""
        snapshot = self._table.snapshot
        found = [
            sentence(f"{each.file}, line {each.line}: {each.message}")
            for each in snapshot.problems
            if not each.unfinished
        ]
        new = [each for each in found if each not in self._problems]
        if self._problems and not found:
            yield "The file no longer has any problems."
        self._problems = found
        yield from new
        if new and snapshot.broken:
            yield "Waylog continues from the last good version, and leaves the file alone until you fix it."

    # -- questions ----------------------------------------------------------------------------------------------

    def question_reply(self, do: Do, discard: Callable[[], Reply]) -> Reply | None:
        """Return the question about an act that could not be saved, or about the file; None if there is none."""
        table, snapshot = self._table, self._table.snapshot
        if snapshot.held:
            choices = [NumberedChoice("Try again", lambda: do(table.retry_save)), NumberedChoice("Discard it", discard)]
            return Reply((f"“{snapshot.held.heading}” could not be saved, so it has not happened.",), choices)
        if asked := snapshot.asked:

            def answer(does: str, *, keep: bool) -> Reply:
                reply = do(lambda: table.answer_file(keep=keep))
                return reply if reply.lines else replace(reply, lines=(sentence(f"{does}: done"),))

            choices = [
                NumberedChoice(asked.keep, lambda: answer(asked.keep, keep=True)),
                NumberedChoice(asked.update, lambda: answer(asked.update, keep=False)),
            ]
            return Reply((sentence(asked.about),), choices)
        return None


NOTHING = "no proposals are waiting"
_DECLINED = "no reason given"
_ANSWER = r"(play|decline) +([0-9]{1,3})(?!\S)(.*)"


@dataclass(frozen=True, slots=True)
class ProposalAnswer:
    """An answer of the wayfinder to a player's proposal. `number` is the proposal's place in the list, from 1."""

    number: int
    plays: bool
    why: str = ""
    """Why it is declined; may be empty."""


def parse_answer(line: str) -> ProposalAnswer | None:
    """Return the answer that a line gives to a proposal; None for any other line, such as `play med-bay` or `decline`."""
    found = re.fullmatch(_ANSWER, " ".join(line.split()), re.IGNORECASE)
    if found is None:
        return None
    plays, why = found[1].lower() == "play", found[3].strip()
    quoted = len(why) > 1 and why[0] in '"“' and why[-1] in '"”'
    return None if plays and why else ProposalAnswer(int(found[2]), plays, why[1:-1] if quoted else why)


def answer_proposal(table: Table, ids: Sequence[str], answer: ProposalAnswer) -> LogEntry | None:
    """Play or decline one of these proposals. Return the entry of one that was played. Raises `ActRefused`."""
    if not ids:
        raise ActRefused(NOTHING, "NM-45")
    if not 0 < answer.number <= len(ids):
        raise ActRefused(f"there is no proposal {answer.number}: the last one is {len(ids)}", "NM-45")
    proposal = ids[answer.number - 1]
    if answer.plays:
        return table.accept(proposal)
    table.decline(proposal, answer.why or _DECLINED)
    return None


def describe_proposal(proposal: Proposal) -> str:
    """Return who proposes what, and why it can't be played now."""
    why = f" (not now: {proposal.why.reason})" if proposal.why else ""
    return f"{proposal.summary}{why}"


class ProposalNews:
    """Announces proposals, each once. While it is in use, players' windows know that somebody sees what they propose."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._attendance = Attendance(table.players_folder)
        self._ids = frozenset[str]()
        self._listed: Sequence[str] = ()
        """The ids of the proposals by their numbers, as they were told last. So a number never comes to mean another one."""

    def take_news(self) -> Iterator[str]:
        """Yield each proposal that is new."""
        if not self._table.read_only:
            before = self._attendance.trouble
            self._attendance.hold(self._table.snapshot.players)
            if (trouble := self._attendance.trouble) and trouble != before:
                yield sentence(trouble)
        waiting = {each.id: each for each in self._table.snapshot.proposals}
        new = [id_ for id_ in waiting if id_ not in self._ids]
        yield from (sentence(describe_proposal(waiting[id_])) for id_ in new)
        if new:
            yield "To play or decline them, type “proposals”."
        self._listed = [*(self._listed if waiting.keys() & {*self._listed} else ()), *new]
        self._ids = frozenset(waiting)

    def end(self) -> None:
        """End the presence of this program, so that players' windows say that nobody sees proposals."""
        self._attendance.end()

    def reply(self, do: Do) -> Reply:
        """List the proposals, each to play if that is possible now, and to decline."""
        waiting, choices = self._table.snapshot.proposals, list[NumberedChoice]()
        self._listed = [each.id for each in waiting]
        for number, each in enumerate(waiting, 1):
            described, answers = describe_proposal(each), []
            if each.act is not None:
                answers.append(ProposalAnswer(number, plays=True))
            for answer in (*answers, ProposalAnswer(number, plays=False)):
                word = "Play" if answer.plays else "Decline"
                choose = partial(self.answer, answer, do)
                choices.append(NumberedChoice(f"{word} {number}: {described}", choose))
        return Reply(() if choices else (sentence(NOTHING),), choices)

    def answer(self, answer: ProposalAnswer, do: Do) -> Reply:
        """Play or decline the proposal that was told under a number."""
        reply = do(partial(answer_proposal, self._table, self._listed, answer))
        if answer.plays or reply.code:
            return reply
        return replace(reply, lines=[f"Proposal {answer.number} declined.", *reply.lines])


class TimerNews:
    """Describes timers, and reports each that has run out once."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._reported: Sequence[Countdown] = ()

    def take_news(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield each timer that has run out, once."""
        now = self._clock()
        ended = [one for one in timers if one.ends <= now]
        new, self._reported = [one for one in ended if one not in self._reported], ended
        yield from (f"The timer “{one.name}” has run out." for one in new)

    def describe_running(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each running timer, as part of a longer description."""
        now = self._clock()
        yield from (f"The timer “{one.name}”: {describe_left(one, now)}." for one in timers if one.ends > now)

    def describe(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each timer."""
        now = self._clock()
        yield from (sentence(f"{one.name}: {describe_left(one, now)}") for one in timers)
        if not timers:
            yield "There are no timers."
