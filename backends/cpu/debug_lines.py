"""Giving machine code a line table: locations as what LLVM takes for debug information."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import PREFIX
from agir.backends.mlir.modules import symbols, walk
from agir.backends.mlir.passes import apply
from agir.backends.mlir.places import places
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE

_LIBRARY = "agir."
_INLINED = "always_inline"
_SCOPES = "ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}"


def add_lines(module: Any) -> None:
    """Leave of each location in a module of the LLVM dialect the user's line, as LLVM wants it."""
    for function in symbols(module).values():
        if function.name == "llvm.func":
            _simplify(function)
            _keep_apart(function)
    as_debug_information(module)


def as_debug_information(module: Any) -> None:
    """Make locations LLVM's.

    What is agir's own has none, so that it takes the line of the call that it is inlined into.
    """
    apply(module, _SCOPES)  # LLVM has locations only inside of a function that has one itself
    unknown = bindings.ir.Location.unknown()
    for name, function in symbols(module).items():
        if name.startswith(_LIBRARY) and not name.startswith(PREFIX):
            for operation in [*walk(function), function]:
                operation.location = unknown


def _keep_apart(function: Any) -> None:
    """Keep a function of numbers out of its wrapper, which LLVM makes, and which has no lines."""
    attributes = function.attributes
    if SIGNATURE in attributes and _INLINED in attributes:
        del attributes[_INLINED]
        attributes["no_inline"] = bindings.ir.UnitAttr.get()
        attributes["linkage"] = bindings.ir.Attribute.parse("#llvm.linkage<external>")


def _simplify(function: Any) -> None:
    ir = bindings.ir
    unknown, last = ir.Location.unknown(), ir.Location.file("-", 1, 1)
    for operation in walk(function):
        if found := places(operation.location):
            last = ir.Location.file(found[0].file, found[0].line, found[0].column)
            operation.location = last
        else:  # LLVM wants a line for each call that it may inline
            operation.location = last if operation.name == "llvm.call" else unknown
