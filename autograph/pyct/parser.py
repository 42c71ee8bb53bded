"""From a function object to its syntax tree.

The tree is a `gast` tree cut out of that of the whole file, so that every node carries the place
where it stands in the user's file.
"""

from __future__ import annotations

import ast
import copy
import functools
import linecache
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

from agir.autograph.pyct import loader, recovery
from agir.autograph.pyct.exchange import to_gast
from agir.autograph.pyct.trees import children
from agir.by_identity import IdentityDict
from agir.errors import NoSourceError
from agir.records import dataclass

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Definition:
    """A function in its file; `classes` are the classes it is nested in, innermost last."""

    node: FunctionNode
    classes: tuple[str, ...]
    filename: str

    @property
    def class_name(self) -> str | None:
        """The class whose name mangles ``__private`` names, if any."""
        return self.classes[-1] if self.classes else None


_kept: IdentityDict[tuple[Any, str | None]] = IdentityDict()
"""The trees of functions that stand in no file, and the classes whose names they use."""


def keep(code: CodeType, tree: Any, class_name: str | None) -> None:
    """Remember the tree that a function was compiled from."""
    _kept.set(code, (tree, class_name))


def parse(function: FunctionType) -> tuple[Any, Definition]:
    """The `gast` tree of a function, and its definition."""
    if (kept := _kept.get(function.__code__)) is not None:
        tree, class_name = kept
        classes = () if class_name is None else (class_name,)
        return copy.deepcopy(tree), Definition(tree, classes, function.__code__.co_filename)
    definition = find_definition(function)
    return to_gast(definition.node), definition


_EXEC = "<string>"
"""What `exec` calls its text; from Python 3.13 on, also the registered text of ``python -c``."""


def source_of(code: CodeType, module_globals: dict[str, Any]) -> str:
    """The text of the file, or of the string, that the code was compiled from."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, module_globals)
    if lines and (code.co_filename != _EXEC or _defines("".join(lines), code)):
        return "".join(lines)
    if source := recovery.find_source(code):
        return source
    where = f"{code.co_filename}:{code.co_firstlineno}"
    raise NoSourceError(
        f"the source of {code.co_name} ({where}) is not available;"
        " define the function in a file, or keep the text it is made from in a variable"
    )


def _defines(source: str, code: CodeType) -> bool:
    """Whether the text defines the code."""
    try:
        return bool(_definitions(source, code.co_filename, code.co_firstlineno, code.co_name))
    except SyntaxError:
        return False


def find_definition(function: FunctionType) -> Definition:
    """Where a function is defined, exactly, even with several on one line."""
    code = function.__code__
    try:
        source = source_of(code, function.__globals__)
        found = _definitions(source, code.co_filename, code.co_firstlineno, code.co_name)
    except NoSourceError:
        if (tree := recovery.find_tree(code)) is None:
            raise
        index = _indexed(tree, code.co_filename)
        found = index.get((code.co_firstlineno, code.co_name), [])
    except SyntaxError as error:
        raise _changed(code) from error
    if len(found) > 1:
        found = _by_position(found, code)
    if len(found) > 1:
        found = [one for one in found if loader.compiles_to(one, code)] or found[:1]
    if not found:
        raise _changed(code)
    return found[0]


def _changed(code: CodeType) -> NoSourceError:
    return NoSourceError(
        f"{code.co_filename}:{code.co_firstlineno} does not define {code.co_name}:"
        " the file has changed since it was imported"
    )


@functools.lru_cache(maxsize=32)
def _index(source: str, filename: str) -> dict[tuple[int, str], list[Definition]]:
    """Every function of a file, by the line and the name that its code object has."""
    return _indexed(ast.parse(source, filename), filename)


def _indexed(tree: ast.Module, filename: str) -> dict[tuple[int, str], list[Definition]]:
    index: dict[tuple[int, str], list[Definition]] = {}
    for node, classes in _functions(tree, ()):
        if isinstance(node, ast.Lambda):
            key = (node.lineno, "<lambda>")
        else:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            key = (first, node.name)
        index.setdefault(key, []).append(Definition(node, classes, filename))
    return index


def _definitions(source: str, filename: str, line: int, name: str) -> Sequence[Definition]:
    return _index(source, filename).get((line, name), [])


def _functions(tree: ast.AST, classes: tuple[str, ...]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    pending: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, classes)]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, FUNCTIONS):
            yield node, inside
        if isinstance(node, ast.ClassDef):
            # Decorators and bases lie outside of the class, but are rarely lambdas that matter.
            inside = (*inside, node.name)
        pending.extend((child, inside) for child in reversed(children(node)))


def _by_position(found: Sequence[Definition], code: CodeType) -> Sequence[Definition]:
    """Those whose body covers the columns of the code object, which Python has from 3.11 on."""
    if sys.version_info < (3, 11):
        return found
    places = {
        (line, column)
        for line, _, column, _ in code.co_positions()
        if line is not None and column is not None and (line, column) != (code.co_firstlineno, 0)
    }
    if not places:
        return found
    return [one for one in found if _begins(one.node) == min(places)] or found


def _begins(node: FunctionNode) -> tuple[int, int]:
    first = node.body if isinstance(node, ast.Lambda) else node.body[0]
    return min(
        (each.lineno, each.col_offset) for each in ast.walk(first) if isinstance(each, ast.expr)
    )
