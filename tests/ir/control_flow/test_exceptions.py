"""``raise``, ``assert``, ``try`` and ``with`` over run-time values, against plain Python."""

import contextlib

import numpy as np
import pytest

import agir as ag


class Custom(Exception):
    """An exception with a field of its own."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Box:
    """Something with an attribute."""

    def __init__(self, value):
        self.value = value


class Scope:
    """Counts how it is entered and left; suppresses ``IndexError``."""

    def __init__(self, box):
        self.box = box

    def __enter__(self):
        self.box.value = self.box.value + 1
        return self.box

    def __exit__(self, kind, error, traceback):
        self.box.value = self.box.value + (10 if kind is None else 100)
        return kind is not None and issubclass(kind, IndexError)


def raises_in_a_branch(n, x):
    if n > 2:
        raise Custom(7, "too big")
    return n


def raises_in_loops(n, x):
    total = 0
    for i in range(n):
        j = 0
        while j < i:
            j += 1
            if j * i > 3:
                raise KeyError("product")
        total += j
    return total


def every_path_raises(n, x):
    if n > 2:
        raise KeyError("big")
    raise ValueError("small")


def after_the_failure_nothing_runs(n, x):
    s = 0
    try:
        s = 1
        y = 10 // n
        s = 2
    except ZeroDivisionError:
        y = -1
    return s, y


def variables_at_the_raise(n, x):
    s = 0
    try:
        if n > 2:
            s = 5
            raise ValueError
        s = 6
    except ValueError:
        r = s
    else:
        r = -s
    return r


def handlers_in_order(n, x):
    try:
        if n == 0:
            raise KeyError("k")
        y = x[n] + 6 // (n - 2)
        assert y > 5
    except KeyError:
        r = 1
    except LookupError:
        r = 2
    except ZeroDivisionError:
        r = 3
    except (AssertionError, ValueError):
        r = 4
    else:
        r = 5
    return r


def finally_runs_in_every_case(n, x):
    steps = 0
    try:
        try:
            y = 10 // n
        finally:
            steps += 1
        steps += 10
    except ZeroDivisionError:
        y = 0
    finally:
        steps += 100
    return y, steps


def jumps_in_handlers(n, x):
    total = 0
    for i in range(n):
        try:
            if i == 4:
                raise IndexError
            total += 12 // (i - 2)
        except ZeroDivisionError:
            continue
        except IndexError:
            break
        total += 1
    return total


def returns_in_a_try(n, x):
    try:
        if n > 2:
            return 10 // (n - 4)
        y = x[n]
    except ZeroDivisionError:
        return -1
    except IndexError:
        return -2
    return y


def loops_stop(n, x):
    seen = 0
    try:
        for i in range(x[0] + 1):
            seen += 1
            y = 6 // (i - n)
            seen += 10 + y
    except ZeroDivisionError:
        seen = -seen
    return seen


def raises_again(n, x):
    try:
        try:
            y = x[n]
            if n == 1:
                raise Custom(n, "one")
        except Exception as error:
            if n > 3:
                raise
            raise ValueError("again") from error
    except ValueError:
        y = -1
    except IndexError:
        y = -2
    return y


def stores_that_fail(n, x):
    try:
        x[0] = 7
        x[n] += 10 // (n - 1)
        x[1] = 8
    except (IndexError, ZeroDivisionError):
        x[2] = x[2] + 1
    return x[0]


def fill(n, x, box):
    x[0] = 5
    box.value = n + 1
    y = 10 // n
    x[1] = y
    box.value = y
    return y


def effects_of_what_is_called(n, x):
    box = Box(0)
    try:
        r = fill(n, x, box)
    except ZeroDivisionError:
        r = -1
    return r, box.value


def a_loop_that_raises_after_it_has_written(n, x):
    i = 0
    try:
        for i in range(len(x)):
            if i == n:
                raise ValueError
            x[i] += i
    except ValueError:
        x[i] = -1
    return i


def fill_until(n, x):
    for i in range(len(x)):
        if i == n:
            raise ValueError
        x[i] += i


def suppressed(n, x):
    r = 0
    with contextlib.suppress(IndexError):
        r = 1
        r = x[n]
        r = r + 100
    return r


def raised_again_by_a_manager(n, x):
    box = Box(0)
    try:
        with Scope(box), contextlib.suppress(ArithmeticError):
            assert x[n % 5] > 1, "small"
            x[n] += 7 // (n - 1)
    except AssertionError:
        return -box.value
    return box.value


def managed_by_a_class(n, x):
    box = Box(0)
    r = 0
    try:
        with Scope(box) as inside:
            r = x[n]
            if r > 6:
                raise ValueError
            r += inside.value
    except ValueError:
        r = -1
    return r, box.value


def the_exception_is_known(n, x):
    r = 0
    try:
        if n > 2:
            raise Custom(42, "message")
    except Custom as error:
        r = error.code + len(str(error))
    return r


def walks(n, x):
    while True:
        with ag.name_scope("inner"):
            n -= 3
            if n < 0:
                break
    return n


PROGRAMS = [
    raises_in_a_branch,
    raises_in_loops,
    every_path_raises,
    after_the_failure_nothing_runs,
    variables_at_the_raise,
    handlers_in_order,
    finally_runs_in_every_case,
    jumps_in_handlers,
    returns_in_a_try,
    loops_stop,
    raises_again,
    stores_that_fail,
    effects_of_what_is_called,
    a_loop_that_raises_after_it_has_written,
    suppressed,
    raised_again_by_a_manager,
    managed_by_a_class,
    the_exception_is_known,
    walks,
]


def observe(function, n, x):
    """What a call returns or raises, and what it leaves in the array."""
    before = x.copy()
    try:
        result = np.array(function(n, x)).tolist()
    except Exception as error:
        kind = next(k for k in type(error).__mro__ if not k.__module__.startswith("agir"))
        detail = error.args if type(error) is kind else ()
        return kind.__name__, detail, before.tolist()
    return result, x.tolist()


def data():
    return np.array([4, 7, 1, 9, 2])


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_programs_mean_what_python_means(program, jit_compile):
    traced = ag.jit(program, jit_compile=jit_compile)
    for n in range(7):
        expected, got = observe(program, n, data()), observe(traced, n, data())
        if isinstance(expected[0], str) and got[1] == ():
            expected = (expected[0], (), expected[2])
        assert got == expected, n


@pytest.mark.parametrize("program", [
    p for p in PROGRAMS if p not in (
        stores_that_fail, effects_of_what_is_called, a_loop_that_raises_after_it_has_written
    )
])  # fmt: skip
def test_programs_of_tensors(program):
    traced = ag.function(program)
    for n in range(7):
        tensors = lambda n, x: traced(ag.constant(np.int64(n)), ag.constant(x))  # noqa: E731
        expected, got = observe(program, n, data()), observe(tensors, n, data())
        assert got[0] == expected[0], n


def test_a_decorated_function_stops_where_it_raises_in_a_try_of_the_caller():
    def f(fill_until, n, x):
        found = []
        try:
            fill_until(n, x)
            found.append(n)
        except ValueError:
            pass
        return x, found

    for n in (2, 9):
        expected, found = f(fill_until, n, data()), ag.jit(f)(ag.jit(fill_until), n, data())
        assert str(found) == str(expected)


def test_a_raised_exception_is_the_users_own():
    traced = ag.jit(raises_in_a_branch)
    with pytest.raises(Custom, match="too big") as caught:
        traced(3, data())
    assert caught.value.code == 7
    assert caught.value.args == ("too big",)
    if hasattr(caught.value, "add_note"):
        assert "test_exceptions.py" in caught.value.__notes__[0]
        assert 'raise Custom(7, "too big")' in caught.value.__notes__[0]
    with pytest.raises(Custom) as other:
        traced(4, data())
    assert other.value is not caught.value


@pytest.mark.filterwarnings("ignore::agir.errors.SideEffectWarning")
def test_the_message_of_an_assertion_is_made_where_it_fails():
    made = []

    @ag.jit
    def f(n):
        if n > 2:
            assert False, "never"  # noqa: B011, PT015
        assert n != 1, made.append(1) or "one"
        return n

    assert f(0) == 0
    with pytest.raises(AssertionError, match="never") as caught:
        f(3)
    assert isinstance(caught.value, ag.errors.InvalidArgumentError)
    with pytest.raises(AssertionError, match="one"):
        f(1)


def test_details_of_one_of_several_exceptions():
    @ag.jit
    def f(n, x):
        try:
            if n > 2:
                raise ValueError("a")
            if n > 1:
                raise ValueError("b")
        except ValueError as error:
            n = n + len(str(error))
        return n

    assert [f(n, data()) for n in range(1, 5)] == [1, 3, 4, 5]


def test_a_generator_that_handles_exceptions_is_refused():
    @contextlib.contextmanager
    def manager():
        try:
            yield
        except ValueError:
            pass

    @ag.jit
    def f(n):
        with manager():
            if n > 2:
                raise ValueError
        return n

    with pytest.raises(ag.errors.StagingError, match="handles exceptions around its yield"):
        f(1)


def test_a_name_scope_names_operations():
    @ag.jit
    def f(x):
        with ag.name_scope("outer"), ag.name_scope("inner") as name:
            assert name == "outer/inner"
            return x + 1.5

    assert f(1.0) == 2.5
    trace = f.get_concrete_function(1.0)
    text = trace._recorded.module.operation.get_asm(enable_debug_info=True)
    assert '"outer/inner"' in text
    with ag.name_scope("eager") as name:
        assert name == "eager"
