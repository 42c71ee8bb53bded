"""Gradients for callers: tapes, and functions that are derivatives of functions."""
