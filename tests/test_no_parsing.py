"""Nothing parses our own sentences: texts of facts and words of entries are written for people, and read by people alone.

What the code depends on is a value: `LogEntry.kind`, `LogEntry.settles`, and of a fact what it is about and what it quotes.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.kit.source import nodes_of, parse_product

OUTPUT = {
    "waylog.store.log.entries_and_version_0_1": "writes them into the log, reads them, and makes of them what entries of 0.1 don't say themselves",
    "waylog.cli.text_output": "prints them",
    "waylog.cli.json_output": "prints them as JSON",
    "waylog.words.json_values": "makes JSON of them",
    "waylog.store.players.players_file": "writes what players see of them, and hands it to the table's screens",
    "waylog.store.log.grouped_acts_and_texts": "puts them into sentences",
    "waylog.store.shown.recap_in_markdown": "writes them as Markdown",
    "waylog.ui.views.why": "draws them",
    "waylog.ui.draw.acts_in_log_and_tray": "draws them",
    "waylog.ui.draw.dice": "draws them",
    "waylog.ui.draw.odds": "draws them",
    "waylog.ui.draw.players_view_in_lines": "draws them",
    "waylog.ui.line.line_editor_and_recall": "brings them back into the line",
    "waylog.ui.parts.tray": "draws them",
    "waylog.store.players.what_players_missed": "writes them as lines for players who were away",
    "waylog.words.paper": "prints them on pages",
    "waylog.words.last_evening": "shows the last note",
    "waylog.words.sentences": "puts them into sentences",
}
"""Modules that output the text of facts or the words of entries, and what they do with them."""
OUTPUT_FUNCTIONS = {
    ("waylog.line_mode.descriptions_and_news", "rule_sentences"): "says the text of a rule",
    ("waylog.rules.chains_of_acts", "play"): "reads what a person has typed",
    ("waylog.rules.chains_of_acts", "verb"): "reads what a person has typed",
    ("waylog.rules.file_game.forecast", "_told_since"): "says what an outcome or a price would do",
    ("waylog.rules.model.facts", "quotes_name"): "finds hidden names in notes, also where players have written them",
    ("waylog.store.replay_and_misread_die", "_after"): "plays the act again that they name",
    ("waylog.store.replay_and_misread_die", "play_again"): "plays the act again that they name",
    ("waylog.store.store_and_new_log_entries", "play_entry"): "makes an entry of what was played",
}
"""Functions that do, in modules with other work."""
SOURCES = {
    "waylog.store.log.entries_and_version_0_1",
    "waylog.store.log.log_and_torn_entries",
    "waylog.rules.model.facts",
    "waylog.snapshot_and_act_preview",
    "waylog.table",
    "waylog.table_queries",
}
"""Whoever has to do with entries or facts imports one of these."""
OTHERS = {
    "words": {
        "args",
        "band",
        "found",
        "given",
        "hint",
        "joined",
        "letter",
        "link",
        "move",
        "pool",
        "state",
        "target",
        "throw",
        "waiting",
    },
    "text": {
        "settings",
        "card",
        "cards",
        "drawn_card",
        "each",
        "_editor",
        "edits",
        "entry",
        "first",
        "event",
        "factor",
        "hint",
        "line",
        "row",
        "secret",
        "secrets",
        "segment",
        "self",
        "setting",
        "span",
        "tag",
        "token",
        "trait",
        "traits",
    },
}
"""What else has words or a text: names of values that are neither an entry nor a fact."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """Every module by its name."""
    return {
        ".".join(("waylog", *path.with_suffix("").parts)).removesuffix(".__init__"): tree
        for path, tree in parse_product().items()
    }


def find_imports(tree: ast.Module) -> set[str]:
    """The modules from which it imports."""
    return {node.module for node in nodes_of(tree) if isinstance(node, ast.ImportFrom) and node.module}


def find_reads(tree: ast.AST, within: str = "") -> Iterator[tuple[str, ast.expr | ast.pattern]]:
    """Where words or a text are read, each with the function around it. To put them into a sentence is no reading."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FormattedValue(value=ast.Attribute()):
                continue
            case ast.FunctionDef(name=name):
                yield from find_reads(node, name)
                continue
            case ast.Attribute(value=value, attr=("words" | "text") as attr) if last_name(value) not in OTHERS[attr]:
                yield within, node
            case ast.Call(
                func=ast.Name(id="getattr"), args=[value, ast.Constant(value="words" | "text" as attr), *_]
            ) if last_name(value) not in OTHERS[attr]:
                yield within, node
            case ast.MatchClass(cls=ast.Name(id="NoteFact" | "LogEntry"), patterns=patterns, kwd_attrs=names) if (
                patterns or ({"words", "text"} & {*names})
            ):
                yield within, node
        yield from find_reads(node, within)


def last_name(node: ast.expr) -> str:
    """What a value is called where it is used: `card` of `deck.card`, `cards` of `deck.cards[key]`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return last_name(value)
        case _:
            return ""


def test_only_output_code_reads_texts_and_words() -> None:
    """All else asks for the kind of an entry, and for what a fact is about or quotes."""
    product = modules()
    assert {*OUTPUT, *(module for module, _ in OUTPUT_FUNCTIONS)} <= {*product}
    found = [
        f"{module}:{node.lineno}: {ast.unparse(node)}"
        for module, tree in product.items()
        if module not in OUTPUT and SOURCES & {module, *find_imports(tree)}
        for function, node in find_reads(tree)
        if (module, function) not in OUTPUT_FUNCTIONS
    ]
    assert not found


def test_no_screen_decides_by_a_clause() -> None:
    """A clause is shown to people. What can't be done, and what is faulty, is said by values."""
    found = [
        f"{module}:{node.lineno}: {ast.unparse(node)}"
        for module, tree in modules().items()
        if module.startswith(("waylog.ui.views", "waylog.ui.draw"))
        for node in nodes_of(tree)
        if isinstance(node, ast.Compare) and "clause" in {last_name(part) for part in (node.left, *node.comparators)}
    ]
    assert not found


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("entry.words == 'redo'", 1),
        ("entry.words.partition(' ')", 1),
        ("log.last.words", 1),
        ("any(name in fact.text for fact in facts)", 1),
        ("match fact:\n case NoteFact(text): text", 1),
        ("match fact:\n case NoteFact(): fact.about", 0),
        ("f'“{entry.words}” can not be read'", 0),
        ("f'{entry.words.title()}'", 1),
        ("'by hand' in getattr(entry, 'words')", 1),
        ("move.words[0], card.text, act.move.words", 0),
    ],
)
def test_a_reading_is_found(source: str, reads: int) -> None:
    """The search finds what it is for."""
    assert len([*find_reads(ast.parse(source))]) == reads
