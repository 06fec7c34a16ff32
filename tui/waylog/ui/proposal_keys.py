"""The wayfinder's keys for the proposals of players.

A line above the tray shows a proposal. Its keys have no other meaning, and play never waits for a proposal.
"""

from __future__ import annotations

from collections.abc import Callable

from waylog.rules.moves import Refusal
from waylog.store.proposals import Proposal
from waylog.ui.act_flow import ActFlow, ProposalAnswered
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.ui.window import Window

_NONE = Refusal("no player has proposed anything")
_REASONS = ("not now", "say first what you want to achieve", "that is for somebody else")
"""Reasons to choose from; any other is typed."""


class ProposalKeys:
    """Plays, declines and steps through proposals."""

    def __init__(self, window: Window, flow: ActFlow, post: Callable[[ProposalAnswered], object]) -> None:
        self._window, self._flow, self._post = window, flow, post

    def accept(self) -> None:
        """Play the proposal that is shown."""
        if proposal := self._current:
            self._post(ProposalAnswered(proposal.id))

    def ask_reason(self) -> None:
        """Ask why the proposal that is shown is declined. Enter alone gives no reason."""
        if proposal := self._current:
            listed = (Choice(self._decline(proposal, ""), "Without a reason"), *self._choices(proposal))
            title = f"Decline the proposal of {proposal.name}"
            self._flow.ask(PromptRequest(title, choices=listed, from_text=lambda text: self._choice(proposal, text)))

    def step(self, by: int) -> None:
        """Show another proposal."""
        self._window.banner.step(by)

    @property
    def _current(self) -> Proposal | None:
        proposal = self._window.banner.proposal
        if proposal is None:
            self._window.refuse(_NONE)
        return proposal

    def _choices(self, proposal: Proposal) -> list[Choice]:
        return [self._choice(proposal, reason) for reason in _REASONS]

    def _choice(self, proposal: Proposal, reason: str) -> Choice:
        return Choice(self._decline(proposal, reason), f"“{reason}”")

    @staticmethod
    def _decline(proposal: Proposal, reason: str) -> AppCommand:
        return AppCommand(f"decline({proposal.id!r}, {reason!r})")
