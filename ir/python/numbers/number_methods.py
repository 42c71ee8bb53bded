"""Methods of Python's and NumPy's numbers that arrays do not have."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agir.errors import StagingError
from agir.ir.building.types import int64
from agir.ir.emission.python_numbers import as_int
from agir.ir.plain import integers
from agir.ir.plain.text import byte_strings
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor


def _is_whole(number: SymbolicTensor) -> Any:
    if number.dtype.kind != "f":
        return True
    return dispatch.call("floor", number) - number == 0


def _bits_set(number: SymbolicTensor) -> Any:
    count = dispatch.call("cast", dispatch.call("bitwise_count", number), int64)
    return number.recorder.make(count.ssa, int64, (), weak=True)


def _refused(name: str) -> Callable[..., Any]:
    def refuse(number: SymbolicTensor, *_: Any, **__: Any) -> Any:
        kind = "float" if number.dtype.kind == "f" else "int"
        said = f"{kind}.{name} of a number that only the run time knows is not recorded"
        raise StagingError(number.recorder.explain(said))

    return refuse


_OF_INTEGERS: dict[str, Callable[..., Any]] = {
    "as_integer_ratio": lambda number: (number, 1),
    "to_bytes": byte_strings.bytes_of,
    "bit_count": _bits_set,
    "bit_length": integers.bit_length,
    "is_integer": _is_whole,
}
_OF_FLOATS: dict[str, Callable[..., Any]] = {
    "is_integer": _is_whole,
    "as_integer_ratio": _refused("as_integer_ratio"),
    "hex": _refused("hex"),
}
_OF_KIND = {"i": _OF_INTEGERS, "u": _OF_INTEGERS, "f": _OF_FLOATS}
_PYTHONS = ("bit_length", "to_bytes", "hex")
"""What NumPy's numbers do not have."""


def _is_numpys(tensor: SymbolicTensor) -> bool:
    return tensor.recorder.convention.arrays_are_mutable and not tensor.weak


def _numerator(number: SymbolicTensor) -> SymbolicTensor:
    """The number; an int in the place of a bool."""
    return as_int(number) if number.weak else number


_PARTS: dict[str, Callable[[SymbolicTensor], Any]] = {
    "numerator": _numerator,
    "denominator": lambda _: 1,
}
"""Attributes of whole numbers as fractions."""


def find(tensor: SymbolicTensor, name: str) -> Any:
    """The method of a scalar, or what an attribute holds; None where there is none."""
    is_whole = tensor.dtype.kind in "iu" or (tensor.dtype.kind == "b" and tensor.weak)
    if name in _PARTS and is_whole and not tensor.dims:
        return _PARTS[name](tensor)
    method = None if tensor.dims else _OF_KIND.get(tensor.dtype.kind, {}).get(name)
    if method is None or (name in _PYTHONS and _is_numpys(tensor)):
        return None
    return functools.partial(method, tensor)
