"""What players propose at the table: understood, played once, or declined (NM-45)."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.kit.table import Falling, play, ticking, written
from tests.kit.thorough import cases
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.store.files_and_lock import PLAYERS
from waylog.store.log.grouped_acts_and_texts import describe_entries
from waylog.store.log.search_and_filters import LogQuery, Person
from waylog.store.players.inbox import AT_HAND, Answer, AnswerKind, read_answer, send
from waylog.store.players.players_file import decode_projection
from waylog.store.players.proposals import Proposal
from waylog.table import LogWriteFailed, Table
from waylog.words.sentences import sight_of

CAMPAIGN = """\
format = 1
name = "Trial"
system = "veil-core"
log = "0001:0"

[crew.odile]
name = "Odile"
focus = 1
primary = { name = "tether gun" }

[crew.bram]
name = "Bram"

[clocks.storm]
name = "The storm"
kind = "death"
segments = 4

[clocks.voice]
name = "What learned to count"
kind = "augury"
segments = 6
seen = false

[players.ana]
name = "Ana"
character = "odile"
may = ["note"]

[players.ben]
name = "Ben"
character = "bram"
may = ["roll", "tick"]
"""


class Seat:
    """A campaign with its wayfinder's table and two players."""

    def __init__(self, folder: Path, *faces: int) -> None:
        self.folder = written(folder, CAMPAIGN)
        self.table = self.open(*faces)

    def open(self, *faces: int) -> Table:
        """Another window of the wayfinder."""
        return Table(self.folder, now=ticking(), chance=Falling(*faces))

    def say(self, who: str, words: str) -> str:
        """A player sends a line, and the wayfinder's program looks."""
        proposal = send(self.folder, who, words)
        self.table.refresh()
        return proposal

    def answer(self, who: str, proposal: str) -> tuple[AnswerKind, str]:
        """What the player reads."""
        found = read_answer(self.folder, who, proposal)
        return found.kind, found.why

    @property
    def waiting(self) -> list[tuple[str, str]]:
        """Who waits, with what it means."""
        return [(each.name, each.title) for each in self.table.proposals]

    @property
    def log(self) -> list[tuple[str, str]]:
        """Who did what, oldest first."""
        return [(entry.by, entry.words) for entry in reversed([*self.table.entries()])]


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """Everybody sits down; dice fall as 5 and 6."""
    return Seat(tmp_path / "trial", *[5, 6] * 50)


@pytest.mark.clause("NM-45")
def test_a_proposal_waits_with_its_odds_until_it_is_played(seat: Seat) -> None:
    """The entry says who it was and which proposal; undo takes it back like any other."""
    proposal = seat.say("ana", "roll odile primary")
    (found,) = seat.table.proposals
    assert (found.id, found.by, found.words) == (proposal, "ana", "roll odile primary")
    assert (found.title, found.why, found.alone) == ("Roll for Odile: tether gun", None, False)
    assert found.odds
    assert found.odds.dice == "5d6: vitality 3 + tether gun 2"
    assert seat.answer("ana", proposal) == (AnswerKind.WAITS, "")
    entry = seat.table.accept(proposal)
    assert (entry.by, entry.proposal, entry.title) == ("ana", proposal, "Ana: Roll for Odile: tether gun")
    assert seat.answer("ana", proposal) == (AnswerKind.PLAYED, "")
    assert seat.waiting == []
    sight = sight_of(seat.table.snapshot)
    text = describe_entries([entry], name_player=sight.name_player)
    assert text.sentence == "Odile rolls (tether gun) · by Ana"
    asked = seat.table.accept(seat.say("ana", "spotlight ana"))
    assert describe_entries([asked], name_player=sight.name_player).sentence == "Ana asks for the spotlight"
    group = seat.table.accept(seat.say("ana", "group odile bram"))
    assert describe_entries([group], name_player=sight.name_player).sentence == "Ana: Group roll: Odile, Bram"
    seat.table.undo()
    seat.table.undo()
    assert entry.number in [*seat.table.log_search().find(LogQuery(person=Person("players.ana", "Ana")))]
    seat.table.undo()
    assert seat.table.snapshot.act[0].undoes == (entry.number,)
    assert seat.open().entry(entry.number) == entry


@pytest.mark.clause("NM-45")
def test_a_proposal_is_declined_with_a_word(seat: Seat) -> None:
    """The log has nothing of it."""
    proposal = seat.say("ana", "roll odile")
    seat.table.decline(proposal, "first the door")
    assert seat.answer("ana", proposal) == (AnswerKind.DECLINED, "first the door")
    assert (seat.waiting, seat.log) == ([], [])
    for act in (seat.table.accept, seat.table.decline):
        with pytest.raises(ActRefused, match="this proposal has already been played or declined"):
            act(proposal)


@pytest.mark.clause("NM-20", "NM-45")
@pytest.mark.parametrize("words", ['note "{}"', 'dice 2d6 "{}"'])
@pytest.mark.parametrize("quoted", ["What learned to count", "“What learned to count”"])
def test_what_a_player_writes_is_never_hidden_by_what_it_names(seat: Seat, words: str, quoted: str) -> None:
    """Otherwise they could guess at the names of hidden clocks. The wayfinder's own words are hidden with the clock."""
    command = words.format(quoted)
    seat.table.play(seat.table.understand(command))
    assert seat.table.projection().log == ()
    proposal = seat.say("ana", command)
    if seat.table.proposals:
        seat.table.accept(proposal)
    (act,) = seat.table.projection().log
    assert any(quoted in fact.text for fact in act.facts if isinstance(fact, NoteFact))


@pytest.mark.clause("NM-20", "NM-45")
def test_dice_of_a_player_are_not_hidden_by_what_they_are_for(seat: Seat) -> None:
    """A player sees the dice of their own act, also if the wayfinder types them."""
    seat.table.accept(seat.say("ana", 'dice 2d6 "What learned to count" 4'))
    seat.table.play(seat.table.understand("dice 3"))
    (act,) = seat.table.projection().log
    assert any("count: 2d6 = 7" in fact.text for fact in act.facts if isinstance(fact, NoteFact))


@pytest.mark.clause("NM-45", "NM-44")
def test_what_the_list_allows_is_played_at_once(seat: Seat) -> None:
    """What the list allows is played at once, and so is what finishes it. Anything else waits."""
    noted = seat.say("ana", "note I look at the lamp")
    assert seat.answer("ana", noted) == (AnswerKind.PLAYED, "")
    rolled = seat.say("ben", "roll bram 1 2 4")
    assert seat.answer("ben", rolled) == (AnswerKind.PLAYED, "")
    assert seat.log == [("ana", 'note "I look at the lamp"'), ("ben", "roll bram")]
    waits = seat.say("ana", "tick storm")
    assert seat.answer("ana", waits) == (AnswerKind.WAITS, "")
    assert seat.answer("ben", seat.say("ben", "tick storm")) == (AnswerKind.PLAYED, "")


@pytest.mark.clause("NM-45")
def test_leave_for_the_evening_plays_at_once_until_the_session_ends(seat: Seat) -> None:
    """It begins and ends with acts like any other, so undo takes it back."""
    for words in ("session begin", "allow ana roll"):
        seat.table.play(seat.table.understand(words))
    seat.say("ana", "roll odile 1 2 4")
    assert seat.log[-1] == ("ana", "roll odile")
    assert seat.table.projection().players[0].may == ("note", "roll")
    seat.table.undo()
    seat.table.undo()
    waits = seat.say("ana", "roll odile 1 2 4")
    assert seat.answer("ana", waits) == (AnswerKind.WAITS, "")
    seat.table.decline(waits)
    for words in ("allow ana roll", "session end"):
        seat.table.play(seat.table.understand(words))
    assert seat.answer("ana", seat.say("ana", "roll odile 1 2 4")) == (AnswerKind.WAITS, "")
    assert "tonight" not in (seat.folder / "campaign.toml").read_text()


@pytest.mark.clause("NM-45")
def test_nobody_acts_for_another_character(seat: Seat) -> None:
    """A player can't act for another character, neither in full nor by an answer to a question that is theirs."""
    theirs = seat.say("ben", "roll odile")
    assert seat.answer("ben", theirs) == (
        AnswerKind.DECLINED,
        "this action belongs to another character (you play Bram)",
    )
    seat.table.play(seat.table.understand("roll odile 5 2 1"))
    assert "Spend Focus" in (seat.table.snapshot.question or "")
    for words in ("keep", "focus 5", "spotlight ana"):
        seat.say("ben", words)
    assert {entry.by for entry in seat.table.entries()} == {""}
    kept = seat.say("ana", "keep")
    assert seat.answer("ana", kept) == (AnswerKind.WAITS, "")
    assert seat.table.accept(kept).by == "ana"


@pytest.mark.clause("NM-45")
def test_what_is_asked_first_makes_others_wait(seat: Seat) -> None:
    """A proposal that isn't possible while a question is open is looked at again, and played if it may be."""
    seat.table.play(seat.table.understand("roll odile 5 2 1"))
    proposal = seat.say("ben", "roll bram 1 2 4")
    unclear = seat.say("ben", "roll it")
    assert [(each.name, each.title, each.waits) for each in seat.table.proposals] == [
        ("Ben", "Roll for Bram", True),
        ("Ben", "roll it", True),
    ]
    seat.table.decline(unclear)
    seat.table.play(seat.table.understand("keep"))
    assert seat.answer("ben", proposal) == (AnswerKind.WAITS, "")
    seat.table.refresh()
    assert seat.answer("ben", proposal) == (AnswerKind.PLAYED, "")


@pytest.mark.clause("NM-45")
def test_a_wrong_answer_to_what_is_asked_is_declined_at_once(seat: Seat) -> None:
    """It would not become right by waiting for another question."""
    seat.table.play(seat.table.understand("roll odile 5 2 1"))
    proposal = seat.say("ana", "keep 4 4")
    kind, why = seat.answer("ana", proposal)
    assert kind is AnswerKind.DECLINED
    assert "dice" in why


@pytest.mark.clause("NM-45")
def test_a_hidden_thing_and_one_that_does_not_exist_are_refused_alike(seat: Seat) -> None:
    """In the same words but for the name that was typed."""
    said = {
        name: seat.answer("ben", seat.say("ben", words.format(name)))
        for words in ("tick {}", "roll bram on {}", "note-{}", "show clock {}", "on {}")
        for name in ("voice", "nonsense")
        for name in [f"{words}{name}"]
    }
    assert {kind for kind, _ in said.values()} == {AnswerKind.DECLINED}
    whys = [why.replace("voice", "…").replace("nonsense", "…") for _, why in said.values()]
    assert whys[::2] == whys[1::2]
    assert not any("count" in why for why in whys)


def test_simultaneous_proposals_are_all_kept(seat: Seat) -> None:
    """Those of several players, from several looks, in the order of each player."""
    for number in range(3):
        send(seat.folder, "ana", f"roll odile {number + 1} 2 3")
        send(seat.folder, "ben", "heal odile by-bram")
    seat.table.refresh()
    assert [each.words for each in seat.table.proposals if each.by == "ana"] == [
        f"roll odile {number + 1} 2 3" for number in range(3)
    ]


def test_a_proposal_is_there_whenever_somebody_looks(seat: Seat) -> None:
    """It waits on the disk while no program runs, and two windows play it once."""
    send(seat.folder, "ana", "roll odile")
    one, other = seat.open(), seat.open()
    one.refresh()
    other.refresh()
    (proposal,) = one.proposals
    assert [each.id for each in other.proposals] == [proposal.id]
    one.accept(proposal.id)
    with pytest.raises(ActRefused, match="this proposal has already been played or declined"):
        other.accept(proposal.id)
    other.refresh()
    assert not other.proposals
    assert len([*other.entries()]) == 1


def test_a_window_that_only_looks_on_answers_nothing(seat: Seat) -> None:
    """It shows what waits, and leaves the inbox as it is."""
    send(seat.folder, "ana", "note hello")
    send(seat.folder, "ana", "nonsense")
    looking = Table(seat.folder, now=ticking(), chance=Falling(), read_only=True)
    looking.refresh()
    assert len(looking.proposals) == 2
    assert len([*(seat.folder / "inbox" / "ana").glob("*.proposal")]) == 2


class KilledError(BaseException):
    """The program ends here."""


STEPS = ("write", "fsync", "rename", "unlink")


@pytest.mark.parametrize(
    ("words", "after"),
    cases([("note hello", True), ("note hello", False), ("nonsense", False), ("nonsense", True)], 0, 2),
)
def test_killed_between_any_two_steps_it_is_played_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, after: bool
) -> None:
    """Whatever the wayfinder's program was doing, the next one ends it: played or declined once, and answered."""
    step, killed = 0, True
    while killed:
        seat = Seat(tmp_path / f"{step}")
        proposal = send(seat.folder, "ana", words)
        killed = _kill_at(monkeypatch, seat, step, after=after)
        following = seat.open()
        following.refresh()
        following.settle()
        played = [entry for entry in following.entries() if entry.proposal == proposal]
        assert len(played) == (1 if words == "note hello" else 0), step
        kind = AnswerKind.PLAYED if played else AnswerKind.DECLINED
        assert read_answer(seat.folder, "ana", proposal).kind == kind
        assert [*(seat.folder / "inbox" / "ana").glob("*.proposal")] == []
        step += 1
    assert step > (8 if words == "note hello" else 5)


def _kill_at(monkeypatch: pytest.MonkeyPatch, seat: Seat, step: int, *, after: bool) -> bool:
    """Look at the inbox until that many calls of the system were made. Return whether there were as many."""
    left = step

    def counted(name: str) -> None:
        real = getattr(os, name)

        def call(*given: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left == -1 and not after:
                raise KilledError
            try:
                return real(*given, **named)
            finally:
                if left == -1:
                    raise KilledError

        patch.setattr(os, name, call)

    with monkeypatch.context() as patch:
        for name in STEPS:
            counted(name)
        try:
            seat.table.refresh()
        except KilledError:
            return True
    return False


def test_an_entry_that_was_cut_short_was_not_played(seat: Seat) -> None:
    """Its remains in the log don't count as the proposal's entry, so it is played after all."""
    seat.table.play(seat.table.understand("note first"))
    proposal = send(seat.folder, "ana", "note hello")
    whole = (seat.folder / "log" / "0001.toml").read_bytes()
    seat.table.refresh()
    log = seat.folder / "log" / "0001.toml"
    torn = log.read_bytes()
    log.write_bytes(torn[: len(whole) + (len(torn) - len(whole)) * 3 // 4])
    (seat.folder / "inbox" / "ana" / f"{proposal}.answer").unlink()
    text = f"waylog proposal 1\nby ana\nid {proposal}\nsay note hello\n"
    (seat.folder / "inbox" / "ana" / f"{proposal}.proposal").write_text(text)
    following = seat.open()
    following.refresh()
    assert [entry.words for entry in following.entries() if entry.proposal == proposal] == ['note "hello"']


def test_what_could_not_be_logged_is_played_when_it_can_be(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The act is kept like any other, and isn't played again beside it."""
    proposal = send(seat.folder, "ana", "note hello")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("waylog.store.log.log_and_torn_entries.write_block", full)
        with pytest.raises(LogWriteFailed):
            seat.table.refresh()
        seat.table.refresh()
    assert seat.table.snapshot.held
    seat.table.retry_save()
    seat.table.refresh()
    assert [entry.proposal for entry in seat.table.entries()] == [proposal]
    assert read_answer(seat.folder, "ana", proposal) == Answer(AnswerKind.PLAYED)


def test_the_same_proposal_is_never_played_again(seat: Seat) -> None:
    """A copy of its file is answered from the log, also after an undo."""
    proposal = send(seat.folder, "ana", "note hello")
    path = seat.folder / "inbox" / "ana" / f"{proposal}.proposal"
    text = path.read_text()
    seat.table.refresh()
    seat.table.undo()
    for name in ("ana", "ben"):
        folder = seat.folder / "inbox" / name
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.answer"):
            old.unlink()
        (folder / path.name).write_text(text)
    following = seat.open()
    following.refresh()
    assert len([entry for entry in following.entries() if entry.proposal]) == 1
    assert seat.answer("ana", proposal)[0] is AnswerKind.PLAYED
    assert seat.answer("ben", proposal) == (AnswerKind.DECLINED, "this proposal can't be read")


def test_a_proposal_is_a_value(seat: Seat) -> None:
    """A screen compares it with the one before."""
    seat.say("ana", "roll odile")
    (found,) = seat.table.proposals
    assert isinstance(found, Proposal)
    assert seat.table.snapshot.proposals == (found,)


def flood(seat: Seat, words: str, count: int = 40) -> Path:
    """Put as many files into Ana's folder as if she owned it, with these words; without words, none can be read."""
    folder = seat.folder / "inbox" / "ana"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        name = f"{number + 9:08x}" + "ab" * 12
        text = f"waylog proposal 1\nby ana\nid {name}\nsay {words} {number}\n" if words else ""
        (folder / f"{name}.proposal").write_text(text)
    return folder


def test_what_can_not_be_read_is_declined_one_at_a_look(seat: Seat) -> None:
    """So that the wayfinder's keys don't wait for whoever fills an inbox, and another player is heard at once."""
    folder, other = flood(seat, ""), send(seat.folder, "ben", "spotlight ben")
    for left in range(39, -1, -1):
        seat.table.refresh()
        assert len([*folder.glob("*.proposal")]) == left
        assert seat.answer("ben", other)[0] is AnswerKind.WAITS
    assert seat.waiting == [("Ben", "Ben asks for the spotlight")]


def test_a_folder_that_is_called_like_a_proposal_is_answered_once(seat: Seat) -> None:
    """It can't be removed while it is not empty, and its answer isn't written again: not by this window, and not by the next."""
    folder = flood(seat, "", 3)
    names = [path.stem for path in folder.iterdir()]
    for name in names:
        (folder / f"{name}.proposal").unlink()
        (folder / f"{name}.proposal" / "more").mkdir(parents=True)
    for _ in names:
        seat.table.refresh()
    answers = {path: path.stat().st_ino for path in folder.glob("*.answer")}
    assert len(answers) == 3
    for table in (seat.table, seat.open()):
        for _ in range(4):
            table.refresh()
        assert {path: path.stat().st_ino for path in folder.glob("*.answer")} == answers


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize("words", ["note hello", "nonsense"])
def test_one_of_each_player_in_a_second_needs_nobody(tmp_path: Path, words: str) -> None:
    """The next is played or declined a second later. Until then the wayfinder isn't asked about it."""
    start = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
    passed = 0.0
    folder = written(tmp_path / "trial", CAMPAIGN.replace('"roll", "tick"', '"note"'))
    table = Table(folder, now=lambda: start + timedelta(seconds=passed), chance=Falling())
    sent = [(who, send(folder, who, f"{words} {number}")) for number in (1, 2) for who in ("ana", "ben")]

    def answered() -> list[int]:
        table.refresh()
        table.refresh()
        table.refresh()
        assert not table.proposals
        return [
            number
            for number, (who, each) in enumerate(sent)
            if read_answer(folder, who, each).why != "" or played(each)
        ]

    def played(proposal: str) -> bool:
        return any(entry.proposal == proposal for entry in table.entries())

    assert answered() == [0, 1]
    passed = 0.9
    assert answered() == [0, 1]
    passed = 1.0
    assert answered() == [0, 1, 2, 3]
    passed = -3600.0  # The system's clock was set back.
    sent.append(("ana", send(folder, "ana", f"{words} 3")))
    assert answered() == [0, 1, 2, 3, 4]


@pytest.mark.clause("NM-45")
def test_a_player_of_whom_much_waits_is_not_played_without_asking(seat: Seat) -> None:
    """A flood waits for the wayfinder like any proposal, and only its beginning is looked at. Once little is left, it goes on."""
    folder = flood(seat, "note", AT_HAND + 2)
    for _ in range(3):
        seat.table.refresh()
    assert seat.waiting == [("Ana", f"Note: {number}") for number in range(AT_HAND)]
    other = seat.say("ben", "roll bram 1 2 4")
    assert seat.answer("ben", other)[0] is AnswerKind.PLAYED
    seat.table.accept(seat.table.proposals[0].id)
    seat.table.decline(seat.table.proposals[1].id)
    while [*folder.glob("*.proposal")]:
        seat.table.refresh()
        assert not seat.waiting
    assert [words for by, words in seat.log if by == "ana"] == [
        f'note "{number}"' for number in range(AT_HAND + 2) if number != 2
    ]


def test_a_look_waits_for_the_disk_a_few_times_at_most(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much was sent. The wayfinder's keys wait meanwhile."""
    calls, real = list[int](), os.fsync

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    for words in ("note", "nonsense", ""):
        flood(seat, words, AT_HAND)
        calls.clear()
        seat.table.refresh()
        assert 0 < len(calls) <= 6


@pytest.mark.clause("NM-48", "NM-45")
def test_what_answers_a_call_is_played_at_once(seat: Seat) -> None:
    """A called roll is played at once, even for a player who must ask for everything. The question of its dice is theirs alone to answer.
    Whoever rolls meanwhile is played once it is answered.
    """
    play(seat.table, "call all desperate")
    odile = seat.say("ana", "called roll odile 5 2 1")
    assert (
        seat.table.snapshot.question
        == "Odile 5 2 1: Success with drawback. Spend Focus (1 left)? Raising 5 to 6 makes it a Success"
    )
    bram = seat.say("ben", "called roll bram")
    assert [(one.name, one.waits, bool(one.odds)) for one in seat.table.proposals] == [("Ben", True, True)]
    meddling = seat.say("ben", "keep")
    kept = seat.say("ana", "keep")
    assert [seat.answer("ana", each)[0] for each in (odile, kept)] == [AnswerKind.PLAYED] * 2
    for _ in range(4):
        seat.table.refresh()
    assert [seat.answer("ben", each)[0] for each in (bram, meddling)] == [AnswerKind.PLAYED, AnswerKind.DECLINED]
    assert seat.log == [
        ("", "call all desperate"),
        ("ana", "roll odile desperate"),
        ("ana", "keep"),
        ("ben", "roll bram desperate"),
    ]
    assert {entry.root for entry in seat.table.entries()} == {1}
    assert len(seat.table.undo().undoes) == 4


@pytest.mark.clause("NM-48")
def test_who_answers_a_call_twice_or_late_rolls_nothing(seat: Seat) -> None:
    """Ben may roll without asking, but what answers a call never becomes a roll of its own, also in another window."""
    play(seat.table, "call all")
    send(seat.folder, "ben", "called roll bram 6 1 1")
    twice = seat.say("ben", "called roll bram 6 1 1")
    seat.table = seat.open()
    for _ in range(3):
        seat.table.refresh()
    assert [words for _, words in seat.log] == ["call all", "roll bram"]
    play(seat.table, "finish")
    late = seat.say("ana", "called roll odile")
    seat.table.refresh()
    assert [seat.answer(who, each)[0] for who, each in (("ben", twice), ("ana", late))] == [AnswerKind.DECLINED] * 2
    assert [words for _, words in seat.log] == ["call all", "roll bram", "finish"]


@pytest.mark.clause("NM-48")
def test_one_undo_takes_a_call_back_whatever_was_noted_meanwhile(seat: Seat) -> None:
    """A clock that was ticked between two of its rolls stays."""
    play(seat.table, "call all", "roll bram 6 1 1", "tick storm", "roll odile", "keep")
    assert seat.table.undo().words == "undo"
    assert [entry.words for entry in seat.table.latest() if not entry.is_undo] == ["tick storm"]
    assert seat.table.snapshot.question is None


# -- what is at stake --------------------------------------------------------------------------------------------------


@pytest.mark.clause("NM-45", "NM-24")
def test_everybody_sees_what_is_at_stake_until_the_roll_ends(seat: Seat) -> None:
    """With what each outcome would do now, also while something is still asked about the roll. The file says it."""
    table = seat.table
    table.show_stakes(table.understand("roll bram desperate"))
    assert table.settle()
    seen = decode_projection((seat.folder / PLAYERS).read_bytes())
    (stakes,) = seen.stakes
    assert stakes.title == "Roll for Bram: Desperate"
    assert [str(one.chance) for one in stakes.odds.spread.chances][:1] == ["1/8"]
    assert [note.text.split(":")[0] for note in stakes.forecast] == ["Fiasco (12.5 %)"] * 2
    assert "suit life support is lost (1–2)" in stakes.forecast[1].text
    play(table, "tick storm", "roll bram desperate 1 1")
    assert [one.forecast for one in table.projection().stakes] == [stakes.forecast]
    assert table.question == "Bram: what does the die show?"
    play(table, "dice 6")
    assert table.question is None
    assert table.projection().stakes == ()


@pytest.mark.clause("NM-20", "NM-45")
def test_what_is_at_stake_for_what_is_hidden_stays_hidden(tmp_path: Path) -> None:
    """A hidden clock that the roll is made on, or one whose progress is hidden, isn't mentioned. What undo takes back was never rolled."""
    clock = '\n[clocks.{}]\nname = "{}"\nkind = "push"\nsegments = 6\nfilled = 2\n{}\n'
    hidden, uncounted, seen = (
        clock.format("deep", "What waits below", "seen = false"),
        clock.format("ally", "They come over", "count_seen = false"),
        clock.format("door", "The door opens", ""),
    )
    folder = written(tmp_path / "trial", CAMPAIGN + hidden + uncounted + seen)
    table = Table(folder, now=ticking(), chance=Falling(3, 3, 6))
    table.show_stakes(table.understand("roll bram deep ally door"))
    (stakes,) = table.projection().stakes
    assert stakes.title == "Roll for Bram: The door opens"
    assert [note.text for note in stakes.forecast[1:]] == [
        "“The door opens” 2/6: Success fills 1, Critical success fills 2"
    ]
    play(table, "hide clock door")
    assert "door" not in f"{table.projection().stakes}"
    play(table, "note Wait")
    table.undo()
    assert table.projection().stakes == ()
    with pytest.raises(ActRefused, match="is not a roll"):
        table.show_stakes(table.understand("tick storm"))
