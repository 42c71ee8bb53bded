"""Functions of the library that are compiled once for all programs that call them.

Those for large arguments, and the one that loops ask for signals, take LLVM longer than most loops
that call them, are never inlined, and are the same in every program.  What the user sees of a program
holds them, but for the stage ``llvm``, which only declares the latter; its machine code, where our
linker loads it, has them in a file of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from agir.backends.mlir.modules import add_functions, clone_module, symbols
from agir.ir.building import bindings

from . import iterations, large_arguments
from .builder import KINDS

_SYMBOL = re.compile(r"agir\.large_(\w+?)_(f32|f64)(_\d+)?")
_INSIDE = re.compile(rf"agir\.large_\w+|agir\.two_over_pi|{iterations.NAME}")
_KEPT = ("sym_name", "function_type", "passthrough", "memory_effects", "no_unwind", "will_return")


def library_of(symbol: str) -> str | None:
    """The name of the library that a function is in, where it is in one."""
    if symbol == iterations.NAME:
        return symbol
    found = _SYMBOL.fullmatch(symbol)
    return f"{found[1]}_{found[2]}" if found else None


def text(library: str) -> str:
    """A library in MLIR, before it is lowered to the LLVM dialect."""
    if library == iterations.NAME:
        return iterations.text()
    name, _, kind = library.partition("_")
    return large_arguments.text(name, KINDS[kind])


def export(module: Any) -> list[str]:
    """Let the functions of a library be called from outside; gives their names."""
    external = bindings.ir.Attribute.parse("#llvm.linkage<external>")
    names = [name for name in symbols(module) if library_of(name)]
    for name in names:
        symbols(module)[name].attributes["linkage"] = external
    return names


def complete(module: Any) -> Any:
    """A module with the function that loops ask for signals, where it only declares that."""
    declared = symbols(module).get(iterations.NAME)
    if declared is None or declared.regions[0].blocks:
        return module
    whole = clone_module(module)
    symbols(whole)[iterations.NAME].erase()
    add_functions(whole, iterations.text())
    return whole


def apart(module: Any) -> tuple[Any, list[str]]:
    """A module in which shared functions are only declared, and their names."""
    found = [each for name, each in symbols(module).items() if library_of(name)]
    if not any(each.regions[0].blocks for each in found):
        return module, [each.attributes["sym_name"].value for each in found]
    rest = clone_module(module)
    return rest, take_out(rest)


def take_out(module: Any) -> list[str]:
    """Leave only declarations of a module's shared functions; gives their names."""
    taken = []
    for name, operation in symbols(module).items():
        if not _INSIDE.fullmatch(name):
            continue
        if library_of(name):
            taken.append(name)
            _declare(operation)
        operation.erase()
    if of_vectors := [name for name in taken if _SYMBOL.fullmatch(name)]:
        _keep_alive(module, of_vectors)
    return taken


def _declare(function: Any) -> None:
    ir = bindings.ir
    kept = {name: function.attributes[name] for name in _KEPT if name in function.attributes}
    with ir.InsertionPoint(function), function.location:
        ir.Operation.create("llvm.func", attributes=kept, regions=1)


def _keep_alive(module: Any, names: Iterable[str]) -> None:
    """Have LLVM keep the declarations of forms for vectors, which nothing calls as yet."""
    ir = bindings.ir
    names = list(names)
    kind = f"!llvm.array<{len(names)} x ptr>"
    lines = [f"%r0 = llvm.mlir.undef : {kind}"]
    for i, name in enumerate(names):
        lines.append(f"%a{i} = llvm.mlir.addressof @{name} : !llvm.ptr")
        lines.append(f"%r{i + 1} = llvm.insertvalue %a{i}, %r{i}[{i}] : {kind}")
    known = symbols(module)
    declared = "\n".join(str(known[name]) for name in names)
    source = ir.Module.parse(
        f"{declared}\n"
        f'llvm.mlir.global appending @llvm.compiler.used() {{section = "llvm.metadata"}} : {kind} {{\n'
        + "\n".join(lines)
        + f"\nllvm.return %r{len(names)} : {kind}\n}}"
    )
    symbols(source)["llvm.compiler.used"].clone(ip=ir.InsertionPoint(module.body))
