"""What the window offers to choose from, and how acts and states are named there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from waylog.campaign.conflicts import Conflict
from waylog.campaign.log import Entry
from waylog.rules.moves import Move, PickMany, Refusal, Refused
from waylog.rules.panels import Tone
from waylog.rules.turns import Result
from waylog.rules.words import Act
from waylog.snapshot import Resting, Snapshot
from waylog.widgets.choices import Choice, Command
from waylog.widgets.prompt import Asked
from waylog.widgets.reading import refusal_of

TABS = ("ship", "crew", "log", "clocks")
"""The screens, in the order of their keys."""
TITLES: Mapping[str, str] = {"roll": "Roll", "": "Do", "note": "Note", "clock": "New clock"}
COMMANDS = (
    *(Choice(Command(f"look('{tab}')"), f"Look at the {tab}", f"{n}") for n, tab in enumerate(TABS, 1)),
    Choice(Command("ask_undo"), "Take back the latest act", "u"),
    Choice(Command("ask_redo"), "Put back what was taken back", "U"),
    Choice(Command("why"), "Why is this row what it is?", "w"),
    Choice(Command("keys"), "Show the keys", "?"),
    Choice(Command("app.next_theme"), "Another theme", "T"),
    Choice(Command("app.leave"), "Quit", "q"),
)


HELD = (
    Choice(Command("app.write_held"), "Write the act that could not be written", "W"),
    Choice(Command("app.drop_held"), "Let go of the act that could not be written", "D"),
)
CONFLICT = (
    Choice(Command("app.keep_file"), "The value in the file is right", "F"),
    Choice(Command("app.take_played"), "What play had made of it is right", "P"),
)


NO_CONFLICT = "no value was changed both by hand and in play"
NOT_HELD = "no act is waiting to be written"
LOOKING_ON = Refusal("looking on only; open the campaign without --read-only to act")


def looking_on(snapshot: Snapshot) -> Snapshot:
    """The same moment with every move refused, as a window that only looks on shows it."""
    return replace(snapshot, moves=tuple(replace(move, blocked=LOOKING_ON) for move in snapshot.moves))


def choice(move: Move) -> Choice:
    """A move to choose from a list; one that can't be done now says why."""
    return Choice(move, move.label, move.id, refused=refusal_of(move.blocked))


def begun(move: Move) -> Asked:
    """The line that a move begins with: its words, and as a suggestion the options that its label names first."""
    suggested = move.label.split(";")[0].split()
    options = [
        (ask, {option.label: option.word for option in ask.options}) for ask in move.asks if isinstance(ask, PickMany)
    ]
    picked = [[words[said] for said in suggested if said in words][: ask.most] for ask, words in options]
    return Asked(move.label, "", f"{move.id} ", suggested=" ".join(word for words in picked for word in words))


def concerns(name: str, key: str) -> bool:
    """What a move says it is about is that row, or a part of it, or what it is a part of."""
    return name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.")


def marks(snapshot: Snapshot) -> tuple[str, ...]:
    """States of the ship that no screen may hide."""
    return tuple(
        tag.text for panel in snapshot.panels for tag in panel.tags if tag.tone is Tone.BAD and panel.place == "ship"
    )


def named(entries: tuple[Entry, ...]) -> str:
    """`“roll nav” (Fiasco) with its 2 follow-ups`"""
    roots = [entry for entry in entries if entry.root == entry.number] or list(entries[:1])
    results = [fact.label for entry in entries for fact in entry.facts if isinstance(fact, Result)]
    said = " and ".join(f"“{entry.words}”" for entry in roots) + (f" ({results[-1]})" if results else "")
    after = len(entries) - len(roots)
    return said + (f" with its {after} follow-up{'s' if after > 1 else ''}" if after else "")


_RECENT = 40
"""How many entries before a hand edit the act is looked for that it went against."""


def played_against(entries: Callable[[int], Entry], conflict: Conflict) -> Entry | None:
    """The entry that had played what a person then changed by hand."""
    for number in range(conflict.entry.number - 1, max(0, conflict.entry.number - _RECENT), -1):
        entry = entries(number)
        if any(change.path == conflict.path and change.after == conflict.played for change in entry.changes):
            return entry
    return None


def question_about(resting: Resting) -> str:
    """What is asked before an act of any age is taken back, with what later rests on it."""
    question = f"Take back {named(resting.act)}? x again, or Enter"
    if not resting.later:
        return question
    later = ", ".join(f"“{entry.words}”" for entry in resting.later[:3])
    return f"{question}. What it made was changed since, by {later}: that stays; X takes those back too"


def with_clock(moves: Sequence[Move], key: str, verb: str, by: int) -> Act:
    """What a key does with a clock: `tick`, `close`, which opens a closed one again, or `time`. Raises `Refused`."""
    by_id = {move.id: move for move in moves}
    wanted = {"tick": f"tick {key}", "time": "time passes", "close": f"close {key}"}
    move = by_id.get(wanted.get(verb, "")) or (by_id.get(f"reopen {key}") if key else None)
    if move is None:
        raise Refused("not while a roll waits for an answer" if key else "there is no clock here; c starts one")
    if move.blocked:
        raise Refused(move.blocked.reason, move.blocked.clause)
    if move.verb == "reopen" and verb == "tick":
        raise Refused("this clock is closed; x opens it again", "NM-26")
    return Act(move, {"by": by} if verb == "tick" else {})
