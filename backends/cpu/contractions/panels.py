"""Copies of what the rows of a tile share, in the order in which they read it.

A panel has the vectors of one term of the sums after those of the one before.  It is made once for all
rows of a block, where the vectors themselves lie too far apart for the cache, or their elements not
side by side; where blocks are many and lanes few, once for all blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import ALIASED, FAR, MANY, PAGE, Form, bits
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop
from agir.ir.building import bindings
from agir.records import dataclass

if TYPE_CHECKING:
    from agir.backends.cpu.contractions.tiles import Tile


@dataclass
class Panel:
    """The copy of one operand: its memory, and when it is made (None: always).

    With `whole` it has the elements for all lanes, one tile's after the other's.
    """

    access: Access
    loop: Loop
    memory: Any
    condition: Any
    whole: bool

    def fill(self, tile: Tile) -> None:
        """Copy the elements for a tile's lanes."""
        code, access = tile.code, self.access
        write = _fill_vectors if access.step(tile.form.lanes) == 1 else _fill_elements
        start, to = tile.start(access), self._begin(tile)
        code.when(self.condition, lambda: write(tile, self, start, to))

    def read(self, tile: Tile) -> Access:
        """What is read in the operand's stead."""
        code, access, lanes = tile.code, self.access, tile.form.lanes
        pitch = tile.pitch
        back = code.subtract(self._begin(tile), tile.place[lanes])
        if self.condition is None:
            return Access(self.memory, back, {self.loop: pitch, lanes: 1}, access.buffer)
        steps = {**access.steps, self.loop: self._or(code, pitch, access.step(self.loop))}
        outer = code.subtract(tile.start(access), tile.place[lanes])  # with what `steps` now lacks
        kept = {loop: step for loop, step in steps.items() if loop in (self.loop, lanes)}
        base = code.choose(self.condition, self.memory, access.base)
        return Access(base, self._or(code, back, outer), kept, access.buffer)

    def _begin(self, tile: Tile) -> Index:
        """Where a tile's part of the memory begins."""
        if not self.whole:
            return 0
        return tile.code.multiply(tile.place[tile.form.lanes], self.loop.size)

    def _or(self, code: Code, copied: Index, own: Index) -> Index:
        return code.choose(self.condition, copied, own)


def panel(
    code: Code, form: Form, kernel: Kernel, access: Access, length: Index, whole: bool
) -> Panel:
    """The memory for all terms of the sums of so many lanes, if that is to be copied."""
    (loop,) = kernel.nests[0].reductions
    condition = _condition(code, form, access, loop) if form.maybe else None
    size = code.multiply(loop.size, length)
    if condition is not None:
        size = code.choose(condition, size, 0)
    memory = _allocated(code, size, access.element)
    return Panel(access, loop, memory, condition, whole)


def _allocated(code: Code, size: Index, element: Any) -> Any:
    ir = bindings.ir
    static = isinstance(size, int)
    unknown = ir.ShapedType.get_dynamic_size()
    kind = ir.MemRefType.get([size if static else unknown], element)
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0 if static else 1, 0]),
        "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
    }
    return code.op("memref.alloc", [] if static else [size], [kind], attributes)


def _condition(code: Code, form: Form, access: Access, loop: Loop) -> Any:
    """What `forms.is_far_apart` asks, of the run time; and whether there are rows enough."""
    assert form.rows is not None
    size = bits(access.element) // 8
    far = code.compare(code.multiply(loop.size, size), "sgt", FAR)
    rest = code.op(
        "arith.remui",
        [code.value(code.multiply(access.step(loop), size)), code.value(PAGE)],
        [code.index_type],
    )
    aliased = code.both(code.compare(rest, "eq", 0), code.compare(loop.size, "sgt", ALIASED))
    many = code.compare(form.rows.size, "sgt", MANY)
    return code.both(many, code.either(far, aliased))


def _fill_vectors(tile: Tile, panel: Panel, start: Index, to: Index) -> None:
    code, access, loop = tile.code, panel.access, panel.loop

    def body(term: Index, _: list[Any]) -> list[Any]:
        at = code.add(start, code.multiply(term, access.step(loop)))
        place = code.add(to, code.multiply(term, tile.pitch))
        for n, mask in enumerate(tile.masks):
            vector = code.load(access.base, code.add(at, n * tile.width), tile.width, mask)
            code.store(vector, panel.memory, [code.add(place, n * tile.width)], tile.width)
        return []

    code.loop(0, loop.size, 1, [], body)


def _fill_elements(tile: Tile, panel: Panel, start: Index, to: Index) -> None:
    """Element by element; lanes beyond the end stay what they are, for nobody stores their sums."""
    code, access, loop = tile.code, panel.access, panel.loop
    whole: Index = 0
    if access.step(loop) == 1 and tile.width > 1 and tile.masks[-1] is None:
        whole = code.round_down(loop.size, tile.width)
        _fill_transposed(tile, panel, whole, start, to)

    def column(lane: Index, _: list[Any]) -> list[Any]:
        first = code.add(start, code.multiply(lane, access.step(tile.form.lanes)))

        def body(term: Index, _: list[Any]) -> list[Any]:
            place = code.add(first, code.multiply(term, access.step(loop)))
            value = code.load(access.base, place, 0)
            into = code.add(to, code.multiply(term, tile.pitch), lane)
            code.store(value, panel.memory, [into], 0)
            return []

        code.loop(whole, loop.size, 1, [], body)
        return []

    code.loop(0, _count(tile), 1, [], column)


def _count(tile: Tile) -> Index:
    """How many lanes of a tile there are."""
    code, lanes = tile.code, tile.form.lanes
    if tile.masks[-1] is None:
        return tile.pitch
    return code.minimum(tile.pitch, code.subtract(lanes.size, tile.place[lanes]))


def _fill_transposed(tile: Tile, panel: Panel, whole: Index, start: Index, to: Index) -> None:
    """Squares of as many terms as lanes, which lie along the terms, transposed in registers."""
    code, width, access = tile.code, tile.width, panel.access
    step = access.step(tile.form.lanes)

    def square(term: Index, first: Index) -> None:
        rows = []
        for n in range(width):
            at = code.add(start, code.multiply(code.add(first, n), step), term)
            rows.append(code.load(access.base, at, width))
        for n, vector in enumerate(_transposed(code, rows)):
            into = code.add(to, code.multiply(code.add(term, n), tile.pitch), first)
            code.store(vector, panel.memory, [into], width)

    def squares(term: Index, _: list[Any]) -> list[Any]:
        def body(first: Index, _: list[Any]) -> list[Any]:
            square(term, first)
            return []

        return code.loop(0, tile.pitch, width, [], body)

    code.loop(0, whole, width, [], squares)


def _transposed(code: Code, rows: list[Any]) -> list[Any]:
    """A square of vectors: each round interleaves those that are half of them apart."""
    half = len(rows) // 2
    low = [lane // 2 + lane % 2 * 2 * half for lane in range(2 * half)]
    high = [half + lane for lane in low]
    for _ in range(half.bit_length()):
        pairs = zip(rows[:half], rows[half:], strict=True)
        rows = [code.shuffle(a, b, order) for a, b in pairs for order in (low, high)]
    return rows
