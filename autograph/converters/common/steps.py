"""What follows a failure in the body of a `try` does not run.

A staging records a check and goes on, so converted code asks it after every step that may have
recorded one ::

    try:                            try:
        s = 1                           s = 1
        y = f(10 // n)                  value = 10 // n
        s = 2                           if ag__.going_on():
                                            y = f(value)
                                            if ag__.going_on():
                                                s = 2

Where an assignment must not take place because its own value fails, the value is computed first,
in a step of its own; so are the arguments of a call that must not happen.
"""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.jumps import SCOPES, TRIES, own_statements
from agir.autograph.pyct.activity import scope_of
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.cfg import is_plain
from agir.autograph.pyct.templates import expression, name, statement

PURE = frozenset(
    [
        "abs",
        "bool",
        "complex",
        "divmod",
        "enumerate",
        "float",
        "int",
        "isinstance",
        "issubclass",
        "len",
        "list",
        "max",
        "min",
        "pow",
        "range",
        "repr",
        "reversed",
        "round",
        "slice",
        "str",
        "sum",
        "tuple",
        "type",
        "zip",
    ]
)
"""Functions of Python's that have no effect which a handler could see."""
LAZY = (
    gast.BoolOp,
    gast.IfExp,
    gast.Lambda,
    gast.ListComp,
    gast.SetComp,
    gast.DictComp,
    gast.GeneratorExp,
    gast.NamedExpr,
    gast.JoinedStr,
)
SIMPLE = (gast.Constant, gast.Name, gast.Lambda)
Step = tuple[Any, bool]
"""A statement, and whether a check may be recorded in it."""


def whole_body(function: Any) -> None:
    """Make the body of a function one block in which no step follows a failure."""
    if function.body:
        block = gast.Try(function.body, [], [], [])
        function.body = [gast.copy_location(block, function.body[0])]


def convert_steps(function: Any, context: Context) -> list[Any]:
    """The body of a function, in which the blocks of `try` statements are steps."""
    if not any(_guards(stmt) for stmt in own_statements(function.body)):
        return list(function.body)
    return _Steps(function, context).block(function.body, None)


def _guards(stmt: Any) -> bool:
    """Whether what is raised in a statement may be caught by it."""
    return isinstance(stmt, TRIES) or bool(getattr(stmt, "stepped", False))


class _Steps:
    """Rewrites the blocks of a function; `kept` are the variables that a handler may read.

    Outside of any `try` there are none, which is not the same as an empty set.
    """

    def __init__(self, function: Any, context: Context) -> None:
        self.context = context
        self.analysis = Analysis(function)
        self.hidden = set(scope_of(function).locals)

    # Blocks.

    def block(self, stmts: Sequence[Any], kept: set[str] | None) -> list[Any]:
        """A block, of which what follows a failure does not run."""
        if kept is None:
            for stmt in stmts:
                self.inside(stmt, None)
            return [each for stmt in stmts for each in _unwrapped(stmt)]
        steps = [step for stmt in stmts for step in self.steps(stmt, kept)]
        return self.chain(steps)

    def chain(self, steps: Sequence[Step]) -> list[Any]:
        """The steps, each under the condition that those before have not failed."""
        out: list[Any] = []
        for index, (stmt, fallible) in enumerate(steps):
            out += _unwrapped(stmt)
            if fallible and steps[index + 1 :]:
                rest = self.chain(steps[index + 1 :])
                return [*out, self.when_going_on(steps[index + 1][0], rest)]
        return out

    def when_going_on(self, origin: Any, stmts: list[Any]) -> Any:
        return statement(
            "if ag_.going_on():\n    stmts_", origin, ag_=self.context.operators, stmts_=stmts
        )

    def steps(self, stmt: Any, kept: set[str]) -> list[Step]:
        """The steps of a statement in a `try`."""
        method = getattr(self, f"on_{type(stmt).__name__}", None)
        if method is not None:
            return list(method(stmt, kept))
        self.inside(stmt, kept)
        return [(stmt, not isinstance(stmt, INFALLIBLE))]

    def inside(self, stmt: Any, kept: set[str] | None) -> None:
        """The blocks of a statement that has any."""
        if isinstance(stmt, SCOPES) or (isinstance(stmt, TRIES) and is_plain(stmt)):
            return
        if _guards(stmt):
            self.guarded(stmt, kept)
            return
        for part in (stmt, *getattr(stmt, "cases", ())):
            for field in ("body", "orelse"):
                if isinstance(block := getattr(part, field, None), list) and block:
                    setattr(part, field, self.block(block, kept))

    def guarded(self, stmt: Any, kept: set[str] | None) -> None:
        """The clauses of a `try` or `with`."""
        caught, others = self.analysis.graph.caught[stmt]
        body, rest = self.live(caught), kept if others is None else self.live(others)
        stmt.body = self.block(stmt.body, body)
        for part in getattr(stmt, "handlers", ()):
            part.body = self.block(part.body, rest)
        if getattr(stmt, "orelse", None):
            stmt.orelse = self.block(stmt.orelse, rest)
        if getattr(stmt, "finalbody", None):
            stmt.finalbody = self.block(stmt.finalbody, kept)

    def live(self, node: Any) -> set[str]:
        analysis = self.analysis
        return set(analysis.ordered(analysis.liveness.before[node.index]))

    # Statements.

    def on_Expr(self, stmt: Any, kept: set[str]) -> list[Step]:
        before, stmt.value = self.settled(stmt.value)
        return [*before, (stmt, self.fallible(stmt.value))]

    def on_Assign(self, stmt: Any, kept: set[str]) -> list[Step]:
        before, stmt.value = self.settled(stmt.value)
        stored = _stored(stmt.targets)
        parts = any(isinstance(each, gast.Attribute | gast.Subscript) for each in stored)
        if not self.fallible(stmt.value):
            return [*before, (stmt, parts)]
        if not parts and not kept.intersection(each.id for each in stored):
            return [*before, (stmt, True)]
        value, stmt.value = self.computed(stmt.value)
        return [*before, value, (stmt, parts)]

    def on_AugAssign(self, stmt: Any, kept: set[str]) -> list[Step]:
        target = stmt.target
        if isinstance(target, gast.Name) and target.id not in kept:
            before, stmt.value = self.settled(stmt.value)
            return [*before, (stmt, True)]
        steps: list[Step] = []
        for field in ("value", "slice"):
            operand = getattr(target, field, None)
            if operand is not None and not isinstance(operand, SIMPLE):
                step, operand = self.computed(operand)
                steps.append(step)
                setattr(target, field, operand)
        load, item = self.computed(_loaded(target), "item")
        before, stmt.value = self.settled(stmt.value)
        steps += [load, *before]
        if self.fallible(stmt.value):
            value, stmt.value = self.computed(stmt.value)
            steps.append(value)
        change = gast.AugAssign(name(item.id, target, gast.Store()), stmt.op, stmt.value)
        store = gast.Assign([target], name(item.id, target), None)
        return steps + [(gast.copy_location(each, stmt), True) for each in (change, store)]

    def on_If(self, stmt: Any, kept: set[str]) -> list[Step]:
        before, stmt.test = self.settled(stmt.test)
        if self.fallible(stmt.test):
            test, stmt.test = self.computed(stmt.test, "test")
            before.append(test)
        self.inside(stmt, kept)
        return [*before, (stmt, _any_fallible(stmt))]

    def on_While(self, stmt: Any, kept: set[str]) -> list[Step]:
        self.inside(stmt, kept)
        test = gast.BoolOp(gast.And(), [self.asked(stmt.test), stmt.test])
        stmt.test = gast.copy_location(test, stmt.test)
        return [(stmt, True)]

    def on_For(self, stmt: Any, kept: set[str]) -> list[Step]:
        before, stmt.iter = self.settled(stmt.iter)
        if self.fallible(stmt.iter):
            items, stmt.iter = self.computed(stmt.iter, "items")
            before.append(items)
        self.inside(stmt, kept)
        extra = getattr(stmt, "extra_test", None)
        asked = self.asked(stmt)
        if extra is None:
            stmt.extra_test = asked
        else:
            both = gast.BoolOp(gast.And(), [extra, asked])
            stmt.extra_test = gast.copy_location(both, extra)
        return [*before, (stmt, True)]

    def asked(self, origin: Any) -> Any:
        return expression("ag_.going_on()", origin, ag_=self.context.operators)

    # Expressions.

    def computed(self, node: Any, wish: str = "value") -> tuple[Step, Any]:
        """A step that computes an expression, and the variable that holds the value then."""
        new = self.context.namer.fresh(wish)
        step = statement("new_ = node_", node, new_=new, node_=node)
        return (step, True), name(new, node)

    def fallible(self, node: Any) -> bool:
        """Whether evaluating an expression may record a check, as far as can be seen."""
        if isinstance(node, gast.Name):
            return False
        if isinstance(node, gast.Constant | gast.Lambda):
            return False
        if isinstance(node, gast.Tuple | gast.List | gast.Set):
            return any(map(self.fallible, node.elts))
        if isinstance(node, gast.Call) and self.is_operator(node):
            return any(map(self.fallible, node.args))
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return self.fallible(node.operand)
        return True

    def is_operator(self, node: Any) -> bool:
        """Whether a call is one of this package's own."""
        function = node.func
        return (
            isinstance(function, gast.Attribute)
            and isinstance(function.value, gast.Name)
            and function.value.id == self.context.operators
        )

    def acts(self, node: Any) -> bool:
        """Whether evaluating an expression may do something that a handler can see."""
        return any(
            isinstance(each, gast.Call) and not self.is_pure(each) for each in gast.walk(node)
        )

    def is_pure(self, node: Any) -> bool:
        function = node.func
        return (
            isinstance(function, gast.Name)
            and function.id in PURE
            and function.id not in self.hidden
        )

    def settled(self, node: Any) -> tuple[list[Step], Any]:
        """An expression, after steps for what may fail before something in it acts."""
        if isinstance(node, (*SIMPLE, *LAZY)) or not self.acts(node):
            return [], node
        steps: list[Step] = []
        places = list(operands(node))
        acting = isinstance(node, gast.Call) and not self.is_pure(node)
        last = len(places) if acting else 0
        for index, (get, _) in enumerate(places):
            if self.acts(get()):
                last = max(last, index)
        for index, (get, put) in enumerate(places):
            before, operand = self.settled(get())
            steps += before
            if index < last and self.fallible(operand) and not isinstance(operand, gast.Starred):
                step, operand = self.computed(operand)
                steps.append(step)
            put(operand)
        return steps, node


INFALLIBLE = (
    gast.Pass,
    gast.Break,
    gast.Continue,
    gast.Global,
    gast.Nonlocal,
    gast.FunctionDef,
    gast.AsyncFunctionDef,
    gast.ClassDef,
)


def operands(node: Any) -> Iterable[Any]:
    """What an expression evaluates, in order: how to read each part, and how to replace it."""
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, gast.expr):
            if field == "func" and isinstance(value, gast.Attribute):
                yield _field(value, "value")  # the method is looked up when it is called
            elif field != "func" or not isinstance(value, gast.Name):
                yield _field(node, field)
        elif isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, gast.Starred | gast.keyword):
                    yield _field(each, "value")
                elif isinstance(each, gast.expr):
                    yield _item(value, index)


def _field(owner: Any, field: str) -> Any:
    return (lambda: getattr(owner, field)), (lambda new: setattr(owner, field, new))


def _item(owner: list[Any], index: int) -> Any:
    return (lambda: owner[index]), (lambda new: owner.__setitem__(index, new))


def _stored(targets: Iterable[Any]) -> list[Any]:
    """The variables and parts of objects that are assigned to."""
    found: list[Any] = []
    for target in targets:
        if isinstance(target, gast.Tuple | gast.List):
            found += _stored(target.elts)
        else:
            found.append(target.value if isinstance(target, gast.Starred) else target)
    return found


def _loaded(target: Any) -> Any:
    """The present value of a target."""
    if isinstance(target, gast.Name):
        return name(target.id, target)
    kind: Any = type(target)
    read = kind.__new__(kind)
    read.__dict__.update(target.__dict__)
    for field in ("value", "slice"):
        operand = getattr(target, field, None)
        if isinstance(operand, gast.Name):
            setattr(read, field, name(operand.id, operand))
    read.ctx = gast.Load()
    return read


def _any_fallible(stmt: Any) -> bool:
    """Whether a branch may record a check."""
    return not all(isinstance(each, gast.Pass | gast.If) or _plain_assignment(each)
                   for each in own_statements([stmt]))  # fmt: skip


def _plain_assignment(stmt: Any) -> bool:
    return (
        isinstance(stmt, gast.Assign)
        and all(isinstance(each, gast.Name) for each in stmt.targets)
        and isinstance(stmt.value, gast.Constant | gast.Name)
    )


def _unwrapped(stmt: Any) -> list[Any]:
    """The statements of a block that has neither handlers nor anything that comes last."""
    if isinstance(stmt, gast.Try) and not (stmt.handlers or stmt.finalbody):
        return list(stmt.body)
    return [stmt]
