"""``fallback=True``: what cannot be recorded, or needs more than 64 bits, is run by plain Python."""

from __future__ import annotations

import decimal
import gc
import inspect
import io
import logging
import math
import os
import random
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import agir as ag
from agir.errors import (
    AgirError,
    FallbackWarning,
    OperandTypeError,
    RuntimeIndexError,
    RuntimeOverflowError,
    SideEffectWarning,
    StagingError,
)
from agir.runtime import unranked

from .machine import early, needs_machine, taken

__all__ = ["early"]

BIG = 10**12
HERE = __file__


@pytest.fixture(autouse=True)
def as_it_comes():
    ag.config.reset()
    yield
    ag.config.reset()


def told(function, *args, **kwargs):
    """(what a call gives, the fallback warnings that it gives)."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        result = function(*args, **kwargs)
    assert all(issubclass(each.category, FallbackWarning) for each in given)
    return result, given


def only_told(function, *args, **kwargs):
    """The same where there is one warning: (result, its text, its line)."""
    result, (warning,) = told(function, *args, **kwargs)
    assert warning.filename == HERE
    return result, str(warning.message), warning.lineno


def line_of(function, text):
    """The number of the line of a function that has a text."""
    lines, first = inspect.getsourcelines(function.python_function)
    return first + next(n for n, each in enumerate(lines) if text in each)


def silently(function, *args, **kwargs):
    """What a call gives that does not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return function(*args, **kwargs)


def counting(monkeypatch):
    """A list that gets an item for each trace that is begun from now on."""
    counted: list[object] = []
    trace = unranked.concrete

    def begin(*args, **kwargs):
        counted.append(args)
        return trace(*args, **kwargs)

    monkeypatch.setattr(unranked, "concrete", begin)
    return counted


@ag.jit(fallback=True)
def square(x):
    return x * x


@ag.jit(fallback=True)
def table(n):
    return {n: "it", n + 1: "next"}


# Overflow.


def test_an_int_of_more_than_64_bits_is_pythons_and_told_of_once():
    f = ag.jit(lambda x: x * x, fallback=True)
    result, text, line = only_told(f, BIG)
    assert result == BIG**2
    assert type(result) is int
    assert line == line_of(f, "x * x")
    assert "needs more than the 64 bits" in text
    assert silently(f, 10 * BIG) == 100 * BIG**2


def test_what_fits_is_still_compiled_after_an_overflow():
    f = ag.jit(lambda x: x * x, fallback=True)
    told(f, BIG)
    assert f(3) == 9
    assert f.experimental_get_tracing_count() == 1


def test_an_argument_beyond_64_bits():
    f = ag.jit(lambda x: x + 1, fallback=True)
    result, text, _ = only_told(f, 10**20)
    assert result == 10**20 + 1
    assert "out of bounds for int64" in text
    assert silently(f, 1) == 2


def test_an_int_in_a_list_beyond_64_bits():
    f = ag.jit(lambda x: sum(x), fallback=True)
    assert only_told(f, [2**65, 1])[0] == 2**65 + 1


def test_a_constant_beyond_64_bits():
    f = ag.jit(lambda x: x + 2**70, fallback=True)
    assert only_told(f, 3)[0] == 2**70 + 3
    assert silently(f, 4) == 2**70 + 4


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (lambda x: x**100, 30),
        (lambda x: x << 70, 3),
        (lambda x: -x, -(2**63)),
        (lambda x: abs(x), -(2**63)),
        (lambda x: int(x), 1e30),
        (lambda x: sum([x, x, x]), 2**62),
    ],
)
def test_ways_to_need_more_bits(function, argument):
    result = only_told(ag.jit(function, fallback=True), argument)[0]
    assert result == function(argument)
    assert type(result) is int


def test_a_recursive_function_is_exact_all_the_way():
    @ag.jit(fallback=True)
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    assert only_told(factorial, 60)[0] == factorial(60) == 60 * silently(factorial, 59)
    assert factorial(10) == 3628800


def test_functions_that_call_each_other_are_exact():
    @ag.jit(fallback=True)
    def even(n):
        return 1 if n == 0 else 3 * odd(n - 1)

    @ag.jit(fallback=True)
    def odd(n):
        return 1 if n == 0 else 5 * even(n - 1)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert even(60) == 3**30 * 5**30


def test_functions_that_plain_python_calls_are_compiled():
    @ag.jit
    def part(n):
        return n + 1

    @ag.jit(fallback=True)
    def whole(n):
        return part(n) * 10**18 * os.getpid()

    assert only_told(whole, 7)[0] == 8 * 10**18 * os.getpid()
    assert part.experimental_get_tracing_count() == 1


def test_recursion_that_plain_python_runs_is_a_few_frames_for_each_call():
    @ag.jit(fallback=True)
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        assert only_told(factorial, 220)[0] == math.factorial(220)
    finally:
        sys.setrecursionlimit(limit)


# What cannot be recorded.


def test_what_cannot_be_recorded_is_run_by_python_and_traced_once():
    @ag.jit(fallback=True)
    def f(x, n):
        return n - 1, float(decimal.Decimal(x))

    result, text, line = only_told(f, 2.5, 3)
    assert result == (2, 2.5)
    assert line == line_of(f, "Decimal")
    assert text.startswith("f is run by plain Python for (x: float64[], n: ")
    for n in range(5):
        assert silently(f, 1.5, 3 + n) == (2 + n, 1.5)


def test_a_type_of_calls_is_not_traced_again_until_the_cache_is_cleared(monkeypatch):
    counted = counting(monkeypatch)

    @ag.jit(fallback=True)
    def f(n, *, more=0):
        found = {1: "one"}
        return [iter([n + more + len(found)])]

    for _ in range(3):
        assert list(told(f, 1)[0][0]) == [2]
        assert list(told(f, n=1, more=2)[0][0]) == [4]
    assert len(counted) == 1
    assert list(told(f, 2.5)[0][0]) == [3.5]
    assert len(counted) == 2
    f.clear_cache()
    assert list(only_told(f, 1)[0][0]) == [2]
    assert len(counted) == 3


def test_types_that_differ_in_python_values_are_not_tried_for_ever(monkeypatch):
    counted = counting(monkeypatch)
    f = ag.jit(lambda text, x: [text, x, os.getpid()], fallback=True)
    for n in range(20):
        assert told(f, f"text {n}", 1)[0][:2] == [f"text {n}", 1]
    assert len(counted) == 8
    told(f, "text", 1.5)
    assert len(counted) == 9


def test_types_are_tried_again_after_one_was_recorded(monkeypatch):
    counted = counting(monkeypatch)
    f = ag.jit(lambda text, x: x if text == "good" else os.getpid(), fallback=True)
    for n in range(7):
        told(f, f"text {n}", 1)
    assert silently(f, "good", 1) == 1
    for n in range(7, 14):
        told(f, f"text {n}", 1)
    assert len(counted) == 15


def test_no_argument_is_kept_alive():
    class Thing:
        pass

    f = ag.jit(lambda thing: [thing, os.getpid()], fallback=True)
    thing = Thing()
    gone = weakref.ref(thing)
    told(f, thing)
    told(f, iter([thing]))
    del thing
    gc.collect()
    assert gone() is None


def test_a_generator_function_and_a_coroutine():
    @ag.jit(fallback=True)
    def count(n):
        try:
            yield from range(n - 1)
        finally:
            yield n - 1  # which is not recorded

    @ag.jit(fallback=True)
    async def later(n):
        return n

    assert inspect.isgenerator(only_told(count, 3)[0])
    assert list(count(3)) == [0, 1, 2]
    made = only_told(later, 3)[0]
    with pytest.raises(StopIteration, match="3"):
        made.send(None)


def test_arguments_that_agir_does_not_take():
    f = ag.jit(lambda x: x[0], fallback=True)
    assert only_told(f, np.array(["text", None], dtype=object))[0] == "text"
    endless = []
    endless.append(endless)
    assert told(f, endless)[0] is endless


def test_a_key_of_the_run_time():
    @ag.jit(fallback=True)
    def f(x):
        found = {}
        found[str(x).encode()] = 1
        found[x] = 2
        return found

    assert only_told(f, 3)[0] == {b"3": 1, 3: 2}
    assert silently(f, 1) == {b"1": 1, 1: 2}


def test_a_mistake_of_agirs_own(monkeypatch):
    from agir.ir.emission import emit

    f = ag.jit(lambda x: x + 1.0, fallback=True)
    with monkeypatch.context() as patched:
        patched.setattr(emit, "elementwise", emit.constant_like)
        result, text, _ = only_told(f, 2.0)
    assert result == 3.0
    assert "agir has made a mistake" in text
    assert silently(f, 2.0) == 3.0


def test_what_does_not_compile(monkeypatch):
    from agir.backends.cpu import machine_code
    from agir.errors import LoweringError

    def fail(*_):
        raise LoweringError("no such instruction")

    @ag.jit(fallback=True)
    def f(x):
        return np.arctan2(x, 3.25) * 17.125

    monkeypatch.setattr(machine_code, "object_code", fail)
    with ag.config.scope(cache=False):
        result, text, _ = only_told(f, 2.0)
    assert result == f.python_function(2.0)
    assert "no such instruction" in text


def test_arguments_that_share_memory_in_an_unusual_way():
    @ag.jit(fallback=True)
    def add(x, y):
        x += y

    a = np.ones(2)
    expected = np.ones(2)
    expected += expected.view(np.int64)
    only_told(add, a, a.view(np.int64))
    assert (a == expected).all()


# Errors of the program.


@pytest.mark.parametrize("fallback", [False, True])
def test_errors_of_the_program_are_raised(fallback):
    @ag.jit(fallback=fallback)
    def f(x, n):
        if n == 0:
            raise ValueError("mine")
        if n == 1:
            raise KeyError("k")
        assert n != 2, "no"
        return x[n] // (n - 4)

    x = np.arange(10)
    for n, kind in enumerate([ValueError, KeyError, AssertionError, int, ZeroDivisionError]):
        if kind is not int and kind is not ZeroDivisionError:
            with pytest.raises(kind):
                silently(f, x, n)
    with pytest.raises(RuntimeIndexError):
        silently(f, x, 10)
    assert f(x, 3) == -3


def test_an_error_that_tracing_and_python_raise_is_pythons():
    ran = []

    @ag.jit(fallback=True)
    def f(mode):
        ran.append(mode)
        if mode == "bad":
            raise ValueError("bad mode")
        return "-" * len(mode) + str(undefined)  # noqa: F821

    for _ in range(2):
        with pytest.raises(ValueError, match=r"^bad mode$") as found:
            silently(f, "bad")
        assert found.value.__context__ is None
    with pytest.raises(NameError):
        silently(f, "good")
    assert len(ran) == 3


def test_an_overflow_of_floats_stays():
    f = ag.jit(lambda x: math_exp(x), fallback=True)
    with pytest.raises(OverflowError, match="math range error"):
        silently(f, 1000.0)


def math_exp(x):
    import math

    return math.exp(x)


def test_arguments_that_do_not_fit_are_the_callers_mistake():
    spec = [ag.TensorSpec([3], ag.float64)]
    f = ag.jit(lambda x: x.sum(), input_signature=spec, fallback=True)
    assert f(np.ones(3)) == 3
    for wrong in ((np.ones(4),), (), (np.ones(3), 1)):
        with pytest.raises(TypeError):
            silently(f, *wrong)
    with pytest.raises(TypeError, match="missing a required argument"):
        silently(square)
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        silently(square, 1, y=2)


def test_arrays_that_are_read_only_stay_so():
    @ag.jit(fallback=True)
    def f(x):
        x[0] = 1.0

    x = np.zeros(2)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        silently(f, x)


# What has happened before is not done twice.


def unrecordable(x):
    return "-" * len(memoryview(bytes(int(x)))), {x: x}


class Box:
    def __init__(self):
        self.n = 0


BOX = Box()
SEEN: list[int] = []
TABLE: dict[str, int] = {"n": 0}
count = 0


def test_assignments_of_a_trace_that_fails_are_rolled_back():
    enclosed = 0

    @ag.jit(fallback=True)
    def f(x, items):
        global count
        nonlocal enclosed
        SEEN.append(1)
        BOX.n += 1
        BOX.new = 1
        TABLE["n"] += 1
        count += 1
        enclosed += 1
        items.append(x)
        items.sort()
        return unrecordable(x)

    items = [5]
    result, _, _ = only_told(f, 3, items)
    assert result == ("---", {3: 3})
    assert (SEEN, BOX.n, BOX.new, TABLE, count, enclosed) == ([1], 1, 1, {"n": 1}, 1, 1)
    assert items == [3, 5]


def test_a_strict_function_that_cannot_be_recorded_leaves_nothing():
    seen: list[int] = []
    box = Box()

    @ag.jit
    def f(x):
        seen.append(1)
        box.n += 1
        return {x: x}[0.5]

    with pytest.raises(StagingError):
        f(np.ones(2))
    assert (seen, box.n) == ([], 0)


def test_lists_and_dicts_of_arguments_change_as_in_python():
    @ag.jit(fallback=True)
    def f(items, names):
        items[0], items[-1] = items[-1], items[0]
        names["new"] = len(items)
        return items

    items, names = [1, 2, 3], {"old": 1}
    assert silently(f, items, names) is items
    assert (items, names) == ([3, 2, 1], {"old": 1, "new": 3})


def test_what_strict_functions_warn_of_is_run_by_python():
    seen: list[int] = []
    see = seen.append  # of a list that the function does not see

    def f(n):
        for _ in range(n):
            see(n)
        return n

    with pytest.warns(SideEffectWarning):
        ag.jit(f)(3)
    seen.clear()
    fallen = ag.jit(f, fallback=True)
    only_told(fallen, 3)
    silently(fallen, 2)
    assert seen == [3, 3, 3, 2, 2]


def test_what_would_change_at_the_first_call_alone_is_run_by_python():
    seen: list[object] = []

    @ag.jit(fallback=True)
    def f(x):
        seen.append(type(x))
        return x + 1

    only_told(f, 1)
    silently(f, 2)
    assert seen == [int, int]


def test_what_each_call_changes_is_compiled():
    seen: list[str] = []

    @ag.jit(fallback=True)
    def f(x):
        seen.append("call")
        return x + 1

    silently(f, 1)
    silently(f, 2)
    assert seen == ["call", "call"]


def test_methods_assign_once_at_each_call():
    class Counter:
        def __init__(self):
            self.n = 0
            self.items: list[int] = []

        @ag.jit(fallback=True)
        def add(self, x):
            self.n += 1
            return x * x

        @ag.jit(fallback=True)
        def keep(self, x):
            self.items.append(x)
            return len(self.items)

    one, other = Counter(), Counter()
    assert only_told(one.add, BIG)[0] == BIG**2
    assert silently(one.add, 3) == 9
    assert silently(other.keep, 4) == 1
    assert silently(other.keep, 5) == 2
    assert (one.n, one.items, other.n, other.items) == (2, [], 0, [4, 5])
    assert one.add(x=BIG) == BIG**2
    assert one.n == 3


def test_iterators_of_outside_are_used_once():
    @ag.jit(fallback=True)
    def total(values):
        found = 0
        for each in values:
            found += each
        return found

    @ag.jit(fallback=True)
    def first():
        return next(shared), list(shared)

    assert only_told(total, iter([1, 2, 3]))[0] == 6
    assert told(total, (n for n in range(5)))[0] == 10
    one = iter([1, 2])
    assert (told(total, one)[0], told(total, one)[0]) == (3, 0)
    shared = iter("abc")
    assert only_told(first)[0] == ("a", ["b", "c"])
    assert total([1, 2]) == 3


def test_what_is_done_to_the_world_is_done_once(tmp_path, capsys, caplog):
    buffer, path = io.StringIO(), tmp_path / "out.txt"

    @ag.jit(fallback=True)
    def into_memory(x):
        buffer.write("x")
        return unrecordable(x)

    @ag.jit(fallback=True)
    def into_a_file(x):
        with open(path, "a") as file:
            file.write("x")
        return unrecordable(x)

    @ag.jit(fallback=True)
    def log(x):
        logging.getLogger("of.tests").warning("logged")
        return unrecordable(x)

    @ag.jit(fallback=True)
    def write(x):
        sys.stdout.write("written")
        return unrecordable(x)

    @ag.jit(fallback=True)
    def show(x):
        print("shown", x)
        return unrecordable(x)

    for each in (into_memory, into_a_file, log, write, show):
        assert told(each, 2)[0] == ("--", {2: 2})
    assert (buffer.getvalue(), path.read_text()) == ("x", "x")
    assert caplog.messages == ["logged"]
    assert capsys.readouterr().out == "writtenshown 2\n"


def test_random_numbers_are_drawn_once():
    @ag.jit(fallback=True)
    def f(x):
        return np.random.rand(), random.random(), unrecordable(x)

    np.random.seed(3)
    random.seed(3)
    expected = f.python_function(2), np.random.rand(), random.random()
    np.random.seed(3)
    random.seed(3)
    assert (told(f, 2)[0], np.random.rand(), random.random()) == expected


def test_a_call_that_has_printed_is_not_run_again(capsys):
    @ag.jit(fallback=True)
    def f(x, loudly):
        if loudly:
            print("here")
        return x * x

    with pytest.raises(RuntimeOverflowError) as found:
        silently(f, BIG, True)
    assert capsys.readouterr().out == "here\n"
    if sys.version_info >= (3, 11):
        assert found.value.__notes__ == [
            "plain Python has not run the call again, which has printed, drawn or called already"
        ]
    assert only_told(f, BIG, False)[0] == BIG**2
    assert f(3, True) == 9


def test_another_functions_prints_are_not_this_ones(capsys):
    @ag.jit(fallback=True)
    def shows(x):
        print(x)
        return x

    shows(1)
    f = ag.jit(lambda x: x * x, fallback=True)
    assert only_told(f, BIG)[0] == BIG**2


def test_a_call_that_has_called_the_host_is_not_run_again():
    called = []

    def host(x):
        called.append(int(x))
        return x

    @ag.jit(fallback=True)
    def f(x):
        y = ag.numpy_function(host, [x], ag.int64)
        return x * x + 0 * y

    with pytest.raises(RuntimeOverflowError):
        silently(f, BIG)
    assert called == [BIG]


def test_a_call_that_has_drawn_is_not_run_again():
    @ag.jit(fallback=True)
    def f(x):
        return x * x if np.random.rand() < 2 else 0

    with pytest.raises(RuntimeOverflowError):
        silently(f, BIG)


def test_arrays_are_untouched_when_python_runs_the_call():
    @ag.jit(fallback=True)
    def f(x, n):
        x += 1.0
        return n * n

    x = np.zeros(4)
    assert only_told(f, x, BIG)[0] == BIG**2
    assert (x == 1.0).all()


def test_nothing_is_done_twice_in_the_reference_interpreter(capsys):
    @ag.jit(fallback=True, jit_compile=False)
    def f(x, loudly):
        if loudly:
            print("here")
        return x * x

    quiet = ag.jit(lambda x: x * x, fallback=True, jit_compile=False)
    assert only_told(quiet, BIG)[0] == BIG**2
    with pytest.raises(RuntimeOverflowError):
        silently(f, BIG, True)
    assert capsys.readouterr().out == "here\n"


# Machine code, threads, tapes, other functions.


@needs_machine
@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("keywords", [False, True])
def test_machine_code_that_fails_has_python_make_the_call(keywords):
    @ag.jit(fallback=True)
    def f(x, n):
        x += 1.0
        return n * n

    def given(n):
        return ((x,), {"n": n}) if keywords else ((x, n), {})

    def call(how, n):
        args, kwargs = given(n)
        return how(f, *args, **kwargs)

    x = np.zeros(3)
    for _ in range(5):
        call(silently, 3)
    assert call(taken, 4)
    before = x.copy()
    assert call(only_told, BIG)[0] == BIG**2
    assert (x == before + 1).all()
    for _ in range(100):
        assert call(silently, BIG) == BIG**2
    assert call(silently, 5) == 25


@needs_machine
@pytest.mark.usefixtures("early")
def test_machine_code_of_a_strict_function_raises():
    f = ag.jit(lambda n: n * n)
    for _ in range(5):
        f(3)
    assert taken(f, 4)
    with pytest.raises(RuntimeOverflowError):
        f(BIG)
    with ag.config.scope(fallback=True):
        assert only_told(f, BIG)[0] == BIG**2
    with pytest.raises(RuntimeOverflowError):
        f(BIG)


@needs_machine
@pytest.mark.usefixtures("early")
def test_machine_code_makes_calls_again_after_python_has_run_one():
    f = ag.jit(lambda n: n * n, fallback=True)
    for _ in range(5):
        f(3)
    told(f, BIG)
    assert taken(f, 4)


@needs_machine
@pytest.mark.usefixtures("early")
def test_machine_code_of_methods():
    class Squares:
        def __init__(self):
            self.calls = 0

        @ag.jit(fallback=True)
        def square(self, n):
            self.calls += 1
            return n * n

    one = Squares()
    for _ in range(70):
        one.square(3)
    assert only_told(one.square, BIG)[0] == BIG**2
    assert one.calls == 71


def test_a_concrete_function_is_the_trace_and_raises():
    f = ag.jit(lambda n: n * n, fallback=True)
    concrete = f.get_concrete_function(3)
    with pytest.raises(RuntimeOverflowError):
        silently(concrete, BIG)
    with pytest.raises(TypeError, match="iterator"):
        ag.jit(lambda n: [iter([n])], fallback=True).get_concrete_function(3)


def test_threads_are_told_once_and_all_get_the_result():
    @ag.jit(fallback=True)
    def f(x, n):
        return dict.fromkeys(range(n), x * x)

    results: list[object] = []

    def work():
        for _ in range(20):
            results.append(f(BIG, 3))

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        threads = [threading.Thread(target=work) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert results == [dict.fromkeys(range(3), BIG**2)] * 80
    assert len(given) == 1


def test_the_outer_function_decides():
    inner = ag.jit(lambda x: x * x, fallback=True)
    strict = ag.jit(lambda x: inner(x) + 1)
    with pytest.raises(RuntimeOverflowError):
        silently(strict, BIG)
    outer = ag.jit(lambda x: strict(x) + 1, fallback=True)
    with pytest.raises(RuntimeOverflowError):  # of the strict one, which plain Python calls
        told(outer, BIG)


def test_a_strict_function_that_python_calls_stays_strict():
    strict = ag.jit(lambda x: x * x)
    outer = ag.jit(lambda n: {n: strict(n)}, fallback=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        with pytest.raises(RuntimeOverflowError):
            outer(BIG)


def test_static_and_class_methods_and_static_arguments():
    class Holder:
        @staticmethod
        @ag.jit(fallback=True)
        def one(x):
            return x * x

        @ag.jit(fallback=True)
        @classmethod
        def other(cls, x):
            return x * x

        @ag.jit(fallback=True, static=("k",))
        def third(self, x, k):
            return decimal.Decimal(x * len(k))

    assert only_told(Holder.one, BIG)[0] == BIG**2
    assert only_told(Holder.other, BIG)[0] == BIG**2
    assert only_told(Holder().third, 2.5, k="ab")[0] == decimal.Decimal(5)


def test_while_a_tape_is_on():
    f = ag.jit(lambda x: decimal.Decimal(x), fallback=True)
    with ag.GradientTape():
        assert only_told(f, 3.5)[0] == decimal.Decimal("3.5")
        assert silently(f, 4.5) == decimal.Decimal("4.5")


# The option.


def test_the_default_is_strict():
    assert ag.config.fallback is False
    with pytest.raises(RuntimeOverflowError):
        silently(ag.jit(lambda x: x * x), BIG)
    with pytest.raises(AgirError):
        silently(ag.jit(lambda x: float(decimal.Decimal(x))), 1.0)


def test_the_option_of_all_functions_and_the_decorators_own():
    open_, strict = ag.jit(lambda x: x * x), ag.jit(lambda x: x * x, fallback=False)
    ag.config.fallback = True
    assert only_told(open_, BIG)[0] == BIG**2
    with pytest.raises(RuntimeOverflowError):
        silently(strict, BIG)
    ag.config.fallback = False
    with pytest.raises(RuntimeOverflowError):
        silently(open_, BIG)


def test_a_known_type_of_calls_is_refused_again_when_the_option_is_off():
    f = ag.jit(lambda x: float(decimal.Decimal(x)))
    with ag.config.scope(fallback=True):
        told(f, 1.0)
        assert silently(f, 1.0) == 1.0
    with pytest.raises(AgirError):
        silently(f, 1.0)


def test_ag_function_does_not_take_it():
    with pytest.raises(TypeError, match="fallback"):
        ag.function(fallback=True)
    f = ag.function(lambda x: [x][x])
    with ag.config.scope(fallback=True), pytest.raises(TypeError):
        silently(f, ag.constant(0.5))


@pytest.mark.parametrize("wrong", ["yes", 1, object()])
def test_a_wrong_option_is_refused(wrong):
    with pytest.raises(OperandTypeError, match="fallback is True, False or None, not"):
        ag.jit(fallback=wrong)


def test_a_warning_that_is_an_error_comes_before_python_runs():
    ran = []
    run = ran.append  # of a list that the function does not see

    @ag.jit(fallback=True)
    def f(x):
        run(x)
        return x

    for _ in range(2):
        with pytest.raises(FallbackWarning):
            silently(f, 3)
    assert ran == []


# Explanations and the log.


def test_explain_says_which_calls_python_has_run():
    f = ag.jit(lambda x: x * x, fallback=True)
    told(f, BIG)
    told(f, BIG)
    explanation = f.explain(3)
    (found,) = explanation.fallbacks
    assert (found.file, found.line, found.calls) == (HERE, line_of(f, "x * x"), 2)
    assert found.error == "RuntimeOverflowError"
    text = str(explanation)
    assert "checks at run time" in text
    assert "calls that plain Python has run" in text
    assert explanation.as_json()["fallbacks"][0]["arguments"] == "(x: int64[])"


def test_explain_of_what_was_never_recorded_says_just_that():
    @ag.jit(fallback=True)
    def f(n):
        return [iter([n])]

    told(f, 3)
    for explanation in (f.explain(), f.explain(3)):
        text = str(explanation)
        assert text.startswith("f: run by plain Python\n")
        assert "1 call for (n: int64[])" in text
        assert "memory" not in text
    g = ag.jit(f.python_function, fallback=True)
    with pytest.raises(TypeError):  # nothing is known of it, and nothing was asked
        g.explain()


def test_explain_of_a_function_that_has_not_fallen_back():
    text = str(ag.jit(lambda x: x + 1, fallback=True).explain(3))
    assert "plain Python" not in text


def test_the_log_tells_of_each_reason(caplog):
    caplog.set_level(logging.INFO, "agir.fallback")
    f = ag.jit(lambda x: x * x, fallback=True)
    told(f, BIG)
    told(f, BIG)
    (said,) = caplog.messages
    assert said.startswith("<lambda>: plain Python, for (x: int64[]): RuntimeOverflowError: ")
