"""What a module asks of those that stand above it: tables of functions, each set once.

Imports point one way only.  A tensor is at the bottom of the house and yet is formatted as text and
assigned into; what does that is reached through one of these tables.  ``ir/provided.py`` fills those
of the recorder, ``runtime/provided.py`` and ``runtime/gradients/calls.py`` those of the runtime, and
`agir.numpy` sets the last.  So it does not matter which module is imported first.  What many programs
never need is imported when a table is asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from agir.records import dataclass


class Observers(threading.local):
    """What looks at every operation that this thread evaluates: the tapes that are on."""

    active: tuple[Any, ...] = ()


observers = Observers()


@dataclass(frozen=True)
class Tensors:
    """Methods of tensors that are implemented above them."""

    set_item: Callable[[Any, Any, Any], None]
    """``tensor[key] = value``"""
    fill: Callable[[Any, Any], None]
    """``tensor.fill``"""
    update_in_place: Callable[[Any, str, Any], Any]
    """``tensor op= value``, by the name of the operation"""
    set_shape: Callable[[Any, Any], Any]
    """``tensor.set_shape``"""
    part: Callable[[Any, str], Any]
    """``tensor.real``, ``tensor.imag``"""
    set_part: Callable[[Any, str, Any], None]
    """``tensor.real = value``"""
    viewed: Callable[[Any, Any], Any]
    """``tensor.view``"""
    flat: Callable[[Any], Any]
    """``tensor.flat``"""
    set_flat: Callable[[Any, Any], None]
    """``tensor.flat = values``"""
    converted: Callable[..., Any]
    """``tensor.astype``"""
    number: Callable[[Any], Any]
    """``tensor.item``"""
    number_method: Callable[[Any, str], Any]
    """The method or attribute of a number that arrays do not have"""
    refusal: Callable[[Any, str], Exception]
    """The error of what only memory has"""
    ufunc: Callable[..., Any]
    """``tensor.__array_ufunc__``"""
    array_function: Callable[..., Any]
    """``tensor.__array_function__``"""
    checked_float: Callable[[str, Any, Any, Any], Any]
    """The result of an operator, checked where it is a float of Python's"""
    repeated_text: Callable[[Any, str, Any], Any]
    """A known text as often as a number of the run time says"""
    repeated_tuple: Callable[[tuple[Any, ...], Any], Any]
    """A known tuple as often as a number of the run time says"""


@dataclass(frozen=True)
class Texts:
    """What is done with text that holds run-time values."""

    written: Callable[[Any, str, str, Any], str]
    """What stands for the text of a value while a text is put together"""
    joined: Callable[[Sequence[Any]], Any]
    """Texts, some of run-time values, as one"""
    need_codes: Callable[[Any], None]
    """Traces again with text as code points, if that has not been done"""
    codes_of_one: Callable[[Any], Any]
    """The code points of one of several known texts, or None"""
    codes_of: Callable[[Any], Any]
    """The code points of a text"""
    coded: Callable[[Any, str, str], Any]
    """The text of code points as a template has it"""
    of_number: Callable[[Any, Any, str, str], Any]
    """The text of a number as code points, or None"""
    of_bytes: Callable[[Any, str], Any]
    """The text of bytes of the run time"""
    of_layout: Callable[[Any, str, str], Any]
    """The text of what stands for arrays and numbers of a dtype that is no number's."""
    of_list: Callable[[Any, str, str], Any]
    """The text of a list of run-time length"""
    looked_into: Callable[[Any, Any], Any]
    """A template's text as code points"""
    together: Callable[[list[Any]], Any]
    """Texts as one in code points, or None"""
    encoded: Callable[[Any, str, str], Any]
    """``text.encode``"""
    decoded: Callable[[Any, str, str], Any]
    """``data.decode``"""
    abstract: Callable[[], Any]
    """The abstract value of any text"""
    kept: Callable[[Any, object], Any]
    """The number of a message with run-time values"""
    held: Callable[[Any, BaseException], None]
    """Keeps what an exception holds for the handlers of the function"""


@dataclass(frozen=True)
class Tables:
    """What makes tables of dicts and sets whose keys only the run time knows."""

    enter: Callable[[Any, Any], None]
    """Has a dict or set that becomes an item of a list be known by itself"""
    note_copy: Callable[[Any, Any], None]
    """Notes that a dict is a copy of another one, made where that was"""
    become: Callable[[Any, Any], None]
    """Has a dict or set of the program's be a table, if it can be one"""


@dataclass(frozen=True)
class Library:
    """What functions of Python's library ask that are written in Python (``ir/plain``)."""

    call: Callable[[Any, Any, Any], Any]
    """Calls a function of the library as one of the module"""
    takes: Callable[[Any, Any], bool]
    """Whether these functions take the values"""
    lifted: Callable[[Any], Any]
    """A known number as one of the run time"""
    number_of_object: Callable[[Any], Any]
    """The number of an object that is hashed by its identity; or None"""
    presence: Callable[[Any], Any]
    """Whether a value is not None, which only the run time knows; None of others"""
    expect_items: Callable[[Any], None]
    """Tells lists what each of them will get"""
    fill: Callable[[Any], None]
    """Sees to it that the keys of a dict can be asked for their hashes"""


@dataclass(frozen=True)
class Values:
    """What stands for Python's values, as those below it see that."""

    alternatives: Callable[[Any], Sequence[Any]]
    """The values of which a value is one; none of others"""
    unchecked: Callable[[Any], Any]
    """The value that it is unless it is None"""
    perhaps_in: Callable[[Any, int, Any], Any]
    """What is in a dict or object if some path has put it there"""
    standing_for: Callable[[Any, type], Any]
    """What stands for a list or tuple with these contents"""
    referring: Callable[[str, Any], Any]
    """The abstract value of an item with references in the place of lists"""
    traced_array: Callable[[Any, tuple[Any, ...]], Any]
    """The TensorArray of contents in a trace, and those that share them"""
    lie_as_one_of: Callable[[Any, Sequence[Any]], Any]
    """Notes that an array lies in memory as one of several does"""


@dataclass(frozen=True)
class Runtime:
    """What the runtime gives the recorder."""

    eager: Callable[[np.ndarray[Any, Any]], Any]
    """The tensor that holds an array"""
    result: Callable[[np.ndarray[Any, Any], Iterable[Any]], Any]
    """The tensor of an array that an operation gives, of these operands"""
    convert: Callable[[Any], Any]
    """The tensor that a Python value becomes"""
    constant: Callable[..., Any]
    """The tensor with the value, dtype and shape given"""
    store: Callable[[Any, np.ndarray[Any, Any] | None], Any]
    """What keeps the value of a variable between calls"""
    stored_arrays: Callable[[Any, Any], Any]
    """The contents of an eager TensorArray of a kind and size"""
    returned_array: Callable[[Any, list[Any]], Any]
    """The TensorArray that a caller gets, of its kind and rows"""


@dataclass(frozen=True)
class Gradients:
    """What is done while tapes are on."""

    observe: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    """Evaluates an operation"""
    observe_call: Callable[[Any, Any], Any]
    """Calls a concrete function"""
    observe_part: Callable[[Any, Any, Any], Any]
    """Tells the tapes of a part of a variable; gives it"""
    observe_read: Callable[[Any, Any], Any]
    """Tells the tapes that a variable was read; gives the tensor"""
    stand_in: Callable[[Any, Any], Any]
    """The symbolic tensor of its own for a tensor with a value"""


tensors: Tensors
texts: Texts
tables: Tables
library: Library
values: Values
runtime: Runtime
gradients: Gradients
namespace: Any
"""The module with the array API standard's functions (agir/numpy)."""

late: dict[str, Callable[[], object]] = {}
"""What imports the modules that many programs never need, by what those set (agir/__init__.py)."""


def recorder() -> None:
    """Import all that a trace needs, and with it what sets the other tables."""
    late["recorder"]()


def __getattr__(name: str) -> Any:
    """A table that is asked for before it was set: what sets it is imported."""
    if name in late:
        late[name]()
    elif name in __annotations__:
        recorder()
    if name not in globals():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals()[name]
