"""`docs/write-a-game.md` is true: each step is a game that works, commands say what is shown, and the gallery's rolls are exact."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import icepool
import pytest

from tests.kit import ROOT
from tests.kit.cli import CommandLine
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.odds import Ratio
from waylog.store.games.game_files import GAME_FILE, GameUnusable, read_game
from waylog.values import replace

PAGE = (ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8")
GAME = "lifeboat"
WRONG = ("mark boat.water 2", "mark boat.watr 2")
"""The mistake that the page makes on purpose."""


class Block(NamedTuple):
    """A block of the page: its language, what else its first line says, and its text."""

    language: str
    info: str
    text: str


BLOCKS = tuple(
    Block(*found) for found in re.findall(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
GALLERY = [block.text for block in BLOCKS if block.info == "gallery"]
STEPS = [block.text for block in BLOCKS if block.language == "toml" and not block.info]


def steps() -> Iterator[str]:
    """Yield the game after each step."""
    text = ""
    for step in STEPS:
        text = f"{text}\n{step}".lstrip()
        yield text


@pytest.mark.parametrize("text", [*steps()], ids=range(1, len(STEPS) + 1))
def test_each_step_is_a_game_that_works(text: str) -> None:
    """It has no mistakes, and a new campaign can be played."""
    game = Game(read_game(text.encode(), GAME_FILE))
    state = game.fresh("Trial")
    assert game.read(game.write(state)) == (state, [])
    assert any(not move.blocked for move in game.moves(state) if move.verb == "mark")


def test_its_commands_say_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order in which they stand, with the file as it is by then. “…” stands for lines that are left out."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data/waylog/games" / GAME
    folder.mkdir(parents=True)
    waylog, text, count = CommandLine(tmp_path / "campaigns"), "", 0
    for block in BLOCKS:
        if block.language == "toml" and block.info not in ("gallery", "edition"):
            path = folder / (block.info or GAME_FILE)
            path.parent.mkdir(exist_ok=True)
            text = text if block.info else f"{text}\n{block.text}".lstrip()
            path.write_text(block.text if block.info else text)
        elif block.language == "console":
            if block.info == "broken":
                assert WRONG[0] in text
                (folder / GAME_FILE).write_text(text.replace(*WRONG))
            for shown in block.text.split("$ ")[1:]:
                _says(waylog, tmp_path, shown)
                count += 1
    assert count > 12


def _says(waylog: CommandLine, root: Path, shown: str) -> None:
    line, _, said = shown.partition("\n")
    program, *arguments = shlex.split(line)
    assert program == "waylog"
    ran = waylog(*arguments)
    out = (ran.out + ran.err).replace(str(root / "campaigns"), "/home/you/.local/share/waylog/campaigns")
    out = out.replace(str(root / "data"), "/home/you/.local/share")
    pattern = "(?:.*\n)*".join(map(re.escape, said.split("…\n")))
    assert re.fullmatch(pattern, out), (line, out)


def test_a_table_and_a_house_rule_do_what_the_page_says() -> None:
    """With mercy nobody gets cold."""
    *_, text = steps()
    game = Game(read_game(text.encode(), GAME_FILE))
    fresh = game.fresh("Trial")
    for mercy in (False, True):
        state = replace(fresh, rules=replace(fresh.rules, mercy=mercy))
        after = game.play(state, parse_act(game.moves(state), "roll row tove 1 1"), _no_dice()).state
        after = game.play(after, parse_act(game.moves(after), "keep"), _no_dice()).state
        assert after.sheet.crew["tove"].cold is not mercy
        assert after.sheet.boat.water == (1 if mercy else 2)


LOOT = """
[sheet.loot.each]
worth = { range = [0, 6], start = 1 }
gone = { flag = false }

[moves.dive]
does = ["add loot 'A silver ring'", { offer = "mark boat.water" }]

[moves.find]
text = "What is found"
does = ["add loot text"]

[moves.sell]
who = "loot"
does = ["remove loot"]
"""


def test_an_edition_changes_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edition of a game changes what it names, and lacks what it takes out."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (text,) = [block.text for block in BLOCKS if block.info == "edition"]
    path = tmp_path / "data/waylog/games/hard-yard" / GAME_FILE
    path.parent.mkdir(parents=True)
    path.write_text(text)
    waylog = CommandLine(tmp_path / "campaigns")
    out = waylog.done("game", "check", "hard-yard").out
    assert "  push, luck\n" in out
    assert "Hard Yard (hard-yard): no mistakes" in out
    waylog.done("new", "yard", "--system", "hard-yard")
    waylog.done("do", "yard", "table", "inside")
    waylog.done("do", "yard", "mark", "oda", "luck")


def test_prices_and_things_found_in_play_are_as_the_table_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cost that goes past the end can't be paid, loot is added by its name, and missing dice are asked for."""
    *_, text = steps()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data/waylog/games" / GAME / GAME_FILE
    path.parent.mkdir(parents=True)
    text = text.replace(
        'label = "They sing"\ndice = 1\ncost = ["spend nerve"]', 'dice = 1\ncost = ["mark boat.water 2"]'
    )
    path.write_text(f"{text}\n{LOOT}")
    waylog = CommandLine(tmp_path / "campaigns")
    assert waylog("new", "storm", "--system", GAME).code == 0
    assert "Added to Loot: “A silver ring”" in waylog.done(*shlex.split("do storm dive")).out
    assert "A wet umbrella" in waylog.done(*shlex.split("do storm find A wet umbrella")).out
    assert "A silver ring" in waylog.done("show", "storm").out
    waylog.done(*shlex.split("do storm sell a-silver-ring"))
    shown = waylog.done("show", "storm").out
    assert ("A silver ring" in shown, "A wet umbrella" in shown) == (False, True)
    assert waylog(*shlex.split("do storm mark water 5")).code == 0
    refused = waylog(*shlex.split("do storm roll row tove song --dice 6,6,6"))
    assert (refused.code, "it can't go up by 2" in refused.err) == (3, True), refused
    assert "what does the die show?" in waylog(*shlex.split("do storm roll row tove --dice 6")).out
    assert "Through" in waylog(*shlex.split("do storm 6")).out


def _no_dice() -> Any:
    from waylog.rules.model.dice import TypedDice

    return TypedDice([])


# -- the gallery -------------------------------------------------------------------------------------------------------


def gallery_game() -> Game:
    """The game of the whole gallery."""
    return Game(read_game("\n".join(GALLERY).encode(), GAME_FILE))


Chances = dict[str, Ratio]


def told(words: str, *, spent: bool = False, **values: Any) -> Chances:
    """Return the odds of a roll of the gallery, as rolled or with what may be spent."""
    game = gallery_game()
    fresh = game.fresh("Trial")
    state = replace(fresh, sheet=replace(fresh.sheet, hero=replace(fresh.sheet.hero, **values)))
    act = parse_act(game.moves(state), words)
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    spread = odds.spends[0] if spent else odds.spread
    return {chance.outcome: chance.chance for chance in spread.chances if chance.chance}


def by_pool(pool: Any, read: Callable[[Sequence[int]], str]) -> Chances:
    """Return the chances of another library's pool."""
    found = Counter[str]()
    for faces, ways in pool.expand().items():
        found[read(faces)] += ways
    return {outcome: Ratio(ways, found.total()) for outcome, ways in found.items()}


def by_sum(die: Any, *steps: tuple[int, str]) -> Chances:
    """Return the chances of another library's die, each number with the last step that it reaches."""
    found = Counter[str]()
    for number, ways in die.items():
        found[[outcome for least, outcome in steps if number >= least][-1]] += ways
    return {outcome: Ratio(ways, die.denominator()) for outcome, ways in found.items() if ways}


LOW = -1000


def _pool(faces: Sequence[int]) -> str:
    if faces.count(6) > 1:
        return "best"
    return "good" if max(faces) == 6 else "partly" if max(faces) > 3 else "bad"


def _check(skill: int) -> Callable[[int], str]:
    return lambda face: "best" if face == 20 else "miss" if face == 1 or face + skill < 15 else "hit"


def _under(skill: int) -> Callable[[int], str]:
    def read(face: int) -> str:
        doubles = face == 100 or face % 11 == 0
        return ("best" if doubles else "done") if face <= skill else "fumble" if doubles else "fail"

    return read


def _wild(times: int) -> Any:
    """One d10 that brings another on a ten, so often in a row; as a number of successes."""
    more = _wild(times - 1) if times else icepool.Die([0])
    return icepool.d10.map(lambda face: 1 + more if face == 10 else int(face >= 8))


def _sets(faces: Sequence[int]) -> str:
    return ("nothing", "pair", "triple", "poker", "poker")[max(Counter(faces).values()) - 1]


def _omen(one: int, other: int) -> str:
    return "sign" if one == other else "fair" if one > 3 else "ill"


@pytest.mark.parametrize("skill", range(1, 7))
def test_gallery_pools(skill: int) -> None:
    """Highest of a pool, successes with exploding tens, and a die that grows with a rank."""
    assert told("roll pool", skill=skill) == by_pool(icepool.d6.pool(skill), _pool)
    wild = skill @ _wild(5)
    assert told("roll wild", skill=skill) == by_sum(wild, (LOW, "none"), (1, "some"), (5, "many"))
    rank = ("d6", "d8", "d10", "d12")[skill % 4]
    step = icepool.d(int(rank[1:]))
    assert told("roll step", rank=rank) == by_sum(step, (LOW, "fail"), (4, "done"), (8, "best"))


def test_gallery_without_dice() -> None:
    """Two are rolled, the lower one counts, and two sixes are one."""
    assert told("roll pool", skill=0) == by_sum(
        icepool.lowest(icepool.d6, icepool.d6), (LOW, "bad"), (4, "partly"), (6, "good")
    )


@pytest.mark.parametrize("skill", [0, 1, 3, 5])
def test_gallery_sums(skill: int) -> None:
    """Three bands, Fate dice, and two sums against each other."""
    two = 2 @ icepool.d6 + skill
    assert told("roll two", skill=skill) == by_sum(two, (LOW, "miss"), (7, "mixed"), (10, "hit"))
    fate = 4 @ icepool.Die([-1, 0, 1]) + skill
    for hard in (0, 2, 4):
        expected = by_sum(fate - hard, (LOW, "fail"), (0, "tie"), (1, "done"), (3, "style"))
        assert told(f"roll fate -{hard}" if hard else "roll fate", skill=skill) == expected
    duel = 2 @ icepool.d6 + skill - 2 @ icepool.d8
    assert told("roll duel", skill=skill) == by_sum(duel, (LOW, "lost"), (0, "even"), (1, "won"))


@pytest.mark.parametrize("skill", [0, 3, 12])
def test_gallery_score_against_each_of_two(skill: int) -> None:
    """How many are beaten, and whether they match; the score is at most 10."""

    def read(die: int, one: int, other: int) -> str:
        beaten = (min(10, die + skill) > one) + (min(10, die + skill) > other)
        return ("twist", "", "chance")[beaten] if one == other else ("miss", "weak", "strong")[beaten]

    assert told("roll sworn", skill=skill) == _chances(icepool.map(read, icepool.d6, icepool.d10, icepool.d10))


@pytest.mark.parametrize("skill", [0, 3, 12, 50, 95])
def test_gallery_single_dice(skill: int) -> None:
    """A d20 with and without advantage, and a d100 under a skill."""
    read = _check(skill)
    assert told("roll check", skill=skill) == _chances(icepool.d20.map(read))
    advantage = icepool.highest(icepool.d20, icepool.d20)
    assert told("roll check advantage", skill=skill) == _chances(advantage.map(read))
    disadvantage = icepool.lowest(icepool.d20, icepool.d20)
    assert told("roll check disadvantage", skill=skill) == _chances(disadvantage.map(read))
    assert told("roll under", skill=skill) == _chances(icepool.d100.map(_under(skill)))


@pytest.mark.parametrize("number", [5, 15, 30])
def test_gallery_dice_that_are_kept(number: int) -> None:
    """Five dice of which three count, and each ten runs on, at most twice."""
    kept = icepool.d10.explode(depth=2).highest(5, 3)
    assert told(f"roll kept {number}", skill=3) == by_sum(kept, (LOW, "fails"), (number, "works"))


@pytest.mark.parametrize(("skill", "theirs"), [(40, 70), (95, 5)])
def test_gallery_contest(skill: int, theirs: int) -> None:
    """Each side under its own number; of two who succeed, the higher die, and doubles before others."""

    def read(mine: int, foe: int) -> str:
        mine_double, foe_double = (face == 100 or face % 11 == 0 for face in (mine, foe))
        if mine <= skill and mine_double and not (foe <= theirs and foe_double):
            return "best"
        if mine <= skill and (foe > theirs or mine > foe):
            return "won"
        return "neither" if mine > skill and foe > theirs else "lost"

    d100 = icepool.d(100)
    assert told(f"roll contest {theirs}", skill=skill) == _chances(icepool.map(read, d100, d100))


def test_gallery_wild_die_and_reroll() -> None:
    """A failure is rolled again, and a success, too: two ones stand then, and else the better."""

    def read(trait: int, wild: int) -> str:
        most = max(trait, wild)
        return "wreck" if trait == wild == 1 else "best" if most >= 8 else "done" if most >= 4 else "fail"

    one, wild = (die.explode(depth=5) for die in (icepool.d8, icepool.d6))
    once = icepool.map(read, one, wild)
    assert told("roll trait", rank="d8") == _chances(once)

    def after(outcome: str) -> Any:
        kept = once.map(lambda new: new if new in ("best", "wreck") else outcome)
        return once if outcome == "fail" else kept if outcome == "done" else outcome

    again = icepool.map(after, once)
    assert told("roll trait", rank="d8", spent=True) == _chances(again)


@pytest.mark.parametrize("drawn", [(), ("cups-14", "coins-14", "cups-1")])
def test_gallery_cards(drawn: tuple[str, ...]) -> None:
    """One card or the better of two, of those that are left."""
    left = [number for suit in ("cups", "coins") for number in range(1, 15) if f"{suit}-{number}" not in drawn]
    steps = ((LOW, "ill"), (8, "fair"), (14, "sign"))
    one = icepool.Die(left) + 1
    assert told("roll omens", skill=10, deck=drawn) == by_sum(one, *steps)
    two = icepool.Die([max(hand) for hand in combinations(left, 2)]) + 1
    assert told("roll omens two", skill=10, deck=drawn) == by_sum(two, *steps)


def _chances(die: Any) -> Chances:
    return {str(outcome): Ratio(ways, die.denominator()) for outcome, ways in die.items() if ways}


def test_gallery_sets_and_the_rest() -> None:
    """Matching dice, a d66, and four dice without the lowest whose ones are rolled again."""
    assert told("roll sets") == by_pool(icepool.d6.pool(5), _sets)
    assert told("roll omen") == _chances(icepool.map(_omen, icepool.d6, icepool.d6))
    again = icepool.d6.map(lambda face: icepool.d6 if face == 1 else face)
    born = again.pool(4)[-3:].sum()
    assert told("roll born") == by_sum(born, (LOW, "weak"), (10, "fair"), (16, "rare"))


@pytest.mark.parametrize(("words", "dice"), [("", 2), (" rope", 3), (" lamp", 4), (" rope lamp", 5)])
def test_gallery_gear(words: str, dice: int) -> None:
    """What is chosen brings its dice."""
    hits = icepool.d8.pool(dice)

    def read(faces: Sequence[int]) -> str:
        return ("fall", "up", "up", *["unseen"] * 3)[sum(face >= 6 for face in faces)]

    assert told(f"roll climb{words}") == by_pool(hits, read)


@pytest.mark.parametrize(("words", "dice"), [("", 2), (" rope", 3), (" rope lamp", 5)])
def test_gallery_dice_of_several_kinds(words: str, dice: int) -> None:
    """A one on two of them is another outcome, and the 8 of another counts twice."""
    d6 = icepool.d6.map(lambda face: int(face == 6))
    stress = icepool.d6.map(lambda face: (int(face == 6), int(face == 1)))
    relic = icepool.d8.map(lambda face: 2 if face == 8 else int(face >= 6))

    def read(hits: int, more: int, two: tuple[int, int], three: tuple[int, int]) -> str:
        if two[1] or three[1]:
            return "panic"
        return "works" if hits + more + two[0] + three[0] else "fails"

    expected = icepool.map(read, dice @ d6, relic, stress, stress)
    assert told(f"roll strive{words}", skill=2) == _chances(expected)


ABILITY = ["", "hit", "hit hit", "edge", "edge edge", "hit edge", "hit", "edge"]
DANGER = ["", "miss", "miss miss", "snag", "snag snag", "miss snag", "snag", "wreck"]


def test_symbols_of_dice_cancel_and_two_numbers_are_left() -> None:
    """Hits less misses and wrecks, and edges less snags."""

    def count(face: str) -> Any:
        shown = Counter(face.split())
        return icepool.Vector([shown["hit"] - shown["miss"] - shown["wreck"], shown["edge"] - shown["snag"]])

    def read(net: Any) -> str:
        hits, edges = net
        if hits > 0:
            return "works" if edges >= 0 else "costs"
        return "fails-well" if edges > 0 else "fails"

    net = 3 @ icepool.Die([*map(count, ABILITY)]) + 2 @ icepool.Die([*map(count, DANGER)])
    assert told("roll brave", skill=3) == _chances(net.map(read, star=False))


def test_the_check_has_nothing_to_say_of_the_gallery(tmp_path: Path) -> None:
    """It has no mistakes, each roll has odds, and all parts are tried."""
    (tmp_path / GAME_FILE).write_text("\n".join(GALLERY))
    data = CommandLine(tmp_path).json("game", "check", str(tmp_path))
    assert "advice" not in data
    assert data["odds"]


def test_the_gallery_has_no_roll_that_is_not_checked() -> None:
    """Each is named in a test of this file."""
    source = Path(__file__).read_text(encoding="utf-8")
    rolls = re.findall(r"^\[dice\.(\w+)\]", "\n".join(GALLERY), re.MULTILINE)
    assert len(rolls) > 9
    assert [roll for roll in rolls if f"roll {roll}" not in source] == []


def test_what_it_points_to_is_there() -> None:
    """Its links lead to files, and to headings of the page."""
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    headings = [
        re.sub(r"[^\w -]", "", found.lower()).replace(" ", "-")
        for found in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    ]
    assert links
    for link in links:
        file, _, heading = link.partition("#")
        assert not file or (ROOT / "docs" / file).is_file(), link
        assert not heading or heading in headings, link


@pytest.mark.parametrize("row", re.findall(r"^\| (?!you want|-)(.*?) \| (.*) \|$", PAGE, re.MULTILINE))
def test_formulas_of_the_table_are_legal(row: tuple[str, str]) -> None:
    """Each key that the table of wishes shows can stand in the game."""
    *_, text = steps()
    for code in re.findall(r"`([^`]+)`", row[1]):
        if code.startswith(("pool", "when")):
            changed = text.replace('pool = "arm"' if code.startswith("pool") else 'when = "cold"', code, 1)
        elif code.startswith("{"):
            changed = text.replace('"mark cold"]', f"{code}]", 1)
        elif code.startswith("secret"):
            changed = text.replace('label = "Saved"', f'label = "Saved", {code}', 1)
        elif code.startswith("rows"):
            changed = f"{text}\n[panels.boat]\n{code}\n"
        elif code.startswith("cost"):
            changed = text.replace('cost = ["spend nerve"]', code, 1)
        elif code.startswith("amount"):
            changed = text.replace('does = ["clear boat.water 2"]', f'does = ["mark boat.water amount"]\n{code}', 1)
        else:
            continue
        assert changed != text
        try:
            read_game(changed.encode(), GAME_FILE)
        except GameUnusable as unusable:
            raise AssertionError(unusable.problems) from None
