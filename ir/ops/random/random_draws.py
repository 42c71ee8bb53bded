"""Draws from a state: numbers of a distribution, in a shape, a dtype and a range."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, as_dtype, float32, int64, uint32, uint64
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import dimension_sizes
from agir.ir.ops.shapes.creation import shape_entries
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor

call = dispatch.call


def in_dtype(value: Any, dtype: DType) -> Any:
    """The parameter of a distribution in the dtype of what is drawn."""
    if isinstance(value, SymbolicTensor):
        return call("cast", value, dtype)
    return np.asarray(call("cast", np.asarray(value), dtype).numpy())


def uniform(
    state: Any, shape: Any, minval: Any, maxval: Any, dtype: Any, algorithm: Any, name: str
) -> Any:
    """Numbers from ``minval`` to ``maxval``, which is left out."""
    kind = as_dtype(dtype)
    if kind.is_integer:
        return _integers(state, shape, minval, maxval, kind, algorithm, name)
    if not kind.is_floating:
        raise TypeError(f"{name}() draws floats and integers, not {kind}")
    drawn = call("random_uniform", state, shape, kind, algorithm)
    low = 0 if minval is None else minval
    high = 1 if maxval is None else maxval
    if _is(low, 0) and _is(high, 1):
        return drawn
    low, high = in_dtype(low, kind), in_dtype(high, kind)
    scaled = call("add", call("multiply", drawn, call("subtract", high, low)), low)
    # Rounding may reach the end of the range.
    return call("where", call("less", scaled, high), scaled, low)


def _is(value: Any, number: int) -> bool:
    return isinstance(value, (int, float)) and value == number


def full_integers(state: Any, shape: Any, dtype: DType, algorithm: Any) -> Any:
    """Integers of the whole range of the dtype."""
    bits = uint64 if dtype.itemsize == 8 else uint32
    return call("cast", call("random_bits", state, shape, bits, algorithm), dtype)


def _integers(
    state: Any, shape: Any, minval: Any, maxval: Any, dtype: DType, algorithm: Any, name: str
) -> Any:
    if maxval is None:
        if minval is None:
            return full_integers(state, shape, dtype, algorithm)
        raise ValueError(f"{name}(): integers need maxval, unless minval is None as well")
    low, high = (in_dtype(value, dtype) for value in (0 if minval is None else minval, maxval))
    fine = require(call("less", low, high), f"{name}(): minval must be less than maxval")
    low, high = call("cast", low, uint64), call("cast", high, uint64)
    width = call("where", fine, call("subtract", high, low), np.uint64(1))
    # 64 bits for each number: numbers of a range of n differ in frequency by less than n / 2**64.
    bits = call("random_bits", state, shape, uint64, algorithm)
    return call("cast", call("add", call("remainder", bits, width), low), dtype)


def scaled(
    operation: str, state: Any, shape: Any, mean: Any, stddev: Any, dtype: Any, algorithm: Any
) -> Any:
    """Numbers of a standard distribution, times ``stddev``, plus ``mean``."""
    kind = as_dtype(dtype)
    drawn = call(operation, state, shape, kind, algorithm)
    if not _is(stddev, 1):
        drawn = call("multiply", drawn, in_dtype(stddev, kind))
    return drawn if _is(mean, 0) else call("add", drawn, in_dtype(mean, kind))


def categorical(state: Any, logits: Any, count: Any, dtype: Any, algorithm: Any) -> Any:
    """For each row of logits ``count`` classes: where logits and Gumbel noise are greatest."""
    kind = dispatch.type_of(logits)
    if getattr(kind, "rank", None) != 2:
        raise ValueError(f"categorical() takes logits of shape [rows, classes], not {kind}")
    if not kind.dtype.is_floating:
        logits = call("cast", logits, float32)
    wide = float32 if kind.dtype.is_storage_only or not kind.dtype.is_floating else kind.dtype
    rows, classes = dimension_sizes(logits)
    noise = call("random_gumbel", state, (rows, count, classes), wide, algorithm)
    noisy = call("add", noise, call("expand_dims", call("cast", logits, wide), 1))
    found = call("argmax", noisy, 2)
    return found if as_dtype(dtype) == int64 else call("cast", found, dtype)


def shuffle(state: Any, value: Any, algorithm: Any) -> Any:
    """The slices along the first axis in random order."""
    if not dispatch.type_of(value).rank:
        raise ValueError("shuffle() of a scalar: it has no first dimension")
    order = call("random_permutation", state, dimension_sizes(value)[0], algorithm)
    return call("gather", value, order, 0)


def state_from_seed(seed: Any, size: int) -> Any:
    """A state of so many 64-bit numbers that holds the seed.

    A Python int is cut into 64-bit numbers, the lowest first.  Of a tensor the first ones are
    taken, and zeros put before them where there are too few: the key comes last.
    """
    if isinstance(seed, int):
        pieces = [(seed >> 64 * i) & (2**64 - 1) for i in range(size)]
        seed = np.array(pieces, np.uint64).view(np.int64)
    seed = call("reshape", call("cast", seed, int64), (-1,))
    if seed.shape[0] is None:
        raise ValueError("the shape of a seed must be known while tracing")
    missing = max(size - seed.shape[0], 0)
    return call("concat", [np.zeros(missing, np.int64), seed[:size]], 0)


def count(shape: Any) -> Any:
    """The number of elements of an array of the shape."""
    shape = shape.numpy() if isinstance(shape, Tensor) and not shape.is_symbolic else shape
    total: Any = 1
    for size in shape_entries(shape):
        symbolic = isinstance(size, SymbolicTensor)
        total = total * (call("cast", size, int64) if symbolic else int(size))
    return total


def advanced(state: Any, delta: Any, by: int) -> Any:
    """The state whose counter is ``delta * by`` further on."""
    words = call("cast", state, uint64)
    steps = call("multiply", call("cast", delta, uint64), np.uint64(by))
    low = call("add", words[0], steps)
    parts = [low, words[-1]]
    if state.shape[0] == 3:
        carried = call("cast", call("less", low, steps), uint64)
        parts.insert(1, call("add", words[1], carried))
    return call("cast", call("stack", parts), int64)
