"""What is worth the terminal's bell: a clock that has become full."""

from __future__ import annotations

from waylog.snapshot import Snapshot


def newly_full(before: Snapshot, after: Snapshot) -> str:
    """Return a sentence about the clocks that were not full before and are now; empty if there are none.

    A clock that players don't see is not named: others may see the screen that the message appears on.
    """
    full = [
        clock.name if clock.seen else "A hidden clock"
        for key, clock in after.clocks.items()
        if clock.full and not clock.closed and key in before.clocks and not before.clocks[key].full
    ]
    return f"{' and '.join(full)} {'is' if len(full) == 1 else 'are'} full" if full else ""
