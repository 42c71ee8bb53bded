"""``ag.print``: tensors and other values, written when the program gets there."""

from __future__ import annotations

import pprint
import sys
from collections.abc import Callable
from typing import Any

from agir.ir.host import hosts
from agir.ir.host.summary import summary
from agir.ir.python.texts import printing
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import nest, trace
from agir.ir.values import text
from agir.runtime.control.agreement import explained

_MARK = "'\ue000{}\ue000'"
"""Stands for a tensor while a structure is formatted: no string is written so by ``repr``."""


def print(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Write the inputs when the program gets here, in every call and iteration.

    Tensors are written with ``summarize`` elements at each end of a dimension (-1 for all), structures
    as Python writes them, with the tensors in them.  ``output_stream`` is ``sys.stderr`` by default,
    or ``sys.stdout``: whatever these are when it is written.  It can be another file, the address
    ``file://path`` of a file to append to, or a function that takes the text, such as
    ``logging.info``.

    >>> ag.print(ag.constant([1, 2]), "and", 3, output_stream=sys.stdout)
    [1 2] and 3

    Shapes: inputs any
    """
    stream = _stream(output_stream)
    count = 3 if summarize is None else int(summarize)
    if not isinstance(sep, str) or not isinstance(end, str):
        raise explained(TypeError, "print(): sep and end must be strings")
    parts = [_text(each, count) for each in inputs]
    between = [piece for part in parts for piece in (sep, part)][1:]
    whole = text.joined([*between, end])
    current = trace.current()
    if current is None:
        _write(whole, stream)
    else:
        printing.record_print(current, whole, stream)


def _stream(given: Any) -> Any:
    """What the text is written to: a name, or something with a method ``write``."""
    if given is None or given is sys.stderr:
        return "stderr"
    if given is sys.stdout:
        return "stdout"
    if isinstance(given, str) and given.startswith(hosts.FILE):
        return given
    if hasattr(given, "write"):
        return given
    if callable(given):
        return Logged(given)
    raise explained(
        ValueError,
        f"print(): output_stream must be sys.stdout, sys.stderr, another file, 'file://path' or a "
        f"function such as logging.info, not {given!r}",
    )


class Logged:
    """A function that takes lines of text, such as ``logging.info``, as a file."""

    def __init__(self, function: Callable[[str], Any]) -> None:
        self._function = function
        self.name = getattr(function, "__qualname__", "")

    def write(self, line: str) -> None:
        """Log a line."""
        self._function(line.removesuffix("\n"))

    def flush(self) -> None:
        """Nothing: it is up to the function."""


def _write(whole: Any, stream: Any) -> None:
    if isinstance(stream, str):
        is_file = stream.startswith(hosts.FILE)
        stream = hosts.Appended(stream[len(hosts.FILE) :]) if is_file else getattr(sys, stream)
    if stream is not None:
        stream.write(whole)


# The text of an input.


def _text(value: Any, count: int) -> Any:
    """The text of an input: a string as it is, a tensor, or a structure with tensors in it."""
    if isinstance(value, str):
        return value
    if not nest.is_nested(value):
        return _leaf(value, count, "s")
    found: list[Any] = []

    def mark(leaf: Any) -> Any:
        if not _is_shown(leaf):
            return leaf
        found.append(leaf)
        return _Mark(len(found) - 1)

    layout = pprint.pformat(nest.transform(mark, _plain(value)))
    return _filled(layout, [_leaf(leaf, count, "r") for leaf in found])


class _Mark:
    """What a tensor is while the structure around it is formatted."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __repr__(self) -> str:
        return _MARK.format(self._number)


def _plain(value: Any) -> Any:
    """The structure with Python's own lists, which `pprint` knows how to write."""
    found = nest.level(value)
    if found is None:
        return value
    items = [_plain(item) for item in found.items]
    return items if found.kind is list else nest.rebuilt(value, items)


def _filled(layout: str, texts: list[Any]) -> Any:
    """The layout with the texts of the tensors in the place of their marks."""
    parts: list[Any] = []
    start, stop = _MARK.split("{}")
    for position, piece in enumerate(layout.split(start)):
        if not position:
            parts.append(piece)
            continue
        number, _, rest = piece.partition(stop)
        parts += [texts[int(number)], rest]
    return text.joined(parts)


def _is_shown(leaf: Any) -> bool:
    """Whether a leaf is written as a tensor, or as what it is when the program runs."""
    if isinstance(leaf, Tensor) or hasattr(leaf, "__array__"):
        return True
    return isinstance(leaf, Staged) and leaf.is_staged


def _leaf(value: Any, count: int, conversion: str) -> Any:
    if isinstance(value, Tensor) and value.is_symbolic:
        return text.field(value, "tensor", str(count))
    if isinstance(value, Tensor):
        return summary(value, count)
    if isinstance(value, Staged) and value.is_staged:
        return text.text_of(value, conversion, "")
    if hasattr(type(value), "__staged_text__"):
        return text.text_of(value, "r", "")
    return summary(value, count) if hasattr(value, "__array__") else pprint.pformat(value)
