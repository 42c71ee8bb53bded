"""Reading the ``bufferized`` stage: kernels, loops of the user's, copies, buffers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.explaining import counting
from agir.backends.cpu.explaining.report import Buffer, Row
from agir.backends.mlir.modules import find, symbols, walk
from agir.backends.mlir.places import SourceLocation, numbered, of_all, positions
from agir.records import dataclass

LOOPS = ("scf.for", "scf.while", "scf.parallel", "scf.forall")
ROW = "agir:row"
"""The file name of the locations that number what a row is about."""

_TRIVIAL = 64
"""Bytes that are copied in one go."""
_SILENT = {"arith.index_cast", "arith.extf", "arith.truncf", "arith.select", "linalg.yield"}


@dataclass(frozen=True)
class Origin:
    """What the program had before agir changed it: functions, and where loops stand."""

    functions: frozenset[str]
    loops: frozenset[SourceLocation]

    @classmethod
    def of(cls, module: Any) -> Origin:
        """That of a module of the stage ``hlo``, or of the one with which compiling began."""
        places = (p for loop in find(module, *LOOPS) for p in positions(loop.location))
        return cls(frozenset(symbols(module)), frozenset(places))

    def has(self, loop: Any) -> bool:
        """Whether a loop is a statement of the user's."""
        return not self.loops.isdisjoint(positions(loop.location))


class Reader:
    """Makes the rows of a module, and numbers in its locations what they are about."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self.rows: list[Row] = []

    def read(self, module: Any) -> None:
        """Read all functions of the module but those that bufferization adds."""
        for name, function in symbols(module).items():
            if name in self._origin.functions:
                for region in function.regions:
                    self._region(region, 0)

    def _region(self, region: Any, depth: int) -> None:
        for block in region.blocks:
            for view in block.operations:
                self._operation(view.operation, depth)

    def _operation(self, operation: Any, depth: int) -> None:
        if operation.name in LOOPS and self._origin.has(operation):
            self._add(_loop(operation, depth), [operation])
            for region in operation.regions:
                self._region(region, depth + 1)
        elif operation.name in LOOPS:
            self._add(_nest(operation, depth), walk(operation))
        elif operation.name == "linalg.generic":
            self._add(_kernel(operation, depth), [operation])
        elif operation.name == "memref.copy" and not _is_trivial(operation):
            self._add(_copy(operation, depth), [operation])
        else:
            for region in operation.regions:
                self._region(region, depth)

    def _add(self, row: Row, operations: Sequence[Any]) -> None:
        number = len(self.rows)
        self.rows.append(row)
        for operation in operations:
            operation.location = numbered(ROW, number)


def _is_trivial(copy: Any) -> bool:
    """Whether it sets a few elements to what they begin with."""
    size = counting.buffer_size(copy.operands[0].type)
    return size is not None and size <= _TRIVIAL and not is_in_loop(copy)


def buffers(module: Any) -> list[Buffer]:
    """The memory that the functions of a module take."""
    returned = [value for op in find(module, "func.return") for value in op.operands]
    return [
        Buffer(
            places=of_all([operation]),
            size=counting.buffer_size(operation.results[0].type),
            type=str(operation.results[0].type),
            where=_where(operation, returned),
            in_loop=is_in_loop(operation),
        )
        for operation in find(module, "memref.alloc", "memref.alloca")
    ]


def is_in_loop(operation: Any) -> bool:
    """Whether it stands in a loop."""
    parent = operation.parent
    while parent is not None and parent.name not in LOOPS:
        parent = parent.parent
    return parent is not None


def _where(operation: Any, returned: list[Any]) -> Any:
    if operation.name == "memref.alloca":
        return "stack"
    return "result" if operation.results[0] in returned else "heap"


def _loop(loop: Any, depth: int) -> Row:
    known = iterations(loop) if loop.name == "scf.for" else None
    size = "" if known is None else f"{known:,} iterations"
    flops = counting.flops_inside(loop)
    kind = "while" if loop.name == "scf.while" else "for"
    return Row("loop", depth, of_all([loop]), kind, size, flops)


def _kernel(generic: Any, depth: int) -> Row:
    shape = counting.dimension_sizes(generic)
    return Row(
        "kernel",
        depth,
        sources([generic]),
        _operations([generic]),
        _shown(shape),
        counting.flops_inside(generic),
        counting.bytes_moved(generic),
        counting.float_type([generic]),
    )


def _nest(loop: Any, depth: int) -> Row:
    """A kernel whose loops agir has written itself: in tiles, or with vectors."""
    inside = {op.results[0] for op in walk(loop) if len(op.results)}
    touched = {
        value
        for op in walk(loop)
        for value in op.operands
        if str(value.type).startswith("memref") and value not in inside
    }
    sizes = [counting.buffer_size(value.type) for value in touched]
    known = [size for size in sizes if size is not None]
    return Row(
        "kernel",
        depth,
        sources([loop]),
        _operations([loop]),
        "",
        counting.flops_inside(loop),
        sum(known) if len(known) == len(sizes) else None,
        counting.float_type([loop]),
    )


def _copy(copy: Any, depth: int) -> Row:
    kind = copy.operands[0].type
    shape = tuple(
        None if kind.is_dynamic_dim(axis) else kind.get_dim_size(axis) for axis in range(kind.rank)
    )
    return Row("copy", depth, of_all([copy]), "copy", _shown(shape), 0, counting.copied(copy))


def _shown(shape: counting.Sizes) -> str:
    return " x ".join("?" if n is None else f"{n:,}" for n in shape) or "1"


def sources(roots: Sequence[Any]) -> tuple[SourceLocation, ...]:
    """Where the operations on elements come from; where there are none, what moves them."""
    return of_all(op for root in roots for op in _on_elements(root)) or of_all(roots)


def _operations(roots: Sequence[Any]) -> str:
    """The operations on elements, in words: ``2 mul, add, exp``."""
    found = [op.name.partition(".")[2] for root in roots for op in _on_elements(root)]
    names = [name.removesuffix("f").removesuffix("i") if len(name) > 3 else name for name in found]
    counts = Counter(names)
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in counts.items()) or "move"


def _on_elements(root: Any) -> list[Any]:
    return [
        operation
        for operation in walk(root)
        if operation.name.partition(".")[0] in ("arith", "math", "complex", "vector")
        and operation.name not in _SILENT
        and not _is_about_indices(operation)
    ]


def _is_about_indices(operation: Any) -> bool:
    if operation.name == "arith.constant":
        return True
    return all(str(value.type) == "index" for value in operation.results)
