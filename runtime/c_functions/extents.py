"""How many numbers a function takes to be where its pointers point to."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from agir.backends.cpu.native.c_functions import Product
from agir.ir import recording
from agir.ir.building.program import Value


class Extent:
    """What one trace asks for of one pointer: products of constants and arguments, if no more is.

    Only these can be computed before the function runs.  What a branch or loop asks for says nothing
    of the memory that there is, unless as much is asked for in any case.
    """

    def __init__(self) -> None:
        self._sure: set[Product] = set()
        self._perhaps: set[Product | None] = set()

    def ask(self, shape: Sequence[Any]) -> None:
        """An array of that shape is asked for."""
        current = recording.current()
        if current is None:
            return
        arguments = current.root.block.arguments
        constant, numbers = 1, []
        for size in shape:
            if isinstance(size, int):
                constant *= size
                continue
            number = _number(getattr(size, "ssa", None), arguments)
            if number is None:
                self._perhaps.add(None)
                return
            numbers.append(number)
        product = (constant, tuple(sorted(numbers)))
        (self._sure if current.scope is current.root else self._perhaps).add(product)

    def known(self) -> tuple[Product, ...] | None:
        """What there is room for, the largest of these products; None where that is not known."""
        constants = [constant for constant, numbers in self._sure if not numbers]
        for each in self._perhaps - self._sure:
            if each is None or each[1] or each[0] > max(constants, default=0):
                return None
        return tuple(sorted(self._sure))


def largest(products: Sequence[Product], numbers: Sequence[int]) -> int:
    """The largest of these, where the arguments are these numbers."""
    return max([0, *(prod((each, *(numbers[n] for n in some))) for each, some in products)])


def _number(value: Value | None, arguments: Sequence[Value]) -> int | None:
    return next((n for n, each in enumerate(arguments) if each is value), None)
