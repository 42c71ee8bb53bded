"""Vectors that NumPy computes when the program runs, because their lengths depend on the values."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import hooks, recording
from agir.ir.building.types import TensorType
from agir.ir.emission import emit
from agir.ir.ops.linalg.lapack import called


def vectors_on_host(
    name: str, compute: Any, operands: list[Any], count: int, kind: Any = None
) -> Any:
    """What NumPy computes when the program runs: vectors, of lengths that depend on the values."""
    trace = recording.current()
    kinds = [TensorType(kind or operands[0].dtype, (None,))] * count
    if trace is None:
        found = compute(*(each.numpy() for each in operands))
        made = found if isinstance(found, tuple) else (found,)
        return tuple(
            hooks.runtime.eager(np.asarray(m, k.dtype.numpy))
            for m, k in zip(made, kinds, strict=True)
        )
    lifted = [emit.lift(trace, each) for each in operands]
    return called(trace, name, lambda values: compute(*values), lifted, tuple(kinds))
