"""One entry of the log: what is written of it, and what is made of an entry that Waylog 0.1 wrote."""

import zlib
from datetime import UTC, datetime

import pytest

from waylog.rules.model.facts import NoteFact
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry, decode_entry, encode_entry
from waylog.toml.document import UnreadableFile

AT = datetime(2026, 1, 5, 20, tzinfo=UTC)


def write_as_0_1(words: str, undoes: str = "") -> bytes:
    """An entry as Waylog 0.1 wrote it."""
    body = f'[[entry]]\nnumber = 9\nat = {AT.isoformat()}\nact = "{words}"\n{undoes}'.encode()
    return body + f'check = "{zlib.crc32(body):08x}"\n'.encode()


def test_kinds_are_written_under_names_that_never_change() -> None:
    """Each is a word of the log; a new one is added to this list."""
    assert [kind.value for kind in EntryKind] == [
        "play", "card", "effect", "set", "note", "secret", "scene", "scene title", "session begins", "session ends", "session",
        "undo", "redo", "misread", "rewind", "by hand", "by hand against play", "keep", "restore",
    ]  # fmt: skip


def test_a_title_of_0_1_is_read_out_of_its_sentence() -> None:
    """What 0.1 says of a scene that begins, without a quote of the title."""
    facts = b'facts = [{ kind = "note", text = "Scene: Deck 35" }, { kind = "note", text = "A new scene" }]'
    block = write_as_0_1("scene").replace(b"check", facts + b"\ncheck")
    assert [fact.quote for fact in decode_entry(block, "").facts if isinstance(fact, NoteFact)] == ["Deck 35", None]


@pytest.mark.parametrize("kind", EntryKind)
def test_a_kind_is_read_back_as_it_was_written(kind: EntryKind) -> None:
    """Only plain play is left out, and its words don't make anything else of it."""
    entry = LogEntry(9, AT, "keep 3", root=9, title="Keep the third card", kind=kind)
    assert (b"kind = " in encode_entry(entry)) is (kind is not EntryKind.PLAY)
    assert decode_entry(encode_entry(entry), "") == entry
    untitled = LogEntry(9, AT, "undo", root=9, kind=EntryKind.KEEP, settles=3)
    assert decode_entry(encode_entry(untitled), "") == untitled


def test_an_unknown_kind_is_unreadable() -> None:
    """Nothing is guessed where a person or a later Waylog has written another word."""
    with pytest.raises(UnreadableFile):
        decode_entry(encode_entry(LogEntry(9, AT, "x", kind=EntryKind.NOTE)).replace(b'"note"', b'"nose"'), "")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("undo", "undo"),
        ("undo 7", "undo"),
        ("redo", "redo"),
        ("rewind", "rewind"),
        ("by hand", "by hand"),
        ("by hand against play", "by hand against play"),
        ("keep 12", "keep"),
        ("keep mimic", "play"),
        ("restore 0003-000012", "restore"),
        ("restore entry 12", "restore"),
        ("note it counts", "note"),
        ("secret it counts", "secret"),
        ("scene", "scene"),
        ("scene 35", "scene"),
        ("session begin", "session begins"),
        ("session end", "session ends"),
        ("session title x", "session"),
        ("set ship.focus 2", "set"),
        ("effect storm", "effect"),
        ("return", "card"),
        ("roll nav 3 5", "play"),
        ("", "play"),
    ],
)
def test_words_of_0_1_say_the_kind(words: str, kind: str) -> None:
    """An entry without a kind and without a title is one of 0.1."""
    entry = decode_entry(write_as_0_1(words), "")
    assert entry.kind is EntryKind(kind)
    assert entry.settles == (12 if entry.kind is EntryKind.KEEP else 0)
