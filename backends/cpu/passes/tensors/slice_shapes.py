"""Parts of arrays are given the sizes that a cast says they have.

Upstream's canonicalization does this, too, but even where such a part would end outside of its array:
a part which control never gets to, like `x[1:n]` as long as `x`.  Then it refuses what it has made.
So it does with such parts of casts, when they are buffers: they become arrays that nobody has filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import op
from agir.ir.building import bindings

_PLACES = ("static_offsets", "static_sizes", "static_strides")


def refine_slice_shapes(module: Any) -> None:
    """Take parts in the sizes of the casts of them."""
    graph = Producers(module)
    for part in graph.find("tensor.extract_slice", "tensor.insert_slice"):
        whole = part.operands[1 if part.name == "tensor.insert_slice" else 0]
        cast = graph.producer(whole, "tensor.cast")
        if cast is not None and not _lies_in(part, cast.operands[0].type.shape):
            _never_taken(part, whole)
    for cast in graph.find("tensor.cast"):
        part = graph.producer(cast.operands[0], "tensor.extract_slice")
        if part is not None:
            _give(cast, part, graph)


def _never_taken(part: Any, whole: Any) -> None:
    """Leave out a part that control does not get to: only the type of its result matters."""
    if part.name == "tensor.insert_slice":
        part.results[0].replace_all_uses_with(whole)
    else:
        segments = list(part.attributes["operandSegmentSizes"])
        sizes = list(part.operands)[sum(segments[:2]) : sum(segments[:3])]
        with bindings.ir.InsertionPoint(part), part.location:
            empty = op("tensor.empty", part.results[0].type, *sizes)
        part.results[0].replace_all_uses_with(empty)


def _lies_in(part: Any, dim_sizes: Sequence[int]) -> bool:
    """Whether a part may lie inside of an array of these sizes."""
    offsets, sizes, strides = (list(part.attributes[name]) for name in _PLACES)
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    places = zip(offsets, sizes, strides, dim_sizes, strict=True)
    return all(_fits(*place, unknown) for place in places)


def _give(cast: Any, part: Any, graph: Producers) -> None:
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    kind = cast.results[0].type
    offsets, sizes, strides = (list(part.attributes[name]) for name in _PLACES)
    wanted = _with_dropped(sizes, list(kind.shape))
    if wanted is None or wanted == sizes:
        return
    if any(known != unknown and known != size for known, size in zip(sizes, wanted, strict=True)):
        return
    dim_sizes = part.operands[0].type.shape
    places = zip(offsets, wanted, strides, dim_sizes, strict=True)
    if not all(_fits(*place, unknown) for place in places):
        return
    graph.add(_replaced(cast, part, wanted, unknown))
    graph.forget(cast)
    cast.erase()


def _with_dropped(sizes: Sequence[int], shape: list[int]) -> list[int] | None:
    """The sizes of a part from those of its type, which may leave out sizes of 1."""
    dropped = len(sizes) - len(shape)
    found: list[int] = []
    for size in sizes:
        if dropped and size == 1:
            if shape and shape[0] == 1:
                return None  # which of them is left out does not show
            dropped -= 1
            found.append(1)
        elif not shape:
            return None
        else:
            found.append(shape.pop(0))
    return None if shape or dropped else found


def _fits(offset: int, size: int, stride: int, dim_size: int, unknown: int) -> bool:
    """Whether a part may lie inside of its array along an axis."""
    if unknown in (size, dim_size):
        return True
    first = 0 if offset == unknown else offset
    step = 1 if stride == unknown else stride
    return bool(first + (size - 1) * step < dim_size) if size else bool(first <= dim_size)


def _replaced(cast: Any, part: Any, wanted: Sequence[int], unknown: int) -> Any:
    ir = bindings.ir
    segments = list(part.attributes["operandSegmentSizes"])
    operands = list(part.operands)
    before, count = segments[0] + segments[1], segments[2]
    given = iter(operands[before : before + count])
    was = list(part.attributes["static_sizes"])
    open_ = [next(given) if size == unknown else None for size in was]
    kept = [each for each, size in zip(open_, wanted, strict=True) if size == unknown]
    attributes = {name: part.attributes[name] for name in _PLACES}
    attributes["static_sizes"] = ir.DenseI64ArrayAttr.get(list(wanted))
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(
        [segments[0], segments[1], len(kept), segments[3]]
    )
    with ir.InsertionPoint(cast), cast.location:
        made = ir.Operation.create(
            "tensor.extract_slice",
            results=[cast.results[0].type],
            operands=[*operands[:before], *kept, *operands[before + count :]],
            attributes=attributes,
        )
    cast.results[0].replace_all_uses_with(made.results[0])
    return made
