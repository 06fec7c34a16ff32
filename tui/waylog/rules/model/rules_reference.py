"""The rules of a campaign, for looking them up: the clauses of its game, its house rules, and its rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.codec.records import codec
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.moves import Allocate, Move, PickMany, PickOne, Refusal
from waylog.values import dataclass, field, fields


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A setting of the campaign that decides how a clause is played, with the value that the campaign gives it."""

    name: str
    """Its key in `[house_rules]`."""
    value: str | int | bool
    """The campaign's value."""
    about: str
    """The question that the setting decides, as in the campaign file."""
    is_default: bool
    """The campaign's value is the default."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Every clause of a campaign, with its house rules and rulings."""

    clauses: Mapping[str, Clause] = field(default_factory=dict)
    """The clauses by id, those of the game first."""
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of the clauses of a row, a house rule or a move (see `about`). `*` stands for any one key."""
    house_rules: Any = None
    rulings: Mapping[str, str] = field(default_factory=dict)
    """The wayfinder's rulings, by the id of the clause."""

    def find(self, text: str) -> str | None:
        """Return the id that `text` means, in upper or lower case; None if there is no such clause."""
        wanted = text.strip().upper()
        return wanted if wanted in self.clauses else None

    def chapters(self) -> Mapping[str, Sequence[str]]:
        """Return the ids under each heading, in order."""
        found: dict[str, list[str]] = {}
        for id_, clause in self.clauses.items():
            found.setdefault(clause.chapter, []).append(id_)
        return found

    def search(self, text: str) -> tuple[str, ...]:
        """Return the ids of the clauses that have every word of `text`, the best first.

        An exact id comes first, then titles that begin with the text, then titles that have all words, then clauses
        that have them in their text, house rules, or ruling.
        """
        words = text.casefold().split()
        ranked = [
            (rank, id_)
            for id_ in self.clauses
            if words and (rank := self._rank(id_, text.strip().casefold(), words)) is not None
        ]
        return tuple(id_ for _, id_ in sorted(ranked, key=lambda found: found[0]))

    def _rank(self, id_: str, text: str, words: Sequence[str]) -> int | None:
        clause = self.clauses[id_]
        title = clause.title.casefold()
        if id_.casefold() == text:
            return 0
        if title.startswith(text):
            return 1
        if all(word in title for word in words):
            return 2
        names = " ".join(rule.name for rule in self.house_rules_of(id_))
        everything = f"{id_} {title} {clause.text} {clause.chapter} {names} {self.rulings.get(id_, '')}".casefold()
        return 3 if all(word in everything for word in words) else None

    def house_rules_of(self, id_: str) -> tuple[HouseRule, ...]:
        """Return the house rules about this clause, with their settings."""
        rules = type(self.house_rules)
        names = [] if self.house_rules is None else [rule.name for rule in fields(self.house_rules)]
        named = [name for name in names if id_ in self.topics.get(f"{_HOUSE_RULES}.{name}", ())]
        if not named:
            return ()
        described, defaults = codec(rules).schema()["properties"], rules()
        return tuple(
            HouseRule(
                name,
                value := getattr(self.house_rules, name),
                str(described[name].get("description", "")),
                value == getattr(defaults, name),
            )
            for name in named
        )

    def replacement_of(self, id_: str) -> str | None:
        """Return the clause of this edition that replaces that one; None if there is none."""
        return next((other for other, clause in self.clauses.items() if id_ in clause.replaces), None)

    def describe_replacement(self, other: str) -> str:
        """Return that a clause of this edition applies in place of another."""
        return f"In this edition, {self.clauses[other].title} ({other}) applies instead"

    def see_also(self, id_: str) -> tuple[str, ...]:
        """Return related clauses of this edition, without the clause itself."""
        found = dict.fromkeys(self.replacement_of(other) or other for other in self.clauses[id_].see)
        return tuple(other for other in found if other in self.clauses and other != id_)

    def about(self, *names: str) -> tuple[str, ...]:
        """Return the ids of the clauses about these rows (`ship.modules.2`) and moves (`roll nav`), those of the first
        name first.

        A name without clauses of its own gets those of the thing that contains it. The id of a clause names that clause.
        """
        found = dict.fromkeys(id_ for name in names for id_ in self._topic(name))
        return tuple(id_ for id_ in found if id_ in self.clauses)

    def _topic(self, name: str) -> tuple[str, ...]:
        if name in self.clauses:
            return (name,)
        by = "." if "." in name else " "
        parts = name.split(by)
        for size in range(len(parts), 0, -1):
            fitting = [
                topic
                for topic in self.topics
                if len(wanted := topic.split(by)) == size
                and all(wants in ("*", part) for wants, part in zip(wanted, parts, strict=False))
            ]
            if fitting:
                return self.topics[min(fitting, key=lambda topic: topic.count("*"))]
        return ()

    def why_not_now(self, word: str) -> Refusal | None:
        """Return why a word does nothing now, if it is one of this game that answers a question or takes an offer; None for any other
        word. Such a move exists only while the question or the offer is there.
        """
        word = word.lower()
        if word not in self.topics or any(topic.startswith(f"{word}.") for topic in self.topics):
            return None
        reason = f"you can't use “{word}” now: nothing asks for it or offers it"
        return Refusal(reason, next(iter(self.about(word)), None))

    def about_move(self, move: Move) -> tuple[str, ...]:
        """Return the ids of the clauses about a move: first the one that refuses it, then those about its answers."""
        asked = [ask.clause for ask in move.asks if isinstance(ask, PickOne | PickMany | Allocate) and ask.name != "on"]
        named = [move.blocked.clause if move.blocked else None, *asked]
        found = dict.fromkeys([*filter(None, named), *self.about(move.id, *move.about)])
        return tuple(id_ for id_ in found if id_ in self.clauses)


_HOUSE_RULES = "house_rules"
