"""Events for which the terminal's bell rings: a full clock, a timer that has run out, and a player's proposal."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.app.driver import TerminalDriver
from waylog.rules.naming import join_names
from waylog.settings import Settings
from waylog.snapshot import Snapshot
from waylog.store.countdowns import Countdown


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


def news_of_proposals(before: Snapshot, after: Snapshot) -> str:
    """Return a sentence about proposals that are new in `after`; empty if there are none."""
    known = {proposal.id for proposal in before.proposals}
    names = dict.fromkeys(proposal.name for proposal in after.proposals if proposal.id not in known)
    return f"{join_names(names)} {'proposes' if len(names) == 1 else 'propose'} something" if names else ""


def call_attention(text: str, driver: TerminalDriver, settings: Settings) -> None:
    """Ring and have the terminal show a message, as far as the settings say."""
    if settings.bell:
        driver.ring()
    if settings.notification != "off":
        driver.notify(text, settings.notification)


def run_out(ended: Sequence[Countdown]) -> str:
    """Return a sentence about timers that have run out; empty if there are none. A hidden one is not named."""
    names = [one.name if one.seen else "A hidden timer" for one in ended]
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} run out" if names else ""
