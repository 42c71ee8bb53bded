"""Numba's class of generalized ufuncs: that of NumPy's own."""

from numpy import ufunc as GUFunc  # noqa: N812 - Numba's name

__all__ = ["GUFunc"]
