"""Gradients of everything that a trace has recorded, without a tape."""

from __future__ import annotations

from typing import Any

from agir.ir.emission import broadcast, emit
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import filled_like, zeros_like
from agir.ir.state.variables import Variable
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


def whole_gradients(
    trace: Trace, ys: Any, xs: Any, seeds: Any, stopped: Any, unconnected: Any
) -> list[Any]:
    """The gradients of the sum of the ys, a list with one for each of the xs."""
    with trace.at_user_line():
        targets = [_tensor(trace, each) for each in structure.flatten(ys)[0]]
        sources = [_tensor(trace, each) for each in structure.flatten(xs)[0]]
        given = [None] * len(targets) if seeds is None else structure.flatten(seeds)[0]
        cotangents = [
            filled_like(trace, t.ssa, 1)
            if seed is None
            else broadcast.operand(trace, seed, t.dtype, t.dims)
            for t, seed in zip(targets, given, strict=True)
        ]
        constant = [_tensor(trace, each).ssa for each in structure.flatten(stopped or ())[0]]
        found = reverse.backward(
            trace, [t.ssa for t in targets], cotangents, [s.ssa for s in sources], set(constant)
        )
        zero = str(getattr(unconnected, "value", unconnected)).lower() == "zero"
        out = []
        for source, ssa in zip(sources, found, strict=True):
            if ssa is None and zero:
                ssa = zeros_like(trace, source.ssa)
            out.append(None if ssa is None else trace.make(ssa, source.dtype, source.dims))
        return out


def _tensor(trace: Trace, value: Any) -> SymbolicTensor:
    if isinstance(value, Variable):
        tensor: SymbolicTensor = value.read_value()
        return tensor
    return emit.lift(trace, trace.standing_in(value))
