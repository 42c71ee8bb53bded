"""Functions that end early: no memory, and loops that the user interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.library import iterations
from agir.backends.cpu.passes.checks import iteration_counting

FAR = 10**7


def square(n):
    a = np.zeros((n, n))
    a[0, 0] = 1.0
    return a


def empty(n):
    return np.empty((n, n))


def cube(n):
    return np.ones((n, n, n), np.float32)


def outer(n):
    y = np.ones(n)
    return y[:, None] + y[None, :]


def temporary(n):
    y = np.ones(n)
    z = y[:, None] * y[None, :]
    z[0] = 2.0
    return z[0, 0], n


def counted(n):
    return np.arange(n * n * n)


def repeated(n):
    return np.repeat(np.ones(3), n * n)


def known(x):
    a = np.zeros((10**7, 10**7))
    a[1, 2] = x
    return a


def in_a_branch(n):
    if n > 5:
        a = np.zeros((n, n))
        a[1, 1] = 1.0
    else:
        a = np.ones((2, 2))
    return a


def in_a_loop(n):
    total = 0.0
    for i in range(3):
        a = np.zeros((n, n))
        a[0, 0] = i
        total += a[0].sum()
    return total


def in_a_function_that_calls_itself(n, depth=3):
    a = np.zeros((n, n))
    a[0, 0] = depth
    if depth <= n - n:
        return a.sum()
    return in_a_function_that_calls_itself(n, depth - 1) + a.sum()


def given_by_a_function_that_calls_itself(n, depth=3):
    if depth <= n - n:
        return np.ones((n, n))
    return given_by_a_function_that_calls_itself(n, depth - 1) * 2.0


def on_several_threads(n):
    found = np.zeros(2000)
    for i in range(2000):
        t = np.zeros(n * n)
        t[0] = i * 1e-3
        found[i] = np.cumsum(np.sin(t) + np.exp(t) * np.cos(t))[-1]
    return found


LARGE = (square, empty, cube, outer, temporary, counted, repeated, known, in_a_branch, in_a_loop)
LARGE += (
    in_a_function_that_calls_itself,
    given_by_a_function_that_calls_itself,
    on_several_threads,
)


@pytest.mark.parametrize("function", LARGE, ids=lambda each: each.__name__)
def test_what_there_is_no_memory_for(function: Callable[..., Any]) -> None:
    decorated = ag.jit(function)
    for _ in range(3):
        with pytest.raises(MemoryError, match=r"no memory for an array of \d+\.\d GB") as caught:
            decorated(FAR)
    assert "test_interrupts.py:" in str(caught.value)
    assert isinstance(caught.value, ag.errors.RuntimeMemoryError)
    if function is not known:
        for size in (1, 3, 7):
            np.testing.assert_array_equal(np.shape(decorated(size)), np.shape(function(size)))


def test_bytes_that_are_no_integer() -> None:
    with pytest.raises(MemoryError, match=r"8000000000000\.0 GB"):
        ag.jit(lambda n: np.zeros((n, n, n)))(FAR)


def test_after_many_calls() -> None:
    decorated = ag.jit(square)
    for n in [2] * 60:
        assert decorated(n).shape == (n, n)
    with pytest.raises(MemoryError, match=r"test_interrupts\.py:\d+: a = np\.zeros"):
        decorated(FAR)
    assert decorated(3)[0, 0] == 1.0


def test_a_function_of_tensors() -> None:
    @ag.function
    def f(n):
        return ag.ones([n, n]) + 1.0

    with pytest.raises(MemoryError, match="no memory"):
        f(ag.constant(FAR))
    assert f(ag.constant(2)).shape == (2, 2)


def endless(x):
    n = 0
    while x > 0:
        n += 1
    return n


def endless_of_arrays(x):
    k = 0.0
    while k < 1:
        x = x * 0.5 + 1.0
        if x[0] > 1e9:
            k = 2.0
    return x


def endless_in_place(x):
    while x[0] >= 0:
        x[1] += 1


def endless_outside_of_a_loop(x):
    total = 0
    while x > 0:
        for i in range(10):
            total += i
    return total, x


def endless_in_a_function_that_calls_itself(x, depth=3):
    if depth <= x - x:
        n = 0
        while x > 0:
            n += 1
        return n
    return endless_in_a_function_that_calls_itself(x, depth - 1) + 1


def long_scalar(n):
    total = 0
    for i in range(n):
        total ^= i * 5 + 3
    return total


def long_backwards(n):
    total = 0.0
    for i in range(n, 0, -3):
        total += i % 7 * 0.5
    return total


def long_nest(n):
    total = 0
    for i in range(n):
        for j in range(0, n, 2):
            total ^= i * j + 3
    return total


def long_over_an_array(given):
    x, n = given
    for _ in range(n):
        x[1:-1] = (x[2:] + x[:-2]) * 0.5
    return x


def long_with_short_loops(n):
    total = 0.0
    for i in range(n):
        for j in range(4):
            total += i * 0.25 + j
    return total


def long_in_a_function_that_calls_itself(n, depth=3):
    if depth <= n - n:
        return long_nest(n)
    return long_in_a_function_that_calls_itself(n, depth - 1) + 1


ENDLESS = [
    (endless, 1.0, -1.0),
    (endless_of_arrays, np.ones(100), np.full(100, 1e11)),
    (endless_in_place, np.zeros(3), np.full(3, -1.0)),
    (endless_outside_of_a_loop, 1.0, -1.0),
    (endless_in_a_function_that_calls_itself, 1.0, 0.0),
    (long_scalar, 10**13, 1000),
    (long_backwards, 10**13, 1000),
    (long_nest, 10**7, 30),
    (long_over_an_array, (np.ones(100), 10**10), (np.ones(100), 5)),
    (long_with_short_loops, 10**13, 1000),
    (long_in_a_function_that_calls_itself, 10**7, 10),
]
alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals as POSIX has them")


class Late(Exception):
    pass


@pytest.fixture
def late() -> Any:
    """A handler that raises."""

    def handler(*_: Any) -> None:
        raise Late("it takes too long")

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.2)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@alarm
@pytest.mark.parametrize(("function", "never", "at_once"), ENDLESS)
def test_a_handler_ends_a_loop(function: Any, never: Any, at_once: Any, late: Any) -> None:
    decorated = ag.jit(function)
    expected = function(at_once)
    np.testing.assert_equal(decorated(at_once), expected)
    for repeats in (0, 60):
        for _ in range(repeats):
            decorated(at_once)
        late()
        with pytest.raises(Late, match="it takes too long") as caught:
            decorated(never)
        if hasattr(caught.value, "__notes__"):
            assert any("test_interrupts.py:" in each for each in caught.value.__notes__)
        np.testing.assert_equal(decorated(at_once), expected)


FAR_APART = 2**63 - 1


@pytest.mark.parametrize(
    ("first", "last", "step"),
    [
        *[(a, b, s) for a in (-70, 0, 3) for b in (-5, 3, 64, 100) for s in (1, 3, 64, -2)],
        (-(2**62), 2**62 - 1, 2**60),
        (2**62, 2**62 + 2**21, 2**19),
        (FAR_APART - 3, FAR_APART, 1),
        (-FAR_APART - 1, 3 - FAR_APART, 2),
    ],
)
def test_loops_that_count_their_iterations_do_all_of_them(first: int, last: int, step: int) -> None:
    def count(a, b, x):
        n = 0
        for i in range(a, b, step):
            n ^= i
            if i < 0:
                n += 1
        return n

    def nest(a, b, x):
        n = 0
        for i in range(a, b, step):
            n ^= i
            for _ in range(n - n, x):
                n += 1
        return n

    for function in (count, nest):
        assert ag.jit(function)(first, last, 3) == function(first, last, 3)


@alarm
def test_a_handler_that_returns_ends_nothing() -> None:
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))

    @ag.jit
    def spin(n):
        k = n
        while k > 0:
            k -= 1 if n % 3 != 5 else 2
        return k

    try:
        assert spin(10) == 0
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        begin = time.monotonic()
        iterations = 10**8
        while time.monotonic() - begin < 0.5:
            assert spin(iterations) == 0
        assert seen == [1]
    finally:
        signal.signal(signal.SIGALRM, before)


@alarm
def test_control_c() -> None:
    decorated = ag.jit(endless)
    assert decorated(-1.0) == 0
    # What a shell runs in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            decorated(1.0)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert decorated(-1.0) == 0


PROGRAM = """
import os, signal, threading
import numpy as np
import agir as ag

signal.signal(signal.SIGINT, signal.default_int_handler)

@ag.jit
def endless(x):
    while x[0] > 0:
        x[0] += 1.0
    return x

endless(np.zeros(2))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
endless(np.ones(2))
"""


@alarm
def test_control_c_ends_a_program(tmp_path: Any) -> None:
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGINT, done.stderr
    assert "KeyboardInterrupt" in done.stderr
    if sys.version_info >= (3, 11):
        assert "program.py:10: while x[0] > 0:" in done.stderr


def test_a_loop_on_another_thread() -> None:
    decorated = ag.jit(endless)
    found: list[Any] = []

    def count(n):
        k = 0
        while k < n:
            k += 1
        return k

    counting = ag.jit(count)
    threads = [threading.Thread(target=lambda: found.append(counting(3 * 10**8))) for _ in range(2)]
    for each in threads:
        each.start()
    assert decorated(-1.0) == 0
    for each in threads:
        each.join()
    assert found == [3 * 10**8] * 2


def one_in_another(n):
    total = 0
    i = 0
    while i < n:
        j = i
        while j > 0:
            total += j * i
            j -= 2
        i += 1
    return total, i


def one_in_the_condition(n):
    def root(k):
        r = 0
        while r * r < k:
            r += 1
        return r

    i = 0
    while root(i) < n:
        i += 3
    return i


def what_the_condition_changes(n):
    k = 0
    seen = np.zeros(200)
    while (k := k + 1) < n and seen[k] == 0:
        seen[k + 1] = k % 7 == 6
        seen[0] += k
    return k, seen


def with_jumps(n):
    k = total = 0
    while True:
        k += 1
        if k % 3 == 0:
            continue
        if k > n:
            break
        if total > 10**5:
            return total, -1
        total += k * k
    else:
        total = -1
    return total, k


def of_arrays(n):
    x = np.zeros(4)
    y = np.ones(4)
    k = 0
    while x.sum() < n:
        x, y = y + 0.5 * k, x + 1.0
        k += 1
    return x, y, k


def with_checks(n):
    a = np.arange(64.0)
    k = 0
    while a[k] < n:
        a[k + 1] += a[k]
        k += 1
    return a, k


def that_swap(n):
    a, b = n + 12, n * 7 + 1
    while b:
        a, b = b, a % b
    return a


LOOPS = (one_in_another, one_in_the_condition, what_the_condition_changes, with_jumps, of_arrays,
         with_checks, that_swap)  # fmt: skip


@pytest.mark.parametrize("function", LOOPS, ids=lambda each: each.__name__)
def test_iterations_after_which_it_asks_are_iterations(function: Any, monkeypatch: Any) -> None:
    """It asks after iterations 1, 2, 4, 8 ... here."""
    for name in ("_FEWEST", "_MOST"):
        monkeypatch.setattr(iteration_counting, name, 1)
    decorated = ag.jit(function)
    with ag.config.scope(cache=False):
        for n in (0, 1, 2, 3, 5, 8, 20, 50):
            np.testing.assert_equal(decorated(n), function(n))


def test_loops_go_on_as_iterations_of_an_outer_one() -> None:
    """The one inside is entered from outside, and from the iteration after which it has asked."""
    text = ag.jit(endless).get_concrete_function(1.0).compilation.text("llvm")
    before, _, rest = text.partition(f"@{iterations.NAME}(")
    assert before.count("llvm.br ^bb1(") == 1
    assert before.count("llvm.br ^bb2(") == 1
    assert rest.count("llvm.br ^bb1(") == 1
    assert rest.count("llvm.br ^bb2(") == 1


def runs_of_equal(x, most):
    i = 0
    total = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        total += j * j
        i = j
    return total


def up_to_what_a_caller_gives(x, most):
    total = 0
    for i in range(len(x)):
        k = 0
        while k < most and x[i] > k:
            k += 1
        total += k
    return total


@pytest.mark.parametrize("function", [runs_of_equal, up_to_what_a_caller_gives])
def test_of_two_loops_one_is_counted(function):
    x = np.repeat([2, 3, 5], 4)
    compiled = ag.jit(function)
    text = compiled.experimental_get_compiler_ir(x, 9)("llvm")
    assert text.count("call @agir_iterations(") == 1
    assert compiled(x, 9) == function(x, 9)
