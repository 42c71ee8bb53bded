"""Generators of random numbers with a state, and the global one."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any

import numpy as np

from agir.errors import OperandTypeError, OperandValueError
from agir.ir.building.types import as_dtype, float32, int64, uint64
from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.ops.random import random_draws as draws
from agir.ir.ops.random.random_streams import generator
from agir.ir.state.variables import Variable
from agir.ir.tensors import dispatch
from agir.ir.tracing import trace
from agir.runtime.state.buffers import buffer_of
from agir.runtime.state.module import Module
from agir.runtime.tensor import convert_to_tensor

RESERVED = 256
"""By how many blocks a state moves on for each number that is drawn."""


class Generator(Module):
    """A generator of random numbers, whose state is a variable.

    ::

        generator = ag.random.Generator.from_seed(1)

        @ag.function
        def noisy(x):
            return x + generator.normal(ag.shape(x))

    Each call draws other numbers: the state moves on, in compiled functions as well, unless the call
    fails.  ``alg`` is ``"philox"``, ``"threefry"`` or ``"auto_select"``, which is Philox.

    >>> ag.random.Generator.from_seed(1).uniform([2]).shape
    (2,)

    Shapes: shape a shape -> shape
    Raises: OperandValueError for arguments that exclude each other
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        super().__init__()
        if copy_from is not None:
            if state is not None or alg is not None:
                raise OperandValueError("Generator(): give copy_from, or state and alg, not both")
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        if state is None or alg is None:
            raise OperandValueError("Generator(): give copy_from, or state and alg")
        self._kind = generator(alg)
        self._state = Variable(_state(state, self._kind), trainable=False, dtype=int64)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator that begins with a seed: an integer, or a vector of integers."""
        kind = generator("auto_select" if alg is None else alg)
        return cls(state=draws.state_from_seed(seed, kind.size), alg=kind.number)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator with a state that another one had."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator whose state the operating system chooses."""
        kind = generator("auto_select" if alg is None else alg)
        state = np.frombuffer(os.urandom(8 * kind.size), np.int64)
        return cls(state=state.copy(), alg=kind.number)

    # What it is.

    @property
    def state(self) -> Variable:
        """The state: a counter, and last the key."""
        return self._state

    @property
    def algorithm(self) -> int:
        """The number of the algorithm, a member of ``ag.random.Algorithm``."""
        return self._kind.number

    @property
    def key(self) -> Any:
        """The key, which does not change as numbers are drawn."""
        return self._state.read_value()[-1]

    def _next(self, shape: Any) -> Any:
        """The state as it is; moves on behind what an array of the shape needs."""
        return self.skip(draws.count(shape))

    # Moving on.

    def skip(self, delta: Any) -> Any:
        """Move on as if ``delta`` numbers had been drawn; gives the state before."""
        with buffer_of(self._state).lock if trace.current() is None else nullcontext():
            before = self._state.read_value()
            self._state.assign(draws.advanced(before, delta, RESERVED))
        return before

    def reset(self, state: Any) -> None:
        """Have another state."""
        self._state.assign(_state(state, self._kind))

    def reset_from_seed(self, seed: Any) -> None:
        """Begin again with a seed."""
        self._state.assign(draws.state_from_seed(seed, self._kind.size))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Have another key and another counter."""
        words = dispatch.call("reshape", dispatch.call("cast", counter, int64), (-1,))
        last = dispatch.call("reshape", dispatch.call("cast", key, int64), (1,))
        state = dispatch.call("concat", [words[: self._kind.size - 1], last], 0)
        self._state.assign(state)

    # Drawing.

    @composition()
    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Any:
        """Numbers from ``minval`` to ``maxval``, which is left out; floats to 1 where it is None."""
        if maxval is None and as_dtype(dtype).is_integer:
            raise OperandValueError("uniform(): integers need maxval; uniform_full_int() draws any")
        number = self._kind.number
        return draws.uniform(self._next(shape), shape, minval, maxval, dtype, number, "uniform")

    @composition()
    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Any:
        """Normally distributed numbers."""
        return self._scaled("random_normal", shape, mean, stddev, dtype)

    @composition()
    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Any:
        """Normally distributed numbers within two standard deviations of the mean."""
        return self._scaled("random_truncated_normal", shape, mean, stddev, dtype)

    def _scaled(self, operation: str, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        state = self._next(shape)
        return draws.scaled(operation, state, shape, mean, stddev, dtype, self._kind.number)

    @composition()
    def uniform_full_int(self, shape: Any, dtype: Any = uint64, name: str | None = None) -> Any:
        """Integers of the whole range of the dtype."""
        kind = as_dtype(dtype)
        return draws.full_integers(self._next(shape), shape, kind, self._kind.number)

    def categorical(self, logits: Any, num_samples: Any, dtype: Any = int64) -> Any:
        """``num_samples`` classes for each row of ``logits``."""
        logits = convert_to_tensor(logits)
        state = self._next((*dimension_sizes(logits), num_samples))
        return draws.categorical(state, logits, num_samples, dtype, self._kind.number)

    def shuffle(self, value: Any) -> Any:
        """The slices of ``value`` along its first axis in random order."""
        value = convert_to_tensor(value)
        return draws.shuffle(self._next(dimension_sizes(value)[:1]), value, self._kind.number)

    # Seeds for others.

    def make_seeds(self, count: Any = 1) -> Any:
        """Seeds for functions that take one, as the columns of a tensor of shape ``[2, count]``."""
        seeds = self.uniform_full_int((count,), int64)
        zeros = dispatch.call("full", (1, count), 0, int64)
        return dispatch.call("concat", [dispatch.call("expand_dims", seeds, 0), zeros], 0)

    def split(self, count: int = 1) -> list[Generator]:
        """``count`` generators with keys of their own, which this one draws."""
        keys = self.uniform_full_int((count,), int64)
        zeros = np.zeros(self._kind.size - 1, np.int64)
        states = [dispatch.call("concat", [zeros, keys[i : i + 1]], 0) for i in range(count)]
        return [Generator(state=state, alg=self._kind.number) for state in states]


def _state(given: Any, kind: Any) -> Any:
    value = given.read_value() if isinstance(given, Variable) else convert_to_tensor(given)
    value = dispatch.call("cast", value, int64)
    if value.shape not in ((kind.size,), (None,)):
        raise OperandValueError(
            f"the state of {kind.name} has the shape ({kind.size},), not {value.shape}"
        )
    return value


# The global generator, and the one of the functions that are given a seed.


class _Globals:
    """What the functions that name no generator draw from."""

    def __init__(self) -> None:
        self.generator = Generator.from_non_deterministic_state()
        self.seeded = Generator.from_seed(0)


_globals = _Globals()


def get_global_generator() -> Generator:
    """The generator that ``ag.random.uniform`` and its like draw from.

    It begins with a state that the operating system chooses, or with the seed of ``set_seed``.

    >>> ag.random.get_global_generator().algorithm
    1
    """
    return _globals.generator


def set_global_generator(generator: Generator) -> None:
    """Let the functions that name no generator draw from this one.

    Functions that are compiled already go on with the one that they were traced with.

    >>> ag.random.set_global_generator(ag.random.Generator.from_seed(1))

    Raises: OperandTypeError for what is no generator
    """
    if not isinstance(generator, Generator):
        raise OperandTypeError(f"set_global_generator() takes a Generator, not {generator!r}")
    _globals.generator = generator


def set_seed(seed: Any) -> None:
    """Begin again with a seed: the numbers of the global generator become reproducible.

    >>> ag.random.set_seed(1)
    """
    _globals.generator.reset_from_seed(seed)
    _globals.seeded.reset_from_seed(seed)


def drawing(seed: Any, count: Any) -> tuple[Any, int]:
    """(state, algorithm) for a function that draws so many numbers and names no generator.

    With a seed of its own it has numbers of its own, which are reproducible: they depend on the
    seed, on the global one if it is set, and on how many were drawn with a seed before.
    """
    if seed is None:
        return _globals.generator.skip(count), _globals.generator.algorithm
    mixed = _globals.seeded.uniform_full_int((), int64)
    pair = dispatch.call("stack", [mixed, dispatch.call("cast", seed, int64)])
    return dispatch.call("random_state", pair, 1), 1
