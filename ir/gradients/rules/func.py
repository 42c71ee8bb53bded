"""Derivatives of calls."""

from __future__ import annotations

from typing import Any

from agir.ir.gradients.sweep import RULES, Sweep, refuse


def _call(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    callee = operation.attributes["callee"].value
    if callee in {each.name for each in sweep.trace.callbacks.values()}:
        raise refuse(operation, "it is Python code, which agir cannot see into; use agir's operations")
    raise refuse(operation, "a function that calls itself cannot be differentiated in reverse yet")


RULES["func.call"] = _call
