"""Loops of independent turns with a ``while`` in them: several turns run together, under a mask."""

from agir.backends.cpu.passes.lanes.lockstep import run_turns_together

__all__ = ["run_turns_together"]
