"""The scene cards of the evening, on top of the current view: to read from, to open one, and to tell its secrets (NM-50)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from waylog.rules.common.scene_cards import OPEN, SceneCard, current, untold
from waylog.rules.model.moves import Move, Refusal
from waylog.rules.model.state import CardProgress
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.draw.cell_lines import CellLine, foot, head, wrap_text
from waylog.ui.draw.clickable_line_view import Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN, SEEN, mention_words
from waylog.ui.views.list_view import ListView, margin_line
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import NamedTuple

_NARROW, _LOW = 60, 24
"""The width and the height of a window below which the cards take the whole of it."""
_NONE = "No scene cards yet. A scene card is a text file in the campaign's folder “prep”, such as prep/the-dock.toml. It has a title, a text to read aloud (pitch), the people who are there (who), commands to carry out when the scene opens (do), and secrets."


class _CardPart(NamedTuple):
    """A line of a card that can be chosen: its title, a secret, a table or a deck."""

    card: str
    path: str
    """What its move is about: `prep.dock`, `prep.dock.secrets.buoy`, `tables.knocks`."""


class _CardList(ListView[int], can_focus=False):
    """The cards, of which the one under the cursor is unfolded."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._now = current(snapshot.cards, snapshot.prep)
        self._unfolded = self._now or next((key for key in snapshot.cards if not self._progress(key).opened), "")
        self._unfolded = self._unfolded or next(iter(snapshot.cards), "")
        self._items = [*self._list_parts()]
        self.cursor = self._items.index(_CardPart(self._unfolded, f"prep.{self._unfolded}")) if self._items else 0

    def _progress(self, key: str) -> CardProgress:
        return self._snapshot.prep.get(key, CardProgress())

    def _list_parts(self) -> Iterator[_CardPart]:
        for key, card in self._snapshot.cards.items():
            yield _CardPart(key, f"prep.{key}")
            if key == self._unfolded:
                yield from (_CardPart(key, f"prep.{key}.secrets.{secret}") for secret in card.secrets)
                yield from (_CardPart(key, f"tables.{table}") for table in card.tables)
                yield from (_CardPart(key, f"decks.{deck}") for deck in card.decks)

    def count(self) -> int:
        return len(self._items)

    def move_to(self, index: int) -> None:
        """Put the cursor on an item, and unfold its card."""
        if not self._items:
            return
        item = self._items[max(0, min(index, self.count() - 1))]
        self._unfolded = item.card
        self._items = [*self._list_parts()]
        super().move_to(self._items.index(item))

    @property
    def choice(self) -> Move | Refusal | None:
        """What Enter does with the item under the cursor, or why there is nothing to do; None without a card."""
        if not self._items:
            return None
        path = self._items[self.cursor].path
        move = next((each for each in self._snapshot.moves if each.about == (path,) and each.verb in _VERBS), None)
        return move or Refusal(f"the campaign no longer has the {path.replace('s.', ' “', 1)}”")

    @property
    def file(self) -> str:
        """The file of the card under the cursor, in the campaign's folder; empty without one."""
        return f"prep/{self._unfolded}.toml" if self._items else ""

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        cards = self._snapshot.cards
        opened = sum(1 for key in cards if self._progress(key).opened)
        title = head("Scene cards", ink, width, f"{opened} of {len(cards)} opened" if cards else "")
        if cards:
            page = super().render_page(ink, width, max(1, height - 2)).below([title])
        else:
            page = Page([title, *(CellLine(width).to(2).add(part, ink.dim) for part in wrap_text(_NONE, width - 4))])
        chosen = self.choice
        word = _WORDS.get(chosen.verb, "") if isinstance(chosen, Move) else ""
        keys = ((("⏎", word),) if word else (), (("↑↓", "move"), ("e", "edit the file")) if cards else ())
        blank = [CellLine(width) for _ in range(height - 1 - len(page.lines))]
        return page._replace(lines=[*page.lines, *blank, foot((*keys[0], *keys[1], ("Esc", "close")), ink, width)])

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        item, here = self._items[index], index == self.cursor
        lit = item.path == f"prep.{item.card}" and item.path in self._snapshot.differs
        card, line = self._snapshot.cards[item.card], margin_line(width, ink, here=here, lit=lit)
        if item.path != f"prep.{item.card}":
            first, *rest = wrap_text(self._describe(item, card), width - 8) or [""]
            line.to(4).add(self._sign(item, card), ink.key).to(6).add(first, ink.plain)
            lines = [line, *(CellLine(width).to(6).add(part, ink.plain) for part in rest)]
            return [each.over(ink.under_cursor) for each in lines] if here else lines
        known, unfolded = self._progress(item.card), item.card == self._unfolded
        left = len(untold(card, known))
        notes = [*(["this scene"] if item.card == self._now else ["opened"] if known.opened else [])]
        notes += [f"{left} to tell"] if left else []
        line.add(card.title, ink.dim if known.opened and not unfolded else ink.strong)
        line.right(" · ".join(notes), ink.accent if item.card == self._now else ink.dim, margin=1)
        above = [CellLine(width)] if unfolded and index else []
        body = [*self._body(card, ink, width)] if unfolded else []
        return [*above, line.over(ink.under_cursor) if here else line, *body]

    def _body(self, card: SceneCard, ink: Palette, width: int) -> Iterator[CellLine]:
        """Yield what there is to read on a card, the text to read aloud first."""
        texts = [(each, ink.plain) for each in card.pitch.split("\n\n") if each.strip()]
        texts += [("", ink.plain)] if texts else []
        texts += [("Who: " + " · ".join(card.who), ink.plain)] if card.who else []
        texts += [("Begins with: " + " · ".join(card.do), ink.dim)] if card.do else []
        texts += [(f"If nobody comes: {card.otherwise}", ink.warn)] if card.otherwise else []
        texts += [(each, ink.dim) for each in card.notes.split("\n\n") if each.strip()]
        for text, style in texts:
            yield from (CellLine(width).to(4).add(part, style) for part in wrap_text(text, width - 6) or [""])
        if marks := mention_words(self._snapshot.find_mentions(card.pitch, card.otherwise, *card.who)):
            yield CellLine(width).to(4).add(marks, ink.bad)

    def _describe(self, item: _CardPart, card: SceneCard) -> str:
        part, _, key = item.path.partition(".")
        if part == "prep":
            text = card.secrets[key.rpartition(".")[2]].text
            return " ".join(filter(None, (text, mention_words(self._snapshot.find_mentions(text)))))
        things = self._snapshot.tables if part == "tables" else self._snapshot.decks
        return f"{part.removesuffix('s').capitalize()}: {things[key].name if key in things else f'{key} (missing)'}"

    def _sign(self, item: _CardPart, card: SceneCard) -> str:
        if not item.path.startswith("prep."):
            return "·"
        left = untold(card, self._progress(item.card))
        return HIDDEN if item.path.rpartition(".")[2] in left else SEEN


_WORDS = {OPEN: "open: players will see the title", "reveal": "tell players", "table": "roll", "draw": "draw"}
_VERBS = frozenset(_WORDS)


class SceneCardsScreen(Overlay["Move | Refusal | str | None"], inherit_bindings=False):
    """The screen closes with what to do, with the file to edit, or with None."""

    CSS_PATH = "scene_cards.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Down", id="cards.down", tooltip="Next line"),
        Binding("up,k,shift+tab", "step(-1)", "Up", id="cards.up", tooltip="Previous line"),
        Binding("pagedown,space", "step(8)", "Page down", id="cards.pagedown", tooltip="Down 8 lines"),
        Binding("pageup", "step(-8)", "Page up", id="cards.pageup", tooltip="Up 8 lines"),
        Binding("enter", "choose", "Open", id="cards.choose", tooltip="Open the scene, tell the secret, roll or draw"),
        Binding("e", "edit", "Edit", id="cards.edit", tooltip="Open the card's file in your editor"),
        Binding("escape,O,q,ctrl+c", "close", "Close", id="cards.close", tooltip="Back"),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        self._cards = _CardList(snapshot)
        super().__init__(self._cards)

    def fit(self) -> None:
        width, height = self.app.size
        self.set_class(width < _NARROW or height < _LOW, "-narrow")

    def action_step(self, by: int) -> None:
        """Move the cursor."""
        self._cards.action_step(by)

    def action_choose(self) -> None:
        """Close, and do what the line under the cursor offers."""
        self.leave(self._cards.choice)

    def action_edit(self) -> None:
        """Close, and edit the card's file."""
        self.leave(self._cards.file or None)

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there; one on the line under the cursor does what it offers; one beside the cards closes."""
        target = self._cards.target_at(event)
        if event.widget is not self._cards:
            self.leave(None)
        elif target == self._cards.cursor:
            self.action_choose()
        elif target is not None:
            self._cards.move_to(target)
