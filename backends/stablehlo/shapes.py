"""The operations of `tensor`: parts of tensors, and other shapes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.backends.mlir.making import op
from agir.backends.stablehlo.building import (
    broadcast,
    concatenate,
    constant,
    converted,
    element_of,
    gather,
    i64,
    numbers,
    refuse,
    reshape,
    select,
    shape_of,
    tensor,
)
from agir.backends.stablehlo.translator import Translator
from agir.ir.building import bindings

__all__ = ["RULES"]

Rule = Callable[["Translator", Any], Any]
"""The result of an operation."""


def zeros(kind: Any) -> Any:
    """A tensor of zeros."""
    return constant(0, kind.element_type, kind.shape)


def _empty(translator: Translator, operation: Any) -> Any:
    return zeros(converted(operation.results[0].type, operation))


def _splat(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    return broadcast(translator[operation.operands[0]], kind.shape)


def _from_elements(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    parts = [reshape(translator[each], (1,)) for each in operation.operands]
    return reshape(concatenate(parts, 0), kind.shape) if parts else zeros(kind)


def _reshape(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    return reshape(translator[operation.operands[0]], kind.shape)


def _size(translator: Translator, operation: Any) -> Any:
    """How long a dimension is, which is one of those that the type has."""
    source, index = operation.operands
    kind = converted(source.type, operation)
    number = index.owner.attributes["value"].value if index.owner.name == "arith.constant" else None
    if number is None:
        return refuse(operation, "the dimension is known only at run time")
    return constant(kind.shape[number], i64())


def _rank(translator: Translator, operation: Any) -> Any:
    return constant(operation.operands[0].type.rank, i64())


def _extract(translator: Translator, operation: Any) -> Any:
    source, *indices = (translator[each] for each in operation.operands)
    if translator.domain is not None and any(shape_of(each) for each in indices):
        return gather(source, translator.lifted(indices), translator.domain)
    return gather(source, indices, ())


def _insert(translator: Translator, operation: Any) -> Any:
    value, whole, *indices = (translator[each] for each in operation.operands)
    return _updated(whole, reshape(value, [1] * len(indices)), indices)


def _updated(whole: Any, part: Any, offsets: Sequence[Any]) -> Any:
    if not offsets:
        return part
    if 0 in shape_of(whole):  # into which nothing is put
        return whole
    return op("stablehlo.dynamic_update_slice", whole.type, whole, part, *offsets)


class _Window:
    """Where a slice is: offsets (numbers, or values of run time), sizes and steps."""

    def __init__(self, translator: Translator, operation: Any, first: int) -> None:
        attributes = operation.attributes
        dynamic = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
        static = (attributes[f"static_{name}"] for name in ("offsets", "sizes", "strides"))
        operands = iter([*operation.operands][first:])
        offsets, sizes, strides = (
            [translator[next(operands)] if each == dynamic else each for each in row]
            for row in static
        )
        if not all(isinstance(each, int) for each in (*sizes, *strides)):
            refuse(operation, "a size or step that is known only at run time")
        if any(each < 1 for each in strides):
            refuse(operation, "a step backwards")
        self.offsets, self.sizes, self.strides = offsets, sizes, strides

    @property
    def span(self) -> list[int]:
        """The sizes of what lies between the first and the last element."""
        pairs = zip(self.sizes, self.strides, strict=True)
        return [max(0, (size - 1) * step + 1) for size, step in pairs]

    def values(self) -> list[Any]:
        """The offsets as tensors."""
        return [constant(n, i64()) if isinstance(n, int) else n for n in self.offsets]

    def read(self, source: Any) -> Any:
        """The slice of a tensor."""
        if not self.sizes:
            return source
        offsets, span = self.offsets, self.span
        if not all(isinstance(each, int) for each in offsets):
            kind = tensor(span, element_of(source))
            sizes = numbers(span)
            source = op("stablehlo.dynamic_slice", kind, source, *self.values(), slice_sizes=sizes)
            offsets = [0] * len(span)
        return op(
            "stablehlo.slice",
            tensor(self.sizes, element_of(source)),
            source,
            start_indices=numbers(offsets),
            limit_indices=numbers(a + b for a, b in zip(offsets, span, strict=True)),
            strides=numbers(self.strides),
        )

    def write(self, whole: Any, part: Any) -> Any:
        """The tensor with the slice replaced."""
        part = reshape(part, self.sizes)
        if any(step > 1 for step in self.strides):
            dense = _Window.__new__(_Window)
            dense.offsets, dense.sizes, dense.strides = (
                self.offsets,
                self.span,
                [1] * len(self.span),
            )
            truth = bindings.ir.IntegerType.get_signless(1)
            mask = self._spread(constant(True, truth, self.sizes))
            part = select(mask, self._spread(part), dense.read(whole))
        return _updated(whole, part, self.values())

    def _spread(self, part: Any) -> Any:
        """A slice with zeros between its elements."""
        none = [0] * len(self.sizes)
        between = [step - 1 for step in self.strides]
        return padded(part, constant(0, element_of(part)), none, none, between)


def padded(
    value: Any, filling: Any, low: Sequence[int], high: Sequence[int], between: Sequence[int]
) -> Any:
    """A tensor with something before, after and between its elements."""
    sizes = [
        size + before + after + max(0, size - 1) * gap
        for size, before, after, gap in zip(shape_of(value), low, high, between, strict=True)
    ]
    return op(
        "stablehlo.pad",
        tensor(sizes, element_of(value)),
        value,
        filling,
        edge_padding_low=numbers(low),
        edge_padding_high=numbers(high),
        interior_padding=numbers(between),
    )


def _extract_slice(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    source = translator[operation.operands[0]]
    return reshape(_Window(translator, operation, 1).read(source), kind.shape)


def _insert_slice(translator: Translator, operation: Any) -> Any:
    part, whole = (translator[each] for each in [*operation.operands][:2])
    return _Window(translator, operation, 2).write(whole, part)


def _pad(translator: Translator, operation: Any) -> Any:
    low, high = (list(operation.attributes[f"static_{name}"]) for name in ("low", "high"))
    if len(operation.operands) > 1:
        refuse(operation, "padding of a size that is known only at run time")
    source = translator[operation.operands[0]]
    [filling] = translator.body(operation.regions[0].blocks[0])
    return padded(source, filling, low, high, [0] * len(low))


def _concatenate(translator: Translator, operation: Any) -> Any:
    parts = [translator[each] for each in operation.operands]
    return concatenate(parts, operation.attributes["dim"].value)


def _generate(translator: Translator, operation: Any) -> Any:
    kind = converted(operation.results[0].type, operation)
    block = operation.regions[0].blocks[0]
    with translator.over(tuple(kind.shape)):
        for axis, argument in enumerate(block.arguments):
            translator[argument] = translator.index(axis)
        [made] = translator.lifted(translator.body(block))
    return made


RULES: dict[str, Rule] = {
    **dict.fromkeys(("tensor.empty", "ub.poison"), _empty),
    "tensor.splat": _splat,
    "tensor.from_elements": _from_elements,
    **dict.fromkeys(
        ("tensor.cast", "tensor.expand_shape", "tensor.collapse_shape", "tensor.reshape"), _reshape
    ),
    "tensor.dim": _size,
    "tensor.rank": _rank,
    "tensor.extract": _extract,
    "tensor.insert": _insert,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.pad": _pad,
    "tensor.concat": _concatenate,
    "tensor.generate": _generate,
}
