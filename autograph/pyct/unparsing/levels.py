"""How tightly expressions bind: an operand that binds less tightly needs parentheses."""

from __future__ import annotations

import ast

(
    YIELD, WALRUS, TEST, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, ADD, MULTIPLY,
    UNARY, POWER, AWAIT, ATOM,
) = range(17)  # fmt: skip

BINARY: dict[type, tuple[str, int]] = {
    ast.BitOr: ("|", BITOR),
    ast.BitXor: ("^", BITXOR),
    ast.BitAnd: ("&", BITAND),
    ast.LShift: ("<<", SHIFT),
    ast.RShift: (">>", SHIFT),
    ast.Add: ("+", ADD),
    ast.Sub: ("-", ADD),
    ast.Mult: ("*", MULTIPLY),
    ast.Div: ("/", MULTIPLY),
    ast.FloorDiv: ("//", MULTIPLY),
    ast.Mod: ("%", MULTIPLY),
    ast.MatMult: ("@", MULTIPLY),
    ast.Pow: ("**", POWER),
}
UNARY_OPERATORS: dict[type, tuple[str, int]] = {
    ast.Not: ("not ", NOT),
    ast.Invert: ("~", UNARY),
    ast.UAdd: ("+", UNARY),
    ast.USub: ("-", UNARY),
}
LEVELS: dict[type, int] = {
    ast.Yield: YIELD,
    ast.YieldFrom: YIELD,
    ast.NamedExpr: WALRUS,
    ast.Lambda: TEST,
    ast.IfExp: TEST,
    ast.Compare: COMPARE,
    ast.Await: AWAIT,
    ast.Starred: YIELD,
}


def level_of(node: ast.AST) -> int:
    """How tightly an expression binds."""
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)][1]
    if isinstance(node, ast.UnaryOp):
        return UNARY_OPERATORS[type(node.op)][1]
    if isinstance(node, ast.BoolOp):
        return AND if isinstance(node.op, ast.And) else OR
    return LEVELS.get(type(node), ATOM)
