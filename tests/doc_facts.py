"""What the documentation of an operation says of shapes and dtypes, as something to be tested.

``Shapes: a [..., n, m], b [..., m, k] -> [..., n, k]; prose`` names parameters.  A letter stands for
one size wherever it occurs, one with a prime for any; ``...`` for any sizes; a number, or the
name of a parameter that is a number, for itself.  What is not written in this way is prose.

``Dtypes: int -> float64; float, complex -> the same`` says which dtypes the parameters named under
Shapes may have, and those of the results.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import agir as ag

DTYPES = {
    "bool": ("bool",),
    "int": ("int8", "int16", "int32", "int64"),
    "uint": ("uint8", "uint16", "uint32", "uint64"),
    "float": ("float16", "bfloat16", "float32", "float64"),
    "complex": ("complex64", "complex128"),
}
EVERY = [name for names in DTYPES.values() for name in names]
ITEM = re.compile(r"(?:^|, )(\w+)(?: list of)? \[([^\]]*)\]")
RESULT = re.compile(r"\((.*)\)|(list of )?\[([^\]]*)\]|\w+")


class Call(NamedTuple):
    """The call in an example of what it is an example of."""

    function: Callable[..., Any]
    arguments: inspect.BoundArguments

    def with_arguments(self, changed: dict[str, Any]) -> Any:
        """Call with other values for some of the parameters."""
        bound = inspect.BoundArguments(self.arguments.signature, dict(self.arguments.arguments))
        bound.arguments.update(changed)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self.function(*bound.args, **bound.kwargs)


def example(function: Any, documentation: str) -> Call | None:
    """The call of a function in the examples of its documentation, if it is there by itself."""
    names: dict[str, Any] = {"ag": ag, "np": np}
    for each in doctest.DocTestParser().get_examples(documentation):
        for node in ast.walk(ast.parse(each.source)):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                with contextlib.suppress(Exception):
                    if eval(called, names) is function:
                        signature = inspect.signature(function)
                        text = ast.unparse(node)[len(called) + 1 : -1]
                        bound = eval(f"bind({text})", names | {"bind": signature.bind})
                        return Call(function, bound)
        with contextlib.suppress(SyntaxError, AttributeError):
            exec(each.source, names)
    return None


# Shapes.


def operands(shapes: str) -> dict[str, str]:
    """The parameters that are tensors, with what is said of their sizes."""
    return dict(ITEM.findall(shapes.partition(";")[0].partition(" -> ")[0]))


def shapes_fit(shapes: str, call: Call) -> int:
    """Compare what is said of shapes with a call; gives how many were compared."""
    known: dict[str, Any] = {
        name: value for name, value in call.arguments.arguments.items() if type(value) is int
    }
    count = 0
    for name, sizes in operands(shapes).items():
        if name in call.arguments.arguments:
            value = call.arguments.arguments[name]
            for each in value if f"{name} list of" in shapes else [value]:
                _unify(sizes, np.shape(each), known, f"{name} [{sizes}]")
                count += 1
    said = RESULT.fullmatch(shapes.partition(";")[0].rpartition(" -> ")[2].strip())
    if said is None or (said[3] is None and said[1] is None):
        return count
    result = call.with_arguments({})
    expected = re.findall(r"\[([^\]]*)\]", said[0])
    found = list(result) if said[1] or said[2] else [result]
    for sizes, each in zip(expected * (len(found) if said[2] else 1), found, strict=True):
        _unify(sizes, tuple(each.shape), known, f"the result [{sizes}]")
        count += 1
    return count


def _unify(said: str, shape: tuple[int, ...], known: dict[str, Any], what: str) -> None:
    items = [item.strip() for item in said.split(",") if item.strip()]
    if "..." in items:
        place = items.index("...")
        rest = len(shape) - len(items) + 1
        assert rest >= 0, f"{what} is {shape}"
        _same("...", shape[place : place + rest], known, what)
        shape = (*shape[:place], *shape[place + rest :])
        items.remove("...")
    assert len(items) == len(shape), f"{what} is {shape}"
    for item, size in zip(items, shape, strict=True):
        if item.endswith("'"):
            continue
        if item.isdigit():
            assert size == int(item), f"{what}: {item} is {size}"
        else:
            _same(item, size, known, what)


def _same(name: str, value: Any, known: dict[str, Any], what: str) -> None:
    assert known.setdefault(name, value) == value, f"{what}: {name} is {value} and {known[name]}"


# Dtypes.


def said_dtypes(text: str) -> dict[str, list[str]]:
    """The dtypes that are accepted, each with those of the results where they are given."""
    found: dict[str, list[str]] = {}
    for part in text.split("; "):
        accepted, _, result = part.partition(" -> ")
        results = result.strip("()").split(", ") if result else []
        for word in accepted.split(", "):
            for name in DTYPES.get(word, (word,)):
                assert name in EVERY, f"{word} is no dtype"
                found[name] = [name if each == "the same" else each for each in results]
    return found


def found_dtypes(shapes: str, call: Call) -> dict[str, list[str]]:
    """The dtypes that are accepted in fact, with those of the results."""
    all_given = call.arguments.arguments
    named = [n for n in operands(shapes) if n in all_given]
    given = {n: all_given[n] for n in named if n != "seed" or named == ["seed"]}
    if shapes.endswith(" broadcast"):
        given = dict(list(all_given.items())[:2])
    kinds = {name: _kind(value) for name, value in given.items()}
    first = next(iter(kinds.values()))
    found = {}
    for dtype in EVERY:
        changed = {n: _cast(v, dtype) for n, v in given.items() if kinds[n] == first}
        with contextlib.suppress(ag.errors.OperandTypeError):
            found[dtype] = [t.dtype.name for t in _tensors(call.with_arguments(changed))]
    return found


def _ragged(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len({np.shape(each) for each in value}) > 1


def _array(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(value.numpy() if isinstance(value, ag.Tensor) else value)


def _kind(value: Any) -> str:
    kind = _array(value[0] if _ragged(value) else value).dtype.kind
    return "i" if kind == "u" else kind


def _cast(value: Any, dtype: str) -> Any:
    if _ragged(value):
        return [_cast(each, dtype) for each in value]
    with warnings.catch_warnings():  # of values that the dtype has not
        warnings.simplefilter("ignore")
        return ag.constant(_array(value).astype(ag.as_dtype(dtype).numpy))


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, ag.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
