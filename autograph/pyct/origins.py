"""Which lines of the user's file the lines of converted source stand for.

The nodes of a converted tree have the places of what they were made from.  Its text is parsed again,
and the two trees, which are the same, are walked side by side.
"""

from __future__ import annotations

import ast


def origins(tree: ast.AST, text: str) -> dict[int, list[int]]:
    """For each line of the text of a tree, from 1, those of the file that the tree was made from."""
    found: dict[int, set[int]] = {}
    for written in ast.parse(text).body:
        _compare(tree, written, found)
    return {line: sorted(lines) for line, lines in sorted(found.items())}


def _compare(ours: ast.AST, written: ast.AST, found: dict[int, set[int]]) -> None:
    """Note the lines of two trees as far as they are alike."""
    if type(ours).__name__ != type(written).__name__:
        return
    if isinstance(written, ast.stmt) and (line := getattr(ours, "lineno", None)):
        found.setdefault(written.lineno, set()).add(line)
    pairs = [
        (_nodes(getattr(ours, name, None)), _nodes(getattr(written, name, None)))
        for name in written._fields
    ]
    for mine, theirs in pairs:
        if len(mine) == len(theirs):
            for one, other in zip(mine, theirs, strict=True):
                _compare(one, other, found)


def _nodes(value: object) -> list[ast.AST]:
    each = value if isinstance(value, list) else [value]
    return [node for node in each if isinstance(node, ast.AST)]
