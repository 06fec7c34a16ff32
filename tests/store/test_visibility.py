"""What players may see of what was said: the recap and the players' file leave out the same, whatever is hidden, and when."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.table import saved, table_at, written
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.state import EntryKind
from waylog.rules.what_players_know import Visibility
from waylog.store.players import players_file
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table
from waylog.words.sentences import sight_of

CAMPAIGN = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"

[crew.mara]
name = "Mara"

[clocks.reactor]
name = "Reactor"
kind = "catastrophe"
segments = 4

[decks.keeper]
name = "The keeper"
known = "known"
cards.ledger = { text = "A ledger", luck = "bad" }
"""
OPEN = 'name = "Calloway"\nseen = true\nentries = ["Rain", "d6 gulls"]\n'


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign in which players see everything, in a session that has begun."""
    folder = written(tmp_path / "t", CAMPAIGN)
    (folder / "tables").mkdir()
    (folder / "tables" / "calloway.toml").write_text(OPEN)
    table = table_at(folder)
    table.add_reader()
    done(table, "session begin")
    return table


def done(table: Table, *lines: str) -> None:
    """Do these, one after another."""
    for line in lines:
        table.play(table.understand(line))


def told(table: Table) -> tuple[str, str]:
    """The players' file and their recap."""
    table.settle()
    return (table.folder / players_file.FILE).read_text(), recap_text(table.recap())


def in_both(table: Table, text: str, summed: str = "") -> bool:
    """Players read it in their file and in their recap; in neither or in both. `summed` is how the recap says it, if it does so
    in other words: it sums up the clocks.
    """
    file, recap = told(table)
    assert (text in file) is ((summed or text) in recap)
    return text in file


TIDE = ('clock "The tide turns" 8 augury', "tick the-tide-turns", "time passes", 'note "Look: the tide turns, slowly"')


@pytest.mark.clause("NM-20", "NM-41")
def test_a_clock_that_is_hidden_is_named_nowhere_that_players_read(table: Table) -> None:
    """Not in what was said while they saw it, not by hand, not in a scene's title; it is all there again once it is shown."""
    done(table, *TIDE, 'scene "When the tide turns"', "roll mara")
    assert in_both(table, "“The tide turns” +1, now 2/8", "**The tide turns** started, 0 → 2 of 8")
    assert in_both(table, "Look: the tide turns")
    done(table, "hide clock the-tide-turns")
    for text in told(table):
        assert "tide" not in text.lower()
    assert "## A new scene\n\n- Mara rolls: **Fiasco**" in told(table)[1]
    assert "“The tide turns” +1, now 2/8" in recap_text(table.recap(secrets=True))
    done(table, "show clock the-tide-turns")
    assert in_both(table, "“The tide turns” +1, now 2/8", "**The tide turns** started, 0 → 2 of 8")
    assert in_both(table, "Look: the tide turns")


@pytest.mark.clause("NM-20", "NM-41")
def test_how_full_a_clock_was_is_hidden_with_its_progress(table: Table) -> None:
    """That there is one is still known; each count that was told is not."""
    done(table, *TIDE, "hide clock the-tide-turns count")
    assert in_both(
        table, "New augury clock: “The tide turns”, 8 segments", "**The tide turns** started, augury, 8 segments"
    )
    assert not in_both(table, "now 1/8", "0→")
    assert not in_both(table, "now 2/8", "→2")


@pytest.mark.clause("NM-20", "NM-41")
def test_what_was_secret_when_it_was_said_stays_so(table: Table) -> None:
    """Players who are shown a clock are shown how it stands, and not what it was filled by while it was hidden."""
    done(table, "hide clock reactor", "tick reactor", "show clock reactor", "tick reactor")
    assert not in_both(table, "now 1/4", "0→")
    assert in_both(table, "now 2/4", "**Reactor** 1 → 2 of 4")


@pytest.mark.clause("NM-14", "NM-41")
def test_a_card_is_hidden_with_its_deck(table: Table) -> None:
    """A card is hidden with its deck, even if it was drawn while players knew the deck."""
    done(table, "draw keeper")
    assert in_both(table, "A ledger")
    done(table, "hide deck keeper")
    for text in told(table):
        assert "ledger" not in text
        assert "keeper" not in text


@pytest.mark.clause("NM-04", "NM-41")
def test_what_came_of_a_table_is_hidden_with_it(table: Table) -> None:
    """As soon as its file says so, dice and all; what it leads to as well."""
    done(table, "table calloway 2 3")
    assert in_both(table, "gulls")
    (table.folder / "tables" / "calloway.toml").write_text(OPEN.replace("seen = true\n", ""))
    table.refresh()
    for text in told(table):
        assert "gulls" not in text
        assert "Calloway" not in text


@pytest.mark.clause("NM-20", "NM-41")
def test_a_clock_that_is_gone_is_not_told_of(table: Table) -> None:
    """Whoever takes a hidden clock out of the file does not show it by that."""
    done(table, *TIDE, "hide clock the-tide-turns")
    table.settle()
    text = (table.folder / "campaign.toml").read_text()
    start = text.index("[clocks.the-tide-turns]")
    saved(table.folder, text[start : text.find("\n[", start) + 1 or len(text)], "")
    table.refresh()
    assert "the-tide-turns" not in table.snapshot.clocks
    for part in told(table):
        assert "tide" not in part.lower()


@pytest.mark.clause("NM-41")
def test_what_hides_a_note_is_marked_for_the_wayfinder(table: Table) -> None:
    """A note that names a hidden clock is as hidden as the clock; one that names part of its name is not."""
    done(table, *TIDE[:1], "hide clock the-tide-turns", 'note "The tide turns now"', 'note "The tide turnstile"')
    sight = Visibility(table.snapshot.clocks, table.snapshot.decks, table.snapshot.situations, table.snapshot.tables)
    assert [sight.hides_entry(table.entry(table.snapshot.entries - back)) for back in (1, 0)] == [True, False]
    assert in_both(table, "The tide turnstile")


def test_what_a_fact_is_about_is_not_told_to_players(table: Table) -> None:
    """Keys are the wayfinder's own words."""
    done(table, "tick reactor")
    assert all(
        not fact.about for act in table.projection().log for fact in act.facts if isinstance(fact, NoteFact | RollFact)
    )
    assert "clocks.reactor" not in told(table)[0]


@pytest.mark.clause("NM-20", "NM-41")
def test_a_log_that_does_not_say_what_its_facts_are_about_tells_no_hidden_name(table: Table) -> None:
    """As Waylog 0.1 wrote it: the name in quotation marks is enough, unless something that is seen is called the same."""
    old = NoteFact("“Reactor” +1, now 1/4", "NM-26")
    entry = replace(table.entry(1), facts=(old, NoteFact("Session 1 starts")))
    clocks = {"reactor": Clock("Reactor", seen=False)}
    assert Visibility(clocks, {}, {}, {}).facts(entry) == entry.facts[1:]
    assert Visibility({**clocks, "other": Clock("Reactor")}, {}, {}, {}).facts(entry) == entry.facts


@pytest.mark.clause("NM-20", "NM-41")
def test_a_players_note_is_not_hidden_by_what_it_names(table: Table) -> None:
    """Players see their note that names a hidden clock, even one that Waylog 0.2 has logged as about it. The clock stays hidden."""
    note = NoteFact("Is it the “Reactor”?", about=("clocks.reactor",))
    moved = NoteFact("“Reactor” +1, now 1/4", "NM-26", about=("clocks.reactor.filled",))
    sight = Visibility({"reactor": Clock("Reactor", seen=False)}, {}, {}, {})
    theirs = replace(table.entry(1), by="ana", kind=EntryKind.NOTE, facts=(note,))
    assert sight.facts(theirs) == (replace(note, about=()),)
    assert not sight.facts(replace(theirs, by=""))
    assert not sight.facts(replace(theirs, kind=EntryKind.PLAY, facts=(moved,)))
    assert not sight.facts(replace(theirs, facts=(replace(note, secret=True),)))


@pytest.mark.parametrize(
    "about",
    ["clocks.none", "clocks", "decks.keeper", "decks.keeper.cards.none", "tables.none", "crew.mara", ""],
)
def test_what_is_not_there_is_not_seen(table: Table, about: str) -> None:
    """Whatever a log or a person has written."""
    state = table.snapshot
    assert not Visibility(state.clocks, state.decks, {}, state.tables).sees(about)
    assert Visibility(state.clocks, state.decks, {}, state.tables, everything=True).sees(about)


def test_what_facts_are_about_is_kept_in_the_log(table: Table) -> None:
    """The log keeps what facts are about, so that a window that is opened later hides the same."""
    done(table, "tick reactor", "table calloway 2 3")
    again = table_at(table.folder)
    assert [again.entry(number) for number in (1, 2, 3)] == [table.entry(number) for number in (1, 2, 3)]
    assert [fact.about for fact in again.entry(2).facts if isinstance(fact, NoteFact)] == [("clocks.reactor.filled",)]
    assert {fact.about for fact in again.entry(3).facts if isinstance(fact, NoteFact | RollFact)} == {
        ("tables.calloway",),
        ("tables.calloway.2",),
    }


def test_undo_names_a_situation_that_players_would_see_again(table: Table) -> None:
    """As it names clocks and decks."""
    done(table, 'situation "Plague" desperate', "set situations.plague.seen false")
    assert table.shown_by_undo(table.snapshot.undo) == ("“Plague”",)


def test_the_wayfinders_screen_knows_which_situations_players_see(table: Table) -> None:
    """The sign for what is hidden stands at what is hidden, and nowhere else."""
    done(table, 'situation "Plague" desperate')
    assert not sight_of(table.snapshot).hides_entry(table.snapshot.act[-1])
    done(table, "set situations.plague.seen false")
    assert sight_of(table.snapshot).hides_entry(table.entry(2))
    assert all("Plague" not in text for text in told(table))
