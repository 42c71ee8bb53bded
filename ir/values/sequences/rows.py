"""The rows of an array as the items of a list: views of the array until the list changes.

``rows = list(a)`` copies nothing where the number of rows is known only at run time: as in Python, a
row that is taken out is a view, which sees what is written into the array and writes into it.  What
puts something into the list, or carries it through a branch or loop, makes columns of the rows: copies,
so that nothing may be written into the array from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns
from agir.ir.values.abstract_values import AbstractValue, Typed
from agir.ir.values.arrays.one_array import as_item, may_alias_set
from agir.ir.values.arrays.one_of import watch
from agir.ir.values.arrays.parts import any_row
from agir.ir.values.heap.abstract_items import as_seen, general, is_seen
from agir.ir.values.heap.items import Items
from agir.records import dataclass


@dataclass(frozen=True, eq=False)
class Rows(Items):
    """The rows of an array, none of which has been copied."""

    whole: Any = None
    """The array."""

    @classmethod
    def of(cls, current: Trace, tensor: SymbolicTensor) -> Rows:
        """The rows of an array; of one dimension, the numbers that it has now."""
        element: AbstractValue = general(Typed(tensor.dtype, tensor.dims[1:], tensor.weak))
        if len(tensor.dims) == 1:
            tensor = current.make(tensor.ssa, tensor.dtype, tensor.dims, tensor.weak)
        elif is_seen(tensor):
            row = any_row(tensor)
            element = (row and as_item(row)) or as_seen(element)
        length = emit.counted(current, emit.dim_value(current, tensor.dims[0]))
        return cls(current, current.scope, element, length, (), None, tensor)

    @property
    def columns(self) -> tuple[Any, ...]:
        """The columns, which are made anew each time."""
        return self.held().columns

    def held(self) -> Items:
        """The rows in columns: copies, or where they are in the array."""
        if may_alias_set(self.element):
            return self.repacked(self.element)
        watch(self.trace, self.whole)
        column = columns.spacious(self.trace, self.whole.ssa, self.index())
        return self.with_columns((column,), self.length)

    def _unpacked(self, index: Any) -> Any:
        return self._row(index, None)

    def item(self, index: Any) -> Any:
        """The item at an SSA ``index`` that is known to be inside."""
        return self._row(index, None)

    def get(
        self, index: Any, taken: bool = False, is_inside: bool = False, of: str = "list"
    ) -> Any:
        """The item at a Python or run-time index, checked."""
        position, inside = self.checked(index, of)
        first = self.trace.index(0)
        return self._row(emit.select(self.trace, inside, position, first), inside)

    def _row(self, position: Any, inside: Any) -> Any:
        current, whole = self.trace, self.whole
        number = emit.from_index(current, position)
        ranges.note_place(current, number, whole.dims[0], (position, inside))
        row = dispatch.call("getitem", whole, current.make(number, int64, ()))
        return row if row.dims else current.make(row.ssa, row.dtype, (), weak=whole.weak)

    def first(self, count: SymbolicTensor) -> Items:
        """The first items, of which there are so many."""
        return self.part(0, count)

    def part(self, start: Any, stop: Any) -> Items:
        """The items between two bounds, which are brought inside."""
        low, high = self.inside(start, stop)
        return self.sliced(slice(low, high))

    def sliced(self, key: slice) -> Items:
        """``items[start:stop:step]``."""
        taken = dispatch.call("getitem", self.whole, key)
        taken.weak = self.whole.weak  # numbers of Python's stay such
        return Rows.of(self.trace, taken)

    def rearranged(self, function: Callable[[SymbolicTensor], Any]) -> Items:
        """The items in the order that a function gives to each column as an array."""
        if may_alias_set(self.element):
            return self.held().rearranged(function)
        watch(self.trace, self.whole)
        return super().rearranged(function)

    def repeated(self, count: Any) -> Items:
        """``items * count``."""
        return self.held().repeated(count)

    def converted(self, element: AbstractValue) -> Items:
        """Copies of the rows, as items of a wider type."""
        return self.held().converted(element)

    def array(self, number: int) -> SymbolicTensor:
        """The rows as an array of its own."""
        whole = self.whole
        return self.trace.make(whole.ssa, whole.dtype, whole.dims)
