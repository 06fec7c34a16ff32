"""Focus spent on rolled dice: to raise them (VK-13) or, for a Forceful member, to reroll them (VK-63)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from waylog.rules.codec.changes import join_names, number_word
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice, Face
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Move, Option, PickMany
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core import probabilities
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import in_hand, pays
from waylog.rules.systems.veil_core.rolls import LABELS, OUTCOMES, outcome_of, read, title
from waylog.rules.systems.veil_core.sheet import Advancement
from waylog.rules.systems.veil_core.state_stages_and_typed_names import SHIP, FocusChoice, Moment, crew_keys
from waylog.values import replace


def rerolls(moment: Moment, who: str) -> bool:
    """Whether their Focus rerolls dice instead of raising them (VK-63)."""
    return moment.has(who, Advancement.FORCEFUL)


def _free(thrown: FocusChoice) -> tuple[int, ...]:
    """Return the faces of the dice that may still be rerolled."""
    return tuple(face for place, face in enumerate(thrown.faces) if place not in thrown.final)


def could_improve(moment: Moment, thrown: FocusChoice) -> bool:
    """Whether spending Focus could give a better outcome."""
    tokens = in_hand(moment, thrown.roll.who)
    if not tokens:
        return False
    if not rerolls(moment, thrown.roll.who):
        return bool(probabilities.best_raises(thrown.faces, tokens, thrown.lowest))
    lies = outcome_of(thrown.faces, thrown.lowest)
    return lies is not OutcomeGrade.CRITICAL and any(face < 6 for face in _free(thrown))


def question(moment: Moment, thrown: FocusChoice) -> str:
    """Ask whether to spend Focus: the dice, their outcome, and the best way to spend (VK-21)."""
    faces = " ".join(map(str, thrown.faces))
    lies = f"{title(moment, thrown.roll)} {faces}: {LABELS[outcome_of(thrown.faces, thrown.lowest)]}"
    return f"{lies}. Spend Focus ({in_hand(moment, thrown.roll.who)} left)? {best(moment, thrown)}".strip()


def best(moment: Moment, thrown: FocusChoice) -> str:
    """Return the best way to spend Focus, in words: each better outcome with its cheapest raises, or the first die to
    reroll.
    """
    tokens = in_hand(moment, thrown.roll.who)
    if rerolls(moment, thrown.roll.who):
        final = tuple(face for place, face in enumerate(thrown.faces) if place in thrown.final)
        reroll = probabilities.best_rerolls(_free(thrown), tokens, final=final)
        if reroll is None:
            return "Best: keep the dice"
        spread = zip(OUTCOMES, reroll.tally, strict=True)
        likely = ", ".join(f"{LABELS[mood]} {float(chance * 100):.1f} %" for mood, chance in spread if chance)
        return f"Best: reroll the {reroll.face} ({likely})"
    ways = probabilities.best_raises(thrown.faces, tokens, thrown.lowest)
    texts = (
        f"raising {join_names([f'{face} to {face + 1}' for face in way.steps], 'and')} makes it a "
        f"{LABELS[OUTCOMES[way.outcome]]}"
        for way in ways
    )
    text = "; ".join(texts)
    return text[:1].upper() + text[1:]


def answers(moment: Moment, thrown: FocusChoice) -> tuple[Move, ...]:
    """Offer `focus 5 5`, or `reroll 1 2` for a Forceful member, or `keep`."""
    tokens = in_hand(moment, thrown.roll.who)
    about = (f"ship.core.{thrown.roll.system}",) if thrown.roll.who == SHIP else (f"crew.{thrown.roll.who}",)
    outcome, name = LABELS[outcome_of(thrown.faces, thrown.lowest)], moment.heading(thrown.roll.who)
    keep = Move("keep", (), f"Keep the dice: {outcome}", key="k", title=f"{name} keeps the dice: {outcome}")
    if not tokens:
        return (keep,)
    if rerolls(moment, thrown.roll.who):
        options = tuple(Option(str(face), f"Reroll a {face}") for face in sorted(set(_free(thrown))))
        if not options:
            return (keep,)
        most = min(tokens, len(_free(thrown)))
        ask = PickMany("faces", "Reroll", options, 1, most, repeats=True, clause="VK-63")
        return Move(
            "reroll", (), f"Reroll dice. {best(moment, thrown)}", (ask,), about=about, title=f"{name} rerolls dice"
        ), keep
    options = _raise_options(thrown, tokens)
    if not options:
        return (keep,)
    ways = probabilities.best_raises(thrown.faces, tokens, thrown.lowest)
    cheapest = tuple(map(str, ways[0].steps)) if ways else ()
    ask = PickMany("faces", "Raise by 1", options, 1, tokens, repeats=True, clause="VK-13", suggested=cheapest)
    label = f"Raise dice. {best(moment, thrown)}"
    return Move("focus", (), label, (ask,), about=about, key="f", title=f"{name} raises dice"), keep


def _raise_options(thrown: FocusChoice, tokens: int) -> tuple[Option, ...]:
    """Return each face that can be raised, now or after another raise, with the outcome of one raise from it."""
    options = []
    for face in range(1, 6):
        reach = max((shown for shown in thrown.faces if shown <= face), default=0)
        if not reach or face - reach >= tokens:
            continue
        way = range(reach, face + 1)
        outcome = LABELS[outcome_of(raise_dice(thrown.faces, way), thrown.lowest)]
        note = outcome if reach == face else f"{outcome}, after {' → '.join(map(str, way))}"
        options.append(Option(str(face), f"{face} to {face + 1}", note))
    return tuple(options)


def raise_dice(faces: Sequence[int], steps: Sequence[int]) -> tuple[int, ...]:
    """Return the dice after each step has raised one die of that face. Raises `ActRefused` if no die shows it."""
    dice = list(faces)
    for step in steps:
        if step not in dice:
            raise ActRefused(f"no die shows {step}: you have {join_names(map(str, dice))}", "VK-13")
        dice[dice.index(step)] += 1
    return tuple(dice)


def answer(moment: Moment, thrown: FocusChoice, move: Move, given: Answers, dice: Dice) -> Moment:
    """Spend Focus on the dice, or keep them. Raises `ActRefused`."""
    steps = tuple(int(face) for face in selected_words(given, "faces"))
    match move.verb:
        case "focus":
            faces = raise_dice(thrown.faces, steps)
            raised = [(old, new) for old, new in zip(thrown.faces, faces, strict=True) if old != new]
            text = join_names(
                _raise_text(old, new, count) for (old, new), count in Counter(raised).items()
            ).capitalize()
            now = tuple(Face(source, face) for source, face in zip(thrown.sources, faces, strict=True))
            note = NoteFact(text, "VK-13", part=NotePart.DETAIL, dice=now)
            after = pays(moment, thrown.roll.who, len(steps), "VK-13").tells(note)
            return read(after, replace(thrown, faces=faces))
        case "reroll":
            return _reroll(moment, thrown, steps, dice)
        case _:
            return read(moment, thrown)


def _raise_text(old: int, new: int, count: int) -> str:
    return f"a {old} becomes a {new}" if count == 1 else f"{number_word(count)} {old}s become {new}s"


def picked_places(thrown: FocusChoice, chosen: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of dice with these faces that may still be rerolled. Raises `ActRefused`."""
    places: list[int] = []
    for face in chosen:
        free = [place for place, shown in enumerate(thrown.faces) if shown == face]
        place = next((place for place in free if place not in (*thrown.final, *places)), None)
        if place is None:
            raise ActRefused(f"there is no {face} left to reroll", "VK-63")
        places.append(place)
    return tuple(places)


def _reroll(moment: Moment, thrown: FocusChoice, chosen: Sequence[int], dice: Dice) -> Moment:
    """Reroll the dice with these faces, which are then final (VK-63). With Focus left, more may follow."""
    places = picked_places(thrown, chosen)
    paid = pays(moment, thrown.roll.who, len(places), "VK-63")
    count = f"{len(places)} dice" if len(places) > 1 else "1 die"
    deed = f"{paid.heading(thrown.roll.who)} rerolls {count}"
    rolled, new = paid.rolls(
        dice, f"{title(paid, thrown.roll)} rerolled", [thrown.sources[place] for place in places], deed
    )
    faces = list(thrown.faces)
    for place, face in zip(places, new, strict=True):
        faces[place] = face
    again = replace(thrown, faces=tuple(faces), final=(*thrown.final, *places))
    return rolled.closes().then(again)


def _keep(moment: Moment, thrown: FocusChoice) -> FocusChoice | None:
    """Keep the stage while its roller, and the member it is for, are in the crew."""
    return thrown if {thrown.roll.who, thrown.roll.mate} - {SHIP} <= crew_keys(moment) else None


CHAPTER = Chapter(
    stages=(
        StageRules(
            FocusChoice,
            question,
            answers,
            answer,
            choices=could_improve,
            automatic=lambda moment, thrown, _dice: read(moment, thrown),
            keep=_keep,
        ),
    ),
)
