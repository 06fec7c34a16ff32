"""Veil Runners, the edition of 2026."""

from tests.rules import legal
from tests.rules.trial import Trial
from tests.rules.trials.veil_core import ACROSS

TRIAL = Trial(legal.GAMES["veil-2026"], legal.states("veil-2026"), ACROSS, proves=("VK-04", "VK-05", "VK-21", "VN-01"))
