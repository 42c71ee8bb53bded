"""Blocks of operations that a large program repeats become a loop or a function, compiled once.

A network of layers, a loop that Python unrolled: the trace has the same operations again and again, on
other values.  Whatever follows is work for each of them, so this comes first.  Equal blocks are looked
for before such as differ in numbers: in the sizes of arrays, in where slices begin.

In a block is a contraction or a loop, before which arrays lie in memory anyway, and it begins where the
fewest arrays are live: a program in which everything would fuse is left as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.outlining.block_calls import called, erase
from agir.backends.cpu.passes.outlining.blocks import Block, Body, described, with_regions
from agir.backends.cpu.passes.outlining.chains import chained, rolled
from agir.backends.cpu.passes.outlining.kernels import MANY, WHOLE
from agir.backends.cpu.passes.outlining.numbered_operations import Descriptions
from agir.backends.cpu.passes.outlining.repetitions import runs
from agir.backends.cpu.passes.outlining.varying_numbers import are_reshaped_alike, columns
from agir.backends.mlir.modules import children

_LEAST_ITERATIONS = 4
_LEAST_RESIZED = 8
"""As many blocks that differ in sizes become one; for fewer, code that knows them is made."""
_LIMITS = ("linalg.contract", "linalg.conv", "scf.for", "scf.while")
"""What no loops are shared across."""


def outline_repeated_blocks(module: Any) -> None:
    """Put a loop, or calls of one function, in the place of like blocks of a large program."""
    if WHOLE in module.operation.attributes:
        return
    for function in functions(module):
        body = None
        for exact in (True, False):
            everything = children(function) if body is None else None
            if everything is not None:
                if len(everything) < MANY or not _repeats(everything):
                    break
                body = Body(everything, _LIMITS)
            if body is not None and _outline(module, body, exact=exact):
                body = None


def _repeats(everything: Sequence[Any]) -> bool:
    """Whether as many blocks as it takes could begin in the same way."""
    descriptions = Descriptions()
    beginnings = [each for each in everything if each.name.startswith(_LIMITS)]
    alike = Counter(
        tuple(described(each, descriptions).form for each in with_regions(beginning))
        for beginning in beginnings
    )
    return max(alike.values(), default=0) >= _LEAST_ITERATIONS


def _outline(module: Any, body: Body, *, exact: bool) -> bool:
    """Replace what repeats itself; says whether there was anything."""
    replaced: list[Block] = []
    for run in runs(body.keys(exact=exact), body.limits, _LEAST_ITERATIONS):
        alike: defaultdict[Hashable, list[Block]] = defaultdict(list)
        for block in body.blocks(run):
            alike[block.pattern].append(block)
        for blocks in alike.values():
            replaced += _replaced(module, blocks)
    erase(replaced)
    if replaced:
        body.erase_unused()
    return bool(replaced)


def _replaced(module: Any, blocks: Sequence[Block]) -> Sequence[Block]:
    """Put a loop or calls in the place of as many of the blocks, of one pattern, as is worth it."""
    if len(blocks) < _LEAST_ITERATIONS:
        return ()
    numbers = columns(blocks)
    resized = any(not isinstance(numbers[i], int) for i in blocks[0].sizes)
    least = _LEAST_RESIZED if are_reshaped_alike(blocks) else len(blocks) + 1
    if not resized or len(blocks) >= least:
        chain = chained(blocks, numbers)
        if chain is not None:
            rolled(blocks, chain, numbers)
            return blocks
    if not resized:
        return called(module, blocks, numbers)
    equal: defaultdict[Hashable, list[Block]] = defaultdict(list)
    for block in blocks:
        equal[tuple(block.numbers)].append(block)
    replaced: list[Block] = []
    for same in equal.values():
        replaced += _replaced(module, same)
    rest = [block for block in blocks if len(equal[tuple(block.numbers)]) < _LEAST_ITERATIONS]
    if len(rest) >= least:
        replaced += called(module, rest, columns(rest))
    return replaced
