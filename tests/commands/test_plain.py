"""What a command says to a person."""

from waylog.commands.plain import usage
from waylog.rules.moves import Move, Option, PickOne, Refusal

OPEN, SHUT = Option("rope", "Rope"), Option("tea", "Tea", blocked=Refusal("“Tea” is in the pile already"))


def test_a_move_is_shown_with_the_words_that_may_be_said() -> None:
    """Not with those that would be refused, unless all would."""
    assert usage(Move("back", ("keeper",), "Put back", (PickOne("card", "Card", (OPEN, SHUT)),))) == "back keeper rope"
    assert usage(Move("back", ("keeper",), "Put back", (PickOne("card", "Card", (SHUT,)),))) == "back keeper tea"
