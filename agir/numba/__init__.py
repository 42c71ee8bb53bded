"""Numba's names for programs that are written for it: ``import agir.numba as numba``.

``jit`` and ``njit`` are :func:`agir.jit`, typed containers are Python's own, ``prange`` is ``range``.
``docs/from_numba.md`` says what becomes of each of Numba's names.
"""

from __future__ import annotations

import contextlib as _contextlib
import sys as _sys
from typing import Any as _Any

import numpy as _np

from agir.autograph.pyct.recovery import watch as _watch
from agir.config import config as _settings
from agir.numba import core as core
from agir.numba import cuda as cuda
from agir.numba import errors as errors
from agir.numba import experimental as experimental
from agir.numba import extending as extending
from agir.numba import np as np
from agir.numba import typed as typed
from agir.numba import types as types
from agir.numba.absent import COMPILER as _COMPILER
from agir.numba.configuration import config as config
from agir.numba.decorators import cfunc as cfunc
from agir.numba.decorators import from_dtype as from_dtype
from agir.numba.decorators import guvectorize as guvectorize
from agir.numba.decorators import jit as jit
from agir.numba.decorators import jit_module as jit_module
from agir.numba.decorators import literally as literally
from agir.numba.decorators import njit as njit
from agir.numba.decorators import typeof as typeof
from agir.numba.decorators import vectorize as vectorize
from agir.numba.errors import *  # noqa: F403 - Numba has its errors here as well
from agir.numba.stencils import stencil as stencil
from agir.numba.types import *  # noqa: F403 - and its types
from agir.runtime.c_functions.pointers import carray as carray
from agir.runtime.c_functions.pointers import farray as farray
from agir.runtime.effects.left_blocks import LeavesBlock as _LeavesBlock

_watch()  # such programs compile what they have built, and Numba needs no source

__version__ = "0.68.1"
"""The version of Numba whose names these are."""

__ag_convert__ = True

prange = range
"""A loop whose iterations may run on threads: those that can do, whatever it is called."""
pndindex = _np.ndindex
literal_unroll: type[tuple[_Any, ...]] = tuple
"""Loops over tuples are unrolled anyway."""


class objmode(_LeavesBlock):  # noqa: N801 - Numba's name
    """A block of code that is left to Python, which runs it whenever the program gets there.

    ``with objmode(y="float64[:]"):`` gives ``y``, of that type, and no other variable.
    """


def set_num_threads(n: int) -> None:
    """At most so many threads from now on."""
    _settings.num_threads = n


def get_num_threads() -> int:
    """How many threads there are at most."""
    return _settings.num_threads


def get_thread_id() -> int:
    """The number of the thread: 0, for compiled code means what it would mean on one thread."""
    return 0


def set_parallel_chunksize(n: int) -> int:
    """Accepted: how loops are shared among threads is found out.  Gives 0, Numba's default."""
    return 0


def get_parallel_chunksize() -> int:
    """Numba's default."""
    return 0


class parallel_chunksize(_contextlib.nullcontext[None]):  # noqa: N801 - Numba's name
    """Accepted, see `set_parallel_chunksize`."""

    def __init__(self, n: int = 0) -> None:
        super().__init__()


def threading_layer() -> str:
    """What runs threads."""
    return "agir"


def install() -> None:
    """Let ``import numba`` find this module from now on, in this process.

    It has to come before anything imports Numba.
    """
    for key, module in list(_sys.modules.items()):
        if key == __name__ or key.startswith(__name__ + "."):
            _sys.modules["numba" + key[len(__name__) :]] = module


_ABSENT = {
    **dict.fromkeys(
        ("gdb", "gdb_breakpoint", "gdb_init"),
        "stop in the generated code with a debugger of the process",
    ),
    **dict.fromkeys(("roc", "hsa"), "agir compiles for the CPU"),
    **dict.fromkeys(("llvmlite", "parfors", "cpython", "misc"), _COMPILER),
    "pycc": "machine code is kept in the cache, see docs/cache.md",
}


def __getattr__(name: str) -> _Any:
    if name == "bool":  # a type, which would hide Python's class in this module
        return boolean  # noqa: F405
    reason = f": {_ABSENT[name]}" if name in _ABSENT else ""
    raise AttributeError(f"agir.numba has no {name!r}{reason}")
