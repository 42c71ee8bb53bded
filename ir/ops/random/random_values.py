"""Operations that draw random numbers: a state and a shape give an array, element by element.

An element is a formula of its number and of the words of the stream, the same for NumPy and for
what is recorded, so that the numbers agree to the bit however a program runs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from agir.ir.building.types import DType, TensorType, as_dtype, float32, float64, int64, uint64
from agir.ir.emission import emit
from agir.ir.emission.gathering import generic, identity_map
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.elementwise import formulas
from agir.ir.ops.elementwise.formulas import Scalar, where
from agir.ir.ops.random.random_streams import (
    Pairs,
    computed_pairs,
    generator,
    scrambled,
    tabulated_pairs,
)
from agir.ir.ops.shapes.creation import dims_from, static_sizes
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace

# Formulas.


def _unit(pair: tuple[Any, Any]) -> Any:
    """52 random bits as a float64 in [0, 1)."""
    return (((pair[0] & 0xFFFFF) << 32) | pair[1]).astype(np.float64) * 2.0**-52


def _unit_of_word(word: Any, bits: int = 23) -> Any:
    return (word & ((1 << bits) - 1)).astype(np.float64) * 2.0**-bits


def _word(pairs: Pairs, i: Any) -> Any:
    """The word of that number."""
    pair = pairs(i >> 1)
    return where((i & 1) == 1, pair[1], pair[0])


_UNIT_BITS = {"float16": 10, "bfloat16": 7, "float32": 23}


def _bits(pairs: Pairs, i: Any, dtype: DType) -> Any:
    if dtype.itemsize < 8:
        return _word(pairs, i)
    low, high = pairs(i)
    return low | (high << 32)


def _uniform(pairs: Pairs, i: Any, dtype: DType) -> Any:
    if dtype == float64:
        return _unit(pairs(i))
    return _unit_of_word(_word(pairs, i), _UNIT_BITS[dtype.name])


def _normal(pairs: Pairs, i: Any, dtype: DType) -> Any:
    """Box and Muller's: two uniform numbers give two normal ones, the sine and the cosine."""
    if dtype == float64:
        radius, turn = _unit(pairs(i & (2**64 - 2))), _unit(pairs(i | 1))
    else:
        pair = pairs(i >> 1)
        radius, turn = _unit_of_word(pair[0]), _unit_of_word(pair[1])
    tiny = 2.0**-53 if dtype == float64 else 1.0e-7
    radius = formulas.sqrt(formulas.log(where(radius < tiny, tiny, radius)) * -2.0)
    sine, cosine = formulas.sincos_turn(turn)
    return radius * where((i & 1) == 1, cosine, sine)


_BELOW_TWO_SIGMA = 0.02275013194817921


def _truncated_normal(pairs: Pairs, i: Any, dtype: DType) -> Any:
    """The inverse of the distribution, between the probabilities of -2 and 2."""
    unit = _unit(pairs(i)) + 2.0**-53
    return formulas.normal_quantile(unit * (1.0 - 2.0 * _BELOW_TWO_SIGMA) + _BELOW_TWO_SIGMA)


def _exponential(pairs: Pairs, i: Any, dtype: DType) -> Any:
    return 0.0 - formulas.log(_unit(pairs(i)) + 2.0**-53)


def _gumbel(pairs: Pairs, i: Any, dtype: DType) -> Any:
    return 0.0 - formulas.log(_exponential(pairs, i, dtype))


class Distribution(NamedTuple):
    """What an operation draws: its formula, the dtypes it has, how many pairs an element reads."""

    formula: Callable[[Pairs, Any, DType], Any]
    dtypes: str
    pairs: Callable[[DType, int], int]
    doc: str


def _words(dtype: DType, count: int) -> int:
    return (count + 1) // 2 if dtype.itemsize < 8 else count


def _normal_pairs(dtype: DType, count: int) -> int:
    return (count + 1) // 2 * (2 if dtype == float64 else 1)


_FLOATS = "float16 bfloat16 float32 float64"
DISTRIBUTIONS = {
    "random_bits": Distribution(
        _bits,
        "uint32 uint64",
        _words,
        "The words of a random stream as uint32, or two of them as uint64, the low one first.",
    ),
    "random_uniform": Distribution(
        _uniform, _FLOATS, _words, "Uniformly distributed numbers in [0, 1)."
    ),
    "random_normal": Distribution(
        _normal,
        _FLOATS,
        _normal_pairs,
        "Numbers of the standard normal distribution, by the method of Box and Muller.",
    ),
    "random_truncated_normal": Distribution(
        _truncated_normal,
        _FLOATS,
        lambda dtype, count: count,
        "Numbers of the standard normal distribution between -2 and 2, by inversion (AS 241).",
    ),
    "random_exponential": Distribution(
        _exponential,
        _FLOATS,
        lambda dtype, count: count,
        "Numbers of the exponential distribution of rate 1, by inversion.",
    ),
    "random_gumbel": Distribution(
        _gumbel,
        _FLOATS,
        lambda dtype, count: count,
        "Numbers of the standard Gumbel distribution, by inversion.",
    ),
}


# States.


def check_state(name: str, state: TensorType, size: int) -> None:
    """Refuse what is no state of a generator of that size."""
    if state.dtype not in (int64, uint64):
        raise TypeError(f"{name}(): a state is int64 or uint64, not {state.dtype}")
    if state.rank != 1 or state.shape[0] not in (None, size):
        raise ValueError(
            f"{name}(): a state of this generator has the shape ({size},), not {state}"
        )


def numbers(state: Any) -> list[Any]:
    """The elements of a state as NumPy has them."""
    return list(np.ascontiguousarray(state).view(np.uint64))


def recorded_numbers(trace: Trace, state: Any, size: int) -> list[Scalar]:
    """The elements of a state, or of a seed, as they are recorded."""
    tensor = emit.lift(trace, state)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, uint64, tensor.dims)
    element = uint64.mlir()
    return [
        Scalar(trace, trace.op("tensor.extract", element, ssa, trace.index(i)), uint64)
        for i in range(size)
    ]


# The operations.


def _operation(name: str, drawn: Distribution) -> dispatch.Operation:
    def rule(state: Any, shape: Any, dtype: Any = float32, algorithm: Any = 1) -> TensorType:
        check_state(name, operand_type(state), generator(algorithm).size)
        chosen = as_dtype(dtype)
        if chosen.name not in drawn.dtypes.split():
            raise TypeError(f"{name}() draws {drawn.dtypes.replace(' ', ', ')}, not {chosen}")
        return TensorType(chosen, static_sizes(shape))

    def evaluate(state: Any, shape: Any, dtype: Any = float32, algorithm: Any = 1) -> Any:
        kind, chosen = generator(algorithm), as_dtype(dtype)
        sizes = tuple(e or 0 for e in static_sizes(shape))
        count = prod(sizes)
        pairs = tabulated_pairs(kind, numbers(state), drawn.pairs(chosen, count))
        values = drawn.formula(pairs, np.arange(count, dtype=np.uint64), chosen)
        return _narrowed(values, chosen).reshape(sizes)

    def emission(
        trace: Trace, result: TensorType, state: Any, shape: Any, dtype: Any, algorithm: Any
    ) -> SymbolicTensor:
        kind, dims = generator(algorithm), dims_from(trace, shape)
        pairs = computed_pairs(kind, recorded_numbers(trace, state, kind.size))

        def element(_: Any) -> tuple[Any]:
            index = formulas.linear_index(trace, dims, uint64)
            return (_narrowed(drawn.formula(pairs, index, result.dtype), result.dtype).ssa,)

        if not dims:
            return trace.make(element(None)[0], result.dtype, ())
        init = emit.empty(trace, result.dtype, dims)
        rank = len(dims)
        made = generic(trace, [], [init], [identity_map(rank)], ["parallel"] * rank, element)
        return trace.make(made.result, result.dtype, dims)

    return dispatch.define(
        name,
        operands=("state",),
        rule=rule,
        emit=emission,
        doc=drawn.doc,
        creates=True,
    )(evaluate)


def _narrowed(value: Any, dtype: DType) -> Any:
    """The value in the result's dtype: half precision is rounded from float32 everywhere."""
    wide = value.astype(np.float32) if dtype.is_storage_only else value
    return wide.astype(dtype.numpy)


for _name, _drawn in DISTRIBUTIONS.items():
    _operation(_name, _drawn)


# The state of a seed.


def _seed_rule(seed: Any, algorithm: Any = 1) -> TensorType:
    kind = operand_type(seed)
    if not kind.dtype.is_integer:
        raise TypeError(f"a seed is two integers, not {kind}")
    if kind.shape not in ((2,), (None,)):
        raise ValueError(f"a seed is two integers: a tensor of shape (2,), not {kind}")
    return TensorType(int64, (generator(algorithm).size,))


def _state_of(first: Any, second: Any, size: int) -> list[Any]:
    key, counter = scrambled(first, second)
    return [counter, key] if size == 2 else [counter & 0, counter, key]


def _seed_emit(trace: Trace, result: TensorType, seed: Any, algorithm: Any) -> SymbolicTensor:
    size = generator(algorithm).size
    first, second = recorded_numbers(trace, seed, 2)
    state = [scalar.ssa for scalar in _state_of(first, second, size)]
    ssa = trace.op("tensor.from_elements", result.mlir(), *state)
    return trace.make(ssa, int64, (size,))


@dispatch.define(operands=("seed",), rule=_seed_rule, emit=_seed_emit, accepts="iu")
def random_state(seed: Any, algorithm: Any = 1) -> Any:
    """The state with which a generator begins for a seed, which is two integers."""
    first, second = np.asarray(seed).astype(np.uint64)
    state = _state_of(first, second, generator(algorithm).size)
    return np.array(state, np.uint64).view(np.int64)
