"""What the interpreter raises."""

from __future__ import annotations


class LocatedError(Exception):
    """An error that learns which operation it belongs to on its way out."""

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
