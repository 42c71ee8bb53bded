"""Derivatives of the functions of ``scipy.special`` that a program calls."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from math import log as known_log
from math import pi, sqrt
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import float32
from agir.ir.gradients.core.expressions import Expression, shaped
from agir.ir.gradients.core.matrices import in_dtype
from agir.ir.gradients.rules import special_distributions
from agir.ir.gradients.rules.forward_host import CHANGES, Moving
from agir.ir.gradients.rules.host import NO_FORMULA, OPERATIONS, UNKNOWN, Site
from agir.ir.gradients.rules.special_distributions import (
    at_zero,
    bell,
    density_of_beta,
    density_of_gamma,
    exp,
    log,
    log1p,
    sign,
)
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


def _beta(f: Any, a: E, b: E) -> list[E]:
    both = f.psi(a + b)
    return [f.psi(a) - both, f.psi(b) - both]


def _binom(f: Any, r: E, n: E, k: E) -> list[E]:
    rest = f.psi(n - k + 1.0)
    return [r * (f.psi(n + 1.0) - rest), r * (rest - f.psi(k + 1.0))]


def _first_kind(f: Any, r: E, angle: E, m: E) -> list[E]:
    sine = angle.function("math.sin")
    root = (1.0 - m * sine * sine).function("math.sqrt")
    double = (angle * 2.0).function("math.sin")
    rest = 1.0 - m
    slope = f.ellipeinc(angle, m) / (2.0 * m * rest) - r / (2.0 * m) - double / (4.0 * rest * root)
    return [1.0 / root, at_zero(m, (angle * 2.0 - double) * 0.125, slope)]


def _second_kind(f: Any, r: E, angle: E, m: E) -> list[E]:
    sine = angle.function("math.sin")
    there = (angle * 2.0 - (angle * 2.0).function("math.sin")) * -0.125
    slope = (r - f.ellipkinc(angle, m)) / (2.0 * m)
    return [(1.0 - m * sine * sine).function("math.sqrt"), at_zero(m, there, slope)]


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
    "gammainc": lambda f, r, a, x: [UNKNOWN, density_of_gamma(f, a, x)],
    "gammaincc": lambda f, r, a, x: [UNKNOWN, -density_of_gamma(f, a, x)],
    "betainc": lambda f, r, a, b, x: [UNKNOWN, UNKNOWN, density_of_beta(f, a, b, x)],
    "betaincc": lambda f, r, a, b, x: [UNKNOWN, UNKNOWN, -density_of_beta(f, a, b, x)],
    "erf": lambda f, r, x: [exp(-(x * x)) * (2 / _ROOT)],
    "erfc": lambda f, r, x: [exp(-(x * x)) * (-2 / _ROOT)],
    "erfcx": lambda f, r, x: [2.0 * x * r - 2 / _ROOT],
    "erfi": lambda f, r, x: [exp(x * x) * (2 / _ROOT)],
    "dawsn": lambda f, r, x: [1.0 - 2.0 * x * r],
    "erfinv": lambda f, r, x: [exp(r * r) * (_ROOT / 2)],
    "erfcinv": lambda f, r, x: [exp(r * r) * (-_ROOT / 2)],
    "ndtr": lambda f, r, x: [bell(x)],
    "ndtri": lambda f, r, x: [1.0 / bell(r)],
    "log_ndtr": lambda f, r, x: [exp(x * x * -0.5 - r) * (1 / sqrt(2 * pi))],
    "expit": lambda f, r, x: [r * f.expit(-x)],
    "logit": lambda f, r, x: [1.0 / (x * (1.0 - x))],
    "log_expit": lambda f, r, x: [f.expit(-x)],
    "xlogy": lambda f, r, x, y: [log(y), x / y],
    "xlog1py": lambda f, r, x, y: [log1p(y), x / (1.0 + y)],
    "entr": lambda f, r, x: [-(log(x) + 1.0)],
    "rel_entr": lambda f, r, x, y: [log(x / y) + 1.0, -(x / y)],
    "kl_div": lambda f, r, x, y: [log(x / y), 1.0 - x / y],
    "j0": lambda f, r, x: [-f.j1(x)],
    "j1": lambda f, r, x: [(f.j0(x) - f.jv(2.0, x)) * 0.5],
    "jv": lambda f, r, v, x: [UNKNOWN, (f.jv(v - 1.0, x) - f.jv(v + 1.0, x)) * 0.5],
    "y0": lambda f, r, x: [-f.y1(x)],
    "y1": lambda f, r, x: [(f.y0(x) - f.yv(2.0, x)) * 0.5],
    "yv": lambda f, r, v, x: [UNKNOWN, (f.yv(v - 1.0, x) - f.yv(v + 1.0, x)) * 0.5],
    "i0": lambda f, r, x: [f.i1(x)],
    "i0e": lambda f, r, x: [f.i1e(x) - sign(x) * r],
    "i1": lambda f, r, x: [(f.i0(x) + f.iv(2.0, x)) * 0.5],
    "i1e": lambda f, r, x: [(f.i0e(x) + f.ive(2.0, x)) * 0.5 - sign(x) * r],
    "iv": lambda f, r, v, x: [UNKNOWN, (f.iv(v - 1.0, x) + f.iv(v + 1.0, x)) * 0.5],
    "k0": lambda f, r, x: [-f.k1(x)],
    "k1": lambda f, r, x: [(f.k0(x) + f.kv(2.0, x)) * -0.5],
    "kv": lambda f, r, v, x: [UNKNOWN, (f.kv(v - 1.0, x) + f.kv(v + 1.0, x)) * -0.5],
    "cbrt": lambda f, r, x: [1.0 / (3.0 * r * r)],
    "exp2": lambda f, r, x: [r * known_log(2)],
    "exp10": lambda f, r, x: [r * known_log(10)],
    "expm1": lambda f, r, x: [r + 1.0],
    "log1p": lambda f, r, x: [1.0 / (1.0 + x)],
    "cosm1": lambda f, r, x: [-x.function("math.sin")],
    "expi": lambda f, r, x: [exp(x) / x],
    "exp1": lambda f, r, x: [-(exp(-x) / x)],
    "ellipk": lambda f, r, m: [at_zero(m, pi / 8, (f.ellipe(m) / (1.0 - m) - r) / (2.0 * m))],
    "ellipe": lambda f, r, m: [at_zero(m, -pi / 8, (r - f.ellipk(m)) / (2.0 * m))],
    "ive": lambda f, r, v, x: [
        UNKNOWN, (f.ive(v - 1.0, x) + f.ive(v + 1.0, x)) * 0.5 - sign(x) * r,
    ],
    "k0e": lambda f, r, x: [r - f.k1e(x)],
    "k1e": lambda f, r, x: [r - (f.k0e(x) + f.kve(2.0, x)) * 0.5],
    "kve": lambda f, r, v, x: [UNKNOWN, r - (f.kve(v - 1.0, x) + f.kve(v + 1.0, x)) * 0.5],
    "struve": lambda f, r, v, x: [UNKNOWN, f.struve(v - 1.0, x) - v / x * r],
    "modstruve": lambda f, r, v, x: [UNKNOWN, f.modstruve(v - 1.0, x) - v / x * r],
    "ber": lambda f, r, x: [f.berp(x)],
    "bei": lambda f, r, x: [f.beip(x)],
    "ker": lambda f, r, x: [f.kerp(x)],
    "kei": lambda f, r, x: [f.keip(x)],
    "berp": lambda f, r, x: [-f.bei(x) - at_zero(x, 0.0, r / x)],
    "beip": lambda f, r, x: [f.ber(x) - at_zero(x, 0.5, r / x)],
    "kerp": lambda f, r, x: [-f.kei(x) - r / x],
    "keip": lambda f, r, x: [f.ker(x) - r / x],
    "ellipkm1": lambda f, r, p: [
        at_zero(1.0 - p, -pi / 8, (f.ellipe(1.0 - p) / p - r) / (2.0 * (p - 1.0))),
    ],
    "ellipkinc": _first_kind,
    "ellipeinc": _second_kind,
    "spence": lambda f, r, x: [at_zero(1.0 - x, -1.0, log(x) / (1.0 - x))],
    "exprel": lambda f, r, x: [f.hyp1f1(2.0, 3.0, x) * 0.5],
    "wrightomega": lambda f, r, x: [r / (1.0 + r)],
    "poch": lambda f, r, z, m: [r * (f.psi(z + m) - f.psi(z)), r * f.psi(z + m)],
    "hyp0f1": lambda f, r, v, x: [UNKNOWN, f.hyp0f1(v + 1.0, x) / v],
    "hyp1f1": lambda f, r, a, b, x: [
        UNKNOWN, UNKNOWN, a / b * f.hyp1f1(a + 1.0, b + 1.0, x),
    ],
    "hyp2f1": lambda f, r, a, b, c, x: [
        UNKNOWN, UNKNOWN, UNKNOWN, a * b / c * f.hyp2f1(a + 1.0, b + 1.0, c + 1.0, x),
    ],
    "hyperu": lambda f, r, a, b, x: [UNKNOWN, UNKNOWN, -(a * f.hyperu(a + 1.0, b + 1.0, x))],
    **special_distributions.PARTIALS,
}  # fmt: skip


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
