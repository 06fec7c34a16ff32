"""Line mode for the wayfinder: acts, and the words that look something up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from waylog.line_mode import descriptions_and_news
from waylog.line_mode.descriptions_and_news import FileNews, ProposalNews, TimerNews, parse_answer
from waylog.line_mode.loop import DICE_BETWEEN, DICE_OR_REST, END, NOTHING_DONE, PROMPT
from waylog.line_mode.numbered_choices_and_dictation import (
    DONE,
    FILES,
    REFUSED,
    USAGE,
    AnswerDialog,
    NumberedChoice,
    Reply,
    fail,
    read_number,
    split_list,
    suggestions,
    tell,
    understand,
)
from waylog.rules.language.command_parser import CommandUnclear, NoSuchCommand, WordUnclear
from waylog.rules.model.answers import complete_answers, describe, format_act, reveals
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused, Move, OfferLine, Refusal, offer_lines
from waylog.rules.model.state import EntryKind
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import CampaignBusy, describe_error
from waylog.store.folders_and_recent import short_path
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.pause_and_presence import ask_for_pause, end_pause
from waylog.table import LAST_STEP, LogWriteFailed, Table
from waylog.toml.document import UnreadableFile
from waylog.values import NamedTuple, replace
from waylog.words.last_evening import welcome_back
from waylog.words.saving_after_commands import commit_session, damage, recovery, save, why_not_saved
from waylog.words.sentences import (
    act_sentences,
    chain_sentences,
    conflicting_entry,
    describe_act,
    fact_sentences,
    foresee,
    join_sentences,
    moment_text,
    name_place,
    names_of,
    odds_sentences,
    refusal_sentence,
    sentence,
    sight_of,
    stakes_sentences,
    value_text,
)

if TYPE_CHECKING:
    from waylog.store.kit import KitItem
    from waylog.what_if import WhatIf

_FAILURES = (ActRefused, CampaignBusy, LogWriteFailed, OSError)
_GO_BACK = "To go back, type “what if end”. To carry out everything that you tried, type “make it so”."
_GO_ON = "To look further, type “earlier”, “later”, “earlier scene” or “later scene”. To come back, type “now”."
_NOT_TRYING = "You are already in the present. To try things out, type “what if”."


class _Trying(NamedTuple):
    """What if: the copy that is played on, and the news of the campaign itself."""

    copy: WhatIf
    file: FileNews
    proposals: ProposalNews


class Wayfinder:
    """The commands of the wayfinder."""

    def __init__(self, table: Table, *, real_dice: bool = False) -> None:
        """With `real_dice`, a roll asks for the dice on the table first."""
        self._table, self._real_dice = table, real_dice
        self._file, self._proposals = FileNews(table), ProposalNews(table)
        self._trying: _Trying | None = None
        self._timers = TimerNews()
        self._asking = AnswerDialog(self._play_chosen)
        self._offered: Sequence[str] = ()
        """The ids of the follow-ups that were listed last."""
        self._untold = list[str]()
        """The timers that ran out while nothing was said."""
        self._clauses: Sequence[str] = ()
        """The clauses of the last answer, for `rule` without a word."""
        self._commands = self._make_commands()
        self._alone = self._make_looks()

    @property
    def commands(self) -> Mapping[str, Callable[[str], Reply]]:
        """Words that begin no act that the game has now, with what they do with the rest of the line."""
        taken = {move.verb for move in self._table.snapshot.moves}
        return {word: command for word, command in self._commands.items() if word not in taken}

    def _make_commands(self) -> Mapping[str, Callable[[str], Reply]]:
        """Return the commands, whatever the game has."""
        return {
            "help": self._help,
            "undo": self._undo,
            "redo": lambda _: self._do(self._table.redo),
            "rewind": lambda _: self._rewind(),
            "odds": self._odds,
            "stakes": self._stakes,
            "why": self._why,
            "rule": lambda rest: descriptions_and_news.rule(self._table.snapshot.reference, rest, self._clauses),
            "moves": lambda rest: descriptions_and_news.moves(self._table.snapshot, rest, self._choose),
            "log": lambda rest: descriptions_and_news.log(self._table, rest),
            "recap": self._recap,
            "proposals": lambda _: self._proposals.reply(self._do),
            "luck": lambda _: descriptions_and_news.luck(self._table),
            "pace": lambda _: descriptions_and_news.pace(self._table),
            "pause": lambda rest: self._change_pause(end_pause if rest.strip(".!") == END else ask_for_pause),
            "kit": self._kit,
            "at": self._look_at_entry,
            "conflicts": lambda _: self._conflict_reply() or tell("There are no edit conflicts."),
        }

    def _make_looks(self) -> Mapping[str, Callable[[], Reply]]:
        """Return the functions of words that may also begin an act: a line has this meaning only if it has no other word."""
        look = self._look
        return {
            "status": look(
                lambda snapshot: [
                    *descriptions_and_news.status(snapshot),
                    *self._timers.describe_running(snapshot.countdowns),
                ]
            ),
            "clocks": look(descriptions_and_news.clocks),
            "tables": look(descriptions_and_news.tables),
            "prep": look(descriptions_and_news.scene_cards),
            "timers": look(lambda snapshot: self._timers.describe(snapshot.countdowns)),
            "ship": lambda: descriptions_and_news.place(self._table.snapshot, "ship", ""),
            "crew": lambda: descriptions_and_news.place(self._table.snapshot, "crew", ""),
            "session": self._session,
            "question": lambda: self._standing(always=True),
            "what if": self._begin_what_if,
            "~": self._begin_what_if,
            "what if end": self._end_what_if,
            "make it so": self._make_real,
            **{word: partial(self._step_moment, -1) for word in ("earlier", "[")},
            **{word: partial(self._step_moment, 1) for word in ("later", "]")},
            **{word: partial(self._step_moment, -1, scene=True) for word in ("earlier scene", "{")},
            **{word: partial(self._step_moment, 1, scene=True) for word in ("later scene", "}")},
            "now": self._end_what_if,
        }

    # -- for the loop -------------------------------------------------------------------------------------------

    def greet(self) -> Reply:
        """Name the campaign, say how it was left, and report problems of its files and the open question."""
        news = self._do_quietly(self._table.refresh)
        snapshot = self._table.snapshot
        self._file.skip_to(snapshot.entries)
        first = next(iter(descriptions_and_news.status(snapshot)))
        last = recovery(self._table)
        back = filter(None, welcome_back(self._table) or ())
        lines = [
            first,
            *descriptions_and_news.danger(snapshot.panels),
            *map(sentence, (*back, *last, *damage(self._table))),
            *news,
        ]
        lines += [*self._file.problems(), *self._file.take_pause(), *self._timers.take_news(snapshot.countdowns)]
        return self._with_standing([*lines, *self._proposals.take_news()], always=True)

    def news(self) -> Reply | None:
        """Read what others have written, and report it."""
        untold, self._untold = self._untold, []
        # Before the refresh, because an act of others removes a timer that has ended.
        ended = [*self._timers.take_news(self._table.snapshot.countdowns)]
        trouble = self._do_quietly(self._table.refresh)
        lines = [
            *untold,
            *ended,
            *trouble,
            *self._file.take_pause(),
            *self._file.take_news(),
            *self._proposals.take_news(),
        ]
        if not lines:
            return None
        self._do_quietly(lambda: save(self._table))
        return self._with_standing(lines, always=True)

    def attend(self) -> None:
        """Take in what others have written, and play what players may do by themselves. It is told with the next `news`."""
        self._untold += self._timers.take_news(self._table.snapshot.countdowns)
        before = self._table.snapshot.entries
        self._do_quietly(self._table.refresh)
        if self._table.snapshot.entries != before:
            self._do_quietly(lambda: save(self._table))

    def end(self) -> None:
        """Forget what was tried, and let players' windows know that nobody sees proposals any more."""
        self._end_what_if()
        self._proposals.end()

    @property
    def prompt(self) -> str:
        """The text before the next line that is typed: `> `, `what if> `, or `at 12> ` at an earlier moment."""
        if self._trying is None:
            return PROMPT
        shown = self._trying.copy.snapshot
        return f"what if{PROMPT}" if shown.as_of is None or shown.tried else f"at {shown.as_of}{PROMPT}"

    def cancel(self) -> Reply:
        """Drop what was asked for a command. An open question stays, and is told again; undo takes back what has led to it."""
        return self._with_standing([NOTHING_DONE], always=self._table.snapshot.question is not None)

    def say(self, line: str) -> Reply:
        """Play the act that a line means."""
        plain = line.casefold().strip(".,!? ")
        if plain in self._alone:
            return self._alone[plain]()
        if answer := parse_answer(line):
            return self._proposals.answer(answer, self._do)
        if plain.startswith("crew ") and all(move.verb != "crew" for move in self._table.snapshot.moves):
            return descriptions_and_news.place(self._table.snapshot, "crew", plain.removeprefix("crew "))
        snapshot = self._table.snapshot
        if snapshot.missing_dice and not line.strip("0123456789" + DICE_BETWEEN):
            line = f"dice {' '.join(split_list(line))}"
        try:
            act = understand(self._table.understand, line)
        except CommandUnclear as unclear:
            return self._did_you_mean(unclear, line)
        except ActRefused as refused:
            return self._refuse(refused)
        return self._play(act)

    def _look(self, sentences: Callable[[Snapshot], Iterable[str]]) -> Callable[[], Reply]:
        return lambda: tell(*sentences(self._table.snapshot))

    # -- acts ---------------------------------------------------------------------------------------------------

    def _choose(self, move: Move) -> Reply:
        """Play a move that was chosen by its number; first ask for the answers that it lacks."""
        return self._asking.begin(Act(move))

    def _play_chosen(self, act: Act) -> Reply:
        """Play an act that was put together by numbers. If players would see something hidden, or it ends what is in progress,
        ask first.
        """
        shows, ends = reveals(act.move, act.answers), act.move.ends
        if not (shows or ends) or self._table.read_only:
            played = self._play(act)
            # Close the questions that led here. Otherwise the next line would be taken for an answer.
            return self._with_standing(played.lines, always=True, code=played.code) if played.keeps else played
        yes, no = ("Show it", "Keep it hidden") if shows else (act.move.label, "Continue")
        choices = [
            NumberedChoice(yes, lambda: self._play(act)),
            NumberedChoice(no, lambda: Reply((NOTHING_DONE,))),
        ]
        return Reply((sentence(shows or ends),), choices)

    def _play(self, act: Act) -> Reply:
        if self._real_dice and act.faces is None and act.move.rolls:
            act = replace(act, faces=())
        return self._do(lambda: self._table.play(act))

    def _do(self, act: Callable[[], LogEntry | None]) -> Reply:
        """Let the table do something. Return the result, or why it failed."""
        looked_back = self._trying is not None and self._trying.copy.only_looks
        try:
            entry = act()
        except _FAILURES as trouble:
            others = self._file.take_news()
            refused = self._refuse(trouble)
            return replace(refused, lines=[*others, *refused.lines])
        others = self._file.take_news(until=entry.number if entry else None)
        save(self._table)
        snapshot = self._table.snapshot
        # What came later is undone in the copy first, which is no news.
        lines = [sentence(moment_text(snapshot))] if looked_back else list(others)
        if entry:
            lines += act_sentences((entry,), sight_of(snapshot), names_of(snapshot))
            self._clauses = [fact.clause for fact in entry.facts if isinstance(fact, NoteFact) and fact.clause]
        committed = commit_session(self._table, entry) if entry else ()
        lines += [
            *map(sentence, (*recovery(self._table), *why_not_saved(self._table), *committed)),
            *self._file.problems(),
        ]
        answers = entry is not None and entry.root != entry.number
        reply = self._with_standing(lines, always=answers)
        if entry and entry.kind is EntryKind.SESSION_ENDS:
            save_it = NumberedChoice("Save the recap for the players", self._write_recap)
            return replace(
                reply, choices=[save_it, NumberedChoice("Read the recap", lambda: self._recap("")), *reply.choices]
            )
        return reply

    def _do_quietly(self, act: Callable[[], object]) -> list[str]:
        """Let the table do something that nobody asked for. Return why, if it failed."""
        try:
            act()
        except CampaignBusy:
            return []
        except (LogWriteFailed, OSError) as trouble:
            return [sentence(describe_error(trouble))]
        return []

    def _refuse(self, trouble: Exception) -> Reply:
        if isinstance(trouble, ActRefused):
            self._clauses = [trouble.refusal.clause] if trouble.refusal.clause else []
            rule = f" Rule {trouble.refusal.clause}." if trouble.refusal.clause else ""
            if self._table.snapshot.asked:
                return replace(self._standing(always=True), code=FILES)
            return fail(f"{refusal_sentence(trouble.refusal)}{rule}", code=REFUSED)
        if self._table.snapshot.held:
            return replace(self._standing(always=True), code=FILES)
        return fail(sentence(describe_error(trouble)), code=FILES)

    def _did_you_mean(self, unclear: CommandUnclear, line: str) -> Reply:
        """Say what is unclear, and list the lines that it may have meant."""
        snapshot = self._table.snapshot
        reason = refusal_sentence(unclear.refusal)
        if snapshot.question and isinstance(unclear, NoSuchCommand):
            return replace(fail(sentence(f"finish this first. {snapshot.question}")), code=REFUSED)
        misspelt = unclear.word if isinstance(unclear, WordUnclear) else ""
        meant = [
            each for each in suggestions(snapshot.moves, line, misspelt=misspelt) if self._helps(each, unclear.refusal)
        ] or suggestions(snapshot.moves, line, misspelt=line.rsplit(maxsplit=1)[-1])
        if not meant:
            lists = "" if snapshot.question else "for a list of commands, type “help” or “moves”"
            return fail(join_sentences((reason, lists)))
        choices = [NumberedChoice(self._name_line(each), partial(self._choose_line, each)) for each in meant]
        return Reply((reason,), choices, code=USAGE)

    def _helps(self, line: str, refusal: Refusal) -> bool:
        """Whether a line isn't refused for the same reason."""
        try:
            self._table.understand(line)
        except ActRefused as refused:
            return refused.refusal != refusal
        return True

    def _name_line(self, line: str) -> str:
        """Return what a suggested line would do; the line itself, if it lacks answers."""
        try:
            act = self._table.understand(line)
        except ActRefused:
            return f"“{line}”"
        return describe(act.move, act.answers)

    def _choose_line(self, line: str) -> Reply:
        """Play a suggested line; first ask for the answers that it lacks."""
        try:
            act = self._table.understand(line)
        except CommandUnclear as unclear:
            return self._did_you_mean(unclear, line)
        except ActRefused as refused:
            return self._refuse(refused)
        return self._asking.begin(act, lists=False)

    # -- what is asked ------------------------------------------------------------------------------------------

    def _with_standing(self, lines: Sequence[str], *, always: bool = False, code: int = DONE) -> Reply:
        standing = self._standing(always=always)
        return replace(standing, lines=[*lines, *standing.lines], code=code)

    def _standing(self, *, always: bool = False) -> Reply:
        """Return the open question or the offers, by number. Offers that were listed before are listed again only if `always`."""
        snapshot = self._table.snapshot
        if self._file.paused:
            go_on = NumberedChoice("Continue", partial(self._change_pause, end_pause))
            return Reply(choices=[go_on, NumberedChoice("Rewind the scene", self._rewind)])
        if about_file := self._file.question_reply(self._do, self._discard):
            return about_file
        if wanted := snapshot.missing_dice:
            facts = fact_sentences(snapshot.settled_facts)
            results = "result of 1 die" if len(wanted) == 1 else f"results of {len(wanted)} dice"
            return Reply(
                (*facts, sentence(f"Type the {results}, for {', '.join(dict.fromkeys(wanted))}"), DICE_OR_REST)
            )
        answers = [move for move in snapshot.moves if move.follows]
        able = [move for move in answers if not move.blocked]
        choices = [*map(self._offer_choice, offer_lines(able))]
        refused = [
            sentence(f"“{move.label}” isn't possible now: {move.blocked.reason}") for move in answers if move.blocked
        ]
        conflict = self._conflict_reply() if not answers else None
        before, self._offered = self._offered, [*(move.id for move in able), *(conflict.lines if conflict else ())]
        if snapshot.question:
            return Reply((sentence(snapshot.question), *refused), choices)
        new = always or self._offered != before
        if conflict:
            return conflict if new else replace(conflict, lines=(), listed=False)
        return Reply(("You may choose:",), choices) if able and new else Reply(choices=choices, listed=False)

    def _offer_choice(self, line: OfferLine) -> NumberedChoice:
        """Return the choice of an offer or an answer; one that stands for several lists them."""
        if len(line.moves) == 1:
            return NumberedChoice(line.text, partial(self._choose, line.moves[0]))
        listed = [NumberedChoice(move.label, partial(self._choose, move)) for move in line.moves]
        return NumberedChoice(line.text, lambda: Reply(("Which one?",), listed))

    def _conflict_reply(self) -> Reply | None:
        """Return the first edit conflict with its two answers; None if there is none."""
        table, conflicts = self._table, self._table.snapshot.conflicts
        if not conflicts:
            return None
        conflict = conflicts[0]
        act = conflicting_entry(table.entry, conflict)
        more = f" Edit conflicts after this one: {len(conflicts) - 1}." if len(conflicts) > 1 else ""
        choices = [
            NumberedChoice(
                f"Keep {value_text(conflict.file)} from the file", lambda: self._do(lambda: table.keep_edit(conflict))
            ),
            NumberedChoice(
                f"Use {value_text(conflict.played)}" + (f" from “{act.heading}”" if act else " from play"),
                lambda: self._do(lambda: table.keep_game_value(conflict)),
            ),
        ]
        return Reply(
            (f"{name_place(conflict.path, names_of(table.snapshot))} was changed both in the file and in play.{more}",),
            choices,
        )

    def _change_pause(self, change: Callable[[Path], None]) -> Reply:
        """Ask for a pause on every screen, without a name, or end it."""
        try:
            change(self._table.players_folder)
        except OSError as trouble:
            return self._refuse(trouble)
        return self._with_standing([*self._file.take_pause()], always=True)

    def _discard(self) -> Reply:
        self._table.discard_unsaved()
        return self._with_standing(["Discarded."], always=True)

    # -- what if ------------------------------------------------------------------------------------------------

    def _begin_what_if(self) -> Reply:
        """Go on in a copy of the campaign, where nothing is real. In the copy, go back."""
        from waylog.what_if import WhatIf

        if self._trying:
            return self._end_what_if()
        try:
            copy = WhatIf(self._table)
        except (*_FAILURES, UnreadableFile) as trouble:
            return self._refuse(trouble)
        self._go_into(copy)
        return self._with_standing([sentence(moment_text(copy.snapshot)), _GO_BACK], always=True)

    def _go_into(self, copy: WhatIf) -> None:
        """Go on in a copy of the campaign, in place of another one."""
        real = self._trying or _Trying(copy, self._file, self._proposals)
        if self._trying and self._trying.copy is not copy:
            self._trying.copy.leave()
        self._trying = real._replace(copy=copy)
        self._table, self._file, self._proposals = copy, FileNews(copy), ProposalNews(copy)
        self._file.skip_to(copy.snapshot.entries)

    def _end_what_if(self, news: str = "") -> Reply:
        """Go back to the campaign itself. What others have done there meanwhile is told with the next line."""
        if self._trying is None:
            return fail(_NOT_TRYING, code=REFUSED)
        from waylog.what_if import back_from

        copy, self._file, self._proposals = self._trying
        news = news or back_from(copy)
        self._table, self._trying = copy.real, None
        copy.leave()
        return self._with_standing([sentence(news)], always=True)

    def _step_moment(self, by: int, *, scene: bool = False) -> Reply:
        """Tell how it was an action earlier (`by` -1) or later (1), or when the scene began."""
        from waylog.what_if import step_moment

        try:
            number = step_moment(self._table, by, scene=scene)
        except ActRefused as refused:
            return self._refuse(refused)
        return self._look_back(number)

    def _look_at_entry(self, rest: str) -> Reply:
        """Tell how it was after an entry."""
        number = read_number(rest.casefold().strip(". "))
        if number is None:
            return fail("Type “at” and the number of an entry, for example “at 12”. Type “log” for the numbers.")
        return self._look_back(number)

    def _look_back(self, number: int) -> Reply:
        """Go to the campaign as it was after an entry, and tell what is different now."""
        from waylog.what_if import WhatIf, look_into

        begins = self._trying is None
        try:
            there = look_into(self._table, number)
        except (*_FAILURES, UnreadableFile) as trouble:
            return self._refuse(trouble)
        if not isinstance(there, WhatIf):
            return self._end_what_if()
        self._go_into(there)
        return self._with_standing([*descriptions_and_news.moment(there), *([_GO_ON] if begins else [])], always=True)

    def _make_real(self) -> Reply:
        """Play for real what was tried, as one act."""
        if self._trying is None:
            return fail(_NOT_TRYING, code=REFUSED)
        from waylog.what_if import IT_HAS_HAPPENED

        copy, file, _ = self._trying
        try:
            copy.real.refresh()
            others = file.take_news()
            copy.make_real()
        except _FAILURES as trouble:
            return self._refuse(trouble)
        file.skip_to(copy.real.snapshot.entries)
        save(copy.real)
        done = self._end_what_if(f"{IT_HAS_HAPPENED}. To undo all of it, type “undo”")
        return replace(done, lines=[*others, *done.lines])

    # -- undo ---------------------------------------------------------------------------------------------------

    def _undo(self, rest: str) -> Reply:
        """Undo the latest act, or that of an entry. Ask first if later acts changed the same values."""
        rest = rest.strip(".")
        if not rest:
            undo = self._table.snapshot.undo
            return self._ask_undo(undo, lambda: self._do(self._table.undo), f"Undo {describe_act(undo)}")
        if rest.casefold() == LAST_STEP:
            step = self._table.snapshot.undo[-1:]
            return self._ask_undo(
                step, lambda: self._do(partial(self._table.undo, last_step=True)), "Undo the last step"
            )
        number = read_number(rest.casefold())
        if number is None:
            return fail("Type “undo”, “undo last”, or “undo” and the number of an entry. Type “log” for the numbers.")
        try:
            plan = self._table.undo_plan(number)
        except KeyError:
            return fail(f"There is no entry {number}. Type “log” for the latest ones.")
        except ActRefused as refused:
            return self._refuse(refused)
        alone = lambda: self._do(lambda: self._table.undo(number))  # noqa: E731 - one of two that differ by a word
        if not plan.later:
            return self._ask_undo(plan.act, alone, f"Undo {describe_act(plan.act)}")
        later = ", ".join(f"“{entry.heading}”" for entry in plan.later[:3])
        with_later = NumberedChoice(
            "Undo the later actions too", lambda: self._do(lambda: self._table.undo(number, with_later=True))
        )
        choices = [NumberedChoice("Undo only this, and keep the later values", alone), with_later, _cancel()]
        shown = self._shows((*plan.act, *plan.later))
        return Reply((sentence(f"Later actions changed the same values: {later}"), *shown), choices)

    def _ask_undo(self, entries: Sequence[LogEntry], undo: Callable[[], Reply], what: str) -> Reply:
        """Undo at once, or ask if players would see something again that is hidden now."""
        shown = self._shows(entries)
        return Reply((*shown,), [NumberedChoice(what, undo), _cancel()]) if shown else undo()

    def _shows(self, entries: Sequence[LogEntry]) -> Sequence[str]:
        names = " and ".join(self._table.shown_by_undo(entries)) if entries else ""
        return (sentence(f"The players would see {names}"),) if names else ()

    def _rewind(self) -> Reply:
        entries = self._table.scene_so_far()
        if not entries or self._table.read_only:
            return self._do(self._table.rewind)
        acts = sum(entry.root == entry.number for entry in entries)
        question = f"Rewind the scene? This undoes {acts} action{'s' if acts > 1 else ''}"
        choices = [NumberedChoice("Rewind", lambda: self._do(self._table.rewind)), _cancel()]
        return Reply((sentence(question), *self._shows(entries)), choices)

    # -- words --------------------------------------------------------------------------------------------------

    def _odds(self, rest: str) -> Reply:
        try:
            if ";" in rest:
                return tell(*chain_sentences(self._table.chain_odds(rest), names_of(self._table.snapshot)))
            later = self._table.odds_of_later_roll(rest)
            act = later[0] if later else understand(self._table.understand, rest)
            odds = later[1] if later else self._table.odds(act)
            preview = self._table.preview(act) if act.faces and not self._table.dice_to_type(act) else None
        except ActRefused as refused:
            return self._refuse(refused)
        words = format_act(act.move, complete_answers(act.move, act.answers))
        if preview:
            outcome, more = foresee(preview)
            dice = " ".join(map(str, act.faces or ()))
            parts = (f"{words} {dice}", outcome.label if outcome else "", more)
            return tell(*(sentence(part) for part in parts if part))
        if odds is None and self._table.is_decided_by_dice(act):
            return self._odds(f"{words};")
        if odds is None:
            return fail(f"“{words}” {self._table.why_no_odds(act)}.")
        return tell(*odds_sentences(odds, words))

    def _stakes(self, rest: str) -> Reply:
        """Show players what is at stake in a roll until it ends; without a roll, show it no longer."""
        if not rest:
            self._table.hide_stakes()
            self._do_quietly(lambda: save(self._table))
            return tell("Players no longer see what is at stake.")
        try:
            self._table.show_stakes(understand(self._table.understand, rest))
        except ActRefused as refused:
            return self._refuse(refused)
        self._do_quietly(lambda: save(self._table))
        return tell(
            "Players can now see what is at stake, until the roll ends.",
            *stakes_sentences(self._table.projection().stakes),
        )

    def _why(self, rest: str) -> Reply:
        """List what changed a value. Without a value, name the rules of the last answer."""
        rest = rest.strip(".?")
        if rest:
            return descriptions_and_news.why(self._table, rest)
        clauses = self._table.snapshot.reference.clauses
        named = [f"{clauses[id_].title} ({id_})" for id_ in dict.fromkeys(self._clauses) if id_ in clauses]
        return (
            tell(*map(sentence, named), "To read these rules in full, type “rule”.")
            if named
            else tell("The last answer doesn't mention a rule. Type “why” and a value to see what changed it.")
        )

    def _session(self) -> Reply:
        """Start a session, or end the one in progress. Ask who is here, and for the title."""
        wanted = "session end" if self._table.snapshot.session else "session begin"
        for move in self._table.snapshot.moves:
            if move.id == wanted and not move.blocked:
                return self._asking.begin(Act(move), in_turn=True)
        return self._do(lambda: self._table.play(self._table.understand(wanted)))

    def _recap(self, rest: str) -> Reply:
        from waylog.words.sentences import recap_sentences

        rest = rest.casefold().strip(". ")
        secrets = rest.endswith("secrets")
        typed = rest.removesuffix("secrets").strip()
        number = read_number(typed)
        if typed and number is None:
            return fail(
                "Type “recap”, or “recap” and the number of a session. To include hidden things, add “secrets”."
            )
        try:
            found = self._table.recap(number, secrets=secrets)
        except ActRefused as refused:
            return self._refuse(refused)
        choices = [] if typed or secrets else [NumberedChoice("Save this recap for the players", self._write_recap)]
        return Reply([*recap_sentences(found)], choices, keeps=not choices)

    def _kit(self, rest: str) -> Reply:
        """Offer what the starter kit has with that word, by numbers; or make a table, for a name with a die at its end."""
        from waylog.store.kit import blank_table

        try:
            if blank_table(rest):
                return self._add_from_kit(rest)
        except ActRefused as refused:
            return self._refuse(refused)
        word = rest.casefold().strip()
        found = [one for one in self._table.snapshot.kit() if word in f"{one.item.key} {one.label}".casefold()]
        if not found:
            return fail(f"Nothing in the starter kit for this game matches “{rest.strip()}”.")
        choices = [NumberedChoice(one.label, partial(self._add_from_kit, one.item.key, one.who)) for one in found]
        return Reply(("The starter kit.",), choices)

    def _add_from_kit(self, thing: str, who: str = "") -> Reply:
        added: list[KitItem] = []

        def add() -> LogEntry | None:
            entries, items = self._table.add_from_kit((thing,), who)
            added.extend(items)
            return next(iter(entries), None)

        done = self._do(add)
        tables = [sentence(item.news) for item in added if not item.values]
        return replace(done, lines=[*tables, *done.lines]) if tables else done

    def _write_recap(self) -> Reply:
        try:
            path = self._table.write_recap()
        except _FAILURES as trouble:
            return self._refuse(trouble)
        return tell(sentence(f"Recap saved: {short_path(path)}").removesuffix("."))

    def _help(self, rest: str) -> Reply:
        wanted = rest.casefold().strip(".?")
        if not wanted:
            return tell(*descriptions_and_news.HELP)
        snapshot = self._table.snapshot
        if any(wanted in (move.verb, move.id) for move in snapshot.moves):
            return descriptions_and_news.moves(snapshot, wanted, self._choose, words=True)
        return descriptions_and_news.rule(snapshot.reference, wanted, ())


def _cancel() -> NumberedChoice:
    return NumberedChoice("Leave it as it is", lambda: Reply((NOTHING_DONE,)))
