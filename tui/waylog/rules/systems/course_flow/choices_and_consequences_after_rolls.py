"""After a roll: which die is elected, and the consequences: the result and what becomes of a win, the high die, tokens, harm, and the next
Course (CF-13…CF-23).

`elect` applies them in this order and opens a stage for each one that somebody has to decide; `close` comes last.
"""

from __future__ import annotations

from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.rolls_and_elections import (
    LEAST_WIN,
    Election,
    Outcome,
    consequences,
    course_words,
    declare_reaction,
    elections,
    harms,
    intent_words,
    is_noticed,
    keep_roll,
    lesson,
    reactions,
    result,
    runs,
    shield,
    sum_text,
)
from waylog.rules.systems.course_flow.sheet import Course, DieType
from waylog.rules.systems.course_flow.state_stages_and_typed_names import (
    Closing,
    ElectionChoice,
    Harm,
    Lesson,
    Moment,
    Notice,
    Offered,
    RollSetup,
    SlotRecovery,
    Stage,
    Unnamed,
    held_skill,
    keep_in_crew,
)
from waylog.values import replace

# -- the election (CF-13) ----------------------------------------------------------------------------------------------


def thrown_question(moment: Moment, thrown: ElectionChoice) -> str:
    """Ask which of the two dice is elected."""
    which = f"Which die does {moment.name(thrown.roll.who)} pair with the Course ({course_words(moment.course)})?"
    return f"{intent_words(moment, thrown.roll)}{which}"


_WAIT_LETTERS = dict(zip(DieType, "oaxyh", strict=True))
"""The letter with which a die is elected without taking the intent, the same in every roll: none begins the name of a die."""


def thrown_answers(moment: Moment, thrown: ElectionChoice) -> tuple[Move, ...]:
    """Offer both elections, each with all its consequences and a key of its own (CF-13).

    An intent may be declined at the same time (CF-20). A win is declined later, after the wayfinder has offered it.
    """
    about, both, name = (f"crew.{thrown.roll.who}",), elections(moment, thrown), moment.name(thrown.roll.who)
    elect = (
        Move(
            "elect",
            (one.die.value,),
            _risk_notes(moment, thrown, one),
            _asks(moment, thrown.roll, one),
            about=about,
            key=one.die.value[0],
            title=f"{name} elects {one.die.label} {one.face}",
        )
        for one in both
    )
    wait = (
        Move(
            "wait",
            (one.die.value,),
            _risk_notes(moment, thrown, decline(one)),
            _asks(moment, thrown.roll, one),
            about=about,
            key=_WAIT_LETTERS[one.die],
            title=f"{name} elects {one.die.label} {one.face} and declines the intent",
        )
        for one in both
        if one.outcome is Outcome.INTENT
    )
    return (*elect, *wait, *reactions(thrown.roll))


def _asks(moment: Moment, roll: RollSetup, election: Election) -> tuple[Ask, ...]:
    """Ask what only words can tell: after a tie, the Dramatic Setback (CF-14); with a high Compelling, who is impressed;
    with a high Sneaky where somebody could notice, who may (CF-35). The text is optional.
    """
    if election.high is None:
        return (Text("setback", "What goes wrong"),)
    if moment.rules.harm_and_notice == "told":
        return ()
    match election.high:
        case DieType.COMPELLING:
            return (Text("witness", "Who sees it and is impressed"),)
        case DieType.SNEAKY if roll.watched:
            return (Text("witness", "Who may notice"),)
        case _:
            return ()


def _risk_notes(moment: Moment, thrown: ElectionChoice, election: Election) -> str:
    return f"{election.die.label} {election.face}: {consequences(moment, thrown.roll, election)}"


def decline(election: Election) -> Election:
    """Return the election with “not yet” as its result (CF-20)."""
    return replace(election, outcome=Outcome.NOT_YET)


def elect(moment: Moment, thrown: ElectionChoice, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Elect one die and set the other aside. Open the consequences, with the next Course last (CF-23)."""
    if move.verb == "react":
        return declare_reaction(moment, thrown)
    election = next(one for one in elections(moment, thrown) if one.die.value == move.words[0])
    election = decline(election) if move.verb == "wait" else election
    roll = thrown.roll
    safe = election.high is DieType.DARING and moment.rules.daring_lasts == "next-course"
    after = moment.closes().then(Closing(roll.who, election.aside, election.aside_face, safe=safe, reacts=roll.reacts))
    if moment.rules.harm_and_notice == "asked":
        after = after.then(*risks(moment, roll, election))
    if election.high:
        after = apply_outcome(after, roll, election, str(given.get("witness", "")).strip())
    else:
        after = setback(after, roll, election, str(given.get("setback", "")).strip())
    return told_of_risks(earn_tokens(after, roll, election), roll, election)


def earn_tokens(moment: Moment, roll: RollSetup, election: Election) -> Moment:
    """Give a token for each 6, whatever the result (CF-21)."""
    for kind in election.tokens:
        moment = moment.with_token(roll.who, kind, 1)
        moment = moment.says(
            f"{moment.name(roll.who)}: {kind.value.capitalize()} +1, now {moment.tokens(roll.who, kind)}", "CF-21"
        )
    return moment


def tell_result(moment: Moment, roll: RollSetup, outcome: Outcome) -> Moment:
    """Note the result of a roll, with the intent that was stated for it (CF-32)."""
    after = moment.tells(result(moment, roll.who, outcome))
    if not roll.intent:
        return after
    name = moment.name(roll.who)
    comes = f"{name} achieves the intent" if outcome is Outcome.INTENT else f"{name}'s intent"
    return after.says(f"{comes}: {roll.intent}", "CF-32")


# -- a tie (CF-14) -----------------------------------------------------------------------------------------------------


def setback(moment: Moment, roll: RollSetup, election: Election, text: str) -> Moment:
    """Note a Dramatic Setback in the wayfinder's words. The Flow drops to 0, and a skill may rise."""
    after = moment.says(f"{election.die.label} {election.face} ties with the Course", "CF-14")
    after = tell_result(after, roll, Outcome.SETBACK)
    after = after.says(f"The Setback: {text}", "CF-14") if text else after
    after = reset_flow(after, roll, "CF-14")
    if lesson(moment, roll, election.face):
        after = raise_skill(after, roll.who, roll.skill) if roll.skill else after.then(Lesson(roll.who, election.face))
    return after


def raise_skill(moment: Moment, who: str, skill: str) -> Moment:
    """Raise a skill by 1."""
    value = moment.skill(who, skill) + 1
    return moment.with_skill(who, skill, value).says(f"{moment.name(who)} learns {skill} (now {value})", "CF-14")


def lesson_question(moment: Moment, stage: Lesson) -> str:
    """Ask which skill was learned."""
    return f"{moment.name(stage.who)} learns a skill. Which one? (0 → 1)"


def lesson_answers(moment: Moment, stage: Lesson) -> tuple[Move, ...]:
    """Offer `name`, which asks for the skill."""
    ask = Text("name", "Skill", required=True)
    heading = f"{moment.name(stage.who)} learns a skill"
    return (Move("name", (), "Name the skill", (ask,), about=(f"crew.{stage.who}",), heading=heading),)


def answer_lesson(moment: Moment, stage: Lesson, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Set the new skill to 1. Raises `ActRefused` for a skill that they have, because the roll was made without one."""
    text = str(answers["name"]).strip()
    text = held_skill(moment, stage.who, text)
    if text in moment.member(stage.who).skills:
        raise ActRefused(
            f"{moment.name(stage.who)} already has {text}: name a skill that {moment.name(stage.who)} lacks", "CF-14"
        )
    return raise_skill(moment.closes(), stage.who, text)


# -- no tie (CF-15…CF-20) ----------------------------------------------------------------------------------------------

_BONUS = {
    DieType.COMPELLING: "a witness is impressed",
    DieType.DARING: "no harm to {who} or allies",
    DieType.EXPERTISE: "the Flow stays as it is",
    DieType.SNEAKY: "nobody notices {who} unless {who} allows it",
    DieType.THRIVING: "one slot may be recovered",
}


def apply_outcome(moment: Moment, roll: RollSetup, election: Election, witness: str) -> Moment:
    """Add facts on the high die, on who witnesses or may notice (CF-35), and on the sum. Then open what comes next: a slot to recover,
    an offered win, the intent, or Not yet (CF-15…CF-20).
    """
    assert election.high
    name, kept = moment.name(roll.who), election.high is DieType.EXPERTISE
    text = f"{election.high.label} is high: {_BONUS[election.high].format(who=name)}"
    if kept and not runs(moment, roll):
        text = "Expertise is high, but there is no Flow to keep"
    if election.high is DieType.SNEAKY and not roll.watched:
        text = "Sneaky is high, but nobody is there to notice"
    if election.high is DieType.DARING and moment.rules.daring_lasts == "next-course":
        text += " until the next Course is replaced"
    after = moment.says(text, "CF-15")
    if witness:
        impressed = election.high is DieType.COMPELLING
        after = after.says(f"Impressed: {witness}" if impressed else f"Who may notice: {witness}", "CF-35")
    after = after.says(sum_text(moment, roll, election), "CF-16")
    if election.outcome is Outcome.NOT_YET and election.total >= LEAST_WIN:
        after = after.says(f"{name} declines the intent", "CF-20")
    if election.high is DieType.THRIVING:
        after = after.then(SlotRecovery(roll.who))
    match election.outcome:
        case Outcome.WIN:
            return after.then(Offered(roll, election.total, kept=kept))
        case Outcome.INTENT:
            return take_win(after, roll, Outcome.INTENT, "CF-19", kept=kept)
        case _:
            return not_yet(after, roll)


def take_win(moment: Moment, roll: RollSetup, outcome: Outcome, clause: str, *, kept: bool) -> Moment:
    """Take a win or the intent. The Flow drops to 0 unless Expertise is high (CF-18, CF-19)."""
    after = tell_result(moment, roll, outcome)
    return after if kept else reset_flow(after, roll, clause)


def not_yet(moment: Moment, roll: RollSetup) -> Moment:
    """Raise the Flow by 1; without a Flow, ask for the name of a new one (CF-17)."""
    after = tell_result(moment, roll, Outcome.NOT_YET)
    flow = after.flow(roll.flow)
    if flow is not None:
        risen = after.with_flow(roll.flow, value=flow.value + 1)
        return risen.says(f"“{after.flow_name(roll.flow)}” +1, now {flow.value + 1}", "CF-17")
    return after.then(Unnamed(roll.who)) if after.rules.not_yet_without_flow == "new-flow" else after


def reset_flow(moment: Moment, roll: RollSetup, clause: str) -> Moment:
    """Set the Flow of the roll to 0, and say so under `clause`. Without a Flow, or with one at 0, nothing changes."""
    flow = moment.flow(roll.flow)
    if flow is None or not flow.value:
        return moment
    return moment.with_flow(roll.flow, value=0).says(f"“{moment.flow_name(roll.flow)}” {flow.value} → 0", clause)


def offered_question(moment: Moment, stage: Offered) -> str:
    """Ask whether the win is taken."""
    name = moment.name(stage.roll.who)
    if stage.offer:
        return f"{name} has {stage.total} and is offered a win: {stage.offer}. Take it, or wait?"
    return f"{name} has {stage.total}, so the wayfinder offers a win. Take it, or wait?"


def offered_answers(moment: Moment, stage: Offered) -> tuple[Move, ...]:
    """Offer `take`, `wait` (CF-20), or to describe the win first (CF-18)."""
    flow, about = moment.flow(stage.roll.flow), (f"crew.{stage.roll.who}",)
    then = later = ""
    if flow:
        name = moment.flow_name(stage.roll.flow)
        then = f": “{name}” stays {flow.value}" if stage.kept or not flow.value else f": “{name}” {flow.value} → 0"
        later = f": “{name}” {flow.value} → {flow.value + 1}"
    elif moment.rules.not_yet_without_flow == "new-flow":
        later = ": a new Flow at 1"
    ask = Text("what", "The win", required=True)
    return (
        Move(
            "take",
            (),
            f"Take the win{then}",
            about=about,
            key="t",
            title=f"{moment.name(stage.roll.who)} takes the win",
        ),
        Move(
            "wait",
            (),
            f"Not yet{later}",
            about=about,
            key="y",
            heading=f"{moment.name(stage.roll.who)} declines the win",
        ),
        Move("offer", (), "Describe the win", (ask,), about=about, key="o", heading="The wayfinder offers a win"),
        *reactions(stage.roll),
    )


def answer_offered(moment: Moment, stage: Offered, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Take the win (CF-18), or wait (CF-20)."""
    match move.verb:
        case "offer":
            text = str(answers["what"]).strip()
            again = moment.closes().then(replace(stage, offer=text))
            return again.says(f"The wayfinder offers: {text}", "CF-18", NotePart.DEED)
        case "react":
            return declare_reaction(moment, stage)
        case "wait":
            return not_yet(
                moment.closes().says(f"{moment.name(stage.roll.who)} declines the win", "CF-20", NotePart.DEED),
                stage.roll,
            )
        case _:
            return take_win(moment.closes(), stage.roll, Outcome.WIN, "CF-18", kept=stage.kept)


def unnamed_question(_moment: Moment, _stage: Unnamed) -> str:
    """Ask for the name of the new Flow."""
    return "Not yet. Name a new Flow (it starts at 1)"


def unnamed_answers(_moment: Moment, _stage: Unnamed) -> tuple[Move, ...]:
    """Offer `name`, which asks for the new Flow."""
    ask = Text("name", "Flow", required=True)
    return (Move("name", (), "Name the new Flow", (ask,), about=("flows",), heading="New Flow"),)


def answer_unnamed(moment: Moment, _stage: Unnamed, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Start a new Flow at 1 (CF-17)."""
    name = str(answers["name"]).strip()
    return moment.closes().with_new_flow(name, 1).says(f"New Flow: “{name}”, at 1", "CF-17", NotePart.DEED)


# -- danger and notice (CF-22) ----------------------------------------------------------------------------------------


def risks(moment: Moment, roll: RollSetup, election: Election) -> tuple[Stage, ...]:
    """Return the stages for danger and notice. Harm comes first."""
    notice: tuple[Stage, ...] = (Notice(roll.who),) if is_noticed(roll, election) else ()
    return (*notice, Harm(roll.who)) if harms(moment, roll, election) else notice


def told_of_risks(moment: Moment, roll: RollSetup, election: Election) -> Moment:
    """Note the danger and notice that nobody is asked about: an earlier high Daring protects, or a house rule says so."""
    keeper = shield(moment, roll, election)
    if roll.dangerous and keeper and election.high is not DieType.DARING:
        moment = moment.says(f"No harm: protected by {moment.name(keeper)}'s high Daring", "CF-15")
    if moment.rules.harm_and_notice == "told":
        for stage in reversed(risks(moment, roll, election)):
            text = "does harm" if isinstance(stage, Harm) else "is noticed"
            moment = moment.says(f"The roll {text}", "CF-22")
    return moment


def notice_question(moment: Moment, stage: Notice) -> str:
    """Return the question who notices what was done (CF-35)."""
    return f"{moment.name(stage.who)} could be noticed, and Sneaky isn't high. Who notices?"


def notice_answers(moment: Moment, stage: Notice) -> tuple[Move, ...]:
    """Offer `noticed "the harbour watch"`, or `spare`."""
    noticed = Move("noticed", (), "They are noticed", (Text("whom", "Noticed by", required=True),))
    noticed = replace(noticed, heading=f"{moment.name(stage.who)} is noticed")
    return noticed, Move("spare", (), "Nobody notices after all")


def answer_notice(moment: Moment, stage: Notice, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Note who notices, as the wayfinder says."""
    if move.verb == "spare":
        return moment.closes().says("Nobody notices after all", "CF-22", NotePart.DEED)
    text = f"{moment.name(stage.who)} is noticed by {str(answers['whom']).strip()}"
    return moment.closes().says(text, "CF-22", NotePart.DEED)


# -- the next Course (CF-23, CF-34) -------------------------------------------------------------------------------------


def reaction_question(moment: Moment, stage: Closing) -> str:
    """Ask for the last reaction."""
    course = Course(stage.die.value, stage.face)
    return f"Is there a last reaction to {moment.name(stage.who)}'s roll, before the Course becomes {course_words(course)}?"


def reaction_answers(_moment: Moment, _stage: Closing) -> tuple[Move, ...]:
    """Offer `reaction "The hatch shuts"`, or `pass`."""
    ask = Text("what", "What happens", required=True)
    return Move("reaction", (), "The last reaction", (ask,)), Move("pass", (), "No reaction")


def answer_reaction(moment: Moment, stage: Closing, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Note the reaction. The next Course follows."""
    text = "No reaction" if move.verb == "pass" else f"The last reaction: {str(answers['what']).strip()}"
    return moment.closes().then(replace(stage, reacts=False)).says(text, "CF-34", NotePart.DEED)


def close(moment: Moment, stage: Closing, _dice: Dice) -> Moment:
    """Make the die that was set aside the Course, set by the roller."""
    course = Course(stage.die.value, stage.face, stage.who, stage.who if stage.safe else "")
    after = moment.closes().with_course(course)
    return after.says(f"The Course is now {course_words(course)}, set by {moment.name(stage.who)}", "CF-23")


CHAPTER = Chapter(
    stages=(
        StageRules(ElectionChoice, thrown_question, thrown_answers, elect, keep=keep_roll),
        StageRules(Offered, offered_question, offered_answers, answer_offered, keep=keep_roll),
        StageRules(Unnamed, unnamed_question, unnamed_answers, answer_unnamed, keep=keep_in_crew),
        StageRules(Lesson, lesson_question, lesson_answers, answer_lesson, keep=keep_in_crew),
        StageRules(Notice, notice_question, notice_answers, answer_notice, keep=keep_in_crew),
        StageRules(
            Closing,
            reaction_question,
            reaction_answers,
            answer_reaction,
            choices=lambda _moment, stage: stage.reacts,
            automatic=close,
            keep=keep_in_crew,
        ),
    ),
)
