"""Names of Numba's that have no meaning here: they can be imported, and say why when they are used."""

from __future__ import annotations

from typing import Any, NoReturn

from agir.errors import StagingError
from agir.runtime.blame import at_caller

COMPILER = "it is a part of Numba's own compiler"


class Absent:
    """What stands for a name: whoever calls it, or asks it for anything, is told why."""

    def __init__(self, name: str, reason: str) -> None:
        self._name = name
        self._reason = reason

    def _refuse(self) -> NoReturn:
        raise StagingError(at_caller(f"agir.numba has no {self._name!r}: {self._reason}"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse."""
        self._refuse()

    __getitem__ = __call__  # kernel[blocks, threads]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()


class AbsentDecorator(Absent):
    """The same for a decorator, with arguments or without: what it decorates refuses to be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What stands for the decorated function, or the decorator with its arguments."""
        if len(args) == 1 and callable(args[0]) and not kwargs:
            return Absent(getattr(args[0], "__name__", self._name), f"{self._name}: {self._reason}")
        return self
