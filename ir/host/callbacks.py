"""Calls of the host while tracing: private external functions that the program calls in order.

``record`` appends the call; the declaration goes into the module when the trace is finished.  A
callback is an effect: passes keep calls of functions that they cannot see into, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agir.autograph.operators import State, if_stmt, no_state, skip
from agir.errors import CannotCompileError
from agir.ir.building import bindings, locations
from agir.ir.building.cells import LoopScope, Scope
from agir.ir.building.checks import CHECK
from agir.ir.building.program import Operation
from agir.ir.building.types import DTYPES, DType, bool_, float64, int64
from agir.ir.emission import emit
from agir.ir.host import hosts, template
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


@dataclass(frozen=True)
class Callback:
    """The declaration of a callback: its symbol, its types, what else the module says of it."""

    name: str
    inputs: tuple[Any, ...]
    results: tuple[Any, ...]
    attributes: Mapping[str, Any]
    given: Any = None
    """What only this process has: a file, a Python function."""

    def declare(self) -> Operation:
        """The declaration."""
        ir = bindings.ir
        read = ir.DictAttr.get({"bufferization.access": ir.StringAttr.get("read")})
        plain = ir.DictAttr.get({})
        arguments = [read if _is_tensor(kind) else plain for kind in self.inputs]
        kind = ir.FunctionType.get(list(self.inputs), list(self.results))
        said = {
            "sym_name": ir.StringAttr.get(self.name),
            "sym_visibility": ir.StringAttr.get("private"),
            "function_type": ir.TypeAttr.get(kind),
            "arg_attrs": ir.ArrayAttr.get(arguments),
            "llvm.emit_c_interface": ir.UnitAttr.get(),
            **self.attributes,
        }
        return Operation("func.func", (), (), said, (), locations.unknown())


def _is_tensor(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.RankedTensorType)


def record(
    trace: Trace,
    kind: str,
    values: Sequence[SymbolicTensor],
    attributes: Mapping[str, Any],
    results: Sequence[Any] = (),
    given: Any = None,
    what: str = "",
) -> list[Any]:
    """Record a call of the host with these values; gives the SSA values of the results.

    ``kind`` is one of :data:`agir.ir.host.hosts.KINDS`; calls that say the same share a declaration.
    ``what`` is the function's name for the user, if that is not the kind.
    """
    if trace.must_compile and kind not in hosts.OF_FAILURES:
        raise CannotCompileError(
            trace.explain(
                f"jit_compile=True, and {(what or kind)!r} is a call of Python, which cannot be "
                "compiled; leave it out, or leave jit_compile at None"
            )
        )
    ir = bindings.ir
    operands = [ssa for value in values for ssa in _crossing(trace, value)]
    attributes = dict(attributes)
    attributes[hosts.CALLBACK] = ir.StringAttr.get(kind)
    attributes[hosts.VALUES] = ir.ArrayAttr.get([template.string(v.dtype.name) for v in values])
    callback = _declared(trace, kind, [o.type for o in operands], results, attributes, given)
    callee = ir.FlatSymbolRefAttr.get(callback.name)
    call = trace.create("func.call", list(results), operands, {"callee": callee})
    trace.note_effect()
    return list(call.results)


def operation(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a declaration says of an operation that NumPy computes."""
    ir = bindings.ir
    said = {n: _option(value) for n, value in options.items() if value is not None}
    found = {hosts.OPERATION: template.string(name)}
    return {**found, hosts.OPTIONS: ir.DictAttr.get(said)} if said else found


def _option(value: Any) -> Any:
    ir = bindings.ir
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    return ir.StringAttr.get(str(value))


def known(trace: Trace, symbol: str) -> Callback | None:
    """The callback that the module has under this name."""
    for callback in trace.callbacks.values():
        if callback.name == symbol:
            found: Callback = callback
            return found
    return None


def know(trace: Trace, declaration: Any) -> None:
    """Know a callback of another module."""
    kind = declaration.attributes["function_type"].value
    symbol = declaration.attributes["sym_name"].value
    names = [name for name in declaration.attributes if name.startswith("agir.")]
    said = {name: declaration.attributes[name] for name in names}
    trace.callbacks["known", symbol] = Callback(
        symbol, tuple(kind.inputs), tuple(kind.results), said
    )


def number(
    trace: Trace,
    name: str,
    dtype: DType,
    given: Any,
    inputs: Sequence[SymbolicTensor],
    said: Mapping[str, Any],
) -> Any:
    """Record the call of ``given.next`` with numbers, which gives a number and raises nothing.

    The number is of int64 or float64; 0 where a check has failed before.  ``said`` may name the
    operation that it is.
    """
    zero = trace.constant(dtype, 0.0 if dtype.is_floating else 0)
    held: list[Any] = [trace.make(zero, dtype, ())]

    def call() -> None:
        kind = (dtype.mlir(),)
        (found,) = record(trace, "number", inputs, said, kind, given=given, what=name)
        held[0] = trace.make(found, dtype, ())

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    with trace.at_user_line():
        unless_failed(trace, call, State(lambda: (held[0],), restore, ("the number",)))
    return held[0].ssa


def compute(
    trace: Trace,
    name: str,
    number: int,
    operands: Sequence[Any],
    result: tuple[DType, Any],
    options: Mapping[str, Any],
) -> Any:
    """Record that NumPy computes an operation on tensors; gives a result, NaN where there is none.

    ``result`` is its dtype and its MLIR type.  Unlike :func:`record` it cannot fail.
    """
    ir = bindings.ir
    dtype, kind = result
    marker = ir.ShapedType.get_dynamic_size()
    sizes = ["?" if n == marker else str(n) for n in kind.shape]
    dtypes = [_dtype_of(operand.type) for operand in operands]
    attributes = {
        **operation(name, options),
        hosts.CALLBACK: ir.StringAttr.get("compute"),
        hosts.VALUES: ir.ArrayAttr.get([template.string(each) for each in dtypes]),
        hosts.RESULT: _option(number),
        hosts.SHAPE: template.string("x".join(sizes)),
        hosts.DTYPE: template.string(dtype.name),
    }
    if trace.must_compile:
        raise CannotCompileError(
            trace.explain(f"jit_compile=True, and the gradient calls NumPy for {name!r}")
        )
    callback = _declared(trace, "compute", [o.type for o in operands], [kind], attributes, None)
    callee = ir.FlatSymbolRefAttr.get(callback.name)
    return trace.create("func.call", [kind], list(operands), {"callee": callee}).results[0]


def ask_for_memory(trace: Trace, size: Any, place: str) -> Any:
    """Record the question whether there are so many bytes (f64) for what a loop keeps.

    The answer is an i64; where it is zero, the call ends in an error that says the place.
    """
    ir = bindings.ir
    attributes = {
        hosts.CALLBACK: ir.StringAttr.get("memory"),
        hosts.VALUES: ir.ArrayAttr.get([template.string("float64")]),
        hosts.PLACE: template.string(place),
    }
    kinds = [float64.mlir()], [int64.mlir()]
    callback = _declared(trace, "memory", *kinds, attributes, None)
    callee = ir.FlatSymbolRefAttr.get(callback.name)
    return trace.create("func.call", kinds[1], [size], {"callee": callee}).results[0]


def _dtype_of(kind: Any) -> str:
    return next(d.name for d in DTYPES if d.mlir_name == str(kind.element_type))


def _crossing(trace: Trace, value: SymbolicTensor) -> list[Any]:
    """The value in the form in which it crosses: ``i64``, ``f64``, two of these, or a tensor."""
    dtype = value.dtype
    if value.dims:
        return [value.ssa]
    if dtype.is_complex:
        parts = [trace.op(f"complex.{p}", dtype.real.mlir(), value.ssa) for p in ("re", "im")]
        return [emit.convert(trace, part, dtype.real, float64, ()) for part in parts]
    return [emit.convert(trace, value.ssa, dtype, float64 if dtype.is_floating else int64, ())]


def _declared(
    trace: Trace,
    kind: str,
    inputs: Sequence[Any],
    results: Sequence[Any],
    attributes: Mapping[str, Any],
    given: Any,
) -> Callback:
    said = (tuple(map(str, inputs)), tuple(map(str, results)))
    key = (kind, said, tuple(sorted((n, str(a)) for n, a in attributes.items())), id(given))
    found = trace.callbacks.get(key)
    if found is None:
        number = sum(known.name.startswith(f"{kind}_") for known in trace.callbacks.values())
        name = _fresh(f"{kind}_{number}", trace)
        found = Callback(name, tuple(inputs), tuple(results), attributes, given)
        trace.callbacks[key] = found
    return found


def _fresh(name: str, trace: Trace) -> str:
    taken = {trace.name, CHECK} | {known.name for known in trace.callbacks.values()}
    while name in taken:
        name += "_"
    return name


def unless_failed(trace: Trace, action: Callable[[], None], state: State = no_state) -> None:
    """Record what must not happen any more after a check has failed; ``state`` is what it assigns."""
    fine = is_fine(trace)
    if fine is True:
        action()
    else:
        if_stmt(fine, action, skip, state)


def is_fine(trace: Trace) -> Any:
    """Whether no check has failed: True where there has been none.

    Inside a loop a check that follows may fail in an earlier iteration: if one is recorded, the loop is
    recorded again, and then it is known.
    """
    failing = trace.failing()
    if failing is not None:
        return trace.make(trace.compare("eq", failing, trace.constant(int64, 0)), bool_, ())
    if _in_loop(trace):
        trace.unchecked_loops += 1
    return True


def _in_loop(trace: Trace) -> bool:
    scope: Scope | None = trace.scope
    while scope is not None:
        if isinstance(scope, LoopScope):
            return True
        scope = scope.parent
    return False
