"""The start and end of missions, and mission prep (VK-32, VK-50…VK-52, VK-54, VK-70…VK-78)."""

from __future__ import annotations

from waylog.rules.common.clock_moves import clock_words
from waylog.rules.model import clocks
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, Text, refuse_for_state
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.crew import mission_end_reason
from waylog.rules.systems.veil_core.roll_moves import spend_prep
from waylog.rules.systems.veil_core.sheet import MOST_FOCUS, Prep
from waylog.rules.systems.veil_core.stages_and_typed_names import Advancing, Moment, crew_words, who_is
from waylog.values import replace

_RESULTS = (Option("success", "Success"), Option("failure", "Failure"))


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer to start or end a mission, to carry on after it has ended, and to spend Willpower."""
    mission = moment.sheet.mission
    begun = not mission.over and mission.name
    under_way = Refusal("a mission is already in progress: end it first", "VK-50") if begun else None
    closed = Refusal("no mission is in progress: start one first", "VK-50") if mission.over else None
    name = Text("name", "Name", required=True)
    carry = Move("carry-on", (), "Carry on anyway", about=("mission",))
    return (
        *((carry,) if mission_end_reason(moment) else ()),
        Move("mission", ("begin",), "Start a mission", (name,), under_way, about=("mission",)),
        Move(
            "mission",
            ("over",),
            "End the mission",
            (PickOne("result", "Result", _RESULTS, clause="VK-50"),),
            closed,
            about=("mission",),
            effect=True,
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
    """Let play go on although the mission has ended (VK-32, VK-42)."""
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
            label = f"{moment.name(key)} spends Willpower to {way} a segment"
            asks = (PickOne("clock", "Clock", options, clause="VK-77"),)
            moves.append(Move("willpower", (word, way), label, asks, nothing, about=(f"crew.{key}",)))
    return tuple(moves)


def willpower(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `willpower`: someone spends mission prep to fill or empty one segment of a clock (VK-77)."""
    word, way = move.words
    key = clock_words(moment.clocks)[str(answers["clock"])]
    clock = clocks.fill_clock(moment.clocks[key], 1 if way == "fill" else -1)
    named = f"“{clock.name}”" if clock.seen and not clock.seen_by else "a clock"
    moment = spend_prep(moment, who_is(moment, word), "willpower", f"to {way} a segment of {named}", "VK-77")
    moved = replace(moment, clocks={**moment.clocks, key: clock})
    text = f"“{clock.name}” is at {clock.filled}/{clock.segments}"
    about = (clocks.clock_path(key, "filled"),)
    return moved.tells(NoteFact(text, "VK-77", secret=not clock.shows_count, about=about))


CHAPTER = Chapter(offers=offers, plays={"carry-on": carry_on, "mission": play, "willpower": willpower})
