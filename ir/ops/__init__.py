"""The operation table: one file a family, each operation defined once.

Importing this package fills the table; ``agir.ir.dispatch.TABLE`` holds it.
"""

from agir.ir.ops import (
    arithmetic,
    bits,
    comparison,
    contractions,
    conversion,
    creation,
    indexing,
    joining,
    mathematics,
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
    "creation",
    "indexing",
    "joining",
    "mathematics",
    "rearranging",
    "reductions",
    "scans",
    "scattering",
    "searching",
    "shapes",
    "sorting",
    "statistics",
]
