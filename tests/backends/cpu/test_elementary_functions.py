"""The elementary functions: at most 2 units in the last place, compiled and interpreted."""

from __future__ import annotations

import itertools
import math

import ml_dtypes
import mpmath as mp
import numpy as np
import pytest

from agir.backends.reference.interpreter import Interpreter
from agir.backends.stages import Compilation

KINDS = {"f32": np.float32, "f64": np.float64}
NARROW = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
BOUND = 2.0
INF, NAN = math.inf, math.nan


def limited(function, bound: float = 2000):
    """Beyond the bound it is as good as infinite, and takes mpmath long."""
    return lambda x: function(min(max(x, -bound), bound))


# mpmath's function, and an interval that is sampled besides all the numbers there are
UNARY = {
    "acos": (mp.acos, -1, 1),
    "acosh": (mp.acosh, 1, 9),
    "asin": (mp.asin, -1, 1),
    "asinh": (mp.asinh, -9, 9),
    "atan": (mp.atan, -9, 9),
    "atanh": (mp.atanh, -1, 1),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), -9, 9),
    "cos": (mp.cos, -99, 99),
    "cosh": (limited(mp.cosh), -9, 9),
    "erf": (mp.erf, -6, 6),
    "erfc": (limited(mp.erfc, 99), -6, 27),
    "exp": (limited(mp.exp), -99, 88),
    "exp2": (limited(lambda x: mp.mpf(2) ** x), -99, 99),
    "expm1": (limited(mp.expm1), -2, 9),
    "log": (mp.log, 0, 9),
    "log10": (mp.log10, 0, 9),
    "log1p": (mp.log1p, -1, 9),
    "log2": (lambda x: mp.log(x, 2), 0, 9),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), 0, 9),
    "sin": (mp.sin, -99, 99),
    "sinh": (limited(mp.sinh), -9, 9),
    "tan": (mp.tan, -99, 99),
    "tanh": (limited(mp.tanh), -9, 9),
}
ANGLES = (mp.sin, mp.cos, mp.tan)
BINARY = {"atan2": mp.atan2, "powf": mp.power}

# What C demands at 0, 1 and infinity, and outside of the domain: arguments and results.
SPECIAL = {
    "acos": [(1.0, 0.0), (1.5, NAN), (INF, NAN), (-INF, NAN)],
    "acosh": [(1.0, 0.0), (0.5, NAN), (-5.0, NAN), (-INF, NAN), (INF, INF)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-INF, NAN)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN)],
    "cbrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (8.0, 2.0), (-27.0, -3.0)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "cosh": [(0.0, 1.0), (INF, INF), (-INF, INF)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0)],
    "erfc": [(0.0, 1.0), (INF, 0.0), (-INF, 2.0)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e5, INF), (-1e5, 0.0)],
    "exp2": [(0.0, 1.0), (10.0, 1024.0), (INF, INF), (-INF, 0.0), (1e5, INF), (-1e5, 0.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (1e5, INF), (-1e5, -1.0)],
    "log": [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "log10": [(1.0, 0.0), (1000.0, 3.0), (0.0, -INF), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-1.5, NAN), (INF, INF), (-INF, NAN)],
    "log2": [(1.0, 0.0), (1024.0, 10.0), (0.125, -3.0), (0.0, -INF), (-1.0, NAN), (INF, INF)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (4.0, 0.5), (INF, 0.0), (-1.0, NAN)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (50.0, 1.0)],
}
EDGES = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, 2.5, INF, -INF, NAN]


def program(name: str, kind: str, operands: int = 1) -> str:
    names = ", ".join(f"%x{n}" for n in range(operands))
    takes = ", ".join(f"%x{n}: tensor<?x{kind}>" for n in range(operands))
    return f"""func.func @f({takes}) -> tensor<?x{kind}> {{
      %y = math.{name} {names} : tensor<?x{kind}>
      return %y : tensor<?x{kind}>
    }}"""


def interpreted(text: str, *arguments: np.ndarray) -> np.ndarray:
    module = Compilation.from_text(text, "hlo").get("hlo")
    with np.errstate(all="ignore"):
        return Interpreter(module).call("f", *arguments)[0]


def sample(kind: str, low: float, high: float, seed: int) -> np.ndarray:
    """Numbers of all sizes, numbers of the interval, and some that are next to others."""
    dtype = KINDS[kind]
    generator = np.random.default_rng(seed)
    integer = np.dtype(f"u{np.dtype(dtype).itemsize}")
    every = generator.integers(0, np.iinfo(integer).max, 160, dtype=integer, endpoint=True).view(
        dtype
    )
    inside = generator.uniform(low, high, 160)
    near = np.array([1, -1, 0.5, -0.5, np.pi, np.pi / 2, np.log(2) / 2, np.sqrt(2), np.sqrt(0.5)])
    around = np.concatenate([near * (1 + scale) for scale in (0, 1e-7, -1e-7, 1e-3, -1e-3)])
    info = np.finfo(dtype)
    ends = [info.max, info.tiny, info.smallest_subnormal, info.tiny * (1 - info.eps), 1e-5, 1e-20]
    points = np.concatenate([a.astype(dtype) for a in (every, inside, around, np.array(ends))])
    return points[np.isfinite(points)]


def ulps(result: np.ndarray, function, *points: np.ndarray) -> float:
    """The greatest error; a NaN, or an infinity, has to be one."""
    info = np.finfo(result.dtype)
    worst = 0.0
    for got, *x in zip(result.tolist(), *(p.tolist() for p in points), strict=True):
        with mp.workprec(1300 if function in ANGLES and abs(x[0]) > 1e9 else 200):
            try:
                exact = function(*(mp.mpf(v) for v in x))
            except ZeroDivisionError:
                continue  # a pole: SPECIAL knows its sign
            if not isinstance(exact, mp.mpf):
                assert math.isnan(got), (x, got)
                continue
            if not mp.isfinite(exact):
                assert math.isinf(got), (x, got)
                continue
            if abs(exact) > mp.mpf(float(info.max)) * (1 + mp.mpf(2) ** -30):
                assert math.isinf(got), (x, got)
                continue
            exponent = mp.frexp(exact)[1] - 1 if exact else int(info.minexp)
            unit = mp.mpf(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
            worst = max(worst, float(abs(mp.mpf(got) - exact) / unit))
    return worst


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", UNARY)
def test_accuracy(run, name, kind):
    function, low, high = UNARY[name]
    points = sample(kind, low, high, seed=len(name))
    text = program(name, kind)
    (result,) = run(text, points)
    assert ulps(result, function, points) <= BOUND
    assert ulps(interpreted(text, points), function, points) <= BOUND


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BINARY)
def test_accuracy_of_two(run, name, kind):
    x = sample(kind, -3, 3, seed=1)
    y = np.random.default_rng(2).choice(sample(kind, -30, 30, seed=3), len(x))
    if name == "powf":
        x = np.abs(x)
        y = np.where(abs(y) > 40, np.copysign(1, y) * 7.5, y).astype(x.dtype)
    text = program(name, kind, 2)
    (result,) = run(text, x, y)
    assert ulps(result, BINARY[name], x, y) <= BOUND
    assert ulps(interpreted(text, x, y), BINARY[name], x, y) <= BOUND


@pytest.mark.parametrize("kind", [*KINDS, *NARROW])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(run, name, kind):
    dtype = {**KINDS, **NARROW}[kind]
    with np.errstate(over="ignore"):
        given, expected = np.array([*SPECIAL[name], (NAN, NAN)]).T.astype(dtype)
    expected = expected.astype(np.float64)
    text = program(name, kind)
    (result,) = run(text, np.tile(given, 7))  # more than a vector
    for got in (*result.reshape(7, -1), interpreted(text, given)):
        got = got.astype(np.float64)
        np.testing.assert_array_equal(got, expected)
        known = ~np.isnan(expected)
        assert (np.signbit(got) == np.signbit(expected))[known].all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "function"), [("powf", math.pow), ("atan2", math.atan2)])
def test_special_pairs(run, name, function, kind):
    """As C has them, which is what Python's own functions are, but for errors that they raise."""
    pairs = list(itertools.product(EDGES, EDGES))

    def expected(x: float, y: float) -> float:
        try:
            return function(x, y)
        except ValueError:
            # 0 to a negative power is an infinity, of 0's sign if the power is odd
            if x == 0:
                return math.copysign(INF, x) if y % 2 == 1 else INF
            return NAN

    dtype = KINDS[kind]
    x, y = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    wanted = np.array([expected(*pair) for pair in pairs]).astype(dtype)
    text = program(name, kind, 2)
    for got in (run(text, x, y)[0], interpreted(text, x, y)):
        np.testing.assert_allclose(got, wanted, rtol=2 * np.finfo(dtype).eps)
        known = ~np.isnan(wanted)
        assert (np.signbit(got) == np.signbit(wanted))[known].all()


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("name", UNARY)
def test_half_precision(run, name, kind):
    """By way of single precision: half a unit, and what the first rounding adds."""
    dtype = NARROW[kind]
    function, low, high = UNARY[name]
    points = np.random.default_rng(4).uniform(low, min(high, 9), 60).astype(dtype)
    points = points[(points.astype(float) >= low) & (points.astype(float) <= high)]
    (result,) = run(program(name, kind), points)
    exact = np.array([float(mp.re(function(mp.mpf(float(x))))) for x in points])
    unit = 2.0 ** (np.floor(np.log2(abs(exact) + 1e-30)) - ml_dtypes.finfo(dtype).nmant)
    normal = abs(exact) > float(ml_dtypes.finfo(dtype).tiny)
    assert (abs(result.astype(np.float64) - exact) / unit)[normal].max() < 0.51


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles(run, name, kind):
    """Vectors in which some lanes, all or none take the reduction for large arguments."""
    dtype = KINDS[kind]
    function, *_ = UNARY[name]
    generator = np.random.default_rng(5)
    sizes = 2.0 ** generator.uniform(-20, 120, 300)
    mixed = (sizes * generator.choice([-1, 1], 300)).astype(dtype)
    multiples = (np.floor(2.0 ** generator.uniform(0, 60, 100)) * (np.pi / 2)).astype(dtype)
    for points in (mixed, np.abs(mixed) + dtype(1e20), multiples, np.array([1e30, 1e22, 1], dtype)):
        (result,) = run(program(name, kind), points)
        assert ulps(result, function, points) <= BOUND


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@pytest.mark.parametrize("kind", KINDS)
def test_loops_call_no_library(lower, name, kind):
    """Nothing is called but what is for large angles."""
    text = lower(program(name, kind, 2 if name in BINARY else 1), "llvm")
    declared = [
        line.split("@")[1].split("(")[0]
        for line in text.splitlines()
        if "llvm.func @" in line and not line.rstrip().endswith("{")
    ]
    assert set(declared) <= {"malloc", "free", "memcpy"}
    assert "math." not in text


@pytest.mark.parametrize("name", ["exp", "tanh", "log", "sin", "atan", "erf"])
def test_loops_are_vectorised(name):
    """The machine code multiplies several numbers at once."""
    code = str(Compilation.from_text(program(name, "f64"), "hlo").text("asm"))
    assert any("pd" in line.split()[0] for line in code.splitlines() if line.split()), code


SCALAR = """func.func @f(%x: KIND, %n: index) -> (KIND, KIND, KIND) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : KIND
  %once = math.NAME %x : KIND
  %twice = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> KIND {
    %next = math.NAME %y : KIND
    scf.yield %next : KIND
  }
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> KIND {
    %count = arith.index_cast %i : index to i32
    %more = arith.sitofp %count : i32 to KIND
    %place = arith.addf %x, %more : KIND
    %term = math.NAME %place : KIND
    %next = arith.addf %s, %term : KIND
    scf.yield %next : KIND
  }
  return %once, %twice, %sum : KIND, KIND, KIND
}"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", UNARY)
def test_scalars(run, name, kind):
    """Alone, in a chain in which each result waits for another, and in a sum."""
    function, *_ = UNARY[name]
    dtype = KINDS[kind]
    x = dtype(1.25 if name == "acosh" else 0.75)
    once, again, total = run(SCALAR.replace("KIND", kind).replace("NAME", name), x, 1)
    once_more = np.array([once, again, total], dtype)
    assert ulps(once_more, function, np.full(3, x)) <= BOUND


@pytest.mark.parametrize("name", ["exp", "log", "log1p", "sin", "cos", "tan"])
def test_a_chain_is_left_to_the_library_of_c(lower, name):
    """Where nothing can be vectorised, a function with tables is sooner ready."""
    text = lower(SCALAR.replace("KIND", "f64").replace("NAME", name), "llvm")
    assert text.count(f"call @agir.{name}_f64(") == 1  # the sum
