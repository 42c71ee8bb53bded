"""What calls raise whose trace has assumed something of outside that is not so, or no longer."""

from __future__ import annotations

from typing import Any


class OutdatedError(Exception):
    """A place of outside holds something else than when the function was traced."""


class LayoutError(OutdatedError):
    """An array lies in memory otherwise than row by row, which the trace has assumed."""


class ReadOnlyError(OutdatedError, ValueError):
    """An array is read-only that the trace has assumed can be written into."""


class Lengthy(BaseException):
    """What loops over lists do with each of their numbers is much: they are to be passed as arrays."""


class Identified(BaseException):
    """Which of the arguments are one object makes a difference: it is to be part of the call's type."""


class Opening(BaseException):
    """A container that an attribute or a name of outside holds is to be passed at each call."""

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__()
        self.owner = owner
        self.name = name
