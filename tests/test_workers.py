"""Several processes run the tests: all of them, also when one ends a process, and no more than were wanted."""

import pytest

from tests.kit import ROOT

ENDS = """
    import os
    import pytest

    @pytest.mark.parametrize("number", range(40))
    def test_it(number, tmp_path):
        (tmp_path / "file").touch()
        if number == 5:
            os._exit(3)
"""
FAILS = """
    import pytest

    @pytest.mark.parametrize("number", range(4000))
    def test_it(number):
        assert number
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own, whose tests may run in several processes."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:asyncio -p no:cacheprovider --workers 2")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest('pytest_plugins = ["tests.workers"]')
    return pytester


def test_a_test_that_ends_its_process_fails_and_all_others_run(project: pytest.Pytester) -> None:
    """Those that were waiting for that process run in another."""
    project.makepyfile(ENDS)
    result = project.runpytest_subprocess()
    result.assert_outcomes(passed=39, failed=1)
    result.stdout.fnmatch_lines(["*TestEndedWorkerError: the process that ran this test ended with status 3"])
    result.stdout.fnmatch_lines(["FAILED *::test_it?5?*"])


def test_no_more_begin_after_the_last_failure_that_is_wanted(project: pytest.Pytester) -> None:
    """With -x, the run ends soon after the first failure."""
    project.makepyfile(FAILS)
    result = project.runpytest_subprocess("-x")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes.get("passed", 0) < 3900
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])
