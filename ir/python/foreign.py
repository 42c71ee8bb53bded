"""Objects of library classes that a program changes: that happens while it is traced, and once.

Lists, dicts, sets, queues and the objects of users' classes are followed (`ir/tracing/journal.py`).
What `array.array`, `io.StringIO` or `collections.ChainMap` hold is not.  It may change where what
made the object is recorded, too, and nowhere else.
"""

from __future__ import annotations

import operator
import pickle
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from io import BytesIO, IOBase, StringIO
from pathlib import PurePath
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir.control_flow import effects
from agir.ir.python import made_arrays
from agir.ir.tracing.trace import Trace

_MODULES = sys.stdlib_module_names | {"numpy"}
_IN_MEMORY = (BytesIO, StringIO)
_OTHERS: tuple[type, ...] = (
    type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, CodeType, type(None),
    bool, int, float, complex, str, bytes, tuple, frozenset, slice, range,
    list, dict, set, deque, bytearray,
    type({}.keys()), type({}.values()), type({}.items()),
    BaseException, np.ndarray, np.generic, np.dtype, np.ufunc,
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
    refuse_the_world(trace, function)
    _refuse_contents(trace, function, given)
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
    if isinstance(result, list | dict | set) and type(result) is function:
        return trace.made(result)
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


_OF_CONTENTS = frozenset(("array", "_bisect", "_heapq"))
"""Modules in C whose functions take the items of a list from where these lie in memory."""


def _refuse_contents(trace: Trace, function: Any, given: Sequence[Any]) -> None:
    """Refuse to have C look into lists of run-time length, in which it would find nothing."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or type(owner).__module__
    if function is not operator.length_hint and module not in _OF_CONTENTS:
        return
    if any(isinstance(each, list) and getattr(each, "is_staged", False) for each in given):
        name = getattr(function, "__name__", type(function).__name__)
        raise OperatorNotAllowedInGraphError(
            trace.explain(
                f"{name}() is not converted, and needs the items of a list whose length is known only "
                "when the compiled function runs"
            )
        )


# What is done outside of the program.

_WORLD = frozenset(
    {
        "_io",
        "_socket",
        "_thread",
        "_warnings",
        "genericpath",
        "io",
        "logging",
        "nt",
        "os",
        "pathlib",
    }
    | {"posix", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess"}
    | {"tempfile", "threading", "urllib", "uuid", "warnings"}
)
"""The modules whose functions do something outside of the program, or read what changes there."""
_OF_THE_WORLD = frozenset(("breakpoint", "exec", "input", "open"))
"""The builtins that do."""
_SAME = frozenset(
    {"commonprefix", "cpu_count", "fspath", "fsencode", "fsdecode", "register_at_fork"}
)
"""Functions of such modules that give the same each time."""
_NOW = frozenset(("now", "today", "utcnow"))
"""Methods of dates that read a clock."""


def refuse_the_world(trace: Trace, function: Any) -> None:
    """Refuse to do while tracing, and once, what each call has to do; objects may be made."""
    owner = getattr(function, "__self__", None)
    if _is_of_the_world(function, owner) and trace.made_in.get(owner) is None:
        name = getattr(function, "__name__", type(function).__name__)
        raise StagingError(
            trace.explain(
                f"{name}() does something outside of the program, or reads it there: that would happen "
                "once, while the function is traced, and not when it runs; do it outside and pass the "
                "result, or decorate with ag.jit(fallback=True)"
            )
        )


def _is_of_the_world(function: Any, owner: Any) -> bool:
    name = getattr(function, "__name__", type(function).__name__)
    if isinstance(function, type):
        return issubclass(function, IOBase) and not issubclass(function, _IN_MEMORY)
    if isinstance(owner, type):
        return issubclass(owner, date) and name in _NOW
    if isinstance(owner, _IN_MEMORY):
        return False
    is_method = owner is not None and not isinstance(owner, ModuleType)
    module = type(owner).__module__ if is_method else getattr(function, "__module__", None)
    module = module or type(function).__module__
    if module == "pathlib":
        return not hasattr(PurePath, name)
    if not is_method and module in ("builtins", "_io"):
        return name in _OF_THE_WORLD
    return module.partition(".")[0] in _WORLD and name not in _SAME


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


def refuse_iterator(trace: Trace, value: Any, *, is_run: bool = False) -> None:
    """Refuse an iterator of outside, which tracing would use up; of the user's own, it is followed.

    A file, of which a name may only say where to print, is refused where a loop runs over it.
    """
    kind = type(value)
    step = getattr(kind, "__next__", None)
    is_file = isinstance(value, IOBase) and not isinstance(value, _IN_MEMORY)
    may_change = trace.may_be_repeated or (is_run and is_file)
    if step is None or not may_change or isinstance(step, FunctionType):
        return
    if trace.made_in.get(value) is None and not kind.__module__.startswith("agir."):
        raise StagingError(
            trace.explain(
                f"the {kind.__name__} was not made in the traced function, and would be used up while "
                "that is traced: pass a list of what it gives"
            )
        )
