"""NumPy's ways to call: ufuncs, functions of functions, questions of dtypes, what is not recorded."""
