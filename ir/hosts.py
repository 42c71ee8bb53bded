"""The host's side of callbacks: the Python functions that compiled code calls while it runs.

A declaration in the module says what a callback does (``agir.callback = "print"``, with the text in
``agir.text``), so that the text of any stage is enough to make the Python function again
(:func:`host_function`).  What text cannot hold, such as an open file, is given by name.

Values cross in three forms: integers and bools as ``i64``, floats as ``f64`` (a complex scalar is
two), arrays as tensors.  ``agir.values`` says what they are.  An exception must not cross native
code: it is kept until the call is over (:func:`calling`), and no callback runs after it.
"""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import numpy as np

from agir.errors import LoweringError
from agir.ir import bindings, template
from agir.ir.types import DType, as_dtype

CALLBACK = "agir.callback"
TEXT = "agir.text"
VALUES = "agir.values"
STREAM = "agir.stream"
FLUSH = "agir.flush"

Host = Callable[[Sequence[Any]], Any]
"""Takes the values as NumPy has them; what it returns is the callback's result."""


# Exceptions of callbacks.


class _Call:
    """One call of compiled code in this thread: the first exception of its callbacks."""

    error: BaseException | None = None


_running = threading.local()


@contextmanager
def calling() -> Iterator[None]:
    """A call of compiled code: raises at its end what a callback raised meanwhile."""
    outer = getattr(_running, "call", None)
    call = _running.call = _Call()
    try:
        yield
    finally:
        _running.call = outer
    if call.error is not None:
        raise call.error


def protected(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as native code may call it: it raises nothing, and is silent after an error."""

    def call(*arguments: Any) -> Any:
        running = getattr(_running, "call", None) or _Call()
        if running.error is not None:
            return 0
        try:
            return function(*arguments)
        except BaseException as error:
            running.error = error
            return 0

    return call


# Messages: what a callback made, for whoever handles the failure after the call.

_messages: dict[int, Any] = {}
_numbers = itertools.count(1)
_KEPT = 1024


def keep(message: object) -> int:
    """Keep a message; gives the number for which :func:`redeem` hands it out."""
    number = next(_numbers)
    _messages[number] = message
    _messages.pop(number - _KEPT, None)  # one that nobody asked for
    return number


def redeem(number: int) -> Any:
    """The message of this number, which is forgotten now."""
    return _messages.pop(number, None)


# What callbacks do.


def _printer(declaration: _Declaration, given: Any) -> Host:
    pieces = declaration.text()
    stream = declaration.stream(given)
    flush = FLUSH in declaration.attributes

    def show(values: Sequence[Any]) -> None:
        text = template.render(pieces, values)
        file = stream()
        if file is not None:
            file.write(text)
            if flush:
                file.flush()

    return show


def _teller(declaration: _Declaration, given: Any) -> Host:
    build = given
    if build is None:
        has_text = TEXT in declaration.attributes
        pieces = declaration.text() if has_text else ()
        build = (lambda values: template.render(pieces, values)) if has_text else tuple
    return lambda values: keep(build(values))


KINDS: dict[str, Callable[[_Declaration, Any], Host]] = {"print": _printer, "message": _teller}


OF_FAILURES = ("message",)
"""Those that run only after a check has failed."""


class _Declaration:
    """The declaration of a callback in a module, read."""

    def __init__(self, name: str, attributes: Any) -> None:
        self.name = name
        self.attributes = attributes
        self.dtypes = self._dtypes()

    def refuse(self, reason: object) -> LoweringError:
        """The error of a declaration that makes no sense."""
        return LoweringError(f"the callback {self.name!r} cannot be called: {reason}")

    def _dtypes(self) -> list[DType]:
        if VALUES not in self.attributes:
            return []
        try:
            return [as_dtype(item.value) for item in self.attributes[VALUES]]
        except (TypeError, AttributeError) as error:
            raise self.refuse(error) from None

    def text(self) -> tuple[Any, ...]:
        """The text of the declaration."""
        if TEXT not in self.attributes:
            raise self.refuse(f"it does not say its text in {TEXT!r}")
        try:
            pieces = template.decode(self.attributes[TEXT])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self.refuse(f"{TEXT}: {error}") from None
        if max(template.numbers(pieces), default=-1) >= len(self.dtypes):
            raise self.refuse(f"{TEXT} asks for more values than {VALUES} names")
        return pieces

    def stream(self, given: Any) -> Callable[[], TextIO | None]:
        """What gives the file to write to, whatever it is by then."""
        named = self.attributes.get(STREAM, None)
        name = getattr(named, "value", "stdout")
        if given is not None:
            return lambda: given
        if name not in ("stdout", "stderr"):
            raise self.refuse(
                f"it prints to the file {name}, which exists only in the process that traced it"
            )
        return lambda: getattr(sys, name)


# From declarations to functions.


def is_callback(operation: Any) -> bool:
    """Whether a function of a module is one that the host provides."""
    return CALLBACK in operation.attributes


def host_function(
    operation: Any,
    inputs: Sequence[tuple[bool, np.dtype[Any]]],
    results: Sequence[str],
    given: Mapping[str, Any],
) -> Callable[..., Any]:
    """The Python function of a declaration.

    ``inputs`` are the parameters, each whether it is an array and its dtype as MLIR's types have
    it, ``results`` MLIR's names of the results' types; ``given`` holds what only this process has.
    Raises ``LoweringError`` for a declaration that makes no sense.
    """
    name = operation.attributes["sym_name"].value
    declaration = _Declaration(name, operation.attributes)
    kind = operation.attributes[CALLBACK]
    make = KINDS.get(kind.value if isinstance(kind, bindings.ir.StringAttr) else "")
    if make is None:
        raise declaration.refuse(f"there is no callback {kind}; agir has {', '.join(KINDS)}")
    if list(results) not in ([], ["i64"]):
        raise declaration.refuse(f"its results are {', '.join(results)}; it may have one i64")
    readers = _readers(declaration, inputs)
    host = make(declaration, given.get(name))
    if not results:
        return lambda *raw: _nothing(host([read(raw) for read in readers]))
    return lambda *raw: host([read(raw) for read in readers])


def _nothing(value: object) -> None:
    """No result."""


def _readers(
    declaration: _Declaration, inputs: Sequence[tuple[bool, np.dtype[Any]]]
) -> list[Callable[[Sequence[Any]], Any]]:
    readers = []
    at = 0
    for dtype in declaration.dtypes:
        part = list(inputs[at : at + 2])
        reader, count = _reader(dtype, part, at)
        if reader is None:
            raise declaration.refuse(f"its parameter {at} does not hold a value of {dtype}")
        readers.append(reader)
        at += count
    if at != len(inputs):
        raise declaration.refuse(f"it has {len(inputs)} parameters, {VALUES} names {at} of them")
    return readers


_Reader = Callable[[Sequence[Any]], Any]


def _reader(
    dtype: DType, given: Sequence[tuple[bool, np.dtype[Any]]], at: int
) -> tuple[_Reader | None, int]:
    """What reads a value of the dtype from the parameters at a position, and how many they are."""
    if not given:
        return None, 0
    make = dtype.numpy.type
    is_array, raw = given[0]
    if is_array:
        fits = raw.itemsize == dtype.itemsize and raw.kind == dtype.numpy.kind.replace("u", "i")
        return (lambda values: values[at].view(dtype.numpy)) if fits else None, 1
    if dtype.is_complex:
        fits = [raw for _, raw in given] == [np.float64, np.float64]
        return (lambda values: make(complex(values[at], values[at + 1]))) if fits else None, 2
    if dtype.is_floating:
        return (lambda values: make(float(values[at]))) if raw == np.float64 else None, 1
    if raw != np.int64:
        return None, 1
    mask = (1 << 8 * dtype.itemsize) - 1
    if dtype.kind == "u":
        return lambda values: make(int(values[at]) & mask), 1
    return lambda values: make(int(values[at])), 1
