"""What the wayfinder decides about the rules: rulings on clauses, and what may be done against a rule.

A ruling is kept in the campaign and shown with the rule. It changes no rule that Waylog applies. Its facts are secret, because it may
name things that players don't know yet.

Overruling: to one roll, lift a forced roll type and give or take dice; to the file, set a number out of its range. For rolls, a game
asks for it with `dice_ask` and `anyway_option`, and tells it with `note_dice` and `note_lifted`. The answers are marked `overrules`, so
that no player can give them and no abbreviation means them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.facts import Fact, NoteFact, NotePart
from waylog.rules.model.moves import Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.values import replace

VERBS = ("ruling",)
Rulings = Mapping[str, str]
"""The rulings by the id of the clause that each is about."""
MOST_GIVEN = 6
"""The most dice that one overruling gives or takes."""
_ANYWAY = "-anyway"
_DICE = "given"


def moves(rulings: Rulings, clauses: Mapping[str, Clause]) -> tuple[Move, ...]:
    """Return the moves that write a ruling on any clause, or end an existing one."""
    every = tuple(Option(id_.lower(), clause.title) for id_, clause in clauses.items())
    text = Text("text", "Your ruling", required=True, reserved=("end",))
    write = Move("ruling", (), "Write a ruling", (PickOne("rule", "Rule", every), text), heading="Ruling")
    there = tuple(option for option in every if option.word.upper() in rulings)
    end = Move("ruling", ("end",), "End a ruling", (PickOne("rule", "Rule", there),), heading="Ruling ended")
    return (write, end) if there else (write,)


def play(
    rulings: Rulings, clauses: Mapping[str, Clause], move: Move, answers: Answers
) -> tuple[Rulings, tuple[Fact, ...]]:
    """Play one of `moves`: return the rulings and the facts."""
    id_ = str(answers["rule"]).upper()
    title = clauses[id_].title
    if move.words:
        left = {other: text for other, text in rulings.items() if other != id_}
        return left, (NoteFact(f"Ruling ended: {title}", id_, secret=True),)
    text = str(answers["text"]).strip()
    return {**rulings, id_: text}, (NoteFact(f"Ruling on {title}: {text}", id_, secret=True),)


def faults(rulings: Rulings, clauses: Mapping[str, Clause]) -> Iterator[Fault]:
    """Yield a fault for each ruling on a clause that this game doesn't have."""
    for id_ in rulings:
        if id_ not in clauses:
            from difflib import get_close_matches  # a start does without it

            near = get_close_matches(id_.upper(), clauses, 1, 0.8)
            instead = f". Did you mean {near[0]}?" if near else ""
            yield Fault(
                ("rulings", id_), f"there is no rule “{id_[:40]}” in this game{instead}", grave=False, at_key=True
            )


# -- overruling -------------------------------------------------------------------------------------------------------


def dice_ask() -> Number:
    """Return the question of a roll for dice that the wayfinder gives or takes: `+2`, `-1`."""
    return Number(_DICE, "Bonus dice", -MOST_GIVEN, MOST_GIVEN, 0, overrules=True)


def given_dice(answers: Answers) -> int:
    """Return how many dice the wayfinder gives; below 0, how many they take."""
    return int(str(answers.get(_DICE, 0)))


def with_given(sources: Sequence[str], answers: Answers, label: str) -> tuple[str, ...]:
    """Return the label of each die after dice were given, with that label, or taken. The last ones are taken first, at most all."""
    given = given_dice(answers)
    return (*sources, *(label,) * given) if given > 0 else tuple(sources[: max(0, len(sources) + given)])


def given_words(answers: Answers) -> str:
    """Return what was given or taken, as the end of a pool in words: ` + 2 added`."""
    given = given_dice(answers)
    return f" + {given} added" if given > 0 else f" − {-given} removed" if given else ""


def note_dice(answers: Answers, clause: str) -> tuple[NoteFact, ...]:
    """Return a note on dice that were given or taken, with the clause that they overrule; none if there are none."""
    given = given_dice(answers)
    if not given:
        return ()
    count = f"{abs(given)} {'die' if abs(given) == 1 else 'dice'}"
    return (NoteFact(f"Overruled: {count} {'added' if given > 0 else 'removed'}", clause),)


def anyway_option(word: str, forced: Sequence[NoteFact]) -> tuple[Option, ...]:
    """Return the answer that makes a roll of that type although rules force another: `standard-anyway`. None if none does."""
    return (
        (Option(f"{word}{_ANYWAY}", f"{word.capitalize()}, against the rules", "overrules", overrules=True),)
        if forced
        else ()
    )


def forced_refusal(word: str, forced: Sequence[NoteFact]) -> Refusal | None:
    """Return why a roll can't be of that type, and how the wayfinder overrules it; None if no rule forces another."""
    if not forced:
        return None
    return Refusal(
        f"this roll is {forced[0].text}. The wayfinder can overrule this with “{word}{_ANYWAY}”", forced[0].clause
    )


def ruled_call(answer: object) -> str:
    """Return the roll type that an answer sets against the rules; empty if it overrules none."""
    word = str(answer)
    return word.removesuffix(_ANYWAY) if word.endswith(_ANYWAY) else ""


def note_lifted(word: str, forced: Sequence[NoteFact]) -> tuple[NoteFact, ...]:
    """Return a note for each rule that would force another roll type, with its clause. Players see those that they see the
    reason of.
    """
    return tuple(
        replace(
            note, text=f"Overruled: this roll is {word.capitalize()}. The rules say {note.text}", part=NotePart.RESULT
        )
        for note in forced
    )


def tell_overruled(fault: Fault, whose: str = "") -> NoteFact:
    """Return the note that a number is out of its rule's range by the wayfinder's word: it quotes the rule. `whose` is the name of what it
    belongs to.
    """
    owner = f" for {whose}" if whose else ""
    return NoteFact(f"Overruled: “{fault.message}”{owner}", fault.clause)
