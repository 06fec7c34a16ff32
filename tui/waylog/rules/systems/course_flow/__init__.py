"""Course and Flow."""

from waylog.rules.systems.course_flow.clauses import CLAUSES
from waylog.rules.systems.course_flow.system import CourseFlow

SYSTEM = CourseFlow(
    id="course-flow",
    name="Course and Flow",
    about="Two dice beside the Course, and Flows that gather until the moment is right",
    clauses=CLAUSES,
)
