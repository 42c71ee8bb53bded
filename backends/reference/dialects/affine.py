"""Rules of the `affine` dialect: formulas of indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.backends.reference.core.operation import Operation, Rule


def _formula(attribute: str, chosen: Callable[[Any], Any]) -> Rule:
    """One of the results of a map."""

    def rule(operation: Operation) -> Callable[..., Any]:
        results = operation.attribute(attribute).results
        return lambda *operands: np.int64(
            chosen(int(each.evaluate(list(map(int, operands)))) for each in results)
        )

    return rule


OPERATIONS: dict[str, Rule] = {
    "affine.apply": _formula("map", next),
    "affine.min": _formula("map", min),
    "affine.max": _formula("map", max),
}
