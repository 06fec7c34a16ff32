"""Nothing that is hidden reaches the players: campaigns with a mark in every hidden field, played at random."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import resources
from itertools import chain, count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.file_games import SHIPPED
from tests.kit.rules import project_state
from tests.kit.table import ticking
from tests.kit.thorough import IS_AT_A_DESK, cases, examples
from tests.rules.legal import answerable, answers
from waylog.rules.codec.changes import parse_path
from waylog.rules.model.answers import format_act
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import Act, ActRefused, Answer, Move, Text
from waylog.rules.model.state import State
from waylog.rules.systems import names, system
from waylog.store.players import players_file
from waylog.store.players.inbox import InboxRefused, send
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.toml.values import format_key, format_value

STEPS = 8 if IS_AT_A_DESK else 14
_MARK = re.compile(r"zq\d+q")
HIDING = ("secret", "clock", "deck", "card", "npc", "tell")
"""Verbs of what begins hidden: what is typed for them is marked."""


class Marks:
    """Words that occur nowhere else."""

    def __init__(self, begin: str = "zq") -> None:
        self._numbers, self._begin = count(1), begin

    def __call__(self) -> str:
        return f"{self._begin}{next(self._numbers)}q"


def found(texts: Iterable[str]) -> set[str]:
    """The marks in some texts."""
    return {mark for text in texts for mark in _MARK.findall(text)}


# -- a campaign that is full of what is hidden ---------------------------------------------------------------------------

SHEETS: Mapping[str, dict[str, Any]] = {
    "veil": {"crew": {"mara": {"name": "Mara", "prep": {"willpower": 3}}, "lars": {"name": "Lars"}}},
    "veil-reference": {"crew": {"mara": {"name": "Mara"}}},
    "veil-classic": {"crew": {"mara": {"name": "Mara"}}},
    "course-flow": {"crew": {"mara": {"name": "Mara"}}, "flows": {"tide": {"name": "The tide", "value": 1}}},
    "emissaries": {"crew": {"mara": {"name": "Mara"}}},
}


SECRETS = {
    "blind-jump": ("ship", "course"),
    "boarding-party": ("ship", "orders"),
    "breakers-yard": ("tug", "owner"),
    "last-beacon": ("keep", "below"),
    "long-post": ("ship", "sender"),
    "night-cargo": ("ship", "patron"),
    "nine-banners": ("embassy", "traitor"),
    "pole-star": ("riders", "weather"),
    "red-lamp": ("hull", "plan"),
    "slow-freight": ("hauler", "manifest"),
    "under-the-ice": ("station", "truth"),
}
"""What the sheet of each game in a file has for the wayfinder alone."""


LURKERS = """
base = "{}"
[sheet.lurkers]
secret = true
[sheet.lurkers.each]
claws = {{ range = [0, 5], start = 2 }}
[dice.maul]
who = "lurkers"
bands = [{{ outcome = "miss", grade = "fiasco" }}, {{ outcome = "hit", from = 4 }}]
[dice.face]
who = "crew"
options = {{ lurker = {{ who = "lurkers", most = 1 }} }}
bands = [{{ outcome = "miss", grade = "fiasco" }}, {{ outcome = "hit", from = 4 }}]
[after.face]
any = [{{ roll = "maul", who = "options.lurker" }}]
hit = [{{ do = "lose claws", who = "options.lurker" }}]
[moves.creep]
who = "lurkers"
does = ["mark claws"]
[moves.shoo]
who = "crew"
whom = "lurkers"
does = [{{ do = "lose claws", who = "whom" }}]
"""
"""What a campaign adds to a game in a file: a list of things that players never see, which roll and act."""


def sheet(name: str, mark: Marks) -> dict[str, Any]:
    """Something to play with, and what the sheet itself has for the wayfinder alone."""
    parts = dict(SHEETS.get(name) or SHEETS["veil-reference" if name in SECRETS else "veil"])
    if name in SECRETS:
        section, value = SECRETS[name]
        parts[section] = {value: mark()}
        parts["lurkers"] = {mark(): {"name": mark()}, mark(): {"name": mark(), "claws": 4}}
    if name == "course-flow":
        parts["flows"] = {"tide": {"name": "The tide", "value": 1, "notes": mark()}}
    if name == "emissaries":
        trait = {mark(): {"name": mark(), "dice": "2d6"}}
        someone, stats = mark(), [f"{mark()} {dice}" for dice in ("2d6", "1d8", "3d4")]
        parts["npcs"] = {someone: {"name": mark(), "about": mark(), "mind": 3, "hard": 2, "body": 2, "traits": trait}}
        asset = {"name": mark(), "about": mark(), "kind": "custom", "stats": stats, "owner": someone}
        parts["assets"] = {mark(): {**asset, "may_recover": True, "fallout": {"1": {"boxes": 4}}}}
    return parts


def campaign(name: str, mark: Marks) -> dict[str, Any]:
    """A campaign file with a mark in each field of what players may not see, and in each key."""
    hunt, hidden = mark(), mark()
    full = f'clock "{mark()}" 4 death hidden'

    def clock(kind: str, **more: Any) -> dict[str, Any]:
        whole = {"name": mark(), "kind": kind, "segments": 4, "outcome": mark(), "notes": mark(), "seen": False}
        return {**whole, "when_full": full, **more}

    cards = {
        mark(): {"text": mark(), "luck": "bad", "effect": f"tick {hidden}"},
        mark(): {"text": mark(), "luck": "good", "returns": True, "effect": f"table {hunt}"},
        mark(): {"text": mark(), "luck": "neutral", "sets_draw": 2, "effect": full},
    }
    known = {"rope": {"text": "A rope"}, mark(): {"text": mark(), "luck": "bad"}, mark(): {"text": mark()}}
    return {
        "format": 1,
        "name": "Trial",
        "system": name,
        "log": "0001:0",
        **sheet(name, mark),
        "clocks": {
            hidden: clock("push", running="exposed"),
            mark(): clock("catastrophe", running="desperate"),
            mark(): clock("death", filled=3),
            mark(): clock("augury"),
            "uncounted": clock("push", name="Patience", seen=True, count_seen=False, outcome_seen="no"),
            "bell": clock("augury", name="The bell", seen=True, filled=3),
            "told": clock("death", name="The fog", seen=True, outcome="All is lost", running="exposed"),
            mark(): clock("push", name="A way out", seen=True, outcome="Out"),
        },
        "decks": {
            mark(): {"name": mark(), "notes": mark(), "cards": cards},
            mark(): {"name": mark(), "notes": mark(), "cards": cards, "draw": 2, "together": True},
            "hold": {"name": "The hold", "known": "partly", "shown": ["rope"], "notes": mark(), "cards": known},
        },
        "sessions": {"1": {"began": "2026-01-05 20:00", "title": "Out", "notes": mark()}},
        "players": {"ana": {"name": "Ana", "character": "mara", "may": ["roll", "note", "tick"], "notes": mark()}},
        "situations": {
            mark(): {"name": mark(), "makes": "desperate", "notes": mark(), "seen": False},
            mark(): {"name": mark(), "makes": "desperate", "rolls": "nav", "notes": mark(), "seen": False},
            mark(): {"name": "No power", "makes": "desperate", "clock": hidden, "notes": mark()},
        },
        "timers": {
            mark(): {"name": mark(), "began": "2199-01-05 20:00:00", "seconds": 86400},
            mark(): {"name": "Boarding", "began": "2199-01-05 20:00:00", "seconds": 86400, "seen": True},
        },
        "rulings": {"NM-26": mark()},
        "dice": {mark(): "2d6"},
        "tables": {
            hunt: {"name": mark(), "notes": mark(), "entries": [mark(), {"text": f"d6 {mark()}", "effect": full}]},
            mark(): {"name": mark(), "sections": {mark(): [mark()] * 6 for _ in range(6)}},
            "weather": {"name": "Weather", "seen": True, "notes": mark(), "entries": ["Rain", {"text": "Fog"}]},
            mark(): {"entries": [{"text": mark(), "table": "weather"}]},
        },
        "cards": {
            mark(): scene_card(mark, hunt, full),
            mark(): {"title": mark()},
            mark(): scene_card(mark, hunt, "time passes"),
        },
    }


def scene_card(mark: Marks, table: str, does: str) -> dict[str, Any]:
    """A scene card with a mark in each of its texts."""
    texts = {key: mark() for key in ("title", "pitch", "otherwise", "notes")}
    secrets = {mark(): mark(), mark(): {"text": mark(), "told": True}}
    return {**texts, "who": [mark()], "do": [does], "tables": [table], "decks": [mark()], "secrets": secrets}


VIEWERS = ("", "ana", "ben", "cy")
"""Everybody, and each of the players. Cy has nothing of his own."""


def campaign_of_some(name: str, mark: Marks) -> dict[str, Any]:
    """The same, with things that only Ana, only Ben, or these two may see."""
    parts = campaign(name, mark)
    parts["players"] |= {"ben": {"name": "Ben", "may": ["tell", "note"]}, "cy": {"name": "Cy"}}
    parts["players"]["ana"]["may"] += ["tell"]
    weather = parts["tables"]["weather"]
    for seen_by in (["ana"], ["ben"], ["ana", "ben"]):
        clock = {"name": mark(), "segments": 4, "outcome": mark(), "notes": mark(), "seen_by": seen_by}
        parts["clocks"] |= {
            mark(): {**clock, "kind": "push", "running": "exposed"},
            mark(): {**clock, "kind": "death", "count_seen": False, "when_full": f'clock "{mark()}" 4 death hidden'},
            mark(): {**clock, "kind": "augury", "seen": False},
        }
        parts["situations"] |= {mark(): {"name": mark(), "makes": "desperate", "seen_by": seen_by, "notes": mark()}}
        timer = {"name": mark(), "began": "2199-01-05 20:00:00", "seconds": 86400}
        parts["timers"] |= {mark(): {**timer, "seen": True, "seen_by": seen_by}}
        for deck in parts["decks"].values():
            deck["cards"] = {**deck["cards"], mark(): {"text": mark(), "luck": "bad", "seen_by": seen_by}}
        entry = {"text": f"d6 {mark()}", "seen_by": seen_by}
        parts["tables"] |= {mark(): {"name": mark(), "entries": [mark(), entry]}}
        weather["entries"] = [*weather["entries"], entry]
    return parts


def written(folder: Path, parts: dict[str, Any]) -> Path:
    """The campaign as files."""
    folder.mkdir()
    beside = {"tables": parts["tables"], "prep": parts["cards"]}
    for name, files in beside.items():
        (folder / name).mkdir()
        for key, file in files.items():
            (folder / name / f"{key}.toml").write_text(_text(file))
    if "lurkers" in parts:
        (folder / "game.toml").write_text(LURKERS.format(parts["system"]) + _own_rolls(parts["system"]))
    of_campaign = {key: part for key, part in parts.items() if key not in ("tables", "cards")}
    (folder / "campaign.toml").write_text(_text(of_campaign))
    return folder


def _own_rolls(name: str) -> str:
    """What leaves each spend of a game to the game's own rolls: who is in the list hasn't what it costs."""
    game = tomllib.loads(resources.files("waylog").joinpath(f"games/{name}/game.toml").read_text())
    spends = (spend for spend, keys in game.get("spend", {}).items() if "rolls" not in keys)
    return "".join(f"[spend.{spend}]\nrolls = {format_value([*game['dice']])}\n" for spend in spends)


def _text(parts: Mapping[str, Any]) -> str:
    return "".join(f"{format_key((key,))} = {format_value(part)}\n" for key, part in parts.items())


# -- what may be known -----------------------------------------------------------------------------------------------------


def _sees(thing: Any, viewer: str) -> bool:
    return thing.seen and (not thing.seen_by or viewer in thing.seen_by)


def public(table: Table, viewer: str = "") -> Iterator[str]:
    """Every text that a player may see at this moment, or all of them, found without the help of what is tested."""
    state: State = table._state
    for clock in state.clocks.values():
        if _sees(clock, viewer):
            yield clock.name
            shown = {"yes": True, "no": False, "by-kind": clock.kind != "augury"}[clock.outcome_seen]
            yield clock.outcome if shown else ""
    things: Iterable[Any] = chain(state.timers.values(), state.situations.values())
    yield from (one.name for one in things if _sees(one, viewer))
    entries = chain(*(each.entries for each in table.game.tables.values()))
    yield from (*(entry.text for entry in entries if viewer in entry.seen_by), *TOLD[viewer])
    for someone in getattr(state.open.stage, "people", ()) if state.open else ():
        kind, _, key = someone.who.partition("/")
        if kind == "npcs" and (npc := state.sheet.npcs.get(key)):  # in a conflict their dice and words lie on the table
            yield repr(replace(npc, about=""))
        for _, asset, _ in (thing.split("/") for thing in getattr(someone, "brought", ()) if thing.count("/") == 2):
            yield repr(replace(state.sheet.assets[asset], about="", owner=""))
    for deck in state.decks.values():
        for key, card in deck.cards.items():
            is_shown = deck.known == "known" or (deck.known == "partly" and key in deck.shown)
            if viewer in card.seen_by if card.seen_by else is_shown:
                yield f"{deck.name} {card.text}"


def seen_by_player(table: Table, viewer: str) -> str:
    """All that one player can read: the files that they are shown, the answers to what they proposed, without the words that they typed
    themselves, and the recap.
    """
    folder = table.folder / "inbox" / viewer
    answers = [path.read_text() for path in sorted(folder.glob("*.answer"))]
    shown = (table.folder / players_file.FILE, folder / "player.toml")
    texts = [path.read_text() for path in shown if path.exists()]
    texts += [re.sub("|".join(sorted(TYPED)) or "$^", "…", answer) for answer in answers]
    return "\n".join((*texts, recap_text(table.recap())))


TYPED = set[str]()
"""The hidden keys that a player has typed, as if by guessing."""
TOLD: dict[str, set[str]] = {viewer: set() for viewer in VIEWERS}
"""What each of them has been told alone."""
GUESSES = (
    "tick {}",
    "roll mara on {}",
    "on {}",
    "table {}",
    "draw {}",
    "show clock {}",
    "roll {}",
    "{}",
    "dice {}",
    "tick {} 2",
)


def propose(data: st.DataObject, table: Table, _mark: Marks) -> None:
    """A player sends what is open to them, or guesses at a name; the wayfinder looks, and plays what waits."""
    game, state = table._proposals.players_game, table._state
    by = data.draw(st.sampled_from([*state.players] or ["ana"]))
    if data.draw(st.booleans()):
        stage = table.game.position(state).scene
        open_moves = [move for move in game.moves_of(state, by) if answerable(move)]
        move = data.draw(st.sampled_from(open_moves))
        given = data.draw(answers(move, stage))
        texts = {ask.name: "hello" for ask in move.asks if isinstance(ask, Text)}
        words = format_act(move, {**given, **texts})
    else:
        guess = data.draw(st.sampled_from(sorted({*state.clocks, *state.decks, *table.game.tables, *state.situations})))
        TYPED.add(guess)
        words = data.draw(st.sampled_from(GUESSES)).format(guess)
    try:
        send(table.folder, by, words)
    except InboxRefused:
        return
    table.refresh()
    for proposal in table.proposals:
        if data.draw(st.booleans()):
            table.accept(proposal.id)
        else:
            table.decline(proposal.id)


Known = Mapping[str, tuple[set[str], set[str]]]
"""For everybody, and for each player: the marks that they were told, and the clocks that they may count."""


def check(table: Table, of_viewers: Known) -> None:
    """Nobody sees a mark that they were never told, nor how full a clock is that they may not count."""
    table.settle()
    for viewer, (known, counted) in of_viewers.items():
        known |= found(public(table)) | found(public(table, viewer))
        clocks = table._state.clocks.values()
        counted |= {clock.name for clock in clocks if _sees(clock, viewer) and clock.count_seen}
        seen = seen_by_player(table, viewer)
        assert found([seen]) <= known, viewer
        for clock in clocks:
            if clock.name and clock.name not in counted:
                assert not re.search(f'“{re.escape(clock.name)}”[^"]*(\\d/\\d|is full)', seen), viewer


# -- what may be done ------------------------------------------------------------------------------------------------------


def said(data: st.DataObject, move: Move, stage: Any, mark: Marks) -> Mapping[str, Answer]:
    """Answers; every text of what begins hidden is a mark."""
    given: Mapping[str, Answer] = data.draw(answers(move, stage))
    texts = [ask.name for ask in move.asks if isinstance(ask, Text)]
    word = mark() if move.verb in HIDING or move.id == "timer" else "hello"
    word = f"5m {word}" if move.verb == "timer" else word
    return {**given, **dict.fromkeys(texts, word)}


def act(data: st.DataObject, table: Table, mark: Marks) -> None:
    """Anything that may be done by a move, most of all with what is hidden."""
    moves = [move for move in table.snapshot.moves if answerable(move) and move.verb not in ("set", "overrule")]
    likely = [
        move for move in moves if move.follows or found([move.id]) or move.verb in ("time", "secret", "roll", "open")
    ]
    often: bool = data.draw(st.booleans())
    move = data.draw(st.sampled_from(likely if likely and often else moves))
    stage = table.game.position(table._state).scene
    given = said(data, move, stage, mark)
    if move.verb == "clock" and not move.words:
        given = {**given, "seen": "hidden"}
    if move.verb == "tell":
        TOLD[move.words[0]] |= found([str(given["text"])])
    entry = table.play(Act(move, given))
    if move.verb in ("open", "reveal"):  # A card shows its title once its scene begins, and a secret once it is told.
        card = table.game.cards[parse_path(move.about[0])[1]]
        shown = card.title if move.verb == "open" else card.secrets[parse_path(move.about[0])[3]].text
        assert entry.facts
        for of_viewer in TOLD.values():
            of_viewer |= found([shown])


HIDDEN = ("clocks.uncounted.notes", "clocks.bell.outcome", "decks.hold.notes", "sessions.1.notes", "clocks.new.notes")


def set_by_hand(data: st.DataObject, table: Table, mark: Marks) -> None:
    """A hidden value set in words."""
    table.play(table.understand(f"set {data.draw(st.sampled_from(HIDDEN))} {mark()}"))


def edit(data: st.DataObject, table: Table, mark: Marks) -> None:
    """A hidden value changed in the file; now and then against play, which is a conflict to settle."""
    path = table.folder / "campaign.toml"
    text = path.read_text()
    if data.draw(st.booleans()):
        set_by_hand(data, table, mark)
    spots = [*re.finditer(r'(?:notes|outcome) = "(zq\d+q)"', text)]
    spot = data.draw(st.sampled_from(spots))
    path.write_text(text[: spot.start(1)] + mark() + text[spot.end(1) :])
    table.refresh()
    for conflict in table.snapshot.conflicts:
        data.draw(st.sampled_from([table.keep_edit, table.keep_game_value]))(conflict)


def take_back(data: st.DataObject, table: Table, _mark: Marks) -> None:
    """Undo, redo, rewind, an act of any age, an earlier version."""
    match data.draw(st.integers(0, 4)):
        case 0:
            table.undo()
        case 1:
            table.redo()
        case 2:
            table.rewind()
        case 3:
            table.undo(data.draw(st.integers(1, max(1, table.snapshot.entries))), with_later=data.draw(st.booleans()))
        case _:
            table.restore(data.draw(st.sampled_from(table.versions() or ["0000-000000"])))


WAYS = (act, act, act, act, set_by_hand, edit, take_back, propose, propose)


@pytest.mark.parametrize("name", cases([*names(), *SHIPPED], 2, 6))
@settings(max_examples=examples(10), phases=set(Phase) - {Phase.shrink})  # Smaller campaigns explain nothing better.
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_is_hidden_stays_hidden(name: str, data: st.DataObject, seed: int) -> None:
    """Whatever is played, set, edited, taken back or restored, each player reads of nothing that they were not shown: neither of what is
    hidden from all, nor of what another sees alone.
    """
    mark, known = Marks(), {viewer: (set[str](), set[str]()) for viewer in VIEWERS}
    TYPED.clear()
    for told_alone in TOLD.values():
        told_alone.clear()
    with TemporaryDirectory() as folder:
        place = written(Path(folder) / "trial", campaign_of_some(name, mark))
        table = Table(place, now=ticking(), chance=ChanceDice(Random(seed).randrange))
        assert not table.read_only, table.why_read_only
        check(table, known)
        for _ in range(STEPS):
            try:
                data.draw(st.sampled_from(WAYS))(data, table, mark)
            except (ActRefused, KeyError, UnreadableFile):
                continue
            check(table, known)


def test_the_systems_are_all_there() -> None:
    """A new game is played here too."""
    assert {system(name).id for name in names()} >= set(SHEETS) - {"veil"}
    assert set(SECRETS) == set(SHIPPED)


@pytest.mark.parametrize("name", cases([*names(), *SHIPPED], 0, 4))
def test_what_players_may_do_is_the_same_whatever_is_hidden(name: str, tmp_path: Path) -> None:
    """Moves, odds and what is asked are the same bytes in a campaign that lacks everything hidden but its effects."""
    mark = Marks()
    whole = campaign(name, mark)
    clear = {part: dict(things) if isinstance(things, dict) else things for part, things in whole.items()}
    for key, clock in whole["clocks"].items():
        if not clock["seen"] and "running" not in clock:
            del clear["clocks"][key]
    clear["situations"] = {key: one for key, one in clear["situations"].items() if "rolls" not in one}
    clear |= {"decks": {}, "rulings": {}, "dice": {}, "npcs": {}, "assets": {}, "cards": {}}
    clear["tables"] = {key: table for key, table in clear["tables"].items() if table.get("seen")}
    if name != "emissaries":
        del clear["npcs"], clear["assets"]
    tables = [
        Table(written(tmp_path / part, parts), now=ticking(), chance=ChanceDice(Random(1).randrange))
        for part, parts in (("whole", whole), ("clear", clear))
    ]
    seen = [players_file.encode_projection(replace(each.projection(), log=(), decks=())) for each in tables]
    assert seen[0] == seen[1]
    assert tables[0].projection().moves
    for guess in GUESSES:
        for hidden in sorted({*whole["clocks"], *whole["tables"]} - {*clear["clocks"], *clear["tables"]}):
            said = {_refusal(each, guess.format(word)) for each in tables for word in (hidden, "zq0q")}
            assert len({text.replace(hidden, "…").replace("zq0q", "…") for text in said}) == 1


def _refusal(table: Table, words: str) -> str:
    try:
        table._proposals.players_game.understand(table._state, "ana", words)
    except ActRefused as refused:
        return refused.refusal.reason
    return "understood"


# -- what players write ----------------------------------------------------------------------------------------------------

_SENTENCES = ("{}", "“{}”", "so “{}” comes, and {} goes")


def hidden_words(parts: Mapping[str, Any]) -> list[str]:
    """The hidden names, and the hidden keys."""
    things = [
        parts.get(part, {}) for part in ("clocks", "decks", "situations", "timers", "tables", "dice", "npcs", "assets")
    ]
    names = [one.get("name", "") for each in things for one in each.values() if isinstance(one, dict)]
    return sorted(found(chain(names, *things)))


def in_players_words(data: st.DataObject, table: Table, hidden: Sequence[str]) -> str:
    """Something that is open to a player; each text of it names what is hidden."""
    game, state = table._proposals.players_game, table._state
    moves = [move for move in game.moves_of(state, "ana") if answerable(move)]
    texts = [move for move in moves if any(isinstance(ask, Text) for ask in move.asks)]
    move = data.draw(st.sampled_from(texts if data.draw(st.booleans()) else moves))
    given = data.draw(answers(move, table.game.position(state).scene))
    guess = data.draw(st.sampled_from(_SENTENCES)).format(*data.draw(st.tuples(*[st.sampled_from(hidden)] * 2)))
    return format_act(move, {**given, **{ask.name: guess for ask in move.asks if isinstance(ask, Text)}})


def told(table: Table) -> tuple[object, ...]:
    """Everything that players read after a proposal: their view, their recap, and the answers."""
    seen = project_state(table.game.system, table._state, table.latest(), table.game.tables)
    replies = [path.read_text() for path in sorted((table.folder / "inbox").glob("*/*.answer"))]
    waiting = len([*(table.folder / "inbox").glob("*/*.proposal")])
    return seen, recap_text(table.recap()), replies, waiting


@pytest.mark.clause("NM-20", "NM-45")
@pytest.mark.parametrize("name", cases([*names(), *SHIPPED], 1, 6))
@settings(max_examples=examples(6), phases=set(Phase) - {Phase.shrink})  # Smaller campaigns explain nothing better.
@given(data=st.data())
def test_what_a_player_writes_tells_nothing_of_hidden_names(name: str, data: st.DataObject) -> None:
    """Two campaigns that differ only in what their hidden things are called look the same to players, whatever these write."""
    parts = campaign(name, Marks())
    hidden = hidden_words(parts)
    with TemporaryDirectory() as folder:
        places = [written(Path(folder) / mark, campaign(name, Marks(mark))) for mark in ("zq", "yq")]
        tables = [Table(place, now=ticking(), chance=ChanceDice(Random(1).randrange)) for place in places]
        for _ in range(6):
            words = in_players_words(data, tables[0], hidden)
            for table in tables:
                with suppress(InboxRefused):
                    send(table.folder, "ana", words)
                table.refresh()
                for proposal in table.proposals:
                    with suppress(ActRefused):
                        table.accept(proposal.id)
            assert told(tables[0]) == told(tables[1]), words
