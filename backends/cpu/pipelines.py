"""The passes of each stage, as data."""

from __future__ import annotations

from agir.backends.cpu.library.calls import call_library
from agir.backends.cpu.passes.bufferization.allocations import (
    promote_scalars_to_stack,
    promote_short_lived_buffers,
)
from agir.backends.cpu.passes.bufferization.buffer_types import (
    forget_same_buffers,
    shorten_type_queries,
)
from agir.backends.cpu.passes.bufferization.constant_ownership import fold_ownership
from agir.backends.cpu.passes.bufferization.contiguous import copy_into_contiguous_layout
from agir.backends.cpu.passes.bufferization.copies import strided_copies_to_linalg
from agir.backends.cpu.passes.bufferization.copy_forwarding import forward_copies
from agir.backends.cpu.passes.bufferization.deallocations import (
    CLONE,
    RELEASE,
    free_in_one_call,
    lower_clones,
    lower_single_deallocations,
)
from agir.backends.cpu.passes.bufferization.destinations import (
    detach_destinations,
    reuse_dying_operands,
)
from agir.backends.cpu.passes.bufferization.double_buffering import double_buffer_loops
from agir.backends.cpu.passes.bufferization.early_deallocation import free_after_last_use
from agir.backends.cpu.passes.bufferization.freeing import guard_deallocations
from agir.backends.cpu.passes.bufferization.kept_copies import forward_kept_copies
from agir.backends.cpu.passes.bufferization.loop_carried_arrays import copy_aliased_loop_arrays
from agir.backends.cpu.passes.bufferization.loop_carried_copies import eliminate_loop_carried_copies
from agir.backends.cpu.passes.bufferization.loop_ownership import hand_over_ownership
from agir.backends.cpu.passes.bufferization.recursive_arrays import (
    pass_buffers,
    write_into_arguments,
)
from agir.backends.cpu.passes.bufferization.result_destinations import write_results_into_arguments
from agir.backends.cpu.passes.bufferization.returned_arguments import return_arguments
from agir.backends.cpu.passes.bufferization.slice_destinations import compute_into_slices
from agir.backends.cpu.passes.bufferization.stencil_buffers import double_buffer_stencils
from agir.backends.cpu.passes.bufferization.strided_arguments import take_strided_arguments
from agir.backends.cpu.passes.checks.bounds_assumptions import assume_slice_bounds
from agir.backends.cpu.passes.checks.early_exits import exit_loops_on_failure, lower_loop_exits
from agir.backends.cpu.passes.checks.failure_branches import branch_on_failure
from agir.backends.cpu.passes.checks.interrupts import insert_early_returns
from agir.backends.cpu.passes.checks.iteration_counting import count_iterations
from agir.backends.cpu.passes.checks.loop_versioning import version_loops_by_checks
from agir.backends.cpu.passes.checks.rollback import save_for_rollback, version_loops_with_rollback
from agir.backends.cpu.passes.loops.dead_stores import eliminate_dead_stores
from agir.backends.cpu.passes.loops.loop_coalescing import coalesce_row_loops
from agir.backends.cpu.passes.loops.loop_interchange import interchange_loops
from agir.backends.cpu.passes.loops.parallelization import parallelize_loops
from agir.backends.cpu.passes.loops.while_to_for import convert_while_to_for, restore_while_exits
from agir.backends.cpu.passes.lowering.branch_weights import set_branch_weights
from agir.backends.cpu.passes.lowering.entry_points import (
    declare_writable_arguments,
    keep_entry_points_apart,
    remember_signatures,
)
from agir.backends.cpu.passes.lowering.inside_checks import compare_without_signs
from agir.backends.cpu.passes.lowering.min_max_chains import hide_min_max_chains
from agir.backends.cpu.passes.lowering.recursive_inlining import inline_recursion
from agir.backends.cpu.passes.lowering.short_loops import keep_short_loops, mark_branches
from agir.backends.cpu.passes.lowering.strided_stores import keep_strided_stores_scalar
from agir.backends.cpu.passes.lowering.team_calls import call_team
from agir.backends.cpu.passes.lowering.truth_values import lower_booleans_to_bytes
from agir.backends.cpu.passes.outlining.epilogues import outline_epilogues
from agir.backends.cpu.passes.outlining.equal_parts import outline_equal_parts
from agir.backends.cpu.passes.outlining.kernels import outline_kernels
from agir.backends.cpu.passes.outlining.long_blocks import split_long_blocks
from agir.backends.cpu.passes.outlining.repeated_blocks import outline_repeated_blocks
from agir.backends.cpu.passes.outlining.result_arrays import compute_into_result_arrays
from agir.backends.cpu.passes.outlining.single_call_inlining import inline_single_calls
from agir.backends.cpu.passes.reductions.argmin_argmax import split_argmin_argmax
from agir.backends.cpu.passes.reductions.contractions import tile_contractions
from agir.backends.cpu.passes.reductions.linalg_reassociation import reassociate_reductions
from agir.backends.cpu.passes.reductions.masked_reductions import mask_short_reductions
from agir.backends.cpu.passes.reductions.min_max_checks import split_min_max_checks
from agir.backends.cpu.passes.reductions.min_max_reductions import reassociate_min_max
from agir.backends.cpu.passes.reductions.narrow_counts import narrow_boolean_counts
from agir.backends.cpu.passes.reductions.recurrence_blocking import block_recurrences
from agir.backends.cpu.passes.reductions.reduction_reassociation import reassociate_sums
from agir.backends.cpu.passes.reductions.scans import scan_recurrences
from agir.backends.cpu.passes.tensors.common_searches import eliminate_common_searches
from agir.backends.cpu.passes.tensors.complex_contractions import split_complex_contractions
from agir.backends.cpu.passes.tensors.contraction_operands import (
    fold_fills_into_contractions,
    fold_transposes_into_contractions,
)
from agir.backends.cpu.passes.tensors.dead_loop_carried import eliminate_dead_loop_carried_arrays
from agir.backends.cpu.passes.tensors.disjoint_writes import forward_past_disjoint_writes
from agir.backends.cpu.passes.tensors.dots import fold_whole_slices, fuse_into_dots
from agir.backends.cpu.passes.tensors.empty_reductions import (
    mark_empty_reductions,
    restore_empty_reductions,
)
from agir.backends.cpu.passes.tensors.fusion import protect_costly_values, remove_fusion_marks
from agir.backends.cpu.passes.tensors.generalization import generalize_simple_operations
from agir.backends.cpu.passes.tensors.index_formulas import rematerialize_index_formulas
from agir.backends.cpu.passes.tensors.invariant_hoisting import hoist_invariant_arrays
from agir.backends.cpu.passes.tensors.loop_fusion import fuse_scatter_loops
from agir.backends.cpu.passes.tensors.reduction_fusion import fuse_sibling_reductions
from agir.backends.cpu.passes.tensors.rematerialization import (
    rematerialize_empty_tensors,
    rematerialize_fills,
)
from agir.backends.cpu.passes.tensors.reshapes import keep_reshapes_in_place
from agir.backends.cpu.passes.tensors.selects import lower_selects_to_branches
from agir.backends.cpu.passes.tensors.shape_versioning import hoist_shape_checks
from agir.backends.cpu.passes.tensors.sinking import sink_into_branches
from agir.backends.cpu.passes.tensors.slice_shapes import refine_slice_shapes
from agir.backends.cpu.passes.tensors.small_host_calls import expand_small_host_calls
from agir.backends.cpu.passes.tensors.splat_constants import fill_splat_constants
from agir.backends.cpu.passes.tensors.strength_reduction import reduce_division_strength
from agir.backends.cpu.passes.tensors.unit_dimensions import drop_unit_dimensions
from agir.backends.cpu.passes.vectorization import complex_folds, vectorize_while_loops
from agir.backends.cpu.recomputing.recompute import rematerialize_where_read
from agir.backends.cpu.sweeps.share import fuse_sweeps
from agir.backends.cpu.sweeps.triangles import compute_triangle
from agir.backends.mlir.passes import WITHOUT_ELEMENTS, Only, Pass, Step

SCALARS = ("func", "arith", "math", "complex", "scf", "index", "ub")
TENSORS = (*SCALARS, "affine", "tensor", "linalg", "bufferization")
SCALAR_LOOPS = (*SCALARS, "memref", "affine", "vector", "cf")
BUFFERS = (*SCALAR_LOOPS, "linalg")

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops=true}"
)

CANONICALIZE = (
    "canonicalize{disable-patterns={anonymous}::ForOpTensorCastFolder,"
    "{anonymous}::TensorCastExtractSlice}"
)
"""Canonicalization of tensors, but for two patterns.

One takes the static shape in which a loop variable enters for the shape that it keeps, which is wrong
for an array that grows; the other is done by ``refine_slice_shapes``.
"""

CANONICALIZE_EMPTY = "canonicalize{disable-patterns={anonymous}::SubViewOpMemRefCastFolder}"
"""Canonicalization of buffers some of which are empty: parts of them that are taken where control does
not get would be parts of a type that says so, which MLIR takes for a mistake."""

CANONICALIZE_BUFFERS = Only((WITHOUT_ELEMENTS,), CANONICALIZE_EMPTY, otherwise="canonicalize")

_LOOPS = ("scf.for", "scf.while")

FIND_BUFFERS_TO_FREE = (
    "expand-realloc",
    CANONICALIZE_BUFFERS,
    "func.func(ownership-based-buffer-deallocation{private-function-dynamic-ownership=true})",
    CANONICALIZE_BUFFERS,
    "buffer-deallocation-simplification",
    Only((RELEASE,), Only(_LOOPS, hand_over_ownership)),
    Only((RELEASE,), guard_deallocations),
    Only((RELEASE,), lower_single_deallocations),
    "cse",
    CANONICALIZE_BUFFERS,
    Only(_LOOPS, fold_ownership),
    CANONICALIZE_BUFFERS,
)
"""Upstream's pipeline of deallocation, step by step, but for how buffers are freed."""

INLINE = "inline{default-pipeline=cse}"
"""Inlining, which would else canonicalize every function, that pattern included."""

PARTS = ("tensor.extract_slice",)
ARRAYS = ("tensor", "memref")
"""The dialects of arrays, and what there is in a program with a value that is one."""


def _of_arrays(*passes: Step | Only) -> tuple[Only, ...]:
    """The passes, where there are arrays."""
    return tuple(Only(ARRAYS, each) for each in passes)


def _of_loops(*passes: Step | Only) -> tuple[Only, ...]:
    """The passes, where there are loops and arrays."""
    return _of_arrays(*(Only(_LOOPS, each) for each in passes))


OPTIMIZED_HLO: tuple[Pass, ...] = (
    Only(("func.call",), expand_small_host_calls),
    Only(("func.call",), inline_single_calls),
    Only(("func.call",), INLINE),
    Only(ARRAYS, outline_equal_parts),
    Only(complex_folds.ARITHMETIC, complex_folds.split_complex_arithmetic),
    Only((complex_folds.LOGARITHM,), complex_folds.canonicalize_complex_logarithms),
    CANONICALIZE,
    Only(PARTS, refine_slice_shapes),
    "cse",
    Only(("func.call",), eliminate_common_searches),
    Only(ARRAYS, outline_repeated_blocks),
    Only(ARRAYS, Only(("func.call",), split_long_blocks)),
    Only(("linalg.contract",), fold_transposes_into_contractions),
    Only(ARRAYS, rematerialize_fills),
    Only(("linalg.contract",), split_complex_contractions),
    lower_selects_to_branches,
    *_of_arrays(
        "convert-elementwise-to-linalg",
        generalize_simple_operations,
        detach_destinations,
    ),
    Only(("tensor.collapse_shape",), drop_unit_dimensions),
    Only(("scf.for",), "scf-for-loop-canonicalization"),
    *_of_loops(hoist_invariant_arrays),
    Only(("scf.if",), Only(("tensor.cast", "tensor.generate"), sink_into_branches)),
    *_of_loops(Only(("tensor.generate",), hoist_shape_checks)),
    Only(("tensor.extract_slice",), fold_whole_slices),
    Only(("linalg.contract",), fuse_into_dots),
    Only(ARRAYS, protect_costly_values),
    Only(("tensor.expand_shape",), keep_reshapes_in_place),
    *_of_arrays(
        mark_empty_reductions,
        "linalg-fuse-elementwise-ops",
        remove_fusion_marks,
        restore_empty_reductions,
        "linalg-inline-scalar-operands",
    ),
    Only(("tensor.extract",), rematerialize_index_formulas),
    Only(("tensor.extract_slice",), rematerialize_where_read),
    Only(("tensor.insert", "tensor.insert_slice"), forward_past_disjoint_writes),
    *_of_loops(eliminate_dead_loop_carried_arrays),
    CANONICALIZE,
    Only(PARTS, refine_slice_shapes),
    "cse",
    Only(ARRAYS, fill_splat_constants),
    Only(ARRAYS, rematerialize_fills),  # cse has merged them again
    Only(("linalg.reduce",), split_min_max_checks),
    Only(("linalg.reduce",), fuse_sibling_reductions),
    Only(("scf.for",), fuse_scatter_loops),
    reduce_division_strength,
)

BUFFERIZED: tuple[Pass, ...] = (
    *_of_arrays(
        Only(("func.call",), write_into_arguments),
        write_results_into_arguments,
        Only(("func.call",), pass_buffers),
        take_strided_arguments,
        declare_writable_arguments,
    ),
    Only(("linalg.contract", "linalg.generic"), fold_fills_into_contractions),
    *_of_arrays(
        rematerialize_empty_tensors,
        reuse_dying_operands,
    ),
    Only(("tensor.insert_slice",), double_buffer_stencils),
    Only(ARRAYS, compute_into_slices),
    *_of_loops(copy_aliased_loop_arrays),
    Only(("func.call",), compute_into_result_arrays),
    Only(ARRAYS, "empty-tensor-to-alloc-tensor"),
    Only(("tensor.insert_slice",), forward_kept_copies),
    *_of_arrays(Only(("scf.if", "scf.for", "scf.while"), shorten_type_queries)),
    *_of_arrays(
        BUFFERIZE,
        forget_same_buffers,
        Only(("func.call",), return_arguments),
        "drop-equivalent-buffer-results",
        copy_into_contiguous_layout,
        CANONICALIZE_BUFFERS,
        "cse",
    ),
    Only(("memref.copy",), forward_copies),
    *_of_loops(eliminate_loop_carried_copies),
    *_of_loops("loop-invariant-code-motion"),
    *_of_loops(double_buffer_loops),
    *_of_arrays(
        promote_scalars_to_stack,
        *FIND_BUFFERS_TO_FREE,
        Only((CLONE,), lower_clones),
    ),
    *_of_loops("loop-invariant-code-motion"),
    Only(("linalg.generic",), fuse_sweeps),
    Only(ARRAYS, promote_short_lived_buffers),
)

LOOPS: tuple[Pass, ...] = (
    Only(("func.call",), inline_recursion),
    Only(ARRAYS, save_for_rollback),
    Only(ARRAYS, strided_copies_to_linalg),
    Only(ARRAYS, outline_kernels),
    Only(("linalg.contract",), compute_triangle),
    Only(("linalg.contract", "linalg.generic"), tile_contractions),
    Only(("linalg.generic",), mask_short_reductions),
    *_of_arrays(
        "linalg-generalize-named-ops",
        interchange_loops,
        reassociate_reductions,
        narrow_boolean_counts,
        "convert-linalg-to-loops",
    ),
    Only(("memref.store",), eliminate_dead_stores),
    Only(("scf.for",), block_recurrences),
    Only(("scf.while",), convert_while_to_for),
    Only(_LOOPS, Only(("arith.select",), version_loops_by_checks)),
    Only(("scf.while",), restore_while_exits),
    CANONICALIZE_BUFFERS,
    Only(ARRAYS, version_loops_with_rollback),
    Only(("memref.store",), scan_recurrences),
    Only(("scf.for", "linalg"), Only(("scf.while",), vectorize_while_loops)),
    Only((*_LOOPS, "linalg"), parallelize_loops),
    Only(("linalg.contract", "linalg.generic"), outline_epilogues),
    Only((*_LOOPS, "linalg"), coalesce_row_loops),
    Only(_LOOPS, reassociate_sums),
    Only(_LOOPS, Only(("memref.load",), split_argmin_argmax)),
    Only(("scf.for",), Only(("arith.cmpf",), reassociate_min_max)),
    Only(("memref.dealloc",), free_after_last_use),
)

LLVM: tuple[Pass, ...] = (
    Only(("memref.subview",), assume_slice_bounds),
    Only(("memref.reshape",), "memref-expand"),
    "lower-affine",
    "expand-strided-metadata",
    "lower-affine",
    call_library,
    Only(("bf16",), "math-extend-to-supported-types"),
    Only(("bf16",), "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}"),
    Only(("math.ipowi", "math.fpowi"), "convert-math-to-funcs"),
    Only(("complex",), "convert-complex-to-standard"),
    Only(("complex",), call_library),
    "arith-expand{include-bf16=true}",
    remember_signatures,
    Only(_LOOPS, count_iterations),
    Only(_LOOPS, Only(("arith.select",), exit_loops_on_failure)),
    Only(_LOOPS, Only(("arith.select",), branch_on_failure)),
    Only(("arith.andi",), compare_without_signs),
    Only(("scf.if",), set_branch_weights),
    Only(("scf.for",), keep_strided_stores_scalar),
    Only(("scf.for",), keep_short_loops),
    Only((RELEASE,), free_in_one_call),
    "convert-scf-to-cf",
    Only(_LOOPS, Only(("arith.select",), lower_loop_exits)),
    "convert-math-to-llvm{approximate-log1p=false}",
    "convert-math-to-libm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
    Only(("scf.for",), mark_branches),
    Only(("memref",), lower_booleans_to_bytes),
    "canonicalize",
    "cse",
    Only(("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui"), hide_min_max_chains),
    Only(("memref", *_LOOPS), insert_early_returns),
    keep_entry_points_apart,
    call_team,
)

PIPELINES: dict[str, tuple[tuple[Pass, ...], tuple[str, ...]]] = {
    "optimized_hlo": (OPTIMIZED_HLO, TENSORS),
    "bufferized": (BUFFERIZED, (*BUFFERS, RELEASE)),
    "loops": (LOOPS, (*SCALAR_LOOPS, RELEASE)),
    "llvm": (LLVM, ("llvm",)),
}
"""What makes each stage of the one before, and the dialects that may be in it."""
