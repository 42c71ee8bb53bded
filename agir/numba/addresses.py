"""Functions at addresses, which programs declare by Numba's ``WrapperAddressProtocol``."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_TYPES = {
    name: getattr(ctypes, "c_" + {"float64": "double", "float32": "float"}.get(name, name))
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float32", "float64",
    )
}  # fmt: skip


@cache
def function_of(wrapper: Any) -> Any:
    """The C function of an object with an address and a signature."""
    signature = wrapper.signature()
    kinds = (signature.return_type, *signature.args)
    return ctypes.CFUNCTYPE(*[_TYPES[each.name] for each in kinds])(wrapper.__wrapper_address__())
