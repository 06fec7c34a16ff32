"""Exact odds before a roll, and a forecast of what its bad outcomes would do now (VK-21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import selected_words
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.moves import Answers, Move
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread, percent
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core import probabilities, roll_group_and_heal_moves
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import fiasco_focus, in_hand
from waylog.rules.systems.veil_core.damage import crew_damage, ship_damage
from waylog.rules.systems.veil_core.focus_on_dice import picked_places, rerolls
from waylog.rules.systems.veil_core.rolls import LABELS, OUTCOMES, Pool, defence_pool, summary, title
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    SHIP,
    FocusChoice,
    Hit,
    Moment,
    Purpose,
    RollRequest,
    who_is,
)
from waylog.rules.systems.veil_core.tokens_restoring_and_shunts import TOKEN_WORDS, foresee_loss
from waylog.values import replace


def of_roll(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll. Raises `ActRefused` for one that can't be made."""
    return _of_pool_or_sure(moment, roll_group_and_heal_moves.pool_of(moment, move, answers), answers)


def of_healing(moment: Moment, move: Move, answers: Answers) -> Odds:
    """Return the odds of a roll to heal. Raises `ActRefused` for one that can't be made."""
    return _of_pool_or_sure(moment, roll_group_and_heal_moves.healing_pool(moment, move, answers), answers)


def of_group(moment: Moment, _move: Move, answers: Answers) -> Odds | None:
    """Return the odds of a group roll; None while nobody is named."""
    return _of_group(moment, roll_group_and_heal_moves.rollers(moment, answers))


def of_defence(moment: Moment, move: Move, _answers: Answers) -> Odds | None:
    """Return the odds of a Defender's roll against the open hit."""
    hit = moment.top
    return _of_pool(moment, defence_pool(moment, who_is(moment, move.words[0]), hit)) if isinstance(hit, Hit) else None


def of_reroll(moment: Moment, _move: Move, answers: Answers) -> Odds | None:
    """Return the odds of a reroll; None while no die is chosen. Raises `ActRefused` for dice that can't be rerolled."""
    thrown = moment.top
    faces = tuple(int(face) for face in selected_words(answers, "faces"))
    return _of_reroll(moment, thrown, faces) if isinstance(thrown, FocusChoice) else None


def _of_pool_or_sure(moment: Moment, pool: Pool, answers: Answers) -> Odds:
    instead = str(answers.get("instead", "dice"))
    return _certain(moment, pool, instead) if instead != "dice" else _of_pool(moment, pool)


def spread(label: str, tally: probabilities.Tally) -> Spread:
    """Turn a tally into a spread."""
    return Spread(
        label,
        tuple(Chance(mood.value, LABELS[mood], mood, chance) for mood, chance in zip(OUTCOMES, tally, strict=True)),
    )


def tally_of(pool: Pool, tokens: int, *, forceful: bool) -> probabilities.Tally:
    """Return the odds of a pool if that much Focus is spent in the best way."""
    if pool.lowest:
        return probabilities.lowest_of_two(tokens)
    dice = len(pool.sources)
    return probabilities.odds_with_rerolls(dice, tokens) if forceful else probabilities.odds_with_raises(dice, tokens)


def _of_pool(moment: Moment, pool: Pool) -> Odds:
    who = pool.roll.who
    forceful, tokens = rerolls(moment, who), in_hand(moment, who) - _costs(pool.roll)
    plain = tally_of(pool, 0, forceful=forceful)
    spends = tuple(
        spread(f"with {count} Focus", tally_of(pool, count, forceful=forceful)) for count in range(1, tokens + 1)
    )
    return Odds(
        summary(pool),
        spread("", plain),
        spends,
        pool.reasons,
        (*_price(moment, pool.roll), *_forecast(moment, pool.roll, plain, _costs(pool.roll))),
    )


def _costs(roll: RollRequest) -> int:
    """Return the Focus that the roll itself costs (VK-44, VK-64)."""
    return 0 if roll.purpose is Purpose.PLAIN else 1


def _price(moment: Moment, roll: RollRequest) -> Iterator[NoteFact]:
    if cost := _costs(roll):
        clause = "VK-44" if roll.purpose is Purpose.HEAL else "VK-64"
        yield NoteFact(f"Whatever the outcome: {cost} Focus is spent ({moment.focus(roll.who) - cost} left)", clause)


_SPENT = {
    "integrity": ("Integrity is spent", "VK-35"),
    "engineering": ("Engineering is spent", "VK-36"),
    "ingenuity": ("Ingenuity is spent", "VK-74"),
    "care": ("Care is spent", "VK-76"),
    "reckless": ("Damage:", "VK-65"),
}
"""The cost of each way to avoid rolling, and its clause."""


def _certain(moment: Moment, pool: Pool, instead: str) -> Odds:
    """Return the certain outcome of not rolling dice. Raises `ActRefused` if that isn't possible."""
    roll_group_and_heal_moves.check_ingenuity(pool.roll, instead)
    best = OutcomeGrade.CRITICAL if instead == "integrity" else OutcomeGrade.SUCCESS
    sure = tuple(Ratio(mood is best) for mood in OUTCOMES)
    tally: probabilities.Tally = (sure[0], sure[1], sure[2], sure[3])
    spent, clause = _SPENT[instead]
    follows = f" {crew_damage(moment, pool.roll.who)}" if instead == "reckless" else ""
    if (token := TOKEN_WORDS.get(instead)) and (loss := foresee_loss(moment, token)):
        follows = f": {loss}"
    costs = (NoteFact(f"{spent}{follows}. No dice are rolled", clause),)
    return Odds(f"no dice: {instead}", spread("", tally), (), pool.reasons, costs)


# -- a group (VK-20) -------------------------------------------------------------------------------------------------


def _of_group(moment: Moment, words: tuple[str, ...]) -> Odds | None:
    """Return the odds of the shared outcome if everyone rolls without tools or modules."""
    pools = [roll_group_and_heal_moves.pool_for(moment, word, {}) for word in words]
    if not pools:
        return None
    counts: Mapping[Counts, int] = {(0, 0, 0, 0): 1}
    for pool in pools:
        counts = _with_one_more(counts, tally_of(pool, 0, forceful=False), 6 ** len(pool.sources))
    throws = 6 ** sum(len(pool.sources) for pool in pools)
    shared = dict.fromkeys(OUTCOMES, 0)
    for count, ways in counts.items():
        outcomes = [mood for mood, times in zip(OUTCOMES, count, strict=True) for _ in range(times)]
        shared[moment.edition.group(outcomes, moment.rules)] += ways
    fiasco, drawback, success, critical = (Ratio(shared[mood], throws) for mood in OUTCOMES)
    each = ", ".join(f"{title(moment, pool.roll)} {len(pool.sources)}d6" for pool in pools)
    reasons = tuple(
        replace(note, text=f"{title(moment, pool.roll)}: {note.text}") for pool in pools for note in pool.reasons
    )
    how = (NoteFact(moment.edition.how_group_counts(moment.rules), moment.edition.group_clause),) if pools[1:] else ()
    return Odds(f"{each}, without tools", spread("", (fiasco, drawback, success, critical)), (), reasons, how)


Counts = tuple[int, ...]
"""Numbers of rolls with each outcome, worst first."""


def _with_one_more(counts: Mapping[Counts, int], tally: probabilities.Tally, throws: int) -> dict[Counts, int]:
    """Return how many throws lead to each count, after one more roll with that tally and that many throws."""
    pairs = [(place, chance.numerator * (throws // chance.denominator)) for place, chance in enumerate(tally) if chance]
    after: dict[Counts, int] = {}
    for count, ways in counts.items():
        for place, more in pairs:
            key = (*count[:place], count[place] + 1, *count[place + 1 :])
            after[key] = after.get(key, 0) + ways * more
    return after


# -- dice rolled again (VK-63) ---------------------------------------------------------------------------------------


def _of_reroll(moment: Moment, thrown: FocusChoice, faces: tuple[int, ...]) -> Odds | None:
    """Return the odds if exactly these dice are rerolled. Raises `ActRefused`."""
    if not faces:
        return None
    places = picked_places(thrown, faces)
    kept = tuple(face for place, face in enumerate(thrown.faces) if place not in places)
    tally = reroll_odds(kept, len(places))
    dice = f"{len(places)}d6 reroll" + (f", keeping {' '.join(map(str, kept))}" if kept else "")
    return Odds(dice, spread("", tally), (), (), tuple(_forecast(moment, thrown.roll, tally, len(places))))


@cache
def reroll_odds(kept: tuple[int, ...], dice: int) -> probabilities.Tally:
    """Return the odds of `dice` d6 beside dice that stay (VK-14)."""
    six = Ratio(1, 6)
    sixes, none = kept.count(6), (1 - six) ** dice
    one = dice * six * (1 - six) ** (dice - 1) if dice else Ratio(0)
    fiasco = Ratio(1, 2**dice) if max(kept, default=0) < 4 else Ratio(0)
    match sixes:
        case 0:
            return fiasco, none - fiasco, one, 1 - none - one
        case 1:
            return Ratio(0), Ratio(0), none, 1 - none
        case _:
            return Ratio(0), Ratio(0), Ratio(0), Ratio(1)


# -- what bad outcomes would do --------------------------------------------------------------------------------------


def _forecast(moment: Moment, roll: RollRequest, tally: probabilities.Tally, spent: int) -> Iterator[NoteFact]:
    chance = dict(zip(OUTCOMES, tally, strict=True))
    fiasco = chance[OutcomeGrade.FIASCO]
    if fiasco:
        count = moment.focus(roll.who) - spent
        gained = max(0, min(sum(tokens for tokens, _ in fiasco_focus(moment, roll)), moment.rules.focus - count))
        text = f"+{gained} Focus" if gained else f"Focus stays at {count}"
        yield NoteFact(f"Fiasco ({percent(fiasco)}): {text}", "VK-15")
    hurting = [mood for mood in OUTCOMES if moment.edition.harms(roll.call, mood) and chance[mood]]
    if hurting:
        named = join_names((_SHORT[mood] for mood in hurting), "or")
        total = sum((chance[mood] for mood in hurting), Ratio(0))
        what = ship_damage(moment) if roll.who == SHIP else crew_damage(moment, roll.who)
        yield NoteFact(f"{named} ({percent(total)}): {what}", moment.edition.harm_clause)
    if roll.purpose is Purpose.HEAL and (owed := fiasco + chance[OutcomeGrade.DRAWBACK]):
        yield NoteFact(f"Fiasco or drawback ({percent(owed)}): pay 1 more Focus or take damage", "VK-44")
    if roll.purpose is Purpose.DEFEND and fiasco:
        yield NoteFact(f"Fiasco ({percent(fiasco)}): both take damage", "VK-64")


_SHORT = {
    OutcomeGrade.FIASCO: "Fiasco",
    OutcomeGrade.DRAWBACK: "drawback",
    OutcomeGrade.SUCCESS: "Success",
    OutcomeGrade.CRITICAL: "Critical",
}


CHAPTER = Chapter(
    odds={"roll": of_roll, "heal": of_healing, "group": of_group, "defend": of_defence, "reroll": of_reroll},
)
