"""The panels of a game in a file: as it declares them, and one for each table that it says nothing of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from waylog.rules.codec.changes import format_path, in_short
from waylog.rules.file_game.dice_throws_and_cards import cards_of
from waylog.rules.file_game.game_file_format import GameFile, PanelRule, ValueRule
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Scope,
    WrongPath,
    find,
    in_play,
    in_words,
    label_of,
    main_value,
    read,
    reads_secret,
    thing_at,
)
from waylog.rules.file_game.roll_plans_and_options import first_choice, usual_answer
from waylog.rules.file_game.sheet_types import GONE, NAME, kind_of, things_values
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.values import replace

_MOST_PIPS = 12


def panels(moment: FileMoment) -> tuple[Panel, ...]:
    """Return the panels that the file declares, in its order, and then those of the other tables."""
    game = moment.game
    shown = {rule.part or key: key for key, rule in game.panels.items()}
    found = [panel for key, rule in game.panels.items() for panel in _of_rule(moment, key, rule)]
    for key in game.sheet:
        if key not in shown:
            found += _of_rule(moment, key, PanelRule())
    seen = set[tuple[str, str]]()
    tags = _tags(moment, "", ())
    for at, panel in enumerate(found):
        # A value is pointed at by its path, so a screen can have it once: rows that it has already are left out.
        first = {(panel.place, row.key): row for row in reversed(panel.rows)}
        rows = tuple(
            row for row in panel.rows if first[panel.place, row.key] is row and (panel.place, row.key) not in seen
        )
        seen |= first.keys()
        found[at] = replace(panel, rows=rows) if len(rows) < len(panel.rows) else panel
        # The words of conditions that concern nobody in particular stand beside the first panel of a table.
        if tags and (panel.key in game.sheet or panel.key in game.panels):
            found[at] = replace(found[at], tags=(*panel.tags, *tags))
            tags = ()
    return tuple(found)


def _tags(moment: FileMoment, who: str, keys: tuple[str, ...]) -> tuple[Tag, ...]:
    """Return the words beside the name of a thing, or of a table for which no list is named: those of conditions that hold before anything
    is chosen for a roll.
    """
    found = list[Tag]()
    for condition in moment.game.when.values():
        if not condition.tag or condition.who != who:
            continue
        scope = Scope(moment, who, keys)
        rolls = [roll for roll in condition.rolls or moment.game.dice if roll in moment.game.dice]
        for roll in rolls[:1]:
            choice = first_choice(roll, moment.game.dice[roll], keys)
            first = tuple(f"{name}.{usual_answer(ways, scope)}" for name, ways in choice.rule.pick.items())
            scope = replace(scope, names=choice._replace(options=first).names(), chosen=choice.chosen_things(moment))
        if scope.holds(condition.condition):
            # In a roll, its sentence begins with its name; here that stands before it.
            found.append(Tag(condition.tag, condition.tone, condition.about.removeprefix(f"{condition.tag}: ")))
    return tuple(found)


def _of_rule(moment: FileMoment, key: str, rule: PanelRule) -> Iterator[Panel]:
    name = rule.part or key
    part = moment.game.sheet.get(name)
    if part is None:
        rows = tuple(row for path in rule.rows for row in _row_of_path(moment, path))
        yield Panel(key, rule.place or "ship", rule.title or label_of(key, ""), rows, secret=rule.secret)
    elif part.each:
        secret = rule.secret or part.secret
        found = [*in_play(getattr(moment.sheet, name))]
        if rule.order != "":
            found.sort(key=lambda item: Scope(moment, name, (item[0],)).number(rule.order))
        for thing_key, thing in found:
            path = (name, thing_key)
            role = in_short(str(getattr(thing, rule.role, ""))) if rule.role else ""
            rows = tuple(
                row
                for row in _rows(moment, path, thing, things_values(part.each), rule.rows)
                if row.key not in {format_path((*path, key)) for key in (NAME, GONE, rule.role)}
            )
            title = str(getattr(thing, NAME, "")) or thing_key
            panel_key = format_path(path) if key == name else f"{key}.{format_path((thing_key,))}"
            place, tags = rule.place or part.place or "crew", _tags(moment, name, (thing_key,))
            yield Panel(panel_key, place, title, rows, tags, secret, role=role)
    else:
        table = getattr(moment.sheet, name)
        rows = tuple(_rows(moment, (name,), table, part.values, rule.rows))
        title = rule.title or str(getattr(table, NAME, "")) or label_of(name, part.label)
        place = rule.place or part.place or "ship"
        yield Panel(key, place, title, rows, secret=rule.secret or part.secret)


def _row_of_path(moment: FileMoment, path: str) -> Iterator[Row]:
    if path in moment.game.formulas:
        yield _formula_row(Scope(moment), path, path)
        return
    place = find(moment.game.sheet, "", tuple(path.split(".")))
    value = read(moment.sheet, place.path)
    if value is not None and not place.of_all:
        yield from _value_rows(
            moment, place.path, place.path[-1], place.value, value, moment.game.sheet[place.path[0]].secret
        )


def _rows(
    moment: FileMoment, path: tuple[str, ...], thing: Any, values: Mapping[str, ValueRule], order: tuple[str, ...]
) -> Iterator[Row]:
    """Return the rows of a table or a thing: those that a panel names, in order, or all."""
    for name in order or tuple(values):
        if name in values:
            yield from _value_rows(moment, (*path, name), name, values[name], getattr(thing, name), secret=False)
        elif name in moment.game.formulas:
            is_list = len(path) > 1
            scope = Scope(moment, path[0] if is_list else "", path[1:])
            yield _formula_row(scope, name, format_path((*path, name)))
        elif "." in name:
            yield from _row_of_path(moment, name)


def _formula_row(scope: Scope, name: str, key: str) -> Row:
    """Return the row of a formula of [formulas]. Players don't see what comes of a value that they don't see."""
    secret = reads_secret(scope.moment.game, scope.who, name)
    tone = Tone.DIM if secret else Tone.PLAIN
    return TextRow(key, label_of(name, ""), str(scope.number(name)), tone, secret=secret)


def _value_rows(
    moment: FileMoment, path: tuple[str, ...], name: str, value: ValueRule, now: Any, secret: bool
) -> Iterator[Row]:
    key, label = format_path(path), label_of(name, value.label)
    if value.show == "nowhere":
        return
    if kind_of(value) == "each":
        for thing_key, thing in in_play(now):
            yield _thing_row(moment, (*path, thing_key), thing_key, thing, value, secret=secret or value.secret)
        return
    yield _row(key, label, _limit_range(moment, path, value), now, secret=secret or value.secret)


def is_unseen(game: GameFile, path: Sequence[str]) -> bool:
    """Whether the game shows a value nowhere."""
    if len(path) < 2 or path[0] not in game.sheet:
        return False
    who, _ = thing_at(game.sheet, path)
    with suppress(WrongPath):
        return find(game.sheet, who, path[-1:] if who else path).value.show == "nowhere"
    return False


def _limit_range(moment: FileMoment, path: tuple[str, ...], value: ValueRule) -> ValueRule:
    """Return a value with the range that it has now."""
    return value if value.most == value.least == "" else replace(value, range=moment.limits(value, path))


def _row(key: str, label: str, value: ValueRule, now: Any, *, secret: bool) -> Row:
    kind = kind_of(value)
    if secret:
        return TextRow(key, label, _with_most(value, now), Tone.DIM, secret=True, rank=value.rank)
    if kind == "range" and value.show == "dice":
        return DiceRow(key, label, max(0, now), "", value.about, value.rank)
    if kind == "range" and value.show != "text" and value.range[0] >= 0 and value.range[-1] <= _MOST_PIPS:
        return PipsRow(key, label, now, value.range[-1], "", value.about, value.rank)
    if kind == "flag" and value.good:
        return MarkRow(key, label, now, in_words(now), "", value.about, value.rank, switch=key)
    if kind == "flag":
        words = f"{in_words(now)} · {value.about}" if now and value.about else in_words(now)
        tone = Tone.WARN if now and value.good is False else Tone.PLAIN
        return TextRow(key, label, words, tone, rank=value.rank, switch=f"{key} {str(not now).lower()}")
    rank = Rank.ABOUT if kind == "text" and value.rank is Rank.PLAIN else value.rank
    return TextRow(key, label, _with_most(value, now), rank=rank)


def _with_most(value: ValueRule, now: Any) -> str:
    if value.deck:
        cards = len(cards_of(value.deck))
        return f"{cards - len(now)} of {cards} cards left"
    if kind_of(value) == "range" and value.range[0] >= 0:
        return f"{now} of {value.range[-1]}"
    return f"{now:+d}" if kind_of(value) == "range" else in_words(now)


def _thing_row(
    moment: FileMoment, path: tuple[str, ...], thing_key: str, thing: Any, value: ValueRule, *, secret: bool
) -> Row:
    """Return one row for a thing within a table: its first track or flag, and the rest in words."""
    values = {key: inner for key, inner in things_values(value.each).items() if inner.show != "nowhere"}
    values = {key: inner for key, inner in values.items() if key not in (NAME, GONE)}
    title = str(getattr(thing, NAME, "")) or thing_key
    main = main_value(values)
    rest = [
        _label_and_value(label_of(key, inner.label), getattr(thing, key))
        for key, inner in values.items()
        if key != main and kind_of(inner) != "each" and getattr(thing, key) not in ("", (), False)
    ]
    if not main or secret or kind_of(values[main]) != "range" or values[main].range[0] < 0:
        first = [_label_and_value(label_of(main, values[main].label), getattr(thing, main))] if main else []
        return TextRow(format_path(path), title, ", ".join([*first, *rest]) or " ", secret=secret)
    now, most = getattr(thing, main), _limit_range(moment, (*path, main), values[main]).range[-1]
    return PipsRow(format_path((*path, main)), title, now, most, ", ".join(rest), value.about)


def _label_and_value(label: str, value: Any) -> str:
    """Return `Dry` or `Dry: no` for a flag, `To: the Ferryman` for a text, and `Bonus 2` for any other value."""
    if isinstance(value, bool):
        return label if value else f"{label}: no"
    return f"{label}{':' if isinstance(value, str) else ''} {in_words(value)}"
