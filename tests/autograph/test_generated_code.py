"""What the generated code looks like, construct by construct."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agir.autograph import to_code


def check(f: Callable[..., Any], expected: str) -> None:
    assert [line for line in to_code(f).splitlines() if line.strip()] == [
        line for line in inspect.cleandoc(expected).splitlines() if line.strip()
    ]


def test_straight_code_stays_as_it_is() -> None:
    def f(x: Any, y: Any) -> Any:
        """Documented."""
        z = x + y[0]
        z[1:] += x.field
        return z

    check(
        f,
        '''
        def f(x: Any, y: Any) -> Any:
            """Documented."""
            z = x + y[0]
            item = z[1:]
            item += ag__.get_attr(x, 'field')
            ag__.set_item(z, ag__.slice_(1, None), item)
            return z
        ''',
    )


def test_if() -> None:
    def f(x: Any) -> Any:
        y = 0
        if x > 0:
            z = x + 1
            y = z
        return y

    check(
        f,
        """
        def f(x: Any) -> Any:
            y = 0
            def if_body():
                nonlocal y
                z = x + 1
                y = z
            def get_state():
                return (y,)
            def set_state(values):
                nonlocal y
                (y,) = values
            ag__.if_stmt(x > 0, if_body, ag__.skip, ag__.State(get_state, set_state, ('y',)))
            return y
        """,
    )


def test_early_return_is_an_else() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        if x > 0:
            return 1
        return 2

    check(
        f,
        """
        def f(x):
            retval = ag__.UndefinedReturn('retval')
            def if_body():
                nonlocal retval
                retval = 1
            def else_body():
                nonlocal retval
                retval = 2
            def get_state():
                return (retval,)
            def set_state(values):
                nonlocal retval
                (retval,) = values
            ag__.if_stmt(x > 0, if_body, else_body, ag__.State(get_state, set_state, ('retval',)))
            return retval
        """,
    )


def test_while() -> None:
    def collatz(n):  # type: ignore[no-untyped-def]
        steps = 0
        while n != 1:
            n = n // 2
            steps += 1
        return steps

    check(
        collatz,
        """
        def collatz(n):
            steps = 0
            def loop_test():
                return n != 1
            def loop_body():
                nonlocal n, steps
                n = n // 2
                steps += 1
            def get_state():
                return (n, steps)
            def set_state(values):
                nonlocal n, steps
                (n, steps) = values
            ag__.while_stmt(loop_test, loop_body, ag__.State(get_state, set_state, ('n', 'steps')), ag__.LoopOptions())
            return steps
        """,  # noqa: E501
    )


def test_for_with_break_and_else() -> None:
    def f(xs, out):  # type: ignore[no-untyped-def]
        for x in xs:
            if x:
                break
            out.append(x)
        else:
            out[0] = 1

    check(
        f,
        """
        def f(xs, out):
            break_ = False
            def loop_body(x):
                nonlocal break_
                def if_body():
                    nonlocal break_
                    break_ = True
                def else_body():
                    ag__.call(out.append, (x,))
                def get_state():
                    return (break_,)
                def set_state(values):
                    nonlocal break_
                    (break_,) = values
                ag__.if_stmt(x, if_body, else_body, ag__.State(get_state, set_state, ('break_',)))
            def get_state_1():
                return (break_,)
            def set_state_1(values):
                nonlocal break_
                (break_,) = values
            ag__.for_stmt(xs, loop_body, lambda: ag__.not_(break_), ag__.State(get_state_1, set_state_1, ('break_',)), ag__.LoopOptions(targets=('x',)))
            def if_body_1():
                ag__.set_item(out, 0, 1)
            ag__.if_stmt(ag__.not_(break_), if_body_1, ag__.skip, ag__.no_state)
        """,  # noqa: E501
    )


def test_variables_without_value() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        if x:
            y = 1
        del x
        return y

    check(
        f,
        """
        def f(x):
            y = ag__.Undefined('y')
            def if_body():
                nonlocal y
                y = 1
            def get_state():
                return (y,)
            def set_state(values):
                nonlocal y
                (y,) = values
            ag__.if_stmt(x, if_body, ag__.skip, ag__.State(get_state, set_state, ('y',)))
            x = ag__.Undefined('x')
            return ag__.ld(y)
        """,
    )


def test_return_in_a_context_stays_one() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        with x:
            return 1

    check(f, "\ndef f(x):\n    with ag__.managed(x):\n        return 1")


def test_try() -> None:
    def f(x: Any, n: Any) -> Any:
        s = 0
        try:
            y = 10 // n
            s = 2
        except ZeroDivisionError as e:
            y = s
            log(e)  # type: ignore[name-defined]  # noqa: F821
        return y

    check(
        f,
        """
        def f(x: Any, n: Any) -> Any:
            s = 0
            y = ag__.Undefined('y')
            def try_body():
                nonlocal s, y
                y = 10 // n
                def if_body():
                    nonlocal s
                    s = 2
                def get_state_1():
                    return (s,)
                def set_state_1(values):
                    nonlocal s
                    (s,) = values
                ag__.if_stmt(ag__.going_on(), if_body, ag__.skip, ag__.State(get_state_1, set_state_1, ('s',), keep=('s',)))
            def except_body(e):
                nonlocal y
                y = s
                ag__.call(log, (e,))
            def get_state():
                return (s, y)
            def set_state(values):
                nonlocal s, y
                (s, y) = values
            ag__.try_stmt(try_body, (ag__.Handler(lambda: ZeroDivisionError, except_body),), ag__.skip, ag__.skip, ag__.State(get_state, set_state, ('s', 'y')))
            return y
        """,  # noqa: E501
    )


def test_expressions() -> None:
    def f(a, b, c):  # type: ignore[no-untyped-def]
        x = (a and b) or not c
        y = a if b else c
        z = 0 <= a < b.c < 4
        return g(x, *y, k=z), [h(v) for v in z], (w := a) or (w := b)  # type: ignore  # noqa

    check(
        f,
        """
        def f(a, b, c):
            w = ag__.Undefined('w')
            x = ag__.or_(ag__.and_(a, lambda: b), lambda: ag__.not_(c))
            y = ag__.if_exp(b, lambda: a, lambda: c)
            z = ag__.and_(0 <= a, lambda: ag__.and_(a < (middle := ag__.get_attr(b, 'c')), lambda: middle < 4))
            def listcomp(iterable):
                result = ag__.new([])
                def loop_body(v):
                    ag__.call(result.append, (ag__.call(h, (v,)),))
                ag__.for_stmt(iterable, loop_body, None, ag__.no_state, ag__.LoopOptions(targets=('v',), collects=True))
                return result
            def operand():
                nonlocal w
                return (w := b)
            def get_state():
                return (w,)
            def set_state(values):
                nonlocal w
                (w,) = values
            return (ag__.call(g, (x, *ag__.starred(y)), {'k': z}), listcomp(z), ag__.or_((w := a), operand, ag__.State(get_state, set_state, ('w',))))
        """,  # noqa: E501
    )


def test_assert() -> None:
    def f(a):  # type: ignore[no-untyped-def]
        assert a > 0
        assert a < 5, "too much"

    check(
        f,
        """
        def f(a):
            ag__.assert_stmt(a > 0)
            ag__.assert_stmt(a < 5, lambda: 'too much')
        """,
    )
