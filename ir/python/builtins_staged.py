"""Python's builtins and NumPy's creation functions over run-time values."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
from collections import deque
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.autograph.operators.generators import Producer
from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.building.types import as_dtype, bool_, complex128, float64, int64, is_python_number
from agir.ir.control_flow import caught_classes, effects
from agir.ir.emission import emit
from agir.ir.emission.truth import as_bool, as_pythons
from agir.ir.ops.calls import not_recorded, numpy_protocol
from agir.ir.ops.calls.applied import vectorized
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.literals import writable
from agir.ir.ops.core.recorded import RECORDED, tensor
from agir.ir.ops.shapes.numpy_creation import CREATING
from agir.ir.plain.hashed.bounded_queues import bounded
from agir.ir.plain.hashed.hashes import hash_of
from agir.ir.plain.hashed.tables import Table
from agir.ir.plain.hashed.views import View
from agir.ir.plain.table import ALWAYS, OF_SEQUENCES, TWINS
from agir.ir.plain.text import texts
from agir.ir.python import (
    c_functions,
    classes,
    copying,
    dates,
    dicts,
    impure,
    record_arrays,
    remembered,
    run_time_keys,
    scipy_calls,
    telling,
    unbound_methods,
)
from agir.ir.python.iterators import (
    endless_iterators,
    index_iterators,
    iterator_builtins,
    list_builtins,
)
from agir.ir.python.numbers import cmath_builtins, math_builtins
from agir.ir.python.numbers.extrema import MAX, MIN, Extremum
from agir.ir.python.texts import coded_texts, text_builtins
from agir.ir.table import NUMPY
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives import choices, optional
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.equality import conjunction, disjunction
from agir.ir.values.alternatives.optional import MaybeNone
from agir.ir.values.sequences import iteration, progressions
from agir.ir.values.sequences import queues as queues  # which has a class of its own
from agir.ir.values.sequences.counted import Counted
from agir.ir.values.sequences.lists import TracedList, traced_list
from agir.ir.values.text import StagedText, is_of_run_time

Replacement = Callable[..., Any]
_VIEWS: Any = type({}.keys()) | type({}.values()) | type({}.items())


_OURS = ("agir.ir.plain.", "agir.ir.values.")
"""What the functions' modules are called that see to run-time values themselves."""
_OPERANDS = frozenset((SymbolicTensor, bool, int, float, complex))


def is_recorded(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether it is a ufunc that NumPy would hand over as it is, as it does most of them."""
    return (
        type(function) is np.ufunc
        and not kwargs
        and (function in NUMPY or function in RECORDED)
        and any(type(each) is SymbolicTensor for each in args)
        and all(type(each) in _OPERANDS for each in args)
    )


def find(
    trace: Trace, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Replacement | None:
    """What stands for the function when it meets these arguments; None where it stays."""
    if isinstance(function, Chosen | MaybeNone):
        return function.__call__
    is_written = isinstance(function, FunctionType | MethodType)
    if is_written and str(function.__module__).startswith(_OURS):
        return None
    if (found := c_functions.find(trace, function)) is not None:
        return found
    if not _is_hashable(function):
        return None
    if function in _OF_ANY and args and optional.flag(args[0]) is not None:
        return functools.partial(_of_none_or_not, function)
    if function in _OF_NO_NONE and any(isinstance(each, MaybeNone) for each in args):
        return functools.partial(_of_what_is_there, function)
    if (found := classes.find(trace, function, args)) is not None:
        return found
    told = impure.find(trace, function) or telling.find(trace, function)
    told = told or scipy_calls.find(trace, function, args, kwargs)
    if (found := told or remembered.find(trace, function)) is not None:
        return found
    if (found := coded_texts.find(trace, function, args)) is not None:
        return found
    are_compared = function in (max, min) and len(args) > 1
    if function in _ITERATED and not are_compared and _are_iterated(function, args):
        return functools.partial(_of_items, function)
    staged, creating = _STAGED.get(function), _CREATING.get(function)
    one_by_one = _ITERATING.get(function)
    special = run_time_keys.find(trace, function, args)
    special = special or list_builtins.find(trace, function, args)
    special = special or dicts.find(trace, function, args)
    special = special or record_arrays.find(trace, function, args, kwargs)
    special = special or dates.find(trace, function, args, kwargs)
    if special is not None:
        return special
    if (found := choices.distributed(function, args)) is not None:
        return found
    if (found := unbound_methods.find(function, args)) is not None:
        return found
    of_text = function in _ORDERING and any(map(is_of_run_time, args))
    if one_by_one is not None and (
        staged is None
        or of_text
        or not kwargs.keys().isdisjoint(("key", "default"))
        or any(isinstance(a, Producer) for a in args)
        or (function in _ORDERING and _are_objects(args))
        or (function in _FOLDING and args and _is_counted(args[0]))
        or _adds_objects(function, args)
    ):
        staged = one_by_one
        by_methods = _are_objects(args) or _adds_objects(function, args)
        if of_text or function in _CALLING or "key" in kwargs or by_methods:
            return functools.partial(staged, trace)  # also for functions that are converted
    asks = _has_run_time_length if function is len else _is_run_time
    if staged is not None and any(map(asks, (*args, *kwargs.values()))):
        return functools.partial(staged, trace)
    if (found := operators.of_function(function, args)) is not None:
        return found
    if (found := operators.of_attribute(function, args)) is not None:
        return found
    if function in copying.REPLACED:
        return functools.partial(copying.REPLACED[function], trace)
    if function is vars and len(args) == 1:
        return functools.partial(_vars, trace)
    if function in ALWAYS:
        return functools.partial(_in_python, ALWAYS[function])
    if function in TWINS and any(_concerns(a) for a in (*args, *kwargs.values())):
        return functools.partial(_in_python, TWINS[function])
    if function is deque and len(args) <= 2 and not kwargs.keys() - {"iterable", "maxlen"}:
        return functools.partial(_queue, trace)
    if (endless := endless_iterators.find(function, args, kwargs)) is not None:
        return functools.partial(endless, trace)
    if function in _COMBINING and args and all(map(_known, args)):
        return functools.partial(_combined, trace, function)
    if function is iter and len(args) == 1 and _has_places(args[0]):
        return functools.partial(_iter, trace)
    if function in _COMBINING and _are_followed(_iterables(function, args)):
        return _recording(trace, function)
    if (found := caught_classes.find(trace, function, args)) is not None:
        return found
    if (found := text_builtins.find(trace, function, args, kwargs)) is not None:
        return found
    if _is_method_of_arrays(function) and args and isinstance(args[0], SymbolicTensor):
        return getattr(type(args[0]), function.__name__, None)  # type: ignore[attr-defined]
    if _makes_scalars(function) and args and _is_run_time(args[0]):
        return functools.partial(_scalar, function)
    indexing = index_iterators.REPLACED.get(function)
    if indexing is not None and (
        trace.convention.arrays_are_mutable or any(map(_is_run_time, args))
    ):
        return functools.partial(indexing, trace)
    if isinstance(function, np.vectorize):
        creating = _created(functools.partial(vectorized, function))
    if creating is not None and (
        trace.convention.arrays_are_mutable
        or any(_is_run_time(a) for a in (*args, *kwargs.values()))
    ):
        return functools.partial(creating, trace)
    if (found := numpy_protocol.of_sequences(function)) and any(map(_is_known_list, args)):
        return found
    if function in not_recorded.ADVICE and any(_is_run_time(a) for a in (*args, *kwargs.values())):
        return _refused(trace, function)
    if _is_numpys(function) and any(map(_holds_symbols, (*args, *kwargs.values()))):
        return functools.partial(_recorded, function)
    return None


def _gives_items(value: Any) -> bool:
    """Whether it is iterated over by a method of the user's, or holds what is known at run time."""
    if isinstance(value, _VIEWS):
        return any(map(_is_run_time, value))
    return operators.iterating_method(value) is not None


def _are_iterated(function: Any, args: tuple[Any, ...]) -> bool:
    value = _INITIAL.get(function)
    return any(_gives_items(each) for number, each in enumerate(args) if number != value)


def _of_items(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call with what such arguments give."""
    value = _INITIAL.get(function)
    given = [each if number == value else _items(each) for number, each in enumerate(args)]
    return operators.call(function, tuple(given), kwargs)


def _items(value: Any) -> Any:
    return list(value) if isinstance(value, _VIEWS) else operators.of_method(value)


def _are_objects(args: tuple[Any, ...]) -> bool:
    """Whether objects are compared by methods of the user's."""
    items = args[0] if len(args) == 1 else args
    return isinstance(items, list | tuple) and any(map(operators.has_order, items))


def _adds_objects(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether ``sum`` calls methods of the user's."""
    items = args[0] if function is sum and args else ()
    kinds = set(map(type, items)) if type(items) in (list, tuple, TracedList) else ()
    return any(map(operators.has_operators, kinds))


def _in_python(twin: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of Python's library, written in Python and converted."""
    return operators.call(twin, args, kwargs)


def _queue(trace: Trace, iterable: Any = (), maxlen: Any = None) -> Any:
    """``deque(iterable, maxlen)``."""
    if maxlen is not None:
        if not trace.convention.arrays_are_mutable:
            return deque(iterable, maxlen)
        return operators.call(bounded, (iterable, maxlen))
    items = iterator_builtins.listed(trace, iterable)
    return traced_list(items.snapshot(), deque)


def _is_numpys(function: Any) -> bool:
    """Whether it is a function of NumPy's that records, and no ufunc: these ask all operands."""
    return (function in RECORDED or function in NUMPY) and not isinstance(function, np.ufunc)


def _holds_symbols(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(map(_holds_symbols, value))
    return isinstance(value, SymbolicTensor)


def _recorded(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call that NumPy itself would not hand over, as it asks the arrays alone: ``repeat(2.5, n)``."""
    return hooks.tensors.array_function(function, args, kwargs)


def _is_method_of_arrays(function: Any) -> bool:
    """Whether it is one of NumPy's arrays, called by the name of their class: ``np.ndarray.sum(x)``."""
    return getattr(function, "__objclass__", None) is np.ndarray


def _makes_scalars(function: Any) -> bool:
    """Whether it is a class of NumPy's numbers: ``np.float32(x)``."""
    return isinstance(function, type) and issubclass(function, (np.number, np.bool_))


def _scalar(kind: Any, value: Any = 0) -> Any:
    x = tensor(value)
    same = x.dtype == as_dtype(kind) and len(x.type.shape) > 0  # of an array, which it is then
    return x if same else dispatch.call("cast", x, as_dtype(kind))


def _refused(trace: Trace, function: Any) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        for each in structure.flatten((args, kwargs))[0]:
            if isinstance(each, SymbolicTensor):
                trace.refusing("a value", each)
        raise StagingError(trace.explain(not_recorded.message(function)))

    return refuse


def _is_hashable(function: object) -> bool:
    try:
        hash(function)
    except TypeError:
        return False
    return True


def _is_run_time(value: Any) -> bool:
    if isinstance(value, StagedText):
        return False
    if isinstance(value, (list, tuple)) and not is_run_time(value):
        return any(map(_is_run_time, list.__iter__(value) if isinstance(value, list) else value))
    if isinstance(value, Counted):
        return value.holds_run_time or iteration.is_staged(value)
    return is_run_time(value) or isinstance(value, Producer)


def _concerns(value: Any) -> bool:
    """Whether it is of the run time, or a sequence of dicts or sets that are."""
    if _is_run_time(value):
        return True
    items = list.__iter__(value) if isinstance(value, list) else value
    return isinstance(value, list | tuple) and any(isinstance(e, Table | View) for e in items)


def _has_run_time_length(value: Any) -> bool:
    return is_run_time(value) if isinstance(value, (list, tuple)) else _is_run_time(value)


def _is_counted(value: Any) -> bool:
    """Whether it is an iterator that is followed, or stands for a range or an array."""
    return isinstance(value, iteration.Once) or iteration.is_staged(value)


_ITERATED = frozenset((
    list, tuple, sum, max, min, any, all, sorted, enumerate, zip, map, filter, iter, deque,
    *(each for each in TWINS if each not in OF_SEQUENCES),
))  # fmt: skip
"""What iterates over what it is given."""
_INITIAL = {functools.reduce: 2}
"""The place of an argument that is a value, and is not iterated over."""
_ORDERING = (max, min, sorted)


def _range(trace: Trace, *bounds: Any) -> Any:
    return progressions.progression(trace, *bounds)


def _is_known_list(value: Any) -> bool:
    """Whether it is a list of a known length that holds run-time values."""
    if isinstance(value, TracedList) and value.is_staged:
        return False
    return isinstance(value, (list, tuple)) and _is_run_time(value)


def _len(trace: Trace, value: Any) -> Any:
    if isinstance(value, SymbolicTensor) and value.dims and not isinstance(value.dims[0], int):
        with trace.at_user_line():
            return emit.counted(trace, value.dims[0])
    if isinstance(value, Counted) and not isinstance(value, iteration.Once):
        with trace.at_user_line():
            count = value.count
            if isinstance(count, int):
                return count
            return emit.counted(trace, count)
    if isinstance(value, Producer | iteration.Once):
        raise TypeError(f"object of type {type(value).__name__!r} has no len()")
    return len(value)


def _enumerate(trace: Trace, iterable: Any, start: Any = 0) -> Any:
    inner = iteration.iterable(trace, iterable)
    counter: Any = progressions.Progression(trace, 0, 2**62, 1, int64, weak=True)
    if not (isinstance(start, int) and start == 0):
        counter = iteration.Mapped(trace, counter, lambda number: number + start)
    return iteration.Combined(trace, [counter, inner])


_FOLDING = (sum, any, all, max, min)
"""What makes one value of all items."""
_COMBINING = (enumerate, iter, reversed, zip)


def _known(value: Any) -> bool:
    if isinstance(value, (np.ndarray, Tensor)):
        return bool(value.shape)
    return isinstance(value, range)


def _combined(trace: Trace, function: Any, *args: Any, **kwargs: Any) -> Any:
    """``enumerate(x)``, ``zip(x, y)``, ``reversed(x)`` of what has values and a known length."""
    staged = _recording(trace, function)
    iterables = _iterables(function, args)
    return iteration.Known(
        trace,
        function(*args, **kwargs),
        min(map(len, iterables)),
        lambda: staged(*args, **kwargs),
    )


def _iterables(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return args[:1] if function is enumerate else args


def _are_followed(iterables: tuple[Any, ...]) -> bool:
    """Whether these include lists that may change on the way, or iterators whose place is known."""
    return any(isinstance(each, TracedList | iteration.Once) for each in iterables) and all(
        isinstance(each, list | tuple | range | Counted) for each in iterables
    )


def _has_places(value: Any) -> bool:
    """Whether its items can be asked for by their places."""
    return isinstance(value, list | tuple | range | str | dict | _VIEWS) or _known(value)


def _iter(trace: Trace, iterable: Any) -> Any:
    if isinstance(iterable, iteration.Once | Producer):
        return iter(iterable)
    if isinstance(iterable, str | dict | _VIEWS):
        iterable = list(iterable)
    return iteration.Mapped(trace, iteration.iterable(trace, iterable), lambda item: item)


_SIDE_BY_SIDE: dict[Any, Replacement] = {zip: iterator_builtins.side_by_side}
"""What combines iterables that are all sequences."""


def _recording(trace: Trace, function: Any) -> Callable[..., Any]:
    """What records a function that combines sequences."""
    return functools.partial(_SIDE_BY_SIDE.get(function) or _STAGED[function], trace)


def _reversed(trace: Trace, value: Any) -> Any:
    return iteration.Backwards(trace, iteration.iterable(trace, value))


_NUMBERS_OF_ONE_ELEMENT = np.lib.NumpyVersion(np.__version__) < "2.4.0"
"""Whether NumPy makes a number of an array of one element that has dimensions."""


def _is_number(trace: Trace, value: SymbolicTensor) -> bool:
    """Whether Python makes a number of it."""
    with_dims = _NUMBERS_OF_ONE_ELEMENT or not trace.convention.arrays_are_mutable
    return not value.dims or (with_dims and all(size == 1 for size in value.dims))


def _converted(dtype: Any) -> Replacement:
    def convert(trace: Trace, value: Any = 0) -> Any:
        if not isinstance(value, SymbolicTensor) or not _is_number(trace, value):
            raise TypeError(trace.explain(f"only a scalar tensor can be converted to {dtype}"))
        value = dispatch.call("reshape", value, ()) if value.dims else value
        if dtype == int64 and value.dtype.kind in "iubf":
            return math_builtins.to_integer(trace, value)
        weak = dispatch.call("cast", value, dtype)
        return SymbolicTensor(trace, weak.storage, dtype, (), weak=True)

    return convert


_TO_INT = _converted(int64)


def _int(trace: Trace, value: Any = 0, *positional: Any, **named: Any) -> Any:
    if named.keys() - {"base"}:
        return int(0, **named)  # Python says why not
    base = (*positional, *named.values())
    if base:
        return operators.call(texts.to_int, (value, *base))
    return _TO_INT(trace, value)


def _bool(trace: Trace, value: Any = False) -> Any:
    return as_bool(trace, value)


def _parts(value: Any) -> tuple[Any, Any]:
    """The real part of a number, and the imaginary one; None where it has none."""
    if not (isinstance(value, complex) or dispatch.type_of(value).dtype.is_complex):
        return dispatch.call("cast", value, float64), None
    return tuple(
        dispatch.call("cast", dispatch.call(name, value), float64) for name in ("real", "imag")
    )


def _complex(trace: Trace, real: Any = 0, imag: Any = 0) -> Any:
    scalars = (each for each in (real, imag) if isinstance(each, SymbolicTensor))
    if any(each.dims for each in scalars):
        raise TypeError(trace.explain("only a scalar tensor can be converted to complex"))
    (across, up), (turned_up, turned) = _parts(real), _parts(imag)
    if turned is not None:
        across = dispatch.call("subtract", across, turned)
    if up is not None:
        turned_up = dispatch.call("add", up, turned_up)
    z = dispatch.call("complex", across, turned_up)
    return SymbolicTensor(trace, z.storage, complex128, (), weak=True)


def _extremum(builtin: Any, which: Extremum) -> Replacement:
    def extremum(trace: Trace, *values: Any) -> Any:
        if len(values) == 1 and isinstance(values[0], SymbolicTensor):
            if _is_compared_in_order(trace, values[0]):
                if values[0].dims[:1] == (1,):
                    return values[0][0]
                if _is_one_row_at_most(values[0]):
                    return _only_row(trace, builtin.__name__, values[0])
                return _ITERATING[builtin](trace, *values)
            return which.reduce(values[0])
        items = values[0] if len(values) == 1 else values
        if any(isinstance(each, (tuple, list)) for each in items):
            return _ITERATING[builtin](trace, *values)  # which compares them in order
        return functools.reduce(which.choose, items)

    return extremum


def _is_one_row_at_most(values: SymbolicTensor) -> bool:
    """Whether only one row can be the greatest: comparing two has no truth value, for they are long."""
    sizes = values.dims[1:]
    known = bool(sizes) and all(isinstance(size, int) for size in sizes)
    return known and not isinstance(values.dims[0], int) and sizes != (1,) * len(sizes)


def _only_row(trace: Trace, name: str, values: SymbolicTensor) -> Any:
    """The first row of an array, which has to be the only one."""
    with trace.at_user_line():
        rows = emit.counted(trace, values.dims[0])
        trace.guard((rows > 0).ssa, trace.site("no_items", name))
        ambiguous = f"the truth value of an array of shape {list(values.shape[1:])} is ambiguous"
        advice = f"{ambiguous}: {name}() compares rows; use x.{name}()"
        trace.guard((rows < 2).ssa, trace.site("argument", advice))
    return values[dispatch.call("minimum", rows - 1, 0)]


def _is_compared_in_order(trace: Trace, values: SymbolicTensor) -> bool:
    """Whether no reduction does it: of complex numbers, and of rows, which NumPy cannot order."""
    return trace.convention.arrays_are_mutable and (
        values.dtype.is_complex or len(values.dims) != 1
    )


def _sum(trace: Trace, values: Any, start: Any = 0) -> Any:
    if isinstance(values, SymbolicTensor):
        total = dispatch.call("sum", values, 0, values.dtype if values.dtype != bool_ else None)
        return total if is_python_number(start) and start == 0 else total + start
    return builtins.sum(values, start)


def _check_truths(name: str, rows: SymbolicTensor) -> None:
    """``ValueError`` for rows that have no truth value, which Python asks each of them for."""
    call, size = dispatch.call, dispatch.call("numpy_size", rows)
    fits = call("equal", size, call("numpy_size", rows, 0))
    none = call("equal", call("numpy_size", rows, 0), 0)
    advice = f"the truth value of a row is ambiguous, and {name}() asks for it; use x.{name}()"
    require(call("logical_or", fits, none), advice)


def _quantifier(reduction: str, combined: Callable[..., Any], decides: bool) -> Replacement:
    def quantify(trace: Trace, values: Any) -> Any:
        if isinstance(values, SymbolicTensor):
            if len(values.dims) > 1 and trace.convention.arrays_are_mutable:
                _check_truths(reduction, values)
            return as_pythons(trace, dispatch.call(reduction, values))
        truths = []
        for value in values:
            truths.append(as_bool(trace, value))
            if truths[-1] is decides:
                break
        return as_pythons(trace, combined(truths))

    return quantify


def _vars(trace: Trace, value: Any) -> Any:
    """``vars(x)``: what is written into it is written into the object."""
    if isinstance(value, MaybeNone):
        value = value._checked
    if isinstance(value, Staged) and value.is_staged:
        kind = getattr(type(value), "stands_for", type(value))
        raise StagingError(trace.explain(f"vars() of a {kind.__name__} of the run time"))
    return effects.attributes_of(trace, value, vars(value))


def _of_none_or_not(function: Any, value: Any, *rest: Any, **kwargs: Any) -> Any:
    """A function that takes anything, of what may be None."""
    inner, present = optional.unchecked(value), optional.flag(value)
    return operators.if_exp(
        present,
        lambda: operators.call(function, (inner, *rest), kwargs),
        lambda: function(None, *rest, **kwargs),
    )


def _of_what_is_there(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A function that takes no None, of values that may be."""
    found = (each._checked if isinstance(each, MaybeNone) else each for each in args)
    return operators.call(function, tuple(found), kwargs)


def _shape(trace: Trace, x: Any) -> Any:
    """``x.shape``: with NumPy's conventions every size is a number."""
    if trace.convention.arrays_are_mutable:
        return dispatch.call("numpy_shape", x)
    return x.shape


_OF_ANY = frozenset((isinstance, type, hasattr, callable))
"""Functions that may be asked of None, too, ..."""
_OF_NO_NONE = frozenset(
    (len, sum, sorted, list, tuple, set, frozenset, enumerate, zip, reversed, any, all, iter, ord)
)
"""... and others, which may not."""

_STAGED: dict[Any, Replacement] = {
    range: _range,
    len: _len,
    enumerate: _enumerate,
    zip: iterator_builtins.zipped,
    iter: _iter,
    next: iterator_builtins.following,
    reversed: _reversed,
    int: _int,
    float: _converted(float64),
    bool: _bool,
    complex: _complex,
    max: _extremum(max, MAX),
    min: _extremum(min, MIN),
    sum: _sum,
    any: _quantifier("any", disjunction, True),
    all: _quantifier("all", conjunction, False),
    hash: lambda trace, value: operators.call(int, (operators.call(hash_of, (value,)),)),
    list: iterator_builtins.listed,
    tuple: iterator_builtins.tupled,
    dict: iterator_builtins.mapping,
    sorted: iterator_builtins.in_order,
    round: iterator_builtins.rounded,
    pow: math_builtins.power,
    operator.truth: _bool,
    operator.not_: lambda trace, value: operators.not_(value),
    operator.contains: lambda trace, container, value: operators.in_(value, container),
    SymbolicTensor.shape.fget: _shape,  # type: ignore[attr-defined]
    **math_builtins.STAGED,
    **cmath_builtins.STAGED,
}


_ITERATING: dict[Any, Replacement] = {
    map: iterator_builtins.mapped,
    filter: iterator_builtins.filtered,
    enumerate: iterator_builtins.numbered,
    zip: iterator_builtins.zipped,
    sum: iterator_builtins.total,
    any: iterator_builtins.quantifier(True),
    all: iterator_builtins.quantifier(False),
    max: iterator_builtins.extremum("max", functools.partial(operators.compare, "gt")),
    min: iterator_builtins.extremum("min", functools.partial(operators.compare, "lt")),
    sorted: iterator_builtins.in_order,
    itertools.takewhile: lambda trace, function, source: iterator_builtins.Taken(function, source),
    itertools.dropwhile: lambda trace, function, source: iterator_builtins.Dropped(
        function, source
    ),
}
"""What consumes items one by one: from a generator, or to call a function with each."""


_CALLING = frozenset((map, filter, itertools.takewhile, itertools.dropwhile))


_ALWAYS_ARRAYS = frozenset((
    np.array, np.zeros, np.ones, np.empty, np.full, np.ndarray, np.zeros_like, np.ones_like,
    np.empty_like, np.full_like,
))  # fmt: skip
"""What makes an array of its own even where it has no dimensions."""


def _created(function: Callable[..., Any], numpys: Any = None) -> Replacement:
    """A function that makes an array, which may be written into where arrays are mutable."""
    always = numpys in _ALWAYS_ARRAYS

    def create(trace: Trace, *args: Any, **kwargs: Any) -> Any:
        made = function(*args, **kwargs)
        return writable(trace, made, always) if trace.convention.arrays_are_mutable else made

    return create


_CREATING: dict[Any, Replacement] = {f: _created(g, f) for f, g in CREATING.items()}
