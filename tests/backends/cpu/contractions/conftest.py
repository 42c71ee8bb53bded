"""Arrays between pages that nobody may touch: a read or write beyond them ends the process."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import pytest

import agir as ag

PAGE = mmap.PAGESIZE


def guarded(array: Any) -> Any:
    """A copy of an array that ends where a page begins that cannot be read."""
    array = np.ascontiguousarray(array)
    pages = max(1, -(-array.nbytes // PAGE))
    memory = mmap.mmap(-1, (pages + 2) * PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None).mprotect
    for page in (0, pages + 1):
        assert protect(ctypes.c_void_p(start + page * PAGE), ctypes.c_size_t(PAGE), 0) == 0
    offset = (pages + 1) * PAGE - array.nbytes
    copy = np.frombuffer(memory, array.dtype, array.size, offset).reshape(array.shape)
    copy[...] = array
    return copy


def values(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Any:
    """Random elements, of which sums of products are exact in integers."""
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return random.random(shape) < 0.5
    if kind in "iu":
        return random.integers(0, 5, shape).astype(dtype)
    made = random.standard_normal(shape)
    return (made + 1j * random.standard_normal(shape) if kind == "c" else made).astype(dtype)


def close(given: Any, wanted: Any) -> None:
    """Equal type and shape; elements as close as sums of this type are, in whatever order."""
    assert given.dtype == wanted.dtype
    assert given.shape == wanted.shape
    tolerance = {"float16": 2e-2, "float32": 1e-4, "complex64": 1e-4}.get(str(wanted.dtype), 1e-10)
    finite = np.abs(wanted[np.isfinite(wanted)])
    scale = max(1.0, float(finite.max())) if finite.size else 1.0
    np.testing.assert_allclose(given, wanted, rtol=tolerance, atol=tolerance * scale)


@pytest.fixture
def unoptimized() -> Any:
    """Code as agir writes it: LLVM's optimizer takes long, and might drop a read that is wrong."""
    with ag.config.scope(opt_level=0):
        yield
