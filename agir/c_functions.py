"""Functions that C calls."""

from agir.runtime.c_functions.making import cfunc as cfunc
from agir.runtime.c_functions.pointers import carray as carray
from agir.runtime.c_functions.pointers import farray as farray

__all__ = ["carray", "cfunc", "farray"]
