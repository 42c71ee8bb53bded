"""Operations on numbers as operations on vectors of them, one lane for each iteration of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from agir.backends.cpu.passes.vectorization import complex_parts, vocabulary
from agir.backends.cpu.passes.vectorization.building import (
    make,
    one,
    ones,
    parts,
    splat,
    vector_type,
    vector_types,
    zeros,
)
from agir.backends.cpu.passes.vectorization.nest import operations_of
from agir.backends.cpu.passes.vectorization.safety import distance, indices, is_contiguous
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import index_constant
from agir.backends.mlir.modules import children, symbols
from agir.ir.building import bindings

Vectors = tuple[Any, ...]
"""The vector of a value in all iterations; two of them for a complex one."""


def select(condition: Any, left: Vectors, right: Vectors) -> Vectors:
    """Lane by lane."""
    pairs = zip(left, right, strict=True)
    return tuple(one("arith.select", condition, a, b) for a, b in pairs)


def any_lane(mask: Any) -> Any:
    """An ``i1``: whether a lane is in the mask."""
    how = bindings.ir.Attribute.parse("#vector.kind<or>")
    return make("vector.reduction", [mask.type.element_type], [mask], kind=how).results[0]


class Writer:
    """Writes the operations of a ``scf.while`` for all lanes, behind a mask.

    What is the same in all iterations is made into vectors at the ``header``, an operation before the
    loop; ``base`` is the counter of the first lane.
    """

    def __init__(self, loop: Any, base: Any, header: Any, graph: Producers) -> None:
        self.loop = loop
        self.counter = loop.regions[0].blocks[0].arguments[0]
        self.base = base
        self.header = header
        self.graph = graph
        self.known: dict[Any, Vectors] = {}
        self._flat: dict[Any, Any] = {}

    @property
    def ahead(self) -> Any:
        """Where what is the same in all iterations is written."""
        return bindings.ir.InsertionPoint(self.header)

    def vectors(self, value: Any) -> Vectors:
        """The vectors of a value; one that is the same in all iterations is made into some."""
        if value not in self.known:
            with self.ahead:
                self.known[value] = tuple(map(splat, parts(value)))
        return self.known[value]

    def zeros(self, kind: Any) -> Any:
        """A vector of zeros of this type."""
        with self.ahead:
            return zeros(kind)

    def write(self, operations: Sequence[Any], mask: Any) -> None:
        """Write operations for the lanes of a mask."""
        for operation in operations:
            with operation.location:
                found = self._written(operation, mask)
            self.known.update(zip(operation.results, found, strict=True))

    def _written(self, operation: Any, mask: Any) -> Sequence[Vectors]:
        name = operation.name
        if name in ("arith.constant", "complex.constant"):
            with self.ahead as here:
                return [tuple(map(splat, parts(operation.clone(here).results[0])))]
        if name == "scf.if":
            return self._branches(operation, mask)
        if name == "memref.load":
            return [(self._load(operation, mask),)]
        if name == "memref.store":
            self._store(operation, mask)
            return []
        if (text := vocabulary.library(operation)) is not None:
            return [self._called(operation, text, mask)]
        operands = [self.vectors(value) for value in operation.operands]
        if name.startswith("complex."):
            return [complex_parts.TABLE[name](*operands)]
        if name == "arith.select":  # of complex numbers, part by part
            return [select(operands[0][0], *operands[1:])]
        attributes = {key: operation.attributes[key] for key in operation.attributes}
        kind = vector_type(operation.results[0].type)
        return [(one(name, *(v for (v,) in operands), kind=kind, **attributes),)]

    def _called(self, operation: Any, text: str, mask: Any) -> Vectors:
        """What a function of the library does, in the call's place."""
        module = bindings.ir.Module.parse(text)
        (function,) = symbols(module).values()
        arguments = function.regions[0].blocks[0].arguments
        for argument, value in zip(arguments, operation.operands, strict=True):
            self.known[argument] = self.vectors(value)
        *inside, leave = children(function)
        self.write(inside, mask)
        return self.vectors(leave.operands[0])

    # Branches.

    def _branches(self, operation: Any, mask: Any) -> list[Vectors]:
        (condition,) = self.vectors(operation.operands[0])
        with self.ahead:
            every = ones()
        inverse = one("arith.xori", condition, every)
        sides = [
            self._branch(region, one("arith.andi", mask, chosen), operation.results)
            for region, chosen in zip(operation.regions, (condition, inverse), strict=True)
            if len(region.blocks)
        ]
        if not operation.results:
            return []
        return [select(condition, *both) for both in zip(*sides, strict=True)]

    def _branch(self, region: Any, mask: Any, results: Sequence[Any]) -> list[Vectors]:
        """One side of a branch: where it is long, only if there is a lane for it."""
        inside, leave = operations_of(region)
        if vocabulary.is_short(inside):
            self.write(inside, mask)
            return [self.vectors(value) for value in leave.operands]
        ir = bindings.ir
        kinds = [kind for value in results for kind in vector_types(value.type)]
        branch = ir.Operation.create("scf.if", results=kinds, operands=[any_lane(mask)], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            self.write(inside, mask)
            make("scf.yield", (), [v for value in leave.operands for v in self.vectors(value)])
        if kinds:
            none = [self.zeros(kind) for kind in kinds]
            with ir.InsertionPoint(branch.regions[1].blocks.append()):
                make("scf.yield", (), none)
        return grouped(branch.results, [vector_types(value.type) for value in results])

    # Memory.

    def _load(self, load: Any, mask: Any) -> Any:
        kind = vector_type(load.results[0].type)
        none = self.zeros(kind)
        if is_contiguous(load, self.loop, self.graph):
            at = [load.operands[0], *self._place(load)]
            return one("vector.maskedload", *at, mask, none, kind=kind)
        array, places = self._places(load)
        with self.ahead:
            zero = index_constant(0)
        return one("vector.gather", array, zero, places, mask, none, kind=kind)

    def _store(self, store: Any, mask: Any) -> None:
        (value,) = self.vectors(store.operands[0])
        make("vector.maskedstore", (), [store.operands[1], *self._place(store), mask, value])

    def _place(self, access: Any) -> list[Any]:
        """The indices of the first lane's element."""
        *others, last = indices(access)
        offset = distance(last, self.counter, self.graph)
        assert offset is not None
        with self.ahead:
            return [*others, one("arith.addi", index_constant(offset), self.base)]

    def _places(self, load: Any) -> tuple[Any, Any]:
        """The array as one of a single dimension, and the places of all lanes in it."""
        array = load.operands[0]
        places: Any = None
        for axis, value in enumerate(indices(load)):
            (own,) = self.vectors(value)
            if axis:
                with self.ahead:
                    size = splat(one("memref.dim", array, index_constant(axis)))
                places = one("arith.addi", one("arith.muli", places, size), own)
            else:
                places = own
        if array not in self._flat:
            with self.ahead:
                self._flat[array] = _flattened(array)
        return self._flat[array], places


def _flattened(array: Any) -> Any:
    ir = bindings.ir
    kind = array.type
    if kind.rank == 1:
        return array
    known = kind.has_static_shape
    count = prod(kind.shape) if known else ir.ShapedType.get_dynamic_size()
    axes = ", ".join(f"{axis} : i64" for axis in range(kind.rank))
    return one(
        "memref.collapse_shape",
        array,
        kind=ir.MemRefType.get([count], kind.element_type),
        reassociation=ir.Attribute.parse(f"[[{axes}]]"),
    )


def grouped(values: Sequence[Any], groups: Sequence[Sequence[Any]]) -> list[Vectors]:
    """The values one after the other, in groups of these lengths."""
    supply = iter(values)
    return [tuple(next(supply) for _ in group) for group in groups]
