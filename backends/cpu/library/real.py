"""Functions of real numbers for `library`."""

from __future__ import annotations

from collections.abc import Iterator

from .entries import Entry, entry


def entries() -> Iterator[Entry]:
    """The table of real functions."""
    for kind, (infinity, smallest) in _CONSTANTS.items():
        constants = {"infinity": infinity, "smallest": smallest}
        yield entry("math.isinf", kind, "i1", _IS_INFINITE, **constants)
        yield entry("math.isnormal", kind, "i1", _IS_NORMAL, **constants)
    for kind in ("f16", "bf16"):
        yield entry("arith.truncf", "f64", kind, _TRUNCATE)
    yield entry("math.fma", "f16", "f16", _FMA)
    for kind in _CONSTANTS:
        yield entry("math.clampf", kind, kind, _CLAMP)


_CONSTANTS = {  # infinity, smallest normal number
    "f16": ("0x7C00", "0x0400"),
    "bf16": ("0x7F80", "0x0080"),
    "f32": ("0x7F800000", "0x00800000"),
    "f64": ("0x7FF0000000000000", "0x0010000000000000"),
}

_IS_INFINITE = """
func.func private @$symbol(%x: $T) -> i1 attributes {$internal} {
  %infinity = arith.constant $infinity : $T
  %size = math.absf %x : $T
  %result = arith.cmpf oeq, %size, %infinity : $T
  return %result : i1
}"""

_IS_NORMAL = """
func.func private @$symbol(%x: $T) -> i1 attributes {$internal} {
  %infinity = arith.constant $infinity : $T
  %smallest = arith.constant $smallest : $T
  %size = math.absf %x : $T
  %finite = arith.cmpf olt, %size, %infinity : $T
  %large = arith.cmpf oge, %size, %smallest : $T
  %result = arith.andi %finite, %large : i1
  return %result : i1
}"""

# By way of f32, where it is rounded to odd: the second rounding then is as good as the only one.
_TRUNCATE = """
func.func private @$symbol(%x: f64) -> $R attributes {$internal} {
  %one = arith.constant 1 : i32
  %near = arith.truncf %x : f64 to f32
  %back = arith.extf %near : f32 to f64
  %bits = arith.bitcast %near : f32 to i32
  %size_back = math.absf %back : f64
  %size = math.absf %x : f64
  %over = arith.cmpf ogt, %size_back, %size : f64
  %less = arith.subi %bits, %one : i32
  %toward_zero = arith.select %over, %less, %bits : i32
  %odd = arith.ori %toward_zero, %one : i32
  %inexact = arith.cmpf one, %back, %x : f64
  %chosen = arith.select %inexact, %odd, %bits : i32
  %single = arith.bitcast %chosen : i32 to f32
  %result = arith.truncf %single : f32 to $R
  return %result : $R
}"""

# The product of two f16 is exact in f64.
_FMA = """
func.func private @$symbol(%x: f16, %y: f16, %z: f16) -> f16 attributes {$internal} {
  %a = arith.extf %x : f16 to f64
  %b = arith.extf %y : f16 to f64
  %c = arith.extf %z : f16 to f64
  %ab = arith.mulf %a, %b : f64
  %sum = arith.addf %ab, %c : f64
  %result = arith.truncf %sum : f64 to f16
  return %result : f16
}"""

_CLAMP = """
func.func private @$symbol(%x: $T, %low: $T, %high: $T) -> $T attributes {$internal} {
  %above = arith.maximumf %x, %low : $T
  %result = arith.minimumf %above, %high : $T
  return %result : $T
}"""
