"""The passes of each stage, as data."""

from __future__ import annotations

from agir.backends.cpu.library.calls import call_library
from agir.backends.cpu.passes.agreement import ask_before_loops
from agir.backends.cpu.passes.allocations import place_scalars, place_short_lived_buffers
from agir.backends.cpu.passes.alternation import alternate_between_buffers
from agir.backends.cpu.passes.beginnings import (
    begin_where_there_is_nothing,
    keep_beginnings,
)
from agir.backends.cpu.passes.buffer_types import forget_same_buffers, shorten_type_queries
from agir.backends.cpu.passes.complex_contractions import multiply_parts_of_complex_numbers
from agir.backends.cpu.passes.conditional_extremes import find_extremes_first
from agir.backends.cpu.passes.contiguous import copy_into_contiguous_layout
from agir.backends.cpu.passes.contraction_operands import (
    begin_with_fills,
    read_operands_where_they_lie,
)
from agir.backends.cpu.passes.contractions import compute_contractions_in_registers
from agir.backends.cpu.passes.copies import strided_copies_to_linalg
from agir.backends.cpu.passes.counted import count_while_loops, stop_counted_loops
from agir.backends.cpu.passes.counted_turns import count_turns
from agir.backends.cpu.passes.counts import count_in_blocks
from agir.backends.cpu.passes.dead_values import forget_dead_arrays
from agir.backends.cpu.passes.destinations import detach_destinations, reuse_dying_operands
from agir.backends.cpu.passes.disjoint import read_past_other_writes
from agir.backends.cpu.passes.dots import look_through_whole_slices, open_dots
from agir.backends.cpu.passes.epilogues import compute_epilogues_apart
from agir.backends.cpu.passes.equal_parts import outline_equal_parts
from agir.backends.cpu.passes.extreme_chains import hide_long_chains_of_extremes
from agir.backends.cpu.passes.extremes import check_one_by_one
from agir.backends.cpu.passes.failures import branch_on_failure
from agir.backends.cpu.passes.flat_loops import join_loops_over_rows
from agir.backends.cpu.passes.foreseen_bounds import foresee_bounds
from agir.backends.cpu.passes.formulas import compute_instead_of_reading
from agir.backends.cpu.passes.freeing import ask_before_freeing
from agir.backends.cpu.passes.functions import (
    declare_writable_arguments,
    keep_entry_points_apart,
    remember_signatures,
)
from agir.backends.cpu.passes.fusion import protect_costly_values, remove_marks
from agir.backends.cpu.passes.generalize import generalize_simple_operations
from agir.backends.cpu.passes.handed_on import hand_on_without_copying
from agir.backends.cpu.passes.in_place import write_results_into_arguments
from agir.backends.cpu.passes.invariants import hoist_invariant_arrays
from agir.backends.cpu.passes.kept_copies import read_kept_copies
from agir.backends.cpu.passes.kernels import outline_kernels
from agir.backends.cpu.passes.lanes import complex_folds, run_turns_together
from agir.backends.cpu.passes.leaving import leave_early
from agir.backends.cpu.passes.likely import expect_likely_branches
from agir.backends.cpu.passes.long_blocks import split_long_blocks
from agir.backends.cpu.passes.loop_exits import end_loops_on_failure, jump_out_of_loops
from agir.backends.cpu.passes.loop_extremes import let_extremes_reassociate
from agir.backends.cpu.passes.loop_order import order_loops_by_memory
from agir.backends.cpu.passes.loop_sums import let_sums_reassociate
from agir.backends.cpu.passes.loop_values import copy_shared_arrays
from agir.backends.cpu.passes.masked_reductions import reduce_with_masks
from agir.backends.cpu.passes.overwritten import drop_overwritten_stores
from agir.backends.cpu.passes.parallel_loops import run_loops_in_parallel
from agir.backends.cpu.passes.part_extents import give_parts_their_extents
from agir.backends.cpu.passes.reassociation import let_reductions_reassociate
from agir.backends.cpu.passes.recurrence_blocks import sum_for_several_turns
from agir.backends.cpu.passes.recursion import inline_recursion
from agir.backends.cpu.passes.recursive_arrays import pass_buffers, write_into_arguments
from agir.backends.cpu.passes.releases import free_after_last_use
from agir.backends.cpu.passes.repeated_blocks import outline_repeated_blocks
from agir.backends.cpu.passes.reshapes import keep_reshapes_in_place
from agir.backends.cpu.passes.restoring import save_if_checks_fail, save_what_is_written
from agir.backends.cpu.passes.result_arrays import compute_into_result_arrays
from agir.backends.cpu.passes.returned_arguments import return_arguments
from agir.backends.cpu.passes.scans import scan_recurrences
from agir.backends.cpu.passes.selects import branch_instead_of_selecting
from agir.backends.cpu.passes.short_loops import keep_short_loops, mark_branches
from agir.backends.cpu.passes.sibling_loops import fuse_scatter_loops
from agir.backends.cpu.passes.sibling_reductions import merge_reductions
from agir.backends.cpu.passes.single_copies import copy_once
from agir.backends.cpu.passes.sinking import compute_where_extents_are_known
from agir.backends.cpu.passes.slices import compute_into_slices
from agir.backends.cpu.passes.splats import fill_instead_of_storing
from agir.backends.cpu.passes.stencils import write_beside_what_is_read
from agir.backends.cpu.passes.strength import shift_instead_of_dividing
from agir.backends.cpu.passes.strided import take_strided_arguments
from agir.backends.cpu.passes.strided_stores import keep_strided_stores_scalar
from agir.backends.cpu.passes.team_calls import call_team
from agir.backends.cpu.passes.truth_values import access_truth_values_as_bytes
from agir.backends.cpu.passes.unit_axes import drop_unit_axes
from agir.backends.cpu.passes.unshare import make_empty_tensors_where_used, make_fills_where_used
from agir.backends.cpu.passes.versions import check_before_loops
from agir.backends.cpu.passes.without_host import compute_without_host
from agir.backends.cpu.recomputing.recompute import recompute_where_read
from agir.backends.cpu.sweeps.share import share_loops
from agir.backends.cpu.sweeps.triangles import compute_one_triangle
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
for an array that grows; the other is done by ``give_parts_their_extents``.
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
    Only(("bufferization.dealloc",), ask_before_freeing),
    "bufferization-lower-deallocations",
    "cse",
    CANONICALIZE_BUFFERS,
)
"""Upstream's pipeline of deallocation, step by step."""

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
    Only(("func.call",), compute_without_host),
    Only(("func.call",), INLINE),
    Only(ARRAYS, outline_equal_parts),
    Only(complex_folds.ARITHMETIC, complex_folds.compute_parts),
    Only((complex_folds.LOGARITHM,), complex_folds.keep_logarithms),
    CANONICALIZE,
    Only(PARTS, give_parts_their_extents),
    "cse",
    Only(ARRAYS, outline_repeated_blocks),
    Only(ARRAYS, Only(("func.call",), split_long_blocks)),
    Only(("linalg.contract",), read_operands_where_they_lie),
    Only(ARRAYS, make_fills_where_used),
    Only(("linalg.contract",), multiply_parts_of_complex_numbers),
    branch_instead_of_selecting,
    *_of_arrays(
        "convert-elementwise-to-linalg",
        generalize_simple_operations,
        detach_destinations,
    ),
    Only(("tensor.collapse_shape",), drop_unit_axes),
    Only(("scf.for",), "scf-for-loop-canonicalization"),
    *_of_loops(hoist_invariant_arrays),
    Only(("scf.if",), Only(("tensor.cast", "tensor.generate"), compute_where_extents_are_known)),
    *_of_loops(Only(("tensor.generate",), ask_before_loops)),
    Only(("tensor.extract_slice",), look_through_whole_slices),
    Only(("linalg.contract",), open_dots),
    Only(ARRAYS, protect_costly_values),
    Only(("tensor.expand_shape",), keep_reshapes_in_place),
    *_of_arrays(
        keep_beginnings,
        "linalg-fuse-elementwise-ops",
        remove_marks,
        begin_where_there_is_nothing,
        "linalg-inline-scalar-operands",
    ),
    Only(("tensor.extract",), compute_instead_of_reading),
    Only(("tensor.extract_slice",), recompute_where_read),
    Only(("tensor.insert", "tensor.insert_slice"), read_past_other_writes),
    *_of_loops(forget_dead_arrays),
    CANONICALIZE,
    Only(PARTS, give_parts_their_extents),
    "cse",
    Only(ARRAYS, fill_instead_of_storing),
    Only(ARRAYS, make_fills_where_used),  # cse has merged them again
    Only(("linalg.reduce",), check_one_by_one),
    Only(("linalg.reduce",), merge_reductions),
    Only(("scf.for",), fuse_scatter_loops),
    shift_instead_of_dividing,
)

BUFFERIZED: tuple[Pass, ...] = (
    *_of_arrays(
        Only(("func.call",), write_into_arguments),
        write_results_into_arguments,
        Only(("func.call",), pass_buffers),
        take_strided_arguments,
        declare_writable_arguments,
    ),
    Only(("linalg.contract", "linalg.generic"), begin_with_fills),
    *_of_arrays(
        make_empty_tensors_where_used,
        reuse_dying_operands,
    ),
    Only(("tensor.insert_slice",), write_beside_what_is_read),
    Only(ARRAYS, compute_into_slices),
    *_of_loops(copy_shared_arrays),
    Only(("func.call",), compute_into_result_arrays),
    Only(ARRAYS, "empty-tensor-to-alloc-tensor"),
    Only(("tensor.insert_slice",), read_kept_copies),
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
    Only(("memref.copy",), copy_once),
    *_of_loops(hand_on_without_copying),
    *_of_loops("loop-invariant-code-motion"),
    *_of_loops(alternate_between_buffers),
    *_of_arrays(
        place_scalars,
        *FIND_BUFFERS_TO_FREE,
        "convert-bufferization-to-memref",
    ),
    *_of_loops("loop-invariant-code-motion"),
    Only(("linalg.generic",), share_loops),
    Only(ARRAYS, place_short_lived_buffers),
)

LOOPS: tuple[Pass, ...] = (
    Only(("func.call",), inline_recursion),
    Only(ARRAYS, save_what_is_written),
    Only(ARRAYS, strided_copies_to_linalg),
    Only(ARRAYS, outline_kernels),
    Only(("linalg.contract",), compute_one_triangle),
    Only(("linalg.contract", "linalg.generic"), compute_contractions_in_registers),
    Only(("linalg.generic",), reduce_with_masks),
    *_of_arrays(
        "linalg-generalize-named-ops",
        order_loops_by_memory,
        let_reductions_reassociate,
        count_in_blocks,
        "convert-linalg-to-loops",
    ),
    Only(("memref.store",), drop_overwritten_stores),
    Only(("scf.for",), sum_for_several_turns),
    Only(("scf.while",), count_while_loops),
    Only(_LOOPS, Only(("arith.select",), check_before_loops)),
    Only(("scf.while",), stop_counted_loops),
    CANONICALIZE_BUFFERS,
    Only(ARRAYS, save_if_checks_fail),
    Only(("memref.store",), scan_recurrences),
    Only(("scf.for", "linalg"), Only(("scf.while",), run_turns_together)),
    Only((*_LOOPS, "linalg"), run_loops_in_parallel),
    Only(("linalg.contract", "linalg.generic"), compute_epilogues_apart),
    Only((*_LOOPS, "linalg"), join_loops_over_rows),
    Only(_LOOPS, let_sums_reassociate),
    Only(_LOOPS, Only(("memref.load",), find_extremes_first)),
    Only(("scf.for",), Only(("arith.cmpf",), let_extremes_reassociate)),
    Only(("memref.dealloc",), free_after_last_use),
)

LLVM: tuple[Pass, ...] = (
    Only(("memref.subview",), foresee_bounds),
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
    Only(_LOOPS, count_turns),
    Only(_LOOPS, Only(("arith.select",), end_loops_on_failure)),
    Only(_LOOPS, Only(("arith.select",), branch_on_failure)),
    Only(("scf.if",), expect_likely_branches),
    Only(("scf.for",), keep_strided_stores_scalar),
    Only(("scf.for",), keep_short_loops),
    "convert-scf-to-cf",
    Only(_LOOPS, Only(("arith.select",), jump_out_of_loops)),
    "convert-math-to-llvm{approximate-log1p=false}",
    "convert-math-to-libm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
    Only(("scf.for",), mark_branches),
    Only(("memref",), access_truth_values_as_bytes),
    "canonicalize",
    "cse",
    Only(
        ("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui"), hide_long_chains_of_extremes
    ),
    Only(("memref", *_LOOPS), leave_early),
    keep_entry_points_apart,
    call_team,
)

PIPELINES: dict[str, tuple[tuple[Pass, ...], tuple[str, ...]]] = {
    "optimized_hlo": (OPTIMIZED_HLO, TENSORS),
    "bufferized": (BUFFERIZED, BUFFERS),
    "loops": (LOOPS, SCALAR_LOOPS),
    "llvm": (LLVM, ("llvm",)),
}
"""What makes each stage of the one before, and the dialects that may be in it."""
