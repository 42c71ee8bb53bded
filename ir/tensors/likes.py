"""What users may give where a tensor, a dtype, a shape or an axis is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from agir.ir.building.types import DType
from agir.ir.tensors.tensor import Tensor

TensorLike: TypeAlias = (
    Tensor | np.ndarray[Any, Any] | np.generic | complex | Sequence["TensorLike"]
)
"""A tensor, an array, a number (a bool, int and float are complex to a type checker), or nested
sequences of them."""

DTypeLike: TypeAlias = DType | np.dtype[Any] | type[Any] | str
"""A dtype, one of NumPy's, a scalar type of NumPy's or Python's, or its name."""

ShapeLike: TypeAlias = Sequence[int | Tensor | None] | Tensor | np.ndarray[Any, Any]
"""Sizes one by one, or as a vector; None where a size is unknown."""

AxisLike: TypeAlias = int | Sequence[int] | Tensor | np.ndarray[Any, Any] | None
"""The number of an axis, or several; None for all or for the default."""
