"""``agir.numpy`` with every function wrapped, so that each call is traced, compiled and run.

The conformance suite takes this module in the place of ``agir.numpy``::

    ARRAY_API_TESTS_MODULE="exec('import traced; xp = traced')"

A call of ``traced.f(x, axis=0)`` decorates a function of no more than ``return f(x, axis=0)`` with
``ag.function``: arrays are its arguments, everything else is a constant of the trace.  With
``AGIR_TRACED=jit`` it is ``ag.jit``, and with ``AGIR_TRACED=interpreted`` the program is interpreted.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import agir as ag
import agir.numpy as eager
from agir.numpy import *  # noqa: F403 - the module's other names are those of agir.numpy

WAY = os.environ.get("AGIR_TRACED", "function")
CALLS = 0
"""How many calls have been compiled and run."""

DECORATORS: dict[str, Callable[[Any], Any]] = {
    "function": functools.partial(ag.function, autograph=False),
    "jit": ag.jit,
    "interpreted": functools.partial(ag.function, autograph=False, jit_compile=False),
}

# What takes and gives no arrays: dtypes, shapes, and the namespace itself.
PLAIN = frozenset({
    "__array_namespace_info__", "broadcast_shapes", "can_cast", "dtype", "finfo",
    "iinfo", "isdtype", "isscalar", "promote_types", "result_type",
})  # fmt: skip


def _leaves(value: Any, found: list[Any]) -> Any:
    """The structure with numbers in the place of its arrays, which are put in the list."""
    if isinstance(value, ag.Tensor):
        found.append(value)
        return _Place(len(found) - 1)
    if isinstance(value, (list, tuple)):
        return type(value)(_leaves(each, found) for each in value)
    return value


class _Place(int):
    """The position of an array among the arguments."""


def _filled(value: Any, arrays: Any) -> Any:
    if isinstance(value, _Place):
        return arrays[value]
    if isinstance(value, (list, tuple)):
        return type(value)(_filled(each, arrays) for each in value)
    return value


def _as_tensors(value: Any) -> Any:
    """The results as the namespace gives them: what is an array is a tensor."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_as_tensors, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(_as_tensors, value))
    return eager.asarray(value) if WAY == "jit" else value


def traced(function: Any) -> Any:
    """The function as one that is traced, compiled and run anew by each call."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        global CALLS
        arrays: list[Any] = []
        given, named = _leaves(args, arrays), {k: _leaves(v, arrays) for k, v in kwargs.items()}

        def program(*values: Any) -> Any:
            keywords = {name: _filled(value, values) for name, value in named.items()}
            return function(*_filled(given, values), **keywords)

        CALLS += 1
        return _as_tensors(DECORATORS[WAY](program)(*arrays))

    return call


def _wrapped(space: ModuleType) -> dict[str, Any]:
    return {
        name: traced(value)
        if callable(value) and name not in PLAIN and not _is_data(value)
        else value
        for name in space.__all__
        if not isinstance(value := getattr(space, name), ModuleType)
    }


def _is_data(value: Any) -> bool:
    return isinstance(value, (ag.DType, type))


globals().update(_wrapped(eager))
linalg = SimpleNamespace(**_wrapped(eager.linalg))
fft = SimpleNamespace(**_wrapped(eager.fft))
__array_namespace_info__ = eager.__array_namespace_info__
__array_api_version__ = eager.__array_api_version__
