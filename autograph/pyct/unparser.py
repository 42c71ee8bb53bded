"""Source code from syntax trees.

`astunparse` knows the syntax of Python 3.8 and puts every expression in parentheses; this subclass
knows that of 3.13 and leaves out most of those that are not needed.
"""

from __future__ import annotations

import ast
import io

from agir.autograph.pyct.unparsing.definitions import Definitions
from agir.autograph.pyct.unparsing.expressions import Expressions
from agir.autograph.pyct.unparsing.patterns import Patterns
from agir.autograph.pyct.unparsing.statements import Statements

__all__ = ["unparse"]


def unparse(tree: ast.AST) -> str:
    """The source of a tree."""
    out = io.StringIO()
    _Unparser(tree, out)
    return out.getvalue().strip("\n") + "\n"


class _Unparser(Statements, Definitions, Patterns, Expressions):
    """One method a node class, named after it, as `astunparse` has it."""
