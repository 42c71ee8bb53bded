"""The operation table: one file a family, each operation defined once.

Importing this package fills the table; ``agir.ir.tensors.dispatch.TABLE`` holds it.
"""

# ruff: noqa: F401 (importing them fills the table)

from agir.ir.ops.calls import applied, dtype_questions, numpy_protocol
from agir.ir.ops.elementwise import (
    arithmetic,
    array_parts,
    bits,
    comparison,
    conversion,
    extrema,
    float_parts,
    integer_functions,
    mathematics,
    number_kinds,
    numpy_math,
    rounding,
    selection,
)
from agir.ir.ops.indexing import indexing, scattering
from agir.ir.ops.linalg import contractions, lapack, numpy_linalg
from agir.ir.ops.ordering import distinct, order, searching, sets, sorting
from agir.ir.ops.random import permutations, random_values
from agir.ir.ops.reductions import numpy_reductions, reductions, scans
from agir.ir.ops.shapes import (
    creation,
    grids,
    joining,
    numpy_creation,
    numpy_grids,
    numpy_shapes,
    rearranging,
    shapes,
)
from agir.ir.ops.signals import (
    convolution,
    fourier,
    interpolation,
    numpy_windows,
    polynomials,
    pooling,
    sliding_products,
)
from agir.ir.ops.statistics import binning, histograms, quantiles, statistics
