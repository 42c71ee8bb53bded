"""Which loops of a kernel become lanes, rows and panels, and how large the tiles are.

The table is by what the loops and strides are, by the element type and by the host's registers:

form     lanes are            for                                    accumulators
across   a parallel loop      matrix products, convolutions          rows x vectors
along    the last reduction   matrix times vector, A B^T when short  rows x columns
packed   as across            large, or strided, matrix products     as across, operands copied
streamed a parallel loop      vector times large matrix              in memory, a few rows at once
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from agir.backends.cpu.code.host import Vectors
from agir.backends.cpu.contractions.bodies import combiner, fits_vectors
from agir.backends.cpu.contractions.code import Index
from agir.backends.cpu.contractions.nests import Access, Kernel, Loop, Nest
from agir.ir.building import bindings
from agir.records import dataclass

SHORT_SUM = 32
"""Up to so many terms of a sum, writing the output in its order matters more than reading."""

MANY = 32
"""More rows than this make it worth to copy what they share."""
PAGE = 4096
"""Addresses so many bytes apart compete for the same few places in the nearest cache."""
ALIASED = 192
"""More terms than this, a multiple of `PAGE` apart, do not fit in there."""
FAR = 3000
"""Nor do the vectors of more terms than this, times the bytes of an element."""

NEAR = 1 << 19
"""So many bytes stay in the second cache, whatever else is read."""
STREAMED = 1 << 20
"""So many bytes do not stay in a cache that is fast enough to read pieces of rows from."""

_PIECE = 64
"""Vectors of such a piece: a page of them."""
_PIECES = (4, 8)
"""So many pieces are read at once, where rows compete for the same places, and where not."""

_TYPICAL = 64  # what a size that only the run time knows is taken for


@dataclass
class Form:
    """How a kernel is written."""

    lanes: Loop
    rows: Loop | None
    columns: Loop | None
    width: int
    """Lanes of a vector."""
    tile: tuple[int, int]
    """Rows, and vectors (`across`) or columns (`along`)."""
    along: bool = False
    panels: Sequence[Access] = ()
    """The inputs that are copied, a tile's lanes at a time."""
    maybe: bool = False
    """Whether the run time decides that they are."""
    streamed: bool = False


def choose(kernel: Kernel, host: Vectors) -> Form | None:
    """How to write the kernel; None where plain loops are as good, or all there is."""
    if not all(fits_vectors(nest.operation) for nest in kernel.nests):
        return None
    if kernel.epilogue is not None and not bits(kernel.output.element):
        return None
    width = _width(kernel, host)
    if width < 2:
        return None
    form = _across(kernel, host, width)
    if form is not None:
        return form
    copied = _across_panels(kernel, host, width)
    if copied is not None and _is_long(copied.rows, MANY):
        return copied
    return _along(kernel, width) or copied


def in_registers(kernel: Kernel, form: Form) -> bool:
    """Whether the epilogue has a form for vectors too."""
    epilogue = kernel.epilogue
    assert epilogue is not None
    given = [each for each in epilogue.inputs if isinstance(each, Access)]
    return fits_vectors(epilogue.operation) and all(
        bits(each.element) and (is_zero(each.step(form.lanes)) or _is_one(each.step(form.lanes)))
        for each in given
    )


def _width(kernel: Kernel, host: Vectors) -> int:
    """The lanes of a vector of the widest type that there is."""
    sizes = [bits(access.element) for access in kernel.summed]
    if kernel.epilogue is not None:
        sizes.append(bits(kernel.output.element))
    return host.lanes(max(sizes)) if all(sizes) else 0


def bits(element: object) -> int:
    """The size of an element that vectors can hold, else 0."""
    ir = bindings.ir
    if isinstance(element, ir.IntegerType):
        return int(element.width) if element.width >= 8 else 0
    sizes = ((ir.F16Type, 16), (ir.F32Type, 32), (ir.F64Type, 64))
    return next((bits for kind, bits in sizes if isinstance(element, kind)), 0)


def _across(kernel: Kernel, host: Vectors, width: int) -> Form | None:
    lanes = _lanes(kernel, kernel.summed)
    if lanes is None:
        return None
    rows = _rows(kernel, lanes)
    if rows is None and _is_streamed(kernel, lanes):
        return Form(lanes, None, None, width, _piece(kernel.nests[0], lanes), streamed=True)
    form = Form(lanes, rows, None, width, _tile(host, width, rows, lanes))
    if _is_long(rows, MANY):
        shared = _shared_inputs(kernel, rows, lanes)
        far = [is_far_apart(access, kernel.nests[0].reductions[0], lanes) for access in shared]
        form.panels = [a for a, answer in zip(shared, far, strict=True) if answer is not False]
        form.maybe = None in far
    return form


def _is_streamed(kernel: Kernel, lanes: Loop) -> bool:
    """Whether a matrix of which each element is used once comes from memory: by rows, then.

    A tile of it would be a short piece of each row, each in a page of its own.
    """
    nest = kernel.nests[0]
    if len(kernel.nests) != 1 or kernel.epilogue is not None or lanes.known is None:
        return False
    if len(nest.reductions) != 1 or lanes is not kernel.parallel[-1]:
        return False
    count, moving = terms(nest), [a for a in nest.inputs if not is_zero(a.step(lanes))]
    if (
        count is None
        or len(moving) != 1
        or any(is_zero(moving[0].step(r)) for r in nest.reductions)
    ):
        return False
    return count * lanes.known * bits(moving[0].element) // 8 > STREAMED


def _piece(nest: Nest, lanes: Loop) -> tuple[int, int]:
    """The rows, and the vectors, that are read at once of a matrix that comes from memory."""
    (matrix,) = (a for a in nest.inputs if not is_zero(a.step(lanes)))
    step = matrix.step(nest.reductions[0])
    aliased = not isinstance(step, int) or step * bits(matrix.element) // 8 % PAGE == 0
    return _PIECES[not aliased], _PIECE


def _across_panels(kernel: Kernel, host: Vectors, width: int) -> Form | None:
    """Across, although what is loaded as vectors lies in another order: a panel of it is copied."""
    lanes = _lanes(kernel, [n.output for n in kernel.nests])
    if lanes is None or len(kernel.nests) != 1 or len(kernel.nests[0].reductions) != 1:
        return None
    rows = _rows(kernel, lanes)
    panels = _shared_inputs(kernel, rows, lanes)
    others = [a for a in kernel.nests[0].inputs if not any(a is b for b in panels)]
    if rows is None or not all(_is_one(a.step(lanes)) or is_zero(a.step(lanes)) for a in others):
        return None
    return Form(lanes, rows, None, width, _tile(host, width, rows, lanes), panels=panels)


def _shared_inputs(kernel: Kernel, rows: Loop | None, lanes: Loop) -> list[Access]:
    """The inputs that change with the lanes and are the same for all rows."""
    if len(kernel.nests) != 1 or len(kernel.nests[0].reductions) != 1:
        return []
    return [
        a for a in kernel.nests[0].inputs if is_zero(a.step(rows)) and not is_zero(a.step(lanes))
    ]


def is_far_apart(access: Access, loop: Loop, lanes: Loop) -> bool | None:
    """Whether the vectors of successive terms are too far apart for the caches.

    None where that is not known when compiling.
    """
    step, count = access.step(loop), loop.known
    if count is None or not isinstance(step, int):
        return None
    size = bits(access.element) // 8
    is_near = lanes.known is not None and count * lanes.known * size <= NEAR
    return (step * size % PAGE == 0 and count > ALIASED) or (count * size > FAR and not is_near)


def _lanes(kernel: Kernel, accesses: Sequence[Access]) -> Loop | None:
    """A parallel loop along which everything lies side by side, or is the same."""
    for loop in reversed(kernel.parallel):
        if loop.known == 1 or not _is_one(kernel.output.step(loop)):
            continue
        if all(_is_one(a.step(loop)) or is_zero(a.step(loop)) for a in accesses):
            return loop
    return None


def _is_one(step: Index) -> bool:
    return isinstance(step, int) and step == 1


def is_zero(step: Index) -> bool:
    """Whether all iterations of a loop use the same element."""
    return isinstance(step, int) and step == 0


def _rows(kernel: Kernel, lanes: Loop) -> Loop | None:
    """The parallel loop whose iterations share most of what is loaded."""
    candidates = [p for p in kernel.parallel if p is not lanes and p.known != 1]
    scored = [(_saved(kernel, loop, lanes), _size(loop), n) for n, loop in enumerate(candidates)]
    best = max((score for score in scored if score[0]), default=None)
    return None if best is None else candidates[best[2]]


def _saved(kernel: Kernel, loop: Loop, lanes: Loop) -> int:
    """How much its iterations share: a vector counts twice."""
    inputs = [access for nest in kernel.nests for access in nest.inputs]
    return sum(1 + (not is_zero(a.step(lanes))) for a in inputs if is_zero(a.step(loop)))


def _shared(kernel: Kernel, loop: Loop) -> int:
    inputs = [access for nest in kernel.nests for access in nest.inputs]
    return sum(is_zero(access.step(loop)) for access in inputs)


def _size(loop: Loop) -> int:
    """Sizes beyond a tile's are all the same."""
    return min(8, _TYPICAL if loop.known is None else loop.known)


def _is_long(loop: Loop | None, more_than: int) -> bool:
    return loop is not None and (loop.known is None or loop.known > more_than)


def _tile(host: Vectors, width: int, rows: Loop | None, lanes: Loop) -> tuple[int, int]:
    """The rows and vectors that take the least time, by a count of instructions.

    In each step a tile of r x v takes r v multiplications and r + v loads, two of either at a time;
    results are there after four steps of the clock.  Vectors may come from the second cache.  A tile
    that sticks out does its work in vain.
    """
    budget = 3 * host.registers // 4
    height = 1 if rows is None else _TYPICAL if rows.known is None else rows.known
    length = -(-(_TYPICAL * 4 if lanes.known is None else lanes.known) // width)

    def step(r: int, v: int) -> float:
        return max(r * v / 2, (r + v) / 2, 4) + 0.15 * v

    def cost(r: int, v: int) -> float:
        whole, rest = divmod(length, v)
        last = 1.02 * step(r, rest) if rest else 0  # one more piece of code
        iterations = height / r if height % r == 0 else 1.02 * -(-height // r)
        return iterations * (whole * step(r, v) + last)

    tiles = [
        (cost(r, v), abs(r * v - budget * 2 // 3), -r, v)
        for r in range(1, min(height, 12) + 1)
        for v in range(1, min(length, 8) + 1)
        if r * v <= budget
    ]
    _, _, r, v = min(tiles, default=(0, 0, -1, 1))
    return -r, v


def _along(kernel: Kernel, width: int) -> Form | None:
    """Lanes along the sum: every operand lies side by side along it."""
    lasts = {id(nest.reductions[-1]): nest.reductions[-1] for nest in kernel.nests}
    if len(kernel.nests) != 1 or len(lasts) != 1:
        return None
    (nest,) = kernel.nests
    lanes = nest.reductions[-1]
    steps = [access.step(lanes) for access in nest.inputs]
    if combiner(nest.operation) is None or not all(_is_one(s) or is_zero(s) for s in steps):
        return None
    if not any(map(_is_one, steps)) or (
        kernel.epilogue and not fits_vectors(kernel.epilogue.operation)
    ):
        return None
    loops = sorted(
        (p for p in kernel.parallel if p.known != 1 and _shared(kernel, p)), key=_size, reverse=True
    )
    if not loops:
        return None
    rows = loops[0]
    columns = next((p for p in loops[1:] if _needs_both(nest, rows, p)), None)
    if columns is None:
        tile = (min(8, _size(rows)), 1)
    else:
        tile = (min(4, _size(rows)), min(4, _size(columns)))
    return Form(lanes, rows, columns, width, tile, along=True)


def _needs_both(nest: Nest, rows: Loop, columns: Loop) -> bool:
    """Whether the operands that change with the columns are not those that change with the rows."""
    return all(is_zero(a.step(rows)) or is_zero(a.step(columns)) for a in nest.inputs)


def terms(nest: Nest) -> int | None:
    """How many terms each sum has, if that is known."""
    sizes = [loop.known for loop in nest.reductions]
    return None if None in sizes else prod(e for e in sizes if e is not None)
