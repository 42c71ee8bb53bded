"""Arrays of other libraries as arguments, by each of the protocols that they may have."""

from __future__ import annotations

import array
import ctypes
import importlib.util
import mmap
import warnings

import numpy as np
import pytest

import agir as ag

from .ways import note


class Interface:
    """Has ``__array_interface__`` alone."""

    def __init__(self, data):
        self.data = data

    @property
    def __array_interface__(self):
        return self.data.__array_interface__


class Struct:
    """Has ``__array_struct__`` alone."""

    def __init__(self, data):
        self.data = data

    @property
    def __array_struct__(self):
        return self.data.__array_struct__


class Method:
    """Has ``__array__`` alone, as NumPy 2 asks for it."""

    def __init__(self, data):
        self.data = data

    def __array__(self, dtype=None, copy=None):
        return np.array(self.data, dtype, copy=copy)


class OldMethod:
    """Has ``__array__`` without the argument ``copy``."""

    def __init__(self, data):
        self.data = data

    def __array__(self, dtype=None):
        return np.asarray(self.data, dtype)


class Copying:
    """Has no memory to share."""

    def __init__(self, data):
        self.data = data

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("this is computed")
        return np.array(self.data, dtype)


class DLPack:
    """Has DLPack alone."""

    def __init__(self, data):
        self.data = data

    def __dlpack__(self, **options):
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


SHARING = [Interface, Struct, Method, DLPack, memoryview, np.asarray]


def double(x):
    x[...] = x * 2
    return x + 1


@pytest.mark.parametrize("make", [*SHARING, OldMethod, Copying])
@pytest.mark.parametrize("decorate", [ag.jit, ag.function])
def test_every_protocol_is_read(make, decorate):
    data = np.arange(6.0).reshape(2, 3)
    f = decorate(lambda x, y: x * 2 + y)
    found = f(make(data), y=data)
    np.testing.assert_array_equal(np.asarray(found), data * 3)
    f(make(data + 1), data)
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("make", SHARING)
def test_what_is_shared_is_written_into(make):
    data = np.arange(6.0).reshape(2, 3)
    found = ag.jit(double)(make(data))
    np.testing.assert_array_equal(data, 2 * np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(found, data + 1)
    assert type(found) is np.ndarray


@pytest.mark.parametrize("make", [Copying, OldMethod])
def test_what_would_be_a_copy_is_read_only(make):
    data = np.arange(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="read-only"):
            ag.jit(double)(make(data))
    np.testing.assert_array_equal(data, np.arange(3.0))


@pytest.mark.parametrize("make", [Interface, memoryview, np.asarray])
@pytest.mark.parametrize("rows", [5, 300])
def test_strides_of_every_kind(make, rows):
    data = np.arange(rows * 40.0).reshape(rows, 40)
    f = ag.jit(lambda x: x * 2)
    views = [
        data[::2, ::3],
        data[::-1, ::-2],
        data.T,
        data[:, 3],
        np.broadcast_to(data[0], (rows, 40)),
    ]
    for view in views:
        np.testing.assert_array_equal(f(make(view)), view * 2)


def test_buffers_of_the_standard_library(tmp_path):
    f = ag.jit(double)
    numbers = array.array("d", [1, 2, 3])
    assert f(numbers).tolist() == [3, 5, 7]
    assert list(numbers) == [2, 4, 6]
    whole = (ctypes.c_int32 * 3)(1, 2, 3)
    assert f(whole).tolist() == [3, 5, 7]
    assert list(whole) == [2, 4, 6]
    text = bytearray(b"\1\2")
    assert f(memoryview(text)).dtype == np.uint8
    assert text == b"\2\4"
    assert ag.jit(lambda x: x.sum())(mmap.mmap(-1, 16)) == 0
    mapped = np.memmap(tmp_path / "numbers", "f8", "w+", shape=(4,))
    mapped[:] = 3
    assert f(mapped).tolist() == [7] * 4
    assert mapped.tolist() == [6] * 4
    with pytest.raises(ValueError, match="read-only"):
        f(memoryview(np.arange(3.0)).toreadonly())


def test_text_and_bytes_stay_values_of_pythons():
    f = ag.jit(lambda x, name: x + 1 if name == "one" else x + 2)
    assert f(1, "one") == 2
    assert f(1, "two") == 3
    assert ag.jit(lambda data, x: x + len(data))(b"abc", 1) == 4


def test_a_subclass_for_which_functions_mean_something_else_is_refused():
    class Quantity(np.ndarray):
        def __array_ufunc__(self, *_, **__):
            return "with a unit"

    class Named(np.ndarray):
        def __array_function__(self, *_, **__):
            return "with names"

    double = ag.jit(lambda x: x * 2)
    for kind in (Quantity, Named):
        for _ in range(70):
            double(np.ones(3))
        with pytest.raises(TypeError, match=f"{kind.__name__}, whose class says what"):
            double(np.ones(3).view(kind))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_are_arrays_or_refused():
    class Named(np.ndarray):
        pass

    found = ag.jit(lambda x: x * 2)(np.arange(3.0).view(Named))
    assert type(found) is np.ndarray
    with pytest.raises(TypeError, match=r"argument 'x' is a masked array.*x\.filled"):
        ag.jit(lambda x: x * 2)(np.ma.array([1.0, 2.0], mask=[True, False]))
    with pytest.raises(TypeError, match=r"argument 'x' is a numpy\.matrix"):
        ag.jit(lambda x: x * 2)(np.matrix([[1.0]]))


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((), [("a", float)]),
        np.array([1, None]),
        np.array(["text"]),
        Method(np.array([None])),
    ],
)
def test_elements_that_cannot_be_compiled(value):
    with pytest.raises(TypeError, match="argument 'x': arrays of dtype"):
        ag.jit(lambda x: x)(value)


def test_an_array_that_fails_names_the_argument():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("it is on another device")

    with pytest.raises(TypeError, match=r"argument 'x': a Broken cannot be seen.*another device"):
        ag.jit(lambda x: x)(Broken())


def test_static_arguments_stay_what_they_are():
    seen = []

    @ag.jit(static=("table",))
    def f(x, table):
        note(seen, type(table))
        return x

    f(1.0, memoryview(b"abc"))
    assert seen == [memoryview]


def _there(name):
    return importlib.util.find_spec(name) is not None


def _column_of_pandas():
    import pandas

    frame = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1, 2, 3]})
    return [frame["a"], frame["b"].to_numpy(), pandas.Series([1.0, 2.0, 3.0])]


def _column_of_arrow():
    import pyarrow

    table = pyarrow.table({"a": [1.0, 2.0, 3.0]})
    return [pyarrow.array([1.0, 2.0, 3.0]), table["a"]]


def _array_of_jax():
    import jax.numpy as jnp

    return [jnp.array([1.0, 2.0, 3.0], jnp.float32)]


def _tensor_of_torch():
    import torch

    return [torch.tensor([1.0, 2.0, 3.0])]


REAL = {
    "pandas": _column_of_pandas,
    "pyarrow": _column_of_arrow,
    "jax": _array_of_jax,
    "torch": _tensor_of_torch,
}


@pytest.mark.filterwarnings("default")
def test_the_real_ones_that_are_installed():
    """With the extra ``benchmarks``; what is not installed has stood in above."""
    for name in filter(_there, REAL):
        for value in REAL[name]():
            found = ag.jit(lambda x: x * 2)(value)
            np.testing.assert_array_equal(found, [2, 4, 6], err_msg=name)
            if name == "torch":
                ag.jit(double)(value)
                assert value.tolist() == [2, 4, 6]
            elif not isinstance(value, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    ag.jit(double)(value)
