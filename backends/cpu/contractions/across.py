"""Kernels whose lanes are neighbouring output elements: rows x vectors of sums in registers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.in_memory import finish_in_memory
from agir.backends.cpu.contractions.forms import SHORT_SUM, Form, bits, terms
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop, Nest
from agir.backends.cpu.contractions.panels import Panel, panel

_ROWS_AT_LEAST = 256  # which share a panel
_SECOND_CACHE = 4 << 20


@dataclass
class Tile:
    """A tile of the output: where it lies, and how it is loaded and stored."""

    code: Code
    form: Form
    place: dict[Loop, Index]
    """The turn of each parallel loop; of the lanes, and of rows, the first one."""
    rows: list[Index]
    """How far after it each row is."""
    width: int
    masks: list[Any]
    """One for each vector; None for all lanes."""
    panels: list[tuple[Access, Access]] = field(default_factory=list)
    """What is read from a copy, and that."""

    def inputs(self, nest: Nest) -> list[Access]:
        """A nest's inputs, or their copies."""
        copies = {id(access): copy for access, copy in self.panels}
        return [copies.get(id(access), access) for access in nest.inputs]

    def start(self, access: Access) -> Index:
        """Where an operand's elements for this tile begin."""
        code = self.code
        steps = (code.multiply(at, access.step(loop)) for loop, at in self.place.items())
        return code.add(access.offset, *steps)

    def row(self, access: Access, row: Index) -> Index:
        """How far further those of a row begin."""
        return self.code.multiply(row, access.step(self.form.rows))

    def varies(self, access: Access) -> tuple[bool, bool]:
        """Whether an operand changes along rows, and along lanes."""
        steps = (access.step(self.form.rows), access.step(self.form.lanes))
        return not _is_zero(steps[0]), not _is_zero(steps[1])

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

    def store(self, values: list[list[Any]], access: Access) -> None:
        """Write the vectors of each row."""
        code, start = self.code, self.start(access)
        for row, vectors in zip(self.rows, values, strict=True):
            at = code.add(start, self.row(access, row))
            for n, (value, mask) in enumerate(zip(vectors, self.masks, strict=True)):
                index = code.add(at, n * max(1, self.width))
                code.store(value, access.base, index, self.width, mask)


def _is_zero(step: Index) -> bool:
    return isinstance(step, int) and step == 0


def write(code: Code, kernel: Kernel, form: Form, masks: bool) -> None:
    """The loops over tiles, and the tiles."""
    others = [p for p in kernel.parallel if p is not form.lanes and p is not form.rows]
    outer = [p for p in others if _moves_panel(kernel, form, p)]
    inner = [p for p in others if p not in outer]
    counts = [terms(nest) for nest in kernel.nests]
    short = not form.panels and all(count is not None and count <= SHORT_SUM for count in counts)
    order: list[Loop | None]
    if short:
        order = [*outer, *inner, form.rows, form.lanes]
    else:
        order = [*outer, form.lanes, *inner, form.rows]
    copies = [panel(code, kernel, form, access) for access in form.panels]
    writer = _Writer(code, kernel, form, masks, copies)
    writer.blocks([each for each in order if each is not None])
    for copy in copies:
        code.op("memref.dealloc", [copy.memory])


def _block(kernel: Kernel, form: Form) -> int | None:
    """How many rows the second cache holds, of the operands that change with them."""
    (nest,) = kernel.nests[:1]
    count = terms(nest)
    if count is None:
        return _ROWS_AT_LEAST // form.tile[0] * form.tile[0]
    size = count * max(bits(access.element) for access in nest.inputs) // 8
    rows = max(_ROWS_AT_LEAST, _SECOND_CACHE // max(1, size))
    return rows // form.tile[0] * form.tile[0]


def _moves_panel(kernel: Kernel, form: Form, loop: Loop) -> bool:
    """Whether what is loaded as vectors, and shared by the rows, changes with a loop."""
    inputs = [access for nest in kernel.nests for access in nest.inputs]
    return any(
        not _is_zero(access.step(loop)) and _is_zero(access.step(form.rows)) for access in inputs
    )


@dataclass
class _Writer:
    code: Code
    kernel: Kernel
    form: Form
    masks: bool
    panels: list[Panel]
    first_row: Index = 0
    last_row: Index = None

    def blocks(self, order: list[Loop]) -> None:
        """All loops; with panels, blocks of rows that the second cache holds around them."""
        rows = self.form.rows
        block = _block(self.kernel, self.form)
        if rows is None or not self.panels or block is None:
            self.loops(order, {})
            return

        def body(index: Index, _: list[Any]) -> list[Any]:
            self.first_row = index
            self.last_row = self.code.minimum(self.code.add(index, block), rows.extent)
            self.loops(order, {})
            return []

        self.code.loop(0, rows.extent, block, [], body)

    def loops(self, order: list[Loop], place: dict[Loop, Any]) -> None:
        """The loops in this order around a tile."""
        if not order:
            self._tile(place)
            return
        loop, *rest = order
        if loop is self.form.lanes:
            self._lane_loops(loop, rest, place)
            return
        start, stop, step = 0, loop.extent, 1
        if loop is self.form.rows:
            start, step = self.first_row, self.form.tile[0]
            stop = loop.extent if self.last_row is None else self.last_row

        def body(index: Index, _: list[Any]) -> list[Any]:
            self.loops(rest, {**place, loop: index})
            return []

        self.code.loop(start, stop, step, [], body)

    def _lane_loops(self, loop: Loop, rest: list[Loop], place: dict[Loop, Any]) -> None:
        """Whole tiles, and then what is left: vectors of which the last one is masked."""
        code, width, vectors = self.code, self.form.width, self.form.tile[1]
        whole = code.round_down(loop.extent, vectors * width)

        def tiles(start: Index, stop: Index, lanes: int, count: int, masked: bool) -> None:
            def body(index: Index, _: list[Any]) -> list[Any]:
                found = [
                    code.first_lanes(code.subtract(stop, code.add(index, n * lanes)), lanes)
                    if masked and n == count - 1
                    else None
                    for n in range(count)
                ]
                part = Tile(code, self.form, {**place, loop: index}, [], lanes, found)
                copies = [(panel.access, panel.fill(part)) for panel in self.panels]
                self.loops(rest, {**place, loop: (index, lanes, found, copies)})
                return []

            code.loop(start, stop, max(1, lanes) * count, [], body)

        tiles(0, whole, width, vectors, masked=False)
        if not self.masks:
            part = code.round_down(loop.extent, width)
            tiles(whole, part, width, 1, masked=False)
            tiles(part, loop.extent, 0, 1, masked=False)
        elif isinstance(loop.extent, int):
            left = -(-(loop.extent - whole) // width)
            tiles(whole, loop.extent, width, max(1, left), masked=True)
        else:
            tiles(whole, loop.extent, width, 1, masked=True)

    def _tile(self, place: dict[Loop, Any]) -> None:
        form, code = self.form, self.code
        place = dict(place)
        index, lanes, masks, copies = place.pop(form.lanes)
        place[form.lanes] = index
        rows: list[Index] = [0]
        if form.rows is not None:
            rows = self._rows(form.rows, place[form.rows])
        tile = Tile(code, form, place, rows, lanes, masks, copies)
        results = {id(nest): _sums(tile, nest) for nest in self.kernel.nests}
        epilogue = self.kernel.epilogue
        if epilogue is None:
            tile.store(results[id(self.kernel.nests[0])], self.kernel.output)
        elif lanes and bodies.fits_vectors(epilogue.body):
            tile.store(_finished(tile, self.kernel, results), self.kernel.output)
        else:
            finish_in_memory(tile, self.kernel, results)

    def _rows(self, loop: Loop, first: Index) -> list[Index]:
        """The rows of a tile; for those beyond the end the last one once more: no harm in that."""
        code, height = self.code, self.form.tile[0]
        rows: list[Index] = list(range(height))
        if loop.known is not None and loop.known % height == 0:
            return rows
        last = code.subtract(code.subtract(loop.extent, 1), first)
        return [0, *(code.minimum(row, last) for row in rows[1:])]


def _sums(tile: Tile, nest: Nest) -> list[list[Any]]:
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

        return code.loop(0, loop.extent, 1, sums, body)

    def step(starts: list[Index], sums: list[Any]) -> list[Any]:
        pairs = zip(inputs, starts, strict=True)
        loaded = [tile.load(access, start) for access, start in pairs]
        return [
            bodies.write(
                code,
                nest.body,
                [*(values[n // width][n % width] for values in loaded), total],
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


def _finished(tile: Tile, kernel: Kernel, results: dict[int, Any]) -> list[list[Any]]:
    """The epilogue, in registers; all of a tile is read before any of it is written."""
    epilogue = kernel.epilogue
    assert epilogue is not None
    inputs = [
        results[id(each)] if isinstance(each, Nest) else tile.load(each, tile.start(each))
        for each in epilogue.inputs
    ]
    old = list(epilogue.body.arguments)[-1]
    del old  # never used: `epilogues.find` looks
    return [
        [
            bodies.write(
                tile.code,
                epilogue.body,
                [*(values[r][v] for values in inputs), None],
                tile.width,
            )
            for v in range(len(tile.masks))
        ]
        for r in range(len(tile.rows))
    ]
