"""Integers, whose signs StableHLO has in their types, comparisons and conversions."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.making import INTEGERS, REALS
from agir.backends.stablehlo.building import (
    compare,
    constant,
    convert,
    each,
    element,
    element_of,
    like,
    refuse,
    select,
    shape_of,
)
from agir.ir.building import bindings

__all__ = ["RULES", "target"]

_INTEGER = {"arith.addi": "add", "arith.subi": "subtract", "arith.muli": "multiply"}
_TRUTH = {
    "arith.addi": "xor",
    "arith.subi": "xor",
    "arith.muli": "and",
    "arith.maxsi": "and",
    "arith.minsi": "or",
    "arith.maxui": "or",
    "arith.minui": "and",
    "arith.divui": "and",
}
"""What integers of one bit do: theirs wrap around where StableHLO's say whether there is any."""
_SIGNED = {"arith.maxsi": "maximum", "arith.minsi": "minimum"}
_UNSIGNED = {
    "arith.divui": "divide",
    "arith.remui": "remainder",
    "arith.maxui": "maximum",
    "arith.minui": "minimum",
}
_DIRECTIONS = {"eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE"}
_OPPOSITE = {"EQ": "NE", "NE": "EQ", "LT": "GE", "LE": "GT", "GT": "LE", "GE": "LT"}
_INTEGER_PREDICATES = [*INTEGERS]
_REAL_PREDICATES = [*REALS]


def _integer(operation: Any, *operands: Any) -> Any:
    names = _TRUTH if _is_truth(operands[0]) else {**_INTEGER, **_SIGNED}
    if operation.name not in names:
        refuse(operation, "of truth values")
    return each(names[operation.name], *operands)


def _is_truth(value: Any) -> bool:
    return str(element_of(value)) == "i1"


def _unsigned(value: Any) -> Any:
    """The same bits as an unsigned integer."""
    kind = bindings.ir.IntegerType.get_unsigned(element_of(value).width)
    return value if _is_truth(value) else each("bitcast_convert", value, element=kind)


def _signless(value: Any, like_this: Any) -> Any:
    kind = element_of(like_this)
    return value if element_of(value) == kind else each("bitcast_convert", value, element=kind)


def _on_unsigned(operation: Any, *operands: Any) -> Any:
    if _is_truth(operands[0]):
        return _integer(operation, *operands)
    made = each(_UNSIGNED[operation.name], *map(_unsigned, operands))
    return _signless(made, operands[0])


def _floor_division(operation: Any, x: Any, y: Any) -> Any:
    """Rounded down, or up: the quotient towards zero is one off where the signs say so."""
    quotient, zero = each("divide", x, y), like(x, 0)
    inexact = compare("NE", each("remainder", x, y), zero)
    up = operation.name == "arith.ceildivsi"
    signs = compare("EQ" if up else "NE", compare("LT", x, zero), compare("LT", y, zero))
    corrected = each("add" if up else "subtract", quotient, like(x, 1))
    return select(each("and", inexact, signs), corrected, quotient)


def _unsigned_ceiling(operation: Any, x: Any, y: Any) -> Any:
    a, b = _unsigned(x), _unsigned(y)
    quotient = each("divide", a, b)
    inexact = compare("NE", each("remainder", a, b), like(a, 0))
    return _signless(select(inexact, each("add", quotient, like(a, 1)), quotient), x)


def _compare_integers(operation: Any, x: Any, y: Any) -> Any:
    name = _INTEGER_PREDICATES[operation.attributes["predicate"].value]
    direction = _DIRECTIONS[name[-2:]]
    signed = name[0] == "s"
    if _is_truth(x) and signed:  # of one bit, true is -1
        return compare(direction, y, x)
    return compare(direction, *((x, y) if signed or len(name) == 2 else map(_unsigned, (x, y))))


def _compare_reals(operation: Any, x: Any, y: Any) -> Any:
    name = _REAL_PREDICATES[operation.attributes["predicate"].value]
    nan = each("or", compare("NE", x, x), compare("NE", y, y))
    if name in ("true", "false"):
        truth = bindings.ir.IntegerType.get_signless(1)
        return constant(name == "true", truth, shape_of(x))
    if name in ("uno", "ord"):
        return nan if name == "uno" else each("not", nan)
    ordered, direction = name[0] == "o", _DIRECTIONS[name[1:]]
    if direction == "NE":
        unequal = compare("NE", x, y)
        return each("and", unequal, each("not", nan)) if ordered else unequal
    if ordered:
        return compare(direction, x, y)
    if direction == "EQ":
        return each("or", compare("EQ", x, y), nan)
    return each("not", compare(_OPPOSITE[direction], x, y))


def target(operation: Any) -> Any:
    """The type of the elements of the result."""
    kind = operation.results[0].type
    is_tensor = isinstance(kind, bindings.ir.RankedTensorType)
    return element(kind.element_type if is_tensor else kind, operation)


def _convert(operation: Any, value: Any) -> Any:
    return convert(value, target(operation))


def _extend_signed(operation: Any, value: Any) -> Any:
    made = convert(value, target(operation))
    return each("negate", made) if _is_truth(value) else made


def _extend_unsigned(operation: Any, value: Any) -> Any:
    return convert(_unsigned(value), target(operation))


def _truncate(operation: Any, value: Any) -> Any:
    kind = target(operation)
    if str(kind) == "i1":
        return compare("NE", each("and", value, like(value, 1)), like(value, 0))
    return convert(value, kind)


def _to_unsigned(operation: Any, value: Any) -> Any:
    kind = target(operation)
    if str(kind) == "i1":
        return compare("NE", value, like(value, 0))
    made = convert(value, bindings.ir.IntegerType.get_unsigned(kind.width))
    return each("bitcast_convert", made, element=kind)


RULES: dict[str, Any] = {
    **dict.fromkeys([*_INTEGER, *_SIGNED], _integer),
    **dict.fromkeys(_UNSIGNED, _on_unsigned),
    **dict.fromkeys(("arith.floordivsi", "arith.ceildivsi"), _floor_division),
    "arith.ceildivui": _unsigned_ceiling,
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_reals,
    **dict.fromkeys(
        ("arith.extf", "arith.truncf", "arith.convertf", "arith.fptosi", "arith.index_cast"),
        _convert,
    ),
    **dict.fromkeys(("arith.extsi", "arith.sitofp"), _extend_signed),
    **dict.fromkeys(("arith.extui", "arith.uitofp", "arith.index_castui"), _extend_unsigned),
    "arith.trunci": _truncate,
    "arith.fptoui": _to_unsigned,
}
