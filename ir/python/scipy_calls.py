"""SciPy's functions, which the compiled program calls as they are.

They are called with arrays and numbers of the run time; what they give is known from examples of such
calls.  SciPy's ufuncs are operations (`ir/ops/calls/foreign_ufuncs.py`).
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir.building.types import bool_
from agir.ir.plain.entering import may_be_known, refused
from agir.ir.plain.sparse import Sparse
from agir.ir.python.by_example import Call
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time
from agir.ir.tracing.trace import Trace

_WITHOUT = frozenset(("io", "datasets"))
"""SciPy's packages that read and write files."""
_DRAWING = frozenset(("random_state", "rng", "seed"))
"""Parameters of functions that draw random numbers."""
_WRITTEN = frozenset(("out", "output"))
"""Parameters into which functions write what they give."""


def find(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What records a call of SciPy's with values of the run time, or one that draws; or None."""
    if not _is_of_scipy(function) or not trace.convention.arrays_are_mutable:
        return None
    if function.__name__.startswith(("issparse", "isspmatrix")):
        return lambda value: function(value.example() if isinstance(value, Sparse) else value)
    leaves = structure.flatten((args, kwargs), structure.parts)[0]
    if any(callable(each) and not is_run_time(each) for each in leaves):
        return None  # it would be called by SciPy
    if not (any(map(is_run_time, leaves)) or _draws(function)):
        return None
    return partial(_called, trace, function)


def _is_of_scipy(function: Any) -> bool:
    if isinstance(function, type | np.ufunc) or not hasattr(function, "__name__"):
        return False
    parts = str(getattr(function, "__module__", "")).split(".")
    return parts[0] == "scipy" and len(parts) > 1 and parts[1] not in _WITHOUT


def _draws(function: Any) -> bool:
    return function.__name__ == "rvs" or not _DRAWING.isdisjoint(_parameters(function))


def _parameters(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # there is none of what is written in C
        return {}


def _called(trace: Trace, function: Any, *args: Any, **kwargs: Any) -> Any:
    args, kwargs = structure.transform(_flag, (args, kwargs))
    if function.__module__.startswith("scipy.special"):
        wanted = set(trace.known_numbers.wanted)
        with trace.attempt() as attempt:
            try:
                return function(*args, **kwargs)  # many are nothing but calls of ufuncs
            except OperatorNotAllowedInGraphError:
                attempt.roll_back()
                trace.known_numbers.wanted = wanted
    written = dict(zip(_parameters(function), args, strict=False)) | kwargs
    for name in _WRITTEN.intersection(written):
        if isinstance(written[name], np.ndarray) or is_run_time(written[name]):
            refused(f"{function.__name__}() that writes into its argument {name!r}")
    call = Call(trace, function.__name__, args, kwargs)
    may_change = any(name.startswith("overwrite") for name in written)
    with _as_before():
        return call.several(lambda: function, lambda: _example(function), may_change)


def _flag(value: Any) -> Any:
    """An argument that says what the function gives is a constant of the trace."""
    is_flag = isinstance(value, SymbolicTensor) and value.weak and value.dtype == bool_
    return bool(value) if is_flag and may_be_known(value) else value


def _example(function: Any) -> Any:
    """The function, or one that draws its numbers as it would."""
    owner = getattr(function, "__self__", None)
    if owner is None or not _draws(function):
        return function
    return getattr(copy.deepcopy(owner), function.__name__)


@contextlib.contextmanager
def _as_before() -> Iterator[None]:
    """What is drawn from NumPy's and Python's own generators is drawn once more after it."""
    import warnings

    numpys: Any = np.random.mtrand._rand if "numpy.random" in sys.modules else None
    before = numpys and numpys.get_state()
    pythons = random.getstate()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(pythons)
        if numpys:
            numpys.set_state(before)
