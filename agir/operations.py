"""The operations under their public names, which are TensorFlow's where it has one."""

from __future__ import annotations

from typing import Any

from agir.ir import ops as _ops
from agir.ir.dispatch import TABLE
from agir.ir.ops.creation import (
    full_like,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from agir.ir.types import float32 as _float32
from agir.ir.types import int32 as _int32

_TABLE_NAMES = {
    name: name
    for name in (
        "abs", "add", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or",
        "bitwise_right_shift", "bitwise_xor", "cast", "divide", "equal", "eye",
        "floor_divide", "greater", "greater_equal", "less", "less_equal", "logical_and",
        "logical_not", "logical_or", "logical_xor", "multiply", "negative", "not_equal", "power",
        "remainder", "subtract", "where",
    )
} | {"pow": "power", "floordiv": "floor_divide", "mod": "remainder", "identity": "copy"}  # fmt: skip

for _public, _name in _TABLE_NAMES.items():
    globals()[_public] = TABLE[_name]


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None) -> Any:
    """The numbers from ``start`` (0 where only one bound is given) to ``limit``, ``delta`` apart.

    Python ints give int32 and floats float32.  A loop over the result counts without storing it.
    """
    given = [v for v in (start, limit, delta) if v is not None]
    if dtype is None and all(type(v) in (int, float) for v in given):
        dtype = _int32 if all(type(v) is int for v in given) else _float32
    return TABLE["range"](start, limit, delta, dtype)


__all__ = [
    *_TABLE_NAMES,
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "range",
    "zeros",
    "zeros_like",
]
del _ops
