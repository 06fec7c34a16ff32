"""Veil Runners, the core rules."""

from tests.rules import legal
from tests.rules.trial import Trial

ACROSS = {"VK-74", "VK-19"}
"""Ingenuity on a roll that is called Desperate; a roll all of whose dice the wayfinder takes."""

TRIAL = Trial(legal.GAMES["veil-core"], legal.states("veil-core"), ACROSS, proves=("VK-01", "VK-04", "VK-05", "VK-21"))
