"""What a game without mistakes says that its author can't have meant."""

from __future__ import annotations

import tomllib

import pytest

from tests.file_games import game_of
from waylog.rules.file_game.advice import advise
from waylog.rules.file_game.rulebook import rulebook_of

SOUND = """
id = "trial"
name = "Trial"
[sheet.crew.each]
nerve = { range = [0, 4], start = 2 }
harm = { range = [0, 3] }
skill = { range = [20, 80], start = 40 }
[sheet.crew.start.runa]
name = "Runa"
[dice.row]
who = "crew"
pool = "nerve"
none = { dice = 2 }
bands = [
  { outcome = "back", grade = "fiasco" },
  { outcome = "hold", grade = "drawback", from = 4, to = 5 },
  { outcome = "through", from = 6 },
]
options = { song = { dice = 1 } }
calls = { calm = {}, surf = { plus = -1 } }
[dice.look]
who = "crew"
die = "d100"
reading = "under"
target = "skill"
bands = [{ outcome = "miss", grade = "fiasco", to = -1 }, { outcome = "seen", from = 0 }]
[spend.pull]
rolls = ["row"]
cost = ["spend nerve"]
reroll = "one"
[after.row]
back = ["mark harm"]
[when.hurt]
who = "crew"
if = "harm >= 2"
dice = -1
rolls = ["row"]
[moves.rest]
who = "crew"
does = ["clear harm", "gain nerve"]
choose = { short = {}, long = { when = "nerve < 4" } }
"""


def advice(text: str) -> list[tuple[str, str]]:
    """What is said of a game, with its place."""
    return [(".".join(flaw.path), flaw.message) for flaw in advise(rulebook_of(tomllib.loads(text)))]


@pytest.mark.parametrize(
    "name", ["breakers-yard", "long-post", "under-the-ice", "veil-dice", "night-heist", "iron-ledge"]
)
def test_nothing_is_said_of_a_sound_game(name: str) -> None:
    """Of those that come with Waylog, for one."""
    assert advise(game_of(name)) == ()


FAULTS = {
    "an outcome that takes everything": (", from = 6 },", " },", "dice.row.bands", "one outcome takes every result"),
    "an outcome that can't happen": ("from = 6 },", "from = 9 },", "dice.row.bands.2", "through never happens"),
    "an outcome that another one takes": ("from = 4, to = 5 },", "from = 6 },", "dice.row.bands.1", "hold never happens"),
    "a gap below an outcome": ("to = -1 }, {", "to = -9 }, {", "dice.look.bands", "no outcome is for a result of -8 to -1"),
    "a gap between outcomes": ("from = 4, to = 5", "from = 3, to = 4", "dice.row.bands", "no outcome is for a result of 5"),
    "dice summed under a target": ('die = "d100"', 'die = "d100"\npool = 2', "dice.look.pool", "keep_lowest = 1"),
    "an option that adds to such a sum": (
        'die = "d100"', 'die = "d100"\noptions = { ease = { dice = 1 } }', "dice.look.options.ease", "keep_lowest = 1"
    ),
    "an option that changes nothing": ("song = { dice = 1 }", "song = { }", "dice.row.options.song", "this option changes nothing"),
    "an option without effect on the highest die": (
        "song = { dice = 1 }", 'song = { dice = "nerve - nerve" }', "dice.row.options.song", "this option changes nothing"
    ),
    "a spend on no die": ('reroll = "one"', 'reroll = "one"\nfaces = [7, 8]', "spend.pull", "this spend never helps"),
    "a spend for an outcome that is the best": (
        'reroll = "one"', 'reroll = "one"\noutcomes = ["through"]', "spend.pull", "this spend never helps"
    ),
    "a spend that can't be paid": ('["spend nerve"]', '["spend nerve 5"]', "spend.pull", "this spend never helps"),
    "a spend that is too small": ('reroll = "one"', 'plus = -1', "spend.pull", "this spend never helps"),
    "a track that nothing moves": ('back = ["mark harm"]', 'back = ["lose nerve"]', "", ""),
    "a condition that never holds": ("harm >= 2", "harm > 3", "when.hurt", "this condition never holds"),
    "a move that nobody can do": ("[moves.rest]", '[moves.rest]\nwhen = "nerve > 4"', "moves.rest", "nobody can ever do this"),
    "a move that costs too much": ('"clear harm", "gain nerve"]', '"spend nerve 9"]', "moves.rest", "nobody can ever do this"),
    "an answer that can't be chosen": ("nerve < 4", "nerve < 0", "moves.rest.choose.long", "this can never be chosen"),
    "a roll that nobody can make": ("[dice.look]", '[dice.look]\nwhen = "skill > 80"', "dice.look", "nobody can ever make"),
    "a call that can't be chosen": ("surf = {", 'surf = { when = "nerve > 5",', "dice.row.calls.surf", "this can never be chosen"),
    "a face that no die shows": ("pool = \"nerve\"", "pool = \"nerve\"\nreroll = [7]", "dice.row", "no d6 shows 7"),
    "an explosion that never comes": ('pool = "nerve"', 'pool = "nerve"\nexplode = { at = 8 }', "dice.row", "no d6 shows 8"),
    "a target that nothing is compared with": ('pool = "nerve"', 'pool = "nerve"\ntarget = 4', "dice.row.target", "nothing is compared"),
    "a leader who never pays": (
        'pool = "nerve"', 'pool = "nerve"\ngroup = { leader = ["mark harm"] }', "dice.row.group", "the leader never pays"
    ),
    "faces without a reroll": ('reroll = "one"', 'raise = 1\nfaces = [1, 2]', "spend.pull", "mean nothing without `reroll`"),
    "a die without dice": ('reroll = "one"', 'reroll = "one"\ndie = "d8"', "spend.pull.die", "means nothing without `dice`"),
    "a condition without effect": ("dice = -1", "", "when.hurt", "this condition changes nothing"),
    "a clock that nothing ticks": ("[dice.look]", "[clocks.dusk]\n[dice.look]", "clocks.dusk", "ever ticks this clock"),
    "a house rule that nothing reads": (
        "[dice.look]", '[house_rules.hard]\nflag = false\n[dice.look]', "house_rules.hard", "nothing depends on this house rule"
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_what_plays_otherwise_than_meant_is_named(fault: str) -> None:
    """Once, at its place, with what happens and the usual cure."""
    before, after, at, said = FAULTS[fault]
    assert advice(SOUND) == []
    assert before in SOUND
    text = SOUND.replace(before, after)
    if fault == "a track that nothing moves":
        text = text.replace('"clear harm", ', "")
        at, said = "sheet.crew.each.harm", "[when.hurt] reads Harm, and nothing but a mark by hand ever changes it"
    ((place, message),) = advice(text)
    assert place == at
    assert said in message
