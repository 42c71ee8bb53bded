"""An element of an array that is a formula of where the element is need not be read from memory.

``np.arange(n)[mask]``, ``for i in np.arange(n)``: the array is not made if nothing else wants it.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import children
from agir.ir.building import bindings

_INDEX, _CONSTANT = "linalg.index", "arith.constant"
_CHEAP = frozenset(
    {_INDEX, _CONSTANT, "arith.index_cast", "arith.addi", "arith.subi", "arith.muli",
     "arith.trunci", "arith.extsi", "arith.extui", "arith.sitofp", "arith.uitofp"}
)  # fmt: skip
_MOST = 6


def rematerialize_index_formulas(module: Any) -> None:
    """Replace ``tensor.extract`` of short formulas of the place by the formulas."""
    graph = Producers(module)
    for extract in graph.find("tensor.extract"):
        source = graph.producer(extract.operands[0], "linalg.generic")
        if source is not None and _is_formula(source):
            extract.results[0].replace_all_uses_with(_computed(source, extract))
            extract.erase()


def _is_formula(generic: Any) -> bool:
    """Whether an element is computed of nothing but its place, and in a few operations."""
    *body, _ = children(generic)
    affine = generic.attributes["indexing_maps"][0].value
    return (
        len(generic.operands) == len(generic.results) == 1
        and "reduction" not in str(generic.attributes["iterator_types"])
        and [str(each) for each in affine.results] == [f"d{n}" for n in range(affine.n_dims)]
        and len(body) <= _MOST
        and all(operation.name in _CHEAP for operation in body)
        and generic.regions[0].blocks[0].arguments[0]
        not in [value for operation in children(generic) for value in operation.operands]
    )


def _computed(generic: Any, extract: Any) -> Any:
    """The formula at the place of a read."""
    places = list(extract.operands)[1:]
    *body, end = children(generic)
    made: dict[Any, Any] = {}
    with bindings.ir.InsertionPoint(extract) as here, extract.location:
        for operation in body:
            if operation.name == _INDEX:
                made[operation.results[0]] = places[operation.attributes["dim"].value]
                continue
            copy = operation.clone(here)
            for position, value in enumerate(operation.operands):
                copy.operands[position] = made.get(value, value)
            made[operation.results[0]] = copy.results[0]
    value = end.operands[0]
    return made.get(value, value)
