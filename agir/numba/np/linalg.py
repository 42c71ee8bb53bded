"""Numba's internal way to LAPACK, which is not there: ``np.linalg`` compiles as it is."""

from __future__ import annotations

from typing import Any


class _LAPACK:
    """Its functions take addresses of arrays."""

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"{name} is internal to Numba: call numpy.linalg instead")
