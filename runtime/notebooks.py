"""What a notebook shows of a decorated function: its signature, its traces, what has been warned of."""

from __future__ import annotations

import inspect
from html import escape
from typing import Any

from agir.ir.building.types import TensorSpec
from agir.ir.tensors import structure


def html(function: Any) -> str:
    """A decorated function as HTML."""
    signature = escape(f"{function.__qualname__}{function.function_type}")
    parts = [
        f"<div><b>{escape(str(function._traced.convention.name))}</b> <code>{signature}</code>"
    ]
    if documentation := inspect.getdoc(function.python_function):
        parts.append(f"<div>{escape(documentation.partition(chr(10))[0])}</div>")
    rows = [_row(types, each) for types, each in function.known_traces()]
    parts.append(_table(rows) if rows else "<div><i>not traced yet</i></div>")
    if told := function.told():
        parts.append("<ul>" + "".join(f"<li>{escape(each)}</li>" for each in told) + "</ul>")
    return "".join([*parts, "</div>"])


_HEAD = "".join(
    f"<th>{each}</th>" for each in ("for calls with", "gives", "traced in", "compiled in")
)


def _table(rows: list[str]) -> str:
    return f"<table><thead><tr>{_HEAD}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(types: str, concrete: Any) -> str:
    given = _shown(getattr(concrete, "structured_outputs", None))
    cells = [f"<code>{escape(types)}</code>", f"<code>{escape(given)}</code>"]
    cells += [_time(concrete.tracing_took), _time(concrete.compiling_took)]
    return "<tr>" + "".join(f"<td>{each}</td>" for each in cells) + "</tr>"


_LONG = 120


def _shown(result: Any) -> str:
    """The types of what a trace gives, as those of arguments are written."""
    if isinstance(result, TensorSpec):
        shape = "" if result.shape == () else str(list(result.shape or ())).replace("None", "?")
        return f"{result.dtype}{shape}"
    found = structure.children(result)
    if found is None:
        text = result if isinstance(result, str) else repr(result)
    elif isinstance(result, dict):
        text = ", ".join(f"{key!r}: {_shown(each)}" for key, each in result.items())
        text = f"{{{text}}}"
    else:
        text = f"{type(result).__name__}({', '.join(map(_shown, found[1]))})"
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def _time(seconds: float | None) -> str:
    """A time in words; a dash where there is none."""
    if seconds is None:
        return "&ndash;"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"
