"""The moves that roll: `roll`, for a CORE system or a crew member, with the tokens that replace dice; `group`, in which each member rolls
and one outcome counts for all (VK-20, VN-04); and `heal`, which treats a crewmate, with the price for the healer (VK-44, VK-45).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from waylog.rules.codec.changes import join_names, slug
from waylog.rules.common.called_rolls import still_to_roll
from waylog.rules.common.rulings import anyway_option, dice_ask, forced_refusal
from waylog.rules.model.act_lists_and_row_verbs import EVERYBODY
from waylog.rules.model.answers import complete_answers, selected_words
from waylog.rules.model.clocks_situations_and_timers import WhileRunning
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import forced_desperate, mission_end_reason, spend_focus
from waylog.rules.systems.veil_core.damage import the_part, works
from waylog.rules.systems.veil_core.rolls import (
    LABELS,
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
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    LETTERS,
    SHIP,
    Call,
    Debt,
    Group,
    Hit,
    Moment,
    Purpose,
    RollRequest,
    Settled,
    crew_letters,
    crew_words,
    keep_in_crew,
    who_is,
)
from waylog.values import replace

SYSTEM_WORDS = {system.value.lower(): system for system in Core}
_DICE = Option("dice", "Roll the dice")
HEEDED = (WhileRunning.DESPERATE, WhileRunning.EXPOSED)
"""The effects of situations on a crew roll. A ship's roll has only the first (NM-19)."""


def offer_rolls(moment: Moment, usual: Call = Call.STANDARD, *, in_group: bool = False) -> tuple[Move, ...]:
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


def play_roll(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
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


ALL, EVERYONE = "all", "everyone"


def offer_groups(moment: Moment) -> tuple[Move, ...]:
    """Offer `group all`, `group mara lars nav`."""
    able = _everyone(moment)
    crew = tuple(
        Option(
            word,
            moment.name(key),
            blocked=cannot_roll(moment, key),
            paths=(f"crew.{key}",),
        )
        for word, key in crew_words(moment).items()
    )
    ship = tuple(
        Option(word, f"the ship's {system}", f"{core_dice(moment, system)}d6") for word, system in SYSTEM_WORDS.items()
    )
    names = join_names([moment.name(who_is(moment, word)) for word in able])
    everyone = (Option(ALL, "the whole crew", names),) if able else ()
    calls = tuple(Option(call.value, call.value.capitalize()) for call in moment.edition.calls)
    asks = (
        PickMany(
            "who",
            "Who rolls",
            (*everyone, *crew, *ship),
            least=1,
            clause=moment.edition.group_clause,
            suggested=tuple(option.word for option in everyone),
        ),
        PickOne("call", "Risk", calls, Call.STANDARD.value, "VK-20"),
    )
    nobody = None if able else Refusal("nobody in the crew can roll", moment.edition.group_clause)
    return (Move("group", (), "Group roll", asks, mission_end_reason(moment) or nobody, rolls=True, about=("crew",)),)


def rollers(moment: Moment, answers: Answers) -> tuple[str, ...]:
    """Return the words of those who roll, in the order given. `all` is everyone in the crew who can roll, without the
    characters of players who are away (NM-46).
    """
    named: list[str] = []
    for word in selected_words(answers, "who"):
        named += _everyone(moment) if word == ALL else [word]
    return tuple(dict.fromkeys(named))


def _everyone(moment: Moment) -> list[str]:
    able = (pair for pair in crew_words(moment).items() if cannot_roll(moment, pair[1]) is None)
    return [word for word, key in able if key not in moment.away]


def begin(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Start a group roll. Everyone in it rolls next."""
    return moment.then(Group(rollers(moment, answers), call=Call(str(answers["call"]))))


def members_to_roll(moment: Moment, group: Group) -> tuple[str, ...]:
    """Return the words of those who have still to roll and can. Someone who is now Down and Out is left out."""
    crew = crew_words(moment)
    return tuple(
        word
        for word in group.waiting
        if word in SYSTEM_WORDS or (word in crew and cannot_roll(moment, crew[word]) is None)
    )


def group_question(moment: Moment, group: Group) -> str:
    """Return a sentence with those who have rolled and their outcomes, and with those who roll next."""
    waiting = still_to_roll(_names(moment, members_to_roll(moment, group)))
    so_far = _list_outcomes(moment, group)
    return f"{waiting} for the group" + (f" ({so_far})" if so_far else "")


def _list_outcomes(moment: Moment, group: Group) -> str:
    """Return `Mara: Success, Lars: Fiasco`."""
    rolled = zip(group.rollers, group.outcomes, strict=True)
    return ", ".join(f"{moment.name(who)}: {LABELS[outcome]}" for who, outcome in rolled)


def _names(moment: Moment, words: tuple[str, ...]) -> list[str]:
    crew = crew_words(moment)
    return [SYSTEM_WORDS[word].value if word in SYSTEM_WORDS else moment.name(crew.get(word, word)) for word in words]


def _rolls(moment: Moment, group: Group) -> list[Move]:
    left = members_to_roll(moment, group)
    return [move for move in offer_rolls(moment, group.call, in_group=True) if move.words[0] in left]


def group_answers(moment: Moment, group: Group) -> tuple[Move, ...]:
    """Offer the remaining rolls, in any order; all of them at once, without tools and modules; and the end of the group roll."""
    rolls = _rolls(moment, group)
    label = "Let Waylog roll for everybody, without tools"
    heading = "Waylog rolls for everybody, without tools"
    every = Move(EVERYONE, (), label, key=EVERYBODY, by_chance=True, heading=heading) if len(rolls) > 1 else None
    finish = Move("finish", (), "Finish without the others", heading="The group roll ends without the others")
    return (*rolls, *([every] if every else ()), finish)


def choices(moment: Moment, group: Group) -> tuple[str, ...]:
    """Return who may be chosen to roll next; nobody if all roll one after the other."""
    return () if group.all_roll else members_to_roll(moment, group)


def go_on(moment: Moment, group: Group, dice: Dice) -> Moment:
    """Make the next roll if all roll, until one of them can't, or real dice lie there, which belong to one roll; give the group its
    outcome if nobody is left.
    """
    rolls = _rolls(moment, group) if group.all_roll else ()
    if not rolls:
        return conclude(moment, group, dice)
    if dice.are_real:
        return moment.closes().then(replace(group, all_roll=False))
    try:
        return answer_group(moment, group, rolls[0], complete_answers(rolls[0], {}), dice)
    except ActRefused:
        return moment.closes().then(replace(group, all_roll=False))


def answer_group(moment: Moment, group: Group, move: Move, given: Answers, dice: Dice) -> Moment:
    """Make the roll of one member, begin the rolls of all, or end the group roll (`finish`)."""
    if move.verb == "finish":
        return conclude(moment, group, dice)
    if move.verb == EVERYONE:
        return moment.closes().then(replace(group, all_roll=True))
    left = replace(group, waiting=tuple(word for word in group.waiting if word != move.words[0]))
    return play_roll(moment.closes().then(left), move, given, dice)


def conclude(moment: Moment, group: Group, _dice: Dice) -> Moment:
    """Give the group its one outcome, after everyone has rolled. Whoever could have rolled and hasn't took no part, or by house
    rule counts as a Fiasco; they get no Focus and no damage for it.
    """
    after, clause = moment.closes(), moment.edition.group_clause
    unrolled = members_to_roll(moment, group) if moment.rules.group_unrolled == "fiasco" and group.outcomes else ()
    if absent := tuple(word for word in group.waiting if word not in unrolled):
        after = after.says(f"{join_names(_names(moment, absent))} took no part", clause)
    if unrolled:
        names = join_names(_names(moment, unrolled))
        after = after.says(f"{names} didn't roll: by house rule, that counts as a Fiasco", clause)
    if not group.outcomes:
        return after.says("The group roll was cancelled", clause)
    shared = moment.edition.group((*group.outcomes, *(OutcomeGrade.FIASCO for _ in unrolled)), moment.rules)
    result = after.says(_list_outcomes(moment, group), clause, NotePart.SUMMARY)
    criticals = (
        who for who, outcome in zip(group.rollers, group.outcomes, strict=True) if outcome is OutcomeGrade.CRITICAL
    )
    return result.tells(OutcomeFact(shared.value, LABELS[shared], shared, "Group")).then(
        Settled(group.rollers, tuple(criticals))
    )


def all_as_one(outcomes: Sequence[OutcomeGrade], rules: Any) -> OutcomeGrade:
    """Return the shared outcome of a group (VK-20)."""
    if all(outcome is OutcomeGrade.CRITICAL for outcome in outcomes):
        return OutcomeGrade.CRITICAL
    if OutcomeGrade.CRITICAL in outcomes or all(outcome is OutcomeGrade.SUCCESS for outcome in outcomes):
        return OutcomeGrade.SUCCESS
    if OutcomeGrade.SUCCESS in outcomes:
        return OutcomeGrade.DRAWBACK
    if OutcomeGrade.DRAWBACK in outcomes:
        return OutcomeGrade(rules.group_of_drawbacks)
    return OutcomeGrade.FIASCO


def how_all_count(rules: Any) -> str:
    """Return in one sentence what `all_as_one` does."""
    rest = "Fiasco: all are. Otherwise a drawback"
    if rules.group_of_drawbacks == OutcomeGrade.FIASCO.value:
        rest = "Drawback: anyone does. Otherwise a Fiasco"
    return f"Success: one Critical, or all succeed. {rest}"


def offer_healing(moment: Moment) -> tuple[Move, ...]:
    """Offer `heal lars by-mara`, for each hurt member and each crewmate who could heal them."""
    words = crew_words(moment)
    hurt = [(word, key) for word, key in words.items() if moment.member(key).vitality < moment.rules.vitality]
    if not hurt:
        reason = Refusal("everyone is at full vitality", "VK-44")
        return (Move("heal", (), "Heal a crewmate", blocked=reason),)
    return tuple(
        Move(
            "heal",
            (word, f"by-{by}"),
            f"{moment.name(healer)} treats {moment.name(mate)} (only out of danger)",
            crew_asks(moment, healer, Call.STANDARD, healing=True),
            mission_end_reason(moment) or cannot_roll(moment, healer) or _no_focus(moment, healer),
            rolls=True,
            heeds=HEEDED,
            about=(f"crew.{mate}", f"crew.{healer}"),
            heading=f"{moment.name(healer)} treats {moment.name(mate)}",
        )
        for word, mate in hurt
        for by, healer in words.items()
        if healer != mate
    )


def _no_focus(moment: Moment, healer: str) -> Refusal | None:
    if moment.focus(healer):
        return None
    return Refusal(f"{moment.name(healer)} has no Focus to spend (a Fiasco would earn one)", "VK-44")


def healing_pool(moment: Moment, move: Move, answers: Answers) -> Pool:
    """Return the healer's dice. Raises `ActRefused`."""
    mate, healer = who_is(moment, move.words[0]), who_is(moment, move.words[1].removeprefix("by-"))
    return crew_pool(moment, RollRequest(healer, purpose=Purpose.HEAL, mate=mate), answers)


def play_healing(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Spend 1 Focus and make a crew roll to heal. Raises `ActRefused` or `DiceWanted`."""
    pool = healing_pool(moment, move, answers)
    treats = moment.says(f"{moment.name(pool.roll.who)} treats {moment.name(pool.roll.mate)}", "VK-44", NotePart.DEED)
    return roll_crew(spend_focus(treats, pool.roll.who, 1, "VK-44"), pool, answers, dice)


def debt_question(moment: Moment, debt: Debt) -> str:
    """Ask how the healer pays."""
    return f"{moment.name(debt.who)} pays for the treatment: 1 more Focus, or damage?"


def debt_answers(moment: Moment, debt: Debt) -> tuple[Move, ...]:
    """Offer `pay` or `suffer`."""
    about = (f"crew.{debt.who}",)
    count = moment.focus(debt.who)
    paid = f"{moment.name(debt.who)} spends 1 Focus"
    pay = (Move("pay", (), f"Spend 1 Focus ({count} left)", about=about, key="p", title=paid),) if count else ()
    return (*pay, Move("suffer", (), f"{moment.name(debt.who)} takes damage", about=about, key="s"))


def answer_debt(moment: Moment, debt: Debt, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Pay, or take damage."""
    if move.verb == "pay":
        return spend_focus(moment.closes(), debt.who, 1, "VK-44")
    return moment.closes().then(Hit(debt.who))


def cannot_pay(moment: Moment, debt: Debt, _dice: Dice) -> Moment:
    """Deal damage to a healer without Focus to pay (VK-45)."""
    after = moment.says(f"{moment.name(debt.who)} has no Focus left and takes damage", "VK-45")
    return after.closes().then(Hit(debt.who))


def offers(moment: Moment) -> Iterator[Move]:
    """Offer `roll`, `group` and `heal`, for all who could roll."""
    yield from offer_rolls(moment)
    yield from offer_groups(moment)
    yield from offer_healing(moment)


CHAPTER = Chapter(
    offers=offers,
    plays={"roll": play_roll, "group": begin, "heal": play_healing},
    stages=(
        StageRules(Group, group_question, group_answers, answer_group, choices=choices, automatic=go_on),
        StageRules(
            Debt,
            debt_question,
            debt_answers,
            answer_debt,
            choices=lambda moment, debt: moment.focus(debt.who) > 0,
            automatic=cannot_pay,
            keep=keep_in_crew,
        ),
    ),
)
