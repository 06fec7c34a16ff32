"""The lists that the window offers to choose from, the lines that keys open, and the names of acts and states in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from waylog.rules.codec.changes import ALPHABET, parse_path
from waylog.rules.model.act_lists_and_row_verbs import (
    ActList,
    RowKey,
    Subject,
    may_hurt,
    move_at_row,
    subject_of,
    subjects,
)
from waylog.rules.model.answers import complete_answers, format_act, has_no_default
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import Act, ActRefused, Answers, Move, PickMany, Refusal, Text, reason_of
from waylog.rules.model.panels import MarkRow
from waylog.snapshot_and_act_preview import Snapshot
from waylog.table_queries import READ_ONLY
from waylog.ui.draw.dice import HIDDEN
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, SCENE, TABS, key_name
from waylog.ui.line.choices import ANSWER_FIRST, REMARKS, AppCommand, Choice, PromptRequest
from waylog.values import replace
from waylog.words.sentences import names_of, with_capital

if TYPE_CHECKING:
    from waylog.rules.model.rules_reference import Reference
    from waylog.store.players.proposals import Proposal
    from waylog.ui.line.choice_list import ActPicker


TITLES: Mapping[str, str] = {
    "roll": "Roll",
    "call": "Call for a roll",
    "": "Command",
    **REMARKS,
    "clock": "New clock",
    "table": "Roll on a table",
    "dice": "Roll dice",
}
NO_CONFLICT = "there is no edit conflict"
NOT_HELD = "every action is saved"
NO_SCENE = "no conflict is in progress"
NO_PROPOSAL = "no player has proposed anything"
NOTHING_TRIED = "you haven't tried anything"
LIST_KEYS: Mapping[str, ActList] = {"damage": ActList.DAMAGE, "exposed": ActList.EXPOSED, "mend": ActList.MEND}
"""Bindings, by their ids, that open a list which only some games have."""
_LIST_TITLES: Mapping[ActList, str] = {
    ActList.DAMAGE: "Who or what takes damage?",
    ActList.EXPOSED: "Mark or clear Exposed for whom?",
    ActList.TICK: "Tick which clock?",
    ActList.SIGHT: "Show or hide what?",
    ActList.MEND: "Mend whom or what?",
}
_BY_ROW = "+ and − change a row's number, and Enter lists the row's other actions"
_NOTHING: Mapping[ActList, str] = {
    ActList.DAMAGE: f"nothing takes damage in {{game}}. {_BY_ROW}",
    ActList.EXPOSED: "nobody can be Exposed in {game}",
    ActList.TICK: "no clocks yet. {clock} starts one",
    ActList.SIGHT: "there is nothing to show or hide",
    ActList.MEND: f"there is nothing to mend now. {_BY_ROW}",
}
_NO_MOVES = {"call": "Nobody has a roll that you could call for"}
"""Why there are no moves of a verb, where that isn't only for now."""
NO_FULL_CLOCK = Refusal("no clock is full")
LOOKING_ON = Refusal(READ_ONLY)


def refuse_moves(snapshot: Snapshot) -> Snapshot:
    """Return the same snapshot with every move refused, for a window that only shows."""
    return replace(snapshot, moves=tuple(replace(move, blocked=LOOKING_ON) for move in snapshot.moves))


def choice(snapshot: Snapshot, move: Move) -> Choice:
    """Return a move as an item of a list. If it can't be made now, the item says why."""
    clause = move.blocked.clause if move.blocked else None
    hurts = may_hurt(snapshot.act_keys, move)
    return Choice(move, move.label, move.id, refused=reason_of(move.blocked), clause=clause, hurts=hurts)


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
    return Refusal("you can't write a ruling now")


def initial_line(move: Move) -> PromptRequest:
    """Return the line that a move begins with: its words, and the answers that it suggests."""
    suggested = (word for ask in move.asks if isinstance(ask, PickMany) for word in ask.suggested)
    return PromptRequest(move.label, "", f"{move.id} ", suggested=" ".join(suggested))


def pickable_dice(snapshot: Snapshot, tab: str) -> Move | None:
    """Return the dice that digits pick in the scene tab while dice are asked for."""
    if tab != SCENE:
        return None
    from waylog.ui.line.dice_input import dice_ask

    return next((move for move in snapshot.moves if move.follows and not move.blocked and dice_ask(move)), None)


def has_scene_tab(snapshot: Snapshot) -> bool:
    """Whether the game shows panels for what is going on, such as a conflict."""
    return any(panel.place == SCENE for panel in snapshot.panels)


def open_tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the tabs that exist now, in the order of their keys."""
    return (BRIDGE, *TABS, *((SCENE,) if has_scene_tab(snapshot) else ()))


def first_tab(snapshot: Snapshot, wanted: str) -> str:
    """Return the tab to open first: the scene if there is one, else the one that is set, or the bridge."""
    if has_scene_tab(snapshot):
        return SCENE
    return wanted if wanted in (BRIDGE, *TABS) else BRIDGE


def ask_reason(proposal: Proposal) -> PromptRequest:
    """Return the line that asks why a proposal is declined. Enter alone gives no reason."""
    from waylog.store.players.proposals import REASONS_TO_DECLINE  # Most games have no proposals.

    def decline(reason: str, label: str) -> Choice:
        return Choice(AppCommand(f"decline({proposal.id!r}, {reason!r})"), label)

    listed = (decline("", "Without a reason"), *(decline(reason, f"“{reason}”") for reason in REASONS_TO_DECLINE))
    title = f"Decline {proposal.name}'s proposal"
    return PromptRequest(title, choices=listed, from_text=lambda text: decline(text, f"“{text}”"))


def continues_in_line(move: Move, answers: Answers) -> bool:
    """Whether a move continues in the line: it asks for more, or it rolls dice, which may be real ones."""
    # A reason is for whoever types one: `tick storm because they dawdle`.
    asks = (ask for ask in move.asks if not (isinstance(ask, Text) and ask.word and not ask.required))
    return move.rolls or move.verb in ("table", "draw") or any(ask.name not in answers for ask in asks)


def row_label(move: Move) -> str:
    """Return the label of a row that makes a move. It ends in “…” if a form or a line opens first, in every list."""
    return f"{move.label}…" if continues_in_line(move, {}) and not move.blocked else move.label


def with_defaults(move: Move, answers: Answers | None = None) -> Act | PromptRequest:
    """Return the act of a move with its defaults; if it needs more answers, the line that asks for them, although there may be only one."""
    if any(has_no_default(ask) and ask.name not in (answers or {}) for ask in move.asks):
        return initial_line(move)
    try:
        complete_answers(move, answers or {})
    except ActRefused:
        return initial_line(move)
    return Act(move, answers or {})


def verb_line(snapshot: Snapshot, verb: str) -> PromptRequest | Refusal:
    """Return the line for acts of a verb, or for any act if `verb` is empty; or why there is none now."""
    has_decks = verb == "table" and bool(snapshot.decks)
    if verb == "table" and not snapshot.tables and not has_decks:
        return new_table_line(snapshot)
    moves = [move for move in snapshot.moves if move.verb == verb]
    if verb and not moves and not has_decks:
        return nothing_to_do(snapshot, _NO_MOVES.get(verb, f"“{verb}” can't be done now"))
    if moves and all(move.blocked for move in moves) and (snapshot.question or verb in REMARKS):
        # Before a text is typed, not after it.
        return nothing_to_do(snapshot, "") if snapshot.question else moves[0].blocked or Refusal("not now")
    return PromptRequest("Roll on a table, or draw a card" if has_decks else TITLES[verb], verb)


def new_table_line(snapshot: Snapshot) -> PromptRequest | Refusal:
    """Return the line that asks for a new table's name and die, or why there can't be one."""
    if snapshot.read_only:
        return LOOKING_ON
    return PromptRequest("New table: type a name and a die, such as Rumours d20", choices=(), from_text=_new_table)


def _new_table(text: str) -> Choice:
    """Return the choice that makes the table that a text stands for. Without a die it gets a d6."""
    from waylog.store.kit import blank_table

    if not text:
        return Choice(AppCommand(""), "New table", refused="type its name, then a die")
    try:
        die, item = "", blank_table(text)
        if item is None:
            die, item = "d6", blank_table(f"{text} d6")
    except ActRefused as refused:
        return Choice(AppCommand(""), "New table", refused=reason_of(refused.refusal), clause=refused.refusal.clause)
    assert item
    more = ". For a different number of entries, add a die, such as d20" if die else ""
    return Choice(
        AppCommand(f"app.kit({f'{text} {die}'.strip()!r})"), f"Create “{item.name}” with {item.about} to fill in{more}"
    )


def roll_line(snapshot: Snapshot) -> PromptRequest | Refusal:
    """Return the line for what the game calls a roll, or why there is none now. If nobody can roll before something else is done, the line
    is for that.
    """
    key = snapshot.roll_key
    if verb := key.verb(snapshot.moves):
        refusals = [move.blocked for move in snapshot.moves if move.verb == verb]
        if all(refusals) and refusals[0] and (first := move_before(snapshot, refusals[0])):
            title = f"{with_capital(reason_of(refusals[0])).partition('. ')[0]}. {first.label}"
            return PromptRequest(title, "", f"{first.id} ", rolls_next=True)
        return PromptRequest(TITLES.get(verb, verb.capitalize()), verb)
    return nothing_to_do(snapshot, f"{key.nothing}. To roll any dice, press : and type them, such as 2d6")


def can_call(snapshot: Snapshot) -> bool:
    """Whether others can be called to roll, one player, several or everybody."""
    return any(move.verb == "call" and not move.blocked for move in snapshot.moves)


def move_before(snapshot: Snapshot, refusal: Refusal) -> Move | None:
    """Return the move that makes possible what is refused, if it can be made now."""
    return next((move for move in snapshot.moves if refusal.first == move.verb and not move.blocked), None)


def nothing_to_do(snapshot: Snapshot, reason: str) -> Refusal:
    """Return why a key does nothing now: the question that comes first, or else the given reason."""
    if snapshot.question:
        return Refusal(ANSWER_FIRST.format(snapshot.question))
    return Refusal(f"{reason}. {key_name('palette', 'ctrl+p')} lists what you can do")


def session_line(snapshot: Snapshot) -> PromptRequest | Refusal:
    """Return the line that starts a session, with the people of last time in it, or that ends the current one (NM-40)."""
    wanted = "session end" if snapshot.session else "session begin"
    for move in snapshot.moves:
        if move.id == wanted:
            if move.blocked:
                return nothing_to_do(snapshot, "") if snapshot.question else move.blocked
            # They stand in the line itself: a title is typed behind them, and doesn't take their place.
            people = [word for ask in move.asks if isinstance(ask, PickMany) for word in ask.suggested]
            return PromptRequest(move.label, "", f"{' '.join((move.id, *people))} ")
    return nothing_to_do(snapshot, "You can't start or end a session now")


def tell_rolled(snapshot: Snapshot, table: str = "") -> Act | None:
    """Return the act that tells the players what the latest act brought up on a random table, or on the one with that key, or a hidden
    outcome, if they don't see it; else None.
    """
    every = [fact for entry in snapshot.act for fact in entry.facts]
    outcomes = [fact for fact in every if isinstance(fact, OutcomeFact) and fact.secret and not table]
    facts = [fact for fact in every if isinstance(fact, NoteFact) and fact.secret]
    wanted = ("tables", table) if table else ("tables",)
    quotes = [
        fact.quote
        for fact in facts
        if fact.quote and any(parse_path(path)[: len(wanted)] == wanted for path in fact.about)
    ]
    quotes += [f"{fact.who}: {fact.label}" for fact in outcomes]
    if not quotes:
        return None
    note = next((move for move in snapshot.moves if move.id == "note" and not move.blocked), None)
    if note is None:
        return None
    text = " ".join(" · ".join(quotes).split())
    tell = replace(note, label="Tell the players the result", reveals=f"Show “{text}” to the players?")
    return Act(tell, {"text": text})


def came_up_empty(snapshot: Snapshot, table: str) -> bool:
    """Whether the latest act brought up an entry of the table with that key that has no text, so that there is nothing to tell."""
    facts = (fact for entry in snapshot.act for fact in entry.facts if isinstance(fact, NoteFact))
    empty = (path for fact in facts if fact.secret and not fact.quote for path in fact.about)
    return any(parse_path(path)[:2] == ("tables", table) for path in empty)


def open_list(snapshot: Snapshot, which: ActList, row: str) -> ActPicker | Act | Refusal:
    """Return the list of a key, with the row under the cursor; or why there is nothing to choose. What a hidden table has just brought up
    comes first in that of what players see, and is all of it if there is nothing else to show.
    """
    from waylog.ui.line.choice_list import ActPicker

    tell = tell_rolled(snapshot) if which is ActList.SIGHT else None
    names = names_of(snapshot)
    for key, clock in snapshot.clocks.items():
        # What decides which one is meant: a hidden clock is shown, a full one is hardly ever ticked.
        states = ("(full)" if clock.full else "", HIDDEN if not clock.seen else "")
        names = {**names, f"clocks.{key}": " ".join((clock.name, *filter(None, states)))}
    if which is ActList.EXPOSED:
        # The key marks and clears: what somebody has been marked as, and so can't be again, decides which of the two is meant.
        marked = {
            move.about
            for move in snapshot.moves
            if move.blocked and (known := snapshot.act_keys.get(move.verb)) and known.listed is which
        }
        for panel in (each for each in snapshot.panels if (each.key,) in marked and each.tags):
            names = {**names, panel.key: f"{names[panel.key]} ({', '.join(tag.text for tag in panel.tags)})"}
    found = subjects(
        snapshot.moves, snapshot.act_keys, which, names, _mending(snapshot) if which is ActList.MEND else ()
    )
    if tell:
        able = [each for each in found if not each.moves[0].blocked]
        # A card that was drawn before, and not shown yet, stands below what came up last.
        drawn = [move for move in snapshot.moves if move.follows and move.offer == which and not move.blocked]
        letters = [each for each in "rc" + ALPHABET if each not in {which, *(one.letter for one in able)}] + ["", ""]
        rolled = Subject("tables", str(tell.answers["text"]), letters[0], (tell.move,), answers=tell.answers)
        cards = [Subject(move.id, move.label, letters[1], (move,)) for move in drawn[:1]]
        listed = (rolled, *cards, *able)
        return ActPicker(_LIST_TITLES[which], which, listed, rolled) if len(listed) > 1 else tell
    if not found:
        if snapshot.question:
            return nothing_to_do(snapshot, "")
        return Refusal(_NOTHING[which].format(game=snapshot.system_name, clock=key_name("clock", "c")))
    if all(each.moves[0].blocked for each in found) and (blocked := found[0].moves[0].blocked):
        return blocked
    if which is ActList.TICK:
        full = {f"clocks.{key}" for key, clock in snapshot.clocks.items() if clock.full}
        found = sorted(found, key=lambda each: each.key in full)
    here = (each for each in found if row and each.key in (row, subject_of(row)) and not each.moves[0].blocked)
    return ActPicker(_LIST_TITLES[which], which, tuple(found), next(here, None))


def _mending(snapshot: Snapshot) -> Collection[str]:
    """Return the ids of the moves that give back a thing which its row shows as lost, as Space does there."""
    lost = (row.key for panel in snapshot.panels for row in panel.rows if isinstance(row, MarkRow) and not row.held)
    moves = (move_at_row(snapshot.moves, snapshot.act_keys, key, RowKey.TOGGLE) for key in lost)
    return {move.id for move in moves if move and not move.blocked}
