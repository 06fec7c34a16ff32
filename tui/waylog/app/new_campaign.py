"""Session zero: making a new campaign step by step, over the window of whichever app is open.

A new campaign is a state that the same forms fill as those of `e`; nothing is on disk until the last step. `template_and_conversion` in
`store/file/` then writes it, with its comments.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from waylog.app.window_commands_and_external_editor import how_to_join
from waylog.rules.codec.base_and_limits import Fault, ValueShape
from waylog.rules.codec.changes import NEW, join_names, parse_path
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.form_fields_and_paths import FieldGroup, FormField, FormSource, short_form
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.moves import Refusal
from waylog.rules.model.players_and_permissions import Players
from waylog.rules.model.state import State
from waylog.rules.set_command import Setting
from waylog.rules.systems import names, system
from waylog.store.file import template_and_conversion
from waylog.store.files_and_lock import FILE
from waylog.store.folders_and_recent import InvalidName, Locations, short_path
from waylog.store.games.game_files import good_games, system_named, tables_of
from waylog.store.kit import KitItem, KitKind, copy_tables, find_items, kit_for, settings_for, suggestions
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.line.line_editor_and_recall import CANCEL, CLOSE, QUIT
from waylog.ui.views.form import FormEnd, FormScreen, Save
from waylog.ui.views.form_filling import Check
from waylog.ui.views.overlays_and_choosers import ChooserRow, ChooserScreen
from waylog.values import replace

if TYPE_CHECKING:
    from waylog.app.campaign_choice import ChoosingApp


_USUAL = "New campaign"
_NAME: ValuePath = ("name",)
_PLAYER = "player"
_KIT: ValuePath = ("kit",)
"""Stands for the step with the starter kit."""


class NewCampaignChoice:
    """Asks for the game of a new campaign, and has the campaign opened once it is made."""

    def __init__(self, app: ChoosingApp, places: Locations, leave: Callable[[], None]) -> None:
        """`leave` shows what was there before, for whoever makes no campaign."""
        self.app, self.places, self.leave = app, places, leave
        self._chosen = 0
        """The place in the list of the game that was chosen last."""

    def choose_game(self, game: str = "") -> None:
        """Ask for the game, if none is given, and then for everything else."""
        if game:
            NewCampaign(self, Game(system_named(game)), self.leave).show_step()
            return
        known = [*map(system, names()), *(found.system for found in good_games())]
        systems = sorted(known, key=lambda each: (each.id != "veil-core", each.name))

        def take(number: int) -> None:
            self._chosen = number
            self.app.open_soon(NewCampaign(self, Game(systems[number]), self.choose_game).show_step)

        rows = [ChooserRow(each.name, each.about) for each in systems]
        screen = ChooserScreen("New campaign: which game?", rows, take, at=self._chosen)
        screen.add_class("-top")  # Where the steps that follow stand.
        self.app.push_screen(screen, lambda taken: None if taken else self.leave())

    def finish(self, name: str, game: Game, state: State, from_kit: Sequence[KitItem]) -> None:
        """Make a new campaign, and have it opened."""
        try:
            folder = self.places.new(name)
            template_and_conversion.make(folder, name, game, state, beside=tables_of(game.system.id))
            copy_tables(folder, from_kit)
        except (InvalidName, OSError) as trouble:
            self.app.refuse(Refusal(str(trouble)))
            return
        news = f"Created {short_path(folder / FILE)}, which you can edit while you play"
        if state.players:
            news += f". {how_to_join(state.players, folder.name)}. “How players join” in {key_name('palette', 'ctrl+p')} shows this again"
        if refusal := self.app.open_campaign(folder, news):
            self.app.refuse(refusal)


class NewCampaign:
    """The steps in which a new campaign gets its name, its ship, its crew, its first clocks, and decks and tables of the starter kit.

    Each step can be left as it is. One for new things comes again after each of them; what was made becomes a step of its own, to
    which *back* returns.
    """

    def __init__(self, choice: NewCampaignChoice, game: Game, leave: Callable[[], None]) -> None:
        """`leave` shows what was there before the first step."""
        self._choice, self._game, self._leave = choice, game, leave
        taken = {name.lower() for name in choice.places.campaign_names()}
        usual = (_USUAL, *(f"{_USUAL} {number}" for number in range(2, 999)))
        self._name = self._usual_name = next(name for name in usual if name.lower() not in taken)
        self._usual = template_and_conversion.first_state(game, self._name)
        self._crew = game.system.characters
        self._state = self._usual
        if isinstance(getattr(self._usual.sheet, self._crew, None), Mapping):  # the steps add everybody
            self._state = replace(self._usual, sheet=replace(self._usual.sheet, **{self._crew: {}}))
        self._untouched = self._state
        self._steps: list[ValuePath] = [_NAME, *_steps(game, self._usual), _KIT]
        self._at = 0
        self._from_kit: Sequence[KitItem] = ()
        """The decks and tables that were chosen."""

    def show_step(self) -> None:
        """Show the form of the step that is next."""
        path = self._steps[self._at]
        check: Check
        save: Save
        if path == _NAME:
            form, check, save = self._name_form(), self._check_name, self._take_name
        elif path == _KIT:
            form, check, save = self._kit_form(), lambda _: (), self._take_kit
        else:
            found = self._game.form(self._state, path)
            assert found
            form, check, save = self._with_player(short_form(found)), self._check, self._save
        kinds = [*dict.fromkeys(step[0] for step in self._steps)]
        title, hint = form.title, ""
        if path[-1] == NEW and (holder := self._game.form(self._state, path[:-1])):
            named = [part.name for part in holder.group.parts if isinstance(part, FieldGroup)]
            title = f"{holder.title}{f' (so far {join_names(named)})' if named else ''}"
            hint = self._hint(path[0], any_yet=bool(named))
        title = f"{self._name}, step {kinds.index(path[0]) + 1} of {len(kinds)}: {title}"
        is_last = self._at == len(self._steps) - 1
        form = replace(
            form,
            title=title,
            sibling=(),
            suggestions=suggestions(self._game),
            placeholders=self._placeholders(form) if path not in (_NAME, _KIT) else (),
            hint=hint,
            is_short=True,
            leave="back",
            save="create" if is_last else "next",
        )
        losing = (CANCEL, QUIT, *(() if self._at else (CLOSE,))) if self._has_anything else ()
        screen = FormScreen(form, check, save, losing=losing)
        self._choice.app.push_screen(screen, self._after_form)

    @property
    def _has_anything(self) -> bool:
        """Whether a step has been filled in."""
        return bool(self._name != self._usual_name or self._state != self._untouched or self._from_kit)

    def _placeholders(self, form: FormSource) -> Collection[ValuePath]:
        """Return the fields whose texts are still those of a campaign that nobody has touched."""
        if form.group.path[0] == self._crew:  # The steps add everybody.
            return ()
        usual = {each.path: each.text for each in self._game.fields(self._usual).fields}
        texts = (each for each in form.group.fields if each.shape is ValueShape.TEXT and each.text)
        return {each.path for each in texts if usual.get(each.path) == each.text}

    def _hint(self, table: str, *, any_yet: bool) -> str:
        """Return what it means to leave the form of one more thing empty."""
        usual = [each.name or key for key, each in getattr(self._usual.sheet, self._crew, {}).items()]
        if table != self._crew or any_yet or not usual:
            return "Type a name to add one, or leave it empty to continue"
        return f"Type a name to add one, or leave it empty to use {join_names(usual, 'and')}"

    def _after_form(self, end: FormEnd | None) -> None:
        match end:
            case FormEnd.SAVED if self._at == len(self._steps) - 1:
                self._finish()
            case FormEnd.SAVED:
                self._at += 1
                self.show_step()
            case FormEnd.LEFT if self._at:
                self._at -= 1
                self.show_step()
            case FormEnd.CANCELLED:
                self._choice.leave()
            case _:
                self._leave()

    def _finish(self) -> None:
        if getattr(self._state.sheet, self._crew, None) == {}:
            crew = getattr(self._usual.sheet, self._crew, {})
            self._state = replace(self._state, sheet=replace(self._state.sheet, **{self._crew: crew}))
        state = replace(self._state, name=self._name)
        self._choice.finish(self._name, self._game, state, self._from_kit)

    # -- the campaign's name ------------------------------------------------------------------------------------

    def _name_form(self) -> FormSource:
        text = "" if self._name == self._usual_name else self._name
        about = f"The campaign's folder gets the same name. Leave this field empty to use {self._usual_name}"
        name = FormField(_NAME, "Name", about, ValueShape.TEXT, text)
        return FormSource(FieldGroup((), "", "", (name,)), _NAME, title=self._game.system.name)

    def _name_in(self, settings: Sequence[Setting]) -> str:
        return ((settings[0].text or "").strip() if settings else self._name) or self._usual_name

    def _check_name(self, settings: Sequence[Setting]) -> Sequence[Fault]:
        try:
            self._choice.places.new(self._name_in(settings))
        except InvalidName as wrong:
            return (Fault(_NAME, str(wrong)),)
        return ()

    def _take_name(self, settings: Sequence[Setting]) -> Refusal | None:
        self._name = self._name_in(settings)
        return None

    # -- things of the campaign ---------------------------------------------------------------------------------

    def _with_player(self, form: FormSource) -> FormSource:
        """Return the form of one of the crew with a field for the name of the player, who can join afterwards."""
        group = form.group
        if group.path[0] != self._crew:
            return form
        who = next((one.name for one in self._state.players.values() if one.character == group.path[1]), "")
        player = FormField(
            (*group.path, _PLAYER),
            "Player",
            "The player's name (optional). Add it to let the player join",
            ValueShape.TEXT,
            who,
        )
        # A game that keeps the player's name has a place for it. Anywhere else, it comes before what is made of several fields.
        of_sheet = [at for at, part in enumerate(group.parts) if part.path == player.path]
        tables = [at for at, part in enumerate(group.parts) if isinstance(part, FieldGroup)]
        place = (*of_sheet, *tables, len(group.parts))[0]
        parts = (*group.parts[:place], player, *group.parts[place + len(of_sheet) :])
        return replace(form, group=replace(group, parts=parts))

    def _check(self, settings: Sequence[Setting]) -> Sequence[Fault]:
        return self._game.try_settings(self._state, self._with_players(settings)).faults

    def _save(self, settings: Sequence[Setting]) -> Refusal | None:
        step = self._steps[self._at]
        outcome = self._game.try_settings(self._state, self._with_players(settings))
        if fault := outcome.refusal:
            return Refusal(fault.message, fault.clause)
        self._state = outcome.state
        if self._is_emptied(step, settings):
            del self._steps[self._at]
            self._at -= 1
        elif step[-1] == NEW:  # What was made can be gone back to.
            self._steps.insert(self._at, settings[0].path[: len(step)])
        return None

    def _is_emptied(self, step: ValuePath, settings: Sequence[Setting]) -> bool:
        """Whether what an earlier form has added has no name any more: as in an empty form, nothing is added."""
        was_added = step[-1] != NEW and (*step[:-1], NEW) in self._steps
        return was_added and any(one.path == (*step, "name") and not (one.text or "").strip() for one in settings)

    def _with_players(self, settings: Sequence[Setting]) -> Sequence[Setting]:
        """Return the settings with the player of a character as one of the campaign's players; of what was emptied, those that
        take it out.
        """
        if self._is_emptied(step := self._steps[self._at], settings):
            return (*_player_settings(self._state.players, "", step[-1]), Setting(step, None))
        found = list[Setting]()
        for setting in settings:
            path, name = setting.path, (setting.text or "").strip()
            if path[0] != self._crew or path[2:] != (_PLAYER,):
                found.append(setting)
                continue
            if self._game.has_value(path):
                found.append(setting)
            found += _player_settings(self._state.players, name, path[1])
        return found

    # -- the starter kit ----------------------------------------------------------------------------------------

    def _kit_form(self) -> FormSource:
        """Return a form with a switch for each deck and table of the starter kit."""
        fields = tuple(
            FormField(
                (*_KIT, item.key),
                item.name,
                f"{item.kind.label.capitalize()}: {item.about}",
                ValueShape.SWITCH,
                "false",
                "false",
            )
            for item in kit_for(self._game)
            if item.kind in (KitKind.DECK, KitKind.TABLE)
        )
        return FormSource(FieldGroup(_KIT, "", "", fields), title="Starter decks and tables")

    def _take_kit(self, settings: Sequence[Setting]) -> Refusal | None:
        """Add the decks that were chosen, and note the tables."""
        self._from_kit = find_items(self._game, [setting.path[-1] for setting in settings])
        for of_deck in settings_for(self._game, self._state, self._from_kit):
            self._state = self._game.try_settings(self._state, of_deck).state
        return None


def _player_settings(players: Players, name: str, character: str) -> Sequence[Setting]:
    """Return the settings that make somebody the player of a character. Whoever plays another one already keeps that."""
    gone = [
        Setting(("players", key), None)
        for key, one in players.items()
        if one.character == character and one.name != name
    ]
    if not name or any(one.name == name for one in players.values()):
        return gone
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    key = new_key(plain if any(map(str.isalnum, plain)) else _PLAYER, players)
    return [*gone, Setting(("players", key, "name"), name), Setting(("players", key, "character"), character)]


def _steps(game: Game, state: State) -> Sequence[ValuePath]:
    """Return the paths of the forms: the ship's first thing with a name, or a new ship; a new crew member, a new clock."""
    steps = list[ValuePath]()
    for panel in game.panels(state):
        form = game.form(state, parse_path(panel.key)) if panel.place == "ship" else None
        first = form.group.parts[0] if form and form.group.parts else None
        if form and isinstance(first, FormField) and first.path[-1] == "name":
            steps.append(form.group.path)
            break
    if not steps and game.system.ships:
        steps.append((game.system.ships, NEW))
    if isinstance(getattr(state.sheet, game.system.characters, None), Mapping):
        steps.append((game.system.characters, NEW))
    return [*steps, ("clocks", NEW)]
