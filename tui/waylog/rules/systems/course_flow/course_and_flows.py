"""The Course as the wayfinder sets it (CF-02, CF-12, CF-33), and the Flows (CF-03)."""

from __future__ import annotations

from waylog.rules.codec.changes import words_for
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.rolls_and_elections import course_words
from waylog.rules.systems.course_flow.sheet import MOST_TYPED, Course, DieType
from waylog.rules.systems.course_flow.stages_and_typed_names import FirstCourse, Moment, flow_words


def offers(moment: Moment) -> tuple[Move, ...]:
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
    return Move("course", (), label, asks, stop, follows=first, apart=first, about=("course",), effect=True)


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
        by = Number("by", "Change by", -value, MOST_TYPED, 1)
        moves.append(Move("raise", (word,), f"Raise {name} (now {value})", (by,), about=about, effect=True))
        moves.append(Move("end", (word,), f"End {name}", about=about))
    for word, key in over_words(moment).items():
        moves.append(Move("resume", (word,), f"Resume {moment.flow_name(key)}", about=(f"flows.{key}",)))
    return tuple(moves)


def begin_flow(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `flow`: add a Flow with the name and the value that were given (CF-03)."""
    name, value = str(answers["name"]).strip(), int(str(answers["value"]))
    return moment.with_new_flow(name, value).says(f"New Flow: {name} {value}", "CF-03")


def raise_flow(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `raise storm-front` or `raise storm-front -2`. The value never falls below 0."""
    key, by = flow_words(moment)[move.words[0]], int(str(answers["by"]))
    value = moment.sheet.flows[key].value + by
    if not by:
        raise ActRefused(f"{moment.flow_name(key)} is already {value}", "CF-03")
    sign = "+" if by > 0 else "−"
    return moment.with_flow(key, value=value).says(f"{moment.flow_name(key)} {sign}{abs(by)}, now {value}", "CF-03")


def end_flow(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """End a Flow. It stays in the file."""
    key = flow_words(moment)[move.words[0]]
    return moment.with_flow(key, over=True).says(f"{moment.flow_name(key)} ends", "CF-03")


def resume_flow(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Resume an ended Flow."""
    key = over_words(moment)[move.words[0]]
    return moment.with_flow(key, over=False).says(f"{moment.flow_name(key)} resumes", "CF-03")


CHAPTER = Chapter(
    offers=offers,
    stages=(StageRules(FirstCourse),),
    plays={
        "course": set_course,
        "flow": begin_flow,
        "raise": raise_flow,
        "end": end_flow,
        "resume": resume_flow,
    },
)
