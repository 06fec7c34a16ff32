"""Where campaigns are found, what they may be called, and that an example is never written to."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit import ROOT
from waylog.store.folders_and_recent import InvalidName, Locations, NoSuchCampaign, locations


@pytest.fixture
def here(tmp_path: Path) -> Locations:
    """A folder of campaigns and one of examples."""
    found = Locations(tmp_path / "campaigns", tmp_path / "examples", tmp_path / "state")
    for folder in (found.campaigns / "Night Run", found.examples / "tenacity" / "log", found.examples / "sparrow"):
        folder.mkdir(parents=True)
    for folder in (found.campaigns / "Night Run", found.examples / "tenacity", found.examples / "sparrow"):
        (folder / "campaign.toml").write_text(f"name = '{folder.name}'")
    (found.examples / "tenacity" / "log" / "0001.toml").write_text("# a log")
    (found.examples / "tenacity" / ".lock").write_text("")
    return found


def test_a_campaign_is_found_by_name_folder_or_file(here: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name as it is, or with other case, spaces and hyphens; a path to its folder, or to the file in it."""
    own = here.campaigns / "Night Run"
    for name in ("Night Run", "night run", "night-run", "NIGHT_RUN", str(own), f"{own}/", str(own / "campaign.toml")):
        assert here.find(name, to_play=True) == own
    monkeypatch.chdir(own)
    assert here.find(".", to_play=True) == Path()
    assert here.find("./campaign.toml", to_play=True) == Path()


def test_a_command_names_a_campaign_so_that_no_other_is_found(here: Locations, tmp_path: Path) -> None:
    """One's own by its name. One that is anywhere else by its path, even if another one has its name."""
    own, elsewhere = here.campaigns / "Night Run", tmp_path / "Night Run"
    elsewhere.mkdir()
    assert here.word_for(own) == "Night Run"
    for folder in (own, elsewhere):
        assert here.find(here.word_for(folder), to_play=True).resolve() == folder.resolve()


def test_names_that_look_alike_are_told_apart(here: Locations) -> None:
    """Of two campaigns that differ in case alone, each is found by its own name and neither by a third."""
    for name in ("Mara", "mara"):
        (here.campaigns / name).mkdir()
        (here.campaigns / name / "campaign.toml").touch()
    assert here.find("mara", to_play=False).name == "mara"
    assert here.find("Mara", to_play=False).name == "Mara"
    with pytest.raises(NoSuchCampaign):
        here.find("MARA", to_play=False)


def test_what_is_not_there_is_answered_with_what_is(here: Locations) -> None:
    """An unknown name lists the campaigns and examples."""
    with pytest.raises(
        NoSuchCampaign, match=r"There are Night Run, sparrow, tenacity. To create one, type: waylog new NAME"
    ):
        here.find("nope", to_play=False)
    empty = Locations(here.state / "none", here.state / "none", here.state)
    with pytest.raises(NoSuchCampaign, match="There are no campaigns yet"):
        empty.find("nope", to_play=False)
    assert not here.state.exists()


def test_an_example_is_copied_when_it_is_played(here: Locations) -> None:
    """Looking at an example reads it where it lies; playing makes a copy of one's own, which is found from then on."""
    before = {path: path.stat().st_mtime_ns for path in here.examples.rglob("*")}
    assert here.find("tenacity", to_play=False) == here.examples / "tenacity"
    assert here.campaign_names() == ["Night Run"]
    copy = here.find("Tenacity", to_play=True)
    assert copy == here.campaigns / "tenacity"
    assert (copy / "log" / "0001.toml").read_text() == "# a log"
    assert not (copy / ".lock").exists()
    (copy / "campaign.toml").write_text("name = 'mine'")
    assert here.find("tenacity", to_play=True) == here.find("tenacity", to_play=False) == copy
    assert (copy / "campaign.toml").read_text() == "name = 'mine'"
    assert here.uncopied_examples() == ["sparrow"]
    assert {path: path.stat().st_mtime_ns for path in here.examples.rglob("*")} == before
    assert sorted(path.name for path in here.campaigns.iterdir()) == ["Night Run", "tenacity"]


def test_an_own_campaign_may_be_called_as_an_example_is(here: Locations) -> None:
    """The name of a person's own campaign means that one, and an example of the same name is no longer offered."""
    assert here.new("Tenacity") == here.campaigns / "Tenacity"
    (here.campaigns / "Tenacity").mkdir()
    (here.campaigns / "Tenacity" / "campaign.toml").touch()
    assert here.find("tenacity", to_play=True) == here.campaigns / "Tenacity"
    assert here.uncopied_examples() == ["sparrow"]


def test_a_part_of_a_name_means_nothing(here: Locations) -> None:
    """Neither the beginning of an own campaign's name nor that of an example's is taken for it, and nothing is copied."""
    for name in ("Night", "night-", "ten", "tenacit", "tenacity-2"):
        with pytest.raises(NoSuchCampaign):
            here.find(name, to_play=True)
    (here.campaigns / "ten").mkdir()
    (here.campaigns / "ten" / "campaign.toml").touch()
    assert here.find("ten", to_play=True) == here.campaigns / "ten"
    assert here.campaign_names() == ["Night Run", "ten"]


@pytest.mark.parametrize(
    ("lacking", "name"), [("Tenacity", "Tenacity"), ("Tenacity", "tenacity"), ("night-run", "night-run")]
)
def test_a_campaign_whose_file_is_away_is_no_other(here: Locations, lacking: str, name: str) -> None:
    """While its file is away, as during a checkout, its name means neither an example nor another campaign like it."""
    (here.campaigns / lacking).mkdir()
    assert "tenacity" in here.uncopied_examples() or lacking == "Tenacity"
    for to_play in (True, False):
        with pytest.raises(NoSuchCampaign, match=f"{lacking} has no campaign.toml"):
            here.find(name, to_play=to_play)
    assert sorted(path.name for path in here.campaigns.iterdir()) == sorted(["Night Run", lacking])


def test_no_example_stands_in_for_campaigns_that_can_not_be_listed(
    here: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them may be called as the example is."""
    listed = Path.iterdir

    def unreadable(folder: Path) -> Iterator[Path]:
        if folder == here.campaigns:
            raise OSError(24, "Too many open files")
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", unreadable)
    with pytest.raises(OSError, match="Too many"):
        here.find("tenacity", to_play=True)
    assert "tenacity" in here.uncopied_examples()
    assert not (here.campaigns / "tenacity").exists()


def test_an_example_that_may_not_be_written_makes_a_copy_that_may(here: Locations) -> None:
    """Examples installed read-only are played all the same."""
    for path in (here.examples / "sparrow" / "campaign.toml", here.examples / "sparrow"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    copy = here.find("sparrow", to_play=True)
    (here.examples / "sparrow").chmod(0o755)
    assert copy.stat().st_mode & 0o700 == 0o700
    assert (copy / "campaign.toml").stat().st_mode & 0o600 == 0o600


def test_a_copy_is_made_whole_or_not_at_all(here: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    """When copying an example fails half-way, nothing of it stays."""

    def full(source: str, target: str, *, follow_symlinks: bool = True) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(OSError, match="No space left"):
        here.find("tenacity", to_play=True)
    assert [path.name for path in here.campaigns.iterdir()] == ["Night Run"]


@pytest.mark.parametrize("name", ["First light", "tenacity-2", "Čajka", "星", "🚀 one", "a" * 100, "x.toml", "שלום"])
def test_names_people_give_are_fine(here: Locations, name: str) -> None:
    """Spaces, accents, other scripts and emoji may stand in a name; the folder is called as the campaign is."""
    assert here.new(name) == here.campaigns / name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "needs a name"),
        ("  ", "needs a name"),
        ("-x", "begin with “-”, “.” or a space"),
        (".x", "begin with “-”, “.” or a space"),
        ("..", "begin with “-”, “.” or a space"),
        (" x", "or end with a space"),
        ("x ", "or end with a space"),
        ("a/b", "can't contain “/”"),
        ("a\\b", "can't contain “/”"),
        ("a\nb", "invisible characters"),
        ("a\x1bb", "invisible characters"),
        ("a\u202eb", "invisible characters"),
        ("a\udc80b", "invisible characters"),
        ("a\x00b", "invisible characters"),
        ("é" * 51, "at most 100 bytes"),
        ("Night Run", "there is already a campaign “Night Run”"),
        ("night-run", "there is already a campaign “Night Run”"),
        ("log", "already exists and is not a campaign"),
    ],
)
def test_names_that_would_hurt_are_refused_in_words(here: Locations, name: str, why: str) -> None:
    """A name that is taken or can't be a folder's is answered with the reason."""
    (here.campaigns / "log").mkdir()
    with pytest.raises(InvalidName, match=why):
        here.new(name)


def test_from_a_checkout_campaigns_lie_in_it(home: Path) -> None:
    """Run from its sources Waylog uses the folder `campaigns` there, and the examples in it."""
    found = locations(None, {})
    assert found.campaigns == ROOT / "campaigns"
    assert found.examples == ROOT / "campaigns" / "examples"
    assert found.state == home / ".local" / "state" / "waylog"


def test_installed_campaigns_lie_with_the_persons_data(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed it uses the data folder of the person, as the XDG specification has it, and examples of its own."""
    monkeypatch.setattr("waylog.store.folders_and_recent._checkout", lambda: None)
    found = locations(None, {})
    assert found.campaigns == home / ".local" / "share" / "waylog" / "campaigns"
    assert found.examples == found.program / "examples"
    moved = locations(None, {"XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"})
    assert moved.campaigns == Path("/data/waylog/campaigns")
    assert moved.state == Path("/state/waylog")
    relative = locations(None, {"XDG_DATA_HOME": "data", "XDG_STATE_HOME": ""})
    assert (relative.campaigns, relative.state) == (found.campaigns, found.state)


def test_people_may_say_where_campaigns_are() -> None:
    """`WAYLOG_CAMPAIGNS` says it for all commands, `--dir` for one."""
    assert locations(None, {"WAYLOG_CAMPAIGNS": "/a"}).campaigns == Path("/a")
    assert locations("/b", {"WAYLOG_CAMPAIGNS": "/a"}).campaigns == Path("/b")
    assert locations(None, {"WAYLOG_CAMPAIGNS": ""}).campaigns == locations(None, {}).campaigns


def test_the_last_campaign_is_remembered_while_it_is_there(here: Locations) -> None:
    """A campaign that was opened is the last one, until its folder is gone."""
    assert here.last() is None
    here.remember(here.campaigns / "Night Run")
    assert here.last() == here.campaigns / "Night Run"
    (here.campaigns / "Night Run").rename(here.campaigns / "Day Run")
    assert here.last() is None
    here.last_opened_file.write_bytes(b"\xff\x00")
    assert here.last() is None


def test_campaigns_that_were_opened_are_listed_the_latest_first(here: Locations) -> None:
    """Each once, as long as it is there. A damaged file costs no more than its damage."""
    folders = [here.campaigns / name for name in ("Night Run", "alba", "Beta")]
    for folder in folders:
        folder.mkdir(exist_ok=True)
        (folder / "campaign.toml").touch()
        here.remember(folder)
    here.remember(folders[0])
    assert here.recent() == [folders[0], folders[2], folders[1]]
    (folders[2] / "campaign.toml").unlink()
    assert here.recent() == [folders[0], folders[1]]
    here.recent_file.write_bytes(here.recent_file.read_bytes()[:-9] + b"\xff\n/a\0b\nrubbish\n/" + b"x" * 5000)
    assert here.recent()[0] == folders[0]
    here.recent_file.unlink()
    assert here.recent() == [folders[0]]
    here.last_opened_file.unlink()
    assert here.recent() == []


def test_a_folder_name_of_any_bytes_is_remembered(here: Locations) -> None:
    """A folder's name need not be UTF-8."""
    odd = here.campaigns / os.fsdecode(b"caf\xe9")
    (here.campaigns / "Night Run").rename(odd)
    here.remember(odd)
    assert here.last() == odd


def test_only_folders_with_a_campaign_file_are_campaigns(here: Locations) -> None:
    """Other folders and files, and what begins with a dot, are passed over; a broken link to a file is not."""
    (here.campaigns / "examples").mkdir()
    (here.campaigns / "notes.txt").touch()
    (here.campaigns / ".half").mkdir()
    (here.campaigns / ".half" / "campaign.toml").touch()
    (here.campaigns / "linked").mkdir()
    (here.campaigns / "linked" / "campaign.toml").symlink_to("nowhere")
    assert here.campaign_names() == ["linked", "Night Run"]


def test_an_example_named_by_its_folder_is_copied_too(here: Locations) -> None:
    """However it is named, it is not played itself; looked at, it is where it lies."""
    folder = here.examples / "tenacity"
    for name in (f"{folder}/", str(folder / "campaign.toml")):
        assert here.find(name, to_play=False) == folder
        assert here.find(name, to_play=True) == here.campaigns / "tenacity"
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "campaign.toml", "log"]


def test_two_programs_may_copy_an_example_at_once(here: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second plays the copy that is there."""
    rename = Path.rename

    def second(half: Path, target: Path) -> Path:
        target.mkdir()
        (target / "campaign.toml").write_text("name = 'the first'")
        return rename(half, target)

    monkeypatch.setattr(Path, "rename", second)
    assert here.find("tenacity", to_play=True) == here.campaigns / "tenacity"
    assert (here.campaigns / "tenacity" / "campaign.toml").read_text() == "name = 'the first'"
    assert sorted(path.name for path in here.campaigns.iterdir()) == ["Night Run", "tenacity"]
