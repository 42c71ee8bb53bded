"""Functions made of operations of another function, and their calls."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import KERNEL
from agir.backends.mlir.modules import symbols, visited, walk
from agir.ir.building import bindings

_COMPUTES = ("arith", "complex", "linalg", "math")
_FRAMES = ("constant", "generic", "index", "map", "yield")
_TOLD = 4


def kernel(operations: Sequence[Any], inputs: Sequence[Any], types: Sequence[Any]) -> Any:
    """A function, in no module as yet, that does what the operations do.

    What they use besides the inputs, of the types that are given, it makes itself.
    """

    def fill(block: Any) -> tuple[()]:
        given = dict(zip(inputs, block.arguments, strict=True))
        for operation in operations:
            copy_into(block, operation, given)
        return ()

    return private_function(types, fill, operations[-1].location)


def private_function(
    types: Sequence[Any],
    fill: Callable[[Any], Sequence[Any]],
    location: Any,
    mark: str = KERNEL,
) -> Any:
    """A function, in no module as yet, of arguments of these types, with an attribute that marks it.

    It is filled by what makes its operations in a block, and gives the results.
    """
    ir = bindings.ir
    attributes = {
        "sym_name": ir.StringAttr.get("kernel"),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get([], [])),
        mark: ir.UnitAttr.get(),
    }
    function = ir.Operation.create("func.func", attributes=attributes, regions=1, ip=False)
    block = function.regions[0].blocks.append(*types)
    with ir.InsertionPoint(block), location:
        results = fill(block)
        ir.Operation.create("func.return", operands=results)
    kinds = [value.type for value in results]
    types = [value.type for value in block.arguments]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, kinds))
    if not kinds and all(map(_is_known, types)):
        function.attributes["llvm.bareptr"] = ir.UnitAttr.get()
    return function


def copy_into(block: Any, operation: Any, given: dict[Any, Any]) -> None:
    """Copy an operation to the end of a block, in which other values stand for its operands."""
    ir = bindings.ir
    with ir.InsertionPoint(block):
        copy = operation.clone()
    inside = walk(copy)
    own = {value for each in inside for value in defined(each)}
    for each in inside:
        for i, value in enumerate(each.operands):
            if value in own:
                continue
            if value not in given:
                with ir.InsertionPoint.at_block_begin(block):
                    given[value] = value.owner.clone().results[0]
            each.operands[i] = given[value]
    given.update(zip(operation.results, copy.results, strict=True))


def defined(operation: Any) -> list[Any]:
    """The values that an operation makes: its results, and the arguments of its blocks."""
    arguments = [v for region in operation.regions for block in region for v in block.arguments]
    return [*operation.results, *arguments]


def _is_known(kind: Any) -> bool:
    """Whether an argument can be passed as an address alone."""
    ir = bindings.ir
    if not isinstance(kind, ir.MemRefType):
        return True
    strides, offset = kind.get_strides_and_offset()
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    return bool(kind.has_static_shape) and dynamic not in (*strides, offset)


def add_kernel(module: Any, function: Any) -> None:
    """Put a function into a module, if its like is not there.

    Its name says what it computes, and has a hash of its text.
    """
    add_function(module, function, ("agir.kernel", *_computed(function)))


def add_function(module: Any, function: Any, words: Sequence[str]) -> None:
    """Put a function, named by words and a hash of its text, into a module without its like."""
    digest = hashlib.sha256(str(function).encode()).hexdigest()[:16]
    name = "_".join((*words, digest))
    function.attributes["sym_name"] = bindings.ir.StringAttr.get(name)
    if name not in symbols(module):
        module.body.append(function)


def _computed(function: Any) -> list[str]:
    """The first few different operations of a function that compute something."""
    walks = bindings.ir.WalkResult
    found: dict[str, None] = {}

    def visit(each: Any) -> Any:
        dialect, _, name = each.name.partition(".")
        if dialect in _COMPUTES and name not in _FRAMES:
            found[name] = None
        return walks.SKIP if name == "contract" else walks.ADVANCE

    visited(function.operation, visit, bindings.ir.WalkOrder.PRE_ORDER)
    return list(found)[:_TOLD]


def call(function: Any, operands: Sequence[Any]) -> Any:
    """Make a call of a function, here."""
    ir = bindings.ir
    callee = ir.FlatSymbolRefAttr.get(function.attributes["sym_name"].value)
    results = function.attributes["function_type"].value.results
    return ir.Operation.create(
        "func.call", results=list(results), operands=operands, attributes={"callee": callee}
    )
