"""What a loop that yields goes over, in the form in which there is a place to go on at."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from typing import Any

import numpy as np

from agir.autograph.operators import call
from agir.errors import StagingError
from agir.ir.plain import cursors
from agir.ir.recording import explained
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.values.sequences import iteration


def of(value: Any) -> Any:
    """What goes through a sequence, a mapping, a set or an array; None for an iterator."""
    if isinstance(value, cursors.CURSORS):
        return value
    if isinstance(value, Mapping):
        return entries(value, "keys")
    if isinstance(value, (KeysView, ValuesView, ItemsView, set, frozenset)):
        return cursors.Items(list(value))
    if is_range(value):
        step = () if type(value.step) is int and value.step == 1 else (value.step,)
        return _span(value.start, value.stop, *step)
    if isinstance(value, iteration.Once):
        return None
    is_text = getattr(type(value), "is_text", False)
    if is_text or isinstance(value, (list, tuple, str, bytes, np.ndarray, Tensor, Staged)):
        return cursors.Items(value)
    return None


def over(value: Any) -> Any:
    """The same; an iterator is refused."""
    found = of(value)
    if found is None:
        raise refusal(value)
    return found


def refusal(value: Any) -> StagingError:
    """What is raised where a loop cannot be gone on with."""
    own = type(value).__module__ == "builtins"
    kind = f"a {type(value).__name__}" if own else "an iterator"
    return StagingError(
        explained(
            f"a loop that yields runs over {kind}, which cannot be gone on with later: "
            "write the call that makes it into the loop, or go over a list, an array or a range"
        )
    )


def is_range(value: Any) -> bool:
    """Whether it is a range, or stands for one."""
    return all(hasattr(value, each) for each in ("start", "stop", "step"))


def _span(*bounds: Any) -> Any:
    return call(cursors.span, bounds)


def sliced(value: Any, lower: Any = None, upper: Any = None) -> Any:
    """``value[lower:upper]``, to go over: an array shows what is written into it."""
    is_array = isinstance(value, (np.ndarray, SymbolicTensor)) and not isinstance(value, Staged)
    if is_array:
        return call(cursors.part, (value, lower, upper))
    return over(value[lower:upper])


def flat(value: Any) -> Any:
    """``value.flat``, to go over."""
    is_array = isinstance(value, (np.ndarray, SymbolicTensor)) and not isinstance(value, Staged)
    return cursors.Elements(value, False) if is_array else over(value.flat)


def entries(value: Any, kind: str) -> Any:
    """``value.items()`` and its like."""
    if not isinstance(value, Mapping):
        return over(getattr(value, kind)())
    return cursors.Entries(value, tuple(value), kind)
