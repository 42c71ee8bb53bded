"""Functions of ``scipy.special`` in decorated functions: SciPy's results, and their derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.gradients.rules.forward_host import CHANGES

special = pytest.importorskip("scipy.special")

EDGES = [-np.inf, -2.0, -0.5, -1e-300, -0.0, 0.0, 1e-300, 0.25, 1.0, 1.5, 3.0, 40.0, 1e300, np.inf]
UNARY = "gamma gammaln psi erfcx erfinv log_expit entr j1 i0e k1 ndtri exprel ellipk spence".split()
BINARY = "betaln gammainc xlogy kl_div jv kve zeta boxcox".split()
TERNARY = "betainc bdtr".split()


def _functions(names: list[str], count: int) -> list[Any]:
    found = [getattr(special, name, None) for name in names]
    return [f for f in found if isinstance(f, np.ufunc) and f.nin == count]


def _same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


def _points(dtype: str) -> Any:
    with np.errstate(over="ignore"):
        return np.array([*EDGES, np.nan]).astype(dtype)


def _all_same(found: Any, wanted: Any, functions: list[Any]) -> None:
    for one, other, function in zip(found, wanted, functions, strict=True):
        try:
            _same(one, other)
        except AssertionError as error:
            raise AssertionError(f"{function.__name__}: {error}") from None


@pytest.mark.filterwarnings("ignore")
def test_of_one_operand() -> None:
    functions = _functions(UNARY, 1)

    def every(x: Any) -> Any:
        return [function(x) for function in functions]

    run = ag.jit(every)
    for x in (_points("float64"), _points("float32"), np.arange(5), np.zeros((0, 2))):
        _all_same(run(x), every(x), functions)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("names", "count"), [(BINARY, 2), (TERNARY, 3)])
def test_of_several(names: list[str], count: int) -> None:
    functions = _functions(names, count)

    def every(*given: Any) -> Any:
        return [function(*given) for function in functions]

    run = ag.jit(every)
    points = [0.0, 0.3, 1.0, 2.5, 7.0, -1.5, np.inf, np.nan]
    for dtype in ("float64", "float32"):
        x = np.array(points).astype(dtype)
        given = [x.reshape((-1,) + (1,) * i) for i in range(count)]
        _all_same(run(*given), every(*given), functions)


@pytest.mark.filterwarnings("ignore")
def test_numbers() -> None:
    """The C functions that SciPy offers for Cython, for each number in a loop."""
    ones = _functions("gamma gammaln psi erf expit j0 ndtri".split(), 1)
    twos = _functions("beta xlogy jv kv gammainc zeta".split(), 2)

    def each(x: Any, y: float, n: int) -> Any:
        found = np.zeros((len(x), len(ones)))
        for i in range(len(x)):
            if i != 5:
                for k, function in enumerate(ones):
                    found[i, k] = function(x[i])
        return found, [function(y, n) for function in twos], special.gamma(n)

    x = _points("float64")
    found, wanted = ag.jit(each)(x, 0.4, 2), each(x, 0.4, 2)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-13)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-13)
    assert {type(one) for one in found[1]} == {np.float64}
    assert (found[2], type(found[2])) == (wanted[2], type(wanted[2]))


def test_two_results_and_complex_numbers() -> None:
    x = np.linspace(-3, 3, 7)
    for function in (special.airy, special.sici, special.fresnel):
        for found, wanted in zip(ag.jit(function)(x), function(x), strict=True):
            _same(found, wanted)
    z = x + 0.5j
    _same(
        ag.jit(lambda z: special.gamma(z) + special.wofz(z))(z), special.gamma(z) + special.wofz(z)
    )


def test_in_branches_of_eager_tensors_and_under_function() -> None:
    @ag.jit
    def run(x: Any, n: int) -> Any:
        if n > 2:
            x = special.gammaln(x)
        out = np.empty_like(x)
        special.erf(x, out=out)
        return out

    x = np.array([0.5, 2.0, 7.0])
    np.testing.assert_array_equal(run(x, 3), special.erf(special.gammaln(x)))
    np.testing.assert_array_equal(run(x, 1), special.erf(x))
    assert special.j0(ag.constant(x)).numpy().tolist() == special.j0(x).tolist()
    assert ag.function(lambda x: special.j0(x))(x).numpy().tolist() == special.j0(x).tolist()


def test_what_is_no_function_of_numbers_is_refused() -> None:
    sizes = np.frompyfunc(lambda x: str(x), 1, 1)
    with pytest.raises(TypeError, match="cannot be recorded"):
        ag.jit(lambda x: sizes(x))(np.ones(2))
    with pytest.raises(TypeError, match="not supported for the input types"):
        ag.jit(lambda x: special.ellipj(x, x))(np.ones(2) * 1j)


# Derivatives.

DIFFERENTIABLE: dict[str, tuple[float, ...]] = {
    "gamma": (2.3,), "gammaln": (2.3,), "loggamma": (2.3,), "rgamma": (2.3,), "psi": (2.3,),
    "zeta": (2.3, 1.7), "beta": (1.3, 2.1), "betaln": (1.3, 2.1), "binom": (5.3, 2.1),
    "gammainc": (1.3, 2.1), "gammaincc": (1.3, 2.1), "betainc": (1.3, 2.1, 0.3),
    "betaincc": (1.3, 2.1, 0.3), "erf": (0.4,), "erfc": (0.4,), "erfcx": (0.4,), "erfi": (0.4,),
    "dawsn": (0.4,), "erfinv": (0.4,), "erfcinv": (0.4,), "ndtr": (0.4,), "ndtri": (0.4,),
    "log_ndtr": (-3.0,), "expit": (0.4,), "logit": (0.4,), "log_expit": (0.4,), "xlogy": (1.3, 2.1),
    "xlog1py": (1.3, 2.1), "entr": (0.4,), "rel_entr": (1.3, 2.1), "kl_div": (1.3, 2.1),
    "j0": (1.3,), "j1": (1.3,), "jv": (1.0, 2.1), "y0": (1.3,), "y1": (1.3,), "yv": (1.0, 2.1),
    "i0": (1.3,), "i0e": (-1.3,), "i1": (1.3,), "i1e": (-1.3,), "iv": (1.0, 2.1), "k0": (1.3,),
    "k1": (1.3,), "kv": (1.0, 2.1), "cbrt": (1.3,), "exp2": (1.3,), "exp10": (1.3,),
    "expm1": (1.3,), "log1p": (1.3,), "cosm1": (1.3,), "expi": (1.3,), "exp1": (1.3,),
    "ellipk": (0.3,), "ellipe": (0.3,),
}  # fmt: skip
FURTHER: dict[str, tuple[float, ...]] = {
    "ive": (1.0, -2.1), "k0e": (1.3,), "k1e": (1.3,), "kve": (1.0, 2.1), "struve": (1.0, 2.1),
    "modstruve": (1.0, 2.1), "ber": (1.3,), "bei": (1.3,), "ker": (1.3,), "kei": (1.3,),
    "berp": (1.3,), "beip": (1.3,), "kerp": (1.3,), "keip": (1.3,), "ellipkm1": (0.3,),
    "ellipkinc": (0.8, 0.3), "ellipeinc": (0.8, 0.3), "spence": (0.3,), "exprel": (0.3,),
    "wrightomega": (0.3,), "poch": (2.3, 1.7), "hyp0f1": (1.3, 0.4), "hyp1f1": (1.3, 2.1, 0.4),
    "hyp2f1": (1.3, 2.1, 0.7, 0.4), "hyperu": (1.3, 2.1, 0.4), "gdtr": (1.3, 2.1, 0.7),
    "gdtrc": (1.3, 2.1, 0.7), "gammaincinv": (1.3, 0.4), "gammainccinv": (1.3, 0.4),
    "betaincinv": (1.3, 2.1, 0.3), "betainccinv": (1.3, 2.1, 0.3), "chdtr": (3.0, 2.1),
    "chdtrc": (3.0, 2.1), "chdtri": (3.0, 0.3), "pdtr": (2.0, 1.3), "pdtrc": (2.0, 1.3),
    "stdtr": (3.0, 0.7), "stdtrit": (3.0, 0.3), "fdtr": (3.0, 4.0, 1.3), "fdtrc": (3.0, 4.0, 1.3),
    "fdtri": (3.0, 4.0, 0.3), "owens_t": (0.7, 0.4), "boxcox": (1.3, 0.4), "boxcox1p": (1.3, 0.4),
    "inv_boxcox": (1.3, 0.4), "inv_boxcox1p": (1.3, 0.4), "huber": (0.7, -1.3),
    "pseudo_huber": (0.7, 1.3), "sindg": (40.0,), "cosdg": (40.0,), "tandg": (40.0,),
    "cotdg": (40.0,),
}  # fmt: skip
_LAST = """
    zeta gammainc gammaincc betainc betaincc jv yv iv kv ive kve struve modstruve hyp0f1 hyp1f1 hyp2f1
    hyperu gammaincinv gammainccinv betaincinv betainccinv chdtr chdtrc chdtri pdtr pdtrc stdtr stdtrit
    fdtr fdtrc fdtri
""".split()
KNOWN = {name: {len({**DIFFERENTIABLE, **FURTHER}[name]) - 1} for name in _LAST}
KNOWN |= {"gdtr": {0, 2}, "gdtrc": {0, 2}}


def test_every_derivative_is_tested() -> None:
    known = {name for name in CHANGES if name.startswith("scipy.special.")}
    assert {name.rpartition(".")[2].strip("_") for name in known} == {*DIFFERENTIABLE, *FURTHER}


LIMITS: list[tuple[Any, float, float]] = [
    (lambda p: special.boxcox(1.3, p), 0.0, np.log(1.3) ** 2 / 2),
    (lambda p: special.inv_boxcox(0.7, p), 0.0, -np.exp(0.7) * 0.7**2 / 2),
    (lambda m: special.ellipkinc(0.8, m), 0.0, (1.6 - np.sin(1.6)) / 8),
    (lambda m: special.ellipeinc(0.8, m), 0.0, (np.sin(1.6) - 1.6) / 8),
    (special.ellipkm1, 1.0, -np.pi / 8),
    (special.spence, 1.0, -1.0),
    (special.exprel, 0.0, 0.5),
    (lambda x: special.huber(0.7, x), 0.5, 0.5),
    (special.berp, 0.0, 0.0),
    (special.beip, 0.0, 0.5),
]


def test_derivatives_at_edges() -> None:
    given = [ag.constant(at, ag.float64) for _, at, _ in LIMITS]
    with ag.GradientTape() as tape:
        for each in given:
            tape.watch(each)
        functions = [function for function, _, _ in LIMITS]
        total = ag.jit(lambda *xs: sum(f(x) for f, x in zip(functions, xs, strict=True)))(*given)
    found = [float(each) for each in tape.gradient(total, given)]
    np.testing.assert_allclose(found, [slope for _, _, slope in LIMITS], rtol=1e-12)


def _slope(function: Any, point: tuple[float, ...], place: int) -> Any:
    step = 1e-6
    up, down = list(point), list(point)
    up[place] += step
    down[place] -= step
    return (function(*up) - function(*down)) / (2 * step)


@pytest.mark.parametrize(
    ("functions", "shape"), [(DIFFERENTIABLE, ()), (DIFFERENTIABLE, (2,)), (FURTHER, (2,))]
)
def test_derivatives(functions: dict[str, tuple[float, ...]], shape: tuple[int, ...]) -> None:
    """Each function has operands of its own, so that one gradient has all derivatives."""
    points = {name: np.array(point) for name, point in functions.items()}
    given = [ag.constant(np.full(shape, value)) for point in points.values() for value in point]
    known = [
        place in KNOWN.get(name, {0, 1, 2, 3})
        for name, point in points.items()
        for place in range(len(point))
    ]

    def total(*given: Any) -> Any:
        found, place = 0.0, 0
        for name, point in points.items():
            operands = given[place : place + len(point)]
            found = found + np.sum(getattr(special, name)(*operands))
            place += len(point)
        return found

    watched = [each for each, is_known in zip(given, known, strict=True) if is_known]
    with ag.GradientTape() as tape:
        for each in watched:
            tape.watch(each)
        result = ag.jit(total)(*given)
    wanted = [
        _slope(getattr(special, name), tuple(point), place)
        for name, point in points.items()
        for place in range(len(point))
        if place in KNOWN.get(name, {0, 1, 2, 3})
    ]
    slopes = tape.gradient(result, watched)
    for found, slope in zip(slopes, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(found), np.full(shape, slope), rtol=5e-6)
    # Forwards, along a direction of ones.
    places = [i for i, is_known in enumerate(known) if is_known]

    def along(*moving: Any) -> Any:
        every = list(given)
        for place, value in zip(places, moving, strict=True):
            every[place] = value
        return total(*every)

    ones = [np.ones(shape) for _ in watched]
    _, change = ag.jvp(along, tuple(watched), tuple(map(ag.constant, ones)))
    np.testing.assert_allclose(change, sum(np.asarray(each).sum() for each in slopes), rtol=1e-9)


def test_second_derivatives_and_repeated_operands() -> None:
    x, y = ag.constant(np.array([[0.5], [2.0]])), np.array([1.0, 2.0, 3.0])
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            value = ag.jit(lambda x, y: special.betaln(x, y).sum())(x, y)
        slope = inner.gradient(value, x)
    assert slope.shape == (2, 1)
    wanted = special.polygamma(1, x.numpy()) - special.polygamma(1, x.numpy() + y)
    np.testing.assert_allclose(outer.gradient(slope, x), wanted.sum(1, keepdims=True), rtol=1e-9)


def test_a_derivative_that_is_not_known_is_refused() -> None:
    order, x = np.array([1.0]), np.array([2.0])
    with ag.GradientTape() as tape:
        tape.watch(order)
        with pytest.raises(ag.errors.NotDifferentiableError, match="by this argument"):
            ag.jit(lambda v, x: special.jv(v, x))(order, x)
