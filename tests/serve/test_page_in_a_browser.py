"""The page in a real browser: a phone in a player's hand, and a television on the wall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

import waylog
from tests.kit import browser as browsers
from tests.kit.browser import Browser, Window
from tests.kit.phone import serving
from tests.kit.thorough import cases
from tests.store.test_proposals import Seat
from waylog.store.players.pause_and_presence import Attendance, end_pause, is_paused, mark_shown

pytestmark = pytest.mark.skipif(browsers.PROGRAM is None, reason="no Chromium on this machine")
PAGE = Path(waylog.__file__).parent / "serve" / "page"
PHONE, WALL = (390, 844), (1920, 1080)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    with browsers.browser(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture(autouse=True)
def _nothing_is_thrown(chromium: Browser) -> Iterator[None]:
    """No page throws an error, and none asks for anything that its security policy forbids."""
    chromium.errors.clear()
    yield
    assert chromium.errors == []


class Sitting(Seat):
    """A table with a wayfinder, and the page for its players and its wall."""

    addresses: Mapping[str, str]

    def look(self) -> None:
        """The wayfinder's program looks for what players send, and is there for them."""
        self.table.refresh()
        self.table.settle()

    def play(self, words: str) -> None:
        """The wayfinder plays."""
        self.table.play(self.table.understand(words))
        self.table.settle()

    def proposal(self) -> str:
        """The one proposal that waits, once it is there."""
        self.look()
        (found,) = self.table.proposals
        return found.id

    def accept(self) -> None:
        """The wayfinder plays what waits."""
        self.table.accept(self.proposal())
        self.table.settle()


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sitting]:
    """Everybody sits down. Ana plays Odile."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    room = Sitting(tmp_path / "trial", *[5, 6] * 50)
    present = Attendance(room.folder)
    present.hold(("ana", "ben"))
    room.look()
    with serving(room.folder) as room.addresses:
        yield room
    present.end()


@contextmanager
def phone(chromium: Browser, room: Sitting, **chosen: str) -> Iterator[Window]:
    """Ana's phone, with her page."""
    with chromium.window(*PHONE, **chosen) as window:  # type: ignore[arg-type]
        window.open(room.addresses["ana"])
        window.see("Odile", "#mine")
        yield window


@contextmanager
def wall(chromium: Browser, room: Sitting, size: tuple[int, int] = WALL) -> Iterator[Window]:
    """The television of the table."""
    with chromium.window(*size) as window:
        window.open(room.addresses[""])
        window.see("Odile", "#idle")
        yield window


def ask_while_asleep(ana: Window) -> None:
    """Ana's phone sleeps, and she asks for the spotlight: that waits for a connection."""
    ana.press("More")
    ana.sleep(asleep=True)
    # A connection that is open outlives the browser's word that there is none.
    ana.run("import('/page.js').then((page) => page.feed.stop.abort())")
    ana.press("Ask for the spotlight (Ana)")
    ana.see("will be sent when you are back online", "#sent")


def faults(window: Window) -> object:
    """What axe-core finds wrong, and what is too small for a finger or wider than the window."""
    axe = find_spec("axe_playwright_python")
    assert axe
    assert axe.origin
    if not window.run("Boolean(window.axe)"):
        window.run((Path(axe.origin).parent / "axe.min.js").read_text(encoding="utf-8"))
    return window.run("""axe.run(document, {resultTypes: ["violations"]}).then((found) => [
        ...found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html)}`),
        ...[...document.querySelectorAll("button, summary, .chip span, input:not([type=radio], [type=checkbox])")]
            .filter((one) => one.checkVisibility() && (one.offsetHeight < 44 || one.offsetWidth < 44))
            .map((one) => `too small: ${one.outerHTML}`),
        document.documentElement.scrollWidth > innerWidth && "wider than the window"].filter(Boolean))""")


# -- the phone -----------------------------------------------------------------------------------------------------------


def test_from_the_code_to_a_roll_with_real_dice(chromium: Browser, room: Sitting) -> None:
    """A newcomer presses five things and types the dice. The wayfinder plays it, and its question is answered on the phone."""
    with phone(chromium, room) as ana:
        assert "#" not in ana.run("location.href")  # The key is on no screen.
        ana.press("Roll")
        ana.press("Roll for Odile")
        ana.see("with 1 Focus", "#sheet")
        ana.press("tether gun")
        ana.see("5d6: vitality 3 + tether gun 2", "#sheet")
        for face in (5, 2, 1, 4, 3):
            ana.press(str(face))
        ana.press("Send these dice")
        ana.see("Roll for Odile: tether gun, real dice 5 2 1 4 3: waiting for the wayfinder", "#sent")
        room.accept()
        ana.see("played", "#sent")
        ana.see("Spend Focus", "#question")
        ana.press("Keep")
        ana.see("waiting for the wayfinder", "#sent")
        room.look()
        ana.see("Success", "#roll .outcome")
        assert ana.run("[...document.querySelectorAll('#roll .die')].map((one) => one.textContent).join('')") == "52143"
    assert [faces for faces in (entry.faces for entry in room.table.entries()) if faces] == [(5, 2, 1, 4, 3)]


def test_a_press_counts_once(chromium: Browser, room: Sitting) -> None:
    """Whoever presses twice, or again because nothing seems to happen, has sent it once."""
    with phone(chromium, room) as ana:
        ana.press("Roll")
        ana.press("Roll for Odile")
        ana.see("Fiasco", "#sheet")
        ana.press("Let Waylog roll", times=2)
        ana.see("waiting for the wayfinder", "#sent")
        ana.press("More")
        ana.press("Ask for the spotlight (Ana)", times=3)
        ana.see("Ana asks for the spotlight", "#sent")
        room.look()
        assert [each.words for each in room.table.proposals] == ["roll odile", "spotlight ana"]


@pytest.mark.parametrize("opens", [False, True])
def test_the_sheet_is_closed_by_the_answer_alone(chromium: Browser, room: Sitting, opens: bool) -> None:
    """A second press meanwhile does nothing. Of a sheet that was opened before the answer came, nothing is lost."""
    with phone(chromium, room) as ana:
        ana.press("Roll")
        ana.press("Roll for Odile")
        ana.see("Fiasco", "#sheet")
        ana.run("""{
            const [ask, late] = [fetch, new Promise((come) => (window.answerNow = come))];
            fetch = async (path, ...rest) => {
                const answer = await ask(path, ...rest);
                if (path.endsWith("/act")) await late;
                return answer;
            };
        }""")
        ana.press("Let Waylog roll", times=2)
        assert ana.run("document.querySelector('#sheet').open")
        if opens:
            ana.press("Close")
            ana.press("More")
        ana.run("answerNow()")
        ana.see("waiting for the wayfinder", "#sent")
        ana.wait(f"document.querySelector('#sheet').open === {str(opens).lower()}")
        assert not opens or ana.run(
            "document.querySelector('#sheet').textContent.includes('Ask for the spotlight (Ana)')"
        )
        room.look()
        assert [each.words for each in room.table.proposals] == ["roll odile"]


def test_a_word_for_what_is_declined_and_a_way_back(chromium: Browser, room: Sitting) -> None:
    """A note that may be played at once is in the log; a proposal is declined with a word, or taken back while it waits."""
    with phone(chromium, room) as ana:
        ana.press("Note")
        ana.type("Note", "I lock <b>the door</b>")
        ana.press("Send")
        ana.see("waiting for the wayfinder", "#sent")
        room.look()
        ana.see("I lock <b>the door</b>", "#log")
        assert ana.run("document.querySelector('#log b')") is None
        for answer in ("first the door", ""):
            ana.press("More")
            ana.press("Ask for the spotlight (Ana)")
            ana.see("spotlight: waiting", "#sent")
            if answer:
                room.table.decline(room.proposal(), answer)
                ana.see("declined — first the door", "#sent")
            else:
                ana.press("Take back")
                ana.see("taken back", "#sent")
        room.look()
        assert room.waiting == []


def test_dice_that_a_roll_waits_for_are_typed_on_the_phone(chromium: Browser, room: Sitting) -> None:
    """The pad has as many dice as are missing; nobody else is asked for them."""
    with phone(chromium, room) as ana:
        room.play("roll odile 6")
        for face in (5, 4):
            ana.press(str(face))
        ana.press("Send these dice")
        ana.see("waiting for the wayfinder", "#sent")
        room.accept()
        ana.see("Spend Focus", "#question")
        room.play("keep")
        room.play("roll bram 6")
        ana.see("Waiting for another player", "#question")
        assert ana.run("document.querySelector('#question button')") is None


def test_a_pause_has_to_be_meant(chromium: Browser, room: Sitting) -> None:
    """The key is held, or pressed twice. Every screen is calm until the wayfinder goes on."""
    with phone(chromium, room) as ana, wall(chromium, room) as table:
        ana.press("Pause")
        ana.see("hold the button, or press it again", "#news")
        assert not is_paused(room.folder)
        ana.press("Pause")
        for window in (ana, table):
            window.see("The game is paused", "#pause[open]")
        assert is_paused(room.folder)
        mark_shown(room.folder)
        assert "aloud" not in ana.run("document.querySelector('#pause').innerText").lower()
        end_pause(room.folder)
        for window in (ana, table):
            window.wait("!document.querySelector('#pause').open")
        ana.press("Pause", release=False)
        ana.see("The game is paused", "#pause[open]")


def test_after_sleep_one_line_says_what_happened(chromium: Browser, room: Sitting) -> None:
    """What was pressed without a connection goes out by itself when there is one again, once. Who comes late has a list instead."""
    with phone(chromium, room) as ana:
        ask_while_asleep(ana)
        room.play("note The lamp goes out")
        room.play("tick storm")
        ana.sleep(asleep=False)
        ana.see("The storm", "#news")
        ana.see("And 1 more before that", "#news")
        assert ana.run("document.querySelector('#missed').hidden")
        ana.see("waiting for the wayfinder", "#sent")
        room.look()
        assert [each.words for each in room.table.proposals] == ["spotlight ana"]
    with chromium.window(*PHONE) as ben:
        ben.open(room.addresses["ben"])
        ben.see("The lamp goes out", "#missed")
        ben.press("Got it")
        ben.wait("document.querySelector('#missed').hidden")


def test_what_was_pressed_outlives_the_page(chromium: Browser, room: Sitting) -> None:
    """A phone may end a page while it sleeps, and load it again. What was pressed without a connection goes out then, once."""
    with phone(chromium, room) as ana:
        ask_while_asleep(ana)
        ana.open("about:blank")
        ana.sleep(asleep=False)
        ana.open(room.addresses["ana"].partition("#")[0])
        ana.see("waiting for the wayfinder", "#sent")
        room.look()
        assert [each.words for each in room.table.proposals] == ["spotlight ana"]
        assert ana.run("sessionStorage.outbox") == "[]"


def test_real_dice_for_a_table_and_for_free_dice(chromium: Browser, room: Sitting) -> None:
    """Whatever takes dice takes those that fell on the table."""
    (room.folder / "tables").mkdir()
    (room.folder / "tables" / "weather.toml").write_text(
        'name = "Weather"\nseen = true\nentries = ["Rain", "Fog", "Sun"]\n'
    )
    room.look()
    with phone(chromium, room) as ana:
        ana.press("More")
        ana.press("Roll d3 on “Weather”")
        ana.see("Weather d3", "#sheet")
        ana.press("2")
        ana.press("Send these dice")
        ana.see("waiting for the wayfinder", "#sent")
        room.accept()
        ana.see("Fog", "#log")
        ana.press("More")
        ana.press("Roll dice")
        ana.press("2d6")
        ana.see("2d6 d6", "#sheet")
        for face in (3, 4):
            ana.press(str(face))
        ana.press("Send these dice")
        ana.see("waiting for the wayfinder", "#sent")
        room.accept()
        ana.see("2d6 = 7", "#log")
    assert [faces for faces in (entry.faces for entry in room.table.entries()) if faces] == [(3, 4), (2,)]


def test_the_rule_behind_a_word_is_one_press_away(chromium: Browser, room: Sitting) -> None:
    """Words of the sheet that have a rule are underlined. What one player alone sees says so, and is on no other screen; an address that
    isn't valid shows nothing at all.
    """
    with chromium.window(*PHONE) as thief:
        thief.open(room.addresses["ana"].partition("#")[0] + "#AAAAAAAAAAAAAAAAAAAAAA")
        thief.wait("document.querySelector('#trouble').textContent")
        assert "Odile" not in thief.run("document.body.innerText")
    with phone(chromium, room) as ana, wall(chromium, room) as table:
        ana.press("Focus")
        ana.see("hold at most 3", "#sheet")
        room.play("only clock voice ana")
        room.play("tick storm")
        ana.see("What learned to count only for Ana", "#clocks")
        table.see("1 of 4", "#clocks")
        assert "learned to count" not in table.run("document.body.innerText")


def test_a_called_roll_is_answered_from_the_question(chromium: Browser, room: Sitting) -> None:
    """Who is called has the roll on top, with odds and dice like any other; nobody else is asked for it."""
    with phone(chromium, room) as ana:
        room.play("call bram")
        ana.see("Waiting for another player", "#question")
        room.play("finish")
        room.play("call odile bram")
        ana.press("Roll for Odile")
        ana.see("Fiasco", "#sheet")
        for face in (6, 6, 1):
            ana.press(str(face))
        ana.press("Send these dice")
        ana.see("waiting for the wayfinder", "#sent")
        room.look()
        ana.see("Bram still has to roll", "#question")


# -- how it looks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "letters"), cases([("light", "200%"), ("dark", "100%")], 0, 2))
def test_everybody_can_read_and_press_it(chromium: Browser, room: Sitting, scheme: str, letters: str) -> None:
    """axe-core finds nothing, every key is large enough for a finger, and nothing is cut off at twice the size of letters."""
    room.play("roll odile 5 2 1")
    with phone(chromium, room, scheme=scheme) as ana:
        ana.run(f"document.documentElement.style.fontSize = {letters!r}")
        ana.see("Spend Focus", "#question")
        assert faults(ana) == []
        room.play("keep")
        ana.see("Roll", "#keys")
        ana.wait("document.querySelector('#question').hidden")
        ana.press("Roll")
        ana.press("Roll for Odile")
        ana.see("Fiasco", "#sheet")
        assert faults(ana) == []


def test_the_page_is_small_and_whole() -> None:
    """All of it has 30 KB, asks for nothing from outside, and takes no text for markup."""
    texts = [(PAGE / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", "page.js")]
    assert sum(len(text.encode()) for text in texts) <= 30 * 1024
    for word in (
        "http:",
        "https:",
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "style=",
    ):
        assert word not in "".join(texts)


# -- the wall --------------------------------------------------------------------------------------------------------------


def test_a_roll_takes_the_wall_and_folds_away(chromium: Browser, room: Sitting) -> None:
    """What is at stake comes first, then who rolls, the dice as they fell, the odds and the outcome, all of it large. Afterwards there are
    clocks, ship and crew, on as many pages as they need; no letter is smaller than what four metres need.
    """
    with wall(chromium, room) as table:
        room.table.show_stakes(room.table.understand("roll odile primary desperate"))
        room.table.settle()
        table.see("Fiasco", "#stakes")
        table.see("suit life support is lost", "#stakes")
        room.play("roll odile primary 5 4 2 1 1")
        table.see("Odile rolls", "#roll")
        table.see("Spend Focus", "#question")
        table.see("suit life support is lost", "#stakes")
        room.play("keep")
        table.wait("document.querySelector('#stakes').hidden")
        table.see("Success", "#roll .outcome")
        assert table.run("document.querySelector('#idle').checkVisibility()") is False
        assert table.run("document.querySelector('#roll .die').getBoundingClientRect().height") > WALL[1] / 8
        assert table.run("document.querySelector('#roll .outcome').getBoundingClientRect().height") > WALL[1] / 8
        assert faults(table) == []
        table.run("import('/page.js').then((page) => page.foldAway())")
        table.wait("document.querySelector('#idle').checkVisibility()")
    with wall(chromium, room, (1280, 720)) as table:
        wide = "document.querySelector('#idle').scrollWidth > document.querySelector('#idle').clientWidth"
        assert table.run(wide)
        table.run("import('/page.js').then((page) => page.turnPage())")
        assert table.run("document.querySelector('#idle').scrollLeft") > 0
        sizes = "[...document.querySelectorAll('#idle *')].map((one) => parseFloat(getComputedStyle(one).fontSize))"
        assert table.run(f"Math.min(...{sizes})") > 720 / 40
