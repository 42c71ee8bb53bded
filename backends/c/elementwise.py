"""The operations of `arith`, `math` and `complex` as expressions of C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.backends.c.types import literal, type_name
from agir.backends.mlir.making import INTEGERS, REALS
from agir.backends.reference.core.attributes import decode

__all__ = ["CONSTANTS", "EXPRESSIONS", "HELPERS"]

HELPERS = """\
#define MAXIMUM(a, b) ((a) != (a) ? (a) : (b) != (b) ? (b) : (a) > (b) ? (a) : (b) > (a) ? (b) : \\
                       signbit(a) ? (b) : (a))
#define MINIMUM(a, b) ((a) != (a) ? (a) : (b) != (b) ? (b) : (a) < (b) ? (a) : (b) < (a) ? (b) : \\
                       signbit(a) ? (a) : (b))
#define FLOOR_DIVISION(a, b) ((a) / (b) - ((a) % (b) != 0 && ((a) < 0) != ((b) < 0)))
#define CEILING_DIVISION(a, b) ((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))
static inline int64_t integer_power(int64_t base, int64_t exponent) {
    uint64_t result = 1, factor = (uint64_t)base;
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    for (; exponent; exponent >>= 1, factor *= factor)
        if (exponent & 1)
            result *= factor;
    return (int64_t)result;
}
"""

_UNSIGNED = {f"int{bits}_t": f"uint{bits}_t" for bits in (8, 16, 32, 64)} | {"bool": "bool"}

_FORMATS = {
    "arith.addf": "{0} + {1}",
    "arith.subf": "{0} - {1}",
    "arith.mulf": "{0} * {1}",
    "arith.divf": "{0} / {1}",
    "arith.negf": "-{0}",
    "arith.maximumf": "MAXIMUM({0}, {1})",
    "arith.minimumf": "MINIMUM({0}, {1})",
    # integers wrap around, which C says of unsigned ones only
    "arith.addi": "({type})(({unsigned}){0} + ({unsigned}){1})",
    "arith.subi": "({type})(({unsigned}){0} - ({unsigned}){1})",
    "arith.muli": "({type})(({wide}){0} * ({wide}){1})",
    "arith.divsi": "{0} / {1}",
    "arith.remsi": "{0} % {1}",
    "arith.floordivsi": "FLOOR_DIVISION({0}, {1})",
    "arith.ceildivsi": "CEILING_DIVISION({0}, {1})",
    "arith.divui": "({type})(({unsigned}){0} / ({unsigned}){1})",
    "arith.remui": "({type})(({unsigned}){0} % ({unsigned}){1})",
    "arith.ceildivui": "({type})(({unsigned}){0} / ({unsigned}){1}"
    " + (({unsigned}){0} % ({unsigned}){1} != 0))",
    "arith.andi": "{0} & {1}",
    "arith.ori": "{0} | {1}",
    "arith.xori": "{0} ^ {1}",
    "arith.shli": "({type})(({wide}){0} << {1})",
    "arith.shrsi": "{0} >> {1}",
    "arith.shrui": "({type})(({unsigned}){0} >> {1})",
    "arith.maxsi": "{0} > {1} ? {0} : {1}",
    "arith.minsi": "{0} < {1} ? {0} : {1}",
    "arith.maxui": "({unsigned}){0} > ({unsigned}){1} ? {0} : {1}",
    "arith.minui": "({unsigned}){0} < ({unsigned}){1} ? {0} : {1}",
    "arith.maxnumf": "{0} != {0} ? {1} : {1} != {1} ? {0} : MAXIMUM({0}, {1})",
    "arith.minnumf": "{0} != {0} ? {1} : {1} != {1} ? {0} : MINIMUM({0}, {1})",
    "arith.select": "{0} ? {1} : {2}",
    "arith.extui": "({type})({unsigned_from}){0}",
    "arith.uitofp": "({type})({unsigned_from}){0}",
    "arith.index_castui": "({type})({unsigned_from}){0}",
    "arith.fptoui": "({type})({unsigned}){0}",
    **dict.fromkeys(
        ("arith.extf", "arith.truncf", "arith.fptosi", "arith.sitofp", "arith.index_cast"),
        "({type}){0}",
    ),
    "arith.extsi": "({type}){0}",
    "arith.bitcast": "((union {{ {from} a; {type} b; }}){{{0}}}).b",
    "math.absi": "{0} < 0 ? ({type})(0 - ({unsigned}){0}) : {0}",
    "math.ipowi": "({type})integer_power({0}, {1})",
    "math.fpowi": "{pow}({0}, {1})",
    "math.rsqrt": "1 / {sqrt}({0})",
    "math.isnan": "isnan({0})",
    "math.isinf": "isinf({0})",
    "math.isfinite": "isfinite({0})",
    "math.ctpop": "__builtin_popcountll(({unsigned}){0})",
    "math.ctlz": "{0} ? __builtin_clzll(({unsigned}){0}) - {spare} : {bits}",
    "math.cttz": "{0} ? __builtin_ctzll(({unsigned}){0}) : {bits}",
    "complex.create": "{cmplx}({0}, {1})",
    "complex.add": "{0} + {1}",
    "complex.sub": "{0} - {1}",
    "complex.mul": "{0} * {1}",
    "complex.div": "{0} / {1}",
    "complex.neg": "-{0}",
    "complex.eq": "{0} == {1}",
    "complex.neq": "{0} != {1}",
}
_TRUTHS = {"arith.addi": "{0} ^ {1}", "arith.subi": "{0} ^ {1}", "arith.muli": "{0} & {1}"}
_TRUTHS |= {"arith.maxsi": "{0} & {1}", "arith.minsi": "{0} | {1}"}
"""Integers of one bit, of which true is -1."""
_OF_TRUTHS = {"arith.extsi": "-({type}){0}", "arith.sitofp": "-({type}){0}"}
_OF_TRUTHS |= {"arith.trunci": "{0} & 1"}

_BY_THEIR_NAMES = (
    *(
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
    ),
    *(
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "floor",
        "fma",
        "log",
        "log10",
        "log1p",
        "log2",
    ),
    *("round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
_FUNCTIONS = {
    "arith.remf": "fmod",
    "math.absf": "fabs",
    "math.roundeven": "rint",
    "math.powf": "pow",
    **{f"math.{name}": name for name in _BY_THEIR_NAMES},
}
_COMPLEX = {
    "complex.re": "creal",
    "complex.im": "cimag",
    "complex.abs": "cabs",
    "complex.angle": "carg",
    "complex.conj": "conj",
    **{
        f"complex.{name}": f"c{name}"
        for name in ("cos", "exp", "log", "pow", "sin", "sqrt", "tan", "tanh")
    },
}
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _formatted(operation: Any, given: list[str]) -> str:
    kind = operation.results[0].type
    source = operation.operands[0].type
    text = _FORMATS.get(operation.name, "({type}){0}")
    if str(kind) == "i1":
        text = {**_TRUTHS, **_OF_TRUTHS}.get(operation.name, text)
    if str(source) == "i1":
        text = _OF_TRUTHS.get(operation.name, text)
    name, origin = type_name(kind, operation), type_name(source, operation)
    unsigned = _UNSIGNED.get(name, name)
    bits = int("".join(filter(str.isdigit, name)) or 0)
    single = name in ("float", "float _Complex", "_Float16")
    made: str = text.format(
        *given,
        **{"type": name, "from": origin, "unsigned": unsigned, "bits": bits, "spare": 64 - bits},
        unsigned_from=_UNSIGNED.get(origin, origin),
        wide="uint64_t" if bits <= 64 and unsigned != "bool" else unsigned,
        pow="powf" if single else "pow",
        sqrt="sqrtf" if single else "sqrt",
        cmplx="CMPLXF" if single else "CMPLX",
    )
    return made


def _called(operation: Any, given: list[str]) -> str:
    name = {**_FUNCTIONS, **_COMPLEX}[operation.name]
    single = type_name(operation.operands[0].type, operation) not in ("double", "double _Complex")
    return f"{name}{'f' if single else ''}({', '.join(given)})"


def _integers(operation: Any, given: list[str]) -> str:
    name = [*INTEGERS][operation.attributes["predicate"].value]
    origin = type_name(operation.operands[0].type, operation)
    if name[0] == "u" and origin != "bool":
        given = [f"({_UNSIGNED[origin]}){each}" for each in given]
    if name[0] == "s" and origin == "bool":
        given = given[::-1]
    return f"{given[0]} {_SIGNS[name[-2:]]} {given[1]}"


def _reals(operation: Any, given: list[str]) -> str:
    name: str = [*REALS][operation.attributes["predicate"].value]
    x, y = given
    if name in ("true", "false"):
        return name
    nan = f"({x} != {x} || {y} != {y})"
    if name in ("uno", "ord"):
        return nan if name == "uno" else f"!{nan}"
    sign = _SIGNS[name[1:]]
    if name == "one":
        return f"{x} < {y} || {x} > {y}"
    if name[0] == "o" or name == "une":
        return f"{x} {sign} {y}"
    return f"{x} == {y} || {nan}" if name == "ueq" else f"!({x} {_OPPOSITE[sign]} {y})"


def constant(operation: Any) -> str:
    """A number that the program holds."""
    value = operation.attributes["value"]
    if operation.name == "complex.constant":
        single = type_name(operation.results[0].type, operation) == "float _Complex"
        parts = [literal((np.float32 if single else np.float64)(decode(each))) for each in value]
        return f"{'CMPLXF' if single else 'CMPLX'}({', '.join(parts)})"
    kind = operation.results[0].type
    type_name(kind, operation)
    single = str(kind) in ("f16", "f32")
    return literal(np.float32(value.value) if single else value.value)


EXPRESSIONS: dict[str, Callable[[Any, list[str]], str]] = {
    **dict.fromkeys([*_FORMATS, "arith.trunci", "arith.convertf"], _formatted),
    **dict.fromkeys([*_FUNCTIONS, *_COMPLEX], _called),
    "arith.cmpi": _integers,
    "arith.cmpf": _reals,
}
"""By the name of an operation: from it and its operands to its value."""
CONSTANTS = dict.fromkeys(("arith.constant", "complex.constant"), constant)
"""What stands in the place of a value that is known."""
