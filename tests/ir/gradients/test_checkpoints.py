"""Loops that keep few of their iterations for the gradient, and run the others again."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check, weighted

START = np.float64(0.7)
ROW = np.array([0.3, 0.5, 0.7, 0.4, 0.6])
KINDS = ["sqrt", "log", 3]


def counted(kind: Any) -> Any:
    def f(x: Any, n: Any) -> Any:
        r = x
        for i in ag.range(2, n, 3):
            ag.autograph.set_loop_options(checkpoint=kind)
            r = ag.sin(r) * x + r * r * 0.1 + 0.01 * i
        return r

    return f


def converges(kind: Any) -> Any:
    def f(x: Any, n: Any) -> Any:
        r = ag.constant(1.0, ag.float64)
        t = 0.0
        while t < n:
            ag.autograph.set_loop_options(checkpoint=kind)
            r = 0.5 * (r + x / r) + 0.01 * t
            t += 1.0
        return r

    return f


def counts_down(kind: Any) -> Any:
    def f(x: Any, n: Any) -> Any:
        while n > 0:
            ag.autograph.set_loop_options(checkpoint=kind)
            x = ag.sin(x) * (1.1 + 0.01 * n)
            n -= 1
        return x

    return f


def assigns(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        a = v * 1.0
        for i in ag.range(1, n):
            ag.autograph.set_loop_options(checkpoint=kind)
            a[i % 5] = a[i % 5] * a[i % 5 - 1] + v[i % 5]
        return a

    return f


def grows(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        a = v[:1]
        for _ in ag.range(n):
            ag.autograph.set_loop_options(checkpoint=kind)
            a = ag.concat([a * 0.9, ag.sin(a[-1:]) * v[0]], 0)
        return a

    return f


def writes(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        out, seen, r = ag.zeros([12], ag.float64), ag.zeros([12, 5], ag.float64), v
        i = 0
        while i < n:
            ag.autograph.set_loop_options(checkpoint=kind)
            r = ag.sin(r) * v + 0.3
            out[i] = r[1] * r[2]
            seen[11 - i] = r * r
            i += 1
        return out, seen, r

    return f


def scans(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        rows = ag.reshape(ag.tile(v, [n]), [n, 5]) * 1.1

        def step(carried: Any, row: Any) -> Any:
            first, second = carried
            return ag.sin(first) * row + second[0], second * 0.9 + row[:2]

        return ag.scan(step, rows, (v, v[:2]), checkpoint=kind)

    return f


def scans_backwards(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        rows = ag.reshape(ag.tile(v, [n + 1]), [n + 1, 5])
        step = lambda a, row: ag.sin(a) * row + 0.1 * a  # noqa: E731
        return ag.scan(step, rows, reverse=True, checkpoint=kind)

    return f


def folds(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        rows = ag.reshape(ag.tile(v, [n + 1]), [n + 1, 5])
        step = lambda a, row: ag.sin(a) * row + 0.1 * a  # noqa: E731
        left, right = (
            ag.foldl(step, rows, checkpoint=kind),
            ag.foldr(step, rows, v, checkpoint=kind),
        )
        return left, right, ag.map_fn(lambda row: ag.sin(row) * v, rows, checkpoint=kind)

    return f


def while_loops(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        def body(i: Any, r: Any) -> Any:
            return i + 1, ag.sin(r) * v + 0.1 * ag.cast(i, ag.float64)

        zero = ag.constant(0, ag.int64)
        return ag.while_loop(lambda i, r: i < n, body, (zero, v), checkpoint=kind)[1]

    return f


def nested(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        total = v
        for i in ag.range(n):
            ag.autograph.set_loop_options(checkpoint=kind)
            for _ in ag.range(i % 3):
                ag.autograph.set_loop_options(checkpoint=kind)
                if total[0] > 0.5:
                    total = ag.sin(total) * v
                else:
                    total = ag.exp(total * 0.5) * 0.5
        return total

    return f


def leaves_early(kind: Any) -> Any:
    def f(v: Any, n: Any) -> Any:
        t = v[0]
        for i in ag.range(n):
            ag.autograph.set_loop_options(checkpoint=kind)
            t = t + ag.sin(v[i % 5]) * t * 0.3
            if t > 5.0:
                break
        return t

    return f


PROGRAMS = {
    counted: START,
    converges: START,
    counts_down: START,
    assigns: ROW,
    grows: ROW,
    writes: ROW,
    scans: ROW,
    scans_backwards: ROW,
    folds: ROW,
    while_loops: ROW,
    nested: ROW,
    leaves_early: ROW,
}


@cache
def slope(make: Any, kind: Any) -> Any:
    """The gradient of a program, interpreted."""
    f = make(kind)
    return ag.grad(ag.function(lambda *values: weighted(f(*values)), jit_compile=False))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(make: Any, kind: Any) -> None:
    start = PROGRAMS[make]
    for iterations in (0, 1, 2, 5, 11):
        number = np.float64(iterations - 0.5) if make is converges else np.int64(iterations)
        found = [slope(make, each)(start, number) for each in (kind, None)]
        np.testing.assert_allclose(*found, rtol=1e-12)
    check(make(kind), start, number, jit_compile=None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [counted, counts_down])
def test_second_derivatives(make: Any, kind: Any) -> None:
    check(ag.grad(make(kind)), START, np.int64(7), tolerance=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_kept_for_each_iteration(kind: Any) -> None:
    """The loop that runs first saves nothing, and what the others save is asked for by its size."""
    kinds = [ag.TensorSpec([], ag.float64), ag.TensorSpec([], ag.int64)]
    both = ag.value_and_grad(counts_down(kind)).get_concrete_function(*kinds)
    text = both.compilation.text("hlo")
    first = text.split("scf.for")[1]
    assert "-> (f64)" in first.partition("{")[0]
    assert ("math.sqrt" in text) == (kind == "sqrt")
    assert text.count("math.sin") >= 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [writes, scans])
def test_what_is_only_written_is_not_kept(make: Any, kind: Any) -> None:
    """No array of arrays: of what is only written to there is one, and one of its cotangents."""
    kinds = [ag.TensorSpec([5], ag.float64), ag.TensorSpec([], ag.int64)]
    objective = ag.function(lambda *values: weighted(make(kind)(*values)))
    text = ag.grad(objective).get_concrete_function(*kinds).compilation.text("hlo")
    assert "?x12xf64" not in text
    assert "?x12x5xf64" not in text
    assert "?x?x5xf64" not in text


@pytest.mark.parametrize("make", [scans, folds, while_loops])
def test_functions_of_functions_have_the_option(make: Any) -> None:
    kinds = [ag.TensorSpec([5], ag.float64), ag.TensorSpec([], ag.int64)]
    text = ag.function(make("log")).get_concrete_function(*kinds).compilation.text("hlo")
    assert text.count('{agir.checkpoint = "log"}') == (3 if make is folds else 1)
    with pytest.raises(ValueError, match="checkpoint='cube' of a loop"):
        ag.function(make("cube"))(ROW, np.int64(5))
    make(None)(ag.constant(ROW), ag.constant(3, ag.int64))
    make("log")(ag.constant(ROW), ag.constant(3, ag.int64))  # without a trace it has no effect


def test_the_option_on_the_loop() -> None:
    kinds = [ag.TensorSpec([], ag.float64), ag.TensorSpec([], ag.int64)]
    text = ag.function(counted(True)).get_concrete_function(*kinds).compilation.text("hlo")
    assert text.count('{agir.checkpoint = "sqrt"}') == 1
    for none in (None, False):
        text = ag.function(counted(none)).get_concrete_function(*kinds).compilation.text("hlo")
        assert "agir.checkpoint" not in text


def test_a_tape_around_a_call() -> None:
    f = ag.function(converges("log"), jit_compile=False)
    x = ag.constant(2.0, ag.float64)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, np.float64(9.0))
    expected = ag.grad(ag.function(converges(None), jit_compile=False))(x, np.float64(9.0))
    np.testing.assert_allclose(tape.gradient(y, x), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_printed_is_printed_once(kind: Any, capfd: Any) -> None:
    def f(x: Any, n: Any) -> Any:
        for i in ag.range(n):
            ag.autograph.set_loop_options(checkpoint=kind)
            if i > 0:
                print("iteration", i)
            x = ag.sin(x)
        return x

    ag.grad(f)(START, np.int64(5))
    assert capfd.readouterr().out.split("\n") == [
        "iteration 1",
        "iteration 2",
        "iteration 3",
        "iteration 4",
        "",
    ]


def test_python_code_is_not_run_again() -> None:
    def f(x: Any, n: Any) -> Any:
        for _ in ag.range(n):
            ag.autograph.set_loop_options(checkpoint="log")
            noise = ag.numpy_function(np.random.rand, [], ag.float64)
            x = ag.sin(x) * ag.ensure_shape(noise, [])
        return x

    with pytest.raises(
        ag.errors.NotDifferentiableError, match="checkpoints runs its iterations again"
    ):
        ag.grad(f)(START, np.int64(5))


def test_another_option_is_refused() -> None:
    for wrong in ("cube", 0, -1, 2.0, [1]):
        with pytest.raises(ValueError, match=r'"sqrt" \(or True\), "log", a number'):
            ag.function(counted(wrong))(START, np.int64(5))


def test_without_staging_it_has_no_effect() -> None:
    total = 0.0
    for i in range(3):
        ag.autograph.set_loop_options(checkpoint="log")
        total += i
    assert total == 3.0
