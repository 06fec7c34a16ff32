"""The clauses of Course and Flow, as told to the person at the table."""

from collections.abc import Mapping
from types import MappingProxyType

_THINGS = {
    "CF-01": "Dice come in five types, all of them d6: Compelling, Daring, Expertise, Sneaky and Thriving.",
    "CF-02": "The Course is one die that lies on the table: its type, its face, and who set it. The wayfinder sets the first.",
    "CF-03": "A Flow is a situation with a name and a value, never below 0. There may be many; a roll has one at most.",
    "CF-04": (
        "A character has skills by name (one they lack is +0), tokens, Destiny Tracks, Damage Matrices, equipment, and all "
        "five die types unless the sheet says fewer. Ships have tracks and matrices too."
    ),
    "CF-05": (
        "A Destiny Track is a row of slots and a Damage Matrix a grid of them, as large as the wayfinder says. Each slot is "
        "free or marked; marking and recovering are acts in the log."
    ),
}

_ROLLS = {
    "CF-10": (
        "The wayfinder settles a roll: the threshold (7, 10, 13 or 16), the skill, the Flow if one applies, whether it is "
        "dangerous and whether somebody could notice. Until the dice fall all of that may change."
    ),
    "CF-11": "The player picks two dice of their own types, neither of the other's type nor of the Course's.",
    "CF-12": (
        "Whoever set the Course doesn't roll until somebody else has set a new one. The wayfinder may set one at any time, "
        "unless a house rule leaves them only the first."
    ),
    "CF-13": (
        "Both dice fall. One is elected beside the Course and the other set aside; both elections are shown with all that "
        "follows from them before either is made."
    ),
    "CF-14": (
        "A die elected with the Course's own face is a tie, a Dramatic Setback: no sum, no high die, nothing that protects or "
        "could be spent. The Flow is gone; a skill below the face rises by 1."
    ),
    "CF-15": (
        "Otherwise the higher die is high. Compelling impresses a witness, Daring keeps all from harm until the Course changes, "
        "Expertise keeps the Flow, Sneaky lets only the chosen notice, Thriving recovers a slot."
    ),
    "CF-16": "The sum is the elected die, the Course, the skill and the Flow.",
    "CF-17": "Up to 6 is not yet: the Flow rises by 1, or where there was none a new one begins at 1. The high die counts.",
    "CF-18": "From 7 to under the threshold the wayfinder offers a win; taken, it uses up the Flow, unless Expertise is high.",
    "CF-19": "At the threshold the intent is reached, and the Flow used up, unless Expertise is high.",
    "CF-20": "A player may decline a win or the intent, and has not yet instead.",
    "CF-21": (
        "Each 6, on the Course or on the elected die, gives the roller a token: Compelling a Rumor, Daring Initiative, Expertise "
        "Foresight, Sneaky a Clue, Thriving Focus."
    ),
    "CF-22": (
        "A dangerous roll without a high Daring does harm, and one in sight without a high Sneaky is noticed: what, and to whom, "
        "the wayfinder is asked. A tie protects from neither."
    ),
    "CF-23": "Last of all, after the wayfinder's last word, the die that was set aside is the Course, set by the roller.",
    "CF-24": "One helps by leaving a Course that helps and by raising Flows; there is no act of helping.",
}

_TOKENS = {
    "CF-30": "A token buys the answer to one of its three vital questions. All may be asked free, but then nobody has to answer.",
    "CF-31": "With the answer a Flow that has to do with it rises by 1, or a new one begins at 1. The log keeps both.",
}

_ODDS = {
    "CF-40": (
        "Before a roll each legal pair of dice has its exact chances, with the better die elected every time, and says which "
        "types may come out high."
    ),
}

CLAUSES: Mapping[str, str] = MappingProxyType(_THINGS | _ROLLS | _TOKENS | _ODDS)
