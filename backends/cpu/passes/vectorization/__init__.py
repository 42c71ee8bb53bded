"""Passes that vectorize loops of independent iterations with a ``while`` in them, under masks."""

from agir.backends.cpu.passes.vectorization.lockstep import vectorize_while_loops

__all__ = ["vectorize_while_loops"]
