"""Comprehensions, generators and functions on iterables over run-time values."""

# ruff: noqa: B905, C400, C402, C416, C417, RUF015, UP028 (the constructs are what is tested)

import functools

import numpy as np
import pytest

import agir as ag


def multiples(x, k):
    """What is above a limit, scaled, and how many there were."""
    seen = 0
    for v in x:
        if v > k:
            seen += 1
            yield v * k
    yield seen


def both(x, k):
    yield from multiples(x, k)
    for i in range(3):
        yield i
    yield from (v - k for v in x if v != 3)


def naturals(n):
    while True:
        yield n
        n += 1


def summed(x, k):
    total = 0
    for v in multiples(x, k):
        total += v
    return total


def left_early(x, k):
    total = 0
    for v in both(x, k):
        if v == 9:
            break
        if v == 0:
            continue
        total += v
    else:
        total = -total
    return total


def returned_from(x, k):
    for i, v in enumerate(multiples(x, k)):
        if v > 4:
            return i * 100 + v
    return -1


def endless(x, k):
    total = 0
    for i in naturals(k):
        if i * i > x[0] + 20:
            break
        total += i
    return total


def two_at_once(x, k):
    total = 0
    for a, b in zip(multiples(x, k), x):
        total += a * 10 + b
    for i, (a, b) in enumerate(zip(range(2), multiples(x, k)), 5):
        total += i * a + b
    return total


def nested_loops(x, k):
    total = 0
    for v in multiples(x, k):
        for w in (u + v for u in x if u > 1):
            if w > 12:
                break
            total += w
    return total


def reduced(x, k):
    return (
        sum(v * v for v in x),
        sum((v for v in multiples(x, k)), 100),
        any(v > 2 for v in x),
        all(v > 1 for v in x),
        max(v * k for v in x),
        min(-v for v in multiples(x, k)),
        max((v for v in x if v > 50), default=-1),
        max(x, key=lambda v: -v),
        min(multiples(x, k), key=lambda v: (v - 5) * (v - 5)),
    )


def short_circuits(x, k):
    a = k > 1 and any(v == 3 for v in x)
    b = sum(v for v in x) if k > 2 else max(v for v in x)
    return 1 if a else 0, b


def listed(x, k):
    return (
        [v * k for v in x],
        {i: v + k for i, v in enumerate(x)}[1],
        [[a * b for a in x] for b in x][1],
        list(v + 1 for v in x),
        tuple(map(lambda a, b: a * b, x, x)),
        list(zip(x, x))[0],
        list(reversed(x)),
        dict((i, v) for i, v in enumerate(x))[0],
        sorted(x),
        sorted((v for v in x), key=lambda v: (v - 2) * (v - 2), reverse=True),
        [v for v in [x[0], x[1]]],
        [*map(lambda v: v * 2, x)],
    )


def mapped_and_filtered(x, k):
    total = 0
    for v in filter(lambda v: v % 2 == 1, x):
        total += v
    for i, v in enumerate(map(lambda v: v * k, multiples(x, k))):
        total += i * v
    for v in map(halved, filter(None, x)):
        total += v
    a, b, *_ = map(halved, x)
    return total + a * b


def halved(v):
    if v % 2 == 0:
        return v // 2
    return v


def in_a_lambda(x, k):
    f = lambda y: (sum(v * k for v in y if v > 1), any(v > 2 for v in y))  # noqa: E731
    g = lambda y: [a + b for a, b in zip(y, y)]  # noqa: E731
    return *f(x), *g(x)


def numbers(x, k):
    return round(x[0] * 1.5), round(x[1] * 1.25, 1), divmod(x[2], k), pow(x[0], 2), round(k)


def witness(x, k):
    found = any((w := v) > k for v in x)
    return found, w


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


def flat(value):
    value = plain(value)
    return [leaf for each in value for leaf in flat(each)] if isinstance(value, list) else [value]


BOTH = [summed, left_early, returned_from, endless, two_at_once, nested_loops, reduced]
BOTH += [short_circuits, listed, mapped_and_filtered, in_a_lambda, numbers, witness]
INPUTS = [([1, 2, 3], 2), ([3, 1, 2, 5], 1), ([2, 4, 9], 3)]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
@pytest.mark.parametrize("f", BOTH, ids=lambda f: f.__name__)
def test_matches_python(f, decorate, compiled):
    traced = decorate(f, jit_compile=compiled)
    for values, k in INPUTS:
        x = np.array(values)
        given = (ag.constant(x), ag.constant(k)) if decorate is ag.function else (x, k)
        assert flat(traced(*given)) == pytest.approx(flat(f(x, k)), rel=1e-6), values


def test_any_length():
    """One trace for every length, and none of the rows are unrolled."""
    spec = ag.TensorSpec([None], ag.int64)
    for f in (summed, left_early, returned_from, nested_loops, reduced, mapped_and_iterated):
        traced = ag.function(f, input_signature=[spec, ag.TensorSpec([], ag.int64)])
        for values, k in [*INPUTS, ([5] * 40, 2)]:
            x = np.array(values)
            assert plain(traced(x, k)) == plain(f(x, k))
        text = traced.experimental_get_compiler_ir(x, k)("hlo")
        assert "scf.for" in text or "scf.while" in text


def test_a_loop_that_is_not_left_is_counted():
    """The consumer's body stands in the generator's own loop."""
    spec = ag.TensorSpec([None], ag.int64)
    traced = ag.function(lambda x: sum(v * v for v in x), input_signature=[spec])
    text = traced.experimental_get_compiler_ir(np.array([1, 2]))("optimized_hlo")
    assert text.count("scf.for") == 1
    assert "scf.while" not in text
    assert "scf.if" not in text


def mapped_and_iterated(x, k):
    total = 0
    for v in map(halved, x):
        total += v * k
    return total


def test_no_items():
    @ag.function(input_signature=[ag.TensorSpec([None], ag.int64)])
    def f(x):
        return max(v * 2 for v in x), min((v for v in x), default=7)

    assert plain(f(np.array([4, 2]))) == [8, 2]
    with pytest.raises(ValueError, match=r"max\(\) arg is an empty sequence"):
        f(np.array([], np.int64))

    @ag.function
    def g(x):
        return max(v for v in x)

    with pytest.raises(ValueError, match=r"max\(\) arg is an empty sequence"):
        g(np.zeros(0))


def test_a_method_and_recursion():
    class Tree:
        def __init__(self, value, *children):
            self.value, self.children = value, children

        def walk(self, x):
            yield self.value * x
            for child in self.children:
                yield from child.walk(x + 1)

    tree = Tree(1, Tree(2, Tree(3)), Tree(4))

    def f(x):
        return sum(v for v in tree.walk(x) if v != 6)

    for decorate in (ag.function, ag.jit):
        assert int(decorate(f)(ag.constant(2))) == f(2)


def test_effects_in_the_consumer():
    def f(x):
        y = x * 0
        for i, v in enumerate(multiples(x, 1)):
            y[i % 3] = y[i % 3] + v
        return y

    x = np.array([3, 1, 2, 5, 4])
    np.testing.assert_array_equal(ag.jit(f)(x), f(x))


def test_only_numbers_that_loops_change_are_symbols():
    """The generator's own flags, which this loop never sets, cost nothing after it."""

    def with_another_dtype(x):
        for v in x:
            yield v
        yield 0.5

    @ag.function
    def f(x):
        last = 0
        for v in with_another_dtype(x):
            last = v
        return last

    assert float(f(ag.constant([3, 2]))) == 0.5


def test_a_generator_used_twice():
    @ag.function
    def f(x, limit):
        made = (v for v in x)
        total = 0
        for v in made:
            if v > limit:
                break
            total += v
        return total + sum(made)

    assert int(f(ag.constant([1, 2, 3]), ag.constant(1))) == 4

    @ag.function
    def g(x):
        made = (v for v in x)
        return sum(made), sum(made)

    assert plain(g(ag.constant([1, 2, 3]))) == [6, 0]


def test_a_generator_from_outside_of_a_loop():
    @ag.function
    def f(x):
        made = (v for v in [1, 2, 3])
        total = 0
        for v in x:
            total += v * next(made)
        return total

    assert int(f(ag.constant([1, 2, 3]))) == 14

    @ag.function
    def g(x):
        made = naturals(0)
        total = 0
        for _ in range(10):  # goes round in Python, where each round may ask for an item
            total += x * next(made)
        return total

    assert int(g(ag.constant(2))) == 90


def test_reduce_of_what_python_iterates_over():
    @ag.function
    def f(x):
        return functools.reduce(lambda a, b: a + b, (v * v for v in x))

    assert int(f(ag.constant([1, 2, 3]))) == 14


def test_more_than_are_compared_in_pairs():
    found = ag.function(lambda x: sorted(x))(ag.constant(np.arange(40)[::-1]))
    assert np.asarray(found).tolist() == list(range(40))
