"""Arguments that are read and written where they lie, whatever their strides.

A program is compiled for contiguous arrays.  For large ones that are not, it is compiled once more,
with the attribute ``agir.strided`` on the function: the positions of these arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.library.loops import is_in_loop
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

STRIDED = "agir.strided"


def can_be_strided(module: Any) -> bool:
    """Whether the arguments of a program may have any strides.

    Not those that it passes on to others, nor those that it sees in fewer dimensions at each
    iteration of a loop, which would be copied there: a copy before the call is made once.
    """
    found = find(module, "func.call", "tensor.collapse_shape")
    return not any(operation.name == "func.call" or _copies(operation) for operation in found)


def _copies(collapse: Any) -> bool:
    """Whether a collapse of an array with any strides would copy it again and again."""
    if not is_in_loop(collapse):
        return False
    shape = collapse.operands[0].type.shape
    groups = collapse.attributes["reassociation"]
    return any(sum(shape[axis.value] != 1 for axis in group) > 1 for group in groups)


def mark_strided(module: Any, name: str, positions: Sequence[int]) -> None:
    """Have a function take any strides for the arguments at these positions."""
    for function in functions(module):
        if function.attributes["sym_name"].value == name:
            function.attributes[STRIDED] = bindings.ir.DenseI64ArrayAttr.get(list(positions))


def buffer_type(argument: Any) -> Any:
    """The type of an argument, a tensor, as a buffer."""
    ir = bindings.ir
    tensor = argument.type
    if argument.arg_number not in argument.owner.owner.attributes.get(STRIDED, ()):
        return ir.MemRefType.get(tensor.shape, tensor.element_type)
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    layout = ir.StridedLayoutAttr.get(dynamic, [dynamic] * tensor.rank)
    return ir.MemRefType.get(tensor.shape, tensor.element_type, layout)


def take_strided_arguments(module: Any) -> None:
    """Make buffers of the arguments with any strides that are only read."""
    ir = bindings.ir
    for function in functions(module):
        if STRIDED not in function.attributes:
            continue
        block = function.regions[0].blocks[0]
        for position in function.attributes[STRIDED]:
            argument = block.arguments[position]
            if isinstance(argument.type, ir.RankedTensorType):
                _take(block, argument)
        kinds = [argument.type for argument in block.arguments]
        results = function.attributes["function_type"].value.results
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kinds, results))


def _take(block: Any, argument: Any) -> None:
    ir = bindings.ir
    tensor, buffer = argument.type, buffer_type(argument)
    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
        view = ir.Operation.create(
            "bufferization.to_tensor",
            results=[tensor],
            operands=[argument],
            attributes={"restrict": ir.UnitAttr.get()},
        )
    argument.replace_all_uses_except(view.results[0], view)
    argument.set_type(buffer)
