"""What is passed for arrays of changing size: those of TensorArrays, lists and sparse matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from agir.ir.state.tensor_array import TensorArray


class Column(np.ndarray[Any, Any]):
    """The elements of a TensorArray as a run-time value, which remembers the array."""

    source: TensorArray
    grows: bool

    @property
    def traced_shape(self) -> tuple[int | None, ...]:
        """What a trace knows of its shape: not the number of elements that is to change."""
        return (None, *self.shape[1:]) if self.grows else self.shape


class Numbers(np.ndarray[Any, Any]):
    """The numbers of a long list of the caller's, of any length."""

    source: Any = None
    """What the first column of objects was made of (`passed_objects`)."""


class Entries(np.ndarray[Any, Any]):
    """The numbers in a sparse matrix, or their places: a trace is for any number of them."""

    source: Any
    traced_shape = (None,)

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> Entries:
        """The array as such."""
        made = array.view(cls)
        made.source = array
        return made
