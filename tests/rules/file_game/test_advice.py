"""What a game without mistakes says that its author can't have meant."""

from __future__ import annotations

import tomllib

import pytest

from tests.file_games import SHIPPED, game_of
from tests.kit.thorough import cases, few_at_a_desk
from tests.rules.sound_games import sound_game
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of

_PARTS = 4
SOUND = """
id = "trial"
name = "Trial"
[sheet.crew.each]
nerve = { range = [0, 4], start = 2 }
harm = { range = [0, 3] }
skill = { range = [20, 80], start = 40 }
[sheet.crew.start.runa]
name = "Runa"
[sheet.crew.start.tove]
name = "Tove"
[dice.row]
who = "crew"
group = { counts = "each" }
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
choose = { short = {}, long = { does = ["gain nerve"], when = "nerve < 4" } }
"""


def advice(text: str) -> list[tuple[str, str]]:
    """What is said of a game, with its place."""
    return [(".".join(flaw.path), flaw.message) for flaw in advise(rulebook_of(tomllib.loads(text)))]


@pytest.mark.parametrize("name", cases([*SHIPPED, "veil-dice", "night-heist", "iron-ledge"], 1, 2))
def test_nothing_is_said_of_a_sound_game(name: str) -> None:
    """Of those that come with Waylog, for one."""
    assert [*advise(game_of(name))] == []


@pytest.mark.parametrize("part", range(_PARTS))
def test_nothing_is_said_of_any_sound_game(part: int) -> None:
    """200 games of eleven kinds of rolls, whose authors mean all that they write."""
    trees = {seed: sound_game(seed) for seed in range(part, few_at_a_desk(200), _PARTS)}
    assert {seed: check_game(tree)[1] for seed, tree in trees.items()} == dict.fromkeys(trees, ())
    assert {seed: [*advise(rulebook_of(tree))] for seed, tree in trees.items()} == {seed: [] for seed in trees}


@pytest.mark.parametrize("seen", ["ones > 0", "doubles", "matches >= 2", "face == 2", "result < 4"])
def test_what_the_dice_show_after_a_roll_can_be_read(seen: str) -> None:
    """A condition after a roll may read what the dice show, even if no outcome of the roll asks for it."""
    effect = f'back = ["mark harm", {{ do = "mark harm", when = "{seen}" }}]'
    assert advice(SOUND.replace('back = ["mark harm"]', effect)) == []


@pytest.mark.parametrize(
    ("read", "answers"),
    [
        ("options.tie", "options = { song = { dice = 1 }, tie = {} }"),
        ("ones > 0", "options = { song = { dice = 1 } }\ncap = 12"),
    ],
)
def test_what_a_formula_reads_that_an_effect_names_changes_something(read: str, answers: str) -> None:
    """The formula of an effect may name another one, which reads what was chosen for the roll or what the dice show."""
    game = SOUND.replace("options = { song = { dice = 1 } }", answers)
    assert advice(game) != []
    game = game.replace("mark harm", "mark harm level").replace(
        "[sheet", f'[formulas]\nlevel = "1 + two"\ntwo = "{read}"\n[sheet', 1
    )
    assert advice(game) == []


@pytest.mark.parametrize(
    "when",
    [
        "call == 'surf' and options.song",
        "call == 'surf' and pick.sea == 'high'",
        "pick.sea == 'high' and options.song",
        "call == 'surf' and pick.sea == 'high' and options.song and nerve == 2",
        "call == 'surf' and far",
        "call == 'surf' and options.song and ones > 0",
        "call == 'surf' and options.help > 0 and not options.song",
    ],
)
def test_answers_that_one_condition_reads_are_tried_together(when: str) -> None:
    """A call and an answer, each of them not the default, through a formula too, and with what the sheet and the dice say."""
    game = SOUND.replace("calls = {", "pick = { sea = { flat = {}, high = {} } }\ncalls = {")
    game = game.replace("song = { dice = 1 }", 'song = { dice = 1 }, help = { who = "crew", plus = 1 }')
    game = game.replace("[sheet", "[formulas]\nfar = \"pick.sea == 'high'\"\n[sheet", 1)
    game = game.replace(
        '"mark harm"]', f'"mark harm", {{ do = "mark harm", when = "{when}" }}, {{ do = "clear harm", when = "far" }}]'
    )
    assert advice(game) == []


def test_an_outcome_may_need_an_answer_that_the_condition_of_its_effect_does_not_read() -> None:
    """Only against somebody can it be lost, and what follows depends on how it was fought."""
    game = SOUND.replace("song = { dice = 1 }", "song = { dice = 1, against = true }")
    game = game.replace('"hold", grade = "drawback", from = 4, to = 5', '"hold", grade = "drawback", from = 1, to = 5')
    assert advice(game.replace('["mark harm"]', '["mark harm", { do = "mark harm", when = "call == \'surf\'" }]')) == []


@pytest.mark.parametrize(
    "buys",
    [
        'instead = { cost = ["spend nerve"], outcome = "spared" }\n[dice.look]',
        '[spend.shield]\nrolls = ["row"]\ncost = ["spend nerve"]\ngrade = 3\n[dice.look]',
    ],
)
def test_an_outcome_may_be_bought(buys: str) -> None:
    """In place of rolling, or after it, though no dice come to it."""
    game = SOUND.replace(
        '"through", from = 6 },', '"through", from = 6 },\n  { outcome = "spared", grade = "critical", from = 99 },'
    )
    game = game.replace("[dice.look]", buys, 1).replace(
        "[when.hurt]", 'spared = [{ say = "Ha", when = "nerve > 1" }]\n[when.hurt]'
    )
    assert advice(game) == []


def test_a_value_that_starts_elsewhere_for_one_of_them_moves() -> None:
    """A start at the end for all but one is no track that never moves."""
    game = SOUND.replace("start = 40 }", "start = 40 }\nluck = { range = [0, 4] }").replace(
        '["mark harm"]', '["lose luck"]'
    )
    assert "sheet.crew.each.luck" in dict(advice(game))
    assert "sheet.crew.each.luck" not in dict(advice(game.replace('name = "Tove"', 'name = "Tove"\nluck = 2')))


FAULTS = {
    "an outcome that takes everything": (", from = 6 },", " },", "dice.row.bands", "every result has the same outcome"),
    "an outcome that can't happen": ("from = 6 },", "from = 9 },", "dice.row.bands.2", "through never happens"),
    "an outcome that another one takes": ("from = 4, to = 5 },", "from = 6 },", "dice.row.bands.1", "hold never happens"),
    "a gap below an outcome": ("to = -1 }, {", "to = -9 }, {", "dice.look.bands", "no outcome covers a result of -8 to -1"),
    "a gap between outcomes": ("from = 4, to = 5", "from = 3, to = 4", "dice.row.bands", "no outcome covers a result of 5"),
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
    "a condition that never holds": ("harm >= 2", "harm > 3", "when.hurt", "this condition is never true"),
    "a move that nobody can do": ("[moves.rest]", '[moves.rest]\nwhen = "nerve > 4"', "moves.rest", "this move can never be made"),
    "a move that costs too much": ('"clear harm", "gain nerve"]', '"spend nerve 9"]', "moves.rest", "this move can never be made"),
    "an answer that can't be chosen": ("nerve < 4", "nerve < 0", "moves.rest.choose.long", "nobody can ever choose this answer"),
    "a roll that nobody can make": ("[dice.look]", '[dice.look]\nwhen = "skill > 80"', "dice.look", "this roll can never be made"),
    "a call that can't be chosen": ("surf = {", 'surf = { when = "nerve > 5",', "dice.row.calls.surf", "nobody can ever choose this answer"),
    "a face that no die shows": ("pool = \"nerve\"", "pool = \"nerve\"\nreroll = [7]", "dice.row.reroll", "`reroll` changes nothing"),
    "an explosion that never comes": ('pool = "nerve"', 'pool = "nerve"\nexplode = { at = 8 }', "dice.row.explode", "`explode` changes nothing"),
    "a target that nothing is compared with": ('pool = "nerve"', 'pool = "nerve"\ntarget = 4', "dice.row.target", "has no effect with reading"),
    "a leader who never pays": (
        'counts = "each"', 'leader = ["mark harm"]', "dice.row.group", "the leader never pays"
    ),
    "faces without a reroll": ('reroll = "one"', 'raise = 1\nfaces = [1, 2]', "spend.pull", "have no effect without `reroll`"),
    "a die without dice": ('reroll = "one"', 'reroll = "one"\ndie = "d8"', "spend.pull.die", "has no effect without `dice`"),
    "a condition without effect": ("dice = -1", "", "when.hurt", "this condition changes nothing"),
    "a clock that nothing ticks": ("[dice.look]", "[clocks.dusk]\n[dice.look]", "clocks.dusk", "ever fills this clock"),
    "several of whom there is one": (
        '[sheet.crew.start.tove]\nname = "Tove"\n', "", "dice.row.group", "this can never be a group roll"
    ),
    "an effect for a result that never comes": (
        '["mark harm"]', '["mark harm", { do = "mark harm", when = "result > 9" }]', "after.row.back.1.when", "this effect never happens"
    ),
    "an effect for another outcome": (
        '["mark harm"]', '["mark harm", { say = "So", when = "outcome == \'hold\'" }]', "after.row.back.1.when", "this effect never happens"
    ),
    "a roll that never follows": (
        '["mark harm"]', '["mark harm", { roll = "look", when = "nerve > 4" }]', "after.row.back.1.when", "this effect never happens"
    ),
    "an option that can't be paid": (
        "song = { dice = 1 }", 'song = { dice = 1, cost = ["spend nerve 5"] }', "dice.row.options.song.when", "nobody can ever choose"
    ),
    "an option that nobody may choose": (
        "song = { dice = 1 }", 'song = { dice = 1, when = "harm > 3" }', "dice.row.options.song.when", "nobody can ever choose"
    ),
    "a call with a target for nothing": ("{ plus = -1 }", "{ target = 5 }", "dice.row.calls", "this choice changes nothing"),
    "a call that adds nothing": ("{ plus = -1 }", '{ plus = "nerve - nerve" }', "dice.row.calls", "this choice changes nothing"),
    "a choice that changes nothing": (
        "calls = {", "pick = { sea = { flat = {}, high = { target = 4 } } }\ncalls = {", "dice.row.pick.sea", "this choice changes"
    ),
    "an explosion that can't help": ("none = { dice = 2 }", "explode = {}", "dice.row.explode", "`explode` changes nothing"),
    "more dice kept than there are": ('pool = "nerve"', 'pool = "nerve"\nkeep_highest = 9', "dice.row.keep_highest", "changes nothing"),
    "the highest kept of the highest": ('pool = "nerve"', 'pool = "nerve"\nkeep_highest = 1', "dice.row.keep_highest", "changes nothing"),
    "a limit that is never reached": ('pool = "nerve"', 'pool = "nerve"\ncap = 20', "dice.row.cap", "`cap` changes nothing"),
    "a blank face where dice aren't added up": ('pool = "nerve"', 'pool = "nerve"\nblank = 2', "dice.row.blank", "`blank` changes nothing"),
    "dice in place of none, which never come": ('pool = "nerve"', 'pool = "nerve + 2"', "dice.row.none", "`none` changes nothing"),
    "nothing added": ('pool = "nerve"', 'pool = "nerve"\nplus = "nerve * 0"', "dice.row.plus", "`plus` changes nothing"),
    "more dice that never come": (
        'pool = "nerve"', 'pool = "nerve"\nmore = [{ when = "nerve > 4" }]', "dice.row.more.0", "`more` changes nothing"
    ),
    "more dice, of which there are none": (
        'pool = "nerve"', 'pool = "nerve"\nmore = [{ dice = "nerve // 9" }]', "dice.row.more.0", "`more` changes nothing"
    ),
    "every face rolled again": ('pool = "nerve"', 'pool = "nerve"\nreroll = [1, 2, 3, 4, 5, 6]', "dice.row.reroll", "changes nothing"),
    "all dice dropped": ("none = { dice = 2 }", "drop_lowest = 9", "dice.row.bands", "every result has the same outcome"),
    "a price that nobody has": (
        'pool = "nerve"', 'pool = "nerve"\ninstead = { cost = ["spend nerve 5"], outcome = "through" }', "dice.row.instead", "nobody can ever pay"
    ),
    "an amount that nothing reads": ("[moves.rest]", "[moves.rest]\namount = [1, 3]", "moves.rest.amount", "use `amount` in `does`"),
    "a text that nothing reads": ("[moves.rest]", '[moves.rest]\ntext = "Where"', "moves.rest.text", "use `text` in `does`"),
    "answers that do nothing": ('{ does = ["gain nerve"], when', "{ when", "moves.rest.choose", "use `choose` in `does`"),
    "a choice of whom that no effect uses": ("[moves.rest]", '[moves.rest]\nwhom = "crew"', "moves.rest.whom", "use `whom` in `does`"),
    "disadvantage by dice, beside help": (
        "surf = { plus = -1 }", "surf = { dice = 1, keep_lowest = 1 }", "dice.row.calls.surf", "a die added by `song` makes the roll worse"
    ),
    "two that keep dice": (
        "song = { dice = 1 } }\ncalls = { calm = {}, surf = { plus = -1 } }",
        "song = { dice = 1, keep_highest = 1 } }\ncalls = { calm = {}, surf = { dice = 1, keep_lowest = 1 } }",
        "dice.row.calls.surf",
        "only the kept dice of `song` count",
    ),
    "a face worth more that no die has": (
        "[dice.look]",
        '[dice.tens]\nreading = "count"\ntarget = 4\nworth = { 7 = 2 }\nbands = [{ outcome = "no" }, { outcome = "yes", from = 1 }, { outcome = "six", face = [6, 6] }]\n[dice.look]',
        "dice.tens.worth",
        "`worth` changes nothing",
    ),
    "two rolls of one name": ("[dice.look]", '[dice.look]\nlabel = "Row"', "dice.look", "the label “Row” is already in use"),
    "two moves of one name": (
        "[moves.rest]", '[moves.nap]\nwho = "crew"\nlabel = "Rest"\ndoes = ["gain nerve"]\n[moves.rest]', "moves.rest", "the label “Rest” is already in use"
    ),
    "two outcomes of one name": ('"hold", grade', '"hold", label = "Back", grade', "dice.row.bands", "two outcomes are called “Back”"),
    "a mark of nothing": ('["mark harm"]', '["mark harm 0"]', "after.row.back.0", "with 0, `mark` does nothing"),
    "a loss that gains": ('["mark harm"]', '["mark harm", "lose nerve -1"]', "after.row.back.1", "with -1, `lose` does nothing"),
    "a value that can't be": ('["mark harm"]', '["mark harm", "set nerve to 9"]', "after.row.back.1", "nerve goes from 0 to 4"),
    "a track that begins full": (
        "start = 40 }", "start = 40 }\ndoom = { range = [0, 4], start = 4 }", "sheet.crew.each.doom", "Doom starts at its highest"
    ),
    "a track that begins empty": (
        "start = 40 }", "start = 40 }\nluck = { range = [0, 4] }", "sheet.crew.each.luck", "Luck starts at its lowest"
    ),
    "a house rule that changes nothing": (
        "[dice.look]", '[house_rules.hard]\nflag = false\nwhen.true.dice.row.pool = "nerve"\n[dice.look]', "house_rules.hard.when.true", "the game already works that way"
    ),
    "a die raised where low is good": ('rolls = ["row"]\ncost = ["spend nerve"]\nreroll = "one"', 'rolls = ["look"]\ncost = ["spend nerve"]\nraise = 1', "spend.pull", "this spend never helps"),
    "more dice alike than there are": ("from = 6 },", "from = 6, matches = 9 },", "dice.row.bands.2", "through never happens"),
    "a roll of no dice": ('die = "d100"', 'die = "d100"\npool = 0', "dice.look", "it has no dice. pool = 0 is for"),
    "an option of a list that nobody can choose": (
        "song = { dice = 1 }", 'song = { who = "crew", dice = 1, most = 0 }', "dice.row.options.song.when", "nobody can ever choose"
    ),
    "an effect of an outcome that never happens": (
        '["mark harm"]', '["mark harm"]\nthrough = [{ say = "So", when = "nerve > 1" }]', "dice.row.bands.2", "through never happens"
    ),
    "a spend for a roll that never comes": (
        'reroll = "one"', 'reroll = "one"\nwhen = "ones == 9"', "spend.pull.when", "no roll in any state of the game fits"
    ),
    "a spend for a state that never comes": (
        'reroll = "one"', 'reroll = "one"\nwhen = "nerve > 4 and ones == 0"', "spend.pull.when", "no roll in any state of the game fits"
    ),
    "a spend for the best dice alone": ('reroll = "one"', 'reroll = "one"\nwhen = "result >= 6"', "spend.pull", "this spend never helps"),
    "a roll that its own cause refuses": (
        "harm = { range = [0, 3] }", 'harm = { range = [0, 3], when_full = [{ roll = "row" }] }', "sheet.crew.each.harm.when_full.0.roll", "this roll never happens here, because [when.hurt] always refuses it at that point"
    ),
    "a roll that refuses itself": (
        '["mark harm"]', '["mark harm", "fill harm", { roll = "look" }]\n[when.down]\nwho = "crew"\nif = "harm == 3"\nrefuses = "down"\nrolls = ["look"]', "after.row.back.2.roll", "[when.down] always refuses it at that point"
    ),
    "an effect of a move that never happens": (
        '["clear harm", "gain nerve"]', '["clear harm", { do = "gain nerve", when = "harm > 3" }]', "moves.rest.does.1.when", "this effect never happens"
    ),
    "an effect of an answer that never happens": (
        '{ does = ["gain nerve"], when = "nerve < 4" }', '{ does = [{ do = "gain nerve", when = "choose == \'short\'" }] }', "moves.rest.choose.long.does.0.when", "this effect never happens"
    ),
    "an effect at a limit that never happens": (
        "harm = { range = [0, 3] }",
        'harm = { range = [0, 3], when_full = [{ do = "lose nerve", when = "harm < 3" }] }',
        "sheet.crew.each.harm.when_full.0.when",
        "this effect never happens",
    ),
    "options that exclude each other, wanted together": (
        '"mark harm"]', '"mark harm", { say = "So", when = "call == \'surf\' and call == \'calm\'" }]', "after.row.back.1.when", "this effect never happens"
    ),
    "an option that needs and excludes another": (
        "song = { dice = 1 }", 'song = { dice = 1, when = "options.tie and call == \'surf\' and call == \'calm\'" }, tie = { plus = 1 }', "dice.row.options.song.when", "nobody can ever choose"
    ),
    "a house rule that nothing reads": (
        "[dice.look]", '[house_rules.hard]\nflag = false\n[dice.look]', "house_rules.hard", "nothing depends on this house rule"
    ),
    "a way to roll twice that another one always cancels": (
        "[when.hurt]", '[when.calm]\nwho = "crew"\nif = "harm >= 2"\ntwice = "better"\n[when.hurt]\ntwice = "worse"', "when.hurt.twice", "this never makes a roll worse: whenever it applies, something else makes the roll better"
    ),
    "offers of which none can be taken": (
        '["mark harm"]', '["mark harm", { offer = "clear harm", one_of = "luck", take = 0 }]', "after.row.back.1.take", "this is never offered: `take`"
    ),
    "offers that a result never pays for": (
        '["mark harm"]', '["mark harm", { offer = "clear harm", one_of = "luck", take = "result - 2", takes = 2 }]', "after.row.back.1.take", "this is never offered: `take`"
    ),
    "a default that never holds": ("surf = {", 'surf = { default = "nerve > 4",', "dice.row.calls.surf.default", "this is never the default answer"),
    "a default behind one that always holds": (
        "{ calm = {}, surf = {", '{ calm = { default = "nerve >= 0" }, surf = { default = "nerve > 2",', "dice.row.calls.surf.default", "this is never the default answer"
    ),
    "a formula that nothing reads": (
        "[dice.look]", '[formulas]\nspare = "nerve + 1"\nlost = "spare * 2"\n[dice.look]', "formulas.lost", "nothing uses this formula"
    ),
    "a highest value below the range": (
        "harm = { range = [0, 3] }", 'harm = { range = [0, 3], most = "nerve - 4" }', "sheet.crew.each.harm.most", "Harm can never be anything but 0, because `most` is always 0 or less"
    ),
    "a highest value above the range": (
        "harm = { range = [0, 3] }", 'harm = { range = [0, 3], most = "nerve + 3" }', "sheet.crew.each.harm.most", "this changes nothing: it is always 3 or more"
    ),
    "a lowest value above the range": (
        "harm = { range = [0, 3] }", 'harm = { range = [0, 3], least = "skill - 17" }', "sheet.crew.each.harm.least", "Harm can never be anything but 3"
    ),
    "an answer that makes the same roll as another": (
        "calls = { calm = {}, surf = { plus = -1 } }",
        "calls = { calm = {}, surf = { plus = -1 }, gale = { plus = -1 } }",
        "dice.row.calls.gale",
        "this makes the same roll as `surf`",
    ),
    "an answer that keeps all its dice": (
        "{ plus = -1 }", "{ plus = -1, keep_lowest = 20 }", "dice.row.calls.surf.keep_lowest", "`keep_lowest` changes nothing"
    ),
    "an option that adds nothing and is read": (
        "song = { dice = 1 }", 'song = { plus = "nerve - nerve" }', "dice.row.options.song.plus", "`plus` changes nothing"
    ),
    "a condition that adds nothing": ("dice = -1", 'dice = "2 - harm if harm < 2 else 0"', "when.hurt.dice", "`dice` is 0 whenever this condition holds"),
    "an effect whose number is never above 0": (
        '["mark harm"]', '["mark harm result - 3"]', "after.row.back.0.do", "this number is never above 0, so `mark` does nothing"
    ),
    "an effect that those before it make impossible": (
        '"clear harm", "gain nerve"]', '"clear harm", { do = "gain nerve", when = "harm > 0" }]', "moves.rest.does.1.when", "this effect never happens"
    ),
    "a tick of 0": ('["mark harm"]', '["mark harm", "tick dusk", "tick dusk 0"]\n[clocks.dusk]', "after.row.back.2", "with 0, `tick` fills nothing"),
    "outcomes that no leader pays for": (
        'counts = "each"', 'outcomes = ["back"], own = true', "dice.row.group.outcomes", "this changes nothing without `leader`"
    ),
    "a best outcome without dice that is the worst": (
        "none = { dice = 2 }", 'none = { dice = 2, best = "back" }', "dice.row.none.best", "without dice, every roll ends in “back”, the worst outcome"
    ),
    "a gap up to an outcome that hardly any state reaches": (
        'seen", from = 0 }]', 'seen", from = 79 }]', "dice.look.bands", "no outcome covers a result of 0 to"
    ),
    "a price that adds": (
        '["spend nerve"]\nreroll', '["gain luck"]\nreroll', "spend.pull.cost", "this price raises luck, as good outcomes do"
    ),
    "a value that only rises and a condition for when it is low": (
        "start = 40 }", "start = 40 }\nair = { range = [0, 4], start = 3 }\n[when.choking]\nwho = \"crew\"\nif = \"air == 0\"\ntag = \"Choking\"", "sheet.crew.each.air", "no effect ever lowers Air, but [when.choking] depends on that"
    ),
}  # fmt: skip


def test_a_house_rule_may_be_set_otherwise() -> None:
    """What is off, or 0, in a new campaign happens in one where the group has set it."""
    game = SOUND.replace(
        "[dice.look]", "[house_rules.hard]\nflag = false\n[house_rules.toll]\nrange = [0, 2]\n[dice.look]"
    )
    game = game.replace("dice = -1", 'dice = "0 - rules.toll"')
    game = game.replace('["mark harm"]', '["mark harm", { do = "mark harm rules.toll", when = "rules.hard" }]')
    assert advice(game) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('die = "d100"', 'die = "d100"\ntwice = "worse"\noptions = { lamp = { twice = "better" } }'),
        ("dice = -1", 'twice = "worse"\nrolls = ["row"]\n[when.calm]\nif = "1 < 2"\ntwice = "better"'),
    ],
)
def test_an_advantage_that_only_takes_away_a_disadvantage_changes_the_odds(before: str, after: str) -> None:
    """Of the roll itself, or of a condition: without it, the worse of two rolls counts."""
    assert before in SOUND
    assert advice(SOUND.replace(before, after)) == []


def test_an_answer_that_repeats_a_number_of_its_roll_is_named_once() -> None:
    """There, and not where another roll has it from that roll; with that as the reason."""
    game = SOUND.replace(
        'target = "skill"', 'target = "skill"\ncalls = { near = { target = "skill" }, far = { target = 20 } }'
    )
    (flaw,) = advice(f'{game}[dice.peer]\nbase = "look"\nplus = 5\n')
    assert flaw == (
        "dice.look.calls.near.target",
        "`target` is the same as the roll's own target. Remove it, or change it",
    )
    (flaw,) = advice(f'{game}[dice.peer]\nbase = "look"\ntarget = 20\n')[1:]
    assert flaw[0] == "dice.peer.calls.far.target"


@pytest.mark.parametrize(
    ("coin", "more", "is_told"),
    [
        ("number = 0", "", True),
        ("number = 400", "", True),
        ("range = [0, 900], start = 400", "", True),
        ("number = 500", "", False),
        ("number = 0", 'through = ["gain coin"]', False),
        ("number = 0", 'through = [{ offer = "mark coin 2" }]', False),
        ("number = 0", "[sheet.crew.start.pell]\ncoin = 500", False),
    ],
)
def test_a_price_that_nobody_can_pay_and_no_effect_pays_for_is_named(coin: str, more: str, is_told: bool) -> None:
    """Once for a value, whatever costs it; not if somebody starts with enough."""
    game = SOUND.replace("start = 40 }", f"start = 40 }}\ncoin = {{ {coin} }}").replace(
        "[when.hurt]", f"{more}\n[when.hurt]"
    )
    game += '[moves.buy]\nwho = "crew"\ndoes = ["spend coin 500", "gain nerve"]\n'
    game = game.replace("song = { dice = 1 }", 'song = { dice = 1, cost = ["spend coin 300"] }')
    told = [at for at, says in advice(game) if "can pay this, and no effect ever raises Coin" in says]
    assert told == (["moves.buy.does.0"] if is_told else [])


MEADOW = """
id = "meadow"
name = "Meadow"
[sheet.crew.each]
bold = { flag = true }
bonds = { tags = [] }
risk = { flag = false, ends = ["roll"] }
luck = { range = [0, 9] }
[sheet.crew.start.kara]
[sheet.foes.each]
ticks = { range = [0, 40] }
gone = { flag = false }
[formulas]
fighting = "count(foes.each.ticks >= 0) > 0"
[dice.finish]
who = "crew"
bands = [{ outcome = "no", grade = "fiasco" }, { outcome = "yes", from = 4 }]
options = { foe = { who = "foes", most = 1, required = true } }
[after.finish]
any = [{ do = "clear bold", who = "crew", when = "not fighting" }]
yes = [{ do = "remove foes", who = "options.foe" }]
no = ["mark bold"]
[dice.farewell]
who = "crew"
pool = 0
reading = "beats"
plus = "count(bonds) // 4"
more = [{ dice = 2, die = "d10", against = true }]
bands = [{ outcome = "miss", grade = "fiasco" }, { outcome = "weak", from = 1, grade = "drawback" }, { outcome = "strong", from = 2 }]
[moves.befriend]
who = "crew"
text = "Whom"
does = ["add bonds text"]
[moves.leave]
who = "foes"
log = "{who} leaves: {choose}"
choose = { quietly = {}, loudly = {} }
does = ["remove foes", { do = "clear bold", who = "crew", when = "not fighting" }]
"""


def test_what_happens_once_a_list_is_empty_or_long_happens() -> None:
    """What an outcome does comes before what every outcome does, the last of a list can go, and a list of words can grow. An answer that
    only the log tells changes something, too.
    """
    assert advice(MEADOW) == []


def test_a_value_that_ends_before_the_effects_of_its_roll_is_named() -> None:
    """With what to do; a price in place of the roll ends nothing."""
    game = MEADOW.replace('"mark bold"]', '"mark bold", { do = "gain luck", when = "risk" }]')
    ((place, says),) = advice(game)
    assert place == "after.finish.no.1.when"
    assert says == (
        "this effect never happens: `risk` ends with the roll, before this. Without `ends`, an effect here can clear it"
    )
    paid = '[dice.finish]\ninstead = { cost = ["spend luck"], outcome = "no" }\n'
    assert advice(game.replace("[dice.finish]\n", paid)) == []


def test_nothing_is_said_of_the_game_that_the_faults_are_put_into() -> None:
    """What is said of a game with a fault is said of the fault."""
    assert advice(SOUND) == []


@pytest.mark.parametrize("fault", cases([*FAULTS], 0, 6))
def test_what_plays_otherwise_than_meant_is_named(fault: str) -> None:
    """Once, at its place, with what happens and the usual cure."""
    before, after, at, said = FAULTS[fault]
    assert before in SOUND
    text = SOUND.replace(before, after)
    if "begins" in fault:
        text = text.replace(
            '["mark harm"]', '["mark harm", "mark doom"]' if "full" in fault else '["mark harm", "lose luck"]'
        )
    if fault == "an option that adds nothing and is read":
        text += '[when.sung]\nrolls = ["row"]\nif = "options.song"\nplus = 1\n'
    if fault == "a price that adds":
        text = text.replace("start = 40 }", "start = 40 }\nluck = { range = [0, 4], start = 1 }")
        text = text.replace('["mark harm"]', '["mark harm", "lose luck"]\nthrough = ["gain luck"]')
    if fault == "a value that only rises and a condition for when it is low":
        text = text.replace('"gain nerve"]\nchoose', '"gain nerve", "gain air"]\nchoose')
    if fault == "an effect of an outcome that never happens":
        text = text.replace("from = 6 }", "from = 9 }")
    if fault == "a roll that its own cause refuses":
        text = text.replace("dice = -1", 'dice = -1\nrefuses = "hurt"')
    if fault == "a track that nothing moves":
        text = text.replace('"clear harm", ', "")
        at, said = (
            "sheet.crew.each.harm",
            "[when.hurt] depends on Harm, which changes only when somebody marks it by hand",
        )
    ((place, message),) = advice(text)
    assert place == at
    assert said in message


@pytest.mark.parametrize(
    "rare",
    cases(
        [
            # What few states fit, with a limit by another value.
            '[moves.rise]\nwhen = "rank < 4 and rep == 12 - turf and hold == \'strong\' and coin >= 8 + rank"\ndoes = ["gain rank", "clear rep 12"]',
            '[moves.rise]\ndoes = ["gain rank"]\nchoose = { up = { when = "coin == 11 and rep == 3 and turf == 5 and rank == 4" }, down = {} }',
            '[when.rich]\nif = "coin == 7 and rep == 11 and turf == 2 and rank == 1"\ntag = "Rich"',
            '[when.rich]\nrolls = ["row"]\nif = "coin == 7 and rep == 11 and turf == 2 and not options.song"\ndice = 1',
        ],
        0,
        2,
    ),
)
def test_what_few_states_fit_is_not_called_impossible(rare: str) -> None:
    """Of conditions that hardly any campaign at random fits, states are made that do."""
    sheet = """
[sheet.gang.values]
rep = { range = [0, 12] }
turf = { range = [0, 6] }
vault = { range = [0, 2] }
rank = { range = [0, 4] }
hold = { choices = ["weak", "strong"] }
coin = { range = [0, 12], most = "4 + 4 * vault" }
[moves.deal]
does = ["gain coin", "gain vault", "gain turf", "gain rep", "set hold to 'strong'", "gain rank"]
"""
    found = [flaw for flaw in advice(SOUND + sheet + rare) if "the answer to this question" not in flaw[1]]
    assert found == []
    never = {"coin == 11": "coin == 13", "coin == 7": "coin == 14", "coin >= 8": "coin >= 13"}
    for old, new in never.items():
        if old in rare:
            assert advice(SOUND + sheet + rare.replace(old, new)) != found


CARDS_AND_DICE = """
id = "trial"
name = "Trial"
[sheet.table.values]
skill_deck = { deck = { skill = [31, 38] }, show = "nowhere" }
[sheet.crew.each]
skill = { range = [0, 1], start = 1 }
size_at_first = { range = [1, 8], start = 2, moves = false }
hurt = { range = [0, 9] }
[sheet.crew.start.mara]
name = "Mara"
[when.beaten]
who = "crew"
if = "hurt > size_at_first"
tag = "Beaten"
[dice.check]
who = "crew"
pool = "options.boost"
reading = "count"
target = 100
worth = { 3 = 1, 6 = 1, 38 = 1 }
more = [{ die = "skill_deck", dice = "options.trained" }, { die = "d3", dice = 2, against = true }]
bands = [{ outcome = "fail", grade = "fiasco" }, { outcome = "done", from = 1 }]
[dice.check.options]
boost = {}
trained = {}
[after.check]
any = ["mark hurt", "clear table.skill_deck"]
"""


def test_an_option_that_matters_beside_another_one_changes_something_and_a_fixed_number_needs_no_effect() -> None:
    """Without the other option there are no dice at all. Nobody marks a number that never moves."""
    tree = tomllib.loads(CARDS_AND_DICE)
    assert check_game(tree)[1] == ()
    assert [flaw.message for flaw in advise(rulebook_of(tree))] == []


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("skill_deck", "d8", "`d8` always means a die in a roll. Choose another name"),
        ("3 = 1,", "-1 = 1,", "`worth` is for faces of 1 or more, such as worth = { 10 = 2 }"),
        (
            "boost = {}",
            "boost = {}\n[dice.other]\nbase = 'check'\nwithout = ['options.bost']",
            "check has no `options.bost`.",
        ),
    ],
)
def test_what_is_wrong_about_cards_among_dice_is_told(right: str, wrong: str, says: str) -> None:
    """What the file says is read at its place."""
    flaws = check_game(tomllib.loads(CARDS_AND_DICE.replace(right, wrong)))[1]
    assert any(flaw.message.startswith(says) for flaw in flaws)


def test_a_roll_leaves_out_one_option_of_its_base_and_needs_no_die_for_an_empty_pool_with_cards() -> None:
    """The others stay. Dice of the pool can be missing where only cards are in `more`."""
    more = "[dice.other]\nbase = 'check'\nwithout = ['options.boost']\npool = 1\nnone = { dice = 0 }\n"
    game, flaws = check_game(tomllib.loads(CARDS_AND_DICE + more))
    assert flaws == ()
    assert [*game.dice["other"].options] == ["trained"]
    assert [*game.dice["check"].options] == ["boost", "trained"]


@pytest.mark.parametrize("last", [1, 2])
def test_a_condition_that_counts_free_words_can_hold(last: int) -> None:
    """The sixth wound kills, where two lists have room for two words and one for one; with room for more, the seventh does."""
    tree = tomllib.loads(f"""
        id = "t"
        name = "T"
        [sheet.crew.each]
        lesser = {{ tags = [] }}
        moderate = {{ tags = [] }}
        severe = {{ tags = [] }}
        dead = {{ flag = false }}
        [sheet.crew.start.ada]
        name = "Ada"
        [moves.hurt]
        who = "crew"
        text = "What hurts"
        does = [
          {{ do = "mark dead", when = "count(lesser) == 2 and count(moderate) == 2 and count(severe) == {last}" }},
          {{ do = "add severe text", when = "count(lesser) == 2 and count(moderate) == 2 and count(severe) < {last}" }},
          {{ do = "add moderate text", when = "count(lesser) == 2 and count(moderate) < 2" }},
          {{ do = "add lesser text", when = "count(lesser) < 2" }},
        ]
    """)
    assert [*advise(rulebook_of(tree))] == []


BLADES = """
id = "resist"
name = "Resist"
[sheet.crew.each]
skill = { range = [0, 4], start = 2, show = "dice" }
stress = { range = [0, 9], when_full = ["clear stress", "mark scars"] }
scars = { range = [0, 4] }
[sheet.crew.start]
a = { name = "Ann" }
b = { name = "Bo" }
[dice.resist]
who = "crew"
pool = "skill"
none = { dice = 2, reading = "lowest", best = "resisted" }
bands = [
  { outcome = "resisted", grade = "success" },
  { outcome = "shrugged", grade = "critical", from = 6, matches = 2 },
]
options = { push = { dice = 1, cost = ["mark stress 2"] } }
[after.resist]
resisted = ["mark stress 6 - result"]
shrugged = ["clear stress"]
"""


@pytest.mark.parametrize(
    "text",
    [
        BLADES,
        BLADES.replace(', when_full = ["clear stress", "mark scars"]', "").replace("scars = {", "# "),
        BLADES.replace('shrugged = ["clear stress"]', 'shrugged = ["clear scars"]'),
    ],
)
def test_stress_that_a_good_outcome_costs_is_a_price_too(text: str) -> None:
    """It has consequences once it is full, or better outcomes take it away; and without dice, what the two dice show is what counts."""
    assert advice(text) == []


@pytest.mark.parametrize(
    ("formula", "is_named"),
    [
        ("count(options.foe == 0)", True),
        ("1 + count(nerve > 2, options.foe < 1)", True),
        ("count(not options.foe)", False),
        ("count(options.foe == 1)", False),
        ("1 if options.foe == 0 else 0", False),
    ],
)
def test_what_counts_chosen_things_of_which_none_is_chosen_is_told_with_its_cure(
    formula: str, *, is_named: bool
) -> None:
    """Each that is chosen counts as 1, so that none is ever compared with 0."""
    text = SOUND.replace("options = { song", 'options = { foe = { who = "crew", most = 1 }, song').replace(
        'pool = "nerve"', f'pool = "{formula} + nerve"'
    )
    said = [message for path, message in advice(text) if path == "dice.row.pool"]
    assert [message.endswith("write count(not options.foe)") for message in said] == [True] * is_named


ARMED = """
[sheet.crew.each]
x = { number = 0 }
[sheet.crew.each.arms]
each = { count = { range = [1, 5], start = 2 }, kind = { choices = ["d5", "d10"] } }
[sheet.crew.start.ilse]
name = "Ilse"
arms = { rifle = { name = "Rifle", count = 3 } }
[sheet.foes.each]
armour = { range = [0, 20], start = 5 }
[sheet.foes.start.thing]
name = "The thing"
[dice.damage]
who = "crew"
reading = "sum"
pool = 0
bands = [
  { outcome = "bounce", grade = "drawback" },
  { outcome = "through", from = "max(1, options.foe.armour)" },
]
[dice.damage.options.weapon]
who = "crew.arms"
most = 1
required = true
dice = "count"
die = "kind"
dice_label = "Weapon"
[dice.damage.options.foe]
who = "foes"
most = 1
required = true
[after.damage]
through = [{ do = "lose armour", who = "options.foe" }]
"""


def test_a_roll_may_have_all_its_dice_from_an_option() -> None:
    """That option changes something, and outcomes that read another one may come up with its dice."""
    plus = ARMED.replace('dice_label = "Weapon"', 'dice_label = "Weapon"\nplus = "count"')
    assert [advice(f'id = "trial"\nname = "Trial"\n{text}') for text in (ARMED, plus)] == [[], []]


@pytest.mark.parametrize(
    ("right", "reads"),
    [
        ("harm = { range = [0, 3] }", 'harm = { range = [0, 3], most = "3 if rules.hard else 2" }'),
        ("[dice.row]", '[formulas]\nworst = "harm + rules.hard"\n[panels.crew]\nrows = ["worst"]\n[dice.row]'),
    ],
)
def test_a_house_rule_may_decide_over_limits_and_formulas(right: str, reads: str) -> None:
    """Then something depends on it."""
    assert advice(SOUND.replace(right, reads, 1) + "[house_rules.hard]\nflag = false\n") == []


@pytest.mark.parametrize(("least", "wraps", "told"), [(3, "true", ["when.hurt"]), (3, "false", []), (2, "true", [])])
def test_a_value_that_begins_again_is_never_at_its_limit(least: int, wraps: str, told: list[str]) -> None:
    """So nothing can depend on that, but the effects of the limit."""
    limit = f'when_full = [{{ do = "lose nerve", when = "harm == 3" }}], wraps = {wraps} }}'
    text = SOUND.replace("harm = { range = [0, 3] }", f"harm = {{ range = [0, 3], {limit}")
    assert [path for path, _ in advice(text.replace("harm >= 2", f"harm >= {least}"))] == told


def test_people_and_foes_may_have_a_move_of_one_name() -> None:
    """Each label is told with the name of who acts."""
    foes = """
[sheet.foes.each]
harm = { range = [0, 3] }
[sheet.foes.start.wolf]
name = "Wolf"
[moves.lick]
who = "foes"
label = "Rest"
does = ["clear harm 1"]
[moves.maul]
who = "foes"
does = ["mark harm"]
"""
    assert advice(f"{SOUND}{foes}") == []


def test_what_a_foe_suffers_in_a_good_outcome_may_be_a_price() -> None:
    """Harm to somebody chosen isn't a gain of who rolls."""
    text = SOUND.replace('["mark harm"]', '["mark harm luck"]\nthrough = [{ do = "mark luck", who = "others" }]')
    text = text.replace("start = 40 }", "start = 40 }\nluck = { range = [0, 4], start = 1 }")
    text = text.replace('["spend nerve"]\nreroll', '["mark luck"]\nreroll').replace("clear harm", "clear luck")
    assert not [message for _, message in advice(text) if "this price adds" in message]


@pytest.mark.parametrize(
    ("asks", "answer"),
    [('text = "The plan"', "text"), ("choose = { loud = {}, quiet = {} }", "choose"), ('whom = "crew"', "whom")],
)
def test_an_answer_that_the_log_shows_is_no_idle_question(asks: str, answer: str) -> None:
    """It says what somebody has decided, even where it changes no value."""
    plan = f'{SOUND}[moves.plan]\nwho = "crew"\n{asks}\ndoes = ["gain nerve"]\n'
    assert advice(f'{plan}log = "{{who}}: {{{answer}}}"\n') == []
    ((at, _),) = advice(f'{plan}log = "{{who}} has a plan"\n')
    assert at == f"moves.plan.{answer}"
