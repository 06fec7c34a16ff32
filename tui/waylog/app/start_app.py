"""What is shown while no campaign is open: the list of campaigns, or the steps of a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from waylog.app.base_app import THEMES, BaseApp, defer_signals
from waylog.app.campaign_choice import CampaignChoice
from waylog.rules.moves import Refusal
from waylog.settings import SettingsFile
from waylog.store.locations import Locations
from waylog.table import Table
from waylog.toml.document import UnreadableFile

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
        self._choice = CampaignChoice(self, places, self._open, self._refuse)
        self.table: Table | None = None
        """The campaign that was opened."""
        self.reason = ""
        """Why the new campaign could not be made."""

    def on_mount(self) -> None:
        self.heed_endings()
        if self._new:
            self._choice.make(self._game, self.exit)
        else:
            self._choice.choose(left=self.exit)

    def _open(self, folder: Path) -> Refusal | None:
        try:
            self.table = self._opens(folder)
        except (UnreadableFile, OSError) as trouble:
            return Refusal(str(trouble))
        self.exit()
        return None

    def _refuse(self, refusal: Refusal) -> None:
        self.reason = refusal.reason
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
