"""Programs with variables in the places of the language, compiled and plain."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import agir as ag

modes = pytest.mark.parametrize(
    "compiled",
    [
        pytest.param(lambda f: f, id="eager"),
        pytest.param(ag.function, id="function"),
        pytest.param(lambda f: ag.function(f, jit_compile=False), id="interpreted"),
        pytest.param(ag.jit, id="jit"),
    ],
)


@dataclasses.dataclass
class Holder:
    v: Any
    k: int = 1


@modes
def test_what_and_and_or_skip_is_not_assigned(compiled: Any) -> None:
    v = ag.Variable(0)

    @compiled
    def f(x: Any) -> Any:
        a = x > 0 and v.assign_add(1) > 1
        b = x > 0 or v.assign_add(10) > 3
        if a and not b:
            v.assign_add(100)
        return (5 if v.assign_add(1) > 2 else 6) + x * 0

    assert [int(f(ag.constant(k))) for k in (1, 1, -1)] == [6, 5, 5]
    assert int(v) == 15


@modes
def test_a_name_that_some_paths_bind_to_a_variable(compiled: Any) -> None:
    w = ag.Variable(1)

    @compiled
    def unbound(x: Any) -> Any:
        if x > 0:
            v = w
        v.assign_add(x)
        return v + 1

    @compiled
    def none(x: Any) -> Any:
        v = None
        if x > 0:
            v = w
        if v is not None:
            v.assign_add(x)
        return x

    assert int(unbound(ag.constant(3))) == 5
    with pytest.raises(UnboundLocalError):
        unbound(ag.constant(-3))
    none(ag.constant(3))
    none(ag.constant(-3))
    assert int(w) == 7


@modes
def test_structures_of_variables_as_arguments(compiled: Any) -> None:
    v, w = ag.Variable(1), ag.Variable(2)

    @compiled
    def f(variables: Any, holder: Any, table: Any, **more: Any) -> Any:
        variables[0].assign_add(1)
        holder.v.assign_add(10)
        table["a"].assign_add(100)
        more["z"].assign_add(1000)
        return variables[1] * 1

    assert int(f([v, w], Holder(w), {"a": v}, z=w)) == 1012
    assert (int(v), int(w)) == (102, 1012)
    assert int(f((v, w), Holder(v), {"a": w}, z=v)) == 1112
    assert (int(v), int(w)) == (1113, 1112)


@modes
def test_generators_context_managers_and_lambdas(compiled: Any) -> None:
    v = ag.Variable(0)

    class Counting:
        def __enter__(self) -> Any:
            v.assign_add(1)
            return v

        def __exit__(self, *raised: object) -> None:
            v.assign_add(10)

    @compiled
    def f(n: Any) -> Any:
        def numbers() -> Any:
            for i in range(3):
                v.assign_add(1)
                yield i

        total = n * 0
        for x in numbers():
            total += x * v
        with Counting() as counter:
            counter.assign_add(n)
        add = lambda y: v.assign_add(y)  # noqa: E731
        return total, add(n) * 1

    total, last = f(ag.constant(100))
    assert (int(total), int(last)) == (8, 3 + 1 + 100 + 10 + 100)


@modes
def test_loops_that_end_by_a_variable(compiled: Any) -> None:
    done, n = ag.Variable(False), ag.Variable(0)

    @compiled
    def f(x: Any) -> Any:
        while not done:
            n.assign_add(1)
            done.assign(n > x)
        done.assign(False)
        for i in ag.range(10):
            if i > n:
                break
            n.assign_sub(1)
        else:
            n.assign(-1)
        return n * 1

    assert int(f(ag.constant(3))) == 1
    assert not bool(done)


@modes
def test_attributes_hold_variables_that_loops_rebind(compiled: Any) -> None:
    class Object:
        v: Any

    o, kept = Object(), ag.Variable(1)
    o.v = kept

    @compiled
    def f(x: Any) -> Any:
        if x > 0:
            o.v.assign(5)
        t = o.v
        while x > 0:
            x -= 1
            t = t + 1
            o.v.assign_add(t)
        return t

    assert int(f(ag.constant(3))) == 8
    assert o.v is kept
    assert int(o.v) == 26


@modes
def test_modules_in_modules_create_on_the_first_call(compiled: Any) -> None:
    class Layer(ag.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w: Any = None

        @compiled
        def __call__(self, x: Any) -> Any:
            if self.w is None:
                self.w = ag.Variable(x * 2)
            return x * self.w

    class Net(ag.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = [Layer(), Layer()]

        @compiled
        def __call__(self, x: Any) -> Any:
            for layer in self.layers:
                x = layer(x)
            return x

    net = Net()
    for _ in range(2):
        assert float(net(ag.constant(1.0))) == 8
    assert [float(v) for v in net.variables] == [2, 4]


@modes
def test_complex_and_narrow_floats_item_by_item(compiled: Any) -> None:
    c = ag.Variable(np.array([1 + 1j, 2], np.complex64))
    b = ag.Variable([1.5], dtype=ag.bfloat16)

    @compiled
    def f(i: Any) -> Any:
        c[i] = 3j
        c[0] += 1
        b[0] = 2.5
        return c[i], b * 2

    last, double = f(ag.constant(1))
    assert complex(last) == 3j
    assert np.asarray(double).astype(float).tolist() == [5.0]
    assert c.tolist() == [2 + 1j, 3j]
