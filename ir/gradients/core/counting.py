"""How many iterations a `scf.while` takes, where a counter of its own says so.

Such a loop becomes a `scf.for`, whose saved values need no more room than its iterations, and whose
counter is known in every iteration.  Where the counter is one of several conditions, it says how much
room is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.emission import emit
from agir.ir.gradients.core import checkpoints, graph
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.joint import is_cheap
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

_MIRRORED = {2: 4, 3: 5, 4: 2, 5: 3, 6: 8, 7: 9, 8: 6, 9: 7}
"""The predicates of ``arith.cmpi`` (slt sle sgt sge ult ule ugt uge) with the operands swapped."""
_UP, _DOWN, _OR_EQUAL = (2, 3), (4, 5), (3, 5)
_CASTS = ("arith.trunci", "arith.extsi", "arith.index_cast")
_MOST_ROOM, _MOST_BYTES = 1 << 18, 1 << 26
"""For how many iterations, and how much of them, there is room at once where a loop may end earlier."""


@dataclass
class Count:
    """A counter: the loop runs until ``start + step * iteration`` reaches the bound."""

    position: int
    """The number of the variable."""
    compared: Any
    """What is compared: the variable, or its value in another integer type."""
    bound: Any
    """What it is compared with, a value of the loop's test or of outside."""
    step: int
    includes: bool
    """Whether the loop goes on where the two are equal."""
    is_all: bool
    """Whether nothing else ends the loop."""


def count_of(operation: Any) -> Count | None:
    """What a ``scf.while`` counts; None for one that counts nothing."""
    test, block = operation.blocks
    operations = graph.operations(test)
    if not all(is_cheap(each) for each in operations):
        return None
    condition, *forwarded = graph.terminator(test).operands
    own = set(test.arguments)
    if any(v in own or _depends(v, own) for v in forwarded if v not in own):
        return None
    places = {value: forwarded.index(value) for value in forwarded}
    yielded = list(graph.terminator(block).operands)
    every = list(_conjuncts(condition, test))
    for one in every:
        for count in _comparisons(one, list(test.arguments), own, len(every) == 1):
            argument = test.arguments[count.position]
            if argument not in places:
                continue
            step = _step(yielded[count.position], block.arguments[places[argument]])
            if step is not None and (step > 0) == (count.step > 0):
                count.step = step
                return count
    return None


def _conjuncts(value: Any, test: Any) -> Iterator[Any]:
    operation = graph.defining(value)
    if operation is None or operation.block != test or operation.name != "arith.andi":
        yield value
        return
    for each in operation.operands:
        yield from _conjuncts(each, test)


def _comparisons(value: Any, arguments: list[Any], own: set[Any], alone: bool) -> Iterator[Count]:
    operation = graph.defining(value)
    if operation is None or operation.name != "arith.cmpi":
        return
    predicate: int = operation.attributes["predicate"].value
    left, right = operation.operands
    for one, other, sign in ((left, right, predicate), (right, left, _MIRRORED.get(predicate))):
        counter = _uncast(one, own)
        if sign in (*_UP, *_DOWN) and counter in own and not _depends(other, own):
            step = 1 if sign in _UP else -1
            yield Count(arguments.index(counter), one, other, step, sign in _OR_EQUAL, alone)


def _uncast(value: Any, own: set[Any]) -> Any:
    """What an integer is in the type that it had."""
    while value not in own:
        operation = graph.defining(value)
        if operation is None or operation.name not in _CASTS:
            break
        value = operation.operands[0]
    return value


def _depends(value: Any, own: set[Any]) -> bool:
    """Whether a value of the test is computed from its arguments."""
    if value in own:
        return True
    operation = graph.defining(value)
    block = next(iter(own)).owner if own else None
    if operation is None or operation.block != block:
        return False
    return any(_depends(each, own) for each in graph.used_by(operation))


def _step(value: Any, counter: Any) -> int | None:
    """What is added to the counter in each iteration, if that is a number."""
    operation = graph.defining(value)
    if operation is None or operation.name not in ("arith.addi", "arith.subi"):
        return None
    left, right = operation.operands
    if operation.name == "arith.addi" and right == counter:
        left, right = right, left
    found = emit.constant_value(right) if left == counter else None
    if not isinstance(found, int) or isinstance(found, bool) or not found:
        return None
    return found if operation.name == "arith.addi" else -found


def iterations(trace: Trace, operation: Any, count: Count) -> Any:
    """How many iterations the counter lets the loop take, an ``index``: recorded before the loop."""
    test = operation.blocks[0]
    start = trace.replacement(operation.operands[count.position])
    mapping = {test.arguments[count.position]: start}
    for value in (count.compared, count.bound):
        _again(trace, value, test, mapping)
    start = mapping[count.compared]
    bound = mapping.get(count.bound, trace.replacement(count.bound))
    kind = start.type
    low, high = (start, bound) if count.step > 0 else (bound, start)
    span = trace.op("arith.subi", kind, high, low)
    if count.includes:
        span = trace.op("arith.addi", kind, span, _number(trace, kind, 1))
    if abs(count.step) != 1:
        span = trace.op("arith.ceildivsi", kind, span, _number(trace, kind, abs(count.step)))
    predicate = "sle" if count.includes else "slt"
    some = trace.compare(predicate, low, high)
    found = trace.op("arith.select", kind, some, span, _number(trace, kind, 0))
    return _as_index(trace, found)


def _again(trace: Trace, value: Any, test: Any, mapping: dict[Any, Any]) -> None:
    operation = graph.defining(value)
    if operation is None or operation.block != test or value in mapping:
        return
    for each in graph.used_by(operation):
        _again(trace, each, test, mapping)
    graph.copy(trace, operation, mapping)


def _number(trace: Trace, kind: Any, number: int) -> Any:
    if str(kind) == "index":
        return trace.index(number)
    from agir.ir.gradients.core.expressions import dtype_of

    dtype = dtype_of(kind)
    assert dtype is not None
    return trace.constant(dtype, number)


def _as_index(trace: Trace, value: Any) -> Any:
    index = trace.index_type()
    return value if value.type == index else trace.op("arith.index_cast", index, value)


def room(trace: Trace, operation: Any, count: Count, least: int, size: int) -> Any:
    """Room for as many iterations as the loop can take, within bounds: recorded before the loop.

    ``size`` is about how many bytes are saved of each.
    """
    index = trace.index_type()
    most = max(least, min(_MOST_ROOM, _MOST_BYTES // max(1, size)))
    found = trace.op("arith.maxsi", index, iterations(trace, operation, count), trace.index(least))
    return trace.op("arith.minsi", index, found, trace.index(most))


def as_for(sweep: Sweep, operation: Any, count: Count) -> tuple[list[Any], list[Any]]:
    """The same loop as a ``scf.for``, recorded before it: all that was recorded, and its results."""
    trace = sweep.trace
    test, block = operation.blocks
    forwarded = list(graph.terminator(test).operands)[1:]
    own = list(test.arguments)
    with sweep.before(operation):
        recorded = trace.scope.recorded
        initial = [sweep.resolve(value) for value in operation.operands]
        start = initial[count.position]
        total = iterations(trace, operation, count)
        outer: dict[Any, Any] = {}
        for value in forwarded:
            _again(trace, value, test, outer)
        carried = [value for n, value in enumerate(initial) if n != count.position]
        bounds = [trace.index(0), total, trace.index(1)]
        with trace.inside(Scope(trace.scope)) as scope:
            kinds = [trace.index_type(), *(value.type for value in carried)]
            iteration, *values = [scope.block.add_argument(kind, trace.location) for kind in kinds]
            values.insert(count.position, _counter(trace, start, iteration, count.step))
            handed = [values[own.index(v)] if v in own else outer.get(v, v) for v in forwarded]
            mapping = dict(zip(block.arguments, handed, strict=True))
            for each in graph.operations(block):
                graph.copy(trace, each, mapping)
            left = [mapping.get(v, v) for v in graph.terminator(block).operands]
            del left[count.position]
            trace.create("scf.yield", (), left)
        kinds = [value.type for value in carried]
        made = close(trace, "scf.for", kinds, [*bounds, *carried], [scope])
        checkpoints.copy_kind(operation, made)
        results = list(made.results)
        results.insert(count.position, _counter(trace, start, total, count.step))
        new = list(recorded)
    return new, [results[own.index(v)] if v in own else outer.get(v, v) for v in forwarded]


def _counter(trace: Trace, start: Any, iteration: Any, step: int) -> Any:
    """The counter after so many iterations."""
    kind = start.type
    if iteration.type != kind:
        iteration = trace.op("arith.index_cast", kind, iteration)
    if step != 1:
        iteration = trace.op("arith.muli", kind, iteration, _number(trace, kind, step))
    return trace.op("arith.addi", kind, start, iteration)
