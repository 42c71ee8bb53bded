"""Angles of any size, less their quarter turns (M. Payne and R. Hanek, SIGNUM Newsletter 18, 1983).

``x = m 2^e`` with an integer ``m``.  Of the product with ``2/pi`` only the bits below 4 matter, so it
takes 192 digits of ``2/pi`` from the place on where they begin to.  The product's fraction is
exact to 137 bits, and no double is nearer to a multiple of ``pi/2`` than some 2^-62.

The functions are scalar; beside each stands its form for vectors of some widths, which goes through
the lanes that are asked for.  LLVM finds these forms by their names when it vectorises a loop.
"""

from __future__ import annotations

from functools import cache

from . import trigonometric
from .builder import DOUBLE, Builder, Kind, Value
from .coefficients import CONSTANTS, TWO_OVER_PI_BITS

_FUNCTIONS = {
    "sin": "sine_of",
    "cos": "cosine_of",
    "tan": "tangent_of",
}
_WIDTHS = {"f32": (4, 8, 16), "f64": (2, 4, 8, 16)}
_TABLE = "agir.two_over_pi"
_BEFORE = 64  # zero digits before the point, for small arguments

PURE = (
    "llvm.no_unwind, llvm.will_return, llvm.memory_effects = #llvm.memory_effects<other = none, "
    "argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>"
)


def symbol(name: str, kind: Kind) -> str:
    """The name of a function for large arguments."""
    return f"agir.large_{name}_{kind.name}"


@cache
def text(name: str, kind: Kind) -> str:
    """The function for large arguments of this kind, its vector forms, and what they need."""
    parts = [_scalar_text(name, kind, _WIDTHS[kind.name])]
    parts += [_vector_text(name, kind, width) for width in _WIDTHS[kind.name]]
    if kind != DOUBLE:
        parts.append(_scalar_text(name, DOUBLE, ()))
    return "\n".join([_table_text(), *parts])


def _scalar_text(name: str, kind: Kind, widths: tuple[int, ...]) -> str:
    attributes = f"llvm.linkage = #llvm.linkage<internal>, llvm.no_inline, {PURE}"
    if widths:
        variants = ",".join(
            f"_ZGV_LLVM_M{width}v_{symbol(name, kind)}({_vector_symbol(name, kind, width)})"
            for width in widths
        )
        named = f'["vector-function-abi-variant", "{variants}"]'
        attributes += f', llvm.passthrough = ["nosync", "nofree", {named}]'
    b = Builder(kind)
    (x,) = b.arguments(1)
    if kind == DOUBLE:
        result = getattr(trigonometric, _FUNCTIONS[name])(b, _angle(b, x))
        result = b.select(x < float("inf"), result, float("nan"))
    else:
        wide = b.converted(x, "f64")
        called = b.line(f"func.call @{symbol(name, DOUBLE)}({wide.name}) : (f64) -> f64", "f64")
        result = b.converted(called, kind.name)
    return b.text(symbol(name, kind), [x], result, attributes)


def _angle(b: Builder, x: Value) -> trigonometric.Angle:
    """The angle of a positive number."""
    bits = b.bits(x)
    exponent = (bits >> 52) - 1075
    mantissa = (bits & (2**52 - 1)) | 2**52
    place = exponent + (_BEFORE - 2)
    word, shift = place >> 6, place & 63
    digits = [_load(b, word + n) for n in range(4)]
    window = [_funnel(b, digits[n], digits[n + 1], shift) for n in range(3)]
    low_high, _ = _multiply(b, mantissa, window[2])
    middle_high, middle_low = _multiply(b, mantissa, window[1])
    middle = middle_low + low_high
    carry = b.line(f"arith.cmpi ult, {middle.name}, {low_high.name} : i64", "i1")
    carried = b.line(f"arith.extui {carry.name} : i1 to i64", "i64")
    top = mantissa * window[0] + middle_high + carried
    return _from_digits(b, top, middle)


def _from_digits(b: Builder, top: Value, middle: Value) -> trigonometric.Angle:
    """From 128 digits, of which two stand before the point."""
    turns = _logical_shift(b, top, 62)
    high = _funnel(b, top, middle, b.constant(2, "i64"))
    low = middle << 2
    negative = high >> 63  # all ones if the nearest multiple is the next one
    n = turns - negative
    high, low = high ^ negative, low ^ negative
    zeros = b.op("math.ctlz", high | 1)
    first, second = _funnel(b, high, low, zeros), low << zeros
    leading = b.line(f"arith.uitofp {_logical_shift(b, first, 11).name} : i64 to f64", "f64")
    rest = ((first & 0x7FF) << 52) | _logical_shift(b, second, 12)
    trailing = b.converted(rest, "f64")
    scale = b.power_of_two(b.constant(0, "i64") - zeros)
    sign = b.select(negative.equals(0), 1.0, -1.0) * scale
    fraction, fraction_low = leading * 2.0**-53 * sign, trailing * 2.0**-116 * sign
    first_part, second_part, *_ = CONSTANTS["HALF_PI", "f64"]
    r, error = b.two_product(fraction, first_part)
    low_part = b.fma(fraction, second_part, b.fma(fraction_low, first_part, error))
    r, low_part = b.fast_sum(r, low_part)
    return trigonometric.Angle(n, r, low_part)


def _load(b: Builder, word: Value) -> Value:
    index = b.line(f"arith.index_cast {word.name} : i64 to index", "index")
    table = b.line(f"memref.get_global @{_TABLE} : {_table_type()}", "memref")
    return b.line(f"memref.load {table.name}[{index.name}] : {_table_type()}", "i64")


def _funnel(b: Builder, high: Value, low: Value, shift: Value) -> Value:
    """The upper 64 of 128 bits, shifted to the left by less than 64."""
    complement = b.constant(63, "i64") - shift
    return (high << shift) | _logical_shift(b, _logical_shift(b, low, 1), complement)


def _logical_shift(b: Builder, x: Value, by: Value | int) -> Value:
    amount = by if isinstance(by, Value) else b.constant(by, "i64")
    return b.op("arith.shrui", x, amount)


def _multiply(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """The upper and the lower half of an unsigned product."""
    name = f"%v{len(b.lines)}"
    b.lines.append(f"  {name}:2 = arith.mului_extended {x.name}, {y.name} : i64")
    return Value(b, f"{name}#1", "i64"), Value(b, f"{name}#0", "i64")


def _table_type() -> str:
    return f"memref<{len(TWO_OVER_PI_BITS) + 1}xi64>"


def _table_text() -> str:
    words = ", ".join(
        str(word - 2**64 if word >= 2**63 else word) for word in (0, *TWO_OVER_PI_BITS)
    )
    return f'memref.global "private" constant @{_TABLE} : {_table_type()} = dense<[{words}]>'


def _vector_symbol(name: str, kind: Kind, width: int) -> str:
    return f"{symbol(name, kind)}_{width}"


def _vector_text(name: str, kind: Kind, width: int) -> str:
    """One lane after the other; external, or LLVM would drop it before it looks for it."""
    numbers, flags = f"vector<{width}x{kind.name}>", f"vector<{width}xi1>"
    return f"""
func.func private @{_vector_symbol(name, kind, width)}(%x: {numbers}, %where: {flags}) -> {numbers}
    attributes {{llvm.linkage = #llvm.linkage<external>, llvm.no_inline, {PURE}}} {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant {width} : index
  %none = arith.constant 0 : i{width}
  %mask = vector.bitcast %where : {flags} to vector<1xi{width}>
  %bits = vector.extract %mask[0] : i{width} from vector<1xi{width}>
  %some = arith.cmpi ne, %bits, %none : i{width}
  %result = scf.if %some -> {numbers} {{
    %all = scf.for %lane = %first to %end step %step iter_args(%values = %x) -> {numbers} {{
      %asked = vector.extract %where[%lane] : i1 from {flags}
      %next = scf.if %asked -> {numbers} {{
        %number = vector.extract %x[%lane] : {kind.name} from {numbers}
        %value = func.call @{symbol(name, kind)}(%number) : ({kind.name}) -> {kind.name}
        %changed = vector.insert %value, %values[%lane] : {kind.name} into {numbers}
        scf.yield %changed : {numbers}
      }} else {{
        scf.yield %values : {numbers}
      }}
      scf.yield %next : {numbers}
    }}
    scf.yield %all : {numbers}
  }} else {{
    scf.yield %x : {numbers}
  }}
  return %result : {numbers}
}}"""
