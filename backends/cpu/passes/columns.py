"""The numbers of several blocks of one pattern, place by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agir.backends.cpu.passes.blocks import Block
from agir.backends.cpu.passes.numbers import Number

Column = int | tuple[int, ...]
"""What number stands at a place: the same in all blocks, or one for each."""


def columns(blocks: Sequence[Block]) -> list[Column]:
    """For each number of the blocks' what it is in all of them."""
    return [
        first if all(n == first for n in others) else (first, *others)
        for first, *others in zip(*(block.numbers for block in blocks), strict=True)
    ]


def differing(numbers: Sequence[Column]) -> list[tuple[int, ...]]:
    """The columns of numbers that differ, each once."""
    return list(dict.fromkeys(column for column in numbers if not isinstance(column, int)))


def filled(numbers: Sequence[Column], values: Mapping[tuple[int, ...], Any]) -> list[Number]:
    """Values in the place of what differs."""
    return [column if isinstance(column, int) else values[column] for column in numbers]
