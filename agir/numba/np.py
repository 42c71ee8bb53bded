"""Numba's ``np``, as far as programs name it: its classes of ufuncs are NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.numba.decorators import from_dtype
from agir.numba.modules import module


class _LAPACK:
    """Numba's own way to LAPACK: its functions take addresses of arrays."""

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"{name} is internal to Numba: call numpy.linalg instead")


linalg = module("np.linalg", _LAPACK=_LAPACK)
ufunc = module(
    "np.ufunc",
    gufunc=module("np.ufunc.gufunc", GUFunc=np.ufunc),
    dufunc=module("np.ufunc.dufunc", DUFunc=np.ufunc),
)
numpy_support = module("np.numpy_support", from_dtype=from_dtype, as_dtype=lambda kind: kind.dtype)
