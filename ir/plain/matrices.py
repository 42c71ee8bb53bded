"""``numpy.linalg.matrix_power`` of as many factors as the run time says."""

from __future__ import annotations

from typing import Any

import numpy as np

__ag_convert__ = True


def power(a: Any, n: int) -> Any:
    """The product of ``n`` times the same matrices; of their inverses where ``n`` is negative."""
    factor, left = a, n
    if n < 0:
        if a.dtype.kind != "f" and a.dtype.kind != "c":
            raise ValueError(
                "whether matrices of integers are inverted decides over the dtype: convert them to "
                "floats"
            )
        factor, left = np.linalg.inv(a), -n
    result = np.zeros_like(a) + np.eye(a.shape[-1], dtype=a.dtype)
    while left > 0:
        if left % 2 == 1:
            result = result @ factor
        factor = factor @ factor
        left //= 2
    return result
