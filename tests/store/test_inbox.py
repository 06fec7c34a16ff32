"""The inbox: what players send, read as if an enemy had written it."""

import os
import stat
from pathlib import Path
from typing import Self

import pytest

from waylog.store.players import inbox
from waylog.store.players.inbox import Answer, AnswerKind, Inbox, InboxRefused, Letter, read_answer, send

ID = "00000001" + "ab" * 12
GOOD = f"waylog proposal 1\nby mara\nid {ID}\nsay roll mara\n"


def put(campaign: Path, data: bytes, name: str = f"{ID}.proposal", player: str = "mara") -> Path:
    """A file in a player's folder, whoever wrote it."""
    path = campaign / "inbox" / player / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def words(campaign: Path, *players: str) -> list[tuple[str, str]]:
    """What can be read."""
    return [(letter.by, letter.words) for letter in Inbox(campaign).read(players or ("mara",)).letters]


def test_what_is_sent_is_read_in_its_order(tmp_path: Path) -> None:
    """Each player's in the order of sending, whatever the clock says; a proposal waits until it is answered."""
    ids = [send(tmp_path, "mara", f"note {number}") for number in range(12)]
    send(tmp_path, "bo", "dice 2d6")
    for number, proposal in enumerate(ids):
        os.utime(tmp_path / "inbox" / "mara" / f"{proposal}.proposal", ns=(0, 10**18 - number))
    assert words(tmp_path, "mara", "bo") == [("mara", f"note {number}") for number in range(12)] + [("bo", "dice 2d6")]
    assert read_answer(tmp_path, "mara", ids[0]) == Answer(AnswerKind.WAITS)
    assert not [*(tmp_path / "inbox" / "mara").glob(".*")]


def test_an_answer_is_for_the_player_and_ends_the_wait(tmp_path: Path) -> None:
    """It keeps to one line, and says why."""
    proposal = send(tmp_path, "mara", "roll mara")
    Inbox(tmp_path).answer("mara", proposal, Answer(AnswerKind.DECLINED, "not\nnow,  “Mara”"))
    assert words(tmp_path) == []
    assert read_answer(tmp_path, "mara", proposal) == Answer(AnswerKind.DECLINED, "not now, “Mara”")
    assert read_answer(tmp_path, "mara", "f" * 32) == Answer(AnswerKind.GONE)
    assert read_answer(tmp_path, "bo", proposal) == Answer(AnswerKind.GONE)


def test_a_long_answer_is_cut_between_two_characters(tmp_path: Path) -> None:
    """So it can be read, however many bytes a character has."""
    proposal = send(tmp_path, "mara", "roll mara")
    Inbox(tmp_path).answer("mara", proposal, Answer(AnswerKind.DECLINED, "舟" * 900))
    answer = read_answer(tmp_path, "mara", proposal)
    assert answer.kind is AnswerKind.DECLINED
    assert {*answer.why} == {"舟"}
    assert len(answer.why) > 600


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\n", b"waylog answer 1", b"x" * 4096, b"waylog answer 1\nhidden\n"])
def test_what_is_no_answer_is_not_taken_for_one(tmp_path: Path, data: bytes) -> None:
    """The proposal still waits."""
    proposal = send(tmp_path, "mara", "roll mara")
    put(tmp_path, data, f"{proposal}.answer")
    assert read_answer(tmp_path, "mara", proposal) == Answer(AnswerKind.WAITS)


@pytest.mark.parametrize(
    "said", ["", "   ", "a\nb", "a\tb", "\x1b[2J", "a\u202eb", "\ud800", "x" * 1001, "舟" * 800, "a\x00b", "\u2028"]
)
def test_what_no_screen_should_show_is_not_sent(tmp_path: Path, said: str) -> None:
    """Control and invisible characters, too many characters, too many bytes, nothing at all."""
    with pytest.raises(InboxRefused):
        send(tmp_path, "mara", said)
    assert words(tmp_path) == []


@pytest.mark.parametrize("by", ["", "..", "a/b", "Mara", "-x", "x" * 40, "mara\n", ".hidden"])
def test_a_player_is_a_plain_word(tmp_path: Path, by: str) -> None:
    """The inbox takes only plain words as players, so that no name leads out of it."""
    with pytest.raises(InboxRefused):
        send(tmp_path, by, "note hello")
    put(tmp_path, GOOD.encode())
    assert Inbox(tmp_path).read((by,)).letters == ()


def test_a_player_has_only_so_many_waiting(tmp_path: Path) -> None:
    """The next is refused where it is typed, and more than that are not read, whoever put them there."""
    for number in range(inbox.MOST):
        send(tmp_path, "mara", f"note {number}")
    with pytest.raises(InboxRefused, match="64 proposals are already waiting"):
        send(tmp_path, "mara", "note again")
    for number in range(5):
        each = f"{number:08x}" + "cd" * 12
        put(tmp_path, GOOD.replace(ID, each).encode(), f"{each}.proposal")
    found = Inbox(tmp_path).read(("mara",))
    assert (len(found.letters), found.overfull) == (inbox.MOST, ("mara",))


def test_all_players_together_have_only_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look stays short, however many players there are."""
    monkeypatch.setattr(inbox, "MOST_IN_ALL", 5)
    players = ("a", "b", "c")
    for player in players:
        for number in range(3):
            send(tmp_path, player, f"note {number}")
    assert len(Inbox(tmp_path).read(players).letters) == 5


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        GOOD.encode()[:-1],
        GOOD.encode()[:30],
        GOOD.replace("by mara", "by bo").encode(),
        GOOD.replace(ID, "00000002" + "ab" * 12, 1).encode(),
        GOOD.replace("proposal 1", "proposal 2").encode(),
        GOOD.replace("say ", "").encode(),
        GOOD.encode() + b"more\n",
        GOOD.replace("roll", "\x1b]0;x\x07").encode(),
        GOOD.replace("roll mara", "").encode(),
        GOOD.replace("roll", "r\u200boll").encode(),
        GOOD.replace("roll", "r\roll").encode(),
        GOOD.replace("by mara", "by mara\x00").encode(),
        GOOD.encode().replace(b"roll", b"\xff\xfe"),
        GOOD.encode().replace(b"\n", b"\r\n"),
        GOOD.replace("roll", "x" * 1500).encode(),
        GOOD.replace("roll", "x" * 4000).encode(),
    ],
)
def test_what_is_no_proposal_is_not_taken_for_one(tmp_path: Path, data: bytes) -> None:
    """Cut short, of somebody else, under another id, with control characters in any line, too long, not UTF-8."""
    put(tmp_path, data)
    found = Inbox(tmp_path).read(("mara",))
    assert found.letters == ()
    assert [(bad.by, bad.id) for bad in found.unreadable] == [("mara", ID)]


def test_links_pipes_folders_and_devices_are_neither_followed_nor_waited_for(tmp_path: Path) -> None:
    """What isn't a small file, or has a gigabyte, is never read. It is answered and removed like anything that can't be read."""
    good = put(tmp_path, GOOD.encode(), "elsewhere", "bo")
    folder = tmp_path / "inbox" / "mara"
    folder.mkdir(parents=True)
    names = [f"{number:08x}" + "ab" * 12 for number in range(5)]
    (folder / f"{names[0]}.proposal").symlink_to(good)
    os.mkfifo(folder / f"{names[1]}.proposal")
    (folder / f"{names[2]}.proposal").mkdir()
    (folder / f"{names[3]}.proposal").symlink_to("/dev/zero")
    with (folder / f"{names[4]}.proposal").open("wb") as large:
        large.truncate(2**30)
    reader = Inbox(tmp_path)
    found = reader.read(("mara",))
    assert (found.letters, [bad.id for bad in found.unreadable]) == ((), names)
    for bad in found.unreadable:
        reader.answer("mara", bad.id, Answer(AnswerKind.DECLINED, bad.why))
    assert [*folder.glob("*.proposal")] == []
    assert good.read_text() == GOOD


def test_a_folder_that_leads_elsewhere_is_not_entered(tmp_path: Path) -> None:
    """Neither the inbox nor a player's part of it may be a link."""
    put(tmp_path / "real", GOOD.encode())
    linked = tmp_path / "linked"
    (linked / "inbox").mkdir(parents=True)
    (linked / "inbox" / "mara").symlink_to(tmp_path / "real" / "inbox" / "mara")
    assert words(linked) == []
    with pytest.raises(OSError, match="symbolic link"):
        send(linked, "mara", "note hello")
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "inbox").symlink_to(tmp_path / "real" / "inbox")
    assert words(whole) == []
    assert read_answer(tmp_path / "nowhere", "mara", ID) == Answer(AnswerKind.GONE)


def test_an_answer_is_not_written_through_a_link(tmp_path: Path) -> None:
    """A player who puts one in its place finds it replaced, and what it led to untouched."""
    proposal = send(tmp_path, "mara", "note hello")
    secret = tmp_path / "campaign.toml"
    secret.write_text("mine")
    (tmp_path / "inbox" / "mara" / f"{proposal}.answer").symlink_to(secret)
    Inbox(tmp_path).answer("mara", proposal, Answer(AnswerKind.PLAYED))
    assert secret.read_text() == "mine"
    assert read_answer(tmp_path, "mara", proposal) == Answer(AnswerKind.PLAYED)


def test_a_hundred_thousand_names_cost_as_much_as_a_thousand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look reads so many names and no more, and says whose folder has too many."""
    send(tmp_path, "bo", "note hello")
    folder = tmp_path / "inbox" / "mara"
    folder.mkdir()
    for number in range(3000):
        (folder / f"junk-{number}").touch()
    read = list[str]()
    scan = os.scandir

    class Counted:
        """Counts the names that are taken from a folder."""

        def __init__(self, at: int) -> None:
            self._entries = scan(at)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            self._entries.close()

        def __iter__(self) -> Self:
            return self

        def __next__(self) -> "os.DirEntry[str]":
            entry = next(self._entries)
            read.append(entry.name)
            return entry

    monkeypatch.setattr(os, "scandir", Counted)
    found = Inbox(tmp_path).read(("mara", "bo"))
    assert [letter.words for letter in found.letters] == ["note hello"]
    assert found.overfull == ("mara",)
    assert len(read) < 1100


def test_a_look_finds_what_changed_even_at_the_same_moment(tmp_path: Path) -> None:
    """The time of a folder counts only once it is certain that a later change has another."""
    reader = Inbox(tmp_path)
    players = ("mara",)
    assert not reader.has_news(players)
    send(tmp_path, "mara", "note 1")
    assert reader.has_news(players)
    reader.read(players)
    folder = tmp_path / "inbox" / "mara"
    before = folder.stat()
    send(tmp_path, "mara", "note 2")
    os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert reader.has_news(players)
    assert len(reader.read(players).letters) == 2


def test_only_the_latest_answers_are_kept(tmp_path: Path) -> None:
    """A folder doesn't grow for ever."""
    reader = Inbox(tmp_path)
    proposal = ""
    for number in range(80):
        proposal = send(tmp_path, "mara", f"note {number}")
        reader.answer("mara", proposal, Answer(AnswerKind.PLAYED))
    assert len([*(tmp_path / "inbox" / "mara").iterdir()]) == 64
    assert read_answer(tmp_path, "mara", proposal) == Answer(AnswerKind.PLAYED)


def test_an_answer_is_kept_when_the_clock_runs_backwards(tmp_path: Path) -> None:
    """All that was answered before seems to come later; and what is answered last may have been sent first."""
    reader = Inbox(tmp_path)
    first = send(tmp_path, "mara", "note first")
    for number in range(64):
        proposal = send(tmp_path, "mara", f"note {number}")
        reader.answer("mara", proposal, Answer(AnswerKind.PLAYED))
    for path in (tmp_path / "inbox" / "mara").glob("*.answer"):
        os.utime(path, (2**32, 2**32))
    last = send(tmp_path, "mara", "note last")
    reader.answer("mara", last, Answer(AnswerKind.DECLINED, "no"))
    assert read_answer(tmp_path, "mara", last) == Answer(AnswerKind.DECLINED, "no")
    reader.answer("mara", first, Answer(AnswerKind.PLAYED))
    assert read_answer(tmp_path, "mara", first) == Answer(AnswerKind.PLAYED)
    assert len([*(tmp_path / "inbox" / "mara").iterdir()]) == 64


def test_others_may_not_list_the_inbox(tmp_path: Path) -> None:
    """Other accounts can pass to their own folder, and read nobody else's."""
    send(tmp_path, "mara", "note hello")
    assert stat.S_IMODE((tmp_path / "inbox").stat().st_mode) & 0o066 == 0
    assert stat.S_IMODE((tmp_path / "inbox" / "mara").stat().st_mode) & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play as another account")
def test_a_player_with_an_account_of_their_own_sends(tmp_path: Path) -> None:
    """Their account may pass through the inbox, and owns their own folder in it."""
    send(tmp_path, "mara", "note hello")
    os.chown(tmp_path / "inbox" / "mara", 65534, 65534)
    tmp_path.chmod(0o711)
    if not (child := os.fork()):
        os.chdir(tmp_path)  # The folders above belong to the tests alone.
        os.setuid(65534)
        try:
            send(Path(), "mara", "roll mara")
        except OSError:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert words(tmp_path) == [("mara", "note hello"), ("mara", "roll mara")]


def test_a_letter_is_a_value(tmp_path: Path) -> None:
    """What is read is what was sent."""
    proposal = send(tmp_path, "mara", "roll mara 2 4 6")
    assert Inbox(tmp_path).read(("mara",)).letters == (Letter(proposal, "mara", "roll mara 2 4 6"),)
