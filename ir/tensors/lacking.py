"""What is said of an attribute that a tensor does not have, and of a call of one."""

from __future__ import annotations

import difflib
from typing import Any, NoReturn, Protocol

import numpy as np

from agir.ir import recording
from agir.ir.building.types import DType
from agir.ir.recording import Recorder
from agir.ir.tensors.tensor import Tensor


class Lacking(Protocol):
    """A symbolic tensor, as far as is told of it here."""

    recorder: Recorder
    dtype: DType
    dims: tuple[Any, ...]
    weak: bool


_NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def message(tensor: Lacking, name: str) -> str:
    """The text of the ``AttributeError``: Python's, the user's line, and names that are close."""
    said = f"'{kind_of(tensor)}' object has no attribute '{name}'"
    trace = recording.current()
    if name.startswith("_") or trace is None:
        return said
    if trace.convention.arrays_are_mutable and hasattr(np.ndarray, name):
        return str(trace.explain(f"'{name}' of an array is not there while it is being traced"))
    close = difflib.get_close_matches(name, _public(tensor), n=2)
    if close:
        said += f"; did you mean {' or '.join(map(repr, close))}?"
    return str(trace.explain(said))


def set_attribute(tensor: Lacking, name: str, value: object) -> None:
    """``tensor.name = value``, for the few attributes that can be assigned to."""
    found = getattr(type(tensor), name, None)
    if isinstance(found, property) and found.fset is not None:
        setattr(tensor, name, value)
        return
    kind = kind_of(tensor)
    if hasattr(np.ndarray, name) or isinstance(found, property) or callable(found):
        said = f"attribute '{name}' of '{kind}' objects is not writable here"
    else:
        said = (
            f"'{kind}' object has no attribute '{name}', and none can be added to it: use a variable, "
            "or an object of a class of your own that holds both"
        )
    raise AttributeError(tensor.recorder.explain(said))


def call(tensor: Lacking) -> NoReturn:
    """``tensor(...)``."""
    raise TypeError(
        tensor.recorder.explain(
            f"'{kind_of(tensor)}' object is not callable: parts of an array are taken with brackets, "
            "x[...]; a function of the same name is hidden by the variable"
        )
    )


def kind_of(tensor: Lacking) -> str:
    """The class that the user takes a tensor for: NumPy's, Python's, or agir's."""
    trace = recording.current()
    if type(tensor).__name__ != "Tensor" or trace is None:
        return type(tensor).__name__
    if not trace.convention.arrays_are_mutable:
        return "Tensor"
    if tensor.dims:
        return "numpy.ndarray"
    kind = tensor.dtype.kind
    return _NUMBERS[kind] if tensor.weak and kind in _NUMBERS else f"numpy.{tensor.dtype.name}"


def _public(tensor: Lacking) -> list[str]:
    kind: type = Tensor if type(tensor).__name__ == "Tensor" else type(tensor)
    return [name for name in dir(kind) if not name.startswith("_")]
