"""What an outcome means for the story, in one line after the roll (RF-17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.turns import Mood

PROMPTS: Mapping[Mood, tuple[str, ...]] = MappingProxyType(
    {
        Mood.FIASCO: (
            "A door shuts and another opens. What comes through it?",
            "This way is closed now. Which new threat shows the next?",
            "It costs something unforeseen. What matters more from here on?",
        ),
        Mood.DRAWBACK: (
            "They have it, with something that nobody ordered. What?",
            "It works, and it leaves a mark. Where?",
            "Done, and noticed. By whom, or what?",
        ),
        Mood.SUCCESS: (
            "As planned. What is within the crew's reach that wasn't before?",
            "The plan holds. How is the crew closer to what it came for?",
            "It goes the crew's way. What does that open up ahead?",
        ),
    }
)
"""Several for each outcome, as the same one over and over is soon not read."""


def prompt(moment: Moment, outcome: Mood, faces: Sequence[int]) -> Moment:
    """The same with a prompt told. Which one follows from the dice, so that a log played again says the same."""
    if moment.rules.prompts == "off":
        return moment
    lines = PROMPTS[outcome]
    return moment.says(lines[sum(faces) % len(lines)], "RF-17")
