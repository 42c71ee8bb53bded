"""Variables that may have no value: ``del``, reads, the names of exceptions, annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import TRIES, own_statements
from agir.autograph.pyct.activity import FUNCTIONS, scope_of, walk_own
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.templates import constant, expression, replace, statement
from agir.autograph.pyct.trees import walk


def initialise(name: str, origin: Any, context: Context, kind: str = "Undefined") -> Any:
    """``name = ag__.Undefined('name')``."""
    value = expression(
        f"ag_.{kind}(text_)", origin, ag_=context.operators, text_=constant(name, origin)
    )
    return statement("name_ = value_", origin, name_=name, value_=value)


def mark_reads(analysis: Analysis, context: Context) -> None:
    """Note the reads that may find `Undefined`."""
    plain, inner = analysis.doubtful_reads()
    plain = [each for each in plain if not getattr(each, "may_be_unbound", False)]
    context.loads.update(dict.fromkeys(plain, "ld"))
    context.loads.update(dict.fromkeys(inner, "ld_free"))


def mark_free_reads(node: Any, names: set[str], context: Context) -> None:
    """Note the reads of an enclosing function's variables in a nested function."""
    hidden = set(scope_of(node).locals) | scope_of(node).globals
    names = names - hidden
    if not names:
        return
    for part in node.body if isinstance(node.body, list) else [node.body]:
        for each in walk_own(part):
            if isinstance(each, FUNCTIONS):  # walk_own goes no deeper
                mark_free_reads(each, names, context)
            elif isinstance(each, gast.Name) and each.id in names:
                context.loads[each] = "ld_free"


def rewrite_delete(
    stmt: Any, analysis: Analysis, context: Context, deletion: Callable[[Any], Any]
) -> list[Any]:
    """``del x`` as an assignment; `deletion` is told of items and attributes."""
    out: list[Any] = []
    for target in _flat(stmt.targets):
        if isinstance(target, gast.Name) and target.id not in analysis.scope.outer:
            if target.id in analysis.doubtful_deletes(stmt):
                out += replace("ag_.ld(x_)", target, ag_=context.operators, x_=target.id)
            out.append(initialise(target.id, target, context))
        elif isinstance(target, gast.Name):
            out.append(gast.copy_location(gast.Delete([target]), stmt))
        else:
            out.append(deletion(target))
    return out


def _flat(targets: Iterable[Any]) -> Iterable[Any]:
    for target in targets:
        if isinstance(target, gast.Tuple | gast.List):
            yield from _flat(target.elts)
        else:
            yield target


def without_annotation(stmt: Any) -> Any:
    """``x: int = 1`` without its annotation, which a nonlocal variable may not have."""
    if stmt.value is None:
        return gast.copy_location(gast.Pass(), stmt)
    return gast.copy_location(gast.Assign([stmt.target], stmt.value, None), stmt)


def name_exceptions(function: Any, namer: Namer) -> None:
    """Make the name of an exception a variable like others, if it is used as one.

    ``except E as e`` deletes ``e`` in the end, which must not happen to a variable that functions
    share.
    """
    handlers = [
        handler
        for stmt in own_statements(function.body)
        if isinstance(stmt, TRIES)
        for handler in stmt.handlers
        if handler.name is not None
    ]
    if not handlers:
        return
    elsewhere = _used_elsewhere(function, handlers)
    for handler in handlers:
        if (name := handler.name.id) in elsewhere:
            caught = namer.fresh(name)
            handler.body = replace(
                "name_ = caught_\ntry:\n    body_\nfinally:\n    name_ = None\n    del name_",
                handler,
                name_=name,
                caught_=caught,
                body_=handler.body,
            )
            handler.body[1].plain = True
            handler.name.id = caught


def _used_elsewhere(function: Any, handlers: list[Any]) -> set[str]:
    """Names of exceptions that occur outside of the handlers that bind them."""
    names = {handler.name.id for handler in handlers}
    inside: set[Any] = set()
    for handler in handlers:
        for each in walk(handler):
            if isinstance(each, gast.Name) and each.id == handler.name.id:
                inside.add(each)
    return {
        each.id
        for each in walk(function)
        if isinstance(each, gast.Name) and each.id in names and each not in inside
    } | (names & scope_of(function).captured)
