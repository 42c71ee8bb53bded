"""The elementary functions: an entry for each function and format.

Their errors are in docs/accuracy.md, measured; all are below 2 units in the last place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from . import (
    error_functions,
    exponentials,
    inverse_trigonometric,
    large_arguments,
    logarithms,
    powers,
    trigonometric,
)
from .builder import KINDS, PURE, Builder, Kind, Value
from .entries import Entry, entry

Function = Callable[..., Value]

UNARY: dict[str, Function] = {
    "exp": exponentials.exp,
    "exp2": exponentials.exp2,
    "expm1": exponentials.expm1,
    "sinh": exponentials.sinh,
    "cosh": exponentials.cosh,
    "tanh": exponentials.tanh,
    "log": logarithms.log,
    "log2": logarithms.log2,
    "log10": logarithms.log10,
    "log1p": logarithms.log1p,
    "asinh": logarithms.asinh,
    "acosh": logarithms.acosh,
    "atanh": logarithms.atanh,
    "sin": trigonometric.sin,
    "cos": trigonometric.cos,
    "tan": trigonometric.tan,
    "asin": inverse_trigonometric.asin,
    "acos": inverse_trigonometric.acos,
    "atan": inverse_trigonometric.atan,
    "erf": error_functions.erf,
    "erfc": error_functions.erfc,
    "cbrt": powers.cbrt,
    "rsqrt": powers.rsqrt,
}
BINARY: dict[str, Function] = {"atan2": inverse_trigonometric.atan2, "powf": powers.pow}
GUARDED = ("sin", "cos", "tan")
"""Functions that call another one for large arguments."""
FAST_IN_C = frozenset(
    f"math.{name}" for name in ("exp", "log", "log1p", "powf", "sin", "cos", "tan")
)
"""Functions that C's library computes sooner where one result waits for another, with tables."""


def entries() -> Iterator[Entry]:
    """The table of elementary functions."""
    for table, count in ((UNARY, 1), (BINARY, 2)):
        for name, function in table.items():
            for kind in KINDS.values():
                yield _entry(name, function, count, kind)
            for narrow in ("f16", "bf16"):
                widened = _WIDENED if count == 1 else _WIDENED_PAIR
                yield replace(entry(f"math.{name}", narrow, narrow, widened), inline=True)


def _entry(name: str, function: Function, count: int, kind: Kind) -> Entry:
    symbol = f"agir.{name}_{kind.name}"

    def write() -> str:
        b = Builder(kind)
        arguments = b.arguments(count)
        attributes = f"llvm.linkage = #llvm.linkage<internal>, {PURE}"
        text = b.text(symbol, arguments, function(b, *arguments), attributes)
        return f"{large_arguments.text(name, kind)}\n{text}" if name in GUARDED else text

    return Entry(f"math.{name}", kind.name, kind.name, symbol, cache(write), inline=True)


_WIDENED = """
func.func private @$symbol(%x: $T) -> $R attributes {$internal} {
  %wide = arith.extf %x : $T to f32
  %value = $operation %wide : f32
  %result = arith.truncf %value : f32 to $R
  return %result : $R
}"""

_WIDENED_PAIR = """
func.func private @$symbol(%x: $T, %y: $T) -> $R attributes {$internal} {
  %wide = arith.extf %x : $T to f32
  %second = arith.extf %y : $T to f32
  %value = $operation %wide, %second : f32
  %result = arith.truncf %value : f32 to $R
  return %result : $R
}"""
