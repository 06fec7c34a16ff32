"""Commands that play: `do`, `undo`, `redo`, `odds` and `moves`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from waylog.cli.commands_and_options import Arguments
from waylog.cli.results_and_crashes import (
    REFUSED,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.codec.changes import format_path, join_names, with_full_stop
from waylog.rules.language.command_parser import CommandUnclear, NoSuchCommand
from waylog.rules.language.line_tokens_and_matching import Token, tokens
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.moves import Act, ActRefused
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.undo_and_scenes import NOTHING_TO_UNDO
from waylog.store.log.verification import no_entry_text
from waylog.table import LAST_STEP, NOTHING_IN_SCENE, Table, Unanswered
from waylog.words.saving_after_commands import commit_session, damage, recovery, save, why_not_saved

if TYPE_CHECKING:
    from waylog.cli.pager_and_colours import Line
    from waylog.snapshot_and_act_preview import UndoPlan

_MORE_DICE = "dice"
_LONGEST_NUMBER = 16
_TO_PLAYERS = ("pause", "proposals", "play", "decline", "stakes")


def do(args: Arguments, desk: Environment) -> CommandResult:
    """Play one act, durable in the log and in the campaign file."""
    faces = _faces(args.options.get("--dice"))
    line, words = " ".join(args.words[1:]).strip(), join_words(args.words[1:])
    if not line and faces is None:
        raise CommandFailed(f"which action? `waylog moves {args.name}` lists what you can do", USAGE)
    if "--what-if" in args.options:
        return _try_acts(table_in(desk.places.find(args.name, to_play=False), desk), line, faces)
    dry = "--dry-run" in args.options
    table = (
        table_in(desk.places.find(args.name, to_play=False), desk, read_only=True)
        if dry
        else open_table(args.name, desk, to_play=True)
    )
    verb, _, rest = line.partition(" ")
    if dry and (verb in ("undo", *_TO_PLAYERS) or line == "redo"):
        more = ". `waylog undo --dry-run` shows what an undo would do" if verb == "undo" else ""
        raise CommandFailed(f"--dry-run works only with actions, and “{verb}” isn't an action{more}", USAGE)
    if verb == "undo" and faces is None:
        return _undo(table, rest, with_later=False)
    if line == "redo" and faces is None:
        return _put_back(table)
    if faces is None and (done := _answer_players(table, line)):
        return done
    if not line and not any(move.id == _MORE_DICE and move.follows for move in table.snapshot.moves):
        raise CommandFailed("no roll is waiting for dice. Name the roll, for example: roll nav --dice 3,5", USAGE)
    act = _with_dice(_parse_words(table, words if line else tokens(_MORE_DICE), args.name, takes_edits=not dry), faces)
    if dry:
        preview = table.preview(act, desk.now())
        now = table.snapshot
        return CommandResult(lambda: text_output.act_preview(preview, now), lambda: json_output.act_preview(preview))
    return act_result(table, table.play(act))


def _with_dice(act: Act, faces: tuple[int, ...] | None) -> Act:
    """Return the act with the dice of the option `--dice`, if there are any."""
    if faces is not None and act.faces is not None:
        raise CommandFailed("you gave dice twice: in the command and with --dice", USAGE)
    return act if faces is None else Act(act.move, act.answers, faces)


def _try_acts(table: Table, line: str, faces: tuple[int, ...] | None) -> CommandResult:
    """Play acts in a copy of the campaign, and show what came of each. Nothing of it has happened."""
    from waylog.what_if import WhatIf

    every = [*filter(None, map(str.strip, line.split(";")))] or [_MORE_DICE]
    if faces is not None and len(every) > 1:
        raise CommandFailed(
            "--dice is for one action. With several actions, type the dice after each roll: roll nav 3 5; keep", USAGE
        )
    copy = WhatIf(table)
    try:
        lines: list[Line] = []
        values: list[Mapping[str, Any]] = []
        for words in every:
            act = _with_dice(_parse_words(copy, tokens(words), table.folder.name), faces)
            done = act_result(copy, copy.play(act))
            lines += done.lines()
            values.append(done.data())
    finally:
        copy.leave()
    lines.append("What if: none of this has happened")
    return CommandResult(lambda: lines, lambda: {"ok": True, "what_if": True, "acts": values})


def _answer_players(table: Table, line: str) -> CommandResult | None:
    """List what players propose, answer a proposal, or pause the game: in the words of line mode. None for any other line."""
    if line.partition(" ")[0].lower() not in _TO_PLAYERS:  # Most acts: the imports are a thirtieth of a command.
        return None
    from waylog.line_mode.descriptions_and_news import answer_proposal, parse_answer
    from waylog.line_mode.loop import END, GOES_ON, PAUSED
    from waylog.store.players.pause_and_presence import ask_for_pause, end_pause

    if line in ("pause", f"pause {END}"):
        paused = line == "pause"
        (ask_for_pause if paused else end_pause)(table.folder)
        return CommandResult(lambda: (PAUSED if paused else GOES_ON,), lambda: {"ok": True, "paused": paused})
    verb, _, roll = line.partition(" ")
    if verb == "stakes":
        return _show_stakes(table, roll)
    answer = parse_answer(line)
    if answer is None and line != "proposals":
        return None
    table.refresh()
    waiting = table.snapshot.proposals
    if answer is None:
        return CommandResult(
            lambda: text_output.proposals(waiting), lambda: json_output.proposals(waiting), put_right(table)
        )
    if entry := answer_proposal(table, [each.id for each in waiting], answer):
        return act_result(table, entry)
    declined = waiting[answer.number - 1]
    return CommandResult(
        lambda: (f"Declined: {declined.summary}",), lambda: {"ok": True, "declined": declined.id}, put_right(table)
    )


def _show_stakes(table: Table, roll: str) -> CommandResult:
    """Show players what is at stake in a roll, until something is played; without a roll, show it no longer."""
    from waylog.words.json_values import stakes
    from waylog.words.sentences import stakes_sentences

    if roll:
        table.show_stakes(_parse_words(table, tokens(roll), table.folder.name))
    save(table)
    shown = table.projection().stakes
    lines = [
        "Players can now see what is at stake, until the next action."
        if shown
        else "Players can't see what is at stake."
    ]
    return CommandResult(
        lambda: [*lines, *stakes_sentences(shown)], lambda: {"ok": True, "stakes": [stakes(one) for one in shown]}
    )


def undo(args: Arguments, desk: Environment) -> CommandResult:
    """Undo the latest act with all its follow-ups, or the act of a given entry."""
    entry = args.words[1] if len(args.words) > 1 else ""
    with_later = "--with-later" in args.options
    if "--scene" in args.options:
        return _rewound(args, desk)
    if "--dry-run" not in args.options:
        return _undo(open_table(args.name, desk, to_play=True), entry, with_later=with_later)
    table = open_table(args.name, desk, to_play=False)
    resting = _plan_undo(table, entry)
    if not resting.act:
        raise ActRefused(NOTHING_TO_UNDO)
    return _preview_undo(table, resting, with_later=with_later)


def _rewound(args: Arguments, desk: Environment) -> CommandResult:
    """Undo everything since the scene marker, for anyone's comfort (NM-43)."""
    if len(args.words) > 1 or "--with-later" in args.options:
        raise CommandFailed("--scene undoes the whole scene: leave out the entry and --with-later", USAGE)
    dry = "--dry-run" in args.options
    table = open_table(args.name, desk, to_play=not dry)
    if not dry:
        return act_result(table, table.rewind())
    table.refresh()
    group = table.scene_so_far()
    if not group:
        raise ActRefused(NOTHING_IN_SCENE, "NM-43")
    from waylog.snapshot_and_act_preview import UndoPlan

    return _preview_undo(table, UndoPlan(group, ()), with_later=False)


def _preview_undo(table: Table, resting: UndoPlan, *, with_later: bool) -> CommandResult:
    return CommandResult(
        lambda: text_output.undo_preview(resting, table.snapshot, with_later=with_later),
        lambda: json_output.undo_preview(resting, with_later=with_later),
        put_right(table),
    )


def redo(args: Arguments, desk: Environment) -> CommandResult:
    """Redo what the latest undo reversed."""
    return _put_back(open_table(args.name, desk, to_play=True))


def odds(args: Arguments, desk: Environment) -> CommandResult:
    """Show the exact odds of a roll, or of acts in a row, without making it."""
    table = open_table(args.name, desk, to_play=False)
    if ";" in (line := " ".join(args.words[1:])):
        return _chain_odds(table, line)
    later = table.odds_of_later_roll(join_words(args.words[1:]))
    act = later[0] if later else _parse_words(table, join_words(args.words[1:]), args.name)
    chances = later[1] if later else table.odds(act)
    words = format_act(act.move, complete_answers(act.move, act.answers))
    if chances is None and table.is_decided_by_dice(act):
        return _chain_odds(table, words)
    if chances is None:
        raise CommandFailed(f"“{words}” {table.why_no_odds(act)}", USAGE)
    return CommandResult(lambda: text_output.odds(chances, words), lambda: json_output.odds(chances, words))


def _chain_odds(table: Table, line: str) -> CommandResult:
    from waylog.words.sentences import names_of  # An act needs none of it.

    chain, names = table.chain_odds(line), names_of(table.snapshot)
    return CommandResult(lambda: text_output.chain(chain, names), lambda: json_output.chain(chain))


def moves(args: Arguments, desk: Environment) -> CommandResult:
    """List what can be done now, and what can't and why."""
    snapshot = open_table(args.name, desk, to_play=False).snapshot
    return CommandResult(lambda: text_output.grouped_moves(snapshot), lambda: json_output.moves(snapshot))


def join_words(words: Sequence[str]) -> tuple[Token, ...]:
    """Turn shell arguments into tokens. One argument is a whole line; of several, one with spaces is a text.

    A person who types such a text has quoted everything that belongs together, so each of the other arguments is a text
    of its own too.
    """
    if len(words) == 1:
        return tokens(words[0].strip())
    quoted = [not word or any(map(str.isspace, word)) for word in words]
    apart = any(quoted)
    return tuple(Token(word, text, apart and not text) for word, text in zip(words, quoted, strict=True))


def _faces(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise CommandFailed(
            f"Waylog can't read “{text}” as dice. Separate the numbers with commas, for example --dice 3,5,6", USAGE
        )
    return tuple(map(int, parts))


def _parse_words(table: Table, all_tokens: tuple[Token, ...], name: str, *, takes_edits: bool = True) -> Act:
    """Return the act that the words mean. While a question is open, words that don't answer it are refused."""
    try:
        return table.understand(all_tokens)
    except CommandUnclear as unclear:
        if table.read_only and takes_edits:
            raise CommandFailed(table.why_read_only, REFUSED) from None
        entries = table.snapshot.entries
        if takes_edits and table.refresh():  # A save that is not compared yet may lack what the words name.
            if asked := table.snapshot.asked:
                raise Unanswered(asked, table.folder.name) from None
            with suppress(CommandUnclear):
                return table.understand(all_tokens)
            if gone := _removed_by_hand(table, entries):
                raise CommandFailed(f"{with_full_stop(str(unclear))} {gone}", USAGE) from None
        question, is_no_answer = table.snapshot.question, isinstance(unclear, NoSuchCommand)
        if question is None:
            all_of_them = f"{with_full_stop(str(unclear))} `waylog moves {name}` lists all"
            raise CommandFailed(all_of_them if is_no_answer else str(unclear), USAGE) from None
        if not is_no_answer:
            raise CommandFailed(str(unclear), REFUSED) from None
        verbs = dict.fromkeys(f"“{move.verb}”" for move in table.snapshot.moves if move.follows)
        first = with_full_stop(f"finish this first. {question}")
        raise CommandFailed(f"{first} Type {join_names([*verbs], 'or')}", REFUSED) from None


def _removed_by_hand(table: Table, after: int) -> str:
    """Return that things are no longer in the file, of the entries behind that one; empty if an edit has removed none."""
    added = [table.entry(number) for number in range(after + 1, table.snapshot.entries + 1)]
    removed = (change for entry in added if entry.kind.is_edit for change in entry.changes if change.after is None)
    gone = [
        f"“{change.before.get('name') or format_path(change.path)}”"
        for change in removed
        if isinstance(change.before, dict)
    ]
    return f"{join_names(gone)} {'is' if len(gone) == 1 else 'are'} no longer in campaign.toml" if gone else ""


_ENTRY = "an entry. `waylog log` lists the entries. For example: undo 12"


def number_of(text: str, what: str = _ENTRY) -> int:
    """Return the number of an entry, or of `what`, that a word stands for."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER):
        raise CommandFailed(f"“{text}” is not the number of {what}", USAGE)
    return int(text)


def _plan_undo(table: Table, entry: str) -> UndoPlan:
    """Return what an undo would reverse, and later changes of the same values, after taking in edits of the file. `entry` is a number, or
    `last` for the last step of the latest act, or empty for all of that.
    """
    number = number_of(entry) if entry and entry != LAST_STEP else None
    table.refresh()
    if number is None:
        from waylog.snapshot_and_act_preview import UndoPlan

        undo = table.snapshot.undo
        return UndoPlan(undo[-1:] if entry else undo, ())
    try:
        return table.undo_plan(number)
    except KeyError:
        raise CommandFailed(no_entry_text(number, table.snapshot.entries), USAGE) from None


def _undo(table: Table, entry: str, *, with_later: bool) -> CommandResult:
    resting, step = _plan_undo(table, entry), entry == LAST_STEP
    done = table.undo(None if step or not entry else number_of(entry), with_later=with_later, last_step=step)
    return act_result(table, done, () if with_later else resting.later)


def _put_back(table: Table) -> CommandResult:
    return act_result(table, table.redo())


def act_result(table: Table, entry: LogEntry, later: Sequence[LogEntry] = ()) -> CommandResult:
    """Return what was done, once the campaign file is up to date too, and the later changes that stayed."""
    save(table)
    asking, committed = table.snapshot if table.question else None, commit_session(table, entry)

    def data() -> dict[str, Any]:
        from waylog.words.json_values import act  # All of `json_output` would take longer to load than the act to play.

        return act(entry, asking, later)

    return CommandResult(
        lambda: [*text_output.act_lines(entry, table.snapshot, later), *committed],
        data,
        [*recovery(table), *damage(table), *why_not_saved(table)],
    )


def put_right(table: Table) -> Sequence[str]:
    """Update the file with everything that was taken in, and return one line on what a crash had left, if anything."""
    if table.file_is_behind():
        table.settle()
    return [*recovery(table), *damage(table)]
