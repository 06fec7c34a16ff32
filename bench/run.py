"""Measures Waylog against what it promises of its speed, and prints a table. A bench, no test: a slow figure is no failure.

`make bench` runs everything, `make bench ARGS="--quick"` with fewer rounds, `make bench ARGS="--only P5"` one promise.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from bench import acts, players, screens
from bench.measure import Measure
from bench.programs import Bench, Failed
from bench.terminal import NotShown

_ROUNDS, _QUICK = 15, 5


class Experiment(NamedTuple):
    """Measures that are taken together."""

    names: tuple[str, ...]
    run: Callable[[Bench], Iterator[Measure]]


EXPERIMENTS = (
    Experiment(("P1", "P2", "P3", "P12", "P13"), screens.starts),
    Experiment(("P4",), acts.commands),
    Experiment(("P4",), acts.games),
    Experiment(("P5", "P6", "P7", "P8", "P13"), screens.keys),
    Experiment(("P8", "P14"), screens.idle),
    Experiment(("P5", "P14", "P15", "P16"), players.players),
    Experiment(("P9",), acts.acts),
    Experiment(("P10",), acts.growth),
    Experiment(("P10",), screens.saving),
    Experiment(("P11",), acts.odds),
)


def main() -> int:
    """Run what was asked for. 1 when something could not be measured."""
    args = _arguments()
    rounds = args.n or (_QUICK if args.quick else _ROUNDS)
    began, measures, failures = time.monotonic(), list[Measure](), 0
    with tempfile.TemporaryDirectory(prefix="waylog-bench-") as folder:
        bench = Bench(Path(folder), rounds)
        for experiment in EXPERIMENTS:
            if args.only and not set(args.only) & set(experiment.names):
                continue
            gc.collect()
            try:
                for measure in experiment.run(bench):
                    if not args.only or measure.name in args.only:
                        measures.append(measure)
                        print(_row(measure), flush=True)
            except (Failed, NotShown, OSError) as error:
                failures += 1
                print(f"{', '.join(experiment.names)} could not be measured: {error}", file=sys.stderr)
    print(f"{rounds} rounds, {time.monotonic() - began:.0f} s; {_verdicts(measures)}")
    if args.json:
        args.json.write_text(json.dumps([{**asdict(each), "verdict": each.verdict} for each in measures], indent=1))
    return 1 if failures else 0


def _arguments() -> argparse.Namespace:
    known = sorted({name for experiment in EXPERIMENTS for name in experiment.names}, key=lambda name: int(name[1:]))
    parser = argparse.ArgumentParser("bench", description="Measures Waylog against what it promises of its speed.")
    parser.add_argument("--only", metavar="P5", action="append", choices=known, help=", ".join(known))
    parser.add_argument("-n", metavar="ROUNDS", type=int, help=f"how often each is done; otherwise {_ROUNDS}")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK} rounds")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there too")
    args = parser.parse_args()
    print(f"{'':4} {'':68} {'figure':>12} {'target':>8} {'limit':>8}  {'':4}  seen")
    return args


def _row(measure: Measure) -> str:
    figure = f"{measure.value:.3g} {measure.unit}" if measure.value < 1000 else f"{measure.value:.0f} {measure.unit}"
    return (
        f"{measure.name:4} {measure.what:68} {figure:>12} {measure.target:>8g} {measure.limit:>8g}"
        f"  {measure.verdict:4}  {measure.seen}"
    )


def _verdicts(measures: Iterable[Measure]) -> str:
    verdicts = [measure.verdict for measure in measures]
    return ", ".join(f"{verdicts.count(word)} {word}" for word in ("ok", "slow", "OVER"))


if __name__ == "__main__":
    sys.exit(main())
