"""What there is: devices, dtypes and capabilities, as the array API standard asks for them."""

from __future__ import annotations

from typing import Any

from agir.ir.building import types
from agir.ir.building.types import DType
from agir.numpy.arguments import check_device
from agir.numpy.data_types import KINDS

_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
"""The dtypes of the standard; ``float16`` and ``bfloat16`` are there besides."""


class ArrayNamespaceInfo:
    """What ``agir.numpy`` can do."""

    def capabilities(self) -> dict[str, Any]:
        """Masks as keys and shapes that depend on data, in traced functions as well."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 64,
        }

    def default_device(self) -> str:
        """The device of arrays that are made: ``"cpu"``."""
        return "cpu"

    def devices(self) -> list[str]:
        """All devices: ``["cpu"]``."""
        return ["cpu"]

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes of arrays of Python's numbers, and of indices."""
        check_device(device)
        return {
            "real floating": types.float64,
            "complex floating": types.complex128,
            "integral": types.int64,
            "indexing": types.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:
        """The dtypes of the standard by name; only those of a kind, or of several."""
        check_device(device)
        kinds = (kind,) if isinstance(kind, str) else kind
        if kinds is not None and not set(kinds) <= KINDS.keys():
            names = ", ".join(map(repr, KINDS))
            raise ValueError(f"dtypes(): kind is of {names}, not {kind!r}")
        letters = "biufc" if kinds is None else "".join(KINDS[each] for each in kinds)
        found = ((name, types.as_dtype(name)) for name in _NAMES)
        return {name: dtype for name, dtype in found if dtype.kind in letters}


def __array_namespace_info__() -> ArrayNamespaceInfo:  # noqa: N807 - the standard's name
    """Devices, dtypes and capabilities.

    >>> ag.numpy.__array_namespace_info__().devices()
    ['cpu']
    """
    return ArrayNamespaceInfo()


__all__ = ["__array_namespace_info__"]
