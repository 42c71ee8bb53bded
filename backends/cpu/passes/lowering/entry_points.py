"""What a module's functions need before they are lowered: visibility, writability, signatures."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.calling.callbacks import export, remember_types
from agir.backends.cpu.passes.analysis.functions import (
    KERNEL,
    PART,
    WRITABLE,
    functions,
    is_public,
)
from agir.backends.mlir.modules import find, symbols
from agir.ir.building import bindings
from agir.ir.building.attributes import LIBRARY, RARE, SIGNATURE
from agir.ir.host import hosts

LINKAGE = "llvm.linkage"
_LINKAGE = "linkage"
"""The same in the LLVM dialect."""
READING = (
    "#llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, "
    "targetMem0 = none, targetMem1 = none>"
)


def declare_writable_arguments(module: Any) -> None:
    """Let bufferization write only into those tensor arguments that say so."""
    ir = bindings.ir
    for function in filter(is_public, functions(module)):
        arguments = function.regions[0].blocks[0].arguments
        known = function.attributes.get("arg_attrs", None)
        attributes = []
        for i, argument in enumerate(arguments):
            given = {item.name: item.attr for item in known[i]} if known else {}
            if isinstance(argument.type, ir.RankedTensorType):
                given["bufferization.writable"] = ir.BoolAttr.get(WRITABLE in given)
            attributes.append(ir.DictAttr.get(given))
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def remember_signatures(module: Any) -> None:
    """Keep each function's type as an attribute, for the LLVM dialect has only its pieces."""
    remember_types(symbols(module))
    for function in functions(module):
        if is_public(function):
            function.attributes[SIGNATURE] = function.attributes["function_type"]
        elif LINKAGE not in function.attributes:
            internal = bindings.ir.Attribute.parse("#llvm.linkage<internal>")
            function.attributes[LINKAGE] = internal
        if LIBRARY in function.attributes:
            _tell_effects(function)


def _tell_effects(function: Any) -> None:
    """Let LLVM know that a function comes to an end; and that it only reads, if it makes no lists.

    Calls with the same arguments, between which nothing is written, are then one.
    """
    ir = bindings.ir
    function.attributes["llvm.no_unwind"] = ir.UnitAttr.get()
    function.attributes["llvm.will_return"] = ir.UnitAttr.get()
    if not function.attributes[LIBRARY].value:
        function.attributes["llvm.memory_effects"] = ir.Attribute.parse(READING)
    if RARE in function.attributes:
        function.attributes["llvm.no_inline"] = ir.UnitAttr.get()
        function.attributes["llvm.passthrough"] = ir.Attribute.parse('["cold"]')


def keep_entry_points_apart(module: Any) -> None:
    """Forbid inlining parts, and public functions: LLVM would copy them into their wrappers.

    Those of numbers only become their wrappers, which are all that is called of them: one function
    is less to compile than two, and nothing is known of a number that its wrapper forgets.
    """
    ir = bindings.ir
    calls = {(_name(call.parent), _callee(call)) for call in find(module, "llvm.call")}
    called = {callee for _, callee in calls}
    for name, function in symbols(module).items():
        if hosts.is_callback(function):
            export(function)
        is_entry = SIGNATURE in function.attributes and (name, name) not in calls
        if is_entry and name not in called and _is_of_numbers(function):
            function.attributes[_LINKAGE] = ir.Attribute.parse("#llvm.linkage<linkonce_odr>")
            function.attributes["always_inline"] = ir.UnitAttr.get()
        elif is_entry or any(mark in function.attributes for mark in (KERNEL, PART)):
            function.attributes["no_inline"] = ir.UnitAttr.get()


def _name(function: Any) -> str:
    return function.attributes["sym_name"].value if "sym_name" in function.attributes else ""


def _callee(call: Any) -> str:
    return call.attributes["callee"].value if "callee" in call.attributes else ""


def _is_of_numbers(function: Any) -> bool:
    kind = function.attributes[SIGNATURE].value
    arrays = bindings.ir.ShapedType
    return not any(isinstance(each, arrays) for each in [*kind.inputs, *kind.results])
