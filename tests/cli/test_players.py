"""`waylog players`, and what the log, the recap and `--json` say of who proposed what."""

from pathlib import Path

import pytest

from tests.cli.test_output_schema import faults
from tests.kit.cli import CommandLine
from tests.store.test_proposals import CAMPAIGN
from waylog.store.players.inbox import send

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILUv0HZQBZQS0MqKckVFWL2Ew94scW2KJBWPNd9RDeP9"


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """A campaign with two players, Ana and Ben."""
    line = CommandLine(tmp_path)
    line.file("trial").parent.mkdir(parents=True)
    line.file("trial").write_text(CAMPAIGN)
    return line


def test_players_are_listed(waylog: CommandLine) -> None:
    """With their characters, and with what is played for them without asking."""
    assert waylog.done("players", "trial").out.splitlines() == [
        "ana: Ana plays Odile. Allowed without asking: note",
        "ben: Ben plays Bram. Allowed without asking: roll, tick",
    ]
    waylog.file("trial").write_text('system = "veil-core"\n')
    assert "[players.ana]" in waylog.done("players", "trial").out


@pytest.mark.parametrize("comment", ["", " ana@home", ' "quoted" and\\more', " 舟"])
def test_a_key_gets_the_line_that_lets_its_owner_join_and_do_nothing_else(
    waylog: CommandLine, tmp_path: Path, comment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is printed and written nowhere. It has whole paths: a login over SSH has another PATH than the wayfinder."""
    program = tmp_path / "my programs" / "waylog"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr("sys.argv", [str(program)])
    key = tmp_path / "ana.pub"
    key.write_text(f"{KEY}{comment}\n")
    out = waylog.done("players", "trial", "add", "ana", str(key)).out
    folder = waylog.file("trial").parent.resolve()
    assert out == f"restrict,pty,command=\"'{program}' join {folder} --as ana\" {KEY}{comment}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must contain one public key"),
        (f"{KEY}\n{KEY}\n", "must contain one public key"),
        (f'command="rm -rf /" {KEY}', "must contain one public key"),
        (f"no-pty {KEY}", "must contain one public key"),
        (KEY.replace("ssh-ed25519", "ssh-rsa"), "must contain one public key"),
        (KEY[:-1], "must contain one public key"),
        ("ssh-ed25519 AAAA", "must contain one public key"),
        ("ssh-ed25519 !!!!", "must contain one public key"),
        (f"{KEY} a\x1b[2Jb", "must contain one public key"),
        (f"{KEY} a\u202eb", "must contain one public key"),
        (f"{KEY}\r{KEY}", "must contain one public key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n", "is a private key"),
        ("x" * 20_000, "the limit is 16,384"),
    ],
)
def test_what_is_not_one_public_key_is_refused(waylog: CommandLine, tmp_path: Path, text: str, said: str) -> None:
    """So that a line never has options that somebody else has written, nor a second key."""
    key = tmp_path / "ana.pub"
    key.write_text(text)
    ran = waylog("players", "trial", "add", "ana", str(key))
    assert ran.code == 2
    assert said in ran.err


def test_only_a_player_of_the_campaign_gets_a_line(waylog: CommandLine, tmp_path: Path) -> None:
    """The refusal names the players; a folder or a missing file is refused, too."""
    (tmp_path / "ana.pub").write_text(KEY)
    ran = waylog("players", "trial", "add", "cy", str(tmp_path / "ana.pub"))
    assert (ran.code, "Its players: ana, ben" in ran.err) == (2, True)
    for file in ("none.pub", "."):
        assert waylog("players", "trial", "add", "ana", str(tmp_path / file)).code == 2
    assert waylog("players", "trial", "remove", "ana").code == 2


def test_the_log_and_the_recap_know_who_it_was(waylog: CommandLine) -> None:
    """`log --who` finds what a player proposed; the recap quotes a player's note by name."""
    folder = waylog.file("trial").parent
    send(folder, "ana", "note I look at the lamp")
    waylog.done("do", "trial", "note", "nobody does")
    waylog.done("recap", "trial")
    assert "Note: I look at the lamp · by ana" in waylog.done("log", "trial", "--who", "ana").out
    assert "nobody does" not in waylog.done("log", "trial", "--who", "ana").out
    entries = waylog.json("log", "trial")["entries"]
    assert sorted(entry["by"] for entry in entries) == ["", "ana"]
    recap = waylog.done("recap", "trial").out
    assert "> Ana: I look at the lamp" in recap
    assert "> nobody does" in recap


def test_a_path_that_openssh_would_read_otherwise_is_refused(waylog: CommandLine, tmp_path: Path) -> None:
    """OpenSSH takes a backslash for itself, so the login would look for another folder."""
    (tmp_path / "ana.pub").write_text(KEY)
    waylog.file("trial").parent.rename(tmp_path / "tri\\al")
    ran = waylog("players", "tri\\al", "add", "ana", str(tmp_path / "ana.pub"))
    assert (ran.code, "authorized_keys" in ran.err) == (2, True)


def test_setup_makes_folders_and_lets_keys_in(waylog: CommandLine, tmp_path: Path, home: Path) -> None:
    """With one account for all. It keeps the keys that are there. The second time it changes nothing, and the words may come in
    either order.
    """
    (tmp_path / "ana.pub").write_text(f"{KEY} ana@home\n")
    keys = home / ".ssh" / "authorized_keys"
    keys.parent.mkdir()
    keys.write_text("ssh-ed25519 AAAA you@home")
    said = waylog.done("players", "trial", "setup", f"ana={tmp_path / 'ana.pub'}").out
    assert f"ana: added the key to {keys}" in said
    folder = waylog.file("trial").parent
    assert (folder / "inbox" / "ana").is_dir()
    assert (folder / "inbox" / "ben").is_dir()
    first, line = keys.read_text().splitlines()
    assert (first, line.endswith(f'--as ana" {KEY} ana@home')) == ("ssh-ed25519 AAAA you@home", True)
    before = keys.read_bytes()
    said = waylog.done("players", "setup", "trial", f"ana={tmp_path / 'ana.pub'}").out
    assert f"ana: the key is already in {keys}" in said
    assert keys.read_bytes() == before
    assert waylog.json("players", "trial", "setup")["ok"]


def test_a_key_that_already_opens_something_else_is_not_let_in(waylog: CommandLine, tmp_path: Path, home: Path) -> None:
    """OpenSSH takes the first line of a key, so the new one would do nothing."""
    (tmp_path / "ana.pub").write_text(KEY)
    keys = home / ".ssh" / "authorized_keys"
    keys.parent.mkdir()
    keys.write_text(f"{KEY} you@home\n")
    assert "for a different purpose" in waylog.done("players", "trial", "setup", f"ana={tmp_path / 'ana.pub'}").out
    assert keys.read_text() == f"{KEY} you@home\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("eve=root", "this campaign has no player “eve”"),
        ("ana=nobody-has-this", "useradd --create-home nobody-has-this"),
        ("nobody-has-this", "there is no account"),
        ("eve=none.pub", "this campaign has no player “eve”"),
        ("ana=none.pub", "can't read none.pub"),
    ],
)
def test_setup_refuses_before_it_does_anything(waylog: CommandLine, given: str, said: str) -> None:
    """What only root can do comes as a command to copy."""
    ran = waylog("players", "trial", "setup", given)
    assert (ran.code, said in ran.err) == (2, True)
    assert not (waylog.file("trial").parent / "inbox" / "ana").exists()


def test_a_table_with_players_has_an_inbox_from_the_first_act_on(waylog: CommandLine) -> None:
    """The first act at a table with players makes the inbox, at the shell too. From then on `check` says if it is missing."""
    folder = waylog.file("trial").parent
    waylog.done("check", "trial")
    waylog.done("do", "trial", "note", "hello")
    assert (folder / "inbox").is_dir()
    waylog.done("check", "trial")
    (folder / "inbox").rmdir()
    ran = waylog("check", "trial")
    assert (ran.code, f"players {folder} setup" in ran.err + ran.out) == (1, True)
    waylog.done("players", "trial", "setup")
    waylog.done("check", "trial")


def test_what_a_player_missed_is_a_command(waylog: CommandLine) -> None:
    """For one player or for each, as often as somebody asks: only a window of the player's counts as having been there."""
    assert waylog("missed", "trial").code == 2
    waylog.done("do", "trial", "note The lamp is lit")
    for _ in range(2):
        out = waylog.done("missed", "trial", "--as", "ana").out
        assert out.startswith("Ana:\n")
        assert "Note: The lamp is lit" in out
    answer = waylog.json("missed", "trial")
    assert faults(answer, {"$ref": "#/$defs/missed-output"}, set()) == []
    assert [one["key"] for one in answer["players"]] == ["ana", "ben"]
    assert waylog("missed", "trial", "--as", "zoe").code == 2


def test_stakes_are_shown_from_the_shell(waylog: CommandLine) -> None:
    """Players see them until something is played, or until they are hidden. What rests on a secret is refused."""
    file = waylog.file("trial").with_name("players.toml")
    answer = waylog.json("do", "trial", "stakes roll odile desperate")
    assert faults(answer, {"$ref": "#/$defs/stakes-output"}, set()) == []
    assert answer["stakes"][0]["title"] == "Roll for Odile: Desperate"
    assert "Roll for Odile: Desperate" in file.read_text().partition("stakes = ")[2]
    assert "can't see" in waylog.done("do", "trial", "stakes").out
    assert "Roll for Odile: Desperate" not in file.read_text().partition("stakes = ")[2]
    assert waylog("do", "trial", "stakes roll odile on voice").code != 0
