"""One trace of a function, compiled: how it is called and how its results come back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir import autograph
from agir.backends.cpu.engine import Executable
from agir.backends.reference import Interpreter
from agir.backends.stages import Compilation
from agir.ir import dispatch, structure
from agir.ir.convention import Convention
from agir.ir.types import TensorSpec
from agir.ir.variables import Variable
from agir.runtime import array_arguments, failures
from agir.runtime.arguments import Signature
from agir.runtime.dumping import dump
from agir.runtime.state import Captured, Initialiser, State, array_of
from agir.runtime.tensor import EagerTensor
from agir.runtime.tracing import Recorded, Result, as_array, record


class ConcreteFunction:
    """One trace of a function, compiled for the types of its run-time arguments.

    It is called with the run-time values in the order of the signature, or with the arguments of
    the function; ``module`` is its MLIR, ``compilation`` its stages.
    """

    def __init__(self, recorded: Recorded, owner: TracedFunction) -> None:
        self._recorded = recorded
        self._owner = owner
        self._executable: Callable[[Sequence[Any]], list[Any]] | None = None
        self._lock = threading.Lock()
        self._accepted: set[Any] = set()
        self._in_place = False
        self.quick: Callable[[Sequence[Any]], Any] = self.call_flat
        """Calls with positional run-time values whose quick key is known to fit."""
        self._dtypes = [d.numpy for d in recorded.dtypes]
        first = len(recorded.leaves)
        targets = {} if owner.jit_compile is False else recorded.in_place
        replaced = {n: result for n, result in recorded.updated if result not in targets}
        written = {n: targets[r] - first for n, r in recorded.updated if r in targets}
        self._state = State(recorded.captures, replaced, written)
        self.initialiser: Initialiser | None = None
        """Computes the initial values of variables that the trace has created."""
        self.compilation = Compilation.from_module(recorded.module)

    @property
    def name(self) -> str:
        """The symbol of the function in its module."""
        return self._recorded.name

    @property
    def variables(self) -> list[Variable]:
        """The variables that it has captured, in the order of the compiled function's arguments."""
        return self._state.variables()

    @property
    def structured_input_signature(self) -> tuple[tuple[TensorSpec, ...], dict[str, TensorSpec]]:
        """The types of the run-time arguments."""
        return tuple(leaf.spec() for leaf in self._recorded.leaves), {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call with arguments of the types that it was traced for; ``TypeError`` for others."""
        key = None if kwargs else self._owner.signature.quick_key(args)
        if key is not None and key in self._accepted:
            return self.quick(args)
        values = self._owner.values_for(self, args, kwargs)
        if key is not None and len(values) == len(args):
            self._accepted.add(key)
        return self.call_flat(values)

    def accepts(self, leaves: Sequence[Any]) -> bool:
        """True where values of these types may be passed."""
        mine = self._recorded.leaves
        return len(leaves) == len(mine) and all(
            m.spec().is_compatible_with(other) for m, other in zip(mine, leaves, strict=True)
        )

    def call_flat(self, values: Sequence[Any]) -> Any:
        """Call with the run-time values alone."""
        recorded = self._recorded
        if (initialiser := self.initialiser) is not None:
            initialiser.run(values)
            self.initialiser = None
        arrays = [as_array(v, leaf) for v, leaf in zip(values, recorded.leaves, strict=True)]
        if recorded.mutated:
            self._check_overlap(arrays)
        run = self._executable or self._compile()
        outputs = self._state.call(run, arrays, self._check)
        if not self._in_place:
            for position, result in recorded.mutated:
                values[position][...] = outputs[result]
        for position, contents in recorded.updates:
            array_arguments.restored(values[position], _assembled(contents, outputs, _as_it_is))
        return self._structured(values, outputs)

    def _check(self, outputs: Sequence[Any]) -> None:
        """Raise what the compiled function has noted in its error record."""
        if self._recorded.can_fail:
            code, first, second = (int(v) for v in outputs[-3:])
            if code:
                raise failures.exception(self._recorded.sites, code, first, second)

    def _check_overlap(self, arguments: Sequence[Any]) -> None:
        """Refuse an array that is written into and that another argument shares memory with."""
        captured = (each for each in self._recorded.captures if not isinstance(each, Captured))
        arrays = [*arguments, *map(array_of, captured)]
        for position, _ in self._recorded.mutated:
            for other, array in enumerate(arrays):
                if other != position and _overlap(arrays[position], array):
                    names = [leaf.name for leaf in self._recorded.leaves] + ["a captured array"]
                    second = names[min(other, len(names) - 1)]
                    raise ValueError(
                        f"{self.name} writes into {names[position]!r}, which shares memory with "
                        f"{second!r}: pass a copy of one of them"
                    )

    def _structured(self, values: Sequence[Any], outputs: Sequence[Any]) -> Any:
        wrap = _tensor if self._owner.convention.returns_tensors else _as_it_is
        leaves = []
        for result in self._recorded.results:
            if result.argument is not None:
                leaves.append(array_arguments.owner(values[result.argument]))
            else:
                leaves.append(_assembled(result, outputs, wrap))
        return structure.unflatten(self._recorded.structure, iter(leaves))

    def _shorten(self) -> None:
        """Where nothing but one result comes back, skip what other functions need."""
        recorded, run = self._recorded, self._executable
        first = recorded.results[0] if recorded.results else None
        alone = recorded.structure is None and first is not None and first.index == 0
        alone = alone and first.slot is None  # type: ignore[union-attr]
        if not alone or recorded.captures or recorded.can_fail or recorded.mutated or run is None:
            return
        if not self._owner.convention.returns_tensors:
            self.quick = lambda values: run([_raw(v) for v in values])[0]
            return
        self.quick = lambda values: EagerTensor(np.asarray(run([_raw(v) for v in values])[0]))

    def _compile(self) -> Callable[[Sequence[Any]], list[Any]]:
        with self._lock:
            if self._executable is None:
                record = [np.dtype(np.int64)] * 3 if self._recorded.can_fail else []
                dtypes = [*self._dtypes, *record]
                dump(self.compilation, self.name, self._owner.source)
                if self._owner.jit_compile is False:
                    interpreter = Interpreter(self._recorded.module, self._recorded.given)
                    self._executable = lambda values: [
                        v.view(d)
                        for v, d in zip(
                            interpreter.call(self.name, *map(_signless, values)),
                            dtypes,
                            strict=True,
                        )
                    ]
                else:
                    self._in_place = self._recorded.writes_in_place
                    kept = len(self._dtypes) - len(self._recorded.in_place)
                    program = Executable(
                        self.compilation,
                        self.name,
                        [*self._dtypes[:kept], *record],
                        self._recorded.given,
                    )
                    self._executable = program.call
                self._shorten()
            return self._executable


def _tensor(value: Any) -> EagerTensor:
    return EagerTensor(np.asarray(value))


def _as_it_is(value: Any) -> Any:
    return value


def _raw(value: Any) -> Any:
    return value.array if type(value) is EagerTensor else value


def _signless(value: Any) -> Any:
    """Integers as MLIR has them, without a sign: the interpreter knows signed ones."""
    unsigned = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "u"
    return value.view(f"i{value.dtype.itemsize}") if unsigned else value


def _assembled(result: Result, outputs: Sequence[Any], wrap: Callable[[Any], Any]) -> Any:
    """A leaf of what the caller gets, from the outputs of the compiled function."""
    if result.slot is not None:
        return result.slot.assemble(iter(outputs[result.index :]).__next__, wrap)
    return result.value if result.index is None else wrap(outputs[result.index])


def _overlap(left: Any, right: Any) -> bool:
    return (
        isinstance(right, np.ndarray)
        and np.may_share_memory(left, right)
        and np.shares_memory(left, right)
    )


class TracedFunction:
    """The part of a decorated function that its traces share; it holds no trace itself."""

    def __init__(
        self,
        python_function: Callable[..., Any],
        convention: Convention,
        signature: Signature,
        jit_compile: bool | None,
        convert: bool,
        implements: str | None,
    ) -> None:
        self.python_function = python_function
        self.convention = convention
        self.signature = signature
        self.jit_compile = jit_compile
        self.convert = convert
        self.attributes = {} if implements is None else {"implements": implements}

    def source(self) -> str:
        """The converted source: the ``autograph`` stage."""
        return autograph.to_code(self.python_function)

    def values_for(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[Any]:
        """The run-time values in a call of a concrete function, checked against its types."""
        leaves = list(args) + list(kwargs.values())
        known = concrete.variables
        leaves = [v for v in leaves if not any(v is variable for variable in known)]
        values, types = self._leaves(leaves)
        if not concrete.accepts(types) and len(args) + len(kwargs) == len(
            self.signature.python.parameters
        ):
            values, types = self._leaves(list(self.signature.bind(args, kwargs).values()))
        if not concrete.accepts(types):
            expected = ", ".join(map(repr, concrete.structured_input_signature[0]))
            given = ", ".join(repr(TensorSpec(t.shape, t.dtype)) for t in types)
            raise TypeError(f"{concrete.name} takes ({expected}), got ({given})")
        return values

    def _leaves(self, arguments: list[Any]) -> tuple[list[Any], list[Any]]:
        flat = [leaf for a in arguments for leaf in structure.flatten(a)[0]]
        values = [v for v in flat if v is not None and not isinstance(v, (str, bytes))]
        return values, [dispatch.type_of(v) for v in values]

    def trace(
        self, arguments: dict[str, Any], leaves: Sequence[Any], may_create: bool = False
    ) -> ConcreteFunction:
        """Trace for these arguments: twice, if that creates variables."""
        recorded = self._record(arguments, leaves, may_create)
        if not recorded.created:
            return ConcreteFunction(recorded, self)
        try:
            concrete = ConcreteFunction(self._record(arguments, leaves, False), self)
        except BaseException:
            recorded.forget()
            raise
        if computed := [c.variable for c in recorded.created if c.initial is not None]:
            initial = ConcreteFunction(recorded, self)
            concrete.initialiser = Initialiser(computed, initial.call_flat)
        recorded.settle()
        return concrete

    def _record(self, arguments: dict[str, Any], leaves: Sequence[Any], creating: bool) -> Recorded:
        return record(
            self.python_function,
            self.signature.template(arguments),
            leaves,
            self.signature.apply,
            self.convention,
            _symbol(self.python_function),
            self.attributes,
            self.convert,
            creating,
        )


def _symbol(python_function: Callable[..., Any]) -> str:
    name = getattr(python_function, "__name__", type(python_function).__name__)
    return "lambda_" if name == "<lambda>" else name
