"""Gradients that the user says: ``stop_gradient``, ``custom_gradient``, ``recompute_grad``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from agir import autograph
from agir.ir.building import bindings
from agir.ir.building.private_functions import GRADIENT
from agir.ir.emission import emit
from agir.ir.gradients import private, reverse
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import carries, known_dims, zeros_like
from agir.ir.state.variables import Variable
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace as tracing
from agir.ir.tracing.trace import Trace
from agir.runtime.blame import at_user
from agir.runtime.function import GenericFunction
from agir.runtime.gradients import eager
from agir.runtime.tensor import EagerTensor, convert_to_tensor

Function = Callable[..., Any]


def stop_gradient(input: Any, name: str | None = None) -> Any:
    """The same value, as a constant for gradients.  Structures are taken leaf by leaf.

    >>> float(ag.grad(lambda x: x * ag.stop_gradient(x))(ag.constant(3.0)))
    3.0
    """
    return structure.transform(_stopped, input)


def _stopped(leaf: Any) -> Any:
    current = tracing.current()
    value = leaf.read_value() if isinstance(leaf, Variable) else convert_to_tensor(leaf)
    if current is None:
        return EagerTensor(value.array)
    if not isinstance(value, SymbolicTensor) or not carries(value.ssa):
        return value
    with current.at_user_line():
        return reverse.stopped(current, value)


def _call(function: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call a function of the user's as the code around it is called."""
    if tracing.current() is None or isinstance(function, GenericFunction):
        return function(*args, **kwargs)
    return autograph.operators.call(autograph.convert(function), tuple(args), kwargs)


# custom_gradient


def custom_gradient(f: Function) -> Function:
    """A decorator of a function that also says its gradient.

    >>> @ag.custom_gradient
    ... def log1pexp(x):
    ...     e = ag.exp(x)
    ...
    ...     def gradient(upstream):
    ...         return upstream * (1 - 1 / (1 + e))
    ...
    ...     return ag.math.log(1 + e), gradient
    >>> float(ag.grad(log1pexp)(ag.constant(100.0)))  # without it, inf / inf
    1.0

    The function returns its result and a function from the cotangents of the result's tensors to
    those of its positional arguments' tensors (one, or a tuple of them; None for no influence).
    Where the function uses trainable Variables that are no arguments, its gradient function has a
    keyword ``variables``, gets the list of them, and returns a pair: the cotangents of the
    arguments, and a list of those of the Variables.
    """

    @functools.wraps(f)
    def function(*args: Any, **kwargs: Any) -> Any:
        current = tracing.current()
        if current is None:
            return _custom_eager(f, args, kwargs)
        return _custom_traced(current, f, args, kwargs)

    return function


def _pair(f: Function, found: Any) -> tuple[Any, Function]:
    if isinstance(found, tuple) and len(found) == 2 and callable(found[1]):
        return found
    name = getattr(f, "__name__", "function")
    message = f"{name}, which has a custom gradient, returns (result, function), not {found!r}"
    raise TypeError(at_user(message))


def _cotangents(f: Function, found: Any, count: int) -> list[Any]:
    values = (
        structure.flatten(found)[0] if count != 1 or isinstance(found, (tuple, list)) else [found]
    )
    if len(values) != count:
        name = getattr(f, "__name__", "function")
        message = (
            f"the gradient function of {name} gives {len(values)} values for {count} arguments"
        )
        raise ValueError(at_user(message))
    return values


def _takes_variables(f: Function, gradient: Function, variables: Sequence[Variable]) -> bool:
    """Whether the gradient function is asked about Variables; it has to be if there are any."""
    if not variables:
        return False
    parameters = inspect.signature(gradient).parameters
    if "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return True
    name = getattr(f, "__name__", "function")
    message = (
        f"{name} uses {len(variables)} Variables, the first of shape {list(variables[0].shape)}: its "
        "gradient function needs a keyword argument 'variables', and returns their cotangents, too"
    )
    raise TypeError(at_user(message))


def _all_cotangents(
    f: Function, found: Any, count: int, variables: Sequence[Variable]
) -> list[Any]:
    """The cotangents of the arguments, then those of the Variables."""
    if not variables:
        return _cotangents(f, found, count)
    if not (isinstance(found, (tuple, list)) and len(found) == 2):
        found = (found, ())
    own = _cotangents(f, found[0], count)
    others = list(found[1]) if isinstance(found[1], (tuple, list)) else [found[1]]
    if len(others) != len(variables):
        name = getattr(f, "__name__", "function")
        message = (
            f"the gradient function of {name} gives {len(others)} values for {len(variables)} "
            "Variables: it returns a pair, of the cotangents of the arguments and a list of theirs"
        )
        raise ValueError(at_user(message))
    return [*own, *others]


def _given_variables(variables: Sequence[Variable], asked: bool) -> dict[str, Any]:
    return {"variables": list(variables)} if asked else {}


def _custom_eager(f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    inputs = [leaf for leaf in structure.flatten(tuple(args))[0] if _is_array(leaf)]
    with eager.unobserved() as tapes:
        used = eager.EagerTape(accessed=True)
        used.start()
        try:
            result, gradient = _pair(f, f(*args, **kwargs))
        finally:
            used.stop()
        result = structure.transform(_own, result)
    variables = [v for v in used.watched_variables() if not any(v is each for each in inputs)]
    asked = _takes_variables(f, gradient, variables)
    sources = [*inputs, *variables]
    if any(eager.live_inputs(tapes, sources)):
        outputs = structure.flatten(result)[0]

        def pull(received: list[Any]) -> list[Any]:
            given = [
                EagerTensor(eager.zero_array(o)) if c is None else c
                for o, c in zip(outputs, received, strict=True)
            ]
            found = gradient(*given, **_given_variables(variables, asked))
            return _all_cotangents(f, found, len(inputs), variables)

        eager.note(tapes, sources, outputs, pull)
    return result


def _own(leaf: Any) -> Any:
    """A tensor that is no other one's object: a function may return its argument."""
    tensor = convert_to_tensor(leaf)
    return EagerTensor(tensor.array)


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (Tensor, Variable)) or hasattr(leaf, "__array__")


def _custom_traced(trace: Trace, f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    leaves, shape = structure.flatten(tuple(args))
    own: list[Any] = []
    inputs: list[SymbolicTensor] = []
    for leaf in leaves:
        if _is_array(leaf):
            tensor = emit.lift(
                trace, trace.standing_in(leaf.read_value() if isinstance(leaf, Variable) else leaf)
            )
            inputs.append(tensor)
            leaf = tensor
        own.append(leaf)
    start = len(trace.scope.recorded)
    result, gradient = _pair(f, _call(f, structure.unflatten(shape, iter(own)), kwargs))
    with trace.at_user_line():
        variables = _used_variables(trace, start, leaves)
        values, whole = structure.flatten(result)
        outputs = [emit.lift(trace, value) for value in values]
        made = _marked(trace, f, gradient, inputs, outputs, variables)
        return structure.unflatten(whole, iter(made))


def _used_variables(trace: Trace, start: int, arguments: Sequence[Any]) -> list[Variable]:
    """The trainable Variables that what was recorded since uses, but for arguments."""
    used = {v for op in trace.scope.recorded[start:] for v in graph.used_by(op)}
    return [
        variable
        for variable, storage in trace.variables.values()
        if variable.trainable
        and trace.scope.read(storage.cell) in used
        and not any(variable is each for each in arguments)
    ]


def _marked(
    trace: Trace,
    f: Function,
    gradient: Function,
    arguments: Sequence[SymbolicTensor],
    outputs: Sequence[SymbolicTensor],
    variables: Sequence[Variable],
) -> list[SymbolicTensor]:
    """The outputs, by way of a call of a function that names the one of their cotangents."""
    asked = _takes_variables(f, gradient, variables)
    inputs = [*arguments, *(emit.lift(trace, v.read_value()) for v in variables)]
    numbers = [t for t in inputs if carries(t.ssa)]

    def backward(received: list[Any]) -> list[Any]:
        given = [
            trace.make(ssa, tensor.dtype, tensor.dims)
            for ssa, tensor in zip(received, outputs, strict=True)
        ]
        called = _call(gradient, given, _given_variables(variables, asked))
        found = _all_cotangents(f, called, len(arguments), variables)
        out = []
        for value, tensor in zip(found, inputs, strict=True):
            if carries(tensor.ssa):
                out.append(_as_cotangent(trace, value, tensor))
        return out

    name = f"{getattr(f, '__name__', 'function')}".strip("<>")
    results = [tensor.ssa for tensor in outputs]
    symbol, captured, _ = private.outline(trace, f"{name}_gradient", results, backward)
    named = {GRADIENT: bindings.ir.FlatSymbolRefAttr.get(symbol)}
    operands = [*(t.ssa for t in numbers), *results, *captured]
    first = len(numbers)

    def forward(own: list[Any]) -> list[Any]:
        return own[first : first + len(results)]

    symbol, _, kinds = private.outline(trace, name, operands, forward, named)
    made = private.call(trace, symbol, operands, kinds)
    return [trace.make(v, t.dtype, t.dims, t.weak) for v, t in zip(made, outputs, strict=True)]


def _as_cotangent(trace: Trace, value: Any, tensor: SymbolicTensor) -> Any:
    from agir.ir.emission import broadcast

    if value is None:
        return zeros_like(trace, tensor.ssa)
    return broadcast.operand(trace, value, tensor.dtype, tensor.dims)


# recompute_grad


def recompute_grad(f: Function) -> Function:
    """A function whose inner values are not kept for its gradient, but computed again.

    This spends time to save memory: of a call of it, only the arguments are kept.

    >>> block = ag.recompute_grad(lambda x: ag.tanh(ag.tanh(x)))
    >>> float(ag.grad(block)(ag.constant(0.0)))
    1.0
    """

    @functools.wraps(f)
    def function(*args: Any, **kwargs: Any) -> Any:
        current = tracing.current()
        if current is None:
            return _recomputed_eager(f, args, kwargs)
        return _recomputed_traced(current, f, args, kwargs)

    return function


def _recomputed_eager(f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    from agir.runtime.gradients.tape import GradientTape

    with eager.unobserved() as tapes:
        result = structure.transform(_own, f(*args, **kwargs))
    inputs = [leaf for leaf in structure.flatten(tuple(args))[0] if _is_array(leaf)]
    live = eager.live_inputs(tapes, inputs)
    if any(live):
        outputs = structure.flatten(result)[0]
        wanted = [value for value, used in zip(inputs, live, strict=True) if used]

        def pull(received: list[Any]) -> list[Any]:
            with GradientTape() as tape:
                tape.watch(wanted)
                again = structure.flatten(f(*args, **kwargs))[0]
            pairs = [(o, c) for o, c in zip(again, received, strict=True) if c is not None]
            return tape.gradient([o for o, _ in pairs], wanted, [c for _, c in pairs])  # type: ignore[no-any-return]

        eager.note(tapes, wanted, outputs, pull)
    return result


def _recomputed_traced(
    trace: Trace, f: Function, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    leaves, shape = structure.flatten(tuple(args))
    inputs = [
        emit.lift(
            trace, trace.standing_in(leaf.read_value() if isinstance(leaf, Variable) else leaf)
        )
        for leaf in leaves
        if _is_array(leaf)
    ]
    outputs: list[SymbolicTensor] = []
    whole: list[Any] = []

    def body(own: list[Any]) -> list[Any]:
        supply = iter(
            trace.make(v, t.dtype, t.dims, t.weak) for v, t in zip(own, inputs, strict=True)
        )
        given = [next(supply) if _is_array(leaf) else leaf for leaf in leaves]
        result = _call(f, structure.unflatten(shape, iter(given)), kwargs)
        values, kind = structure.flatten(result)
        whole.append(kind)
        outputs.extend(emit.lift(trace, value) for value in values)
        return [tensor.ssa for tensor in outputs]

    operands = [tensor.ssa for tensor in inputs]
    name = getattr(f, "__name__", "function").strip("<>")
    with trace.at_user_line():
        symbol, captured, kinds = private.outline(trace, name, operands, body)
        made = private.call(trace, symbol, [*operands, *captured], kinds)
        tensors = [
            trace.make(v, t.dtype, known_dims(v)) for v, t in zip(made, outputs, strict=True)
        ]
    return structure.unflatten(whole[0], iter(tensors))
