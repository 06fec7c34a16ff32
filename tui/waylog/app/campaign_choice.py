"""Switching to another campaign, over the window of whichever app is open.

What is shown while no campaign is open: the list of campaigns, or the steps of a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app import THEMES, BaseApp, defer_signals
from waylog.rules.model.moves import Refusal
from waylog.settings import SettingsFile
from waylog.store.folders_and_recent import Locations, NoSuchCampaign, summarise_campaign
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.ui.views.overlays import ChooserRow, ChooserScreen

Result = TypeVar("Result")


class ChoosingApp(Protocol):
    """What a choice needs of the app over whose window it is made."""

    def push_screen(self, screen: Screen[Result], callback: Callable[[Result | None], None], /) -> object:
        """Show a screen, and call a function with what it ends with."""
        ...

    def call_later(self, callback: Callable[..., object], /, *args: object) -> object:
        """Call a function after what is being handled."""
        ...

    def open_campaign(self, folder: Path, /) -> Refusal | None:
        """Open a campaign in place of what is open. Return why that isn't possible."""
        ...

    def refuse(self, refusal: Refusal, /) -> None:
        """Say why a new campaign could not be made or opened."""
        ...

    def end_choice(self) -> None:
        """Go on after the person has chosen nothing."""
        ...


class CampaignChoice:
    """Asks which campaign is wanted, and has it opened."""

    def __init__(self, app: ChoosingApp, places: Locations) -> None:
        self.app, self._places = app, places

    def choose(self, here: Path | None = None) -> None:
        """List the campaigns, those that were opened last first, without the one that is open, which is `here`."""
        rows, folders = [*self._rows(here)], [*self._folders(here)]

        def take(number: int) -> Refusal | None:
            if number == len(folders):
                self.app.call_later(self.make)
                return None
            try:
                return self.app.open_campaign(self._places.find(folders[number], to_play=True))
            except (NoSuchCampaign, OSError) as trouble:
                return Refusal(str(trouble))

        screen = ChooserScreen("Campaigns", [*rows, ChooserRow("New campaign…", "game, name, ship and crew")], take)
        self.app.push_screen(screen, lambda taken: None if taken else self.app.end_choice())

    def _folders(self, here: Path | None) -> Sequence[str]:
        """Return the paths to give to `Locations.find`, one for each row."""
        recent = [folder for folder in self._places.recent() if folder != (here and here.resolve())]
        every = [self._places.campaigns / name for name in self._places.campaign_names()]
        known = {folder.resolve() for folder in (*recent, *([here] if here else []))}
        others = [folder for folder in every if folder.resolve() not in known]
        return [*map(str, recent), *map(str, others), *self._places.uncopied_examples()]

    def _rows(self, here: Path | None) -> Sequence[ChooserRow]:
        recent, examples = {*map(str, self._places.recent())}, {*self._places.uncopied_examples()}
        return [
            ChooserRow(folder, _join("example", summarise_campaign(self._places.examples / folder).game))
            if folder in examples
            else ChooserRow(
                Path(folder).name,
                _join("opened recently" if folder in recent else "", summarise_campaign(Path(folder)).one_line),
            )
            for folder in self._folders(here)
        ]

    def make(self, game: str = "") -> None:
        """Ask for the game, if none is given, and then for everything else."""
        from waylog.app.new_campaign import NewCampaignChoice  # Few starts make a campaign.

        NewCampaignChoice(self.app, self._places).choose_game(game)


def _join(*words: str) -> str:
    return " · ".join(filter(None, words))


OpensTable = Callable[[Path], Table]
"""Opens a campaign. Raises `UnreadableFile` or `OSError`."""


class StartApp(BaseApp, inherit_bindings=False):
    """Ends with a campaign that has been opened, or with none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Leave"),
        THEMES,
    ]

    def __init__(
        self,
        places: Locations,
        opens: OpensTable,
        theme: str | None = None,
        chosen: SettingsFile | None = None,
        *,
        new: bool = False,
        game: str = "",
    ) -> None:
        """With `new`, begin with a new campaign, of that `game` if one is given."""
        super().__init__(theme, chosen)
        self._opens, self._new, self._game = opens, new, game
        self._choice = CampaignChoice(self, places)
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

    def open_campaign(self, folder: Path) -> Refusal | None:
        """Open a campaign, and end with it. Return why that isn't possible."""
        try:
            self.table = self._opens(folder)
        except (UnreadableFile, OSError) as trouble:
            return Refusal(str(trouble))
        self.exit()
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
    *,
    new: bool = False,
    game: str = "",
) -> Table | None:
    """Let the person choose or make a campaign. Return it opened; None if they leave. Raises `OSError` if it can't be made."""
    with defer_signals():
        app = StartApp(places, opens, theme, chosen, new=new, game=game)
        app.run()
    app.result()
    if app.reason:
        raise OSError(app.reason)
    return app.table
