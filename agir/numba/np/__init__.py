"""Numba's ``np``, as far as programs name it."""
