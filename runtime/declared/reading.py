"""What a text says of types: ``"f8(i8, f8[:, ::1])"``, or in C's words ``"double(int, double *)"``."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.runtime.declared import types
from agir.runtime.declared.types import Signature, Type

_NAMES = {
    **{name: value for name, value in vars(types).items() if not name.startswith("__")},
    "int": types.int64,
    "float": types.float64,
    "bool": types.boolean,
    "complex": types.complex128,
}
_OF_C = {
    **_NAMES,
    "int": types.intc,
    "unsigned": types.uintc,
    "long": types.long_,
    "float": types.float32,
    "npy_intp": types.intp,
    "int8_t": types.int8,
    "int16_t": types.int16,
    "int32_t": types.int32,
    "int64_t": types.int64,
    "uint8_t": types.uint8,
    "uint16_t": types.uint16,
    "uint32_t": types.uint32,
    "uint64_t": types.uint64,
}
"""Where C has another type under a name, or others have none."""
_POINTER = re.compile(r"(\w+)\s*\*")
_UNSIGNED = re.compile(r"\bunsigned\s+(int|char|short|long)\b")


def read(text: str, names: dict[str, Any] = _NAMES) -> Any:
    """A type, a `Signature`, or a tuple of types; ``"(f8, f8)"`` is of arguments alone."""
    try:
        found = eval(text, {"__builtins__": {}}, names)  # in the program's own source
    except (NameError, SyntaxError, TypeError, AttributeError) as error:
        raise OperandTypeError(f"the signature {text!r} is not understood: {error}") from None
    if isinstance(found, tuple) and found and isinstance(found[-1], Signature):
        *others, last = found  # of several results the last one is the one that is called
        return Signature((*others, last.return_type), last.args)
    return found


def read_for_c(text: str) -> Any:
    """The same with C's names for types, ``*`` for pointers, and ``void *`` for one to anything."""
    plain = _UNSIGNED.sub(r"u\1", text)
    plain = _POINTER.sub(lambda m: "voidptr" if m[1] == "void" else f"CPointer({m[1]})", plain)
    return read(plain, _OF_C)


def arguments_of(signature: Any) -> tuple[Any, ...]:
    """The types of the arguments of a signature, which may be text, a tuple or a `Signature`."""
    if isinstance(signature, str):
        signature = read(signature)
    if isinstance(signature, Signature):
        return signature.args
    return (signature,) if isinstance(signature, Type) else tuple(signature)


def results_of(signature: Signature) -> tuple[Any, ...]:
    """The types of the results: none of a signature with ``void`` or without a result."""
    result = signature.return_type
    if result is None or str(result) in ("none", "void"):
        return ()
    return result if isinstance(result, tuple) else (result,)


def dtype_of(named: Any) -> np.dtype[Any]:
    """The dtype of a type that is named, or of the items of one such as ``f8[:, :]``."""
    if isinstance(named, str):
        named = read(named) if len(named) > 1 else np.dtype(named)
    item = named if isinstance(named, type) else getattr(named, "dtype", named)
    return np.dtype(getattr(item, "numpy", item))
