"""From a finished trace to a module: the ``hlo`` stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agir.ir import bindings
from agir.ir.attributes import RECORD, destination_attributes
from agir.ir.checks import CHECK_FUNCTION
from agir.ir.trace import Trace


def finish(
    trace: Trace,
    results: Sequence[Any],
    attributes: Mapping[str, str] | None = None,
    destinations: Mapping[int, int] | None = None,
) -> Any:
    """Close the traced function and return the module that holds it.

    The error record, where the function can fail, is returned as three further i64 results: the
    number of the site that failed first (0 for none), and its two operands.  ``destinations`` maps
    results to the arguments whose new contents they are, to be written in place.
    """
    ir = bindings.ir
    with trace.inside(trace.root):
        record = [trace.root.read(cell) for cell in trace.record_cells]
        returned = [*results, *record]
        trace.create("func.return", (), returned)
        module = ir.Module.create(loc=ir.Location.unknown())
        function = _function(trace, module, returned, attributes or {}, destinations or {})
        if record:
            function.attributes[RECORD] = ir.UnitAttr.get()
        trace.root.block.append_to(function.regions[0])
        trace.settle_superseded()
        trace.discard_attempts()  # they do not die with the trace: what they use is the module's now
        _sweep(function)
        for private in trace.functions.needed_by(function):
            _sweep(private)
            module.body.append(private)
        if record:
            module.body.append(ir.Operation.parse(CHECK_FUNCTION))
        if trace.callbacks:
            _declare(trace, function, module)
        module.operation.verify()
    return module


def _function(
    trace: Trace,
    module: Any,
    returned: Sequence[Any],
    attributes: Mapping[str, str],
    destinations: Mapping[int, int],
) -> Any:
    """The function, still without its body."""
    ir = bindings.ir
    arguments = [argument.type for argument in trace.root.block.arguments]
    kind = ir.FunctionType.get(arguments, [value.type for value in returned])
    return ir.Operation.create(
        "func.func",
        attributes={
            "sym_name": ir.StringAttr.get(trace.name),
            "function_type": ir.TypeAttr.get(kind),
            **{key: ir.StringAttr.get(value) for key, value in attributes.items()},
            **destination_attributes(kind, destinations),
        },
        regions=1,
        loc=trace.location,
        ip=ir.InsertionPoint(module.body),
    )


def _declare(trace: Trace, function: Any, module: Any) -> None:
    """Declare the callbacks that the function calls."""
    ir = bindings.ir
    called: set[str] = set()

    def collect(operation: Any) -> Any:
        if operation.operation.name == "func.call":
            called.add(ir.FlatSymbolRefAttr(operation.attributes["callee"]).value)
        return ir.WalkResult.ADVANCE

    for each in (function, *trace.functions.needed_by(function)):
        each.walk(collect)
    with ir.InsertionPoint.at_block_begin(module.body), ir.Location.unknown():
        for callback in trace.callbacks.values():
            if callback.name in called:
                callback.declare()


_PURE = ("arith.", "complex.", "math.", "tensor.")


def _sweep(function: Any) -> None:
    """Erase what nothing uses: counters nobody reads, sizes asked for by attempts given up."""
    operations: list[Any] = []

    def collect(operation: Any) -> Any:
        operations.append(operation.operation)
        return bindings.ir.WalkResult.ADVANCE

    function.walk(collect, bindings.ir.WalkOrder.PRE_ORDER)
    for operation in reversed(operations):
        results = list(operation.results)
        if results and operation.name.startswith(_PURE) and not any(map(_used, results)):
            operation.erase()


def _used(value: Any) -> bool:
    return next(iter(value.uses), None) is not None
