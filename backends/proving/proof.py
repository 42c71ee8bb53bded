"""What is known of two forms of a function."""

from __future__ import annotations

from typing import Any

from agir.records import dataclass


@dataclass(frozen=True)
class Proof:
    """What is known: it is proven, or there is a counterexample; else the reason why neither is."""

    is_proven: bool
    arguments: tuple[Any, ...] | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.is_proven:
            return "proven"
        if self.arguments is not None:
            return f"differs for the arguments {', '.join(map(str, self.arguments))}"
        return f"unknown ({self.reason})"
