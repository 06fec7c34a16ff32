"""Find the faults in the formulas of a game file and in the names that it uses, and say what formulas may read where."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from waylog.rules.file_game.dice_readings import OF_DICE, OF_SOME, RESULT_NAMES, SHOWN, SYMBOLS, THEIRS
from waylog.rules.file_game.dice_throws_and_cards import cards_of, parse_die, symbols_counted
from waylog.rules.file_game.effects_and_offers import ADDED, OTHERS, WHOM
from waylog.rules.file_game.formula_types import ValueKind, ValueType, check_expression
from waylog.rules.file_game.formulas import ExpressionError, Operation, ValuePath, nodes_of, parse_expression
from waylog.rules.file_game.game_file_format import (
    Flaw,
    GameFile,
    MoveRule,
    Path,
    ValueRule,
    questions_of,
    there_is_no,
    values_in,
)
from waylog.rules.file_game.named_values_and_conditions import (
    ACTOR,
    EACH,
    RULES,
    WrongPath,
    find,
    lists_of,
    once_for,
    values_of,
)
from waylog.rules.file_game.roll_and_effect_format import (
    BandRule,
    EffectRule,
    RollOption,
    RollRule,
    WrongEffect,
    is_clocks,
    parse_effect,
)
from waylog.rules.file_game.roll_plans_and_options import (
    CALL,
    MODIFIER,
    OPTIONS,
    PICK,
    TOGETHER,
    dice_named,
    words_of_dice,
)
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.language.completion_and_what_is_wrong import WAYLOGS_VERBS
from waylog.rules.model.clocks_situations_and_timers import ClockKind
from waylog.rules.model.dice_notation import NotDice
from waylog.values import replace

Names = Mapping[tuple[str, ...], ValueType]
"""The names that a formula may read beside the sheet, each with its type."""
VERB = re.compile(r"[a-z][a-z0-9-]*")
"""A word that is typed."""
KEY = re.compile(r"[a-z][a-z0-9_]*")
"""A key of the campaign file."""
_CLAUSE_ID = re.compile(r"[A-Z][A-Z0-9]*-[0-9A-Z]+")
_NUMBER, _FLAG, _TEXT = (ValueType(kind) for kind in ValueKind)
_UNKNOWN = ValueType(ValueKind.NUMBER, is_known=False)
CHOSEN = {
    "amount": "`amount` can be used only in `does`, in a move that has `amount`. "
    'Its limits can be formulas, such as amount = [1, "nerve"]',
    "choose": "`choose` can be used only in `does`, in a move that has `choose`",
    "text": '`text` can be used only in `does`, in a move that asks for a text, such as text = "What is found"',
}
"""Why a formula elsewhere can't read what is chosen for a move."""
_OF_ROLLS = {
    "actor": "`actor` stands for whoever acts, so it can be used only in effects of an action that somebody takes",
    "modifier": "`modifier` can be used only in a roll that asks for a number, such as modifier = [1, 6]",
    **{
        key: f"`{key}` can be used only in the options, answers, dice and outcomes of the roll that has it, and in a spend or a condition of [when] whose `rolls` all have it. It can't be used in a `default`, in the roll's own `when` or in a move"
        for key in ("options", "call", "pick")
    },
    **dict.fromkeys(
        ("outcome", *OF_DICE),
        "this is known only after the roll, so it can be used only in [after] and in the `when` of an outcome or a spend",
    ),
    SYMBOLS: '`symbols` can be used only for a roll with reading = "symbols": in the `when` of an outcome or a spend, and in [after]',
    "theirs": "`theirs` can be used only for a roll that has `theirs`: in the `when` of an outcome, and in [after]",
}
"""Why a formula elsewhere can't read what belongs to a roll."""


class FormulaCheck:
    """Checks formulas, and names of rules and lists, against one game."""

    def __init__(self, game: GameFile) -> None:
        self.game = game
        """The game that they are in."""
        self._rules: Names = {
            (RULES, name): _FLAG
            if rule.flag is not None
            else ValueType(ValueKind.TEXT, words=rule.choices)
            if rule.choices
            else _NUMBER
            for name, rule in game.house_rules.items()
        }
        self._answers: dict[tuple[str, ...], tuple[str, ...]] = {}
        """The answers to each question in all rolls and moves that ask it, by what formulas call it, and all outcomes: a formula of
        [formulas] may serve several.
        """
        for rule in game.dice.values():
            self._add_answers({("pick", name): answers for name, answers in rule.pick.items()})
            self._add_answers({("call",): rule.calls, ("outcome",): outcomes_of(rule)})
        for move in game.moves.values():
            self._add_answers(questions_of(move))
        self.wrong_formulas: dict[str, Flaw] = {}
        """The formulas of [formulas] that nobody can read, each with what is wrong. Where they are read, nothing more is said of them."""
        self._why: dict[str, str | None] = {}
        """Why formulas of [formulas] couldn't be read where they were looked at last; None if they could."""
        self._looked_at: dict[tuple[object, ...], str | None] = {}
        """What was wrong with formulas of [formulas] that were looked at, by the name, the list and the names that each reads; None for
        nothing.
        """
        self._words = {name: _words_of(game, name) for name in game.formulas}
        self._within: set[str] = set()
        """The formulas that are being looked at. Within itself, none is looked at again: `check.py` refuses circles."""
        for name in game.formulas:
            self._within = {name}
            if flaw := self._wrong_formula(name):
                self.wrong_formulas[name] = flaw
                self._looked_at.clear()
        self._within = set()

    def _add_answers(self, questions: Mapping[tuple[str, ...], Iterable[str]]) -> None:
        for path, answers in questions.items():
            self._answers[path] = tuple(dict.fromkeys((*self._answers.get(path, ()), *answers)))

    def clause(self, path: Path, id_: str) -> Iterator[Flaw]:
        """Check that a rule is there, if one is named."""
        if id_ in ("", *self.game.clauses):
            return
        wrong = f"{id_[:40]} is not the id of a rule: use letters, a hyphen and a number, such as NH-01, and add the rule to [clauses]"
        yield Flaw(path, there_is_no("rule", id_, self.game.clauses, " in [clauses]") if is_clause_id(id_) else wrong)

    def who(self, path: Path, who: str, *, clocks: bool = False) -> Iterator[Flaw]:
        """Check that the things of a list can act, if one is named; with `clocks`, or be chosen, as clocks can."""
        if clocks and is_clocks(who):
            if (kind := who.partition(".")[2]) not in ("", *ClockKind) or who.endswith("."):
                yield Flaw(path, there_is_no("clock kind", kind, ClockKind))
            return
        try:
            if who:
                values_of(self.game.sheet, who)
        except WrongPath as wrong:
            yield Flaw(path, str(wrong))

    def number(self, path: Path, formula: object, who: str, names: Names, at: int = 0) -> Iterator[Flaw]:
        """Check a formula that stands for a number. `at` is where it begins in the text at `path`."""
        return self.formula(path, formula, who, names, ValueKind.NUMBER, at)

    def condition(self, path: Path, formula: object, who: str, names: Names) -> Iterator[Flaw]:
        """Check a formula that holds or not."""
        return self.formula(path, formula, who, names, ValueKind.FLAG)

    def formula(
        self, path: Path, formula: object, who: str, names: Names, wanted: ValueKind, at: int = 0
    ) -> Iterator[Flaw]:
        """Check a formula that stands for a value of a kind. `at` is where it begins in the text at `path`."""
        if not isinstance(formula, str) or formula == "":
            return
        try:
            expression = parse_expression(formula)
        except ExpressionError as wrong:
            yield Flaw(path, str(wrong), within=at + wrong.column)
            return
        types: dict[tuple[str, ...], ValueType] = {**names, **self._rules}
        flaws = list[Flaw]()
        for node in nodes_of(expression.root):
            if isinstance(node, Operation) and node.name in ("count", "min", "max") and len(node.operands) == 1:
                flaws += self._looks_at_one(path, node, who, at)
            if not isinstance(node, ValuePath) or node.names in types:
                continue
            try:
                types[node.names] = self._type_of(node.names, who, names)
            except WrongPath as wrong:
                flaws.append(Flaw(path, str(wrong), within=at + node.start + 1))
        yield from flaws
        if not flaws:
            for fault in check_expression(expression, types, wanted):
                yield Flaw(path, str(fault), within=at + fault.column)

    def _looks_at_one(self, path: Path, function: Operation, who: str, at: int) -> Iterator[Flaw]:
        """Check that what a function looks through isn't a value of who acts alone, named by its list."""
        for node in nodes_of(function.operands[0]):
            if isinstance(node, ValuePath) and len(node.names) == 2 and node.names[0] == who.partition(".")[0]:
                shown, owner, key = ".".join(node.names), *node.names
                if self.game.sheet[owner].each:
                    cure = f"write {owner}.{EACH}.{key} for everybody in {owner}"
                    wrong = f"`{shown}` is only the value of whoever acts, so {function.name} has just one value to work with: {cure}"
                    yield Flaw(path, wrong, within=at + node.start + 1)

    def _type_of(self, path: tuple[str, ...], who: str, names: Names) -> ValueType:
        game = self.game
        if len(path) == 1 and path[0] in game.formulas:
            return self._type_of_formula(path[0], who, names)
        if len(path) == 3 and path[1] == EACH and path[2] in game.formulas and path[0] in lists_of(game.sheet):
            return replace(self._type_of_formula(path[2], path[0], {}), many=True)
        if path[0] == RULES:
            known = ", ".join(self.game.house_rules) or "none"
            raise WrongPath(f"there is no house rule `{'.'.join(path[1:])}`. The house rules are {known}")
        if len(path) > 1 and any(path[:-1] == other[:-1] for other in names):
            known = ", ".join(".".join(other) for other in names if other[:-1] == path[:-1] and len(other) > 1)
            raise WrongPath(f"there is no `{'.'.join(path)}` here. You can use {known}")
        if len(path) > 1 and path[0] in OF_SOME and path[:1] in names:
            raise WrongPath(f"no dice here are called {path[1]}: give some dice this `label` or `dice_label`")
        if len(path) > 1 and path[:1] in names:
            raise WrongPath(f"`{path[0]}` is a single value, so nothing can follow it: write `{path[0]}` alone")
        try:
            place = find(self.game.sheet, who, path)
        except WrongPath:
            if why := (CHOSEN | _OF_ROLLS).get(path[0], ""):
                raise WrongPath(why) from None
            raise
        found = value_type(place.value)
        return replace(found, many=True) if place.of_all else found

    def _type_of_formula(self, name: str, who: str, names: Names) -> ValueType:
        """Return the type of a formula of [formulas] as it is read by a thing of a list. Raises `WrongPath`."""
        if name in self.wrong_formulas or name in self._within:
            return _NUMBER
        # Nothing else of the names that are there makes a difference.
        read = {path: type_ for path, type_ in names.items() if path[0] in self._words[name]}
        names = {
            path: replace(type_, words=self._answers.get(path, type_.words)) if type_.words else type_
            for path, type_ in read.items()
        }
        key = (name, who, *names.items())
        is_circle = not self._within.isdisjoint(self._words[name])
        is_known = key in self._looked_at and not is_circle
        why = self._why[name] = self._looked_at[key] if is_known else self._why_not(name, who, names)
        if not is_circle:
            self._looked_at[key] = why
        if why is not None:
            raise WrongPath(f"`{name}` from [formulas] can't be used here: {why}")
        return _NUMBER

    def _why_not(self, name: str, who: str, names: Names) -> str | None:
        """Return why a formula of [formulas] can't be read by a thing of a list; None if it can."""
        self._within.add(name)
        flaws = [*self.formula((), self.game.formulas[name], who, names, ValueKind.NUMBER)]
        self._within.remove(name)
        if not flaws:
            return None
        # Of formulas within formulas, only the innermost says why.
        named = (path[-1] for path in parse_expression(str(self.game.formulas[name])).paths)
        return next((why for one in named if (why := self._why.get(one))), flaws[0].message)

    def _wrong_formula(self, name: str) -> Flaw | None:
        """Return what is wrong with a formula of [formulas] whatever reads it; None if that depends on what does."""
        path, formula, game = ("formulas", name), self.game.formulas[name], self.game
        if not isinstance(formula, str):
            return None
        try:
            expression = parse_expression(formula)
        except ExpressionError as wrong:
            return Flaw(path, str(wrong), within=wrong.column)
        paths, of_rolls = expression.paths, (*_OF_ROLLS, *CHOSEN)
        values = {inside[-1] for inside, _, _ in values_in(game)} | {*game.sheet, *game.formulas}
        values |= {word for word, *_ in CLOCK_NAMES} | {RULES, WHOM, ADDED, TOGETHER}
        asked = [*self._answers, *((OPTIONS, word) for rule in game.dice.values() for word in rule.options)]
        for names in sorted(paths):
            kind, word, known = "value", names[0], [*values]
            if word in (PICK, OPTIONS) and len(names) > 1:
                kind, word = "question" if word == PICK else "option", ".".join(names[:2])
                known = [".".join(one) for one in asked if one[0] == names[0]]
            if word not in (*of_rolls, *known):
                at = re.search(rf"\b{re.escape(word)}\b", formula)
                return Flaw(path, there_is_no(kind, word, known), within=at.start() + 1 if at else 0)
        if any(names[0] in of_rolls for names in paths):
            # Which of these there are depends on what reads the formula; the words of answers don't.
            types = {
                names: ValueType(ValueKind.TEXT, words=self._answers[names]) if names in self._answers else _UNKNOWN
                for names in paths
            }
            faults = check_expression(expression, types, ValueKind.NUMBER)
            return next((Flaw(path, str(fault), within=fault.column) for fault in faults), None)
        found: Flaw | None = None
        for who in ("", *lists_of(game.sheet)):
            with suppress(WrongPath):
                for names in paths:
                    self._type_of(names, who, {})
                flaw = next(self.formula(path, formula, who, {}, ValueKind.NUMBER), None)
                if flaw is None:
                    return None
                found = found or flaw
        return found

    def is_formula(self, name: str, who: str, names: Names) -> bool:
        """Whether a formula of [formulas] can be read by a thing of a list."""
        with suppress(WrongPath):
            return self._type_of_formula(name, who, names) == _NUMBER
        return False


def _words_of(game: GameFile, name: str) -> Collection[str]:
    """Return the words that paths in a formula of [formulas] are made of, and those in the formulas that it reads; nothing of one that
    can't be parsed.
    """
    found, left = set[str](), [name]
    while left:
        formula = game.formulas[left.pop()]
        with suppress(ExpressionError):
            new = {word for path in parse_expression(str(formula)).paths for word in path} - found
            found |= new
            left += [word for word in new if word in game.formulas]
    return found


def is_clause_id(text: str) -> bool:
    """Whether a text can be the id of a rule."""
    return bool(_CLAUSE_ID.fullmatch(text))


def list_of(effect: EffectRule, acting: str, chosen: Mapping[str, str]) -> str:
    """Return the list to whose things an effect is done; `chosen` are the lists of what can be chosen, by what effects call it."""
    return chosen.get(effect.who, acting if effect.who in ("", OTHERS) else effect.who)


def wrong_word(path: Path, word: str, what: str) -> Iterator[Flaw]:
    """Check a word that is typed as `what`, such as “an answer”."""
    if not VERB.fullmatch(word):
        wrong = f"people type “{word[:40]}” as {what}, so use only lower-case letters, digits and hyphens, not _"
        yield Flaw(path, wrong, at_key=True)


def wrong_verb(path: Path, verb: str, what: str) -> Iterator[Flaw]:
    """Check the verb of a move or a spend."""
    if verb in WAYLOGS_VERBS:
        yield Flaw(path, f"“{verb}” is one of Waylog's own commands: choose another name for this {what}", at_key=True)
    else:
        yield from wrong_word(path, verb, "a command")


def wrong_key(path: Path, key: str) -> Iterator[Flaw]:
    """Check a key that the campaign file has."""
    if not KEY.fullmatch(key):
        wrong = f"`{key[:40]}` should contain only lower-case letters, digits and _, and start with a letter"
        yield Flaw(path, wrong, at_key=True)


def wrong_pair(path: Path, pair: Sequence[Any], what: str, example: str, *, rises: bool = True) -> Iterator[Flaw]:
    """Check the lowest and the highest of something, if they are given. If it `rises`, they are different numbers."""
    if pair and not (len(pair) == 2 and (not rises or pair[0] < pair[1])):
        yield Flaw(path, f"`{path[-1]}` should be the lowest and the highest {what}, such as {example}")


def value_type(value: ValueRule) -> ValueType:
    """Return the type of a value as formulas know it."""
    match kind_of(value):
        case "range" | "number":
            return _NUMBER
        case "flag":
            return _FLAG
        case "choices":
            return ValueType(ValueKind.TEXT, words=value.choices)
        case "tags":
            return ValueType(ValueKind.TEXT, many=True, words=value.choices)
        case "deck":
            return ValueType(ValueKind.TEXT, many=True, words=tuple(cards_of(value.deck)))
        case "each":
            return ValueType(ValueKind.FLAG, many=True)
        case "text":
            return _TEXT
        case _:
            return _UNKNOWN


# -- what formulas may read -------------------------------------------------------------------------------------------


def actor_names(game: GameFile, who: str) -> Names:
    """Return what effects by a thing of a list may read of it, also where they are done to others."""
    lists = [one for one in dict.fromkeys((who.partition(".")[0], who)) if one in lists_of(game.sheet)]
    every = (values_of(game.sheet, one).items() for one in lists)
    return {(ACTOR, key): value_type(value) for values in every for key, value in values}


def move_names(rule: MoveRule, game: GameFile) -> Names:
    """Return the names that a move brings: the number, the word and the text that were chosen."""
    found: dict[tuple[str, ...], ValueType] = {**_names_of_chosen(game, {WHOM: rule.whom})}
    if rule.amount:
        found[("amount",)] = _NUMBER
    for path, choices in questions_of(rule).items():
        found[path] = ValueType(ValueKind.TEXT, words=tuple(choices))
    if rule.text:
        found[("text",)] = _TEXT
    return found


def _names_of_chosen(game: GameFile, lists: Mapping[str, str]) -> Names:
    """Return what formulas may read of what was chosen from lists: `options.gear.damage`, `whom.armour`."""
    known = {name: who for name, who in lists.items() if who in lists_of(game.sheet)}
    found = {
        (*name.split("."), key): replace(found, many=True) if found.kind is ValueKind.FLAG else found
        for name, who in known.items()
        for key, value in values_of(game.sheet, who).items()
        for found in (value_type(value),)
    }
    found |= {(*name.split("."), key): _NUMBER for name, who in known.items() for key in _formulas_of(game, who)}
    clocks = [name for name, who in lists.items() if is_clocks(who)]
    return {**found, **{(*name.split("."), *key): one for name in clocks for key, one in CLOCK_NAMES.items()}}


@once_for
def _formulas_of(game: GameFile, who: str) -> Sequence[str]:
    """Return the formulas by name that a thing of a list can read."""
    formulas = FormulaCheck(game)
    return [key for key in game.formulas if formulas.is_formula(key, who, {})]


_CLOCK_KIND = ValueType(ValueKind.TEXT, words=tuple(ClockKind))
CLOCK_NAMES: Names = {("filled",): _NUMBER, ("segments",): _NUMBER, ("kind",): _CLOCK_KIND}
"""The names of a chosen clock's values in formulas, each with its type."""


def roll_names(rule: RollRule, game: GameFile) -> Names:
    """Return what formulas of a roll may read beside the sheet."""
    found: dict[tuple[str, ...], ValueType] = {
        (OPTIONS, name): ValueType(ValueKind.FLAG, many=bool(option.who)) for name, option in rule.options.items()
    }
    found |= _names_of_chosen(game, lists_chosen(rule))
    found |= {(PICK, name): ValueType(ValueKind.TEXT, words=tuple(ways)) for name, ways in rule.pick.items()}
    if rule.calls:
        found[(CALL,)] = ValueType(ValueKind.TEXT, words=tuple(rule.calls))
    if rule.modifier:
        found[(MODIFIER,)] = _NUMBER
    return found


def shown_names(rule: RollRule, game: GameFile) -> Names:
    """Return what the formula of an outcome may read."""
    if rule.reading == SYMBOLS:
        counted = symbols_counted(game, rule.symbol)
        return {**roll_names(rule, game), ("result",): _NUMBER, **{(SYMBOLS, name): _NUMBER for name in counted}}
    shown: dict[tuple[str, ...], ValueType] = {(name,): _NUMBER for name in SHOWN}
    shown |= {(THEIRS, *path): _NUMBER for path in shown} if rule.theirs else {}
    shown |= {(name, word): _NUMBER for name in SHOWN[1:] for word in words_of_dice(game, rule, theirs=False)}
    flags = {path: _FLAG for path in shown if "doubles" in path}
    return {**roll_names(rule, game), **shown, **flags}


def names_of_rolls(game: GameFile, rolls: Sequence[str]) -> Names:
    """Return what a condition for these rolls may read beside the sheet: what may be chosen in each of them."""
    first, *others = [roll_names(game.dice[name], game) for name in rolls if name in game.dice] or [{}]
    in_all = [path for path in first if all(path in other for other in others)]
    shared = {path: [one[path] for one in (first, *others)] for path in in_all}
    return {
        path: replace(types[0], words=tuple(dict.fromkeys(word for one in types for word in one.words)))
        for path, types in shared.items()
        if len({(one.kind, one.many) for one in types}) == 1
    }


def result_names(rule: RollRule, game: GameFile) -> Names:
    """Return what formulas may read after a roll."""
    outcomes = ValueType(ValueKind.TEXT, words=tuple(dict.fromkeys(outcomes_of(rule))))
    found: dict[tuple[str, ...], ValueType] = {**shown_names(rule, game), ("outcome",): outcomes, ("score",): _NUMBER}
    if rule.reading != SYMBOLS:
        found |= {(name,): _NUMBER for name in RESULT_NAMES}
        found |= {(name, word): _NUMBER for name in OF_SOME for word in words_of_dice(game, rule)}
    found |= {path: _FLAG for path in found if path[0] == "doubles"}
    if any(is_deck(game, rule.who, text) for text in (rule.die, *(one.die for one in rule.answers()))):
        found[("suit",)] = _TEXT
    return found


# -- what is in a game ------------------------------------------------------------------------------------------------


def is_deck(game: GameFile, who: str, text: str) -> bool:
    """Whether what a roll names as its die is a deck of cards."""
    try:
        return any(parse_die(die).copies for die in dice_named(game, who, text))
    except (WrongPath, NotDice):
        return False


def choices_in(rule: RollRule) -> Iterator[tuple[Path, RollOption]]:
    """Yield all that may be chosen for a roll, with its place in the roll."""
    yield from ((("options", word), one) for word, one in rule.options.items())
    yield from ((("calls", word), one) for word, one in rule.calls.items())
    yield from ((("pick", name, word), one) for name, ways in rule.pick.items() for word, one in ways.items())


def bands_in(rule: RollRule) -> Iterator[BandRule]:
    """Yield the outcomes that a roll may have, those of its answers included."""
    yield from (band for bands in (rule.bands, *(one.bands for one in rule.answers())) for band in bands)


def outcomes_of(rule: RollRule) -> Iterator[str]:
    """Yield the words of the outcomes that a roll may have."""
    return (band.outcome for band in bands_in(rule))


def lists_chosen(rule: RollRule) -> Mapping[str, str]:
    """Return the lists of which things may be chosen for a roll, by what effects call these."""
    group = {TOGETHER: rule.who} if rule.group else {}
    return group | {f"{OPTIONS}.{name}": option.who for name, option in rule.options.items() if option.who}


def added_by(game: GameFile, effect: EffectRule, who: str) -> Mapping[str, str]:
    """Return the list to which an effect by a thing of `who` adds one, by what the effects behind it call that; nothing if it adds none."""
    with suppress(WrongEffect, WrongPath):
        words = parse_effect(effect.do)
        place = find(game.sheet, who, words.names)
        if words.verb == "add" and kind_of(place.value) == "each":
            return {ADDED: ".".join(dict.fromkeys((place.path[0], place.path[-1])))}
    return {}


@once_for
def effects_in(game: GameFile) -> Sequence[tuple[Path, EffectRule, str, Names]]:
    """Return every effect but costs, with its place, the list to whose things it is done, and what its formulas may read."""
    every = list[tuple[Path, EffectRule, str, Names]]()
    found = list[tuple[Path, tuple[EffectRule, ...], str, Names, Mapping[str, str]]]()
    for roll, rule in game.dice.items():
        for outcome, effects in game.after.get(roll, {}).items():
            found.append((("after", roll, outcome), effects, rule.who, result_names(rule, game), lists_chosen(rule)))
    for name, move in game.moves.items():
        at, names, whom = ("moves", name), move_names(move, game), {WHOM: move.whom}
        found.append(((*at, "does"), move.does, move.who, names, whom))
        for effect in move.does:
            whom = {**whom, **added_by(game, effect, list_of(effect, move.who, whom))}
        for path, choices in questions_of(move).items():
            found += [((*at, *path, word, "does"), one.does, move.who, names, whom) for word, one in choices.items()]
    for path, value, who in values_in(game):
        found += [((*path, key), getattr(value, key), who, {}, {}) for key in ("when_full", "when_empty")]
    for above, effects, who, names, chosen in found:
        for place, effect in enumerate(effects):
            chosen = {**chosen, **added_by(game, effect, list_of(effect, who, chosen))}
            read = {**names, **actor_names(game, who)}
            every.append(((*above, str(place)), effect, list_of(effect, who, chosen), read))
    return every


def text_of(game: GameFile, rules: object) -> str:
    """Return a part of a game as text to search, with the formulas that it names, and those that they name."""
    text, used = (more := repr(rules)), set[str]()
    while found := {*re.findall(r"\w+", more)} & {*game.formulas} - used:
        used |= found
        text += (more := repr([game.formulas[key] for key in found]))
    return text
