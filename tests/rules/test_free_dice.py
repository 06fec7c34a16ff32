"""Free dice, in every game: what a roll says, real dice, saved dice, and what goes on while a roll waits for its dice."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.kit.rules import ONES, play, state_of, told
from tests.kit.table import Falling, ticking, written
from tests.rules.beside_table import Listed, every, game, secrets, table, typed
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.systems import names, system
from waylog.store.file.template_and_conversion import plan_conversion
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import LoggedActs, describe_entries
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table

SAVED = {"dice": {"panic": "2d6", "The vault": "4d6kh3+1"}}
CREW = """\
format = 1
name = "Tenacity"
system = "veil-core"
[ship]
name = "Tenacity"
focus = 2
[crew.lars]
name = "Lars"
[clocks.storm]
name = "Storm"
kind = "death"
segments = 4
[clocks.ghost]
name = "Ghost"
kind = "augury"
segments = 4
seen = false
[dice]
panic = "2d6"
"""


def at_table(folder: Path, *lines: str) -> Table:
    """A table at which these acts were played; `undo` takes the latest one back. The app's dice all show 1."""
    opened = Table(written(folder, CREW), now=ticking(), chance=Falling())
    for line in lines:
        if line == "undo":
            opened.undo()
        else:
            opened.play(opened.understand(line))
    return opened


def sentences(opened: Table) -> list[str]:
    """The acts of the log as it shows them, oldest first, each with its consequences behind it."""
    acts = [*LoggedActs(opened.entry, opened.snapshot.entries).newest_first()][::-1]
    texts = [describe_entries(act.entries) for act in acts if act.undone is None]
    return ["; ".join([text.sentence, *(one.text for one in text.consequences)]) for text in texts]


# -- what a roll says


@pytest.mark.clause("FD-01", "FD-03")
@pytest.mark.parametrize("name", names())
def test_any_dice_can_be_rolled_in_every_game(name: str) -> None:
    """The roll says what, the dice and their total; it changes nothing, and nothing is open after it."""
    own = Game(system(name))
    state = own.fresh("Trial")
    played = play(own, state, "dice 2d6+3", ONES)
    roll = played.facts[0]
    assert isinstance(roll, RollFact)
    assert (roll.what, [(face.face, face.sides) for face in roll.dice], roll.total) == ("2d6+3", [(1, 6), (1, 6)], 5)
    assert told(played) == ["2d6+3 = 5"]
    assert secrets(played.facts) == [False, False]
    assert (played.state, own.difference(state, played.state)) == (state, ())


@pytest.mark.clause("FD-01")
def test_dice_that_do_not_count_are_marked_and_every_total_is_right() -> None:
    """Of each combination of faces the lowest is dropped."""
    own = game()
    for played in every(own, state_of(own), "dice 3d6kh2", 6, 6, 6):
        roll = played.facts[0]
        assert isinstance(roll, RollFact)
        counted = [face.face for face in roll.dice if not face.dropped]
        assert sorted(counted) == sorted(face.face for face in roll.dice)[1:]
        assert roll.total == sum(counted)


@pytest.mark.clause("FD-01")
def test_dice_are_dropped_among_those_of_their_own_term() -> None:
    """In `2d6kh1+3d6kl2` the lower of the first two dice doesn't count, and the highest of the last three; all else does."""
    own = game()
    roll = play(own, state_of(own), "dice 2d6kh1+3d6kl2", Listed((2, 5, 4, 6, 1))).facts[0]
    assert isinstance(roll, RollFact)
    first, last = roll.dice[:2], roll.dice[2:]
    assert sum(face.dropped for face in first) == sum(face.dropped for face in last) == 1
    assert min(face.face for face in first) == next(face.face for face in first if face.dropped)
    assert max(face.face for face in last) == next(face.face for face in last if face.dropped)
    assert roll.total == sum(face.face for face in roll.dice if not face.dropped)


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize(
    ("line", "faces", "text"),
    [
        ("dice 2d6+3 4 5", (4, 5), "2d6+3 = 12"),
        ("dice 2d6 + 3 45", (4, 5), "2d6+3 = 12"),
        ("dice 2d6+3 4,5 the door", (4, 5), "The door: 2d6+3 = 12"),
        ('dice 4d6kh3 "reactor" 6 5 3 1', (6, 5, 3, 1), "Reactor: 4d6kh3 = 14"),
        ("dice 4d6kh3 6531 the core", (6, 5, 3, 1), "The core: 4d6kh3 = 14"),
        ("dice d20 14", (14,), "d20 = 14"),
        ("dice d% 100 loot", (100,), "Loot: d100 = 100"),
        ("dice d10+d4 0 2", (10, 2), "d10+d4 = 12"),
        ("dice d66 35", (3, 5), "d66 = 35"),
        ("dice panic 3 4", (3, 4), "Panic: 2d6 = 7"),
        ("d20 14", (14,), "d20 = 14"),
        ("2d6 + 3 45 the door", (4, 5), "The door: 2d6+3 = 12"),
        ('dice vault 1111 "gold"', (1, 1, 1, 1), "Gold: 4d6kh3+1 = 4"),
        ("dice 2d6-1d8 1 1 8", (1, 1, 8), "2d6-d8 = -6"),
    ],
)
def test_real_dice_stand_behind_the_dice(line: str, faces: tuple[int, ...], text: str) -> None:
    """Up to a d10 a digit each; numbers where one of the dice has more sides."""
    own = game()
    played = play(own, state_of(own, SAVED), line)
    assert (played.faces, told(played), typed(played.facts)) == (faces, [text], [True])


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize("line", ["dice 10 7", "dice 0 7", "10,7", "dice 107", "07"])
def test_a_ten_is_typed_as_it_is_called_or_as_the_die_shows_it(line: str) -> None:
    """A 1 and a 0 without a space are never two dice. The question says what a 0 is."""
    own = game()
    half = play(own, state_of(own), "dice 3d10 5").state
    assert own.question(half) == "3d10 (0 counts as 10): what do the 2 dice show?"
    assert told(play(own, half, line)) == ["3d10 = 22"]
    assert told(play(own, state_of(own), "dice 2d10 1 0")) == ["2d10 = 11"]
    one_left = play(own, state_of(own), "dice 2d10 10")
    assert own.question(one_left.state) == "2d10 (0 counts as 10): what does the die show?"


@pytest.mark.clause("FD-01")
def test_with_some_dice_typed_the_roll_waits_for_the_others() -> None:
    """Nothing has happened until they are there."""
    own = game()
    state = state_of(own)
    half = play(own, state, "dice 3d6 2")
    assert half.facts == ()
    assert own.question(half.state) == "3d6: what do the 2 dice show?"
    for line in ("dice 3 4", "dice 3,4", "3,4"):
        assert told(play(own, half.state, line)) == ["3d6 = 9"]
    assert told(play(own, half.state, "rest")) == ["Waylog rolled 2 of these dice", "3d6 = 4"]
    large = play(own, state, "dice 2d20 14").state
    assert told(play(own, large, "dice 15")) == ["2d20 = 29"]


@pytest.mark.clause("FD-01")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dice", "You can also type other dice, such as 2d6"), ("dice 2d6 7", "a d6 has no 7"), ("dice 2d6 1 2 3", "Too many dice: this takes 2"),
        ("dice 40d6", "at most 30 dice"), ("dice d20 21", "a d20 has no 21"), ("dice reactor", "You can also type other dice, such as 2d6"),
    ],
)  # fmt: skip
def test_what_can_not_be_rolled_says_why(line: str, why: str) -> None:
    """Dice that can't be rolled are refused with a reason, and nothing happens."""
    own = game()
    with pytest.raises(ActRefused, match=why):
        play(own, state_of(own), line)


@pytest.mark.clause("FD-03")
def test_a_hidden_roll_is_not_for_players() -> None:
    """Its dice and its total are secret."""
    own = game()
    assert secrets(play(own, state_of(own), "dice d20 hidden spot").facts) == [True, True]


@pytest.mark.clause("FD-03")
def test_a_roll_for_a_hidden_clock_is_about_that_clock() -> None:
    """Players see it only once they see the clock."""
    own = game()
    state = state_of(own, {"clocks": {"ghost": {"name": "Ghost", "kind": "augury", "segments": 4, "seen": False}}})
    facts = play(own, state, 'dice d6 "the ghost"').facts
    assert [fact.about for fact in facts if isinstance(fact, NoteFact | RollFact)] == [("clocks.ghost",)] * 2


def test_an_act_in_the_log_reads_back_to_itself() -> None:
    """Its words, with the text in quotes, mean the same roll."""
    own = game()
    moves = own.moves(state_of(own, SAVED))
    for line in ("dice 2d6 + 3 the door", "dice panic hidden", "dice d%"):
        act = parse_act(moves, line)
        answers = complete_answers(act.move, act.answers)
        again = parse_act(moves, format_act(act.move, answers))
        assert complete_answers(again.move, again.answers) == answers


# -- saved dice


@pytest.mark.clause("FD-01")
def test_saved_dice_are_completed_and_others_proposed() -> None:
    """Those of the campaign come first."""
    own = game()
    moves = own.moves(state_of(own, SAVED))
    assert [one.word for one in completions(moves, "dice ")][:3] == ["panic", "the-vault", "2d6"]
    assert [one.word for one in completions(moves, "dice pa")] == ["panic"]


@pytest.mark.clause("FD-01")
def test_saved_dice_in_which_something_is_wrong_are_faults() -> None:
    """They are named with their place, are not offered, and play goes on."""
    own = game()
    state, faults = own.read({"name": "Trial", "dice": {"a": "2d", "d8": "2d6", "panic": "2d6"}})
    assert [(fault.path, fault.grave, fault.clause) for fault in faults] == [
        (("dice", "a"), False, "FD-01"),
        (("dice", "d8"), False, "FD-01"),
    ]
    assert [fault.at_key for fault in faults] == [False, True]
    assert "panic" in [one.word for one in completions(own.moves(state), "dice ")]
    assert "a" not in [one.word for one in completions(own.moves(state), "dice ")]


def test_saved_dice_are_kept_in_another_game() -> None:
    """They belong to no game."""
    own = game()
    plan = plan_conversion(own, state_of(own, SAVED), Game(system("emissaries")))
    assert plan.state.dice == SAVED["dice"]


@pytest.mark.clause("FD-01", "NM-16")
def test_dice_can_be_the_effect_of_an_entry() -> None:
    """It is offered when the entry comes up, and rolls the dice."""
    own = game(door=table("Door", [{"text": "It shakes", "effect": "dice panic"}]))
    state = state_of(own, SAVED)
    assert own.table_faults(state)["door"] == []
    after = play(own, state, "table door").state
    assert told(play(own, after, "effect")) == ["Panic: 2d6 = 2"]


# -- odds


@pytest.mark.clause("FD-02")
def test_the_odds_of_every_total_are_told_before_the_roll() -> None:
    """With the range, the average, and how likely a few totals are or more."""
    own = game()
    state = state_of(own, SAVED)
    act = parse_act(own.moves(state), "dice panic")
    odds = own.odds(state, act.move, {"seen": "open", **act.answers})
    assert odds is not None
    assert odds.dice == "2d6, from 2 to 12, average 7"
    assert [(chance.label, chance.chance.numerator) for chance in odds.spread.chances[:2]] == [("2", 1), ("3", 1)]
    assert sum(chance.chance for chance in odds.spread.chances) == 1
    assert [note.text for note in odds.forecast] == ["4+ 91.7 %, 6+ 72.2 %, 7+ 58.3 %, 9+ 27.8 %, 11+ 8.3 %"]


# -- at a table


@pytest.mark.clause("FD-01", "FD-03")
def test_a_roll_is_in_the_log_the_recap_and_the_players_window(tmp_path: Path) -> None:
    """As any other act: one undo takes it back, and a hidden one is told to nobody."""
    opened = at_table(tmp_path / "t", "session begin", "dice panic", "dice d20 hidden")
    assert sentences(opened)[1:] == ["Panic: 2d6 = 2", "d20 = 1"]
    assert "- Panic: 2d6 = 2." in recap_text(opened.recap())
    assert "d20" not in recap_text(opened.recap())
    assert "Panic: 2d6 = 2" in str(opened.projection())
    assert "d20" not in str(opened.projection())
    opened.undo()
    opened.undo()
    assert "Panic" not in recap_text(opened.recap())
    again = Table(opened.folder, now=ticking(), chance=Falling())
    assert [entry.words for entry in again.entries()][-2:] == ["dice panic", "session begin"]


def test_what_goes_on_while_a_roll_waits_for_its_dice(tmp_path: Path) -> None:
    """Clocks, notes, random tables, free dice and situations; the roll still waits, and its own dice finish it."""
    opened = at_table(tmp_path / "t", "roll lars 2")
    question = opened.snapshot.question
    assert question
    assert question.startswith("Lars: what do the 2 dice")
    for line in ("tick storm", "dice panic", 'note "hush"', 'clock "Fog" 4 push', "dice 2d6 3 4"):
        opened.play(opened.understand(line))
        assert opened.snapshot.question == question
    opened.play(opened.understand("dice 5 1"))
    assert opened.snapshot.clocks["storm"].filled == 1
    assert sentences(opened)[0].startswith("Lars rolls")
    assert sentences(opened)[1:4] == ["“Storm” 0 → 1 of 4", "Panic: 2d6 = 2", "hush"]


def test_undo_takes_back_what_was_done_meanwhile_alone_and_the_roll_whole(tmp_path: Path) -> None:
    """Newest first: what was done while the roll waited is an act of its own, and the roll with its dice is one."""
    opened = at_table(tmp_path / "t", "roll lars 2", "tick storm")
    opened.undo()
    assert opened.snapshot.clocks["storm"].filled == 0
    assert opened.snapshot.missing_dice
    opened.play(opened.understand("tick storm"))
    opened.play(opened.understand("dice 5 1"))
    opened.undo()
    assert opened.snapshot.clocks["storm"].filled == 1
    assert opened.snapshot.question is None
    opened.redo()
    assert sentences(opened)[0].startswith("Lars rolls")
    opened.undo()
    opened.undo()
    assert opened.snapshot.clocks["storm"].filled == 0


def test_a_free_roll_between_a_roll_and_its_choice_leaves_the_choice_with_the_roll(tmp_path: Path) -> None:
    """It changes nothing, so one undo takes the roll and its choice, as if nobody had rolled in between."""
    opened = at_table(tmp_path / "t", "roll nav 5 5", "dice panic")
    assert opened.snapshot.question
    opened.play(opened.understand("keep"))
    assert [entry.root for entry in opened.entries()] == [1, 2, 1]
    assert len(sentences(opened)) == 2
    opened.undo()
    assert sentences(opened) == ["Panic: 2d6 = 2"]


def test_what_would_change_the_waiting_roll_is_refused(tmp_path: Path) -> None:
    """Such as closing the clock that it is made on, or a situation that makes it Desperate."""
    text = CREW + '[clocks.gate]\nname = "Gate"\nkind = "push"\nsegments = 4\n'
    opened = Table(written(tmp_path / "t", text), now=ticking(), chance=Falling())
    opened.play(opened.understand("roll lars gate 2"))
    with pytest.raises(ActRefused, match="this would change the roll that is waiting"):
        opened.play(opened.understand("close gate"))
    with pytest.raises(ActRefused, match="this would change the roll that is waiting"):
        opened.play(opened.understand("situation Dark"))
    assert opened.snapshot.missing_dice
    opened.play(opened.understand("tick gate"))


def test_two_acts_can_not_wait_for_dice_at_once(tmp_path: Path) -> None:
    """The second one wants all of its dice with it, or none."""
    opened = at_table(tmp_path / "t", "roll lars 2")
    with pytest.raises(ActRefused, match="this needs 1 more die, but another action is already waiting for its dice"):
        opened.play(opened.understand("dice 2d6 3"))
    with pytest.raises(ActRefused, match="Too many dice: this takes 2"):
        opened.play(opened.understand("dice 2d6 3 4 5"))
    with pytest.raises(ActRefused, match="answer the open question first, or undo the action"):
        opened.play(opened.understand("scene Dark"))


def test_dice_named_like_the_roll_are_no_tool() -> None:
    """“Ana rolls Try with Luck's own die”, and not with Try."""
    dice = (Face("Try", 5, 10), Face("Luck's own die", 1, 6))
    entry = LogEntry(
        1,
        datetime(2026, 1, 5, tzinfo=UTC),
        "roll try ana",
        facts=(RollFact("Ana", dice, typed=False, deed="Ana rolls Try"),),
    )
    assert "Ana rolls Try with “Luck's own die”" in describe_entries((entry,)).sentence
