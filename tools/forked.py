"""Judging in a child of this process, which may crash, or take for ever."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from agir.tools.isolation import Limits, restrict
from agir.tools.verdicts import Tell

_DOING, _TOLD = "doing", "told"
_PATIENCE = 4
"""How often it may take the processor's time that it may have: others use the machine, too."""


def judged(judge: Callable[[Tell], str], limits: Limits) -> str:
    """What a function says in a child of this process, or how the child ends.

    What it tells that it is doing is known of such an end.  This process may not have compiled
    anything: what MLIR's threads hold stays locked in a child.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _answer(judge, limits, writing)
    os.close(writing)
    doing, told, is_late = _heard(reading, _PATIENCE * limits.seconds)
    os.close(reading)
    if is_late:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if told:
        return told
    where = f" in {doing}" if doing else ""
    if is_late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return f"it takes too long{where}"
    return f"the process ends ({_end(status)}){where}"


def _answer(judge: Callable[[Tell], str], limits: Limits, channel: int) -> NoReturn:
    """Judge, say so, and end this process."""

    def tell(kind: str, text: str) -> None:
        os.write(channel, json.dumps([kind, text]).encode() + b"\n")

    try:
        restrict(limits)
        tell(_TOLD, judge(partial(tell, _DOING)))
    finally:
        os._exit(0)


def _heard(channel: int, seconds: float) -> tuple[str, str, bool]:
    """What a child was doing last, what it has said, and whether it has taken too long."""
    end, text = time.monotonic() + seconds, b""
    while left := max(end - time.monotonic(), 0.0):
        ready, _, _ = select.select([channel], [], [], left)
        part = os.read(channel, 1 << 16) if ready else b""
        text += part
        if ready and not part:
            break
    found = {_DOING: "", _TOLD: ""}
    found.update(json.loads(line) for line in text.splitlines())
    return found[_DOING], found[_TOLD], not left


def _end(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit status {os.waitstatus_to_exitcode(status)}"
