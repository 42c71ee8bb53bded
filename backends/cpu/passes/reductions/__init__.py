"""Passes over reductions, scans and contractions."""
