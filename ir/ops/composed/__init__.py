"""Functions under TensorFlow's and NumPy's names, composed of operations of the table.

Importing this package puts those of NumPy into the table as well.
"""

from agir.ir.ops.composed import distinct, fourier, grids, numpy_linalg

__all__ = ["distinct", "fourier", "grids", "numpy_linalg"]
