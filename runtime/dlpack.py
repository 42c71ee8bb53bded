"""The DLPack protocol: memory shared with other array libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

CPU = (1, 0)
"""The device of every tensor, as DLPack writes it: (kind, number)."""

_READ_ONLY = (1, 0)
"""The version of DLPack from which on memory can be said to be read-only."""


def capsule(
    array: np.ndarray[Any, Any], stream: Any, max_version: Any, device: Any, copy: bool | None
) -> Any:
    """The capsule of a tensor's array, which nobody may write to.

    A reader that has no word for that is given a copy.
    """
    if stream is not None:
        raise ValueError(f"__dlpack__(): memory of the CPU has no streams, got stream={stream!r}")
    if device is not None and tuple(map(int, device)) != CPU:
        raise BufferError(f"__dlpack__(): the memory is the CPU's, {CPU}, not {device}")
    knows_read_only = max_version is not None and tuple(max_version) >= _READ_ONLY
    if copy is False and not knows_read_only:
        raise BufferError(
            "__dlpack__(): a tensor is immutable, which DLPack before version 1.0 cannot say; let it "
            "be copied, or ask with max_version=(1, 0)"
        )
    if copy or not knows_read_only:
        array = array.copy()
    return array.__dlpack__(max_version=max_version) if knows_read_only else array.__dlpack__()


def imported(x: Any, device: Any, copy: bool | None) -> np.ndarray[Any, Any]:
    """The array of any object that speaks DLPack, in its own memory where that can be."""
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack(): {type(x).__name__} has no __dlpack__ method")
    return np.from_dlpack(x, device=device, copy=copy)
