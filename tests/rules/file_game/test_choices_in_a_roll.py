"""Choices of which a roll makes one, what excludes another, which of the dice is read, and a value that names the die."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest

from tests.rules.file_game.game_on_trial import DREAD, SCORE, Trial, action_outcome, counted
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Ratio


def test_a_roll_has_several_choices_of_each_of_which_one_is_made() -> None:
    """The action chooses the pool; position and what else is tried stand beside it, each with a default; people help at a price."""
    trial = Trial(SCORE)
    assert trial.chances("roll action tove") == counted(action_outcome, 6)
    assert trial.chances("roll action tove wreck push pell") == counted(action_outcome, 6, 6, 6, 6)
    said = trial.play("roll action tove wreck desperate push pell", 1, 2, 3, 1)
    assert said[-2:] == ["Tove: Bad", "Tove: Stress 2 → 5"]
    assert {"A desperate action", "Tove: Stress 0 → 2", "Pell: Stress 0 → 1"} <= {*said}
    assert trial.play("roll action tove risky", 2)[-1] == "Tove: Stress 5 → 6"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("roll action tove bargain", "nothing is at stake"),
        ("roll action tove prowl desperate", "only a wreck is desperate"),
        ("roll action tove push bargain", "push is already chosen"),
    ],
)
def test_a_choice_that_does_not_go_with_another_is_refused(line: str, reason: str) -> None:
    """With the reason that the file gives; of one choice, two answers can't be given."""
    trial = Trial(SCORE)
    with pytest.raises(ActRefused, match=reason):
        trial.play(line, 1, 1)


STARTED = (
    SCORE.replace(
        'desperate = { label = "Desperate",', 'desperate = { label = "Desperate", default = "ship.start == 2",'
    )
    .replace('risky = { label = "Risky" }', 'risky = { label = "Risky", default = "ship.start == 1" }')
    .replace('wreck = { label = "Wreck",', 'wreck = { label = "Wreck", default = "ship.start == 2 and wreck > 1",')
    + "[sheet.ship.values]\nstart = { range = [0, 2] }"
)


def test_a_value_can_say_which_answer_is_the_default() -> None:
    """While no `default` is true, it is the first; what was answered is logged, as the default may be another one next time."""
    trial = Trial(STARTED)
    for start, meant in ((0, "prowl controlled"), (1, "prowl risky"), (2, "wreck desperate")):
        if start:
            trial.play(f"set ship.start {start}")
        act = parse_act(trial.game.moves(trial.state), "roll action tove")
        assert format_act(act.move, complete_answers(act.move, act.answers)) == f"roll action tove {meant}"
        assert trial.odds("roll action tove") == trial.odds(f"roll action tove {meant}")
    said = trial.play("roll action tove", 1, 2)
    assert said[-2:] == ["Tove: Bad", "Tove: Stress 0 → 3"]
    with pytest.raises(ActRefused, match="only a wreck is desperate"):
        trial.play("roll action tove prowl", 1)


HURT = """
[sheet.crew.each]
hurt = { flag = false }
[sheet.crew.start.ada]
name = "Ada"
[sheet.crew.start.bo]
name = "Bo"
hurt = true
[dice.act]
who = "crew"
pool = 2
group = { counts = "best" }
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.act.pick.harm]
whole = {}
hurt = { dice = -1, when = "hurt", refusal = "nothing hurts", default = "hurt" }
"""


@pytest.mark.parametrize("line", ["group act ada bo", "group act bo ada"])
def test_in_a_group_each_has_the_default_of_their_own_value(line: str) -> None:
    """Whoever leads: Bo, who is hurt, rolls one die, and Ada two."""
    assert Trial(HURT).chances(line) == counted(lambda *dice: "good" if max(dice) >= 4 else "bad", 6, 6, 6)


def test_in_a_group_what_the_leader_answers_otherwise_is_the_answer_of_all() -> None:
    """So a leader who is hurt can say that nobody's harm counts."""
    chances = Trial(HURT).chances("group act bo ada whole")
    assert chances == counted(lambda *dice: "good" if max(dice) >= 4 else "bad", 6, 6, 6, 6)


@pytest.mark.parametrize(("line", "dice"), [("ada bo whole-bo", 4), ("bo ada hurt whole-ada", 3), ("bo ada hurt", 3)])
def test_in_a_group_one_alone_may_have_each_answer_of_a_question_that_changes_a_roll(line: str, dice: int) -> None:
    """Also the one that changes nothing: Bo, who is hurt, is whole for this roll."""
    assert Trial(HURT).chances(f"group act {line}") == counted(
        lambda *faces: "good" if max(faces) >= 4 else "bad", *[6] * dice
    )


@pytest.mark.parametrize(
    ("where", "more", "told"),
    [
        ("[dice.action.options]\nhelp = {", 'default = "true", ', "nobody has to choose one"),
        (
            "[dice.action.pick.extra]\nalone = {",
            """default = "pick.position == 'risky'",""",
            "only in the options, answers, dice",
        ),
        ("[dice.action.pick.extra]\nalone = {", 'default = "strss > 3",', "Did you mean `stress`"),
    ],
)
def test_a_default_that_is_none_is_told(where: str, more: str, told: str) -> None:
    """It is for the answers to a question, and reads the campaign alone."""
    assert where in SCORE
    (flaw,) = check_game(tomllib.loads('id = "t"\nname = "T"\n' + SCORE.replace(where, where + more)))[1]
    assert told in flaw.message


INITIATIVE = (
    SCORE
    + """
[sheet.crew.start.iko]
name = "Iko"
[panels.crew]
order = "0 - stress"
"""
)


def test_a_panel_sorts_a_list_by_a_number() -> None:
    """The highest first; of equal ones, as they stand in the list."""
    trial = Trial(INITIATIVE)
    trial.play("set crew.pell.stress 3 crew.iko.stress 1")
    assert [panel.title for panel in trial.game.panels(trial.state)] == ["Pell", "Iko", "Tove"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('order = "0 - stress"', 'order = "0 - strss"'), "Did you mean `stress`"),
        (
            ("stress = { range = [0, 9]", "stress = { secret = true, range = [0, 9]"),
            "would give away a secret value to players",
        ),
        (("[panels.crew]", "[sheet.ship.values]\nhull = { number = 1 }\n[panels.ship]"), "`ship` is not a list"),
    ],
)
def test_an_order_that_can_not_be_is_told(change: tuple[str, str], told: str) -> None:
    """Of what players never see, the order would tell them."""
    (flaw,) = check_game(tomllib.loads('id = "t"\nname = "T"\n' + INITIATIVE.replace(*change)))[1]
    assert told in flaw.message


def _save(pick: Callable[[int, int], int]) -> Callable[[int, int], str]:
    def read(one: int, other: int) -> str:
        face = pick(one, other)
        doubles = face % 11 == 0 or face == 100
        return ("best" if doubles else "done") if face <= 35 else ("fumble" if doubles else "fail")

    return read


def test_a_call_chooses_which_die_is_read_under_a_target() -> None:
    """The lowest of two with advantage, the highest with disadvantage, and its doubles alone count."""
    trial = Trial(DREAD)
    assert trial.chances("roll save odile advantage") == counted(_save(min), 100, 100)
    assert trial.chances("roll save odile disadvantage") == counted(_save(max), 100, 100)
    assert trial.play("roll save odile advantage", 44, 33) == ["Odile: Best"]


def test_dice_may_count_at_or_under() -> None:
    """A die may count where it shows the target or less."""
    trial = Trial(DREAD)
    expected = counted(lambda *faces: ("none", "one", "more", "more")[sum(face <= 2 for face in faces)], 6, 6, 6)
    assert trial.chances("roll crowd odile") == expected


def test_a_value_names_the_die_and_steps_up_and_down() -> None:
    """Through the list of its choices, and no further."""
    trial = Trial(DREAD)
    assert trial.chances("roll try odile") == {"fail": Ratio(1, 2), "done": Ratio(1, 2)}
    trial.play("train odile")
    assert trial.odds("roll try odile").dice == "1d8: Try"
    with pytest.raises(ActRefused, match="nothing would change"):
        trial.play("train odile")
    trial.play("tire odile")
    trial.play("tire odile")
    assert trial.chances("roll try odile") == {"fail": Ratio(3, 4), "done": Ratio(1, 4)}


@pytest.mark.parametrize(
    ("condition", "tags"),
    [
        ("harm > 0 and not options.numb", ["Hurt"]),
        ("harm > 0 and pick.way == 'slow' and call == 'calm'", ["Hurt"]),
        ("harm > 0 and options.numb", []),
        ("harm > 2 and not options.numb", []),
    ],
)
def test_the_tag_of_a_condition_that_reads_choices_is_shown_before_anything_is_chosen(
    condition: str, tags: list[str]
) -> None:
    """With the default answers, and without options."""
    game = Game(
        rulebook_of(
            tomllib.loads(f"""
                id = "tags"
                name = "Tags"
                [sheet.crew.each]
                harm = {{ range = [0, 3], start = 1 }}
                [sheet.crew.start.ada]
                [dice.act]
                who = "crew"
                bands = [{{ outcome = "miss" }}, {{ outcome = "hit", from = 4 }}]
                options = {{ numb = {{}} }}
                calls = {{ calm = {{}}, wild = {{ plus = 1 }} }}
                pick = {{ way = {{ slow = {{}}, fast = {{ plus = 1 }} }} }}
                [when.hurt]
                who = "crew"
                rolls = ["act"]
                if = "{condition}"
                dice = 1
                tag = "Hurt"
            """)
        )
    )
    (panel,) = game.panels(game.fresh(""))
    assert [tag.text for tag in panel.tags] == tags


def test_a_move_says_why_each_of_its_answers_is_impossible() -> None:
    """Its own refusal is for its own condition."""
    game = Game(
        rulebook_of(
            tomllib.loads("""
                id = "rise"
                name = "Rise"
                [sheet.gang.values]
                rep = { range = [0, 9], start = 9 }
                coin = { range = [0, 9] }
                [moves.rise]
                when = "rep == 9"
                refusal = "the rep track isn't full"
                does = ["clear rep 9"]
                [moves.rise.choose]
                hold = { when = "coin > 8", refusal = "already strong" }
                tier = { when = "coin > 4", refusal = "needs 5 coin" }
            """)
        )
    )
    (move,) = [move for move in game.moves(game.fresh("")) if move.verb == "rise"]
    assert move.blocked is not None
    assert "Hold: already strong, Tier: needs 5 coin" in move.blocked.reason
