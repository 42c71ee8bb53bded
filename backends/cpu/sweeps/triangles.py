"""Products of a matrix with its own transposition: one triangle is computed, the other is a copy.

The result is symmetric to the last bit, for the same terms are added in the same order.  So rows are
computed in blocks, each as far as its own end, and put across the diagonal while they are in the
cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import affine_map, iterator_types
from agir.backends.cpu.sweeps.emission import computed, inside, loop, part
from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings

_BLOCK = 64  # rows at once
_FEWEST = 3 * _BLOCK  # rows: of fewer, too much lies in the blocks of the diagonal
_LEAST = 2**22  # products: what they take pays for the copies


def compute_triangle(module: Any) -> None:
    """Write such products into a new matrix as loops over blocks of rows."""
    graph = Graph(module)
    for contraction in graph.find("linalg.contract"):
        product = _product(contraction)
        if product is not None and _begins_with_a_fill(contraction, graph):
            with bindings.ir.InsertionPoint(contraction), contraction.location:
                product.write()
            contraction.erase()


@dataclass
class _Product:
    """One product: the axes of the matrix that become the rows and columns of the result."""

    contraction: Any
    rows: int
    columns: int
    size: int

    def write(self) -> None:
        """The blocks whose size is known, and what remains of the rows."""
        rest = self.size % _BLOCK
        blocks = loop(0, self.size - rest, _BLOCK)
        with inside(blocks):
            self._block(blocks.regions[0].blocks[0].arguments[0], _BLOCK)
        if rest:
            self._block(self.size - rest, rest)

    def _block(self, first: Any, count: int) -> None:
        left, right, output = self.contraction.operands
        end = first + count if isinstance(first, int) else computed("arith.addi", first, count)
        operands = [
            _along(left, self.rows, first, count),
            _along(right, self.columns, 0, end),
            part(output, [first, 0], [count, end], set()),
        ]
        block = self.contraction.clone(ip=bindings.ir.InsertionPoint.current)
        for position, operand in enumerate(operands):
            block.operands[position] = operand
        _mirror(
            part(output, [first, 0], [count, first], set()),
            part(output, [0, first], [first, count], set()),
        )


def _product(contraction: Any) -> _Product | None:
    left, right, output = contraction.operands
    maps = [attribute.value for attribute in contraction.attributes["indexing_maps"]]
    axes = [[_number(result, each.n_dims) for result in each.results] for each in maps]
    if left != right or len(axes[2]) != 2 or not _is_float(output.type):
        return None
    row, column = axes[2]
    swapped = [{row: column, column: row}.get(axis, axis) for axis in axes[0]]
    if axes[1] != swapped or axes[0].count(row) != 1 or column in axes[0]:
        return None
    if not (left.type.has_static_shape and output.type.has_static_shape):
        return None
    size = output.type.get_dim_size(0)
    if size < _FEWEST or size * prod(left.type.shape) < _LEAST:
        return None
    return _Product(contraction, axes[0].index(row), axes[1].index(column), size)


def _number(result: Any, dimensions: int) -> int:
    known = [bindings.ir.AffineExpr.get_dim(axis) for axis in range(dimensions)]
    return known.index(result)


def _is_float(kind: Any) -> bool:
    return str(kind.element_type) in ("f32", "f64")


def _begins_with_a_fill(contraction: Any, graph: Graph) -> bool:
    """Whether the output is a buffer that is filled with one number, and then first used here."""
    output = contraction.operands[2]
    allocation = graph.producer(output, "memref.alloc")
    uses = [use.user for use in graph.uses(output) if use.user != contraction]
    if allocation is None or any(user.block != contraction.block for user in uses):
        return False
    before = [user for user in uses if user.is_before_in_block(contraction)]
    return [user.name for user in before] == ["linalg.fill"]


def _along(matrix: Any, axis: int, first: Any, count: Any) -> Any:
    """So many of the matrix's rows (or columns) from the first on."""
    offsets: list[Any] = [0] * matrix.type.rank
    sizes = list(matrix.type.shape)
    offsets[axis], sizes[axis] = first, count
    return part(matrix, offsets, sizes, set())


def _mirror(source: Any, target: Any) -> None:
    """``target[...] = source.T``."""
    ir = bindings.ir
    maps = [ir.AffineMapAttr.get(affine_map(2, axes)) for axes in ([0, 1], [1, 0])]
    made = ir.Operation.create(
        "linalg.generic",
        operands=[source, target],
        attributes={
            "indexing_maps": ir.ArrayAttr.get(maps),
            "iterator_types": iterator_types(2),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
        },
        regions=1,
    )
    element = source.type.element_type
    body = made.regions[0].blocks.append(element, element)
    with ir.InsertionPoint(body):
        ir.Operation.create("linalg.yield", operands=[body.arguments[0]])
