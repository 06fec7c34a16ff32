"""The campaigns that ship are clean, are never written to, and were really played."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine
from tests.kit.table import Falling, ticking
from tests.kit.thorough import cases
from waylog.rules.common.random_tables import dice_in
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import ClockKind, WhileRunning
from waylog.rules.model.decks import cannot_draw
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeFact, RollFact
from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile, read_campaign_file, system_of
from waylog.store.file.template_and_conversion import SCHEMA
from waylog.store.files_and_lock import FILE
from waylog.store.folders_and_recent import Locations
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.table import Table
from waylog.toml.document import ABSENT, Document, Edit

ROLLS = {
    "first-light": "roll nav",
    "half-measure": "roll tam engines sweet-talk two",
    "lot-nine": "roll cut oda help",
    "return-to-sender": "roll steer bel help hard",
    "slack-water": "roll dov 10 locks",
    "soft-answer": "escalate fight hook",
    "station-ten": "roll watch holm calm",
    "sunday-ferry": "roll marit engines skill risky ansel",
    "tenacity": "roll nav",
}
"""The examples, each with something to roll there."""
OPEN = {"soft-answer": "Harbourmaster Quell raises 6 + 2 = 8. Venn Adaro must see"}
"""What is asked in them."""
NAMES = tuple(ROLLS)
IN_FILES = {
    "lot-nine": ("push brace rest mend sell buy", "bad partial good clean"),
    "return-to-sender": ("luck favour rest sleep deliver learn", "miss mixed hit"),
    "station-ten": ("luck push night bind sit warm", "fumble success best holds"),
}
"""Those whose game is a file: acts and outcomes of the evening that was played."""
PLAIN: Mapping[str, Any] = {"now": ticking(), "chance": Falling(), "read_only": True}
EACH = pytest.mark.parametrize("name", NAMES)
PLAYED = [name for name in NAMES if name != "first-light"]


def contents(folder: Path) -> Mapping[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line where nobody has a campaign of their own yet."""
    return CommandLine(tmp_path / "campaigns", chance=Falling())


def test_these_ship() -> None:
    """These examples, and nothing in their folders that play leaves behind."""
    assert tuple(sorted(path.name for path in EXAMPLES.iterdir())) == NAMES
    assert sorted(contents(EXAMPLES)) == [
        f"first-light/{SCHEMA}",
        f"first-light/{FILE}",
        "first-light/tables/sorting-room.toml",
        f"half-measure/{SCHEMA}",
        f"half-measure/{FILE}",
        "half-measure/log/0001.toml",
        f"lot-nine/{SCHEMA}",
        f"lot-nine/{FILE}",
        "lot-nine/log/0001.toml",
        "lot-nine/prep/the-purser-speaks.toml",
        "lot-nine/tables/inside.toml",
        f"return-to-sender/{SCHEMA}",
        f"return-to-sender/{FILE}",
        "return-to-sender/log/0001.toml",
        "return-to-sender/tables/address.toml",
        f"slack-water/{SCHEMA}",
        f"slack-water/{FILE}",
        "slack-water/log/0001.toml",
        f"soft-answer/{SCHEMA}",
        f"soft-answer/{FILE}",
        "soft-answer/log/0001.toml",
        f"station-ten/{SCHEMA}",
        f"station-ten/{FILE}",
        "station-ten/log/0001.toml",
        "station-ten/tables/sounds.toml",
        f"sunday-ferry/{SCHEMA}",
        f"sunday-ferry/{FILE}",
        "sunday-ferry/log/0001.toml",
        f"tenacity/{SCHEMA}",
        f"tenacity/{FILE}",
        "tenacity/lines.toml",
        "tenacity/log/0001.toml",
        "tenacity/prep/1-the-twelfth-hull.toml",
        "tenacity/prep/2-the-captains-table.toml",
        "tenacity/prep/3-the-keeper.toml",
        "tenacity/tables/calloway.toml",
        "tenacity/tables/knocks.toml",
    ]


@EACH
def test_an_example_has_no_problems(name: str, waylog: CommandLine) -> None:
    """The check finds nothing in the file or in the log beside it."""
    assert waylog.done("check", name).out == f"{name}: no problems\n"


@EACH
def test_editors_know_what_may_stand_in_it(name: str) -> None:
    """Its first line names the schema beside it, which is its system's: `waylog schema SYSTEM > .schema.json` renews it."""
    text = (EXAMPLES / name / FILE).read_text()
    assert text.startswith(f"#:schema ./{SCHEMA}\n")
    schema = json.loads((EXAMPLES / name / SCHEMA).read_text())
    assert schema == Game(system_of(Document.parse(text.encode(), FILE), EXAMPLES / name)).schema()


@EACH
def test_what_is_said_of_a_setting_fits_its_form_as_well(name: str) -> None:
    """Forms show `yes` and `no`: no note beside a field speaks of true or false."""
    notes = re.findall(r'"description": "([^"]*)"', (EXAMPLES / name / SCHEMA).read_text())
    assert notes
    assert [note for note in notes if re.search(r"(?<!came )\btrue\b|\bfalse\b", note, re.IGNORECASE)] == []


@EACH
def test_looking_at_an_example_changes_nothing(name: str, waylog: CommandLine) -> None:
    """Every command that only looks leaves each byte, and makes no file, there or among the person's own."""
    before = contents(EXAMPLES / name)
    for command in (["show"], ["log", "-n", "0"], ["moves"], ["check"]):
        waylog.done(command[0], name, *command[1:])
    waylog.done("odds", name, ROLLS[name])
    assert contents(EXAMPLES / name) == before
    assert not waylog.campaigns.exists()


@EACH
def test_opening_an_example_to_play_changes_nothing(name: str, tmp_path: Path) -> None:
    """A table on a copy that takes in what is new and settles leaves the campaign file byte for byte as it was.

    Nothing is asked there, but in the one that stands in the middle of a conflict.
    """
    folder = shutil.copytree(EXAMPLES / name, tmp_path / name)
    table = Table(folder, now=ticking(), chance=Falling())
    table.refresh()
    assert table.settle()
    assert not table.file_is_behind()
    assert table.snapshot.question == OPEN.get(name)
    assert (folder / FILE).read_bytes() == (EXAMPLES / name / FILE).read_bytes()


@EACH
def test_playing_an_example_plays_a_copy(name: str, waylog: CommandLine) -> None:
    """The first act copies it with its tables among the person's own; the example stays as it was, and the copy is played on."""
    before = contents(EXAMPLES / name)
    waylog.done("do", name, "note", "Ours now")
    assert contents(EXAMPLES / name) == before
    assert waylog.json("log", name)["entries"][-1]["words"] == 'note "Ours now"'
    mine, theirs = ((root / name / FILE).read_text() for root in (waylog.campaigns, EXAMPLES))
    assert comments(mine) == comments(theirs)
    tables = {file: data for file, data in before.items() if file.startswith("tables/")}
    assert {
        file: data for file, data in contents(waylog.campaigns / name).items() if file.startswith("tables/")
    } == tables
    assert name not in Locations(waylog.campaigns, EXAMPLES, waylog.campaigns).uncopied_examples()


def test_tables_and_decks_of_every_kind_ship() -> None:
    """A d66, a table that leads to another, dice and effects in entries; a deck with effects, one built together; all say how."""
    examples = ("first-light", "tenacity")
    tables = {key: table for name in examples for key, table in Table(EXAMPLES / name, **PLAIN).snapshot.tables.items()}
    entries = [entry for table in tables.values() for _, entry in table.numbered_entries]
    assert {table.dice for table in tables.values()} == {"d66", "d6", "d8"}
    assert {table.seen for table in tables.values()} == {True, False}
    assert any(entry.table in tables for entry in entries)
    assert any(entry.effect for entry in entries)
    assert any(thrown for entry in entries for _, thrown in dice_in(entry.text))
    decks = [deck for name in examples for deck in held(name)[1].state.decks.values()]
    assert {deck.together for deck in decks} == {True, False}
    assert all(any(card.effect for card in deck.cards.values()) for deck in decks)
    assert any(card.sets_draw == 2 for deck in decks for card in deck.cards.values())
    assert [cannot_draw(deck) for deck in decks] == [None, None]
    for path in EXAMPLES.glob("*/tables/*.toml"):
        assert path.read_text().startswith("# "), path


def comments(text: str) -> list[str]:
    """The remarks of a campaign file in which no value holds a `#` with a space after it."""
    return [line.partition("# ")[2] for line in text.splitlines() if "# " in line]


# -- the evenings that were played


def evening(name: str) -> list[LogEntry]:
    """Every entry of an example's log."""
    log = Log(EXAMPLES / name / "log")
    log.follow()
    return log.since(0)


def held(name: str) -> tuple[Game, CampaignFile]:
    """An example's file, read."""
    document = Document.parse((EXAMPLES / name / FILE).read_bytes(), FILE)
    game = Game(system_of(document, EXAMPLES / name))
    return game, read_campaign_file(game, document, None)


@pytest.mark.parametrize("name", PLAYED)
def test_the_log_is_whole_and_the_file_is_where_it_ends(name: str) -> None:
    """Entries count up from 1 to the file's mark, in the order of time, and nothing is asked after the last."""
    entries = evening(name)
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert 40 <= len(entries) <= 60
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
    _, file = held(name)
    assert (file.mark.file, file.mark.number) == (1, len(entries))


def test_tenacitys_evening_has_a_bit_of_everything() -> None:
    """Dice of both kinds, Focus, a group, a Defender, a full clock, a table, a card and its effect, notes, scenes, undo and redo.

    All of it belongs to one session, which has a title and who was there.
    """
    wanted = (
        "note secret roll focus group heal pay defend shunt clock tick time effect close use set undo redo table draw"
    )
    entries = evening("tenacity")
    assert {entry.words.split()[0] for entry in entries} >= {*wanted.split(), "scene", "session"}
    assert {entry.session for entry in entries} == {7}
    session = held("tenacity")[1].state.sessions["7"]
    assert all((session.began, session.ended, session.title, session.present))
    assert {fact.typed for entry in entries for fact in entry.facts if isinstance(fact, RollFact)} == {True, False}
    clocks = held("tenacity")[1].state.clocks.values()
    assert {clock.kind for clock in clocks} == set(ClockKind)
    assert any(clock.running is not WhileRunning.NOTHING and clock.runs for clock in clocks)
    assert any(clock.when_full for clock in clocks)
    assert any(clock.kind is ClockKind.AUGURY and not clock.seen for clock in clocks)


@pytest.mark.clause("CF-10", "CF-13", "CF-31")
def test_slack_waters_evening_has_a_bit_of_everything() -> None:
    """Every outcome, a roll called and changed, both ways to ask, all that follows an election, a full clock, an undo."""
    wanted = (
        "note course roll change throw elect offer take wait noticed harm mark recover ask spend answer flow end undo"
    )
    entries = evening("slack-water")
    assert {entry.words.split()[0] for entry in entries} >= {*wanted.split(), "tick", "effect", "close"}
    facts = [fact for entry in entries for fact in entry.facts]
    assert {fact.typed for fact in facts if isinstance(fact, RollFact)} == {True, False}
    assert {fact.outcome for fact in facts if isinstance(fact, OutcomeFact)} == {"setback", "not-yet", "win", "intent"}


@pytest.mark.clause("RF-07", "RF-09", "RF-10", "RF-12", "RF-18")
def test_half_measures_evening_has_a_bit_of_everything() -> None:
    """Every outcome, dice remapped, placed and kept, equipment spent and made ready, damage bought off, an undo."""
    wanted = "note roll remap place keep tick effect damage spend rest resupply learn lose clock close time undo"
    entries = evening("half-measure")
    assert {entry.words.split()[0] for entry in entries} >= set(wanted.split())
    facts = [fact for entry in entries for fact in entry.facts]
    assert {fact.typed for fact in facts if isinstance(fact, RollFact)} == {True, False}
    assert {fact.outcome for fact in facts if isinstance(fact, OutcomeFact)} == {"fiasco", "complication", "success"}


@pytest.mark.clause("VC-11", "VC-12", "VC-14", "VC-15", "VC-16", "VC-20", "VC-22")
def test_the_sunday_ferrys_afternoon_has_a_bit_of_everything() -> None:
    """Every outcome and every way of giving dice back, grit, helpers, days without supplies, a die lost and found, an undo."""
    wanted = "note state remap roll consequence place keep shunt day lose grit restore effect tick undo"
    entries = evening("sunday-ferry")
    assert {entry.words.split()[0] for entry in entries} >= set(wanted.split())
    facts = [fact for entry in entries for fact in entry.facts]
    assert {fact.typed for fact in facts if isinstance(fact, RollFact)} == {True, False}
    assert {fact.outcome for fact in facts if isinstance(fact, OutcomeFact)} == {"failure", "partial", "success"}
    clauses = {fact.clause for fact in facts if isinstance(fact, NoteFact)}
    assert clauses >= {"VC-06", "VC-11", "VC-12", "VC-13", "VC-14", "VC-16", "VC-20"}


@pytest.mark.clause("EG-10", "EG-19", "EG-24")
def test_soft_answers_evening_stands_in_the_middle_of_a_conflict() -> None:
    """One conflict won, fallout on a ship and taken off it, and a second one with two on each side, a see taken back."""
    entries = evening("soft-answer")
    wanted = (
        "note conflict obstacle enter begin raise see fallout condition escalate give recover relate undo tick time"
    )
    assert {entry.words.split()[0] for entry in entries} >= set(wanted.split())
    facts = [fact for entry in entries for fact in entry.facts]
    assert {fact.typed for fact in facts if isinstance(fact, RollFact)} == {True, False}
    assert {fact.outcome for fact in facts if isinstance(fact, OutcomeFact)} == {"won", "blocks", "takes"}
    sheet = held("soft-answer")[1].state.sheet
    assert (len(sheet.crew), len(sheet.npcs), len(sheet.assets)) == (2, 2, 1)


@pytest.mark.parametrize("name", IN_FILES)
def test_evenings_of_games_in_files_have_a_bit_of_everything(name: str) -> None:
    """What may be spent, acts without dice, most outcomes, dice of both kinds, a table, an undo."""
    entries = evening(name)
    acts, outcomes = (set(words.split()) for words in IN_FILES[name])
    assert {entry.words.split()[0] for entry in entries} >= {*acts, "roll", "table", "tick", "secret", "scene", "undo"}
    facts = [fact for entry in entries for fact in entry.facts]
    assert {fact.outcome for fact in facts if isinstance(fact, OutcomeFact)} >= outcomes
    assert {fact.typed for fact in facts if isinstance(fact, RollFact)} == {True, False}


@pytest.mark.parametrize("name", cases(PLAYED, 0, 4))  # At a desk, `tests/table/test_replay.py` plays others again.
def test_an_evening_can_be_played_again(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the campaign as it was before it, each act in its words and with its dice leads to what the log says it led to."""
    # What players see meanwhile is not looked at here, and would take three quarters of the time.
    monkeypatch.setattr("waylog.store.players.players_file_update_and_stakes.PlayersUpdate.bring_up", lambda _: True)
    folder = tmp_path / "campaigns" / name
    folder.mkdir(parents=True)
    entries = evening(name)
    game, end = held(name)
    (folder / FILE).write_bytes(as_it_was(game, end, entries))
    if (EXAMPLES / name / "tables").is_dir():
        shutil.copytree(EXAMPLES / name / "tables", folder / "tables")
    moments = iter(entry.at for entry in entries)
    command_line = CommandLine(folder.parent, now=lambda: next(moments))
    for entry in entries:
        fallen = [die.face for fact in entry.facts if isinstance(fact, RollFact) for die in fact.dice]
        faces = ",".join(map(str, entry.faces or fallen))
        dice = ["--dice", faces] if faces else []
        command_line.done("do", name, entry.words, *dice)
    log = Log(folder / "log")
    log.follow()
    for entry, again in zip(entries, log.since(0), strict=True):
        assert (again.words, again.root, again.undoes) == (entry.words, entry.root, entry.undoes)
        # Of what was done, of a roll's total and of what a clock does to the crew, there was no note in the first logs, and the damage
        # die came after the Focus.
        now, then = Counter(map(told, again.facts)), Counter(map(told, entry.facts))
        notes = [fact for fact in again.facts if isinstance(fact, NoteFact)]
        new = [
            fact
            for fact in notes
            if fact.part is NotePart.DEED or fact.text.startswith("Total ") or fact.clause == "NM-25"
        ]
        assert (then - now, now - then - Counter(map(told, new))) == (Counter(), Counter()), entry.words
        assert plainly(again) == plainly(entry), entry.words
    assert game.difference(end.state, game.read(tomllib.loads((folder / FILE).read_text()))[0]) == ()


def as_it_was(game: Game, end: CampaignFile, evening: list[LogEntry]) -> bytes:
    """The campaign file as it was before the evening: each value that was changed is what it was at first."""
    state = end.state
    for entry in reversed(evening):
        state = game.apply_changes(state, [change.reverse() for change in reversed(entry.changes)])
    edits = [
        Edit(change.path, ABSENT if change.after is None else change.after)
        for change in game.difference(end.state, state)
    ]
    return end.document.edit((*edits, Edit(("log",), "0001:0"))).data


def told(fact: Fact) -> object:
    """What a fact says, however its notes are worded and whoever rolled its dice."""
    match fact:
        case RollFact(what, dice, _):
            return what, dice
        case OutcomeFact(outcome, label, _, who):  # A defence had no grade in the first logs.
            return outcome, label, who
        case _:
            return fact.clause


def plainly(entry: LogEntry) -> list[tuple[object, ...]]:
    """The values that an entry changed, however they are written."""
    return [(change.path, change.before, change.after) for change in entry.changes]
