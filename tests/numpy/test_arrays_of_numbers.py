"""Arrays where NumPy takes a sequence of numbers: axes, sizes, counts, shifts, places to split at."""

import linecache

import numpy as np
import pytest

import agir as ag

SAYING = [
    "x.transpose(A(2, 0, 1))",
    "np.transpose(x, A(2, 0, 1))",
    "np.moveaxis(x, A(0, 1), A(1, 2))",
    "np.sum(x, axis=tuple(A(0, 2)))",
    "np.flip(x, A(0, 2))",
    "np.expand_dims(x, tuple(A(0, 2)))",
    "np.squeeze(x[:1], tuple(A(0,)))",
    "np.rot90(x, 1, A(0, 1))",
    "np.tensordot(x, x, axes=A([0, 1], [0, 1]))",
    "np.apply_over_axes(np.sum, x, A(0, 2))",
    "np.linalg.norm(x, axis=tuple(A(0, 1)))",
    "np.fft.fftn(x, A(2, 3), (0, 1))",
    "np.einsum(x, [0, 1, 2], A(0, 1))",
    "np.roll(x, 1, A(1,)[0])",
    "np.concatenate((x, x), A(1,)[0])",
    "x.reshape(A(4, -1))",
]
"""Only of values that are known while tracing."""

COUNTING = [
    "np.roll(x, A(1, 2), axis=(0, 1))",
    "np.roll(x, A(1, 2))",
    "np.pad(x, A([1, 1], [0, 2], [2, 0]))",
    "np.pad(x, A(1, 2))",
    "np.tile(x, A(2, 1, 2))",
    "x.reshape(A(4, 6))",
    "np.broadcast_to(x[0, 0], A(3, 4))",
    "np.resize(x, A(3, 5))",
    "np.array(np.unravel_index(7, A(3, 4)))",
    "np.ravel_multi_index((1, 2), A(3, 4))",
    "np.concatenate([np.append(e, -1) for e in np.split(x.ravel(), A(3, 7, 9))])",
    "np.concatenate([np.append(e, -1) for e in np.array_split(x.ravel(), A(3, 7))])",
    "np.repeat(x, A(1, 2, 3), axis=1)",
    "np.zeros(A(2, 3))",
    "np.indices(A(2, 3))",
    "np.lib.stride_tricks.sliding_window_view(x, A(2, 2), axis=(0, 1)).copy()",
    "np.delete(x, A(0, 2), axis=1)",
    "np.insert(x, A(0, 2), 9.0, axis=1)",
]
"""Of run-time values as well."""

MADE = {
    "a literal": "np.array(list(v))",
    "what NumPy made": "np.add(list(v), 0)",
    "a part of a literal": "np.array([[*v], [*v]])[1]",
    "run-time values": "np.array(list(v)) + zero",
}


def function(expression, made):
    lines = ["def f(x, zero):", f"    A = lambda *v: {made}", f"    return {expression}"]
    source, name = "\n".join(lines), f"<{expression} of {made}>"
    linecache.cache[name] = (len(source), None, [f"{line}\n" for line in lines], name)
    namespace = {"np": np}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("made", MADE)
def test_numbers_in_an_array(made):
    x = np.arange(24.0).reshape(2, 3, 4)
    for expression in [*COUNTING, *(SAYING if made in ("a literal", "what NumPy made") else ())]:
        plain = function(expression, MADE[made])
        np.testing.assert_allclose(ag.jit(plain)(x, 0), plain(x, 0), err_msg=expression)


def test_operands_with_lists_of_numbers():
    def f(x, y):
        return (
            np.einsum(x, [0, 1], y, [1, 2]),
            np.einsum(x, [2, 30], y, [30, 3], [3, 2]),
            np.einsum(x, [..., 1], y, [1, 2], [2, ...]),
            np.einsum(x, [0, 1]),
        )

    x, y = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for found, wanted in zip(ag.jit(f)(x, y), f(x, y), strict=True):
        np.testing.assert_allclose(found, wanted)
    with pytest.raises(ValueError, match="a number from 0 to 51, not 52"):
        ag.jit(lambda x: np.einsum(x, [0, 52]))(x)
    with pytest.raises(TypeError, match="or lists of numbers, not 3"):
        ag.jit(lambda x: np.einsum(x, 3))(x)


@pytest.mark.parametrize("value", [5, 2.5, True, np.float32(3), np.array(7)])
def test_numbers_broadcast_to_arrays(value):
    def f(x):
        return np.broadcast_to(x, ()), *np.broadcast_arrays(x, 1, False), np.broadcast_to(x, (2,))

    for found, wanted in zip(ag.jit(f)(value), f(value), strict=True):
        assert (type(found), found.dtype, found.tolist()) == (
            np.ndarray,
            wanted.dtype,
            wanted.tolist(),
        )
