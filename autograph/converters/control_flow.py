"""`if`, `while`, `for` and `try` become calls of operators, and their blocks functions.

The variables that a block shares with what is around it are declared `nonlocal` in it; those that
live only inside of the block stay its own.
"""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast  # type: ignore[import-untyped]

from agir.autograph.converters.context import Context
from agir.autograph.converters.generators import emitter
from agir.autograph.converters.jumps import SCOPES
from agir.autograph.converters.objects import Stores, is_part
from agir.autograph.converters.try_statements import TryStatement
from agir.autograph.converters.variables import initialise, rewrite_delete
from agir.autograph.converters.with_statements import manage
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.cfg import is_plain
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.templates import (
    call,
    constant,
    expression,
    name,
    names,
    replace,
    statement,
)
from agir.autograph.pyct.trees import walk

__all__ = ["convert_control_flow"]

STATE = """
def get_():
    return values_
def set_(new_):
    state_
    targets_ = new_
"""
IF = """
def body_():
    declared_
    block_
def orelse_():
    others_
    elseblock_
state_
ag_.if_stmt(test_, body_, orelse_, stateof_)
"""
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


def convert_control_flow(
    function: Any, stmts: Sequence[Any], analysis: Analysis, context: Context, value: str | None
) -> list[Any]:
    """The body of a function, in which the operators are called.

    `value` is the variable that holds what the function returns, if there is one.
    """
    flow = _ControlFlow(analysis, context, value)
    flow.shares_undefined = getattr(function, "shares_undefined", False)
    origin = stmts[0] if stmts else function
    start = [flow.undefined(each, origin) for each in analysis.at_start()]
    return start + flow.block(stmts)


class _ControlFlow:
    """Rewrites the blocks of one function."""

    def __init__(self, analysis: Analysis, context: Context, value: str | None) -> None:
        self.analysis = analysis
        self.context = context
        self.value = value
        """The variable that holds the value of the function, if there is one."""
        self.stores = Stores(context, {*analysis.scope.shared, *analysis.scope.outer})
        self.shares_undefined = False
        """Whether the variables of others that it assigns to are those of converted functions."""

    def block(self, stmts: Sequence[Any]) -> list[Any]:
        """A block in which the operators are called."""
        return [new for stmt in stmts for new in self.statement(stmt)]

    def loop_body(self, stmts: Sequence[Any], origin: Any) -> list[Any]:
        """The body of a loop, without what is said of the loop."""
        block = self.block([stmt for stmt in stmts if not self.is_directive(stmt)])
        return block or [gast.copy_location(gast.Pass(), origin)]

    def statement(self, stmt: Any) -> list[Any]:
        """What takes the place of a statement."""
        method = getattr(self, f"on_{type(stmt).__name__}", None)
        return list(method(stmt)) if method is not None else self.inside(stmt)

    def inside(self, stmt: Any) -> list[Any]:
        """A statement that stays one, with its blocks converted."""
        if not isinstance(stmt, SCOPES):
            for part in (stmt, *getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(part, field, None), list):
                        setattr(part, field, self.block(block))
        return [stmt]

    def on_Assign(self, stmt: Any) -> list[Any]:
        return self.stores.assignment(stmt)

    def on_With(self, stmt: Any) -> list[Any]:
        if getattr(stmt, "managed", False):
            manage(stmt, self.context.operators)
        stores: list[Any] = []
        for item in stmt.items:
            if item.optional_vars is not None and is_part(item.optional_vars):
                item.optional_vars, more = self.stores.simple(item.optional_vars, stmt)
                stores += more
        stmt.body = [*stores, *self.block(stmt.body)]
        return [stmt]

    def on_Delete(self, stmt: Any) -> list[Any]:
        return rewrite_delete(stmt, self.analysis, self.context, self.stores.deletion)

    def on_AugAssign(self, stmt: Any) -> list[Any]:
        target = stmt.target
        if is_part(target):
            return self.stores.augmented(stmt)
        if target not in self.context.loads:
            return [stmt]
        value = expression("ag_.ld(x_)", target, ag_=self.context.operators, x_=target.id)
        return [statement("x_ = value_", stmt, x_=target.id, value_=value), stmt]

    def on_If(self, stmt: Any) -> list[Any]:
        place = self.analysis.graph.places[stmt]
        state = self.analysis.state(stmt)
        before = self.initialise(stmt)
        body = self.function("if_body")
        orelse = self.function("else_body") if stmt.orelse else None
        filled = self.fill(
            IF,
            stmt,
            state,
            body_=body,
            declared_=self.declare(stmt, state, place.body),
            block_=self.block(stmt.body),
            orelse_=orelse or "else_body",
            others_=self.declare(stmt, state, place.orelse),
            elseblock_=self.block(stmt.orelse) or [gast.Pass()],
            test_=stmt.test,
        )
        if orelse is None:
            filled = [each for each in filled if getattr(each, "name", None) != "else_body"]
            filled[-1].value.args[2] = self.operator("skip", stmt)
        return [*before, *filled]

    def on_While(self, stmt: Any) -> list[Any]:
        place = self.analysis.graph.places[stmt]
        state = self.analysis.state(stmt)
        before = self.initialise(stmt)
        test = place.decide.index
        filled = self.fill(
            WHILE,
            stmt,
            state,
            test_=self.function("loop_test"),
            declared_=self.declare(stmt.test, state, range(test, test + 1)),
            condition_=stmt.test,
            body_=self.function("loop_body"),
            others_=self.declare(stmt, state, range(test + 1, place.body.stop)),
            options_=self.options(stmt, ()),
            block_=self.loop_body(stmt.body, stmt),
        )
        return [*before, *filled]

    def on_For(self, stmt: Any) -> list[Any]:
        place = self.analysis.graph.places[stmt]
        state = self.analysis.state(stmt)
        before = self.initialise(stmt)
        item, assign = self.target(stmt, state)
        targets = tuple(dict.fromkeys(_stored_names(stmt.target)))
        filled = self.fill(
            FOR,
            stmt,
            state,
            body_=self.function("loop_body"),
            item_=item,
            declared_=self.declare(stmt, state, place.body),
            options_=self.options(stmt, targets),
            block_=[*assign, *self.loop_body(stmt.body, stmt)],
            iterated_=stmt.iter,
            extra_=self.extra_test(stmt),
        )
        return [*before, *filled]

    def on_Try(self, stmt: Any) -> list[Any]:
        if is_plain(stmt):
            return self.inside(stmt)
        place = self.analysis.graph.places[stmt]
        state = self.analysis.state(stmt)
        before = self.initialise(stmt)
        clauses = TryStatement(
            stmt,
            self.context,
            lambda part: self.declare(stmt, state, place.parts[part]),
            self.block,
        )
        return [*before, *clauses.converted(self.state(stmt, state))]

    def target(self, stmt: Any, state: tuple[str, ...]) -> tuple[str, list[Any]]:
        """The argument of the body of a `for`, and what unpacks it."""
        if isinstance(stmt.target, gast.Name) and stmt.target.id not in state:
            return stmt.target.id, []
        item = self.context.namer.fresh("item")
        assign = gast.Assign([stmt.target], name(item, stmt.target), None)
        return item, self.stores.assignment(gast.copy_location(assign, stmt.target))

    def extra_test(self, stmt: Any) -> Any:
        extra = getattr(stmt, "extra_test", None)
        if extra is None:
            return constant(None, stmt)
        if isinstance(extra, gast.Call):  # an operator without arguments
            return extra.func
        function = expression("lambda: None", stmt)
        function.body = extra
        emit = getattr(stmt, "stopped_by", None)
        return function if emit is None else call(f"{emit}.until", stmt, function)

    def function(self, wish: str) -> str:
        new = self.context.namer.fresh(wish)
        self.context.generated.add(new)
        return new

    def operator(self, text: str, origin: Any) -> Any:
        return expression(f"ag_.{text}", origin, ag_=self.context.operators)

    def initialise(self, stmt: Any) -> list[Any]:
        unbound = self.analysis.unbound_before(stmt)
        return [self.undefined(each, stmt) for each in unbound]

    def undefined(self, each: str, origin: Any) -> Any:
        """The assignment that gives a variable its stand-in."""
        kind = "UndefinedReturn" if each == self.value else "Undefined"
        return initialise(each, origin, self.context, kind)

    def fill(
        self, template: str, stmt: Any, state: tuple[str, ...], **replacements: Any
    ) -> list[Any]:
        functions, value = self.state(stmt, state)
        return replace(
            template,
            stmt,
            ag_=self.context.operators,
            state_=functions,
            stateof_=value,
            **replacements,
        )

    def declare(self, origin: Any, state: tuple[str, ...], span: range) -> list[Any]:
        """The declarations of the variables that a function shares."""
        modified = self.analysis.modified(span)
        return self.declarations(origin, tuple(each for each in state if each in modified))

    def declarations(self, origin: Any, shared: tuple[str, ...]) -> list[Any]:
        outermost = tuple(each for each in shared if each in self.analysis.scope.globals)
        others = tuple(each for each in shared if each not in outermost)
        out = replace("global names_", origin, names_=outermost)
        return out + replace("nonlocal names_", origin, names_=others)

    def state(self, stmt: Any, state: tuple[str, ...]) -> tuple[list[Any], Any]:
        """The functions that get and set the variables, and the `State` of the two."""
        functions, value = self.own_state(stmt, state)
        emit = emitter(stmt, self.context)
        return functions, value if emit is None else call(f"{emit}.around", stmt, value)

    def own_state(self, stmt: Any, state: tuple[str, ...]) -> tuple[list[Any], Any]:
        if not state:
            return [], self.operator("no_state", stmt)
        getter, setter = self.function("get_state"), self.function("set_state")
        functions = replace(
            STATE,
            stmt,
            get_=getter,
            values_=self.values(stmt, state),
            set_=setter,
            new_=self.context.new_values,
            state_=self.declarations(stmt, state),
            targets_=state,
        )
        functions[1].body += self.unbind(stmt, state)
        value = expression(
            "ag_.State(get_, set_, names_)",
            stmt,
            ag_=self.context.operators,
            get_=getter,
            set_=setter,
            names_=constant(state, stmt),
        )
        if kept := self.analysis.kept(stmt):
            value.keywords.append(_keyword("keep", constant(kept, stmt)))
        return functions, value

    def values(self, stmt: Any, state: tuple[str, ...]) -> Any:
        values = names(state, stmt)
        for index, each in enumerate(state):
            if each in self.analysis.scope.outer:
                values.elts[index] = expression(
                    "ag_.ldu(lambda: x_, text_)",
                    stmt,
                    ag_=self.context.operators,
                    x_=each,
                    text_=constant(each, stmt),
                )
        return values

    def unbind(self, stmt: Any, state: tuple[str, ...]) -> list[Any]:
        """Variables of others must not be left holding an `Undefined`."""
        out: list[Any] = []
        others = self.analysis.scope.globals if self.shares_undefined else self.analysis.scope.outer
        for each in state:
            if each in others:
                code = "if ag_.is_undefined(x_):\n    del x_"
                out += replace(code, stmt, ag_=self.context.operators, x_=each)
        return out

    def options(self, stmt: Any, targets: tuple[str, ...]) -> Any:
        """The `LoopOptions`."""
        options = expression("ag_.LoopOptions()", stmt, ag_=self.context.operators)
        options.keywords += self.directives(stmt)
        if targets:
            options.keywords.append(_keyword("targets", constant(targets, stmt)))
        if getattr(stmt, "collects", False):
            options.keywords.append(_keyword("collects", constant(True, stmt)))
        emit = emitter(stmt, self.context)
        return options if emit is None else call(f"{emit}.looping", stmt, options)

    def directives(self, stmt: Any) -> list[Any]:
        """What the calls of `set_loop_options` say that stand in the body of a loop."""
        found = [each for each in stmt.body if self.is_directive(each)]
        return [
            keyword for each in found for keyword in each.value.keywords if keyword.arg == "unroll"
        ]

    def is_directive(self, stmt: Any) -> bool:
        if not (isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call)):
            return False
        function = resolve(stmt.value.func, dict(self.context.namespace))
        return getattr(function, "__ag_loop_options__", False) is True


def _keyword(arg: str, value: Any) -> Any:
    return gast.copy_location(gast.keyword(arg, value), value)


def _stored_names(target: Any) -> list[str]:
    found = [
        each.id
        for each in walk(target)
        if isinstance(each, gast.Name) and isinstance(each.ctx, gast.Store)
    ]
    return found
