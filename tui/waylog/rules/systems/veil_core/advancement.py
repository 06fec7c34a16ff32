"""Advancement after a mission: an Upgrade or mission prep for each crew member (VK-52…VK-54, VK-60…VK-70)."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core.sheet import TOP_ADVANCEMENTS, Advancement, Member
from waylog.rules.systems.veil_core.stages_and_typed_names import (
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


def offers(moment: Moment) -> tuple[Move, ...]:
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
        Move("drop", (item.value,), f"Drop {title(item)} ({ABOUT[item][0]})", key=str(number))
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
    return (Move("name", (), question, (Text("name", question, required=True),), about=(f"crew.{naming.who}",)),)


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


CHAPTER = Chapter(
    offers=offers,
    plays={"advance": advance, "prep": prepare},
    stages=(
        StageRules(Advancing, keep=_keep_open),
        StageRules(FreePick, pick_question, pick_answers, answer_pick, keep=keep_in_crew),
        StageRules(Surplus, surplus_question, surplus_answers, answer_surplus, keep=keep_in_crew),
        StageRules(Naming, naming_question, naming_answers, answer_naming, keep=keep_in_crew),
    ),
)
