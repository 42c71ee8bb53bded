"""The operation table: one file a family, each operation defined once.

Importing this package fills the table; ``agir.ir.dispatch.TABLE`` holds it.
"""

from agir.ir.ops import (
    arithmetic,
    comparison,
    conversion,
    creation,
    indexing,
)

__all__ = ["arithmetic", "comparison", "conversion", "creation", "indexing"]
