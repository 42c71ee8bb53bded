"""`while` and `for`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.generators import emitter
from agir.autograph.converters.logical import mark_condition
from agir.autograph.converters.objects import Stores
from agir.autograph.converters.shared_variables import SharedVariables
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.templates import call, constant, expression, keyword, name
from agir.autograph.pyct.trees import walk

Block = Callable[[list[Any]], list[Any]]

WHILE = """
def test_():
    declared_
    return condition_
def body_():
    others_
    block_
state_
ag_.while_stmt(test_, body_, stateof_, options_)
"""
FOR = """
def body_(item_):
    declared_
    block_
state_
ag_.for_stmt(iterated_, body_, extra_, stateof_, options_)
"""


def while_loop(stmt: Any, shared: SharedVariables, block: Block) -> list[Any]:
    """``ag__.while_stmt(loop_test, loop_body, ag__.State(...), ag__.LoopOptions(...))``."""
    mark_condition(stmt.test, shared.context)
    place = shared.analysis.graph.places[stmt]
    state = shared.analysis.state(stmt)
    before = shared.initialise(stmt)
    test = place.decide.index
    filled = shared.fill(
        WHILE,
        stmt,
        state,
        test_=shared.context.function("loop_test"),
        declared_=shared.declare(stmt.test, state, range(test, test + 1)),
        condition_=stmt.test,
        body_=shared.context.function("loop_body"),
        others_=shared.declare(stmt, state, range(test + 1, place.body.stop)),
        options_=_options(stmt, (), shared.context),
        block_=[
            *shared.start_iteration(stmt, {*state}, range(test + 1, place.body.stop)),
            *_body(stmt, shared.context, block),
        ],
    )
    return [*before, *filled]


def for_loop(stmt: Any, shared: SharedVariables, block: Block, stores: Stores) -> list[Any]:
    """``ag__.for_stmt(iterated, loop_body, extra_test, ag__.State(...), ag__.LoopOptions(...))``."""
    place = shared.analysis.graph.places[stmt]
    state = shared.analysis.state(stmt)
    before = shared.initialise(stmt)
    item, assign = _target(stmt, state, shared.context, stores)
    targets = tuple(dict.fromkeys(_stored_names(stmt.target)))
    filled = shared.fill(
        FOR,
        stmt,
        state,
        body_=shared.context.function("loop_body"),
        item_=item,
        declared_=shared.declare(stmt, state, place.body),
        options_=_options(stmt, targets, shared.context),
        block_=[
            *shared.start_iteration(stmt, {*state, *targets}, place.body),
            *assign,
            *_body(stmt, shared.context, block),
        ],
        iterated_=stmt.iter,
        extra_=_extra_test(stmt),
    )
    return [*before, *filled]


def _target(
    stmt: Any, state: tuple[str, ...], context: Context, stores: Stores
) -> tuple[str, list[Any]]:
    """The argument of the body of a `for`, and what unpacks it."""
    if isinstance(stmt.target, gast.Name) and stmt.target.id not in state:
        return stmt.target.id, []
    item = context.namer.fresh("item")
    assign = gast.Assign([stmt.target], name(item, stmt.target), None)
    return item, stores.assignment(gast.copy_location(assign, stmt.target))


def _extra_test(stmt: Any) -> Any:
    """What ends the loop early: the flag of a `break`, and what a generator adds."""
    extra = getattr(stmt, "extra_test", None)
    if extra is None:
        return constant(None, stmt)
    if isinstance(extra, gast.Call):  # an operator without arguments
        return extra.func
    function = expression("lambda: None", stmt)
    function.body = extra
    emit = getattr(stmt, "stopped_by", None)
    return function if emit is None else call(f"{emit}.until", stmt, function)


def _body(stmt: Any, context: Context, block: Block) -> list[Any]:
    """The body of a loop, without what is said of the loop."""
    body = block([each for each in stmt.body if not _is_directive(each, context)])
    return body or [gast.copy_location(gast.Pass(), stmt)]


def _options(stmt: Any, targets: tuple[str, ...], context: Context) -> Any:
    """The `LoopOptions`."""
    options = expression("ag_.LoopOptions()", stmt, ag_=context.operators)
    options.keywords += _directives(stmt, context)
    if targets:
        options.keywords.append(keyword("targets", constant(targets, stmt)))
    if getattr(stmt, "collects", False):
        options.keywords.append(keyword("collects", constant(True, stmt)))
    emit = emitter(stmt, context)
    return options if emit is None else call(f"{emit}.looping", stmt, options)


_OPTIONS = ("unroll", "checkpoint", "maximum_iterations")
"""Those that have an effect."""


def _directives(stmt: Any, context: Context) -> list[Any]:
    """What the calls of `set_loop_options` say that stand in the body of a loop."""
    found = [each for each in stmt.body if _is_directive(each, context)]
    return [said for each in found for said in each.value.keywords if said.arg in _OPTIONS]


def _is_directive(stmt: Any, context: Context) -> bool:
    """Whether it sets options; a call that does not fit stays one, which Python refuses."""
    if not (isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call)):
        return False
    function = resolve(stmt.value.func, dict(context.namespace))
    known = getattr(function, "__ag_loop_options__", ())
    given = [each.arg for each in stmt.value.keywords]
    return bool(known) and not stmt.value.args and set(given) <= set(known)


def _stored_names(target: Any) -> list[str]:
    found = [
        each.id
        for each in walk(target)
        if isinstance(each, gast.Name) and isinstance(each.ctx, gast.Store)
    ]
    return found
