"""Comprehensions in converted functions: what they become, and that they mean the same."""

# ruff: noqa: B023, B035, B905, C416, F841 (the constructs are what is tested)

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from agir.autograph import convert, to_code


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    log: list[Any] = []

    def note(value: Any, result: Any = None) -> Any:
        log.append(value)
        return value if result is None else result

    try:
        return f(note, *args), log
    except Exception as error:
        return type(error), str(error), log


def order(note, xs):  # type: ignore[no-untyped-def]
    return [
        note((x, y))
        for x in note("first", xs)
        if note(("if", x), True)
        for y in note("second", range(x))
        if y != 1
        if note(("and", y), True)
    ]


def dictionaries(note, xs):  # type: ignore[no-untyped-def]
    d = {note(("key", x), x % 3): note(("value", x)) for x in xs}
    e = {k: v for k, (_, v) in d.items() if v}
    return d, list(e), {"fixed": note(x) for x in xs}


def sets(note, xs):  # type: ignore[no-untyped-def]
    return {note(x) % 2 for x in xs if x}, {len(s) for s in ("a", "bc")}


def nested(note, xs):  # type: ignore[no-untyped-def]
    x = "outer"
    grid = [[note(x * y) for y in xs if y > x] for x in xs]
    return grid, x, [y for row in grid for y in row], [[x for x in range(x)] for x in xs]


def targets(note, xs):  # type: ignore[no-untyped-def]
    box = [0, 0]
    first = [a + b for a, b in zip(xs, xs)]
    second = [(a, rest) for a, *rest in [xs, xs]]
    third = [note(box[0]) for box[0] in xs]
    return first, second, third, box, [i for (i,) in [(1,), (2,)]]


def walrus(note, xs):  # type: ignore[no-untyped-def]
    if xs:
        found = [last := note(x) for x in xs if (kept := x) > 1]
        try:
            return found, kept, last
        except UnboundLocalError as error:
            return str(error)
    return [y := 1, y, [(y := y + x) for x in (1, 2)], y]


def lazy(note, xs):  # type: ignore[no-untyped-def]
    a = xs and [note(x) for x in xs if x]
    b = [note(-x) for x in xs] if len(xs) > 2 else [x for x in xs if x > 1]
    while [note(x) for x in xs if x > 2]:
        xs = xs[1:]
    return a, b, xs, (1 in [x for x in xs if x] and [x for x in xs]) or None


def closures(note, xs):  # type: ignore[no-untyped-def]
    fs = [lambda: x for x in xs if x]
    gs = [lambda y=y: y for y in xs if y]
    n = 1

    def inner() -> Any:
        nonlocal n
        n += 1
        return [n + x for x in xs if x]

    return [f() for f in fs], [g() for g in gs], inner(), n, [n for _ in xs if n]


def in_lambdas(note, xs):  # type: ignore[no-untyped-def]
    f = lambda ys, k=2: [note(y * k) for y in ys if y > 1 if y < 9]  # noqa: E731
    g = lambda ys: {a: b for a, b in enumerate(ys) for c in range(b) if c}  # noqa: E731
    h = lambda ys: ({y for y in ys if y}, [(lambda: y) for y in ys], [z := y for y in ys])  # noqa: E731
    return f(xs), g(xs), h(xs)[0], [each() for each in h(xs)[1]], h(xs)[2]


def errors(note, xs):  # type: ignore[no-untyped-def]
    return [1 // x for x in xs if note(x, True)]


def not_iterable(note, xs):  # type: ignore[no-untyped-def]
    return [x for x in note(len(xs)) if x]


def unbound(note, xs):  # type: ignore[no-untyped-def]
    if note(len(xs)) > 5:
        y = 1
    return [x + y for x in xs if x]


def in_loops_and_classes(note, xs):  # type: ignore[no-untyped-def]
    out = []
    for i in xs:
        for j in [k + i for k in xs if k != i]:
            if j > 4:
                break
            out.append(j)

    class Local:
        values = [x for x in xs if x]

    return out, i, Local.values


CASES = [order, dictionaries, sets, nested, targets, walrus, lazy, closures, in_lambdas, errors]
CASES += [not_iterable, unbound, in_loops_and_classes]


@pytest.mark.parametrize("f", CASES, ids=lambda f: str(f.__name__))
def test_means_the_same(f: Callable[..., Any]) -> None:
    for xs in ([], [1], [1, 2, 3], [3, 1, 2], (0, 4), range(4)):
        expected, got = outcome(f, xs), outcome(convert(f), xs)
        if f is unbound:  # up to 3.11 a comprehension reads a variable of another function
            expected, got = expected[0], got[0]
        assert got == expected, xs


def test_super_and_private_names() -> None:
    class Base:
        def value(self, k: int) -> int:
            return k * 10

    class Derived(Base):
        def __init__(self) -> None:
            self.__hidden = 3

        def f(self, xs: Any) -> Any:
            return [self.__hidden + x for x in xs if x]

    assert convert(Derived().f)([1, 2]) == [4, 5]


def test_staged(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(xs, limit):  # type: ignore[no-untyped-def]
        return [x * 2 for x in xs if x > limit], {x + y for x in (1, 2) for y in xs.value if x != y}

    listed, made = convert(f)(Hidden([1, 5, 7]), Hidden(4))
    assert reveal(listed) == [10, 14]
    assert made == {3, 6, 7, 8, 9}
    assert staging.calls == ["for", "if", "if", "if"]
    assert staging.options[0].collects


def check(f: Callable[..., Any], expected: str) -> None:
    assert [line for line in to_code(f).splitlines() if line.strip()] == [
        line for line in inspect.cleandoc(expected).splitlines() if line.strip()
    ]


def test_source_of_a_list_comprehension() -> None:
    def f(x, k):  # type: ignore[no-untyped-def]
        y = [v * k for v in x if v > k]
        return y, [k + i for i in (1, 2)]

    check(
        f,
        """
        def f(x, k):
            def listcomp(iterable):
                result = ag__.new([])
                def loop_body(v):
                    def if_body():
                        ag__.call(result.append, (v * k,))
                    ag__.if_stmt(v > k, if_body, ag__.skip, ag__.no_state)
                ag__.for_stmt(iterable, loop_body, None, ag__.no_state, ag__.LoopOptions(targets=('v',), collects=True))
                return result
            y = listcomp(x)
            return (y, ag__.new([k + i for i in (1, 2)]))
        """,  # noqa: E501
    )


def test_source_of_a_comprehension_that_assigns() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        return {k: (last := v) for k, v in x}, last

    check(
        f,
        """
        def f(x):
            last = ag__.Undefined('last')
            def dictcomp(iterable):
                nonlocal last
                result = ag__.new({})
                def loop_body(item):
                    nonlocal last
                    (k, v) = ag__.unpack(item, 2)
                    key = k
                    value = (last := v)
                    ag__.set_item(result, key, value)
                def get_state():
                    return (ag__.ldu(lambda: last, 'last'),)
                def set_state(values):
                    nonlocal last
                    (last,) = values
                ag__.for_stmt(iterable, loop_body, None, ag__.State(get_state, set_state, ('last',), keep=('last',)), ag__.LoopOptions(targets=('k', 'v'), collects=True))
                return result
            return (dictcomp(x), ag__.ld(last))
        """,  # noqa: E501
    )


def test_source_in_a_lambda() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        return lambda k: [a * k for a, b in x if b]

    check(
        f,
        """
        def f(x):
            return lambda k: ag__.collect([], lambda add: ag__.each(x, lambda item: (lambda a, b: ag__.when(b, lambda: add(a * k), add))(*ag__.unpacked(item, 2)), add))
        """,  # noqa: E501
    )
