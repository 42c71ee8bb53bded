"""Objects of library classes that a program changes: that happens while it is traced, and once.

Lists, dicts, sets, queues and the objects of users' classes are followed (`ir/journal.py`).  What
`array.array`, `io.StringIO` or `collections.ChainMap` hold is not.  It may change where what made the
object is recorded, too, and nowhere else.
"""

from __future__ import annotations

import pickle
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import IOBase
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.control_flow import effects
from agir.ir.python import made_arrays
from agir.ir.trace import Trace

_MODULES = sys.stdlib_module_names | {"numpy"}
_OTHERS = (
    type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, CodeType, type(None),
    bool, int, float, complex, str, bytes, tuple, frozenset, slice, range,
    list, dict, set, deque, bytearray, BaseException, np.ndarray, np.generic, np.dtype, np.ufunc,
)  # fmt: skip
"""What does not change, or is followed elsewhere."""


def is_foreign(value: Any) -> bool:
    """Whether a value is an object that only its own methods know."""
    kind = type(value)
    if kind.__module__.partition(".")[0] not in _MODULES or isinstance(value, _OTHERS):
        return False
    # Iterators are run while tracing, or refused.
    return isinstance(value, IOBase) or not hasattr(kind, "__next__")


def note(trace: Trace, value: Any) -> Any:
    """An object has come into the user's hands; gives it."""
    if is_foreign(value) or hasattr(type(value), "__next__"):
        trace.made_in.set(value, trace.scope)
    return value


def watching(
    trace: Trace, function: Callable[..., Any], given: Sequence[Any]
) -> Callable[..., Any] | None:
    """What calls a function that may change such objects; None where there are none."""
    if function is next and given and isinstance(given[0], Iterator):
        own = type(given[0]).__module__.startswith("agir.")
        if not own and trace.made_in.get(given[0]) is None:
            _warn(trace, f"the {type(given[0]).__name__}")
        return None
    owners = [each for each in (getattr(function, "__self__", None), *given) if is_foreign(each)]
    return partial(_watched, trace, owners, function) if owners else None


def _watched(
    trace: Trace, owners: Sequence[Any], function: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    before = [_contents(each) for each in owners]
    result = function(*args, **kwargs)
    for owner, contents in zip(owners, before, strict=True):
        if contents is not None and _contents(owner) != contents:
            change(trace, owner)
    return made_arrays.result(trace, function, note(trace, result))


def _contents(value: Any) -> bytes | None:
    """What tells whether an object has changed; None where nothing does: a file, a lock."""
    try:
        if isinstance(value, memoryview):
            return value.tobytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pickle.dumps(value)
    except Exception:  # whatever a class raises that cannot be pickled
        return None


def _warn(trace: Trace, name: str) -> None:
    effects.warn(
        f"{name} changes once, while the function is traced, and not when it runs: it was not "
        "made in the traced function; make it there, or pass what it gives",
        trace.place(),
    )


def change(trace: Trace, owner: Any) -> None:
    """An object changes now: refuse that where the run time decides whether, and how often."""
    home = trace.made_in.get(owner)
    name = f"the {type(owner).__name__}"
    if home is None:
        _warn(trace, name)
    elif home is not trace.scope:
        raise StagingError(
            trace.explain(
                f"{name}, made in the traced function, changes in a branch or loop that depends on "
                "run-time values: use arrays, lists, or a class of your own"
            )
        )
