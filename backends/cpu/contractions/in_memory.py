"""Epilogues with elementary functions, which LLVM vectorises when they are loops.

The sums of a tile go to a small array on the stack, which the nearest cache holds; a loop over its
elements computes the results into another one.  All of a tile is read before any of it is written.
The loop becomes a function (`passes/outlining/epilogues.py`): the constants of elementary functions
would take registers from the sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.nests import Kernel, Nest
from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.ir.building import bindings

if TYPE_CHECKING:
    from agir.backends.cpu.contractions.tiles import Tile

APART = "agir.apart"
"""Marks loops whose constants are to stay out of the registers of the loops around."""


def finish_in_memory(tile: Tile, kernel: Kernel, results: dict[int, list[list[Any]]]) -> None:
    """Apply the epilogue to the sums of a tile and write the results."""
    code, epilogue = tile.code, kernel.epilogue
    assert epilogue is not None
    pitch = tile.pitch
    size = pitch * len(tile.rows)
    sums = {}
    for nest in kernel.nests:
        sums[id(nest)] = on_stack(code, size, nest.output.element)
        _put(tile, results[id(nest)], sums[id(nest)], pitch)
    made = on_stack(code, size, kernel.output.element)
    starts = [None if isinstance(each, Nest) else tile.start(each) for each in epilogue.inputs]
    lanes = tile.form.lanes
    count: Index = pitch
    if tile.masks[-1] is not None:
        count = code.minimum(pitch, code.subtract(lanes.size, tile.place[lanes]))

    def rows(number: Index, _: list[Any]) -> list[Any]:
        first = code.multiply(number, pitch)
        row = _row(tile, number)

        def element(lane: Index, _: list[Any]) -> list[Any]:
            at = code.add(first, lane)
            values = []
            for each, start in zip(epilogue.inputs, starts, strict=True):
                if isinstance(each, Nest):
                    values.append(code.load(sums[id(each)], at, 0))
                else:
                    along = code.multiply(lane, each.step(lanes))
                    where = code.add(start, tile.row(each, row), along)
                    values.append(code.load(each.base, where, 0))
            code.store(bodies.write(code, epilogue.operation, [*values, None], 0), made, [at], 0)
            return []

        code.loop(0, count, 1, [], element, APART)
        return []

    code.loop(0, len(tile.rows), 1, [], rows, APART)
    tile.store(_taken(tile, made, pitch), kernel)


def _row(tile: Tile, number: Index) -> Index:
    """How far after the first one a row is, as `Tile.rows` has it."""
    loop, code = tile.form.rows, tile.code
    if loop is None or len(tile.rows) == 1:
        return 0
    if tile.rows[-1] == len(tile.rows) - 1:
        return number
    last = code.subtract(code.subtract(loop.size, 1), tile.place[loop])
    return code.minimum(number, last)


def on_stack(code: Code, size: int, element: Any) -> Any:
    """A small buffer, made once for each call of the function."""
    ir = bindings.ir
    function = code.anchor
    while function.name != "func.func":
        function = function.parent
    kind = ir.MemRefType.get([size], element)
    with ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]):
        attributes = {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
            SCRATCH: ir.UnitAttr.get(),
            "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
        }
        return code.op("memref.alloca", [], [kind], attributes)


def _put(tile: Tile, values: list[list[Any]], buffer: Any, pitch: int) -> None:
    for n, row in enumerate(values):
        for m, value in enumerate(row):
            tile.code.store(value, buffer, [n * pitch + m * max(1, tile.width)], tile.width)


def _taken(tile: Tile, buffer: Any, pitch: int) -> list[list[Any]]:
    width = max(1, tile.width)
    return [
        [tile.code.load(buffer, n * pitch + m * width, tile.width) for m in range(len(tile.masks))]
        for n in range(len(tile.rows))
    ]
