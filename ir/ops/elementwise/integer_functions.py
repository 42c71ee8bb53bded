"""Functions of integers: greatest common divisor, least common multiple, bits that are set."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, uint8
from agir.ir.emission import emit
from agir.ir.ops.core.operands import axis_index
from agir.ir.ops.core.recorded import dimension_size, dimension_sizes, rank, records, tensor
from agir.ir.ops.elementwise.elementwise import elementwise_operation, emitted
from agir.ir.ops.elementwise.emitters import one_by_one
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

call = dispatch.call


def _size(trace: Trace, dtype: DType, x: Any) -> Any:
    """The absolute value, to be read as unsigned."""
    if dtype.kind == "u":
        return x
    zero = trace.constant(dtype, 0)
    negative = trace.compare("slt", x, zero)
    return emit.select(trace, negative, trace.op("arith.subi", x.type, zero, x), x)


def _divisor(trace: Trace, dtype: DType, x: Any, y: Any) -> Any:
    """Euclid's algorithm."""
    zero = trace.constant(dtype, 0)
    found = loops.while_true(
        trace,
        [_size(trace, dtype, x), _size(trace, dtype, y)],
        lambda pair: trace.compare("ne", pair[1], zero),
        lambda pair: [pair[1], trace.op("arith.remui", x.type, *pair)],
    )
    return found[0]


@elementwise_operation(np.gcd, dict.fromkeys("biu", one_by_one(_divisor)))
def gcd(x: Any, y: Any) -> Any:
    """The greatest common divisor of integers.

    >>> ag.numpy.gcd([12, 0], 18).numpy()
    array([ 6, 18])
    """


@emitted("biu", np.lcm)
@one_by_one
def lcm(trace: Trace, dtype: DType, x: Any, y: Any) -> Any:
    """The least common multiple of integers.

    >>> ag.numpy.lcm([4, 0], 6).numpy()
    array([12,  0])
    """
    divisor = _divisor(trace, dtype, x, y)
    zero, one = trace.constant(dtype, 0), trace.constant(dtype, 1)
    none = trace.compare("eq", divisor, zero)
    safe = emit.select(trace, none, one, divisor)
    share = trace.op("arith.divui", x.type, _size(trace, dtype, x), safe)
    return trace.op("arith.muli", x.type, share, _size(trace, dtype, y))


@emitted("biu", np.bitwise_count)
def bitwise_count(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """How many bits of the absolute value of an integer are set.

    >>> ag.numpy.bitwise_count([7, -8]).numpy()
    array([3, 1], dtype=uint8)
    """
    if dtype.kind == "b":
        return emit.convert(trace, x, dtype, uint8, dims)
    if dtype.kind == "i":
        zero = emit.constant_like(trace, dtype, dims, 0)
        negative = emit.compare_integers(trace, "slt", dims, x, zero)
        opposite = emit.elementwise(trace, "arith.subi", dtype, dims, zero, x)
        x = emit.select(trace, negative, opposite, x)
    count = emit.elementwise(trace, "math.ctpop", dtype, dims, x)
    return emit.convert(trace, count, dtype, uint8, dims)


def _shifts(bitorder: str) -> Any:
    if bitorder not in ("big", "little"):
        raise ValueError(f"the order of bits is 'big' or 'little', not {bitorder!r}")
    return np.arange(8, dtype=np.uint8)[:: -1 if bitorder == "big" else 1].copy()


@records(np.packbits)
def packbits(a: Any, axis: Any = None, bitorder: str = "big") -> Any:
    """Eight elements that are zero or not as the bits of one number."""
    x, shifts = tensor(a), _shifts(bitorder)
    if x.dtype.kind not in "biu":
        raise TypeError(f"packbits() takes integers or bools, not {x.dtype}")
    if axis is None:
        x, axis = call("reshape", x, (-1,)), 0
    along = axis_index(axis, rank(x), "packbits")
    bits = call("cast", call("moveaxis", call("not_equal", x, 0), along, -1), "uint8")
    count = dimension_size(bits, -1)
    groups = (count + 7) // 8
    filling = call("full", (*dimension_sizes(bits)[:-1], groups * 8 - count), 0, "uint8")
    whole = call("concat", [bits, filling], -1)
    each = call("reshape", whole, (*dimension_sizes(bits)[:-1], groups, 8))
    packed = call("sum", call("bitwise_left_shift", each, shifts), -1, "uint8")
    return call("moveaxis", packed, -1, along)


@records(np.unpackbits)
def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: str = "big") -> Any:
    """The bits of bytes as elements."""
    x, shifts = tensor(a), _shifts(bitorder)
    if x.dtype.name != "uint8":
        raise TypeError(f"unpackbits() takes uint8, not {x.dtype}")
    if axis is None:
        x, axis = call("reshape", x, (-1,)), 0
    along = axis_index(axis, rank(x), "unpackbits")
    moved = call("moveaxis", x, along, -1)
    each = call("bitwise_and", call("bitwise_right_shift", moved[..., None], shifts), np.uint8(1))
    bits = call("reshape", each, (*dimension_sizes(moved)[:-1], dimension_size(moved, -1) * 8))
    if count is not None:
        bits = _cut(bits, count)
    return call("moveaxis", bits, -1, along)


def _cut(bits: Any, count: int) -> Any:
    """So many bits along the last axis, zeros where there are no more; negative ones are left out."""
    if count < 0:
        return bits[..., :count]
    missing = call("maximum", count - tensor(dimension_size(bits, -1)), 0)
    known = dimension_size(bits, -1)
    size = max(count - known, 0) if isinstance(known, int) else missing
    zeros = call("full", (*dimension_sizes(bits)[:-1], size), 0, "uint8")
    return call("concat", [bits, zeros], -1)[..., :count]
