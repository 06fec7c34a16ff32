"""Parse the arguments of `waylog`: the command, its words, its options. This is done by hand, because it is part of
every start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.values import NamedTuple

DEFAULT_SYSTEM = "veil-core"
MANY = 1_000_000
COLOUR = "--color"
COLOUR_CHOICES = ("auto", "always", "never")
PAGED = ("help", "list", "log", "moves", "odds", "recap", "rule", "show")
"""The commands whose answer is shown in a pager if it doesn't fit in the terminal."""

OPTIONS: Mapping[str, tuple[str, str]] = {
    "--json": ("", "answer with one JSON object"),
    COLOUR: ("WHEN", "colours: auto (only on a terminal), always or never"),
    "--dir": ("FOLDER", "the folder with your campaigns (default: $WAYLOG_CAMPAIGNS)"),
    "--help": ("", "show this help"),
    "--dice": ("3,5,6", "real dice, in the order they are rolled"),
    "--system": ("ID", f"the game (default: {DEFAULT_SYSTEM})"),
    "--into": ("NAME", "write the result as a new campaign"),
    "--number": ("N", "how many entries (default: 20; 0 shows all)"),
    "--path": ("", "print the path and write nothing"),
    "--edit": ("", "open the file in your editor"),
    "--keys": ("", "list the actions whose keys you can change"),
    "--theme": ("NAME", "the colour theme"),
    "--again": ("", "start the tutorial again from the beginning"),
    "--lines": ("", "print plain lines of text instead of filling the screen"),
    "--table": ("", "show rolls in large type, for a screen that everybody can see"),
    "--read-only": ("", "open read-only: look, but don't play"),
    "--with-later": ("", "undo later changes to the same values too"),
    "--secrets": ("", "include what is hidden from players"),
    "--paper": ("SIZE", "paper size: a4 or letter (default: a4)"),
    "--output": ("FILE", "write to this file instead of the terminal"),
    "--story": ("", "tell the session as a story, without bookkeeping"),
    "--previously": ("", "print only what mattered most, in ten lines"),
    "--all": ("", "print a recap of the campaign so far: sessions, clocks, losses"),
    "--scene": ("", "undo everything since the scene marker"),
    "--dry-run": ("", "only show what would happen: nothing is played or written"),
    "--what-if": ("", "try the actions (separated by ;) on a copy: nothing is saved"),
    "--replay": ("", "also replay each log and compare the results"),
    "--game": ("FILE", "use this version of the game file"),
    "--verify": ("", "recompute sealed dice from their seeds"),
    "--at": ("ENTRY", "show the state after this log entry"),
    "--like": ("GAME", "start from one of the example games, such as ironsworn, blades or mothership"),
    "--here": ("", "write the game into the current folder, such as a campaign's folder"),
    "--play": ("N", "also play N random sessions of the game, and report the results"),
    "--yes": ("", "don't ask first"),
    "--for": ("WHO", "the key of the crew member who gets the tools (default: the first with room for them)"),
    "--as": ("PLAYER", "who you are: the key of a player in the campaign file"),
    "--lan": ("", "let phones on the local network connect (default: this machine only)"),
    "--port": ("N", "the port to listen on (default: 7717, or the next free one)"),
    "--keep": ("", "keep serving after the session ends"),
    "--address": ("URL", "the address of a proxy or tunnel through which phones connect"),
}
"""Every option but the filters of the log, with the name of its value and its purpose."""
RECAP_FORMS = ("markdown", "html", "text", "json", "notes")
"""The forms that `recap --as` prints."""
OPTIONS_OF: Mapping[tuple[str, str], tuple[str, str]] = {
    ("recap", "--as"): ("FORM", f"{', '.join(RECAP_FORMS[:-1])} or {RECAP_FORMS[-1]} (default: {RECAP_FORMS[0]})"),
    ("undo", "--dry-run"): ("", "only show what would be undone"),
    ("convert", "--system"): ("ID", "the game to convert to"),
    ("log", "--number"): ("N", "how many entries, or how many actions if you use filters (default: 20; 0 shows all)"),
}
"""Options that mean something else to one command."""
EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "": {"waylog": "Opens the last campaign, or lets you choose one."},
    "open": {"waylog open tenacity": "Opens an example campaign in the app."},
    "play": {"waylog play tenacity": "Plays the campaign line by line, for example with a screen reader."},
    "new": {
        "waylog new": "Asks for the game, name, ship, crew and clocks.",
        'waylog new "Night post" --system veil-2026': "Creates a campaign file to fill in with an editor.",
    },
    "learn": {"waylog learn": "Starts or continues the tutorial."},
    "list": {"waylog list": "Lists the campaigns and examples that you can open."},
    "systems": {"waylog systems": "Lists the games that `waylog new --system` accepts."},
    "help": {"waylog help focus": "Explains Focus. You can also name a command or an action."},
    "rule": {
        "waylog rule damage": "Shows the rules that mention damage.",
        "waylog rule tenacity focus": "Shows the rules about Focus, with the campaign's house rules.",
    },
    "moves": {"waylog moves tenacity": "Lists everything that `waylog do` accepts now."},
    "do": {
        "waylog do tenacity roll nav --dry-run": "Shows what would happen, and how likely it is.",
        "waylog do tenacity roll nav keelwing --dice 3,5,5": "Logs a roll of real dice. Without --dice, Waylog rolls.",
        'waylog do tenacity "tick grain 2; roll nav" --what-if': "Tries both actions on a copy of the campaign.",
        "waylog do tenacity keep": "After a roll, keeps the dice as they are.",
        'waylog do tenacity note "The tug answers"': "Writes a note in the log.",
        "waylog do tenacity open 1-the-twelfth-hull": "Opens a scene card.",
    },
    "odds": {
        "waylog odds tenacity roll nav keelwing": "Shows the odds before anybody rolls.",
        'waylog odds tenacity "roll nav; damage ship if fiasco; roll hul"': "Shows where several actions in a row could lead.",
    },
    "show": {
        "waylog show tenacity": "Shows the whole campaign.",
        "waylog show tenacity --at 12": "Shows the campaign as it was after log entry 12.",
    },
    "diff": {"waylog diff tenacity 12 40": "Shows what changed from entry 12 to entry 40."},
    "branch": {"waylog branch tenacity 12 --into other": "Creates a campaign that continues from entry 12."},
    "log": {
        "waylog log tenacity -n 5": "Shows the last five entries.",
        "waylog log tenacity --who bram --outcome fiasco": "Shows what went badly for Bram.",
        "waylog log tenacity --since yesterday": "Shows what happened since yesterday.",
    },
    "join": {"waylog join tenacity --as ana": "Opens the window of the player whose key is ana."},
    "watch": {
        "waylog watch tenacity": "Opens the players' view, for a second screen.",
        "waylog watch tenacity --json": "Prints the players' view as JSON, and again after every change.",
    },
    "missed": {
        "waylog missed tenacity --as ana": "Shows what happened since Ana last looked.",
        "waylog missed tenacity": "Shows what each player missed.",
    },
    "serve": {
        "waylog serve tenacity --lan": "Shows the codes that phones on the local network use to connect.",
        "waylog serve tenacity": "Lets browsers connect only from this machine, directly or through a tunnel.",
    },
    "players": {
        "waylog players tenacity": "Lists the players.",
        "waylog players tenacity add ana ana.pub": "Prints the authorized_keys line that lets Ana in over SSH.",
        "waylog players tenacity revoke ana": "Locks out the phone that uses Ana's code, and makes a new code.",
    },
    "undo": {
        "waylog undo tenacity": "Undoes the last action.",
        "waylog undo tenacity 12 --dry-run": "Shows what undoing entry 12 would reverse.",
        "waylog undo tenacity --scene": "Undoes everything since the scene started.",
    },
    "convert": {
        "waylog convert tenacity --system veil-2026": "Shows what would change.",
        "waylog convert tenacity --system veil-2026 --into copy": "Creates the converted campaign.",
    },
    "redo": {"waylog redo tenacity": "Reverses the last undo."},
    "recap": {
        "waylog recap tenacity 7": "Prints the recap of session 7 for the players.",
        "waylog recap tenacity --previously": "Prints what mattered most, to read out before the next session.",
        "waylog recap tenacity --story --as html": "Prints the latest session as a story, in HTML.",
        "waylog recap tenacity 7 --as notes": "Prints the recap of session 7 for a notes app, with front matter and links.",
        "waylog recap tenacity --all": "Prints a recap of the campaign so far.",
    },
    "print": {
        "waylog print sheets tenacity -o sheets.html": "Writes the sheets as a page to print from a browser.",
        "waylog print odds tenacity --paper letter -o odds.html": "Writes a wall chart with the odds of the crew's rolls.",
        "waylog print cards tenacity --secrets -o cards.html": "Writes the scene cards and every card in the decks, to print and cut out.",
    },
    "replay": {
        "waylog replay tenacity": "Checks that the log still gives the same results.",
        "waylog replay tenacity exposed=always": "Shows what a different house rule would have changed.",
    },
    "luck": {
        "waylog luck tenacity": "Compares all dice rolled so far with fair dice.",
        "waylog luck tenacity --verify": "Recomputes Waylog's own dice from the seeds in the log.",
    },
    "why": {"waylog why tenacity ship.focus": "Shows what changed the ship's Focus."},
    "conflicts": {
        "waylog conflicts tenacity": "Lists the values that were changed both in the file and in play.",
        "waylog conflicts tenacity join": "Joins the logs of both clones after a git merge.",
    },
    "restore": {"waylog restore tenacity": "Lists the versions that can be restored."},
    "check": {
        "waylog check": "Checks all campaigns, your settings and your themes.",
        "waylog check tenacity --replay": "Also replays the log, and checks that it gives the same values.",
    },
    "config": {"waylog config --edit": "Opens your settings in your editor, and checks them."},
    "kit": {
        "waylog kit tenacity": "Lists what you can add from the starter kit.",
        "waylog kit tenacity derelict": "Adds a random table.",
        "waylog kit tenacity Rumours d20": "Creates an empty random table for you to fill in.",
    },
    "schema": {
        "waylog schema veil-core": "Prints the schema that editors use to complete and check a campaign file.",
        "waylog schema card": "Prints the schema of a scene card.",
        "waylog schema output": "Prints the schema of all --json output.",
    },
    "game": {
        "waylog game list": "Lists the games by how they use dice, and the well-known games they resemble.",
        'waylog game new "Iron Moon" --like ironsworn': "Creates a game that you can play and change.",
        "waylog game check iron-moon": "Lists the mistakes in the game file or, if there are none, the odds of the game's rolls.",
        "waylog game check iron-moon --play 200": "Also plays 200 random sessions, and reports the results.",
    },
    "info": {"waylog info": "Shows where Waylog keeps its files."},
    "completion": {"waylog completion bash": "Prints the completion script for bash."},
}
"""Examples of each command, and what each does."""
SHORT: Mapping[str, str] = {"-h": "--help", "-n": "--number", "-o": "--output"}
EVERYWHERE = ("--json", "--dir", COLOUR, "--help")
"""The options that each command takes."""


class UsageError(Exception):
    """The arguments can't be understood. Has the reason, and the correct usage."""


class UnknownCommand(UsageError):
    """The first word isn't a command."""

    def __init__(self, reason: str, word: str, directory: str | None) -> None:
        """`directory` is the folder of campaigns that was given, if one was."""
        super().__init__(reason)
        self.word, self.directory = word, directory


class Subcommand(NamedTuple):
    """One command: its function, its arguments, and its purpose."""

    name: str
    place: str
    """`module function` in `waylog.cli`."""
    takes: str
    about: str
    least: int = 0
    """The number of required words."""
    most: int = 0
    options: tuple[str, ...] = ()
    seldom: bool = False
    """Whether the help for all commands has no line for it, and only names it."""
    more: str = ""
    """A line that only its own help has."""

    @property
    def usage(self) -> str:
        """The usage line."""
        return f"waylog {self.name} {self.takes}".replace("  ", " ").rstrip()


class Arguments(NamedTuple):
    """The arguments of a command."""

    words: tuple[str, ...]
    options: Mapping[str, str]

    @property
    def name(self) -> str:
        """The first word: usually the campaign."""
        return self.words[0]

    @property
    def json(self) -> bool:
        """Whether the answer is for a program."""
        return "--json" in self.options


START = Subcommand(
    "", "open_play_watch_and_serve start", "", "open the last campaign, or choose one", options=("--theme",)
)
COMMANDS = (
    Subcommand(
        "open",
        "open_play_watch_and_serve open_",
        "CAMPAIGN [--read-only]",
        "open a campaign in the app",
        1,
        1,
        ("--read-only", "--theme"),
    ),
    Subcommand(
        "play",
        "open_play_watch_and_serve play",
        "CAMPAIGN [--read-only]",
        "play line by line, in plain text",
        1,
        1,
        ("--read-only",),
    ),
    Subcommand(
        "new",
        "new_list_show_and_log new",
        "[NAME] [--system ID] [--yes]",
        "create a campaign, step by step",
        0,
        1,
        ("--system", "--yes"),
    ),
    Subcommand(
        "learn",
        "open_play_watch_and_serve learn",
        "[--again]",
        "play a ten-minute tutorial",
        options=("--again", "--theme"),
    ),
    Subcommand("list", "new_list_show_and_log list_", "", "list your campaigns and the examples"),
    Subcommand("systems", "help_and_rules systems", "", "list the games"),
    Subcommand(
        "help", "help_and_rules help_", "[WORD…]", "explain a command, an action or a rule", 0, MANY, ("--system",)
    ),
    Subcommand(
        "rule", "help_and_rules rule", "[CAMPAIGN] [RULE or words…]", "look up the rules", 0, MANY, ("--system",)
    ),
    Subcommand(
        "moves", "do_undo_and_odds moves", "CAMPAIGN", "list what you can do now, and what you can't", 1, 1, seldom=True
    ),
    Subcommand(
        "do",
        "do_undo_and_odds do",
        "CAMPAIGN WORDS… [--dice 3,5,6]",
        "do one action",
        1,
        MANY,
        ("--dice", "--dry-run", "--what-if"),
        more="You can also type `proposals` to list what players propose, `play 1` or `decline 1 WHY` to answer a proposal, `stakes roll nav` to show players the stakes, `pause` to pause, `pause end` to resume, and `undo` or `redo`.",
    ),
    Subcommand("odds", "do_undo_and_odds odds", "CAMPAIGN WORDS…", "show the exact odds of a roll", 2, MANY),
    Subcommand(
        "show",
        "new_list_show_and_log show",
        "CAMPAIGN [--at ENTRY]",
        "show ship, crew, clocks, decks and tables",
        1,
        1,
        ("--at",),
    ),
    Subcommand(
        "diff",
        "recap_luck_diff_and_why diff",
        "CAMPAIGN ENTRY [ENTRY]",
        "show what changed between entries",
        2,
        3,
        seldom=True,
    ),
    Subcommand(
        "branch",
        "recap_luck_diff_and_why branch",
        "CAMPAIGN ENTRY --into NAME",
        "create a campaign that continues from an entry",
        2,
        2,
        ("--into",),
        seldom=True,
    ),
    Subcommand(
        "log",
        "new_list_show_and_log log",
        "CAMPAIGN [-n N] [--grep TEXT]",
        "show or search the log",
        1,
        1,
        ("--number",),
    ),
    Subcommand(
        "join",
        "open_play_watch_and_serve join",
        "CAMPAIGN --as PLAYER [--lines]",
        "play along as one of the players",
        1,
        1,
        ("--as", "--lines", "--theme"),
    ),
    Subcommand(
        "watch",
        "open_play_watch_and_serve watch",
        "CAMPAIGN [--as PLAYER] [--lines | --table]",
        "open the players' view",
        1,
        1,
        ("--as", "--lines", "--table", "--theme"),
    ),
    Subcommand(
        "missed",
        "players_and_ssh_keys list_missed",
        "CAMPAIGN [--as PLAYER]",
        "show what players missed while they were away",
        1,
        1,
        ("--as",),
        seldom=True,
    ),
    Subcommand(
        "serve",
        "open_play_watch_and_serve serve",
        "CAMPAIGN [--lan] [--keep] [--port N]",
        "let phones and a large screen connect",
        1,
        1,
        ("--lan", "--keep", "--port", "--address", "--theme"),
    ),
    Subcommand(
        "players",
        "players_and_ssh_keys players",
        "CAMPAIGN [add PLAYER KEYFILE | setup [PLAYER=ACCOUNT or KEYFILE…] | revoke PLAYER]",
        "list the players, or let them join from other machines",
        1,
        MANY,
        seldom=True,
    ),
    Subcommand(
        "undo",
        "do_undo_and_odds undo",
        "CAMPAIGN [ENTRY|last] [--with-later]",
        "undo the last action, or its last step",
        1,
        2,
        ("--with-later", "--scene", "--dry-run"),
    ),
    Subcommand(
        "convert",
        "check_and_convert convert",
        "CAMPAIGN --system ID",
        "convert a campaign to another game",
        1,
        1,
        ("--system", "--into"),
        seldom=True,
    ),
    Subcommand("redo", "do_undo_and_odds redo", "CAMPAIGN", "redo the last undone action", 1, 1, seldom=True),
    Subcommand(
        "recap",
        "recap_luck_diff_and_why recap",
        "CAMPAIGN [SESSION] [--secrets]",
        "print the recap of a session, for players",
        1,
        2,
        ("--secrets", "--story", "--previously", "--all", "--as"),
    ),
    Subcommand(
        "print",
        "print_pages print_",
        "sheets|clocks|cards|tables|recap|keys|odds CAMPAIGN [-o FILE]",
        "print sheets, cards, odds and other pages",
        2,
        2,
        ("--output", "--paper", "--secrets"),
        seldom=True,
    ),
    Subcommand(
        "replay",
        "recap_luck_diff_and_why replay",
        "CAMPAIGN [RULE=VALUE…] [--game FILE]",
        "replay the log with the same dice",
        1,
        MANY,
        ("--game",),
        seldom=True,
    ),
    Subcommand(
        "luck",
        "recap_luck_diff_and_why luck",
        "CAMPAIGN [SESSION | --verify]",
        "compare the dice rolled so far with fair dice",
        1,
        2,
        ("--verify",),
        seldom=True,
    ),
    Subcommand(
        "why",
        "recap_luck_diff_and_why why",
        "CAMPAIGN VALUE",
        "show what changed a value, such as ship.focus",
        2,
        2,
        seldom=True,
    ),
    Subcommand(
        "conflicts",
        "conflicts_and_restore conflicts",
        "CAMPAIGN [keep|take|join [N]]",
        "list or resolve edit conflicts",
        1,
        3,
        seldom=True,
    ),
    Subcommand(
        "restore",
        "conflicts_and_restore restore",
        "CAMPAIGN [VERSION]",
        "list or restore versions of the campaign file",
        1,
        2,
        seldom=True,
    ),
    Subcommand(
        "check",
        "check_and_convert check",
        "[CAMPAIGN…] [--replay]",
        "check campaign files for mistakes",
        0,
        MANY,
        ("--replay",),
    ),
    Subcommand(
        "config",
        "check_and_convert config",
        "[--path | --edit | --keys]",
        "create or check your settings file",
        options=("--path", "--edit", "--keys"),
        seldom=True,
    ),
    Subcommand(
        "kit",
        "new_list_show_and_log kit",
        "[CAMPAIGN] [THING…] [--for WHO]",
        "list or add items from the starter kit, or make a table",
        0,
        MANY,
        ("--for",),
        seldom=True,
    ),
    Subcommand(
        "schema",
        "help_and_rules schema",
        "[SYSTEM | table | card | output]",
        "print the JSON schema of a file or of --json output",
        0,
        1,
        seldom=True,
    ),
    Subcommand(
        "game",
        "game game",
        "list|new|check|schema|pack|add [GAME] [FILE]",
        "write, check and share a game of your own",
        1,
        3,
        ("--like", "--here", "--play", "--yes"),
        seldom=True,
    ),
    Subcommand("info", "help_and_rules info", "", "show the paths that Waylog uses", seldom=True),
    Subcommand(
        "completion",
        "shell_completion completion",
        "bash|zsh|fish",
        "print a script that lets your shell complete commands",
        1,
        MANY,
        seldom=True,
    ),
)


def parse_arguments(typed: Sequence[str]) -> tuple[Subcommand, Arguments]:
    """Return the command and its arguments. Raises `UsageError`.

    Options may be anywhere before a lone `--`. A number with a minus, or an argument with a space, is a word.
    """
    words: list[str] = []
    options: dict[str, str] = {}
    waiting = list(typed)
    while waiting:
        argument = waiting.pop(0)
        if argument == "--":
            words += waiting
            break
        if not argument.startswith("-") or argument[1:].isdigit() or argument == "-" or " " in argument:
            words.append(argument)
            continue
        option, is_there, value = argument.partition("=")
        option = SHORT.get(option, option)
        if wanted := option_of(words[0] if words else "", option)[0]:
            value = value if is_there or not waiting else waiting.pop(0)
            if not value:
                raise UsageError(f"{option} needs a value: {option} {wanted}")
        options[option] = value
    command = _command(words, options.get("--dir"))
    arguments = Arguments(tuple(words[1:]), options)
    if "--help" not in options:
        _check(command, arguments)
    return command, arguments


def log_filters() -> Mapping[str, tuple[str, str]]:
    """Return the options that filter the log, with the name of their value and their purpose."""
    from waylog.store.log.search_and_filters import FILTERS  # Only `log` has these options.

    return {each.option: (each.value_name, each.about) for each in FILTERS}


def option_of(command: str, option: str) -> tuple[str, str]:
    """Return the name of an option's value, and its purpose."""
    filters = log_filters() if command == "log" or option not in OPTIONS else {}
    return filters.get(option) or OPTIONS_OF.get((command, option)) or OPTIONS.get(option, ("", ""))


def is_option(word: str) -> bool:
    """Whether a command has that option."""
    return word in OPTIONS or (word.startswith("--") and word in log_filters())


def options_of(command: Subcommand) -> Mapping[str, tuple[str, str]]:
    """Return the options that a command takes, with the name of their value and their purpose."""
    filters = log_filters() if command.name == "log" else ()
    return {option: option_of(command.name, option) for option in (*command.options, *filters, *EVERYWHERE)}


def _command(words: Sequence[str], directory: str | None) -> Subcommand:
    if not words:
        return START
    for command in COMMANDS:
        if command.name == words[0]:
            return command
    from difflib import get_close_matches

    names = [command.name for command in COMMANDS]
    near = get_close_matches(words[0], names, 1)
    hint = f"Did you mean {near[0]}?" if near else f"The commands are {', '.join(names)}"
    raise UnknownCommand(f"there is no command “{words[0]}”. {hint}", words[0], directory)


def _check(command: Subcommand, given: Arguments) -> None:
    """Check that the command has every option, and takes that many words. Raises `UsageError`."""
    wrong = ""
    known = options_of(command)
    for option, value in given.options.items():
        if option not in known:
            wrong = f"{option} is not an option here. Options: {', '.join(known)}"
        elif value and not known[option][0]:
            wrong = f"{option} takes no value"
        elif option == COLOUR and value not in COLOUR_CHOICES:
            wrong = f"{option} must be {', '.join(COLOUR_CHOICES[:-1])} or {COLOUR_CHOICES[-1]}, not “{value}”"
    if len(given.words) < command.least:
        wrong = wrong or f"{command.takes.split()[len(given.words)].rstrip('…')} is missing"
    if len(given.words) > command.most:
        wrong = wrong or f"unexpected word “{given.words[command.most]}”"
    if wrong:
        raise UsageError(f"{wrong}\nusage: {command.usage}")


def help_of(command: Subcommand) -> Iterator[str]:
    """Return the help for one command."""
    yield f"usage: {command.usage}"
    yield ""
    yield f"{command.about[:1].upper()}{command.about[1:]}."
    if command.more:
        yield command.more
    yield ""
    for option, (value, about) in options_of(command).items():
        yield f"  {f'{option} {value}':18} {about}"
    yield ""
    yield "For example:"
    for example, does in EXAMPLES[command.name].items():
        yield f"  {example}"
        yield f"      {does}"


def help_of_all() -> Iterator[str]:
    """Return the help for all commands, on one screen."""
    yield "Waylog tracks ship, crew, rolls and clocks for a starship role-playing game."
    often = [command for command in COMMANDS if not command.seldom]
    width = max(len(command.usage) for command in often)
    yield from (f"  {command.usage.ljust(width)}  {command.about}" for command in (START, *often))
    seldom = [command.name for command in COMMANDS if command.seldom]
    half = len(seldom) // 2
    yield f"Also: {', '.join(seldom[:half])},"
    yield f"      {', '.join(seldom[half:])}."
    yield "Every command accepts --json, --dir FOLDER, --color WHEN and --help."
    yield "Exit codes: 0 done, 1 a problem in files or nothing found, 2 wrong usage, 3 refused by the rules."
