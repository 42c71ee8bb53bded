"""The arguments of random NumPy programs: dtypes, shapes, how they lie in memory, what they share."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DTYPES = {
    "float64": 6, "int64": 4, "float32": 2.5, "bool": 1.5, "uint8": 1.2, "int32": 1.2, "int8": 0.7,
    "uint16": 0.4, "int16": 0.4, "uint32": 0.3, "uint64": 0.3, "float16": 0.3, "complex128": 1.2,
    "complex64": 0.4,
}  # fmt: skip
SHAPES = [
    (5,), (4,), (1,), (0,), (3,), (6,), (3, 4), (4, 3), (2, 3), (1, 4), (3, 1), (3, 3), (2, 0),
    (2, 3, 2), (2, 1, 3), (4,), (5,), (3, 4), (2, 3),
]  # fmt: skip
Build = Callable[[tuple[int, ...], str], np.ndarray]


def _apart(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    whole = np.zeros([2 * k for k in shape], dtype)
    return whole[tuple(slice(None, None, 2) for _ in shape)]


def _backwards(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.zeros(shape, dtype)[tuple(slice(None, None, -1) for _ in shape)]


def _inside(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    whole = np.zeros([k + 2 for k in shape], dtype)
    return whole[tuple(slice(1, k + 1) for k in shape)]


def _turned(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.zeros([*shape[1:], *shape[:1]], dtype).transpose(
        [len(shape) - 1, *range(len(shape) - 1)]
    )


LAYOUTS: dict[Build, float] = {
    np.zeros: 12,
    lambda shape, dtype: np.zeros(shape, dtype, order="F"): 1,
    _turned: 0.6,
    _apart: 0.8,
    _backwards: 0.6,
    _inside: 0.8,
}  # fmt: skip


@dataclass
class Given:
    """What a program is called with, and the memory that the arrays lie in."""

    values: list[Any]
    memory: list[np.ndarray]


def arguments(seed: int, variant: int = 0) -> Given:
    """The arrays and numbers that a program is called with: new ones each time."""
    choices = random.Random(seed)
    rng = np.random.default_rng([seed, variant])
    arrays = [_array(rng, choices, variant) for _ in range(3)]
    if choices.random() < 0.08:
        arrays[choices.randrange(3)] = _part(choices, arrays[choices.randrange(3)])
    if choices.random() < 0.02:
        arrays[choices.randrange(3)].flags.writeable = False
    memory = [a if a.base is None else a.base for a in arrays]
    return Given([*arrays, (2, 3)[variant], (1.5, -0.5)[variant]], memory)


def _part(choices: random.Random, array: np.ndarray) -> np.ndarray:
    """An argument that shares memory with another one."""
    if not array.ndim:
        return array
    return choices.choice([array, array[::-1], array[1:], array[:-1], array[...], array[::2]])


def _array(rng: Any, choices: random.Random, variant: int) -> np.ndarray:
    shape = choices.choice(SHAPES)
    dtype = choices.choices(list(DTYPES), list(DTYPES.values()))[0]
    build = choices.choices(list(LAYOUTS), list(LAYOUTS.values()))[0]
    array = (build if shape else np.zeros)(shape, dtype)
    array[...] = _numbers(rng, dtype, shape)
    return array


def _numbers(rng: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    kind = np.dtype(dtype).kind
    values = np.asarray(rng.integers(0 if kind in "ub" else -3, 5, shape))
    if kind == "f":
        values = values / 2
        if rng.random() < 0.15 and values.size and shape:
            values.flat[0] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
    if kind == "c":
        values = values + 1j * rng.integers(-3, 4, shape)
    return np.asarray(values > 0 if kind == "b" else values).astype(dtype)
