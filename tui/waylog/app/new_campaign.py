"""Session zero: making a new campaign step by step, over the window of whichever app is open.

A new campaign is a state that the same forms fill as those of `e`; nothing is on disk until the last step. `store/file/template.py` then
writes it, with its comments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from waylog.rules.codec.base import Fault, ValueShape
from waylog.rules.codec.changes import NEW, parse_path
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.fields import Field, FieldGroup, FormSource
from waylog.rules.game import Game
from waylog.rules.model.moves import Refusal
from waylog.rules.model.state import State
from waylog.rules.set_act import Setting
from waylog.rules.systems import names, system
from waylog.store.file import template
from waylog.store.folders_and_recent import InvalidName, Locations
from waylog.store.games.game_files import good_games, system_named, tables_of
from waylog.store.kit import KitItem, KitKind, copy_tables, find_items, kit_for, settings_for, suggestions
from waylog.ui.views.form import FormEnd, FormScreen
from waylog.ui.views.overlays import ChooserRow, ChooserScreen
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.app.campaign_choice import ChoosingApp
    from waylog.rules.kit import Rulebook


_USUAL = "New campaign"
_NAME: ValuePath = ("name",)
_KIT: ValuePath = ("kit",)
"""Stands for the step with the starter kit."""


class NewCampaignChoice:
    """Asks for the game and the name of a new campaign, and has it opened once it is made."""

    def __init__(self, app: ChoosingApp, places: Locations) -> None:
        self.app, self._places = app, places

    def choose_game(self, game: str = "") -> None:
        """Ask for the game, if none is given, and then for everything else."""
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
        try:
            folder = self._places.new(name)
            template.make(folder, name, game, state, tables=tables_of(game.system.id))
            copy_tables(folder, from_kit)
        except (InvalidName, OSError) as trouble:
            self.app.refuse(Refusal(str(trouble)))
            return
        if refusal := self.app.open_campaign(folder):
            self.app.refuse(refusal)


class NewCampaign:
    """The steps in which a new campaign gets its ship, its crew, its first clocks, and decks and tables of the starter kit. Each can
    be skipped.
    """

    def __init__(self, choice: NewCampaignChoice, game: Game, name: str) -> None:
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
