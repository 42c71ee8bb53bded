"""Operations that upstream passes lower inaccurately, or not at all, become calls.

The functions they call are written in MLIR: `elementary` in the way of `builder`, `real` and `complex_`
as text.  LLVM inlines what is worth it, and the elementary functions into every loop.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from agir.backends.mlir.making import use_instead
from agir.backends.mlir.modules import add_functions, symbols, walk
from agir.ir.building import bindings

from . import complex_, elementary, loops, real
from .entries import Entry

_Key = tuple[str, str, str]


def call_library(module: Any) -> None:
    """Replace the operations that the library has a function for by calls to it."""
    table = _table()
    present: set[str] = set()
    work = _candidates(module)
    while work:
        operation = work.pop()
        key = (operation.name, str(operation.operands[0].type), str(operation.results[0].type))
        if key not in table:
            continue
        if operation.name in elementary.FAST_IN_C and not loops.may_be_vectorised(operation):
            continue
        entry = table[key]
        if entry.symbol not in present:
            present.add(entry.symbol)
            work += _add(module, entry)
        _call(operation, entry)


@cache
def _table() -> dict[_Key, Entry]:
    return {
        (entry.operation, entry.operand, entry.result): entry
        for entry in (*real.entries(), *elementary.entries(), *complex_.entries())
    }


@cache
def _operations() -> frozenset[str]:
    return frozenset(operation for operation, _, _ in _table())


def _candidates(root: Any) -> list[Any]:
    return [operation for operation in walk(root) if operation.name in _operations()]


def _add(module: Any, entry: Entry) -> list[Any]:
    if entry.symbol in symbols(module):
        return []
    added = add_functions(module, entry.write())
    return [inner for function in added for inner in _candidates(function)]


def _call(operation: Any, entry: Entry) -> None:
    ir = bindings.ir
    attributes = {"callee": ir.FlatSymbolRefAttr.get(entry.symbol)}
    if entry.inline and loops.is_in_loop(operation):
        attributes["always_inline"] = ir.UnitAttr.get()
    with ir.InsertionPoint(operation), operation.location:
        call = ir.Operation.create(
            "func.call",
            operands=list(operation.operands),
            results=[result.type for result in operation.results],
            attributes=attributes,
        )
    use_instead(operation, call.results)
    operation.erase()
