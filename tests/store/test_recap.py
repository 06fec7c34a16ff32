"""A recap tells the players nothing that is hidden from them, and the wayfinder everything; nothing in it is taken for markup."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import EXAMPLES
from tests.kit.table import Falling, saved, ticking, written
from tests.kit.thorough import examples
from tests.rules.legal import answerable, answers
from waylog.cli import json_output
from waylog.rules.codec.changes import Change
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.dice import ChanceDice, Face
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import EntryKind, State
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.shown.recap import Recap, recap
from waylog.store.shown.recap_in_markdown import escape_markdown, recap_text
from waylog.table import Table

MARK = "Zqx"
"""Stands in everything that is hidden, and in nothing else."""
CAMPAIGN = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"
about = "edited"
focus = 2
core = { CPU = 2, HUL = 2, NAV = 2 }

[crew.mara]
name = "Mara"
focus = 2
primary = { name = "drill" }
prep = { willpower = 2, foresight = 1 }

[crew.lars]
name = "Lars"
advancements = ["defender"]

[sessions.1]
began = "2026-01-01 20:00"
ended = "2026-01-01 23:00"
notes = "Zqx0: what I meant to do"

[clocks.hidden]
name = "Zqx1 hunts"
kind = "death"
segments = 4
outcome = "Zqx2 comes aboard"
notes = "Zqx3"
seen = false
running = "desperate"
when_full = 'clock "Zqx4" 4 push hidden'

[clocks.hidden-push]
name = "Zqx5"
kind = "push"
segments = 6
running = "exposed"
seen = false

[clocks.augury]
name = "Fog"
kind = "augury"
segments = 4
outcome = "Zqx6"
notes = "Zqx7"

[clocks.uncounted]
name = "Reactor"
kind = "catastrophe"
segments = 4
count_seen = false
outcome = "Zqx8"
outcome_seen = "no"

[decks.hunt]
name = "Zqx9"
notes = "Zqx10"
draw = 2
cards.one = { text = "Zqx11", luck = "bad", effect = "damage ship" }
cards.two = { text = "Zqx12", luck = "good", returns = true }
cards.three = { text = "Zqx13", luck = "neutral", effect = "table hidden" }
cards.four = { text = "Zqx14", luck = "bad", effect = 'clock "Zqx15" 4 death hidden' }

[decks.search]
name = "The hold"
known = "partly"
shown = ["rope"]
cards.rope = { text = "A rope", luck = "good" }
cards.mimic = { text = "Zqx16", luck = "bad", effect = "tick hidden" }
cards.egg = { text = "Zqx17 d6", luck = "neutral" }
"""
HIDDEN_TABLE = """\
name = "Zqx18"
notes = "Zqx19"
entries = ["Zqx20 and d6 more", { text = "Zqx21", table = "open" }, { text = "Zqx22", effect = "tick hidden-push" }]
"""
OPEN_TABLE = """\
name = "Weather"
seen = true
notes = "Zqx23"
entries = ["Calm", { text = "A shape", effect = "time passes" }]
"""
SHOWING = ("show",)
"""Verbs that tell the players what was hidden, and so are no part of this."""


def campaign(folder: Path) -> Path:
    """A campaign with something hidden wherever something can be."""
    written(folder, CAMPAIGN)
    (folder / "tables").mkdir()
    (folder / "tables" / "hidden.toml").write_text(HIDDEN_TABLE)
    (folder / "tables" / "open.toml").write_text(OPEN_TABLE)
    return folder


def moved(table: Table, data: st.DataObject, count: int) -> None:
    """Any one thing that a wayfinder may do: a legal move, an undo of any kind, an edit of the file."""
    verbs = sorted({move.verb for move in table.snapshot.moves if answerable(move)} - {*SHOWING})
    verb = data.draw(st.sampled_from([*verbs, "undo", "redo", "rewind", "edit"]))
    if verb == "edit":
        held = table.settle()
        assert held
        saved(table.folder, 'about = "', f'about = "{MARK}e{count} ')
        table.refresh()
    elif verb in ("undo", "redo", "rewind"):
        {"undo": table.undo, "redo": table.redo, "rewind": table.rewind}[verb]()
    else:
        moves = [move for move in table.snapshot.moves if move.verb == verb and answerable(move)]
        table.play(_act(table, data, data.draw(st.sampled_from(moves)), count))


def _act(table: Table, data: st.DataObject, move: Move, count: int) -> Act:
    match move.verb:
        case "secret":
            return Act(move, {"text": f"{MARK}s{count}"})
        case "set":
            return Act(move, {"text": f'clocks.augury.notes "{MARK}h{count}"'})
        case _:
            opened = table._state.open
            return Act(move, data.draw(answers(move, opened.stage if opened else None)))


@pytest.mark.clause("NM-41")
@settings(max_examples=examples(25))
@given(st.data())
def test_what_is_hidden_is_told_to_the_wayfinder_alone(data: st.DataObject) -> None:
    """Whatever is done, hidden clocks, outcomes, tables, cards, notes, edits and undone acts are in no recap for the players."""
    chance = ChanceDice(Random(data.draw(st.integers(0, 999))).randrange)
    with TemporaryDirectory() as folder:
        table = Table(campaign(Path(folder) / "t"), now=ticking(), chance=chance)
        for count in range(20):
            try:
                moved(table, data, count)
            except ActRefused:
                continue
        held = {entry.session for entry in table.latest()} | {1}
        told = {session: recap_text(table.recap(session, secrets=True)) for session in held}
        for session in held:
            players = table.recap(session)
            assert MARK not in recap_text(players)
            assert MARK not in json.dumps(json_output.recap(players))
        for entry in table.latest():
            # What comes before a session may be in its recap.
            texts = [told[entry.session]] if entry.session else [*told.values()]
            assert [one for one in _texts(entry) if not any(escape_markdown(one) in text for text in texts)] == []


def _texts(entry: LogEntry) -> list[str]:
    """What an entry says that is hidden."""
    return [fact.text for fact in entry.facts if isinstance(fact, NoteFact) and MARK in fact.text]


# -- the text


def at(minute: int) -> datetime:
    """So many minutes into the evening."""
    return datetime(2026, 1, 5, 20, tzinfo=UTC) + timedelta(minutes=minute)


def entry(
    number: int, words: str, *facts: Fact, root: int = 0, changes: tuple[Change, ...] = (), kind: str = "play"
) -> LogEntry:
    """An entry of the first session."""
    return LogEntry(number, at(number), words, facts, changes, root=root or number, session=1, kind=EntryKind(kind))


def told(*entries: LogEntry, title: str = "") -> Recap:
    """The recap of a session with these entries."""
    state = State("Tenacity", None, None, sessions={"1": Session("2026-01-05 20:00", title=title)})
    return recap(entries, state, 1)


def test_an_act_is_told_with_its_follow_ups_and_a_note_after_it() -> None:
    """What is asked after a roll stands with the roll, whatever was noted between them; a note is a quotation."""
    rolled = RollFact("NAV", (Face("NAV", 3, 6), Face("d10", 9, 10)), typed=True)
    recapped = told(
        entry(1, "roll nav", rolled),
        entry(2, 'note "Hush"', NoteFact("Hush"), kind="note"),
        entry(
            3,
            "focus 3",
            NoteFact("3 → 4", "VK-13"),
            OutcomeFact("success", "Success", OutcomeGrade.SUCCESS, "NAV"),
            root=1,
        ),
    )
    assert recap_text(recapped).splitlines()[4:7] == [
        "- NAV (d10): **Success**. 3 → 4.",
        "",
        "> Hush",
    ]


def test_a_session_in_which_nothing_was_done_says_so() -> None:
    """An empty session has its heading and one sentence."""
    assert recap_text(told()) == "# Tenacity: session 1\n\nSince 05 Jan 2026 20:00\n\nNothing was played.\n"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("*loud* _soft_ `code`", r"\*loud\* \_soft\_ \`code\`"),
        ("# Heading", r"\# Heading"),
        ("FOG EYE (#2) ##", r"FOG EYE (#2) \#\#"),
        ("[link](x) ![picture](y)", r"\[link\](x) !\[picture\](y)"),
        ("<script>", r"\<script>"),
        ("a | b", r"a \| b"),
        ("- item", r"\- item"),
        ("12. item", r"12\. item"),
        ("> quoted", r"\> quoted"),
        ("=====", r"\====="),
        ("~~gone~~", r"\~\~gone\~\~"),
        (r"back\slash", r"back\\slash"),
        ("&lt; and & alone", r"\&lt; and & alone"),
        ("two\nlines\r", "two lines␍"),
        ("\x1b[31mred\x07 \u202egnp", r"␛\[31mred␇ ‹U+202E›gnp"),
    ],
)
def test_nothing_in_a_name_is_markup_or_steers_a_terminal(text: str, safe: str) -> None:
    """Marks of Markdown are escaped, lines stay one line, control and direction characters are shown."""
    assert escape_markdown(text) == safe
    scene, note = NoteFact(f"Scene: {text}", quote=text), NoteFact(text)
    entries = entry(1, "scene", scene, kind="scene"), entry(2, "note", note, kind="note")
    lines = recap_text(told(*entries, title=text)).splitlines()
    assert lines[0] == f"# Tenacity: session 1, {safe}"
    assert f"## {safe}" in lines
    assert f"> {safe}" in lines


@pytest.mark.clause("NM-41")
def test_clocks_are_told_when_the_players_knew_of_them_and_still_do() -> None:
    """Started and filled, with the outcome where it is shown; one that is hidden by now, or was then, is left out."""
    start = (NoteFact("push clock “Ark”, 4 segments", "NM-29"),)
    entries = [
        entry(1, "clock", *start, changes=(Change(("clocks", "ark"), None, {"name": "Ark"}),)),
        entry(2, "tick", NoteFact("“Ark” +4, now 4/4"), changes=(Change(("clocks", "ark", "filled"), 0, 4),)),
        entry(3, "tick", NoteFact("“Fog” +1", secret=True), changes=(Change(("clocks", "fog", "filled"), 3, 4),)),
    ]
    clocks = {
        "ark": Clock("Ark", ClockKind.PUSH, 4, 4, outcome="They are through"),
        "fog": Clock("Fog", ClockKind.DEATH, 4, 4, outcome="Blind"),
    }
    state = State("Tenacity", None, None, clocks)
    assert [(one.clock.name, one.what, one.outcome) for one in recap(entries, state, 1).clocks] == [
        ("Ark", "started", ""),
        ("Ark", "filled", "They are through"),
    ]
    assert [one.clock.name for one in recap(entries, state, 1, secrets=True).clocks] == ["Ark", "Ark", "Fog"]
    hidden = State("Tenacity", None, None, {"ark": Clock("Ark", ClockKind.PUSH, 4, 4, seen=False)})
    assert recap(entries, hidden, 1).clocks == ()


@pytest.mark.clause("NM-41")
def test_a_closed_clock_is_told_with_its_ending_if_it_was_full(tmp_path: Path) -> None:
    """The closing of a clock that filled in another session is told; not that of a hidden clock, or of one that was reopened."""
    table = table_with(
        tmp_path / "t",
        'clock "Ark" 4 push',
        'clock "Fog" 4 push hidden',
        'clock "Tide" 4 push',
        "tick ark 4",
        "session begin",
        "close ark",
        "close fog",
        "close tide",
        "reopen tide",
    )
    assert [(one.clock.name, one.what) for one in table.recap().clocks] == [("Ark", "closed")]
    assert "- **Ark** closed at 4/4" in recap_text(table.recap())
    assert "**Fog** closed at 0/4 *(secret)*" in recap_text(table.recap(secrets=True))


@pytest.mark.clause("NM-41")
def test_clocks_are_told_as_they_are_whatever_moved_them(tmp_path: Path) -> None:
    """A form, a command that sets the value and an edit of the file count like a tick. What was emptied again didn't fill."""
    table = table_with(
        tmp_path / "t",
        'clock "Ark" 6 push',
        'clock "Tide" 4 push',
        'clock "Fire" 4 push hidden',
        'clock "Gale" 4 push hidden',
        "tick ark 5",
        "session begin",
        "tick ark 1",
        "set clocks.ark.filled 1",
        "tick tide 2",
        "set clocks.fire.filled 2",
        "show fire",
        "set clocks.fire.filled 3",
        "set clocks.gale.filled 2",
        "session end",
    )
    assert table.settle()
    saved(table.folder, 'name = "Tide"', 'name = "Tide"   # rising')
    table.refresh()
    recap_now = recap_text(table.recap())
    assert "- **Ark** 5 → 1 of 6" in recap_now
    assert "- **Tide** 0 → 2 of 4" in recap_now
    assert "- **Fire** 2 → 3 of 4" in recap_now
    assert "Gale" not in recap_now
    assert "- **Gale** 0 → 2 of 4" in recap_text(table.recap(secrets=True))
    for line in ("session begin", "show gale", "set clocks.gale.filled 3", "set clocks.tide.filled 0"):
        _done(table)(line)
    assert "- **Gale** 2 → 3 of 4" in recap_text(table.recap(3))
    assert "- **Tide** 2 → 0 of 4" in recap_text(table.recap(3))
    assert recap_text(table.recap(2)) == recap_now


@pytest.mark.clause("NM-41", "NM-49")
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("set clocks.fire.seen_by ana", "set clocks.fire.filled 4", "set clocks.fire.seen_by nothing"), ""),
        (("set clocks.fire.seen_by ana", "set clocks.fire.filled 4 clocks.fire.seen_by nothing"), ""),
        (("hide fire", "set clocks.fire.filled 4 clocks.fire.seen true"), ""),
        (("hide fire count", "set clocks.fire.filled 4 clocks.fire.count_seen true"), ""),
        (("set clocks.fire.filled 4 clocks.fire.seen_by ana", "set clocks.fire.seen_by nothing"), ""),
        (("hide fire", "set clocks.fire.filled 4", "show fire", "set clocks.fire.filled 5"), "- **Fire** 4 → 5 of 6"),
    ],
)
def test_a_clock_moves_for_those_who_saw_it_before_and_after(lines: Sequence[str], told: str, tmp_path: Path) -> None:
    """Whoever was shown a clock only then doesn't learn where it was; one that some players alone saw was hidden from all others."""
    players = CAMPAIGN.replace(MARK, "Sub") + '\n[players.ana]\nname = "Ana"\n'
    table = Table(written(tmp_path / "t", players), now=ticking(), chance=ChanceDice(Random(1).randrange))
    for line in ('clock "Fire" 6 push', "session begin", *lines):
        _done(table)(line)
    assert [line for line in recap_text(table.recap()).splitlines() if "Fire" in line] == [told] * bool(told)


@pytest.mark.clause("NM-41")
def test_what_was_hidden_before_a_session_stays_so_in_the_recap_of_what_came_between(tmp_path: Path) -> None:
    """It is worked out from the end of the log, over the sessions that came between."""
    table = table_with(
        tmp_path / "t",
        'clock "Fire" 6 push hidden',
        "set clocks.fire.filled 1",
        "session begin",
        "show fire",
        "session end",
        "hide fire",
        "show fire",
    )
    assert "Fire" not in recap_text(table.recap(0))


@pytest.mark.clause("NM-41")
def test_who_asks_for_the_spotlight_is_no_part_of_the_story(tmp_path: Path) -> None:
    """Neither that, nor who may act without asking, is in a recap."""
    players = CAMPAIGN.replace(MARK, "Sub") + '\n[players.ana]\nname = "Ana"\n'
    table = Table(written(tmp_path / "t", players), now=ticking(), chance=ChanceDice(Random(1).randrange))
    for line in ("session begin", "spotlight ana", "allow ana note", 'note "Rain"'):
        _done(table)(line)
    for secrets in (False, True):
        text = recap_text(table.recap(secrets=secrets))
        assert "> Rain" in text
        assert "Ana" not in text


# -- which session


def table_with(folder: Path, *lines: str) -> Table:
    """A table at which these acts were done."""
    table = Table(written(folder, CAMPAIGN.replace(MARK, "Sub")), now=ticking(), chance=ChanceDice(Random(1).randrange))
    for line in lines:
        _done(table)(line)
    return table


def _done(table: Table) -> Callable[[str], object]:
    return lambda line: getattr(table, line)() if line in ("undo", "redo") else table.play(table.understand(line))


def test_the_latest_session_is_told_unless_another_is_asked_for(tmp_path: Path) -> None:
    """What is noted between sessions is in none of them, and told as number 0; a session that was not is refused."""
    lines = (
        'note "before"',
        "session begin",
        'note "two"',
        "session end",
        'note "between"',
        "session begin",
        'note "three"',
    )
    table = table_with(tmp_path / "t", *lines)
    heads = {number: recap_text(table.recap(number)) for number in (0, 1, 2, 3)}
    assert recap_text(table.recap()) == heads[3]
    assert ["> three" in text for text in heads.values()] == [False, False, False, True]
    assert ["> two" in text for text in heads.values()] == [False, False, True, False]
    assert "> before\n\n> between\n" in heads[0]
    with pytest.raises(ActRefused, match=r"there is no session 9\. Sessions run from 1 to 3"):
        table.recap(9)


@pytest.mark.clause("NM-41")
def test_an_evening_that_was_played_before_its_session_started_is_in_its_recap(tmp_path: Path) -> None:
    """From the first roll on, and not what was prepared before it; neither what was played on another day, nor what is secret."""
    played = ("dice 2d6 2 3", 'note "after"', 'secret "hush"', "session begin", "session end")
    table = table_with(tmp_path / "t", 'note "before"', *played)
    last = recap_text(table.recap())
    assert "> after" in last
    assert "2d6" in last
    assert [word for word in ("before", "hush", "Nothing was played") if word in last] == []
    assert "> before" in recap_text(table.recap(0))
    assert "> after" not in recap_text(table.recap(0))
    table = table_with(tmp_path / "late", "dice 2d6 2 3")
    table = Table(table.folder, now=ticking(datetime(2026, 1, 6, 20, 0, tzinfo=UTC)), chance=Falling())
    for line in ("session begin", "session end"):
        _done(table)(line)
    assert "Nothing was played." in recap_text(table.recap())
    assert "2d6" in recap_text(table.recap(0))


# -- what belongs together

CREW = """\
format = 1
name = "Salt Lantern"
system = "veil-core"
log = "0001:0"

[ship]
core = { CPU = 2, HUL = 2, NAV = 2 }

[crew.mara]
name = "Mara"
focus = 2

[crew.joss]
name = "Joss"
vitality = 2

[clocks.hull]
name = "Hull breach"
kind = "catastrophe"
segments = 6

[clocks.reactor]
name = "Reactor"
kind = "death"
segments = 4
filled = 3
when_full = "damage ship"

[decks.hold]
name = "The hold"
known = "known"
cards.rope = { text = "A rope", luck = "good" }
"""


def lines_of(folder: Path, *acts: str, system: str = "veil-core") -> list[str]:
    """What the players' recap tells of these acts, line by line, without heading and counts."""
    table = Table(written(folder, CREW.replace("veil-core", system)), now=ticking(), chance=Falling())
    for line in acts:
        table.play(table.understand(line))
    return [
        line for line in recap_text(table.recap()).partition("\n## ")[0].splitlines() if line.strip().startswith("- ")
    ]


@pytest.mark.clause("VK-44", "NM-41")
def test_a_roll_to_heal_says_whom_it_treats(tmp_path: Path) -> None:
    """The recap says who treats whom, at the roll itself, also where a token is spent in place of dice."""
    assert lines_of(tmp_path / "t", "heal joss by-mara 4 3 3", "suffer 1") == [
        "- Mara rolls to treat Joss: **Success with drawback**. Joss: vitality +1, now 3. Mara takes damage. Mara loses suit life support.",
    ]


@pytest.mark.clause("VK-17", "NM-41")
def test_a_roll_that_the_wayfinder_called_desperate_says_so(tmp_path: Path) -> None:
    """The recap marks it, and a Standard roll has no mark."""
    assert lines_of(tmp_path / "t", "roll nav desperate 6 1", "roll nav 6 1") == [
        "- The ship makes a Desperate NAV roll: **Success**.",
        "- The ship rolls NAV: **Success**.",
    ]


@pytest.mark.clause("VN-03")
def test_a_roll_that_the_wayfinder_called_risky_says_so(tmp_path: Path) -> None:
    """In the rules of 2026 so is a Risky one."""
    told = lines_of(tmp_path / "t", "roll mara risky 6 1 1", system="veil-2026")
    assert told == ["- Mara makes a Risky roll: **Success**."]


@pytest.mark.clause("VK-20")
def test_in_a_group_each_rolls_call_stands_with_their_own_dice(tmp_path: Path) -> None:
    """Everyone who rolls has a line beneath the outcome of the group."""
    told = lines_of(tmp_path / "t", "group mara joss", "roll mara 6 1 1", "roll joss desperate 6 1")
    assert told == [
        "- Group: **Success**.",
        "  - Mara rolls: **Success**.",
        "  - Joss makes a Desperate roll: **Success**.",
    ]


@pytest.mark.clause("NM-24", "NM-41")
@pytest.mark.parametrize("between", ["tick reactor", "draw hold", 'clock "Fog" 4 push', 'note "Hush"'])
def test_a_clock_that_a_roll_fills_later_is_told_with_the_roll(between: str, tmp_path: Path) -> None:
    """Whatever was done between a roll and the clock that was offered for it, the clock belongs to the roll."""
    table = Table(written(tmp_path / "t", CREW), now=ticking(), chance=Falling())
    for line in ("roll hul 4 1", between, "on hull"):
        table.play(table.understand(line))
    acts = [act for scene in table.recap(secrets=True).scenes for act in scene.acts]
    assert "“Hull breach” +1, now 1/6" in [fact.text for fact in acts[0].facts if isinstance(fact, NoteFact)]
    assert "\n- **Hull breach** 0 → 1 of 6\n" in recap_text(table.recap())


@pytest.mark.clause("NM-25", "NM-41")
def test_an_effect_is_told_with_what_brought_it(tmp_path: Path) -> None:
    """A clock fills, other things are done, and then its effect and the clock of an earlier roll: each stands with its own act."""
    acts = ("roll hul 4 1", "tick reactor", 'clock "Fog" 4 push', "draw hold", "effect reactor", "return", "on hull")
    assert lines_of(tmp_path / "t", *acts) == [
        "- The ship rolls HUL: **Success with drawback**.",
        "- “Reactor” is full. The ship takes damage. Integrity is lost, with no further damage.",
        "- “The hold”: A rope (good). Card returned to “The hold”: A rope (good).",
    ]


@pytest.mark.clause("NM-41")
def test_dice_that_are_rolled_again_are_told_once(tmp_path: Path) -> None:
    """The recap has no dice, so that a second roll would read as another one."""
    shutil.copytree(EXAMPLES / "return-to-sender", tmp_path / "t")
    table = Table(tmp_path / "t", now=ticking(), chance=Falling())
    for line in ("session begin", "roll talk anso 1 1", "favour 2", "keep"):
        _done(table)(line)
    assert recap_text(table.recap()).count("Anso rolls Talk") == 1


@pytest.mark.clause("VK-13", "NM-41")
def test_an_answer_is_told_with_its_roll(tmp_path: Path) -> None:
    """The recap tells an answer with its roll, also where something else was done in between."""
    assert lines_of(tmp_path / "t", "roll mara 5 1 1", "tick reactor", "focus 5") == [
        "- Mara rolls: **Success**.",
        "- “Reactor” is full.",
    ]


def test_only_what_holds_is_told(tmp_path: Path) -> None:
    """What was taken back is gone, what was put back is there again, and a rewound scene leaves nothing."""
    table = table_with(
        tmp_path / "t", "session begin", 'note "one"', "undo", 'note "two"', "undo", "redo", "scene Dark"
    )
    table.play(table.understand('note "three"'))
    table.rewind()
    quoted = [line for line in recap_text(table.recap()).splitlines() if line.startswith((">", "-", "##"))]
    assert quoted == ["> two", "## Dark"]
