"""The moves for clocks, which are possible at any time, and the effect of rolls on clocks (NM-20…NM-29).

The moves for situations, and the question on each roll: which situations affect it (NM-19).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import slug, words_in_order
from waylog.rules.model.clocks_situations_and_timers import (
    ALL_SIZES,
    KIND_MEANINGS,
    OTHER_SIZES,
    SIZES,
    Clock,
    ClockKind,
    Situation,
    Situations,
    WhileRunning,
    advance,
    clock_path,
    does,
    fill_clock,
    in_force,
    names_roll,
    new_key,
    note,
    title,
)
from waylog.rules.model.facts import ClockStep, Fact, NoteFact, NotePart, OutcomeGrade
from waylog.rules.model.moves import (
    ActRefused,
    AnswerNote,
    Answers,
    Ask,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Refusal,
    Text,
    refuse_for_state,
)
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel, TextRow, Tone
from waylog.rules.model.state import OpenState
from waylog.rules.rulebook import CommonHouseRules
from waylog.values import replace

_SIZE_NAMES = {4: "short", 6: "normal", 8: "long", 10: "extended", 12: "extended"}
_SIGHT = {"all": "the clock", "count": "its progress", "outcome": "its ending"}
"""The parts of a clock that can be shown to players or hidden from them (NM-20)."""
_EFFECT_NAMES = {
    WhileRunning.NOTHING: "nothing",
    WhileRunning.DESPERATE: "all rolls are Desperate",
    WhileRunning.EXPOSED: "the crew is Exposed",
}
_MADE = {WhileRunning.DESPERATE: "all rolls Desperate", WhileRunning.EXPOSED: "the crew Exposed"}
VERBS = ("clock", "tick", "time", "close", "reopen", "show", "hide")

_REASON = Text("reason", "Reason", word="because", example="reason, for the log")

_KIND = "clock"
"""The prefix for a word that a clock can't have."""

Clocks = Mapping[str, Clock]


def clock_words(clocks: Clocks, taken: Collection[str] = ()) -> Mapping[str, str]:
    """Return the keys of clocks by the word to type for each: the key itself, unless it can't be typed or is in
    `taken`.
    """
    first = [key for key, clock in clocks.items() if clock.seen and not clock.closed]
    return words_in_order(clocks, first, _KIND, taken)


def open_clocks(clocks: Clocks) -> Clocks:
    """Return the clocks that are not closed."""
    return {key: clock for key, clock in clocks.items() if not clock.closed}


def moves(
    clocks: Clocks, rules: CommonHouseRules, running: Collection[WhileRunning] = (), *, ends_with_time: bool = False
) -> tuple[Move, ...]:
    """Return the moves that start, tick, close and reopen clocks, and let time pass. `ends_with_time` says that this may end more than
    clocks.
    """
    offered = [_start(running, any_size=rules.clock_sizes == "any")]
    timed = any(clock.kind in (ClockKind.DEATH, ClockKind.AUGURY) and clock.runs for clock in clocks.values())
    still = (
        None
        if timed or ends_with_time
        else Refusal("no death or augury clock is running, so time has nothing to advance", "NM-23")
    )
    label = f"Let time pass{': advance every death and augury clock' if timed or still else ''}"
    offered.append(Move("time", ("passes",), label, (_REASON,), still, title="Time passes", effect=True))
    for word, key in clock_words(clocks).items():
        clock, about = clocks[key], (f"clocks.{key}",)
        if clock.closed:
            heading = f"“{clock.name}” reopened"
            reopen = Move("reopen", (word,), f"Reopen “{clock.name}”", about=about, name=clock.name, heading=heading)
            offered.append(reopen)
            continue
        offered.append(_tick(word, key, clock))
        close, heading = f"Close “{clock.name}”", f"“{clock.name}” closed"
        offered.append(Move("close", (word,), close, (_REASON,), about=about, name=clock.name, heading=heading))
        offered += (_sight("show", word, clock, about), _sight("hide", word, clock, about))
    return tuple(offered)


def _start(running: Collection[WhileRunning], *, any_size: bool) -> Move:
    """Start a clock in one line: name, segments, kind (NM-29). The line may also give its ending, who sees it (NM-17),
    and its effect while running, in games that have one (NM-25).
    """
    names = {size: _SIZE_NAMES.get(size, "") for size in (ALL_SIZES if any_size else SIZES)}
    sizes = tuple(Option(str(size), f"{size} {name}".strip(), named=name) for size, name in names.items())
    kinds = tuple(Option(kind.value, f"{kind.value}: {KIND_MEANINGS[kind]}") for kind in ClockKind)
    effects = tuple(Option(effect.value, _EFFECT_NAMES[effect]) for effect in (WhileRunning.NOTHING, *running))
    sight = (Option("open", "visible to players"), Option("hidden", "hidden from players"))
    notes = (AnswerNote("seen", "hidden", "Players don't see it"), *map(_ending_note, ClockKind))
    asks = (
        Text("name", "Name", required=True),
        PickOne("segments", "Segments", sizes, "6", "NM-20", others="" if any_size else OTHER_SIZES),
        PickOne("kind", "Kind", kinds),
        *((PickOne("running", "While running", effects, WhileRunning.NOTHING.value),) if running else ()),
        PickOne("seen", "Players", sight, "open"),
        Text("outcome", "Ending", example="what happens in the story", notes=notes),
        Text("when_full", "Effect", word="full", example="an action to offer when the clock is full"),
    )
    return Move("clock", (), "New clock", asks, effect=True)


def _ending_note(kind: ClockKind) -> AnswerNote:
    """Say whether players see the ending of a new clock of that kind which they see (NM-28)."""
    sees = Clock(kind=kind).shows_outcome
    return AnswerNote(
        "kind", kind.value, "Players see it at once" if sees else f"Players don't see it on {kind.value} clocks"
    )


def ticks_of_closed(clocks: Clocks) -> tuple[Move, ...]:
    """Return the ticks of closed clocks, which are refused until a clock is reopened. An effect may be one of them."""
    return tuple(
        replace(_tick(word, key, clocks[key]), blocked=_closed_refusal(clocks[key]))
        for word, key in clock_words(clocks).items()
        if clocks[key].closed
    )


def _tick(word: str, key: str, clock: Clock) -> Move:
    by = Number(
        "by", "Segments to fill (a negative number empties them)", -clock.segments, clock.segments, 1, preposition="by"
    )
    ticked = f"Tick “{clock.name}” ({'full' if clock.full else 'now'} {clock.filled}/{clock.segments})"
    about, logged = (f"clocks.{key}",), f"Tick “{clock.name}”"  # How full it was is no part of what was done.
    tick = Move("tick", (word,), ticked, (by, _REASON), about=about, effect=True, name=clock.name, title=logged)
    return replace(tick, heading=f"“{clock.name}” ticked")


def play(clocks: Clocks, move: Move, answers: Answers) -> tuple[Clocks, tuple[Fact, ...]]:
    """Return the clocks after one of `moves`, and the facts. Raises `ActRefused`."""
    why = str(answers.get("reason", "")).strip()
    match move.verb:
        case "clock":
            return _start_clock(clocks, answers)
        case "time":
            due = {
                key for key, clock in clocks.items() if clock.kind in (ClockKind.DEATH, ClockKind.AUGURY) and clock.runs
            }
            passed = {key: fill_clock(clock, 1) if key in due else clock for key, clock in clocks.items()}
            steps = [_step_note(key, passed[key], 1, "NM-23") for key in passed if key in due]
            # That time passes is no secret once players see a clock advance.
            secret = bool(steps) and all(step.secret for step in steps)
            deed = f"Time passes{ClockStep(why=why).cause}"
            return passed, (NoteFact(deed, "NM-23", secret, part=NotePart.DEED), *steps)
        case "tick":
            key, by = clock_words(clocks)[move.words[0]], int(str(answers["by"]))
            if closed := _closed_refusal(clocks[key]):
                raise ActRefused(closed.reason, closed.clause)
            clock = fill_clock(clocks[key], by)
            step, now = clock.filled - clocks[key].filled, f"{clock.filled}/{clock.segments}"
            if not by:
                raise ActRefused(f"fill or empty at least one segment of “{clock.name}” ({now})", "NM-26")
            if not step:
                raise ActRefused(f"“{clock.name}” is already {'full' if clock.full else 'empty'} ({now})", "NM-26")
            return {**clocks, key: clock}, (_step_note(key, clock, step, "NM-26", why),)
        case "show" | "hide":
            key, what, shown = clock_words(clocks)[move.words[1]], str(answers["what"]), move.verb == "show"
            clock, part = clocks[key], _SIGHT[what].replace("its", "the")
            if clock.seen or what == "all":
                see = "can now see" if shown else "can no longer see"
                text = f"Players {see} {part}{'' if what == 'all' else ' of'} “{clock.name}”"
            else:
                see = "will see" if shown else "won't see"
                text = f"“{clock.name}” is still hidden. When you show it, players {see} {_SIGHT[what]}"
            after = {**clocks, key: _set_visibility(clock, what, shown=shown)}
            return after, (NoteFact(text, "NM-20", secret=True),)
        case _:
            key = clock_words(clocks)[move.words[0]]
            clock = clocks[key]
            shut = move.verb == "close"
            text = f"“{clock.name}” {'closed' if shut else 'reopened'} at {clock.filled}/{clock.segments}{ClockStep(why=why).cause}"
            about = (clock_path(key, "filled"),)
            note = NoteFact(text, "NM-26", secret=not clock.shows_count, about=about, part=NotePart.DETAIL)
            return {**clocks, key: replace(clock, closed=shut)}, (note,)


def _start_clock(clocks: Clocks, answers: Answers) -> tuple[Clocks, tuple[Fact, ...]]:
    name = str(answers["name"]).strip()
    size = next(size for size in ALL_SIZES if str(size) == answers["segments"])
    kind, effect = ClockKind(str(answers["kind"])), WhileRunning(str(answers.get("running", WhileRunning.NOTHING)))
    clock = Clock(
        name,
        kind,
        size,
        outcome=str(answers.get("outcome", "")).strip(),
        seen=answers["seen"] == "open",
        running=effect,
        when_full=str(answers.get("when_full", "")).strip(),
    )
    key = new_key(name, clocks)
    text = f"New {kind.value} clock: “{name}”, {size} segments"
    return {**clocks, key: clock}, (
        NoteFact(text, "NM-29", secret=not clock.seen, about=(clock_path(key),), part=NotePart.DETAIL),
    )


def _sight(verb: str, word: str, clock: Clock, about: tuple[str, ...]) -> Move:
    """Show a clock, or a part of it, to the players; or hide it from them."""
    so = Refusal("players already see this" if verb == "show" else "already hidden from players", "NM-20")
    same = {what: _set_visibility(clock, what, shown=verb == "show") == clock for what in _SIGHT}
    options = tuple(
        Option(
            what,
            words,
            blocked=so if same[what] else None,
            reveals=_reveals(clock, _set_visibility(clock, what, shown=verb == "show")),
        )
        for what, words in _SIGHT.items()
    )
    # A clock that is hidden already, or visible, has parts that may differ. The label says which, if there is only one.
    left = [words for what, words in _SIGHT.items() if not same[what]]
    part = left[0].replace("its ", "the ") if len(left) == 1 else "part"
    which = f"“{clock.name}”" if not same["all"] or not left else f"{part} of “{clock.name}”"
    label = f"Show {which} to players" if verb == "show" else f"Hide {which} from players"
    # A part is shown or hidden only if it is named, so that leaving a word out never reveals more.
    asks = (PickOne("what", "Which part", options, None if same["all"] else "all"),)
    heading = f"“{clock.name}” {'shown to' if verb == 'show' else 'hidden from'} players"
    blocked = so if all(same.values()) else None
    return Move(verb, ("clock", word), label, asks, blocked, about=about, name=clock.name, heading=heading)


def _set_visibility(clock: Clock, what: str, *, shown: bool) -> Clock:
    """Show or hide one part. On a hidden clock, this settles what players will see once it is shown (NM-20, NM-28)."""
    match what:
        case "all":
            return replace(clock, seen=shown, seen_by=())
        case "count":
            return replace(clock, count_seen=shown)
        case _:
            if clock.allows_outcome is shown:
                return clock
            return replace(clock, outcome_seen="yes" if shown else "no")


def _reveals(before: Clock, after: Clock) -> str:
    """Return the question to ask before players see more of a clock; empty if they will see no more than before."""
    name = f"“{before.name}”"
    if after.seen and (not before.seen or (before.seen_by and not after.seen_by)):
        parts = {"its progress": after.shows_count, **({"its ending": after.shows_outcome} if after.outcome else {})}
        seen, unseen = ([part for part, sees in parts.items() if sees is wanted] for wanted in (True, False))
        they = f"Players will see {' and '.join(seen)}" + (f", but not {unseen[0]}." if unseen else ".")
        they = they if seen else f"Players won't see {' or '.join(unseen)}."
        return f"Show {name} to the players? {they}"
    if after.shows_count and not before.shows_count:
        return f"Show the players the progress of {name}, {after.filled}/{after.segments}?"
    if after.outcome and after.shows_outcome and not before.shows_outcome:
        return f"Show the players the ending of {name}: {after.outcome}?"
    return ""


def advance_by_roll(clocks: Clocks, keys: Sequence[str], mood: OutcomeGrade) -> tuple[Clocks, tuple[Fact, ...]]:
    """Return the clocks after a roll with that outcome was made on some of them (NM-24)."""
    after, facts = dict(clocks), []
    for key in keys:
        if key in clocks and (step := advance(clocks[key], mood)):
            after[key] = fill_clock(clocks[key], step)
            facts.append(_step_note(key, after[key], step, "NM-21" if clocks[key].kind is ClockKind.PUSH else "NM-22"))
    return after, tuple(facts)


def forecast(clocks: Sequence[Clock], odds: Odds) -> tuple[NoteFact, ...]:
    """Return a note for each clock of a roll: how many segments each outcome would fill (NM-24)."""
    notes = []
    for clock in clocks:
        steps = [(chance.label, advance(clock, chance.mood)) for chance in odds.spread.chances]
        text = ", ".join(f"{label} fills {step}" for label, step in steps if step)
        notes.append(NoteFact(f"“{clock.name}” {clock.filled}/{clock.segments}: {text or 'no change'}", "NM-24"))
    return tuple(notes)


def filled_note(key: str, clock: Clock) -> NoteFact:
    """Note that a clock is full, with its ending."""
    text = f"“{clock.name}” is full" + (f": {clock.outcome}" if clock.outcome else "")
    is_visible = clock.shows_count and (clock.shows_outcome or not clock.outcome)
    parts = ("filled", "outcome") if clock.outcome else ("filled",)
    return NoteFact(text, "NM-26", secret=not is_visible, about=tuple(clock_path(key, part) for part in parts))


def effect_notes(before: Clocks, after: Clocks, known: Collection[WhileRunning]) -> tuple[NoteFact, ...]:
    """Note each clock whose effect on rolls or the crew begins, because it runs now, or ends, because it doesn't any longer (NM-25).
    `known` has the effects that the game knows.
    """
    notes = []
    for key, clock in after.items():
        ran = key in before and before[key].runs
        if ran is not clock.runs and clock.running in known and clock.running in _MADE:
            text = f"“{clock.name}” {'makes' if clock.runs else 'no longer makes'} {_MADE[clock.running]}"
            notes.append(NoteFact(text, "NM-25", secret=not clock.seen, about=(clock_path(key),)))
    return tuple(notes)


def _step_note(key: str, clock: Clock, step: int, clause: str, why: str = "") -> NoteFact:
    moved = ClockStep(clock.name, clock.filled - step, clock.filled, clock.segments, why)
    text = f"“{clock.name}” {'+' if step > 0 else '−'}{abs(step)}, now {clock.filled}/{clock.segments}{moved.cause}"
    return NoteFact(text, clause, secret=not clock.shows_count, about=(clock_path(key, "filled"),), step=moved)


def on_clocks(moves: Iterable[Move], clocks: Mapping[str, Clock]) -> tuple[Move, ...]:
    """Return the moves, with a question on each roll: which clocks it is made on (NM-24)."""
    movable = _movable(clocks)
    if not movable:
        return tuple(moves)
    shared, after = _SharedQuestions(movable), list[Move]()
    for move in moves:
        is_asked = move.rolls and move.on_clocks
        after.append(replace(move, asks=(*move.asks, shared.question_for(move))) if is_asked else move)
    return tuple(after)


class _SharedQuestions:
    """The question on which clocks a roll is made. Rolls share it, because a game may have thousands of rolls and hundreds of clocks;
    it differs only where a roll has a word that a clock would have.
    """

    def __init__(self, movable: Mapping[str, Clock]) -> None:
        self._movable = movable
        slugs = {slug(key) for key in movable}
        self._stems = {*slugs, _KIND, *(f"{_KIND}-{each}" for each in slugs)}
        """The stems of the words of clocks: each with or without a number behind it."""
        self._known: dict[frozenset[str], PickMany] = {}

    def question_for(self, move: Move) -> PickMany:
        """Return the question of a roll."""
        clash = frozenset(filter(self._may_clash, _taken_words(move)))
        if clash not in self._known:
            words, movable = clock_words(self._movable, clash), self._movable
            options = tuple(self._option(word, movable[key], key) for word, key in words.items())
            self._known[clash] = PickMany("on", "Clocks", options, clause="NM-24")
        return self._known[clash]

    def _may_clash(self, word: str) -> bool:
        stem, _, number = word.rpartition("-")
        return word in self._stems or (number.isdigit() and stem in self._stems)

    @staticmethod
    def _option(word: str, clock: Clock, key: str) -> Option:
        full = refuse_for_state(clock.name, "full", "NM-26") if clock.full else None
        return Option(word, clock.name, f"{clock.filled}/{clock.segments}", blocked=full, paths=(f"clocks.{key}",))


def would_move(opened: OpenState, key: str, clock: Clock) -> int:
    """Return how many segments the last roll would fill on a clock that is named after it."""
    return 0 if key in opened.moved else advance(clock, opened.mood)


def offered_grades(opened: OpenState, key: str, clock: Clock) -> tuple[OutcomeGrade, ...]:
    """Return the grade of each roll that can still move this clock, the oldest first: earlier rolls of the scene, and the last one if the
    clock is named after it. Of more than it takes to fill the clock, these are the newest; none can while it is full or closed.
    """
    last = (opened.mood,) if opened.mood and would_move(opened, key, clock) else ()
    grades, empty = list[OutcomeGrade](), clock.segments - clock.filled
    for grade in reversed((*opened.missed.get(key, ()), *last)):
        if empty > 0 and (segments := advance(clock, grade)):
            grades.insert(0, grade)
            empty -= segments
    return tuple(grades)


def without_offered(opened: OpenState, key: str, clock: Clock, by: int) -> OpenState:
    """Return what is open once `by` segments of this clock were filled by hand. They are those that rolls offered, the newest first: what
    is left of a roll's segments is still offered. With fewer than 0, or if the clock is full now, none of its offers is left.
    """
    grades = list(offered_grades(opened, key, clock)) if by > 0 else []
    while grades and by > 0:
        segments = advance(clock, grades.pop())
        if by < segments:
            grades.append(next(less for less in OutcomeGrade if advance(clock, less) == segments - by))
        by -= segments
    moved = tuple(dict.fromkeys((*opened.moved, key)))
    return with_earlier(replace(opened, moved=moved), key, grades)


def with_earlier(opened: OpenState, key: str, grades: Sequence[OutcomeGrade]) -> OpenState:
    """Return what is open, where these grades of earlier rolls are all that can still move this clock."""
    others = {other: each for other, each in opened.missed.items() if other != key}
    return replace(opened, missed={**others, key: tuple(grades)} if grades else others)


def _closed_refusal(clock: Clock) -> Refusal | None:
    return refuse_for_state(clock.name, "closed: reopen it first", "NM-26") if clock.closed else None


def _movable(clocks: Mapping[str, Clock]) -> Mapping[str, Clock]:
    """Return the clocks that a roll may be made on: open push and catastrophe clocks."""
    kinds = (ClockKind.PUSH, ClockKind.CATASTROPHE)
    return {key: clock for key, clock in clocks.items() if clock.kind in kinds and not clock.closed}


def _taken_words(move: Move) -> Collection[str]:
    """Return the words that mean something in a roll already, so that no clock has them there."""
    taken = {move.verb, *move.words}
    for ask in move.asks:
        if isinstance(ask, PickOne | PickMany) and ask.name != "on":
            taken.update(option.word for option in ask.options)
    return taken


def without_clocks(move: Move, answers: Answers, clocks: Mapping[str, Clock]) -> tuple[Answers, tuple[str, ...]]:
    """Split the answers to a roll: those of the game itself, and the keys of the clocks that the roll is made on."""
    on = answers.get("on", ())
    words = clock_words(_movable(clocks), _taken_words(move)) if on else {}
    keys = tuple(words[str(word)] for word in on) if isinstance(on, tuple) else ()
    return {name: answer for name, answer in answers.items() if name != "on"}, keys


SITUATION_VERBS = ("situation",)
_MAKES = {WhileRunning.DESPERATE: "rolls are Desperate", WhileRunning.EXPOSED: "the crew is Exposed"}
_BY_HAND, _WITH, _WITHOUT = "by-hand", "with-", "without-"
_ASK = "situation "
"""The names of these questions begin with this; the situation's key follows."""


def situation_words(situations: Situations, taken: Collection[str] = ()) -> Mapping[str, str]:
    """Return the keys of situations by the word to type for each."""
    return words_in_order(situations, [key for key, one in situations.items() if one.seen], "situation", taken)


def moves_of_situations(
    situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]
) -> tuple[Move, ...]:
    """Return the moves that set, end and renew situations. `known` lists the effects that the game has rules for; if
    empty, there are no moves.
    """
    if not known:
        return ()
    makes = tuple(Option(effect.value, _MAKES[effect]) for effect in known)
    clock_ends = (Option(f"{_WITH}{word}", f"with “{clocks[key].name}”") for word, key in clock_words(clocks).items())
    sight = (Option("open", "visible to players"), Option("hidden", "hidden from players"))
    asks = (
        Text("name", "Name", required=True, reserved=("end", "resume")),
        PickOne("makes", "Effect", makes, makes[0].word, "NM-19"),
        Text("rolls", "Applies to"),
        PickOne("clock", "Ends", (Option(_BY_HAND, "when you end it"), *clock_ends), _BY_HAND, "NM-19"),
        PickOne("seen", "Players", sight, "open", "NM-19"),
    )
    found = [Move("situation", (), "Set a situation", asks, effect=True, heading="New situation")]
    for word, key in situation_words(situations).items():
        one, about = situations[key], (f"situations.{key}",)
        over = Refusal(f"“{one.name}” has already ended", "NM-19") if one.over else None
        on = None if one.over else Refusal(f"“{one.name}” has not ended", "NM-19")
        end = Move("situation", ("end", word), f"End “{one.name}”", (), over, about=about, effect=True)
        resume = Move("situation", ("resume", word), f"Resume “{one.name}”", (), on, about=about, effect=True)
        found += [
            replace(end, heading=f"“{one.name}” ends"),
            replace(resume, heading=f"“{one.name}” resumes"),
        ]
    return tuple(found)


def play_situation(
    situations: Situations, clocks: Mapping[str, Clock], move: Move, answers: Answers
) -> tuple[Situations, tuple[Fact, ...]]:
    """Play one of `moves_of_situations`: return the situations and the facts."""
    if move.words:
        key = situation_words(situations)[move.words[1]]
        over = move.words[0] == "end"
        one = replace(situations[key], over=over)
        text = f"“{one.name}” ends" if over else f"Situation “{one.name}” resumed: {does(one)}"
        return {**situations, key: one}, (note(key, one, text),)
    name, ends = str(answers["name"]).strip(), str(answers["clock"])
    one = Situation(
        name,
        WhileRunning(str(answers["makes"])),
        str(answers["rolls"]).strip(),
        "" if ends == _BY_HAND else clock_words(clocks)[ends.removeprefix(_WITH)],
        seen=answers["seen"] == "open",
    )
    key = new_key(name, situations)
    return {**situations, key: one}, (note(key, one, f"New situation “{name}”: {does(one)}"),)


# -- rolls -----------------------------------------------------------------------------------------------------------


def on_roll(move: Move, holding: Situations) -> Move:
    """Add a question to a roll for each situation in force. The default is yes if it affects all rolls or names this
    one.
    """
    touching = {key: one for key, one in holding.items() if one.makes in move.heeds}
    if not touching:
        return move
    taken = {option.word for ask in move.asks if isinstance(ask, PickOne | PickMany) for option in ask.options}
    asks = []
    for word, key in situation_words(touching, taken).items():
        one = touching[key]
        about = (f"situations.{key}",)
        yes = Option(f"{_WITH}{word}", one.makes.capitalize(), paths=about)
        no = Option(f"{_WITHOUT}{word}", "not this roll", paths=about)
        default = yes if names_roll(one, (move.verb, *move.words)) else no
        asks.append(PickOne(f"{_ASK}{key}", title(one), (yes, no), default.word, "NM-19"))
    return replace(move, asks=(*move.asks, *asks))


def is_about_situation(ask: Ask) -> bool:
    """Whether an ask is one that `on_roll` adds."""
    return ask.name.startswith(_ASK)


def without_situations(
    move: Move, answers: Answers, holding: Situations
) -> tuple[Answers, Situations, tuple[Fact, ...]]:
    """Split the answers to a roll: the game's own answers, the situations that affect it, and notes on those that were
    switched off.
    """
    rest, touching, off = dict(answers), dict(holding), list[Fact]()
    for ask in move.asks:
        key = ask.name.removeprefix(_ASK)
        if not isinstance(ask, PickOne) or key == ask.name or key not in holding:
            continue
        answer = str(rest.pop(ask.name, ask.default))
        if answer.startswith(_WITHOUT):
            del touching[key]
            if answer != ask.default:
                off.append(note(key, holding[key], f"{title(holding[key])} does not affect this roll"))
    return rest, touching, tuple(off)


# -- what is shown and checked ---------------------------------------------------------------------------------------


def panel(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Panel]:
    """Yield a panel of the situations in force, if any, beside the ship. Hidden ones are marked secret."""
    rows = list[TextRow]()
    for key, one in in_force(situations, clocks, known).items():
        # The clock that it ends with is named if everyone who sees the situation may see that clock.
        clock = clocks.get(one.clock)
        until = f" while the clock “{clock.name}” runs" if clock and (clock.seen or not one.seen) else ""
        rows.append(TextRow(f"situations.{key}", one.name, f"{does(one)}{until}", Tone.WARN, secret=not one.seen))
    if rows:
        yield Panel("situations", "ship", "Situations", tuple(rows), secret=all(row.secret for row in rows))


def faults(situations: Situations, clocks: Mapping[str, Clock], known: Collection[WhileRunning]) -> Iterator[Fault]:
    """Yield faults: an effect that this game has no rule for, or a clock that doesn't exist."""
    for key, one in situations.items():
        path = ("situations", key)
        if one.makes not in known:
            instead = f": use {' or '.join(known)}" if known else ". Leave the situation out"
            message = f"`makes` can't be {one.makes}, because this game has no rule for it{instead}"
            yield Fault((*path, "makes"), message, "NM-19", grave=False)
        if one.clock and one.clock not in clocks:
            message = f"the situation ends with the clock “{one.clock[:40]}”, which doesn't exist"
            yield Fault((*path, "clock"), message, "NM-19", grave=False)
