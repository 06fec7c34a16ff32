"""What every game is made of: a rulebook of chapters, the stages that a roll may open, and the state that a move works on.

A game is a folder in `rules/systems`. Its author writes:

- `sheet.py`: frozen dataclasses for what the campaign file keeps, and for the house rules: a subclass of `CommonHouseRules`.
- `state_stages_and_typed_names.py`: a frozen dataclass with a `TAG` for each thing that may stay open after a move: dice that wait for
  a choice, a debt to pay. Stages are saved in the log, so they hold plain values and no functions. And `Moment`, a subclass of
  `MomentBase` with what the rules of this game ask again and again.
- One module for each chapter of the rulebook, with its rules as functions. It ends with `CHAPTER = Chapter(…)`: the moves that
  it offers, the function that plays each verb, the `StageRules` of its stages, and the odds of its rolls.
- `__init__.py`: `SYSTEM = Rulebook(…)`, which lists the chapters. Moves are offered in that order.

What is called when a move is played (`Rulebook.play`):

1. The position becomes a `Moment`. Stages that make no sense any more, because the file was edited, are dropped (`StageRules.keep`).
2. While the stage on top asks something, `StageRules.resolve` takes the answer. Otherwise, and for a move that may be made at any
   time, the function that a chapter gives for the verb plays it. Both return the next moment, with the facts for the log.
3. Stages on top that leave nobody a choice are done at once (`StageRules.automatic`), until one asks something or none is left.
4. The moment becomes a `Turn`: the new position, and the facts.

A rule never changes a moment; it returns another one: `moment.closes().spends(who, 1, "VK-13")`. It rolls with the `Dice` it is
given, and raises `ActRefused` to say no. Everything else (log, undo, clocks, real dice) happens outside the game, in `rules/game.py`.

`MomentBase` is the working state of a move: the sheet with its surroundings, and the result so far. `StageRules` are the rules of a stage:
its question, its answers, and what happens if there is no choice. A `Rulebook` declares a game by its sheet, clauses and chapters, and
answers everything that may be asked of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, Protocol, Self, TypeVar

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.model.act_lists_and_row_verbs import ActKeys
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.clocks_situations_and_timers import Clock, Situations, WhileRunning
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.model.moves import Answers, Move, RollKey
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import EffectOffer, Position, Turn
from waylog.values import dataclass, field, replace

PASSES = "what passes"
"""The verb of a move that nobody makes or types. The word behind it says what is over, such as a scene (`Rulebook.lasting`)."""


@dataclass(frozen=True, slots=True)
class MomentBase:
    """The sheet with its surroundings, the open stages, and the facts so far.

    A game subclasses it, names the type of its sheet, and adds the queries and changes that its rules use.
    """

    sheet: Any
    rules: Any
    """The game's house rules."""
    clocks: Mapping[str, Clock]
    edition: Any
    """The values in which editions of a game differ; None in a game with one edition."""
    situations: Situations = field(default_factory=dict)
    """The situations that affect this move (NM-19)."""
    stages: tuple[Any, ...] = ()
    """The open stages. The last one asks first."""
    facts: tuple[Fact, ...] = ()
    """The facts of this move so far, in order."""
    offers: tuple[EffectOffer, ...] = ()
    """The effects that are offered once the move is made: acts in words."""
    away: frozenset[str] = frozenset()
    """The characters whose players are not at the table, by their keys (NM-46). They are nobody's choice by default."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths."""
    dice_of_move: Dice | None = None
    """The dice of the move that is being played, for rules deep in it; None where rules only look at what may be done."""

    def most_of(self, path: str, most: int) -> int:
        """Return the most that the number at a path may be: `most`, or more if the wayfinder has overruled that."""
        return max(most, self.overruled.get(path, 0))

    def says(self, text: str, clause: str | None = None, part: NotePart = NotePart.RESULT) -> Self:
        """Return the moment with one more note, perhaps with the clause that says so."""
        return self.tells(NoteFact(text, clause, part=part))

    def tells(self, *facts: Fact) -> Self:
        """Return the moment with these facts behind its others."""
        return replace(self, facts=(*self.facts, *facts))

    def rolls(self, dice: Dice, what: str, sources: Sequence[str], deed: str = "") -> tuple[Self, tuple[int, ...]]:
        """Roll one d6 for each source. `deed` says who does what with them. May raise `DiceWanted`."""
        rolled = dice.roll(tuple(Die(source) for source in sources))
        return self.tells(RollFact(what, rolled, dice.are_real, deed=deed)), tuple(face.face for face in rolled)

    @property
    def top(self) -> Any:
        """The open stage that asks first, or None."""
        return self.stages[-1] if self.stages else None

    def then(self, *stages: Any) -> Self:
        """Open stages. The last one asks first."""
        return replace(self, stages=(*self.stages, *stages))

    def closes(self) -> Self:
        """Close the last stage."""
        return replace(self, stages=self.stages[:-1])


M = TypeVar("M")
"""A game's own subclass of `MomentBase`."""
S = TypeVar("S")
"""A class of stages."""


@dataclass(frozen=True, slots=True)
class StageStack:
    """Several stages, one opened on top of another. A game that needs this subclasses it and names the type of its
    stages.
    """

    stages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class StageRules(Generic[M, S]):
    """The rules of one class of stages. A stage without a question stays open, and asks nothing, until another act
    closes it.
    """

    stage: type[S]
    question: Callable[[M, S], str] | None = None
    """Returns the question."""
    answers: Callable[[M, S], Iterable[Move]] | None = None
    """Returns the moves that answer it."""
    resolve: Callable[[M, S, Move, Answers, Dice], M] | None = None
    """Plays an answer. The stage is still open: this function closes it. Raises `ActRefused` or `DiceWanted`."""
    choices: Callable[[M, S], object] | None = None
    """Returns the choices. If there are none (an empty or false value), the stage is done without a question."""
    automatic: Callable[[M, S, Dice], M] | None = None
    """Plays a stage without choices. May raise `DiceWanted`."""
    keep: Callable[[M, S], S | None] | None = None
    """Returns the stage after an edit of the file: unchanged, changed, or None if it makes no sense any more."""
    odds: Callable[[M, S, Move, Answers], Odds | None] | None = None
    """Returns the odds of an answer that changes a roll; None if it changes none, or if they would take too long."""


Offers = Callable[[M], Iterable[Move]]
"""Returns the moves of a chapter. A move that can't be made now is included, and says why."""
Play = Callable[[M, Move, Answers, Dice], M]
"""Plays a move. Raises `ActRefused` or `DiceWanted`."""
MoveOdds = Callable[[M, Move, Answers], Odds | None]
"""Returns the exact odds of a move; None if it rolls nothing with these answers. Raises `ActRefused` for a roll that
can't be made.
"""


@dataclass(frozen=True, slots=True)
class Chapter(Generic[M]):
    """The rules of one chapter of a rulebook."""

    offers: Offers[M] | None = None
    plays: Mapping[str, Play[M]] = field(default_factory=dict)
    """The function that plays each verb while no question is open."""
    stages: tuple[StageRules[M, Any], ...] = ()
    odds: Mapping[str, MoveOdds[M]] = field(default_factory=dict)
    """The function that returns the odds of each verb."""
    no_odds: Mapping[str, Callable[[M, Move, Answers], str]] = field(default_factory=dict)
    """The function that says why a roll of each verb has no odds, where its odds may be None."""
    anytime: Offers[M] | None = None
    """Moves that may be made while a question is open, besides its answers. Each says `anytime=True`, and its verb is
    in `plays`.
    """


@dataclass(frozen=True, slots=True)
class CommonHouseRules:
    """The house rules that every game has. Those of a game are a class made from this one."""

    clock_sizes: Annotated[
        Literal["usual", "any"],
        "Segments of a clock: 4, 6, 8, 10 or 12 (“usual”), or 2 to 24 (“any”)",
    ] = "usual"


class RulebookError(Exception):
    """Something is missing from a rulebook. The text names it, and says where the game's author adds it."""


class ChapterModule(Protocol):
    """A module that ends in `CHAPTER = Chapter(…)`."""

    @property
    def CHAPTER(self) -> Chapter[Any]:  # noqa: N802 - a constant of the module
        """The chapter's declaration."""


@dataclass(frozen=True)
class Rulebook:
    """A game. It keeps no state: each answer follows from the position."""

    id: str
    """The folder's name, with hyphens."""
    name: str
    about: str
    """One line, for choosing a game."""
    clauses: Mapping[str, Clause]
    sheet: type
    rules: type[CommonHouseRules]
    """The house rules: those of every game, and its own."""
    scene: Any
    """The type of stages that the log saves: a union, of which one member is open at a time, or a subclass of
    `StageStack`.
    """
    moment: type[MomentBase]
    chapters: tuple[ChapterModule, ...]
    """The chapters, in the order in which their moves are offered. If two play the same verb, the later one does."""
    panels_of: Callable[[Any], Iterable[Panel]]
    faults_of: Callable[[Any], Iterable[Fault]]
    """Returns the faults of a sheet that break a clause and that types alone don't show."""
    is_unseen: Callable[[Sequence[str]], bool] = lambda _: False
    """Returns whether the value at a path is shown nowhere, so that no odds tell what becomes of it."""
    outcomes: Sequence[Sequence[str]] = ()
    """The outcomes of each roll, in the order in which odds list those of one grade; of rolls that are left out, by their labels."""
    first_sheet: Callable[[], Any] | None = None
    """Returns the sheet of a new campaign, if it isn't a blank one."""
    first_clocks: Mapping[str, Clock] = field(default_factory=lambda: MappingProxyType({}))
    """The clocks of a new campaign."""
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The clauses that are shown for a row, a house rule or a move (`Reference.about`). Others are found by search alone."""
    session_begins: Any = None
    """The stage (or stack of stages) that is open once a session has begun. It asks nothing; its chapter offers what
    may be done first. It closes with the next act.
    """
    edition: Any = None
    """The value that rules read as `Moment.edition`."""
    lasting: Collection[str] = ()
    """What values of the sheet last until: scene, session or time. When that is over, the move `PASSES` with this word is played."""
    akin: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Paths in the sheet that correspond to other games' paths (with * for any key), each with a name that they share.
    `waylog convert` uses this.
    """
    running: tuple[WhileRunning, ...] = ()
    """The effects that a running clock may have on this game's rolls (NM-25)."""
    characters: str = "crew"
    """The name of the table in the sheet from which each player has a character, such as `crew`."""
    ships: str = ""
    """The name of the table in the sheet with what stands on the Ship tab, such as `assets`, if a campaign may have several or none."""
    wayfinder: tuple[str, ...] = ()
    """Verbs that players may not propose (NM-45), except as answers and follow-ups."""
    wayfinder_answers: tuple[str, ...] = ()
    """Verbs of answers and follow-ups that players may not propose either."""
    private: tuple[str, ...] = ()
    """The tables of the sheet whose keys players never see. No move of theirs is about anything in them."""
    sheet_of_players: Callable[[Any, Any], Any] | None = None
    """Returns a sheet without what it hides from players, given the open stages."""
    roll_key: RollKey = RollKey()
    """The moves that the roll key opens."""
    act_keys: ActKeys = field(default_factory=lambda: MappingProxyType({}))
    """The keys for the game's verbs, where every game has the same keys: damage, mending, Exposed, and the keys of a row."""
    board_of: Callable[[Any], Any] | None = None
    """Returns the value for a view of what is open between two sides; None if nothing is."""

    def fresh(self) -> Any:
        """Return the sheet of a new campaign."""
        return self.first_sheet() if self.first_sheet else self.sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        """Return the faults of a sheet that break a clause and that types alone don't show."""
        return tuple(self.faults_of(self._moment(position)))

    def question(self, position: Position) -> str | None:
        """Return the question that has to be answered first, or None."""
        moment = self._moment(position)
        asking = self._rules_that_ask(moment)
        return asking.question(moment, moment.top) if asking and asking.question else None

    def moves(self, position: Position) -> Sequence[Move]:
        """Return the moves of all chapters. While there is a question: its answers, and the moves that are possible at
        any time.
        """
        moment = self._moment(position)
        asking = self._rules_that_ask(moment)
        if asking is None:
            return tuple(move for chapter in self._chapters if chapter.offers for move in chapter.offers(moment))
        answers = asking.answers(moment, moment.top) if asking.answers else ()
        anytime = (move for chapter in self._chapters if chapter.anytime for move in chapter.anytime(moment))
        return (*answers, *anytime)

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """Play a move. Raises `ActRefused` or `DiceWanted`."""
        moment = replace(self._moment(position), dice_of_move=dice)
        asking = self._rules_that_ask(moment)
        if asking and asking.resolve and not move.anytime:
            after = asking.resolve(moment, moment.top, move, answers, dice)
        elif move.verb in self._plays:
            after = self._plays[move.verb](moment, move, answers, dice)
        else:
            raise RulebookError(f"{self.id}: no chapter plays “{move.verb}”. Add it to the `plays` of a chapter")
        done = self._run(after, dice)
        keeps_stack = isinstance(self.scene, type) and issubclass(self.scene, StageStack)
        scene = self.scene(done.stages) if keeps_stack and done.stages else done.top
        return Turn(Position(done.sheet, done.rules, done.clocks, scene), done.facts, done.offers)

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """Return the exact odds of a move that rolls, or None. Raises `ActRefused` for a roll that can't be made."""
        moment = self._moment(position)
        asking = self._rules_that_ask(moment)
        if asking and asking.odds and move.follows:
            return asking.odds(moment, moment.top, move, answers)
        # If two chapters have the odds of a verb, the later one's are used, as it plays the verb.
        of_move = next((chapter.odds[move.verb] for chapter in self._chapters[::-1] if move.verb in chapter.odds), None)
        if of_move is None and move.rolls:
            remedy = f"Add “{move.verb}” to the `odds` of a chapter, or leave out rolls=True"
            raise RulebookError(f"{self.id}: “{move.id}” has rolls=True and no odds. {remedy}")
        return of_move(moment, move, answers) if of_move else None

    def why_no_odds(self, position: Position, move: Move, answers: Answers) -> str:
        """Return why a roll has no odds; empty if there is nothing to say of it."""
        reasons = (chapter.no_odds[move.verb] for chapter in self._chapters if move.verb in chapter.no_odds)
        reason = next(reasons, None)
        return reason(self._moment(position), move, answers) if reason else ""

    def panels(self, position: Position) -> Sequence[Panel]:
        """Return the panels of the sheet."""
        return tuple(self.panels_of(self._moment(position)))

    def players_sheet(self, sheet: Any, stage: Any) -> Any:
        """Return a sheet without what it hides from players, while `stage` is open."""
        return self.sheet_of_players(sheet, stage) if self.sheet_of_players else sheet

    def names_of_characters(self, sheet: Any) -> Mapping[str, str]:
        """Return the names of the characters that players may have, by key; the key for one without a name."""
        found = getattr(sheet, self.characters, {})
        return {key: getattr(each, "name", "") or key for key, each in found.items()}

    def board(self, position: Position) -> Any:
        """Return the value for a view of what is open between two sides; None if nothing is."""
        return self.board_of(self._moment(position)) if self.board_of else None

    # -- stages ------------------------------------------------------------------------------------------------------

    @cached_property
    def _chapters(self) -> tuple[Chapter[Any], ...]:
        return tuple(module.CHAPTER for module in self.chapters)

    @cached_property
    def _plays(self) -> Mapping[str, Play[Any]]:
        return {verb: play for chapter in self._chapters for verb, play in chapter.plays.items()}

    @cached_property
    def _stages(self) -> Mapping[type, StageRules[Any, Any]]:
        """By the class of stage. Raises `RulebookError` for a question that can't be answered."""
        found = {rules.stage: rules for chapter in self._chapters for rules in chapter.stages}
        for rules in found.values():
            if rules.question and not (rules.answers and rules.resolve):
                name = rules.stage.__qualname__
                raise RulebookError(f"{self.id}: {name} asks a question. Give its StageRules `answers` and `resolve`")
        return found

    def _rules_of(self, stage: Any) -> StageRules[Any, Any]:
        """Return the rules of a stage. Raises `RulebookError` where no chapter has any."""
        kind = type(stage)
        if kind not in self._stages:
            name = kind.__qualname__
            raise RulebookError(f"{self.id}: no StageRules for {name}. Add some to the `stages` of a chapter")
        return self._stages[kind]

    def _moment(self, position: Position) -> MomentBase:
        scene = position.scene
        stages = () if scene is None else scene.stages if isinstance(scene, StageStack) else (scene,)
        moment = self.moment(
            position.sheet,
            position.rules,
            position.clocks,
            self.edition,
            position.situations,
            tuple(stages),
            away=position.away,
            overruled=position.overruled,
        )
        return self._without_stale_stages(moment)

    def _rules_that_ask(self, moment: MomentBase) -> StageRules[Any, Any] | None:
        """Return the rules of the stage on top, if it asks something."""
        rules = self._rules_of(moment.top) if moment.stages else None
        return rules if rules and rules.question else None

    def _run(self, moment: MomentBase, dice: Dice) -> MomentBase:
        """Close stages that leave no choice, until one asks something or none is left. May raise `DiceWanted`."""
        while True:
            moment = self._without_stale_stages(moment)
            rules = self._rules_of(moment.top) if moment.stages else None
            if rules is None or rules.automatic is None:
                return moment
            if rules.choices and rules.choices(moment, moment.top):
                return moment
            after = rules.automatic(moment, moment.top, dice)
            # It would be done again and again, without end. An equal stage that is new may be dice that fall the same once more.
            if after.stages and after.top is moment.top:
                name = type(moment.top).__qualname__
                raise RulebookError(f"{self.id}: `automatic` leaves {name} as it was. Close it with moment.closes()")
            moment = after

    def _without_stale_stages(self, moment: MomentBase) -> MomentBase:
        """Adapt the open stages to an edit of the file, and drop those that make no sense any more."""
        stages = []
        for stage in moment.stages:
            keep = self._rules_of(stage).keep
            kept = keep(moment, stage) if keep else stage
            if kept is not None:
                stages.append(kept)
        return moment if stages == [*moment.stages] else replace(moment, stages=tuple(stages))


__all__ = ["Chapter", "MomentBase", "Play", "Rulebook", "RulebookError", "StageRules", "StageStack"]
