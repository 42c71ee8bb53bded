"""The type of a concrete function: its parameters, what it captures and what it returns."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from agir.ir.building.types import TensorSpec
from agir.ir.tensors import structure
from agir.runtime.signatures.pattern import Made, Placeholder, Weak

_EMPTY = inspect.Parameter.empty


class FunctionType(inspect.Signature):
    """A signature whose parameters are annotated with the types of one trace.

    The annotation of a parameter is a :class:`TensorSpec`, a structure of such, the Python value
    that is a constant of the trace, or the user's :class:`TraceType`.  ``output`` is the same for
    the result, ``captures`` holds the types of what is captured from outside.

    >>> f = ag.function(lambda x: x + 1).get_concrete_function(ag.TensorSpec([2], ag.int32))
    >>> list(f.function_type.parameters)
    ['x']
    """

    __slots__ = ("captures",)

    def __init__(
        self, signature: inspect.Signature, types: Mapping[str, Any], output: Any, captures: Any
    ) -> None:
        parameters = [
            parameter.replace(annotation=types.get(name, _EMPTY), default=_EMPTY)
            for name, parameter in signature.parameters.items()
        ]
        super().__init__(parameters, return_annotation=output)
        self.captures: tuple[Any, ...] = tuple(captures)

    @property
    def output(self) -> Any:
        """The type of the result."""
        return self.return_annotation

    def inputs(self) -> str:
        """The parameters, as they stand in the signature."""
        shown = ", ".join(
            f"{_STARS.get(p.kind, '')}{name}: {p.annotation!r}"
            for name, p in self.parameters.items()
        )
        return f"({shown})"

    def __str__(self) -> str:
        return f"{self.inputs()} -> {self.output!r}"

    def __repr__(self) -> str:
        return f"<agir.FunctionType {self}>"

    def described(self, name: str) -> str:
        """The type as a paragraph, for people."""
        lines = [f"{name}({', '.join(_parameters(self))})", "  Args:"]
        for parameter in self.parameters.values():
            lines.append(f"    {parameter.name}: {describe(parameter.annotation)}")
        if not self.parameters:
            lines.append("    none")
        lines += ["  Returns:", f"    {describe(self.output)}"]
        if self.captures:
            lines += ["  Captures:", *(f"    {describe(each)}" for each in self.captures)]
        return "\n".join(lines)


_STARS: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def _parameters(kind: FunctionType) -> Iterator[str]:
    for name, parameter in kind.parameters.items():
        yield _STARS.get(parameter.kind, "") + name


def describe(value: Any) -> str:
    """A type, or a constant, in the words of a signature for people."""
    if isinstance(value, TensorSpec):
        shape = "unknown" if value.shape is None else str(value.shape).replace("None", "?")
        return f"{value.dtype} Tensor, shape={shape}"
    found = structure.children(value)
    if found is None:
        return repr(value)
    (kind, names), items = found
    shown = [describe(item) for item in items]
    if kind in (list, tuple):
        opening, closing = ("[", "]") if kind is list else ("(", ",)" if len(shown) == 1 else ")")
        return opening + ", ".join(f"<{item}>" for item in shown) + closing
    keys = range(len(items)) if isinstance(names, int) else names
    pairs = ", ".join(f"{key}: <{item}>" for key, item in zip(keys, shown, strict=True))
    return f"{kind.__name__}({pairs})"


def typed(pattern: Any, specs: Iterator[TensorSpec]) -> Any:
    """A pattern of arguments with the type of each run-time value in its place."""
    return structure.transform(lambda leaf: _typed(leaf, specs), pattern)


def _typed(leaf: Any, specs: Iterator[TensorSpec]) -> Any:
    if isinstance(leaf, Made):
        for _ in leaf.kind.flatten():
            next(specs)
        return leaf.kind
    if isinstance(leaf, Weak):
        return leaf.get()
    return next(specs) if isinstance(leaf, Placeholder) else leaf
