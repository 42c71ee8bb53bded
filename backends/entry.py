"""What a back end is asked for: a function of a compiled program, as something to call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from agir.records import dataclass

Run = Callable[[Sequence[Any]], list[Any]]
"""From the arguments of a call to its results: NumPy arrays and scalars."""


@dataclass(frozen=True)
class Entry:
    """A function of a program, and what is not in its text."""

    name: str
    dtypes: Sequence[np.dtype[Any]]
    """The NumPy types of its results, for MLIR's integers carry no sign."""
    in_place: frozenset[int] = frozenset()
    """The results that have an argument for their destination."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What callbacks use that only this process has, by their names."""
