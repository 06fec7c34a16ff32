"""A real browser for the tests of the page: headless Chromium, driven by its own protocol.

Playwright and Selenium do more, and weigh 53 and 12 MB for it, with drivers of their own. These tests need a few commands of a protocol
that is stable, and several phones at once, each with its own cookies.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The browser of this machine; None without one."""
PATIENCE = 10.0
"""Seconds after which what was waited for is missing."""
_UNTIL = """new Promise((done, fail) => {
  const end = performance.now() + %d;
  const look = () => {
    let found;
    try { found = %s } catch (error) { found = null }
    if (found) done(true);
    else if (performance.now() > end) fail(new Error("never: " + document.body.innerText.slice(0, 600)));
    else setTimeout(look, 15);
  };
  look();
})"""


class PageError(AssertionError):
    """The page has thrown an error, or what was waited for did not come."""


class Browser:
    """One browser, with as many phones and televisions as are opened. They share nothing."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._numbers = connection, count(1)
        self.errors: list[str] = []
        """What pages have thrown, and what they were refused, such as something that the security policy forbids."""

    def command(self, method: str, session: str = "", **given: object) -> dict[str, Any]:
        """Send one command and return its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": given} | ({"sessionId": session} if session else {})
        self._connection.send(json.dumps(message))
        while True:
            answer = json.loads(self._connection.recv(PATIENCE * 2))
            if answer.get("id") == number:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: Mapping[str, Any]) -> None:
        match event:
            case {"method": "Runtime.exceptionThrown", "params": {"exceptionDetails": details}}:
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            case {"method": "Log.entryAdded", "params": {"entry": {"source": "security", "text": text}}}:
                self.errors.append(text)
            case _:
                pass

    @contextmanager
    def window(self, width: int, height: int, *, scheme: str = "dark", motion: bool = True) -> Iterator[Window]:
        """Open a window with cookies and a storage of its own."""
        context = self.command("Target.createBrowserContext")["browserContextId"]
        target = self.command("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        window = Window(self, session, (width, height))
        for domain in ("Page", "Runtime", "Log", "Network"):
            window.command(f"{domain}.enable")
        window.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        window.command("Emulation.setTouchEmulationEnabled", enabled=width < 600)
        features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "no-preference" if motion else "reduce"}
        window.command("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features.items()])
        try:
            yield window
        finally:
            self.command("Target.disposeBrowserContext", browserContextId=context)


class Window:
    """One window: a phone if it is narrow, or a television."""

    def __init__(self, browser: Browser, session: str, size: tuple[int, int]) -> None:
        self._browser, self._session, self.size = browser, session, size

    def command(self, method: str, **given: object) -> dict[str, Any]:
        """Send a command to this window alone."""
        return self._browser.command(method, self._session, **given)

    def open(self, address: str) -> None:
        """Go to an address."""
        self.command("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """Return what an expression of JavaScript comes to. A promise is waited for."""
        answer = self.command("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise PageError("\n".join([answer["exceptionDetails"]["exception"]["description"], *self._browser.errors]))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition in JavaScript holds."""
        self.run(_UNTIL % (PATIENCE * 1000, condition))

    def see(self, text: str, where: str = "body") -> None:
        """Wait until a text can be read."""
        self.wait(
            f"document.querySelector({json.dumps(where)})?.innerText.toLowerCase().includes({json.dumps(text.lower())})"
        )

    def _place(self, label: str) -> tuple[float, float]:
        """Return the middle of the button, field or choice with this label, once it can be pressed."""
        find = f"""[...document.querySelectorAll("button, label, summary")].filter((one) => one.checkVisibility() && !one.disabled
            && (one.getAttribute("aria-label") ?? one.innerText).trim().startsWith({json.dumps(label)})
            && (!document.querySelector("dialog[open]") || one.closest("dialog[open]"))).at(-1)"""
        self.wait(find)
        x, y = self.run(f"""(() => {{ const one = {find}; one.scrollIntoView({{block: "center"}});
            const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }})()""")
        return x, y

    def press(self, label: str, *, times: int = 1, release: bool = True) -> None:
        """Press a button, a summary or a choice by the beginning of its label. Without `release` it is held."""
        x, y = self._place(label)
        for event in ("mousePressed", "mouseReleased")[: 1 + release] * times:
            self.command("Input.dispatchMouseEvent", type=event, x=x, y=y, button="left", clickCount=1)

    def type(self, label: str, text: str) -> None:
        """Type into the field with this label."""
        self.press(label)
        self.command("Input.insertText", text=text)

    def sleep(self, *, asleep: bool) -> None:
        """Cut the connection, as a phone does that sleeps; or wake it."""
        self.command(
            "Network.emulateNetworkConditions", offline=asleep, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )

    def picture(self) -> bytes:
        """Return what is seen, as PNG."""
        return b64decode(self.command("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browser(home: Path) -> Iterator[Browser]:
    """Start the browser with an empty home, and end it."""
    assert PROGRAM
    arguments = [
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={home}",
        "--no-first-run",
        "--hide-scrollbars",
        "--mute-audio",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-sandbox",  # Root has none to put it into; and it opens only pages of this machine.
    ]
    with subprocess.Popen(
        [PROGRAM, *arguments], stderr=subprocess.PIPE, text=True, env=os.environ | {"HOME": os.fspath(home)}
    ) as process:
        assert process.stderr
        try:
            line = next(line for line in process.stderr if "DevTools listening on " in line)
            with connect(line.split()[-1], max_size=None, proxy=None) as connection:
                yield Browser(connection)
        finally:
            process.kill()
