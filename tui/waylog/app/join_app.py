"""The app of a player who acts: it shows the players' file, sends proposals, and shows their answers.

Of the campaign it opens only `players.toml` and the player's own folder in `inbox/`.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from textual import events
from textual.screen import Screen

from waylog.app.base_app import defer_signals
from waylog.app.players_app import PlayersApp
from waylog.settings import SettingsFile
from waylog.store.attendance import is_attended
from waylog.store.inbox import AnswerKind, InboxRefused, read_answer, read_waiting, send, take_back
from waylog.store.players_moves import moves_for, title_of_words
from waylog.ui.views.join import JoinScreen, SentProposal

_KEPT = 20
"""The most proposals that are remembered."""
_PLAYED_MEANWHILE = 10.0
"""Seconds after a proposal was taken back in which its answer is still read: it may have been played at the same moment."""
_LONG = 3.0
"""Seconds after which a proposal that waits says so if nobody has the campaign open."""


class JoinApp(PlayersApp, inherit_bindings=False):
    """The window of one player at the table."""

    BINDINGS = PlayersApp.BINDINGS

    def __init__(self, folder: Path, player: str, theme: str | None = None, chosen: SettingsFile | None = None) -> None:
        super().__init__(folder, theme, chosen)
        self._player = player
        self._sent: list[SentProposal] = []
        self._since: dict[str, float] = {}
        """When each proposal was sent or taken back, by its id."""

    def get_default_screen(self) -> Screen[None]:
        self._join = self._window = JoinScreen(self._player, self._propose, self._take_back)
        return self._join

    def on_mount(self) -> None:
        """Show what still waits from an earlier window, such as one whose connection was cut."""
        self._look()
        moves = moves_for(self._seen.moves, self._player) if self._seen else ()
        waiting = read_waiting(self._folder, self._player)[-_KEPT:]
        self._sent = [SentProposal(letter.id, title_of_words(moves, letter.words)) for letter in waiting]
        self._since = {letter.id: monotonic() for letter in waiting}
        self._join.show_sent(self._sent)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys one after the other: the line that a key opens gets the keys after it."""
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not is_typed or self.is_dropped(event) or self.screen is not self._join:
            await super().on_event(event)
        elif isinstance(event, events.Paste):
            self._join.paste(event.text)
        elif isinstance(event, events.Key) and not self._join.takes(event):
            await self._check_bindings(event.key)

    def _propose(self, words: str, title: str) -> None:
        """Send words to the wayfinder. `title` is their meaning for people."""
        try:
            proposal = send(self._folder, self._player, words)
        except InboxRefused as refused:
            self._join.say(str(refused))
        except OSError as trouble:
            self._join.say(f"the proposal can't be sent: {(trouble.strerror or str(trouble)).lower()}")
        else:
            self._sent = [*self._sent, SentProposal(proposal, title)][-_KEPT:]
            self._since[proposal] = monotonic()
            self._join.show_sent(self._sent)

    def _take_back(self) -> None:
        """Take back the last proposal that waits."""
        self._look()
        waiting = [each for each in self._sent if each.answer is AnswerKind.WAITS]
        if not waiting:
            self._join.say("none of your proposals is waiting")
            return
        last = waiting[-1]
        try:
            take_back(self._folder, self._player, last.id)
        except OSError as trouble:
            self._join.say(f"the proposal can't be taken back: {(trouble.strerror or str(trouble)).lower()}")
            return
        self._sent = [each._replace(answer=AnswerKind.TAKEN_BACK) if each is last else each for each in self._sent]
        self._since[last.id] = monotonic()
        self._join.show_sent(self._sent)

    def _look(self) -> None:
        super()._look()
        sent = [self._follow(each) for each in self._sent]
        if sent != self._sent:
            self._sent = sent
            self._join.show_sent(sent)

    def _follow(self, proposal: SentProposal) -> SentProposal:
        """Return a proposal with its current answer. A proposal that was taken back may have been played at the same moment."""
        since = monotonic() - self._since[proposal.id]
        is_back = proposal.answer is AnswerKind.TAKEN_BACK
        if not (proposal.answer is AnswerKind.WAITS or (is_back and since < _PLAYED_MEANWHILE)):
            return proposal
        try:
            answer = read_answer(self._folder, self._player, proposal.id)
        except OSError:  # The next look tries again.
            return proposal
        if is_back and answer.kind is AnswerKind.GONE:
            return proposal
        alone = answer.kind is AnswerKind.WAITS and since > _LONG and not is_attended(self._folder)
        return proposal._replace(answer=answer.kind, why=answer.why, alone=alone)


def join(folder: Path, player: str, *, theme: str | None = None, chosen: SettingsFile | None = None) -> int:
    """Run the app until the person leaves. Return the exit code. Raises an error of the app after the terminal is restored."""
    with defer_signals():
        app = JoinApp(folder, player, theme, chosen)
        app.run()
    return app.result()
