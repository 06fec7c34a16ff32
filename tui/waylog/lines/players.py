"""Line mode for players: each visible act as a sentence, and the ship, crew and clocks as players see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from waylog.lines.loop import read_number
from waylog.lines.replies import FILES, GOES_ON, PAUSED, Reply, fail, tell
from waylog.lines.timers import TimerNews
from waylog.store.attendance import PlayersPause, why_no_pause
from waylog.store.lock_and_replace import FileSignature, file_signature
from waylog.store.players_file import FILE, UnreadablePlayersFile, decode_projection
from waylog.store.projection import LINES, Projection, VisibleAct
from waylog.store.visibility import VisibleClock
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes
from waylog.values import dataclass
from waylog.words.sentences import fact_sentence, panel_sentences, sentence

_USUAL_LOG = 5
NOT_YET = "The wayfinder has not opened this campaign yet."
GONE = "The campaign is no longer there."
TAKEN_BACK = "Something was undone."
LOST = "SAY IT ALOUD. The pause has not reached the wayfinder. {}"
REACHED = "The wayfinder's screen shows the pause."
NO_PAUSE = "You can't ask for a pause here. If you need one, say it aloud. {}"


@dataclass(frozen=True, slots=True)
class PlayersChange:
    """The changes that players see between two looks."""

    seen: Projection
    new: tuple[VisibleAct, ...]
    """The acts that are new, oldest first."""
    taken_back: bool
    """Whether an act was undone."""


class PlayersFile:
    """Follows `players.toml`, and opens no other file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._known: FileSignature | None = None
        self.seen: Projection | None = None
        """The last contents of the file; None if the file has never been there."""
        self.trouble = ""
        """Why it can't be read now."""

    def look(self) -> PlayersChange | None:
        """Return what has changed since the last look; None if nothing has."""
        found = file_signature(self._path)
        if found == self._known:
            return None
        self._known, before, self.trouble = found, self.seen, ""
        try:
            self.seen = decode_projection(read_bytes(self._path))
        except FileMissing:
            self.trouble = GONE if before else ""
        except UnreadablePlayersFile as error:
            self.trouble = sentence(str(error))
        except UnreadableFile as unreadable:
            self.trouble = sentence(f"{FILE} {unreadable.problems[0].message}")
        if self.seen is None or self.trouble or self.seen == before:
            return None
        return PlayersChange(self.seen, *compare_logs(before.log if before else (), self.seen.log))


def compare_logs(before: Sequence[VisibleAct], after: Sequence[VisibleAct]) -> tuple[tuple[VisibleAct, ...], bool]:
    """Return the acts that are new in `after`, and whether one was undone. New acts push the oldest ones out of a full log."""
    for gone in range(len(before) if len(after) == LINES else 1):
        kept = before[gone:]
        if tuple(after[: len(kept)]) == tuple(kept):
            return tuple(after[len(kept) :]), False
    from difflib import SequenceMatcher

    new = list[VisibleAct]()
    for tag, _, _, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        # Acts before all known ones are old: an undo has made room for them in the log.
        if tag in ("insert", "replace") and start:
            new += after[start:stop]
    return tuple(new), True


def visible_act_sentence(act: VisibleAct) -> str:
    """Return an act on one line, with its time."""
    return f"{act.at}: {' '.join(map(fact_sentence, act.facts))}"


class PlayersSpeaker:
    """The commands of a player who only watches. None of them changes anything."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, PlayersFile(folder)
        self._trouble, self._paused, self._lost, self._no_pause = "", False, "", ""
        self._pause = PlayersPause(folder)
        self._timers = TimerNews()
        self.commands: Mapping[str, Callable[[str], Reply]] = {
            "ship": lambda _: self._panels("ship", ""),
            "crew": lambda rest: self._panels("crew", rest),
            "clocks": lambda _: self._tell(clock_sentences),
            "timers": lambda _: self._tell(lambda seen: self._timers.describe(seen.timers)),
            "cards": lambda _: self._tell(_cards),
            "log": self._log,
            "pause": lambda _: self._ask_for_pause(),
            "help": lambda _: tell(
                "Type ship, crew, crew and a name, clocks, timers, cards, log, log 20, again or quit.",
                "To ask for a pause, type pause. Nobody sees who asked.",
            ),
        }

    def greet(self) -> Reply:
        """Name the campaign, and list the latest acts."""
        self._file.look()
        lines = [*self._state_news()]
        if seen := self._file.seen:
            session = f", session {seen.session}" if seen.session else ""
            lines += [sentence(f"{seen.name or 'A campaign without a name'}: {seen.system}{session}")]
            lines += self._timers.describe_running(seen.timers)
            lines += map(visible_act_sentence, seen.log[-_USUAL_LOG:])
            lines += self._timers.take_news(seen.timers)
        return Reply(lines or [NOT_YET])

    def news(self) -> Reply | None:
        """Report each new act that players see."""
        before = self._file.seen
        ended = self._timers.take_news(before.timers) if before else ()
        lines = [*ended]
        change = self._file.look()
        lines += self._state_news()
        if change and before:
            lines += [*([TAKEN_BACK] if change.taken_back else ()), *map(visible_act_sentence, change.new)]
        elif change:
            return self.greet()
        return Reply(lines) if lines else None

    def say(self, line: str) -> Reply:
        """Refuse any other line."""
        return fail(f"Unknown command “{line}”. Type help.")

    def _state_news(self) -> Iterator[str]:
        """Yield a sentence when a problem with the file begins or ends, and when a pause does."""
        if self._file.trouble != self._trouble:
            self._trouble = self._file.trouble
            yield self._trouble or "The campaign is there again."
        self._pause.look()
        yield from self._pause_news()
        if (why_not := why_no_pause(self._folder)) != self._no_pause:
            self._no_pause = why_not
            yield NO_PAUSE.format(sentence(why_not)) if why_not else "You can ask for a pause again."

    def _pause_news(self) -> Iterator[str]:
        """Yield a sentence when a pause begins or ends, and whether it has reached the wayfinder."""
        pause = self._pause
        if pause.paused is not self._paused:
            self._paused = pause.paused
            yield PAUSED if self._paused else GOES_ON
        if pause.lost != self._lost:
            self._lost = pause.lost
            if self._lost:
                yield LOST.format(sentence(self._lost))
            elif self._paused:
                yield REACHED

    def _ask_for_pause(self) -> Reply:
        """Ask for a pause, and wait until it is certain whether the wayfinder's screen shows it."""
        self._lost = ""
        self._pause.ask()
        self._pause.wait()
        lines = [*self._pause_news()] or [PAUSED]
        return fail(*lines, code=FILES) if self._lost else tell(*lines, REACHED)

    def _tell(self, sentences: Callable[[Projection], Iterator[str]]) -> Reply:
        return tell(*sentences(self._file.seen)) if self._file.seen else fail(NOT_YET)

    def _panels(self, where: str, wanted: str) -> Reply:
        wanted = wanted.casefold().strip(".")
        panels = (
            [panel for panel in self._file.seen.panels if (panel.place == "crew") is (where == "crew")]
            if self._file.seen
            else []
        )
        lines = [line for panel in panels if wanted in panel.title.casefold() for line in panel_sentences(panel)]
        return tell(*lines) if lines else fail("Nothing has that in its name." if wanted else "There is nothing yet.")

    def _log(self, rest: str) -> Reply:
        rest = rest.strip(".")
        count = read_number(rest.casefold()) if rest else _USUAL_LOG
        if count is None:
            return fail("Type log and how many actions, for example: log 10.")
        acts = self._file.seen.log if self._file.seen else ()
        latest = [*islice(reversed(acts), count)]
        return tell(*map(visible_act_sentence, reversed(latest))) if latest else tell("Nothing has been played yet.")


def clock_sentences(seen: Projection) -> Iterator[str]:
    """Yield the clocks that players see."""
    yield from map(_clock, seen.clocks)
    if not seen.clocks:
        yield "There are no clocks."


def _clock(clock: VisibleClock) -> str:
    filled = "unknown" if clock.filled is None else f"{clock.filled}"
    full = ", full" if clock.full else ""
    ending = f". {clock.outcome}" if clock.outcome else ""
    return sentence(
        f"{clock.name or 'A clock without a name'}: {filled} of {clock.segments}, {clock.kind.value}{full}{ending}"
    )


def _cards(seen: Projection) -> Iterator[str]:
    for deck in seen.decks:
        cards = (f"{card.text} ({card.luck.value}{', out' if card.out else ''})" for card in deck.cards)
        yield sentence(f"{deck.name}: {', '.join(cards)}")
    if not seen.decks:
        yield "There are no cards to see."
