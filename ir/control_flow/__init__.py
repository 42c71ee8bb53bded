"""Control flow as ``scf``: the recorded form of AutoGraph's ``if``, ``while`` and ``for``.

Bodies are recorded into detached blocks, one for each region; what they read and write is known
only then, so the ``scf`` operation is made last.  A loop body is recorded again only where a
carried variable turned out to need a wider type than it had before the loop.
"""

from agir.ir.control_flow.conditionals import if_exp, if_stmt
from agir.ir.control_flow.for_loops import for_stmt
from agir.ir.control_flow.logical import TooCostly, logical, negation
from agir.ir.control_flow.regions import run_recorded
from agir.ir.control_flow.while_loops import while_stmt

__all__ = [
    "TooCostly",
    "for_stmt",
    "if_exp",
    "if_stmt",
    "logical",
    "negation",
    "run_recorded",
    "while_stmt",
]
