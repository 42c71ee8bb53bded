"""Blocks of operations that are alike as calls of one function, made of the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.whole_slices import whole_slice
from agir.backends.cpu.passes.outlining.blocks import Block
from agir.backends.cpu.passes.outlining.instantiation import copy
from agir.backends.cpu.passes.outlining.numbered_operations import (
    Number,
    dimension_sizes,
    generalized,
)
from agir.backends.cpu.passes.outlining.outlined_functions import add_kernel, call, private_function
from agir.backends.cpu.passes.outlining.result_arrays import is_array
from agir.backends.cpu.passes.outlining.varying_numbers import Column, differing, filled
from agir.backends.mlir.making import cast, index_constant, op
from agir.ir.building import bindings


def called(module: Any, blocks: Sequence[Block], numbers: Sequence[Column]) -> Sequence[Block]:
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
                *[index_constant(column[i]) for column in known],
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
            value: _of_sizes(argument, value.type, filled(shape, values))
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


def _of_sizes(array: Any, kind: Any, numbers: Sequence[Number]) -> Any:
    """An array of unknown sizes, of which these are now known to be equal to others."""
    if all(isinstance(n, int) for n in numbers):
        return array
    return whole_slice(array, dimension_sizes(kind, numbers))


def erase(blocks: Sequence[Block]) -> None:
    """Remove blocks in whose place there are calls."""
    for block in blocks:
        for old, new in block.made.items():
            old.replace_all_uses_with(new)
    for block in reversed(blocks):
        for operation in reversed(block.operations):
            operation.erase()
