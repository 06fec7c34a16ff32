"""Words for what has a name: crew, ships, skills and Flows as they are typed in moves, and the letter of each person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from waylog.rules.naming import slug, words_for
from waylog.rules.systems.course_flow.moment import Moment
from waylog.rules.systems.course_flow.sheet import DieType

UNSKILLED, NO_FLOW, NEW_FLOW = "unskilled", "no-flow", "new-flow"
CALM, DANGEROUS, UNSEEN, WATCHED = "calm", "dangerous", "unseen", "watched"
THRESHOLDS: Mapping[int, str] = {
    7: "routine",
    10: "by luck or skill",
    13: "takes a few attempts",
    16: "masters only",
}
"""What each threshold is for (CF-10)."""
_IN_ROLLS = frozenset(
    (*(die.value for die in DieType), UNSKILLED, NO_FLOW, NEW_FLOW, CALM, DANGEROUS, UNSEEN, WATCHED, "plainly")
)
"""Words that mean something else in the same moves."""


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return words_for(((key, key) for key in moment.sheet.crew), "crew", _IN_ROLLS)


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """The letter of each crew member by key: of their word where one is free, and none where none is left."""
    taken: set[str] = set()
    letters: dict[str, str] = {}
    for word, key in crew_words(moment).items():
        free = (letter for letter in word + "abcdefghijklmnopqrstuvwxyz" if letter.isalpha() and letter not in taken)
        letters[key] = next(free, "")
        taken.add(letters[key])
    return letters


def owner_words(moment: Moment) -> Mapping[str, tuple[str, str]]:
    """Everyone and every ship, by word: the table of the sheet that they stand in, and their key."""
    crew = crew_words(moment)
    ships = words_for(((key, key) for key in moment.sheet.ships), "ship", (*crew, *_IN_ROLLS))
    return {
        **{word: ("crew", key) for word, key in crew.items()},
        **{word: ("ships", key) for word, key in ships.items()},
    }


def owner_name(moment: Moment, table: str, key: str) -> str:
    """What someone or a ship is called."""
    return moment.name(key) if table == "crew" else moment.ship_name(key)


def skill_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Skills by word: one's own first, then those of others that one lacks."""
    own = list(moment.member(who).skills)
    had = {slug(skill) for skill in own}
    for member in moment.sheet.crew.values():
        for skill in member.skills:
            if slug(skill) not in had:
                had.add(slug(skill))
                own.append(skill)
    return words_for(((skill, skill) for skill in own), "skill", _IN_ROLLS)


def held_skill(moment: Moment, who: str, said: str) -> str:
    """A skill of theirs as it is written on the sheet, however it was said; or else as it was said."""
    return next((skill for skill in moment.member(who).skills if _alike(skill, said)), said)


def _alike(one: str, other: str) -> bool:
    return (slug(one) or one) == (slug(other) or other)


def flow_words(moment: Moment, taken: Iterable[str] = ()) -> Mapping[str, str]:
    """Keys of the Flows that may apply, by word."""
    return words_for(((key, key) for key, _ in moment.flows()), "flow", (*_IN_ROLLS, *taken))


def also(name: str) -> tuple[str, ...]:
    """What a name also answers to: each of its longer words."""
    return tuple(word for word in slug(name).split("-") if len(word) > 3)
