"""The forward sweep: ``jvp`` beside differences, over the programs of the way back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.gradients import reverse

from .checks import weighted
from .test_control_flow import PROGRAMS
from .test_linear_algebra import FUNCTIONS, SQUARE
from .test_random_programs import written
from .test_rules import BINARY, UNARY, between, complex_numbers


@pytest.fixture
def forwards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without a rule forwards is an error, not a reason to go back twice."""
    plain = reverse.forward

    def forward(*args: Any) -> Any:
        found = plain(*args)
        assert found is not None, "there is no rule forwards"
        return found

    monkeypatch.setattr(reverse, "forward", forward)


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


@pytest.mark.usefixtures("forwards_only")
@pytest.mark.parametrize("jit_compile", [False, None], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, jit_compile: bool | None) -> None:
    f, *args = PROGRAMS[name]
    hold(f, args, jit_compile)


@pytest.mark.usefixtures("forwards_only")
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    hold(written(seed), [np.float64(0.6), np.array([0.3, 0.5, 0.45]), np.int32(3)])


@pytest.mark.usefixtures("forwards_only")
def test_functions_of_one_number() -> None:
    names = [n for n in UNARY if hasattr(ag, n)]
    for name in names:
        hold(getattr(ag, name), [between(*UNARY[name], 2, 3)])


@pytest.mark.usefixtures("forwards_only")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str) -> None:
    hold(BINARY[name], [between(0.5, 2.0, 2, 3), between(0.5, 2.0, 3)])


COMPLEX = ["exp", "sin", "cos", "tanh", "log", "sqrt", "abs", "square", "sign", "reciprocal"]


@pytest.mark.usefixtures("forwards_only")
def test_complex_functions() -> None:
    for name in COMPLEX:
        hold(getattr(ag, name), [complex_numbers(2, 3)])
    hold(lambda z, w: z * w / (z + 2.0 * w) + ag.math.conj(z) * w, [*complex_numbers(2, 3)])
    hold(
        lambda z: (ag.math.angle(z), ag.complex(ag.imag(z), ag.real(z)) ** 2), [complex_numbers(4)]
    )


@pytest.mark.usefixtures("forwards_only")
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


@pytest.mark.parametrize("name", ["det", "solve", "eigh", "sort", "custom"])
def test_what_has_a_rule_for_the_way_back_only(name: str) -> None:
    @ag.custom_gradient
    def cube(x: Any) -> Any:
        return x**3, lambda upstream: upstream * 3.0 * x**2

    functions = {
        **FUNCTIONS,
        "solve": lambda a: ag.linalg.solve(a, a * a),
        "sort": ag.sort,
        "custom": cube,
    }
    hold(functions[name], [SQUARE["real"]], tolerance=1e-4)


@pytest.mark.parametrize("name", ["counted", "dynamic", "assigns", "arrays", "converges"])
def test_forwards_over_backwards(name: str) -> None:
    """The product of second derivatives and a vector is the change of a gradient."""
    f, *args = PROGRAMS[name]
    chosen = numbers(args)
    assert chosen == [0]
    hold(ag.grad(lambda *a: weighted(f(*a))), args, tolerance=1e-4)


@pytest.mark.usefixtures("forwards_only")
def test_a_loop_is_run_once() -> None:
    """Values and changes are computed in one loop, and nothing is saved."""
    f, *args = PROGRAMS["counted"]
    jvp = ag.function(lambda x, t, n: ag.jvp(lambda x: f(x, n), (x,), (t,)), jit_compile=False)
    text = jvp.get_concrete_function(args[0], args[0], args[1]).compilation.text("hlo")
    assert text.count("scf.for") == 1
    assert "tensor.empty" not in text
