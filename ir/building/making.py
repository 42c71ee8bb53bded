"""MLIR of a recorded program, and the program of an MLIR module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.errors import InternalError
from agir.ir.building import bindings, locations
from agir.ir.building.program import PURE, Block, Operation, Value


def module(operations: Iterable[Operation], text: str = "") -> Any:
    """A verified module of these functions and declarations, and of a function as text."""
    ir = bindings.ir
    made = ir.Module.create(loc=ir.Location.unknown())
    point, values = ir.InsertionPoint(made.body), _Values()
    for operation in operations:
        values.make(operation, point)
    if text:
        made.body.append(ir.Operation.parse(text))
    made.operation.verify()
    return made


class _Values(dict[Value, Any]):
    """MLIR's values by those that they are made of, as far as they are defined where making stands.

    What was taken back is forgotten by the program, not by Python objects that keep a value, such as
    the length of a range.  Where one of those is used again, what it was computed by is made again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._create = bindings.ir.Operation.create
        self._point: Any = None
        self._again: list[Value] = []
        """What was made again in the present block."""

    def make(self, operation: Operation, point: Any) -> None:
        """Append an operation of MLIR, with what is in it."""
        self._point = point
        results, blocks = operation.results, operation.blocks
        made = self._create(
            operation.name,
            results=[result.type for result in results],
            operands=[self[value] for value in operation.operands],
            attributes=operation.attributes,
            regions=1 if operation.name == "func.func" else len(blocks),
            loc=operation.location,
            ip=point,
        )
        if len(results) == 1:
            self[results[0]] = made.result
        elif results:
            self.update(zip(results, made.results, strict=True))
        if blocks:
            for block, region in zip(blocks, made.regions, strict=True):
                self._fill(block, region)

    def _fill(self, block: Block, region: Any) -> None:
        types = [each.type for each in block.arguments]
        made = region.blocks.append(*types, arg_locs=block.locations)
        self.update(zip(block.arguments, made.arguments, strict=True))
        around, self._again = (self._point, self._again), []
        point, operations = bindings.ir.InsertionPoint(made), block.operations
        for operation in operations:
            self.make(operation, point)
        if block.owner is not None and block.owner.name == "func.func":
            # what it defines is nothing to the next function
            self.clear()
        else:
            for value in block.arguments + self._again:
                del self[value]
            for operation in operations:
                for value in operation.results:
                    del self[value]
        self._point, self._again = around

    def __missing__(self, value: Value) -> Any:
        maker = value.maker
        if maker is None or not maker.name.startswith(PURE):
            raise InternalError(_lost(value))
        self.make(maker, self._point)
        self._again += maker.results
        return self[value]


def _lost(value: Value) -> str:
    what = "a loop or a function" if value.maker is None else value.maker.name
    place = locations.with_source(value.location)
    return (
        f"agir has made a mistake: a value of {what} is used where it is not defined; the program is "
        f"not to blame. Please report it{place}"
    )


def program(operations: Iterable[Any]) -> list[Operation]:
    """The program of MLIR's operations, none of which uses a value of outside."""
    values: dict[Any, Value] = {}
    return [_read(view.operation, values) for view in operations]


def _read(operation: Any, values: dict[Any, Value]) -> Operation:
    blocks = [_block(operation, region, values) for region in operation.regions]
    made = Operation(
        operation.name,
        [result.type for result in operation.results],
        [values[value] for value in operation.operands],
        {each: operation.attributes[each] for each in operation.attributes},
        [block for block in blocks if block is not None],
        operation.location,
    )
    values.update(zip(operation.results, made.results, strict=True))
    return made


def _block(operation: Any, region: Any, values: dict[Any, Value]) -> Block | None:
    """The block of a region: of a declaration none, of an `else` that is not there an empty one."""
    if not len(region.blocks):
        if operation.name != "scf.if":
            return None
        empty = Block()
        empty.append(Operation("scf.yield", (), (), None, (), operation.location))
        return empty
    (block,) = region.blocks
    made = Block(
        [each.type for each in block.arguments], [each.location for each in block.arguments]
    )
    values.update(zip(block.arguments, made.arguments, strict=True))
    for view in block.operations:
        made.append(_read(view.operation, values))
    return made
