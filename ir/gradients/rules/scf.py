"""Derivatives of control flow: a branch by a branch, a loop by a loop that runs backwards."""

from __future__ import annotations

from agir.ir.gradients.core import branches, for_loops, while_loops
from agir.ir.gradients.core.sweep import RULES

RULES["scf.if"] = branches.backward
RULES["scf.for"] = for_loops.backward
RULES["scf.while"] = while_loops.backward
