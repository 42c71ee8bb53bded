"""Passes over loops: their form, their order, and whether they run in parallel."""
