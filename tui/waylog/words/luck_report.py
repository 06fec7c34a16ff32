"""Luck as Markdown, for the screen, for commands and for line mode: one sentence, then the figures. And what became of the seals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.model.odds import Ratio, percent
from waylog.store.shown.luck_and_fairness import FEWEST, FaceCount, Luck, RollSum, SealCheck, SealReport
from waylog.store.shown.recap import escape_markdown

_FINE = 10**9
"""Chances are rounded to this part of 1 before they are written."""
_WIDEST = 12
"""Of dice with more sides, the faces are not listed."""


def luck_text(of: Luck) -> str:
    """Return what the dice came to: the sentence, then tables."""
    return "\n".join(_lines(of)) + "\n"


def luck_sentence(of: Luck) -> str:
    """Return whether the dice were unusual, in a sentence or two."""
    if of.every.tails is None:
        return f"Only {_count(of.every.rolls, 'roll')} so far. Luck can't be judged with fewer than {FEWEST}."
    if (rare := of.unusual) is None:
        return f"The dice look fair. Fair dice end up at least this far from average {_share(of.every.tails.as_far)} of the time."
    high = rare.tails.more < rare.tails.less
    seldom = _share(rare.tails.as_high if high else rare.tails.as_low)
    if isinstance(rare.what, FaceCount):
        often = "that often" if high else "that rarely"
        die = f"{rare.source}, d{rare.what.sides}"
        return (
            f"{die}: {rare.what.face} came up {_count(rare.what.came, 'time')}, compared with {rare.what.expected:.1f} expected. "
            f"Fair dice show a face {often} only {seldom} of the time."
        )
    how = "high" if high else "low"
    return f"{rare.what.name} rolled {how}. Fair dice roll this {how} only {seldom} of the time."


def luck_sentences(of: Luck) -> Iterator[str]:
    """Yield the same for line mode: whether the dice were unusual, then each person and source."""
    yield luck_sentence(of)
    for each in (*of.people, *of.sources):
        chance = f". Fair dice roll at least this high {_share(each.tails.as_high)} of the time" if each.tails else ""
        yield f"{each.name}: {_count(each.rolls, 'roll')}, total {each.came}, expected {each.expected:.1f}{chance}."


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _share(chance: float) -> str:
    return percent(Ratio(round(chance * _FINE), _FINE))


def _lines(of: Luck) -> Iterator[str]:
    yield luck_sentence(of)
    if not of.every.dice:
        return
    yield from ("", "## By person", "", *_table(of.people))
    yield from ("", "## By source", "", *_table((*of.sources, of.every)))
    for sides in sorted({counts[0].sides for _, counts in of.faces if counts[0].sides <= _WIDEST}):
        yield from ("", f"## How often a d{sides} showed each face", "")
        yield f"| | {' | '.join(map(str, range(1, sides + 1)))} | expected |"
        yield "|---" + "|---:" * (sides + 1) + "|"
        for source, counts in of.faces:
            if counts[0].sides == sides:
                yield f"| {source} | {' | '.join(str(each.came) for each in counts)} | {counts[0].expected:.1f} each |"
    yield from ("", f"Chances are shown for {FEWEST} rolls or more. Undone rolls don't count.")


def _table(sums: Sequence[RollSum]) -> Iterator[str]:
    chances = [f" {_share(each.tails.as_high) if each.tails else ''} |" for each in sums]
    chances = chances if any(each.tails for each in sums) else [""] * len(sums)
    yield "| | rolls | dice | total | expected |" + (" as high or higher |" if any(chances) else "")
    yield "|---" + "|---:" * (5 if any(chances) else 4) + "|"
    for each, chance in zip(sums, chances, strict=True):
        name = escape_markdown(each.name)
        yield f"| {name} | {each.rolls} | {each.dice} | {each.came} | {each.expected:.1f} |{chance}"


def seal_lines(of: SealReport) -> Iterator[str]:
    """Yield what became of each seal, and how many dice come from none."""
    for seal in of.seals:
        yield f"Session {seal.session}, sealed in entry {seal.entry}: {_verdict(seal)}"
    for number in of.stray:
        yield f"The dice of entry {number} should come from a seal, but the log doesn't have that seal"
    if of.unsealed:
        one = "1 die that Waylog rolled has no seal. It was rolled"
        dice = one if of.unsealed == 1 else f"{of.unsealed} dice that Waylog rolled have no seal. They were rolled"
        yield f"{dice} outside a session, in “What if”, or by an earlier version of Waylog"
    if not (of.seals or of.stray or of.unsealed):
        yield "Waylog has rolled no dice yet"


def _verdict(seal: SealCheck) -> str:
    dice = "1 die" if seal.dice == 1 else f"{seal.dice} dice"
    if not seal.told and not seal.is_open:
        return f"{dice}, which nobody can check, because the seed isn't in the log"
    if not seal.told:
        return f"{dice}. The log shows the seed when the session ends. SHA-256 of the seed: {seal.seal}"
    if seal.wrong:
        return f"{dice}, but those in entry {', '.join(map(str, seal.wrong))} don't match the seed"
    return f"{dice} recomputed from the seed, with the same result" if seal.dice else "no dice"
