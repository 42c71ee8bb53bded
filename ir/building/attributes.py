"""MLIR attributes made from Python and NumPy values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import numpy as np

from agir.ir.building import bindings
from agir.ir.building.types import DType, index_type, mlir_type

_INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip


@lru_cache(maxsize=4096)
def i64(value: int) -> Any:
    """A 64-bit integer attribute."""
    ir = bindings.ir
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


@lru_cache(maxsize=4096)
def index(value: int) -> Any:
    """An attribute of type ``index``."""
    return bindings.ir.IntegerAttr.get(index_type(), value)


def i64_array(values: Sequence[int]) -> Any:
    """A ``array<i64: ...>`` attribute."""
    return bindings.ir.DenseI64ArrayAttr.get(list(values))


def i32_array(values: Sequence[int]) -> Any:
    """A ``array<i32: ...>`` attribute."""
    return bindings.ir.DenseI32ArrayAttr.get(list(values))


def static(numbers: Iterable[Any]) -> list[int]:
    """Numbers as an attribute has them: MLIR's marker stands for a value of the run time."""
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    return [number if isinstance(number, int) else unknown for number in numbers]


def slicing(
    arrays: Sequence[Any],
    offsets: Sequence[Any],
    sizes: Sequence[Any],
    strides: Sequence[Any] | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """The operands and attributes of an operation on a part of an array, numbers or values."""
    lists = {
        "static_offsets": offsets,
        "static_sizes": sizes,
        "static_strides": [1] * len(offsets) if strides is None else strides,
    }
    given = [[n for n in numbers if not isinstance(n, int)] for numbers in lists.values()]
    found = {name: i64_array(static(numbers)) for name, numbers in lists.items()}
    found["operandSegmentSizes"] = i32_array([*[1] * len(arrays), *map(len, given)])
    return [*arrays, *chain(*given)], found


@cache
def integer_predicate(name: str) -> Any:
    """The predicate of ``arith.cmpi``: ``eq``, ``slt``, ``ult``, ..."""
    return i64(_INTEGER_PREDICATES.index(name))


@cache
def float_predicate(name: str) -> Any:
    """The predicate of ``arith.cmpf``: ``oeq`` (ordered, equal), ``une``, ..."""
    return i64(_FLOAT_PREDICATES.index(name))


def scalar(dtype: DType, value: Any) -> Any:
    """The value of a scalar constant."""
    ir = bindings.ir
    if dtype.is_complex:
        return ir.ArrayAttr.get([_float(dtype.real, part) for part in (value.real, value.imag)])
    if dtype.is_floating:
        return _float(dtype, value)
    return ir.IntegerAttr.get(dtype.mlir(), int(_signless(dtype, np.asarray(value, dtype.numpy))))


def _float(dtype: DType, value: Any) -> Any:
    return bindings.ir.FloatAttr.get(dtype.mlir(), float(value))


def _signless(dtype: DType, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return values.view(f"i{dtype.itemsize}") if dtype.kind == "u" else values


def dense(dtype: DType, values: np.ndarray[Any, Any]) -> Any:
    """A dense elements attribute; a splat where the array repeats one element."""
    ir = bindings.ir
    shaped = mlir_type(dtype, values.shape)
    if not values.size:
        return ir.Attribute.parse(f"dense<> : {shaped}")
    if not any(values.strides):
        return ir.DenseElementsAttr.get_splat(shaped, scalar(dtype, values[(0,) * values.ndim]))
    if dtype.name == "bfloat16":
        return ir.Attribute.parse(f"dense<{_hexadecimal(values)}> : {shaped}")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(_signless(dtype, values)))


@lru_cache(maxsize=4096)
def splat(dtype: DType, shape: tuple[int, ...], number: bytes) -> Any:
    """A dense elements attribute that repeats one number, given as it lies in memory."""
    value = np.frombuffer(number, dtype.numpy).reshape(())
    return dense(dtype, np.broadcast_to(value, shape))


def _hexadecimal(values: Any) -> str:
    if np.ndim(values):
        return "[" + ", ".join(_hexadecimal(v) for v in values) + "]"
    return f"0x{int(np.asarray(values).view(np.uint16)):04X}"


LIBRARY = "agir.library"
"""Marks functions of the library in Python, which come to an end, and says whether they make lists.

Others only read what they are given.
"""
RARE = "agir.rare"
"""Marks functions of it that most callers do not get to."""
LENGTHS = "agir.lengths"
"""On a call of such a function: the positions of results that are lengths of lists."""
INSIDE = "agir.inside"
"""Marks the conjunction of two comparisons that says whether a place is one of a list."""
RECORD = "agir.record"
"""On a function that can fail: its last results are the error record."""
SIGNATURE = "agir.signature"
"""The type of a function, for the LLVM dialect has only its pieces."""
NOT_RESTORED = "agir.not_restored"
"""Marks functions that leave arguments as they are where they have failed."""


def destination_attributes(kind: Any, destinations: Mapping[int, int]) -> dict[str, Any]:
    """Of a function of this type: which results the back end writes into which arguments."""
    if not destinations:
        return {}
    ir = bindings.ir
    written = set(destinations.values())
    on_arguments = [
        ir.DictAttr.get({"agir.writable": ir.UnitAttr.get()} if n in written else {})
        for n in range(len(kind.inputs))
    ]
    on_results = [
        ir.DictAttr.get({"agir.destination": i64(destinations[n])} if n in destinations else {})
        for n in range(len(kind.results))
    ]
    return {"arg_attrs": ir.ArrayAttr.get(on_arguments), "res_attrs": ir.ArrayAttr.get(on_results)}
