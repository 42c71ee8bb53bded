"""Reductions: by an operation with a neutral number at once, by anything else in turn."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from agir.backends.stablehlo.building import (
    Regions,
    compare,
    constant,
    dense,
    each,
    element_of,
    i64,
    iota,
    numbers,
    refuse,
    shape_of,
    tensor,
    transpose,
    with_regions,
)
from agir.backends.stablehlo.control import loop
from agir.backends.stablehlo.elementwise import RULES as ELEMENTWISE
from agir.backends.stablehlo.points import block_of, dimensions, in_and_out, take
from agir.backends.stablehlo.translator import Translator

__all__ = ["accumulated", "reduced"]

_NEUTRAL = {
    "arith.addf": "-0.0",
    "arith.addi": "0",
    "arith.mulf": "1.0",
    "arith.muli": "1",
    "arith.ori": "0",
    "arith.xori": "0",
    "arith.andi": "-1",
    "complex.add": "(-0.0, -0.0)",
}
"""What changes nothing when it is combined with something."""


_SPLAT = re.compile(r"dense<[^\[\"]*>(?= : tensor)")
"""The value of a constant that is the same everywhere."""


def reduced(translator: Translator, operation: Any) -> list[Any]:
    """A reduction of whole dimensions."""
    inputs, outputs = in_and_out(operation)
    axes = [*operation.attributes["dimensions"]]
    given = [translator[each] for each in inputs]
    block = block_of(operation)
    starts = [_everywhere(translator, value) for value in outputs]
    if all(start is not None for start in starts):
        count = len(given)

        def body(arguments: Sequence[Any]) -> list[Any]:
            for argument, value in zip(
                block.arguments, [*arguments[count:], *arguments[:count]], strict=True
            ):
                translator[argument] = value
            return translator.body(block)

        return _reduced(given, starts, axes, body)
    combine, *more = (view.operation for view in block.operations)
    if len(outputs) > 1 or len(more) != 1 or combine.name not in _NEUTRAL:
        refuse(operation, "a reduction into different values by operations without a neutral one")
    made = _reduced_by(combine, given[0], axes)
    return [ELEMENTWISE[combine.name](combine, translator[outputs[0]], made)]


def _everywhere(translator: Translator, value: Any) -> Any | None:
    """The number that a tensor of `hlo` holds everywhere, if it is one."""
    if not value.type.rank:
        return translator[value]
    source = value.owner
    name = getattr(source, "name", "")
    if name in ("tensor.splat", "linalg.fill"):
        return translator[source.operands[0]]
    if name == "arith.constant" and (splat := _SPLAT.search(str(source))):
        return dense(splat[0], tensor((), element_of(translator[value])))
    return None


def _reduced(given: list[Any], starts: list[Any], axes: Sequence[int], body: Any) -> list[Any]:
    """A reduction along dimensions."""
    kept = [n for axis, n in enumerate(shape_of(given[0])) if axis not in axes]
    scalars = [start.type for start in starts]
    results = [tensor(kept, element_of(value)) for value in given]
    regions: Regions = [(scalars * 2, body)]
    operands = [*given, *starts]
    return with_regions("reduce", results, operands, regions, dimensions=numbers(axes))


def _reduced_by(combine: Any, value: Any, axes: Sequence[int]) -> Any:
    """A reduction by an operation that has a neutral number."""
    if not axes:
        return value
    kind = tensor((), element_of(value))
    neutral = "true" if str(kind) == "tensor<i1>" else _NEUTRAL[combine.name]
    if neutral == "true" and combine.name not in ("arith.andi", "arith.muli"):
        neutral = "false"
    start = dense(f"dense<{neutral}>", kind)
    rule = ELEMENTWISE[combine.name]
    return _reduced([value], [start], axes, lambda given: [rule(combine, *given)])[0]


def accumulated(
    translator: Translator, operation: Any, domain: tuple[int, ...], axes: list[int]
) -> list[Any]:
    """The results of an operation that reduces along these of its dimensions."""
    outputs = in_and_out(operation)[1]
    if steps := _combinations(operation, outputs):
        return _reductions(translator, operation, steps, domain, axes)
    return _in_turn(translator, operation, domain, axes)


def _combinations(operation: Any, outputs: list[Any]) -> list[tuple[Any, Any]]:
    """For each result the operation that accumulates it and what that takes in.

    None, where anything else is done with what has been accumulated.
    """
    *steps, end = (view.operation for view in block_of(operation).operations)
    accumulators = [*block_of(operation).arguments][-len(outputs) :]
    found = []
    for accumulator, result in zip(accumulators, end.operands, strict=True):
        combine = result.owner
        others = [each for each in getattr(combine, "operands", ()) if each != accumulator]
        if getattr(combine, "name", "") not in _NEUTRAL or len(others) != 1:
            return []
        found.append((combine, others[0]))
    last = [combine for combine, _ in found]
    before = [value for step in steps if step not in last for value in step.operands]
    return [] if any(value in accumulators for value in before) else found


def _reductions(
    translator: Translator,
    operation: Any,
    combinations: list[tuple[Any, Any]],
    domain: tuple[int, ...],
    axes: list[int],
) -> list[Any]:
    """What is accumulated, each by one operation that has a neutral number."""
    inputs, outputs = in_and_out(operation)
    block = block_of(operation)
    last = [combine for combine, _ in combinations]
    with translator.over(domain):
        take(translator, operation, [*block.arguments][: len(inputs)])
        for view in [*block.operations][:-1]:
            if view.operation not in last:
                translator.operation(view.operation)
        values = translator.lifted([translator[value] for _, value in combinations])
    starts = _starts(translator, operation, outputs, axes)
    return [
        ELEMENTWISE[combine.name](combine, start, _reduced_by(combine, value, axes))
        for combine, value, start in zip(last, values, starts, strict=True)
    ]


def _in_turn(
    translator: Translator, operation: Any, domain: tuple[int, ...], axes: list[int]
) -> list[Any]:
    """Any other reduction: a loop over what it goes along, that does the rest at once."""
    inputs, outputs = in_and_out(operation)
    block = block_of(operation)
    kept = [axis for axis in range(len(domain)) if axis not in axes]
    shape = tuple(domain[axis] for axis in kept)
    count = constant(math.prod(domain[axis] for axis in axes), i64())
    one = constant(1, i64())

    def going(given: Sequence[Any]) -> list[Any]:
        return [compare("LT", given[0], count)]

    def body(given: Sequence[Any]) -> list[Any]:
        rest, indices = given[0], {}
        for axis in reversed(axes):
            size = constant(domain[axis], i64())
            indices[axis] = each("remainder", rest, size)
            rest = each("divide", rest, size)
        indices |= {axis: iota(shape, place) for place, axis in enumerate(kept)}
        with translator.over(shape, [indices[axis] for axis in range(len(domain))]):
            take(translator, operation, [*block.arguments][: len(inputs)])
            for argument, value in zip([*block.arguments][len(inputs) :], given[1:], strict=True):
                translator[argument] = value
            made = translator.lifted(translator.body(block))
        return [each("add", given[0], one), *made]

    starts = _starts(translator, operation, outputs, axes)
    return loop([constant(0, i64()), *starts], going, body)[1:]


def _starts(
    translator: Translator, operation: Any, outputs: list[Any], axes: Sequence[int]
) -> list[Any]:
    """What is accumulated to, over the dimensions that are kept, in their order."""
    maps = [each.value for each in operation.attributes["indexing_maps"]][-len(outputs) :]
    kept = [axis for axis in range(maps[0].n_dims) if axis not in axes]
    found = []
    for value, each_map in zip(outputs, maps, strict=True):
        named = dimensions(each_map)
        if sorted(named) != kept:
            refuse(operation, f"a result at {each_map}")
        found.append(transpose(translator[value], [named.index(axis) for axis in kept]))
    return found
