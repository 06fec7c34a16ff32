"""A declared roll before it is made: what may be chosen for it, such as help or a push, with what each choice costs; then its numbers,
which are how many dice there are, how they are read, which outcomes there are, and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from waylog.rules.codec.changes import join_names, slug, words_for
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, NOT_NOW
from waylog.rules.file_game.dice_readings import (
    COUNTS,
    SHOWN,
    SYMBOLS,
    THEIRS,
    Band,
    Keep,
    Reading,
    ReadingKind,
    Result,
    RollPlan,
    Theirs,
    WhenShown,
    shown_alone,
    worst_first,
)
from waylog.rules.file_game.dice_throws_and_cards import (
    MOST_ADDED,
    DiceGroup,
    TableDie,
    ThrowRules,
    cards_left,
    die_with_symbols,
    parse_die,
    symbols_counted,
    word_of_dice,
)
from waylog.rules.file_game.effects_and_offers import apply_all, refusal_of, with_moves
from waylog.rules.file_game.formulas import paths_in
from waylog.rules.file_game.game_file_format import GameFile
from waylog.rules.file_game.named_values_and_conditions import (
    Chosen,
    FileMoment,
    Found,
    Scope,
    conditions_for,
    find,
    label_of,
    once_for,
    paths_read,
    refusal_by_conditions,
    things,
    value_at,
    values_of_clock,
)
from waylog.rules.file_game.roll_and_effect_format import (
    MOST_DICE,
    BandRule,
    GroupRule,
    RollOption,
    RollRule,
    Twice,
    dice_of,
    is_clocks,
)
from waylog.rules.model.dice import TEN, faces_to_type
from waylog.rules.model.dice_notation import NotDice
from waylog.rules.model.facts import NoteFact, NotePart
from waylog.rules.model.moves import Option, Refusal
from waylog.values import NamedTuple, replace

CALL, OPTIONS, PICK, MODIFIER, TOGETHER = "call", "options", "pick", "modifier", "together"


class OptionOfRoll(NamedTuple):
    """Something that may be chosen for a roll: an option, or a thing that one is for."""

    id: str
    """Its key in a roll on the table: `push`, with a thing `gear.rope`, or of a choice `position.risky`."""
    label: str
    rule: RollOption
    scope: Scope
    """The values that its formulas read."""
    also: tuple[str, ...] = ()
    """Other words for a thing: `help-ilse`, and one that another list has too, which is asked about."""
    progress: str = ""
    """Of a clock, how full it is."""
    paths: tuple[str, ...] = ()
    """Of a clock, its path, and of a thing that players never see."""


def option_of(id_: str) -> str:
    """Return the name of the option that an id means."""
    return id_.partition(".")[0]


def of_list(name: str) -> str:
    """Return the name of the question that asks for things of the list of an option."""
    return f"{OPTIONS}.{name}"


def has_choice(rule: RollRule, id_: str) -> bool:
    """Whether a roll has what was chosen."""
    name, _, word = id_.partition(".")
    return name in rule.options or word in rule.pick.get(name, ())


def options_by_word(moment: FileMoment, choice: RollChoice) -> Mapping[str, OptionOfRoll]:
    """Return the options of a roll, by the word that is typed."""
    rule, found = choice.rule, dict[str, OptionOfRoll]()
    taken = {
        *(word for way in ways_of(rule).values() for word in way),
        *(name for name, option in rule.options.items() if not option.who),
    }
    # A word that two lists have means neither: the name of the option stands before it, whoever rolls.
    lists = [option.who for option in rule.options.values() if option.who]
    keys_of = (
        moment.clocks_of(who) if is_clocks(who) else (keys[-1] for keys, _ in things(moment.sheet, who))
        for who in lists
    )
    words_of = Counter(word for keys in keys_of for word in {*map(slug, keys)}) if len(lists) > 1 else {}
    shared = {word for word, count in words_of.items() if count > 1}
    owner = moment.thing_name(rule.who.partition(".")[0], choice.keys[:1])
    for name, option in rule.options.items():
        if not option.who:
            found[name] = OptionOfRoll(name, label_of(name, option.label), option, choice.scope(moment))
            continue
        keys_by_id = {f"{name}.{keys[-1]}": keys for keys in things_beside(moment, choice, option.who)}
        words = words_for(((id_, keys[-1]) for id_, keys in keys_by_id.items()), name, (*taken, *shared, *found))
        for word, id_ in words.items():
            keys = keys_by_id[id_]
            scope = Scope(moment, option.who, keys, choice.names(), choice.chosen_things(moment))
            if is_clocks(option.who):  # Whoever rolls pays for it.
                scope = choice.scope(moment, values_of_clock(moment.clocks[keys[0]]))
            label = moment.thing_name(option.who, keys).removeprefix(f"{owner}, ")
            if slug(keys[-1]) in shared:
                label = f"{label_of(name, option.label)}: {label}"
            names = dict.fromkeys((name, slug(option.label) or name))
            also = (*(f"{one}-{slug(keys[-1])}" for one in names), *({slug(keys[-1])} & shared))
            found[word] = OptionOfRoll(id_, label, option, scope, also, *moment.progress_of(option.who, keys))
    return found


def things_beside(moment: FileMoment, choice: RollChoice, who: str) -> Iterator[tuple[str, ...]]:
    """Yield the keys of the things of a list that can do something for a roll: all but the one that rolls; of a list that each has,
    those of who rolls.
    """
    if is_clocks(who):
        yield from ((key,) for key in moment.clocks_of(who))
        return
    for keys, _ in things(moment.sheet, who):
        if (keys != choice.keys or who != choice.rule.who) and (len(keys) == 1 or keys[:1] == choice.keys[:1]):
            yield keys


def ways_of(rule: RollRule) -> Mapping[str, Mapping[str, RollOption]]:
    """Return the questions of a roll that need an answer, by name; each has its answers by the word that is typed."""
    return {**({CALL: rule.calls} if rule.calls else {}), **rule.pick}


def usual_answer(ways: Mapping[str, RollOption], scope: Scope) -> str:
    """Return the answer to a question that counts unless another is given: the one that is the default now, or else the first."""
    usual = (word for word, one in ways.items() if one.default != "" and scope.holds(one.default))
    return next(usual, next(iter(ways)))


def ways_by_word(moment: FileMoment, choice: RollChoice, name: str) -> Mapping[str, OptionOfRoll]:
    """Return the answers to the question `name` of a roll, by the word that is typed."""
    scope = choice.scope(moment)
    return {
        word: OptionOfRoll(f"{name}.{word}", label_of(word, one.label), one, scope)
        for word, one in ways_of(choice.rule)[name].items()
    }


def chosen_options(moment: FileMoment, choice: RollChoice) -> tuple[OptionOfRoll, ...]:
    """Return what was chosen for a roll: first how it is made, then its options."""
    ways = [one for name in ways_of(choice.rule) for one in ways_by_word(moment, choice, name).values()]
    found = (*ways, *options_by_word(moment, choice).values()) if choice.options else ways
    return tuple(one for one in found if one.id in (*choice.options, f"{CALL}.{choice.call}"))


def reads_choices(formula: object) -> bool:
    """Whether a formula reads what is chosen for a roll."""
    return any(path[0] in (CALL, OPTIONS, PICK, MODIFIER) for path in paths_in(formula))


def offered_option(word: str, one: OptionOfRoll, clause: str, price: str) -> Option:
    """Return what is shown of something that may be chosen, with its price, and why it can't be, whatever else is chosen."""
    blocked = None
    if not reads_choices(one.rule.when) and not one.scope.holds(one.rule.when):
        blocked = Refusal(one.rule.refusal or NOT_NOW, clause or CONDITIONS)
    elif refusal := refusal_of(one.rule.cost, one.scope, in_full=True):
        blocked = Refusal(refusal.reason, refusal.clause or COSTS)
    dice, plus = one.scope.number(one.rule.dice), one.scope.number(one.rule.plus)
    notes = [
        *([one.progress] if one.progress else []),
        *([f"{dice:+d} dice" if abs(dice) != 1 else f"{dice:+d} die"] if dice else []),
        *([f"{plus:+d}"] if plus else []),
        *([price if price.startswith("+") else f"costs {price}"] if price else []),
    ]
    return Option(word, one.label, ", ".join(notes), one.also, blocked, costs=bool(one.rule.cost), paths=one.paths)


def refusal_of_choices(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why what was chosen for a roll doesn't go together, or can't be paid together."""
    left: dict[tuple[str, ...], int] = {}
    chosen = chosen_options(moment, choice)
    for one in chosen:
        # Its own condition reads what else is chosen.
        others = choice._replace(options=tuple(id_ for id_ in choice.options if id_ != one.id)).names()
        same = sum(option_of(other.id) == option_of(one.id) for other in chosen)
        if one.rule.most != "" and same > (most := one.scope.number(one.rule.most)):
            label = label_of(option_of(one.id), one.rule.label)
            return Refusal(f"{label}: choose at most {most}", choice.rule.clause or CONDITIONS)
        if not replace(one.scope, names={**one.scope.names, **others}).holds(one.rule.when):
            return Refusal(one.rule.refusal or f"{one.label}: {NOT_NOW}", choice.rule.clause or CONDITIONS)
        if refusal := refusal_of(one.rule.cost, one.scope, in_full=True, left=left):
            return refusal
    return refusal_by_conditions(moment, choice.name, choice.scope(moment))


def lack_of_required(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll can't be made as it was chosen: something has to be chosen beside it. None if nothing has, or nothing can."""
    for name, option in choice.rule.options.items():
        if not (option.required and reads_choices(option.when)) or any(
            option_of(id_) == name for id_ in choice.options
        ):
            continue
        able = [
            word
            for word, one in options_by_word(moment, choice).items()
            if option_of(one.id) == name
            and refusal_of_choices(moment, choice._replace(options=(*choice.options, one.id))) is None
        ]
        if able:
            return Refusal(
                f"{label_of(name, option.label)}: choose {join_names(able, 'or')}", choice.rule.clause or None
            )
    return None


def pay_for_options(moment: FileMoment, choice: RollChoice) -> FileMoment:
    """Pay for what was chosen for a roll."""
    for one in chosen_options(moment, choice):
        moment = apply_all(moment, one.rule.cost, one.scope)
    return moment


class RollChoice(NamedTuple):
    """A roll as somebody makes it."""

    name: str
    rule: RollRule
    keys: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """The ids of what was chosen (see `OptionOfRoll`)."""
    call: str = ""
    modifier: int = 0
    together: tuple[tuple[str, ...], ...] = ()
    """The keys of all who roll, if several do."""

    @property
    def label(self) -> str:
        """Its name on screen."""
        return label_of(self.name, self.rule.label)

    def replacing(self, *keys: str) -> RollOption | RollRule:
        """Return the last choice that says one of these keys in place of the roll; the roll itself if none does. The die of a choice with
        dice of its own is theirs.
        """
        chosen = [self.rule.calls[self.call]] if self.call in self.rule.calls else []
        for id_ in self.options:
            name, _, word = id_.partition(".")
            chosen.append(self.rule.pick[name][word] if name in self.rule.pick else self.rule.options[name])
        if keys == ("die",):
            chosen = [one for one in chosen if not one.is_apart]
        saying = (one for one in reversed(chosen) if any(getattr(one, key) not in ("", 0, ()) for key in keys))
        return next(saying, self.rule)

    def names(self) -> dict[tuple[str, ...], Found]:
        """Return what formulas read of it."""
        chosen = [*map(option_of, self.options)]
        found: dict[tuple[str, ...], Found] = {
            (OPTIONS, name): (True,) * chosen.count(name) if option.who else name in chosen
            for name, option in self.rule.options.items()
        }
        for name, ways in self.rule.pick.items():
            found[(PICK, name)] = next((word for word in ways if f"{name}.{word}" in self.options), "")
        if self.rule.calls:
            found[(CALL,)] = self.call
        if self.rule.modifier:
            found[(MODIFIER,)] = self.modifier
        return found

    def chosen_things(self, moment: FileMoment) -> Mapping[str, Chosen]:
        """Return the things that were chosen from lists, by what effects and formulas call them."""
        chosen = {*map(option_of, self.options)}
        group: dict[str, Chosen] = {TOGETHER: (self.rule.who, self.together or (self.keys,))} if self.rule.group else {}
        return group | {
            of_list(name): (
                option.who,
                tuple(
                    keys
                    for keys in (things_beside(moment, self, option.who) if name in chosen else ())
                    if f"{name}.{keys[-1]}" in self.options
                ),
            )
            for name, option in self.rule.options.items()
            if option.who
        }

    def scope(self, moment: FileMoment, after: Mapping[tuple[str, ...], Found] = MappingProxyType({})) -> Scope:
        """Return what its formulas read, with what they read after the roll."""
        return Scope(moment, self.rule.who, self.keys, {**self.names(), **after}, self.chosen_things(moment))


def first_choice(name: str, rule: RollRule, keys: tuple[str, ...]) -> RollChoice:
    """Return a roll as it is before anything is answered."""
    return RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))


def choices_change_dice(rule: RollRule) -> bool:
    """Whether what is chosen for a roll may change how many dice it has."""
    formulas = (rule.pool, *(formula for extra in rule.more for formula in (extra.dice, extra.when)))
    return any(one.dice != 0 or one.pool != "" for one in rule.answers()) or any(map(reads_choices, formulas))


def least_that_reach(group: GroupRule, members: int) -> int:
    """Return how many of so many have to reach an outcome for it to be that of all."""
    return {"best": 1, "half": -(-members // 2), "worst": members}.get(group.counts, 1)


class PlannedRoll(NamedTuple):
    """A roll with its numbers."""

    plan: RollPlan
    none: bool
    """There was no die, so others are rolled."""
    reasons: tuple[NoteFact, ...]


def plan_roll(moment: FileMoment, choice: RollChoice) -> PlannedRoll:
    """Return what is rolled. A pool has at most as many dice as odds are made for."""
    rule, scope = choice.rule, choice.scope(moment)
    # The dice and the number that choices and conditions add, and why.
    more, plus, reasons = 0, scope.number(rule.plus), list[NoteFact]()
    chosen = chosen_options(moment, choice)
    apart: dict[tuple[str, str, bool], int] = {}
    die = die_of(choice.replacing("die").die, scope, rule.symbol)
    for one in chosen:
        dice = one.scope.number(one.rule.dice)
        if one.rule.is_apart:
            its_die = die_of(one.rule.die, one.scope, rule.symbol) if one.rule.die else die
            alike = its_die, one.rule.dice_label or one.label, one.rule.against
            apart[alike] = apart.get(alike, 0) + max(0, dice)
        more += 0 if one.rule.is_apart else dice
        plus += one.scope.number(one.rule.plus)
    abouts = dict.fromkeys(one.rule.about for one in chosen if one.rule.about)  # Of several things, it is said once.
    reasons += (NoteFact(about, rule.clause or None, part=NotePart.DETAIL) for about in abouts)
    twice: set[Twice] = {rule.twice, *(one.rule.twice for one in chosen)}
    # Of a roll with one outcome, neither of two is the better.
    by_result = rule.twice_by == "result"
    can_differ = by_result or len({band.outcome for band in choice.replacing("bands").bands}) > 1
    for name, condition in conditions_for(moment, choice.name, scope):
        by, add = scope.number(condition.dice), scope.number(condition.plus)
        twice.add(condition.twice)
        # What changes a formula alone is named for the rolls that have the formula.
        in_formula = (
            condition.rolls and condition.about and condition.dice == condition.plus == 0 and not condition.twice
        )
        if by or add or (condition.twice and can_differ) or in_formula:
            more, plus, about = more + by, plus + add, condition.about or label_of(name, "")
            reasons.append(NoteFact(about, condition.clause or CONDITIONS, part=NotePart.DETAIL))
    pool, target = (
        next((one.scope.number(lent) for one in reversed(chosen) if (lent := getattr(one.rule, key)) != ""), usual)
        for key, usual in (("pool", scope.number(rule.pool)), ("target", scope.number(rule.target)))
    )
    groups = [*_groups(choice, scope, DiceGroup(max(0, pool + more), die, rule.dice_label or choice.label), apart)]
    none = not any(group.count for group in groups if not group.against)
    if none and rule.none:
        its_dice = DiceGroup(rule.none.dice, rule.none.die or die, choice.label)
        groups = [*([its_dice] if its_dice.count else []), *(group for group in groups if group.against)]
        dice, kind = rule.none.dice, rule.none.reading or rule.reading
        kept = {"highest": "higher one", "lowest": "lower one"}.get(kind, kind) if dice == 2 else kind
        counts = f" and the {kept} counts" if dice > 1 and kind in ("highest", "lowest", "sum") else ""
        rolled = f"{'1 is' if dice == 1 else f'{dice} are' if dice else 'nothing is'} rolled{counts}"
        text = rule.none.about or f"No dice, so {rolled}"
        reasons.append(NoteFact(text, rule.clause or None, part=NotePart.DETAIL))
    plus = max(-MOST_ADDED, min(MOST_ADDED, plus)) if rule.reading == SYMBOLS else plus
    cap, blank = (None if formula == "" else scope.number(formula) for formula in (rule.cap, rule.blank))
    reading = reading_of(choice, scope, Reading(ReadingKind.SUM, plus, target, None, cap, blank), none=none)
    twice -= {""}
    which: Twice = twice.pop() if len(twice) == 1 and can_differ else ""
    bands = bands_of(choice, scope, none=none)
    plan = RollPlan(tuple(groups), reading, bands, ThrowRules(rule.reroll, rule.explode), which, by_result)
    return PlannedRoll(plan, none, tuple(reasons))


def die_of(text: str, scope: Scope, symbol: str = "") -> str:
    """Return the die that a text names: itself, or by a value of the sheet; what is left of a deck, or nothing. On a die of [faces], the
    `symbol` of the roll is counted first.
    """
    game = scope.moment.game
    if text in game.faces:
        return _die_with_symbols(game, text, symbol)
    if not why_no_die(text):
        return parse_die(text).name
    place = find(game.sheet, scope.who, text.split("."))
    now = value_at(scope.moment.sheet, place, scope.keys)
    return cards_left(text, place.value.deck, now) if place.value.deck else die_of(str(now), scope, symbol)


@once_for
def _die_with_symbols(game: GameFile, name: str, symbol: str) -> str:
    return die_with_symbols(name, game, symbol)


def _groups(
    choice: RollChoice, scope: Scope, pool: DiceGroup, apart: Mapping[tuple[str, str, bool], int]
) -> Iterator[DiceGroup]:
    """Yield the dice of a roll. `pool` are those of its pool, with what choices and conditions add or take away; `apart` is what choices
    add as dice of their own, by their kinds and labels, and whether they are the other side's.
    """
    rule = choice.rule
    others = [
        DiceGroup(
            max(0, scope.number(extra.dice)),
            die_of(extra.die, scope, rule.symbol),
            extra.label or choice.label,
            extra.against,
        )
        for extra in rule.more
        if scope.holds(extra.when)
    ]
    room, left = MOST_DICE, dict[str, int]()
    chosen = (DiceGroup(dice, *alike) for alike, dice in apart.items())
    for group in (pool, *others, *chosen):
        # Of an empty deck, the die has no name.
        cards = sum(parse_die(group.die).copies or (MOST_DICE,)) if group.die else 0
        count = min(group.count, room, left.setdefault(group.die, cards))
        room, left[group.die] = room - count, left[group.die] - count
        if count:
            die = group.die if group.against else die_used_for(choice, scope, group.die, group.label)
            yield DiceGroup(count, die, group.label, group.against)


def die_used_for(choice: RollChoice, scope: Scope, die: str, label: str) -> str:
    """Return a die as a kind of its own, such as `d6-gear`, if an outcome looks at those with its label alone."""
    bands = choice.replacing("bands").bands
    if not any(band.of or band.when != "" for band in bands):
        return die
    word = word_of_dice(label)
    return f"{die}-{word}" if word in _words_looked_at_alone(scope.moment.game, bands) else die


@once_for
def _words_looked_at_alone(game: GameFile, bands: tuple[BandRule, ...]) -> frozenset[str]:
    """Return the words of the dice that outcomes look at alone."""
    read = (path for band in bands for path in paths_read(game, band.when) if path[0] in SHOWN)
    return frozenset((*(band.of for band in bands if band.of), *(path[1] for path in read if path[1:])))


def words_of_dice(game: GameFile, rule: RollRule, *, theirs: bool = True) -> tuple[str, ...]:
    """Return what formulas and outcomes call the dice of a roll that have a label, those that a spend adds too; without `theirs`, only
    those of one's own.
    """
    labels = [rule.dice_label, *(more.label for more in rule.more if theirs or not more.against)]
    labels += [one.dice_label for one in rule.answers() if theirs or not one.against]
    spends = (one for one in game.spend.values() if not one.rolls or rule in map(game.dice.get, one.rolls))
    labels += [one.dice_label for one in spends]
    return tuple(dict.fromkeys(word_of_dice(label) for label in labels if label))


def names_on_table(
    words: Iterable[str], reading: Reading, dice: Sequence[TableDie], outcome: str, result: Result
) -> Mapping[tuple[str, ...], Found]:
    """Return what formulas read of dice on the table that come to this, also of some of them alone, by the `words` of their labels."""
    names: dict[tuple[str, ...], Found] = {**result.names(), ("outcome",): outcome}
    suits = [die.label for die in dice if parse_die(die.die).copies and not die.against]
    names |= {("suit",): suits[0]} if suits else {}
    for word in words:
        some = [replace(die, against=False) for die in dice if word_of_dice(die.label) == word]
        names |= {(name, word): value for name, value in shown_alone(reading, some).items()}
    return names


KEEPS = ("keep_highest", "keep_lowest", "drop_highest", "drop_lowest")
"""The keys of a roll that say how many of its dice count. The number is at least 1."""


def reading_of(choice: RollChoice, scope: Scope, numbers: Reading, *, none: bool) -> Reading:
    """Return how the dice are read, with the numbers of a reading."""
    keep, rule = None, choice.rule
    if theirs := rule.theirs:
        whens = [_when_shown(str(band.when), scope) for band in choice.replacing("bands").bands if band.when != ""]
        asked = tuple(name for name in SHOWN if any((THEIRS, name) in when.reads for when in whens))
        numbers = replace(numbers, theirs=Theirs(scope.number(theirs.target), scope.number(theirs.plus), asked))
    numbers = replace(numbers, worth=tuple((int(face), count) for face, count in rule.worth.items()))
    if rule.reading == SYMBOLS:
        counted = tuple(symbols_counted(scope.moment.game, rule.symbol))
        return replace(numbers, kind=ReadingKind.SYMBOLS, symbols=counted)
    if none and rule.none:
        kind = ReadingKind(rule.none.reading or rule.reading)
        if rule.reading in COUNTS and kind not in COUNTS:  # Of the dice, one counts or not.
            return replace(numbers, kind=ReadingKind(rule.reading), keep=Keep(1, highest=kind is ReadingKind.HIGHEST))
        return replace(numbers, kind=kind)
    kept = choice.replacing("keep_highest", "keep_lowest")
    for key in KEEPS:
        if (formula := getattr(kept, key, "")) not in ("", 0):
            way, which = key.split("_")
            keep = Keep(max(1, scope.number(formula)), highest=which == "highest", drops=way == "drop")
    return replace(numbers, kind=ReadingKind(rule.reading), keep=keep)


_NEVER = 10**9
"""A result that no roll comes to."""


def bands_of(choice: RollChoice, scope: Scope, *, none: bool) -> tuple[Band, ...]:
    """Return the outcomes with their numbers. Without dice, no result has those above the best that a roll can have then."""
    bands = tuple(_band(band, scope) for band in choice.replacing("bands").bands)
    best = choice.rule.none.best if none and choice.rule.none else ""
    if not best:
        return bands
    order = [band.outcome for band in worst_first(bands)]
    legal = order[: order.index(best) + 1] if best in order else order
    return tuple(band if band.outcome in legal else replace(band, low=_NEVER) for band in bands)


def _band(rule: BandRule, scope: Scope) -> Band:
    return Band(
        rule.outcome,
        label_of(rule.outcome, rule.label),
        rule.grade,
        None if rule.least == "" else scope.number(rule.least),
        None if rule.most == "" else scope.number(rule.most),
        rule.face[0] if rule.face else None,
        rule.face[-1] if rule.face else None,
        rule.matches,
        rule.ones,
        rule.doubles,
        rule.all_equal,
        rule.of,
        None if rule.when == "" else _when_shown(str(rule.when), scope),
    )


def _when_shown(formula: str, scope: Scope) -> WhenShown:
    """Return the formula of an outcome with what it reads of the campaign and of the choices, as they are now."""
    named, known = dict[str, object](), dict[tuple[str, ...], Found]()
    new = {*paths_in(formula)}
    while new:
        formulas = scope.moment.game.formulas
        names = {path[0]: str(formulas[path[0]]) for path in new if path[0] in formulas and len(path) == 1}
        of_dice = (THEIRS, SYMBOLS, *SHOWN)
        known |= {path: scope.value(".".join(path)) for path in new if path[0] not in (*names, *of_dice)}
        named |= names
        new = {path for inner in names.values() for path in paths_in(inner)} - {*known, *((name,) for name in named)}
    return WhenShown(formula, tuple(sorted(known.items())), tuple(sorted(named.items())))


def are_typed_as_numbers(
    moment: FileMoment, name: str, keys: tuple[str, ...] | None = None, before: tuple[str, ...] = ()
) -> bool:
    """Whether real dice are typed as whole numbers, because a die that a roll may come to now, a roll that follows by itself, or an
    effect, may have more than ten sides. Without keys, whoever makes it. Rolls that came `before` it aren't looked at again.
    """
    game = moment.game
    follows = [*with_moves(game, (effect for effects in game.after.get(name, {}).values() for effect in effects))]
    before = (*before, name)
    rolls = {effect.roll for effect in follows if effect.roll and effect.roll not in before}
    if any(are_typed_as_numbers(moment, roll, None, before) for roll in rolls):
        return True
    rule = game.dice[name]
    texts = [rule.die, *(extra.die for extra in rule.more)]
    texts += [one.die for one in game.spend.values() if not one.rolls or name in one.rolls]
    texts += [one.die for ways in ways_of(rule).values() for one in ways.values()]
    texts += [rule.none.die] if rule.none else []
    texts += [die for effect in follows for _, die in dice_of(effect)]
    scope = Scope(moment, rule.who, keys or ())
    now = ((die_of(text, scope),) if keys is not None else dice_named(game, rule.who, text) for text in texts if text)
    apart = (
        dice_named(game, one.who or rule.who, one.die) for one in rule.options.values() if one.die and one.is_apart
    )
    kinds = (parse_die(die) for dice in (*now, *apart) for die in dice if die)
    return any(max(faces_to_type(kind.shows) or kind.sides) > TEN or kind.copies for kind in kinds)


def dice_named(game: GameFile, who: str, text: str) -> tuple[str, ...]:
    """Return the dice that a text may name: itself, the choices of a value, or a whole deck. Raises `WrongPath`."""
    if text in game.faces:
        return (die_with_symbols(text, game, ""),)
    if not why_no_die(text):
        return (text,)
    value = find(game.sheet, who, text.split(".")).value
    if value.deck:
        return (cards_left(text, value.deck, ()),)
    return tuple(die_with_symbols(one, game, "") if one in game.faces else one for one in value.choices)


def plan_in_words(plan: RollPlan) -> str:
    """Return what is rolled, for people: `3d6: Nerve`, `2d6 +1`, `6d10, 3 kept`, or `1d20, the better of two rolls`."""
    pool, reading = plan.pool, plan.reading
    dice, against = (dice_in_words([group for group in pool if group.against is side]) for side in (False, True))
    ours = sum(group.count for group in pool if not group.against)
    kept = reading.keep.count(ours) if reading.keep else ours
    dice = f"{dice}, {kept} kept" if kept < ours else dice or ("" if against else "no dice")
    dice += f", the {plan.twice} of two rolls" if plan.twice else ""
    labels = ", ".join(dict.fromkeys(group.label for group in pool if group.label and not group.against))
    plus = f" {reading.plus:+d}" if reading.plus else ""
    if against and not dice:  # A number alone, such as a progress of 7.
        dice, plus = f"{reading.plus}", ""
    return f"{dice}{plus}{f' against {against}' if against else ''}{f': {labels}' if labels else ''}"


def dice_in_words(groups: Iterable[DiceGroup]) -> str:
    """Return dice and cards, for people: `3d6 + 1d8`. Empty for none."""
    words = list[str]()
    for group in groups:
        cards = f"{group.count} cards" if group.count > 1 else "1 card"
        kind = parse_die(group.die)
        words.append(cards if kind.copies else f"{group.count}{' ' if kind.shows else ''}{kind.label}")
    return " + ".join(words)


def why_no_die(text: str) -> str:
    """Return why a text is not a die; empty if it is one."""
    try:
        if parse_die(text).used_for:
            return f"“{text[:20]}” is not a die: write {text.partition('-')[0]}"
    except NotDice as wrong:
        return str(wrong)
    return ""
