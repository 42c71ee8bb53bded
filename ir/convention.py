"""The two conventions of calling, which one machine serves."""

from __future__ import annotations

from dataclasses import replace

from agir.records import dataclass


@dataclass(frozen=True, eq=False)
class Convention:
    """What differs between ``@ag.function`` and ``@ag.jit``.

    ``numbers_are_constants``: a Python number as an argument keys the trace by its value; otherwise
    it is a run-time scalar.  ``arrays_are_mutable``: arguments that are assigned into change for
    the caller, and in-place operators write into the array.  ``returns_tensors``: results are
    ``ag.Tensor``; otherwise NumPy arrays and scalars.  ``lists_adapt``: lists of Python numbers take
    the dtype of the tensor that they meet; otherwise they are the arrays that NumPy makes of them.
    ``numbers_are_strong``: Python's numbers have dtypes that count, and numbers of narrow integer
    dtypes are computed with in 64 bits, as Numba has it.  ``gives_numbers``: results that are numbers
    are Python's, whatever they were computed of.  ``math_fails`` and ``division_fails``: floats of
    Python's raise where they have no finite result, in functions of `math` and powers, and in
    divisions; else they are NaN or infinite.
    """

    name: str
    numbers_are_constants: bool
    arrays_are_mutable: bool
    returns_tensors: bool
    lists_adapt: bool
    numbers_are_strong: bool = False
    gives_numbers: bool = False
    math_fails: bool = True
    division_fails: bool = True

    def __reduce__(self) -> str:
        """It is pickled by the name that it has here."""
        return next(name for name, value in globals().items() if value is self)


TENSORFLOW = Convention("function", True, False, True, True)
NUMPY = Convention("jit", False, True, False, False)
NUMBA = replace(NUMPY, numbers_are_strong=True, gives_numbers=True, math_fails=False)
NUMBA_LIKE_NUMPY = replace(NUMBA, division_fails=False)
"""With Numba's ``error_model="numpy"``."""
