"""What handlers learn of exceptions of the run time: their text, arguments and attributes."""

from __future__ import annotations

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


class Coded(Exception):
    def __init__(self, code, *more):
        super().__init__(f"code {code}")
        self.code = code
        self.more = more


class Narrower(Coded):
    code = 77


class Shown(ValueError):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __str__(self):
        return f"<{self.a}, {self.b}>"


def checked(n):
    if n < 0:
        raise ValueError(f"{n} is negative")
    if n > 100:
        raise OverflowError(n, "too large")
    return n * 2


def one_of_two(n):
    try:
        if n > 2:
            raise ValueError(f"bad {n}")
        raise KeyError(n)
    except (ValueError, KeyError) as error:
        return str(error), repr(error), error.args


def in_a_loop(n):
    good, bad = [], []
    for x in range(-2, n):
        try:
            good.append(checked(x * 60))
        except (ValueError, OverflowError) as error:
            bad.append(f"{type(error).__name__}: {error}")
    return good, bad


def of_a_function(n):
    try:
        checked(n)
    except Exception as error:
        return f"caught {error!r}", isinstance(error, ValueError)
    return "fine", True


def attributes(n):
    try:
        for i in range(n):
            if i * i > 10:
                raise Coded(i, n)
    except Coded as error:
        return str(error), error.code, repr(error), error.args, error.more
    return None


def attributes_of_two(n):
    try:
        if n > 3:
            raise Narrower(n)
        if n > 1:
            raise Coded(n * 2)
    except Coded as error:
        return error.code, str(error), type(error).__name__
    return None


def text_of_its_own(n):
    try:
        if n > 3:
            raise Shown(n, 2.5)
        if n > 1:
            raise Shown(0, n)
    except Shown as error:
        return str(error), f"{error}", error.a + error.b
    return None


def wrapped(n):
    try:
        try:
            checked(n)
        except ValueError as error:
            raise RuntimeError("wrapped: " + str(error)) from error
    except RuntimeError as error:
        return str(error)
    return n


def arguments(n):
    total = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise KeyError(i)
            if i % 3 == 1:
                raise IndexError(i, i + 1)
            total += 1
        except KeyError as error:
            total += error.args[0] * 10
        except IndexError as error:
            total += error.args[1] * 100
    return total


def assertions(n):
    try:
        if n <= 3:
            raise AssertionError(f"{n} too small")
    except AssertionError as error:
        return str(error), error.args
    return n


def attributes_of_pythons_own(n):
    try:
        if n > 2:
            raise StopIteration(n)
        raise SystemExit(n)
    except StopIteration as error:
        return error.value
    except SystemExit as error:
        return error.code


def added_attributes(n):
    try:
        checked(n)
    except ValueError as error:
        error.more = n + 1
        return error.more, str(error)
    return 0


def pythons_messages(n):
    found = []
    known, items, queue = {1: 2, 3: 4}, [1, 2], list(range(n))
    try:
        found.append(n // (n - 3) + n % (n - 5))
    except ZeroDivisionError as error:
        found.append(str(error))
    try:
        found.append(1 / (n - 1))
    except ZeroDivisionError as error:
        found.append(repr(error))
    try:
        found.append(known[n])
    except KeyError as error:
        found.append((str(error), error.args))
    try:
        items[n] = 3
    except IndexError as error:
        found.append(str(error))
    try:
        queue.pop()
    except IndexError as error:
        found.append(str(error))
    return found


PROGRAMS = (
    one_of_two, in_a_loop, of_a_function, attributes, attributes_of_two, text_of_its_own, wrapped,
    arguments, assertions, attributes_of_pythons_own, added_attributes, pythons_messages,
)  # fmt: skip


def outcome(function, n):
    try:
        return function(n)
    except OverflowError as error:
        return error.args


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_handlers_learn_what_python_tells_them(program):
    jitted = ag.jit(program)
    for n in (0, 1, 3, 5, 9, -4, 200):
        assert outcome(jitted, n) == outcome(program, n), n


def test_the_caller_gets_attributes_of_the_run_time():
    @ag.jit
    def f(n):
        if n > 2:
            raise Coded(n, n + 0.5)
        return n

    assert f(1) == 1
    for n in (3, 4):
        with pytest.raises(Coded, match=f"code {n}") as caught:
            f(n)
        assert (caught.value.code, caught.value.more) == (n, (n + 0.5,))


def test_what_is_too_large_for_handlers_is_refused():
    @ag.jit
    def f(n):
        try:
            if n > 1:
                raise ValueError(list(range(n)))
        except ValueError as error:
            return error.args
        return n

    with pytest.raises(ag.errors.StagingError, match="details of a ValueError"):
        f(3)
