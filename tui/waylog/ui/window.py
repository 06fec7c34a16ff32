"""What the window is made of: the bar on top, the view that is looked at, and the tray with its line at the foot.

`MainScreen` makes one, mounts its parts and passes on what Textual says. Here is which view is looked at, where the parts stand, and
whether a line is typed. What keys and clicks do is in the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from textual.geometry import Size
from textual.screen import Screen
from textual.widget import AwaitMount, Widget

from waylog.rules.codec.changes import quote, with_full_stop
from waylog.rules.model.moves import Act, Refusal, reason_of
from waylog.settings import Settings
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.draw.bridge_layout import USUAL_TRAY
from waylog.ui.draw.colours import ink_of
from waylog.ui.draw.drawn_screen import DrawnScreen
from waylog.ui.draw.window_layout_and_key_names import (
    BRIDGE,
    HEIGHT,
    SCENE,
    WIDTH,
    Contents,
    Frame,
    PlacedLayout,
    Rect,
    TooSmall,
    arrange,
    key_name,
    main_width,
)
from waylog.ui.line.lists_and_lines_that_keys_open import (
    NO_SCENE,
    first_tab,
    has_scene_tab,
    move_before,
    open_tabs,
    rule_search,
)
from waylog.ui.parts.clock_strip import ClockStrip
from waylog.ui.parts.hints import HintLine
from waylog.ui.parts.top_bar_banner_and_log_tail import Advice, Banner, LogTail, TopBar, badge, marks
from waylog.ui.parts.tray import LEAST_ROWS, Tray, TrayMessage
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.model.dice import Die
    from waylog.rules.model.odds import Odds
    from waylog.rules.model.panels import Row
    from waylog.snapshot_and_act_preview import ActPreview, UndoPlan
    from waylog.store.log.entries_and_version_0_1 import LogEntry
    from waylog.store.log.search_and_filters import LogSearch
    from waylog.ui.line.choices import Choice, PromptRequest
    from waylog.ui.line.line_keys import Prompt
    from waylog.ui.line.line_state_and_drawing import LineInput
    from waylog.ui.line.parsed_line import ParsedLine
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.log import LogView
    from waylog.ui.views.tables_and_decks import TablesView

    View = SheetView | LogView | ClocksView | TablesView


class TableReader(Protocol):
    """The questions that the main screen may ask the table, beside its snapshots. They change nothing."""

    def entry(self, number: int, /) -> LogEntry:
        """Return an entry. Raises `KeyError` if there is none that can be read."""
        ...

    def log_search(self) -> LogSearch:
        """Return a search of the log as it is now."""
        ...

    def odds(self, act: Act, /) -> Odds | None:
        """Return the exact odds of a roll; None for other acts. Raises `ActRefused` if it isn't legal."""
        ...

    def dice_to_type(self, act: Act, /) -> tuple[Die, ...]:
        """Return the real dice that an act still needs after those typed with it."""
        ...

    def awaited_dice(self) -> tuple[Die, ...]:
        """Return the real dice that the latest act still waits for, in order."""
        ...

    def preview(self, act: Act, /) -> ActPreview:
        """Return what the real dice that were typed with an act come to. Raises `ActRefused`."""
        ...

    def undo_plan(self, number: int, /) -> UndoPlan:
        """Return the act of an entry, and later changes of the same values. Raises `ActRefused`."""
        ...

    def shown_by_undo(self, entries: Sequence[LogEntry], /) -> tuple[str, ...]:
        """Return what undoing these entries would show to players that is hidden now."""
        ...

    def scene_so_far(self) -> tuple[LogEntry, ...]:
        """Return what a rewind would undo, oldest first."""
        ...


HINTS_FROM = 12
"""The window height from which on there is room for the hint line."""


class Window:
    """The parts of the main screen. It changes nothing but what is shown."""

    def __init__(
        self,
        screen: DrawnScreen,
        snapshot: Snapshot,
        table: TableReader,
        advice: Advice | None,
        settings: Settings,
    ) -> None:
        self._screen, self._settings = screen, settings
        self.table = table
        """The campaign that is shown, or a copy of it."""
        self.snapshot = snapshot
        """What is shown."""
        self.tab = BRIDGE
        """The name of the current tab."""
        self._came_from = BRIDGE
        """The tab that was open when the scene began."""
        self.views: dict[str, View] = {}
        """The views that have been opened, by their tabs."""
        self._stale = set[str]()
        self.bar = TopBar(open_tabs(snapshot), snapshot.name, snapshot.system_name)
        self.banner = Banner(snapshot, self._entry, advice)
        self.strip = ClockStrip(snapshot)
        self.tail = LogTail(snapshot, self._entry)
        self.tray = Tray(snapshot, self.fit, self._free_lines)
        self.hints = HintLine()
        self._prompt: Prompt | None = None
        self.typing = False
        """Whether the command line is open, and has the keys."""
        self._small = TooSmall()
        self.layout = PlacedLayout(self._places)
        """The layout that places the parts."""
        self._covered = 0
        """The lines of the view that the tray covers for longer."""
        self._lists_clocks = True
        """The Bridge has the clocks among its rows, and needs no strip at rest."""
        self.frame: Frame | None = None
        """The places of the parts; None in a window that is too small for them."""

    def compose(self) -> Iterator[Widget]:
        """Yield the parts. The first view is made here."""
        self.tab = first_tab(self.snapshot, self._settings.first_view)
        self.views[self.tab] = self._load_view()
        yield self.bar
        yield self.view
        yield self.tail
        yield self.banner
        yield self.strip
        yield self.tray
        yield self.hints
        yield self._small

    def _entry(self, number: int) -> LogEntry:
        return self.table.entry(number)

    def _open_log(self) -> LogSearch:
        return self.table.log_search()

    def _load_view(self) -> View:
        """Import and make the view of the current tab, when it is first opened, so that a start doesn't pay for it."""
        match self.tab:
            case "log":
                from waylog.ui.views.log import LogView

                return LogView(self.snapshot, self._open_log)
            case "clocks":
                from waylog.ui.views.clocks import ClocksView

                return ClocksView(self.snapshot)
            case "tables":
                from waylog.ui.views.tables_and_decks import TablesView

                return TablesView(self.snapshot)
            case _:
                return SheetView(self.tab, self.snapshot, self._entry)

    @property
    def view(self) -> View:
        """The current view."""
        return self.views[self.tab]

    @property
    def prompt(self) -> Prompt:
        """The command line. It is made after the first frame, or when a line is opened before that."""
        if self._prompt is None:
            from waylog.ui.line.line_keys import Prompt

            self._prompt = Prompt(self)
        return self._prompt

    @property
    def row(self) -> Row | None:
        """The row of the sheet under the cursor; None in other views, or if the sheet is empty."""
        return self.view.row if isinstance(self.view, SheetView) else None

    @property
    def row_key(self) -> str:
        """The key of the row or clock under the cursor; empty if the view has neither."""
        if isinstance(self.view, SheetView):
            return self.row.key if self.row else ""
        key = getattr(self.view, "current_key", "")
        return f"clocks.{key}" if key else ""

    def give_keys(self, widget: Widget) -> None:
        """Give a widget the keys. It looks the same with them, so the screen is not painted again, as `set_focus` would do."""
        self._screen.set_reactive(Screen.focused, widget)

    # -- where the parts stand ----------------------------------------------------------------------------------

    def fit(self) -> bool:
        """Place the parts again if one of them wants another height than before. Return whether that is so."""
        size = self._screen.app.size
        frame = self.frame if self.frame and not self.tray.welcomes else self._arrange(size)
        self._fit_tray(size, frame)
        before, self.frame = self.frame, self._arrange(size)
        if self.frame and (
            frame is None or frame.most_tray != self.frame.most_tray
        ):  # In another window, or beside a banner.
            self._fit_tray(size, self.frame)
            self.frame = self._arrange(size)
        view = self.view
        view.cover(self.frame.covered if self.frame else 0, self._covered)
        if isinstance(view, SheetView):
            view.set_log_below(shown=bool(self.frame and not self.frame.log.width))
            view.list_clocks(shown=self._lists_clocks)
        if self.frame == before:
            return False
        if before and self.frame and self.frame.body != before.body:
            self.tray.take_free_lines()
        self._screen.place_parts()
        return True

    def _fit_tray(self, size: Size, frame: Frame | None) -> None:
        """Tell the tray how much room it has in that frame."""
        if frame:
            width = main_width(size.width, self.tab, self._settings.log_beside)
            spare = self._spare(frame) if self.tray.welcomes else 0
            self.tray.fit(width, size.height, frame.most_tray, spare)

    @property
    def has_hints(self) -> bool:
        """The line of hints is wanted."""
        return self._settings.hints

    def set_hints(self, *, shown: bool) -> None:
        """Show the line of hints, or give its line to the view."""
        self._settings = replace(self._settings, hints=shown)
        self.fit()

    def _arrange(self, size: Size) -> Frame | None:
        if size.width < WIDTH or size.height < HEIGHT:
            return None
        banner = self.banner.lines_at(main_width(size.width, self.tab, self._settings.log_beside), size.height)
        hints = int(self._settings.hints and size.height >= HINTS_FROM)
        contents = Contents(
            self.tab,
            self.tray.rows,
            LEAST_ROWS,
            banner,
            self.strip.has_clocks,
            hints,
            self._settings.log_beside,
        )
        frame, view = arrange(*size, contents), self.view
        self._lists_clocks = True
        self._covered = min(frame.covered, self._covered) if self.tray.is_brief else frame.covered
        if frame.strip.height and isinstance(view, SheetView) and self.tab == BRIDGE:
            bare, ink, has_log = (
                arrange(*size, contents._replace(clocks=False)),
                ink_of(self._screen),
                not frame.log.width,
            )
            if view.shows_clocks(ink, bare.body, USUAL_TRAY, log_below=has_log):
                if view.shows_clocks(ink, bare.body, bare.covered, log_below=has_log):
                    return bare
                # Where the tray covers clocks, the strip lies over the view as the tray does: nothing in the view moves.
                return frame._replace(body=bare.body, covered=bare.covered + frame.strip.height)
            self._lists_clocks = False
        if frame.strip.height:
            tall = self.strip.lines_at(ink_of(self._screen), frame.strip, lambda: self._spare(frame) - self._covered)
            return arrange(*size, contents._replace(strip=tall)) if tall > frame.strip.height else frame
        return frame

    def _spare(self, frame: Frame) -> int:
        """Return how many lines the view leaves free while the tray says nothing."""
        _, _, width, height = frame.body
        return max(0, height - self.view.least_lines(ink_of(self._screen), width, height))

    def _free_lines(self) -> int:
        """Return how many lines the view leaves blank while the tray is at rest."""
        if self.frame is None:
            return 0
        _, _, width, height = self.frame.body
        return max(0, height - self.view.used_lines(ink_of(self._screen), width, height))

    def _places(self, size: Size) -> Mapping[Widget, Rect]:
        """Return the visible parts of a window of that size with their places, the later ones on top."""
        frame = self._arrange(size)
        if frame is None:
            return {self._small: Rect(0, 0, *size)}
        return {
            # It has the keys while a line is typed, and is invisible. It comes later than the others, and so lies below them.
            **({self._prompt: Rect(0, size.height, size.width, 0)} if self._prompt else {}),
            self.bar: frame.bar,
            self.view: frame.body,
            self.tail: frame.log,
            self.banner: frame.banner,
            self.strip: frame.strip,
            self.tray: frame.tray,
            self.hints: frame.hints,
        }

    # -- what is shown ------------------------------------------------------------------------------------------

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. Views that aren't open wait until they are."""
        before, self.snapshot = self.snapshot, snapshot
        if has_scene_tab(snapshot) != has_scene_tab(before):
            # Go to the scene when one opens, and back when it ends.
            if has_scene_tab(snapshot):
                self._came_from = self.tab
                self._turn_to(SCENE)
            elif self.tab == SCENE:
                self._turn_to(self._came_from)
        self._stale = set(self.views) - {self.tab}
        self.show_bar()
        self.banner.show(snapshot)
        self.strip.show(snapshot)
        self.tray.show(snapshot)
        self.tail.show(snapshot)
        self.view.show(snapshot)
        self._screen.before_frame(self.fit)
        if self.typing and (snapshot.entries, snapshot.moves) != (before.entries, before.moves):
            self.prompt.read_again()

    def show_bar(self) -> None:
        """Show the current tab and the state of the ship."""
        shown = self.snapshot
        named = open_tabs(shown), self.tab, shown.name
        may_start = shown.question is None
        # The heading of the log names the scene, where there is one.
        names_scene = isinstance(self.view, SheetView) or (self.frame and self.frame.log.width)
        scene = "" if names_scene else shown.scene()
        self.bar.show(*named, marks(shown), shown.session, badge(shown, self.tab), may_start=may_start, scene=scene)

    def refuse(self, refusal: Refusal) -> None:
        """Show why an act was refused, where the person is looking, and the key for what makes it possible."""
        if first := move_before(self.snapshot, refusal):
            way = f"{key_name('roll', 'r')} opens {quote(first.label)}"
            refusal = replace(refusal, reason=f"{with_full_stop(refusal.reason)} {way}")
        if self.typing:
            self.prompt.refuse(refusal)
        else:
            self.tray.say(TrayMessage(reason_of(refusal), bad=True, clause=refusal.clause))

    # -- where one looks ----------------------------------------------------------------------------------------

    async def look(self, tab: str) -> None:
        """Go to another view. It is made when it is first opened."""
        if tab == self.tab or not self._screen.is_attached:
            return
        if tab not in open_tabs(self.snapshot):
            self.refuse(Refusal(NO_SCENE if self.snapshot.has_scenes else f"{self.snapshot.system_name} has no tab 6"))
            return
        self.tray.welcome(None)
        if mounted := self._turn_to(tab):
            with self._screen.app.batch_update():
                await mounted
        self.show_bar()

    def _turn_to(self, tab: str) -> AwaitMount | None:
        """Replace the current view. If that is a new one, return what to await until it is complete."""
        mounted = None
        self.tab = tab
        if tab not in self.views:
            self.views[tab] = self._load_view()
            mounted = self._screen.mount(self.view, before=self.tray)
        # While it is still hidden: a view that follows the latest entry then does so.
        if tab in self._stale:
            self._stale.discard(tab)
            self.view.show(self.snapshot)
        self.fit()
        self._screen.place_parts()
        if not self.typing:
            self.give_keys(self.view)
        return mounted

    # -- the line -----------------------------------------------------------------------------------------------

    def read_line(self, verb: str, text: str) -> ParsedLine:
        """Parse a line. If no act has its words, the app may: then Enter does that."""
        from waylog.ui.line.app_commands_and_menu import (
            call_beside_rolls,
            command_of_app,
            find_app_commands,
            in_order_of_menu,
            key_in_menu,
            list_menu,
            named_thing,
        )
        from waylog.ui.line.parsed_line import DID_YOU_MEAN, ParsedLine, parse_line

        table, shown = self.table, self.snapshot
        reading = parse_line(
            shown.moves,
            table.odds,
            verb,
            text,
            shown.question,
            table.dice_to_type,
            table.preview,
            why_not_now=shown.reference.why_not_now,
        )
        if not verb and (pressed := key_in_menu(shown, text, reading)):
            return pressed
        word = text.strip().lower()
        is_open = not verb and reading.act is None and " " in word
        if is_open:
            named = next((each for each in list_menu(shown) if each.label.lower() == word), None)
            if named := named or (named_thing(shown, text) if reading.unknown else None):
                return ParsedLine(problem=Refusal(f"Enter: {named.label}"), runs=named)
        if call := call_beside_rolls(shown, verb):
            if text.strip() == call.key:
                return ParsedLine(problem=Refusal(f"Enter: {call.label}"), runs=call)
            reading = (
                reading if word else replace(reading, choices=(*reading.choices[:-1], call, *reading.choices[-1:]))
            )
        if verb or reading.act is not None or any(move.verb == word for move in shown.moves):
            return reading
        if not word:
            return replace(reading, choices=list_menu(shown))
        found, meant = find_app_commands(shown, word)
        # What the app has another word for, and an act of the game this one, is most likely the act: `stop` with a timer.
        acts = [each for each in reading.choices if not each.refused and word in each.label.lower().split()]
        if meant and (reading.unknown or command_of_app(word)) and (not acts or word in meant.label.lower().split()):
            key = f" ({meant.key})" if meant.key else ""
            others = tuple(each for each in found if each.does != meant.does)
            return ParsedLine(problem=Refusal(f"Enter: {meant.label}{key}"), choices=others, runs=meant)
        if not (found and reading.unknown):
            return reading
        is_begun = any(each.label.lower().startswith(word) for each in found)
        why = "Choose one of these" if is_begun else f"{with_full_stop(reading.unknown)} {DID_YOU_MEAN}"
        problem = Refusal(why, reading.problem.clause if reading.problem else None)
        listed = in_order_of_menu(shown, (*acts, *found, *reading.choices), word)
        # Where a label begins so, nothing is wrong yet.
        return replace(reading, problem=problem, choices=listed, unknown="" if is_begun else reading.unknown)

    def show_line(self, line: LineInput) -> None:
        """Show what is typed, while the line is open."""
        if self.typing:
            self.tray.show_input(line)

    def list_for(self, text: str) -> tuple[Choice, ...] | None:
        """Return the rules that a line such as `rule focus` searches; None for any other line."""
        return rule_search(self.snapshot.reference, text)

    @property
    def shows_stakes(self) -> bool:
        """The wayfinder's line shows players what is at stake in a roll."""
        return not self.snapshot.read_only

    @property
    def line_width(self) -> int:
        """The width of the tray, which draws the line."""
        return main_width(self._screen.app.size.width, self.tab, self._settings.log_beside)

    def lines_before(self) -> Sequence[str]:
        """Return the commands that were played before, newest first."""
        from waylog.ui.line.line_editor_and_recall import recent_lines

        return recent_lines(self._entry, self.snapshot.entries)

    def mount_prompt(self) -> None:
        """Add the command line to the window, if it isn't there yet. The first frame shows nothing of it."""
        if self._screen.is_attached and not self.prompt.is_attached:
            self._screen.mount(self.prompt)

    def open_line(self, asked: PromptRequest) -> None:
        """Open the command line, in place of one that is open."""
        self.typing = True
        self.bar.show_menu(works=False)
        self.mount_prompt()
        self.prompt.ask(asked)
        self.give_keys(self.prompt)

    def close_line(self, *, done: bool) -> None:
        """Give the keys back to the view. With `done`, the text of the line has been played."""
        self.typing = False
        self.bar.show_menu(works=True)
        self.tray.show_input(None, done=done)
        self.give_keys(self.view)
