"""Keys that are typed faster than the window follows: each one waits until the one before it is done."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, drained, looked, playing, seen
from waylog.app.keyboard_and_pastes import KeyQueue
from waylog.ui.main_screen import MainScreen


def key(name: str, time: float = 0.0) -> events.Key:
    """A key that was pressed at that time."""
    event = events.Key(name, name if len(name) == 1 else None)
    event.time = time
    return event


def test_a_key_waits_until_all_before_it_are_done() -> None:
    """Keys act in the order in which they were pressed, each after all before it are done."""
    queue = KeyQueue()
    first, second, third = key("a", 1.00), key("b", 1.01), key("c", 1.02)
    assert queue.add(first)
    assert queue.take() is first
    number = queue.number_handled()
    assert not queue.add(second)
    assert not queue.add(third)
    assert queue.finish(number)
    assert queue.take() is second
    number = queue.number_handled()
    assert len(queue) == 1
    assert queue.finish(number)
    assert queue.take() is third
    assert not queue.finish(queue.number_handled())
    assert queue.take() is None


def test_a_key_that_is_never_done_holds_up_nothing_for_long() -> None:
    """A tenth of a second after it, the next key is handled all the same."""
    queue = KeyQueue(clock=lambda: 1.0)
    queue.add(key("a", 1.0))
    queue.take()
    number = queue.number_handled()
    assert not queue.add(key("b", 1.05))
    assert queue.add(key("c", 1.2))
    assert queue.take() is not None
    queue.number_handled()
    assert not queue.finish(number), "an older key says nothing of the last one"


def test_a_key_that_has_waited_itself_is_waited_for_as_long() -> None:
    """What counts is when it was handled: behind keys that were typed before there was a window, the next one waits too."""
    queue = KeyQueue([key("a", 1.0), key("b", 1.0)], clock=lambda: 3.0)
    queue.take()
    queue.number_handled()
    assert not queue.add(key("c", 3.05))
    assert queue.add(key("d", 3.2))


def test_somebody_who_has_paused_types_no_key() -> None:
    """Not while a key waits or is being handled, nor right after one."""
    queue = KeyQueue()
    assert queue.is_resting(1.0)
    queue.add(key("a", 1.0))
    assert not queue.is_resting(9.0)
    queue.take()
    number = queue.number_handled()
    assert not queue.is_resting(9.0)
    queue.finish(number)
    assert not queue.is_resting(1.1)
    assert queue.is_resting(9.0)


async def test_no_key_overtakes_those_that_wait_for_a_screen(tmp_path: Path) -> None:
    """Help is opened and closed, and the last key goes to the window, although help is open when it comes."""
    async with playing(tmp_path) as (pilot, _):
        app = pilot.app
        await asyncio.gather(*(app.on_event(key(name)) for name in ("down", "question_mark", "escape")))
        for _ in range(1000):
            if not isinstance(app.screen, MainScreen):
                break
            await asyncio.sleep(0)
        await app.on_event(key("3"))
        await drained(pilot)
        assert isinstance(app.screen, MainScreen)
        assert "The log is empty" in seen(pilot)


@pytest.mark.parametrize(("seconds", "is_stray"), [(0.4, True), (2.0, False)])
def test_the_first_enter_counts_once_a_campaign_has_been_open_for_a_while(seconds: float, is_stray: bool) -> None:
    """Just after the campaign was chosen with Enter, it was pressed twice; whoever has looked at the window means it."""
    queue = KeyQueue(clock=lambda: 5.0, swallows_enter=True)
    queue.add(key("enter", 5.0 + seconds))
    queue.take()
    assert queue.is_stray == is_stray


def test_an_enter_of_habit_behind_a_key_that_has_acted_does_nothing() -> None:
    """One Enter is taken for a habit, if it comes at once. The next one, or one after a pause, is meant; so is one behind Enter."""
    queue = KeyQueue()

    def is_stray(name: str, time: float) -> bool:
        queue.add(key(name, time))
        queue.take()
        return queue.is_stray

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("waylog.app.keyboard_and_pastes.STRAY", 0.7)
        assert not is_stray("m", 1.0)
        assert not is_stray("enter", 1.2), "the letter did nothing"
        for name, enters in (("m", (True, False)), ("enter", (False, False))):
            is_stray(name, 5.0)
            queue.note_act()
            assert (is_stray("enter", 5.3), is_stray("enter", 5.4)) == enters
        is_stray("m", 7.0)
        queue.note_act()
        assert not is_stray("enter", 8.0)


async def test_a_habitual_enter_opens_no_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marking somebody as Exposed needs no Enter; one that is pressed all the same is dropped, and the key after it is a key again."""
    async with playing(tmp_path) as (pilot, table):
        monkeypatch.setattr("waylog.app.keyboard_and_pastes.STRAY", 0.7)
        await _typed_at_once(pilot, "x", "m", "enter")
        assert table.entry(1).words == "expose mara"
        assert isinstance(pilot.app.screen, MainScreen)
        assert not pilot.app.screen.window.typing
        await pilot.app.on_event(key("r", 12.0))
        await drained(pilot)
        assert pilot.app.screen.window.typing


async def _typed_at_once(pilot: Pilot[None], *keys: str) -> None:
    """Type keys as one types a word: each is handled before the next, a fifth of a second later."""
    for number, name in enumerate(keys):
        await pilot.app.on_event(key(name, 10 + number / 5))
        await drained(pilot)


async def _typed_in_one_go(pilot: Pilot[None], word: str) -> None:
    """Type letters that lie as close together as those of a word, whether one of them waits for the next or not."""
    for number, name in enumerate(word):
        await pilot.app.on_event(key(name, 20 + number / 5))
    await drained(pilot)


async def test_the_rest_of_a_refused_word_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`Z` with nothing to decline, then the reason: it does not become a secret note. After a pause, keys are keys again."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    async with playing(tmp_path) as (pilot, table):
        await _typed_at_once(pilot, *"ZNotyet", "enter")
        assert "No player has proposed anything" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.app.on_event(key("n", 11.8))
        await drained(pilot)
        assert "note ›" in seen(pilot)


async def test_the_rest_of_a_word_whose_first_letter_was_an_answer_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`comp` at “which background?” takes that answer, and presses no `m` and no `p`; neither does its Enter answer what comes next."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    text = 'format = 1\nname = "Ring"\nsystem = "emissaries"\nlog = "0001:0"\ncrew.ilka = { name = "Ilka" }\n'
    async with playing(tmp_path, text=text) as (pilot, table):
        assert isinstance(pilot.app.screen, MainScreen)
        table.play(table.understand("make ilka"))
        looked(pilot)
        await pilot.pause()
        await pilot.app.screen.action_look("crew")
        await pilot.pause()
        await _typed_at_once(pilot, *"comp", "enter")
        assert table.snapshot.entries == 2
        assert isinstance(pilot.app.screen, MainScreen)
        assert not pilot.app.screen.window.typing
        await pilot.app.on_event(key("u", 12.0))
        await drained(pilot)
        assert "Undo" in seen(pilot)


RING = 'format = 1\nname = "Ring"\nsystem = "emissaries"\nlog = "0001:0"\ncrew.ilka = { name = "Ilka" }\n'


@pytest.mark.parametrize(
    ("word", "played"),
    [
        ("stop", "later"),
        ("well", "background well-rounded"),
        ("strong", "background strong-history"),
        ("sx", "background strong-history"),
        ("s", "background strong-history"),
    ],
)
async def test_a_word_that_is_typed_decides_and_not_its_first_letter(
    word: str, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`s` is *Strong History* and begins *Stop here*; `w` is *why*. Each waits for the next letter of a word, and acts by itself if none
    comes, or one that goes on with no answer.
    """
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    async with playing(tmp_path, text=RING) as (pilot, table):
        table.play(table.understand("make ilka"))
        looked(pilot)
        await pilot.pause()
        await _typed_in_one_go(pilot, word)
        assert isinstance(pilot.app.screen, MainScreen), "no other key has opened a screen"
        assert table.entry(2).words == played
        assert table.snapshot.entries == 2
        assert not pilot.app.screen.window.typing


async def test_a_name_that_is_typed_in_a_list_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter of one clock begins the name of another: typed on, the name decides. A letter before another key acts by itself."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    clocks = "".join(f'\n[clocks.{key}]\nname = "{key.title()}"\nsegments = 6\n' for key in ("hull", "harbour", "fog"))
    async with playing(tmp_path, text=CAMPAIGN + clocks) as (pilot, table):
        await _typed_in_one_go(pilot, "tharb")
        assert [table.snapshot.clocks[key].filled for key in ("hull", "harbour")] == [0, 1]
        await _typed_in_one_go(pilot, "thtf")
        assert [table.snapshot.clocks[key].filled for key in ("hull", "harbour", "fog")] == [1, 1, 1]


@pytest.mark.parametrize(("word", "entries"), [("yes", 1), ("no", 0)])
async def test_yes_and_no_may_be_typed_as_words(
    word: str, entries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`yes` shows the clock, and presses no `e` and no `s`; the `o` of `no` takes no offer."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\nfilled = 4\nseen = false\n'
    async with playing(tmp_path, text=CAMPAIGN + clock) as (pilot, table):
        await pilot.press("v", "f")
        assert "Esc keeps it hidden" in seen(pilot)
        await _typed_at_once(pilot, *word, "enter")
        assert table.snapshot.entries == entries
        assert isinstance(pilot.app.screen, MainScreen)
        assert not pilot.app.screen.window.typing


async def test_the_rest_of_a_word_that_a_list_refuses_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`qh 2` begins with no letter of the list of clocks: its `h` ticks no hull. After a pause, the list takes letters again."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    text = CAMPAIGN + '\n[clocks.hull]\nname = "Hull breach"\nsegments = 6\n'
    async with playing(tmp_path, text=text) as (pilot, table):
        await _typed_at_once(pilot, "t")
        for number, name in enumerate("qh2h"):
            await pilot.app.on_event(key(name, 20 + number / 5))
        await drained(pilot)
        assert "No choice has the letter “q”" in seen(pilot)
        assert table.snapshot.entries == 0
        await pilot.app.on_event(key("h", 22.0))
        await drained(pilot)
        assert table.snapshot.clocks["hull"].filled == 1


@pytest.mark.parametrize("opens", ["i", "question_mark", "p", "e"])
async def test_keys_behind_the_esc_that_closes_a_screen_act_one_by_one(opens: str, tmp_path: Path) -> None:
    """They came while it was open, and it didn't take them: the line that the first of them opens has the others."""
    async with playing(tmp_path) as (pilot, _):
        for name in (opens, "escape", *"nabc"):
            pilot.app.simulate_key(name)
        await drained(pilot)
        assert "note › abc" in seen(pilot)


async def test_a_key_that_is_no_part_of_the_word_acts_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever types keys fast loses none: `h` of the clocks ticks the hull, and `n` right behind it opens a note."""
    monkeypatch.setattr("waylog.app.keyboard_and_pastes.WORD_PAUSE", 0.3)
    text = CAMPAIGN + '\n[clocks.hull]\nname = "Hull breach"\nsegments = 6\n'
    async with playing(tmp_path, text=text) as (pilot, table):
        await _typed_at_once(pilot, "t", *"hull", "enter")
        assert table.snapshot.clocks["hull"].filled == 1
        assert "↶ Undo “" not in seen(pilot)
        await _typed_at_once(pilot, "t", "h", "n")
        assert table.snapshot.clocks["hull"].filled == 2
        assert "note ›" in seen(pilot)
