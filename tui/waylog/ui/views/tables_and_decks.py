"""The view of random tables and decks: a list of them, the contents of the selected one (`draw/table_and_deck_contents.py`), and what
can be done with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.codec.changes import NEW, quote
from waylog.rules.common.deck_moves import card_words
from waylog.rules.model.decks import Deck, DeckVisibility
from waylog.rules.model.moves import Act, Answers, Move, Refusal, reason_of
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import FILE
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN, SEEN
from waylog.ui.draw.table_and_deck_contents import ContentBlock, cards_by_place, of_deck, of_table
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.line.lists_and_lines_that_keys_open import came_up_empty, tell_rolled
from waylog.ui.views.list_view import ListView, margin_line, stack
from waylog.values import NamedTuple, dataclass
from waylog.words.sentences import names_of

_BESIDE = 64
"""The width from which on list and contents stand side by side."""
_NARROWEST, _WIDEST = 26, 40
_BESIDE_NAMES = 3
"""Cells of the list for the cursor, and between a name and its marks."""
_LISTED = 3
"""The height of the list above the contents in a narrow window."""
_KNOWN = {DeckVisibility.SECRET: HIDDEN, DeckVisibility.PARTLY: "◌", DeckVisibility.KNOWN: SEEN}


class _Selection(NamedTuple):
    """The table or deck that is selected."""

    kind: str
    """`tables` or `decks`."""
    key: str

    @property
    def about(self) -> str:
        """How moves refer to it."""
        return f"{self.kind}.{self.key}"


class _Target(NamedTuple):
    """A table or deck in the list, or an entry or card of the selected one, by its index."""

    at: int
    inside: bool = False


_Place = tuple[int, int | None]
"""A table or deck by its place in the list; then the place of an entry or card in it, or None for the table or deck itself."""


class TablesView(ListView[_Target]):
    """The list of tables and decks. The contents of the selected one stand beside it, with a cursor of their own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Next", id="tables.down", tooltip="Next table, deck, entry or card"),
        Binding(
            "up,k,shift+tab", "step(-1)", "Previous", id="tables.up", tooltip="Previous table, deck, entry or card"
        ),
        Binding("right,l", "into", "Open", id="tables.right", tooltip="Go to the entries or cards"),
        Binding("left,h,escape", "out", "Back", id="tables.left", tooltip="Back to the list"),
        Binding("pagedown", "step(8)", "Page down", id="tables.pagedown", tooltip="Down 8 rows"),
        Binding("pageup", "step(-8)", "Page up", id="tables.pageup", tooltip="Up 8 rows"),
        Binding("home,g", "step(-999)", "First", id="tables.home", tooltip="First"),
        Binding("end,G", "step(999)", "Last", id="tables.end", tooltip="Last"),
        Binding(
            "enter",
            "open",
            "Roll or draw",
            id="tables.open",
            tooltip="Roll, draw, pick the entry, or show the card's actions",
        ),
        Binding("I", "act('pick')", "Pick", id="tables.pick", tooltip="Pick an entry instead of rolling"),
        Binding("A", "screen.new_table", "New table", id="tables.new_table", tooltip="New table, to fill in"),
        Binding("D", "act('new')", "New deck", id="tables.new", tooltip="New deck"),
        Binding("plus", "act('card')", "Add a card", id="tables.card", tooltip="Add a card: good, neutral or bad"),
        Binding("b", "act('back')", "Return", id="tables.back", tooltip="Return a card to the deck"),
        Binding("a", "act('aside')", "Set aside", id="tables.aside", tooltip="Set a card aside"),
        Binding(
            "S", "act('shuffle')", "Shuffle", id="tables.shuffle", tooltip="Shuffle: all drawn cards return to the deck"
        ),
        Binding(
            "X",
            "act('copy')",
            "Duplicate",
            id="tables.copy",
            tooltip="Duplicate the deck, with all its cards in the pile",
        ),
        Binding(
            "v",
            "act('show')",
            "Show card",
            id="tables.show",
            tooltip="Show players the card, the whole deck or the result just rolled",
        ),
        Binding("V", "act('hide')", "Hide cards", id="tables.hide", tooltip="Hide the deck's cards from players"),
    ]

    @dataclass
    class TableActRequested(Message):
        """A move is wanted: at once if its answers are complete, otherwise in the command line."""

        move: Move
        answers: Answers

    @dataclass
    class DeckActionsRequested(Message):
        """The list of what can be done with a deck is wanted."""

        key: str
        label: str

    @dataclass
    class RequestRefused(Message):
        """Something was tried that can't be done now."""

        refusal: Refusal

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="tables")
        self._snapshot = snapshot
        self._held = _all_of(snapshot)
        self._inside: int | None = None
        """The index of the entry or card under the cursor; None while the cursor is in the list."""
        self._needed: dict[tuple[int, int | None, int, int], int] = {}
        """How many lines are needed, for each place of the cursor and size: the window asks several times for each act."""

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. The cursor goes to a new table or deck, or stays on the same one if that still exists."""
        before, here, key = self._held, self._here, self._key
        if here is None:
            self.scroll = 0
        self._snapshot, self._held = snapshot, _all_of(snapshot)
        self._needed.clear()
        self.cursor = max(0, min(self.cursor, len(self._held) - 1))
        if len(new := [each for each in self._held if each not in before]) == 1 and before:
            self.cursor, self._inside = self._held.index(new[0]), None
            key = ""
        elif here in self._held:
            self.cursor = self._held.index(here)
        else:
            self._inside = None
        if key in self._keys:
            self._inside = self._keys.index(key)
        elif self._inside is not None:
            self._inside = min(self._inside, len(self._keys) - 1) if self._keys else None
        self.repaint()

    # -- where the cursor is ------------------------------------------------------------------------------------

    @property
    def _here(self) -> _Selection | None:
        return self._held[self.cursor] if self._held else None

    @property
    def _keys(self) -> Sequence[str]:
        """The numbers of the selected table's entries, or the keys of the selected deck's cards, in the order of
        the screen.
        """
        match self._here:
            case _Selection("tables", key):
                return [str(number) for number, _ in self._snapshot.tables[key].numbered_entries]
            case _Selection(_, key):
                return [card for cards in cards_by_place(self._snapshot.decks[key]).values() for card in cards]
            case _:
                return ()

    @property
    def _key(self) -> str:
        """The number of the entry or the key of the card under the cursor; empty in the list."""
        return "" if self._inside is None else self._keys[self._inside]

    @property
    def _deck(self) -> Deck | None:
        here = self._here
        return self._snapshot.decks[here.key] if here and here.kind == "decks" else None

    @property
    def edited_path(self) -> tuple[str, ...]:
        match self._here:
            case _Selection("decks", key):
                return ("decks", key, "cards", self._key) if self._key else ("decks", key)
            case None:
                return ("decks", NEW)
            case _Selection(_, key):
                return self._snapshot.tables[key].paths[self._inside] if self._inside is not None else ()

    def count(self) -> int:
        return len(self._held)

    def action_step(self, by: int) -> None:
        """Move the cursor in the list or in the contents. An item that is taller than the window is scrolled first."""
        if not self._held:
            self.scroll += by
            self.repaint()
        elif self._inside is None:
            self.select(_Target(max(0, min(len(self._held) - 1, self.cursor + by))))
        elif not (abs(by) == 1 and self.read_on(by)):
            self.select(_Target(max(0, min(len(self._keys) - 1, self._inside + by)), inside=True))

    def select(self, target: _Target) -> None:
        """Put the cursor on a table or deck, or on an entry or card of the selected one."""
        if target.inside:
            self._inside, self.within = target.at, 0
            self.repaint()
            return
        if target.at != self.cursor:
            self.scroll = 0
        self._inside = None
        self.move_to(target.at)

    def go_to(self, key: str) -> None:
        """Put the cursor on a table."""
        selection = _Selection("tables", key)
        if selection in self._held:
            self.select(_Target(self._held.index(selection)))

    def searchable(self) -> Sequence[tuple[_Place, str]]:
        """Return each table and deck, followed by its entries or cards."""
        found = list[tuple[_Place, str]]()
        for at, (kind, key) in enumerate(self._held):
            if kind == "tables":
                table = self._snapshot.tables[key]
                found.append(((at, None), f"{table.name} {table.notes}"))
                texts = [f"{entry.text} {entry.effect}" for _, entry in table.numbered_entries]
            else:
                deck = self._snapshot.decks[key]
                found.append(((at, None), deck.name))
                cards = [deck.cards[card] for cards in cards_by_place(deck).values() for card in cards]
                texts = [f"{card.text} {card.luck} {card.effect} {card.condition}" for card in cards]
            found += [((at, inside), text) for inside, text in enumerate(texts)]
        return found

    @property
    def place(self) -> _Place:
        return self.cursor, self._inside

    def go_to_place(self, place: _Place) -> None:
        if place[0] != self.cursor:
            self.scroll = 0
        (self.cursor, self._inside), self.within = place, 0
        self.repaint()

    def action_into(self) -> None:
        """Go from the list into the contents."""
        if self._keys and self._inside is None:
            self._inside = self.within = 0
            self.repaint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - as Textual calls it
        """In the list there is nothing to go back from: Esc means there what it means elsewhere."""
        return action != "out" or self._inside is not None

    def action_out(self) -> None:
        """Go back to the list."""
        self._inside, self.scroll = None, 0
        self.repaint()

    @property
    def hint_words(self) -> Mapping[str, str]:
        here = self._here
        opens = "Pick" if self._key else "Roll table" if here and here.kind == "tables" else "Draw"
        words = {"tables.open": opens if here else "", "tables.left": "Back" if self._key else ""}
        # One more of what is selected; once there are both, a hint for the other kind has no room.
        if here and self._snapshot.tables and self._snapshot.decks:
            words["tables.new" if here.kind == "tables" else "tables.new_table"] = ""
        for verb in ("card", "shuffle", "show", "hide"):
            move = None if self._not_for(verb, here) else self._move(verb, here)
            words |= {} if move and not move.blocked else {f"tables.{verb}": ""}
        if self._act_to_tell:
            words["tables.show"] = "Show result"
        elif not self._key:
            words.setdefault("tables.show", "Show the whole deck to players")
        return words

    @property
    def edited_file(self) -> str:
        here = self._here
        return f"tables/{here.key}.toml" if here and here.kind == "tables" else FILE

    def topics(self) -> Sequence[str]:
        here = self._here
        return (here.about,) if here else ("tables", "decks")

    # -- what is done -------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Roll, draw, pick the entry under the cursor, or list what can be done with the card's deck."""
        here = self._here
        if here is None:
            self.call_next(self.run_action, "screen.new_table")
        elif here.kind == "tables":
            self.action_act("pick" if self._key else "table")
        elif self._key:
            card = self._snapshot.decks[here.key].cards[self._key]
            self.post_message(self.DeckActionsRequested(here.about, card.text or self._key))
        else:
            self.action_act("draw")

    def action_act(self, verb: str) -> None:
        """Ask for a move with the answers that the cursor gives, or say why there is none."""
        here, deck = self._here, self._deck
        if verb == "show" and (tell := self._act_to_tell):
            self.post_message(self.TableActRequested(tell.move, tell.answers))
            return
        refusal = self._not_for(verb, here)
        if refusal is None:
            move = self._move("deck" if verb in ("new", "copy") else verb, None if verb == "new" else here)
            if move and not move.blocked:
                self.post_message(self.TableActRequested(move, self._answers(verb, deck)))
                return
            refusal = self._why(move, here)
        self.post_message(self.RequestRefused(refusal))

    @property
    def _act_to_tell(self) -> Act | None:
        """What shows players the result on the selected table, if it has just come up and they don't see it."""
        here = self._here
        return tell_rolled(self._snapshot, here.key) if here and here.kind == "tables" else None

    def _move(self, verb: str, here: _Selection | None) -> Move | None:
        about = (here.about,) if here else ()
        return next((move for move in self._snapshot.moves if move.verb == verb and move.about == about), None)

    def _not_for(self, verb: str, here: _Selection | None) -> Refusal | None:
        """Return why this can't be done with the item under the cursor, whatever else can be done now."""
        if verb == "new":
            return None
        if here is None:
            return Refusal(
                f"no tables or decks yet. {key_name('tables.new_table', 'A')} makes a table, and {key_name('tables.new', 'D')} makes a deck"
            )
        if here.kind == "tables" and verb in ("show", "hide"):
            name, show, edit = self._snapshot.tables[here.key].name, key_name("tables.show", "v"), key_name("edit", "e")
            if verb == "show" and came_up_empty(self._snapshot, here.key):
                reason = f"the entry that came up on “{name}” has no text to show. {edit} opens the table's file"
                return Refusal(reason, "NM-04")
            once = f". Press {show} right after a roll to show them the result" if verb == "show" else ""
            is_seen = "true" if verb == "show" else "false"
            all_of_them = f"To {verb} every result, press {edit} and write “seen = {is_seen}” in its file"
            see = "don't see" if verb == "show" else "see"
            return Refusal(f"players {see} the results of “{name}”{once}. {all_of_them}", "NM-04")
        if (verb in ("table", "pick")) is (here.kind == "decks"):
            return Refusal(f"this works only on {'tables' if here.kind == 'decks' else 'decks'}")
        return None

    def _why(self, move: Move | None, here: _Selection | None) -> Refusal:
        if move is None or move.blocked is None:
            return Refusal(self._snapshot.question or "not now")
        is_faulty = here is not None and here.kind == "tables" and here.key in self._snapshot.faulty_tables
        problems = self._problems(here) if here and is_faulty else ()
        return Refusal(problems[0]) if problems else move.blocked

    def _answers(self, verb: str, deck: Deck | None) -> Answers:
        """Return the answers that the cursor gives: the entry to pick, or the card."""
        if not self._key:
            return {"card": "all"} if verb == "show" else {}
        if verb == "pick":
            return {"number": int(self._key)}
        words = {key: word for word, key in card_words(deck).items()} if deck else {}
        return {"card": words[self._key]} if verb in ("back", "aside", "show") else {}

    def _problems(self, here: _Selection) -> Sequence[str]:
        """Return the problems of a table's file."""
        file = f"tables/{here.key}.toml"
        return tuple(
            reason_of(Refusal(found.message, found.clause)) for found in self._snapshot.problems if found.file == file
        )

    # -- rendering ----------------------------------------------------------------------------------------------

    def least_lines(self, ink: Palette, width: int, height: int) -> int:
        if not self._held:
            return len([*_empty(_nothing_yet(), ink, width)])
        place = self.cursor, self._inside, width, height
        if place in self._needed:
            return self._needed[place]
        left, names, contents = self._render_parts(ink, width, height)
        beside, below = max(len(names.lines), len(contents.lines)), len(names.lines) + 1 + len(contents.lines)
        return self._keep_count(place, beside if left else below)

    def used_lines(self, ink: Palette, width: int, height: int) -> int:
        return self.least_lines(ink, width, height)

    def _keep_count(self, place: tuple[int, int | None, int, int], lines: int) -> int:
        self._needed[place] = lines
        return lines

    def render_page(self, ink: Palette, width: int, height: int) -> Page[_Target]:
        if not self._held:
            return self.in_window(Page([*_empty(_nothing_yet(), ink, width)]), None, height, ink)
        left, names, contents = self._render_parts(ink, width, height)
        if not left:
            rest = contents.below([*names.lines, CellLine(width).fill("─", ink.rule)])
            return Page(rest.lines[:height], [*names.areas, *rest.areas], rest.scroll, rest.block)
        lines = []
        for y in range(height):
            line = CellLine(width)
            if y < len(names.lines):
                line.join(names.lines[y])
            line.to(left).add(" │ ", ink.rule)
            lines.append(line.join(contents.lines[y]) if y < len(contents.lines) else line)
        beside = [area._replace(x=left + 1, width=width - left - 1) for area in contents.areas]
        return Page(lines, [*names.areas, *beside], contents.scroll, contents.block)

    def _render_parts(self, ink: Palette, width: int, height: int) -> tuple[int, Page[_Target], Page[_Target]]:
        """Return the list and the contents, with the width of the list if they stand side by side; 0 if the contents stand below it."""
        if width < _BESIDE:
            most = _LISTED if self._inside is None else 1
            names = self._render_names(ink, width, max(1, min(most, height // 3, len(self._held))), headed=False)
            return 0, names, self._render_contents(ink, width, max(0, height - len(names.lines) - 1))
        left = _list_width(width, max(cells_of(self._title_of(one) + self._marks_of(one)) for one in self._held))
        names = self._render_names(ink, left, height, headed=True)
        return left, names, self._render_contents(ink, width - left - 3, height)

    def _render_names(self, ink: Palette, width: int, height: int, *, headed: bool) -> Page[_Target]:
        """Draw the list, or the part of it around the cursor."""
        blocks: list[tuple[_Target | None, Sequence[CellLine]]] = []
        for kind, none in (
            ("tables", f"{key_name('tables.new_table', 'A')} makes one"),
            ("decks", f"{key_name('tables.new', 'D')} makes one"),
        ):
            rows_of_kind = [(index, keys) for index, keys in enumerate(self._held) if keys.kind == kind]
            if headed:
                blocks += [(None, [CellLine(width)])] if blocks else []
                blocks.append((None, [CellLine(width).to(2).add(kind.title(), ink.accent)]))
                blocks += [] if rows_of_kind else [(None, [CellLine(width).to(2).add(f"none yet: {none}", ink.dim)])]
            blocks += [
                (_Target(index), [self._list_line(index, keys, ink, width, margin=int(not headed))])
                for index, keys in rows_of_kind
            ]
        whole = stack(blocks, width)
        at = next(area.y for area in whole.areas if area.target.at == self.cursor)
        return whole.part(max(0, min(at - height // 2, len(whole.lines) - height)), height)

    def _list_line(self, index: int, selection: _Selection, ink: Palette, width: int, *, margin: int) -> CellLine:
        here = index == self.cursor
        marks_text = self._marks_of(selection)
        lit = f"{selection.kind}.{selection.key}" in self._snapshot.differs
        line = margin_line(width, ink, here=here, lit=lit)
        if self._inside is not None:
            line = line.without_bar(ink.under_cursor, ink.dim)  # The cursor is in the contents.
        line.add(
            self._title_of(selection),
            ink.differs if lit else ink.strong,
            most=max(6, width - len(marks_text) - margin - 3),
        ).right(marks_text, ink.dim, margin)
        return line.over(ink.under_cursor) if here and self._inside is None else line

    def _marks_of(self, selection: _Selection) -> str:
        """Return what stands beside a name: the die or how many cards are in the pile, and who sees it."""
        if selection.kind == "tables":
            table, faulty = self._snapshot.tables[selection.key], selection.key in self._snapshot.faulty_tables
            return f"{'✗ ' if faulty else ''}{table.dice} {SEEN if table.seen else HIDDEN}"
        deck = self._snapshot.decks[selection.key]
        return f"{len(deck.pile)}/{len(deck.cards)} {_KNOWN[deck.known]}"

    def _title_of(self, selection: _Selection) -> str:
        kinds = self._snapshot.tables if selection.kind == "tables" else self._snapshot.decks
        return kinds[selection.key].name or "(no name)"

    def _pieces(self, ink: Palette, width: int) -> Iterator[ContentBlock]:
        here, snapshot = self._held[self.cursor], self._snapshot
        things = ((path.split("."), name) for path, name in names_of(snapshot).items())
        names = {path[1]: name for path, name in things if len(path) == 2 and path[0] in ("clocks", "crew")}

        def name_effect(effect: str) -> str:
            return " ".join(quote(names[word]) if word in names else word for word in effect.split())

        shared = (snapshot.find_mentions, snapshot.players, ink, width, self._key, name_effect)
        if here.kind == "tables":
            return of_table(snapshot.tables[here.key], snapshot.tables, self._problems(here), *shared)
        return of_deck(snapshot.decks[here.key], *shared)

    def _render_contents(self, ink: Palette, width: int, height: int) -> Page[_Target]:
        """Draw as much of the selected contents as there is room for, with the entry or card under the cursor in sight."""
        blocks: list[tuple[_Target | None, Sequence[CellLine]]] = []
        length = count = end = 0
        chosen = self._held[self.cursor]
        for piece in self._pieces(ink, width - 2):
            # Only what can be in sight is drawn: a table may have a hundred long entries.
            if length > max(self.scroll, end) + height and count > (self._inside or 0):
                break
            target = _Target(count, inside=True) if piece.key else None
            count += bool(piece.key)
            length += len(piece.lines)
            if here := target is not None and target.at == self._inside:
                end = length
            lines = [line.over(ink.under_cursor) if here else line for line in piece.lines]
            if piece.key:
                lit = f"{chosen.kind}.{chosen.key}.cards.{piece.key}" in self._snapshot.differs
                firsts = (margin_line(width, ink, here=here, lit=lit), *(CellLine(width).to(2) for _ in lines[1:]))
                lines = [first.join(line) for first, line in zip(firsts, lines, strict=True)]
            blocks.append((target, [CellLine(width).join(line) for line in lines]))
        at = None if self._inside is None else _Target(self._inside, inside=True)
        return self.in_window(stack(blocks, width), at, height, ink)


def _list_width(width: int, longest: int) -> int:
    """Return the width of the list: as much as its names need, up to two fifths of the window. The contents have the rest."""
    return max(_NARROWEST, min(_WIDEST, width * 2 // 5, longest + _BESIDE_NAMES))


def _all_of(snapshot: Snapshot) -> tuple[_Selection, ...]:
    tables = (_Selection("tables", key) for key in snapshot.tables)
    return (*tables, *(_Selection("decks", key) for key in snapshot.decks))


def _nothing_yet() -> Sequence[str]:
    new_table, new = key_name("tables.new_table", "A"), key_name("tables.new", "D")
    return (
        f"No tables yet. {new_table} makes one, such as Rumours d20, and opens its file in your editor, where you write its entries.",
        "",
        f"No decks yet. {new} makes one, and {key_name('tables.card', 'plus')} adds cards to it.",
    )


def _empty(texts: Sequence[str], ink: Palette, width: int) -> Iterator[CellLine]:
    for text in texts:
        for part in wrap_text(text, width - 4) or [""]:
            yield CellLine(width).to(2).add(part, ink.dim)
