"""The operations of `arith`, `math` and `complex`, for numbers and for tensors of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from agir.backends.mlir.making import op
from agir.backends.stablehlo.building import (
    compare,
    convert,
    converted,
    dense,
    each,
    element_of,
    like,
    parsed,
    select,
)
from agir.backends.stablehlo.integers import RULES as INTEGERS
from agir.backends.stablehlo.integers import target
from agir.ir.building import bindings

__all__ = ["RULES"]

Rule = Callable[..., Any]
"""From the operation and its operands in StableHLO to the result."""

_SAME = {
    "arith.addf": "add",
    "arith.subf": "subtract",
    "arith.mulf": "multiply",
    "arith.divf": "divide",
    "arith.remf": "remainder",
    "arith.maximumf": "maximum",
    "arith.minimumf": "minimum",
    "arith.negf": "negate",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
    "arith.divsi": "divide",
    "arith.remsi": "remainder",
    "arith.shli": "shift_left",
    "arith.shrsi": "shift_right_arithmetic",
    "arith.shrui": "shift_right_logical",
    "math.absf": "abs",
    "math.absi": "abs",
    "math.atan2": "atan2",
    "math.cbrt": "cbrt",
    "math.ceil": "ceil",
    "math.cos": "cosine",
    "math.ctlz": "count_leading_zeros",
    "math.ctpop": "popcnt",
    "math.exp": "exponential",
    "math.expm1": "exponential_minus_one",
    "math.floor": "floor",
    "math.log": "log",
    "math.log1p": "log_plus_one",
    "math.powf": "power",
    "math.ipowi": "power",
    "math.round": "round_nearest_afz",
    "math.roundeven": "round_nearest_even",
    "math.rsqrt": "rsqrt",
    "math.sin": "sine",
    "math.sqrt": "sqrt",
    "math.tan": "tan",
    "math.tanh": "tanh",
    "complex.add": "add",
    "complex.sub": "subtract",
    "complex.mul": "multiply",
    "complex.div": "divide",
    "complex.neg": "negate",
    "complex.exp": "exponential",
    "complex.expm1": "exponential_minus_one",
    "complex.log": "log",
    "complex.log1p": "log_plus_one",
    "complex.sqrt": "sqrt",
    "complex.rsqrt": "rsqrt",
    "complex.sin": "sine",
    "complex.cos": "cosine",
    "complex.tan": "tan",
    "complex.tanh": "tanh",
    "complex.pow": "power",
}
"""Operations that have one of their own."""


def _same(operation: Any, *operands: Any) -> Any:
    return each(_SAME[operation.name], *operands)


def _bitcast(operation: Any, value: Any) -> Any:
    return each("bitcast_convert", value, element=target(operation))


def _without_nan(operation: Any, x: Any, y: Any) -> Any:
    name = "maximum" if operation.name == "arith.maxnumf" else "minimum"
    made = select(compare("NE", y, y), x, each(name, x, y))
    return select(compare("NE", x, x), y, made)


def _scaled_log(base: float) -> Rule:
    return lambda operation, x: each("divide", each("log", x), like(x, math.log(base)))


def _exp2(operation: Any, x: Any) -> Any:
    return each("power", like(x, 2), x)


def _truncated(operation: Any, x: Any) -> Any:
    return select(compare("LT", x, like(x, 0)), each("ceil", x), each("floor", x))


def _copysign(operation: Any, x: Any, y: Any) -> Any:
    width = int(str(element_of(y)).removeprefix("b").removeprefix("f"))
    bits = each("bitcast_convert", y, element=bindings.ir.IntegerType.get_signless(width))
    size = each("abs", x)
    return select(compare("LT", bits, like(bits, 0)), each("negate", size), size)


def _trailing_zeros(operation: Any, x: Any) -> Any:
    below = each("and", each("not", x), each("subtract", x, like(x, 1)))
    return each("popcnt", below)


def _finite(operation: Any, x: Any) -> Any:
    return each("is_finite", x, element=bindings.ir.IntegerType.get_signless(1))


def _infinite(operation: Any, x: Any) -> Any:
    return compare("EQ", each("abs", x), like(x, math.inf))


def _complex(operation: Any, real: Any, imaginary: Any) -> Any:
    return each("complex", real, imaginary, element=target(operation))


def _conjugate(operation: Any, z: Any) -> Any:
    part = element_of(z).element_type
    real, imaginary = (each(name, z, element=part) for name in ("real", "imag"))
    return each("complex", real, each("negate", imaginary), element=element_of(z))


def _part(name: str) -> Rule:
    return lambda operation, z: each(name, z, element=element_of(z).element_type)


def _angle(operation: Any, z: Any) -> Any:
    part = element_of(z).element_type
    return each("atan2", *(each(name, z, element=part) for name in ("imag", "real")))


def _constant(operation: Any) -> Any:
    ir = bindings.ir
    kind = converted(operation.results[0].type, operation)
    if isinstance(kind.element_type, ir.ComplexType):
        return _complex_constant(operation, kind)
    value = operation.attributes["value"]
    if not isinstance(value, ir.DenseElementsAttr):
        if isinstance(value.type, ir.IndexType):
            value = ir.IntegerAttr.get(kind.element_type, value.value)
        value = ir.DenseElementsAttr.get_splat(kind, value)
    elif isinstance(value.type.element_type, ir.IndexType):
        value = parsed(str(value).replace("xindex>", "xi64>"))
    return op("stablehlo.constant", kind, value=value)


def _complex_constant(operation: Any, kind: Any) -> Any:
    """Read back from its text, for the bindings have no class for such attributes."""
    text = str(operation)
    if operation.name == "complex.constant":
        parts = (str(part).partition(" :")[0] for part in operation.attributes["value"])
        return dense(f"dense<({', '.join(parts)})>", kind)
    return dense(text[text.index("dense<") : text.rindex(" : ")], kind)


RULES: dict[str, Rule] = {
    **INTEGERS,
    **dict.fromkeys(_SAME, _same),
    **dict.fromkeys(("arith.constant", "complex.constant"), _constant),
    "arith.select": lambda operation, *operands: select(*operands),
    "arith.bitcast": _bitcast,
    **dict.fromkeys(("arith.maxnumf", "arith.minnumf"), _without_nan),
    "math.log2": _scaled_log(2),
    "math.log10": _scaled_log(10),
    "math.exp2": _exp2,
    "math.trunc": _truncated,
    "math.copysign": _copysign,
    "math.cttz": _trailing_zeros,
    "math.atan": lambda operation, x: each("atan2", x, like(x, 1)),
    "math.fma": lambda operation, x, y, z: each("add", each("multiply", x, y), z),
    "math.fpowi": lambda operation, x, n: each("power", x, convert(n, element_of(x))),
    "math.isnan": lambda operation, x: compare("NE", x, x),
    "math.isfinite": _finite,
    "math.isinf": _infinite,
    "complex.create": _complex,
    "complex.conj": _conjugate,
    "complex.re": _part("real"),
    "complex.im": _part("imag"),
    "complex.abs": _part("abs"),
    "complex.angle": _angle,
    "complex.eq": lambda operation, x, y: compare("EQ", x, y),
    "complex.neq": lambda operation, x, y: compare("NE", x, y),
}
