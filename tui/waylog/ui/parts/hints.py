"""The line at the bottom of the window with the keys that are most useful now, the most useful first.

`current_hints` and `fit_hints` are functions of values: a test needs no window for them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.model.act_lists_and_row_verbs import ActList, can_list
from waylog.rules.model.moves import OFFER_WORDS, Move
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.draw.cell_lines import CellLine, cells_of
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import DIFFERS, Palette
from waylog.ui.draw.window_layout_and_key_names import format_keys, key_name
from waylog.ui.line.choices import REMARKS, Choice, CompletionWord, NumberStep, OptionToggle, TextField
from waylog.ui.line.lists_and_lines_that_keys_open import (
    LIST_KEYS,
    can_call,
    pickable_dice,
    tell_rolled,
)
from waylog.ui.parts.letter_assignment import WAYLOG_ROLLS, words_to_type
from waylog.values import NamedTuple, dataclass
from waylog.values import dataclass as value
from waylog.words.sentences import moment_text

if TYPE_CHECKING:
    from waylog.ui.line.choice_list import ActPicker
    from waylog.ui.line.line_state_and_drawing import LineInput


ENTER = "⏎"
_MORE = {"a": "later ones too", "l": "only the last step"}
"""What a key confirms beside the usual, by the key."""
_YES = {"ctrl+c": "quit", "y": "copy it"}
"""What a key does that confirms more than a question, by the key."""
_ANSWERS = 5
"""The most answers to a question that have a hint; the tray lists all of them."""
_IN_ANY_CASE = 3
"""The answers to a question, and the other things that can be done meanwhile, that are the last to go where there is little room."""
_WIDE, _NAMED, _ROOMY = 112, 76, 50
"""The widths from which on the keys for the menu and for help stand farther apart, help is named, and the menu is named and two blanks
stand between hints.
"""


class Hint(NamedTuple):
    """A key, and what it does now in at most three words."""

    key: str
    words: str
    press: str = ""
    """The key that a click on the hint presses, in Textual's words; empty if there is none."""
    short: str = ""
    """The words where there is little room; empty if that is the first of them."""
    spare: bool = False
    """It is among the first to go where there is little room."""


MENU, HELP = Hint(":", "menu", "colon"), Hint("?", "help", "question_mark")
"""The hints at the end of every line."""
_CLOSE = Hint("Esc", "close", "escape")


class Search(NamedTuple):
    """A search of the view that is looked at."""

    typed: bool
    """It is still typed; otherwise it is kept."""
    found: str
    """`3 of 17`"""
    enter: str
    """The words for Enter while it is typed."""


@value(frozen=True, slots=True)
class HintState:
    """Everything that the hints depend on."""

    snapshot: Snapshot
    own: Sequence[BindingType] = ()
    """The bindings of the current view."""
    everywhere: Sequence[BindingType] = ()
    """The bindings that work in every view."""
    answers: Sequence[tuple[str, Move]] = ()
    """The follow-ups with their keys."""
    confirms: Collection[str] = ()
    """The keys that confirm the open question about an undo or about showing something."""
    line: LineInput | None = None
    """The command line, while it is open."""
    picker: ActPicker | None = None
    """The list of letters, while it is open."""
    words: Mapping[str, str] | None = None
    """The words for a binding with the row under the cursor, by the id of the binding, if its own don't fit; empty for no hint."""
    search: Search | None = None
    """The search that is typed or kept."""
    tab: str = ""
    """The name of the current view."""
    dice_typed: bool = False
    """Real dice have been typed, and not confirmed yet."""
    marked: bool = True
    """One of the answers is marked for Enter."""
    letters_are_text: bool = False
    """The open question takes a text, and each letter begins it."""


_ROW = ("row.more", "row.toggle", "row.menu", "copy")
_REST = (
    "sheet.open", "roll", "damage", "tick", "clock", "undo", "time", "exposed", "note", "sight", "session", "scene", "mend", "call", "table", "rule", *_ROW,
    "what_if", "edit", "search", "secret", "moment.earlier", "palette",
)  # fmt: skip
_FIRST: Mapping[str, Sequence[str]] = {
    "ship": ("sheet.open", *_ROW, "roll", "edit", "damage", "mend"),
    "crew": ("sheet.open", *_ROW, "roll", "damage", "mend", "exposed"),
    "log": ("log.unfold", "edit", "log.take_back", "log.all", "search", "moment.earlier", "log.filter", "note", "secret"),
    "clocks": (
        "clocks.open", "clocks.fill", "clocks.empty", "clock", "time", "clocks.show", "edit", "clocks.close",
    ),
    "tables": ("tables.open", "tables.left", "tables.card", "tables.new_table", "tables.new", "tables.shuffle", "tables.show", "tables.hide"),
}  # fmt: skip
"""The bindings with a hint that are special in a view, the most useful first. All that follows has one everywhere."""
_SHORT_WORDS = {"start session": "session", "end session": "session", "what if": "what if", "close clock": "close"}
"""The words of a hint that are enough where there is little room, by all its words."""
_TERMS = ("Exposed",)
"""Words for keys that are names in rules, and keep their capital."""
_JUST_UNDONE, _FULL, _BETWEEN_SESSIONS, _BROKEN = ("redo",), ("close",), ("session",), ("mend",)
_IN_PAST = ("moment.now", "moment.earlier", "moment.later", "moment.scene_before", "moment.scene_after")
"""The bindings with a hint that come first while an earlier moment is shown."""


def _ranks(state: HintState) -> Sequence[str]:
    """Return the bindings with a hint, the most useful first: those of the view, then those for the current situation, then the rest."""
    snapshot = state.snapshot
    past = _IN_PAST if snapshot.as_of is not None else ()
    undone = _JUST_UNDONE if snapshot.redo else ()
    rolled = ("sight",) if tell_rolled(snapshot) else ()
    now = (*rolled, *_FULL, *(() if snapshot.session else _BETWEEN_SESSIONS))
    now = (*now, *(_BROKEN if can_list(snapshot.moves, snapshot.act_keys, ActList.MEND) else ()))
    if not any(move.rolls and not (move.words or move.follows) for move in snapshot.moves):
        now = ("call", *now)  # The game's list of rolls has no group roll.
    first = (*_FIRST.get(state.tab, ()), *_REST[:2])
    ranks = dict.fromkeys((*past, *first[:2], *undone, *first[2:], *now, *_REST))
    if not can_call(snapshot):
        ranks.pop("call")
    if snapshot.tried is not None:
        ranks.pop("what_if")  # What leads back from a copy is said above.
    if any(key and not move.blocked for key, move in state.answers):
        # Enter is for the row under the cursor, and for none of the offers: it isn't named before them.
        ranks = {**{name: None for name in ranks if name != "sheet.open"}, "sheet.open": None}
    return tuple(ranks)


_AT_FIRST = ("roll", "clock", "note", "session", "edit", "table")
"""The bindings with a hint in a new campaign."""
_WHILE_ASKED = (
    "close", "undo", "tick", "note", "clock", "time", "rule", "sight", "damage", "mend", "secret", "scene", "session", "table", "exposed",
)  # fmt: skip
"""The bindings with a hint while something is asked, as far as they do something then."""
_ALWAYS_FREE = ("close", "undo", "rule")
"""Those of them that don't depend on the moves, or have no words when they do nothing."""
_LISTS: Mapping[str, ActList] = {**LIST_KEYS, "tick": ActList.TICK, "sight": ActList.SIGHT}
_BESIDE_TEXT = ("palette",)
"""The bindings with a hint while letters are a text: their keys are no letters."""
_ANY_LETTER = Hint("A–Z", "choose")
_LOOKING = ("sheet.open", "log.unfold", "search", "players", "quit")
"""The bindings with a hint in a read-only window."""


def current_hints(state: HintState) -> Sequence[Hint]:
    """Return the hints for a state, the most useful first, without those at the end of every line."""
    snapshot = state.snapshot
    if state.line is not None:
        goes_on = any(entry.faces for entry in snapshot.act)
        return line_hints(state.line, stakes=True, goes_on=goes_on, recalls=bool(snapshot.entries))
    if state.search and state.search.typed:
        steps = [Hint("↑↓", "choose"), Hint(ENTER, state.search.enter, "enter")]
        return [*steps, Hint("Esc", "back", "escape")]
    if state.picker is not None:
        taken, again = state.picker.at_enter, state.picker.again
        keys = f"{again} {ENTER}" if again and state.picker.marked else ENTER
        here = [Hint(keys, taken.name, "enter")] if taken else [Hint("↑↓", "choose")]
        minus = Hint("−", "fill segments" if state.picker.back else "empty segments", "minus")
        if state.picker.which is ActList.TICK:  # In the order in which they are pressed.
            return [Hint("1–9", "segments"), _ANY_LETTER, *here, minus, _CLOSE]
        return [_ANY_LETTER, *here, _CLOSE]
    if state.confirms:
        yes, *_ = state.confirms
        more = [Hint(key, words, key) for key, words in _MORE.items() if key in state.confirms]
        takes_enter = "enter" in state.confirms
        no = "n Esc" if takes_enter else "Esc"
        # The question names Enter, so the line does, too, beside the key that asked.
        keys = f"{_key_name(yes)} {ENTER}" if takes_enter and yes != "enter" else _key_name(yes)
        return [Hint(keys, _YES.get(yes, "yes"), yes), *more, Hint(no, "no", "escape")]
    mending = _mending_hints(state)
    if snapshot.missing_dice:
        rest = Hint(WAYLOG_ROLLS, "let Waylog roll", WAYLOG_ROLLS, "roll")
        dice_keys = Hint(ENTER, "confirm", "enter") if state.dice_typed else rest
        return [*mending, Hint("0–9", "type the dice"), dice_keys, *_binding_hints(state, _free_while_asked(snapshot))]
    if snapshot.read_only and not state.search:
        return _binding_hints(state, _LOOKING)
    # Offers of one kind share a letter, and one hint.
    able = [(key, move) for key, move in state.answers if key and not move.blocked]
    answers = [*dict.fromkeys(Hint(key, OFFER_WORDS.get(move.offer, move.verb), key) for key, move in able)]
    if state.letters_are_text:
        words = next(words_to_type(move) for _, move in state.answers if not move.blocked)
        texts = [Hint("A–Z", words), Hint(ENTER, "edit", "enter"), Hint("Esc", "use shortcuts", "escape")]
        return [*texts, *_binding_hints(state, _BESIDE_TEXT)]
    if snapshot.question is not None:
        enter = [Hint(ENTER, "confirm ▸", "enter")] if state.marked else []
        takes = [Hint("← →", "choose", spare=True), *enter] if len(answers) > 1 else []
        dice = [Hint("0–9", "dice")] if pickable_dice(snapshot, state.tab) else []
        used = {key for key, _ in state.answers}
        beside = [hint for hint in _binding_hints(state, _free_while_asked(snapshot)) if hint.key not in used]
        return [*mending, *_spare(_gather(answers[:_ANSWERS])), *dice, *takes, *_spare(beside)]
    if state.search:
        ranks = _LOOKING if snapshot.read_only else [*dict.fromkeys(("search", *_ranks(state)))]
        step = Hint("↑↓", f"match ({state.search.found})")
        return [*mending, step, Hint("Esc", "end search", "escape"), *_binding_hints(state, ranks)]
    if not snapshot.entries and snapshot.as_of is None:
        return [*mending, *_binding_hints(state, _AT_FIRST)]
    # The tray lists the offers with their letters. A letter that an offer has now means nothing else here.
    offered = {key for key, _ in able}
    return [*mending, *(hint for hint in _binding_hints(state, _ranks(state)) if hint.key not in offered)]


def _free_while_asked(snapshot: Snapshot) -> Sequence[str]:
    """Return the bindings for what can be done while a question stays open, the most useful first."""
    verbs = {move.verb for move in snapshot.moves if not (move.blocked or move.follows)}
    lists = {known.listed for verb in verbs if (known := snapshot.act_keys.get(verb))}
    free = {*_ALWAYS_FREE, *verbs, *(name for name, which in _LISTS.items() if which in lists)}
    return [name for name in _WHILE_ASKED if name in free]


def _mending_hints(state: HintState) -> Sequence[Hint]:
    """Return the hints for an act that could not be saved, or else for an edit that disagrees with what was played."""
    snapshot = state.snapshot
    if snapshot.held:
        return _binding_hints(state, ("held.write", "held.drop"))
    return _binding_hints(state, ("conflict.file", "conflict.played")) if snapshot.asked or snapshot.conflicts else ()


_ARROWS = "←↑↓→"
"""The keys that choose where choices stand beside each other as well."""
_COMPLETE_BY_ENTER, _COMPLETE_BY_TAB = Hint(ENTER, "complete", "enter"), Hint("Tab", "complete", "tab")
"""What Tab does, and Enter on a word that is marked."""
_REMARK_WORDS = {"note": "note", "secret": "secret note", "scene": "new scene"}
"""What Tab makes of a note, by the verb."""
_ENTER_WORDS = {
    "session begin": "start the session",
    "session end": "end the session",
    "clock": "start the clock",
    "timer": "start the timer",
    "situation": "set the situation",
    "ruling": "save the ruling",
    "dice": "roll",
    "table": "roll",
}
"""What Enter does where the verb alone doesn't say it, by the id of the move or by its verb."""


def _take(marked: Choice) -> Hint:
    """Return the hint for Enter on the row that is marked in a list. A word of a line is only written."""
    return _COMPLETE_BY_ENTER if isinstance(marked.does, CompletionWord) else Hint(ENTER, "confirm", "enter")


def _enter_words(move: Move) -> str:
    return _ENTER_WORDS.get(move.id) or _ENTER_WORDS.get(move.verb, move.verb)


def line_hints(
    line: LineInput, *, stakes: bool = False, goes_on: bool = False, recalls: bool = False
) -> Sequence[Hint]:
    """Return the hints while something is typed, and what may come next; with `stakes`, how to show what is at stake in a roll. If the open
    act `goes_on` with real dice, Enter asks for those of what follows in it. With `recalls`, ↑ in an empty line brings the last command.
    """
    from waylog.ui.line.dice_input import ALLOCATION_KEYS
    from waylog.ui.line.line_editor_and_recall import CLOSE

    if line.leaving:
        return [Hint(line.leaving, "discard", "escape" if line.leaving == CLOSE else "ctrl+q")]
    if line.asked.choices is not None:
        return [Hint("↑↓", "choose"), *([_take(line.marked_choice)] if line.marked_choice else []), _CLOSE]
    if line.remap and line.selected is None:
        return [*(Hint(key, does) for key, does in ALLOCATION_KEYS), Hint(ENTER, "use these", "enter"), _CLOSE]
    if line.asked.verb in REMARKS:
        other = [Hint("Tab", _REMARK_WORDS[line.turns_to], "tab")] if line.turns_to else []
        return [Hint(ENTER, "save", "enter"), *other, _CLOSE]
    ready = line.reading.plays and line.problem is None
    act = line.reading.act
    marked = line.marked_choice
    is_open = marked is not None and marked.held is not None and not line.taken
    ticks = is_open and marked is not None and marked.held is False
    text = marked is not None and isinstance(marked.does, TextField)
    usual = "tick" if ticks else "accept" if is_open else "write" if text else "next" if line.next_text else ""
    follows = act is not None and act.move.follows and not (act.move.apart or act.move.by_chance or act.move.called)
    asks_dice = goes_on and follows and act is not None and not act.faces and bool(line.reading.dice)
    # Where something is spent instead of dice, nothing is rolled.
    chances = line.reading.odds.spread.chances if line.reading.odds and not line.reading.dice else ()
    is_sure = act is not None and act.move.rolls and any(each.chance == 1 for each in chances)
    usual = usual or ("type the dice" if asks_dice else "confirm" if is_sure else "")
    does = usual or (_enter_words(act.move) if act else "")
    enter = [Hint(ENTER, does, "enter")] if is_open or text or (ready and act) else []
    if line.enter_goes_on and (line.taken or not (is_open or text)):
        enter = [Hint(ENTER, "next", "enter")]
    elif line.taken and line.problem:
        enter = []
    enter = enter or ([Hint(ENTER, "accept", "enter")] if line.reading.meant else [])
    enter = enter or ([Hint(ENTER, "do it", "enter")] if line.reading.runs else [])
    if marked and not (marked.refused or isinstance(marked.does, OptionToggle | NumberStep | TextField)):
        enter = [_take(marked)]  # Of a list: the row comes first, whatever is typed.
    if line.is_menu:
        return [
            *(
                [Hint("↑", "last command", "up"), Hint("←↓→", "choose")]
                if recalls and not marked
                else [Hint(_ARROWS, "choose")]
            ),
            *([Hint(ENTER, "do it", "enter")] if marked else []),
            Hint("A–Z", "command"),
            _CLOSE,
        ]
    groups = [choice.group for choice in line.choices if choice.group]
    in_rows = len({*groups}) < len(groups)
    choose = [Hint(_ARROWS if in_rows else "↑↓", "choose")] if line.choices else []
    if line.is_form:
        choose = [Hint("↑↓", "field"), Hint("← →", "choice")]
    shown = (
        [
            Hint("!", "hide the stakes from players", "exclamation_mark", "hide stakes")
            if line.at_stake
            else Hint("!", "show players the stakes", "exclamation_mark", "stakes")
        ]
        if stakes and line.roll
        else []
    )
    by_enter = ticks and bool(enter)
    # What is ticked already is followed by real dice, and Space stands before those.
    by_space = marked is not None and (marked.held is False or (line.has_fields and marked.held is not None))
    tick = [Hint("Space", "tick", "space")] if by_space and not by_enter else []
    leave = Hint("Esc", "back to typing", "escape") if line.unmarks else _CLOSE
    if enter == [_COMPLETE_BY_ENTER] and not line.has_fields:  # The two keys do the same.
        return [_COMPLETE_BY_ENTER._replace(key=f"{ENTER} Tab"), *choose, *tick, *shown, leave]
    last = [Hint("Tab", "next field", "tab") if line.has_fields else _COMPLETE_BY_TAB, leave]
    # In a form whose choices are in sight, nobody needs to complete a word.
    return [*enter, *choose, *tick, *shown, *(reversed(last) if line.is_form and not line.has_fields else last)]


def _gather(answers: Sequence[Hint]) -> Sequence[Hint]:
    """Return the answers with those of the same word as one hint. If all have the same word, it says nothing."""
    words = [*dict.fromkeys(hint.words for hint in answers)]
    if len(words) == 1 < len(answers):
        return [_ANY_LETTER]
    keys = {word: [hint.key for hint in answers if hint.words == word] for word in words}
    return [
        Hint(" ".join(keys[word]), word)
        if len(keys[word]) > 1
        else next(hint for hint in answers if hint.words == word)
        for word in words
    ]


def _spare(hints: Sequence[Hint]) -> Sequence[Hint]:
    """Return the hints with all but the first ones spare."""
    return [hint._replace(spare=at >= _IN_ANY_CASE) for at, hint in enumerate(hints)]


def _binding_hints(state: HintState, ids: Sequence[str]) -> Sequence[Hint]:
    """Return the hints for those of the bindings that exist here, in the order of their ids."""
    of_view = [one for one in state.own if isinstance(one, Binding)]
    taken = {one.key for one in of_view}
    others = [one for one in state.everywhere if isinstance(one, Binding) and one.key not in taken]
    bindings = {one.id: one for one in (*of_view, *others)}
    words = state.words or {}
    found = [
        (bindings[name], _in_line(words.get(name, bindings[name].description))) for name in ids if name in bindings
    ]
    return [
        Hint(
            one.key_display or _key_name(one.key.split(",")[0]),
            text,
            one.key.split(",")[0],
            _SHORT_WORDS.get(text, ""),
        )
        for one, text in found
        if text
    ]


def _in_line(words: str) -> str:
    """Return words for the line, where all begin with a small letter but the names that rules give to things."""
    return words if words.startswith(_TERMS) else words[:1].lower() + words[1:]


def _key_name(key: str) -> str:
    return "−" if key == "minus" else format_keys(key).replace("Enter", ENTER)


# -- room -----------------------------------------------------------------------------------------------------------------


def fit_hints(hints: Sequence[Hint], room: int, gap: int = 2) -> Sequence[Hint]:
    """Return the hints that fit into so many cells, with `gap` blanks between two.

    First those are shortened that have short words of their own; then all one by one from the last on: to their first word (“new clock” to
    what is new), then to nothing, because a key without a word says little. Spare hints go before the others, and the key that leaves is
    the last to go. Room that this leaves goes to the first hint that was shortened, so that the line is used up and its beginning never
    changes.
    """
    forms = [
        (hint, hint._replace(words=hint.short or hint.words.removeprefix("new ").partition(" ")[0]), None)
        for hint in hints
    ]
    sizes = [[_cells(form) + gap if form else 0 for form in each] for each in forms]
    levels = [0] * len(forms)
    used = sum(size[0] for size in sizes)

    def change(index: int, by: int) -> None:
        nonlocal used
        size, level = sizes[index], levels[index]
        levels[index] += by
        used += size[level + by] - size[level]

    for index in reversed(range(len(forms))):
        if hints[index].short and used - gap > room:
            change(index, 1)
    order = sorted(
        range(len(forms)), key=lambda index: (hints[index].press == _CLOSE.press, not hints[index].spare, -index)
    )
    for index in order:
        while levels[index] < 2 and used - gap > room:
            change(index, 1)
    for index in sorted(range(len(forms)), key=lambda index: hints[index].spare):
        while levels[index]:
            change(index, -1)
            if used - gap > room:
                change(index, 1)
                break
        if levels[index] == 2 and not hints[index].spare:
            break
    return [form for level, each in zip(levels, forms, strict=True) if (form := each[level])]


@lru_cache(512)
def _cells(hint: Hint) -> int:
    return cells_of(hint.key) + (1 + cells_of(hint.words) if hint.words else 0)


def render_hints(hints: Sequence[Hint], ink: Palette, width: int, *, typing: bool = False) -> Page[str]:
    """Draw the line: hints from the left, the keys for the menu and for help at the right end. While a person is `typing`, those
    two are letters like others, and aren't there.
    """
    ends = [hint if width >= least else hint._replace(words="") for hint, least in ((MENU, _ROOMY), (HELP, _NAMED))]
    gap, between = 2 if width >= _ROOMY else 1, 3 if width >= _WIDE else 1
    right = 0 if typing else sum(map(_cells, ends)) + between + 1
    line, areas = CellLine(width).to(1), list[HitArea[str]]()

    def put(hint: Hint) -> None:
        start = line.used
        line.add(hint.key, ink.key).add(f" {hint.words}" if hint.words else "", ink.dim)
        if hint.press:
            areas.append(HitArea(start, 0, line.used - start, 1, hint.press))

    # In a wide window, the keys at the right end stand further apart from the others than those do from each other.
    apart = gap + 1 if width >= _WIDE else 1
    for number, hint in enumerate(fit_hints(hints, width - right - 1 - apart, gap)):
        line.to(line.used + gap if number else 1)
        put(hint)
    line.to(width - right)
    for end in () if typing else ends:
        put(end)
        line.to(min(width, line.used + between))
    return Page([line], areas)


class HintLine(LineView[str]):
    """The widget with the hints. A click on one presses its key."""

    @dataclass
    class KeyClicked(Message):
        """A hint was clicked."""

        key: str

    def __init__(self) -> None:
        super().__init__(id="hints")
        self._hints: Sequence[Hint] | None = ()
        self._typing = False

    def show(self, hints: Sequence[Hint] | None, *, typing: bool = False) -> None:
        """Show other hints, or none at all while something stands over the window that has keys of its own."""
        if (hints, typing) != (self._hints, self._typing):
            self._hints, self._typing = hints, typing
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint under the mouse."""
        if key := self.target_at(event):
            self.post_message(self.KeyClicked(key))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:  # noqa: ARG002 - one line is all it has
        if self._hints is None:
            return Page([CellLine(width)])
        return render_hints(self._hints, ink, width, typing=self._typing)


def advise_in_copy(shown: Snapshot) -> str:
    """Return how one leaves a copy of the campaign: “What if”, or an earlier moment, in which acts may have been tried."""
    leave = key_name("what_if", "tilde")
    if shown.as_of is None:
        return f"{moment_text(shown)}. [{leave}] go back · [{key_name('what_if.real', 'ctrl+s')}] make it so"
    if shown.tried:
        return f"{moment_text(shown)}. [{leave}] back to now"
    leave = key_name("moment.now", "escape")
    # The line of hints has the keys that go to other moments.
    return f"{moment_text(shown)}. {DIFFERS} marks what has changed since. {leave} returns to the present"
