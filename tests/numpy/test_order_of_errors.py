"""Of two errors the one that NumPy finds first."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from agreement import agree

X = np.arange(6.0).reshape(2, 3)
I = np.array([3, -1, 2])  # noqa: E741
U = np.array([3, 1, 2], np.uint64)


def shape_before_dtype(x, i):
    np.einsum("i->i", i, out=np.zeros(4, bool))


def dtype_of_out(x, i):
    np.einsum("ij->ij", x, out=np.zeros((2, 3), np.float32))


def spread_out(x, i):
    a = np.zeros((2, 3))
    np.einsum("ij->ij", x[:1], out=a)
    np.einsum("ij->ij", x[:1], out=a.astype(np.float32), casting="same_kind")
    return a


def dtype_of_out_that_repeats(x, i):
    np.einsum("i->i", x[0, :1], out=np.zeros(5, np.uint64))


def dtypes_of_operands_before_shapes(x, i):
    np.add(i.astype(np.uint8)[:2], x, out=x, casting="no")


def dtypes_of_operands_alone(x, i):
    np.sqrt(i, casting="equiv")


def dtypes_that_are_safe(x, i):
    np.add(i, x, casting="safe", out=x)
    return np.add(x, 2, casting="no"), np.less(i, 2.5, casting="safe")


def nested_too_deep(x, i):
    x[0] = (x[:, :1] * 2).tolist()


def nested_too_deep_in_nothing(x, i):
    x[0, 3:] = (x * 2).tolist()


def constants_nested_too_deep(x, i):
    x[0] = [[1, 2, 3]]


def nested_too_deep_with_numbers_that_do_not_fit(x, i):
    i.astype(np.uint8)[1:] = (x - 3).astype(int).tolist()


def nested_as_deep(x, i):
    x[0] = (x[1] * 2).tolist()
    x[None, 1] = [[1, 2, 3]]
    x[[0]] = [[[4, 5, 6]]]
    return x


def shape_before_indices(x, i):
    x[[0, int(i[0])], :] = np.ones((3, 2))


def negative_numbers(x, i):
    x[0] = np.bincount(i, minlength=7)


def check_before_overflow(x, i):
    u = i.astype(np.uint8)
    x[x > i[0] - 2] = np.arange(5)
    u //= -1


def overflow_where_control_gets(x, i):
    if i[0] > 2:
        i.astype(np.uint8)[0] = 300
    return x


@pytest.mark.parametrize(
    "function",
    [shape_before_dtype, dtype_of_out, spread_out, dtype_of_out_that_repeats,
     dtypes_of_operands_before_shapes, dtypes_of_operands_alone, dtypes_that_are_safe,
     nested_too_deep, nested_too_deep_in_nothing,
     constants_nested_too_deep, nested_too_deep_with_numbers_that_do_not_fit, nested_as_deep,
     shape_before_indices, negative_numbers,
     check_before_overflow, overflow_where_control_gets],
)  # fmt: skip
def test_it_is_numpys(function):
    agree(function, X, I)
