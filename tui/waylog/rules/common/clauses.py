"""The clauses that every campaign plays by, whatever its game: tables, decks, clocks, sessions, and notes in the log."""

from collections.abc import Mapping
from types import MappingProxyType

CLAUSES: Mapping[str, str] = MappingProxyType(
    {
        "NM-01": (
            "A table lists its entries, each as likely as the next: six of them on a d6, six sections of six on a d66, or any other "
            "number up to 100 on one even die, which the table names."
        ),
        "NM-02": "A d66 takes two dice, the section's and then the entry's, and shows both. Real dice may be typed for them.",
        "NM-03": (
            "Dice in an entry fall with it and are shown with what they come to. An entry may send one on to another table, and "
            "the check finds every way that comes round again."
        ),
        "NM-04": "Players see nothing of a table and what it brings, unless it is an open one.",
        "NM-05": (
            "The log keeps each result with its table, its dice and its entry. An entry may also be picked without a roll, and then "
            "the log says that it was."
        ),
        "NM-10": (
            "A deck has a name and cards, each with a text and good, neutral or bad. The file tells which are in the pile, which are "
            "drawn and which put aside."
        ),
        "NM-11": "A draw is a random card of the pile. Where the pile is empty the deck says so, and may be shuffled.",
        "NM-12": (
            "What is drawn stays out, unless the card says that it goes back; the wayfinder may have it the other way with any card."
        ),
        "NM-13": (
            "A deck may be drawn from by twos: one of two cards is kept, as asked, and the other goes back. A card can make its "
            "deck such a one."
        ),
        "NM-14": "Players know all cards of a deck, or some that are named, or, if nothing is said, none.",
        "NM-15": (
            "A deck built together begins with four bad cards, and owes a bad or neutral one for each card of a player. Until it is "
            "paid nobody draws; how the cards stand is told."
        ),
        "NM-16": (
            "A card may do something when drawn: start a clock, expose or hurt people, damage the ship, lose a token, roll on a "
            "table. It is offered, and one key does it."
        ),
        "NM-17": (
            "An effect of a card, a table or a clock may also give or take Focus, heal, restore or lose a token, "
            "break or mend a module, end the mission, or start a clock with its ending. Each game offers those "
            "that it has rules for."
        ),
        "NM-18": (
            "A card may be kept for later, with so many uses and, in words, what has to be so. It is listed with the ship. To use "
            "it is to say whether that is so; then its effect is done, and a use is gone."
        ),
        "NM-19": (
            "A situation makes rolls Desperate or the crew Exposed: all rolls, or those that it names. Each roll "
            "shows those in force, and each can be switched off for that roll. It ends by hand, by a card or with "
            "its clock."
        ),
        "NM-20": (
            "A push, catastrophe, death or augury clock has 4 (short), 6 (normal), 8 (long), 10 or 12 (extended) segments, an "
            "outcome and notes. Players may be shown the clock and, apart from that, its outcome."
        ),
        "NM-21": "A push clock moves with the crew's luck: a Success fills one segment, a Critical two.",
        "NM-22": "A catastrophe clock moves when things go wrong: a drawback fills one segment, a Fiasco two.",
        "NM-23": "Death and augury clocks move with time: tick one by itself, or let time pass and tick them all together.",
        "NM-24": (
            "A roll may be made on clocks, named before it or after. What it will fill shows first, and one undo takes "
            "back roll and segments alike."
        ),
        "NM-25": (
            "What a clock does while it runs happens by itself, and each roll it touches says so. What it does once full is "
            "offered, and one key does it."
        ),
        "NM-26": (
            "Segments may be filled or emptied by hand, never past either end. A full clock stays until closed; a closed one "
            "is kept aside and may be opened again."
        ),
        "NM-27": "A clock shows its filled and empty segments, told apart without colour, and its count in figures.",
        "NM-28": "Until the wayfinder says otherwise, players see what a death clock leads to and not what an augury clock does.",
        "NM-29": "One line starts a clock: its name, segments and type. The rest can be told later.",
        "NM-40": (
            "Play is counted in sessions, each with when it began and ended, who was there, a title and notes. A key begins "
            "one and ends it, and every entry of the log says to which it belongs."
        ),
        "NM-41": (
            "A session can be told again as a text for the players: rolls and how they went, what was lost and gained, clocks, "
            "notes. What is hidden is left out, or for the wayfinder put in."
        ),
        "NM-42": "One key opens a note for the log, whatever else is going on.",
        "NM-43": (
            "For anyone's comfort one key rewinds the scene: all since its mark is taken back at once, and the log says no more of "
            "it than that."
        ),
    }
)
