"""The operations of `linalg`: what they compute at each point, as operations on whole tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.mlir.making import op
from agir.backends.stablehlo.building import (
    broadcast,
    convert,
    converted,
    each,
    parsed,
    refuse,
    shape_of,
    tensor,
    transpose,
)
from agir.backends.stablehlo.points import block_of, dimensions, in_and_out, take
from agir.backends.stablehlo.reductions import accumulated, reduced
from agir.backends.stablehlo.translator import Translator

__all__ = ["RULES"]


def _fill(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    return broadcast(translator[operation.operands[0]], kind.shape)


def _broadcast(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    added = set(operation.attributes["dimensions"])
    kept = [axis for axis in range(len(kind.shape)) if axis not in added]
    return broadcast(translator[operation.operands[0]], kind.shape, kept)


def _transpose(translator: Translator, operation: Any) -> Any:
    return transpose(translator[operation.operands[0]], [*operation.attributes["permutation"]])


def _map(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    block = block_of(operation)
    with translator.over(tuple(kind.shape)):
        for argument, value in zip(block.arguments, operation.operands, strict=False):
            translator[argument] = translator[value]
        [made] = translator.lifted(translator.body(block))
    return made


def _generic(translator: Translator, operation: Any) -> list[Any]:
    inputs, outputs = in_and_out(operation)
    maps = [each.value for each in operation.attributes["indexing_maps"]]
    kinds = [str(each) for each in operation.attributes["iterator_types"]]
    domain = _domain(operation, [*inputs, *outputs], maps)
    axes = [axis for axis, kind in enumerate(kinds) if "reduction" in kind]
    if axes:
        found = accumulated(translator, operation, domain, axes)
    else:
        block = block_of(operation)
        with translator.over(domain):
            take(translator, operation, block.arguments)
            found = translator.lifted(translator.body(block))
    return [
        _placed(operation, value, each_map, axes)
        for value, each_map in zip(found, maps[len(inputs) :], strict=True)
    ]


def _domain(operation: Any, values: list[Any], maps: list[Any]) -> tuple[int, ...]:
    sizes: dict[int, int] = {}
    for value, each_map in zip(values, maps, strict=True):
        kind = converted(value.type, operation)
        sizes.update(zip(dimensions(each_map), kind.shape, strict=False))
    rank = maps[0].n_dims
    if any(axis not in sizes for axis in range(rank)):
        refuse(operation, "a dimension that is none of a tensor's")
    return tuple(sizes[axis] for axis in range(rank))


def _placed(operation: Any, value: Any, each_map: Any, axes: Sequence[int]) -> Any:
    """A value over the dimensions that are kept, in the order of the result."""
    kept = [axis for axis in range(each_map.n_dims) if axis not in axes]
    named = dimensions(each_map)
    if sorted(named) != kept:
        refuse(operation, f"a result at {each_map}")
    return transpose(value, [kept.index(axis) for axis in named])


def _contract(translator: Translator, operation: Any) -> Any:
    left_map, right_map, out_map = (
        dimensions(each.value) for each in operation.attributes["indexing_maps"]
    )
    kind = converted(operation.results[0].type, operation)
    left, right, before = (translator[each] for each in operation.operands)
    left, right = (convert(each, kind.element_type) for each in (left, right))
    both = [axis for axis in left_map if axis in right_map]
    batch = [axis for axis in both if axis in out_map]
    inner = [axis for axis in both if axis not in out_map]
    free = [[axis for axis in row if axis not in both] for row in (left_map, right_map)]
    order = [*batch, *free[0], *free[1]]
    if -1 in (*left_map, *right_map) or sorted(order) != sorted(out_map):
        refuse(operation, "a product whose dimensions are not those of its factors")
    sizes = dict(zip([*left_map, *right_map], [*shape_of(left), *shape_of(right)], strict=True))
    pairs = [(some, row) for some in (batch, inner) for row in (left_map, right_map)]
    rows = [[row.index(axis) for axis in some] for some, row in pairs]
    names = ("lhs_batching", "rhs_batching", "lhs_contracting", "rhs_contracting")
    text = ", ".join(f"{name}_dimensions = {row}" for name, row in zip(names, rows, strict=True))
    product = op(
        "stablehlo.dot_general",
        tensor([sizes[axis] for axis in order], kind.element_type),
        left,
        right,
        dot_dimension_numbers=parsed(f"#stablehlo.dot<{text}>"),
    )
    return each("add", before, transpose(product, [order.index(axis) for axis in out_map]))


def _index(translator: Translator, operation: Any) -> Any:
    return translator.index(operation.attributes["dim"].value)


RULES: dict[str, Any] = {
    "linalg.fill": _fill,
    "linalg.broadcast": _broadcast,
    "linalg.transpose": _transpose,
    "linalg.map": _map,
    "linalg.reduce": reduced,
    "linalg.generic": _generic,
    "linalg.contract": _contract,
    "linalg.index": _index,
}
