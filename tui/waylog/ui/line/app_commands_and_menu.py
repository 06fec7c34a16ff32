"""The list of everything that can be done (`Ctrl+P`): the acts of the game, forms, rules, and the commands of the app itself; and the
menu of what can be done now.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import inf

from waylog.rules.codec.changes import NEW
from waylog.rules.codec.form_fields_and_paths import FormPlace
from waylog.rules.model.act_lists_and_row_verbs import has_list, moves_without_key
from waylog.rules.model.moves import Refusal, reason_of
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import FILE
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, SCENE, TABS, key_name
from waylog.ui.line.choices import AppCommand, Choice, CompletionWord, PromptRequest
from waylog.ui.line.lists_and_lines_that_keys_open import (
    LIST_KEYS,
    NO_FULL_CLOCK,
    can_call,
    choice,
    open_tabs,
    rule_choices,
)
from waylog.ui.line.parsed_line import ParsedLine
from waylog.values import NamedTuple, replace


class _Command(NamedTuple):
    """A command of the app as a line of the list of everything."""

    id: str
    """The id of its binding; empty if it has no key."""
    usual: str
    """The key of that binding, if a person has set no other."""
    action: str
    label: str
    also: tuple[str, ...] = ()
    """Other words to find it by."""
    short: str = ""
    """Its label in the menu, if that is another one."""
    verb: str = ""
    """The verb of the moves that it makes. If none of them can be made, the menu says why."""


_LOOK = "look."
_VIEWS = (BRIDGE, *TABS, SCENE)
_COMMANDS = (
    *(_Command(f"{_LOOK}{tab}", str(n), f"look('{tab}')", f"Go to {tab.title()}") for n, tab in enumerate(_VIEWS)),
    _Command("table", "T", "line('table')", "Roll on a table", short="Random table"),
    _Command("tables.new_table", "A", "new_table", "New table", ("new table", "random table")),
    _Command(
        "call",
        "C",
        "line('call')",
        "Call for a roll: one player, several or everyone",
        ("group roll", "together"),
        short="Call for a roll",
    ),
    _Command("", "", "line('dice')", "Roll any dice", ("free dice", "d20"), short="Any dice"),
    _Command("scene_cards", "O", "scene_cards", "Scene cards", ("prep", "prepared", "cards", "secrets")),
    _Command("session", "s", "session", "Start or end a session", ("evening",)),
    _Command("search", "slash", "search", "Search this view", ("find", "search", "grep"), short="Search"),
    _Command("undo", "u", "ask_undo", "Undo the last action", ("undo", "revert"), short="Undo"),
    _Command("redo", "U", "ask_redo", "Redo", ("redo",)),
    _Command("rewind", "R", "ask_rewind", "Rewind the scene", ("rewind",)),
    _Command(
        "what_if",
        "tilde",
        "app.what_if",
        "What if: try things out",
        ("what if", "try", "dry run", "sandbox"),
        short="What if",
    ),
    _Command(
        "moment.earlier",
        "[",
        "app.step_moment(-1)",
        "Look back to an earlier moment",
        ("time machine", "history", "back"),
        short="Earlier moment",
    ),
    _Command("edit", "e", "app.edit", "Edit this row…", ("edit", "form", "change"), short="Edit this row"),
    _Command(
        "",
        "",
        "app.pause",
        "Pause the game on every screen",
        ("pause", "stop", "x-card", "break"),
        short="Take a break",
    ),
    _Command("sheet.why", "w", "why", "Why this value?"),
    _Command("rule", "i", "rule", "Show the rule for this row"),
    _Command("", "", "rules", "Search the rules", ("rules", "rulebook")),
    _Command("copy", "y", "copy", "Copy this row", ("copy", "yank")),
    _Command("editor", "ctrl+e", "app.edit_file", "Open your editor at this row", ("editor", "vim", "nano")),
    _Command("players", "p", "app.players", "What players see"),
    _Command("", "", "app.command('join')", "How players join", ("join", "invite", "connect")),
    _Command(
        "",
        "",
        "app.phones",
        "Phones: show the QR codes",
        ("phones", "phone", "qr", "serve", "browser", "tablet"),
        short="Phones",
    ),
    _Command(
        "", "", "app.command('write_recap')", "Write the players' recap", ("recap", "summary"), short="Write the recap"
    ),
    _Command("", "", "app.command('pace')", "How much each person did this session", ("pace", "scenes", "screen time")),
    _Command(
        "",
        "",
        "app.command('luck')",
        "Luck: compare the dice rolled so far with fair dice",
        ("luck", "fairness", "statistics"),
    ),
    _Command("", "", "app.command('read_recap')", "Read the latest recap again", ("read",), short="Read the recap"),
    _Command("", "", "app.command('copy_recap')", "Copy the players' recap", ("copy",)),
    _Command(
        "campaigns",
        "ctrl+o",
        "app.campaigns",
        "Switch to another campaign",
        ("open", "campaigns", "switch"),
        short="Other campaigns",
    ),
    _Command("", "", "app.new_campaign", "New campaign", ("create", "session zero", "new campaign")),
    _Command(
        "", "", "app.learn", "Learn Waylog in ten minutes", ("tutorial", "lesson", "introduction"), short="Tutorial"
    ),
    _Command(
        "",
        "",
        "app.command('settings')",
        "Open the settings in your editor",
        ("config", "preferences", "options", "keymap"),
        short="Settings",
    ),
    _Command("keys", "question_mark", "keys", "Show the keys", ("help", "keys", "shortcuts", "keymap"), short="Help"),
    _Command(
        "theme", "ctrl+t", "app.themes", "Switch theme", ("theme", "colours", "colors", "dark", "light"), short="Theme"
    ),
    _Command("", "", "app.hints", "Show or hide the key hints", ("hints",)),
    _Command("quit", "q", "app.leave", "Quit", ("quit", "exit", "leave")),
)
"""What the list of everything has beside the acts of the game."""
_FOLDERS = ("tables/", "prep/")
"""The folders of a campaign whose files people write."""
_NEW_PLAYER = "players.new"
_MENU: Mapping[str, Sequence[_Command | str]] = {
    "At the table": (
        _Command("roll", "r", "roll", "Roll"),
        "line('dice')",
        _Command("damage", "d", "acts('d')", "Damage"),
        _Command("mend", "M", "acts('M')", "Mend"),
        _Command("exposed", "x", "acts('x')", "Exposed"),
        "call",
        "table",
        "timer",
        "timer stop",
    ),
    "Clocks": (
        _Command("clock", "c", "line('clock')", "New clock", verb="clock"),
        _Command("tick", "t", "acts('t')", "Tick a clock", verb="tick"),
        _Command("close", "K", "close_clock", "Close a full clock"),
        _Command("time", "full_stop", "time", "Time passes", verb="time"),
    ),
    "Log and session": (
        "session",
        _Command("scene", "m", "line('scene')", "New scene", verb="scene"),
        _Command("note", "n", "line('note')", "Note", verb="note"),
        _Command("secret", "N", "line('secret')", "Secret note", verb="secret"),
        "app.command('write_recap')",
        "app.command('read_recap')",
    ),
    "Undo and what-if": ("undo", "redo", "rewind", "what_if", "moment.earlier"),
    "Players": (
        _NEW_PLAYER,
        _Command("sight", "v", "acts('v')", "Show something to players, or hide it"),
        "players",
        "app.pause",
        "app.phones",
    ),
    "Edit and prepare": ("edit", _Command("", "", "new_table", "New table"), "scene_cards", "situation", "search"),
    "Waylog": (
        "campaigns",
        "app.new_campaign",
        "keys",
        "theme",
        "app.command('settings')",
        "app.learn",
        "quit",
    ),
}
"""The groups of the menu: commands, by themselves or by the id or the action of one of `_COMMANDS`; and moves, by their ids or verbs."""
_HELD = (
    _Command("held.write", "W", "app.write_held", "Try to save the action again"),
    _Command("held.drop", "D", "app.drop_held", "Discard the unsaved action"),
)
_TRIED = (_Command("what_if.real", "ctrl+s", "app.make_real", "Make it so: carry out everything that you tried"),)
_CONFLICT = (
    _Command("conflict.file", "F", "app.keep_file", "Keep my edit"),
    _Command("conflict.played", "P", "app.take_played", "Keep the game's value"),
)


def app_commands(tabs: Collection[str], *, calls: bool = True) -> tuple[Choice, ...]:
    """Return the commands of the app, with their current keys. `tabs` are the views that exist now; `calls` tells whether others can be
    called to roll.
    """
    gone = {*(() if calls else ("call",))}
    return tuple(
        _choice(one)
        for one in _COMMANDS
        if one.id not in gone and (not one.id.startswith(_LOOK) or one.id.removeprefix(_LOOK) in tabs)
    )


def commands_of_row() -> tuple[Choice, ...]:
    """Return what the app can do with the row under the cursor, whatever it is: show its rule, and edit it."""
    # Letters search in that list, so these commands stand there without their keys.
    return tuple(replace(_choice(one), key="") for one in _COMMANDS if one.id in ("edit", "rule"))


def commands_for_unsaved() -> tuple[Choice, ...]:
    """Return what can be done with an act that could not be saved."""
    return tuple(map(_choice, _HELD))


def commands_for_tried() -> tuple[Choice, ...]:
    """Return what can be done with acts that were tried."""
    return tuple(map(_choice, _TRIED))


def commands_for_conflict() -> tuple[Choice, ...]:
    """Return the two ways to settle an edit conflict: the edit's, and the game's."""
    return tuple(map(_choice, _CONFLICT))


def _choice(known: _Command) -> Choice:
    return Choice(AppCommand(known.action), known.label, _key_of(known), also=known.also)


def _key_of(known: _Command) -> str:
    if known.action == "line('dice')":
        return f"{key_name('roll', 'r')} 2d6"
    return key_name(known.id, known.usual) if known.id else ""


def command_of_app(word: str) -> Choice | None:
    """Return what the app does for a word that people type into the line although no act has it; None for any other word."""
    return next((_choice(known) for known in _COMMANDS if word in known.also), None)


def call_beside_rolls(snapshot: Snapshot, verb: str) -> Choice | None:
    """Return the command that calls others to roll, if the line of a verb lists rolls and they can be called; else None."""
    if verb != snapshot.roll_key.verb(snapshot.moves) or not can_call(snapshot):
        return None
    return next(_choice(known) for known in _COMMANDS if known.id == "call")


def list_app_commands(snapshot: Snapshot) -> tuple[Choice, ...]:
    """Return what the app does now beside the acts of the game: its commands, and the forms of things."""
    return (*app_commands(open_tabs(snapshot), calls=can_call(snapshot)), *map(_form_choice, snapshot.forms()))


def _form_choice(place: FormPlace) -> Choice:
    # Whoever types the name of a list most likely wants to add to it.
    names = _names_of_list(place)
    also = ("form", "edit", *(("new", *names) if names else ()))
    return Choice(AppCommand(f"app.edit({place.path!r})"), place.label, also=also)


def _names_of_list(place: FormPlace) -> Sequence[str]:
    """Return the words for a list that one more thing can be added to: `players`, `player`."""
    return (place.path[0], place.path[0].removesuffix("s")) if place.path[-1:] == (NEW,) else ()


def named_thing(snapshot: Snapshot, text: str) -> Choice | None:
    """Return the form of one more thing with its name, for a line that has both: `player Cleo`. None for any other line."""
    word, _, name = text.strip().partition(" ")
    place = next((each for each in snapshot.forms() if word.lower() in _names_of_list(each)), None)
    if place is None or not name.strip():
        return None
    return Choice(AppCommand(f"app.edit({place.path!r}, {name.strip()!r})"), f"{place.label}: {name.strip()}")


def _why_not(snapshot: Snapshot, command: _Command) -> str:
    """Return why the key of a command does nothing now, in one sentence; empty if it does something."""
    if command.id == "close" and not any(clock.full and not clock.closed for clock in snapshot.clocks.values()):
        return NO_FULL_CLOCK.reason
    blocked = [move.blocked for move in snapshot.moves if move.verb == command.verb]
    return reason_of(blocked[0]).partition(". ")[0] if blocked and all(blocked) else ""


def list_menu(snapshot: Snapshot) -> tuple[Choice, ...]:
    """Return the menu: what the app and the game can do now, by purpose; last the commands that have no key."""
    known = {name: each for each in _COMMANDS for name in (each.id, each.action) if name}
    gone = {name for name, which in LIST_KEYS.items() if not has_list(snapshot.act_keys, which)}
    can_do = (("undo", snapshot.undo), ("redo", snapshot.redo), ("call", can_call(snapshot)))
    gone |= {name for name, can in can_do if not can}

    def find(item: _Command | str) -> Choice | None:
        command = known.get(item) if isinstance(item, str) else item
        if command:
            if command.id in gone:
                return None
            listed = _choice(command._replace(label=command.short or command.label))
            return replace(listed, refused=_why_not(snapshot, command))
        if item == _NEW_PLAYER:
            return next((_form_choice(place) for place in snapshot.forms() if place.path == ("players", NEW)), None)
        return next(
            (choice(snapshot, each) for each in snapshot.moves if f"{each.id} ".startswith(f"{item} ")),
            None,
        )

    urgent = (*(commands_for_unsaved() if snapshot.held else ()), *_about_the_file(snapshot))
    now = (*urgent, *(commands_for_tried() if snapshot.tried else ()))
    rare = moves_without_key([move for move in snapshot.moves if not move.blocked], snapshot.act_keys)
    groups: Mapping[str, Sequence[Choice | None]] = {
        "Now": now,
        **{group: tuple(map(find, items)) for group, items in _MENU.items()},
        "Commands without a key": [Choice(CompletionWord(verb), "", verb) for verb in rare],
    }
    return tuple(replace(each, group=group) for group, choices in groups.items() for each in choices if each)


def in_order_of_menu(snapshot: Snapshot, choices: Sequence[Choice], word: str) -> tuple[Choice, ...]:
    """Return the choices without doubles: those whose label begins with a word come first, and of these what the menu has, in its order, as
    that is what people want most often.
    """
    places = {each.label: place for place, each in enumerate(list_menu(snapshot))}

    def place(choice: Choice) -> float:
        return places.get(choice.label, len(places)) if choice.label.lower().startswith(word) else inf

    return tuple(sorted(dict.fromkeys(choices), key=place))


def key_in_menu(snapshot: Snapshot, text: str, reading: ParsedLine) -> ParsedLine | None:
    """Return the parse of a line whose first word is a letter that the menu names as a key: alone, it does what it does everywhere, so
    `x` never pauses the game; in front of a text, it is refused where the text would become something else, so that a secret isn't told.
    None for any other line, also for one that answers the open question.
    """
    letter, _, rest = text.strip().partition(" ")
    is_letter, act = len(letter) == 1 and letter.isalpha(), reading.act
    pressed = next((each for each in list_menu(snapshot) if each.key == letter), None) if is_letter else None
    if pressed is None or (act and act.move.follows) or (snapshot.question and not rest):
        return None
    if not rest:
        return replace(reading, act=None, problem=Refusal(f"Enter: {pressed.label}"), runs=pressed)
    opened = re.fullmatch(r"line\('(\w+)'\)", getattr(pressed.does, "action", ""))
    if (act and act.move.verb == opened[1]) if opened else not reading.unknown:
        return None
    how = f"to use the {letter} key, press Esc first"
    if opened:
        how = f"to add a {pressed.label.lower()}, type “{opened[1]}”, or press Esc, then {letter}"
    return ParsedLine(problem=Refusal(how))


def find_app_commands(snapshot: Snapshot, text: str) -> tuple[Sequence[Choice], Choice | None]:
    """Return what the app does for a text that no act of the game has, as far as a word of its names begins so, best first; and the one
    of them that is meant beyond doubt, if one is: it is called so, or it is the only one.
    """
    from waylog.ui.line.choice_list import search_choices  # Imported late: the first paint lists nothing.

    word = text.strip().lower()

    def has(choice: Choice, part: str) -> bool:
        """Whether a word of its names begins so."""
        return any(f" {part}" in f" {name.lower()}" for name in (choice.label, *choice.also))

    listed = search_choices(list_app_commands(snapshot), text)
    found = [each for each in listed if all(has(each, part) for part in word.split())]
    called = [each for each in found if word in (*each.also, each.label.lower())]
    meant = called if len(called) == 1 else found if len(found) == 1 else ()
    return found, command_of_app(word) or next(iter(meant), None)


def list_everything(snapshot: Snapshot) -> PromptRequest:
    """Return the line that lists everything that can be done, urgent things first. Rules are found by searching for them."""
    moves = sorted(snapshot.moves, key=lambda move: move.blocked is not None)
    mending = (*(commands_for_unsaved() if snapshot.held else ()), *_about_the_file(snapshot))
    mending = (*mending, *(commands_for_tried() if snapshot.tried else ()))
    rules = rule_choices(snapshot.reference, snapshot.reference.clauses, "Rule: ")
    kit = [
        Choice(
            AppCommand(f"app.kit({item.key!r}, {who!r})"),
            label,
            "kit",
            item.kind.label,
            also=("starter kit", item.key, item.kind.value),
        )
        for item, label, who in snapshot.kit()
    ]
    return PromptRequest(
        "Commands",
        choices=(*mending, *(choice(snapshot, move) for move in moves), *list_app_commands(snapshot)),
        found_by_search=(*rules, *kit),
    )


def _about_the_file(snapshot: Snapshot) -> Sequence[Choice]:
    """Return what can be done about the campaign file, if something is asked or two values conflict; and the files to open in which
    something is wrong.
    """
    if asked := snapshot.asked:
        return [
            replace(known, label=label[:1].upper() + label[1:])
            for known, label in zip(commands_for_conflict(), (asked.keep, asked.update), strict=True)
        ]
    faulty = dict.fromkeys(each.file for each in snapshot.problems if not each.unfinished)
    files = [file for file in faulty if file == FILE or file.startswith(_FOLDERS)]
    return (
        *(commands_for_conflict() if snapshot.conflicts else ()),
        *(() if snapshot.read_only else map(_open_faulty_file, files)),
    )


def _open_faulty_file(file: str) -> Choice:
    """Return the command that opens a file at its mistake, found by the name of the file too."""
    label = f"Open the file with the mistake: {file}"
    return Choice(AppCommand(f"app.edit_beside({file!r})"), label, also=("fix", "mistake", "problem"))
