"""``Variable``: a tensor that outlives the calls that change it.

Outside of traces its array is in `runtime/state/buffers.py`.  While a function is traced it is a
cell (`agir.ir.building.cells`) whose first value is an argument of the function; what is in the
cell at the end is what the call stores.
"""

from __future__ import annotations

import itertools
from typing import Any, NoReturn, Protocol

import numpy as np

from agir.ir import hooks
from agir.ir.building.types import Shape, TensorType, as_dtype, mlir_type
from agir.ir.emission import emit, truth
from agir.ir.ops.indexing import advanced_keys
from agir.ir.recording import explained
from agir.ir.state import assignment, creation
from agir.ir.state.assignment import Assignable
from agir.ir.state.initial_values import check_options, declared, first_value
from agir.ir.state.variable_kinds import AbstractVariable, Held
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Dim, Dims, Fixed, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import naming, trace
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import KINDS
from agir.ir.values.alternatives.choices import Chosen


class Stored(Protocol):
    """The array of a variable outside of traces."""

    @property
    def is_set(self) -> bool:
        """Whether there is a value."""
        ...

    def tensor(self) -> Tensor:
        """The value as it is now; a later assignment does not change it."""
        ...

    def part(self, variable: Variable, key: Any) -> Tensor:
        """The part that a key takes, which can be assigned to."""
        ...

    def assign(self, array: np.ndarray[Any, Any]) -> None:
        """Replace the value."""
        ...

    def update(self, operation: str, array: np.ndarray[Any, Any]) -> None:
        """Add to or subtract from the value."""
        ...

    def put(self, key: Any, array: np.ndarray[Any, Any]) -> None:
        """Replace a part."""
        ...


_numbers = itertools.count()


class Variable(Assignable, Staged):
    """A tensor that can be assigned to, and that outlives the calls that change it.

    ::

        count = ag.Variable(0)

        @ag.function
        def step(x):
            count.assign_add(1)
            return x * count

    It is used like a tensor: in operators, functions of agir and of NumPy, conditions, loops and
    subscripts.  ``assign``, ``assign_add``, ``assign_sub`` and ``v[key] = value`` change it, in
    program order; compiled functions that capture it see and leave its current value, and leave it
    as it was if the call fails.  `v[key]`, `read_value()` and `numpy()` are values of their own,
    which later assignments do not change.

    ``initial_value`` is a number, an array, a tensor, nested lists of numbers, or a function of no
    arguments that gives one; Python's ints become int32 and its floats float32, as in
    ``ag.constant``.  ``dtype`` asks for another dtype.  ``shape`` is the initial value's; with None
    for a size, values of any size there can be assigned.

    In a function that agir compiles a variable can be created on the first call only.

    >>> v = ag.Variable([1.0, 2.0])
    >>> v.assign_add([1.0, 1.0]).numpy()
    array([2., 3.], dtype=float32)

    Shapes: as its initial value, or as shape says
    Raises: AssignmentError for a value that does not fit
    """

    __slots__ = ("_declared", "_name", "_stored", "constraint", "number", "trainable")
    has_operand = True
    outlives_traces = True

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = True,
        name: str | None = None,
        dtype: Any = None,
        shape: Any = None,
        constraint: Any = None,
        **ignored: Any,
    ) -> None:
        current = trace.current()
        check_options(ignored)
        if current is not None:
            creation.check(current)
        if callable(initial_value) and not isinstance(initial_value, Tensor):
            initial_value = initial_value()
        wanted = None if dtype is None else as_dtype(dtype)
        value = first_value(initial_value, wanted, hooks.runtime.constant)
        self.dtype = value.dtype
        self._declared = declared(shape, value)
        self._name = naming.scoped(name or "Variable")
        self.weak, self.shared = False, True
        self.trainable = trainable is None or bool(trainable)
        """Whether gradients are taken with respect to it by default."""
        self.constraint = constraint
        self.number = next(_numbers)
        """Counts the variables of the process: the order in which they are locked."""
        if value.is_symbolic:
            assert current is not None
            self._stored = hooks.runtime.store(self, None)
            storage = Held(current.root, emit.cast_dims(current, value.ssa, self.dtype, self._dims))
            current.variables[id(self)] = (self, storage)
            creation.computed(current, self, value)
        else:
            self._stored = hooks.runtime.store(self, value.numpy())
            if current is not None:
                creation.made(current, self)

    # What it is.

    @property
    def name(self) -> str:
        """The name with the name scopes around it, and ``:0``, as in TensorFlow."""
        return f"{self._name}:0"

    @property
    def shape(self) -> Shape:
        """The dimensions; ``None`` for one that assignments may change."""
        return self._declared

    @property
    def is_symbolic(self) -> bool:
        """True while a function is traced: then its value is known only when that runs."""
        return trace.current() is not None

    @property
    def type(self) -> TensorType:
        """Dtype and shape."""
        return TensorType(self.dtype, self.shape) if self.is_symbolic else self._tensor().type

    # Reading.

    def read_value(self) -> Any:
        """The value as a tensor of its own."""
        current = trace.current()
        if current is None:
            tensor = self._tensor()
            return hooks.gradients.observe_read(self, tensor) if hooks.observers.active else tensor
        return current.make(self.ssa, self.dtype, self.dims)

    def value(self) -> Any:
        """The same as `read_value`."""
        return self.read_value()

    def numpy(self) -> Any:
        """The value: a read-only array, a NumPy scalar where there are no dimensions."""
        if self.is_symbolic:
            self._refuse("numpy()", "Use read_value(), or the variable itself.")
        return self._tensor().numpy()

    def is_initialized(self) -> bool:
        """False as long as the call that computes its initial value has not succeeded."""
        return self.is_symbolic or self._stored.is_set

    # Writing.

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Give it another value, of the same dtype and shape; returns the variable."""
        return self._change("assign()", None, value)

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Add a value of the same dtype and shape; returns the variable."""
        return self._change("assign_add()", "add", delta)

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Subtract a value of the same dtype and shape; returns the variable."""
        return self._change("assign_sub()", "subtract", delta)

    def _change(self, what: str, operation: str | None, value: Any) -> Variable:
        current = trace.current()
        if current is not None:
            with current.at_user_line():
                assignment.assign(current, self, what, operation, value)
            return self
        array = assignment.fitting(self, what, value)
        if operation is None:
            self._stored.assign(array)
        else:
            self._stored.update(operation, array)
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.is_symbolic:
            assignment.put(self.recorder, self, key, value)
        else:
            array = assignment.converted(self, "item assignment", value)
            self._stored.put(advanced_keys.plain(key), array)

    def __getitem__(self, key: Any) -> Any:
        current = trace.current()
        if current is None:
            part = self._stored.part(self, key)
            return hooks.gradients.observe_part(self, key, part) if hooks.observers.active else part
        now = SymbolicTensor(current, Fixed(current.scope, self.ssa), self.dtype, self.dims)
        return Part(self, key, dispatch.call("getitem", now, key))

    def _refuse_rebinding(self, other: Any) -> NoReturn:
        message = (
            f"an operator like += does not change the Variable {self.name!r}: use assign_add() or "
            "assign_sub(), or write x = x + y for a new tensor"
        )
        raise RuntimeError(explained(message))

    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = _refuse_rebinding
    __ipow__ = __imatmul__ = __iand__ = __ior__ = __ixor__ = _refuse_rebinding
    __ilshift__ = __irshift__ = _refuse_rebinding

    # What a trace sees.

    @property
    def recorder(self) -> Trace:
        """The trace that is being recorded."""
        current = trace.current()
        assert current is not None, "only a trace asks for it"
        return current

    @property
    def storage(self) -> Held:
        """The cell that it is in the present trace, as an argument of it from its first use on."""
        current = self.recorder
        found = current.variables.get(id(self))
        if found is None:
            argument = current.state_argument(self, self.dtype, self._declared, self._name)
            found = current.variables[id(self)] = (self, Held(current.root, argument))
        storage: Held = found[1]
        return storage

    @property
    def dims(self) -> Dims:  # type: ignore[override]
        """The dimensions of its present value."""
        if None not in self._declared:
            return self._dims
        ssa, scope = self.ssa, self.recorder.scope
        key = ("dims", ssa)
        found = scope.recall("memo", key)
        if found is None:
            found = scope.memo[key] = tuple(
                Dim(source=ssa, axis=axis) if size is None else size
                for axis, size in enumerate(self._declared)
            )
        return found  # type: ignore[no-any-return]

    @property
    def _dims(self) -> Dims:
        return self._declared  # type: ignore[return-value]

    @property
    def mlir_type(self) -> Any:
        """The MLIR type of the value."""
        return mlir_type(self.dtype, self._declared)

    @property
    def is_staged(self) -> bool:
        """Whether control flow that depends on it has to be recorded."""
        return self.is_symbolic

    def truth(self, trace: Trace) -> Any:
        """The truth of its present value as an SSA ``i1``."""
        return truth.truth(trace, self.read_value())

    def operand(self) -> Any:
        """Its present value."""
        return self.read_value()

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        from agir.ir.values import text

        return text.text_of(self.read_value(), conversion, spec)

    # What else a tensor has.

    def _tensor(self) -> Any:
        return self._stored.tensor()

    def item(self) -> Any:
        """The only element as a Python number."""
        return self.numpy().item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self.numpy().tolist()

    def ref(self) -> VariableReference:
        """A hashable reference, for sets and the keys of dicts; ``deref()`` gives the variable."""
        return VariableReference(self)

    def __hash__(self) -> NoReturn:
        message = "a Variable is not hashable: == compares elements; use variable.ref() as a key"
        raise TypeError(explained(message))

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        made = memo[id(self)] = _restored(*self._state())
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _restored, self._state()

    def _state(self) -> tuple[Any, ...]:
        return np.array(self.numpy()), self.trainable, self._name, self._declared, self.constraint

    def __repr__(self) -> str:
        if self.is_symbolic:
            return super().__repr__()
        known = f"numpy={np.asarray(self._tensor())!r}" if self.is_initialized() else "no value yet"
        return f"<agir.Variable {self.name!r} shape={self.shape} dtype={self.dtype}, {known}>"


class VariableReference:
    """A variable as a key: equal to another reference of the same variable."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def deref(self) -> Variable:
        """The variable."""
        return self._variable

    def __hash__(self) -> int:
        return id(self._variable)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableReference) and self._variable is other._variable


class Part(SymbolicTensor):
    """What ``variable[key]`` is in a trace: a tensor of its own, and a place to assign to."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Variable, key: Any, value: SymbolicTensor) -> None:
        super().__init__(value.recorder, value.storage, value.dtype, value.dims, value.weak)
        self.shared = value.shared
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Replace this part of the variable, which is returned."""
        self._variable[self._key] = value
        return self._variable

    def assign_add(self, delta: Any, name: str | None = None) -> Variable:
        """Add to this part of the variable, which is returned."""
        return self.assign(self._variable[self._key] + delta)

    def assign_sub(self, delta: Any, name: str | None = None) -> Variable:
        """Subtract from this part of the variable, which is returned."""
        return self.assign(self._variable[self._key] - delta)


def _restored(array: Any, trainable: bool, name: str, declared: Shape, constraint: Any) -> Variable:
    made = Variable(array, trainable=trainable, shape=declared, constraint=constraint)
    made._name = name
    return made


KINDS[Variable] = lambda trace, value, around: AbstractVariable(value)


def settled(value: Any) -> Any:
    """The value that a variable has now; anything else is itself."""
    if isinstance(value, Variable):
        return value.read_value()
    if isinstance(value, Chosen) and all(isinstance(each, Variable) for each in value._values):
        return value.operand()
    return value
