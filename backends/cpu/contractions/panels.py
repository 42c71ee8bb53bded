"""Copies of what the rows of a tile share, in the order in which they read it.

A panel has the vectors of one term of the sums after those of the one before.  It is made once for all
rows, where the vectors themselves lie too far apart for the cache, or their elements not side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import ALIASED, FAR, MANY, PAGE, Form, bits
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop
from agir.ir import bindings
from agir.records import dataclass

if TYPE_CHECKING:
    from agir.backends.cpu.contractions.tiles import Tile


@dataclass
class Panel:
    """The copy of one operand: its memory, and when it is made (None: always)."""

    access: Access
    loop: Loop
    memory: Any
    condition: Any

    def fill(self, tile: Tile) -> Access:
        """Copy the elements for a tile's lanes; gives what is read in the operand's stead."""
        code, access, lanes = tile.code, self.access, tile.form.lanes
        pitch = max(1, tile.width) * len(tile.masks)
        start = tile.start(access)
        write = _fill_vectors if access.step(lanes) == 1 else _fill_elements
        code.when(
            self.condition,
            lambda: write(tile, access, self.memory, self.loop, start, pitch),
        )
        back = code.subtract(0, tile.place[lanes])
        if self.condition is None:
            return Access(self.memory, back, {self.loop: pitch, lanes: 1}, access.buffer)
        steps = {**access.steps, self.loop: self._or(code, pitch, access.step(self.loop))}
        outer = code.subtract(start, tile.place[lanes])  # with the places that `steps` now lacks
        kept = {loop: step for loop, step in steps.items() if loop in (self.loop, lanes)}
        base = code.choose(self.condition, self.memory, access.base)
        return Access(base, self._or(code, back, outer), kept, access.buffer)

    def _or(self, code: Code, copied: Index, own: Index) -> Index:
        return code.choose(self.condition, copied, own)


def panel(tile: Tile, kernel: Kernel, access: Access) -> Panel:
    """The memory for all terms of the sums of a tile's lanes, if that is to be copied."""
    ir, code, form = bindings.ir, tile.code, tile.form
    (loop,) = kernel.nests[0].reductions
    condition = _condition(code, form, access, loop) if form.maybe else None
    size = code.multiply(loop.extent, max(1, tile.width) * len(tile.masks))
    if condition is not None:
        size = code.choose(condition, size, 0)
    static = isinstance(size, int)
    unknown = ir.ShapedType.get_dynamic_size()
    kind = ir.MemRefType.get([size if static else unknown], access.element)
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0 if static else 1, 0]),
        "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
    }
    memory = code.op("memref.alloc", [] if static else [size], [kind], attributes)
    return Panel(access, loop, memory, condition)


def _condition(code: Code, form: Form, access: Access, loop: Loop) -> Any:
    """What `forms.is_far_apart` asks, of the run time; and whether there are rows enough."""
    assert form.rows is not None
    size = bits(access.element) // 8
    far = code.compare(code.multiply(loop.extent, size), "sgt", FAR)
    rest = code.op(
        "arith.remui",
        [code.value(code.multiply(access.step(loop), size)), code.value(PAGE)],
        [code.index_type],
    )
    aliased = code.both(code.compare(rest, "eq", 0), code.compare(loop.extent, "sgt", ALIASED))
    many = code.compare(form.rows.extent, "sgt", MANY)
    return code.both(many, code.either(far, aliased))


def _fill_vectors(
    tile: Tile, access: Access, buffer: Any, loop: Loop, start: Index, pitch: int
) -> None:
    code = tile.code

    def body(term: Index, _: list[Any]) -> list[Any]:
        at = code.add(start, code.multiply(term, access.step(loop)))
        to = code.multiply(term, pitch)
        for n, mask in enumerate(tile.masks):
            vector = code.load(access.base, code.add(at, n * tile.width), tile.width, mask)
            code.store(vector, buffer, [code.add(to, n * tile.width)], tile.width)
        return []

    code.loop(0, loop.extent, 1, [], body)


def _fill_elements(
    tile: Tile, access: Access, buffer: Any, loop: Loop, start: Index, pitch: int
) -> None:
    """Element by element; lanes beyond the end stay what they are, for nobody stores their sums."""
    code = tile.code
    whole: Index = 0
    if access.step(loop) == 1 and tile.width > 1 and tile.masks[-1] is None:
        whole = code.round_down(loop.extent, tile.width)
        _fill_transposed(tile, access, buffer, whole, start, pitch)

    def column(lane: Index, _: list[Any]) -> list[Any]:
        first = code.add(start, code.multiply(lane, access.step(tile.form.lanes)))

        def body(term: Index, _: list[Any]) -> list[Any]:
            place = code.add(first, code.multiply(term, access.step(loop)))
            value = code.load(access.base, place, 0)
            code.store(value, buffer, [code.add(code.multiply(term, pitch), lane)], 0)
            return []

        code.loop(whole, loop.extent, 1, [], body)
        return []

    code.loop(0, _count(tile, pitch), 1, [], column)


def _count(tile: Tile, pitch: int) -> Index:
    """How many lanes of a tile there are."""
    code, lanes = tile.code, tile.form.lanes
    if tile.masks[-1] is None:
        return pitch
    return code.minimum(pitch, code.subtract(lanes.extent, tile.place[lanes]))


def _fill_transposed(
    tile: Tile, access: Access, buffer: Any, whole: Index, start: Index, pitch: int
) -> None:
    """Squares of as many terms as lanes, which lie along the terms, transposed in registers."""
    code, width = tile.code, tile.width
    step = access.step(tile.form.lanes)

    def square(term: Index, first: Index) -> None:
        rows = []
        for n in range(width):
            at = code.add(start, code.multiply(code.add(first, n), step), term)
            rows.append(code.load(access.base, at, width))
        for n, vector in enumerate(_transposed(code, rows)):
            to = code.add(code.multiply(code.add(term, n), pitch), first)
            code.store(vector, buffer, [to], width)

    def squares(term: Index, _: list[Any]) -> list[Any]:
        def body(first: Index, _: list[Any]) -> list[Any]:
            square(term, first)
            return []

        return code.loop(0, pitch, width, [], body)

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
