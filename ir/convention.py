"""The two conventions of calling, which one machine serves."""

from __future__ import annotations

from agir.records import dataclass


@dataclass(frozen=True, eq=False)
class Convention:
    """What differs between ``@ag.function`` and ``@ag.jit``.

    ``numbers_are_constants``: a Python number as an argument keys the trace by its value; otherwise
    it is a run-time scalar.  ``arrays_are_mutable``: arguments that are assigned into change for
    the caller, and in-place operators write into the array.  ``returns_tensors``: results are
    ``ag.Tensor``; otherwise NumPy arrays and scalars.  ``lists_adapt``: lists of Python numbers take
    the dtype of the tensor that they meet; otherwise they are the arrays that NumPy makes of them.
    """

    name: str
    numbers_are_constants: bool
    arrays_are_mutable: bool
    returns_tensors: bool
    lists_adapt: bool


TENSORFLOW = Convention("function", True, False, True, True)
NUMPY = Convention("jit", False, True, False, False)
