"""Rolls against a difficulty: the dice, the moves that roll, how the outcome returns the dice, and the exact odds (RF-03…RF-14, RF-17,
RF-19, RF-20).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from waylog.rules.codec.changes import join_names, quote, slug
from waylog.rules.common.rulings import dice_ask, given_words, note_dice, with_given
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.model.odds import Odds, percent
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems._veil_older_editions.crew_damage_rest_and_panels import lose_die
from waylog.rules.systems._veil_older_editions.damage import Breach, DicePlacement, forecast, hit
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    Moment,
    crew_words,
    module_words,
    times,
)
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import (
    HitRoll,
    Tally,
    call_ask,
    call_of,
    help_text,
    on,
    target,
)
from waylog.rules.systems._veil_older_editions.roll_moves import (
    LOWERS,
    all_dice,
    apply_remap,
    dice_on_ship,
    module_options,
    odds_of,
    other_help,
    placement_text,
    roll_offers,
    roller_and_system,
    rows,
    tell_type,
    throw,
)
from waylog.rules.systems.veil_reference.crew_and_panels import goes_with, item_dice, item_words, member_of, skill_words
from waylog.values import dataclass, replace

DIFFICULTIES: Mapping[str, int] = {"one": 1, "two": 2, "three": 3}
"""Difficulties by word (RF-03)."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of a roll before they are rolled."""

    roll: HitRoll
    """The roll; one without a system is an EVA roll."""
    items: tuple[str, ...]
    """Keys of the equipment that is used."""
    words: str
    """The pool in words: `vitality 3 + Engines 2`."""
    invoked: tuple[str, ...]
    """The things that help."""

    @property
    def target(self) -> int:
        """The lowest face that is a hit (RF-05)."""
        return target(len(self.invoked))


def pool_of(moment: Moment, move: Move, answers: Answers) -> Pool:
    """Return the dice of a roll: vitality, and those of the system or of equipment (RF-04). Raises `ActRefused` if
    there are none (RF-20).
    """
    who, system = roller_and_system(moment, move)
    count = moment.personal(who)
    sources, spoken = [moment.name(who)] * count, [f"vitality {count}"]
    if system:
        sources += [system] * moment.dice(system)
        spoken.append(f"{system} {moment.dice(system)}")
    words, chosen = item_words(moment, who), []
    for word in selected_words(answers, "equipment"):
        item = member_of(moment, who).equipment[words[word]]
        chosen.append(words[word])
        sources += [item.name or words[word]] * item_dice(moment, item)
        spoken.append(f"{item.name or words[word]} {item_dice(moment, item)}")
    dice = with_given(sources, answers, moment.name(who))
    if not dice:
        more = f"a remap to {system}" if system else "ready equipment"
        raise ActRefused(f"no dice to roll: {more} or a rest would add some", "RF-20")
    is_desperate, reasons = call_of(moment, answers, system=bool(system))
    difficulty = DIFFICULTIES[str(answers.get("difficulty", "one"))]
    built, bays, skills = dict(moment.modules()), module_words(moment), skill_words(moment, who)
    invoked = (
        *(
            quote(skills[word]) if word in skills else built[bays[word]].name
            for word in selected_words(answers, "invoke")
        ),
        *("other help",) * len(selected_words(answers, "other")),
    )
    targets, given = (target(len(invoked)),) * len(dice), note_dice(answers, "RF-04")
    roll = HitRoll(who, system, dice, targets, difficulty, is_desperate, reasons, given)
    return Pool(roll, tuple(chosen), " + ".join(spoken) + given_words(answers), invoked)


def summary(pool: Pool) -> str:
    """Return the pool in words: `5d6: vitality 3 + Engines 2; hits on 5+, difficulty 2`."""
    return f"{len(pool.roll.sources)}d6: {pool.words}; hits on {on(pool.target)}, difficulty {pool.roll.difficulty}"


def target_text(pool: Pool) -> str:
    """Describe the target: `hits on 4+ (with sharp mind and HARPOON)`."""
    if not pool.invoked:
        return f"hits on {on(pool.target)} (nothing invoked)"
    return f"hits on {on(pool.target)} ({help_text(pool.invoked)})"


def against(pool: Pool) -> str:
    """Describe the difficulty and the target: `Difficulty 2, hits on 5+ (with sharp mind)`."""
    return f"Difficulty {pool.roll.difficulty}, {target_text(pool)}"


# -- the moves that roll ------------------------------------------------------------------------------------------------


def offers(moment: Moment) -> Iterator[Move]:
    """Offer `roll mara engines`, a roll of each system for each crew member, and `roll mara`, an EVA roll."""
    return roll_offers(moment, _asks, "EVA")


def _asks(moment: Moment, who: str, *, system: bool) -> tuple[Ask, ...]:
    """Return the questions of a roll; equipment is for EVA rolls."""
    equipment = () if system else _equipment(moment, who)
    options = tuple(Option(word, str(number), also=(f"d{number}",)) for word, number in DIFFICULTIES.items())
    difficulty = PickOne("difficulty", "Difficulty", options, "one", "RF-03")
    return (*equipment, *_invoke(moment, who), difficulty, call_ask(moment, system=system), dice_ask())


def _equipment(moment: Moment, who: str) -> tuple[Ask, ...]:
    """Return the question for equipment, if someone has any (RF-04). What is spent is refused (RF-12)."""
    word = next(word for word, key in crew_words(moment).items() if key == who)
    options = []
    for text, key in item_words(moment, who).items():
        item = member_of(moment, who).equipment[key]
        spent = Refusal(f"{item.name or key} is spent. To make it ready again, type “resupply {word}”", "RF-12")
        also = (slug(key),) if slug(key) else ()
        dice, blocked = f"+{item_dice(moment, item)}d6", None if item.ready else spent
        options.append(Option(text, item.name or key, dice, also, blocked=blocked))
    return (PickMany("equipment", "Equipment", tuple(options), clause="RF-04"),) if options else ()


def _invoke(moment: Moment, who: str) -> tuple[Ask, ...]:
    """Return the options that lower the hit target: skills, modules that aren't destroyed, and other help (RF-05)."""
    skills = (
        Option(word, name, f"{LOWERS} · {uses}" if (uses := goes_with(moment, name)) else LOWERS)
        for word, name in skill_words(moment, who).items()
    )
    options = (*skills, *module_options(moment, "RF-05"))
    named = (PickMany("invoke", "Invoke", options, clause="RF-05"),) if options else ()
    return (*named, other_help("RF-05"))


# -- rolling ---------------------------------------------------------------------------------------------------------


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `roll mara engines sharp-mind two`. Raises `ActRefused` or `DiceWanted`."""
    thrown = pool_of(moment, move, answers)
    after = tell_type(moment, thrown.roll).says(against(thrown), "RF-05", NotePart.DETAIL)
    read, outcome, faces = throw(after, thrown.roll, dice, "RF-06")
    read = prompt(read, outcome, faces)
    if thrown.roll.system:
        return after_ship_roll(read, thrown.roll, outcome, dice)
    return after_eva_roll(read, thrown, outcome)


def after_ship_roll(moment: Moment, roll: HitRoll, outcome: OutcomeGrade, dice: Dice) -> Moment:
    """Return the dice after a ship roll; vitality always returns (RF-08…RF-11). May raise `DiceWanted`."""
    count, system = moment.dice(roll.system), roll.system
    match outcome:
        case OutcomeGrade.SUCCESS:
            return moment.then(Remap())
        case OutcomeGrade.DRAWBACK if count:
            return moment.then(DicePlacement(system, count, "RF-10"))
        case OutcomeGrade.DRAWBACK:
            return moment
        case _:
            back = moment.says(f"{times(count, 'die')} returned to {system}", "RF-11") if count else moment
            if not roll.desperate:
                return back
            return hit(back.says("Desperate Fiasco: the ship takes damage", "RF-11"), dice)


def after_eva_roll(moment: Moment, pool: Pool, outcome: OutcomeGrade) -> Moment:
    """Spend the equipment (RF-12). Vitality returns, except for one die after a Desperate Fiasco (RF-13)."""
    who = pool.roll.who
    member = member_of(moment, who)
    if pool.items:
        spent = {key: replace(member.equipment[key], ready=False) for key in pool.items}
        names = join_names(spent[key].name or key for key in pool.items)
        member = replace(member, equipment={**member.equipment, **spent})
        moment = moment.with_member(who, member).says(f"Spent: {names}", "RF-12")
    if pool.roll.desperate and outcome is OutcomeGrade.FIASCO and moment.personal(who):
        return lose_die(moment, who, "RF-13", "Desperate Fiasco: ")
    return moment


# -- a full remap (RF-09) --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remap:
    """All dice of the ship may be redistributed (RF-09)."""

    TAG = "remap"


Stage = Breach | DicePlacement | Remap


def remap_question(moment: Moment, _remap: Remap) -> str:
    """Ask whether all dice are redistributed."""
    return f"Remap all the ship's dice, or keep {placement_text(dice_on_ship(moment))}?"


def remap_answers(moment: Moment, _remap: Remap) -> tuple[Move, ...]:
    """Offer `remap 1 2 3`, or `keep`."""
    remap = Move("remap", (), "Remap all dice", (all_dice(moment),), about=rows(moment), key="m")
    keep = Move("keep", (), "Keep the dice as they are", about=rows(moment), key="k")
    return replace(remap, heading="All dice remapped"), replace(keep, heading="The dice stay as they are")


def answer_remap(moment: Moment, _remap: Remap, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Redistribute all dice, or keep them."""
    if move.verb == "keep":
        return moment.closes().says(
            f"The dice stay as they are: {placement_text(dice_on_ship(moment))}", "RF-09", NotePart.DEED
        )
    return apply_remap(moment.closes(), answers, "RF-09")


# -- what the outcome means for the story (RF-17) -----------------------------------------------------------------------

PROMPTS: Mapping[OutcomeGrade, tuple[str, ...]] = MappingProxyType(
    {
        OutcomeGrade.FIASCO: (
            "A door shuts and another opens. What comes through it?",
            "This way is closed now. What new threat points to another way?",
            "It costs something unforeseen. What matters more from here on?",
        ),
        OutcomeGrade.DRAWBACK: (
            "They have it, with something that nobody ordered. What?",
            "It works, and it leaves a mark. Where?",
            "Done, and noticed. By whom, or what?",
        ),
        OutcomeGrade.SUCCESS: (
            "As planned. What is within the crew's reach that wasn't before?",
            "The plan holds. How is the crew closer to what it came for?",
            "It goes the crew's way. What does that open up ahead?",
        ),
    }
)
"""Several questions for each outcome, because people stop reading one that repeats."""


def prompt(moment: Moment, outcome: OutcomeGrade, faces: Sequence[int]) -> Moment:
    """Add a question about the story. The dice choose it, so that replaying a log gives the same one."""
    if moment.rules.prompts == "off":
        return moment
    lines = PROMPTS[outcome]
    return moment.says(lines[sum(faces) % len(lines)], "RF-17")


# -- odds (RF-19) ------------------------------------------------------------------------------------------------------


def odds(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll. Raises `ActRefused` for one that can't be made."""
    pool = pool_of(moment, move, answers)
    wasted = NoteFact(f"A die {target_text(pool)}", "RF-05")
    return odds_of(moment, pool.roll, summary(pool), pool.invoked, wasted, lambda tally: _forecast(moment, pool, tally))


def _forecast(moment: Moment, pool: Pool, tally: Tally) -> Iterator[NoteFact]:
    fiasco, complication, success = tally
    who, system, is_desperate = pool.roll.who, pool.roll.system, pool.roll.desperate
    if system:
        if fiasco and is_desperate:
            yield NoteFact(f"Fiasco ({percent(fiasco)}): the ship takes damage, {forecast(moment)}", "RF-11")
        if success:
            total = sum(dice_on_ship(moment).values())
            yield NoteFact(f"Success ({percent(success)}): all {total} dice may be remapped", "RF-09")
        if complication and moment.dice(system):
            back = f"place the {times(moment.dice(system), 'die')} from {system} in any systems"
            yield NoteFact(f"Complication ({percent(complication)}): {back}", "RF-10")
        return
    if pool.items:
        equipment = member_of(moment, who).equipment
        names = join_names(equipment[key].name or key for key in pool.items)
        yield NoteFact(f"Any outcome: {names} spent", "RF-12")
    if is_desperate and (count := moment.personal(who)) and fiasco:
        yield NoteFact(f"Fiasco ({percent(fiasco)}): a vitality die is lost ({count - 1} left)", "RF-13")


CHAPTER = Chapter(
    offers=offers,
    plays={"roll": play},
    odds={"roll": odds},
    stages=(StageRules(Remap, remap_question, remap_answers, answer_remap),),
)
