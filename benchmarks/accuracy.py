"""The greatest error of each elementary function, in units in the last place.

    python -m benchmarks.accuracy                  # some minutes; prints a table
    python -m benchmarks.accuracy --write          # and writes it into docs/accuracy.md
    python -m benchmarks.accuracy exp tanh --stride 1    # every f32

Single precision: every `stride`-th of the 2^32 bit patterns, against NumPy in double precision.
Double precision: numbers of all sizes, of the usual ones, and around special places, against NumPy in
extended precision, where the platform has it.  What is worst by either, and a random sample, is
then measured against mpmath, and that is what the table shows.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation

TARGET = Path(__file__).parent.parent / "docs/accuracy.md"
BEGIN, END = "<!-- table: python -m benchmarks.accuracy --write -->", "<!-- end of the table -->"
CHUNK = 1 << 20
DTYPES = {"f32": np.float32, "f64": np.float64}


@dataclass(frozen=True)
class Function:
    """How MLIR, NumPy and mpmath call it, and where it is finite and not constant."""

    operation: str
    reference: Callable[..., Any] | None
    exact: Callable[..., Any]
    low: float = -math.inf
    high: float = math.inf
    places: tuple[float, ...] = ()
    operands: int = 1


def functions() -> dict[str, Function]:
    import mpmath as mp

    huge = 1e300
    return {
        "exp": Function("exp", np.exp, mp.exp, -746, 710),
        "exp2": Function("exp2", np.exp2, lambda x: mp.mpf(2) ** x, -1076, 1025),
        "expm1": Function(
            "expm1", np.expm1, mp.expm1, -45, 710, (0, math.log(2) / 2, -math.log(2) / 2)
        ),
        "log": Function("log", np.log, mp.log, 0, huge, (1, 0.75, 1.5)),
        "log2": Function("log2", np.log2, lambda x: mp.log(x, 2), 0, huge, (1, 0.75, 1.5)),
        "log10": Function("log10", np.log10, lambda x: mp.log10(x), 0, huge, (1, 0.75, 1.5)),
        "log1p": Function("log1p", np.log1p, mp.log1p, -1, huge, (0, 0.5, -0.25, -1)),
        "sin": Function("sin", np.sin, mp.sin, -huge, huge, (math.pi, math.pi / 2, math.pi / 4)),
        "cos": Function("cos", np.cos, mp.cos, -huge, huge, (math.pi, math.pi / 2, math.pi / 4)),
        "tan": Function("tan", np.tan, mp.tan, -huge, huge, (math.pi, math.pi / 2, math.pi / 4)),
        "sinh": Function("sinh", np.sinh, mp.sinh, -711, 711, (1, -1)),
        "cosh": Function("cosh", np.cosh, mp.cosh, -711, 711, (1, -1)),
        "tanh": Function("tanh", np.tanh, mp.tanh, -25, 25, (0.17, 0.35, 0.55)),
        "asin": Function("asin", np.arcsin, mp.asin, -1, 1, (0.5, 1)),
        "acos": Function("acos", np.arccos, mp.acos, -1, 1, (0.5, -0.5, 1, -1)),
        "atan": Function("atan", np.arctan, mp.atan, -huge, huge, (1, -1)),
        "asinh": Function("asinh", np.arcsinh, mp.asinh, -huge, huge, (1, 0.5)),
        "acosh": Function("acosh", np.arccosh, mp.acosh, 1, huge, (1, 1.1)),
        "atanh": Function("atanh", np.arctanh, mp.atanh, -1, 1, (0.17, 0.5)),
        "erf": Function("erf", None, mp.erf, -7, 7, (0.875,)),
        "erfc": Function("erfc", None, mp.erfc, -7, 28, (0.75, 0.9, 2)),
        "cbrt": Function(
            "cbrt", np.cbrt, lambda x: mp.sign(x) * mp.cbrt(abs(x)), -huge, huge, (1, 8)
        ),
        "rsqrt": Function(
            "rsqrt", lambda x: 1 / np.sqrt(x), lambda x: 1 / mp.sqrt(x), 0, huge, (1,)
        ),
        "atan2": Function("atan2", np.arctan2, mp.atan2, operands=2),
        "pow": Function("powf", np.power, mp.power, operands=2),
    }


def compiled(operation: str, kind: str, operands: int) -> Executable:
    names = ", ".join(f"%x{n}" for n in range(operands))
    takes = ", ".join(f"%x{n}: tensor<?x{kind}>" for n in range(operands))
    text = f"""func.func @f({takes}) -> tensor<?x{kind}> {{
      %y = math.{operation} {names} : tensor<?x{kind}>
      return %y : tensor<?x{kind}>
    }}"""
    return Executable(Compilation.from_text(text, "hlo"), "f", [np.dtype(DTYPES[kind])])


def ulp(exact: Any, dtype: Any) -> Any:
    """The distance of the numbers of the format where the exact value lies."""
    info = np.finfo(dtype)
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.abs(exact))[1] - 1
    exponent = np.maximum(exponent, info.minexp)
    return np.ldexp(np.ones_like(exact), exponent - info.nmant)


def errors(result: Any, exact: Any) -> Any:
    """In units in the last place; infinite where one is special and the other is not."""
    info = np.finfo(result.dtype)
    bound = exact.dtype.type(info.max) * (1 + exact.dtype.type(2.0) ** -(info.nmant + 2))
    exact = np.where(np.abs(exact) > bound, np.copysign(exact.dtype.type(np.inf), exact), exact)
    with np.errstate(all="ignore"):
        error = np.abs(result.astype(exact.dtype) - exact) / ulp(exact, result.dtype)
        same = (result == exact) | (np.isnan(result) & np.isnan(exact))
        special = ~np.isfinite(result) | ~np.isfinite(exact)
        overflowed = np.isfinite(exact) & (
            np.abs(exact) > exact.dtype.type(info.max) * (1 - info.eps)
        )
    return np.where(same, 0, np.where(special & ~overflowed, np.inf, error)).astype(np.float64)


def exactly(function: Function, dtype: Any, *points: Any) -> float:
    """The error of one result against mpmath."""
    import mpmath as mp

    *arguments, result = points
    if not function.low <= arguments[0] <= function.high:
        return 0.0  # a constant, infinity or no number: the tests know
    with mp.workprec(1400 if function.operation in ("sin", "cos", "tan") else 300):
        value = function.exact(*(mp.mpf(float(x)) for x in arguments))
        if isinstance(value, mp.mpc):
            return 0.0 if math.isnan(result) else math.inf
        size = abs(value)
        if not math.isfinite(result) or not mp.isfinite(value):
            return 0.0 if float(value) == result or size > np.finfo(dtype).max else math.inf
        info = np.finfo(dtype)
        exponent = int(mp.floor(mp.log(size, 2))) if size else info.minexp
        unit = mp.mpf(2) ** (max(exponent, int(info.minexp)) - int(info.nmant))
        return float(abs(mp.mpf(float(result)) - value) / unit)


def inputs(function: Function, kind: str, stride: int, count: int) -> Iterator[tuple[Any, ...]]:
    generator = np.random.default_rng(7)
    dtype = DTYPES[kind]
    if kind == "f32" and function.operands == 1:
        for start in range(0, 2**32, CHUNK * stride):
            stop = min(start + CHUNK * stride, 2**32)
            yield (
                np.arange(start, stop, stride, dtype=np.uint64).astype(np.uint32).view(np.float32),
            )
        return
    integer = np.uint32 if kind == "f32" else np.uint64
    low, high = max(function.low, -1e3), min(function.high, 1e3)
    for _ in range(max(1, count // CHUNK)):
        every = [
            generator.integers(0, np.iinfo(integer).max, CHUNK // 4, integer, True).view(dtype)
            for _ in range(function.operands)
        ]
        if function.operands == 2:
            yield tuple(every)
            yield tuple(usual_pairs(function, generator, dtype))
            continue
        parts = [*every, generator.uniform(low, high, CHUNK // 4)]
        parts.append(generator.uniform(max(low, -3), min(high, 3), CHUNK // 4))
        for place in (*function.places, 0):
            near = 2.0 ** generator.uniform(-40, 0, CHUNK // 32) * generator.choice(
                [-1, 1], CHUNK // 32
            )
            parts.append(place + near)
        if function.operation in ("sin", "cos", "tan"):
            n = np.floor(2.0 ** generator.uniform(0, 50, CHUNK // 8))
            parts.append(n * (np.pi / 2))  # beside the zeros
        values = np.concatenate([np.asarray(part, dtype) for part in parts])
        yield (values,)


def usual_pairs(function: Function, generator: Any, dtype: Any) -> Iterator[Any]:
    size = CHUNK // 2
    if function.operation == "atan2":
        yield generator.uniform(-3, 3, size).astype(dtype)
        yield generator.uniform(-3, 3, size).astype(dtype)
        return
    x = 2.0 ** np.concatenate(
        [generator.uniform(-20, 20, size // 2), generator.uniform(-0.1, 0.1, size // 2)]
    )
    x = x.astype(dtype)
    top = np.log2(float(np.finfo(dtype).max))
    with np.errstate(all="ignore"):
        y = generator.uniform(-1.08, 1.02, size) * top / np.log2(x.astype(np.float64))
    yield x
    yield np.clip(y, -1e5, 1e5).astype(dtype)


def measure(
    function: Function, kind: str, stride: int, count: int
) -> tuple[float, tuple[float, ...], int]:
    """The greatest error, where it is, and the number of points."""
    dtype = DTYPES[kind]
    run = compiled(function.operation, kind, function.operands)
    wide = np.float64 if kind == "f32" else np.longdouble
    reference = function.reference
    if reference is None and kind == "f32":
        reference = in_double_precision(function)
    candidates: list[tuple[float, ...]] = []
    total = 0
    generator = np.random.default_rng(11)
    for points in inputs(function, kind, stride, count):
        if reference is None:
            points = tuple(x[generator.integers(0, len(x), 6000)] for x in points)
        (result,) = run(list(points))
        total += len(result)
        chosen = np.arange(len(result))
        if reference is not None:
            with np.errstate(all="ignore"):
                exact = reference(*(x.astype(wide) for x in points))
            sample = generator.integers(0, len(result), 200 if kind == "f64" else 20)
            chosen = np.concatenate([np.argsort(errors(result, exact))[-30:], sample])
        for n in chosen:
            place = tuple(float(x[n]) for x in points)
            if all(math.isfinite(x) for x in place):
                candidates.append((exactly(function, dtype, *place, float(result[n])), *place))
    error, *place = max(candidates)
    return error, tuple(place), total


def in_double_precision(function: Function) -> Callable[..., Any]:
    """For the error functions, which NumPy lacks: ours, which the row of double precision judges."""
    run = compiled(function.operation, "f64", function.operands)
    return lambda *points: run(list(points))[0]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--kind", choices=list(DTYPES), action="append")
    parser.add_argument("--stride", type=int, default=251)
    parser.add_argument("--count", type=int, default=1 << 22)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    table = functions()
    rows = ["| function | dtype | greatest error, ulp | at | points |", "|---|---|---|---|---|"]
    print("\n".join(rows), flush=True)
    for name in options.names or table:
        for kind in options.kind or DTYPES:
            start = time.perf_counter()
            error, place, total = measure(table[name], kind, options.stride, options.count)
            at = ", ".join(repr(float(DTYPES[kind](x))) for x in place)
            rows.append(f"| {name} | {kind} | {error:.3f} | {at} | {total:.2g} |")
            print(rows[-1], f"{time.perf_counter() - start:.0f} s", flush=True)
    if options.write:
        text = TARGET.read_text()
        body = "\n".join(rows)
        TARGET.write_text(
            re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{body}\n{END}", text, flags=re.DOTALL)
        )


if __name__ == "__main__":
    sys.exit(main())
