"""Subscripts with index arrays and masks, drawn at random, against NumPy; read and assigned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agir import errors
from agir.ir import dispatch
from agir.ir.convention import NUMPY
from agir.ir.trace import CAPTURE_LIMIT
from agir.ir.types import DTYPES, DType
from agir.runtime.tensor import EagerTensor

SHAPES = [(5,), (4, 3), (2, 3, 4), (1, 0, 3)]
BOUND = st.none() | st.integers(-5, 5)
SLICE = st.builds(slice, BOUND, BOUND, st.sampled_from([None, 1, 2, -1, -2]))


class Given(int):
    """Stands in a key for the argument of that number."""


@st.composite
def keys(draw: Any, shape: tuple[int, ...], arguments: list[Any]) -> tuple[Any, ...]:
    """A key with at least one array; arrays known only at run time are put into ``arguments``."""
    common = draw(st.sampled_from([(2,), (3,), (2, 2), (1, 3)]))
    entries: list[Any] = []

    def array(value: Any) -> Any:
        kind = draw(st.sampled_from(["argument", "list", "constant"]))
        if kind == "argument" or value.size > CAPTURE_LIMIT:
            arguments.append(value)
            return Given(len(arguments) - 1)
        return value.tolist() if kind == "list" and value.size else value

    def masked(axis: int) -> int:
        count = draw(st.integers(1, len(shape) - axis))
        extents = shape[axis : axis + count]
        flags = draw(st.lists(st.booleans(), min_size=24, max_size=24))
        entries.append(array(np.array(flags[: int(np.prod(extents))], bool).reshape(extents)))
        return axis + count

    def indexed(axis: int, kind: str) -> int:
        extent = shape[axis]
        if kind == "slice" or not extent:
            entries.append(draw(SLICE))
        elif kind == "int":
            entries.append(draw(st.integers(-extent, extent - 1)))
        else:
            own = draw(st.sampled_from([common, common[-1:], (1,)]))
            size = int(np.prod(own))
            drawn = st.lists(st.integers(-extent, extent - 1), min_size=size, max_size=size)
            dtype = draw(st.sampled_from(["i8", "i4", "i1"]))
            entries.append(array(np.array(draw(drawn), dtype).reshape(own)))
        return axis + 1

    only_mask = draw(st.booleans())
    sure = draw(st.integers(0, len(shape) - 1))
    axis = 0
    while axis < len(shape):
        if draw(st.integers(0, 5)) == 0:
            entries.append(None)
        if axis == sure and only_mask:
            axis = masked(axis)
        elif axis == sure:
            axis = indexed(axis, "array")
        else:
            kind = draw(st.sampled_from(["slice"] if only_mask else ["slice", "int", "array"]))
            axis = indexed(axis, kind)
    if draw(st.integers(0, 3)) == 0:
        entries.insert(draw(st.integers(0, len(entries))), Ellipsis)
    return tuple(entries)


def filled(key: tuple[Any, ...], arguments: Any) -> Any:
    found = tuple(arguments[e] if isinstance(e, Given) else e for e in key)
    return found[0] if len(found) == 1 else found


def draw_keys(data: Any, shape: tuple[int, ...]) -> tuple[list[Any], list[Any], Any]:
    arguments: list[Any] = []
    chosen = data.draw(st.lists(keys(shape, arguments), min_size=6, max_size=6))
    x = np.arange(np.prod(shape), dtype="i4").reshape(shape)

    def valid(key: Any) -> bool:
        try:
            x[filled(key, arguments)]
        except IndexError:
            return False
        return True

    return [key for key in chosen if valid(key)], arguments, x


def specs(arrays: Any, dynamic: bool) -> list[Any]:
    return [(a.dtype, tuple(None if dynamic else d for d in a.shape)) for a in arrays]


@settings(max_examples=6, phases=[Phase.generate], deadline=None)
@given(st.data())
def test_reading(record: Any, same: Any, data: Any) -> None:
    for shape in SHAPES:
        chosen, arguments, x = draw_keys(data, shape)
        if not chosen:
            continue

        def read(x: Any, *given: Any, chosen: Any = chosen) -> list[Any]:
            return [x[filled(key, given)] for key in chosen]

        wanted = read(x, *arguments)
        eager = read(EagerTensor(x), *map(EagerTensor, arguments))
        for dynamic in (False, True):
            recorded = record(read, *specs((x, *arguments), dynamic))
            for run in (recorded.compiled, recorded.interpreted):
                for got, mine, want, key in zip(
                    run(x, *arguments), eager, wanted, chosen, strict=True
                ):
                    same(got, want, f"{filled(key, arguments)} of {shape}")
                    same(mine.numpy(), want, f"eager {filled(key, arguments)} of {shape}")


@settings(max_examples=5, phases=[Phase.generate], deadline=None)
@given(st.data())
def test_assigning(record: Any, same: Any, data: Any) -> None:
    for shape in SHAPES:
        chosen, arguments, x = draw_keys(data, shape)
        values = [np.asarray(x[filled(key, arguments)]) * 3 + 1 for key in chosen]
        broadcast = [v[..., :1] if v.ndim and v.shape[-1] else v for v in values]

        def write(x: Any, *given: Any, chosen: Any = chosen, count: Any = len(values)) -> list[Any]:
            found = []
            assigned, repeated, given = given[:count], given[count : 2 * count], given[2 * count :]
            for key, *new in zip(chosen, assigned, repeated, strict=True):
                for value in (*new, 7, x[filled(key, given)] + 1):
                    z = x * 1
                    z[filled(key, given)] = value
                    found.append(z)
                z = x * 1
                z[filled(key, given)] += 5
                found.append(z)
            return found

        if not chosen:
            continue
        given_arrays = (*values, *broadcast, *arguments)
        wanted = write(x, *given_arrays)
        for dynamic in (False, True):
            recorded = record(write, *specs((x, *given_arrays), dynamic), convention=NUMPY)
            for run in (recorded.compiled, recorded.interpreted):
                for i, (got, want) in enumerate(zip(run(x, *given_arrays), wanted, strict=True)):
                    key = filled(chosen[i // 5], arguments)
                    same(got, want, f"assignment {i % 5} to {key} of {shape}")
