"""Numba's class of ufuncs: that of NumPy's own."""

from numpy import ufunc as DUFunc  # noqa: N812 - Numba's name

__all__ = ["DUFunc"]
