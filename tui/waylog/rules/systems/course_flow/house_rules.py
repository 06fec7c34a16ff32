"""House rules: where the rules leave something open, what the table plays."""

from __future__ import annotations

from typing import Annotated, Literal

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the rules leave open."""

    wayfinder_course: Annotated[
        Literal["any-time", "first-only"], "When the wayfinder may set a Course: any-time, or first-only (CF-12)"
    ] = "any-time"
    not_yet_without_flow: Annotated[
        Literal["new-flow", "nothing"], "Not yet, with no Flow in the roll: a new-flow at 1, or nothing (CF-17)"
    ] = "new-flow"
    daring_lasts: Annotated[
        Literal["next-course", "this-roll"],
        "A high Daring holds until the next-course after its roll's own, or for this-roll alone (CF-15)",
    ] = "next-course"
    harm_and_notice: Annotated[
        Literal["asked", "told"], "Harm and being noticed are asked of the wayfinder, or only told in the log (CF-22)"
    ] = "asked"
    free_answers: Annotated[
        Literal["raise-flow", "answer-only"],
        "The answer to a free question: raise-flow, as with a token, or answer-only (CF-31)",
    ] = "raise-flow"
    best_election: Annotated[
        Literal["intent", "fewest-ties"],
        "What odds elect: the intent first, or fewest-ties; any one roll has the same chances by both (CF-40)",
    ] = "intent"
