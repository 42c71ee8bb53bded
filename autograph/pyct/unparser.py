"""Source code from syntax trees."""

from __future__ import annotations

import ast

__all__ = ["unparse"]


def unparse(tree: ast.AST) -> str:
    """The source of a tree."""
    return ast.unparse(tree)
