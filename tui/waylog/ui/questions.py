"""The questions before something is undone: an act, a scene, or one side of an edit conflict.

The wayfinder's keys for the proposals of players.

A line above the tray shows a proposal. Its keys have no other meaning, and play never waits for a proposal.

The rules of what the person is looking at, on top of the window, and rulings that are written there.

The keys of a search: typing finds at once, Enter stays there, Esc returns; then n and N step from match to match until Esc.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Spacing
from textual.screen import Screen

from waylog.rules.codec.changes import format_path
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.model.state import EntryKind
from waylog.snapshot import UndoPlan
from waylog.store.log.entries import Entries, LogEntry
from waylog.store.players.proposals import Proposal
from waylog.ui.act_flow import ActFlow, ProposalAnswered, UndoRequested
from waylog.ui.draw.layout import SCENE, Rect, key_name, keys_of
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.ui.line.line_editor import LineEditor
from waylog.ui.parts.hints import Search
from waylog.ui.parts.menus import NO_CONFLICT, NOT_HELD, TITLES, line_for_ruling, question_about, rewind_question
from waylog.ui.window import Window
from waylog.words.sentences import describe_act

if TYPE_CHECKING:
    from waylog.ui.line.line_input import LineInput
    from waylog.ui.views.rule import RuleAnswer
    from waylog.ui.views.tabs import View


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


class RuleLookup:
    """Finds the rules that are meant, and shows them."""

    def __init__(self, screen: Screen[None], window: Window, flow: ActFlow) -> None:
        self._screen, self._window, self._flow = screen, window, flow
        self.refused_by: str | None = None
        """The clause of the refusal that the last key has removed."""

    def show(self, id_: str) -> None:
        """Show a rule: the given one, that of a refusal or question, or that of what is under the cursor."""
        if ids := (id_,) if id_ else self._rules_here():
            self._open(ids)
        else:
            self.search()

    def search(self) -> None:
        """Open the line that searches the rules."""
        self._flow.ask(PromptRequest(TITLES[""], text="rule "))

    def show_of_line(self, line: LineInput) -> None:
        """Show the rules of the command line, which continues afterwards."""
        from waylog.ui.line.line_input import rules_of_line

        if ids := rules_of_line(line, self._window.snapshot.reference):
            self._open(ids)

    def _rules_here(self) -> Sequence[str]:
        """Return the ids of the rules of what the person is looking at, the nearest first."""
        shown, tray = self._window.snapshot, self._window.tray
        reference = shown.reference
        asked = reference.about_move(tray.selected_follow_up) if tray.selected_follow_up else ()
        latest = [fact.clause for entry in shown.act for fact in entry.facts if isinstance(fact, NoteFact)]
        offered = [move.id for _, move in tray.choices]
        names = (self.refused_by, *asked, *self._window.view.topics(), *latest, *offered)
        return reference.about(*filter(None, names))

    def _open(self, ids: Sequence[str]) -> None:
        from waylog.ui.views.rule import RuleScreen

        window, size = self._window, self._screen.size
        frame = window.frame
        body = frame.body if frame else Rect(0, 0, size.width, size.height)
        bottom = body.bottom - (frame.covered if frame else 0)
        # The scene has the open dice in its upper half.
        above = bottom // 2 if window.tab == SCENE else 0
        free = Spacing(above, size.width - body.width, size.height - bottom)
        screen = RuleScreen(window.snapshot.reference, ids, free, may_leave=not window.typing)
        self._screen.app.push_screen(screen, self._go_on)

    def _go_on(self, answer: RuleAnswer | None) -> None:
        """Continue after the rules: with a search, or by writing a ruling."""
        if answer is None:
            return
        if answer.wants == "search":
            self.search()
            return
        line = line_for_ruling(self._window.snapshot.moves, self._window.snapshot.reference, answer.id)
        if isinstance(line, Refusal):
            self._window.refuse(line)
        else:
            self._flow.ask(line)


_STEPS = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1}


class SearchKeys:
    """The keys of a search. The view finds and marks the matches."""

    def __init__(self, window: Window, show_hints: Callable[[], None]) -> None:
        """`show_hints` is called when other keys have become useful."""
        self._window, self._show_hints = window, show_hints
        self._view: View | None = None
        """The view that is searched."""
        self._typed = False
        self._editor = LineEditor()

    @property
    def is_open(self) -> bool:
        """Whether a search is being typed or is kept."""
        return self._view is not None

    @property
    def hints(self) -> Search | None:
        """What the hint line shows of the search; None if there is none."""
        if self._view is None:
            return None
        return Search(self._typed, self._view.describe_matches(), self._view.MATCH_STEPS)

    def open(self) -> None:
        """Start a search."""
        self.end()
        self._view, self._typed = self._window.view, True
        self._editor.set("")
        self._view.begin_search()
        self.show_again()

    def end(self, *, back: bool = False) -> None:
        """End the search. With `back`, return to where it began."""
        view, self._view, self._typed = self._view, None, False
        if view is not None:
            view.end_search(back=back)
            self._window.tray.show_search(None)
            self._show_hints()

    def show_again(self) -> None:
        """Show the number of matches again, because they may have changed. End the search if the view is another one
        now.
        """
        if self._view is None:
            return
        if self._view is not self._window.view:
            self.end()
            return
        from waylog.ui.line.line_editor import SearchLine

        line = SearchLine(
            f"Search the {self._window.tab}", self._editor.text, self._editor.at, self._view.describe_matches()
        )
        self._window.tray.show_search(line if self._typed else None)
        self._show_hints()

    def types(self, event: events.Key) -> bool:
        """Handle a key while a search is being typed. Return False if none is."""
        view, before = self._view, self._editor.text
        if view is None or not self._typed:
            return False
        if event.key in ("escape", "ctrl+c"):
            self.end(back=True)
        elif event.key == "enter":
            self._keep(view)
        elif event.key in _STEPS:
            view.step_match(_STEPS[event.key] * (-1 if view.GOES_UP else 1))
        elif event.is_printable and event.character:
            self._editor.insert(event.character)
        else:
            self._editor.consume_key(event.key)
        if self._editor.text != before:
            view.search(self._terms())
        self.show_again()
        return True

    def paste(self, text: str) -> None:
        """Insert a paste into a search that is being typed."""
        if self._view is not None and self._typed:
            self._editor.insert(text)
            self._view.search(self._terms())
            self.show_again()

    def _terms(self) -> tuple[str, ...]:
        from waylog.store.log.search import split_terms  # Imported late: the first paint shows no search.

        return split_terms(self._editor.text)

    def _keep(self, view: View) -> None:
        if not self._terms():
            self.end(back=True)
            return
        self._typed = False
        view.keep_search()

    def steps(self, event: events.Key) -> bool:
        """Handle a key while a search is kept: go to another match or end the search. Return False for any other key.
        While something is asked, n and N write notes as usual.
        """
        view, snapshot = self._view, self._window.snapshot
        if view is None or event.key not in ("n", "N", "escape"):
            return False
        if event.key != "escape" and (snapshot.question is not None or snapshot.missing_dice):
            return False
        if event.key == "escape":
            self.end()
        elif not view.step_match(1 if event.key == "n" else -1):
            older, newer = view.MATCH_STEPS
            self._window.refuse(Refusal(f"no {older if event.key == 'n' else f'{newer} match'}"))
        self.show_again()
        return True


Rests = Callable[[int], UndoPlan]
"""Returns the act of an entry, and later changes of the same values. Raises `ActRefused`."""
SceneSoFar = Callable[[], tuple[LogEntry, ...]]
"""Returns what a rewind would undo, oldest first."""
Shows = Callable[[Sequence[LogEntry]], Sequence[str]]
"""Returns what is hidden from players now, and wouldn't be if these entries were undone."""


class UndoQuestions:
    """Asks before an undo: what would be undone, and what players would see again."""

    def __init__(
        self, window: Window, flow: ActFlow, entries: Entries, resting: Rests, scene: SceneSoFar, shows: Shows
    ) -> None:
        self._window, self._flow = window, flow
        self._entries, self._resting, self._scene, self._shows = entries, resting, scene, shows

    def ask_undo(self) -> None:
        """Ask before an undo."""
        back = UndoRequested()
        undo = self._window.snapshot.undo
        question = f"Undo {describe_act(undo)}? {key_name('undo', 'u')} or Enter confirms, Esc cancels" if undo else ""
        self._confirm(_keys_to_confirm("undo", "u", back), question, "undo", undo)

    def ask_redo(self) -> None:
        """Ask before a redo."""
        redo = self._window.snapshot.redo
        undone = list[LogEntry]()
        for number in redo.undoes if redo else ():
            with suppress(KeyError):  # somebody has broken it in the log since; what the undo took is known without it
                undone.append(self._entries(number))
        again = UndoRequested(again=True)
        key = key_name("redo", "U")
        what = describe_act(tuple(undone)) if undone else "it"
        if redo and redo.kind is EntryKind.REWIND:
            what = f"what was rewound ({len(redo.undoes)} action{'s' if len(redo.undoes) > 1 else ''})"
        question = f"Redo {what}? {key} or Enter confirms, Esc cancels" if redo else ""
        self._confirm(_keys_to_confirm("redo", "U", again), question, "redo", (redo,) if redo else ())

    def ask_rewind(self) -> None:
        """Ask before a rewind, with how much would be undone."""
        scene, entries = UndoRequested(scene=True), self._scene()
        what = "rewind since a scene or session began"
        if not self._window.snapshot.session:
            what += f". No session is in progress: {key_name('session', 's')} starts one"
        self._confirm(_keys_to_confirm("rewind", "R", scene), rewind_question(entries), what, entries)

    def ask_undo_of(self, number: int) -> None:
        """Ask before the act of an entry is undone, with later changes of the same values."""
        try:
            resting = self._resting(number)
        except ActRefused as refused:
            self._window.refuse(refused.refusal)
            return
        keys = dict(_keys_to_confirm("log.take_back", "X", UndoRequested(number=number)))
        if resting.later:
            keys["a"] = UndoRequested(number=number, with_later=True)
        self._confirm(keys, question_about(resting), "undo", (*resting.act, *resting.later))

    def may_mend(self, what: str) -> bool:
        """Return whether a conflict or an act that could not be written can be settled at once. It can't if there is
        none, or if players would see more afterwards, which is asked first.
        """
        snapshot = self._window.snapshot
        if what in ("keep_file", "take_played") and not (snapshot.conflicts or snapshot.asked):
            self._window.refuse(Refusal(NO_CONFLICT))
        elif what in ("write_held", "drop_held") and not snapshot.held:
            self._window.refuse(Refusal(NOT_HELD))
        elif what == "take_played" and not snapshot.asked and self._shows((snapshot.conflicts[0].entry,)):
            conflict = snapshot.conflicts[0]
            back = UndoRequested(number=conflict.entry.number)
            question = f"Take the played value of {format_path(conflict.path)}? Enter takes it, Esc leaves it"
            self._confirm({"enter": back, "y": back}, question, "take", (conflict.entry,))
        else:
            return True
        return False

    def _confirm(self, keys: Mapping[str, UndoRequested], question: str, what: str, undone: Sequence[LogEntry]) -> None:
        """Ask, and say what players would see again if these entries were undone."""
        shown = " and ".join(self._shows(undone)) if question else ""
        self._flow.confirm(keys, f"{question}. The players would see {shown}" if shown else question, what)


def _keys_to_confirm(id_: str, usual: str, request: UndoRequested) -> Mapping[str, UndoRequested]:
    """Return the keys that confirm a request: those that asked, and Enter."""
    return dict.fromkeys((*keys_of(id_, usual), "enter"), request)
