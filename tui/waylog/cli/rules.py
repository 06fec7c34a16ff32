"""The command `rule`: looks up the rules of a game, or of a campaign with its house rules and rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from waylog.cli.about import find_system
from waylog.cli.arguments import DEFAULT_SYSTEM, Arguments
from waylog.cli.open_table import open_table
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.text_or_json import text_output
from waylog.rules.game import Game
from waylog.rules.reference import HouseRule, Reference
from waylog.rules.systems import names
from waylog.store.locations import NoSuchCampaign
from waylog.toml.formatting import format_value

_WIDTH = 100


def rule(args: Arguments, desk: Environment) -> CommandResult:
    """One rule in full, the rules that have some words, or all of them by chapter."""
    game, reference, words = find_reference(args, desk)
    if not words:
        return CommandResult(lambda: _chapter_lines(reference), lambda: _chapter_data(game, reference))
    exact = reference.find(words)
    found = (exact,) if exact else reference.search(words)
    if not found:
        raise CommandFailed(f"no rule has “{words}” in it; `waylog rule` lists all rules", USAGE)
    return CommandResult(
        lambda: rule_lines(reference, found[0]) if len(found) == 1 else _result_lines(reference, found),
        lambda: {"ok": True, "system": game, "rules": [rule_data(reference, id_) for id_ in found]},
    )


def find_reference(args: Arguments, desk: Environment) -> tuple[str, Reference, str]:
    """Return the game, its rules, and what is looked for in them. The first word may be a campaign, whose rules they then are."""
    words = " ".join(args.words)
    if "--system" in args.options:
        game = find_system(args.options["--system"]).id
        return game, _fresh_reference(game), words
    if args.words:
        try:
            snapshot = open_table(args.words[0], desk, to_play=False).snapshot
        except NoSuchCampaign:
            pass
        else:
            return snapshot.system, snapshot.reference, " ".join(args.words[1:])
    for game in (DEFAULT_SYSTEM, *names()):
        reference = _fresh_reference(game)
        if reference.find(words):
            return game, reference, words
    return DEFAULT_SYSTEM, _fresh_reference(DEFAULT_SYSTEM), words


def _fresh_reference(name: str) -> Reference:
    game = Game(find_system(name))
    return game.reference(game.fresh(""))


def rule_lines(reference: Reference, id_: str) -> Iterator[str]:
    """Yield a rule in full, with what the campaign says of it."""
    clause = reference.clauses[id_]
    yield f"{clause.title}  {id_}"
    yield from (f"  {line}" for line in wrap(clause.text, _WIDTH))
    if other := reference.replacement_of(id_):
        yield f"In this edition, {reference.clauses[other].title} ({other}) holds instead"
    for house_rule in reference.house_rules_of(id_):
        yield f"House rule   {house_rule_text(house_rule)}"
    if ruling := reference.rulings.get(id_):
        yield f"Your ruling  {ruling}"
    if see := reference.see_also(id_):
        yield "See also"
        yield from (f"  {line}" for line in _titles(reference, see))


def house_rule_text(rule_: HouseRule) -> str:
    """Return a house rule as it stands in the file, with what it is about."""
    default = " (default)" if rule_.is_default else ""
    return f"{rule_.name} = {format_value(rule_.value)}{default}: {rule_.about}"


def _result_lines(reference: Reference, found: Sequence[str]) -> Iterator[str]:
    for id_ in found:
        clause = reference.clauses[id_]
        yield f"{id_}  {clause.title}"
        yield from (f"       {line}" for line in wrap(clause.text, _WIDTH))


def _chapter_lines(reference: Reference) -> Iterator[str]:
    for chapter, ids in reference.chapters().items():
        yield chapter or "Rules"
        yield from (f"  {line}" for line in _titles(reference, ids))


def _titles(reference: Reference, ids: Sequence[str]) -> Iterator[str]:
    return text_output.columns([(id_, reference.clauses[id_].title) for id_ in ids])


def _chapter_data(game: str, reference: Reference) -> Mapping[str, Any]:
    chapters = [
        {"title": chapter, "rules": [{"id": id_, "title": reference.clauses[id_].title} for id_ in ids]}
        for chapter, ids in reference.chapters().items()
    ]
    return {"ok": True, "system": game, "chapters": chapters}


def rule_data(reference: Reference, id_: str) -> Mapping[str, Any]:
    """Return a rule with what the campaign says of it."""
    clause = reference.clauses[id_]
    house_rules = [
        {"name": one.name, "value": one.value, "about": one.about, "default": one.is_default}
        for one in reference.house_rules_of(id_)
    ]
    return {
        "id": id_,
        "title": clause.title,
        "text": clause.text,
        "chapter": clause.chapter,
        "see": list(reference.see_also(id_)),
        "replaced_by": reference.replacement_of(id_),
        "house_rules": house_rules,
        "ruling": reference.rulings.get(id_),
    }
