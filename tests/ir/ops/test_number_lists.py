"""Lists of Python numbers as operands: the dtype that they meet, or 32 bits."""

# ruff: noqa: RUF005 - the sums are of numbers, not of lists

import numpy as np
import pytest

import agir as ag

F32 = np.array([1, 2], np.float32)
F64 = np.array([1.0, 2.0])
I8 = np.array([1, 2], np.int8)
WAYS = {
    "eager": lambda f: lambda *args: f(*map(ag.constant, args)),
    "compiled": ag.function,
    "interpreted": ag.function(jit_compile=False),
}

CASES = {
    "alone": (lambda x: ag.exp([1.0, 2.0]), F32, np.exp(F32)),
    "alone, integers": (lambda x: ag.square([1, 2]), F32, np.array([1, 4], np.int32)),
    "empty": (lambda x: ag.square([]), F64, np.zeros(0, np.float32)),
    "wide integers": (lambda x: ag.square([2**31]), F32, np.array([2**62])),
    "sum": (lambda x: x + [1.0, 2.0], F32, F32 + F32),
    "sum, reflected": (lambda x: [1, 2] + x, F32, F32 + F32),
    "product, reflected": (lambda x: [1, 2] * x, F32, F32 * F32),
    "tuple": (lambda x: x * (1, 2), F32, F32 * F32),
    "float64": (lambda x: x * [1.0, 2.0], F64, F64 * F64),
    "int8": (lambda x: x + [1, 2], I8, I8 + I8),
    "floats on integers": (lambda x: x + [0.5, 1], I8, I8 + np.array([0.5, 1.0])),
    "two lists": (lambda x: ag.add([1, 2], [0.5, 1]), I8, np.array([1.5, 3], np.float32)),
    "list and number": (lambda x: ag.add([1, 2], 2.5), I8, np.array([3.5, 4.5], np.float32)),
    "condition": (lambda x: ag.where([True, False], x, [3, 4]), F64, np.array([1.0, 4.0])),
    "indices": (lambda x: ag.take_along_axis(x, [1, 0], 0), F64, F64[::-1]),
    "concat": (lambda x: ag.concat([x, [3]], 0), I8, np.array([1, 2, 3], np.int8)),
    "concat with nothing": (lambda x: ag.concat([x, []], 0), I8, I8),
    "concat of lists": (lambda x: ag.concat([[1], [2.0]], 0), F64, F32),
    "stack": (lambda x: ag.stack([x, [3, 4]]), F32, np.array([[1, 2], [3, 4]], np.float32)),
    "stack of lists": (lambda x: ag.stack([[1, 2]]), F32, np.array([[1, 2]], np.int32)),
    "stack of numbers": (lambda x: ag.stack([1.0, 2.0]), F64, F32),
    "einsum": (lambda x: ag.einsum("i,i->", x, [1, 2]), F32, np.float32(5)),
    "matmul": (lambda x: x @ [[1.0], [2.0]], F32, np.array([5], np.float32)),
    "clip": (lambda x: ag.clip(x, [0, 0], [1, 1]), F32, np.ones(2, np.float32)),
    "NumPy's function": (lambda x: np.add(x, [1.0, 2.0]), F32, F64 + F64),
    "NumPy's sequence": (lambda x: np.concatenate([x, [1.0]]), F32, np.array([1.0, 2, 1])),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_lists_of_numbers(case, way):
    function, x, wanted = CASES[case]
    got = WAYS[way](function)(x).numpy()
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_numpys_rule_holds_under_jit():
    @ag.jit
    def lists(x):
        return ag.exp([1.0, 2.0]), [1.0, 2.0] + x, ag.concat([x, [1.0]], 0)

    assert [each.dtype for each in lists(F32)] == [np.float64] * 3


def test_a_number_that_does_not_fit_names_the_line():
    @ag.function
    def too_large(x):
        large = [300, 1]
        return x + large

    with pytest.raises(OverflowError, match=r"test_number_lists\.py:\d+: return x"):
        too_large(I8)


def test_an_array_of_no_rows_cannot_be_joined():
    with pytest.raises(ValueError, match=r"concat\(\) needs at least one array"):
        ag.concat(np.zeros((0, 3)), 0)
