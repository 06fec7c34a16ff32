"""Legal campaigns and legal answers, as Hypothesis draws them."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal, get_args, get_type_hints

from hypothesis import strategies as st

from waylog.rules.common.random_tables import RandomTable, TableEntry, Tables
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import SIZES, Clock, ClockKind, Situation, WhileRunning
from waylog.rules.model.decks import Card, CardKind, Deck, DeckVisibility
from waylog.rules.model.moves import Allocate, Answer, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import State
from waylog.rules.systems import system
from waylog.rules.systems.veil_core.sheet import (
    TOP_USES,
    Advancement,
    Bay,
    Member,
    Mission,
    Module,
    ModuleKind,
    Prep,
    Tokens,
    Tool,
)
from waylog.rules.systems.veil_core.state_stages_and_typed_names import FocusChoice, OpenStages

Result = Literal["", "success", "failure"]
EDITIONS = ("veil-core", "veil-2026")
TABLES: Tables = {
    "door": RandomTable(
        "Door",
        entries=(TableEntry("d6 rats"), TableEntry("A way down", "cellar"), TableEntry("A trap", effect="damage ship")),
    ),
    "cellar": RandomTable("Cellar", seen=True, sections={str(n): (TableEntry("2d6+1 d66"),) * 6 for n in range(1, 7)}),
    "loot": RandomTable(
        "Loot", entries=(TableEntry("x", effect="draw hold"), *[TableEntry(f"loot {n}") for n in range(19)])
    ),
    "round": RandomTable("Round", entries=(TableEntry("y", "round"),)),
}
GAMES: Mapping[str, Game] = {name: Game(system(name), TABLES) for name in EDITIONS}
EFFECTS = (
    "",
    "",
    "",
    "damage ship",
    "lose integrity",
    "expose crew",
    "mission over failure",
    "table door",
    'clock "X" 4 death',
)
TEXTS = ("Mara", "a b", "Wer da?", '3 of "them"', "nav", "back\\slash", "…", "12", "“quoted”", "roll")
SPREADS = {
    "veil-core": ((2, 2, 2), (1, 1, 4), (3, 2, 1), (4, 1, 1)),
    "veil-2026": ((1, 1, 2), (0, 0, 4), (0, 2, 2), (4, 0, 0)),
}
NAMES = ("AFTERBURNERS", "MICROJUMP", "MEDBAYS", "integrity", "#1", "Mk 2", "AFTERBURNERS", "Ö")
KEYS = ("mara", "lars", "nav", "Nora Quist", "7", "primary", "mar")


def rules(kind: type) -> st.SearchStrategy[Any]:
    """House rules, each at any of its legal values; what is a mere number stays as it is."""
    hints = get_type_hints(kind)
    named = {field.name: get_args(hints[field.name]) for field in fields(kind)}
    return st.builds(kind, **{name: st.sampled_from(values) for name, values in named.items() if values})


@st.composite
def modules(draw: st.DrawFn) -> Module:
    """A module of any kind."""
    kind = draw(st.sampled_from(ModuleKind))
    uses = draw(st.sampled_from((0, 1, 2, 3, 6))) if kind is ModuleKind.ADDITIONAL else 0
    return Module(
        draw(st.sampled_from(NAMES)),
        "",
        kind,
        draw(st.sampled_from(("CPU", "HUL", "NAV"))) if kind is ModuleKind.SPECIALISED else "",
        uses,
        draw(st.sampled_from((TOP_USES, *range(uses + 1)))),
        draw(st.booleans()),
    )


@st.composite
def members(draw: st.DrawFn, name: str) -> Member:
    """Someone in any state that the rules can bring about."""
    prep = st.sampled_from((0, 0, 0, 1, 2))
    tool = st.builds(Tool, st.sampled_from(("", "IMPACT DRILL", "Medkit", "call")), works=st.booleans())
    return Member(
        name,
        vitality=draw(st.sampled_from((0, 1, 2, 3, 3))),
        focus=draw(st.integers(0, 3)),
        life_support=draw(st.booleans()),
        exposed=draw(st.booleans()),
        aboard=draw(st.booleans()),
        advancements=tuple(draw(st.lists(st.sampled_from(Advancement), max_size=2, unique=True))),
        expertise=draw(st.sampled_from(("", "hacking", "2 things"))),
        ablative=draw(st.booleans()),
        may_advance=draw(st.booleans()),
        burned=draw(st.sampled_from((False, False, False, True))),
        primary=draw(tool),
        secondary=draw(tool),
        prep=Prep(draw(prep), draw(prep), draw(prep), draw(prep), draw(prep), draw(prep)),
    )


@st.composite
def clocks(draw: st.DrawFn) -> Mapping[str, Clock]:
    """Up to two clocks."""
    drawn = {}
    for key in ("storm", "deal")[: draw(st.integers(0, 2))]:
        size = draw(st.sampled_from(SIZES))
        effects = ("", "damage ship", "lose integrity", "expose crew", "mission over failure")
        drawn[key] = Clock(
            key.capitalize(),
            draw(st.sampled_from(ClockKind)),
            size,
            draw(st.integers(0, size)),
            running=draw(
                st.sampled_from(
                    (WhileRunning.NOTHING, WhileRunning.NOTHING, WhileRunning.DESPERATE, WhileRunning.EXPOSED)
                )
            ),
            when_full=draw(st.sampled_from(effects)),
        )
    return drawn


@st.composite
def decks(draw: st.DrawFn) -> Mapping[str, Deck]:
    """Up to two decks, the first one called as an entry of a table has it."""
    drawn = {}
    for key in ("hold", "The hunt")[: draw(st.integers(0, 2))]:
        card = st.builds(
            Card,
            st.sampled_from(TEXTS),
            st.sampled_from(CardKind),
            st.booleans(),
            st.sampled_from(EFFECTS),
            st.sampled_from((0, 0, 1, 2)),
            st.sampled_from(("wayfinder", "players")),
            st.sampled_from((0, 0, 1, 2)),
            condition=st.sampled_from(("", "the power is back")),
        )
        cards = draw(
            st.dictionaries(
                st.sampled_from(("mimic", "all", "12", "Mara", "keep")), card, min_size=draw(st.integers(0, 4))
            )
        )
        out = st.lists(st.sampled_from(sorted(cards)), max_size=2, unique=True).map(tuple) if cards else st.just(())
        gone = draw(out)
        aside = tuple(name for name in draw(out) if name not in gone)
        draws: Literal[1, 2] = draw(st.sampled_from((1, 1, 2)))
        together: bool = draw(st.sampled_from((False, False, True)))
        drawn[key] = Deck(
            key, draw(st.sampled_from(DeckVisibility)), draw(out), draws, together, gone, aside, cards=cards
        )
    return drawn


SITUATIONS: tuple[Mapping[str, Situation], ...] = (
    {},
    {},
    {"nav": Situation("Nav", rolls="NAV"), "gas": Situation("Gas", WhileRunning.EXPOSED)},
    {"12": Situation("Twelve"), "past": Situation("Past", WhileRunning.EXPOSED, "exploring", over=True)},
)


SESSIONS: tuple[Mapping[str, Session], ...] = (
    {},
    {"1": Session("2026-01-05 20:00")},
    {"1": Session("2026-01-05 20:00", "2026-01-05 23:00"), "2": Session("2026-01-12 20:00", title="The hold")},
    {"3": Session("2026-01-05 20:00", "2026-01-05 23:00")},
)


@st.composite
def states(draw: st.DrawFn, name: str) -> State:
    """A legal campaign of that edition."""
    game = GAMES[name]
    fresh = game.fresh("Trial")
    ship = fresh.sheet.ship
    core = type(ship.core)(*draw(st.sampled_from(SPREADS[name])))
    built = {bay: draw(modules()) for bay in Bay if draw(st.booleans())}
    tokens = draw(st.builds(Tokens, st.booleans(), st.booleans(), st.booleans(), st.booleans()))
    focus, state = draw(st.integers(0, 3)), draw(st.sampled_from(("action", "action", "downtime")))
    wrecked = draw(st.sampled_from((False, False, False, True)))
    ship = replace(ship, focus=focus, state=state, wrecked=wrecked, core=core, tokens=tokens, modules=built)
    keys = draw(st.lists(st.sampled_from(KEYS), max_size=4, unique=True))
    crew = {key: draw(members(key.capitalize())) for key in keys}
    results: tuple[Result, ...] = ("", "", "success", "failure")
    over = draw(st.sampled_from(results))
    mission = Mission(draw(st.sampled_from(("", "Fall"))), 3, over, draw(st.booleans()), draw(st.booleans()))
    sheet = replace(fresh.sheet, mission=mission, ship=ship, crew=crew)
    held = replace(fresh, sheet=sheet, rules=draw(rules(type(fresh.rules))))
    held = replace(held, situations=draw(st.sampled_from(SITUATIONS)))
    return replace(held, clocks=draw(clocks()), decks=draw(decks()), sessions=draw(st.sampled_from(SESSIONS)))


def _open(options: tuple[Option, ...]) -> list[str]:
    return [option.word for option in options if not option.blocked]


def answerable(move: Move) -> bool:
    """The move is open, and so is at least one answer to each thing that it asks."""
    return move.blocked is None and all(
        not isinstance(ask, PickOne | PickMany) or _open(ask.options) or (isinstance(ask, PickMany) and not ask.least)
        for ask in move.asks
    )


@st.composite
def answers(draw: st.DrawFn, move: Move, stage: Any) -> Mapping[str, Answer]:
    """Legal answers to all that a move asks."""
    if move.verb in ("focus", "reroll") and isinstance(stage, OpenStages) and isinstance(stage.stages[-1], FocusChoice):
        return {"faces": draw(_faces(move, stage.stages[-1]))}
    return {ask.name: draw(_answer(ask)) for ask in move.asks}


@st.composite
def _faces(draw: st.DrawFn, move: Move, thrown: FocusChoice) -> tuple[str, ...]:
    """Faces to raise or to roll again: each lies there when its turn comes."""
    ask = move.asks[0]
    assert isinstance(ask, PickMany)
    again = move.verb == "reroll"
    lying = [face for place, face in enumerate(thrown.faces) if not (again and place in thrown.final)]
    said: list[str] = []
    for _ in range(draw(st.integers(1, min(ask.most, 3)))):
        able = [face for face in lying if again or face < 6]
        if not able:
            break
        face = draw(st.sampled_from(able))
        lying.remove(face)
        if not again:
            lying.append(face + 1)
        said.append(str(face))
    return tuple(said)


def _answer(ask: Ask) -> st.SearchStrategy[Any]:
    match ask:
        case PickOne():
            return st.sampled_from(_open(ask.options))
        case PickMany():
            words = _open(ask.options)
            if not words:
                return st.just(())
            return st.lists(st.sampled_from(words), min_size=ask.least, max_size=ask.most, unique=True).map(tuple)
        case Allocate():
            return _dealt(ask)
        case Number():
            return st.integers(ask.least, ask.most)
        case Text(word="full"):
            return st.sampled_from(("", "time passes"))  # Of the texts that are an effect, one that every game has.
        case Text(name="timer"):
            return st.sampled_from(("90s", "5m boarding", '1h 30m "the long way"'))  # A timer begins with its length.
        case Text(name="commands"):
            return st.sampled_from(("roll", "roll, note"))
        case Text():
            return st.sampled_from(TEXTS if ask.required else ("", *TEXTS))


def _dealt(ask: Allocate) -> st.SearchStrategy[tuple[int, ...]]:
    ways: list[tuple[int, ...]] = [()]
    for slot in ask.slots:
        ways = [(*way, count) for way in ways for count in range(slot.least, slot.most + 1)]
    return st.sampled_from([way for way in ways if sum(way) == ask.total])
