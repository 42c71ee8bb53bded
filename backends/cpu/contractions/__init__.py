"""Contractions and convolutions in tiles of registers."""
