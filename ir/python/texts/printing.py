"""``print`` while tracing: recorded where its values come, or its turn comes, at run time."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from agir.ir.building import bindings
from agir.ir.host import callbacks, hosts, template
from agir.ir.tracing.trace import Trace
from agir.ir.values import text


def staged_print(
    trace: Trace,
    *values: Any,
    sep: Any = " ",
    end: Any = "\n",
    file: Any = None,
    flush: Any = False,
) -> None:
    """``print(...)`` in converted code.

    What is known while tracing is printed while tracing, as TensorFlow has it, but not in a branch
    or loop that is recorded, nor under NumPy's conventions, where every call prints.
    """
    parts = [text.text_of(value, "s", "") for value in values]
    separator, ending = _separator("sep", sep, " "), _separator("end", end, "\n")
    at_root = trace.scope is trace.root and not trace.convention.arrays_are_mutable
    if at_root and not text.holds_run_time(separator, ending, *parts):
        builtins.print(*parts, sep=separator, end=ending, file=file, flush=flush)
        return
    between = [part for item in parts for part in (separator, item)]
    record_print(trace, text.joined([*between[1:], ending]), file, bool(flush))


def _separator(name: str, given: Any, default: str) -> Any:
    if given is None:
        return default
    given = text.as_template(given)
    if not isinstance(given, (str, text.StagedText)):
        raise TypeError(f"{name} must be None or a string, not {type(given).__name__}")
    return given


def record_print(trace: Trace, what: Any, file: Any = None, flush: bool = False) -> None:
    """Record that a text is written, as it is, when the program gets here.

    ``what`` is a ``str`` or a :class:`~agir.ir.text.StagedText`.  None for the file stands for the
    standard output of that time, and so does what is the standard output now; a string is
    ``stdout``, ``stderr`` or the address ``file://…`` of a file to append to; another file is kept by
    reference.  Nothing is written once a run-time check has failed.
    """
    what = text.as_template(what)
    is_staged = isinstance(what, text.StagedText)
    pieces = what.template.pieces if is_staged else template.merged([what])
    stream, given = _stream(file)
    attributes = {hosts.TEXT: template.encode(pieces), hosts.STREAM: template.string(stream)}
    if flush:
        attributes[hosts.FLUSH] = bindings.ir.UnitAttr.get()
    values = what.values if is_staged else ()

    def show() -> None:
        callbacks.record(trace, "print", values, attributes, given=given)

    with trace.at_user_line():
        callbacks.unless_failed(trace, show)


def _stream(file: Any) -> tuple[str, Any]:
    """What the module says of a file, and the file itself if that does not say it all."""
    if file is None or file is sys.stdout:
        return "stdout", None
    if file is sys.stderr:
        return "stderr", None
    if isinstance(file, str):
        return file, None
    if not hasattr(file, "write"):
        raise AttributeError(f"{type(file).__name__!r} object has no attribute 'write'")
    return f"{type(file).__name__} {getattr(file, 'name', '')}".rstrip(), file
