"""From recorded blocks to functions of the module: what they use from outside becomes arguments.

This is lambda lifting: a function also needs what the functions that it calls need, unless it makes
that itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType
from typing import Any

from agir.ir.building import bindings, locations
from agir.ir.building.attributes import destination_attributes, i64
from agir.ir.building.locations import Position
from agir.ir.building.program import Block, Operation, Value
from agir.ir.functions.callee import Callee
from agir.ir.functions.depth import DEPTH_LIMIT, depth_limit
from agir.ir.tracing.trace import Trace

_CONSTANTS = ("arith.constant", "complex.constant")


def lift(trace: Trace, group: Sequence[Callee]) -> None:
    """Close functions that call each other, the first of them from outside.

    What is passed to the first besides its arguments is left in its ``captured``.
    """
    bodies = {function.symbol: _Body(function) for function in group}
    _complete(bodies)
    for body in bodies.values():
        body.take_arguments()
    for body in bodies.values():
        body.pass_on(bodies)
    first = group[0]
    first.captured = list(bodies[first.symbol].free)
    trace.functions.add(first, [(b.function.name, b.finish()) for b in bodies.values()])


def _complete(bodies: dict[str, _Body]) -> None:
    """Let each function need what those that it calls need."""
    changed = True
    while changed:
        changed = False
        for body in bodies.values():
            for call in body.calls(bodies):
                for value in bodies[_callee(call)].free:
                    if value not in body.free and not body.makes(value):
                        body.free[value] = value
                        changed = True


def _callee(call: Any) -> str:
    name: str = call.attributes["callee"].value
    return name


class _Body:
    """One recorded function while it is cut off from the regions around it."""

    def __init__(self, function: Callee) -> None:
        self.function = function
        self.block = function.scope.block
        self.operations = list(self.block.walk())
        self.blocks = set(self.block.blocks())
        self.free: dict[Any, Any] = {}
        """What is used from outside, and from :meth:`take_arguments` on what stands for it."""
        self.constants: dict[Any, Any] = {}
        for operation in self.operations:
            for value in operation.operands:
                if not self.makes(value):
                    (self.constants if _is_constant(value) else self.free)[value] = value

    def makes(self, value: Any) -> bool:
        """True where the value is defined in this function."""
        return value.block in self.blocks

    def calls(self, bodies: dict[str, _Body]) -> list[Any]:
        """The calls of functions of the group."""
        return [
            operation
            for operation in self.operations
            if operation.name == "func.call" and _callee(operation) in bodies
        ]

    def take_arguments(self) -> None:
        """Make an argument of everything free, and a copy of every constant."""
        for value in self.constants:
            self.constants[value] = self.block.repeat(value)
        for value in self.free:
            self.free[value] = self.block.add_argument(value.type, value.location)
        self.block.replace({**self.constants, **self.free})

    def pass_on(self, bodies: dict[str, _Body]) -> None:
        """Call the others with what they need besides their arguments."""
        for call in self.calls(bodies):
            needed = bodies[_callee(call)].free
            call.operands += [self.free.get(value, value) for value in needed]

    def finish(self) -> Operation:
        """The function, not yet in a module."""
        function = self.function
        made = function_of(self.block, function.function.__code__, function.symbol)
        kind = made.attributes["function_type"].value
        made.attributes[DEPTH_LIMIT] = i64(depth_limit())
        made.attributes.update(destination_attributes(kind, function.destinations))
        return made


def function_of(block: Block, code: CodeType, symbol: str) -> Operation:
    """A private function with a recorded block as its body."""
    ir = bindings.ir
    kind = ir.FunctionType.get(
        [argument.type for argument in block.arguments],
        [value.type for value in block.terminator.operands],
    )
    place = Position(code.co_filename, code.co_firstlineno, 1, code.co_name)
    said = {
        "sym_name": ir.StringAttr.get(symbol),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(kind),
    }
    return Operation("func.func", (), (), said, [block], locations.location_of([place]))


def _is_constant(value: Value) -> bool:
    return value.maker is not None and value.maker.name in _CONSTANTS
