"""What operations on numbers mean, as terms of the solver.

Integers are bit vectors.  Floats are those of IEEE 754, or what operations on them give is left open
(`opaque`), so that only the same operation on the same operands gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from agir.backends.mlir.making import predicate
from agir.backends.reference.dialects.llvm import SAME
from agir.errors import UnsupportedOperation
from agir.ir.building import bindings

Term = Any
_FLOATS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}
_NEAREST = z3.RNE()
_ORDERED = {
    "eq": z3.fpEQ, "gt": z3.fpGT, "ge": z3.fpGEQ, "lt": z3.fpLT, "le": z3.fpLEQ, "ne": z3.fpNEQ,
}  # fmt: skip
_INTEGERS: dict[str, Callable[[Term, Term], Term]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b, "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b,
    "ult": z3.ULT, "ule": z3.ULE, "ugt": z3.UGT, "uge": z3.UGE,
}  # fmt: skip


def sort(kind: Any) -> Any:
    """The solver's sort for values of a type."""
    ir, text = bindings.ir, str(kind)
    if isinstance(kind, ir.IndexType):
        return z3.BitVecSort(64)
    if isinstance(kind, ir.IntegerType):
        return z3.BitVecSort(kind.width)
    if text in _FLOATS:
        return z3.FPSort(*_FLOATS[text])
    raise UnsupportedOperation(f"values of type {text}")


def bit(condition: Term) -> Term:
    """A truth value as an integer of one bit."""
    return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def holds(value: Term) -> Term:
    """Whether an integer of one bit is one."""
    return value == z3.BitVecVal(1, 1)


def same(one: Term, other: Term) -> Term:
    """Whether two values are one: NaN is NaN, and zero is not minus zero."""
    return z3.ExprRef.__eq__(one, other)


def constant(kind: Any, value: Any) -> Term:
    """A number."""
    found = sort(kind)
    return z3.FPVal(value, found) if z3.is_fp_sort(found) else z3.BitVecVal(int(value), found)


class Terms:
    """The terms of operations, and under which conditions they are defined."""

    def __init__(self, opaque: bool) -> None:
        self.opaque = opaque
        self.has_floats = False
        """Whether what floats are has been asked."""
        self.defined: list[Term] = []

    def of(self, raw: Any, operands: Sequence[Term], path: Term) -> Term:
        """The result of an operation, where control gets to it on the condition ``path``."""
        name = SAME.get(raw.name, raw.name)
        kind = raw.results[0].type
        if name in _CHECKED:
            self._require(path, _CHECKED[name](*operands))
        if name in _OVERFLOWS and "nsw" in _flags(raw):
            self._require(path, z3.And(*(each(*operands) for each in _OVERFLOWS[name])))
        if name == "arith.cmpi":
            return bit(_INTEGERS[predicate(raw)](*operands))
        if name in _BITS:
            return _BITS[name](*operands)
        if name in _SIZES:
            return _SIZES[name](operands[0], sort(kind).size())
        if name == "arith.select":
            return z3.If(holds(operands[0]), *operands[1:])
        return self._of_floats(name, raw, kind, operands)

    def _of_floats(self, name: str, raw: Any, kind: Any, operands: Sequence[Term]) -> Term:
        self.has_floats = True
        if name == "arith.cmpf":
            name = f"{name} {predicate(raw)}"
            if not self.opaque:
                return bit(_compared(predicate(raw), *operands))
        elif name in _EXACT and not self.opaque:
            return _EXACT[name](*operands)
        elif name in _CONVERTED and not self.opaque:
            return _CONVERTED[name](operands[0], sort(kind))
        elif not name.startswith(("arith.", "math.")):
            raise UnsupportedOperation(f"the operation {raw.name}")
        return open_function(name.partition(".")[2], operands, kind)

    def _require(self, path: Term, condition: Term) -> None:
        self.defined.append(z3.Implies(path, condition))


def open_function(name: str, operands: Sequence[Term], kind: Any) -> Term:
    """What a function gives of which nothing is known but that it is one."""
    sorts = [each.sort() for each in operands]
    return z3.Function(" ".join([name, *map(str, sorts)]), *sorts, sort(kind))(*operands)


def _flags(raw: Any) -> str:
    attributes = raw.attributes
    return str(attributes["overflowFlags"]) if "overflowFlags" in attributes else ""


def _compared(name: str, one: Term, other: Term) -> Term:
    is_nan = z3.Or(z3.fpIsNaN(one), z3.fpIsNaN(other))
    if name in ("ord", "uno"):
        return is_nan if name == "uno" else z3.Not(is_nan)
    if name.endswith(("true", "false")):
        return z3.BoolVal(name.endswith("true"))
    relation = _ORDERED[name[1:]](one, other)
    return z3.Or(is_nan, relation) if name[0] == "u" else z3.And(z3.Not(is_nan), relation)


def _floor(one: Term, other: Term) -> Term:
    rest = z3.SRem(one, other)
    below = z3.And(rest != 0, (rest < 0) != (other < 0))
    return z3.If(below, one / other - 1, one / other)


def _ceiling(one: Term, other: Term) -> Term:
    rest = z3.SRem(one, other)
    above = z3.And(rest != 0, (rest < 0) == (other < 0))
    return z3.If(above, one / other + 1, one / other)


def _is_divisor(one: Term, other: Term) -> Term:
    """Whether a signed division is defined."""
    least = z3.BitVecVal(1 << (one.size() - 1), one.size())
    return z3.And(other != 0, z3.Not(z3.And(one == least, other == -1)))


def _is_shift(one: Term, other: Term) -> Term:
    return z3.ULT(other, z3.BitVecVal(one.size(), one.size()))


def _resized(extend: Callable[[int, Term], Term]) -> Callable[[Term, int], Term]:
    def resize(value: Term, size: int) -> Term:
        if size <= value.size():
            return z3.Extract(size - 1, 0, value)
        return extend(size - value.size(), value)

    return resize


_CHECKED: dict[str, Callable[[Term, Term], Term]] = {
    **dict.fromkeys(
        ("arith.divsi", "arith.remsi", "arith.floordivsi", "arith.ceildivsi"), _is_divisor
    ),
    **dict.fromkeys(("arith.divui", "arith.remui"), lambda _, other: other != 0),
    **dict.fromkeys(("arith.shli", "arith.shrsi", "arith.shrui"), _is_shift),
}
_OVERFLOWS: dict[str, tuple[Callable[[Term, Term], Term], ...]] = {
    "arith.addi": (lambda a, b: z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow),
    "arith.subi": (z3.BVSubNoOverflow, lambda a, b: z3.BVSubNoUnderflow(a, b, True)),
    "arith.muli": (lambda a, b: z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow),
}
_BITS: dict[str, Callable[..., Term]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": lambda a, b: a / b,
    "arith.divui": z3.UDiv,
    "arith.remsi": z3.SRem,
    "arith.remui": z3.URem,
    "arith.floordivsi": _floor,
    "arith.ceildivsi": _ceiling,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: a << b,
    "arith.shrsi": lambda a, b: a >> b,
    "arith.shrui": z3.LShR,
    "arith.maxsi": lambda a, b: z3.If(a >= b, a, b),
    "arith.minsi": lambda a, b: z3.If(a <= b, a, b),
    "arith.maxui": lambda a, b: z3.If(z3.UGE(a, b), a, b),
    "arith.minui": lambda a, b: z3.If(z3.ULE(a, b), a, b),
    "llvm.intr.expect": lambda a, b: a,
    "llvm.intr.abs": lambda a: z3.If(a < 0, -a, a),
    "math.absi": lambda a: z3.If(a < 0, -a, a),
}
_SIZES = {
    "arith.extsi": _resized(z3.SignExt),
    "arith.extui": _resized(z3.ZeroExt),
    "arith.trunci": _resized(z3.ZeroExt),
    "arith.index_cast": _resized(z3.SignExt),
    "arith.index_castui": _resized(z3.ZeroExt),
}
_EXACT: dict[str, Callable[..., Term]] = {
    "arith.addf": lambda a, b: z3.fpAdd(_NEAREST, a, b),
    "arith.subf": lambda a, b: z3.fpSub(_NEAREST, a, b),
    "arith.mulf": lambda a, b: z3.fpMul(_NEAREST, a, b),
    "arith.divf": lambda a, b: z3.fpDiv(_NEAREST, a, b),
    "arith.negf": z3.fpNeg,
    "math.absf": z3.fpAbs,
    "math.sqrt": lambda a: z3.fpSqrt(_NEAREST, a),
    "math.fma": lambda a, b, c: z3.fpFMA(_NEAREST, a, b, c),
    "math.floor": lambda a: z3.fpRoundToIntegral(z3.RTN(), a),
    "math.ceil": lambda a: z3.fpRoundToIntegral(z3.RTP(), a),
    "math.trunc": lambda a: z3.fpRoundToIntegral(z3.RTZ(), a),
    "math.roundeven": lambda a: z3.fpRoundToIntegral(_NEAREST, a),
}
_CONVERTED: dict[str, Callable[[Term, Any], Term]] = {
    "arith.sitofp": lambda a, to: z3.fpSignedToFP(_NEAREST, a, to),
    "arith.uitofp": lambda a, to: z3.fpUnsignedToFP(_NEAREST, a, to),
    "arith.extf": lambda a, to: z3.fpFPToFP(_NEAREST, a, to),
    "arith.truncf": lambda a, to: z3.fpFPToFP(_NEAREST, a, to),
}
