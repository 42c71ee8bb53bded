"""Reshapes into sizes of run time, behind the elementwise operations that they could fuse with."""

import numpy as np
import pytest

import agir as ag

SCALAR = ag.TensorSpec([], ag.int32)
VECTOR = ag.TensorSpec([None], ag.float32)

BEHIND_A_BRANCH = """
func.func @f(%x: tensor<?xf32>, %k: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %c = arith.constant 2.0 : f32
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %s = tensor.splat %c[%n] : tensor<?xf32>
  %y = arith.mulf %x, %s : tensor<?xf32>
  %p = arith.cmpi sgt, %k, %zero : index
  %m = scf.if %p -> index {
    %q = arith.divsi %n, %k : index
    scf.yield %q : index
  } else {
    scf.yield %n : index
  }
  %e = tensor.expand_shape %y [[0, 1]] output_shape [%m, %k] : tensor<?xf32> into tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}"""


def test_sizes_of_a_branch(run):
    x = np.arange(12, dtype=np.float32)
    got = run(BEHIND_A_BRANCH, x, 4)
    np.testing.assert_array_equal(np.asarray(got).reshape(3, 4), 2 * x.reshape(3, 4))


@pytest.mark.parametrize("sizes", [(3000, 30000), (-1, 4), (5, 3)])
def test_sizes_that_do_not_fit_are_refused_before_anything_is_read(sizes):
    @ag.function(input_signature=[VECTOR, SCALAR, SCALAR])
    def shaped(x, m, k):
        return ag.reshape(x * 2, [m, k]) + 1

    with pytest.raises(ValueError, match=r"test_reshapes\.py:\d+, in shaped"):
        shaped(np.ones(13, np.float32), *map(np.int32, sizes))


def test_a_static_shape_that_does_not_fit_is_refused_before_anything_is_read():
    @ag.function(input_signature=[VECTOR])
    def shaped(x):
        return ag.reshape(ag.exp(x) * 2, [3000, 3000])

    with pytest.raises(ValueError, match="another number of elements: 13 and 9000000"):
        shaped(np.ones(13, np.float32))


def test_sizes_divided_at_run_time_in_a_loop():
    def rows(x, k):
        total = ag.zeros([])
        for i in ag.range(k):
            y = ag.exp(-x) * 2
            n = ag.size(x) // (i + 1)
            total += ag.reduce_max(ag.reshape(y[: n * (i + 1)] + 1, [n, i + 1]) - 1)
        return total

    x = np.linspace(0, 1, 13, dtype=np.float32)
    compiled = ag.function(rows, input_signature=[VECTOR, SCALAR])
    interpreted = ag.function(rows, input_signature=[VECTOR, SCALAR], jit_compile=False)
    np.testing.assert_allclose(compiled(x, np.int32(4)), interpreted(x, np.int32(4)), rtol=1e-6)
    np.testing.assert_allclose(compiled(x, np.int32(4)), 8.0, rtol=1e-6)


def test_no_elements_among_sizes_of_run_time():
    @ag.function(input_signature=[ag.TensorSpec([None, None], ag.float32), SCALAR])
    def flat(x, k):
        return ag.reshape(ag.reshape(x, [-1, 0, k]) + 1, [-1]), ag.reshape(x, [0, k])

    nothing, rows = flat(np.ones((0, 3), np.float32), np.int32(2))
    assert nothing.shape == (0,)
    assert rows.shape == (0, 2)
