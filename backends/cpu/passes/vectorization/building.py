"""Small operations that the rewriting of a loop is made of, where writing stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.mlir.making import i1, op
from agir.ir.building import bindings

LANES = 16
"""How many iterations run together: two registers of eight f64, so that one hides the other's waits."""


def make(name: str, kinds: Sequence[Any], operands: Sequence[Any], **attributes: Any) -> Any:
    """An operation without regions."""
    return bindings.ir.Operation.create(
        name, results=list(kinds), operands=list(operands), attributes=attributes
    )


def one(name: str, *operands: Any, kind: Any = None, **attributes: Any) -> Any:
    """The result of an operation that has one, of the last operand's type where none is given."""
    return op(name, kind or operands[-1].type, *operands, **attributes)


def vector_type(kind: Any) -> Any:
    """The vector type of a number that is not complex."""
    return bindings.ir.VectorType.get([LANES], kind)


def vector_types(kind: Any) -> list[Any]:
    """The vector types of a number."""
    return [vector_type(part) for part in part_types(kind)]


def part_types(kind: Any) -> list[Any]:
    """The types of the parts of a number: two where it is complex."""
    ir = bindings.ir
    text = str(kind)
    if text.startswith("complex<"):
        return [ir.F64Type.get() if "f64" in text else ir.F32Type.get()] * 2
    return [kind]


def parts(value: Any) -> list[Any]:
    """The number, or the parts of a complex one."""
    kinds = part_types(value.type)
    if len(kinds) == 1:
        return [value]
    return [one(f"complex.{n}", value, kind=k) for n, k in zip(("re", "im"), kinds, strict=True)]


def splat(scalar: Any) -> Any:
    """The number in all lanes."""
    return one("vector.broadcast", scalar, kind=vector_type(scalar.type))


def dense(kind: Any, text: str) -> Any:
    """A vector of equal constants."""
    ir = bindings.ir
    value = ir.Attribute.parse(f"{text} : {kind.element_type}" if text[0] in "01" else text)
    return one("arith.constant", kind=kind, value=ir.DenseElementsAttr.get_splat(kind, value))


def zeros(kind: Any) -> Any:
    """A vector of zeros."""
    name = str(kind.element_type)
    return dense(kind, "false" if name == "i1" else "0.0" if name[0] == "f" else "0")


def ones() -> Any:
    """The mask with all lanes in it."""
    return dense(vector_type(i1()), "true")
