"""Values that are set as in the file: one or several with one act, and the fields that a form is made of."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import EXAMPLES
from tests.kit.small_game import SYSTEM as SMALL_GAME
from tests.kit.small_game import Boat, Harbour
from tests.kit.table import seeded, ticking
from tests.kit.thorough import cases
from waylog.rules.codec.base_and_limits import ValueShape
from waylog.rules.codec.changes import NEW
from waylog.rules.codec.form_fields_and_paths import FieldGroup, FormField, codec_at, read_text, split_items
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.set_command import Setting, format_settings, parse_settings
from waylog.rules.systems import names, system
from waylog.table import Table

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)
PATHS = st.lists(st.text('abz-_09 ."é', min_size=1, max_size=8), min_size=1, max_size=3)


def table_of(example: Path) -> Table:
    """An example, to look at."""
    return Table(example, now=ticking(), chance=seeded(lambda _: 0), read_only=True)


def every_field(group: FieldGroup) -> Iterator[FormField]:
    """The fields of a group, of those within it, and of what could be added."""
    yield from group.fields
    for part in (group, *(part for part in group.parts if isinstance(part, FieldGroup))):
        if isinstance(part.new, FieldGroup):
            yield from part.new.fields


@given(st.lists(st.tuples(PATHS, TEXTS), min_size=1, max_size=4))
def test_a_line_of_settings_is_read_back(given_settings: list[tuple[list[str], str]]) -> None:
    """Whatever the texts and the keys: quotes, paths and line ends in a text are text."""
    settings = tuple(Setting(("crew", *path), text) for path, text in given_settings)
    assert parse_settings(format_settings(settings), {"crew"}) == settings


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        ("ship.focus 2", [("ship.focus", "2")]),
        ("ship.about A ship of nine metres", [("ship.about", "A ship of nine metres")]),
        (
            'crew.mara.name "Mara Lind" crew.mara.role pilot',
            [("crew.mara.name", "Mara Lind"), ("crew.mara.role", "pilot")],
        ),
        ("ship.name Tenacity ship.focus 1", [("ship.name", "Tenacity"), ("ship.focus", "1")]),
        ("ship.about See www.veil.org", [("ship.about", "See www.veil.org")]),
        ('ship.about "ship.focus 2"', [("ship.about", "ship.focus 2")]),
        (
            'crew.pim.gear "six keys, all copies", "a whistle"',
            [("crew.pim.gear", '"six keys, all copies" , "a whistle"')],
        ),
        ('ship.name ""', [("ship.name", "")]),
        ("name The other one", [("name", "The other one")]),
    ],
)
def test_settings_as_people_type_them(line: str, settings: list[tuple[str, str]]) -> None:
    """A value goes on to the next path of the file; in quotes it may be anything."""
    read = parse_settings(line, {"ship", "crew", "name"})
    assert [(".".join(setting.path), setting.text) for setting in read] == settings


@pytest.mark.parametrize("line", ["", "ship.focus ship.name x"])
def test_a_path_needs_a_value(line: str) -> None:
    """Of several; the message says what to do."""
    with pytest.raises(ValueError, match=r"which value\?|new value of"):
        parse_settings(line, {"ship"})


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a, b", ["a", "b"]),
        ("", []),
        ('"a, b", c', ["a, b", "c"]),
        (" a ,, b,", ["a", "b"]),
        ('nine" nails, x', ['nine" nails', "x"]),
    ],
)
def test_items_stand_between_commas(text: str, items: list[str]) -> None:
    """One with a comma in it is in quotes, and empty ones are none."""
    assert split_items(text) == items


@pytest.mark.parametrize("example", cases(sorted(EXAMPLES.iterdir()), 0, 3), ids=lambda path: path.name)
def test_each_value_of_an_example_is_typed_as_it_is_shown(example: Path) -> None:
    """Read back, the text of every field is the value that the file has; so is that of every default."""
    table = table_of(example)
    game, state = table.game, table._store.campaign.state
    whole = game.fields(state)
    plain = game.write(state)
    count = 0
    for field in every_field(whole):
        codec = codec_at(game.tree, field.path)
        assert codec, field.path
        read = [read_text(codec, text) for text in (field.text, field.default)]
        for value in read:
            faults: list[object] = []
            codec.decode(value, field.path, faults)  # type: ignore[arg-type]
            assert NEW in field.path or not faults, faults
        found: object = plain
        for key in field.path:
            found = found.get(key, None) if isinstance(found, dict) else None
        assert found in (None, read[0]), field.path
        count += 1
    assert count > 30


@pytest.mark.parametrize("name", names())
def test_each_game_has_fields_for_everything_in_its_file(name: str) -> None:
    """A field has a label and, but for the tables of the players' own words, says what it means. Nothing in a game is for this."""
    game = Game(system(name))
    whole = game.fields(game.fresh("New"))
    for field in every_field(whole):
        assert field.label or NEW in field.path, field.path
        if field.shape is ValueShape.CHOICE:
            assert field.choices, field.path


def first_light() -> tuple[Game, State]:
    """An example of the CORE rules in a later edition, as a state alone."""
    table = table_of(EXAMPLES / "first-light")
    return table.game, table._store.campaign.state


def played(game: Game, state: State, line: str) -> State:
    """The state after a line."""
    return game.play(state, parse_act(game.moves(state), line), seeded(lambda _: 0)).state


def test_one_act_sets_several_values() -> None:
    """Its title names the thing and what was set; the log has each value, for the wayfinder alone."""
    game, state = first_light()
    act = parse_act(
        game.moves(state), 'set crew.kit.role "Pilot, retired" crew.kit.focus 2 crew.kit.primary.works false'
    )
    result = game.play(state, act, seeded(lambda _: 0))
    member = result.state.sheet.crew["kit"]
    assert (member.role, member.focus, member.primary.works) == ("Pilot, retired", 2, False)
    assert result.title == "Set Kit: role, focus, primary tool works"
    assert [fact.text for fact in result.facts] == [  # type: ignore[union-attr]
        "Role: Pilot, retired (was Pilot. Learned on barges, and still apologises to them)",
        "Focus: 2 (was 0)",
        "Primary tool works: no (was yes)",
    ]
    assert all(fact.secret for fact in result.facts)
    again = parse_act(game.moves(state), result.words)
    assert again.answers == act.answers


def test_a_new_entry_is_made_with_all_its_values() -> None:
    """The first of its values is its name; without it the line is a misspelling."""
    game, state = first_light()
    after = played(
        game,
        state,
        'set crew.nova.name Nova crew.nova.advancements expert, relentless crew.nova.primary.name "arc, long"',
    )
    nova = after.sheet.crew["nova"]
    assert (nova.name, nova.primary.name, len(nova.advancements)) == ("Nova", "arc, long", 2)
    with pytest.raises(ActRefused, match=r"there is no crew\.nova"):
        played(game, state, "set crew.nova.role pilot crew.nova.focus 1")


def test_a_list_is_emptied_in_plain_words() -> None:
    """By the word that anybody would try, by brackets as in the file, by `-` or by nothing; never by an item of that name."""
    game, state = first_light()
    full = played(game, state, "set crew.kit.advancements expert, relentless")
    for line in ("nothing", "none", "[]", "-", '""'):
        assert not played(game, full, f"set crew.kit.advancements {line}").sheet.crew["kit"].advancements
    held = played(game, state, 'set crew.kit.advancements ["expert", "relentless"]').sheet.crew["kit"].advancements
    assert held == full.sheet.crew["kit"].advancements
    for line in ("nothing", "-", "[]"):
        with pytest.raises(ActRefused, match=r"^crew\.kit\.advancements is already empty$"):
            played(game, played(game, full, "set crew.kit.advancements nothing"), f"set crew.kit.advancements {line}")
    with pytest.raises(ActRefused, match="can't be removed, because it is not an entry"):
        played(game, state, "set crew.kit.role -")


def test_one_wrong_value_prevents_the_whole_act() -> None:
    """Nothing is set, and the reason is that of the value."""
    game, state = first_light()
    with pytest.raises(ActRefused, match="focus can't be 9: it should be a whole number from 0 to 6"):
        played(game, state, "set crew.kit.role pilot crew.kit.focus 9")


def test_a_row_belongs_to_the_deepest_thing_in_the_file() -> None:
    """A tool is a part of a person; a module is a thing of its own, also an empty slot; what the file lacks belongs to nothing."""
    game, state = first_light()
    found = {
        row: ".".join(form.group.path) if (form := game.form(state, tuple(row.split(".")))) else ""
        for row in (
            "crew.kit.primary",
            "crew.kit.expert",
            "ship.focus",
            "ship.modules.4",
            "clocks.letter",
            "conflict.raised",
        )
    }
    assert found == {
        "crew.kit.primary": "crew.kit",
        "crew.kit.expert": "crew.kit",
        "ship.focus": "ship",
        "ship.modules.4": "ship.modules.4",
        "clocks.letter": "clocks.letter",
        "conflict.raised": "",
    }
    new = game.form(state, ("crew", NEW))
    assert new
    assert new.group.name == ""
    assert new.taken == ["ines", "kit", "oyelaran"]
    assert game.form(state, ("conflict", "raised")) is None


def test_a_game_that_somebody_adds_has_forms() -> None:
    """Its types are all that they are made of: the ranges, the choices and the texts."""
    game = Game(SMALL_GAME)
    state = game.fresh("The Swallow")
    boat = game.form(state, ("boat", "hull"))
    rules = game.form(state, ("house_rules",))
    assert boat
    assert rules
    assert [(field.label, field.text, field.about) for field in boat.group.fields] == [
        ("Hull", "3", "How whole it is"),
        ("Luck", "0", ""),
    ]
    assert [(field.label, field.choices) for field in rules.group.fields] == [
        ("Clock sizes", ("usual", "any")),
        ("Damage", ("1", "2")),
    ]
    assert played(game, state, "set boat.hull 2 boat.luck 3").sheet == Harbour(Boat(2, 3))
