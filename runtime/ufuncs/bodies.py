"""The loops of ufuncs, around the user's functions: what a ufunc compiles for each of its types.

Each maker gets the user's function and how many inputs there are, and makes a loop over arrays of one
dimension, the outputs last; those of generalized ufuncs have the core dimensions behind it.  Of the
inputs that are named ``single`` there is one element for all iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.runtime.declared.results import check_result

__ag_convert__ = True
Loop = Callable[..., None]


def elementwise(function: Callable[..., Any], inputs: int, single: Sequence[int] = ()) -> Loop:
    """The function returns an element of the output, or a tuple of those of several."""

    def run(*arrays: Any) -> None:
        outputs = arrays[inputs:]
        for i in range(len(outputs[0])):
            found = function(*[arrays[n][0 if n in single else i] for n in range(inputs)])
            if len(outputs) == 1:
                check_result(function, found, (tuple, list))
                outputs[0][i] = found
            else:
                check_result(function, found)
                for output, value in zip(outputs, found, strict=True):
                    output[i] = value

    return run


def writing(function: Callable[..., Any], inputs: int) -> Loop:
    """The function gets the parts of the outputs and writes into them; of a number, an array of one."""

    def run(*arrays: Any) -> None:
        outputs = arrays[inputs:]
        for i in range(len(arrays[0])):
            given = [each[i] for each in arrays[:inputs]]
            places = [each[i] if each.ndim > 1 else each[i : i + 1] for each in outputs]
            function(*given, *places)

    return run


def fold(function: Callable[..., Any], _: int) -> Loop:
    """A reduction: ``total`` has one element, with which it begins and which it leaves."""

    def run(total: Any, items: Any) -> None:
        for i in range(len(items)):
            total[0] = function(total[0], items[i])

    return run


def scan(function: Callable[..., Any], _: int) -> Loop:
    """An accumulation: each result is an operand of the next; ``first`` has the first one."""

    def run(first: Any, items: Any, output: Any) -> None:
        previous = first[0]
        for i in range(len(items)):
            output[i] = function(previous, items[i])
            previous = output[i]

    return run


def counting(function: Callable[..., Any], counts: Sequence[int]) -> Callable[..., Any]:
    """The function, with ints of Python's for the arguments of these numbers."""

    def called(*args: Any) -> Any:
        return function(*[int(args[n]) if n in counts else args[n] for n in range(len(args))])

    return called


def boxing(function: Callable[..., Any], boxed: Sequence[int]) -> Callable[..., Any]:
    """The function, with arrays of one element for the arguments of these numbers."""

    def called(*args: Any) -> Any:
        return function(*[np.array([args[n]]) if n in boxed else args[n] for n in range(len(args))])

    return called


def as_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with what it returns as arrays: their dtypes are those of its results."""

    def called(*args: Any) -> Any:
        found = function(*args)
        check_result(function, found)
        if isinstance(found, tuple):
            for each in found:
                check_result(function, each)
            return tuple([np.asarray(each) for each in found])
        return np.asarray(found)

    return called
