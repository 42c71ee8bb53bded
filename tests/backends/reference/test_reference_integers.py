"""Integer arithmetic against Python's unbounded integers, for every width."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agir.backends.reference import Interpreter, UndefinedBehaviour

from .interpret import DTYPES, parse

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


def unsigned(value: int, bits: int) -> int:
    return value % (1 << bits)


def wrap(value: int, bits: int) -> int:
    """The signed integer with these low bits."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "maxui": max,
    "minui": min,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@cache
def interpreter() -> Interpreter:
    """One module with a function for each operation and width, on vectors."""
    functions = []
    for type_ in WIDTHS:
        vector, flags = f"tensor<?x{type_}>", "tensor<?xi1>"
        for name in (*SIGNED, *UNSIGNED):
            functions.append((f"{name}_{type_}", f"arith.{name} %a, %b : {vector}", vector, vector))
        for name in COMPARISONS:
            for sign in "su":
                line = f"arith.cmpi {sign}{name}, %a, %b : {vector}"
                functions.append((f"{sign}{name}_{type_}", line, vector, flags))
    return Interpreter(
        parse(
            "\n".join(
                f"func.func @{name}(%a: {vector}, %b: {vector}) -> {result} {{\n"
                f"  %r = {line}\n  return %r : {result}\n}}"
                for name, line, vector, result in functions
            )
        )
    )


def array(values: list[int], type_: str) -> np.ndarray:
    return np.array([unsigned(v, 1) for v in values] if type_ == "i1" else values, DTYPES[type_])


@st.composite
def operands(draw: st.DrawFn) -> tuple[str, list[int], list[int]]:
    type_ = draw(st.sampled_from(sorted(WIDTHS)))
    high = 1 << (WIDTHS[type_] - 1)
    numbers = st.integers(-high, high - 1) | st.sampled_from([-high, -1, 0, high - 1])
    pairs = draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4))
    return type_, [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
@given(case=operands())
def test_binary(name: str, case: tuple[str, list[int], list[int]]) -> None:
    type_, left, right = case
    bits = WIDTHS[type_]
    read = unsigned if name in UNSIGNED else wrap
    function = UNSIGNED.get(name) or SIGNED[name]
    pairs = [(read(a, bits), read(b, bits)) for a, b in zip(left, right, strict=True)]
    arguments = f"{name}_{type_}", array(left, type_), array(right, type_)
    if ("div" in name or "rem" in name) and any(
        b == 0 or (name not in UNSIGNED and b == -1 and a == -(1 << (bits - 1))) for a, b in pairs
    ):
        with pytest.raises(UndefinedBehaviour):
            interpreter().call(*arguments)
        return
    expected = array([wrap(function(a, b), bits) for a, b in pairs], type_)
    (result,) = interpreter().call(*arguments)
    np.testing.assert_array_equal(result, expected, strict=True)


@pytest.mark.parametrize("name", COMPARISONS)
@given(case=operands())
def test_comparison(name: str, case: tuple[str, list[int], list[int]]) -> None:
    type_, left, right = case
    bits = WIDTHS[type_]
    for sign, read in (("s", wrap), ("u", unsigned)):
        expected = [
            COMPARISONS[name](read(a, bits), read(b, bits))
            for a, b in zip(left, right, strict=True)
        ]
        arguments = f"{sign}{name}_{type_}", array(left, type_), array(right, type_)
        assert interpreter().call(*arguments)[0].tolist() == expected
