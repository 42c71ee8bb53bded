"""Memory shared with other libraries through DLPack."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import agir as ag
import agir.numpy as np


class Old:
    """An exporter that knows DLPack before version 1.0 only."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_in_and_out() -> None:
    for dtype in ("bool", "int8", "uint64", "float32", "complex128"):
        source = numpy.arange(6).reshape(2, 3).astype(dtype)
        tensor = np.from_dlpack(source)
        assert isinstance(tensor, ag.Tensor)
        assert numpy.array_equal(tensor, source)
        back = numpy.from_dlpack(tensor)
        assert numpy.array_equal(back, source)
        assert numpy.shares_memory(back, source)
        assert not back.flags.writeable


def test_copies() -> None:
    source = numpy.zeros(3)
    assert not numpy.shares_memory(np.from_dlpack(source, copy=True).numpy(), source)
    assert numpy.shares_memory(np.from_dlpack(source[::2], copy=False).numpy(), source)
    tensor = np.from_dlpack(source)
    assert np.from_dlpack(tensor) is tensor
    assert np.from_dlpack(tensor, copy=True) is not tensor
    copied = numpy.from_dlpack(tensor, copy=True)
    assert not numpy.shares_memory(copied, source)


def test_readers_that_know_no_read_only_memory() -> None:
    source = numpy.zeros(3)
    tensor = np.from_dlpack(source)
    taken = numpy.from_dlpack(Old(tensor))
    assert not numpy.shares_memory(taken, source)
    with pytest.raises(BufferError, match="immutable"):
        tensor.__dlpack__(copy=False)
    assert tensor.__dlpack__(copy=False, max_version=(1, 0))
    assert tensor.__dlpack__(max_version=(0, 8))


def test_devices() -> None:
    tensor = np.ones(2)
    assert tensor.__dlpack_device__() == (1, 0)
    assert tensor.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="not"):
        tensor.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="no streams"):
        tensor.__dlpack__(stream=1)
    with pytest.raises(ValueError, match="only device"):
        np.from_dlpack(numpy.ones(2), device="gpu")
    with pytest.raises(TypeError, match="no __dlpack__ method"):
        np.from_dlpack([1, 2])


def test_in_a_traced_function() -> None:
    source = numpy.array([1.0, 2.0])
    assert ag.function(lambda x: np.from_dlpack(source) + x)(1.0).numpy().tolist() == [2.0, 3.0]
