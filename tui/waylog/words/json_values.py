"""Values as JSON, for what commands print with `--json` and for the page of players. Their keys are a promise: they are added to, never
renamed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from waylog.rules.codec.changes import Change, format_path
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.moves import Allocate, Ask, Move, Number, PickMany, PickOne, Refusal, Text
from waylog.rules.model.odds import Odds, Spread
from waylog.rules.model.panels import FacesRow, Panel, Row
from waylog.store.log.entries_and_version_0_1 import LogEntry, fact_tree
from waylog.values import fields

if TYPE_CHECKING:
    from waylog.snapshot_and_act_preview import ActPreview, Snapshot
    from waylog.store.players.players_file import Projection, Stakes

_EMPTY: Mapping[str, Mapping[str, Any]] = {
    "rolled": {"secret": False},
    "note": {"clause": None, "secret": False},
    "result": {"mood": None, "who": ""},
}
"""Keys that the log omits when they are empty, but that programs may rely on."""


def fact(of: Fact) -> dict[str, Any]:
    """Return a fact with every key of its kind."""
    tree = fact_tree(of)
    return {**tree, **{key: tree.get(key, empty) for key, empty in _EMPTY.get(tree["kind"], {}).items()}}


def act(entry: LogEntry, asking: Snapshot | None, later: Sequence[LogEntry] = ()) -> dict[str, Any]:
    """Return an act as JSON: what it did and, in `pending`, the question that is open now, or null. An undo also lists the entries
    that it reversed, and those of later changes that stay.
    """
    taken = {"undoes": list(entry.undoes), "later": numbers_of(later)} if entry.undoes else {}
    return {"ok": True, **result_data(entry), "pending": asking and question_data(asking), **taken}


def result_data(entry: LogEntry) -> dict[str, Any]:
    """Return what an entry did: its number, its facts, and each value that it changed."""
    changes = [change_data(change) for change in entry.shown_changes if change.before != change.after]
    return {"entry": entry.number, "facts": [fact(f) for f in entry.facts], "changes": changes}


def change_data(of: Change) -> dict[str, Any]:
    """Return a value before and after."""
    return {"path": format_path(of.path), "before": of.before, "after": of.after}


def question_data(snapshot: Snapshot | ActPreview) -> dict[str, Any] | None:
    """Return the question that has to be answered first, with its answers; None if there is none."""
    if snapshot.question is None:
        return None
    answers = [move for move in snapshot.moves if move.follows]
    moves = [
        {"id": move.id, "words": move.id, "label": move.label, "blocked": refusal(move.blocked)} for move in answers
    ]
    return {"question": snapshot.question, "moves": moves}


def numbers_of(of: Sequence[LogEntry]) -> list[int]:
    """Return the numbers of entries."""
    return [entry.number for entry in of]


def refusal(of: Refusal | None) -> dict[str, Any] | None:
    """Return why something is blocked."""
    return None if of is None else {"reason": of.reason, "clause": of.clause}


def move(of: Move) -> dict[str, Any]:
    """Return a move with everything that it asks."""
    return {
        "id": of.id,
        "words": of.id,
        "label": of.label,
        "blocked": refusal(of.blocked),
        "rolls": of.rolls,
        "follows": of.follows,
        "asks": [_ask(ask) for ask in of.asks],
    }


def _ask(ask: Ask) -> dict[str, Any]:
    extra: dict[str, Any]
    match ask:
        case PickOne():
            extra = {"kind": "one", "options": _options(ask), "default": ask.default, "notation": ask.notation}
        case PickMany():
            extra = {"kind": "many", "options": _options(ask), "least": ask.least, "most": ask.most}
        case Allocate():
            extra = {"kind": "allocate", "slots": [plain_fields(slot) for slot in ask.slots], "total": ask.total}
        case Number():
            extra = {"kind": "number", "least": ask.least, "most": ask.most, "default": ask.default}
        case Text():
            extra = {"kind": "text", "required": ask.required, "word": ask.word}
    return {"name": ask.name, "label": ask.label, **extra}


def _options(ask: PickOne | PickMany) -> list[dict[str, Any]]:
    return [
        {"word": option.word, "label": option.label, "note": option.note, "blocked": refusal(option.blocked)}
        for option in ask.options
    ]


def odds(of: Odds, words: str) -> dict[str, Any]:
    """Return the exact odds of a roll."""
    return {
        "ok": True,
        "words": words,
        "dice": of.dice,
        "label": of.spread.label,
        "outcomes": outcomes(of.spread),
        "spends": [{"label": spread.label, "outcomes": outcomes(spread)} for spread in of.spends],
        "reasons": [_note(note) for note in of.reasons],
        "forecast": [_note(note) for note in of.forecast],
    }


def outcomes(spread: Spread) -> list[dict[str, Any]]:
    """Return probabilities as fractions and percentages, worst outcome first."""
    return [
        {
            "outcome": chance.outcome,
            "label": chance.label,
            "mood": chance.mood,
            "chance": str(chance.chance),
            "percent": round(float(chance.chance * 100), 4),
        }
        for chance in spread.chances
    ]


def _note(note: NoteFact) -> dict[str, Any]:
    return {"text": note.text, "clause": note.clause}


def panel(of: Panel) -> dict[str, Any]:
    """Return a panel with its rows."""
    return {
        "key": of.key,
        "place": of.place,
        "title": of.title,
        "tags": [plain_fields(tag) for tag in of.tags],
        "rows": [_row(row) for row in of.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    kind = {"kind": row.TAG}
    dice = {"dice": [plain_fields(die) for die in row.dice]} if isinstance(row, FacesRow) else {}
    return {**kind, **plain_fields(row), **dice}


def plain_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that have plain values, or several of them."""
    found = ((field.name, getattr(value, field.name)) for field in fields(value))
    return {name: list(one) if isinstance(one, tuple) else one for name, one in found}


def players_view(seen: Projection) -> dict[str, Any]:
    """Return what players see."""
    return {
        "name": seen.name,
        "system": seen.system,
        "session": seen.session or None,
        "title": seen.title,
        "panels": [panel(one) for one in seen.panels],
        "clocks": [plain_fields(clock) for clock in seen.clocks],
        "decks": [{"name": deck.name, "cards": [plain_fields(card) for card in deck.cards]} for deck in seen.decks],
        "timers": [{"name": one.name, "ends": one.ends, "seen_by": [*one.seen_by]} for one in seen.timers],
        "stakes": [stakes(one) for one in seen.stakes],
    }


def stakes(of: Stakes) -> dict[str, Any]:
    """Return what is at stake in a roll: its odds, and what each outcome would do."""
    return {
        "title": of.title,
        "odds": odds(of.odds, of.odds.act),
        "forecast": [_note(note) for note in of.forecast],
    }
