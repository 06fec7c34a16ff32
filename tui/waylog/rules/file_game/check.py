"""Find the faults of a game file, each with its place and what would be right. Each offer has to be an act that somebody can do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import join_names, slug
from waylog.rules.common.random_tables import RandomTable, TableEntry, Tables
from waylog.rules.file_game.based_rolls_and_replaced_parts import (
    BY_NAME,
    REPLACED,
    legal_values,
    merge_trees,
    read_game,
    variants,
)
from waylog.rules.file_game.check_effects import check_effects
from waylog.rules.file_game.check_names_and_formulas import (
    KEY,
    VERB,
    FormulaCheck,
    added_by,
    effects_in,
    is_clause_id,
    list_of,
    lists_chosen,
    move_names,
    names_of_rolls,
    wrong_key,
    wrong_pair,
    wrong_verb,
    wrong_word,
)
from waylog.rules.file_game.check_rolls import check_faces, check_rolls
from waylog.rules.file_game.effects_and_offers import CLEAR, MARK, WHOM, as_typed
from waylog.rules.file_game.formulas import ExpressionError, parse_expression
from waylog.rules.file_game.game_file_format import (
    CHOSEN,
    ENDINGS,
    FORMAT,
    IN_LOG,
    Flaw,
    GameFile,
    PartRule,
    Path,
    ValueRule,
    did_you_mean,
    names_in_log,
    questions_of,
    there_is_no,
    values_in,
)
from waylog.rules.file_game.misspelt_names import put_names_meant, put_value, spell_keys, value_at, without_value
from waylog.rules.file_game.named_values_and_conditions import (
    ACTING,
    EACH,
    FileMoment,
    Scope,
    WrongPath,
    find,
    is_near,
    lists_of,
    reads_secret,
    things,
)
from waylog.rules.file_game.roll_and_effect_format import DOWN, TICK, UP, WrongEffect, dice_in, parse_effect
from waylog.rules.file_game.roll_plans_and_options import why_no_die
from waylog.rules.file_game.sheet_types import GONE, MARKED, NAME, kind_of, start_faults
from waylog.rules.game import Game
from waylog.rules.language.line_tokens_and_matching import tokens
from waylog.rules.rulebook import CommonHouseRules, Rulebook
from waylog.values import NamedTuple, fields, replace

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OF_CAMPAIGNS = """
    format system log name house_rules clocks decks situations sessions rulings overruled dice players timers package scene tables
"""
_OF_FORMULAS = "rules options amount choose text result outcome actor"
_NO_TABLES = frozenset((*_OF_CAMPAIGNS.split(), *_OF_FORMULAS.split(), "call", "modifier"))
"""Keys that a campaign file or a formula has already."""
NO_VALUES = frozenset((*_OF_FORMULAS.split(), "and", "or", "not", "in", "if", "else"))
"""Words that formulas have, so that no value and no formula by name is called so."""
_COMMON_HOUSE_RULES = tuple(field.name for field in fields(CommonHouseRules))
_LONGEST_TEXT = 240
_KINDS = "range, number, flag, text, choices, tags, deck or each"
_MOST_RANGE = 9999
_MOST_CARDS = 100


class CheckedGame(NamedTuple):
    """A game file that has been checked, and what is left of it without its mistakes."""

    game: GameFile
    flaws: tuple[Flaw, ...] = ()
    """Everything that is wrong."""
    meant: Mapping[str, Any] = MappingProxyType({})
    """The values of the file, with misspelt names as they were most likely meant."""
    sound: Mapping[str, Any] = MappingProxyType({})
    """The same without what is wrong; nothing if too much is."""
    as_written: Mapping[Path, Path] = MappingProxyType({})
    """The paths of misspelt keys, as they are written in the file."""
    at_fault: tuple[Path, ...] = ()
    """Where something is wrong, as paths in `meant`."""

    def path_in_file(self, path: Path) -> Path:
        """Return a path in `meant` as it is written in the file."""
        at = next((end for end in range(len(path), 0, -1) if path[:end] in self.as_written), 0)
        return (*self.as_written.get(path[:at], ()), *path[at:])


def check_game(tree: Mapping[str, Any]) -> tuple[GameFile, tuple[Flaw, ...]]:
    """Read a game file. Return it with everything that is wrong; only a game without flaws can be played."""
    return look_over(tree)[:2]


def look_over(tree: Mapping[str, Any]) -> CheckedGame:
    """Read and check a game file."""
    if (made := tree.get("format", FORMAT)) != FORMAT or type(made) is not int:
        wrong = f"format can't be {str(made)[:20]}: the only possible value is {FORMAT}"
        if type(made) is int and made > FORMAT:
            wrong = f"format {made} needs a newer version of Waylog. This version reads format {FORMAT}"
        return CheckedGame(GameFile(), (Flaw(("format",), wrong),))
    game, faults = read_game(tree)
    if game == GameFile() and faults:
        return CheckedGame(game, tuple(map(_type_flaw, faults)))
    # What a roll has from its base is told there.
    faults = [fault for fault in faults if value_at(tree, fault.path[:-1]) is not None]
    # What a misspelt name hides is looked at as if it were spelt as it was meant.
    meant, as_written = spell_keys(tree, faults)
    meant, misnamed = put_names_meant(meant, read_game(meant)[0] if as_written else game)
    is_whole = meant is tree
    found = [*(_flaws(game) if is_whole and not faults else _flaws_of(meant))]
    flaws = [*map(_type_flaw, faults)]
    hidden = [flaw.path for flaw in flaws if flaw.path not in as_written.values()]
    checked = CheckedGame(game, (), meant, {}, as_written)
    for flaw in (*misnamed, *found):
        flaw = _where_it_is_written(flaw, meant)
        flaw = flaw._replace(path=checked.path_in_file(flaw.path))
        # What is wrong about a table because of a key in it that can't be read would say the same twice.
        if not any(flaw.path in (path[: len(flaw.path)], (*path[:-2], "start")) for path in hidden):
            flaws.append(flaw)
    # What is sound once the faults are left out is checked to the end.
    sound = _leave_out_faults(meant, found) if found else meant
    rest = game if sound is tree else read_game(sound)[0]
    at_fault = {flaw.path[1] for flaw in (*flaws, *found) if len(flaw.path) > 1}
    for check in (check_offers, _of_variants) if sound else ():
        for flaw in check(sound, rest):
            # An offer of what has a mistake is no second one.
            text = _text_at(meant, flaw.path)
            if text == _text_at(sound, flaw.path) and at_fault.isdisjoint(text.split()):
                flaws.append(flaw)
    every = tuple(dict.fromkeys(flaws))  # What every roll reads is checked for each.
    return checked._replace(flaws=every, sound=sound, at_fault=tuple(flaw.path for flaw in (*flaws, *found)))


def _where_it_is_written(flaw: Flaw, tree: Mapping[str, Any]) -> Flaw:
    """Return a flaw of what a roll has from its base at its place there, with the name of the roll; any other flaw as it is."""
    match flaw.path:
        case ("dice" | "after" as part, name, _, *_):
            at, bases = flaw.path, [name]
        case _:
            return flaw
    while value_at(tree, at) is None:
        base = value_at(tree, ("dice", bases[-1], "base"))
        if not isinstance(base, str) or base in bases:
            return flaw
        bases.append(base)
        at = (part, base, *flaw.path[2:])
    if not bases[1:]:
        return flaw
    key = ".".join(at[2 : 4 if at[2] in BY_NAME else 3])
    line = f"{key} = [] in [after.{name}]" if part == "after" else f'without = ["{key}"] in [dice.{name}]'
    cure = f". To leave it out, write {line}" if key != "bands" else ""
    return flaw._replace(path=at, message=f"in {name}, which has this from {bases[-1]}: {flaw.message}{cure}")


def _flaws_of(tree: Mapping[str, Any]) -> Iterator[Flaw]:
    """Yield what is wrong with the types of a game file's values, and then what else is, but for its offers and house rules."""
    game, faults = read_game(tree)
    yield from (_type_flaw(fault) for fault in faults if value_at(tree, fault.path[:-1]) is not None)
    yield from _flaws(game)


_DEPTHS = (99, 99, 99, 4, 2, 2)
"""How much is left out of what is wrong, one after the other: the value itself, or a larger part of the file."""


def _leave_out_faults(tree: Mapping[str, Any], flaws: Sequence[Flaw]) -> Mapping[str, Any]:
    """Return a game file without what is wrong in it, or nothing if too much of it is."""
    tree = {**tree, "id": "sound", "name": "Sound"}
    for depth in _DEPTHS:
        for path in {flaw.path for flaw in flaws if len(flaw.path) > 1}:
            match path:
                case ("sheet", _, "values" | "each", _, *_):
                    tree = put_value(tree, path[:4], {"number": 0})
                case ("formulas", name, *_):
                    tree = put_value(tree, ("formulas", name), 0)
                case ("after", _, _, *_) if value_at(tree, path) is None:  # It comes from the base of its roll.
                    tree = put_value(tree, path[:3], [])
                case _:
                    tree = without_value(tree, path[:depth] if value_at(tree, path) is not None else path[:2])
        if not (flaws := [*_flaws_of(tree)]):
            return tree
    return {}


def _text_at(tree: Any, path: Path) -> str:
    """Return what stands at a place, as a text to search."""
    return str(value_at(tree, path)).casefold()


def _type_flaw(fault: Fault) -> Flaw:
    if not fault.at_key:
        of_range = fault.path[0] == "sheet" and "range" in fault.path[-2:]
        most = '. For a highest value that depends on others, write most = "10 - xp"' if of_range else ""
        return Flaw(fault.path, fault.message + most)
    *above, key = fault.path
    where = f" in {'.'.join(above)}" if above else ""
    return Flaw(fault.path, f"unknown key `{key}`{where}. {did_you_mean(key, fault.known, 'keys')}", at_key=True)


def _flaws(game: GameFile) -> Iterator[Flaw]:
    if not game.id:
        yield Flaw((), 'id is missing: write, for example, id = "night-heist"')
    elif not _ID.fullmatch(game.id):
        needs = "it should contain only lower-case letters, digits and hyphens, such as night-heist"
        yield Flaw(("id",), f"id can't be “{game.id[:40]}”: {needs}")
    if game.without and not game.base:
        yield Flaw(("without",), "`without` takes parts out of another game, so it needs a `base`", at_key=True)
    if not game.name.strip():
        yield Flaw(("name",), 'name is missing: write, for example, name = "Night Heist"')
    if not game.sheet:
        yield Flaw(("sheet",), "the game has no sheet: add a table such as [sheet.crew.each] or [sheet.team.values]")
    formulas = FormulaCheck(game)
    of_sheet = [flaw for key, part in game.sheet.items() for flaw in _part(("sheet", key), key, part, formulas)]
    yield from of_sheet
    yield from _clauses(game, formulas)
    yield from _house_rules(game, formulas)
    yield from _starts(game, {flaw.path[:4] for flaw in of_sheet})
    yield from _limits_and_what_follows(game, formulas)
    yield from _formulas(game, formulas)
    yield from check_faces(game)
    yield from check_rolls(game, formulas)
    yield from _moves(game, formulas)
    yield from _conditions(game, formulas)
    yield from _panels(game, formulas)


def _of_variants(tree: Mapping[str, Any], game: GameFile) -> Iterator[Flaw]:
    """Check the game as each value of each house rule has it. A fault is told at the part that the value replaces."""
    for (name, value), changes in variants(game).items():
        at = ("house_rules", name, "when", value)
        if value not in legal_values(game, name):
            legal = join_names(legal_values(game, name), "or")
            yield Flaw(at, f"{name} can't be {value}: it should be {legal}", at_key=True)
            continue
        for key in changes:
            if key not in REPLACED:
                wrong = f"a house rule can't change {key}, only {join_names(REPLACED)}"
                yield Flaw((*at, key), wrong, at_key=True)
        changed_tree = merge_trees(tree, {key: changes[key] for key in changes if key in REPLACED})
        changed, faults = read_game(changed_tree)
        flaws = [_type_flaw(fault) for fault in faults] or [*_flaws(changed)] or [*check_offers(changed_tree, changed)]
        yield from (flaw._replace(path=(*at, *flaw.path)) for flaw in flaws)


# -- the sheet --------------------------------------------------------------------------------------------------------


def _part(path: Path, key: str, part: PartRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    yield from wrong_key(path, key)
    if key in _NO_TABLES:
        yield Flaw(
            path, f"`{key}` already has a meaning in every campaign: choose another name for this table", at_key=True
        )
    if bool(part.values) == bool(part.each):
        needs = "either `values`, for one table, or `each`, for a list of named things"
        yield Flaw(path, f"{key} needs {needs}", at_key=True)
    if part.start and not part.each:
        wrong = "`start` is only for lists. For a single value, write `start` beside its range"
        yield Flaw((*path, "start"), wrong, at_key=True)
    inner = "each" if part.each else "values"
    for name, value in (part.each or part.values).items():
        yield from _value((*path, inner, name), name, value, formulas, deep=0)


def _value(path: Path, name: str, value: ValueRule, formulas: FormulaCheck, *, deep: int) -> Iterator[Flaw]:
    yield from wrong_key(path, name)
    if name in NO_VALUES:
        yield Flaw(path, f"`{name}` already has a meaning in formulas: choose another name for this value", at_key=True)
    kind = kind_of(value)
    if kind in ("deck", "choices") and not why_no_die(name):
        wrong = f"`{name}` always means a die in a roll. Choose another name"
        yield Flaw(path, wrong, at_key=True)
    if not kind:
        yield Flaw(path, f"{name} needs exactly one of {_KINDS}, such as range = [0, 5]", at_key=True)
    if name == NAME and kind not in ("text", ""):
        yield Flaw(path, 'the name of a thing is a text: name = { text = "" }', at_key=True)
    if name == GONE and path[-2] == "each" and kind not in ("flag", ""):
        yield Flaw(path, f"{GONE} says whether a thing is out of play: {GONE} = {{ flag = false }}", at_key=True)
    yield from _limits(path, name, value, kind)
    yield from formulas.clause((*path, "clause"), value.clause)
    if value.each and deep:
        wrong = "a list can contain lists, but those can't contain more lists: move this one up a level"
        yield Flaw((*path, "each"), wrong, at_key=True)
    for key, inner in value.each.items() if not deep else ():
        yield from _value((*path, "each", key), key, inner, formulas, deep=deep + 1)


def _starts(game: GameFile, faulty: Collection[Path]) -> Iterator[Flaw]:
    """Check what values start with, and the things of a new campaign, apart from values with a mistake."""
    sound, left_out = dict[str, PartRule](), set[str]()
    for key, part in game.sheet.items():
        if ("sheet", key) in faulty:
            continue
        for inner in ("values", "each"):
            values = {
                name: one for name, one in getattr(part, inner).items() if ("sheet", key, inner, name) not in faulty
            }
            left_out |= {*getattr(part, inner)} - {*values}
            part = replace(part, values=values) if inner == "values" else replace(part, each=values)
        sound[key] = part
    for fault in start_faults(sound):
        if not (fault.at_key and fault.path[-1] in left_out):
            yield Flaw(fault.path, fault.message, at_key=fault.at_key)


def _limits(path: Path, name: str, value: ValueRule, kind: str) -> Iterator[Flaw]:
    if wrong := [*wrong_pair((*path, "range"), value.range, "value", "[0, 5]")]:
        yield from wrong
    elif value.range and max(map(abs, value.range)) > _MOST_RANGE:
        yield Flaw((*path, "range"), f"a range can go from {-_MOST_RANGE} to {_MOST_RANGE}")
    if len(set(value.choices)) != len(value.choices):
        yield Flaw((*path, "choices"), "list each choice only once")
    for suit, limits in value.deck.items():
        if not KEY.fullmatch(suit) or not (len(limits) == 2 and 1 <= limits[0] <= limits[-1] <= _MOST_CARDS):
            needs = f"a suit is a word with the lowest and the highest number of its cards, up to {_MOST_CARDS}: hearts = [1, 13]"
            yield Flaw((*path, "deck", suit), needs)
    if value.good is not None and kind not in ("flag", ""):
        yield Flaw((*path, "good"), f"`good` is only for flags, but {name} isn't one")


def _limits_and_what_follows(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Check what values say of their highest and lowest, and of what follows at their limits."""
    for path, value, who in values_in(game):
        for key in ("most", "least", "when_full", "when_empty"):
            if getattr(value, key) not in ("", ()) and kind_of(value) not in ("range", ""):
                yield Flaw((*path, key), f"`{key}` is for a range, such as range = [0, 9]", at_key=True)
        for key in ("most", "least"):
            yield from formulas.number((*path, key), getattr(value, key), who, {})
        if value.wraps and bool(value.when_full) is bool(value.when_empty):
            needs = "either `when_full` or `when_empty`, " + (
                "not both" if value.when_full else "and this value has neither"
            )
            again = "the value starts again at the limit that has effects"
            yield Flaw((*path, "wraps"), f"`wraps` needs {needs}: {again}", at_key=True)
        yield from _lasting(path, value, who, game)
        for key in ("when_full", "when_empty"):
            yield from check_effects(formulas, (*path, key), getattr(value, key), who, {})


def _lasting(path: Path, value: ValueRule, who: str, game: GameFile) -> Iterator[Flaw]:
    """Check until when a value lasts. After rolls, that is for whoever makes them, and for what they have."""
    if value.fades and kind_of(value) not in ("range", "number", ""):
        yield Flaw(
            (*path, "fades"), "`fades` is for a range or a number: write `ends` for any other value", at_key=True
        )
    if value.ends and kind_of(value) in ("each", "deck"):
        yield Flaw(
            (*path, "ends"), "a list or a deck can't end: write `ends` for the values of its things", at_key=True
        )
    for key, words in (("ends", value.ends), ("fades", value.fades)):
        for place, word in enumerate(words):
            until, _, roll = word.partition(" ")
            makers = {rule.who for name, rule in game.dice.items() if roll in ("", name)}
            wrong = ""
            if until not in ENDINGS or (roll and until != "roll"):
                wrong = f"`{word[:40]}` isn't one of {join_names((*ENDINGS, 'roll NAME'), 'and')}"
            elif roll and roll not in game.dice:
                wrong = there_is_no("roll", roll, game.dice)
            elif until == "roll" and who and not any(is_near(who, maker) for maker in makers):
                wrong = f"nobody in {who} makes {f'the roll {roll}' if roll else 'a roll'}, so this never ends"
            if wrong:
                yield Flaw((*path, key, str(place)), wrong)


def _formulas(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Check the names of formulas, that none leads back to itself, and that somebody can read each."""
    values = {path[-1]: ".".join(path[:-1]) for path, _, _ in values_in(game)} | {
        key: f"sheet.{key}" for key in game.sheet
    }
    for name in game.formulas:
        path, reads = ("formulas", name), {name}
        if not KEY.fullmatch(name):
            yield Flaw(path, f"`{name[:40]}` should be a lower-case word", at_key=True)
        elif name in NO_VALUES:
            yield Flaw(path, f"`{name}` has a meaning in formulas: choose another name for this formula", at_key=True)
        elif name in values:
            where = f"`{name}` is already in [{values[name]}]: choose another name for one of the two"
            yield Flaw(path, where, at_key=True)
        if name in formulas.wrong_formulas:
            yield formulas.wrong_formulas[name]
        with suppress(ExpressionError):
            while more := {one for each in reads for one in _read_formulas(game, each)} - reads:
                reads |= more
            if any(name in _read_formulas(game, each) for each in reads):
                yield Flaw(path, f"{name} refers to itself, so it can never be worked out")


def _read_formulas(game: GameFile, name: str) -> set[str]:
    """Return the formulas by name that one reads. Raises `ExpressionError`."""
    formula = game.formulas[name]
    paths = parse_expression(formula).paths if isinstance(formula, str) else ()
    return {path[-1] for path in paths if path[-1] in game.formulas and (len(path) == 1 or path[1] == EACH)}


def _clauses(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    for id_, clause in game.clauses.items():
        path = ("clauses", id_)
        if not is_clause_id(id_) or id_.startswith(("NM-", "FD-", "GF-")):
            needs = "a few letters of your choice, a hyphen and a number, such as NH-01"
            yield Flaw(path, f"{id_[:40]} can't be the id of a rule. Use {needs}", at_key=True)
        if len(clause.text) > _LONGEST_TEXT:
            yield Flaw((*path, "text"), f"the text has {len(clause.text)} characters, but the limit is {_LONGEST_TEXT}")
        for place, other in enumerate(clause.see):
            yield from formulas.clause((*path, "see", str(place)), other or "“”")


def _house_rules(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    for name, rule in game.house_rules.items():
        path = ("house_rules", name)
        in_range = bool(rule.range) and type(rule.default) is int and rule.range[0] <= rule.default <= rule.range[-1]
        yield from wrong_key(path, name)
        if name in _COMMON_HOUSE_RULES:
            yield Flaw(
                path, f"{name} is already a house rule in every game: choose another name for this one", at_key=True
            )
        if [bool(rule.choices), rule.flag is not None, bool(rule.range)].count(True) != 1:
            yield Flaw(path, f"{name} needs exactly one of choices, flag or range", at_key=True)
        elif wrong := [*wrong_pair((*path, "range"), rule.range, "number", "[1, 3]")]:
            yield from wrong
        elif rule.default != "" and not (rule.default in rule.choices if rule.choices else in_range):
            yield Flaw((*path, "default"), f"`default` should be {join_names(legal_values(game, name), 'or')}")
        yield from formulas.clause((*path, "clause"), rule.clause)


# -- moves, conditions, panels ----------------------------------------------------------------------------------------


_ASKED = ("amount", CHOSEN, WHOM, "text")
"""The names of answers to the other questions of a move, as formulas read them."""


def _moves(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    for name, rule in game.moves.items():
        path = ("moves", name)
        yield from wrong_verb(path, name, "move")
        if wrong := [*formulas.who((*path, "who"), rule.who), *formulas.who((*path, "whom"), rule.whom, clocks=True)]:
            yield from wrong
            continue
        yield from formulas.clause((*path, "clause"), rule.clause)
        known = names_in_log(rule)
        for name_in_log in re.findall(IN_LOG, rule.log):
            if name_in_log not in known:
                listed = join_names([f"{{{each}}}" for each in known], "or")
                may = f"it can be {listed}" if known else "this move asks nothing"
                yield Flaw((*path, "log"), f"`{{{name_in_log}}}` stands for nothing here: {may}")
        yield from formulas.condition((*path, "when"), rule.when, rule.who, {})
        yield from wrong_pair((*path, "amount"), rule.amount, "number", '[1, "team.stress"]', rises=False)
        for place, limit in enumerate(rule.amount):
            yield from formulas.number((*path, "amount", str(place)), limit, rule.who, {})
        names = move_names(rule, game)
        if not (rule.does or rule.choose or rule.pick):
            yield Flaw(path, 'the move does nothing: write, for example, does = ["clear stress 2"]', at_key=True)
        whom = {WHOM: rule.whom} if rule.whom else {}
        yield from check_effects(formulas, (*path, "does"), rule.does, rule.who, names, whom)
        for effect in rule.does:
            whom |= added_by(game, effect, list_of(effect, rule.who, whom))
        for name_of_answer in rule.pick:
            # With a hyphen, a formula would read it as a difference.
            if not VERB.fullmatch(name_of_answer) or "-" in name_of_answer or name_of_answer in _ASKED:
                named = f"the name of a question should be a lower-case word, such as rank, but not any of these: {', '.join(_ASKED)}"
                yield Flaw((*path, "pick", name_of_answer), named, at_key=True)
        taken = set[str]()
        answers = ((at, *one) for at, choices in questions_of(rule).items() for one in choices.items())
        for asked, word, choice in answers:
            at = (*path, *asked, word)
            if word in taken:
                text = (
                    f"“{word}” is also an answer to another question of this move: use a different word for one of them"
                )
                yield Flaw(at, text, at_key=True)
            taken.add(word)
            yield from wrong_word(at, word, "an answer")
            yield from formulas.condition((*at, "when"), choice.when, rule.who, {})
            yield from check_effects(formulas, (*at, "does"), choice.does, rule.who, names, whom)


def _conditions(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    for name, rule in game.when.items():
        path = ("when", name)
        if rule.condition == "":
            yield Flaw(path, 'the condition is missing: write, for example, if = "team.stress >= 5"', at_key=True)
        if wrong := [*formulas.who((*path, "who"), rule.who)]:
            yield from wrong
            continue
        yield from formulas.clause((*path, "clause"), rule.clause)
        for place, roll in enumerate(rule.rolls):
            if roll not in game.dice:
                yield Flaw((*path, "rolls", str(place)), there_is_no("roll", roll, game.dice))
        names = names_of_rolls(game, rule.rolls)
        yield from formulas.condition((*path, "if"), rule.condition, rule.who, names)
        yield from formulas.number((*path, "dice"), rule.dice, rule.who, names)
        yield from formulas.number((*path, "plus"), rule.plus, rule.who, names)


def _panels(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    for key, rule in game.panels.items():
        path, name = ("panels", key), rule.part or key
        part = game.sheet.get(name)
        if rule.part and part is None:
            wrong = f"`{rule.part[:40]}` is not a table of the sheet. The tables are {', '.join(game.sheet)}"
            yield Flaw((*path, "part"), wrong)
            continue
        if part is None and not rule.rows:
            meant = did_you_mean(key, [*game.sheet], "tables")
            yield Flaw(
                path, f"`{key}` is not a table of the sheet, so this panel needs `rows` or `part`. {meant}", at_key=True
            )
        values, is_secret = (part.each or part.values) if part else {}, rule.secret or (part and part.secret)
        if rule.order != "" and not (part and part.each):
            yield Flaw((*path, "order"), f"`order` sorts the things in a list, but `{name}` is not a list", at_key=True)
        elif wrong_order := [*formulas.number((*path, "order"), rule.order, name, {})]:
            yield from wrong_order
        elif rule.order != "" and not is_secret and reads_secret(game, name, str(rule.order)):
            wrong = (
                "the order would give away a secret value to players: sort by another value, or make the panel secret"
            )
            yield Flaw((*path, "order"), wrong)
        for number, row in enumerate(rule.rows):
            at = (*path, "rows", str(number))
            if row in values or row == NAME:
                continue
            if row in game.formulas:
                yield from formulas.number(at, row, name if part and part.each else "", {})
                continue
            try:
                place = find(game.sheet, "", tuple(row.split(".")))
            except WrongPath as wrong_path:
                yield Flaw(at, str(wrong_path))
                continue
            if "." not in row or place.of_all:
                yield Flaw(at, f"`{row[:40]}` is not a value of {name}. {did_you_mean(row, [*values], 'values')}")


# -- offers: each has to be an act that somebody can do ---------------------------------------------------------------

_TABLE = RandomTable(entries=(TableEntry("-"),))


def check_offers(tree: Mapping[str, Any], game: GameFile, tables: Tables | None = None) -> Iterator[Flaw]:
    """Yield the offers of a game without other flaws that no act can match, in whatever campaign.

    `tables` are the random tables that come with the game; without them, any table may be there.
    """
    formulas = FormulaCheck(game)
    typed: list[tuple[Path, str, str, Mapping[str, str]]] = []
    for at, effect, who, names in effects_in(game):
        path, offer = (*at, "offer"), effect.offer
        if not offer:
            continue
        if not _is_mark(game, offer, who):
            typed.append((path, offer, who, _lists_chosen_before(game, at)))
            continue
        words = parse_effect(offer)
        if any(dice_in(words)):
            move = f'write a move that does it, such as [moves.fright] does = ["{offer[:60]}"]'
            yield Flaw(path, f"an offer can't contain dice. Instead, {move}, and offer that move", within=1)
            continue
        value = None if words.verb == TICK else find(game.sheet, who, words.names).value
        if value and kind_of(value) not in MARKED:
            kinds = join_names(MARKED, "or")
            yield Flaw(
                path, f"only a {kinds} can be marked and cleared, but {words.names[-1]} is none of these", within=1
            )
        elif value and not value.moves:
            yield Flaw(path, f"{words.names[-1]} says moves = false, so nobody can {words.verb} it", within=1)
        else:
            yield from formulas.number(path, words.rest, who, names, words.rest_at)
    if not typed:
        return
    from waylog.rules.file_game.rulebook import rulebook_of  # Imported late: the rulebook checks its file.

    system = rulebook_of(tree, is_sound=True)
    known: dict[object, str] = {}
    for path, offer, who, chosen in typed:
        key = offer, who, *(one for one in chosen.items() if one[0] in offer)
        if key not in known:
            known[key] = _why_not(system, game, offer, who, chosen, tables)
        if known[key]:
            yield Flaw(path, known[key])


def _is_mark(game: GameFile, words: str, who: str) -> bool:
    """Whether an offer marks or clears a value that it names by its path, as effects do, or ticks a clock of the game."""
    try:
        effect = parse_effect(words)
        if effect.verb == TICK:
            return effect.names[0] in game.clocks
        if effect.verb not in (*UP, *DOWN) or effect.verb in game.moves:
            return False
        place = find(game.sheet, who, effect.names)
        return not place.of_all and kind_of(place.value) != "each"
    except (WrongEffect, WrongPath):
        return False


def _lists_chosen_before(game: GameFile, at: Path) -> Mapping[str, str]:
    """Return the lists of which things are chosen for the roll or the move whose effects stand there, by what these call them."""
    if at[0] == "after":
        return lists_chosen(game.dice[at[1]])
    return {WHOM: game.moves[at[1]].whom} if at[0] == "moves" and game.moves[at[1]].whom else {}


def _why_not(
    system: Rulebook, game: GameFile, offer: str, who: str, chosen: Mapping[str, str], tables: Tables | None
) -> str:
    """Return why no act can match an offer by a thing of a list in any campaign; empty if one can."""
    verb, *others = (token.text for token in tokens(offer)) if offer.strip() else ("",)
    if verb == "roll" and others and slug(others[0]) not in game.dice:
        return there_is_no("roll", others[0], game.dice)
    words = [word for word in map(slug, others) if word]
    named = [*dict.fromkeys((*words, *filter(None, [slug(" ".join(others))])))]
    probe = Game(system, dict.fromkeys(named, _TABLE) if tables is None else tables)
    fresh, move = probe.fresh(""), game.moves.get(verb)
    is_open = move and not others and move.who not in ("", who, who.partition(".")[0])
    if move and is_open and len([*things(fresh.sheet, move.who)]) != 1:
        ways = f'write who = "{move.who}" beside it to offer it to each of them, name one of them, or let the move ask with `whom`'
        return f"the offer doesn't say who or what in {move.who} it is for: {ways}"
    if move and move.amount and others and "." in others[-1]:
        return f'the number of an offered move stands beside it: offer = "{verb}", amount = "{others[-1]}"'
    state, _ = probe.decode(_campaign(probe.write(fresh), game, named, words))
    moment = FileMoment(state.sheet, state.rules, state.clocks, system.edition)
    keys = next((keys for keys, _ in things(state.sheet, who)), ())
    # The first of a list stands for whoever is chosen.
    first = {name: (whose, (*moment.things_by_word(whose).values(),)[:1]) for name, whose in chosen.items()}
    offer = as_typed(offer, Scope(moment, who, keys, chosen=first)) if keys or not who else offer
    refusal = probe.effect_refusal(state, offer, rolls=True)
    if refusal is None:
        return ""
    if verb == "table" and tables is not None:
        return there_is_no("table", " ".join(others), tables)
    if verb in (MARK, CLEAR, *game.moves):  # What is wrong is told without the names that the campaign was given here.
        refusal = probe.effect_refusal(fresh, offer) or refusal
    return f"the effect “{offer[:60]}” can't be applied: {refusal.reason}"


def _campaign(
    tree: Mapping[str, Any], game: GameFile, named: Collection[str], words: Collection[str]
) -> Mapping[str, Any]:
    """Return a new campaign with all that a game can't know: clocks, decks and situations that are `named` so, and in lists that
    begin empty or grow, things of these words.
    """
    found: dict[str, Any] = deepcopy(dict(tree))
    found |= {key: {word: {"name": word} for word in named} for key in ("clocks", "situations")}
    found["decks"] = {word: {"name": word, "cards": {"card": {"text": "-"}}} for word in named}
    # Lists that effects add things to: a game can't know the names of these either.
    growing = set[str]()
    for _, effect, who, _ in effects_in(game):
        with suppress(WrongEffect, WrongPath):
            added = parse_effect(effect.do)
            if added.verb == "add":
                growing.add(".".join(part for part in find(game.sheet, who, added.names).path if part != ACTING))
    for who in lists_of(game.sheet):
        owner, _, inner = who.partition(".")
        above = found.setdefault(owner, {})
        owners = above.values() if game.sheet[owner].each else (above,)
        for there in [one.setdefault(inner, {}) for one in owners] if inner else [above]:
            if who in growing or not there:
                there |= {word: {} for word in words if word not in there}
            if all(thing.get(GONE) for thing in there.values()):
                there["thing"] = {}
    return found
