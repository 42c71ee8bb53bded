"""Whether the iterations of a loop are independent: none writes what another reads or writes."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.dependence.accesses import Access, accesses
from agir.backends.cpu.dependence.arrays import ALLOCATIONS, SCRATCH, pairs
from agir.backends.cpu.dependence.constants import bounds, number_of, upper_bounds
from agir.backends.cpu.dependence.linear import Linear
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings
from agir.records import dataclass


@dataclass
class Independence:
    """What makes iterations independent: the arrays that each needs a copy of for itself."""

    private: list[Any] = field(default_factory=list)
    most_iterations: int | None = None
    """A bound of the iterations, if the arrays that are divided among them have known sizes."""

    def bound(self, iterations: int | None) -> None:
        """Note that there are no more iterations than this; None says nothing."""
        known = [n for n in (self.most_iterations, iterations) if n is not None]
        self.most_iterations = min(known, default=None)


def independence(loop: Any, *, carried: bool = False) -> Independence | None:
    """What makes the iterations of an ``scf.for`` independent; None where they are not, or may not be.

    Sound, not complete: an array that is written has to be subscripted by the counter in one
    dimension, in the same way by every access.  Arrays that nothing reads after the loop, and that
    each iteration fills before it reads them, can be private.  With ``carried`` only arrays are looked
    at, and not the values that iterations yield.
    """
    if len(loop.results) and not carried:
        return None
    body = loop.regions[0].blocks[0]
    counter = body.arguments[0]
    found = accesses(loop)
    step = number_of(list(loop.operands)[2])
    if found is None or step is None:
        return None
    result = Independence()
    for array in dict.fromkeys(access.array for access in found if access.writes):
        of_array = [access for access in found if access.array == array]
        if _is_inside(array, body):
            continue
        if not is_distinct(array, found):
            return None
        axis = _divided_axis(of_array, counter, step, loop)
        if axis is not None:
            result.bound(_size(array.type, axis))
        elif _can_be_private(array, loop, of_array):
            result.private.append(array)
        else:
            return None
    return result


def _is_inside(value: Any, block: Any) -> bool:
    owner = value.owner
    at = owner if isinstance(owner, bindings.ir.Block) else owner.operation.block
    while at != block:
        parent = at.owner.operation
        if parent.name in ("func.func", "builtin.module"):
            return False
        at = parent.block
    return True


def is_distinct(array: Any, found: list[Access]) -> bool:
    """Whether no other array of the loop can be the same memory."""
    others = {access.array for access in found if access.array != array}
    return all(_are_apart(array, other) for other in others)


def _are_apart(one: Any, other: Any) -> bool:
    """Two allocations, or an allocation and an argument, or two arguments of an entry point.

    The call refuses arguments that share memory where one of them is written.
    """
    return all(
        a != b and _has_memory_of_its_own(a) and _has_memory_of_its_own(b)
        for a, b in pairs(one, other)
    )


def _has_memory_of_its_own(array: Any) -> bool:
    owner = array.owner
    if not isinstance(owner, bindings.ir.Block):
        return owner.operation.name in (*ALLOCATIONS, "memref.get_global")
    function = owner.owner.operation
    return function.name == "func.func" and "sym_visibility" not in function.attributes


def _size(kind: Any, axis: int) -> int | None:
    return None if kind.is_dynamic_dim(axis) else int(kind.get_dim_size(axis))


def _divided_axis(of_array: list[Access], counter: Any, step: int, loop: Any) -> int | None:
    """The dimension in which each iteration has a range of its own; None where there is none."""
    ranks = {len(access.place) for access in of_array if access.place is not None}
    if len(ranks) != 1 or any(access.place is None for access in of_array):
        return None
    axes = range(ranks.pop())
    return next((a for a in axes if _is_divided_in(of_array, a, counter, step, loop)), None)


def _is_divided_in(of_array: list[Access], axis: int, counter: Any, step: int, loop: Any) -> bool:
    ranges = [_range(access, axis, counter, loop) for access in of_array]
    known = [each for each in ranges if each is not None]
    if len(known) < len(ranges) or len({(c, base) for c, base, _, _ in known}) != 1:
        return False
    coefficient = known[0][0]
    least, most = min(low for _, _, low, _ in known), max(high for _, _, _, high in known)
    return coefficient != 0 and most - least < abs(coefficient) * step


def _range(
    access: Access, axis: int, counter: Any, loop: Any
) -> tuple[int, frozenset[tuple[Any, int]], int, int] | None:
    """The counter's coefficient, what is the same in all iterations, and the range beyond that."""
    form = (access.place or [])[axis]
    reach = access.reach[axis]
    if reach is None:
        return None
    coefficient = form.coefficient(counter)
    form = form.without(counter)
    low, high = form.constant, form.constant + reach - 1
    same: dict[Any, int] = {}
    for value, factor in form.terms:
        if not _is_inside(value, loop.regions[0].blocks[0]):
            same[value] = factor
            continue
        iterations = _iterations(value) or _at_most(value)
        if iterations is None:
            return None
        first, last = sorted((iterations[0] * factor, iterations[1] * factor))
        low, high = low + first, high + last
    return coefficient, Linear.of(0, same).terms, low, high


def _iterations(value: Any) -> tuple[int, int] | None:
    """The first and the last value of the counter of a loop between constants."""
    owner = value.owner
    if not isinstance(owner, bindings.ir.Block) or owner.owner.operation.name != "scf.for":
        return None
    if owner.arguments[0] != value:
        return None
    found = bounds(owner.owner.operation)
    if found is None or found[0] >= found[1]:
        return None
    low, high, step = found
    return low, low + (high - 1 - low) // step * step


def _at_most(value: Any) -> tuple[int, int] | None:
    """Numbers between which the counter of a loop is that ends at a constant or before."""
    owner = value.owner
    if not isinstance(owner, bindings.ir.Block) or owner.owner.operation.name != "scf.for":
        return None
    low, high, _ = list(owner.owner.operation.operands)[:3]
    first = number_of(low)
    known = [n for n in map(number_of, upper_bounds(high)) if n is not None]
    if owner.arguments[0] != value:
        return None
    return (first, max(first, min(known) - 1)) if known and first is not None else None


def _can_be_private(array: Any, loop: Any, of_array: list[Access]) -> bool:
    """Whether each iteration fills the array before it reads it, and nothing else wants it."""
    owner = array.owner
    if isinstance(owner, bindings.ir.Block) or owner.operation.name not in ALLOCATIONS:
        return False
    if not array.type.has_static_shape or not _is_used_only_in(array, loop):
        return False
    if SCRATCH in owner.operation.attributes:
        return True
    body = loop.regions[0].blocks[0]
    first = next(
        view.operation
        for view in body.operations
        if any(_is_within(access.operation, view.operation) for access in of_array)
    )
    return _fills(first, array)


def _is_used_only_in(array: Any, loop: Any) -> bool:
    inside = set(walk(loop))
    return all(
        use.owner.operation in inside or use.owner.name == "memref.dealloc" for use in array.uses
    )


def _is_within(operation: Any, around: Any) -> bool:
    while operation is not None and operation.name != "func.func":
        if operation == around:
            return True
        operation = operation.parent
    return False


def _fills(operation: Any, array: Any) -> bool:
    """Whether an operation writes each element of an array, and reads none before that."""
    if operation.name == "memref.copy":
        source, target = operation.operands
        return bool(target == array and source != array)
    found = accesses(operation)
    if found is None or any(access.array == array and not access.writes for access in found):
        return False
    writes = [access for access in found if access.array == array and access.place is not None]
    return any(_covers(access, operation, array) for access in writes)


def _covers(access: Access, around: Any, array: Any) -> bool:
    """Whether a store is in plain loops over all of an array."""
    counters: dict[Any, tuple[int, int]] = {}
    parent = access.operation
    while parent != around:
        parent = parent.parent
        if parent.name != "scf.for":
            return False
        counter = parent.regions[0].blocks[0].arguments[0]
        iterations = _iterations(counter)
        if iterations is None or number_of(list(parent.operands)[2]) != 1:
            return False
        counters[counter] = iterations
    wanted = [_whole_range(form, counters) for form in access.place or []]
    shape = [(0, int(n) - 1) for n in array.type.shape]
    used = [value for form in access.place or [] for value, _ in form.terms]
    return wanted == shape and len(used) == len(set(used)) and access.reach == (1,) * len(shape)


def _whole_range(form: Linear, counters: dict[Any, tuple[int, int]]) -> tuple[int, int] | None:
    if not form.terms:
        return (form.constant, form.constant)
    [(value, factor), *more] = form.terms
    if more or factor != 1 or value not in counters:
        return None
    low, high = counters[value]
    return low + form.constant, high + form.constant
