"""The values that `--json` prints. Their keys are a promise: they are added to, never renamed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from waylog.cli.results_and_crashes import CommandFailed, FileVersion
from waylog.rules.codec.changes import Change, Path, Value, format_path
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.common.scene_cards import Progress, SceneCard, untold
from waylog.rules.model.decks import Deck, balance, owed_count
from waylog.rules.model.odds import Ratio, Spread
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import CardProgress
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.toml.document import Problem, format_value
from waylog.words.json_values import (
    change_data,
    fact,
    numbers_of,
    outcomes,
    panel,
    plain_fields,
    players_view,
    question_data,
    refusal,
    result_data,
)
from waylog.words.json_values import move as move  # noqa: PLC0414 - the commands import them from here
from waylog.words.json_values import odds as odds  # noqa: PLC0414

if TYPE_CHECKING:
    from waylog.line_mode.players import PlayersChange
    from waylog.rules.chains_of_acts import ChainOdds
    from waylog.snapshot_and_act_preview import ActPreview, Snapshot, UndoPlan
    from waylog.store.file.edit_base_merge_and_renames import FileQuestion
    from waylog.store.file.open_campaign import EditConflict
    from waylog.store.kit import KitItem
    from waylog.store.players.proposals import Proposal
    from waylog.store.replay_and_misread_die import Replay
    from waylog.store.shown.luck_and_fairness import Luck, RollSum, SealReport
    from waylog.store.shown.recap import Recap


def chain(of: ChainOdds) -> dict[str, Any]:
    """Return what acts in a row come to."""
    return {
        "ok": True,
        "acts": [{"words": words, "outcomes": outcomes(Spread("", chances))} for words, chances in of.rolls],
        "impossible": [{"words": words, "reason": why, **_likely(chance)} for words, why, chance in of.impossible],
        "marks": [{"whose": whose, "mark": mark, **_likely(chance)} for whose, mark, chance in of.marks],
        "values": [
            {"path": format_path(path), "before": change.before, "after": change.after, **_likely(chance)}
            for path, changes in of.values
            for change, chance in changes
        ],
    }


def differences(changes: Sequence[Change]) -> dict[str, Any]:
    """Return what is different between two moments."""
    return {"ok": True, "changes": [change_data(change) for change in changes]}


def luck(of: Luck) -> dict[str, Any]:
    """Return what the dice came to, and how likely fair dice are to do so."""
    from waylog.store.shown.luck_and_fairness import luck_sentence

    return {
        "ok": True,
        "says": luck_sentence(of),
        "all": _roll_sum(of.every),
        "people": [_roll_sum(each) for each in of.people],
        "sources": [_roll_sum(each) for each in of.sources],
        "faces": [
            {
                "source": source,
                "sides": each.sides,
                "face": each.face,
                "came": each.came,
                "expected": each.average,
                "p": each.tails.as_far,
            }
            for source, counts in of.faces
            for each in counts
        ],
    }


def _roll_sum(of: RollSum) -> dict[str, Any]:
    return {
        "name": of.name,
        "rolls": of.rolls,
        "dice": of.dice,
        "came": of.came,
        "expected": of.expected,
        "higher": of.tails and of.tails.more,
        "same": of.tails and of.tails.same,
        "lower": of.tails and of.tails.less,
    }


def seals(of: SealReport) -> dict[str, Any]:
    """Return what became of each seal."""
    return {
        "ok": not of.stray and not any(seal.wrong for seal in of.seals),
        "seals": [
            {
                "entry": seal.entry,
                "session": seal.session,
                "seal": seal.seal,
                "told": seal.told,
                "open": seal.is_open,
                "dice": seal.dice,
                "wrong": [*seal.wrong],
            }
            for seal in of.seals
        ],
        "unsealed": of.unsealed,
        "stray": [*of.stray],
    }


def replay(of: Replay) -> dict[str, Any]:
    """Return what comes out differently when a log is played again."""
    return {
        "ok": True,
        "entries": of.entries,
        "differences": [
            {
                "entry": each.entry.number,
                "refused": each.refused or None,
                "outcome": each.outcome,
                "changes": [change_data(change) for change in each.changes],
            }
            for each in of.differences
        ],
        "values": [change_data(change) for change in of.values],
    }


def _likely(chance: Ratio) -> dict[str, Any]:
    return {"chance": str(chance), "percent": round(float(chance * 100), 4)}


def undo_preview(resting: UndoPlan, *, with_later: bool) -> dict[str, Any]:
    """Return what an undo would reverse, and the later changes that would stay."""
    taken = (*resting.act, *(resting.later if with_later else ()))
    return {
        "ok": True,
        "dry_run": True,
        "undoes": numbers_of(taken),
        "later": [] if with_later else numbers_of(resting.later),
        "entries": [entry_data(entry, taken_back=False) for entry in taken],
    }


def act_preview(of: ActPreview) -> dict[str, Any]:
    """Return what an act would do. If dice decide, it has no facts yet, but the dice, and the odds if there are any."""
    done = {"facts": None, "changes": None}
    if of.entry is not None:
        done = {key: value for key, value in result_data(of.entry).items() if key != "entry"}
    return {
        "ok": True,
        "dry_run": True,
        "words": of.words,
        **done,
        "dice": [{"label": die.asked or die.source, "sides": die.sides} for die in of.dice],
        "odds": of.odds and odds(of.odds, of.words),
        "pending": question_data(of),
    }


def kit(items: Sequence[KitItem]) -> dict[str, Any]:
    """Return things of the starter kit."""
    known = ({"key": item.key, "kind": item.kind.label, "name": item.name, "about": item.about} for item in items)
    return {"ok": True, "kit": [*known]}


def proposals(waiting: Sequence[Proposal]) -> dict[str, Any]:
    """Return what players propose, in the order of its numbers."""
    known = (
        {
            "id": each.id,
            "by": each.by,
            "name": each.name,
            "words": each.words,
            "title": each.title,
            "blocked": refusal(each.why),
        }
        for each in waiting
    )
    return {"ok": True, "proposals": [*known]}


def why(
    path: Path, value: Value | None, file: str, place: tuple[int, int] | None, made_by: Sequence[LogEntry]
) -> dict[str, Any]:
    """Return a value, its place, and the entries that changed it, newest first, with only those changes."""
    line, column = place or (None, None)
    entries = [entry_data(entry, taken_back=False) for entry in made_by]
    known = {"path": format_path(path), "value": _in_json(value), "written": place is not None}
    return {"ok": True, **known, "file": file, "line": line, "column": column, "entries": entries}


def _in_json(value: Value | None) -> Any:
    """Return a TOML value for JSON. Values that JSON lacks become their TOML source."""
    match value:
        case dict():
            return {key: _in_json(item) for key, item in value.items()}
        case list():
            return [_in_json(item) for item in value]
        case None | bool() | int() | str():
            return value
        case float() if isfinite(value):
            return value
        case _:
            return format_value(value)


def versions(of: Sequence[FileVersion]) -> dict[str, Any]:
    """Return the earlier versions of the campaign file, oldest first."""
    listed = [{"version": one.name, "at": one.at.isoformat(timespec="seconds"), "values": one.values} for one in of]
    return {"ok": True, "versions": listed}


def conflicts(of: Sequence[EditConflict]) -> dict[str, Any]:
    """Return the edit conflicts."""
    listed = [
        {"entry": one.entry.number, "path": format_path(one.path), "file": one.file, "played": one.played} for one in of
    ]
    return {"ok": True, "conflicts": listed}


def file_question_data(question: FileQuestion | None) -> dict[str, Any]:
    """Return the question about the campaign file, with the effect of each answer."""
    answers = {"keep": question.keep, "update": question.update} if question else {}
    return {"ok": True, "asked": question.about if question else None, "answers": answers}


def entries(of: Sequence[tuple[LogEntry, bool]]) -> dict[str, Any]:
    """Return log entries, oldest first, with whether a later one undid them."""
    return {"ok": True, "entries": [entry_data(entry, taken_back) for entry, taken_back in of]}


def entry_data(entry: LogEntry, taken_back: bool) -> dict[str, Any]:
    """Return a log entry."""
    faces = None if entry.faces is None else list(entry.faces)
    known = {"at": entry.at.isoformat(timespec="seconds"), "words": entry.words, "dice": faces, "act": entry.root}
    return {
        **result_data(entry),
        "kind": entry.kind.value,
        **known,
        "undoes": list(entry.undoes),
        "undone": taken_back,
        "by": entry.by,
    }


def moves(snapshot: Snapshot) -> dict[str, Any]:
    """Return every move; one that can't be made now says why."""
    return {"ok": True, "question": snapshot.question, "moves": [move(offered) for offered in snapshot.moves]}


def state(snapshot: Snapshot) -> dict[str, Any]:
    """Return everything that the tabs for ship, crew and clocks show."""
    from waylog.store.shown.countdowns import find_end

    return {
        "ok": True,
        "name": snapshot.name,
        "system": snapshot.system,
        "entries": snapshot.entries,
        "panels": [panel(each) for each in snapshot.panels],
        "clocks": [{"key": key, **plain_fields(clock), "full": clock.full} for key, clock in snapshot.clocks.items()],
        "decks": [_deck(key, deck) for key, deck in snapshot.decks.items()],
        "situations": [{"key": key, **plain_fields(one)} for key, one in snapshot.situations.items()],
        "tables": [_table(key, table) for key, table in snapshot.tables.items()],
        "cards": [scene_card(key, card, snapshot.prep) for key, card in snapshot.cards.items()],
        "timers": [{"key": key, **plain_fields(one), "ends": find_end(one)} for key, one in snapshot.timers.items()],
        "session": snapshot.session or None,
        "sessions": [
            {"number": key, **session(of_number, secrets=True)} for key, of_number in snapshot.sessions.items()
        ],
        "pending": question_data(snapshot),
        "problems": [problem(found) for found in snapshot.problems],
    }


def recap(of: Recap) -> dict[str, Any]:
    """Return a session's recap, as values and as text."""
    from waylog.store.shown.recap_in_markdown import recap_text

    return {
        "ok": True,
        "campaign": of.campaign,
        "session": of.session,
        **session(of.held, secrets=of.secrets),
        "scenes": [
            {
                "title": scene.title,
                "acts": [
                    {
                        "entry": act.entry,
                        "at": act.at.isoformat(timespec="seconds"),
                        "note": act.note,
                        "facts": [fact(each) for each in act.facts],
                    }
                    for act in scene.acts
                ],
            }
            for scene in of.scenes
        ],
        "clocks": [
            {
                "name": turned.clock.name,
                "kind": turned.clock.kind,
                "segments": turned.clock.segments,
                "what": turned.what,
                "outcome": turned.outcome,
            }
            for turned in of.clocks
        ],
        "outcomes": [
            {"who": who, "outcome": result.outcome, "label": result.label, "mood": result.mood, "count": count}
            for who, counts in of.outcomes.items()
            for result, count in counts.items()
        ],
        "pace": {
            "scenes": [
                {"title": scene.title, "began": scene.began.isoformat(timespec="seconds"), "minutes": scene.minutes}
                for scene in of.pace.scenes
            ],
            "acted": dict(of.pace.acted),
        }
        if of.pace
        else None,
        "unused": list(of.unused),
        "markdown": recap_text(of),
    }


def session(of: Session, *, secrets: bool) -> dict[str, Any]:
    """Return a session's dates, title, and who was present."""
    return {**plain_fields(of), "notes": of.notes if secrets else ""}


def _deck(key: str, deck: Deck) -> dict[str, Any]:
    """Return a deck with everything that the wayfinder sees."""
    cards = [
        {"key": card_key, **plain_fields(card), "where": deck.where(card_key).value}
        for card_key, card in deck.cards.items()
    ]
    counts = {luck.value: count for luck, count in balance(deck).items()}
    known = {**plain_fields(deck), "cards": cards, "pile": len(deck.pile), "kinds": counts, "owed": owed_count(deck)}
    return {"key": key, **known}


def _table(key: str, table: RandomTable) -> dict[str, Any]:
    """Return a random table with its entries by number."""
    entries = [{"number": number, **plain_fields(entry)} for number, entry in table.numbered_entries]
    known = {"name": table.name, "dice": table.dice, "seen": table.seen, "notes": table.notes}
    return {"key": key, **known, "entries": entries}


def scene_card(key: str, card: SceneCard, progress: Progress) -> dict[str, Any]:
    """Return a scene card with what has become of it."""
    known = progress.get(key, CardProgress())
    left = untold(card, known)
    secrets = [{"key": of, "text": each.text, "told": of not in left} for of, each in card.secrets.items()]
    return {"key": key, **plain_fields(card), "secrets": secrets, "opened": known.opened}


def failure(of: CommandFailed) -> dict[str, Any]:
    """Return why a command failed."""
    found = {} if of.problems is None else {"problems": [problem(one) for one in of.problems]}
    beside = {"advice": [problem(one) for one in of.advice]} if of.advice else {}
    return {"ok": False, "error": of.reason, "clause": of.clause, **found, **beside}


def problem(found: Problem) -> dict[str, Any]:
    """Return a problem in a file, with its place."""
    return found._asdict()


def players_change(of: PlayersChange) -> dict[str, Any]:
    """Return what players see now, and the acts that are new to them since the last change."""
    seen = players_view(of.seen)
    return {
        "ok": True,
        **{key: seen.pop(key) for key in ("name", "system", "session", "title")},
        "new": [{"at": act.at, "facts": [fact(one) for one in act.facts]} for act in of.new],
        "undone": of.taken_back,
        **seen,
    }
