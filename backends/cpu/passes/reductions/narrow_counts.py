"""Truth values are counted in narrow numbers, as many at once as fit into a vector.

``mask.sum()`` adds numbers of 64 bits, eight to a vector.  In blocks that 16 bits can count, a
vector takes four times as many, and the blocks' counts are few.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_BITS = 16
_BLOCK = 2**_BITS // 2
_WIDEST = 32
"""Of what is read: wider elements are not more to a vector than the counts."""


def narrow_boolean_counts(module: Any) -> None:
    """Write sums of truth values over whole arrays as loops over blocks."""
    for generic in find(module, "linalg.generic"):
        if _counts(generic) and _reads_element_by_element(generic):
            with bindings.ir.InsertionPoint(generic), generic.location:
                _write(generic)
            generic.erase()


def _counts(generic: Any) -> bool:
    """Whether the body adds a truth value to the one result, and else computes numbers."""
    last = bodies.combiner(generic) if len(bodies.all_yielded(generic)) == 1 else None
    if last is None or last.name != "arith.addi" or not bodies.is_plain(generic):
        return False
    truth = _truth(generic)
    return truth is not None and str(truth.type) == "i1"


def _truth(generic: Any) -> Any:
    """What is widened and added."""
    total = bodies.arguments(generic)[-1]
    last = bodies.combiner(generic)
    assert last is not None
    wide = next(value for value in last.operands if value != total)
    inner = {result: op for op in bodies.operations(generic) for result in op.results}
    source = inner.get(wide)
    return source.operands[0] if source is not None and source.name == "arith.extui" else None


def _reads_element_by_element(generic: Any) -> bool:
    *inputs, output = generic.operands
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    rank = maps[0].n_dims
    return (
        bool(inputs)
        and len(reduced_axes(generic)) == rank > 0
        and output.type.rank == 0
        and output.type.element_type.width > _BITS
        and all(str(each) == str(maps[0]) for each in maps[:-1])
        and _is_identity(maps[0])
        and all(getattr(v.type.element_type, "width", 64) <= _WIDEST for v in inputs)
    )


def _is_identity(affine: Any) -> bool:
    return [str(each) for each in affine.results] == [f"d{n}" for n in range(affine.n_dims)]


def _write(generic: Any) -> None:
    code, ir = Code.here(), bindings.ir
    *inputs, output = generic.operands
    narrow = ir.IntegerType.get_signless(_BITS)
    wide = output.type.element_type
    kind = inputs[0].type
    sizes = [
        code.op("memref.dim", [inputs[0], code.value(axis)], [code.index_type])
        if kind.is_dynamic_dim(axis)
        else kind.get_dim_size(axis)
        for axis in range(kind.rank)
    ]

    def over(axis: int, place: list[Index], total: Any) -> Any:
        if axis == kind.rank - 1:
            return code.loop(0, sizes[axis], _BLOCK, [total], block(place))[0]
        return code.loop(
            0, sizes[axis], 1, [total], lambda i, t: [over(axis + 1, [*place, i], t[0])]
        )[0]

    def block(place: list[Index]) -> Any:
        def write(start: Index, carried: list[Any]) -> list[Any]:
            end = code.minimum(code.add(start, _BLOCK), sizes[-1])
            zero = code.constant(narrow, "0")
            counted = code.loop(start, end, 1, [zero], lambda i, t: [one([*place, i], t[0])])[0]
            widened = code.op("arith.extui", [counted], [wide])
            return [code.op("arith.addi", [carried[0], widened], [wide])]

        return write

    def one(place: list[Index], total: Any) -> Any:
        at = [code.value(index) for index in place]
        values = [code.op("memref.load", [v, *at], [v.type.element_type]) for v in inputs]
        truth = bodies.write_one(code, generic, [*values, None], _truth(generic))
        return code.op("arith.addi", [total, code.op("arith.extui", [truth], [narrow])], [narrow])

    start = code.op("memref.load", [output], [wide])
    code.store(over(0, [], start), output, [], 0)
