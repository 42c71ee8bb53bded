"""What a TensorArray is made to hold, whether a value is that, and what an eager one contains."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from agir.errors import OperandTypeError, OperandValueError
from agir.ir.building.types import DType, Shape, TensorType, is_python_number, promote
from agir.ir.tensors import dispatch
from agir.records import dataclass

LIMIT = 2**31 - 1
"""The greatest number of elements of a TensorArray that grows."""


@dataclass(frozen=True)
class TensorArrayType:
    """What a TensorArray is made to hold."""

    dtype: DType
    grows: bool = False
    element_shape: Shape | None = None
    infer_shape: bool = True

    def check_type(self, given: TensorType) -> None:
        """``TypeError`` for a dtype that is not the array's; Python numbers fit where they can."""
        fits = promote(TensorType(self.dtype, ()), given)[0] if given.weak else given.dtype
        if fits != self.dtype:
            raise OperandTypeError(
                f"a TensorArray of {self.dtype} is given a value of {given.dtype}; convert it with "
                f"agir.cast(value, agir.{self.dtype})"
            )

    def check_shape(self, shape: Shape) -> None:
        """``ValueError`` for a shape of elements other than the one that the array is made for."""
        wanted = self.element_shape
        if wanted is None:
            return
        same = len(wanted) == len(shape) and all(
            a is None or b is None or a == b for a, b in zip(wanted, shape, strict=True)
        )
        if not same:
            raise OperandValueError(
                f"a TensorArray with elements of shape {_text(wanted)} is given one of shape "
                f"{_text(shape)}"
            )


def _text(shape: Shape) -> str:
    return str(list(shape)).replace("None", "?")


def weak_array(value: Any) -> tuple[Any, TensorType] | None:
    """(array, weak type) of nested lists of Python numbers; None for anything else."""
    if not isinstance(value, (list, tuple)) or not all(map(_plain, value)):
        return None
    array = np.asarray(value)
    kind = TensorType(dispatch.type_of(array).dtype, array.shape, weak=True)
    return array, kind


def _plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_plain, value))
    return is_python_number(value)


class Stored(Protocol):
    """What is in an eager TensorArray; the runtime has the class."""

    @property
    def kind(self) -> TensorArrayType:
        """What the array is made to hold."""
        ...

    def write(self, index: Any, value: Any) -> None:
        """Replace an element."""
        ...

    def read(self, index: Any) -> Any:
        """An element."""
        ...

    def stack(self) -> Any:
        """All elements as one tensor."""
        ...

    def unstack(self, value: Any) -> None:
        """Have the rows of a tensor as elements."""
        ...

    def gather(self, indices: Any) -> Any:
        """Some elements as one tensor."""
        ...

    def scatter(self, indices: Any, value: Any) -> None:
        """Write the rows of a tensor at these indices."""
        ...

    def concat(self) -> Any:
        """The elements one after the other."""
        ...

    def split(self, value: Any, lengths: Any) -> None:
        """Have pieces of a tensor as elements."""
        ...

    def size(self) -> Any:
        """The number of elements."""
        ...

    def copy(self) -> Stored:
        """The same elements in contents of their own."""
        ...

    def shape(self) -> Shape | None:
        """What is known of the shape of the elements."""
        ...
