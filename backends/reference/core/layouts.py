"""Where the parts of LLVM's types lie in memory, on a 64-bit machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from agir.errors import UnsupportedOperation
from agir.records import dataclass

_TOKEN = re.compile(r'\s*("[^"]*"|[\w.]+|[<>(),])')
_POINTER = "ptr"
_SCALARS = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    _POINTER: np.int64,
    "index": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


class Layout(Protocol):
    """A type: how many bytes it takes, and on what they are aligned."""

    size: int
    align: int

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""

    def zero(self) -> Any:
        """The value whose bytes are all zero."""


@dataclass(frozen=True)
class Number:
    """A number, or a pointer, which is an integer here."""

    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return self.dtype.itemsize

    align = size

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""
        return memory[: self.size].view(self.dtype)[0]

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""
        memory[: self.size].view(self.dtype)[0] = value

    def zero(self) -> Any:
        """The value whose bytes are all zero."""
        return self.dtype.type(0)


class Bit:
    """A boolean, which takes a byte."""

    size = align = 1

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""
        return np.bool_(memory[0] & 1)

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""
        memory[0] = bool(value)

    def zero(self) -> Any:
        """The value whose bytes are all zero."""
        return np.False_


class Wide:
    """An integer of 128 bits, which is one of Python's here."""

    size = align = 16

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""
        return int.from_bytes(memory[: self.size].tobytes(), "little", signed=True)

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""
        data = int(value).to_bytes(self.size, "little", signed=True)
        memory[: self.size] = np.frombuffer(data, np.uint8)

    def zero(self) -> Any:
        """The value whose bytes are all zero."""
        return 0


@dataclass(frozen=True)
class Repeated:
    """An array, whose value is a tuple, or a vector, whose value is one of NumPy's arrays."""

    element: Layout
    count: int
    is_vector: bool = False

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return self.element.size * self.count

    @property
    def align(self) -> int:
        """What its address is a multiple of."""
        return self.element.align

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""
        step = self.element.size
        items = [self.element.read(memory[n * step :]) for n in range(self.count)]
        return np.array(items) if self.is_vector else tuple(items)

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""
        for n, item in enumerate(value):
            self.element.write(memory[n * self.element.size :], item)

    def zero(self) -> Any:
        """The value whose bytes are all zero."""
        items = [self.element.zero()] * self.count
        return np.array(items) if self.is_vector else tuple(items)


class Record:
    """A struct, whose value is a tuple."""

    def __init__(self, fields: Sequence[Layout], packed: bool = False) -> None:
        self.fields = tuple(fields)
        self.offsets: list[int] = []
        end, align = 0, 1
        for field in fields:
            step = 1 if packed else field.align
            end = -(-end // step) * step
            self.offsets.append(end)
            end, align = end + field.size, max(align, step)
        self.align = align
        self.size = -(-end // align) * align

    def read(self, memory: Any) -> Any:
        """The value that bytes hold."""
        pairs = zip(self.fields, self.offsets, strict=True)
        return tuple(field.read(memory[at:]) for field, at in pairs)

    def write(self, memory: Any, value: Any) -> None:
        """Put a value into bytes."""
        for field, at, item in zip(self.fields, self.offsets, value, strict=True):
            field.write(memory[at:], item)

    def zero(self) -> Any:
        """The value whose bytes are all zero."""
        return tuple(field.zero() for field in self.fields)


@cache
def layout(text: str) -> Any:
    """The layout of a type as MLIR prints it."""
    tokens = _TOKEN.findall(text.replace("!llvm.", ""))
    found, rest = _parsed(tokens, text)
    if rest:
        raise UnsupportedOperation(f"type {text} is not supported")
    return found


def _parsed(tokens: list[str], text: str) -> tuple[Any, list[str]]:
    head, *rest = tokens
    if head in ("i1", "i128"):
        return Bit() if head == "i1" else Wide(), rest
    if head in _SCALARS:
        return Number(np.dtype(_SCALARS[head])), rest
    if head in ("array", "vector"):
        return _repeated(head, rest, text)
    if head == "struct":
        return _record(rest[1:], text)
    raise UnsupportedOperation(f"type {text} is not supported")


def _repeated(head: str, tokens: list[str], text: str) -> tuple[Any, list[str]]:
    count = re.fullmatch(r"(\d+)(?:x(.+))?", tokens[1])
    if count is None:
        raise UnsupportedOperation(f"type {text} is not supported")
    rest = [count[2], *tokens[2:]] if count[2] else tokens[3:]  # "array<2 x T>", "vector<2xT>"
    element, rest = _parsed(rest, text)
    return Repeated(element, int(count[1]), head == "vector"), rest[1:]


def _record(tokens: list[str], text: str) -> tuple[Any, list[str]]:
    packed = tokens[0] == "packed"
    rest = tokens[2 if packed else 1 :]
    if tokens[0].startswith('"'):
        rest = tokens[3:]
    fields = []
    while rest[0] != ")":
        field, rest = _parsed(rest, text)
        fields.append(field)
        rest = rest[1:] if rest[0] == "," else rest
    return Record(fields, packed), rest[2:]


def offset(kind: Any, indices: Sequence[int | None]) -> Callable[[Sequence[Any]], int]:
    """What `getelementptr` adds to an address, for the indices that only the run time knows."""

    def added(dynamic: Sequence[Any]) -> int:
        remaining = iter(dynamic)
        found, at = 0, None
        for index in indices:
            number = int(next(remaining)) if index is None else index
            if at is None:
                found, at = number * kind.size, kind
            elif isinstance(at, Record):
                found, at = found + at.offsets[number], at.fields[number]
            else:
                found, at = found + number * at.element.size, at.element
        return found

    return added
