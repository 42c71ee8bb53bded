"""What can go wrong between a traced program and its machine code."""

from __future__ import annotations


class StageError(ValueError):
    """A stage was asked for that does not exist, or that cannot be reached from here."""


class LoweringError(RuntimeError):
    """A pass failed, or left operations behind that the following stage does not understand.

    The message holds MLIR's diagnostics, each with the line of the user's program that it is about.
    """
