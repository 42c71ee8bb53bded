"""``vectorize`` and ``guvectorize``: ufuncs of NumPy's that compiled functions are the loops of."""

from __future__ import annotations

import copyreg
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.ir.convention import NUMPY, Convention
from agir.ir.ops.calls.applied import vectorized
from agir.ir.ops.core.recorded import RECORDED
from agir.runtime import pickling
from agir.runtime.blame import at_caller
from agir.runtime.ufuncs import interface, kernels, kinds
from agir.runtime.ufuncs.kernels import KERNELS, Arguments, Kernel
from agir.runtime.ufuncs.layouts import Layout


def vectorize(
    func: Any = None, types: Any = None, *, identity: Any = None, outputs: int = 1
) -> Any:
    """Make a ``numpy.ufunc`` of a function of numbers; a decorator, with or without arguments.

    The function is compiled for the dtypes of the operands when they are first met: what a call
    gives is of the dtype that the function's result has for numbers of these dtypes, and numbers of
    Python's follow the other operands.  As any ufunc it broadcasts and has ``reduce``,
    ``accumulate``, ``outer``, ``at``, ``out=``, ``where=``, ``casting=`` and ``dtype=``.

    ``types``: the types that it is compiled for (``"f8(f8, f8)"``, ``"dd->d"``, or tuples of
    dtypes, results last); a call takes the first that its operands can be converted to safely.
    ``identity``: what a reduction of nothing gives, ``"reorderable"`` where only the order does not
    matter, or None.  ``outputs``: how many results the function returns, as a tuple.

    >>> @ag.vectorize
    ... def clipped(x, top):
    ...     return top if x > top else x
    >>> clipped(np.array([1.0, 5.0]), 2)
    array([1., 2.])

    Shapes: operands broadcast
    Dtypes: bool, int, uint, float, complex
    Raises: OperandTypeError for other dtypes, and for what cannot be converted to the types given
    """
    if func is None or isinstance(func, (str, list, tuple)):
        given = types if func is None else func
        return functools.partial(vectorize, types=given, identity=identity, outputs=outputs)
    return of_numbers(func, types, identity, outputs)


def of_numbers(
    func: Any, types: Any, identity: Any, outputs: int = 1, convention: Convention = NUMPY
) -> Any:
    """The ufunc of a function of numbers."""
    function = _plain(func)
    layout = Layout.of_elements(_parameters(function), outputs)
    return _ufunc(function, layout, None, types, identity, convention, returns=True)


def guvectorize(
    signature: str, types: Any = None, *, identity: Any = None, sizes: Any = None
) -> Callable[[Callable[..., Any]], Any]:
    """Make a generalized ``numpy.ufunc`` of a function of arrays; a decorator.

    ``signature`` has the core dimensions of inputs and outputs, as NumPy writes them.  The function
    takes the inputs and returns the outputs, or has a parameter for each output and writes into it
    (into an array with one element where the output has no core dimensions).  ``types`` and
    ``identity`` are those of :func:`vectorize`; without types the dtypes of results follow from
    what the function returns, or those that it writes into from ``out=`` or the inputs.

    ``sizes`` gives those of core dimensions that the inputs do not have, as a dict: a function whose
    parameters are names of dimensions, ``lambda n, m: {"p": n + m - 1}``.

    >>> @ag.guvectorize("(n)->()")
    ... def spread(x):
    ...     return x.max() - x.min()
    >>> spread(np.array([[1, 5, 3], [2, 2, 2]]))
    array([4, 0])

    Shapes: operands broadcast outside of their core dimensions
    Dtypes: bool, int, uint, float, complex
    Raises: OperandTypeError for other dtypes, and for what cannot be converted to the types given
    """
    layout = Layout.of(signature)
    return lambda func: of_arrays(func, layout, signature, types, identity, sizes=sizes)


def of_arrays(
    func: Any,
    layout: Layout,
    signature: str,
    types: Any,
    identity: Any,
    convention: Convention = NUMPY,
    sizes: Any = None,
) -> Any:
    """The generalized ufunc of a function of arrays."""
    function = _plain(func)
    count = _parameters(function)
    if count not in (layout.inputs, layout.operands):
        raise OperandTypeError(
            at_caller(
                f"{function.__name__} has {count} parameters: {signature} needs {layout.inputs}, "
                f"or {layout.operands} with those that it writes into"
            )
        )
    returns = count == layout.inputs and layout.outputs > 0
    return _ufunc(function, layout, signature, types, identity, convention, returns, sizes)


def _plain(func: Any) -> Any:
    function = getattr(func, "python_function", func)
    if not callable(function):
        raise OperandTypeError(at_caller(f"a function can be made a ufunc, not {func!r}"))
    return function


def _parameters(function: Callable[..., Any]) -> int:
    """How many operands it takes; what it takes by keyword alone has to have a default."""
    kinds_of = inspect.Parameter
    given = inspect.signature(function).parameters.values()
    for each in given:
        if each.kind is kinds_of.VAR_POSITIONAL or (
            each.kind is kinds_of.KEYWORD_ONLY and each.default is kinds_of.empty
        ):
            raise OperandTypeError(
                at_caller(
                    f"{function.__name__} takes {each}: a ufunc has so many operands as its function "
                    "has parameters"
                )
            )
    found = sum(
        each.kind in (kinds_of.POSITIONAL_ONLY, kinds_of.POSITIONAL_OR_KEYWORD) for each in given
    )
    if not found:
        raise OperandTypeError(
            at_caller(f"{function.__name__} has no parameters: a ufunc has operands")
        )
    return found


def _ufunc(
    function: Any,
    layout: Layout,
    signature: str | None,
    types: Any,
    identity: Any,
    convention: Convention,
    returns: bool,
    sizes: Any = None,
) -> Any:
    several = () if types is None else _several(types)
    boxed = kinds.boxed(several, layout.dimensions[: layout.inputs])
    declared = [kinds.types_of(each, layout.inputs, layout.outputs) for each in several]
    given = Arguments(
        function, layout, tuple(declared), identity, returns, convention, tuple(boxed), sizes
    )
    return _made(given, signature)


def _made(given: Arguments, signature: str | None) -> Any:
    function, layout = given.function, given.layout
    name = getattr(function, "__name__", "ufunc")
    doc = inspect.getdoc(function) or ""
    ufunc = interface.new_ufunc(name, doc, layout.inputs, layout.outputs, signature, given.identity)
    kernel = KERNELS[id(ufunc)] = Kernel(given)
    for each in given.declared:
        kernel.add(ufunc, each)
    if given.sizes is not None:
        interface.set_core_sizes(ufunc, kernels.sizing())
    interface.add_promoter(ufunc, kernels.promoting())
    if given.returns:
        called = np.vectorize(function, signature=signature)
        RECORDED[ufunc] = functools.partial(vectorized, called)
    return ufunc


def _reduced(ufunc: np.ufunc) -> Any:
    """A ufunc made here is pickled by what it is made of, any other by its name."""
    kernel = KERNELS.get(id(ufunc))
    if kernel is None or not pickling.is_by_value():
        return _by_name(ufunc)
    return _again, (kernel.arguments, ufunc.signature, pickling.sources(kernel.arguments.function))


def _again(arguments: Arguments, signature: str | None, sources: Any) -> Any:
    pickling.restore(sources)
    return _made(arguments, signature)


_by_name: Any = copyreg.dispatch_table[np.ufunc]
copyreg.pickle(np.ufunc, _reduced)


def _several(types: Any) -> Sequence[Any]:
    is_one = isinstance(types, str) or hasattr(types, "return_type")
    return [types] if is_one else list(types)
