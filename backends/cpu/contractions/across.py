"""Kernels whose lanes are neighbouring output elements: rows x vectors of sums in registers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import (
    NEAR,
    SHORT_SUM,
    Form,
    bits,
    in_registers,
    is_zero,
    terms,
)
from agir.backends.cpu.contractions.in_memory import finish_in_memory
from agir.backends.cpu.contractions.nests import Kernel, Loop, Nest
from agir.backends.cpu.contractions.panels import Panel, panel
from agir.backends.cpu.contractions.tiles import Tile, finished, sums
from agir.records import dataclass

_ROWS_AT_LEAST = 256  # which share a panel
_ROWS = 128  # where it is not known how long they are
_Inside = Callable[[dict[Loop, Any]], None]
_SHARES = 8
"""Blocks of rows that threads can be given; or as many tiles side by side."""
_SECOND_CACHE = 4 << 20


def write(code: Code, kernel: Kernel, form: Form, masks: bool) -> None:
    """The loops over tiles, and the tiles."""
    others = [p for p in kernel.parallel if p is not form.lanes and p is not form.rows]
    outer = [p for p in others if _moves_panel(kernel, form, p)]
    inner = [p for p in others if p not in outer]
    order: list[Loop | None]
    if _rows_first(kernel, form):
        order = [*inner, form.rows, form.lanes]
    else:
        order = [form.lanes, *inner, form.rows]
    writer = _Writer(code, kernel, form, masks)
    writer.all(outer, [each for each in order if each is not None])


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
    return None not in shared and sum(filter(None, shared)) <= NEAR


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


def _divides_rows(form: Form) -> bool:
    """Whether threads are given rows, because there are not lanes enough."""
    return form.lanes.known is not None and (form.lanes.known < _SHARES * form.tile[1] * form.width)


def _block(kernel: Kernel, form: Form) -> int:
    """How many rows share what is read of the other operand.

    The second cache holds what changes with them.
    """
    height = form.tile[0]
    count = terms(kernel.nests[0])
    if form.rows is None or form.rows.known is None or count is None:
        return _ROWS // height * height
    size = count * max(bits(access.element) for access in kernel.nests[0].inputs) // 8
    most = max(_ROWS_AT_LEAST, _SECOND_CACHE // max(1, size)) // height
    tiles = -(-form.rows.known // height)
    if not _divides_rows(form):
        return min(most, tiles) * height
    fair = -(-tiles // _SHARES)
    if -(-tiles // fair) < _SHARES:
        fair = max(1, tiles // _SHARES)
    return min(most, fair) * height


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
    count_of_rows: Index = None
    panels: list[Panel] = field(default_factory=list)
    """Those of all lanes."""

    def all(self, outer: list[Loop], order: list[Loop]) -> None:
        """All loops; panels that all lanes have are made inside of the outer ones."""
        if not self.form.panels or not _divides_rows(self.form):
            self._blocks([*outer, *order])
            return

        def inside(place: dict[Loop, Any]) -> None:
            code, lanes, width = self.code, self.form.lanes, self.form.width
            length = code.round_down(code.add(lanes.size, width - 1), width)
            self.panels = self._panels(length, True)
            for each in self.panels:
                self._lane_loops(lanes, place, each.fill)
            self._blocks(order, place)
            self._free(self.panels)

        self._loops(outer, {}, inside)

    def _blocks(self, order: list[Loop], place: dict[Loop, Any] | None = None) -> None:
        """The loops; where lanes are before rows, blocks of rows are around them."""
        place = place or {}
        rows = self.form.rows
        if rows is None or order[-1] is not rows:
            self._loops(order, place, self._tile)
            return
        block = _block(self.kernel, self.form)

        def body(index: Index, _: list[Any]) -> list[Any]:
            left = self.code.subtract(rows.size, index)
            is_even = rows.known is not None and rows.known % block == 0
            self.first_row = index
            self.count_of_rows = block if is_even else self.code.minimum(left, block)
            self._loops(order, place, self._tile)
            return []

        self.code.loop(0, rows.size, block, [], body)

    def _loops(self, order: list[Loop], place: dict[Loop, Any], inside: _Inside) -> None:
        """The loops in this order around something, which gets the iteration of each."""
        if not order:
            inside(place)
            return
        loop, *rest = order
        if loop is self.form.lanes:
            self._lane_loops(loop, place, lambda tile: self._with_panels(tile, rest, inside))
            return
        start, stop, step = 0, loop.size, 1
        if loop is self.form.rows:
            start, step = self.first_row, self.form.tile[0]
            stop = stop if self.count_of_rows is None else self.count_of_rows

        def body(index: Index, _: list[Any]) -> list[Any]:
            self._loops(rest, {**place, loop: self.code.add(start, index)}, inside)
            return []

        self.code.loop(0, stop, step, [], body)

    def _with_panels(self, tile: Tile, rest: list[Loop], inside: _Inside) -> None:
        """What is inside of the loop over lanes, for one tile of them."""
        # each iteration has panels of its own: then iterations are independent
        own = [] if self.panels else self._panels(tile.pitch, False)
        for each in own:
            each.fill(tile)
        copies = [(each.access, each.read(tile)) for each in self.panels or own]
        lanes = (tile.place[self.form.lanes], tile.width, tile.masks, copies)
        self._loops(rest, {**tile.place, self.form.lanes: lanes}, inside)
        self._free(own)

    def _panels(self, length: Index, whole: bool) -> list[Panel]:
        code, form = self.code, self.form
        return [panel(code, form, self.kernel, each, length, whole) for each in form.panels]

    def _free(self, panels: list[Panel]) -> None:
        for each in panels:
            self.code.op("memref.dealloc", [each.memory])

    def _lane_loops(
        self, loop: Loop, place: dict[Loop, Any], inside: Callable[[Tile], None]
    ) -> None:
        """Whole tiles, and then what is left: vectors of which the last one is masked."""
        code, width, vectors = self.code, self.form.width, self.form.tile[1]
        whole = code.round_down(loop.size, vectors * width)

        def tiles(start: Index, stop: Index, lanes: int, count: int, masked: bool) -> None:
            def body(index: Index, _: list[Any]) -> list[Any]:
                found = [
                    code.first_lanes(code.subtract(stop, code.add(index, n * lanes)), lanes)
                    if masked and n == count - 1
                    else None
                    for n in range(count)
                ]
                inside(Tile(code, self.form, {**place, loop: index}, [], lanes, found))
                return []

            code.loop(start, stop, max(1, lanes) * count, [], body)

        tiles(0, whole, width, vectors, masked=False)
        if not self.masks:
            part = code.round_down(loop.size, width)
            tiles(whole, part, width, 1, masked=False)
            tiles(part, loop.size, 0, 1, masked=False)
        elif isinstance(loop.size, int):
            left = -(-(loop.size - whole) // width)
            tiles(whole, loop.size, width, max(1, left), masked=True)
        else:
            tiles(whole, loop.size, width, 1, masked=True)

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
        last = code.subtract(code.subtract(loop.size, 1), first)
        return [0, *(code.minimum(row, last) for row in rows[1:])]
