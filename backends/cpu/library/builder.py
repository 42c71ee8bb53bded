"""Writing functions of real numbers as MLIR text, with Python's operators.

The text is straight-line code but for `Builder.rarely`: LLVM's loop vectoriser makes SIMD code of
the loop that it is inlined into.  Nothing is reassociated: products and sums are what the source
says, and a fused multiply-add is a `fma`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Union

from agir.records import dataclass


@dataclass(frozen=True)
class Kind:
    """A floating-point format: its MLIR types and what of its layout the functions use."""

    name: str
    integer: str
    bits: int
    fraction: int
    bias: int
    word: str
    integer_word: str

    @property
    def magic(self) -> float:
        """1.5 times 2 to the number of fraction bits: a sum with it is an integer in the low bits."""
        return 1.5 * 2.0**self.fraction

    @property
    def smallest(self) -> float:
        """The smallest normal number."""
        return 2.0 ** (1 - self.bias)

    def pattern(self, value: float) -> int:
        """The bits of a number, as an unsigned integer."""
        return int(struct.unpack(self.integer_word, struct.pack(self.word, value))[0])


SINGLE = Kind("f32", "i32", 32, 23, 127, "<f", "<I")
DOUBLE = Kind("f64", "i64", 64, 52, 1023, "<d", "<Q")
KINDS = {kind.name: kind for kind in (SINGLE, DOUBLE)}

Number = Union["Value", float, int]

PURE = (
    "llvm.no_unwind, llvm.will_return, llvm.memory_effects = #llvm.memory_effects<other = none, "
    "argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>"
)


class Value:
    """An SSA value; Python numbers that meet it become constants of its type."""

    __slots__ = ("builder", "name", "type")

    def __init__(self, builder: Builder, name: str, type: str) -> None:
        self.builder = builder
        self.name = name
        self.type = type

    def __add__(self, other: Number) -> Value:
        return self._binary("add", self, other)

    def __radd__(self, other: Number) -> Value:
        return self._binary("add", other, self)

    def __sub__(self, other: Number) -> Value:
        return self._binary("sub", self, other)

    def __rsub__(self, other: Number) -> Value:
        return self._binary("sub", other, self)

    def __mul__(self, other: Number) -> Value:
        return self._binary("mul", self, other)

    def __rmul__(self, other: Number) -> Value:
        return self._binary("mul", other, self)

    def __truediv__(self, other: Number) -> Value:
        return self._binary("div", self, other)

    def __rtruediv__(self, other: Number) -> Value:
        return self._binary("div", other, self)

    def __neg__(self) -> Value:
        return self.builder.op("arith.negf", self)

    def __abs__(self) -> Value:
        return self.builder.op("math.absf", self)

    def __and__(self, other: Number) -> Value:
        return self.builder.op("arith.andi", self, self._same(other))

    def __or__(self, other: Number) -> Value:
        return self.builder.op("arith.ori", self, self._same(other))

    def __xor__(self, other: Number) -> Value:
        return self.builder.op("arith.xori", self, self._same(other))

    def __lshift__(self, other: Number) -> Value:
        return self.builder.op("arith.shli", self, self._same(other))

    def __rshift__(self, other: Number) -> Value:
        """The arithmetic shift."""
        return self.builder.op("arith.shrsi", self, self._same(other))

    def __lt__(self, other: Number) -> Value:
        return self._compare("lt", other)

    def __le__(self, other: Number) -> Value:
        return self._compare("le", other)

    def __gt__(self, other: Number) -> Value:
        return self._compare("gt", other)

    def __ge__(self, other: Number) -> Value:
        return self._compare("ge", other)

    def equals(self, other: Number) -> Value:
        """An ``i1``; comparisons with a NaN are false."""
        return self._compare("eq", other)

    def differs(self, other: Number) -> Value:
        """An ``i1``, the opposite of `equals`: a NaN differs from everything."""
        return self.builder.op("arith.cmpf une,", self, self._same(other), type="i1")

    def _same(self, other: Number) -> Value:
        return other if isinstance(other, Value) else self.builder.constant(other, self.type)

    def _binary(self, name: str, left: Number, right: Number) -> Value:
        suffix = "f" if self.type[0] == "f" else "i"
        return self.builder.op(f"arith.{name}{suffix}", self._same(left), self._same(right))

    def _compare(self, order: str, other: Number) -> Value:
        if self.type[0] == "f":
            name = f"arith.cmpf o{order},"
        else:
            name = f"arith.cmpi {order if order == 'eq' else f's{order}'},"
        return self.builder.op(name, self, self._same(other), type="i1")


class Builder:
    """The body of one function, line by line."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.lines: list[str] = []
        self.constants: dict[tuple[str, str], Value] = {}
        self.needs: dict[str, str] = {}

    def arguments(self, count: int) -> list[Value]:
        """The function's arguments."""
        return [Value(self, f"%x{n}", self.kind.name) for n in range(count)]

    def text(self, symbol: str, arguments: Sequence[Value], result: Value, attributes: str) -> str:
        """The function, after those that it needs."""
        takes = ", ".join(f"{value.name}: {value.type}" for value in arguments)
        head = (
            f"func.func private @{symbol}({takes}) -> {result.type} attributes {{{attributes}}} {{"
        )
        constants = [
            f"  {value.name} = arith.constant {literal} : {type}"
            for (literal, type), value in self.constants.items()
        ]
        end = f"  return {result.name} : {result.type}\n}}"
        return "\n".join([*self.needs.values(), head, *constants, *self.lines, end])

    def inside(self, kind: Kind) -> Builder:
        """The same body, to go on in another format; `adopt` takes values over."""
        other = Builder(kind)
        other.lines, other.constants, other.needs = self.lines, self.constants, self.needs
        return other

    def adopt(self, value: Value) -> Value:
        """A value of the same body as one of this builder's."""
        return Value(self, value.name, value.type)

    # Instructions.

    def op(self, name: str, *operands: Value, type: str | None = None) -> Value:
        """An operation whose text ends with its operands' type; the result's, unless it differs."""
        names = ", ".join(operand.name for operand in operands)
        return self.line(f"{name} {names} : {operands[0].type}", type or operands[0].type)

    def line(self, text: str, type: str) -> Value:
        """An operation as text."""
        value = Value(self, f"%v{len(self.lines)}", type)
        self.lines.append(f"  {value.name} = {text}")
        return value

    def constant(self, number: float, type: str | None = None) -> Value:
        """A constant, exact to the bit."""
        type = type or self.kind.name
        if type in KINDS:
            kind = KINDS[type]
            literal = f"0x{kind.pattern(number):0{kind.bits // 4}X}"
        else:
            literal = str(number)
        key = (literal, type)
        if key not in self.constants:
            self.constants[key] = Value(self, f"%c{len(self.constants)}", type)
        return self.constants[key]

    def number(self, value: Number) -> Value:
        """A value of the function's kind."""
        return value if isinstance(value, Value) else self.constant(value)

    def fma(self, a: Number, b: Number, c: Number) -> Value:
        """``a * b + c``, rounded once."""
        return self.op("math.fma", self.number(a), self.number(b), self.number(c))

    def select(self, condition: Value, yes: Number, no: Number) -> Value:
        """One of two numbers."""
        reference = next((v for v in (yes, no) if isinstance(v, Value)), None)
        type = reference.type if reference else self.kind.name
        a, b = (v if isinstance(v, Value) else self.constant(v, type) for v in (yes, no))
        return self.line(f"arith.select {condition.name}, {a.name}, {b.name} : {type}", type)

    def clamp(self, x: Value, low: float | None, high: float | None) -> Value:
        """Between the limits; a NaN stays one."""
        if high is not None:
            x = self.select(x > high, high, x)
        if low is not None:
            x = self.select(x < low, low, x)
        return x

    def bits(self, x: Value) -> Value:
        """A number's bits as an integer."""
        integer = KINDS[x.type].integer
        return self.line(f"arith.bitcast {x.name} : {x.type} to {integer}", integer)

    def float_of(self, bits: Value) -> Value:
        """The number with these bits."""
        name = {"i32": "f32", "i64": "f64"}[bits.type]
        return self.line(f"arith.bitcast {bits.name} : {bits.type} to {name}", name)

    def converted(self, x: Value, type: str) -> Value:
        """A number in another format, or an integer as a number."""
        if x.type == type:
            return x
        if x.type[0] == "i" and type[0] == "i":
            name = "arith.extsi" if int(x.type[1:]) < int(type[1:]) else "arith.trunci"
        elif x.type[0] == "i":
            name = "arith.sitofp"
        else:
            name = "arith.extf" if type == "f64" else "arith.truncf"
        return self.line(f"{name} {x.name} : {x.type} to {type}", type)

    def sqrt(self, x: Value) -> Value:
        """The square root, correctly rounded."""
        return self.op("math.sqrt", x)

    def copysign(self, size: Value, sign: Value) -> Value:
        """The first number with the sign of the second."""
        return self.op("math.copysign", size, sign)

    def polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """The constant term comes first.

        By pairs, pairs of pairs … (G. Estrin, 1960): few products more than with Horner's rule, and a
        chain of dependent ones that is as long as the logarithm of their number.  The constant is
        added at the end: each level would round it once more.
        """
        constant, *terms = map(self.number, coefficients)
        power = x
        while len(terms) > 1:
            pairs: list[Value | None] = [*terms, None] if len(terms) % 2 else [*terms]
            terms = [
                self.fma(high, power, low) if low and high else self.number(low or 0.0)
                for low, high in zip(pairs[::2], pairs[1::2], strict=True)
            ]
            power = power * power if len(terms) > 1 else power
        return self.fma(terms[0], x, constant)

    def rarely(self, condition: Value, symbol: str, argument: Value, otherwise: Value) -> Value:
        """The value of a function where the condition holds, which calls it only there."""
        name, type = f"%v{len(self.lines)}", otherwise.type
        self.lines.append(
            f"  {name} = scf.if {condition.name} -> {type} {{\n"
            f"    {name}_ = func.call @{symbol}({argument.name}) : ({type}) -> {type}\n"
            f"    scf.yield {name}_ : {type}\n"
            f"  }} else {{\n    scf.yield {otherwise.name} : {type}\n  }}"
        )
        return Value(self, name, type)

    # Powers of two and pairs of numbers, whose exact sum is what is meant (Dekker 1971).

    def power_of_two(self, exponent: Value) -> Value:
        """2 to an integer, which is within the range of normal numbers."""
        return self.float_of((exponent + self.kind.bias) << self.kind.fraction)

    def scaled(self, x: Value, exponent: Value) -> Value:
        """``x`` times 2 to an integer, by way of its halves: only the last product is rounded."""
        half = exponent >> 1
        return (x * self.power_of_two(half)) * self.power_of_two(exponent - half)

    def fast_sum(self, a: Value, b: Value) -> tuple[Value, Value]:
        """The sum and its error, where ``a`` is the larger (or the sum of exponents that allow it)."""
        total = a + b
        return total, b - (total - a)

    def two_sum(self, a: Value, b: Value) -> tuple[Value, Value]:
        """The sum and its error."""
        total = a + b
        part = total - a
        return total, (a - (total - part)) + (b - part)

    def two_product(self, a: Value, b: Number) -> tuple[Value, Value]:
        """The product and its error."""
        product = a * b
        return product, self.fma(a, b, -product)

    def quotient(
        self, a: Value, a_low: Value | None, b: Value, b_low: Value
    ) -> tuple[Value, Value]:
        """The quotient of two pairs, as a pair, with one division."""
        reciprocal = 1.0 / b
        first = a * reciprocal
        rest = self.fma(-first, b_low, self.fma(-first, b, a))
        return first, (rest if a_low is None else rest + a_low) * reciprocal
