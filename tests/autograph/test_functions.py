"""Functions of every kind: closures, methods, lambdas, decorators, generators."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import functools
import gc
import inspect
import linecache
import logging
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from agir.autograph import (
    NoSourceError,
    UnsupportedError,
    convert,
    do_not_convert,
    is_converted,
    set_verbosity,
    to_code,
    to_graph,
)
from agir.autograph.pyct import recovery

LIMIT = 3


def passing_over(n: int) -> list[tuple[int, int]]:
    kept = []
    for i in range(n):
        for j in range(n):
            if j > 1:
                if i > 1:
                    continue
                kept.append((j, i))
            if j == i:
                continue
            kept.append((i, j))
    return kept


def test_continue_inside_of_a_branch_that_goes_on() -> None:
    assert convert(passing_over)(4) == passing_over(4)


def recursive(n: int) -> int:
    return 1 if n <= 1 else n * recursive(n - 1)


def test_recursion() -> None:
    assert convert(recursive)(5) == 120


def test_recursion_of_a_nested_function() -> None:
    def factorial(n: int) -> int:
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    assert convert(factorial)(5) == 120


def with_everything(a: int, /, b: int = 2, *args: int, c: int, d: int = 4, **kwargs: int) -> Any:
    """Say so."""
    if a:
        return (a, b, args, c, d, kwargs)
    return None


def test_attributes_and_defaults_are_kept() -> None:
    with_everything.mark = 1  # type: ignore[attr-defined]
    new = convert(with_everything)
    assert new(1, c=3) == (1, 2, (), 3, 4, {})
    assert new(1, 5, 6, c=3, e=7) == (1, 5, (6,), 3, 4, {"e": 7})
    assert inspect.signature(new) == inspect.signature(with_everything)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__dict__", "__kwdefaults__"):
        assert getattr(new, name) == getattr(with_everything, name)
    assert new.__globals__ is with_everything.__globals__
    assert new.__code__.co_filename == __file__
    assert new.__code__.co_firstlineno == with_everything.__code__.co_firstlineno
    assert "ag__" not in globals()


def test_wrong_arguments_read_as_ever() -> None:
    with pytest.raises(TypeError) as expected:
        with_everything()  # type: ignore[call-arg]
    with pytest.raises(TypeError) as got:
        convert(with_everything)()
    assert str(got.value) == str(expected.value)


def test_closures_are_shared() -> None:
    count = 0

    def bump() -> int:
        nonlocal count
        for _ in range(2):
            count += 1
        return count

    new = convert(bump)
    assert new.__closure__ is not None
    assert bump.__closure__ is not None
    assert bump.__closure__[0] in new.__closure__
    assert (new(), bump(), count) == (2, 4, 4)


def test_globals_are_written() -> None:
    def bump() -> None:
        global LIMIT
        while LIMIT < 10:
            LIMIT += 1

    before = LIMIT
    try:
        convert(bump)()
        assert LIMIT == 10
    finally:
        globals()["LIMIT"] = before


def test_a_global_that_is_not_there_is_made_or_missed() -> None:
    def make(flag: bool) -> Any:
        global NEW_NAME
        if flag:
            NEW_NAME = 1
        return NEW_NAME

    try:
        with pytest.raises(NameError, match="name 'NEW_NAME' is not defined"):
            convert(make)(False)
        assert convert(make)(True) == 1
    finally:
        globals().pop("NEW_NAME", None)


def test_lambdas_on_one_line() -> None:
    one, two, three = (
        (lambda x: x and 1),
        (lambda x: x and 2),
        (lambda x, y=5: x and (y if x else 3)),
    )
    assert [convert(f)(7) for f in (one, two, three)] == [1, 2, 5]
    assert "2" in to_code(two)
    assert to_code(one).strip() == "lambda x: ag__.and_(x, lambda: 1)"


def test_late_binding() -> None:
    def f() -> list[int]:
        functions = []
        for k in (1, 10):
            j = k + 1
            functions.append(lambda v: v * k + j)  # noqa: B023
        return [g(2) for g in functions]

    assert convert(f)() == f() == [31, 31]


def test_nested_functions_are_converted_too(staging: Any, Hidden: Any, reveal: Any) -> None:
    def f(x: Any) -> Any:
        def sign(v: Any) -> Any:
            if v > 0:
                return 1
            return -1

        return sign(x) + sign(-x) * 10

    assert reveal(convert(f)(Hidden(3))) == -9
    assert staging.calls.count("if") == 2


def test_a_variable_of_the_outer_function_may_be_unbound() -> None:
    def f(x: int) -> Any:
        if x:
            y = 1

        def g() -> int:
            return y

        del x
        return g()

    assert convert(f)(1) == 1
    with pytest.raises(NameError) as expected:
        f(0)
    with pytest.raises(NameError) as got:
        convert(f)(0)
    assert str(got.value) == str(expected.value)


class Base:
    def __init__(self, value: Any) -> None:
        self.value = value

    def scaled(self, k: Any) -> Any:
        return self.value * k

    @property
    def doubled(self) -> Any:
        return self.value * 2


class Derived(Base):
    unit = 5

    def scaled(self, k: Any) -> Any:
        if k > 0:
            return super().scaled(k) + 1
        return 0 or super().scaled(-k)

    def __private(self, v: Any) -> Any:
        __w = v + 1
        while __w < 10:
            __w += self.__step
        return __w

    __step = 4

    def private(self, v: Any) -> Any:
        return self.__private(v)

    @classmethod
    def units(cls, v: Any) -> Any:
        return v * cls.unit if v else cls.__name__

    @staticmethod
    def negated(v: Any) -> Any:
        return -v if v else 0

    def __call__(self, v: Any) -> Any:
        if v:
            return self.negated(self.units(v))
        return self.doubled

    def who(self) -> Any:
        return __class__.__name__  # type: ignore[name-defined]


def test_methods(staging: Any, Hidden: Any, reveal: Any) -> None:
    thing = Derived(3)
    assert convert(thing.scaled)(2) == 7
    assert convert(thing.scaled)(-2) == 6
    assert convert(thing.private)(1) == thing.private(1) == 10
    assert convert(thing)(2) == -10
    assert convert(thing)(0) == 6
    assert convert(Derived.units)(2) == 10
    assert convert(Derived.units)(0) == "Derived"
    assert convert(thing.who)() == "Derived"
    assert convert(Derived.scaled)(thing, 2) == 7

    def f(v: Any) -> Any:
        return Derived(v)(v)

    assert reveal(convert(f)(Hidden(2))) == -10


def test_partials_and_decorators(staging: Any, Hidden: Any, reveal: Any) -> None:
    def twice(f: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return f(*args, **kwargs) + f(*args, **kwargs)

        return wrapper

    @twice
    def scale(x: Any, *rest: Any, k: int = 2, **options: Any) -> Any:
        if x > 0:
            return x * k + options.get("bias", 0) + sum(rest)
        return x

    triple = functools.partial(scale, k=3)

    def f(x: Any) -> Any:
        return triple(x), scale(x, 0, **{"bias": 1}), scale(x, bias=2, **{"k": 1})

    assert reveal(convert(f)(Hidden(5))) == (30, 22, 14)
    assert convert(triple)(5) == 30


def test_what_is_left_alone() -> None:
    @do_not_convert
    def marked(x: int) -> int:
        return x if x else 1

    async def coroutine() -> int:
        return 1 if LIMIT else 2

    for f in (marked, coroutine, functools.reduce, textual, dict, len, Base, print):
        assert convert(f) is f
    assert convert(collections.OrderedDict.__init__) is collections.OrderedDict.__init__
    assert to_graph(marked)(3) == 3
    with pytest.raises(UnsupportedError):
        to_graph(coroutine)
    with pytest.raises(UnsupportedError):
        to_graph(len)


textual = inspect.cleandoc


def test_generators_and_coroutines_inside() -> None:
    def f(n: int) -> Any:
        if n:
            m = n

        def numbers() -> Any:
            for i in range(m):
                if i != 1:
                    yield i

        async def later() -> int:
            return m

        return list(numbers()), asyncio.run(later())

    assert convert(f)(4) == ([0, 2, 3], 4)


def test_do_not_convert_inside(staging: Any, Hidden: Any) -> None:
    def f(x: Any) -> Any:
        @do_not_convert
        def g(v: Any) -> Any:
            return 1 if v else 2

        return g(x)

    with pytest.raises(TypeError, match="truth of a hidden value"):
        convert(f)(Hidden(1))
    assert convert(f)(1) == 1


def test_conversion_is_remembered_and_not_repeated() -> None:
    new = convert(recursive)
    assert convert(recursive).__code__ is new.__code__
    assert is_converted(new)
    assert not is_converted(recursive)
    assert convert(new) is new


def test_nothing_leaks() -> None:
    def make() -> Any:
        def f(x: int) -> Any:
            if x:
                return f
            return None

        return f

    f = make()
    new = convert(f)
    assert new(1) is f
    references = [weakref.ref(f), weakref.ref(new)]
    del f, new
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_many_threads() -> None:
    source = "".join(
        f"def f{i}(x):\n    while x < {i}:\n        x += 1\n    return x\n" for i in range(20)
    )
    filename = "<threads>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "threads"}
    exec(compile(source, filename, "exec"), namespace)
    results: list[list[int]] = []

    def work() -> None:
        results.append([convert(namespace[f"f{i}"])(0) for i in range(20)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [list(range(20))] * 8
    del linecache.cache[filename]


def test_functions_from_exec() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n  if x > 0: return x * 2\n  return -x\n", namespace)
    assert convert(namespace["f"])(3) == 6
    assert "if_stmt" in to_code(namespace["f"])


def test_functions_of_the_command_line() -> None:
    program = "import agir as ag\nprint(ag.jit(lambda x: x * 2 if x > 0 else -x)(21))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "42\n", done.stderr


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec(
        "\n".join(["def f", "(x):\n  if x > ", "0: return x\n"])
        .replace("\n(", "(")
        .replace("> \n", "> "),
        namespace,
    )
    recovery._made.clear()  # another test may have imported what watches
    with pytest.raises(NoSourceError, match=r"source of f .* is not available"):
        convert(namespace["f"])

    def g(x: int) -> Any:
        return namespace["f"](x)

    assert convert(g)(3) == 3


def test_a_file_that_has_changed() -> None:
    filename = "<changing>"
    source = "\ndef f(x):\n    return x\n"
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), namespace)
    linecache.cache[filename] = (1, None, ["x = 1\n"], filename)
    with pytest.raises(NoSourceError, match="has changed"):
        convert(namespace["f"])
    del linecache.cache[filename]


def test_names_do_not_collide() -> None:
    def f(ag__: int, loop_body: int) -> int:
        break_ = 0
        while True:
            break_ += ag__
            if break_ > loop_body:
                break
        return break_

    assert convert(f)(2, 5) == 6


def test_dataclasses_are_called_as_they_are() -> None:
    @dataclasses.dataclass
    class Point:
        x: int

    def f(x: int) -> Any:
        return dataclasses.replace(Point(x), x=x + 1) if x else None

    assert convert(f)(1) == Point(2)


def test_variables_of_the_frame() -> None:
    def f(x: int) -> Any:
        if x:
            y = 1
        return locals()["y"], eval("x + 1"), vars()["y"], dir() != []

    assert convert(f)(1) == f(1)


def test_qualified_names() -> None:
    def f(x: int) -> Any:
        while x:

            def g() -> Any:
                class C:
                    def h(self) -> None: ...

                return C

            x -= 1
        return g, g(), g().h, lambda: 0

    assert [each.__qualname__ for each in convert(f)(1)] == [each.__qualname__ for each in f(1)]


def test_verbosity(caplog: pytest.LogCaptureFixture) -> None:
    def f(x: int) -> int:
        return 1 if x else 2

    set_verbosity(3)
    try:
        with caplog.at_level(logging.DEBUG, "agir.autograph"):
            convert(f)
    finally:
        set_verbosity(0)
    assert "ag__.if_exp(x, lambda: 1, lambda: 2)" in caplog.text
