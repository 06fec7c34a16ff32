"""The start and end of missions, and mission prep (VK-32, VK-50…VK-52, VK-54, VK-70…VK-78).

Advancement after a mission: an Upgrade or mission prep for each crew member (VK-52…VK-54, VK-60…VK-70).
"""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.common.clock_and_situation_moves import clock_words
from waylog.rules.model import clocks_situations_and_timers
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, Text, refuse_for_state
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import mission_end_reason
from waylog.rules.systems.veil_core.roll_group_and_heal_moves import spend_prep
from waylog.rules.systems.veil_core.sheet import MOST_FOCUS, TOP_ADVANCEMENTS, Advancement, Member, Prep
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    Advancing,
    FreePick,
    Moment,
    Naming,
    Surplus,
    crew_letters,
    crew_words,
    keep_in_crew,
    who_is,
)
from waylog.values import replace

_RESULTS = (Option("success", "Success"), Option("failure", "Failure"))


def offer_missions(moment: Moment) -> tuple[Move, ...]:
    """Offer to start or end a mission, to carry on after it has ended, and to spend Willpower."""
    mission = moment.sheet.mission
    begun = not mission.over and mission.name
    under_way = Refusal("a mission is already in progress: end it first", "VK-50") if begun else None
    closed = Refusal("no mission is in progress: start one first", "VK-50") if mission.over else None
    name = Text("name", "Name", required=True)
    carry = Move("carry-on", (), "Carry on anyway", about=("mission",), heading="Play goes on")
    return (
        *((carry,) if mission_end_reason(moment) else ()),
        Move(
            "mission", ("begin",), "Start a mission", (name,), under_way, about=("mission",), heading="Mission starts"
        ),
        Move(
            "mission",
            ("over",),
            "End the mission",
            (PickOne("result", "Result", _RESULTS, clause="VK-50"),),
            closed,
            about=("mission",),
            effect=True,
            heading="Mission over",
        ),
        *_willpower(moment),
    )


def play(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `mission begin "The long fall"` or `mission over success`."""
    if move.words[0] == "begin":
        return begin(moment, str(answers["name"]).strip())
    return close(moment, str(answers["result"]))


def begin(moment: Moment, name: str) -> Moment:
    """Start a mission and hand out prepared Focus (VK-70, VK-73). The first mission, if it has no name, gets this one."""
    mission = moment.sheet.mission
    number = mission.number + 1 if mission.over else mission.number
    moment = moment.with_mission(name=name, number=number, over="", carry_on=False)
    moment = moment.says(f"Mission {number} starts: {name}")
    for key, member in moment.crew():
        # A house rule may lower the limit below three. Only prep that was rolled twice goes over it (VK-04).
        prepared = min(3 * member.prep.focus, moment.rules.focus if member.prep.focus < 2 else MOST_FOCUS)
        if prepared > moment.focus(key):
            clause = "VK-73" if member.prep.focus > 1 else "VK-70"
            moment = moment.with_focus(key, prepared)
            moment = moment.says(f"{moment.name(key)} starts with {prepared} Focus", clause)
    return moment


def close(moment: Moment, result: str) -> Moment:
    """End the mission: its prep ends (VK-50), and advancement and upgrade are due (VK-51, VK-52)."""
    mission = moment.sheet.mission
    moment = moment.with_mission(over=result, upgrade=mission.upgrade or result == "success")
    moment = moment.says(f"Mission over: {result}", "VK-50")
    for key, member in moment.crew():
        if member.prep != Prep():
            moment = moment.with_member(key, prep=Prep()).says(f"{moment.name(key)}'s mission prep ends", "VK-50")
        # What prep has not given is the wayfinder's overruling, and stays.
        if member.prep.focus > 1 and moment.focus(key) > moment.rules.focus:
            moment = moment.with_focus(key, moment.rules.focus)
            moment = moment.says(f"{moment.name(key)}: Focus back to {moment.rules.focus}", "VK-50")
        moment = moment.with_member(key, may_advance=True)
    if result == "success":
        moment = moment.says("The ship can now be upgraded", "VK-51")
    return moment.says("Everyone in the crew can now choose an Upgrade or Mission prep", "VK-52").then(Advancing())


def carry_on(moment: Moment, _move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Allow all moves again, although the mission has ended (VK-32, VK-42)."""
    end = mission_end_reason(moment)
    return moment.with_mission(carry_on=True).says("The mission carries on anyway", end.clause if end else "VK-32")


def _willpower(moment: Moment) -> tuple[Move, ...]:
    """Offer each Willpower token: fill or empty one segment of a clock (VK-77)."""
    if not moment.on_mission:
        return ()
    moves = []
    for word, key in crew_words(moment).items():
        if moment.member(key).prep.willpower <= 0:
            continue
        for way, state in (("fill", "full"), ("empty", "empty")):
            options = tuple(
                Option(
                    name,
                    clock.name,
                    f"{clock.filled}/{clock.segments}",
                    blocked=refuse_for_state(clock.name, state, "VK-77")
                    if (clock.full if way == "fill" else clock.filled <= 0)
                    else None,
                    paths=(f"clocks.{text}",),
                )
                for name, text in clock_words(moment.clocks).items()
                if not (clock := moment.clocks[text]).closed
            )
            possible = any(not option.blocked for option in options)
            nothing = None if possible else Refusal(f"there is no clock to {way}", "VK-77")
            label = f"Spend {moment.name(key)}'s Willpower: {way} a segment"
            asks = (PickOne("clock", "Clock", options, clause="VK-77"),)
            heading = f"{moment.name(key)} spends Willpower to {way} a segment"
            moves.append(Move("willpower", (word, way), label, asks, nothing, about=(f"crew.{key}",), heading=heading))
    return tuple(moves)


def willpower(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `willpower`: someone spends mission prep to fill or empty one segment of a clock (VK-77)."""
    word, way = move.words
    key = clock_words(moment.clocks)[str(answers["clock"])]
    clock = clocks_situations_and_timers.fill_clock(moment.clocks[key], 1 if way == "fill" else -1)
    named = f"“{clock.name}”" if clock.seen and not clock.seen_by else "a clock"
    moment = spend_prep(moment, who_is(moment, word), "willpower", f"to {way} a segment of {named}", "VK-77")
    moved = replace(moment, clocks={**moment.clocks, key: clock})
    text = f"“{clock.name}” is at {clock.filled}/{clock.segments}"
    about = (clocks_situations_and_timers.clock_path(key, "filled"),)
    return moved.tells(NoteFact(text, "VK-77", secret=not clock.shows_count, about=about))


LISTS: Mapping[str, tuple[Advancement, ...]] = {
    "qualities": tuple(Advancement)[:6],
    "suit-upgrades": tuple(Advancement)[6:],
}
"""The advancements of each list, in the order of the die's numbers: VK-60…VK-65, and VK-67…VK-69."""
PREP = ("focus", "ingenuity", "foresight", "care", "willpower", "dread")
"""The kinds of mission prep, in the order of the die's numbers (VK-54)."""
ABOUT: Mapping[Advancement, tuple[str, str]] = {
    Advancement.RESOURCEFUL: ("crew rolls are always 3d6 plus a tool, at any vitality", "VK-60"),
    Advancement.RELENTLESS: ("rolls 1d6 plus a tool when Down and Out, but any damage then kills them", "VK-61"),
    Advancement.EXPERT: ("+1d6 where a named expertise applies", "VK-62"),
    Advancement.FORCEFUL: ("Focus rerolls dice instead of raising them", "VK-63"),
    Advancement.DEFENDER: ("may step in when a crewmate takes damage", "VK-64"),
    Advancement.RECKLESS: ("may take damage for a Success", "VK-65"),
    Advancement.AUXILIARY_ARM: ("a third tool, +1d6, lost with suit life support", "VK-67"),
    Advancement.OVERSIZED_SYSTEMS: ("the secondary tool gives +2d6", "VK-67"),
    Advancement.ADAPTIVE_PLATING: ("Focus raises the damage die", "VK-68"),
    Advancement.ABLATIVE_ARMOUR: ("takes the first damage", "VK-68"),
    Advancement.LIMITER_OVERRIDE: ("+1d6 on crew rolls, all of them Desperate", "VK-69"),
    Advancement.RECIRCULATION_KIT: ("one more Focus on each Fiasco", "VK-69"),
}
_PREP_ABOUT: Mapping[str, tuple[str, str]] = {
    "focus": ("starts the mission with 3 Focus", "VK-70"),
    "ingenuity": ("a token that turns a Standard roll into a Success", "VK-74"),
    "foresight": ("a token that turns a Desperate roll into a Standard one", "VK-75"),
    "care": ("a token that turns a healing roll into a Success", "VK-76"),
    "willpower": ("a token that fills or empties one segment of a clock", "VK-77"),
    "dread": ("one more Focus on each Fiasco", "VK-78"),
}
_NAMED = (Advancement.EXPERT, Advancement.AUXILIARY_ARM)


def title(advancement: Advancement) -> str:
    """Return its name for people: `Limiter override`."""
    return advancement.value.replace("-", " ").capitalize()


def offer_advancements(moment: Moment) -> tuple[Move, ...]:
    """Offer an Upgrade or mission prep to everyone who has one to choose (VK-52)."""
    if moment.on_mission:
        no = Refusal(
            "advancement comes after the mission, which is still in progress (end it with “mission over”)", "VK-52"
        )
        return Move("advance", (), "Upgrade", blocked=no), Move("prep", (), "Mission prep", blocked=no)
    letters, moves = crew_letters(moment), []
    preps = (
        *(Option(name, name.capitalize(), _PREP_ABOUT[name][0]) for name in PREP),
        Option("twice", "Roll twice", "both count"),
    )
    for word, key in crew_words(moment).items():
        name, about = moment.name(key), (f"crew.{key}",)
        had = None
        if not moment.member(key).may_advance:
            had = Refusal(f"{name} can't choose now: they have already chosen, or weren't on the mission", "VK-52")
        advance = (PickOne("list", "Kind of upgrade", _lists(moment, key), clause="VK-66"),)
        moves.append(Move("advance", (word,), f"{name}: Upgrade", advance, had, about=about, key=letters[key]))
        prep = (PickOne("what", "Prep", preps, clause="VK-54"),)
        moves.append(Move("prep", (word,), f"{name}: Mission prep", prep, had, about=about, key=letters[key]))
    return tuple(as_offer(move) for move in moves) if isinstance(moment.top, Advancing) else tuple(moves)


def as_offer(move: Move) -> Move:
    """Return a choice that is open as an offer of the mission's end. Each is an act of its own."""
    return move if move.blocked else replace(move, follows=True, apart=True, offer="L")


def _keep_open(moment: Moment, stage: Advancing) -> Advancing | None:
    """Keep the offers until everyone has chosen and the ship is upgraded, or another mission has begun."""
    due = moment.sheet.mission.upgrade or any(member.may_advance for _, member in moment.crew())
    return stage if due and not moment.on_mission else None


def _lists(moment: Moment, who: str) -> tuple[Option, ...]:
    """Return the two lists as options. A list that someone has in full is refused (VK-53)."""
    options = []
    for name in LISTS:
        text = name.replace("-", " ")
        whole = advancements_of(moment.member(who), name) == LISTS[name]
        no = Refusal(f"{moment.name(who)} already has all the {text}", "VK-53") if whole else None
        options.append(Option(name, text, blocked=no))
    return tuple(options)


def advancements_of(member: Member, table: str) -> tuple[Advancement, ...]:
    """Return the advancements from that list that someone has."""
    return tuple(item for item in LISTS[table] if item in member.advancements)


def advance(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `advance mara qualities`: the first advancement from a list is a free choice, later ones are rolled (VK-53)."""
    who, table = who_is(moment, move.words[0]), str(answers["list"])
    moment = moment.with_member(who, may_advance=False)
    if not advancements_of(moment.member(who), table):
        chooses = moment.says(f"{moment.name(who)} chooses from the {_table_name(table)}", "VK-53", NotePart.DETAIL)
        return chooses.then(FreePick(who, table))
    moment, (face,) = moment.rolls(
        dice,
        f"{_table_name(table)} for {moment.name(who)}",
        ("upgrade",),
        f"{moment.name(who)} rolls for {_table_name(table)}",
    )
    item = LISTS[table][face - 1]
    if item in moment.member(who).advancements:
        after = moment.says(
            f"{moment.name(who)} already has {title(item)}, so they can choose anything else on the list", "VK-53"
        )
        return after.then(FreePick(who, table))
    return gain(moment, who, item)


def _table_name(table: str) -> str:
    return table.replace("-", " ")


def pick_question(moment: Moment, pick: FreePick) -> str:
    """Ask which advancement someone takes."""
    return f"{moment.name(pick.who)} chooses from the {_table_name(pick.table)}"


def pick_answers(moment: Moment, pick: FreePick) -> tuple[Move, ...]:
    """Offer `gain forceful` and the like; one that is already held is refused. If the whole list is held, the Upgrade
    is kept for later.
    """
    advancements = moment.member(pick.who).advancements
    if advancements_of(moment.member(pick.who), pick.table) == LISTS[pick.table]:
        return (Move("finish", (), "Nothing to choose: keep the Upgrade for later"),)
    return tuple(
        Move(
            "gain",
            (item.value,),
            f"{title(item)}: {ABOUT[item][0]}",
            blocked=Refusal(f"{moment.name(pick.who)} already has {title(item)}", "VK-53")
            if item in advancements
            else None,
            key=str(number),
            heading=f"{moment.name(pick.who)} gains {title(item)}",
        )
        for number, item in enumerate(LISTS[pick.table], 1)
    )


def answer_pick(moment: Moment, pick: FreePick, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Gain the chosen advancement, or keep the Upgrade if nothing was left."""
    if move.verb == "finish":
        return moment.closes().with_member(pick.who, may_advance=True)
    return gain(moment.closes(), pick.who, Advancement(move.words[0]))


def gain(moment: Moment, who: str, item: Advancement) -> Moment:
    """Gain an advancement. If there is no room for it, one has to go first (VK-66)."""
    advancements = moment.member(who).advancements
    if len(advancements) >= TOP_ADVANCEMENTS:
        return moment.then(Surplus(who, item))
    after = moment.with_member(who, advancements=(*advancements, item))
    if item is Advancement.ABLATIVE_ARMOUR:
        after = after.with_member(who, ablative=True)
    after = after.says(f"{moment.name(who)} gains {title(item)} ({ABOUT[item][0]})", ABOUT[item][1])
    return after.then(Naming(who, item)) if item in _NAMED else after


def surplus_question(moment: Moment, surplus: Surplus) -> str:
    """Ask which advancement goes."""
    return f"{moment.name(surplus.who)} can keep {TOP_ADVANCEMENTS} advancements. Which one do they give up?"


def surplus_answers(moment: Moment, surplus: Surplus) -> tuple[Move, ...]:
    """Offer `drop expert` and the like."""
    items = (*moment.member(surplus.who).advancements, Advancement(surplus.gained))
    return tuple(
        Move(
            "drop",
            (item.value,),
            f"Drop {title(item)} ({ABOUT[item][0]})",
            key=str(number),
            heading=f"{moment.name(surplus.who)} gives up {title(item)}",
        )
        for number, item in enumerate(dict.fromkeys(items), 1)
    )


def answer_surplus(moment: Moment, surplus: Surplus, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Drop one advancement and gain the new one, unless the new one is dropped (VK-66)."""
    goes, gained = Advancement(move.words[0]), Advancement(surplus.gained)
    after = moment.closes().says(f"{moment.name(surplus.who)} gives up {title(goes)}", "VK-66")
    if goes is gained:
        return after
    kept = tuple(item for item in moment.member(surplus.who).advancements if item is not goes)
    return gain(after.with_member(surplus.who, advancements=kept), surplus.who, gained)


def naming_question(moment: Moment, naming: Naming) -> str:
    """Ask for the name of an expertise, or of an arm's tool."""
    name = moment.name(naming.who)
    if naming.gained == Advancement.EXPERT:
        return f"What is {name} expert in (for example biology)?"
    return f"Which tool does {name}'s auxiliary arm hold?"


def naming_answers(moment: Moment, naming: Naming) -> tuple[Move, ...]:
    """Offer `name`, which asks for the expertise or the arm's tool."""
    question = naming_question(moment, naming)
    ask = Text("name", question, required=True)
    what = "expertise" if naming.gained == Advancement.EXPERT else "auxiliary arm"
    heading = f"{moment.name(naming.who)}'s {what}"
    return (Move("name", (), question, (ask,), about=(f"crew.{naming.who}",), heading=heading),)


def answer_naming(moment: Moment, naming: Naming, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Name an expertise or an arm's tool (VK-62, VK-67)."""
    name, expert = str(answers["name"]).strip(), naming.gained == Advancement.EXPERT
    after = moment.closes().with_member(naming.who, **{"expertise" if expert else "arm": name})
    text = f"is an expert in {name}" if expert else f"carries {name} on the auxiliary arm"
    return after.says(f"{moment.name(naming.who)} {text}", "VK-62" if expert else "VK-67")


def prepare(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `prep mara care` or `prep mara twice`, for the next mission (VK-54)."""
    who, what = who_is(moment, move.words[0]), str(answers["what"])
    moment = moment.with_member(who, may_advance=False)
    names = [what]
    if what == "twice":
        moment, faces = moment.rolls(
            dice, f"mission prep for {moment.name(who)}", ("prep", "prep"), f"{moment.name(who)} rolls for mission prep"
        )
        names = [PREP[face - 1] for face in faces]
    for name in names:
        prep = moment.member(who).prep
        moment = moment.with_member(who, prep=replace(prep, **{name: min(2, getattr(prep, name) + 1)}))
        about, clause = _PREP_ABOUT[name]
        moment = moment.says(f"{moment.name(who)} prepares {name.capitalize()} ({about})", clause)
    return moment


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer what missions allow, and then what advancement does."""
    return (*offer_missions(moment), *offer_advancements(moment))


CHAPTER = Chapter(
    offers=offers,
    plays={"carry-on": carry_on, "mission": play, "willpower": willpower, "advance": advance, "prep": prepare},
    stages=(
        StageRules(Advancing, keep=_keep_open),
        StageRules(FreePick, pick_question, pick_answers, answer_pick, keep=keep_in_crew),
        StageRules(Surplus, surplus_question, surplus_answers, answer_surplus, keep=keep_in_crew),
        StageRules(Naming, naming_question, naming_answers, answer_naming, keep=keep_in_crew),
    ),
)
