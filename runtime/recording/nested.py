"""Calls of decorated functions while another one is traced.

Such a call becomes a part of the trace: the function runs on the symbols, under its own options and
after its arguments were checked against its own signature.  It is not a function of its own in the
module, so that everything Python can pass in and out can pass here, shapes and constants are known
inside, and the compiler fuses across the call.  A function that calls itself, also by way of others,
under a condition of the run time (`agir.ir.functions.calls`) is a `func.call` of a private function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NoReturn

import numpy as np

from agir import autograph
from agir.errors import StagingError
from agir.ir.emission import emit
from agir.ir.ops.core import agreement
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace as tracing
from agir.ir.tracing.naming import name_scope
from agir.ir.tracing.trace import Trace
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.signatures.conforming import Conformed
from agir.runtime.tensor import EagerTensor


def call(traced: TracedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the call gives, with its arguments checked as in a call from outside."""
    signature = traced.signature
    return run(traced, signature.bind(args, kwargs))


def refuse_generator() -> NoReturn:
    """Refuse to go on with a generator of outside: its state would be symbols then."""
    current = tracing.current()
    assert current is not None, "a function is traced"
    raise StagingError(
        current.explain(
            "a generator made outside is asked for an item while a function is traced: make it in the "
            "function, or give the function a list of its items"
        )
    )


def run(traced: TracedFunction, arguments: dict[str, Any]) -> Any:
    """Run the function on bound arguments, under its own options."""
    current = tracing.current()
    assert current is not None, "a function is inlined into a trace"
    _check_static(current, traced, arguments)
    values = {name: _passed(current, traced, value) for name, value in arguments.items()}
    function = traced.python_function
    with _under(current, traced):
        if not traced.convert:
            return traced.signature.apply(function, values)
        converted = autograph.convert(function)
        return traced.signature.apply(
            lambda *args, **kwargs: autograph.operators.call(converted, args, kwargs), values
        )


@contextmanager
def _under(current: Trace, traced: TracedFunction) -> Iterator[None]:
    """While it lasts, the options of this function hold."""
    before = current.convention, current.must_compile
    current.convention = traced.convention
    current.must_compile = current.must_compile or traced.jit_compile is True
    try:
        with name_scope(traced.name_scope) if traced.name_scope else nullcontext():
            yield
    finally:
        current.convention, current.must_compile = before


def _check_static(current: Trace, traced: TracedFunction, arguments: dict[str, Any]) -> None:
    for name in traced.signature.static:
        value = arguments.get(name)
        if isinstance(value, Tensor) and value.is_symbolic:
            raise TypeError(
                current.explain(
                    f"argument {name!r} of {traced.symbol} is static, so it needs a Python value, "
                    "and this one is known only at run time"
                )
            )


def _passed(current: Trace, traced: TracedFunction, value: Any) -> Any:
    """An argument as the function gets it.

    Under TensorFlow's conventions arrays are values: they are tensors inside, and an assignment
    into one does not change the caller's.
    """
    if traced.convention.arrays_are_mutable:
        if any(isinstance(leaf, Conformed) for leaf in structure.flatten(value)[0]):
            return structure.transform(lambda leaf: _plain(current, leaf), value)
        return value
    if all(map(_is_python, structure.flatten(value)[0])):
        return value
    return structure.transform(lambda leaf: _as_value(current, leaf), value)


def _is_python(leaf: Any) -> bool:
    return not isinstance(leaf, (Conformed, Tensor, np.ndarray, np.generic))


def _plain(current: Trace, leaf: Any) -> Any:
    """A checked argument; sizes that the spec knows, and the tensor does not, are checked now."""
    if not isinstance(leaf, Conformed):
        return leaf
    value, shape = leaf.value, leaf.spec.shape
    if not isinstance(value, SymbolicTensor) or shape is None or None not in value.shape:
        return value
    if all(mine == wide or wide is None for mine, wide in zip(value.shape, shape, strict=True)):
        return value
    with current.at_user_line():
        message = f"the argument is not compatible with {leaf.spec}"
        wanted = tuple(
            mine if wide is None else agreement.agree(current, [mine, wide], message, True)
            for mine, wide in zip(value.dims, shape, strict=True)
        )
        ssa = agreement.fitted(current, current.read(value), value.dtype, value.dims, wanted)
        return current.make(ssa, value.dtype, wanted)


def _as_value(current: Trace, leaf: Any) -> Any:
    leaf = _plain(current, leaf)
    if isinstance(leaf, (np.ndarray, np.generic, EagerTensor)):
        return emit.lift(current, leaf)
    if isinstance(leaf, SymbolicTensor) and leaf.dims:
        made = current.make(current.read(leaf), leaf.dtype, leaf.dims, leaf.weak)
        made.shared = leaf.shared
        return made
    return leaf
