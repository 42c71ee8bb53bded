"""What NumPy and LAPACK compute when the program runs: factorizations, solutions, eigenvalues.

The compiled program calls the host; an operation in a branch that is not taken computes nothing.
``LinAlgError`` comes through with the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from agir.ir.building.types import DType, TensorType, promote
from agir.ir.emission import emit
from agir.ir.host import callbacks, hosts
from agir.ir.ops.core import host_calls
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.linalg import lapack_types as types
from agir.ir.ops.linalg import matrix_algorithms as algorithms
from agir.ir.tensors import dispatch
from agir.ir.tracing.trace import Trace


def common_dtype(name: str, kinds: Sequence[TensorType]) -> DType:
    """The dtype that all operands have or take: float or complex of 32 bits or more a part."""
    dtype = promote(*kinds)[0]
    if dtype.kind not in "fc" or dtype.is_storage_only:
        raise TypeError(
            f"{name}() is not defined for {dtype}: it takes float32, float64 and complex"
        )
    return dtype


def _arrays(dtype: DType, operands: Sequence[Any]) -> list[Any]:
    return [np.asarray(value, dtype.numpy) for value in operands]


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def on_host(
    name: str,
    compute: Callable[..., Any],
    shapes: Callable[..., Any],
    doc: str,
    operands: tuple[str, ...] = ("a",),
    attributes: Sequence[str] = (),
) -> dispatch.Operation:
    """An operation that ``compute`` evaluates on arrays of one dtype.

    ``shapes(dtype, *shapes, **attributes)`` gives (dtype, shape) of each result, in a list where
    there are several, and refuses operands with ``ValueError``.
    """

    def rule(**given: Any) -> Any:
        kinds = [operand_type(given[n]) for n in operands]
        dtype = common_dtype(name, kinds)
        options = {n: given[n] for n in attributes}
        found = shapes(name, dtype, *(k.shape for k in kinds), **options)
        if isinstance(found, list):
            return tuple(TensorType(*each) for each in found)
        return TensorType(*found)

    def evaluate(**given: Any) -> Any:
        values = [given[n] for n in operands]
        dtype = common_dtype(name, [dispatch.type_of(v) for v in values])
        return computed(dtype, values, {n: given[n] for n in attributes})

    def computed(dtype: DType, values: Sequence[Any], options: dict[str, Any]) -> Any:
        try:
            return compute(*_arrays(dtype, values), **options)
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(f"{name}(): {error}") from None

    def emission(trace: Trace, result: Any, **given: Any) -> Any:
        tensors = [emit.lift(trace, given[n]) for n in operands]
        dtype = common_dtype(name, [t.type for t in tensors])
        options = {n: given[n] for n in attributes}
        compute = partial(computed, dtype, options=options)
        made = called(trace, name, compute, tensors, result, options)
        return made if isinstance(result, tuple) else made[0]

    def every(*values: Any, **options: Any) -> tuple[Any, ...]:
        kinds = [operand_type(dispatch.type_of(v)) for v in values]
        dtype = common_dtype(name, kinds)
        with np.errstate(all="ignore"):
            try:
                return _as_tuple(computed(dtype, values, _whole(options)))
            except np.linalg.LinAlgError as error:
                raise ArithmeticError(str(error)) from None

    def instead(*values: Any, **options: Any) -> tuple[Any, ...]:
        kinds = [operand_type(dispatch.type_of(v)) for v in values]
        found = shapes(
            name, common_dtype(name, kinds), *(k.shape for k in kinds), **_whole(options)
        )
        every = found if isinstance(found, list) else [found]
        return tuple(np.full(shape, np.nan, dtype.numpy) for dtype, shape in every)

    def _whole(options: dict[str, Any]) -> dict[str, Any]:
        return {n: options.get(n) for n in attributes}

    hosts.COMPUTED[name], hosts.INSTEAD[name] = every, instead
    parameters = ", ".join([*operands, *attributes])
    signature = eval(f"lambda {parameters}: None")
    return dispatch.define(
        name,
        operands=operands,
        rule=rule,
        emit=emission,
        doc=doc,
        signature=signature,
        accepts="fc",
    )(evaluate)


def called(
    trace: Trace,
    name: str,
    compute: Callable[[Sequence[Any]], Any],
    tensors: Sequence[Any],
    result: Any,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Any, ...]:
    """Record the call; gives its results."""
    kinds = _as_tuple(result)
    place = trace.explain("")

    def call(values: Sequence[Any], results: Sequence[host_calls.Result]) -> list[Any]:
        try:
            with np.errstate(all="ignore"):
                found = _as_tuple(compute(values))
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(f"{error}{place}") from None
        return [np.asarray(f, k.dtype.numpy) for f, k in zip(found, kinds, strict=True)]

    wanted = [host_calls.Result(i, k.dtype, k.shape) for i, k in enumerate(kinds)]
    said = callbacks.operation(name, options)
    made = host_calls.record(trace, host_calls.HostFunction(name, call, wanted, said), tensors)
    return tuple(trace.make(t.ssa, t.dtype, t.dims) for t in made)


cholesky = on_host(
    "cholesky",
    np.linalg.cholesky,
    types.square,
    "The lower triangular factor of positive definite matrices: ``a = l @ adjoint(l)``.",
)
inv = on_host("inv", np.linalg.inv, types.square, "The inverses of square matrices.")
det = on_host("det", np.linalg.det, types.scalar, "The determinants of matrices.")
slogdet = on_host(
    "slogdet",
    np.linalg.slogdet,
    lambda name, dtype, a: [
        types.scalar(name, dtype, a),
        (dtype.real, types.scalar(name, dtype, a)[1]),
    ],
    "The sign of the determinants, and the logarithm of their absolute value.",
)
solve = on_host(
    "solve",
    np.linalg.solve,
    types.solution,
    "The solutions of ``a @ x = b`` for square matrices ``a``.",
    ("a", "b"),
)
triangular = on_host(
    "triangular_solve",
    algorithms.triangular_solve,
    types.triangular,
    "The solutions of ``a @ x = b`` for triangular matrices ``a``.",
    ("a", "b"),
    ("lower",),
)
least_squares = on_host(
    "lstsq",
    algorithms.least_squares,
    types.least_squares,
    "The ``x`` for which ``a @ x - b`` is shortest; the shortest of them.",
    ("a", "b"),
)
qr = on_host(
    "qr",
    lambda a, full_matrices: np.linalg.qr(a, "complete" if full_matrices else "reduced"),
    types.qr,
    "Matrices with orthonormal columns and upper triangular ones whose product is ``a``.",
    ("a",),
    ("full_matrices",),
)
svd = on_host(
    "svd",
    algorithms.svd,
    types.svd,
    "The singular values, and the left and right singular vectors as columns.",
    ("a",),
    ("full_matrices",),
)
svdvals = on_host(
    "svdvals",
    lambda a: np.linalg.svd(a, compute_uv=False),
    lambda name, dtype, a: types.svd(name, dtype, a, False)[0],
    "The singular values, the greatest first.",
)
pseudo_inverse = on_host(
    "pseudo_inverse",
    algorithms.pseudo_inverse,
    types.pseudo_inverse,
    "The pseudo-inverses: singular values up to ``rtol`` times the greatest count as zero.",
    ("a", "rtol"),
)
cofactors = on_host(
    "cofactors",
    algorithms.cofactors,
    types.square,
    "The derivatives of the determinant with respect to each element.",
)
eigh = on_host(
    "eigh",
    np.linalg.eigh,
    lambda name, dtype, a: [types.values(name, dtype.real, a), types.square(name, dtype, a)],
    "Eigenvalues, the least first, and eigenvectors as columns, of self-adjoint matrices.",
)
eigvalsh = on_host(
    "eigvalsh",
    np.linalg.eigvalsh,
    lambda name, dtype, a: types.values(name, dtype.real, a),
    "The eigenvalues of self-adjoint matrices, the least first.",
)
eig = on_host(
    "eig",
    np.linalg.eig,
    lambda name, dtype, a: [
        types.values(name, types.complex_of(dtype), a),
        types.square(name, types.complex_of(dtype), a),
    ],
    "Complex eigenvalues, and eigenvectors as columns.",
)
eigvals = on_host(
    "eigvals",
    np.linalg.eigvals,
    lambda name, dtype, a: types.values(name, types.complex_of(dtype), a),
    "The eigenvalues, as complex numbers.",
)
expm = on_host("expm", algorithms.expm, types.square, "The exponentials of square matrices.")
expm_derivative = on_host(
    "expm_derivative",
    algorithms.expm_derivative,
    lambda name, dtype, a, *directions: types.square(name, dtype, a),
    "How the exponentials of matrices ``a`` change in the direction ``b``, and then in others.",
    ("a", "b"),
)
lu = on_host(
    "lu",
    algorithms.lu,
    types.lu,
    "Triangular factors in one matrix, and the rows of ``a`` in their order: ``a[p] = l @ u``.",
    ("a",),
    ("output_idx_type",),
)
