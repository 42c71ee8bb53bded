"""`with` around a block that is left to Python: the block becomes a function that is not converted.

A class of managers says so by ``__ag_leaves_block__``; its instances run the function.  What ``with
leave(y=kind):`` has in it gives the variables that are named, here ``y``, and nothing else::

    def block(x):           # what it reads of the function's variables
        y = compute(x)
        return (y,)
    (y,) = leave(y=kind).run(block, (x,), ('x',), ())

What it assigns into (``x[0] = 1``) is given back as well, and put back: ``x[...] = contents``.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import blocks_of, contains, own_statements
from agir.autograph.pyct.activity import is_generator, scope_of
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.qualified_names import resolve, root
from agir.autograph.pyct.templates import constant, names, replace
from agir.autograph.pyct.trees import walk
from agir.errors import UnsupportedError

_BLOCK = """
def block_():
    body_
    return results_
given_ = manager_.run(block_, inputs_, names_, written_)
"""


def leave_blocks(function: Any, context: Context, kept: set[Any]) -> None:
    """Make functions of the blocks of a function that are left to Python; they are ``kept``."""
    if any(_leaves(stmt, context) for stmt in own_statements(function.body)):
        function.body = _block(function.body, scope_of(function).locals, context, kept)


def _block(stmts: list[Any], variables: Any, context: Context, kept: set[Any]) -> list[Any]:
    out: list[Any] = []
    for stmt in stmts:
        if _leaves(stmt, context):
            out += _left(stmt, variables, context, kept)
            continue
        for block in blocks_of(stmt):
            block[:] = _block(block, variables, context, kept)
        out.append(stmt)
    return out


def _leaves(stmt: Any, context: Context) -> bool:
    if not isinstance(stmt, gast.With) or not isinstance(stmt.items[0].context_expr, gast.Call):
        return False
    made = resolve(stmt.items[0].context_expr.func, dict(context.namespace))
    return getattr(made, "__ag_leaves_block__", False) is True


def _left(stmt: Any, variables: Any, context: Context, kept: set[Any]) -> list[Any]:
    manager = stmt.items[0].context_expr
    results = [each.arg for each in manager.keywords]
    jumps = (gast.Return, gast.Break, gast.Continue)
    leaving = any(contains(each, kind) for each in stmt.body for kind in jumps)
    if None in results or len(stmt.items) > 1 or leaving or is_generator(stmt, walk(stmt)):
        raise UnsupportedError(
            f"line {stmt.lineno}: a block that is left to Python cannot be left by a jump, yields "
            "nothing, and says what it gives by name"
        )
    inputs = _inputs(stmt, results, variables)
    written = [each for each in inputs if each in _written(stmt)]
    fresh = context.namer.fresh
    contents = [fresh("contents") for _ in written]
    block, run = replace(
        _BLOCK,
        stmt,
        block_=fresh("block"),
        body_=stmt.body,
        results_=names([*results, *written], stmt),
        given_="given_",
        manager_=manager,
        inputs_=names(inputs, stmt),
        names_=constant(tuple(inputs), stmt),
        written_=constant(tuple(written), stmt),
    )
    parameters = [gast.Name(each, gast.Param(), None, None) for each in inputs]
    block.args.args = [gast.copy_location(each, stmt) for each in parameters]
    targets = gast.Tuple(
        [gast.Name(each, gast.Store(), None, None) for each in (*results, *contents)], gast.Store()
    )
    run.targets = [gast.copy_location(targets, stmt)]
    for each in targets.elts:
        gast.copy_location(each, stmt)
    kept.add(block)
    after = []
    for array, each in zip(written, contents, strict=True):
        after += replace("array_[...] = contents_", stmt, array_=array, contents_=each)
    return [block, run if targets.elts else gast.copy_location(gast.Expr(run.value), stmt), *after]


def _inputs(stmt: Any, results: list[str], variables: Any) -> list[str]:
    """The variables of the function that the block reads before it has assigned to them."""
    (probe,) = replace(
        "def block_():\n    body_\n    return results_",
        stmt,
        block_="block",
        body_=copy.deepcopy(stmt.body),
        results_=names(results, stmt),
    )
    own = scope_of(probe).locals
    analysis = Analysis(probe)
    live = set(analysis.bits.within(analysis.liveness.before[0]))
    read = {each.id for each in walk(probe) if isinstance(each, gast.Name)}
    return sorted(each for each in variables if each in (live if each in own else read))


def _written(stmt: Any) -> set[str | None]:
    """The variables into which a block assigns."""
    stored = [each for each in walk(stmt) if isinstance(each, gast.Subscript)]
    return {root(each) for each in stored if not isinstance(each.ctx, gast.Load)}
