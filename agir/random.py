"""Random numbers under TensorFlow's names.

What is called ``stateless_...`` is a function of a seed of two integers.  The others draw from a
generator whose state moves on: one of your own (``Generator``) or the global one.
"""

from __future__ import annotations

import enum as _enum
import typing as _typing
from typing import Any

from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import float32 as _float32
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.core.operands import dimension_sizes as _dimension_sizes
from agir.ir.ops.random import random_draws as _draws
from agir.ir.ops.random.random_streams import generator as _generator
from agir.ir.table import TABLE as _TABLE
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import ShapeLike as _ShapeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike
from agir.names import public as _public
from agir.runtime.state.generators import Generator as Generator
from agir.runtime.state.generators import drawing as _drawing
from agir.runtime.state.generators import get_global_generator as get_global_generator
from agir.runtime.state.generators import set_global_generator as set_global_generator
from agir.runtime.state.generators import set_seed as set_seed
from agir.runtime.tensor import convert_to_tensor as _tensor


class Algorithm(_enum.Enum):
    """The generators: both are functions of a key and a counter (Salmon et al. 2011).

    >>> ag.random.Algorithm.PHILOX.value
    1

    Source: Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def _state(seed: Any, alg: Any) -> Any:
    return _TABLE["random_state"](_tensor(seed), _generator(alg).number)


@_composition()
def stateless_uniform(
    shape: _ShapeLike,
    seed: _TensorLike,
    minval: Any = 0,
    maxval: Any = None,
    dtype: _DTypeLike = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Numbers from ``minval`` to ``maxval``, which is left out; floats to 1 where it is None.

    Integers need ``maxval``, or None for both: then any integer of the dtype may come.  Integers
    are made from 64 random bits each, so those of a range of n differ in frequency by n / 2**64.

    >>> ag.random.stateless_uniform([2], [1, 2]).shape
    (2,)

    Shapes: shape a shape, seed [2] -> shape
    Dtypes: of the result int, uint, float
    Raises: OperandValueError for integers without maxval; OperandTypeError for other dtypes
    """
    number = _generator(alg).number
    state = _state(seed, alg)
    return _draws.uniform(state, shape, minval, maxval, dtype, number, "stateless_uniform")


@_composition()
def stateless_normal(
    shape: _ShapeLike,
    seed: _TensorLike,
    mean: _TensorLike = 0.0,
    stddev: Any = 1.0,
    dtype: _DTypeLike = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normally distributed numbers, by the method of Box and Muller.

    >>> ag.random.stateless_normal([2, 3], [1, 2]).shape
    (2, 3)

    Shapes: shape a shape, seed [2] -> shape
    Dtypes: of the result float
    Raises: OperandTypeError for other dtypes
    Source: Box and Muller 1958, A note on the generation of random normal deviates
    """
    state, number = _state(seed, alg), _generator(alg).number
    return _draws.scaled("random_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def stateless_truncated_normal(
    shape: _ShapeLike,
    seed: _TensorLike,
    mean: _TensorLike = 0.0,
    stddev: Any = 1.0,
    dtype: _DTypeLike = _float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normally distributed numbers within two standard deviations of the mean.

    >>> ag.random.stateless_truncated_normal([2, 3], [1, 2]).shape
    (2, 3)

    Shapes: shape a shape, seed [2] -> shape
    Dtypes: of the result float
    Raises: OperandTypeError for other dtypes
    Source: Wichura 1988, Algorithm AS 241
    """
    state, number = _state(seed, alg), _generator(alg).number
    return _draws.scaled("random_truncated_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def stateless_categorical(
    logits: _TensorLike,
    num_samples: Any,
    seed: _TensorLike,
    dtype: _DTypeLike = _int64,
    name: str | None = None,
) -> Any:
    """``num_samples`` classes for each row of ``logits``, with probabilities ``softmax(logits)``.

    >>> ag.random.stateless_categorical([[0.0, 1.0]], 5, [1, 2]).shape
    (1, 5)

    Shapes: logits [n, m], seed [2] -> [n, num_samples]
    Dtypes: bool, int, uint, float, complex -> int64
    Raises: OperandValueError for logits that are no matrix
    """
    return _draws.categorical(_state(seed, 1), _tensor(logits), num_samples, dtype, 1)


@_composition()
def stateless_shuffle(value: _TensorLike, seed: _TensorLike, alg: Any = "auto_select") -> Any:
    """The slices of ``value`` along its first axis in random order.

    >>> ag.random.stateless_shuffle([1, 2, 3], [1, 2]).shape
    (3,)

    Shapes: value [n, ...], seed [2] -> [n, ...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for an algorithm that is none
    """
    return _draws.shuffle(_state(seed, alg), _tensor(value), _generator(alg).number)


@_composition()
def stateless_permutation(n: Any, seed: _TensorLike, alg: Any = "auto_select") -> Any:
    """The integers below ``n`` in random order, as int64.

    >>> ag.random.stateless_permutation(3, [1, 2]).shape
    (3,)

    Shapes: n number, seed [2] -> [n]
    Dtypes: of the result int64
    Raises: OperandValueError for an algorithm that is none
    """
    return _TABLE["random_permutation"](_state(seed, alg), n, _generator(alg).number)


@_composition()
def split(seed: _TensorLike, num: Any = 2, alg: Any = "auto_select") -> Any:
    """``num`` new seeds of a seed, as a tensor of shape ``[num, 2]``.

    >>> ag.random.split([1, 2], 3).shape
    (3, 2)

    Shapes: seed [2] -> [num, 2]
    Dtypes: int, uint -> the same
    Raises: OperandTypeError for other dtypes
    """
    given = _tensor(seed)
    return stateless_uniform((num, 2), given, None, None, given.dtype, alg=alg)


@_composition()
def fold_in(seed: _TensorLike, data: _TensorLike, alg: Any = "auto_select") -> Any:
    """A new seed made of a seed and an integer, such as the number of a step.

    >>> ag.random.fold_in([1, 2], 3).shape
    (2,)

    Shapes: seed [2], data [] -> [2]
    Dtypes: int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    number = _tensor(data)
    mixed = stateless_uniform((), seed, None, None, number.dtype, alg=alg)
    return _TABLE["stack"]([mixed, number])


@_composition()
def create_rng_state(seed: _TensorLike, alg: Any = "philox") -> Any:
    """The state of a generator that begins with this seed: an integer, or a tensor of integers.

    >>> ag.random.create_rng_state(1).shape
    (3,)

    Shapes: seed [] -> [3]
    Dtypes: of the result int64
    Raises: OperandValueError for an algorithm that is none
    """
    return _draws.state_from_seed(seed, _generator(alg).size)


# From the global generator.


@_composition()
def uniform(
    shape: _ShapeLike,
    minval: Any = 0,
    maxval: Any = None,
    dtype: _DTypeLike = _float32,
    seed: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Numbers from ``minval`` to ``maxval``, which is left out; floats to 1 where it is None.

    >>> ag.random.uniform([2, 3]).shape
    (2, 3)

    Shapes: shape a shape -> shape
    Dtypes: of the result int, uint, float
    Raises: OperandValueError for integers without maxval; OperandTypeError for other dtypes
    """
    if maxval is None and _as_dtype(dtype).is_integer:
        raise ValueError("uniform(): integers need maxval")
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.uniform(state, shape, minval, maxval, dtype, number, "uniform")


@_composition()
def normal(
    shape: _ShapeLike,
    mean: _TensorLike = 0.0,
    stddev: Any = 1.0,
    dtype: _DTypeLike = _float32,
    seed: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers, by the method of Box and Muller.

    >>> ag.random.normal([2, 3]).shape
    (2, 3)

    Shapes: shape a shape -> shape
    Dtypes: of the result float
    Raises: OperandTypeError for other dtypes
    Source: Box and Muller 1958, A note on the generation of random normal deviates
    """
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.scaled("random_normal", state, shape, mean, stddev, dtype, number)


@_composition()
def truncated_normal(
    shape: _ShapeLike,
    mean: _TensorLike = 0.0,
    stddev: Any = 1.0,
    dtype: _DTypeLike = _float32,
    seed: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers within two standard deviations of the mean.

    >>> ag.random.truncated_normal([2, 3]).shape
    (2, 3)

    Shapes: shape a shape -> shape
    Dtypes: of the result float
    Raises: OperandTypeError for other dtypes
    Source: Wichura 1988, Algorithm AS 241
    """
    state, number = _drawing(seed, _draws.count(shape))
    return _draws.scaled("random_truncated_normal", state, shape, mean, stddev, dtype, number)


@_composition("logits")
def categorical(
    logits: _TensorLike,
    num_samples: Any,
    dtype: _DTypeLike = _int64,
    seed: _TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """``num_samples`` classes for each row of ``logits``, with probabilities ``softmax(logits)``.

    >>> ag.random.categorical([[0.0, 1.0]], 5).shape
    (1, 5)

    Shapes: logits [n, m] -> [n, num_samples]
    Dtypes: bool, int, uint, float, complex -> int64
    Raises: OperandValueError for logits that are no matrix
    """
    state, number = _drawing(seed, _draws.count((*_dimension_sizes(logits), num_samples)))
    return _draws.categorical(state, logits, num_samples, dtype, number)


@_composition("value")
def shuffle(value: _TensorLike, seed: _TensorLike | None = None, name: str | None = None) -> Any:
    """The slices of ``value`` along its first axis in random order.

    >>> ag.random.shuffle([1, 2, 3]).shape
    (3,)

    Shapes: value [n, ...] -> [n, ...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    state, number = _drawing(seed, _draws.count(_dimension_sizes(value)[:1]))
    return _draws.shuffle(state, value, number)


if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
