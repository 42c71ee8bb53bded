"""NumPy's ufuncs on tensors: calls with ``out``, ``where`` and ``dtype``, and their methods."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import recording
from agir.ir.building.types import DType, as_dtype, bfloat16, is_python_number
from agir.ir.emission.emit import is_symbolic
from agir.ir.ops.calls import foreign_ufuncs
from agir.ir.ops.calls.ufunc_loops import folded, folded_parts, scanned, updated
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, composition
from agir.ir.ops.core.recorded import (
    RECORDED,
    check_casting,
    dimension_size,
    dimension_sizes,
    dtype_of,
    numpys_kind,
    only,
    operand,
    rank,
    resolved,
    store,
    store_running,
    store_whole,
    tensor,
    type_of,
    unfit,
)
from agir.ir.ops.reductions.numpy_reductions import accumulating, started
from agir.ir.table import NUMPY
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor

UNROLLED = 512
"""Elements that a reduction without an order of its own combines one by one."""
_NOTHING: Any = np._NoValue
_ASSOCIATIVE = {
    np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.logical_and, np.logical_or,
    np.logical_xor, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.gcd, np.lcm, np.hypot,
    np.logaddexp, np.logaddexp2,
}  # fmt: skip


def apply(function: Any, *inputs: Any) -> Any:
    """The ufunc on operands, as it is recorded."""
    found = RECORDED.get(function) or NUMPY.get(function)
    if found is None and (made := foreign_ufuncs.recorded(function, inputs)) is not None:
        return made
    if found is None:
        raise StagingError(
            f"numpy.{function.__name__} cannot be recorded on tensors; docs/numpy_functions.md "
            "lists what can, and says what to use in its place"
        )
    return found(*_as_numpys(inputs))


def _as_numpys(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numbers of Python's as NumPy makes them its own: these wrap around, and become infinite."""
    are_pythons = len(inputs) > 1 and all(
        x.weak and not x.dims if isinstance(x, SymbolicTensor) else is_python_number(x)
        for x in inputs
    )
    if not are_pythons:
        return inputs
    return tuple(
        dispatch.call("cast", x, x.dtype) if isinstance(x, SymbolicTensor) else x for x in inputs
    )


def call(
    function: Any,
    *inputs: Any,
    out: Any = None,
    where: Any = True,
    dtype: Any = None,
    signature: Any = None,
    casting: str = "same_kind",
    order: str = "K",
    subok: bool = True,
) -> Any:
    """``np.add(x, y, out=..., where=..., dtype=...)``."""
    given, out = inputs[: function.nin], inputs[function.nin :] or out
    for each in out if isinstance(out, tuple) else (out,):
        if each is not None:
            only(each)
    given = tuple(map(operand, given))
    if dtype is None and signature is None:
        _check_types(function, given, out, casting)
        result = apply(function, *_computed(function, given, where))
    else:
        result = _in_dtype(function, given, dtype, signature, casting, where)
    if isinstance(result, tuple):
        outs = out if isinstance(out, tuple) else (out,) * len(result)
        return tuple(_placed(r, o, where, casting) for r, o in zip(result, outs, strict=True))
    out = out[0] if isinstance(out, tuple) else out
    if function is np.matmul and out is not None:
        result = _as_row(result, out)
    return _placed(result, out, where, casting)


def plain(function: Any, inputs: tuple[Any, ...]) -> Any:
    """``np.add(x, y)``, which most calls are."""
    if len(inputs) != function.nin:
        return METHODS["__call__"](function, *inputs)
    try:
        return apply(function, *_computed(function, tuple(map(operand, inputs)), True))
    except (TypeError, ValueError, IndexError) as error:
        raise dispatch.located(error, recording.current()) from error.__cause__


def _as_row(result: Any, out: Any) -> Any:
    """A product of one row for a vector: NumPy leaves out what a matrix has more (``n?`` of matmul)."""
    if (rank(result), rank(out)) != (2, 1):
        return result
    require(dispatch.call("equal", dimension_size(result, 0), 1), unfit(result, out))
    return result[0]


def _check_types(function: Any, given: Any, out: Any, casting: str) -> None:
    """``TypeError`` where dtypes cannot be converted as the rule says, before shapes are compared."""
    if casting not in ("same_kind", "unsafe"):
        _check_operands(function, given, casting)
    outs = out if isinstance(out, tuple) else (out,) * function.nout
    if all(each is None for each in outs):
        return
    for each, kind in zip(outs, result_dtypes(function, given), strict=False):
        if each is not None:
            check_casting(kind, dtype_of(each), casting)


def _check_operands(function: Any, given: Any, casting: str) -> None:
    """``TypeError`` where the operands cannot be what the ufunc computes with."""
    kinds = [numpys_kind(v) for v in given]
    if bfloat16.numpy not in kinds:
        resolved(function, (*kinds, *(None,) * function.nout), casting=casting)


_CHECKED = {np.power, np.floor_divide, np.remainder, np.divmod}
"""Functions of which some integers are errors as the second operand; 1 is none of them."""


def _computed(function: Any, given: Any, where: Any) -> Any:
    """The operands with ones where nothing is computed, which are not to be checked there."""
    kinds = result_dtypes(function, given) if where is not True and function in _CHECKED else []
    if not kinds or kinds[0].kind not in "iu":
        return given
    left, right = given
    return left, dispatch.call("where", where, tensor(right, kinds[0]), kinds[0].numpy.type(1))


def result_dtypes(function: Any, given: Any) -> list[DType]:
    """The dtypes of the ufunc's results; none where the operation itself has to say that it fails."""
    kinds = [numpys_kind(v) for v in given]
    if bfloat16.numpy in kinds:
        return []
    try:
        found = function.resolve_dtypes((*kinds, *(None,) * function.nout))
    except TypeError:
        return []
    return [as_dtype(kind) for kind in found[function.nin :]]


def _placed(result: Any, out: Any, where: Any, casting: str) -> Any:
    """The result, in ``out`` if there is one; what ``where`` leaves out stays as it is."""
    everywhere = where is True
    if out is None:
        return result if everywhere else dispatch.call("where", where, result, result)
    if everywhere:
        return store(result, out, casting)
    kept = dispatch.call("where", where, _converted(result, out, casting), out)
    return store(kept, out, casting)


def _converted(result: Any, out: Any, casting: str) -> Any:
    """The result in the dtype of ``out``, unless :func:`store` has to refuse that."""
    source, target = dtype_of(result), dtype_of(out)
    allowed = np.can_cast(source.numpy, target.numpy, casting)  # type: ignore[arg-type]
    return dispatch.call("cast", result, target) if allowed else result


_COMPARISONS = {
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal
}  # fmt: skip
"""They take numbers of Python's that their operands' dtype does not hold."""


def _in_dtype(
    function: Any, given: Any, dtype: Any, signature: Any, casting: str, where: Any
) -> Any:
    """The ufunc computed in the dtype that is asked for."""
    kinds = [numpys_kind(v) for v in given]
    wanted = signature
    if dtype is not None:
        wanted = (None,) * function.nin + (as_dtype(dtype).numpy,) * function.nout
    elif isinstance(signature, tuple):
        wanted = tuple(None if s is None else as_dtype(s).numpy for s in signature)
    kinds = [*kinds, *(None,) * function.nout]
    loop = resolved(function, kinds, signature=wanted, casting=casting)
    cast = [
        v if function in _COMPARISONS and type_of(v).weak else dispatch.call("cast", v, d)
        for v, d in zip(given, loop, strict=False)
    ]
    result = apply(function, *_computed(function, cast, where))
    many = result if isinstance(result, tuple) else (result,)
    found = tuple(tensor(r, d) for r, d in zip(many, loop[function.nin :], strict=True))
    return found if isinstance(result, tuple) else found[0]


# reduce, accumulate


def reduce(
    function: Any,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = _NOTHING,
    where: Any = True,
) -> Any:
    """``np.add.reduce(x, axis)``."""
    x = tensor(array)
    start = None if initial is _NOTHING else initial
    if (whole := _REDUCTIONS.get(function)) is not None:
        began = start is not None and function not in _LOGICAL
        options = {"axis": axis, "keepdims": keepdims} | ({"initial": start} if began else {})
        options |= {} if where is True else {"where": where}
        dtype = dtype if function in _LOGICAL else accumulating(function, x, dtype, out)
        options |= {} if dtype is None else {"dtype": dtype}
        if dtype is not None and whole not in (np.sum, np.prod):
            x = tensor(x, options.pop("dtype"))
        result = RECORDED[whole](x, **options)
        if start is not None and not began:
            result = apply(function, started(start, dtype_of(result)), result)
    else:
        x = tensor(x, _reduced_in(function, x, dtype, out))
        start = None if start is None else started(start, dtype_of(x))
        if function in _ASSOCIATIVE:
            x = x if where is True else _where(function, x, where, start)
            result = _combined(function, x, axis, keepdims, start)
            result = result if start is None else apply(function, start, result)
        else:
            result = _in_order(function, x, axis, keepdims, start, where)
    return result if out is None else store_whole(result, out)


def _reduced_in(function: Any, x: Any, dtype: Any, out: Any) -> Any:
    """The dtype in which elements are combined; ``TypeError`` where there is none."""
    if (wanted := accumulating(function, x, dtype, out)) is not None:
        return wanted
    kind = dtype_of(x).numpy
    if kind == bfloat16.numpy or function.nin != 2 or function.nout != 1:
        return kind
    found = function.resolve_dtypes((None, kind, None), reduction=True)
    return found[0]


def _where(function: Any, x: Any, where: Any, start: Any) -> Any:
    """The elements with what changes nothing in the place of those that are left out."""
    neutral = _nothing(function, x, start)
    if neutral is None:
        raise ValueError(
            f"numpy.{function.__name__}.reduce(where=) needs initial=, the value of nothing"
        )
    return dispatch.call("where", where, x, neutral)


def _nothing(function: Any, x: Any, start: Any) -> Any:
    """What changes nothing: what is begun with, where a function has nothing of its own."""
    return start if function.identity is None else _neutral(function.identity, x)


def _neutral(value: Any, x: Any) -> Any:
    """What changes nothing, in the dtype of the elements: -1 is all bits."""
    return np.asarray(value).astype(dtype_of(x).numpy)


_LOGICAL = {np.logical_and, np.logical_or, np.logical_xor}


_REDUCTIONS: dict[Any, Any] = {
    np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min,
    np.logical_and: np.all, np.logical_or: np.any,
}  # fmt: skip


def _combined(function: Any, x: Any, axis: Any, keepdims: bool, start: Any) -> Any:
    """The elements along the axes combined pair by pair; ``start`` is what comes before them."""
    places = _places(function, x, axis)
    for place in reversed(places):
        if not _is_short(x, place):
            rows = dispatch.call("moveaxis", x, place, 0)
            x = _folded(function, rows, _nothing(function, x, start))
            continue
        parts = _parts(x, place)
        if not parts:
            neutral = _nothing(function, x, start)
            if neutral is None:
                raise ValueError(f"numpy.{function.__name__}.reduce of nothing has no value")
            shape = [e for i, e in enumerate(dimension_sizes(x)) if i != place]
            x = dispatch.call("full", shape, neutral, dtype_of(x))
            continue
        alone = len(parts) == 1
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=False)
            rest = parts[len(parts) & ~1 :]
            parts = [apply(function, *pair) for pair in pairs] + rest
        x = dispatch.call("copy", parts[0]) if alone else parts[0]  # no part of the operand
    x = x if places else dispatch.call("copy", x)
    for place in places if keepdims else ():
        x = dispatch.call("expand_dims", x, place)
    return x


def _places(function: Any, x: Any, axis: Any) -> list[int]:
    """The axes of a reduction."""
    if function.nin != 2 or function.nout != 1:
        raise ValueError(f"numpy.{function.__name__}.reduce: only binary functions reduce")
    axes = range(rank(x)) if axis is None else axis if isinstance(axis, (tuple, list)) else [axis]
    return sorted(axis_index(a, rank(x), "reduce") for a in axes)


def _folded(function: Any, rows: Any, first: Any, chosen: Any = None) -> Any:
    name = f"numpy.{function.__name__}.reduce"
    return folded(rows, partial(apply, function), name, first, chosen)


def _in_order(function: Any, x: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    """The elements along an axis combined one after the other, beginning with ``initial``."""
    places = _places(function, x, axis)
    if len(places) > 1:
        raise ValueError(f"numpy.{function.__name__}.reduce: only one axis, as the order matters")
    if where is not True and initial is None:
        raise ValueError(
            f"numpy.{function.__name__}.reduce(where=) needs initial=, the value of nothing"
        )
    chosen = (
        None if where is True else dispatch.call("broadcast_to", tensor(where), dimension_sizes(x))
    )
    if not places:
        made = dispatch.call("copy", x) if initial is None else apply(function, initial, x)
        return made if chosen is None else dispatch.call("where", chosen, made, initial)
    (place,) = places
    if _is_short(x, place):
        masks = [None] * dimension_sizes(x)[place] if chosen is None else _parts(chosen, place)
        made = _one_by_one(function, _parts(x, place), masks, _first(x, place, initial))
    else:
        first = _first(x, place, initial)
        rows = dispatch.call("moveaxis", x, place, 0)
        chosen = None if chosen is None else dispatch.call("moveaxis", chosen, place, 0)
        made = _folded(function, rows, first, chosen)
    return dispatch.call("expand_dims", made, place) if keepdims else made


def _first(x: Any, place: int, initial: Any) -> Any:
    """What a reduction along an axis begins with; None where that is the first element."""
    if initial is None:
        return None
    shape = [e for i, e in enumerate(dimension_sizes(x)) if i != place]
    return dispatch.call("broadcast_to", dispatch.call("cast", initial, dtype_of(x)), shape)


def _one_by_one(function: Any, parts: list[Any], masks: list[Any], total: Any) -> Any:
    for part, mask in zip(parts, masks, strict=True):
        new = part if total is None else apply(function, total, part)
        total = new if mask is None else dispatch.call("where", mask, new, total)
    if total is None:
        raise ValueError(f"numpy.{function.__name__}.reduce of nothing has no value")
    return dispatch.call("copy", total) if len(parts) < 2 else total  # no part of the operand


def _is_short(x: Any, axis: int) -> bool:
    """Whether the parts along an axis are combined one by one, and not in a loop."""
    count = dimension_sizes(x)[axis]
    return isinstance(count, int) and (count <= UNROLLED or not is_symbolic(x))


def _parts(x: Any, axis: int) -> list[Any]:
    return [x[(slice(None),) * axis + (i,)] for i in range(dimension_sizes(x)[axis])]


def accumulate(function: Any, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """``np.add.accumulate(x, axis)``."""
    x = tensor(array)
    along = axis_index(axis, rank(x), "accumulate")
    name = _SCANS.get(function)
    kind = dtype_of(x) if dtype is None else as_dtype(dtype)
    if name is not None and name.startswith("numpy_"):
        result = dispatch.call(name, x, along, accumulating(function, x, dtype, out))
    elif name is not None and (kind.kind != "c" or function in _LOGICAL):
        logical = function in _LOGICAL
        result = dispatch.call(name, tensor(x, "bool" if logical else kind), along)
    else:
        kind = _reduced_in(function, x, dtype, out)
        result = _accumulated(function, tensor(x, kind), along)
    return result if out is None else store_running(result, out, along)


def _accumulated(function: Any, x: Any, along: int) -> Any:
    if not _is_short(x, along):
        rows = scanned(dispatch.call("moveaxis", x, along, 0), partial(apply, function))
        return dispatch.call("moveaxis", rows, 0, along)
    parts = _parts(x, along)
    for i in range(1, len(parts)):
        parts[i] = apply(function, parts[i - 1], parts[i])
    return dispatch.call("stack", parts, along) if parts else dispatch.call("copy", x)


_SCANS = {
    np.add: "numpy_cumsum", np.multiply: "numpy_cumprod", np.maximum: "cummax",
    np.minimum: "cummin", np.logical_and: "cummin", np.logical_or: "cummax",
}  # fmt: skip


# outer, at, reduceat


def outer(function: Any, first: Any, second: Any, **options: Any) -> Any:
    """``np.add.outer(x, y)``."""
    # NumPy makes arrays of both, so a number has the dtype of an array of it
    x, y = map(tensor, (first, second))
    if rank(y) and rank(x):
        key = (Ellipsis,) + (None,) * rank(y)
        x = x[key]
    return call(function, x, y, **options)


def at(function: Any, array: Any, indices: Any, *values: Any) -> None:
    """``np.add.at(x, indices, values)``: every occurrence of a place counts."""
    kind, value = type_of(array).dtype, tensor(values[0]) if values else None
    _check_defined(function, array, *values)
    total = dispatch.call("numpy_size", array)
    numbers = dispatch.call(
        "reshape", dispatch.call("range", total, dtype="int64"), dimension_sizes(array)
    )
    places = tensor(numbers[indices])
    given = None if value is None else dispatch.call("broadcast_to", value, dimension_sizes(places))
    flat = dispatch.call("reshape", tensor(array), (-1,))
    column = dispatch.call("reshape", places, (-1, 1))
    how = _at_once(function, kind, values)
    if how is not None:
        each = dispatch.call("cast", dispatch.call("reshape", given, (-1,)), kind)
        new = dispatch.call("scatter", flat, column, each, how)
    else:
        each = None if given is None else dispatch.call("reshape", given, (-1,))
        new = updated(flat, column[:, 0], each, partial(apply, function))
    array[...] = dispatch.call("reshape", new, dimension_sizes(array))


def _check_defined(function: Any, *operands: Any) -> None:
    """``TypeError`` for arrays of these dtypes, which NumPy looks at before anything else."""
    kinds = [dtype_of(tensor(v)).numpy for v in operands]
    if bfloat16.numpy not in kinds:
        try:
            function.resolve_dtypes((*kinds, *(None,) * function.nout))
        except TypeError as error:
            raise TypeError(f"numpy.{function.__name__}.at(): {error}") from None


def _at_once(function: Any, kind: DType, values: Any) -> str | None:
    """How the places are updated in one operation; None where NumPy rounds after each step."""
    how = _UPDATES.get(function)
    if how is None or (how in ("max", "min") and kind.is_complex):
        return None
    (value,) = values
    found = np.result_type(kind.numpy, dtype_of(tensor(value)).numpy)
    if how in ("add", "sub", "mul") and kind.kind in "iu":
        return how if found.kind in "iu" else None  # what is cut off then is cut off at each step
    weak = is_python_number(value) and kind.kind in "fc" and found.kind <= kind.kind
    return how if found == kind.numpy or weak else None


_UPDATES = {
    np.add: "add", np.subtract: "sub", np.multiply: "mul", np.maximum: "max", np.minimum: "min",
}  # fmt: skip


def reduceat(
    function: Any, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
) -> Any:
    """``np.add.reduceat(x, indices, axis)``: from each index up to the next."""
    if not (is_symbolic(array) or is_symbolic(indices)):
        made = function.reduceat(np.asarray(array), np.asarray(indices), axis, dtype)
        return tensor(made) if out is None else store(tensor(made), out, "unsafe")
    x, places = tensor(array), tensor(indices, "int64")
    along = axis_index(axis, rank(x), "reduceat")
    wanted = accumulating(function, x, dtype, out)
    if wanted is not None:
        x = tensor(x, wanted)
    elif function in (np.add, np.multiply):
        x = tensor(
            x, call(function, x, x).dtype if x.dtype.kind in "fc" else np.add.reduce(x, along).dtype
        )
    elif function in _LOGICAL:
        x = tensor(x, "bool")
    moved = dispatch.call("moveaxis", x, along, 0)
    _check_starts(places, dimension_sizes(x)[along], f"numpy.{function.__name__}.reduceat")
    result = folded_parts(moved, places, partial(apply, function))
    result = dispatch.call("moveaxis", result, 0, along)
    return result if out is None else store(result, out, "unsafe")


def _check_starts(places: Any, count: Any, what: str) -> None:
    inside = dispatch.call("all", dispatch.call("logical_and", places >= 0, places < count))
    if isinstance(inside, SymbolicTensor):
        site = inside.recorder.site("no_item", f"{what}: a start lies outside of the axis")
        inside.recorder.guard(inside.ssa, site)
    elif not inside.numpy():
        raise IndexError(f"{what}: a start lies outside of the axis")


METHODS: dict[str, Callable[..., Any]] = {
    "__call__": composition()(call),
    "reduce": composition()(reduce),
    "accumulate": composition()(accumulate),
    "outer": composition()(outer),
    "at": composition()(at),
    "reduceat": composition()(reduceat),
}
"""By the name that NumPy gives ``__array_ufunc__``: each takes the ufunc first."""
