"""From a finished trace to a module: the ``hlo`` stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agir.ir.building import bindings, making
from agir.ir.building.attributes import RECORD, destination_attributes
from agir.ir.building.checks import CHECK_FUNCTION
from agir.ir.building.program import Operation, Value, sweep
from agir.ir.proofs import proving
from agir.ir.tracing.trace import Trace


def finish(
    trace: Trace,
    results: Sequence[Value],
    attributes: Mapping[str, str] | None = None,
    destinations: Mapping[int, int] | None = None,
) -> Any:
    """Close the traced function and return the module that holds it.

    The error record, where the function can fail, is returned as three further i64 results: the
    number of the site that failed first (0 for none), and its two operands.  ``destinations`` maps
    results to the arguments whose new contents they are, to be written in place.
    """
    with trace.inside(trace.root):
        record = [trace.root.read(cell) for cell in trace.record_cells]
        trace.create("func.return", (), [*results, *record])
    trace.settle_superseded(trace.root.block)
    proving.prove(trace)
    returned = trace.root.block.terminator.operands
    if not trace.can_fail:
        del returned[len(results) :]
    function = _function(trace, returned, attributes or {}, destinations or {})
    if trace.can_fail:
        function.attributes[RECORD] = bindings.ir.UnitAttr.get()
    functions = [function, *trace.functions.needed_by(function)]
    for each in functions:
        sweep(each.blocks[0])
    declared = list(_declarations(trace, functions))
    return making.module([*declared, *functions], CHECK_FUNCTION if trace.can_fail else "")


def _function(
    trace: Trace,
    returned: Sequence[Value],
    attributes: Mapping[str, str],
    destinations: Mapping[int, int],
) -> Operation:
    ir = bindings.ir
    arguments = [argument.type for argument in trace.root.block.arguments]
    kind = ir.FunctionType.get(arguments, [value.type for value in returned])
    said = {
        "sym_name": ir.StringAttr.get(trace.name),
        "function_type": ir.TypeAttr.get(kind),
        **{key: ir.StringAttr.get(value) for key, value in attributes.items()},
        **destination_attributes(kind, destinations),
    }
    return Operation("func.func", (), (), said, [trace.root.block], trace.location)


def _declarations(trace: Trace, functions: Sequence[Operation]) -> Iterator[Operation]:
    """The callbacks that functions call."""
    if not trace.callbacks:
        return iter(())
    called = {
        operation.attributes["callee"].value
        for function in functions
        for operation in function.inside()
        if operation.name == "func.call"
    }
    return (each.declare() for each in trace.callbacks.values() if each.name in called)
