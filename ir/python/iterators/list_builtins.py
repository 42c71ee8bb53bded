"""Python's and NumPy's functions of lists whose length is known only at run time."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinMethodType
from typing import Any

from agir.autograph.operators import compare, if_exp
from agir.errors import StagingError
from agir.ir import table
from agir.ir.building.types import bool_, int64
from agir.ir.emission import exact_integers
from agir.ir.emission.truth import as_pythons, of_python
from agir.ir.ops.calls import numpy_protocol
from agir.ir.python.iterators import iterator_builtins
from agir.ir.python.numbers.extrema import MAX, MIN, Extremum
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import Typed
from agir.ir.values.alternatives.mixed_numbers import Mixed
from agir.ir.values.heap.items import Items
from agir.ir.values.sequences import iteration
from agir.ir.values.sequences.lists import TracedList, traced_list

Replacement = Callable[..., Any]


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """What stands for a function whose first argument is a list, or becomes one."""
    first = args[0] if args else None
    if isinstance(first, TracedList) and first.is_staged:
        if function in _OF_LISTS:
            return lambda *rest, **options: _OF_LISTS[function](trace, *rest, **options)
        if function in table.NUMPY:
            return lambda *rest, **options: numpy_protocol.function(
                function, tuple(map(_array, rest)), options
            )
    if (owner := _searched(function)) is not None and holds_run_time([owner, *args]):
        return getattr(traced_list(list(owner)), function.__name__)  # type: ignore[no-any-return]
    if function is list and (isinstance(first, SymbolicTensor) or iteration.is_staged(first)):
        return lambda values: _list(trace, values)
    return None


def _searched(function: Any) -> list[Any] | tuple[Any, ...] | None:
    """The list or tuple of Python's own whose ``index`` or ``count`` it is."""
    if type(function) is not BuiltinMethodType or function.__name__ not in ("index", "count"):
        return None
    owner = function.__self__
    return owner if isinstance(owner, list | tuple) else None


def _array(value: Any) -> Any:
    return value.operand() if isinstance(value, TracedList) else value


def _items(trace: Trace, values: Any) -> Items:
    items: Items = values.staged(trace)
    return items


def _list(trace: Trace, values: Any) -> Any:
    new = traced_list([])
    new.extend(values)
    return new


def _sum(trace: Trace, values: Any, start: Any = 0) -> Any:
    items = _items(trace, values)
    if isinstance(items.element, Mixed) or not items.may_be_array:
        return iterator_builtins.total(trace, values, start)
    tensor = _items(trace, values).tensor()
    if tensor.dtype == bool_:
        tensor = dispatch.call("cast", tensor, int64)
    total = _weak(trace, values, dispatch.call("sum", tensor, 0))
    if total.weak and total.dtype == int64 and not total.dims:
        with trace.at_user_line():
            exact_integers.check_total(trace, total, *_halves(tensor))
    if not (type(start) is int and start == 0):
        return total + start
    is_int = total.weak and total.dtype == int64
    may_be_int = not (total.dims or is_int) and trace.convention.arrays_are_mutable
    return _zero_of_nothing(trace, values, total) if may_be_int else total


def _zero_of_nothing(trace: Trace, values: Any, total: Any) -> Any:
    """A sum, or the int 0 that Python begins with where there is nothing."""
    length = _items(trace, values).length
    known = ranges.interval(trace, length.ssa)
    if known is not None and known[0] > 0:
        return total
    return if_exp(length > 0, lambda: total, lambda: 0)


def _halves(tensor: SymbolicTensor) -> tuple[Any, Any]:
    """The sums of the upper and of the lower 32 bits of ints: two numbers that fit."""
    upper = dispatch.call("bitwise_right_shift", tensor, exact_integers.HALF)
    lower = dispatch.call("bitwise_and", tensor, 2**exact_integers.HALF - 1)
    return dispatch.call("sum", upper, 0).ssa, dispatch.call("sum", lower, 0).ssa


def _extremum(which: Extremum, better: Replacement) -> Replacement:
    by_items = iterator_builtins.extremum(which.of_all, better)

    def extremum(trace: Trace, values: Any, *more: Any, **options: Any) -> Any:
        items = _items(trace, values)
        if more or options or not isinstance(items.element, Typed):
            return by_items(trace, values, *more, **options)
        with trace.at_user_line():
            some = trace.compare("sgt", items.index(), trace.index(0))
            trace.guard(some, trace.site("empty_list", f"{which.of_all}()"))
        return _weak(trace, values, which.reduce(items.tensor(), 0))

    return extremum


def _quantifier(reduction: str) -> Replacement:
    def quantify(trace: Trace, values: Any) -> Any:
        tensor = _items(trace, values).tensor()
        if len(tensor.dims) != 1:
            raise StagingError(trace.explain(f"{reduction}() of a list of arrays"))
        return as_pythons(trace, dispatch.call(reduction, tensor))

    return quantify


def _weak(trace: Trace, values: Any, result: Any) -> Any:
    """The result as a Python number, where the items are."""
    if getattr(values.items.element, "weak", False):
        return trace.make(result.ssa, result.dtype, result.dims, weak=True)
    return result


def _bool(trace: Trace, values: Any) -> Any:
    with trace.at_user_line():
        return of_python(trace, values.truth(trace))


def _sorted(trace: Trace, values: Any, *, key: Any = None, reverse: bool = False) -> Any:
    new = _list(trace, values)
    new.sort(key=key, reverse=reverse)
    return new


_OF_LISTS: dict[Any, Replacement] = {
    len: lambda trace, values: _items(trace, values).length,
    sum: _sum,
    min: _extremum(MIN, functools.partial(compare, "lt")),
    max: _extremum(MAX, functools.partial(compare, "gt")),
    any: _quantifier("any"),
    all: _quantifier("all"),
    bool: _bool,
    list: _list,
    tuple: iterator_builtins.tupled,
    sorted: _sorted,
}
