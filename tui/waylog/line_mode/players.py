"""Line mode for players: each visible act as a sentence, and the ship, crew and clocks as players see them.

A player in line mode: what players see, the proposals that they type, and the answers (NM-45).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic

from waylog.line_mode import descriptions_and_news
from waylog.line_mode.descriptions_and_news import TimerNews
from waylog.line_mode.loop import DICE_BETWEEN, DICE_OR_REST, GOES_ON, NOTHING_DONE, PAUSED, PROMPT
from waylog.line_mode.numbered_choices_and_dictation import (
    FILES,
    REFUSED,
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
from waylog.rules.language.command_parser import CommandUnclear, NoSuchCommand, WordUnclear, parse_act
from waylog.rules.model.answers import complete_answers, format_typed
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.what_players_may_do import words_to_send
from waylog.store.files_and_lock import describe_error
from waylog.store.log.grouped_acts_and_texts import NOTHING_PLAYED, only_for
from waylog.store.players.inbox import AnswerKind, InboxRefused, read_answer, read_waiting, send, take_back
from waylog.store.players.moves_and_odds_for_players import (
    moves_for,
    odds_of,
    title_of,
    title_of_words,
    wants_dice,
)
from waylog.store.players.own_proposals_and_notes import PRIVATE, LastLook, PrivateNotes, waits_text
from waylog.store.players.pause_and_presence import NO_PAUSE, PlayersPause, is_attended, why_no_pause
from waylog.store.players.players_file import LINES, NOT_NOW, NOT_YET, FollowedFile, Projection, VisibleAct
from waylog.values import dataclass, replace
from waylog.words.sentences import (
    called_roll_sentences,
    odds_sentences,
    panel_sentences,
    refusal_sentence,
    seen_sentences,
    sentence,
    stakes_sentences,
)

_USUAL_LOG = 5
GONE = "The campaign is no longer there."
_NONE_WAITING = "You have no proposals waiting."
TAKEN_BACK = "Something was undone."
LOST = "SAY IT ALOUD. Your request for a pause has not reached the wayfinder. {}"
REACHED = "The wayfinder's screen shows the pause."


@dataclass(frozen=True, slots=True)
class PlayersChange:
    """The changes that players see between two looks."""

    seen: Projection
    new: tuple[VisibleAct, ...]
    """The acts that are new, oldest first."""
    taken_back: bool
    """Whether an act was undone."""


def look_for_change(file: FollowedFile) -> PlayersChange | None:
    """Look at the players' file. Return what has changed since the last look; None if nothing has, or it can't be read."""
    before = file.seen
    file.look()
    if file.seen is None or file.trouble or file.seen == before:
        return None
    return PlayersChange(file.seen, *compare_logs(before.log if before else (), file.seen.log))


def compare_logs(before: Sequence[VisibleAct], after: Sequence[VisibleAct]) -> tuple[tuple[VisibleAct, ...], bool]:
    """Return the acts that are new in `after`, and whether one was undone. New acts push the oldest ones out of a full log."""
    for gone in range(len(before) if len(after) == LINES else 1):
        kept = before[gone:]
        if tuple(after[: len(kept)]) == tuple(kept):
            return tuple(after[len(kept) :]), False
    from difflib import SequenceMatcher

    new = list[VisibleAct]()
    for tag, _, _, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        # Acts before all known ones are old: an undo has made room for them in the log.
        if tag in ("insert", "replace") and start:
            new += after[start:stop]
    return tuple(new), True


def visible_act_sentence(act: VisibleAct) -> str:
    """Return an act on one line, with its time."""
    return f"{act.at}: {' '.join(seen_sentences(act.facts))}"


class PlayersSpeaker:
    """The commands of a player who only watches. None of them changes anything."""

    prompt = PROMPT

    def __init__(self, folder: Path, player: str = "") -> None:
        self._folder, self._file = folder, FollowedFile(folder, GONE, player)
        self._trouble, self._paused, self._lost, self._no_pause = "", False, "", ""
        self._pause = PlayersPause(folder)
        self._timers = TimerNews()
        self.commands: Mapping[str, Callable[[str], Reply]] = {
            "ship": lambda _: self._panels("ship", ""),
            "crew": lambda rest: self._panels("crew", rest),
            "clocks": lambda _: self._tell(clock_sentences),
            "timers": lambda _: self._tell(lambda seen: self._timers.describe(seen.timers)),
            "cards": lambda _: self._tell(_cards),
            "log": self._log,
            "pause": lambda _: self._ask_for_pause(),
            "help": lambda _: tell(
                "Type “ship”, “crew” (alone or with a name), “clocks”, “timers”, “cards”, “log”, “log 20”, “again” or “quit”.",
                descriptions_and_news.HOW_TO_PAUSE,
            ),
        }

    def greet(self) -> Reply:
        """Name the campaign, and list the latest acts."""
        self._file.look()
        lines = [*self._state_news()]
        if seen := self._file.seen:
            session = f", session {seen.session}" if seen.session else ""
            lines += [sentence(f"{seen.name or descriptions_and_news.NAMELESS}: {seen.system}{session}")]
            lines += self._timers.describe_running(seen.timers)
            lines += map(visible_act_sentence, seen.log[-_USUAL_LOG:])
            lines += self._timers.take_news(seen.timers)
        return Reply(lines or [NOT_YET])

    def cancel(self) -> Reply:
        """Drop what was asked for a command."""
        return Reply((NOTHING_DONE,))

    def news(self) -> Reply | None:
        """Report each new act that players see."""
        before = self._file.seen
        ended = self._timers.take_news(before.timers) if before else ()
        lines = [*ended]
        change = look_for_change(self._file)
        lines += self._state_news()
        if before and self._file.seen and self._file.seen.stakes != before.stakes:
            lines += stakes_sentences(self._file.seen.stakes)
        if change and before:
            lines += [*([TAKEN_BACK] if change.taken_back else ()), *map(visible_act_sentence, change.new)]
        elif change:
            return self.greet()
        return Reply(lines) if lines else None

    def say(self, line: str) -> Reply:
        """Refuse any other line."""
        return fail(f"Unknown command “{line}”. For a list of commands, type “help”.")

    def _state_news(self) -> Iterator[str]:
        """Yield a sentence when a problem with the file begins or ends, and when a pause does."""
        if self._file.trouble != self._trouble:
            self._trouble = self._file.trouble
            yield sentence(self._trouble) if self._trouble else "The campaign is back."
        self._pause.look()
        yield from self._pause_news()
        if (why_not := why_no_pause(self._folder)) != self._no_pause:
            self._no_pause = why_not
            yield NO_PAUSE.format(sentence(why_not)) if why_not else "You can ask for a pause again."

    def _pause_news(self) -> Iterator[str]:
        """Yield a sentence when a pause begins or ends, and whether it has reached the wayfinder."""
        pause = self._pause
        if pause.paused is not self._paused:
            self._paused = pause.paused
            yield PAUSED if self._paused else GOES_ON
        if pause.lost != self._lost:
            self._lost = pause.lost
            if self._lost:
                yield LOST.format(sentence(self._lost))
            elif self._paused:
                yield REACHED

    def _ask_for_pause(self) -> Reply:
        """Ask for a pause, and wait until it is certain whether the wayfinder's screen shows it."""
        self._lost = ""
        self._pause.ask()
        self._pause.wait()
        lines = [*self._pause_news()] or [PAUSED]
        return fail(*lines, code=FILES) if self._lost else tell(*lines, REACHED)

    def _tell(self, sentences: Callable[[Projection], Iterator[str]]) -> Reply:
        return tell(*sentences(self._file.seen)) if self._file.seen else fail(self._nothing_yet)

    @property
    def _nothing_yet(self) -> str:
        return sentence(self._file.trouble) if self._file.trouble else NOT_YET

    def _panels(self, where: str, wanted: str) -> Reply:
        wanted = wanted.casefold().strip(".")
        panels = (
            [panel for panel in self._file.seen.panels if (panel.place == "crew") is (where == "crew")]
            if self._file.seen
            else []
        )
        lines = [line for panel in panels if wanted in panel.title.casefold() for line in panel_sentences(panel)]
        return tell(*lines) if lines else fail("No name matches that." if wanted else "There is nothing to show yet.")

    def _log(self, rest: str) -> Reply:
        rest = rest.strip(".")
        count = read_number(rest.casefold()) if rest else _USUAL_LOG
        if count is None:
            return fail("Type “log” and how many actions to list, for example “log 10”.")
        acts = self._file.seen.log if self._file.seen else ()
        latest = [*islice(reversed(acts), count)]
        return tell(*map(visible_act_sentence, reversed(latest))) if latest else tell(NOTHING_PLAYED)


def clock_sentences(seen: Projection) -> Iterator[str]:
    """Yield the clocks that players see."""
    for clock in seen.clocks:
        size = (
            f"{clock.segments} segments, progress hidden"
            if clock.filled is None
            else f"{clock.filled} of {clock.segments}"
        )
        full = ", full" if clock.full else ""
        ending = f". {clock.outcome}" if clock.outcome else ""
        only = f", {only_for(clock.seen_by)}" if clock.seen_by else ""
        name = clock.name or "Unnamed clock"
        yield sentence(f"{name}: {size}, {clock.kind.value}{full}{only}{ending}")
    if not seen.clocks:
        yield "There are no clocks."


def _cards(seen: Projection) -> Iterator[str]:
    for deck in seen.decks:
        words = ((card, (card.luck.value, "out" if card.out else "", only_for(card.seen_by))) for card in deck.cards)
        cards = (f"{card.text} ({', '.join(filter(None, about))})" for card, about in words)
        yield sentence(f"{deck.name}: {', '.join(cards)}")
    if not seen.decks:
        yield "There are no cards to see."


_TAKE_BACK = "take back"
_WORDS = {AnswerKind.PLAYED: "played", AnswerKind.DECLINED: "declined", AnswerKind.GONE: "removed without an answer"}
ALONE = "The wayfinder doesn't have the campaign open. Your proposals will wait until it is opened."
LONG = 3.0
"""Seconds that a proposal waits before the player hears that the campaign is closed."""


class JoinSpeaker(PlayersSpeaker):
    """The commands of a player who acts. Every act is sent to the wayfinder in words."""

    def __init__(self, folder: Path, player: str, notes: PrivateNotes | None = None) -> None:
        """`notes` are where the player notes things for themselves; None where they have no place for it."""
        super().__init__(folder, player)
        self._player, self._last_look, self._notes = player, LastLook(folder, player), notes
        self._waiting: dict[str, str] = {}
        """The title of each proposal without an answer, by its id."""
        self._back = ("", "")
        """The id and the title of the proposal that was taken back last. The wayfinder may have played it at the same moment."""
        self._alone_from = inf
        """The time from which the player hears, once, that the campaign is closed."""
        self._asked: tuple[str, tuple[str, ...]] = "", ()
        """The question that was asked last, and the ids of the answers that this player may give."""
        self._asking = AnswerDialog(self._propose)
        self.commands = {
            **self.commands,
            "moves": self._list_moves,
            "odds": self._odds,
            "waiting": lambda _: tell(*(self._say_waiting() or [_NONE_WAITING])),
            "undo": lambda _: self._take_back(),
            "notes": lambda _: tell(*((self._notes and self._notes.read()) or ("You have no private notes.",))),
            "missed": lambda _: tell(*map(sentence, self._last_look.missed or ("you missed nothing",))),
            "question": lambda _: (
                self._with_question([], always=True) if self._question else tell("There is no open question.")
            ),
            "help": lambda _: tell(*descriptions_and_news.PLAYERS_HELP),
        }

    @property
    def _moves(self) -> Sequence[Move]:
        theirs = moves_for(self._file.seen.moves, self._player) if self._file.seen else ()
        return (*theirs, PRIVATE) if theirs and self._notes else theirs

    # -- for the loop -------------------------------------------------------------------------------------------

    def greet(self) -> Reply:
        """Describe the state of the game, and the open question."""
        lines = [*super().greet().lines]
        if self._file.seen and self._last_look.follow(self._file.seen) and self._last_look.missed:
            lines += ["While you were away:", *map(sentence, self._last_look.missed)]
        waiting = read_waiting(self._folder, self._player)
        self._waiting = {letter.id: title_of_words(self._moves, letter.words) for letter in waiting}
        lines += self._say_waiting()
        return self._with_question(lines, always=True)

    def news(self) -> Reply | None:
        """Report what is new, and the answers to proposals."""
        news = super().news()
        if self._file.seen:
            self._last_look.follow(self._file.seen)
        lines = [*(news.lines if news else ()), *self._look_for_answers()]
        if self._waiting and monotonic() >= self._alone_from:
            self._alone_from = inf
            lines += [] if is_attended(self._folder) else [ALONE]
        if (self._question, tuple(move.id for move in self._answers)) != self._asked:
            return self._with_question(lines)
        return tell(*lines) if lines else None

    def say(self, line: str) -> Reply:
        """Propose the act that a line means; ask for the answers that it lacks."""
        if self._file.seen is None:
            return fail(self._nothing_yet)
        if line.casefold().strip(".,!? ") == _TAKE_BACK:
            return self._take_back()
        if wants_dice(self._moves) and not line.strip("0123456789" + DICE_BETWEEN):
            line = f"dice {' '.join(split_list(line))}"
        try:
            act = understand(partial(parse_act, self._moves), line)
        except CommandUnclear as unclear:
            misspelt = unclear.word if isinstance(unclear, WordUnclear) else ""
            meant = suggestions(self._moves, line, misspelt=misspelt)
            choices = [NumberedChoice(each, partial(self.say, each)) for each in meant]
            if isinstance(unclear, NoSuchCommand) and self._question:
                first = f"finish this first. {self._question}" if self._answers else NOT_NOW.format(self._question)
                return fail(sentence(first), code=REFUSED)
            return Reply((refusal_sentence(unclear.refusal),), choices) if meant else fail(sentence(str(unclear)))
        except ActRefused as refused:
            return fail(refusal_sentence(refused.refusal), code=REFUSED)
        return self._asking.begin(act, lists=False)

    @property
    def _question(self) -> str:
        return self._file.seen.question if self._file.seen else ""

    @property
    def _answers(self) -> Sequence[Move]:
        """The answers to the open question that this player may give."""
        return [move for move in self._moves if move.follows and not move.blocked] if self._question else []

    def _with_question(self, lines: Sequence[str], *, always: bool = False) -> Reply:
        """Add the question that is open, with the answers that this player may give."""
        answers = self._answers
        asked = self._question, tuple(move.id for move in answers)
        new, self._asked = always or asked != self._asked, asked
        if wants_dice(self._moves):  # Numbers are dice now.
            return Reply([*lines, *([sentence(self._question), DICE_OR_REST] if new else ())])
        choices = [NumberedChoice(move.label, partial(self._asking.begin, Act(move))) for move in answers]
        asks = sentence(self._question if answers else f"A question for somebody else: {self._question}")
        called = called_roll_sentences(answers, self._file.seen.odds if self._file.seen else ())
        return Reply([*lines, *([asks, *called] if self._question and new else ())], choices, listed=new)

    # -- proposals ----------------------------------------------------------------------------------------------

    def _propose(self, act: Act) -> Reply:
        if act.move is PRIVATE and self._notes:
            try:
                return tell(sentence(self._notes.add(str(act.answers["text"]))))
            except OSError as trouble:
                return fail(f"The note can't be written: {describe_error(trouble)}.", code=FILES)
        try:
            # Raises `ActRefused` if the act lacks an answer.
            words = format_typed(replace(act, answers=complete_answers(act.move, act.answers)))
            proposal = send(self._folder, self._player, words_to_send(act.move, words))
        except ActRefused as refused:
            return fail(refusal_sentence(refused.refusal), code=REFUSED)
        except InboxRefused as refused:
            return fail(sentence(str(refused)), code=REFUSED)
        except OSError as trouble:
            return fail(f"The proposal can't be sent: {describe_error(trouble)}.", code=FILES)
        self._waiting[proposal] = title = title_of(act)
        self._alone_from = monotonic() + LONG
        return self._with_question([f"{sentence(title)} Your proposal is waiting for the wayfinder."])

    def _take_back(self) -> Reply:
        """Take back the last proposal that waits."""
        answered = [*self._look_for_answers()]
        if not self._waiting:
            return tell(*answered, _NONE_WAITING)
        proposal, title = self._waiting.popitem()
        try:
            take_back(self._folder, self._player, proposal)
        except OSError as trouble:
            self._waiting[proposal] = title
            return fail(f"The proposal can't be taken back: {describe_error(trouble)}.", code=FILES)
        self._back = proposal, title
        return tell(*answered, sentence(f"{title}: taken back"))

    def _look_for_answers(self) -> Iterator[str]:
        for proposal, title in [*self._waiting.items(), self._back]:
            try:
                answer = read_answer(self._folder, self._player, proposal)
            except OSError:  # The next look tries again.
                continue
            is_back = proposal == self._back[0]
            if is_back and answer.kind is AnswerKind.PLAYED:
                self._back = ("", "")
                yield sentence(f"{title}: the wayfinder had already played it")
            elif not is_back and answer.kind is not AnswerKind.WAITS:
                del self._waiting[proposal]
                why = f" ({answer.why})" if answer.why else ""
                yield sentence(f"{title}: {_WORDS[answer.kind]}{why}")

    def _say_waiting(self) -> list[str]:
        waits = waits_text(alone=not is_attended(self._folder))
        self._alone_from = inf
        return [sentence(f"{title}: {waits}") for title in self._waiting.values()]

    # -- words --------------------------------------------------------------------------------------------------

    def _list_moves(self, rest: str) -> Reply:
        wanted = rest.casefold().strip(".")
        able = [move for move in self._moves if not move.blocked and move.verb.startswith(wanted)]
        if not wanted:
            return tell(*(sentence(", ".join(dict.fromkeys(move.verb for move in able)) or "nothing now"),))
        return Reply((), [NumberedChoice(f"{m.id}: {m.label}", partial(self._asking.begin, Act(m))) for m in able])

    def _odds(self, rest: str) -> Reply:
        try:
            act = understand(partial(parse_act, self._moves), rest)
            found = odds_of(self._file.seen.odds, act) if self._file.seen else None
        except ActRefused as refused:
            return fail(refusal_sentence(refused.refusal), code=REFUSED)
        return tell(*odds_sentences(found, found.act)) if found else fail("There are no odds for that.")
