"""A player's window: what players see, and below it a line in which the player proposes acts.

The window knows the campaign only from the players' file. What is typed is parsed with the moves of that file, and the app sends
it as words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.layout import Layout
from textual.screen import Screen
from textual.widget import Widget

from waylog.rules.model.moves import Act, Move, Refusal
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel, Rank, TextRow
from waylog.rules.what_players_may_do import words_to_send
from waylog.store.players.inbox import AnswerKind
from waylog.store.players.moves_and_odds_for_players import moves_for, odds_of, title_of, wants_dice
from waylog.store.players.own_proposals_and_notes import PRIVATE, SentProposal
from waylog.store.players.players_file import NOT_NOW, Projection
from waylog.ui.draw.cell_lines import CellLine, wrap_text
from waylog.ui.draw.clickable_line_view import LineView, Page, SplitPage
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.draw.window_layout_and_key_names import HEIGHT, PlacedLayout, Rect
from waylog.ui.line.choices import ANSWER_FIRST, PromptRequest
from waylog.ui.line.line_keys import Prompt
from waylog.ui.line.line_state_and_drawing import InputTarget, LineInput, arrange_input
from waylog.ui.line.lists_and_lines_that_keys_open import initial_line
from waylog.ui.line.parsed_line import ParsedLine, line_of, parse_line
from waylog.ui.parts.hints import Hint, fit_hints, line_hints, render_hints
from waylog.ui.parts.letter_assignment import WAYLOG_ROLLS
from waylog.ui.views.players_window import ReadOnlyScreen
from waylog.values import replace
from waylog.words.sentences import called_roll_sentences, with_capital

_SHOWN = 3
"""The most answers and the most waiting proposals that are shown, and the most lines of each text."""
_ROLL, _ALWAYS = Hint("r", "roll"), (Hint("n", "note"), Hint("x x", "pause"))
_TAKE_BACK = Hint("z", "take back", short="unsend")
"""The key that is there while a proposal waits."""
_SELDOM = (Hint("s", "spotlight"),)
_HIDE = Hint("m", "hide this", short="hide")
"""The key that is there while it is shown what the player missed."""
_TITLES = {"roll": "Roll", "note": "Note"}
_LONGEST_WAIT = 1.0
"""The longest time, in seconds, that a key waits until the one before it is done."""
UNKNOWN = "This campaign has no player “{}”. The wayfinder can add [players.{}] to the campaign file"


class JoinTray(LineView[InputTarget], can_focus=False):
    """The line that the player types; while none is open, the latest proposals with their answers, and the keys."""

    def __init__(self) -> None:
        super().__init__(id="tray")
        self._line: LineInput | None = None
        self._sent: Sequence[SentProposal] = ()
        self._read = frozenset[str]()
        """The proposals whose answers stood there when the player went on, by their ids."""
        self._question = self._message = ""
        self._called: Sequence[str] = ()
        self._is_dice = self._has_news = False
        self._answers: Sequence[Move] = ()

    def show_line(self, line: LineInput | None) -> None:
        """Show what is typed; None if no line is open."""
        if line and not self._line:
            self._read = frozenset(each.id for each in self._sent if each.answer is not AnswerKind.WAITS)
        self._line, self._message = line, ""
        self._fit()

    def show(
        self,
        question: str,
        answers: Sequence[Move],
        sent: Sequence[SentProposal],
        *,
        is_dice: bool = False,
        called: Sequence[str] = (),
        has_news: bool = False,
    ) -> None:
        """Show the question that is open with the answers that the player may give, and the proposals with their answers. With
        `is_dice`, the answer is dice that the player types. `called` says what the wayfinder asks them to roll. With `has_news`, what
        they missed stands above, and a key hides it.
        """
        new = question, tuple(answers), tuple(sent), is_dice, tuple(called), has_news
        if new != (self._question, self._answers, self._sent, self._is_dice, self._called, self._has_news):
            if (question, tuple(answers)) != (self._question, tuple(self._answers)):
                self._message = ""  # What couldn't be done may be possible now.
            self._question, self._answers, self._sent, self._is_dice, self._called, self._has_news = new
            self._fit()

    def say(self, message: str) -> None:
        """Show a message until something is typed, or something else is asked."""
        self._message = message
        self._fit()

    def _fit(self) -> None:
        """Render again, in a window that has another layout if the content needs another height."""
        if not self.is_attached:
            return
        if self.rows_in(self.app.size) != self.size.height:
            self.refresh(layout=True)
        self.repaint()

    def rows_in(self, size: Size) -> int:
        """Return the height that the content needs in a window of that size."""
        ink, most = ink_of(self), self._most_rows(size)
        if self._line:
            return min(most, self._arrange_line(self._line, ink, size).rows + 1)
        return min(most, 2 + len(self._at_rest(ink, size.width, most - 2)))

    # -- rendering ----------------------------------------------------------------------------------------------

    def _most_rows(self, size: Size) -> int:
        """Return the greatest height in a window of that size: half of it; for a form, and if something is asked, all that leaves the rest
        of the window large enough.
        """
        is_tall = self._line.is_form if self._line else bool(self._answers) or self._is_dice
        return max(2, size.height // 2, size.height - HEIGHT if is_tall else 0)

    def _arrange_line(self, line: LineInput, ink: Palette, size: Size) -> SplitPage[InputTarget]:
        """Draw the line in a window of that size, with the keys below it."""
        return arrange_input(line, ink, size.width, self._most_rows(size) - 1)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[InputTarget]:
        if self._line:
            # As many lines as `rows_in` has found: a list in fewer lines would take other columns.
            page = self._arrange_line(self._line, ink, self.app.size).fill(width, height - 1)
            foot = CellLine(width)
            for hint in fit_hints(line_hints(self._line), width - 2):
                foot.add(f" {hint.key}", ink.key).add(f" {hint.words} ", ink.dim)
            return Page([*page.lines, foot], page.areas)
        rule = CellLine(width).fill("─", ink.rule)
        room = max(1, height - 2)
        # If that is not enough, earlier proposals give way to the question and the message.
        inside = self._at_rest(ink, width, room)[-room:]
        waits = any(each.answer is AnswerKind.WAITS for each in self._sent)
        count = len(self._answers)
        first = (
            Hint(f"1–{count}" if count > 1 else "1", "choose an answer" if count > 1 else "answer it")
            if count
            else _ROLL
        )
        keys = [first, *([_HIDE] if self._has_news else []), *_ALWAYS, *([_TAKE_BACK] if waits else []), *_SELDOM]
        return Page([rule, *inside, *render_hints(keys, ink, width).lines][-height:])

    def _at_rest(self, ink: Palette, width: int, room: int) -> list[CellLine]:
        """Draw each text in as many lines as fit into the room, at most three: the answers that came since the player last typed, or
        the last one; the proposals that wait; and what is asked.
        """
        waiting = [each for each in self._sent if each.answer is AnswerKind.WAITS]
        answered = [each for each in self._sent if each.answer is not AnswerKind.WAITS]
        unread = [each for each in answered if each.id not in self._read] or answered[-1:]
        texts = [
            ("", each.status, ink.dim if each.answer is AnswerKind.PLAYED else ink.plain)
            for each in (*unread[-_SHOWN:], *waiting[-_SHOWN:])
        ]
        if self._question and not (self._called and self._answers):  # A call that is answered here says more.
            asked = (self._answers or self._is_dice) and not self._called
            texts.append(("", f"? {self._question}", ink.strong if asked else ink.dim))
        if self._question:
            texts += [("", text, ink.plain if number else ink.strong) for number, text in enumerate(self._called)]
            if self._is_dice:
                dice = f"Type what the dice show, or press {WAYLOG_ROLLS} to let Waylog roll them"
                texts.append(("", dice, ink.plain))
            texts += [(f"{number} ", move.label, ink.plain) for number, move in enumerate(self._answers, 1)]
        if self._message:
            texts.append(("", f"! {with_capital(self._message)}", ink.warn))

        def wrap(most: int) -> list[CellLine]:
            return [
                CellLine(width).to(2).add("" if below else key, ink.key).to(2 + len(key)).add(part, style)
                for key, text, style in texts
                for below, part in enumerate(wrap_text(text, width - 4 - len(key), most))
            ]

        return next((lines for lines in map(wrap, (3, 2)) if len(lines) <= room), None) or wrap(1)


def _panel(place: str, title: str, lines: Sequence[str]) -> Panel:
    rows = (TextRow(f"{number}", "", line, rank=Rank.ABOUT) for number, line in enumerate(lines))
    return Panel("", place, title, tuple(rows))


class JoinScreen(ReadOnlyScreen, inherit_bindings=False):
    """The window of one player. `send` gets the words to propose, and their meaning for people. `take_back` takes back the last one."""

    CSS_PATH = "join.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "r", "line('roll')", "Roll", id="join.roll", tooltip="Propose a roll (type real dice last, such as 4 6)"
        ),
        Binding("n", "line('note')", "Note", id="join.note", tooltip="Propose a note for the log"),
        Binding(
            "z", "take_back", "Take back", id="join.back", tooltip="Take back your last proposal while it is waiting"
        ),
        Binding("s", "spotlight", "Spotlight", id="join.spotlight", tooltip="Ask for the spotlight"),
        Binding("N", "private", "Private note", id="join.private", tooltip="Write a private note"),
        Binding("m", "missed", "What you missed", id="join.missed", tooltip="What happened while you were away"),
        Binding("colon,enter", "line('')", "Anything", id="join.do", tooltip="Propose any action"),
        *ReadOnlyScreen.BINDINGS,
    ]

    def __init__(
        self,
        player: str,
        send: Callable[[str, str], None],
        take_back: Callable[[], None],
        keep: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(None)
        self._keep, self._notes = keep, tuple[str, ...]()
        self._player, self._send, self._take_back = player, send, take_back
        self._seen: Projection | None = None
        self._trouble = ""
        self._tray = JoinTray()
        self._prompt = Prompt(self)
        self._typing = False
        self._sent: Sequence[SentProposal] = ()
        self._missed: Sequence[str] = ()
        self._shows_missed = False

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield self._tray
        yield self._prompt

    @property
    def layout(self) -> Layout:
        """The view above, and as much of the tray as it needs below."""
        return PlacedLayout(self._places)

    def _places(self, size: Size) -> Mapping[Widget, Rect]:
        rows = self._tray.rows_in(size)
        return {
            self._view: Rect(0, 0, size.width, size.height - rows),
            self._tray: Rect(0, size.height - rows, size.width, rows),
            # It has the keys while a line is typed, and is invisible.
            self._prompt: Rect(0, size.height, size.width, 0),
        }

    # -- what is shown ------------------------------------------------------------------------------------------

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Show another projection, and what a line that is open means now. The player's own character comes first."""
        me = next((each for each in seen.players if each.key == self._player), None) if seen else None
        if seen and not me and not trouble:
            trouble = UNKNOWN.format(self._player, self._player)
        self._seen, self._trouble = seen, trouble
        self._view.character = me.character if me else ""
        # What they are asked for comes first, and with it their own character.
        place = "ship" if self._answers or wants_dice(self._moves) else "scene"
        missed = [_panel(place, "While you were away", self._missed)] if self._shows_missed else []
        notes = [_panel("ship", "Your private notes", self._notes)] if self._notes else []
        super().show(replace(seen, panels=(*missed, *seen.panels, *notes)) if seen else None, trouble)
        self._show_tray()
        if self._typing:
            self._prompt.read_again()

    def show_notes(self, notes: tuple[str, ...]) -> None:
        """Show the player's private notes."""
        self._notes = notes
        self.show(self._seen, self._trouble)

    def action_private(self) -> None:
        """Open the line for a private note."""
        if self._keep:
            self._open(PromptRequest("Private note", PRIVATE.verb))
        else:
            self.say("private notes can't be saved here")

    def show_missed(self, missed: Sequence[str]) -> None:
        """Show what the player missed, until they look at something else."""
        self._missed, self._shows_missed = missed, bool(missed)
        self.show(self._seen, self._trouble)

    def action_missed(self) -> None:
        """Show what the player missed, or no longer."""
        if not self._missed:
            self.say("you missed nothing")
            return
        self._shows_missed = not self._shows_missed
        self.show(self._seen, self._trouble)

    def show_sent(self, sent: Sequence[SentProposal]) -> None:
        """Show the proposals with their answers, oldest first."""
        self._sent = sent
        self._show_tray()

    def _show_tray(self) -> None:
        is_dice = wants_dice(self._moves)
        called = () if is_dice or not self._seen else [*called_roll_sentences(self._answers, self._seen.odds)]
        question = self._seen.question if self._seen else ""
        self._tray.show(
            question, self._answers, self._sent, is_dice=is_dice, called=called, has_news=self._shows_missed
        )

    def say(self, message: str) -> None:
        """Tell the player something."""
        self._tray.say(message)

    # -- the line -----------------------------------------------------------------------------------------------

    @property
    def _moves(self) -> tuple[Move, ...]:
        theirs = moves_for(self._seen.moves, self._player) if self._seen else ()
        return (*theirs, PRIVATE) if theirs and self._keep else theirs

    @property
    def _answers(self) -> Sequence[Move]:
        """The answers to the open question that the player may give, at most nine; none while digits are dice."""
        asked = self._seen and self._seen.question and not wants_dice(self._moves)
        return [move for move in self._moves if move.follows and not move.blocked][:9] if asked else []

    def read_line(self, verb: str, text: str) -> ParsedLine:
        """Parse a line of the player."""
        question = (self._seen.question if self._seen else "") or None
        first = ANSWER_FIRST if self._answers else NOT_NOW[0].upper() + NOT_NOW[1:]
        return parse_line(self._moves, self._odds, verb, text, question, answer_first=first, has_palette=False)

    def _odds(self, act: Act) -> Odds | None:
        return odds_of(self._seen.odds, act) if self._seen else None

    def takes(self, event: events.Key) -> bool:
        """Handle a key for the line, or one that answers the open question: a digit, a die, or the key by which Waylog rolls the rest.

        Return False for any other key.
        """
        if self._typing:
            return self._prompt.takes(event)
        if wants_dice(self._moves) and (event.key.isdecimal() or event.key in ("enter", WAYLOG_ROLLS)):
            if event.key == WAYLOG_ROLLS:
                self._send("rest", "Waylog rolls the rest")
            elif event.key == "enter":
                self.say("you haven't typed any dice yet")
            else:
                self._open(PromptRequest("Real dice", "dice", event.key))
            return True
        answers, number = self._answers, int(event.key) if event.key.isdecimal() else 0
        if not 0 < number <= len(answers):
            return False
        move = answers[number - 1]
        if move.asks:
            self._open(initial_line(move))
        else:
            self._send(words_to_send(move, move.id), move.label)
        return True

    async def wait_until_done(self) -> None:
        """Wait until everything that the last key caused has happened, so that the next one goes to what is open then."""
        done = asyncio.Event()
        # Behind what the line has said, first in its own queue and then in that of this screen.
        if self._prompt.call_later(self.call_later, done.set):
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), _LONGEST_WAIT)

    def paste(self, text: str) -> None:
        """Insert a text into the open line. Without one nothing happens: a paste never acts by itself."""
        if self._typing:
            self._prompt.paste(text)

    def action_line(self, verb: str) -> None:
        """Open the line for acts of a verb, or for any act."""
        if verb and all(move.verb != verb for move in self._moves):
            self.say(self._why_nothing(verb))
            return
        self._open(PromptRequest(_TITLES.get(verb, "Propose"), verb))

    def _why_nothing(self, verb: str) -> str:
        """Return why there is no act of a verb now."""
        if wants_dice(self._moves):
            return f"first type what the dice show, or press {WAYLOG_ROLLS} to let Waylog roll them"
        if self._answers:
            return f"first answer the question with 1{f' to {len(self._answers)}' if self._answers[1:] else ''}"
        if self._seen and self._seen.question:
            return "somebody else has to answer a question first"
        return f"you can't propose a {verb} now"

    def action_spotlight(self) -> None:
        """Ask for the spotlight."""
        move = next((move for move in self._moves if move.verb == "spotlight"), None)
        if move:
            self._send(move.id, "The spotlight")
        else:
            self.say("you can't ask for the spotlight now")

    def action_take_back(self) -> None:
        """Take the last proposal back that waits."""
        self._take_back()

    def _open(self, asked: PromptRequest) -> None:
        if self._shows_missed:
            self.action_missed()
        self._typing = True
        self._prompt.ask(asked)
        self.set_reactive(Screen.focused, self._prompt)

    def _close(self) -> None:
        self._typing = False
        self._tray.show_line(None)
        self.set_reactive(Screen.focused, None)

    def show_line(self, line: LineInput) -> None:
        """Show what is typed, while the line is open."""
        if self._typing:
            self._tray.show_line(line)

    def list_for(self, text: str) -> None:
        """Return None: a player's line has no words of the app."""

    @property
    def shows_stakes(self) -> bool:
        """Only the wayfinder shows them."""
        return False

    @property
    def line_width(self) -> int:
        """The line takes the whole width."""
        return self.app.size.width

    def lines_before(self) -> Sequence[str]:
        """Return nothing: a player's window keeps no lines."""
        return ()

    def on_prompt_closed(self) -> None:
        self._close()

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        self._close()
        act = message.act
        if act.move is PRIVATE and self._keep:
            self._keep(str(act.answers["text"]))
            return
        self._send(words_to_send(act.move, line_of(act, "").strip()), title_of(act))

    def on_prompt_choice_selected(self, message: Prompt.ChoiceSelected) -> None:
        if isinstance(message.choice.does, Move):
            self._open(initial_line(message.choice.does))

    def refuse(self, refusal: Refusal) -> None:
        """Show why a line was refused."""
        self._prompt.refuse(refusal)
