"""The TOML project's own test files: all valid ones are read and changed without a scratch, all invalid ones refused."""

import os

import pytest

from tests.toml.toml_documents import all_paths
from tests.toml_suite import NotFetched, Suite, suite
from waylog.toml.document import Document, EditRefused, UnreadableFile, lookup


@pytest.fixture(scope="module")
def files() -> Suite:
    """The files; without them the tests skip at a desk and fail in CI."""
    try:
        return suite()
    except NotFetched as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_the_suite_is_whole(files: Suite) -> None:
    """The fixture found the files of TOML 1.0.0, not an empty folder."""
    assert len(files.valid) > 200
    assert len(files.invalid) > 450


def test_every_valid_file_is_read_and_kept_to_the_byte(files: Suite) -> None:
    """What is valid TOML 1.0 opens, and its pieces are the file."""
    for file in files.valid:
        data = file.read_bytes()
        document = Document.parse(data, file.name)
        assert document.data == data
        assert "".join(piece.text for piece in document.index.pieces) == document.text, file


def test_every_value_of_a_valid_file_can_be_changed_and_put_back(files: Suite) -> None:
    """Setting any written value and setting it back with its spelling gives the same bytes."""
    for file in files.valid:
        document = Document.parse(file.read_bytes(), file.name)
        for path in all_paths(document.tree):
            spelling, value = document.spelling(path), lookup(document.tree, path)
            if spelling is None:
                continue
            changed = document.set(path, "other" if value != "other" else 1)
            assert changed.data != document.data, (file, path)
            assert changed.set(path, value, spelling).data == document.data, (file, path)


def test_every_key_of_a_valid_file_can_be_removed(files: Suite) -> None:
    """Removing takes out the key and nothing else, or is refused."""
    for file in files.valid:
        document = Document.parse(file.read_bytes(), file.name)
        for path in all_paths(document.tree):
            try:
                without = document.remove(path)
            except EditRefused:
                continue
            assert path not in all_paths(without.tree), (file, path)


def test_every_invalid_file_is_refused_with_a_place(files: Suite) -> None:
    """What is not TOML 1.0 ends in a problem with line and column, never in anything else."""
    for file in files.invalid:
        data = file.read_bytes()
        with pytest.raises(UnreadableFile) as caught:
            Document.parse(data, file.name)
        (problem,) = caught.value.problems
        assert 1 <= problem.line <= data.count(b"\n") + 1, file
        assert 1 <= problem.column <= len(data) + 1, file
