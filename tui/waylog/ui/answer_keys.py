"""The keys that answer something, before any binding has them: a line, a list of letters, a question, dice, the tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events

from waylog.rules.model.act_lists_and_row_verbs import EVERYBODY, Subject
from waylog.rules.model.answers import describe
from waylog.rules.model.dice import Die, require_face
from waylog.rules.model.moves import MOST_OF_A_KIND, Act, ActRefused, Move, Refusal
from waylog.ui.act_flow_and_confirmations import Confirmable, KeyHost, PlayRequested, UndoRequested, pick_move
from waylog.ui.draw.window_layout_and_key_names import digit, keys_of
from waylog.ui.line.choices import PromptRequest
from waylog.ui.line.dice_input import DiceInput
from waylog.ui.line.lists_and_lines_that_keys_open import (
    choice,
    initial_line,
    pickable_dice,
)
from waylog.ui.parts.letter_assignment import WAYLOG_ROLLS, begun_by, follow_ups, only_text, words_to_type
from waylog.ui.parts.tray import TrayMessage
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker


class AnswerKeys:
    """Gets each key first, and takes it if it answers something."""

    def __init__(self, screen: KeyHost) -> None:
        self._window, self._flow, self._post = screen.window, screen.flow, screen.post_message
        self.refused_by: str | None = None
        """The clause of the refusal that the last key has removed."""
        self.was_fresh = False
        """Whether the result of an act was still shown in full when the last key was pressed."""
        self._dice = DiceInput()
        self._early = ""
        """The digits of real dice that were typed before the letter of the answer that they are for."""
        self._keys_again = -1
        """The number of entries at which letters became keys again although a text is asked for."""

    def drop_dice(self) -> None:
        """Drop the faces typed so far, because something was done meanwhile."""
        self._dice = DiceInput()

    @property
    def hint(self) -> str:
        """The words for what keys do with the open question; empty if that is visible otherwise."""
        snapshot = self._window.snapshot
        if pickable_dice(snapshot, self._window.tab):
            return ""  # The bar says which keys choose them.
        if text := self._text:
            return f"{words_to_type(text)} · Esc: use shortcuts" if self.letters_are_text else "Enter: edit"
        return ""

    @property
    def _text(self) -> Move | None:
        """The only answer that the open question takes, if it is a text. While something is to be mended, its keys come first."""
        snapshot = self._window.snapshot
        is_blocked = snapshot.read_only or snapshot.held or snapshot.asked or snapshot.conflicts
        return None if is_blocked or snapshot.question is None else only_text(follow_ups(snapshot.moves))

    @property
    def letters_are_text(self) -> bool:
        """Whether each letter begins the answer to the open question, and runs no key."""
        return self._text is not None and self._keys_again != self._window.snapshot.entries

    def takes(self, event: events.Key) -> bool:
        """Handle a key for the line or the tray, which come before everything else. Return False if it is for neither."""
        tray, flow = self._window.tray, self._flow
        if self._window.typing:
            return self._window.prompt.takes(event)
        if flow.picker:
            if _is_for_all(event, flow.picker):
                return False
            if event.character and (subject := flow.picker.subject_for(event.character)):
                tray.taken.begin(subject.letter, subject.moves[0], subject.name)
            flow.take_letter(flow.picker, event)
            return True
        asked, flow.confirming = flow.confirming, {}
        early, self._early = self._early, ""
        self.refused_by, self.was_fresh = tray.refusal_clause, tray.is_fresh
        tray.say(None)
        if answer := asked.get(event.key):
            tray.taken.begin_one_of(event.key, "yes")
            self._post(answer)
            return True
        # A question that Enter answers yes is answered no by n, which is a note otherwise.
        if asked and event.key in ("escape", *("n" if "enter" in asked else "")):
            tray.taken.begin_one_of(event.key, "no")
            tray.settle()
            return True
        if dropped := next(filter(None, map(_words_for_dropping, asked.values())), ""):
            # The key does what it always does. What it says takes the place of this.
            tray.say(TrayMessage(dropped))
        if any(answers(event) for answers in (self._types, self._picks, self._writes)):
            return True
        if self._takes_early_die(event, early) or self._answers(event, early):
            return True
        tray.settle()
        return False

    def find_begun(self, typed: str) -> Sequence[Subject | Move]:
        """Return the names in the open list, or the answers to the open question, of which a word begins with what is typed. None while
        letters mean something else, or if a single letter begins no word but that of what it takes by itself.
        """
        snapshot, picker, tray = self._window.snapshot, self._flow.picker, self._window.tray
        its_own: Sequence[Subject | Move | None]
        if picker:
            its_own, found = [picker.subject_for(typed)], begun_by(typed, picker.subjects)
        elif self._window.typing or self._flow.confirming or snapshot.missing_dice or self._early or self._text:
            return ()
        else:
            answers = tray.choices if snapshot.question else ()
            its_own = [move for key, move in answers if key == typed]
            found = begun_by(typed, [move for _, move in answers])
        return () if len(typed) == 1 and [*found] == its_own else found

    def take_word(self, typed: str) -> None:
        """Take what the word that is being typed begins; the rest of it does nothing."""
        tray = self._window.tray
        for meant in self.find_begun(typed):
            tray.say(None)
            move = meant.moves[0] if isinstance(meant, Subject) else meant
            tray.taken.begin(typed, move, meant.name)
            if isinstance(meant, Subject):
                self._flow.take_subject(meant)
            else:
                self._flow.choose(meant)

    def _types(self, event: events.Key) -> bool:
        """While real dice are asked for, digits are dice. Return whether the key was for them."""
        snapshot = self._window.snapshot
        if not snapshot.missing_dice:
            return False
        if event.key == WAYLOG_ROLLS and not snapshot.held:
            if self._dice.faces:
                self._window.tray.say(TrayMessage("First press Enter to confirm the dice you typed", sign="?"))
            else:
                self._play_dice("rest")
            return True
        whole = any(move.whole for move in snapshot.moves if move.verb == "dice")
        wanted, before = self._window.table.awaited_dice(), self._dice.faces
        if not self._dice.takes(event.key, event.character, wanted, whole=whole):
            return False
        faces = self._dice.faces
        if digit(event.key) and faces == before:
            self._window.refuse(_ALL_TYPED)
            return True
        if digit(event.key) and (wrong := _wrong_face(wanted, faces)):
            self._dice.takes("backspace", None, wanted, whole=whole)
            self._window.refuse(wrong)
            return True
        if self._dice.done:
            self._play_dice("dice", faces)
        else:
            self._window.tray.type(faces)
            if event.key == "enter":
                self._window.tray.say(TrayMessage("You haven't typed any dice yet", sign="?"))
        return True

    def _play_dice(self, verb: str, faces: tuple[int, ...] = ()) -> None:
        """Go on with the dice that were typed, or with those that Waylog rolls."""
        move = next(move for move in self._window.snapshot.moves if move.verb == verb)
        self._dice = DiceInput()
        self._window.tray.type(())
        self._post(PlayRequested(Act(move, faces=faces or None)))

    def _picks(self, event: events.Key) -> bool:
        """While dice of the scene are asked for, digits pick them: the line opens with the first digit. So do those that no die shows:
        whoever types ahead means dice, and must not end up on another tab.
        """
        move = pickable_dice(self._window.snapshot, self._window.tab)
        if move is None or not (die := digit(event.key)):
            return False
        self._flow.ask(PromptRequest(move.label, "", f"{move.id} {die} "))
        return True

    def _writes(self, event: events.Key) -> bool:
        """If only a text answers the question, what is typed goes into its field and runs no keys, until Esc is pressed. Enter opens the
        field empty.
        """
        move = self._text
        if move is None:
            return False
        if event.key == "enter":
            self._flow.choose(move)
            return True
        if not self.letters_are_text:
            return False
        if event.key == "escape":
            self._keys_again = self._window.snapshot.entries
            self._window.tray.hint(self.hint)
            return True
        if not (event.character and event.character.isprintable()) or event.key == "space":
            return False
        self._flow.ask(initial_line(move))
        return self._window.prompt.takes(event)

    def _takes_early_die(self, event: events.Key, early: str) -> bool:
        """While an answer to the question takes dice, a digit is a die: for the only such answer, or for the one whose
        letter comes next. Return whether the key was one.
        """
        tray, die = self._window.tray, digit(event.key)
        if self._window.snapshot.question is None or not (die or (early and event.key == "backspace")):
            return False
        rolling = [
            (key, move) for key, move in tray.choices if not move.blocked and self._window.prompt.takes_dice(move)
        ]
        if not rolling:
            return False
        dice = early + die if die else early[:-1]
        if len(rolling) == 1:
            self._flow.choose_with_dice(rolling[0][1], dice)
        elif dice:
            self._early = dice
            letters = " or ".join(key for key, _ in rolling if key)
            text = f"Real dice so far: {dice}. Press {letters} to use them. Alt+digit opens a tab"
            tray.say(TrayMessage(text, sign="?"))
        return True

    def _answers(self, event: events.Key, dice: str) -> bool:
        """A follow-up's own key chooses it, with the dice typed before. While there is a question, left, right and Enter
        choose too.
        """
        tray = self._window.tray
        if answers := [move for key, move in tray.choices if key and event.character == key]:
            if dice and len(answers) == 1:
                self._flow.choose_with_dice(answers[0], dice)
            elif len(answers) == 1:
                tray.taken.begin(event.character or "", answers[0], answers[0].name)
                self._flow.choose(answers[0])
            else:
                few = len(answers) <= MOST_OF_A_KIND
                listed = tuple(choice(self._window.snapshot, each) for each in answers)
                many = PromptRequest("Which one?", choices=listed)
                self._flow.follow(pick_move(self._window.snapshot, many.title, answers) if few else many)
            return True
        if self._window.snapshot.question is None:
            return False
        if event.key in ("left", "right"):
            tray.step(1 if event.key == "right" else -1)
        elif event.key == "enter" and tray.selected_follow_up:
            self._flow.choose(tray.selected_follow_up)
        elif event.key == "enter" and tray.choices:
            tray.say(TrayMessage("Press the letter of an answer, or choose one with ← and →", sign="?"))
        elif event.character == EVERYBODY:
            text = f"{EVERYBODY} chooses everybody at once, but this question is for one person. Press the letter of an answer"
            tray.say(TrayMessage(text, bad=True))
        else:
            return False
        return True


def _is_for_all(event: events.Key, picker: ActPicker) -> bool:
    """Whether a key opens the menu or help, as it does in front of an open list too."""
    anytime = (*keys_of("do", "colon"), *keys_of("keys", "question_mark"))
    return event.key in anytime and not (event.character and picker.subject_for(event.character))


def _words_for_dropping(asked: Confirmable) -> str:
    """Return what is said of a question that another key drops; nothing of an offer."""
    match asked:
        case UndoRequested(again=again):
            return "Redo cancelled" if again else "Undo cancelled"
        case PlayRequested(Act(move, answers)):
            return f"Cancelled: {describe(replace(move, title=''), answers)}"
        case _:
            return ""


_ALL_TYPED = Refusal("you have typed all the dice: press Enter to confirm them, or Backspace to correct one")


def _wrong_face(dice: Sequence[Die], faces: Sequence[int]) -> Refusal | None:
    """Return why a die that was typed can't be; None if all can, or if the number of the last may go on."""
    try:
        for die, face in zip(dice, faces, strict=False):
            require_face(die, face)
    except ActRefused as refused:
        return refused.refusal
    return None
