"""Symbolic tensors: what stands for a run-time value while a function is traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks, recording
from agir.ir.building.cells import Cell, Scope
from agir.ir.building.types import DType, Shape, TensorType, bool_, mlir_type
from agir.ir.recording import Recorder
from agir.ir.table import TABLE
from agir.ir.tensors import lacking, markers, structure
from agir.ir.tensors.markers import Markers
from agir.ir.tensors.staged import Keyed, Staged, StandsIn, known_as
from agir.ir.tensors.tensor import AS_THEY_ARE, Tensor, is_operand


class Dim:
    """A dimension known only at run time.

    Two tensors that share a ``Dim`` have equal sizes there, so nothing needs to be checked when
    they meet.  The size is read from the tensor (``tensor.dim``) when it is first asked for, right
    after the tensor's definition, so that it is visible wherever the tensor is.
    """

    __slots__ = ("_axis", "_source", "_value")

    def __init__(self, value: Any = None, source: Any = None, axis: int = 0) -> None:
        self._value = value
        self._source = source
        self._axis = axis

    def value(self, trace: Recorder) -> Any:
        """The size as an SSA value of type ``index``."""
        if self._value is None:
            self._value = trace.insert_dim(self._source, self._axis)
        return self._value

    @property
    def is_of_argument(self) -> bool:
        """Whether it is a size of what a region is given."""
        return self._source is not None and self._source.maker is None

    @property
    def identity(self) -> Any:
        """What two have in common that are known to be equal."""
        return (self._source, self._axis) if self._value is None else self._value

    def is_visible_in(self, scope: Scope) -> bool:
        """True where the size may be used in the scope, whose blocks are still detached."""
        ssa = self._source if self._value is None else self._value
        block = ssa.block
        around: Scope | None = scope
        while around is not None:
            if around.block is block:
                return True
            around = around.parent
        return False


Dims = tuple["int | Dim", ...]


def static_shape(dims: Dims) -> Shape:
    """The dimensions as ints, ``None`` for one that is known only at run time."""
    if dims in _STATIC:
        return dims  # type: ignore[return-value]
    for size in dims:
        if type(size) is not int:
            return tuple(d if isinstance(d, int) else None for d in dims)
    if len(_STATIC) < 4096:
        _STATIC.add(dims)
    return dims  # type: ignore[return-value]


_STATIC: set[Dims] = set()
"""Dimensions of which all are known, as some that are asked about again and again."""


class Fixed:
    """Storage of a value that never changes: scalars, and results nobody can write to."""

    __slots__ = ("home", "ssa")

    def __init__(self, home: Scope, ssa: Any) -> None:
        self.home = home
        self.ssa = ssa

    @property
    def origin(self) -> Any:
        """The SSA value that the tensor began with."""
        return self.ssa

    def read(self, trace: Recorder) -> Any:
        """The SSA value; ``LookupError`` outside the region in which it exists."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        return self.ssa


class PartOfOne(Fixed):
    """Storage of a part of one of several arrays, of which it is not known which one it is."""

    __slots__ = ()


class Retrace(BaseException):
    """Ends the trace: the next one has to know more from its beginning."""

    endless = "the function has to be traced again, without an end"
    """What is said where so much turns up in one trace after the other."""

    def tell(self, trace: Recorder) -> None:
        """Have a trace that begins know it."""
        raise NotImplementedError


class Track(Retrace):
    """It is of consequence which of several arrays a name stands for."""

    def tell(self, trace: Recorder) -> None:
        """The trace notes that."""
        trace.tracks_arrays = True


class Owned:
    """Storage of an array of its own: a cell."""

    __slots__ = ("cell",)

    def __init__(self, home: Scope, ssa: Any) -> None:
        self.cell = Cell(home, ssa)

    @property
    def home(self) -> Scope:
        """The region that made the array."""
        return self.cell.home

    @property
    def origin(self) -> Any:
        """The SSA value that the array began with."""
        return self.cell.initial

    def read(self, trace: Recorder) -> Any:
        """The array's current SSA value."""
        return trace.scope.read(self.cell)

    def write(self, trace: Recorder, ssa: Any) -> None:
        """Give the array new contents."""
        if any(each.storage is self for each in trace.watched):
            self.refuse(trace)
        trace.scope.write(self.cell, ssa)

    def refuse(self, trace: Recorder) -> NoReturn:
        """End a trace in which something else should see that the array is written to."""
        if not trace.tracks_arrays:
            raise Track
        raise StagingError(
            trace.explain(
                "this array is assigned into, and there is a copy of its elements that would have to "
                "change, too: an item of a list of run-time length, or what a branch or loop has made "
                "of it that depends on values of there; take it after the assignment, or copy the "
                "array, as in rows.append(x.copy())"
            )
        )


READ_ONLY = "the array is read-only; assign into a copy (x = x.copy())"


def write_into(trace: Recorder, storage: Any, ssa: Any) -> None:
    """Give an array new elements; where it cannot be written into, fail when the function runs."""
    if is_writable(storage):
        storage.write(trace, ssa)
    else:
        trace.guard(trace.constant(bool_, False), trace.site("argument", READ_ONLY))


class Protected(Owned):
    """Storage of an argument that is read-only: who gets so far as to write into it fails."""

    __slots__ = ()

    def write(self, trace: Recorder, ssa: Any) -> None:
        """Fail when the compiled function runs."""
        trace.guard(trace.constant(bool_, False), trace.site("argument", READ_ONLY))


_CONCRETE = (
    "{what} needs the value of a tensor that has none yet: it is being traced, and its value exists "
    "only when the compiled function runs. {advice}"
)


_TEXT_ADVICE = (
    "Functions that AutoGraph converts format and print tensors when they run; here Python itself "
    "formats it, in code that is not converted."
)


def is_writable(storage: Any) -> bool:
    """Whether a storage, or the one that a checked one stands for, can be written to."""
    while hasattr(storage, "inner"):
        storage = storage.inner
    return hasattr(storage, "write")


def is_array(x: Any) -> bool:
    """Whether a tensor is what an array of NumPy's would be, of any rank, and no number of its."""
    if not isinstance(x, SymbolicTensor):
        return False
    return bool(x.dims) or isinstance(x.storage, PartOfOne) or is_writable(x.storage)


def is_only_number(x: Any) -> bool:
    """Whether a value is a number, known or of the run time, of which nothing is shared or written."""
    kind = type(x)
    if kind is SymbolicTensor:
        return not x.dims and type(x.storage) is Fixed
    return kind is int or kind is float or kind is bool or kind is complex


def known_elements(x: Any) -> np.ndarray[Any, Any] | None:
    """The elements of an array, or of a part of one, that tracing knows and nothing has changed."""
    if not isinstance(x, SymbolicTensor):
        return None
    if x.taken is not None:
        whole, key = x.taken
        found = known_elements(whole)
        return None if found is None or holds_run_time(key) else found[key]
    known = getattr(x.storage, "known", None)
    if known is None or not (x.storage.never_changes or not _in_turns(x)):
        return None
    elements: np.ndarray[Any, Any] = known
    return elements


def as_known(x: Any) -> Any:
    """The elements of an array, if tracing knows them; else the array itself."""
    found = known_elements(x)
    return x if found is None else found


def _in_turns(x: SymbolicTensor) -> bool:
    """Whether a later iteration of a loop around may have changed what is read."""
    return bool(x.recorder.scope.repeats_since(x.storage.home))


def own_elements(trace: Recorder, tensor: SymbolicTensor) -> None:
    """Give a tensor whose elements are made on demand elements that can be written."""
    if hasattr(tensor.storage, "own"):
        tensor.storage.own(trace, tensor)


def _in_place(name: str) -> Any:
    """The operator ``tensor op= other``; plain rebinding where arrays are not mutable."""

    def method(self: SymbolicTensor, other: Any) -> Any:
        if not self.recorder.convention.arrays_are_mutable:
            return NotImplemented
        if not is_array(self):
            return NotImplemented
        if not is_operand(other):
            return NotImplemented
        return hooks.tensors.update_in_place(self, name, other)

    return method


def _is_truth(value: Any) -> bool:
    """Whether it is a bool of Python's, which is an int where it is computed with."""
    if isinstance(value, SymbolicTensor):
        return value.weak and not value.dims and value.dtype.is_bool
    return isinstance(value, bool)


def _beside(name: str) -> Any:
    """An operator that a number of Python's and a list or tuple have none of."""

    def method(self: SymbolicTensor, other: Any) -> Any:
        return NotImplemented if self._is_apart(other) else getattr(Tensor, name)(self, other)

    return method


def _of_truths(name: str) -> Any:
    """Python's operator, of whose bools the numbers 0 and 1 are taken."""
    method = getattr(Tensor, name)

    def operator(self: SymbolicTensor, *others: Any) -> Any:
        if any(map(self._is_apart, others)):
            return NotImplemented
        if _is_truth(self) and all(map(_is_truth, others)):
            number = TABLE["cast"](self, "int64")
            self = SymbolicTensor(self.recorder, number.storage, number.dtype, (), weak=True)
        return method(self, *others)

    return operator


def _checked(operator: str, name: str) -> tuple[Any, Any]:
    """Python's operator and its reflection, for a division or power: floats of Python's may fail."""
    forth, back = _of_truths(f"__{operator}__"), _of_truths(f"__r{operator}__")

    def method(self: SymbolicTensor, other: Any) -> Any:
        return hooks.tensors.checked_float(name, forth(self, other), self, other)

    def reflected(self: SymbolicTensor, other: Any) -> Any:
        return hooks.tensors.checked_float(name, back(self, other), other, self)

    return method, reflected


@known_as("Tensor")
class SymbolicTensor(Tensor):
    """A tensor that exists when the traced function runs."""

    __slots__ = ("dims", "dtype", "recorder", "shared", "storage", "taken", "viewed", "weak")
    dtype: DType
    """The element type."""

    def __init__(
        self, trace: Recorder, storage: Any, dtype: DType, dims: Dims, weak: bool = False
    ) -> None:
        self.recorder = trace
        self.storage = storage
        self.dtype = dtype
        self.dims = dims
        self.weak = weak
        self.shared = False
        """Whether something outside the function, or another tensor, has the same elements."""
        self.taken: tuple[SymbolicTensor, Any] | None = None
        """The array and the key that it was taken with, for a view."""
        self.viewed = False
        """Whether the storage of another tensor refers to this one."""

    __neg__, __pos__, __invert__ = map(_of_truths, ("__neg__", "__pos__", "__invert__"))
    __abs__ = _of_truths("__abs__")
    __add__, __radd__ = map(_of_truths, ("__add__", "__radd__"))
    __sub__, __rsub__ = map(_of_truths, ("__sub__", "__rsub__"))
    _times, _timed = map(_of_truths, ("__mul__", "__rmul__"))
    __truediv__, __rtruediv__ = _checked("truediv", "divide")
    __floordiv__, __rfloordiv__ = _checked("floordiv", "floor_divide")
    __mod__, __rmod__ = _checked("mod", "remainder")
    __pow__, __rpow__ = _checked("pow", "power")
    __lshift__, __rlshift__ = map(_of_truths, ("__lshift__", "__rlshift__"))
    __rshift__, __rrshift__ = map(_of_truths, ("__rshift__", "__rrshift__"))
    __and__, __rand__ = map(_beside, ("__and__", "__rand__"))
    __or__, __ror__ = map(_beside, ("__or__", "__ror__"))
    __xor__, __rxor__ = map(_beside, ("__xor__", "__rxor__"))
    __matmul__, __rmatmul__ = map(_beside, ("__matmul__", "__rmatmul__"))
    __divmod__, __rdivmod__ = map(_beside, ("__divmod__", "__rdivmod__"))

    def __getitem__(self, key: Any) -> Any:
        if self.weak and not self.dims and self.recorder.convention.arrays_are_mutable:
            raise TypeError(f"'{lacking.kind_of(self)}' object is not subscriptable")
        return super().__getitem__(key)

    def __mul__(self, other: Any) -> Any:
        return self._repeated(other) if self._repeats(other) else self._times(other)

    def __rmul__(self, other: Any) -> Any:
        return self._repeated(other) if self._repeats(other) else self._timed(other)

    def _repeats(self, other: Any) -> bool:
        """Whether it is a number that repeats a sequence, which sees to that."""
        return isinstance(other, (list, tuple, str, bytes)) and self.is_count

    @property
    def is_count(self) -> bool:
        """Whether a product with a sequence is not one with an array: for numbers, NumPy's too."""
        is_number = self.weak or (
            self.recorder.convention.arrays_are_mutable and not is_array(self)
        )
        return is_number and not self.dims

    def check_count(self) -> None:
        """Raises ``TypeError`` if it is not an int, as sequences do that are multiplied by it."""
        if self.dtype.kind in "fc" or (self.dtype.kind == "b" and not self.weak):
            kinds = {"f": "float", "c": "complex"}
            name = kinds[self.dtype.kind] if self.weak else f"numpy.{self.dtype.name}"
            raise TypeError(f"can't multiply sequence by non-int of type '{name}'")

    def _repeated(self, other: Any) -> Any:
        """A text or tuple so many times; lists see to it themselves.

        How long a tuple is says what is recorded, if tracing may know it.
        """
        self.check_count()
        trace = self.recorder
        if not trace.convention.arrays_are_mutable:
            return NotImplemented
        if isinstance(other, str):
            return hooks.tensors.repeated_text(trace, other, self)
        may_be_known = trace.known_numbers.may_be_known(self.ssa, trace.root.block)
        if type(other) is not tuple or (other and may_be_known):
            return NotImplemented
        return hooks.tensors.repeated_tuple(other, self)

    def __eq__(self, other: Any) -> Any:
        if self._is_apart(other):
            return NotImplemented
        return self._differs(other, False) if self._has_none(other) else super().__eq__(other)

    def __ne__(self, other: Any) -> Any:
        if self._is_apart(other):
            return NotImplemented
        return self._differs(other, True) if self._has_none(other) else super().__ne__(other)

    __lt__, __le__, __gt__, __ge__ = map(_beside, ("__lt__", "__le__", "__gt__", "__ge__"))

    def _is_apart(self, other: Any) -> bool:
        """Whether it is a number of Python's, which no list or tuple equals; arrays look into them."""
        is_number = self.weak and not self.dims and isinstance(other, list | tuple)
        return is_number and self.recorder.convention.arrays_are_mutable

    def _has_none(self, other: Any) -> bool:
        """Whether no element can be equal to what is no number, which NumPy says of each of them."""
        is_none = (other is None or isinstance(other, str)) and bool(self.dims)
        return is_none and self.is_symbolic and self.recorder.convention.arrays_are_mutable

    def _differs(self, other: Any, answer: bool) -> Any:
        return TABLE["fill_like"](TABLE["cast"](self, "bool"), answer)

    @property
    def is_symbolic(self) -> bool:
        """True: the value is yet to come."""
        return True

    @property
    def unchecked(self) -> SymbolicTensor:
        """The tensor itself.

        Of one that is checked where it is read (``values/alternatives/optional``).
        """
        return self

    @property
    def shape(self) -> Shape:
        """The dimensions; ``None`` for one that is unknown until run time."""
        return static_shape(self.dims)

    @property
    def type(self) -> TensorType:
        """Dtype, shape and weakness."""
        return TensorType(self.dtype, self.shape, self.weak)

    @property
    def mlir_type(self) -> Any:
        """The MLIR type of the value."""
        return mlir_type(self.dtype, self.shape)

    @property
    def ssa(self) -> Any:
        """The current SSA value, as seen where recording stands."""
        current = recording.current() or self.recorder
        return current.read(self)

    def numpy(self) -> np.ndarray[Any, Any]:
        """Raises ``OperatorNotAllowedInGraphError``: there is no value while tracing."""
        self._refuse("numpy()", "Return the tensor, or print it with agir.print.")

    def __copy__(self) -> Any:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.copy() if self.dims or is_array(self) else self  # a number never changes

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._refuse("pickle", "Return the array, and pickle what the call gives.")

    def must_be_known(self) -> NoReturn:
        """Refuse an argument that says what is recorded, such as the number of results."""
        self._refuse(
            "this argument",
            "It says what is recorded: give a number that the text of the function has, or name the "
            "argument that it comes from in ag.jit(static=(...)).",
        )

    def __getattr__(self, name: str) -> Any:
        method = None if name.startswith("_") else hooks.tensors.number_method(self, name)
        if method is None:
            raise AttributeError(lacking.message(self, name))
        return method

    def __setitem__(self, key: Any, value: Any) -> None:
        hooks.tensors.set_item(self, key, value)

    def __delitem__(self, key: Any) -> NoReturn:
        raise ValueError(self.recorder.explain("cannot delete array elements; use numpy.delete"))

    __iadd__, __isub__ = _in_place("add"), _in_place("subtract")
    __imul__, __itruediv__ = _in_place("multiply"), _in_place("divide")
    __ifloordiv__, __imod__ = _in_place("floor_divide"), _in_place("remainder")
    __ipow__, __imatmul__ = _in_place("power"), _in_place("matmul")
    __iand__, __ior__ = _in_place("bitwise_and"), _in_place("bitwise_or")
    __ixor__ = _in_place("bitwise_xor")
    __ilshift__, __irshift__ = _in_place("bitwise_left_shift"), _in_place("bitwise_right_shift")

    # Python asks for the value.

    def _refuse(self, what: str, advice: str, size: bool = False) -> NoReturn:
        self.recorder.refusing(what, self)
        message = _CONCRETE.format(what=what, advice=advice)
        if special := self.recorder.special_method():
            message += (
                f" Python itself calls {special}, which is converted only if it says so: decorate it "
                "with ag.autograph.convert."
            )
        error = OperatorNotAllowedInGraphError(self.recorder.explain(message))
        error.needs_sizes = size
        raise error

    def __hash__(self) -> NoReturn:
        self.recorder.refusing("hash(tensor)", self)
        raise OperatorNotAllowedInGraphError(
            self.recorder.explain(
                "a Tensor is not hashable, which sets and the keys of new entries of dicts have to "
                "be (== compares elements): use a list or an array (and numpy.unique), a value that "
                "is known while tracing, or id(tensor)"
            )
        )

    def __bool__(self) -> bool:
        self._refuse(
            "bool(tensor)",
            "Data-dependent control flow is recorded in functions that AutoGraph converts; here "
            "the condition is evaluated by Python itself.",
        )

    def __int__(self) -> int:
        self._refuse("int(tensor)", "Use agir.cast(x, agir.int64) to convert it at run time.")

    def __float__(self) -> float:
        self._refuse("float(tensor)", "Use agir.cast(x, agir.float64) to convert it at run time.")

    def __complex__(self) -> complex:
        self._refuse("complex(tensor)", "Use agir.cast(x, agir.complex128).")

    def __index__(self) -> int:
        self._refuse(
            "using a tensor as a Python integer",
            "A Python list, range or shape needs an int that is known while tracing; make it a "
            "static argument, or index a tensor instead.",
        )

    def __len__(self) -> int:
        if not self.dims:
            raise TypeError(self.recorder.explain("len() of a scalar tensor: it has no dimensions"))
        size = self.dims[0]
        if isinstance(size, int):
            return size
        self._refuse("len(tensor)", "Its first dimension is dynamic; use agir.shape(x)[0].", True)

    def __iter__(self) -> Iterator[Any]:
        if not self.dims:
            raise TypeError(
                self.recorder.explain("iteration over a scalar tensor: it has no dimensions")
            )
        size = self.dims[0]
        if isinstance(size, int):
            return (self[i] for i in range(size))
        self._refuse(
            "iteration over it by Python itself",
            "Its first dimension is known only at run time: write a loop, or take items by their "
            "positions.",
            True,
        )

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self._refuse("numpy.asarray(tensor)", "Use an operation of agir, or of NumPy on tensors.")

    def __dlpack__(self, **options: Any) -> Any:
        self._refuse("DLPack", "Use an operation of agir, or of NumPy on tensors.")

    def _written(self, collector: Markers | None, conversion: str, spec: str = "") -> str:
        if collector is None:
            self._refuse("the text of a tensor", _TEXT_ADVICE)
        return hooks.texts.written(self, conversion, spec, collector)

    def __format__(self, spec: str) -> str:
        return self._written(markers.collecting(), "", spec)

    def __str__(self) -> str:
        return self._written(markers.collecting(), "s")

    def __repr__(self) -> str:
        if markers.is_collecting():
            return self._written(markers.collecting(), "r")
        return f"<symbolic tensor {self.type}>"


def is_run_time(value: object) -> bool:
    """Whether a value is itself known only when the program runs; not what is in a container."""
    if isinstance(value, Staged):
        return value.is_staged
    return isinstance(value, SymbolicTensor | StandsIn)


def holds_run_time(value: Any) -> bool:
    """True for a run-time value, and a tuple or list of one."""
    if isinstance(value, (list, tuple)) and not is_run_time(value):
        return any(map(holds_run_time, value))
    return is_run_time(value)


def holds_key(value: Any) -> bool:
    """Whether a key of a dict is a value of the run time, or a tuple with such in it."""
    if isinstance(value, (list, tuple)) and not is_run_time(value):
        return any(map(holds_key, value))
    return is_run_time(value) or isinstance(value, Keyed)


AS_THEY_ARE.add(SymbolicTensor)
structure.LEAVES.add(SymbolicTensor)
