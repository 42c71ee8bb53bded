"""Variables that a function creates while it is traced.

That is allowed on the first call of a function only, which is traced twice: once to see which
variables it creates and what computes their initial values, and once more, when they are there.
"""

from __future__ import annotations

from typing import Any

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir.state.assignment import Assignable
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.records import dataclass


@dataclass(frozen=True)
class Created:
    """A variable that a trace has created, and the tensor that it begins with, if computed."""

    variable: Any
    initial: SymbolicTensor | None = None


def check(current: Trace) -> None:
    """Raise where no variable may be created."""
    if current.creation is None:
        raise ValueError(
            current.explain(
                f"{current.name} creates a Variable here, in a call that is not its first, or again "
                "each time that it runs: create it outside of the function, or keep it where the "
                "first call finds nothing yet (`if self.v is None: self.v = ag.Variable(...)`)"
            )
        )
    if current.rolling:
        raise OperatorNotAllowedInGraphError(current.explain("a Variable is created in a loop"))
    if current.scope is not current.root:
        raise ValueError(
            current.explain(
                f"{current.name} creates a Variable here, in a branch or loop that depends on "
                "run-time values: create it before"
            )
        )


def made(current: Trace, variable: Assignable) -> None:
    """Note a variable whose initial value is known."""
    assert current.creation is not None
    current.creation.append(Created(variable))


def computed(current: Trace, variable: Assignable, value: SymbolicTensor) -> None:
    """Note a variable whose initial value the first call computes."""
    assert current.creation is not None
    initial = current.make(value.ssa, value.dtype, value.dims)
    current.creation.append(Created(variable, initial))
