"""What operations have in common that differ in numbers only, and such operations made of one another.

A number is a size, the offset of a slice, or a position: code can be made that is given it when
it runs.  Short sizes are no numbers here, for what code becomes depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from agir.backends.mlir.making import use_instead
from agir.ir.building import bindings
from agir.ir.building.attributes import i64_array, static

SHORT = 16
"""Sizes up to this one are kept: what a loop becomes depends on them."""

_SIZED = frozenset({"arith", "complex", "linalg", "math", "scf"})
_SIZED_TENSORS = frozenset(
    f"tensor.{name}"
    for name in (
        *("cast", "collapse_shape", "concat", "dim", "empty", "expand_shape", "extract"),
        *("extract_slice", "generate", "insert", "insert_slice", "pad", "splat", "yield"),
    )
)
"""What is valid for arrays of unknown sizes wherever it is for those of known ones."""
_LISTS = {
    "tensor.extract_slice": ("static_offsets", "static_sizes"),
    "tensor.insert_slice": ("static_offsets", "static_sizes"),
    "tensor.expand_shape": ("static_output_shape",),
}
"""The attributes that are lists of numbers."""
_OFFSETS = "static_offsets"
_SLICES = {"tensor.extract_slice": 1, "tensor.insert_slice": 2}
"""Operations whose operands after the first ones are offsets, sizes and steps."""
_FIRST_EXTENT = {
    "tensor.empty": 0,
    "tensor.generate": 0,
    "tensor.splat": 1,
    "tensor.expand_shape": 1,
}
"""Operations whose operands from this one on are the unknown sizes of their result."""

Number = Any
"""An ``int``, or the SSA value of an index."""


class Described(NamedTuple):
    """What there is to an operation, a type or a constant besides its numbers, and these."""

    form: Hashable
    numbers: tuple[int, ...] = ()
    sizes: int = 0
    """So many of the numbers, the last ones, are sizes of arrays."""


class Descriptions:
    """Descriptions of operations and constants, and of each type once."""

    def __init__(self) -> None:
        self._kinds: dict[Any, Described] = {}

    def of(self, operation: Any) -> Described:
        """What an operation does, apart from its operands and numbers."""
        name = operation.name
        if name == "arith.constant":
            return self.constant(operation)
        results = [value.type for value in operation.results]
        if not _is_sized(name):
            kinds = tuple([value.type for value in operation.operands])
            return Described((name, tuple(operation.attributes.items()), kinds, tuple(results)))
        attributes, numbers = _attributes(operation)
        if name.startswith("scf."):
            results += _carried(operation)
        found = [self.kind(each) for each in results]
        operands = tuple([self.kind(value.type).form for value in operation.operands])
        form = (name, attributes, operands, tuple([each.form for each in found]))
        shape = [n for each in found for n in each.numbers]
        return Described(form, (*numbers, *shape), len(shape))

    def constant(self, source: Any) -> Described:
        """What a constant is, or an empty tensor: positions and sizes are its numbers."""
        kind = self.kind(source.results[0].type)
        if source.name == "tensor.empty":
            return kind._replace(form=(source.name, kind.form))
        filled = filled_with(source)
        if filled is not None and kind.numbers:
            return kind._replace(form=(*filled, kind.form))
        if filled is not None:
            return Described((*filled, source.results[0].type))
        if _is_complex(source.results[0].type):
            return Described(source)
        ir = bindings.ir
        attribute = source.attributes["value"]
        if isinstance(attribute, ir.IntegerAttr) and isinstance(attribute.type, ir.IndexType):
            return Described((source.name, kind.form), (attribute.value,))
        return Described((source.name, attribute))

    def kind(self, kind: Any) -> Described:
        """What a type is apart from its sizes."""
        found = self._kinds.get(kind)
        if found is None:
            found = self._kinds[kind] = _kind(kind)
        return found


def _is_complex(kind: Any) -> bool:
    return isinstance(getattr(kind, "element_type", kind), bindings.ir.ComplexType)


def filled_with(source: Any) -> tuple[str, Any] | None:
    """What makes the number of which a constant is an array; None where there are several."""
    ir = bindings.ir
    kind = source.results[0].type
    if not isinstance(kind, ir.RankedTensorType):
        return None
    if _is_complex(kind):  # the bindings do not know such attributes
        parts = _COMPLEX.search(source.get_asm(large_elements_limit=1))
        element = kind.element_type.element_type
        texts = [f"{part} : {element}" for part in parts.groups()] if parts else []
        return ("complex.constant", ir.Attribute.parse(f"[{', '.join(texts)}]")) if parts else None
    attribute = source.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat:
        return "arith.constant", attribute.get_splat_value()
    return None


_COMPLEX = re.compile(r"dense<\(([^,()]+),([^,()]+)\)>")


def _is_sized(name: str) -> bool:
    return name.partition(".")[0] in _SIZED or name in _SIZED_TENSORS


def _kind(kind: Any) -> Described:
    if not isinstance(kind, bindings.ir.RankedTensorType):
        return Described(kind)
    shape = tuple([None if n > SHORT else n for n in kind.shape])
    form = ("tensor", shape, kind.element_type, kind.encoding)
    numbers = tuple([n for n in kind.shape if n > SHORT])
    return Described(form, numbers, len(numbers))


def _carried(operation: Any) -> list[Any]:
    """The types of what the regions of an operation are given."""
    return [v.type for region in operation.regions for block in region for v in block.arguments]


def _attributes(operation: Any) -> tuple[Hashable, list[int]]:
    lists = _LISTS.get(operation.name)
    if lists is None:
        return tuple(operation.attributes.items()), []
    form: list[Hashable] = []
    numbers: list[int] = []
    for name, attribute in operation.attributes.items():
        if name not in lists:
            form.append(attribute)
            continue
        for n in attribute:
            is_number = _is_number(name, n)
            form.append(None if is_number else n)
            numbers += [n] * is_number
    return tuple(form), numbers


def _is_number(name: str, n: int) -> bool:
    return n >= 0 if name == _OFFSETS else n > SHORT


def generalized(kind: Any, numbers: Iterator[Number]) -> Any:
    """A type with these numbers for its sizes, which are unknown where they are values."""
    ir = bindings.ir
    if not isinstance(kind, ir.RankedTensorType):
        return kind
    shape = static(next(numbers) if n > SHORT else n for n in kind.shape)
    return ir.RankedTensorType.get(shape, kind.element_type, kind.encoding)


def dimension_sizes(kind: Any, numbers: Sequence[Number]) -> list[Number]:
    """The sizes of a type, with numbers for those that are not short."""
    given = iter(numbers)
    return [next(given) if n > SHORT else n for n in kind.shape]


def made_constant(source: Any, numbers: Sequence[Number]) -> Any:
    """A constant, or an empty tensor, with these numbers, made here."""
    if all(isinstance(n, int) for n in numbers):
        return source.clone().results[0]
    ir = bindings.ir
    kind = source.results[0].type
    if isinstance(kind, ir.IndexType):
        return numbers[0]
    unknown = [n for n in numbers if not isinstance(n, int)]
    made = generalized(kind, iter(numbers))
    if source.name == "tensor.empty":
        return _create(source, "tensor.empty", [made], unknown).results[0]
    name, value = filled_with(source) or ("", None)
    scalar = _create(source, name, [kind.element_type], [], {"value": value})
    return _create(source, "tensor.splat", [made], [scalar.results[0], *unknown]).results[0]


def renumbered(operation: Any, numbers: Sequence[Number]) -> list[Any]:
    """Give an operation these numbers; gives its results, which may be those of another one."""
    if all(isinstance(n, int) for n in numbers):
        return list(operation.results)
    name = operation.name
    if name == "arith.constant":
        with bindings.ir.InsertionPoint(operation):
            made = [made_constant(operation, numbers)]
        return _replaced(operation, made)
    given = iter(numbers)
    lists = {each: _filled(operation, each, given) for each in _LISTS.get(name, ())}
    rest = list(given)
    given = iter(rest)
    types = [generalized(value.type, given) for value in operation.results]
    if name in _SLICES:
        return _renumbered_slice(operation, lists, types)
    if name in _FIRST_EXTENT:
        return _resized(operation, lists, types, dimension_sizes(operation.results[0].type, rest))
    inner = [v for region in operation.regions for block in region for v in block.arguments]
    kinds = types + [generalized(v.type, given) for v in inner]
    for value, kind in zip([*operation.results, *inner], kinds, strict=True):
        if value.type != kind:
            value.set_type(kind)
    return list(operation.results)


def _filled(operation: Any, name: str, numbers: Iterator[Number]) -> list[Number]:
    attribute = operation.attributes[name]
    return [next(numbers) if _is_number(name, n) else n for n in attribute]


def _renumbered_slice(
    operation: Any, lists: dict[str, list[Number]], types: Sequence[Any]
) -> list[Any]:
    first = _SLICES[operation.name]
    own, old = list(operation.operands)[:first], iter(list(operation.operands)[first:])
    lists = lists | {"static_strides": list(operation.attributes["static_strides"])}
    operands, segments, attributes = [*own], [1] * first, dict(operation.attributes.items())
    for name in ("static_offsets", "static_sizes", "static_strides"):
        values = _unknown(lists[name], old)
        operands += values
        segments.append(len(values))
        attributes[name] = _array(lists[name])
    attributes["operandSegmentSizes"] = bindings.ir.DenseI32ArrayAttr.get(segments)
    with bindings.ir.InsertionPoint(operation):
        made = _create(operation, operation.name, types, operands, attributes)
    return _replaced(operation, list(made.results))


def _resized(
    operation: Any,
    lists: dict[str, list[Number]],
    types: Sequence[Any],
    shape: Sequence[Number],
) -> list[Any]:
    """An operation that is given the unknown sizes of its result."""
    first = _FIRST_EXTENT[operation.name]
    own, old = list(operation.operands)[:first], iter(list(operation.operands)[first:])
    sizes = _unknown(shape, old)
    attributes = dict(operation.attributes.items())
    attributes.update((name, _array(numbers)) for name, numbers in lists.items())
    with bindings.ir.InsertionPoint(operation):
        made = _create(operation, operation.name, types, [*own, *sizes], attributes)
    for old_region, region in zip(operation.regions, made.regions, strict=True):
        old_region.blocks[0].append_to(region)
    return _replaced(operation, list(made.results))


def _unknown(numbers: Sequence[Number], old: Iterator[Any]) -> list[Any]:
    """The values among numbers; for a number that was unknown before, the next old one."""
    return [
        each if not isinstance(each, int) else next(old)
        for each, number in zip(numbers, static(numbers), strict=True)
        if number < 0
    ]


def _array(numbers: Sequence[Number]) -> Any:
    return i64_array(static(numbers))


def _create(source: Any, name: str, types: Any, operands: Any, attributes: Any = None) -> Any:
    return bindings.ir.Operation.create(
        name,
        results=types,
        operands=operands,
        attributes=attributes,
        regions=len(source.regions) if name == source.name else 0,
        loc=source.location,
    )


def _replaced(operation: Any, values: list[Any]) -> list[Any]:
    use_instead(operation, values)
    operation.erase()
    return values
