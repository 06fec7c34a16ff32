"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import in_short, join_names
from waylog.rules.model.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems.course_flow.rolls_and_elections import course_words, set_it
from waylog.rules.systems.course_flow.sheet import TOP_SKILL, DieType, Member, TokenKind
from waylog.rules.systems.course_flow.stages_and_typed_names import Moment
from waylog.rules.systems.course_flow.tracks import ROWS, SlotBoard, boards


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_check_course(moment), *_dice(moment), *_check_slots(moment))


def _check_course(moment: Moment) -> Iterator[Fault]:
    for field, who in (("set_by", moment.course.set_by), ("safe", moment.course.safe)):
        if who and who not in moment.sheet.crew:
            known = ", ".join(moment.sheet.crew) or "nobody"
            message = f"{field} can't be “{who}”: it should be empty or the key of a crew member: {known}"
            yield Fault(("course", field), message, "CF-02", grave=False)


def _dice(moment: Moment) -> Iterator[Fault]:
    for key, member in moment.sheet.crew.items():
        path = ("crew", key, "dice")
        if len(set(member.dice)) < len(member.dice):
            yield Fault(path, "the same die type is listed twice", "CF-04", grave=False)
        if len(set(member.dice)) < 2:
            yield Fault(path, f"{moment.name(key)} needs at least two die types to roll", "CF-11", grave=False)


def _check_slots(moment: Moment) -> Iterator[Fault]:
    for board in boards(moment):
        path = (board.table, board.owner, board.kind, board.key, "marked")
        current = getattr(moment.sheet, board.table)[board.owner]
        marked = getattr(current, board.kind)[board.key].marked
        if len(set(marked)) < len(marked):
            twice = next(slot for slot in marked if marked.count(slot) > 1)
            yield Fault(path, f"{board.name} has slot {twice} marked twice", "CF-05", grave=False)
        stray = sorted(board.marked - set(board.slots))
        if stray and board.slots:
            message = f"{board.name} has no slot {stray[0]}: its slots are {board.slots[0]} to {board.slots[-1]}"
            yield Fault(path, message, "CF-05", grave=False)


FREE, MARKED = "□", "■"


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the Course and the Flows, each ship; then the Course again on the crew tab, and each crew
    member.
    """
    slots: _Slots = {(table, key): [] for table in ("ships", "crew") for key in getattr(moment.sheet, table)}
    for board in boards(moment):
        slots[board.table, board.owner] += _track(board) if board.kind == "tracks" else _matrix(board)
    return (
        Panel("course", "ship", "The Course", _course(moment), _waiting_tags(moment)),
        _flows(moment),
        *(_ship(moment, key, slots) for key in moment.sheet.ships),
        Panel("table", "crew", "On the table", _beside_the_crew(moment), _waiting_tags(moment)),
        *(_member(moment, key, member, slots) for key, member in moment.sheet.crew.items()),
    )


# -- the Course (CF-02, CF-12) -----------------------------------------------------------------------------------------


def _course(moment: Moment) -> tuple[Row, ...]:
    course = moment.course
    if not course.lies:
        return (
            TextRow(
                "course.die",
                "Die",
                "none yet: the wayfinder sets the first",
                Tone.WARN,
            ),
        )
    lies = TextRow("course.die", "Die", course_words(course), rank=Rank.VITAL)
    return lies, TextRow("course.set_by", "Set by", moment.name(course.set_by)), *_course_effects(moment)


def _beside_the_crew(moment: Moment) -> tuple[Row, ...]:
    """Return the Course for the crew tab, in as few lines as possible."""
    course = moment.course
    if not course.lies:
        return _course(moment)
    lies = f"{course_words(course)}, set by {moment.name(course.set_by)}"
    return TextRow("course.die", "The Course", lies, rank=Rank.VITAL), *_course_effects(moment)


def _course_effects(moment: Moment) -> tuple[Row, ...]:
    """Return the effects of the Course on people: who can't roll, and who is safe."""
    course, rows = moment.course, list[Row]()
    if waiting := _names_who_wait(moment):
        rows.append(TextRow("course.set_by.waits", "Can't roll", f"{waiting}, who set it", Tone.WARN))
    if course.safe:
        text = f"{moment.name(course.safe)} and allies"
        rows.append(TextRow("course.safe", "No harm to", text, Tone.GOOD))
    return tuple(rows)


def _names_who_wait(moment: Moment) -> str:
    """Return the names of those who can't roll because they set the Course."""
    return join_names(moment.name(key) for key in moment.sheet.crew if set_it(moment, key))


def _waiting_tags(moment: Moment) -> tuple[Tag, ...]:
    waiting = _names_who_wait(moment)
    return (Tag(f"{waiting} can't roll", Tone.WARN),) if waiting else ()


def _flows(moment: Moment) -> Panel:
    rows = list[Row]()
    for key, flow in moment.flows():
        rows.append(TextRow(f"flows.{key}", flow.name or key, f"+{flow.value}", rank=Rank.VITAL))
        if flow.notes:
            rows.append(TextRow(f"flows.{key}.notes", "", flow.notes, Tone.DIM, secret=True, rank=Rank.ABOUT))
    return Panel("flows", "ship", "Flows", tuple(rows) or (TextRow("flows", "Flows", "none yet", Tone.DIM),))


# -- ships and people (CF-04, CF-05) -----------------------------------------------------------------------------------

_Slots = Mapping[tuple[str, str], list[Row]]


def _ship(moment: Moment, key: str, slots: _Slots) -> Panel:
    ship, row = moment.sheet.ships[key], f"ships.{key}"
    about: list[Row] = [TextRow(f"{row}.about", "About", ship.about, rank=Rank.ABOUT)] if ship.about else []
    rows = (*about, *slots["ships", key])
    return Panel(row, "ship", ship.name or key, rows or (TextRow(row, "Ship", "nothing to mark yet", Tone.DIM),))


def _member(moment: Moment, key: str, member: Member, slots: _Slots) -> Panel:
    row = f"crew.{key}"
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about, rank=Rank.ABOUT)] if member.about else []
    if member.player:
        rows.append(TextRow(f"{row}.player", "Player", member.player, rank=Rank.ABOUT))
    rows.extend(PipsRow(f"{row}.skills.{skill}", skill, value, TOP_SKILL) for skill, value in member.skills.items())
    if set(member.dice) != set(DieType):
        rows.append(TextRow(f"{row}.dice", "Dice", ", ".join(die.label for die in DieType if die in member.dice)))
    keys = [f"{kind.value.capitalize()} {moment.tokens(key, kind)}" for kind in TokenKind if moment.tokens(key, kind)]
    rows.append(TextRow(f"{row}.tokens", "Tokens", " · ".join(keys) or "none", Tone.GOOD if keys else Tone.DIM))
    if member.equipment:
        rows.append(TextRow(f"{row}.equipment", "Equipment", ", ".join(member.equipment)))
    rows.extend(slots["crew", key])
    tags = (Tag("can't roll", Tone.WARN),) if set_it(moment, key) else ()
    return Panel(row, "crew", member.name or key, tuple(rows), tags, role=in_short(member.about))


def _track(board: SlotBoard) -> Iterator[Row]:
    drawn = " ".join(MARKED if slot in board.marked else FREE for slot in board.slots)
    yield TextRow(board.path, board.name, f"{drawn}  {_count(board)}", _tone(board), rank=Rank.VITAL)


def _matrix(board: SlotBoard) -> Iterator[Row]:
    """Return one row for each row of the grid. The last one also shows the count."""
    lines = [[slot for slot in board.slots if slot[0] == row] for row in ROWS]
    drawn = [line for line in lines if line]
    for line in drawn:
        squares = " ".join(MARKED if slot in board.marked else FREE for slot in line)
        counted = f"  {_count(board)}" if line is drawn[-1] else ""
        yield TextRow(
            f"{board.path}.{line[0][0]}", f"{board.name} {line[0][0]}", squares + counted, _tone(board), rank=Rank.VITAL
        )


def _count(board: SlotBoard) -> str:
    return f"{len(board.full)} of {len(board.slots)} marked"


def _tone(board: SlotBoard) -> Tone:
    return Tone.PLAIN if board.free else Tone.BAD
