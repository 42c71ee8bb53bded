"""``ag.print``: what it writes, where to, and when."""

from __future__ import annotations

import contextlib
import io
import logging
import sys
from collections import OrderedDict, namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.host.summary import element, summary

from ..ways import everywhere, when_traced

Point = namedtuple("Point", "x y")
X = np.arange(24.0).reshape(8, 3)

TEXTS = [
    (np.float32(0.1), "0.1"),
    (np.float32(1 / 3), "0.333333343"),
    (np.float32(16777216), "16777216"),
    (np.float32(1e20), "1e+20"),
    (0.1, "0.1"),
    (1 / 3, "0.33333333333333331"),
    (2.0, "2"),
    (-0.0, "-0"),
    (np.nan, "nan"),
    (-np.inf, "-inf"),
    (np.float16(0.1), "0.0999755859"),
    (True, "1"),
    (np.uint8(255), "255"),
    (np.int64(-(2**63)), "-9223372036854775808"),
    (np.uint64(2**64 - 1), "18446744073709551615"),
    (1 - 2j, "(1-2j)"),
    (np.complex64(0.5 + 1j), "(0.5+1j)"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_a_scalar_is_as_short_as_it_can_be(value: Any, text: str) -> None:
    assert element(value) == text


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_float_can_be_read_back(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    for value in (rng.standard_normal(300) * 10.0 ** rng.integers(-30, 30, 300)).astype(dtype):
        assert dtype(element(value)) == value


@pytest.mark.parametrize(
    ("shape", "count", "text"),
    [
        ((3,), 3, "[0 1 2]"),
        ((6,), 3, "[0 1 2 3 4 5]"),
        ((7,), 3, "[0 1 2 ... 4 5 6]"),
        ((7,), 1, "[0 ... 6]"),
        ((7,), -1, "[0 1 2 3 4 5 6]"),
        ((2, 2), 3, "[[0 1]\n [2 3]]"),
        ((3, 3), 1, "[[0 ... 2]\n ...\n [6 ... 8]]"),
        ((2, 2, 2), 3, "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        ((0,), 3, "[]"),
        ((2, 0), 3, "[[]\n []]"),
    ],
)
def test_a_few_elements_at_each_end(shape: Any, count: int, text: str) -> None:
    assert summary(np.arange(np.prod(shape)).reshape(shape), count) == text


def program(x: Any, n: Any) -> Any:
    out = sys.stdout
    ag.print("text", n, x[0], 1.5, True, None, output_stream=out)
    ag.print(x, x[:, 1], x > 3, summarize=2, output_stream=out)
    ag.print(x[0], sep="|", end="", output_stream=out)
    ag.print(n, n, sep="|", end=".\n", output_stream=out)
    ag.print({"b": x[0], "a": (n, [1, 2.5, "s", None])}, output_stream=out)
    ag.print([Point(n, x[0, 0]), OrderedDict(k=n)], [], "{}", output_stream=out)
    ag.print(ag.cast(x[0], ag.int8), ag.cast(x[1], ag.bfloat16), x[:0], output_stream=out)
    for i in ag.range(n):
        if i % 2 == 0:
            ag.print("iteration", i, f"<{i}>", output_stream=out)
    return n


WANTED = """text 3 [0 1 2] 1.5 True None
[[0 1 2]
 [3 4 5]
 ...
 [18 19 20]
 [21 22 23]] [1 4 ... 19 22] [[0 0 0]
 [0 1 1]
 ...
 [1 1 1]
 [1 1 1]]
[0 1 2]3|3.
{'a': (3, [1, 2.5, 's', None]), 'b': [0 1 2]}
[Point(x=3, y=0), OrderedDict([('k', 3)])] [] {}
[0 1 2] [3 4 5] []
iteration 0 <0>
iteration 2 <2>
"""


@everywhere
def test_everything_is_written_in_order(wrap: Any) -> None:
    function = wrap(program)
    for _ in range(2):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            function(ag.constant(X), ag.constant(3))
        assert output.getvalue() == WANTED


@everywhere
def test_the_streams_are_those_of_the_moment(wrap: Any) -> None:
    def f(n: Any) -> Any:
        ag.print("error", n)
        ag.print("error too", n, output_stream=sys.stderr)
        ag.print("output", n, output_stream=sys.stdout)
        return n

    function = wrap(f)
    for iteration in range(2):
        error, output = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(error), contextlib.redirect_stdout(output):
            function(ag.constant(iteration))
        assert error.getvalue() == f"error {iteration}\nerror too {iteration}\n"
        assert output.getvalue() == f"output {iteration}\n"


@everywhere
def test_a_file_is_appended_to(wrap: Any, tmp_path: Path) -> None:
    path = tmp_path / "log with a space é.txt"

    def f(n: Any) -> Any:
        for i in ag.range(n):
            ag.print("ä", i, output_stream=f"file://{path}")

    function = wrap(f)
    function(ag.constant(2))
    function(ag.constant(1))
    assert path.read_text(encoding="utf-8") == "ä 0\nä 1\nä 0\n"


@everywhere
def test_logging_takes_lines(wrap: Any, caplog: Any) -> None:
    logger = logging.getLogger("agir.test")

    def f(x: Any) -> Any:
        ag.print("x is", x, output_stream=logger.warning)
        ag.print("once more", output_stream=logger.error)

    with caplog.at_level(logging.INFO, logger="agir.test"):
        wrap(f)(ag.constant([1, 2]))
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("WARNING", "x is [1 2]"),
        ("ERROR", "once more"),
    ]


@everywhere
def test_any_other_file(wrap: Any) -> None:
    file = io.StringIO()
    wrap(lambda n: ag.print(n, output_stream=file))(ag.constant(5))
    assert file.getvalue() == "5\n"


@when_traced
def test_python_s_own_print_is_in_the_same_order(wrap: Any, capsys: Any) -> None:
    @wrap
    def f(n: Any) -> Any:
        for i in ag.range(n):
            ag.print("one", i, output_stream=sys.stdout)
            print("two", i)

    f(ag.constant(2))
    assert capsys.readouterr().out == "one 0\ntwo 0\none 1\ntwo 1\n"


@when_traced
def test_what_is_known_is_written_in_every_call_too(wrap: Any, capsys: Any) -> None:
    @wrap
    def f(x: Any) -> Any:
        ag.print("constant", output_stream=sys.stdout)
        return x

    for _ in range(3):
        f(ag.constant(1.0))
    assert capsys.readouterr().out == "constant\n" * 3


@when_traced
def test_nothing_is_written_after_a_failure(wrap: Any, capsys: Any) -> None:
    @wrap
    def f(x: Any, i: Any) -> Any:
        ag.print("before", output_stream=sys.stdout)
        y = x[i]
        ag.print("after", y, output_stream=sys.stdout)
        return y

    with pytest.raises(IndexError):
        f(X[0], ag.constant(7))
    assert capsys.readouterr().out == "before\n"


@everywhere
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"output_stream": "somewhere"}, ValueError, "output_stream must be"),
        ({"output_stream": 3}, ValueError, "output_stream must be"),
        ({"sep": 1}, TypeError, "must be strings"),
        ({"end": None}, TypeError, "must be strings"),
    ],
)
def test_options_that_make_no_sense(
    wrap: Any, options: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        wrap(lambda n: ag.print(n, **options))(ag.constant(1))


def test_a_file_that_cannot_be_written_is_the_call_s_error(tmp_path: Path) -> None:
    @ag.function
    def f(n: Any) -> Any:
        ag.print(n, output_stream=f"file://{tmp_path}/no/such/folder")
        return n

    with pytest.raises(FileNotFoundError):
        f(ag.constant(1))
