"""Equal parts of a long function become calls of one function, which may have equal parts again.

A function that calls itself on the halves of an array, and that Python runs, records the same
operations for both halves, and for the quarters in these: work for every pass, and for LLVM, that
grows faster than the program.  Where the parts are long, a call and the arrays that are handed to
it cost next to nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.outlining.block_calls import called, erase
from agir.backends.cpu.passes.outlining.blocks import MADE_ANEW, Block, Body
from agir.backends.cpu.passes.outlining.constant_values import compute_fixed_values_first
from agir.backends.cpu.passes.outlining.kernels import WHOLE
from agir.backends.cpu.passes.outlining.repetitions import Run, of_period, shortest_period
from agir.backends.cpu.passes.outlining.result_arrays import is_array
from agir.backends.cpu.passes.outlining.varying_numbers import columns
from agir.backends.mlir.modules import children, symbols

_LEAST = 128
"""The fewest operations of a part."""
_ITERATIONS = 4
"""What stands so often one after the other is a loop that Python has unrolled (`repeated_blocks`)."""
_OF_ARRAY = 16
"""As many for each array that is handed to the function, or given by it."""
_WINDOW, _SELDOM = 16, 8
"""So many operations, which stand like this so often at most, tell how far apart equal parts are."""
_DISTANCES = 8
_TRIMMED = 3
"""So many operations at an end of a part are left out where it can be no function otherwise."""


def outline_equal_parts(module: Any) -> None:
    """Put calls of one function in the place of equal parts, those of the longest ones first."""
    if WHOLE in module.operation.attributes:
        return
    for function in functions(module):
        body = _body(function)
        if _equal(body.keys(exact=True)) and compute_fixed_values_first(body):
            body = _body(function)
        _outline(module, function, body)


def _outline(module: Any, function: Any, body: Body) -> None:
    """Outline the equal parts of a function, and those of the functions that they become."""
    pending = [(function, body)]
    while pending:
        function, body = pending.pop()
        known = symbols(module)
        if _outlined(module, body):
            made = [each for name, each in symbols(module).items() if name not in known]
            pending += [(each, _body(each)) for each in (function, *made)]


def _outlined(module: Any, body: Body) -> bool:
    """Outline the longest equal parts; says whether there are any."""
    for run in _equal(body.keys(exact=True)):
        blocks = _blocks(body, run)
        if blocks:
            erase(called(module, blocks, columns(blocks)))
            body.erase_unused()
            return True
    return False


def _body(function: Any) -> Body:
    """The body of a function, with nothing in it if there cannot be equal parts."""
    everything = children(function)
    return Body(everything if _equal(_looks(everything)) else (), (), views=False)


def _looks(everything: Sequence[Any]) -> list[Hashable]:
    """What operations are at a glance: a description of each takes ten times as long."""
    return [
        (each.name, *[value.type for value in each.results])
        for each in everything
        if len(everything) >= 2 * _LEAST and each.name not in MADE_ANEW
    ]


def _equal(keys: Sequence[Hashable]) -> list[Run]:
    """Where a long part is equal to what stands a distance behind it, the longest first."""
    found = [
        run
        for distance in _distances(keys)
        for run in of_period(keys, distance)
        if run.end - run.start - run.period >= _LEAST
        and shortest_period(keys[run.start : run.end]) * _ITERATIONS > run.end - run.start
    ]
    return sorted(found, key=lambda run: (run.start - run.end + run.period, run.period))


def _distances(keys: Sequence[Hashable]) -> list[int]:
    """The distances that come most often between like places of which there are few."""
    alike: defaultdict[Hashable, list[int]] = defaultdict(list)
    for position in range(len(keys) - _WINDOW + 1):
        alike[tuple(keys[position : position + _WINDOW])].append(position)
    found = Counter(
        later - earlier
        for positions in alike.values()
        if len(positions) <= _SELDOM
        for earlier, later in combinations(positions, 2)
        if later - earlier >= _LEAST
    )
    return [distance for distance, _ in found.most_common(_DISTANCES)]


def _blocks(body: Body, run: Run) -> list[Block]:
    """The equal parts, without live values that are no arrays of their own."""
    length = min(run.end - run.start - run.period, run.period)
    firsts = range(run.start, run.end - length + 1, run.period)
    for before in range(_TRIMMED + 1):
        for behind in range(_TRIMMED + 1):
            parts = [Block(body, n + before, n + length - behind) for n in firsts]
            if all(map(_is_worth_it, parts)) and _are_equal(parts):
                return parts
    return []


def _is_worth_it(block: Block) -> bool:
    arrays = [*filter(is_array, block.inputs), *filter(is_array, block.given(block.results))]
    return block.is_complete() and len(arrays) * _OF_ARRAY <= len(block.operations)


def _are_equal(blocks: Sequence[Block]) -> bool:
    first, *others = [(block.pattern, block.numbers) for block in blocks]
    return all(other == first for other in others)
