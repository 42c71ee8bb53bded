"""Smaller Python programs: statements left out, blocks opened, expressions replaced by their parts."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

ARGUMENTS = "ARGUMENTS"
"""The name of what a call gets, which is made smaller with the program."""

Ways = Sequence[Callable[[], ast.Module | None]]
_BODIES = ("body", "orelse", "finalbody", "handlers")


def program(source: str, arguments: str) -> ast.Module:
    """A program, with the arguments of a call at its end.

    Raises ``SyntaxError`` where the arguments are no expressions.
    """
    tree = ast.parse(source)
    call = ast.parse(f"_({arguments}\n)", mode="eval").body
    assert isinstance(call, ast.Call)
    if call.keywords:
        raise SyntaxError("keyword arguments: give them by their places")
    value = ast.Tuple(list(call.args), ast.Load())
    tree.body.append(ast.Assign([ast.Name(ARGUMENTS, ast.Store())], value))
    return ast.fix_missing_locations(tree)


def text(tree: ast.Module) -> str:
    """The program."""
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _lists(tree: ast.AST) -> list[list[ast.stmt]]:
    """All lists of statements, the outermost ones first."""
    return [
        found
        for node in ast.walk(tree)
        for name in _BODIES
        if isinstance(found := getattr(node, name, None), list) and found
    ]


def left_out(tree: ast.Module) -> Ways:
    """Without some statements that follow each other: half of a block, a quarter, ..., one."""
    ways = []
    for number, block in enumerate(_lists(tree)):
        size = len(block)
        while size:
            starts = range(len(block) - size, -1, -size)
            ways += [partial(_without, tree, number, start, size) for start in starts]
            size //= 2
    return ways


def _without(tree: ast.Module, number: int, start: int, size: int) -> ast.Module | None:
    made = copy.deepcopy(tree)
    block = _lists(made)[number]
    if all(isinstance(each, ast.Pass) for each in block[start : start + size]):
        return None
    block[start : start + size] = []
    if not block and number:
        block.append(ast.Pass())
    return made


def opened(tree: ast.Module) -> Ways:
    """With a block's statements in the place of an `if`, a loop, a `with` or a `try`."""
    return [
        partial(_open, tree, number, at, name)
        for number, block in enumerate(_lists(tree))
        for at, statement in enumerate(block)
        for name in _BODIES[:3]
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        and getattr(statement, name, None)
    ]


def _open(tree: ast.Module, number: int, at: int, name: str) -> ast.Module:
    made = copy.deepcopy(tree)
    block = _lists(made)[number]
    block[at : at + 1] = getattr(block[at], name)
    return made


def simplified(tree: ast.Module) -> Ways:
    """With a part of an expression, or a simple number, in its place."""
    return [
        partial(_replace, tree, number, choice)
        for number, (_, _, _, node) in enumerate(_expressions(tree))
        for choice in range(len(_simpler(node)))
    ]


def _expressions(tree: ast.AST) -> list[tuple[ast.AST, str, int | None, ast.expr]]:
    """Each expression that is read: what it is in, as what, at which place, and the expression."""
    found = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            items = enumerate(value) if isinstance(value, list) else [(None, value)]
            found += [
                (node, name, at, each)
                for at, each in items
                if isinstance(each, ast.expr)
                and isinstance(getattr(each, "ctx", ast.Load()), ast.Load)
                and name not in ("decorator_list", "annotation", "returns")
            ]
    return found


def _simpler(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Constant):
        return list(_smaller(node))
    found: list[ast.expr] = [ast.Constant(0), ast.Constant(1)]
    for part in ast.iter_child_nodes(node):
        found += [part] if isinstance(part, ast.expr) else []
    if isinstance(node, ast.List | ast.Tuple):
        for at in range(len(node.elts)):
            rest = [*node.elts[:at], *node.elts[at + 1 :]]
            found.append(type(node)(rest, ast.Load()))
    return found


def _smaller(node: ast.Constant) -> Iterator[ast.expr]:
    value: Any = node.value
    if type(value) in (int, float) and value not in (0, 1):
        yield ast.Constant(type(value)(0))
        yield ast.Constant(type(value)(1))
        if abs(value) > 3:
            yield ast.Constant(type(value)(int(value / 2)) if value == value else 0.0)
    elif isinstance(value, str | bytes) and value:
        yield ast.Constant(value[: len(value) // 2])


def _replace(tree: ast.Module, number: int, choice: int) -> ast.Module:
    made = copy.deepcopy(tree)
    owner, name, at, node = _expressions(made)[number]
    simpler = _simpler(node)[choice]
    if at is None:
        setattr(owner, name, simpler)
    else:
        getattr(owner, name)[at] = simpler
    return made


def without_parameters(function: str, tree: ast.Module) -> Ways:
    """Without a parameter of the function, and what a call gives for it."""
    definition = _definition(tree, function)
    count = 0 if definition is None else len(definition.args.args)
    return [partial(_without_parameter, tree, function, at) for at in range(count)]


def _without_parameter(tree: ast.Module, function: str, at: int) -> ast.Module | None:
    made = copy.deepcopy(tree)
    definition, given = _definition(made, function), made.body[-1]
    if definition is None or not isinstance(given, ast.Assign):
        return None
    value = given.value
    if not isinstance(value, ast.Tuple) or at >= len(value.elts) or definition.args.defaults:
        return None
    del definition.args.args[at], value.elts[at]
    return made


def _definition(tree: ast.Module, function: str) -> ast.FunctionDef | None:
    return next(
        (e for e in tree.body if isinstance(e, ast.FunctionDef) and e.name == function), None
    )
