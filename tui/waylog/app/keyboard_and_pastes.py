"""What a terminal sends, as messages: keys, mouse and pastes. Whatever bytes come, the key after them is understood.

Textual's parser ends at the first sequence it can't compute, and acts on whatever stands in a paste after an Escape. Here a
paste never reaches it, and a parser that has failed is replaced.

On their way to the main screen, keys and pastes wait in a `KeyQueue` until the key before them is done: until all messages that it caused
have been handled. Without this, keys that are typed faster than the window can follow would go to a part that the key before is about to
close. A letter that is refused was often the first of a word: the rest of that word does nothing, until the person pauses. A letter that
means one answer and begins the word of another waits for the next one (`hold`), as long as letters of a word lie apart at most.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, MutableMapping, Sequence
from math import inf
from string import digits

from textual import events
from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.geometry import Size
from textual.message import Message

ESCAPE = 0.025
"""Seconds in which an Escape may turn out to be the start of a longer key. Slow connections send those in one piece too."""
STALLED = 1.0
"""Seconds without a byte after which a paste may have lost its end. Then what came is passed on, and a single key is a
key again.
"""
WIDEST, HIGHEST = 500, 200
"""The largest window that is drawn, in cells. A larger one is drawn in its upper left corner."""
_START, _END = "\x1b[200~", "\x1b[201~"
_LONGEST_PASTE = 65536
_FAILURES = (ParseError, ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)
"""What Textual's parser raises at sequences with absurd numbers in them."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\))")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_RUN = re.compile(r"[ -~]{16,}")
_AFTER_ESCAPE = "[O]PX^_\x1b" + "bf\b\x7f" + digits
"""What belongs to an Escape before it: the start of a longer key or answer, or what means something with Alt. Before any other character,
an Escape is a key of its own: typed one after the other, the two come at once when the line is slow or the program busy.
"""
_LONE_KEY = re.compile(r"[^\x1b]|\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[])?", re.DOTALL)


class Keyboard:
    """Turns bytes into messages. `encoding` is the terminal's."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._decode = getincrementaldecoder(encoding)(errors="ignore").decode
        self._parser = _KeyParser()
        self._recent = ""
        """The last characters that were no paste: the start of one may be split over two reads."""
        self._paste: _Paste | None = None
        self._read_at = 0.0

    def wait(self) -> float | None:
        """Return the seconds after which `tick` has something to do if no byte comes; None if it never has."""
        if self._paste:
            due = self._paste.due
        else:
            due = None if self._parser.due is None else min(self._parser.due, self._read_at + ESCAPE)
        return None if due is None else max(0.0, due - get_time())

    def tick(self) -> Iterator[Message]:
        """Return what the silence means, once `wait` seconds are over."""
        if self._paste:
            yield from _clean_paste(self._paste.rest())
        else:
            self._parser.hurry()
            yield from self._parse_bytes(self._parser.tick())

    def read(self, data: bytes, *, hurried: bool = False) -> Iterator[Message]:
        """Return what these bytes mean. A character, a key or a paste may continue in the next ones.

        With `hurried`, more comes than can be handled: of a run of characters, only the last is looked at.
        """
        text, self._read_at = self._decode(data), get_time()
        if self._paste and self._paste.is_ended_by(text):
            self._paste = None
        if hurried and not self._paste and _START not in self._recent + text:
            text = _RUN.sub(lambda run: run[0][-1], text)
        while text:
            text = yield from self._go_on(self._paste, text) if self._paste else self._keys(text)

    def _keys(self, text: str) -> Generator[Message, None, str]:
        """Read the keys before a paste. Return what follows, as far as a paste has begun."""
        seen = self._recent + text
        start = seen.find(_START)
        end = len(text) if start < 0 else max(0, start - len(self._recent))
        for before, character in zip(f"{self._recent[-1:]:1}{text}", text[:end], strict=False):
            if before == "\x1b" and self._parser.due is not None and character not in _AFTER_ESCAPE:
                self._parser.hurry()
                yield from self._parse_bytes(self._parser.tick())
            for message in self._parse_bytes(self._parser.feed(character)):
                yield _alt_digit(message, character)
        if start < 0:
            self._recent = seen[1 - len(_START) :]
            return ""
        if start < len(self._recent):
            # The parser has the beginning of what turned out to be the start of a paste.
            self._parser = self._parser.new_parser()
        self._recent, self._paste = "", _Paste()
        return seen[start + len(_START) :]

    def _go_on(self, paste: _Paste, text: str) -> Generator[Message, None, str]:
        """Read more of a paste. Return what follows its end."""
        after = paste.take(text)
        if after is None:
            return ""
        self._paste = None
        yield from _clean_paste(paste.rest())
        return after

    def _parse_bytes(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Return the messages. If the parser fails, its sequence is dropped and a new parser continues."""
        try:
            for message in messages:
                if isinstance(message, events.Resize):
                    # The window's new size, as far as it is drawn.
                    message = events.Resize.from_dimensions(drawable(message.size), message.pixel_size)
                yield message
        except _FAILURES:
            self._parser = self._parser.new_parser()


def _alt_digit(message: Message, last: str) -> Message:
    """Return Alt with a digit, which most terminals send as Escape and the digit and Textual takes for a sign such as that of a cent.
    A message that is a key as it was typed comes back as it is.
    """
    is_sign = isinstance(message, events.Key) and message.is_printable and message.character != last
    return events.Key(f"alt+{last}", None) if is_sign and last in digits else message


class _KeyParser(XTermParser):
    """Textual's parser, which says when it will have waited long enough."""

    @property
    def due(self) -> float | None:
        """When what has come so far counts as a key; None if nothing is half typed."""
        return self._timeout_time

    def hurry(self) -> None:
        """Stop waiting."""
        if self._timeout_time is not None:
            self._timeout_time = get_time()

    def new_parser(self) -> _KeyParser:
        """Start a new parser, without what is half typed."""
        new = _KeyParser()
        new.last_x, new.last_y = self.last_x, self.last_y
        sizes = self.terminal_size, self.terminal_pixel_size
        # The mouse position is computed in parts of these.
        if all(size and min(size) > 0 for size in sizes):
            new.terminal_size, new.terminal_pixel_size = sizes
            new.mouse_pixels = self.mouse_pixels
        return new


class _Paste:
    """A paste, which continues until its end mark comes."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._tail = ""
        """Its last characters, which may be the beginning of the end mark."""
        self._last = get_time()
        self._stalled = False

    @property
    def due(self) -> float | None:
        """When it counts as stalled; None if it does already."""
        return None if self._stalled else self._last + STALLED

    def is_ended_by(self, text: str) -> bool:
        """Whether the paste has lost its end: after a long silence comes a single key, where the rest of a paste would
        be longer.
        """
        return self._stalled and len(self._tail) < 3 and _LONE_KEY.fullmatch(text) is not None

    def take(self, text: str) -> str | None:
        """Add more text, or return what follows the paste's end; None if that hasn't come."""
        self._last, self._stalled = get_time(), False
        text = self._tail + text
        end = text.find(_END)
        if end >= 0:
            # A second end mark means that the first one was part of the pasted text.
            end = text.rfind(_END, end, max(text.find(_START, end), 0) or len(text))
            self._tail = ""
            self._keep(text[:end])
            return text[end + len(_END) :]
        begun = next((size for size in range(len(_END) - 1, 0, -1) if text.endswith(_END[:size])), 0)
        self._tail = text[len(text) - begun :]
        self._keep(text[: len(text) - begun])
        return None

    def _keep(self, text: str) -> None:
        """Keep the text up to a limit. Nobody pastes so much into a line; the rest is read and dropped."""
        self._parts.append(text[: max(0, _LONGEST_PASTE - self._size)])
        self._size += len(self._parts[-1])

    def rest(self) -> str:
        """Return what has come and was not returned before."""
        text = "".join(self._parts)
        self._parts, self._stalled = [], True
        return text


def _clean_paste(text: str) -> Iterator[Message]:
    """Return a paste as plain text, without control characters and without the colours of its source."""
    plain = _SEQUENCE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " "))
    if plain := _CONTROL.sub("", plain):
        yield events.Paste(plain)


def limit_variables(environment: MutableMapping[str, str]) -> None:
    """Limit the size of the window in COLUMNS and LINES, which Rich and Python go by, to what is drawn. What is no size is removed."""
    for name, most in (("COLUMNS", WIDEST), ("LINES", HIGHEST)):
        if (text := environment.get(name)) is None:
            continue
        size = text.lstrip("0")
        if not (size.isascii() and size.isdigit()):
            del environment[name]
        elif len(size) > len(str(most)) or int(size) > most:
            environment[name] = str(most)


def drawable(size: tuple[int, int]) -> Size:
    """Return a window's size in cells, as far as it is drawn. A window that reports no size is taken for the usual one."""
    width, height = size
    return Size(min(width or 80, WIDEST), min(height or 24, HIGHEST))


_LONGEST_WAIT = 0.1
"""The longest time, in seconds, that a key waits until the one before it is done."""

_PAUSE = 0.3
"""The time, in seconds, after which somebody who types no key has paused."""

WORD_PAUSE = 0.3
"""The time, in seconds, between two keys that don't belong to one word. With 0, no letter waits for another one."""
STRAY = 0.7
"""The time, in seconds, in which an Enter behind a key that has acted by itself is taken for a habit."""
TWICE = 1.5
"""The time, in seconds, after a campaign was chosen with Enter in which another Enter is taken for the same one, pressed twice."""
_IN_WORDS = ("enter", "backspace", "space")
"""The keys beside letters that one types with words."""


class KeyQueue:
    """The keys and pastes that wait, and whether the last one that was handled is done."""

    def __init__(
        self,
        before: Iterable[events.Key | events.Paste] = (),
        clock: Callable[[], float] = get_time,
        *,
        swallows_enter: bool = False,
    ) -> None:
        """`before` were typed before there was a queue. With `swallows_enter`, the first key does nothing if it is an Enter that comes
        `TWICE` seconds from now at most.
        """
        self._clock = clock
        self._is_first, self._made_at = swallows_enter, clock()
        self._waiting = deque[events.Key | events.Paste](before)
        self._handled_time = 0.0
        """When the last key that was taken was pressed."""
        self._taken_at = 0.0
        """When it was taken: a key of a burst may have waited for long."""
        self._before = inf
        """The time between that key and the one before it, if that one was typed; otherwise for ever."""
        self._was_typed = False
        """Whether that key is one of those that words are typed with."""
        self._may_hold = True
        """Whether that key may wait for the next one."""
        self._is_enter = self._acted = False
        """Whether that key was Enter, and whether it has acted without one."""
        self.is_stray = False
        """Whether the key that was taken last is an Enter of habit: the key before it has acted just now, and needed none; or the
        campaign was chosen with Enter before.
        """
        self._held: list[events.Key] = []
        """The letters that wait for the next one, because they may begin a word."""
        self.word = ""
        """What was typed, if the last key was a letter of a word that means one answer only."""
        self._released = 0
        """How many of the first keys that wait have been held before, and are not held again."""
        self._before_take = self._before_held = 0.0, False
        """When the key before the last one was pressed, and whether it was typed; and the same before the first one that is held."""
        self._handled = self._done = 0
        """The numbers of the last key that was handled, and of the last one that is done."""

    def __len__(self) -> int:
        """Return how many keys wait."""
        return len(self._waiting) + len(self._held)

    @property
    def is_done(self) -> bool:
        """Whether the last key that was handled is done."""
        return self._done == self._handled

    def is_resting(self, now: float) -> bool:
        """Whether nobody types at the time `now`, in the seconds of events: the next key is probably not about to come."""
        return self.is_done and not self._waiting and now - self._handled_time >= _PAUSE

    def add(self, event: events.Key | events.Paste) -> bool:
        """Add a key. Return whether the first key that waits should be handled now."""
        self._waiting.append(event)
        return self.is_done or event.time - self._taken_at >= _LONGEST_WAIT

    def take(self) -> events.Key | events.Paste | None:
        """Remove the first key and return it; None if none waits."""
        if not self._waiting:
            return None
        event = self._waiting.popleft()
        self._released, self._may_hold = max(0, self._released - 1), self._released == 0
        self._before_take = self._handled_time, self._was_typed
        is_enter = isinstance(event, events.Key) and event.key == "enter"
        follows = self._acted and event.time - self._handled_time < STRAY
        is_twice = self._is_first and event.time - self._made_at < TWICE
        self.is_stray, self._is_first = is_enter and (follows or is_twice), False
        self._acted, self._is_enter = False, is_enter
        self._before = event.time - self._handled_time if self._was_typed else inf
        self._handled_time, self._taken_at = event.time, max(event.time, self._clock())
        self._was_typed = isinstance(event, events.Key) and (event.is_printable or event.key in _IN_WORDS)
        return event

    def note_act(self) -> None:
        """Note that the key that was taken last has acted."""
        self._acted = not self._is_enter

    @property
    def goes_on_with_word(self) -> bool:
        """Whether the key that was taken last was typed with the one before it, as the letters of a word are."""
        return self._was_typed and self._before < WORD_PAUSE

    @property
    def word_pause(self) -> float:
        """How long a letter that is held waits for the next one, in seconds."""
        return WORD_PAUSE

    @property
    def held_letters(self) -> str:
        """The letters that are held."""
        return "".join(event.character or "" for event in self._held)

    def holds(self, event: events.Key | events.Paste, begun: Callable[[str], Sequence[object]] | None) -> bool:
        """Return whether the key that was taken last doesn't act yet: it is a letter that waits for the next one, or the letters before it
        act first. `begun` returns the answers of which a word begins with a text; nothing if one letter means one answer alone.

        As soon as that is one answer, the key acts, and `word` is what was typed.
        """
        self.word = ""
        if not (self._may_hold and WORD_PAUSE):
            return False
        letter = (isinstance(event, events.Key) and event.character) or ""
        found = (
            begun(self.held_letters + letter)
            if begun and letter.isalpha() and (self.goes_on_with_word or not self._held)
            else ()
        )
        if not found and self._held:
            self.release(event)
            return True
        if not (found and isinstance(event, events.Key)):
            return False
        if not self._held:
            self._before_held = self._before_take
        self._held.append(event)
        if len(found) == 1 and len(self._held) > 1:
            self.word, self._held = self.held_letters, []
        return not self.word

    def release(self, *others: events.Key | events.Paste) -> None:
        """Let the letters that are held act one by one after all, and others after them."""
        if self._held:
            self._waiting.extendleft(reversed((*self._held, *others)))
            self._released = len(self._held)
            self._handled_time, self._was_typed = self._before_held
            self._held = []

    def drain(self) -> Iterator[events.Key | events.Paste]:
        """Remove and yield all keys that wait."""
        while self._waiting:
            yield self._waiting.popleft()

    def number_handled(self) -> int:
        """Note that a key has been handled, and return its number, for `finish`."""
        self._handled += 1
        return self._handled

    def finish(self, number: int) -> bool:
        """Note that a key and all before it are done. Return whether the first key that waits should be handled now."""
        self._done = number
        return self.is_done and bool(self._waiting)
