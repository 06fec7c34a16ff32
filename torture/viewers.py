"""What each of four viewers can read, whatever is played: everybody, Ana, Ben, and Cy, who has nothing of his own.

Every secret is a word that occurs nowhere else, and may be read by some of them. A look is one viewer and one output at one moment. It
fails if the output has a word that this viewer was never shown. And what a player asks takes as long for a name that is hidden as for one
that doesn't exist.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import tomli

from tests.store.test_projection_hides import (
    GUESSES,
    HIDING,
    TOLD,
    VIEWERS,
    Marks,
    campaign_of_some,
    found,
    public,
    written,
)
from torture import acts
from torture.figures import Harness, Tally, Work
from waylog.cli.json_output import players_change
from waylog.line_mode.players import JoinSpeaker, PlayersChange, PlayersSpeaker
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import Act, ActRefused, Text
from waylog.rules.what_players_may_do import PlayersGame
from waylog.serve import guests_and_feed
from waylog.serve.connections_requests_and_login import Request, Response, Site
from waylog.serve.guests_and_feed import Feed, Guests
from waylog.store.files_and_lock import FILE
from waylog.store.players.inbox import InboxRefused, send
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PhoneKeys, cookie_of
from waylog.store.players.moves_and_odds_for_players import moves_for
from waylog.store.players.players_file import FollowedFile, encode_projection
from waylog.store.players.what_players_missed import what_was_missed
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table

_GAMES = ("veil-core", "course-flow", "emissaries", "veil-classic", "long-post")
_WRONGS = ("leaks",)
_SPOKEN = ("clocks", "cards", "timers", "ship", "crew", "log 60", "missed")
_ACTS = 30
"""The acts of one campaign."""
_PORT = 7717
_ASKER = "ben"
_TELLING, _PLANTED = 0.05, 0.5
"""By what share of its time an answer has to be later before it tells something; and a share that has to be noticed."""
_SHUFFLES = 4000


def run(work: Work) -> Iterator[Tally]:
    """Play campaigns at random, and look after each act."""
    wanted, random = work.times(3000, 400, 60), Random(work.seed)
    tally, walk = Tally("secrets of others, in every output of every viewer", "looks", _WRONGS, wanted), 0
    while tally.count < wanted:
        game = _GAMES[walk % len(_GAMES)]
        _walk(work.folder / f"{walk}", game, random, tally, wanted)
        walk += 1
    yield tally


def _walk(folder: Path, game: str, random: Random, tally: Tally, wanted: int) -> None:
    """Play one campaign, until there were enough looks."""
    for told_alone in TOLD.values():
        told_alone.clear()
    mark = Marks()
    written(folder, campaign_of_some(game, mark))
    start, minutes = datetime(2026, 1, 5, 20, tzinfo=UTC), iter(range(10**6))
    table = Table(folder, now=lambda: start + timedelta(seconds=next(minutes)), chance=ChanceDice(random.randrange))
    known = {viewer: set[str]() for viewer in VIEWERS}
    for number in range(_ACTS):
        with suppress(ActRefused, InboxRefused):
            _act(table, random, mark)
        table.settle()
        if tally.count >= wanted:
            return
        for viewer in VIEWERS:
            known[viewer] |= found(public(table)) | found(public(table, viewer))
            for output, text in _outputs(table, viewer, random):
                tally.did()
                leaks = found([text]) - known[viewer]
                where = f"{game}, act {number}, {output} of {viewer or 'everybody'}"
                tally.all_wrong("leaks", where, sorted(leaks))


def _act(table: Table, random: Random, mark: Marks) -> None:
    """The wayfinder does something, most of all with what is hidden; or a player proposes something, which is played."""
    if random.random() < 0.3:
        by = random.choice([viewer for viewer in VIEWERS if viewer])
        move = random.choice([move for move in moves_for(table.projection(by).moves, by) if not move.blocked])
        send(table.folder, by, f"{move.id} hello" if any(isinstance(ask, Text) for ask in move.asks) else move.id)
        table.refresh()
        for proposal in table.proposals:
            table.accept(proposal.id)
        return
    if random.random() < 0.1:
        table.undo()
        return
    act = acts.any_act(random, table.snapshot)
    while act.move.verb in ("set", "overrule"):
        act = acts.any_act(random, table.snapshot)
    word = mark() if act.move.verb in HIDING or act.move.id == "timer" else "hello"
    texts = {
        ask.name: f"5m {word}" if act.move.verb == "timer" else word for ask in act.move.asks if isinstance(ask, Text)
    }
    given = {**act.answers, **texts}
    if act.move.id == "clock":
        given["seen"] = "hidden"
    if act.move.verb == "tell":
        TOLD[act.move.words[0]].add(word)
    table.play(Act(act.move, given, act.faces))


def _outputs(table: Table, viewer: str, random: Random) -> Iterator[tuple[str, str]]:
    """All that one viewer can read now."""
    file = FollowedFile(table.folder, "gone", viewer)
    file.look()
    seen = file.seen
    assert seen is not None, file.trouble
    yield "the file", encode_projection(seen).decode()
    yield from _from_the_server(table, viewer, random)
    yield "watch --json", json.dumps(players_change(PlayersChange(seen, seen.log, taken_back=False)), default=str)
    yield "the recap", recap_text(table.recap())
    speaker = JoinSpeaker(table.folder, viewer) if viewer else PlayersSpeaker(table.folder)
    spoken = [*speaker.greet().lines]
    for line in _SPOKEN:
        word, _, rest = line.partition(" ")
        if word in speaker.commands:
            spoken += speaker.commands[word](rest).lines
    yield "line mode", "\n".join(spoken)
    if not viewer:
        return
    yield "what they missed", "\n".join(what_was_missed(seen, viewer, 0))
    moves = moves_for(seen.moves, viewer)
    texts = ("", "r", "tick ", "on ", "roll ", "tell ")
    yield "completions", repr([completions(moves, text) for text in texts])
    guess, words = _guess(table, random)
    yield "a refusal", _answer_to(table, viewer, words).replace(guess, "…")
    answers = (table.folder / "inbox" / viewer).glob("*.answer")
    yield "answers", "\n".join(path.read_text() for path in answers)


def _guess(table: Table, random: Random) -> tuple[str, str]:
    """Return a key of something, and words of a player who has guessed it."""
    state = table.snapshot
    guess = random.choice(sorted({*state.clocks, *state.decks, *state.tables, *state.situations}))
    return guess, random.choice(GUESSES).format(guess)


def _from_the_server(table: Table, viewer: str, random: Random) -> Iterator[tuple[str, str]]:
    """All that a phone, or the table's screen, gets from `waylog serve`: its feed, and what it is answered."""
    phone = _Phone(table.folder, viewer)
    yield "the feed", phone.feed()
    guess, words = _guess(table, random)
    asked = {"id": f"{random.getrandbits(128):032x}", "words": words, "move": guess, "answers": {"on": guess}}
    for path in ("/act", "/odds", "/take-back", "/login"):
        for keys in (("id", "words"), ("id", "move", "answers")):
            answer = phone.post(path, {key: asked[key] for key in keys})
            yield f"the answer to {path}", f"{answer}".replace(guess, "…")


class _Phone:
    """A phone, or the table's screen, with a server of its own. No time passes between the two."""

    def __init__(self, campaign: Path, viewer: str) -> None:
        keys = PhoneKeys(campaign.with_name(f"{campaign.name}-state"), campaign)
        self._site = Site(Guests(campaign, keys, lambda: None), frozenset())
        self._site.answer(self._request("POST", "/login", b'{"token": ""}'))  # It makes the keys.
        self._base = "" if viewer else "/table"
        cookie = cookie_of(keys.by_player[viewer or TABLE])
        self._cookie = f"waylog-{'' if viewer else 'table-'}{_PORT}={cookie}"

    _base = _cookie = ""

    def _request(self, method: str, path: str, body: bytes) -> Request:
        host = f"127.0.0.1:{_PORT}"
        headers = {"host": host, "origin": f"http://{host}", "content-type": "application/json", "cookie": self._cookie}
        return Request(method, f"{self._base}{path}", headers, body, ("127.0.0.1", _PORT))

    def post(self, path: str, data: object) -> Response:
        """Send something."""
        answer = self._site.answer(self._request("POST", path, json.dumps(data).encode()))
        assert isinstance(answer, Response)
        return answer

    def feed(self) -> str:
        """Return the first message of the feed: the whole state."""
        stream = self._site.answer(self._request("GET", "/feed", b""))
        assert isinstance(stream, Feed), stream
        message = asyncio.run(stream.next_chunk())
        stream.end()
        assert message
        return message.decode()


def _answer_to(table: Table, viewer: str, words: str) -> str:
    game = PlayersGame(table.game)
    state, _ = table.game.read(tomli.loads((table.folder / FILE).read_text()))
    try:
        act = game.understand(state, viewer, words)
        return repr(game.odds(state, act, viewer))
    except ActRefused as refused:
        return refused.refusal.reason


# -- times -----------------------------------------------------------------------------------------------------------------


def run_times(work: Work) -> Iterator[Tally]:
    """Guess at hidden names and at names that don't exist, one after the other, and compare how long the answers take."""
    pairs, random, mark = work.times(600, 100, 40), Random(work.seed), Marks()
    folder = written(work.folder / "times", campaign_of_some("veil-core", mark))
    start, minutes = datetime(2026, 1, 5, 20, tzinfo=UTC), iter(range(10**9))
    table = Table(folder, now=lambda: start + timedelta(minutes=next(minutes)), chance=ChanceDice(random.randrange))
    table.settle()
    state, seen = table.snapshot, found([*public(table), *public(table, _ASKER)])
    hidden = [key for key in {**state.clocks, **state.decks, **state.situations} if key not in seen and len(key) == 6]
    names = [(key, mark()) for key in hidden]
    assert len(names) > 5
    assert all(len(absent) == 6 for _, absent in names)
    ways = _ways_to_ask(table)
    guesses = random.sample(GUESSES, work.times(len(GUESSES), len(GUESSES), 2))
    tally = Tally("a hidden name is refused as soon as one that doesn't exist", "pairs", ("tells", "blind"))
    tally.wanted = pairs * len(ways) * len(guesses)
    for (way, ask), guess in product(ways.items(), guesses):
        shares = _compare(ask, guess, names, pairs, random)
        tally.did(pairs)
        mean = statistics.fmean(shares)
        percent = round(mean * 100)
        tally.also["% on average at most"] = max(tally.also["% on average at most"], abs(percent))
        if _is_clear(shares, random):
            tally.wrong("tells", f"{way}, “{guess}”: {percent} %")
        # Whether it would be noticed among such times: chance may have made the mean a bit less, or more.
        if guess == guesses[0] and not _is_clear([share - mean + _PLANTED for share in shares], random):
            tally.wrong("blind", way)
    yield tally


def _ways_to_ask(table: Table) -> dict[str, Callable[[str], float]]:
    """Return how a player can guess: on a phone, or by what lies in the inbox. Each tells how many seconds of
    work the answer takes: other programs on this machine don't count.
    """
    guests_and_feed._BURST = 1 << 30  # noqa: SLF001 - An enemy would wait a quarter of a second for each answer.
    phone = _Phone(table.folder, _ASKER)

    def ask(path: str, words: str) -> float:
        began = time.thread_time()
        phone.post(path, {"id": "0" * 32, "words": words})
        return time.thread_time() - began

    def propose(words: str) -> float:
        send(table.folder, _ASKER, words)
        began = time.thread_time()
        table.refresh()
        return time.thread_time() - began

    return {"/act": partial(ask, "/act"), "/odds": partial(ask, "/odds"), "a proposal": propose}


def _compare(
    ask: Callable[[str], float], guess: str, names: Sequence[tuple[str, str]], pairs: int, random: Random
) -> list[float]:
    """Return by what share of its time each hidden name was answered later than one that doesn't exist."""
    shares = list[float]()
    for number in range(-len(names), pairs):  # Each name is asked for once before it counts.
        pair = [guess.format(name) for name in names[number % len(names)]]
        order = random.sample((0, 1), 2)
        took = {which: ask(pair[which]) for which in order}
        shares.append((took[0] - took[1]) / (took[0] + took[1]) * 2)
    return shares[len(names) :]


def _is_clear(shares: Sequence[float], random: Random) -> bool:
    """Whether the mean of some shares is more than chance, and enough for somebody to notice."""
    mean = abs(statistics.fmean(shares))
    if mean < _TELLING:
        return False
    by_chance = (abs(statistics.fmean(share * random.choice((-1, 1)) for share in shares)) for _ in range(_SHUFFLES))
    return all(other < mean for other in by_chance)


TIMES = Harness("times", "whether the time of an answer tells what is hidden", run_times)
HARNESS = Harness("viewers", "what only some players see, in every output of every viewer", run)
