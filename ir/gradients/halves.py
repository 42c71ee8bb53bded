"""A function of a module in two: forwards with what has to be saved, and backwards.

Both are ordinary functions in modules of their own, to be compiled, interpreted or read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agir.ir.building import bindings, making
from agir.ir.building.checks import CHECK
from agir.ir.building.program import Operation
from agir.ir.building.types import DType, Shape, int64
from agir.ir.gradients import rules as _rules  # noqa: F401 - fills the table
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import carries, dtype_of, shaped
from agir.ir.gradients.core.joint import Isolated, Joint
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.host import callbacks, hosts
from agir.ir.tracing.trace import Trace

Functions = dict[str, Operation]
"""The functions of a module, by their symbols."""


@dataclass
class Halves:
    """The two functions.

    The forward one takes what the function takes, and gives what it gives: its first results, then
    the values ``saved``, then the others.  The backward one takes the arguments ``needed``, the
    saved values and the cotangents of the results ``targets``; it gives those of the arguments
    ``sources``.
    """

    forward: Any
    backward: Any
    name: str
    saved: list[tuple[DType, Shape]]
    needed: list[int]
    targets: list[int]
    sources: list[int]


def halve(module: Any, name: str, results: int, sources: Sequence[int]) -> Halves:
    """Split a function, of whose results the first ones are differentiated."""
    functions = {_symbol(each): each for each in making.program(module.body.operations)}
    if name not in functions:
        raise ValueError(f"the module has no function {name!r}")
    with Trace(name) as trace:
        _know_functions(trace, functions)
        return _halve(trace, functions, name, results, sources)


def _symbol(function: Operation) -> str:
    symbol: str = function.attributes["sym_name"].value
    return symbol


def _know_functions(trace: Trace, functions: Functions) -> None:
    """The functions that a call can be differentiated by, or through."""
    for symbol, function in functions.items():
        if hosts.is_callback(function):
            callbacks.know(trace, function)
        elif function.blocks and symbol not in (CHECK, trace.name):
            trace.functions.know(symbol, function)


def _halve(
    trace: Trace, functions: Functions, name: str, results: int, sources: Sequence[int]
) -> Halves:
    function = functions[name]
    (block,) = function.blocks
    joint = Joint(Sweep(trace, set()))
    returned = list(graph.terminator(block).operands)
    with trace.inside(joint.scope):
        mapping = {old: joint.argument(old.type) for old in block.arguments}
        own = list(mapping.values())
        copies = joint.body(block, mapping)
        active = {own[n] for n in sources}
        graph.spread(copies, active)
        sweep = Sweep(trace, active)
        outputs = [mapping.get(v, v) for v in returned]
        targets = [n for n in range(results) if carries(outputs[n])]
        cotangents = [joint.argument(outputs[n].type) for n in targets]
        for number, cotangent in zip(targets, cotangents, strict=True):
            sweep.add(outputs[number], cotangent)
        sweep.run(copies)
        found = [sweep.accumulated(own[n]) for n in sources]
    outputs = [trace.replacement(v) for v in outputs]
    leaving = joint.cut(found)
    crossing = joint.crossing(leaving, own)
    used = {v for op in (*joint.second, *crossing.again) for v in graph.used_by(op)}
    used.update(leaving)
    needed = [n for n, argument in enumerate(own) if argument in used]
    saved = crossing.saved

    def forward(arguments: Sequence[Any]) -> list[Any]:
        here = dict(zip(own, arguments, strict=True))
        for operation in joint.first:
            graph.copy(trace, operation, here)
        out = [here.get(v, v) for v in outputs]
        kept = [_outwards(trace, here.get(v, v)) for v in saved]
        return [*out[:results], *kept, *out[results:]]

    def backward(arguments: Sequence[Any]) -> list[Any]:
        given = iter(arguments)
        here = {own[n]: next(given) for n in needed}
        here |= {v: _inwards(trace, next(given), v.type) for v in saved}
        here |= {c: next(given) for c in cotangents}
        crossing.restore(trace, here)
        for operation in joint.second:
            graph.copy(trace, operation, here)
        return [here.get(v, v) for v in leaving]

    whole = _function(trace, name, [a.type for a in own], forward, function)
    private = [each for symbol, each in functions.items() if symbol != name]
    kinds = [own[n].type for n in needed]
    kinds += [_outside(v.type) for v in saved] + [c.type for c in cotangents]
    back = _function(trace, f"{name}_backward", kinds, backward, function)
    return Halves(
        forward=_with_called(trace, [whole, *private], functions),
        backward=_with_called(trace, [back], functions),
        name=name,
        saved=[_described(v) for v in saved],
        needed=needed,
        targets=targets,
        sources=list(sources),
    )


def _described(value: Any) -> tuple[DType, Shape]:
    tensor = shaped(value.type)
    dtype = dtype_of(value.type) or int64
    if tensor is None:
        return dtype, ()
    return dtype, tuple(
        None if tensor.is_dynamic_dim(axis) else tensor.shape[axis] for axis in range(tensor.rank)
    )


def _is_index(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.IndexType)


def _outside(kind: Any) -> Any:
    """The type in which a saved value leaves the function."""
    return int64.mlir() if _is_index(kind) else kind


def _outwards(trace: Trace, value: Any) -> Any:
    if _is_index(value.type):
        return trace.op("arith.index_cast", int64.mlir(), value)
    return value


def _inwards(trace: Trace, value: Any, kind: Any) -> Any:
    return trace.op("arith.index_cast", kind, value) if _is_index(kind) else value


def _function(
    trace: Trace,
    name: str,
    kinds: Sequence[Any],
    build: Callable[[Sequence[Any]], Sequence[Any]],
    like: Operation,
) -> Operation:
    """A public function of these arguments' types."""
    ir = bindings.ir
    with trace.inside(Isolated(trace.root)) as scope:
        arguments = [scope.block.add_argument(kind, like.location) for kind in kinds]
        returned = list(build(arguments))
        trace.create("func.return", (), returned)
    kind = ir.FunctionType.get(list(kinds), [value.type for value in returned])
    said = {"sym_name": ir.StringAttr.get(name), "function_type": ir.TypeAttr.get(kind)}
    return Operation("func.func", (), (), said, [scope.block], like.location)


def _with_called(trace: Trace, own: Sequence[Operation], known: Functions) -> Any:
    """A module of functions, with those that they call and do not have."""
    here = set(map(_symbol, own))
    made, declared, work = list(own), [], list(own)
    while work:
        for call in work.pop().inside():
            symbol = call.attributes["callee"].value if call.name == "func.call" else None
            if symbol is None or symbol in here:
                continue
            here.add(symbol)
            function = known.get(symbol) or trace.functions.made(symbol)
            if function is not None:
                made.append(function)
                work.append(function)
                continue
            callback = callbacks.known(trace, symbol)
            assert callback is not None, "what is called was recorded"
            declared.append(callback.declare())
    return making.module([*declared, *made])
