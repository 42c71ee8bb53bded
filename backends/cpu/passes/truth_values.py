"""Truth values lie in memory as bytes, and are read and written as bytes.

LLVM makes no vectors of loads and stores whose type is not as wide as what it takes in memory: with
``i1`` each element would be read by itself.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import find
from agir.ir import bindings

_LOAD, _STORE = "llvm.load", "llvm.store"
_NOT_EQUAL = 1


def access_truth_values_as_bytes(module: Any) -> None:
    """Rewrite loads and stores of ``i1``."""
    truth = bindings.ir.IntegerType.get_signless(1)
    for operation in find(module, _LOAD, _STORE):
        value = operation.results[0] if operation.name == _LOAD else operation.operands[0]
        if value.type == truth:
            with bindings.ir.InsertionPoint(operation), operation.location:
                (_read if operation.name == _LOAD else _written)(operation)


def _read(load: Any) -> None:
    ir = bindings.ir
    byte = ir.IntegerType.get_signless(8)
    attributes = dict(load.attributes.items())
    loaded = ir.Operation.create(
        _LOAD, results=[byte], operands=list(load.operands), attributes=attributes
    ).result
    none = {"value": ir.IntegerAttr.get(byte, 0)}
    zero = ir.Operation.create("llvm.mlir.constant", results=[byte], attributes=none).result
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _NOT_EQUAL)
    truth = ir.Operation.create(
        "llvm.icmp",
        results=[load.results[0].type],
        operands=[loaded, zero],
        attributes={"predicate": number},
    ).result
    load.results[0].replace_all_uses_with(truth)
    load.erase()


def _written(store: Any) -> None:
    ir = bindings.ir
    byte = ir.IntegerType.get_signless(8)
    widened = ir.Operation.create("llvm.zext", results=[byte], operands=[store.operands[0]])
    store.operands[0] = widened.result
