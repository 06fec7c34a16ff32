"""Every file that is no TOML is answered by `waylog check` with a place and exit code 1, and is left as it is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.toml_suite import NotFetched, Suite, suite

PLACE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*):(?P<column>[1-9]\d*): \S.*")


@pytest.fixture(scope="module")
def files() -> Suite:
    """The TOML project's own files; without them the tests skip at a desk and fail in CI."""
    try:
        return suite()
    except NotFetched as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_each_invalid_file_is_answered_with_its_place(files: Suite, tmp_path: Path) -> None:
    """As a campaign's file, each is named with line and column, by exit code 1, and not a byte of it changes."""
    waylog = CommandLine(tmp_path)
    path = waylog.file("broken")
    path.parent.mkdir()
    for file in files.invalid:
        data = file.read_bytes()
        path.write_bytes(data)
        ran = waylog("check", "broken")
        assert (ran.code, ran.out) == (1, ""), file
        (line,) = ran.err.splitlines()
        found = PLACE.fullmatch(line)
        assert found, (file, line)
        assert found["file"] == str(path)
        assert int(found["line"]) <= data.count(b"\n") + 1
        assert path.read_bytes() == data, file
    assert [entry.name for entry in path.parent.iterdir()] == ["campaign.toml"]


def test_files_are_answered_under_the_name_they_were_given(
    files: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path is said back as it was typed, so that an editor can go there."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "campaign.toml").write_bytes(files.invalid[0].read_bytes())
    (tmp_path / "other.toml").write_bytes(files.invalid[1].read_bytes())
    monkeypatch.chdir(tmp_path)
    waylog = CommandLine(tmp_path)
    for given, said in (
        ("far", "far/campaign.toml"),
        ("./far", "far/campaign.toml"),
        ("far/campaign.toml", "far/campaign.toml"),
        (str(tmp_path / "far"), "far/campaign.toml"),
        ("other.toml", "other.toml"),
        ("../" + tmp_path.name + "/other.toml", f"../{tmp_path.name}/other.toml"),
    ):
        ran = waylog("check", given)
        assert ran.code == 1
        assert ran.err.startswith(f"{said}:"), given


def test_valid_files_that_are_no_campaigns_are_problems_too(files: Suite, tmp_path: Path) -> None:
    """A TOML file about something else is answered in words as well."""
    waylog = CommandLine(tmp_path)
    path = waylog.file("strange")
    path.parent.mkdir()
    for file in files.valid:
        path.write_bytes(file.read_bytes())
        ran = waylog("check", "strange")
        assert ran.code == 1, file
        assert all(PLACE.fullmatch(line) for line in ran.err.splitlines()), (file, ran.err)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe\x00", "1:1: the file is UTF-16: save it as UTF-8"),
        (b"name = 'a\xffb'", "1:10: the byte 0xFF is not UTF-8: save the file as UTF-8"),
        (b"x = " + b"[" * 5000, "1:"),
        (b"x = " + b"9" * 5000, "1:5: the number has too many digits to be read"),
        (b"", "1:1: system is missing. Set it to one of"),
    ],
)
def test_worse_files_have_an_answer_too(tmp_path: Path, data: bytes, said: str) -> None:
    """Other encodings, brackets without end, endless numbers, nothing at all."""
    waylog = CommandLine(tmp_path)
    waylog.file("worse").parent.mkdir()
    waylog.file("worse").write_bytes(data)
    ran = waylog("check", "worse")
    assert ran.code == 1
    assert ran.err.startswith(f"{waylog.file('worse')}:{said}")


def test_what_is_no_file_is_answered_not_waited_for(tmp_path: Path) -> None:
    """A pipe, a folder and a broken link in the place of the file are named as what they are."""
    waylog = CommandLine(tmp_path)
    for name in ("pipe", "folder", "link"):
        waylog.file(name).parent.mkdir()
    os.mkfifo(waylog.file("pipe"))
    waylog.file("folder").mkdir()
    waylog.file("link").symlink_to("nowhere")
    ran = waylog("check", "pipe", "folder", "link")
    assert ran.code == 1
    assert ran.err.splitlines() == [
        f"{waylog.file('pipe')}:1:1: can't be read: it is a device or pipe, not a file",
        f"{waylog.file('folder')}:1:1: can't be read: it is a folder, not a file",
        f"{waylog.file('link')}:1:1: there is no such file",
    ]


def test_a_real_process_says_the_same(files: Suite, tmp_path: Path) -> None:
    """Some of the files through the program itself: one line on stderr, exit code 1, no traceback."""
    for number, file in enumerate(files.invalid[::100]):
        path = tmp_path / f"{number}.toml"
        path.write_bytes(file.read_bytes())
        ran = subprocess.run(
            [sys.executable, "-m", "waylog", "check", str(path)], capture_output=True, check=False, timeout=60
        )
        assert (ran.returncode, ran.stdout) == (1, b""), file
        (line,) = ran.stderr.decode().splitlines()
        assert PLACE.fullmatch(line)
        assert path.read_bytes() == file.read_bytes()
