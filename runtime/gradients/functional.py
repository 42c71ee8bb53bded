"""Functions that are derivatives of functions: ``grad``, ``value_and_grad``, ``jvp``, ``hessian``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir import autograph
from agir.ir.convention import TENSORFLOW
from agir.ir.emission import emit
from agir.ir.gradients import reverse
from agir.ir.gradients.core.expressions import zeros_like
from agir.ir.gradients.jacobians import jacobian
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, static_shape
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace as tracing
from agir.ir.tracing.trace import Trace
from agir.runtime.blame import at_caller
from agir.runtime.function import GenericFunction
from agir.runtime.gradients.whole import whole_gradients
from agir.runtime.recording.traced import Options
from agir.runtime.tensor import constant

Function = Callable[..., Any]


class Derivative(GenericFunction[..., Any]):
    """A decorated function that is a derivative of another one."""

    def __init__(
        self, function: Function, name: str, body: Function, chosen: Sequence[int]
    ) -> None:
        convention, compiled = TENSORFLOW, None
        if isinstance(function, GenericFunction):
            convention = function._traced.convention
            compiled = function._traced.jit_compile
        body.__name__ = f"{name}_{getattr(function, '__name__', 'function')}".replace(
            "<lambda>", "lambda_"
        )
        plain = getattr(function, "python_function", function)
        if not hasattr(body, "__signature__"):
            body.__signature__ = inspect.signature(body)  # type: ignore[attr-defined]
        body.__wrapped__ = plain  # type: ignore[attr-defined]  # where errors say that it stands
        options = Options(convention=convention, jit_compile=compiled, convert=False)
        self._chosen = tuple(chosen)
        super().__init__(body, options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the derivative; Python numbers that it is taken with respect to become tensors."""
        if not self._traced.convention.arrays_are_mutable:
            count = len(args)
            here = {n % count for n in self._chosen if -count <= n < count}
            args = tuple(_as_tensors(a) if n in here else a for n, a in enumerate(args))
        return super().__call__(*args, **kwargs)


_NUMBERS = (float, complex)


def _holds_numbers(value: Any) -> bool:
    """Whether a Python number is in a structure; asked at each call."""
    kind = type(value)
    if kind in _NUMBERS:
        return True
    if kind is list or kind is tuple:
        return any(map(_holds_numbers, value))
    if kind is dict:
        return any(map(_holds_numbers, value.values()))
    if isinstance(value, (Tensor, np.ndarray)):
        return False
    return any(type(leaf) in _NUMBERS for leaf in structure.flatten(value)[0])


def _as_tensors(value: Any) -> Any:
    if not _holds_numbers(value):
        return value
    return structure.transform(
        lambda leaf: constant(leaf) if type(leaf) in _NUMBERS else leaf, value
    )


def run(function: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call a function of the user's in a trace."""
    if isinstance(function, GenericFunction):
        return function(*args, **kwargs)
    converted = autograph.convert(function)
    return autograph.operators.call(converted, tuple(args), kwargs)


class Inputs:
    """The arguments of a call that a derivative is taken with respect to, as tensors of their own."""

    def __init__(self, trace: Trace, name: str, args: Sequence[Any], chosen: Sequence[int]) -> None:
        self.args = list(args)
        self.leaves: list[SymbolicTensor] = []
        for number in chosen:
            if not -len(args) <= number < len(args):
                raise ValueError(
                    trace.explain(
                        f"{name}() with respect to argument {number}, of {len(args)} positional ones"
                    )
                )
            self.args[number] = structure.transform(
                lambda leaf: self._leaf(trace, name, leaf), args[number]
            )
        self.structures = [self.args[number] for number in chosen]

    def _leaf(self, trace: Trace, name: str, leaf: Any) -> Any:
        tensor = emit.lift(trace, leaf)
        if tensor.dtype.kind not in "fc":
            raise TypeError(
                trace.explain(
                    f"{name}() with respect to {tensor.dtype} values: only floating-point and "
                    "complex ones have gradients; convert with agir.cast"
                )
            )
        made = reverse.separate(trace, tensor)
        self.leaves.append(made)
        return made

    def sources(self) -> list[Any]:
        """The SSA values."""
        return [leaf.storage.origin for leaf in self.leaves]

    def packed(self, values: Sequence[Any]) -> list[Any]:
        """The values in the structures of the arguments."""
        supply = iter(values)
        return [structure.transform(lambda _: next(supply), each) for each in self.structures]

    def like(self, ssa: Any, number: int) -> SymbolicTensor:
        """A cotangent of a leaf as a tensor; zero where there is none."""
        leaf = self.leaves[number]
        trace: Trace = leaf.recorder
        value = zeros_like(trace, leaf.storage.origin) if ssa is None else ssa
        return trace.make(value, leaf.dtype, leaf.dims)


def _traced(
    name: str,
    f: Function,
    chosen: Sequence[int],
    args: Sequence[Any],
    kwargs: dict[str, Any],
) -> tuple[Trace, Inputs, Any]:
    """What every derivative with respect to some arguments begins with: these, and the results."""
    trace = _current()
    with trace.at_user_line():
        inputs = Inputs(trace, name, args, chosen)
    return trace, inputs, run(f, inputs.args, kwargs)


def _current() -> Trace:
    current = tracing.current()
    assert current is not None, "the body of a derivative is traced"
    return current


def _numbers(argnums: Any) -> tuple[int, ...]:
    return (argnums,) if isinstance(argnums, int) else tuple(argnums)


def _one(argnums: Any, values: Sequence[Any]) -> Any:
    return values[0] if isinstance(argnums, int) else tuple(values)


def _objective(trace: Trace, name: str, value: Any) -> SymbolicTensor:
    """The result of which the gradient is taken: a real number."""
    leaves, _ = structure.flatten(value)
    if len(leaves) != 1 or (
        not isinstance(value, (Tensor, int, float)) and not hasattr(value, "__array__")
    ):
        raise TypeError(
            trace.explain(
                f"{name}() of a function that returns {len(leaves)} values: it needs one number"
            )
        )
    tensor = emit.lift(trace, value)
    if tensor.dims or not tensor.dtype.is_floating:
        raise TypeError(
            trace.explain(
                f"{name}() of a function that returns {tensor.type}: it needs one real "
                "floating-point number; reduce it, or use vjp, jvp or a tape's jacobian"
            )
        )
    return tensor


def _signed(body: Function, function: Function) -> None:
    try:
        found = inspect.signature(getattr(function, "python_function", function))
    except (TypeError, ValueError):
        return
    body.__signature__ = found  # type: ignore[attr-defined]


def value_and_grad(f: Function, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that gives the value of ``f`` and its gradient: ``(value, gradient)``.

    ``f`` returns one real number; with ``has_aux`` a pair of that and anything else, and the value
    is that pair.  The gradient is taken with respect to the positional argument ``argnums``, or is a
    tuple for several; it has the structure of the argument, whose leaves are floating-point or
    complex.  What is made is compiled as one function, under the conventions of ``f``.

    >>> value, gradient = ag.value_and_grad(lambda x, y: x * y)(ag.constant(2.0), 5.0)
    >>> float(value), float(gradient)
    (10.0, 5.0)
    """
    return _gradient("value_and_grad", f, argnums, has_aux, with_value=True)


def grad(f: Function, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that gives the gradient of ``f``, and with ``has_aux`` ``(gradient, aux)``.

    See :func:`value_and_grad`.

    >>> ag.grad(ag.jit(lambda x: (x**3).sum()))(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    return _gradient("grad", f, argnums, has_aux, with_value=False)


def _gradient(name: str, f: Function, argnums: Any, has_aux: bool, with_value: bool) -> Derivative:
    chosen = _numbers(argnums)

    def body(*args: Any, **kwargs: Any) -> Any:
        trace, inputs, out = _traced(name, f, chosen, args, kwargs)
        value, aux = out if has_aux else (out, None)
        with trace.at_user_line():
            target = _objective(trace, name, value)
            one = trace.constant(target.dtype, 1)
            found = reverse.backward(trace, [target.ssa], [one], inputs.sources())
            tensors = [inputs.like(ssa, n) for n, ssa in enumerate(found)]
        gradient = _one(argnums, inputs.packed(tensors))
        if with_value:
            return (out, gradient)
        return (gradient, aux) if has_aux else gradient

    _signed(body, f)
    return Derivative(f, name, body, chosen)


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """``(f(*primals), tangent)``: the derivative of ``f`` in the direction of the tangents.

    The tangents have the structure, shapes and dtypes of the primals.

    >>> y, change = ag.jvp(ag.square, [ag.constant(3.0)], [ag.constant(1.0)])
    >>> float(y), float(change)
    (9.0, 6.0)
    """
    return _pushforward(f)(tuple(primals), tuple(tangents))


@functools.lru_cache(maxsize=256)
def _pushforward(f: Function) -> Derivative:
    def body(primals: Any, tangents: Any) -> Any:
        trace = _current()
        with trace.at_user_line():
            inputs = Inputs(trace, "jvp", primals, range(len(primals)))
            given = _directions(trace, inputs, tangents)
            start = len(list(trace.scope.block.operations))
        out = run(f, inputs.args, {})
        with trace.at_user_line():
            return out, _tangents(trace, inputs, out, given, start)

    return Derivative(f, "jvp", body, (0, 1))


def _directions(trace: Trace, inputs: Inputs, tangents: Any) -> list[Any]:
    """The changes of the primals, in their types."""
    given = [emit.lift(trace, leaf) for leaf in structure.flatten(tangents)[0]]
    if len(given) != len(inputs.leaves):
        raise ValueError(
            trace.explain(f"jvp() of {len(inputs.leaves)} primals and {len(given)} tangents")
        )
    return [
        _direction(trace, primal, tangent)
        for primal, tangent in zip(inputs.leaves, given, strict=True)
    ]


def _direction(trace: Trace, primal: SymbolicTensor, tangent: SymbolicTensor) -> Any:
    pairs = zip(static_shape(primal.dims), static_shape(tangent.dims), strict=False)
    differ = any(None not in pair and pair[0] != pair[1] for pair in pairs)
    if differ or len(primal.dims) != len(tangent.dims):
        raise ValueError(
            trace.explain(
                f"jvp() of a primal that is {primal.type} and a tangent of {tangent.type}"
            )
        )
    if tangent.dtype.is_complex and not primal.dtype.is_complex:
        raise TypeError(
            trace.explain(f"jvp() of {primal.type} in the complex direction {tangent.type}")
        )
    ssa = emit.convert(trace, tangent.ssa, tangent.dtype, primal.dtype, tangent.dims)
    return emit.cast_dims(trace, ssa, primal.dtype, primal.dims) if primal.dims else ssa


def _tangents(trace: Trace, inputs: Inputs, out: Any, given: list[Any], start: int) -> Any:
    """The changes of the results."""
    tensors = [emit.lift(trace, leaf) for leaf in structure.flatten(out)[0]]
    found = reverse.forward(trace, start, [t.ssa for t in tensors], inputs.sources(), given)
    changes = iter(
        trace.make(zeros_like(trace, t.ssa) if change is None else change, t.dtype, t.dims)
        if t.dtype.kind in "fc"
        else trace.make(trace.constant(t.dtype, 0), t.dtype, ())
        for t, change in zip(tensors, found, strict=True)
    )
    return structure.transform(lambda _: next(changes), out)


def hessian(f: Function, argnums: int = 0) -> Any:
    """A function that gives the matrix of second derivatives of ``f``, which returns one number.

    For an argument of shape ``s`` the result has the shape ``s + s``.

    >>> ag.hessian(ag.jit(lambda x: x[0] ** 2 * x[1]))(np.array([1.0, 2.0]))
    array([[4., 2.],
           [2., 0.]])
    """

    def body(*args: Any, **kwargs: Any) -> Any:
        trace, inputs, out = _traced("hessian", f, (argnums,), args, kwargs)
        with trace.at_user_line():
            if len(inputs.leaves) != 1:
                raise TypeError(trace.explain("hessian() takes one tensor as the argument"))
            target = _objective(trace, "hessian", out)
            one = trace.constant(target.dtype, 1)
            found = reverse.backward(trace, [target.ssa], [one], inputs.sources())
            gradient = inputs.like(found[0], 0)
            return jacobian(trace, gradient, inputs.leaves[0])

    _signed(body, f)
    return Derivative(f, "hessian", body, (argnums,))


def jacfwd(f: Function, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that gives the Jacobian of ``f`` by sweeps forwards, one for each input number.

    Where ``f`` takes more numbers than it gives, :func:`jacrev` has fewer sweeps.  See there.

    >>> ag.jacfwd(ag.jit(lambda x: np.array([x[0] * x[1], x[1]])))(np.array([2.0, 3.0]))
    array([[3., 2.],
           [0., 1.]])
    """
    return _jacobian("jacfwd", f, argnums, has_aux, forwards=True)


def jacrev(f: Function, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that gives the Jacobian of ``f`` by sweeps backwards, one for each output number.

    For a result of shape ``r`` and an argument of shape ``s`` it has the shape ``r + s``.  It has the
    structure of the result, in which each leaf has the structure of the argument ``argnums``, or of a
    tuple of several.  With ``has_aux`` ``f`` returns a pair, and so does what is made: the Jacobian
    of the first, and the second.  Where ``f`` gives more numbers than it takes, :func:`jacfwd` has
    fewer sweeps.

    >>> ag.jacrev(ag.jit(lambda x: x**2))(np.array([2.0, 3.0]))
    array([[4., 0.],
           [0., 6.]])
    """
    return _jacobian("jacrev", f, argnums, has_aux, forwards=False)


def _jacobian(name: str, f: Function, argnums: Any, has_aux: bool, forwards: bool) -> Derivative:
    chosen = _numbers(argnums)

    def body(*args: Any, **kwargs: Any) -> Any:
        trace, inputs, out = _traced(name, f, chosen, args, kwargs)
        value, aux = out if has_aux else (out, None)
        with trace.at_user_line():

            def of(leaf: Any) -> Any:
                target = _outcome(trace, name, inputs, emit.lift(trace, leaf), forwards)
                found = [jacobian(trace, target, s, forwards=forwards) for s in inputs.leaves]
                return _one(argnums, inputs.packed(found))

            found = structure.transform(of, value)
        return (found, aux) if has_aux else found

    _signed(body, f)
    return Derivative(f, name, body, chosen)


def _outcome(
    trace: Trace, name: str, inputs: Inputs, tensor: SymbolicTensor, forwards: bool
) -> SymbolicTensor:
    """A result of which there is a Jacobian."""
    if tensor.dtype.kind not in "fc":
        raise TypeError(
            trace.explain(
                f"{name}() of a function that returns {tensor.type}: only floating-point and complex "
                "numbers have derivatives; convert with agir.cast, or return it with has_aux=True"
            )
        )
    if forwards and any(t.dtype.is_complex for t in (tensor, *inputs.leaves)):
        raise TypeError(
            trace.explain(
                f"{name}() of complex numbers: a change forwards has a direction; use jvp, or jacrev"
            )
        )
    return tensor


def vjp(f: Function, *primals: Any) -> Any:
    """``(f(*primals), pullback)``: the value, and a function from its cotangents to the primals'.

    The pullback takes the structure of the value, and gives a tuple with the gradient of each
    primal.

    >>> y, pullback = ag.vjp(ag.sin, ag.constant(0.0))
    >>> [float(each) for each in pullback(ag.constant(2.0))]
    [2.0]
    """
    from agir.runtime.gradients.tape import GradientTape

    primals = tuple(_as_tensors(each) for each in primals)
    if not (isinstance(f, GenericFunction) and f._traced.convention.arrays_are_mutable):
        primals = structure.transform(_as_tensor, primals)  # NumPy's own functions note nothing
    tape = GradientTape(persistent=True, watch_accessed_variables=False)
    with tape:
        tape.watch(primals)
        value = run(f, primals, {}) if tracing.current() is not None else f(*primals)

    def pullback(cotangents: Any) -> Any:
        return tape.gradient(value, primals, cotangents, unconnected_gradients="zero")

    return value, pullback


def _as_tensor(leaf: Any) -> Any:
    return constant(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str | None = None,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> Any:
    """The gradients of the sum of ``ys`` with respect to each of ``xs``, in a traced function.

    Tensors in ``stop_gradients`` count as constants.  Outside of traced functions use a
    :class:`GradientTape`.

    >>> @ag.function
    ... def slope(x):
    ...     return ag.gradients(x**2, x)
    >>> [float(each) for each in slope(ag.constant(3.0))]
    [6.0]
    """
    current = tracing.current()
    if current is None:
        raise RuntimeError(
            at_caller("gradients() works inside a decorated function; use a GradientTape here")
        )
    return whole_gradients(current, ys, xs, grad_ys, stop_gradients, unconnected_gradients)
