"""Odds of dice with symbols: what they come to together, and which outcome that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import prod
from operator import mul, sub

from waylog.rules.file_game.dice_readings import SYMBOLS, Band, Reading, Result
from waylog.rules.file_game.dice_throws_and_cards import pack_symbols, unpack_symbols
from waylog.rules.file_game.odds.odds_of_one_die_and_work_limit import Ways, Work
from waylog.values import replace


def asked_alone(reading: Reading, bands: Sequence[Band]) -> Reading:
    """Return the reading without the symbols that no outcome asks for."""
    reads = {path[-1] for band in bands for path in band.reads if path[0] == SYMBOLS}
    if any((band.low, band.high) != (None, None) or ("result",) in band.reads for band in bands):
        reads.add(reading.symbols[0])
    return replace(reading, symbols=tuple(name if name in reads else "" for name in reading.symbols))


def multiply_symbols(symbols: int, parts: Sequence[Ways], work: Work) -> Ways:
    """Return the ways to each sum of so many packed symbols (`pack_symbols`), one of each part.

    Each combination of counts that sums can have is one digit of a whole number, as in `multiply_ways`. Raises `TooMany`.
    """
    spread = [{tuple(unpack_symbols(face, symbols)): ways for face, ways in part.items()} for part in parts]
    sides = [[[counts[place] for counts in part] for part in spread] for place in range(symbols)]
    lows = [sum(map(min, side)) for side in sides]
    spans = [1 + sum(map(max, side)) - low for side, low in zip(sides, lows, strict=True)]
    steps = [*accumulate(spans, mul, initial=1)]
    work.count(steps[-1] * (2 + len(parts)) // 40)
    size = prod(sum(part.values()) for part in parts).bit_length() // 8 + 1
    whole = 1
    for part in spread:
        least = [min(counts) for counts in zip(*part, strict=True)]
        shifts = {8 * size * sum(map(mul, map(sub, counts, least), steps)): ways for counts, ways in part.items()}
        whole = sum((whole << shift) * ways for shift, ways in shifts.items())
    data, found = whole.to_bytes(steps[-1] * size, "little"), dict[int, int]()
    for place in range(steps[-1]):
        if ways := int.from_bytes(data[place * size : (place + 1) * size], "little"):
            counts = [low + place // step % span for low, step, span in zip(lows, steps, spans, strict=False)]
            found[pack_symbols(counts)] = ways
    return found


def outcomes_of_symbols(reading: Reading, bands: Sequence[Band], numbers: Ways, work: Work) -> Mapping[str, int]:
    """Return in how many ways each outcome comes, given those of each number that the symbols come to with everything added. Raises
    `TooMany`.
    """
    work.count(len(numbers))
    found, symbols = Counter[str](), len(reading.symbols)
    # What a formula reads of the symbols, and what it says of each thing that they come to: it is read once for each.
    reads = [
        [
            place
            for place, name in enumerate(reading.symbols)
            if (SYMBOLS, name) in band.reads or (not place and ("result",) in band.reads)
        ]
        for band in bands
    ]
    known: list[dict[tuple[int, ...], bool]] = [{} for _ in bands]
    in_order = [*enumerate(bands)][::-1]
    for number, ways in numbers.items():
        counts, first = unpack_symbols(number, symbols), bands[0]
        for place, band in in_order:
            if (band.low is not None and counts[0] < band.low) or (band.high is not None and counts[0] > band.high):
                continue
            if band.when:
                shown = tuple([counts[at] for at in reads[place]])
                if shown not in known[place]:
                    result = Result(counts[0], symbols=tuple(zip(reading.symbols, counts, strict=True)))
                    known[place][shown] = band.fits(result)
                if not known[place][shown]:
                    continue
            first = band
            break
        found[first.outcome] += ways
    return found
