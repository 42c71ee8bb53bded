"""The operations that can share loops, and what each of them reads and writes.

A *leaf* is one operation on buffers that becomes a nest of loops.  A *statement* is a leaf, or a
``scf.for`` in which there is nothing but leaves and computations of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.cpu.sweeps.buffers import Buffers, LoopSize, is_buffer
from agir.backends.cpu.sweeps.views import ANYWHERE, Subscript, view_of
from agir.backends.mlir.modules import walk
from agir.records import dataclass

LEAVES = frozenset({"linalg.generic", "linalg.fill", "linalg.copy", "memref.copy"})
_NUMBERS = ("arith.", "math.", "complex.", "index.", "affine.apply", "affine.min", "affine.max")
_NAMES = frozenset(
    {"memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape"}
    | {"memref.dim", "memref.get_global", "memref.alloc", "memref.alloca", "memref.dealloc"}
)


@dataclass(frozen=True)
class Access:
    """One operand of a leaf: a place for each dimension of the buffer, by the leaf's loops.

    `steady` are the places by which elements can be told apart: not those that a loop around moves.
    """

    base: Any
    places: Sequence[Subscript]
    steady: Sequence[Subscript]
    writes: bool


@dataclass(eq=False)
class Leaf:
    """An operation on buffers; `repeated` if it is inside a loop of its statement."""

    operation: Any
    rank: int
    accesses: list[Access]
    loop_sizes: list[list[LoopSize]]
    """For each loop, its size as the operands have it: distinct ones, in their order."""
    reduced: Sequence[int]
    repeated: bool

    def loop_size(self, loop: int) -> int | None:
        """The number of iterations of a loop, if it is known."""
        return next((each for each in self.loop_sizes[loop] if isinstance(each, int)), None)


@dataclass(eq=False)
class Statement:
    """An operation that may share loops with others (or, without leaves, only reads)."""

    operation: Any
    leaves: list[Leaf]
    reads: Sequence[Any] = ()
    touched: set[tuple[Any, bool]] = field(default_factory=set)
    """The buffers, and whether they are written."""

    def __post_init__(self) -> None:
        self.touched = {(base, False) for base in self.reads}
        self.touched |= {(a.base, a.writes) for leaf in self.leaves for a in leaf.accesses}


def is_transparent(operation: Any) -> bool:
    """Whether an operation neither reads nor writes the contents of buffers."""
    return operation.name in _NAMES or operation.name.startswith(_NUMBERS)


def leaf(operation: Any, buffers: Buffers, around: Any = None) -> Leaf | None:
    """Read an operation; `around` is the loop in which it is repeated."""
    operands = list(operation.operands)
    maps = _maps(operation, operands)
    if maps is None:
        return None
    rank, texts = maps
    if _is_product(operation):
        return None
    if any(_loop(text) is None and text != "0" for each in texts for text in each):
        return None
    first = len(operands) - outputs(operation)
    accesses: list[Access] = []
    loop_sizes: list[list[LoopSize]] = [[] for _ in range(rank)]
    for position, (value, results) in enumerate(zip(operands, texts, strict=True)):
        if not is_buffer(value):
            if hasattr(value.type, "rank"):
                return None
            continue
        accesses.append(_access(value, results, position >= first, buffers, around))
        for axis, text in enumerate(results):
            if (loop := _loop(text)) is not None:
                size = buffers.loop_size(value, axis)
                if size not in loop_sizes[loop]:
                    loop_sizes[loop].append(size)
    accesses += _captured(operation, buffers)
    reduced = reduced_axes(operation) if operation.name == "linalg.generic" else ()
    return Leaf(operation, rank, accesses, loop_sizes, reduced, around is not None)


def _is_product(operation: Any) -> bool:
    """Whether sums use each element of two operands several times, as a product of matrices does.

    Tiles of registers keep more of that than a shared loop, which is over rows of one of them.
    """
    if operation.name != "linalg.generic" or not reduced_axes(operation):
        return False
    *given, kept = (set(texts) for texts in loop_texts(operation, list(operation.operands)))
    return sum(bool(kept - own) for own in given if own) > 1


def outputs(operation: Any) -> int:
    """How many of the last operands a leaf writes."""
    if operation.name == "linalg.generic":
        return int(list(operation.attributes["operandSegmentSizes"])[1])
    return 1


def loop_texts(operation: Any, operands: Sequence[Any]) -> list[list[str]]:
    """For each operand the loops that its dimensions follow, as texts: ``d0``, ``0`` ..."""
    if operation.name == "linalg.generic":
        return [_results(attribute) for attribute in operation.attributes["indexing_maps"]]
    return [
        [f"d{axis}" for axis in range(value.type.rank)] if is_buffer(value) else []
        for value in operands
    ]


@lru_cache(maxsize=1024)
def _results(map_attribute: Any) -> list[str]:
    return [str(result) for result in map_attribute.value.results]


def _maps(operation: Any, operands: Sequence[Any]) -> tuple[int, list[list[str]]] | None:
    texts = loop_texts(operation, operands)
    if operation.name == "linalg.generic":
        return operation.attributes["indexing_maps"][0].value.n_dims, texts
    if not all(map(is_buffer, operands[-1:])):
        return None
    return operands[-1].type.rank, texts


def _loop(text: str) -> int | None:
    return int(text[1:]) if text[0] == "d" and text[1:].isdigit() else None


def _access(
    value: Any, results: Sequence[str], writes: bool, buffers: Buffers, around: Any
) -> Access:
    base, places = view_of(value, buffers.graph)
    found = [_by_loop(place, results) for place in places]
    steady = [ANYWHERE if _moves(place, buffers, around) else place for place in found]
    return Access(base, found, steady, writes)


def _by_loop(place: Subscript, results: Sequence[str]) -> Subscript:
    """The place by the leaf's loop, not by the view's dimension."""
    if place.counter is None:
        return place
    return Subscript(place.offset, place.step, _loop(results[place.counter]))


def _moves(place: Subscript, buffers: Buffers, around: Any) -> bool:
    """Whether the offset changes in the loop around."""
    if around is None or place.offset is None or isinstance(place.offset, int):
        return False
    return buffers.graph.is_inside(place.offset, around)


def _captured(operation: Any, buffers: Buffers) -> Iterator[Access]:
    """What the body of a leaf reads by itself, anywhere."""
    for inner in walk(operation):
        if inner != operation:
            for value in inner.operands:
                if is_buffer(value):
                    base = buffers.base_of(value)
                    anywhere = [ANYWHERE] * base.type.rank
                    yield Access(base, anywhere, anywhere, inner.name == "memref.store")
