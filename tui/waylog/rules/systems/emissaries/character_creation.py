"""Making an emissary, step by step (EG-01…EG-07). Each answer is written to the sheet at once."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Allocate, AllocationSlot, Answers, Move, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.emissaries.sheet import (
    BACKGROUNDS,
    LEAST,
    MOST_DICE,
    STARTING,
    Emissary,
    Lun,
    Stat,
    dice_in,
    dice_remaining,
    format_rating,
    relationship_dice,
    trait_dice,
)
from waylog.rules.systems.emissaries.stages_and_typed_names import CREW, Making, Moment, crew_words
from waylog.rules.systems.emissaries.traits import (
    dice_options,
    gets,
    gets_trait,
    object_asks,
    relates,
    relationship_move,
)
from waylog.values import replace

MANY_OBJECTS = 5
"""More objects than this at the start are pointed out (EG-05)."""
_LATER = Move("later", (), "Stop here and finish later")


class CreationStep(StrEnum):
    """The steps, in order."""

    BACKGROUND = "background"
    STATS = "stats"
    TRAITS = "traits"
    RELATIONSHIPS = "relationships"
    OBJECTS = "objects"
    HOPE = "hope"
    DONE = "done"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `make mara` for each emissary that isn't finished, and `join "Mara"`."""
    blank = is_first(moment)
    first, panel = blank and not moment.stages, ("start.make",) if blank else ()
    asks = (Text("name", "Name", required=True),)
    new = Move("join", (), "New emissary", asks, follows=first, apart=first, about=("crew", *panel))
    half, done = [], []
    for word, key in crew_words(moment).items():
        emissary, name, about = moment.sheet.crew[key], moment.name(f"{CREW}/{key}"), (f"crew.{key}", *panel)
        label = f"Finish {name}: {step_of(moment, emissary, Making())} next"
        if emissary.made:
            no = Refusal(f"{name}'s sheet is finished. To change it, advance {name}", "EG-07")
            done.append(Move("make", (word,), label, (), no, about=about))
        else:
            half.append(Move("make", (word,), label, follows=first, apart=first, about=about))
    return (*half, new, *done)


def is_first(moment: Moment) -> bool:
    """Whether an emissary should be made first: nothing has been chosen for any."""
    return all(emissary.is_blank for emissary in moment.sheet.crew.values())


def play(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Add an emissary, or continue to make one (EG-07)."""
    if move.verb == "join":
        name = str(given["name"]).strip()
        key = moment.new_key(name)
        crew = {**moment.sheet.crew, key: Emissary(name)}
        joined = replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"New emissary: {name}", "EG-07")
        return _begin_creation(joined, key)
    return _begin_creation(moment, crew_words(moment)[move.words[0]])


def _begin_creation(moment: Moment, key: str) -> Moment:
    """Start at the first step that isn't done. The emissary gets a data-pad and a Lun (EG-05)."""
    current = moment.sheet.crew[key].objects
    missing = {name: thing for name, thing in STARTING.items() if name not in current}
    given = moment.with_emissary(key, objects={**missing, **current}) if missing else moment
    return given.opens(Making(key))


def step_of(moment: Moment, emissary: Emissary, making: Making) -> CreationStep:
    """Return the first step that isn't done yet."""
    rest = dice_remaining(moment.rules, emissary)
    if not emissary.background:
        return CreationStep.BACKGROUND
    if rest.stats > 0:
        return CreationStep.STATS
    if rest.traits:
        return CreationStep.TRAITS
    if rest.relationships and not making.kept:
        return CreationStep.RELATIONSHIPS
    if emissary.lun == Lun() or not making.enough:
        return CreationStep.OBJECTS
    return CreationStep.DONE if emissary.hope else CreationStep.HOPE


def question(moment: Moment, _making: Making) -> str:
    """Return the question of the next step."""
    emissary = moment.sheet.crew[moment.creation_stage.who]
    name, rest = emissary.name or moment.creation_stage.who, dice_remaining(moment.rules, emissary)
    match step_of(moment, emissary, moment.creation_stage):
        case CreationStep.BACKGROUND:
            return f"{name}: which background?"
        case CreationStep.STATS:
            return (
                f"{name}: the dice of Body, Mind, Soft and Hard, {total_of(emissary)} in all and at least {LEAST} in "
                "each"
            )
        case CreationStep.TRAITS:
            return f"{name}: a trait ({format_rating(rest.traits)} left)"
        case CreationStep.RELATIONSHIPS:
            return f"{name}: a relationship ({format_rating(rest.relationships)} left, to use now or to keep)"
        case CreationStep.OBJECTS:
            return (
                f"{name}: another object, or the look of the Lun"
                if emissary.lun == Lun()
                else f"{name}: another object?"
            )
        case _:
            return f"{name}: which accomplishment do they hope for?"


def total_of(emissary: Emissary) -> int:
    """Return the number of stat dice: those of the background, and those added since."""
    return BACKGROUNDS[emissary.background].stats + emissary.dice_added


def answers(moment: Moment, _making: Making) -> tuple[Move, ...]:
    """Return the answers to the step, and `later`. Each is an act of its own."""
    key = moment.creation_stage.who
    emissary = moment.sheet.crew[key]
    about = (f"crew.{key}",)
    steps = (replace(move, about=about) for move in _answers(moment, key, emissary))
    return tuple(replace(move, apart=True) for move in (*steps, _LATER))


def _answers(moment: Moment, key: str, emissary: Emissary) -> tuple[Move, ...]:
    match step_of(moment, emissary, moment.creation_stage):
        case CreationStep.BACKGROUND:
            return tuple(
                Move("background", (word,), _describe_background(moment, word), blocked=_short(moment, emissary, word))
                for word in BACKGROUNDS
            )
        case CreationStep.STATS:
            total = total_of(emissary)
            most = min(MOST_DICE, total - LEAST * (len(Stat) - 1))
            now = {stat: max(LEAST, min(dice_in(emissary, stat), most)) for stat in Stat}
            slots = tuple(AllocationSlot(stat.value, stat.capitalize(), LEAST, most, now[stat]) for stat in Stat)
            return (Move("stats", (), "The dice of the four stats", (Allocate("dice", "Dice", slots, total),)),)
        case CreationStep.TRAITS:
            dice = PickOne(
                "dice", "Dice", dice_options(dice_remaining(moment.rules, emissary).traits, "EG-03"), clause="EG-03"
            )
            return (Move("trait", (), "A trait", (Text("text", "The phrase", required=True), dice)),)
        case CreationStep.RELATIONSHIPS:
            related = replace(relationship_move(moment, "", f"{CREW}/{key}"), words=())
            return (related, Move("keep", (), "Keep the rest for later", key="k"))
        case CreationStep.OBJECTS:
            others = (Text("material", "Material", usual=True), Text("handle", "Handle", usual=True))
            asks = (Text("colour", "Colour", required=True), *others)
            lun = Move("lun", (), "The Lun: colour, material, and shape of its handle", asks)
            unseen = (
                Refusal("describe the Lun first: colour, material and handle", "EG-05")
                if emissary.lun == Lun()
                else None
            )
            enough = Move("enough", (), "No more objects", blocked=unseen)
            return (lun, Move("object", (), "An object", object_asks()), enough)
        case _:
            return (Move("hope", (), "The accomplishment", (Text("text", "Hope", required=True),)),)


def _short(moment: Moment, emissary: Emissary, word: Any) -> Refusal | None:
    """Return why a background can't give the dice that are already on the sheet."""
    rest = dice_remaining(moment.rules, replace(emissary, background=word))
    over = [f"{-rest.stats}d6 in stats"] if rest.stats < 0 else []
    over += [format_rating(dice) for dice in (rest.traits_over, rest.relationships_over) if dice]
    name = BACKGROUNDS[word].name
    return Refusal(f"{name} doesn't give {join_names(over)}, which the sheet already has", "EG-07") if over else None


def _describe_background(moment: Moment, word: str) -> str:
    """Return a background's name with its dice (EG-02)."""
    background = BACKGROUNDS[word]
    given = format_rating(trait_dice(moment.rules, word))
    return f"{background.name}: stats {background.stats}d6, traits {given}, relationships {format_rating(relationship_dice(word))}"


def answer(moment: Moment, _making: Making, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Do one step, or stop for now."""
    key, making = moment.creation_stage.who, moment.creation_stage
    who, name = f"{CREW}/{key}", moment.name(f"{CREW}/{key}")
    match move.verb:
        case "later":
            return moment.opens(None).says(f"{name}'s sheet isn't finished yet", "EG-07")
        case "background":
            background = BACKGROUNDS[move.words[0]]
            after = moment.with_emissary(key, background=move.words[0]).says(
                f"{name}'s background: {background.name}", "EG-02"
            )
        case "stats":
            dice = given["dice"]
            assert isinstance(dice, tuple)
            text = ", ".join(f"{stat.capitalize()} {count}d6" for stat, count in zip(Stat, dice, strict=True))
            after = moment.with_emissary(key, **dict(zip(Stat, dice, strict=True))).says(f"{name}: {text}", "EG-01")
        case "trait":
            after = gets_trait(moment, who, str(given["text"]).strip(), str(given["dice"]))
        case "relate":
            after = relates(moment, who, given)
        case "keep":
            rest = format_rating(dice_remaining(moment.rules, moment.sheet.crew[key]).relationships)
            after = moment.opens(replace(making, kept=True)).says(f"{name} keeps {rest} for later", "EG-04")
        case "lun":
            lun = Lun(*(str(given[part]).strip() for part in ("colour", "material", "handle")))
            look = ", ".join(filter(None, (lun.colour, lun.material, lun.handle)))
            after = moment.with_emissary(key, lun=lun).says(f"{name}'s Lun: {look}", "EG-05")
        case "object":
            after = gets(moment, who, given)
            if (many := len(after.sheet.crew[key].objects)) > MANY_OBJECTS:
                after = after.says(f"{many} objects: more than {MANY_OBJECTS} is a lot to start with", "EG-05")
        case "enough":
            after = moment.opens(replace(making, enough=True)).says(f"{name}'s list of objects is finished", "EG-05")
        case _:
            hope = str(given["text"]).strip()
            after = moment.with_emissary(key, hope=hope).says(f"{name}'s hope: {hope}", "EG-06")
    return _finish_creation(after, key)


def _finish_creation(moment: Moment, key: str) -> Moment:
    """Finish an emissary after the last step (EG-07)."""
    if step_of(moment, moment.sheet.crew[key], moment.creation_stage) is not CreationStep.DONE:
        return moment
    after = moment.with_emissary(key, made=True).opens(None)
    return after.says(f"{moment.name(f'{CREW}/{key}')}'s sheet is finished", "EG-07")


def _keep(moment: Moment, making: Making) -> Making | None:
    return making if making.who in dict(moment.crew()) else None


CHAPTER = Chapter(
    offers=offers,
    plays={"join": play, "make": play},
    stages=(StageRules(Making, question, answers, answer, keep=_keep),),
)
