"""Switching to another campaign, over the window of whichever app is open.

What is shown while no campaign is open: the list of campaigns, or the steps of a new one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app_and_attention import THEMES, BaseApp, defer_signals
from waylog.app.terminal_driver import Handover
from waylog.app.tutorial import open_tutorial
from waylog.rules.model.moves import Refusal
from waylog.settings import SettingsFile
from waylog.store.folders_and_recent import Locations, NoSuchCampaign, fold_name, summarise_campaign
from waylog.store.games.game_files import game_name, game_name_and_line
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.ui.views.overlays_and_choosers import ChooserRow, ChooserScreen
from waylog.words.last_evening import evening_in, how_long_ago

Result = TypeVar("Result")


class ChoosingApp(Protocol):
    """The part of an app that the choice of a campaign uses."""

    def push_screen(self, screen: Screen[Result], callback: Callable[[Result | None], None], /) -> object:
        """Show a screen, and call a function with what it ends with."""
        ...

    def open_soon(self, opens: Callable[[], None], /) -> None:
        """Call a function that opens a screen after what is being handled. Keys wait for that screen."""
        ...

    def open_campaign(self, folder: Path, news: str = "", /) -> Refusal | None:
        """Open a campaign in place of what is open, and say the news there. Return why that isn't possible."""
        ...

    def learn(self) -> Refusal | None:
        """Open the tutorial in place of what is open. Return why that isn't possible."""
        ...

    def refuse(self, refusal: Refusal, /) -> None:
        """Show why a new campaign could not be made or opened."""
        ...

    def end_choice(self) -> None:
        """Go on after the person has chosen nothing."""
        ...


_Row = tuple[ChooserRow, Callable[[], Refusal | None]]
"""A row of the list, and what choosing it does. It returns why that isn't possible."""
_BEST_KNOWN = "tenacity"
"""The example that the README plays: the first of the list."""


class CampaignChoice:
    """Asks which campaign is wanted, and has it opened."""

    def __init__(self, app: ChoosingApp, places: Locations, now: datetime) -> None:
        self.app, self._places, self._now = app, places, now

    def choose(self, here: Path | None = None) -> None:
        """List the campaigns, those that were opened last first, without the one that is open, which is `here`.

        While none is open, the list says what Waylog is.
        """
        others = [
            folder for folder in self._places.campaign_folders() if not here or folder.resolve() != here.resolve()
        ]
        list_again = partial(self.choose, here)
        make = partial(self.app.open_soon, partial(self.make, leave=list_again))
        rows: list[_Row] = [
            *map(self._campaign_row, others),
            (ChooserRow("New campaign", "choose a game, name, ship and crew"), make),
            (
                ChooserRow("Learn Waylog in ten minutes", "a tutorial aboard a small ship", also="tutorial help"),
                self.app.learn,
            ),
            *map(self._example_row, sorted(self._places.uncopied_examples(), key=lambda name: name != _BEST_KNOWN)),
        ]
        title, about = ("Campaigns", "") if here else ("Waylog", ABOUT)
        screen = ChooserScreen(title, [row for row, _ in rows], lambda number: rows[number][1](), about)
        self.app.push_screen(screen, lambda taken: None if taken else self.app.end_choice())

    def _campaign_row(self, folder: Path) -> _Row:
        """Return the row of one's own campaign, with how its last evening ended."""
        summary, evening = summarise_campaign(folder), evening_in(folder)
        name = summary.title or folder.name
        # A campaign may have been given another name in its file; its folder tells copies of one campaign apart.
        called = name if fold_name(name) == fold_name(folder.name) else f"{name} ({folder.name})"
        played = f"session {summary.session}" if summary.session else ""
        ago = how_long_ago(evening.at, self._now) if evening.at else ""
        ended = evening.scene or evening.note
        last = _join(", ".join(filter(None, (played, ago))), ended and f"“{ended}”")
        row = ChooserRow(called, _join(last, game_name(summary.game, folder)), "Your campaigns", str(folder))
        return row, partial(self._open, str(folder))

    def _example_row(self, example: str) -> _Row:
        folder = self._places.examples / example
        summary = summarise_campaign(folder)
        game, about = game_name_and_line(summary.game, folder)
        row = ChooserRow(summary.title or example, game, "Examples to try", example, about)
        return row, partial(self._open, example)

    def _open(self, name: str) -> Refusal | None:
        try:
            return self.app.open_campaign(self._places.find(name, to_play=True))
        except (NoSuchCampaign, OSError) as trouble:
            return Refusal(str(trouble))

    def make(self, game: str = "", leave: Callable[[], None] | None = None) -> None:
        """Ask for the game, if none is given, and then for everything else. Whoever makes none goes back step by step, and at last to what
        `leave` shows.
        """
        from waylog.app.new_campaign import NewCampaignChoice  # Few starts make a campaign.

        NewCampaignChoice(self.app, self._places, leave or self.app.end_choice).choose_game(game)


def _join(*words: str) -> str:
    return " · ".join(filter(None, words))


ABOUT = "Waylog tracks ship, crew, rolls and clocks for a starship role-playing game."
"""The line about Waylog for a person who opens it for the first time."""
OpensTable = Callable[[Path], Table]
"""Opens a campaign. Raises `UnreadableFile` or `OSError`."""


class StartApp(BaseApp, inherit_bindings=False):
    """Ends with a campaign that has been opened, or with none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Quit"),
        THEMES,
    ]

    def __init__(
        self,
        places: Locations,
        opens: OpensTable,
        theme: str | None = None,
        chosen: SettingsFile | None = None,
        handover: Handover | None = None,
        *,
        now: datetime,
        new: bool = False,
        game: str = "",
    ) -> None:
        """With `new`, begin with a new campaign, of that `game` if one is given."""
        super().__init__(theme, chosen, handover)
        self._places, self._opens, self._now, self._new, self._game = places, opens, now, new, game
        self._choice = CampaignChoice(self, places, now)
        self.table: Table | None = None
        """The campaign that was opened."""
        self.reason = ""
        """Why the new campaign could not be made."""

    def on_mount(self) -> None:
        self.heed_endings()
        if self._new:
            self._choice.make(self._game)
        else:
            self._choice.choose()

    def open_campaign(self, folder: Path, news: str = "") -> Refusal | None:
        """Open a campaign, and end with it. Return why that isn't possible."""
        refusal = self._end_with(lambda: self._opens(folder))
        if self.table:
            self.table.news = news
        return refusal

    def learn(self) -> Refusal | None:
        """Open the tutorial, and end with it. Return why that isn't possible."""
        return self._end_with(lambda: open_tutorial(self._places.tutorial, self._opens, self._now))

    def _end_with(self, opens: Callable[[], Table]) -> Refusal | None:
        try:
            self.table = opens()
        except (UnreadableFile, OSError) as trouble:
            return Refusal(str(trouble))
        self.give_way()
        return None

    def refuse(self, refusal: Refusal) -> None:
        """End without a campaign, for that reason."""
        self.reason = refusal.reason
        self.exit()

    def end_choice(self) -> None:
        """End without a campaign."""
        self.exit()


def choose_campaign(
    places: Locations,
    opens: OpensTable,
    theme: str | None = None,
    chosen: SettingsFile | None = None,
    handover: Handover | None = None,
    *,
    now: datetime,
    new: bool = False,
    game: str = "",
) -> Table | None:
    """Show the screen on which the person chooses or makes a campaign. Return it opened; None if they leave. What they type afterwards goes
    into `handover`. Raises `OSError` if it can't be made.
    """
    with defer_signals():
        app = StartApp(places, opens, theme, chosen, handover, now=now, new=new, game=game)
        app.run()
    app.result()
    if app.reason:
        raise OSError(app.reason)
    return app.table
