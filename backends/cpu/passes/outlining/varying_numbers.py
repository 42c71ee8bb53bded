"""The numbers of several blocks of one pattern, place by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agir.backends.cpu.passes.outlining.blocks import Block
from agir.backends.cpu.passes.outlining.numbered_operations import Number

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


def are_reshaped_alike(blocks: Sequence[Block]) -> bool:
    """Whether in each reshape a size differs where one of those that it is the product of does.

    There is no reshape of an unknown size into known ones.
    """
    return all(map(_is_alike, zip(*(block.reshapes for block in blocks), strict=True)))


def _is_alike(reshapes: Sequence[Any]) -> bool:
    first = reshapes[0]
    values = [(each.operands[0], each.results[0]) for each in reshapes]
    shapes = [sorted((list(v.type.shape) for v in pair), key=len) for pair in values]
    fewer, more = (list(zip(*each, strict=True)) for each in zip(*shapes, strict=True))
    groups = [[each.value for each in group] for group in first.attributes["reassociation"]]
    return all(
        _differ(product) == any(_differ(more[axis]) for axis in group)
        for product, group in zip(fewer, groups, strict=True)
    )


def _differ(sizes: Sequence[int]) -> bool:
    return any(size != sizes[0] for size in sizes)
