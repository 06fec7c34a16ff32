"""The clauses of the Emissaries of Guenašk, as told to the person at the table."""

from collections.abc import Mapping
from types import MappingProxyType

_CHARACTERS = {
    "EG-01": "Body, Mind, Soft and Hard are rated in d6s, none below 2d6, and together use up the background's stat dice.",
    "EG-02": (
        "There are five backgrounds: Well-Rounded, Strong and Complicated History, Strong and Complicated Community. Each brings "
        "dice for stats, traits and relationships."
    ),
    "EG-03": (
        "A trait is a phrase with a rating of one die or more, all of one size. Trait dice are all to be used up, and the sheet "
        "says how many are left."
    ),
    "EG-04": (
        "A relationship is with a person or a group. Its dice may be kept back and assigned in play. A family member has 1d6 that "
        "costs nothing."
    ),
    "EG-05": (
        "An object is 1d6, excellent 2d6, big 1d8, both 2d8, bad 1d4, or mixed dice, and may be dangerous. All start with a "
        "data-pad and a Lun at 2d6 each; more than five is remarked on."
    ),
    "EG-06": "Each emissary hopes for an accomplishment at the Academy, and the sheet says later whether it came true.",
    "EG-07": "Making an emissary is a walk that can be left and taken up again. What would overdraw the dice is refused.",
}

_CONFLICTS = {
    "EG-10": (
        "A conflict has stakes and two sides, with one or more on each: emissaries, other people, or obstacles with a rating. Each "
        "of its steps is kept."
    ),
    "EG-11": (
        "Everybody takes an approach. Neutral is Mind and physical Body, each with Soft where nobody opposes it and with Hard where "
        "somebody does."
    ),
    "EG-12": (
        "Two stats are rolled, and what fits: traits, objects, and a relationship with an opponent or with somebody at stake, never "
        "with an ally. Dice stay as they fell."
    ),
    "EG-13": (
        "Whoever started it goes first, or else whoever has the higher sum in their two best dice. If that is equal, the wayfinder "
        "says; a house rule says our side."
    ),
    "EG-14": "A raise is two dice put forward, no more and no fewer, with what is said or done.",
    "EG-15": (
        "A see reaches the raise's sum. With one die it reverses the blow, with two it blocks or dodges, with three or more it takes "
        "the blow. The dice put forward count, not how few would do."
    ),
    "EG-16": "The die that reversed a blow is kept, as one of the two dice of the next raise. All others put forward are spent.",
    "EG-17": "Everybody whom a raise affects has to see it. Who can't, or won't, gives.",
    "EG-18": "To give is to lose the stakes without fallout. Who has no two dice to raise with gives, or escalates.",
    "EG-19": (
        "On any turn of theirs somebody may escalate: another approach, whose stats are rolled if they were not yet, or more traits, "
        "objects and relationships, each once."
    ),
    "EG-20": (
        "A blow is one point of fallout, one more if Body has come into play, one more for Hard, and one for each dangerous object "
        "in play. House rules say whose count."
    ),
    "EG-21": "All of a blow's fallout goes into one track, which the taker chooses, with how it came about.",
    "EG-22": "Fallout can be resisted with one die that shows more than it.",
    "EG-23": (
        "The dice lie open, so the best ways to see are listed with what each leaves, and so are the raises that the other side "
        "can't reverse, can't block, or can't see."
    ),
    "EG-24": "Both sides' dice and the whole exchange show at once, and undo goes back through it step by step.",
}

_FALLOUT = {
    "EG-30": "An emissary has four tracks: Physical, Mental, Social and Societal. Each has three rows of four boxes and a condition.",
    "EG-31": (
        "Fallout fills boxes. The point after the fourth is a condition, in the wayfinder's words, and with it that fallout is over. "
        "The next begins on the next row."
    ),
    "EG-32": (
        "A row with its condition is full. The first and the second take a die each off the track's stat, the third takes them all: "
        "the stat still comes into play, and rolls nothing."
    ),
    "EG-33": "A track with three full rows takes no more fallout, and another has to be chosen.",
    "EG-34": "Two tracks full from end to end are death. It is said at once, and comes when the conflict ends.",
    "EG-35": "Other people and organisations have one track, of one to five rows. Once it is full they give at once.",
    "EG-36": (
        "After a conflict every emissary, there or not, may once take up to three boxes off the newest row in use of one track, "
        "with a scene in a line. A row with a condition is locked."
    ),
    "EG-37": "To be rid of a condition is a conflict against 4d6 4d8. Won, it clears that row and no other.",
    "EG-38": "Once after a conflict, a condition may become a trait at 1d4 instead, in other words if need be. Its row clears.",
}

_ASSETS = {
    "EG-40": (
        "An asset has three stats and a track of three rows. A starship has Engines, Hull and Systems, a cyberdeck Network, Storage "
        "and Software, an organisation People, Assets and Clout."
    ),
    "EG-41": "An asset's stat that is brought into play rolls its dice, and opens the asset to fallout.",
    "EG-42": "A blow may be taken on such an asset: its fallout is the number of the asset's stats in play.",
    "EG-43": "Each full row of an asset takes a die off all its stats. With three it can't be used.",
    "EG-44": (
        "After a conflict up to three boxes come off each asset too, besides an emissary's own. Its conditions are fought, and never "
        "become traits."
    ),
    "EG-45": (
        "A ship is a Frigate, which is shared, or somebody's own Fighter, with 2d6 or more in each stat and with traits. How many "
        "dice each class has is for the wayfinder to say."
    ),
    "EG-50": "By the wayfinder's word dice grow by a size or one is added, and a trait is put in other words. The log keeps it.",
}

CLAUSES: Mapping[str, str] = MappingProxyType(_CHARACTERS | _CONFLICTS | _FALLOUT | _ASSETS)
