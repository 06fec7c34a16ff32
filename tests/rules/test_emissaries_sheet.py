"""The sheets of the Emissaries as the screens draw them."""

from typing import Any

import pytest

from tests.kit.rules import panel_of
from tests.rules.drawn import rows_of, tags_of
from tests.rules.emissaries_table import GAME, after, campaign, two
from waylog.rules.language.command_parser import parse_act

SPENT = {str(row): {"boxes": 4, "condition": f"Worn {row}"} for row in (1, 2, 3)}
ILKA: dict[str, Any] = {
    "name": "Ilka",
    "about": "Third daughter",
    "background": "well-rounded",
    "body": 4,
    "mind": 5,
    "soft": 4,
    "hard": 4,
    "hope": "A seat at the table",
    "made": True,
    "may_recover": True,
    "may_accept": True,
    "lun": {"colour": "Grey", "material": "bone", "handle": "cord"},
    "traits": {"tall": {"text": "Tall", "dice": "1d4"}, "calm": {"dice": "4d8"}},
    "relationships": {"mother": {"who": "Mother", "dice": "1d6", "family": True}, "guild": {"dice": "2d8"}},
    "objects": {"pad": {"name": "Data-pad", "dice": "2d6"}, "gun": {"name": "Blaster", "dice": "1d4 1d8", "dangerous": True}},
    "fallout": {
        "physical": {"1": {"boxes": 4, "condition": "Broken arm"}, "2": {"boxes": 2}},
        "social": {"1": {"boxes": 1}},
    },
}  # fmt: skip


@pytest.mark.clause("EG-01", "EG-03", "EG-04", "EG-05", "EG-06", "EG-30", "EG-31", "EG-32")
def test_an_emissary_is_drawn_whole() -> None:
    """Stats with the dice that fallout has taken, what they have with its dice, four tracks, and the hope."""
    panel = panel_of(GAME, campaign(crew={"ilka": ILKA}), "crew.ilka")
    assert (panel.title, panel.place, panel.secret) == ("Ilka", "crew", False)
    assert rows_of(panel) == {
        "about": "About: Third daughter",
        "background": "Background: Well-Rounded",
        "body": "Body: 3 dice (fallout: −1)",
        "mind": "Mind: 5 dice",
        "soft": "Soft: 4 dice",
        "hard": "Hard: 4 dice",
        "left.traits": "Left for traits: 2d8",
        "left.relationships": "Left for relationships: 4d6",
        "traits.tall": "Tall: 1d4",
        "traits.calm": "calm: 4d8",
        "relationships.mother": "Mother: 1d6, family",
        "relationships.guild": "guild: 2d8",
        "objects.pad": "Data-pad: 2d6",
        "objects.gun": "Blaster: 1d4 1d8, dangerous",
        "lun": "The Lun: Grey, bone, cord",
        "fallout.physical.1": "Physical 1/3: full (Broken arm)",
        "fallout.physical.2.boxes": "Physical 2/3: 2/4",
        "fallout.mental.1.boxes": "Mental 1/3: 0/4",
        "fallout.social.1.boxes": "Social 1/3: 1/4",
        "fallout.societal.1.boxes": "Societal 1/3: 0/4",
        "hope": "Hope: A seat at the table",
    }
    assert tags_of(panel) == {"may recover": "good", "may accept a condition": "good"}


@pytest.mark.clause("EG-06", "EG-07", "EG-34")
@pytest.mark.parametrize(("came", "said"), [("yes", "Fame (it came true)"), ("no", "Fame (it did not)"), ("", "Fame")])
def test_an_emissary_half_made_or_dying_says_so(came: str, said: str) -> None:
    """The sheet says that an emissary is half made or dying, and what has become of the hope."""
    fallout = {"physical": SPENT, "mental": SPENT}
    state = campaign(crew={"ilka": {"hope": "Fame", "came_true": came, "fallout": fallout}})
    panel = panel_of(GAME, state, "crew.ilka")
    assert panel.title == "ilka"
    assert rows_of(panel)["hope"] == f"Hope: {said}"
    assert rows_of(panel)["background"] == "Background: not chosen yet"
    assert rows_of(panel)["body"] == "Body: 0 dice (fallout: −2)"
    assert tags_of(panel) == {"not finished": "dim", "dying": "bad"}


@pytest.mark.clause("EG-10", "EG-35")
def test_somebody_else_is_drawn_for_the_wayfinder_alone() -> None:
    """With dice, stats and one track; out of play once it is full."""
    thoss = {
        "name": "Thoss",
        "about": "Keeps the gate",
        "dice": "4d6",
        "body": 3,
        "mind": 0,
        "soft": 0,
        "hard": 2,
        "rows": 2,
    }
    panel = panel_of(GAME, campaign(npcs={"thoss": thoss}), "npcs.thoss")
    assert (panel.title, panel.place, panel.secret) == ("Thoss", "crew", True)
    assert rows_of(panel) == {
        "about": "About: Keeps the gate",
        "dice": "Dice: 4d6",
        "body": "Body: 3 dice",
        "hard": "Hard: 2 dice",
        "fallout.1.boxes": "Fallout 1/2: 0/4",
    }
    assert tags_of(panel) == {}
    full = {"1": SPENT["1"], "2": SPENT["2"]}
    out = panel_of(GAME, campaign(npcs={"thoss": {**thoss, "fallout": full}}), "npcs.thoss")
    assert rows_of(out)["fallout.2"] == "Fallout 2/2: full (Worn 2)"
    assert tags_of(out) == {"out of play": "bad"}


@pytest.mark.clause("EG-40", "EG-43", "EG-45")
def test_an_asset_is_drawn_with_what_fallout_left_of_it() -> None:
    """Stats as they are and as they were, its kind, its owner, and whether it is of any use."""
    ship = {
        "name": "Moth",
        "about": "Old",
        "kind": "fighter",
        "owner": "ilka",
        "stats": ["Engines 3d6", "Hull 2d6", "Systems 2d8"],
    }
    crew = {"ilka": {"name": "Ilka"}}
    panel = panel_of(GAME, campaign(crew=crew, assets={"moth": ship}), "assets.moth")
    assert (panel.title, panel.place, panel.secret) == ("Moth", "ship", False)
    assert rows_of(panel) == {
        "about": "About: Old",
        "stats.0": "Engines: 3d6",
        "stats.1": "Hull: 2d6",
        "stats.2": "Systems: 2d8",
        "fallout.1.boxes": "Fallout 1/3: 0/4",
    }
    assert tags_of(panel) == {"fighter": "dim", "Ilka's": "dim"}
    spent = {**ship, "fallout": SPENT, "may_recover": True}
    panel = panel_of(GAME, campaign(crew=crew, assets={"moth": spent}), "assets.moth")
    assert rows_of(panel)["stats.0"] == "Engines: no dice, of 3d6"
    assert rows_of(panel)["fallout.3"] == "Fallout 3/3: full (Worn 3)"
    assert tags_of(panel) == {"fighter": "dim", "Ilka's": "dim", "unusable": "bad", "may recover": "good"}


@pytest.mark.clause("EG-16", "EG-23", "EG-24")
def test_a_conflict_is_drawn_with_every_die() -> None:
    """The raise in the middle, each side with its dice and what they come to, and the exchange, latest first."""
    state = after(
        two(), "conflict The egg", "enter thoss talk 6 5 4 3 2 1 1", "enter mara talk 6 5 4 3 2 1", "begin thoss"
    )
    nothing_yet = rows_of(panel_of(GAME, state, "conflict"))
    assert nothing_yet == {"raised": "Raised: nothing yet"}
    state = after(state, "raise 2 1")
    assert rows_of(panel_of(GAME, state, "conflict.advice")) == {
        "fewest": "Fewest dice: 3, leaves 6 5 4 2 1",
        "reverse": "Reverse: 3, leaves 6 5 4 2 1",
        "block": "Block: 2 1, leaves 6 5 4 3",
        "blow": "Take the blow: 3 2 1, leaves 6 5 4",
    }
    assert rows_of(panel_of(GAME, state, "conflict")) == {"raised": "Thoss raises: 2/d6 1/d6 (2 + 1 = 3)"}
    assert tags_of(panel_of(GAME, state, "conflict.ours")) == {"Mara must see": "warn"}
    state = after(state, "see 4")
    thoss = "Thoss: 6/d6 5/d6 4/d6 3/d6 1/d6 (best two 11, total 19 · blow: 1 fallout · Mind, Soft)"
    mara = "Mara: 6/d6 5/d6 4/d6 kept 3/d6 2/d6 1/d6 (best two 11, total 21 · blow: 1 fallout · Mind, Soft)"
    assert rows_of(panel_of(GAME, state, "conflict.theirs")) == {"conflict.thoss": thoss}
    assert rows_of(panel_of(GAME, state, "conflict.ours")) == {"conflict.mara": mara}
    assert list(rows_of(panel_of(GAME, state, "conflict.exchange")).items()) == [
        ("4", "Mara: reverses: 4"),
        ("3", "Thoss: raises: 2 + 1 = 3"),
        ("2", "Mara: enters (unopposed, neutral): 6 5 4 3 2 1"),
        ("1", "Thoss: enters (unopposed, neutral): 6 5 4 3 2 1 1"),
    ]
    assert rows_of(panel_of(GAME, state, "conflict.advice")) == {
        "see": "Can't be seen: none",
        "block": "Can't be blocked: none",
        "reverse": "Can't be reversed: 4 3, 5 4, 6 4",
    }
    hurt = after(state, "raise 4 3", "see 6 1")
    given = after(hurt, "raise 5 4", "give")
    assert tags_of(panel_of(GAME, hurt, "conflict.theirs")) == {"Thoss raises": "warn"}
    assert "conflict" not in [panel.key for panel in GAME.panels(given)]


@pytest.mark.clause("EG-10", "EG-24")
def test_dice_are_drawn_with_their_sizes() -> None:
    """Of an obstacle that has not been rolled its rating is shown, and then each die as it lies."""
    state = after(two(), "conflict The gate", 'obstacle "Fog" 1d6 1d8', "enter mara talk 6 5 4 3 2 1")
    assert rows_of(panel_of(GAME, state, "conflict.theirs")) == {"conflict.fog": "Fog:  (1d6 1d8, not rolled yet)"}
    state = after(state, "enter fog 5 8")
    shown = "Fog: 8/d8 5/d6 (best two 13, total 13 · blow: 1 fallout)"
    assert rows_of(panel_of(GAME, state, "conflict.theirs")) == {"conflict.fog": shown}


@pytest.mark.clause("EG-35")
@pytest.mark.parametrize(
    "line", ["npc Captain Thoss 4d6 4d8 2", 'npc "Captain Thoss" 4d6 4d8 2', "npc Captain Thoss 2 4d6 4d8"]
)
def test_dice_behind_a_name_are_dice_before_the_act_is_played(line: str) -> None:
    """So what a form shows is what is done."""
    act = parse_act(GAME.moves(campaign()), line)
    assert dict(act.answers) == {"name": "Captain Thoss", "dice": "4d6 4d8", "rows": 2}
    assert not isinstance(parse_act(GAME.moves(campaign()), "npc The 8th").answers.get("dice"), str)
