"""Kernels whose lanes are terms of the same sum: rows x columns of vectors that are added up last.

Each operand is read in the order in which it lies.  The last, partial vector of a sum is masked.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import Form
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop, Nest
from agir.ir.building import bindings
from agir.records import dataclass

_AHEAD = 8  # vectors of sums that hide how long an addition takes


def write(code: Code, kernel: Kernel, form: Form, masks: bool) -> None:
    """The loops over tiles, and the tiles."""
    others = [p for p in kernel.parallel if p is not form.rows and p is not form.columns]
    order = [p for p in (*others, form.rows, form.columns) if p is not None]
    _loops(_Writer(code, kernel, form, masks), order, {})


def _loops(writer: _Writer, order: list[Loop], place: dict[Loop, list[Index]]) -> None:
    if not order:
        writer.tile(place)
        return
    loop, *rest = order
    code, form = writer.code, writer.form
    count = {form.rows: form.tile[0], form.columns: form.tile[1]}.get(loop, 1)

    def body(index: Index, _: list[Any]) -> list[Any]:
        _loops(writer, rest, {**place, loop: _indices(code, loop, index, count)})
        return []

    code.loop(0, loop.size, count, [], body)


def _indices(code: Code, loop: Loop, first: Index, count: int) -> list[Index]:
    """The iterations of a tile; those beyond the end are the last one once more."""
    indices = [code.add(first, n) for n in range(count)]
    if loop.known is not None and loop.known % count == 0:
        return indices
    last = code.subtract(loop.size, 1)
    return [first, *(code.minimum(index, last) for index in indices[1:])]


@dataclass
class _Writer:
    code: Code
    kernel: Kernel
    form: Form
    masks: bool

    def tile(self, place: dict[Loop, list[Index]]) -> None:
        """The sums of a tile, finished and written."""
        code, kernel = self.code, self.kernel
        (nest,) = kernel.nests
        loops = list(place)
        cells = [dict(zip(loops, each, strict=True)) for each in product(*place.values())]
        sums = self._sums(nest, cells)
        if nest.start is None:
            old = [code.load(nest.output.base, nest.output.at(code, c), 0) for c in cells]
        else:
            old = [nest.start] * len(cells)
        name = _addition(nest)
        sums = [code.op(name, [a, b], [a.type]) for a, b in zip(old, sums, strict=True)]
        if kernel.epilogue is not None:
            given = [self._given(each, cells, sums) for each in kernel.epilogue.inputs]
            sums = [
                bodies.write(code, kernel.epilogue.operation, [*values, None], 0)
                for values in zip(*given, strict=True)
            ]
        for cell, value in zip(cells, sums, strict=True):
            buffer, subscripts = kernel.result(code, cell, None)
            code.store(value, buffer, subscripts, 0)

    def _given(self, each: Nest | Access, cells: list[Any], sums: list[Any]) -> list[Any]:
        if isinstance(each, Nest):
            return sums
        code = self.code
        return [code.load(each.base, each.at(code, cell), 0) for cell in cells]

    def _sums(self, nest: Nest, cells: list[dict[Loop, Index]]) -> list[Any]:
        code, width = self.code, self.form.width
        element = nest.output.element
        kind = code.vector(width, element)
        integer = isinstance(element, bindings.ir.IntegerType)
        zero = code.constant(kind, "dense<0>" if integer else "dense<0.0>")
        # every place that is read, once: rows share columns and columns rows
        starts = [[access.at(code, cell) for cell in cells] for access in nest.inputs]
        ahead = max(1, _AHEAD // len(cells))

        def level(loops: list[Loop], offsets: list[Index], sums: list[Any]) -> list[Any]:
            loop, *rest = loops
            if rest:

                def body(index: Index, carried: list[Any]) -> list[Any]:
                    return level(rest, _moved(code, nest, offsets, loop, index), carried)

                return code.loop(0, loop.size, 1, sums, body)
            return self._last(nest, loop, starts, offsets, sums, ahead)

        flat = level(nest.reductions, [0] * len(nest.inputs), [zero] * (len(cells) * ahead))
        return [self._total(nest, flat[n :: len(cells)]) for n in range(len(cells))]

    def _last(
        self,
        nest: Nest,
        loop: Loop,
        starts: list[list[Index]],
        offsets: list[Index],
        sums: list[Any],
        ahead: int,
    ) -> list[Any]:
        """The innermost sum: several vectors in each iteration, then one, then a part of one."""
        code, width = self.code, self.form.width
        cells = len(starts[0])

        def iterations(start: Index, stop: Index, vectors: int, mask: bool, sums: list[Any]) -> Any:
            def body(index: Index, carried: list[Any]) -> list[Any]:
                carried = list(carried)
                for n in range(vectors):
                    at = code.add(index, n * width)
                    part = slice(n * cells, (n + 1) * cells)
                    lanes = code.first_lanes(code.subtract(stop, at), width) if mask else None
                    carried[part] = self._step(
                        nest, loop, starts, offsets, at, lanes, carried[part]
                    )
                return carried

            return code.loop(start, stop, vectors * width, sums, body)

        far = code.round_down(loop.size, ahead * width)
        whole = code.round_down(loop.size, width)
        sums = iterations(0, far, ahead, False, sums)
        if ahead > 1:
            sums = iterations(far, whole, 1, False, sums)
        if self.masks:
            return list(iterations(whole, loop.size, 1, True, sums))
        return self._by_ones(nest, loop, starts, offsets, whole, sums)

    def _by_ones(
        self, nest: Nest, loop: Loop, starts: Any, offsets: Any, whole: Index, sums: list[Any]
    ) -> list[Any]:
        """What is left of a sum, where loads cannot be masked: numbers, in the first lane."""
        code = self.code
        cells = len(starts[0])
        first = {"static_position": bindings.ir.DenseI64ArrayAttr.get([0])}

        def body(index: Index, carried: list[Any]) -> list[Any]:
            firsts = [
                code.op("vector.extract", [v], [v.type.element_type], first)
                for v in carried[:cells]
            ]
            found = self._step(nest, loop, starts, offsets, index, None, firsts, 0)
            put = [
                code.op("vector.insert", [f, v], [v.type], first)
                for f, v in zip(found, carried[:cells], strict=True)
            ]
            return [*put, *carried[cells:]]

        return code.loop(whole, loop.size, 1, sums, body)

    def _step(
        self,
        nest: Nest,
        loop: Loop,
        starts: list[list[Index]],
        offsets: list[Index],
        index: Index,
        mask: Any,
        sums: list[Any],
        width: int | None = None,
    ) -> list[Any]:
        code = self.code
        width = self.form.width if width is None else width
        moved = _moved(code, nest, offsets, loop, index)
        loaded: dict[tuple[int, Any], Any] = {}

        def get(number: int, start: Index) -> Any:
            if (number, start) not in loaded:
                access = nest.inputs[number]
                at = code.add(start, moved[number])
                if access.step(loop) == 1:
                    value = code.load(access.base, at, width, mask)
                else:
                    value = code.broadcast(code.load(access.base, at, 0), width)
                loaded[number, start] = value
            return loaded[number, start]

        made = []
        for cell, total in enumerate(sums):
            values = [get(n, at[cell]) for n, at in enumerate(starts)]
            value = bodies.write(
                code, nest.operation, nest.arguments(values, total), width, contract=True
            )
            if mask is not None:
                value = code.op("arith.select", [mask, value, total], [total.type])
            made.append(value)
        return made

    def _total(self, nest: Nest, parts: list[Any]) -> Any:
        """The sum of vectors, added up."""
        code, ir = self.code, bindings.ir
        name = _addition(nest)
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [code.op(name, [a, b], [a.type]) for a, b in pairs]
        attributes = {"kind": ir.Attribute.parse("#vector.kind<add>")}
        if name == "arith.addf":
            attributes["fastmath"] = ir.Attribute.parse("#arith.fastmath<reassoc>")
        return code.op("vector.reduction", [parts[0]], [nest.output.element], attributes)


def _addition(nest: Nest) -> str:
    last = bodies.combiner(nest.operation)
    assert last is not None
    return str(last.name)


def _moved(code: Code, nest: Nest, offsets: list[Index], loop: Loop, index: Index) -> list[Index]:
    return [
        code.add(offset, code.multiply(index, access.step(loop)))
        for offset, access in zip(offsets, nest.inputs, strict=True)
    ]
