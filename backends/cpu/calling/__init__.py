"""The calling convention: from NumPy values to compiled code and back."""
