"""Functions and methods of numbers."""
