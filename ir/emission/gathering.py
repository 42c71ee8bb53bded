"""Rearrangements that other operations share: element-by-element gathers, reversal, reshaping."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DType, mlir_type
from agir.ir.emission import emit
from agir.ir.emission.broadcast import reassociation
from agir.ir.tensors.symbolic import Dim, Dims, static_shape
from agir.ir.tracing.trace import Trace


@lru_cache(maxsize=512)
def parse_attribute(text: str) -> Any:
    """An MLIR attribute by its text; for maps and iterator types, which recur."""
    return bindings.ir.Attribute.parse(text, bindings.context())


def identity_map(rank: int) -> str:
    """The text of the identity affine map."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({dims})>"


def generic(
    trace: Trace,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    maps: Sequence[str],
    iterators: Sequence[str],
    build: Callable[..., Sequence[Any]],
) -> Any:
    """``linalg.generic``: maps as text, iterators ``parallel`` or ``reduction``.

    ``build`` takes one scalar for each input and output and gives the yielded scalars.
    """
    kinds = ", ".join(f"#linalg.iterator_type<{kind}>" for kind in iterators)
    operation = trace.create(
        "linalg.generic",
        [o.type for o in outputs],
        [*inputs, *outputs],
        {
            "indexing_maps": parse_attribute(f"[{', '.join(maps)}]"),
            "iterator_types": parse_attribute(f"[{kinds}]"),
            "operandSegmentSizes": attributes.i32_array([len(inputs), len(outputs)]),
        },
    )
    tensor = bindings.ir.RankedTensorType
    emit.body(trace, operation, [tensor(v.type).element_type for v in (*inputs, *outputs)], build)
    return operation


def gather(
    trace: Trace,
    ssa: Any,
    dtype: DType,
    dims: Dims,
    position: Callable[[list[Any]], Sequence[Any]],
) -> Any:
    """A tensor of the dimensions whose element at the indices is ``ssa[position(indices)]``.

    Positions are recorded ``index`` arithmetic and must lie inside the source.
    """

    def element(_: Any) -> tuple[Any, ...]:
        index = trace.index_type()
        indices = [
            trace.op("linalg.index", index, dim=attributes.i64(axis)) for axis in range(len(dims))
        ]
        return (trace.op("tensor.extract", dtype.mlir(), ssa, *position(indices)),)

    init = emit.empty(trace, dtype, dims)
    rank = len(dims)
    return generic(trace, [], [init], [identity_map(rank)], ["parallel"] * rank, element).result


def reverse(
    trace: Trace, ssa: Any, dtype: DType, dims: Dims, axes: Sequence[int] | Mapping[int, Any]
) -> Any:
    """The tensor with the elements along the axes in reverse order.

    A mapping says for each axis whether it is reversed: True, or an i1.
    """
    index = trace.index_type()
    wanted = axes if isinstance(axes, Mapping) else dict.fromkeys(axes, True)
    last = {
        axis: trace.op("arith.subi", index, emit.dim_value(trace, dims[axis]), trace.index(1))
        for axis in wanted
    }

    def along(axis: int, i: Any) -> Any:
        if axis not in last:
            return i
        back = trace.op("arith.subi", index, last[axis], i)
        return back if wanted[axis] is True else emit.select(trace, wanted[axis], back, i)

    return gather(
        trace, ssa, dtype, dims, lambda indices: [along(axis, i) for axis, i in enumerate(indices)]
    )


# Reshaping.


def reshape_ssa(trace: Trace, ssa: Any, dtype: DType, source: Dims, target: Dims) -> Any:
    """The same elements in other dimensions, whose product must be the same."""
    if source == target:
        return ssa
    if not target:
        return trace.op("tensor.extract", dtype.mlir(), ssa, *[trace.index(0)] * len(source))
    if not source:
        return trace.op("tensor.from_elements", mlir_type(dtype, (1,) * len(target)), ssa)
    groups = _unit_groups(source, target)
    if groups is not None:
        return collapse(trace, ssa, dtype, groups, target)
    groups = _unit_groups(target, source)
    if groups is not None:
        return expand(trace, ssa, dtype, groups, target)
    flat: Dims = (product(trace, source),)
    ssa = collapse(trace, ssa, dtype, [list(range(len(source)))], flat)
    return expand(trace, ssa, dtype, [list(range(len(target)))], target)


def collapse(trace: Trace, ssa: Any, dtype: DType, groups: list[list[int]], target: Dims) -> Any:
    """``tensor.collapse_shape``; nothing where every group is one axis."""
    if all(len(group) == 1 for group in groups):
        return ssa
    result = mlir_type(dtype, static_shape(target))
    return trace.op("tensor.collapse_shape", result, ssa, reassociation=reassociation(groups))


def expand(trace: Trace, ssa: Any, dtype: DType, groups: list[list[int]], target: Dims) -> Any:
    """``tensor.expand_shape``; nothing where every group is one axis."""
    if all(len(group) == 1 for group in groups):
        return emit.cast_dims(trace, ssa, dtype, target)
    collapsed = _collapsed(groups, target)
    ssa = (
        ssa
        if ssa.type == mlir_type(dtype, collapsed)
        else trace.op("tensor.cast", mlir_type(dtype, collapsed), ssa)
    )
    return trace.op(
        "tensor.expand_shape",
        mlir_type(dtype, static_shape(target)),
        ssa,
        *emit.dynamic_sizes(trace, target),
        reassociation=reassociation(groups),
        static_output_shape=attributes.i64_array(attributes.static(target)),
    )


def _collapsed(groups: list[list[int]], dims: Dims) -> tuple[int | None, ...]:
    """The static knowledge of each group's product."""
    shape = static_shape(dims)
    found: list[int | None] = []
    for group in groups:
        sizes = [shape[axis] for axis in group]
        found.append(None if None in sizes else prod(e for e in sizes if e is not None))
    return tuple(found)


def _unit_groups(longer: Dims, shorter: Dims) -> list[list[int]] | None:
    """Axes of ``longer`` grouped so that collapsing only drops units gives ``shorter``."""
    if len(shorter) > len(longer) or not shorter:
        return None
    groups: list[list[int]] = []
    for axis, size in enumerate(longer):
        if len(groups) < len(shorter) and _same(size, shorter[len(groups)]):
            groups.append([axis])
        elif size == 1 and groups:
            groups[-1].append(axis)
        elif size == 1 and len(longer) - axis > len(shorter):
            return _leading(longer, shorter)
        else:
            return None
    return groups if len(groups) == len(shorter) else None


def _leading(longer: Dims, shorter: Dims) -> list[list[int]] | None:
    """The groups where units come before the first kept axis, which then takes them."""
    units = next((i for i, size in enumerate(longer) if size != 1), len(longer))
    rest = _unit_groups(longer[units:], shorter)
    if rest is None:
        return None
    shifted = [[axis + units for axis in group] for group in rest]
    return [[*range(units), *shifted[0]], *shifted[1:]]


def _same(left: int | Dim, right: int | Dim) -> bool:
    return left is right or (isinstance(left, int) and left == right)


def product(trace: Trace, dims: Dims) -> int | Dim:
    """The number of elements of these dimensions."""
    known = prod(d for d in dims if isinstance(d, int))
    unknown = [d for d in dims if isinstance(d, Dim)]
    if not unknown:
        return known
    total = trace.index(known)
    for dim in unknown:
        total = trace.op("arith.muli", trace.index_type(), total, dim.value(trace))
    return Dim(value=total)
