"""The host's side of callbacks: the Python functions that compiled code calls while it runs.

A declaration in the module says what a callback does (``agir.callback = "print"``, with the text in
``agir.text``), so that the text of any stage is enough to make the Python function again
(:func:`host_function`).  What text cannot hold, such as an open file, is given by name.

Values cross in three forms: integers and bools as ``i64``, floats as ``f64`` (a complex scalar is
two), arrays as tensors.  ``agir.values`` says what they are.  An exception must not cross native
code.  That of a Python function is kept under a number, for whoever handles the failure; another is
kept until the call is over (:func:`calling`), and no callback runs after it.
"""

from __future__ import annotations

import _thread
import itertools
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import numpy as np

from agir.errors import LoweringError, RuntimeMemoryError
from agir.ir.building import bindings
from agir.ir.building.types import DType, as_dtype
from agir.ir.host import memory, template

CALLBACK = "agir.callback"
TEXT = "agir.text"
VALUES = "agir.values"
STREAM = "agir.stream"
FLUSH = "agir.flush"
RESULT = "agir.result"
SHAPE = "agir.shape"
DTYPE = "agir.dtype"
OPERATION = "agir.operation"
"""Which of the operations in :data:`COMPUTED` a callback is."""
OPTIONS = "agir.options"
"""... and with which options."""

PLACE = "agir.place"
"""Where the loop is that asks for memory, as the line of a message."""

FILE = "file://"

Host = Callable[[Sequence[Any]], Any]
"""Takes the values as NumPy has them; what it returns is the callback's result."""


# Exceptions of callbacks.


class _Call:
    """One call of compiled code in this thread: the first exception of its callbacks."""

    error: BaseException | None = None
    has_acted = False
    """Whether it has printed, drawn, or called a function of Python's."""


_running = threading.local()


@contextmanager
def calling() -> Iterator[None]:
    """A call of compiled code: raises at its end what a callback raised meanwhile."""
    outer = getattr(_running, "call", None)
    call = _running.call = _Call()
    try:
        yield
    finally:
        _running.call, _running.has_acted = outer, call.has_acted
    error, call.error = call.error, None  # its traceback refers to the call
    if error is not None:
        try:
            raise error
        finally:
            del error


def note_act() -> None:
    """A callback does what cannot be taken back."""
    call = getattr(_running, "call", None)
    if call is not None:
        call.has_acted = True


def has_acted() -> bool:
    """Whether a callback of the last call of compiled code, which had some, has done such a thing."""
    return bool(getattr(_running, "has_acted", False))


def protected(function: Callable[..., Any], always: bool = False) -> Callable[..., Any]:
    """The function as native code may call it: it raises nothing, and is silent after an error.

    With ``always`` it is called then, too.
    """

    def call(*arguments: Any) -> Any:
        running = getattr(_running, "call", None)
        if running is not None and running.error is not None and not always:
            return 0
        try:
            return function(*arguments)
        except BaseException as error:
            if running is not None:
                running.error = error
            elif isinstance(error, KeyboardInterrupt):  # in a call that machine code makes
                _thread.interrupt_main()
            return 0

    return call


# Operations that NumPy computes.

Arrays = tuple[Any, ...]

COMPUTED: dict[str, Callable[..., Arrays]] = {}
"""By name: from arrays and options to arrays.  They raise ``ArithmeticError`` where there are none."""
INSTEAD: dict[str, Callable[..., Arrays]] = {}
"""By name: arrays of the same shapes, of NaN."""


def options_of(attributes: Any) -> dict[str, Any]:
    """The options that a declaration says."""
    if OPTIONS not in attributes:
        return {}
    return {each.name: each.attr.value for each in attributes[OPTIONS]}


# Messages: what a callback made, for whoever handles the failure after the call.

_messages: OrderedDict[int, Any] = OrderedDict()
_numbers = itertools.count(1)
_KEPT = 1024


def keep(message: object) -> int:
    """Keep a message; gives the number for which :func:`redeem` hands it out."""
    number = next(_numbers)
    _messages[number] = message
    if len(_messages) > _KEPT:
        _messages.popitem(last=False)  # one that nobody has asked for
    return number


def redeem(number: int) -> Any:
    """The message of this number, which is forgotten now."""
    return _messages.pop(number, None)


_texts: OrderedDict[int, str] = OrderedDict()


def _keep_text(text: str) -> int:
    """Keep what an exception says, which may be printed any number of times."""
    number = next(_numbers)
    _texts[number] = text
    if len(_texts) > _KEPT:
        _texts.popitem(last=False)
    return number


template.CONVERSIONS[template.KEPT] = lambda number, spec: _texts.get(int(number), "")

# What callbacks do.


class Appended:
    """A file by its name, which each text is appended to."""

    def __init__(self, path: str) -> None:
        self._path = path

    def write(self, text: str) -> None:
        """Append a text."""
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(text)

    def flush(self) -> None:
        """Nothing: it is written already."""


def _printer(declaration: _Declaration, given: Any) -> Host:
    pieces = declaration.text()
    stream = declaration.stream(given)
    flush = FLUSH in declaration.attributes

    def show(values: Sequence[Any]) -> None:
        text = template.render(pieces, values)
        note_act()
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


def _caller(declaration: _Declaration, given: Any) -> Host:
    is_operation = given is None
    if is_operation:
        given = _by_name(declaration)
    if given is None:
        raise declaration.refuse("its Python function exists only in the process that traced it")

    def call(values: Sequence[Any]) -> int:
        if not is_operation:
            note_act()
        try:
            results = given(values)
            return keep(results) if results else next(_numbers)
        except Exception as error:
            return -keep(error)

    return call


def _by_name(declaration: _Declaration) -> Callable[[Sequence[Any]], dict[int, Any]] | None:
    """All results of the operation that a declaration names, by their numbers."""
    compute = COMPUTED.get(declaration.operation())
    if compute is None:
        return None
    options = options_of(declaration.attributes)
    if TEXT in declaration.attributes:
        options["text"] = declaration.text()

    def given(values: Sequence[Any]) -> dict[int, Any]:
        return dict(enumerate(compute(*values, **options)))

    return given


def _computer(declaration: _Declaration, given: Any) -> Host:
    name = declaration.operation()
    if name not in COMPUTED:
        raise declaration.refuse(f"agir has no operation {name!r}")
    compute, instead = COMPUTED[name], INSTEAD[name]
    number, _, dtype = declaration.result()
    options = options_of(declaration.attributes)

    def call(values: Sequence[Any]) -> Any:
        try:
            found = compute(*values, **options)[number]
        except ArithmeticError:  # the operation itself has failed before, and been reported
            found = instead(*values, **options)[number]
        return np.asarray(found, dtype).reshape(np.shape(found) or (1,))

    return call


def _numberer(declaration: _Declaration, given: Any) -> Host:
    if given is None:
        raise declaration.refuse("its Python function exists only in the process that traced it")

    def draw(values: Sequence[Any]) -> Any:
        note_act()
        return given.next(*values)

    return draw


def _matcher(declaration: _Declaration, given: Any) -> Host:
    if given is None:
        raise declaration.refuse("its classes exist only in the process that traced it")
    return lambda values: int(isinstance(_messages.get(int(values[0])), given))


def _forgetter(declaration: _Declaration, given: Any) -> Host:
    def forget(values: Sequence[Any]) -> None:
        redeem(int(values[0]))

    return forget


def _texter(declaration: _Declaration, given: Any) -> Host:
    if given is None:
        raise declaration.refuse("its format exists only in the process that traced it")
    return lambda values: _keep_text(template.written(_messages.get(int(values[0])), *given))


def _fetcher(declaration: _Declaration, given: Any) -> Host:
    number, shape, dtype = declaration.result()

    def fetch(values: Sequence[Any]) -> Any:
        array = taken(int(values[0]), number)
        if array is not None and not array.shape:
            array = array.reshape(1)  # a scalar crosses as an array
        if array is None or not _fits(array, shape, dtype):
            return np.zeros([n or 0 for n in shape], dtype)
        return array

    return fetch


def _fits(array: Any, shape: Sequence[int | None], dtype: np.dtype[Any]) -> bool:
    same = len(array.shape) == len(shape) and array.dtype == dtype
    return same and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))


def taken(handle: int, number: int) -> Any:
    """A result of the call with that handle, by its number; None where the call has failed."""
    found = _messages.get(handle)
    if found is None:
        return None
    array = found.pop(number, None)
    if not found:
        redeem(handle)
    return array


def _asker(declaration: _Declaration, given: Any) -> Host:
    place = template.plain(declaration.attributes[PLACE]) if PLACE in declaration.attributes else ""

    def ask(values: Sequence[Any]) -> int:
        size = float(values[0])
        if memory.is_there(size):
            return 1
        raise RuntimeMemoryError(
            f"the gradient of this loop needs {size / 1e9:.1f} GB for what it keeps of its iterations, "
            f"which is more than there is; with checkpoint= it keeps less{place}"
        )

    return ask


KINDS: dict[str, Callable[[_Declaration, Any], Host]] = {
    "print": _printer,
    "message": _teller,
    "call": _caller,
    "fetch": _fetcher,
    "compute": _computer,
    "number": _numberer,
    "match": _matcher,
    "forget": _forgetter,
    "text": _texter,
    "memory": _asker,
}
GIVING_ARRAYS = ("fetch", "compute")
"""Those that give an array, and go on doing so after an exception."""


OF_FAILURES = ("message", "match", "forget", "text")
"""Those that run only after a check has failed."""
ACTING = ("print", "call", "number")
"""Those that may do what cannot be taken back."""


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

    def result(self) -> tuple[int, tuple[int | None, ...], np.dtype[Any]]:
        """The number, the shape and the dtype of the result that it fetches."""
        try:
            text = template.plain(self.attributes[SHAPE])
            sizes = [None if n == "?" else int(n) for n in text.split("x") if n]
            dtype = as_dtype(template.plain(self.attributes[DTYPE])).numpy
            return int(self.attributes[RESULT].value), tuple(sizes) or (1,), dtype
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise self.refuse(f"it does not say what it fetches: {error}") from None

    def operation(self) -> str:
        """The name of the operation that it is, empty where it says none."""
        named = self.attributes.get(OPERATION, None)
        return str(getattr(named, "value", ""))

    def given_type(self) -> str:
        """How the type of the array that it gives ends, in MLIR."""
        _, shape, _ = self.result()
        dtype = as_dtype(template.plain(self.attributes[DTYPE]))
        sizes = "".join("?x" if n is None else f"{n}x" for n in shape)
        return f"{sizes}{dtype.mlir()}>"

    def stream(self, given: Any) -> Callable[[], TextIO | Appended | None]:
        """What gives the file to write to, whatever it is by then."""
        named = self.attributes.get(STREAM, None)
        name = getattr(named, "value", "stdout")
        if given is not None:
            return lambda: given
        if name.startswith(FILE):
            return lambda: Appended(name[len(FILE) :])
        if name not in ("stdout", "stderr"):
            raise self.refuse(
                f"it prints to the file {name}, which exists only in the process that traced it"
            )
        return lambda: getattr(sys, name)


# From declarations to functions.


def is_callback(operation: Any) -> bool:
    """Whether a function of a module is one that the host provides."""
    return CALLBACK in operation.attributes


def is_of_failures(operation: Any) -> bool:
    """Whether a callback only runs after a check has failed, and then keeps or gives a message."""
    kind = operation.attributes[CALLBACK]
    return isinstance(kind, bindings.ir.StringAttr) and kind.value in OF_FAILURES


def gives_array(operation: Any) -> bool:
    """Whether the result of a callback is an array."""
    kind = operation.attributes[CALLBACK]
    return isinstance(kind, bindings.ir.StringAttr) and kind.value in GIVING_ARRAYS


def gives_number(operation: Any) -> bool:
    """Whether the result of a callback is a number, and not that of a message."""
    kind = operation.attributes[CALLBACK]
    return isinstance(kind, bindings.ir.StringAttr) and kind.value == "number"


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
    if gives_array(operation):
        if len(results) != 1 or results[0].partition("<")[2] != declaration.given_type():
            raise declaration.refuse(f"its result is {', '.join(results)}, not as {SHAPE} says")
    elif gives_number(operation):
        if list(results) not in (["f64"], ["i64"]):
            raise declaration.refuse(f"its results are {', '.join(results)}; it has one number")
    elif list(results) not in ([], ["i64"]):
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
