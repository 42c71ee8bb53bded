"""Real ufuncs of NumPy's, whose loops are compiled."""
