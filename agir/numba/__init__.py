"""Numba's names for programs that are written for it: ``import agir.numba as numba``.

``jit`` and ``njit`` are :func:`agir.jit`, typed containers are Python's own, ``prange`` is ``range``.
``docs/from_numba.md`` says what becomes of each of Numba's names.
"""

from __future__ import annotations

import contextlib as _contextlib
import importlib as _importlib
import sys as _sys
from typing import Any as _Any

import numpy as _np

from agir.config import config as _config
from agir.numba import core as core
from agir.numba import errors as errors
from agir.numba import experimental as experimental
from agir.numba import extending as extending
from agir.numba import typed as typed
from agir.numba import types as types
from agir.numba.decorators import from_dtype as from_dtype
from agir.numba.decorators import guvectorize as guvectorize
from agir.numba.decorators import jit as jit
from agir.numba.decorators import jit_module as jit_module
from agir.numba.decorators import njit as njit
from agir.numba.decorators import typeof as typeof
from agir.numba.decorators import vectorize as vectorize
from agir.numba.stencils import stencil as stencil
from agir.numba.types import *  # noqa: F403 - Numba has its types here as well

__ag_convert__ = True

prange = range
"""A loop whose iterations may run on threads: those that can do, whatever it is called."""
pndindex = _np.ndindex
literal_unroll = tuple
"""Loops over tuples are unrolled anyway."""


def literally(value: _Any) -> _Any:
    """The value itself: what has to be known when a program is compiled is found out."""
    return value


class objmode(_contextlib.nullcontext[None]):  # noqa: N801 - Numba's name
    """A block of code that Numba leaves to Python; agir compiles it as the rest."""

    def __init__(self, *_: _Any, **__: _Any) -> None:
        super().__init__()


def set_num_threads(n: int) -> None:
    """At most so many threads from now on."""
    _config.num_threads = n


def get_num_threads() -> int:
    """How many threads there are at most."""
    return _config.num_threads


def threading_layer() -> str:
    """What runs threads."""
    return "agir"


def install() -> None:
    """Let ``import numba`` find this module from now on, in this process.

    It has to come before anything imports Numba.
    """
    for name in ("core.errors", "core.types", "np.linalg", "np.ufunc.dufunc", "np.ufunc.gufunc"):
        _importlib.import_module(f"{__name__}.{name}")
    for key, module in list(_sys.modules.items()):
        if key == __name__ or key.startswith(__name__ + "."):
            _sys.modules["numba" + key[len(__name__) :]] = module
