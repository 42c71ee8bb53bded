"""Numba's ``np.ufunc``: ufuncs are NumPy's own."""
