"""A new campaign's file explains itself, says what a fresh sheet says, and is clean."""

import json
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.kit.small_game import SYSTEM as SMALL_GAME
from waylog.rules.codec.changes import Change
from waylog.rules.game import Game
from waylog.rules.rulebook import CommonHouseRules
from waylog.rules.systems import names, system
from waylog.store.file.campaign_file_tables_and_scene_cards import check
from waylog.store.file.template_and_conversion import EMPTY_AT_FIRST, SCHEMA, make, text_of
from waylog.toml.document import Document, lookup
from waylog.values import replace

GAMES = [Game(system(name)) for name in names()]
EACH_GAME = pytest.mark.parametrize("game", GAMES, ids=names())


@EACH_GAME
def test_a_new_campaign_has_no_problems(game: Game, tmp_path: Path) -> None:
    """The check finds nothing, and the state is the fresh one with a crew aboard."""
    make(tmp_path / "new", "Über “x” \\ \" '''", game)
    path = tmp_path / "new" / "campaign.toml"
    assert check(path, "campaign.toml") == ()
    state, faults = game.read(tomllib.loads(path.read_text()))
    assert not faults
    assert state.name == "Über “x” \\ \" '''"
    assert {change.path[0] for change in game.difference(game.fresh(state.name), state)} <= {"crew"}


@EACH_GAME
def test_it_names_its_schema_which_lies_beside_it(game: Game, tmp_path: Path) -> None:
    """The first line leads editors to the schema, and the schema is the system's."""
    make(tmp_path / "new", "new", game)
    text = (tmp_path / "new" / "campaign.toml").read_text()
    assert text.startswith(f"#:schema ./{SCHEMA}\n")
    assert json.loads((tmp_path / "new" / SCHEMA).read_text()) == game.schema()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [SCHEMA, "campaign.toml"]


@EACH_GAME
def test_every_value_stands_there_with_a_word_on_what_it_is(game: Game) -> None:
    """Each key of the schema is in the file, written or shown in a comment; each description is there to read."""
    text = text_of("new", game)
    tree = tomllib.loads(text)
    for path, schema in _values(game.schema()["properties"]):
        if path[0] in (*EMPTY_AT_FIRST, "$schema"):
            continue
        written = _named(path, tree)
        assert written or re.search(rf"^# {path[-1]} = ", text, re.MULTILINE), path
        assert schema.get("description", "") in text, path


@EACH_GAME
def test_what_is_shown_as_a_sample_can_be_taken_as_it_stands(game: Game) -> None:
    """Whoever takes the # away before the samples of things that a campaign has none of yet has a file that can be read."""
    someone = [Change(("crew", "mara"), None, {})] if "crew" in game.schema()["properties"] else []
    state = game.apply_changes(game.fresh("new"), someone)
    text = text_of("new", game, state)
    samples = re.sub(r"^# (?=\[|[\w-]+ += )", "", text, flags=re.MULTILINE)
    assert len(tomllib.loads(samples)) > len(tomllib.loads(text))
    assert not [fault for fault in game.read(tomllib.loads(samples))[1] if fault.grave or "not known" in fault.message]


@EACH_GAME
def test_it_reads_well(game: Game) -> None:
    """Lines are not too long, there is no stray space, no two empty lines, and every table is set apart."""
    text = text_of("new", game)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 120
    assert not [line for line in lines if line != line.rstrip()]
    assert "\n\n\n" not in text
    assert text.endswith("\n")
    for before, line in pairwise(lines):
        assert not line.startswith("[") or before == "" or before.startswith("# "), line


@EACH_GAME
def test_every_value_can_be_changed_in_place(game: Game) -> None:
    """The file is one that Waylog can edit: each of its values is found where it is written."""
    document = Document.parse(text_of("new", game).encode(), "new")
    for path, _known in _values(game.schema()["properties"]):
        if isinstance(lookup(document.tree, path), str | int):
            assert document.set(path, "x").set(path, lookup(document.tree, path)).data == document.data


def test_the_house_rules_say_what_is_legal(tmp_path: Path) -> None:
    """A person sees every legal value of a house rule beside it."""
    text = text_of("new", Game(SMALL_GAME))
    assert "\ndamage = 1                    # What a hit costs: 1 or 2\n" in text


def test_a_game_without_house_rules_of_its_own_has_those_of_every_game() -> None:
    """Each has its line in the file, with what it means."""
    text = text_of("new", Game(replace(SMALL_GAME, rules=CommonHouseRules)))
    assert '\n[house_rules]\nclock_sizes = "usual" ' in text
    assert text.count("\n\n[boat]\n") == 1


def test_a_folder_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full nothing of the new campaign stays, and nothing that was there is touched."""
    game = Game(SMALL_GAME)

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("waylog.store.files_and_lock.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            make(tmp_path / "new", "new", game)
    assert list(tmp_path.iterdir()) == []
    make(tmp_path / "new", "new", game)
    before = (tmp_path / "new" / "campaign.toml").read_bytes()
    with pytest.raises(OSError, match="not empty"):
        make(tmp_path / "new", "other", game)
    assert (tmp_path / "new" / "campaign.toml").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def _values(schema: dict[str, Any], above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every plain value of a schema, with its path; the keys of things by key are left to chance: `*`."""
    found: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    for key, known in schema.items():
        path = (*above, key)
        by_key = {"*": known["additionalProperties"]} if "additionalProperties" in known else None
        inner = known.get("properties") or by_key
        if inner:
            found += _values(inner, path)
        else:
            found.append((path, known))
    return found


def _named(path: tuple[str, ...], tree: object) -> bool:
    """Some path of the tree fits."""
    if not path:
        return True
    if not isinstance(tree, dict):
        return False
    inner = list(tree.values()) if path[0] == "*" else [tree[path[0]]] if path[0] in tree else []
    return any(_named(path[1:], item) for item in inner)
