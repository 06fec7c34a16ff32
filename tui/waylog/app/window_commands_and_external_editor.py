"""What the wayfinder's app does on request and seldom: forms, the starter kit, pauses, recaps, copied texts.

The app imports this when it is first asked for one of them. What can't be done is said in the window. What was copied last is in a file
too, always: a terminal doesn't say whether it has taken a text.

The person's own editor, opened at the right line of a file. It is called after the app has given the terminal away.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Protocol

from waylog.app.table_sync import SyncHost, refusal_of_error
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import join_names
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.rules.model.players_and_permissions import Players
from waylog.rules.set_command import Setting
from waylog.settings import SettingsFile, create_settings, read_settings
from waylog.store.files_and_lock import CampaignBusy, describe_error
from waylog.store.folders_and_recent import short_path
from waylog.store.players.pause_and_presence import end_pause
from waylog.store.shown.recap import NONE_YET
from waylog.store.shown.recap_in_markdown import recap_text, saved_recaps
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import Document, UnreadableFile, read_bytes
from waylog.ui.act_flow_and_confirmations import SettingsRequested
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.parts.tray import TrayMessage
from waylog.ui.views.form import FormEnd, FormScreen
from waylog.ui.views.pause import PauseScreen, WayfinderPauseScreen
from waylog.ui.views.recap import RecapScreen
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.store.kit import KitItem

_SHOWN = 40
"""Characters of a text that are named in the message."""


def keep_copy(text: str, file: Path | None) -> str:
    """Write a text that was copied to `file`, for its owner alone; return what to tell the person."""
    first, _, rest = text.partition("\n")
    lines = len(rest.splitlines())
    more = f" and {lines} more {'line' if lines == 1 else 'lines'}" if lines else ""
    news = f"Copied “{first[:_SHOWN]}{'…' if len(first) > _SHOWN else ''}”{more}"
    if file is None:
        return news
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
        file.write_text(text if rest.endswith("\n") else f"{text}\n", encoding="utf-8")
    except OSError as trouble:
        return f"{news}. The text can't be saved in a file: {describe_error(trouble)}"
    return f"{news}. In case pasting doesn't work, the text is also in {short_path(file)}"


class CommandHost(SyncHost, Protocol):
    """The part of the app that these commands use."""

    @property
    def table(self) -> Table:
        """The campaign that is played."""
        ...

    @property
    def word_for_campaign(self) -> str:
        """What names the campaign in a command of the shell."""
        ...

    @property
    def chosen(self) -> SettingsFile | None:
        """The settings; None without a home folder."""
        ...

    def edit_in_editor(self, file: Path, path: tuple[str, ...], news: str = "", /) -> None:
        """Open the person's editor on a file, at a value. If there is none, `news` is said before the reason."""
        ...

    def do(self, act: Callable[[], object], /) -> None:
        """Call a function that acts on the table, and show the result or the refusal."""
        ...

    def settle_soon(self) -> None:
        """Bring the file up to the log a little later."""
        ...

    def copy(self, text: str, /) -> str:
        """Send a text to the clipboard. Return what to tell the person."""
        ...


def how_to_join(players: Players, campaign: str) -> str:
    """Return how players, of whom there is at least one, join from a shell: one command, with the keys that it can have."""
    first, *others = players
    who = "Players" if others else f"{players[first].name or first} can"
    also = f" (or {join_names(others, 'or')})" if others else ""
    return f"{who} join with: waylog join {shlex.quote(campaign)} --as {first}{also}"


def tell_how_to_join(app: CommandHost) -> None:
    """Say how those join who have been added as players."""
    players = app.table.snapshot.players
    way = (
        how_to_join(players, app.word_for_campaign) if players else "No players yet. Press : and type player to add one"
    )
    app.frame.say(way, done=False)


def open_form(app: CommandHost, path: ValuePath, name: str = "") -> None:
    """Open the form of the thing at `path` in the campaign file, or of a new one called `name`. If the person asks for one more,
    open the form of that. What refuses it is shown.
    """
    table, frame = app.table, app.frame
    before = {*table.snapshot.players}

    def set_values(settings: Sequence[Setting], *, overrules: bool = False) -> Refusal | None:
        """Set what was changed in the form. Return why that isn't possible, if the form has to stay."""
        try:
            table.set_values(settings, overrules=overrules)
        except (ActRefused, CampaignBusy, LogWriteFailed, OSError) as refused:
            return refusal_of_error(refused)
        return None

    def go_on(end: FormEnd | None) -> None:
        app.show_table()
        app.settle_soon()
        for key, one in table.snapshot.players.items():
            if end and key not in before:
                frame.say(how_to_join({key: one}, app.word_for_campaign))
        if end is FormEnd.ANOTHER:
            open_form(app, source.sibling)

    try:
        source = replace(table.form(path), name=name)
    except ActRefused as refused:
        frame.refuse(refused.refusal)
    else:
        overrule = partial(set_values, overrules=True)
        frame.app.push_screen(
            FormScreen(source, table.try_settings, set_values, table.shown_by_settings, overrule), go_on
        )


def cover_window(app: CommandHost, mark: str) -> None:
    """Cover the window while the game is paused, and go on as the wayfinder chooses. What was typed is still there afterwards.

    The screen has the class `mark`.
    """
    table, frame = app.table, app.frame

    def go_on(choice: str | None) -> None:
        try:
            end_pause(table.players_folder)
        except OSError as trouble:
            frame.refuse(refusal_of_error(trouble))
        if choice == "rewind":  # which is asked about in the window, as always
            frame.action_ask_rewind()
        elif choice == "fade":
            app.do(lambda: table.play(table.understand("scene")))

    frame.app.push_screen((PauseScreen if table.read_only else WayfinderPauseScreen)(classes=mark), go_on)


async def add_from_kit(app: CommandHost, thing: str, who: str) -> None:
    """Add a thing of the starter kit. A table that is still to be filled in is opened in the person's editor."""
    table, frame = app.table, app.frame
    added: list[KitItem] = []
    app.do(lambda: added.extend(table.add_from_kit((thing,), who)[1]))
    for item in added:
        frame.say(item.news)
        if item.blank:
            await frame.show_random_table(item.key)
            app.edit_in_editor(table.folder / item.where, ("entries", "0"), f"{item.news}. ")
            if any(problem.file == item.where for problem in table.snapshot.problems):
                why = f"“{item.name}” has a mistake in its file. {key_name('do', 'colon')} can open the file there"
                frame.refuse(Refusal(why))


def write_recap(app: CommandHost) -> None:
    """Write the recap of the latest session into the campaign's folder, to hand to the players, and show it (NM-41)."""
    table, frame = app.table, app.frame
    try:
        path = table.write_recap()
    except ActRefused as refused:
        starts = "" if table.read_only else f". {key_name('session', 's')} starts one"
        frame.refuse(replace(refused.refusal, reason=f"{refused.refusal.reason}{starts}"))
    except OSError as trouble:
        frame.refuse(refusal_of_error(trouble))
    else:
        news, text = f"Recap saved: {path.name}", recap_text(table.recap())
        frame.window.tray.note_recap()
        frame.offer_copy(f"Recap saved: {short_path(path)}", text)
        frame.app.push_screen(RecapScreen(news, text, app.copy))


def show_luck(app: CommandHost) -> None:
    """Show what the dice came to against what was to be expected."""
    from waylog.store.shown.luck_and_fairness import luck_text

    app.frame.app.push_screen(RecapScreen("Luck", luck_text(app.table.luck()), app.copy))


def read_recap(app: CommandHost) -> None:
    """Show the latest recap that was written, as its file is now."""
    try:
        path = next(reversed(saved_recaps(app.table.folder).values()), None)
        text = read_bytes(path).decode(errors="replace") if path else ""
    except (UnreadableFile, OSError) as trouble:
        app.frame.refuse(refusal_of_error(trouble))
        return
    if path:
        app.frame.app.push_screen(RecapScreen(f"Recap: {path.name}", text, app.copy))
    else:
        app.frame.refuse(Refusal("no recap has been written yet"))


def copy_recap(app: CommandHost) -> None:
    """Copy the players' recap of the latest session."""
    try:
        app.frame.say(app.copy(recap_text(app.table.recap())))
    except ActRefused as refused:
        app.frame.refuse(refused.refusal)


def ask_for_settings(app: CommandHost) -> None:
    """Ask before the person's editor opens on the settings, which are written first if there are none."""
    if app.chosen is None:
        app.frame.refuse(Refusal("your account has no home folder, so there is nowhere to keep settings"))
        return
    try:
        create_settings(app.chosen.path)
        editor = Path(editor_command(os.environ, app.chosen.path, 1)[0]).name
    except OSError as trouble:
        app.frame.refuse(refusal_of_error(trouble))
    except EditorMissing as missing:
        app.frame.refuse(Refusal(str(missing)))
    else:
        question = f"Your settings are in a text file. Enter opens it in {editor}, Esc cancels"
        app.frame.flow.offer_keys({"enter": SettingsRequested()}, TrayMessage(question, sign="?"))


def edit_settings(app: CommandHost) -> None:
    """Open the settings file in the person's editor. Then show its first problem or, if it has none, when the settings take effect."""
    if app.chosen is None:
        return
    app.frame.say("The settings take effect when you next start Waylog or open a campaign", done=False)
    app.edit_in_editor(app.chosen.path, ())
    for problem in read_settings(app.chosen.path).problems[:1]:
        app.frame.refuse(Refusal(f"config.toml, line {problem.line}: {problem.message}"))


def tell_pace(app: CommandHost) -> None:
    """Show one quiet line with the number of acts of each character in this session."""
    pace = app.table.pace()
    app.frame.say(f"Who acted: {pace.who_acted}" if pace and pace.who_acted else NONE_YET, done=False)


COMMANDS: Mapping[str, Callable[[CommandHost], None]] = {
    "write_recap": write_recap,
    "read_recap": read_recap,
    "copy_recap": copy_recap,
    "luck": show_luck,
    "pace": tell_pace,
    "join": tell_how_to_join,
    "settings": ask_for_settings,
}
"""The commands that are seldom needed, by their names in the list of everything (`Ctrl+P`)."""


_PLUS = frozenset(
    [
        "vi",
        "vim",
        "nvim",
        "view",
        "vimx",
        "nano",
        "pico",
        "rnano",
        "emacs",
        "emacsclient",
        "zile",
        "mg",
        "micro",
        "kak",
        "joe",
        "jed",
        "ne",
        "mcedit",
        "dte",
    ]
)
"""Editors that take `+LINE FILE`."""
_COLON = frozenset(["hx", "helix", "subl", "zed", "zeditor", "amp"])
"""Editors that take `FILE:LINE`."""
_GOTO = frozenset(["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"])
"""Editors that take `--goto FILE:LINE`."""
_EVERYWHERE = ("nano", "vi")
"""The editors that are there on nearly every system, the easier one first, for whoever has set none."""
UNSET = "Neither nano nor vi is installed here. Set EDITOR before you start Waylog, for example: export EDITOR=micro"


class EditorMissing(Exception):
    """There is no editor to start. The text says what to do."""


def edit_at(file: Path, path: tuple[str, ...], suspend: Callable[[], AbstractContextManager[None]]) -> str:
    """Open the person's editor on a TOML file, at the line of the value at `path`, and wait. Return what went wrong; empty if nothing did.

    `suspend` gives the terminal away. Raises `EditorMissing`.
    """
    command = editor_command(os.environ, file, find_line(file, path))
    with suspend():
        try:
            code = run_editor(command)
        except OSError as error:
            return f"{command[0]} can't be started: {describe_error(error)}"
    return f"{command[0]} ended with an error (code {code})" if code else ""


def find_line(file: Path, path: tuple[str, ...]) -> int:
    """Return the line of a value in a TOML file, or of the nearest table above it; in a broken file the line that is wrong."""
    try:
        return Document.parse(read_bytes(file), file.name).position(path)[0]
    except UnreadableFile as unreadable:
        return unreadable.problems[0].line


def editor_command(environment: Mapping[str, str], file: Path, line: int) -> Sequence[str]:
    """Return the command that opens `file` at `line`, counted from 1, in `$VISUAL`, or else in `$EDITOR`, or else in nano or vi.

    An editor that Waylog doesn't know gets the file alone. Raises `EditorMissing`.
    """
    variable = "VISUAL" if environment.get("VISUAL", "").strip() else "EDITOR"
    chosen = environment.get(variable, "")
    try:
        words = shlex.split(chosen)
    except ValueError:
        raise EditorMissing(f"{variable} is missing a quotation mark: {chosen}") from None
    if not words:
        words = [each for each in _EVERYWHERE if which(each, path=environment.get("PATH"))][:1]
    if not words:
        raise EditorMissing(UNSET)
    if which(words[0], path=environment.get("PATH")) is None:
        raise EditorMissing(f"{variable} names “{words[0]}” as your editor, but there is no such program")
    program = Path(words[0]).name.removesuffix(".exe")
    if program in _PLUS:
        return [*words, f"+{line}", str(file)]
    if program in _COLON:
        return [*words, f"{file}:{line}"]
    if program in _GOTO:
        return [*words, "--goto", f"{file}:{line}"]
    return [*words, str(file)]


def run_editor(command: Sequence[str]) -> int:
    """Run an editor on this terminal until it is closed; return its exit code. Raises `OSError`.

    The keys that interrupt and quit reach the editor alone meanwhile.
    """
    # By a function and not by SIG_IGN, which the editor would inherit.
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        return subprocess.run(command, check=False, close_fds=True).returncode
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
