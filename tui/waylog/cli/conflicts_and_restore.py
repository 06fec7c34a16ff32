"""The commands `conflicts` and `restore`: edits by hand that disagree with play, and earlier versions of the campaign file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from waylog.cli.commands_and_options import Arguments
from waylog.cli.do_undo_and_odds import act_result, number_of, put_right
from waylog.cli.results_and_crashes import (
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    FileVersion,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.game import Game
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile, read_campaign_file, system_of
from waylog.store.file.edit_base_merge_and_renames import FileQuestion
from waylog.store.file.history import FileHistory, no_version_text
from waylog.store.files_and_lock import FILE, lock_campaign, put_in_place, sync, write_beside
from waylog.table import Table
from waylog.toml.document import Document, UnreadableFile, read_bytes
from waylog.words.sentences import sentence


def conflicts(args: Arguments, desk: Environment) -> CommandResult:
    """List edit conflicts, or the question about the file; or settle one of them; or join the logs of two clones that git has merged."""
    if args.words[1:] == ("join",):
        from waylog.store.campaign_in_git import join_logs

        joined = join_logs(desk.places.find(args.name, to_play=True))
        return CommandResult(lambda: [joined], lambda: {"ok": True, "joined": joined})
    table = open_table(args.name, desk, to_play=False)
    table.refresh()
    if question := table.snapshot.asked:
        return _about_file(table, question, [*args.words[1:]])
    open_ = table.snapshot.conflicts
    if len(args.words) == 1:
        return CommandResult(
            lambda: text_output.conflicts(open_), lambda: json_output.conflicts(open_), put_right(table)
        )
    verb, *number = args.words[1:]
    if verb not in ("keep", "take") or not number:
        raise CommandFailed(
            "which edit conflict? For example, `keep 12` keeps your edit, and `take 12` uses the game's value", USAGE
        )
    for conflict in open_:
        if conflict.entry.number == number_of(number[0]):
            return act_result(table, (table.keep_edit if verb == "keep" else table.keep_game_value)(conflict))
    there = ", ".join(str(conflict.entry.number) for conflict in open_) or "none"
    raise CommandFailed(f"there is no edit conflict {number[0]}. Open edit conflicts: {there}", USAGE)


def _about_file(table: Table, question: FileQuestion, words: Sequence[str]) -> CommandResult:
    """Show the question about a saved file, or answer it."""
    if not words:
        lines = [*text_output.file_question_lines(question, table.folder.name)]
        return CommandResult(lambda: lines, lambda: json_output.file_question_data(question), put_right(table))
    if words not in (["keep"], ["take"]):
        raise CommandFailed(f"{question.about}. Type `keep` to {question.keep}, or `take` to {question.update}", USAGE)
    keep = words == ["keep"]
    if entry := table.answer_file(keep=keep):
        return act_result(table, entry)
    message = sentence(f"you chose to {question.keep if keep else question.update}")
    return CommandResult(lambda: [message], lambda: {"ok": True, "entry": None}, put_right(table))


def restore(args: Arguments, desk: Environment) -> CommandResult:
    """List earlier versions of the campaign file, or restore one of them."""
    folder = desk.places.find(args.name, to_play=False)
    if len(args.words) == 1:
        listed = _versions(folder)
        return CommandResult(lambda: text_output.versions(listed), lambda: json_output.versions(listed))
    version = args.words[1].removesuffix(".toml")
    table, aside = _table_whatever_the_file_is(folder, version, desk)
    if version not in table.versions():
        raise CommandFailed(no_version_text(version, table.versions()), USAGE)
    answer = act_result(table, table.restore(version))
    kept = f"your unreadable file was saved as {aside}. `waylog restore` lists it"
    return answer._replace(warnings=[*answer.warnings, kept]) if aside else answer


def _versions(folder: Path) -> Sequence[FileVersion]:
    now = _read(folder / FILE)
    listed = []
    for path in FileHistory(folder).all_versions():
        then = _read(path)
        apart = None
        if now and then and now[0].system.id == then[0].system.id:
            apart = len(now[0].difference(then[1].state, now[1].state))
        with suppress(FileNotFoundError):  # Another program has just released it.
            listed.append(FileVersion(path.stem, datetime.fromtimestamp(path.stat().st_mtime).astimezone(), apart))
    return listed


def _read(path: Path) -> tuple[Game, CampaignFile] | None:
    """Return a version of the campaign file; None if it can't be read."""
    try:
        document = Document.parse(read_bytes(path), path.name)
        game = Game(system_of(document))
        return game, read_campaign_file(game, document, None)
    except UnreadableFile:
        return None


def _table_whatever_the_file_is(folder: Path, version: str, desk: Environment) -> tuple[Table, str]:
    """Return the campaign's table. If the file can't be read, first set it aside and put the wanted version in its
    place.

    Also return the name of the file that was set aside, if any.
    """
    try:
        return table_in(folder, desk), ""
    except UnreadableFile:
        history = FileHistory(folder)
        known = {file.stem: file for file in history.all_versions()}
        if version not in known or not _read(known[version]):
            raise
        with lock_campaign(folder):
            beside = write_beside(history.path, read_bytes(known[version]))
            old = put_in_place(beside, history.path)
            sync(history.path.parent)
            aside = history.keep(old, f"unreadable-{desk.now():%Y%m%d-%H%M%S}") if old is not None else ""
        return table_in(folder, desk), aside
