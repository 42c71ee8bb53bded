"""``print`` in compiled functions: the same text as plain Python, in the same order."""

# ruff: noqa: UP031, UP032 (old ways of formatting are what is tested)

from __future__ import annotations

import contextlib
import io
import re
import sys
import threading
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.autograph import do_not_convert
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir.building.types import as_dtype
from agir.ir.values import text

Point = namedtuple("Point", "x y")
MODES = [None, False]
X = np.array([0.1, -2.5, 3.0, 40.25])


@dataclass
class Pair:
    left: Any
    right: Any


class Described:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        return f"<{self.value:.1f}>"

    def __repr__(self) -> str:
        return f"Described({self.value!r:>12})"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)


def written(function: Callable[..., Any], *args: Any) -> str:
    """What one call of the function prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        function(*args)
    return output.getvalue()


def scalars(x, n):
    print(x[0], n, n / 3, n > 2, x[1] < 0, -n)
    print(x.sum(), np.float32(0.1) * np.float32(3), 1j * n, n % 3 == 0 and n > 1)


def arrays(x, n):
    print(x, x[1:3], x[::2], x.reshape(2, 2).T, x > 0, sep="\n")
    print(x.astype(np.float32), x.astype(np.int8), (x * 100).astype(np.uint8), x + 1j, x[:0])


def separators(x, n):
    print(n, n, sep="", end="")
    print()
    print(n, x[0], sep=None, end=None)
    print("a", n, sep=", ", end=".\n", flush=True)
    print("%", "{}", "{0}", n, "\x00é\U0001f600")


def containers(x, n):
    print([n, x[0]], (n,), {"n": n, 1: [x[1]]}, Point(n, x[0]), Pair(n, [x[0]]))
    print([x[:2]], deque([n]), OrderedDict(a=n), {"text": f"{n} 'quoted' {x[0]}"})
    print(range(n), [range(1, n, 2)], ", ".join(map(str, [n, x[0]])), *map("{:.1f}".format, [x[1]]))
    print([], (), {}, {1}, "x", None, [None, "y", n])


def objects(x, n):
    thing = Described(x[0])
    print(thing, f"{thing} {thing!r} {thing:.3f}", str(thing), repr(thing))


def f_strings(x, n):
    width = 12
    print(f"{n} {n:5d}| {n:<5}| {n!r:>4}| {n:x} {n:,} {n=} {n=:03d} {x[0]:.3e} {x[0]!s:>{width}}|")
    print(f"{x} {x[:2]!r} {x!s:>40}| {'é'!a} {x[0]!a} {[x[0], 'é']!a} {n}{{}} {'static'}")
    print(f"{f'{n}-{x[0]:.1f}':*^{width}}", f"{n > 2} {n > 2!r}")


def formats(x, n):
    print("{0} {1!r:>20} {k:.2f} {2[0]} {3.shape}".format(n, x[0], [n], x, k=x[1]))
    print("{:>6}|{:<6}|{!s:^9}|{{}}".format(n, n, x[0]), format(n, "04d"), format(x[0]))
    print("{a} {a:>5}".format_map({"a": n}), str.format("{}", n))


def percents(x, n):
    print("%d items" % n, "%5.2f|%-8s|%+d|%%|%x" % (x[0], n, n, n), "%s %r" % (x[0], x[0]))
    print("%(n)04d %(x).1e" % {"n": n, "x": x[1]}, "%*d|%-*.*f|" % (6, n, 9, 2, x[0]))
    print("%s" % [n, x[0]], "%10s|%s" % (f"<{n}>", "plain"), "%s" % (x,), "%i%%" % (n * 2))
    print("%s" % "static", "%d" % 3, 7 % 4, n % 4)


def joins(x, n):
    parts = [str(n), f"{x[0]:.1f}", "end"]
    print(
        ", ".join(parts), "-".join(f"{i}{n}" for i in range(3)), "".join([]), "=" * 3 + f"{n}" * 2
    )
    text = "start"
    text += f" {n}"
    print(text, repr(text), str(x), repr(x[0]), ascii("é"), str(b"x"), str(3))


def loops(x, n):
    for i in range(n):
        print("iteration", i, end=": ")
        if x[i] < 0:
            print("negative", x[i])
            continue
        j = i
        while j > 0:
            print(j, end=" ")
            j -= 1
            if j == 1:
                break
        print(f"[{x[i]:.2f}]")
    print("done")


def said(word, n):
    print(word)
    return n > 0


def branches(x, n):
    if n > 3:
        print("many")
    elif n > 2:
        print("three")
    else:
        print("few", n)
    n > 3 and said("and", n)
    n > 3 or said("or", n)
    said("one", n) if n == 1 else said("not one", n)


def order(x, n):
    y = x.copy()
    before = f"{y}"
    print(y)
    y[0] = 7
    print(y, before)
    y *= 2
    print(y.sum(), before)


PROGRAMS = [scalars, arrays, separators, containers, objects, f_strings, formats, percents, joins]
PROGRAMS += [loops, branches, order]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_prints_what_python_prints(program: Callable[..., Any], mode: bool | None) -> None:
    compiled = ag.jit(program, jit_compile=mode)
    for n in (4, 3, 1):
        assert written(compiled, X, n) == written(program, X, n)
    assert written(compiled, X * 3, 2) == written(program, X * 3, 2)


def strong(x, n):
    print(n, x, f"{n} {n!r} {x[0]:.2f}", [n])
    for i in range(n):
        print(i, x[i])
    if n > 2:
        print("static text in a branch")


@pytest.mark.parametrize("mode", MODES)
def test_the_same_under_function(mode: bool | None) -> None:
    compiled = ag.function(strong, jit_compile=mode)
    for n in map(np.int64, (2, 4)):
        assert written(compiled, X, n) == written(strong, X, n)


def test_under_function_python_values_are_printed_while_tracing() -> None:
    def f(x, n):
        print("tracing", n)
        for i in range(2):
            print("unrolled", i)
        return x + n

    compiled = ag.function(f)
    once = "tracing 1\nunrolled 0\nunrolled 1\n"
    assert [written(compiled, X, 1), written(compiled, X, 1)] == [once, ""]
    assert written(compiled, X, 2) == once.replace("1\nu", "2\nu", 1)
    jitted = ag.jit(f)
    assert [written(jitted, X, 1), written(jitted, X, 1)] == [once, once]


def test_a_long_range_of_prints_is_one_loop_under_jit() -> None:
    def f(n):
        for i in range(200):
            print(i, end=" ")

    compiled = ag.jit(f)
    assert written(compiled, 1) == written(f, 1)
    text = compiled.experimental_get_compiler_ir(1)("hlo")
    assert text.count("call @print_0") == 1


def checked(x, n):
    print("first", n)
    for i in range(n):
        print("iteration", i)
        print("read", x[i])
    print("last", n)
    return x[n - 1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
def test_nothing_is_printed_after_a_failed_check(decorate: Any, mode: bool | None) -> None:
    compiled = decorate(checked, jit_compile=mode)
    n = np.int64(6)
    wanted, given = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(wanted), pytest.raises(IndexError):
        checked(X, n)
    with contextlib.redirect_stdout(given), pytest.raises(IndexError, match="index 4 is out of"):
        compiled(X, n)
    assert given.getvalue() == wanted.getvalue()
    assert written(compiled, X, np.int64(3)) == written(checked, X, np.int64(3))


def nested_checks(x, n):
    total = 0
    for i in range(n):
        print("outer", i)
        k = 0
        while k < 2:
            print("inner", i, k)
            k += 1
        total += 10 // (2 - i)
    return total


@pytest.mark.parametrize("mode", MODES)
def test_a_check_after_an_inner_loop(mode: bool | None) -> None:
    compiled = ag.jit(nested_checks, jit_compile=mode)
    wanted, given = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(wanted), pytest.raises(ZeroDivisionError):
        nested_checks(X, 4)
    with contextlib.redirect_stdout(given), pytest.raises(ZeroDivisionError):
        compiled(X, 4)
    assert given.getvalue() == wanted.getvalue()


@pytest.mark.parametrize("mode", MODES)
def test_files(mode: bool | None) -> None:
    own, other = io.StringIO(), io.StringIO()

    @ag.jit(jit_compile=mode)
    def f(n):
        print("out", n, file=sys.stdout)
        print("err", n, file=sys.stderr)
        print("own", n, file=own)
        print("other", n, file=other)

    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        assert written(f, 1) == "out 1\n"
    assert written(f, 2) == "out 2\n"  # the standard output of that call
    assert errors.getvalue() == "err 1\n"
    assert (own.getvalue(), other.getvalue()) == ("own 1\nown 2\n", "other 1\nother 2\n")


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        if "2" in text:
            raise OSError("the disk is full")
        return super().write(text)


@pytest.mark.parametrize("mode", MODES)
def test_an_exception_of_the_file_is_raised_after_the_call(mode: bool | None) -> None:
    file = Broken()

    @ag.jit(jit_compile=mode)
    def f(n):
        for i in range(n):
            print(i, file=file)
        assert n < 5
        return n

    with pytest.raises(OSError, match="the disk is full"):
        f(5)
    assert file.getvalue() == "0\n1\n"  # and nothing is written after it
    assert f(1) == 1


def test_threads_print_each_their_own_lines() -> None:
    @ag.jit
    def f(n):
        for i in range(200):
            print(f"{n}:{i}", end=";")
        return n

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        threads = [threading.Thread(target=f, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    parts = output.getvalue().split(";")[:-1]
    for k in range(4):
        assert [p for p in parts if p.startswith(f"{k}:")] == [f"{k}:{i}" for i in range(200)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
def test_text_is_returned_as_a_string(decorate: Any, mode: bool | None) -> None:
    def f(x, n):
        text = f"{n!r} of {x[:2]}"
        return {"text": text, "parts": [text, f"{x[0]:.1f}"], "plain": "plain"}

    n = 3 if decorate is ag.jit else np.int64(3)
    assert decorate(f, jit_compile=mode)(X, n) == f(X, n)


@pytest.mark.parametrize("mode", MODES)
def test_text_that_a_loop_carries(mode: bool | None) -> None:
    def f(x, n):
        text = f"<{x[0]:.1f}>"
        for i in range(n):
            text = f"<{x[i]:.1f}>"
        print(text)

    compiled = ag.jit(f, jit_compile=mode)
    for n in (0, 1, 3):
        assert written(compiled, X, n) == written(f, X, n)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("weak", [True, False])
def test_the_elements_of_an_array_as_a_list(weak: bool, mode: bool | None) -> None:
    @ag.jit(jit_compile=mode)
    def f(x):
        listed(x)

    def listed(x: Any) -> None:
        print(text.listed(x, weak) if isinstance(x, ag.Tensor) else "")

    wanted = X.tolist() if weak else list(X)
    assert written(f, X) == f"{wanted}\n"


def test_one_of_several_texts() -> None:
    @ag.jit
    def f(x, n):
        index = ag.cast(n, "int64")
        one = choose(index, x[0])
        print(one, f"{one:>12}|", [one], ascii([one]))

    def choose(index: Any, value: Any) -> Any:
        return text.chosen(index, ["é", text.text_of(value, "", ".1f"), "c"])

    for n, wanted in enumerate(["é", "0.1", "c"]):
        expected = f"{wanted} {wanted:>12}| {[wanted]} {[wanted]!a}\n"
        assert written(f, X, n) == expected


def test_what_has_no_text_is_an_error_at_the_line() -> None:
    class Odd:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __repr__(self) -> str:
            return f"{self.value!r}".rjust(10)

    @ag.jit
    def f(n):
        print([Odd(n)])  # a method that is not converted

    with pytest.raises(OperatorNotAllowedInGraphError, match=r"the text of a tensor .*\n  at "):
        f(5000)

    @do_not_convert
    def library(n):
        return "%s" % n

    @ag.jit
    def g(n):
        return library(n)

    with pytest.raises(
        OperatorNotAllowedInGraphError, match=r"test_print.py:\d+: return \"%s\" % n"
    ):
        g(5000)


@pytest.mark.parametrize(
    ("use", "what"),
    [
        (lambda t: {t: 1}, "a key of a dict"),
        (lambda t: t == "x", "a comparison"),
        (lambda t: open(t), "the name of a file"),
        (lambda t: t.upper(), "upper"),
        (lambda t: "x" in t, "`in`"),
        (lambda t: t[0], "indexing"),
        (lambda t: len(t), "len"),
        (lambda t: int(t), "int"),
    ],
)
def test_text_where_a_string_is_needed(use: Any, what: str) -> None:
    @ag.function
    def f(n):
        return use(f"n is {n}")

    with pytest.raises(StagingError, match=rf"(?s){what}.*needs a text.*test_print.py:\d+"):
        f(ag.constant(1))


@pytest.mark.parametrize("use", [open, lambda t: re.match(t, "x")])
def test_text_of_the_run_time_that_python_needs(use: Any) -> None:
    @ag.jit
    def f(n):
        return len(str(n)), use(str(n))

    with pytest.raises((StagingError, ag.errors.OperatorNotAllowedInGraphError)):
        f(1)


@pytest.mark.parametrize("spec", ["d", ".3q"])
def test_a_format_that_does_not_fit_is_an_error_while_tracing(spec: str) -> None:
    @ag.jit
    def f(x):
        if x[0] > 0:
            print(f"{x[0]:{spec}}")

    with pytest.raises(ValueError, match=r"(?s)does not fit a run-time float64.*test_print.py:\d+"):
        f(X)

    @ag.jit
    def g(x):
        print(f"{x:{spec}}")

    with pytest.raises(TypeError, match="does not fit a run-time array of float64"):
        g(X)

    @ag.jit
    def h(x):
        print("%d %s" % (x, 1))

    with pytest.raises(TypeError, match="does not fit a run-time array"):
        h(X)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "uint16", "int32", "uint64", "float16", "bfloat16",
              "float32", "complex64", "complex128"]
)  # fmt: skip
def test_dtypes(dtype: str, mode: bool | None) -> None:
    def f(x):
        print(x[0], x[1], x, [x[2]], x[::-2])

    x = np.array([1, 0, 3]).astype(as_dtype(dtype).numpy)
    if x.dtype.kind in "ui":
        x -= np.array(2, x.dtype)  # wraps around where there is no sign
    if x.dtype.kind == "c":
        x *= 1 - 2j
    assert written(ag.jit(f, jit_compile=mode), x) == written(f, x)
