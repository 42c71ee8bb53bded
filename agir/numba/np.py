"""Numba's ``np``, as far as programs name it: its classes of ufuncs are NumPy's own."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np


class _LAPACK:
    """Numba's own way to LAPACK: its functions take addresses of arrays."""

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"{name} is internal to Numba: call numpy.linalg instead")


def _module(name: str, **contents: Any) -> ModuleType:
    made = ModuleType(f"{__name__}.{name}")
    vars(made).update(contents)
    sys.modules[made.__name__] = made
    return made


linalg = _module("linalg", _LAPACK=_LAPACK)
ufunc = _module(
    "ufunc",
    gufunc=_module("ufunc.gufunc", GUFunc=np.ufunc),
    dufunc=_module("ufunc.dufunc", DUFunc=np.ufunc),
)
