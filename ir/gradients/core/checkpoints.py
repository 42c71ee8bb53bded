"""Loops that save little: most iterations are run again for the way back.

With ``sqrt`` the variables are kept at about the square root of the number of iterations, with a
number at each iteration that it divides; the iterations between two of those are run again, with
saving, when the way back comes to them.  With ``log`` they are kept at iterations that halve what
is left each time, so that there are never more of them than the number of iterations has binary
digits, and every iteration is run again about half as many times.  An array that the iterations
only write to is not kept: no iteration needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.control_flow.checkpoint import CHECKPOINT
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.bodies import Body
from agir.ir.gradients.core.stacks import Stack, stack_for
from agir.ir.gradients.core.sweep import Sweep, refuse
from agir.ir.host import callbacks, hosts
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_DIGITS = 64
"""More than the binary digits that a number of iterations has."""


def kind_of(operation: Any) -> str | None:
    """How a loop is to save; None for all that is of use."""
    if CHECKPOINT not in operation.attributes:
        return None
    kind: str = operation.attributes[CHECKPOINT].value
    return kind


def copy_kind(source: Any, target: Any) -> None:
    """Let a loop save as another one does."""
    if CHECKPOINT in source.attributes:
        target.attributes[CHECKPOINT] = source.attributes[CHECKPOINT]


def _is_message(operation: Any) -> bool:
    """Whether an operation only tells the host something."""
    is_call = operation.name == "func.call" and not len(operation.results)
    return is_call and graph.is_host_call(operation)


def _without_messages(operations: Sequence[Any]) -> list[Any]:
    """Copies of operations without what has told the host something already."""
    for operation in operations:
        for block in operation.blocks:
            for inner in list(block.blocks()):
                inner.keep(lambda each: not _is_message(each))
    return [each for each in operations if not _is_message(each)]


def run_again(trace: Trace, block: Any, arguments: Sequence[Any]) -> list[Any]:
    """Record a body again; gives what it yields."""
    mapping = dict(zip(block.arguments, arguments, strict=True))
    for operation in graph.operations(block):
        if not _is_message(operation):
            _without_messages([graph.copy(trace, operation, mapping)])
    return [mapping.get(v, v) for v in graph.terminator(block).operands]


class Steps:
    """The iterations of a loop, any of which can be run from the variables that it begins with."""

    def __init__(
        self,
        sweep: Sweep,
        operation: Any,
        body: Body,
        block: Any,
        arguments: Callable[[Any, Sequence[Any]], list[Any]],
    ) -> None:
        """``arguments`` gives the block's arguments for an iteration that begins with these values."""
        self.sweep, self.trace, self.body, self.block = sweep, sweep.trace, body, block
        self.arguments = arguments
        self.written = _only_written(operation)
        body.joint.first = _without_messages(body.joint.first)
        for each in operation.inside():
            if each.name == "func.call" and len(each.results) and self._is_python(each):
                why = "a loop with checkpoints runs its iterations again, and this is Python code"
                raise refuse(each, why)

    def _is_python(self, call: Any) -> bool:
        callback = callbacks.known(self.trace, call.attributes["callee"].value)
        if callback is None:
            return False
        is_call = callback.attributes[hosts.CALLBACK].value in ("call", "number")
        return is_call and hosts.OPERATION not in callback.attributes

    def advance(self, state: Sequence[Any], start: Any, count: Any) -> list[Any]:
        """The variables after so many iterations."""

        def step(indices: list[Any], values: list[Any]) -> list[Any]:
            iteration = self._plus(start, indices[0])
            again = run_again(self.trace, self.block, self.arguments(iteration, values))
            return self._as_before(again, values)

        return loops.nest(self.trace, [count], list(state), step)

    def _as_before(self, values: list[Any], before: Sequence[Any]) -> list[Any]:
        """Variables after an iteration that is run again: what is only written to is left alone."""
        for number in self.written:
            values[number] = before[number]
        return values

    def _plus(self, left: Any, right: Any) -> Any:
        return self.trace.op("arith.addi", left.type, left, right)

    def _minus(self, left: Any, right: Any) -> Any:
        return self.trace.op("arith.subi", left.type, left, right)

    # Every so many iterations.

    def by_chunks(
        self,
        size: Any,
        iterations: Any,
        initial: Sequence[Any],
        starts: list[Any],
        totals: list[Any],
    ) -> list[Any]:
        """The cotangents of the variables, and totals, from those after the last iteration."""
        trace = self.trace
        chunks = trace.op("arith.ceildivsi", iterations.type, iterations, size)
        kept = _Kept(trace, initial, chunks, self.written)
        last = self._minus(chunks, trace.index(1))
        held, variables = kept.flat(), len(initial)

        def keep(indices: list[Any], values: list[Any]) -> list[Any]:
            state, stacks = values[:variables], kept.split(values[variables:])
            (number,) = indices
            pushed = kept.push(stacks, number, state)
            goes_on = trace.compare("slt", number, last)
            count = trace.op("arith.select", size.type, goes_on, size, trace.index(0))
            begin = trace.op("arith.muli", size.type, number, size)
            return [*self.advance(state, begin, count), *pushed]

        every = loops.nest(trace, [chunks], [*initial, *held], keep)[variables:]
        stacks = kept.split(every)

        def back(indices: list[Any], values: list[Any]) -> list[Any]:
            own, counted = values[: len(starts) + len(totals)], values[len(starts) + len(totals) :]
            number = self._minus(last, indices[0])
            state, left = kept.pop(stacks, counted, number)
            begin = trace.op("arith.muli", size.type, number, size)
            count = trace.op("arith.minsi", size.type, size, self._minus(iterations, begin))
            return [*self._chunk(begin, count, state, own, len(starts)), *left]

        carried = [*starts, *totals, *kept.counted(stacks)]
        found = loops.nest(trace, [chunks], carried, back)
        return found[: len(starts) + len(totals)]

    def _chunk(
        self, begin: Any, count: Any, state: Sequence[Any], own: list[Any], variables: int
    ) -> list[Any]:
        """Some iterations, forwards with saving and then backwards."""
        trace, body = self.trace, self.body
        states = body.begin(count)
        flat = [value for each in states for value in each]

        def forward(indices: list[Any], values: list[Any]) -> list[Any]:
            iteration = self._plus(begin, indices[0])
            arguments = self.arguments(iteration, values[: len(state)])
            inner = body.split(values[len(state) :], states)
            return self._as_before(body.forward(arguments, indices[0], inner), values)

        every = loops.nest(trace, [count], [*state, *flat], forward)
        states = body.split(every[len(state) :], states)

        def known(iteration: Any) -> list[Any]:
            return self.arguments(self._plus(begin, iteration), state)[: body.free]

        return body.reversed(count, states, own[:variables], own[variables:], known)

    # The number of its binary digits.

    def by_halves(
        self, iterations: Any, initial: Sequence[Any], starts: list[Any], totals: list[Any]
    ) -> list[Any]:
        """The cotangents of the variables, and totals, from those after the last iteration."""
        trace, own = self.trace, len(starts) + len(totals)
        written = {number + 1 for number in self.written}
        kept = _Kept(trace, [trace.index(0), *initial], trace.index(_DIGITS), written)
        zero, one = trace.index(0), trace.index(1)
        begun = kept.push(kept.split(kept.flat()), zero, [zero, *initial])

        def back(indices: list[Any], values: list[Any]) -> list[Any]:
            iteration = self._minus(self._minus(iterations, one), indices[0])
            depth, stacks = values[own], kept.split(values[own + 1 :])
            state, _ = kept.pop(stacks, kept.counted(stacks), self._minus(depth, one))
            depth, state, stacks = self._climb(kept, iteration, depth, state, stacks)
            found = self._backwards(iteration, state[1:], values[:own], len(starts))
            top = self._minus(depth, one)
            _, left = kept.pop(stacks, kept.counted(stacks), top)
            return [*found, top, *kept.lowered(stacks, left)]

        every = loops.nest(trace, [iterations], [*starts, *totals, one, *begun], back)
        return every[:own]

    def _climb(
        self, kept: _Kept, iteration: Any, depth: Any, state: list[Any], stacks: list[list[Any]]
    ) -> tuple[Any, list[Any], list[list[Any]]]:
        """Run on to an iteration from one that is kept, and keep those half the way."""
        trace, size = self.trace, len(state)

        def before(values: list[Any]) -> Any:
            return trace.compare("slt", values[1], iteration)

        def halve(values: list[Any]) -> list[Any]:
            depth, here, *rest = values
            variables, stacks = rest[: size - 1], kept.split(rest[size - 1 :])
            half = trace.op(
                "arith.ceildivsi", iteration.type, self._minus(iteration, here), trace.index(2)
            )
            variables = self.advance(variables, here, half)
            state = [self._plus(here, half), *variables]
            pushed = kept.push(stacks, depth, state)
            return [self._plus(depth, trace.index(1)), *state, *pushed]

        flat = [value for each in stacks for value in each]
        depth, *rest = loops.while_true(trace, [depth, *state, *flat], before, halve)
        return depth, rest[:size], kept.split(rest[size:])

    def _backwards(
        self, iteration: Any, state: Sequence[Any], own: list[Any], variables: int
    ) -> list[Any]:
        """One iteration, forwards and backwards."""
        body, trace = self.body, self.trace
        mapping = dict(zip(body.arguments, self.arguments(iteration, state), strict=True))
        for operation in body.joint.first:
            graph.copy(trace, operation, mapping)
        return body.backwards_once(mapping, own[:variables], own[variables:])


class _Kept:
    """The variables of a loop at some iterations; the first ones of those only written to."""

    def __init__(
        self, trace: Trace, variables: Sequence[Any], capacity: Any, written: Collection[int]
    ) -> None:
        self._trace = trace
        self._variables = variables
        self._places = [n for n in range(len(variables)) if n not in written]
        self._stacks: list[Stack] = [stack_for(variables[n]) for n in self._places]
        self._begun = [stack.begin(trace, capacity) for stack in self._stacks]

    def flat(self) -> list[Any]:
        """The stacks before anything is kept, in a row."""
        return [value for state in self._begun for value in state]

    def split(self, flat: Sequence[Any]) -> list[list[Any]]:
        """The state of each stack."""
        rest = iter(flat)
        return [[next(rest) for _ in state] for state in self._begun]

    def push(self, stacks: list[list[Any]], number: Any, values: Sequence[Any]) -> list[Any]:
        """The stacks, in a row, with the variables added."""
        made: list[Any] = []
        for stack, state, place in zip(self._stacks, stacks, self._places, strict=True):
            made += stack.push(self._trace, state, number, values[place])
        return made

    def counted(self, stacks: list[list[Any]]) -> list[Any]:
        """What counts down while variables are taken off."""
        pairs = zip(self._stacks, stacks, strict=True)
        return [value for stack, state in pairs for value in stack.kept(state)[1]]

    def pop(
        self, stacks: list[list[Any]], counted: Sequence[Any], number: Any
    ) -> tuple[list[Any], list[Any]]:
        """The variables on top, and what is counted down after them."""
        rest, found, left = iter(counted), list(self._variables), []
        for stack, state, place in zip(self._stacks, stacks, self._places, strict=True):
            kept, down = stack.kept(state)
            mine = [next(rest) for _ in down]
            found[place], lower = stack.pop(self._trace, kept, mine, number)
            left += lower
        return found, left

    def lowered(self, stacks: list[list[Any]], counted: Sequence[Any]) -> list[Any]:
        """The stacks, in a row, without what stood on top."""
        rest, flat = iter(counted), []
        for stack, state in zip(self._stacks, stacks, strict=True):
            flat += stack.lowered(state, [next(rest) for _ in stack.kept(state)[1]])
        return flat


def _root(trace: Trace, iterations: Any) -> Any:
    """The square root of the number of iterations, rounded up; one if there are none."""
    ir = bindings.ir
    i64, f64 = ir.IntegerType.get_signless(64), ir.F64Type.get()
    whole = trace.op("arith.index_cast", i64, iterations)
    root = trace.op("math.sqrt", f64, trace.op("arith.sitofp", f64, whole))
    rounded = trace.op("arith.fptosi", i64, trace.op("math.ceil", f64, root))
    found = trace.op("arith.index_cast", iterations.type, rounded)
    return trace.op("arith.maxsi", iterations.type, found, trace.index(1))


def backward(
    kind: str,
    steps: Steps,
    iterations: Any,
    initial: Sequence[Any],
    starts: list[Any],
    outside: Sequence[Any],
) -> list[Any]:
    """The cotangents of the variables, then those of the values of outside that the loop changes."""
    totals = [steps.sweep.accumulated(outside[at]) for at in steps.body.changed]
    if kind == "log":
        return steps.by_halves(iterations, initial, starts, totals)
    trace = steps.trace
    size = _root(trace, iterations) if kind == "sqrt" else trace.index(int(kind))
    return steps.by_chunks(size, iterations, initial, starts, totals)


def _only_written(operation: Any) -> set[int]:
    """The variables of a loop that its iterations hand on without a look at them, but for writing."""
    body = operation.blocks[-1]
    uses = body.uses()
    variables: list[Any] = list(body.arguments)[1:]
    if operation.name == "scf.while":
        test = operation.blocks[0]
        handed = list(graph.terminator(test).operands)[1:]
        tested = test.uses()
        once = [v if tested[v] == 1 and v in handed else None for v in test.arguments]
        variables = [None if v is None else body.arguments[handed.index(v)] for v in once]
    pairs = enumerate(zip(variables, graph.terminator(body).operands, strict=True))
    return {n for n, (own, end) in pairs if own is not None and _is_written_from(own, end, uses)}


def _is_written_from(first: Any, last: Any, uses: Mapping[Any, int]) -> bool:
    """Whether a value is another one after writes into it, between which nothing looks at it."""
    while last != first:
        operation = graph.defining(last)
        if operation is None or uses[last] != 1:
            return False
        if operation.name not in ("tensor.insert", "tensor.insert_slice"):
            return False
        last = operation.operands[1]
    return uses[first] == 1
