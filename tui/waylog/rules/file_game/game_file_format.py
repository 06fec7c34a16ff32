"""The format of `game.toml`: each class is a table of the file, each field one of its keys, and the texts say what it means.

A *formula* is a whole number, or a text such as "nerve + 1", "team.stress >= 5" or "not crew.mara.hurt". It may name

- a value of the thing that acts, by its key alone: `nerve`; for a thing that a person has, such as one of `crew.gear`, a value of
  that person too;
- a value of any other table, by its path: `team.stress`, `crew.mara.nerve`. If only one table that is not a list has such a
  value, its key is enough: `stress`;
- a house rule: `rules.critical == 'on'`;
- in a move, the number, the word and the text that were chosen: `amount`, `choose == 'bandage'`, `text`;
- in a roll, its options, its call, its other choices and its modifier: `options.help`, `call == 'daring'`,
  `pick.position == 'risky'`, `modifier`;
- of things that were chosen from a list, their values: `options.gear.damage`, and in a move `whom.armour`. The numbers of several are
  added up, and a text is that of the first; of none, a number is 0. A formula of [formulas] is a number of them too;
- after a roll, its result: `result`, and `outcome == 'bad'`; the `score`, which is what the dice come to with everything added, and what
  they show: `face`, `matches`, `ones`, `doubles`, and of cards the `suit` of the one drawn first. They look at the dice of whoever rolls,
  also those of options and of `more`; with `beats`, `matches` and `doubles` look at the other side's dice, and `face` without a die
  of one's own is 0;
- after a contest (a roll with `theirs`), what the other side's dice come to: `theirs.result`, `theirs.face`, `theirs.matches`,
  `theirs.ones` and `theirs.doubles`;
- after a roll, some of its dice alone, of either side, by their label. Of dice labelled Old gear: `ones.old_gear`,
  `matches.old_gear`, `doubles.old_gear`, their `highest.old_gear` and `lowest.old_gear` face, and `result.old_gear`, which is what they
  come to.

`crew.each.nerve` has the values of everybody in a list, also where one of them acts and `crew.nerve` is their own: `count(crew.each.out)`,
`count(crew.each.nerve > 2)`, `'android' in crew.each.class`. In `count`, a comparison is made for each of several values.

`gear.each.uses` has the values of all that whoever acts has in their list `gear`: `count(gear.each.uses > 0)`.
`crew.each.gear.each.uses` has those of what everybody has, and `ship.bays.each.uses` those of a list in a table.

`size(rank)` is the number of sides of a value whose choices are dice: 8 for d8.

`'cold' in scars` is true if a list of words has that word; for one of several words, write `call == 'calm' or call == 'daring'`. A
formula has at most 200 letters, and a number in it is at most 9999. What it comes to is at most 1,000,000. Only a plain
number can be divided by: `nerve // 2`. Parts of a longer formula can have names in `[formulas]`, and rolls with different calls can
share a formula that reads their calls.

An *effect* is an action in words: `mark PATH`, `clear PATH` and so on (see `EffectRule`).

Effects, rolls and spends are in `roll_and_effect_format`, and everything else is here. A `Flaw` is what `check.py` finds wrong in a file,
and `game_schema` tells editors what is right.
"""

# Annotations are evaluated as the module is imported, which takes a tenth of what their texts would take later.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Kinds
from waylog.rules.codec.records import RecordCodec
from waylog.rules.file_game.roll_and_effect_format import (
    TWICE_MEANS,
    EffectRule,
    Formula,
    RollRule,
    SpendRule,
    Twice,
    empty,
)
from waylog.rules.model.clocks_situations_and_timers import KINDS_IN_WORDS, ClockKind
from waylog.rules.model.panels import Rank, Tone
from waylog.values import Annotated, NamedTuple, dataclass

FORMAT = 1
"""The version of the format. A file with a higher number needs a newer Waylog."""

Start = Annotated[object, Kinds((int, str, bool, list, dict))]
"""The first value. The kind of the value decides what is legal."""
Table = Annotated[object, Kinds((dict,))]
"""A table whose keys are read later, because they depend on other parts of the file."""


ENDINGS = {
    "scene": "as the scene ends",
    "session": "as the session ends",
    "time": "as time passes",
    "roll": "after the roll",
}
"""What a value may last until, with the words for it behind a change."""


@dataclass(frozen=True, slots=True)
class ValueRule:
    """One value of the sheet. Exactly one of `range`, `number`, `flag`, `text`, `choices`, `tags`, `deck` and `each` sets its
    kind.
    """

    SCHEMA_NAME: ClassVar = "value"

    label: Annotated[str, "The name shown on screen (default: made from the key)"] = ""
    one: Annotated[str, "The singular, used after the number 1, such as Benny for a value called Bennies"] = ""
    about: Annotated[str, "What the value means. This is a comment in a new campaign file, and a note on screen"] = ""
    clause: Annotated[str, "The id of the rule that explains the value"] = ""
    range: Annotated[tuple[int, ...], "A track: a number within this range, such as [0, 9]"] = ()
    most: Annotated[
        Formula, "The highest value at the moment, if that depends on other values, such as 10 - count(wounded, shaken)"
    ] = ""
    least: Annotated[
        Formula,
        "The lowest value at the moment, if that depends on other values. If `least` is above `most`, `least` counts",
    ] = ""
    when_full: Annotated[
        tuple[EffectRule, ...], "Effects that follow when a range reaches its highest value, or when `most` falls to it"
    ] = ()
    when_empty: Annotated[tuple[EffectRule, ...], "Effects that follow when a range reaches its lowest value"] = ()
    wraps: Annotated[
        bool,
        "Whether a value, such as health in a game with wounds, starts again at the other end of its range when it reaches the limit that has effects. The rest of the change carries over, and the effects apply each time",
    ] = False
    ends: Annotated[
        tuple[str, ...],
        "When the value goes back to its start, such as a condition that lasts for a scene: scene (when the next scene begins), session (when the session ends), time (when time passes), roll (once its owner has made a roll) or roll NAME (once its owner has made that roll). After a roll, this comes before what [after] does",
    ] = ()
    fades: Annotated[
        tuple[str, ...],
        "When a range or a number moves 1 step closer to its start. It takes the same words as `ends`: { range = [0, 3], fades = ['roll'] } lasts for three rolls at most",
    ] = ()
    number: Annotated[int | None, "The starting value of a number without limits"] = None
    flag: Annotated[bool | None, "The starting value of a flag, which is true or false"] = None
    good: Annotated[
        bool | None,
        "Which value of a flag is the good one. The other is shown in colour. If this is left out, neither is",
    ] = None
    text: Annotated[str | None, "The starting value of a line of text"] = None
    choices: Annotated[tuple[str, ...], "The words that can be chosen"] = ()
    tags: Annotated[
        tuple[str, ...] | None, "The starting value of a list of words. With `choices`, only those words are allowed"
    ] = None
    deck: Annotated[
        Mapping[str, tuple[int, ...]],
        "A deck of numbered cards: the lowest and the highest number of each suit, such as hearts = [1, 13]. The value lists the cards "
        "that have been drawn. `clear` shuffles them in again",
    ] = empty()
    each: "Annotated[Mapping[str, ValueRule], 'A list of named things, such as gear: the values that each of them has']" = empty()
    start: Annotated[
        Start, "The value that a range or a choice starts with, or the things that a list contains at first"
    ] = ""
    moves: Annotated[
        bool, "Whether `mark` and `clear` are offered for this value, if it is a range, a number or a flag"
    ] = True
    setup: Annotated[
        Literal["auto", "first", "more", "play"],
        "When session zero asks for this value: first, more (at the end, as it can wait) or play (never, because it changes only in play). The default is play for values that `mark` and `clear` change, and first for the others",
    ] = "auto"
    secret: Annotated[bool, "Whether this is always hidden from players"] = False
    show: Annotated[
        Literal["auto", "pips", "text", "dice", "nowhere"], "How the value is drawn: ●●○, 2 of 5, dice, or not at all"
    ] = "auto"
    rank: Annotated[
        Rank, "How soon a small window leaves the value out: `about` is the first to go, `vital` the last"
    ] = Rank.PLAIN


@dataclass(frozen=True, slots=True)
class PartRule:
    """A table of the campaign file: with `values` there is one such table, with `each` a list of named ones."""

    label: Annotated[str, "The name shown on screen"] = ""
    about: Annotated[str, "What the table is for. This is a comment in a new campaign file"] = ""
    values: Annotated[Mapping[str, ValueRule], "The values of a single table, such as [team]"] = empty()
    each: Annotated[
        Mapping[str, ValueRule],
        "The values of each thing in a list, such as [crew.mara]. If there is a flag `gone`, things can be taken out of play",
    ] = empty()
    start: Annotated[Table, "The things in a new campaign, with their values, such as [sheet.crew.start.mara]"] = (
        empty()
    )
    place: Annotated[Literal["", "ship", "crew"], "The screen that shows the table (default for a list: crew)"] = ""
    secret: Annotated[
        bool,
        "Whether this is always hidden from players, along with the names, rolls and moves of the things in it. Players see only how those things affect others",
    ] = False


@dataclass(frozen=True, slots=True)
class ChoiceRule:
    """One answer to what a move asks."""

    label: Annotated[str, "The name shown on screen"] = ""
    does: Annotated[
        tuple[EffectRule, ...],
        "What this answer does, after the effects of the move. If one of the move's own effects depends on the answer, its formulas can use `choose`",
    ] = ()
    when: Annotated[Formula, "Applies only when this is true"] = ""
    refusal: Annotated[str, "The reason shown when this can't be chosen"] = ""


@dataclass(frozen=True, slots=True)
class MoveRule:
    """An action without a roll. Its name is the verb that is typed: `rest`, or `rest mara` if it says `who`."""

    label: Annotated[
        str,
        "The name shown on screen, such as Rest or Treat {who}'s wounds. {who} is whoever makes the move. Without it, the name follows in brackets",
    ] = ""
    log: Annotated[
        str,
        "What the log says once the move is made, such as Haul sold or {who} learned {choose}. {who} is whoever makes it. {choose}, {whom}, {amount}, {text} and the name of a pick are the answers. Without {who}, the name comes first (default: its `label`)",
    ] = ""
    who: Annotated[str, "Who or what makes this move: a list, such as crew, or crew.gear for people's gear"] = ""
    does: Annotated[tuple[EffectRule, ...], "The effects of the move, in order"] = ()
    amount: Annotated[
        tuple[Formula, ...],
        "The lowest and the highest number that can be typed as an answer. Formulas call the answer `amount`",
    ] = ()
    choose: Annotated[Mapping[str, ChoiceRule], "The answers to choose from. The player must choose one"] = empty()
    pick: Annotated[
        Mapping[str, Mapping[str, ChoiceRule]],
        "More questions, such as rank. The player must choose one answer to each. Formulas call the answer `pick.NAME`",
    ] = empty()
    whom: Annotated[
        str,
        "A list, such as crew: the player chooses one of its things, other than whoever acts. If people have such things of their own, only those of whoever acts can be chosen. Effects with who = 'whom' apply to it. With clocks, the player chooses one of the campaign's clocks; with clocks.push, one of its push clocks. `tick whom` then fills it",
    ] = ""
    text: Annotated[
        str,
        "Asks for a text, with this label, such as What is found. Formulas call the answer `text`, and so do effects such as `add clues text`",
    ] = ""
    when: Annotated[Formula, "Applies only when this is true"] = ""
    refusal: Annotated[str, "The reason shown when this can't be done"] = ""
    clause: Annotated[str, "The id of the rule that explains it"] = ""
    effect: Annotated[bool, "Whether clocks, cards and tables can have this move as an effect"] = True


CHOSEN = "choose"
"""The name in formulas of the answer to `choose`."""


def questions_of(rule: MoveRule) -> Mapping[tuple[str, ...], Mapping[str, ChoiceRule]]:
    """Return what a move asks to choose, by what formulas call the answer."""
    found: dict[tuple[str, ...], Mapping[str, ChoiceRule]] = {(CHOSEN,): rule.choose} if rule.choose else {}
    return found | {("pick", name): choices for name, choices in rule.pick.items()}


IN_LOG = r"\{([^{}]*)\}"
"""A name in braces in `log`."""


def names_in_log(rule: MoveRule) -> Sequence[str]:
    """Return the names that `log` may have in braces."""
    texts = (("who", rule.who), ("whom", rule.whom), ("amount", rule.amount), ("text", rule.text))
    return (*(name for name, asked in texts if asked), *(path[-1] for path in questions_of(rule)))


def effects_of(rule: MoveRule) -> Sequence[EffectRule]:
    """Return the effects of a move, with those of all its answers."""
    choices = (choice for answers in questions_of(rule).values() for choice in answers.values())
    return (*rule.does, *(effect for choice in choices for effect in choice.does))


@dataclass(frozen=True, slots=True)
class ClauseRule:
    """A rule in the author's words."""

    title: Annotated[str, "A few words"] = ""
    text: Annotated[str, "A few sentences, at most 240 characters"] = ""
    see: Annotated[tuple[str, ...], "The ids of related rules"] = ()
    chapter: Annotated[str, "The heading that the rule is listed under"] = ""


@dataclass(frozen=True, slots=True)
class ConditionRule:
    """A condition: Waylog works it out from values, and it changes rolls."""

    RENAMED: ClassVar = {"condition": "if"}

    condition: Annotated[
        Formula,
        "When it is true. If `rolls` names rolls, it can read what is chosen in all of them, such as call == 'climb'",
    ] = ""
    who: Annotated[str, "A list: Waylog checks the condition for each thing in it"] = ""
    rolls: Annotated[tuple[str, ...], "The rolls that it changes (default: all)"] = ()
    dice: Annotated[Formula, "How many dice it adds. A negative number removes dice"] = 0
    plus: Annotated[Formula, "What it adds to the result"] = 0
    twice: Annotated[Twice, TWICE_MEANS] = ""
    refuses: Annotated[str, "Stops these rolls from being made. This text is shown as the reason"] = ""
    about: Annotated[str, "The reason, shown as a sentence beside the odds"] = ""
    tag: Annotated[str, "A tag shown beside the name of the thing or table, such as Exposed"] = ""
    tone: Annotated[Tone, "The colour of the tag"] = Tone.WARN
    clause: Annotated[str, "The id of the rule that explains it"] = ""


@dataclass(frozen=True, slots=True)
class PanelRule:
    """A panel on screen. Tables of the sheet that no panel names get one of their own."""

    title: Annotated[str, "Its heading (default: the name of the table or the thing)"] = ""
    part: Annotated[str, "Which table of the sheet it shows (default: the panel's own key)"] = ""
    place: Annotated[Literal["", "ship", "crew"], "The screen that shows it"] = ""
    rows: Annotated[
        tuple[str, ...],
        "The values that it shows, in order: their keys, names of [formulas], or paths into other tables (default: all)",
    ] = ()
    secret: Annotated[bool, "Whether this is always hidden from players"] = False
    role: Annotated[str, "The value shown beside a name, such as job"] = ""
    order: Annotated[
        Formula,
        "For a list, the number by which its things are sorted, lowest first, such as initiative, or 0 - initiative for the highest first",
    ] = ""


@dataclass(frozen=True, slots=True)
class HouseRuleSwitch:
    """A switch that each group sets for itself. Formulas read it as `rules.NAME`."""

    about: Annotated[str, "What it decides"] = ""
    clause: Annotated[str, "The id of the rule that explains it"] = ""
    choices: Annotated[tuple[str, ...], "The words that can be chosen"] = ()
    flag: Annotated[bool | None, "The default of a house rule that is true or false"] = None
    range: Annotated[
        tuple[int, ...], "For a house rule that is a number, the lowest and the highest that can be set, such as [1, 3]"
    ] = ()
    default: Annotated[
        Start, "Its value if the group doesn't set one (default: the first choice or the lowest number)"
    ] = ""
    when: Annotated[
        Table,
        "Parts of the game that a value of this house rule replaces, such as [house_rules.NAME.when.VALUE.dice.action]",
    ] = empty()


@dataclass(frozen=True, slots=True)
class ClockRule:
    """A clock that a new campaign has. Effects tick it by its key."""

    label: Annotated[str, "Its name"] = ""
    kind: Annotated[ClockKind, KINDS_IN_WORDS] = ClockKind.CATASTROPHE
    segments: Annotated[Literal[4, 6, 8, 10, 12], "How many segments it has"] = 6
    ending: Annotated[str, "What happens in the story when it is full"] = ""
    secret: Annotated[bool, "Players don't see it at first"] = False
    when_full: Annotated[str, "An action that is offered when it is full"] = ""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A whole game."""

    format: Annotated[int, "The version of the format: 1"] = FORMAT
    id: Annotated[str, "Its id, used in campaign files: lower-case letters and hyphens"] = ""
    base: Annotated[
        str,
        "The id of the game that this one is based on. Its rules must be in a file, too. This game's file then has only the differences",
    ] = ""
    without: Annotated[
        tuple[str, ...], "The parts of that game to leave out, by their paths, such as dice.read or spend.push"
    ] = ()
    name: Annotated[str, "Its name, as people see it"] = ""
    about: Annotated[str, "One line about it, to help people choose a game"] = ""
    kind: Annotated[str, "How it uses dice, in a few words, such as a d20 and a bonus against a number"] = ""
    like: Annotated[
        tuple[str, ...], "Well-known games that use dice in the same way, for `waylog game new --like`"
    ] = ()
    sheet: Annotated[Mapping[str, PartRule], "The sheet: the tables of the campaign file"] = empty()
    formulas: Annotated[
        Mapping[str, Formula],
        "Formulas by name, such as insight = 'count(hunt > 0, study > 0)'. Other formulas use one like a value of whoever acts",
    ] = empty()
    faces: Annotated[
        Mapping[str, tuple[str, ...]],
        'The game\'s own dice, by name. Each die lists its faces, and each face its symbols, such as ["", "success", "success advantage"]. A roll with reading = "symbols" names one of these dice as its `die`',
    ] = empty()
    symbols: Annotated[
        Mapping[str, Mapping[str, int]],
        "What a symbol counts as (default: one of itself), such as failure = { success = -1 } or triumph = { success = 1, triumph = 1 }",
    ] = empty()
    dice: Annotated[Mapping[str, RollRule], "The rolls"] = empty()
    spend: Annotated[Mapping[str, SpendRule], "How people can change a roll once the dice are on the table"] = empty()
    after: Annotated[
        Mapping[str, Mapping[str, tuple[EffectRule, ...]]],
        "What each outcome of a roll does or offers, in [after.ROLL]. `any` lists effects that every outcome has, after its own",
    ] = empty()
    moves: Annotated[Mapping[str, MoveRule], "Actions without a roll"] = empty()
    clocks: Annotated[Mapping[str, ClockRule], "The clocks of a new campaign"] = empty()
    when: Annotated[Mapping[str, ConditionRule], "Conditions, which Waylog works out from values"] = empty()
    panels: Annotated[Mapping[str, PanelRule], "The panels on the screens"] = empty()
    clauses: Annotated[Mapping[str, ClauseRule], "The rules in words, by id"] = empty()
    house_rules: Annotated[Mapping[str, HouseRuleSwitch], "What each group can decide for itself"] = empty()


# -- what is in a file, and what may be wrong in it ------------------------------------------------------------------

Path = tuple[str, ...]


def values_in(game: GameFile) -> Iterator[tuple[Path, ValueRule, str]]:
    """Yield every value of the sheet with its place in the file, and the list whose things have it; empty for a single table."""
    for key, part in game.sheet.items():
        inside = ("sheet", key, "each" if part.each else "values")
        for name, value in (part.each or part.values).items():
            yield (*inside, name), value, key if part.each else ""
            yield from (((*inside, name, "each", one), below, f"{key}.{name}") for one, below in value.each.items())


class Flaw(NamedTuple):
    """Something that is wrong in a game file, and what would be right."""

    path: Path
    """The place in the file. Items of a list are named by their numbers."""
    message: str
    at_key: bool = False
    """The key is wrong, not the value."""
    within: int = 0
    """The column within a text, counted from 1; 0 for the text as a whole."""


def did_you_mean(word: str, known: Sequence[str], kind: str) -> str:
    """Return the second sentence of a message: the word that was probably meant, or those that there are."""
    from waylog.rules.language.similar_names import nearest  # Only a mistake needs this module.

    if close := nearest(word, known):
        return f"Did you mean `{close}`?"
    shown = ", ".join(known[:16]) + (" …" if len(known) > 16 else "")
    return f"The {kind} are {shown}" if known else f"There are no {kind}"


def there_is_no(kind: str, word: str, known: Iterable[str], where: str = "") -> str:
    """Return a message about a word that means none of those that there are, and which one was probably meant."""
    return f"there is no {kind} `{word[:40]}`{where}. {did_you_mean(word, [*dict.fromkeys(known)], f'{kind}s')}"


def game_schema() -> dict[str, Any]:
    """Return the JSON Schema of a `game.toml`, for editors and for the reference."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Waylog game",
        **RecordCodec(GameFile).schema(),
        "anyOf": [{"required": ["id", "name", "sheet"]}, {"required": ["base"]}],
        "$defs": {ValueRule.SCHEMA_NAME: RecordCodec(ValueRule).whole_schema()},
    }
