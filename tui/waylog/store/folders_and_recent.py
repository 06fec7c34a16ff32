"""The folders that Waylog uses: people's campaigns, the included examples, and its own state."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from waylog.signs import escape_controls
from waylog.store.files_and_lock import FILE
from waylog.toml.document import Document, UnreadableFile, read_bytes
from waylog.values import NamedTuple, dataclass

_LONGEST_NAME = 100
_MOST_RECENT = 30


class NoSuchCampaign(Exception):
    """There is no campaign of that name. The text lists those that exist."""


def short_path(path: Path) -> str:
    """Return a path as people type it: with ~ for their home."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):  # not below it, or there is none
        return str(path)


class InvalidName(Exception):
    """No campaign can have that name. The text says why."""


@dataclass(frozen=True, slots=True)
class Locations:
    """Every folder that Waylog uses. None of them needs to exist yet."""

    campaigns: Path
    examples: Path
    """The included campaigns. Never written to."""
    state: Path
    """Waylog's own state: the last campaign, and reports of its crashes."""

    @property
    def program(self) -> Path:
        """The folder of the program itself."""
        return Path(__file__).resolve().parents[1]

    @property
    def tutorial(self) -> Path:
        """The folder of the campaign that the tutorial is played on. It is none of the person's own."""
        return self.state / "learn"

    @property
    def last_opened_file(self) -> Path:
        """The file that names the campaign opened last."""
        return self.state / "last"

    @property
    def recent_file(self) -> Path:
        """The file that names the campaigns that were opened, the latest first."""
        return self.state / "recent"

    def campaign_names(self) -> list[str]:
        """Return the names of people's own campaigns, in order."""
        return _campaigns_in(self.campaigns)

    def campaign_folders(self) -> list[Path]:
        """Return the folders of people's own campaigns, those that were opened last first."""
        campaigns = [self.campaigns / name for name in self.campaign_names()]
        known = {folder.resolve(): folder for folder in campaigns}
        return [*dict.fromkeys([*(known.get(folder, folder) for folder in self.recent()), *campaigns])]

    def uncopied_examples(self) -> list[str]:
        """Return the names of examples without a copy, except where an own campaign, or a folder beside it, has that name."""
        taken_names = {fold_name(name) for name in _names_in_if_any(self.campaigns)}
        return [name for name in _campaigns_in(self.examples) if fold_name(name) not in taken_names]

    def word_for(self, folder: Path) -> str:
        """Return what names a campaign in a command: its name if it is one of one's own, otherwise its whole path."""
        real = Path(os.path.realpath(folder))
        return real.name if real.parent == Path(os.path.realpath(self.campaigns)) else str(real)

    def find(self, name: str, *, to_play: bool) -> Path:
        """Return the folder of a campaign, given its name, its folder, or its campaign file.

        A name is that of a campaign if it is the same, or else if it differs only in case, spaces and hyphens from exactly one
        name. It is that of an example only if no campaign of one's own has it. A part of a name is no name.

        An example is never played itself: with `to_play`, it is copied to people's own campaigns first. Raises
        `NoSuchCampaign`, or `OSError`, also if the folder of campaigns can't be listed.
        """
        if os.sep in name or name in (".", ".."):
            folder = Path(name)
            folder = folder.parent if folder.name == FILE else folder
            if not (to_play and folder.resolve().parent == self.examples.resolve()):
                return folder
            name = folder.resolve().name
        if campaign := self._find_own(name):
            return campaign
        if example := _match_name(name, self.uncopied_examples()):
            return self._copy_example(example) if to_play else self.examples / example
        raise NoSuchCampaign(self._no_such_campaign_text(name))

    def _find_own(self, name: str) -> Path | None:
        """Return the folder of an own campaign by its name. Raises `NoSuchCampaign` for a folder of that name without a campaign
        file: the file may be away for a moment, and the person means neither a similar name nor an example.
        """
        names = _names_in(self.campaigns)
        campaigns = [each for each in names if os.path.lexists(self.campaigns / each / FILE)]
        found = name if name in names else _match_name(name, campaigns) or _match_name(name, names)
        if found and found not in campaigns:
            raise NoSuchCampaign(f"{self.campaigns / found} has no {FILE}, so it is not a campaign")
        return self.campaigns / found if found else None

    def _copy_example(self, example: str) -> Path:
        """Copy an example. The copy appears as a whole or not at all."""
        import shutil

        self.campaigns.mkdir(parents=True, exist_ok=True)
        half = self.campaigns / f".{example}.{os.getpid()}.tmp"
        try:
            shutil.copytree(
                self.examples / example, half, ignore=shutil.ignore_patterns(".*.tmp", ".lock*", ".seal", "history")
            )
            half.chmod(half.stat().st_mode | 0o700)
            for copy in half.rglob("*"):
                copy.chmod(copy.stat().st_mode | (0o700 if copy.is_dir() else 0o600))
            return half.rename(self.campaigns / example)
        except OSError:
            if (self.campaigns / example / FILE).is_file():  # Another program has just made the copy.
                return self.campaigns / example
            raise
        finally:
            shutil.rmtree(half, ignore_errors=True)

    def _no_such_campaign_text(self, name: str) -> str:
        there = [*self.campaign_names(), *self.uncopied_examples()]
        known = (
            f"There {'is' if len(there) == 1 else 'are'} {', '.join(there[:12])}"
            if there
            else "There are no campaigns yet"
        )
        return f"there is no campaign “{name}” in {self.campaigns}. {known}. To create one, type: waylog new NAME"

    def new(self, name: str) -> Path:
        """Return the folder for a new campaign of that name. Raises `InvalidName`."""
        if not name.strip():
            raise InvalidName("a campaign needs a name")
        if name != name.strip() or name[0] in "-.":
            raise InvalidName("a campaign's name can't begin with “-”, “.” or a space, or end with a space")
        if escape_controls(name) != name or {"/", "\\"} & set(name):
            raise InvalidName(
                "a campaign's name is also its folder name, so it can't contain “/”, “\\” or invisible characters"
            )
        if len(name.encode()) > _LONGEST_NAME:
            raise InvalidName(
                f"a campaign's name is also its folder name, so it can be at most {_LONGEST_NAME} bytes long"
            )
        if taken := _match_name(name, self.campaign_names()):
            raise InvalidName(f"there is already a campaign “{taken}”. Open it with `waylog open`")
        if os.path.lexists(self.campaigns / name):
            raise InvalidName(f"{self.campaigns / name} already exists and is not a campaign")
        return self.campaigns / name

    def last(self) -> Path | None:
        """Return the folder of the campaign opened last, if it still exists."""
        try:
            folder = Path(os.fsdecode(read_bytes(self.last_opened_file).rstrip(b"\n")))
            if not folder.is_absolute():
                return None
        except (UnreadableFile, ValueError):
            return None
        return folder if (folder / FILE).is_file() else None

    def recent(self) -> list[Path]:
        """Return the folders of campaigns that were opened, the latest first, as far as they still exist.

        Lines of the file that name none are passed over, so a damaged file costs no more than its damage.
        """
        try:
            lines = read_bytes(self.recent_file).split(b"\n")
        except UnreadableFile:
            lines = []
        latest = self.last()
        folders = [Path(os.fsdecode(line)) for line in lines if line.startswith(b"/") and b"\0" not in line]
        found = dict.fromkeys([*([latest] if latest else []), *folders])
        return [folder for folder in found if _is_campaign(folder)][:_MOST_RECENT]

    def remember(self, folder: Path) -> None:
        """Remember which campaign was opened last, and which before it; not the tutorial's. Raises `OSError`."""
        if folder == self.tutorial:
            return
        self.state.mkdir(parents=True, exist_ok=True)
        before, folder = self.recent(), folder.resolve()
        # A folder's name is bytes, in any encoding.
        self.last_opened_file.write_bytes(os.fsencode(folder) + b"\n")
        lines = [os.fsencode(each) for each in dict.fromkeys([folder, *before])]
        self.recent_file.write_bytes(b"\n".join(lines[:_MOST_RECENT]) + b"\n")


class CampaignSummary(NamedTuple):
    """The few facts about a campaign that lists of campaigns show."""

    game: str = ""
    """The id of its game."""
    session: int = 0
    """The number of its latest session; 0 without any."""
    played: str = ""
    """The day on which that session began, such as 2026-10-30."""
    title: str = ""
    """The campaign's name in its file, which may differ from that of its folder."""

    @property
    def one_line(self) -> str:
        """`veil-core · session 7 · 2026-10-30`, as far as it is known."""
        return " · ".join(filter(None, (self.game, f"session {self.session}" if self.session else "", self.played)))


def summarise_campaign(folder: Path) -> CampaignSummary:
    """Return what the file of a campaign says of it. The game is not loaded. What can't be read is left empty."""
    try:
        tree = Document.parse(read_bytes(folder / FILE), FILE).tree
    except (UnreadableFile, OSError):
        return CampaignSummary()
    sessions = tree.get("sessions")
    by_number = (
        {int(key): one for key, one in sessions.items() if key.isdecimal()} if isinstance(sessions, dict) else {}
    )
    latest = max(by_number, default=0)
    began = by_number[latest].get("began") if isinstance(by_number.get(latest), dict) else None
    played = began.partition(" ")[0] if isinstance(began, str) else ""
    title, game = (value if isinstance(value := tree.get(key), str) else "" for key in ("name", "system"))
    return CampaignSummary(game, latest, played, title)


def locations(directory: str | None, environment: Mapping[str, str]) -> Locations:
    """Return the folders to use: those of the checkout that this runs from, otherwise the user's own.

    `directory` or `WAYLOG_CAMPAIGNS` replaces the folder of campaigns. Raises `InvalidName` if there is no home folder.
    """
    checkout = _checkout()
    named = directory or environment.get("WAYLOG_CAMPAIGNS")
    state = _base(environment, "XDG_STATE_HOME", ".local/state") / "waylog"
    if named:
        campaigns = Path(named)
    elif checkout:
        campaigns = checkout / "campaigns"
    else:
        campaigns = _base(environment, "XDG_DATA_HOME", ".local/share") / "waylog" / "campaigns"
    shipped = checkout / "campaigns" / "examples" if checkout else Path(__file__).resolve().parents[1] / "examples"
    return Locations(campaigns, shipped, state)


def _is_campaign(folder: Path) -> bool:
    try:
        return (folder / FILE).is_file()
    except (OSError, ValueError):  # a path that no system could have
        return False


def config_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder of people's settings by the XDG rules; None for an account that has no home."""
    try:
        return _base(environment, "XDG_CONFIG_HOME", ".config")
    except InvalidName:
        return None


def _checkout() -> Path | None:
    """Return the folder of the checkout that this runs from, if any."""
    source, root = Path(__file__).resolve().parents[2:4]
    return root if source.name == "tui" and (root / "pyproject.toml").is_file() else None


def _base(environment: Mapping[str, str], variable: str, under_home: str) -> Path:
    """Return a folder of the XDG base directory specification, which says that relative paths are ignored."""
    named = environment.get(variable, "")
    if named.startswith("/"):
        return Path(named)
    try:
        return Path.home() / under_home
    except RuntimeError:
        raise InvalidName(f"your account has no home folder: set {variable}, or name a folder with --dir") from None


def _campaigns_in(folder: Path) -> list[str]:
    found = [name for name in _names_in_if_any(folder) if os.path.lexists(folder / name / FILE)]
    return sorted(found, key=str.casefold)


def _names_in_if_any(folder: Path) -> list[str]:
    """Return the names in a folder; none if it can't be read."""
    try:
        return _names_in(folder)
    except OSError:
        return []


def _names_in(folder: Path) -> list[str]:
    """Return the names in a folder that a campaign may have; none if there is no folder. Raises `OSError`."""
    try:
        return [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _match_name(name: str, names: list[str]) -> str | None:
    """Return the name itself, or the only one that differs from it just in case, spaces and hyphens."""
    if name in names:
        return name
    alike = [other for other in names if fold_name(other) == fold_name(name)]
    return alike[0] if len(alike) == 1 else None


def fold_name(name: str) -> str:
    """Return a name without what people need not type exactly: case, spaces and hyphens."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or name
