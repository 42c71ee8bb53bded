"""Angles of any size, less their quarter turns (M. Payne and R. Hanek, SIGNUM Newsletter 18, 1983).

``x = m 2^e`` with an integer ``m``.  Of the product with ``2/pi`` only the bits below 4 matter, so it
takes 192 digits of ``2/pi`` from the place on where they begin to.  The product's fraction is
exact to 137 bits, and no double is nearer to a multiple of ``pi/2`` than some 2^-62.

The function is scalar; beside it stand forms for vectors of some widths, which go through the lanes
that are asked for.  LLVM finds these forms by their names when it vectorises a loop.
"""

from __future__ import annotations

from functools import cache

from . import angles
from .builder import DOUBLE, PURE, Builder, Kind, Value
from .coefficients import CONSTANTS, TWO_OVER_PI_BITS

_FUNCTIONS = {"sin": angles.sine_of, "cos": angles.cosine_of, "tan": angles.tangent_of}
_WIDTHS = {"f32": (8, 16), "f64": (4, 8)}  # of the vectors with AVX2 and AVX-512
_TABLE = "agir.two_over_pi"
_BEFORE = 64  # zero digits before the point, for small arguments

_LINKAGE = "llvm.linkage = #llvm.linkage<internal>, llvm.no_inline"


def symbol(name: str, kind: Kind) -> str:
    """The name of a function for large arguments."""
    return f"agir.large_{name}_{kind.name}"


@cache
def text(name: str, kind: Kind) -> str:
    """The function for large arguments of this kind, its vector forms, and what they need."""
    forms = (_vector_text(name, kind, width) for width in _WIDTHS[kind.name])
    parts = (_table_text(), _one_text(name), _guard_text(name, kind), _lanes_text(name, kind))
    return "\n".join([*parts, *forms])


def _one_text(name: str) -> str:
    """The function of one number, in double precision."""
    b = Builder(DOUBLE)
    (x,) = b.arguments(1)
    result = _FUNCTIONS[name](b, _angle(b, x))
    result = b.select(x < float("inf"), result, float("nan"))
    return b.text(_one(name), [x], result, f"{_LINKAGE}, {PURE}")


def _one(name: str) -> str:
    return f"agir.large_{name}"


def _guard_text(name: str, kind: Kind) -> str:
    """What loops call, and what says that there are vector forms of it.

    These go by another name to one number: LLVM would vectorise their own loop with them.
    """
    forms = ",".join(
        f"_ZGV_LLVM_M{width}v_{symbol(name, kind)}({_vector_symbol(name, kind, width)})"
        for width in _WIDTHS[kind.name]
    )
    passed = f'["nosync", "nofree", ["vector-function-abi-variant", "{forms}"]]'
    b = Builder(kind)
    (x,) = b.arguments(1)
    result = _call_one(b, name, x)
    return b.text(
        symbol(name, kind), [x], result, f"{_LINKAGE}, {PURE}, llvm.passthrough = {passed}"
    )


def _call_one(b: Builder, name: str, x: Value) -> Value:
    wide = b.converted(x, "f64")
    called = b.line(f"func.call @{_one(name)}({wide.name}) : (f64) -> f64", "f64")
    return b.converted(called, x.type)


def _angle(b: Builder, x: Value) -> angles.Angle:
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


def _from_digits(b: Builder, top: Value, middle: Value) -> angles.Angle:
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
    return angles.Angle(n, r, low_part)


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
    """The lanes that are asked for; external, or LLVM would drop it before it looks for it.

    Loops keep what they have in registers over the call: what is needed for such lanes, they save.
    Most vectors have none, so that is a function of its own.
    """
    numbers, flags = f"vector<{width}x{kind.name}>", f"vector<{width}xi1>"
    some = f"{_vector_symbol(name, kind, width)}_some"
    keeping = 'llvm.no_inline, llvm.passthrough = ["no_caller_saved_registers"]'
    return f"""
func.func private @{_vector_symbol(name, kind, width)}(%x: {numbers}, %where: {flags}) -> {numbers}
    attributes {{llvm.linkage = #llvm.linkage<external>, {keeping}, {PURE}}} {{
  %none = arith.constant 0 : i{width}
  %mask = vector.bitcast %where : {flags} to vector<1xi{width}>
  %bits = vector.extract %mask[0] : i{width} from vector<1xi{width}>
  %some = arith.cmpi ne, %bits, %none : i{width}
  %result = scf.if %some -> {numbers} {{
    %wide = arith.extui %bits : i{width} to i32
    %values = func.call @{some}(%x, %wide) : ({numbers}, i32) -> {numbers}
    scf.yield %values : {numbers}
  }} else {{
    scf.yield %x : {numbers}
  }}
  return %result : {numbers}
}}
{_some_text(name, kind, width, some, keeping)}"""


def _some_text(name: str, kind: Kind, width: int, some: str, keeping: str) -> str:
    """The lanes of a vector that a mask chooses, in memory."""
    numbers, lanes = f"vector<{width}x{kind.name}>", f"memref<?x{kind.name}>"
    buffer = f"memref<{width}x{kind.name}>"
    return f"""
func.func private @{some}(%x: {numbers}, %wide: i32) -> {numbers}
    attributes {{llvm.linkage = #llvm.linkage<internal>, llvm.no_unwind, {keeping}}} {{
  %first = arith.constant 0 : index
  %buffer = memref.alloca() : {buffer}
  vector.store %x, %buffer[%first] : {buffer}, {numbers}
  %lanes = memref.cast %buffer : {buffer} to {lanes}
  func.call @{symbol(name, kind)}_lanes(%lanes, %wide) : ({lanes}, i32) -> ()
  %values = vector.load %buffer[%first] : {buffer}, {numbers}
  return %values : {numbers}
}}"""


def _lanes_text(name: str, kind: Kind) -> str:
    """The lanes of a vector in memory that a mask chooses, one after the other."""
    lanes = f"memref<?x{kind.name}>"
    b = Builder(kind)
    value = _call_one(b, name, Value(b, "%number", kind.name))
    body = "\n".join(b.lines)
    return f"""
func.func private @{symbol(name, kind)}_lanes(%lanes: {lanes}, %mask: i32)
    attributes {{llvm.linkage = #llvm.linkage<internal>, llvm.no_inline, llvm.no_unwind}} {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = memref.dim %lanes, %first : {lanes}
  scf.for %lane = %first to %end step %step {{
    %place = arith.index_cast %lane : index to i32
    %shifted = arith.shrui %mask, %place : i32
    %bit = arith.andi %shifted, %one : i32
    %asked = arith.cmpi eq, %bit, %one : i32
    scf.if %asked {{
      %number = memref.load %lanes[%lane] : {lanes}
{body}
      memref.store {value.name}, %lanes[%lane] : {lanes}
    }}
  }}
  return
}}"""
