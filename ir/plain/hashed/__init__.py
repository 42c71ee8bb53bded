"""Dicts, sets and what is built on them, and the texts of containers."""
