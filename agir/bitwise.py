"""Operations on the bits of integers, under TensorFlow's names."""

from __future__ import annotations

from agir.operations import bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift
from agir.operations import bitwise_invert as invert

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]


def __dir__() -> list[str]:
    return __all__
