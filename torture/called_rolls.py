"""Called rolls at a table where anything happens meanwhile: players who send twice, sleep or are away, windows that close, undo.

Each walk is one call. Whatever happens, the log has it as one act, or as none; nobody rolls twice; and the campaign is as if the
wayfinder had typed all of it, and as before once it is undone.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from torture.figures import Harness, Tally, Work
from waylog.rules.model.dice import ChanceDice, Dice, Die, Face
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import ActRefused, Move
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.inbox import send
from waylog.table import Table

_CORE = """\
format = 1
name = "Trial"
system = "veil-core"
log = "0001:0"

[crew.odile]
name = "Odile"
focus = 2
primary = { name = "tether gun" }

[crew.bram]
name = "Bram"

[crew.tove]
name = "Tove"
focus = 1
"""
_YARD = """\
format = 1
name = "Trial"
system = "breakers-yard"
log = "0001:0"

[crew.odile]
name = "Odile"
cut = 2

[crew.bram]
name = "Bram"
cut = 1

[crew.tove]
name = "Tove"
cut = 2
"""
_EVERY = """
[clocks.storm]
name = "The storm"
kind = "catastrophe"
segments = 12

[clocks.below]
name = "What waits below"
kind = "catastrophe"
segments = 12
seen = false

[players.ana]
name = "Ana"
character = "odile"

[players.ben]
name = "Ben"
character = "bram"
may = ["roll"]

[players.cy]
name = "Cy"
character = "tove"
"""
_PLAYERS = {"ana": "odile", "ben": "bram", "cy": "tove"}
_WRONGS = ("not one act", "rolled twice", "other than typed", "not as before", "left waiting", "failed")
_MOST = 30
"""What happens in a walk at most, before the wayfinder goes on."""


class _Game(NamedTuple):
    """A game to walk through: its campaign, and how a roll is called for and made."""

    campaign: str
    calls: tuple[str, ...]
    roll: str
    options: tuple[str, ...]


_GAMES = (
    _Game(_CORE, ("", "desperate", "storm", "desperate below"), "roll {}", ("", "primary")),
    _Game(_YARD, ("cut", "cut below", "cut storm"), "roll cut {}", ("",)),
)


class _Recorded:
    """Dice as they fell before, one after the other."""

    are_real = False

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = list(faces)

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        return tuple(Face(die.source, self._faces.pop(0), die.sides) for die in dice)


def run(work: Work) -> Iterator[Tally]:
    """Walk, and hold each walk against what was promised."""
    tally = Tally(
        "called rolls, with sleep, undo, closed windows and players who are away",
        "walks",
        _WRONGS,
        work.times(1000, 60, 6),
    )
    for number in range(tally.wanted):
        walk = Walk(work.folder / f"{number}", Random(work.seed * 100_003 + number))
        walk.go()
        tally.count += 1
        for kind, where in walk.wrongs:
            tally.wrong(kind, f"walk {number} of seed {work.seed}: {where}")
        if not walk.wrongs:
            shutil.rmtree(walk.folder)
    yield tally


class Walk:
    """One call, from the wayfinder's first word to the last roll."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self._random = folder, random
        self._game = random.choice(_GAMES)
        self.wrongs = list[tuple[str, str]]()
        self._chance: Dice = ChanceDice(random.randrange)
        self._looks = 0
        self._table = self._made(folder / "trial")
        self._before = b""

    def _made(self, campaign: Path) -> Table:
        campaign.mkdir(parents=True)
        (campaign / "campaign.toml").write_text(self._game.campaign + _EVERY)
        return self._open(campaign, self._chance)

    def _open(self, campaign: Path, chance: Dice) -> Table:
        return Table(campaign, now=self._now, chance=chance)

    def _now(self) -> datetime:
        self._looks += 1
        return datetime(2026, 1, 5, 20, tzinfo=UTC) + timedelta(seconds=2 * self._looks)

    def go(self) -> None:
        """Walk to the end, and compare."""
        try:
            self._walk()
            self._compare()
        except (ActRefused, ValueError, KeyError, IndexError) as error:
            self.wrongs.append(("failed", f"{type(error).__name__}: {error}"))

    # -- what happens --------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        random = self._random
        if random.random() < 0.3:
            here = random.sample(sorted(_PLAYERS), 2)
            self._play(f"session begin {' '.join(here)}")
        self._table.settle()
        self._before = self._campaign_of(self._table)
        who = random.choice(("all", "odile", "odile bram", "bram tove odile"))
        self._play(f"call {who} {random.choice(self._game.calls)}")
        happens = (
            (self._player_rolls, 10),
            (self._player_answers, 6),
            (self._wayfinder_rolls, 3),
            (self._wayfinder_answers, 3),
            (self._look, 6),
            (self._close_window, 2),
            (self._aside, 2),
            (lambda: self._play("undo"), 0.3),
            (lambda: self._play("finish"), 0.4),
        )
        for _ in range(random.randrange(_MOST)):
            random.choices([does for does, _ in happens], [often for _, often in happens])[0]()
        self._end()

    def _play(self, words: str) -> None:
        """Do what the wayfinder types, if it can be done now."""
        try:
            if words == "undo":
                self._table.undo()
            else:
                self._table.play(self._table.understand(words))
        except ActRefused:
            pass

    def _send(self, player: str, words: str) -> None:
        for _ in range(2 if self._random.random() < 0.15 else 1):  # Somebody presses twice.
            send(self._table.folder, player, words)

    def _player_rolls(self) -> None:
        player = self._random.choice(sorted(_PLAYERS))
        roll = self._game.roll.format(_PLAYERS[player])
        dice = " ".join(f"{self._random.randint(1, 6)}" for _ in range(self._random.choice((0, 1, 2, 3, 5))))
        self._send(player, f"called {roll} {self._random.choice(self._game.options)} {dice}")

    def _player_answers(self) -> None:
        player = self._random.choice(sorted(_PLAYERS))
        self._send(player, self._random.choice(("keep", "focus", "rest", f"dice {self._random.randint(1, 6)}")))

    def _wayfinder_rolls(self) -> None:
        roll = self._game.roll.format(self._random.choice(sorted(_PLAYERS.values())))
        if any(move.id == roll and move.called for move in self._table.snapshot.moves):
            self._play(f"{roll} {self._random.choice(('', '4', '3 3', '6 1 1'))}")

    def _wayfinder_answers(self) -> None:
        answers = self._answers()
        if answers:
            self._play(self._random.choice(answers).id)

    def _answers(self) -> list[Move]:
        able = (move for move in self._table.snapshot.moves if move.follows and not move.blocked)
        return [move for move in able if move.verb not in ("finish", "dice", "on", "effect", "shunt")]

    def _look(self) -> None:
        self._table.refresh()
        if self._random.random() < 0.3:
            self._table.settle()

    def _close_window(self) -> None:
        self._table = self._open(self._table.folder, self._chance)

    def _aside(self) -> None:
        self._play(self._random.choice(("tick storm", "note Somebody coughs", "hide clock storm")))

    def _end(self) -> None:
        """Everybody who still wants to is played; then the wayfinder waits no longer."""
        for _ in range(60):
            self._table.refresh()
        for _ in range(60):
            if self._table.question is None:
                break
            able = [move for move in self._table.snapshot.moves if move.follows and not move.blocked]
            finish = [move for move in able if move.verb == "finish"]
            first = finish or [move for move in able if move.verb in ("rest", "keep")] or self._answers()
            self._play(first[0].id)
        for _ in range(60):
            self._table.refresh()
        self._table.settle()

    # -- what is promised ----------------------------------------------------------------------------------------

    def _compare(self) -> None:
        table = self._table
        if table.question is not None:
            self.wrongs.append(("left waiting", f"{table.question}"))
        if called := [each for each in table.proposals if each.words.startswith("called ")]:
            self.wrongs.append(("left waiting", f"{called[0].words}"))
        effective = [*reversed([*table.latest()])]
        entries = [entry for entry in effective if not entry.is_undo]
        roots = {entry.root for entry in entries if entry.words.startswith("call ")}
        rolls = [entry for entry in entries if entry.words.startswith("roll ") or entry.words in ("dice", "rest")]
        if len(roots) > 1 or {entry.root for entry in rolls} - roots:
            self.wrongs.append(("not one act", f"roots {roots}, rolls of {[entry.root for entry in rolls]}"))
        counts = Counter(who for entry in rolls for who in _PLAYERS.values() if who in entry.words.split())
        for who, count in counts.items():
            if count > 1:
                self.wrongs.append(("rolled twice", f"{who}: {count} rolls"))
        typed = self._typed(entries)
        undone = any(entry.is_undo for entry in table.entries())
        mine, theirs = self._campaign_of(table, whole=not undone), self._campaign_of(typed, whole=not undone)
        if mine != theirs:
            self.wrongs.append(("other than typed", f"{self.folder}"))
        if roots:
            with_asides = any(entry.root not in roots and entry.changes for entry in entries)
            while any(entry.root in roots for entry in table.latest()):
                table.undo()
            table.settle()
            if not with_asides and self._campaign_of(table) != self._before:
                self.wrongs.append(("not as before", f"{self.folder}"))

    def _typed(self, entries: Sequence[LogEntry]) -> Table:
        """Play the same at another table, all of it typed by the wayfinder. Waylog's dice fall as they fell."""
        fallen, typed = list[int](), 0
        for entry in entries:
            rolled = [fact for fact in entry.facts if isinstance(fact, RollFact)]
            dice = [face.face for fact in rolled if not fact.typed for face in fact.dice]
            # Where Waylog rolled the rest of some that were typed, they are one roll.
            fallen += dice if any(fact.typed for fact in rolled) else dice[typed:]
            typed = 0 if entry.facts and entry.root != entry.number else typed + len(entry.faces or ())
        twin = self._made(self.folder / "typed")
        twin = self._open(twin.folder, _Recorded(fallen))
        for entry in entries:
            line = " ".join((entry.words, *map(str, entry.faces or ())))
            twin.play(twin.understand(line))
        twin.settle()
        return twin

    @staticmethod
    def _campaign_of(table: Table, *, whole: bool = False) -> bytes:
        """The bytes of the campaign file; if not `whole`, without how far the log has come."""
        lines = (table.folder / "campaign.toml").read_bytes().splitlines()
        return b"\n".join(
            line for line in lines if not line.startswith(b"began = " if whole else (b"began = ", b"log = "))
        )


HARNESS = Harness("called", "rolls that the wayfinder calls for", run)
