"""Gradients through branches and loops: interpreted and compiled, first and second ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check, differences, weighted

START = np.float64(0.7)
ROW = np.array([0.3, 0.5, 0.7, 0.4, 0.6])


def counted(x: Any, n: Any) -> Any:
    r = x
    for _ in ag.range(n):
        r = ag.sin(r) * x + r * r
    return r


def dynamic(x: Any, n: Any) -> Any:
    r = ag.constant(1.0, ag.float64)
    while n > 0:
        r = r * x + ag.sin(r)
        n -= 1
    return r


def nested(x: Any, n: Any) -> Any:
    r = x
    for i in ag.range(n):
        for _ in ag.range(i + 1):
            if r > 0.5:
                r = ag.sin(r) * x
            else:
                r = ag.exp(r * x)
    return r


def leaves_early(v: Any) -> Any:
    t = ag.constant(0.0, ag.float64)
    for e in v:
        if e > 0.65:
            continue
        t = t + ag.sin(e) * t + e * e
        if t > 1.0:
            break
    return t


def assigns(v: Any) -> Any:
    a = v * 1.0
    for i in ag.range(1, 5):
        a[i] = a[i] * a[i - 1] + v[i] * v[i]
    return a


def steps(v: Any) -> Any:
    total = v[0]
    for i in ag.range(4, 0, -2):
        total = total * v[i] + ag.exp(v[i])
    return total


def arrays(v: Any, n: Any) -> Any:
    a = v * 0.3
    for _ in ag.range(n):
        a = ag.sin(a) * v + ag.reduce_sum(a)
    return a


def grows(x: Any, n: Any) -> Any:
    a = ag.reshape(x, [1])
    for _ in ag.range(n):
        a = ag.concat([a, ag.sin(a) * x], 0)
    return a


def converges(x: Any) -> Any:
    r = ag.constant(1.0, ag.float64)
    while ag.abs(r * r - x) > 1e-12:
        r = 0.5 * (r + x / r)
    return r


def collects(v: Any) -> Any:
    rows = []
    for i in ag.range(ag.size(v)):
        if v[i] > 0.35:
            rows.append(v[i] * v)
    total = v * 0.0
    for row in rows:
        total = total + row * row
    return total


def branches(x: Any, n: Any) -> Any:
    if n > 3:
        y = x * x
        z = ag.exp(y)
    elif n > 1:
        y = ag.sin(x)
        z = y * y * y
    else:
        y, z = x, x
    return y * z


def writes_in_branches(v: Any, n: Any) -> Any:
    a = v * 1.0
    if n > 2:
        a[1:3] = a[0:2] * a[2:4]
    else:
        a[0] = ag.sin(a[4])
    return a * a


def while_in_for(x: Any, n: Any) -> Any:
    total = x
    for i in ag.range(n):
        k = i
        while k > 0:
            total = total * 0.5 + ag.sin(total * x)
            k -= 1
    return total


PROGRAMS: dict[str, tuple[Any, ...]] = {
    "counted": (counted, START, np.int32(4)),
    "counted_never": (counted, START, np.int32(0)),
    "dynamic": (dynamic, START, np.int32(5)),
    "dynamic_never": (dynamic, START, np.int32(0)),
    "dynamic_long": (dynamic, np.float64(0.2), np.int32(40)),
    "nested": (nested, START, np.int32(4)),
    "leaves_early": (leaves_early, ROW),
    "assigns": (assigns, ROW),
    "steps": (steps, ROW),
    "arrays": (arrays, ROW, np.int32(3)),
    "grows": (grows, START, np.int32(3)),
    "converges": (converges, START),
    "collects": (collects, ROW),
    "branches": (branches, START, np.int32(5)),
    "other_branch": (branches, START, np.int32(2)),
    "writes_in_branches": (writes_in_branches, ROW, np.int32(3)),
    "writes_in_the_other": (writes_in_branches, ROW, np.int32(1)),
    "while_in_for": (while_in_for, START, np.int32(4)),
}


@pytest.mark.parametrize("jit_compile", [False, None], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, jit_compile: bool | None) -> None:
    f, *args = PROGRAMS[name]
    check(f, *args, jit_compile=jit_compile)


@pytest.mark.parametrize("name", ["counted", "dynamic", "nested", "assigns", "grows", "branches"])
def test_second_derivatives(name: str) -> None:
    f, *args = PROGRAMS[name]
    check(ag.grad(lambda *values: weighted(f(*values))), *args, tolerance=1e-4)


def test_a_second_derivative_compiled() -> None:
    f, *args = PROGRAMS["nested"]
    check(ag.grad(f), *args, jit_compile=None, tolerance=1e-4)


def test_two_calls_of_one_loop() -> None:
    """A loop that is differentiated is computed once, with what its gradient needs."""

    @ag.function(jit_compile=False)
    def f(x: Any, n: Any) -> Any:
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = counted(x, n)
        return y, tape.gradient(y, x), tape.gradient(y * 2.0, x)

    text = f.get_concrete_function(START, np.int32(4)).compilation.text("hlo")
    assert text.count("math.sin") == 1
    value, slope, _ = f(START, np.int32(4))
    np.testing.assert_allclose(value, counted(ag.constant(START), 4))
    np.testing.assert_allclose(slope, differences(lambda x: counted(ag.constant(x), 4), [START], 0))


def test_the_loop_of_a_gradient_saves_no_array_that_is_assigned_into() -> None:
    """Of an array that a loop carries, only the elements are saved that the gradient reads."""
    text = (
        ag.grad(lambda v: ag.reduce_sum(assigns(v)))
        .get_concrete_function(ag.TensorSpec([5], ag.float64))
        .compilation.text("hlo")
    )
    assert "tensor<?x5xf64>" not in text
