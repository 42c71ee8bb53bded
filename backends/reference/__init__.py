"""A NumPy interpreter of the `hlo` stage: ``jit_compile=False``, and the oracle of the tests.

``Interpreter(module).call("f", x, y)`` executes a function of a verified MLIR module that is
made of `func`, `arith`, `math`, `complex`, `tensor`, `linalg` and `scf` operations.  Whatever MLIR
leaves undefined (a division by zero, an index out of bounds) raises `UndefinedBehaviour`, so that
code which has to guard against it is seen to do so.
"""

from agir.errors import UndefinedBehaviour, UnsupportedOperation

from .interpreter import Interpreter
from .program import load

__all__ = ["Interpreter", "UndefinedBehaviour", "UnsupportedOperation", "load"]
