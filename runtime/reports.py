"""``f.report()``: what became of a function, stage by stage, as a page."""

from __future__ import annotations

from typing import Any

from agir import errors
from agir.backends.reporting import making
from agir.backends.reporting.model import Report, Stage


def report(function: Any, args: Any, kwargs: Any) -> Report:
    """The report of the trace for these arguments, as far as it can be compiled."""
    made = Report(function.__name__)
    python: Any = function._traced._function
    try:
        if function._traced.convert:
            made.take(converted(python))
        concrete, described = function._reported(args, kwargs)
        made.arguments = [described]
        made.tracing = concrete.tracing_took
        maker = making.Maker(concrete.compilation, made.take, "hlo")
        for stage in maker.stages:
            maker.make(stage)
        made.take(making.kernels(function.explain(*args, **kwargs)))
    except Exception as error:
        made.error = f"{type(error).__name__}: {errors.message(error)}"
        if function._fallbacks:
            made.take(making.kernels(function._fallbacks.explanation()))
    made.traces = function.explain_retracing().splitlines()
    making.finish(made, lines_of(python))
    return made


def converted(python: Any) -> Stage:
    """The converted source of a function."""
    from agir.autograph.api import code_and_lines

    text, lines = code_and_lines(python)
    (file,) = lines_of(python) or ("",)
    return making.converted(text, file, lines)


def lines_of(python: Any) -> dict[str, tuple[int, int]]:
    """The file of a function, and the lines that it begins and ends on."""
    code = getattr(getattr(python, "__func__", python), "__code__", None)
    if code is None:
        return {}
    lines = [line for _, _, line in code.co_lines() if line]
    return {code.co_filename: (code.co_firstlineno, max([code.co_firstlineno, *lines]))}
