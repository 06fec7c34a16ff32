"""Find the faults in the rolls of a game file, in what may be spent on them, and in what follows from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from waylog.rules.codec.changes import join_names
from waylog.rules.file_game.based_rolls_and_replaced_parts import BY_NAME
from waylog.rules.file_game.check_effects import check_effects
from waylog.rules.file_game.check_names_and_formulas import (
    CLOCK_NAMES,
    KEY,
    VERB,
    FormulaCheck,
    Names,
    bands_in,
    choices_in,
    is_deck,
    lists_chosen,
    outcomes_of,
    result_names,
    roll_names,
    shown_names,
    text_of,
    wrong_key,
    wrong_pair,
    wrong_verb,
    wrong_word,
)
from waylog.rules.file_game.dice_readings import COUNTS, SHOWN, SYMBOLS, THEIRS, TOTALS
from waylog.rules.file_game.dice_throws_and_cards import (
    MOST_FACES,
    MOST_ON_FACE,
    MOST_SYMBOLS,
    parse_die,
    symbols_counted,
)
from waylog.rules.file_game.effects_and_offers import ANY, effects_after
from waylog.rules.file_game.game_file_format import Flaw, GameFile, Path, did_you_mean, there_is_no, values_in
from waylog.rules.file_game.named_values_and_conditions import WrongPath
from waylog.rules.file_game.roll_and_effect_format import (
    DOWN,
    MOST_DICE,
    MOST_EXPLOSIONS,
    UP,
    BandRule,
    EffectRule,
    GroupRule,
    NoDice,
    RollOption,
    RollRule,
    SpendRule,
    WrongEffect,
    dice_in,
    is_clocks,
    parse_effect,
)
from waylog.rules.file_game.roll_plans_and_options import (
    CALL,
    KEEPS,
    MODIFIER,
    OPTIONS,
    dice_named,
    ways_of,
    why_no_die,
    words_of_dice,
)
from waylog.rules.model.dice_notation import NotDice
from waylog.values import fields

_MOST_RAISED = 100
_READS_MODIFIER = re.compile(rf"\b{MODIFIER}\b(?!=\()")
"""The modifier as a formula reads it, and not the key itself."""
_OF_FACES = {"highest", "lowest", "sum"}
"""The readings that come to numbers of one kind, so that the same outcomes can be for all of them."""
_LEAST_BURST = 2
"""The lowest face that may bring another die. If every face did, each die would always bring the most dice."""


def check_rolls(game: GameFile, formulas: FormulaCheck) -> Iterator[Flaw]:
    """Yield what is wrong in [dice], [spend] and [after]."""
    # Formulas of spends and effects read `who`, so each would report a fault in it again.
    sound, found = dict[str, RollRule](), dict[str, tuple[Flaw, ...]]()
    for name, rule in game.dice.items():
        path = ("dice", name)
        yield from wrong_word(path, name, "a command")
        wrong = [*_base(path, rule, game)]
        yield from wrong
        if any(flaw.path[-1] == "base" for flaw in wrong):  # What else is wrong may be missing for that alone.
            continue
        if wrong := [*formulas.who((*path, "who"), rule.who)]:
            yield from wrong
            continue
        sound[name] = rule
        found[name] = (*formulas.clause((*path, "clause"), rule.clause), *_roll(path, rule, formulas))
    yield from _but_of_bases(game, found)
    for name, spend in game.spend.items():
        yield from _spend_itself(("spend", name), spend, game.faces)
        yield from _spend(("spend", name), spend, sound, formulas)
    for name in game.after:
        if name not in game.dice:
            yield Flaw(("after", name), there_is_no("roll", name, game.dice), at_key=True)
    yield from _but_of_bases(game, {name: (*_after(name, rule, formulas),) for name, rule in sound.items()})
    yield from _loops(game)


def _but_of_bases(game: GameFile, found: Mapping[str, Sequence[Flaw]]) -> Iterator[Flaw]:
    """Yield the flaws of each roll, but for what it has from its base: that is told there."""
    for name, flaws in found.items():
        at_base = {flaw.path[2:] for flaw in found.get(game.dice[name].base, ())}
        for flaw in flaws:
            if not any(flaw.path[2:end] in at_base for end in range(3, len(flaw.path) + 1)):
                yield flaw


def _after(name: str, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    known = [*dict.fromkeys(outcomes_of(rule)), ANY]
    for outcome, effects in formulas.game.after.get(name, {}).items():
        at = ("after", name, outcome)
        if outcome not in known:
            meant = did_you_mean(outcome, known, "outcomes")
            yield Flaw(at, f"{name} has no outcome `{outcome[:40]}`. {meant}", at_key=True)
        yield from check_effects(formulas, at, effects, rule.who, result_names(rule, formulas.game), lists_chosen(rule))


def _loops(game: GameFile) -> Iterator[Flaw]:
    """Yield a roll of each loop that never ends: whatever its outcome, it brings itself again. One outcome that brings none is enough."""
    brings = {
        name: [
            {effect.roll for effect in effects_after(game, name, outcome) if effect.when == "" and not effect.who}
            & game.dice.keys()
            for outcome in outcomes_of(rule)
        ]
        for name, rule in game.dice.items()
        if rule.bands
    }
    endless = [*brings]
    while ending := [name for name in endless if any(not rolls & {*endless} for rolls in brings[name])]:
        endless = [name for name in endless if name not in ending]
    while endless:
        first, loop, new = endless[0], set[str](), {endless[0]}
        while new:
            loop, new = (
                loop | new,
                {roll for one in new for rolls in brings.get(one, []) for roll in rolls} - loop - new,
            )
        others = [name for name in endless[1:] if name in loop]
        by = f"another roll ({others[0]}), which leads back to {first}" if others else f"{first} again"
        cure = "remove the roll from one of the outcomes, or write `offer` instead of `roll`"
        wrong = f"every outcome of {first} leads to {by}, so the rolls would never end. To end them, {cure}"
        yield Flaw(("after", first), wrong, at_key=True)
        endless = [name for name in endless if name not in loop]


# -- a roll -----------------------------------------------------------------------------------------------------------


def _roll(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    names, who = roll_names(rule, formulas.game), rule.who
    yield from formulas.condition((*path, "when"), rule.when, who, {})
    for key in ("pool", "target", "plus", "cap", "blank"):
        yield from formulas.number((*path, key), getattr(rule, key), who, names)
    yield from _dice(path, rule, formulas)
    yield from _cards(path, rule, formulas.game)
    yield from _twice_by_result(path, rule)
    yield from _symbols(path, rule, formulas.game)
    yield from _bands((*path, "bands"), rule.bands, rule, formulas)
    if not rule.bands and not any(all(way.bands for way in ways.values()) for ways in ways_of(rule).values()):
        missing = 'the outcomes are missing: write, for example, bands = [{ outcome = "bad", grade = "fiasco" }]'
        yield Flaw(path, missing, at_key=True)
    if rule.reading == "beats" and not any(extra.against for extra in rule.more):
        example = 'more = [{ dice = 2, die = "d10", against = true }]'
        missing = f"the other side's dice are missing: write, for example, {example}"
        yield Flaw((*path, "reading"), f"`beats` compares a score with dice, but {missing}")
    if rule.theirs:
        yield from _contest((*path, "theirs"), rule, formulas)
    targets = (rule.target != 0, *(one.target != "" for one in rule.answers()))
    if rule.reading in ("count", "count-under", "under") and not any(targets):
        yield Flaw((*path, "reading"), f"`{rule.reading}` needs a `target`")
    for face in rule.worth:
        if not face.isdecimal():
            wrong = "`worth` is for faces of 1 or more, such as worth = { 10 = 2 }"
            yield Flaw((*path, "worth", face), wrong, at_key=True)
    if rule.worth and rule.reading not in ("count", "count-under"):
        yield Flaw((*path, "worth"), 'a face counts only where dice are counted: reading = "count"', at_key=True)
    yield from wrong_pair((*path, "modifier"), rule.modifier, "number", "[-3, 3]")
    game = formulas.game
    if rule.modifier and not _READS_MODIFIER.search(text_of(game, (rule, game.after.get(path[-1]), game.spend))):
        unread = 'the roll asks for a modifier, but no formula uses it: write, for example, plus = "modifier"'
        yield Flaw((*path, "modifier"), unread)
    yield from _choices(path, rule, formulas)
    if rule.group:
        yield from _group((*path, "group"), rule, rule.group, formulas)
    yield from _instead(path, rule, formulas)


def _contest(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    assert rule.theirs
    for key in ("target", "plus"):
        yield from formulas.number((*path, key), getattr(rule.theirs, key), rule.who, roll_names(rule, formulas.game))
    if rule.reading == "beats":
        yield Flaw(
            path, "with `beats`, the score is compared with the other side's dice, so remove `theirs`", at_key=True
        )
    elif not any((*(one.against for one in rule.more), *(option.against for option in rule.answers()))):
        example = 'more = [{ die = "d100", label = "Foe", against = true }]'
        yield Flaw(path, f"the other side has no dice: write, for example, {example}", at_key=True)
    elif rule.reading in ("count", "count-under", "under") and rule.theirs.target == 0:
        yield Flaw(path, f"`{rule.reading}` needs a `target` for the other side too", at_key=True)
    elif not re.search(rf"\b{THEIRS}\.", text_of(formulas.game, [band.when for band in bands_in(rule)])):
        unread = (
            'no outcome looks at the other side: write, for example, when = "result > theirs.result" in one of them'
        )
        yield Flaw(path, unread, at_key=True)


def _group(at: Path, rule: RollRule, group: GroupRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    if "group" in {*formulas.game.moves, *formulas.game.spend}:
        yield Flaw(at, "this game already has a move or a spend called `group`: choose another name for it")
    if rule.hidden:
        yield Flaw(at, "players would see a group roll, so it can't be hidden: remove `group` or `hidden`")
    if not rule.who:
        yield Flaw(at, 'for several to roll together, the roll must say who rolls, such as who = "crew"')
    yield from check_effects(formulas, (*at, "leader"), group.leader, rule.who, result_names(rule, formulas.game))
    yield from _joining((*at, "rolls"), rule, group, formulas.game.dice)
    for outcome in {*group.outcomes} - {*outcomes_of(rule)}:
        yield Flaw((*at, "outcomes"), there_is_no("outcome", outcome, [*outcomes_of(rule)]))
    if group.rank_by and group.counts != "each":
        yield Flaw((*at, "rank_by"), '`rank_by` is for a group with counts = "each"', at_key=True)
    for place, formula in enumerate(group.rank_by):
        for one in (rule, *(formulas.game.dice[name] for name in group.rolls if name in formulas.game.dice)):
            names = result_names(one, formulas.game)
            yield from formulas.number((*at, "rank_by", str(place)), formula, one.who, names)
    if group.own_effects and group.counts == "each":
        yield Flaw((*at, "own_effects"), 'with counts = "each", no outcome counts for all: remove one of the two')
    if group.together and not group.own_effects:
        needs = "`together` is for a group with own_effects = true. Without that, [after] says what the outcome does"
        yield Flaw((*at, "together"), needs, at_key=True)
    for outcome, effects in group.together.items():
        if outcome not in outcomes_of(rule):
            yield Flaw((*at, "together", outcome), there_is_no("outcome", outcome, [*outcomes_of(rule)]), at_key=True)
        read = result_names(rule, formulas.game), lists_chosen(rule)
        yield from check_effects(formulas, (*at, "together", outcome), effects, rule.who, *read)


def _joining(at: Path, rule: RollRule, group: GroupRule, dice: Mapping[str, RollRule]) -> Iterator[Flaw]:
    led = [*dict.fromkeys(outcomes_of(rule))]
    for place, name in enumerate(group.rolls):
        joins, here = dice.get(name), (*at, str(place))
        if joins is None:
            yield Flaw(here, there_is_no("roll", name, [*dice]))
        elif joins is not rule and joins.who in ("", rule.who):
            yield Flaw(here, f"`{name}` needs a different `who`: it is for those who can't make this roll")
        elif joins.hidden:
            cure = "leave it out of `rolls`, or remove its `hidden`"
            yield Flaw(here, f"players would see a group roll, but `{name}` is hidden: {cure}")
        elif unknown := sorted({*outcomes_of(joins)} - {*led}):
            legal = f"this roll has only {join_names([f'`{one}`' for one in led], 'and')}"
            yield Flaw(here, f"`{name}` has the outcome `{unknown[0]}`, but {legal}: use one of these names instead")


def _instead(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    if paid := rule.instead:
        at = (*path, "instead")
        yield from formulas.condition((*at, "when"), paid.when, rule.who, {})
        yield from _cost((*at, "cost"), paid.cost, rule.who, formulas)
        if not paid.cost:
            yield Flaw(at, 'what is paid is missing: write, for example, cost = ["spend luck 2"]', at_key=True)
        first_call = next(iter(rule.calls.values()), RollOption())
        known = [*dict.fromkeys(band.outcome for band in first_call.bands or rule.bands)]
        if paid.outcome not in known:
            where = (*at, "outcome") if paid.outcome else at
            meant = did_you_mean(paid.outcome, known, "outcomes")
            yield Flaw(where, f"there is no outcome “{paid.outcome[:40]}”. {meant}", at_key=not paid.outcome)


def _dice(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    yield from _die((*path, "die"), rule.die, rule.who, formulas.game)
    for place, extra in enumerate(rule.more):
        at = (*path, "more", str(place))
        yield from _die((*at, "die"), extra.die, rule.who, formulas.game)
        yield from formulas.number((*at, "dice"), extra.dice, rule.who, roll_names(rule, formulas.game))
        yield from formulas.condition((*at, "when"), extra.when, rule.who, roll_names(rule, formulas.game))
    named = [key for key in KEEPS if getattr(rule, key) not in ("", 0)]
    if len(named) > 1:
        yield Flaw((*path, named[-1]), f"use only one of {join_names(KEEPS, 'or')}")
    for key in named:
        number = getattr(rule, key)
        yield from formulas.number((*path, key), number, rule.who, roll_names(rule, formulas.game))
        if isinstance(number, int) and not 1 <= number <= MOST_DICE:
            yield Flaw((*path, key), f"`{key}` should be from 1 to {MOST_DICE}")
    if rule.explode and not 1 <= rule.explode.times <= MOST_EXPLOSIONS:
        yield Flaw((*path, "explode", "times"), f"`times` should be from 1 to {MOST_EXPLOSIONS}")
    if rule.explode and rule.explode.at and (rule.explode.at < _LEAST_BURST or rule.explode.at in rule.reroll):
        yield Flaw(
            (*path, "explode", "at"), f"`at` should be {_LEAST_BURST} or more, and can't be a face that is rerolled"
        )
    if rule.none:
        yield from _none((*path, "none"), rule.none, rule)


def _none(path: Path, none: NoDice, rule: RollRule) -> Iterator[Flaw]:
    least = 0 if rule.reading in TOTALS else 1
    if not least <= none.dice <= MOST_DICE:
        yield Flaw((*path, "dice"), f"`dice` should be from {least} to {MOST_DICE}")
    if none.die and (wrong := why_no_die(none.die)):
        yield Flaw((*path, "die"), wrong)
    counts_one = rule.reading in COUNTS and none.reading in ("highest", "lowest")
    if none.reading not in ("", rule.reading) and not counts_one and not {none.reading, rule.reading} <= _OF_FACES:
        wrong = f'the outcomes of this roll are for `{rule.reading}`: write reading = "{rule.reading}" here too'
        yield Flaw((*path, "reading"), wrong)
    if none.best and none.best not in outcomes_of(rule):
        yield Flaw((*path, "best"), there_is_no("outcome", none.best, [*outcomes_of(rule)]))


def _twice_by_result(path: Path, rule: RollRule) -> Iterator[Flaw]:
    """Check that outcomes look only at the result where it decides which of two rolls counts."""
    if rule.twice_by != "result":
        return
    if rule.theirs:
        yield Flaw((*path, "twice_by"), "the result can't decide in a contest, where the outcome does")
    for band in bands_in(rule):
        if band.face or band.matches or band.ones or band.doubles or band.all_equal or band.when != "":
            needs = f"where the result decides, outcomes can look only at the result: give {band.outcome} only `from` and `to`"
            yield Flaw((*path, "twice_by"), needs)


def _cards(path: Path, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    """Check a roll with cards: what only dice can do, and a deck on both sides."""
    name, dice = path[-1], {rule.die, *(one.die for one in rule.answers() if one.die)}
    if not any(is_deck(game, rule.who, text) for text in (*dice, *(extra.die for extra in rule.more))):
        return
    for key in ("explode", "reroll", "twice"):
        if getattr(rule, key):
            yield Flaw((*path, key), f"`{key}` works only with dice, not with cards")
    twice = [(*path, *at, "twice") for at, one in choices_in(rule) if one.twice]
    twice += [("when", when, "twice") for when, one in game.when.items() if one.twice and name in one.rolls]
    yield from (Flaw(at, f"{name} draws cards, so it can't be made twice") for at in twice)
    some = re.compile(rf"\b({'|'.join(SHOWN)})\.\w+")
    for place, band in enumerate(rule.bands):
        if band.of or some.search(text_of(game, band.when)):
            alone = "an outcome can look at some of the dice and ignore the rest, but it must look at all the cards"
            yield Flaw((*path, "bands", str(place), "of" if band.of else "when"), alone)
    draws = any(is_deck(game, rule.who, text) for text in dice)
    if rule.none and rule.none.dice and not rule.none.die and draws:
        yield Flaw((*path, "none"), 'an empty deck has no cards for this either: write which dice, such as die = "d6"')
    for place, extra in enumerate(rule.more):
        alike = extra.die in dice
        if extra.against and is_deck(game, rule.who, extra.die) and (alike or rule.reading == "beats"):
            why = "both sides draw from the same deck" if alike else "with `beats`, the other side needs dice"
            yield Flaw((*path, "more", str(place), "die"), f"{why}. Give the other side dice, or a deck of its own")
    for key, spend in game.spend.items():
        if (not spend.rolls or name in spend.rolls) and (spend.raises or spend.reroll or spend.dice):
            wrong = f"{name} draws cards, which can't be raised, rerolled or added to: use plus, step, grade or score"
            yield Flaw(("spend", key), wrong, at_key=True)


def check_faces(game: GameFile) -> Iterator[Flaw]:
    """Yield what is wrong in [faces] and in [symbols]."""
    values, counted = {path[-1] for path, _, _ in values_in(game)}, symbols_counted(game)
    for name, faces in game.faces.items():
        path = ("faces", name)
        yield from wrong_key(path, name)
        if name in values or not why_no_die(name):
            what = "is also a value on the sheet" if name in values else "always means a die with numbers"
            yield Flaw(path, f"`{name}` {what}: choose another name for this die", at_key=True)
        if not 2 <= len(faces) <= MOST_FACES:
            yield Flaw(path, f"a die must have 2 to {MOST_FACES} faces, but this one has {len(faces)}", at_key=True)
        for place, face in enumerate(faces):
            for word in dict.fromkeys(face.split()):
                yield from _symbol((*path, str(place)), word, game)
            if max(Counter(face.split()).values(), default=0) > MOST_ON_FACE:
                yield Flaw((*path, str(place)), f"a face can show a symbol at most {MOST_ON_FACE} times")
    shown = {word for faces in game.faces.values() for face in faces for word in face.split()}
    for word, counts in game.symbols.items():
        path = ("symbols", word)
        if word not in {*shown, *(name for one in game.symbols.values() for name in one)}:
            yield Flaw(path, there_is_no("symbol", word, shown, " on any die in [faces]"), at_key=True)
        for name, count in counts.items():
            yield from wrong_key((*path, name), name)
            if not (count and abs(count) <= MOST_ON_FACE):
                wrong = f"a symbol can count as 1 to {MOST_ON_FACE} of a symbol, or as −1 to −{MOST_ON_FACE}"
                yield Flaw((*path, name), wrong)
    if len(counted) > MOST_SYMBOLS:
        wrong = f"a game can count at most {MOST_SYMBOLS} symbols, but this one counts {len(counted)}"
        yield Flaw(("faces",), wrong, at_key=True)


def _symbol(path: Path, word: str, game: GameFile) -> Iterator[Flaw]:
    """Check a symbol on a face. Where [symbols] says what some count as, each has to be there, or another counts as it."""
    known = [*dict.fromkeys((*game.symbols, *(name for counts in game.symbols.values() for name in counts)))]
    if not KEY.fullmatch(word):
        wrong = (
            f"“{word[:40]}” can't be a symbol. Use only lower-case letters, digits and _, with spaces between symbols"
        )
        yield Flaw(path, wrong)
    elif known and word not in known:
        cure = f"If `{word}` is a symbol too, add `{word} = {{ {word} = 1 }}` to [symbols]"
        yield Flaw(path, f"{there_is_no('symbol', word, known)}. {cure}".replace("?.", "?"))


def _symbols(path: Path, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    """Check that a roll has either symbols or numbers on all its dice, and nothing that is only for numbers beside symbols."""
    has_symbols, only = rule.reading == SYMBOLS, "works only with dice that have numbers, not with symbols"
    spends = [(("spend", key), one) for key, one in game.spend.items() if not one.rolls or path[-1] in one.rolls]
    dice = [((*path, "die"), rule.die), *(((*path, "more", str(at)), one.die) for at, one in enumerate(rule.more))]
    dice += [((*path, *at), one.die) for at, one in choices_in(rule)]
    dice += [(at, one.die) for at, one in spends if one.dice]
    for at, text in dice:
        with suppress(WrongPath, NotDice):
            for die in dice_named(game, rule.who, text) if text else ():
                kind = parse_die(die)
                if bool(kind.shows) is not has_symbols:
                    name = text if die == text or kind.shows else die
                    wrong = f"`{name}` has numbers, but this roll counts symbols: use a die from [faces]"
                    cure = f'`{name}` has symbols: write reading = "symbols" for this roll'
                    yield Flaw(at, wrong if has_symbols else cure)
                    break
    if not has_symbols:
        if rule.symbol:
            yield Flaw((*path, "symbol"), '`symbol` is for rolls with reading = "symbols"', at_key=True)
        return
    if rule.symbol and rule.symbol not in (known := symbols_counted(game)):
        yield Flaw((*path, "symbol"), there_is_no("symbol", rule.symbol, known))
    parts: list[tuple[Path, object, Sequence[str]]] = [
        (path, rule, ("theirs", "none", "target", "cap", "blank", "worth", *KEEPS, "reroll", "explode"))
    ]
    parts += [((*path, *at), one, ("target", *KEEPS[:2])) for at, one in choices_in(rule)]
    parts += [(at, one, ("raises", "faces", "score")) for at, one in spends]
    of_bands = ("face", "matches", "ones", "doubles", "all_equal", "of")
    parts += [((*path, "bands", str(at)), one, of_bands) for at, one in enumerate(rule.bands)]
    for at, part, keys in parts:
        for key in keys:
            if getattr(part, key) not in ("", 0, (), None, {}):
                named = SpendRule.RENAMED.get(key, key)
                yield Flaw((*at, named), f"`{named}` {only}", at_key=True)
    yield from (Flaw((*at, "reroll"), f"`lowest` {only}") for at, one in spends if one.reroll == "lowest")
    for at, one in spends:
        if abs(one.plus) > MOST_ON_FACE:
            yield Flaw((*at, "plus"), f"a spend can add at most {MOST_ON_FACE} to a symbol")


def _die(path: Path, text: str, who: str, game: GameFile, *, draws: bool = True, things: str = "") -> Iterator[Flaw]:
    """Check that a text names a die, or a value whose choices are dice; with `draws`, it may be a deck of cards too. Those of `things` that
    are chosen can't be read.
    """
    if not draws and is_deck(game, who, text):
        yield Flaw(path, "a choice can add dice, but not cards: draw cards in the roll itself")
    try:
        named = dice_named(game, who, text)
    except WrongPath:
        values = f", or a value from {who or 'a table'} whose choices are dice"
        chosen = f". To use a value from the item chosen in {things}, add `dice_label` as well" if things else ""
        yield Flaw(path, f"{why_no_die(text)}{values}{chosen}")
    else:
        wrong = next(filter(None, map(why_no_die, named)), "") if named else f"none of the choices of `{text}` is a die"
        yield from [Flaw(path, wrong)] if wrong else ()


def _bands(path: Path, bands: tuple[BandRule, ...], rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    known: dict[str, BandRule] = {}
    for place, band in enumerate(bands):
        at = (*path, str(place))
        if not VERB.fullmatch(band.outcome):
            needs = "a word in lower-case letters, digits and hyphens, without _"
            yield Flaw(at, f'an outcome needs {needs}, such as outcome = "partial"')
        elif band.outcome == ANY:
            yield Flaw(at, f"in [after], `{ANY}` means every outcome: call this one something else")
        first = known.setdefault(band.outcome, band)
        if (first.grade, first.label) != (band.grade, band.label):
            yield Flaw(at, f"the outcome {band.outcome} has a different grade or label further up: make them the same")
        yield from formulas.number((*at, "from"), band.least, rule.who, roll_names(rule, formulas.game))
        yield from formulas.number((*at, "to"), band.most, rule.who, roll_names(rule, formulas.game))
        yield from formulas.condition((*at, "when"), band.when, rule.who, shown_names(rule, formulas.game))
        wrong = [*wrong_pair((*at, "face"), band.face, "face", "[6, 6]", rises=False)]
        yield from wrong or _face((*at, "face"), band, rule, formulas.game)
        yield from _dice_of_outcome((*at, "of"), band, rule, formulas.game)


def _base(path: Path, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    """Check that the roll that another one is based on is there, and what is left out of it."""
    seen, base = [path[-1]], rule.base
    while base and base in game.dice and base not in seen:
        seen.append(base)
        base = game.dice[base].base
    if rule.base and rule.base not in game.dice:
        yield Flaw((*path, "base"), there_is_no("roll", rule.base, [one for one in game.dice if one != path[-1]]))
    elif base in seen:
        wrong = (
            f"{seen[0]} is based on {', which is based on '.join((*seen[1:], base))}: remove the `base` of one of them"
        )
        yield Flaw((*path, "base"), f"{base} is based on itself: remove this `base`" if seen == [base] else wrong)
    if rule.without and not rule.base:
        yield Flaw((*path, "without"), "`without` leaves out keys of another roll, so it needs a `base`", at_key=True)
    keys = [key.name for key in fields(RollRule)]
    for place, key in enumerate(rule.without):
        name, _, word = key.partition(".")
        of_base = getattr(game.dice.get(rule.base), name, {}) if name in BY_NAME else {}
        if word and name in BY_NAME and word not in of_base:
            there = f"{rule.base} has no `{key[:40]}`. {did_you_mean(word, [*of_base], name)}"
            yield Flaw((*path, "without", str(place)), there)
        elif key not in keys and not (word and name in BY_NAME):
            meant = did_you_mean(key, keys, "keys")
            yield Flaw((*path, "without", str(place)), f"a roll has no key `{key[:40]}`. {meant}")


def _face(path: Path, band: BandRule, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    dice = [rule.die, *(one.die for one in rule.answers()), *(extra.die for extra in rule.more)]
    dice += [rule.none.die if rule.none else "", *(spend.die for spend in game.spend.values())]
    faces = set[int]()
    with suppress(WrongPath, NotDice):
        for text in filter(None, dice):
            faces |= {face for die in dice_named(game, rule.who, text) for face in parse_die(die).faces}
    is_met = any(band.face[0] <= face <= band.face[-1] for face in faces) if band.face else True
    if faces and not is_met and not (rule.explode and rule.explode.adds):
        hint = ". On percentile dice, 00 is 100" if max(faces) == 100 else ""
        yield Flaw(path, f"no die here can show {band.face[0]}: the faces are {min(faces)} to {max(faces)}{hint}")


def _dice_of_outcome(path: Path, band: BandRule, rule: RollRule, game: GameFile) -> Iterator[Flaw]:
    words = words_of_dice(game, rule, theirs=False)
    if band.of and band.of not in words:
        meant = did_you_mean(band.of, words, "labels of dice")
        yield Flaw(
            path, f"there are no dice called `{band.of[:40]}`: give some dice this `label` or `dice_label`. {meant}"
        )
    elif band.of and not (band.face or band.matches or band.ones or band.doubles or band.all_equal):
        yield Flaw(
            path, "`of` only says which dice to look at: add `ones`, `matches`, `face`, `doubles` or `all_equal`"
        )


def _choices(path: Path, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    taken = set[str]()
    for where, option in choices_in(rule):
        at, word, is_option = (*path, *where), where[-1], where[0] == OPTIONS
        if is_option and (not VERB.fullmatch(word) or "-" in word):
            text = f"people type “{word[:40]}” as an answer, so use only lower-case letters and digits, not - or _"
            yield Flaw(at, text, at_key=True)
        elif word in taken:
            yield Flaw(at, f"“{word}” is used twice in this roll: choose another word for one of the two", at_key=True)
        else:
            yield from wrong_word(at, word, "an answer")
        taken.add(word)
        if option.who and not is_option:
            yield Flaw((*at, "who"), "`who` can be used only in an option", at_key=True)
        if wrong := [*formulas.who((*at, "who"), option.who, clocks=True)]:
            yield from wrong
            continue
        owner, _, inner = option.who.partition(".")
        of_clocks = is_clocks(option.who)
        if inner and not of_clocks and formulas.game.sheet[owner].each and rule.who.partition(".")[0] != owner:
            needs = f'so the roll needs who = "{owner}"'
            yield Flaw((*at, "who"), f"everything in {option.who} belongs to somebody in {owner}, {needs}")
            continue
        if option.default != "" and is_option:
            only = "`default` belongs with the answers to a question, in `calls` or `pick`. An option needs no default, as nobody has to choose one"
            yield Flaw((*at, "default"), only, at_key=True)
        yield from formulas.condition((*at, "default"), option.default, rule.who, {})
        if option.most != "" and not option.who:
            yield Flaw((*at, "most"), '`most` is for an option with a list of things, such as who = "crew"')
        if option.required and is_option and not option.who:
            only = '`required` is for an option with a list of things, such as who = "foes", or for the answers in `calls` or `pick`'
            yield Flaw((*at, "required"), only, at_key=True)
        yield from _choice(at, option, rule, formulas)
    for name in rule.pick:
        if not VERB.fullmatch(name) or name in (*rule.options, CALL, OPTIONS, MODIFIER):
            may = "Use only lower-case letters and digits, and no option's name: for example, `position`"
            yield Flaw((*path, "pick", name), f"`{name}` can't be the name of a choice. {may}", at_key=True)


def _choice(at: Path, option: RollOption, rule: RollRule, formulas: FormulaCheck) -> Iterator[Flaw]:
    names, of_clocks = roll_names(rule, formulas.game), is_clocks(option.who)
    who = rule.who if of_clocks else option.who or rule.who
    read = {**names, **CLOCK_NAMES} if of_clocks else names
    for key in ("dice", "plus", "most", "pool", "target", *KEEPS[:2]):
        asks, known = (rule.who, names) if key in KEEPS else (who, read)
        yield from formulas.number((*at, key), getattr(option, key), asks, known)
    yield from formulas.condition((*at, "when"), option.when, who, read)
    yield from _cost((*at, "cost"), option.cost, who, formulas, read)
    yield from _bands((*at, "bands"), option.bands, rule, formulas)
    if option.die:
        theirs, things = (who, "") if option.is_apart else (rule.who, option.who)
        yield from _die((*at, "die"), option.die, theirs, formulas.game, draws=not option.is_apart, things=things)


def _cost(
    path: Path, cost: tuple[EffectRule, ...], who: str, formulas: FormulaCheck, names: Names = MappingProxyType({})
) -> Iterator[Flaw]:
    yield from check_effects(formulas, path, cost, who, names)
    for place, effect in enumerate(cost):
        if effect.who:
            wrong = "a cost is paid by whoever acts. Write effects on others in [after] or `does` instead"
            yield Flaw((*path, str(place), "who"), wrong)
        if effect.move:
            yield Flaw((*path, str(place), "move"), "a cost can't be a move: write the move's effects here instead")
        try:
            verb = (words := parse_effect(effect.do)).verb
        except WrongEffect:
            continue
        if any(dice_in(words)):
            yield Flaw((*path, str(place)), "a cost must be known before it is paid, so it can't contain dice")
        if verb not in (*UP, *DOWN, "set"):
            kinds = join_names((*UP, *DOWN, "set"), "or")
            yield Flaw((*path, str(place)), f"a cost must start with {kinds}, as in spend focus 1")


# -- spends -----------------------------------------------------------------------------------------------------------


def _spend(path: Path, spend: SpendRule, sound: Mapping[str, RollRule], formulas: FormulaCheck) -> Iterator[Flaw]:
    game = formulas.game
    yield from formulas.clause((*path, "clause"), spend.clause)
    for place, roll in enumerate(spend.rolls):
        if roll not in game.dice:
            yield Flaw((*path, "rolls", str(place)), there_is_no("roll", roll, game.dice))
    if wrong := [*formulas.who((*path, "who"), spend.who)]:
        yield from wrong
        return
    rules = [rule for key, rule in sound.items() if not spend.rolls or key in spend.rolls]
    for rule in rules:
        who = spend.who or rule.who
        yield from _cost((*path, "cost"), spend.cost, who, formulas)
        yield from formulas.condition((*path, "when"), spend.when, who, result_names(rule, game))
        yield from formulas.number((*path, "score"), spend.score, who, roll_names(rule, formulas.game))
    known = [*dict.fromkeys(outcome for rule in rules for outcome in outcomes_of(rule))]
    for key in ("outcomes", "accept"):
        for place, outcome in enumerate(getattr(spend, key)):
            if outcome not in known:
                yield Flaw((*path, key, str(place)), there_is_no("outcome", outcome, known))


def _spend_itself(path: Path, spend: SpendRule, faces: Collection[str]) -> Iterator[Flaw]:
    """Check what a spend says without looking at rolls. `faces` are the names of the game's own dice."""
    yield from wrong_verb(path, path[-1], "spend")
    does = [spend.raises > 0, spend.plus != 0, bool(spend.reroll) or spend.dice > 0, spend.step > 0, spend.grade > 0]
    if (*does, spend.score != "").count(True) != 1:
        needs = "exactly one of raise, plus, reroll, dice, step, grade or score (only reroll and dice can be combined)"
        yield Flaw(path, f"{path[-1]} needs {needs}", at_key=True)
    numbers = (spend.raises, spend.plus, spend.step, spend.grade, spend.limit)
    if max(map(abs, numbers)) > _MOST_RAISED or spend.dice > MOST_DICE:
        wrong = f"a spend's numbers can be at most {_MOST_RAISED}, and its dice at most {MOST_DICE}"
        yield Flaw(path, wrong, at_key=True)
    for key in ("raises", "dice", "step", "grade", "limit"):
        if getattr(spend, key) < 0:
            named = SpendRule.RENAMED.get(key, key)
            yield Flaw((*path, named), f"`{named}` can't be below 0")
    if spend.die and spend.die not in faces and (wrong := why_no_die(spend.die)):
        yield Flaw((*path, "die"), wrong)
    yield from wrong_pair((*path, "faces"), spend.faces, "face", "[1, 3]", rises=False)
