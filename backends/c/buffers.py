"""The operations of `memref`: descriptors of arrays, and what is loaded and stored through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.backends.c.types import SCALARS, array_type, joined, layout, literal, refuse
from agir.backends.c.writer import Writer, global_name
from agir.backends.reference.core.attributes import decode, dense_from_text
from agir.ir.building import bindings

__all__ = ["STATEMENTS", "static_array"]


def static_array(operation: Any) -> str:
    """The definition of an array that the program holds."""
    kind = operation.attributes["type"].value
    name = global_name(operation.attributes["sym_name"].value)
    element = SCALARS.get(str(kind.element_type)) or refuse(operation, f"the type {kind}")
    constant = "const " if "constant" in operation.attributes else ""
    count = max(1, math.prod(kind.shape))
    values = _values(operation, kind)
    given = "" if values is None else f" = {{{joined([*map(literal, values.ravel())]) or '0'}}}"
    return f"static {constant}{element} {name}[{count}]{given};"


def _values(operation: Any, kind: Any) -> np.ndarray[Any, Any] | None:
    ir = bindings.ir
    if isinstance(kind.element_type, ir.ComplexType):  # of which the bindings have no attributes
        tensor = ir.RankedTensorType.get(kind.shape, kind.element_type)
        text = str(operation).replace("> {alignment", "> : tensor<")
        return dense_from_text(text, tensor)
    value = operation.attributes["initial_value"]
    return np.asarray(decode(value)) if isinstance(value, ir.DenseElementsAttr) else None


def _place(kind: Any, name: str, indices: Sequence[str]) -> str:
    """Where an element is, counted in elements from the beginning of the data."""
    strides, offset, _ = layout(kind)
    parts = [] if offset == 0 else [str(offset) if offset is not None else f"{name}.offset"]
    for axis, (index, stride) in enumerate(zip(indices, strides, strict=True)):
        factor = f"{name}.stride[{axis}]" if stride is None else str(stride)
        parts.append(index if stride == 1 else f"{index} * {factor}")
    return " + ".join(parts) or "0"


def _element(kind: Any, name: str, indices: Sequence[str]) -> str:
    return f"{name}.data[{_place(kind, name, indices)}]"


def _load(writer: Writer, operation: Any) -> None:
    array, *indices = map(writer.name, operation.operands)
    writer.define(operation.results[0], _element(operation.operands[0].type, array, indices))


def _store(writer: Writer, operation: Any) -> None:
    value, array, *indices = map(writer.name, operation.operands)
    writer.line(f"{_element(operation.operands[1].type, array, indices)} = {value};")


def _sizes(kind: Any, given: Sequence[str]) -> list[str]:
    dynamic = iter(given)
    return [next(dynamic) if size is None else str(size) for size in layout(kind)[2]]


def _descriptor(
    writer: Writer,
    result: Any,
    base: str,
    data: str,
    offset: str,
    sizes: Sequence[str],
    strides: Sequence[str],
) -> None:
    parts = [base, data, offset]
    if sizes:
        parts += [f"{{{joined(sizes)}}}", f"{{{joined(strides)}}}"]
    writer.define(result, f"{{{joined(parts)}}}")


def _allocate(writer: Writer, operation: Any) -> None:
    result = operation.results[0]
    kind = result.type
    sizes = _sizes(kind, [*map(writer.name, operation.operands)])
    strides = [
        "1" if n == len(sizes) - 1 else " * ".join(sizes[n + 1 :]) for n in range(len(sizes))
    ]
    element = SCALARS[str(kind.element_type)]
    data = writer.fresh("data")
    count = " * ".join([f"sizeof({element})", *sizes])
    where = "malloc" if operation.name == "memref.alloc" else "__builtin_alloca"
    array_type(kind, operation)
    writer.line(f"{element} *{data} = {where}({count} + 1);")
    _descriptor(writer, result, data, data, "0", sizes, strides)


def _free(writer: Writer, operation: Any) -> None:
    writer.line(f"free({writer.name(operation.operands[0])}.base);")


def _copy(writer: Writer, operation: Any) -> None:
    source, target = operation.operands
    names = [writer.name(source), writer.name(target)]
    known = layout(source.type)[2]
    indices = [writer.fresh("i") for _ in known]
    for axis, (index, size) in enumerate(zip(indices, known, strict=True)):
        end = f"{names[0]}.size[{axis}]" if size is None else str(size)
        writer.open(f"for (int64_t {index} = 0; {index} < {end}; {index}++)")
    pair = [
        _element(each.type, name, indices)
        for each, name in zip((source, target), names, strict=True)
    ]
    writer.line(f"{pair[1]} = {pair[0]};")
    for _ in indices:
        writer.close()


def _dim(writer: Writer, operation: Any) -> None:
    array, axis = map(writer.name, operation.operands)
    writer.define(operation.results[0], f"{array}.size[{axis}]")


def _same(writer: Writer, operation: Any) -> None:
    """Another type for the same descriptor."""
    writer.define(operation.results[0], writer.name(operation.operands[0]))


def _global(writer: Writer, operation: Any) -> None:
    result = operation.results[0]
    strides, _, sizes = layout(result.type)
    element = SCALARS[str(result.type.element_type)]
    data = f"({element} *){global_name(operation.attributes['name'].value)}"
    _descriptor(writer, result, data, data, "0", [*map(str, sizes)], [*map(str, strides)])


def _given(writer: Writer, operation: Any) -> list[list[str]]:
    """Offsets, sizes and strides, as constants or values."""
    dynamic = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    operands = iter([writer.name(each) for each in [*operation.operands][1:]])
    return [
        [
            next(operands) if each == dynamic else str(each)
            for each in operation.attributes[f"static_{name}"]
        ]
        for name in ("offsets", "sizes", "strides")
    ]


def _reinterpret(writer: Writer, operation: Any) -> None:
    name = writer.name(operation.operands[0])
    [offset], sizes, strides = _given(writer, operation)
    result = operation.results[0]
    _descriptor(writer, result, f"{name}.base", f"{name}.data", offset, sizes, strides)


def _transpose(writer: Writer, operation: Any) -> None:
    name = writer.name(operation.operands[0])
    order = [each.position for each in operation.attributes["permutation"].value.results]
    rows = [[f"{name}.{field}[{axis}]" for axis in order] for field in ("size", "stride")]
    result = operation.results[0]
    _descriptor(writer, result, f"{name}.base", f"{name}.data", f"{name}.offset", *rows)


def _metadata(writer: Writer, operation: Any) -> None:
    """The parts of a descriptor one by one."""
    source = operation.operands[0]
    name, rank = writer.name(source), source.type.rank
    base, offset, *rest = operation.results
    _descriptor(writer, base, f"{name}.base", f"{name}.data", "0", [], [])
    writer.define(offset, f"{name}.offset")
    for field, values in (("size", rest[:rank]), ("stride", rest[rank:])):
        for axis, value in enumerate(values):
            writer.define(value, f"{name}.{field}[{axis}]")


def _address(writer: Writer, operation: Any) -> None:
    name = writer.name(operation.operands[0])
    writer.define(operation.results[0], f"(int64_t)(intptr_t){name}.data")


STATEMENTS = {
    "memref.load": _load,
    "memref.store": _store,
    **dict.fromkeys(("memref.alloc", "memref.alloca"), _allocate),
    "memref.dealloc": _free,
    "memref.copy": _copy,
    "memref.dim": _dim,
    "memref.cast": _same,
    "memref.get_global": _global,
    "memref.reinterpret_cast": _reinterpret,
    "memref.transpose": _transpose,
    "memref.extract_strided_metadata": _metadata,
    "memref.extract_aligned_pointer_as_index": _address,
}
