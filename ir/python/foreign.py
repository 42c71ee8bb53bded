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
    if isinstance(value, IOBase):
        return True
    kind = type(value)
    if kind.__module__.partition(".")[0] not in _MODULES or isinstance(value, _OTHERS):
        return False
    # Iterators are run while tracing, or refused.
    return not hasattr(kind, "__next__")


def note(trace: Trace, value: Any) -> Any:
    """An object has come into the user's hands; gives it."""
    if is_foreign(value) or hasattr(type(value), "__next__"):
        trace.made_in.set(value, trace.scope)
    return value


def watching(
    trace: Trace, function: Callable[..., Any], given: Sequence[Any]
) -> Callable[..., Any] | None:
    """What calls a function that may change such objects; None where there are none."""
    if trace.may_be_repeated:
        _refuse_unrepeatable(trace, function)
    if function is next and given and isinstance(given[0], Iterator):
        own = type(given[0]).__module__.startswith("agir.")
        if not own and trace.made_in.get(given[0]) is None:
            _warn(trace, f"the {type(given[0]).__name__}")
        return None
    owners = [each for each in (getattr(function, "__self__", None), *given) if is_foreign(each)]
    if trace.may_be_repeated:
        _refuse_changes(trace, function, owners, given)
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
        trace,
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


# Where plain Python may run the function after the trace has failed.

_WORLD = frozenset(
    {"_io", "_socket", "_thread", "_warnings", "io", "logging", "nt", "os", "pathlib", "posix"}
    | {"shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "warnings"}
)
"""The modules whose functions do something outside of the program, or tell somebody of something."""
_OF_THE_WORLD = frozenset({"breakpoint", "exec", "input"})
"""The builtins that do, or read what can be read once."""


def _refuse_unrepeatable(trace: Trace, function: Any) -> None:
    """Refuse to call while tracing what plain Python would then do again; objects may be made."""
    if isinstance(function, type):
        return
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__name__", type(function).__name__)
    if module in _WORLD or (module == "builtins" and name in _OF_THE_WORLD):
        raise StagingError(
            trace.explain(
                f"{name}() does something outside of the program: it would do that once, while the "
                "function is traced, and not when it runs"
            )
        )


def _refuse_changes(
    trace: Trace, function: Any, owners: Sequence[Any], given: Sequence[Any]
) -> None:
    """The same for a function that changes objects of outside, which is tried on copies of them."""
    for owner in owners:
        if trace.made_in.get(owner) is None and _would_change(owner, function, given):
            _warn(trace, f"the {type(owner).__name__}")


def _would_change(owner: Any, function: Any, given: Sequence[Any]) -> bool:
    """Whether a call may change an object: a copy of it, or where there is none, what has a state."""
    before = _contents(owner)
    if before is None:
        return True
    if getattr(function, "__self__", None) is not owner:
        return False
    copied = pickle.loads(before)
    if copied is owner:  # it stands for itself wherever it goes
        return False
    try:
        getattr(copied, function.__name__)(*given)
    except Exception:  # which the call itself will raise
        return False
    return _contents(copied) != before


def refuse_iterator(trace: Trace, value: Any) -> None:
    """Refuse an iterator of outside, which tracing would use up; of the user's own, it is followed."""
    kind = type(value)
    step = getattr(kind, "__next__", None)
    if step is None or not trace.may_be_repeated or isinstance(step, FunctionType):
        return
    if trace.made_in.get(value) is None and not kind.__module__.startswith("agir."):
        raise StagingError(
            trace.explain(
                f"the {kind.__name__} was not made in the traced function, and would be used up while "
                "that is traced: pass a list of what it gives"
            )
        )
