"""The tray at the foot of every screen: the latest act, what it asks, and what is about to be taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from textual import events
from textual.message import Message

from waylog.rules.changes import Change
from waylog.rules.dice import Face
from waylog.rules.facts import Fact, NoteFact, OutcomeFact, RollFact
from waylog.rules.moves import Move
from waylog.snapshot import Snapshot
from waylog.store.entries import LogEntry
from waylog.ui.draw import cards, dice
from waylog.ui.draw.cards import HIDDEN, RevealedItem, came_up, draw_frames, items_that_fit
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.changes import describe_change
from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.odds import SIGNS
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.follow_ups import assign_keys, follow_ups
from waylog.ui.line.line_input import InputTarget, LineInput, render_input
from waylog.ui.line.parsed_line import refusal_of
from waylog.values import dataclass

_SIDE = 34
"""Cells that words beside drawn dice need."""
_ROOMY = 64
"""Cells from which on the head of the tray says more than which act it is."""


@dataclass(frozen=True, slots=True)
class TrayMessage:
    """A line to the person, in place of what is asked: a refusal, a question before undo, or news."""

    text: str
    bad: bool = False
    sign: str = "↶"


class Tray(LineView[Move | InputTarget]):
    """Shows what just happened and what may follow from it; or, while something is typed, the line with its list.

    One place that shows either costs a fraction of the layout that showing and hiding widgets costs.
    """

    @dataclass
    class FollowUpChosen(Message):
        """A follow-up was clicked."""

        move: Move

    @dataclass
    class InputClicked(Message):
        """Something of the line that is typed was clicked."""

        target: InputTarget

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="tray")
        self._snapshot = snapshot
        self._keys: dict[str, str] = {}
        """Keys that follow-ups have or had in this act, by the id of the move."""
        self._choices = self._assign_keys(snapshot)
        self._said: TrayMessage | None = None
        self._typed: tuple[int, ...] = ()
        self._hint = ""
        self._selected: int | None = None
        self._input: LineInput | None = None

    def show_input(self, line: LineInput | None) -> None:
        """Show what is typed; with None, nothing is typed any more."""
        if line is None or self._input is None or line.choices is not self._input.choices:
            self.scroll = 0
        self._input = line
        self.repaint()

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment. What was said, typed and selected goes when something was done since the last one."""
        before, self._snapshot = self._snapshot, snapshot
        if (snapshot.act, snapshot.moves) != (before.act, before.moves):
            if _root(snapshot) != _root(before):
                self._keys = {}
            self._choices = self._assign_keys(snapshot)
        if snapshot.entries != before.entries:
            self._said, self._typed = None, ()
        if (snapshot.entries, snapshot.moves) != (before.entries, before.moves) or self._selected is None:
            self._selected = 0 if snapshot.question and self.choices else None
        self.repaint()

    def say(self, message: TrayMessage | None) -> None:
        """Say something until the next key."""
        if message != self._said:
            self._said = message
            self.repaint()

    def hint(self, text: str) -> None:
        """Say beside the question what the keys do with it on this screen."""
        if text != self._hint:
            self._hint = text
            self.repaint()

    def type(self, faces: tuple[int, ...]) -> None:
        """Show the real dice that have been typed so far."""
        self._typed = faces
        self.repaint()

    @property
    def choices(self) -> tuple[tuple[str, Move], ...]:
        """The follow-ups with their keys."""
        return self._choices

    def _assign_keys(self, snapshot: Snapshot) -> tuple[tuple[str, Move], ...]:
        rolls, asked = bool(snapshot.roll_key.verb(snapshot.moves)), snapshot.question is not None
        choices = assign_keys(follow_ups(snapshot.moves), asked=asked, rolls=rolls, kept=self._keys)
        self._keys |= {move.id: key for key, move in choices if key}
        return choices

    @property
    def selected_follow_up(self) -> Move | None:
        """The follow-up that Enter would choose."""
        return None if self._selected is None else self.choices[self._selected][1]

    def step(self, by: int) -> None:
        """Select the next follow-up, or the one before."""
        if count := len(self.choices):
            self._selected = ((self._selected or 0) + by) % count if self._selected is not None else 0
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Choose the follow-up under the mouse; what is typed is answered by whoever has its keys."""
        match self.target_at(event):
            case None:
                pass
            case Move() as move:
                self.post_message(self.FollowUpChosen(move))
            case target:
                self.post_message(self.InputClicked(target))

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[Move | InputTarget]:
        if self._input:
            return render_input(self._input, ink, width, height, self.scroll)
        foot = self._foot(ink, width, max(1, height - 2))
        room = height - 1 - len(foot.lines)
        lines = [self._rule(ink, width), *self._act(ink, width, room)]
        lines += [CellLine(width) for _ in range(height - len(lines) - len(foot.lines))]
        return foot.below(lines).part(0, height)

    def _rule(self, ink: Palette, width: int) -> CellLine:
        line = CellLine(width).add("─ ", ink.rule)
        act = self._snapshot.act
        if not act:
            return line.add("No log entries yet ", ink.dim).fill("─", ink.rule)
        latest = act[-1]
        when = f" {latest.at:%H:%M} · {latest.number} "
        words = " · ".join(entry.heading for entry in act if entry.root == entry.number or len(act) == 1)
        typed = _whose_dice(act)
        if all(map(cards.sight_of(self._snapshot).hides_entry, act)):
            typed += f" · {HIDDEN} hidden from players" if width >= _ROOMY else f" {HIDDEN}"
        line.add(words, ink.strong, most=max(0, width - cells_of(when) - 6 - len(typed))).add(f"{typed} ", ink.dim)
        return line.fill("─", ink.rule, until=width - cells_of(when) - 1).add(when, ink.dim).fill("─", ink.rule)

    def _act(self, ink: Palette, width: int, height: int) -> list[CellLine]:
        """What happened, in `height` lines: dice beside words where there is room for both."""
        act = _with_facts(self._snapshot.act, self._snapshot.settled_facts)
        if not act:
            key = self._snapshot.roll_key
            rolls = f"r {key.hint} · " if key.verb(self._snapshot.moves) else ""
            hint = f"{rolls}t table · : command · n note · c clock · s session · ? keys"
            return [CellLine(width).to(2).add(part, ink.dim) for part in wrap_text(hint, width - 4)][:height]
        rolled = [fact for entry in act for fact in entry.facts if isinstance(fact, RollFact)]
        thrown = [face for fact in rolled for face in fact.dice]
        ups = came_up(act, self._snapshot.decks)
        if ups and height >= cards.LEAST:
            return self._up(act, ups, thrown, ink, width, height)
        drawn = height >= 4 and 0 < dice.width_of(thrown) <= width - _SIDE - 2
        if not drawn and rolled and height >= 4 and dice.width_of(rolled[-1].dice) <= width - _SIDE - 2:
            thrown, drawn = list(rolled[-1].dice), True
        return (
            self._beside(act, thrown, ink, width, height)
            if drawn
            else self._words(act, ink, width, 2, height, figures=True)
        )

    def _up(
        self,
        act: Sequence[LogEntry],
        ups: Sequence[RevealedItem],
        thrown: Sequence[Face],
        ink: Palette,
        width: int,
        height: int,
    ) -> list[CellLine]:
        """Cards and entries in frames, the dice beside them where there is room, and under them whatever else happened."""
        drawn = height >= 4 and 0 < dice.width_of(thrown) <= width - 2 * _SIDE
        named = max(dice.width_of(thrown), min(dice.named_dice_width(thrown), width // 4))
        left = 2 + (named + 2 if drawn else 0)
        faces = dice.faces(thrown, ink, left - 4) if drawn else []
        ups = items_that_fit(ups, width - left - 2)
        shown_notes = frozenset(up.note for up in ups)
        words = self._words(act, ink, width, left, height, figures=not drawn, shown_facts=shown_notes)
        frames = draw_frames(ups, ink, width - left - 2, height)
        right = [*frames, *(words[len(frames) - height :] if len(frames) < height else [])]
        lines = []
        for index in range(min(height, max(len(faces), len(right)))):
            line = CellLine(width).to(2)
            if index < len(faces):
                line.join(faces[index])
            if index < len(frames):
                line.to(left).join(frames[index])
            elif index < len(right):
                line = right[index] if not drawn else line.to(left).join(right[index])
            lines.append(line)
        return lines

    def _beside(
        self, act: Sequence[LogEntry], thrown: Sequence[Face], ink: Palette, width: int, height: int
    ) -> list[CellLine]:
        wide = min(dice.named_dice_width(thrown), width - max(_SIDE, width // 2))
        left = max(dice.width_of(thrown), wide) + 2
        faces = dice.faces(thrown, ink, left - 2)
        words = self._words(act, ink, width, left + 2, height, figures=False)
        lines = []
        for index in range(min(height, max(len(faces), len(words)))):
            line = CellLine(width).to(2)
            if index < len(faces):
                line.join(faces[index])
            if index < len(words):
                line.to(left + 2).join(words[index])
            lines.append(line)
        return lines

    def _words(
        self,
        act: Sequence[LogEntry],
        ink: Palette,
        width: int,
        margin: int,
        height: int,
        *,
        figures: bool,
        shown_facts: Collection[Fact] = (),
    ) -> list[CellLine]:
        """Dice, outcomes, what followed and what changed, without what is told already.

        Where there is no room for all, the last dice and the last outcome stay, and of the rest what came last.
        """
        room = width - margin if not figures else width
        indent = margin if figures else 0
        lines: list[CellLine] = []
        pinned: dict[type[Fact], Sequence[int]] = {}
        for fact in (fact for entry in act for fact in entry.facts if fact not in shown_facts):
            drawn = _fact(fact, ink, room, indent, figures=figures)
            if drawn and not isinstance(fact, NoteFact):
                pinned[type(fact)] = range(len(lines), len(lines) + len(drawn))
            lines += drawn
        changed = _change_lines([change for entry in act for change in entry.shown_changes])
        if changed and len(lines) < height:
            lines.append(CellLine(room).to(indent).add(changed, ink.dim))
        stay = sorted(index for indices in pinned.values() for index in indices)[:height]
        rest = [index for index in range(len(lines)) if index not in stay]
        shown = {*stay, *rest[len(rest) - max(0, height - len(stay)) if len(lines) > height else 0 :]}
        return [line for index, line in enumerate(lines) if index in shown]

    # -- the foot: what is asked --------------------------------------------------------------------------------

    def _foot(self, ink: Palette, width: int, most: int) -> Page[Move]:
        lines = self._notice(self._said, ink, width)[:most] if self._said else []
        asked = self._question_lines(ink, width, most - len(lines)) if len(lines) < most else Page(())
        return asked.below(lines)

    @staticmethod
    def _notice(message: TrayMessage, ink: Palette, width: int) -> list[CellLine]:
        style = ink.bad if message.bad else ink.key
        sign = "✗ " if message.bad else f"{message.sign} "
        return [
            CellLine(width).to(2).add("  " if index else sign, style).add(part, style)
            for index, part in enumerate(wrap_text(message.text, width - 6))
        ]

    def _question_lines(self, ink: Palette, width: int, most: int) -> Page[Move]:
        if wanted := self._snapshot.missing_dice:
            return Page(self._dice(wanted, ink, width)[:most])
        lines = list[CellLine]()
        question = self._snapshot.question
        if question:
            parts = wrap_text(question, width - 6)[:2]
            lines += [
                CellLine(width).to(2).add("  " if index else "? ", ink.key).add(part, ink.strong)
                for index, part in enumerate(parts)
            ]
        if lines and self._hint:
            lines[-1].right(f" {self._hint} ", ink.key)
        page = self._offer_lines(ink, width, asked=question is not None).below(lines)
        if len(page.lines) > most:
            fitting = page.part(0, max(1, most - 1))
            more = CellLine(width).to(2).add("… more: Ctrl+P lists all", ink.dim)
            page = Page([*fitting.lines, more], fitting.areas)
        return page

    def _dice(self, wanted: Sequence[str], ink: Palette, width: int) -> list[CellLine]:
        lines = [CellLine(width).to(2).add("? ", ink.key).add("Type the dice  ", ink.strong)]
        for index, source in enumerate(wanted):
            following = "[_]" if index == len(self._typed) else "[ ]"
            typed = f"[{self._typed[index]}]" if index < len(self._typed) else following
            # Dice for one thing share its name.
            named = index > 0 and source == wanted[index - 1]
            *above, name = [""] if named else (wrap_text(source, width - 12) or [""])
            lines += [CellLine(width).to(4).add(part, ink.dim) for part in above]
            if above or cells_of(name) + len(typed) + 3 > lines[-1].cells_left:
                lines.append(CellLine(width).to(4))
            lines[-1].add(f"{name} " if name else "", ink.dim).add(typed, ink.strong).add("  ", ink.plain)
        hint = typing_hint(len(self._typed), len(wanted))
        whole = any(move.whole for move in self._snapshot.moves if move.verb == "dice")
        hint = f"A number each, with a space between. {hint}" if whole and len(wanted) > 1 else hint
        return [*lines, *(CellLine(width).to(4).add(part, ink.dim) for part in wrap_text(hint, width - 6)[:2])]

    def _offer_lines(self, ink: Palette, width: int, *, asked: bool) -> Page[Move]:
        if not self.choices:
            return Page(())
        lines, areas, alone = [CellLine(width).to(2)], list[HitArea[Move]](), False
        for index, (key, move) in enumerate(self.choices):
            refused = refusal_of(move.blocked)
            text = move.label + (f"  ✗ {refused}" if refused else "")
            # One that is wider than the window has lines of its own, so that what it brings can be read to its end.
            alone_before, alone = alone, cells_of(text) + 5 > width - 4
            parts = wrap_text(text, width - 9) if alone else [text]
            for number, part in enumerate(parts):
                size = min(cells_of(part) + 5, width - 4)
                full = number or alone or alone_before or lines[-1].used + size > width - 2
                if full and lines[-1].used > 2:
                    lines.append(CellLine(width).to(2))
                line, start = lines[-1], lines[-1].used
                mark = "▸" if index == self._selected else " "
                piece = CellLine(size).add(
                    "    " if number else f"{mark}{key or '·'}  ", ink.dim if refused else ink.key
                )
                piece.add(part, ink.dim if refused or not asked else ink.plain).to(size)
                line.join(piece.over(ink.under_cursor) if index == self._selected else piece).add(" ", ink.plain)
                areas.append(HitArea(start, len(lines) - 1, size, 1, move))
        return Page(lines, areas)


def _whose_dice(act: Sequence[LogEntry]) -> str:
    """That the dice were real ones, or some of them."""
    rolled = [fact for entry in act for fact in entry.facts if isinstance(fact, RollFact)]
    if not any(entry.faces for entry in act):
        return ""
    return " · real dice" if all(fact.typed for fact in rolled) else " · some real dice"


def typing_hint(typed: int, wanted: int) -> str:
    """What Enter does while real dice are typed."""
    if not typed:
        return f"Type what {'it shows' if wanted == 1 else 'they show'}. Enter: Waylog rolls {'it' if wanted == 1 else 'them'}"
    if typed < wanted:
        return f"Enter confirms {'this die' if typed == 1 else 'these dice'}; {wanted - typed} more to come"
    return "Enter confirms"


def _with_facts(act: Sequence[LogEntry], facts: tuple[Fact, ...]) -> Sequence[LogEntry]:
    """The act as if its last entry had these facts too."""
    return (*act[:-1], replace(act[-1], facts=(*act[-1].facts, *facts))) if act and facts else act


def _root(snapshot: Snapshot) -> int:
    """The entry that began the latest act."""
    return snapshot.act[0].root if snapshot.act else 0


def _fact(
    fact: RollFact | OutcomeFact | NoteFact, ink: Palette, width: int, indent: int, *, figures: bool
) -> list[CellLine]:
    match fact:
        case RollFact(what, thrown, _, secret) if figures:
            sign = f"{HIDDEN} " if secret else ""
            return [dice.inline(thrown, ink, CellLine(width).to(indent).add(f"{sign}{what}  ", ink.dim))]
        case OutcomeFact(_, label, mood, who):
            line = CellLine(width).to(indent).add(f"{SIGNS[mood]} {label}", ink.moods[mood])
            return [line.add(f"  {who}", ink.dim) if who else line]
        case NoteFact(text, clause, secret):
            sign = f"{HIDDEN} " if secret else ""
            parts = wrap_text(sign + (f"{text} ({clause})" if clause else text), width - indent - 2)
            return [CellLine(width).to(indent).add(part, ink.plain) for part in parts]
        case _:
            return []


def _change_lines(changes: Sequence[Change]) -> str:
    """`ship.focus  0 → 1 · …`; what becomes of cards, and of whole people and things, is told by their notes."""
    shown = (change for change in changes if change.path[0] != "decks")
    return " · ".join(
        describe_change(each)
        for each in shown
        if not isinstance(each.before, dict) and not isinstance(each.after, dict)
    )
