"""Looking at modules: their operations, functions and text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.building import bindings


def walk(module: Any, *, inner_first: bool = False) -> list[Any]:
    """All operations inside a module (or another operation), outer ones first or inner ones.

    >>> found = []
    >>> def look(module):
    ...     found.extend(each.name for each in ag.plugins.walk(module))
    >>> ag.jit(lambda x: x + 1.0, passes=[ag.plugins.Pass(look, effects=True)])(2.0)
    3.0
    >>> found[-1]
    'func.return'
    """
    found: list[Any] = []
    ir = bindings.ir
    advance = ir.WalkResult.ADVANCE

    def visit(operation: Any) -> Any:
        found.append(operation)
        return advance

    order = ir.WalkOrder.POST_ORDER if inner_first else ir.WalkOrder.PRE_ORDER
    visited(module.operation, visit, order)
    return found


def visited(operation: Any, visit: Callable[[Any], Any], order: Any) -> None:
    """Have MLIR call a function for each operation.

    What the function raises MLIR makes an error of its own; the user's interrupt stays one.
    """
    try:
        operation.walk(visit, order)
    except RuntimeError as error:
        if KeyboardInterrupt.__name__ in str(error):
            raise KeyboardInterrupt from None
        raise


def find(module: Any, *names: str) -> list[Any]:
    """All operations of these names inside a module."""
    return [operation for operation in walk(module) if operation.name in names]


def is_in_loop(operation: Any) -> bool:
    """Whether an operation is done in each iteration of a loop."""
    while operation is not None and operation.name not in ("scf.for", "scf.while"):
        operation = operation.parent
    return operation is not None


def in_block(operation: Any, block: Any) -> Any | None:
    """The operation of a block that another one is, or is inside of; None where it is elsewhere."""
    while operation is not None and operation.block != block:
        operation = operation.parent
        if operation is not None and operation.name in ("func.func", "builtin.module"):
            return None  # looking for the block of a function crashes
    return operation


def children(operation: Any) -> list[Any]:
    """The operations directly inside the regions of an operation.

    Iterating over its blocks instead would load the Python classes of their dialects.
    """
    found: list[Any] = []
    ir = bindings.ir
    around = operation.operation

    def visit(each: Any) -> Any:
        if each == around:
            return ir.WalkResult.ADVANCE
        found.append(each)
        return ir.WalkResult.SKIP

    visited(around, visit, ir.WalkOrder.PRE_ORDER)
    return found


def top_level(module: Any) -> list[Any]:
    """The operations directly inside a module."""
    return children(module)


def symbols(module: Any) -> dict[str, Any]:
    """The operations directly inside a module that have a name: functions and constants."""
    return {
        operation.attributes["sym_name"].value: operation
        for operation in top_level(module)
        if "sym_name" in operation.attributes
    }


def add_functions(module: Any, text: str) -> list[Any]:
    """Put the functions of a text into a module, but for those whose symbols it has; gives the new."""
    source = bindings.ir.Module.parse(text)  # its functions do not keep it alive
    known, end = symbols(module), bindings.ir.InsertionPoint(module.body)
    return [each.clone(ip=end) for name, each in symbols(source).items() if name not in known]


def clone_module(module: Any) -> Any:
    """A module with copies of the operations in another one."""
    ir = bindings.ir
    copy = ir.Module.create(module.operation.location)
    for name, attribute in module.operation.attributes.items():
        copy.operation.attributes[name] = attribute
    with ir.InsertionPoint(copy.body):
        for operation in top_level(module):
            operation.clone()
    return copy


def print_module(module: Any, locations: bool = False, elide: int | None = None) -> str:
    """A module's text, in which SSA values are named after the user's variables."""
    return module.operation.get_asm(  # type: ignore[no-any-return]
        enable_debug_info=locations,
        use_name_loc_as_prefix=True,
        large_elements_limit=elide,
    )
