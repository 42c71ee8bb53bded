"""Complex operations: as accurate as NumPy's for ordinary values, and like them for others."""

from __future__ import annotations

import numpy as np
import pytest

KINDS = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}

UNARY = {
    "abs": np.abs,
    "angle": np.angle,
    "conj": np.conj,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "im": np.imag,
    "log": np.log,
    "log1p": np.log1p,
    "neg": np.negative,
    "re": np.real,
    "sin": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
BINARY = {
    "add": np.add,
    "div": np.divide,
    "mul": np.multiply,
    "pow": np.power,
    "sub": np.subtract,
}
REAL = ("abs", "angle", "im", "re")

PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan]
SPECIAL = np.array([complex(a, b) for a in PARTS for b in PARTS])


def program(name: str, kind: str, operands: int) -> str:
    names = [f"%x{i}" for i in range(operands)]
    vector = f"tensor<?x{kind}>"
    result = f"tensor<?x{kind[8:-1]}>" if name in REAL else vector
    return f"""
    func.func @f({", ".join(f"{each}: {vector}" for each in names)}) -> {result} {{
      %zero = arith.constant 0 : index
      %n = tensor.dim %x0, %zero : {vector}
      %e = tensor.empty(%n) : {result}
      %r = linalg.map {{complex.{name}}}
          ins({", ".join(names)} : {", ".join([vector] * operands)}) outs(%e : {result})
      return %r : {result}
    }}"""


def ordinary(seed: int, dtype: type) -> np.ndarray:
    generator = np.random.default_rng(seed)
    near = generator.uniform(-3, 3, 400) + 1j * generator.uniform(-3, 3, 400)
    wide = np.exp(generator.uniform(-20, 20, 200) + 1j * generator.uniform(-3.1, 3.1, 200))
    unit = np.exp(1j * generator.uniform(-3, 3, 50)) * (1 + 1e-9 * generator.normal(size=50))
    return np.concatenate([near, wide, unit]).astype(dtype)


def errors(result: np.ndarray, exact: np.ndarray) -> np.ndarray:
    scale = np.finfo(result.dtype).eps * np.abs(exact) + np.finfo(result.dtype).tiny
    both = np.isfinite(result) & np.isfinite(exact)
    return (np.abs(result - exact) / scale)[both].astype(float)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_unary(run, name, kind):
    x = ordinary(0, KINDS[kind])
    exact = UNARY[name](x.astype(np.clongdouble))
    (result,) = run(program(name, kind, 1), x)
    worst = np.max(errors(UNARY[name](x), exact))
    assert np.max(errors(result, exact)) <= max(3, worst)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary(run, name, kind):
    x, y = ordinary(1, KINDS[kind]), ordinary(2, KINDS[kind])
    if name == "pow":
        x, y = x[:400], y[:400]
    exact = BINARY[name](x.astype(np.clongdouble), y.astype(np.clongdouble))
    (result,) = run(program(name, kind, 2), x, y)
    worst = np.max(errors(BINARY[name](x, y), exact))
    assert np.max(errors(result, exact)) <= max(3, worst)


def alike(result: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Both have a NaN, both an infinity, or both the same value."""
    return (
        (np.isnan(result) & np.isnan(expected))
        | (np.isinf(result) & np.isinf(expected))
        | np.isclose(result, expected, rtol=1e-5, atol=0)
    )


@pytest.mark.parametrize(
    "name", ["abs", "angle", "exp", "log", "sqrt", "sin", "cos", "tan", "tanh"]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_unary_special_values(run, name):
    (result,) = run(program(name, "complex<f64>", 1), SPECIAL)
    wrong = ~alike(result, UNARY[name](SPECIAL))
    assert not wrong.any(), (SPECIAL[wrong], result[wrong])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_absolute_values_of_any_size(run):
    sizes = [0.0, -0.0, 5e-324, 1e-310, 1e-200, 1e-150, 1.0, -3.5, 1e150, 1e160, 1.7e308]
    parts = np.array([*sizes, np.inf, -np.inf, np.nan])
    z = (parts[:, None] + 1j * parts).ravel()
    z.imag = np.tile(parts, len(parts))
    (result,) = run(program("abs", "complex<f64>", 1), z)
    np.testing.assert_allclose(result, np.abs(z), rtol=4e-16, atol=5e-324)


@pytest.mark.parametrize("name", ["mul", "div", "pow"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary_special_values(run, name):
    x, y = np.repeat(SPECIAL, len(SPECIAL)), np.tile(SPECIAL, len(SPECIAL))
    (result,) = run(program(name, "complex<f64>", 2), x, y)
    wrong = ~alike(result, BINARY[name](x, y))
    # left over: an infinity in both parts, divided by zero or raised to the first power
    assert np.isinf(x[wrong].real).all()
    assert np.isinf(x[wrong].imag).all()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_small_powers_are_exact(run):
    z = np.array([1 + 2j, -3 + 0.5j, 2j, -1])
    for n in range(-4, 8):
        w = np.full(4, n, complex)
        np.testing.assert_array_equal(run(program("pow", "complex<f64>", 2), z, w)[0], z**w)


@pytest.mark.parametrize("kind", KINDS)
def test_scalars(run, kind):
    text = f"""
    func.func @f(%x: {kind}, %y: {kind}) -> ({kind}, {kind[8:-1]}, i1) {{
      %q = complex.div %x, %y : {kind}
      %l = complex.log %q : {kind}
      %a = complex.abs %l : {kind}
      %e = complex.eq %q, %y : {kind}
      return %l, %a, %e : {kind}, {kind[8:-1]}, i1
    }}"""
    logarithm, size, equal = run(text, 3 + 4j, 1 - 2j)
    expected = np.log((3 + 4j) / (1 - 2j))
    assert logarithm == pytest.approx(expected, rel=1e-6)
    assert size == pytest.approx(abs(expected), rel=1e-6)
    assert not equal
