"""Variables that Python code reads and changes while a compiled function that uses them calls it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agir as ag

compiled_modes = pytest.mark.parametrize(
    "compiled",
    [ag.function, lambda f: ag.function(f, jit_compile=False), ag.jit],
    ids=["function", "interpreted", "jit"],
)


def host(function: Any, x: Any) -> Any:
    return ag.py_function(lambda a: np.float32(function(a)), [x], ag.float32)


@compiled_modes
def test_what_the_function_changes_is_not_changed_from_python(compiled: Any) -> None:
    v = ag.Variable(1.0, name="v")
    add = ag.function(lambda: v.assign_add(1.0) * 1.0)
    changes = [
        lambda a: v.assign(100.0),
        lambda a: v.assign_add(a),
        lambda a: v[...].assign(a),
        lambda a: add(),
    ]
    for change in changes:

        @compiled
        def f(x: Any, change: Any = change) -> Any:
            v.assign_add(x)
            return host(change, x) + v

        with pytest.raises(ag.errors.FailedPreconditionError, match="'v:0' is changed here") as i:
            f(ag.constant(10.0))
        assert __file__ in str(i.value)
        assert float(v) == 1.0
    v.assign(3.0)
    assert float(add()) == 4.0


@compiled_modes
def test_other_variables_can_be_changed_from_python(compiled: Any) -> None:
    v, w = ag.Variable(1.0), ag.Variable(2.0)

    @compiled
    def f(x: Any) -> Any:
        v.assign_add(w)
        y = host(lambda a: w.assign(100.0), x)
        return y + v

    assert float(f(ag.constant(0.0))) == 103.0
    assert (float(v), float(w)) == (3.0, 100.0)


@pytest.fixture
def deep() -> Iterator[int]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(200_000)
    yield 100_000
    sys.setrecursionlimit(before)


def test_python_that_is_called_deep_in_a_recursion_finds_the_locks_open(deep: int) -> None:
    """The recursion needs more stack than the thread has, so another thread makes the call."""
    v = ag.Variable(1.0)
    threads = set()

    @ag.function
    def f(n: Any) -> Any:
        v.assign_add(1.0)
        if n <= 0:
            return host(lambda a: (threads.add(threading.get_ident()), v.numpy())[1], n)
        return f(n - 1) + 1.0

    assert float(f(ag.constant(deep))) == deep + 1.0
    assert float(v) == deep + 2.0
    assert threading.get_ident() not in threads


def test_part_updates_of_several_threads_are_not_lost() -> None:
    v = ag.Variable(np.zeros(2, np.int64))

    def work() -> None:
        for _ in range(200):
            v[0].assign_add(1)
            v[1].assign_sub(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy().tolist() == [1600, -1600]
