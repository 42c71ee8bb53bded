"""The call of an outlined function, and what surrounds it.

A call is made only while nothing has failed, so that the callee may begin with an empty error
record and the caller may take over what it hands back; and only to a limited depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.errors import StagingError
from agir.ir.building import bindings
from agir.ir.building.types import int64
from agir.ir.functions import signature
from agir.ir.functions.callee import Callee
from agir.ir.functions.depth import depth_limit
from agir.ir.tensors.symbolic import Owned, SymbolicTensor, is_writable
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import Typed
from agir.ir.values.heap.references import AbstractReference
from agir.ir.values.sequences.lists import TracedList


def emit_call(function: Callee, values: Sequence[Any], arrays: Sequence[tuple[Any, Typed]]) -> Any:
    """Record the call; gives its result as a Python value.

    ``arrays`` are those among the arguments, with the types that the callee takes them as.
    """
    trace = function.trace
    with trace.at_user_line():
        leaves = [array for array, _ in arrays]
        _refuse_overlap(function, leaves)
        depth = _next_depth(trace)
        for value, abstract in zip(values, function.arguments, strict=True):
            if isinstance(abstract, AbstractReference) and isinstance(value, TracedList):
                value.become_item(trace, abstract, ())
        operands = abstract_values.pack_all(trace, function.arguments, values)
        places = function.places.pack()
        written = [_writable(trace, function, *arrays[n]) for n in sorted(function.written)]
        cells = [*function.cells, *function.record_cells]
        result = function.result.types()
        kept = [*places, *written, *map(trace.scope.read, cells)]
        types = [*result, *(value.type for value in kept)]
        operands = [depth, *operands, *places, *map(trace.scope.read, function.cells)]
        made = _guarded(function, operands, types, kept)
        returned = made[: len(result)]
        _hand_back(function, made[len(result) :], leaves, cells)
        return function.result.unpack(returned, leaves)


def _guarded(function: Callee, operands: list[Any], types: list[Any], kept: list[Any]) -> Any:
    """The call where nothing has failed so far; else all stays as it is."""
    trace = function.trace
    fine = trace.compare("eq", trace.failing(), trace.constant(int64, 0))

    def call() -> list[Any]:
        callee = bindings.ir.FlatSymbolRefAttr.get(function.symbol)
        operation = trace.create(
            "func.call", types, operands + function.captured, {"callee": callee}
        )
        return list(operation.results)

    return loops.either(trace, fine, call, lambda: [*function.result.placeholder(), *kept])


def _next_depth(trace: Trace) -> Any:
    """The depth of the callee, which is checked where the caller is an outlined function itself."""
    if not trace.outlining:
        return trace.constant(int64, 0)
    depth = trace.outlining[-1].depth
    limit = trace.constant(int64, depth_limit())
    trace.guard(trace.compare("slt", depth, limit), trace.site("recursion"))
    return trace.op("arith.addi", depth.type, depth, trace.constant(int64, 1))


def _hand_back(
    function: Callee, made: list[Any], leaves: Sequence[Any], cells: Sequence[Any]
) -> None:
    """Give places, arrays and cells the values that the callee has left in them."""
    trace = function.trace
    if function.explains:
        trace.explanations += 1
    function.places.hand_back(made)
    for number in sorted(function.written):
        array = leaves[number]
        array.storage.write(trace, _of_type(trace, made.pop(0), array.mlir_type))
    for cell, value in zip(cells, made, strict=True):
        trace.scope.write(cell, value)


def _of_type(trace: Trace, ssa: Any, kind: Any) -> Any:
    """The array with as much known of its sizes as the type says."""
    return ssa if ssa.type == kind else trace.op("tensor.cast", kind, ssa)


def _writable(trace: Trace, function: Callee, array: Any, abstract: Typed) -> Any:
    """The present contents, as the callee takes them, of an array that it writes into."""
    same = isinstance(array, SymbolicTensor) and array.dtype == abstract.dtype
    if same and is_writable(array.storage):
        return _of_type(trace, array.ssa, abstract.types()[0])
    raise StagingError(
        trace.explain(
            f"{function.name} assigns into an array that is passed here and that cannot be written "
            f"to: a constant, an array of another dtype than {abstract.dtype}, or one of several "
            "arrays, depending on the path taken at run time; pass a copy, and return it"
        )
    )


def _refuse_overlap(function: Callee, leaves: Sequence[Any]) -> None:
    """Refuse arrays of which the callee writes into one and sees the elements in another one too."""
    trace = function.trace
    roots = [
        signature.root_of(leaf) if isinstance(leaf, SymbolicTensor) else leaf for leaf in leaves
    ]
    for number in function.written:
        root = roots[number]
        shared = sum(other is root for other in roots) > 1
        seen = isinstance(root, Owned) and function.sees(root.cell)
        if shared or seen:
            raise StagingError(
                trace.explain(
                    f"{function.name} assigns into an array that is passed here and that it sees "
                    "under another name too; a function that calls itself on run-time values gets "
                    "its arrays by value: pass the array and positions in it instead"
                )
            )
