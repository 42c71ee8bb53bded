"""Functions that call themselves under a condition that is known only at run time."""

from __future__ import annotations

import math
import resource
import sys
import threading

import numpy as np
import pytest

import agir as ag

MODES = [
    pytest.param(lambda f: ag.function(f), id="function"),
    pytest.param(lambda f: ag.jit(f), id="jit"),
    pytest.param(lambda f: ag.function(f, jit_compile=False), id="function-interpreted"),
    pytest.param(lambda f: ag.jit(f, jit_compile=False), id="jit-interpreted"),
]
JIT = [
    pytest.param(lambda f: ag.jit(f), id="jit"),
    pytest.param(lambda f: ag.jit(f, jit_compile=False), id="jit-interpreted"),
]
every_mode = pytest.mark.parametrize("decorate", MODES)
numpy_modes = pytest.mark.parametrize("decorate", JIT)


def run(function, *arguments):
    """The result for run-time arguments, as Python or NumPy values."""
    given = [ag.constant(a, ag.int64) if isinstance(a, int) else a for a in arguments]
    return plain(function(*given))


def plain(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, ag.Tensor):
        value = value.numpy()
    return value.item() if getattr(value, "shape", None) == () else value


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def hanoi(n, source, target, spare):
    """(moves, a checksum of them)"""
    if n == 0:
        return 0, 0
    before, left = hanoi(n - 1, source, spare, target)
    after, right = hanoi(n - 1, spare, target, source)
    return before + 1 + after, left * 3 + source * target + right


def depth_of(n, depth=0):
    if n <= 1:
        return depth
    return depth_of(n // 2, depth=depth + 1)


def collatz(n, *, steps=0):
    if n == 1:
        return {"steps": steps, "last": n}
    if n % 2 == 0:
        return collatz(n // 2, steps=steps + 1)
    return collatz(3 * n + 1, steps=steps + 1)


SCALARS = [
    (factorial, (10,)),
    (factorial, (0,)),
    (fib, (15,)),
    (gcd, (1071, 462)),
    (ackermann, (2, 3)),
    (is_even, (10,)),
    (is_even, (7,)),
    (hanoi, (6, 1, 3, 2)),
    (depth_of, (1000,)),
    (collatz, (27,)),
]


@every_mode
@pytest.mark.parametrize(("python", "arguments"), SCALARS, ids=lambda v: getattr(v, "__name__", v))
def test_scalar_recursion(decorate, python, arguments):
    assert run(decorate(python), *arguments) == python(*arguments)


@every_mode
def test_results_of_another_kind_than_the_base_case(decorate):
    assert run(decorate(power), np.float64(1.5), 10) == pytest.approx(1.5**10)


def test_a_decorated_function_calls_itself():
    @ag.function
    def double_factorial(n):
        if n <= 1:
            return ag.constant(1)
        return n * double_factorial(n - 2)

    assert double_factorial(ag.constant(9)).numpy() == 945
    assert double_factorial(ag.constant(9)).dtype == ag.int32


def test_decorated_functions_call_each_other():
    @ag.jit
    def down(n):
        return n if n < 10 else up(n // 2)

    @ag.jit
    def up(n):
        return down(n - 1)

    assert down(100) == 4


@every_mode
def test_a_helper_is_called_more_than_once(decorate):
    def f(a, b):
        return fib(a) * 1000 + fib(b) + sum(fib(i) for i in (1, 2, 3))

    function = decorate(f)
    assert run(function, 10, 11) == f(10, 11)


def test_equal_functions_are_recorded_once():
    @ag.jit
    def f(a, b):
        return fib(a) + fib(b)

    text = f.get_concrete_function(3, 4).compilation.text("hlo")
    assert text.count("func.func private @fib") == 1
    assert text.count("call @fib(") == 4


@every_mode
def test_lambdas_and_closures(decorate):
    def f(n, k):
        triangle = lambda i: i if i <= 0 else i + triangle(i - 1)  # noqa: E731

        def scaled(i):
            if i <= 0:
                return k
            return scaled(i - 1) * 2 + k

        return triangle(n), scaled(n)

    assert run(decorate(f), 6, 5) == f(6, 5)


class Polynomial:
    def __init__(self, scale):
        self.scale = scale
        self.calls = 0

    def value(self, n):
        if n <= 0:
            return self.scale
        return self.value(n - 1) * 2 + self.scale

    def counted(self, n):
        self.calls = self.calls + 1
        if n < 2:
            return n
        return self.counted(n - 1) + self.counted(n - 2)


@every_mode
def test_methods(decorate):
    def f(n):
        return Polynomial(3).value(n)

    assert run(decorate(f), 5) == f(5)


@every_mode
def test_attributes_are_carried(decorate):
    def f(n):
        polynomial = Polynomial(0)
        result = polynomial.counted(n)
        return result, polynomial.calls

    assert run(decorate(f), 9) == f(9)


@every_mode
def test_variables_of_the_enclosing_function_are_carried(decorate):
    def f(n):
        calls = 0
        deepest = 0

        def visit(i, depth):
            nonlocal calls, deepest
            calls += 1
            deepest = max(deepest, depth)
            if i > 1:
                visit(i // 2, depth + 1)
                visit(i // 3, depth + 1)

        visit(n, 0)
        return calls, deepest

    assert run(decorate(f), 100) == f(100)


@every_mode
def test_a_place_that_is_put_back_is_seen_by_the_callee(decorate):
    def f(n):
        weight = 1

        def total(i):
            nonlocal weight
            if i <= 0:
                return weight
            weight = weight * 2
            below = total(i - 1)
            weight = weight // 2
            return below + weight

        return total(n), weight

    assert run(decorate(f), 6) == f(6)


@every_mode
def test_recursion_inside_of_loops(decorate):
    def f(n):
        total = 0
        i = 0
        while i < n:
            total += fib(i)
            i += 1
        return total

    def walk(n):
        total = 1
        i = 0
        while i < n:
            total += walk(i)
            i += 1
        return total

    assert run(decorate(f), 10) == f(10)
    assert run(decorate(walk), 6) == walk(6) == 64


@every_mode
def test_a_recursive_function_calls_another_one(decorate):
    def inner(n, step):
        return 0 if n <= 0 else 1 + inner(n - step, step)

    def outer(n):
        return 0 if n <= 0 else inner(n, 2) + outer(n - 3)

    assert run(decorate(outer), 20) == outer(20)


@every_mode
def test_recursion_in_the_arguments(decorate):
    def mccarthy(n):
        if n > 100:
            return n - 10
        return mccarthy(mccarthy(n + 11))

    assert run(decorate(mccarthy), 55) == 91


# Arrays.


def tree_sum(x):
    n = len(x)
    if n == 1:
        return x[0]
    return tree_sum(x[: n // 2]) + tree_sum(x[n // 2 :])


def any_length(decorate, python):
    """The function for a vector of any length."""
    function = decorate(python)
    return function.get_concrete_function(ag.TensorSpec([None], ag.float64))


@every_mode
def test_reduction_over_halves(decorate):
    x = np.arange(37.0) ** 2
    assert plain(any_length(decorate, tree_sum)(x)) == x.sum()
    assert plain(decorate(tree_sum)(x)) == x.sum()


def find(x, value, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if x[middle] == value:
        return middle
    if x[middle] < value:
        return find(x, value, middle + 1, high)
    return find(x, value, low, middle)


@every_mode
def test_binary_search(decorate):
    x = np.arange(0.0, 100.0, 3.0)
    function = decorate(find)
    for value in (0.0, 27.0, 99.0, 50.0):
        expected = int(np.searchsorted(x, value)) if value in x else -1
        assert run(function, x, np.float64(value), 0, len(x)) == expected


def quicksort(a, low, high):
    if low < high:
        pivot = a[high]
        i = low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[high] = a[high], a[i]
        quicksort(a, low, i - 1)
        quicksort(a, i + 1, high)


@numpy_modes
def test_sorting_in_place(decorate):
    rng = np.random.default_rng(1)
    a = rng.permutation(40).astype(np.float64)
    assert decorate(quicksort)(a, 0, len(a) - 1) is None
    assert a.tolist() == sorted(a.tolist())


def merge_sort(a):
    n = len(a)
    if n > 1:
        merge_sort(a[: n // 2])
        merge_sort(a[n // 2 :])
        b = a.copy()
        i = 0
        j = n // 2
        for k in range(n):
            if j >= n or (i < n // 2 and b[i] <= b[j]):
                a[k] = b[i]
                i += 1
            else:
                a[k] = b[j]
                j += 1


@numpy_modes
def test_sorting_slices_in_place(decorate):
    rng = np.random.default_rng(2)
    a = rng.permutation(23).astype(np.float64)
    any_length(decorate, merge_sort)(a)
    assert a.tolist() == list(range(23))


@numpy_modes
def test_an_array_of_known_shape_is_passed_as_one_of_any(decorate):
    def halve(a, n):
        a[n] = a[n] + 1
        if n > 0:
            halve(a[:n], n // 2)
        return len(a)

    plain_array, traced = np.arange(8.0), np.arange(8.0)
    assert decorate(halve)(traced, 5) == halve(plain_array, 5)
    assert traced.tolist() == plain_array.tolist()


@numpy_modes
def test_an_array_that_is_returned_is_the_one_that_was_passed(decorate):
    def fill(a, i):
        if i < len(a):
            a[i] = i * i
            return fill(a, i + 1)
        return a

    def f(a):
        b = fill(a, 0)
        b[0] = 7
        return a[0], a[3]

    a = np.zeros(5)
    assert decorate(f)(a) == (7.0, 9.0)
    assert a.tolist() == [7.0, 1.0, 4.0, 9.0, 16.0]


@every_mode
def test_arrays_of_the_enclosing_function_are_written(decorate):
    def f(n):
        seen = ag.zeros([8], ag.int64)

        def visit(i):
            seen[i % 8] = seen[i % 8] + 1
            if i > 0:
                visit(i - 1)
                visit(i // 2)

        visit(n)
        return seen

    def expected(n):
        seen = np.zeros(8, np.int64)

        def visit(i):
            seen[i % 8] += 1
            if i > 0:
                visit(i - 1)
                visit(i // 2)

        visit(n)
        return seen

    assert run(decorate(f), 9).tolist() == expected(9).tolist()


@every_mode
def test_arrays_that_are_only_read_are_captured(decorate):
    def f(table, n):
        def total(i):
            if i < 0:
                return 0.0
            return table[i] * scale[i % 2] + total(i - 1)

        scale = table[:2] + 1.0
        return total(n)

    table = np.arange(6.0) + 1
    assert run(decorate(f), table, 5) == f(table, 5)


@every_mode
def test_arrays_as_results(decorate):
    def row(n):
        """A row of Pascal's triangle, modulo 2**63."""
        if n == 0:
            return ag.one_hot(0, 8, dtype=ag.int64) if hasattr(ag, "one_hot") else first()
        above = row(n - 1)
        return above + ag.concat([ag.zeros([1], ag.int64), above[:7]], 0)

    def first():
        return ag.concat([ag.ones([1], ag.int64), ag.zeros([7], ag.int64)], 0)

    assert run(decorate(row), 6).tolist() == [math.comb(6, k) for k in range(8)]


# What Python decides stays Python's.


@every_mode
def test_recursion_on_python_values_is_unrolled(decorate):
    def horner(x, coefficients):
        if not coefficients:
            return 0
        return coefficients[0] + x * horner(x, coefficients[1:])

    def f(x):
        if x > 2:
            return horner(x, [1, 2, 3])
        return horner(x, (4, 5))

    function = decorate(f)
    assert run(function, 3) == f(3)
    assert run(function, 1) == f(1)


@every_mode
def test_a_python_structure_under_run_time_conditions_is_unrolled(decorate):
    tree = ((None, 5, None), 10, (None, 20, (None, 30, None)))

    def rank(node, x):
        if node is None:
            return 0
        left, key, right = node
        if x < key:
            return rank(left, x)
        return 1 + rank(right, x)

    def f(x):
        return rank(tree, x)

    for x in (1, 7, 15, 25, 35):
        assert run(decorate(f), x) == f(x)


@every_mode
def test_a_number_that_must_be_known_is_unrolled(decorate):
    def add_up(x, k):
        if k == 0:
            return x
        step = float("1234"[:k])  # needs a Python int
        if x > 10:
            return add_up(x - step, k - 1)
        return add_up(x + 2 * step, k - 1)

    def f(x):
        return add_up(x, 4)

    for x in (0, 9, 30):
        assert run(decorate(f), x) == f(x)


# Errors.


def forever(n):
    if n == -1:
        return 0
    return 1 + forever(n + 1)


@every_mode
def test_too_deep_a_recursion_is_an_error(decorate):
    function = decorate(forever)
    with pytest.raises(RecursionError, match="maximum recursion depth") as info:
        run(function, 0)
    assert isinstance(info.value, ag.errors.InvalidArgumentError)
    assert f"{__file__}:{forever.__code__.co_firstlineno + 3}" in str(info.value)
    assert run(function, -100) == 99


def test_after_the_limit_no_call_is_made():
    @ag.jit
    def tree(n):
        if n < 0:
            return 0
        return tree(n + 1) + tree(n + 2)  # 2 ** 1000 calls otherwise

    with pytest.raises(RecursionError):
        tree(1)


def test_the_recursion_limit_is_pythons():
    @ag.jit
    def down(n):
        return 0 if n == 0 else 1 + down(n - 1)

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(30_000)
    try:
        assert down(29_000) == 29_000
    finally:
        sys.setrecursionlimit(before)


def test_a_thread_with_a_small_stack():
    def heavy(x, n):
        if n == 0:
            return x
        y = heavy(x * 0.5, n - 1)
        return y + x * 2.0 + ag.reduce_sum(y)

    function = ag.jit(heavy)
    x = np.ones(4)
    expected = function(x, 900)
    found = []
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(function(x, 900)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    np.testing.assert_array_equal(found[0], expected)


@every_mode
def test_checks_inside_of_recursive_functions(decorate):
    def at(x, i):
        if i >= 2 * len(x):
            return 0.0
        return x[i] + at(x, i + 1)

    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3") as info:
        run(decorate(at), np.ones(3), 0)
    assert f":{at.__code__.co_firstlineno + 3}" in str(info.value)


@every_mode
def test_a_function_without_an_end(decorate):
    def endless(n):
        if n > 0:
            return endless(n - 1)
        return endless(n + 1)

    with pytest.raises(ag.errors.StagingError, match="endless calls itself on every path"):
        run(decorate(endless), 3)


@every_mode
def test_endless_recursion_of_python(decorate):
    def endless(n, text):
        return endless(n, text + "x")

    with pytest.raises(ag.errors.StagingError, match="calls itself without end"):
        run(decorate(lambda n: endless(n, "")), 3)


@every_mode
def test_results_without_a_common_type(decorate):
    def mixed(n):
        if n <= 0:
            return None
        return mixed(n - 1), n

    with pytest.raises(ag.errors.StagingError, match="result of mixed keep changing"):
        run(decorate(mixed), 3)


@numpy_modes
def test_arrays_that_overlap_are_refused(decorate):
    def shift(a, b, n):
        if n > 0:
            a[0] = b[1] + 1
            shift(a, b, n - 1)

    def f(a, n):
        shift(a[:3], a[1:], n)

    with pytest.raises(ag.errors.StagingError, match="under another name"):
        decorate(f)(np.zeros(4), 3)


@numpy_modes
def test_an_array_that_the_function_sees_otherwise_is_refused(decorate):
    def f(a, n):
        def add(b, i):
            if i > 0:
                b[0] = b[0] + a[1]
                add(b, i - 1)

        add(a[1:], n)

    with pytest.raises(ag.errors.StagingError, match="under another name"):
        decorate(f)(np.zeros(4), 3)


@every_mode
def test_objects_made_anew_for_each_call(decorate):
    class Node:
        def __init__(self, value):
            self.value = value

        def total(self):
            if self.value <= 0:
                return 0
            return self.value + Node(self.value - 1).total()

    def f(n):
        return Node(n).total()

    assert run(decorate(f), 3) == 6
    assert run(decorate(f), 0) == 0


# The recorded program.


def test_the_text_names_the_users_function_and_lines():
    function = ag.function(fib)
    compilation = function.get_concrete_function(ag.constant(5)).compilation
    text = compilation.text("hlo", locations=True)
    assert "func.func private @fib_1(%depth: i64" in compilation.text("hlo")
    assert f'test_recursion.py":{fib.__code__.co_firstlineno + 1}:' in text
    assert "digraph" in compilation.text("optimized_hlo_dot")
    assert "fib_1" in compilation.text("asm")


def test_nothing_leaks():
    def halves(x):
        n = len(x)
        if n <= 8:
            return x * 2.0
        return ag.concat([halves(x[: n // 2]), halves(x[n // 2 :])], 0)

    function = any_length(ag.jit, halves)
    x = np.arange(5000.0)
    np.testing.assert_array_equal(function(x), 2 * x)
    for _ in range(20):
        function(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(300):
        function(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


# What is raised and caught on the way.


def caught_before(numbers, place):
    """A check at the line of a `try` that the caller, which is another recording, has too."""
    if place > 100:
        return
    marked = True
    try:
        numbers[place] += 1
        caught_before(numbers, place + 2)
    except IndexError:
        marked = False
        numbers[0] += 100
    numbers[0] += 10 if marked else 1000


def raised_further(numbers, place):
    try:
        if place % 3 == 2:
            raise ValueError(place)
        numbers[place] += 1
        raised_further(numbers, place + 2)
    except IndexError:
        numbers[0] += 100
        if place > 4:
            raise
    finally:
        numbers[-1] += place


@pytest.mark.parametrize("function", [caught_before, raised_further])
@pytest.mark.parametrize(("count", "place"), [(1, 0), (3, 0), (3, 1), (3, 7), (6, 0), (7, 1)])
def test_each_call_catches_what_it_raises(function, count, place):
    def outcome(function):
        numbers = list(range(count))
        try:
            function(numbers, place)
        except (IndexError, ValueError) as error:
            return isinstance(error, IndexError)
        return numbers

    assert outcome(ag.jit(function)) == outcome(function)
