"""``py_function`` and ``numpy_function``: Python functions that are called when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import InvalidArgumentError
from agir.ir.building.types import DType, TensorSpec, as_dtype
from agir.ir.emission import emit
from agir.ir.ops.core.host_calls import HostFunction, Result, record
from agir.ir.ops.shapes.refinement import as_shape
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace
from agir.runtime.control.agreement import check_callable, explained
from agir.runtime.tensor import EagerTensor, convert_to_tensor


def py_function(func: Any, inp: Any, Tout: Any, name: str | None = None) -> Any:  # noqa: N803
    """``func(*inp)``, called by Python whenever the program gets here; it gets eager tensors.

    ``Tout`` says what it gives: a dtype or a ``TensorSpec``, a list of those for several results, an
    empty list or None for none.  What it raises, the call of the compiled function raises.  It is
    called whether its results are used or not, in the order of the program.

    A result whose number of dimensions ``Tout`` does not say has that of ``ag.ensure_shape``, where
    it goes through it first; else the greatest of the inputs'.  Another one is an
    ``InvalidArgumentError`` when it is called.  A result that is only returned can have any.

    >>> ag.py_function(lambda x: x + 1, [ag.constant(1)], ag.int32).numpy()
    np.int32(2)

    Shapes: inp as func takes it -> as func gives
    Raises: InvalidArgumentError where the results are not of the dtypes Tout; what func raises
    """
    return _call("py_function", func, inp, Tout, _as_tensor)


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,  # noqa: N803
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """The same for a function that gets NumPy arrays, and NumPy scalars where there are no dimensions.

    It is called every time, whatever ``stateful`` is.

    >>> ag.numpy_function(np.cbrt, [ag.constant(8.0)], ag.float32).numpy()
    np.float32(2.0)

    Shapes: inp as func takes it -> as func gives
    Raises: InvalidArgumentError where the results are not of the dtypes Tout; what func raises
    """
    return _call("numpy_function", func, inp, Tout, _as_array)


def _as_tensor(value: Any) -> Any:
    return EagerTensor(np.asarray(value))


def _as_array(value: Any) -> Any:
    return value if np.ndim(value) else np.asarray(value)[()]


def _call(name: str, func: Any, inp: Any, outputs: Any, convert: Callable[[Any], Any]) -> Any:
    check_callable(name, func=func)
    inputs = list(inp) if isinstance(inp, (list, tuple)) else [] if inp is None else [inp]
    results = _results(name, outputs)
    current = trace.current()
    place = None if current is None else current.place()
    host = Host(name, func, convert, isinstance(outputs, (list, tuple)), place)
    if current is None:
        values = [convert_to_tensor(value).numpy() for value in inputs]
        found: list[Any] = [EagerTensor(array) for array in host(values, results)]
    else:
        with current.at_user_line():
            symbols = [emit.lift(current, convert_to_tensor(value)) for value in inputs]
        found = list(record(current, HostFunction(name, host, results), symbols))
    if outputs is None:
        return None
    return found if host.gives_several else found[0]


def _results(name: str, outputs: Any) -> list[Result]:
    given = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    if outputs is None:
        given = []
    return [_result(name, number, each) for number, each in enumerate(given)]


def _result(name: str, number: int, given: Any) -> Result:
    if isinstance(given, TensorSpec):
        return Result(number, given.dtype, as_shape(given))
    try:
        return Result(number, as_dtype(given), None)
    except TypeError:
        raise explained(
            TypeError, f"{name}(): {given!r} in Tout is neither a dtype nor a TensorSpec"
        ) from None


class Host:
    """The user's function, with a check of what it gives."""

    def __init__(
        self, name: str, func: Any, convert: Callable[[Any], Any], several: bool, place: Any
    ) -> None:
        self._name = name
        self._func = func
        self._convert = convert
        self._place = place
        self.gives_several = several

    def __call__(self, values: Sequence[Any], results: Sequence[Result]) -> list[Any]:
        """The arrays of the results."""
        given = self._func(*[self._convert(value) for value in values])
        if not results:
            return []
        if not self.gives_several or (not isinstance(given, (list, tuple)) and len(results) == 1):
            given = [given]
        elif not isinstance(given, (list, tuple)) or len(given) != len(results):
            count = len(given) if isinstance(given, (list, tuple)) else "a single value"
            raise self._error(f"the function gives {count} instead of {len(results)} results")
        return [self._array(r, value) for r, value in zip(results, given, strict=True)]

    def _array(self, result: Result, value: Any) -> Any:
        array = self._typed(result, value)
        shape = result.shape
        fits = shape is None or (
            array.ndim == len(shape)
            and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))
        )
        if not fits:
            wanted = str([*(shape or ())]).replace("None", "?")
            raise self._error(
                f"result {result.number} has the shape {list(array.shape)} instead of {wanted}; "
                "give its shape as Tout=agir.TensorSpec(shape, dtype), or with agir.ensure_shape"
            )
        return array

    def _typed(self, result: Result, value: Any) -> Any:
        """The array of a value; numbers of Python's, and lists of them, take the dtype."""
        dtype = result.dtype
        if isinstance(value, Tensor):
            array = np.asarray(value.numpy())
        elif isinstance(value, (np.ndarray, np.generic)):
            array = np.array(value)  # the function may go on writing to its own
        else:
            return self._from_python(result, dtype, value)
        if array.dtype != dtype.numpy:
            raise self._error(
                f"result {result.number} is of {array.dtype} instead of {dtype}; convert it in the "
                "function, or say so in Tout"
            )
        return array

    def _from_python(self, result: Result, dtype: DType, value: Any) -> Any:
        try:
            array = np.asarray(value)
            if array.dtype.kind not in "biufc" or not _holds(dtype, array):
                raise TypeError
            converted = array.astype(dtype.numpy)
            if dtype.is_integer and not np.array_equal(converted, array):
                raise OverflowError
            return converted
        except (TypeError, ValueError, OverflowError):
            raise self._error(
                f"result {result.number} is {value!r}, which is no value of {dtype}"
            ) from None

    def _error(self, message: str) -> InvalidArgumentError:
        text = f"{self._name}(): {message}"
        if self._place is None:
            return InvalidArgumentError(text)
        error = InvalidArgumentError(f"{text}\n  at {self._place}, in {self._place.function}")
        error.place = self._place
        return error


def _holds(dtype: DType, array: Any) -> bool:
    """Whether Python's numbers have a dtype's kind: an int is a float too, but no bool."""
    order = "biufc".replace("u", "")
    kind = "i" if dtype.kind == "u" else dtype.kind
    found = "i" if array.dtype.kind == "u" else array.dtype.kind
    if array.size == 0 or (kind == "f" and dtype.is_floating and found in "if"):
        return True
    return order.index(found) <= order.index(kind) and (kind == "b") == (found == "b")
