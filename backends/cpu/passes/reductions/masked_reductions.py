"""Short sums of gathered elements, in loops: a few lanes at once, the last ones under a mask.

``vals[a:b] @ x[cols[a:b]]`` in a loop over rows: how many elements a row has nobody foresees, so a
loop over them, and another one over what is left of a vector, cost more than the elements.  With
masks one vector holds a short row, and a longer one takes some more.

Only where elements are gathered: a recurrence such as ``x[i] = b[i] - L[i, :i] @ x[:i]`` must
read the number that it has just written by itself, for a vector would wait until it is in memory.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.code.host import vectors
from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code
from agir.backends.cpu.passes.analysis.combiners import COMBINERS
from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.mlir.modules import find, is_in_loop
from agir.ir.building import bindings

_BITS = 256
"""Of a vector: processors gather four elements twice as fast as eight of which four are masked."""

_LOAD = "memref.load"
_ADDRESS = 64


def mask_short_reductions(module: Any) -> None:
    """Write reductions with gathers, of run-time length and inside of loops, with masked vectors."""
    if not vectors().masks:
        return
    for generic in find(module, "linalg.generic"):
        if is_in_loop(generic) and _is_open_reduction(generic) and _can_be_vectors(generic):
            with bindings.ir.InsertionPoint(generic), generic.location:
                _write(generic)
            generic.erase()


def _buffers(generic: Any) -> tuple[list[Any], list[Any]]:
    """Those that are read, and those that are written."""
    count, _ = generic.attributes["operandSegmentSizes"]
    operands = list(generic.operands)
    return operands[:count], operands[count:]


def _is_open_reduction(generic: Any) -> bool:
    """Whether it goes once over vectors of run-time length that lie in one piece, to numbers."""
    inputs, outputs = _buffers(generic)
    return (
        reduced_axes(generic) == [0]
        and generic.attributes["indexing_maps"][0].value.n_dims == 1
        and all(value.type.rank == 0 for value in outputs)
        and bool(inputs)
        and all(value.type.rank == 1 and _lies_in_one_piece(value.type) for value in inputs)
        and not inputs[0].type.has_static_shape
    )


def _lies_in_one_piece(kind: Any) -> bool:
    strides, _ = kind.get_strides_and_offset()
    return bool(strides) and strides[-1] == 1


def _can_be_vectors(generic: Any) -> bool:
    inner = bodies.operations(generic)
    gathers = [op for op in inner if op.name == _LOAD]
    made = {result for op in inner for result in op.results}
    made.update(bodies.arguments(generic))
    return (
        bool(gathers)
        and all(_is_gather(op, made) for op in gathers)
        and all(op.name == _LOAD or bodies.fits(op, addresses=True) for op in inner)
        and all(combiner is not None for combiner in _combiners(generic))
    )


def _is_gather(load: Any, made: set[Any]) -> bool:
    """Whether only the last subscript of a load is found in the body."""
    buffer, *subscripts = load.operands
    return (
        len(subscripts) > 0
        and buffer not in made
        and [each in made for each in subscripts] == [False] * (len(subscripts) - 1) + [True]
        and _lies_in_one_piece(buffer.type)
        and _bits(buffer.type.element_type) in (32, 64)
    )


def _combiners(generic: Any) -> list[Any | None]:
    """The operation that combines each result with what there is, if it can combine vectors."""
    inner = {result: op for op in bodies.operations(generic) for result in op.results}
    read = [value for op in inner.values() for value in op.operands]
    yielded = bodies.all_yielded(generic)
    found = []
    for value, total in zip(yielded, bodies.arguments(generic)[-len(yielded) :], strict=True):
        last = inner.get(value)
        combines = last is not None and last.name in COMBINERS and total in list(last.operands)
        alone = read.count(total) == 1 and value not in read and yielded.count(value) == 1
        found.append(last if combines and alone else None)
    return found


def _bits(kind: Any) -> int:
    """How many bits an element has; none where it is a truth value or no number."""
    width = _ADDRESS if isinstance(kind, bindings.ir.IndexType) else getattr(kind, "width", 0)
    return 0 if width == 1 else width


def _lanes(generic: Any) -> int:
    values = [v for op in bodies.operations(generic) for v in (*op.operands, *op.results)]
    return _BITS // max(_bits(value.type) for value in values)


def _write(generic: Any) -> None:
    """The loop over vectors, and what becomes of the last ones."""
    inputs, outputs = _buffers(generic)
    code, lanes = Code.here(), _lanes(generic)
    combiners = [each for each in _combiners(generic) if each is not None]
    size = code.op("memref.dim", [inputs[0], code.value(0)], [code.index_type])
    # at least one iteration, of which nobody has to foresee whether there is anything to do in it
    limit = code.op("arith.maxsi", [size, code.value(1)], [code.index_type])
    ways = [COMBINERS[combiner.name] for combiner in combiners]
    kinds = [combiner.results[0].type for combiner in combiners]
    starts = [way.start(code, lanes, kind) for way, kind in zip(ways, kinds, strict=True)]

    def body(index: Any, totals: list[Any]) -> list[Any]:
        mask = code.lanes_before(code.subtract(size, index), lanes)
        values = [code.load(buffer, index, lanes, mask) for buffer in inputs]

        def gather(_: Any, operands: list[Any]) -> Any:
            return _gathered(code, operands, lanes, mask)

        made = bodies.write_all(
            code, generic, [*values, *totals], lanes, contract=True, others={_LOAD: gather}
        )
        return [code.choose(mask, new, old) for new, old in zip(made, totals, strict=True)]

    totals = code.loop(0, limit, lanes, starts, body)
    for combiner, way, vector, buffer in zip(combiners, ways, totals, outputs, strict=True):
        kind = vector.type.element_type
        operands = [code.op(_LOAD, [buffer], [kind]), way.of_lanes(code, vector)]
        code.store(code.op(combiner.name, operands, [kind], way.attributes()), buffer, [], 0)


def _gathered(code: Code, operands: list[Any], lanes: int, mask: Any) -> Any:
    buffer, *firsts, last = operands
    kind = code.vector(lanes, buffer.type.element_type)
    integer = isinstance(kind.element_type, bindings.ir.IntegerType)
    zero = code.constant(kind, "dense<0>" if integer else "dense<0.0>")
    # numbers of elements are counted from the first one of the innermost dimension
    start = [*firsts, code.value(0)]
    return code.op("vector.gather", [buffer, *start, last, mask, zero], [kind])
