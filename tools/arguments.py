"""``--args``: types such as ``f64[512, ?]`` and Python expressions, as the arguments of a call."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import agir as ag
from agir.ir.building.types import DTYPES, DType, TensorSpec
from agir.ir.tensors import structure
from agir.tools.diagnosis import UsageError

_SHORT = {"bool": "i1", "bfloat16": "bf16", "complex64": "c64", "complex128": "c128"}
_OUTSIDE_STRINGS = re.compile(r"""('[^']*'|"[^"]*")|\?""")


class ElementType:
    """A dtype by its name; a subscript makes it the type of a tensor: ``f64[512, ?]``.

    NumPy takes it for the dtype it is: ``np.ones(3, f32)``.
    """

    def __init__(self, dtype: DType) -> None:
        self.type = dtype
        self.dtype = dtype.numpy

    def __getitem__(self, shape: Any) -> TensorSpec:
        dimensions = shape if isinstance(shape, tuple) else (shape,)
        for size in dimensions:
            if size is not None and (not isinstance(size, int) or size < 0):
                raise UsageError(f"--args: a dimension is a number or ?, not {size!r}")
        return TensorSpec(dimensions, self.type)


def _names() -> dict[str, ElementType]:
    found: dict[str, ElementType] = {}
    for dtype in DTYPES:
        made = ElementType(dtype)
        short = dtype.name[0] + str(dtype.bits)
        found |= {dtype.name: made, _SHORT.get(dtype.name, short): made}
    return {**found, "bool_": found["bool"]}


TYPES = _names()
_NO_BRACKETS = re.compile(rf"\b({'|'.join(TYPES)})\[\s*\]")


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call: values, and :class:`TensorSpec` where only the type is given."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def leaves(self) -> list[Any]:
        """What the arguments are made of."""
        return structure.flatten([list(self.args), self.kwargs])[0]

    @property
    def types_only(self) -> list[TensorSpec]:
        """Those that are types without values."""
        return [leaf for leaf in self.leaves if isinstance(leaf, TensorSpec)]

    def with_values(self) -> Arguments:
        """The same with an array of ones for every type, which a call needs."""
        return Arguments(
            tuple(structure.transform(_ones, each) for each in self.args),
            {name: structure.transform(_ones, each) for name, each in self.kwargs.items()},
        )


def parse(text: str, names: Mapping[str, Any] | None = None) -> Arguments:
    """The arguments that the text stands for; ``names`` may be used in it besides ``np``."""
    text = _NO_BRACKETS.sub(r"\1[()]", text)
    text = _OUTSIDE_STRINGS.sub(lambda found: found[1] or "None", text)
    try:
        tree = ast.parse(f"__call__({text}\n)", mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise UsageError(f"--args {text!r}: {reason}") from None
    if not isinstance(tree.body, ast.Call) or not _is_ours(tree.body.func):
        raise UsageError(f"--args {text!r}: unbalanced parentheses")
    given = _evaluate(tree, text, {**(names or {}), **TYPES, "np": np, "ag": ag})
    return Arguments(
        tuple(structure.transform(_checked, each) for each in given.args),
        {name: structure.transform(_checked, each) for name, each in given.kwargs.items()},
    )


def _is_ours(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id == "__call__"


def _evaluate(tree: ast.Expression, text: str, names: dict[str, Any]) -> Arguments:
    space = {**names, "__call__": lambda *args, **kwargs: Arguments(args, kwargs)}
    try:
        made: Arguments = eval(compile(tree, "--args", "eval"), space)
    except UsageError:
        raise
    except NameError as error:
        close = difflib.get_close_matches(str(error.name), [*names], n=1)
        advice = f"did you mean {close[0]}?" if close else f"types are {', '.join(_shown_types())}"
        raise UsageError(f"--args {text!r}: {error}; {advice}") from None
    except Exception as error:
        raise UsageError(f"--args {text!r}: {type(error).__name__}: {error}") from None
    return made


def _shown_types() -> list[str]:
    return [name for name in TYPES if len(name) <= 4 and name not in ("i1", "half")]


def _checked(leaf: Any) -> Any:
    if isinstance(leaf, ElementType):
        return TensorSpec((), leaf.type)
    if isinstance(leaf, type):
        raise UsageError(f"--args: {leaf.__name__} is no type of a tensor; f64 and i64 are")
    return leaf


def _ones(leaf: Any) -> Any:
    if not isinstance(leaf, TensorSpec):
        return leaf
    if leaf.shape is None or None in leaf.shape:
        raise UsageError(f"--run needs values, and {describe(leaf)} leaves dimensions open")
    return np.ones([n or 0 for n in leaf.shape], leaf.dtype.numpy)[()]


def describe(value: Any) -> str:
    """An argument in a few words: ``float64[4, ?]``, or its value."""
    if isinstance(value, (TensorSpec, np.ndarray, np.generic, ag.Tensor)):
        dtype = value.dtype.name
        if value.shape is None:
            return f"{dtype}[...]"
        sizes = ", ".join("?" if n is None else str(n) for n in value.shape)
        return f"{dtype}[{sizes}]" if value.shape else dtype
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
