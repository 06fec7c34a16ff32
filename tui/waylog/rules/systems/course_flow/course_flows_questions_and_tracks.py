"""The Course as the wayfinder sets it (CF-02, CF-12, CF-33), and the Flows (CF-03).

Vital questions: asked without a token, or with one that buys the answer (CF-30, CF-31).

Destiny Tracks and Damage Matrices: slots marked and recovered, by hand or after a roll (CF-05, CF-15, CF-22).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from waylog.rules.codec.changes import words_for
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.rolls_and_elections import course_words
from waylog.rules.systems.course_flow.sheet import (
    MOST_LINES,
    MOST_SLOTS,
    MOST_TYPED,
    Course,
    DieType,
    Matrix,
    TokenKind,
    Track,
)
from waylog.rules.systems.course_flow.state_stages_and_typed_names import (
    NEW_FLOW,
    Asking,
    FirstCourse,
    Harm,
    Moment,
    SlotRecovery,
    crew_letters,
    crew_words,
    flow_words,
    keep_in_crew,
    owner_name,
    owner_words,
)
from waylog.values import dataclass, replace


def offer_course_and_flows(moment: Moment) -> tuple[Move, ...]:
    """Offer to set the Course, and to start, raise, end and resume Flows."""
    return (_course(moment), *_flows(moment))


def _course(moment: Moment) -> Move:
    dice = tuple(Option(die.value, die.label) for die in DieType)
    asks = (PickOne("die", "Die", dice, clause="CF-02"), Number("face", "Face", 1, 6))
    stop = None
    first = isinstance(moment.top, FirstCourse)
    if moment.course.lies and not first and moment.rules.wayfinder_course == "first-only":
        stop = Refusal("there is already a Course, and by house rule the wayfinder sets only the first one", "CF-12")
    label = "Set the session's first Course" if first else "Set the Course"
    heading = "The wayfinder sets the Course"
    course = Move("course", (), label, asks, stop, follows=first, apart=first, about=("course",), effect=True)
    return replace(course, heading=heading)


def set_course(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `course daring 4`: the wayfinder sets the Course, so everybody may roll (CF-12). At the beginning of a session it
    is that session's first (CF-33).
    """
    course = Course(DieType(str(answers["die"])).value, int(str(answers["face"])))
    if course == moment.course:
        raise ActRefused(f"the Course is already {course_words(course)}, set by the wayfinder", "CF-02")
    if isinstance(moment.top, FirstCourse):
        moment, clause = moment.closes(), "CF-33"
    else:
        clause = "CF-12" if moment.course.lies else "CF-02"
    return moment.with_course(course).says(f"The Course is now {course_words(course)}, set by the wayfinder", clause)


def over_words(moment: Moment) -> dict[str, str]:
    """Return the keys of ended Flows, by word."""
    over = ((key, key) for key, flow in moment.sheet.flows.items() if flow.over)
    return dict(words_for(over, "flow", flow_words(moment)))


def _flows(moment: Moment) -> tuple[Move, ...]:
    ask = (Text("name", "Name", required=True), Number("value", "Value", 0, MOST_TYPED, 0))
    moves = [Move("flow", (), "New Flow", ask, about=("flows",), effect=True)]
    for word, key in flow_words(moment).items():
        name, value, about = moment.flow_name(key), moment.sheet.flows[key].value, (f"flows.{key}",)
        by = Number("by", "Change by", -value, MOST_TYPED, 1, preposition="by")
        rise = Move("raise", (word,), f"Raise “{name}” (now {value})", (by,), about=about, effect=True)
        moves.append(replace(rise, heading=f"“{name}” raised"))
        moves.append(Move("end", (word,), f"End “{name}”", about=about, heading=f"“{name}” ends"))
    for word, key in over_words(moment).items():
        name = moment.flow_name(key)
        moves.append(Move("resume", (word,), f"Resume “{name}”", about=(f"flows.{key}",), heading=f"“{name}” resumes"))
    return tuple(moves)


def begin_flow(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `flow`: add a Flow with the name and the value that were given (CF-03)."""
    name, value = str(answers["name"]).strip(), int(str(answers["value"]))
    return moment.with_new_flow(name, value).says(f"New Flow: “{name}”, at {value}", "CF-03")


def raise_flow(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `raise storm-front` or `raise storm-front -2`. The value never falls below 0."""
    key, by = flow_words(moment)[move.words[0]], int(str(answers["by"]))
    value = moment.sheet.flows[key].value + by
    if not by:
        raise ActRefused(f"“{moment.flow_name(key)}” is already {value}", "CF-03")
    sign = "+" if by > 0 else "−"
    return moment.with_flow(key, value=value).says(f"“{moment.flow_name(key)}” {sign}{abs(by)}, now {value}", "CF-03")


def end_flow(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """End a Flow. It stays in the file."""
    key = flow_words(moment)[move.words[0]]
    return moment.with_flow(key, over=True).says(f"“{moment.flow_name(key)}” ends", "CF-03")


def resume_flow(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Resume an ended Flow."""
    key = over_words(moment)[move.words[0]]
    return moment.with_flow(key, over=False).says(f"“{moment.flow_name(key)}” resumes", "CF-03")


_QUESTIONS: Mapping[TokenKind, tuple[str, str, str]] = {
    TokenKind.CLUE: (
        "What is here that everybody else has overlooked?",
        "Which earlier detail matters now?",
        "What did I see while hidden that helps now?",
    ),
    TokenKind.FOCUS: (
        "What here should worry me most?",
        "What is just a distraction?",
        "Who needs help most?",
    ),
    TokenKind.FORESIGHT: (
        "What are they about to do?",
        "What did I prepare for exactly this?",
        "Which way ahead is most likely to work?",
    ),
    TokenKind.INITIATIVE: (
        "Who here is most vulnerable?",
        "Where do they need me most?",
        "What is the quickest way through?",
    ),
    TokenKind.RUMOR: (
        "What was I warned about here?",
        "What secret do I know that opens a door now?",
        "What are they wrong about?",
    ),
}
QUESTIONS: Mapping[str, tuple[TokenKind, str]] = MappingProxyType(
    {
        f"{kind.value}-{number}": (kind, question)
        for kind, three in _QUESTIONS.items()
        for number, question in enumerate(three, 1)
    }
)
"""The vital questions by word, each with the kind of token that buys its answer (CF-30)."""


def offer_questions(moment: Moment) -> tuple[Move, ...]:
    """Offer `spend iko clue-2`, which buys an answer, and `ask iko clue-2`, which doesn't (CF-30)."""
    moves, letters = [], crew_letters(moment)
    for word, key in crew_words(moment).items():
        name, about = moment.name(key), (f"crew.{key}.tokens",)
        is_held = any(moment.tokens(key, kind) for kind in TokenKind)
        none = (
            None
            if is_held
            else Refusal(f"{name} has no tokens, but can ask any question without one: type “ask {word}”", "CF-30")
        )
        asks = (PickOne("question", "Question", _options(moment, key), clause="CF-30"),)
        label = f"Spend one of {name}'s tokens for an answer"
        heading = f"{name} spends a token for an answer"
        moves.append(Move("spend", (word,), label, asks, none, about=about, key=letters[key], heading=heading))
        free = (PickOne("question", "Question", _options(moment, None), clause="CF-30"),)
        label, heading = f"Let {name} ask without a token", f"{name} asks without a token"
        moves.append(Move("ask", (word,), label, free, about=about, key=letters[key], heading=heading))
    return tuple(moves)


def _options(moment: Moment, payer: str | None) -> tuple[Option, ...]:
    """Return every question. With a payer, those that they have a token for come first, and the others are refused."""
    options = [
        Option(word, question, word, (word.replace("-", ""),), _missing_token(moment, payer, kind))
        for word, (kind, question) in QUESTIONS.items()
    ]
    return tuple(sorted(options, key=lambda option: option.blocked is not None))


def _missing_token(moment: Moment, payer: str | None, kind: TokenKind) -> Refusal | None:
    if payer is None or moment.tokens(payer, kind):
        return None
    return Refusal(f"{moment.name(payer)} has no {kind.value.capitalize()} token", "CF-30")


def ask(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Ask a question, and spend the token if there is one."""
    who, word = crew_words(moment)[move.words[0]], str(answers["question"])
    kind, question = QUESTIONS[word]
    if move.verb == "ask":
        return moment.says(f"{moment.name(who)} asks: {question}", "CF-30").then(Asking(who, word))
    paid = moment.with_token(who, kind, -1)
    article = "an" if kind is TokenKind.INITIATIVE else "a"
    text = f"{moment.name(who)} spends {article} {kind.value.capitalize()} token: {question}"
    return paid.says(text, "CF-30").then(Asking(who, word, spent=True))


def question_of(moment: Moment, stage: Asking) -> str:
    """Return the question, and whether it must be answered."""
    _, question = QUESTIONS[stage.question]
    if _plain(moment, stage):
        return f"{moment.name(stage.who)} asks without a token: “{question}” Is there an answer?"
    asked = f"{moment.name(stage.who)} asks: “{question}”"
    owed = "The token requires an answer" if stage.spent else "You don't have to answer"
    return f"{asked} {owed}. If you do, which Flow rises?" if not stage.spent else f"{asked} {owed}. Which Flow rises?"


def _plain(moment: Moment, stage: Asking) -> bool:
    """Whether the answer raises no Flow: the question was asked without a token, and a house rule says so (CF-31)."""
    return not stage.spent and moment.rules.free_answers == "answer-only"


def answers(moment: Moment, stage: Asking) -> tuple[Move, ...]:
    """Offer `answer storm-front "…"`, `answer new-flow "Name" "…"`, or `decline` if no token was spent (CF-30, CF-31)."""
    text = Text("answer", "Answer", required=True)
    compelled = Refusal("a token was spent, so an answer is needed", "CF-30") if stage.spent else None
    decline = Move("decline", (), "No answer", blocked=compelled)
    if _plain(moment, stage):
        label = "Answer without raising a Flow"
        return Move("answer", ("plainly",), label, (text,), heading="The wayfinder answers"), decline
    known = tuple(
        Move(
            "answer",
            (word,),
            f"Answer, and raise “{moment.flow_name(key)}” to {moment.sheet.flows[key].value + 1}",
            (text,),
            about=(f"flows.{key}",),
            heading=f"The wayfinder answers, and raises “{moment.flow_name(key)}”",
        )
        for word, key in flow_words(moment).items()
    )
    new = Move(
        "answer",
        (NEW_FLOW,),
        "Answer, and start a Flow at 1",
        (Text("flow", "New Flow", required=True), text),
        key="n",
        heading="The wayfinder answers, and starts a Flow",
    )
    return (*known, new, decline)


def answer(moment: Moment, _stage: Asking, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Give the answer, and raise or start a Flow (CF-31)."""
    if move.verb == "decline":
        return moment.closes().says("No answer", "CF-30", NotePart.DEED)
    after = moment.closes().says(f"The wayfinder answers: {str(given['answer']).strip()}", "CF-31", NotePart.DEED)
    match move.words[0]:
        case "plainly":
            return after
        case word if word == NEW_FLOW:
            name = str(given["flow"]).strip()
            return after.with_new_flow(name, 1).says(f"New Flow: “{name}”, at 1", "CF-31")
        case word:
            key = flow_words(moment)[word]
            value = moment.sheet.flows[key].value + 1
            return after.with_flow(key, value=value).says(f"“{moment.flow_name(key)}” +1, now {value}", "CF-31")


def _keep(moment: Moment, stage: Asking) -> Asking | None:
    return stage if stage.who in moment.sheet.crew and stage.question in QUESTIONS else None


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


def offer_tracks(moment: Moment) -> tuple[Move, ...]:
    """Offer to mark and recover slots, and to add tracks and matrices of any size (CF-05)."""
    return (*_slot_moves(moment, MARK), *_slot_moves(moment, RECOVER), *_new(moment))


def _slot_moves(moment: Moment, verb: str) -> tuple[Move, ...]:
    """Offer `mark kestrel-hull b2`, or `recover kestrel-hull b2`. The default is the first slot that fits; of a grid in which
    several do, the wayfinder says which one.
    """
    marks, moves = verb == MARK, list[Move]()
    for word, board in board_words(moment).items():
        fitting = board.free if marks else board.full
        asks = _asks(board, fitting, "already marked" if marks else "not marked")
        if board.kind == "matrices" and len(fitting) > 1:
            asks = tuple(replace(ask, default=None, if_unlogged=ask.default) for ask in asks)
        why = "every slot is already marked" if marks else "no slot is marked"
        blocked = None if fitting else Refusal(f"{title(moment, board)}: {why}", "CF-05")
        label = f"{verb.capitalize()} a slot: {title(moment, board)}"
        heading = f"Slot {'marked' if marks else 'recovered'} ({title(moment, board)})"
        moves.append(Move(verb, (word,), label, asks, blocked, about=(board.path,), effect=True, heading=heading))
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


def _slot_name(board: SlotBoard, slot: str) -> str:
    """Return `slot 2` of a track or of a grid with one row, and `slot 2 in row b` of any other."""
    if board.kind == "tracks":
        return f"slot {slot}"
    return f"slot {slot[1:]}" + (f" in row {slot[0]}" if len({each[0] for each in board.slots}) > 1 else "")


def _set(moment: Moment, board: SlotBoard, slot: str, *, marked: bool, clause: str) -> Moment:
    owner = owner_name(moment, board.table, board.owner)
    text = f"{owner}: {_slot_name(board, slot)} of {board.name} {'marked' if marked else 'recovered'}"
    now = [each for each in board.slots if (each in board.marked) != (each == slot)]
    values = tuple(map(int, now)) if board.kind == "tracks" else tuple(now)
    kept = getattr(getattr(moment.sheet, board.table)[board.owner], board.kind)
    kept = {**kept, board.key: replace(kept[board.key], marked=values)}
    return _with_held(moment, board.table, board.owner, board.kind, kept).says(text, clause, NotePart.DEED)


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
    return after.says(f"New {what} for {owner_name(moment, table, owner)}: {name} ({size})", "CF-05")


# -- a high Thriving (CF-15) -------------------------------------------------------------------------------------------


def recovery_question(moment: Moment, stage: SlotRecovery) -> str:
    """Ask which slot is recovered."""
    return f"{moment.name(stage.who)}'s Thriving is high. Which slot is recovered (anyone's, or a ship's)?"


def recovery_answers(moment: Moment, _stage: SlotRecovery) -> tuple[Move, ...]:
    """Offer every board with a marked slot; or none, if that doesn't fit the story."""
    fitting = tuple(move for move in _slot_moves(moment, RECOVER) if not move.blocked)
    return (*fitting, Move("forgo", (), "None (it doesn't fit the story)", heading="No slot is recovered"))


def answer_recovery(moment: Moment, _stage: SlotRecovery, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Recover one slot, or none."""
    if move.verb == "forgo":
        return moment.closes().says("The recovery is lost", "CF-15", NotePart.DEED)
    board = board_words(moment)[move.words[0]]
    return _set(moment.closes(), board, str(answers["slot"]), marked=False, clause="CF-15")


# -- harm (CF-22) ------------------------------------------------------------------------------------------------------


def harm_question(moment: Moment, stage: Harm) -> str:
    """Ask for the harm, and whom it hits."""
    return f"{moment.name(stage.who)}'s roll was dangerous, and Daring isn't high. What harm is done, and to whom?"


def harm_answers(moment: Moment, stage: Harm) -> tuple[Move, ...]:
    """Offer a marked slot, harm in words (to the roller first), or no harm."""
    owners = sorted(owner_words(moment).items(), key=lambda owner: owner[1] != ("crew", stage.who))
    ask = (Text("what", "Harm", required=True, example="a few words for the log; a marked slot stays on the sheet"),)
    words = tuple(
        Move(
            "harm",
            (word,),
            f"Harm {owner_name(moment, table, key)}",
            ask,
            about=(f"{table}.{key}",),
            heading=f"{owner_name(moment, table, key)} is harmed",
        )
        for word, (table, key) in owners
    )
    slots = tuple(move for move in _slot_moves(moment, MARK) if not move.blocked)
    return (*words, *slots, Move("spare", (), "No harm", heading="No harm is done"))


def answer_harm(moment: Moment, _stage: Harm, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Apply the harm that the wayfinder chooses."""
    match move.verb:
        case "harm":
            table, key = owner_words(moment)[move.words[0]]
            text = f"{owner_name(moment, table, key)} is harmed: {str(answers['what']).strip()}"
            return moment.closes().says(text, "CF-22", NotePart.DEED)
        case "mark":
            board = board_words(moment)[move.words[0]]
            return _set(moment.closes(), board, str(answers["slot"]), marked=True, clause="CF-22")
        case _:
            return moment.closes().says("No harm", "CF-22", NotePart.DEED)


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer the Course and the Flows, vital questions, and what marks slots and recovers them."""
    return (*offer_course_and_flows(moment), *offer_questions(moment), *offer_tracks(moment))


CHAPTER = Chapter(
    offers=offers,
    plays={
        "course": set_course,
        "flow": begin_flow,
        "raise": raise_flow,
        "end": end_flow,
        "resume": resume_flow,
        "ask": ask,
        "spend": ask,
        MARK: mark,
        RECOVER: recover,
        "track": begin,
        "matrix": begin,
    },
    stages=(
        StageRules(FirstCourse),
        StageRules(Asking, question_of, answers, answer, keep=_keep),
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
