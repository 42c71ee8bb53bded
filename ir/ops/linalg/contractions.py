"""Contractions: matmul, einsum, dot, tensordot, outer, inner, vdot.

All are einsums: operands whose axes have labels, contracted two at a time by ``linalg.contract``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import numpy as np

from agir.ir import recording
from agir.ir.building import attributes
from agir.ir.building.types import DType, TensorType, float32, promote
from agir.ir.emission import broadcast, emit, gathering
from agir.ir.ops.core.agreement import agree, fitted, is_same
from agir.ir.ops.core.folding import first, initial
from agir.ir.ops.core.operands import axis_index, compose, native, operand_type
from agir.ir.ops.linalg.einsum_subscripts import Subscripts, parse
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace

PRODUCT = {"b": "arith.andi", "i": "arith.muli", "u": "arith.muli", "f": "arith.mulf",
            "c": "complex.mul"}  # fmt: skip
SUM = {"b": "arith.ori", "i": "arith.addi", "u": "arith.addi", "f": "arith.addf",
        "c": "complex.add"}  # fmt: skip


@dataclass
class Term:
    """An operand on its way: a tensor of the result's dtype, and the label of each axis."""

    ssa: Any
    dtype: DType
    dims: Dims
    labels: str

    def without(self, trace: Trace, dropped: str) -> Term:
        """The term without axes of size 1."""
        kept = [i for i, label in enumerate(self.labels) if label not in dropped]
        dims = tuple(self.dims[i] for i in kept)
        ssa = gathering.reshape_ssa(trace, self.ssa, self.dtype, self.dims, dims)
        return Term(ssa, self.dtype, dims, "".join(self.labels[i] for i in kept))


def _contract(trace: Trace, left: Term, right: Term, out: str) -> Term:
    """``linalg.contract`` of two terms; half precision is summed in float32."""
    dtype = left.dtype
    wide = float32 if dtype.is_storage_only else dtype
    sizes = dict(zip(left.labels + right.labels, left.dims + right.dims, strict=True))
    order = out + "".join(label for label in sizes if label not in out)
    dims = tuple(sizes[label] for label in out)
    start = initial(trace, wide, dims, 0)
    space = ", ".join(f"d{i}" for i in range(len(order)))
    maps = [
        f"affine_map<({space}) -> ({', '.join(f'd{order.index(label)}' for label in labels)})>"
        for labels in (left.labels, right.labels, out)
    ]
    operation = trace.create(
        "linalg.contract",
        (start.type,),
        (left.ssa, right.ssa, start),
        {
            "indexing_maps": gathering.parse_attribute(f"[{', '.join(maps)}]"),
            "operandSegmentSizes": attributes.i32_array([2, 1]),
        },
    )
    element = wide.mlir()

    def step(a: Any, b: Any, total: Any) -> tuple[Any, ...]:
        if wide != dtype:
            a, b = (trace.op("arith.extf", element, value) for value in (a, b))
        product = trace.op(PRODUCT[wide.kind], element, a, b)
        return (trace.op(SUM[wide.kind], element, total, product),)

    emit.body(trace, operation, [dtype.mlir(), dtype.mlir(), element], step)
    ssa = operation.result if out else first(trace, operation.result, wide)
    return Term(emit.convert(trace, ssa, wide, dtype, dims), dtype, dims, out)


def _tensor(trace: Trace, term: Term) -> SymbolicTensor:
    return trace.make(term.ssa, term.dtype, term.dims)


def _transposed(trace: Trace, term: Term, labels: str) -> Term:
    if term.labels == labels:
        return term
    order = [term.labels.index(label) for label in labels]
    tensor = dispatch.call("transpose", _tensor(trace, term), order)
    return Term(tensor.ssa, term.dtype, tensor.dims, labels)


def _multiplied(trace: Trace, left: Term, right: Term, out: str) -> Term:
    """The product of two terms of which no label is summed."""
    aligned = []
    for term in (left, right):
        ordered = _transposed(trace, term, "".join(label for label in out if label in term.labels))
        sizes = dict(zip(ordered.labels, ordered.dims, strict=True))
        dims = tuple(sizes.get(label, 1) for label in out)
        ssa = gathering.reshape_ssa(trace, ordered.ssa, term.dtype, ordered.dims, dims)
        aligned.append(trace.make(ssa, term.dtype, dims))
    product = dispatch.call("multiply", *aligned)
    return Term(product.ssa, left.dtype, product.dims, out)


def _summed(trace: Trace, term: Term, kept: str) -> Term:
    """The term with the labels summed that are not kept."""
    axes = tuple(i for i, label in enumerate(term.labels) if label not in kept)
    if not axes:
        return term
    tensor = dispatch.call("sum", _tensor(trace, term), axes, term.dtype)
    labels = "".join(label for label in term.labels if label in kept)
    return Term(tensor.ssa, term.dtype, tensor.dims, labels)


def _diagonal(trace: Trace, term: Term, message: str) -> Term:
    """The term with one axis for each label: repeated labels mean the diagonal."""
    labels = "".join(dict.fromkeys(term.labels))
    if labels == term.labels:
        return term
    groups = [[i for i, label in enumerate(term.labels) if label == wanted] for wanted in labels]
    common = [agree(trace, [term.dims[i] for i in g], message, keep_static=False) for g in groups]
    positions = [labels.index(label) for label in term.labels]

    def position(indices: list[Any]) -> list[Any]:
        return [indices[p] for p in positions]

    dims = tuple(common)
    ssa = gathering.gather(trace, term.ssa, term.dtype, dims, position)
    return Term(ssa, term.dtype, dims, labels)


def _matched(trace: Trace, left: Term, right: Term, kept: str, message: str) -> tuple[Term, Term]:
    """The terms with equal sizes under equal labels, which guards check."""
    terms = [left, right]
    shared = [label for label in left.labels if label in right.labels]
    for label in shared:
        at = [term.labels.index(label) for term in terms]
        sizes = [term.dims[i] for term, i in zip(terms, at, strict=True)]
        common = agree(trace, sizes, message, keep_static=label in kept)
        for number, (term, i) in enumerate(zip(terms, at, strict=True)):
            target = (*term.dims[:i], common, *term.dims[i + 1 :])
            ssa = fitted(trace, term.ssa, term.dtype, term.dims, target)
            terms[number] = Term(ssa, term.dtype, target, term.labels)
    return terms[0], terms[1]


def contracted(trace: Trace, terms: Sequence[Term], out: str, message: str) -> Term:
    """The terms contracted from left to right to one with the labels ``out``."""
    wide = {  # labels of which some size is not 1
        label
        for term in terms
        for label, dim in zip(term.labels, term.dims, strict=True)
        if not is_same(dim, 1)
    }
    rest = []
    for term in (_diagonal(trace, t, message) for t in terms):
        units = "".join(
            label
            for label, dim in zip(term.labels, term.dims, strict=True)
            if is_same(dim, 1) and (label in wide or label not in out)
        )
        rest.append(term.without(trace, units) if units else term)
    while len(rest) > 1:
        kept = out + "".join(t.labels for t in rest[2:])
        left, right = rest[:2]
        left = _summed(trace, left, kept + right.labels)
        right = _summed(trace, right, kept + left.labels)
        both = dict.fromkeys(left.labels + right.labels)
        wanted = "".join(label for label in (out if len(rest) == 2 else both) if label in both)
        wanted = "".join(label for label in wanted if label in kept)
        left, right = _matched(trace, left, right, wanted, message)
        needs_sum = any(label not in wanted for label in both)
        join = _contract if needs_sum else _multiplied
        rest[:2] = [join(trace, left, right, wanted)]
    return _transposed(trace, _summed(trace, rest[0], out), out)


def _term(trace: Trace, operand: Any, dtype: DType, labels: str) -> Term:
    tensor = emit.lift(trace, operand)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, dtype, tensor.dims)
    return Term(ssa, dtype, tensor.dims, labels)


# einsum


def _einsum_signature(subscripts: Any, *operands: Any, optimize: Any = None) -> Any: ...


def _subscripts(subscripts: Any, kinds: Sequence[TensorType]) -> Subscripts:
    if not isinstance(subscripts, str):
        raise TypeError("einsum() takes its subscripts as a string, such as 'ij,jk->ik'")
    return parse(subscripts, [kind.rank for kind in kinds])


def _einsum_rule(subscripts: Any, operands: Any, optimize: Any = None) -> TensorType:
    kinds = [operand_type(kind) for kind in operands]
    parsed = _subscripts(subscripts, kinds)
    sizes: dict[str, list[int | None]] = {}
    for labels, kind in zip(parsed.inputs, kinds, strict=True):
        for label, size in zip(labels, kind.shape, strict=True):
            sizes.setdefault(label, []).append(size)
    shape = {label: _size(label, found) for label, found in sizes.items()}
    dtype, weak = promote(*kinds)
    return TensorType(dtype, tuple(shape[label] for label in parsed.output), weak)


def _size(label: str, found: list[int | None]) -> int | None:
    known = {e for e in found if e is not None and e != 1}
    if len(known) > 1:
        name = "a dimension under '...'" if not label.isascii() else f"label {label!r}"
        raise ValueError(f"einsum(): {name} has the sizes {sorted(known)}, which differ")
    if known:
        return known.pop()
    return None if None in found else 1


def _einsum_emit(
    trace: Trace, result: TensorType, subscripts: Any, operands: Any, optimize: Any
) -> SymbolicTensor:
    parsed = _subscripts(subscripts, [operand_type(dispatch.type_of(v)) for v in operands])
    terms = [
        _term(trace, operand, result.dtype, labels)
        for operand, labels in zip(operands, parsed.inputs, strict=True)
    ]
    term = contracted(trace, terms, parsed.output, "einsum() of dimensions that differ")
    return trace.make(term.ssa, term.dtype, term.dims, result.weak)


@dispatch.define(
    operands=("operands",),
    sequences=("operands",),
    rule=_einsum_rule,
    emit=_einsum_emit,
    signature=_einsum_signature,
    numpy=(np.einsum,),
)
def einsum(subscripts: Any, operands: Any, optimize: Any = None) -> Any:
    """
    Einstein's summation: ``einsum("ij,jk->ik", a, b)``.

    Labels that the output lacks are summed over; without ``->`` those that occur once are kept, in
    alphabetical order.  A label that one operand repeats means its diagonal, ``...`` the dimensions
    that have no label.  ``optimize`` is accepted and ignored.

    >>> ag.einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy()
    array([3., 7.], dtype=float32)

    Shapes: as the subscripts say
    Dtypes: bool, int, uint, float, complex -> NumPy's promotion
    Raises: OperandValueError for subscripts that do not fit the operands
    """
    return np.einsum(subscripts, *(native(np.asarray(v)) for v in operands))


# matmul


def _split(shape: Any, inner: int) -> tuple[Any, Any]:
    """(batch dimensions, inner dimension) of an operand of matmul."""
    return tuple(shape[:-2]), shape[inner if len(shape) > 1 else 0]


def _matmul_rule(x: Any, y: Any) -> TensorType:
    kinds = [operand_type(x), operand_type(y)]
    if not all(kind.shape for kind in kinds):
        raise ValueError("matmul(): a scalar has no dimension to contract; use *")
    dtype, weak = promote(*kinds)
    x_batch, x_inner = _split(kinds[0].shape, -1)
    y_batch, y_inner = _split(kinds[1].shape, -2)
    if None not in (x_inner, y_inner) and x_inner != y_inner:
        raise ValueError(
            f"matmul(): the inner dimensions of {kinds[0]} and {kinds[1]} differ: "
            f"{x_inner} and {y_inner}"
        )
    shape = [*broadcast.shapes(x_batch, y_batch)]
    shape += [kind.shape[axis] for kind, axis in zip(kinds, (-2, -1), strict=True) if kind.rank > 1]
    return TensorType(dtype, tuple(shape), weak)


def _is_known(size: int | Dim) -> bool:
    """Whether it is known, and not that of an axis that may be left out."""
    return type(size) is int and size != 1


def _matmul_emit(trace: Trace, result: TensorType, x: Any, y: Any) -> SymbolicTensor:
    tensors = [emit.lift(trace, operand) for operand in (x, y)]
    if all(len(t.dims) == 2 and all(map(_is_known, t.dims)) for t in tensors):  # as they lie
        left, right = (broadcast.operand(trace, t, result.dtype, t.dims) for t in tensors)
        rows, columns = (t.dims for t in tensors)
        product = _contract(
            trace,
            Term(left, result.dtype, rows, "ab"),
            Term(right, result.dtype, columns, "bc"),
            "ac",
        )
        return trace.make(product.ssa, product.dtype, product.dims, result.weak)
    batches = [t.dims[:-2] for t in tensors]
    common = broadcast.common_dims(trace, batches)
    letters = ascii_letters[3 : 3 + len(common)]
    terms = []
    for tensor, batch, core in zip(tensors, batches, ("ab", "bc"), strict=True):
        aligned = common[len(common) - len(batch) :]
        labels = letters[len(letters) - len(batch) :]
        core_labels = core if len(tensor.dims) > 1 else "b"
        term = _term(trace, tensor, result.dtype, labels + core_labels)
        target = tuple(
            b if is_same(b, 1) else c for b, c in zip(batch, aligned, strict=True)
        ) + term.dims[len(batch) :]  # fmt: skip
        ssa = broadcast.to_dims(trace, term.ssa, term.dtype, term.dims, target)
        terms.append(Term(ssa, term.dtype, target, term.labels))
    out = letters + "".join(
        letter for letter, t in zip("ac", tensors, strict=True) if len(t.dims) > 1
    )
    message = "matmul() of inner dimensions that differ"
    inner = [term.dims[term.labels.index("b")] for term in terms]
    if any(is_same(each, 1) for each in inner):  # einsum would repeat the element
        agree(trace, inner, message, keep_static=True)
    product = contracted(trace, terms, out, message)
    return trace.make(product.ssa, product.dtype, product.dims, result.weak)


@dispatch.define(operands=("x", "y"), rule=_matmul_rule, emit=_matmul_emit, numpy=(np.matmul,))
def matmul(x: Any, y: Any) -> Any:
    """The matrix product of the last two dimensions; those before them are broadcast."""
    return np.matmul(native(np.asarray(x)), native(np.asarray(y)))


# Others, as einsums.


def _rank(x: Any) -> int:
    return operand_type(dispatch.type_of(x)).rank


def dot(x: Any, y: Any) -> Any:
    """NumPy's dot: over the last axis of ``x`` and the last but one of ``y`` (or its only one).

    >>> ag.dot([1.0, 2.0], [3.0, 4.0]).numpy()
    np.float32(11.0)

    Shapes: x [..., n], y [n] -> [...]; y [..., n, m] gives one more axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the sizes differ
    """
    x_rank, y_rank = _rank(x), _rank(y)
    if not (x_rank and y_rank):
        return dispatch.call("multiply", x, y)
    if y_rank <= 2 and x_rank <= 2:
        return matmul(x, y)
    return tensordot(x, y, ([x_rank - 1], [max(y_rank - 2, 0)]))


def tensordot(x: Any, y: Any, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes.

    ``axes`` is a number (the last of ``x``, the first of ``y``) or a list for each operand.
    """
    x_rank, y_rank = _rank(x), _rank(y)
    pairs: list[list[Any]]
    if isinstance(axes, (int, np.integer)):
        pairs = [list(range(x_rank - int(axes), x_rank)), list(range(int(axes)))]
    else:
        pairs = [[a] if isinstance(a, (int, np.integer)) else list(a) for a in axes]
    if len(pairs[0]) != len(pairs[1]):
        raise ValueError("tensordot(): the two operands have different numbers of axes")
    x_axes = [axis_index(a, x_rank, "tensordot") for a in pairs[0]]
    y_axes = [axis_index(a, y_rank, "tensordot") for a in pairs[1]]
    for pair in zip(x_axes, y_axes, strict=True):
        agree_along("tensordot", (x, y), pair)
    x_labels = ascii_letters[:x_rank]
    free = iter(ascii_letters[x_rank : x_rank + y_rank])
    y_labels = "".join(
        x_labels[x_axes[y_axes.index(a)]] if a in y_axes else next(free) for a in range(y_rank)
    )
    out = "".join(label for a, label in enumerate(x_labels) if a not in x_axes)
    out += "".join(label for a, label in enumerate(y_labels) if a not in y_axes)
    return einsum(f"{x_labels},{y_labels}->{out}", x, y)


def agree_along(name: str, operands: Sequence[Any], axes: Sequence[int]) -> None:
    """Check that operands have the same sizes along these axes, of which one may not be repeated."""
    shapes = [operand_type(dispatch.type_of(each)).shape for each in operands]
    known = {shape[axis] for shape, axis in zip(shapes, axes, strict=True)}
    message = f"{name}() of sizes that differ"
    trace = recording.current()
    if None not in known and len(known) > 1:
        raise ValueError(f"{message}: {' and '.join(map(str, sorted(known)))}")  # type: ignore[type-var]
    if trace is not None and None in known and 1 in known:
        dims = [emit.lift(trace, each).dims[a] for each, a in zip(operands, axes, strict=True)]
        agree(trace, dims, message, keep_static=True)


def inner(x: Any, y: Any) -> Any:
    """The sum of products over the last axes.

    >>> ag.inner([1.0, 2.0], [3.0, 4.0]).numpy()
    np.float32(11.0)

    Shapes: x [..., n], y [n] -> [...]; the other axes of y follow
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the last sizes differ
    """
    x_rank, y_rank = _rank(x), _rank(y)
    if not (x_rank and y_rank):
        return dispatch.call("multiply", x, y)
    return tensordot(x, y, ([x_rank - 1], [y_rank - 1]))


def outer(x: Any, y: Any) -> Any:
    """The product of each element of ``x`` with each of ``y``, both flattened.

    >>> ag.outer([1.0, 2.0], [3.0, 4.0]).numpy()
    array([[3., 4.],
           [6., 8.]], dtype=float32)

    Shapes: x [n], y [m] -> [n, m]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    flat = [dispatch.call("reshape", operand, (-1,)) for operand in (x, y)]
    return dispatch.call("multiply", dispatch.call("expand_dims", flat[0], 1), flat[1])


def vdot(x: Any, y: Any) -> Any:
    """The dot product of the flattened operands, the first one conjugated.

    >>> ag.vdot([1.0, 2.0], [3.0, 4.0]).numpy()
    np.float32(11.0)

    Shapes: x [n], y [n] -> []
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the numbers of elements differ
    """
    left = dispatch.call("reshape", x, (-1,))
    if operand_type(dispatch.type_of(x)).dtype.is_complex:
        left = dispatch.call("conj", left)
    return matmul(left, dispatch.call("reshape", y, (-1,)))


compose("dot", dot, operands=("x", "y"), numpy=(np.dot,))
compose("tensordot", tensordot, operands=("x", "y"), numpy=(np.tensordot,))
compose("inner", inner, operands=("x", "y"), numpy=(np.inner,))
compose("outer", outer, operands=("x", "y"), numpy=(np.outer,))
compose("vdot", vdot, operands=("x", "y"), numpy=(np.vdot,))
