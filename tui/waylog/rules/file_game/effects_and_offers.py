"""Effects of game files: doing them, after moves and outcomes and as costs, or the reason why that is impossible; and offers as they are
typed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from waylog.rules.codec.changes import Path, format_path, quote, slug
from waylog.rules.codec.records import codec
from waylog.rules.common import clock_and_situation_moves
from waylog.rules.file_game.clauses import CONDITIONS, LIMITS, NOT_NOW
from waylog.rules.file_game.dice_throws_and_cards import TableDie, parse_die, roll_dice
from waylog.rules.file_game.game_file_format import ENDINGS, GameFile
from waylog.rules.file_game.named_values_and_conditions import (
    Chosen,
    FileMoment,
    Scope,
    ValuePlace,
    WrongPath,
    find,
    in_play,
    in_words,
    label_of,
    lasting_values,
    lists_of,
    places_in,
    read,
    thing_at,
    thing_path,
    things,
    values_of,
    values_with_limits,
)
from waylog.rules.file_game.roll_and_effect_format import (
    AMOUNT,
    DICE_OR_QUOTES,
    DOWN,
    TICK,
    TYPED,
    UP,
    EffectRule,
    EffectWords,
    WrongEffect,
    amount_words,
    dice_in,
    dice_of,
    is_clocks,
    parse_effect,
    parse_word,
)
from waylog.rules.file_game.sheet_types import GONE, NAME, has_marks, is_going, kind_of, new_thing, start_of
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice, DiceOfOdds, Die, EqualDice, Face
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import ActRefused, Move, Refusal
from waylog.rules.model.state import EffectOffer
from waylog.values import NamedTuple, replace

MARK, CLEAR = "mark", "clear"
WHO = "{who}"
"""Stands in the label of a move for whoever makes it."""
MOST_MARKED = 999
"""The most by which a value is marked or cleared in one act."""


def quote_phrase(name: str) -> str:
    """Return a name for a sentence: in quotation marks if it is a phrase, such as “A red parcel”."""
    return quote(name) if any(map(str.islower, name.split())) else name


def label_of_move(key: str, label: str, actor: str) -> str:
    """Return the name on screen of a move, with whoever makes it where its label says so."""
    return label_of(key, label).replace(WHO, quote_phrase(actor) or "somebody")


class MarkTarget(NamedTuple):
    """A value that may be marked and cleared."""

    words: tuple[str, ...]
    place: ValuePlace
    label: str


def targets(moment: FileMoment) -> Iterator[MarkTarget]:
    """Yield the values that may be marked. Where two lists have the same words, the name of the list comes first."""
    found = [*_targets_of_parts(moment)]
    words = Counter(target.words for target in found)
    for target in found:
        unique = words[target.words] == 1
        yield target if unique else target._replace(words=(target.place.path[0], *target.words))


def _targets_of_parts(moment: FileMoment) -> Iterator[MarkTarget]:
    parts = moment.game.sheet
    single = [key for part in parts.values() for key in part.values]
    for name, part in parts.items():
        for key, value in part.values.items():
            if has_marks(value):
                words = (key,) if single.count(key) == 1 else (name, key)
                yield MarkTarget(words, ValuePlace((name, key), value), label_of(key, value.label))
    for who in lists_of(parts):
        values = {key: value for key, value in values_of(parts, who).items() if has_marks(value)}
        inner = who.partition(".")[2]
        for word, keys in moment.things_by_word(who).items() if values else ():
            above, owner = thing_path(who, keys), moment.thing_name(who, keys)
            for key, value in values.items():
                words, place = (*((inner,) if inner else ()), word, key), ValuePlace((*above, key), value)
                label = label_of(key, value.label)
                whose = f"“{label}” for {quote_phrase(owner)}" if kind_of(value) == "flag" else f"{owner}'s {label}"
                yield MarkTarget(words, place, whose)


class Throws:
    """Rolls dice, and notes each throw."""

    def __init__(self, moment: FileMoment, dice: Dice, note: RollFact) -> None:
        """`note` is the fact of each throw, but for what the dice show."""
        self.moment, self.dice, self._note = moment, dice, note

    def __call__(self, wanted: Sequence[Die]) -> Sequence[Face]:
        return self.tell(self.dice.roll(wanted))

    def tell(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """Log the dice of an effect as a roll, and return them."""
        self.moment = self.moment.tells(replace(self._note, dice=faces, typed=self.dice.are_real))
        return faces


# -- what it does -----------------------------------------------------------------------------------------------------


def apply_all(moment: FileMoment, effects: Iterable[EffectRule], scope: Scope, source: str = "") -> FileMoment:
    """Apply effects in order, each on what those before it have left. What is offered comes from `source`, a path."""
    *_, after = moment, *after_each(moment, effects, scope, source)
    return after


def after_each(
    moment: FileMoment, effects: Iterable[EffectRule], scope: Scope, source: str = ""
) -> Iterator[FileMoment]:
    """Yield what `apply_all` comes to after each effect."""
    for effect in effects:
        scope = replace(scope, moment=moment)
        for one in scopes_of(effect, scope):
            one = replace(one, moment=moment)
            if not one.holds(effect.when):
                continue
            if effect.do:
                words = parse_effect(effect.do)
                moment = _apply(*_roll_dice(words, one), one)
                if added := _find_added(words, one):
                    scope = replace(scope, chosen={**scope.chosen, ADDED: added})
            if effect.say:
                moment = moment.says(effect.say)
            # What is done to a foe is still chosen by who acts; others of the same list, and whoever rolls, choose for themselves.
            theirs = format_path(thing_path(one.who, one.keys)) if effect.who else source
            at = theirs if one.who == scope.who else source
            if effect.move:
                moment = _do_move(moment, effect, one, at)
            if effect.roll:
                moment = _force_roll(moment, effect.roll, one, theirs)
            if effect.offer or effect.withdraw:
                is_roll = effect.offer.startswith("roll ") and not effect.one_of
                moment = _offer(moment, effect, one, theirs if is_roll else at)
        yield moment


def _offer(moment: FileMoment, effect: EffectRule, scope: Scope, source: str) -> FileMoment:
    """Take back a choice, if an effect says so, and offer what it offers."""
    offers = moment.offers
    if effect.withdraw:
        left = (offer for offer in offers if (offer.source, offer.one_of) != (source, effect.withdraw))
        offers = (*left, EffectOffer(source, one_of=effect.withdraw))
    take, takes = scope.number(effect.take, 1), scope.number(effect.takes, 1)
    if effect.offer and max(takes, 1) <= take:
        why = moment.thing_name(scope.who, scope.keys)
        rule, typed = moment.game.moves.get(effect.offer.partition(" ")[0]), as_typed(effect.offer, scope)
        if rule and rule.amount and effect.amount != "":
            there = Scope(moment, rule.who, scope.keys[: rule.who.count(".") + 1])
            least, most = (there.number(rule.amount[place]) for place in (0, -1))
            if (amount := scope.number(effect.amount)) < least:
                return replace(moment, offers=offers)
            typed = f"{typed} {min(amount, most)}"
        offer = EffectOffer(source, why, typed, asks=rule is not None, one_of=effect.one_of, take=take, takes=takes)
        offers = (*offers, replace(offer, required=effect.required, once=effect.once))
    return replace(moment, offers=offers)


_MOST_AGAIN = 5
"""How often in a row a roll can bring itself again, also by way of others."""
MOST_FOLLOW = 50
"""The most rolls that can follow in one act. Where each of nine people brings the others' rolls, and so on, there would be thousands."""


def _force_roll(moment: FileMoment, roll: str, scope: Scope, source: str) -> FileMoment:
    """Have a roll follow by itself. One that has brought itself again often enough is offered instead, and so is one after many others."""
    dice = moment.dice_of_move
    is_again = moment.after.count(roll) > (1 if isinstance(dice, DiceOfOdds) else _MOST_AGAIN)
    if not is_again and moment.followed < MOST_FOLLOW:
        forced = (*moment.forced, (roll, scope.keys, moment.after))
        return replace(moment, forced=forced, followed=moment.followed + 1)
    if isinstance(dice, DiceOfOdds):
        dice.is_cut = True
    why = moment.thing_name(scope.who, scope.keys)
    offer = EffectOffer(source, why, as_typed(f"roll {roll}", scope), asks=True)
    return replace(moment, offers=(*moment.offers, offer))


def _do_move(moment: FileMoment, effect: EffectRule, scope: Scope, source: str) -> FileMoment:
    """Do what a move of the game does, for who acts or the owner of what acts; say why if it is impossible."""
    rule = moment.game.moves[effect.move]
    there = Scope(moment, rule.who, scope.keys[: rule.who.count(".") + 1] if rule.who else (), inside=scope.inside)
    blocked = None if there.holds(rule.when) else Refusal(rule.refusal or NOT_NOW, rule.clause or CONDITIONS)
    # Nobody rolls for a move that can't be made.
    if rule.amount and not (blocked and any(dice_of(effect))):
        least, most = (there.number(rule.amount[place]) for place in (0, -1))
        moment, words = _roll_dice(amount_words(effect), scope)
        amount = scope.number(words.rest)
        if amount < least:
            return moment
        there = replace(there, moment=moment, names={(AMOUNT,): min(amount, most)})
    if blocked := blocked or refusal_of(rule.does, there):
        label = label_of_move(effect.move, rule.label, moment.thing_name(there.who, there.keys))
        return moment.says(f"{label}: {blocked.reason}", blocked.clause)
    return apply_all(moment, rule.does, there, source)


def with_moves(game: GameFile, effects: Iterable[EffectRule]) -> Iterator[EffectRule]:
    """Yield effects, and those of the moves that they bring. No move of a sound game brings itself."""
    for effect in effects:
        yield effect
        if effect.move:
            yield from with_moves(game, game.moves[effect.move].does)


ANY = "any"
"""The word in [after] for every outcome."""


def effects_after(game: GameFile, roll: str, outcome: str) -> tuple[EffectRule, ...]:
    """Return the effects of an outcome: its own, and then those of every outcome."""
    after = game.after.get(roll, {})
    return (*after.get(outcome, ()), *after.get(ANY, ()))


OTHERS, WHOM, ADDED = "others", "whom", "added"
"""To whom an effect is done: all of the list but who acts, who was chosen for a move, and what an effect before it has added to a list."""


def scopes_of(effect: EffectRule, scope: Scope) -> Iterator[Scope]:
    """Yield what formulas of an effect read, once for each thing that it is done to."""
    if not effect.who:
        yield scope
        return
    if effect.who in scope.chosen:
        who, found = scope.chosen[effect.who]
    elif effect.who == ADDED:  # Nothing was.
        return
    else:
        who = scope.who if effect.who == OTHERS else effect.who
        meant = (keys for keys, _ in things(scope.moment.sheet, who) if is_meant(who, keys, scope))
        found = tuple(keys for keys in meant if not (effect.who == OTHERS and keys == scope.keys))
    actor = scope.who, scope.keys
    yield from (replace(scope, who=who, keys=keys, actor=actor) for keys in found)


def is_meant(who: str, keys: Sequence[str], scope: Scope) -> bool:
    """Whether a thing of a list may be meant where somebody acts: of what people have, only what belongs to who acts."""
    owner, _, inner = who.partition(".")
    return not inner or owner != scope.who.partition(".")[0] or keys[0] == scope.keys[0] or len(keys) == 1


def as_typed(words: str, scope: Scope) -> str:
    """Return an offer as it is typed: `mark stress 2` for a value that it names as effects do, `tick job 2` for a clock of the game, and
    `roll resist mara` for a roll or a move by who acts, with the names of those who were chosen in place of `options.foe`. Any other stays
    as it is.
    """
    moment = scope.moment
    game, (verb, *rest) = moment.game, words.split() or ("",)
    rule = game.moves.get(verb) or (game.dice.get(rest[0]) if verb == "roll" and rest else None)
    if rule:
        words = " ".join(_chosen_words(words.split(), scope))
    if rule and rule.who and rule.who in (scope.who, scope.who.partition(".")[0]):
        actors, typed, at = moment.things_by_word(rule.who), words.split(), 2 if verb == "roll" else 1
        word = next((word for word, keys in actors.items() if keys == scope.keys[: len(keys)]), "")
        # The first name is that of who acts, but where somebody else is chosen too.
        is_named = word in typed or (typed[at : at + 1] and typed[at] in actors and not getattr(rule, "whom", ""))
        return words if is_named or not word else " ".join((*typed[:at], word, *typed[at:]))
    try:
        effect = parse_effect(words)
        if effect.verb == TICK and effect.names[0] in game.clocks:
            known = clock_and_situation_moves.clock_words(moment.clocks)
            word = next((word for word, key in known.items() if key == effect.names[0]), effect.names[0])
            return f"{TICK} {word} {scope.number(effect.rest, 1)}"
        path = find(game.sheet, scope.who, effect.names).of(scope.keys)
    except (WrongEffect, WrongPath):
        return words
    target = next((target for target in targets(moment) if target.place.path == path), None)
    if target is None or effect.verb in game.moves or effect.verb not in (*UP, *DOWN):
        return words
    number: tuple[str, ...] = ()
    if kind_of(target.place.value) != "flag":
        # Without a number, `mark` adds 1, and `clear` takes all away, as these verbs do in effects.
        least = moment.limits(target.place.value, path)[0] if target.place.value.range else 0
        by = (read(moment.sheet, path) or 0) - least if effect.verb == CLEAR else 1
        by = scope.number(effect.rest) if effect.rest else by
        number = (str(max(1, min(MOST_MARKED, by))),)
    return " ".join((MARK if effect.verb in UP else CLEAR, *target.words, *number))


def _chosen_words(words: Sequence[str], scope: Scope) -> Iterator[str]:
    """Yield words of an act, with what is typed for those who were chosen in place of what effects call these."""
    for word in words:
        if word in scope.chosen:
            who, chosen = scope.chosen[word]
            yield from (typed for typed, keys in scope.moment.things_by_word(who).items() if keys in chosen)
        else:
            yield word


def _roll_dice(words: EffectWords, scope: Scope) -> tuple[FileMoment, EffectWords]:
    """Return an effect with what its dice come to in their places, and the moment that says what they show. Where nothing is played,
    each die shows 1.
    """
    moment, found = scope.moment, [*dice_in(words)]
    if not found:
        return moment, words
    about: tuple[str, ...] = ()
    if words.verb == TICK:
        key = next((key for key in _clocks_meant(words, scope) if key in moment.clocks), None)
        if key is None:
            return moment, words
        clock = moment.clocks[key]
        what, secret, about = clock.name, not clock.seen, (f"clocks.{key}.filled",)
    elif words.verb == AMOUNT:
        rule = moment.game.moves[words.names[0]]
        label = label_of_move(words.names[0], rule.label, moment.thing_name(scope.who, scope.keys))
        what, secret = label, any(_is_secret(one, rule.who, moment) for one in rule.does)
    else:
        place = find(moment.game.sheet, scope.who, words.names)
        if read(moment.sheet, place.of(scope.keys)) is None:
            return moment, words
        what, secret = place.label, place.value.secret or moment.game.sheet[place.path[0]].secret
    wanted = [TableDie(die, 0, what) for count, die in found for _ in range(count)]
    who = moment.thing_name(scope.who, scope.keys) or what
    note = RollFact(who, (), typed=True, secret=secret or moment.hides(scope.who), about=about)
    throw = Throws(moment, moment.dice_of_move or EqualDice(1), note)
    # Dice of two terms don't mean the same: one may be subtracted.
    asked = [
        (f"{what} ({count if count > 1 else ''}{die})", term)
        for term, (count, die) in enumerate(found)
        for _ in parse_die(die).sides * count
    ]

    def ask(dice: Sequence[Die]) -> Sequence[Face]:
        each = zip(dice, asked, strict=True)
        return throw([replace(die, asked=words, role=(*die.role, term)) for die, (words, term) in each])

    faces = iter([die.face for die in roll_dice(wanted, ask)])

    def come_to(term: re.Match[str]) -> str:
        return str(sum(next(faces) for _ in range(int(term[1])))) if term[2] else term[0]

    rest = DICE_OR_QUOTES.sub(come_to, words.rest)
    return throw.moment, words._replace(rest=rest)


def _is_secret(effect: EffectRule, acting: str, moment: FileMoment) -> bool:
    """Whether an effect of a move of things of that list changes something that not all players see."""
    game = moment.game
    if effect.move:
        rule = game.moves[effect.move]
        return any(_is_secret(one, rule.who, moment) for one in rule.does)
    if not effect.do:
        return False
    words = parse_effect(effect.do)
    if words.verb == TICK:
        clock = moment.clocks.get(".".join(words.names))
        return clock is not None and bool(clock.seen_by or not clock.shows_count)
    # What was just added may be of any list.
    lists = lists_of(game.sheet) if effect.who == ADDED else (acting if effect.who in ("", OTHERS) else effect.who,)
    for who in lists:
        with suppress(WrongPath):
            place = find(game.sheet, who, words.names)
            if place.value.secret or game.sheet[place.path[0]].secret:
                return True
    return False


def _apply(moment: FileMoment, words: EffectWords, scope: Scope) -> FileMoment:
    scope = replace(scope, moment=moment)
    if words.verb == TICK:
        for key in _clocks_meant(words, scope):
            moment = _tick(moment, key, scope.number(words.rest, 1))
        return moment
    place = find(moment.game.sheet, scope.who, words.names)
    before = read(moment.sheet, place.of(scope.keys))
    if before is None:
        return moment
    if kind_of(place.value) == "each":
        path, name = _meant_thing(words, place, scope)
        thing = read(moment.sheet, path)
        if words.verb == "remove":
            thing = replace(thing, **{GONE: True}) if thing else None
        elif thing is None:
            added = codec(type(moment.sheet)).put(moment.sheet, path, new_thing(place.value.each, name))
            thing = read(added, path)
        elif is_going(place.value.each):
            thing = replace(thing, **{GONE: False})
        if thing is None:
            return moment
        after = moment.changes_list(place, path, thing)
        return _follow_limits(after, scope, _filled_by_limits(scope, after, path))
    if words.verb == "swap":
        other = find(moment.game.sheet, scope.who, tuple(words.rest.split(".")))
        theirs = read(moment.sheet, other.of(scope.keys))
        if theirs is None:
            return moment
        return change_value(replace(scope, moment=change_value(scope, place, theirs)), other, before)
    return change_value(scope, place, _after(words, place, before, scope))


def end_what_lasts(moment: FileMoment, until: str, roll: str = "", roller: Path = ()) -> FileMoment:
    """Return the moment with the values that last until this back at their start, and with those that fade with it 1 closer to it. After
    a roll, those are meant that the thing at the path `roller` has, or its owner, and those of single tables.
    """
    events = {until, f"{until} {roll}"}
    for declared, value, who in lasting_values(moment.game):
        ends = not events.isdisjoint(value.ends)
        for path, _ in places_in(moment.sheet, declared, who) if ends or not events.isdisjoint(value.fades) else ():
            depth = min(len(roller), len(path) - 1)
            if until == "roll" and who and (not depth or path[:depth] != roller[:depth]):
                continue
            now, start = read(moment.sheet, path), start_of(value)
            wanted = start if ends else now + (now < start) - (now > start)
            moment = change_value(Scope(moment), ValuePlace(path, value), wanted, f", {ENDINGS[until]}")
    return moment


def change_value(scope: Scope, place: ValuePlace, wanted: Any, remark: str = "") -> FileMoment:
    """Return the moment with a value changed as far as is legal, and with what follows if it has reached its limit."""
    path = place.of(scope.keys)
    if place.value.wraps and path not in scope.inside and wanted != read(scope.moment.sheet, path):
        return _begin_again(scope, place, path, wanted)
    before, now = read(scope.moment.sheet, path), _limit(scope.moment, place, path, wanted)
    # What a limit leads to is told by that; without it, nobody would see what is lost.
    is_lost = (
        kind_of(place.value) == "range" and not place.value.when_full and type(wanted) is int and before < now < wanted
    )
    remark = f" ({wanted - now} over the limit)" if is_lost else remark
    moment = scope.moment.changes(place, scope.keys, now, remark)
    if now == before:
        return moment
    reached = _filled_by_limits(scope, moment, path)
    if kind_of(place.value) == "range" and path not in scope.inside:
        least, most = scope.moment.limits(place.value, path)
        follows = place.value.when_full if now == most else place.value.when_empty if now == least else ()
        reached = [(path, follows), *reached]
    return _follow_limits(moment, scope, reached)


_AtLimit = tuple[Path, Sequence[EffectRule]]
"""The place of a value that has reached its limit, with what follows from that."""


def _filled_by_limits(scope: Scope, after: FileMoment, changed: Path) -> Sequence[_AtLimit]:
    """Return the values to which their highest number has fallen as another one changed."""
    found, before, others = list[_AtLimit](), scope.moment, {*scope.inside, changed}
    for declared, value, who in values_with_limits(after.game):
        for path, _ in places_in(after.sheet, declared, who) if value.when_full and not value.wraps else ():
            was, most = read(before.sheet, path), after.limits(value, path)[1]
            is_full = path not in others and read(after.sheet, path) == most
            if is_full and was is not None and was < before.limits(value, path)[1]:
                found.append((path, value.when_full))
    return found


def _follow_limits(moment: FileMoment, scope: Scope, reached: Iterable[_AtLimit]) -> FileMoment:
    """Do what follows where values have reached their limits. Within that, it doesn't follow again."""
    for path, effects in reached:
        there = Scope(moment, *thing_at(moment.game.sheet, path), inside=(*scope.inside, path))
        moment = apply_all(moment, effects, there, format_path(path))
    return moment


_MOST_ROUNDS = 50
"""How often a value begins again in one change. What is left over then is lost."""


def _begin_again(scope: Scope, place: ValuePlace, path: Path, wanted: int) -> FileMoment:
    """Return the moment with a value changed that begins again at its limit, with what follows each time. Where this moves the value or
    its limits, it goes on from there.
    """
    moment, value, over = scope.moment, place.value, 0
    rises, follows = bool(value.when_full), value.when_full or value.when_empty
    for _ in range(_MOST_ROUNDS):
        least, most = moment.limits(value, path)
        end = most if rises else least
        over = wanted - end
        if least == most or (over < 0 if rises else over > 0):
            break
        moment = _follow_limits(moment.changes(place, scope.keys, end), scope, [(path, follows)])
        now, (least, most) = read(moment.sheet, path), moment.limits(value, path)
        wanted = (now if now != end else least if rises else most) + over
    else:
        wanted -= over
    return change_value(replace(scope, moment=moment, inside=(*scope.inside, path)), place, wanted)


def _clocks_meant(words: EffectWords, scope: Scope) -> Sequence[str]:
    """Return the keys of the clocks that an effect ticks: that of the game, or those that were chosen."""
    name = ".".join(words.names)
    who, chosen = scope.chosen.get(name, ("", ()))
    return [key for (key,) in chosen] if is_clocks(who) else [name]


def _tick(moment: FileMoment, key: str, by: int) -> FileMoment:
    """Fill a clock, or empty it by a number below 0. One that the campaign doesn't have, or that can't move so far, stays as it is."""
    word = next(
        (word for word, meant in clock_and_situation_moves.clock_words(moment.clocks).items() if meant == key), None
    )
    if word is None:
        return moment
    try:
        clocks, facts = clock_and_situation_moves.play(moment.clocks, Move(TICK, (word,), ""), {"by": by})
    except ActRefused:
        return moment
    return replace(moment, clocks=clocks).tells(*facts)


def _meant_thing(words: EffectWords, place: ValuePlace, scope: Scope) -> tuple[tuple[str, ...], str]:
    """Return the path and the name of the thing that is added or removed: of the one that is named, or of the one that acts."""
    path = place.of(scope.keys)
    if not words.rest:
        return (*path, scope.keys[-1]), scope.keys[-1]
    name = _word(words, scope)
    there = read(scope.moment.sheet, path)
    alike = [key for key, thing in there.items() if slug(getattr(thing, NAME, "") or key) == slug(name)]
    if words.verb == "add" and words.rest == TYPED:  # Somebody has named it, so it is another one.
        alike = [key for key in alike if key not in dict(in_play(there))]
    shown = label_of(name, "") if name == slug(name) else name
    return (*path, alike[0] if alike else new_key(name, there)), shown


def _find_added(words: EffectWords, scope: Scope) -> Chosen | None:
    """Return the thing that an effect adds to a list, as what was chosen; None if it adds none."""
    if words.verb != "add" or kind_of((place := find(scope.moment.game.sheet, scope.who, words.names)).value) != "each":
        return None
    path, _ = _meant_thing(words, place, scope)
    who, keys = thing_at(scope.moment.game.sheet, (*path, NAME))
    return who, (keys,)


def _after(words: EffectWords, place: ValuePlace, before: Any, scope: Scope) -> Any:
    """Return the value that an effect leads to, before it is limited to what is legal."""
    kind = kind_of(place.value)
    if words.verb == "set":
        return scope.value(words.rest) if words.rest else start_of(place.value)
    if words.verb == "clear" and kind in ("tags", "deck"):
        return ()
    if kind == "tags":
        word = _word(words, scope)
        if words.verb == "add":
            return before if word in before else (*before, word)
        return tuple(tag for tag in before if tag != word)
    if kind == "flag":
        return words.verb in UP
    if words.verb == "fill":
        return scope.moment.limits(place.value, place.of(scope.keys))[1]
    if words.verb == "clear" and not words.rest and kind != "choices":
        return place.value.range[0] if kind == "range" else 0
    by = scope.number(words.rest, 1) * (1 if words.verb in UP else -1)
    if kind == "choices":
        words_in_order = place.value.choices
        at = words_in_order.index(before) if words_in_order and before in words_in_order else 0
        return words_in_order[max(0, min(len(words_in_order) - 1, at + by))]
    return before + by


def _word(words: EffectWords, scope: Scope) -> str:
    """Return the tag that an effect names: in quotes or not, or by a formula."""
    found = scope.names.get((words.rest,))
    return str(found) if found is not None else parse_word(words.rest)


def _limit(moment: FileMoment, place: ValuePlace, path: Path, value: Any) -> Any:
    """Return a legal value: a number within its range, a text that is one of the choices."""
    match kind_of(place.value):
        case "range":
            least, most = moment.limits(place.value, path)
            return max(least, min(most, value if type(value) is int else 0))
        case "number":
            return max(-(2**62), min(2**62, value)) if type(value) is int else 0
        case "flag":
            return bool(value)
        case "choices":
            return value if value in place.value.choices else start_of(place.value)
        case "tags":
            legal = place.value.choices
            return tuple(tag for tag in value if not legal or tag in legal) if isinstance(value, tuple) else ()
        case "deck":
            return tuple(value)
        case _:
            return str(value)


# -- whether it can be done -------------------------------------------------------------------------------------------


def refusal_of(
    effects: Iterable[EffectRule],
    scope: Scope,
    *,
    in_full: bool = False,
    left: dict[tuple[str, ...], int] | None = None,
) -> Refusal | None:
    """Return why effects can't be done. `spend` needs enough; with `in_full`, each effect needs room for all of it.

    `left` has the values that effects before these would leave, by their paths, and is brought up to date.
    """
    left = {} if left is None else left
    every = ((effect, one) for effect in effects if effect.do for one in scopes_of(effect, scope))
    for effect, one in every:
        words = parse_effect(effect.do)
        if not one.holds(effect.when) or not (in_full or words.verb == "spend") or words.verb in ("swap", TICK):
            continue
        place = find(one.moment.game.sheet, one.who, words.names)
        path = place.of(one.keys)
        now = left.get(path, read(one.moment.sheet, path))
        if now is None:
            return Refusal(f"there is no {place.label}", LIMITS)
        wanted = _after(words, place, now, one)
        possible = _limit(one.moment, place, path, wanted)
        short = words.verb == "spend" and kind_of(place.value) == "number" and wanted < 0
        if effect.partly and possible != now:
            wanted = possible
        if short or possible != wanted or (wanted == now and words.verb in (*UP, *DOWN)):
            return Refusal(_lack(place, now, wanted, one), place.value.clause or LIMITS)
        left[path] = wanted
    return None


def list_refusal(effects: Iterable[EffectRule], scope: Scope, by_answer: Iterable[EffectRule] = ()) -> Refusal | None:
    """Return why a thing or a tag that was chosen or typed can't be added to its list, or removed from it. `by_answer` are the effects
    of the answer itself: all of them being such is a refusal too.
    """
    for effect in effects:
        named = effect.do and (parse_effect(effect.do).rest,) in scope.names and scope.holds(effect.when)
        if named and (refusal := _list_lack(effect, scope)):
            return refusal
    alone = [_list_lack(effect, scope) for effect in by_answer if scope.holds(effect.when)]
    return alone[0] if alone and all(alone) else None


def _list_lack(effect: EffectRule, scope: Scope) -> Refusal | None:
    """Return why an effect would leave a list or tags of who acts as they are; None if it is no such effect."""
    words = parse_effect(effect.do) if effect.do and not effect.who else None
    if words is None or words.verb not in ("add", "remove"):
        return None
    place = find(scope.moment.game.sheet, scope.who, words.names)
    if kind_of(place.value) == "tags":
        name = _word(words, scope)
        is_there = name in (read(scope.moment.sheet, place.of(scope.keys)) or ())
    else:
        (*above, key), name = _meant_thing(words, place, scope)
        is_there = key in dict(in_play(read(scope.moment.sheet, above)))
    if is_there is (words.verb == "remove"):
        return None
    text = f"{place.label} already has “{name}”" if is_there else f"{place.label} has no “{name}”"
    return Refusal(text, place.value.clause or LIMITS)


def same_flag(label: str, now: Any) -> str:
    """Return why a flag can't be marked that is, or cleared that isn't."""
    return f"“{label}” {'is already' if now else 'is not'} marked"


def _lack(place: ValuePlace, now: Any, wanted: Any, scope: Scope) -> str:
    if kind_of(place.value) == "flag":
        return same_flag(place.label, now)
    if kind_of(place.value) == "choices":
        return f"{place.label} is already set to {in_words(now)}"
    is_range = kind_of(place.value) == "range"
    least, most = scope.moment.limits(place.value, place.of(scope.keys)) if is_range else (0, now)
    if wanted == now:
        return f"{place.label} would stay at {now}"
    if wanted > now:
        return f"{place.label} is {'already ' if now == most else ''}at {now} of {most}, so it can't go up by {wanted - now}"
    there, needed = now - least, now - wanted
    if not there and (least or needed == 1):
        return f"{place.label} is already at its minimum ({least})" if least else f"no {place.label} left"
    return f"not enough {place.label}: this needs {needed} ({there} left)"
