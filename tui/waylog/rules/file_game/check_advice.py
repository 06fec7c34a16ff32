"""Advice on a game without mistakes: parts that its author can't have meant, the effect of each, and the usual cure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.based_rolls_and_replaced_parts import merge_trees, read_game, variants, without_paths
from waylog.rules.file_game.check import CheckedGame, look_over
from waylog.rules.file_game.check_names_and_formulas import choices_in, effects_in, text_of
from waylog.rules.file_game.check_tried_rolls import OF_RESULT
from waylog.rules.file_game.check_what_never_happens import never_seen
from waylog.rules.file_game.dice_readings import OF_DICE
from waylog.rules.file_game.effects_and_offers import ANY
from waylog.rules.file_game.formulas import FUNCTIONS, is_true, parse_expression
from waylog.rules.file_game.game_file_format import (
    IN_LOG,
    Flaw,
    GameFile,
    PartRule,
    Path,
    ValueRule,
    questions_of,
    values_in,
)
from waylog.rules.file_game.misspelt_names import value_at
from waylog.rules.file_game.named_values_and_conditions import WrongPath, find, is_near, label_of, once_for
from waylog.rules.file_game.roll_and_effect_format import (
    CLOCKS,
    DOWN,
    TICK,
    UP,
    VERBS,
    EffectRule,
    RollRule,
    WrongEffect,
    is_clocks,
    parse_effect,
)
from waylog.rules.file_game.roll_plans_and_options import KEEPS, OPTIONS
from waylog.rules.file_game.sheet_types import has_marks, kind_of, start_of
from waylog.rules.language.similar_names import nearest
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.rulebook import Rulebook
from waylog.values import fields

_GOOD = (OutcomeGrade.SUCCESS, OutcomeGrade.CRITICAL)


def advise(system: Rulebook) -> Iterator[Flaw]:
    """Yield what its author can't have meant; last what takes longest, the parts that are tried."""
    game: GameFile = system.edition.game
    of_the_text = (
        _misleading_rolls,
        _labels_in_use_and_idle_questions,
        _numbers_that_do_nothing,
        _prices_that_are_gains,
        _prices_out_of_reach,
        _idle_spends_and_conditions,
        _unused_clocks_rules_and_formulas,
        _values_that_stay,
        _lasting_values,
    )
    yield from _idle_house_rules(system)
    yield from _effects_of_bases_as_well(system)
    yield from _counts_that_stay_0(system)
    for check in of_the_text:
        yield from check(game)
    yield from never_seen(system)


def advise_beside_mistakes(tree: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield what the author of a game with mistakes can't have meant, as far as no mistake may have to do with it."""
    checked = look_over(tree)
    if not (checked.flaws and checked.sound):
        return
    sound = checked.sound
    for name in {path[1] for path in checked.at_fault if path[0] == "house_rules"}:
        sound = without_paths(sound, [("house_rules", name, "when")])
    from waylog.rules.file_game.rulebook import rulebook_of  # Imported late: only a game with mistakes is read again.

    system = rulebook_of(sound, is_sound=True)
    left_out = _LeftOut(checked, system.edition.game)
    for flaw in advise(system):
        if not left_out.may_explain(flaw.path):
            yield flaw._replace(path=checked.path_in_file(flaw.path))


_WORD = re.compile(r"[^\W\d][\w-]*")
_OF_FORMULAS = frozenset(
    ["and", "or", "not", "if", "else", "in", "true", "false", "to", "each", "actor", "outcome", "dice"]
)
_OF_PEOPLE = frozenset(
    ["label", "about", "refusal", "refuses", "clause", "say", "log", "tag", "tone", "name", "title", "grade"]
)
"""Keys whose texts no formula reads."""
_OF_ROLLS = ("dice", "after", "when", "spend")
"""The tables of a game file that say how a roll goes."""


class _LeftOut:
    """What is wrong in a game file, and all that the author may have meant with it."""

    def __init__(self, checked: CheckedGame, game: GameFile) -> None:
        """`game` is what is left of the game."""
        self._checked, self._game = checked, game
        every = (game, read_game(checked.meant)[0])
        self._names = names = {name for one in every for name in _names_of(one)}
        known = {*names, *FUNCTIONS, *VERBS, *OF_DICE, *_OF_FORMULAS, *(key.name for key in fields(EffectRule))}
        self._parts, self._rolls = set[Path](), set[str]()
        self._read, self._values = set[str](), set[str]()
        """All that is named there, and what of it isn't named by rolls and moves."""
        self._has_unknown = False
        """Whether something is named there that may be anything."""
        for path in checked.at_fault:
            self._parts.add(_part_of(path))
            self._rolls |= self._rolls_of(path)
            is_whole = len(path) == 2 or path[0] in ("formulas", "clocks", "house_rules")
            self._read |= names & {*(path[1:2] if is_whole else path[2:] if path[0] == "sheet" else ())}
            words = _words_in(value_at(checked.meant, path)) if path[-1] not in _OF_PEOPLE else set()
            near = {word: nearest(word, names) for word in words - known}
            self._has_unknown |= None in near.values()
            self._read |= words & names | {name for name in near.values() if name}
            if path[0] not in (*_OF_ROLLS, "moves"):
                self._values |= self._read

    def may_explain(self, path: Path) -> bool:
        """Whether what is said of a part of the game may be wrong because of what isn't there."""
        kind, part = path[0], _part_of(path)
        if value_at(self._checked.meant, path) != value_at(self._checked.sound, path):
            return True
        if any(part[: len(one)] == one[: len(part)] for one in self._parts):
            return True
        # Effects elsewhere have to do with what never changes, and with what others gain; all else is tried with any values.
        read = self._values if kind in (*_OF_ROLLS, "moves") and path[-1] != "cost" else self._read
        if kind in _OF_ROLLS:
            # All that has to do with one roll may depend on each other.
            return not (self._rolls.isdisjoint(self._rolls_of(path)) and read.isdisjoint(self._read_by_rolls(path)))
        if kind != "moves" and self._has_unknown:
            return True  # It may have changed what nothing else changes.
        return not read.isdisjoint(self._read_by((part[-1], value_at(self._checked.sound, part))))

    def _rolls_of(self, path: Path) -> set[str]:
        if path[0] in ("dice", "after"):
            name = path[1] if len(path) > 1 else ""
            based = {key for key, one in self._game.dice.items() if one.base == name}
            every = based | {one for key in based for one in self._rolls_of(("dice", key))} | {name}
            return every if name in self._game.dice else {*self._game.dice}
        rules: Mapping[str, Any] = {"when": self._game.when, "spend": self._game.spend}.get(path[0], {})
        if path[0] not in ("when", "spend"):
            return set()
        return {*(rules[path[1]].rolls if path[1] in rules else ())} or {*self._game.dice}

    def _read_by_rolls(self, path: Path) -> set[str]:
        """Return all names that a part reads which has to do with rolls, or these rolls."""
        rolls = self._rolls_of(path)
        every: list[Any] = [*self._game.when.values(), *self._game.spend.values()]
        beside = [one for one in every if not rolls.isdisjoint(one.rolls or rolls)]
        return self._read_by((beside, [(self._game.dice[name], self._game.after.get(name)) for name in rolls]))

    def _read_by(self, rules: object) -> set[str]:
        """Return all names that a part of the game reads, by way of formulas and of the limits of values too."""
        text, read = text_of(self._game, rules), set[str]()
        while new := {*re.findall(r"\w+", text), *_WORD.findall(text)} - read:
            read |= new
            values = (one for at, one, _ in values_in(self._game) if at[-1] in new)
            text = text_of(self._game, [(one.most, one.least, one.when_full, one.when_empty) for one in values])
        return read


def _part_of(path: Path) -> Path:
    """Return the part of the game in which a place is: a roll, a move, a value."""
    return path[:4] if path[0] == "sheet" else path[:2]


def _names_of(game: GameFile) -> Iterator[str]:
    tables = (game.sheet, game.formulas, game.dice, game.moves, game.spend, game.when, game.clocks, game.house_rules)
    yield from chain.from_iterable(tables)
    yield from (path[-1] for path, _, _ in values_in(game))
    questions = (one for move in game.moves.values() for one in questions_of(move).items())
    yield from (word for path, words in questions for word in (*path, *words))
    for rule in game.dice.values():
        yield from (word for at, _ in choices_in(rule) for word in at)
        yield from (band.outcome for band in rule.bands)


def _words_in(value: object) -> set[str]:
    """Return the words in the texts of a value of a file, with and without the hyphens that may be in them."""
    match value:
        case str():
            return {*_WORD.findall(value), *re.findall(r"[^\W\d]\w*", value)}
        case dict():
            read = (one for key, one in value.items() if key not in _OF_PEOPLE)
            return {word for one in read for word in _words_in(one)} | {*value}
        case list() | tuple():
            return {word for one in value for word in _words_in(one)}
        case _:
            return set()


def _idle_house_rules(system: Rulebook) -> Iterator[Flaw]:
    for (name, value), changes in variants(system.edition.game).items():
        if read_game(merge_trees(system.edition.tree, changes))[0] == system.edition.game:
            text = "this value changes nothing: the game already works that way"
            yield Flaw(("house_rules", name, "when", value), text, at_key=True)


def _effects_of_bases_as_well(system: Rulebook) -> Iterator[Flaw]:
    """Say of a roll whose outcomes all have effects of their own that those of every outcome of its base come too, if one of each is about
    the same value, move, roll or offer.
    """
    game: GameFile = system.edition.game
    written = system.edition.tree.get("after", {})
    for name, rule in game.dice.items():
        after = written.get(name, {}) if rule.base else {}
        has_all = after and all(band.outcome in after for band in rule.bands)
        if has_all and ANY not in after and game.after[name].get(ANY):
            of_own = _touched_by(effect for outcome in after for effect in game.after[name][outcome])
            if of_own & _touched_by(game.after[name][ANY]):
                text = f"each outcome here also does what [after.{rule.base}] says of `any`: write any = [] to leave that out, or say it here"
                yield Flaw(("after", name), text, at_key=True)


def _touched_by(effects: Iterable[EffectRule]) -> set[str]:
    """Return the values that effects change, and the moves, rolls and offers that they bring."""
    names = (".".join(parse_effect(one.do).names) if one.do else one.move or one.roll or one.offer for one in effects)
    return {name for name in names if name}


def _misleading_rolls(game: GameFile) -> Iterator[Flaw]:
    for name, rule in game.dice.items():
        yield from _dice_that_keeping_loses(name, rule)
        keeps = any(getattr(rule, key) for key in KEEPS)
        adding = (word for word, one in rule.options.items() if one.dice != 0 and not (one.against or one.keep_lowest))
        more = next(adding, "")
        if rule.reading == "under" and not keeps and (more or not isinstance(rule.pool, int) or rule.pool > 1):
            at = ("dice", name, "options", more) if more else ("dice", name, "pool")
            text = "the sum of the dice has to be under the target, so each extra die makes the roll harder: keep_lowest = 1 keeps only the best one"
            yield Flaw(at, text)
        if rule.target != 0 and rule.reading not in ("count", "count-under", "under"):
            text = f'`target` has no effect with reading = "{rule.reading}": write `from` in the outcomes'
            yield Flaw(("dice", name, "target"), text)
        if rule.group and rule.group.leader and not rule.group.outcomes:
            text = 'the leader never pays: list the outcomes that cost the leader something, such as outcomes = ["bad"]'
            yield Flaw(("dice", name, "group"), text)
        unpaid = rule.group if rule.group and not rule.group.leader else None
        if unpaid and (unpaid.outcomes or unpaid.own):
            text = 'this changes nothing without `leader`, which says what the leader pays, such as leader = ["mark stress"]'
            yield Flaw(("dice", name, "group", "outcomes" if unpaid.outcomes else "own"), text, at_key=True)
        worst = rule.bands[0] if rule.bands else None
        # What its dice come to may matter even where its outcome doesn't.
        reads_dice = OF_RESULT.search(text_of(game, game.after.get(name, {})))
        if rule.none and worst and rule.none.best == worst.outcome and worst.grade not in _GOOD and not reads_dice:
            text = (
                f"without dice, every roll ends in “{rule.none.best}”, the worst outcome: name a better one as `best`"
            )
            yield Flaw(("dice", name, "none", "best"), text)


def _dice_that_keeping_loses(name: str, rule: RollRule) -> Iterator[Flaw]:
    """Say of an answer that keeps one of several dice what an option's dice make of it: they are all together."""
    keeping = [(at, one) for at, one in choices_in(rule) if any(getattr(one, key) != "" for key in KEEPS[:2])]
    answers = {at[-1]: (at, one) for at, one in keeping if at[0] != OPTIONS}
    for word, option in rule.options.items():
        keeps = any(getattr(option, key) != "" for key in KEEPS[:2])
        if option.against or not (keeps or option.dice != 0):
            continue
        for answer, (at, one) in answers.items():
            better = "lowest" if rule.reading in ("under", "lowest", "count-under") else "highest"
            if not keeps and (getattr(one, f"keep_{better}") != "" or not (one.dice != 0 or one.pool != "")):
                continue
            what = f"only the kept dice of `{word}` count" if keeps else f"a die added by `{word}` makes the roll worse"
            text = f'with {answer}, {what}: for advantage or disadvantage, write twice = "better" or "worse" instead'
            yield Flaw(("dice", name, *at), text, at_key=True)


def _labels_in_use_and_idle_questions(game: GameFile) -> Iterator[Flaw]:
    for kind, rules in (("dice", game.dice), ("moves", game.moves)):
        labels = {name: (label_of(name, rule.label), rule.who) for name, rule in rules.items()}
        for place, (name, label) in enumerate(labels.items()):
            if label in [*labels.values()][:place]:
                text = f"the label “{label[0]}” is already in use: choose another"
                yield Flaw((kind, name), text, at_key=True)
    for name, rule in game.dice.items():
        shown = Counter({band.outcome: label_of(band.outcome, band.label) for band in rule.bands}.values())
        if alike := [label for label, count in shown.items() if count > 1]:
            yield Flaw(("dice", name, "bands"), f"two outcomes are called “{alike[0]}”: give each a label of its own")
    for name, move in game.moves.items():
        questions = questions_of(move)
        choices = [choice for answers in questions.values() for choice in answers.values()]
        effects = (*move.does, *(effect for choice in choices for effect in choice.does))
        written = (getattr(effect, key.name) for effect in effects for key in fields(effect))
        does = repr([*written, *(choice.when for choice in choices)])
        in_log = re.findall(IN_LOG, move.log)
        asked: list[Path] = [(key,) for key in ("amount", "text", "whom") if getattr(move, key)]
        asked += [path for path, answers in questions.items() if not any(choice.does for choice in answers.values())]
        for path in asked:
            if path[-1] not in in_log and not re.search(rf"\b{'.'.join(path)}\b", does):
                text = f"the answer to this question changes nothing: use `{'.'.join(path)}` in `does`"
                yield Flaw(("moves", name, *path), text, at_key=True)


_COUNTED = re.compile(r"\bcount\(([^()]*)\)")
_COMPARED = re.compile(r"\s*options\.(\w+) *(==|<=|<|!=|>=|>) *(\d+)\s*")


def _counts_that_stay_0(system: Rulebook) -> Iterator[Flaw]:
    """Say of a formula that counts for which of the chosen things something holds that never does: each counts as 1."""
    game: GameFile = system.edition.game
    lists = {name for rule in game.dice.values() for name, option in rule.options.items() if option.who}
    for path, text in _texts_in(system.edition.tree):
        for part in (part for inside in _COUNTED.findall(text) for part in inside.split(",")):
            found = _COMPARED.fullmatch(part)
            if found and found[1] in lists and not is_true(parse_expression(f"1 {found[2]} {found[3]}").evaluate(len)):
                name = found[1]
                wrong = f"count({found[0].strip()}) is always 0, because it looks at each thing that was chosen. To get 1 when none was chosen, write count(not options.{name})"
                yield Flaw(path, wrong)


def _texts_in(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _texts_in(one, (*path, str(key)))


def _effects_and_costs(game: GameFile) -> Iterator[tuple[Path, EffectRule, str]]:
    """Yield every effect and every part of a price in a game, with its place and the list of what it is done to."""
    yield from ((at, effect, who) for at, effect, who, _ in effects_in(game))
    for above, cost in _costs_of(game):
        rolls = (game.spend[above[1]].rolls or tuple(game.dice)) if above[0] == "spend" else (above[1],)
        asked = dict(choices_in(game.dice[rolls[0]])).get(above[2:]) if rolls else None
        for place, effect in enumerate(cost if rolls else ()):
            who = effect.who or (asked.who if asked and not is_clocks(asked.who) else "") or game.dice[rolls[0]].who
            yield (*above, "cost", str(place)), effect, who


def _numbers_that_do_nothing(game: GameFile) -> Iterator[Flaw]:
    for at, effect, who in _effects_and_costs(game):
        with suppress(WrongEffect, WrongPath):
            words = parse_effect(effect.do)
            if not re.fullmatch(r"-?[0-9]+", words.rest):
                continue
            number = int(words.rest)
            if words.verb == TICK:
                yield from [Flaw(at, "with 0, `tick` fills nothing: write another number")] if not number else ()
                continue
            value = find(game.sheet, who, words.names).value
            if words.verb in (*UP, *DOWN) and number <= 0:
                opposite = "does nothing, or the opposite of what it says"
                yield Flaw(at, f"with {number}, `{words.verb}` {opposite}: write a number above 0")
            elif words.verb == "set" and value.range and not value.range[0] <= number <= value.range[-1]:
                between = f"from {value.range[0]} to {value.range[-1]}"
                yield Flaw(at, f"{words.names[-1]} goes {between}, so it can't be {number}")


def _prices_that_are_gains(game: GameFile) -> Iterator[Flaw]:
    """Say of prices that raise a value of whoever pays which good outcomes raise too. Bad outcomes don't, good ones never lower it, and
    nothing happens once it is full.
    """
    gains, others = set[str](), {path[-1] for path, value, _ in values_in(game) if value.when_full}
    for roll, rule in game.dice.items():
        good = {band.outcome for band in rule.bands if band.grade in _GOOD}
        for outcome, effects in game.after.get(roll, {}).items():
            is_good = outcome in good
            gains |= {name for name, verb in _changes(one for one in effects if not one.who) if verb in UP and is_good}
            others |= {name for name, verb in _changes(effects) if verb in (DOWN if is_good else UP)}
    for at, cost in _costs_of(game):
        for name, verb in _changes(cost):
            if verb in UP and name in gains - others:
                text = f'this price raises {name}, as good outcomes do. If it should lower {name}, write "spend {name}"'
                yield Flaw((*at, "cost"), text)


def _prices_out_of_reach(game: GameFile) -> Iterator[Flaw]:
    """Say of a price that nobody can pay in a new campaign, and that no effect pays for; once for each value."""
    found: dict[Path, Flaw] = {}
    for at, effect, who in _effects_and_costs(game):
        with suppress(WrongEffect, WrongPath):
            words = parse_effect(effect.do)
            number, name, place = words.rest or "1", words.names[-1], find(game.sheet, who, words.names)
            part, value = game.sheet[place.path[0]], place.value
            is_simple = len(place.path) == (3 if part.each else 2) and kind_of(value) in ("range", "number")
            if words.verb != "spend" or not number.isdecimal() or not is_simple or effect.partly:
                continue
            most = max(_starts_of(part, name, value)) - (value.range[0] if value.range else 0)
            # Of a value that starts at its lowest, `_values_that_stay` says so.
            if (most or not value.range) and most < int(number) and _verbs_of(game, name) <= {*DOWN}:
                text = f"nobody in a new campaign can pay this, and no effect ever raises {place.label}"
                cure = f'let it start higher, or write an effect such as "gain {name} {number}"'
                found.setdefault(place.path, Flaw(at, f"{text}: {cure}"))
    yield from found.values()


def _starts_of(part: PartRule, name: str, value: ValueRule) -> Sequence[Any]:
    """Return what a value starts with, for each thing of its list."""
    there: Any = part.start
    return [thing.get(name, start_of(value)) for thing in there.values()] or [start_of(value)]


def _verbs_of(game: GameFile, name: str) -> set[str]:
    """Return the verbs of the effects, prices and offers that change a value, or any other of that name."""
    found: list[str] = re.findall(rf"\b([a-z]+) (?:[a-z_.]+\.)?{name}\b", _effects_as_text(game))
    return {*found} & {*VERBS}


@once_for
def _effects_as_text(game: GameFile) -> str:
    """Return all that changes values, as text to search."""
    at_limits = [(value.when_full, value.when_empty) for _, value, _ in values_in(game)]
    return repr((game.dice, game.spend, game.after, game.moves, game.clocks, at_limits))


def _costs_of(game: GameFile) -> Iterator[tuple[Path, Sequence[EffectRule]]]:
    yield from ((("spend", key), one.cost) for key, one in game.spend.items())
    for roll, rule in game.dice.items():
        yield from (((("dice", roll, *at)), one.cost) for at, one in choices_in(rule))
        yield from [(("dice", roll, "instead"), rule.instead.cost)] if rule.instead else []


def _changes(effects: Iterable[EffectRule]) -> Iterator[tuple[str, str]]:
    for effect in effects:
        with suppress(WrongEffect):
            words = parse_effect(effect.do)
            yield words.names[-1], words.verb


def _idle_spends_and_conditions(game: GameFile) -> Iterator[Flaw]:
    for name, spend in game.spend.items():
        if (spend.faces or spend.again or spend.keep_better or spend.against or spend.both) and not spend.reroll:
            wrong = "`faces`, `again`, `keep_better`, `against` and `both` have no effect without `reroll`"
            yield Flaw(("spend", name), wrong, at_key=True)
        if spend.accept and not spend.keep_better:
            wrong = "`accept` has no effect unless `keep_better` is set: otherwise, every reroll counts, whatever its outcome"
            yield Flaw(("spend", name, "accept"), wrong)
        for key in ("die", "dice_label"):
            if getattr(spend, key) and not spend.dice:
                yield Flaw(("spend", name, key), f"`{key}` has no effect without `dice`, which says how many to add")
    for name, condition in game.when.items():
        if not any(getattr(condition, key) for key in ("dice", "plus", "twice", "refuses", "tag", "about")):
            text = "this condition changes nothing: give it `dice`, `plus`, `twice`, `refuses` or `tag`"
            yield Flaw(("when", name), text, at_key=True)


def _unused_clocks_rules_and_formulas(game: GameFile) -> Iterator[Flaw]:
    moved = _names_in_effects(game)
    chosen = {one.who for rule in game.dice.values() for one in rule.options.values()}
    chosen |= {move.whom for move in game.moves.values()}
    for name, clock in game.clocks.items():
        if name not in moved and chosen.isdisjoint((CLOCKS, f"{CLOCKS}.{clock.kind}")):
            text = f'no effect ever fills this clock: add one, such as "tick {name}"'
            yield Flaw(("clocks", name), text, at_key=True)
    whole = repr((game.sheet, game.dice, game.spend, game.after, game.moves, game.when, game.panels))
    for name, switch in game.house_rules.items():
        if not switch.when and f"rules.{name}" not in whole + repr(game.formulas):
            text = f"nothing depends on this house rule: use rules.{name} in a formula, or give it a `when`"
            yield Flaw(("house_rules", name), text, at_key=True)
    for name in game.formulas:
        others = {key: formula for key, formula in game.formulas.items() if key != name}
        reading = repr((whole, game.house_rules, [*others.values()]))
        if not re.search(rf"\b{re.escape(name)}\b", reading):
            text = "nothing uses this formula: write its name where it should count, or remove it"
            yield Flaw(("formulas", name), text, at_key=True)


def _values_that_stay(game: GameFile) -> Iterator[Flaw]:
    moved = _names_in_effects(game)
    for key, part in game.sheet.items():
        for name, value in (part.each or part.values).items():
            inner = "each" if part.each else "values"
            verbs, starts = _verbs_of(game, name), _starts_of(part, name, value)
            for only, end, at, other in (
                (UP, value.range[-1:], "highest", "lose"),
                (DOWN, value.range[:1], "lowest", "gain"),
            ):
                if verbs and verbs <= {*only} and starts == [*end] * len(starts):
                    what = "only a change by hand can move" if has_marks(value) else "nothing moves"
                    text = f"{label_of(name, value.label)} starts at its {at} value, and {what} it from there"
                    cure = f'give it another `start`, or write an effect such as "{other} {name}"'
                    yield Flaw(("sheet", key, inner, name), f"{text}: {cure}", at_key=True)
            for text in _conditions_out_of_reach(game, name, value, verbs, starts):
                yield Flaw(("sheet", key, inner, name), text, at_key=True)
            readers = [when for when, rule in game.when.items() if re.search(rf"\b{name}\b", str(rule.condition))]
            if kind_of(value) == "range" and has_marks(value) and readers and name not in moved:
                text = f"[when.{readers[0]}] depends on {label_of(name, value.label)}, which changes only when somebody marks it by hand"
                yield Flaw(("sheet", key, inner, name), f'{text}: write an effect such as "mark {name}"', at_key=True)


def _lasting_values(game: GameFile) -> Iterator[Flaw]:
    """Yield the values that may end before they matter, and the conditions that nothing ends."""
    reading = repr((game.dice, game.spend, game.formulas))
    for path, value, who in values_in(game):
        name, label = path[-1], label_of(path[-1], value.label)
        conditions = [rule for rule in game.when.values() if re.search(rf"\b{name}\b", str(rule.condition))]
        changed = dict.fromkeys(roll for rule in conditions for roll in rule.rolls or game.dice)
        also = [roll for roll, rule in game.dice.items() if roll not in changed and (not who or is_near(who, rule.who))]
        for key in ("ends", "fades"):
            if "roll" in getattr(value, key) and changed and also and not re.search(rf"\b{name}\b", reading):
                words = ", ".join(f'"roll {roll}"' for roll in changed)
                text = f"{label} changes only {join_names(changed)}, but may end before that, with {also[0]}"
                yield Flaw((*path, key), f"{text}: write {key} = [{words}]")
        verbs = _verbs_of(game, name)
        is_bad = value.flag is False and value.good is False
        if (
            is_bad
            and verbs == {"mark"}
            and not (value.moves or value.ends)
            and any(one.dice or one.plus or one.twice for one in conditions)
        ):
            text = f"nothing ever ends {label}"
            yield Flaw(path, f'{text}: give it `ends`, or write an effect such as "clear {name}"', at_key=True)


def _conditions_out_of_reach(
    game: GameFile, name: str, value: ValueRule, verbs: Collection[str], starts: Sequence[object]
) -> Iterator[str]:
    """Yield what is wrong where a condition needs a value below all that it starts with, and effects only raise it; or the reverse."""
    for only, signs, never, other in ((UP, "==|<=?", "lowers", "lose"), (DOWN, "==|>=?", "raises", "gain")):
        needs = re.compile(rf"(?:\w+\.)?{name} (?:{signs}) (-?\d+)")
        found = {when: needs.fullmatch(str(rule.condition)) for when, rule in game.when.items()}
        for when, need in found.items() if verbs and {*verbs} <= {*only} else ():
            ends = [(one, int(need[1])) for one in starts if isinstance(one, int)] if need else []
            if ends and all(one > end if only is UP else one < end for one, end in ends):
                text = f"no effect ever {never} {label_of(name, value.label)}, but [when.{when}] depends on that"
                yield f'{text}: write an effect such as "{other} {name}"'


def _names_in_effects(game: GameFile) -> set[str]:
    """Return the names in all effects of the game, costs and offers included."""
    effects = [effect for _, effect, _ in _effects_and_costs(game)]
    effects += (effect for rule in game.dice.values() if rule.group for effect in rule.group.leader)
    found = set[str]()
    for text in (text for effect in effects for text in (effect.do, effect.offer)):
        with suppress(WrongEffect):
            words = parse_effect(text)
            found |= {*words.names, *re.findall(r"[a-z_]+", words.rest)}
    return found
