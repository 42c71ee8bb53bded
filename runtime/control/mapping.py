"""``map_fn``, ``scan`` and the folds: a function over the rows of tensors.

While a function is traced each is one recorded loop; else Python goes through the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators import State, no_state
from agir.errors import OperandTypeError, OperandValueError
from agir.ir import control_flow
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, Shape, TensorSpec, TensorType, as_dtype
from agir.ir.control_flow.checkpoint import keeping
from agir.ir.ops.shapes.refinement import as_shape, stated
from agir.ir.state.tensor_array import TensorArray
from agir.ir.tensors import dispatch
from agir.ir.tracing import nest, trace
from agir.ir.tracing.trace import Trace
from agir.runtime.control.agreement import (
    apply,
    as_tensors,
    carried,
    check_callable,
    check_structure,
    described,
    explained,
    fit,
    settled,
    type_of,
)
from agir.runtime.control.rows import Rows
from agir.runtime.tensor import convert_to_tensor

_FN = ("the accumulator", "the result of fn")
_WHEN = ("before", "after fn")


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
    *,
    checkpoint: bool | int | str | None = None,
) -> Any:
    """``fn`` of each row of ``elems``, a tensor or a structure of them; the results are stacked.

    The results have the structure and dtypes of ``elems``, unless ``fn_output_signature`` gives
    others: a dtype, a ``TensorSpec``, or a structure of those.  ``checkpoint`` says how much a
    gradient of the recorded loop keeps, as in ``ag.autograph.set_loop_options``.  The options that
    are not described are TensorFlow's and have no effect.

    >>> ag.map_fn(lambda row: ag.reduce_sum(row), ag.constant([[1, 2], [3, 4]])).numpy()
    array([3, 7], dtype=int32)

    Shapes: elems [n, ...] -> [n, ...] of what fn gives
    Dtypes: bool, int, uint, float, complex -> as fn gives
    Raises: OperandTypeError and OperandValueError where the results of fn do not fit together
    """
    check_callable("map_fn", fn=fn)
    rows = Rows("map_fn()", elems)
    signature = dtype if fn_output_signature is None else fn_output_signature
    outputs = _Outputs("map_fn()", rows.like() if signature is None else signature)
    return _mapped(fn, rows, outputs, checkpoint)


def vectorized_map(
    fn: Callable[[Any], Any],
    elems: Any,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Any:
    """``fn`` of each row of ``elems``, whose results may be of any structure and dtypes.

    A tensor with one row gives that row every time.  The function is recorded once, as the body of
    a loop; the options are TensorFlow's and have no effect.

    >>> ag.vectorized_map(lambda row: row * 2, ag.constant([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)

    Shapes: elems [n, ...] -> [n, ...] of what fn gives
    Dtypes: bool, int, uint, float, complex -> as fn gives
    Raises: OperandTypeError and OperandValueError where the results of fn do not fit together
    """
    check_callable("vectorized_map", fn=fn)
    rows = Rows("vectorized_map()", elems, broadcast=True)
    current = trace.current()
    if current is None:
        found = [apply(fn, rows.at(position)) for position in range(rows.known_count())]
        return _stacked("vectorized_map()", found) if found else _without_rows(fn, elems)
    return _mapped(fn, rows, _Outputs("vectorized_map()", _sample(current, fn, rows)))


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
    *,
    checkpoint: bool | int | str | None = None,
) -> Any:
    """The accumulators ``fn(accumulator, row)`` of each row of ``elems``, stacked.

    The first is ``initializer``, which is no part of the result; where it is None, the first row,
    which is.  With ``reverse`` it goes from the last row to the first.  ``checkpoint`` says how much a
    gradient of the recorded loop keeps, as in ``ag.autograph.set_loop_options``.

    >>> ag.scan(lambda total, row: total + row, ag.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)

    Shapes: elems [n, ...] -> [n, ...] of what fn gives
    Dtypes: bool, int, uint, float, complex -> as fn gives
    Raises: OperandTypeError and OperandValueError where the results of fn do not fit together
    """
    check_callable("scan", fn=fn)
    return _Fold("scan()", fn, elems, initializer, reverse, checkpoint).run(collect=True)


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    *,
    checkpoint: bool | int | str | None = None,
) -> Any:
    """``fn(… fn(fn(initializer, row 0), row 1) …)``; begins with row 0 where that is None.

    ``checkpoint`` says how much a gradient of the recorded loop keeps, as in
    ``ag.autograph.set_loop_options``.

    >>> ag.foldl(lambda total, row: total + row, ag.constant([1, 2, 3])).numpy()
    np.int32(6)

    Shapes: elems [n, ...] -> as fn gives
    Dtypes: bool, int, uint, float, complex -> as fn gives
    Raises: OperandTypeError and OperandValueError where the results of fn do not fit together
    """
    check_callable("foldl", fn=fn)
    return _Fold("foldl()", fn, elems, initializer, False, checkpoint).run(collect=False)


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    *,
    checkpoint: bool | int | str | None = None,
) -> Any:
    """The same as :func:`foldl` from the last row to the first.

    >>> ag.foldr(lambda total, row: total - row, ag.constant([1, 2, 3])).numpy()
    np.int32(0)

    Shapes: elems [n, ...] -> as fn gives
    Dtypes: bool, int, uint, float, complex -> as fn gives
    Raises: OperandTypeError and OperandValueError where the results of fn do not fit together
    """
    check_callable("foldr", fn=fn)
    return _Fold("foldr()", fn, elems, initializer, True, checkpoint).run(collect=False)


# Results.


class _Outputs:
    """What a function gives for each row: checked, and collected."""

    def __init__(self, what: str, signature: Any) -> None:
        self._what = what
        self._like = signature
        self._kinds = [_kind(what, each) for each in nest.flatten(signature)]
        self._paths = [path for path, _ in nest.paths(signature, "the result of fn")]
        self._arrays: list[Any] = []

    def begin(self, count: Any) -> None:
        """Make room for so many results, in the function that is traced."""
        self._arrays = [TensorArray(dtype, count, element_shape=s) for dtype, s in self._kinds]

    def put(self, position: Any, result: Any) -> None:
        """Keep the result for a row."""
        for array, leaf in zip(self._arrays, self.checked(result), strict=True):
            array.write(position, leaf)

    def taken(self) -> Any:
        """All results."""
        return nest.pack_sequence_as(self._like, [array.stack() for array in self._arrays])

    def stacked(self, results: Sequence[Any]) -> Any:
        """The results of Python's loop, as tensors."""
        if not results:
            empty = [_empty(dtype, shape) for dtype, shape in self._kinds]
            return nest.pack_sequence_as(self._like, empty)
        packed = [nest.pack_sequence_as(self._like, self.checked(each)) for each in results]
        return _stacked(self._what, packed)

    def checked(self, result: Any) -> list[Any]:
        """The leaves of a result, in the dtypes that they should have."""
        names = ("the signature", "the result of fn")
        check_structure(self._what, names, self._like, result)
        rows = zip(self._paths, self._kinds, nest.flatten(result), strict=True)
        return [self._leaf(path, *kind, leaf) for path, kind, leaf in rows]

    def _leaf(self, path: str, dtype: DType, shape: Shape | None, leaf: Any) -> Any:
        kind = type_of(leaf)
        if kind is None:
            raise explained(
                TypeError, f"{self._what}: {path} must be a tensor, not {described(leaf)}"
            )
        if not fit(kind, TensorType(dtype, ())):
            raise explained(
                TypeError,
                f"{self._what}: {path} is {described(leaf)}, not of {dtype}; convert it with "
                "agir.cast, or say so in fn_output_signature",
            )
        tensor = dispatch.call("cast", leaf, dtype) if kind.weak else convert_to_tensor(leaf)
        return stated(tensor, shape, f"{self._what}: the shape of {path}")


def _kind(what: str, given: Any) -> tuple[DType, Shape | None]:
    if isinstance(given, TensorSpec):
        return given.dtype, as_shape(given)
    try:
        return as_dtype(given), None
    except TypeError:
        raise explained(
            TypeError, f"{what}: {given!r} in fn_output_signature is no dtype and no TensorSpec"
        ) from None


def _empty(dtype: DType, shape: Shape | None) -> Any:
    return dispatch.call("full", [0, *(n or 0 for n in shape or ())], 0, dtype)


def _stacked(what: str, results: Sequence[Any]) -> Any:
    """Results of one structure as one structure of tensors."""
    first = as_tensors(results[0])
    for other in results[1:]:
        check_structure(what, ("the first result", "a later one"), first, other)
    rows = [nest.flatten(as_tensors(each)) for each in results]
    columns = [_stack(what, column) for column in zip(*rows, strict=True)]
    return nest.pack_sequence_as(first, columns)


def _stack(what: str, column: tuple[Any, ...]) -> Any:
    if any(type_of(leaf) is None for leaf in column):
        raise OperandTypeError(f"{what}: fn must give tensors, not {described(column[0])}")
    shapes = {tuple(leaf.shape): None for leaf in column}
    if len(shapes) > 1:
        different = " and ".join(str(list(shape)) for shape in list(shapes)[:2])
        raise OperandValueError(f"{what}: the results of fn have different shapes, {different}")
    return dispatch.call("stack", list(column))


def _mapped(fn: Callable[[Any], Any], rows: Rows, outputs: _Outputs, checkpoint: Any = None) -> Any:
    current = trace.current()
    if current is None:
        count = rows.known_count()
        return outputs.stacked([apply(fn, rows.at(position)) for position in range(count)])

    def body(position: Any) -> None:
        outputs.put(position, apply(fn, rows.at(position)))

    outputs.begin(rows.count)
    _for_each(current, 0, rows.count, body, no_state, checkpoint)
    return outputs.taken()


def _without_rows(fn: Callable[[Any], Any], elems: Any) -> Any:
    """The empty results of a function that is never called: tracing finds out what they are."""
    from agir.runtime.decorators import function

    return function(lambda rows: vectorized_map(fn, rows))(elems)


def _sample(current: Trace, fn: Callable[[Any], Any], rows: Rows) -> Any:
    """The structure and the dtypes of what the function gives, from an attempt taken back."""
    found: list[Any] = []
    with current.attempt() as attempt:
        with current.inside(Scope(current.scope)):
            control_flow.run_recorded(current, lambda: found.append(apply(fn, rows.example())))
            kinds = [settled(current, as_tensors(each)) for each in found]
        attempt.roll_back()
    if not kinds:
        return as_dtype("float32")  # it raises for every row
    return nest.transform(_spec, kinds[0])


def _spec(leaf: Any) -> Any:
    kind = type_of(leaf)
    if kind is None:
        raise explained(TypeError, f"vectorized_map(): fn must give tensors, not {described(leaf)}")
    return TensorSpec(kind.shape, kind.dtype)


def _for_each(
    current: Trace,
    start: int,
    stop: Any,
    body: Callable[[Any], None],
    state: State,
    checkpoint: Any,
) -> None:
    positions = dispatch.call("range", start, stop, 1, "int64")
    with keeping(current, checkpoint):
        control_flow.for_stmt(current, positions, body, None, state)


# Folds.


class _Fold:
    """A function of an accumulator and a row, from one end to the other."""

    def __init__(
        self, what: str, fn: Any, elems: Any, initializer: Any, reverse: bool, checkpoint: Any
    ) -> None:
        self._what = what
        self._fn = fn
        self._rows = Rows(what, elems)
        self._reverse = reverse
        self._checkpoint = checkpoint
        self._from_row = initializer is None
        if self._from_row:
            self._rows.need_one("there is no initializer")
        self._like = self._row(0) if self._from_row else as_tensors(initializer)
        self._leaves = nest.flatten(self._like)
        self._paths = [path for path, _ in nest.paths(self._like, "the accumulator")]

    def run(self, collect: bool) -> Any:
        """The last accumulator, or all of them."""
        current = trace.current()
        if current is None:
            return self._in_python(collect)
        outputs = _Outputs(self._what, nest.transform(_dtype, self._like)) if collect else None
        state = State(lambda: tuple(self._leaves), self._set, tuple(self._paths))
        if outputs is not None:
            outputs.begin(self._rows.count)
            if self._from_row:
                outputs.put(self._place(0), self._like)

        def body(iteration: Any) -> None:
            self._step(iteration)
            if outputs is not None:
                outputs.put(self._place(iteration), self._accumulator())

        first = int(self._from_row)
        _for_each(current, first, self._rows.count, body, state, self._checkpoint)
        return settled(current, self._accumulator() if outputs is None else outputs.taken())

    def _in_python(self, collect: bool) -> Any:
        seen = [self._accumulator()] if self._from_row else []
        for iteration in range(int(self._from_row), self._rows.known_count()):
            self._step(iteration)
            if collect:
                seen.append(self._accumulator())
        if not collect:
            return self._accumulator()
        signature = nest.transform(_spec_of, self._like)
        return _Outputs(self._what, signature).stacked(seen[::-1] if self._reverse else seen)

    def _step(self, iteration: Any) -> None:
        result = apply(self._fn, self._accumulator(), self._row(iteration))
        check_structure(self._what, _FN, self._like, result)
        triples = zip(self._paths, nest.flatten(self._like), nest.flatten(result), strict=True)
        self._leaves = [
            carried(f"{self._what}: {path}", _WHEN, before, after)
            for path, before, after in triples
        ]

    def _accumulator(self) -> Any:
        return nest.pack_sequence_as(self._like, self._leaves)

    def _set(self, values: tuple[Any, ...]) -> None:
        self._leaves = list(values)

    def _place(self, iteration: Any) -> Any:
        return self._rows.count - 1 - iteration if self._reverse else iteration

    def _row(self, iteration: Any) -> Any:
        return self._rows.at(self._place(iteration))


def _dtype(leaf: Any) -> Any:
    kind = type_of(leaf)
    return leaf if kind is None else kind.dtype


def _spec_of(leaf: Any) -> Any:
    kind = type_of(leaf)
    return leaf if kind is None else TensorSpec(kind.shape, kind.dtype)
