"""Rolls against a difficulty: the dice, the moves that roll, and engineering spent instead of dice (VC-04…VC-10, VC-20,
VC-26); proficiency and help from backgrounds, skills, modules and grit (VC-05, VC-06); and the exact odds of a roll, with what each
outcome would do with the dice (VC-25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.common.rulings import dice_ask, given_words, note_dice, with_given
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.model.odds import Odds, Ratio, percent
from waylog.rules.rulebook import Chapter
from waylog.rules.systems._veil_older_editions.damage import forecast, lose_token
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    HeldToken,
    Moment,
    crew_words,
    module_words,
    own_words,
    times,
)
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import (
    MOST_HELP,
    OUTCOMES,
    HitRoll,
    Tally,
    call_ask,
    call_of,
    help_text,
    on,
    spread,
    target,
)
from waylog.rules.systems._veil_older_editions.roll_moves import (
    LOWERS,
    module_options,
    odds_of,
    other_help,
    roll_offers,
    roll_title,
    roller_and_system,
    tell_type,
    throw,
)
from waylog.rules.systems.veil_classic import shunts
from waylog.rules.systems.veil_classic.sheet import member_of
from waylog.values import dataclass, replace

PROFICIENCY: Mapping[int, str] = {5: "Amateur", 4: "Skilled", 3: "Expert"}
"""The name of each target (VC-05)."""
GRIT = "grit"
"""The word for help from grit, which is listed only to be refused (VC-06)."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A background or a skill of a crew member, which makes them proficient (VC-05)."""

    kind: str
    text: str
    alone: bool
    """The owner has no other of its kind, so the kind is enough as a name."""

    @property
    def name(self) -> str:
        """The name in moves and in the log."""
        return self.kind if self.alone else self.text


@dataclass(frozen=True, slots=True)
class Helper:
    """Someone who rolls one die for another's roll, with a target of their own (VC-06)."""

    who: str
    factors: tuple[str, ...]

    @property
    def target(self) -> int:
        """The lowest face that is a hit for them."""
        return target(len(self.factors))


def factors(moment: Moment, who: str) -> tuple[Factor, ...]:
    """Return someone's backgrounds and skills (VC-03). If the sheet names none, one of each is assumed."""
    member, found = member_of(moment, who), list[Factor]()
    kinds = (
        ("background", (member.background, *member.backgrounds)),
        ("skill", (member.skill, *member.skills)),
    )
    for kind, texts in kinds:
        words = tuple(dict.fromkeys(text.strip() for text in texts if text.strip())) or ("",)
        found.extend(Factor(kind, text, len(words) == 1) for text in words)
    return tuple(found)


def factor_words(moment: Moment, who: str) -> Mapping[str, Factor]:
    """Return someone's backgrounds and skills by the word to type: `background`, or `reads-water` if there are several."""
    numbered = {str(number): factor for number, factor in enumerate(factors(moment, who))}
    several = tuple((number, factor.text) for number, factor in numbered.items() if not factor.alone)
    words = {number: word for word, number in own_words(moment, several, "factor").items()}
    return {words.get(number, factor.kind): factor for number, factor in numbered.items()}


def helper_words(moment: Moment, who: str) -> Mapping[str, tuple[str, str]]:
    """Return who could help, and with what, by word: `joss`, `joss-background`, `joss-skill`, or `joss-reads-water` if
    there are several.
    """
    mates = [(word, key) for word, key in crew_words(moment).items() if key != who]
    numbered = {
        str(number): (word, key, name)
        for number, (word, key, name) in enumerate(
            (word, key, name)
            for word, key in mates
            for name in (*(factor.name for factor in factors(moment, key)), GRIT)
        )
    }
    names = tuple((number, f"{word} {name}") for number, (word, _, name) in numbered.items())
    more = own_words(moment, names, "helper")
    found: dict[str, tuple[str, str]] = {}
    for word, key in mates:
        found[word] = key, ""
        for text, number in more.items():
            _, mate, name = numbered[number]
            if mate == key:
                found[text] = key, name
    return found


def chosen_factors(moment: Moment, who: str, answers: Answers) -> Iterator[str]:
    """Return the names of what makes the roller proficient; grit comes last (VC-05)."""
    built, bays, current = dict(moment.modules()), module_words(moment), factor_words(moment, who)
    for word in selected_words(answers, "proficiency"):
        yield built[bays[word]].name if word in bays else current[word].name
    yield from ("other help",) * len(selected_words(answers, "other"))
    yield from ("grit",) * len(selected_words(answers, "grit"))


def chosen_helpers(moment: Moment, who: str, answers: Answers) -> Iterator[Helper]:
    """Return who helps, and with what (VC-06)."""
    words, chosen = helper_words(moment, who), selected_words(answers, "helpers")
    for key in moment.crew():
        names = [words[word][1] for word in chosen if words[word][0] == key]
        if names:
            yield Helper(key, tuple(factor.name for factor in factors(moment, key) if factor.name in names))


def helper_text(moment: Moment, helper: Helper) -> str:
    """Describe a helper: `Joss helps and hits on 5+ (Amateur, with background)`."""
    return f"{moment.name(helper.who)} helps and {target_text(helper.target, helper.factors)}"


def target_text(target: int, factors: Sequence[str] = ()) -> str:
    """Return what a die hits on, the proficiency, and what gives it: `hits on 5+ (Amateur, with grit)`; without any, `hits on 6`."""
    why = f", {help_text(factors)}" if factors else ""
    return f"hits on {on(target)}" + (f" ({PROFICIENCY[target]}{why})" if target in PROFICIENCY else "")


DIFFICULTIES: Mapping[str, int] = {
    "normal": 1,
    "risky": 2,
    "reckless": 3,
    "impossible": 4,
    "impossible5": 5,
    "impossible6": 6,
}
"""Difficulties by word (VC-04)."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of a roll before they are rolled."""

    roll: HitRoll
    """The roll; the dice of helpers come last (VC-08)."""
    words: str
    """The pool in words: `Engines 2 + personal 3`."""
    factors: tuple[str, ...]
    """The things that make the roller proficient."""
    grit: int
    """The number of grit tokens among the factors."""
    helpers: tuple[Helper, ...]
    difficulty: str
    """The word of the difficulty (VC-04)."""

    @property
    def target(self) -> int:
        """The lowest face that is a hit for the roller (VC-05)."""
        return target(len(self.factors))


def pool_of(moment: Moment, move: Move, answers: Answers) -> Pool:
    """Return the dice of a system, of the roller and of helpers (VC-06, VC-07). Raises `ActRefused`, also if there are
    none (VC-26).
    """
    who, system = roller_and_system(moment, move)
    count, dice = moment.personal(who), moment.dice(system) if system else 0
    names = with_given((*(system,) * dice, *(moment.name(who),) * count), answers, moment.name(who))
    words = " + ".join((*((f"{system} {dice}",) if system else ()), f"personal {count}")) + given_words(answers)
    is_desperate, reasons = call_of(moment, answers, system=bool(system))
    helpers = tuple(chosen_helpers(moment, who, answers))
    if not names and not helpers:
        raise ActRefused("no dice to roll: a helper or a rest would add one", "VC-26")
    grit, factors = len(selected_words(answers, "grit")), tuple(chosen_factors(moment, who, answers))
    if grit and len(factors) > MOST_HELP:
        raise ActRefused(
            f"the other {len(factors) - grit} already make this Expert: leave out grit, which adds nothing", "VC-05"
        )
    difficulty = str(answers.get("difficulty", "normal"))
    sources = (*names, *(moment.name(helper.who) for helper in helpers))
    targets = (*(target(len(factors)),) * len(names), *(helper.target for helper in helpers))
    given = note_dice(answers, "VC-07")
    roll = HitRoll(who, system, sources, targets, DIFFICULTIES[difficulty], is_desperate, reasons, given)
    return Pool(roll, words, factors, grit, helpers, difficulty)


def summary(moment: Moment, pool: Pool) -> str:
    """Return the pool in words: `6d6: Engines 2 + personal 3, hits on 4+; Joss 1, hits on 6; difficulty 2 (Risky)`."""
    helpers = "".join(f"; {moment.name(helper.who)} 1, hits on {on(helper.target)}" for helper in pool.helpers)
    return (
        f"{len(pool.roll.sources)}d6: {pool.words}, hits on {on(pool.target)}{helpers}; {difficulty_text(pool).lower()}"
    )


def difficulty_text(pool: Pool) -> str:
    """Return the difficulty in words: `Difficulty 2 (Risky)`."""
    return f"Difficulty {pool.roll.difficulty} ({pool.difficulty.rstrip('56').capitalize()})"


def proficient(pool: Pool) -> str:
    """Describe the proficiency: `hits on 4+ (Skilled, with background and skill)`."""
    return target_text(pool.target, pool.factors)


# -- the moves that roll ------------------------------------------------------------------------------------------------


def offers(moment: Moment) -> Iterator[Move]:
    """Offer `roll mara engines`, a roll of each system for each crew member, and `roll mara`, any other roll."""
    return roll_offers(moment, _asks)


def _asks(moment: Moment, who: str, *, system: bool) -> tuple[Ask, ...]:
    """Return the questions of a roll. Each grit token is a step (VC-05). Engineering buys a Success of a roll of a system or with a
    module (VC-20).
    """
    helpers, difficulties = _helpers(moment, who), DIFFICULTIES.items()
    ratings = tuple(
        Option(word, word.rstrip("56").capitalize(), str(rating), (f"d{rating}",)) for word, rating in difficulties
    )
    left = max(0, member_of(moment, who).grit)
    none = None if left else Refusal(f"{moment.name(who)} has no grit: only the wayfinder can award it", "VC-05")
    grit = Option("grit", "a grit token", f"{LOWERS} ({left} left)", blocked=none, costs=True)
    most_grit = max(1, min(left, MOST_HELP))
    gone = None if moment.holds(HeldToken.ENGINEERING) else Refusal("engineering is lost", "VC-20")
    spend = Option(HeldToken.ENGINEERING.value, "Spend engineering for a Success", blocked=gone, costs=True)
    instead = PickOne("instead", "Instead of rolling", (Option("dice", "Roll the dice"), spend), "dice", "VC-20")
    return (
        PickOne("difficulty", "Difficulty", ratings, "normal", "VC-04"),
        PickMany("proficiency", "Proficiency", _proficiency(moment, who), clause="VC-05"),
        other_help("VC-05"),
        PickMany("grit", "Grit", (grit,), most=most_grit, repeats=True, clause="VC-05"),
        *((PickMany("helpers", "Helpers", helpers, clause="VC-06"),) if helpers else ()),
        call_ask(moment, system=system),
        *((instead,) if system or any(True for _ in moment.modules()) else ()),
        dice_ask(),
    )


def _proficiency(moment: Moment, who: str) -> tuple[Option, ...]:
    """Return the roller's backgrounds, skills, and the ship's modules that aren't destroyed: one step each (VC-05)."""
    options = (
        Option(word, factor.kind.capitalize(), f"{LOWERS} · “{factor.text}”" if factor.text else LOWERS)
        if factor.alone
        else Option(word, factor.text, f"{LOWERS} · {factor.kind}")
        for word, factor in factor_words(moment, who).items()
    )
    return (*options, *module_options(moment, "VC-19"))


def _helpers(moment: Moment, who: str) -> tuple[Option, ...]:
    """Return the options for helpers: one die each, with what makes them proficient. Their grit is refused (VC-06)."""
    options = []
    for word, (key, how) in helper_words(moment, who).items():
        name, paths = moment.name(key), (f"crew.{key}",)
        match how:
            case "":
                options.append(Option(word, name, "+1d6", paths=paths))
            case "grit":
                no = Refusal("grit only helps its owner's rolls", "VC-06")
                if member_of(moment, key).grit > 0:
                    options.append(Option(word, f"{name}: grit", blocked=no, paths=paths))
            case _:
                options.append(Option(word, f"{name}: {how}", LOWERS, paths=paths))
    return tuple(options)


# -- rolling ---------------------------------------------------------------------------------------------------------


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `roll mara engines background risky joss`. Raises `ActRefused` or `DiceWanted`."""
    if str(answers.get("instead", "dice")) != "dice":
        return _spend_engineering(moment, move, answers)
    thrown = pool_of(moment, move, answers)
    who, system = thrown.roll.who, thrown.roll.system
    after = tell_type(moment, thrown.roll)
    if thrown.grit:
        member = member_of(moment, who)
        left = member.grit - thrown.grit
        after = after.with_member(who, replace(member, grit=left))
        after = after.says(f"{moment.name(who)}: grit −{thrown.grit}, now {left}", "VC-05")
    after = after.says(f"{difficulty_text(thrown)}, {proficient(thrown)}", "VC-05", NotePart.DETAIL)
    for helper in thrown.helpers:
        after = after.says(helper_text(moment, helper), "VC-06")
    read, outcome, _ = throw(after, thrown.roll, dice, "VC-08")
    if system:
        read = shunts.after_roll(read, system, outcome, dice, desperate=thrown.roll.desperate)
    return shunts.share_risk(read, who, tuple(helper.who for helper in thrown.helpers), outcome)


def check_engineering(moment: Moment, move: Move, answers: Answers) -> None:
    """Raise `ActRefused` if engineering can't be spent: the roll uses neither a system nor a module, or has grit
    (VC-20).
    """
    modules = [word for word in selected_words(answers, "proficiency") if word in module_words(moment)]
    if len(move.words) < 2 and not modules:
        raise ActRefused("to spend engineering, name a system or a module that helps", "VC-20")
    if selected_words(answers, "grit"):
        raise ActRefused("spending engineering replaces the roll: leave out grit", "VC-20")


def _spend_engineering(moment: Moment, move: Move, answers: Answers) -> Moment:
    """Spend engineering for a Success: no dice are rolled or moved (VC-20). Raises `ActRefused`."""
    check_engineering(moment, move, answers)
    spent = lose_token(moment, HeldToken.ENGINEERING, "spent instead of a roll: no dice move", "VC-20")
    word, label = moment.edition.outcomes[OutcomeGrade.SUCCESS]
    title = roll_title(moment, *roller_and_system(moment, move))
    return spent.tells(OutcomeFact(word, label, OutcomeGrade.SUCCESS, title))


# -- odds (VC-25) ------------------------------------------------------------------------------------------------------


def odds(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll. Raises `ActRefused` for one that can't be made."""
    if str(answers.get("instead", "dice")) != "dice":
        check_engineering(moment, move, answers)
        sure = (Ratio(0), Ratio(0), Ratio(1))
        cost = NoteFact(f"Engineering is spent: {moment.edition.losses[HeldToken.ENGINEERING].text}", "VC-20")
        return Odds("no dice: engineering", spread(moment.edition, sure), (), (), (cost,))
    pool = pool_of(moment, move, answers)
    wasted = NoteFact(f"A die {proficient(pool)}", "VC-05")
    return odds_of(
        moment, pool.roll, summary(moment, pool), pool.factors, wasted, lambda tally: _forecast(moment, pool, tally)
    )


def _forecast(moment: Moment, pool: Pool, tally: Tally) -> Iterator[NoteFact]:
    if pool.grit:
        yield NoteFact(f"Any outcome: grit −{pool.grit}", "VC-05")
    system = pool.roll.system
    if not system:
        return
    for mood, chance in zip(OUTCOMES, tally, strict=True):
        shunt = shunts.AFTER[pool.roll.desperate, mood]
        if chance and (moment.dice(system) or shunt is shunts.Shunt.FAULT):
            label = moment.edition.outcomes[mood][1].split()[0]
            yield NoteFact(
                f"{label} ({percent(chance)}): {shunt} ({_does(moment, system, shunt)})", _SHUNT_CLAUSES[shunt]
            )


_SHUNT_CLAUSES = {
    shunts.Shunt.REACTIVE: "VC-11",
    shunts.Shunt.STANDARD: "VC-12",
    shunts.Shunt.STABILISE: "VC-13",
    shunts.Shunt.FAULT: "VC-14",
}


def _does(moment: Moment, system: str, shunt: shunts.Shunt) -> str:
    count = moment.dice(system)
    dice = times(count, "die")
    match shunt:
        case shunts.Shunt.REACTIVE:
            return f"place the {dice} after the consequence is known"
        case shunts.Shunt.STANDARD:
            return f"place the {dice} at once"
        case shunts.Shunt.STABILISE:
            return f"return the {dice} to {system}"
        case shunts.Shunt.FAULT if count > 1:
            return f"1 {system} die is lost"
        case shunts.Shunt.FAULT if not count and moment.rules.fault_without_dice == "nothing":
            return "nothing is lost"
        case shunts.Shunt.FAULT:
            lost = f"the only {system} die is lost, and " if count else ""
            return f"{lost}the ship takes damage: {forecast(moment)}"


CHAPTER = Chapter(offers=offers, plays={"roll": play}, odds={"roll": odds})
