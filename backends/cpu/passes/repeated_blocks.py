"""Blocks of operations that a large program repeats become a loop or a function, compiled once.

A network of layers, a loop that Python unrolled: the trace has the same operations again and again, on
other values.  Whatever follows is work for each of them, so this comes first.  Equal blocks are looked
for before such as differ in numbers: in the extents of arrays, in where slices begin.

In a block is a contraction or a loop, before which arrays lie in memory anyway, and it begins where the
fewest arrays are handed on: a program in which everything would fuse is left as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import Any

from agir.backends.cpu.passes.blocks import Block, Body, described, with_regions
from agir.backends.cpu.passes.chains import chained, rolled
from agir.backends.cpu.passes.columns import Column, are_reshaped_alike, columns, differing, filled
from agir.backends.cpu.passes.functions import functions
from agir.backends.cpu.passes.kernels import MANY, WHOLE
from agir.backends.cpu.passes.numbers import Descriptions, Number, extents, generalized
from agir.backends.cpu.passes.opened import copy
from agir.backends.cpu.passes.outlined import add_kernel, call, private_function
from agir.backends.cpu.passes.repeats import runs
from agir.backends.cpu.passes.result_arrays import is_array
from agir.backends.cpu.passes.whole_slices import whole_slice
from agir.backends.mlir.making import cast, constant, op
from agir.backends.mlir.modules import children
from agir.ir import bindings

_LEAST_TURNS = 4
_LEAST_RESIZED = 8
"""As many blocks that differ in extents become one; for fewer, code that knows them is made."""
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
    return max(alike.values(), default=0) >= _LEAST_TURNS


def _outline(module: Any, body: Body, *, exact: bool) -> bool:
    """Replace what repeats itself; says whether there was anything."""
    replaced: list[Block] = []
    for run in runs(body.keys(exact=exact), body.limits, _LEAST_TURNS):
        alike: defaultdict[Hashable, list[Block]] = defaultdict(list)
        for block in body.blocks(run):
            alike[block.pattern].append(block)
        for blocks in alike.values():
            replaced += _replaced(module, blocks)
    _erase(replaced)
    if replaced:
        body.erase_unused()
    return bool(replaced)


def _replaced(module: Any, blocks: Sequence[Block]) -> Sequence[Block]:
    """Put a loop or calls in the place of as many of the blocks, of one pattern, as is worth it."""
    if len(blocks) < _LEAST_TURNS:
        return ()
    numbers = columns(blocks)
    resized = any(not isinstance(numbers[i], int) for i in blocks[0].extents)
    least = _LEAST_RESIZED if are_reshaped_alike(blocks) else len(blocks) + 1
    if not resized or len(blocks) >= least:
        chain = chained(blocks, numbers)
        if chain is not None:
            rolled(blocks, chain, numbers)
            return blocks
    if not resized:
        return _called(module, blocks, numbers)
    equal: defaultdict[Hashable, list[Block]] = defaultdict(list)
    for block in blocks:
        equal[tuple(block.numbers)].append(block)
    replaced: list[Block] = []
    for same in equal.values():
        replaced += _replaced(module, same)
    rest = [block for block in blocks if len(equal[tuple(block.numbers)]) < _LEAST_TURNS]
    if len(rest) >= least:
        replaced += _called(module, rest, columns(rest))
    return replaced


def _called(module: Any, blocks: Sequence[Block], numbers: Sequence[Column]) -> Sequence[Block]:
    """Make a function of the first block, and after each one a call that gives what it gives."""
    first = blocks[0]
    results = sorted(set().union(*(block.results for block in blocks)))
    uses = zip(*(block.inputs for block in blocks), strict=True)
    taken = [i for i, (value, *others) in enumerate(uses) if not first.makes(value, others)]
    function = _function(first, taken, results, numbers)
    add_kernel(module, function)
    wanted = list(function.attributes["function_type"].value.inputs)
    known = differing(numbers)
    for i, block in enumerate(blocks):
        last = block.operations[-1]
        given = block.given(results)
        with bindings.ir.InsertionPoint.after(last), last.location:
            operands = [
                *block.values(taken),
                *[constant(bindings.ir.IndexType.get(), column[i]) for column in known],
                *[op("tensor.empty", value.type) for value in given if is_array(value)],
            ]
            given_as = [
                cast(value, kind, "tensor.cast")
                for value, kind in zip(operands, wanted, strict=True)
            ]
            made = call(function, given_as).results
            block.made = {
                value: cast(new, value.type, "tensor.cast")
                for value, new in zip(given, made, strict=True)
            }
    return blocks


def _function(
    first: Block,
    taken: Sequence[int],
    results: Sequence[tuple[int, int]],
    numbers: Sequence[Column],
) -> Any:
    """A function of these inputs, of the numbers that differ, and of an array for each result."""
    inputs = first.values(taken)
    shapes = [[numbers[i] for i in first.inputs[value]] for value in inputs]
    types = [generalized(v.type, iter(shape)) for v, shape in zip(inputs, shapes, strict=True)]
    known = differing(numbers)

    def fill(block: Any) -> list[Any]:
        arguments = list(block.arguments)
        values = dict(zip(known, arguments[len(inputs) :], strict=True))
        given = {
            value: _of_extents(argument, value.type, filled(shape, values))
            for value, argument, shape in zip(inputs, arguments, shapes, strict=False)
        }
        given |= {
            value: first.body.anew[value].clone().results[0]
            for value in first.inputs
            if value not in given
        }
        copy(first, filled(numbers, values), given)
        made = [given[value] for value in first.given(results)]
        for value in filter(is_array, made):
            block.add_argument(value.type, value.location)
        return made

    index = bindings.ir.IndexType.get()
    return private_function([*types, *[index] * len(known)], fill, first.operations[-1].location)


def _of_extents(array: Any, kind: Any, numbers: Sequence[Number]) -> Any:
    """An array of unknown extents, of which these are now known to be equal to others."""
    if all(isinstance(n, int) for n in numbers):
        return array
    return whole_slice(array, extents(kind, numbers))


def _erase(blocks: Sequence[Block]) -> None:
    """Remove blocks in whose place there are calls."""
    for block in blocks:
        for old, new in block.made.items():
            old.replace_all_uses_with(new)
    for block in reversed(blocks):
        for operation in reversed(block.operations):
            operation.erase()
