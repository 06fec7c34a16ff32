"""Twenty times that a wayfinder overrules a rule, each in one line, in five games."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.kit.table import written

SHIP = "[ship]\nfocus = 1\n"
LAMED = "[ship.tokens]\nengineering = false\n"
STORM = '[clocks.storm]\nname = "Storm"\nkind = "death"\nsegments = 6\nfilled = 0\nrunning = "desperate"\n'
DARK = '[situations.dark]\nname = "No power"\nmakes = "desperate"\n'
OUTSIDE = "exposed = true\nlife_support = false\n"
LIMITER = '[crew.lars]\nname = "Lars"\nadvancements = ["limiter-override"]\nfocus = 1\n'
MARA = '[crew.mara]\nname = "Mara"\n'
CAMPAIGNS = {
    "core": ("veil-core", f"{SHIP}{LAMED}{MARA}vitality = 2\nfocus = 1\n{OUTSIDE}{LIMITER}"),
    "storm": ("veil-core", f"{SHIP}{STORM}{DARK}{MARA}vitality = 2\n"),
    "now": ("veil-2026", f"{SHIP}{LAMED}{MARA}"),
    "first": ("veil-classic", f"{LAMED}{MARA}"),
    "reference": ("veil-reference", f"{LAMED}{MARA}"),
    "course": ("course-flow", '[course]\ndie = "daring"\nface = 4\n[crew.iko]\nname = "Iko"\n'),
}  # fmt: skip
"""Campaigns by name: the game, and what their files say."""


class Overruling(NamedTuple):
    """A line that overrules a rule."""

    wish: str
    campaign: str
    line: str
    clause: str
    """Of the rule; empty where a house rule is set, which the log doesn't call overruled."""


OVERRULINGS = (
    Overruling("lost engineering is forgiven for one roll", "core", "roll nav standard-anyway", "VK-17"),
    Overruling("Exposed in a broken suit is forgiven for one roll", "core", "roll mara standard-anyway", "VK-18"),
    Overruling("a limiter is forgiven for one roll", "core", "roll lars standard-anyway", "VK-69"),
    Overruling("a clock is forgiven for one roll", "storm", "roll mara standard-anyway without-dark", "NM-25"),
    Overruling("a situation is forgiven for one roll", "storm", "roll nav standard-anyway", "NM-19"),
    Overruling("two CORE dice for free", "core", "roll nav +2", "VK-01"),
    Overruling("one CORE die less", "core", "roll nav -1", "VK-01"),
    Overruling("two dice for free for a crew member", "core", "roll mara +2", "VK-12"),
    Overruling("both at once", "core", "roll nav standard-anyway +1", "VK-17"),
    Overruling("a die for a healer", "core", "heal mara by-lars +1", "VK-12"),
    Overruling("a forced roll is only Risky", "now", "roll nav risky-anyway", "VK-17"),
    Overruling("lost engineering is forgiven in the first edition", "first", "roll mara engines standard-anyway", "VC-09"),
    Overruling("a die for free in the first edition", "first", "roll mara engines +1", "VC-07"),
    Overruling("a die for free in the reference edition", "reference", "roll mara engines +1", "RF-04"),
    Overruling("the ship has two dice more", "core", "overrule ship.core.NAV 4", "VK-01"),
    Overruling("a fourth Focus", "core", "overrule crew.mara.focus 4", "VK-04"),
    Overruling("vitality 5", "core", "overrule crew.mara.vitality 5", "VK-05"),
    Overruling("a fifth personal die", "first", "overrule crew.mara.personal 5", "VC-03"),
    Overruling("Exposed never matters at this table", "core", "set house_rules.exposed never", ""),
    Overruling("any threshold at this table", "course", "set house_rules.thresholds any", ""),
)  # fmt: skip


def begin(folder: Path, name: str) -> Path:
    """Write one of the campaigns."""
    game, text = CAMPAIGNS[name]
    return written(folder, f'format = 1\nname = "Trial"\nsystem = "{game}"\nlog = "0001:0"\n\n{text}')
