"""Small arrays with a number for each lane, between iterations one by one and iterations together."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.backends.cpu.passes.vectorization.building import (
    LANES,
    make,
    one,
    part_types,
    parts,
    vector_type,
)
from agir.ir.building import bindings


class Room:
    """Memory on the stack for a number of each lane: two arrays for a complex one."""

    def __init__(self, function: Any, kind: Any) -> None:
        ir = bindings.ir
        self.kind = kind
        marked = {SCRATCH: ir.UnitAttr.get()}
        start = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
        with start, function.location:
            self.arrays = [
                make(
                    "memref.alloca",
                    [ir.MemRefType.get([LANES], _stored(part))],
                    (),
                    operandSegmentSizes=ir.DenseI32ArrayAttr.get([0, 0]),
                    alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
                    **marked,
                ).results[0]
                for part in part_types(kind)
            ]

    def load(self, lane: Any) -> Any:
        """The number of one lane."""
        found = [one("memref.load", a, lane, kind=a.type.element_type) for a in self.arrays]
        if len(found) == 2:
            return one("complex.create", *found, kind=self.kind)
        return found[0] if self._is_itself else one("arith.trunci", *found, kind=self.kind)

    def store(self, value: Any, lane: Any) -> None:
        """Keep the number of one lane."""
        for part, array in zip(parts(value), self.arrays, strict=True):
            kind = array.type.element_type
            kept = part if self._is_itself else one("arith.extui", part, kind=kind)
            make("memref.store", (), [kept, array, lane])

    def load_all(self, zero: Any) -> tuple[Any, ...]:
        """The numbers of all lanes."""
        found = [
            one("vector.load", a, zero, kind=vector_type(a.type.element_type)) for a in self.arrays
        ]
        if not self._is_itself:
            found = [one("arith.trunci", *found, kind=vector_type(self.kind))]
        return tuple(found)

    def store_all(self, vectors: tuple[Any, ...], zero: Any) -> None:
        """Keep the numbers of all lanes."""
        for value, array in zip(vectors, self.arrays, strict=True):
            kind = vector_type(array.type.element_type)
            kept = value if self._is_itself else one("arith.extui", value, kind=kind)
            make("vector.store", (), [kept, array, zero])

    @property
    def _is_itself(self) -> bool:
        """Whether a lane's number lies in memory as it is; a truth value takes a byte."""
        return str(self.kind) != "i1"


def _stored(kind: Any) -> Any:
    return bindings.ir.IntegerType.get_signless(8) if str(kind) == "i1" else kind
