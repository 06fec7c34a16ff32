"""Course and Flow."""

from types import MappingProxyType

from waylog.rules.model.act_lists_and_row_verbs import ActList, RowKey, VerbKeys
from waylog.rules.model.moves import RollKey
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems.course_flow import (
    choices_and_consequences_after_rolls,
    course_flows_questions_and_tracks,
    crew_and_panels,
    odds,
    rolls_and_elections,
)
from waylog.rules.systems.course_flow.clauses import CLAUSES, TOPICS
from waylog.rules.systems.course_flow.sheet import HouseRules, Sheet, first_sheet
from waylog.rules.systems.course_flow.state_stages_and_typed_names import FirstCourse, Moment, OpenStages

ACT_KEYS = MappingProxyType(
    {
        "roll": VerbKeys(row=(RowKey.OPEN,)),
        "spend": VerbKeys(row=(RowKey.OPEN,)),
        "mark": VerbKeys(ActList.DAMAGE),
        # Which die is paired decides the roll, a win is taken or let go, and harm is done or spared: people say so, never a slip of the
        # hand.
        **dict.fromkeys(
            ("harm", "spare", "elect", "take", "wait", "offer", "react", "throw", "change"), VerbKeys(hurts=True)
        ),
        "recover": VerbKeys(ActList.MEND),
        "raise": VerbKeys(row=(RowKey.MORE,)),
    }
)
SYSTEM = Rulebook(
    id="course-flow",
    name="Course and Flow",
    about="Two dice and the Course, and Flows that rise until the moment is right",
    clauses=CLAUSES,
    topics=TOPICS,
    sheet=Sheet,
    first_sheet=first_sheet,
    rules=HouseRules,
    scene=OpenStages,
    session_begins=OpenStages((FirstCourse(),)),
    moment=Moment,
    chapters=(
        rolls_and_elections,
        odds,
        choices_and_consequences_after_rolls,
        course_flows_questions_and_tracks,
        crew_and_panels,
    ),
    wayfinder=(
        "award",
        "take",
        "course",
        "flow",
        "raise",
        "end",
        "resume",
        "join",
        "ship",
        "skill",
        "equip",
        "discard",
        "track",
        "matrix",
    ),
    wayfinder_answers=("react", "reaction", "pass", "course"),
    panels_of=crew_and_panels.panels,
    faults_of=crew_and_panels.faults,
    act_keys=ACT_KEYS,
    ships="ships",
    roll_key=RollKey(nothing="There is no crew yet. Press : and type “join” to add a crew member"),
)
