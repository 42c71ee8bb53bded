"""A function of the module while it is made: what its calls and what makes it a function of it see."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from agir.ir.arguments import Arguments
from agir.ir.building.cells import Cell, FunctionScope
from agir.ir.control_flow.carried_places import CarriedPlaces
from agir.ir.control_flow.fixpoint import coded
from agir.ir.functions import signature
from agir.ir.functions.returned import Returned
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, JoinError


class Callee:
    """One function, on arguments of these types; first what is assumed of it, then what holds."""

    def __init__(self, trace: Trace, function: FunctionType, arguments: Arguments) -> None:
        self.trace = trace
        self.function = function
        self.name = function.__name__
        self.symbol = trace.functions.temporary_symbol()
        self.outer = trace.scope
        self.scope: FunctionScope
        self._first = arguments
        self.parameters = arguments.names
        self.arguments = [
            signature.abstract_argument(trace, value, self.outer) for value in arguments.values
        ]
        self.has_widened = False
        self.result = Returned(trace, self.outer)
        self.returns = True
        """False where every path ends in an error."""
        self.places = CarriedPlaces(trace, self.outer, self.name)
        self.cells: dict[Cell, None] = {}
        self._seen: set[Cell] = set()
        self.written: set[int] = set()
        """Which of the arrays among the arguments it writes into."""
        self.explains = False
        """Whether a check in it has operands, which it has to hand back."""
        self.waits = False
        """Whether a call in the present recording would have needed the result's type."""
        self.group: list[Callee] = []
        """The functions that were outlined while this one was recorded."""
        self.captured: list[Any] = []
        """The SSA values of the caller's that are passed besides."""
        self.destinations: dict[int, int] = {}
        """Which results are the new contents of which arguments."""
        self.depth: Any = None
        self._leaves: list[SymbolicTensor] = []

    # What it can be called with.

    def widened(self, values: Sequence[Any]) -> list[AbstractValue]:
        """The argument types with those of a call; ``JoinError`` where they have nothing in common."""
        trace = self.trace
        return [
            coded(
                trace,
                signature.join(
                    trace,
                    name,
                    abstract,
                    signature.abstract_argument(trace, value, self.outer),
                    self.outer,
                ),
            )
            for name, abstract, value in zip(self.parameters, self.arguments, values, strict=True)
        ]

    def accepts(self, values: Sequence[Any]) -> bool:
        """True where a call with these values asks for no other types."""
        try:
            return self.widened(values) == self.arguments
        except JoinError:
            return False

    def sees(self, cell: Cell) -> bool:
        """True where it reads or writes the array by itself, without being passed it."""
        return cell in self._seen or cell in self.scope.entered

    @property
    def record_cells(self) -> tuple[Cell, ...]:
        """The cells of the error record that it hands back: the operands only if it has some."""
        cells = self.trace.error_record().cells
        return cells if self.explains else cells[:1]
