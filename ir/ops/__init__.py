"""The operation table: one file a family, each operation defined once.

Importing this package fills the table; ``agir.ir.dispatch.TABLE`` holds it.
"""

from agir.ir.ops import (
    arithmetic,
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
    shapes,
)

__all__ = [
    "arithmetic",
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
    "shapes",
]
