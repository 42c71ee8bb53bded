"""Operations that upstream passes lower inaccurately, or not at all, become calls.

The functions they call are written in MLIR (`real`, `complex_`); LLVM inlines what
is worth it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from agir.backends.cpu.library import complex_, real
from agir.backends.mlir.modules import symbols, walk
from agir.ir import bindings

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
        symbol, text = table[key]
        if symbol not in present:
            present.add(symbol)
            work += _add(module, text)
        _call(operation, symbol)


@cache
def _table() -> dict[_Key, tuple[str, str]]:
    return {
        (entry.operation, entry.operand, entry.result): (entry.symbol, entry.text)
        for entry in (*real.entries(), *complex_.entries())
    }


@cache
def _operations() -> frozenset[str]:
    return frozenset(operation for operation, _, _ in _table())


def _candidates(root: Any) -> list[Any]:
    return [operation for operation in walk(root) if operation.name in _operations()]


def _add(module: Any, text: str) -> list[Any]:
    ir = bindings.ir
    known = symbols(module)
    source = ir.Module.parse(text)
    end = ir.InsertionPoint(module.body)
    added = [
        function.clone(ip=end) for name, function in symbols(source).items() if name not in known
    ]
    return [inner for function in added for inner in _candidates(function)]


def _call(operation: Any, symbol: str) -> None:
    ir = bindings.ir
    with ir.InsertionPoint(operation), operation.location:
        call = ir.Operation.create(
            "func.call",
            operands=list(operation.operands),
            results=[result.type for result in operation.results],
            attributes={"callee": ir.FlatSymbolRefAttr.get(symbol)},
        )
    for old, new in zip(operation.results, call.results, strict=True):
        old.replace_all_uses_with(new)
    operation.erase()
