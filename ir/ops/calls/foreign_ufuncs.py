"""Ufuncs of other libraries, such as ``scipy.special``: they compute when the program runs.

The compiled program calls the ufunc itself, so that results are the library's to the bit.  On numbers
it calls the C function that SciPy offers for Cython, if there is one, without Python.
"""

from __future__ import annotations

import ctypes
import functools
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir import recording
from agir.ir.building import attributes
from agir.ir.building.types import DType, as_dtype, float64
from agir.ir.emission import emit
from agir.ir.host import callbacks, hosts
from agir.ir.host.foreign import ForeignFunction, capsule_name, capsule_pointer
from agir.ir.ops.core.recorded import RECORDED, numpys_kind, tensor
from agir.ir.ops.linalg.lapack import on_host
from agir.ir.tensors import dispatch

_operations: dict[Any, dispatch.Operation] = {}
_counts: dict[str, int] = {}
"""By the name of an operation, how many operands it has."""

_TAKEN = frozenset("?bBhHiIlLqQefdFD")
_GIVEN = frozenset("efdFD")
"""The letters of dtypes that a loop may have, of its operands and of its results."""


def recorded(function: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    """The results of the ufunc on operands; None where it takes or gives other things than numbers.

    ``TypeError`` for operands that it does not take.
    """
    if function.signature is not None:
        return None
    kinds = [numpys_kind(value) for value in inputs]
    loop = function.resolve_dtypes((*kinds, *(None,) * function.nout))
    letters = "".join(each.char for each in loop)
    taken, given = letters[: function.nin], letters[function.nin :]
    if not (_TAKEN.issuperset(taken) and _GIVEN.issuperset(given)):
        return None
    values = [tensor(v, _crossing(kind)) for v, kind in zip(inputs, loop, strict=False)]
    if len({v.shape for v in values}) > 1 or any(None in v.shape for v in values):
        values = RECORDED[np.broadcast_arrays](*values)
    loop_name = f"{taken}->{given}"
    if set(taken + given) == {"d"} and all(emit.is_symbolic(v) and not v.dims for v in values):
        native = _native(function)
        if native is not None:
            return _called(function, native, values, loop_name)
    return operation(function)(*values, loop=loop_name)


def _called(function: np.ufunc, native: ForeignFunction, values: list[Any], loop: str) -> Any:
    """The call of a C function with numbers of the run time."""
    trace = recording.current()
    assert trace is not None, "numbers of the run time are of a trace"
    own = operation(function)
    said = callbacks.operation(own.name, {"loop": loop}) | {hosts.RESULT: attributes.i64(0)}
    whole = emit.lift(trace, np.asarray(1))  # what each function of Cython's takes at the end
    ssa = callbacks.number(trace, own.name, float64, native, [*values, whole], said)
    return trace.make(ssa, float64, ())


_CYTHON = "scipy.special.cython_special"


@functools.cache
def _native(function: np.ufunc) -> ForeignFunction | None:
    """The C function from numbers to a number that a ufunc of SciPy's computes with, or None."""
    if function.nout != 1 or _library(function) != "scipy.special":
        return None
    try:
        capsules = pkgutil.resolve_name(_CYTHON).__pyx_capi__
    except (ImportError, AttributeError):
        return None
    name = function.__name__
    wanted = f"double ({'double, ' * function.nin}int __pyx_skip_dispatch)".encode()
    for each in (name, *(f"__pyx_fuse_{i}{name}" for i in range(4))):
        if each in capsules and capsule_name(capsules[each]) == wanted:
            # An int crosses in the register of a 64-bit one.
            kinds: Any = (*(ctypes.c_double,) * function.nin, ctypes.c_int64)
            made = ctypes.CFUNCTYPE(ctypes.c_double, *kinds)(capsule_pointer(capsules[each]))
            return ForeignFunction(made)
    return None


def _crossing(kind: np.dtype[Any]) -> DType:
    """The dtype in which an operand is handed over: whole numbers as floating-point ones."""
    return as_dtype(kind if kind.char in _GIVEN else np.float64)


def operation(function: np.ufunc) -> dispatch.Operation:
    """The operation that is a ufunc of another library."""
    if function not in _operations:
        name = base = f"{_library(function)}.{function.__name__}"
        while name in _counts:  # another ufunc of the same name
            name = f"{base}#{len(_counts)}"
        _counts[name] = function.nin
        operands = tuple(f"x{i}" for i in range(function.nin))
        _operations[function] = on_host(
            name,
            _computed(function),
            _results,
            function.__doc__ or "",
            operands=operands,
            attributes=("loop",),
        )
    return _operations[function]


def operands(name: str) -> int:
    """How many operands the operation of this name has."""
    return _counts[name]


def _library(function: np.ufunc) -> str:
    """The package that has the ufunc, as far as this is told."""
    return str(getattr(function, "__module__", None) or "scipy.special")


def _computed(function: np.ufunc) -> Callable[..., Any]:
    def compute(*values: Any, loop: str) -> Any:
        kinds = loop.partition("->")[0]
        given = [np.asarray(v, kind) for v, kind in zip(values, kinds, strict=True)]
        return function(*given)

    return compute


def _results(name: str, dtype: DType, shape: Any, *others: Any, loop: str) -> Any:
    """The dtypes and shapes of the results: the operands have been broadcast."""
    found = [(as_dtype(np.dtype(letter)), shape) for letter in loop.partition("->")[2]]
    return found if len(found) > 1 else found[0]
