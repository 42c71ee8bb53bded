"""Writing to computed places: ``scatter``, which every scatter and segment operation is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import DType, TensorType, float32, int64, mlir_type
from agir.ir.emission import emit
from agir.ir.ops.core.agreement import agree, fitted
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.shapes.rearranging import check_indices, guard_indices
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor, static_shape
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_DIFFER = "the updates differ in size from the places that they are for"

_COMBINE: dict[str, tuple[dict[str, str], Any]] = {
    "update": ({}, None),
    "add": ({"b": "arith.ori", "i": "arith.addi", "u": "arith.addi", "f": "arith.addf",
             "c": "complex.add"}, np.add),
    "sub": ({"i": "arith.subi", "u": "arith.subi", "f": "arith.subf", "c": "complex.sub"},
            np.subtract),
    "mul": ({"b": "arith.andi", "i": "arith.muli", "u": "arith.muli", "f": "arith.mulf",
             "c": "complex.mul"}, np.multiply),
    "min": ({"b": "arith.andi", "i": "arith.minsi", "u": "arith.minui", "f": "arith.minimumf"},
            np.minimum),
    "max": ({"b": "arith.ori", "i": "arith.maxsi", "u": "arith.maxui", "f": "arith.maximumf"},
            np.maximum),
}  # fmt: skip
"""For each way to combine: the MLIR operation by the kind of dtype, and NumPy's ufunc."""


def _text(*shapes: Any) -> str:
    return " and ".join(str(list(shape)) for shape in shapes).replace("None", "?")


def _depth(x: TensorType, indices: TensorType) -> int:
    """How many axes an index covers: the last size of the indices."""
    if not indices.rank or indices.shape[-1] is None:
        raise ValueError(
            "scatter(): the last size of the indices, which is the number of axes that each "
            f"covers, must be known: their shape is {_text(indices.shape)}"
        )
    if indices.shape[-1] > x.rank:
        raise ValueError(
            f"scatter(): an index of {indices.shape[-1]} numbers for a tensor of {x.rank} dimensions"
        )
    return indices.shape[-1]


def _rule(x: Any, indices: Any, updates: Any, how: str = "update") -> TensorType:
    kind, places, given = (operand_type(v) for v in (x, indices, updates))
    names = _COMBINE[how][0]
    if names and kind.dtype.kind not in names:
        raise TypeError(f"scatter({how!r}) is not defined for {kind.dtype}")
    if not places.dtype.is_integer and 0 not in places.shape:
        raise TypeError(f"scatter(): indices are integers, not {places.dtype}")
    wanted = (*places.shape[:-1], *kind.shape[_depth(kind, places) :])
    fits = len(wanted) == given.rank and all(
        a is None or b is None or a == b for a, b in zip(wanted, given.shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"scatter(): the updates are of shape {_text(given.shape)}, where the indices and the "
            f"tensor ask for {_text(wanted)}"
        )
    return TensorType(kind.dtype, kind.shape, kind.weak)


def _emit(
    trace: Trace, result: TensorType, x: Any, indices: Any, updates: Any, how: str
) -> SymbolicTensor:
    whole, places, given = (emit.lift(trace, v) for v in (x, indices, updates))
    if 0 in places.dims[:-1]:
        return trace.make(whole.ssa, whole.dtype, whole.dims, result.weak)
    depth = _depth(whole.type, places.type)
    dtype = float32 if whole.dtype.is_storage_only and how != "update" else whole.dtype
    ssa = emit.convert(trace, whole.ssa, whole.dtype, dtype, whole.dims)
    numbers = emit.convert(trace, places.ssa, places.dtype, int64, places.dims)
    values = emit.convert(trace, given.ssa, given.dtype, dtype, given.dims)
    outer = places.dims[:-1]
    own = (*outer, *whole.dims[depth:])
    target = tuple(
        agree(trace, pair, _DIFFER, keep_static=True) for pair in zip(own, given.dims, strict=True)
    )
    values = fitted(trace, values, dtype, given.dims, target)
    ok = None
    for axis in range(depth):
        part = _component(trace, numbers, places.dims, axis)
        size = emit.dim_value(trace, whole.dims[axis])
        ok = emit.both(trace, ok, guard_indices(trace, part, outer, size, axis, wraps=False))
    for a, b in zip(own, target, strict=True):
        if a is not b and a != b:
            same = trace.compare("eq", emit.dim_value(trace, a), emit.dim_value(trace, b))
            ok = emit.both(trace, ok, same)
    stored = _stored(trace, (ssa, numbers, values), dtype, target, (len(outer), depth), ok, how)
    stored = emit.convert(trace, stored, dtype, whole.dtype, whole.dims)
    return trace.make(stored, whole.dtype, whole.dims, result.weak)


def _component(trace: Trace, numbers: Any, dims: Dims, axis: int) -> Any:
    """The indices along one axis of the tensor: an element of each row of numbers."""
    rank, outer = len(dims), dims[:-1]
    if not outer:
        return trace.op("tensor.extract", int64.mlir(), numbers, trace.index(axis))
    sizes = [*emit.known_sizes(trace, outer), 1]
    part = attributes.slicing([numbers], [*[0] * (rank - 1), axis], sizes)
    kind = mlir_type(int64, static_shape(outer))
    return trace.create("tensor.extract_slice", (kind,), *part).result


def _stored(
    trace: Trace,
    operands: tuple[Any, Any, Any],
    dtype: DType,
    dims: Dims,
    counts: tuple[int, int],
    ok: Any,
    how: str,
) -> Any:
    """A loop over the updates, each of which is combined with what stands at its place."""
    whole, numbers, values = operands
    outer, depth = counts
    names = _COMBINE[how][0]
    sizes = [emit.dim_value(trace, d) for d in dims] or [trace.index(1)]
    if ok is not None:  # after a failure nothing may be touched
        sizes[0] = emit.select(trace, ok, sizes[0], trace.index(0))

    def store(indices: list[Any], carried: list[Any]) -> list[Any]:
        (target,) = carried
        own = indices[: len(dims)]
        at = []
        for axis in range(depth):
            number = trace.op(
                "tensor.extract", int64.mlir(), numbers, *own[:outer], trace.index(axis)
            )
            at.append(trace.op("arith.index_cast", trace.index_type(), number))
        at += own[outer:]
        new = trace.op("tensor.extract", dtype.mlir(), values, *own) if dims else values
        if not at:
            if not names:
                return [new]
            return [trace.op(names[dtype.kind], dtype.mlir(), target, new)]
        if names:
            old = trace.op("tensor.extract", dtype.mlir(), target, *at)
            new = trace.op(names[dtype.kind], dtype.mlir(), old, new)
        return [trace.op("tensor.insert", target.type, new, target, *at)]

    return loops.nest(trace, sizes, [whole], store)[0]


@dispatch.define(operands=("x", "indices", "updates"), rule=_rule, emit=_emit)
def scatter(x: Any, indices: Any, updates: Any, how: str = "update") -> Any:
    """
    The tensor with updates at the places that rows of indices name: the last one at a place counts.

    ``how`` combines the updates with what is there: "add", "sub", "mul", "min", "max".
    """
    whole = np.array(x)
    places = np.asarray(indices).astype(np.int64)
    wide = whole.astype(np.float32) if dispatch.type_of(whole).dtype.is_storage_only else whole
    given = np.asarray(updates).astype(wide.dtype)
    key = tuple(places[..., axis] for axis in range(places.shape[-1]))
    for axis, part in enumerate(key):
        check_indices(part, whole.shape[axis], axis, wraps=False)
    ufunc = _COMBINE[how][1]
    if not key:
        for update in given.reshape((-1, *whole.shape)):
            wide = update if ufunc is None else ufunc(wide, update)
    elif ufunc is None:
        for place in np.ndindex(places.shape[:-1]):  # the last one counts
            wide[tuple(places[place])] = given[place]
    else:
        ufunc.at(wide, key, given)
    return wide
