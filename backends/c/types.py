"""Types and numbers as C has them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.errors import UnsupportedOperation
from agir.ir.building import bindings
from agir.ir.building.locations import with_source

__all__ = ["array_type", "declaration", "is_array", "literal", "refuse", "type_name"]

SCALARS = {
    "i1": "bool",
    "index": "int64_t",
    "f16": "_Float16",
    "f32": "float",
    "f64": "double",
    "complex<f32>": "float _Complex",
    "complex<f64>": "double _Complex",
    **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
}
_SHORT = {"complex<f32>": "c64", "complex<f64>": "c128"}
_KIND = re.compile(r"array_(\w+)_(\d+)")
_LEAST = -(2**63)


def refuse(operation: Any, reason: str) -> Any:
    """Raise the error that says what has no text in C, and the user's line."""
    raise UnsupportedOperation(
        f"the program has no form in C: {operation.name}: {reason}{with_source(operation.location)}"
    )


def is_array(kind: Any) -> bool:
    """Whether a type is one of arrays."""
    return isinstance(kind, bindings.ir.MemRefType)


def type_name(kind: Any, operation: Any) -> str:
    """A type in C."""
    if is_array(kind):
        return array_type(kind, operation)
    return SCALARS.get(str(kind)) or refuse(operation, f"the type {kind}")


def array_type(kind: Any, operation: Any) -> str:
    """The descriptor of arrays of a type: by their elements and the number of dimensions."""
    element = str(kind.element_type)
    type_name(kind.element_type, operation)
    return f"array_{_SHORT.get(element, element)}_{kind.rank}"


def declaration(name: str) -> str:
    """What a descriptor holds, which is what MLIR's C interface takes."""
    found = _KIND.fullmatch(name)
    assert found is not None, name
    long = {short: text for text, short in _SHORT.items()}
    element = SCALARS[long.get(found[1], found[1])]
    rank = int(found[2])
    sizes = f" int64_t size[{rank}]; int64_t stride[{rank}];" if rank else ""
    return f"typedef struct {{ {element} *base; {element} *data; int64_t offset;{sizes} }} {name};"


def layout(kind: Any) -> tuple[list[int | None], int | None, list[int | None]]:
    """Strides, offset and sizes of a type of arrays; None is what only the run time knows."""
    shaped = bindings.ir.ShapedType
    strides, offset = kind.get_strides_and_offset()
    unknown = shaped.get_dynamic_stride_or_offset()
    sizes = [None if kind.is_dynamic_dim(n) else kind.get_dim_size(n) for n in range(kind.rank)]
    return (
        [None if each == unknown else each for each in strides],
        None if offset == unknown else offset,
        sizes,
    )


def literal(value: Any) -> str:
    """A number of NumPy's or Python's."""
    value = np.asarray(value)
    if value.dtype.kind == "c":
        of = "CMPLXF" if value.dtype.itemsize == 8 else "CMPLX"
        return f"{of}({literal(value.real)}, {literal(value.imag)})"
    if value.dtype.kind != "f":
        whole = int(value)
        return f"({_LEAST + 1} - 1)" if whole == _LEAST else _enclosed(str(whole))
    number = float(value)
    if math.isnan(number):
        return "NAN"
    if math.isinf(number):
        return "INFINITY" if number > 0 else "(-INFINITY)"
    return _enclosed(repr(number) + ("f" if value.dtype.itemsize == 4 else ""))


def _enclosed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def joined(parts: Sequence[str]) -> str:
    """Arguments, or elements."""
    return ", ".join(parts)
