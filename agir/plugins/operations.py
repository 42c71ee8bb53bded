"""Operations that agir does not have: evaluated, recorded, differentiated and interpreted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from agir.errors import PluginError
from agir.ir.emission import emit
from agir.ir.ops.elementwise import elementwise as rows
from agir.ir.registry import here
from agir.ir.table import TABLE
from agir.ir.tensors import dispatch
from agir.ir.tensors.dispatch import Operation


class Emit(Protocol):
    """Records an operation of MLIR, elementwise; operands that are numbers become constants."""

    def __call__(self, name: str, *operands: Any, **attributes: Any) -> Any:
        """``op("arith.addf", x, 1.0)``: its result."""


def operation(name: str, **told: Any) -> Callable[[Callable[..., Any]], Operation]:
    """Define an operation by its evaluation in NumPy, which is decorated.

    ``told`` is what `agir.ir.tensors.dispatch.define` takes: ``operands``, the ``rule`` of its type,
    the ``emit`` that records it, ``numpy`` for the functions of NumPy's that mean it.

    >>> same = ag.plugins.operation(
    ...     "unchanged", operands=("x",), rule=lambda x: x, emit=lambda trace, kind, x: x
    ... )(lambda x: x)
    >>> ag.jit(lambda x: same(x) + 1.0)(2.0)
    3.0
    >>> ag.plugins.unregister("unchanged")

    Raises: PluginError where there is an operation of that name
    """

    def defined(evaluate: Callable[..., Any]) -> Operation:
        return _added(name, evaluate, dispatch.define(name, **told))

    return defined


def elementwise(
    evaluate: Callable[..., Any],
    *,
    kinds: str = "biuf",
    like: np.ufunc | None = None,
    numpy: Sequence[Callable[..., Any]] = (),
) -> Callable[[Callable[..., Any]], Operation]:
    """Define an elementwise operation of one or two operands by how it is recorded, which is decorated.

    The function takes what records an operation (`Emit`) and the operands, and gives the result;
    its name and documentation are the operation's.  ``evaluate`` computes it in NumPy.  ``kinds``
    are the kinds of dtype that it takes (``b i u f c``), ``like`` a ufunc whose dtypes it has (else
    ``np.exp``'s or those of a ufunc of two operands), ``numpy`` the functions of NumPy's that mean
    it.

    >>> @ag.plugins.elementwise(lambda x: x * x + 1)
    ... def square_plus_one(op, x):
    ...     return op("arith.addf", op("arith.mulf", x, x), 1.0)
    >>> ag.jit(lambda x: square_plus_one(x))(3.0)
    10.0
    >>> ag.grad(lambda x: square_plus_one(x))(3.0).numpy()
    np.float32(6.0)
    >>> ag.plugins.unregister("square_plus_one")

    Raises: PluginError where there is an operation of that name
    """

    def defined(emitted: Callable[..., Any]) -> Operation:
        def emitter(trace: Any, dtype: Any, dims: Any, *operands: Any) -> Any:
            def op(name: str, *given: Any, **attributes: Any) -> Any:
                values = [_constant(trace, dtype, dims, each) for each in given]
                return emit.elementwise(trace, name, dtype, dims, *values, **attributes)

            return emitted(op, *operands)

        two = rows._operands(evaluate) == 2
        declared = rows.elementwise_operation(
            evaluate,
            dict.fromkeys(kinds, emitter),
            resolve=rows.as_ufunc(like or (np.arctan2 if two else np.exp)),
            numpy=tuple(numpy),
        )
        return _added(emitted.__name__, emitted, declared)

    return defined


def _added(name: str, written: Callable[..., Any], define: Callable[..., Operation]) -> Operation:
    """Define an operation, unless there is one of that name."""
    if name in TABLE:
        raise PluginError(
            f"the operation {name!r} ({here(written)}) has the name of another: give it another"
        )
    made = define(written)
    TABLE.add(name, made, here(written), replace=True)
    return made


def _constant(trace: Any, dtype: Any, dims: Any, value: Any) -> Any:
    if isinstance(value, (bool, int, float, complex)):
        return emit.constant_like(trace, dtype, dims, value)
    return value


def derivative(name: str, *formulas: Callable[..., Any] | None) -> None:
    """Say how an operation of MLIR's is differentiated: a formula for each operand, or None for none.

    A formula takes the cotangent of the result, the operands and the result as expressions, which are
    added, multiplied, ... as numbers are, and gives what is added to the operand's cotangent.

    >>> ag.plugins.derivative("math.example", lambda c, x, r: c * (2.0 * x))  # of x * x

    Raises: PluginError where the operation has a derivative
    """
    from agir.ir.gradients.core.sweep import RULES  # few programs are differentiated
    from agir.ir.gradients.rules import elementwise as rules

    if name in RULES:
        raise PluginError(f"the operation {name!r} ({here()}) has a derivative")
    rules.elementwise(name, *formulas)


def interpretation(name: str, function: Callable[..., Any]) -> None:
    """Say what an operation of MLIR's computes, for the reference back end: a function of its operands.

    >>> ag.plugins.interpretation("math.example", lambda x: x * x)

    Raises: PluginError where the operation has an interpretation
    """
    from agir.backends.reference import dispatch as interpreter  # few programs are interpreted
    from agir.backends.reference.core.operation import always

    if name in interpreter.OPERATIONS or name in interpreter.REGION_OPERATIONS:
        raise PluginError(f"the operation {name!r} ({here()}) has an interpretation")
    interpreter.OPERATIONS[name] = always(function)
