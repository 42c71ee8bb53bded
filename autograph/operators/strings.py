"""Text: f-strings, ``%`` after a string, and text that code is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.calls import call
from agir.autograph.operators.staging import active, find

__all__ = ["code", "formatted", "percent", "text"]

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


def formatted(value: Any, conversion: str = "", spec: Any = "") -> Any:
    """The part ``{value!conversion:spec}`` of an f-string."""
    for staging in active():
        made = staging.text_of(value, conversion, spec)
        if made is not None:
            return made
    return format(_CONVERSIONS[conversion](value), spec)


def text(*parts: Any) -> Any:
    """An f-string of these parts: literals, and what :func:`formatted` gives."""
    whole: Any = ""
    for part in parts:
        whole = whole + part
    return whole


def percent(left: Any, right: Any) -> Any:
    """``left % right`` where the left side may be text."""
    if isinstance(left, str) or find(left):
        for staging in active():
            made = staging.percent(left, right)
            if made is not None:
                return made
    return left % right


def code(source: Any) -> Any:
    """What ``eval`` and ``exec`` are given: text of the run time would come too late."""
    if not isinstance(source, str):
        for staging in active():
            if call(isinstance, (source, str)) is True:
                raise staging.refusal(
                    "text that only the run time knows is to be run as code, which is compiled before "
                    "the program runs: choose between functions, or pass the text with static="
                )
    return source
