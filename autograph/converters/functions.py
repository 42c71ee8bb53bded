"""A function and the functions in it, from the first pass to the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context, frame_functions
from agir.autograph.converters.common.jumps import LOOPS, STARS, blocks_of, own_statements
from agir.autograph.converters.common.steps import convert_steps, whole_body
from agir.autograph.converters.common.variables import (
    mark_free_reads,
    mark_reads,
    name_exceptions,
    without_annotation,
)
from agir.autograph.converters.control_flow import convert_control_flow
from agir.autograph.converters.expressions import convert_expressions
from agir.autograph.converters.generators import can_produce, with_producer
from agir.autograph.converters.leaving.break_statements import lower_break
from agir.autograph.converters.leaving.continue_statements import lower_continue
from agir.autograph.converters.leaving.finally_clauses import lower_finally, may_drop
from agir.autograph.converters.leaving.left_blocks import leave_blocks
from agir.autograph.converters.leaving.matching import lower_matches
from agir.autograph.converters.leaving.return_statements import lower_returns
from agir.autograph.converters.leaving.with_statements import mark_managers
from agir.autograph.converters.objects import rebinding
from agir.autograph.converters.resumable import can_resume, resumable
from agir.autograph.pyct.activity import is_generator, scope_of, walk_function, walk_own
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.trees import walk

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def convert_tree(function: Any, context: Context) -> Any:
    """The converted tree of a function; the given one is used up."""
    context.bound = _bound_names(function)
    driver = _Driver(context)
    driver.statements(function)
    return convert_expressions(function, context, driver)


class _Driver:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.kept: set[Any] = set()
        self.left: set[Any] = set()
        """Functions that are left to Python."""
        self.plain: set[Any] = set()

    def statements(self, function: Any) -> None:
        """Convert the statements, from the outermost function inwards."""
        if isinstance(function, gast.FunctionDef):
            leave_blocks(function, self.context, self.left)
        nodes = list(walk_function(function))
        if can_resume(function, nodes, self.context) and resumable(function, self.context):
            nodes = list(walk_function(function))
        elif isinstance(function, gast.FunctionDef) and can_produce(function, nodes):
            bodies = with_producer(function, self.context)
            self.plain.add(bodies.generate)
            inner = walk_function(bodies.generate)
            self.functions([each for each in inner if isinstance(each, SCOPES)], set())
            self.statements(bodies.produce)
            return
        plain = isinstance(function, gast.FunctionDef) and _reason_to_keep(function, nodes)
        if isinstance(function, gast.FunctionDef) and not plain and _has_finally(nodes):
            function.body = lower_finally(function.body, self.context.namer)
            nodes = list(walk_function(function))
        nested = [each for each in nodes if isinstance(each, SCOPES)]
        classes = [each for each in nodes if isinstance(each, gast.ClassDef)]
        undefinable: set[str] = set()
        if isinstance(function, gast.FunctionDef):
            if plain:
                self.plain.add(function)
            else:
                undefinable = self.control_flow(function)
        self.functions(nested, undefinable)
        for each in classes:
            self.methods(each, undefinable)

    def methods(self, definition: Any, undefinable: set[str]) -> None:
        """Convert the functions in the body of a class."""
        outer, self.context.class_name = self.context.class_name, definition.name
        nodes = [node for stmt in definition.body for node in walk_own(stmt)]
        self.functions([each for each in nodes if isinstance(each, SCOPES)], undefinable)
        for each in nodes:
            if isinstance(each, gast.ClassDef):
                self.methods(each, undefinable)
        self.context.class_name = outer

    def functions(self, nested: Sequence[Any], undefinable: set[str]) -> None:
        """Convert functions that stand in another one, some of whose names may be unbound."""
        for each in nested:
            mark_free_reads(each, undefinable, self.context)
            if (
                isinstance(each, gast.AsyncFunctionDef)
                or (isinstance(each, gast.Lambda) and is_generator(each))
                or each in self.left
                or self.left_alone(each)
            ):
                self.kept.add(each)
            else:
                self.statements(each)

    def left_alone(self, function: Any) -> bool:
        """Whether a decorator asks for that."""
        decorators = getattr(function, "decorator_list", ())
        found = (resolve(each, dict(self.context.namespace)) for each in decorators)
        return any(getattr(each, "__ag_leaves_alone__", False) for each in found)

    def control_flow(self, function: Any) -> set[str]:
        context = self.context
        names = scope_of(function).locals
        function.body, declared = _without_declarations(function.body)
        function.body = lower_matches(function.body, context)
        mark_managers(function, context)
        if context.stepwise:
            whole_body(function)
        value = lower_returns(function, context.namer)
        function.body = self.jumps(function.body)
        name_exceptions(function, context.namer)
        function.body = convert_steps(function, context)
        body = function.body = [*declared, *function.body]
        left = scope_of(function).locals
        lost = [each for each in names if each not in left]
        analysis = Analysis(function, lost)
        mark_reads(analysis, context)
        documented, others = _split_docstring(body[len(declared) :])
        others = convert_control_flow(function, others, analysis, context, value)
        if function.name not in context.generated:
            outer = analysis.scope.outer & analysis.modified_anywhere()
            others = rebinding(others, sorted(outer), context.operators, function)
        function.body = [*documented, *declared, *others]
        return analysis.undefinable

    def jumps(self, stmts: list[Any]) -> list[Any]:
        """A block without `break` and `continue`, the innermost loops first."""
        out: list[Any] = []
        for stmt in stmts:
            for part in (stmt, *getattr(stmt, "handlers", ())):
                if isinstance(stmt, (*SCOPES, gast.ClassDef)):
                    continue
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(part, field, None), list):
                        setattr(part, field, self.jumps(block))
            if isinstance(stmt, LOOPS):
                lower_continue(stmt, self.context.namer)
                out += lower_break(stmt, self.context.namer)
            elif isinstance(stmt, gast.AnnAssign):
                out.append(without_annotation(stmt))
            else:
                out.append(stmt)
        return out


def _reason_to_keep(function: Any, nodes: Sequence[Any]) -> str | None:
    """Why the statements of a function stay as they are, if they have to; of all nodes of its own."""
    if is_generator(function, nodes):
        return "it is a generator that no loop can run"
    for node in nodes:
        if frame_functions(node):
            return f"it calls {node.func.id}()"
    if any(isinstance(stmt, STARS) and may_drop(stmt) for stmt in own_statements(function.body)):
        return "a jump leaves a finally clause, which drops a group of exceptions"
    return None


def _has_finally(nodes: Sequence[Any]) -> bool:
    return any(getattr(node, "finalbody", None) for node in nodes)


def _without_declarations(stmts: list[Any]) -> tuple[list[Any], list[Any]]:
    """The block without `global` and `nonlocal`, and these, which hold for the whole function."""
    declared: list[Any] = []
    out: list[Any] = []
    for stmt in stmts:
        if isinstance(stmt, gast.Global | gast.Nonlocal):
            declared.append(stmt)
            continue
        for block in blocks_of(stmt):
            kept, found = _without_declarations(block)
            block[:] = kept or [gast.copy_location(gast.Pass(), stmt)]
            declared += found
        out.append(stmt)
    return out, declared


def _split_docstring(stmts: list[Any]) -> tuple[list[Any], list[Any]]:
    first = stmts[0] if stmts else None
    text = getattr(getattr(first, "value", None), "value", None)
    documented = isinstance(first, gast.Expr) and isinstance(text, str)
    return (stmts[:1], stmts[1:]) if documented else ([], stmts)


def _bound_names(function: Any) -> set[str]:
    """The variables of a function and of the functions in it."""
    bound: set[str] = set()
    for node in walk(function):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            bound.add(node.id)
        elif isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, gast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
    return bound
