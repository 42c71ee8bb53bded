"""Derivatives of the functions of ``scipy.special`` that a program calls."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from math import log, pi, sqrt
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import float32
from agir.ir.gradients.core.expressions import Expression, shaped
from agir.ir.gradients.core.matrices import in_dtype
from agir.ir.gradients.rules.forward_host import CHANGES, Moving
from agir.ir.gradients.rules.host import NO_FORMULA, OPERATIONS, UNKNOWN, Site
from agir.ir.ops.calls import foreign_ufuncs

E = Expression
_ROOT = sqrt(pi)
_LIBRARY = "scipy.special"


class Functions:
    """The functions of the library, on values of the sweep: ``f.psi(x)``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def __getattr__(self, name: str) -> Callable[..., E]:
        function = pkgutil.resolve_name(f"{_LIBRARY}._ufuncs:{name}")
        operation = foreign_ufuncs.operation(function)

        def call(*given: Any) -> E:
            like = next(each for each in given if isinstance(each, E))
            operands = [each if isinstance(each, E) else like.like(each) for each in given]
            return self._computed(operation.name, operands)

        return call

    def _computed(self, name: str, operands: Sequence[E]) -> E:
        site = self._site
        letter = "f" if site.dtype == float32 else "d"
        loop = f"{letter * len(operands)}->{letter}"
        if shaped(operands[0].ssa.type) is not None:
            return site.host(name, 0, operands[0].ssa.type, *operands, loop=loop)
        kind = bindings.ir.RankedTensorType.get([1], operands[0].ssa.type)
        wide = [E(e.trace, e.trace.op("tensor.from_elements", kind, e.ssa)) for e in operands]
        found = site.host(name, 0, kind, *wide, loop=loop)
        trace = site.trace
        return E(trace, trace.op("tensor.extract", found.element, found.ssa, trace.index(0)))


def _exp(x: E) -> E:
    return x.function("math.exp")


def _log(x: E) -> E:
    return x.function("math.log")


def _log1p(x: E) -> E:
    return x.function("math.log1p")


def _bell(x: E) -> E:
    return _exp(x * x * -0.5) * (1 / sqrt(2 * pi))


def _sign(x: E) -> E:
    return x.equals(0).choose(0, x.like(1).function("math.copysign", x))


def _beta(f: Any, a: E, b: E) -> list[E]:
    both = f.psi(a + b)
    return [f.psi(a) - both, f.psi(b) - both]


def _binom(f: Any, r: E, n: E, k: E) -> list[E]:
    rest = f.psi(n - k + 1.0)
    return [r * (f.psi(n + 1.0) - rest), r * (rest - f.psi(k + 1.0))]


def _density_of_gamma(f: Any, a: E, x: E) -> E:
    return _exp((a - 1.0) * _log(x) - x - f.gammaln(a))


def _density_of_beta(f: Any, a: E, b: E, x: E) -> E:
    return _exp((a - 1.0) * _log(x) + (b - 1.0) * _log1p(-x) - f.betaln(a, b))


def _at_zero(m: E, there: float, elsewhere: E) -> E:
    return m.equals(0).choose(there, elsewhere)


_PARTIALS: dict[str, Callable[..., Sequence[Any]]] = {
    # of (the functions, the result, the operands): the derivatives by the operands
    "gamma": lambda f, r, x: [r * f.psi(x)],
    "gammaln": lambda f, r, x: [f.psi(x)],
    "loggamma": lambda f, r, x: [f.psi(x)],
    "rgamma": lambda f, r, x: [-(r * f.psi(x))],
    "psi": lambda f, r, x: [f._zeta(2.0, x)],
    "_zeta": lambda f, r, s, q: [UNKNOWN, -(s * f._zeta(s + 1.0, q))],
    "beta": lambda f, r, a, b: [r * each for each in _beta(f, a, b)],
    "betaln": lambda f, r, a, b: _beta(f, a, b),
    "binom": _binom,
    "gammainc": lambda f, r, a, x: [UNKNOWN, _density_of_gamma(f, a, x)],
    "gammaincc": lambda f, r, a, x: [UNKNOWN, -_density_of_gamma(f, a, x)],
    "betainc": lambda f, r, a, b, x: [UNKNOWN, UNKNOWN, _density_of_beta(f, a, b, x)],
    "betaincc": lambda f, r, a, b, x: [UNKNOWN, UNKNOWN, -_density_of_beta(f, a, b, x)],
    "erf": lambda f, r, x: [_exp(-(x * x)) * (2 / _ROOT)],
    "erfc": lambda f, r, x: [_exp(-(x * x)) * (-2 / _ROOT)],
    "erfcx": lambda f, r, x: [2.0 * x * r - 2 / _ROOT],
    "erfi": lambda f, r, x: [_exp(x * x) * (2 / _ROOT)],
    "dawsn": lambda f, r, x: [1.0 - 2.0 * x * r],
    "erfinv": lambda f, r, x: [_exp(r * r) * (_ROOT / 2)],
    "erfcinv": lambda f, r, x: [_exp(r * r) * (-_ROOT / 2)],
    "ndtr": lambda f, r, x: [_bell(x)],
    "ndtri": lambda f, r, x: [1.0 / _bell(r)],
    "log_ndtr": lambda f, r, x: [_exp(x * x * -0.5 - r) * (1 / sqrt(2 * pi))],
    "expit": lambda f, r, x: [r * f.expit(-x)],
    "logit": lambda f, r, x: [1.0 / (x * (1.0 - x))],
    "log_expit": lambda f, r, x: [f.expit(-x)],
    "xlogy": lambda f, r, x, y: [_log(y), x / y],
    "xlog1py": lambda f, r, x, y: [_log1p(y), x / (1.0 + y)],
    "entr": lambda f, r, x: [-(_log(x) + 1.0)],
    "rel_entr": lambda f, r, x, y: [_log(x / y) + 1.0, -(x / y)],
    "kl_div": lambda f, r, x, y: [_log(x / y), 1.0 - x / y],
    "j0": lambda f, r, x: [-f.j1(x)],
    "j1": lambda f, r, x: [(f.j0(x) - f.jv(2.0, x)) * 0.5],
    "jv": lambda f, r, v, x: [UNKNOWN, (f.jv(v - 1.0, x) - f.jv(v + 1.0, x)) * 0.5],
    "y0": lambda f, r, x: [-f.y1(x)],
    "y1": lambda f, r, x: [(f.y0(x) - f.yv(2.0, x)) * 0.5],
    "yv": lambda f, r, v, x: [UNKNOWN, (f.yv(v - 1.0, x) - f.yv(v + 1.0, x)) * 0.5],
    "i0": lambda f, r, x: [f.i1(x)],
    "i0e": lambda f, r, x: [f.i1e(x) - _sign(x) * r],
    "i1": lambda f, r, x: [(f.i0(x) + f.iv(2.0, x)) * 0.5],
    "i1e": lambda f, r, x: [(f.i0e(x) + f.ive(2.0, x)) * 0.5 - _sign(x) * r],
    "iv": lambda f, r, v, x: [UNKNOWN, (f.iv(v - 1.0, x) + f.iv(v + 1.0, x)) * 0.5],
    "k0": lambda f, r, x: [-f.k1(x)],
    "k1": lambda f, r, x: [(f.k0(x) + f.kv(2.0, x)) * -0.5],
    "kv": lambda f, r, v, x: [UNKNOWN, (f.kv(v - 1.0, x) + f.kv(v + 1.0, x)) * -0.5],
    "cbrt": lambda f, r, x: [1.0 / (3.0 * r * r)],
    "exp2": lambda f, r, x: [r * log(2)],
    "exp10": lambda f, r, x: [r * log(10)],
    "expm1": lambda f, r, x: [r + 1.0],
    "log1p": lambda f, r, x: [1.0 / (1.0 + x)],
    "cosm1": lambda f, r, x: [-x.function("math.sin")],
    "expi": lambda f, r, x: [_exp(x) / x],
    "exp1": lambda f, r, x: [-(_exp(-x) / x)],
    "ellipk": lambda f, r, m: [_at_zero(m, pi / 8, (f.ellipe(m) / (1.0 - m) - r) / (2.0 * m))],
    "ellipe": lambda f, r, m: [_at_zero(m, -pi / 8, (r - f.ellipk(m)) / (2.0 * m))],
}


def _partials(s: Site, name: str) -> list[Any]:
    """The derivatives by the operands of the function."""
    if s.dtype.is_complex:
        raise s.refuse("its derivative is known for real numbers only")
    operands = [s.input(i) for i in range(foreign_ufuncs.operands(s.name))]
    return list(_PARTIALS[name](Functions(s), in_dtype(s.result(0), s.dtype), *operands))


def _backward(name: str) -> Callable[[Site, int, E], Sequence[Any]]:
    def rule(s: Site, number: int, g: E) -> Sequence[Any]:
        cotangent = in_dtype(g, s.dtype)
        found = [p if p is UNKNOWN else cotangent * p for p in _partials(s, name)]
        return [*found, *(None,) * (len(s.operands) - len(found))]

    return rule


def _forward(name: str) -> Callable[[Moving, int], E | None]:
    def rule(s: Moving, number: int) -> E | None:
        parts = []
        for place, partial in enumerate(_partials(s, name)):
            if s.moves(place):
                if partial is UNKNOWN:
                    raise s.refuse(NO_FORMULA)
                parts.append(s.change(place) * partial)
        return sum(parts[1:], parts[0]) if parts else None

    return rule


OPERATIONS.update({f"{_LIBRARY}.{name}": _backward(name) for name in _PARTIALS})
CHANGES.update({f"{_LIBRARY}.{name}": _forward(name) for name in _PARTIALS})
