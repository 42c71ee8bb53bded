"""Functions of complex numbers for `library`, accurate to a few ulp and special where NumPy's are.

C's functions are called in double precision only: there a complex number is passed as two doubles,
which is how LLVM passes its struct; two floats would be passed as one vector register.
"""

from __future__ import annotations

from collections.abc import Iterator

from .entries import Entry, entry

SINGLE, DOUBLE = "complex<f32>", "complex<f64>"


def entries() -> Iterator[Entry]:
    """The table of complex functions."""
    for name in ("log", "sin", "cos", "tan", "tanh", "sqrt"):
        yield entry(f"complex.{name}", DOUBLE, DOUBLE, _DECLARATION, symbol=f"c{name}")
    for name, text in (("log1p", _LOG1P), ("expm1", _EXPM1)):
        yield entry(f"complex.{name}", DOUBLE, DOUBLE, text)
    for name in ("log", "sin", "cos", "tan", "tanh", "sqrt", "log1p", "expm1"):
        yield entry(f"complex.{name}", SINGLE, SINGLE, _WIDENED)
    yield entry("complex.exp", DOUBLE, DOUBLE, _EXP, E="f64", infinity="7FF0000000000000",
                minus="FFF0000000000000")  # fmt: skip
    yield entry("complex.exp", SINGLE, SINGLE, _EXP, E="f32", infinity="7F800000", minus="FF800000")
    yield entry("complex.pow", DOUBLE, DOUBLE, _POWER)
    yield entry("complex.pow", SINGLE, SINGLE, _WIDENED_POWER)
    yield entry("complex.abs", DOUBLE, "f64", _ABSOLUTE)
    yield from _of_all()


def in_lanes() -> Iterator[Entry]:
    """Those of which lanes can compute several at once."""
    yield entry("complex.abs", DOUBLE, "f64", _ABSOLUTE_IN_LANES)
    yield from _of_all()


def _of_all() -> Iterator[Entry]:
    yield entry("complex.abs", SINGLE, "f32", _ABSOLUTE_SINGLE)
    yield entry("complex.div", DOUBLE, DOUBLE, _DIVIDE, E="f64")
    yield entry("complex.div", SINGLE, SINGLE, _DIVIDE, E="f32")


_DECLARATION = "func.func private @$symbol($T) -> $R"

_WIDENED = """
func.func private @$symbol(%z: complex<f32>) -> complex<f32> attributes {$internal} {
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %x = arith.extf %re : f32 to f64
  %y = arith.extf %im : f32 to f64
  %wide = complex.create %x, %y : complex<f64>
  %value = $operation %wide : complex<f64>
  %u = complex.re %value : complex<f64>
  %v = complex.im %value : complex<f64>
  %a = arith.truncf %u : f64 to f32
  %b = arith.truncf %v : f64 to f32
  %result = complex.create %a, %b : complex<f32>
  return %result : complex<f32>
}"""

_WIDENED_POWER = """
func.func private @$symbol(%z: complex<f32>, %w: complex<f32>) -> complex<f32> attributes {$internal} {
  %zr = complex.re %z : complex<f32>
  %zi = complex.im %z : complex<f32>
  %wr = complex.re %w : complex<f32>
  %wi = complex.im %w : complex<f32>
  %zx = arith.extf %zr : f32 to f64
  %zy = arith.extf %zi : f32 to f64
  %wx = arith.extf %wr : f32 to f64
  %wy = arith.extf %wi : f32 to f64
  %base = complex.create %zx, %zy : complex<f64>
  %exponent = complex.create %wx, %wy : complex<f64>
  %value = complex.pow %base, %exponent : complex<f64>
  %u = complex.re %value : complex<f64>
  %v = complex.im %value : complex<f64>
  %a = arith.truncf %u : f64 to f32
  %b = arith.truncf %v : f64 to f32
  %result = complex.create %a, %b : complex<f32>
  return %result : complex<f32>
}"""

# log|1 + z| is log1p(2 x + x^2 + y^2) / 2, which keeps its digits near 0.
_LOG1P = """
func.func private @$symbol(%z: complex<f64>) -> complex<f64> attributes {$internal} {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %x_size = math.absf %x : f64
  %y_size = math.absf %y : f64
  %x_small = arith.cmpf olt, %x_size, %half : f64
  %y_small = arith.cmpf olt, %y_size, %half : f64
  %small = arith.andi %x_small, %y_small : i1
  %right = arith.addf %x, %one : f64
  %result = scf.if %small -> complex<f64> {
    %x2 = arith.addf %x, %two : f64
    %product = arith.mulf %x, %x2 : f64
    %square = arith.mulf %y, %y : f64
    %excess = arith.addf %product, %square : f64
    %twice = math.log1p %excess : f64
    %re = arith.mulf %half, %twice : f64
    %im = math.atan2 %y, %right : f64
    %near = complex.create %re, %im : complex<f64>
    scf.yield %near : complex<f64>
  } else {
    %sum = complex.create %right, %y : complex<f64>
    %far = complex.log %sum : complex<f64>
    scf.yield %far : complex<f64>
  }
  return %result : complex<f64>
}"""

# expm1(x) cos(y) - 2 sin(y/2)^2 + i exp(x) sin(y)
_EXPM1 = """
func.func private @$symbol(%z: complex<f64>) -> complex<f64> attributes {$internal} {
  %half = arith.constant 0.5 : f64
  %x = complex.re %z : complex<f64>
  %y = complex.im %z : complex<f64>
  %y_half = arith.mulf %y, %half : f64
  %s = math.sin %y_half : f64
  %s2 = arith.addf %s, %s : f64
  %versine = arith.mulf %s, %s2 : f64
  %growth = math.expm1 %x : f64
  %cosine = math.cos %y : f64
  %product = arith.mulf %growth, %cosine : f64
  %re = arith.subf %product, %versine : f64
  %radius = math.exp %x : f64
  %sine = math.sin %y : f64
  %im = arith.mulf %radius, %sine : f64
  %result = complex.create %re, %im : complex<f64>
  return %result : complex<f64>
}"""

# Parts whose squares would overflow or vanish are scaled by a power of two, so there is one root.
_SCALED = """
  %one = arith.constant 1.0 : f64
  %small = arith.constant 0x20B0000000000000 : f64
  %large = arith.constant 0x5F30000000000000 : f64
  %up = arith.constant 0x6570000000000000 : f64
  %down = arith.constant 0x1A70000000000000 : f64
  %infinity = arith.constant 0x7FF0000000000000 : f64
  %re_size = math.absf %re : f64
  %im_size = math.absf %im : f64
  %larger = arith.maxnumf %re_size, %im_size : f64
  %is_small = arith.cmpf olt, %larger, %small : f64
  %is_large = arith.cmpf ogt, %larger, %large : f64
  %scale_up = arith.select %is_small, %up, %one : f64
  %scale = arith.select %is_large, %down, %scale_up : f64
  %back_down = arith.select %is_small, %down, %one : f64
  %back = arith.select %is_large, %up, %back_down : f64
  %x = arith.mulf %re, %scale : f64
  %y = arith.mulf %im, %scale : f64
  %x2 = arith.mulf %x, %x : f64
  %y2 = arith.mulf %y, %y : f64
  %square = arith.addf %x2, %y2 : f64
  %root = math.sqrt %square : f64
  %size = arith.mulf %root, %back : f64
  %is_infinite = arith.cmpf oeq, %larger, %infinity : f64
  %result = arith.select %is_infinite, %infinity, %size : f64"""

_ABSOLUTE = f"""
func.func private @$symbol(%z: complex<f64>) -> f64 attributes {{$internal}} {{
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>{_SCALED}
  return %result : f64
}}"""

# The plain root where that will do: lanes of which none needs more pass the other branch by, which
# elsewhere would be computed for every number.
_ABSOLUTE_IN_LANES = f"""
func.func private @$symbol(%z: complex<f64>) -> f64 attributes {{$internal}} {{
  %least = arith.constant 1.0e-280 : f64
  %most = arith.constant 1.0e+280 : f64
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %re2 = arith.mulf %re, %re : f64
  %im2 = arith.mulf %im, %im : f64
  %sum = arith.addf %re2, %im2 : f64
  %is_more = arith.cmpf ogt, %sum, %least : f64
  %is_less = arith.cmpf olt, %sum, %most : f64
  %is_near = arith.andi %is_more, %is_less : i1
  %size_of_any = scf.if %is_near -> f64 {{
    %plain = math.sqrt %sum : f64
    scf.yield %plain : f64
  }} else {{{_SCALED}
    scf.yield %result : f64
  }}
  return %size_of_any : f64
}}"""

# Squares of f32 neither overflow nor vanish in f64.
_ABSOLUTE_SINGLE = """
func.func private @$symbol(%z: complex<f32>) -> f32 attributes {$internal} {
  %infinity = arith.constant 0x7F800000 : f32
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %x = arith.extf %re : f32 to f64
  %y = arith.extf %im : f32 to f64
  %x2 = arith.mulf %x, %x : f64
  %y2 = arith.mulf %y, %y : f64
  %square = arith.addf %x2, %y2 : f64
  %root = math.sqrt %square : f64
  %single = arith.truncf %root : f64 to f32
  %re_size = math.absf %re : f32
  %im_size = math.absf %im : f32
  %larger = arith.maxnumf %re_size, %im_size : f32
  %is_infinite = arith.cmpf oeq, %larger, %infinity : f32
  %result = arith.select %is_infinite, %infinity, %single : f32
  return %result : f32
}"""

# Smith's algorithm, as NumPy has it: the larger part of the divisor is divided out.  By zero both
# parts are divided for themselves.
_DIVIDE = """
func.func private @$symbol(%z: $T, %w: $T) -> $T attributes {$internal} {
  %zero = arith.constant 0.0 : $E
  %one = arith.constant 1.0 : $E
  %a = complex.re %z : $T
  %b = complex.im %z : $T
  %c = complex.re %w : $T
  %d = complex.im %w : $T
  %c_size = math.absf %c : $E
  %d_size = math.absf %d : $E
  %real_is_larger = arith.cmpf oge, %c_size, %d_size : $E
  %p = arith.select %real_is_larger, %c, %d : $E
  %q = arith.select %real_is_larger, %d, %c : $E
  %x = arith.select %real_is_larger, %a, %b : $E
  %y = arith.select %real_is_larger, %b, %a : $E
  %is_zero = arith.cmpf oeq, %p, %zero : $E
  %quotient = arith.divf %q, %p : $E
  %ratio = arith.select %is_zero, %zero, %quotient : $E
  %p_size = math.absf %p : $E
  %p_unsigned = arith.select %is_zero, %p_size, %p : $E
  %q_part = arith.mulf %q, %ratio : $E
  %sum = arith.addf %p_unsigned, %q_part : $E
  %scale = arith.divf %one, %sum : $E
  %y_part = arith.mulf %y, %ratio : $E
  %x_part = arith.mulf %x, %ratio : $E
  %re = arith.addf %x, %y_part : $E
  %down = arith.subf %y, %x_part : $E
  %up = arith.subf %x_part, %y : $E
  %im = arith.select %real_is_larger, %down, %up : $E
  %re_part = arith.select %is_zero, %a, %re : $E
  %im_part = arith.select %is_zero, %b, %im : $E
  %re_scaled = arith.mulf %re_part, %scale : $E
  %im_scaled = arith.mulf %im_part, %scale : $E
  %result = complex.create %re_scaled, %im_scaled : $T
  return %result : $T
}"""

# exp(x) cis(y); at an infinite x an angle that is none counts as 0, and a real number stays real.
_EXP = """
func.func private @$symbol(%z: $T) -> $T attributes {$internal} {
  %zero = arith.constant 0.0 : $E
  %infinity = arith.constant 0x$infinity : $E
  %minus = arith.constant 0x$minus : $E
  %x = complex.re %z : $T
  %y = complex.im %z : $T
  %distance = arith.subf %y, %y : $E
  %no_angle = arith.cmpf uno, %distance, %distance : $E
  %is_low = arith.cmpf oeq, %x, %minus : $E
  %is_high = arith.cmpf oeq, %x, %infinity : $E
  %vanishes = arith.andi %is_low, %no_angle : i1
  %grows = arith.andi %is_high, %no_angle : i1
  %angle = arith.select %vanishes, %zero, %y : $E
  %radius = math.exp %x : $E
  %cosine = math.cos %angle : $E
  %sine = math.sin %angle : $E
  %a = arith.mulf %radius, %cosine : $E
  %b = arith.mulf %radius, %sine : $E
  %is_real = arith.cmpf oeq, %y, %zero : $E
  %re = arith.select %grows, %x, %a : $E
  %im = arith.select %is_real, %y, %b : $E
  %result = complex.create %re, %im : $T
  return %result : $T
}"""

# Small integer exponents by repeated squaring, which is exact where NumPy is; else C's.  Up to 3 no
# factor is 1, which would make NaN of infinite parts; powers of 0 are 0 or undefined.
_POWER = """
func.func private @cpow(complex<f64>, complex<f64>) -> complex<f64>
func.func private @$symbol(%z: complex<f64>, %w: complex<f64>) -> complex<f64> attributes {$internal} {
  %zero = arith.constant 0.0 : f64
  %many = arith.constant 100.0 : f64
  %none = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %nothing = complex.constant [0.0, 0.0] : complex<f64>
  %nan = arith.constant 0x7FF8000000000000 : f64
  %undefined = complex.create %nan, %nan : complex<f64>
  %three = arith.constant 3.0 : f64
  %x = complex.re %w : complex<f64>
  %y = complex.im %w : complex<f64>
  %x_size = math.absf %x : f64
  %is_real = arith.cmpf oeq, %y, %zero : f64
  %is_small = arith.cmpf olt, %x_size, %many : f64
  %safe = arith.select %is_small, %x_size, %zero : f64
  %n = arith.fptosi %safe : f64 to i64
  %back = arith.sitofp %n : i64 to f64
  %is_whole = arith.cmpf oeq, %back, %x_size : f64
  %is_integer = arith.andi %is_real, %is_whole : i1
  %base_is_zero = complex.eq %z, %nothing : complex<f64>
  %is_not_none = complex.neq %w, %nothing : complex<f64>
  %is_of_zero = arith.andi %base_is_zero, %is_not_none : i1
  %is_positive = arith.cmpf ogt, %x, %zero : f64
  %is_at_most_three = arith.cmpf ole, %x, %three : f64
  %is_short = arith.andi %is_positive, %is_at_most_three : i1
  %result = scf.if %is_of_zero -> complex<f64> {
    %of_zero = arith.select %is_positive, %nothing, %undefined : complex<f64>
    scf.yield %of_zero : complex<f64>
  } else {
  %of_others = scf.if %is_integer -> complex<f64> {
    %powers:4 = scf.while (%k = %n, %p = %z, %r = %one, %begins = %is_short)
        : (i64, complex<f64>, complex<f64>, i1) -> (i64, complex<f64>, complex<f64>, i1) {
      %more = arith.cmpi sgt, %k, %none : i64
      scf.condition(%more) %k, %p, %r, %begins : i64, complex<f64>, complex<f64>, i1
    } do {
    ^bb0(%k: i64, %p: complex<f64>, %r: complex<f64>, %begins: i1):
      %bit = arith.andi %k, %unit : i64
      %odd = arith.cmpi eq, %bit, %unit : i64
      %product = complex.mul %r, %p : complex<f64>
      %rp = arith.select %begins, %p, %product : complex<f64>
      %r_next = arith.select %odd, %rp, %r : complex<f64>
      %p_next = complex.mul %p, %p : complex<f64>
      %k_next = arith.shrui %k, %unit : i64
      %goes_on = arith.cmpi ne, %bit, %unit : i64
      %still_begins = arith.andi %begins, %goes_on : i1
      scf.yield %k_next, %p_next, %r_next, %still_begins : i64, complex<f64>, complex<f64>, i1
    }
    %is_negative = arith.cmpf olt, %x, %zero : f64
    %signed = scf.if %is_negative -> complex<f64> {
      %inverse = complex.div %one, %powers#2 : complex<f64>
      scf.yield %inverse : complex<f64>
    } else {
      scf.yield %powers#2 : complex<f64>
    }
    scf.yield %signed : complex<f64>
  } else {
    %value = func.call @cpow(%z, %w) : (complex<f64>, complex<f64>) -> complex<f64>
    scf.yield %value : complex<f64>
  }
  scf.yield %of_others : complex<f64>
  }
  return %result : complex<f64>
}"""
