"""Helpers of the interpreter's tests: parse, run, compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from agir.backends.reference import Interpreter
from agir.ir.building import bindings

DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items() if name != "index"}


@dataclass(frozen=True)
class Case:
    """A program whose public function is ``@f``, its arguments and its results."""

    text: str
    arguments: tuple[Any, ...]
    expected: tuple[Any, ...]
    tolerance: float = 0


@dataclass(frozen=True)
class Elementwise:
    """One operation, on scalars and on tensors; ``$0`` is the type of ``%0``, ``$r`` the result."""

    text: str
    operands: tuple[tuple[str, Any], ...]
    result: str
    expected: Any
    tolerance: float = 0

    def program(self, size: int | None) -> str:
        """The operation on scalars, or on tensors of ``size`` elements."""
        types = {f"${index}": type_ for index, (type_, _) in enumerate(self.operands)}
        types["$r"] = self.result
        if size is not None:
            types = {key: f"tensor<{size}x{type_}>" for key, type_ in types.items()}
        text = re.sub(r"\$[0-9r]", lambda match: types[match.group()], self.text)
        arguments = ", ".join(
            f"%arg{index}: {types[f'${index}']}" for index in range(len(self.operands))
        )
        text = re.sub(r"%([0-9])", r"%arg\1", text)
        result = types["$r"]
        return (
            f"func.func @f({arguments}) -> {result} {{\n  %r = {text}\n  return %r : {result}\n}}"
        )

    def arrays(self) -> list[Any]:
        """The operands as arrays of one length."""
        return np.broadcast_arrays(
            *(np.array(values, DTYPES[type_]) for type_, values in self.operands)
        )


def parse(text: str) -> Any:
    return bindings.ir.Module.parse(text, context=bindings.context())


def run(text: str, *arguments: Any) -> list[Any]:
    return Interpreter(parse(text)).call("f", *arguments)


def assert_same(actual: Any, expected: Any, tolerance: float = 0) -> None:
    """Equal dtype, shape and value; NaN equals NaN, and zeros differ by their sign."""
    expected = np.asarray(expected)
    assert np.asarray(actual).dtype == expected.dtype
    assert np.shape(actual) == expected.shape
    if expected.dtype.kind == "V":
        actual, expected = np.asarray(actual, np.float32), np.asarray(expected, np.float32)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
    if expected.dtype.kind == "f" and not tolerance:
        defined = ~np.isnan(expected)
        same = np.signbit(actual) == np.signbit(expected)
        assert np.all(same | ~defined), (actual, expected)
