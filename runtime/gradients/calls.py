"""Calls of decorated functions while tapes are on.

A call runs forwards with saving, as one compiled function, and is one entry of the tapes; what goes
back is compiled when it is first asked for.  Where several tapes are on, the saved values are
results that an outer tape differentiates too: each level has a way back of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agir.ir import hooks
from agir.ir.building.types import int64, shape_of
from agir.ir.convention import TENSORFLOW
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import dtype_of
from agir.ir.gradients.halves import Halves, halve
from agir.ir.state.outside import Outside
from agir.ir.state.variables import Variable
from agir.ir.tensors import structure
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.gradients import eager
from agir.runtime.recording.recorded import Recorded, Result
from agir.runtime.recording.traced import Options, TracedFunction
from agir.runtime.recording.tracing import record
from agir.runtime.signatures.given import Values
from agir.runtime.signatures.trace_types import Leaf
from agir.runtime.state.buffers import buffer_of
from agir.runtime.state.captures import Captured
from agir.runtime.tensor import EagerTensor
from agir.runtime.unranked import UnrankedFunction


class Forward(ConcreteFunction):
    """A concrete function that also gives the values that the ways back need."""

    def __init__(self, original: ConcreteFunction, levels: Sequence[Level]) -> None:
        recorded = original._recorded
        saved = [dtype for level in levels for dtype, _ in level.halves.saved]
        whole = replace(
            recorded,
            module=levels[-1].halves.forward,
            dtypes=[*recorded.dtypes, *saved],
            in_place={},
        )
        self._count = len(recorded.dtypes)
        self._saved = len(saved)
        super().__init__(whole, original._owner, original.kind, {})

    def _prepare(self, owner: Any, kind: Any, pattern: Any) -> None:
        _prepare(self, owner, kind)

    def _structured(self, values: Values, outputs: Sequence[Any]) -> Any:
        kept = outputs[self._count : self._count + self._saved]
        return self._leaves(values, outputs), [EagerTensor(np.asarray(v)) for v in kept]


class Backward(ConcreteFunction):
    """The way back of a concrete function, from flat values to flat cotangents."""

    def __init__(self, original: ConcreteFunction, halves: Halves, kinds: Sequence[Any]) -> None:
        own = original._owner
        options = Options(convention=TENSORFLOW, jit_compile=own.jit_compile, convert=False)

        def backward(*values: Any) -> Any:
            raise NotImplementedError("it has been traced")

        backward.__name__ = f"{halves.name}_backward"
        self._keep = backward
        recorded = Recorded(
            name=backward.__name__,
            module=halves.backward,
            leaves=[Leaf(dtype, shape) for dtype, shape in kinds],
            dtypes=[kinds_of(original, n)[0] for n in halves.sources],
            structure=structure.flatten(tuple(halves.sources))[1],
            results=[Result(index=n) for n in range(len(halves.sources))],
            mutated=[],
            captures=[],
        )
        super().__init__(recorded, TracedFunction(backward, options), None, {})  # type: ignore[arg-type]

    def _prepare(self, owner: Any, kind: Any, pattern: Any) -> None:
        _prepare(self, owner, kind)


def _prepare(made: ConcreteFunction, owner: Any, kind: Any) -> None:
    """What a concrete function needs that is called with flat values only."""
    made._owner, made.kind = owner, kind
    made._graph = made._executable = made.initialiser = made.plain = None
    made._lock = threading.Lock()
    made.quick = made.call_flat
    made.derivatives = {}
    made._recipes = ()


def kinds_of(concrete: ConcreteFunction, number: int) -> tuple[Any, Any]:
    """The dtype and shape of an argument, captured ones behind the others."""
    recorded = concrete._recorded
    if number < len(recorded.leaves):
        leaf = recorded.leaves[number]
        return leaf.dtype, leaf.shape
    kind = _function_type(concrete).inputs[number]
    return dtype_of(kind) or int64, shape_of(kind)


def _function_type(concrete: ConcreteFunction) -> Any:
    """The type of the function in its module."""
    recorded = concrete._recorded
    for view in recorded.module.body.operations:
        if view.attributes["sym_name"].value == recorded.name:
            return view.attributes["function_type"].value
    raise AssertionError("the module holds its function")


class Level:
    """One way back: of the function, or of the function and the saved values of lower levels."""

    def __init__(
        self, original: ConcreteFunction, below: Sequence[Level], live: tuple[int, ...]
    ) -> None:
        recorded = original._recorded
        module = below[-1].halves.forward if below else recorded.module
        self._original = original
        self.results = [(dtype, _shape(original, n)) for n, dtype in enumerate(recorded.dtypes)]
        self.results += [kind for level in below for kind in level.halves.saved]
        self.halves: Halves = halve(module, recorded.name, len(self.results), live)
        self._backward: Backward | None = None
        self._lock = threading.Lock()

    @property
    def backward(self) -> Backward:
        """The way back, made when it is first needed."""
        with self._lock:
            if self._backward is None:
                halves = self.halves
                kinds = [kinds_of(self._original, n) for n in halves.needed]
                kinds += halves.saved
                kinds += [self.results[n] for n in halves.targets]
                self._backward = Backward(self._original, halves, kinds)
            return self._backward


def _shape(concrete: ConcreteFunction, number: int) -> Any:
    """The shape of a result, from its type in the module."""
    return shape_of(_function_type(concrete).results[number])


class Differentiable:
    """A concrete function with its ways back, for some of its arguments."""

    def __init__(self, concrete: ConcreteFunction, live: tuple[int, ...], depth: int) -> None:
        self.concrete = concrete
        self.levels: list[Level] = []
        for _ in range(depth):
            self.levels.append(Level(concrete, self.levels, live))
        self.forward = Forward(concrete, self.levels)
        self.live = live


_lock = threading.Lock()


def _differentiable(
    concrete: ConcreteFunction, live: tuple[int, ...], depth: int
) -> Differentiable:
    with _lock:
        known = concrete.derivatives
    found = known.get((live, depth))
    if found is None:
        found = known[live, depth] = Differentiable(concrete, live, depth)
    return found


def call(concrete: ConcreteFunction, values: Sequence[Any]) -> Any:
    """Call a concrete function on flat values, and tell the tapes."""
    if isinstance(concrete, UnrankedFunction):
        concrete = concrete.ranked(values)
    tapes = hooks.observers.active
    concrete = _opened(concrete, tapes)
    recorded = concrete._recorded
    owners = [_owner(each) for each in recorded.captures]
    inputs = [*values, *owners]
    live = tuple(n for n, wanted in enumerate(eager.live_inputs(tapes, inputs)) if wanted)
    if not live:
        with eager.unobserved():
            return concrete.call_flat(values)
    if (initialiser := concrete.initialiser) is not None:
        initialiser.run(values)
        concrete.initialiser = None
    eager.freeze(inputs)
    depth = len(tapes) + any(tape.is_persistent for tape in tapes)
    made = _differentiable(concrete, live, depth)
    before = [_as_it_is(each) for each in inputs]
    keys = [[tape.key(inputs[n]) for n in live] for tape in tapes]
    with eager.unobserved():
        leaves, saved = made.forward.call_flat(values)
    written = {result: values[position] for position, result in recorded.mutated}
    for tape in tapes:
        for value in written.values():
            tape.changed(value)
    outputs: list[Any] = [None] * len(recorded.dtypes)
    for result, leaf in zip(recorded.results, leaves, strict=True):
        if result.index is not None and result.abstract is None:
            outputs[result.index] = leaf
    for number, value in written.items():
        outputs[number] = value
    _note(tapes, made, [inputs[n] for n in live], keys, before, [*outputs, *saved])
    return structure.unflatten(recorded.structure, iter(leaves))


def _owner(captured: Any) -> Any:
    """The variable or array that is captured."""
    if isinstance(captured, Captured):
        return captured.get()
    return captured.array() if isinstance(captured, Outside) else captured


def _opened(concrete: ConcreteFunction, tapes: Sequence[Any]) -> ConcreteFunction:
    """The function with the tensors of outside as arguments that some tape wants gradients of."""
    constants = concrete._recorded.constants
    if not constants:
        return concrete
    wanted = [
        t for t, live in zip(constants, eager.live_inputs(tapes, constants), strict=True) if live
    ]
    if not wanted:
        return concrete
    key = ("opened", *map(id, wanted))
    found = concrete.derivatives.get(key)
    if found is None:
        owner, kind, pattern = concrete._owner, concrete.kind, concrete._parameters.pattern
        recorded = record(owner, pattern, kind, opened=wanted)
        found = concrete.derivatives[key] = ConcreteFunction(recorded, owner, kind, pattern)
    return found


def _as_it_is(value: Any) -> Any:
    """A value as it was before the call: arrays are copied, for anybody can write to them."""
    if isinstance(value, Variable):
        return eager.observe_read(value, buffer_of(value).tensor())
    return value.copy() if isinstance(value, np.ndarray) else value


def _note(
    tapes: Sequence[Any],
    made: Differentiable,
    inputs: Sequence[Any],
    keys: Sequence[Any],
    before: Sequence[Any],
    outputs: list[Any],
) -> None:
    counts = [len(level.halves.saved) for level in made.levels]
    plain = len(outputs) - sum(counts)

    def pull(received: list[Any]) -> list[Any]:
        """The way back of the lowest level that knows all the outputs with cotangents."""
        last = max(n for n, each in enumerate(received) if each is not None)
        number, known = 0, plain
        while last >= known:
            known += counts[number]
            number += 1
        level, count = made.levels[number], counts[number]
        halves = level.halves
        given = [before[n] for n in halves.needed]
        given += outputs[known : known + count]
        given += [
            _zeros(outputs[n], level.results[n]) if received[n] is None else received[n]
            for n in halves.targets
        ]
        backward = level.backward
        return list(call(backward, given) if hooks.observers.active else backward.call_flat(given))

    for tape, found in zip(tapes, keys, strict=True):
        tape.note(inputs, found, outputs, pull)


def _zeros(output: Any, kind: Any) -> Any:
    dtype, shape = kind
    if output is not None:
        shape = np.shape(output)
    return EagerTensor(np.zeros([size or 0 for size in shape], dtype.numpy))


hooks.gradients = hooks.Gradients(
    observe=eager.observe,
    observe_call=call,
    observe_part=eager.observe_part,
    observe_read=eager.observe_read,
    stand_in=reverse.stand_in,
)
