"""The coefficients of the elementary functions, by E. Ya. Remez's exchange algorithm.

    python -m benchmarks.minimax

writes backends/cpu/library/coefficients.py anew.  For each function the table below says what is
approximated on which interval, and relative to what the error is measured; the degree is the
least one whose error is below 2 to the given power.  Needs mpmath.

Each error is the approximation's; `python -m benchmarks.accuracy` measures what the functions do
with it.  Methods: W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980);
J.-M. Muller, "Elementary Functions: Algorithms and Implementation" (3rd edition, 2016), chapter 3.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpmath as mp

mp.mp.prec = 300
TARGET = Path(__file__).parent.parent / "backends/cpu/library/coefficients.py"

LOG2 = mp.log(2)
LOW, HIGH = mp.mpf("-0.25") - mp.mpf("1e-9"), mp.mpf("0.5")  # 1 + f is from 3/4 to 3/2
S_MAX = HIGH / (2 + HIGH)
QUARTER = (mp.pi / 4 * mp.mpf("1.002")) ** 2
ERF_LIMIT = mp.mpf("0.875")
CENTER = mp.mpf(3)

Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Approximation:
    """A function on an interval, and how an error of it counts in the final result."""

    function: Function
    low: Any
    high: Any
    weight: Function
    accuracy: dict[str, int]  # bits wanted, for f32 and f64


def near_zero(closed: Function, coefficient: Callable[[int], Any], first: int) -> Function:
    """A closed form with extra digits; at 0 the first term of the series."""

    def value(x: Any) -> Any:
        if x == 0:
            return mp.mpf(coefficient(first))
        with mp.workprec(900):
            return closed(mp.mpf(x))

    return value


def odd_tail(function: Function, third: Any) -> Function:
    """``(f(x) - x) / x^3`` as a function of ``x^2``."""
    return near_zero(
        lambda z: (function(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, lambda _: third, 0
    )


def logarithm_tail(unit: Any) -> Approximation:
    """``(log(1 + f) - f) / f^2`` in units of another logarithm, relative to ``log(1 + f)``."""
    return Approximation(
        near_zero(lambda f: (mp.log1p(f) - f) / f**2 / unit, lambda _: -1 / (2 * unit), 0),
        LOW,
        HIGH,
        lambda f: unit * f**2 / mp.log1p(f) if f else mp.mpf(0),
        {"f32": 26},
    )


def mapped(x: Any) -> Any:
    return (x - CENTER) / (x + CENTER)


def scaled_erfcx(t: Any) -> Any:
    """``(1 + 2 x) exp(x^2) erfc(x)`` where ``t = mapped(x)``."""
    x = CENTER * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


APPROXIMATIONS = {
    # (exp(r) - 1 - r) / r^2, relative to expm1(r)
    "EXPONENTIAL": Approximation(
        near_zero(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda _: mp.mpf(1) / 2, 0),
        -LOG2 / 2 * mp.mpf("1.002"),
        LOG2 / 2 * mp.mpf("1.002"),
        lambda r: r,
        {"f32": 27, "f64": 57},
    ),
    # (log((1+s)/(1-s)) - 2 s) / s^3 of s^2, relative to 2 s
    "LOGARITHM": Approximation(
        near_zero(
            lambda z: (2 * mp.atanh(mp.sqrt(z)) - 2 * mp.sqrt(z)) / mp.sqrt(z) ** 3,
            lambda _: mp.mpf(2) / 3,
            0,
        ),
        mp.mpf(0),
        S_MAX**2 * mp.mpf("1.001"),
        lambda z: z / 2,
        {"f64": 60},
    ),
    # (log(1+f) - f + f^2/2) / f^3, relative to log(1+f)
    "LOGARITHM_OF_SUM": Approximation(
        near_zero(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda _: mp.mpf(1) / 3, 0),
        LOW,
        HIGH,
        lambda f: f**3 / mp.log1p(f) if f else mp.mpf(0),
        {"f32": 27},
    ),
    "LOGARITHM_OF_SUM_2": logarithm_tail(mp.log(2)),
    "LOGARITHM_OF_SUM_10": logarithm_tail(mp.log(10)),
    # the binary logarithm of (1 + s)/(1 - s), over s, of s^2, for numbers of single precision
    "BINARY_LOGARITHM": Approximation(
        near_zero(lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) / LOG2, lambda _: 2 / LOG2, 0),
        mp.mpf(0),
        S_MAX**2 * mp.mpf("1.001"),
        lambda z: LOG2 / 2,
        {"f64": 35},
    ),
    # (atanh(s) / s - 1 - s^2 / 3) / s^4 of s^2, relative to atanh(s) / s
    "LOGARITHM_TAIL": Approximation(
        near_zero(
            lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3) / z**2,
            lambda _: mp.mpf(1) / 5,
            0,
        ),
        mp.mpf(0),
        S_MAX**2 * mp.mpf("1.001"),
        lambda z: z * z,
        {"f64": 66},
    ),
    "AREA_TANGENT": Approximation(
        odd_tail(mp.atanh, mp.mpf(1) / 3),
        mp.mpf(0),
        mp.mpf("1.001") / 9,
        lambda z: z * mp.sqrt(z) / mp.atanh(mp.sqrt(z)) if z else z,
        {"f32": 26, "f64": 56},
    ),
    # (2^f - 1) / f, relative to 2^f
    "EXPONENTIAL_2": Approximation(
        near_zero(lambda f: mp.expm1(f * LOG2) / f, lambda _: LOG2, 0),
        mp.mpf("-0.501"),
        mp.mpf("0.501"),
        lambda f: f,
        {"f32": 26, "f64": 57},
    ),
    # (tan(r) - r) / r^3 of r^2, relative to tan(r)
    "TANGENT": Approximation(
        odd_tail(mp.tan, mp.mpf(1) / 3),
        mp.mpf(0),
        QUARTER,
        lambda z: z * mp.sqrt(z) / mp.tan(mp.sqrt(z)) if z else z,
        {"f32": 26, "f64": 56},
    ),
    "SINE": Approximation(
        odd_tail(mp.sin, mp.mpf(-1) / 6), mp.mpf(0), QUARTER, lambda z: z, {"f32": 27, "f64": 57}
    ),
    # (cos(r) - 1 + r^2/2) / r^4 of r^2
    "COSINE": Approximation(
        near_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda _: mp.mpf(1) / 24, 0),
        mp.mpf(0),
        QUARTER,
        lambda z: z * z / mp.cos(mp.sqrt(z)),
        {"f32": 27, "f64": 57},
    ),
    "HYPERBOLIC_SINE": Approximation(
        odd_tail(mp.sinh, mp.mpf(1) / 6),
        mp.mpf(0),
        mp.mpf(1),
        lambda z: z * mp.sqrt(z) / mp.sinh(mp.sqrt(z)) if z else z,
        {"f32": 27, "f64": 57},
    ),
    "ARCTANGENT": Approximation(
        odd_tail(mp.atan, mp.mpf(-1) / 3),
        mp.mpf(0),
        mp.mpf(1),
        lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)) if z else z,
        {"f32": 27, "f64": 57},
    ),
    "ARCSINE": Approximation(
        odd_tail(mp.asin, mp.mpf(1) / 6),
        mp.mpf(0),
        mp.mpf("0.25"),
        lambda z: z,
        {"f32": 27, "f64": 57},
    ),
    # erf(x) / x - 2/sqrt(pi), over x^2, of x^2
    "ERROR": Approximation(
        near_zero(
            lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 2 / mp.sqrt(mp.pi)) / z,
            lambda _: -2 / (3 * mp.sqrt(mp.pi)),
            0,
        ),
        mp.mpf(0),
        ERF_LIMIT**2,
        lambda z: z,
        {"f32": 27, "f64": 57},
    ),
    "SCALED_COMPLEMENT": Approximation(
        lambda t: scaled_erfcx(t),
        mapped(mp.mpf("0.749")),
        mapped(mp.mpf(28)),
        lambda t: 1 / scaled_erfcx(t),
        {"f32": 27, "f64": 57},
    ),
    # the reciprocal cube root, to begin with; in single precision, one iteration follows
    "RECIPROCAL_CUBE_ROOT": Approximation(
        lambda m: m ** (mp.mpf(-1) / 3),
        mp.mpf(1),
        mp.mpf(2),
        lambda m: m ** (mp.mpf(1) / 3),
        {"f32": 10, "f64": 14},
    ),
}


def chebyshev_nodes(low: Any, high: Any, count: int) -> list[Any]:
    return [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * n + 1) / (2 * count))
        for n in range(count)
    ]


def evaluate(coefficients: list[Any], x: Any) -> Any:
    return mp.polyval(coefficients[::-1], x)


def remez(approximation: Approximation, degree: int, rounds: int = 12) -> tuple[list[Any], Any]:
    """The coefficients with the least greatest weighted error, and that error."""
    low, high = approximation.low, approximation.high
    grid = chebyshev_nodes(low, high, 24 * (degree + 2))
    exact = [approximation.function(x) for x in grid]
    weight = [abs(approximation.weight(x)) + mp.mpf(2) ** -200 for x in grid]
    count = degree + 2
    chosen = [round((n + 0.5) * len(grid) / count) for n in range(count)]
    best: tuple[list[Any], Any] | None = None
    for _ in range(rounds):
        rows = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, n in enumerate(chosen):
            for power in range(degree + 1):
                rows[row, power] = grid[n] ** power
            rows[row, degree + 1] = (-1) ** row / weight[n]
            right[row] = exact[n]
        solution = mp.lu_solve(rows, right)
        coefficients = [solution[n] for n in range(degree + 1)]
        errors = [
            (evaluate(coefficients, x) - y) * w for x, y, w in zip(grid, exact, weight, strict=True)
        ]
        worst = max(abs(error) for error in errors)
        if best is None or worst < best[1]:
            best = coefficients, worst
        if worst < abs(solution[degree + 1]) * mp.mpf("1.01"):
            break
        chosen = _extrema(errors, count)
        if len(chosen) < count:
            break
    assert best is not None
    return best


def _extrema(errors: list[Any], count: int) -> list[int]:
    """The places of the greatest errors of alternating sign."""
    places: list[int] = []
    for n, error in enumerate(errors):
        if places and (error > 0) == (errors[places[-1]] > 0):
            if abs(error) > abs(errors[places[-1]]):
                places[-1] = n
        else:
            places.append(n)
    while len(places) > count:
        if abs(errors[places[0]]) < abs(errors[places[-1]]):
            places.pop(0)
        else:
            places.pop()
    return places


def fitted(approximation: Approximation, bits: int) -> tuple[list[Any], Any]:
    """The polynomial of the least degree that is accurate enough."""
    for degree in range(1, 40):
        coefficients, error = remez(approximation, degree)
        if error < mp.mpf(2) ** -bits:
            return coefficients, error
    raise ArithmeticError(f"no polynomial of degree < 40 has an error below 2^-{bits}")


def rounded(value: Any, kind: str) -> float:
    if kind == "f64":
        return float(value)
    return float(struct.unpack("<f", struct.pack("<f", float(value)))[0])


def parts(value: Any, kind: str, count: int) -> list[float]:
    """A number as a sum of numbers of the format."""
    found = []
    for _ in range(count):
        found.append(rounded(value, kind))
        value -= mp.mpf(found[-1])
    return found


def shortened(value: Any, kind: str, bits: int, count: int) -> list[float]:
    """The same of a positive number: all are, as an infinite multiple of them is taken.

    The first one has so few bits that its product with a small integer is exact.
    """
    scale = mp.mpf(2) ** (bits - 1 - mp.floor(mp.log(abs(value), 2)))
    first = mp.floor(value * scale) / scale
    return [float(first), *parts(value - first, kind, count - 1)]


CONSTANTS = {
    "LOG_2": mp.log(2),
    "HALF_LOG_2": mp.log(2) / 2,
    "LOG2_E": 1 / mp.log(2),
    "LOG10_E": 1 / mp.log(10),
    "LOG10_2": mp.log(2, 10),
    "HALF_PI": mp.pi / 2,
    "PI": mp.pi,
    "TWO_OVER_PI": 2 / mp.pi,
    "ERROR_SLOPE": 2 / mp.sqrt(mp.pi),
    "THIRD": mp.mpf(1) / 3,
}


def entry(name: str, kind: str, values: list[float]) -> Iterator[str]:
    yield f'    ("{name}", "{kind}"): ('
    yield from (f"        {value!r}," for value in values)
    yield "    ),"


def lines() -> Iterator[str]:
    constants: dict[tuple[str, str], Any] = {}
    yield '"""Coefficients of the elementary functions, written by `python -m benchmarks.minimax`."""'
    yield ""
    yield "# fmt: off"
    yield ""
    yield "POLYNOMIALS: dict[tuple[str, str], tuple[float, ...]] = {"
    for name, approximation in APPROXIMATIONS.items():
        for kind, bits in approximation.accuracy.items():
            coefficients, error = fitted(approximation, bits)
            print(
                name,
                kind,
                len(coefficients) - 1,
                float(mp.log(error, 2)),
                file=sys.stderr,
                flush=True,
            )
            size = f"degree {len(coefficients) - 1}, error 2^{float(mp.log(error, 2)):.1f}"
            yield f'    ("{name}", "{kind}"): (  # {size}'
            yield from (f"        {rounded(value, kind)!r}," for value in coefficients)
            yield "    ),"
            constants[name, kind] = coefficients[0]
    yield "}"
    yield '"""By name and format; the constant term first."""'
    yield ""
    yield "CONSTANTS: dict[tuple[str, str], tuple[float, ...]] = {"
    for name, value in CONSTANTS.items():
        for kind in ("f32", "f64"):
            yield from entry(name, kind, parts(value, kind, 4))
    for kind in ("f32", "f64"):
        yield from entry("COMPLEMENT", kind, parts(constants["SCALED_COMPLEMENT", kind], kind, 2))
    for kind, bits in (("f32", 14), ("f64", 40)):
        for name in ("LOG_2", "LOG10_2"):
            yield from entry(f"SHORT_{name}", kind, shortened(CONSTANTS[name], kind, bits, 3))
    yield "}"
    yield '"""Sums of numbers; the first part of a SHORT one leaves room for an exponent."""'
    yield ""
    with mp.workprec(1600):
        digits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * 21)))
    words = [(digits >> (64 * (20 - n))) & (2**64 - 1) for n in range(21)]
    yield "TWO_OVER_PI_BITS: tuple[int, ...] = ("
    yield from (f"    0x{word:016X}," for word in words)
    yield ")"
    yield '"""The binary digits of 2/pi after the point, 64 to a word."""'
    yield ""
    yield f"ERROR_LIMIT = {float(ERF_LIMIT)!r}"
    yield f"COMPLEMENT_CENTER = {float(CENTER)!r}"


if __name__ == "__main__":
    TARGET.write_text("\n".join(lines()) + "\n")
