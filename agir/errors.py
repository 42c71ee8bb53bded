"""Every exception class of agir, in one file.

Where Python has a class for the same mistake, agir's class is also a subclass of it, so that
``except IndexError`` and ``except ag.errors.InvalidArgumentError`` both work.
"""

from __future__ import annotations

from typing import Any


class AgirError(Exception):
    """The base of every error that agir raises in its own words."""


class InvalidArgumentError(AgirError):
    """A value met at run time breaks what an operation asks of it.

    ``place`` is where in the user's source, with ``file``, ``line`` and ``column``; None if unknown.
    """

    place: Any = None
    report: str = ""
    """What ``str`` gives where ``args`` are the program's own: the message and the user's line."""

    def __str__(self) -> str:
        return self.report or super().__str__()


class CannotCompileError(InvalidArgumentError):
    """A function with ``jit_compile=True`` asks for what only Python can do; raised while tracing."""


class RuntimeIndexError(InvalidArgumentError, IndexError):
    """A subscript lies outside the array."""


class RuntimeZeroDivisionError(InvalidArgumentError, ZeroDivisionError):
    """An integer was divided by zero."""


class RuntimeShapeError(InvalidArgumentError, ValueError):
    """Dimensions that are known only at run time do not fit each other."""


class RuntimeTypeError(InvalidArgumentError, TypeError):
    """A value that is None on the path taken is used."""


class RuntimeKeyError(InvalidArgumentError, KeyError):
    """A dict has no such key."""

    __str__ = Exception.__str__


class RuntimeAttributeError(InvalidArgumentError, AttributeError):
    """An attribute that the path taken has not set."""


class RuntimeValueError(InvalidArgumentError, ValueError):
    """A value that is not there to be found."""


class RuntimeAssertionError(InvalidArgumentError, AssertionError):
    """An ``assert`` on a run-time value failed."""


class RuntimeUnboundLocalError(InvalidArgumentError, UnboundLocalError):
    """The path taken at run time leaves a name unbound that is then read."""


class RuntimeRecursionError(InvalidArgumentError, RecursionError):
    """A function calls itself deeper than Python's recursion limit."""


class StagingError(AgirError, TypeError):
    """A construct cannot be recorded; raised while tracing, at the user's line."""


class SubscriptError(StagingError, IndexError):
    """A subscript of a traced array is nothing that can be one, such as a float."""


class OperatorNotAllowedInGraphError(StagingError):
    """Python asked a traced tensor for its value (``bool``, ``int``, iteration, ...)."""


class IndexedAtRunTimeError(OperatorNotAllowedInGraphError):
    """A Python list is indexed with the counter of a recorded loop, which unrolling would spare."""


class InaccessibleTensorError(StagingError):
    """A tensor of a branch, a loop body or another trace is used where it does not exist."""


class AssignmentError(AgirError, TypeError, ValueError):
    """A value does not fit the Variable that it is assigned to: its dtype or its shape."""


class FailedPreconditionError(AgirError):
    """A Variable that a compiled function uses is gone, or has no value yet."""


class UnrollWarning(UserWarning):
    """A long Python loop is recorded iteration by iteration."""


class RetraceWarning(UserWarning):
    """A function is traced again and again, for arguments that differ each time."""


class SideEffectWarning(UserWarning):
    """A Python object is changed while tracing, and not when the compiled function runs."""


class LoweringError(AgirError, RuntimeError):
    """A pass failed, or left behind operations that the next stage does not know.

    The message holds MLIR's diagnostics, each with the line of the user's program that it is about.
    """


class StageError(AgirError, ValueError):
    """A stage does not exist, or cannot be made from what was given."""


class LocatedError(AgirError):
    """An error of the reference interpreter, which learns its operation on its way out."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.operation: str | None = None
        self.location: str | None = None

    def locate(self, operation: str, location: str) -> None:
        """Attach the operation's name and location, unless an inner operation already has."""
        if self.operation is None:
            self.operation, self.location = operation, location

    def __str__(self) -> str:
        if self.operation is None:
            return self.message
        return f"{self.operation}: {self.message} at {self.location}"


class UnsupportedOperation(LocatedError):  # noqa: N818 (a public name)
    """The module uses an operation, a type or an attribute that the interpreter has no rule for."""


class UndefinedBehaviour(LocatedError):  # noqa: N818 (a public name)
    """The program did what MLIR leaves undefined; compiled code may crash or return anything."""
