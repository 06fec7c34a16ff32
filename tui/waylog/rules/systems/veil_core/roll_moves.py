"""The moves that roll for a CORE system or a crew member, and the tokens that replace dice."""

from __future__ import annotations

from waylog.rules.codec.changes import slug
from waylog.rules.common.rulings import anyway_option, dice_ask, forced_refusal
from waylog.rules.model.clocks import WhileRunning
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.crew import forced_desperate, mission_end_reason
from waylog.rules.systems.veil_core.damage import the_part, works
from waylog.rules.systems.veil_core.rolls import (
    Pool,
    comes_out,
    core_dice,
    crew_pool,
    helps,
    ship_pool,
    throw,
    tool_dice,
)
from waylog.rules.systems.veil_core.sheet import Advancement, Core, SuitPart
from waylog.rules.systems.veil_core.stages_and_typed_names import (
    LETTERS,
    SHIP,
    Call,
    Hit,
    Moment,
    Purpose,
    RollRequest,
    crew_letters,
    crew_words,
    who_is,
)
from waylog.values import replace

SYSTEM_WORDS = {system.value.lower(): system for system in Core}
_DICE = Option("dice", "Roll the dice")
HEEDED = (WhileRunning.DESPERATE, WhileRunning.EXPOSED)
"""The effects of situations on a crew roll. A ship's roll has only the first (NM-19)."""


def offers(moment: Moment, usual: Call = Call.STANDARD, *, in_group: bool = False) -> tuple[Move, ...]:
    """Offer a roll for each CORE system and each crew member. `usual` is the default roll type.

    A group roll that has started goes on even if the mission has ended meanwhile.
    """
    end, letters = None if in_group else mission_end_reason(moment), crew_letters(moment)
    ship = (
        Move(
            "roll",
            (word,),
            f"Roll {system} ({core_dice(moment, system)}d6)",
            ship_asks(moment, system, usual),
            end,
            rolls=True,
            heeds=HEEDED[:1],
            about=(f"ship.core.{system}",),
            key=LETTERS[system],
            roller=word,
            called=in_group,
            title=f"Roll {system}",
        )
        for word, system in SYSTEM_WORDS.items()
    )
    crew = (
        Move(
            "roll",
            (word,),
            f"Roll for {moment.name(key)}",
            crew_asks(moment, key, usual),
            end or cannot_roll(moment, key),
            rolls=True,
            heeds=HEEDED,
            about=(f"crew.{key}",),
            key=letters[key],
            roller=word,
            called=in_group,
        )
        for word, key in crew_words(moment).items()
    )
    return (*ship, *crew)


def cannot_roll(moment: Moment, who: str) -> Refusal | None:
    """Refuse a roll by someone who is Down and Out (VK-41), unless they are Relentless (VK-61)."""
    if moment.member(who).down and not moment.has(who, Advancement.RELENTLESS):
        return Refusal(f"{moment.name(who)} is Down and Out: they can talk, but not roll", "VK-41")
    return None


# -- what a roll asks ------------------------------------------------------------------------------------------------


def ship_asks(moment: Moment, system: Core, usual: Call) -> tuple[Ask, ...]:
    """Return the questions of a ship's roll: modules that help (VK-11), the roll type, and tokens to spend instead of
    dice (VK-35, VK-36).
    """
    options = tuple(
        Option(
            word,
            module.name,
            "+1d6",
            (f"#{bay}",),
            Refusal(f"{module.name} is destroyed: repair it first", "VK-08") if module.destroyed else None,
        )
        for word, bay, module in helps(moment, system)
    )
    tokens = moment.ship.tokens
    gone = "{} is lost"
    instead = (
        _DICE,
        Option(
            "integrity",
            "Spend integrity for a Critical success",
            blocked=None if tokens.integrity else Refusal(gone.format("integrity"), "VK-35"),
            costs=True,
        ),
        Option(
            "engineering",
            "Spend engineering for a Success",
            blocked=None if tokens.engineering else Refusal(gone.format("engineering"), "VK-36"),
            costs=True,
        ),
    )
    asks: list[Ask] = [PickMany("helps", "Modules", options, clause="VK-11")] if options else []
    tokens_ask = PickOne("instead", "Instead of rolling", instead, "dice", "VK-35")
    return (*asks, call_ask(moment, SHIP, usual), tokens_ask, dice_ask())


def crew_asks(moment: Moment, who: str, usual: Call, *, healing: bool = False) -> tuple[Ask, ...]:
    """Return the questions of a crew roll: tools (VK-12), an expertise (VK-62), the roll type, and ways to avoid
    rolling.
    """
    tools, most = tool_options(moment, who), moment.rules.tools_per_roll
    asks: list[Ask] = [PickMany("tools", "Tools", tools, most=most, clause="VK-12")]
    if moment.has(who, Advancement.EXPERT):
        expertise = moment.member(who).expertise or "expertise applies"
        named = (slug(expertise),) if slug(expertise) else ()
        option = Option("expertise", expertise, "+1d6", named)
        asks.append(PickMany("expertise", "Expertise", (option,), most=1, clause="VK-62"))
    asks.append(call_ask(moment, who, usual))
    instead = instead_options(moment, who, healing=healing)
    if instead:
        asks.append(PickOne("instead", "Instead of rolling", (_DICE, *instead), "dice", "VK-12"))
    return (*asks, dice_ask())


def tool_options(moment: Moment, who: str) -> tuple[Option, ...]:
    """Return the tools of a suit. A lost tool is refused (VK-12, VK-67)."""
    tools = [("primary", SuitPart.PRIMARY), ("secondary", SuitPart.SECONDARY)]
    if moment.has(who, Advancement.AUXILIARY_ARM):
        tools.append(("arm", SuitPart.LIFE_SUPPORT))
    options = []
    for word, part in tools:
        dice, name = tool_dice(moment, who, word)
        lost = None
        if not works(moment, who, part):
            clause = "VK-67" if word == "arm" else "VK-12"
            lost = Refusal(f"{the_part(moment, who, part)} is lost", clause)
        also = (slug(name),) if slug(name) else ()
        options.append(Option(word, name, f"+{dice}d6", also, lost))
    return tuple(options)


def call_ask(moment: Moment, who: str, usual: Call) -> PickOne:
    """Ask for the roll type. If a rule makes the roll Desperate, only the wayfinder can overrule that (VK-17, VN-06)."""
    forced = forced_desperate(moment, who)
    milder = [call for call in moment.edition.calls if call is not Call.DESPERATE]
    options = [Option(call.value, call.value.capitalize(), blocked=forced_refusal(call, forced)) for call in milder]
    options.append(Option(Call.DESPERATE.value, Call.DESPERATE.capitalize()))
    options += [option for call in milder for option in anyway_option(call, forced)]
    if who != SHIP and moment.on_mission and moment.member(who).prep.foresight > 0:
        options.append(Option("foresight", "Desperate, made Standard with Foresight", costs=True))
    return PickOne("call", "Risk", tuple(options), Call.DESPERATE.value if forced else usual.value, "VK-10")


def instead_options(moment: Moment, who: str, *, healing: bool) -> tuple[Option, ...]:
    """Return the ways to avoid rolling: prepared tokens, recklessness."""
    member, options = moment.member(who), []
    if moment.on_mission and member.prep.ingenuity > 0:
        options.append(Option("ingenuity", "Spend Ingenuity: a Standard roll is a Success", costs=True))
    if healing and moment.on_mission and member.prep.care > 0:
        options.append(Option("care", "Spend Care for a Success", costs=True))
    if moment.has(who, Advancement.RECKLESS):
        options.append(Option("reckless", "Take damage for a Success", costs=True))
    return tuple(options)


# -- rolling ---------------------------------------------------------------------------------------------------------


def pool_of(moment: Moment, move: Move, answers: Answers) -> Pool:
    """Return the dice of a `roll`. Raises `ActRefused`."""
    return pool_for(moment, move.words[0], answers)


def pool_for(moment: Moment, word: str, answers: Answers) -> Pool:
    """Return the dice of the ship's system or crew member that a word stands for. Raises `ActRefused`."""
    system = SYSTEM_WORDS.get(word)
    if system:
        return ship_pool(moment, system, answers)
    return crew_pool(moment, RollRequest(who_is(moment, word)), answers)


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `roll nav afterburners` or `roll mara primary desperate`. Raises `ActRefused` or `DiceWanted`."""
    instead = str(answers.get("instead", "dice"))
    system = SYSTEM_WORDS.get(move.words[0])
    if system and instead != "dice":
        return ship_without_dice(moment, RollRequest(SHIP, system.value), instead)
    if system:
        return throw(moment, pool_of(moment, move, answers), dice)
    return roll_crew(moment, pool_of(moment, move, answers), answers, dice)


def roll_crew(moment: Moment, pool: Pool, answers: Answers, dice: Dice) -> Moment:
    """Make a crew roll, with or without dice. Raises `ActRefused` or `DiceWanted`."""
    if str(answers.get("call")) == "foresight":
        moment = spend_prep(moment, pool.roll.who, "foresight", "to make the roll Standard", "VK-75")
    instead = str(answers.get("instead", "dice"))
    if instead == "dice":
        return throw(moment, pool, dice)
    return crew_without_dice(moment, pool.roll, instead)


def ship_without_dice(moment: Moment, roll: RollRequest, instead: str) -> Moment:
    """Spend integrity for a Critical success (VK-35), or engineering for a Success (VK-36)."""
    if instead == "integrity":
        spent = moment.with_ship(tokens=replace(moment.ship.tokens, integrity=False))
        return comes_out(
            spent.says("The ship spends integrity instead of rolling", "VK-35"), roll, OutcomeGrade.CRITICAL
        )
    spent = moment.with_ship(tokens=replace(moment.ship.tokens, engineering=False))
    return comes_out(spent.says("The ship spends engineering instead of rolling", "VK-36"), roll, OutcomeGrade.SUCCESS)


def crew_without_dice(moment: Moment, roll: RollRequest, instead: str) -> Moment:
    """Make the roll a Success by a prepared token (VK-74, VK-76) or by taking damage (VK-65). Raises `ActRefused`."""
    match instead:
        case "ingenuity":
            check_ingenuity(roll, instead)
            spent = spend_prep(moment, roll.who, "ingenuity", "instead of rolling", "VK-74")
            return comes_out(spent, roll, OutcomeGrade.SUCCESS)
        case "care":
            assert roll.purpose is Purpose.HEAL
            return comes_out(
                spend_prep(moment, roll.who, "care", "instead of rolling", "VK-76"), roll, OutcomeGrade.SUCCESS
            )
        case _:
            after = moment.says(f"{moment.name(roll.who)} is reckless and takes damage instead of rolling", "VK-65")
            return comes_out(after, roll, OutcomeGrade.SUCCESS).then(Hit(roll.who))


def check_ingenuity(roll: RollRequest, instead: str) -> None:
    """Raise `ActRefused` if an Ingenuity token is spent on a roll that isn't Standard (VK-74)."""
    if instead == "ingenuity" and roll.call is not Call.STANDARD:
        raise ActRefused(f"Ingenuity needs a Standard roll, but this one is {roll.call.capitalize()}", "VK-74")


def spend_prep(moment: Moment, who: str, token: str, what: str, clause: str) -> Moment:
    """Spend a token of mission prep."""
    prep = moment.member(who).prep
    spent = moment.with_member(who, prep=replace(prep, **{token: getattr(prep, token) - 1}))
    return spent.says(f"{moment.name(who)} spends {token.capitalize()} {what}", clause)


CHAPTER = Chapter(offers=offers, plays={"roll": play})
