"""The window: a bar on top, the screen that is being looked at, and the tray with its line at the foot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size, Spacing
from textual.layout import Layout
from textual.message import Message
from textual.screen import Screen
from textual.widget import AwaitMount, Widget

from waylog.rules.act_keys import ActList, RowKey, Subject, acts_on
from waylog.rules.changes import format_path
from waylog.rules.commands import Act
from waylog.rules.facts import NoteFact
from waylog.rules.moves import ActRefused, Answers, Move, Number, Refusal, complete_answers, reveals
from waylog.snapshot import Snapshot, UndoPlan
from waylog.store.entries import Entries, LogEntry
from waylog.ui import scene_tab
from waylog.ui.banner import Banner
from waylog.ui.bindings import EVERYWHERE
from waylog.ui.clock_strip import ClockStrip
from waylog.ui.draw.line_view import LineCompositor
from waylog.ui.hint_line import HintLine, HintState, current_hints
from waylog.ui.layout import HEIGHT, WIDTH, Contents, Frame, PlacedLayout, Rect, arrange, main_width
from waylog.ui.line.act_picker import ActPicker
from waylog.ui.line.choices import AppCommand, Choice
from waylog.ui.line.dice_input import DiceInput
from waylog.ui.line.dice_picking import digit
from waylog.ui.line.line_input import LineInput, PromptRequest, rules_of_line
from waylog.ui.line.parsed_line import ANSWER_FIRST, refusal_of
from waylog.ui.line.prompt import Prompt, Reader
from waylog.ui.log_tail import LogTail
from waylog.ui.menus import (
    COMMANDS,
    CONFLICT,
    ELSEWHERE,
    HELD,
    LOOKING_ON,
    NO_CONFLICT,
    NO_TABLE,
    NOT_HELD,
    TABS,
    TITLES,
    badge,
    choice,
    concerns,
    conflicting_entry,
    describe_act,
    in_the_line,
    initial_line,
    line_for_ruling,
    marks,
    only_text,
    question_about,
    rewind_question,
    rule_choices,
    rule_search,
    session_act,
    with_clock,
)
from waylog.ui.row_acts import MOVED, loses_question, names_of, obvious_move, open_picker, row_act, row_words
from waylog.ui.tabs import load_view
from waylog.ui.too_small import TooSmall
from waylog.ui.top_bar import TopBar
from waylog.ui.tray import LEAST_ROWS, Tray, TrayMessage
from waylog.ui.views.sheet import SCENE, SheetView

HINTS_FROM = 12
"""Rows of a window from which on it has room for the line of hints."""

if TYPE_CHECKING:
    from waylog.ui.tabs import View
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.log import LogView
    from waylog.ui.views.rule import RuleAnswer
    from waylog.ui.views.tables_and_decks import TablesView

Rests = Callable[[int], UndoPlan]
"""The act of an entry, and what rests on it. Raises `ActRefused`."""
SceneSoFar = Callable[[], tuple[LogEntry, ...]]
"""What a rewind would take back, oldest first."""
Shows = Callable[[Sequence[LogEntry]], Sequence[str]]
"""What is hidden from players now, and would not be if these entries were undone."""


class MainScreen(Screen[None], inherit_bindings=False):
    """Keeps what is being looked at, typed and asked. What is played is the app's business."""

    BINDINGS: ClassVar[list[BindingType]] = [*EVERYWHERE]

    @dataclass
    class PlayRequested(Message):
        """An act is to be done."""

        act: Act

    @dataclass
    class UndoRequested(Message):
        """The latest act is to be taken back, or that of an entry, or the scene; with `again`, put back what was."""

        again: bool = False
        scene: bool = False
        number: int | None = None
        with_later: bool = False

    class QueueMarker(Message):
        """Everything that a part of the window said before this has been heard."""

    class QueueDrained(Message):
        """Everything that the window made of that has been heard too."""

    def __init__(
        self, snapshot: Snapshot, reader: Reader, entries: Entries, resting: Rests, scene: SceneSoFar, shows: Shows
    ) -> None:
        super().__init__()
        self._compositor = LineCompositor()
        self.snapshot = snapshot
        self._entries, self._resting, self._scene, self._shows = entries, resting, scene, shows
        self._looking = TABS[0]
        self._came_from = TABS[0]
        """Where one looked when the scene opened."""
        self._confirming: Mapping[str, MainScreen.UndoRequested | MainScreen.PlayRequested] = {}
        self._dice = DiceInput()
        self._picking: ActPicker | None = None
        self._moved = dict(MOVED)
        """Lists whose keys did something else before, until that has been said once."""
        self._keys_again = -1
        """The number of entries at which letters were made keys again although a text is asked for."""
        self._bar = TopBar(scene_tab.tabs(snapshot), snapshot.name, snapshot.system_name)
        self._banner = Banner(snapshot, partial(conflicting_entry, entries))
        self._strip = ClockStrip(snapshot)
        self._tail = LogTail(snapshot, entries)
        self._tray = Tray(snapshot, self._refit)
        self._hints = HintLine()
        self._prompt = Prompt(reader, ELSEWHERE, self._show_line, self._list_rules)
        self._typing = False
        self._refused_by: str | None = None
        """The clause of the refusal that the last key has cleared away."""
        self._small = TooSmall()
        self._views: dict[str, View] = {}
        self._stale = set[str]()
        self._layout = PlacedLayout(self._places)
        self._frame: Frame | None = None
        """Where the parts stand; None in a window that is too small for them."""

    def compose(self) -> ComposeResult:
        self._looking = scene_tab.first(self.snapshot, self.app.size)
        self._views[self._looking] = load_view(self._looking, self.snapshot, self._entries)
        yield self._bar
        yield self._views[self._looking]
        yield self._tail
        yield self._banner
        yield self._strip
        yield self._tray
        yield self._hints
        yield self._prompt
        yield self._small

    def on_mount(self) -> None:
        self._keys_to(self._views[self._looking])
        self._tray.show(self.snapshot)
        self._show_bar()
        self._refit()
        self.show_hints()

    # -- where the parts stand ----------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """How Textual places the parts."""
        return self._layout

    def on_resize(self) -> None:
        self._refit()

    def _refit(self) -> None:
        """Place the parts anew if one of them wants another height than before."""
        width, height = self.app.size
        self._tray.fit(main_width(width, self._looking), height)
        before, self._frame = self._frame, self._arrange(self.app.size)
        view = self._views[self._looking]
        view.cover(self._frame.covered if self._frame else 0)
        if isinstance(view, SheetView):
            view.set_log_below(shown=bool(self._frame and not self._frame.log.width))
        if self._frame != before:
            # Any part will do: Textual then asks `layout` for all of them.
            self._tray.refresh(layout=True)

    def _arrange(self, size: Size) -> Frame | None:
        if size.width < WIDTH or size.height < HEIGHT:
            return None
        banner = self._banner.lines_at(main_width(size.width, self._looking))
        hints = int(size.height >= HINTS_FROM)
        contents = Contents(self._looking, self._tray.rows, LEAST_ROWS, banner, self._strip.has_clocks, hints)
        return arrange(*size, contents)

    def _places(self, size: Size) -> Mapping[Widget, Rect]:
        """What is shown of a window of that size, and where; the later parts over the earlier."""
        frame = self._arrange(size)
        if frame is None:
            return {self._small: Rect(0, 0, *size)}
        return {
            self._bar: frame.bar,
            self._views[self._looking]: frame.body,
            self._tail: frame.log,
            self._banner: frame.banner,
            self._strip: frame.strip,
            self._tray: frame.tray,
            self._hints: frame.hints,
            # It has the keys while a line is typed, and is not seen.
            self._prompt: Rect(0, size.height, size.width, 0),
        }

    # -- what comes in ------------------------------------------------------------------------------------------

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment. Screens that are not looked at wait until they are.

        What the person is in the middle of goes only when something was done meanwhile.
        """
        before, self.snapshot = self.snapshot, snapshot
        if snapshot.entries != before.entries:
            self._confirming, self._dice = {}, DiceInput()
            self._pick(None)
        if scene_tab.is_open(snapshot) != scene_tab.is_open(before):
            self._follow_scene()
        self._stale = set(self._views) - {self._looking}
        self._show_bar()
        self._banner.show(snapshot)
        self._strip.show(snapshot)
        self._tray.show(snapshot)
        self._tail.show(snapshot)
        self._views[self._looking].show(snapshot)
        self._refit()
        if self._typing and (snapshot.entries, snapshot.moves) != (before.entries, before.moves):
            self._prompt.read_again()
        self.show_hints()

    def clear_after_act(self) -> None:
        """The act is done: the line has nothing more to say."""
        self._close(done=True)

    def refuse(self, refusal: Refusal) -> None:
        """Say why an act was not done, where the person is looking."""
        if self._typing:
            self._prompt.refuse(refusal)
        else:
            self._tray.say(TrayMessage(refusal_of(refusal), bad=True, clause=refusal.clause))

    def say(self, text: str) -> None:
        """Say something in the tray until the next key."""
        self._tray.say(TrayMessage(text, sign="✓"))

    def _show_bar(self) -> None:
        shown = self.snapshot
        self._tray.hint(self._hint())
        self._bar.show(
            scene_tab.tabs(shown), self._looking, shown.name, marks(shown), shown.session, badge(shown, self._looking)
        )

    def show_hints(self) -> None:
        """Show the keys that are most useful now. Called after everything that a person does."""
        view = self._views[self._looking]
        line = self._prompt.line if self._typing else None
        confirms = tuple(self._confirming)
        words = row_words(self.snapshot, view.row if isinstance(view, SheetView) else None)
        state = HintState(
            self.snapshot, view.BINDINGS, self.BINDINGS, self._tray.choices, confirms, line, self._picking, words
        )
        self._hints.show(current_hints(state))

    def on_click(self) -> None:
        """A click may have moved the cursor of a view."""
        self.show_hints()

    def on_hint_line_key_clicked(self, message: HintLine.KeyClicked) -> None:
        """Do what the key of the hint would do."""
        self._press(message.key)

    def _hint(self) -> str:
        """What the keys do with what is asked, where that is not seen."""
        if scene_tab.pickable_dice(self.snapshot, self._looking):
            return "digits pick dice"
        if only_text(self.snapshot):
            keys_again = self._keys_again == self.snapshot.entries
            return "Enter: edit" if keys_again else "type the answer · Esc: keys"
        return ""

    def _keys_to(self, widget: Widget) -> None:
        """Give a widget the keys. Nothing looks different with them, so the screen is not painted anew as `set_focus` would."""
        self.set_reactive(Screen.focused, widget)

    # -- where one looks ----------------------------------------------------------------------------------------

    async def action_look(self, tab: str) -> None:
        """To another screen, which is made when it is first looked at."""
        if tab == self._looking or not self.is_attached:
            return
        if tab not in scene_tab.tabs(self.snapshot):
            self.refuse(Refusal(scene_tab.NO_SCENE))
            return
        with self.app.batch_update():
            await self._turn_to(tab)
        self._show_bar()

    def _follow_scene(self) -> None:
        """To the scene when one opens, and back to where one was when it ends."""
        if scene_tab.is_open(self.snapshot):
            self._came_from = self._looking
            self._turn_to(SCENE)
        elif self._looking == SCENE:
            self._turn_to(self._came_from)

    def _turn_to(self, tab: str) -> AwaitMount:
        """Another screen in the place of the one that is seen; what is awaited is that a new one is all there."""
        before, new = self._views[self._looking], tab not in self._views
        self._looking = tab
        if new:
            self._views[tab] = load_view(tab, self.snapshot, self._entries)
        mounted = self.mount(*([self._views[tab]] if new else []), before=self._tray)
        before.styles.display = "none"
        # While it is still out of sight: what follows the latest entry then does so.
        if tab in self._stale:
            self._stale.discard(tab)
            self._views[tab].show(self.snapshot)
        self._views[tab].styles.display = None
        self._refit()
        if not self._typing:
            self._keys_to(self._views[tab])
        return mounted

    async def on_top_bar_tab_selected(self, message: TopBar.TabSelected) -> None:
        if message.tab:
            await self.action_look(message.tab)
        else:
            self.action_keys()

    async def on_clock_strip_clock_selected(self, message: ClockStrip.ClockSelected) -> None:
        await self.action_look("clocks")
        from waylog.ui.views.clocks import ClocksView

        view = self._views["clocks"]
        if isinstance(view, ClocksView):
            view.go_to(message.key)

    async def on_log_tail_entry_selected(self, message: LogTail.EntrySelected) -> None:
        await self.show_entry(message.number)

    # -- the line -----------------------------------------------------------------------------------------------

    def action_line(self, verb: str) -> None:
        """Open the line for acts of a verb, or for any act."""
        if verb == "table" and not self.snapshot.tables:
            self.refuse(Refusal(NO_TABLE))
        elif verb and all(move.verb != verb for move in self.snapshot.moves):
            self._refuse_line(f"There is nothing to {verb} now")
        else:
            self._ask(PromptRequest(TITLES[verb], verb))

    # -- lists of letters, and the keys of a row ----------------------------------------------------------------

    def action_acts(self, key: str) -> None:
        """Open the list of a key: whose letter is pressed next is damaged, or Exposed, or ticked."""
        which = ActList(key)
        try:
            picker = open_picker(self.snapshot, which, self._row_key)
        except ActRefused as refused:
            self.refuse(refused.refusal)
            return
        if moved := self._moved.pop(which, ""):
            picker = replace(picker, title=f"{picker.title} {moved}")
        self._pick(picker)

    @property
    def _row_key(self) -> str:
        """The row under the cursor, or the clock; empty where the view has neither."""
        view = self._views[self._looking]
        if isinstance(view, SheetView):
            return view.row.key if view.row else ""
        key = getattr(view, "current_key", "")
        return f"clocks.{key}" if key else ""

    def _pick(self, picker: ActPicker | None) -> None:
        if picker is not self._picking:
            self._picking, self._confirming = picker, {}
            self._tray.show_picker(picker)
            self.show_hints()

    def _takes_letter(self, picker: ActPicker, event: events.Key) -> bool:
        """A letter takes what it stands for; Esc closes the list."""
        key = event.character if event.is_printable and event.character else event.key
        if changed := picker.consume_key(event.key):
            self._pick(changed)
        elif subject := picker.subject_for(key):
            self._take_subject(picker, subject)
        elif event.key in ("escape", "ctrl+c"):
            self._pick(None)
        return True

    def _take_subject(self, picker: ActPicker, subject: Subject) -> None:
        if len(subject.moves) > 1:
            acts = tuple(acts_on(subject, picker.which, names_of(self.snapshot)))
            self._pick(ActPicker(f"{subject.name}:", picker.which, acts))
            return
        (move,) = subject.moves
        self._pick(None)
        if move.blocked:
            self.refuse(move.blocked)
        elif picker.which.asks:
            self._ask(PromptRequest(move.label, "", f"{move.id} "))
        else:
            self._do_move(move, {ask.name: picker.by for ask in move.asks if isinstance(ask, Number)})

    def on_tray_subject_chosen(self, message: Tray.SubjectChosen) -> None:
        if self._picking:
            self._take_subject(self._picking, message.subject)

    def _do_move(self, move: Move, answers: Answers | None = None) -> None:
        """Do a move with what it has by default; one that has to be told more goes on in the line."""
        try:
            complete_answers(move, answers or {})
        except ActRefused:
            self._ask(initial_line(move))
        else:
            self._play(Act(move, answers or {}))

    def action_row(self, key: str) -> None:
        """Change the row under the cursor: one more, one less, or lost and back."""
        view = self._views[self._looking]
        row = view.row if isinstance(view, SheetView) else None
        if row is None:
            self.refuse(Refusal("choose a row of the ship or the crew first"))
            return
        try:
            act = row_act(self.snapshot, row, RowKey(key))
        except ActRefused as refused:
            self.refuse(refused.refusal)
            return
        question = loses_question(row, act) if key == RowKey.TOGGLE else ""
        if question:
            self._ask_to_play(act if isinstance(act, Act) else Act(act), question, "space")
        elif isinstance(act, Act):
            self._play(act)
        else:
            self._do_move(act)

    def action_row_menu(self) -> None:
        """List everything that can be done with the row under the cursor."""
        view = self._views[self._looking]
        if isinstance(view, SheetView) and view.row:
            self._offer(view.row.key, view.row.label)
        elif key := self._row_key.removeprefix("clocks."):
            self._offer(f"clocks.{key}", self.snapshot.clocks[key].name)

    def _ask_to_play(self, act: Act, question: str, key: str) -> None:
        """Ask before an act: the key again does it, or Enter."""
        play = self.PlayRequested(act)
        self._confirm({key: play, "enter": play}, question, "do")

    def action_time(self) -> None:
        """Ask whether time passes, which moves every clock that time moves."""
        try:
            act = with_clock(self.snapshot.moves, "", "time", 0)
        except ActRefused as refused:
            self.refuse(refused.refusal)
        else:
            self._ask_to_play(act, f"{act.move.label}? . or Enter confirms, Esc cancels", "full_stop")

    def action_roll(self) -> None:
        """Open the line for what the game calls a roll."""
        key = self.snapshot.roll_key
        if verb := key.verb(self.snapshot.moves):
            self._ask(PromptRequest(TITLES.get(verb, verb.capitalize()), verb))
        else:
            self._refuse_line(key.nothing)

    def _refuse_line(self, reason: str) -> None:
        """Say why a key opens no line: the question that comes first, or else that reason."""
        question = self.snapshot.question
        self.refuse(Refusal(ANSWER_FIRST.format(question) if question else f"{reason}. Ctrl+P lists what can be done"))

    def action_session(self) -> None:
        """Begin a session, or end the one under way."""
        try:
            self._play(session_act(self.snapshot))
        except ActRefused as refused:
            self.refuse(refused.refusal)

    def action_palette(self) -> None:
        """Open the list of everything."""
        moves = sorted(self.snapshot.moves, key=lambda move: move.blocked is not None)
        mending = (*(HELD if self.snapshot.held else ()), *self._about_the_file())
        rules = rule_choices(self.snapshot.reference, self.snapshot.reference.clauses, "Rule: ")
        self._ask(
            PromptRequest("Everything", choices=(*mending, *map(choice, moves), *COMMANDS), found_by_search=rules)
        )

    def _about_the_file(self) -> Sequence[Choice]:
        """What can be done about the campaign file, where something is asked or two values stand against each other."""
        if asked := self.snapshot.asked:
            return [
                replace(known, label=label[:1].upper() + label[1:])
                for known, label in zip(CONFLICT, (asked.keep, asked.update), strict=True)
            ]
        return CONFLICT if self.snapshot.conflicts else ()

    def action_keys(self) -> None:
        """Show the keys that work here and now."""
        from waylog.ui.key_hints import hints
        from waylog.ui.views.keys import KeysScreen

        view = self._views[self._looking]
        everywhere = (*self.BINDINGS, *self.app.BINDINGS)
        found = hints(self.snapshot, self._tray.choices, view.BINDINGS, self._looking, everywhere)
        self.app.push_screen(KeysScreen(tuple(found)), self._press)

    def _press(self, key: str | None) -> None:
        """Do what a key does, as if it had been pressed."""
        if key:
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    def _ask(self, asked: PromptRequest) -> None:
        self._pick(None)
        self._confirming = {}
        self._typing = True
        self._prompt.ask(asked)
        self._keys_to(self._prompt)
        self.show_hints()

    def _show_line(self, line: LineInput) -> None:
        if self._typing:
            self._tray.show_input(line)

    def _close(self, *, done: bool = False) -> None:
        if self._typing:
            self._typing = False
            self._tray.show_input(None, done=done)
            self._keys_to(self._views[self._looking])
            self.show_hints()

    def on_prompt_closed(self) -> None:
        self._close()

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        self.post_message(self.PlayRequested(message.act))

    async def on_prompt_choice_selected(self, message: Prompt.ChoiceSelected) -> None:
        does = message.choice.does
        self._close()
        if isinstance(does, Move):
            self._choose(does)
        elif isinstance(does, AppCommand):
            await self.run_action(does.action)

    # -- rules --------------------------------------------------------------------------------------------------

    def action_rule(self, id_: str = "") -> None:
        """Show a rule: this one, or that of what was refused or is asked, or of what is under the cursor."""
        if ids := (id_,) if id_ else self._rules_here():
            self._show_rules(ids)
        else:
            self.action_rules()

    def action_rules(self) -> None:
        """Search the rules."""
        self._ask(PromptRequest(TITLES[""], text="rule "))

    def _rules_here(self) -> Sequence[str]:
        """The ids of the rules of what a person is looking at, the nearest first."""
        shown, reference = self.snapshot, self.snapshot.reference
        selected = self._tray.selected_follow_up
        asked = reference.about_move(selected) if selected else ()
        latest = [fact.clause for entry in shown.act for fact in entry.facts if isinstance(fact, NoteFact)]
        offered = [move.id for _, move in self._tray.choices]
        names = (self._refused_by, *asked, *self._views[self._looking].topics(), *latest, *offered)
        return reference.about(*filter(None, names))

    def on_prompt_rule_requested(self, message: Prompt.RuleRequested) -> None:
        """Show the rules of a line, which goes on afterwards."""
        if ids := rules_of_line(message.line, self.snapshot.reference):
            self._show_rules(ids)

    def _list_rules(self, text: str) -> tuple[Choice, ...] | None:
        return rule_search(self.snapshot.reference, text)

    def _show_rules(self, ids: Sequence[str]) -> None:
        from waylog.ui.views.rule import RuleScreen

        tray = self._frame.tray if self._frame else Rect(0, self.size.height, self.size.width)
        # The scene has the dice that lie open, in its upper half.
        above = tray.y // 2 if self._looking == SCENE else 0
        free = Spacing(above, self.size.width - tray.width, self.size.height - tray.y)
        screen = RuleScreen(self.snapshot.reference, ids, free, may_leave=not self._typing)
        self.app.push_screen(screen, self._after_rule)

    def _after_rule(self, answer: RuleAnswer | None) -> None:
        if answer is None:
            return
        if answer.wants == "search":
            self.action_rules()
            return
        line = line_for_ruling(self.snapshot.moves, self.snapshot.reference, answer.id)
        if isinstance(line, Refusal):
            self.refuse(line)
        else:
            self._ask(line)

    def action_why(self) -> None:
        """Ask why the row under the cursor is what it is."""
        view = self._views[self._looking]
        if isinstance(view, SheetView) and view.row:
            # From here: a message that the sheet is made to send would not come further than back to this window.
            self.post_message(SheetView.WhyRequested(view.row))
        else:
            self.refuse(Refusal("this is asked about a row of the ship or the crew"))

    async def show_entry(self, number: int) -> None:
        """Go to an entry in the log."""
        await self.action_look("log")
        from waylog.ui.views.log import LogView

        view = self._views["log"]
        if isinstance(view, LogView):
            view.go_to(number)

    def on_sheet_view_actions_requested(self, message: SheetView.ActionsRequested) -> None:
        """Do what is obvious with the row; where nothing is, list what can be done."""
        row = message.row
        move = obvious_move(self.snapshot, row.key)
        if move is None or move.blocked:
            self._offer(row.key, row.label)
        elif RowKey.TOGGLE in self.snapshot.act_keys[move.verb].row and (question := loses_question(row, move)):
            self._ask_to_play(Act(move), question, "space")
        elif move.rolls:
            self._choose(move)
        else:
            self._do_move(move)

    def on_clocks_view_act_requested(self, message: ClocksView.ActRequested) -> None:
        """Do it to the clock, or say why not."""
        if message.verb == "menu" and message.key:
            self._offer(f"clocks.{message.key}", self.snapshot.clocks[message.key].name)
            return
        try:
            self._play(with_clock(self.snapshot.moves, message.key, message.verb, message.by))
        except ActRefused as refused:
            self.refuse(refused.refusal)

    def on_tables_view_table_act_requested(self, message: TablesView.TableActRequested) -> None:
        self._choose(message.move, message.answers)

    def on_tables_view_deck_actions_requested(self, message: TablesView.DeckActionsRequested) -> None:
        self._offer(message.key, message.label)

    def on_tables_view_request_refused(self, message: TablesView.RequestRefused) -> None:
        self.refuse(message.refusal)

    def _offer(self, key: str, label: str) -> None:
        """List what can be done about a row; what can't be now is there too, with the reason."""
        about = [move for move in self.snapshot.moves if any(concerns(name, key) for name in move.about)]
        if not about:
            self.refuse(Refusal(f"nothing is done to “{label}” by itself; : takes any act"))
            return
        # What a row is for comes first: an act of its own before what it is only a part of.
        about.sort(key=lambda move: (move.blocked is not None, not move.rolls, len(move.about)))
        self._ask(PromptRequest(label, choices=tuple(map(choice, about))))

    def _choose(self, move: Move, answers: Answers | None = None) -> None:
        """Do a move that was picked; one that asks for more, or rolls, goes on in the line."""
        if move.blocked:
            self.refuse(move.blocked)
        elif in_the_line(move, answers or {}):
            self._ask(initial_line(move))
        else:
            self._play(Act(move, answers or {}))

    def _play(self, act: Act) -> None:
        """Do what one key stands for. What would show players something hidden is named first, and done by Enter alone.

        The same key again does not confirm it: a key that is held down repeats.
        """
        question = reveals(act.move, act.answers)
        if question and not self.snapshot.read_only:
            play = self.PlayRequested(act)
            self._confirm({"enter": play, "y": play}, f"{question} Enter shows, Esc keeps it hidden", "show")
        else:
            self.post_message(self.PlayRequested(act))

    # -- the tray -----------------------------------------------------------------------------------------------

    def on_tray_input_clicked(self, message: Tray.InputClicked) -> None:
        if self._typing:
            self._prompt.click(message.target)

    def on_tray_follow_up_chosen(self, message: Tray.FollowUpChosen) -> None:
        self._choose(message.move)

    async def action_mend(self, what: str) -> None:
        """Settle a conflict or a held act, where there is one."""
        snapshot = self.snapshot
        if what in ("keep_file", "take_played") and not (snapshot.conflicts or snapshot.asked):
            self.refuse(Refusal(NO_CONFLICT))
        elif what in ("write_held", "drop_held") and not snapshot.held:
            self.refuse(Refusal(NOT_HELD))
        elif what == "take_played" and not snapshot.asked and self._shows((snapshot.conflicts[0].entry,)):
            conflict = snapshot.conflicts[0]
            back = self.UndoRequested(number=conflict.entry.number)
            question = f"Take the played value of {format_path(conflict.path)}? Enter takes it, Esc leaves it"
            self._confirm({"enter": back, "y": back}, question, "take", (conflict.entry,))
        else:
            await self.run_action(f"app.{what}")

    def action_ask_undo(self) -> None:
        """Name what would be taken back."""
        back = self.UndoRequested()
        undo = self.snapshot.undo
        self._confirm(
            {"u": back, "enter": back},
            f"Undo {describe_act(undo)}? u or Enter confirms, Esc cancels" if undo else "",
            "undo",
            undo,
        )

    def action_ask_redo(self) -> None:
        """Name what would be put back."""
        redo = self.snapshot.redo
        undone = list[LogEntry]()
        for number in redo.undoes if redo else ():
            with suppress(KeyError):  # somebody has broken it in the log since; what the undo took is known without it
                undone.append(self._entries(number))
        again = self.UndoRequested(again=True)
        self._confirm(
            {"U": again, "enter": again},
            f"Redo {describe_act(tuple(undone)) or 'it'}? U or Enter confirms, Esc cancels" if redo else "",
            "redo",
            (redo,) if redo else (),
        )

    def action_ask_rewind(self) -> None:
        """Say how much would be taken back with the scene."""
        scene, entries = self.UndoRequested(scene=True), self._scene()
        what = "rewind since a scene or session began"
        self._confirm({"R": scene, "enter": scene}, rewind_question(entries), what, entries)

    def on_log_view_entry_undo_requested(self, message: LogView.EntryUndoRequested) -> None:
        """Name the act of an entry, and what later rests on it."""
        try:
            resting = self._resting(message.number)
        except ActRefused as refused:
            self.refuse(refused.refusal)
            return
        keys = {key: self.UndoRequested(number=message.number) for key in ("X", "enter")}
        if resting.later:
            keys["a"] = self.UndoRequested(number=message.number, with_later=True)
        self._confirm(keys, question_about(resting), "undo", (*resting.act, *resting.later))

    def _confirm(
        self,
        keys: Mapping[str, UndoRequested | PlayRequested],
        question: str,
        what: str,
        undone: Sequence[LogEntry] = (),
    ) -> None:
        """Ask before anything is taken back or shown to the players: each key with what it would do.

        Of entries that would be `undone` it says what players would see again.
        """
        if self.snapshot.read_only:
            self.refuse(LOOKING_ON)
        elif question:
            shown = " and ".join(self._shows(undone))
            self._confirming = keys
            self.show_hints()
            self._tray.say(TrayMessage(f"{question}. The players would see {shown}" if shown else question))
        else:
            self._tray.say(TrayMessage(f"There is nothing to {what}", bad=True))

    def request_drained(self) -> None:
        """Have `QueueDrained` come back by the way that messages of the last key came: those are first in every queue."""
        view = self._views[self._looking]
        (self._prompt if self._typing else view if view.is_running else self._tray).post_message(self.QueueMarker())

    def on_main_screen_queue_marker(self, message: QueueMarker) -> None:
        message.stop()
        self.post_message(self.QueueDrained())

    def takes(self, event: events.Key) -> bool:
        """Do what a key does that answers the line or the tray, which come before all others. False when it is for neither."""
        if self._typing:
            return self._prompt.takes(event)
        if self._picking:
            return self._takes_letter(self._picking, event)
        asked, self._confirming = self._confirming, {}
        self._refused_by = self._tray.refusal_clause
        if answer := asked.get(event.key):
            self.post_message(answer)
            return True
        self._tray.say(None)
        if (asked and event.key == "escape") or any(
            answers(event) for answers in (self._types, self._picks, self._writes, self._answers)
        ):
            return True
        self._tray.settle()
        return False

    def paste(self, text: str) -> None:
        """Put a text into the open line. While none is open, nothing happens: what is pasted never acts by itself."""
        if self._typing:
            self._prompt.paste(text)

    def _types(self, event: events.Key) -> bool:
        """Digits are real dice while some are waited for: true when the key was for them."""
        wanted = self.snapshot.missing_dice
        if not wanted:
            return False
        whole = any(move.whole for move in self.snapshot.moves if move.verb == "dice")
        if not self._dice.takes(event.key, event.character, len(wanted), whole=whole):
            return False
        faces = self._dice.faces
        if self._dice.done:
            move = next(move for move in self.snapshot.moves if move.verb == ("dice" if faces else "rest"))
            self.post_message(self.PlayRequested(Act(move, faces=faces or None)))
            self._dice, faces = DiceInput(), ()
        self._tray.type(faces)
        return True

    def _picks(self, event: events.Key) -> bool:
        """Digits pick dice on the scene while some are asked for: the line opens with the first of them."""
        move = scene_tab.pickable_dice(self.snapshot, self._looking)
        if move is None or not (die := digit(event.key)):
            return False
        self._ask(PromptRequest(move.label, "", f"{move.id} {die} "))
        return True

    def _writes(self, event: events.Key) -> bool:
        """Letters go into the field of a question that only a text answers, and run no keys, until Esc says otherwise."""
        move = only_text(self.snapshot)
        if move is None or self._keys_again == self.snapshot.entries:
            return False
        if event.key == "escape":
            self._keys_again = self.snapshot.entries
            self._show_bar()
            return True
        # The key that stands before the answer opens its field, empty: it does what is written there.
        if not (event.character and event.character.isalpha()) or event.character in dict(self._tray.choices):
            return False
        self._ask(initial_line(move))
        return self._prompt.takes(event)

    def _answers(self, event: events.Key) -> bool:
        """A follow-up's own key chooses it; while there is a question, left, right and Enter do too."""
        if answers := [move for key, move in self._tray.choices if key and event.character == key]:
            if len(answers) == 1:
                self._choose(answers[0])
            else:
                self._ask(PromptRequest("Which one?", choices=tuple(map(choice, answers))))
            return True
        if self.snapshot.question is None:
            return False
        if event.key in ("left", "right"):
            self._tray.step(1 if event.key == "right" else -1)
        elif event.key == "enter" and self._tray.selected_follow_up:
            self._choose(self._tray.selected_follow_up)
        else:
            return False
        return True
