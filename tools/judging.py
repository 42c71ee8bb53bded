"""What is wrong with a program: it is run as Python and compiled, in a process of its own.

A server imports agir once; a child that it forks judges one program, and may crash.
"""

from __future__ import annotations

import copy
import json
import linecache
import os
import re
import select
import signal
import subprocess
import sys
import warnings
from types import ModuleType, TracebackType
from typing import Any

from agir.config import config
from agir.tools.isolation import Limits, restrict
from agir.tools.smaller_python import ARGUMENTS

FINE = "nothing"
"""The verdict on a program that does what Python does."""
_TOLERANCE = 1e-6
_NAME = "reduced"


class Judge:
    """Judges programs whose function of a name is called with their ``ARGUMENTS``."""

    def __init__(self, function: str, convention: str, limits: Limits) -> None:
        self._request = {"function": function, "convention": convention}
        self._limits = limits
        self._server: Any = None

    def __enter__(self) -> Judge:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "agir.tools.judging"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "AGIR_PLUGINS": config.plugins},
        )
        return self

    def __exit__(self, *_: type | BaseException | TracebackType | None) -> None:
        self._server.communicate()

    def __call__(self, source: str) -> str:
        """What is wrong with a program, in words that are the same for the same mistake."""
        limits = {"seconds": self._limits.seconds, "memory": self._limits.memory}
        request = {**self._request, "source": source, "limits": limits}
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        return str(json.loads(self._server.stdout.readline()))


def _serve() -> None:
    """Answer requests, a line for each."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what programs print is not part of the answer
    import agir.backends.validation  # noqa: F401  what every child needs

    for line in sys.stdin:
        channel.write(json.dumps(_judged(json.loads(line))) + "\n")
        channel.flush()


def _judged(request: dict[str, Any]) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        restrict(Limits(**request["limits"]))
        os.write(writing, verdict(request).encode())
        os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], request["limits"]["seconds"])
    told = os.read(reading, 1 << 16).decode() if ready else ""
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if told:
        return told
    if not ready or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return "it takes too long"
    return f"the process ends ({_end(status)})"


def _end(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit status {os.waitstatus_to_exitcode(status)}"


def verdict(request: dict[str, Any]) -> str:
    """What is wrong with the program of a request."""
    import agir as ag
    from agir.backends import validation
    from agir.errors import AgirError, InternalError
    from agir.tools import loading

    warnings.simplefilter("ignore")
    try:
        module = _module(request["source"])
        found = loading.find(module, request["function"])
        given = getattr(module, ARGUMENTS)
        plain = getattr(found, "python_function", found)
        expected = _outcome(plain, own := copy.deepcopy(given))
    except BaseException as error:
        return f"the program itself: {type(error).__name__}"
    with ag.config.scope(backend="validated", cache=False), validation.collecting() as checked:
        result = _outcome(
            loading.decorated(found, request["convention"]), after := copy.deepcopy(given)
        )
    finding = next((each.finding for each in checked if each.finding), None)
    if finding is not None:
        return f"the pass {finding.name!r}, of the stage {finding.stage!r}, changes what it gives"
    if isinstance(result, InternalError):
        place = re.search(r"\(in ([\w.]+)\)", str(result))
        return f"an internal error{f' in {place[1]}' if place else ''}"
    if isinstance(result, AgirError) and not isinstance(expected, Exception):
        return f"agir refuses it: {type(result).__name__}"
    is_same = same(result, expected) and (isinstance(expected, Exception) or same(after, own))
    return FINE if is_same else "agir gives something else than Python"


def _module(source: str) -> ModuleType:
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    file = f"<{_NAME}>"
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), vars(module))
    return module


def _outcome(function: Any, given: tuple[Any, ...]) -> Any:
    """What a call gives, or raises."""
    try:
        return function(*given)
    except Exception as error:
        return error


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal; floats nearly, errors by their class."""
    import numpy as np

    if isinstance(one, Exception) or isinstance(other, Exception):
        return isinstance(one, type(other))
    if isinstance(other, list | tuple):
        return (
            isinstance(one, type(other)) and len(one) == len(other) and all(map(same, one, other))
        )
    if isinstance(other, dict):
        return isinstance(one, dict) and same(list(one.items()), list(other.items()))
    if isinstance(other, np.ndarray | np.generic | float | complex):
        left, right = np.asarray(one), np.asarray(other)
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        if right.dtype.kind in "fc":
            return bool(np.allclose(left, right, _TOLERANCE, _TOLERANCE, equal_nan=True))
        return bool((left == right).all())
    return type(one) is type(other) and bool(one == other)


if __name__ == "__main__":
    _serve()
