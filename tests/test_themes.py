"""Every theme that ships can be read, on every ground, in every terminal and by every eye; and a bad theme file says where."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from waylog.themes import BASE, VARIABLES, folders, names, problems, theme, themes
from waylog.toml.document import FileMissing, UnreadableFile
from waylog.ui.draw.colours import Palette

RGB = tuple[int, int, int]

SHIPPED = {path.stem: path for path in folders()[-1].glob("*.toml")}

GROUNDS = ("background", "surface", "panel", "cursor")
"""What lies under everything."""
SIGNS = (
    *("title", "key", "dim", "held", "lost", "tone-good", "tone-warn", "tone-bad"),
    *("fiasco", "drawback", "success-text", "critical"),
)
"""Waylog's words and signs, which may stand on any ground."""
TEXTS = (*SIGNS, "foreground", "primary", "secondary", "accent", "success", "warning", "error", "cursor-text")
MARKS = ("clock-filled", "clock-empty", "die", "banner", "primary")
"""What is seen rather than read."""
OWN_GROUNDS = (
    *(("cursor-text", "cursor"), ("banner-text", "banner"), ("die-text", "die")),
    *(("background", "primary"), ("background", "error"), ("background", "foreground")),
)
"""Text that stands on a colour of its own."""
OUTCOMES = ("fiasco", "drawback", "success-text", "critical")
FAR = {"critical", "drawback"}
"""The outcomes that may look alike least of all."""
OPPOSITES = (("fiasco", "success-text"), ("lost", "held"), ("tone-bad", "tone-good"), ("clock-filled", "clock-empty"))

TEXT, MARK = 4.5, 3.0
"""WCAG 2.2, success criteria 1.4.3 and 1.4.11, level AA."""

EVERY_THEME = pytest.mark.parametrize("name", sorted(SHIPPED))


def rgb(colour: str) -> RGB:
    """`#rrggbb` as numbers."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def linear(channel: int) -> float:
    """A channel of sRGB as light."""
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def luminance(colour: RGB) -> float:
    """WCAG's relative luminance."""
    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """WCAG's contrast ratio, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


STEPS = (0, 95, 135, 175, 215, 255)
XTERM: tuple[RGB, ...] = (
    *product(STEPS, STEPS, STEPS),
    *((level, level, level) for level in range(8, 239, 10)),
)
"""The 240 colours that xterm-256 has beside the sixteen that people set themselves."""


def as_it_is(colour: RGB) -> RGB:
    """A terminal with all colours."""
    return colour


def nearest(colour: RGB) -> RGB:
    """The closest of the 240."""
    return min(XTERM, key=lambda other: sum((one - two) ** 2 for one, two in zip(colour, other, strict=True)))


def as_sent(colour: RGB) -> RGB:
    """The one of the 240 that is sent to a terminal of 256 colours."""
    number = RichColor.from_rgb(*colour).downgrade(ColorSystem.EIGHT_BIT).number
    assert number is not None
    return XTERM[number - 16]


EVERY_TERMINAL = pytest.mark.parametrize("seen", [as_it_is, nearest, as_sent])

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
EYES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
EVEN = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

Matrix = tuple[tuple[float, float, float], ...]


def oklab(colour: RGB, eye: Matrix = EVEN) -> tuple[float, float, float]:
    """Lightness and two hues as that eye has them, in Ottosson's Oklab, where distance is what a person notices."""
    light = tuple(map(linear, colour))
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in eye)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def difference(one: RGB, other: RGB, eye: Matrix) -> float:
    """How different two colours look to that eye; about 0.02 is just noticed side by side."""
    return float(sum((a - b) ** 2 for a, b in zip(oklab(one, eye), oklab(other, eye), strict=True)) ** 0.5)


def colours(name: str) -> dict[str, RGB]:
    """The colours of a theme by the names that widgets use."""
    shipped = theme(name, user_themes=False)
    given = shipped.to_color_system().generate() | shipped.variables
    return {key: rgb(given[key]) for key in (*BASE, *VARIABLES)}


def too_weak(
    pairs: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...],
    found: dict[str, RGB],
    least: float,
    seen: Callable[[RGB], RGB],
) -> list[str]:
    """The pairs whose contrast is below `least`, in words."""
    measured = ((one, other, contrast(seen(found[one]), seen(found[other]))) for one, other in pairs)
    return [f"{one} on {other}: {ratio:.2f}" for one, other, ratio in measured if ratio < least]


# ---------------------------------------------------------------------------------------------- the measures themselves


def test_contrast_is_the_one_of_the_standard() -> None:
    """Black on white is 21, a colour on itself 1, and the grey known as the lightest on white that passes is just over 4.5."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((18, 52, 86), (18, 52, 86)) == 1
    assert contrast(rgb("#767676"), (255, 255, 255)) == pytest.approx(4.54, abs=0.005)
    assert contrast(rgb("#777777"), (255, 255, 255)) < TEXT


def test_a_weak_colour_is_noticed() -> None:
    """The search for weak pairs names a grey that is too pale for text."""
    found = {"dim": rgb("#777777"), "background": rgb("#ffffff")}
    assert too_weak((("dim", "background"),), found, TEXT, as_it_is) == ["dim on background: 4.48"]


def test_the_eyes_see_what_they_should() -> None:
    """Red and green of one lightness, far apart to most people, come close to one who lacks green cones."""
    red, green = rgb("#b35900"), rgb("#6b7a00")
    assert difference(red, green, EYES["deuteranopia"]) < difference(red, green, EVEN) / 2


# ------------------------------------------------------------------------------------------------- the themes that ship


def test_five_themes_ship() -> None:
    """One for the dark, one for the light, one of high contrast, one for every eye, one for late at night; nothing is wrong in them."""
    assert problems() == ()
    assert names() == {
        "clear": "Clear signal",
        "contrast": "High contrast",
        "dark": "Night passage",
        "ember": "Ember watch",
        "light": "Chart table",
    }
    assert [each.name for each in themes() if not each.dark] == ["light"]


def test_high_contrast_is_7_to_1() -> None:
    """WCAG 2.2, success criterion 1.4.6, level AAA: every text on every ground."""
    assert too_weak(product(TEXTS, GROUNDS), colours("contrast"), 7.0, as_it_is) == []
    assert too_weak(OWN_GROUNDS, colours("contrast"), 7.0, as_it_is) == []


@pytest.mark.parametrize("eye", EYES)
def test_the_clear_theme_parts_outcomes_for_every_eye(eye: str) -> None:
    """Each outcome differs from each other by 0.11 at least, nearly twice as much as in every theme."""
    found = colours("clear")
    distances = {
        (one, other): difference(found[one], found[other], EYES[eye]) for one, other in combinations(OUTCOMES, 2)
    }
    assert {pair for pair, distance in distances.items() if distance < 0.11} == set()


@EVERY_THEME
def test_a_theme_that_ships_leaves_nothing_out(name: str) -> None:
    """A file that ships gives every variable itself, so that who copies it sees all there is."""
    written = SHIPPED[name].read_text(encoding="utf-8")
    assert [key for key in (*BASE, *VARIABLES) if f"\n{key} " not in written] == []


@EVERY_THEME
def test_the_stand_ins_in_the_comments_are_the_true_ones(name: str) -> None:
    """The colour in brackets behind each variable is the one that stands in for it."""
    lines = SHIPPED[name].read_text(encoding="utf-8").partition("[variables]")[2].splitlines()
    told = {line.split()[0]: line.rpartition("[")[2].rstrip("]") for line in lines if line[:1].isalpha()}
    assert told == VARIABLES


@EVERY_THEME
@EVERY_TERMINAL
def test_text_can_be_read(name: str, seen: Callable[[RGB], RGB]) -> None:
    """Every text has 4.5 on every ground, with all colours and with 256."""
    assert too_weak(product(TEXTS, GROUNDS), colours(name), TEXT, seen) == []
    assert too_weak(OWN_GROUNDS, colours(name), TEXT, seen) == []


@EVERY_THEME
@EVERY_TERMINAL
def test_marks_can_be_seen(name: str, seen: Callable[[RGB], RGB]) -> None:
    """Every mark has 3 on every ground, and so have lines where lines are drawn."""
    assert too_weak(product(MARKS, GROUNDS), colours(name), MARK, seen) == []
    assert too_weak(product(["rule"], ("background", "surface", "panel")), colours(name), MARK, seen) == []


@EVERY_THEME
@EVERY_TERMINAL
def test_the_cursor_is_not_the_ground(name: str, seen: Callable[[RGB], RGB]) -> None:
    """The line you are on differs from every ground it may lie on, in a terminal of 256 colours too."""
    found = colours(name)
    cursor = seen(found["cursor"])
    assert [ground for ground in GROUNDS[:3] if difference(cursor, seen(found[ground]), EVEN) < 0.04] == []


@EVERY_THEME
def test_the_place_where_one_types_stands_out(name: str) -> None:
    """As a mark does, from every ground that a line may be typed on."""
    made = theme(name)
    caret = Palette({**made.to_color_system().generate(), **made.variables}).caret.bgcolor
    assert caret
    found = colours(name)
    assert [ground for ground in GROUNDS if contrast(caret.get_truecolor(), found[ground]) < MARK] == []


@EVERY_THEME
def test_outcomes_get_lighter_as_they_get_better(name: str) -> None:
    """From Fiasco to Critical each outcome is lighter than the last; and the two ends of each scale clearly so."""
    found = colours(name)
    scale = [luminance(found[outcome]) for outcome in OUTCOMES]
    assert scale == sorted(scale)
    assert contrast(found["fiasco"], found["success-text"]) >= 1.5
    assert contrast(found["clock-filled"], found["clock-empty"]) >= 1.5


@EVERY_THEME
@pytest.mark.parametrize("eye", EYES)
def test_no_eye_confuses_what_differs(name: str, eye: str) -> None:
    """Things that are each other's opposite stay apart for people who see two colours in three."""
    found = colours(name)
    alike = {
        (one, other): round(distance, 3)
        for one, other in OPPOSITES
        if (distance := difference(found[one], found[other], EYES[eye])) < 0.04
    }
    assert alike == {}


@EVERY_THEME
@EVERY_TERMINAL
@pytest.mark.parametrize("eye", [EVEN, *EYES.values()], ids=["even", *EYES])
def test_every_eye_parts_outcomes(name: str, seen: Callable[[RGB], RGB], eye: Matrix) -> None:
    """Also in a terminal of 256 colours, and a Critical from a drawback most of all: with a glance, the best may not look like a price."""
    found = {outcome: seen(rgb_of) for outcome, rgb_of in colours(name).items() if outcome in OUTCOMES}
    alike = {
        (one, other): round(distance, 3)
        for one, other in combinations(OUTCOMES, 2)
        if (distance := difference(found[one], found[other], eye)) < (0.11 if {one, other} == FAR else 0.06)
    }
    assert alike == {}


# -------------------------------------------------------------------------------------------- what Textual makes of them

HUES = ("primary", "secondary", "accent", "success", "warning", "error")
DERIVED = (
    *product(("$text", "$text-muted", "$text-disabled", "$foreground-muted", "$foreground-disabled"), GROUNDS[:3]),
    *((f"$text-{hue}", ground) for hue in HUES for ground in GROUNDS[:3]),
    *((f"$text-{hue}", f"{hue}-muted") for hue in HUES),
    *(("$text", hue) for hue in (*HUES, "cursor", "surface-active")),
    *(("$foreground", ground) for ground in ("surface-active", "boost", "block-hover-background")),
    ("$block-cursor-foreground", "block-cursor-background"),
    ("$block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("$footer-foreground", "footer-background"),
    ("$footer-description-foreground", "footer-background"),
    ("$footer-key-foreground", "footer-background"),
    ("$input-selection-foreground", "input-selection-background"),
    ("$screen-selection-foreground", "screen-selection-background"),
    ("$input-cursor-foreground", "input-cursor-background"),
    ("$link-color-hover", "link-background-hover"),
    ("$button-color-foreground", "primary"),
    *((f"$markdown-h{level}-color", "surface") for level in range(1, 7)),
)
"""Texts that Textual's own widgets set, by the variables it derives, and what it sets them on."""


def painted(variables: dict[str, str], text: str, ground: str) -> tuple[RGB, RGB]:
    """A text and its ground as they come out, with what shines through and what is chosen by the ground."""
    under = Color.parse(variables["surface"]) + Color.parse(variables[ground])
    written = variables[text.removeprefix("$")]
    share = written.removeprefix("auto ").rstrip("%")
    over = under.get_contrast_text(int(share) / 100) if share.isdigit() else Color.parse(written)
    return (under + over).rgb, under.rgb


@EVERY_THEME
@EVERY_TERMINAL
def test_what_textual_derives_can_be_read(name: str, seen: Callable[[RGB], RGB]) -> None:
    """Every text that Textual derives from a theme has 4.5 where its widgets put it."""
    shipped = theme(name)
    variables = shipped.to_color_system().generate() | shipped.variables
    weak = {
        pair: round(ratio, 2) for pair in DERIVED if (ratio := contrast(*map(seen, painted(variables, *pair)))) < TEXT
    }
    assert weak == {}


@EVERY_THEME
def test_frames_and_scrollbars_can_be_seen(name: str) -> None:
    """A frame stands out from what it frames, and the scrollbar's grip from its track."""
    shipped = theme(name)
    generated = shipped.to_color_system().generate()
    found = {key: Color.parse(value).rgb for key, value in generated.items() if value.startswith("#")}
    pairs = (
        *product(("border", "border-blurred"), GROUNDS[:3]),
        *((grip, "scrollbar-background") for grip in ("scrollbar", "scrollbar-hover", "scrollbar-active")),
    )
    assert too_weak(pairs, found | colours(name), MARK, as_it_is) == []


@EVERY_THEME
async def test_an_app_wears_the_theme(name: str) -> None:
    """Textual takes the theme, and a widget finds every variable by its name."""
    worn = theme(name)

    class Bare(App[None]):
        CSS = "Screen { " + " ".join(f"color: ${variable};" for variable in VARIABLES) + " }"

        def get_theme_variable_defaults(self) -> dict[str, str]:
            return dict.fromkeys(VARIABLES, "#000000")

    app = Bare()
    app.register_theme(worn)
    app.theme = worn.name
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.screen.styles.color == Color.parse(worn.variables[list(VARIABLES)[-1]])
        assert app.screen.styles.background == Color.parse(worn.background or "")


# -------------------------------------------------------------------------------------------------- people's own themes

PLAIN = 'name = "Plain"\ndark = true\n' + "".join(
    f'{colour} = "#1234{number:02}"\n' for number, colour in enumerate(BASE)
)


@pytest.fixture
def own(home: Path) -> Path:
    """The folder for a person's own themes."""
    folder = home / ".config" / "waylog" / "themes"
    folder.mkdir(parents=True)
    return folder


def told(folder: Path) -> list[str]:
    """The problems, with the files named from the folder on."""
    return [str(problem).replace(f"{folder}/", "") for problem in problems()]


def test_ten_colours_make_a_theme(own: Path) -> None:
    """A file with the base colours alone is a theme: the variables follow from them."""
    (own / "plain.toml").write_text(PLAIN, encoding="utf-8")
    made: Theme = theme("plain")
    assert names()["plain"] == "Plain"
    assert made.variables["held"] == made.primary
    assert made.variables["cursor-text"] == made.variables["block-cursor-foreground"] == made.foreground


def test_own_themes_follow_the_desktop(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CONFIG_HOME says where own themes are, and a relative one says nothing."""
    (own / "plain.toml").write_text(PLAIN, encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", "somewhere")
    assert "plain" in names()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert set(names()) == set(SHIPPED)


def test_an_own_theme_stands_before_one_that_ships(own: Path) -> None:
    """A file named as one that ships is used instead; while it is broken, the one that ships is still to be had."""
    (own / "dark.toml").write_text(PLAIN, encoding="utf-8")
    assert names()["dark"] == "Plain"
    (own / "dark.toml").write_text("name = ", encoding="utf-8")
    assert names()["dark"] == "Night passage"
    with pytest.raises(UnreadableFile):
        theme("dark")
    assert theme("dark", user_themes=False).dark


def test_everything_wrong_is_told_with_its_place(own: Path) -> None:
    """All problems of a file come at once, in the order of the file, each with what would be right."""
    text = PLAIN.replace("dark = true", 'dark = "yes"').replace('primary = "#123404"', 'primry = "blue"')
    (own / "odd.toml").write_text(f'{text}\n[variables]\n  dim = "grey"\n  dye = 3\n', encoding="utf-8")
    colour = 'a colour written as "#" and six hexadecimal digits'
    assert told(own) == [
        f"odd.toml:1:1: `primary` is missing: {colour}",
        'odd.toml:2:1: `dark` must be true for light text on a dark background, false for the opposite, not "yes"',
        "odd.toml:7:1: themes have no key `primry`. Did you mean `primary`?",
        f'odd.toml:15:3: `dim` must be {colour}, not "grey"',
        "odd.toml:16:3: themes have no key `dye`. Did you mean `die`?",
    ]
    assert set(names()) == set(SHIPPED)
    assert [each.name for each in themes()] == sorted(SHIPPED)


@pytest.mark.parametrize(
    "colour", ['"#12345"', '"#1234567"', '"red"', '"#12345g"', '"$primary"', "123456", '"#123456\\n"', "{}"]
)
def test_only_colours_are_colours(own: Path, colour: str) -> None:
    """A colour is six digits, and nothing that would first fail on the screen."""
    (own / "odd.toml").write_text(PLAIN.replace('"#123404"', colour), encoding="utf-8")
    assert len(told(own)) == 1
    assert told(own)[0].startswith("odd.toml:7:1: `primary` must be a colour")


@pytest.mark.parametrize("label", ['""', '" "', '"two\\nlines"', '"\\u001b[2J"', f'"{"x" * 41}"', "7"])
def test_a_name_can_be_shown(own: Path, label: str) -> None:
    """A theme's name fits on a line and can't steer the terminal."""
    (own / "odd.toml").write_text(PLAIN.replace('"Plain"', label), encoding="utf-8")
    assert [problem.partition("must")[0] for problem in told(own)] == ["odd.toml:1:1: `name` "]
    assert "\x1b" not in "".join(told(own))


def test_files_that_are_no_themes_are_told_or_passed_over(own: Path) -> None:
    """Broken TOML, a folder and a file beyond all measure are told; hidden and other files are nobody's themes."""
    (own / "broken.toml").write_text('name = "Broken\n', encoding="utf-8")
    (own / "folder.toml").mkdir()
    (own / "huge.toml").write_text("#" * 70_000, encoding="utf-8")
    (own / "table.toml").write_text(PLAIN + "variables = 7\n", encoding="utf-8")
    (own / ".hidden.toml").write_text("=", encoding="utf-8")
    (own / "notes.txt").write_text("=", encoding="utf-8")
    assert [problem.partition(": ")[0] for problem in told(own)] == [
        "broken.toml:1:15",
        "folder.toml:1:1",
        "huge.toml:1:1",
        "table.toml:13:1",
    ]
    assert set(names()) == set(SHIPPED)


def test_a_folder_that_is_none_is_told(own: Path) -> None:
    """What can't be looked into is told, and the themes that ship are there all the same."""
    own.rmdir()
    own.write_text("", encoding="utf-8")
    assert [str(problem) for problem in problems()] == [f"{own}:1:1: can't be searched for themes: not a directory"]
    assert set(names()) == set(SHIPPED)


@pytest.mark.parametrize("name", ["dusk", "../themes/dark", "\x1b[2J", ""])
def test_a_theme_that_is_not_there(name: str) -> None:
    """An unknown name is refused with the known ones; no name leads out of the folders or steers the terminal."""
    with pytest.raises(FileMissing, match="Available themes: clear, contrast, dark, ember, light") as refused:
        theme(name)
    assert "\x1b" not in str(refused.value)


def test_one_theme_is_one_file(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting reads the theme in use only: others may be broken, and are not even opened."""
    (own / "broken.toml").write_text("=", encoding="utf-8")
    opened: list[str] = []

    def noted(path: Path, cap: int) -> bytes:
        opened.append(path.name)
        return path.read_bytes()

    monkeypatch.setattr("waylog.themes.read_bytes", noted)
    theme("dark")
    assert opened == ["dark.toml"]


def test_looking_for_problems_needs_no_screen() -> None:
    """Names and problems are told without loading Textual."""
    ask = "import sys, waylog.themes as t; t.names(); t.problems(); print('textual' in sys.modules or 'rich' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "False"
