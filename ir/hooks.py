"""What a module asks of one that stands above it: set once, when that one is imported.

Imports point one way only.  A tensor is at the bottom of the house and yet is formatted as text and
assigned into; what does that is reached through one of these.  Modules that many programs never
need are imported when one of theirs is asked for first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from agir.ir.markers import Markers
    from agir.ir.tensor import Tensor
    from agir.ir.trace import Trace


class EagerFactory(Protocol):
    """Makes a tensor that holds a value."""

    def __call__(self, array: np.ndarray[Any, Any]) -> Tensor:
        """The tensor of the array."""
        ...


class Observers(threading.local):
    """What looks at every operation that this thread evaluates: the tapes that are on."""

    active: tuple[Any, ...] = ()


observers = Observers()

library_call: Callable[[Any, Any, Any], Any]
"""Calls a function of the library in Python as one of the module (ir/functions/library.py)."""

checked_float: Callable[[str, Any, Any, Any], Any]
"""The result of an operator, checked where it is a float of Python's (ir/python_floats.py)."""

library_takes: Callable[[Any, Any], bool]
"""Whether these functions take the values (ir/functions/library.py)."""

alternatives: Callable[[Any], Sequence[Any]]
"""The values of which a value is one; none of others (values/choices.py)."""

presence_flag: Callable[[Any], Any]
"""Whether a value is not None, which only the run time knows; None of others (values/optional.py)."""

perhaps_in: Callable[[Any, int, Any], Any]
"""What is in a dict or object if some path has put it there (values/optional.py)."""

unchecked: Callable[[Any], Any]
"""The value that it is unless it is None (values/optional.py)."""

lifted: Callable[[Any], Any]
"""A known number as one of the run time (ir/functions/library.py)."""

number_of_object: Callable[[Any], Any]
"""The number of an object that is hashed by its identity; or None (values/objects.py)."""

expect_item: Callable[[Any, Any], None]
"""Tells a list what it will get (values/references.py)."""

enter_table: Callable[[Any, Any], None]
"""Has a dict or set that becomes an item of a list be known by itself (ir/python/run_time_keys.py)."""

copied_table: Callable[[Any, Any], None]
"""Notes that a dict is a copy of another one, made where that was (ir/python/run_time_keys.py)."""

become_table: Callable[[Any, Any], None]
"""Has a dict or set of the program's be a table, if it can be one (ir/python/run_time_keys.py)."""

# Of the runtime.

observe: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
"""Evaluates an operation while tapes are on (runtime/gradients/eager.py)."""

observe_call: Callable[[Any, Any], Any]
"""Calls a concrete function while tapes are on (runtime/gradients/calls.py)."""

observe_part: Callable[[Any, Any, Any], Any]
"""The same of a part of a variable (runtime/gradients/eager.py)."""

observe_read: Callable[[Any, Any], Any]
"""Tells the tapes that a variable was read; gives the tensor (runtime/gradients/eager.py)."""

eager: EagerFactory
"""The tensor that holds an array (runtime/tensor.py)."""

convert: Callable[[Any], Any]
"""The tensor that a Python value becomes (runtime/tensor.py)."""

constant: Callable[..., Any]
"""The tensor with the value, dtype and shape given (runtime/state/buffers.py)."""

store: Callable[[Any, np.ndarray[Any, Any] | None], Any]
"""What keeps the value of a variable between calls (runtime/state/buffers.py)."""

stored_arrays: Callable[[Any, Any], Any]
"""The contents of an eager TensorArray of a kind and size (runtime/state/tensor_array.py)."""

returned_array: Callable[[Any, list[Any]], Any]
"""The TensorArray that a caller gets, of its kind and rows (runtime/state/tensor_array.py)."""

namespace: Any
"""The module with the array API standard's functions (agir/numpy)."""

# Of the trace and what is above it.

stand_in: Callable[[Trace, Any], Any]
"""The symbolic tensor of its own for a tensor with a value (ir/gradients/reverse.py)."""

current: Callable[[], Trace | None]
"""The trace that this thread is recording, if any (ir/trace.py)."""

set_item: Callable[[Any, Any, Any], None]
"""``tensor[key] = value`` (ir/ops/indexing/indexing.py)."""

fill: Callable[[Any, Any], None]
"""``Tensor.fill`` (ir/ops/indexing/indexing.py)."""

update_in_place: Callable[[Any, str, Any], Any]
"""``tensor op= value``, by the name of the operation (ir/ops/indexing/indexing.py)."""

as_known: Callable[[Any], Any]
"""The elements of an array that tracing knows; anything else as it is (ir/symbolic.py)."""

set_shape: Callable[[Any, Any], None]
"""``Tensor.set_shape`` (ir/ops/shapes/refinement.py)."""

array_part: Callable[[Any, str], Any]
"""``Tensor.real``, ``Tensor.imag`` (ir/ops/elementwise/array_parts.py)."""

set_array_part: Callable[[Any, str, Any], None]
"""``tensor.real = value`` (ir/ops/elementwise/array_parts.py)."""

viewed: Callable[[Any, Any], Any]
"""``Tensor.view`` (ir/ops/elementwise/array_parts.py)."""

flat: Callable[[Any], Any]
"""``Tensor.flat`` (ir/ops/elementwise/array_parts.py)."""

set_flat: Callable[[Any, Any], None]
"""``tensor.flat = values`` (ir/ops/elementwise/array_parts.py)."""

lie_as_one_of: Callable[[Tensor, Sequence[Any]], Any]
"""Notes that an array lies in memory as one of several does (ir/ops/core/layouts.py)."""

converted: Callable[..., Any]
"""``Tensor.astype`` (ir/ops/elementwise/array_parts.py)."""

number: Callable[[Any], Any]
"""``Tensor.item`` (ir/ops/elementwise/array_parts.py)."""

number_method: Callable[[Any, str], Any]
"""The method or attribute of a number that arrays do not have (ir/python/number_methods.py)."""

refusal: Callable[[Any, str], Exception]
"""The error of what only memory has (ir/ops/elementwise/array_parts.py)."""

ufunc: Callable[..., Any]
"""``Tensor.__array_ufunc__`` (ir/ops/calls/numpy_protocol.py)."""

array_function: Callable[..., Any]
"""``Tensor.__array_function__`` (ir/ops/calls/numpy_protocol.py)."""

written: Callable[[Any, str, str, Markers | None], str]
"""What stands for the text of a value while a text is put together (ir/values/text.py)."""

need_codes: Callable[[Any], None]
"""Traces again with text as code points, if that has not been done (ir/values/text.py)."""

codes_of_one: Callable[[Any], Any]
"""The code points of one of several known texts, or None (ir/python/coded_texts.py)."""

codes_of: Callable[[Any], Any]
"""The code points of a text (ir/plain/texts.py)."""

coded: Callable[[Any, str, str], Any]
"""The text of code points as a template has it (ir/values/text.py)."""

text_written: Callable[[Trace, Any, str, str], Any]
"""The text of a number as code points, or None (ir/python/coded_texts.py)."""

looked_into: Callable[[Trace, Any], Any]
"""A template's text as code points (ir/python/coded_texts.py)."""

encoded: Callable[[Any, str, str], Any]
"""``text.encode`` (ir/python/coded_texts.py)."""

decoded: Callable[[Any, str, str], Any]
"""``data.decode`` (ir/python/coded_texts.py)."""

bytes_written: Callable[[Any, str], Any]
"""The text of bytes of the run time (ir/values/text.py)."""

list_written: Callable[[Any, str, str], Any]
"""The text of a list of run-time length (ir/python/coded_texts.py)."""

repeated_text: Callable[[Trace, str, Any], Any]
"""A known text as often as a number of the run time says (ir/python/coded_texts.py)."""

repeated_tuple: Callable[[tuple[Any, ...], Any], Any]
"""A known tuple as often as a number of the run time says (ir/values/tuples.py)."""

standing_for: Callable[[Any, type], Any]
"""What stands for a list or tuple with these contents (ir/values/lists.py)."""

referring: Callable[[str, Any], Any]
"""The abstract value of an item with references in the place of lists (ir/values/references.py)."""

abstract_text: Callable[[], Any]
"""The abstract value of any text (ir/python/coded_texts.py)."""

text_together: Callable[[list[Any]], Any]
"""Texts as one in code points, or None (ir/python/coded_texts.py)."""

joined: Callable[[Sequence[Any]], Any]
"""Texts, some of run-time values, as one (ir/values/text.py)."""

kept_message: Callable[[Trace, object], Any]
"""The number of a message with run-time values (ir/control_flow/messages.py)."""

traced_array: Callable[[Any, tuple[Any, ...]], Any]
"""The TensorArray of contents in a trace, and those that share them (ir/state/tensor_array.py)."""

filled: Callable[[Iterable[Any]], None]
"""See to it that the keys of a dict can be asked for their hashes (ir/values/assembling.py)."""

OF_GRADIENTS = ("observe", "observe_call", "observe_part", "observe_read", "stand_in")
"""What the modules of gradients set."""

late: dict[str, Callable[[], object]] = {}
"""What imports the modules that many programs never need, by what those set (agir/__init__.py)."""


def recorder() -> None:
    """Import all that a trace needs, and with it what sets the other hooks."""
    late["recorder"]()


def __getattr__(name: str) -> Any:
    """A hook that is asked for before it was set: what sets it is imported."""
    if name in late:
        late[name]()
    elif name in __annotations__:
        recorder()
    if name not in globals():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals()[name]
