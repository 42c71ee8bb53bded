"""Truth values lie in memory as bytes, and are read and written as bytes.

LLVM makes no vectors of loads and stores whose type is not as wide as what it takes in memory: with
``i1`` each element would be read by itself.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.making import INTEGERS, number_attribute, op
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_LOAD, _STORE = "llvm.load", "llvm.store"


def lower_booleans_to_bytes(module: Any) -> None:
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
    loaded = op(_LOAD, byte, *load.operands, **dict(load.attributes.items()))
    zero = op("llvm.mlir.constant", byte, value=ir.IntegerAttr.get(byte, 0))
    different = number_attribute(INTEGERS["ne"])
    truth = op("llvm.icmp", load.results[0].type, loaded, zero, predicate=different)
    load.results[0].replace_all_uses_with(truth)
    load.erase()


def _written(store: Any) -> None:
    ir = bindings.ir
    byte = ir.IntegerType.get_signless(8)
    store.operands[0] = op("llvm.zext", byte, store.operands[0])
