"""A store that the same block overwrites, with nothing in between that could read it, is not made.

``A[i, j] -= ...`` and then ``A[i, j] /= A[j, j]``: LLVM does not know that ``j`` is less than ``i``,
and a vector that reads one number of two stores that are still on their way waits for both.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.accesses import Access, accesses
from agir.backends.cpu.dependence.independence import is_distinct
from agir.backends.cpu.dependence.order import are_apart, are_same
from agir.backends.mlir.modules import children, find

_LOAD, _STORE = "memref.load", "memref.store"


def eliminate_dead_stores(module: Any) -> None:
    """Drop stores in loops that a later one of their block makes void."""
    for loop in find(module, "scf.for"):
        body = children(loop)
        if sum(each.name == _STORE for each in body) > 1:
            _drop(body)


def _drop(body: list[Any]) -> None:
    """Look at the stores of a block, the last ones first, where a later one goes to the same place."""
    later: set[tuple[Any, ...]] = set()
    for position in range(len(body) - 1, -1, -1):
        store = body[position]
        if store.name == _STORE and _goes_with(store, later):
            readers = _readers_until_overwritten(store, body[position + 1 :])
            if readers is not None:
                body[position:] = [op for op in body[position + 1 :] if op not in readers]
                for load in readers:
                    load.results[0].replace_all_uses_with(store.operands[0])
                    load.erase()
                store.erase()


def _goes_with(store: Any, later: set[tuple[Any, ...]]) -> bool:
    """Whether a store goes to a place of these, which it is one of from then on."""
    mine = _only_access(store)
    if mine is None or mine.place is None:
        return False
    place = (mine.array, *mine.place)
    is_one = place in later
    later.add(place)
    return is_one


def _readers_until_overwritten(store: Any, after: list[Any]) -> list[Any] | None:
    """What reads the element before another store does away with it; None where nothing does."""
    mine = _only_access(store)
    readers: list[Any] = []
    for operation in after:
        if mine is None or len(operation.regions):
            return None
        found = accesses(operation)
        if found is None:
            return None
        for access in found:
            if access.array == mine.array and are_same(access.place, mine.place):
                if operation.name == _STORE:
                    return readers
                if operation.name != _LOAD:
                    return None
                readers.append(operation)
            elif not _are_different(mine, access):
                return None
    return None


def _only_access(store: Any) -> Access | None:
    found = accesses(store)
    return found[0] if found is not None and len(found) == 1 else None


def _are_different(one: Access, other: Access) -> bool:
    if one.array != other.array:
        return is_distinct(one.array, [other])
    single = all(reach == 1 for access in (one, other) for reach in access.reach)
    return single and are_apart(one.place, other.place)
