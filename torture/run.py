"""Runs the harnesses: `make torture`, `make torture ARGS="--only kill"`, `make torture ARGS="--short"`.

Each prints its figure, and every fault with its place. The exit code is 1 when a figure is not what was promised, and 3
when nothing that was asked for could be run here.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from bench.terminal import NotShown
from torture import (
    browsers,
    by_hand,
    called_rolls,
    calls,
    chains,
    clones,
    crowd,
    editors,
    endings,
    full,
    killing,
    merges,
    payloads,
    phones,
    pieces,
    players,
    power,
    quiet,
    steps,
    viewers,
    writer,
)
from torture.figures import Form, Harness, Work
from waylog.rules.model.moves import ActRefused
from waylog.store.files_and_lock import CampaignBusy
from waylog.table import LogWriteFailed
from waylog.toml.document import UnreadableFile

HARNESSES: tuple[Harness, ...] = (
    killing.HARNESS,
    steps.HARNESS,
    crowd.HARNESS,
    calls.KILLED,
    calls.FAILED,
    full.LIMITS,
    full.DISKS,
    power.HARNESS,
    chains.HARNESS,
    writer.HARNESS,
    editors.HARNESS,
    pieces.HARNESS,
    quiet.HARNESS,
    by_hand.HARNESS,
    clones.HARNESS,
    merges.HARNESS,
    endings.KILLED,
    endings.ENDINGS,
    endings.STARTING,
    endings.ELSEWHERE,
    payloads.HARNESS,
    players.HARNESS,
    phones.EVENING,
    phones.ENEMIES,
    phones.KEYS,
    browsers.HARNESS,
    called_rolls.HARNESS,
    viewers.HARNESS,
    viewers.TIMES,
)
_MINUTES = {Form.WHOLE: 120, Form.SHORT: 10, Form.TASTE: 5}
"""A harness that takes longer hangs, and is ended with a traceback of where."""
_CLEARING_UP = 60
"""Seconds after which clearing up after such a harness is ended too: it may wait for the same thing."""
_SHOWN = 12
"""Faults that are printed of one figure."""
BROKEN, NOT_RUN = 1, 3


class TookTooLong(Exception):
    """A harness did not end in its time."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was asked for and give the exit code."""
    args = _arguments(argv)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        # What is started here is started as from a terminal, though this may run behind `nohup`, which has it ignore them.
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    chosen = [harness for harness in HARNESSES if not args.only or harness.name in args.only]
    seed = random.SystemRandom().randrange(1 << 32) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    ran = broken = 0
    for harness in chosen:
        if reason := harness.missing():
            print(f"{harness.name}: not run here: {reason}", flush=True)
            continue
        ran += 1
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(_MINUTES[args.form] * 60)
        try:
            broken += not _run(harness, form=args.form, seed=seed)
        except (
            AssertionError,
            OSError,
            LookupError,
            ValueError,
            NotShown,
            subprocess.SubprocessError,
            TookTooLong,
            ActRefused,
            LogWriteFailed,
            CampaignBusy,
            UnreadableFile,
        ):
            # One that breaks down says nothing of the others.
            broken += 1
            print(f"{harness.name}: broke down\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        finally:
            signal.alarm(0)
    return BROKEN if broken else NOT_RUN if not ran else 0


def _too_long(_number: int, _frame: FrameType | None) -> None:
    signal.alarm(_CLEARING_UP)
    raise TookTooLong


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    listed = "\n".join(f"  {harness.name:10} {harness.about}" for harness in HARNESSES)
    parser = argparse.ArgumentParser(
        "torture", description=__doc__, epilog=listed, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [harness.name for harness in HARNESSES]
    parser.add_argument("--only", metavar="NAME", action="append", choices=names, help="one of those below")
    parser.set_defaults(form=Form.WHOLE)
    forms = parser.add_mutually_exclusive_group()
    for form, about in ((Form.SHORT, "fewer rounds of everything: minutes"), (Form.TASTE, "a few: seconds")):
        forms.add_argument(f"--{form.name.lower()}", dest="form", action="store_const", const=form, help=about)
    parser.add_argument("--seed", type=int, help="the same chances as in an earlier run")
    return parser.parse_args(argv)


def _run(harness: Harness, *, form: Form, seed: int) -> bool:
    """Run one harness. True when all its promises were kept."""
    began, kept = time.monotonic(), True
    with tempfile.TemporaryDirectory(prefix=f"waylog-{harness.name}-") as folder:
        for tally in harness.run(Work(Path(folder), form, seed)):
            kept = kept and tally.kept
            print(f"{tally}{'' if tally.kept else '   NOT KEPT'}  [{time.monotonic() - began:.0f} s]", flush=True)
            for kind, where in tally.faults[:_SHOWN]:
                print(f"    {kind}: {where}", file=sys.stderr, flush=True)
    return kept
