"""Loops that carry arrays allocate, free and copy nothing in an iteration.

And compute what NumPy does.
"""

from __future__ import annotations

import inspect
import linecache
import random
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.mlir.modules import walk

ITERATIONS = (0, 1, 2, 3, 4, 7)
LOOPS = ("scf.for", "scf.while")


def diffusion(u, n):
    for _ in range(n):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u


def reversed_each_time(u, n):
    for _ in range(n):
        u = u[::-1] * 0.5 + 1.0
    return u


def change_places(x, n):
    y = x * 0.5
    for _ in range(n):
        x, y = y, x * 0.5 + y[::-1]
    return x, y


def go_round(x, n):
    y, z = x + 1.0, x[::-1] * 2.0
    for _ in range(n):
        x, y, z = y, z, x + 0.25 * y[::-1]
    return x - y, z


def four_of_them(x, n):
    a, b, c = x + 1.0, x * 2.0, x - 3.0
    for _ in range(n):
        x, a, b, c = a, b, c, np.roll(x, 1) * 0.5 + b * c[::-1]
    return x, a, b, c


def only_exchanged(x, n):
    y = x * 3.0 + 1.0
    total = x * 0.0
    for _ in range(n):
        x, y = y, x
        total += x
    return total, x, y


def stencil(u, n):
    for _ in range(n):
        v = u.copy()
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u = v
    return u


def stencil_in_place(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return u


def stencil_with_edges(u, n):
    u = u * 1.0
    for _ in range(n):
        u[1:-1] = 0.25 * (u[:-2] + 2 * u[1:-1] + u[2:])
        u[0] = 1.0
        u[-1] = 2.0
    return u


def until_it_settles(u, n):
    change, iterations = 1.0, 0
    while change > 1e-6 and iterations < n:
        v = 0.25 * (np.roll(u, 1) + 2 * u + np.roll(u, -1))
        change = np.max(np.abs(v - u))
        u = v
        iterations += 1
    return u, iterations


def stencil_until_it_settles(u, n):
    change, iterations = 1.0, 0
    while change > 1e-6 and iterations < n:
        v = u.copy()
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        change = np.max(np.abs(v - u))
        u = v
        iterations += 1
    return u, change


def only_if_better(x, n):
    best = np.sum(x * x)
    for i in range(n):
        other = x[::-1] * (0.5 + 0.2 * i)
        value = np.sum(other * other)
        if value < best:
            x, best = other, value
    return x, best


def one_or_the_other(x, n):
    for i in range(n):
        if i % 3 == 1:
            x = np.roll(x, 1) + 1.0
        else:
            x = x[::-1] * 0.5
    return x


def loops_in_loops(u, n):
    for i in range(n):
        for _ in range(i):
            u = u[::-1] * 0.5 + 1.0
        u = np.roll(u, 1) - 0.25
    return u


def inner_loop_carries(u, n):
    for i in range(n):
        for _ in range(i % 3):
            u = u[::-1] * 0.5 + 1.0
    return u


def until_found(u, n):
    for i in range(n):
        u = u[::-1] * 0.5 + 1.0
        if np.sum(u) > 1e9 or i == 3:
            break
    return u, n


def leaves_early(u, n):
    for i in range(n):
        v = u[::-1] * 0.5 + 1.0
        if i == 2:
            return v - u
        u = v
    return u * 2.0


def the_first_stays(u, n):
    first = u
    for _ in range(n):
        u = u[::-1] * 0.5 + 1.0
    return first, u


def twice_the_same(u, n):
    v = u
    for _ in range(n):
        u, v = v[::-1] * 0.5, u + v
    return u, v


def line_search(x, n):
    for _ in range(n):
        step = 1.0
        while True:
            other = x - step * 0.1 * x[::-1]
            if np.sum(other * other) <= np.sum(x * x) or step < 1e-3:
                break
            step *= 0.5
        x = other
    return x


def one_loop_after_another(u, n):
    for _ in range(n):
        u = u[::-1] * 0.5
    for _ in range(n):
        u = np.roll(u, 1) + u
    return u


def sums_on_the_way(u, n):
    total = 0.0
    for _ in range(n):
        total += np.sum(u)
        u = u[::-1] * 0.5
    return total


PROGRAMS = [
    value
    for value in list(globals().values())
    if inspect.isfunction(value) and list(inspect.signature(value).parameters)[1:] == ["n"]
]
SPECS = {"known": ag.TensorSpec([300], ag.float64), "unknown": ag.TensorSpec([None], ag.float64)}
BRANCHES = {("stencil_with_edges", "unknown")}
"""Where each iteration asks whether an index is inside the array.

So the array is written in branches.
"""


def in_loops(concrete: Any, *names: str) -> Iterator[str]:
    """The operations of these names that are in loops of a program that is about to become loops."""
    for operation in walk(concrete.compilation.get("bufferized")):
        around = operation.parent
        while operation.name in names and around is not None and around.name != "func.func":
            if around.name in LOOPS:
                yield str(operation)
            around = around.parent


def whole_arrays(found: Iterator[str]) -> list[str]:
    return [text for text in found if "memref<300x" in text or "memref<?x" in text]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("function", PROGRAMS)
def test_no_memory_is_taken_and_nothing_copied_in_an_iteration(function: Any, spec: str) -> None:
    concrete = ag.jit(function).get_concrete_function(SPECS[spec], 5)
    assert list(in_loops(concrete, "memref.alloc", "memref.dealloc")) == []
    copied = whole_arrays(in_loops(concrete, "memref.copy"))
    assert copied == [] or (function.__name__, spec) in BRANCHES


@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
@pytest.mark.parametrize("function", PROGRAMS)
def test_values(function: Any, decorate: Any) -> None:
    shape = [None] if decorate is ag.jit else [9]
    compiled = decorate(
        function, input_signature=[ag.TensorSpec(shape, ag.float64), ag.TensorSpec([], ag.int64)]
    )
    for iterations in ITERATIONS:
        check(function, compiled, np.linspace(-1.0, 2.0, 9), iterations)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize(
    "array",
    [
        np.linspace(-1.0, 2.0, 9),
        np.linspace(-1.0, 2.0, 2000),
        np.linspace(-1.0, 2.0, 9, dtype=np.float32),
        np.linspace(-1.0, 2.0, 18)[::2],
        np.linspace(-1.0, 2.0, 9)[::-1],
        np.array([0.5, np.nan, np.inf, -0.0, 1.0]),
        np.array([2.0]),
    ],
    ids=["short", "long", "float32", "strided", "reversed", "special", "one"],
)
def test_arrays_of_all_kinds(function: Any, array: Any) -> None:
    compiled = ag.jit(function)
    for iterations in (0, 1, 4, 5):
        check(function, compiled, array, iterations)


def check(function: Any, compiled: Any, array: Any, iterations: int) -> None:
    with np.errstate(all="ignore"):
        expected = function(array.copy(), iterations)
    given = array.copy() if array.flags.c_contiguous else array
    found = compiled(given, iterations)
    np.testing.assert_array_equal(given, array)
    expected, found = ((x if isinstance(x, tuple) else (x,)) for x in (expected, found))
    results = [np.asarray(value) for value in found]
    for result, wanted in zip(results, expected, strict=True):
        rtol = 1e-4 if array.dtype == np.float32 else 1e-12
        np.testing.assert_allclose(result, wanted, rtol=rtol, atol=rtol)
        assert not np.shares_memory(result, given) or result is given


def test_no_array() -> None:
    for function in (diffusion, reversed_each_time, change_places, stencil, go_round):
        check(function, ag.jit(function), np.zeros(0), 3)


def test_results_are_apart() -> None:
    x, y = ag.jit(change_places)(np.ones(50), 3)
    kept = y.copy()
    x[:] = 7.0
    np.testing.assert_array_equal(y, kept)


def test_the_argument_of_a_caller_is_written() -> None:
    def smooth(u, n):
        for _ in range(n):
            u[1:-1] = 0.5 * (u[:-2] + u[2:])

    for iterations in ITERATIONS:
        given, plain = np.linspace(0.0, 1.0, 30) ** 2, np.linspace(0.0, 1.0, 30) ** 2
        ag.jit(smooth)(given, iterations)
        smooth(plain, iterations)
        np.testing.assert_allclose(given, plain)


def test_what_fails_in_the_middle_leaves_the_argument_alone() -> None:
    @ag.jit
    def f(u, n, limit):
        for i in range(n):
            u = u[::-1] * 0.5
            if i == limit:
                raise ValueError("far enough")
        return u

    given = np.linspace(0.0, 1.0, 40)
    with pytest.raises(ValueError, match="far enough"):
        f(given, 10, 4)
    np.testing.assert_array_equal(given, np.linspace(0.0, 1.0, 40))
    np.testing.assert_array_equal(f(given, 2, 4), given * 0.25)


@pytest.mark.parametrize("iterations", [0, 1, 2, 5])
def test_products(iterations: int) -> None:
    def f(w, h, b, n):
        for _ in range(n):
            h = np.tanh(w @ h + b)
        return h

    draw = np.random.default_rng(3).normal
    arrays = draw(size=(40, 40)) * 0.1, draw(size=40), draw(size=40)
    np.testing.assert_allclose(ag.jit(f)(*arrays, iterations), f(*arrays, iterations), rtol=1e-10)
    signature = [ag.TensorSpec([None] * array.ndim, ag.float64) for array in arrays]
    general = ag.jit(f, input_signature=[*signature, ag.TensorSpec([], ag.int64)])
    np.testing.assert_allclose(general(*arrays, iterations), f(*arrays, iterations), rtol=1e-10)
    concrete = general.get_concrete_function()
    assert list(in_loops(concrete, "memref.alloc", "memref.dealloc")) == []


def test_a_result_may_have_another_length_than_the_first_array() -> None:
    @ag.jit(
        input_signature=[
            ag.TensorSpec([None, None]),
            ag.TensorSpec([None]),
            ag.TensorSpec([], ag.int64),
        ]
    )
    def f(w, h, n):
        for _ in range(n):
            h = w @ h
        return h

    w, h = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    np.testing.assert_array_equal(f(w, h, 0), h)
    np.testing.assert_array_equal(f(w, h, 1), w @ h)
    with pytest.raises(ValueError, match="2"):
        f(w, h, 2)


@pytest.mark.parametrize("name", ["diffusion", "change_places", "stencil", "only_if_better"])
def test_gradients(name: str) -> None:
    function = globals()[name]

    def total(u):
        result = function(u, 4)
        return np.sum(result[0] if isinstance(result, tuple) else result)

    u = np.linspace(0.5, 1.5, 8)
    found = ag.grad(ag.jit(total))(u)
    steps = np.eye(8) * 1e-6
    wanted = [(total(u + step) - total(u - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)


class _Writer:
    """Writes functions with loops that carry three arrays in many ways."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._depth = 0

    def source(self) -> str:
        lines = ["def f(a, b, c, n):", *self._indented(self._loop()), "    return a, b, c"]
        return "\n".join(lines) + "\n"

    def _indented(self, lines: list[str]) -> list[str]:
        return textwrap.indent("\n".join(lines), "    ").split("\n")

    def _loop(self) -> list[str]:
        name = "ijk"[self._depth]
        self._depth += 1
        body = [line for _ in range(self._random.randint(1, 3)) for line in self._statement(name)]
        self._depth -= 1
        return [
            f"for {name} in range({self._random.choice(('n', 'n', '2', 'n - 1'))}):",
            *self._indented(body),
        ]

    def _statement(self, counter: str) -> list[str]:
        one, other = self._random.sample("abc", 2)
        kind = self._random.randint(0, 9)
        if kind == 0:
            return [f"{one}, {other} = {other}, {one}"]
        if kind == 1:
            return ["a, b, c = b, c, a"]
        if kind == 2:
            return [f"{one}, {other} = {other}, {self._value()}"]
        if kind == 3:
            return [
                f"if {counter} % 2 == {self._random.randint(0, 1)}:",
                f"    {one} = {self._value()}",
            ]
        if kind == 4:
            branches = (
                [f"{x} = {self._value()}"] for x in (one, self._random.choice((one, other)))
            )
            yes, no = (self._indented(each) for each in branches)
            return [f"if np.sum({other}) > {counter}:", *yes, "else:", *no]
        if kind == 5 and self._depth < 3:
            return self._loop()
        if kind == 6:
            return [f"{one} = {one}.copy()", f"{one}[1:-1] = {other}[:-2] * 0.5 + {one}[2:] * 0.25"]
        if kind == 7:
            return [f"{one} = {other}"]
        return [f"{one} = {self._value()}"]

    def _value(self) -> str:
        x, y = self._random.choice("abc"), self._random.choice("abc")
        forms = (
            "{x}[::-1] * 0.5",
            "np.roll({x}, 1) * 0.5 + {y} * 0.25",
            "{x} * 0.5 - {y}[::-1] * 0.25",
            "{x} * 0.5 + 1.0",
            "np.cumsum({x}) * 0.1",
            "{x} - np.mean({y})",
        )
        return self._random.choice(forms).format(x=x, y=y)


def _made(source: str, name: str) -> Callable[..., Any]:
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), names)
    made: Callable[..., Any] = names["f"]
    return made


@pytest.mark.parametrize("seed", range(40))
def test_programs_by_chance(seed: int) -> None:
    source = _Writer(seed).source()
    function = _made(source, f"<carried {seed}>")
    draw = np.random.default_rng(seed).random
    arrays = [draw(7) for _ in "abc"]
    general = [ag.TensorSpec([None], ag.float64)] * 3
    for compiled in (
        ag.jit(function),
        ag.jit(function, input_signature=[*general, ag.TensorSpec([], ag.int64)]),
    ):
        for iterations in (0, 1, 2, 3, 5):
            given = [array.copy() for array in arrays]
            found = compiled(*given, iterations)
            for result, wanted in zip(found, function(*arrays, iterations), strict=True):
                np.testing.assert_allclose(result, wanted, rtol=1e-10, atol=1e-12, err_msg=source)
            for array, kept in zip(given, arrays, strict=True):
                np.testing.assert_array_equal(array, kept)


def pairs_above(x, bound):
    """Two lists that grow where the run time says."""
    places, pairs = [], []
    for i in range(len(x)):
        if x[i] > bound:
            places.append(i)
        elif x[i] < -bound:
            pairs.append((x[i], float(i)))
    return np.array(places, dtype=np.int64), len(pairs), sum(a * b for a, b in pairs)


@pytest.mark.parametrize("bound", [-10.0, 0.0, 0.5, 10.0])
def test_lists_grow_where_they_are_full(bound):
    x = np.random.default_rng(3).standard_normal(200)
    found, expected = ag.jit(pairs_above)(x, bound), pairs_above(x, bound)
    np.testing.assert_array_equal(found[0], expected[0])
    assert found[1] == expected[1]
    assert np.isclose(found[2], expected[2])


def test_what_a_list_grows_into_is_allocated_where_it_is_full():
    concrete = ag.jit(pairs_above).get_concrete_function(np.ones(9), 0.5)
    module = concrete.compilation.get("bufferized")
    allocations = [each for each in walk(module) if each.name == "memref.alloc"]
    assert not [each for each in allocations if each.parent.name in LOOPS]
