"""What is offered in a game file: each offer has to be an act that somebody can do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from waylog.rules.command_grammar import tokens
from waylog.rules.common.random_tables import RandomTable, TableEntry, Tables
from waylog.rules.file_game.check_formulas import FormulaCheck, Names, move_names
from waylog.rules.file_game.check_rolls import result_names
from waylog.rules.file_game.declaration import EffectRule, GameFile
from waylog.rules.file_game.effects import WrongEffect, parse_effect
from waylog.rules.file_game.flaws import Flaw, Path, did_you_mean
from waylog.rules.file_game.marks import CLEAR, MARK, MARKED
from waylog.rules.file_game.places import ACTING, WrongPath, find, lists_of
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.game import Game
from waylog.rules.naming import join_names, slug
from waylog.rules.systems import System
from waylog.values import NamedTuple

_TABLE = RandomTable(entries=(TableEntry("-"),))


class _Offered(NamedTuple):
    """An offer, where it stands, and what its formulas may read."""

    path: Path
    words: str
    who: str
    names: Names


def check_offers(tree: Mapping[str, Any], game: GameFile, tables: Tables | None = None) -> Iterator[Flaw]:
    """Yield the offers of a game without other flaws that no act can match, in whatever campaign.

    `tables` are the random tables that come with the game; without them, any table may be there.
    """
    formulas = FormulaCheck(game)
    typed = [offer for offer in _offers(game) if not _is_mark(game, offer.words, offer.who)]
    for offer in _offers(game):
        if offer not in typed:
            yield from _mark(game, offer, formulas)
    if not typed:
        return
    from waylog.rules.file_game.rulebook import rulebook_of  # Imported late: the rulebook checks its file.

    system = rulebook_of(tree, is_sound=True)
    for offer in typed:
        if why := _why_not(system, game, offer.words, tables):
            yield Flaw(offer.path, why)


def _why_not(system: System, game: GameFile, offer: str, tables: Tables | None) -> str:
    """Return why no act can match an offer in any campaign; empty if one can."""
    verb, *others = (token.text for token in tokens(offer)) if offer.strip() else ("",)
    words = [word for word in map(slug, others) if word]
    named = [*dict.fromkeys((*words, *filter(None, [slug(" ".join(others))])))]
    probe = Game(system, dict.fromkeys(named, _TABLE) if tables is None else tables)
    fresh = probe.fresh("")
    state, _ = probe.decode(_campaign(probe.write(fresh), game, named, words))
    refusal = probe.effect_refusal(state, offer)
    if refusal is None:
        return ""
    if verb == "table" and tables is not None:
        name = " ".join(others)[:40]
        return f"there is no table {name}; {did_you_mean(name, [*tables], 'tables')}"
    if verb in (MARK, CLEAR, *game.moves):  # What is wrong is told without the names that the campaign was given here.
        refusal = probe.effect_refusal(fresh, offer) or refusal
    why = f"nothing can be done with the offer “{offer[:60]}”: {refusal.reason}"
    rule = game.moves.get(verb)
    asks = rule is not None and (rule.text or rule.amount or rule.choose)
    return f"{why}. An offer says all that the act asks for" if asks else why


def _offers(game: GameFile) -> Iterator[_Offered]:
    for path, effect, who, names in _effects(game):
        if effect.offer:
            yield _Offered((*path, "offer"), effect.offer, who, names)


def _effects(game: GameFile) -> Iterator[tuple[Path, EffectRule, str, Names]]:
    """Yield what outcomes and moves do, with its place, the list whose things do it, and what its formulas may read."""
    for roll, outcomes in game.after.items():
        rule = game.dice[roll]
        for outcome, effects in outcomes.items():
            for place, effect in enumerate(effects):
                yield ("after", roll, outcome, str(place)), effect, rule.who, result_names(rule)
    for name, move in game.moves.items():
        lists: dict[Path, tuple[EffectRule, ...]] = {("does",): move.does}
        lists |= {("choose", word, "does"): choice.does for word, choice in move.choose.items()}
        for at, effects in lists.items():
            for place, effect in enumerate(effects):
                yield ("moves", name, *at, str(place)), effect, move.who, move_names(move)


# -- mark and clear, which name a value as effects do -----------------------------------------------------------------


def _is_mark(game: GameFile, words: str, who: str) -> bool:
    """Whether an offer marks or clears a value that it names by its path."""
    try:
        effect = parse_effect(words)
        if effect.verb not in (MARK, CLEAR) or effect.verb in game.moves:
            return False
        place = find(game.sheet, who, effect.names)
        return not place.of_all and kind_of(place.value) != "each"
    except (WrongEffect, WrongPath):
        return False


def _mark(game: GameFile, offer: _Offered, formulas: FormulaCheck) -> Iterator[Flaw]:
    effect = parse_effect(offer.words)
    value = find(game.sheet, offer.who, effect.names).value
    if kind_of(value) not in MARKED:
        kinds = join_names(MARKED, "or")
        yield Flaw(offer.path, f"only a {kinds} can be marked and cleared, and {effect.names[-1]} is none", within=1)
    elif not value.moves:
        yield Flaw(offer.path, f"{effect.names[-1]} says moves = false, so nobody can {effect.verb} it", within=1)
    else:
        yield from formulas.number(offer.path, effect.rest, offer.who, offer.names, effect.rest_at)


# -- a campaign that has what an offer names --------------------------------------------------------------------------


def _campaign(
    tree: Mapping[str, Any], game: GameFile, named: Collection[str], words: Collection[str]
) -> dict[str, Any]:
    """Return a new campaign with all that a game can't know: clocks, decks and situations that are `named` so, and in lists that
    begin empty or grow, things of these words.
    """
    found: dict[str, Any] = dict(tree)
    found |= {key: {word: {"name": word} for word in named} for key in ("clocks", "situations")}
    found["decks"] = {word: {"name": word, "cards": {"card": {"text": "-"}}} for word in named}
    growing = {*_lists_that_grow(game)}
    for who in lists_of(game.sheet):
        owner, _, inner = who.partition(".")
        if not inner:
            found[owner] = _with_things(found.get(owner, {}), words, grows=who in growing)
        elif game.sheet[owner].each:
            found[owner] = {
                key: {**thing, inner: _with_things(thing.get(inner, {}), words, grows=who in growing)}
                for key, thing in found.get(owner, {}).items()
            }
        else:
            table = found.get(owner, {})
            found[owner] = {**table, inner: _with_things(table.get(inner, {}), words, grows=who in growing)}
    return found


def _with_things(things: Mapping[str, Any], named: Collection[str], *, grows: bool) -> dict[str, Any]:
    return {**things, **{word: {} for word in named if word not in things}} if grows or not things else {**things}


def _lists_that_grow(game: GameFile) -> Iterator[str]:
    """Yield the lists that effects add things to, whose names a game can't know either."""
    for _, effect, who, _ in _effects(game):
        with suppress(WrongEffect, WrongPath):
            words = parse_effect(effect.do)
            if words.verb == "add":
                yield ".".join(part for part in find(game.sheet, who, words.names).path if part != ACTING)
