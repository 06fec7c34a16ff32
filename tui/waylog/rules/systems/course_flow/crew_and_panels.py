"""Characters and ships, with their skills, equipment and tokens (CF-04).

The panels of the sheet, for the ship and crew tabs; and the faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import in_short, join_names, words_for
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.model.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.course_flow.course_flows_questions_and_tracks import ROWS, SlotBoard, boards
from waylog.rules.systems.course_flow.rolls_and_elections import course_words, set_it
from waylog.rules.systems.course_flow.sheet import MOST_TYPED, TOP_SKILL, DieType, Member, Ship, TokenKind
from waylog.rules.systems.course_flow.state_stages_and_typed_names import Moment, crew_words, held_skill
from waylog.values import replace


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer new characters and ships, skills, equipment, and tokens."""
    words, name = crew_words(moment), Text("name", "Name", required=True)
    new = replace(name, taken=tuple(map(moment.name, words.values())))
    moves = [
        Move("join", (), "Add a crew member", (new,), about=("crew",), heading="New crew member"),
        Move("ship", (), "Add a ship", (name,), about=("ships",), heading="New ship"),
    ]
    for word, key in words.items():
        who, about = moment.name(key), f"crew.{key}"
        skill = (Text("name", "Skill", required=True), Number("value", "Value", 0, MOST_TYPED))
        label, skills = f"Set a skill for {who}", (f"{about}.skills",)
        moves.append(Move("skill", (word,), label, skill, about=skills, effect=True, heading=f"{who}'s skill"))
        item = (Text("item", "What", required=True),)
        equipment = (f"{about}.equipment",)
        equip = Move("equip", (word,), f"Give {who} an item", item, about=equipment, effect=True)
        moves.append(replace(equip, heading=f"{who} gets an item"))
        carried = tuple(
            Option(item, moment.member(key).equipment[place]) for item, place in _items(moment, key).items()
        )
        if carried:
            left = (PickOne("item", "What", carried, clause="CF-04"),)
            label, heading = f"Take an item from {who}", f"{who} loses an item"
            moves.append(Move("discard", (word,), label, left, about=equipment, heading=heading))
        moves += _tokens(moment, word, key)
    return tuple(moves)


def _tokens(moment: Moment, word: str, key: str) -> Iterator[Move]:
    """Offer `award iko clue 2` and `take iko clue`, which the story gives and takes without a roll (NM-17)."""
    who, about = moment.name(key), (f"crew.{key}.tokens",)
    kinds = tuple(Option(kind.value, kind.value.capitalize(), f"has {moment.tokens(key, kind)}") for kind in TokenKind)
    kind, many = PickOne("kind", "Kind", kinds, clause="CF-30"), Number("by", "How many", 1, MOST_TYPED, 1)
    award = Move("award", (word,), f"Award a token to {who}", (kind, many), about=about, effect=True)
    yield replace(award, heading=f"{who} gets tokens")
    options = tuple(
        option
        if moment.tokens(key, kind)
        else replace(option, blocked=Refusal(f"{who} has no {option.label} token", "CF-21"))
        for kind, option in zip(TokenKind, kinds, strict=True)
    )
    none = None if any(option.blocked is None for option in options) else Refusal(f"{who} has no tokens", "CF-21")
    asks = (replace(kind, options=options), many)
    there = [option.label for option in options if not option.blocked]
    label = f"Take {there[0] if len(there) == 1 else 'tokens'} from {who}"
    take = Move("take", (word,), label, asks, none, about=about, effect=True)
    yield replace(take, heading=f"{who} loses tokens")


def _items(moment: Moment, who: str) -> dict[str, int]:
    """Return the position of each item in someone's equipment, by word."""
    items = ((str(place), item) for place, item in enumerate(moment.member(who).equipment))
    return {word: int(place) for word, place in words_for(items, "item", crew_words(moment)).items()}


def join(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a crew member with all five dice."""
    name = str(answers["name"]).strip()
    crew = {**moment.sheet.crew, new_key(name, moment.sheet.crew): Member(name)}
    return replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"{name} joins the crew", "CF-04")


def come_in(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add a ship without tracks or matrices."""
    name = str(answers["name"]).strip()
    ships = {**moment.sheet.ships, new_key(name, moment.sheet.ships): Ship(name)}
    return replace(moment, sheet=replace(moment.sheet, ships=ships)).says(f"New ship: {name}", "CF-04")


def give_skill(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `skill iko Piloting 2`: add a skill, or change its value."""
    who, text, value = crew_words(moment)[move.words[0]], str(answers["name"]).strip(), int(str(answers["value"]))
    text = held_skill(moment, who, text)
    if moment.member(who).skills.get(text) == value:
        raise ActRefused(f"{text} is already {value}", "CF-04")
    return moment.with_skill(who, text, value).says(f"{moment.name(who)}: {text} is now {value}", "CF-04")


def equip(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Add an item to someone's equipment."""
    who, item = crew_words(moment)[move.words[0]], str(answers["item"]).strip()
    after = moment.with_member(who, equipment=(*moment.member(who).equipment, item))
    return after.says(f"{moment.name(who)} now has “{item}”", "CF-04")


def discard(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Remove an item from someone's equipment."""
    who = crew_words(moment)[move.words[0]]
    carried, place = moment.member(who).equipment, _items(moment, who)[str(answers["item"])]
    after = moment.with_member(who, equipment=(*carried[:place], *carried[place + 1 :]))
    return after.says(f"{moment.name(who)} no longer has “{carried[place]}”", "CF-04")


def award(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `award iko clue 2`: give tokens."""
    who, kind, by = crew_words(moment)[move.words[0]], TokenKind(str(answers["kind"])), int(str(answers["by"]))
    after = moment.with_token(who, kind, by)
    return after.says(f"{moment.name(who)} gains {_tokens_text(kind, by)} (now {after.tokens(who, kind)})", "CF-21")


def take(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `take iko clue`: take tokens, at most as many as there are."""
    who, kind = crew_words(moment)[move.words[0]], TokenKind(str(answers["kind"]))
    by = min(int(str(answers["by"])), moment.tokens(who, kind))
    after = moment.with_token(who, kind, -by)
    return after.says(f"{moment.name(who)} loses {_tokens_text(kind, by)} (now {after.tokens(who, kind)})", "CF-21")


def _tokens_text(kind: TokenKind, by: int) -> str:
    return f"{by} {kind.value.capitalize()} {'token' if by == 1 else 'tokens'}"


CHAPTER = Chapter(
    offers=offers,
    plays={
        "join": join,
        "ship": come_in,
        "skill": give_skill,
        "equip": equip,
        "discard": discard,
        "award": award,
        "take": take,
    },
)


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_check_course(moment), *_dice(moment), *_check_slots(moment))


def _check_course(moment: Moment) -> Iterator[Fault]:
    for field, who in (("set_by", moment.course.set_by), ("safe", moment.course.safe)):
        if who and who not in moment.sheet.crew:
            known = ", ".join(moment.sheet.crew) or "nobody"
            message = f"{field} can't be “{who}”: it should be empty, or the key of a crew member ({known})"
            yield Fault(("course", field), message, "CF-02", grave=False)


def _dice(moment: Moment) -> Iterator[Fault]:
    for key, member in moment.sheet.crew.items():
        path = ("crew", key, "dice")
        if len(set(member.dice)) < len(member.dice):
            yield Fault(path, "the same die type is listed twice", "CF-04", grave=False)
        if len(set(member.dice)) < 2:
            yield Fault(path, f"{moment.name(key)} needs at least two die types to roll", "CF-11", grave=False)


def _check_slots(moment: Moment) -> Iterator[Fault]:
    for board in boards(moment):
        path = (board.table, board.owner, board.kind, board.key, "marked")
        current = getattr(moment.sheet, board.table)[board.owner]
        marked = getattr(current, board.kind)[board.key].marked
        if len(set(marked)) < len(marked):
            twice = next(slot for slot in marked if marked.count(slot) > 1)
            yield Fault(path, f"{board.name} has slot {twice} marked twice", "CF-05", grave=False)
        stray = sorted(board.marked - set(board.slots))
        if stray and board.slots:
            message = f"{board.name} has no slot {stray[0]}: its slots are {board.slots[0]} to {board.slots[-1]}"
            yield Fault(path, message, "CF-05", grave=False)


FREE, MARKED = "□", "■"


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the Course and the Flows, each ship; then the Course again on the crew tab, and each crew
    member.
    """
    slots: _Slots = {(table, key): [] for table in ("ships", "crew") for key in getattr(moment.sheet, table)}
    for board in boards(moment):
        slots[board.table, board.owner] += _track(board) if board.kind == "tracks" else _matrix(board)
    return (
        Panel("course", "ship", "The Course", _course(moment), _waiting_tags(moment)),
        _flows(moment),
        *(_ship(moment, key, slots) for key in moment.sheet.ships),
        Panel("table", "crew", "On the table", _beside_the_crew(moment), _waiting_tags(moment)),
        *(_member(moment, key, member, slots) for key, member in moment.sheet.crew.items()),
    )


# -- the Course (CF-02, CF-12) -----------------------------------------------------------------------------------------


def _course(moment: Moment) -> tuple[Row, ...]:
    course = moment.course
    if not course.lies:
        return (
            TextRow(
                "course.die",
                "Die",
                "none yet: the wayfinder sets the first",
                Tone.WARN,
            ),
        )
    lies = TextRow("course.die", "Die", course_words(course), rank=Rank.VITAL)
    return lies, TextRow("course.set_by", "Set by", moment.name(course.set_by)), *_course_effects(moment)


def _beside_the_crew(moment: Moment) -> tuple[Row, ...]:
    """Return the Course for the crew tab, in as few lines as possible."""
    course = moment.course
    if not course.lies:
        return _course(moment)
    lies = f"{course_words(course)}, set by {moment.name(course.set_by)}"
    return TextRow("course.die", "The Course", lies, rank=Rank.VITAL), *_course_effects(moment)


def _course_effects(moment: Moment) -> tuple[Row, ...]:
    """Return the effects of the Course on people: who can't roll, and who is safe."""
    course, rows = moment.course, list[Row]()
    if waiting := _names_who_wait(moment):
        rows.append(TextRow("course.set_by.waits", "Can't roll", f"{waiting}, who set it", Tone.WARN))
    if course.safe:
        text = f"{moment.name(course.safe)} and allies"
        rows.append(TextRow("course.safe", "No harm to", text, Tone.GOOD))
    return tuple(rows)


def _names_who_wait(moment: Moment) -> str:
    """Return the names of those who can't roll because they set the Course."""
    return join_names(moment.name(key) for key in moment.sheet.crew if set_it(moment, key))


def _waiting_tags(moment: Moment) -> tuple[Tag, ...]:
    waiting = _names_who_wait(moment)
    return (Tag(f"{waiting} can't roll", Tone.WARN),) if waiting else ()


def _flows(moment: Moment) -> Panel:
    rows = list[Row]()
    for key, flow in moment.flows():
        rows.append(TextRow(f"flows.{key}", flow.name or key, f"+{flow.value}", rank=Rank.VITAL))
        if flow.notes:
            rows.append(TextRow(f"flows.{key}.notes", "", flow.notes, Tone.DIM, secret=True, rank=Rank.ABOUT))
    return Panel("flows", "ship", "Flows", tuple(rows) or (TextRow("flows", "Flows", "none yet", Tone.DIM),))


# -- ships and people (CF-04, CF-05) -----------------------------------------------------------------------------------

_Slots = Mapping[tuple[str, str], list[Row]]


def _ship(moment: Moment, key: str, slots: _Slots) -> Panel:
    ship, row = moment.sheet.ships[key], f"ships.{key}"
    about: list[Row] = [TextRow(f"{row}.about", "About", ship.about, rank=Rank.ABOUT)] if ship.about else []
    rows = (*about, *slots["ships", key])
    return Panel(row, "ship", ship.name or key, rows or (TextRow(row, "Ship", "nothing to mark yet", Tone.DIM),))


def _member(moment: Moment, key: str, member: Member, slots: _Slots) -> Panel:
    row = f"crew.{key}"
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about, rank=Rank.ABOUT)] if member.about else []
    if member.player:
        rows.append(TextRow(f"{row}.player", "Player", member.player, rank=Rank.ABOUT))
    rows.extend(PipsRow(f"{row}.skills.{skill}", skill, value, TOP_SKILL) for skill, value in member.skills.items())
    if set(member.dice) != set(DieType):
        rows.append(TextRow(f"{row}.dice", "Dice", ", ".join(die.label for die in DieType if die in member.dice)))
    keys = [f"{kind.value.capitalize()} {moment.tokens(key, kind)}" for kind in TokenKind if moment.tokens(key, kind)]
    rows.append(TextRow(f"{row}.tokens", "Tokens", " · ".join(keys) or "none", Tone.GOOD if keys else Tone.DIM))
    if member.equipment:
        rows.append(TextRow(f"{row}.equipment", "Equipment", ", ".join(member.equipment)))
    rows.extend(slots["crew", key])
    tags = (Tag("can't roll", Tone.WARN),) if set_it(moment, key) else ()
    return Panel(row, "crew", member.name or key, tuple(rows), tags, role=in_short(member.about))


def _track(board: SlotBoard) -> Iterator[Row]:
    drawn = " ".join(MARKED if slot in board.marked else FREE for slot in board.slots)
    count = f"{len(board.full)}/{len(board.slots)}"
    yield TextRow(board.path, board.name, f"{drawn}  {count}", _tone(board), rank=Rank.VITAL)


def _matrix(board: SlotBoard) -> Iterator[Row]:
    """Yield one row for each row of the grid, with the count of its own slots."""
    for line in filter(None, ([slot for slot in board.slots if slot[0] == row] for row in ROWS)):
        squares = " ".join(MARKED if slot in board.marked else FREE for slot in line)
        count = f"{sum(slot in board.marked for slot in line)}/{len(line)}"
        key, name = f"{board.path}.{line[0][0]}", f"{board.name} {line[0][0]}"
        yield TextRow(key, name, f"{squares}  {count}", _tone(board), rank=Rank.VITAL)


def _tone(board: SlotBoard) -> Tone:
    return Tone.PLAIN if board.free else Tone.BAD
