"""Comparison and logic: less, equal, logical_and, bitwise_and, shifts, where, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, TensorType, bool_, float64, int64, promote, uint64
from agir.ir.emission import broadcast, emit, exact_integers
from agir.ir.ops.core import layouts
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.elementwise.elementwise import (
    Declared,
    Emitter,
    elementwise_operation,
    emit_elementwise,
    emitted,
    simple,
)
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

# Comparisons.


def _integers(predicate: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        return emit.compare_integers(trace, predicate, dims, x, y)

    return emitter


def _floats(predicate: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        return emit.compare_floats(trace, predicate, dims, x, y)

    return emitter


def _complex(name: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        return emit.elementwise(trace, name, bool_, dims, x, y)

    return emitter


def _integer_range(dtype: DType) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    info = np.iinfo(dtype.numpy)
    return int(info.min), int(info.max)


def _comparison(ufunc: np.ufunc, emitters: dict[str, Emitter], ordered: bool = True) -> Declared:
    def exact(trace: Trace, result: TensorType, x: Any, y: Any) -> SymbolicTensor | None:
        """Comparisons that no common dtype can make: with an int out of range, int64 with uint64."""
        for index, (tensor, number) in enumerate(((x, y), (y, x))):
            if type(number) is int and isinstance(tensor, SymbolicTensor):
                if tensor.dtype.kind not in "iub" or tensor.weak:
                    continue
                low, high = _integer_range(tensor.dtype)
                if not low <= number <= high:
                    stand_in = (0, 1 if number > high else -1)
                    answer = bool(ufunc(*(stand_in if index == 0 else stand_in[::-1])))
                    ssa = emit.constant_like(trace, bool_, tensor.dims, answer)
                    return trace.make(ssa, bool_, tensor.dims)
            if _may_be_out_of_range(tensor, number):
                return _with_any(trace, ufunc, emitters, x, y, index == 0)
        types = [operand_type(dispatch.type_of(v)) for v in (x, y)]
        if _are_int_and_float(types):
            return _int_with_float(trace, emitters, x, y, types[0].dtype == int64)
        if {kind.dtype for kind in types} == {int64, uint64} and not any(k.weak for k in types):
            return _mixed_signs(trace, emitters, x, y)
        return None

    only_numpy = "c" if ordered else ""
    return elementwise_operation(ufunc, emitters, shortcut=exact, only_numpy=only_numpy)


def _are_int_and_float(types: list[TensorType]) -> bool:
    """Whether an int of Python's is compared with a float of Python's."""
    pythons = all(kind.weak and kind.shape == () for kind in types)
    return pythons and {kind.dtype for kind in types} == {int64, float64}


def _int_with_float(
    trace: Trace, emitters: dict[str, Emitter], x: Any, y: Any, first: bool
) -> SymbolicTensor | None:
    """Compare an int with a float as Python does, which does not round the int.

    Rounding keeps the order of two numbers, unless it makes them equal: then the float is an integer.
    """
    number = emit.lift(trace, x if first else y)
    known = ranges.interval(trace, number.ssa)
    if not trace.convention.arrays_are_mutable or (known and max(map(abs, known)) <= 2**53):
        return None
    real = broadcast.operand(trace, y if first else x, float64, ())
    rounded = emit.convert(trace, number.ssa, int64, float64, ())
    pair = (rounded, real) if first else (real, rounded)
    far = emitters["f"](trace, float64, (), *pair)
    whole = emit.convert(trace, real, float64, int64, ())
    pair = (number.ssa, whole) if first else (whole, number.ssa)
    near = emitters["i"](trace, int64, (), *pair)
    beyond = emit.compare_floats(trace, "uge", (), real, trace.constant(float64, 2.0**63))
    same = emit.compare_floats(trace, "oeq", (), rounded, real)
    outside = trace.constant(bool_, True)
    inside = trace.op("arith.xori", beyond.type, beyond, outside)
    both = trace.op("arith.andi", same.type, same, inside)
    least = trace.constant(int64, 0), trace.constant(int64, 1)
    lower = emitters["i"](trace, int64, (), *(least if first else least[::-1]))
    touching = trace.op("arith.andi", same.type, same, beyond)
    found = emit.select(trace, touching, lower, emit.select(trace, both, near, far))
    return trace.make(found, bool_, (), weak=True)


def _may_be_out_of_range(tensor: Any, number: Any) -> bool:
    """Whether a Python int of the run time may lie outside of the array's integers."""
    strong = isinstance(tensor, SymbolicTensor) and not tensor.weak and tensor.dtype.kind in "iu"
    weak = isinstance(number, SymbolicTensor) and number.weak and number.dtype == int64
    if not (strong and weak) or number.dims or tensor.dtype == int64:
        return False
    low, high = _integer_range(tensor.dtype)
    known = ranges.interval(number.recorder, number.ssa)
    return known is None or known[0] < low or known[1] > high


def _with_any(
    trace: Trace, ufunc: np.ufunc, emitters: dict[str, Emitter], x: Any, y: Any, first: bool
) -> SymbolicTensor:
    """Compare an array, which comes first or second, with an int that may be outside of its range."""
    tensor, number = (x, y) if first else (y, x)
    result = TensorType(bool_, tensor.shape)
    if not tensor.dims and tensor.dtype != uint64:
        # One comparison in the wider type, which loops are known to count by.
        return emit_elementwise(trace, emitters, int64, result, [x, y])
    wrapped = trace.make(number.ssa, int64, ())  # no int of Python's, of which it is checked
    pair = [tensor, wrapped] if first else [wrapped, tensor]
    made = emit_elementwise(trace, emitters, tensor.dtype, result, pair)
    ssa = made.ssa
    low, high = _integer_range(tensor.dtype)
    for bound, outside, sign in ((low, "slt", -1), (high, "sgt", 1)):
        if bound > np.iinfo(np.int64).max:
            continue
        answer = bool(ufunc(*((0, sign) if first else (sign, 0))))
        far = trace.compare(outside, number.ssa, trace.constant(int64, bound))
        ssa = emit.select(trace, far, emit.constant_like(trace, bool_, made.dims, answer), ssa)
    return trace.make(ssa, bool_, made.dims)


def _mixed_signs(trace: Trace, emitters: dict[str, Emitter], x: Any, y: Any) -> SymbolicTensor:
    """Compare int64 with uint64: a negative number is less than any unsigned one."""
    x, y = emit.lift(trace, x), emit.lift(trace, y)
    dims = broadcast.common_dims(trace, [x.dims, y.dims])
    a = broadcast.operand(trace, x, x.dtype, dims)
    b = broadcast.operand(trace, y, y.dtype, dims)
    signed = a if x.dtype == int64 else b
    zero = emit.constant_like(trace, int64, dims, 0)
    negative = emit.compare_integers(trace, "slt", dims, signed, zero)
    unsigned = emitters["u"](trace, uint64, dims, a, b)
    minus = emit.constant_like(trace, int64, dims, -1)
    pair = (minus, zero) if x.dtype == int64 else (zero, minus)
    answer = emitters["i"](trace, int64, dims, *pair)
    return trace.make(emit.select(trace, negative, answer, unsigned), bool_, dims)


def by_parts(predicate: str) -> Emitter:
    """NumPy's order of complex numbers: by the real parts, then by the imaginary ones."""
    strict = {"ole": "olt", "oge": "ogt"}.get(predicate, predicate)

    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        parts = [
            emit.elementwise(trace, f"complex.{part}", dtype.real, dims, value)
            for part in ("re", "im")
            for value in (x, y)
        ]
        compare = [
            emit.compare_floats(trace, name, dims, *pair)
            for name, pair in (
                (strict, parts[:2]), ("ord", parts[2:]), ("oeq", parts[:2]), (predicate, parts[2:]),
            )
        ]  # fmt: skip
        first = trace.op("arith.andi", compare[0].type, compare[0], compare[1])
        second = trace.op("arith.andi", compare[0].type, compare[2], compare[3])
        return trace.op("arith.ori", first.type, first, second)

    return emitter


def _ordered(signed: str, unsigned: str, floating: str) -> dict[str, Emitter]:
    return {
        "c": by_parts(floating),
        "b": _integers(unsigned),
        "i": _integers(signed),
        "u": _integers(unsigned),
        "f": _floats(floating),
    }


@_comparison(np.less, _ordered("slt", "ult", "olt"))
def less(x: Any, y: Any) -> Any:
    """``x < y``.

    >>> ag.less([1, 2], 2).numpy()
    array([ True, False])
    """


@_comparison(np.less_equal, _ordered("sle", "ule", "ole"))
def less_equal(x: Any, y: Any) -> Any:
    """``x <= y``.

    >>> ag.less_equal([1, 2], 1).numpy()
    array([ True, False])
    """


@_comparison(np.greater, _ordered("sgt", "ugt", "ogt"))
def greater(x: Any, y: Any) -> Any:
    """``x > y``.

    >>> ag.greater([1, 2], 1).numpy()
    array([False,  True])
    """


@_comparison(np.greater_equal, _ordered("sge", "uge", "oge"))
def greater_equal(x: Any, y: Any) -> Any:
    """``x >= y``.

    >>> ag.greater_equal([1, 2], 2).numpy()
    array([False,  True])
    """


@_comparison(np.equal, _ordered("eq", "eq", "oeq") | {"c": _complex("complex.eq")}, ordered=False)
def equal(x: Any, y: Any) -> Any:
    """``x == y``; NaN equals nothing.

    >>> ag.equal([1, 2], [1, 3]).numpy()
    array([ True, False])
    """


@_comparison(
    np.not_equal, _ordered("ne", "ne", "une") | {"c": _complex("complex.neq")}, ordered=False
)
def not_equal(x: Any, y: Any) -> Any:
    """``x != y``; NaN differs from everything.

    >>> ag.not_equal([1, 2], [1, 3]).numpy()
    array([False,  True])
    """


# Logic on truth values.


def _logical(operation: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, *operands: Any) -> Any:
        truths = [emit.convert(trace, v, dtype, bool_, dims) for v in operands]
        return emit.elementwise(trace, operation, bool_, dims, *truths)

    return emitter


def _logic(ufunc: np.ufunc, operation: str) -> Declared:
    emitters = dict.fromkeys("biufc", _logical(operation))

    def by_truth(trace: Trace, result: TensorType, x: Any, y: Any) -> SymbolicTensor | None:
        """Python's numbers need not fit the dtype of the array that they meet."""
        if not any(dispatch.type_of(v).weak for v in (x, y)):
            return None
        truths = [dispatch.call("cast", v, bool_) for v in (x, y)]
        return emit_elementwise(trace, emitters, bool_, result, truths)

    return elementwise_operation(ufunc, emitters, shortcut=by_truth)


@_logic(np.logical_and, "arith.andi")
def logical_and(x: Any, y: Any) -> Any:
    """True where both are true (nonzero).

    >>> ag.logical_and([True, False], True).numpy()
    array([ True, False])
    """


@_logic(np.logical_or, "arith.ori")
def logical_or(x: Any, y: Any) -> Any:
    """True where at least one is true (nonzero).

    >>> ag.logical_or([True, False], False).numpy()
    array([ True, False])
    """


@_logic(np.logical_xor, "arith.xori")
def logical_xor(x: Any, y: Any) -> Any:
    """True where just one is true (nonzero).

    >>> ag.math.logical_xor([True, False], True).numpy()
    array([False,  True])
    """


@emitted("biufc", np.logical_not)
def logical_not(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """True where x is zero.

    >>> ag.logical_not([True, False]).numpy()
    array([False,  True])
    """
    truth = emit.convert(trace, x, dtype, bool_, dims)
    true = emit.constant_like(trace, bool_, dims, True)
    return emit.elementwise(trace, "arith.xori", bool_, dims, truth, true)


# Bits.


def _all_ones(dtype: DType) -> int:
    return -1 if dtype.kind == "i" else int(2**dtype.bits) - 1


def _shift(name: str, arithmetic: bool) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        """A shift by the width or more is undefined in MLIR; NumPy shifts everything out."""
        width = emit.constant_like(trace, dtype, dims, dtype.bits)
        inside = emit.compare_integers(trace, "ult", dims, y, width)
        last = emit.constant_like(trace, dtype, dims, dtype.bits - 1)
        shifted = emit.elementwise(trace, name, dtype, dims, x, emit.select(trace, inside, y, last))
        if arithmetic:
            return shifted
        zero = emit.constant_like(trace, dtype, dims, 0)
        return emit.select(trace, inside, shifted, zero)

    return emitter


def _check_count(trace: Trace, shifted: SymbolicTensor) -> Any:
    """Check that an int of Python's is shifted by no negative count; gives the shift and the count."""
    maker = shifted.ssa.maker
    moved = maker.operands[1].maker if maker is not None and maker.name == "arith.select" else maker
    assert moved is not None, "it is a shift, or what is chosen of one"
    limited = moved.operands[1].maker
    assert limited is not None, "the count is bounded"
    count = limited.operands[1]
    known = ranges.interval(trace, count)
    if known is None or known[0] < 0:
        natural = trace.compare("sge", count, trace.constant(int64, 0))
        trace.guard(natural, trace.site("argument", "negative shift count"))
    return moved, count


def _check_shifted(trace: Trace, shifted: SymbolicTensor) -> None:
    """Check that shifting an int of Python's to the left loses nothing of it."""
    moved, count = _check_count(trace, shifted)
    x, by = moved.operands
    back = trace.op("arith.shrsi", x.type, moved.result, by)
    inside = trace.compare("ult", count, trace.constant(int64, int64.bits))
    kept = trace.op("arith.andi", inside.type, trace.compare("eq", back, x), inside)
    nothing = trace.compare("eq", x, trace.constant(int64, 0))
    ok = trace.op("arith.ori", kept.type, kept, nothing)
    exact_integers.require(trace, ok, "{} << {}", x, count)


def _bits(name: str) -> dict[str, Emitter]:
    return dict.fromkeys("biu", simple(name))


@elementwise_operation(np.bitwise_and, _bits("arith.andi"))
def bitwise_and(x: Any, y: Any) -> Any:
    """``x & y`` of integers or bools.

    >>> ag.bitwise.bitwise_and([6, 5], 3).numpy()
    array([2, 1], dtype=int32)
    """


@elementwise_operation(np.bitwise_or, _bits("arith.ori"))
def bitwise_or(x: Any, y: Any) -> Any:
    """``x | y`` of integers or bools.

    >>> ag.bitwise_or([4, 1], 3).numpy()
    array([7, 3], dtype=int32)
    """


@elementwise_operation(np.bitwise_xor, _bits("arith.xori"))
def bitwise_xor(x: Any, y: Any) -> Any:
    """``x ^ y`` of integers or bools.

    >>> ag.bitwise_xor([6, 5], 3).numpy()
    array([5, 6], dtype=int32)
    """


@emitted("biu", np.invert)
def bitwise_invert(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """``~x`` of integers or bools.

    >>> ag.bitwise_invert([0, 5]).numpy()
    array([-1, -6], dtype=int32)
    """
    ones = emit.constant_like(trace, dtype, dims, True if dtype.kind == "b" else _all_ones(dtype))
    return emit.elementwise(trace, "arith.xori", dtype, dims, x, ones)


@elementwise_operation(
    np.left_shift,
    dict.fromkeys("biu", _shift("arith.shli", arithmetic=False)),
    only_numpy="b",
    exact=_check_shifted,
)
def bitwise_left_shift(x: Any, y: Any) -> Any:
    """``x << y``; shifting by the width or more gives 0.

    >>> ag.bitwise_left_shift([1, 3], 2).numpy()
    array([ 4, 12], dtype=int32)
    """


@elementwise_operation(
    np.right_shift,
    {
        "b": _shift("arith.shrsi", arithmetic=True),
        "i": _shift("arith.shrsi", arithmetic=True),
        "u": _shift("arith.shrui", arithmetic=False),
    },
    only_numpy="b",
    exact=_check_count,
)
def bitwise_right_shift(x: Any, y: Any) -> Any:
    """``x >> y``; shifting by the width or more leaves only the sign.

    >>> ag.bitwise_right_shift([8, -8], 2).numpy()
    array([ 2, -2], dtype=int32)
    """


# Choice.


def _where_rule(condition: Any, x: Any, y: Any) -> TensorType:
    kinds = [operand_type(operand) for operand in (condition, x, y)]
    dtype, weak = promote(*kinds[1:])
    return TensorType(dtype, broadcast.shapes(*(kind.shape for kind in kinds)), weak)


def _where_emit(trace: Trace, result: TensorType, condition: Any, x: Any, y: Any) -> SymbolicTensor:
    dims = broadcast.common_dims(
        trace, [broadcast.dims_of(trace, value) for value in (condition, x, y)]
    )
    truth = broadcast.operand(trace, condition, bool_, dims)
    left, right = (broadcast.operand(trace, value, result.dtype, dims) for value in (x, y))
    made = trace.make(emit.select(trace, truth, left, right), result.dtype, dims, result.weak)
    layouts.derive(made, (condition, x, y))
    return made


@dispatch.define(
    operands=("condition", "x", "y"), rule=_where_rule, emit=_where_emit, numpy=(np.where,)
)
def where(condition: Any, x: Any, y: Any) -> Any:
    """``x`` where the condition is true, ``y`` elsewhere, all three broadcast."""
    return np.where(condition, x, y)
