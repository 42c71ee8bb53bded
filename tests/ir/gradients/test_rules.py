"""Every rule against central differences: interpreted, and compiled in one program for each group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag

from .checks import check

_RANDOM = np.random.default_rng(7)


def between(low: float, high: float, *shape: int) -> Any:
    return _RANDOM.uniform(low, high, shape)


def complex_numbers(*shape: int) -> Any:
    return _RANDOM.normal(size=shape) + 1j * _RANDOM.normal(size=shape)


UNARY: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("exp", "exp2", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh"), (-1, 1)),
    **dict.fromkeys(("log", "log1p", "sqrt", "rsqrt", "reciprocal", "cbrt"), (0.3, 2)),
    **dict.fromkeys(("asin", "acos", "atanh"), (-0.8, 0.8)),
    **dict.fromkeys(("atan", "asinh", "erf", "erfc", "abs", "square", "sigmoid"), (-2, 2)),
    **dict.fromkeys(("sign", "floor", "ceil", "round", "negative"), (0.6, 0.9)),
    "acosh": (1.5, 3),
    "lgamma": (0.5, 3),
    "digamma": (0.5, 3),
}


@pytest.mark.parametrize("name", [n for n in UNARY if hasattr(ag, n)])
def test_functions_of_one_number(name: str) -> None:
    function = getattr(ag, name)
    check(
        lambda x, s: (function(x), function(s)), between(*UNARY[name], 2, 3), between(*UNARY[name])
    )


def test_functions_of_one_number_compiled() -> None:
    def every(x: Any) -> Any:
        return [getattr(ag, n)(x) for n, span in UNARY.items() if span == (-1, 1)]

    check(every, between(-1, 1, 3), jit_compile=None)


BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "power": lambda x, y: x**y,
    "remainder": lambda x, y: x % y,
    "floor_divide": lambda x, y: x // y + x,
    "atan2": ag.atan2,
    "maximum": ag.maximum,
    "minimum": ag.minimum,
    "hypot": ag.hypot,
    "where": lambda x, y: ag.where(x > y, x * y, x - y),
    "copysign": lambda x, y: ag.copysign(x, -y),
}
SHAPES = [
    ((2, 3), (2, 3)),
    ((2, 3), ()),
    ((), (3,)),
    ((2, 1), (1, 3)),
    ((3,), (2, 3)),
    ((0,), (0,)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str, shapes: Any) -> None:
    check(BINARY[name], between(0.3, 0.9, *shapes[0]), between(1.1, 1.9, *shapes[1]))


COMPLEX: dict[str, Callable[..., Any]] = {
    "arithmetic": lambda z, w: (z + w, z - w, z * w, z / w, -z),
    "exponentials": lambda z, w: (ag.exp(z), ag.log(z), ag.sqrt(z), z**w, z**2),
    "angles": lambda z, w: (ag.sin(z), ag.cos(z), ag.tan(w), ag.tanh(z), ag.sinh(z)),
    "parts": lambda z, w: (ag.abs(z), ag.conj(z) * w, ag.angle(z), ag.real(z), ag.imag(w)),
    "reductions": lambda z, w: (ag.reduce_sum(z * w), ag.reduce_prod(z), ag.reduce_mean(w)),
    "products": lambda z, w: ag.matmul(z[None], w[:, None]),
    "scalars": lambda z, w: z[0] * w[1] + ag.exp(z[2]),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers(name: str) -> None:
    check(COMPLEX[name], complex_numbers(3), complex_numbers(3))


def test_complex_numbers_compiled() -> None:
    check(lambda z, w: [f(z, w) for f in COMPLEX.values()], *(complex_numbers(3) for _ in "zw"),
          jit_compile=None)  # fmt: skip


def test_complex_numbers_of_real_ones() -> None:
    check(lambda x, y: ag.complex(x, y) ** 2, between(0, 1, 3), between(0, 1, 3))


ARRAYS: dict[str, Callable[..., Any]] = {
    "sums": lambda x: (ag.reduce_sum(x), ag.reduce_sum(x, 0), ag.reduce_mean(x, 1)),
    "extrema": lambda x: (ag.reduce_max(x), ag.reduce_min(x, 1), ag.reduce_max(x, 0, True)),
    "products": lambda x: (ag.reduce_prod(x), ag.reduce_prod(x, 0)),
    "statistics": lambda x: (ag.reduce_std(x), ag.reduce_variance(x, 0), ag.reduce_logsumexp(x)),
    "norms": lambda x: (ag.linalg.norm(x), ag.linalg.norm(x, axis=0), ag.linalg.norm(x, ord=1)),
    "shapes": lambda x: (ag.transpose(x), ag.reshape(x, [2, 6]), ag.expand_dims(x, 1)),
    "slices": lambda x: (x[1], x[:, 1:3], x[::2, None], x[-1, -1], ag.reverse(x, [0])),
    "joining": lambda x: (ag.concat([x, x * x], 0), ag.stack([x, -x], 1), ag.tile(x, [2, 1])),
    "padding": lambda x: (ag.pad(x, [[1, 2], [0, 1]]), ag.pad(x, [[1, 1], [1, 1]], "REFLECT")),
    "splitting": lambda x: ag.split(x, 2, 1),
    "gathering": lambda x: (ag.gather(x, [2, 0, 0]), ag.gather(x, [1, 1], axis=1)),
    "masks": lambda x: (x[x > 0.5], ag.boolean_mask(x, x > 0.4), ag.where(x > 0.5, x, x * x)),
    "order": lambda x: (ag.sort(x), ag.sort(x, axis=0, direction="DESCENDING"), ag.sort(x[0])),
    "running": lambda x: (ag.cumsum(x, 1), ag.cumprod(x, 0), ag.math.cumulative_logsumexp(x, 1)),
    "contractions": lambda x: (ag.matmul(x, ag.transpose(x)), ag.einsum("ij,kj->ik", x, x * x)),
    "traces": lambda x: (ag.einsum("ij->j", x), ag.einsum("ij,ij->", x, x), ag.tensordot(x, x, 2)),
    "broadcasts": lambda x: (ag.broadcast_to(x, [2, 3, 4]), x + x[0], x * x[:, :1]),
    "activations": lambda x: (ag.nn.softmax(x), ag.nn.relu(x - 0.5), ag.nn.log_softmax(x)),
    "smooth": lambda x: (ag.nn.softplus(x), ag.nn.elu(x - 0.5), ag.nn.selu(x), ag.nn.silu(x)),
    "clipping": lambda x: (ag.clip_by_value(x, 0.4, 0.6), ag.minimum(x, 0.5)),
    "dtypes": lambda x: ag.cast(ag.cast(x * x, ag.float64), ag.float64) + ag.cast(3, ag.float64),
    "diagonals": lambda x: (ag.linalg.diag_part(x), ag.linalg.trace(ag.matmul(x, x, False, True))),
    "scatter": lambda x: ag.tensor_scatter_nd_update(x, [[0], [2]], x[1:3] * 2.0),
    "segments": lambda x: ag.math.segment_sum(x, [0, 0, 1]),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str) -> None:
    check(ARRAYS[name], between(0.3, 0.9, 3, 4))


@pytest.mark.parametrize("name", ["sums", "gathering", "order", "contractions", "running"])
def test_arrays_compiled(name: str) -> None:
    check(ARRAYS[name], between(0.3, 0.9, 3, 4), jit_compile=None)


def test_shapes_that_only_the_run_time_knows() -> None:
    @ag.function(input_signature=[ag.TensorSpec([None, None], ag.float64)] * 2)
    def f(x: Any, y: Any) -> Any:
        z = ag.matmul(x, ag.transpose(y)) + ag.reduce_sum(x * y, 1)
        w = ag.concat([z, z], 0)[1:-1]
        return ag.reduce_sum(w * w) + ag.reduce_max(x) * ag.reduce_prod(y[0])

    check(f, between(0.3, 0.9, 3, 4), between(0.3, 0.9, 3, 4))


IMAGES: dict[str, Callable[..., Any]] = {
    "same": lambda a, k: ag.nn.conv2d(a, k, 1, "SAME"),
    "strides": lambda a, k: ag.nn.conv2d(a, k, 2, "VALID"),
    "pools": lambda a, k: (
        ag.nn.max_pool2d(a, 2, 1, "VALID") + ag.nn.avg_pool2d(a, 2, 1, "VALID") + ag.reduce_sum(k)
    ),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str) -> None:
    check(IMAGES[name], between(-1, 1, 1, 4, 4, 2), between(-1, 1, 2, 2, 2, 2))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_broadcasting(data: st.DataObject) -> None:
    """Operands of any shapes that go together."""
    shape = data.draw(st.lists(st.integers(0, 3), max_size=3))

    def operand() -> Any:
        kept = data.draw(st.integers(0, len(shape)))
        sizes = [1 if data.draw(st.booleans()) else size for size in shape[kept:]]
        return np.linspace(0.3, 0.9, int(np.prod(sizes, dtype=int))).reshape(sizes)

    name = data.draw(st.sampled_from(sorted(BINARY)))
    check(BINARY[name], operand(), operand() + 0.8)


@pytest.mark.parametrize("dtype", [ag.float16, ag.bfloat16, ag.float32])
def test_the_gradient_has_the_dtype_of_the_argument(dtype: Any) -> None:
    x = ag.cast([0.5, 0.25], dtype)
    found = ag.grad(lambda x: ag.reduce_sum(x * x + x))(x)
    assert found.dtype == dtype
    np.testing.assert_allclose(ag.cast(found, ag.float64).numpy(), [2.0, 1.5])


@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
def test_numbers_that_are_rounded_to_fewer_bits_have_a_derivative(options: Any) -> None:
    """float64 becomes float16 by a step of bits, where it lies between two float32."""

    def f(x: Any) -> Any:
        return ag.reduce_sum(
            ag.cast(ag.cast(x, ag.float16) * 2.0, ag.float64) * [1.0, 3.0, 5.0, 7.0]
        )

    x = np.array([0.5, 1 / 3, -0.1, 1e300])  # exact, between two, and too large
    compiled = ag.function(f, **options)
    np.testing.assert_array_equal(ag.grad(compiled)(x), [2.0, 6.0, 10.0, 14.0])
