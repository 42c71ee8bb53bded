"""Products of complex matrices as sums of products of their real and imaginary parts.

Vectors hold numbers, so the parts are arrays of their own, made once: each element of a matrix is
used by many sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import affine_map, iterator_types
from agir.backends.cpu.passes.tensors.rematerialization import filled
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import op, unknown_sizes
from agir.ir.building import bindings

_PARTS = ("complex.re", "complex.im")
_MANY = 1000
"""Products from which on it is worth to have arrays of the parts."""
_TYPICAL = 16
"""What a size that only the run time knows is taken for."""

_Body = Callable[..., Any]


def split_complex_contractions(module: Any) -> None:
    """Rewrite contractions of complex matrices."""
    graph = Producers(module)
    for contract in graph.find("linalg.contract"):
        maps = [attribute.value for attribute in contract.attributes["indexing_maps"]]
        if _is_complex(contract) and _uses_elements_often(contract, maps):
            _rewrite(contract, maps, graph)


def _is_complex(contract: Any) -> bool:
    kinds = {value.type.element_type for value in contract.operands}
    return len(kinds) == 1 and isinstance(kinds.pop(), bindings.ir.ComplexType)


def _uses_elements_often(contract: Any, maps: Sequence[Any]) -> bool:
    """Whether each element of both operands is part of several sums of several terms."""
    axes = [[str(result) for result in each.results] for each in maps]
    sizes: dict[str, int] = {}
    for value, names in zip(contract.operands, axes, strict=True):
        for axis, name in enumerate(names):
            if not value.type.is_dynamic_dim(axis):
                sizes[name] = value.type.get_dim_size(axis)
    left, right, kept = map(set, axes)
    everything = left | right | kept
    sums = everything - kept
    shared = [prod(sizes.get(n, _TYPICAL) for n in kept - own) for own in (left, right)]
    count = prod(sizes.get(name, _TYPICAL) for name in everything)
    return bool(sums) and min(shared) > 1 and count >= _MANY


def _rewrite(contract: Any, maps: Sequence[Any], graph: Producers) -> None:
    left, right, start = contract.operands
    kind = contract.results[0].type
    with bindings.ir.InsertionPoint(contract), contract.location:
        parts = [*_parts(left), *_parts(right)]
        sums = [
            _contraction(parts, begin, maps, body)
            for begin, body in zip(_starts(start, graph), (_real, _imaginary), strict=True)
        ]
        made = _elementwise(sums, kind, lambda a, b: op("complex.create", kind.element_type, a, b))
    contract.results[0].replace_all_uses_with(made)
    contract.operation.erase()


def _real(a: Any, b: Any, c: Any, d: Any, total: Any) -> Any:
    more = op("arith.addf", a.type, total, op("arith.mulf", a.type, a, c))
    return op("arith.subf", a.type, more, op("arith.mulf", a.type, b, d))


def _imaginary(a: Any, b: Any, c: Any, d: Any, total: Any) -> Any:
    more = op("arith.addf", a.type, total, op("arith.mulf", a.type, a, d))
    return op("arith.addf", a.type, more, op("arith.mulf", a.type, b, c))


def _parts(value: Any) -> list[Any]:
    """The real and the imaginary parts of an array."""
    kind = _real_kind(value.type)
    return [
        _elementwise([value], kind, lambda z, name=name: op(name, kind.element_type, z))
        for name in _PARTS
    ]


def _starts(start: Any, graph: Producers) -> list[Any]:
    """The parts of what the sums begin with; fills, where it is one."""
    fill = graph.producer(start, "linalg.fill")
    if fill is None:
        return _parts(start)
    kind = _real_kind(start.type)
    number = fill.operands[0]
    return [
        filled(op(name, kind.element_type, number), kind, unknown_sizes(start)) for name in _PARTS
    ]


def _real_kind(kind: Any) -> Any:
    return bindings.ir.RankedTensorType.get(kind.shape, kind.element_type.element_type)


def _elementwise(inputs: Sequence[Any], kind: Any, body: _Body) -> Any:
    empty = op("tensor.empty", kind, *unknown_sizes(inputs[0]))
    maps = [affine_map(kind.rank, range(kind.rank))] * (len(inputs) + 1)
    return _generic(inputs, empty, maps, (), lambda *values: body(*values[:-1]))


def _contraction(inputs: Sequence[Any], start: Any, maps: Sequence[Any], body: _Body) -> Any:
    left, right, kept = maps
    named = {str(result) for result in kept.results}
    everything = affine_map(left.n_dims, range(left.n_dims)).results
    reduced = [axis for axis, each in enumerate(everything) if str(each) not in named]
    return _generic(inputs, start, [left, left, right, right, kept], reduced, body)


def _generic(
    inputs: Sequence[Any], start: Any, maps: Sequence[Any], reduced: Sequence[int], body: _Body
) -> Any:
    ir = bindings.ir
    operands = [*inputs, start]
    generic = ir.Operation.create(
        "linalg.generic",
        results=[start.type],
        operands=operands,
        attributes={
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(each) for each in maps]),
            "iterator_types": iterator_types(maps[0].n_dims, reduced),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        },
        regions=1,
    )
    block = generic.regions[0].blocks.append(*(value.type.element_type for value in operands))
    with ir.InsertionPoint(block):
        ir.Operation.create("linalg.yield", operands=[body(*block.arguments)])
    return generic.results[0]
