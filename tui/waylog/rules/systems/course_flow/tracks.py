"""Destiny Tracks and Damage Matrices: slots marked and recovered, by hand or after a roll (CF-05, CF-15, CF-22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from waylog.rules.codec.changes import words_for
from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.sheet import MOST_LINES, MOST_SLOTS, Matrix, Track
from waylog.rules.systems.course_flow.stages_and_typed_names import (
    Harm,
    Moment,
    SlotRecovery,
    keep_in_crew,
    owner_name,
    owner_words,
)
from waylog.values import dataclass, replace

MARK, RECOVER = "mark", "recover"
ROWS = "abcdefghi"


@dataclass(frozen=True, slots=True)
class SlotBoard:
    """A track or a matrix as a list of slots."""

    table: str
    """The table of the sheet: `crew` or `ships`."""
    owner: str
    kind: str
    """The field of the owner: `tracks` or `matrices`."""
    key: str
    name: str
    slots: tuple[str, ...]
    marked: frozenset[str]

    @property
    def path(self) -> str:
        """The key of its row on screen."""
        return f"{self.table}.{self.owner}.{self.kind}.{self.key}"

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(slot for slot in self.slots if slot not in self.marked)

    @property
    def full(self) -> tuple[str, ...]:
        """The marked slots, in order."""
        return tuple(slot for slot in self.slots if slot in self.marked)


def boards(moment: Moment) -> Iterator[SlotBoard]:
    """Return every track and matrix; those of people come first."""
    for table, holders in (("crew", moment.sheet.crew), ("ships", moment.sheet.ships)):
        for owner, holder in holders.items():
            for key, track in holder.tracks.items():
                slots = tuple(str(number) for number in range(1, min(track.slots, MOST_SLOTS) + 1))
                yield SlotBoard(
                    table, owner, "tracks", key, track.name or key, slots, frozenset(map(str, track.marked))
                )
            for key, matrix in holder.matrices.items():
                columns = range(1, min(matrix.columns, MOST_LINES) + 1)
                grid = tuple(f"{row}{column}" for row in ROWS[: max(0, matrix.rows)] for column in columns)
                yield SlotBoard(table, owner, "matrices", key, matrix.name or key, grid, frozenset(matrix.marked))


def board_words(moment: Moment) -> Mapping[str, SlotBoard]:
    """Return tracks and matrices by word, made of owner and name: `kestrel-hull`."""
    known = {board.path: board for board in boards(moment)}
    words = words_for(((path, f"{board.owner} {board.key}") for path, board in known.items()), "slots")
    return {word: known[path] for word, path in words.items()}


def title(moment: Moment, board: SlotBoard) -> str:
    """Return its owner and name: `Kestrel, Hull`."""
    return f"{owner_name(moment, board.table, board.owner)}, {board.name}"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer to mark and recover slots, and to add tracks and matrices of any size (CF-05)."""
    return (*_slot_moves(moment, MARK), *_slot_moves(moment, RECOVER), *_new(moment))


def _slot_moves(moment: Moment, verb: str) -> tuple[Move, ...]:
    """Offer `mark kestrel-hull b2`, or `recover kestrel-hull b2`. The default is the first slot that fits."""
    marks, moves = verb == MARK, list[Move]()
    for word, board in board_words(moment).items():
        fitting = board.free if marks else board.full
        asks = _asks(board, fitting, "already marked" if marks else "not marked")
        why = "every slot is already marked" if marks else "no slot is marked"
        blocked = None if fitting else Refusal(f"{title(moment, board)}: {why}", "CF-05")
        label = f"{verb.capitalize()} a slot of {title(moment, board)}"
        moves.append(Move(verb, (word,), label, asks, blocked, about=(board.path,), effect=True))
    return tuple(moves)


def _asks(board: SlotBoard, fitting: tuple[str, ...], otherwise: str) -> tuple[PickOne, ...]:
    """Ask which slot. It is asked even if none fits, because an effect in a file may name one for later."""
    if not board.slots:
        return ()
    options = tuple(
        Option(slot, slot, blocked=None if slot in fitting else Refusal(f"slot {slot} is {otherwise}", "CF-05"))
        for slot in board.slots
    )
    return (PickOne("slot", "Slot", options, (fitting or board.slots)[0], "CF-05"),)


def _new(moment: Moment) -> tuple[Move, ...]:
    name = Text("name", "Name", required=True)
    moves = []
    for word, (table, key) in owner_words(moment).items():
        owner, row = owner_name(moment, table, key), f"{table}.{key}"
        size = Number("slots", "Slots", 1, MOST_SLOTS)
        grid = (Number("rows", "Rows", 1, MOST_LINES), Number("columns", "Columns", 1, MOST_LINES))
        moves.append(
            Move(
                "track",
                (word,),
                f"New Destiny Track for {owner}",
                (name, size),
                about=(f"{row}.tracks", f"{row}.about"),
            )
        )
        moves.append(
            Move(
                "matrix",
                (word,),
                f"New Damage Matrix for {owner}",
                (name, *grid),
                about=(f"{row}.matrices", f"{row}.about"),
            )
        )
    return tuple(moves)


# -- playing them ------------------------------------------------------------------------------------------------------


def mark(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Mark the slot of a track that was answered (CF-05). Raises `ActRefused`."""
    return _set(moment, board_words(moment)[move.words[0]], str(answers["slot"]), marked=True, clause="CF-05")


def recover(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Take the mark off the slot of a track that was answered (CF-05). Raises `ActRefused`."""
    return _set(moment, board_words(moment)[move.words[0]], str(answers["slot"]), marked=False, clause="CF-05")


def _set(moment: Moment, board: SlotBoard, slot: str, *, marked: bool, clause: str) -> Moment:
    text = f"{title(moment, board)}: slot {slot} {'marked' if marked else 'recovered'}"
    now = [each for each in board.slots if (each in board.marked) != (each == slot)]
    values = tuple(map(int, now)) if board.kind == "tracks" else tuple(now)
    kept = getattr(getattr(moment.sheet, board.table)[board.owner], board.kind)
    kept = {**kept, board.key: replace(kept[board.key], marked=values)}
    return _with_held(moment, board.table, board.owner, board.kind, kept).says(text, clause)


def _with_held(moment: Moment, table: str, owner: str, kind: str, current: Mapping[str, Track | Matrix]) -> Moment:
    holders = getattr(moment.sheet, table)
    changed: dict[str, Any] = {table: {**holders, owner: replace(holders[owner], **{kind: current})}}
    return replace(moment, sheet=replace(moment.sheet, **changed))


def begin(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `track iko "The debt" 6` or `matrix kestrel Hull 2 4`. The wayfinder decides the size (CF-05)."""
    table, owner = owner_words(moment)[move.words[0]]
    name = str(answers["name"]).strip()
    new: Track | Matrix
    if move.verb == "track":
        new = Track(name, int(str(answers["slots"])))
        kind, what = "tracks", "Destiny Track"
        size = f"{new.slots} {'slot' if new.slots == 1 else 'slots'}"
    else:
        new = Matrix(name, int(str(answers["rows"])), int(str(answers["columns"])))
        kind, what, size = "matrices", "Damage Matrix", f"{new.rows} by {new.columns}"
    current = getattr(getattr(moment.sheet, table)[owner], kind)
    after = _with_held(moment, table, owner, kind, {**current, new_key(name, current): new})
    return after.says(f"{owner_name(moment, table, owner)}'s new {what}: {name} ({size})", "CF-05")


# -- a high Thriving (CF-15) -------------------------------------------------------------------------------------------


def recovery_question(moment: Moment, stage: SlotRecovery) -> str:
    """Ask which slot is recovered."""
    return f"{moment.name(stage.who)}'s Thriving is high. Which slot is recovered (anyone's, or a ship's)?"


def recovery_answers(moment: Moment, _stage: SlotRecovery) -> tuple[Move, ...]:
    """Offer every board with a marked slot; or none, if that doesn't fit the story."""
    fitting = tuple(move for move in _slot_moves(moment, RECOVER) if not move.blocked)
    return (*fitting, Move("forgo", (), "None (it doesn't fit the story)"))


def answer_recovery(moment: Moment, _stage: SlotRecovery, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Recover one slot, or none."""
    if move.verb == "forgo":
        return moment.closes().says("The recovery is lost", "CF-15")
    board = board_words(moment)[move.words[0]]
    return _set(moment.closes(), board, str(answers["slot"]), marked=False, clause="CF-15")


# -- harm (CF-22) ------------------------------------------------------------------------------------------------------


def harm_question(moment: Moment, stage: Harm) -> str:
    """Ask for the harm, and whom it hits."""
    return f"{moment.name(stage.who)}'s roll was dangerous, and Daring isn't high. What harm is done, and to whom?"


def harm_answers(moment: Moment, stage: Harm) -> tuple[Move, ...]:
    """Offer a marked slot, harm in words (to the roller first), or no harm."""
    owners = sorted(owner_words(moment).items(), key=lambda owner: owner[1] != ("crew", stage.who))
    ask = (Text("what", "What harm", required=True),)
    words = tuple(
        Move(
            "harm",
            (word,),
            f"Harm {owner_name(moment, table, key)}",
            ask,
            about=(f"{table}.{key}",),
        )
        for word, (table, key) in owners
    )
    slots = tuple(move for move in _slot_moves(moment, MARK) if not move.blocked)
    return (*words, *slots, Move("spare", (), "No harm"))


def answer_harm(moment: Moment, _stage: Harm, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Apply the harm that the wayfinder chooses."""
    match move.verb:
        case "harm":
            table, key = owner_words(moment)[move.words[0]]
            text = f"{owner_name(moment, table, key)} is harmed: {str(answers['what']).strip()}"
            return moment.closes().says(text, "CF-22")
        case "mark":
            board = board_words(moment)[move.words[0]]
            return _set(moment.closes(), board, str(answers["slot"]), marked=True, clause="CF-22")
        case _:
            return moment.closes().says("No harm", "CF-22")


CHAPTER = Chapter(
    offers=offers,
    plays={MARK: mark, RECOVER: recover, "track": begin, "matrix": begin},
    stages=(
        StageRules(
            SlotRecovery,
            recovery_question,
            recovery_answers,
            answer_recovery,
            choices=lambda moment, _stage: any(board.full for board in boards(moment)),
            automatic=lambda moment, _stage, _dice: moment.closes().says(
                "No slot is marked: the recovery is lost", "CF-15"
            ),
            keep=keep_in_crew,
        ),
        StageRules(Harm, harm_question, harm_answers, answer_harm, keep=keep_in_crew),
    ),
)
