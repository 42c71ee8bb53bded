"""Subscripts with index arrays and masks, drawn at random, against NumPy; read and assigned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agir import errors
from agir.ir.building.types import DTYPES, DType
from agir.ir.convention import NUMPY
from agir.ir.tensors import dispatch
from agir.ir.tracing.trace import CAPTURE_LIMIT
from agir.runtime.tensor import EagerTensor

SHAPES = [(5,), (2, 3, 4), (1, 0, 3)]
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
        sizes = shape[axis : axis + count]
        flags = draw(st.lists(st.booleans(), min_size=24, max_size=24))
        entries.append(array(np.array(flags[: int(np.prod(sizes))], bool).reshape(sizes)))
        return axis + count

    def indexed(axis: int, kind: str) -> int:
        dim_size = shape[axis]
        if kind == "slice" or not dim_size:
            entries.append(draw(SLICE))
        elif kind == "int":
            entries.append(draw(st.integers(-dim_size, dim_size - 1)))
        else:
            own = draw(st.sampled_from([common, common[-1:], (1,)]))
            size = int(np.prod(own))
            drawn = st.lists(st.integers(-dim_size, dim_size - 1), min_size=size, max_size=size)
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
    chosen = data.draw(st.lists(keys(shape, arguments), min_size=4, max_size=4))
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


@settings(max_examples=3, phases=[Phase.generate], deadline=None)
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


@settings(max_examples=2, phases=[Phase.generate], deadline=None)
@given(st.data())
def test_assigning(record: Any, same: Any, data: Any) -> None:
    for shape in SHAPES:
        chosen, arguments, x = draw_keys(data, shape)
        values = [np.asarray(x[filled(key, arguments)]) * 3 + 1 for key in chosen]
        broadcast = [v[..., :1] if v.ndim and v.shape[-1] else v for v in values]

        def write(x: Any, *given: Any, chosen: Any = chosen) -> list[Any]:
            found, count = [], len(chosen)
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


# What a mask takes is kept in the array's own shape where that will do: any order of steps.

STEPS = {
    "x[x > 2] = 0": lambda s: s["x"].__setitem__(s["x"] > 2, 0),
    "x[x > 2] = y[x > 2]": lambda s: s["x"].__setitem__(s["x"] > 2, s["y"][s["x"] > 2]),
    "x[m] = x[m] * 2 + y[m]": lambda s: s["x"].__setitem__(
        s["m"], s["x"][s["m"]] * 2 + s["y"][s["m"]]
    ),
    "x[m] += 3": lambda s: s["x"].__setitem__(s["m"], s["x"][s["m"]].__iadd__(3)),
    "x[m] //= y[m]": lambda s: s["x"].__setitem__(s["m"], s["x"][s["m"]].__ifloordiv__(2)),
    "p = x[x > y]": lambda s: s.update(p=s["x"][s["x"] > s["y"]]),
    "p = y[m]": lambda s: s.update(p=s["y"][s["m"]]),
    "p = -p": lambda s: s.update(p=-s["p"]),
    "p *= 2": lambda s: s.update(p=s["p"].__imul__(2)),
    "p[:2] = 9": lambda s: s["p"].__setitem__(slice(None, 2), 9),
    "q = p[::-1]": lambda s: s.update(q=s["p"][::-1]),
    "q += 1": lambda s: s.update(q=s["q"].__iadd__(1)),
    "y[0] += p.sum()": lambda s: s["y"].__setitem__(0, s["y"][0] + s["p"].sum()),
    "m[0] = y > x": lambda s: s["m"].__setitem__(0, s["y"][0] > s["x"][0]),
    "row of y[1:][m[1:]] = 5": lambda s: s["y"][1:].__setitem__(s["m"][1:], 5),
}


@settings(max_examples=6, phases=[Phase.generate], deadline=None)
@given(st.lists(st.sampled_from(sorted(STEPS)), min_size=8, max_size=8))
def test_any_order_of_steps(record: Any, same: Any, steps: list[str]) -> None:
    def run(x: Any, y: Any, m: Any) -> list[Any]:
        state = {"x": x, "y": y, "m": m, "p": x[m]}
        state["q"] = state["p"][1:]
        for step in steps:
            STEPS[step](state)
        return [state[name] for name in "xympq"]

    x, y = np.arange(12).reshape(3, 4) % 7, np.arange(12)[::-1].reshape(3, 4) % 5
    arrays = (x, y, (x + y) % 3 == 0)
    wanted = run(*(np.array(a) for a in arrays))
    for dynamic in (False, True):
        recorded = record(run, *specs(arrays, dynamic), convention=NUMPY)
        for way in (recorded.compiled, recorded.interpreted):
            for got, want, name in zip(way(*arrays), wanted, "xympq", strict=True):
                same(got, want, f"{name} after {steps}")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(compare: Any, record: Any, dtype: DType) -> None:
    x = (np.arange(12) % 5).astype(dtype.numpy).reshape(3, 4)
    i = np.array([2, -1, 0])

    def read(x: Any, i: Any) -> list[Any]:
        return [
            x[i],
            x[i, [1, 1, -1]],
            x[x != x[0, 0]],
            x[:, x[0] != x[0, 0]],
            x[None, [[True] * 4] * 3],
        ]

    for dynamic in (False, True):
        compare(read, x, i, dynamic=dynamic, more=[[np.asfortranarray(x), i[::-1]]])

    def write(x: Any, i: Any) -> list[Any]:
        x[i[:2], 1:] = x[0, 0]
        x[x != x[1, 1]] = x[0, 1]
        x[:, i] = x[:, ::-1][:, i]
        x[[True, False, True]] = x[i][:2]
        return [x]

    recorded = record(write, (dtype, (None, 4)), ("i8", (3,)), convention=NUMPY)
    wanted = write(x.copy(), i)[0]
    for run in (recorded.compiled, recorded.interpreted):
        assert run(x, i)[0].tobytes() == wanted.tobytes()


def test_arrays_of_numpy_by_traced_keys(record: Any) -> None:
    table = np.arange(12) * 10

    def read(i: Any, n: Any) -> list[Any]:
        get = lambda key: dispatch.call("getitem", table[:12], key)  # noqa: E731
        return [get(i), get(n), get(slice(n, None, 4)), get((Ellipsis, [n, 0]))]

    recorded = record(read, ("i8", (2,)), ("i8", ()))
    for run in (recorded.compiled, recorded.interpreted):
        got = run(np.array([3, -1]), np.int64(5))
        for a, b in zip(got, ([30, 110], 50, [50, 90], [50, 0]), strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_last_value_for_one_place_counts(record: Any) -> None:
    def write(x: Any, i: Any, v: Any) -> list[Any]:
        x[i] = v
        x[i] += 10
        return [x]

    recorded = record(write, ("f4", (5,)), ("i4", (4,)), ("f8", (4,)), convention=NUMPY)
    x, i, v = np.zeros(5, "f4"), np.array([1, -4, 1, 3], "i4"), np.arange(4.0)
    for run in (recorded.compiled, recorded.interpreted):
        assert run(x, i, v)[0].tolist() == [0, 12, 0, 13, 0]


def test_places_outside(record: Any) -> None:
    def write(x: Any, i: Any) -> list[Any]:
        y = x * 2
        y[i] = 1
        return [y, x[..., i]]

    for shape in ((3, 3), (None, None)):
        recorded = record(write, ("f4", shape), ("i8", (2,)))
        for run in (recorded.compiled, recorded.interpreted):
            for bad in (3, -4):
                with pytest.raises(errors.RuntimeIndexError, match=f"index {bad} is out of bounds"):
                    run(np.zeros((3, 3), "f4"), np.array([0, bad]))
            assert run(np.ones((3, 3), "f4"), np.array([0, -3]))[0].sum() == 15
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.RuntimeIndexError, match="size 0"):
            run(np.zeros((0, 3), "f4"), np.array([0, 0]))


@pytest.mark.parametrize(
    ("key", "error"),
    [
        ([0, 3], "index 3 is out of bounds for axis 0 with size 3"),
        (([0, 1], [0, 1, 0]), "do not broadcast against each other"),
        ([True, False], "along axis 0 the array has 3 elements, the index 2"),
        ([0.5], "must be of integer"),
        ((0, 0, [0]), "too many indices"),
        ((..., [0], ...), "single ellipsis"),
    ],
)
def test_keys_that_do_not_fit_are_refused_while_tracing(record: Any, key: Any, error: str) -> None:
    with pytest.raises(IndexError, match=error):
        record(lambda x: [x[key]], ("f4", (3, 2)))
    with pytest.raises(IndexError, match=error):
        EagerTensor(np.zeros((3, 2)))[key]


def test_values_and_masks_of_another_length(record: Any) -> None:
    def write(x: Any, m: Any, v: Any) -> list[Any]:
        x[m] = v
        return [x]

    recorded = record(write, ("i8", (None,)), ("?", (None,)), ("i8", (None,)), convention=NUMPY)
    x, m = np.arange(4), np.array([True, False, True, True])
    for run in (recorded.compiled, recorded.interpreted):
        assert run(x, m, np.array([7, 8, 9]))[0].tolist() == [7, 1, 8, 9]
        assert run(x, m, np.array([7]))[0].tolist() == [7, 1, 7, 7]
        assert run(x, m & False, x[:0])[0].tolist() == [0, 1, 2, 3]
        with pytest.raises(errors.RuntimeShapeError, match="differ in size: 2 and 3"):
            run(x, m, np.array([7, 8]))
        with pytest.raises(errors.RuntimeIndexError, match="has 4 elements, the index 3"):
            run(x, m[:3], np.array([7]))
    with pytest.raises(ValueError, match="does not broadcast"):
        record(write, ("i8", (4,)), ("?", (4,)), ("i8", (2, 3)), convention=NUMPY)
