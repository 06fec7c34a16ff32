"""The faults in a campaign file that break a clause and that types alone don't show."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Fault
from waylog.rules.systems.course_flow.moment import Moment
from waylog.rules.systems.course_flow.tracks import boards


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_course(moment), *_dice(moment), *_slots(moment))


def _course(moment: Moment) -> Iterator[Fault]:
    for field, who in (("set_by", moment.course.set_by), ("safe", moment.course.safe)):
        if who and who not in moment.sheet.crew:
            known = ", ".join(moment.sheet.crew) or "nobody"
            message = f"{field} is “{who}”; it should be empty or a key of the crew: {known}"
            yield Fault(("course", field), message, "CF-02", grave=False)


def _dice(moment: Moment) -> Iterator[Fault]:
    for key, member in moment.sheet.crew.items():
        path = ("crew", key, "dice")
        if len(set(member.dice)) < len(member.dice):
            yield Fault(path, "the same die type is listed twice", "CF-04", grave=False)
        if len(set(member.dice)) < 2:
            yield Fault(path, f"{moment.name(key)} needs at least two die types to roll", "CF-11", grave=False)


def _slots(moment: Moment) -> Iterator[Fault]:
    for board in boards(moment):
        path = (board.table, board.owner, board.kind, board.key, "marked")
        current = getattr(moment.sheet, board.table)[board.owner]
        marked = getattr(current, board.kind)[board.key].marked
        if len(set(marked)) < len(marked):
            twice = next(slot for slot in marked if marked.count(slot) > 1)
            yield Fault(path, f"{board.name} has slot {twice} marked twice", "CF-05", grave=False)
        stray = sorted(board.marked - set(board.slots))
        if stray and board.slots:
            message = f"{board.name} has no slot {stray[0]}; its slots are {board.slots[0]} to {board.slots[-1]}"
            yield Fault(path, message, "CF-05", grave=False)
