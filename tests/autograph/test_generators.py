"""Generators in converted functions: Python's own where nothing is recorded, else loops."""

# ruff: noqa: RUF059 (the constructs are what is tested)

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import pytest

from agir.autograph import convert, to_code


def counting(n, step=1):  # type: ignore[no-untyped-def]
    """Counts."""
    while True:
        n += step
        if n % 5 == 0:
            continue
        if n > 20:
            return "done"
        yield n


def delegating(xs, *more, last=9):  # type: ignore[no-untyped-def]
    for x in xs:
        if x == 3:
            break
        yield x
    else:
        yield -1
    yield from more
    yield from (m * 2 for m in more if m)
    if xs:
        return
    yield last


def receiving(n):  # type: ignore[no-untyped-def]
    total = 0
    while total < n:
        got = yield total
        total += got if got is not None else 1
    return total


def guarded(log):  # type: ignore[no-untyped-def]
    try:
        yield 1
        yield 2
    except KeyError as error:
        yield repr(error)
    finally:
        log.append("closed")


def walked(tree):  # type: ignore[no-untyped-def]
    if isinstance(tree, list):
        for each in tree:
            yield from walked(each)
    else:
        yield tree


GENERATORS = [
    (counting, (0,)),
    (counting, (1, 3)),
    (delegating, ([1, 2],)),
    (delegating, ([1, 3, 2], 4, 0, 5)),
    (delegating, ([],)),
    (receiving, (4,)),
    (guarded, ([],)),
    (walked, ([1, [2, [3], []], 4],)),
]


@pytest.mark.parametrize(("f", "args"), GENERATORS)
def test_python_iterates(f: Any, args: Any) -> None:
    expected = list(f(*args))
    made = convert(f)(*args)
    assert isinstance(made, types.GeneratorType)
    assert (made.__name__, made.__qualname__) == (f.__name__, f.__qualname__)
    assert list(made) == expected


def finished(generator: Any) -> Any:
    try:
        next(generator)
    except StopIteration as stop:
        return stop.value


def test_send_throw_and_close() -> None:
    for f in (receiving, convert(receiving)):
        made = f(10)
        assert [next(made), made.send(5), made.send(4), finished(made)] == [0, 5, 9, 10]
    for f in (guarded, convert(guarded)):
        log: list[str] = []
        made = f(log)
        assert (next(made), made.throw(KeyError("k")), log) == (1, "KeyError('k')", [])
        made.close()
        assert log == ["closed"]
    made = convert(counting)(18)
    assert (next(made), finished(made)) == (19, "done")


def test_what_runs_when() -> None:
    def f(log, xs):  # type: ignore[no-untyped-def]
        def items():  # type: ignore[no-untyped-def]
            for x in xs:
                log.append(("made", x))
                yield x
            log.append("end")

        for x in items():
            log.append(("used", x))
            if x == 2:
                break
        squares = (log.append(("squared", x)) or x * x for x in items() if x)
        log.append("before")
        log.append(next(squares))
        log.append(any(s > 3 for s in squares))
        log.append(list(squares))
        first, *rest = items()
        log.append(rest)
        return max(x for x in items()), sum((x for x in xs), 10)

    logs: tuple[list[Any], list[Any]] = ([], [])
    assert f(logs[0], [1, 2, 3]) == convert(f)(logs[1], [1, 2, 3])
    assert logs[0] == logs[1]


def test_generator_expressions() -> None:
    def f(xs, n):  # type: ignore[no-untyped-def]
        late = (x * n for x in xs if x != n)
        n = 10
        xs = None
        found = any((w := v) > 10 for v in late)
        return found, w, n, (lambda ys: sum(y * n for y in ys if y))([1, 2]), [*(i for i in "ab")]

    assert f([1, 2, 3], 2) == convert(f)([1, 2, 3], 2)

    def g():  # type: ignore[no-untyped-def]
        return (x for x in 5)

    with pytest.raises(TypeError, match="'int' object is not iterable"):
        convert(g)()

    def h():  # type: ignore[no-untyped-def]
        return (x for x in "ab")

    made = convert(h)()
    assert (made.__name__, made.__qualname__) == (
        "<genexpr>",
        f"{h.__qualname__}.<locals>.<genexpr>",
    )


def test_methods_and_closures() -> None:
    class Base:
        def items(self, n: int) -> Any:
            yield from range(n)

    class Derived(Base):
        def items(self, n: int) -> Any:
            total = 0

            def add(k: int) -> int:
                nonlocal total
                total += k
                return total

            for item in super().items(n):
                yield add(item) + sum(add(j) for j in range(item) if j)

        def use(self, n: int) -> Any:
            return [x for x in self.items(n) if x]

    assert convert(Derived().use)(5) == Derived().use(5)
    assert list(convert(Derived().items)(4)) == list(Derived().items(4))


def test_staged_loops_of_a_generator(staging: Any, Hidden: Any, reveal: Any) -> None:
    def multiples(xs, k):  # type: ignore[no-untyped-def]
        seen = 0
        for x in xs:
            seen = seen + 1
            if x > k:
                yield x * k
        yield seen

    def f(xs, k, limit):  # type: ignore[no-untyped-def]
        total = 0
        for m in multiples(xs, k):
            if m > limit:
                break
            total = total + m
        else:
            total = -total
        return total

    g = convert(f)
    for xs, k, limit in (([1, 2, 3, 4], 2, 100), ([1, 5, 3], 2, 9), ([5], 1, 2), ([], 1, 1)):
        assert reveal(g(Hidden(xs), Hidden(k), Hidden(limit))) == f(xs, k, limit)
    carried = [state.names for state in staging.states if "seen" in state.names]
    assert any({"seen", "total"} <= set(names) for names in carried)


def test_a_generator_is_consumed_once(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(xs, limit):  # type: ignore[no-untyped-def]
        made = (x for x in xs)
        total = 0
        for x in made:
            total = total + x
        for x in made:
            total = total + 100
        return total

    def g(xs, limit):  # type: ignore[no-untyped-def]
        made = (x for x in xs)
        for x in made:
            if x > limit:
                break
        return list(made)

    assert reveal(convert(f)(Hidden([1, 2]), 0)) == 3
    with pytest.raises(TypeError, match="used again after a loop that may have left it early"):
        convert(g)(Hidden([1, 2]), Hidden(1))


def test_what_is_left_of_a_generator() -> None:
    def f(xs, limit):  # type: ignore[no-untyped-def]
        made = (x for x in xs)
        for x in made:
            if x > limit:
                break
        return list(made)

    assert convert(f)([1, 2, 3], 1) == [3]


def test_a_generator_that_python_has_begun(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(n):  # type: ignore[no-untyped-def]
        made = counting(n)
        first = next(made)
        return first, sum(x for x in made)

    assert convert(f)(0) == f(0)


def check(f: Callable[..., Any], expected: str) -> None:
    assert [line for line in to_code(f).splitlines() if line.strip()] == [
        line for line in inspect.cleandoc(expected).splitlines() if line.strip()
    ]


def test_source_of_a_generator() -> None:
    def f(x, *more, k=2):  # type: ignore[no-untyped-def]
        """Documented."""
        for v in x:
            yield v * k
        yield from more

    check(
        f,
        '''
        def f(x, *more, k=2):
            """Documented."""
            def generate(x, more, k):
                for v in x:
                    yield v * k
                yield from more
            def produce(x, more, k, emit):
                do_return = False
                break_ = False
                def loop_body(v):
                    nonlocal do_return, break_
                    def if_body():
                        nonlocal do_return, break_
                        do_return = True
                        break_ = True
                    def get_state():
                        return (do_return, break_)
                    def set_state(values):
                        nonlocal do_return, break_
                        (do_return, break_) = values
                    ag__.if_stmt(emit(v * k), if_body, ag__.skip, emit.around(ag__.State(get_state, set_state, ('do_return', 'break_'))))
                def get_state_1():
                    return (do_return, break_)
                def set_state_1(values):
                    nonlocal do_return, break_
                    (do_return, break_) = values
                ag__.for_stmt(x, loop_body, emit.until(lambda: ag__.not_(break_)), emit.around(ag__.State(get_state_1, set_state_1, ('do_return', 'break_'))), emit.looping(ag__.LoopOptions(targets=('v',))))
                def if_body_1():
                    break_1 = False
                    def loop_body_1(item):
                        nonlocal break_1
                        def if_body_2():
                            nonlocal break_1
                            break_1 = True
                        def get_state_2():
                            return (break_1,)
                        def set_state_2(values):
                            nonlocal break_1
                            (break_1,) = values
                        ag__.if_stmt(emit(item), if_body_2, ag__.skip, emit.around(ag__.State(get_state_2, set_state_2, ('break_1',))))
                    def get_state_3():
                        return (break_1,)
                    def set_state_3(values):
                        nonlocal break_1
                        (break_1,) = values
                    ag__.for_stmt(more, loop_body_1, emit.until(lambda: ag__.not_(break_1)), emit.around(ag__.State(get_state_3, set_state_3, ('break_1',))), emit.looping(ag__.LoopOptions(targets=('item',))))
                ag__.if_stmt(ag__.not_(do_return), if_body_1, ag__.skip, emit.around(ag__.no_state))
            return ag__.generator(lambda: generate(x, more, k), lambda emit: produce(x, more, k, emit))
        ''',  # noqa: E501
    )


def test_a_generator_that_is_sent_values_stays_one() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        while y := (yield x):
            x = g(y)  # type: ignore[name-defined]  # noqa: F821

    check(f, "\ndef f(x):\n    while y := (yield x):\n        x = ag__.call(g, (y,))")
