"""Products of matrices, factorizations, solutions."""
