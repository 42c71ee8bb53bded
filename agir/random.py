"""Random numbers under TensorFlow's names.

What is called ``stateless_...`` is a function of a seed of two integers.  The others draw from a
generator whose state moves on: one of your own (``Generator``) or the global one.
"""

from __future__ import annotations

import enum
from typing import Any

from agir.ir.ops.composed import random_draws as _draws
from agir.ir.ops.operands import composition as _composition
from agir.ir.ops.random_streams import generator as _generator
from agir.ir.table import TABLE as _TABLE
from agir.ir.types import as_dtype as _as_dtype
from agir.ir.types import float32 as _float32
from agir.ir.types import int64 as _int64
from agir.runtime.state.generators import (
    Generator,
    get_global_generator,
    set_global_generator,
    set_seed,
)
from agir.runtime.state.generators import drawing as _drawing
from agir.runtime.tensor import convert_to_tensor as _tensor


class Algorithm(enum.Enum):
    """The generators: both are functions of a key and a counter (Salmon et al. 2011)."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def _state(seed: Any, alg: Any) -> Any:
    return _TABLE["random_state"](_tensor(seed), _generator(alg).number)


@_composition()
def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Numbers from ``minval`` to ``maxval``, which is left out; floats to 1 where it is None.

    Integers need ``maxval``, or None for both: then any integer of the dtype may come.  Integers
    are made from 64 random bits each, so those of a range of n differ in frequency by n / 2**64.
    """
    number = _generator(alg).number
    state = _state(seed, alg)
    return _draws.uniform(state, shape, minval, maxval, dtype, number, "stateless_uniform")


@_composition()
def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normally distributed numbers, by the method of Box and Muller."""
    state, number = _state(seed, alg), _generator(alg).number
    return _draws.scaled("random_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normally distributed numbers within two standard deviations of the mean."""
    state, number = _state(seed, alg), _generator(alg).number
    return _draws.scaled("random_truncated_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = _int64, name: str | None = None
) -> Any:
    """``num_samples`` classes for each row of ``logits``, with probabilities ``softmax(logits)``."""
    return _draws.categorical(_state(seed, 1), _tensor(logits), num_samples, dtype, 1)


@_composition()
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select") -> Any:
    """The slices of ``value`` along its first axis in random order."""
    return _draws.shuffle(_state(seed, alg), _tensor(value), _generator(alg).number)


@_composition()
def stateless_permutation(n: Any, seed: Any, alg: Any = "auto_select") -> Any:
    """The integers below ``n`` in random order, as int64."""
    return _TABLE["random_permutation"](_state(seed, alg), n, _generator(alg).number)


@_composition()
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """``num`` new seeds of a seed, as a tensor of shape ``[num, 2]``."""
    seed = _tensor(seed)
    return stateless_uniform((num, 2), seed, None, None, seed.dtype, alg=alg)


@_composition()
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A new seed made of a seed and an integer, such as the number of a step."""
    data = _tensor(data)
    mixed = stateless_uniform((), seed, None, None, data.dtype, alg=alg)
    return _TABLE["stack"]([mixed, data])


@_composition()
def create_rng_state(seed: Any, alg: Any = "philox") -> Any:
    """The state of a generator that begins with this seed: an integer, or a tensor of integers."""
    return _draws.state_from_seed(seed, _generator(alg).size)


# From the global generator.


@_composition()
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = _float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from ``minval`` to ``maxval``, which is left out; floats to 1 where it is None."""
    if maxval is None and _as_dtype(dtype).is_integer:
        raise ValueError("uniform(): integers need maxval")
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.uniform(state, shape, minval, maxval, dtype, number, "uniform")


@_composition()
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = _float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers, by the method of Box and Muller."""
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.scaled("random_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = _float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers within two standard deviations of the mean."""
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.scaled("random_truncated_normal", state, shape, mean, stddev, dtype, number)


@_composition("logits")
def categorical(
    logits: Any, num_samples: Any, dtype: Any = _int64, seed: Any = None, name: str | None = None
) -> Any:
    """``num_samples`` classes for each row of ``logits``, with probabilities ``softmax(logits)``."""
    state, number = _drawing(seed, _draws.count((*_draws.extents(logits), num_samples)))
    return _draws.categorical(state, logits, num_samples, dtype, number)


@_composition("value")
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Any:
    """The slices of ``value`` along its first axis in random order."""
    state, number = _drawing(seed, _draws.count(_draws.extents(value)[:1]))
    return _draws.shuffle(state, value, number)


__all__ = [
    "Algorithm",
    "Generator",
    "categorical",
    "create_rng_state",
    "fold_in",
    "get_global_generator",
    "normal",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_categorical",
    "stateless_normal",
    "stateless_permutation",
    "stateless_shuffle",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]
