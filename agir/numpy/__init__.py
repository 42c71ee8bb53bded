"""NumPy's functions on tensors: the array API standard 2024.12, and NumPy's names besides.

They compute at once on arrays and tensors, and are recorded in functions that agir compiles.  Dtypes
and values are NumPy's: an array of Python's ints is int64, of floats float64.

    import agir.numpy as np

    np.linalg.solve(np.eye(2), np.asarray([1.0, 2.0]))
"""

from __future__ import annotations

import sys as _sys
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from typing import TYPE_CHECKING, Any

import numpy as _numpy

from agir.ir import hooks as _hooks
from agir.ir.tensors.tensor import Tensor as _Tensor
from agir.numpy import (
    creation,
    data_types,
    elementwise,
    manipulation,
    numbers,
    searching,
    statistics,
)
from agir.numpy import fft as fft
from agir.numpy import linalg as linalg
from agir.numpy import recorded as _recorded
from agir.numpy.creation import *  # noqa: F403 - the families' tables of names
from agir.numpy.creation import array as array
from agir.numpy.data_types import *  # noqa: F403
from agir.numpy.elementwise import *  # noqa: F403
from agir.numpy.info import __array_namespace_info__ as __array_namespace_info__
from agir.numpy.linalg import matmul as matmul
from agir.numpy.linalg import outer as outer
from agir.numpy.linalg import tensordot as tensordot
from agir.numpy.linalg import vecdot as vecdot
from agir.numpy.manipulation import *  # noqa: F403
from agir.numpy.numbers import *  # noqa: F403
from agir.numpy.searching import *  # noqa: F403
from agir.numpy.statistics import *  # noqa: F403

__array_api_version__ = "2024.12"
newaxis = None
ndarray = _Tensor
euler_gamma = 0.5772156649015329

_FAMILIES = (creation, data_types, elementwise, manipulation, numbers, searching, statistics)


def __getattr__(name: str) -> Any:
    """A function of NumPy's that the operation table has."""
    found = globals()[name] = _recorded.missing(name, _numpy, __name__)
    return found


if not TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = [
        *("e", "euler_gamma", "fft", "inf", "linalg", "matmul", "nan", "ndarray", "newaxis"),
        *("outer", "pi", "tensordot", "vecdot"),
        *(name for family in _FAMILIES for name in family.__all__),
    ]

    def __dir__() -> list[str]:
        return __all__


_hooks.namespace = _sys.modules[__name__]
