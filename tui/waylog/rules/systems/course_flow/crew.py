"""Characters and ships, with their skills, equipment and tokens (CF-04)."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.changes import words_for
from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.course_flow.sheet import MOST_TYPED, Member, Ship, TokenKind
from waylog.rules.systems.course_flow.stages_and_typed_names import Moment, crew_words, held_skill
from waylog.values import replace


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer new characters and ships, skills, equipment, and tokens."""
    name = (Text("name", "Name", required=True),)
    moves = [
        Move("join", (), "Add a crew member", name, about=("crew",)),
        Move("ship", (), "Add a ship", name, about=("ships",)),
    ]
    for word, key in crew_words(moment).items():
        who, about = moment.name(key), f"crew.{key}"
        skill = (Text("name", "Skill", required=True), Number("value", "Value", 0, MOST_TYPED))
        label, skills = f"Set a skill for {who}", (f"{about}.skills",)
        moves.append(Move("skill", (word,), label, skill, about=skills, effect=True))
        item = (Text("item", "What", required=True),)
        equipment = (f"{about}.equipment",)
        moves.append(Move("equip", (word,), f"Give {who} an item", item, about=equipment, effect=True))
        carried = tuple(
            Option(item, moment.member(key).equipment[place]) for item, place in _items(moment, key).items()
        )
        if carried:
            left = (PickOne("item", "What", carried, clause="CF-04"),)
            moves.append(Move("discard", (word,), f"Take an item from {who}", left, about=equipment))
        moves += _tokens(moment, word, key)
    return tuple(moves)


def _tokens(moment: Moment, word: str, key: str) -> Iterator[Move]:
    """Offer `award iko clue 2` and `take iko clue`, which the story gives and takes without a roll (NM-17)."""
    who, about = moment.name(key), (f"crew.{key}.tokens",)
    kinds = tuple(Option(kind.value, kind.value.capitalize(), f"has {moment.tokens(key, kind)}") for kind in TokenKind)
    kind, many = PickOne("kind", "Kind", kinds, clause="CF-30"), Number("by", "How many", 1, MOST_TYPED, 1)
    yield Move("award", (word,), f"Award a token to {who}", (kind, many), about=about, effect=True)
    options = tuple(
        option
        if moment.tokens(key, kind)
        else replace(option, blocked=Refusal(f"{who} has no {option.label} token", "CF-21"))
        for kind, option in zip(TokenKind, kinds, strict=True)
    )
    none = None if any(option.blocked is None for option in options) else Refusal(f"{who} has no tokens", "CF-21")
    asks = (replace(kind, options=options), many)
    yield Move("take", (word,), f"Take a token from {who}", asks, none, about=about, effect=True)


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
