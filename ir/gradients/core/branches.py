"""The derivative of `scf.if`: an `scf.if` on the same condition, with the sweep of each branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import shaped
from agir.ir.gradients.core.joint import Crossing, Joint
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing.trace import Trace


class _Branch:
    """One branch and its sweep."""

    def __init__(self, sweep: Sweep, block: Any, cotangents: list[Any], wanted: list[Any]) -> None:
        self.sweep, self.block = sweep, block
        self.joint = Joint(sweep)
        trace = sweep.trace
        with trace.inside(self.joint.scope):
            mapping: dict[Any, Any] = {}
            copies = self.joint.body(block, mapping)
            inner = sweep.inner(copies)
            inner.cotangents = {
                value: found for value in wanted if (found := sweep.cotangent(value)) is not None
            }
            before = dict(inner.cotangents)
            for value, cotangent in zip(graph.terminator(block).operands, cotangents, strict=True):
                if cotangent is not None:
                    inner.add(mapping.get(value, value), cotangent)
            inner.run(copies)
            self.found = {
                value: total
                for value in wanted
                if (total := inner.cotangent(value)) is not None and total is not before.get(value)
            }
            self.masked = [value for value in wanted if value in inner.masked]
        self.yielded = [mapping.get(v, v) for v in graph.terminator(block).operands]
        self.yielded = [trace.replacement(v) for v in self.yielded]
        leaving = self.joint.cut(list(self.found.values()))
        self.found = dict(zip(self.found, leaving, strict=True))
        self.crossing: Crossing = self.joint.crossing(leaving)

    def forward(self, before: Sequence[Any], after: Sequence[Any]) -> Scope:
        """Record the branch, which yields its saved values between dummies for those of others."""
        trace = self.sweep.trace
        with trace.inside(Scope(trace.scope)) as scope:
            mapping: dict[Any, Any] = {}
            for operation in self.joint.first:
                graph.copy(trace, operation, mapping)
            own = [mapping.get(v, v) for v in (*self.yielded, *self.crossing.saved)]
            count = len(self.yielded)
            dummies = [[_anything(trace, v.type) for v in each] for each in (before, after)]
            trace.create("scf.yield", (), [*own[:count], *dummies[0], *own[count:], *dummies[1]])
        return scope

    def backward(self, wanted: Sequence[Any], saved: Sequence[Any]) -> Scope:
        """Record the sweep, which yields the cotangents of the wanted values."""
        trace = self.sweep.trace
        with trace.inside(Scope(trace.scope)) as scope:
            mapping = dict(zip(self.crossing.saved, saved, strict=True))
            self.crossing.restore(trace, mapping)
            for operation in self.joint.second:
                graph.copy(trace, operation, mapping)
            totals = []
            for value in wanted:
                total = self.found.get(value)
                if total is None:
                    total = self.sweep.accumulated(value)
                totals.append(mapping.get(total, total))
            trace.create("scf.yield", (), totals)
        return scope


def _anything(trace: Trace, kind: Any) -> Any:
    """A value of the type that nobody will look at."""
    tensor = shaped(kind)
    if tensor is not None:
        sizes = [trace.index(0) for a in range(tensor.rank) if tensor.is_dynamic_dim(a)]
        return trace.op("tensor.empty", kind, *sizes)
    return nothing_of(trace, kind)


def nothing_of(trace: Trace, kind: Any) -> Any:
    """Zero of a scalar type."""
    from agir.ir.gradients.core.expressions import dtype_of

    dtype = dtype_of(kind)
    return trace.index(0) if dtype is None else trace.constant(dtype, 0)


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.if``."""
    trace = sweep.trace
    used = dict.fromkeys(sweep.resolve(value) for value in graph.captured(operation))
    wanted = [value for value in used if sweep.wants(value)]
    blocks = operation.blocks
    branches = [_Branch(sweep, block, cotangents, wanted) for block in blocks]
    touched = [v for v in wanted if any(v in branch.found for branch in branches)]
    saved = [branch.crossing.saved for branch in branches]
    results: list[Any] = []
    if any(saved):
        with sweep.before(operation):
            scopes = [branches[0].forward([], saved[1]), branches[1].forward(saved[0], [])]
            kinds = [r.type for r in operation.results]
            kinds += [v.type for each in saved for v in each]
            condition = sweep.resolve(operation.operands[0])
            made = close(trace, "scf.if", kinds, [condition], scopes)
        count = len(operation.results)
        results = list(made.results)[count:]
        trace.supersede(operation, made.results[:count])
    if touched:
        parts = [results[: len(saved[0])], results[len(saved[0]) :]]
        scopes = [b.backward(touched, part) for b, part in zip(branches, parts, strict=True)]
        condition = sweep.resolve(operation.operands[0])
        made = close(trace, "scf.if", [v.type for v in touched], [condition], scopes)
        for value, total in zip(touched, made.results, strict=True):
            sweep.cotangents[value] = total
            if any(value in branch.masked for branch in branches):
                sweep.masked.add(value)


def close(
    trace: Trace, name: str, kinds: Sequence[Any], operands: Sequence[Any], scopes: Sequence[Scope]
) -> Any:
    """The operation with these regions."""
    return trace.create(name, kinds, operands, blocks=[scope.block for scope in scopes])
