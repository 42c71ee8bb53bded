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
    if isinstance(function, _Native):
        _KNOWN.set(run, Compiled(address_of(function), signature, dtypes, leaving, function))


def of(run: Run | None) -> Compiled | None:
    """What it calls; None where that can be called by Python only."""
    return None if run is None else _KNOWN.get(run)
