"""What calls raise whose trace has assumed something of outside that is no longer so."""

from __future__ import annotations


class OutdatedError(Exception):
    """A place of outside holds something else than when the function was traced."""


class LayoutError(OutdatedError):
    """An array lies in memory otherwise than row by row, which the trace has assumed."""


class ReadOnlyError(OutdatedError, ValueError):
    """An array is read-only that the trace has assumed can be written into."""
