"""What a published game needed: offers that count as several, one choice for who acts and for a foe, and pools without dice."""

import tomllib
from fractions import Fraction
from itertools import product

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import UnplayableGame, rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import EqualDice
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State

FIGHT = """
id = "fight"
name = "Fight"
[sheet.crew.each]
nerve = { range = [0, 9] }
pool = { range = [0, 9], start = 4 }
[sheet.crew.start]
ada = { name = "Ada" }
bo = { name = "Bo" }
[sheet.foes.each]
harm = { range = [0, 9] }
[sheet.foes.start.wolf]
name = "Wolf"
[dice.hit]
who = "crew"
pool = "pool"
reading = "count"
target = 6
none = { dice = 2 }
bands = [{ outcome = "miss" }, { outcome = "hit", from = 1 }]
options.foe = { who = "foes", most = 1 }
[after.hit]
hit = [
  { offer = "mark harm 1", who = "options.foe", one_of = "extra", take = "result - 1" },
  { offer = "mark harm 5", who = "options.foe", one_of = "extra", take = "result - 1", takes = 3 },
  { offer = "mark nerve 2", one_of = "extra", take = "result - 1", takes = 2 },
  { offer = "mark nerve 1", who = "others", one_of = "help" },
  { offer = "mark nerve 3", who = "others", one_of = "help" },
]
"""


def offered(game: Game, state: State) -> dict[str, str]:
    """The offers by what is typed, with their labels."""
    return {move.id: move.label for move in game.moves(state) if move.verb == "effect"}


def play(game: Game, state: State, *acts: str) -> State:
    """Each die shows 6."""
    for words in acts:
        state = game.play(state, parse_act(game.moves(state), words), EqualDice(6)).state
    return state


def test_offers_to_who_acts_and_to_a_foe_are_one_choice() -> None:
    """An offer that counts as several takes so many of them, and is gone once fewer are left. Somebody else chooses by themselves, and
    their offers are called by their own name.
    """
    game = Game(rulebook_of(tomllib.loads(FIGHT)))
    state = play(game, game.fresh("Fight"), "roll hit ada wolf")
    extra = [label for words, label in offered(game, state).items() if words.startswith("effect ada")]
    assert extra == [
        "Raise Wolf's Harm (choose up to 3)",
        "Raise Wolf's Harm by 5 (choose up to 3; this one counts as 3)",
        "Raise Ada's Nerve by 2 (choose up to 3; this one counts as 2)",
    ]
    once = play(game, state, "effect ada-3")
    assert [label for words, label in offered(game, once).items() if words.startswith("effect ada")] == [
        "Raise Wolf's Harm"
    ]
    assert not [words for words in offered(game, play(game, once, "effect ada")) if words.startswith("effect ada")]
    # Of two for the foe, the large one is all that can be taken.
    large = play(game, state, "effect ada-2")
    assert [*offered(game, large)] == ["effect bo", "effect bo-2"]
    assert not offered(game, play(game, large, "effect bo-2"))


def test_more_than_can_be_taken_is_not_offered() -> None:
    """With two sixes there is one extra."""
    game = Game(rulebook_of(tomllib.loads(FIGHT.replace("start = 4", "start = 2"))))
    state = play(game, game.fresh("Fight"), "roll hit ada wolf")
    assert [label for words, label in offered(game, state).items() if "ada" in words] == ["Raise Wolf's Harm"]


@pytest.mark.parametrize(
    ("none", "wins"),
    [
        ("{ dice = 2 }", lambda dice: min(dice) >= 6),
        ('{ dice = 3, reading = "highest" }', lambda dice: max(dice) >= 6),
        ('{ dice = 2, reading = "count" }', lambda dice: 6 in dice),
    ],
)
def test_of_no_dice_in_a_roll_that_counts(none: str, wins: object) -> None:
    """All of those that are rolled then have to count, or one; the odds are those of every throw."""
    text = FIGHT.replace("none = { dice = 2 }", f"none = {none}").replace("start = 4", "start = 0")
    game = Game(rulebook_of(tomllib.loads(text)))
    state = game.fresh("Fight")
    move = next(move for move in game.moves(state) if move.id == "roll hit ada")
    found = game.odds(state, move, {"options": ()})
    assert found
    throws = [*product(range(1, 7), repeat=int(none[9]))]
    expected = Fraction(sum(map(wins, throws)), len(throws))  # type: ignore[call-overload]
    assert {one.outcome: one.chance for one in found.spread.chances}["hit"] == expected


def test_a_roll_of_nothing_comes_to_nothing() -> None:
    """With `dice = 0` nobody rolls, nothing is asked for, and the outcome is that of 0."""
    text = FIGHT.replace("none = { dice = 2 }", "none = { dice = 0 }").replace("start = 4", "start = 0")
    game = Game(rulebook_of(tomllib.loads(text)))
    state = game.fresh("Fight")
    move = next(move for move in game.moves(state) if move.id == "roll hit ada")
    odds = game.odds(state, move, {"options": ()})
    assert odds
    assert (odds.dice, [one.outcome for one in odds.spread.chances]) == ("no dice", ["miss"])
    played = game.play(state, parse_act(game.moves(state), "roll hit ada"), EqualDice(6))
    assert not [fact for fact in played.facts if getattr(fact, "dice", ())]
    assert [fact.outcome for fact in played.facts if hasattr(fact, "outcome")] == ["miss"]
    with pytest.raises(UnplayableGame, match="should be from 1 to 20"):
        rulebook_of(tomllib.loads(text.replace('reading = "count"', 'reading = "highest"')))


RESIST = """
[sheet.crew.each]
harm = { range = [0, 3] }
stress = { range = [0, 9] }
[sheet.crew.start.ada]
[sheet.crew.start.una]
[dice.act]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "done", from = 4 }]
[dice.resist]
who = "crew"
bands = [{ outcome = "resisted" }]
[after.act]
bad = [{ offer = "mark harm", one_of = "consequence" }, { offer = "mark stress 2", one_of = "consequence" }, { offer = "roll resist" }]
[after.resist]
any = [{ withdraw = "consequence" }]
"""


def test_a_choice_of_offers_can_be_taken_back() -> None:
    """That of whoever acts: what is offered to others stays, and other offers do."""
    trial = Trial(RESIST)
    trial.play("roll act ada", 1)
    trial.play("roll act una", 1)
    assert len(_offered(trial)) == 6
    assert trial.play("roll resist ada", 5)[-1] == "ada: no consequence any more"
    assert trial.play("roll resist ada", 5)[-1] == "ada: Resisted"  # There is none left.
    assert _offered(trial) == ["Raise una's Harm", "Raise una's Stress by 2", "Roll Resist for una"]


def _offered(trial: Trial) -> list[str]:
    moves = (move for move in trial.game.moves(trial.state) if move.verb == "effect")
    return [move.label.removesuffix(" (offered earlier)") for move in moves]


def test_a_choice_that_is_taken_back_is_one_of_the_game() -> None:
    """Otherwise the nearest is named."""
    wrong = RESIST.replace('withdraw = "consequence"', 'withdraw = "consequense"')
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{wrong}')
    assert ["Did you mean `consequence`?" in flaw.message for flaw in check_game(tree)[1]] == [True]


MUST = """
[sheet.crew.each]
harm = { range = [0, 3] }
scars = { tags = [] }
[sheet.crew.start.ada]
[sheet.crew.start.una]
[sheet.foes.each]
harm = { range = [0, 9] }
gone = { flag = false }
[sheet.foes.start.wolf]
[sheet.foes.start.ox]
[dice.act]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "done", from = 4 }]
options.foe = { who = "foes", label = "Foe", required = true, most = 1 }
[dice.act.pick.way]
loud = { dice = 1, required = true }
quiet = {}
[after.act]
done = ["tick storm 4", { do = "mark harm", who = "options.foe" }]
bad = [
  { offer = "mark harm", one_of = "price", take = 2, required = true },
  { offer = "scar", one_of = "price", take = 2, required = true },
]
[moves.scar]
who = "crew"
label = "A scar"
text = "Which scar"
does = ["add scars text"]
[moves.slay]
who = "foes"
does = ["remove foes"]
[clocks.storm]
label = "Storm"
segments = 4
when_full = "scar ada"
"""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("roll act ada wolf", "Way: choose loud or quiet"),
        ("roll act ada loud", "Foe: choose wolf or ox"),
        ("roll act ada loud wolf ox", "Foe: choose wolf or ox"),
    ],
)
def test_what_has_to_be_chosen_has_no_default(line: str, why: str) -> None:
    """Neither an answer to a question, nor nothing of a list; without anything to choose, nobody can roll."""
    trial = Trial(MUST)
    with pytest.raises(ActRefused, match=why):
        trial.play(line, 1)
    trial.play("roll act ada quiet ox", 4)
    assert trial.state.sheet.foes["ox"].harm == 1
    trial.play("slay ox")
    trial.play("slay wolf")
    with pytest.raises(ActRefused, match="there is no foe to choose"):
        trial.play("roll act ada quiet", 4)


def test_one_of_the_offers_has_to_be_taken() -> None:
    """Once one is, no more need be."""
    trial = Trial(MUST)
    trial.play("roll act ada quiet ox", 1)
    offered = [move.label for move in trial.game.moves(trial.state) if move.verb in ("effect", "skip")]
    assert [label.endswith(" (required)") for label in offered] == [True, True]
    trial.play("effect ada")
    assert [move.label for move in trial.game.moves(trial.state) if move.verb == "skip"] == ["ada: no more price"]


def test_a_full_clock_offers_a_move_that_asks() -> None:
    """Whoever takes the offer is asked, and making the move by hand uses the offer up. A new campaign has no problem with it."""
    trial = Trial(MUST)
    assert not [*trial.game.read(trial.game.write(trial.state))[1]]
    trial.play("roll act ada quiet ox", 6)
    (offer,) = (move for move in trial.game.moves(trial.state) if move.verb == "effect")
    assert (offer.blocked, [ask.name for ask in offer.asks]) == (None, ["text"])
    full = trial.state
    trial.play("effect storm Lame")
    assert (trial.state.sheet.crew["ada"].scars, _offered(trial)) == (("Lame",), [])
    trial.state = full
    trial.play("scar ada Lame")
    assert not _offered(trial)


def test_an_offered_roll_asks_for_what_has_to_be_chosen() -> None:
    """The check finds nothing wrong with the offer, and whoever takes it chooses."""
    text = MUST + '[moves.hunt]\nwho = "crew"\ntext = "Where"\ndoes = ["add scars text", { offer = "roll act" }]\n'
    assert check_game({"id": "trial", "name": "Trial", **tomllib.loads(text)})[1] == ()
    trial = Trial(text)
    trial.play("hunt ada Woods")
    (offer,) = (move for move in trial.game.moves(trial.state) if move.verb == "effect")
    assert (offer.blocked, [ask.name for ask in offer.asks]) == (None, ["way", "options.foe"])
    with pytest.raises(ActRefused, match="Foe: choose wolf or ox"):
        trial.play("effect ada loud", 6)
    trial.play("effect ada loud wolf", 6, 6)
    assert trial.state.sheet.foes["wolf"].harm == 1


HEALING = """
[sheet.crew.each]
tinker = { range = [0, 4], start = 1, show = "dice" }
[sheet.crew.start]
ann = { name = "Ann" }
bo = { name = "Bo", tinker = 2 }
[dice.recover]
who = "crew"
pool = 1
calls = { healer = { label = "A healer" }, friend = { label = "A friend" } }
options = { doctor = { who = "crew", most = 1, required = true, dice = "tinker", when = "call == 'friend'" } }
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", grade = "success", from = 4 }]
"""


def test_what_another_choice_makes_impossible_is_not_required() -> None:
    """Where it is possible, it is."""
    assert check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{HEALING}'))[1] == ()
    trial = Trial(HEALING)
    trial.play("roll recover ann healer", 4)
    with pytest.raises(ActRefused, match="Doctor: choose bo"):
        trial.play("roll recover ann friend", 4)
    with pytest.raises(ActRefused, match="this can't be done now"):
        trial.play("roll recover ann healer bo", 4)
    trial.play("roll recover ann friend bo", 4, 4, 4)


def test_what_the_other_side_gains_is_no_price() -> None:
    """A point that goes over to the other side is shown with a plus, and so is one that comes alone."""
    text = HEALING.replace(
        "[dice.recover]",
        "[sheet.story.values]\nours = { range = [0, 5], start = 3 }\ntheirs = { range = [0, 5] }\n[dice.recover]",
    )
    both = text.replace(
        "options = {", 'options = { story = { dice = 1, cost = ["spend story.ours", "gain story.theirs"] },'
    )
    assert _costs(both) == ["Story costs 1 Ours, +1 Theirs"]
    assert _costs(both.replace('"spend story.ours", ', "")) == ["Story: +1 Theirs"]
    assert _costs(both.replace("gain", "mark")) == ["Story costs 1 Ours, 1 Theirs"]


def _costs(text: str) -> list[str]:
    """What the odds say of the price of the option `story`."""
    trial = Trial(text)
    act = parse_act(trial.game.moves(trial.state), "roll recover ann healer story")
    found = trial.game.odds(trial.state, act.move, complete_answers(act.move, act.answers))
    assert found
    return [reason.text for reason in found.reasons]


@pytest.mark.parametrize(
    ("before", "more", "why"),
    [
        ("done = [", 'any = [{ roll = "act" }]', "Offer it instead"),
        ("done = [", 'any = [{ offer = "mark harm", required = true }]', "add `one_of` as well"),
        ("[dice.act.pick.way]", "options.haste = { required = true, dice = 1 }", "for an option with a list of things"),
    ],
)
def test_what_has_to_be_chosen_is_something_to_choose(before: str, more: str, why: str) -> None:
    """Of a list, of a question, or between offers; and where nobody is asked, nothing can be."""
    text = MUST.replace(before, f"{more}\n{before}")
    flaws = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
    assert why in flaws[0].message


EITHER = """
[sheet.crew.each]
edge = { range = [0, 5], start = 3 }
fate = { range = [0, 5], start = 1 }
crits = { range = [0, 9] }
calm = { range = [0, 9] }
[sheet.crew.start.ada]
[sheet.crew.start.una]
[dice.act]
who = "crew"
bands = [{ outcome = "done" }]
[after.act]
any = [
  { offer = "mark crits", one_of = "edge", take = "edge", takes = 2, once = true },
  { offer = "mark calm", one_of = "edge", take = "edge" },
  { offer = "mark crits", one_of = "fate", take = "fate", once = true },
  { offer = "mark calm", one_of = "fate", take = "fate" },
]
"""


def _offered_to(trial: Trial, name: str) -> list[str]:
    return [label.partition(" (")[0] for label in _offered(trial) if name in label]


def test_an_offer_in_two_choices_can_be_taken_in_one_of_them() -> None:
    """The rest of both choices stays, and so do the offers of others; an offer without `once` can be taken in both."""
    crits, calm = "Raise ada's Crits", "Raise ada's Calm"
    trial = Trial(EITHER)
    trial.play("roll act una", 1)
    trial.play("roll act ada", 1)
    assert _offered_to(trial, "ada") == [crits, calm, crits, calm]
    trial.play("effect ada")
    assert _offered_to(trial, "ada") == [calm, calm]
    assert len(_offered_to(trial, "una")) == 4
    trial = Trial(EITHER)
    trial.play("roll act ada", 1)
    trial.play("effect ada-2")
    assert _offered_to(trial, "ada") == [crits, crits, calm]


def test_once_is_for_an_offer_of_a_choice() -> None:
    """One that stands by itself is gone once it is taken anyway."""
    wrong = EITHER.replace('one_of = "fate", take = "fate", once', "once")
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{wrong}')
    assert ["`once` is for a choice between offers" in flaw.message for flaw in check_game(tree)[1]] == [True]
