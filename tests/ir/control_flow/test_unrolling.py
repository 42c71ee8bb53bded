"""Loops over what Python knows: recorded as one loop, or unrolled."""

import logging

import numpy as np
import pytest

import agir as ag
from agir.ir.control_flow import unrolling
from agir.ir.tracing.left_to_python import MOST


def _loops(function, *arguments):
    text = str(ag.jit(function).experimental_get_compiler_ir(*arguments)(stage="hlo"))
    return text.count("scf.for") + text.count("scf.while")


def _total(count):
    def f(x):
        t = x
        for i in range(count):
            t = t * 2 + i
        return t

    return f


def test_long_loops_are_recorded_short_ones_unrolled(agrees):
    assert (_loops(_total(3), 1.0), _loops(_total(300), 1.0)) == (0, 1)
    agrees(_total(3), (1.0,))
    agrees(_total(30), (1.0,))


@pytest.mark.parametrize(("unroll", "loops"), [(True, 0), (False, 1)])
def test_options_decide(agrees, unroll, loops):
    def f(x):
        for i in range(40):
            ag.autograph.set_loop_options(unroll=unroll)
            x = x + i
        return x

    assert _loops(f, 1.0) == loops
    assert ag.jit(f)(1.0) == 1.0 + sum(range(40))


def test_the_log_says_what_happened(caplog):
    with caplog.at_level(logging.INFO, logger="agir.autograph"):
        ag.jit(_total(300))(1.0)
    assert "a loop of 300 iterations is recorded as one loop" in caplog.text


def test_loops_that_need_the_counter_are_unrolled(agrees):
    names = ["a", "b"] * 20

    def f(x):
        for i in range(len(names)):
            if names[i] == "a":
                x = x + i
        return x

    agrees(f, (1.0,))
    assert _loops(f, 1.0) == 0


def test_arrays_are_iterated_over(agrees):
    weights = np.arange(50.0)

    def f(x):
        for i, w in enumerate(weights):
            x = x + w * i
        for a, b in zip(weights, weights, strict=True):
            x = x + a * b
        for w in reversed(weights):
            x = x * 0.5 + w
        for i in range(3):
            for w in weights:
                x = x + i * w
        return x

    agrees(f, (1.0,))


def test_a_nest_of_short_loops_is_not_unrolled_as_a_whole():
    def nest(x):
        total = 0.0
        for i in range(4):
            for j in range(4):
                for k in range(4):
                    for n in range(3):
                        total += x[i, j] * x[k, n] if i - n >= 0 else x[n, i]
        return total

    x = np.arange(16.0).reshape(4, 4)
    decorated = ag.jit(nest)
    assert decorated(x) == nest(x)
    text = str(decorated.experimental_get_compiler_ir(x)("hlo"))
    assert "scf.for" in text
    assert len(text.splitlines()) < 1000


def test_very_long_loops_over_constants_are_recorded():
    def total():
        s = 0
        for i in range(10**9):
            s += i & 3
        return s

    def listed():
        found = []
        for i in range(2 * 10**6):
            found.append(i)
        return len(found), found[-1]

    for decorate in (ag.jit, ag.function):
        assert int(decorate(total)()) == 1_500_000_000
        assert [int(each) for each in decorate(listed)()] == [2_000_000, 1_999_999]


def test_very_long_loops_that_change_what_is_outside_are_left_to_python():
    seen = {"n": 0}

    @ag.function
    def f(x):
        for _ in range(MOST + 1):
            seen["n"] += 1
        return x

    assert int(f(ag.constant(1))) == 1
    assert seen["n"] == MOST + 1


def nested_counters():
    total = 0
    for i in range(300):
        for j in range(i):
            for k in range(j, 300):
                if i + j + k == 300 and i * i == j * j + k * k:
                    return i, j, k, total
            total += j
    return total


def ends_by_itself():
    n = steps = 0
    while n < 100_000:
        n += 3 if n % 2 else 1
        steps += 1
    return steps


def the_longest_way():
    longest = 0
    for start in range(1, 2000):
        steps, n = 0, start
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        longest = max(longest, steps)
    return longest


def with_calls():
    x = 10.0
    for _ in range(MOST + 1):
        error, slope = _parabola(x)
        if abs(slope) > 1e-9:
            x -= 0.1 * slope
    return x, error


def _parabola(x):
    return (x - 2.0) ** 2, 2.0 * (x - 2.0)


def distance_of_known_texts():
    one, other = "kitten" * 20, "sitting" * 30
    previous = list(range(len(other) + 1))
    for i in range(len(one)):
        current = [i + 1]
        for j in range(len(other)):
            changed = previous[j] + (one[i] != other[j])
            current.append(min(changed, previous[j + 1] + 1, current[j] + 1))
        previous = current
    return previous[-1]


LONG = [nested_counters, ends_by_itself, the_longest_way, with_calls, distance_of_known_texts]


@pytest.mark.parametrize("f", LONG)
def test_nests_over_constants_that_take_python_long_are_recorded(f):
    decorated = ag.jit(f)
    assert decorated() == f()
    assert _loops(f)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def hanoi(n, source, target, other, moves):
    if n:
        hanoi(n - 1, source, other, target, moves)
        moves.append((source, target))
        hanoi(n - 1, other, target, source, moves)


def test_a_recursion_on_constants_that_takes_python_long_is_recorded():
    def number():
        return fibonacci(22)

    def moves():
        made = []
        hanoi(13, 0, 2, 1, made)
        return len(made), made[-4:]

    for f in (number, moves):
        decorated = ag.jit(f)
        assert decorated() == f()
        assert "func.call" in str(decorated.experimental_get_compiler_ir()(stage="hlo"))


def test_elements_that_an_unrolled_loop_made_are_gone_when_it_is_rolled_back():
    def masked(c, s):
        b = c[c > -1]
        for _ in range(2):
            for _ in range(3):
                last = b[1:] if s > 0 else b[:-1]
                last[0] = s
                b[np.arange(5)[::-1]] = c + s
        return b

    def counted(c, s):
        b = np.arange(5)
        for _ in range(2):
            for _ in range(3):
                last = b[1:] if s > 0 else b[:-1]
                last[0] += 1
                b[np.arange(5)[::-1]] = b + 1
        return b

    for f in (masked, counted):
        for s in (1.5, -1.5):
            wanted = f(np.arange(5.0), s)
            np.testing.assert_array_equal(ag.jit(f)(np.arange(5.0), s), wanted)


def counting(x):
    s = 0.0
    i = 0
    while i < len(x):
        s += x[i]
        i += 1
    return s, i


def without_end(x):
    i = 0
    s = 0.0
    while True:
        if i >= len(x):
            break
        s += x[i] * i
        i += 1
    return s


def in_one_another(x):
    s = 0.0
    i = 0
    while i < len(x):
        j = 0
        while j < i:
            s += x[j] * x[i]
            j += 1
        i += 1
    return s


def halving(x):
    n = len(x)
    while n > 1:
        half = (n + 1) // 2
        k = 0
        while k < n // 2:
            x[k] += x[k + half]
            k += 1
        n = half
    return x


def making_a_list(x):
    made = []
    i = 0
    while i < len(x):
        made.append(x[i] * 2)
        i += 1
    return np.array(made)


def sizes(x):
    s = 0.0
    i = 1
    while i < len(x):
        s += np.ones(i).sum() * x[i]
        i += 1
    return s + np.ones(i).sum()


@pytest.mark.parametrize("n", [1, 2, 7, 64, 65, 66, 100])
@pytest.mark.parametrize(
    "f", [counting, without_end, in_one_another, halving, making_a_list, sizes]
)
def test_while_loops_over_what_python_knows(f, n):
    x = np.random.default_rng(n).normal(size=n)
    np.testing.assert_allclose(ag.jit(f)(x.copy()), f(x.copy()), rtol=1e-9)


@pytest.mark.parametrize("f", [counting, without_end, in_one_another])
def test_long_while_loops_are_recorded(f):
    assert _loops(f, np.zeros(3)) == 0
    assert _loops(f, np.zeros(10_000)) == (2 if f is in_one_another else 1)


def test_while_loops_that_need_python_are_unrolled(agrees):
    names = ["a", "b", "c"] * 40
    twice = {k: 2 * k for k in range(120)}

    def f(x):
        i = 0
        while i < 120:
            if names[i] == "b":
                x = x + twice[i]
            i += 1
        return x

    def chunks(x):
        y = x[:128]
        n = 128
        while n > 1:
            y = y[: n // 2] + y[n // 2 : n]
            n //= 2
        return y[0]

    agrees(f, (1.0,))
    agrees(chunks, (np.arange(200.0),))
    assert _loops(f, 1.0) == _loops(chunks, np.arange(200.0)) == 0


def test_integers_that_outgrow_the_machine_are_python_s():
    def f(x):
        a, b, i = 0, 1, 0
        s = 0.0
        while i < 150:
            a, b = b, a + b
            s += x / b
            i += 1
        return s

    assert ag.jit(f)(1.0) == pytest.approx(f(1.0), rel=1e-14)


def test_what_a_long_while_loop_raises():
    def f(x):
        i = 0
        while i < 100:
            if i == 90:
                raise ValueError("ninety")
            x = x + i
            i += 1
        return x

    with pytest.raises(ValueError, match="ninety"):
        ag.jit(f)(1.0)


OFFSETS = ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0))


def neighbours(grid, weights):
    """Sums in a nest of loops over tuples and lists of numbers."""
    height, width = grid.shape
    out = np.zeros_like(grid)
    for i in range(height):
        for j in range(width):
            for scale in [0.5, 1.5, -2.0]:
                for row, column in OFFSETS:
                    for k in (0, 2, 1):
                        y, x = (i + row * k) % height, (j + column) % width
                        if grid[y, x] > 0.1:
                            out[i, j] += scale * grid[y, x] * weights[k]
    return out


def dtypes_of_items(x):
    """Numbers of a tuple are weakly typed."""
    for a in (1, 2, 3):
        for b in [0.25, 0.5]:
            for c in (2, 4, 6, 8):
                x = np.where(x > c, x * a + b, x - c)
                x = np.where(x < a, x * b, x + a)
                x[: c // 2] = x[1 : c // 2 + 1] * b if x.sum() > 0 else x[2 : c // 2 + 2]
    return x


def list_in_order(x):
    """The items become those of a list whose length is known."""
    found = []
    for a in (3.0, 1.0, 2.0):
        for b in ((1.0, 2.0), (3.0, 4.0)):
            total = 0.0
            for k in range(len(x)):
                total += x[k] * a if x[k] > b[0] else b[1]
            found.append(total)
    first, *rest = found
    return first, len(rest), np.array(rest)


def changed_on_the_way(x):
    """A list that its own loop makes longer."""
    numbers = [1, 2, 3]
    total = 0.0
    for n in numbers:
        if len(numbers) < 9:
            numbers.append(n * 2)
        for m in (1, 2, 3, 4):
            for k in (5, 6, 7, 8):
                total += x[(n * m) % 4] * k if x[n % 3] > m else x[m % 4]
    return total, len(numbers)


def left_early(x, bound):
    """`break`, and the item that was the last."""
    n = 0
    for a in (1, 2, 3, 4):
        for b in (10, 20, 30):
            for c in (100, 200, 300):
                x[a] += b * c if x[a] > 0 else c
                if x.sum() > bound:
                    break
                n += a * b + c
    return x, n, a, b, c


@pytest.mark.parametrize(
    ("f", "arguments"),
    [
        (neighbours, (np.linspace(-1, 1, 20).reshape(4, 5), np.array([1.0, 2.0, 3.0]))),
        (dtypes_of_items, (np.linspace(0, 9, 12, dtype=np.float32),)),
        (list_in_order, (np.linspace(0, 9, 12),)),
        (changed_on_the_way, (np.linspace(0, 9, 12),)),
        (left_early, (np.arange(6.0), 1e9)),
        (left_early, (np.arange(6.0), 3e4)),
    ],
)
def test_loops_over_tuples_and_lists_of_numbers(agrees, f, arguments):
    agrees(f, arguments)


def test_a_nest_of_loops_over_tuples_is_not_unrolled_as_a_whole():
    arguments = np.ones((4, 5)), np.ones(3)
    text = str(ag.jit(neighbours).experimental_get_compiler_ir(*arguments)(stage="hlo"))
    assert len(text.splitlines()) < 600


def growing_under_a_condition(x, bound):
    """A stack, of which only the run time knows how long it gets."""
    stack = []
    seen = 0
    for i in range(len(x)):
        if x[i] > bound:
            stack.append(i)
            while stack:
                j = stack.pop()
                seen += 1
                if 2 * j + 2 < len(x) and x[j] < 0.9:
                    stack.append(2 * j + 1)
                    stack.append(2 * j + 2)
    return seen, len(stack)


def test_loops_whose_lists_lose_their_lengths_are_given_up_after_one_iteration(agrees, monkeypatch):
    iterations = []
    check = unrolling._Watched._check
    monkeypatch.setattr(
        unrolling._Watched, "_check", lambda self: iterations.append(1) or check(self)
    )
    x = np.linspace(0, 1, 30)
    assert ag.jit(growing_under_a_condition)(x, 0.8) == growing_under_a_condition(x, 0.8)
    assert len(iterations) <= 3
    agrees(growing_under_a_condition, (x, 0.5))
