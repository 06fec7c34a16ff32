"""The wayfinder's app. Only the app has the table. Screens get snapshots, and say what the person wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.types import CSSPathType

from waylog.app.base_app_and_attention import (
    THEMES,
    BaseApp,
    call_attention,
    collect_garbage_seldom,
    newly_full,
    news_of_proposals,
)
from waylog.app.keyboard_and_pastes import KeyQueue
from waylog.app.table_sync import TableSync, refusal_of_error
from waylog.app.terminal_driver import Handover, TerminalDriver
from waylog.rules.codec.changes import join_names, parse_path
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.model.state import EntryKind
from waylog.settings import SettingsFile
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import FILE, CampaignBusy
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.shown.countdowns import Countdown, Ticker, run_out
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile
from waylog.ui.act_flow_and_confirmations import (
    CopyRequested,
    PlayRequested,
    ProposalAnswered,
    StakesRequested,
    UndoRequested,
)
from waylog.ui.draw.clickable_line_view import LineView
from waylog.ui.draw.window_layout_and_key_names import format_keys, use_keys
from waylog.ui.line.choices import PromptRequest
from waylog.ui.line.lists_and_lines_that_keys_open import LOOKING_ON, refuse_moves
from waylog.ui.main_screen import MainScreen
from waylog.ui.parts.hints import advise_in_copy
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.app.campaign_choice import CampaignChoice
    from waylog.app.players_apps_and_phones import PhonesProcess
    from waylog.app.tutorial import Tutorial
    from waylog.store.folders_and_recent import Locations

_LOOK = 0.5
"""Seconds between two looks at what editors and other windows have written."""
_NEXT = 0.02
"""Seconds until the next of several players' proposals is played."""
_PAUSED = "paused"
"""The class of the screen that covers the window."""
_LONGEST_WAIT_FOR_LOCK = 0.25
"""The longest time, in seconds, that the screen waits for another program that holds the campaign."""


class WayfinderApp(BaseApp, inherit_bindings=False):
    """A campaign on a terminal."""

    CSS_PATH: ClassVar[CSSPathType | None] = [
        "../ui/main_screen.tcss",
        *(f"../ui/views/{view}.tcss" for view in ("bridge_ship_and_crew", "log", "clocks", "tables_and_decks")),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q,ctrl+d", "leave", "Quit", id="quit", tooltip="Quit (everything is saved)"),
        Binding("ctrl+c", "interrupt", "Quit", id="interrupt", tooltip="Copy the selection, or quit (asks first)"),
        Binding("ctrl+z", "suspend_process", "Suspend", id="suspend", tooltip="Suspend (fg returns)"),
        replace(THEMES, key="ctrl+t"),
    ]

    def __init__(
        self,
        table: Table,
        theme: str | None = None,
        places: Locations | None = None,
        chosen: SettingsFile | None = None,
        tutorial: Tutorial | None = None,
        handover: Handover | None = None,
        *,
        chosen_in_app: bool = False,
    ) -> None:
        """`places` are where other campaigns and Waylog's own files are. Without them, none is opened or written.

        With a `tutorial`, the window shows what it asks for next. If the campaign was `chosen_in_app`, an Enter that comes at once does
        nothing: whoever chose it with Enter may have pressed that twice. `handover` has what was typed since.
        """
        super().__init__(theme, chosen, handover)
        self._places = places
        self.next_table: Table | None = None
        """The campaign that is to be played in place of this one."""
        self.phones: PhonesProcess | None = None
        """What lets phones in, once somebody has asked for it."""
        self._copied_file = places.state / "copied.txt" if places else None
        self._selected_text = ""
        """What was selected with the mouse, until the next key."""
        table.limit_waiting(_LONGEST_WAIT_FOR_LOCK)
        self.table = table
        """The campaign that is played, or a copy of it."""
        self._tutorial = tutorial
        self._seen: tuple[Snapshot, Snapshot] | None = None
        self._ticker = Ticker(self.set_timer, self._count_down)
        self._sync = TableSync(table, self)
        self._keys = KeyQueue(self._keys_before, swallows_enter=chosen_in_app)

    def get_default_screen(self) -> Screen[None]:
        return MainScreen(self._snapshot(), self.table, self._advise, self.settings)

    def _advise(self) -> str:
        """Return how one leaves a copy, or what the tutorial asks for next, with keys as they are set."""
        snapshot = self._snapshot()
        if snapshot.tried is not None:
            return advise_in_copy(snapshot)
        if not self._tutorial:
            return ""
        keys: dict[str, str] = {}
        for key, active in self.frame.active_bindings.items():
            keys.setdefault(active.binding.id or "", format_keys(key))
        return self._tutorial.advise(keys)

    def _snapshot(self) -> Snapshot:
        """Return what the table shows, without moves in a window that only looks on. It is the same object until something changes."""
        snapshot = self.table.snapshot
        if not self.table.read_only:
            return snapshot
        if self._seen is None or self._seen[0] is not snapshot:
            self._seen = snapshot, refuse_moves(snapshot)
        return self._seen[1]

    def on_mount(self) -> None:
        self.look_every(_LOOK, self._look)
        self.heed_endings()
        self.set_window_title(self._snapshot().name)
        self._set_keys()
        self._follow_timers()
        self.call_after_refresh(self.frame.window.mount_prompt)
        self.call_after_refresh(collect_garbage_seldom)
        self.call_after_refresh(self._press_what_waits)
        self.call_after_refresh(self._sync.look_first)
        if self.table.news:
            self.call_after_refresh(self.frame.say, self.table.news)
        elif not self._tutorial:
            self.call_after_refresh(self._welcome_back)
        self.call_after_refresh(self._tell_settings)

    def _welcome_back(self) -> None:
        """Say how the campaign was left."""
        from waylog.words.last_evening import welcome_back  # The first frame doesn't wait for it.

        with suppress(OSError):  # The log can't be read now; the window says so elsewhere.
            self.frame.window.tray.welcome(welcome_back(self.table))

    def on_unmount(self) -> None:
        for event in self._keys.drain():
            self.handover.keep(event)
        self._sync.end()

    def _set_keys(self) -> None:
        """Take the person's own keys, but for those that can't be."""
        use_keys({})
        if not self.settings.keys:
            return
        from waylog.ui.key_bindings import build_keymap

        keymap, faults = build_keymap(self.settings.keys, self.BINDINGS)
        for fault in faults:
            self.report_setting(self.chosen.line_of(fault.id) if self.chosen else 1, fault.reason)
        self.set_keymap(dict(keymap))
        use_keys(keymap)
        self.frame.set_keys(keymap)

    @property
    def frame(self) -> MainScreen:
        """The window."""
        frame = self.screen_stack[0]
        assert isinstance(frame, MainScreen)
        return frame

    # -- keys ---------------------------------------------------------------------------------------------------

    @property
    def unhandled_input(self) -> int:
        return super().unhandled_input + len(self._keys)

    @property
    def is_typing(self) -> bool:
        return not self._keys.is_resting(monotonic())

    async def on_event(self, event: events.Event) -> None:
        """Pass keys on at once. A key or paste close behind another waits until that one is done."""
        if (
            not isinstance(event, events.Key | events.Paste)
            or event.is_forwarded
            or not (self._keys or isinstance(self.screen, MainScreen))
        ):
            await super().on_event(event)
            return
        self.app_focus = True
        if self._keys.add(event):
            await self._press()

    async def on_main_screen_queue_drained(self, message: MainScreen.QueueDrained) -> None:
        """Handle the next key once everything that a key caused has happened."""
        if self._keys.finish(message.number):
            await self._press()

    async def _press_what_waits(self) -> None:
        """Handle the first key that was typed before there was a window."""
        if self._keys and self._keys.is_done:
            await self._press()

    async def _press(self) -> None:
        """Handle the first key that waits."""
        event = self._keys.take()
        begun = self.frame.answers.find_begun if isinstance(self.screen, MainScreen) else None
        while event and (self.is_dropped(event) or self._is_refused(event) or self._keys.holds(event, begun)):
            event = self._keys.take()
        if event is None:
            if word := self._keys.held_letters:
                self.set_timer(self._keys.word_pause, partial(self._end_word, word))
            return
        if isinstance(event, events.Key) and event.key != "ctrl+c":
            self._selected_text = ""
        if isinstance(self.screen, MainScreen):
            with self.screen.draw_at_once():
                await self._handle_key(self.screen, event)
        else:
            await super().on_event(event)
        if self.screen_stack:
            self.frame.request_drained(self._keys.number_handled())

    def _is_refused(self, event: events.Key | events.Paste) -> bool:
        """Return whether a key does nothing: it belongs to a word whose first letter was refused, or taken as an answer; or it is an
        Enter of habit.
        """
        if not isinstance(self.screen, MainScreen):
            return False
        if self._keys.is_stray:
            return True
        tray = self.screen.window.tray
        if not self._keys.goes_on_with_word:
            tray.taken.end()
            return False
        if isinstance(event, events.Key) and tray.taken.takes(event.key, event.character):
            return True
        return tray.refuses and not self.screen.window.typing

    async def _end_word(self, word: str) -> None:
        """Let the letters of a word act that nobody goes on with."""
        if word == self._keys.held_letters:
            self._keys.release()
            if self._keys.is_done:
                await self._press()

    async def _handle_key(self, frame: MainScreen, event: events.Key | events.Paste) -> None:
        if self._keys.word:
            frame.answers.take_word(self._keys.word)
        elif isinstance(event, events.Paste):
            frame.paste(event.text)
        elif event.key == "ctrl+c" and self._selected_text:
            self.action_interrupt()
        elif not (self._quits(event) or frame.takes(event)):
            await self._check_bindings(event.key)
        if self.screen_stack:
            frame.show_hints()

    # -- playing ------------------------------------------------------------------------------------------------

    def on_play_requested(self, message: PlayRequested) -> None:
        act = message.act
        if self.settings.dice == "real" and act.faces is None and act.move.rolls:
            # No faces so far: the act waits for those of the dice on the table.
            act = replace(act, faces=())
        played: list[LogEntry] = []
        self.do(lambda: played.append(self.table.play(act)))
        if played and played[0].kind is EntryKind.SESSION_ENDS:
            self.frame.offer_recap()
            if self.settings.git == "session":
                self.run_worker(self._commit(played[0]))

    async def _commit(self, entry: LogEntry) -> None:
        """Commit the folder after a session, once its file is up to date, and say what was done."""
        from waylog.words.saving_after_commands import commit_session, save

        table = self.table
        await asyncio.to_thread(save, table)
        for line in await asyncio.to_thread(commit_session, table, entry):
            self.frame.offer_recap(line)

    def on_stakes_requested(self, message: StakesRequested) -> None:
        """Show players what is at stake in a roll, or stop showing it."""
        try:
            if message.act:
                self.table.show_stakes(message.act)
            else:
                self.table.hide_stakes()
        except (ActRefused, CampaignBusy) as refused:
            self.frame.refuse(refusal_of_error(refused))
        self.settle_soon()

    def on_proposal_answered(self, message: ProposalAnswered) -> None:
        proposal, reason = message.proposal, message.declined_for
        table = self.table
        self.do(lambda: table.accept(proposal) if reason is None else table.decline(proposal, reason))

    def on_undo_requested(self, message: UndoRequested) -> None:
        how = {"with_later": message.with_later, "last_step": message.last_step}
        back = partial(self.table.undo, message.number, **how)
        self.do(self.table.redo if message.again else self.table.rewind if message.scene else back)

    def on_sheet_view_why_requested(self, message: SheetView.WhyRequested) -> None:
        """Show the acts that changed a row's value, a part of it, or what it is a part of."""
        from waylog.ui.views.why import ValueHistory, WhyScreen

        key, path = message.row.key, parse_path(message.row.key)
        panels = self.table.snapshot.panels
        owner = next((panel.title for panel in panels if any(row.key == key for row in panel.rows)), "")

        async def go_on(number: int | None) -> None:
            if number is not None:
                await self.frame.show_entry(number)

        self.push_screen(WhyScreen(ValueHistory(message.row.label, owner, path, self.table.why(path))), go_on)

    # -- forms --------------------------------------------------------------------------------------------------

    def action_edit(self, path: Sequence[str] | None = None, name: str = "") -> None:
        """Open the form of a thing: of the row under the cursor, of what is at that path of the file, or of a new thing with a name."""
        from waylog.app.window_commands_and_external_editor import open_form

        view = self.frame.window.view
        if path is None and view.edited_file != FILE:
            # A random table has a file of its own.
            self.call_next(self.action_edit_file)
            return
        match view.edit_line if path is None else None:
            case Refusal() as refusal:
                self.frame.refuse(refusal)
            case PromptRequest() as line:
                self.frame.flow.ask(line)
            case None:
                open_form(self, view.edited_path if path is None else tuple(path), name)

    # -- what if ------------------------------------------------------------------------------------------------

    def action_what_if(self) -> None:
        """Try things in a copy of the campaign; in the copy, go back to the campaign itself."""
        from waylog.app.what_if_and_earlier_moments import start_or_end

        start_or_end(self)

    def action_leave_moment(self) -> None:
        """Go back from an earlier moment to now, unless something was tried there: that isn't lost by a key that closes things."""
        if self.table.snapshot.as_of is not None and not self.table.snapshot.tried:
            self.action_what_if()

    def action_make_real(self) -> None:
        """Play for real what was tried, as one act."""
        from waylog.app.what_if_and_earlier_moments import make_real

        make_real(self)

    def action_step_moment(self, by: int, scene: bool = False) -> None:
        """See the campaign as it was one action earlier or later, or when a scene began."""
        from waylog.app.what_if_and_earlier_moments import step

        step(self, by, scene=scene)

    def go_to(self, table: Table, news: str = "") -> None:
        """Go on at another table of the same campaign, in the same window."""
        before, self.table = self.table, table
        if before is not table:
            table.limit_waiting(_LONGEST_WAIT_FOR_LOCK)
            self._sync.follow(table)
        self.frame.show_at(table, self._snapshot())
        self._follow_timers()
        if before is not table:
            before.leave()
        if news:
            self.frame.say(news, done=False)

    # -- other campaigns ----------------------------------------------------------------------------------------

    def action_campaigns(self) -> None:
        """List the campaigns, to switch to another."""
        if choice := self._campaign_choice():
            choice.choose(self.table.folder)

    def action_new_campaign(self) -> None:
        """Make a new campaign, step by step."""
        if choice := self._campaign_choice():
            choice.make()

    def _campaign_choice(self) -> CampaignChoice | None:
        from waylog.app.campaign_choice import CampaignChoice

        if self._places is None or self.table.read_only:
            self.frame.refuse(
                Refusal("this window shows only one campaign. To see all your campaigns, run `waylog` in a shell")
            )
            return None
        return CampaignChoice(self, self._places, self.table.now())

    @property
    def word_for_campaign(self) -> str:
        return self._places.word_for(self.table.folder) if self._places else str(self.table.folder)

    def open_campaign(self, folder: Path, news: str = "") -> Refusal | None:
        """Open a campaign in place of this one. Return why that isn't possible."""
        return self._leave_for(partial(self.table.open_other, folder), news)

    def learn(self) -> Refusal | None:
        """Open the tutorial in place of this campaign. Return why that isn't possible."""
        from waylog.app.tutorial import open_tutorial

        assert self._places is not None
        return self._leave_for(partial(open_tutorial, self._places.tutorial, self.table.open_other, self.table.now()))

    def _leave_for(self, opens: Callable[[], Table], news: str = "") -> Refusal | None:
        try:
            self.next_table = opens()
        except (UnreadableFile, OSError) as trouble:
            return refusal_of_error(trouble)
        self.next_table.news = news or self.next_table.news
        self.give_way()
        return None

    def action_learn(self) -> None:
        """Open the tutorial."""
        if self._campaign_choice() and (refusal := self.learn()):
            self.frame.refuse(refusal)

    def refuse(self, refusal: Refusal) -> None:
        """Show a refusal where the person is looking."""
        self.frame.refuse(refusal)

    def end_choice(self) -> None:
        """Go on with this campaign, because no other was chosen."""

    async def action_kit(self, thing: str, who: str = "") -> None:
        """Add a thing of the starter kit. A table that is still to be filled in is opened in the person's editor."""
        from waylog.app.window_commands_and_external_editor import add_from_kit

        await add_from_kit(self, thing, who)

    def action_players(self) -> None:
        """Show what players see now. From then on, Waylog also writes their file."""
        from waylog.ui.views.players_window import PlayersScreen

        try:
            self.table.add_reader()
            self.push_screen(PlayersScreen(self.table.projection()))
        except OSError as trouble:
            self.frame.refuse(refusal_of_error(trouble))

    def action_phones(self) -> None:
        """Show the codes with which phones connect. Phones can connect until the app ends."""
        from waylog.app.players_apps_and_phones import PhonesProcess
        from waylog.store.players.inbox_access_and_phone_keys import why_no_phones
        from waylog.ui.views.phones import PhonesScreen

        if self._places is None or (why_not := why_no_phones()):
            self.frame.refuse(Refusal(why_not if self._places else "Phones can't connect here"))
            return
        if self.phones is None:
            self.phones = PhonesProcess(self.table.players_folder, self._places.state)
        self.push_screen(PhonesScreen(self.phones))

    def on_recap_requested(self) -> None:
        self.action_command("write_recap")

    def action_command(self, name: str) -> None:
        """Do one of the rarely used commands, by its name."""
        from waylog.app.window_commands_and_external_editor import COMMANDS

        COMMANDS[name](self)

    # -- the terminal -------------------------------------------------------------------------------------------

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.copy_text(message.wanted)

    def on_line_view_text_selected(self, message: LineView.TextSelected) -> None:
        self._selected_text = message.cells_text
        self.copy_text(message.cells_text)

    def copy_text(self, text: str) -> None:
        """Send a text to the terminal's clipboard, keep it in a file too, and say where that is."""
        self.frame.say(self.copy(text))

    def copy(self, text: str) -> str:
        """Send a text to the terminal's clipboard, and keep it in a file too. Return what to tell the person."""
        from waylog.app.window_commands_and_external_editor import keep_copy

        super().copy_text(text)
        return keep_copy(text, self._copied_file)

    def action_interrupt(self) -> None:
        """Copy what is selected. If nothing is, close what covers the window, or ask whether to quit."""
        if self._selected_text:
            self.copy_text(self._selected_text)
        elif self.screen is not self.frame:
            self.post_message(events.Key("escape", None))
        else:
            self.frame.ask_to_leave()

    def on_leave_requested(self) -> None:
        self.action_leave()

    async def action_edit_file(self) -> None:
        """Open the person's editor at the row under the cursor. What was saved there is taken in afterwards, like any edit."""
        if self.table.read_only:
            self.frame.refuse(LOOKING_ON)
            return
        # The editor is to find what was played last.
        await asyncio.to_thread(self.table.settle)
        view = self.frame.window.view
        self.edit_in_editor(self.table.folder / view.edited_file, view.edited_path)

    def action_edit_beside(self, file: str) -> None:
        """Open the person's editor on a file in a folder beside the campaign file, such as `prep/dock.toml`."""
        self.edit_in_editor(self.table.folder / file, ())

    def on_settings_requested(self) -> None:
        """Open the settings in the person's editor."""
        from waylog.app.window_commands_and_external_editor import edit_settings

        edit_settings(self)

    def edit_in_editor(self, file: Path, path: tuple[str, ...], news: str = "") -> None:
        """Open the person's editor. If there is none, `news` is said before the reason."""
        from waylog.app.window_commands_and_external_editor import EditorMissing, edit_at

        try:
            trouble = edit_at(file, path, self.suspend)
        except (EditorMissing, SuspendNotSupported) as error:
            self.frame.refuse(Refusal(f"{news}{error}"))
            return
        self.screen.refresh()  # All of it: the editor has left an empty screen.
        self._look()
        if trouble:
            self.frame.refuse(Refusal(trouble))

    def action_write_held(self) -> None:
        """Try again to write the act that could not be written."""
        self.do(self.table.retry_save)

    def action_drop_held(self) -> None:
        """Drop the act that could not be written."""
        self.table.discard_unsaved()
        self.show_table()

    def action_keep_file(self) -> None:
        """Keep the file's version: in a question about the file, or of a value that was changed both in it and in play."""
        self._about_the_file(keep=True)

    def action_take_played(self) -> None:
        """Keep the game's version: update the file, or keep the value from play."""
        self._about_the_file(keep=False)

    def _about_the_file(self, *, keep: bool) -> None:
        table = self.table
        if table.snapshot.asked:
            self.do(lambda: table.answer_file(keep=keep))
        else:
            settle = table.keep_edit if keep else table.keep_game_value
            self.do(lambda: settle(table.snapshot.conflicts[0]))

    def do(self, act: Callable[[], object]) -> None:
        """Do something with the table, and show the result or the refusal."""
        if not self.screen_stack:  # the app was ended between the key and the act, which nobody would see done
            return
        with self.frame.draw_at_once():
            before = self.frame.snapshot
            try:
                act()
            except (ActRefused, CampaignBusy, LogWriteFailed, OSError) as refused:
                self.show_table()
                self.frame.refuse(refusal_of_error(refused))
                return
            self.frame.clear_after_act()
            self.show_table()
            self.frame.open_next_line()
            self.frame.mention_session()
            self.frame.mention_ended_offers(before)
        self._keys.note_act()
        self._sync.settle_soon()

    def show_table(self) -> None:
        """Show what has changed at the table."""
        if not self.screen_stack:  # a file was being written while the app was left
            return
        snapshot = self._snapshot()
        self.set_window_title(snapshot.name)
        before = self.frame.snapshot
        if snapshot is not before and snapshot != before:
            self.frame.show(snapshot)
            self._follow_timers()
            self._call_attention(newly_full(before, snapshot))
            self._call_attention(news_of_proposals(before, snapshot))

    def wake_phones(self) -> None:
        """Tell phones to read what has just been written."""
        if self.phones:
            self.phones.wake()

    def settle_soon(self) -> None:
        """Update the file from the log a little later."""
        self._sync.settle_soon()

    def _follow_timers(self) -> None:
        """Show what is left of the timers, and go on doing so."""
        self._ticker.follow(self.frame.snapshot.countdowns)
        self.frame.window.bar.show_timers(self._ticker.forms())

    def _count_down(self, ended: Sequence[Countdown]) -> None:
        """Show what is left of the timers now, and call attention to those that have ended."""
        if self.screen_stack:
            self.frame.window.bar.show_timers(self._ticker.forms())
            self._call_attention(run_out(ended), rings=True)
            if ended:
                self.frame.say(f"Time's up: {join_names([one.name for one in ended])}", done=False)

    def _call_attention(self, text: str, *, rings: bool = False) -> None:
        if text and isinstance(self._driver, TerminalDriver):
            call_attention(text, self._driver, self.settings, rings=rings)

    def action_hints(self) -> None:
        """Show or hide the line of hints, and remember the choice."""
        window = self.frame.window
        window.set_hints(shown=not window.has_hints)
        if trouble := self.remember("hints", value=window.has_hints):
            self.tell(trouble)

    def _tell_settings(self) -> None:
        """Say what is wrong in the settings."""
        if self.setting_problems:
            first, *others = self.setting_problems
            more = f" ({len(others)} more: see `waylog config`)" if others else ""
            self.frame.refuse(Refusal(first + more))

    def tell(self, trouble: str) -> None:
        self.frame.refuse(Refusal(trouble))

    def _look(self) -> None:
        self.watch_theme_file()
        self._look_at_files()
        self._look_for_pause()
        if self.phones:
            self.phones.look()

    def _look_at_files(self) -> None:
        """Take in what others have written, and what one player after the other proposes. Keys that come meanwhile go first."""
        if self._sync.look():
            self.set_timer(_NEXT, self._look_at_files)

    # -- a pause ------------------------------------------------------------------------------------------------

    def _look_for_pause(self) -> None:
        """Cover the window while the game is paused. Typed text is kept."""
        from waylog.store.players.pause_and_presence import (
            is_paused,
            mark_shown,
        )  # The first frame doesn't wait for it.

        covered = self.screen.has_class(_PAUSED)
        paused = is_paused(self.table.players_folder)
        if covered and not paused:
            self.pop_screen()
        elif paused and not covered:
            from waylog.app.window_commands_and_external_editor import cover_window  # Most games have no pause.

            cover_window(self, _PAUSED)
        if paused and not self.table.read_only:
            mark_shown(self.table.players_folder)

    def action_pause(self) -> None:
        """Pause the game on every screen."""
        from waylog.store.players.pause_and_presence import ask_for_pause

        try:
            ask_for_pause(self.table.players_folder)
        except OSError as trouble:
            self.frame.refuse(refusal_of_error(trouble))
        else:
            self._look()
