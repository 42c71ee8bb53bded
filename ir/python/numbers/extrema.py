"""``min`` and ``max`` of numbers: the first one than which none after it is better.

Python compares one item after the other with the best so far.  So NaN stays if it is the first and is
passed over if it is not, other than in ``np.minimum``; and of zeros the first one stays.
"""

from __future__ import annotations

import math
from typing import Any

from agir.autograph import operators
from agir.ir import recording
from agir.ir.building.types import promote
from agir.ir.emission.truth import as_bool
from agir.ir.ops.core.recorded import type_of
from agir.ir.tensors import dispatch
from agir.ir.values.alternatives.mixed_numbers import classes_of
from agir.records import dataclass


@dataclass(frozen=True)
class Extremum:
    """One of the two functions, by the names of operations."""

    of_two: str
    of_all: str
    order: str
    """What compares an item that is better with the best one so far."""
    worst: float

    def choose(self, best: Any, item: Any) -> Any:
        """The item if it is better, else the best one so far."""
        kinds = type_of(best), type_of(item)
        trace = recording.current()
        arrays = any(kind.shape for kind in kinds)
        compared = arrays or _differ(best, item)
        if compared and trace is not None and trace.convention.arrays_are_mutable:
            better = as_bool(trace, dispatch.call(self.order, item, best))
            return operators.if_exp(better, lambda: item, lambda: best)
        if promote(*kinds)[0].kind != "f" or arrays:
            return dispatch.call(self.of_two, best, item)
        return dispatch.call("where", dispatch.call(self.order, item, best), item, best)

    def reduce(self, items: Any, *axis: int) -> Any:
        """The best of the items of an array; of rows, the best along the axis."""
        if items.dtype.kind != "f" or len(items.dims) != 1:
            return dispatch.call(self.of_all, items, *axis)
        numbers = dispatch.call("where", dispatch.call("isnan", items), self.worst, items)
        best, first = dispatch.call(self.of_all, numbers), items[0]
        return dispatch.call("where", dispatch.call("isnan", first), first, best)


def _differ(best: Any, item: Any) -> bool:
    """Whether these are numbers of more classes than one."""
    classes = classes_of(best), classes_of(item)
    return all(classes) and len({*classes[0], *classes[1]}) > 1


MAX = Extremum("maximum", "max", "greater", -math.inf)
MIN = Extremum("minimum", "min", "less", math.inf)
