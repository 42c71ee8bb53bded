"""Whether the turns of a loop are independent: none writes what another one reads or writes."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.ir import bindings

_PURE = ("arith", "math", "complex", "index", "affine")
_ALLOWED = frozenset(
    {"scf.if", "scf.for", "scf.while", "scf.yield", "scf.condition", "memref.load", "memref.store",
     "memref.dim"}
)  # fmt: skip
_FRESH = ("memref.alloc", "memref.alloca", "memref.get_global")


def are_independent(loop: Any, graph: Graph) -> bool:
    """Whether the turns of the loop could be run in any order, or together.

    Each place that is written has to be the turn's own: along one dimension of the array all
    accesses to it are at the loop's counter, plus the same constant.
    """
    inside = walk(loop)
    if not all(each.name in _ALLOWED or each.name.startswith(_PREFIXES) for each in inside):
        return False
    counter = loop.regions[0].blocks[0].arguments[0]
    stores = [each for each in inside if each.name == "memref.store"]
    accesses = [*stores, *(each for each in inside if each.name == "memref.load")]
    return all(
        _are_apart(store, access, counter, graph)
        for store in stores
        for access in accesses
        if _may_meet(_array(store), _array(access), graph)
    )


_PREFIXES = tuple(f"{name}." for name in _PURE)


def _array(access: Any) -> Any:
    return access.operands[1 if access.name == "memref.store" else 0]


def indices(access: Any) -> list[Any]:
    """The indices of a load or store."""
    return list(access.operands)[2 if access.name == "memref.store" else 1 :]


def _may_meet(one: Any, other: Any, graph: Graph) -> bool:
    """Whether two arrays may share memory: all but fresh ones and arguments that are not the same."""
    return bool(one == other) or not (_is_apart(one, graph) and _is_apart(other, graph))


def _is_apart(array: Any, graph: Graph) -> bool:
    source = graph.producer(array)
    if source is not None:
        return bool(source.name in _FRESH)
    owner = bindings.ir.BlockArgument(array).owner.owner
    return bool(owner.operation.name == "func.func")


def _are_apart(store: Any, access: Any, counter: Any, graph: Graph) -> bool:
    """Whether in different turns the two are at different places of one array."""
    if _array(store) != _array(access):
        return False
    pairs = zip(indices(store), indices(access), strict=True)
    distances = ((distance(a, counter, graph), distance(b, counter, graph)) for a, b in pairs)
    return any(a is not None and a == b for a, b in distances)


def distance(value: Any, counter: Any, graph: Graph) -> int | None:
    """The constant that a value is more than the counter; None where it is anything else."""
    constant = 0
    while value != counter:
        source = graph.producer(value)
        if source is None:
            return None
        if str(source.results[0].type) not in ("index", "i64"):
            return None  # what is narrower may wrap around
        if source.name == "arith.index_cast":
            value = source.operands[0]
            continue
        if source.name not in ("arith.addi", "arith.subi"):
            return None
        number = graph.producer(source.operands[1], "arith.constant")
        if number is None:
            return None
        sign = 1 if source.name == "arith.addi" else -1
        constant += sign * int(number.attributes["value"].value)
        value = source.operands[0]
    return constant


def is_contiguous(access: Any, loop: Any, graph: Graph) -> bool:
    """Whether neighbouring turns are at neighbouring places: the last index is the counter's.

    The other indices are then the same for all turns: they come from around the loop.
    """
    counter = loop.regions[0].blocks[0].arguments[0]
    *others, last = indices(access)
    return distance(last, counter, graph) is not None and not any(
        graph.is_inside(value, loop) for value in others
    )
