from __future__ import annotations

import math

import numpy as np
import pytest

from .interpret import DTYPES, Case, Elementwise, assert_same, run

INF, NAN = np.inf, np.nan
UNARY = {
    "absf": (np.abs, [-1.5, 2.0]),
    "exp": (np.exp, [-1.0, 0.5]),
    "exp2": (np.exp2, [-1.0, 0.5]),
    "expm1": (np.expm1, [-1.0, 0.5]),
    "log": (np.log, [0.25, 3.0]),
    "log2": (np.log2, [0.25, 3.0]),
    "log10": (np.log10, [0.25, 3.0]),
    "log1p": (np.log1p, [0.25, 3.0]),
    "sqrt": (np.sqrt, [0.25, 3.0]),
    "rsqrt": (lambda x: 1 / np.sqrt(x), [0.25, 3.0]),
    "cbrt": (np.cbrt, [-8.0, 3.0]),
    "sin": (np.sin, [-1.0, 0.5]),
    "cos": (np.cos, [-1.0, 0.5]),
    "tan": (np.tan, [-1.0, 0.5]),
    "asin": (np.arcsin, [-1.0, 0.5]),
    "acos": (np.arccos, [-1.0, 0.5]),
    "atan": (np.arctan, [-1.0, 0.5]),
    "sinh": (np.sinh, [-1.0, 0.5]),
    "cosh": (np.cosh, [-1.0, 0.5]),
    "tanh": (np.tanh, [-1.0, 0.5]),
    "asinh": (np.arcsinh, [-1.0, 0.5]),
    "acosh": (np.arccosh, [1.0, 2.5]),
    "atanh": (np.arctanh, [-0.75, 0.5]),
    "erf": (np.vectorize(math.erf), [-1.0, 0.5]),
    "erfc": (np.vectorize(math.erfc), [-1.0, 0.5]),
}
ROUNDING = {
    "ceil": [-2.0, -1.0, -0.0, 1.0, 1.0, 2.0, 3.0],
    "floor": [-3.0, -2.0, -1.0, 0.0, 0.0, 1.0, 2.0],
    "trunc": [-2.0, -1.0, -0.0, 0.0, 0.0, 1.0, 2.0],
    "round": [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0],
    "roundeven": [-2.0, -2.0, -0.0, 0.0, 0.0, 2.0, 2.0],
}
HALVES = [-2.5, -1.5, -0.5, 0.25, 0.5, 1.5, 2.5]
EPSILON = {"f64": 1e-15, "f32": 1e-6, "f16": 2e-3, "bf16": 2e-2}


def unary(name: str, type_: str, values: object, expected: object, tolerance: float) -> Elementwise:
    return Elementwise(f"math.{name} %0 : $0", ((type_, values),), type_, expected, tolerance)


def classify(name: str, values: object, expected: object, type_: str = "f32") -> Elementwise:
    return Elementwise(f"math.{name} %0 : $0", ((type_, values),), "i1", expected)


def several(name: str, type_: str, operands: list[object], expected: object) -> Elementwise:
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    pairs = tuple((type_, operand) for operand in operands)
    return Elementwise(f"math.{name} {names} : $0", pairs, type_, expected)


SPECIAL = [1.0, NAN, INF, -INF, 1e-40, 0.0]
ELEMENTWISE = [
    *(
        unary(name, type_, values, function(np.array(values)), tolerance)
        for name, (function, values) in UNARY.items()
        for type_, tolerance in EPSILON.items()
    ),
    *(
        unary(name, type_, HALVES, expected, 0)
        for name, expected in ROUNDING.items()
        for type_ in EPSILON
    ),
    unary("round", "f64", [0.49999999999999994, 2.0**52 + 1], [0.0, 2.0**52 + 1], 0),
    unary("rsqrt", "f32", [0.0, 4.0], [INF, 0.5], 0),
    classify("isnan", SPECIAL, [False, True, False, False, False, False]),
    classify("isinf", SPECIAL, [False, False, True, True, False, False]),
    classify("isfinite", SPECIAL, [True, False, False, False, True, True]),
    classify("isnormal", SPECIAL, [True, False, False, False, False, False]),
    classify("isnormal", [1.0, 0.0, NAN], [True, False, False], "bf16"),
    several("absi", "i8", [[-5, 5, -128]], [5, 5, -128]),
    several("ctpop", "i8", [[0, -1, 5]], [0, 8, 2]),
    several("ctlz", "i8", [[0, -1, 5]], [8, 0, 5]),
    several("cttz", "i8", [[0, -1, 4]], [8, 0, 2]),
    several("ctlz", "i64", [[0, -1, 5]], [64, 0, 61]),
    several("cttz", "i64", [[0, -1, -(2**63)]], [64, 0, 63]),
    several("ctlz", "i1", [[False, True]], [True, False]),
    several("atan2", "f64", [[1.0, -1.0], [-1.0, 0.0]], np.arctan2([1.0, -1.0], [-1.0, 0.0])),
    several("copysign", "bf16", [[1.0, -2.0], [-0.0, 3.0]], [-1.0, 2.0]),
    several("powf", "f64", [[2.0, -8.0, 0.0], [0.5, 3.0, 0.0]], [2**0.5, -512.0, 1.0]),
    several("powf", "f32", [[-INF, -0.0, 4.0], [0.5] * 3], [INF, 0.0, 2.0]),
    several(
        "ipowi",
        "i8",
        [[2, 2, -3, 7, -1, 2, 1, -1], [3, 8, 3, 0, 5, -1, -4, -3]],
        [8, 0, -27, 1, -1, 0, 1, -1],
    ),
    several("ipowi", "i64", [[3, 10], [40, 19]], [12157665459056928801 - 2**64, 10**19 - 2**64]),
    Elementwise(
        "math.clampf %0 to [%1, %2] : $0",
        (("f32", [-1.0, 0.5, 2.0]), ("f32", 0.0), ("f32", 1.0)),
        "f32",
        [0.0, 0.5, 1.0],
    ),
    several(
        "fma",
        "f64",
        [[1 + 2.0**-30, INF, 1e308], [1 - 2.0**-30, 1.0, 10.0], [-1.0, 1.0, 0.0]],
        [-(2.0**-60), INF, INF],
    ),
    several(
        "fma", "f32", [[1 + 2.0**-12, 2.0], [1 - 2.0**-12, 3.0], [-1.0, 4.0]], [-(2.0**-24), 10.0]
    ),
    several("fma", "bf16", [[1.5, 2.0], [1.5, 3.0], [-2.25, 4.0]], [0.0, 10.0]),
    Elementwise(
        "math.fpowi %0, %1 : $0, $1",
        (("f32", [2.0, -2.0, 0.5]), ("i32", [3, 3, -2])),
        "f32",
        [8.0, -8.0, 4.0],
    ),
]
SINCOS = """
func.func @f(%x: f32) -> (f32, f32) {
  %s, %c = math.sincos %x : f32
  return %s, %c : f32, f32
}"""
HALF = np.float32(0.5)
CASES = [Case(SINCOS, (HALF,), (np.sin(HALF), np.cos(HALF)))]


@pytest.mark.parametrize("case", ELEMENTWISE, ids=lambda case: f"{case.text} {case.result}")
def test_elementwise(case: Elementwise) -> None:
    arrays = [np.atleast_1d(array) for array in case.arrays()]
    expected = np.array(case.expected, DTYPES[case.result])
    (result,) = run(case.program(len(expected)), *arrays)
    assert_same(result, expected, case.tolerance)
    for position, value in enumerate(expected):
        (result,) = run(case.program(None), *(array[position] for array in arrays))
        assert_same(result, value, case.tolerance)


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    for result, expected in zip(run(case.text, *case.arguments), case.expected, strict=True):
        assert_same(result, expected)


def test_fma_rounds_once() -> None:
    (case,) = (case for case in ELEMENTWISE if "fma" in case.text and case.result == "f32")
    x = np.float32(1 + 2**-12)  # its square lies halfway between two floats
    above = np.nextafter(np.float32(1 + 2**-11), np.float32(2))
    assert run(case.program(None), x, x, np.float32(2**-60))[0] == above
    assert run(case.program(None), x, x, np.float32(-(2**-60)))[0] == np.float32(1 + 2**-11)
