"""One tile of a kernel: rows x vectors, loaded, summed, finished and stored."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import Form, is_zero
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop, Nest
from agir.records import dataclass


@dataclass
class Tile:
    """A tile of the output: where it lies, and how it is loaded and stored."""

    code: Code
    form: Form
    place: dict[Loop, Index]
    """The iteration of each parallel loop; of the lanes, and of rows, the first one."""
    rows: list[Index]
    """How far after it each row is."""
    width: int
    masks: list[Any]
    """One for each vector; None for all lanes."""
    panels: list[tuple[Access, Access]] = field(default_factory=list)
    """What is read from a copy, and that."""

    @property
    def pitch(self) -> int:
        """How many lanes a row has, those included that are masked."""
        return max(1, self.width) * len(self.masks)

    def inputs(self, nest: Nest) -> list[Access]:
        """A nest's inputs, or their copies."""
        copies = {id(access): copy for access, copy in self.panels}
        return [copies.get(id(access), access) for access in nest.inputs]

    def start(self, access: Access) -> Index:
        """Where an operand's elements for this tile begin."""
        return access.at(self.code, self.place)

    def row(self, access: Access, row: Index) -> Index:
        """How far further those of a row begin."""
        return self.code.multiply(row, access.step(self.form.rows))

    def varies(self, access: Access) -> tuple[bool, bool]:
        """Whether an operand changes along rows, and along lanes."""
        steps = (access.step(self.form.rows), access.step(self.form.lanes))
        return not is_zero(steps[0]), not is_zero(steps[1])

    def load(self, access: Access, start: Index) -> list[list[Any]]:
        """The vectors of each row, each loaded once."""
        code = self.code
        by_row, by_lane = self.varies(access)
        rows = []
        for row in self.rows if by_row else self.rows[:1]:
            at = code.add(start, self.row(access, row))
            if by_lane:
                vectors = [
                    code.load(access.base, code.add(at, n * max(1, self.width)), self.width, mask)
                    for n, mask in enumerate(self.masks)
                ]
            else:
                number = code.broadcast(code.load(access.base, at, 0), self.width)
                vectors = [number] * len(self.masks)
            rows.append(vectors)
        return rows if by_row else rows * len(self.rows)

    def store(self, values: list[list[Any]], kernel: Kernel) -> None:
        """Write the results of each row."""
        code, form = self.code, self.form
        for row, vectors in zip(self.rows, values, strict=True):
            for n, (value, mask) in enumerate(zip(vectors, self.masks, strict=True)):
                place = dict(self.place)
                place[form.lanes] = code.add(place[form.lanes], n * max(1, self.width))
                if form.rows is not None:
                    place[form.rows] = code.add(place[form.rows], row)
                buffer, subscripts = kernel.result(code, place, form.lanes)
                code.store(value, buffer, subscripts, self.width, mask)


def sums(tile: Tile, nest: Nest) -> list[list[Any]]:
    """The sums of a tile, in registers."""
    code, inputs = tile.code, tile.inputs(nest)
    if nest.start is None:
        begin = tile.load(nest.output, tile.start(nest.output))
    else:
        zero = code.broadcast(nest.start, tile.width)
        begin = [[zero] * len(tile.masks) for _ in tile.rows]
    width = len(tile.masks)

    def level(loops: list[Loop], starts: list[Index], sums: list[Any]) -> list[Any]:
        if not loops:
            return step(starts, sums)
        loop, *rest = loops

        def body(index: Index, carried: list[Any]) -> list[Any]:
            moved = [
                code.add(start, code.multiply(index, access.step(loop)))
                for start, access in zip(starts, inputs, strict=True)
            ]
            return level(rest, moved, carried)

        return code.loop(0, loop.size, 1, sums, body)

    def step(starts: list[Index], sums: list[Any]) -> list[Any]:
        pairs = zip(inputs, starts, strict=True)
        loaded = [tile.load(access, start) for access, start in pairs]
        return [
            bodies.write(
                code,
                nest.operation,
                nest.arguments([values[n // width][n % width] for values in loaded], total),
                tile.width,
                contract=True,
            )
            for n, total in enumerate(sums)
        ]

    flat = level(
        nest.reductions,
        [tile.start(access) for access in inputs],
        [each for row in begin for each in row],
    )
    return [flat[n : n + width] for n in range(0, len(flat), width)]


def finished(tile: Tile, kernel: Kernel, results: dict[int, Any]) -> list[list[Any]]:
    """The epilogue, in registers; all of a tile is read before any of it is written."""
    epilogue = kernel.epilogue
    assert epilogue is not None
    inputs = [
        results[id(each)] if isinstance(each, Nest) else tile.load(each, tile.start(each))
        for each in epilogue.inputs
    ]
    return [
        [
            bodies.write(
                tile.code,
                epilogue.operation,
                [*(values[r][v] for values in inputs), None],
                tile.width,
            )
            for v in range(len(tile.masks))
        ]
        for r in range(len(tile.rows))
    ]
