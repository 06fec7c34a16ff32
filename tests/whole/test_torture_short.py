"""Nothing is lost: a taste of every harness in `torture/`. CI runs their short form beside the tests."""

import os
import subprocess
import sys

import pytest

from tests.kit import ROOT
from torture.figures import Harness
from torture.run import HARNESSES

_SEED = "20260105"
"""The same cases in every run, so that a failure is the change's own; CI's short form takes others each time."""


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_nothing_is_lost(harness: Harness) -> None:
    """The harness finds no fault. Where it can't run, its tools must be installed in CI; only mounting may need more."""
    if reason := harness.missing():
        if os.environ.get("CI") == "true" and not harness.mounts:
            pytest.fail(reason)
        pytest.skip(reason)
    command = [sys.executable, "-m", "torture", "--taste", "--seed", _SEED, "--only", harness.name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
