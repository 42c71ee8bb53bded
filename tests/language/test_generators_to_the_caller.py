"""Decorated generator functions, held against what plain Python does with them."""

from __future__ import annotations

import collections.abc
import contextlib
import copy
import functools
import gc
import inspect
import io
import itertools
import pathlib
import sys
import weakref

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from generator_programs import (
    CASES,
    averaging,
    catching,
    collected,
    counted,
    defaults,
    echo,
    failing,
    fibonacci,
    finally_clauses,
    managers,
    nested,
    nested_finally,
    outer,
    over_iterators,
    over_lists,
    own_array,
    primes,
    reading,
    squares,
    swapped,
    walrus,
)

pytestmark = pytest.mark.filterwarnings("error")


def plain(value):
    """A value that can be compared, with its class."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return type(value).__name__, value


def events(make, actions, watched=()):
    """What happens at each action: printed text, what is given or raised, what is in arguments."""
    found = []
    generator = make()
    for action in actions:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            try:
                result = plain(action(generator))
            except StopIteration as end:
                result = "stop", plain(end.value)
            except Exception as error:
                kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
                result = "raised", kind.__name__
        found.append((out.getvalue(), result, plain(copy.deepcopy(list(watched)))))
    return found


def compared(function, args, actions, kwargs=None):
    kwargs = kwargs or {}
    told = []
    for each in (function, ag.jit(function)):
        own = copy.deepcopy(args)
        told.append(events(functools.partial(each, *own, **kwargs), actions, own))
    for plain_event, compiled_event in zip(*told, strict=True):
        assert compiled_event == plain_event


def sending(value):
    return lambda generator: generator.send(value)


def throwing(error):
    return lambda generator: generator.throw(error)


def closing(generator):
    return generator.close()


@pytest.mark.parametrize("function", CASES, ids=lambda each: each.__name__)
def test_items(function):
    kwargs = {"d": 4} if function is defaults else None
    for args in CASES[function]:
        compared(function, args, [next] * 20, kwargs)


def test_infinite():
    compared(fibonacci, (0, 1), [next] * 60)
    compared(primes, (), [next] * 12)


def test_overflow():
    compiled = ag.jit(fibonacci)(0, 1)
    items = list(itertools.islice(compiled, 92))
    assert items == list(itertools.islice(fibonacci(0, 1), 92))
    with pytest.raises(OverflowError):
        next(compiled)
    assert list(compiled) == []


def test_sending():
    compared(averaging, (), [next, *map(sending, (1.0, 2.5, 4)), sending(None), next])
    sent = [next, *map(sending, ("a", 2, 3, 4, 0, "x", 7, 1, 2, 3))]
    compared(echo, (5,), sent)
    compared(echo, (5,), [next, *map(sending, (1, 2, 3, 4, 1, 7, 0, 5, 6))])
    compared(walrus, (), [next, sending(1), sending(2), sending(None), next])
    compared(walrus, (), [sending(3), next, sending(3)])
    compared(counted, (3,), [next, sending("ignored"), next])
    compared(outer, (3,), [next, sending(5), next, next, next])


@pytest.mark.parametrize("position", range(7))
def test_closing(position):
    for function, args in [
        (finally_clauses, (2,)),
        (nested_finally, (3,)),
        (nested_finally, (1,)),
        (catching, (2,)),
        (managers, (2,)),
        (outer, (2,)),
    ]:
        compared(function, args, [*[next] * position, closing, next, closing])


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("error", [ValueError("told"), KeyError("k"), TypeError, StopIteration])
def test_throwing(position, error):
    for function, args in [
        (counted, (5,)),
        (finally_clauses, (3,)),
        (nested_finally, (1,)),
        (catching, (3,)),
        (managers, (3,)),
        (outer, (2,)),
    ]:
        compared(function, args, [*[next] * position, throwing(error), next, next])


def test_what_is_thrown_comes_back_itself():
    error = KeyError("k")
    generator = ag.jit(finally_clauses)(3)
    next(generator)
    with pytest.raises(KeyError) as caught, contextlib.redirect_stdout(io.StringIO()):
        generator.throw(error)
    assert caught.value is error


def test_ignored_exit():
    def stubborn():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    compared(stubborn, (), [next, closing, next])


def test_iterators_as_arguments():
    def of(function):
        return lambda: function(iter([1, 2, 3]))

    def of_compiled(function):
        return lambda: function(function(ag.jit(counted)(3)))

    for make in (of, of_compiled):
        assert events(make(ag.jit(over_iterators)), [next] * 5) == events(
            make(over_iterators), [next] * 5
        )


def test_is_a_generator():
    generator = ag.jit(counted)(2)
    assert isinstance(generator, collections.abc.Generator)
    assert iter(generator) is generator
    assert generator.__name__ == "counted"
    assert repr(generator).startswith("<generator object counted at 0x")
    with pytest.raises(TypeError, match="missing a required argument"):
        ag.jit(counted)()
    with pytest.raises(TypeError, match="can't send non-None value to a just-started generator"):
        generator.send(1)


def test_changes_between_two_items():
    for each in (reading, ag.jit(reading)):
        a = np.zeros(3)
        generator = each(a)
        found = []
        for x in generator:
            a[0] += 10
            found.append(x)
        assert found == [0, 11, 22]
    for each in (over_lists, ag.jit(over_lists)):
        items = [1, 2]
        generator = each(items)
        found = [next(generator)]
        items.append(5)
        assert [*found, *generator] == [2, 4, 10]


def test_one_array():
    u = np.arange(5.0)
    generator = ag.jit(swapped)(u, 4)
    first, second, third = itertools.islice(generator, 3)
    assert second is u
    assert first is third
    generator = ag.jit(own_array)(3)
    assert next(generator) is next(generator)


def test_one_list():
    generator = ag.jit(collected)(3)
    first = next(generator)
    assert next(generator) is first
    assert first == [0, 1]


def test_methods():
    class Counter:
        def __init__(self):
            self.total = 0

        @ag.jit
        def up_to(self, n):
            for i in range(n):
                self.total += i
                yield self.total

        def __iter__(self):
            yield self.total
            yield from self.up_to(3)

    counter = Counter()
    assert list(counter.up_to(4)) == [0, 1, 3, 6]
    assert counter.total == 6

    @ag.jit
    def through(thing):
        for x in thing:
            yield x + 0

    assert list(through(counter)) == [6, 6, 7, 9]


def test_an_object_may_go():
    class Counter:
        @ag.jit
        def up_to(self, n):
            for i in range(n):
                self.last = i
                yield i

    counter = Counter()
    assert list(counter.up_to(3)) == [0, 1, 2]
    assert counter.last == 2
    gone = weakref.ref(counter)
    del counter
    gc.collect()
    assert gone() is None


def test_closures():
    k = 3

    @ag.jit
    def scaled(n):
        nonlocal k
        for i in range(n):
            k += 1
            yield i * k

    assert list(scaled(3)) == [0, 5, 12]
    assert k == 6


def aliases(u, n):
    v = u
    w = np.zeros(2)
    x = w
    for i in range(n):
        v[0] += 1
        x[1] += i
        yield u[0], w[1]
        u[0] += 10
    yield u
    yield x


def one_list_twice(n):
    first = [n]
    second = first
    while len(second) < 4:
        first.append(len(second))
        yield second[-1]


def sets_and_dicts(items):
    seen, found = set(), {}
    for i, x in enumerate(items):
        if x not in seen:
            seen.add(x)
            found[x] = i
            yield x, len(seen), found[x]
    yield sorted(seen)
    yield found


def yielded_sets(n):
    seen = set()
    for i in range(n):
        seen.add(i % 2)
        yield len(seen)
    yield seen


def lists_of_lists(n):
    rows = [[0], [1]]
    for i in range(n):
        rows[i % 2].append(i)
        yield rows[1][-1]
        yield rows


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (aliases, (np.zeros(2), 3)),
        (one_list_twice, (1,)),
        (sets_and_dicts, ([3, 1, 3, 2],)),
        (sets_and_dicts, ([0.5, 1.5, 0.5],)),
        (yielded_sets, (3,)),
        (lists_of_lists, (3,)),
    ],
)
def test_state(function, args):
    compared(function, args, [next] * 12)


def test_one_array_under_two_names():
    u = np.zeros(2)
    *_, found, _ = ag.jit(aliases)(u, 2)
    assert found is u


def test_what_attributes_and_names_hold():
    class Holder:
        def __init__(self):
            self.items = [1, 2]
            self.array = np.zeros(2)
            self.entries = {"a": 1, "b": 2}

        @ag.jit
        def each(self):
            for x in self.items:
                yield x
            for x in self.array:
                yield x
            for key, value in self.entries.items():
                yield key + "!", value

    holder = Holder()
    generator = holder.each()
    assert next(generator) == 1
    holder.items.append(7)
    assert [next(generator), next(generator), next(generator)] == [2, 7, 0]
    holder.array[1] = 5
    assert next(generator) == 5
    assert next(generator) == ("a!", 1)
    holder.entries["b"] = 9
    assert list(generator) == [("b!", 9)]


def test_errors_name_the_line():
    generator = ag.jit(failing)(np.arange(1))
    assert next(generator) == 0
    with pytest.raises(IndexError, match=r"generator_programs.py:\d+.*yield a\[i\]"):
        next(generator)
    assert list(generator) == []


class Pair:
    def __init__(self, array):
        self.array = array


def view_that_lives(m):
    for row in m:
        yield row[0]
        row[0] = 1


def shared_by_an_object(u):
    pair = Pair(u)
    yield pair.array[0]
    u[0] += 1
    yield pair.array[0]


def arrays_in_a_list(u):
    rows = []
    for _ in range(3):
        rows.append(u)
        yield len(rows)


def iterator_that_lives(n):
    squares = (i * i for i in range(n))
    yield 0
    yield from squares


def random_numbers(seed):
    numbers = np.random.default_rng(seed)
    while True:
        yield numbers.random()


LISTED = [1]


def list_of_outside():
    items = LISTED
    yield items[0]
    yield items[0]


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (view_that_lives, (np.zeros((2, 2)),), "view of an array"),
        (shared_by_an_object, (np.zeros(2),), "under another name, too"),
        (arrays_in_a_list, (np.zeros(2),), "a list or dict with arrays in it"),
        (iterator_that_lives, (3,), "write the call that makes it into the loop"),
        (random_numbers, (1,), "make it outside, and give it"),
        (list_of_outside, (), "give it to the generator as an argument"),
    ],
)
def test_refused(function, args, message):
    with pytest.raises(ag.errors.StagingError, match=message) as caught:
        list(ag.jit(function)(*args))
    assert "test_generators_to_the_caller.py" in str(caught.value)


def yields_at_the_end(n):
    try:
        yield n
    finally:
        yield n


def uses_what_it_has_caught(n):
    try:
        yield n
    except ValueError as error:
        yield 0
        print(error)


@pytest.mark.parametrize("function", [yields_at_the_end, uses_what_it_has_caught])
def test_not_recorded(function):
    with pytest.raises(ag.errors.UnsupportedError, match=r"line \d+: .* is not recorded"):
        ag.jit(function)(3)
    with pytest.warns(ag.errors.FallbackWarning, match="is not recorded"):
        generator = ag.jit(function, fallback=True)(3)
    assert next(generator) == 3
    assert list(generator) in ([], [3])


def test_fallback_between_two_items():
    def powers(x):
        while True:
            yield x
            x = x * x

    generator = ag.jit(powers, fallback=True)(10**6)
    assert [next(generator), next(generator)] == [10**6, 10**12]
    with pytest.warns(ag.errors.FallbackWarning, match="64 bits"):
        assert [next(generator), next(generator)] == [10**24, 10**48]


def test_eagerly():
    ag.config.run_functions_eagerly(True)
    try:
        assert inspect.isgenerator(ag.jit(counted)(3))
    finally:
        ag.config.run_functions_eagerly(False)


def test_interpreted():
    assert list(ag.jit(nested, jit_compile=False)(3, 2)) == list(nested(3, 2))


def test_partial_applications_and_methods():
    class Plain:
        def up_to(self, n):
            yield from range(n)

        @classmethod
        @ag.jit
        def named(cls, n):
            yield cls.__name__, n

        @ag.jit
        @staticmethod
        def static(n):
            yield n

    assert list(ag.jit(functools.partial(nested, m=2))(2)) == list(nested(2, 2))
    assert list(ag.jit(Plain().up_to)(3)) == [0, 1, 2]
    assert [*Plain.named(1), *Plain().static(2)] == [("Plain", 1), 2]
    assert list(ag.jit(lambda n: (yield n))(4)) == [4]


def test_random_numbers_of_an_argument():
    def drawn(numbers):
        while True:
            yield numbers.random()

    compared_draws = [
        list(itertools.islice(each(np.random.default_rng(1)), 3)) for each in (drawn, ag.jit(drawn))
    ]
    assert compared_draws[0] == compared_draws[1]


def test_a_traced_function_does_not_go_on_with_it():
    generator = ag.jit(counted)(3)
    with pytest.raises(ag.errors.StagingError, match="a generator made outside"):
        ag.jit(lambda n: n + next(generator))(1)
    with pytest.raises(ag.errors.StagingError, match="a generator made outside"):
        ag.jit(sum)(generator)
    assert list(generator) == [0, 2, 4]


def test_it_does_not_go_on_with_itself():
    def around(n):
        yield n
        yield from box

    box = ag.jit(around)(1)
    assert next(box) == 1
    with pytest.raises(ValueError, match="already executing"):
        next(box)


def test_static_parameters():
    @ag.jit(static=("axis",))
    def sums(x, axis):
        while True:
            yield x.sum(axis=axis).tolist()
            x = x + 1

    assert list(itertools.islice(sums(np.ones((2, 3)), 1), 2)) == [[3, 3], [6, 6]]


# Functions that return generators.


def returned_expression(a, k):
    k = k + 1
    return (x * k for x in a if x > 1)


def returned_products(a, b):
    return (x * y for x, y in zip(a, b, strict=True))


def returned_pairs(n):
    return ((i, j) for i in range(n) for j in range(i))


def returned_call(n):
    if n > 3:
        return counted(n)
    return [n]


def returned_inner(n, k):
    def inner(m):
        for i in range(m):
            yield i * k

    k += 1
    return inner(n)


def returned_map(a):
    a[0] += 1
    return map(abs, a)


def returned_numbers(a, n):
    return enumerate(a, n)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (returned_expression, ([1, 2, 3], 2)),
        (returned_expression, (np.arange(4.0), 2)),
        (returned_products, ([1, 2, 3], np.arange(3.0))),
        (returned_pairs, (4,)),
        (returned_call, (5,)),
        (returned_call, (2,)),
        (returned_inner, (3, 4)),
        (returned_map, ([-1, -2],)),
        (returned_numbers, ([5, 6], 2)),
    ],
)
def test_returned(function, args):
    own = copy.deepcopy(args)
    compiled = ag.jit(function)
    for _ in range(2):
        wanted = plain(list(function(*copy.deepcopy(own))))
        assert plain(list(compiled(*copy.deepcopy(own)))) == wanted


def test_returned_generators_are_lazy():
    a = np.arange(3.0)
    generator = ag.jit(returned_expression)(a, 1)
    assert next(generator) == 4
    a[2] = 5
    assert isinstance(generator, collections.abc.Generator)
    assert generator.__name__ == "<genexpr>"
    a = np.arange(3.0)
    generator = ag.jit(returned_expression)(a, 1)
    a[1] = 7
    assert list(generator) == [14, 4]


def test_methods_return_generators():
    class Scale:
        k = 3

        @ag.jit
        def scaled(self, n):
            return (i * self.k for i in range(n))

    assert list(Scale().scaled(3)) == [0, 3, 6]


def test_few_traces():
    compiled = ag.jit(squares)
    with contextlib.redirect_stdout(io.StringIO()):
        for n in (3, 5, 9):
            assert list(compiled(n)) == [i * i for i in range(n)]
    assert compiled.experimental_get_tracing_count() == 2
    compiled = ag.jit(primes)
    list(itertools.islice(compiled(), 30))
    assert compiled.experimental_get_tracing_count() <= 3


def test_inside_of_other_functions():
    compiled = ag.jit(counted)
    assert ag.jit(lambda n: sum(compiled(n)))(4) == 12


def test_it_is_called_what_python_calls_it():
    def numbers(n):
        yield from range(n)

    found, wanted = ag.jit(numbers)(3), numbers(3)
    assert type(found).__name__ == type(wanted).__name__
    assert repr(found).split(" at ")[0] == repr(wanted).split(" at ")[0]


def over_flat(x):
    for k, value in enumerate(x.flat):
        x[0] = 7
        yield k, value


def over_indices(x, n):
    for index in np.ndindex(x.shape):
        yield index, x[index]
    for index in np.ndindex(n, 2):
        yield index
    yield from zip(np.ndindex(2, n), x.flat, strict=False)


def over_elements(x):
    for index, value in np.ndenumerate(x):
        yield index, value * 2
    yield (0,) * x.ndim, x.sum()


@pytest.mark.parametrize("make", [over_flat, over_indices, over_elements])
def test_places_in_arrays(make):
    made = ag.jit(make)
    shapes = [(2, 3), (5,), (2, 1, 3), (0, 2)]
    for array in (
        *(np.arange(np.prod(s), dtype="f4").reshape(s) for s in shapes),
        np.eye(3).T[::2],
    ):
        for n in (2, 3):
            given = (n,) if make is over_indices else ()
            if make is over_flat and not len(array):
                continue
            found, expected = (list(f(array.copy(), *given)) for f in (made, make))
            assert plain(found) == plain(expected)
