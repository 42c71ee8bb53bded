"""Python's functions that make text, over run-time values: ``str``, ``format``, ``join``, ``%``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from types import BuiltinMethodType, MethodDescriptorType
from typing import Any

from agir.errors import StagingError
from agir.ir.python.texts import printing
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import text

Replacement = Callable[..., Any]


def find(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Replacement | None:
    """What makes the text instead of the function, in a trace; None where the function stays."""
    kind = type(function)
    if kind is BuiltinMethodType and type(function.__self__) is str:
        method = _METHODS.get(function.__name__)
        return None if method is None else functools.partial(method, function.__self__)
    if kind is MethodDescriptorType and function.__objclass__ is str:
        return _METHODS.get(function.__name__)
    if function is print:
        return functools.partial(printing.staged_print, trace)
    if function is map and args:
        inner = find(trace, args[0], (None,), {})
        return None if inner is None else lambda _, *items: map(inner, *items)
    takes = _FUNCTIONS.get(function) if isinstance(function, (type, BuiltinMethodType)) else None
    if takes is None or kwargs or len(args) not in takes[0]:
        return None
    return takes[1]


_FUNCTIONS: dict[Any, tuple[tuple[int, ...], Replacement]] = {
    str: ((1,), lambda value: text.text_of(value, "s", "")),
    repr: ((1,), lambda value: text.text_of(value, "r", "")),
    ascii: ((1,), lambda value: text.text_of(value, "a", "")),
    format: ((1, 2), lambda value, spec="": text.text_of(value, "", spec)),
}


def join(separator: Any, items: Any) -> Any:
    """``separator.join(items)``."""
    parts = list(map(text.as_text, items))
    if not text.holds_run_time(separator, *parts):
        return separator.join(parts)
    between = [part for item in parts for part in (separator, item)]
    return text.joined(between[1:])


def _format(pattern: str, *args: Any, **kwargs: Any) -> Any:
    return text.collected(lambda: pattern.format(*args, **kwargs))


def _format_map(pattern: str, mapping: Any) -> Any:
    return text.collected(lambda: pattern.format_map(mapping))


_METHODS: dict[str, Replacement] = {"join": join, "format": _format, "format_map": _format_map}


# pattern % values

_DIRECTIVE = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?"
    r"(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>[diouxXeEfFgGcrsa%])"
)


def percent(pattern: str, values: Any) -> Any:
    """``pattern % values``."""
    if not _concerns(values):
        return text.collected(lambda: pattern % values)
    return text.joined(list(_filled(pattern, values)))


def _concerns(values: Any) -> bool:
    items: Any = values if isinstance(values, tuple) else (values,)
    items = values.values() if isinstance(values, Mapping) else items
    kinds = (SymbolicTensor, text.StagedText)
    return any(
        isinstance(item, kinds) or text.is_coded(item) or getattr(type(item), "is_users", False)
        for item in items
    )


def _filled(pattern: str, values: Any) -> Iterator[Any]:
    """The literal parts of the pattern, and its directives with their values."""
    rest = list(values) if isinstance(values, tuple) else [values]
    supply = iter(rest)
    at = used = 0
    for found in _DIRECTIVE.finditer(pattern):
        yield _literal(pattern[at : found.start()])
        at = found.end()
        if found["type"] == "%":
            yield "%"
            continue
        directive = _directive(found, supply)
        used += found.group().count("*")
        value = values[found["key"]] if found["key"] is not None else _next(supply)
        used += found["key"] is None
        yield _written(directive, found["type"], value)
    yield _literal(pattern[at:])
    if used < len(rest) and not isinstance(values, Mapping):
        raise TypeError("not all arguments converted during string formatting")


def _next(supply: Iterator[Any]) -> Any:
    for value in supply:
        return value
    raise TypeError("not enough arguments for format string")


def _literal(part: str) -> str:
    if "%" in part:
        raise ValueError(f"unsupported format in {part!r}")
    return part


def _directive(found: re.Match[str], supply: Iterator[Any]) -> str:
    """The directive with numbers in the place of its stars, and without a key."""
    parts = [f"%{found['flags']}"]
    for name, before in (("width", ""), ("precision", ".")):
        size: Any = found[name]
        if size == "*":
            size = _next(supply)
            if isinstance(size, SymbolicTensor):
                raise StagingError(
                    size.recorder.explain("the width of a format must be known while tracing")
                )
            if not isinstance(size, int):
                raise TypeError("* wants int")
        if size is not None:
            parts.append(f"{before}{size}")
    return "".join(parts) + found["type"]


def _written(directive: str, kind: str, value: Any) -> Any:
    if kind not in "sra":
        is_run_time = isinstance(value, SymbolicTensor)
        return text.field(value, "%", directive) if is_run_time else directive % (value,)
    whole = text.as_template(text.text_of(value, kind, ""))
    bare = f"%{kind}"
    if not isinstance(whole, text.StagedText):
        return directive.replace(kind, "s") % (whole,)
    return whole if directive == bare else text.field(whole, "%", directive.replace(kind, "s"))
