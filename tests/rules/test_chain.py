"""Acts in a row, walked through every way that their dice can fall."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from tests.kit.table import Falling, ticking
from tests.kit.thorough import cases
from tests.rules.file_game.game_on_trial import SWORN
from waylog.rules.chains_of_acts import Link, chain_odds, read_chain
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import Dice, Die, Face
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import PlayResult, State
from waylog.table import Table
from waylog.words.sentences import SPOKEN_VALUES, chain_values

EXAMPLES = Path(__file__).parents[2] / "campaigns" / "examples"


class MoreDice(Exception):
    """An act wants more faces."""


class Given:
    """Faces one after the other."""

    are_real = False

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)

    def roll(self, dice: Sequence[Die]) -> tuple[Face, ...]:
        if len(self.faces) < len(dice):
            raise MoreDice([die.sides for die in dice])
        return tuple(Face(die.source, self.faces.pop(0), die.sides) for die in dice)


def plays_of(game: Game, state: State, words: str) -> Iterator[tuple[PlayResult, Fraction]]:
    """An act as it is played with each single die as it can fall, and how likely that is."""
    moves = game.moves(state)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            yield game.play(state, parse_act(moves, words), Given(faces)), chance
        except MoreDice as more:
            (sides,) = more.args
            falls = [*product(*(range(1, count + 1) for count in sides))]
            waiting += [((*faces, *fall), chance / len(falls)) for fall in falls]


def every_way(game: Game, state: State, words: str) -> Iterator[tuple[State, str, Fraction]]:
    """Where an act leads with each single die as it can fall, and the label of its outcome; a roll that asks is kept."""
    for played, chance in plays_of(game, state, words):
        label = "".join(fact.label for fact in played.facts if isinstance(fact, OutcomeFact))
        if any(move.id == "keep" for move in game.moves(played.state)):
            for after, kept, share in every_way(game, played.state, "keep"):
                yield after, label or kept, chance * share
        else:
            yield played.state, label, chance


def in_a_row(game: Game, state: State, acts: Sequence[str]) -> Iterator[tuple[State, str, Fraction]]:
    """Where acts lead one after the other, with the label of the last outcome among theirs."""
    if not acts:
        yield state, "", Fraction(1)
        return
    for between, label, chance in every_way(game, state, acts[0]):
        for after, later, share in in_a_row(game, between, acts[1:]):
            yield after, later or label, chance * share


def at(example: str) -> Table:
    """An example that nobody plays."""
    return Table(EXAMPLES / example, now=ticking(), chance=Falling(), read_only=True)


CHAINS = (
    ("tenacity", "roll nav", "fiasco", "damage ship"),
    ("lot-nine", "roll ruske cut", "it goes wrong", "tick way"),
    ("sunday-ferry", "roll ansel telemetry", "failure", "damage ship"),
    ("first-light", "roll nav", "fiasco", "damage ship"),
    ("half-measure", "roll wenna", "fiasco", "tick falling"),
    ("return-to-sender", "roll steer bel", "a miss", "tick rival"),
    ("station-ten", "roll craft irsa", "a disaster", "tick song"),
    ("slack-water", "roll pim 7; throw daring sneaky; elect daring", "dramatic setback", "tick nineteen"),
    # Its pools fall in too many ways to be played one by one.
    ("soft-answer", "see 6 2", "block or dodge", "tick trust"),
)


@pytest.mark.parametrize(("example", "first", "outcome", "then"), cases(CHAINS, 1, 4))
def test_a_chain_comes_to_what_single_dice_come_to(example: str, first: str, outcome: str, then: str) -> None:
    """The chances of the outcomes, and of each value at the end, are those of playing it with every face of every die."""
    table = at(example)
    game, state = table.game, table._state
    outcomes, values = defaultdict[str, Fraction](Fraction), defaultdict[tuple[object, str], Fraction](Fraction)
    for after, label, chance in in_a_row(game, state, first.split("; ")):
        outcomes[label] += chance
        follows = every_way(game, after, then) if label.casefold().startswith(outcome) else [(after, "", Fraction(1))]
        for end, _, share in follows:
            for change in game.difference(state, end):
                values[change.path, repr(change.after)] += chance * share
    found = chain_odds(game, state, read_chain(f"{first}; {then} if {outcome}"))
    assert {one.label: one.chance for one in found.rolls[0][1]} == outcomes
    assert {(path, repr(change.after)): chance for path, of in found.values for change, chance in of} == values


def test_what_the_dice_have_made_impossible_is_said_with_its_chance() -> None:
    """The acts go on without it; what is impossible whatever the dice show is refused."""
    table = at("tenacity")
    found = table.chain_odds("damage ship; roll hul")
    assert sum((one.chance for one in found.rolls[-1][1]), found.impossible[0][2]) == 1
    for words in ("roll nowhere; roll nav", "roll nav; roll nowhere"):
        with pytest.raises(ActRefused):
            table.chain_odds(words)


def test_a_question_is_answered_by_the_chain_or_kept() -> None:
    """An answer in the chain is played where it is asked for."""
    table = at("tenacity")
    kept, answered = table.chain_odds("roll nav; note on"), table.chain_odds("roll nav; keep")
    together = defaultdict[str, Fraction](Fraction)
    for label, chance in ((one.label, one.chance) for _, outcomes in answered.rolls for one in outcomes):
        together[label] += Fraction(chance.numerator, chance.denominator)
    assert {one.label: one.chance for one in kept.rolls[0][1]} == together
    (_, asked), (_, why, unasked) = answered.rolls[1], answered.impossible[0]
    assert "nothing asks for it" in why
    assert sum((one.chance for one in asked), unasked) == Ratio(1)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("roll nav", [Link("roll nav")]),
        ("roll nav; damage ship if Fiasco ;", [Link("roll nav"), Link("damage ship", "fiasco")]),
        ("roll nav; tick storm unless success", [Link("roll nav"), Link("tick storm", "success", wanted=False)]),
        ("note as if; note what if it ends", [Link("note as if"), Link("note what", "it ends")]),
        ("roll nav; damage ship if “”", [Link("roll nav"), Link("damage ship if “”")]),
        ('roll nav; note "see if success"', [Link("roll nav"), Link('note "see if success"')]),
        ('roll nav; note "see" if "Success"', [Link("roll nav"), Link('note "see"', "success")]),
        ("roll nav; note “see if success”", [Link("roll nav"), Link("note “see if success”")]),
        ('roll nav; note "fog; rain" if hit', [Link("roll nav"), Link('note "fog; rain"', "hit")]),
        ('roll nav; note "a \\" b; c if d"', [Link("roll nav"), Link('note "a \\" b; c if d"')]),
        ("note 5”;roll nav;note 6 if hit", [Link("note 5”"), Link("roll nav"), Link("note 6", "hit")]),
    ],
)
def test_conditions_stand_at_the_end_of_an_act(text: str, links: list[Link]) -> None:
    """The first act has none."""
    assert list(read_chain(text)) == links


@pytest.mark.parametrize("chain", ["roll 9d20; roll 9d20", "roll 2d100", "roll nav; roll 2d100"])
def test_too_many_ways_are_refused_before_they_are_walked(chain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a roll adds is counted first, and of a chain that is refused little has been played."""
    play, plays = Game.play, list[str]()

    def counted(game: Game, state: State, act: Act, dice: Dice, when: str = "") -> PlayResult:
        plays.append(act.move.id)
        return play(game, state, act, dice, when)

    monkeypatch.setattr(Game, "play", counted)
    with pytest.raises(ActRefused, match="too many combinations of dice"):
        at("tenacity").chain_odds(chain)
    assert len(plays) < 1000


def test_what_each_branch_adds_is_counted_before_the_first_of_them_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred branches with a hundred faces each are refused at the first, and the action to leave out is named."""
    play, plays = Game.play, list[str]()

    def counted(game: Game, state: State, act: Act, dice: Dice, when: str = "") -> PlayResult:
        plays.append(act.move.id)
        return play(game, state, act, dice, when)

    game = Game(rulebook_of(tomllib.loads(LOOKED_UP)))
    monkeypatch.setattr(Game, "play", counted)
    with pytest.raises(ActRefused, match="too many combinations of dice with “roll second vesna”"):
        chain_odds(game, game.fresh("Trial"), read_chain("roll first vesna; roll second vesna"))
    assert len(plays) < 110


LOOKED_UP = """
id = "trial"
name = "Trial"
[sheet.crew.each]
seen = { range = [0, 100] }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.first]
who = "crew"
pool = 1
die = "d100"
reading = "sum"
bands = [{ outcome = "seen", label = "Seen" }]
[dice.second]
who = "crew"
pool = 1
die = "d100"
reading = "sum"
bands = [{ outcome = "seen", label = "Seen" }]
[after.first]
seen = ["set seen to result"]
[after.second]
seen = ["set seen to result"]
"""
BRINGS = """
id = "trial"
name = "Trial"
[sheet.crew.each]
grit = { range = [0, 9], start = 3 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
pool = 1
reading = "sum"
bands = [{ outcome = "bad", label = "Bad", grade = "fiasco" }, { outcome = "good", label = "Good", from = 4 }]
[spend.again]
label = "Again"
rolls = ["act"]
reroll = "all"
cost = ["lose grit"]
limit = 1
[dice.panic]
who = "crew"
pool = 1
die = "d4"
reading = "sum"
bands = [{ outcome = "calm", label = "Calm" }, { outcome = "shaken", label = "Shaken", grade = "fiasco", from = 4 }]
[after.act]
bad = [{ roll = "panic" }]
good = [{ roll = "panic" }]
"""


@pytest.mark.parametrize("spend", [True, False])
def test_a_roll_that_an_act_brings_has_no_part_in_its_outcome(spend: bool) -> None:
    """Whether the act asks something first or not: what comes only `if good` comes as often as the act itself goes well."""
    tree = tomllib.loads(BRINGS)
    if not spend:
        del tree["spend"]
    game = Game(rulebook_of(tree))
    found = chain_odds(game, game.fresh("Trial"), read_chain("roll act vesna; mark vesna grit 2 if good"))
    ((words, chances),) = found.rolls
    assert (words, {one.label: one.chance for one in chances}) == (
        "roll act vesna",
        {"Bad": Ratio(1, 2), "Good": Ratio(1, 2)},
    )
    ((place, values),) = found.values
    assert (place[-1], [(change.after, chance) for change, chance in values]) == ("grit", [(5, Ratio(1, 2))])


@pytest.mark.parametrize(
    ("chain", "refusal"),
    [
        ("roll act vesna; mark vesna grit if rubbish", "can't be “rubbish”: choose Bad or Good"),
        ("roll act vesna; mark vesna grit unless shaken", "can't be “shaken”: choose Bad or Good"),
        ("mark vesna grit; mark vesna grit if good", "put a roll before it"),
    ],
)
def test_an_outcome_that_the_roll_before_cannot_have_is_refused(chain: str, refusal: str) -> None:
    """With those that it can have."""
    game = Game(rulebook_of(tomllib.loads(BRINGS)))
    with pytest.raises(ActRefused, match=refusal):
        chain_odds(game, game.fresh("Trial"), read_chain(chain))


@pytest.mark.parametrize("outcome", ["calm", "'All quiet'", "“all quiet”", "all"])
def test_an_outcome_is_named_by_its_word_or_by_its_label(outcome: str) -> None:
    """In quotation marks or not."""
    game = Game(rulebook_of(tomllib.loads(BRINGS.replace('"Calm"', '"All quiet"'))))
    found = chain_odds(game, game.fresh("Trial"), read_chain(f"roll panic vesna; mark vesna grit 2 if {outcome}"))
    ((_, values),) = found.values
    assert [(change.after, chance) for change, chance in values] == [(5, Ratio(3, 4))]


@pytest.mark.parametrize(
    ("word", "outcomes"),
    cases(
        [
            ("miss", {"miss"}),
            ("strong hit", {"strong"}),
            ("twist", {"twist"}),
            ("fiasco", {"miss", "twist"}),
            ("str", {"strong", "chance"}),
            ("mis", {"miss", "twist"}),
        ],
        0,
        3,
    ),
)
def test_a_word_names_an_outcome_before_all_of_a_grade_and_all_that_begin_so(word: str, outcomes: set[str]) -> None:
    """A miss is not a miss with a match, unless only the beginning or the grade is named."""
    game = Game(rulebook_of(tomllib.loads(f'id = "trial"\nname = "Trial"\n{SWORN}')))
    found = chain_odds(game, game.fresh("Trial"), read_chain(f"roll strike vesna; mark vesna iron if {word}"))
    ((_, rolled),) = found.rolls
    ((_, ((_, marked),)),) = found.values
    assert marked == sum((one.chance for one in rolled if one.outcome in outcomes), Ratio())


def test_a_grade_that_cannot_come_now_may_be_named() -> None:
    """What depends on it is just never done."""
    game = Game(rulebook_of(tomllib.loads(BRINGS)))
    chain = "roll panic vesna; mark vesna grit 2 if critical"
    assert chain_odds(game, game.fresh("Trial"), read_chain(chain)).values == ()


BREATHING = """
id = "trial"
name = "Trial"
[sheet.crew.each]
air = { range = [0, 9], start = 5, label = "Air" }
rolls = { number = 0, show = "nowhere" }
broken = { flag = false, label = "Broken" }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.supply]
who = "crew"
pool = 2
bands = [{ outcome = "less", grade = "drawback" }, { outcome = "lasts", from = 6 }]
[after.supply]
less = ["lose air", { do = "mark broken", when = "ones" }]
lasts = ["gain air"]
any = ["gain rolls"]
[when.broken]
who = "crew"
if = "broken"
tag = "TAG"
tone = "bad"
"""


@pytest.mark.parametrize("tag", ["Broken", "Hurt"])
def test_the_end_tells_values_in_their_order_what_stays_and_nothing_twice(tag: str) -> None:
    """A value that is shown nowhere is left out, and so is a mark with the name of a value that says the same."""
    game = Game(rulebook_of(tomllib.loads(BREATHING.replace("TAG", tag))))
    found = chain_odds(game, game.fresh("Trial"), read_chain("roll supply vesna; roll supply vesna"))
    names = {row.key: row.label for panel in game.panels(game.fresh("Trial")) for row in panel.rows}
    values = {place: then for place, _, then in chain_values(found, names, SPOKEN_VALUES)}
    lasts = Ratio(11, 36)
    assert values["Air"] == [("3", (1 - lasts) ** 2), ("5", 2 * lasts * (1 - lasts)), ("7", lasts**2)]
    assert sum((chance for _, chance in values["Broken"]), Ratio()) == 1
    assert [(whose, mark) for whose, mark, _ in found.marks] == ([("Vesna", "Hurt")] if tag == "Hurt" else [])
    assert len(values) == 2 + (tag == "Hurt")


def test_outcomes_of_one_grade_come_in_the_order_of_the_file() -> None:
    """As those of a single roll do, although the labels would have another order."""
    bands = "".join(
        f'{{ outcome = "cost-{cost}", label = "{cost or "No"} stress", from = {6 - cost} }}, '
        for cost in (5, 4, 3, 1, 0)
    )
    text = f'{BREATHING}[dice.resist]\nwho = "crew"\nreading = "highest"\nbands = [{bands}]\n'
    game = Game(rulebook_of(tomllib.loads(text)))
    found = chain_odds(game, game.fresh("Trial"), read_chain("roll resist vesna; roll resist vesna if no"))
    labels = ["5 stress", "4 stress", "3 stress", "1 stress", "No stress"]
    assert [[one.label for one in chances] for _, chances in found.rolls] == [labels, labels]
    with pytest.raises(ActRefused, match="choose 5 stress, 4 stress, 3 stress, 1 stress or No stress"):
        chain_odds(game, game.fresh("Trial"), read_chain("roll resist vesna; mark vesna air if rubbish"))
