"""A player in line mode: what players see, the proposals that they type, and the answers (NM-45)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic

from waylog.lines.asking import AnswerDialog
from waylog.lines.loop import split_list
from waylog.lines.players import NOT_YET, PlayersSpeaker
from waylog.lines.replies import DICE_BETWEEN, DICE_OR_REST, FILES, REFUSED, NumberedChoice, Reply, fail, tell
from waylog.lines.spoken import suggestions, understand
from waylog.rules.act_words import format_typed
from waylog.rules.answers import complete_answers
from waylog.rules.command_errors import CommandUnclear, NoSuchCommand
from waylog.rules.commands import parse_act
from waylog.rules.moves import Act, ActRefused, Move
from waylog.store.attendance import is_attended
from waylog.store.inbox import AnswerKind, InboxRefused, read_answer, read_waiting, send, take_back
from waylog.store.players_moves import NOT_NOW, moves_for, odds_of, title_of, title_of_words, wants_dice
from waylog.values import replace
from waylog.words.sentences import odds_sentences, refusal_sentence, sentence

_TAKE_BACK = "take back"
_WORDS = {AnswerKind.PLAYED: "played", AnswerKind.DECLINED: "declined", AnswerKind.GONE: "removed without an answer"}
ALONE = "The wayfinder doesn't have the campaign open. Your proposals wait until then."
LONG = 3.0
"""Seconds that a proposal waits before the player hears that the campaign is closed."""
HELP = (
    "Type what you want to do, for example: roll odile. Or: note I lock the door. The wayfinder plays it or declines it.",
    "To hear what you can propose, type moves. For the exact odds of a roll, type odds and the roll.",
    "To answer a question, type a number. To hear it again, type question.",
    "To hear the state of the game, type ship, crew, crew and a name, clocks, timers, cards or log.",
    "To hear which proposals wait for the wayfinder, type waiting. To take back the last one, type take back.",
    "To ask for a pause, type pause. Nobody sees who asked.",
    "To hear the last answer again, type again. To leave, type quit.",
)


class JoinSpeaker(PlayersSpeaker):
    """The commands of a player who acts. Every act is sent to the wayfinder in words."""

    def __init__(self, folder: Path, player: str) -> None:
        super().__init__(folder)
        self._player = player
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
            "waiting": lambda _: tell(*(self._say_waiting() or ["None of your proposals is waiting."])),
            "undo": lambda _: self._take_back(),
            "question": lambda _: self._with_question([], always=True) if self._question else tell("Nothing is asked."),
            "help": lambda _: tell(*HELP),
        }

    @property
    def _moves(self) -> Sequence[Move]:
        return moves_for(self._file.seen.moves, self._player) if self._file.seen else ()

    # -- for the loop -------------------------------------------------------------------------------------------

    def greet(self) -> Reply:
        """Describe the state of the game, and the open question."""
        lines = [*super().greet().lines]
        waiting = read_waiting(self._folder, self._player)
        self._waiting = {letter.id: title_of_words(self._moves, letter.words) for letter in waiting}
        lines += self._say_waiting()
        return self._with_question(lines, always=True)

    def news(self) -> Reply | None:
        """Report what is new, and the answers to proposals."""
        news = super().news()
        lines = [*(news.lines if news else ()), *self._look_for_answers(), *self._say_alone()]
        if (self._question, tuple(move.id for move in self._answers)) != self._asked:
            return self._with_question(lines)
        return tell(*lines) if lines else None

    def say(self, line: str) -> Reply:
        """Propose the act that a line means; ask for the answers that it lacks."""
        if self._file.seen is None:
            return fail(NOT_YET)
        if line.casefold().strip(".,!? ") == _TAKE_BACK:
            return self._take_back()
        if wants_dice(self._moves) and not line.strip("0123456789" + DICE_BETWEEN):
            line = f"dice {' '.join(split_list(line))}"
        try:
            act = understand(partial(parse_act, self._moves), line)
        except CommandUnclear as unclear:
            meant = suggestions(self._moves, line)
            choices = [NumberedChoice(each, partial(self.say, each)) for each in meant]
            if isinstance(unclear, NoSuchCommand) and self._question:
                first = f"answer this first: {self._question}" if self._answers else NOT_NOW.format(self._question)
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
        asks = sentence(self._question if answers else f"Somebody else is asked: {self._question}")
        return Reply([*lines, *([asks] if self._question and new else ())], choices, listed=new)

    # -- proposals ----------------------------------------------------------------------------------------------

    def _propose(self, act: Act) -> Reply:
        try:
            words = _line_of(act)
            proposal = send(self._folder, self._player, words)
        except ActRefused as refused:
            return fail(refusal_sentence(refused.refusal), code=REFUSED)
        except InboxRefused as refused:
            return fail(sentence(str(refused)), code=REFUSED)
        except OSError as trouble:
            return fail(f"The proposal can't be sent: {(trouble.strerror or str(trouble)).lower()}.", code=FILES)
        self._waiting[proposal] = title = title_of(act)
        self._alone_from = monotonic() + LONG
        return self._with_question([f"{sentence(title)} It waits for the wayfinder."])

    def _take_back(self) -> Reply:
        """Take back the last proposal that waits."""
        answered = [*self._look_for_answers()]
        if not self._waiting:
            return tell(*answered, "None of your proposals is waiting.")
        proposal, title = self._waiting.popitem()
        try:
            take_back(self._folder, self._player, proposal)
        except OSError as trouble:
            self._waiting[proposal] = title
            return fail(f"The proposal can't be taken back: {(trouble.strerror or str(trouble)).lower()}.", code=FILES)
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
        waits = (
            "waits for the wayfinder" if is_attended(self._folder) else "waits until the wayfinder opens the campaign"
        )
        self._alone_from = inf
        return [sentence(f"{title}: {waits}") for title in self._waiting.values()]

    def _say_alone(self) -> list[str]:
        """Say once, a few seconds after a proposal, that the campaign is closed."""
        if not self._waiting or monotonic() < self._alone_from:
            return []
        self._alone_from = inf
        return [] if is_attended(self._folder) else [ALONE]

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
        if found is None or (odds := found.odds()) is None:
            return fail("There are no odds for that.")
        return tell(*odds_sentences(odds, found.act))


def _line_of(act: Act) -> str:
    """Return the act as a line with its real dice. Raises `ActRefused` if it lacks an answer."""
    return format_typed(replace(act, answers=complete_answers(act.move, act.answers)))
