"""The forward sweep: ``jvp`` beside differences, over the programs of the way back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.gradients.core.dual import FORWARD, WHOLE
from agir.ir.gradients.core.sweep import RULES
from agir.ir.gradients.rules.forward_host import CHANGES
from agir.ir.gradients.rules.host import OPERATIONS
from agir.ir.host import hosts

from .checks import weighted
from .test_control_flow import PROGRAMS
from .test_linear_algebra import FUNCTIONS, SQUARE, complexes, real
from .test_random_programs import written
from .test_rules import BINARY, UNARY, between, complex_numbers


def numbers(args: Any) -> list[int]:
    return [n for n, a in enumerate(args) if np.asarray(a).dtype.kind in "fc"]


def hold(f: Any, args: Any, jit_compile: bool | None = False, tolerance: float = 1e-5) -> None:
    """Hold the change in a random direction to differences."""
    arrays = [np.asarray(a) for a in args]
    chosen = numbers(arrays)
    random = np.random.default_rng(5)
    tangents = [random.normal(size=arrays[n].shape) for n in chosen]
    tangents = [
        t + 1j * random.normal(size=t.shape) if arrays[n].dtype.kind == "c" else t
        for n, t in zip(chosen, tangents, strict=True)
    ]

    def of_numbers(*given: Any) -> Any:
        every = [ag.constant(a) for a in arrays]
        for n, value in zip(chosen, given, strict=True):
            every[n] = value
        return weighted(f(*every))

    objective = ag.function(of_numbers, jit_compile=jit_compile)
    value, change = ag.jvp(objective, [arrays[n] for n in chosen], tangents)
    ends = []
    for step in (1e-6, -1e-6):
        moved = [arrays[n] + step * t for n, t in zip(chosen, tangents, strict=True)]
        ends.append(float(ag.function(of_numbers, jit_compile=False)(*moved)))
    expected = (ends[0] - ends[1]) / 2e-6
    np.testing.assert_allclose(float(change), expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(float(value), (ends[0] + ends[1]) / 2, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("jit_compile", [False, None], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, jit_compile: bool | None) -> None:
    f, *args = PROGRAMS[name]
    hold(f, args, jit_compile)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    hold(written(seed), [np.float64(0.6), np.array([0.3, 0.5, 0.45]), np.int32(3)])


def test_functions_of_one_number() -> None:
    names = [n for n in UNARY if hasattr(ag, n)]
    for name in names:
        hold(getattr(ag, name), [between(*UNARY[name], 2, 3)])


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str) -> None:
    hold(BINARY[name], [between(0.5, 2.0, 2, 3), between(0.5, 2.0, 3)])


COMPLEX = ["exp", "sin", "cos", "tanh", "log", "sqrt", "abs", "square", "sign", "reciprocal"]


def test_complex_functions() -> None:
    for name in COMPLEX:
        hold(getattr(ag, name), [complex_numbers(2, 3)])
    hold(lambda z, w: z * w / (z + 2.0 * w) + ag.math.conj(z) * w, [*complex_numbers(2, 3)])
    hold(
        lambda z: (ag.math.angle(z), ag.complex(ag.imag(z), ag.real(z)) ** 2), [complex_numbers(4)]
    )


def test_arrays() -> None:
    def every(v: Any, w: Any) -> Any:
        whole = ag.concat([v, ag.transpose(w)], 0)
        return [
            ag.matmul(v, w), ag.reduce_max(v, 1), ag.reduce_sum(whole, 0), whole[1:, ::2],
            ag.pad(v, [[1, 0], [0, 2]]), ag.reshape(v, [-1]), ag.reduce_prod(v, 0),
            ag.gather(v, [1, 0, 1], axis=1), ag.cumsum(v, 1), ag.einsum("ij,jk->ki", v, w),
            ag.stack([v[0], w[:, 1]]), ag.where(v > w[0, 0], v, v * v), ag.tile(v, [2, 1]),
        ]  # fmt: skip

    for jit_compile in (False, None):
        hold(every, [between(0.5, 1.5, 2, 3), between(0.5, 1.5, 3, 2)], jit_compile)


@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_a_matrix(name: str, kind: str) -> None:
    hold(FUNCTIONS[name], [SQUARE[kind]], tolerance=1e-4)


def test_factorizations_compiled() -> None:
    def every(a: Any) -> Any:
        return [FUNCTIONS[name](a) for name in ("slogdet", "cholesky", "eigh", "svd", "qr", "pinv")]

    for kind in ("real", "many complex"):
        hold(every, [SQUARE[kind]], jit_compile=None, tolerance=1e-4)


@pytest.mark.parametrize("name", ["svd", "svdvals", "qr", "pinv", "nuclear_norm"])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4), (2, 4, 2)], ids=str)
def test_rectangles(name: str, shape: tuple[int, ...]) -> None:
    hold(FUNCTIONS[name], [real(*shape)], tolerance=1e-4)
    hold(FUNCTIONS[name], [complexes(*shape)], tolerance=1e-4)


SHAPES = [((3, 3), (3, 2)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 1)), ((2, 1, 3, 3), (4, 3, 2))]


@pytest.mark.parametrize("make", [real, complexes])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_solutions(make: Any, shapes: Any) -> None:
    a, b = make(*shapes[0]) + 2 * np.eye(3), make(*shapes[1])
    hold(ag.linalg.solve, [a, b])
    for lower in (True, False):
        hold(lambda a, b, lower=lower: ag.linalg.triangular_solve(a, b, lower=lower), [a, b])


@pytest.mark.parametrize("make", [real, complexes])
@pytest.mark.parametrize(
    "shapes", [((4, 2), (4, 3)), ((2, 4), (2, 1)), ((3, 4, 2), (3, 4, 1)), ((4, 2), (3, 4, 1))],
    ids=str,
)  # fmt: skip
def test_least_squares(make: Any, shapes: Any) -> None:
    hold(ag.linalg.lstsq, [make(*shapes[0]), make(*shapes[1])])


def test_a_real_matrix_and_complex_sides() -> None:
    hold(
        lambda a, b: ag.linalg.solve(ag.cast(a, ag.complex128), b),
        [SQUARE["real"], complexes(3, 1)],
    )


def test_a_batch_of_one_that_the_run_time_broadcasts() -> None:
    def f(a: Any, b: Any) -> Any:
        return weighted(ag.linalg.solve(a, b)), weighted(ag.linalg.lstsq(a, b))

    a, b = real(1, 3, 3) + 2 * np.eye(3), real(4, 3, 2)
    known = ag.jvp(f, (a, b), (a * a, b))[1]
    kinds = [ag.TensorSpec([None, 3, 3], ag.float64), ag.TensorSpec([None, 3, 2], ag.float64)]
    open_ = ag.function(
        lambda a, b: ag.jvp(f, (a, b), (a * a, b))[1], input_signature=kinds, jit_compile=False
    )
    np.testing.assert_allclose(open_(a, b), known, rtol=1e-9)
    backwards = ag.function(
        ag.grad(lambda a, b: f(a, b)[1]), input_signature=kinds, jit_compile=False
    )
    np.testing.assert_allclose(backwards(a, b), ag.grad(lambda a, b: f(a, b)[1])(a, b), rtol=1e-9)


def test_factorizations_of_sizes_of_the_run_time() -> None:
    def f(a: Any, b: Any) -> Any:
        x = ag.linalg.solve(a, b)
        s = ag.linalg.svd(b, compute_uv=False)
        w, v = ag.linalg.eigh(a @ ag.transpose(a))
        return x, ag.linalg.det(a), ag.linalg.inv(a), s[0], w, ag.abs(v)

    a, b, n = real(3, 3) + 2 * np.eye(3), real(3, 2), ag.TensorSpec([None, None], ag.float64)
    known = ag.jvp(f, (a, b), (b @ b.T, 2.0 * b))
    open_ = ag.function(
        lambda a, b, s, t: ag.jvp(f, (a, b), (s, t)), input_signature=[n] * 4, jit_compile=False
    )
    found = open_(a, b, b @ b.T, 2.0 * b)
    for one, other in zip(ag.nest.flatten(found), ag.nest.flatten(known), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)


def test_factorizations_in_loops_and_branches() -> None:
    def f(a: Any, n: Any) -> Any:
        total = a
        for i in ag.range(n):
            if i % 2 == 0:
                total = ag.linalg.solve(total + 2.0 * np.eye(3), a)
            else:
                w, v = ag.linalg.eigh(total @ ag.transpose(total))
                total = total * ag.linalg.det(total) + v * w @ ag.transpose(v)
        return total

    for jit_compile in (False, None):
        hold(f, [SQUARE["real"], np.int32(4)], jit_compile, tolerance=1e-4)


TRANSFORMS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "rfft2", "irfft2", "fftn"]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_fourier_transforms(name: str) -> None:
    transform = getattr(ag.numpy.fft, name)
    given = real(3, 5) if "r" in name[:1] or name == "ihfft" else complexes(3, 5)
    if name in ("irfft", "irfft2", "hfft"):
        given = complexes(3, 5)
    for norm in ("backward", "ortho"):
        hold(lambda x, norm=norm: transform(x, norm=norm), [given])


def test_sorting() -> None:
    x = real(3, 4)
    for jit_compile in (False, None):
        hold(lambda v: (ag.sort(v), ag.sort(v, 0), v + np.sort(v, 1)), [x], jit_compile)
        hold(lambda v: ag.sort(v, direction="DESCENDING"), [x], jit_compile)


def test_a_gradient_of_the_users() -> None:
    """The way back that the user says is linear in the cotangents: forwards is its way back."""

    @ag.custom_gradient
    def cube(x: Any, y: Any) -> Any:
        def gradient(upstream: Any, other: Any) -> Any:
            return upstream * 3.0 * x**2 * y + other, upstream * x**3

        return (x**3 * y, x + 0.0), gradient

    def in_a_loop(x: Any, y: Any, n: Any) -> Any:
        while n > 0:
            first, second = cube(x, y)
            x, n = 0.1 * first + 0.5 * second, n - 1
        return x

    x, y = SQUARE["real"], real(3, 3)
    for jit_compile in (False, None):
        hold(cube, [x, y], jit_compile)
        hold(in_a_loop, [x, y, np.int32(3)], jit_compile)


def test_a_gradient_of_the_users_is_taken_at_its_word() -> None:
    @ag.custom_gradient
    def halves(z: Any) -> Any:
        return ag.exp(z), lambda upstream: upstream * 0.5

    z = complexes(3)
    _, change = ag.jvp(halves, (z,), (z,))
    np.testing.assert_allclose(change, z * 0.5)
    none = ag.custom_gradient(lambda x, y: (x * y, lambda upstream: (upstream * y, None)))
    _, change = ag.jvp(none, (2.0, 3.0), (1.0, 1.0))
    assert float(change) == 3.0


def test_recomputation() -> None:
    f = ag.recompute_grad(lambda x: ag.sin(x) * x)
    hold(f, [real(3)])


def test_functions_that_call_themselves() -> None:
    @ag.function
    def power(x: Any, n: Any) -> Any:
        if n <= 0:
            return ag.ones_like(x)
        return x * power(ag.sin(x) + x, n - 1)

    for jit_compile in (False, None):
        hold(power, [np.array([0.3, 0.4]), np.int32(4)], jit_compile)


@pytest.mark.parametrize("jit_compile", [False, None])
def test_conversions(jit_compile: bool | None) -> None:
    def f(x: Any) -> Any:
        half = ag.cast(ag.cast(x, ag.float16), ag.bfloat16)
        return [ag.cast(ag.cast(x, ag.float32) * 2.0, kind) * half for kind in (ag.complex128,)]

    x = np.array([0.5, 2.0])
    value, change = ag.jvp(ag.function(f, jit_compile=jit_compile), (x,), (x,))
    np.testing.assert_allclose(change[0], 4 * x * x, rtol=1e-2)
    assert change[0].dtype == value[0].dtype


def test_padding() -> None:
    def f(v: Any, c: Any) -> Any:
        return ag.pad(v, [[1, 0], [0, 2]], constant_values=c), ag.pad(
            v, [[1, 1], [0, 0]], "REFLECT"
        )

    hold(f, [real(2, 3), np.float64(0.5)])
    hold(lambda v: ag.pad(v, [[1, 0], [0, 2]], constant_values=2.0), [real(2, 3)], None)


def test_python_code_has_no_change() -> None:
    @ag.function
    def f(x: Any) -> Any:
        return ag.numpy_function(lambda v: v * 2.0, [x], ag.float64)

    with pytest.raises(ag.errors.NotDifferentiableError, match="Python code") as caught:
        ag.jvp(f, (np.ones(3),), (np.ones(3),))
    assert "numpy_function(lambda" in str(caught.value)


def test_every_operation_has_rules_for_both_ways() -> None:
    without = {
        # They say something about a tensor, or make one of nothing: there is no change.
        "tensor.dim", "tensor.empty", "tensor.rank",
    }  # fmt: skip
    assert set(RULES) - set(FORWARD) - set(WHOLE) == without
    assert not (set(FORWARD) | set(WHOLE)) - set(RULES)
    assert set(OPERATIONS) == set(CHANGES)


def test_operations_of_the_host_have_rules() -> None:
    text = {"text", "encode", "decode", "read_float"}  # nothing of what they give has a derivative
    found = {name for name in OPERATIONS if not name.startswith("scipy.")}  # which come by use
    computed = {name for name in hosts.COMPUTED if not name.startswith("scipy.")}
    assert computed - text == found


@pytest.mark.parametrize("name", ["counted", "dynamic", "assigns", "arrays", "converges"])
def test_forwards_over_backwards(name: str) -> None:
    """The product of second derivatives and a vector is the change of a gradient."""
    f, *args = PROGRAMS[name]
    chosen = numbers(args)
    assert chosen == [0]
    hold(ag.grad(lambda *a: weighted(f(*a))), args, tolerance=1e-4)


def test_a_loop_is_run_once() -> None:
    """Values and changes are computed in one loop, and nothing is saved."""
    f, *args = PROGRAMS["counted"]
    jvp = ag.function(lambda x, t, n: ag.jvp(lambda x: f(x, n), (x,), (t,)), jit_compile=False)
    text = jvp.get_concrete_function(args[0], args[0], args[1]).compilation.text("hlo")
    assert text.count("scf.for") == 1
    assert "tensor.empty" not in text
