"""Arguments as the types that they are specified or annotated to have."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import message
from agir.ir.building.types import DType, TensorSpec, as_dtype, is_python_number
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.tensor import Tensor
from agir.runtime.blame import at_caller
from agir.runtime.signatures.trace_types import TraceType
from agir.runtime.tensor import convert_to_tensor


def dtype_of_array(value: Any, name: str) -> DType:
    """The dtype of an array; ``TypeError`` names the argument where agir has none for it."""
    try:
        return as_dtype(value.dtype)
    except TypeError as error:
        raise TypeError(at_caller(f"argument {name!r}: {message(error)}")) from None


class Conformed:
    """A value that an input signature covers: it is traced by the spec, not by its own type."""

    __slots__ = ("spec", "value")

    def __init__(self, value: Any, spec: TensorSpec) -> None:
        self.value = value
        self.spec = spec


def conform(value: Any, spec: Any, name: str) -> Any:
    """The value as the spec (or structure of specs) has it; ``TypeError`` where it does not fit."""
    if isinstance(spec, TraceType):
        return value
    if not isinstance(spec, TensorSpec):
        value = structure.in_order_of(spec, value)
        below, above = structure.children(value), structure.children(spec)
        if below is None or above is None or below[0] != above[0]:
            raise TypeError(
                f"argument {name!r} does not have the structure of the input signature, {spec!r}"
            )
        items = [conform(v, s, name) for v, s in zip(below[1], above[1], strict=True)]
        return structure.rebuild(below[0], items)
    if is_python_number(value) or isinstance(value, (list, tuple)):
        value = _array(value, spec, name)
    if _is_weak(value) and _KINDS[value.dtype.kind] <= _KINDS[spec.dtype.kind]:
        value = dispatch.call("cast", value, spec.dtype)
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"argument {name!r} must be a tensor of {spec}, got {value!r}")
    if not (dtype_of_array(value, name) == spec.dtype and _shape_fits(value, spec)):
        got = TensorSpec(value.shape, value.dtype)
        raise TypeError(f"argument {name!r} must be compatible with {spec}, got {got}")
    return Conformed(value, spec)


def _shape_fits(value: Any, spec: TensorSpec) -> bool:
    """Whether the shape may be passed for the spec; one that is symbolic is checked when it runs."""
    if spec.shape is None:
        return True
    if value.shape is None:
        return False
    open_ended = isinstance(value, Tensor) and value.is_symbolic
    return len(value.shape) == len(spec.shape) and all(
        wide is None or mine == wide or (open_ended and mine is None)
        for mine, wide in zip(value.shape, spec.shape, strict=True)
    )


def _is_weak(value: Any) -> bool:
    """Whether it is a number of the run time that has no dtype of its own yet."""
    return isinstance(value, Tensor) and value.is_symbolic and value.type.weak


_KINDS = {kind: number for number, kinds in enumerate(("b", "iu", "f", "c")) for kind in kinds}


def _array(value: Any, spec: TensorSpec, name: str) -> Any:
    """A Python number, or nested lists of such, as an array of the spec's dtype."""
    leaves, _ = structure.flatten(value)
    if any(isinstance(leaf, Tensor) and leaf.is_symbolic for leaf in leaves):
        return convert_to_tensor(value)
    natural = np.asarray(value)
    if natural.size and _KINDS.get(natural.dtype.kind, 9) > _KINDS[spec.dtype.kind]:
        raise TypeError(f"argument {name!r} must be compatible with {spec}, got {value!r}")
    try:
        return np.asarray(value, spec.dtype.numpy)
    except (OverflowError, ValueError) as error:
        raise TypeError(
            f"argument {name!r} must be compatible with {spec}: {message(error)}"
        ) from None


def as_tensor(value: Any, name: str) -> Any:
    """A Python value that is annotated as a tensor, as one."""
    if value is None or isinstance(value, (Tensor, TensorSpec, np.ndarray, np.generic)):
        return value
    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            at_caller(
                f"argument {name!r} is annotated as a tensor, which {value!r} is not: {message(error)}"
            )
        ) from None


def has_receiver(function: Callable[..., Any], signature: inspect.Signature, specs: Any) -> bool:
    """Whether the first parameter is a method's instance, which an input signature leaves out.

    It is called ``self``, or the function is defined in a class and has no spec to spare for it.
    """
    parameters = list(signature.parameters.values())
    if not parameters or parameters[0].name == "self":
        return bool(parameters)
    around = getattr(function, "__qualname__", "").rpartition(".")[0]
    in_class = around and not around.endswith("<locals>") and not inspect.ismethod(function)
    if not in_class or not isinstance(specs, (list, tuple)):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return parameters[0].kind in positional and not _covers(len(specs), parameters)


def _covers(count: int, parameters: Sequence[inspect.Parameter]) -> bool:
    """Whether that many specs leave no parameter without a spec or a default."""
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.kind in variable or p.default is not p.empty for p in parameters[count:])


def checked_signature(
    specs: Any, name: str, parameters: Sequence[inspect.Parameter]
) -> tuple[Any, ...] | None:
    """An input signature as a tuple; ``TypeError`` for one that does not fit the parameters.

    These are the parameters, of the function of that name, that a signature is about.
    """
    if specs is None:
        return None
    if not isinstance(specs, (list, tuple)):
        raise TypeError(
            at_caller(f"input_signature takes a list or tuple of TensorSpecs, not {specs!r}")
        )
    for leaf in structure.flatten(list(specs))[0]:
        if not isinstance(leaf, (TensorSpec, TraceType)):
            raise TypeError(
                at_caller(
                    f"input_signature takes TensorSpecs, and structures of them, not {leaf!r}"
                )
            )
    _check_coverage(specs, name, parameters)
    return tuple(specs)


def _check_coverage(
    specs: Sequence[Any], name: str, parameters: Sequence[inspect.Parameter]
) -> None:
    """Refuse a signature with too many specs, or with none for a parameter that has no default."""
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return
    if len(specs) > len(parameters):
        raise TypeError(
            at_caller(
                f"input_signature has {len(specs)} specs, and {name} takes "
                f"{len(parameters)} arguments"
            )
        )
    for parameter in parameters[len(specs) :]:
        if parameter.default is inspect.Parameter.empty:
            raise TypeError(
                at_caller(
                    f"input_signature has no spec for {parameter.name!r} of {name}, "
                    "which has no default"
                )
            )


def hinted(function: Callable[..., Any], signature: inspect.Signature) -> frozenset[str]:
    """The parameters that are annotated as tensors, or as tensors or None."""
    try:
        hints = typing.get_type_hints(inspect.unwrap(function))
    except (NameError, TypeError, AttributeError):  # annotations that only a checker understands
        hints = {name: p.annotation for name, p in signature.parameters.items()}
    return frozenset(name for name in signature.parameters if _is_tensor(hints.get(name)))


def _is_tensor(hint: Any) -> bool:
    if isinstance(hint, str):
        return hint.rpartition(".")[2] == "Tensor"
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    alternatives = typing.get_args(hint) if is_union else (hint,)
    kinds = [kind for kind in alternatives if kind is not type(None)]
    return bool(kinds) and all(isinstance(k, type) and issubclass(k, Tensor) for k in kinds)
