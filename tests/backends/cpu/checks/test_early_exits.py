"""A check that fails ends the loops around it; what the program has done until then shows nowhere."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

import agir as ag
from agir import errors


def runs(x, y, n):
    """Runs of equal elements, into arrays that may be too short for them."""
    values = np.zeros(n, dtype=np.int64)
    counts = np.zeros(n, dtype=np.int64)
    k = 0
    i = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        values[k] = x[i]
        counts[k] = j - i
        k += 1
        i = j
    return k, values, counts


def deposited(x, y, n):
    """Scattered to places that are computed, with conversions that may fail."""
    grid = np.zeros(n)
    for p in range(len(y)):
        i = int(y[p])
        f = y[p] - i
        grid[i] += 1.0 - f
        grid[(i + 1) % n] += f
    return grid


def chased(x, y, n):
    """Places that arrays hold, in the test of a while and in its body."""
    k = 0
    iterations = 0
    while x[k] != 0 and iterations < 50:
        if y[k] > 2.0:
            k = x[x[k]]
        else:
            k = x[k] - 1
        iterations += 1
    return k, iterations


def divided(x, y, n):
    total = 0
    for i in range(len(x)):
        for j in range(n):
            if y[i] > 1.0:
                total += int(x[j]) // (int(x[i]) - 2)
    return total


def in_rows(x, y, n):
    """Loops whose bounds come from arrays that a loop before them has filled."""
    ends = np.empty(len(x) + 1, dtype=np.int64)
    ends[0] = 0
    for i in range(len(x)):
        ends[i + 1] = ends[i] + x[x[i]] % 5
    total = 0.0
    for i in range(len(x)):
        for e in range(ends[i], ends[i + 1]):
            total += y[e % len(y)]
    return total


def written(x, y, n):
    """Writes into an argument before it fails."""
    for i in range(len(x)):
        y[x[i]] += 1.0
        y[x[i] - n] *= 0.5
    return y.sum()


def sorted_within(x, y, n):
    """An insertion into a heap, and its halves."""
    heap = np.zeros(n)
    size = 0
    for v in y:
        i = size
        size += 1
        while i > 0:
            p = (i - 1) // 2
            if heap[p] <= v:
                break
            heap[i] = heap[p]
            i = p
        heap[i] = v
    return heap, size


def swapped(x, y, n):
    """Two arrays change places in a loop that fails."""
    u = y.copy()
    v = np.zeros(len(y))
    for t in range(n):
        for i in range(len(x)):
            v[x[i]] = u[i] + t
        u, v = v, u
    return u


def with_temporaries(x, y, n):
    """Memory is allocated in the iterations of the outer loop."""
    total = 0.0
    for i in range(len(x)):
        part = np.zeros(n + i)
        for j in range(n):
            part[x[(i + j) % len(x)]] += y[j]
        total += part.sum()
    return total


def handled(x, y, n):
    """A failure that is handled, with a loop after it."""
    total = 0.0
    try:
        for i in range(len(x)):
            total += y[x[i]]
    except IndexError:
        total = -1.0
    for i in range(n):
        total += y[i]
    return total


def handled_in_turns(x, y, n):
    missing = 0
    for i in range(len(x)):
        try:
            missing += int(y[x[i]] > 5.0)
        except IndexError:
            missing += 100
    return missing


def finally_counted(x, y, n):
    total = 0.0
    try:
        for i in range(len(x)):
            total += y[x[i]]
    finally:
        for i in range(n):
            y[i] = i
    return total


def recursive(x, y, n):
    def below(k, depth):
        total = 0.0
        for i in range(depth):
            total += y[x[i]]
        return total if k == 0 else total + below(k - 1, depth)

    return below(x[0], n)


PROGRAMS = [
    runs,
    deposited,
    chased,
    divided,
    in_rows,
    written,
    sorted_within,
    swapped,
    with_temporaries,
    handled,
    handled_in_turns,
    finally_counted,
    recursive,
]


def given(seed=0, size=12):
    """Arguments with which most of the programs fail for some seeds, and do not for others."""
    random = np.random.default_rng(seed)
    x = random.integers(0, size, size)
    y = random.random(size) * 8
    what = seed % 6
    if what == 1:
        x[random.integers(size)] = size + 3
    elif what == 2:
        x[random.integers(size)] = -size - 1
    elif what == 3:
        x[random.integers(size)] = -2
        y[random.integers(size)] = np.nan
    elif what == 4:
        y[random.integers(size)] = np.inf
        y[random.integers(size)] = -1.5
    elif what == 5:
        x[random.integers(size, size=4)] = 2
    return x, y, int(random.integers(1, size + 2))


def outcome(function, seed):
    """What a call gives or raises, and its arguments after it."""
    x, y, n = given(seed)
    with np.errstate(all="ignore"):
        try:
            result = function(x, y, n)
        except Exception as error:
            result = type(error), str(error)
    return result, x, y


def assert_same(one, other):
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(one, np.ndarray):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    elif isinstance(one, float):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    else:
        assert one == other


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_results_and_failures_are_those_of_the_interpreter(function):
    compiled, interpreted = ag.jit(function), ag.jit(function, jit_compile=False)
    failures = 0
    for seed in range(36):
        found, expected = outcome(compiled, seed), outcome(interpreted, seed)
        assert_same(found, expected)
        failures += isinstance(found[0], tuple) and isinstance(found[0][0], type)
    if function not in (handled, handled_in_turns):
        assert 0 < failures


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_does_not_fail_is_what_python_computes(function):
    compiled = ag.jit(function)
    for seed in range(0, 36, 5):
        found = outcome(compiled, seed)
        if not (isinstance(found[0], tuple) and isinstance(found[0][0], type)):
            assert_same(found, outcome(function, seed))


def loops(function, *arguments):
    """The stage ``llvm``, and in it the types of what blocks that are jumped back to take."""
    text = ag.jit(function).experimental_get_compiler_ir(*arguments)("llvm")
    return text, [
        match.count(": i64") for match in re.findall(r"\^bb\d+\((.*?)\):  // 2 preds", text)
    ]


def test_no_marks_are_left():
    for function in PROGRAMS:
        assert "agir_le" not in loops(function, *given())[0]


def test_loops_hand_on_no_record():
    def total(x, y):
        s = 0.0
        for i in range(len(x)):
            s += y[x[i]]
        return s

    x, y, _ = given()
    assert max(loops(total, x, y)[1]) == 1  # the counter


def test_handlers_keep_the_record():
    assert "llvm.intr.expect" in loops(handled, *given())[0]


def upwards(x, n):
    """A counter that begins as another one, and is less than the length."""
    i = 0
    total = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] < 3:
            total += x[j]
            j += 1
        i = j + 1
    return total


def downwards(x, n):
    i = len(x) - 1
    total = 0
    while i < len(x) and i > -n:
        total += x[i]
        i -= 1
    return total


def from_the_caller(x, n):
    i = n
    total = 0
    while i < len(x):
        total += x[i]
        i += 1
    return total


def doubled(x, n):
    i = np.int64(1)
    total = 0
    for t in range(70):
        if i < len(x):
            total += x[i]
        i = i + i
    return total


@pytest.mark.parametrize("function", [upwards, downwards, from_the_caller])
@pytest.mark.parametrize("n", [-9, -3, 0, 5])
def test_numbers_that_may_be_negative_count_from_the_end(function, n):
    x = np.arange(1, 12) % 7
    assert ag.jit(function)(x, n) == function(x, n)


def test_sums_may_wrap_around():
    with pytest.raises(errors.RuntimeIndexError, match="index -9223372036854775808"):
        ag.jit(doubled)(np.arange(11), 0)


def test_failures_of_one_thread_are_not_those_of_another():
    compiled = ag.jit(written)
    good, bad = given(0), given(1)
    compiled(*given(0))
    wrong = []

    def run(arguments, fails):
        for _ in range(200):
            x, y, n = (np.copy(each) for each in arguments)
            try:
                compiled(x, y, int(n))
                wrong.append(fails)
            except errors.RuntimeIndexError:
                wrong.append(not fails)

    fails = []
    for arguments in (good, bad):
        found = outcome(compiled, 0 if arguments is good else 1)[0]
        fails.append(isinstance(found, tuple))
    threads = [
        threading.Thread(target=run, args=each) for each in zip((good, bad), fails, strict=True)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not any(wrong)


def test_numbers_that_stay_small_are_known_not_to_be_negative():
    x = np.arange(1, 12) % 7
    unsigned = [loops(each, x, 3)[0].count('"uge"') for each in (upwards, from_the_caller)]
    assert unsigned[0] == 0 < unsigned[1]  # what may count from the end is compared without a sign


def memory_of_a_loop_of_four_iterations(a, n):
    rows = [[a, 1], [n, 2], [3]]
    for i in range(a, n):
        rows[1] = rows[0]
        if i > 2:
            raise ValueError("three")
    for _ in range(4):
        k = 1
        while k < n + 3:
            rows[k % 3] = [n]
            k += 2
    return rows


def test_loops_that_are_sure_to_run_run_after_a_failure():
    """Who frees the memory that such a loop gives is settled by its number of iterations."""
    compiled = ag.jit(memory_of_a_loop_of_four_iterations)
    for _ in range(3):
        with pytest.raises(ValueError, match="three"):
            compiled(2, 4)
        assert compiled(3, 2) == memory_of_a_loop_of_four_iterations(3, 2)
