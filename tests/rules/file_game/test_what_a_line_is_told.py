"""What is said of a line that a game in a file can't play, and what the log has of acts that say little by themselves."""

from __future__ import annotations

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.language.command_parser import parse_act
from waylog.rules.language.completion_and_what_is_wrong import usage
from waylog.rules.model.answers import format_act
from waylog.rules.model.moves import ActRefused, PickMany

HEIST = """
[sheet.gang.values]
coin = { range = [0, 9], start = 2, label = "Coin" }
fame = { range = [0, 9] }
[sheet.crew.each]
stress = { range = [0, 9], label = "Stress" }
stash = { range = [0, 40], label = "Stash" }
coin = { range = [0, 4], label = "Purse" }
[sheet.crew.start.silk]
name = "Silk"
[sheet.crew.start.cole]
name = "Cole"
[sheet.gangs.each]
size = { range = [0, 4], start = 1 }
[sheet.gangs.start.rooks]
name = "The Rooks"
[dice.act]
label = "Act"
who = "crew"
pool = 2
group = { counts = "best", rolls = ["send"], outcomes = ["bad"], leader = ["mark stress"] }
bands = [{ outcome = "bad", label = "Bad", grade = "fiasco" }, { outcome = "done", label = "Done", from = 4 }]
calls = { hunt = {}, study = {}, sway = {}, prowl = {} }
pick = { position = { risky = {}, controlled = {}, desperate = {} } }
options = { push = { label = "Push", dice = 1, cost = ["mark stress 2"] }, aid = { label = "Assist", who = "crew", dice = 1, cost = ["mark stress"] } }
[after.act]
bad = [{ offer = "hurt 1", one_of = "consequence" }, { offer = "hurt 2", one_of = "consequence" }]
[dice.send]
who = "gangs"
pool = "size"
bands = [{ outcome = "bad", label = "Bad", grade = "fiasco" }, { outcome = "done", label = "Done", from = 4 }]
[moves.hurt]
who = "crew"
label = "Take harm"
amount = [1, 4]
does = ["mark stress amount"]
[moves.protect]
who = "crew"
label = "Protect somebody"
whom = "crew"
does = [{ withdraw = "consequence", who = "whom" }, { offer = "hurt", one_of = "consequence" }]
[moves.save-up]
who = "crew"
label = "Save up"
amount = [1, "coin"]
does = ["spend coin amount", "gain stash amount"]
[moves.calm]
label = "Calm down"
amount = [1, "gang.coin - 5"]
does = ["clear gang.coin amount"]
[moves.give]
who = "crew"
whom = "crew"
amount = [1, "coin"]
does = [{ do = "spend coin amount", who = "whom" }, "spend coin amount"]
[moves.nap]
who = "crew"
does = ["clear stress 1", { say = "They dream", when = "stress == 0" }]
[moves.rest]
who = "crew"
does = ["clear stress"]
"""


def test_a_move_that_only_offers_or_takes_back_is_told() -> None:
    """There is no other fact that could stand for it in the log."""
    trial = Trial(HEIST)
    trial.play("roll act cole", 1, 1)
    assert trial.play("protect silk cole") == ["Silk: Protect somebody, Cole", "Cole: no consequence any more"]
    assert [move.label for move in trial.game.moves(trial.state) if move.verb == "effect"] == ["Take harm (Silk)"]


def test_a_number_is_told_and_logged_where_it_is_one_too() -> None:
    """Its lowest may be another one next time."""
    trial = Trial(HEIST)
    assert trial.play("hurt silk")[0] == "Silk: Take harm, 1"
    act = parse_act(trial.game.moves(trial.state), "hurt silk")
    assert format_act(act.move, {"amount": 1}) == "hurt silk 1"
    trial.play("roll act cole", 1, 1)
    offered = [move.label for move in trial.game.moves(trial.state) if move.verb == "effect"]
    assert offered == ["Take harm (Cole): 1", "Take harm (Cole): 2"]


def test_a_move_that_says_something_sometimes_is_named_at_other_times() -> None:
    """What the file says of it stands for its name only where it is said."""
    trial = Trial(HEIST)
    trial.play("mark silk stress 2")
    assert trial.play("nap silk") == ["Silk: Nap", "Silk: Stress 2 → 1"]
    assert trial.play("nap silk") == ["Silk: Stress 1 → 0", "They dream"]


def test_what_goes_over_a_limit_is_told() -> None:
    """It would be lost without a word. Where something follows at the limit, that tells it."""
    trial = Trial(HEIST)
    assert trial.play("mark coin 9") == ["Coin 2 → 9 (2 over the limit)"]
    trial = Trial(
        HEIST.replace(
            "stress = { range = [0, 9], label", 'stress = { range = [0, 9], when_full = ["clear stress"], label'
        )
    )
    trial.play("mark silk stress 8")
    assert trial.play("mark silk stress 4") == ["Silk: Stress 8 → 9", "Silk: Stress 9 → 0"]


def test_the_things_of_a_list_are_asked_for_by_the_label_of_their_option() -> None:
    """The label is a word for each of them, too."""
    trial = Trial(HEIST)
    roll = next(move for move in trial.game.moves(trial.state) if move.id == "roll act silk")
    asked = {ask.label: [option.word for option in ask.options] for ask in roll.asks if isinstance(ask, PickMany)}
    assert asked == {"With": ["push"], "Assist": ["cole"]}
    for words in ("assist cole", "aid cole", "cole"):
        assert parse_act(trial.game.moves(trial.state), f"roll act silk {words}").answers["options.aid"] == ("cole",)


@pytest.mark.parametrize(
    ("before", "line", "told"),
    [
        ("", "act silk push", "No such command: “act”. Did you mean “roll act silk push”?"),
        ("", "save-up silk", "no Purse left"),
        ("", "give silk cole", "no Purse left"),
        ("", "calm", "the number must be at least 1, but can't be more than -3 now"),
        ("", "mark gang coin 8", "Leave out the name of the list or table: “mark coin”"),
        ("", "mark gang.coin", "Leave out the name of the list or table: “mark coin”"),
        ("", "mark crew silk coin", "Leave out the name of the list or table: “mark silk coin”"),
        ("", "set cole coin 2", "“cole” is not a path. Did you mean “crew.cole”?"),
        ("", "set size 3", "the campaign has no size"),
        ("", "set fame 3", "“fame” is not a path. Did you mean “gang.fame”?"),
        ("", "group act cole rooks push-rooks", "Choose push-silk (Push for Silk) or push-cole (Push for Cole)"),
        (
            "",
            "roll act silk zzz",
            "Choose How: hunt, study, sway or prowl · Position: risky, controlled or desperate · With: push · Assist: cole",
        ),
        ("roll act cole", "skip silk", "No such offer: “silk”. The only offer is “cole”"),
        ("roll act cole", "effect cole-3", "No such offer: “cole-3”. Did you mean “cole-2”?"),
    ],
)
def test_a_line_is_refused_for_the_true_reason(before: str, line: str, told: str) -> None:
    """It names what can be typed instead."""
    trial = Trial(HEIST)
    if before:
        trial.play(before, 1, 1)
    with pytest.raises(ActRefused) as refused:
        trial.play(line)
    assert str(refused.value).endswith(told)


def test_a_move_that_is_called_like_an_answer_waits_for_the_dice() -> None:
    """`rest` lets Waylog roll while real dice are awaited, and what the command takes then are faces."""
    trial = Trial(HEIST)
    trial.play("roll act cole", 1)
    with pytest.raises(ActRefused, match="“rest” takes no other words here"):
        trial.play("rest cole")
    assert usage(next(move for move in trial.game.moves(trial.state) if move.verb == "dice")) == "dice DICE"


def test_a_thing_that_is_called_just_so_is_meant_before_one_whose_name_has_that_word() -> None:
    """Beside the name of its owner as well, and where another one has taken its plain word."""
    gear = """armour = { flag = false }
gear = { each = { used = { flag = false } }, start = { coat = { name = "Armour" }, armour = { name = "Heavy armour" } } }
stash"""
    trial = Trial(f'{HEIST.replace("stash", gear, 1)}[moves.bring]\nwho = "crew.gear"\ndoes = ["mark used"]\n')
    assert trial.play("bring cole armour") == ["Cole, Armour: Bring", "Cole, Armour: now Used"]
