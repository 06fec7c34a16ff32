"""The main screen: what each key, click and message of the window does.

A key that answers something goes to `AnswerKeys` first, and while a search is typed to `SearchKeys`. Any other key is a binding with an
action here. An action asks a function what the key means now (`row_keys.py`, `act_flow_and_confirmations.py`,
`line/lists_and_lines_that_keys_open.py`), and `ActFlow` follows that. `Window` has the parts and their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Spacing
from textual.layout import Layout
from textual.message import Message
from textual.widget import Widget

from waylog.rules.model.act_lists_and_row_verbs import ActList, RowKey
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import LASTING_OFFERS, MOST_OF_A_KIND, Move, Refusal
from waylog.settings import Settings
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.act_flow_and_confirmations import (
    ActFlow,
    CopyRequested,
    LeaveRequested,
    PlayRequested,
    ProposalAnswered,
    RecapRequested,
    StakesRequested,
    ask_redo,
    ask_rewind,
    ask_to_mend,
    ask_undo,
    ask_undo_of,
)
from waylog.ui.answer_keys import AnswerKeys
from waylog.ui.draw.drawn_screen import DrawnScreen
from waylog.ui.draw.window_layout_and_key_names import SCENE, Rect, key_name
from waylog.ui.key_bindings import EVERYWHERE
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.ui.line.lists_and_lines_that_keys_open import (
    NO_PROPOSAL,
    TITLES,
    ask_reason,
    line_for_ruling,
    new_table_line,
    open_list,
    roll_line,
    session_line,
    verb_line,
)
from waylog.ui.parts.clock_strip import ClockStrip
from waylog.ui.parts.hints import HintLine, HintState, current_hints
from waylog.ui.parts.top_bar_banner_and_log_tail import Advice, LogTail, TopBar
from waylog.ui.parts.tray import Tray, TrayMessage
from waylog.ui.row_keys import (
    NO_ROW,
    change_clock,
    change_row,
    close_full_clock,
    hint_words,
    list_moves,
    open_row,
    pass_time,
)
from waylog.ui.search_keys import SearchKeys
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.ui.window import TableReader, Window
from waylog.values import dataclass, replace

if TYPE_CHECKING:
    from waylog.store.players.proposals import Proposal
    from waylog.ui.line.line_keys import Prompt
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.help_on_keys import KeyHint
    from waylog.ui.views.log import LogView
    from waylog.ui.views.rule import RuleAnswer
    from waylog.ui.views.tables_and_decks import TablesView


class MainScreen(DrawnScreen, inherit_bindings=False):
    """The state of the window: what is shown, typed and asked. The app plays the acts."""

    BINDINGS: ClassVar[list[BindingType]] = [*EVERYWHERE]

    @dataclass
    class QueueMarker(Message):
        """Everything that a part of the window posted before this has been handled."""

        number: int

    @dataclass
    class QueueDrained(Message):
        """Everything that the window posted because of that has been handled too."""

        number: int

    def __init__(
        self,
        snapshot: Snapshot,
        table: TableReader,
        advice: Advice | None,
        settings: Settings,
    ) -> None:
        super().__init__()
        self.window = Window(self, snapshot, table, advice, settings)
        self._keymap: Mapping[str, str] = {}
        self.flow = ActFlow(self)
        self.answers = AnswerKeys(self)
        self.search_keys = SearchKeys(self)
        self._session_mentioned = False
        """Whether it was said that rolls belong to no session now."""
        self._rolls_next = False
        """The act that is being played was asked for before a roll, which comes next."""

    def compose(self) -> Iterable[Widget]:
        return self.window.compose()

    def on_mount(self) -> None:
        if not self.window.typing:  # A key that was typed before there was a window may have opened the line.
            self.window.give_keys(self.window.view)
        self.window.tray.show(self.snapshot)
        self.window.tray.hint(self.answers.hint)
        self.window.show_bar()
        self.window.banner.show(self.snapshot)
        self.window.fit()
        self.show_hints()

    @property
    def layout(self) -> Layout:
        """The layout that places the parts."""
        return self.window.layout

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that the screen shows."""
        return self.window.snapshot

    def on_resize(self) -> None:
        self.window.fit()

    def on_screen_suspend(self) -> None:
        self.window.tray.welcome(None)
        self.show_hints()

    def on_screen_resume(self) -> None:
        self.show_hints()

    # -- what the app says --------------------------------------------------------------------------------------

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. Drop what the person was in the middle of only if something was done meanwhile."""
        if snapshot.entries != self.snapshot.entries:
            self.answers.drop_dice()
            self.flow.drop_question()
        self.window.show(snapshot)
        self.search_keys.show_again()
        self.window.tray.hint(self.answers.hint)
        self.show_hints()

    def show_at(self, table: TableReader, snapshot: Snapshot) -> None:
        """Show another table with the same campaign: a copy of it, or the campaign itself again. Views stay where they are."""
        self.answers.drop_dice()
        self.flow.drop_question()
        self.window.table = table
        self.window.tray.welcome(None)
        self.show(snapshot)

    def clear_after_act(self) -> None:
        """Close the line once its act has been played."""
        self._rolls_next = self.window.typing and self.window.prompt.line.asked.rolls_next
        self.flow.close(done=True)

    def open_next_line(self) -> None:
        """Open the line for rolls, if that is what the person wanted before they had to do what was just played."""
        line = roll_line(self.snapshot) if self._rolls_next else None
        if isinstance(line, PromptRequest) and not line.rolls_next:
            self.flow.ask(line)

    def refuse(self, refusal: Refusal) -> None:
        """Show why an act was refused, where the person is looking."""
        self.window.refuse(refusal)

    def say(self, text: str, *, done: bool = True) -> None:
        """Show a message in the tray until the next key; with a tick if something was `done`."""
        self.window.tray.say(TrayMessage(text, sign="✓" if done else "·"))

    def offer_copy(self, news: str, text: str) -> None:
        """Show a message, and let `y` copy a text next."""
        self.flow.offer_keys({"y": CopyRequested(text)}, TrayMessage(f"{news}. y copies it", sign="✓"))

    def offer_recap(self, news: str = "") -> None:
        """Let the next key write the recap of the session that has just ended. With `news`, say that; offer it again only if the offer is
        still open.
        """
        recap = RecapRequested()
        if news and recap.__class__ not in map(type, self.flow.confirming.values()):
            self.say(news)
            return
        ended = f"{news}. " if news else "The session has ended. "
        message = TrayMessage(f"{ended}Enter writes its recap for the players", sign="?")
        self.flow.offer_keys({"enter": recap, "y": recap}, message)

    def mention_session(self) -> None:
        """After the first roll outside a session, say once what that means. A question that belongs to the roll comes first."""
        shown = self.snapshot
        rolled = any(isinstance(fact, RollFact) for entry in shown.act for fact in entry.facts)
        is_asked = shown.question is not None and not all(move.apart for move in shown.moves if move.follows)
        if rolled and not (shown.session or is_asked or self._session_mentioned):
            self._session_mentioned = True
            key = key_name("session", "s")
            self.say(f"No session is in progress. {key} starts one, and its recap includes this roll", done=False)

    def mention_ended_offers(self, before: Snapshot) -> None:
        """After an act that ends what an earlier one offered, such as a new scene, say which offers those were. Whoever takes an offer, or
        undoes what brought it, knows.
        """
        done = self.snapshot.act[-1:]
        if not done or self.snapshot.entries == before.entries or done[0].root != done[0].number or done[0].is_undo:
            return
        left = {move.id for move in self.snapshot.moves if move.offer}
        ended = [
            move.title or move.label
            for move in before.moves
            if move.offer in LASTING_OFFERS and not move.blocked and move.id not in left
        ]
        if ended and not any(f"{done[0].words} ".startswith(f"{move.id} ") for move in before.moves if move.offer):
            named = "; ".join(ended) if len(ended) <= MOST_OF_A_KIND else f"{len(ended)} offers"
            self.say(f"No longer offered: {named}", done=False)

    def may_be_discarded(self) -> bool:
        """Return whether quitting would lose no text of the open line. If it would, ask first; a second call then returns True."""
        return not self.window.typing or self.window.prompt.may_be_discarded()

    def ask_to_leave(self) -> None:
        """Ask whether to leave. Ctrl+C, pressed again, does."""
        message = TrayMessage("Press Ctrl+C again to quit. Everything is saved", sign="?")
        self.flow.offer_keys({"ctrl+c": LeaveRequested()}, message)

    def takes(self, event: events.Key) -> bool:
        """Handle a key for the line or the tray, which come before everything else. Return False if it is for neither."""
        return self.search_keys.types(event) or self.answers.takes(event) or self.search_keys.steps(event)

    def paste(self, text: str) -> None:
        """Insert a text into the open line. Without an open line nothing happens: a paste never acts by itself."""
        if self.window.typing:
            self.window.prompt.paste(text)
        else:
            self.search_keys.paste(text)

    async def show_entry(self, number: int) -> None:
        """Go to an entry in the log."""
        await self.action_look("log")
        from waylog.ui.views.log import LogView

        view = self.window.views["log"]
        if isinstance(view, LogView):
            view.go_to(number)

    async def show_random_table(self, key: str) -> None:
        """Go to a random table among the tables."""
        await self.action_look("tables")
        from waylog.ui.views.tables_and_decks import TablesView

        view = self.window.views["tables"]
        if isinstance(view, TablesView):
            view.go_to(key)

    def set_focus(self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        """Focus a widget. `None` is ignored: some part always has the keys, and `Window.give_keys` says which.

        Textual passes None when the mouse is pressed outside the window, as can happen while a terminal shrinks.
        """
        if widget is not None:
            super().set_focus(widget, scroll_visible, from_app_focus)

    def request_drained(self, number: int) -> None:
        """Post a `QueueMarker` so that `QueueDrained` comes back with that number, behind the messages of the last key in
        every queue.
        """
        window = self.window
        part = (
            window.prompt
            if window.typing and window.prompt.is_running
            else window.view
            if window.view.is_running
            else window.tray
        )
        part.post_message(self.QueueMarker(number))

    def on_main_screen_queue_marker(self, message: QueueMarker) -> None:
        message.stop()
        self.post_message(self.QueueDrained(message.number))

    # -- hints --------------------------------------------------------------------------------------------------

    def show_hints(self) -> None:
        """Show with the next frame the keys that are most useful then. Called after everything that a person does."""
        self.window.tray.take_free_lines()
        is_asked = (self.snapshot.question is not None and self.window.tray.choices) or self.snapshot.missing_dice
        is_answering = self.window.typing or self.flow.picker is not None or is_asked
        self.window.view.stand_aside(aside=bool(is_answering) or not self.is_active)
        self.before_frame(self._show_hints)

    def _show_hints(self) -> None:
        window, flow = self.window, self.flow
        if not self.is_active:
            window.hints.show(None)
            return
        line = window.prompt.line if window.typing else None
        words = {**hint_words(self.snapshot, window.row), **window.view.hint_words}
        state = HintState(
            self.snapshot,
            self._own_bindings,
            self._rebind(self.BINDINGS),
            window.tray.choices,
            tuple(flow.confirming),
            line,
            flow.picker,
            words,
            self.search_keys.hints,
            window.tab,
            dice_typed=window.tray.dice_typed,
            marked=window.tray.selected_follow_up is not None,
            letters_are_text=self.answers.letters_are_text,
        )
        is_search = state.search is not None and state.search.typed
        typing = line is not None or is_search or state.letters_are_text
        window.hints.show(current_hints(state), typing=typing)

    def set_keys(self, keymap: Mapping[str, str]) -> None:
        """Show a person's own keys in hints and help. `keymap` has the keys of each binding, by its id."""
        self._keymap = keymap
        if self.window.views:
            self.show_hints()

    def _rebind(self, bindings: Sequence[BindingType]) -> Sequence[BindingType]:
        if not self._keymap:
            return bindings
        from waylog.ui.key_bindings import rebind

        return rebind(bindings, self._keymap)

    @property
    def _own_bindings(self) -> Sequence[BindingType]:
        """The bindings of the view that do something now."""
        view = self.window.view
        return self._rebind(
            [
                one
                for one in view.BINDINGS
                if not isinstance(one, Binding) or view.check_action(one.action.partition("(")[0], ())
            ]
        )

    def on_click(self) -> None:
        """A click may have moved the cursor of a view."""
        self.show_hints()

    def on_hint_line_key_clicked(self, message: HintLine.KeyClicked) -> None:
        """Press the key of the hint."""
        self._press(message.key)

    def action_keys(self) -> None:
        """Show the keys that work here and now."""
        from waylog.ui.line.app_commands_and_menu import list_app_commands
        from waylog.ui.views.help_on_keys import KeysScreen, hints, hints_of_commands, hints_of_list

        window = self.window
        if picker := self.flow.picker:
            self.app.push_screen(KeysScreen(tuple(hints_of_list(picker))), self._follow_hint)
            return
        everywhere = self._rebind((*self.BINDINGS, *self.app.BINDINGS))
        found = tuple(
            hints(
                self.snapshot,
                window.tray.choices,
                self._own_bindings,
                window.tab,
                everywhere,
                window.prompt.takes_dice,
            )
        )
        commands = tuple(hints_of_commands(list_app_commands(self.snapshot), found))
        self.app.push_screen(KeysScreen(found, commands), self._follow_hint)

    def _follow_hint(self, hint: KeyHint | None) -> None:
        """Do what the hint that was chosen in help stands for."""
        from waylog.ui.line.line_keys import Prompt

        match hint and (hint.runs or hint.press):
            case Choice() as command:
                self.post_message(Prompt.ChoiceSelected(command))
            case PromptRequest() as line:
                self.flow.follow(line)
            case str(key) if key:
                self._press(key)

    def _press(self, key: str) -> None:
        """Handle a key as if it had been pressed."""
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    # -- where one looks ----------------------------------------------------------------------------------------

    async def action_look(self, tab: str) -> None:
        """Go to another view. It is made when it is first opened."""
        self.search_keys.end()
        await self.window.look(tab)
        self.window.tray.hint(self.answers.hint)

    async def on_top_bar_tab_selected(self, message: TopBar.TabSelected) -> None:
        if message.tab:
            await self.action_look(message.tab)
        else:
            self.action_line("")

    async def on_clock_strip_clock_selected(self, message: ClockStrip.ClockSelected) -> None:
        await self.action_look("clocks")
        from waylog.ui.views.clocks import ClocksView

        view = self.window.views["clocks"]
        if isinstance(view, ClocksView):
            view.go_to(message.key)

    async def on_log_tail_entry_selected(self, message: LogTail.EntrySelected) -> None:
        await self.show_entry(message.number)

    # -- the line and the tray ----------------------------------------------------------------------------------

    def action_line(self, verb: str) -> None:
        """Open the line for acts of a verb, or for any act."""
        self.flow.follow(verb_line(self.snapshot, verb))

    def action_new_table(self) -> None:
        """Open the line that asks for a new table's name and die."""
        self.flow.follow(new_table_line(self.snapshot))

    def action_roll(self) -> None:
        """Open the line for what the game calls a roll."""
        self.flow.follow(roll_line(self.snapshot))

    def action_palette(self, text: str = "") -> None:
        """Open the list of everything, and search it for a text."""
        from waylog.ui.line.app_commands_and_menu import list_everything

        self.flow.ask(replace(list_everything(self.snapshot), text=text))

    def on_prompt_closed(self) -> None:
        self.flow.close()

    def on_prompt_stakes_chosen(self, message: Prompt.StakesChosen) -> None:
        self.post_message(StakesRequested(message.act))

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        message.stop()
        if message.recalled:
            # A key has brought the line: it asks what the key of the act would.
            self.flow.close()
            self.flow.play(message.act)
        else:
            self.post_message(PlayRequested(message.act))

    async def on_prompt_choice_selected(self, message: Prompt.ChoiceSelected) -> None:
        does = message.choice.does
        self.flow.close()
        if isinstance(does, Move):
            self.flow.choose(does)
        elif isinstance(does, AppCommand):
            await self.run_action(does.action)

    def action_search(self) -> None:
        """Search the view on screen."""
        self.search_keys.open()

    def on_log_view_line_requested(self, message: LogView.LineRequested) -> None:
        self.flow.ask(message.request)

    def action_play_proposal(self) -> None:
        """Play what a player proposes."""
        if proposal := self._proposal:
            self.post_message(ProposalAnswered(proposal.id))

    def action_decline_proposal(self) -> None:
        """Decline what a player proposes."""
        if proposal := self._proposal:
            self.flow.ask(ask_reason(proposal))

    @property
    def _proposal(self) -> Proposal | None:
        """The proposal that is shown. If there is none, the window says so."""
        proposal = self.window.banner.proposal
        if proposal is None:
            self.refuse(Refusal(NO_PROPOSAL))
        return proposal

    def action_decline(self, proposal: str, reason: str) -> None:
        """Decline a proposal for that reason."""
        self.post_message(ProposalAnswered(proposal, reason))

    def action_step_proposal(self, by: int) -> None:
        """Show another proposal."""
        self.window.banner.step(by)

    def action_filter_log(self, index: int) -> None:
        """Filter the log by one of the options that it has listed."""
        from waylog.ui.views.log import LogView

        if isinstance(self.window.view, LogView):
            self.window.view.filter_by(index)
            self.show_hints()

    def on_log_view_matches_counted(self) -> None:
        self.search_keys.show_again()

    def on_tray_input_clicked(self, message: Tray.InputClicked) -> None:
        if self.window.typing:
            self.window.prompt.click(message.target)

    def on_tray_follow_up_chosen(self, message: Tray.FollowUpChosen) -> None:
        self.flow.follow(message.move)

    def on_tray_subject_chosen(self, message: Tray.SubjectChosen) -> None:
        self.flow.take_subject(message.subject)

    # -- rows, clocks, tables and decks -------------------------------------------------------------------------

    def action_acts(self, key: str) -> None:
        """Open the list of a key. The next letter says who or what is damaged, Exposed or ticked."""
        self.flow.follow(open_list(self.snapshot, ActList(key), self.window.row_key))

    def action_row(self, key: str) -> None:
        """Change the row under the cursor: add one, take one away, or toggle it."""
        self.flow.follow(change_row(self.snapshot, self.window.row, RowKey(key)))

    def action_row_menu(self) -> None:
        """List everything that can be done with the row under the cursor."""
        if row := self.window.row:
            self.flow.follow(list_moves(self.snapshot, row.key, row.label))
        elif key := self.window.row_key.removeprefix("clocks."):
            self.flow.follow(change_clock(self.snapshot, key, "menu", 0))

    def action_time(self) -> None:
        """Ask before time passes, which advances every clock that advances with time."""
        self.flow.follow(pass_time(self.snapshot))

    def action_close_clock(self) -> None:
        """Close a full clock; if there are several, ask which."""
        self.flow.follow(close_full_clock(self.snapshot))

    def action_session(self) -> None:
        """Start a session, or end the current one."""
        self.flow.follow(session_line(self.snapshot))

    def action_scene_cards(self) -> None:
        """Show the scene cards, to open one or to tell one of its secrets."""
        from waylog.ui.views.scene_cards import SceneCardsScreen

        async def go_on(chosen: Move | Refusal | str | None) -> None:
            if isinstance(chosen, str):
                await self.run_action(f"app.edit_beside({chosen!r})")
            elif chosen is not None:
                self.flow.follow(chosen)

        self.app.push_screen(SceneCardsScreen(self.snapshot), go_on)

    def on_sheet_view_actions_requested(self, message: SheetView.ActionsRequested) -> None:
        self.flow.follow(open_row(self.snapshot, message.row))

    def on_clocks_view_act_requested(self, message: ClocksView.ActRequested) -> None:
        self.flow.follow(change_clock(self.snapshot, message.key, message.verb, message.by))

    def on_tables_view_table_act_requested(self, message: TablesView.TableActRequested) -> None:
        self.flow.choose(message.move, message.answers)

    def on_tables_view_deck_actions_requested(self, message: TablesView.DeckActionsRequested) -> None:
        self.flow.follow(list_moves(self.snapshot, message.key, message.label))

    def on_tables_view_request_refused(self, message: TablesView.RequestRefused) -> None:
        self.refuse(message.refusal)

    # -- rules and reasons --------------------------------------------------------------------------------------

    def action_rule(self, id_: str = "") -> None:
        """Show a rule: the given one, that of a refusal or question, or that of what is under the cursor."""
        if ids := (id_,) if id_ else self._rules_here():
            self._show_rules(ids)
        else:
            self.action_rules()

    def action_rules(self) -> None:
        """Open the line that searches the rules."""
        self.flow.ask(PromptRequest(TITLES[""], text="rule "))

    def on_prompt_rule_requested(self, message: Prompt.RuleRequested) -> None:
        """Show the rules of the command line, which continues afterwards."""
        from waylog.ui.line.line_state_and_drawing import rules_of_line

        if ids := rules_of_line(message.line, self.snapshot.reference):
            self._show_rules(ids)

    def _rules_here(self) -> Sequence[str]:
        """Return the ids of the rules of what the person is looking at, the nearest first."""
        shown, tray = self.snapshot, self.window.tray
        reference = shown.reference
        asked = reference.about_move(tray.selected_follow_up) if tray.selected_follow_up else ()
        latest = [fact.clause for entry in shown.act for fact in entry.facts if isinstance(fact, NoteFact)]
        offered = [move.id for _, move in tray.choices]
        here = [*self.window.view.topics()]
        # While its result is all that is looked at, what was done just now comes first.
        near = (*latest, *here) if self.answers.was_fresh else (*here, *latest)
        names = (self.answers.refused_by, *asked, *near, *offered)
        return reference.about(*filter(None, names))

    def _show_rules(self, ids: Sequence[str]) -> None:
        """Show rules beside what they are about. Go on with a search, or by writing a ruling, if that is wanted."""
        from waylog.ui.views.rule import RuleScreen

        window = self.window

        def free() -> Spacing:
            window.fit()  # The rule may hear of another size of the window first.
            size, frame = self.app.size, window.frame
            body = frame.body if frame else Rect(0, 0, size.width, size.height)
            bottom = body.bottom - (frame.covered if frame else 0)
            # The scene has the open dice in its upper half.
            return Spacing(bottom // 2 if window.tab == SCENE else 0, size.width - body.width, size.height - bottom)

        def go_on(answer: RuleAnswer | None) -> None:
            if answer and answer.wants == "search":
                self.action_rules()
            elif answer:
                self.flow.follow(line_for_ruling(self.snapshot.moves, self.snapshot.reference, answer.id))

        screen = RuleScreen(self.snapshot.reference, ids, free, may_leave=not window.typing)
        self.app.push_screen(screen, go_on)

    def action_copy(self) -> None:
        """Copy what is under the cursor."""
        if text := self.window.view.copied_text():
            self.post_message(CopyRequested(text))
        else:
            self.refuse(Refusal("there is nothing under the cursor to copy"))

    def action_why(self) -> None:
        """Show the history of the row under the cursor."""
        if row := self.window.row:
            # Post it from here: a message that the sheet is made to send would not travel further than back to this window.
            self.post_message(SheetView.WhyRequested(row))
        else:
            self.refuse(Refusal(NO_ROW))

    # -- taking back --------------------------------------------------------------------------------------------

    def action_ask_undo(self) -> None:
        """Ask before an undo, with the name of what would be undone."""
        self.flow.follow(ask_undo(self.snapshot, self.window.table))

    def action_ask_redo(self) -> None:
        """Ask before a redo, with the name of what would be redone."""
        self.flow.follow(ask_redo(self.snapshot, self.window.table))

    def action_ask_rewind(self) -> None:
        """Ask before a rewind, with how much would be undone."""
        self.flow.follow(ask_rewind(self.snapshot, self.window.table))

    def on_log_view_entry_undo_requested(self, message: LogView.EntryUndoRequested) -> None:
        self.flow.follow(ask_undo_of(message.number, self.window.table))

    async def action_mend(self, what: str) -> None:
        """Settle a conflict or an act that could not be written, if there is one."""
        if first := ask_to_mend(what, self.snapshot, self.window.table):
            self.flow.follow(first)
        else:
            await self.run_action(f"app.{what}")
