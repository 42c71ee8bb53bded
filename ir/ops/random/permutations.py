"""Random permutations, by the method of Fisher and Yates."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import TensorType, int64, uint64
from agir.ir.emission import emit
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.elementwise.formulas import Scalar
from agir.ir.ops.random.random_streams import computed_pairs, generator, tabulated_pairs
from agir.ir.ops.random.random_values import check_state, numbers, recorded_numbers
from agir.ir.ops.shapes.creation import dims_from, static_sizes
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace


def _rule(state: Any, size: Any, algorithm: Any = 1) -> TensorType:
    check_state("random_permutation", operand_type(state), generator(algorithm).size)
    return TensorType(int64, static_sizes((size,)))


def _scalar(trace: Trace, index: Any) -> Any:
    """An ``index`` as a scalar of formulas."""
    return Scalar(trace, emit.from_index(trace, index, uint64), uint64)


def _emit(
    trace: Trace, result: TensorType, state: Any, size: Any, algorithm: Any
) -> SymbolicTensor:
    kind, dims = generator(algorithm), dims_from(trace, (size,))
    pairs = computed_pairs(kind, recorded_numbers(trace, state, kind.size))
    count = emit.dim_value(trace, dims[0])
    positions = dispatch.call("range", trace.make(emit.from_index(trace, count), int64, ()))
    start = emit.cast_dims(trace, positions.ssa, int64, dims)

    def swap(indices: list[Any], carried: list[Any]) -> list[Any]:
        here, order = indices[0], carried[0]
        low, high = pairs(_scalar(trace, here))
        left = trace.op("arith.subi", count.type, count, here)
        word = low | (high << 32)
        rest = trace.op(
            "arith.remui", word.ssa.type, word.ssa, emit.from_index(trace, left, uint64)
        )
        offset = trace.op("arith.index_castui", trace.index_type(), rest)
        there = trace.op("arith.addi", count.type, here, offset)
        a, b = (trace.op("tensor.extract", int64.mlir(), order, at) for at in (here, there))
        order = trace.op("tensor.insert", order.type, b, order, here)
        return [trace.op("tensor.insert", order.type, a, order, there)]

    (order,) = loops.nest(trace, [count], [start], swap)
    return trace.make(order, int64, dims)


@dispatch.define(operands=("state",), rule=_rule, emit=_emit, creates=True)
def random_permutation(state: Any, size: Any, algorithm: Any = 1) -> Any:
    """The integers below ``size`` in random order, each order equally likely."""
    kind = generator(algorithm)
    i = np.arange(size, dtype=np.uint64)
    low, high = tabulated_pairs(kind, numbers(state), int(size))(i)
    partners = i + (low | (high << np.uint64(32))) % (np.uint64(size) - i)
    order = list(range(size))
    for here, there in enumerate(partners.tolist()):
        order[here], order[there] = order[there], order[here]
    return np.array(order, np.int64)
