"""Generators that a caller gets, and functions that return iterators."""
