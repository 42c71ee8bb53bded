"""Whether each pass keeps what a program means: it is interpreted after each, and compared.

What a call gives by the stage ``hlo`` is right.  After every pass that has changed the module, down to
the LLVM dialect, the interpreter runs it on the same arguments; what differs, or has become undefined,
is the fault of that pass.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import field
from itertools import zip_longest
from typing import Any

import numpy as np

from agir.backends.cpu.passes.analysis.functions import DESTINATIONS, LEAVES
from agir.backends.cpu.passes.bufferization.result_destinations import DESTINATION
from agir.backends.entry import Entry, Run
from agir.backends.mlir.passes import PassObserver, PassReport, Step, announced, pass_name, run
from agir.backends.reference import Interpreter, UndefinedBehaviour, UnsupportedOperation
from agir.backends.reference.core.types import is_unset
from agir.backends.stages import Compilation
from agir.errors import InternalError
from agir.ir.building import bindings
from agir.ir.building.attributes import RECORD
from agir.records import dataclass

_log = logging.getLogger("agir.passes")

PATIENCE = 5.0
"""Seconds of processor time that one interpretation may take for there to be others."""
_LAST = "llvm"
_RECORDED = 3
"""How many results tell of a failure: the kind, 0 for none, and two numbers."""
_TOLERANCES = {2: 1e-2, 4: 1e-4, 8: 1e-8}
"""By the bytes of a float, how far it may be off, in parts of the largest of its array."""


@dataclass(frozen=True)
class Finding:
    """A pass after which a call gives something else, or that fails itself."""

    stage: str
    name: str
    difference: str
    before: str
    """The module that the pass got, and what it made of it."""
    after: str
    error: Exception | None = None
    """What the pass has raised, or what has been after it, where that is no module of the stage."""

    def __str__(self) -> str:
        if self.error is not None:
            return f"the pass {self.name!r}, on the way to {self.stage!r}, {self.difference}"
        return (
            f"after the pass {self.name!r}, on the way to {self.stage!r}, a call gives something "
            f"else: {self.difference}"
        )


@dataclass
class Validation:
    """What has been found of the passes of a program."""

    checked: list[tuple[str, str]] = field(default_factory=list)
    """The stage and the name of each pass after which the program gives the same."""
    left: Counter[str] = field(default_factory=Counter)
    """How many passes have not been checked, by the reason."""
    finding: Finding | None = None

    def __str__(self) -> str:
        parts = [f"{len(self.checked)} passes keep what a call gives"]
        parts += [f"{count} not checked ({why})" for why, count in self.left.items()]
        return "; ".join(parts if self.finding is None else [*parts, str(self.finding)])


class _FoundError(Exception):
    """Ends the compilation: what is after the first mistake means nothing."""


def validate(
    program: Compilation,
    name: str,
    arguments: Sequence[Any],
    given: Mapping[str, Any] | None = None,
    origin: str = "hlo",
) -> Validation:
    """Compile a program anew from a stage, and check each pass with the arguments of a call.

    The arguments are not changed.
    """
    module = program.get(origin)

    def compile_again(observer: PassObserver) -> None:
        Compilation.from_module(module, origin, observer, program.passes).get(_LAST)

    return _validated(module, _Call(name, arguments, given), compile_again)


def validate_steps(
    module: Any, steps: Sequence[Step], name: str, arguments: Sequence[Any]
) -> Validation:
    """Run passes over a module, and check each of them with the arguments of a call."""

    def run_steps(observer: PassObserver) -> None:
        for step in steps:
            run(module, pass_name(step), [step], observer)

    return _validated(module, _Call(name, arguments, None), run_steps)


@dataclass(frozen=True)
class _Call:
    """What is called, and with what."""

    name: str
    arguments: Sequence[Any]
    given: Mapping[str, Any] | None


def _validated(module: Any, call: _Call, compiled: Callable[[PassObserver], None]) -> Validation:
    validation = Validation()
    try:
        meaning = _Meaning(module, call)
    except (UndefinedBehaviour, UnsupportedOperation) as error:
        validation.left[f"the program itself: {_reason(error)}"] += 1
        return validation
    observer = _Observer(meaning, validation, str(module))
    try:
        with announced(observer.begins):
            compiled(observer)
    except _FoundError:
        return validation
    except Exception as error:
        if observer.is_interpreting:
            raise  # no mistake of the pass
        observer.fails(error)
    observer.end()
    return validation


class _Meaning:
    """What a call gives, and leaves in its arguments."""

    def __init__(self, module: Any, call: _Call) -> None:
        self._call = call
        begun = time.process_time()
        self.expected = self._of(module)
        if time.process_time() - begun > PATIENCE:
            raise UnsupportedOperation("interpreting it takes too long")

    def difference(self, module: Any) -> str:
        """How what a module gives differs from what is expected; empty where it does not."""
        found = self._of(module)
        if len(found) != len(self.expected):
            return f"{len(found)} results in place of {len(self.expected)}"
        pairs = zip(found, self.expected, strict=True)
        told = (told_difference(n, *pair) for n, pair in enumerate(pairs))
        return next((each for each in told if each), "")

    def _of(self, module: Any) -> list[Any]:
        interpreter = Interpreter(module, self._call.given)
        if interpreter.may_act:
            raise UnsupportedOperation("it calls out, which is not done again")
        own = [_own(each) if np.ndim(each) else each for each in deepcopy(self._call.arguments)]
        results = interpreter.call(self._call.name, *own, writes=True)
        attributes = _attributes(module, self._call.name)
        if LEAVES in attributes:
            *results, reason, _, _ = results
            if reason:
                raise UnsupportedOperation("the function ends early")
        if RECORD in attributes and results[-_RECORDED]:
            return results[-_RECORDED:]  # it has failed, and the other results mean nothing
        pairs = list(zip_longest(results, _destinations(attributes)))
        written = {target: value for value, target in pairs if target is not None}
        written |= {position: own[position] for position in _written(attributes)}
        kept = [value for value, target in pairs if target is None]
        return [*kept, *(written[position] for position in sorted(written))]


def _own(array: Any) -> Any:
    """A copy in the byte order of this machine."""
    return np.array(array, np.asarray(array).dtype.newbyteorder("="))


def _attributes(module: Any, name: str) -> Any:
    """The attributes of a function."""
    return next(
        operation.attributes
        for operation in module.body.operations
        if "sym_name" in operation.attributes and operation.attributes["sym_name"].value == name
    )


def _destinations(attributes: Any) -> list[int | None]:
    """For each result the argument into which it is written, while it is a result."""
    if "res_attrs" not in attributes:
        return []
    return [
        each[DESTINATION].value if DESTINATION in each else None for each in attributes["res_attrs"]
    ]


def _written(attributes: Any) -> Sequence[int]:
    """The arguments that are written into, where such results are none any more."""
    return tuple(attributes[DESTINATIONS]) if DESTINATIONS in attributes else ()


class _Observer:
    """Interprets what there is after each pass."""

    def __init__(self, meaning: _Meaning, validation: Validation, text: str) -> None:
        self._meaning, self._validation, self._text = meaning, validation, text
        self._begun = ("", "")
        self.is_interpreting = False
        self._suspect: Finding | None = None
        """What has become undefined: later passes may remove it, for nothing needs it."""

    def begins(self, stage: str, name: str) -> None:
        """Note which pass is running, or was the last one."""
        if name:
            self._begun = stage, name

    def fails(self, error: Exception) -> None:
        """The pass that is running has raised this."""
        told = f"raises {type(error).__name__}: {_reason(error)}"
        self._suspect = self._suspect or Finding(*self._begun, told, self._text, "", error)

    def __call__(self, report: PassReport) -> None:
        """Check a pass."""
        if not report.changed:
            return
        before, self._text = self._text, report.text(locations=True)
        self.is_interpreting = True
        self._compare(report, before)
        self.is_interpreting = False

    def _compare(self, report: PassReport, before: str) -> None:
        try:
            difference = self._meaning.difference(bindings.ir.Module.parse(self._text))
        except UnsupportedOperation as error:
            self._validation.left[_reason(error)] += 1
            return
        except UndefinedBehaviour as error:
            told = f"undefined: {_reason(error)}"
            made = Finding(report.stage, report.name, told, before, self._text)
            self._suspect = self._suspect or made
            return
        if self._suspect is not None and not difference:
            self._validation.left["undefined where nothing needs it any more"] += 1
            self._suspect = None
        if difference:
            made = Finding(report.stage, report.name, difference, before, self._text)
            self._validation.finding = self._suspect or made
            raise _FoundError
        self._validation.checked.append((report.stage, report.name))

    def end(self) -> None:
        """Nothing has come after what has become undefined."""
        self._validation.finding = self._validation.finding or self._suspect


def _reason(error: Exception) -> str:
    return re.split(r" at loc\(|\n", str(error))[0]


def told_difference(number: int, found: Any, expected: Any) -> str:
    """How a result differs from what is expected; empty where it does not."""
    one, other = map(_signless, (found, expected))
    if one.shape != other.shape or one.dtype != other.dtype:
        return (
            f"result {number} is {one.dtype} of shape {one.shape}, "
            f"in place of {other.dtype} of shape {other.shape}"
        )
    differ = ~(is_unset(other) | _is_close(one, other))
    if not differ.any():
        return ""
    at = tuple(map(int, np.argwhere(differ)[0]))
    place = f" at {list(at)}" if at else ""
    return f"result {number}{place} is {one[at]!r}, in place of {other[at]!r}"


def _signless(value: Any) -> Any:
    """Integers as MLIR has them, whose bits may be those of one without a sign."""
    array = np.asarray(value)
    return array.view(f"i{array.itemsize}") if array.dtype.kind == "u" else array


def _is_close(one: Any, other: Any) -> Any:
    if one.dtype.kind not in "fc":
        return one == other
    size = one.real.dtype.itemsize
    finite = np.abs(other[np.isfinite(other)])
    scale = float(finite.max(initial=0.0))
    with np.errstate(all="ignore"):
        return np.isclose(
            one, other, rtol=_TOLERANCES[size], atol=_TOLERANCES[size] * scale, equal_nan=True
        )


Found = Callable[[Validation], None]
_found: ContextVar[Found | None] = ContextVar("agir.validation", default=None)


@contextmanager
def reporting(found: Found) -> Iterator[None]:
    """What the back end `validated` finds inside the block goes there, and nothing is raised for it."""
    token = _found.set(found)
    try:
        yield
    finally:
        _found.reset(token)


@contextmanager
def collecting() -> Iterator[list[Validation]]:
    """What the back end `validated` finds inside the block, as a list."""
    found: list[Validation] = []
    with reporting(found.append):
        yield found


def load(program: Compilation, entry: Entry) -> Run:
    """The back end `validated`: machine code, each pass of which is checked with a first call."""
    from agir.backends.cpu import engine

    made: list[Run] = []

    def checked(arguments: Sequence[Any]) -> list[Any]:
        if not made:  # a pass that fails, or ends the process, is found before it does so here
            _report(validate(program, entry.name, arguments, entry.given), entry.name)
            made.append(engine.load(program, entry))
        return made[0](arguments)

    return checked


def _report(found: Validation, name: str) -> None:
    _log.info("%s: %s", name, found)
    report = _found.get()
    if report is not None:
        report(found)
    elif found.finding is not None:
        told = f"agir has made a mistake: of {name!r}, {found.finding}"
        raise InternalError(told) from found.finding.error
