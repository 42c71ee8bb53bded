"""Calls of compiled functions as machine code that CPython calls directly."""
