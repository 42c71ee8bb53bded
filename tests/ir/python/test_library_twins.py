"""Functions of Python's library that are written in C, of run-time values: plain Python decides."""

import bisect
import functools
import heapq
import itertools
import math
import operator
import statistics

import numpy as np
import pytest

import agir as ag


def reduced(n):
    numbers = range(1, n + 1)
    product = functools.reduce(lambda a, b: a * b, numbers)
    return product, functools.reduce(lambda a, b: a if a > b else b, [n, 3, 2 * n % 7], 4)


def reduced_nothing(n):
    return functools.reduce(operator.add, range(n - 5))


def accumulated(n):
    sums = list(itertools.accumulate(range(n)))
    greatest = list(itertools.accumulate([v * v % 7 for v in range(n)], max))
    return sums, greatest, list(itertools.accumulate(range(n), operator.sub, initial=100))


def sliced(n):
    some = [list(itertools.islice(range(10), n)), list(itertools.islice(range(n), 1, None, 2))]
    return some, list(itertools.islice((v * v for v in range(n)), 2, n + 9, 2))


def sliced_below_zero(n):
    return list(itertools.islice(range(9), -n))


def chained(n):
    return list(itertools.chain(range(n), [7], range(2))), [
        v + 1 for v in itertools.chain.from_iterable([range(n), range(n)])
    ]


def in_pairs(n):
    steps = [b - a for a, b in itertools.pairwise([v * v for v in range(n)])]
    powers = list(itertools.starmap(pow, [(v, 2) for v in range(n)]))
    return steps, powers, list(itertools.zip_longest(range(n), range(2), fillvalue=-1))


def chosen(n):
    products = [a * 10 + b for a, b in itertools.product(range(n), repeat=2)]
    pairs = list(itertools.combinations(range(n), 2))
    again = list(itertools.combinations_with_replacement(range(n), 3))
    orders = [a * 100 + b * 10 + c for a, b, c in itertools.permutations(range(n), 3)]
    return products, pairs, again, orders


def selected(n):
    odd = list(itertools.filterfalse(lambda v: v % 2 == 0, range(n)))
    return odd, list(itertools.compress(range(n), [v % 3 for v in range(n)]))


def endless(n):
    squares = [v * v for v in itertools.takewhile(lambda v: v * v < n * n, itertools.count(1))]
    numbered = [a * b for a, b in zip(range(n), itertools.count(n, -2))]
    around = [v for v, _ in zip(itertools.cycle([3, 1, 4]), range(n))]
    same = [a + b for a, b in zip(range(n), itertools.repeat(7))]
    first = next(v for v in itertools.count(n) if v % 11 == 0)
    return squares, numbered, around, same, first, list(itertools.repeat(n, n))


def counted_by_hand(n):
    counter = itertools.count(3)
    total = 0
    for i in range(n):
        total += i * next(counter)
    return total, next(counter)


def heaps(n):
    heap = []
    for v in range(n):
        heapq.heappush(heap, v * v % 11)
    first = [heapq.heappop(heap) for _ in range(n // 2)]
    replaced = heapq.heapreplace(heap, 5)
    passed = heapq.heappushpop(heap, 1), heapq.heappushpop(heap, 99)
    other = [v * v % 13 for v in range(2 * n)]
    heapq.heapify(other)
    return first, replaced, passed, heap, other


def heaps_of(values, words):
    numbers, pairs, texts = [], [], []
    for place in range(len(values)):
        heapq.heappush(numbers, values[place])
        heapq.heappush(pairs, (values[place], -place))
        heapq.heappush(texts, words[place % len(words)])
    kept = list(numbers), list(pairs), list(texts)
    taken = [heapq.heappop(numbers) for _ in range(len(values))]
    first = [heapq.heappop(pairs) for _ in range(len(values))]
    return kept, taken, first, [heapq.heappop(texts) for _ in range(len(values))]


@pytest.mark.parametrize("values", [[3, 1, 2, 1, 3, 0, 2], [0.5, -0.0, 0.0, 7.0, 0.5], [4], []])
def test_heaps_of_numbers_pairs_and_texts(values):
    compiled = ag.jit(heaps_of)
    for given in (values * 9, values[::-1] * 5, values):
        words = ["b", "abc", "", "ab"]
        assert repr(compiled(given, words)) == repr(heaps_of(given, words))


def test_a_heap_with_what_is_no_number():
    """It is less than nothing, and nothing is less: where it lies only the way there tells."""
    for texts in (["nan", "1", "0.5", "nan", "-1"], ["3", "2", "nan", "1"] * 4):
        given = list(map(float, texts))
        assert repr(ag.jit(heaps_of)(given, ["x"])) == repr(heaps_of(given, ["x"]))


def an_empty_heap(n):
    return heapq.heappop([v for v in range(n) if v > n])


def greatest_and_least(n):
    values = [v * v % 7 for v in range(n)]
    pairs = [(v * v % 7, v) for v in range(n)]
    return heapq.nlargest(2, values), heapq.nsmallest(3, pairs, key=lambda p: -p[0])


def shortest_paths(weights, start):
    distance = np.full(len(weights), np.inf)
    distance[start] = 0
    heap = [(0.0, start)]
    while heap:
        so_far, here = heapq.heappop(heap)
        if so_far > distance[here]:
            continue
        for there in range(len(weights)):
            further = so_far + weights[here, there]
            if weights[here, there] > 0 and further < distance[there]:
                distance[there] = further
                heapq.heappush(heap, (further, there))
    return distance


def bisected(n):
    values = [v * v for v in range(n)]
    places = [bisect.bisect_left(values, q) for q in (-1, 0, 4, 5, 99)]
    after = [bisect.bisect(values, q, 1, n - 1) for q in (-1, 0, 4, 5, 99)]
    for q in (4, 5, -3, 1000):
        bisect.insort(values, q)
    return places, after, values, bisect.bisect(values, 2, key=lambda v: v / 2)


def bisected_below_zero(n):
    return bisect.bisect([1, 2, 3], n, -n)


def bisected_array(x, n):
    return bisect.bisect_left(x, n), bisect.bisect_right(x, n)


def of_integers(n):
    combinations = [math.comb(n + 3, k) for k in range(n + 5)]
    orders = [math.perm(n, k) for k in range(n + 2)]
    return combinations, orders, math.factorial(n), math.perm(n), math.lcm(n, 4, 6), math.lcm(n, 0)


def a_factorial_below_zero(n):
    return math.factorial(-n)


def combinations_of_less_than_none(n):
    return math.comb(-n, 2)


def powers(n):
    large = 3**38 + 2
    small = [pow(v, 5, -7) for v in range(n)]
    return small, pow(n + 3**35, n * 77, large), pow(n - 2, -1, 7), pow(n, 3), pow(n, 0, 1)


def no_inverse(n):
    return pow(2 * n, -1, 4)


def modulo_nothing(n):
    return pow(n, 2, n - n)


def bits(n):
    lengths = [(v * v * v - 20).bit_length() for v in range(n)]
    return lengths, [(-v).bit_count() for v in range(n)], (n - n).bit_length()


def distances(x):
    return (
        math.hypot(x, 2 * x, -x), math.hypot(x), math.dist((x, 1.0, 0.0), (0.0, x, 1.0)),
        math.modf(x), math.modf(-x), math.hypot(x * 1e200, x * 1e200, 1.0), x.is_integer(),
        (x * 8).is_integer(),
    )  # fmt: skip


def truths(n):
    return operator.truth(n), operator.not_(n), operator.contains([n, 2], 2)


def ranges(n):
    numbers = range(1, 3 * n, 2)
    parts = [list(numbers[1:]), list(numbers[::-1]), list(numbers[-3:-1]), list(numbers[:n:2])]
    members = [v in numbers for v in range(12)]
    return numbers[1], numbers[-1], parts, members, n in range(n), 2.5 in range(n)


def outside_of_a_range(n):
    return range(n)[n]


def rounded_to_tens(n):
    return [round(v * 5, -1) for v in range(n)], round(-n * 5, -1), [round(v, 1) for v in range(n)]


PROGRAMS = [
    reduced, accumulated, sliced, chained, in_pairs, chosen, selected, endless, counted_by_hand,
    heaps, greatest_and_least, bisected, of_integers, powers, bits, truths, ranges,
    rounded_to_tens,
]  # fmt: skip

FAILING = [
    reduced_nothing, sliced_below_zero, an_empty_heap, bisected_below_zero, a_factorial_below_zero,
    combinations_of_less_than_none, no_inverse, modulo_nothing, outside_of_a_range,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_do_what_they_do_in_c(program, agrees):
    agrees(program, (5,), (4,))


@pytest.mark.parametrize("program", FAILING)
def test_they_raise_what_they_raise_in_c(program):
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever it is
        program(5)
    with pytest.raises(type(expected.value)) as raised:
        ag.jit(program)(5)
    assert str(raised.value).partition("\n")[0] == str(expected.value)
    said = "\n".join([str(raised.value), *getattr(raised.value, "__notes__", ())])
    assert f"at {__file__}:{program.__code__.co_firstlineno + 1}, in {program.__name__}" in said


@pytest.mark.parametrize("value", [2.5, 0.125, -7.75, 0.0, np.inf, np.nan])
def test_distances_and_parts(value, agrees):
    agrees(distances, (value,))


def test_of_arrays(agrees):
    graph = np.array([[0, 4, 0, 0, 8], [4, 0, 8, 0, 11], [0, 8, 0, 7, 0], [0] * 5, [8, 1, 0, 7, 0]])
    compiled = ag.jit(shortest_paths)
    for start in (0, 3):
        np.testing.assert_array_equal(compiled(graph, start), shortest_paths(graph, start))
    sorted_numbers = np.array([1.0, 2.0, 2.0, 5.0])
    agrees(bisected_array, (sorted_numbers, 2.0), (sorted_numbers, 9.0), (sorted_numbers[:0], 1.0))


def test_the_least_number_of_64_bits():
    length = ag.jit(lambda n: n.bit_length())
    assert [length(n) for n in (-(2**63), 2**63 - 1, -1, 0, 1, -8, 8)] == [64, 63, 1, 0, 1, 4, 4]


def test_a_tuple_of_run_time_length():
    assert ag.jit(lambda n: tuple(range(n)))(5000) == tuple(range(5000))


def test_an_index_that_no_item_has_is_an_error_only_where_it_is_read():
    def found(values, n):
        return bisect.bisect_left(list(values), 5, 0, n)

    empty = ag.jit(lambda n: found((), n))
    assert empty(0) == 0
    with pytest.raises(IndexError, match="out of range"):
        empty(2)


def chosen(n, k):
    return [list(each) for each in itertools.combinations(range(1, n + 1), k)]


def first_and_last(values, k):
    orders = sum(each[0] * 10 + each[-1] for each in itertools.permutations(values, k))
    repeated = sum(
        each[0] - each[-1] for each in itertools.combinations_with_replacement(values, k)
    )
    return orders, repeated


def test_how_many_are_chosen_becomes_known():
    """Each number of them is a trace: tuples have a length."""
    compiled = ag.jit(chosen)
    for args in ((4, 2), (5, 3), (3, 5), (0, 0), (6, 2)):
        assert compiled(*args) == chosen(*args)
    assert ag.jit(first_and_last)([1, 2, 5], 2) == first_and_last([1, 2, 5], 2)


def of_a_list(n):
    items = [i * i % 7 for i in range(n + 2)]
    return statistics.mean(items), statistics.pvariance(items), statistics.variance(items)


def of_a_few(n):
    return statistics.mean([n, 4, 1]), statistics.variance([n, 4]), statistics.mean(range(n + 1))


@pytest.mark.parametrize("program", [of_a_list, of_a_few])
def test_averages_of_ints_are_exact(program):
    jitted = ag.jit(program)
    for n in (0, 1, 4, 40):
        assert repr(jitted(n)) == repr(program(n))


def test_averages_of_nothing_and_of_several_kinds():
    f = ag.jit(lambda n: statistics.mean(list(range(n))))
    assert f(2) == 0.5
    with pytest.raises(statistics.StatisticsError, match="at least one data point"):
        f(0)
    with pytest.raises(ag.errors.StagingError, match="other numbers than ints"):
        ag.jit(lambda x: statistics.mean([x, 2]))(1.5)


AVERAGES = [
    statistics.mean, statistics.fmean, statistics.median, statistics.median_low,
    statistics.median_high, statistics.variance, statistics.pvariance, statistics.stdev,
    statistics.pstdev,
]  # fmt: skip


def numbers_of_all_sizes():
    drawn = np.random.default_rng(5)
    sizes = 10.0 ** drawn.integers(-40, 40, (6, 37))
    yield from (drawn.uniform(-1, 1, (6, 37)) * sizes).tolist()
    yield from (1e8 + drawn.random((6, 40))).tolist()  # most of what is added cancels out
    yield from (drawn.integers(-3, 3, (20, 5)) / 1.0).tolist()
    yield from (drawn.integers(1, 9, (20, 3)) * 0.1).tolist()
    yield from [[0.1] * 3, [1e16, 1.0, -1e16], [-0.0, -0.0], [2.0, 5.0], [math.inf, 1.0]]
    yield from drawn.integers(-1000, 1000, (5, 30)).tolist()


@pytest.mark.parametrize("function", AVERAGES, ids=lambda each: each.__name__)
def test_averages_are_rounded_once(function):
    jitted = ag.jit(lambda data: function(data))
    for data in numbers_of_all_sizes():
        if function in (statistics.stdev, statistics.pstdev) and math.inf in data:
            with pytest.raises(AttributeError):
                function(data)
            with pytest.raises(AttributeError):
                jitted(data)
        else:
            assert repr(jitted(data)) == repr(function(data)), data


@pytest.mark.parametrize("function", AVERAGES, ids=lambda each: each.__name__)
def test_averages_of_too_few(function):
    jitted = ag.jit(lambda n: function([i / 2 for i in range(n)]))
    for n in (0, 1, 2, 9):
        try:
            assert repr(jitted(n)) == repr(function([i / 2 for i in range(n)]))
        except statistics.StatisticsError as error:
            with pytest.raises(statistics.StatisticsError, match=str(error)):
                function([i / 2 for i in range(n)])


@pytest.mark.filterwarnings("ignore::agir.errors.FallbackWarning")
def test_averages_of_floats_that_would_overflow_are_refused():
    jitted = ag.jit(lambda data: statistics.mean(data))
    assert jitted([1.0, 2.5]) == 1.75
    for data in ([1e300, 1.0], [1e-300, 1.0]):
        with pytest.raises(ag.errors.InvalidArgumentError, match="so large, or so near to 0"):
            jitted(data)
    whole = ag.jit(lambda data: statistics.mean(data), fallback=True)
    assert whole([1e300, 1.0, -1e300]) == statistics.mean([1e300, 1.0, -1e300])
    with pytest.raises(ag.errors.StagingError, match="around another number"):
        ag.jit(lambda data: statistics.stdev(data, 1.0))([1.0, 2.0])
    with pytest.raises(ag.errors.StagingError, match="with weights"):
        ag.jit(lambda data: statistics.fmean(data, data))([1.0, 2.0])


def of_many(values):
    some = [0] * 3
    for number, pair in enumerate(itertools.combinations(values, 4)):
        some[0] += sum(pair) * (number % 5)
    for one, two, three in itertools.permutations(values, 3):
        some[1] += one * 4 + two * 2 - three
    for one, two, three in itertools.product(values, repeat=3):
        some[2] = some[2] * 3 % 1009 + one - two + three
    return some


def listed(values):
    again = list(itertools.combinations_with_replacement(values, 4))
    orders = list(itertools.permutations(values[:6]))
    return again, orders, list(itertools.product(values[:5], values[:7], values[1:8]))


@pytest.mark.parametrize("program", [of_many, listed])
def test_many_choices_of_known_numbers_of_items_are_a_loop(program):
    """Each of them would be recorded apart."""
    compiled = ag.jit(program)
    for values in ([3, 1, 4, 1, 5, 9, 2, 6], [0.5, 2.0, -1.0, 8.0, 0.25, 4.0, 1.0, 16.0]):
        assert compiled(values) == program(values)
        assert compiled(values[::-1]) == program(values[::-1])
