"""The command `print`: pages for the wall and the table, as HTML for a browser to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from waylog.cli.commands_and_options import Arguments
from waylog.cli.results_and_crashes import (
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    open_table,
)
from waylog.rules.model.moves import Act, ActRefused, Answers, Ask, Move, PickMany, PickOne
from waylog.rules.model.odds import Odds
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.files_and_lock import describe_error
from waylog.table import Table
from waylog.values import dataclass
from waylog.words import paper

_MOST_OPTIONS = 4
"""Of a choice with more options, a wall chart has the default alone."""
_MOST_ODDS = 600
"""How many rolls a wall chart looks at."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A campaign as its pages show it: with everything hidden, or as players know it."""

    table: Table
    secrets: bool

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot


def print_(args: Arguments, desk: Environment) -> CommandResult:
    """Print a page of a campaign: as the players know it, or with everything hidden."""
    kind, name = args.words
    if kind not in _PAGES:
        raise CommandFailed(f"there is no page “{kind}”. The pages are {', '.join(_PAGES)}", USAGE)
    size = args.options.get("--paper", "a4")
    if size not in paper.PAPERS:
        raise CommandFailed(f"--paper must be {' or '.join(paper.PAPERS)}, not “{size}”", USAGE)
    table = open_table(name, desk, to_play=False)
    table.refresh()
    source, (title, make) = _Source(table, "--secrets" in args.options), _PAGES[kind]
    snapshot = source.snapshot
    about = f"{snapshot.system_name} · {desk.now():%d %b %Y}" + (" · with secrets" if source.secrets else "")
    html = paper.page(f"{snapshot.name}: {title}", about, make(source), size)
    if "--output" not in args.options:
        return CommandResult(html.splitlines, lambda: {"ok": True, "html": html})
    path = Path(args.options["--output"])
    try:
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"can't write {path}: {describe_error(error)}", FILES) from None
    message = f"Saved {path}. Open it in a browser and print it"
    return CommandResult(lambda: [message], lambda: {"ok": True, "path": str(path)})


def _sheets(source: _Source) -> Iterator[str]:
    panels = source.snapshot.panels if source.secrets else source.table.projection().panels
    return paper.sheets([panel for panel in panels if panel.place in ("ship", "crew")])


def _clocks(source: _Source) -> Iterator[str]:
    sight = source.table.sight(secrets=source.secrets)
    seen = (sight.clock(clock) for clock in source.snapshot.clocks.values() if not clock.closed)
    return paper.clocks(filter(None, seen))


def _cards(source: _Source) -> Iterator[str]:
    sight = source.table.sight(secrets=source.secrets)
    decks = filter(None, map(sight.deck, source.snapshot.decks.values()))
    return paper.cards(decks, source.snapshot.cards.values() if source.secrets else ())


def _tables(source: _Source) -> Iterator[str]:
    return paper.tables(table for table in source.snapshot.tables.values() if table.seen or source.secrets)


def _recap(source: _Source) -> Iterator[str]:
    from waylog.store.shown.recap_in_markdown import recap_text

    return paper.recap(recap_text(source.table.recap(secrets=source.secrets)))


def _keys(source: _Source) -> Iterator[str]:  # noqa: ARG001 - as every page
    from waylog.app.wayfinder_app import WayfinderApp
    from waylog.ui.draw.window_layout_and_key_names import format_keys
    from waylog.ui.key_bindings import all_bindings, view_bindings

    groups: dict[str, list[tuple[str, str]]] = {"In every view": []}
    for id_, binding in all_bindings(WayfinderApp.BINDINGS).items():
        view = id_.partition(".")[0]
        heading = view.capitalize() if "." in id_ and view in view_bindings() else "In every view"
        groups.setdefault(heading, []).append((format_keys(binding.key), binding.tooltip))
    return paper.keys(groups)


def _odds(source: _Source) -> Iterator[str]:
    moves, find_odds = source.table.rolls(secrets=source.secrets)
    return paper.odds(_pools(moves, find_odds))


def _pools(moves: Iterable[Move], find_odds: Callable[[Act], Odds | None]) -> Iterator[tuple[str, Odds]]:
    """Yield the odds of each roll, with each set of options that makes another pool."""
    tried = 0
    for move in moves:
        if not move.rolls or move.blocked or move.verb == "dice":
            continue
        for answers in _sets_of_answers(move.asks):
            tried += 1
            if tried > _MOST_ODDS:
                return
            try:
                odds = find_odds(Act(move, answers))
            except ActRefused:
                continue
            if odds is not None:
                yield odds.dice.partition(": ")[2] or move.label, odds


def _sets_of_answers(asks: Sequence[Ask]) -> Iterator[Answers]:
    """Yield answers to what is asked: the defaults, each single option, and all of the options together."""
    ways: list[list[tuple[str, str | tuple[str, ...] | None]]] = []
    for ask in asks:
        words = (
            [option.word for option in ask.options if not option.blocked] if isinstance(ask, PickOne | PickMany) else []
        )
        if isinstance(ask, PickOne) and len(words) <= _MOST_OPTIONS:
            ways.append([(ask.name, word) for word in words] or [(ask.name, None)])
        elif isinstance(ask, PickMany) and not ask.least:
            several = [(), *((word,) for word in words[:_MOST_OPTIONS])]
            several += [tuple(words[: ask.most])] if 1 < len(words) <= _MOST_OPTIONS else []
            ways.append([(ask.name, chosen) for chosen in several])
    for chosen in product(*ways):
        yield {name: answer for name, answer in chosen if answer is not None}


_PAGES: Mapping[str, tuple[str, Callable[[_Source], Iterator[str]]]] = {
    "sheets": ("ship and crew", _sheets),
    "clocks": ("clocks", _clocks),
    "cards": ("cards", _cards),
    "tables": ("tables", _tables),
    "recap": ("recap", _recap),
    "keys": ("keys", _keys),
    "odds": ("odds", _odds),
}
"""Each page: its title, and what makes it."""
