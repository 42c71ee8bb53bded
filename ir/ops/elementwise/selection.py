"""NumPy's functions that choose between arrays element by element, and write where a mask is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir.building.types import DType, is_python_number, promote
from agir.ir.ops.core import layouts
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.rearranged import check_not_read_only
from agir.ir.ops.core.recorded import (
    check_sizes,
    dimension_size,
    dimension_sizes,
    dtype_of,
    operand,
    rank,
    records,
    store_whole,
    tensor,
    type_of,
)
from agir.ir.ops.core.repeating import flattened, resized
from agir.ir.ops.core.zero_dimensional import as_array_like, is_array
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor

call = dispatch.call


@records(np.where)
def where(condition: Any, /, *choices: Any) -> Any:
    """One element or the other; the positions of what is true where no choices are given."""
    if not choices:
        return np.nonzero(tensor(condition))
    if len(choices) != 2:
        raise ValueError("where() takes both of two choices, or none")
    made = tensor(call("where", tensor(condition, "bool"), *_fitted(*choices)))
    return as_array_like(made, condition, *choices)


def _fitted(*choices: Any) -> list[Any]:
    """The operands; an int that does not fit the integers of the others wraps around."""
    kinds = [type_of(each) for each in choices]
    common = promote(*kinds)[0]
    wraps = common.is_integer and not all(kind.weak for kind in kinds)

    def fitted(choice: Any) -> Any:
        wrapped = wraps and type(choice) is int
        return int(np.asarray(choice).astype(common.numpy)) if wrapped else operand(choice)

    return [fitted(each) for each in choices]


@records(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The first choice whose condition is true."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(f"select(): {len(condlist)} conditions for {len(choicelist)} choices")
    *choicelist, default = _fitted(*choicelist, default)
    common, weak = promote(*map(type_of, (*choicelist, default)))
    for choice in choicelist:  # NumPy makes arrays of numbers, and writes them into the result
        own = np.result_type(type_of(choice).dtype.numpy)
        if type_of(choice).weak and not np.can_cast(own, common.numpy, "same_kind"):
            raise TypeError(f"select(): {own} numbers are not cast to {common}; convert them")

    def of_common_dtype(choice: Any) -> Any:
        return operand(choice) if weak else call("cast", operand(choice), common)

    result = of_common_dtype(default)
    for test, choice in zip(list(condlist)[::-1], list(choicelist)[::-1], strict=True):
        if not dtype_of(test).is_bool:
            raise TypeError("select(): the conditions are arrays of bools")
        result = call("where", tensor(test), of_common_dtype(choice), result)
    layouts.by_rows(result)
    return result


@records(np.choose)
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """For each element that of the choice of this number."""
    each = [
        operand(c) for c in (list(choices) if not isinstance(choices, (list, tuple)) else choices)
    ]
    if not np.can_cast(dtype_of(tensor(a)).numpy, np.int64):
        raise TypeError(f"choose() takes integers that fit int64, and no {dtype_of(tensor(a))}")
    number = tensor(a, "int64")
    count = len(each)
    if mode == "wrap":
        number = number % count
    elif mode == "clip":
        number = call("clip", number, 0, count - 1)
    else:
        inside = call("logical_and", call("less", number, count), call("greater_equal", number, 0))
        require(inside, f"choose(): there are {count} choices, and a number of another one")
        number = call("clip", number, 0, count - 1)
    common = np.result_type(*map(_example, each))
    each = [call("cast", _wrapped(v, common), common) for v in each]
    result = each[0] if count > 1 else call("where", True, each[0], each[0])
    for i in range(1, count):
        result = call("where", call("equal", number, i), each[i], result)
    if count == 1:
        result = call("where", call("equal", number, 0), result, result)
    if out is None:
        return result
    check_sizes(dimension_sizes(result), out, TypeError)
    return store_whole(result, out)


_EXAMPLES = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}


def _example(value: Any) -> Any:
    """What NumPy promotes as it does the value: a dtype, or a number of Python's."""
    kind = type_of(value)
    return _EXAMPLES[kind.dtype.kind] if kind.weak else kind.dtype.numpy


def _wrapped(value: Any, common: Any) -> Any:
    """A number of Python's in a dtype, of which ``choose`` takes the bits that fit."""
    return np.asarray(value).astype(common) if is_python_number(value) else value


@records(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """A function that is defined in pieces, each computed of its elements."""
    values = tensor(x)
    tests = (
        list(condlist) if isinstance(condlist, (list, tuple)) and rank(condlist[0]) else [condlist]
    )
    if isinstance(condlist, (list, tuple)) and rank(condlist[0]) == 0 and rank(values) == 0:
        tests = list(condlist)
    masks = [tensor(t, "bool") for t in tests]
    pieces = list(funclist)
    if len(pieces) == len(masks) + 1:
        rest = masks[0]
        for each in masks[1:]:
            rest = call("logical_or", rest, each)
        masks.append(call("logical_not", rest))
    if len(pieces) != len(masks):
        raise ValueError(f"piecewise(): {len(pieces)} functions for {len(masks)} conditions")
    result = call("copy", call("fill_like", values, 0))
    for mask, piece in zip(masks, pieces, strict=True):
        apart = rank(values) > 0 and getattr(result, "is_symbolic", False)
        part = values[mask] if apart else values
        made = operators.call(piece, (part, *args), kw) if callable(piece) else piece
        if apart:
            result[mask] = tensor(made, values.dtype)
        else:
            result = call("where", mask, tensor(made, values.dtype), result)
    layouts.derive(result, [values])
    return result


# Writing where a mask is true.


@records(np.copyto)
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Write an array into another one, where a mask is true."""
    value = operand(src)
    source, kind = type_of(value), type_of(dst)
    if value is dst or layouts.are_the_same(value, dst):
        return  # NumPy does not look whether it could be written into
    if isinstance(dst, SymbolicTensor):
        check_not_read_only(dst)
    given = np.result_type(source.dtype.numpy) if not source.weak else None
    if given is not None and not np.can_cast(given, kind.dtype.numpy, casting):  # type: ignore[arg-type]
        raise TypeError(f"copyto(): {source.dtype} values are not cast to {kind.dtype} by the rule "
                        f"{casting!r}")  # fmt: skip
    if source.weak and "biufc".index(source.dtype.kind.replace("u", "i")) > "biufc".index(
        kind.dtype.kind
    ):
        raise TypeError(f"copyto(): a {source.dtype.kind} number is not cast to {kind.dtype}")
    if where is True:
        dst[...] = value
    else:
        given = value if source.weak else call("cast", value, kind.dtype)
        dst[...] = call("where", tensor(where), given, dst)


def _cast_safely(values: Any, kind: DType, name: str) -> Any:
    """Python's numbers as stored in the dtype; the dtype of arrays must promote to it."""
    has_elements = hasattr(values, "dtype") and bool(rank(values))
    if has_elements or isinstance(values, np.ndarray) or is_array(values):
        given = dtype_of(values)
        if not np.can_cast(given.numpy, kind.numpy, "safe"):
            raise TypeError(f"{name}(): {given} values are not cast to {kind} by the rule 'safe'")
    return tensor(values, kind)


@records(np.putmask)
def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """Write values, repeated over the whole array, where a mask is true."""
    if isinstance(a, SymbolicTensor):
        check_not_read_only(a)
    test = _as_large_as(a, mask, "putmask")
    given = _cast_safely(values, dtype_of(a), "putmask")
    if not rank(given):
        a[...] = call("where", test, given, a)
        return
    given = flattened(given)
    count = type_of(given).shape[0]
    if count is None:  # nothing is written where there are no values
        test = call("logical_and", test, call("greater", dimension_size(given, 0), 0))
    if count != 0:
        a[...] = call("where", test, resized(given, dimension_sizes(a)), a)


@records(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """Write values one after the other, repeated, where a mask is true."""
    if isinstance(arr, SymbolicTensor):
        check_not_read_only(arr)
    test = _as_large_as(arr, mask, "place")
    given = flattened(_cast_safely(vals, dtype_of(arr), "place"))
    count = type_of(given).shape[0]
    if not count:
        none = call("logical_not", call("any", test))
        some = call("logical_or", none, call("greater", dimension_size(given, 0), 0))
        require(some, "place() of no values, where the mask is true")
    if count == 0:
        return
    if count == 1:
        arr[...] = call("where", test, given[0], arr)
        return
    number = call("numpy_cumsum", flattened(test), 0) - 1
    if count is None:
        given = call("concat", [given, np.zeros(1, given.dtype.numpy)], 0)
    period = count or call("maximum", dimension_size(given, 0) - 1, 1)
    whole = call("reshape", call("take", given, number % period, 0), dimension_sizes(arr))
    arr[...] = call("where", test, whole, arr)


def _as_large_as(a: Any, mask: Any, name: str) -> Any:
    """The mask in the shape of an array that has as many elements: ``ValueError`` if it has not."""
    test = tensor(mask, "bool")
    if type_of(test).shape == type_of(a).shape and None not in type_of(a).shape:
        return test
    sizes = [call("numpy_size", each) for each in (test, tensor(a))]
    require(call("equal", *sizes), f"{name}(): the mask has not as many elements as the array")
    return call("reshape", test, dimension_sizes(a))
