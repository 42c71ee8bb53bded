"""MLIR attributes as Python values."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from agir.ir.building import bindings

from .affine import Map
from .types import value_type

_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|[-+]?[0-9][-+.0-9eE]*")


def read(operation: Any, name: str, default: Any = None) -> Any:
    """The decoded attribute ``name`` of an MLIR operation, or ``default`` where it is absent."""
    if name not in operation.attributes:
        return default
    try:
        attribute = operation.attributes[name]
    except TypeError:  # the bindings cannot wrap dense complex constants
        text = operation.get_asm(print_generic_op_form=True)
        results = [each.type for each in operation.results]  # none of a global
        return dense_from_text(text, *results or [operation.attributes["type"].value])
    return decode(attribute)


def decode(attribute: Any) -> Any:
    """The Python value of an MLIR attribute: a number, a string, a tuple, an array or a map."""
    ir = bindings.ir
    if isinstance(attribute, ir.DenseElementsAttr):
        return _dense(attribute)
    if isinstance(attribute, ir.ArrayAttr):
        return tuple(decode(item) for item in attribute)
    if isinstance(attribute, (ir.DenseI64ArrayAttr, ir.DenseI32ArrayAttr, ir.DenseBoolArrayAttr)):
        return tuple(attribute)
    if isinstance(attribute, ir.AffineMapAttr):
        return Map.decode(attribute.value)
    if isinstance(attribute, ir.UnitAttr):
        return True
    if isinstance(attribute, (ir.SymbolRefAttr, ir.FlatSymbolRefAttr)):
        return str(attribute).removeprefix("@").strip('"')
    return attribute.value if hasattr(attribute, "value") else str(attribute)


def _dense(attribute: Any) -> np.ndarray[Any, Any]:
    type_ = value_type(attribute.type)
    if type_.dtype.kind in "biu" or type_.dtype in (np.float16, np.float32, np.float64):
        return np.array(attribute, type_.dtype)
    return dense_from_text(str(attribute), attribute.type)


def dense_from_text(text: str, type_: Any) -> np.ndarray[Any, Any]:
    """Read ``dense<...>`` as printed, for the element types whose buffers the bindings hide."""
    target = value_type(type_)
    shape = target.fill(())
    body = text[text.index("dense<") + 6 : text.rindex("> : tensor<")]
    if body.startswith('"0x'):
        flat = np.frombuffer(bytes.fromhex(body[3:-1]), target.dtype)
    else:
        flat = _numbers(_NUMBER.findall(body), target.dtype)
    made = np.broadcast_to(flat.reshape(()), shape) if flat.size == 1 else flat.reshape(shape)
    return np.array(made)


def _numbers(tokens: list[str], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Decimal literals, and hexadecimal ones that hold the bits of one part of an element."""
    part = np.zeros(0, dtype).real.dtype if dtype.kind == "c" else dtype
    bits = np.dtype(f"u{part.itemsize}")
    numbers = [
        np.array(int(token, 16), bits).view(part) if token.startswith("0x") else part.type(token)
        for token in tokens
    ]
    return np.array(numbers, part).view(dtype)
