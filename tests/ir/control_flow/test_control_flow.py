"""Recorded control flow: each construct means what Python means, compiled and interpreted."""

import numpy as np
import pytest

import agir as ag


def clamp(x):
    if x < 0:
        y = 0 * x
    elif x < 10:
        y = x
    else:
        y = x * 0 + 10
    return y


def early_returns(n):
    if n > 100:
        return n - 100
    if n < 0:
        if n == -1:
            return 7
        n = -n
    elif n == 50:
        return 0
    n += 1
    return n * 2


def while_with_break_and_continue(n):
    i, total = 0, 0
    while i < n:
        i += 1
        if i % 3 == 0:
            continue
        if total > 40:
            break
        total += i
    return i, total


def for_with_break_continue_else(n):
    found = -1
    for i in range(2, n):
        if i * i > n:
            break
        if n % i != 0:
            continue
        found = i
        break
    else:
        found = -2
    return found


def return_from_nested_loops(n):
    for i in range(n):
        for j in range(i):
            if i * j > 20:
                return i * 100 + j
        if i > 12:
            return -i
    return -1


def falls_off_a_loop(n):
    while True:
        n -= 3
        if n < 0:
            return n
        if n == 4:
            break
    return 1000 + n


def negative_steps(n):
    total = 0
    for i in range(n, -n, -3):
        total = total % 1000 * 2 + i
    return total


def variable_after_the_loop(n):
    i = 99
    for i in range(n):
        pass
    return i


def ternary_and_logic(n):
    a = 1 if (n > 3 and n % 2 == 0) or n == 1 else 2
    b = not (n > 3)
    return a + (10 if b else 20), 0 < n <= 5, 1 < n < 100 < 1000


def guarded_division(n):
    return 1 if n != 0 and 10 // n > 2 else 0


def swaps(a):
    b = 0
    for k in range(7):
        a, b = b + k, a
    return a, b


def accumulators_of_other_types(n):
    total = 0
    for i in range(n):
        total = total + i / 2
    return total


def bound_in_one_branch_and_not_read(n):
    r = 0
    if n > 0:
        t = n + 1
        r = t
    return r


def bound_in_a_loop_and_read_after(n):
    for i in range(n + 200):
        last = i * 2
    return last


def helpers_and_closures(n):
    offset = n * 2

    def shifted(k):
        if k > 3:
            return k + offset
        return k

    return shifted(n) + (lambda v: v * offset)(2) + collatz(abs(n) + 1)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def structures(n):
    pair = (n, 1)
    d = {"a": 0}
    for i in range(20):
        pair = (pair[0] + i, pair[1] * 2)
        if i % 2 == 0:
            d = {"a": d["a"] + i}
    return pair, d["a"]


def chained_while(n):
    count = 0
    while 0 < n < 50:
        n = n * 2 - 1 if n % 2 else n + 5
        count += 1
        if count > 30:
            break
    return n, count


def augmented(n):
    n += 3
    n -= 1
    n *= 5
    n //= 2
    n %= 17
    n <<= 2
    n ^= 5
    return n


def walrus(n):
    n = abs(n) + 1
    while (m := n * 2) < 100:
        n = m + 1
    return m


def try_finally(n):
    done = 0
    try:
        for i in range(n):
            if i > 3:
                return i
    finally:
        done = 1
    return -done


def loop_over_a_python_list(n):
    total = 0
    for step in [1, 2, 3, 5]:
        if total > n:
            break
        total += step * n
    return total


FUNCTIONS = [
    clamp, early_returns, while_with_break_and_continue, for_with_break_continue_else,
    return_from_nested_loops, falls_off_a_loop, negative_steps, variable_after_the_loop,
    ternary_and_logic, guarded_division, swaps, accumulators_of_other_types,
    bound_in_one_branch_and_not_read, bound_in_a_loop_and_read_after, helpers_and_closures,
    structures, chained_while, augmented, walrus, try_finally, loop_over_a_python_list,
]  # fmt: skip


def flat(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_recorded_is_what_python_does(function):
    compiled, interpreted = ag.jit(function), ag.jit(function, jit_compile=False)
    for n in (-3, -1, 0, 1, 2, 5, 7, 10, 11, 16, 35, 49, 50, 121):
        expected = flat(function(n))
        for traced in (compiled, interpreted):
            got = flat(traced(n))
            assert len(got) == len(expected)
            for g, e in zip(got, expected, strict=True):
                assert g == e, (n, got, expected)
    assert len(compiled._concrete) == 1


def rows(x):
    total = x[0] * 0
    for row in x:
        if row[0] > 2:
            total = total + row
    return total


def search(x, wanted):
    for i, v in enumerate(x):
        if v == wanted:
            return i
    return -1


def dot(x, y):
    total = 0.0
    for a, b in zip(x, y):  # noqa: B905
        total += a * b
    return total


def growing(x):
    y = x
    for _ in range(3):
        y = np.concatenate([y, y[:1]])
    return y


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (rows, [np.arange(12.0).reshape(4, 3)]),
        (search, [np.array([5, 6, 7]), 7]),
        (search, [np.array([5, 6, 7]), 8]),
        (dot, [np.arange(5.0), np.arange(5.0) + 1]),
        (growing, [np.arange(3)]),
    ],
)
def test_loops_over_arrays(function, arguments):
    expected = np.asarray(function(*arguments))
    for options in ({}, {"jit_compile": False}):
        np.testing.assert_array_equal(ag.jit(function, **options)(*arguments), expected)


def test_a_dimension_that_changes_in_a_loop_becomes_dynamic():
    @ag.jit
    def grow(n):
        x = np.zeros(1)
        while len(x) < n:
            x = np.concatenate([x, x + 1])
        return x

    np.testing.assert_array_equal(grow(6), [0, 1, 1, 2, 1, 2, 2, 3])


def test_a_name_that_the_path_leaves_unbound_is_an_error_only_on_that_path():
    @ag.jit
    def f(n):
        if n > 0:
            y = n * 2
        return y

    assert f(3) == 6
    with pytest.raises(UnboundLocalError, match="'y'"):
        f(-3)

    @ag.jit
    def g(n):
        for i in range(n):
            last = i
        return last

    assert g(5) == 4
    with pytest.raises(UnboundLocalError, match="'last'"):
        g(0)


def test_branches_of_different_dtypes_are_refused_and_weak_numbers_adapt():
    @ag.function
    def f(x):
        if x > 0:
            y = ag.cast(x, ag.float32)
        else:
            y = ag.cast(x, ag.int32)
        return y

    with pytest.raises(TypeError, match="'y' has dtype float32 on one path and int32 on the other"):
        f(ag.constant(1.0))

    @ag.function
    def g(x):
        return x if x > 0 else 0

    assert g(ag.constant(-1.0)).dtype == ag.float32


def test_a_function_that_returns_on_one_path_only():
    @ag.jit
    def f(x):
        if x > 0:
            return x

    assert f(1.0) == 1.0
    assert f(-1.0) is None


def test_assertions_are_checked_at_run_time():
    @ag.jit
    def f(x):
        assert x > 0, "x must be positive"
        return x

    assert f(2.0) == 2.0
    with pytest.raises(AssertionError, match="x must be positive"):
        f(-2.0)


def test_a_long_python_range_is_one_loop_and_a_short_one_is_unrolled():
    @ag.jit
    def f(x, n):
        total = 0.0
        for i in range(1000):
            total += x[i % 4]
        for i in range(3):
            total += x[i]
        return total

    x = np.arange(4.0)
    assert f(x, 1) == 1500.0 + 3.0
    hlo = f.experimental_get_compiler_ir(x, 1)("hlo")
    assert hlo.count("scf.for") == 1
    assert hlo.count("tensor.extract") == 4


def test_a_long_range_whose_body_needs_python_values_is_unrolled(caplog):
    table = [k * k for k in range(40)]

    @ag.jit
    def f(x):
        out = []
        for i in range(40):
            x = x + table[i]
            out.append(i)
        return x, len(out)

    assert f(0) == (sum(table), 40)


def test_an_array_that_grows_from_nothing():
    @ag.jit
    def f(n):
        out = np.zeros(0)
        for i in range(n):
            out = np.concatenate([out, np.zeros(2) + i])
        return out

    np.testing.assert_array_equal(f(3), [0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(f(0), [])


def test_checks_of_an_attempt_that_was_given_up_leave_no_error_record():
    table = [0] * 40

    @ag.jit
    def f(x):
        for i in range(40):  # table[i] needs a Python int, so the loop is unrolled after all
            x[0] = x[(i * 7) % 5] + table[i]
        return x.sum()

    x, y = np.arange(5.0), np.arange(5.0)
    assert f(x) == f.python_function(y)
    np.testing.assert_array_equal(x, y)
    assert "fail_unless" not in f.experimental_get_compiler_ir(x)("hlo")


def test_zip_of_arrays_with_what_python_iterates_over():
    def named(x):
        total = 0
        for value, weight, name in zip(x, [1, 2, 3], ["a", "bb", "ccc"], strict=False):
            total += value * weight * len(name)
        return total, dict(zip("abc", x, strict=True))["c"]

    x = np.array([5, 2, 8])
    assert ag.jit(named)(x) == named(x)


def test_a_strict_zip():
    @ag.jit
    def dot(x, y):
        total = 0.0
        for a, b in zip(x, y, strict=True):
            total += a * b
        return total

    assert dot(np.ones(3), np.ones(3)) == 3
    with pytest.raises(ValueError, match=r"zip\(\) arguments differ in length: \[3, 2\]"):
        dot(np.ones(3), np.ones(2))
    spec = ag.TensorSpec([None], ag.float64)
    loose = ag.function(dot.python_function, input_signature=[spec, spec])
    assert float(loose(np.ones(4), np.ones(4))) == 4
    with pytest.raises(ValueError, match="zip"):
        loose(np.ones(4), np.ones(2))


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}])
def test_a_loop_binds_a_name_to_an_array_of_outside_that_it_only_reads(options):
    @ag.function(**options)
    def by_range(x, y, n):
        for _ in ag.range(n):
            x = y
        return x

    @ag.function(**options)
    def by_condition(x, y, n):
        while n > 0:
            n -= 1
            x = y
        return x

    x, y = ag.constant([1, 2]), ag.constant([3, 4])
    for function in (by_range, by_condition):
        np.testing.assert_array_equal(function(x, y, ag.constant(2)), y)
        np.testing.assert_array_equal(function(x, y, ag.constant(0)), x)
