"""Rules of the `func` dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.backends.reference.core.operation import Operation, Rule


def _call(operation: Operation) -> Callable[..., Any]:
    callee = operation.function(operation.attribute("callee"))
    if len(operation.results) == 1:
        return lambda *arguments: callee.run(arguments)[0]
    return lambda *arguments: callee.run(arguments)


OPERATIONS: dict[str, Rule] = {"func.call": _call}
TERMINATORS = frozenset({"func.return"})
