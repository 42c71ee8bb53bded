"""Derivatives of Fourier transforms: they are linear, so each has the adjoint transform."""

from __future__ import annotations

from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import DType
from agir.ir.gradients.core.expressions import Expression, shaped
from agir.ir.gradients.core.matrices import elementwise, fitted
from agir.ir.gradients.rules.host import OPERATIONS, Site

E = Expression

_SWAPPED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _complex(dtype: DType) -> Any:
    from agir.ir.ops.linalg.lapack_types import complex_of

    return complex_of(dtype)


class _Transform:
    """One call: its axis, how it scales, and how many points it has."""

    def __init__(self, s: Site) -> None:
        self._site = s
        self.axis: int = int(s.options["axis"])
        self.norm: str = s.options["norm"]
        self.points: int | None = s.options.get("n")
        self.like = s.operands[0]

    def run(self, name: str, value: E, norm: str) -> E:
        """A whole transform of complex numbers."""
        s = self._site
        return s.host(f"fourier_{name}", 0, value.ssa.type, value, axis=self.axis, norm=norm)

    def fit(self, value: E) -> E:
        """As many elements as the operand has: what was filled in is cut, what was cut is zero."""
        return fitted(value, self.axis, self.like)

    def back_from_half(self, g: E, norm: str) -> E:
        """The adjoint of the transform of real numbers to the first half."""
        whole = fitted(g, self.axis, self.like, self.points)
        return self.fit(self.run("ifft", whole, _SWAPPED[norm]).re)

    def back_to_half(self, g: E, norm: str) -> E:
        """The adjoint of the transform of the first half to real numbers."""
        s, axis, trace = self._site, self.axis, g.trace
        shape = list(shaped(g.ssa.type).shape)
        points = self.points
        assert points is not None, "it is said for a transform to real numbers"
        shape[axis] = points // 2 + 1
        kind = bindings.ir.RankedTensorType.get(shape, _complex(g.dtype).mlir())
        half = s.host("fourier_rfft", 0, kind, g, axis=axis, norm=_SWAPPED[norm])
        last = trace.index(points // 2) if points % 2 == 0 else trace.index(-1)

        def element(indices: Any, v: E) -> E:
            first = trace.compare("eq", indices[axis], trace.index(0))
            middle = trace.compare("eq", indices[axis], last)
            once = E(trace, trace.op("arith.ori", first.type, first, middle))
            return once.choose(v, v + v)

        return self.fit(elementwise(half, element))


def _fft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.fit(t.run("ifft", g, _SWAPPED[t.norm]))]


def _ifft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.fit(t.run("fft", g, _SWAPPED[t.norm]))]


def _rfft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.back_from_half(g, t.norm)]


def _irfft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.back_to_half(g, t.norm)]


def _hfft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.back_to_half(g, _SWAPPED[t.norm]).conj()]


def _ihfft(s: Site, number: int, g: E) -> list[E]:
    t = _Transform(s)
    return [t.back_from_half(g.conj(), _SWAPPED[t.norm])]


for _name, _made in (
    *(("fft", _fft), ("ifft", _ifft), ("rfft", _rfft)),
    *(("irfft", _irfft), ("hfft", _hfft), ("ihfft", _ihfft)),
):
    OPERATIONS[f"fourier_{_name}"] = _made
