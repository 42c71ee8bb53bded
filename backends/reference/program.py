"""The interpreter as a back end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from agir.backends.entry import Entry, Run
from agir.ir.host.streams import reserving

from .interpreter import Interpreter


class Program(Protocol):
    """What the interpreter needs of a program."""

    def get(self, stage: str) -> Any:
        """The stage of this name."""


def load(program: Program, entry: Entry) -> Run:
    """The reference back end: it interprets the `hlo` stage, and writes into no argument."""
    interpreter = Interpreter(program.get("hlo"), entry.given)

    def run(arguments: Sequence[Any]) -> list[Any]:
        results = interpreter.call(entry.name, *arguments)
        return [each.view(dtype) for each, dtype in zip(results, entry.dtypes, strict=True)]

    return reserving(run, (entry.given or {}).values())
