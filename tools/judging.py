"""What is wrong with a program: it is run as Python and compiled, in a process of its own.

A request for a program has its ``source``, at whose end are the ``ARGUMENTS`` of a call, and its
``function`` and ``convention``.

A server imports agir once; a child that it forks judges one program, and may crash.
"""

from __future__ import annotations

import copy
import json
import linecache
import os
import re
import subprocess
import sys
import warnings
from functools import partial
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.config import config
from agir.tools.forked import judged
from agir.tools.isolation import Limits
from agir.tools.smaller_python import ARGUMENTS
from agir.tools.verdicts import DIFFERS, FINE, Tell, in_pass, told

if TYPE_CHECKING:
    from agir.backends.validation import Finding, Validation

_TOLERANCE = 1e-6
_NAME = "reduced"


class Judge:
    """Judges programs, or modules: what is asked of all of them is in the request."""

    def __init__(self, request: dict[str, Any], limits: Limits, kind: str = "program") -> None:
        self._request = {**request, "kind": kind}
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


def prepare() -> None:
    """Have what every child needs, so that none has to import it: but no threads, for it has none."""
    import agir as ag
    from agir.backends import validation
    from agir.backends.cpu import engine  # noqa: F401
    from agir.backends.stages import Compilation
    from agir.ir.building import bindings

    bindings.context().enable_multithreading(False)
    traced = ag.jit(_first).get_concrete_function(1.0)
    program = Compilation.from_module(traced.compilation.get("hlo"))  # without passes of plugins
    validation.validate(program, traced.name, [np.float64(1.0)])


def _first(x: float) -> float:
    return x * 2.0 + 1.0


def _serve() -> None:
    """Answer requests, a line for each."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what programs print is not part of the answer
    from agir.tools import judging_modules

    prepare()
    verdicts = {"program": verdict, "module": judging_modules.verdict}
    for line in sys.stdin:
        request = json.loads(line)
        limits, judge = Limits(**request["limits"]), verdicts[request["kind"]]
        channel.write(json.dumps(judged(partial(judge, request), limits)) + "\n")
        channel.flush()


class _Found(BaseException):
    """A pass that has made a mistake: what comes after it in the call means nothing."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


def _stop(checked: Validation) -> None:
    if checked.finding is not None:
        raise _Found(checked.finding)


def verdict(request: dict[str, Any], tell: Tell = lambda doing: None) -> str:
    """What is wrong with the program of a request; ``tell`` gets the passes as they begin."""
    import agir as ag
    from agir.backends import validation
    from agir.backends.mlir.passes import announced
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
    compiled, after = loading.decorated(found, request["convention"]), copy.deepcopy(given)
    try:
        with (
            ag.config.scope(backend="validated", cache=False),
            validation.reporting(_stop),
            announced(lambda stage, name: tell(in_pass(stage, name))),
        ):
            result = _outcome(compiled, after)
    except _Found as wrong:
        return told(wrong.finding)
    if isinstance(result, InternalError):
        place = re.search(r"\(in ([\w.]+)\)", str(result))
        return f"an internal error{f' in {place[1]}' if place else ''}"
    if isinstance(result, AgirError) and not isinstance(expected, Exception):
        return f"agir refuses it: {type(result).__name__}"
    is_same = same(result, expected) and (isinstance(expected, Exception) or same(after, own))
    return FINE if is_same else DIFFERS


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
