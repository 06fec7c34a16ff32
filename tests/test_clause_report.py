"""The count of clauses: what passes is counted, what is missing fails, what is unknown is refused."""

import pytest

from tests.kit import ROOT
from waylog.rules.common import clauses as every_game
from waylog.rules.systems.veil_2026 import clauses as veil_2026
from waylog.rules.systems.veil_core import clauses as veil_core

WHOLE = """
    import pytest

    @pytest.mark.clause("AA-01")
    def test_by_mark():
        pass

    def test_by_call(clauses):
        clauses("AA-02", "BB-01")
"""
UNLISTED = """
    import pytest

    @pytest.mark.clause("AA-99")
    @pytest.mark.skip(reason="a skip hides nothing")
    def test_mark():
        pass

    def test_call(clauses):
        clauses("AA-98")
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own with two lists and three clauses."""
    # What the ledger needs none of costs each run a second.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:asyncio -p no:cacheprovider")
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\nclause_package = "game"\npythonpath = ["."]\n')
    pytester.makeconftest('pytest_plugins = ["tests.clause_report"]')
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    files = {
        "game/__init__": "",
        "game/clauses": 'CLAUSES = {"AA-01": "One.", "AA-02": "Two."}',
        "game/b/__init__": "",
        "game/b/clauses": 'CLAUSES = {"BB-01": "Three."}',
    }
    for name, text in files.items():
        path = pytester.path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return pytester


def test_a_full_run_counts_marks_and_calls(project: pytest.Pytester) -> None:
    """A run that proves every clause passes and says the count."""
    project.makepyfile(WHOLE)
    result = project.runpytest_inprocess("--all-clauses")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["clauses proved / listed: 3 / 3"])
    assert result.ret == pytest.ExitCode.OK


def test_several_processes_count_together(project: pytest.Pytester) -> None:
    """What tests prove in several processes is counted as one, what no test proves fails the run, and an unlisted clause is an error."""
    project.makepyfile(test_one=WHOLE.replace(', "BB-01"', ""), test_two=UNLISTED)
    result = project.runpytest_subprocess("--all-clauses", "-n", "2")
    result.assert_outcomes(passed=2, errors=1, failed=1)
    result.stdout.fnmatch_lines(["not proved by any passing test: BB-01  Three.", "clauses proved / listed: 2 / 3"])
    result.stdout.fnmatch_lines_random(["*no such clause: AA-99*", "*no such clause: AA-98*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_gap_fails_a_full_run(project: pytest.Pytester) -> None:
    """A clause that no test names fails a run in which every test passed, and is named."""
    project.makepyfile("""
        import pytest

        @pytest.mark.clause("AA-01", "BB-01")
        def test_two_of_three():
            pass
    """)
    result = project.runpytest_inprocess("--all-clauses")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["not proved by any passing test: AA-02  Two.", "clauses proved / listed: 2 / 3"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_only_a_test_that_passes_proves(project: pytest.Pytester) -> None:
    """A failure, a skip, an expected failure and a failing teardown prove nothing."""
    project.makepyfile("""
        import pytest

        @pytest.mark.clause("AA-01")
        def test_fails():
            assert False

        @pytest.mark.clause("AA-01")
        @pytest.mark.skip(reason="not now")
        def test_skipped():
            pass

        @pytest.mark.xfail
        def test_expected_to_fail(clauses):
            clauses("AA-02")
            assert False

        @pytest.mark.xfail(strict=False)
        @pytest.mark.clause("AA-02")
        def test_expected_to_fail_and_passes():
            pass

        @pytest.fixture
        def broken():
            yield
            raise OSError

        @pytest.mark.clause("BB-01")
        def test_torn_down_badly(broken):
            pass
    """)
    result = project.runpytest_inprocess("--all-clauses")
    result.stdout.fnmatch_lines(["clauses proved / listed: 0 / 3"])


def test_an_unlisted_clause_is_an_error(project: pytest.Pytester) -> None:
    """A mark or a call that names what no list holds fails its test and says which id."""
    project.makepyfile(UNLISTED)
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1, failed=1)
    result.stdout.fnmatch_lines_random(["*no such clause: AA-99*", "*no such clause: AA-98*"])


def test_a_part_of_the_tests_owes_nothing(project: pytest.Pytester) -> None:
    """Without the option, a run that proves little passes and no count is shown."""
    project.makepyfile("def test_nothing():\n    pass\n")
    result = project.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("clauses proved*")


def test_only_tests_that_prove_a_clause_are_run_if_that_is_asked_for(project: pytest.Pytester) -> None:
    """By a mark or by a call; a test that proves nothing is left out, and so is one whose mark names no clause."""
    nothing = "\n    def test_nothing():\n        assert False\n"
    without_a_name = "\n    @pytest.mark.clause()\n    def test_no_clause():\n        assert False\n"
    project.makepyfile(WHOLE + nothing + without_a_name)
    result = project.runpytest_inprocess("--only-marked")
    result.assert_outcomes(passed=2, deselected=2)


def test_an_id_in_two_lists_is_refused(project: pytest.Pytester) -> None:
    """Two lists that hold the same id are a mistake, and the run does not begin."""
    (project.path / "game/b/clauses.py").write_text('CLAUSES = {"AA-01": "Again."}')
    project.makepyfile(WHOLE)
    result = project.runpytest_inprocess("--all-clauses")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*game.clauses lists again: AA-01*"])


def test_the_lists_are_whole() -> None:
    """The lists hold every clause of their games, in order, each a sentence that fits two lines of a wide screen."""
    core = [*range(1, 9), *range(10, 22), *range(30, 46), *range(50, 55), *range(60, 71), *range(73, 79)]
    assert list(veil_core.CLAUSES) == [f"VK-{number:02}" for number in core]
    assert list(veil_2026.CLAUSES) == [f"VN-{number:02}" for number in range(1, 7)]
    every = [*range(1, 6), *range(10, 30), *range(40, 51)]
    free_dice = [f"FD-{number:02}" for number in range(1, 4)]
    assert list(every_game.CLAUSES) == [*(f"NM-{number:02}" for number in every), *free_dice]
    for clause in (*veil_core.CLAUSES.values(), *veil_2026.CLAUSES.values(), *every_game.CLAUSES.values()):
        text = clause.text
        assert text.endswith(".")
        assert len(text) <= 240
