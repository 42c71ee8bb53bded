"""Changes of what the host computes, by the name of the operation.

The host gives each result of a call once, and a change may need several, so the changes of results
that are fetched in a row are computed behind the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.gradients.core import hosted
from agir.ir.gradients.core.dual import FORWARD, Dual
from agir.ir.gradients.core.expressions import Expression, carries
from agir.ir.gradients.core.matrices import in_dtype
from agir.ir.gradients.core.sweep import refuse
from agir.ir.gradients.rules.host import Site, is_python, is_scalar

E = Expression


class Moving(Site):
    """A call of an operation whose operands change."""

    def __init__(self, dual: Dual, operation: Any, call: hosted.Call) -> None:
        super().__init__(dual.trace, operation, call, dual.value)
        self._dual = dual
        self._shared: dict[str, Any] = {}

    def change(self, number: int) -> E:
        """The change of an operand, zero for none."""
        found = E(self.trace, self._dual.change(self.operands[number]))
        return in_dtype(found, self.dtype)

    def moves(self, number: int) -> bool:
        """Whether an operand changes."""
        return self._dual.moves([self.operands[number]])

    def once(self, name: str, build: Callable[[], Any]) -> Any:
        """What the changes of several results have in common."""
        if name not in self._shared:
            self._shared[name] = build()
        return self._shared[name]


CHANGES: dict[str, Callable[[Moving, int], E | None]] = {}
"""``(site, number)``: the change of a result."""


def _changes(dual: Dual, operation: Any, results: list[Any]) -> list[Any]:
    operands = [dual.value(value) for value in operation.operands]
    call = hosted.call_of(dual.trace, operation, operands)
    if call is None and not any(map(carries, results)):
        return [None] * len(results)
    if call is None:
        raise is_python(hosted.source_of(dual.trace, operation, operands) or operation)
    rule = CHANGES.get(call.name)
    if rule is None and not any(map(carries, results)):
        return [None] * len(results)
    if rule is None:
        raise refuse(operation, "agir knows no rule for it", f"{call.name}()")
    *_, last = call.fetches.values()
    if operation != last:
        return [None]
    site = Moving(dual, operation, call)
    for number, fetch in call.fetches.items():
        result = dual.value(fetch.results[0])
        change = rule(site, number) if carries(result) else None
        if change is not None:
            dual.note([result], [_fitted(dual, fetch, result, change)])
    return [dual.tangent(result) for result in results]


FORWARD["func.call"] = _changes


def _fitted(dual: Dual, fetch: Any, result: Any, change: E) -> Any:
    """The change in the type of the result; that of a number as an array of one element."""
    trace = dual.trace
    found = in_dtype(change, E(trace, result).dtype).ssa
    if is_scalar(trace, fetch):
        return trace.op("tensor.from_elements", result.type, found)
    return found if found.type == result.type else trace.op("tensor.cast", result.type, found)


# Fourier transforms are linear.


def _transformed(s: Moving, number: int) -> E:
    return s.host(s.name, number, s.result(number).ssa.type, s.change(0), **s.options)


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    CHANGES[f"fourier_{_name}"] = _transformed
