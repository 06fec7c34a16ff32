"""The lists that the window offers to choose from, and the names of acts and states in them.

The keys of a row, and the lists that `d`, `x`, `t`, `v` and `M` open: from a snapshot to an act, without a window.

The rules say which verb a key is for (`rules/model/answers.py`). Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from waylog.rules.codec.changes import NEW
from waylog.rules.model.answers import ActList, RowKey, format_act, has_list, move_at_row, subject_of, subjects
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Answer,
    Answers,
    Move,
    Number,
    PickMany,
    PickOne,
    Refusal,
    Text,
    reason_of,
)
from waylog.rules.model.panels import ClockRow, MarkRow, PipsRow, Row, TextRow, Tone
from waylog.snapshot import Snapshot, UndoPlan
from waylog.store.log.entries import LogEntry
from waylog.ui.draw.dice import HIDDEN, SEEN
from waylog.ui.draw.layout import key_name
from waylog.ui.line.choices import REMARKS, AppCommand, Choice, PromptRequest
from waylog.values import replace
from waylog.words.sentences import describe_act, names_of, quote, sight_of

if TYPE_CHECKING:
    from waylog.rules.codec.fields import FormPlace
    from waylog.rules.model.reference import Reference
    from waylog.ui.line.choice_list import ActPicker


TITLES: Mapping[str, str] = {
    "roll": "Roll",
    "": "Do",
    **REMARKS,
    "clock": "New clock",
    "table": "Roll on a table",
    "dice": "Roll dice",
}
NO_CONFLICT = "there is no edit conflict"
NOT_HELD = "every action is saved"
NO_TABLE = "no tables yet: put a .toml file in tables/ and it appears here"
LOOKING_ON = Refusal("read-only: open the campaign without --read-only to play")


def refuse_moves(snapshot: Snapshot) -> Snapshot:
    """Return the same snapshot with every move refused, for a window that only shows."""
    return replace(snapshot, moves=tuple(replace(move, blocked=LOOKING_ON) for move in snapshot.moves))


def choice(move: Move) -> Choice:
    """Return a move as an item of a list. If it can't be made now, the item says why."""
    clause = move.blocked.clause if move.blocked else None
    return Choice(move, move.label, move.id, refused=reason_of(move.blocked), clause=clause)


def rule_choices(reference: Reference, ids: Iterable[str], lead: str = "") -> tuple[Choice, ...]:
    """Return rules as items of a list, each with its title behind `lead`. Their codes can be typed as well."""
    return tuple(
        Choice(AppCommand(f"rule('{id_}')"), f"{lead}{reference.clauses[id_].title}", note=id_, clause=id_, also=(id_,))
        for id_ in ids
    )


def rule_search(reference: Reference, text: str) -> tuple[Choice, ...] | None:
    """Return the list for the line `rule focus`; None if the line doesn't search the rules."""
    word, _, rest = text.strip().partition(" ")
    if word.lower() != "rule":
        return None
    return rule_choices(reference, reference.search(rest) if rest.strip() else reference.clauses)


def list_everything(snapshot: Snapshot) -> PromptRequest:
    """Return the line that lists everything that can be done, urgent things first. Rules are found by searching for them."""
    from waylog.ui.parts.app_commands import app_commands, commands_for_unsaved

    moves = sorted(snapshot.moves, key=lambda move: move.blocked is not None)
    mending = (*(commands_for_unsaved() if snapshot.held else ()), *_about_the_file(snapshot))
    rules = rule_choices(snapshot.reference, snapshot.reference.clauses, "Rule: ")
    commands = (*app_commands(), *map(_form_choice, snapshot.forms()))
    return PromptRequest(
        "Everything",
        choices=(*mending, *map(choice, moves), *commands),
        found_by_search=(*rules, *_kit_choices(snapshot)),
    )


def _kit_choices(snapshot: Snapshot) -> Iterable[Choice]:
    for item, label, who in snapshot.kit():
        also = ("starter kit", item.key, item.kind.value)
        yield Choice(AppCommand(f"app.kit({item.key!r}, {who!r})"), label, "kit", item.kind.label, also=also)


def _form_choice(place: FormPlace) -> Choice:
    # Whoever types the name of a list most likely wants to add to it.
    listed = place.path[:1] if place.path[-1:] == (NEW,) else ()
    return Choice(AppCommand(f"app.edit({place.path!r})"), place.label, also=("form", "edit", "new", *listed))


def _about_the_file(snapshot: Snapshot) -> Sequence[Choice]:
    """Return what can be done about the campaign file, if something is asked or two values conflict."""
    from waylog.ui.parts.app_commands import commands_for_conflict

    if asked := snapshot.asked:
        return [
            replace(known, label=label[:1].upper() + label[1:])
            for known, label in zip(commands_for_conflict(), (asked.keep, asked.update), strict=True)
        ]
    return commands_for_conflict() if snapshot.conflicts else ()


def line_for_ruling(moves: Sequence[Move], reference: Reference, id_: str) -> PromptRequest | Refusal:
    """Return the line for writing a ruling, with the current one in it; or why none can be written."""
    for move in moves:
        if move.id != "ruling":
            continue
        if move.blocked:
            return move.blocked
        text = reference.rulings.get(id_, "")
        words = format_act(move, {"rule": id_.lower(), "text": text}) if text else f"{move.id} {id_.lower()} "
        return PromptRequest(f"Ruling: {reference.clauses[id_].title}", "", words)
    return Refusal("no ruling can be written now")


def initial_line(move: Move) -> PromptRequest:
    """Return the line that a move begins with: its words, and the answers that it suggests."""
    suggested = (word for ask in move.asks if isinstance(ask, PickMany) for word in ask.suggested)
    return PromptRequest(move.label, "", f"{move.id} ", suggested=" ".join(suggested))


def only_text(snapshot: Snapshot) -> Move | None:
    """Return the only answer that a question takes, if it is a text."""
    if snapshot.question is None or snapshot.read_only:
        return None
    able = [move for move in snapshot.moves if move.follows and not move.blocked and move.verb not in ("dice", "rest")]
    if len(able) != 1 or not any(isinstance(ask, Text) and ask.required for ask in able[0].asks):
        return None
    return able[0]


def in_the_line(move: Move, answers: Answers) -> bool:
    """Whether a move continues in the line: it asks for more, or it rolls dice, which may be real ones."""
    return move.rolls or move.verb in ("table", "draw") or any(ask.name not in answers for ask in move.asks)


def session_line(snapshot: Snapshot) -> PromptRequest:
    """Return the line that starts a session, with the people of last time in it, or that ends the current one (NM-40).
    Raises `ActRefused`.
    """
    wanted = "session end" if snapshot.session else "session begin"
    for move in snapshot.moves:
        if move.id == wanted:
            if move.blocked:
                raise ActRefused(move.blocked.reason, move.blocked.clause)
            # They stand in the line itself: a title is typed behind them, and doesn't take their place.
            people = [word for ask in move.asks if isinstance(ask, PickMany) for word in ask.suggested]
            return PromptRequest(move.label, "", f"{' '.join((move.id, *people))} ")
    raise ActRefused(snapshot.question or "not now")


def concerns(name: str, key: str) -> bool:
    """Whether a move is about that row, a part of it, or what it is a part of."""
    return name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.")


def marks(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the states of the ship that no view may hide."""
    return tuple(
        tag.text for panel in snapshot.panels for tag in panel.tags if tag.tone is Tone.BAD and panel.place == "ship"
    )


def badge(snapshot: Snapshot, looking: str) -> tuple[str, ...]:
    """Return how much of a view the players see, in a longer form and a shorter one."""
    sight = sight_of(snapshot)
    clocks = [sight.clock(clock) is not None for clock in snapshot.clocks.values() if not clock.closed]
    decks = [sight.deck(deck) is not None for deck in snapshot.decks.values()]
    things = {"clocks": clocks, "tables": decks}.get(looking, [])
    if not things:
        return ()
    seen, kind = sum(things), "clock" if looking == "clocks" else "deck"
    kind += "" if len(things) == 1 else "s"
    count = f"{seen} of {len(things)}"
    return f"{SEEN} players see {count} {kind}", f"{SEEN} players see {count}", f"{SEEN} {seen}/{len(things)}"


def question_about(resting: UndoPlan) -> str:
    """Return the question before an act of any age is undone, with what later rests on it."""
    question = f"Undo {describe_act(resting.act)}? {key_name('log.take_back', 'X')} or Enter confirms, Esc cancels"
    if not resting.later:
        return question
    later = ", ".join(quote(entry.heading) for entry in resting.later[:3])
    return f"{question}. Later actions changed the same values: {later}. They stay; a undoes them too"


CLOCK_VERBS = ("tick", "time", "close", "reopen", "show", "hide")
SIGHT = ("all", "count", "outcome")
"""The parts of a clock that players may see (NM-20)."""


def rewind_question(scene: tuple[LogEntry, ...]) -> str:
    """Return the question before a scene is rewound: how many acts would go, and which is the first; empty if none would."""
    acts = [entry for entry in scene if entry.root == entry.number]
    if not scene:
        return ""
    what = describe_act(scene) if len(acts) < 2 else f"{len(acts)} actions, from {quote(acts[0].heading)} on"
    return f"Rewind the scene? This undoes {what}. {key_name('rewind', 'R')} or Enter confirms, Esc cancels"


def with_clock(moves: Sequence[Move], key: str, verb: str, by: int) -> Act:
    """Return the act that does something with the clock `key`. Raises `ActRefused` if it can't be done now.

    `verb` is one of these:

    - `tick` fills `by` segments, or empties them if `by` is negative;
    - `close` closes the clock, or reopens a closed one;
    - `all`, `count` or `outcome` shows that part of the clock to players, or hides it if they see it;
    - `time` lets time pass for every clock that time moves, and `key` is empty.
    """
    about = () if verb == "time" else (f"clocks.{key}",)
    clock_moves_by_verb = {move.verb: move for move in moves if move.about == about and move.verb in CLOCK_VERBS}
    if not clock_moves_by_verb:
        raise ActRefused(
            "not while a roll waits for an answer" if key else f"no clocks yet; {key_name('clock', 'c')} makes one"
        )
    if "reopen" in clock_moves_by_verb and verb != "close":
        raise ActRefused(f"this clock is closed; {key_name('clocks.close', 'C')} reopens it", "NM-26")
    if verb in SIGHT:
        show = clock_moves_by_verb["show"]
        options = next(ask.options for ask in show.asks if isinstance(ask, PickOne))
        seen = bool(show.blocked) or any(option.word == verb and option.blocked for option in options)
        move = clock_moves_by_verb["hide" if seen else "show"]
        answers: dict[str, Answer] = {"what": verb}
    else:
        move = clock_moves_by_verb.get(verb) or clock_moves_by_verb["reopen"]
        answers = {"by": by} if verb == "tick" else {}
    if move.blocked:
        raise ActRefused(move.blocked.reason, move.blocked.clause)
    return Act(move, answers)


LIST_TITLES: Mapping[ActList, str] = {
    ActList.DAMAGE: "Damage: who or what?",
    ActList.EXPOSED: "Exposed, or no longer: who?",
    ActList.TICK: "Tick which clock?",
    ActList.SIGHT: "Show to players, or hide: which?",
    ActList.MEND: "Mend: who or what?",
}
_NOTHING: Mapping[ActList, str] = {
    ActList.DAMAGE: "nothing takes damage in {game}",
    ActList.EXPOSED: "nobody can be Exposed in {game}",
    ActList.TICK: "no clocks yet: {clock} starts one",
    ActList.SIGHT: "there is nothing to show or to hide",
    ActList.MEND: "there is nothing to mend now",
}
LIST_KEYS: Mapping[str, ActList] = {"damage": ActList.DAMAGE, "exposed": ActList.EXPOSED, "mend": ActList.MEND}
"""Bindings, by their ids, that open a list which only some games have."""
_ROW_WORDS = {"row.more": "change", "row.toggle": "toggle", "row.menu": "menu    ", "copy": "copy    "}
"""The hints for a row beside that for Enter. Each row has one of them, of about the same width."""
_SET = "set"
"""The verb of the act that sets a value of the sheet."""


def open_picker(snapshot: Snapshot, which: ActList, row: str) -> ActPicker:
    """Return the list of a key, with the row under the cursor. Raises `ActRefused` if there is nothing to choose."""
    from waylog.ui.line.choice_list import ActPicker

    names = names_of(snapshot)
    for key, clock in snapshot.clocks.items():
        # What decides which one is meant: a hidden clock is shown, a full one is hardly ever ticked.
        states = ("full" if clock.full else "", HIDDEN if not clock.seen else "")
        names = {**names, f"clocks.{key}": " ".join((clock.name, *filter(None, states)))}
    found = subjects(snapshot.moves, snapshot.act_keys, which, names)
    if not found:
        question = snapshot.question
        raise ActRefused(
            f"answer this first: {question}"
            if question
            else _NOTHING[which].format(game=snapshot.system_name, clock=key_name("clock", "c"))
        )
    if all(each.moves[0].blocked for each in found) and (blocked := found[0].moves[0].blocked):
        raise ActRefused(blocked.reason, blocked.clause)
    here = next((each for each in found if each.key in (row, subject_of(row))), None) if row else None
    return ActPicker(LIST_TITLES[which], which, tuple(found), here)


def obvious_move(snapshot: Snapshot, row: str) -> Move | None:
    """Return what Enter does with a row; None if nothing is obvious."""
    return move_at_row(snapshot.moves, snapshot.act_keys, row, RowKey.OPEN)


def row_act(snapshot: Snapshot, row: Row, which: RowKey) -> Act | Move:
    """Return what `+`, `-` or Space does with a row: an act, or a move that asks for more. Raises `ActRefused`."""
    move = _move_at(snapshot, row, which)
    if move is not None and not move.blocked:
        return move
    if which is RowKey.LESS and (less := _one_less(snapshot, row)):
        return less
    setting = next((each for each in snapshot.moves if each.verb == _SET and not each.blocked), None)
    match row:
        case PipsRow(key, _, value, top) if setting and which in (RowKey.MORE, RowKey.LESS) and move is None:
            wanted = value + (1 if which is RowKey.MORE else -1)
            if 0 <= wanted <= max(top, value):
                return Act(setting, {"text": f"{key} {wanted}"})
            raise ActRefused(f"{row.label} is at {value} of {top}")
        case MarkRow() if setting and which is RowKey.TOGGLE and row.switch:
            return Act(setting, {"text": f"{row.switch} {'false' if row.held else 'true'}"})
        case TextRow(switch=switch) if setting and which is RowKey.TOGGLE and switch:
            return Act(setting, {"text": switch})
        case _:
            pass
    if move is not None and move.blocked:
        raise ActRefused(move.blocked.reason, move.blocked.clause)
    if snapshot.question:
        raise ActRefused(f"answer this first: {snapshot.question}")
    key = "Space" if which is RowKey.TOGGLE else "+ and −"
    raise ActRefused(f"{key} can't change “{row.label}”; {key_name('edit', 'e')} edits it")


def _one_less(snapshot: Snapshot, row: Row) -> Act | None:
    """Return the opposite of what `+` does with a row, if its number may be below 0, as for a clock that is emptied."""
    more = _move_at(snapshot, row, RowKey.MORE)
    if more is None or more.blocked:
        return None
    return next((Act(more, {ask.name: -1}) for ask in more.asks if isinstance(ask, Number) and ask.least < 0), None)


def loses_question(row: Row, act: Act | Move) -> str:
    """Return the question before Space takes something away; empty if it gives it back."""
    if not (isinstance(row, MarkRow) and row.held):
        return ""
    what = act.label if isinstance(act, Move) else f"{row.label}: {row.state} no longer"
    return f"{what}? {key_name('row.toggle', 'space')} or Enter confirms, Esc cancels"


def hint_words(snapshot: Snapshot, row: Row | None) -> Mapping[str, str]:
    """Return the words of the hints for some keys, by the ids of their bindings. They are empty for keys that do nothing: keys
    that need a row if there is none, and keys for which this game has no act.
    """
    words = {
        "log.take_back": "Undo this",
        "clock": "New clock",
        "session": "End session" if snapshot.session else "Start session",
    } | {id_: "" for id_, which in LIST_KEYS.items() if not has_list(snapshot.act_keys, which)}
    if row is None:
        return {**words, "sheet.open": "", **dict.fromkeys(_ROW_WORDS, "")}
    move = obvious_move(snapshot, row.key)
    is_open = move is not None and not move.blocked
    does = [
        name
        for name, can in (
            ("row.more", isinstance(row, PipsRow | ClockRow) or _move_at(snapshot, row, RowKey.MORE) is not None),
            ("row.toggle", isinstance(row, MarkRow) or (isinstance(row, TextRow) and row.switch)),
        )
        if can
    ] or ["row.menu" if is_open else "copy"]
    # Most verbs have the same width, so that the rest of the line stays in place.
    return {
        **words,
        **{name: word if name in does else "" for name, word in _ROW_WORDS.items()},
        "sheet.open": (move.verb if move and is_open else "menu").ljust(4),
    }


def _move_at(snapshot: Snapshot, row: Row, which: RowKey) -> Move | None:
    return move_at_row(snapshot.moves, snapshot.act_keys, row.key, which)
