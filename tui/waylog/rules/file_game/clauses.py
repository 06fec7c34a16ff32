"""The rules that every game in a file has beside its own, and which rules are shown for what."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.file_game.game_file_format import GameFile, Path, values_in
from waylog.rules.model import clause_texts

LIMITS, CONDITIONS, COSTS = "GF-01", "GF-02", "GF-03"
NOT_NOW = "this can't be done now"
"""Why an act is refused whose conditions don't hold, where the file gives no `refusal`."""
CLAUSES: Mapping[str, clause_texts.Clause] = {
    LIMITS: clause_texts.Clause(
        "Limits", "A value stays within its range. An action that would change nothing is refused."
    ),
    CONDITIONS: clause_texts.Clause(
        "Conditions",
        "An action can be taken only while its conditions are true. The conditions are in the game's file.",
    ),
    COSTS: clause_texts.Clause(
        "Costs", "Whoever acts must be able to pay the cost in full. It is paid when the action is done."
    ),
}
"""By id. They stand where the file names no rule of its own."""


def clauses_of(game: GameFile) -> Mapping[str, clause_texts.Clause]:
    """Return the rules of a game by id: its own first."""
    of_game = {
        id_: clause_texts.Clause(clause.title or id_, clause.text, clause.see, chapter=clause.chapter or game.name)
        for id_, clause in game.clauses.items()
    }
    return {**of_game, **CLAUSES}


def topics_of(game: GameFile) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the rules that are shown for a row, a house rule or a move."""
    found: dict[str, list[str]] = {}
    topics = [
        *((_topic_of(path), value.clause) for path, value, _ in values_in(game)),
        *((name, move.clause) for name, move in game.moves.items()),
        *((f"house_rules.{name}", rule.clause) for name, rule in game.house_rules.items()),
    ]
    for topic, clause in topics:
        if clause:
            found.setdefault(topic, []).append(clause)
    return {topic: tuple(dict.fromkeys(ids)) for topic, ids in found.items()}


def _topic_of(path: Path) -> str:
    """Return the topic of a value: `team.stress`, or with a star for each thing of a list, `crew.*.nerve`."""
    _, part, inside, name, *inner = path
    return ".".join((part, *(["*"] if inside == "each" else []), name, *(["*", inner[-1]] if inner else [])))
