"""Two loops over short rows that lie one after the other in memory are one loop over all of them.

Vectors are then not cut off at the end of each row, and LLVM has one loop to look at.  The iterations
are done in the order in which they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from agir.backends.cpu.dependence.constants import number_of
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import constant, op, use_instead
from agir.backends.mlir.modules import children, find
from agir.ir.building import bindings

_SHORT = 64
"""Elements of a row: the end of a longer one does not matter."""
_SHORT_SUM = 16
"""Longer rows are added up row by row, which is more accurate than one sum of all elements."""

_ACCESSES = {"memref.load": 0, "memref.store": 1}
"""Where the operands of an access have the buffer; its subscripts come next."""


def coalesce_row_loops(module: Any) -> None:
    """Make one loop of two, where they go over arrays as memory does."""
    while any(_only_loop_in(loop) for loop in find(module, "scf.for")):
        graph = Graph(module)
        nests = [(outer, _only_loop_in(outer)) for outer in reversed(graph.find("scf.for"))]
        found = [nest for nest in nests if nest[1] and _can_be_joined(graph, *nest)]
        # of loops in one another the inner two at first: the graph knows accesses as they were
        around = {loop for outer, _ in found for loop in _and_around(outer)}
        apart = [nest for nest in found if nest[1] not in around]
        for outer, inner in apart:
            _join(graph, outer, inner)
        if len(apart) == len(found):
            break


def is_one_row(kind: Any, place: int) -> bool:
    """Whether an axis of a buffer lies with the one before as one row of elements, both static."""
    strides, _ = kind.get_strides_and_offset()
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    if place == 0 or kind.is_dynamic_dim(place) or unknown in strides[place - 1 : place + 1]:
        return False
    return bool(strides[place - 1] == strides[place] * kind.get_dim_size(place))


def _only_loop_in(outer: Any) -> Any | None:
    """The loop that another one consists of; neither hands anything on from iteration to iteration."""
    inside = children(outer)
    if len(inside) != 2 or inside[0].name != "scf.for":
        return None
    return inside[0] if not len(outer.results) and not len(inside[0].results) else None


def _and_around(loop: Any) -> Iterator[Any]:
    """A loop, and the operations that it is inside of."""
    while loop is not None:
        yield loop
        loop = loop.parent


def _can_be_joined(graph: Graph, outer: Any, inner: Any) -> bool:
    first, length, step = map(number_of, inner.operands)
    if (first, step, number_of(outer.operands[2])) != (0, 1, 1) or not length or length > _SHORT:
        return False
    counters = [_counter(loop) for loop in (outer, inner)]
    users = [use.user for counter in counters for use in graph.uses(counter)]
    return (
        all(_is_of_rows(user, counters, length) for user in users)
        and not any(graph.is_inside(_subscripts(user)[0], outer) for user in users)
        and (length < _SHORT_SUM or not _adds_up(inner, counters[1]))
    )


def _counter(loop: Any) -> Any:
    return loop.regions[0].blocks[0].arguments[0]


def _is_of_rows(access: Any, counters: list[Any], length: int) -> bool:
    """Whether something reads or writes the element of the two counters' row and place in it."""
    if access.name not in _ACCESSES:
        return False
    buffer, subscripts = _subscripts(access)
    places = [i for i, each in enumerate(subscripts) if each in counters]
    return (
        len(places) == 2
        and places[0] + 1 == places[1]
        and [subscripts[place] for place in places] == counters
        and is_one_row(buffer.type, places[1])
        and buffer.type.get_dim_size(places[1]) == length
    )


def _subscripts(access: Any) -> tuple[Any, list[Any]]:
    buffer, *subscripts = list(access.operands)[_ACCESSES[access.name] :]
    return buffer, subscripts


def _adds_up(loop: Any, counter: Any) -> bool:
    """Whether something is stored at a place that all iterations have."""
    stores = [each for each in children(loop) if each.name == "memref.store"]
    return any(counter not in _subscripts(each)[1] for each in stores)


def _join(graph: Graph, outer: Any, inner: Any) -> None:
    """Let the outer loop take the iterations of the inner one."""
    counters = [_counter(loop) for loop in (outer, inner)]
    length = inner.operands[1]
    with bindings.ir.InsertionPoint(outer), outer.location:
        for i in range(2):  # from the first element of the first row to the last one of the last
            outer.operands[i] = _product(outer.operands[i], length)
    rows: dict[Any, Any] = {}
    for access in dict.fromkeys(use.user for use in graph.uses(counters[1])):
        _read_row(access, outer, counters, rows)
    end = children(outer)[-1]
    for operation in children(inner)[:-1]:
        operation.move_before(end)
    inner.erase()


def _product(bound: Any, length: Any) -> Any:
    """A bound of rows in elements; a constant among other constants, where loops do not look."""
    known, elements = number_of(bound), number_of(length)
    if known is None or elements is None:
        return op("arith.muli", bound.type, bound, length)
    with bindings.ir.InsertionPoint(bound.owner):
        return constant(bound.type, known * elements)


def _read_row(access: Any, outer: Any, counters: list[Any], rows: dict[Any, Any]) -> None:
    """Let an access take its element from the rows as one, at the place of the outer counter."""
    ir = bindings.ir
    buffer, subscripts = _subscripts(access)
    place = subscripts.index(counters[0])
    if (buffer, place) not in rows:
        with _after(buffer), outer.location:
            rows[buffer, place] = _joined(buffer, place)
    values = list(access.operands)[: _ACCESSES[access.name]]
    rest = [each for each in subscripts if each != counters[1]]
    with ir.InsertionPoint(access), access.location:
        made = ir.Operation.create(
            access.name,
            results=[result.type for result in access.results],
            operands=[*values, rows[buffer, place], *rest],
        )
    use_instead(access, made.results)
    access.erase()


def _after(buffer: Any) -> Any:
    """Where a buffer is there for the first time."""
    ir = bindings.ir
    owner = buffer.owner
    if isinstance(owner, ir.Block):
        return ir.InsertionPoint.at_block_begin(owner)
    return ir.InsertionPoint.after(owner)


def _joined(buffer: Any, place: int) -> Any:
    """A buffer with an axis and the next one as one."""
    ir = bindings.ir
    kind, number = buffer.type, bindings.ir.IntegerType.get_signless(64)
    groups = [[axis] for axis in range(kind.rank) if axis != place + 1]
    groups[place].append(place + 1)
    attributes = [ir.ArrayAttr.get([ir.IntegerAttr.get(number, n) for n in g]) for g in groups]
    return ir.Operation.create(
        "memref.collapse_shape",
        results=[_type_of_groups(kind, groups)],
        operands=[buffer],
        attributes={"reassociation": ir.ArrayAttr.get(attributes)},
    ).results[0]


def _type_of_groups(kind: Any, groups: list[list[int]]) -> Any:
    ir = bindings.ir
    shape = [_size(kind, group) for group in groups]
    layout = None
    if isinstance(kind.layout, ir.StridedLayoutAttr):
        strides = [kind.layout.strides[group[-1]] for group in groups]
        layout = ir.StridedLayoutAttr.get(kind.layout.offset, strides)
    return ir.MemRefType.get(shape, kind.element_type, layout, kind.memory_space)


def _size(kind: Any, places: list[int]) -> int:
    """The size of these axes as one."""
    if any(kind.is_dynamic_dim(place) for place in places):
        unknown: int = bindings.ir.ShapedType.get_dynamic_size()
        return unknown
    return prod(kind.get_dim_size(place) for place in places)
