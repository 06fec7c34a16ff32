"""The part of the format of `game.toml` that is about rolls: effects, which follow from rolls and are their prices, and the words that an
effect is written in; rolls with their dice, outcomes and options; and what may be spent on them. `game_file_format` says what formulas and
effects are.
"""

# Annotations are evaluated as the module is imported, which takes a tenth of what their texts would take later.

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Kinds
from waylog.rules.model.facts import OutcomeGrade
from waylog.values import Annotated, NamedTuple, dataclass, field

MOST_DICE = 20
"""The most dice in a pool, those of the other side and those that are added later included."""
MOST_EXPLOSIONS = 5
CLOCKS = "clocks"
"""The word for the campaign's clocks where a list of things to choose from is named: all, or those of a kind, `clocks.push`."""
Formula = Annotated[object, Kinds((int, str, bool))]
"""A whole number, or a text that works one out; "" if there is none."""
Twice = Literal["", "better", "worse"]
TWICE_MEANS = "The whole roll is made twice, and the better or the worse outcome counts. If the outcomes are the same, the first roll counts. “better” in one place and “worse” in another cancel each other out"


def empty() -> Any:
    """Return the default of a table of named things: one without any."""
    return field(default_factory=dict)


def is_clocks(who: str) -> bool:
    """Whether a list to choose from is that of the campaign's clocks."""
    return who.partition(".")[0] == CLOCKS


@dataclass(frozen=True, slots=True)
class EffectRule:
    """An effect, as an action in words. A text alone is `do`.

    `mark PATH [BY]` adds to a number or makes a flag true. `clear PATH [BY]` takes away BY, or everything without BY; a flag becomes
    false; a choice goes to the next word of its list, or to the one before; a deck is shuffled, and a list of words is emptied. `gain`,
    `lose` and `spend` are the same for numbers, by 1 without BY; `spend` is impossible if there is not enough. `fill PATH` sets a
    number to its highest value. `set PATH to FORMULA` sets any value but a list. `swap PATH PATH` exchanges two values. `add PATH WORD`
    and `remove PATH WORD` change tags. In a list of things, `add PATH NAME` adds a thing of that name, unless one is in play already,
    and `remove PATH NAME` takes one out of play; without NAME, the thing that acts. A NAME of several words is put in single quotation
    marks. What is removed stays in the campaign file with `gone = true`, so the list needs `gone = { flag = false }`. `tick CLOCK [BY]`
    fills a clock of `[clocks]`, as long as the campaign has it, or the clocks that were chosen: `tick options.project 2` after a roll,
    `tick whom 2` in a move. BY is a formula; in an offer of a tick, a number. There can be dice in it, such as `lose stress 1d5` or
    `gain hurt max(0, 2d10 - armour)`: Waylog rolls them, or takes the real dice. Prices and offers have none.

    Effects are done in order: a formula, also in `when`, reads the values that the effects before it have left. An effect that finds
    a number at its limit, or a tag that is there already, changes nothing and says nothing. What goes over a limit is lost, and the log
    says how much.

    By hand, only `mark` and `clear` exist, for numbers and flags. Both change a number by 1 if no other number is typed: `clear
    stress` takes 1 away, and `clear stress 3` takes 3.
    """

    SHORT: ClassVar = "do"

    do: Annotated[str, "A change to a value of the sheet, such as mark stress 2"] = ""
    offer: Annotated[
        str,
        "An action to offer afterwards: a change to a value, a clock, a card or a table, such as tick alarm, or a move or roll of this game, such as roll resist. If it names nobody, it is for whoever acts. `options.foe` in it stands for whoever was chosen, as in roll damage options.foe. When somebody takes the offer, Waylog asks for anything that the action leaves open. Taking the same action by hand uses up the offer",
    ] = ""
    one_of: Annotated[
        str,
        "The name of a choice between offers, such as reward. People see it on screen, as in “no reward”. A person can take as many of these offers as `take` allows, or none with `skip`. New offers replace older ones with the same name. Offers to things in another list, such as a foe that was hit, belong to the choice of whoever acts",
    ] = ""
    take: Annotated[
        Formula,
        "The most offers of this `one_of` that can be taken, such as 2 or result - 1. If this is below 1, nothing is offered",
    ] = 1
    takes: Annotated[Formula, "How much of `take` this offer uses up. It is offered only while that much is left"] = 1
    required: Annotated[
        bool,
        "Whether the player must take one of the offers in this `one_of`. If so, there is no `skip`, and the offers stay until one is taken",
    ] = False
    once: Annotated[
        bool,
        "Whether taking this offer takes back the same offer in the other choices of the same person, such as a critical injury for advantage or for a triumph",
    ] = False
    withdraw: Annotated[
        str,
        "The name of a choice in `one_of`: for example, a consequence that somebody resists. All that it offers the same person disappears",
    ] = ""
    say: Annotated[str, "A line for the log"] = ""
    roll: Annotated[
        str,
        "A roll that follows automatically once everything else is done, such as panic. The same person or thing makes it, or else the owner of the thing. It uses the default answers. A roll can lead to itself again, even through other rolls, such as panic, a save and panic again. This happens at most five times in a row, and at most 50 rolls follow one action. After that, the roll is only offered",
    ] = ""
    move: Annotated[
        str,
        "A move of this game whose effects happen at once, such as hurt. The same person or thing makes it, or else the owner of the thing. If the move can't be made at that point, the log says why. A move that needs a number gets `amount`. A move that asks anything else can only be offered",
    ] = ""
    amount: Annotated[
        Formula,
        "The number that the move gets, or the offered move, such as result. If it is too high, the move uses its highest number. If it is too low, nothing happens",
    ] = ""
    who: Annotated[
        str,
        "Who gets the effect, instead of whoever acts. It can be a list, such as crew, for everybody in it; or others, for everybody else in the list of whoever acts. It can also be options.NAME, for what was chosen with an option; whom, for whoever was chosen for a move; together, for all who made a roll that a group can make; or added, for the thing that an earlier effect added to a list. The effect happens once for each of them, with that one's values in its formulas",
    ] = ""
    partly: Annotated[bool, "In a cost, whether paying part of this is enough. A track then stops at its limit"] = False
    when: Annotated[Formula, "Applies only when this is true"] = ""


@dataclass(frozen=True, slots=True)
class DiceOf:
    """More dice in a roll."""

    dice: Annotated[Formula, "How many"] = 1
    die: Annotated[str, "Which die, as in the roll's `die`. It can be a deck of cards too"] = "d6"
    label: Annotated[
        str, "What these dice are for, such as help. Formulas and outcomes can then look at these dice on their own"
    ] = ""
    when: Annotated[Formula, "Applies only when this is true"] = ""
    against: Annotated[
        bool,
        "Whether these are the other side's dice. Their result is subtracted from the roll's. With `beats`, the score is compared with each of these dice instead",
    ] = False


@dataclass(frozen=True, slots=True)
class TheirsRule:
    """The other side's numbers, in a contest. Its dice are read as one's own are, and by themselves: nothing is subtracted, so `from` and
    `to` are for one's own result, and the `when` of an outcome compares the two sides.
    """

    target: Annotated[Formula, "The target for `count`, `count-under` and `under`, such as options.foe.skill"] = 0
    plus: Annotated[Formula, "What is added to the result of the other side's dice"] = 0


@dataclass(frozen=True, slots=True)
class NoDice:
    """The dice to roll if a pool has none."""

    dice: Annotated[
        int,
        "How many dice. In a roll that counts dice or adds them up, this can be 0. Then nothing is rolled, and the result is 0",
    ] = 2
    die: Annotated[str, "Which die (default: the roll's own)"] = ""
    reading: Annotated[
        Literal["", "highest", "lowest", "sum", "count", "count-under", "match", "under", "beats"],
        "How they are read, as in the roll's `reading`. In a roll that counts dice, `lowest` looks only at the lowest die, so every die must reach the target, and `highest` looks only at the highest die",
    ] = "lowest"
    best: Annotated[
        str,
        "The best outcome that these dice can give (default: any). A spend with `step` or `grade` can still make it better",
    ] = ""
    about: Annotated[str, "The reason, shown as a sentence beside the odds"] = ""


@dataclass(frozen=True, slots=True)
class ExplodeRule:
    """Dice that show a high face bring more dice."""

    at: Annotated[int, "The lowest face that adds another die (0 means the highest face of each die)"] = 0
    times: Annotated[int, "How many times in a row a die can be added, from 1 to 5"] = 1
    adds: Annotated[
        bool, "Whether the face of the new die is added to that of the old one. If not, the new die counts on its own"
    ] = False

    def bursts(self, top: int, face: int) -> bool:
        """Whether a die that was just rolled brings another. `top` is its highest face."""
        return face >= (self.at or top)


@dataclass(frozen=True, slots=True)
class PaidRule:
    """A price for an outcome, without a roll. `pay NAME` pays it, or `pay NAME mara`."""

    label: Annotated[str, "The name shown on screen"] = ""
    cost: Annotated[tuple[EffectRule, ...], "The cost: effects that must all be payable in full"] = ()
    outcome: Annotated[str, "The outcome that it buys, which must be one of the roll's outcomes"] = ""
    when: Annotated[Formula, "Applies only when this is true and the roll itself can be made"] = ""
    refusal: Annotated[str, "The reason shown when this can't be done"] = ""


@dataclass(frozen=True, slots=True)
class BandRule:
    """An outcome, and the results that have it. The last band that fits counts; if none does, the first."""

    RENAMED: ClassVar = {"least": "from", "most": "to"}

    outcome: Annotated[str, "What it is called in the log and in [after]"] = ""
    label: Annotated[str, "The name shown on screen (default: its `outcome`)"] = ""
    grade: Annotated[
        OutcomeGrade,
        "fiasco, drawback, success or critical. This decides the outcome's colour and which clocks it fills",
    ] = OutcomeGrade.SUCCESS
    least: Annotated[Formula, "The lowest result (default: no lower limit)"] = ""
    most: Annotated[Formula, "The highest result (default: no upper limit)"] = ""
    face: Annotated[
        tuple[int, ...],
        "The range that the number on the dice must be in, before anything is added, such as [1, 3]. In a roll that counts dice, the highest face must be in it",
    ] = ()
    matches: Annotated[
        int,
        "At least this many dice show the same face. With `highest` and `lowest`, that must be the face that counts. With `beats`, it must be on dice that the score is compared with. Otherwise, it can be any face",
    ] = 0
    ones: Annotated[int, "At least this many dice show 1"] = 0
    doubles: Annotated[bool, "Two dice show the same face, or both digits of a d66 or d100 are the same"] = False
    all_equal: Annotated[bool, "All dice show the same face"] = False
    of: Annotated[
        str,
        "The label of some of the roll's own dice, such as gear, written in lower case, with _ in place of spaces and punctuation. Then `face`, `matches`, `ones`, `doubles` and `all_equal` look only at these dice, whether they are kept or not",
    ] = ""
    when: Annotated[
        Formula,
        "Applies only when this is true of the dice and of values of the sheet, such as result >= 0 and face > theirs.face, or doomed and result > 0. Of the roll's own dice, it can read `result`, `face`, `matches`, "
        "`ones` and `doubles`, and in a roll with `theirs` the same of the other side's, such as `theirs.result`. Of dice with a label, it can read all but the result: `ones.gear == 0`",
    ] = ""


@dataclass(frozen=True, slots=True)
class RollOption:
    """Something that may be chosen for a roll, or one of several ways to make it. What it says of the dice and the outcomes replaces
    what the roll says.
    """

    label: Annotated[str, "The name shown on screen"] = ""
    who: Annotated[
        str,
        "A list, such as crew.gear: each thing in it becomes an option. If people have things of their own, only the roller's are options. Formulas and costs can use the values of the thing. With clocks, each clock in the campaign that isn't closed is an option. With clocks.push, each push clock is. `tick options.NAME` fills the one that was chosen, and formulas can use its `filled`, `segments` and `kind`",
    ] = ""
    most: Annotated[Formula, "How many things from the list can be chosen (default: all)"] = ""
    dice: Annotated[Formula, "How many dice it adds. A negative number removes dice"] = 0
    dice_label: Annotated[
        str, "What these dice are for, such as Gear. Formulas and outcomes can then look at these dice on their own"
    ] = ""
    against: Annotated[bool, "Whether the dice that it adds go to the other side"] = False
    plus: Annotated[Formula, "What it adds to the result"] = 0
    pool: Annotated[Formula, "How many dice to roll, in place of the roll's `pool`"] = ""
    die: Annotated[
        str,
        "Which dice to roll, instead of the roll's own. With `dice_label` or `against`, which dice to add. This can also be a value of the thing, if the choices of that value are dice",
    ] = ""
    target: Annotated[Formula, "The target, in place of the roll's `target`"] = ""
    keep_highest: Annotated[Formula, "How many of the highest dice count, in place of the roll's `keep_highest`"] = ""
    keep_lowest: Annotated[Formula, "How many of the lowest dice count, in place of the roll's `keep_lowest`"] = ""
    twice: Annotated[Twice, TWICE_MEANS] = ""
    bands: Annotated[tuple[BandRule, ...], "The outcomes, in place of the roll's `bands`"] = ()
    about: Annotated[str, "What it means, shown as a sentence beside the odds"] = ""
    cost: Annotated[tuple[EffectRule, ...], "Its price: effects that must all be payable in full"] = ()
    when: Annotated[Formula, "Applies only when this is true"] = ""
    refusal: Annotated[str, "The reason shown when this can't be chosen"] = ""
    default: Annotated[
        Formula,
        "While this is true, this answer is the default, such as ship.alarm == 6 (default: the first answer is). In a group, each has the "
        "default of their own values, unless the leader gives another answer. Only for `calls` and `pick`",
    ] = ""

    required: Annotated[
        bool,
        "Whether the player must choose: at least one thing from the list in `who`, or an answer in `calls` or `pick` if any of those is `required`. There is then no default answer, and other rolls can only offer this roll. An option whose `when` depends on other choices is required only when it is possible",
    ] = False

    @property
    def changes_roll(self) -> bool:
        """Whether it changes the dice, how they are read, or the outcomes."""
        changes = (self.pool, self.die, self.target, self.keep_highest, self.keep_lowest, self.twice)
        return self.dice != 0 or self.plus != 0 or any(one != "" for one in changes) or bool(self.bands)

    @property
    def is_apart(self) -> bool:
        """Whether the dice that it adds are not of the pool: they have a label of their own, or are the other side's."""
        return self.against or bool(self.dice_label)


@dataclass(frozen=True, slots=True)
class GroupRule:
    """Several make a roll together: `group NAME mara joss`, where Mara leads. What is chosen counts for each of them, and each
    pays for it; `push-joss` is for Joss alone. Effects with who = 'together' are for all who made this roll.
    """

    counts: Annotated[
        Literal["best", "half", "worst", "each"],
        "Which outcome the leader gets: the best, the best that at least half the group reaches, or the worst. With `each`, everyone keeps their own outcome",
    ] = "best"
    rolls: Annotated[
        tuple[str, ...],
        "Other rolls that can join this one, such as send, which cohorts make. The leader makes this roll, and each of the others makes the roll of their own list. The leader's choices count in rolls that have the same choice; in others, the default counts. The outcomes of such a roll must have the same names as this roll's",
    ] = ()
    outcomes: Annotated[tuple[str, ...], "The outcomes that the leader pays for if others in the group get them"] = ()
    leader: Annotated[
        tuple[EffectRule, ...], "What the leader pays for each such outcome: effects, such as mark stress"
    ] = ()
    own: Annotated[bool, "Whether the leader also pays if they get such an outcome themselves"] = False
    rank_by: Annotated[
        tuple[str, ...],
        "With `each`, the formulas that decide who comes first. Whoever has the highest value of the first formula, such as result, comes first. Ties are broken by the next formula, such as symbols.advantage. The log tells the order, and the odds how likely each is to be first",
    ] = ()
    own_effects: Annotated[
        bool,
        "Whether each person gets what [after] says about their own outcome. Waylog then also shows the outcome that counts for all, which has only the effects in `together`",
    ] = False
    together: Annotated[
        Mapping[str, tuple[EffectRule, ...]],
        "With `own_effects`, what the outcome that counts for all does as well, such as { done = ['tick door'] }",
    ] = empty()


@dataclass(frozen=True, slots=True)
class RollRule:
    """A roll. `roll NAME` makes it, or `roll NAME mara` if it says `who`."""

    base: Annotated[
        str,
        "Another roll in this file, to copy from. Every key that is missing here, except the label, is taken from that roll, and so is what each outcome does, if this roll has that outcome. Its own `options` and `pick` are added to those of that roll, or replace the one of the same name. In its [after], any = [] leaves out what every outcome does there",
    ] = ""
    without: Annotated[
        tuple[str, ...],
        "What is not taken from the base: keys, such as group or modifier, or one of its options or choices, such as options.help",
    ] = ()
    label: Annotated[str, "The name shown on screen"] = ""
    about: Annotated[str, "What the roll is for"] = ""
    who: Annotated[str, "Who or what makes it: a list, such as crew, or crew.gear for people's gear"] = ""
    pool: Annotated[Formula, "How many dice (at most 20 are rolled)"] = 1
    die: Annotated[
        str,
        "Which die: d2 to d20, d66, d100 (00 on percentile dice means 100), dF for Fate dice, or the name of a die in [faces]. It can also be a value whose choices are dice, such as rank, or one that is a deck of cards",
    ] = "d6"
    dice_label: Annotated[
        str,
        "What the dice are for (default: the name of the roll). Formulas and outcomes can look at these dice on their own",
    ] = ""
    more: Annotated[tuple[DiceOf, ...], "More dice, of the same or another kind"] = ()
    theirs: Annotated[
        TheirsRule | None,
        "In a contest, the other side's own numbers. If this is left out, the result of the other side's dice is subtracted",
    ] = None
    none: Annotated[
        NoDice | None, "The dice to roll when the pool is empty. Without them, an empty pool can't be rolled"
    ] = None
    reading: Annotated[
        Literal["highest", "lowest", "sum", "count", "count-under", "match", "under", "beats", "symbols"],
        "How the dice become one number: the highest or lowest face, the sum, the number of dice that show `target` or more (or `target` or less), the size of the largest matching set, how far the sum is under `target`, or how many of the other side's dice the sum beats. With symbols, dice of [faces] are rolled, and the symbol named in `symbol` is counted",
    ] = "highest"
    symbol: Annotated[
        str,
        'With reading = "symbols", the symbol whose total is the result (default: the first one in [symbols], or else in [faces]). Formulas can read the total of every symbol, such as `symbols.advantage`',
    ] = ""
    target: Annotated[Formula, "The target for `count`, `count-under` and `under`"] = 0
    plus: Annotated[Formula, "What is added to the result of the dice"] = 0
    cap: Annotated[Formula, "The highest that the result can be, with everything added"] = ""
    blank: Annotated[Formula, "The face that counts as 0 when dice are added up"] = ""
    worth: Annotated[
        Mapping[str, int],
        "Where dice are counted, the faces that count as a number other than 1 or 0, such as { 1 = -1, 10 = 2 }. They are the same for all dice and cards of the roll, also the other side's. Fate dice can't have them",
    ] = empty()
    keep_highest: Annotated[Formula, "How many of the highest dice count (default: all)"] = ""
    keep_lowest: Annotated[Formula, "How many of the lowest dice count (default: all)"] = ""
    drop_highest: Annotated[int, "How many of the highest dice to drop"] = 0
    drop_lowest: Annotated[int, "How many of the lowest dice to drop"] = 0
    twice: Annotated[Twice, TWICE_MEANS] = ""
    twice_by: Annotated[
        Literal["outcome", "result"],
        "What decides which roll counts when this is made twice, whatever has it made twice. With result, the better one is the one with the higher result, as for damage; its outcomes can then look only at the result",
    ] = "outcome"
    reroll: Annotated[tuple[int, ...], "Faces that are rerolled once"] = ()
    explode: Annotated[ExplodeRule | None, "When a die adds another die"] = None
    bands: Annotated[tuple[BandRule, ...], "The outcomes"] = ()
    options: Annotated[Mapping[str, RollOption], "What a player can choose. Formulas call a choice `options.NAME`"] = (
        empty()
    )
    calls: Annotated[
        Mapping[str, RollOption], "Ways to make the roll. The player chooses one, and the first is the default"
    ] = empty()
    pick: Annotated[
        Mapping[str, Mapping[str, RollOption]],
        "More choices, such as position. The player picks one answer to each, and the first is the default. Formulas call the answer `pick.NAME`. No two answers and options of a roll can have the same word",
    ] = empty()
    group: Annotated[GroupRule | None, "How several people roll together"] = None
    instead: Annotated[PaidRule | None, "A price for an outcome, without a roll"] = None
    modifier: Annotated[
        tuple[int, ...],
        "The lowest and the highest number that can be typed as an answer. Formulas call the answer `modifier`",
    ] = ()
    clocks: Annotated[
        bool,
        "After the roll, Waylog offers to fill clocks according to its grade, and the roll can be made on a clock. If false, or if one of its options has who = 'clocks', only effects tick clocks",
    ] = True
    hidden: Annotated[
        bool,
        "Players see neither the dice nor the outcome, and the log tells them nothing of its effects. They do see new values on the sheet, except those with secret = true. Nothing can be spent on such a roll. Right after it, pressing `v` in the app shows them the outcome",
    ] = False
    offered: Annotated[
        bool,
        "Whether people can choose to make this roll. If false, it only follows from an effect with `roll` or `offer`, and isn't listed among the rolls",
    ] = True
    when: Annotated[Formula, "Applies only when this is true"] = ""
    refusal: Annotated[str, "The reason shown when this can't be done"] = ""
    clause: Annotated[str, "The id of the rule that explains it"] = ""

    def answers(self) -> Iterator[RollOption]:
        """Yield all that may be chosen for it."""
        for ways in (self.options, self.calls, *self.pick.values()):
            yield from ways.values()

    @property
    def is_on_clocks(self) -> bool:
        """Whether it can be made on clocks, which its grade fills."""
        return self.clocks and not self.hidden and not any(is_clocks(option.who) for option in self.options.values())


@dataclass(frozen=True, slots=True)
class SpendRule:
    """What may be done to a roll that is on the table. Exactly one of `raise`, `plus`, `reroll`, `dice`, `step`, `grade` and `score` is
    set, or `reroll` and `dice` together: then the dice that are rerolled and those that are added are rolled at once.
    """

    RENAMED: ClassVar = {"raises": "raise"}

    label: Annotated[str, "The name shown on screen"] = ""
    rolls: Annotated[tuple[str, ...], "The rolls that this can be used on (default: all)"] = ()
    who: Annotated[
        str,
        "A list, such as crew. Anybody in it except the roller can do this, and then pays for it. With crew.gear, each thing that the roller has can do it: gear that lets its owner reroll. Formulas and costs can use the values of that person or thing",
    ] = ""
    cost: Annotated[
        tuple[EffectRule, ...], "The cost: effects that must all be payable in full, such as spend focus 1"
    ] = ()
    limit: Annotated[int, "How often each person can do this for one roll (0 means as often as they can pay)"] = 0
    outcomes: Annotated[tuple[str, ...], "Only while the roll has one of these outcomes"] = ()
    raises: Annotated[int, "How much to add to one die, up to its highest face"] = 0
    plus: Annotated[int, "How much to add to the result"] = 0
    reroll: Annotated[
        Literal["", "one", "lowest", "all"], "Which dice are rerolled: one that the player chooses, the lowest, or all"
    ] = ""
    faces: Annotated[tuple[int, ...], "Only dice that show a face in this range can be rerolled, such as [1, 2]"] = ()
    again: Annotated[bool, "Whether a rerolled die can be rerolled again"] = False
    against: Annotated[
        bool,
        "Whether this rerolls the other side's dice instead of the roller's own. The odds leave this out, and say so",
    ] = False
    both: Annotated[
        bool,
        "Whether this rerolls dice of both sides: all of them, or one of either side that the player chooses. The odds leave this out, and say so",
    ] = False
    keep_better: Annotated[bool, "Whether the old dice still count if the reroll makes the outcome worse"] = False
    accept: Annotated[
        tuple[str, ...],
        'With `keep_better`, the outcomes that count when they are rolled, even if the other roll is better, such as ["wreck"]',
    ] = ()
    dice: Annotated[int, "How many more dice to roll"] = 0
    die: Annotated[str, "Which die (default: the roll's own)"] = ""
    dice_label: Annotated[
        str,
        "What the added dice are for, such as Stress. As in a roll, formulas and outcomes can look at these dice on their own",
    ] = ""
    step: Annotated[int, "How many steps the outcome improves by. If the dice change later, this no longer counts"] = 0
    grade: Annotated[
        int,
        "How many grades the outcome improves by. The first outcome with the new grade then counts. If the dice change later, this no longer counts",
    ] = 0
    score: Annotated[
        Formula,
        "A value that replaces the result of the dice, such as momentum. After that, nothing can be spent on dice",
    ] = ""
    when: Annotated[
        Formula,
        "Applies only when this is true. The odds count a condition on the outcome exactly. If it reads the dice themselves, such as "
        "`ones == 0`, the odds leave this out and say so",
    ] = ""
    refusal: Annotated[str, "The reason shown when this can't be done"] = ""
    clause: Annotated[str, "The id of the rule that explains it"] = ""


# -- an effect in words -----------------------------------------------------------------------------------------------


UP = ("mark", "gain")
DOWN = ("clear", "lose", "spend")
TICK = "tick"
VERBS = (*UP, *DOWN, "fill", "set", "swap", "add", "remove", TICK)
"""The verbs of effects."""
KINDS_OF = {
    "fill": ("range",),
    "swap": ("range", "number", "flag", "text", "choices", "tags"),
    "set": ("range", "number", "flag", "text", "choices"),
    "add": ("tags", "each"),
    "remove": ("tags", "each"),
    "spend": ("range", "number", "choices"),
    "clear": ("range", "number", "flag", "choices", "tags", "deck"),
    **dict.fromkeys(("mark", "gain", "lose"), ("range", "number", "flag", "choices")),
}
"""The kinds of values that effects of a verb may change."""
AMOUNT = "amount"
"""The name that formulas have for a number that was asked."""
TYPED = "text"
"""The name that formulas and effects have for a text that was asked."""
DICE_OR_QUOTES = re.compile(r"""'[^']*'|"[^"]*"|\b([1-9][0-9]?)(d[0-9]+)\b""")
"""Dice; or a text in quotes, in which there are none."""
_WORDS = re.compile(r"\s*([a-z]+)\s+([\w.-]+)\s*(.*?)\s*", re.DOTALL)


class EffectWords(NamedTuple):
    """The parts of an effect."""

    verb: str
    names: tuple[str, ...]
    rest: str
    """The formula or the word behind the path; for `swap`, the other path."""
    rest_at: int
    """The place in the text at which the rest begins, from 0."""


class WrongEffect(Exception):
    """A text is not an effect."""


@lru_cache(512)
def parse_effect(text: str) -> EffectWords:
    """Return the parts of an effect. Raises `WrongEffect`."""
    found = _WORDS.fullmatch(text)
    if found is None or found[1] not in VERBS:
        word = text.split(maxsplit=1)[0] if text.split() else ""
        raise WrongEffect(
            f"“{word}” is not an effect: write one of {', '.join(VERBS)}, then a path, as in mark stress 1"
        )
    rest, at = found[3], found.start(3)
    if found[1] == "set" and (cut := re.match(r"(to|=)\s+", rest)):
        rest, at = rest[cut.end() :], at + cut.end()
    return EffectWords(found[1], tuple(found[2].split(".")), rest, at)


def parse_word(rest: str) -> str:
    """Return the word or the name at the end of an effect, without quotation marks around it."""
    return rest.strip("'\"").strip()


def dice_in(words: EffectWords) -> Iterator[tuple[int, str]]:
    """Yield the dice in the number of an effect: how many, and which, as they stand there."""
    if words.verb not in ("add", "remove", "swap"):
        yield from ((int(count), die) for count, die in DICE_OR_QUOTES.findall(words.rest) if die)


def without_dice(words: EffectWords) -> EffectWords:
    """Return an effect as if its dice were the number 1, with everything in its place."""
    rest = DICE_OR_QUOTES.sub(lambda term: "1".rjust(len(term[0])) if term[2] else term[0], words.rest)
    return words._replace(rest=rest) if any(dice_in(words)) else words


def amount_words(effect: EffectRule) -> EffectWords:
    """Return the number that an effect gives to its move as the parts of an effect: there can be dice in it."""
    return EffectWords(AMOUNT, (effect.move,), str(effect.amount), 0)


def dice_of(effect: EffectRule) -> Iterator[tuple[int, str]]:
    """Yield the dice of an effect, as `dice_in` does. Raises `WrongEffect`."""
    if effect.do:
        yield from dice_in(parse_effect(effect.do))
    yield from dice_in(amount_words(effect))
