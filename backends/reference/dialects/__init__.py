"""The rules of the dialects, a table in each module."""
