"""Mathematical functions against higher precision, in units of the last place."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

HALF, BRAIN = np.float16, ml_dtypes.bfloat16
DTYPES = {"f16": HALF, "bf16": BRAIN, "f32": np.float32, "f64": np.float64}

# the function in higher precision, the range, and the greatest error allowed
UNARY = {
    "acos": (np.arccos, -1, 1, 2),
    "acosh": (np.arccosh, 1, 50, 2),
    "asin": (np.arcsin, -1, 1, 2),
    "asinh": (np.arcsinh, -50, 50, 2),
    "atan": (np.arctan, -50, 50, 2),
    "atanh": (np.arctanh, -0.99, 0.99, 2),
    "cbrt": (np.cbrt, -50, 50, 2),
    "ceil": (np.ceil, -9, 9, 0),
    "cos": (np.cos, -50, 50, 2),
    "cosh": (np.cosh, -9, 9, 2),
    "exp": (np.exp, -9, 9, 1),
    "exp2": (np.exp2, -9, 9, 1),
    "expm1": (np.expm1, -0.5, 0.5, 2),
    "floor": (np.floor, -9, 9, 0),
    "log": (np.log, 0.01, 50, 1),
    "log10": (np.log10, 0.01, 50, 2),
    "log1p": (np.log1p, -0.5, 0.5, 2),
    "log2": (np.log2, 0.01, 50, 2),
    "roundeven": (np.rint, -9, 9, 0),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.01, 50, 2),
    "sin": (np.sin, -50, 50, 2),
    "sinh": (np.sinh, -9, 9, 2),
    "sqrt": (np.sqrt, 0, 50, 0.51),
    "tan": (np.tan, -9, 9, 2),
    "tanh": (np.tanh, -9, 9, 2),
    "trunc": (np.trunc, -9, 9, 0),
}


def ulps(result: np.ndarray, exact: np.ndarray) -> float:
    """The greatest error; `exact` has more digits than the result."""
    rounded = exact.astype(np.float64).astype(result.dtype)
    above = np.nextafter(np.abs(rounded), result.dtype.type(np.inf))
    unit = (above.astype(np.float64) - np.abs(rounded).astype(np.float64)).astype(np.longdouble)
    error = np.abs(result.astype(np.float64).astype(np.longdouble) - exact)
    return float(np.max(error / unit))


@pytest.mark.parametrize("name", UNARY)
def test_unary(run, name):
    exact, low, high, allowed = UNARY[name]
    points = np.random.default_rng(0).uniform(low, high, 2000)
    kinds = list(DTYPES)
    arguments = ", ".join(f"%x{kind}: tensor<?x{kind}>" for kind in kinds)
    types = ", ".join(f"tensor<?x{kind}>" for kind in kinds)
    body = "\n".join(f"  %r{k} = math.{name} %x{k} : tensor<?x{k}>" for k in kinds)
    values = ", ".join(f"%r{kind}" for kind in kinds)
    text = f"func.func @f({arguments}) -> ({types}) {{\n{body}\n  return {values} : {types}\n}}"
    inputs = [points.astype(DTYPES[kind]) for kind in kinds]
    for given, result in zip(inputs, run(text, *inputs), strict=True):
        wanted = exact(given.astype(np.float64).astype(np.longdouble))
        assert ulps(result, wanted) <= allowed, result.dtype


@pytest.mark.parametrize(("name", "function"), [("erf", math.erf), ("erfc", math.erfc)])
def test_error_functions(run, name, function):
    x = np.linspace(-4, 4, 1001)
    kind = "tensor<?xf64>"
    text = f"func.func @f(%x: {kind}) -> {kind} {{\n  %r = math.{name} %x : {kind}\n"
    (result,) = run(text + f"  return %r : {kind}\n}}", x)
    np.testing.assert_allclose(result, [function(value) for value in x], rtol=5e-16)


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", ["exp", "expm1", "log", "log1p", "sin", "tanh", "sqrt", "cbrt"])
def test_special_values(run, kind, name):
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]).astype(DTYPES[kind])
    text = f"""func.func @f(%x: tensor<?x{kind}>) -> tensor<?x{kind}> {{
      %r = math.{name} %x : tensor<?x{kind}>
      return %r : tensor<?x{kind}>
    }}"""
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x.astype(np.float64)).astype(x.dtype)
    (result,) = run(text, x)
    result, expected = result.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(result, expected, rtol=1e-2)
    defined = ~np.isnan(expected)
    assert (np.signbit(result) == np.signbit(expected))[defined].all()


@pytest.mark.parametrize(("wide", "narrow"), [("f64", "f16"), ("f64", "bf16"), ("f32", "bf16")])
def test_narrowing_rounds_once(run, wide, narrow):
    generator = np.random.default_rng(1)
    x = generator.uniform(-1, 1, 5000) * 2.0 ** generator.integers(-30, 18, 5000)
    exact = np.float64(1) + 2.0**-11  # halfway between two f16
    halfway = [exact, np.nextafter(exact, 2), np.nextafter(exact, 0), exact + 2.0**-30]
    x = np.concatenate([x, halfway, [0.0, -0.0, np.inf, -np.inf, np.nan, 65519.9, 65520, 1e-300]])
    x = x.astype(DTYPES[wide])
    text = f"""func.func @f(%x: tensor<?x{wide}>) -> tensor<?x{narrow}> {{
      %r = arith.truncf %x : tensor<?x{wide}> to tensor<?x{narrow}>
      return %r : tensor<?x{narrow}>
    }}"""
    (result,) = run(text, x)
    with np.errstate(over="ignore"):
        expected = once(x, narrow)
    np.testing.assert_array_equal(result.astype(np.float64), expected)


def once(x: np.ndarray, narrow: str) -> np.ndarray:
    """Rounded by NumPy; ml_dtypes rounds f64 to bf16 by way of f32, so that is done by hand."""
    if narrow == "f16" or x.dtype == np.float32:
        return x.astype(DTYPES[narrow]).astype(np.float64)
    mantissa, exponent = np.frexp(x)
    finite = np.isfinite(x)
    rounded = np.ldexp(np.rint(np.where(finite, mantissa, 0) * 256), exponent - 8)
    return np.where(finite, np.where(np.abs(rounded) < 1e-40, np.copysign(0, x), rounded), x)


@pytest.mark.parametrize("kind", DTYPES)
def test_predicates(run, kind):
    smallest = ml_dtypes.finfo(DTYPES[kind]).smallest_normal
    values = [0, 1, np.inf, -np.inf, np.nan, float(smallest), float(smallest) / 2]
    x = np.array(values).astype(DTYPES[kind])
    vector, flags = f"tensor<?x{kind}>", "tensor<?xi1>"
    names = ["isnan", "isinf", "isfinite", "isnormal"]
    body = "\n".join(f"  %{name} = math.{name} %x : {vector}" for name in names)
    results = ", ".join(f"%{name}" for name in names)
    types = ", ".join([flags] * 4)
    text = f"func.func @f(%x: {vector}) -> ({types}) {{\n{body}\n  return {results} : {types}\n}}"
    nan, infinite, finite, normal = run(text, x)
    assert nan.tolist() == [False, False, False, False, True, False, False]
    assert infinite.tolist() == [False, False, True, True, False, False, False]
    assert finite.tolist() == [True, True, False, False, False, True, True]
    assert normal.tolist() == [False, True, False, False, False, True, False]
