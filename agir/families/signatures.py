"""How operations get the names, arguments and defaults that TensorFlow has for them."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

from agir.errors import InvalidArgumentError
from agir.ir import recording
from agir.ir.building.types import is_python_number
from agir.ir.recording import explained
from agir.ir.table import TABLE
from agir.ir.tensors.dispatch import Operation, call, located
from agir.ir.tensors.tensor import Tensor
from agir.runtime.tensor import convert_to_tensor


@dataclass(frozen=True)
class Renamed:
    """An operation of the table whose parameters have other names."""

    origin: Operation
    signature: inspect.Signature
    __doc__: str

    @property
    def __signature__(self) -> inspect.Signature:
        return self.signature

    @property
    def accepts(self) -> str:
        """The kinds of dtype that the operation takes."""
        return self.origin.accepts

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the operation."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            message = TypeError(f"{self.origin.name}(): {error}")
            raise located(message, recording.current()) from None
        bound.apply_defaults()
        bound.arguments.pop("name")
        return self.origin(**dict(zip(self.origin.signature.parameters, bound.args, strict=False)))


def renamed(name: str, parameters: str, doc: str | None = None) -> Renamed:
    """The operation of that name with these parameters, in the order of its own, and ``name``."""
    origin = TABLE[name]
    own = origin.signature.parameters.values()
    found = [
        parameter.replace(name=word, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for word, parameter in zip(parameters.split(), own, strict=False)
    ]
    doc = doc or _with_names(
        origin.doc, dict(zip(origin.signature.parameters, parameters.split(), strict=False))
    )
    last = inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    return Renamed(origin, inspect.Signature([*found, last]), doc)


def _with_names(doc: str, names: dict[str, str]) -> str:
    """The documentation with other names for the parameters."""

    def named(word: re.Match[str]) -> str:
        return names.get(word[0], word[0])

    def shaped(line: re.Match[str]) -> str:
        return re.sub(r"\b[a-z]\w*\b(?= \[| and | broadcast|, )", named, line[0])

    doc = re.sub(r"(?<=``)\w+(?=``)", named, doc)
    return re.sub(r"^Shapes: .*", shaped, doc, flags=re.MULTILINE)


# What the functions of several modules ask for.


def tensor(value: Any, dtype: Any = None) -> Any:
    """The value as a tensor: Python numbers and nested lists of them in 32 bits."""
    if isinstance(value, Tensor) and dtype is None:
        return value
    return convert_to_tensor(value, dtype)


def operand(value: Any) -> Any:
    """A value as it goes into an operation: a Python number stays one, and adapts its dtype."""
    return value if is_python_number(value) else tensor(value)


def rank(value: Any) -> int:
    """The number of dimensions."""
    return len(tensor(value).shape)


def sizes(value: Any) -> list[Any]:
    """The sizes: ints, and scalar tensors for those that only the run time knows."""
    if None not in value.shape:
        return list(value.shape)
    vector = call("shape", value)
    return [vector[i] if e is None else e for i, e in enumerate(value.shape)]


def plain(value: Any) -> Any:
    """A tensor that has its value as a number or nested lists, anything else as it is."""
    if isinstance(value, Tensor) and not value.is_symbolic:
        return value.numpy().tolist()
    return value


def require(ok: Any, message: str) -> None:
    """Raise ``InvalidArgumentError`` where a bool tensor is not true everywhere."""
    whole = call("all", ok)
    trace = recording.current()
    if trace is not None and whole.is_symbolic:
        with trace.at_user_line():
            trace.guard(whole.ssa, trace.site("argument", message))
    elif not whole:
        raise InvalidArgumentError(explained(message))


def require_same(left: Any, right: Any, axes: int, what: str) -> None:
    """Check that two tensors have the same sizes along their first axes."""
    for axis in range(axes):
        one, other = left.shape[axis], right.shape[axis]
        if None not in (one, other) and one != other:
            raise ValueError(f"{what} differ in size along axis {axis}: {one} and {other}")
        if None in (one, other):
            same = call("equal", sizes(left)[axis], sizes(right)[axis])
            require(same, f"{what} differ in size along axis {axis}")
