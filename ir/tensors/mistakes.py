"""Mistakes of agir's own, told apart from what a program, or NumPy for it, raises.

Both come as Python's exceptions, and an AttributeError of ours must not become one that the program's
`try` catches.  What is raised on purpose comes from a ``raise`` statement or from a call of C: NumPy, a
conversion, `operator.getitem` and its like, by which agir does what a program may do wrong.  What
the innermost frame, one of agir's, raises without either is looked up by its class.
"""

from __future__ import annotations

import dis
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, FunctionType, TracebackType
from typing import Any

from agir.errors import AgirError, InternalError
from agir.ir import recording
from agir.ir.building import locations
from agir.ir.tensors.tensor import Tensor

_PACKAGE = __name__.partition(".")[0]
_OPERATORS = f"{_PACKAGE}.autograph.operators"
"""Where Python's operators are applied to the program's values."""

_OF_CODE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    TypeError,
)

_ARGUMENTS = re.compile(r"^(\S+)\(\) (?:takes|missing|got (?:an unexpected|multiple|some))")
_RECORDED = re.compile(r"'(?:Value|Operation|Block|Cell)' (?:object|and '|is)|and '(?:Value|Cell)'")
_QUOTED = re.compile(r"'([\w.]+)'")
_SUBSCRIPTED = "object is not subscriptable"
_BINDINGS = "incompatible function arguments"
"""What the bindings of MLIR say of arguments that they do not take."""


are_told = False
"""Whether a mistake is told where tracing again would conceal it, as the test suite asks."""


def concealed(error: BaseException) -> None:
    """Raise the InternalError after which a function would be traced again, if that is to be told."""
    if are_told and isinstance(error, InternalError):
        raise error
    if are_told:
        check(error)


def check(error: BaseException) -> None:
    """Raise an InternalError from an exception that only a mistake of agir's can be the reason of."""
    if is_mistake(error):
        raise InternalError(_told(error)) from error


@contextmanager
def alone() -> Iterator[None]:
    """While only agir's own code runs: whatever tells of a mistake in code is one in agir's."""
    try:
        yield
    except _OF_CODE as error:
        if isinstance(error, AgirError):
            raise
        raise InternalError(_told(error)) from error


def is_mistake(error: BaseException) -> bool:
    """Whether an exception tells of a mistake in agir."""
    if isinstance(error, AgirError) or _is_caught(error):
        return False
    last = _last(error.__traceback__)
    if last is None:
        return False
    module = _module(last.tb_frame)
    if not _is_ours(module) or module.startswith(_OPERATORS):
        return False
    tells = next((_RULES[each] for each in type(error).__mro__ if each in _RULES), None)
    return tells is not None and tells(error, last.tb_frame, _instruction(last))


def _is_caught(error: BaseException) -> bool:
    """Whether it stands for a failure of the run time, which our code raises in its handlers."""
    trace = recording.current()
    return trace is not None and id(error) in trace.caught


def _last(traceback: TracebackType | None) -> TracebackType | None:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_ours(module: str) -> bool:
    return module == _PACKAGE or module.startswith(f"{_PACKAGE}.")


def _instruction(at: TracebackType) -> str:
    """The name of the instruction that has raised."""
    return dis.opname[at.tb_frame.f_code.co_code[at.tb_lasti]]


# By class.


def _always(error: Any, frame: FrameType, instruction: str) -> bool:
    return True


def _of_a_name(error: Any, frame: FrameType, instruction: str) -> bool:
    return instruction.startswith("LOAD_")


def _of_an_object(error: Any, frame: FrameType, instruction: str) -> bool:
    """An attribute that our code names."""
    return instruction.endswith(("_ATTR", "_METHOD"))


def _of_a_container(error: Any, frame: FrameType, instruction: str) -> bool:
    """An item that our code takes out."""
    return instruction.endswith("_SUBSCR")


def _of_arithmetic(error: Any, frame: FrameType, instruction: str) -> bool:
    return instruction.startswith(("BINARY_", "INPLACE_"))


def _of_kinds(error: Any, frame: FrameType, instruction: str) -> bool:
    """Of a function of ours, called with arguments that it does not take; or of the bindings.

    Or of what is recorded, or stands for something while tracing, which no program has.
    """
    text = error.args[0] if error.args else ""
    if type(text) is not str:  # such as text that only the run time knows
        return False
    if text.endswith(_SUBSCRIPTED) and _of_a_container(error, frame, instruction):
        return True
    if _RECORDED.search(text) or (not _has_raised(instruction) and _is_of_our_classes(text, frame)):
        return True
    found = _ARGUMENTS.match(text)
    if found is None:
        return _BINDINGS in text and not _has_raised(instruction)
    if _has_raised(instruction):
        return False
    callees = list(_functions(found[1], frame))
    return bool(callees) and all(_is_ours(str(each.__module__)) for each in callees)


def _has_raised(instruction: str) -> bool:
    return instruction.startswith("RAISE")


def _is_of_our_classes(text: str, frame: FrameType) -> bool:
    """Whether Python names a class of ours, of a value in the frame that the program does not have."""
    named = _QUOTED.findall(text)
    kinds = {type(each) for each in _values(frame)}
    return any(
        kind.__name__ in named and _is_ours(kind.__module__) and not _is_of_programs(kind)
        for kind in kinds
    )


def _is_of_programs(kind: type) -> bool:
    """Whether it is a tensor's class, or stands for the class of Python's that it is named after."""
    names = [each.__name__ for each in kind.__mro__[1:] if not _is_ours(each.__module__)]
    return issubclass(kind, Tensor) or kind.__name__ in names


def _values(frame: FrameType) -> Iterator[Any]:
    """The values of a frame, and what they have as attributes."""
    values = list(frame.f_locals.values())
    yield from values
    for value in values:
        yield from getattr(value, "__dict__", {}).values()


def _functions(name: str, frame: FrameType) -> Iterator[FunctionType]:
    """The functions of that qualified name that a frame may have called: a program's, and ours."""
    for each in _values(frame):
        of = getattr(each, "__func__", each)
        if isinstance(of, FunctionType) and of.__qualname__ == name:
            yield of
    for title, module in list(sys.modules.items()):
        if _is_ours(title):
            found: Any = module
            for part in name.split("."):
                found = getattr(found, "__dict__", {}).get(part)
            found = getattr(found, "__func__", found)
            if isinstance(found, FunctionType) and found.__qualname__ == name:
                yield found


_RULES: dict[type[BaseException], Callable[[Any, FrameType, str], bool]] = {
    NameError: _of_a_name,
    AttributeError: _of_an_object,
    LookupError: _of_a_container,
    ZeroDivisionError: _of_arithmetic,
    TypeError: _of_kinds,
    AssertionError: _always,
}


def _told(error: BaseException) -> str:
    last = _last(error.__traceback__)
    where = "" if last is None else f" (in {_module(last.tb_frame)})"
    what = type(error).__name__ + (f": {error}" if str(error) else "")
    text = (
        f"agir has made a mistake: {what}{where}; the program is not to blame. Please report it,"
        " with the program and the traceback above"
    )
    place = locations.raised_at(error)
    if place is not None:
        return f"{text}\n  at {place}: {locations.source_line(place)}"
    trace = recording.current()
    return text if trace is None else str(trace.explain(text))
