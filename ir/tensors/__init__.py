"""Tensors, and how an operation on them is evaluated or recorded."""
