"""The operation table: one file a family, each operation defined once.

Importing this package fills the table; ``agir.ir.dispatch.TABLE`` holds it.
"""

from agir.ir.ops import (
    arithmetic,
    bits,
    comparison,
    contractions,
    conversion,
    convolution,
    creation,
    indexing,
    joining,
    lapack,
    mathematics,
    permutations,
    pooling,
    random_values,
    rearranging,
    reductions,
    scans,
    scattering,
    searching,
    shapes,
    sorting,
    statistics,
)

__all__ = [
    "arithmetic",
    "bits",
    "comparison",
    "contractions",
    "conversion",
    "convolution",
    "creation",
    "indexing",
    "joining",
    "lapack",
    "mathematics",
    "permutations",
    "pooling",
    "random_values",
    "rearranging",
    "reductions",
    "scans",
    "scattering",
    "searching",
    "shapes",
    "sorting",
    "statistics",
]
