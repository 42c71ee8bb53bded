"""What the functions of control flow take and give: one structure, and tensors of one dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir import errors
from agir.autograph import operators
from agir.ir import recording
from agir.ir.building.types import TensorType, is_python_number, promote
from agir.ir.state.tensor_array import TensorArray
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import nest, trace
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.runtime.tensor import convert_to_tensor


def apply(function: Callable[..., Any], *args: Any) -> Any:
    """A call of a user's function, which AutoGraph converts while something is traced.

    A variable that it gives is read now: later calls may assign to it.
    """
    found = function(*args) if trace.current() is None else operators.call(function, args)
    return nest.transform(_read, found) if any(map(_is_variable, nest.flatten(found))) else found


def _is_variable(leaf: Any) -> bool:
    return hasattr(type(leaf), "read_value")


def _read(leaf: Any) -> Any:
    """A variable's value as it is now."""
    return leaf.read_value() if _is_variable(leaf) else leaf


def check_callable(name: str, **functions: Any) -> None:
    """``TypeError`` for what cannot be called."""
    for parameter, function in functions.items():
        if not callable(function):
            raise explained(TypeError, f"{name}(): {parameter} must be callable, not {function!r}")


def explained(kind: type[Exception], message: str) -> Exception:
    """An error with the user's line, where a function is traced; in agir's class for Python's."""
    return dispatch.OWN.get(kind, kind)(recording.explained(message))


def check_results(what: str, names: tuple[str, str], left: Any, right: Any) -> None:
    """An error that names what differs between the results of two functions, if anything does."""
    check_structure(what, names, left, right)
    pairs = zip(nest.paths(left, "result"), nest.paths(right, "result"), strict=True)
    for (path, one), (_, other) in pairs:
        check_leaf(what, path, names, one, other)


def check_structure(what: str, names: tuple[str, str], left: Any, right: Any) -> None:
    """An error where two structures differ."""
    try:
        nest.check_same(left, right, True, names, "result")
    except (TypeError, ValueError) as error:
        raise explained(type(error), f"{what}: {errors.message(error)}") from None


def check_leaf(what: str, path: str, names: tuple[str, str], one: Any, other: Any) -> None:
    """An error where two leaves cannot be one tensor."""
    kinds = [type_of(each) for each in (one, other)]
    if kinds[0] is None and kinds[1] is None:
        return
    told = [f"{described(each)} in {name}" for each, name in zip((one, other), names, strict=True)]
    message = f"{what}: {path} is {' and '.join(told)}"
    if kinds[0] is None or kinds[1] is None:
        raise explained(TypeError, f"{message}; both must be tensors")
    if not fit(kinds[0], kinds[1]) and not fit(kinds[1], kinds[0]):
        raise explained(TypeError, f"{message}; convert one of them with agir.cast")
    if len(kinds[0].shape) != len(kinds[1].shape):
        raise explained(ValueError, f"{message}, of another number of dimensions")


def carried(what: str, when: tuple[str, str], before: Any, value: Any) -> Any:
    """What a loop carries on, where it had ``before``; an error says how the two differ."""
    was, now = type_of(before), type_of(value)
    told = f"{what} is {described(before)} {when[0]}, and {described(value)} {when[1]}"
    if was is None or now is None:
        if was is now and isinstance(before, TensorArray) == isinstance(value, TensorArray):
            return value
        raise explained(TypeError, told)
    if not was.weak and not fit(now, was):
        raise explained(TypeError, f"{told}; convert it with agir.cast")
    if now.weak and not was.weak:
        value = dispatch.call("cast", value, was.dtype)
    if len(now.shape) != len(was.shape):
        raise explained(ValueError, f"{told}, of another number of dimensions")
    return value


def fit(kind: TensorType, wanted: TensorType) -> bool:
    """Whether a value of one type can stand for one of another: of its dtype, or a number."""
    if kind.weak and wanted.weak:
        return True
    target = promote(TensorType(wanted.dtype, ()), kind)[0] if kind.weak else kind.dtype
    return target == wanted.dtype


def type_of(value: Any) -> TensorType | None:
    """The type of a tensor, array or number; None for anything else."""
    if not abstract_values.is_tensor_like(value):
        return None
    found: TensorType = dispatch.type_of(value)
    return found


def described(value: Any) -> str:
    """A leaf in the words of an error message."""
    if isinstance(value, TensorArray):
        return f"a TensorArray of {value.dtype}"
    kind = type_of(value)
    if kind is None or is_python_number(value):
        return f"the Python value {value!r}"
    shape = ", ".join("?" if size is None else str(size) for size in kind.shape)
    return f"a tensor of {kind.dtype}[{shape}]"


def as_tensors(value: Any) -> Any:
    """The structure with TensorFlow's tensors for the numbers and arrays in it.

    Where NumPy's conventions hold, numbers stay numbers.
    """
    current = trace.current()
    keeps_numbers = current is not None and current.convention.arrays_are_mutable

    def converted(leaf: Any) -> Any:
        leaf = _read(leaf)
        if isinstance(leaf, Tensor) or not abstract_values.is_tensor_like(leaf) or keeps_numbers:
            return leaf
        return convert_to_tensor(leaf)

    return nest.transform(converted, value)


def settled(current: Trace, value: Any) -> Any:
    """The results of a statement, with Python's numbers in the dtypes of TensorFlow's."""
    if current.convention.arrays_are_mutable:
        return value
    return nest.transform(_strong, value)


def _strong(leaf: Any) -> Any:
    if type(leaf) is not SymbolicTensor or not leaf.weak:
        return leaf
    return dispatch.call("cast", leaf, "float32" if leaf.dtype.is_floating else _integer(leaf))


def _integer(leaf: SymbolicTensor) -> Any:
    return "int32" if leaf.dtype.is_integer else leaf.dtype
