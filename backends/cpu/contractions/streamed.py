"""Kernels that use each element of a large matrix once, in the order in which it lies in memory.

A few rows at a time are added to the results, which stay in the nearest cache: a piece of a row that is
as long as memory is read ahead, for that many sums; threads have pieces of their own.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.forms import Form, is_zero
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop
from agir.records import dataclass


def write(code: Code, kernel: Kernel, form: Form, masks: bool) -> None:
    """The loops around pieces of rows, and the pieces."""
    others = [p for p in kernel.parallel if p is not form.lanes]
    _loops(_Writer(code, kernel, form, masks), others, {})


def _loops(writer: _Writer, order: list[Loop], place: dict[Loop, Index]) -> None:
    if not order:
        writer.pieces(place)
        return
    loop, *rest = order

    def body(index: Index, _: list[Any]) -> list[Any]:
        _loops(writer, rest, {**place, loop: index})
        return []

    writer.code.loop(0, loop.size, 1, [], body)


@dataclass
class _Writer:
    code: Code
    kernel: Kernel
    form: Form
    masks: bool

    def pieces(self, place: dict[Loop, Index]) -> None:
        """One after the other, and what is left."""
        lanes, length = self.form.lanes, self.form.tile[1] * self.form.width
        assert lanes.known is not None
        whole = self.code.round_down(lanes.known, length)

        def body(index: Index, _: list[Any]) -> list[Any]:
            self._piece({**place, lanes: index}, length)
            return []

        self.code.loop(0, whole, length, [], body)
        if whole < lanes.known:
            self._piece({**place, lanes: whole}, lanes.known - whole)

    def _piece(self, place: dict[Loop, Index], length: int) -> None:
        (nest,) = self.kernel.nests
        (loop,) = nest.reductions
        if nest.start is not None:
            self._vectors(place, length, lambda at, lanes, mask: self._begin(at, lanes, mask))
        height = self.form.tile[0]
        whole = self.code.round_down(loop.size, height)

        def rows(count: int) -> Any:
            def body(index: Index, _: list[Any]) -> list[Any]:
                self._rows({**place, loop: index}, length, count)
                return []

            return body

        self.code.loop(0, whole, height, [], rows(height))
        self.code.loop(whole, loop.size, 1, [], rows(1))

    def _vectors(self, place: dict[Loop, Index], length: int, inside: Any) -> None:
        """The vectors of a piece; what is left of one is masked, or number by number."""
        code, width, lanes = self.code, self.form.width, self.form.lanes

        def body(size: int, mask: Any = None) -> Any:
            def at(index: Index, _: list[Any]) -> list[Any]:
                inside({**place, lanes: code.add(place[lanes], index)}, size, mask)
                return []

            return at

        whole = code.round_down(length, width)
        code.loop(0, whole, width, [], body(width))
        if self.masks and whole < length:
            mask = code.first_lanes(length - whole, width)
            code.loop(whole, length, width, [], body(width, mask))
        else:
            code.loop(whole, length, 1, [], body(0))

    def _begin(self, place: dict[Loop, Index], lanes: int, mask: Any) -> None:
        (nest,) = self.kernel.nests
        buffer, at = self._result(place)
        self.code.store(self.code.broadcast(nest.start, lanes), buffer, at, lanes, mask)

    def _result(self, place: dict[Loop, Index]) -> tuple[Any, list[Index]]:
        return self.kernel.result(self.code, place, self.form.lanes)

    def _rows(self, place: dict[Loop, Index], length: int, count: int) -> None:
        """Add the products of so many rows, from one on."""
        code = self.code
        (nest,) = self.kernel.nests
        (loop,) = nest.reductions
        iterations = [{**place, loop: code.add(place[loop], n)} for n in range(count)]
        steady = [
            {
                n: self._number(each, iteration)
                for n, each in enumerate(nest.inputs)
                if self._stays(each)
            }
            for iteration in iterations
        ]

        def add(at: dict[Loop, Index], lanes: int, mask: Any) -> None:
            buffer, subscripts = self._result(at)
            total = self._load(buffer, subscripts, lanes, mask)
            for iteration, known in zip(iterations, steady, strict=True):
                here = {**iteration, self.form.lanes: at[self.form.lanes]}
                loaded = [
                    code.broadcast(known[n], lanes)
                    if n in known
                    else code.load(each.base, each.at(code, here), lanes, mask)
                    for n, each in enumerate(nest.inputs)
                ]
                values = nest.arguments(loaded, total)
                total = bodies.write(code, nest.operation, values, lanes, contract=True)
            code.store(total, buffer, subscripts, lanes, mask)

        self._vectors(place, length, add)

    def _stays(self, access: Access) -> bool:
        """Whether all lanes use the same element."""
        return is_zero(access.step(self.form.lanes))

    def _number(self, access: Access, place: dict[Loop, Index]) -> Any:
        return self.code.load(access.base, access.at(self.code, place), 0)

    def _load(self, buffer: Any, subscripts: list[Index], lanes: int, mask: Any) -> Any:
        if lanes:
            return self.code.load_many(buffer, subscripts, lanes, mask)
        at = [self.code.value(index) for index in subscripts]
        return self.code.op("memref.load", [buffer, *at], [buffer.type.element_type])
