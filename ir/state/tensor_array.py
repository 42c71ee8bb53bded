"""``TensorArray``: a mutable array of tensors, eager or of a traced function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agir.autograph.operators import Place, no_state, writing
from agir.errors import InaccessibleTensorError, OperandValueError, StagingError
from agir.ir import control_flow, hooks
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, Shape, as_dtype
from agir.ir.recording import explained
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tracing import trace
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import KINDS, AbstractValue, Static
from agir.ir.values.arrays import abstract_arrays
from agir.ir.values.arrays.abstract_arrays import Handle, abstract_of_elements
from agir.ir.values.arrays.elements import Elements
from agir.ir.values.arrays.tensor_array_types import Stored, TensorArrayType
from agir.ir.values.sequences import array_pieces
from agir.records import dataclass


class TensorArray(Staged):
    """An array of tensors of one dtype, written element by element.

    It has ``size`` elements; with ``dynamic_size`` a write behind the last one makes it longer.
    Inside of a function that agir compiles it can be written and read in branches and loops that
    depend on run-time values::

        ta = ag.TensorArray(ag.float32, size=n)
        for i in ag.range(n):
            ta = ta.write(i, x[i] * 2)
        return ta.stack()

    ``write``, ``scatter``, ``unstack`` and ``split`` change the array and return it, so that a
    result which is dropped is not lost.  Where a branch or loop leaves one of two arrays in a
    variable, the variable holds an array of its own from then on, with the contents of the one
    that was chosen; after a write to it the two can no longer be used, and after a write to one of
    them, it cannot.  A TensorArray that a compiled function returns is an eager one.

    The elements have one shape: ``element_shape`` where it is given (None for sizes that are not
    known), else that of the first one written.  Outside of compiled functions ``infer_shape=False``
    lets them differ.  An element that was never written reads as zeros of that shape, which is an
    ``InvalidArgumentError`` where nothing says which shape it is.

    An index outside of the array, also a negative one, is an ``IndexError``; a value of another
    dtype is a ``TypeError``, one of another shape a ``ValueError``; each is an
    ``ag.errors.InvalidArgumentError`` where only the run time can tell.  Python numbers take the
    dtype of the array where they fit.

    ``clear_after_read``, ``colocate_with_first_write_call``, ``tensor_array_name`` and ``name`` are
    accepted and have no effect: an element can be read any number of times.  There is no ``handle``
    and no ``flow``: both must be None.

    >>> array = ag.TensorArray(ag.float32, size=2)
    >>> array.write(0, 1.0).write(1, 2.0).stack().numpy()
    array([1., 2.], dtype=float32)

    Shapes: elements [...], stacked [size, ...]
    Raises: RuntimeIndexError for an index outside, OperandValueError for elements that do not
        fit
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None or flow is not None:
            raise OperandValueError(
                "a TensorArray of agir has no handle and no flow: make a new one"
            )
        kind = TensorArrayType(
            as_dtype(dtype), bool(dynamic_size), _shape(element_shape), infer_shape
        )
        current = trace.current()
        size = 0 if size is None else size
        self._home: Scope | None = None
        """The region that has made the array; None for an eager one."""
        self._aliases: tuple[TensorArray, ...] = ()
        """The arrays that it may be, where a branch or loop has chosen it; they list it as well."""
        self._copies: list[TensorArray] = []
        self._given: Any = None
        """The argument of the traced function that it is, and its contents at first."""
        self._contents: Elements | Stored
        if current is None:
            self._contents = hooks.runtime.stored_arrays(kind, size)
        else:
            with current.at_user_line():
                self._contents = Elements.new(current, kind, size)
            self._home = current.scope
            current.journal.made(self)

    @classmethod
    def _holding(
        cls, contents: Elements | Stored, aliases: tuple[TensorArray, ...] = ()
    ) -> TensorArray:
        """A TensorArray with these contents, which may be those of one of other arrays."""
        made = cls.__new__(cls)
        made._home, made._contents, made._aliases, made._copies = None, contents, aliases, []
        made._given = None
        for each in aliases:
            each._copies.append(made)
        if isinstance(contents, Elements):
            made._home = contents.trace.scope
            contents.trace.journal.made(made)
        return made

    # What it is.

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._contents.kind.dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether a write behind the last element makes the array longer."""
        return self._contents.kind.grows

    @property
    def element_shape(self) -> Shape | None:
        """What is known of the shape of the elements; None where nothing is."""
        contents = self._contents
        if not isinstance(contents, Elements):
            return contents.shape()
        if contents.dims is None:
            return contents.kind.element_shape
        return tuple(d if isinstance(d, int) else None for d in contents.dims)

    def size(self, name: str | None = None) -> Any:
        """The number of elements: an int32 scalar."""
        contents = self._here()
        if isinstance(contents, Elements):
            return _recorded(contents, contents.count)
        return contents.size()

    # One element.

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put a value at an index; gives the array itself."""
        contents = self._here()
        if isinstance(contents, Elements):
            return self._change(lambda elements: elements.write(index, value))
        contents.write(index, value)
        return self

    def read(self, index: Any, name: str | None = None) -> Any:
        """The element at an index, a tensor of its own."""
        contents = self._here()
        if isinstance(contents, Elements):
            return _recorded(contents, lambda: contents.read(index))
        return contents.read(index)

    # All of them.

    def stack(self, name: str | None = None) -> Any:
        """The elements as one tensor, the number of the element first."""
        contents = self._here()
        if isinstance(contents, Elements):
            return _recorded(contents, contents.tensor)
        return contents.stack()

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Have the rows of a tensor as elements: no more than ``size``, unless the array grows."""
        contents = self._here()
        if isinstance(contents, Elements):
            return self._change(lambda elements: elements.holding(value))
        contents.unstack(value)
        return self

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements at the indices, a one-dimensional tensor, as one tensor."""
        contents = self._here()
        if isinstance(contents, Elements):
            return dispatch.call("gather", self.stack(), indices)
        return contents.gather(indices)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write row ``k`` of the value at ``indices[k]``, for each ``k`` in turn."""
        contents = self._here()
        if isinstance(contents, Elements):
            self._scatter(contents, indices, value)
        else:
            contents.scatter(indices, value)
        return self

    def concat(self, name: str | None = None) -> Any:
        """The elements one after the other along their first dimension."""
        contents = self._here()
        if isinstance(contents, Elements):
            return array_pieces.concatenated(contents.trace, self.stack())
        return contents.concat()

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Have pieces of a tensor as elements, which are that long along its first dimension.

        In a compiled function all pieces have one length.
        """
        contents = self._here()
        if isinstance(contents, Elements):
            return self._change(lambda elements: array_pieces.split(elements, value, lengths))
        contents.split(value, lengths)
        return self

    def identity(self) -> TensorArray:
        """Another TensorArray with the same contents."""
        contents = self._here()
        return TensorArray._holding(contents if isinstance(contents, Elements) else contents.copy())

    def close(self, name: str | None = None) -> None:
        """Nothing: an array goes when nothing refers to it any more."""

    # What control flow sees.

    @property
    def is_staged(self) -> bool:
        """False: no control flow depends on the array itself."""
        return False

    def frozen(self) -> Any:
        """The array with the contents that it has now."""
        contents = self._contents
        return Snapshot(self, contents) if isinstance(contents, Elements) else self

    def _elements(self) -> Elements:
        """The contents, if they exist where recording stands."""
        found = self._existing()
        assert isinstance(found, Elements), "a trace carries arrays of its own"
        return found

    def _restore(self, contents: Any) -> None:
        """Have these contents again."""
        self._contents = abstract_arrays.elements_of(contents)

    def _here(self) -> Elements | Stored:
        """The contents, if they can be used."""
        contents = self._existing()
        if isinstance(contents, Elements) and contents.spoiled is not None:
            raise StagingError(
                contents.trace.explain(
                    "a branch or loop has chosen between this TensorArray and another, and the one "
                    f"that it chose is written to at {contents.spoiled}, or the other way round: "
                    "use only one of the names from there on, or choose an identity()"
                )
            )
        return contents

    def _existing(self) -> Elements | Stored:
        current, contents = trace.current(), self._contents
        if isinstance(contents, Elements):
            if current is contents.trace and current.scope.encloses(contents.home):
                return contents
            what = "made inside a loop body, a branch or another compiled function"
            advice = "assign it to a variable that the loop or branch carries, or return it"
        elif current is None:
            return contents
        else:
            what = "made outside of this compiled function"
            advice = "pass its stack(), and unstack() it into one that the function makes"
        message = f"a TensorArray {what} is used here; {advice}"
        raise InaccessibleTensorError(explained(message))

    def _change(self, new: Callable[[Elements], Elements]) -> TensorArray:
        contents = self._elements()
        writing(AllElements(self))
        self._contents = _recorded(contents, lambda: new(contents))
        for each in _ancestors(self) + _descendants(self):
            each._spoil(contents.trace)
        return self

    def _spoil(self, current: Trace) -> None:
        """Let nothing read what may have been written under another name."""
        contents = self._contents
        visible = self._home is not None and current.scope.encloses(self._home)
        if visible and isinstance(contents, Elements) and contents.spoiled is None:
            writing(AllElements(self))
            self._contents = replace(contents, spoiled=str(current.place()))

    def _scatter(self, contents: Elements, indices: Any, value: Any) -> None:
        current = contents.trace
        with current.at_user_line():
            pairs = array_pieces.pairs(contents, indices, value)
        control_flow.for_stmt(current, pairs, lambda pair: self._put(*pair), None, no_state)

    def _put(self, index: Any, row: Any) -> None:
        self.write(index, row)

    def __repr__(self) -> str:
        grows = ", dynamic_size=True" if self.dynamic_size else ""
        return f"<agir.TensorArray of {self.dtype}, element_shape={self.element_shape}{grows}>"


@dataclass(frozen=True, eq=False)
class Snapshot(Staged):
    """A TensorArray as it was at the end of a branch or loop body."""

    array: TensorArray
    contents: Elements

    def _elements(self) -> Elements:
        """The contents that it had."""
        return self.contents


class AllElements(Place):
    """All that is in a TensorArray of a trace."""

    name = "the TensorArray"

    def __init__(self, owner: TensorArray) -> None:
        self.owner: TensorArray = owner
        self.key = ("elements", id(owner))

    def get(self) -> Any:
        return self.owner._contents

    def set(self, value: Any) -> None:
        self.owner._restore(value)


def _ancestors(array: TensorArray) -> list[TensorArray]:
    return [each for alias in array._aliases for each in (alias, *_ancestors(alias))]


def _descendants(array: TensorArray) -> list[TensorArray]:
    return [each for copy in array._copies for each in (copy, *_descendants(copy))]


def _recorded(contents: Elements, make: Callable[[], Any]) -> Any:
    with contents.trace.at_user_line():
        return make()


def _shape(shape: Any) -> Shape | None:
    if shape is None:
        return None
    sizes = shape if isinstance(shape, Sequence) else (shape,)
    return tuple(None if size is None else int(size) for size in sizes)


def _abstract_of_array(current: Trace, value: Any, around: Scope | None) -> AbstractValue:
    if isinstance(value, TensorArray) and not isinstance(value._contents, Elements):
        return Static(value)
    contents = abstract_of_elements(current, abstract_arrays.elements_of(value), around)
    array = value.array if isinstance(value, Snapshot) else value
    scope = current.scope if around is None else around
    if array._home is not None and scope.encloses(array._home):
        return Handle(array, replace(contents, aliases=(array,)))
    return replace(contents, aliases=array._aliases)


KINDS[Elements] = abstract_of_elements
KINDS[TensorArray] = _abstract_of_array
KINDS[Snapshot] = _abstract_of_array
