"""Switching to another campaign, and making a new one step by step, over the window of whichever app is open.

A new campaign is a state that the same forms fill as those of `e`; nothing is on disk until the last step. `store/file/template.py` then
writes it, with its comments.

What is shown while no campaign is open: the list of campaigns, or the steps of a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app import THEMES, BaseApp, defer_signals
from waylog.rules.codec.base import Fault, ValueShape
from waylog.rules.codec.changes import NEW, parse_path
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.fields import Field, FieldGroup, FormSource
from waylog.rules.game import Game
from waylog.rules.model.moves import Refusal
from waylog.rules.model.state import State
from waylog.rules.set_act import Setting
from waylog.rules.systems import names, system
from waylog.settings import SettingsFile
from waylog.store.file import template
from waylog.store.kit import KitItem, KitKind, copy_tables, find_items, kit_for, settings_for, suggestions
from waylog.store.locations import InvalidName, Locations, NoSuchCampaign, summarise_campaign
from waylog.table import Table
from waylog.toml.document import UnreadableFile
from waylog.ui.views.form import FormEnd, FormScreen
from waylog.ui.views.overlays import ChooserRow, ChooserScreen
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.rules.kit import Rulebook


_USUAL = "New campaign"
_NAME: ValuePath = ("name",)
_KIT: ValuePath = ("kit",)
"""Stands for the step with the starter kit."""
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
                _join("opened lately" if folder in recent else "", summarise_campaign(Path(folder)).one_line),
            )
            for folder in self._folders(here)
        ]

    # -- a new campaign -----------------------------------------------------------------------------------------

    def make(self, game: str = "") -> None:
        """Ask for the game, if none is given, and then for everything else."""
        from waylog.store.games.game_files import good_games, system_named  # Few starts make a campaign.

        if game:
            self._ask_name(system_named(game))
            return
        known = [*map(system, names()), *(found.system for found in good_games())]
        systems = sorted(known, key=lambda each: (each.id != "veil-core", each.name))

        def take(number: int) -> None:
            self.app.call_later(self._ask_name, systems[number])

        rows = [ChooserRow(each.name, each.about) for each in systems]
        screen = ChooserScreen("New campaign: which game?", rows, take)
        self.app.push_screen(screen, lambda taken: None if taken else self.app.end_choice())

    def _ask_name(self, rules: Rulebook) -> None:
        name = Field(_NAME, "Name", f"Also the name of its folder. Empty: {self._usual_name()}", ValueShape.TEXT, "")
        source = FormSource(FieldGroup((), "", "", (name,)), _NAME, title=f"New campaign: {rules.name}")

        def check(settings: Sequence[Setting]) -> Sequence[Fault]:
            try:
                self._places.new(self._name_in(settings))
            except InvalidName as wrong:
                return (Fault(_NAME, str(wrong)),)
            return ()

        chosen = [self._usual_name()]

        def save(settings: Sequence[Setting]) -> Refusal | None:
            chosen[:] = [self._name_in(settings)]
            return None

        def go_on(end: FormEnd | None) -> None:
            if end is FormEnd.SAVED:
                NewCampaign(self, Game(rules), chosen[0]).go_on()
            else:
                self.app.end_choice()

        self.app.push_screen(FormScreen(source, check, save), go_on)

    def _usual_name(self) -> str:
        taken = {name.lower() for name in self._places.campaign_names()}
        return next(
            name for name in (_USUAL, *(f"{_USUAL} {number}" for number in range(2, 999))) if name.lower() not in taken
        )

    def _name_in(self, settings: Sequence[Setting]) -> str:
        return ((settings[0].text or "").strip() if settings else "") or self._usual_name()

    def finish(self, name: str, game: Game, state: State, from_kit: Sequence[KitItem]) -> None:
        """Make a new campaign, and have it opened."""
        from waylog.store.games.game_files import tables_of

        try:
            folder = self._places.new(name)
            template.make(folder, name, game, state, tables=tables_of(game.system.id))
            copy_tables(folder, from_kit)
        except (InvalidName, OSError) as trouble:
            self.app.refuse(Refusal(str(trouble)))
            return
        if refusal := self.app.open_campaign(folder):
            self.app.refuse(refusal)


def _join(*words: str) -> str:
    return " · ".join(filter(None, words))


class NewCampaign:
    """The steps in which a new campaign gets its ship, its crew, its first clocks, and decks and tables of the starter kit. Each can
    be skipped.
    """

    def __init__(self, choice: CampaignChoice, game: Game, name: str) -> None:
        self._choice, self._game, self._name = choice, game, name
        self._usual = template.first_state(game, name)
        self._state = self._usual
        if isinstance(getattr(self._usual.sheet, "crew", None), Mapping):  # the steps add everybody
            self._state = replace(self._usual, sheet=replace(self._usual.sheet, crew={}))
        self._steps = [*_steps(game, self._usual), _KIT]
        self._from_kit: Sequence[KitItem] = ()
        """The decks and tables that were chosen."""
        self._count = len(self._steps)

    def go_on(self) -> None:
        """Show the next step. After the last one, make the campaign."""
        if not self._steps:
            if getattr(self._state.sheet, "crew", None) == {}:
                crew = getattr(self._usual.sheet, "crew", {})
                self._state = replace(self._state, sheet=replace(self._state.sheet, crew=crew))
            self._choice.finish(self._name, self._game, self._state, self._from_kit)
            return
        path = self._steps[0]
        form = self._kit_form() if path == _KIT else self._game.form(self._state, path)
        assert form
        number, title = self._count - len(self._steps) + 1, form.title
        if path[-1] == NEW and (holder := self._game.form(self._state, path[:-1])):
            named = [part.name for part in holder.group.parts if isinstance(part, FieldGroup)]
            title += f" (so far {', '.join(named)})" if named else ""
        title = f"Step {number} of {self._count}: {title} · {self._name}"
        leave = "go on" if path[-1] == NEW else "skip"
        form = replace(form, title=title, sibling=(), suggestions=suggestions(self._game), leave=leave)
        check, save = (lambda _: (), self._take_kit) if path == _KIT else (self._check, self._save)
        screen = FormScreen(form, check, save)
        self._choice.app.push_screen(screen, partial(self._after_form, path))

    def _after_form(self, path: ValuePath, end: FormEnd | None) -> None:
        if end is FormEnd.CANCELLED:
            self._choice.app.end_choice()
            return
        # After one of the crew comes the next, until a form is left empty.
        if not (end is FormEnd.SAVED and path[-1] == NEW):
            self._steps.pop(0)
        self.go_on()

    def _check(self, settings: Sequence[Setting]) -> Sequence[Fault]:
        return self._game.try_settings(self._state, settings).faults

    def _save(self, settings: Sequence[Setting]) -> Refusal | None:
        outcome = self._game.try_settings(self._state, settings)
        if fault := outcome.refusal:
            return Refusal(fault.message, fault.clause)
        self._state = outcome.state
        return None

    def _kit_form(self) -> FormSource:
        """Return a form with a switch for each deck and table of the starter kit."""
        fields = tuple(
            Field((*_KIT, item.key), item.name, f"{item.kind.label}: {item.about}", ValueShape.SWITCH, "false", "false")
            for item in kit_for(self._game)
            if item.kind in (KitKind.DECK, KitKind.TABLE)
        )
        return FormSource(FieldGroup(_KIT, "", "", fields), title="Starter kit, decks and tables")

    def _take_kit(self, settings: Sequence[Setting]) -> Refusal | None:
        """Add the decks that were chosen, and note the tables."""
        self._from_kit = find_items(self._game, [setting.path[-1] for setting in settings])
        for of_deck in settings_for(self._game, self._state, self._from_kit):
            self._state = self._game.try_settings(self._state, of_deck).state
        return None


def _steps(game: Game, state: State) -> Sequence[ValuePath]:
    """Return the paths of the forms: the ship's first thing with a name, a new crew member, a new clock."""
    steps = list[ValuePath]()
    for panel in game.panels(state):
        form = game.form(state, parse_path(panel.key)) if panel.place == "ship" else None
        first = form.group.parts[0] if form and form.group.parts else None
        if form and isinstance(first, Field) and first.path[-1] == "name":
            steps.append(form.group.path)
            break
    if isinstance(getattr(state.sheet, "crew", None), Mapping):
        steps.append(("crew", NEW))
    return [*steps, ("clocks", NEW)]


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
