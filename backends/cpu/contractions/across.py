"""Kernels whose lanes are neighbouring output elements: rows x vectors of sums in registers."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import SHORT_SUM, Form, bits, in_registers, is_zero, terms
from agir.backends.cpu.contractions.in_memory import finish_in_memory
from agir.backends.cpu.contractions.nests import Kernel, Loop, Nest
from agir.backends.cpu.contractions.panels import panel
from agir.backends.cpu.contractions.tiles import Tile, finished, sums
from agir.records import dataclass

_ROWS_AT_LEAST = 256  # which share a panel
_ROWS = 128  # where it is not known how long they are
_SHARES = 8
"""Blocks of rows that threads can be given; or as many tiles side by side."""
_ROWS_IN_SHARE = 32
_SECOND_CACHE = 4 << 20
_NEAR = 1 << 19
"""So many bytes stay in the second cache, whatever else is read."""


def write(code: Code, kernel: Kernel, form: Form, masks: bool) -> None:
    """The loops over tiles, and the tiles."""
    others = [p for p in kernel.parallel if p is not form.lanes and p is not form.rows]
    outer = [p for p in others if _moves_panel(kernel, form, p)]
    inner = [p for p in others if p not in outer]
    order: list[Loop | None]
    if _rows_first(kernel, form):
        order = [*outer, *inner, form.rows, form.lanes]
    else:
        order = [*outer, form.lanes, *inner, form.rows]
    writer = _Writer(code, kernel, form, masks)
    writer.blocks([each for each in order if each is not None])


def _rows_first(kernel: Kernel, form: Form) -> bool:
    """Whether the output is written in its order: threads have rows of it, then, of all lanes.

    Sums are short, so that writing matters more than reading, or what all rows read stays in the
    second cache.
    """
    if form.panels:
        return False
    counts = [terms(nest) for nest in kernel.nests]
    if all(count is not None and count <= SHORT_SUM for count in counts):
        return True
    shared = [_bytes_of_lanes(nest, form) for nest in kernel.nests]
    return None not in shared and sum(filter(None, shared)) <= _NEAR


def _bytes_of_lanes(nest: Nest, form: Form) -> int | None:
    """How much is loaded as vectors that all rows share, in all."""
    count, length = terms(nest), form.lanes.known
    if count is None or length is None:
        return None
    return sum(
        count * length * bits(access.element) // 8
        for access in nest.inputs
        if is_zero(access.step(form.rows)) and not is_zero(access.step(form.lanes))
    )


def _block(kernel: Kernel, form: Form) -> int:
    """How many rows share what is read, or copied, of the other operand.

    The second cache holds what changes with them.  Threads are given blocks, where there are not lanes
    enough to divide.
    """
    height = form.tile[0]
    count = terms(kernel.nests[0])
    if form.rows is None or form.rows.known is None or count is None:
        return _ROWS // height * height
    size = count * max(bits(access.element) for access in kernel.nests[0].inputs) // 8
    most = max(_ROWS_AT_LEAST, _SECOND_CACHE // max(1, size)) // height
    tiles = -(-form.rows.known // height)
    needed = -(-tiles // most)
    if form.lanes.known is None or form.lanes.known >= _SHARES * form.tile[1] * form.width:
        return most * height if needed > 1 else tiles * height
    least = _ROWS_IN_SHARE // height
    blocks = max(needed, min(_SHARES, tiles // least), 1)
    fair = [-(-tiles // n) for n in range(blocks, 2 * blocks, 2)]
    return min(fair, key=lambda n: -tiles % n) * height


def _moves_panel(kernel: Kernel, form: Form, loop: Loop) -> bool:
    """Whether what is loaded as vectors, and shared by the rows, changes with a loop."""
    inputs = [access for nest in kernel.nests for access in nest.inputs]
    return any(
        not is_zero(access.step(loop)) and is_zero(access.step(form.rows)) for access in inputs
    )


@dataclass
class _Writer:
    code: Code
    kernel: Kernel
    form: Form
    masks: bool
    first_row: Index = 0
    last_row: Index = None

    def blocks(self, order: list[Loop]) -> None:
        """All loops; where lanes are before rows, blocks of rows are around them."""
        rows = self.form.rows
        if rows is None or order[-1] is not rows:
            self.loops(order, {})
            return
        block = _block(self.kernel, self.form)

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
                # each turn has panels of its own: then turns are independent
                panels = [panel(part, self.kernel, access) for access in self.form.panels]
                copies = [(each.access, each.fill(part)) for each in panels]
                self.loops(rest, {**place, loop: (index, lanes, found, copies)})
                for each in panels:
                    code.op("memref.dealloc", [each.memory])
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
        results = {id(nest): sums(tile, nest) for nest in self.kernel.nests}
        epilogue = self.kernel.epilogue
        if epilogue is None:
            tile.store(results[id(self.kernel.nests[0])], self.kernel)
        elif lanes and in_registers(self.kernel, form):
            tile.store(finished(tile, self.kernel, results), self.kernel)
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
