"""What can go wrong while a function is converted."""

from __future__ import annotations

__all__ = ["AutoGraphError", "ConversionError", "NoSourceError", "UnsupportedError"]


class AutoGraphError(Exception):
    """Base class of the errors of `agir.autograph`."""


class ConversionError(AutoGraphError):
    """A function could not be converted; the message names it and says why."""


class NoSourceError(ConversionError):
    """The source of a function cannot be found, or is no longer what was compiled."""


class UnsupportedError(ConversionError):
    """The function is of a kind that is not converted: a generator, a coroutine, C code."""
