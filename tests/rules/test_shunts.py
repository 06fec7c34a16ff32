"""A shunt for engineering: at any time, also in the middle of a roll, which then goes on as it was."""

from pathlib import Path
from typing import Any

import pytest

from tests.kit.rules import outcomes, told
from tests.kit.table import table_at
from tests.rules.veil_table import CORE, Y2026, after, campaign, move, play
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused, PickOne
from waylog.rules.model.panels import DiceRow, PipsRow
from waylog.rules.model.state import State
from waylog.rules.systems import system
from waylog.table import Table

CLASSIC = Game(system("veil-classic"))
CREW: dict[str, Any] = {
    "mara": {"name": "Mara", "focus": 1},
    "lars": {"name": "Lars", "focus": 2, "vitality": 1, "advancements": ["defender"]},
    "pia": {"name": "Pia", "focus": 3, "advancements": ["adaptive-plating"]},
}
HOLD = {
    "name": "Hold",
    "draw": 2,
    "cards": {"rat": {"text": "A rat"}, "rope": {"text": "A rope"}, "oar": {"text": "An oar"}},
}


def dice(state: State, game: Game = CORE) -> tuple[int, ...]:
    """The dice in the ship's systems, and last whether engineering is held."""
    ship = state.sheet.ship
    spread = ship.systems if game is CLASSIC else ship.core
    names = ("Telemetry", "Engines", "Shields") if game is CLASSIC else ("CPU", "HUL", "NAV")
    return (*(getattr(spread, name) for name in names), int(ship.tokens.engineering))


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize(
    ("acts", "question"),
    [
        (["roll nav 5 1"], "NAV 5 1: Success with drawback. Spend Focus"),
        (["group mara lars nav"], "Mara, Lars and NAV still have to roll"),
        (["group mara nav", "roll mara 6 1 1"], "NAV still has to roll for the group (Mara: Success)"),
        (["heal lars by-pia 4 4 1"], "Pia 4 4 1"),
        (["heal lars by-pia 4 4 1", "keep"], "Pia pays for the treatment: 1 more Focus, or damage?"),
        (["damage mara"], "Does a Defender"),
        (["damage pia", "keep 1"], "damage die shows 1"),
        (["set crew.pia.life_support false", "set crew.pia.vitality 2", "spend life-support"], "Pia: restore vitality"),
        (["mission over failure", "advance mara qualities"], "Mara chooses from the qualities"),
        (
            ["mission over failure", "advance mara qualities", "gain expert"],
            "What is Mara expert in (for example biology)?",
        ),
        (["draw hold 1 1"], "Which card from “Hold” will you keep?"),
    ],
)
def test_engineering_buys_a_shunt_while_anything_is_asked(acts: list[str], question: str) -> None:
    """The dice on the ship are redistributed, and the very same is asked afterwards."""
    state = after(campaign(ship={"focus": 1}, crew=CREW, decks={"hold": HOLD}), *acts)
    asked = CORE.question(state)
    assert question in str(asked)
    for words in ("shunt 1 1 4", "shunt 1 1 4 focus", "shunt 1 1 4 critical"):
        with pytest.raises(ActRefused):
            play(state, words)
    done = play(state, "shunt 1 1 4 engineering")
    assert (dice(done.state), done.follows) == ((1, 1, 4, 0), False)
    assert CORE.question(done.state) == asked
    assert done.state.open == state.open
    assert "shunt" not in {found.verb for found in CORE.moves(state) if found.follows}
    with pytest.raises(ActRefused) as refused:
        play(done.state, "shunt 2 2 2 engineering")
    assert refused.value.refusal.clause == "VK-33"


@pytest.mark.clause("VK-33", "VK-17", "VK-20")
def test_dice_already_rolled_stay_as_they_are() -> None:
    """A roll that was Standard stays Standard, with its dice; who rolls after the shunt has the ship as she is then."""
    state = after(campaign(ship={"focus": 2}), "roll nav 2 1")
    done = after(state, "shunt 4 1 1 engineering", "keep")
    assert (done.sheet.ship.focus, done.sheet.ship.tokens.integrity) == (3, True)
    group = after(campaign(crew={"mara": {}}), "group mara nav", "roll mara 6 1 1", "shunt 1 1 4 engineering")
    rolled = play(group, "roll nav 1 1 1 1")
    assert outcomes(rolled) == ["fiasco", "drawback"]
    assert "Desperate while engineering is lost" in told(rolled)


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize("game", [CORE, Y2026])
def test_a_shunt_outside_a_roll_asks_what_it_may_cost(game: Game) -> None:
    """Engineering is spent when it is named, and never by default; the label says what the usual way costs."""
    fresh = campaign(game)
    with pytest.raises(ActRefused, match="Paid with: the only choice is “engineering”"):
        play(fresh, "shunt 1 1 4" if game is CORE else "shunt 1 1 2", game)
    spread = "1 1 4" if game is CORE else "0 0 4"
    assert not play(fresh, f"shunt {spread} engineering", game).state.sheet.ship.tokens.engineering
    labels = {
        "System shunt (costs engineering)": fresh,
        "System shunt (costs 1 Focus)": after(campaign(game, ship={"focus": 1}), "roll nav 6 1", game=game),
        "System shunt (after a Critical success)": after(campaign(game, ship={"focus": 1}), "roll nav 6 6", game=game),
        "System shunt (in downtime)": campaign(game, ship={"state": "downtime"}),
    }
    for label, state in labels.items():
        assert move(state, "shunt", game).label == f"{label}: redistribute the CORE dice"


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize(
    ("ship", "acts", "words", "reason"),
    [
        ({"focus": 1}, [], "shunt focus", "Focus pays for a shunt only right after a roll"),
        ({"focus": 1}, [], "shunt 1 1 4 focus", "Focus pays for a shunt only right after a roll"),
        ({}, ["roll nav 6 1"], "shunt 1 1 4 focus", "the ship has no Focus"),
        ({}, [], "shunt 1 1 4 critical", "a Critical success allows one shunt, right after the roll"),
        ({}, [], "shunt downtime 1 1 4", "only in downtime"),
        (
            {"tokens": {"engineering": False}, "focus": 1},
            ["roll cpu 6 1"],
            "shunt 1 1 4 engineering",
            "engineering is lost",
        ),
    ],
)
def test_what_does_not_allow_a_shunt_now_says_why(
    ship: dict[str, Any], acts: list[str], words: str, reason: str
) -> None:
    """Each of the four is refused with its own reason and the rule."""
    with pytest.raises(ActRefused, match=reason) as refused:
        play(after(campaign(ship=ship), *acts), words)
    assert refused.value.refusal.clause == "VK-33"


@pytest.mark.clause("VK-01", "VN-01")
@pytest.mark.parametrize("words", ["shunt 0 2 4", "shunt 1 0 5", "shunt 2 2 3", "shunt 1 1 1", "shunt 2 2"])
def test_a_wrong_total_names_the_rule(words: str) -> None:
    """Too many, too few, none in a system, one number short."""
    with pytest.raises(ActRefused) as refused:
        play(campaign(ship={"state": "downtime"}), words)
    assert refused.value.refusal.clause == "VK-01"
    with pytest.raises(ActRefused) as refused:
        play(campaign(Y2026, ship={"state": "downtime"}), words, Y2026)
    assert refused.value.refusal.clause == "VN-01"


@pytest.mark.clause("VC-16")
@pytest.mark.parametrize(
    ("acts", "question", "words", "spread"),
    [
        (["roll mara engines 6 6 1 1 1"], "what is the consequence?", "shunt 0 0 3", (0, 2, 3, 0)),
        (["roll mara engines 6 6 1 1 1", "consequence"], "Place the 2 dice from Engines", "shunt 3 0 0", (3, 2, 0, 0)),
        (["roll mara engines 6 1 1 1 1"], "Place the 2 dice from Engines", "shunt 1 2 0", (1, 4, 0, 0)),
        (["lose integrity", "damage ship"], "Spend engineering, or risk a crash", "shunt 0 5 0", (0, 5, 0, 0)),
    ],
)
def test_an_emergency_shunt_at_any_time(acts: list[str], question: str, words: str, spread: tuple[int, ...]) -> None:
    """In the first edition too: dice in hand stay in hand, and are placed afterwards."""
    state = after(campaign(CLASSIC, crew={"mara": {"name": "Mara"}}), *acts, game=CLASSIC)
    assert question in str(CLASSIC.question(state))
    done = play(state, words, CLASSIC)
    assert (dice(done.state, CLASSIC), done.follows) == (spread, False)
    assert done.state.open == state.open
    if "Place" in question:
        assert dice(after(done.state, "place 1 1 0", game=CLASSIC), CLASSIC) == (
            spread[0] + 1,
            spread[1] - 1,
            spread[2],
            0,
        )
    with pytest.raises(ActRefused) as refused:
        play(state, "shunt 5 5 5", CLASSIC)
    assert refused.value.refusal.clause == "VC-01"


@pytest.mark.clause("VC-16", "VC-18")
def test_engineering_that_went_on_a_shunt_saves_no_module() -> None:
    """The damage is still there, and only the crash is left."""
    state = after(campaign(CLASSIC), "lose integrity", "damage ship", "shunt 0 5 0", game=CLASSIC)
    assert str(CLASSIC.question(state)).startswith("The ship takes damage and has no integrity. Risk a crash")
    assert [found.id for found in CLASSIC.moves(state) if found.follows] == ["crash"]
    assert CLASSIC.question(after(state, "crash 6", game=CLASSIC)) is None


@pytest.mark.clause("VC-16")
def test_with_every_die_in_hand_there_is_nothing_to_shunt() -> None:
    """A shunt with every die in hand is refused before the token is spent."""
    ship = {"systems": {"Telemetry": 0, "Engines": 5, "Shields": 0}}
    state = after(campaign(CLASSIC, ship=ship, crew={"mara": {}}), "roll mara engines 6 6 1 1 1 1 1 1", game=CLASSIC)
    with pytest.raises(ActRefused, match="no system has any dice") as refused:
        play(state, "shunt 0 0 0", CLASSIC)
    assert refused.value.refusal.clause == "VC-16"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign on disk, with a roll that asks for Focus."""
    folder = tmp_path / "night"
    folder.mkdir()
    text = 'format = 1\nname = "Night"\nsystem = "veil-core"\nlog = "0001:0"\n\n[ship]\nfocus = 1\n'
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return table_at(folder)


def stands(table: Table) -> tuple[str, int, int]:
    """What is asked, the dice in NAV, and the ship's Focus."""
    rows = {row.key: row for panel in table.snapshot.panels for row in panel.rows}
    nav, focus = rows["ship.core.NAV"], rows["ship.focus"]
    assert isinstance(nav, DiceRow)
    assert isinstance(focus, PipsRow)
    return table.snapshot.question or "", nav.count, focus.value


@pytest.mark.clause("VK-33")
def test_undo_takes_the_shunt_and_then_the_roll(table: Table) -> None:
    """Each by itself, and the question is open again in between; an answer after the shunt goes with it."""
    table.play(table.understand("roll nav 5 1"))
    before = stands(table)
    assert before[0]
    table.play(table.understand("shunt 1 1 4 engineering"))
    shunted = stands(table)
    assert shunted == (before[0], 4, 1)
    assert [entry.words for entry in table.snapshot.undo] == ["shunt 1 1 4 engineering"]
    table.undo()
    assert stands(table) == before
    table.redo()
    assert stands(table) == shunted
    table.play(table.understand("focus 5"))
    assert stands(table) == ("", 4, 0)
    table.undo()
    assert stands(table) == before
    table.undo()
    assert stands(table) == ("", 2, 1)
    assert not table.snapshot.undo


@pytest.mark.clause("VK-33")
def test_what_a_move_says_to_a_wrong_answer_comes_before_what_is_missing() -> None:
    """An answer that can't be is refused with its own reason, though others have not been given."""
    shunt = move(campaign(), "shunt")
    by = next(ask for ask in shunt.asks if isinstance(ask, PickOne))
    assert [option.word for option in by.options if not option.blocked] == ["engineering"]
    with pytest.raises(ActRefused, match="only in downtime"):
        play(campaign(), "shunt downtime")


@pytest.mark.clause("VK-33", "VC-16")
@pytest.mark.parametrize(
    ("game", "clause", "acts", "words", "last"),
    [
        (CORE, "VK-33", ["roll nav desperate 1"], "shunt 4 1 1 engineering", "dice 1"),
        (CORE, "VK-33", ["state downtime", "roll nav 1"], "shunt 4 1 1", "dice 2"),
        (CLASSIC, "VC-16", ["roll mara engines 1"], "shunt 5 0 0", "dice 1 1 1 1"),
    ],
)
def test_no_shunt_while_typed_dice_are_awaited(game: Game, clause: str, acts: list[str], words: str, last: str) -> None:
    """The roll has not happened: the refusal says how it is taken back, and names the rule. The dice are still awaited, and
    after them the shunt is possible again.
    """
    state = after(campaign(game, crew={"mara": {"name": "Mara"}}), *acts, game=game)
    assert game.missing_dice(state)
    with pytest.raises(ActRefused, match="type them first, or undo it") as refused:
        play(state, words, game)
    assert refused.value.refusal.clause == clause
    rolled = after(state, last, game=game)
    while game.missing_dice(rolled):
        rolled = after(rolled, "rest", game=game)
    assert dice(after(rolled, words, game=game), game) != dice(state, game)


@pytest.mark.clause("VK-33", "VC-16", "VK-32")
def test_no_shunt_on_a_lost_ship() -> None:
    """Neither for engineering nor free, even when the wayfinder carries on; and nothing is paid."""
    for ship in ({"wrecked": True}, {"wrecked": True, "state": "downtime"}):
        state = after(campaign(ship=ship), "carry-on")
        for words in ("shunt 4 1 1", "shunt 4 1 1 engineering"):
            with pytest.raises(ActRefused, match="Wrecked") as refused:
                play(state, words)
            assert refused.value.refusal.clause == "VK-33"
        critical = after(state, "roll nav 6 6")
        with pytest.raises(ActRefused, match="Wrecked"):
            play(critical, "shunt 4 1 1 critical")
        assert dice(after(state, 'restore ship "towed in"', "shunt 4 1 1 engineering"))[:3] == (4, 1, 1)
    with pytest.raises(ActRefused, match="destroyed") as refused:
        play(campaign(CLASSIC, ship={"destroyed": True}), "shunt 5 0 0", CLASSIC)
    assert refused.value.refusal.clause == "VC-16"


@pytest.mark.clause("VK-33")
def test_a_house_rule_that_refuses_a_shunt_is_named() -> None:
    """With `shunt_while_asked = "not-allowed"` an open question keeps engineering from paying. The refusal says that it is the
    house rule, in either way of typing; with engineering lost it says what a shunt needs.
    """
    strict = campaign(ship={"focus": 1}, house_rules={"shunt_while_asked": "not-allowed"})
    asked = after(strict, "roll nav 5 1")
    for words in ("shunt 4 1 1", "shunt 4 1 1 engineering"):
        with pytest.raises(ActRefused, match=r"^by house rule") as refused:
            play(asked, words)
        assert refused.value.refusal.clause == "VK-33"
    lost = after(campaign(ship={"focus": 1, "tokens": {"engineering": False}}), "roll nav 5 1")
    with pytest.raises(ActRefused, match=r"^a shunt needs"):
        play(lost, "shunt 4 1 1 engineering")


@pytest.mark.clause("VK-20", "VN-04")
@pytest.mark.parametrize("game", [CORE, Y2026])
def test_who_has_not_rolled_when_a_group_roll_ends_took_no_part(game: Game) -> None:
    """The outcome is that of those who rolled, and the log names the others; if nobody has, there is no outcome."""
    crew = {"mara": {"name": "Mara"}, "lars": {"name": "Lars"}, "pia": {"name": "Pia"}}
    state = after(campaign(game, crew=crew), "group all", "roll mara 6 6 1", game=game)
    done = play(state, "finish", game)
    assert (outcomes(done), CORE.question(done.state)) == (["critical"], None)
    assert "Lars and Pia took no part" in told(done)
    assert outcomes(play(after(state, "roll lars 1 1 1", game=game), "finish", game)) == ["success"]
    assert outcomes(play(after(campaign(game, crew=crew), "group all", game=game), "finish", game)) == []
