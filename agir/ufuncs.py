"""The decorators that make ufuncs of NumPy's."""

from agir.runtime.ufuncs.vectorizing import guvectorize as guvectorize
from agir.runtime.ufuncs.vectorizing import vectorize as vectorize

__all__ = ["guvectorize", "vectorize"]
