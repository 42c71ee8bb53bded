"""Loops of independent iterations with a ``while`` in them:

several iterations run together, under a mask.
"""

from agir.backends.cpu.passes.vectorization.lockstep import run_iterations_together

__all__ = ["run_iterations_together"]
