"""A headless Chromium, driven over a pipe: the DevTools protocol, without a library."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SECONDS = 60
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"),
    *("--no-first-run", "--disable-dev-shm-usage", "about:blank"),
)
_DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_HIGH = 20
_START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The protocol is spoken over the descriptors 3 and 4."""


def program() -> str | None:
    """The browser of this machine, if it has one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One browser with one page."""

    def __init__(self, width: int = 1500, height: int = 900) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="agir-browser-", ignore_cleanup_errors=True
        )
        reading, self._to = os.pipe()
        self._from, writing = os.pipe()
        high = [fcntl.fcntl(each, fcntl.F_DUPFD, _HIGH) for each in (reading, writing)]
        options = [
            *_OPTIONS,
            f"--user-data-dir={self._folder.name}",
            f"--window-size={width},{height}",
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, high), program() or NAMES[0], *options],
            pass_fds=high,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for each in (reading, writing, *high):
            os.close(each)
        self._number = 0
        self._waiting = b""
        self.complaints: list[str] = []
        self.session = ""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def close(self) -> None:
        os.close(self._to)
        self._process.terminate()
        self._process.wait(_SECONDS)
        os.close(self._from)
        self._folder.cleanup()

    def ask(self, method: str, **parameters: Any) -> Any:
        """What a method of the protocol gives."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _read(self) -> Any:
        while b"\0" not in self._waiting:
            data = os.read(self._from, 1 << 20)
            assert data, "the browser has ended"
            self._waiting += data
        line, _, self._waiting = self._waiting.partition(b"\0")
        event = json.loads(line)
        kind, details = event.get("method"), event.get("params", {})
        if kind == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(details["exceptionDetails"]))
        elif kind == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.complaints.append(details["entry"]["text"])
        elif kind == "Runtime.consoleAPICalled" and details["type"] in (
            "error",
            "warning",
            "assert",
        ):
            self.complaints.append(json.dumps(details["args"]))
        return event

    def open(self, path: Path) -> float:
        """Open a file; gives the seconds until it is loaded and drawn."""
        start = time.perf_counter()
        self.ask("Page.navigate", url=path.resolve().as_uri())
        self.evaluate(
            "document.readyState === 'complete'"
            " || new Promise((done) => addEventListener('load', () => done(true)))"
        )
        self.evaluate(_DRAWN)
        return time.perf_counter() - start

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, awaited."""
        answer = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, *names: str) -> None:
        """Press keys one after the other."""
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38}
        for name in names:
            text = {} if len(name) > 1 else {"text": name}
            event = {"key": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper()))}
            self.ask("Input.dispatchKeyEvent", type="keyDown", **event, **text)
            self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def point(self, selector: str, click: bool = False) -> None:
        """Move the mouse over an element, and click it."""
        self.evaluate(_DRAWN)
        box = self.evaluate(
            f"(({{x, y, width, height}}) => [x + Math.min(width, 300) / 2, y + height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        where = {"x": box[0], "y": box[1]}
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", **where)
        for kind in ("mousePressed", "mouseReleased") if click else ():
            self.ask("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **where)
        self.evaluate(_DRAWN)

    def picture(self, path: Path) -> None:
        """Take a screenshot."""
        answer = self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))

    def prefer(self, **features: str) -> None:
        """Say what the user prefers: ``color-scheme="dark"``."""
        wanted = [
            {"name": f"prefers-{k.replace('_', '-')}", "value": v} for k, v in features.items()
        ]
        self.ask("Emulation.setEmulatedMedia", features=wanted)
