"""What players may do, as their file has it: the same acts and the same odds as in the game itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.store.test_proposals import Seat
from waylog.rules.codec.records import codec
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.moves import Act, Move, Option, PickOne, Text
from waylog.rules.model.odds import Odds
from waylog.rules.model.state import State
from waylog.store.players.moves_and_odds_for_players import OpenMove, moves_for, odds_of, visible_odds
from waylog.store.players.players_file import Projection, decode_projection
from waylog.values import replace


def seen(seat: Seat) -> Projection:
    """What a player's program reads."""
    seat.table.settle()
    return decode_projection((seat.folder / "players.toml").read_bytes())


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """A campaign with two players."""
    return Seat(tmp_path / "trial", *[5, 6] * 50)


@pytest.mark.clause("NM-45")
def test_the_file_has_what_each_player_may_do(seat: Seat) -> None:
    """Each has their own character's moves and those that need none; the wayfinder's are nobody's."""
    known = seen(seat)
    assert [(each.key, each.name, each.character) for each in known.players] == [
        ("ana", "Ana", "Odile"),
        ("ben", "Ben", "Bram"),
    ]
    ids = {player: {move.id for move in moves_for(known.moves, player)} for player in ("ana", "ben", "cy")}
    assert {"roll odile", "roll nav", "note", "spotlight ana", "tick the-storm"} <= ids["ana"]
    assert not ids["ana"] & {"roll bram", "spotlight ben", "secret", "set", "damage ship", "tick voice"}
    assert "roll bram" in ids["ben"]
    assert ids["cy"] == set()


def test_a_line_means_the_same_there_as_at_the_table(seat: Seat) -> None:
    """It is understood and completed from the file alone, and what it comes to is what the wayfinder plays."""
    moves = moves_for(seen(seat).moves, "ana")
    act = parse_act(moves, "roll odile tether 1 2 3 4 5")
    assert (act.move.id, complete_answers(act.move, act.answers)["tools"], act.faces) == (
        "roll odile",
        ("primary",),
        (1, 2, 3, 4, 5),
    )
    assert "tether-gun" in [each.word for each in completions(moves, "roll odile ")]
    with pytest.raises(CommandUnclear):
        parse_act(moves, "roll bram")
    seat.say("ana", "tick the-storm")
    (proposal,) = seat.table.proposals
    entry = seat.table.accept(proposal.id)
    assert entry.about == ("clocks.storm",)


def test_odds_in_the_file_are_exact(seat: Seat) -> None:
    """They are those of the game, in fractions, for the usual answers and for a few others."""
    known = seen(seat)
    moves = moves_for(known.moves, "ana")
    for words in ("roll odile", "roll odile primary", "roll odile primary desperate", "roll nav"):
        act = parse_act(moves, words)
        found = odds_of(known.odds, act)
        assert found, words
        exact = seat.table.odds(seat.table.understand(words))
        assert exact
        assert found.dice == exact.dice
        assert [one.chance for one in found.spread.chances] == [one.chance for one in exact.spread.chances]
        assert sum(one.chance for one in found.spread.chances) == 1
    assert odds_of(known.odds, parse_act(moves, "note hello")) is None


def test_an_answer_is_offered_to_whose_roll_it_is(seat: Seat) -> None:
    """While Odile's roll asks, Ana may answer; Ben may still write a note."""
    seat.table.play(seat.table.understand("roll odile 5 2 1"))
    known = seen(seat)
    assert "Spend Focus" in known.question
    ana, ben = ({move.id for move in moves_for(known.moves, player)} for player in ("ana", "ben"))
    assert {"keep", "focus"} <= ana
    assert not {"keep", "focus"} & ben
    assert "note" in ben


@pytest.mark.clause("NM-46")
def test_the_file_says_who_is_away(seat: Seat) -> None:
    """The player and the character's panel are marked."""
    seat.table.play(seat.table.understand("session begin ana"))
    known = seen(seat)
    assert [each.away for each in known.players] == [False, True]
    assert [panel.title for panel in known.panels if panel.absent] == ["Bram"]


def test_a_campaign_without_players_has_none_of_it(seat: Seat) -> None:
    """A campaign without players has no moves about them, so it costs nothing there."""
    path = seat.folder / "campaign.toml"
    path.write_text(path.read_text().partition("[players.ana]")[0])
    seat.table.add_reader()
    seat.table.refresh()
    known = seen(seat)
    assert (known.players, known.moves, known.odds, known.question) == ((), (), (), "")


class _WithoutOdds:
    """A game that has no odds for any roll, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def odds(self, _state: State, _act: Act, _player: str) -> None:
        """Return none."""
        self.asked += 1

    def all_odds(
        self, _state: State, move: Move, _player: str, find: Callable[[Move], Iterable[Odds]]
    ) -> Iterable[Odds]:
        """Return what is found."""
        return find(move)


def test_a_roll_with_many_questions_takes_no_longer(seat: Seat) -> None:
    """Of its answers, which may be more than fit into memory, only some are tried."""
    options = tuple(Option(f"o{number}", f"O{number}") for number in range(30))
    asks = tuple(PickOne(f"q{number}", f"Q{number}", options) for number in range(8))
    game = _WithoutOdds()
    move = OpenMove(Move("roll", ("big",), "Big", asks, rolls=True), ("ana",))
    assert visible_odds(game, seat.table.game.fresh("x"), [move]) == ()  # type: ignore[arg-type]
    assert 0 < game.asked < 1000


def test_how_a_form_is_gone_through_is_not_written_for_players() -> None:
    """Their file has what they need of a move, so what only the wayfinder's window asks for changes no byte of it."""
    plain = Move("lun", (), "The Lun", (Text("colour", "Colour"),))
    form = replace(plain, asks=(Text("colour", "Colour", usual=True),), ends="End it?")
    assert [codec(Move).pack(each) for each in (plain, form)] == [codec(Move).pack(plain)] * 2


def test_the_file_says_which_dice_a_roll_takes(seat: Seat) -> None:
    """In the order in which real ones are typed; and while a roll waits for them, which are left."""
    known = seen(seat)
    for words in ("roll odile", "roll odile primary", "roll nav"):
        found = odds_of(known.odds, parse_act(moves_for(known.moves, "ana"), words))
        assert found, words
        assert found.to_type == seat.table.dice_to_type(seat.table.understand(words)) != ()
    assert known.dice == ()
    seat.table.play(seat.table.understand("roll odile primary 2"))
    assert [(die.source, die.sides) for die in seen(seat).dice] == [
        ("Odile", 6),
        ("Odile", 6),
        ("tether gun", 6),
        ("tether gun", 6),
    ]


def test_the_file_has_the_rules_behind_what_players_see(seat: Seat) -> None:
    """Those of the rows of the sheet with what these are called, of refusals, and of the log; never a ruling of the wayfinder's."""
    seat.table.play(seat.table.understand("ruling vk-04 Focus is spent openly"))
    known = seen(seat)
    rules = {rule.id: rule for rule in known.rules}
    assert "Focus" in rules["VK-04"].terms
    refused = {each.move.blocked.clause for each in known.moves if each.move.blocked and each.move.blocked.clause}
    assert refused
    assert refused <= rules.keys()
    assert not [rule for rule in known.rules if "openly" in rule.text]
