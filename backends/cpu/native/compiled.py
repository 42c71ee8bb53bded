"""What the machine code of a call needs of a compiled function, by what Python calls it through."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.backends.cpu.calling.layout import Signature
from agir.backends.cpu.calling.memory import address_of
from agir.backends.entry import Run
from agir.backends.stack import WithRoom
from agir.by_identity import IdentityDict


@dataclass(frozen=True)
class Compiled:
    """Code in memory that calls nothing of the host's: its address, and what it takes and gives."""

    address: int
    signature: Signature
    dtypes: Sequence[np.dtype[Any]]
    """The NumPy types of its results."""
    leaving: Callable[[int, int, int], Any] | None
    """Raises what the last three results say, where it may end early; they have no type in NumPy."""
    owner: Any
    """Keeps the code in memory."""
    stack: int = 0
    """So many bytes of stack have to be free where it is called; 0 if any stack will do."""


_Native: Any = type(ctypes.CFUNCTYPE(None)()).__mro__[1]
"""The class of what ctypes calls."""

_KNOWN: IdentityDict[Compiled] = IdentityDict()


def note(
    run: Run,
    function: Any,
    signature: Signature,
    dtypes: Sequence[np.dtype[Any]],
    leaving: Callable[[int, int, int], Any] | None = None,
) -> None:
    """Remember what a function of Python's calls, where that is compiled code and nothing else."""
    stack = 0
    if isinstance(function, WithRoom):
        function, stack = function.function, function.needed
    if isinstance(function, _Native):
        _KNOWN.set(run, Compiled(address_of(function), signature, dtypes, leaving, function, stack))


def of(run: Run | None, *, looks_at_stack: bool = False) -> Compiled | None:
    """What it calls; None where that can be called by Python only.

    Code that needs much stack is given to whoever looks at how much there is.
    """
    found = None if run is None else _KNOWN.get(run)
    return found if found is None or not found.stack or looks_at_stack else None
