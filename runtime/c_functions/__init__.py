"""Compiled functions that C calls."""
